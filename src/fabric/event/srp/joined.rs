//! What joins an adapter's parts (section 13 of its page): messages, replies, packets in and out, credits.

use crate::fabric::event::credit::{NEVER, Run};
use crate::fabric::event::offered::Offered;
use crate::fabric::event::packet;
use crate::fabric::event::source::paced;
use crate::fabric::event::state::Core;
use crate::fabric::event::wheel::Wake;
use crate::fabric::event::workload::{Fabric, Observer, Workload};
use crate::model::header::{Marks, SrpFields};
use crate::scheme::packet::PacketKind;

use super::adapter::{Adapter, Injector, Sending};
use super::messages::Message;
use super::ops::{Asked, Came, Packet, Room};
use super::schedule::Request;
use super::tag::{Kind, Tag};

impl Core {
    /// Replies that wait in an adapter.
    pub fn replies_of(&self, a: &Adapter) -> u32 {
        self.inputs[a.reply_input].queues[a.reply_vl()].packets
    }

    /// A packet of an adapter leaves by a grant in cycle `t`: what the input port holds (0), a RES (1), a reply (2).
    pub fn tell_adapter(&mut self, host: usize, requester: usize, t: u64) {
        let Some(a) = &mut self.hosts[host].srp else { return };
        match requester {
            0 => a.engine.ungranted = false,
            1 => a.engine.res_leaves(t),
            _ if !a.receive.waits() && a.destination.requests.is_empty() => return,
            _ => {}
        }
        self.wheel.plan(t + 1, Wake::Source, host);
    }

    /// A packet of one flit asks the adapter's output from the next cycle on.
    fn ask_link(&mut self, input: usize, p: packet::Packet, tag: Tag, t: u64) {
        let vl = p.vl as usize;
        let id = self.pool.put_tagged(packet::Packet { t0: t, start: t + 1, ..p }, tag);
        let i = &mut self.inputs[input];
        let first = i.queues[vl].packets == 0;
        i.queues[vl].push(&mut self.pool, id);
        i.queues[vl].charge += 1;
        if first {
            let (local, node) = (i.port as usize, i.node as usize);
            self.ask(self.nodes[node].output, local, vl, id, t);
        }
    }

    /// The host takes what is due of what its adapter holds.
    fn plan_takes(&mut self, host: usize, a: &mut Adapter, t: u64) {
        let credits = self.hosts[host].credits;
        while let Some(plan) = a.receive.plan() {
            let vl = self.pool[plan.id].vl as usize;
            plan.runs.into_iter().for_each(|run| self.free_blocks(credits, vl, run, t));
            match plan.end {
                Some(at) => self.wheel.plan(at, Wake::Deliver, host),
                None => self.wheel.plan(a.receive.next(true, t + 1), Wake::Source, host),
            }
        }
    }

    /// The injector takes a packet in cycle `t`.
    fn inject(&mut self, host: usize, s: &Sending, start: u64) {
        let (input, inject) = (self.hosts[host].input, self.hosts[host].inject);
        let k = self.inputs[input].rx_interval;
        let Packet { kind, flow, sl, lane, len, psn, id, seq, n, last, born, posted } = s.packet;
        let needed = len.saturating_sub(len / k).max(1);
        let at = |flit: u32| start + paced(inject, s.from - start, u64::from(flit));
        let first = at(0);
        let p = packet::Packet {
            src: host as u32,
            dst: flow as u32,
            psn,
            n: len,
            vl: lane as u32,
            sl,
            kind: PacketKind::Data,
            marks: Marks::NONE,
            t0: first + 1,
            start: at(needed - 1) + 2,
            born,
            posted,
            entered: s.from,
            next: packet::NONE,
        };
        let of_chunk = SrpFields {
            id: id as u16,
            seq: seq as u8,
            n: n as u8,
            flags: u8::from(last) << 1,
            ..SrpFields::default()
        };
        let id = self.pool.put_tagged(p, Tag { kind, fields: of_chunk, ..Tag::default() });
        self.hops += u64::from(len);
        self.inputs[input].inbound.push(&mut self.pool, id);
        self.wheel.plan(first + 1, Wake::Input, input);
    }
}

impl<W: Workload> Fabric<W> {
    /// A host offers a message in cycle `t`.
    pub fn offer_message(&mut self, host: usize, offered: &Offered, t: u64) {
        let now = t - self.start;
        let &Offered { dst, last, pkts, born, .. } = offered;
        let Some(a) = &mut self.core.hosts[host].srp else { return };
        if a.is_full(dst) {
            self.work.refuse(host, now);
            return;
        }
        let next = &mut self.posted[host * self.hosts + dst];
        let psn = *next & 0xff_ffff;
        *next = next.wrapping_add(pkts);
        a.engine.post(dst, Message { pkts, last, psn, born, posted: t }, t);
        self.in_flight += u64::from(pkts);
        self.work.take(host, now);
        self.core.wheel.plan(t + 1, Wake::Source, host);
    }

    /// The first flit of a packet is on the rx pins of an adapter.
    pub fn receive_on_lane(&mut self, host: usize, t: u64) {
        let Some(mut a) = self.core.hosts[host].srp.take() else { return };
        let core = &mut self.core;
        let h = &mut core.hosts[host];
        let id = h.inbound.pop(&core.pool);
        let (p, tag) = (core.pool[id], *core.pool.tag(id));
        let (vl, run) = (p.vl as usize, Run { first: t, step: h.step, n: p.n });
        h.stored[h.latest_vl] += u64::from(h.latest.n);
        (h.latest, h.latest_vl) = (run, vl);
        let f = tag.fields;
        if tag.kind.is_for_host() {
            h.held.push(&mut core.pool, id);
            h.packets += 1;
            a.receive.push(id, tag.kind == Kind::Spec, run);
            core.plan_takes(host, &mut a, t);
        } else {
            core.pool.remove(id);
            if tag.kind == Kind::Res {
                let (sl, id, size) = (p.sl, f.id, f.size.into());
                a.destination.requests.push_back(Request { from: t + 2, src: p.src, sl, id, size });
                core.wheel.plan(t + 2, Wake::Source, host);
            } else {
                let (flow, id, seq) = (p.src as usize, f.id.into(), f.seq.into());
                a.told.push_back((t + 1, Came { kind: tag.kind, flow, id, seq, wait: f.wait }));
                core.wheel.plan(t + 1, Wake::Source, host);
                let credits = core.hosts[host].credits;
                core.free_blocks(credits, vl, run, t);
            }
        }
        self.core.hosts[host].srp = Some(a);
    }

    /// Cycle `t` of an adapter's parts.
    pub fn step_adapter<O: Observer>(&mut self, host: usize, t: u64, observer: &mut O) {
        let Some(mut a) = self.core.hosts[host].srp.take() else { return };
        self.core.hosts[host].awake = false;
        let replies = self.core.replies_of(&a);
        let ends = self.take_last(host, &mut a, replies, t, observer);
        self.step_destination(host, &mut a, replies, ends, t);
        self.step_engine(host, &mut a, t, observer);
        self.plan_adapter(host, &mut a, t);
        self.core.hosts[host].srp = Some(a);
    }

    /// Q12: the host takes the last flit of a speculative packet, which is acknowledged.
    fn take_last<O: Observer>(
        &mut self,
        host: usize,
        a: &mut Adapter,
        replies: u32,
        t: u64,
        observer: &mut O,
    ) -> bool {
        let Some(id) = a.receive.take_last(&a.destination, replies, t) else { return false };
        let (p, f) = (self.core.pool[id], self.core.pool.tag(id).fields);
        let credits = self.core.hosts[host].credits;
        self.core.free_blocks(credits, p.vl as usize, Run { first: t, step: 1, n: 1 }, t);
        let tag = Tag::of(Kind::Ack, f.id.into(), f.seq.into());
        self.core.reply(host, a, (p.src, p.sl), tag, t);
        self.deliver(host, t, observer);
        self.core.plan_takes(host, a, t);
        true
    }

    /// Q10, Q11.
    fn step_destination(&mut self, host: usize, a: &mut Adapter, replies: u32, ends: bool, t: u64) {
        let Some((r, wait)) = a.destination.step(replies, ends, t) else { return };
        let credits = self.core.hosts[host].credits;
        self.core.free_blocks(credits, a.res_vl(), Run { first: t + 1, step: 1, n: 1 }, t);
        if let Some(wait) = wait {
            let mut tag = Tag::of(Kind::Grant, r.id.into(), 0);
            tag.fields.wait = wait as u32;
            self.core.reply(host, a, (r.src, r.sl), tag, t);
        }
    }

    fn step_engine<O: Observer>(&mut self, host: usize, a: &mut Adapter, t: u64, observer: &mut O) {
        let came = a.told.front().filter(|(at, _)| *at <= t).map(|(_, came)| *came);
        if came.is_some() {
            a.told.pop_front();
        }
        let Adapter { engine, injector, .. } = a;
        let accepts = injector.is_free(t);
        let core = &mut self.core;
        let (input, output) = (core.hosts[host].input, core.hosts[host].output);
        let (credits, mtu) = (core.inputs[input].credits, injector.mtu);
        let did = engine.step(t, came, accepts, &mut |lane| match core.has_credit(output, lane, mtu, t) {
            false => Room::None,
            true if injector.has_room(lane, || core.credits[credits].fccl(lane, t)) => Room::Free,
            true => Room::OfLink,
        });
        if let Some(packet) = did.taken {
            if packet.kind == Kind::Spec {
                observer.speculative(packet.len);
            }
            let sending = a.injector.send(packet, t);
            self.core.inject(host, &sending, a.injector.start);
        }
        if let Some(len) = did.dropped {
            observer.dropped(len);
        }
        if let Some(asked) = did.asked {
            self.core.ask_for_time(host, a, &asked, t);
        }
        if let Some(flow) = did.begun
            && self.work.room(host, flow, t + 1 - self.start)
        {
            self.plan_offer(host, t + 1);
        }
    }

    /// When something of an adapter is to be looked at next.
    fn plan_adapter(&mut self, host: usize, a: &mut Adapter, t: u64) {
        let replies = self.core.replies_of(a);
        let next = t + 1;
        let offer = match a.engine.offer {
            Some(_) => a.injector.sending.map_or(next, |s| s.last.max(next)),
            None => NEVER,
        };
        let at = a
            .engine
            .next()
            .min(offer)
            .min(a.destination.next(replies, next))
            .min(a.receive.next(replies >= a.most_replies, next));
        self.core.wheel.plan(at, Wake::Source, host);
        let starved = a.engine.starved();
        for lane in (0..a.lanes).filter(|lane| starved >> lane & 1 != 0) {
            self.core.await_room(host, &a.injector, lane, t);
        }
    }
}

impl Core {
    /// A reply joins the reply FIFO in cycle `t`: to a host, on an SL.
    fn reply(&mut self, host: usize, a: &Adapter, (to, sl): (u32, u8), tag: Tag, t: u64) {
        let p = control(host, to, a.reply_vl(), sl);
        self.ask_link(a.reply_input, p, tag, t);
    }

    /// The RES register is filled in cycle `t`.
    fn ask_for_time(&mut self, host: usize, a: &Adapter, asked: &Asked, t: u64) {
        let mut tag = Tag::of(Kind::Res, asked.id, 0);
        tag.fields.n = asked.n as u8;
        tag.fields.flags = u8::from(asked.last) << 1;
        tag.fields.size = asked.size as u16;
        let p = control(host, asked.flow as u32, a.res_vl(), asked.sl);
        self.ask_link(a.res_input, p, tag, t);
    }

    /// The adapter is woken when there is room on a lane.
    fn await_room(&mut self, host: usize, injector: &Injector, lane: usize, t: u64) {
        let (input, output) = (self.hosts[host].input, self.hosts[host].output);
        let c = &mut self.credits[self.inputs[input].credits];
        if injector.fccl[lane] < injector.needs(lane) {
            c.wait(lane, injector.needs(lane), t);
            if let Some(at) = c.call(lane, t) {
                self.wheel.plan(at.max(t + 1), Wake::Source, host);
            }
        }
        // Nobody but the source waits for credits of this lane: what is in the input port had them before.
        if !self.has_credit(output, lane, injector.mtu, t) {
            self.await_credit(output, lane, injector.mtu, t);
        }
    }
}

/// A packet of one flit that an adapter makes, without PSN.
fn control(from: usize, to: u32, vl: usize, sl: u8) -> packet::Packet {
    packet::Packet {
        src: from as u32,
        dst: to,
        psn: 0,
        n: 1,
        vl: vl as u32,
        sl,
        kind: PacketKind::Data,
        marks: Marks::NONE,
        t0: 0,
        start: 0,
        born: 0,
        posted: 0,
        entered: 0,
        next: packet::NONE,
    }
}
