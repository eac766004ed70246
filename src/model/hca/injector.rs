//! Generation queues and injector: sections 1 and 2 of the page.

use std::collections::VecDeque;

use super::cover::Cover;
use super::state::{
    BAD_GEN, CREDIT_MASK, FLIT_WORDS, GEN_FULL, Hca, Injected, Injector, Made, Post, Sending, Taken,
};
use crate::model::header::{Bth, Header, Marks};
use crate::params::Params;
use crate::scheme::organisation::vl_of_sl;
use crate::scheme::packet::PacketKind;

impl Injector {
    pub(super) fn new(p: &Params) -> Injector {
        Injector {
            queues: vec![VecDeque::new(); p.flows],
            head: None,
            sending: None,
            fccl: vec![0; p.vls],
            txr: vec![0; p.vls],
        }
    }

    fn fits(&self, vl: usize, len: u32) -> bool {
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
        let out = &self.throttle.out;
        (out[self.to.inj_valid] != 0).then(|| (out[self.to.inj_flow] as usize, out[self.to.inj_sl]))
    }

    /// The last flit of a packet leaves in this cycle.
    pub(super) fn last_leaves(&self, input: &[u32]) -> bool {
        input[self.i.dma_ready] & 1 != 0 && self.injector.sending.is_some_and(|s| s.index + 1 == s.n)
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
        let s = self.injector.sending.filter(|_| input[self.i.dma_ready] & 1 != 0)?;
        let mut data = [0; FLIT_WORDS];
        data[..self.flit_words].copy_from_slice(&input[self.i.dma_data..][..self.flit_words]);
        if s.index == 0 {
            let header = Made {
                kind: PacketKind::Data,
                marks: Marks::NONE,
                vl: s.vl,
                sl: s.sl,
                dlid: self.dlid(s.flow),
                slid: self.cfg.lid,
                n: s.n,
                qp: s.flow as u32,
                psn: s.psn,
            };
            header.write(&mut data[..self.flit_words]);
        }
        Some(Injected { first: s.index == 0, last: s.index + 1 == s.n, data })
    }

    /// Section 1, and the pop of an accepted packet. Returns new errors.
    pub(super) fn step_queues(&mut self, input: &[u32], accepted: bool) -> u32 {
        let popped = self.offer().filter(|_| accepted).map(|(flow, _)| flow);
        let mut errors = 0;
        let mut post = None;
        if input[self.i.gen_valid] & 1 != 0 {
            let flow = (input[self.i.gen_flow] & 0xffff) as usize;
            let len = input[self.i.gen_len] & 0x7f;
            if flow >= self.p.flows {
                errors |= BAD_GEN;
                self.hit(Cover::h1_bad_flow);
            } else if len == 0 || len > self.p.mtu as u32 {
                errors |= BAD_GEN;
                self.hit(Cover::h1_bad_len);
            } else if self.injector.queues[flow].len() == self.p.advoq {
                errors |= GEN_FULL;
                self.hit(Cover::h1_gen_full);
                self.hit_if(popped == Some(flow), Cover::h1_full_despite_pop);
            } else {
                post = Some((flow, Post { len, psn: input[self.i.gen_psn] & 0xff_ffff }));
                self.hit_if(popped == Some(flow), Cover::h1_post_and_pop);
            }
        }
        // hd is read before the queues change.
        let offered = self.offer().filter(|_| !accepted);
        self.injector.head = offered.and_then(|(flow, _)| self.injector.queues[flow].front().copied());
        if let Some(flow) = popped {
            self.hit_if(self.injector.queues[flow].len() == self.p.advoq, Cover::h1_pop_full);
            self.injector.queues[flow].pop_front();
        }
        if let Some((flow, post)) = post {
            self.injector.queues[flow].push_back(post);
            self.hit(Cover::h1_posted);
            self.hit_if(self.injector.queues[flow].len() == self.p.advoq, Cover::h1_full);
        }
        errors
    }

    /// Section 2: the packet taken, the flit sent, the input port's credits.
    pub(super) fn step_injector(&mut self, input: &[u32], taken: Option<Taken>) {
        let room = self.rooms();
        self.hit_if(room.count_ones() < self.p.vls as u32, Cover::h5_no_room);
        let last_leaves = self.last_leaves(input);
        if let Some(s) = &mut self.injector.sending {
            if input[self.i.dma_ready] & 1 != 0 {
                s.index += 1;
                let single = s.n == 1;
                self.hit_if(single, Cover::h8_single_flit);
            } else {
                self.hit(Cover::h8_dma_waits);
            }
        }
        if last_leaves {
            self.injector.sending = None;
        }
        if let Some(t) = taken {
            let vl = self.lane(t.flow, t.sl);
            let txr = self.injector.txr[vl] + t.post.len;
            self.injector.txr[vl] = txr & CREDIT_MASK;
            self.injector.sending =
                Some(Sending { flow: t.flow, psn: t.post.psn, index: 0, n: t.post.len, sl: t.sl, vl });
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
