//! The receiver and its FIFO: section 4 of the page.

use std::collections::VecDeque;

use super::cover::Cover;
use super::reserve_state::code_of;
use super::state::{
    Arrival, BAD_ACK, BAD_CLASS, BAD_FLOW, BAD_PKT, BAD_VL, CREDIT_MASK, Current, End, FLIT_WORDS, FRAMING,
    Flags, Hca, LINK_DOWN, MISROUTED, NO_CREDIT, Receiver, Reply, Rx, Stored,
};
use crate::model::header::{Header, Marks};
use crate::model::link::{Control, Credit};
use crate::model::util::{bit, set_bit};
use crate::params::Params;
use crate::params::lanes::{SrpLane, opcode};
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
            ack: None,
            cnt_becn: 0,
            cnt_rcv: 0,
            cnt_ack_in: 0,
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
            ack: None,
            reply: None,
            ended: None,
            seen: None,
            received: false,
            request: None,
            answer: None,
            walk: None,
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
            self.judge_first(&h, input, last, bad, &mut a);
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

    /// H2: data, not notified, and marked as cnp_src says.
    fn is_fecn(&self, packet: &Current) -> bool {
        let marks = if self.cfg.cnp_src { Marks::MB | Marks::VB } else { Marks::FECN };
        !self.p.srp && packet.data && !packet.marks.has(Marks::BECN) && packet.marks.has(marks)
    }

    /// Section 7: a cycle without a link.
    fn lose_link(&mut self, a: &mut Arrival) {
        let Current { taken, ack, data, .. } = a.packet;
        match a.state {
            Rx::Open => {
                a.errors |= LINK_DOWN;
                self.hit(Cover::b3_link_down_open);
                self.hit_if(data && self.cfg.ack_en, Cover::ak3_link_down);
            }
            Rx::Eat => {
                a.errors |= LINK_DOWN;
                if ack {
                    a.errors |= BAD_ACK;
                    self.hit(Cover::ak5_link_down);
                } else {
                    self.hit(Cover::b3_link_down_eat);
                }
            }
            Rx::Skip => self.hit(Cover::b3_link_down_skip),
            Rx::Idle => self.hit(Cover::f1_link_down_idle),
        }
        debug_assert!(taken || a.state != Rx::Eat);
        a.state = Rx::Idle;
        a.ctx.1 = false;
    }

    /// A flit of the packet in OPEN or EAT.
    fn judge_next(&mut self, last: bool, bad: bool, a: &mut Arrival) {
        a.packet.m += 1;
        let Current { n, m, taken, vl, .. } = a.packet;
        let mut flags = Flags { first: false, last, bad, vl, marker: false };
        if bad || last && m == n {
            a.state = Rx::Idle;
            a.ended = Some(if bad { End::Bad } else { End::Whole });
        } else if last || m == n {
            a.errors |= FRAMING;
            a.state = if last { Rx::Idle } else { Rx::Skip };
            a.ended = Some(End::Length);
            (flags.last, flags.bad) = (true, true);
            self.hit(if last { Cover::b3_short } else { Cover::b3_long });
        }
        if !taken {
            a.store = Some(flags);
        }
        self.judge_end(a);
    }

    /// `first` in OPEN or EAT: the packet of before is given up.
    fn give_up(&mut self, a: &mut Arrival) {
        a.errors |= FRAMING;
        self.hit(Cover::b3_framing_first);
        let given_up = self.receiver.packet;
        let fecn = self.is_fecn(&given_up);
        if given_up.taken && given_up.ack {
            a.errors |= BAD_ACK;
            self.hit(Cover::ak5_given_up);
        }
        self.hit_if(given_up.taken && !given_up.ack, Cover::h3_cnp_not_whole);
        self.hit_if(fecn, Cover::h2_fecn_not_whole);
        self.hit_if(given_up.data && self.cfg.ack_en, Cover::ak3_given_up);
    }

    /// A flit with `first`.
    fn judge_first(&mut self, h: &Header, input: &[u32], last: bool, bad: bool, a: &mut Arrival) {
        match self.receiver.state {
            Rx::Open | Rx::Eat => self.give_up(a),
            Rx::Skip => self.hit(Cover::b3_skip_first),
            Rx::Idle => {}
        }
        let vl = h.lane(self.p.vls, self.p.vl_by_dest);
        let known = vl < self.p.vls;
        a.ctx = (vl, known);
        a.counted = known.then_some(vl);
        self.hit_if(!known, Cover::f1_uncounted);

        let acks = self.cfg.ack_en;
        let (n, cnp, ack, multicast) = (h.flits(), h.is_cnp(), h.is_ack(), h.is_multicast());
        let data = h.is_marked();
        let class = self.p.srp_lane(vl.min(self.p.vls - 1)).filter(|_| known);
        let taken = match class {
            Some(class) => class == SrpLane::Reply,
            None => h.kind().is_consumed(acks && !multicast) && !self.p.srp,
        };
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
        if u32::from(h.dlid) != self.cfg.lid && !multicast {
            failed |= MISROUTED;
            self.hit(Cover::b3_misrouted);
        }
        if self.p.control_lane() == Some(vl) {
            if n != 1 || !(cnp || ack) {
                failed |= BAD_CLASS;
                self.hit(if cnp || ack { Cover::cl3_long } else { Cover::cl3_data });
            } else {
                self.hit(Cover::cl3_reply);
            }
        }
        if class.is_some_and(|class| !self.is_of_class(h, class)) {
            failed |= BAD_CLASS;
        }
        let room = if known { self.rx_cap(vl) - self.receiver.used[vl] } else { 0 };
        if failed == 0 && !taken && n as u32 > room {
            failed |= NO_CREDIT;
            self.hit(Cover::b3_no_credit);
            self.hit_if(data && acks, Cover::ak3_refused);
        }
        a.errors |= failed;
        let passed = failed == 0 && !self.is_strange(h, a);
        a.state = match (last, passed) {
            (true, _) => Rx::Idle,
            (false, true) if taken => Rx::Eat,
            (false, true) => Rx::Open,
            (false, false) => Rx::Skip,
        };
        if !passed {
            return;
        }
        if let Some(SrpLane::Res | SrpLane::Reply) = class {
            if !bad {
                self.judge_reserving(h, input, a);
            }
            return;
        }
        if taken {
            self.hit_if(cnp && !last, Cover::h3_cnp_long);
            self.hit_if(ack && room == 0, Cover::ak5_without_room);
        } else {
            if self.drop_copy(vl, last, a) {
                return;
            }
            a.store = Some(Flags { first: true, last, bad, vl, marker: false });
            if class == Some(SrpLane::Data) && code_of(h) != Some(opcode::GRANTED) {
                a.walk = Some(n as u32);
                self.hit(Cover::q15_walk_in);
            }
            self.hit_if(ack && multicast && acks, Cover::ak5_multicast);
            self.hit_if(ack && !acks && !self.p.srp, Cover::ak5_off);
        }
        let [marked, becn] = [Marks::FECN, Marks::BECN].map(|mark| h.marks().has(mark));
        self.hit_if(!cnp && multicast, Cover::b3_multicast);
        if marked && !cnp && !self.p.srp {
            self.hit_if(becn, Cover::h2_becn_beats_fecn);
            self.hit_if(!becn && ack, Cover::h2_fecn_ack);
            self.hit_if(!becn && multicast, Cover::h2_fecn_multicast);
        }
        a.packet = Current {
            n,
            m: 1,
            taken,
            ack,
            data,
            multicast,
            opaque: h.bth.is_none(),
            marks: h.marks(),
            slid: u32::from(h.slid),
            sl: u32::from(h.sl),
            vl,
            psn: h.bth.map_or(0, |b| b.psn),
            acks,
        };
        if last {
            // (It is legal: bad, or of one flit.)
            a.ended = Some(if bad { End::Bad } else { End::Whole });
        }
        let given_up = self.receiver.packet;
        let before = self.receiver.state == Rx::Open && given_up.data && self.cfg.ack_en;
        self.hit_if(before && data && last, Cover::ak3_given_up_and_next);
        self.judge_end(a);
    }

    /// What becomes of a packet that ends, if one does.
    fn judge_end(&mut self, a: &mut Arrival) {
        let Some(end) = a.ended else { return };
        let packet = a.packet;
        let Current { taken, ack, data, .. } = packet;
        let fecn = self.is_fecn(&packet);
        if end != End::Whole {
            let bad = end == End::Bad;
            if taken && ack {
                a.errors |= BAD_ACK;
                self.hit(if bad { Cover::ak5_damaged } else { Cover::ak5_not_whole });
            }
            if taken && !ack {
                self.hit(if bad { Cover::h3_cnp_damaged } else { Cover::h3_cnp_not_whole });
            }
            if fecn {
                self.hit(if bad { Cover::h2_fecn_damaged } else { Cover::h2_fecn_not_whole });
            }
        }
        let answers = self.cfg.ack_en;
        if data && answers {
            a.reply = Some(self.reply_to(&packet, true));
        }
        self.hit_if(data && !answers && packet.acks, Cover::ak3_too_late);
        self.hit_if(!taken && packet.multicast && answers, Cover::ak3_multicast);
        self.hit_if(!taken && packet.opaque && answers, Cover::ak3_opaque);
        if end == End::Whole {
            self.judge_whole(a);
        }
    }

    /// Section 4: the reply to a packet, which waits on the lane of its destination.
    fn reply_to(&self, packet: &Current, ack: bool) -> Reply {
        let Current { slid, sl, psn, marks, .. } = *packet;
        Reply {
            ack,
            dlid: slid,
            sl,
            vl: match self.p.control_lane() {
                Some(lane) => lane,
                None => vl_of_vl(self.p.vl_by_dest, self.p.vls, slid as usize, packet.vl),
            },
            psn: if ack { psn } else { 0 },
            marks: if ack { marks & (Marks::FECN | Marks::MB | Marks::VB) } else { Marks::NONE },
        }
    }

    /// The packet is whole with the flit of this cycle.
    fn judge_whole(&mut self, a: &mut Arrival) {
        let packet = a.packet;
        let Current { taken, ack, data, marks, slid, .. } = packet;
        let cnp = taken && !ack;
        let (becn, fecn) = (marks.has(Marks::BECN), self.is_fecn(&packet));
        if !taken {
            a.received = true;
            self.hit(Cover::b3_received);
        }
        if self.p.srp {
            return;
        }
        if taken && ack {
            self.judge_ack(a);
        }
        if becn {
            a.becn = self.flow_of(slid);
            if !ack {
                self.hit(if cnp { Cover::h3_becn_cnp } else { Cover::h3_becn_data });
            }
            if a.becn.is_none() {
                a.errors |= BAD_FLOW;
                self.hit(Cover::h3_bad_flow);
            }
            self.hit_if(taken && ack && a.becn.is_some() && !self.p.response, Cover::ak5_throttles);
        } else {
            self.hit_if(cnp, Cover::h3_cnp_without_becn);
        }
        self.hit_if(fecn && !self.cfg.cnp_en, Cover::h2_cnp_disabled);
        self.hit_if(fecn && self.cfg.cnp_en && self.cfg.ack_en, Cover::ak3_no_cnp);
        if self.asks_for_cnp(a, fecn) {
            a.reply = Some(self.reply_to(&packet, false));
        } else if self.cfg.cnp_src && self.cfg.cnp_on() && data && !becn {
            self.hit_if(marks.has(Marks::FECN), Cover::h2_src_fecn);
            self.hit_if(marks.has(Marks::MB) && !marks.has(Marks::VB), Cover::h2_src_mb);
        }
    }

    /// AK5: an ACK that is taken and whole.
    fn judge_ack(&mut self, a: &mut Arrival) {
        let Current { m, marks, slid, .. } = a.packet;
        let Some(flow) = self.flow_of(slid) else {
            a.errors |= BAD_FLOW;
            self.hit(Cover::ak5_bad_flow);
            return;
        };
        let [becn, mb, vb] = [Marks::BECN, Marks::MB, Marks::VB].map(|mark| marks.has(mark));
        a.ack = Some((flow, marks.ack_bits()));
        self.hit(Cover::ak5_ack);
        self.hit_if(self.receiver.ack.is_some(), Cover::ak5_back_to_back);
        self.hit_if(becn, Cover::ak5_becn);
        self.hit_if(mb && !vb, Cover::ak5_mb);
        self.hit_if(mb && vb, Cover::ak5_vb);
        self.hit_if(m > 1, Cover::ak5_long);
        self.hit_if(!self.cfg.ack_en, Cover::ak5_late);
    }

    /// H2: the whole packet is answered with a CNP; or its FECN, the mark of cnp_src, waits for the end of the message.
    fn asks_for_cnp(&mut self, a: &mut Arrival, fecn: bool) -> bool {
        let Current { slid, psn, data, .. } = a.packet;
        if !self.cfg.cnp_on() || self.cfg.becn_per == 0 {
            return self.cfg.cnp_on() && fecn;
        }
        let Some(flow) = self.flow_of(slid) else {
            self.hit_if(fecn, Cover::h2_seen_no_flow);
            return fecn;
        };
        if !data {
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
        if written || !self.cfg.cnp_on() {
            let any = self.receiver.seen.iter().any(|s| *s != 0);
            let acks = self.cfg.cnp_en && self.cfg.ack_en && self.cfg.becn_per > 0;
            self.hit_if(any && acks, Cover::ak3_seen_forgotten);
            self.hit_if(any, Cover::h2_seen_forgotten);
            self.receiver.seen.fill(0);
            self.receiver.late.fill(None);
            return;
        }
        let Some((flow, value)) = a.seen else { return };
        // Of which message the bit is.
        let message = (a.packet.psn & 0x7f) >> self.cfg.becn_per;
        let before = self.receiver.late[flow];
        self.receiver.late[flow] = value.then_some(before.unwrap_or(message));
        let told = !value && before.is_some();
        self.hit_if(told && before != Some(message), Cover::h2_seen_late);
        self.hit_if(told && a.packet.psn & 0x7f == 0x7f, Cover::h2_psn_wraps);
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
        let leaves = self.marker_leaves();
        if let Some(vl) = self.shown().or(self.receiver.fifo.front().filter(|_| leaves)).map(|flit| flit.vl) {
            if bit(self.i.host_ready) || leaves {
                popped = Some(vl);
                self.receiver.used[vl] -= 1;
                self.take_first();
                self.receiver.fifo.pop_front();
            } else {
                self.hit(Cover::f2_host_waits);
            }
        }
        self.step_requests(a);
        if let Some(Flags { first, last, bad, vl, marker }) = a.store {
            let mut data = [0; FLIT_WORDS];
            data[..self.flit_words].copy_from_slice(&input[self.i.rx_data..][..self.flit_words]);
            self.receiver.fifo.push_back(Stored { first, last, bad, vl, marker, data });
            self.receiver.used[vl] += 1;
            self.hit_if(bad, Cover::b3_bad_received);
            self.hit_if(popped == Some(vl), Cover::f2_push_and_pop);
            self.hit_if(self.receiver.used[vl] == self.rx_cap(vl), Cover::f2_full);
        }
        // F1
        if !bit(self.i.link_up) {
            self.receiver.abr.fill(0);
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
        self.receiver.ack = a.ack;
        if a.ack.is_some() {
            self.receiver.cnt_ack_in = self.p.cnt_max().min(self.receiver.cnt_ack_in.saturating_add(1));
        }
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
