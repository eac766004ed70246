//! The receiver and its FIFO: section 4 of the page.

use std::collections::VecDeque;

use super::{BAD_FLOW, BAD_VL, CREDIT_MASK, Cnp, Cover, FLIT_WORDS, FRAMING, Hca, MISROUTED, NO_CREDIT};
use crate::model::header::Header;
use crate::model::link::{Control, Credit};
use crate::params::Params;

/// What becomes of the flits that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rx {
    Idle,
    /// They are stored.
    Open,
    /// They are dropped.
    Skip,
}

/// A flit in the receive FIFO.
pub(super) struct Stored {
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) bad: bool,
    vl: usize,
    pub(super) data: [u32; FLIT_WORDS],
}

/// The receiver.
pub(super) struct Receiver {
    state: Rx,
    ctx_vl: usize,
    ctx_vl_ok: bool,
    /// Flits of the open packet still to come, by its header (coverage only).
    missing: usize,
    pub(super) fifo: VecDeque<Stored>,
    pub(super) used: Vec<u32>,
    pub(super) abr: Vec<u32>,
    /// Credit slot: counter and lane.
    fcc: u32,
    fc_vl: usize,
    /// The BECN that the throttle sees in this cycle: flow, SL.
    pub(super) becn: Option<(usize, u32)>,
    pub(super) cnt_becn: u32,
    pub(super) cnt_rcv: u32,
}

impl Receiver {
    pub(super) fn new(p: &Params) -> Receiver {
        Receiver {
            state: Rx::Idle,
            ctx_vl: 0,
            ctx_vl_ok: false,
            missing: 0,
            fifo: VecDeque::new(),
            used: vec![0; p.vls],
            abr: vec![0; p.vls],
            fcc: 0,
            fc_vl: 0,
            becn: None,
            cnt_becn: 0,
            cnt_rcv: 0,
        }
    }
}

/// What the flit of this cycle means.
pub(super) struct Arrival {
    state: Rx,
    /// The lane of the packet, as known from this flit on.
    ctx: (usize, bool),
    /// It is stored, on this lane.
    store: Option<usize>,
    /// It is counted, on this lane.
    counted: Option<usize>,
    becn: Option<(usize, u32)>,
    pub(super) cnp: Option<Cnp>,
    received: bool,
    pub(super) errors: u32,
}

impl Hca {
    fn rx_cap(&self) -> u32 {
        (self.p.rx_blocks / self.p.vls) as u32
    }

    /// Judges the flit on the pins, from S(t).
    pub(super) fn judge(&mut self, input: &[u32]) -> Arrival {
        let mut a = Arrival {
            state: self.receiver.state,
            ctx: (self.receiver.ctx_vl, self.receiver.ctx_vl_ok),
            store: None,
            counted: None,
            becn: None,
            cnp: None,
            received: false,
            errors: 0,
        };
        let bit = |at: usize| input[at] & 1 != 0;
        if !bit(self.i.rx_valid) {
            return a;
        }
        let (last, bad) = (bit(self.i.rx_last), bit(self.i.rx_bad));
        let rest = |open: Rx| if last { Rx::Idle } else { open };
        if bit(self.i.rx_first) {
            let h = Header::parse(&input[self.i.rx_data..][..self.flit_words]);
            self.judge_first(&h, last, bad, &mut a);
            return a;
        }
        match self.receiver.state {
            Rx::Idle => {
                a.errors |= FRAMING;
                a.ctx.1 = false;
                self.hit(Cover::b3_framing_stray);
                self.hit(Cover::f1_uncounted);
            }
            Rx::Skip => {
                a.state = rest(Rx::Skip);
                a.counted = a.ctx.1.then_some(a.ctx.0);
                self.hit(Cover::b3_skipped);
                self.hit_if(!a.ctx.1, Cover::f1_uncounted);
            }
            Rx::Open => {
                a.state = rest(Rx::Open);
                let vl = a.ctx.0;
                a.counted = Some(vl);
                if self.receiver.used[vl] < self.rx_cap() {
                    a.store = Some(vl);
                    self.hit_if(self.receiver.missing == 0, Cover::b3_longer_than_header);
                } else {
                    a.errors |= NO_CREDIT;
                    self.hit(Cover::b3_overlong);
                }
                self.receiver.missing = self.receiver.missing.saturating_sub(1);
            }
        }
        a
    }

    /// A flit with `first`.
    fn judge_first(&mut self, h: &Header, last: bool, bad: bool, a: &mut Arrival) {
        match self.receiver.state {
            Rx::Open => {
                a.errors |= FRAMING;
                self.hit(Cover::b3_framing_first);
            }
            Rx::Skip => self.hit(Cover::b3_skip_first),
            Rx::Idle => {}
        }
        let vl = if self.p.vl_by_dest { usize::from(h.dlid) % self.p.vls } else { usize::from(h.vl) };
        let known = vl < self.p.vls;
        a.ctx = (vl, known);
        a.counted = known.then_some(vl);
        self.hit_if(!known, Cover::f1_uncounted);

        let n = h.flits();
        let mut failed = 0;
        if !known {
            failed |= BAD_VL;
            self.hit(Cover::b3_bad_vl);
        }
        if n < 1 || n > self.p.mtu {
            failed |= FRAMING;
            self.hit(Cover::b3_framing_len);
        } else if !bad && last != (n == 1) {
            failed |= FRAMING;
            self.hit(Cover::b3_framing_shape);
        }
        if u32::from(h.dlid) != self.cfg.lid && !h.is_multicast() {
            failed |= MISROUTED;
            self.hit(Cover::b3_misrouted);
        }
        let consumed = failed == 0 && h.is_cnp();
        if failed == 0 && !consumed && n as u32 > self.rx_cap() - self.receiver.used[vl] {
            failed |= NO_CREDIT;
            self.hit(Cover::b3_no_credit);
        }
        a.errors |= failed;
        a.state = match (last, failed == 0 && !consumed) {
            (true, _) => Rx::Idle,
            (false, true) => Rx::Open,
            (false, false) => Rx::Skip,
        };
        if failed != 0 {
            return;
        }
        let becn = h.bth.is_some_and(|b| b.becn);
        if becn {
            self.judge_becn(h, a);
            self.hit(if consumed { Cover::h3_becn_cnp } else { Cover::h3_becn_data });
        }
        if consumed {
            self.hit_if(!becn, Cover::h3_cnp_without_becn);
            return;
        }
        a.store = Some(vl);
        a.received = true;
        self.receiver.missing = n - 1;
        self.hit(Cover::b3_received);
        self.hit_if(h.is_multicast(), Cover::b3_multicast);
        if !h.bth.is_some_and(|b| b.fecn) {
            return;
        }
        self.hit_if(becn, Cover::h2_becn_beats_fecn);
        if becn {
            return;
        }
        self.hit_if(h.is_ack(), Cover::h2_fecn_ack);
        self.hit_if(h.is_multicast(), Cover::h2_fecn_multicast);
        if h.is_ack() || h.is_multicast() {
            return;
        }
        self.hit_if(!self.cfg.cnp_en, Cover::h2_cnp_disabled);
        if self.cfg.cnp_en {
            // The lane of its destination.
            let vl = if self.p.vl_by_dest { usize::from(h.slid) % self.p.vls } else { vl };
            a.cnp = Some(Cnp { dlid: u32::from(h.slid), sl: u32::from(h.sl), vl });
        }
    }

    fn judge_becn(&mut self, h: &Header, a: &mut Arrival) {
        match self.flow_of(u32::from(h.slid)) {
            Some(flow) => a.becn = Some((flow, u32::from(h.sl))),
            None => {
                a.errors |= BAD_FLOW;
                self.hit(Cover::h3_bad_flow);
            }
        }
    }

    /// The edge: FIFO, counters, credit slot. Returns new errors.
    pub(super) fn step_receiver(&mut self, input: &[u32], control: &Control, a: &Arrival) -> u32 {
        let mut errors = 0;
        let bit = |at: usize| input[at] & 1 != 0;
        self.step_slot();
        self.receiver.state = a.state;
        (self.receiver.ctx_vl, self.receiver.ctx_vl_ok) = a.ctx;
        // The host.
        let mut popped = None;
        if let Some(flit) = self.receiver.fifo.front() {
            if bit(self.i.host_ready) {
                popped = Some(flit.vl);
                self.receiver.used[flit.vl] -= 1;
                self.receiver.fifo.pop_front();
            } else {
                self.hit(Cover::f2_host_waits);
            }
        }
        if let Some(vl) = a.store {
            let mut data = [0; FLIT_WORDS];
            data[..self.flit_words].copy_from_slice(&input[self.i.rx_data..][..self.flit_words]);
            let (first, last, bad) = (bit(self.i.rx_first), bit(self.i.rx_last), bit(self.i.rx_bad));
            self.receiver.fifo.push_back(Stored { first, last, bad, vl, data });
            self.receiver.used[vl] += 1;
            self.hit_if(bad, Cover::b3_bad_received);
            self.hit_if(popped == Some(vl), Cover::f2_push_and_pop);
            self.hit_if(self.receiver.used[vl] == self.rx_cap(), Cover::f2_full);
        }
        // F1
        if let Some(Credit { vl, blocks: fctbs }) = control.fctbs {
            match self.receiver.abr.get_mut(vl as usize) {
                Some(abr) => {
                    let repaired = *abr != fctbs;
                    *abr = fctbs;
                    self.hit_if(repaired, Cover::f1_fctbs_repair);
                    self.hit_if(a.counted == Some(vl as usize), Cover::f1_fctbs_and_flit);
                }
                None => {
                    errors |= BAD_VL;
                    self.hit(Cover::b3_bad_vl_fctbs);
                }
            }
        }
        if let Some(vl) = a.counted {
            self.receiver.abr[vl] = (self.receiver.abr[vl] + 1) & CREDIT_MASK;
            self.hit_if(self.receiver.abr[vl] == 0, Cover::f1_abr_wraps);
        }
        self.receiver.becn = a.becn;
        if a.becn.is_some() {
            self.receiver.cnt_becn = self.p.cnt_max().min(self.receiver.cnt_becn.saturating_add(1));
            self.hit(Cover::h3_becn);
        }
        if a.received {
            self.receiver.cnt_rcv = self.p.cnt_max().min(self.receiver.cnt_rcv.saturating_add(1));
        }
        errors
    }

    /// The credit message of this cycle.
    pub(super) fn credit(&self) -> Option<Credit> {
        let r = &self.receiver;
        let free = self.rx_cap() - r.used[r.fc_vl];
        (r.fcc == 0).then(|| Credit { vl: r.fc_vl as u32, blocks: (r.abr[r.fc_vl] + free) & CREDIT_MASK })
    }

    fn step_slot(&mut self) {
        let last = self.cfg.fc_interval - 1;
        if self.receiver.fcc == 0 {
            let vl = self.receiver.fc_vl;
            self.hit_if(self.receiver.used[vl] == self.rx_cap(), Cover::f1_no_room);
            self.receiver.fc_vl = (vl + 1) % self.p.vls;
        }
        self.hit_if(self.receiver.fcc > last, Cover::f1_fc_interval_shrinks);
        self.receiver.fcc = if self.receiver.fcc >= last { 0 } else { self.receiver.fcc + 1 };
    }
}
