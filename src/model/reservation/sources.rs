//! Section 13: what comes, beside the table of sources.

use super::cover::Cover;
use super::seen::{Seen, What};
use super::state::{In, Reservation};
use crate::scheme::chunk::{ahead, id};

impl Reservation {
    /// The op of this cycle, if there is one.
    fn see_op(&self, input: &[u32]) -> Option<Seen> {
        let i: &In = &self.i;
        let is = |at: usize| input[at] & 1 != 0;
        let what = if is(i.see_res) {
            What::Res { init: is(i.see_init) }
        } else if is(i.see_look) || is(i.see_mark) {
            What::Packet { look: is(i.see_look), mark: is(i.see_mark), spec: is(i.see_spec) }
        } else if is(i.see_pass) {
            What::Pass
        } else {
            return None;
        };
        let flow = (input[i.see_flow] & 0xffff) as usize;
        let one = 1u64 << (input[i.see_seq] as usize & (self.p.nmax - 1));
        let psn = input[i.see_psn] & 0xff_ffff;
        (flow < self.p.flows).then_some(Seen { what, flow, id: id(input[i.see_id]), one, psn })
    }

    /// The edge of the table. Returns whether something is dropped.
    pub(super) fn step_sources(&mut self, input: &[u32]) -> bool {
        if !self.p.dedup {
            return false;
        }
        let ok = input[self.i.see_ok] & 1 != 0;
        let next = self.see_op(input);
        let verdict = self.sources.verdict(self.cfg.inorder);
        let op = std::mem::replace(&mut self.sources.op, next);
        let before = self.sources.written;
        let after = |op: &Seen| Some((op.flow, self.sources.table[op.flow].after(op)?));
        let written = op.as_ref().filter(|_| ok).and_then(after);
        if let Some(op) = op {
            self.cover_seen(&op, ok);
            self.cover_order(&op, ok);
            self.hit_if(before.is_some_and(|b| b.0 == op.flow), Cover::q22_see_again);
        }
        if let Some((flow, known)) = written {
            self.sources.table[flow] = known;
        }
        self.sources.written = written;
        verdict.drop
    }

    fn cover_seen(&mut self, op: &Seen, ok: bool) {
        let known = self.sources.table[op.flow];
        let rel = ahead(op.id, known.id);
        let (new, newer) = (!known.valid, rel > 0);
        let wraps = known.valid && newer && op.id < known.id;
        match op.what {
            What::Packet { look, mark, .. } => {
                let got = known.got & op.one != 0;
                if look {
                    self.hit(match (new, newer, rel == 0, got) {
                        (true, ..) => Cover::q22_look_unknown,
                        (_, true, ..) => Cover::q22_look_newer,
                        (_, _, true, false) => Cover::q22_look_first,
                        (_, _, true, true) => Cover::q22_look_taken,
                        _ => Cover::q22_look_old,
                    });
                }
                if mark && ok {
                    self.hit(match (new, newer, rel == 0, got) {
                        (true, ..) => Cover::q22_mark_unknown,
                        (_, true, ..) => Cover::q22_mark_newer,
                        (_, _, true, false) => Cover::q22_mark_more,
                        (_, _, true, true) => Cover::q22_mark_twice,
                        _ => Cover::q22_mark_old,
                    });
                    self.hit_if(wraps, Cover::q22_id_wraps);
                }
                self.hit_if(mark && !ok, Cover::q22_mark_not_ok);
                self.hit_if(mark && look, Cover::q22_one_flit);
            }
            What::Pass => self.hit(if ok { Cover::q21_pass } else { Cover::q21_pass_not_ok }),
            What::Res { init: true } => {
                self.hit(if new { Cover::q22_init_unknown } else { Cover::q22_init_known });
            }
            What::Res { init: false } if ok => {
                self.hit(match (new, newer, rel == 0) {
                    (true, ..) => Cover::q22_res_unknown,
                    (_, true, _) => Cover::q22_res_newer,
                    (_, _, true) => Cover::q22_res_same,
                    _ => Cover::q22_res_old,
                });
                self.hit_if(wraps, Cover::q22_id_wraps);
            }
            What::Res { .. } => self.hit(Cover::q22_res_not_ok),
        }
    }
    /// INORDER.
    fn cover_order(&mut self, op: &Seen, ok: bool) {
        let known = self.sources.table[op.flow];
        if let What::Packet { look: true, spec: true, .. } = op.what
            && self.cfg.inorder
            && !known.judge_copy(op).drop
        {
            self.hit(match known.next {
                None => Cover::q21_spec_first,
                Some(next) if next == op.psn => Cover::q21_spec_next,
                Some(_) => Cover::q21_spec_early,
            });
        }
        let ends = matches!(op.what, What::Res { init: true }) && ok && known.next.is_some();
        self.hit_if(ends, Cover::q21_order_ends);
        let counts = matches!(op.what, What::Pass | What::Packet { mark: true, .. });
        let wraps = counts && ok && known.after(op).is_some_and(|after| after.next == Some(0));
        self.hit_if(wraps, Cover::q21_psn_wraps);
    }
}
