//! Selection and ageing (rules H5, H6, H8): sections 3 and 4 of the page.

use super::{BAD_LEN, Cover, HcaThrottle};
use crate::model::util::round_robin;

/// Last injection of an entity.
#[derive(Clone, Copy, Default)]
pub(super) struct Lti {
    pub(super) valid: bool,
    /// The cycle in which its last flit left, or will leave.
    pub(super) at: u32,
    pub(super) len: u32,
}

/// A visit between V0 and V1.
#[derive(Clone, Copy)]
struct Picked {
    flow: usize,
    sl: usize,
}

/// A visit between V1 and V2, with the RAM contents of its V1 cycle.
#[derive(Clone, Copy)]
struct Looked {
    flow: usize,
    sl: usize,
    entity: usize,
    ccti: u32,
    seen: u32,
    lti: Lti,
}

/// A visit between V2 and V3.
#[derive(Clone, Copy)]
struct Delayed {
    flow: usize,
    sl: usize,
    entity: usize,
    lti: Lti,
    entry: u32,
}

/// The flow that may inject.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub(super) flow: usize,
    pub(super) sl: usize,
    entity: usize,
}

/// Registers of the visit pipeline. State OFFER is `offer`, state SCAN its absence.
#[derive(Default)]
pub(super) struct Select {
    pub(super) pointer: usize,
    v1: Option<Picked>,
    v2: Option<Looked>,
    v3: Option<Delayed>,
    pub(super) offer: Option<Offer>,
}

/// Registers of ageing.
#[derive(Default)]
pub(super) struct Ageing {
    pointer: usize,
    /// The entity read in the last cycle (stage A0), unless an offer was accepted in it.
    a1: Option<(usize, Lti)>,
}

impl HcaThrottle {
    /// *want*: the flow has a packet and no stopped CAM line matches it.
    fn wants(&self, input: &[u32], flow: usize) -> bool {
        self.want_word(input, flow / 32) >> (flow % 32) & 1 != 0
    }

    fn want_word(&self, input: &[u32], word: usize) -> u32 {
        let flows_here = (self.flows - 32 * word).min(32);
        input[self.i.req + word] & !input[self.i.stop + word] & (u32::MAX >> (32 - flows_here))
    }

    fn sl_ok(&self, input: &[u32], sl: usize) -> bool {
        input[self.i.sl_ok] >> sl & 1 != 0
    }

    /// H6: the delay after a packet of `len` flits, from a CCT entry.
    fn ird(&self, entry: u32, len: u32) -> u32 {
        let t = len * self.cfg.link_interval;
        let ird = if self.cfg.cct_abs { entry } else { (t >> (entry >> 14)) * (entry & 0x3fff) };
        ird.min(self.ird_max())
    }

    /// One cycle of SCAN or OFFER. Returns the LTI write of an accepted offer.
    pub(super) fn step_select(&mut self, input: &[u32], errors: &mut u32) -> Option<(usize, Lti)> {
        if let Some(offer) = self.select.offer {
            return self.step_offer(input, offer, errors);
        }
        // V3: verdict.
        if let Some(v) = self.select.v3
            && self.eligible(input, &v)
        {
            let younger = self.select.v1.is_some() || self.select.v2.is_some();
            self.hit_if(younger, Cover::h8_younger_discarded);
            let offer = Some(Offer { flow: v.flow, sl: v.sl, entity: v.entity });
            self.select = Select { pointer: (v.flow + 1) % self.flows, offer, ..Select::default() };
            return None;
        }
        // V2: CCT read.
        self.select.v3 = self.select.v2.map(|v| {
            let Looked { flow, sl, entity, lti, .. } = v;
            let index = self.caught_up(v.ccti, v.seen, sl).min(self.limit());
            Delayed { flow, sl, entity, lti, entry: self.cct[index as usize] }
        });
        // V1: entity and LTI reads.
        self.select.v2 = self.select.v1.map(|Picked { flow, sl }| {
            let entity = if self.cfg.sl_mode { sl } else { flow };
            let (ent, lti) = (self.ent[entity], self.lti[entity]);
            Looked { flow, sl, entity, ccti: ent.ccti, seen: ent.seen, lti }
        });
        // V0: pick (H8) and attribute read.
        let pointer = self.select.pointer;
        let pick = round_robin(self.flows.div_ceil(32), pointer, |w| self.want_word(input, w));
        self.select.v1 = pick.map(|flow| Picked { flow, sl: self.attr[flow] });
        match pick {
            Some(flow) => {
                self.hit_if(flow < pointer, Cover::h8_rr_wraps);
                self.select.pointer = (flow + 1) % self.flows;
            }
            None => self.hit(Cover::h8_nothing_wanted),
        }
        None
    }

    /// H5: whether a visited flow may inject in this cycle.
    fn eligible(&mut self, input: &[u32], v: &Delayed) -> bool {
        let ird = self.ird(v.entry, v.lti.len);
        let elapsed = self.elapsed(v.lti.at);
        let rested = elapsed > ird as i32;
        let may = self.sl_ok(input, v.sl) && self.wants(input, v.flow);
        let eligible = may && (!self.cfg.enable || !v.lti.valid || ird == 0 || rested);

        self.hit_if(!self.sl_ok(input, v.sl), Cover::h5_no_credit);
        self.hit_if(!self.wants(input, v.flow), Cover::h5_stopped_while_visited);
        if may {
            self.hit_if(!self.cfg.enable, Cover::h5_disabled);
            self.hit_if(self.cfg.enable && !v.lti.valid, Cover::h5_never_injected);
        }
        if may && self.cfg.enable && v.lti.valid {
            let (t, shift, factor) =
                (v.lti.len * self.cfg.link_interval, v.entry >> 14, u64::from(v.entry & 0x3fff));
            let raw = if self.cfg.cct_abs { u64::from(v.entry) } else { u64::from(t >> shift) * factor };
            self.hit_if(raw > u64::from(self.ird_max()), Cover::h6_ird_saturated);
            self.hit_if(!self.cfg.cct_abs && factor > 0 && t >> shift == 0, Cover::h6_shift_truncates_to_0);
            self.hit_if(!self.cfg.cct_abs && ird > 0 && shift > 0, Cover::h6_shift_and_multiply);
            self.hit_if(!self.cfg.cct_abs && ird > 0 && shift == 0, Cover::h6_multiply);
            self.hit_if(self.cfg.cct_abs && ird > 0, Cover::h6_absolute);
            self.hit_if(ird == 0, Cover::h5_ird_0);
            self.hit_if(ird > 0 && self.cfg.sl_mode, Cover::h7_delay_per_sl);
            self.hit_if(ird > 0 && !rested, Cover::h5_too_early);
            self.hit_if(ird > 0 && elapsed < 0, Cover::h5_still_leaving);
            self.hit_if(ird > 0 && elapsed == ird as i32, Cover::h5_refused_at_ird);
            self.hit_if(ird > 0 && elapsed == ird as i32 + 1, Cover::h5_eligible_at_ird_plus_1);
            self.hit_if(ird > 0 && rested && self.now < v.lti.at, Cover::h5_time_wrapped);
        }
        eligible
    }

    /// State OFFER.
    fn step_offer(&mut self, input: &[u32], offer: Offer, errors: &mut u32) -> Option<(usize, Lti)> {
        let (want, sl_ok) = (self.wants(input, offer.flow), self.sl_ok(input, offer.sl));
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
        self.hit(Cover::h8_offer_accepted);
        self.hit_if(!want || !sl_ok, Cover::h8_offer_accepted_at_stop);
        let mut len = input[self.i.inj_len] & 0x7f;
        if len == 0 {
            *errors |= BAD_LEN;
            self.hit(Cover::h6_bad_len);
            len = 1;
        }
        let time = len * self.cfg.link_interval;
        self.hit_if(time > self.ird_max(), Cover::h5_packet_time_saturated);
        let at = self.now.wrapping_add(time.min(self.ird_max())) & self.time_mask();
        Some((offer.entity, Lti { valid: true, at, len }))
    }

    /// H5: forgets injections that are too long ago to compare. Returns the LTI write.
    pub(super) fn step_ageing(&mut self, accepted: bool) -> Option<(usize, Lti)> {
        let old = self.ageing.a1.filter(|(_, lti)| lti.valid && self.elapsed(lti.at) > self.ird_max() as i32);
        self.hit_if(accepted && old.is_some(), Cover::h5_ageing_skipped);
        let cleared = old.filter(|_| !accepted).map(|(entity, _)| (entity, Lti::default()));
        self.hit_if(cleared.is_some(), Cover::h5_aged);

        let entity = self.ageing.pointer;
        self.ageing.a1 = (!accepted).then(|| (entity, self.lti[entity]));
        self.ageing.pointer = (entity + 1) % self.entities;
        cleared
    }
}
