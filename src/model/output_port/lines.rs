//! Output CAM lines (rules E3, E5, E6, E8): section 6 of the page.

use super::{BAD_LINE, BAD_VL, Cover, OutputPort};

/// Longest dList.
const MAX_DLIST: usize = 32;

const ALLOC: u32 = 0;
const DEALLOC: u32 = 1;
const STOP: u32 = 2;

/// One congestion tree whose root is downstream. All 0 when not valid.
#[derive(Clone, Default)]
pub(super) struct Line {
    pub(super) valid: bool,
    pub(super) stop: bool,
    pub(super) vl: u32,
    pub(super) hops: u32,
    pub(super) root: u32,
    pub(super) timer: u32,
    pub(super) dcnt: usize,
    pub(super) dlist: [u32; MAX_DLIST],
}

impl Line {
    /// The destination is in the dList.
    pub(super) fn holds(&self, dlid: u32) -> bool {
        self.dlist[..self.dcnt].contains(&dlid)
    }
}

/// Where a message goes.
struct Address {
    kind: u32,
    line: usize,
    vl: u32,
}

impl OutputPort {
    /// The lines' next state. Returns new errors.
    pub(super) fn update_lines(&mut self, input: &[u32]) -> u32 {
        let message = input[self.i.msg_valid] & 1 != 0;
        if !self.cfg.iso_en {
            if self.lines.iter().any(|l| l.valid) {
                self.lines.fill(Line::default());
                self.hit(Cover::e6_isolation_off_frees);
            }
            self.hit_if(message, Cover::e6_isolation_off_ignores);
            return 0;
        }
        let mut errors = 0;
        let mut accepted_line = None;
        if message {
            let to = Address {
                kind: input[self.i.msg_type] & 3,
                line: (input[self.i.msg_line] & 0xff) as usize,
                vl: input[self.i.msg_vl] & 0xff,
            };
            let (bad_line, bad_vl) = (to.line >= self.lines.len(), to.vl as usize >= self.vls);
            errors |= if bad_line { BAD_LINE } else { 0 } | if bad_vl { BAD_VL } else { 0 };
            self.hit_if(bad_line, Cover::b3_bad_line);
            self.hit_if(bad_vl, Cover::b3_bad_vl_msg);
            if errors == 0 && self.apply(input, &to) {
                accepted_line = Some(to.line);
            }
        }
        self.age_lines(accepted_line);
        errors
    }

    /// Applies a message to its line; true if it was accepted.
    fn apply(&mut self, input: &[u32], to: &Address) -> bool {
        let line = &self.lines[to.line];
        let (valid, same_vl) = (line.valid, line.valid && line.vl == to.vl);
        let expiring = valid && line.timer >= self.cfg.line_timer;
        if to.kind != ALLOC && !same_vl {
            self.hit(match to.kind {
                STOP => Cover::e5_stop_miss,
                DEALLOC => Cover::e6_dealloc_miss,
                _ => Cover::e5_go_miss,
            });
            self.hit_if(expiring, Cover::e8_expiry_despite_miss);
            return false;
        }
        match to.kind {
            ALLOC if valid && !same_vl => {
                self.lines[to.line] = Line::default();
                self.hit(Cover::e3_alloc_vl_change_frees);
            }
            ALLOC => {
                let dcnt = (input[self.i.msg_dcnt] & 0xff) as usize;
                self.hit(if valid { Cover::e3_alloc_update } else { Cover::e3_alloc_new });
                self.hit_if(dcnt > self.dlist, Cover::e3_dcnt_clamped);
                self.hit_if(expiring, Cover::e8_message_at_expiry);
                let line = &mut self.lines[to.line];
                line.valid = true;
                line.stop = input[self.i.msg_stop] & 1 != 0;
                line.vl = to.vl;
                line.hops = input[self.i.msg_hops] & 0x3f;
                line.root = input[self.i.msg_root] & 0xff_ffff;
                line.timer = 0;
                line.dcnt = dcnt.min(self.dlist);
                let words = &input[self.i.msg_dlist..][..self.dlist];
                for (entry, word) in line.dlist.iter_mut().zip(words) {
                    *entry = word & 0xffff;
                }
            }
            DEALLOC => {
                self.lines[to.line] = Line::default();
                self.hit(if expiring { Cover::e8_dealloc_at_expiry } else { Cover::e6_dealloc_hit });
            }
            _ => {
                let line = &mut self.lines[to.line];
                line.stop = to.kind == STOP;
                line.timer = 0;
                self.hit(if to.kind == STOP { Cover::e5_stop_hit } else { Cover::e5_go_hit });
                self.hit_if(expiring, Cover::e8_message_at_expiry);
            }
        }
        true
    }

    /// E8: every valid line without an accepted message grows older, or is freed.
    fn age_lines(&mut self, accepted: Option<usize>) {
        let mut expired = 0;
        for (k, line) in self.lines.iter_mut().enumerate() {
            if !line.valid || accepted == Some(k) {
                continue;
            }
            if line.timer >= self.cfg.line_timer {
                *line = Line::default();
                expired += 1;
            } else {
                line.timer += 1; // below LINE_TIMER, so it cannot overflow
            }
        }
        self.hit_if(expired > 0, Cover::e8_expiry);
        self.hit_if(expired > 1, Cover::e8_several_expire);
    }
}
