//! The output queue (rules CQ1-CQ3, PF1, VM2): `docs/output-queue.md`.

use std::collections::VecDeque;

use super::cover::Cover;
use super::state::{
    CREDIT_MASK, FLIT_WORDS, Flit, LINK_DOWN, Lane, OutputPort, OutputQueue, Sending, State, Stored,
    XB_FRAMING,
};
use crate::model::header::Header;
use crate::params::Params;

impl OutputQueue {
    pub fn new(p: &Params) -> OutputQueue {
        let cap = p.ocap();
        let lane = || Lane { fifo: VecDeque::with_capacity(cap), ..Lane::default() };
        OutputQueue {
            built: p.cioq,
            cap: cap as u32,
            lanes: (0..p.vls).map(|_| lane()).collect(),
            sending: None,
            lp: 0,
            slow_phase: 0,
        }
    }

    /// CQ1: `len` flits more find room on VL `v`.
    pub fn has_room(&self, v: usize, len: u32) -> bool {
        self.lanes[v].ofill + len <= self.cap
    }

    /// Nothing is stored, promised or on its way.
    pub fn is_empty(&self) -> bool {
        let empty = |l: &Lane| l.fifo.is_empty() && !l.left && l.ofill | l.granted | l.taken == 0;
        self.sending.is_none() && self.lanes.iter().all(empty)
    }

    /// CQ1: flits of packets of VL `v` that were granted and have not left.
    pub fn ofill(&self, v: usize) -> u32 {
        self.lanes[v].ofill
    }

    /// CQ1: ofill takes what the cycle brought and took.
    fn settle(&mut self) {
        for lane in &mut self.lanes {
            let taken = std::mem::take(&mut lane.taken);
            lane.ofill = (lane.ofill + std::mem::take(&mut lane.granted)).saturating_sub(taken);
            lane.left = false;
        }
    }

    /// The link is down: all that stands here is lost.
    fn clear(&mut self) {
        for lane in &mut self.lanes {
            lane.fifo.clear();
            (lane.ofill, lane.granted, lane.taken, lane.left) = (0, 0, 0, false);
        }
        self.sending = None;
    }

    pub fn state(&self, v: usize, state: &mut [u32], s: &State) {
        state[s.st_ofill + v] = self.lanes[v].ofill;
        state[s.st_oq_flits + v] = self.lanes[v].fifo.len() as u32;
        state[s.st_lp] = self.lp as u32;
        state[s.st_sending] = u32::from(self.sending.is_some());
    }
}

impl OutputPort {
    /// CQ1: `len` flits more of VL `v` may be granted; none in a cycle after one without a link.
    pub(super) fn has_room(&self, v: usize, len: u32) -> bool {
        self.down == 0 && self.queue.has_room(v, len)
    }

    /// Section 2: a slot of the link (`rd_slow`).
    pub fn reads_slowly(&self) -> bool {
        self.queue.built && self.queue.slow_phase == 0
    }

    /// Section 2: input `i`, whose engine is busy, may move a flit.
    pub(super) fn lets(&self, input: &[u32], i: usize) -> bool {
        let slow = self.queue.built && input[self.i.xb_slow + i] & 1 != 0;
        (if slow { self.queue.slow_phase } else { self.phase }) == 0
    }

    /// Section 2: cycles between two flits that the crossbar may move.
    pub(super) fn xb_interval(&self) -> u32 {
        if self.queue.built { self.cfg.xb_interval.min(self.cfg.tx_interval) } else { self.cfg.tx_interval }
    }

    /// CQ1: a grant promises `len` flits of VL `v`.
    pub(super) fn promise(&mut self, v: usize, len: u32) {
        self.queue.lanes[v].granted += len;
    }

    /// CQ1: a packet of VL `v` ended `short` flits early.
    pub(super) fn give_back(&mut self, v: usize, short: u32) {
        self.queue.lanes[v].taken += short;
        self.hit(Cover::cq1_gives_back);
    }

    /// CQ1: a flit from the crossbar, marked as it is to be; a first one with its header. Returns new errors.
    pub(super) fn store(&mut self, flit: Flit, header: Option<&Header>) -> u32 {
        let Some(v) = flit.vl else {
            // Of no open packet, or of a VL that is not there: told there already.
            return 0;
        };
        let lane = &mut self.queue.lanes[v];
        // As many as stood there in S(t).
        if lane.fifo.len() + usize::from(lane.left) >= self.queue.cap as usize {
            self.open = None;
            self.hit(Cover::cq1_not_stored);
            return XB_FRAMING;
        }
        let (n, data) = header.map_or((0, false), |h| (h.flits() as u32, !h.is_cnp()));
        lane.fifo.push_back(Stored { flit, n, data });
        0
    }

    /// F1: there is credit for `len` flits on VL `v` (half-range test).
    pub(super) fn has_link_credit(&self, v: usize, len: u32) -> bool {
        self.fccl[v].wrapping_sub(self.txr[v]).wrapping_sub(len) & CREDIT_MASK <= 2048
    }

    /// CQ3: what goes to the link in this cycle, from S(t); before anything is stored.
    pub(super) fn feed_link(&mut self, input: &[u32]) {
        if !self.queue.built {
            return;
        }
        self.tx = Flit { data: [0; FLIT_WORDS], ..Flit::default() };
        if self.queue.slow_phase != 0 {
            return;
        }
        let up = input[self.i.link_up] & 1 != 0;
        match self.queue.sending {
            Some(s) if up => self.send_on(s),
            Some(_) => {}
            None => {
                let lacking = self.see_who_lacks();
                if up {
                    self.start(lacking);
                }
            }
        }
    }

    /// CQ3: the packet on the link goes on.
    fn send_on(&mut self, mut s: Sending) {
        let lane = &mut self.queue.lanes[s.vl];
        let Some(head) = lane.fifo.front() else {
            self.hit(Cover::cq3_gap);
            return;
        };
        let (first, last) = (head.flit.first, head.flit.last);
        if !first {
            s.m = s.m.saturating_add(1);
            self.leave(s.vl);
        }
        let ends = first || last;
        self.queue.sending = (!ends).then_some(s);
        self.hit_if(first, Cover::cq3_no_end);
        if ends && s.m < s.n {
            let (txr, short) = (&mut self.txr[s.vl], s.n - s.m);
            let borrows = *txr < short;
            *txr = txr.wrapping_sub(short) & CREDIT_MASK;
            self.hit(Cover::f1_txr_corrected);
            self.hit_if(borrows, Cover::f1_txr_borrow);
        }
    }

    /// D3: data that stand at a head without credits wait for them. Returns the VLs whose head lacks credit, as bits.
    fn see_who_lacks(&mut self) -> u64 {
        let mut lacking = 0;
        for v in 0..self.vls {
            let Some((n, data)) = self.queue.lanes[v].fifo.front().map(|s| (s.n, s.data)) else { continue };
            if self.has_link_credit(v, n) {
                continue;
            }
            lacking |= 1 << v;
            self.hit(Cover::cq3_lacks_credit);
            if data {
                self.hit_if(!self.waited[v], Cover::d3_waited);
                self.waited[v] = true;
            }
        }
        lacking
    }

    /// CQ3: the next packet, of a VL with a head that does not lack credit, round robin.
    fn start(&mut self, lacking: u64) {
        let can = |v: &usize| !self.queue.lanes[*v].fifo.is_empty() && lacking >> v & 1 == 0;
        let lp = self.queue.lp;
        let lowest = (0..self.vls).find(can);
        let Some(v) = (lp..self.vls).chain(0..lp).find(can) else { return };
        let Some((n, data, last)) = self.queue.lanes[v].fifo.front().map(|s| (s.n, s.data, s.flit.last))
        else {
            return;
        };
        self.hit_if(lowest != Some(v), Cover::cq3_lanes_in_turn);
        self.leave(v);
        let sum = self.txr[v] + if last { 1 } else { n };
        self.txr[v] = sum & CREDIT_MASK;
        self.hit_if(sum > CREDIT_MASK, Cover::f1_txr_wrap);
        self.queue.lp = (v + 1) % self.vls;
        self.queue.sending = (!last).then_some(Sending { vl: v, n, m: 1 });
        if data {
            self.data_starts(v);
        }
    }

    /// The head of a VL goes to the link.
    fn leave(&mut self, v: usize) {
        let lane = &mut self.queue.lanes[v];
        let Some(head) = lane.fifo.pop_front() else { return };
        (lane.left, lane.taken) = (true, lane.taken + 1);
        let empty = lane.fifo.is_empty();
        self.tx = head.flit;
        self.hit_if(empty, Cover::cq1_empty);
    }

    /// The cycle's end: ofill moves, the link's counter runs, and what a link that is down loses is gone. Returns new errors.
    pub(super) fn end_queue_cycle(&mut self, input: &[u32]) -> u32 {
        if !self.queue.built {
            return 0;
        }
        self.advance_slow_phase();
        self.queue.settle();
        if input[self.i.link_up] & 1 == 0 {
            let loses = self.queue.lanes.iter().any(|l| !l.fifo.is_empty());
            self.hit_if(loses, Cover::cq3_link_down);
            self.queue.clear();
            if loses {
                return LINK_DOWN;
            }
        }
        0
    }

    /// CQ2: the pace of the link.
    pub(super) fn advance_slow_phase(&mut self) {
        let slow = &mut self.queue.slow_phase;
        *slow = if *slow >= self.cfg.tx_interval - 1 { 0 } else { *slow + 1 };
    }

    /// VM2: VL `v` is saturated, and by how many flits it is above VB_TH.
    pub(super) fn saturation(&self, v: usize) -> (bool, i64) {
        if self.queue.built {
            let beyond = i64::from(self.queue.ofill(v)) - i64::from(self.cfg.vb_th);
            return (beyond > 0, beyond);
        }
        (self.counts.saturated(v), self.counts.beyond[v])
    }
}
