//! Selection (rules H5, H7, H8, AK6, SR3, VR3), last transmission and ageing (H5, H6): sections 3 to 5 of the page.

use super::cover::Cover;
use super::state::{BAD_LEN, COUNT_MASK, Lti, Select, Sending, SourceResponse, Visit, Word};
use crate::model::stamps::Look;
use crate::model::turns::{AHEAD, Pick, Turns};
use crate::model::util::{bit, round_robin, set_bit};
use crate::params::Params;
use crate::scheme::rate::{FULL, lowest, pause};
use crate::scheme::window::Law;

/// SR3, VR3: what a flow waits for.
#[derive(Clone, Copy)]
struct Delay {
    /// Before it is limited.
    raw: u64,
    gap: i64,
    /// It counts from the last ACK, and not from the last packet.
    from_ack: bool,
    /// It counts from a packet that is being sent.
    leaving: bool,
    /// Cycles since that time; `None`: it never was, or long ago.
    since: Option<i64>,
}

impl Delay {
    /// It is over in `ahead` cycles.
    fn is_over(&self, ahead: i64) -> bool {
        self.gap == 0 || !self.leaving && self.since.is_none_or(|since| since + ahead > self.gap)
    }
}

impl Select {
    pub(super) fn new(p: &Params) -> Select {
        Select {
            turns: Turns::new(p),
            walk: 0,
            blocked: vec![0; p.flows.div_ceil(32)],
            v1: None,
            v2: None,
            v3: None,
            offer: None,
            sending: None,
        }
    }

    fn picking(&self) -> bool {
        [self.v1, self.v2, self.v3].iter().flatten().any(|v| v.pick.is_some())
    }
}

impl SourceResponse {
    /// *want*: the flow has a packet and no stopped CAM line matches it.
    fn wants(&self, input: &[u32], flow: usize) -> bool {
        bit(&input[self.i.req..], flow) && !bit(&input[self.i.stop..], flow)
    }

    fn sl_ok(&self, input: &[u32], sl: usize) -> bool {
        input[self.i.sl_ok] >> sl & 1 != 0
    }

    /// *cand*.
    fn is_candidate(&self, input: &[u32], flow: usize) -> bool {
        self.wants(input, flow)
            && self.sl_ok(input, self.attr[flow])
            && !(self.cfg.enable && bit(&self.select.blocked, flow))
    }

    /// V0, H8: lane, SL and flow whose turn it is among the candidates.
    fn pick(&mut self, input: &[u32]) -> Option<Pick> {
        let candidates: Vec<usize> = (0..self.flows).filter(|&f| self.is_candidate(input, f)).collect();
        let (pick, met) = self.select.turns.pick(&candidates, &self.attr)?;
        let blocked = self.cfg.enable && self.select.blocked.iter().any(|&w| w != 0);
        self.hit_if(met.yields, Cover::h8_yields);
        self.hit_if(met.all_went, Cover::h8_all_went);
        self.hit_if(met.yields_in_lane, Cover::h8_yields_in_lane);
        self.hit_if(met.lanes_compete, Cover::h8_lanes_compete);
        self.hit_if(met.sls_compete, Cover::h8_sls_compete);
        self.hit_if(met.wraps, Cover::h8_rr_wraps);
        self.hit_if(blocked, Cover::h8_pick_beside_blocked);
        Some(pick)
    }

    /// V0: the blocked flow that is walked to.
    fn walk(&mut self) -> Option<usize> {
        let blocked = &self.select.blocked;
        let flow = round_robin(blocked.len(), self.select.walk, |w| blocked[w])?;
        self.hit_if(flow < self.select.walk, Cover::h8_walk_wraps);
        self.select.walk = (flow + 1) % self.flows;
        Some(flow)
    }

    /// V0: a pick, a walk or a bubble.
    fn visit(&mut self, input: &[u32]) -> Option<Visit> {
        let scan = self.select.offer.is_none();
        let pick = if scan && !self.select.picking() { self.pick(input) } else { None };
        let flow = match pick {
            Some(pick) => Some(pick.flow),
            None => {
                let flow = if self.cfg.enable { self.walk() } else { None };
                match flow {
                    None => self.hit(Cover::h8_nothing_wanted),
                    Some(_) => self.hit_if(!scan, Cover::h8_walk_during_offer),
                }
                flow
            }
        };
        flow.map(|flow| Visit { flow, pick, word: Word::default(), adjusted: false, entry: 0 })
    }

    /// SR3, VR3: the delay of a visited flow.
    fn delay(&self, v: &Visit, x: u64) -> Delay {
        let sending = self.select.sending.filter(|s| s.flow == v.flow);
        let lti = self.lti[v.flow];
        let (raw, from_ack) = match self.cfg.bounds.law {
            Law::None => (0, true),
            Law::Slots => (u64::from(v.entry), true),
            Law::Rate(_) => {
                let len = sending.map_or(lti.len, |s| s.len);
                let time = if self.cfg.by_rtt { self.cfg.rtt_min } else { len * self.cfg.link_interval };
                (pause(x, time), self.cfg.from_ack)
            }
        };
        let last = if from_ack { v.word.last_ack } else { lti.valid.then_some(lti.at) };
        Delay {
            raw,
            gap: raw.min(self.time.longest().into()) as i64,
            from_ack,
            leaving: !from_ack && sending.is_some(),
            since: last.map(|at| self.time.since(at).into()),
        }
    }

    /// V3: what becomes of a visit.
    fn judge(&mut self, input: &[u32], v: &Visit) {
        let held = self.held(&v.word, v.adjusted);
        let delay = self.delay(v, held.x);
        let outstanding = self.taken(v.flow).wrapping_sub(v.word.acked) & COUNT_MASK;
        let open = self.cfg.wmax == 0 || outstanding < held.window;
        let pass = !self.cfg.enable || open && delay.is_over(0);
        let soon = pass || open && delay.is_over(AHEAD);
        if self.cfg.enable {
            self.cover_delay(v, &delay);
            let above = self.cfg.wmax > 0 && outstanding > self.cfg.wmax;
            self.hit_if(above, Cover::ak6_wmax_below);
        } else {
            self.hit(Cover::h5_disabled);
        }
        let Some(pick) = v.pick else {
            if self.cfg.enable {
                self.hit_if(!open, Cover::ak6_walk_closed);
                self.cover_walk(open, &delay);
            }
            self.hit_if(soon && bit(&self.select.blocked, v.flow), Cover::h8_freed);
            if soon {
                set_bit(&mut self.select.blocked, v.flow, false);
            }
            return;
        };
        let (credit, wanted) = (self.sl_ok(input, pick.sl), self.wants(input, pick.flow));
        self.hit_if(!credit, Cover::h5_no_credit);
        self.hit_if(!wanted, Cover::h5_stopped_while_visited);
        let eligible = pass && credit && wanted;
        if eligible {
            self.select.offer = Some(pick);
        } else {
            set_bit(&mut self.select.blocked, v.flow, true);
            self.hit_if(!pass, Cover::h8_blocked);
            self.hit_if(!self.cfg.enable, Cover::h8_blocked_disabled);
        }
        if self.cfg.enable {
            self.hit_if(!open, Cover::ak6_closed);
            self.hit_if(pass && self.cfg.wmax == 0 && outstanding > 0, Cover::ak6_no_window);
            let last = eligible && self.cfg.wmax > 0 && held.window > 1;
            self.hit_if(last && outstanding + 1 == held.window, Cover::ak6_last_place);
            let late = open && credit && wanted && !pass;
            self.cover_pick(pass, late, v.flow, held.x, &delay);
        }
    }

    /// What a visit finds of a delay, with enable = 1.
    fn cover_delay(&mut self, v: &Visit, d: &Delay) {
        let capped = d.raw > self.time.longest().into();
        let by_rate = matches!(self.cfg.bounds.law, Law::Rate(_));
        if self.cfg.bounds.law == Law::Slots {
            self.hit_if(capped, Cover::vr3_capped);
        }
        if by_rate {
            self.hit_if(capped, Cover::sr3_capped);
            self.hit_if(d.gap > 0 && self.cfg.by_rtt, Cover::sr3_rtt);
            let lowered = v.adjusted && v.word.made.0.x > lowest(self.cfg.bounds.g);
            self.hit_if(lowered, Cover::sr1_lowered);
        }
        if d.from_ack {
            return;
        }
        let waits = d.gap > 0;
        self.hit_if(waits && d.leaving, Cover::h5_being_sent);
        self.hit_if(!d.leaving && d.since.is_none(), Cover::h5_never_injected);
        if let Some(since) = d.since.filter(|_| waits && !d.leaving) {
            self.hit_if(since < 0, Cover::h5_still_leaving);
            let at = self.lti[v.flow].at;
            self.hit_if(d.is_over(0) && self.time.now < at, Cover::h5_time_wrapped);
        }
    }

    /// What a walk finds, with enable = 1.
    fn cover_walk(&mut self, open: bool, d: &Delay) {
        if let Some(since) = d.since.filter(|_| open && d.gap > 0 && !d.leaving) {
            self.hit_if(since + AHEAD == d.gap, Cover::h8_walk_too_early);
            self.hit_if(since + AHEAD == d.gap + 1, Cover::h8_walk_just_in_time);
        }
    }

    /// What a pick finds of a delay, with enable = 1; `late`: the delay alone holds the flow.
    fn cover_pick(&mut self, pass: bool, late: bool, flow: usize, x: u64, d: &Delay) {
        let by_rate = matches!(self.cfg.bounds.law, Law::Rate(_));
        if by_rate {
            self.hit_if(late, Cover::sr3_too_early);
            self.hit_if(pass && x > FULL && d.gap == 0, Cover::sr3_gap_0);
        }
        if d.gap == 0 {
            return;
        }
        match (d.from_ack, d.since) {
            (true, Some(since)) => {
                self.hit_if(since == d.gap, Cover::vr3_refused_at_gap);
                self.hit_if(since == d.gap + 1, Cover::vr3_eligible_at_gap_plus_1);
                if by_rate {
                    self.hit_if(pass, Cover::sr3_from_ack);
                    self.hit_if(pass && self.is_sending(flow), Cover::sr3_from_ack_while_sent);
                } else {
                    self.hit(if d.is_over(0) { Cover::vr3_over } else { Cover::vr3_too_early });
                }
            }
            (true, None) => self.hit_if(pass, Cover::vr3_forgotten),
            (false, _) if d.leaving => {}
            (false, Some(since)) => {
                self.hit_if(since == d.gap, Cover::sr3_refused_at_gap);
                self.hit_if(since == d.gap + 1, Cover::sr3_eligible_at_gap_plus_1);
            }
            (false, None) => self.hit_if(pass, Cover::sr3_forgotten),
        }
    }

    /// The flow of which a packet is accepted in this cycle.
    pub(super) fn accepted(&self, input: &[u32]) -> Option<usize> {
        self.select.offer.filter(|_| input[self.i.inj_ready] & 1 != 0).map(|pick| pick.flow)
    }

    /// One cycle of OFFER. Returns the packet that is accepted.
    fn step_offer(&mut self, input: &[u32], pick: Pick, errors: &mut u32) -> Option<Sending> {
        let flow = pick.flow;
        let (want, sl_ok) = (self.wants(input, flow), self.sl_ok(input, pick.sl));
        if input[self.i.inj_ready] & 1 == 0 {
            if !want || !sl_ok {
                self.select.offer = None;
                self.hit_if(!want, Cover::h8_offer_withdrawn);
                self.hit_if(!sl_ok, Cover::h8_offer_lost_credit);
            } else {
                self.hit(Cover::h8_offer_waits);
            }
            return None;
        }
        self.select.offer = None;
        self.select.turns.serve(&pick);
        self.hit(Cover::h8_offer_accepted);
        self.hit_if(!want || !sl_ok, Cover::h8_offer_accepted_at_stop);
        let mut len = input[self.i.inj_len] & 0x7f;
        if len == 0 {
            *errors |= BAD_LEN;
            self.hit(Cover::h6_bad_len);
            len = 1;
        }
        let time = len * self.cfg.link_interval;
        self.hit_if(time > self.time.longest(), Cover::h5_packet_time_saturated);
        let taken = (self.taken(flow) + 1) & COUNT_MASK;
        self.hit_if(taken == 0, Cover::ak6_taken_wraps);
        let outstanding = self.taken(flow).wrapping_sub(self.rsp[flow].acked) & COUNT_MASK;
        let window = self.held(&self.rsp[flow], bit(&self.adj, flow)).window;
        let narrowed = self.cfg.windows_on() && outstanding >= window;
        self.hit_if(narrowed, Cover::ak6_narrowed_offer);
        Some(Sending { flow, len, left: time.min(self.time.longest()) - 1, taken })
    }

    /// Section 4. Returns the write to the LTI RAM.
    fn step_sending(&mut self, input: &[u32], accepted: Option<Sending>) -> Option<(usize, Lti)> {
        let sent = input[self.i.sent] & 1 != 0;
        let old = self.select.sending;
        let running = old.filter(|_| !sent).map(|s| Sending { left: s.left.saturating_sub(1), ..s });
        self.select.sending = accepted.or(running);
        self.hit_if(sent && old.is_none(), Cover::h5_sent_stray);
        let s = old.filter(|_| sent || accepted.is_some())?;
        if !sent {
            self.hit(Cover::h5_accepted_unsent);
        } else {
            self.hit(if s.left > 0 { Cover::h5_sent_early } else { Cover::h5_sent_late });
            self.hit_if(accepted.is_some(), Cover::h5_sent_and_accepted);
        }
        let at = self.time.later(s.left);
        Some((s.flow, Lti { valid: true, at, len: s.len, taken: s.taken }))
    }

    /// One cycle of selection. Returns the LTI write of a packet that was sent.
    pub(super) fn step_select(&mut self, input: &[u32], errors: &mut u32) -> Option<(usize, Lti)> {
        // V0, V1 and V2 read S(t), before anything changes.
        let v0 = self.visit(input);
        let v1 = self.select.v1.map(|v| {
            let (word, adjusted) = (self.rsp[v.flow], bit(&self.adj, v.flow));
            Visit { word, adjusted, ..v }
        });
        let v2 = self.select.v2.map(|v| {
            let step = self.held(&v.word, v.adjusted).slots;
            Visit { entry: self.waits[step as usize], ..v }
        });
        let offer = self.select.offer;
        if let Some(v) = self.select.v3 {
            self.judge(input, &v);
        }
        (self.select.v1, self.select.v2, self.select.v3) = (v0, v1, v2);
        let accepted = offer.and_then(|pick| self.step_offer(input, pick, errors));
        if let Some(Sending { flow, .. }) = accepted {
            set_bit(&mut self.out, flow, true);
        }
        self.step_sending(input, accepted)
    }

    /// H5: forgets transmissions that are too long ago to compare, but not how many there were; `sent`: section 4 writes in this
    /// cycle. Returns the LTI write.
    pub(super) fn step_ageing(&mut self, sent: bool) -> Option<(usize, Lti)> {
        let (flow, lti) = match self.ageing.step(&self.lti, sent) {
            Look::Reads => return None,
            Look::Again => {
                self.hit(Cover::h5_ageing_repeated);
                return None;
            }
            Look::At(flow, lti) => (flow, lti),
        };
        let old = lti.valid && self.time.is_long_ago(lti.at);
        self.hit_if(old, Cover::h5_aged);
        old.then(|| (flow, Lti { taken: lti.taken, ..Lti::default() }))
    }
}
