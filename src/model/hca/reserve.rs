//! An adapter with reservation (SRP = 1): section 13 of the page.

use super::cover::Cover;
use super::reserve_state::{INIT, LAST, Note, RETRY, Reserve, SpecPacket};
use super::state::{Arrival, Chooser, FLIT_WORDS, Hca, Made, OwnIn, Sending, Stored};
use crate::model::Unit;
use crate::model::header::{Marks, SrpFields};
use crate::model::link::Control;
use crate::params::lanes::{SrpLane, opcode};
use crate::scheme::packet::PacketKind;

/// Opcode, and the fields behind the BTH, of a first flit whose other headers are there.
pub(super) fn write_reserved(flit: &mut [u32], opcode: u8, fields: Option<SrpFields>) {
    flit[2] = flit[2] & !0xff | u32::from(opcode);
    fields.iter().for_each(|f| f.write(flit));
}

impl Note {
    /// The flit that it is.
    fn flit(&self, lid: u32, words: usize) -> [u32; FLIT_WORDS] {
        let mut flit = [0; FLIT_WORDS];
        let header = Made {
            kind: PacketKind::Data,
            marks: Marks::NONE,
            vl: self.vl,
            sl: self.sl,
            dlid: self.dlid,
            slid: lid,
            n: 1,
            qp: 0,
            psn: 0,
        };
        header.write(&mut flit[..words]);
        write_reserved(&mut flit[..words], self.opcode, Some(self.fields));
        flit
    }
}

/// Flags: R, the last chunk, I.
fn flags(rty: u32, last: u32, init: u32) -> u8 {
    [(rty, RETRY), (last, LAST), (init, INIT)].into_iter().filter(|f| f.0 != 0).map(|f| f.1).sum()
}

impl Hca {
    /// Lane of a class.
    pub(super) fn lane_of(&self, class: SrpLane) -> usize {
        class.vl(self.p.vls)
    }

    /// Element of a vector of the output port: the lane of requester 1 (RES) or 2 (replies).
    fn element(&self, requester: usize) -> usize {
        requester * self.p.vls + self.lane_of([SrpLane::Res, SrpLane::Reply][requester - 1])
    }

    /// The RES on offer.
    fn asked(&self, r: &Reserve) -> Option<Note> {
        let (o, at) = (&self.chooser.out, &r.out);
        (o[at.res_valid] != 0).then(|| Note {
            opcode: opcode::RES,
            vl: self.lane_of(SrpLane::Res),
            sl: o[at.res_sl],
            dlid: self.dlid(o[at.res_flow] as usize),
            fields: SrpFields {
                id: o[at.res_id] as u16,
                n: o[at.res_n] as u8,
                flags: flags(o[at.res_rty], o[at.res_last], o[at.res_init]),
                size: o[at.res_size] as u16,
                ..SrpFields::default()
            },
        })
    }

    /// The reply on offer.
    fn answered(&self, r: &Reserve) -> Option<Note> {
        let (o, at) = (&self.chooser.out, &r.out);
        (o[at.out_valid] != 0).then(|| Note {
            opcode: opcode::RES + o[at.out_kind] as u8,
            vl: self.lane_of(SrpLane::Reply),
            sl: o[at.out_sl],
            dlid: o[at.out_lid],
            fields: SrpFields {
                id: o[at.out_id] as u16,
                seq: o[at.out_seq] as u8,
                flags: flags(o[at.out_rty], 0, o[at.out_init]),
                wait: o[at.out_wait],
                ..SrpFields::default()
            },
        })
    }

    /// Requesters 1 and 2 of the output port.
    pub(super) fn ask_reserving(&self, words: &mut [u32]) {
        let Some(r) = &self.reserve else { return };
        let w = &self.si;
        for (i, offer) in [self.asked(r), self.answered(r)].into_iter().enumerate() {
            if let Some(note) = offer {
                let q = self.element(i + 1);
                words[w.req_valid + q] = 1;
                words[w.req_len + q] = 1;
                words[w.req_dlid + q] = note.dlid;
            }
            words[w.xb_act + 1 + i] = u32::from(r.engines[i].is_some());
            words[w.xb_end + 1 + i] = words[w.xb_act + 1 + i];
        }
    }

    /// Whether the output port grants requester 1 or 2.
    fn grants(&self, requester: usize) -> bool {
        self.send.out[self.so.grant + self.element(requester)] != 0
    }

    /// The packet that the injector takes in this cycle.
    fn takes_offer(&mut self, input: &[u32]) -> Option<Sending> {
        let at = self.reserve.as_ref()?.out;
        let o = &self.chooser.out;
        if o[self.to.inj_valid] == 0 {
            return None;
        }
        let (vl, n) = (o[at.inj_lane] as usize, o[at.inj_len]);
        let fields = SrpFields {
            id: o[at.inj_id] as u16,
            seq: o[at.inj_seq] as u8,
            n: o[at.inj_n] as u8,
            flags: flags(o[at.inj_rty], o[at.inj_last], 0),
            ..SrpFields::default()
        };
        let reserved = match o[at.inj_kind] {
            1 => (opcode::SPEC, Some(fields)),
            2 => (opcode::GRANTED, Some(fields)),
            _ => (PacketKind::Data.opcode(), None),
        };
        let flow = o[self.to.inj_flow] as usize;
        let sending = Sending {
            flow,
            psn: o[at.inj_psn],
            index: 0,
            n,
            sl: o[self.to.inj_sl],
            vl,
            dlid: self.dlid(flow),
            cnp: false,
            reserved: Some(reserved),
        };
        let free = self.injector.sending.is_none() || self.last_leaves(input);
        self.hit_if(!free, Cover::h8_offer_waits_for_dma);
        (free && self.injector.fits(vl, n)).then_some(sending)
    }

    /// room[v] for packets of the host, and link_room[v].
    fn reserving_rooms(&mut self) -> (u32, u32) {
        let (mut room, mut link_room, mut apart, mut full) = (0, 0, false, false);
        for v in 0..self.port_lanes {
            let own = self.injector.fits(v, self.p.mtu as u32);
            let link = self.send.unit.has_credit(v);
            room |= u32::from(own && link) << v;
            apart |= own && !link;
            if v < self.p.data_lanes() {
                link_room |= u32::from(link) << v;
                full |= link && !own;
            }
        }
        self.hit_if(apart, Cover::q20_link_lacks_room);
        self.hit_if(full, Cover::q20_own_queue_full);
        (room, link_room)
    }

    /// Inputs of the reservation; `taken` is the packet that the injector takes.
    pub(super) fn drive_reserve(
        &mut self,
        input: &[u32],
        taken: Option<&Sending>,
        arrival: Option<&Arrival>,
    ) {
        let OwnIn::Reservation(w) = self.own else { return };
        let c = self.ti;
        let (room, link_room) = self.reserving_rooms();
        let mut words = std::mem::take(&mut self.chooser.input);
        words.fill(0);
        for (to, word) in
            [c.cfg_we, c.cfg_re, c.cfg_addr, c.cfg_data].into_iter().zip(self.register_port(input, 2))
        {
            words[to] = word;
        }
        words[c.attr_we..c.attr_we + 3].copy_from_slice(&input[self.i.attr_we..self.i.attr_we + 3]);
        for (to, from) in [
            (w.post_valid, self.i.gen_valid),
            (w.post_flow, self.i.gen_flow),
            (w.post_pkts, self.i.gen_pkts),
            (w.post_last, self.i.gen_len),
            (w.post_psn, self.i.gen_psn),
        ] {
            words[to] = input[from];
        }
        words[w.room] = room;
        words[w.link_room] = link_room;
        words[c.inj_ready] = u32::from(taken.is_some());
        words[w.res_ready] = u32::from(self.grants(1));
        words[w.out_ready] = u32::from(self.grants(2));
        if let Some(r) = &self.reserve {
            words[w.ungranted] = u32::from(r.ungranted);
            if let Some(a) = r.answer {
                let fields = [1, a.kind, a.flow as u32, a.id, a.seq, a.wait];
                words[w.rep_valid..w.rep_valid + 6].copy_from_slice(&fields);
                words[w.rep_rty] = u32::from(a.rty);
                words[w.rep_init] = u32::from(a.init);
            }
            if let Some(q) = r.request {
                words[w.rin_valid..w.rin_valid + 5].copy_from_slice(&[1, q.slid, q.sl, q.id, q.size]);
                words[w.rin_init] = u32::from(q.init);
            }
            if let Some((bad, p)) = self.spec_end(input, r) {
                let fields = [1, u32::from(bad), p.slid, p.sl, p.id, p.seq];
                words[w.end_valid..w.end_valid + 6].copy_from_slice(&fields);
                words[w.end_rty] = u32::from(p.rty);
            }
            if let Some(flits) = r.walk {
                words[w.walk_valid..w.walk_valid + 2].copy_from_slice(&[1, flits]);
            }
            if let Some(arrival) = arrival.filter(|_| self.p.dedup) {
                self.drive_sources(input, arrival, &mut words, w.see_look);
            }
        }
        self.chooser.input = words;
    }

    /// What the first flit of a packet in the receive FIFO said, of which this is one.
    fn packet_of(&self, flit: &Stored, r: &Reserve) -> SpecPacket {
        match flit.first {
            true => SpecPacket::of(&flit.data[..self.flit_words], self.p.dedup),
            false => r.first,
        }
    }

    /// Q12: a flit is the last one of a SPEC packet, Q22: or of a GRANTED one with R.
    fn ends_spec(&self, flit: &Stored, r: &Reserve) -> bool {
        let spec = self.p.srp_lane(flit.vl) == Some(SrpLane::Spec);
        flit.last && (spec || self.p.dedup && self.packet_of(flit, r).answered)
    }

    /// The flit shown to the host.
    pub(super) fn shown(&self) -> Option<&Stored> {
        let head = self.receiver.fifo.front()?;
        match &self.reserve {
            Some(_) if head.marker => None,
            Some(r) if self.ends_spec(head, r) && self.chooser.out[r.out.end_ok] == 0 => None,
            _ => Some(head),
        }
    }

    /// Q12: the host takes the last flit of a SPEC packet: whether it is damaged, and what its first flit said. Q22: or a marker leaves.
    fn spec_end(&self, input: &[u32], r: &Reserve) -> Option<(bool, SpecPacket)> {
        if self.marker_leaves() {
            return self.receiver.fifo.front().map(|marker| (false, self.packet_of(marker, r)));
        }
        let head = self.shown().filter(|_| input[self.i.host_ready] & 1 != 0)?;
        self.ends_spec(head, r).then_some((head.bad, self.packet_of(head, r)))
    }

    /// The host takes the head of the receive FIFO: what a first flit says is kept.
    pub(super) fn take_first(&mut self) {
        let (Some(r), Some(head)) = (&mut self.reserve, self.receiver.fifo.front()) else { return };
        if head.first && !head.marker {
            r.first = SpecPacket::of(&head.data[..self.flit_words], self.p.dedup);
        }
    }

    /// The edge: the engines of RES and replies.
    fn step_notes(&mut self, input: &[u32]) {
        let rd_en = self.send.out[self.so.rd_en] != 0;
        let Some(r) = &self.reserve else { return };
        let mut engines = r.engines;
        let offers = [self.asked(r), self.answered(r)];
        self.replies.emitted = None;
        for engine in engines.iter_mut().filter(|_| rd_en) {
            if let Some(note) = engine.take() {
                self.replies.emitted = Some(note.flit(self.cfg.lid, self.flit_words));
            }
        }
        let emits = self.replies.emitted.is_some();
        let data = self.port.out[self.po.req_valid..][..self.port_lanes].iter().any(|&v| v != 0);
        let down = input[self.i.link_up] & 1 == 0;
        for (i, offer) in offers.into_iter().enumerate() {
            let Some(note) = offer else { continue };
            if !self.grants(i + 1) {
                self.hit([Cover::q17_waits_for_link, Cover::q12_waits_for_link][i]);
                continue;
            }
            self.hit([Cover::q17_sent, Cover::q12_sent][i]);
            self.hit_if(emits, Cover::q3_back_to_back);
            self.hit_if(data, Cover::q3_before_data);
            self.hit_if(down, Cover::q3_lost_with_link);
            self.hit_if(i == 0 && offers[1].is_some(), Cover::q3_request_before_reply);
            self.hit_if(i == 0 && note.fields.flags & RETRY != 0, Cover::q22_res_again);
            engines[i] = Some(note);
        }
        self.reserve.iter_mut().for_each(|r| r.engines = engines);
    }

    /// The edge: `ungranted`.
    fn step_ungranted(&mut self, taken: Option<&Sending>) {
        let granted = self.send.out[self.so.grant..][..self.port_lanes].iter().any(|&g| g != 0);
        // All that was accepted came into the input port, and left it or was refused there.
        let empty =
            self.injector.sending.is_none() && self.injector.has_all_credit(self.port_lanes, self.port_cap);
        let Some(r) = &mut self.reserve else { return };
        let refused = r.ungranted && !granted && empty;
        let waits = r.ungranted && !granted && !empty;
        r.ungranted = taken.is_some() || waits;
        let early = granted && self.injector.sending.is_some();
        self.hit_if(waits, Cover::q20_waits_for_grant);
        self.hit_if(early, Cover::q20_granted_while_sent);
        self.hit_if(refused, Cover::q20_refused);
    }

    /// One cycle in which the unit is ready.
    pub(super) fn clock_reserving(&mut self, input: &[u32]) {
        let control = Control::unpack(&input[self.i.rx_ctl..][..self.ctl_words]);
        // Everything from S(t): the inputs of the embedded units ...
        self.drive_send(input, &control);
        self.drive_port(input);
        let taken = self.takes_offer(input);
        // Section 14: the receiver hears what came in the cycle before.
        let late = self.heard(input);
        let (heard, told) = late.as_ref().map_or((input, &control), |(words, told)| (words, told));
        let arrival = self.judge(heard);
        self.cover_pass(&arrival);
        self.drive_reserve(input, taken.as_ref(), Some(&arrival));
        self.cover_host(input);
        if let Some(s) = &taken {
            self.hit(match s.reserved {
                Some((opcode::SPEC, _)) => Cover::q17_spec,
                Some((opcode::GRANTED, _)) => Cover::q17_granted,
                _ => Cover::q17_bypass,
            });
            let again = matches!(s.reserved, Some((_, Some(f))) if f.flags & RETRY != 0);
            self.hit_if(again, Cover::q22_sent_again);
        }
        // ... and the edge.
        self.step_notes(input);
        self.step_ungranted(taken.as_ref());
        self.step_injector(input, taken);
        let errors = arrival.errors | self.step_receiver(heard, told, &arrival);
        self.step_pins(input, &control);
        self.step_registers(input, errors);
    }

    /// Cover: what the host sees of SPEC packets.
    fn cover_host(&mut self, input: &[u32]) {
        let Some(r) = &self.reserve else { return };
        let Some(head) = self.receiver.fifo.front() else { return };
        if head.marker {
            self.hit(if self.marker_leaves() { Cover::q22_marker_leaves } else { Cover::q22_marker_waits });
            return;
        }
        let (held, single) = (self.shown().is_none(), head.first);
        let granted = self.p.srp_lane(head.vl) == Some(SrpLane::Data);
        let end = self.spec_end(input, r).map(|(bad, _)| bad);
        if granted {
            self.hit_if(held, Cover::q22_held_back);
            self.hit_if(end == Some(false), Cover::q22_delivered);
            self.hit_if(end == Some(true), Cover::q22_delivered_bad);
            return;
        }
        self.hit_if(held, Cover::q12_held_back);
        self.hit_if(end == Some(false), Cover::q12_delivered);
        self.hit_if(end == Some(true), Cover::q12_delivered_bad);
        self.hit_if(end.is_some() && single, Cover::q12_one_flit);
    }

    /// States of the reservation that the adapter shows.
    pub(super) fn state_reserving(&self, state: &mut [u32]) {
        let (Some(r), Chooser::Reservation(unit)) = (&self.reserve, &self.chooser.unit) else { return };
        let (w, at) = (&self.s, &r.state);
        let mut own = vec![0; r.state_words];
        unit.state(&mut own);
        state[w.st_ungranted] = u32::from(r.ungranted);
        for (to, from) in [
            (w.st_t, at.st_t),
            (w.st_tv, at.st_tv),
            (w.st_res_pkts, at.st_res_pkts),
            (w.st_rep_pkts, at.st_rep_pkts),
        ] {
            state[to] = own[from];
        }
        let words = self.stop.len();
        for (to, from) in [
            (w.st_rs, at.st_rs),
            (w.st_sp, at.st_sp),
            (w.st_go, at.st_go),
            (w.st_wt, at.st_wt),
            (w.st_pq, at.st_pq),
        ] {
            state[to..to + words].copy_from_slice(&own[from..from + words]);
        }
    }
}
