//! ACKs, the sweep and posts (rules AK5 to AK7, VR1, VR2, VR5): sections 2 and 6 of the page.

use super::cover::Cover;
use super::state::{
    ACK_LOST, Adjustment, BAD_ADDR, COUNT_MASK, Cause, Lti, MARK_BITS, Made, Op, STRAY_ACK, SourceResponse,
    Update, Word,
};
use crate::model::util::{bit, set_bit};
use crate::scheme::rate::{self, FULL, Rate, lowest};
use crate::scheme::window::{Held, Law, Severity, Step, severity};

impl SourceResponse {
    /// The packet that is being sent is the flow's.
    pub(super) fn is_sending(&self, flow: usize) -> bool {
        self.select.sending.is_some_and(|s| s.flow == flow)
    }

    /// Packets of a flow that were ever accepted, modulo 512.
    pub(super) fn taken(&self, flow: usize) -> u32 {
        self.select.sending.filter(|s| s.flow == flow).map_or(self.lti[flow].taken, |s| s.taken)
    }

    /// What holds a flow back.
    pub(super) fn held(&self, word: &Word, adjusted: bool) -> Held {
        let bounds = &self.cfg.bounds;
        if adjusted { bounds.in_effect(&word.made.0) } else { bounds.fresh() }
    }

    /// Stage U2, from S(t) alone.
    pub(super) fn update(&self) -> Option<Update> {
        let op = self.pipe.u2?;
        let (flow, old) = (op.flow, self.rsp[op.flow]);
        let taken = self.taken(flow);
        let outstanding = taken.wrapping_sub(old.acked) & COUNT_MASK;
        let mut u = Update {
            op,
            outstanding,
            old,
            new: None,
            remain: false,
            adjustment: None,
            invalid: false,
            lost: false,
            aged: false,
        };
        let mut word = old;
        match op.cause {
            // The ACK before it has made it a stray.
            Cause::Ack(_) if outstanding == 0 => return Some(u),
            Cause::Ack(bits) => {
                word.acked = (old.acked + 1) & COUNT_MASK;
                match severity(self.cfg.sevmap, bits) {
                    _ if !self.cfg.enable => {}
                    None => u.invalid = true,
                    Some(severity) => {
                        let before = self.held(&old, bit(&self.adj, flow));
                        let (made, step) = self.cfg.bounds.acknowledged(&before, severity);
                        word.made = Made(made);
                        word.last_ack = Some(self.time.now);
                        u.adjustment = Some(Adjustment { severity, before, step });
                    }
                }
            }
            Cause::Sweep => {
                u.lost = outstanding > 0 && !self.lti[flow].valid && !self.is_sending(flow);
                u.aged = old.last_ack.is_some_and(|at| self.time.is_long_ago(at));
                if u.lost {
                    word.acked = taken;
                }
                if u.aged {
                    word.last_ack = None;
                }
            }
        }
        u.remain = word.acked != taken;
        u.new = Some(word);
        Some(u)
    }

    /// What stage U2 leaves behind. `accepted`: the flow of which a packet is accepted in this cycle. Returns new errors.
    pub(super) fn write_update(&mut self, u: &Update, accepted: Option<usize>) -> u32 {
        let flow = u.op.flow;
        if let Some(new) = u.new {
            self.rsp[flow] = new;
        }
        if u.adjustment.is_some() {
            set_bit(&mut self.adj, flow, true);
        }
        set_bit(&mut self.out, flow, u.remain || accepted == Some(flow));
        let on = self.cfg.windows_on();
        let stray = u.new.is_none();
        let told = |happened: bool, error: u32| if happened { error } else { 0 };
        told(stray && on, STRAY_ACK) | told(u.lost && on, ACK_LOST) | told(u.invalid, MARK_BITS)
    }

    /// Stage U0: the next operation.
    pub(super) fn next_op(&mut self, input: &[u32], errors: &mut u32) -> Op {
        if input[self.i.ack_valid] & 1 != 0 {
            let flow = (input[self.i.ack_flow] & 0xffff) as usize;
            if flow >= self.flows {
                *errors |= BAD_ADDR;
                self.hit(Cover::ak5_bad_addr);
            } else if bit(&self.out, flow) {
                return Op { cause: Cause::Ack(input[self.i.ack_bits] & 7), flow };
            } else if self.cfg.windows_on() {
                *errors |= STRAY_ACK;
                self.hit(Cover::ak7_stray);
            } else {
                self.hit(Cover::ak7_stray_off);
            }
        }
        let flow = self.pipe.sweep;
        self.pipe.sweep = (flow + 1) % self.flows;
        Op { cause: Cause::Sweep, flow }
    }

    /// Section 6, VR5. Returns the flow that becomes fresh.
    pub(super) fn post(&mut self, input: &[u32], errors: &mut u32) -> Option<usize> {
        if input[self.i.post_valid] & 1 == 0 {
            return None;
        }
        let flow = (input[self.i.post_flow] & 0xffff) as usize;
        if flow >= self.flows {
            *errors |= BAD_ADDR;
            self.hit(Cover::vr5_bad_addr);
            return None;
        }
        let (outstanding, adjusted) = (bit(&self.out, flow), bit(&self.adj, flow));
        let (may, windows) = (self.cfg.reset_empty, self.cfg.wmax > 0);
        self.hit_if(may && windows && outstanding, Cover::vr5_outstanding);
        let idle = adjusted && !outstanding;
        self.hit_if(idle && !may, Cover::vr5_off);
        self.hit_if(idle && may && !windows, Cover::vr5_no_window);
        self.hit_if(idle && may && windows, Cover::vr5_reset);
        (may && windows && !outstanding).then_some(flow)
    }

    /// What is to be seen of stages U1 and U2. `accepted`: as above.
    pub(super) fn cover_update(&mut self, update: Option<&Update>, accepted: Option<usize>) {
        if let Some(Op { cause: Cause::Ack(_), flow }) = self.pipe.u1 {
            self.hit_if(accepted == Some(flow), Cover::ak6_accept_before_ack);
        }
        let Some(u) = update else { return };
        let flow = u.op.flow;
        let past = self.pipe.past;
        let returned_before = |n: usize| past[n].is_some_and(|(op, packet)| packet && op.flow == flow);
        let before = past[0].map(|(op, _)| op).filter(|op| op.flow == flow).map(|op| op.cause);
        let (on, returns) = (self.cfg.windows_on(), u.outstanding > 0);
        let sends = self.is_sending(flow);
        match u.op.cause {
            Cause::Ack(_) => {
                self.hit_if(before == Some(Cause::Sweep), Cover::ak5_ack_after_sweep);
                self.hit_if(!returns, if on { Cover::ak7_stray_behind_ack } else { Cover::ak7_stray_off });
            }
            Cause::Sweep => {
                self.hit_if(matches!(before, Some(Cause::Ack(_))), Cover::ak5_sweep_after_ack);
                let valid = self.lti[flow].valid;
                self.hit_if(returns && valid, Cover::ak7_not_silent);
                self.hit_if(returns && !valid && sends, Cover::ak7_sending);
                self.hit_if(!returns && bit(&self.out, flow), Cover::ak6_out_mended);
                self.hit_if(u.lost, if on { Cover::ak7_lost } else { Cover::ak7_lost_off });
                self.hit_if(u.lost && u.outstanding > 1, Cover::ak7_lost_several);
                self.hit_if(u.lost && accepted == Some(flow), Cover::ak7_lost_and_accept);
                self.hit_if(u.aged, Cover::ak7_ack_time_aged);
            }
        }
        let ack = matches!(u.op.cause, Cause::Ack(_)) && returns;
        self.pipe.past = [Some((u.op, ack)), past[0]];
        if !ack {
            return;
        }
        self.hit(Cover::ak5_ack);
        self.hit_if(returned_before(0), Cover::ak5_acks_1_apart);
        self.hit_if(returned_before(1), Cover::ak5_acks_2_apart);
        self.hit_if(accepted == Some(flow), Cover::ak6_ack_and_accept);
        self.hit_if(sends, Cover::ak6_ack_while_sent);
        let put = |&(f, lti): &(usize, Lti)| f == flow && lti.valid;
        self.hit_if(self.lti_written.as_ref().is_some_and(put) && !sends, Cover::ak6_ack_behind_put);
        self.hit_if(u.old.acked == COUNT_MASK, Cover::ak6_acked_wraps);
        self.hit_if(!self.cfg.enable, Cover::ak6_disabled);
        self.hit_if(u.invalid, Cover::vr1_invalid);
        if let Some(a) = u.adjustment {
            self.cover_adjustment(u, &a);
        }
    }

    /// What an ACK made of window and delay.
    fn cover_adjustment(&mut self, u: &Update, a: &Adjustment) {
        let (flow, b) = (u.op.flow, self.cfg.bounds);
        let Held { window, x, slots } = a.before;
        self.hit(match a.severity {
            Severity::Clean => Cover::vr1_clean,
            Severity::Warm => Cover::vr1_warm,
            Severity::Hot => Cover::vr1_hot,
        });
        self.hit_if(b.moves && self.cfg.wmax == 0, Cover::ak6_wmax_0_dyn);
        let visited = [self.select.v2, self.select.v3].iter().flatten().any(|v| v.flow == flow);
        self.hit_if(visited, Cover::sr3_ack_between);
        let by_rate = matches!(b.law, Law::Rate(_));
        if bit(&self.adj, flow) {
            let made = u.old.made.0;
            self.hit_if(b.moves && made.window > b.widest, Cover::vr2_win_above);
            self.hit_if(b.law == Law::Slots && made.slots > b.steps, Cover::vr2_j_above);
            let other = !by_rate && made.x > FULL || b.law != Law::Slots && made.slots > 0;
            self.hit_if(other, Cover::vr2_other_resp);
            self.hit_if(by_rate && made.x > lowest(b.g), Cover::sr1_lowered);
        } else {
            self.hit(Cover::vr2_first);
        }
        let hot = a.severity == Severity::Hot;
        self.hit_if(a.severity == Severity::Warm && slots > 0, Cover::vr2_warm_with_slots);
        self.hit_if(a.severity == Severity::Warm && !b.moves, Cover::vr2_warm_static);
        match a.step {
            Step::EndsSlots => self.hit(Cover::vr2_clean_ends_slots),
            Step::Recovers => self.hit(Cover::vr2_clean_recovers),
            Step::Widens if window < b.widest => self.hit(Cover::vr2_clean_widens),
            Step::Widens => self.hit(Cover::vr2_clean_widest),
            Step::Narrows if hot => {
                self.hit(if window > 2 { Cover::vr2_hot_narrows } else { Cover::vr2_hot_to_1 });
            }
            Step::Narrows => {
                self.hit(if window > 1 { Cover::vr2_warm_narrows } else { Cover::vr2_warm_at_1 });
            }
            Step::MoreSlots if b.steps == 0 => self.hit(Cover::vr4_no_steps),
            Step::MoreSlots if slots == 0 => self.hit(Cover::vr2_hot_to_slots),
            Step::MoreSlots if slots < b.steps => self.hit(Cover::vr2_hot_more_slots),
            Step::MoreSlots => self.hit(Cover::vr2_hot_at_steps),
            Step::Slows => self.hit_if(b.moves, Cover::vr2_hot_slows),
            Step::Nothing => self.hit_if(hot, Cover::vr2_hot_nothing),
        }
        let Law::Rate(law) = b.law else { return };
        if a.step == Step::Slows {
            self.hit_if(law.slower(x) > lowest(b.g), Cover::sr1_at_most);
            self.hit(match law {
                Rate::Lipd => Cover::sr2_lipd_marked,
                Rate::Fimd => Cover::sr2_fimd_marked,
                Rate::Aimd => Cover::sr2_aimd_marked,
            });
        }
        if a.step == Step::Recovers {
            self.hit_if(x - FULL < law.gain(x, b.g), Cover::sr1_at_least);
            self.hit(match law {
                Rate::Lipd => Cover::sr2_lipd_recovered,
                Rate::Fimd => Cover::sr2_fimd_recovered,
                Rate::Aimd => Cover::sr2_aimd_recovered,
            });
            let (piece, part) = rate::piece(x, b.g);
            if law != Rate::Lipd {
                self.hit_if(piece == 0, Cover::sr2_first_piece);
                self.hit_if(piece == 64, Cover::sr2_last_entry);
                self.hit_if(part > 0, Cover::sr2_between);
            }
        }
    }
}
