//! The receiver and its FIFO: section 4 of the page.

use std::collections::VecDeque;

use super::cover::Cover;
use super::state::{
    Arrival, BAD_FLOW, BAD_PKT, BAD_VL, CREDIT_MASK, Cnp, Current, FLIT_WORDS, FRAMING, Flags, Hca,
    LINK_DOWN, MISROUTED, NO_CREDIT, Receiver, Rx, Stored,
};
use crate::model::header::{Header, Marks};
use crate::model::link::{Control, Credit};
use crate::model::util::{bit, set_bit};
use crate::params::Params;
use crate::scheme::organisation::vl_of_vl;

impl Receiver {
    pub(super) fn new(p: &Params) -> Receiver {
        Receiver {
            state: Rx::Idle,
            ctx_vl: 0,
            ctx_vl_ok: false,
            packet: Current::default(),
            fifo: VecDeque::new(),
            used: vec![0; p.vls],
            abr: vec![0; p.vls],
            fcc: 0,
            fc_vl: 0,
            becn: None,
            cnt_becn: 0,
            cnt_rcv: 0,
            seen: vec![0; p.flows.div_ceil(32)],
            late: vec![None; p.flows],
        }
    }
}

impl Hca {
    fn rx_cap(&self, vl: usize) -> u32 {
        self.p.rx_cap(vl) as u32
    }

    /// Judges the flit on the pins, from S(t).
    pub(super) fn judge(&mut self, input: &[u32]) -> Arrival {
        let mut a = Arrival {
            state: self.receiver.state,
            packet: self.receiver.packet,
            ctx: (self.receiver.ctx_vl, self.receiver.ctx_vl_ok),
            store: None,
            counted: None,
            becn: None,
            cnp: None,
            seen: None,
            received: false,
            errors: 0,
        };
        let bit = |at: usize| input[at] & 1 != 0;
        if !bit(self.i.link_up) {
            self.lose_link(&mut a);
            return a;
        }
        if !bit(self.i.rx_valid) {
            return a;
        }
        let last = bit(self.i.rx_last);
        let bad = last && bit(self.i.rx_bad);
        if bad {
            a.errors |= BAD_PKT;
            self.hit(Cover::b3_bad_pkt);
        }
        if bit(self.i.rx_first) {
            let h = Header::parse(&input[self.i.rx_data..][..self.flit_words]);
            self.judge_first(&h, last, bad, &mut a);
            return a;
        }
        a.counted = a.ctx.1.then_some(a.ctx.0);
        match self.receiver.state {
            Rx::Idle => {
                a.errors |= FRAMING;
                a.counted = None;
                a.ctx.1 = false;
                self.hit(Cover::b3_framing_stray);
                self.hit(Cover::f1_uncounted);
            }
            Rx::Skip => {
                a.state = if last { Rx::Idle } else { Rx::Skip };
                self.hit(Cover::b3_skipped);
                self.hit_if(!a.ctx.1, Cover::f1_uncounted);
            }
            Rx::Open | Rx::Eat => self.judge_next(last, bad, &mut a),
        }
        a
    }

    /// Section 7: a cycle without a link.
    fn lose_link(&mut self, a: &mut Arrival) {
        match a.state {
            Rx::Open | Rx::Eat => {
                a.errors |= LINK_DOWN;
                self.hit(if a.packet.cnp { Cover::b3_link_down_eat } else { Cover::b3_link_down_open });
            }
            Rx::Skip => self.hit(Cover::b3_link_down_skip),
            Rx::Idle => self.hit(Cover::f1_link_down_idle),
        }
        a.state = Rx::Idle;
        a.ctx.1 = false;
    }

    /// A flit of the packet in OPEN or EAT.
    fn judge_next(&mut self, last: bool, bad: bool, a: &mut Arrival) {
        a.packet.m += 1;
        let Current { n, m, cnp, fecn, vl, .. } = a.packet;
        let mut flags = Flags { first: false, last, bad, vl };
        if crate::model::faults::on(crate::model::faults::Fault::receiver_counts_no_flits) {
            if last {
                a.state = Rx::Idle;
            }
        } else if bad || last && m == n {
            a.state = Rx::Idle;
        } else if last || m == n {
            a.errors |= FRAMING;
            a.state = if last { Rx::Idle } else { Rx::Skip };
            (flags.last, flags.bad) = (true, true);
            self.hit(if last { Cover::b3_short } else { Cover::b3_long });
            self.hit_if(cnp, Cover::h3_cnp_not_whole);
            self.hit_if(fecn, Cover::h2_fecn_not_whole);
        }
        if !cnp {
            a.store = Some(flags);
        }
        self.hit_if(bad && cnp, Cover::h3_cnp_damaged);
        self.hit_if(bad && fecn, Cover::h2_fecn_damaged);
        if last && !bad && (m == n || crate::model::faults::on(crate::model::faults::Fault::receiver_counts_no_flits)) {
            self.judge_whole(a);
        }
    }

    /// A flit with `first`.
    fn judge_first(&mut self, h: &Header, last: bool, bad: bool, a: &mut Arrival) {
        match self.receiver.state {
            Rx::Open | Rx::Eat => {
                a.errors |= FRAMING;
                self.hit(Cover::b3_framing_first);
                let given_up = self.receiver.packet;
                self.hit_if(given_up.cnp, Cover::h3_cnp_not_whole);
                self.hit_if(given_up.fecn, Cover::h2_fecn_not_whole);
            }
            Rx::Skip => self.hit(Cover::b3_skip_first),
            Rx::Idle => {}
        }
        let vl = h.lane(self.p.vls, self.p.vl_by_dest);
        let known = vl < self.p.vls;
        a.ctx = (vl, known);
        a.counted = known.then_some(vl);
        self.hit_if(!known, Cover::f1_uncounted);

        let (n, cnp) = (h.flits(), h.kind().is_consumed());
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
        if failed == 0 && !cnp && n as u32 > self.rx_cap(vl) - self.receiver.used[vl] {
            failed |= NO_CREDIT;
            self.hit(Cover::b3_no_credit);
        }
        a.errors |= failed;
        a.state = match (last, failed == 0) {
            (true, _) => Rx::Idle,
            (false, true) if cnp => Rx::Eat,
            (false, true) => Rx::Open,
            (false, false) => Rx::Skip,
        };
        if failed != 0 {
            return;
        }
        if cnp {
            self.hit_if(!last, Cover::h3_cnp_long);
        } else {
            a.store = Some(Flags { first: true, last, bad, vl });
        }
        let [marked, becn] = [Marks::FECN, Marks::BECN].map(|mark| h.marks().has(mark));
        let fecn = marked && !becn && h.is_marked();
        self.hit_if(!cnp && h.is_multicast(), Cover::b3_multicast);
        if marked && !cnp {
            self.hit_if(becn, Cover::h2_becn_beats_fecn);
            self.hit_if(!becn && h.is_ack(), Cover::h2_fecn_ack);
            self.hit_if(!becn && h.is_multicast(), Cover::h2_fecn_multicast);
        }
        self.hit_if(bad && cnp, Cover::h3_cnp_damaged);
        self.hit_if(bad && fecn, Cover::h2_fecn_damaged);
        let counts = h.bth.is_some() && !cnp && !h.is_ack() && !h.is_multicast();
        let psn = h.bth.map_or(0, |b| b.psn & 0x7f);
        let (slid, sl) = (u32::from(h.slid), u32::from(h.sl));
        a.packet = Current { n, m: 1, cnp, becn, fecn, slid, sl, vl, psn, counts };
        if last && !bad && n == 1 {
            self.judge_whole(a);
        }
    }

    /// The packet is whole with the flit of this cycle.
    fn judge_whole(&mut self, a: &mut Arrival) {
        let Current { cnp, becn, fecn, slid, sl, vl, .. } = a.packet;
        if !cnp {
            a.received = true;
            self.hit(Cover::b3_received);
        }
        if becn {
            a.becn = self.flow_of(slid);
            self.hit(if cnp { Cover::h3_becn_cnp } else { Cover::h3_becn_data });
            if a.becn.is_none() {
                a.errors |= BAD_FLOW;
                self.hit(Cover::h3_bad_flow);
            }
        } else {
            self.hit_if(cnp, Cover::h3_cnp_without_becn);
        }
        self.hit_if(fecn && !self.cfg.cnp_en, Cover::h2_cnp_disabled);
        if self.asks_for_reply(a) {
            // The lane of its destination.
            let vl = vl_of_vl(self.p.vl_by_dest, self.p.vls, slid as usize, vl);
            a.cnp = Some(Cnp { dlid: slid, sl, vl });
        }
    }

    /// H2: the whole packet is answered; or its FECN waits for the end of the message.
    fn asks_for_reply(&mut self, a: &mut Arrival) -> bool {
        let Current { fecn, slid, psn, counts, .. } = a.packet;
        if !self.cfg.cnp_en || self.cfg.becn_per == 0 {
            return self.cfg.cnp_en && fecn;
        }
        let Some(flow) = self.flow_of(slid) else {
            self.hit_if(fecn, Cover::h2_seen_no_flow);
            return fecn;
        };
        if !counts {
            return false;
        }
        let seen = bit(&self.receiver.seen, flow);
        let last = (1 << self.cfg.becn_per) - 1;
        if psn & last != last {
            if fecn || seen {
                a.seen = Some((flow, true));
                self.hit_if(!seen, Cover::h2_seen_set);
            }
            return false;
        }
        a.seen = Some((flow, false));
        self.hit_if(fecn, Cover::h2_end_with_fecn);
        self.hit_if(seen && !fecn, Cover::h2_seen_told);
        self.hit_if(!seen && !fecn, Cover::h2_end_clean);
        fecn || seen
    }

    /// H2: FECNs that are not yet told, after the cycle.
    fn step_seen(&mut self, input: &[u32], a: &Arrival) {
        let [we, _, addr, _] = self.register_port(input, 3);
        let written = we & 1 != 0 && addr & 0xff == 4;
        if written || !self.cfg.cnp_en {
            let any = self.receiver.seen.iter().any(|s| *s != 0);
            self.hit_if(any, Cover::h2_seen_forgotten);
            self.receiver.seen.fill(0);
            self.receiver.late.fill(None);
            return;
        }
        let Some((flow, value)) = a.seen else { return };
        // Of which message the bit is.
        let message = a.packet.psn >> self.cfg.becn_per;
        let before = self.receiver.late[flow];
        self.receiver.late[flow] = value.then_some(before.unwrap_or(message));
        let told = !value && before.is_some();
        self.hit_if(told && before != Some(message), Cover::h2_seen_late);
        self.hit_if(told && a.packet.psn == 0x7f, Cover::h2_psn_wraps);
        set_bit(&mut self.receiver.seen, flow, value);
    }

    /// The edge: FIFO, counters, credit slot. Returns new errors.
    pub(super) fn step_receiver(&mut self, input: &[u32], control: &Control, a: &Arrival) -> u32 {
        let mut errors = 0;
        let bit = |at: usize| input[at] & 1 != 0;
        self.step_slot();
        self.receiver.state = a.state;
        self.receiver.packet = a.packet;
        (self.receiver.ctx_vl, self.receiver.ctx_vl_ok) = a.ctx;
        self.step_seen(input, a);
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
        if let Some(Flags { first, last, bad, vl }) = a.store {
            let mut data = [0; FLIT_WORDS];
            data[..self.flit_words].copy_from_slice(&input[self.i.rx_data..][..self.flit_words]);
            self.receiver.fifo.push_back(Stored { first, last, bad, vl, data });
            self.receiver.used[vl] += 1;
            self.hit_if(bad, Cover::b3_bad_received);
            self.hit_if(popped == Some(vl), Cover::f2_push_and_pop);
            self.hit_if(self.receiver.used[vl] == self.rx_cap(vl), Cover::f2_full);
        }
        // F1
        if !bit(self.i.link_up) {
            if !crate::model::faults::on(crate::model::faults::Fault::credits_outlive_the_link) {
                self.receiver.abr.fill(0);
            }
        } else if let Some(Credit { vl, blocks: fctbs }) = control.fctbs {
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
        let free = self.rx_cap(r.fc_vl) - r.used[r.fc_vl];
        (r.fcc == 0).then(|| Credit { vl: r.fc_vl as u32, blocks: (r.abr[r.fc_vl] + free) & CREDIT_MASK })
    }

    fn step_slot(&mut self) {
        let last = self.cfg.fc_interval - 1;
        if self.receiver.fcc == 0 {
            let vl = self.receiver.fc_vl;
            self.hit_if(self.receiver.used[vl] == self.rx_cap(vl), Cover::f1_no_room);
            self.receiver.fc_vl = (vl + 1) % self.p.vls;
        }
        self.hit_if(self.receiver.fcc > last, Cover::f1_fc_interval_shrinks);
        self.receiver.fcc = if self.receiver.fcc >= last { 0 } else { self.receiver.fcc + 1 };
    }
}
