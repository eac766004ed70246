//! Section 16: speculative packets: their ages, their drops, what goes back in their place, and the engine that discards the rest.

use super::cover::Cov;
use super::state::{Arrival, Discard, InputPort, Packet, PacketId, Spec, States, Way};
use crate::model::header::{Header, Marks, SrpFields};
use crate::params::Params;
use crate::params::lanes::{SrpLane, opcode};
use crate::scheme::reservation::{MOST_AGE, expired, grown, waited};

impl Spec {
    pub fn new(p: &Params) -> Spec {
        Spec { lane: p.srp.then(|| SrpLane::Spec.vl(p.vls)), now: 0, discard: None, drops: 0 }
    }

    /// The clock goes on, in every cycle.
    pub fn tick(&mut self) {
        if self.lane.is_some() {
            self.now = (self.now + 1) & MOST_AGE;
        }
    }

    /// Q5: the stamp of a packet that is accepted in this cycle.
    pub fn stamp(&self) -> u32 {
        (self.now + 1) & MOST_AGE
    }
}

impl InputPort {
    /// Q2: the queue of a cold packet for (o,v), `q` = o*V+v.
    pub(super) fn queue_of_lane(p: &Params, q: usize) -> usize {
        let v = q % p.vls;
        if p.srp_lane(v).is_some_and(SrpLane::is_fifo) { v } else { q }
    }

    /// Q2: VL `v` has one queue for all outputs.
    pub(super) fn is_fifo(&self, v: usize) -> bool {
        self.p.srp_lane(v).is_some_and(SrpLane::is_fifo)
    }

    /// Q7: speculative packets dropped.
    pub fn count_spec_drop(&self) -> u32 {
        self.spec.drops
    }

    /// Q7: the head of the spec FIFO is a NACK.
    pub fn holds_nack(&self) -> bool {
        self.spec_head().is_some_and(|head| head.way.nack)
    }

    fn spec_head(&self) -> Option<&Packet> {
        self.head(self.spec.lane?)
    }

    /// Q5: cycles that a packet of the spec FIFO has waited here.
    fn waited(&self, packet: &Packet) -> u32 {
        waited(self.spec.now, packet.way.since)
    }

    /// Q6: the head of the spec FIFO has queued for too long.
    pub(super) fn is_expired(&self, head: &Packet) -> bool {
        let spec = self.spec.lane == Some(head.vl) && !head.way.nack;
        spec && self.cfg.drop_en && expired(head.way.age, self.waited(head), self.cfg.ttw)
    }

    /// Q1, Q4: what the lanes ask of a first flit beside section 1. Returns the errors.
    pub(super) fn refuse_by_lane(&mut self, vl: usize, n: u32) -> u32 {
        use super::err::{BAD_CLASS, NO_ROUTE};
        let h = self.rx.header;
        let mut failed = 0;
        match self.p.srp_lane(vl) {
            Some(SrpLane::Spec) => {
                let opcode = h.bth.map_or(0, |b| b.opcode);
                if h.lnh != 2 || opcode != opcode::SPEC {
                    failed |= 1 << BAD_CLASS;
                    self.hit(if h.lnh != 2 { Cov::Q1BadLnh } else { Cov::Q1BadOpcode });
                }
                if usize::from(self.rx.back) >= self.p.ports {
                    failed |= 1 << NO_ROUTE;
                    let outside = usize::from(h.slid) >= self.p.lft_depth;
                    self.hit(if outside { Cov::Q5NoRouteSlid } else { Cov::Q5NoRoute });
                }
            }
            Some(SrpLane::Res | SrpLane::Reply) if n != 1 => {
                failed |= 1 << BAD_CLASS;
                self.hit(Cov::Q1LongControl);
            }
            _ => {}
        }
        failed
    }

    /// Q5: what goes with a packet that is accepted.
    pub(super) fn way(&self, vl: usize) -> Way {
        if self.spec.lane != Some(vl) {
            return Way::default();
        }
        Way {
            since: self.spec.stamp(),
            age: u32::from(SrpFields::parse(&self.rx.data).age),
            back: usize::from(self.rx.back),
            nack: false,
        }
    }

    /// Q5: a speculative packet leaves, from S(t): its age goes with it.
    pub(super) fn leave_with_age(&mut self, id: PacketId) {
        let packet = &self.packets[id];
        if self.spec.lane != Some(packet.vl) || packet.way.nack {
            return;
        }
        let (age, waited) = (packet.way.age, self.waited(packet));
        let flit = &mut self.packets[id].flits[..self.flit_words];
        SrpFields { age: grown(age, waited) as u16, ..SrpFields::parse(flit) }.write(flit);
        let last = self.cfg.drop_en && age + waited == self.cfg.ttw;
        let arriving = self.packets[id].arriving;
        self.hit(Cov::Q5AgeSent);
        self.hit_if(waited > 0, Cov::Q5AgeGrows);
        self.hit_if(age + waited > MOST_AGE, Cov::Q5AgeFull);
        self.hit_if(last, Cov::Q6LastCycle);
        self.hit_if(last && arriving, Cov::Q6LastCycleArriving);
        let over = age + waited > self.cfg.ttw;
        self.hit_if(over && !self.cfg.drop_en, Cov::Q6DropOff);
    }

    /// Q7: the head of the spec FIFO is dropped in this cycle.
    pub(super) fn decide_drop(&mut self) -> bool {
        let Some(head) = self.spec_head() else { return false };
        if !self.is_expired(head) {
            return false;
        }
        let (arriving, cut, n) = (head.arriving, head.cut, head.n);
        let (unstartable, waited, age) = (!self.startable(head), self.waited(head), head.way.age);
        if self.spec.discard.is_some() {
            self.hit(Cov::Q6WaitsForEngine);
            return false;
        }
        self.hit(Cov::Q7Drop);
        self.hit_if(arriving, Cov::Q6Arriving);
        self.hit_if(cut, Cov::Q6Cut);
        self.hit_if(n == 1, Cov::Q6OneFlit);
        self.hit_if(unstartable, Cov::Q6Unstartable);
        self.hit_if(waited == 0 && age > 0, Cov::Q6OldOnArrival);
        self.hit_if(self.cfg.ttw == 0, Cov::Q6Ttw0);
        true
    }

    /// Q8: one cycle of the discard engine. Packets are as in S(t).
    pub(super) fn run_discard(&mut self, arrival: &Arrival) {
        let (Some(d), Some(lane)) = (self.spec.discard, self.spec.lane) else { return };
        let packet = &self.packets[d.packet];
        let (n, stored, arriving, ack) = (packet.n, packet.stored, packet.arriving, packet.ack);
        let reads = self.engines.iter().filter(|e| e.valid).count();
        let ends = if d.r < stored {
            self.used[lane] -= 1;
            self.queues[lane].release(1, ack);
            self.hit(Cov::Q8Freed);
            self.hit_if(reads > 0, Cov::Q8BesideRead);
            self.hit_if(arrival.vl == Some(lane), Cov::Q8BesideStore);
            d.r + 1 == n
        } else if !arriving {
            self.queues[lane].release(n - d.r, ack);
            self.hit(Cov::Q8Cut);
            true
        } else {
            self.hit(Cov::Q8Waits);
            self.hit_if(arrival.cut == Some(d.packet), Cov::Q8CutWhileItWaits);
            self.spec.discard = Some(d);
            return;
        };
        if ends {
            self.packets.remove(d.packet);
            self.spec.discard = None;
        } else {
            self.spec.discard = Some(Discard { r: d.r + 1, ..d });
        }
    }

    /// Q7, Q9: the head becomes a NACK of one flit; the rest is discarded.
    pub(super) fn apply_drop(&mut self, drop: bool, arrival: &Arrival) {
        let Some(lane) = self.spec.lane.filter(|_| drop) else { return };
        let Some(id) = self.queues[lane].packets.pop_front() else { return };
        self.spec.drops = self.spec.drops.saturating_add(1);
        self.hit_if(arrival.store == Some(id), Cov::Q7DropAndStore);
        self.hit_if(arrival.cut == Some(id), Cov::Q7DropAndCut);
        let words = self.flit_words;
        let dropped = &self.packets[id];
        let mut flit = dropped.flits[..words].to_vec();
        nack_image(&mut flit, SrpLane::Reply.vl(self.p.vls));
        let nack = Packet {
            out: dropped.way.back,
            n: 1,
            stored: 1,
            arriving: false,
            cut: false,
            way: Way { nack: true, ..dropped.way },
            flits: Vec::new(),
            ..*dropped
        };
        if dropped.n > 1 {
            self.spec.discard = Some(Discard { packet: id, r: 1 });
            // The NACK has no buffer of its own: block 0 is its flit.
        } else {
            self.packets.remove(id);
        }
        let nack = self.packets.put(nack, &flit);
        self.queues[lane].packets.push_front(nack);
    }

    /// Cover points of the heads that ask in this cycle.
    pub(super) fn cover_heads(&mut self) {
        let Some(lane) = self.spec.lane else { return };
        let vls = self.p.vls;
        for v in lane..vls {
            let Some(head) = self.head(v) else { continue };
            let behind = self.queues[v].packets.iter().skip(1).any(|&id| self.packets[id].out != head.out);
            let granted = self.served.contains(&(head.out * vls + v));
            self.hit_if(behind && !granted, Cov::Q2HeldUp);
            let engines = self.engines.iter().filter_map(|e| e.stream);
            let reading = engines.filter(|s| self.packets[s.packet].vl == v && s.queue == v).count();
            self.hit_if(reading > 1, Cov::Q2TwoEngines);
        }
        let Some(head) = self.spec_head() else { return };
        let q = head.out * vls + lane;
        let (nack, since) = (head.way.nack, head.way.since);
        let wraps = self.spec.now == MOST_AGE && since != self.spec.stamp();
        self.hit_if(wraps, Cov::Q5NowWraps);
        if !nack {
            return;
        }
        let granted = self.served.contains(&q);
        let reply = self.requests[(q / vls) * vls + SrpLane::Reply.vl(vls)].is_some();
        self.hit_if(self.requests[q].is_none(), Cov::Q7NackEngineBusy);
        self.hit_if(self.requests[q].is_some() && !granted, Cov::Q7NackWaits);
        self.hit_if(self.requests[q].is_some() && reply, Cov::Q7NackBesideReply);
        if !granted {
            return;
        }
        self.hit(Cov::Q7Nack);
        self.hit_if(self.cfg.release, Cov::Q7NackRelease);
        self.hit_if(self.spec.discard.is_some(), Cov::Q7NackBeforeDiscard);
        let arriving = self.spec.discard.is_some_and(|d| self.packets[d.packet].arriving);
        self.hit_if(arriving, Cov::Q7NackWhileArriving);
    }

    pub(super) fn show_spec(&self, state: &mut [u32], w: &States) {
        if self.spec.lane.is_none() {
            return;
        }
        state[w.st_now] = self.spec.now;
        if let Some(head) = self.spec_head() {
            state[w.st_spec_nack] = u32::from(head.way.nack);
            state[w.st_spec_age] = head.way.age;
            state[w.st_spec_waited] = self.waited(head);
        }
        if let Some(d) = self.spec.discard {
            state[w.st_disc_act] = 1;
            state[w.st_disc_r] = d.r;
        }
        state[w.st_cnt_spec_drop] = self.spec.drops;
    }
}

/// Q9: block 0 of a dropped packet, as it goes back to the source.
fn nack_image(flit: &mut [u32], vl: usize) {
    let mut h = Header::parse(flit);
    let (lver, lnh_bits, high) = (flit[0] & 0xf, flit[0] >> 8 & 0xc, flit[1] & 0xf8);
    (h.dlid, h.slid) = (h.slid, h.dlid);
    (h.vl, h.pkt_len) = (vl as u8, 16);
    h.bth = h.bth.map(|mut b| {
        b.opcode = opcode::NACK;
        b.marks = b.marks & (Marks::MB | Marks::VB);
        b
    });
    h.write(flit);
    // Bits of bytes 0, 1 and 4 that no field of ours has.
    flit[0] |= lver | lnh_bits << 8;
    flit[1] |= high;
    SrpFields { age: 0, ..SrpFields::parse(flit) }.write(flit);
}

#[cfg(test)]
mod tests {
    use super::nack_image;

    #[test]
    fn a_nack_is_the_first_flit_turned_round() {
        let bytes: Vec<u8> = (0..32).map(|b| 0xff - b).collect();
        let words = |b: &[u8]| -> Vec<u32> {
            b.chunks(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
        };
        let mut bytes = bytes;
        bytes[1] = bytes[1] & !3 | 2;
        let mut flit = words(&bytes);
        nack_image(&mut flit, 6);
        let mut want = bytes.clone();
        want[0] = 0x60 | bytes[0] & 0xf;
        (want[2], want[3], want[6], want[7]) = (bytes[6], bytes[7], bytes[2], bytes[3]);
        want[4] &= !7;
        want[5] = 16;
        want[8] = 0xc3;
        want[12] &= 0x3f;
        (want[26], want[27]) = (0, 0);
        assert_eq!(flit, words(&want));
    }
}
