//! Output CAM lines (rules E3, E5, E6, E8): section 6 of the page.

use super::cover::Cover;
use super::state::{BAD_LINE, BAD_VL, Line, OutputPort};
use crate::scheme::any_up::{next_draw, place};

const ALLOC: u32 = 0;
const DEALLOC: u32 = 1;
const STOP: u32 = 2;

/// Cycles for which a line that was another tree's, or freed, is not shown.
const HOLD: u32 = 2;

impl Line {
    /// The destination is in the dList.
    pub(super) fn holds(&self, dlid: u32) -> bool {
        self.dlist[..self.dcnt].contains(&dlid)
    }

    /// Neighbours know of it.
    pub(super) fn shown(&self) -> bool {
        self.valid && self.hold == 0
    }

    /// A packet to `dlid` on VL `v` belongs to the line's tree.
    pub(super) fn concerns(&self, v: usize, dlid: u32) -> bool {
        self.shown() && self.vl as usize == v && self.holds(dlid)
    }

    /// Not valid; away for two cycles. The tree is remembered.
    fn free(&mut self) {
        (self.valid, self.stop, self.fresh, self.closing) = (false, false, false, false);
        (self.hold, self.timer) = (HOLD, 0);
    }
}

/// A turn that was lost: of this line, of this VL.
type Lost = (usize, u32);

/// What is drawn for in a cycle.
#[derive(Default)]
struct Draws {
    lost: Vec<Lost>,
    /// The line to which another tree came.
    other_tree: Option<usize>,
}

/// Where a message goes.
struct Address {
    kind: u32,
    line: usize,
    vl: u32,
}

impl OutputPort {
    /// Section 6: the input whose turn it is after a stop of line `k`.
    pub(super) fn turn_of(&self, input: &[u32], k: usize) -> Option<usize> {
        let line = &self.lines[k];
        if !line.fresh {
            return None;
        }
        let mut inputs = (line.turn..self.ports).chain(0..line.turn);
        inputs.find(|i| input[self.i.pend + i] >> k & 1 != 0)
    }

    /// A packet that could start is bound to line `k`.
    fn is_awaited(&self, input: &[u32], k: usize) -> bool {
        (0..self.ports).any(|i| input[self.i.pend + i] >> k & 1 != 0)
    }

    /// Section 6: the line is shown and owes a turn, the grant of this cycle having had its effect. `away`: lines with hold
    /// above 0, as bits.
    fn turn_is_due(&self, k: usize, away: u32) -> bool {
        let line = &self.lines[k];
        line.valid && away >> k & 1 == 0 && (line.stop || line.fresh)
    }

    /// Section 6: what is lost if the tree of line `k` goes now: a turn that somebody waits for, or for which the line stayed.
    fn turn_at_stake(&self, input: &[u32], k: usize, away: u32) -> Option<Lost> {
        let lost = self.turn_is_due(k, away) && (self.lines[k].closing || self.is_awaited(input, k));
        lost.then_some((k, self.lines[k].vl))
    }

    /// Section 6: the turns of another tree begin somewhere; where turns were lost somebody goes to the front of the VL's order.
    fn draw(&mut self, Draws { lost, other_tree }: &Draws) {
        if lost.is_empty() && other_tree.is_none() {
            return;
        }
        let drawn = place(self.ports, self.draw);
        self.draw = next_draw(self.draw);
        if let Some(k) = other_tree {
            self.lines[*k].turn = drawn;
        }
        for (_, vl) in lost {
            self.order[*vl as usize].put_first(drawn);
            let granted = self.served.is_some_and(|r| r % self.vls == *vl as usize);
            self.hit(Cover::a3_lost_turn);
            self.hit_if(granted, Cover::a3_lost_at_grant);
        }
        self.hit_if(lost.len() > 1, Cover::a3_lost_several);
    }

    /// Section 6: a data request of input `i` is granted that belongs to line `k`: the turn was used.
    pub(super) fn end_turn(&mut self, i: usize, k: usize) {
        let after = (i + 1) % self.ports;
        let Some(line) = self.lines.get_mut(k).filter(|l| l.fresh) else { return };
        let skips = line.turn != i;
        line.fresh = false;
        line.turn = after;
        self.turns_used |= 1 << k;
        self.hit(Cover::a3_turn_used);
        self.hit_if(skips, Cover::a3_turn_skips);
    }

    /// Section 9: the link is down, no tree crosses it.
    pub(super) fn lose_lines(&mut self, input: &[u32]) {
        let any = self.free_lines(input);
        self.hit_if(any, Cover::e6_link_down_frees);
    }

    /// Section 6: all lines go, and the turns that are due with them. Whether there was one.
    fn free_lines(&mut self, input: &[u32]) -> bool {
        let away = self.away();
        let valid: Vec<usize> = (0..self.lines.len()).filter(|k| self.lines[*k].valid).collect();
        let lost = valid.iter().filter_map(|k| self.turn_at_stake(input, *k, away)).collect();
        self.grow_back();
        valid.iter().for_each(|k| self.lines[*k].free());
        let draws = Draws { lost, other_tree: None };
        self.hit_if(!draws.lost.is_empty(), Cover::a3_lost_with_all);
        self.draw(&draws);
        !valid.is_empty()
    }

    /// Lines with hold above 0, as bits.
    fn away(&self) -> u32 {
        self.lines.iter().enumerate().map(|(k, l)| u32::from(l.hold > 0) << k).sum()
    }

    /// Another cycle of those is over.
    fn grow_back(&mut self) {
        for line in &mut self.lines {
            line.hold = line.hold.saturating_sub(1);
        }
    }

    /// The lines' next state. Returns new errors.
    pub(super) fn update_lines(&mut self, input: &[u32]) -> u32 {
        let message = input[self.i.msg_valid] & 1 != 0;
        if !message && !self.lines_used {
            return 0;
        }
        let errors = self.step_lines(input, message);
        self.lines_used = self.lines.iter().any(|l| l.valid || l.hold > 0);
        errors
    }

    fn step_lines(&mut self, input: &[u32], message: bool) -> u32 {
        if !self.cfg.iso_en {
            let any = self.free_lines(input);
            self.hit_if(any, Cover::e6_isolation_off_frees);
            self.hit_if(message, Cover::e6_isolation_off_ignores);
            return 0;
        }
        let away = self.away();
        let closing = self.lines.iter().enumerate().map(|(k, l)| u32::from(l.closing) << k).sum();
        self.grow_back();
        let mut errors = 0;
        let mut accepted_line = None;
        // A turn can be lost by the message, and by each timer.
        let mut draws = Draws::default();
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
            if errors == 0 && self.apply(input, &to, away, &mut draws) {
                accepted_line = Some(to.line);
            }
        }
        self.age_lines(input, accepted_line, away, &mut draws.lost);
        self.free_closing(input, closing, accepted_line, &mut draws.lost);
        self.draw(&draws);
        errors
    }

    /// Section 6: line `k` ends; the grant of this cycle has had its effect. If its turn is due it stays for that, once.
    fn end_line(&mut self, input: &[u32], k: usize, away: u32) -> Option<Lost> {
        let (due, at_stake) = (self.turn_is_due(k, away), self.turn_at_stake(input, k, away));
        let line = &mut self.lines[k];
        let (stopped, again) = (line.stop, line.closing);
        if at_stake.is_some() && !again {
            (line.closing, line.stop, line.fresh, line.timer) = (true, false, true, 0);
            self.hit(if stopped { Cover::a3_closing_stopped } else { Cover::a3_closing_fresh });
            None
        } else {
            line.free();
            self.hit_if(due && !again, Cover::a3_ends_unawaited);
            self.hit_if(again, Cover::e6_closing_ends_again);
            self.hit_if(at_stake.is_some(), Cover::a3_lost_expired);
            at_stake
        }
    }

    /// Section 6: lines that were closing are freed when their turn was used, or nobody waits for it. `accepted`: the line of
    /// an accepted message, which an ALLOC keeps. In the latter case the turn is lost.
    fn free_closing(&mut self, input: &[u32], closing: u32, accepted: Option<usize>, lost: &mut Vec<Lost>) {
        for k in (0..self.lines.len()).filter(|k| closing >> k & 1 != 0 && accepted != Some(*k)) {
            let (used, awaited) = (!self.lines[k].fresh, self.is_awaited(input, k));
            if self.lines[k].closing && (used || !awaited) {
                lost.extend((!used).then_some((k, self.lines[k].vl)));
                self.lines[k].free();
                self.hit(if used { Cover::a3_closing_used } else { Cover::a3_closing_unawaited });
            }
        }
    }

    /// Applies a message to its line; true if it was accepted. `away`: lines with hold above 0, as bits.
    fn apply(&mut self, input: &[u32], to: &Address, away: u32, draws: &mut Draws) -> bool {
        let held = away >> to.line & 1 != 0;
        let used = self.turns_used >> to.line & 1 != 0;
        let line = &self.lines[to.line];
        let (valid, same_vl) = (line.valid, line.valid && line.vl == to.vl);
        let expiring = valid && line.timer >= self.cfg.line_timer;
        let (closing, fresh) = (line.closing, line.fresh);
        let freed = closing && (!fresh || !self.is_awaited(input, to.line));
        if to.kind != ALLOC && (!same_vl || closing && to.kind != DEALLOC) {
            self.hit(match to.kind {
                _ if same_vl => Cover::e6_closing_ignores,
                STOP => Cover::e5_stop_miss,
                DEALLOC => Cover::e6_dealloc_miss,
                _ => Cover::e5_go_miss,
            });
            self.hit_if(expiring && !same_vl, Cover::e8_expiry_despite_miss);
            return false;
        }
        match to.kind {
            ALLOC => {
                let told = (input[self.i.msg_dcnt] & 0xff) as usize;
                let dcnt = told.min(self.dlist);
                let root = input[self.i.msg_root] & 0xff_ffff;
                let words = &input[self.i.msg_dlist..][..self.dlist];
                let (remembers_vl, same_root, turn) = (line.vl == to.vl, line.root == root, line.turn);
                let grows = dcnt >= line.dcnt
                    && line.dlist[..line.dcnt].iter().zip(words).all(|(old, new)| *old == new & 0xffff);
                // (Of a line that is not valid: another one than was there last.)
                let other = !(remembers_vl && same_root && grows);
                let other_tree = valid && other;
                let stop = input[self.i.msg_stop] & 1 != 0;
                let was_fresh = line.fresh;
                let go = valid && !other_tree && line.stop && !stop;
                self.hit_if(closing && !other_tree, Cover::e6_closing_alloc);
                self.hit_if(closing && other_tree, Cover::e6_closing_replaced);
                self.hit_if(freed, Cover::e6_closing_kept);
                self.hit_if(go, Cover::a3_fresh_by_alloc);
                self.hit_if(was_fresh && stop && !other_tree, Cover::a3_fresh_stopped);
                self.hit_if(was_fresh && other_tree, Cover::a3_fresh_other_tree);
                self.hit_if(!valid && !held, Cover::e3_alloc_new);
                self.hit_if(!valid && held, Cover::e6_hold_alloc);
                self.hit_if(valid && !other_tree, Cover::e3_alloc_update);
                self.hit_if(other_tree, Cover::e6_line_replaced);
                self.hit_if(other_tree && !same_vl, Cover::e3_alloc_other_vl);
                self.hit_if(other_tree && same_vl && same_root, Cover::e6_list_not_continued);
                self.hit_if(valid && held, Cover::e6_hold_message);
                self.hit_if(told > self.dlist, Cover::e3_dcnt_clamped);
                self.hit_if(expiring, Cover::e8_message_at_expiry);
                if other_tree {
                    let turn = self.turn_at_stake(input, to.line, away);
                    self.hit_if(turn.is_some() && closing, Cover::a3_lost_closing);
                    self.hit_if(turn.is_some() && self.lines[to.line].stop, Cover::a3_lost_stopped);
                    draws.lost.extend(turn);
                    self.lines[to.line].hold = HOLD;
                }
                if other {
                    draws.other_tree = Some(to.line);
                }
                self.hit_if(other && !valid, Cover::a3_turn_drawn);
                self.hit_if(other && valid, Cover::a3_turn_drawn_in_place);
                self.hit_if(other && used, Cover::a3_turn_drawn_at_use);
                self.hit_if(!other && !valid && turn != 0, Cover::a3_turn_kept);
                let line = &mut self.lines[to.line];
                line.closing = false;
                line.fresh = !other_tree && !stop && (was_fresh || go);
                line.valid = true;
                line.stop = stop;
                line.vl = to.vl;
                line.hops = input[self.i.msg_hops] & 0x3f;
                line.root = root;
                line.timer = 0;
                line.dcnt = dcnt;
                for (entry, word) in line.dlist.iter_mut().zip(words) {
                    *entry = word & 0xffff;
                }
            }
            DEALLOC => {
                draws.lost.extend(self.end_line(input, to.line, away));
                self.hit(if expiring { Cover::e8_dealloc_at_expiry } else { Cover::e6_dealloc_hit });
            }
            _ => {
                let stop = to.kind == STOP;
                let (go, was_fresh) = (line.stop && !stop, line.fresh);
                self.hit_if(go, Cover::a3_fresh_by_go);
                self.hit_if(was_fresh && stop, Cover::a3_fresh_stopped);
                let line = &mut self.lines[to.line];
                line.stop = stop;
                line.fresh = !stop && (was_fresh || go);
                line.timer = 0;
                self.hit(if to.kind == STOP { Cover::e5_stop_hit } else { Cover::e5_go_hit });
                self.hit_if(expiring, Cover::e8_message_at_expiry);
                self.hit_if(held, Cover::e6_hold_message);
            }
        }
        true
    }

    /// E8: every valid line without an accepted message grows older, or ends.
    fn age_lines(&mut self, input: &[u32], accepted: Option<usize>, away: u32, lost: &mut Vec<Lost>) {
        let mut expired = 0;
        for k in 0..self.lines.len() {
            let line = &mut self.lines[k];
            if !line.valid || accepted == Some(k) {
                continue;
            }
            if line.timer >= self.cfg.line_timer {
                lost.extend(self.end_line(input, k, away));
                expired += 1;
            } else {
                line.timer += 1; // below LINE_TIMER, so it cannot overflow
            }
        }
        self.hit_if(expired > 0, Cover::e8_expiry);
        self.hit_if(expired > 1, Cover::e8_several_expire);
    }
}
