//! Replies, which are CNPs and ACKs: their FIFOs and their engine (section 3 of the page), and the mover (section 8).

use std::collections::VecDeque;

use super::cover::Cover;
use super::state::{Arrival, BAD_FLOW, End, FLIT_WORDS, Hca, Made, Moved, Replies, Reply};
use crate::model::header::Marks;
use crate::params::Params;
use crate::scheme::packet::PacketKind;

impl Replies {
    pub(super) fn new(p: &Params) -> Replies {
        Replies {
            queues: vec![VecDeque::new(); p.vls],
            owed: vec![false; p.vls],
            active: None,
            emitted: None,
            cnt_cnp: 0,
            cnt_cnp_lost: 0,
            cnt_ack: 0,
            cnt_ack_lost: 0,
        }
    }

    /// The first of each FIFO, and its lane.
    pub(super) fn heads(&self) -> impl Iterator<Item = (usize, &Reply)> {
        self.queues.iter().enumerate().filter_map(|(vl, q)| q.front().map(|head| (vl, head)))
    }
}

impl Reply {
    /// The flit that it is.
    pub(super) fn flit(&self, lid: u32, words: usize) -> [u32; FLIT_WORDS] {
        let mut flit = [0; FLIT_WORDS];
        let header = Made {
            kind: if self.ack { PacketKind::Ack } else { PacketKind::Cnp },
            marks: if self.ack { self.marks.returned() } else { Marks::BECN },
            vl: self.vl,
            sl: self.sl,
            dlid: self.dlid,
            slid: lid,
            n: 1,
            qp: 0,
            psn: self.psn,
        };
        header.write(&mut flit[..words]);
        flit
    }
}

impl Hca {
    /// AK4: data of the lane are asking, and an ACK took their credit.
    fn is_held_by_data(&self, vl: usize) -> bool {
        self.replies.owed[vl] && self.port.out[self.po.req_valid + vl] != 0
    }

    /// The heads that ask the output port, and their lanes: not a CNP that goes the way of section 8, not an ACK whose turn is that of
    /// data.
    pub(super) fn asking(&self) -> impl Iterator<Item = (usize, &Reply)> {
        self.replies.heads().filter(
            |&(vl, head)| {
                if head.ack { !self.is_held_by_data(vl) } else { !self.cfg.cnp_queued }
            },
        )
    }

    /// Section 8: what the mover does in a cycle with no post of the host.
    pub(super) fn judge_mover(&mut self, idle: bool, errors: &mut u32) -> Option<Moved> {
        if self.cfg.cnp_queued {
            let delayed =
                |f: usize| self.is_blocked(f) && self.injector.queues[f].front().is_some_and(|p| p.cnp);
            let delayed = (0..self.p.flows).any(delayed);
            self.hit_if(delayed, Cover::h2_queued_delayed);
        }
        let movable = |vl: usize| self.replies.queues[vl].front().is_some_and(|head| !head.ack);
        let vls = self.p.vls;
        let waits = self.cfg.cnp_queued && (0..vls).any(movable);
        let order = (0..vls).map(|n| (self.injector.mover + n) % vls);
        let first = order.into_iter().find(|&vl| movable(vl));
        self.hit_if(waits && !idle, Cover::h2_queued_waits_for_post);
        if !waits || !idle {
            return None;
        }
        let vl = first?;
        self.injector.mover = (vl + 1) % vls;
        let dlid = self.replies.queues[vl].front()?.dlid;
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

    /// One cycle: the output port's grant and rd_en, the reply that the receiver asks for, and what the mover takes (section 8).
    pub(super) fn step_replies(&mut self, input: &[u32], arrival: &Arrival, moved: Option<Moved>) {
        let (out, vls) = (&self.send.out, self.p.vls);
        let rd_en = out[self.so.rd_en] != 0;
        let granted = (0..vls).find(|vl| out[self.so.grant + vls + vl] != 0);
        let reply = granted.and_then(|vl| self.replies.queues[vl].front().copied());
        let popped = |vl: usize| granted == Some(vl) || moved.is_some_and(|m| m.vl == vl);
        self.cover_turns(input, granted, reply);
        if reply.is_some_and(|r| !r.ack) && self.cnp_queued_written() && !self.cfg.cnp_queued {
            self.hit(Cover::h2_queued_ignored);
        }
        if reply.is_some_and(|r| r.ack) && self.cfg.cnp_queued {
            self.hit(Cover::ak4_beside_moved);
            self.hit_if(moved.is_some(), Cover::ak4_moved_and_granted);
        }
        self.step_owed(granted, reply);

        let push = arrival.reply;
        // Of S(t), whatever leaves.
        let full = push.is_some_and(|r| self.replies.queues[r.vl].len() == self.p.cnpq);
        let emits = self.replies.active.filter(|_| rd_en);
        self.replies.emitted = emits.map(|r| r.flit(self.cfg.lid, self.flit_words));
        if let (Some(push), Some(lane)) = (push, self.p.control_lane()) {
            self.hit_if(arrival.packet.vl != lane, Cover::cl2_answer);
            self.hit_if(self.replies.queues[lane].iter().any(|r| r.sl != push.sl), Cover::cl2_one_fifo);
        }
        self.hit_if(emits.is_some_and(|r| r.ack && r.psn > 127), Cover::ak3_long_psn);
        if emits.is_some() {
            self.replies.active = None;
        }
        if let (Some(vl), Some(reply)) = (granted, reply) {
            if let Some(emitted) = emits {
                self.hit_if(!emitted.ack && !reply.ack, Cover::h2_cnps_back_to_back);
                self.hit_if(emitted.ack && reply.ack, Cover::ak4_back_to_back);
            }
            self.replies.active = self.replies.queues[vl].pop_front();
            let next = self.replies.queues[vl].front().map(|next| next.ack);
            self.hit_if(!reply.ack && next == Some(true), Cover::ak4_behind_cnp);
            self.hit_if(reply.ack && next == Some(false), Cover::ak4_before_cnp);
        }
        if let Some(moved) = moved {
            let r = &mut self.replies;
            r.queues[moved.vl].pop_front();
            r.cnt_cnp_lost = (r.cnt_cnp_lost + u32::from(moved.to.is_none())).min(0xffff);
        }
        let Some(push) = push else { return };
        let leaves = popped(push.vl);
        let r = &mut self.replies;
        if full {
            let lost = if push.ack { &mut r.cnt_ack_lost } else { &mut r.cnt_cnp_lost };
            *lost = (*lost + 1).min(0xffff);
            let others = r.queues.iter().enumerate().any(|(vl, q)| vl != push.vl && q.len() < self.p.cnpq);
            if push.ack {
                self.hit(Cover::ak4_lost);
                self.hit_if(leaves, Cover::ak4_lost_despite_pop);
                self.hit_if(others, Cover::ak4_lost_on_one_lane);
            } else {
                self.hit(Cover::h2_cnp_lost);
                self.hit_if(self.cfg.becn_per > 0, Cover::h2_seen_lost);
                self.hit_if(others, Cover::h2_cnp_lost_on_one_lane);
            }
            return;
        }
        r.queues[push.vl].push_back(push);
        let filled = r.queues[push.vl].len() == self.p.cnpq;
        let count = if push.ack { &mut r.cnt_ack } else { &mut r.cnt_cnp };
        *count = self.p.cnt_max().min(count.saturating_add(1));
        if push.ack {
            self.hit_if(leaves, Cover::ak4_push_and_pop);
            self.hit_if(filled, Cover::ak4_full);
            self.cover_answer(arrival, &push);
        } else {
            self.hit(Cover::h2_cnp_queued);
            self.hit_if(leaves, Cover::h2_push_and_pop);
            self.hit_if(self.cfg.cnp_src, Cover::h2_src_validated);
        }
    }

    /// AK4: whether the next grant of a lane is that of data.
    fn step_owed(&mut self, granted: Option<usize>, reply: Option<Reply>) {
        let vls = self.p.vls;
        if self.send.unit.cnp_plain() {
            self.replies.owed.fill(false);
            return;
        }
        if let Some(vl) = (0..vls).find(|vl| self.send.out[self.so.grant + vl] != 0) {
            self.replies.owed[vl] = false;
        }
        let Some(vl) = granted.filter(|_| reply.is_some_and(|r| r.ack)) else { return };
        let asks = self.port.out[self.po.req_valid + vl] != 0;
        if asks && !self.send.unit.has_credit_behind_a_flit(vl) {
            self.replies.owed[vl] = true;
            self.hit(Cover::ak4_owed);
        }
    }

    /// Cover: who has his turn in this cycle.
    fn cover_turns(&mut self, input: &[u32], granted: Option<usize>, reply: Option<Reply>) {
        if granted.is_none() && self.replies.queues.iter().all(VecDeque::is_empty) {
            return;
        }
        let vls = self.p.vls;
        let data_asks = self.port.out[self.po.req_valid..][..vls].iter().any(|&r| r != 0);
        let data_sent = self.port.out[self.po.xb_act] != 0;
        let data_granted = (0..vls)
            .any(|vl| self.send.out[self.so.grant + vl] != 0 && self.port.out[self.po.req_cnp + vl] == 0);
        let turns = self.send.unit.cnp_plain();
        let credit = (0..vls).fold(0u64, |all, vl| all | u64::from(self.send.unit.has_credit(vl)) << vl);
        let fits = |vl: usize| credit >> vl & 1 != 0;
        for ack in [false, true] {
            let [ahead, turn, waits_for_packet, lacks, of_another, between] = if ack {
                [
                    Cover::ak4_ahead_of_data,
                    Cover::ak4_plain_turn,
                    Cover::ak4_waits,
                    Cover::ak4_lacks_credit,
                    Cover::ak4_of_another_lane,
                    Cover::ak4_data_between,
                ]
            } else {
                [
                    Cover::h2_cnp_ahead_of_data,
                    Cover::h2_plain_turn,
                    Cover::h2_cnp_waits,
                    Cover::h2_cnp_lacks_credit,
                    Cover::h2_cnp_of_another_lane,
                    Cover::h2_data_between_cnps,
                ]
            };
            // (A CNP that goes the other way waits for the mover.)
            let mine = |head: &Reply| head.ack == ack && (ack || !self.cfg.cnp_queued);
            let heads = || self.replies.heads().filter(|(_, head)| mine(head));
            let waits = heads().any(|(vl, _)| granted != Some(vl));
            let starved = heads().any(|(vl, _)| !fits(vl));
            let another = granted.is_some_and(|g| heads().any(|(vl, _)| vl != g && !fits(vl)));
            let may_go = self.asking().any(|(vl, head)| head.ack == ack && fits(vl));
            let goes = reply.is_some_and(|r| r.ack == ack);
            self.hit_if(goes && data_asks && !turns, ahead);
            self.hit_if(data_granted && may_go && turns, turn);
            self.hit_if(data_granted && may_go, between);
            self.hit_if(waits && data_sent, waits_for_packet);
            self.hit_if(starved, lacks);
            self.hit_if(another, of_another);
        }
        let owed: Vec<usize> = self
            .replies
            .heads()
            .filter(|&(vl, h)| h.ack && self.replies.owed[vl])
            .map(|(vl, _)| vl)
            .collect();
        let held = owed.iter().any(|&vl| self.is_held_by_data(vl));
        let free = owed.iter().any(|&vl| !self.is_held_by_data(vl));
        self.hit_if(held, Cover::ak4_owed_holds);
        self.hit_if(free, Cover::ak4_owed_no_data);
        let any = self.replies.queues.iter().flatten().any(|r| r.ack);
        self.hit_if(any && input[self.i.link_up] & 1 == 0, Cover::ak4_link_down);
    }

    /// Cover: what an ACK that is queued answers.
    fn cover_answer(&mut self, arrival: &Arrival, ack: &Reply) {
        let packet = &arrival.packet;
        self.hit(match arrival.ended {
            Some(End::Whole) => Cover::ak3_ack,
            Some(End::Bad) => Cover::ak3_damaged,
            _ => Cover::ak3_not_whole,
        });
        let has = |mark| ack.marks.has(mark);
        self.hit_if(packet.m == 1, Cover::ak3_one_flit);
        self.hit_if(ack.marks == Marks::NONE, Cover::ak3_clean);
        self.hit_if(has(Marks::FECN), Cover::ak3_fecn);
        self.hit_if(has(Marks::MB) && !has(Marks::VB), Cover::ak3_mb);
        self.hit_if(has(Marks::MB | Marks::VB), Cover::ak3_vb);
        self.hit_if(packet.marks.has(Marks::BECN), Cover::ak3_becn);
        self.hit_if(!packet.acks, Cover::ak3_late);
    }
}
