//! Selection, last transmission and ageing (rules H5, H6, H8): sections 3 to 5 of the page.

use super::cover::Cover;
use super::state::{BAD_LEN, Entity, HcaThrottle, Lti, Offer, Select, Sending, Visit};
use crate::model::stamps::Look;
use crate::model::turns::{AHEAD, Pick, SLS, Turns};
use crate::model::util::{bit, round_robin, set_bit};
use crate::params::Params;
use crate::scheme::response::delay;

impl Select {
    pub(super) fn new(p: &Params) -> Select {
        Select {
            past: 0,
            last_class: 0,
            turns: Turns::new(p),
            walk: 0,
            blocked: vec![0; p.entities().div_ceil(32)],
            v1: None,
            v2: None,
            v3: None,
            offer: None,
            sending: None,
        }
    }

    pub(super) fn is_sending(&self) -> bool {
        self.sending.is_some()
    }

    fn picking(&self) -> bool {
        [self.v1, self.v2, self.v3].iter().flatten().any(|v| v.pick.is_some())
    }

    fn is_blocked(&self, entity: usize) -> bool {
        bit(&self.blocked, entity)
    }

    fn block(&mut self, entity: usize, on: bool) {
        set_bit(&mut self.blocked, entity, on);
    }
}

impl HcaThrottle {
    /// *want*: the flow has a packet and no stopped CAM line matches it.
    fn wants(&self, input: &[u32], flow: usize) -> bool {
        bit(&input[self.i.req..], flow) && !bit(&input[self.i.stop..], flow)
    }

    fn sl_ok(&self, input: &[u32], sl: usize) -> bool {
        input[self.i.sl_ok] >> sl & 1 != 0
    }

    fn entity_of(&self, flow: usize) -> usize {
        if self.cfg.sl_mode { self.attr[flow] } else { flow }
    }

    /// `blocked`: the flows that wait for their delay.
    pub(super) fn show_blocked(&self, out: &mut [u32]) {
        let blocked = &self.select.blocked;
        if !self.cfg.enable || blocked.iter().all(|b| *b == 0) {
            return;
        }
        for flow in (0..self.flows).filter(|&f| self.select.is_blocked(self.entity_of(f))) {
            set_bit(out, flow, true);
        }
    }

    /// *cand*.
    fn is_candidate(&self, input: &[u32], flow: usize) -> bool {
        self.wants(input, flow)
            && self.sl_ok(input, self.attr[flow])
            && !(self.cfg.enable
                && !crate::model::faults::on(crate::model::faults::Fault::blocked_flows_are_visited)
                && self.select.is_blocked(self.entity_of(flow)))
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

    /// V0: the blocked entity that is walked to.
    fn walk(&mut self) -> Option<usize> {
        let n = if self.cfg.sl_mode { SLS } else { self.flows };
        let pointer = self.select.walk;
        self.hit_if(pointer >= n, Cover::h8_walk_pointer_beyond);
        let from = if pointer < n { pointer } else { 0 };
        let word = |w: usize| {
            let here = n.saturating_sub(32 * w).min(32);
            if here == 0 { 0 } else { self.select.blocked[w] & u32::MAX >> (32 - here) }
        };
        let entity = round_robin(n.div_ceil(32), from, word)?;
        self.hit_if(entity < from, Cover::h8_walk_wraps);
        self.select.walk = (entity + 1) % n;
        Some(entity)
    }

    /// V0: a pick, a walk or a bubble.
    fn visit(&mut self, input: &[u32]) -> Option<Visit> {
        let scan = self.select.offer.is_none();
        let pick = if scan && !self.select.picking() { self.pick(input) } else { None };
        if let Some(pick) = pick {
            let entity = self.entity_of(pick.flow);
            self.select.last_class = pick.class;
            return Some(Visit { entity, pick: Some(pick), ent: Entity::default(), entry: 0 });
        }
        let entity = if self.cfg.enable { self.walk() } else { None };
        match entity {
            None => self.hit(Cover::h8_nothing_wanted),
            Some(_) => self.hit_if(!scan, Cover::h8_walk_during_offer),
        }
        if entity.is_some() && crate::model::faults::on(crate::model::faults::Fault::pointer_moves_without_acceptance) {
            self.select.turns.drag(self.select.last_class);
        }
        entity.map(|entity| Visit { entity, pick: None, ent: Entity::default(), entry: 0 })
    }

    /// H6: the delay after a packet of `len` flits, from a CCT entry.
    fn ird(&self, entry: u32, len: u32) -> u32 {
        let t = len * self.cfg.link_interval;
        delay(entry, t, self.cfg.cct_abs).min(self.time.longest())
    }

    /// H5, V3: *pass*, and whether a pick that is made now would pass.
    fn passes(&mut self, v: &Visit) -> (bool, bool) {
        let lti = self.lti[v.entity];
        let sending = self.select.sending.filter(|s| s.entity == v.entity);
        let len = sending.map_or(lti.len, |s| s.len);
        let ird = self.ird(v.entry, len);
        let (elapsed, wanted) = (i64::from(self.time.since(lti.at)), i64::from(ird));
        let sent = sending.is_none();
        let rested = sent && (!lti.valid || elapsed > wanted);
        let pass = !self.cfg.enable || ird == 0 || rested;
        let soon = pass || sent && elapsed + AHEAD > wanted;

        self.hit_if(!self.cfg.enable, Cover::h5_disabled);
        if !self.cfg.enable {
            return (pass, soon);
        }
        if !sent {
            self.hit(if ird > 0 { Cover::h5_being_sent } else { Cover::h5_ird_0_being_sent });
        } else if !lti.valid {
            self.hit(Cover::h5_never_injected);
        }
        if !sent || lti.valid {
            let (t, shift, factor) = (len * self.cfg.link_interval, v.entry >> 14, v.entry & 0x3fff);
            let raw = delay(v.entry, t, self.cfg.cct_abs);
            self.hit_if(raw > self.time.longest(), Cover::h6_ird_saturated);
            self.hit_if(!self.cfg.cct_abs && factor > 0 && t >> shift == 0, Cover::h6_shift_truncates_to_0);
            self.hit_if(!self.cfg.cct_abs && ird > 0 && shift > 0, Cover::h6_shift_and_multiply);
            self.hit_if(!self.cfg.cct_abs && ird > 0 && shift == 0, Cover::h6_multiply);
            self.hit_if(self.cfg.cct_abs && ird > 0, Cover::h6_absolute);
            self.hit_if(ird == 0, Cover::h5_ird_0);
            self.hit_if(ird > 0 && self.cfg.sl_mode, Cover::h7_delay_per_sl);
        }
        if sent && lti.valid && ird > 0 {
            self.hit_if(!rested, Cover::h5_too_early);
            self.hit_if(elapsed < 0, Cover::h5_still_leaving);
            self.hit_if(rested && self.time.now < lti.at, Cover::h5_time_wrapped);
            if v.pick.is_some() {
                self.hit_if(elapsed == wanted, Cover::h5_refused_at_ird);
                self.hit_if(elapsed == wanted + 1, Cover::h5_eligible_at_ird_plus_1);
            } else {
                self.hit_if(elapsed + AHEAD == wanted, Cover::h8_walk_too_early);
                self.hit_if(elapsed + AHEAD == wanted + 1, Cover::h8_walk_just_in_time);
            }
        }
        (pass, soon)
    }

    /// V3: what becomes of a visit.
    fn judge(&mut self, input: &[u32], v: &Visit) {
        let (pass, soon) = self.passes(v);
        let Some(pick) = v.pick else {
            self.hit_if(soon && self.select.is_blocked(v.entity), Cover::h8_freed);
            if soon {
                self.select.block(v.entity, false);
            }
            return;
        };
        let (credit, wanted) = (self.sl_ok(input, pick.sl), self.wants(input, pick.flow));
        self.hit_if(!credit, Cover::h5_no_credit);
        self.hit_if(!wanted, Cover::h5_stopped_while_visited);
        if pass && credit && wanted {
            self.select.offer = Some(Offer { pick, entity: v.entity });
        } else {
            self.select.block(v.entity, true);
            self.hit_if(!pass, Cover::h8_blocked);
            self.hit_if(!self.cfg.enable, Cover::h8_blocked_disabled);
        }
    }

    /// One cycle of SCAN or OFFER. Returns the packet that is accepted.
    fn step_offer(&mut self, input: &[u32], offer: Offer, errors: &mut u32) -> Option<Sending> {
        let Offer { pick, entity } = offer;
        let (want, sl_ok) = (self.wants(input, pick.flow), self.sl_ok(input, pick.sl));
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
        Some(Sending { entity, len, left: time.min(self.time.longest()) - 1 })
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
        Some((s.entity, Lti { valid: true, at, len: s.len }))
    }

    /// The selection as it was: a pointer over all flows, which every visit moves.
    fn visit_as_in_the_past(&mut self, input: &[u32], errors: &mut u32) -> Option<Sending> {
        if let Some(offer) = self.select.offer {
            return self.step_offer(input, offer, errors);
        }
        if let Some(v) = self.select.v3
            && let Some(pick) = v.pick
        {
            let (pass, _) = self.passes(&v);
            if pass && self.sl_ok(input, pick.sl) && self.wants(input, pick.flow) {
                self.select.past = (pick.flow + 1) % self.flows;
                self.select.offer = Some(Offer { pick, entity: v.entity });
                (self.select.v1, self.select.v2, self.select.v3) = (None, None, None);
                return None;
            }
        }
        self.select.v3 = self.select.v2.map(|v| {
            let index = self.caught_up(&v.ent).min(self.limit());
            Visit { entry: self.cct[index as usize], ..v }
        });
        self.select.v2 = self.select.v1.map(|v| Visit { ent: self.ent[v.entity], ..v });
        let pointer = self.select.past;
        let flow = (pointer..self.flows).chain(0..pointer).find(|&f| self.wants(input, f));
        self.select.v1 = flow.map(|flow| {
            self.select.past = (flow + 1) % self.flows;
            let sl = self.attr[flow];
            let class = if self.vl_by_dest { flow % self.p.vls } else { sl };
            let lane = class % self.p.vls;
            let pick = Pick { flow, sl, lane, class };
            Visit { entity: self.entity_of(flow), pick: Some(pick), ent: Entity::default(), entry: 0 }
        });
        None
    }

    /// One cycle of selection. Returns the LTI write of a packet that was sent.
    pub(super) fn step_select(&mut self, input: &[u32], errors: &mut u32) -> Option<(usize, Lti)> {
        if crate::model::faults::on(crate::model::faults::Fault::visit_pointer) {
            let accepted = self.visit_as_in_the_past(input, errors);
            return self.step_sending(input, accepted);
        }
        // V0, V1 and V2 read S(t), before anything changes.
        let v0 = self.visit(input);
        let v1 = self.select.v1.map(|v| Visit { ent: self.ent[v.entity], ..v });
        let v2 = self.select.v2.map(|v| {
            let index = self.caught_up(&v.ent).min(self.limit());
            Visit { entry: self.cct[index as usize], ..v }
        });
        let offer = self.select.offer;
        if let Some(v) = self.select.v3 {
            self.judge(input, &v);
        }
        (self.select.v1, self.select.v2, self.select.v3) = (v0, v1, v2);
        let accepted = offer.and_then(|offer| self.step_offer(input, offer, errors));
        self.step_sending(input, accepted)
    }

    /// H5: forgets transmissions that are too long ago to compare; `sent`: section 4 writes in this cycle. Returns the LTI
    /// write.
    pub(super) fn step_ageing(&mut self, sent: bool) -> Option<(usize, Lti)> {
        let (entity, lti) = match self.ageing.step(&self.lti, sent) {
            Look::Reads => return None,
            Look::Again => {
                self.hit(Cover::h5_ageing_repeated);
                return None;
            }
            Look::At(entity, lti) => (entity, lti),
        };
        let old = lti.valid && self.time.is_long_ago(lti.at);
        self.hit_if(old, Cover::h5_aged);
        old.then(|| (entity, Lti::default()))
    }
}
