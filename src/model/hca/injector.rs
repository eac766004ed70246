//! Generation queues and injector: sections 1 and 2 of the page.

use std::collections::VecDeque;

use super::cover::Cover;
use super::reserve::write_reserved;
use super::state::{
    BAD_GEN, CREDIT_MASK, FLIT_WORDS, GEN_FULL, Hca, Injected, Injector, Made, Moved, Post, Reply, Sending,
    Taken, WINDOW,
};
use crate::model::header::{Bth, Header, Marks};
use crate::model::util::bit;
use crate::params::Params;
use crate::scheme::organisation::vl_of_sl;
use crate::scheme::packet::PacketKind;

impl Injector {
    pub(super) fn new(p: &Params) -> Injector {
        Injector {
            queues: vec![VecDeque::new(); p.flows],
            head: None,
            sending: None,
            window: [None; WINDOW],
            mover: 0,
            blocked: vec![0; p.flows.div_ceil(32)],
            fccl: vec![0; p.vls],
            txr: vec![0; p.vls],
        }
    }

    /// Places of the window that are taken.
    pub(super) fn taken_places(&self) -> usize {
        self.window.iter().flatten().count()
    }

    /// Nothing is in the input port, whose lanes have `cap` blocks each.
    pub(super) fn has_all_credit(&self, lanes: usize, cap: u32) -> bool {
        (0..lanes).all(|v| self.fccl[v].wrapping_sub(self.txr[v]) & CREDIT_MASK == cap)
    }

    pub(super) fn fits(&self, vl: usize, len: u32) -> bool {
        self.fccl[vl].wrapping_sub(self.txr[vl]).wrapping_sub(len) & CREDIT_MASK <= 2048
    }
}

impl Made {
    /// Replaces bytes 0..19.
    pub(super) fn write(&self, flit: &mut [u32]) {
        let bth = Bth { opcode: self.kind.opcode(), marks: self.marks, dest_qp: self.qp, psn: self.psn };
        let h = Header {
            vl: (self.vl & 0xf) as u8,
            sl: self.sl as u8,
            lnh: 2,
            dlid: self.dlid as u16,
            pkt_len: self.kind.pkt_len(self.n) as u16,
            slid: self.slid as u16,
            bth: Some(bth),
        };
        flit[..5].fill(0);
        h.write(flit);
        // P_Key: bytes 10 and 11.
        flit[2] |= 0xffff_0000;
    }
}

impl Hca {
    /// room[v], a bit each.
    pub(super) fn rooms(&self) -> u64 {
        (0..self.p.vls).fold(0, |room, v| room | u64::from(self.injector.fits(v, self.p.mtu as u32)) << v)
    }

    /// The lane of a packet of `flow`, whose SL is `sl`.
    pub(super) fn lane(&self, flow: usize, sl: u32) -> usize {
        vl_of_sl(self.p.vl_by_dest, self.p.vls, self.dlid(flow) as usize, &self.sl2vl, sl as usize)
    }

    /// The flow and SL on offer.
    fn offer(&self) -> Option<(usize, u32)> {
        let out = &self.chooser.out;
        (out[self.to.inj_valid] != 0).then(|| (out[self.to.inj_flow] as usize, out[self.to.inj_sl]))
    }

    /// The flit that is wanted is there: the host's, or a CNP.
    fn flit_there(&self, input: &[u32]) -> bool {
        input[self.i.dma_ready] & 1 != 0 || self.injector.sending.is_some_and(|s| s.cnp)
    }

    /// The last flit of a packet leaves in this cycle.
    pub(super) fn last_leaves(&self, input: &[u32]) -> bool {
        self.flit_there(input) && self.injector.sending.is_some_and(|s| s.index + 1 == s.n)
    }

    /// `blocked` of the chooser: the flow waits for its delay or its window.
    pub(super) fn is_blocked(&self, flow: usize) -> bool {
        bit(&self.chooser.out[self.blocked..], flow)
    }

    /// Section 1: the window is full.
    fn window_full(&self) -> bool {
        self.cfg.inject > 0 && self.injector.taken_places() >= self.cfg.inject
    }

    /// The host's packets fill the flow's queue.
    fn queue_full(&self, flow: usize) -> bool {
        let queue = &self.injector.queues[flow];
        if self.cfg.cnp_queued {
            queue.iter().filter(|p| !p.cnp).count() >= self.p.advoq / 2
        } else {
            queue.len() >= self.p.advoq
        }
    }

    /// `gen_full`: no packet of the flow is taken.
    pub(super) fn gen_full(&self, flow: usize) -> bool {
        self.queue_full(flow) || self.window_full() && !self.is_blocked(flow)
    }

    /// The packet that is accepted in this cycle.
    pub(super) fn accepts(&mut self, input: &[u32]) -> Option<Taken> {
        let offer = self.offer();
        self.hit_if(offer.is_none() && self.injector.head.is_some(), Cover::h8_withdrawn);
        let (flow, sl) = offer?;
        let post = self.injector.head?;
        let free = self.injector.sending.is_none() || self.last_leaves(input);
        let fits = self.injector.fits(self.lane(flow, sl), post.len);
        self.hit_if(!free, Cover::h8_offer_waits_for_dma);
        (free && fits).then_some(Taken { flow, sl, post })
    }

    /// The flit that enters the input port in this cycle.
    pub(super) fn injected_flit(&self, input: &[u32]) -> Option<Injected> {
        let s = self.injector.sending.filter(|_| self.flit_there(input))?;
        if s.cnp {
            let cnp = Reply { ack: false, dlid: s.dlid, sl: s.sl, vl: s.vl, psn: 0, marks: Marks::NONE };
            return Some(Injected { first: true, last: true, data: cnp.flit(self.cfg.lid, self.flit_words) });
        }
        let mut data = [0; FLIT_WORDS];
        data[..self.flit_words].copy_from_slice(&input[self.i.dma_data..][..self.flit_words]);
        if s.index == 0 {
            let header = Made {
                kind: PacketKind::Data,
                marks: Marks::NONE,
                vl: s.vl,
                sl: s.sl,
                dlid: s.dlid,
                slid: self.cfg.lid,
                n: s.n,
                qp: s.flow as u32,
                psn: s.psn,
            };
            header.write(&mut data[..self.flit_words]);
            if let Some((opcode, fields)) = s.reserved {
                write_reserved(&mut data, opcode, fields);
            }
        }
        Some(Injected { first: s.index == 0, last: s.index + 1 == s.n, data })
    }

    /// Section 1: the packet that the host posts, if it is taken; a packet of flow `popped` leaves in this cycle.
    pub(super) fn judge_post(
        &mut self,
        input: &[u32],
        popped: Option<usize>,
        errors: &mut u32,
    ) -> Option<(usize, Post)> {
        if input[self.i.gen_valid] & 1 == 0 {
            return None;
        }
        let flow = (input[self.i.gen_flow] & 0xffff) as usize;
        let len = input[self.i.gen_len] & 0x7f;
        if flow >= self.p.flows {
            *errors |= BAD_GEN;
            self.hit(Cover::h1_bad_flow);
            return None;
        }
        if len == 0 || len > self.p.mtu as u32 {
            *errors |= BAD_GEN;
            self.hit(Cover::h1_bad_len);
            return None;
        }
        if self.gen_full(flow) {
            *errors |= GEN_FULL;
            let queue = self.queue_full(flow);
            self.hit_if(queue, Cover::h1_gen_full);
            self.hit_if(queue && popped == Some(flow), Cover::h1_full_despite_pop);
            self.hit_if(queue && self.cfg.cnp_queued, Cover::h2_queued_host_full);
            self.hit_if(!queue, Cover::h1_window_refuses);
            return None;
        }
        Some((flow, Post { len, psn: input[self.i.gen_psn] & 0xff_ffff, cnp: false }))
    }

    /// Section 1: the places of the window.
    pub(super) fn step_window(&mut self, posted: Option<(usize, Post)>, taken: Option<&Taken>) {
        let n = self.cfg.inject;
        let mut window = self.injector.window;
        let places = self.injector.taken_places();
        if n == 0 && places == 0 {
            return;
        }
        self.hit_if(n == 0, Cover::h1_window_off);
        self.hit_if(n > 0 && places > n, Cover::h1_window_lowered);
        let at = |flow: usize| window.iter().position(|p| *p == Some(flow));
        let leaves = taken.filter(|t| !t.post.cnp).map(|t| at(t.flow));
        self.hit_if(leaves == Some(None), Cover::h1_window_accept_no_place);
        let mut left = false;
        for place in &mut window {
            if place.is_some_and(|f| n == 0 || self.is_blocked(f)) {
                *place = None;
                left |= n > 0;
            }
        }
        if let Some(Some(place)) = leaves {
            window[place] = None;
        }
        let posted = posted.filter(|_| n > 0).map(|(flow, _)| flow);
        let blocked = posted.is_some_and(|f| self.is_blocked(f));
        self.hit_if(blocked, Cover::h1_window_blocked_post);
        if let Some(flow) = posted.filter(|_| !blocked) {
            // A place that is free in S(t).
            let free = self.injector.window.iter().position(Option::is_none);
            free.into_iter().for_each(|place| window[place] = Some(flow));
        }
        self.hit_if(left, Cover::h1_window_left);
        self.hit_if(left && posted.is_some(), Cover::h1_window_left_and_post);
        self.injector.window = window;
        let full = n > 0 && places < n && self.injector.taken_places() >= n;
        self.hit_if(full, Cover::h1_window_full);
        // Cover: a delay is over, and packets of the flow have no place.
        let now = self.chooser.out[self.blocked..][..self.injector.blocked.len()].to_vec();
        let over = (0..self.p.flows).any(|f| {
            bit(&self.injector.blocked, f)
                && !bit(&now, f)
                && !self.injector.queues[f].is_empty()
                && !window.contains(&Some(f))
        });
        self.hit_if(over && n > 0, Cover::h1_window_delay_over);
        self.injector.blocked = now;
    }

    /// Sections 1 and 8: what joins the generation queues, and the pop of an accepted packet.
    pub(super) fn step_queues(
        &mut self,
        posted: Option<(usize, Post)>,
        accepted: bool,
        moved: Option<Moved>,
    ) {
        let popped = self.offer().filter(|_| accepted).map(|(flow, _)| flow);
        if let Some((flow, _)) = posted {
            self.hit_if(popped == Some(flow), Cover::h1_post_and_pop);
        }
        // hd is read before the queues change.
        let offered = self.offer().filter(|_| !accepted);
        self.injector.head = offered.and_then(|(flow, _)| self.injector.queues[flow].front().copied());
        if let Some(flow) = popped {
            self.hit_if(self.queue_full(flow), Cover::h1_pop_full);
            self.injector.queues[flow].pop_front();
        }
        if let Some((flow, post)) = posted {
            self.injector.queues[flow].push_back(post);
            self.hit(Cover::h1_posted);
            self.hit_if(self.queue_full(flow), Cover::h1_full);
        }
        if let Some(flow) = moved.and_then(|m| m.to) {
            self.injector.queues[flow].push_back(Post { len: 1, psn: 0, cnp: true });
        }
    }

    /// Section 2: what the injector does with the packet taken.
    pub(super) fn begins(&self, t: &Taken) -> Sending {
        let Post { len, psn, cnp } = t.post;
        let vl = self.lane(t.flow, t.sl);
        let dlid = self.dlid(t.flow);
        Sending { flow: t.flow, psn, index: 0, n: len, sl: t.sl, vl, dlid, cnp, reserved: None }
    }

    /// Section 2: the packet taken, the flit sent, the input port's credits.
    pub(super) fn step_injector(&mut self, input: &[u32], taken: Option<Sending>) {
        let lacks = (0..self.port_lanes).any(|v| !self.injector.fits(v, self.p.mtu as u32));
        self.hit_if(lacks, Cover::h5_no_room);
        let last_leaves = self.last_leaves(input);
        if let Some(s) = &mut self.injector.sending {
            if s.cnp || input[self.i.dma_ready] & 1 != 0 {
                s.index += 1;
                let (single, paused) = (s.n == 1, s.cnp && input[self.i.dma_ready] & 1 == 0);
                self.hit_if(single, Cover::h8_single_flit);
                self.hit_if(paused, Cover::h2_queued_sent_in_dma_pause);
            } else {
                self.hit(Cover::h8_dma_waits);
            }
        }
        if last_leaves {
            self.injector.sending = None;
        }
        if let Some(s) = taken {
            let txr = self.injector.txr[s.vl] + s.n;
            self.injector.txr[s.vl] = txr & CREDIT_MASK;
            self.injector.sending = Some(s);
            self.hit(Cover::h8_accepted);
            self.hit_if(last_leaves, Cover::h8_back_to_back);
            self.hit_if(txr > CREDIT_MASK, Cover::f1_inj_txr_wraps);
        }
        self.step_credits_in();
    }

    /// F1: the input port's credit message.
    pub(super) fn step_credits_in(&mut self) {
        let out = &self.port.out;
        if out[self.po.fc_valid] != 0 {
            self.injector.fccl[out[self.po.fc_vl] as usize] = out[self.po.fccl];
        }
    }
}
