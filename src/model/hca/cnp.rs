//! The CNP responder: section 3 of the page.

use std::collections::VecDeque;

use super::cover::Cover;
use super::state::{BAD_FLOW, Cnp, FLIT_WORDS, Hca, Made, Moved, Responder};
use crate::model::header::Marks;
use crate::params::Params;
use crate::scheme::packet::PacketKind;

impl Responder {
    pub(super) fn new(p: &Params) -> Responder {
        Responder {
            queues: vec![VecDeque::new(); p.vls],
            active: None,
            emitted: None,
            cnt_cnp: 0,
            cnt_lost: 0,
        }
    }

    /// The CNPs that are asking, and their lanes.
    pub(super) fn heads(&self) -> impl Iterator<Item = (usize, &Cnp)> {
        let most = if crate::model::faults::on(crate::model::faults::Fault::one_queue_of_notifications) { 1 } else { usize::MAX };
        self.queues.iter().enumerate().filter_map(|(vl, q)| q.front().map(|head| (vl, head))).take(most)
    }
}

/// The CNP.
pub(super) fn cnp_flit(cnp: &Cnp, lid: u32, words: usize) -> [u32; FLIT_WORDS] {
    let mut flit = [0; FLIT_WORDS];
    let header = Made {
        kind: PacketKind::Cnp,
        marks: Marks::BECN,
        vl: cnp.vl,
        sl: cnp.sl,
        dlid: cnp.dlid,
        slid: lid,
        n: 1,
        qp: 0,
        psn: 0,
    };
    header.write(&mut flit[..words]);
    flit
}

impl Hca {
    /// Section 8: what the mover does in a cycle with no post of the host.
    pub(super) fn judge_mover(&mut self, idle: bool, errors: &mut u32) -> Option<Moved> {
        if self.cfg.cnp_queued {
            let delayed =
                |f: usize| self.is_blocked(f) && self.injector.queues[f].front().is_some_and(|p| p.cnp);
            let delayed = (0..self.p.flows).any(delayed);
            self.hit_if(delayed, Cover::h2_queued_delayed);
        }
        let waits = self.cfg.cnp_queued && self.responder.queues.iter().any(|q| !q.is_empty());
        self.hit_if(waits && !idle, Cover::h2_queued_waits_for_post);
        if !waits || !idle {
            return None;
        }
        let vls = self.p.vls;
        let order = (0..vls).map(|n| (self.injector.mover + n) % vls);
        let vl = order.into_iter().find(|&v| !self.responder.queues[v].is_empty())?;
        self.injector.mover = (vl + 1) % vls;
        let dlid = self.responder.queues[vl].front()?.dlid;
        let to = self.flow_of(dlid);
        if to.is_none() {
            *errors |= BAD_FLOW;
            self.hit(Cover::h2_queued_no_flow);
        }
        let room = |f: &usize| {
            let queue = &self.injector.queues[*f];
            let cnps = queue.iter().filter(|p| p.cnp).count();
            cnps < self.p.advoq / 2 && queue.len() < self.p.advoq
        };
        let goes = to.filter(room);
        self.hit_if(to.is_some() && goes.is_none(), Cover::h2_queued_no_room);
        self.hit_if(goes.is_some(), Cover::h2_queued);
        Some(Moved { vl, to: goes })
    }

    /// One cycle: the output port's grant and rd_en, the CNP that the receiver asks for, and what the mover takes
    /// (section 8).
    pub(super) fn step_responder(&mut self, push: Option<Cnp>, moved: Option<Moved>) {
        let (out, vls) = (&self.send.out, self.p.vls);
        let rd_en = out[self.so.rd_en] != 0;
        let granted = (0..vls).find(|vl| out[self.so.grant + vls + vl] != 0);
        let asks = !self.cfg.cnp_queued;
        let waits = asks && self.responder.heads().any(|(vl, _)| granted != Some(vl));
        let fits = |vl: usize| self.send.unit.has_credit(vl);
        let starved = asks && self.responder.heads().any(|(vl, _)| !fits(vl));
        let may_go = asks && self.responder.heads().any(|(vl, _)| fits(vl));
        let data_asks = self.port.out[self.po.req_valid..][..vls].iter().any(|&r| r != 0);
        let data_sent = self.port.out[self.po.xb_act] != 0;
        let data_granted =
            (0..vls).any(|vl| out[self.so.grant + vl] != 0 && self.port.out[self.po.req_cnp + vl] == 0);
        let turns = self.send.unit.cnp_plain();
        self.hit_if(granted.is_some() && data_asks && !turns, Cover::h2_cnp_ahead_of_data);
        self.hit_if(data_granted && may_go && turns, Cover::h2_plain_turn);
        self.hit_if(waits && data_sent, Cover::h2_cnp_waits);
        self.hit_if(starved, Cover::h2_cnp_lacks_credit);
        self.hit_if(starved && granted.is_some(), Cover::h2_cnp_of_another_lane);
        self.hit_if(data_granted && may_go, Cover::h2_data_between_cnps);

        let full = push.is_some_and(|cnp| self.responder.queues[cnp.vl].len() == self.p.cnpq);
        let emits = self.responder.active.filter(|_| rd_en);
        self.responder.emitted = emits.map(|cnp| cnp_flit(&cnp, self.cfg.lid, self.flit_words));
        if emits.is_some() {
            self.responder.active = None;
        }
        if let Some(vl) = granted {
            self.hit_if(emits.is_some(), Cover::h2_cnps_back_to_back);
            self.hit_if(push.is_some_and(|cnp| cnp.vl == vl) && !full, Cover::h2_push_and_pop);
            self.responder.active = self.responder.queues[vl].pop_front();
        }
        if let Some(moved) = moved {
            let r = &mut self.responder;
            r.queues[moved.vl].pop_front();
            r.cnt_lost = (r.cnt_lost + u32::from(moved.to.is_none())).min(0xffff);
        }
        if let Some(cnp) = push {
            let r = &mut self.responder;
            if full {
                r.cnt_lost = (r.cnt_lost + 1).min(0xffff);
                let others = r.queues.iter().any(|q| q.len() < self.p.cnpq);
                self.hit(Cover::h2_cnp_lost);
                self.hit_if(self.cfg.becn_per > 0, Cover::h2_seen_lost);
                self.hit_if(others, Cover::h2_cnp_lost_on_one_lane);
            } else {
                r.queues[cnp.vl].push_back(cnp);
                r.cnt_cnp = self.p.cnt_max().min(r.cnt_cnp.saturating_add(1));
                self.hit(Cover::h2_cnp_queued);
            }
        }
    }
}
