//! The fast golden fabric engine: event-driven, cycle-exact, one thread.
//!
//! # Time and state
//!
//! Time is in cycles from traffic time 0 (`Setup::start` cycles after reset). `S(t)` is the state in cycle `t` as on the
//! unit pages. Ports keep their counters as functions of time, and are *stepped* in a cycle only if that cycle may
//! decide something; a step at a cycle in which nothing happens changes nothing, so a wake-up too many is harmless.

mod ages;
mod bits;
mod chooser;
mod core;
mod credit;
mod departure;
mod detector;
mod gauge;
mod host;
mod isolation;
mod lanes;
mod lines;
mod marking;
mod noted;
mod observe;
mod offered;
mod oldest;
mod once;
#[cfg(test)]
mod oracle;
mod order;
mod outqueue;
mod packet;
mod ports;
mod setup;
mod source;
mod srp;
mod state;
mod taking;
#[cfg(test)]
mod tests;
mod turns;
mod up;
mod update;
mod views;
mod wheel;
mod windows;
mod workload;

use std::collections::HashMap;

use anyhow::{Error, Result, bail};

use crate::config::Config;
use crate::fabric::metrics::Carried;
use crate::fabric::net::{End, NO_ROUTE, Network, Rate};
use crate::fabric::setup::Setup;
use crate::fabric::up::{route, up_ports};
use crate::fabric::windowed::Throttled;
use crate::model::header::Marks;
use crate::params::{Params, UnitKind};
use crate::scheme::packet::PacketKind;
use crate::scheme::{Detector, Isolation, Notification, Organisation, Scheme};
use ages::Ages;
use credit::{Credits, Run, Sender};
use detector::counts::Counting;
use detector::full::Fulls;
pub use gauge::Gauge;
use host::Host;
use lanes::Lanes;
use lines::{InLines, OutLines};
pub use noted::Noted;
pub use observe::payload;
pub use offered::Offered;
use once::Once;
use outqueue::OutQueue;
use packet::{Packet, Queue};
use ports::{Far, Input, NOWHERE, Output, Waiting};
use setup::{InRegs, RESET, Replies, Slots};
use source::Source;
use srp::{Adapter, Classes, Kind, Spec};
use state::{Core, Node, Shape, Turns};
use views::{HostView, SwitchView};
use wheel::Wake;
pub use workload::{Delivered, Fabric, Observer, Workload};

impl Observer for () {
    fn delivered(&mut self, _: &Delivered, _: u64) {}
}

impl<W: Workload> Fabric<W> {
    /// The network at traffic time 0, configured for a scheme.
    pub fn new(net: &Network, config: &Config, work: W) -> Result<Fabric<W>> {
        config.check()?;
        let setup = Setup::new(net, config);
        let times = (setup.sweep, setup.start);
        let start = RESET + setup.start;
        let hca_ready = config.hca_params().init_cycles(UnitKind::Hca) as u64;
        // Delays of what a switch's input port tells an adapter, and of what an adapter's receiver tells a switch.
        let (mut to_hosts, mut to_switches) = (HashMap::new(), HashMap::new());
        for way in net.ways() {
            let delay = u64::from(net.links[way.link].delay);
            match (way.from, way.to) {
                (End::Host(_), End::Switch { switch, port }) => drop(to_hosts.insert((switch, port), delay)),
                (End::Switch { .. }, End::Host(h)) => drop(to_switches.insert(h, delay)),
                _ => {}
            }
        }
        let hosts = net.hosts.len();
        let mut core = Core::new(start);
        let iso = config.scheme.isolation == Isolation::Lines;
        core.cnps = config.scheme.notification != Notification::None;
        core.acks = config.scheme.notification == Notification::Ack;
        core.srp = config.scheme.reserves();
        if core.srp
            && let Some((switch, host)) = net.no_way()
        {
            bail!(
                "switch {}: no way to host {}; what it drops must find back to its source",
                switch.name,
                host.name
            );
        }
        let ups =
            if config.draws_up() { up_ports(net).map_err(Error::msg)? } else { vec![0; net.switches.len()] };
        for (s, switch) in net.switches.iter().enumerate() {
            let p = config.switch_params(switch.ports);
            if iso && p.ports * p.vls > 64 {
                bail!("switch {}: with isolation, ports x lanes can be at most 64", switch.name);
            }
            if switch.ports > 64 {
                bail!("switch {}: {} ports; at most 64 are built", switch.name, switch.ports);
            }
            let mut lft = vec![NO_ROUTE; hosts + 1];
            lft.iter_mut().zip(&switch.lft).for_each(|(to, from)| *to = route(*from, ups[s]));
            let node = add_node(&mut core, &p, (p.ports, p.ports), lft, hosts, config.scheme);
            let first = core.nodes[node].input;
            let w = &setup.switches[s];
            for port in 0..p.ports {
                // An adapter ignores what comes before it is ready.
                let heard = to_hosts.get(&(s, port)).map_or(0, |&delay| hca_ready.saturating_sub(delay));
                let regs = setup::input(&p, w, port, times, heard);
                let fulls = config.scheme.detector.looks_for_full_buffers();
                let fulls = fulls.then(|| Box::new(Fulls::new(&p, &regs)));
                let ages = (p.stamp_w > 0).then(|| Box::new(Ages::new(&p, &regs)));
                let input = core.inputs.len();
                add_input(&mut core, node, port, &p, regs);
                core.inputs[input].control = p.control_lane().map_or(u32::MAX, |lane| lane as u32);
                core.inputs[input].fulls = fulls;
                core.inputs[input].ages = ages;
                if let Some(lanes) = core.nodes[node].shape.data_lanes {
                    let spec = Spec::new(lanes, &core.inputs[input].regs);
                    core.inputs[input].spec = Some(Box::new(spec));
                }
                let regs = setup::output(&p, w, port, times);
                let counting = p.markers.then(|| Box::new(Counting::new(&p, &regs)));
                let queue = p.cioq.then(|| Box::new(OutQueue::new(p.ocap(), p.vls, &regs.tx)));
                let mut output = Output::new(node, port, core.nodes[node].shape.inputs, p.vls, regs);
                (output.counting, output.queue) = (counting, queue);
                output.classes = classes(&core.nodes[node]);
                // What is counted there needs queues of one output each, from which nothing is moved.
                let fills = config.scheme.detector.follows_fills();
                let own = core.nodes[node].shape.organisation == Organisation::Voq && !iso;
                if output.regs.eval == 1 && fills && own {
                    output.waiting = Some(Box::new(Lanes::new(Waiting::NONE, p.vls)));
                }
                core.outputs.push(output);
            }
            debug_assert_eq!(core.inputs.len(), first + p.ports);
        }
        for (h, host) in net.hosts.iter().enumerate() {
            let p = config.hca_params();
            if host.inject.0 < 4370 || host.sink.0 == 0 || host.inject > Rate::FULL || host.sink > Rate::FULL
            {
                bail!("host {}: rates must be 1/15 (inject), above 0 (sink) to 1 flit per cycle", host.name);
            }
            // Replies have one input, with reservation RES, too.
            let requesters = if p.srp { 3 } else { 2 };
            let node = add_node(&mut core, &p, (requesters, 1), vec![0; hosts + 1], hosts, config.scheme);
            core.nodes[node].host = h;
            let w = &setup.hosts[h];
            let port = port_params(&p);
            let regs = setup::input(&port, w, 0, times, 0);
            let input = core.inputs.len();
            add_input(&mut core, node, 0, &port, regs.clone());
            for i in 1..requesters {
                let regs = InRegs { iso_en: false, ..regs.clone() };
                core.inputs.push(Input::new(node, i, 1, p.vls, p.vls, regs));
            }
            let credits = core.inputs[input].credits;
            (core.credits[credits].sender, core.credits[credits].delay) = (Sender::Source(h), 0);
            let regs = setup::output(&p, w, 0, times);
            let output = core.outputs.len();
            core.outputs.push(Output::new(node, 0, requesters, p.vls, regs));
            core.outputs[output].classes = classes(&core.nodes[node]);
            // A switch ignores what comes before it is ready.
            let switch_ready = p.init_cycles(UnitKind::Switch) as u64;
            let delay = to_switches.get(&h).copied().unwrap_or(0);
            let slots = setup::receiver(&p, w, times, switch_ready.saturating_sub(delay));
            let rx = add_credits(&mut core, Lanes::of(p.vls, |v| p.rx_cap(v) as u64), &slots);
            let Replies { answers, cause, acks, queued, per, inject } = setup::replies(&p, w);
            let mut source = match p.srp {
                // It has no part in what is sent.
                true => {
                    Source::new(&p, &[], [p.init_cycles(UnitKind::HcaThrottle) as u64; 2].into(), host.inject)
                }
                false => Source::new(&p, w, (setup.sweep, setup.start), host.inject),
            };
            source.limit(inject, queued);
            core.hosts.push(Host {
                input,
                cnps: input + 1,
                output,
                credits: rx,
                source,
                srp: p.srp.then(|| {
                    let origin = RESET + p.init_cycles(UnitKind::Reservation) as u64;
                    Box::new(Adapter::new(&p, w, host, start, input, origin))
                }),
                inject: host.inject,
                sink: host.sink,
                answers,
                cause,
                acks,
                becn_per: per,
                seen: vec![0; p.flows.div_ceil(32)],
                queued,
                mover: 0,
                moves: false,
                posted: 0,
                asks: None,
                cnpq: p.cnpq as u32,
                inbound: Queue::default(),
                step: 1,
                held: Queue::default(),
                taken: start - 1,
                told: Default::default(),
                awake: false,
                stored: vec![0; p.vls],
                latest: Run::NONE,
                latest_vl: 0,
                flits: 0,
                cnt_cnp: 0,
                cnt_cnp_lost: 0,
                cnt_becn: 0,
                cnt_ack: 0,
                cnt_ack_lost: 0,
                cnt_ack_in: 0,
                consumed: 0,
                packets: 0,
            });
        }
        core.releases = core.inputs.iter().any(|i| i.release);
        for o in &mut core.outputs {
            if iso {
                o.lines = Some(Box::new(OutLines::new(config.lines)));
            }
        }
        for way in net.ways() {
            let out = match way.from {
                End::Host(h) => core.hosts[h].output,
                End::Switch { switch, port } => core.nodes[switch].output + port,
            };
            let (far, credits) = match way.to {
                End::Host(h) => (Far::Host(h), core.hosts[h].credits),
                End::Switch { switch, port } => {
                    let input = core.nodes[switch].input + port;
                    (Far::Input(input), core.inputs[input].credits)
                }
            };
            let delay = u64::from(net.links[way.link].delay);
            let o = &mut core.outputs[out];
            (o.far, o.delay, o.credits) = (far, delay, credits);
            let sender = match way.from {
                End::Host(host) if core.srp => Sender::Adapter { out, host },
                _ => Sender::Output(out),
            };
            let c = &mut core.credits[credits];
            (c.sender, c.delay) = (sender, delay);
        }
        let mut f = Fabric {
            core,
            work,
            start,
            t: start,
            hosts,
            posted: vec![0; hosts * hosts],
            delivered: vec![0; hosts * hosts],
            once: if config.any_order() { vec![Once::default(); hosts * hosts] } else { Vec::new() },
            in_flight: 0,
            planned: vec![0; hosts],
            looked: vec![0; hosts],
            switch_views: net
                .switches
                .iter()
                .map(|s| config.switch_params(s.ports))
                .map(|p| (p.ports, SwitchView::new(&p)))
                .collect(),
            host_view: HostView::new(&config.hca_params()),
            nodes: Vec::new(),
            sources: Vec::new(),
            movers: Vec::new(),
            #[cfg(test)]
            wakeful: false,
        };
        (0..hosts).for_each(|h| f.plan_offer(h, f.t));
        // An index below its minimum comes up to it whether the host has packets or not.
        (0..hosts).for_each(|h| f.core.wheel.plan(start, Wake::Source, h));
        for out in 0..f.core.outputs.len() {
            let o = &mut f.core.outputs[out];
            let shape = &f.core.nodes[o.node as usize].shape;
            if o.regs.eval != 0 && o.waiting.is_none() && shape.detector.follows_fills() && !shape.adapter {
                o.congested = true;
                f.core.wheel.plan(start, Wake::Output, out);
            }
        }
        Ok(f)
    }

    /// Cycles of traffic done.
    pub fn now(&self) -> u64 {
        self.t - self.start
    }

    /// Flits granted a link so far, injection and ejection included.
    pub fn flit_hops(&self) -> u64 {
        self.core.hops
    }

    /// With reservation, flits of packets granted a link so far, by what they are.
    pub fn carried_by_kind(&self) -> Option<Carried> {
        let of = |kind: Kind| self.core.carried[kind as usize];
        let control = [Kind::Res, Kind::Grant, Kind::Ack, Kind::Nack].map(of).iter().sum();
        let (granted, bypass, spec) = (of(Kind::Granted), of(Kind::Bypass), of(Kind::Spec));
        self.core.srp.then_some(Carried { granted, bypass, spec, control })
    }

    /// The traffic.
    pub fn workload(&self) -> &W {
        &self.work
    }

    /// No offers from this cycle on.
    pub fn stop_traffic(&mut self) {
        self.work.stop(self.now());
    }

    /// Nothing is under way.
    pub fn idle(&self) -> bool {
        self.core.pool.len() == 0 && self.in_flight == 0 && self.core.hosts.iter().all(|h| h.posted() == 0)
    }

    /// Packets posted and not delivered.
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Entities of the throttle units whose CCTI is not at its minimum.
    pub fn throttled(&self) -> usize {
        self.core.hosts.iter().map(|h| h.source.throttled()).sum()
    }

    /// What the throttle units hold back; none if sources have windows.
    pub fn throttles(&self) -> Option<Throttled> {
        let mut all = Throttled::default();
        for host in &self.core.hosts {
            all.add(&host.source.throttles()?);
        }
        Some(all)
    }

    fn plan_offer(&mut self, host: usize, from: u64) {
        let Some(at) = self.work.next_offer(host) else { return };
        let at = (self.start + at).max(from);
        if at != self.planned[host] {
            self.planned[host] = at;
            self.core.wheel.plan(at, Wake::Offer, host);
        }
    }

    /// Works on all cycles before `cycle`.
    pub fn run_until<O: Observer>(&mut self, cycle: u64, observer: &mut O) {
        let end = self.start + cycle;
        while self.t < end {
            let t = self.t;
            let events = self.core.wheel.begin(t);
            for event in &events {
                let (kind, i) = event.parts();
                match kind {
                    Wake::Output => {
                        let o = &self.core.outputs[i];
                        let (node, bit) = (o.node as usize, 1 << o.port);
                        self.wake(node);
                        self.core.nodes[node].outs |= bit;
                    }
                    Wake::Input => {
                        let input = &self.core.inputs[i];
                        let (node, bit) = (input.node as usize, 1 << input.port);
                        self.wake(node);
                        self.core.nodes[node].ins |= bit;
                    }
                    Wake::Source => self.wake_source(i),
                    Wake::Receive => self.receive(i, t),
                    Wake::Offer => self.offer(i, t),
                    Wake::Deliver => self.deliver(i, t, observer),
                    Wake::Answer => self.answer(i, t),
                    Wake::Move => {
                        if !std::mem::replace(&mut self.core.hosts[i].moves, true) {
                            self.movers.push(i);
                        }
                    }
                }
            }
            self.core.wheel.give_back(t, events);
            #[cfg(test)]
            if self.wakeful {
                for node in 0..self.core.nodes.len() {
                    self.wake(node);
                    let n = &mut self.core.nodes[node];
                    (n.outs, n.ins) = ((1 << n.shape.outs) - 1, (1 << n.shape.inputs) - 1);
                }
                (0..self.hosts).for_each(|h| self.wake_source(h));
            }
            // All posts of the cycle are known.
            if !self.movers.is_empty() {
                let mut movers = std::mem::take(&mut self.movers);
                movers.drain(..).for_each(|h| self.move_cnp(h, t));
                self.movers = movers;
            }
            let mut sources = std::mem::take(&mut self.sources);
            for h in sources.drain(..) {
                if self.core.srp {
                    self.step_adapter(h, t, observer);
                } else {
                    self.step_source(h, t);
                }
            }
            self.sources = sources;
            let mut nodes = std::mem::take(&mut self.nodes);
            nodes.drain(..).for_each(|n| self.core.step(n, t));
            self.nodes = nodes;
            self.t = t + 1;
        }
    }

    #[inline]
    fn wake(&mut self, node: usize) {
        let n = &self.core.nodes[node];
        if n.outs | n.ins == 0 {
            self.nodes.push(node);
        }
    }

    fn wake_source(&mut self, host: usize) {
        let h = &mut self.core.hosts[host];
        if !h.awake {
            h.awake = true;
            self.sources.push(host);
        }
    }

    /// The host may have a packet in cycle `t`.
    fn offer(&mut self, host: usize, t: u64) {
        if self.core.hosts[host].source.is_limited() {
            self.offer_with_limits(host, t);
        } else {
            self.offer_due(host, t);
        }
    }

    /// The host has a packet in cycle `t`.
    fn offer_due(&mut self, host: usize, t: u64) {
        let now = t - self.start;
        if self.work.next_offer(host).is_none_or(|at| at > now) {
            return; // an event for an offer that has changed since
        }
        let o = self.work.offer(host);
        if self.core.srp {
            self.offer_message(host, &o, t);
            return self.plan_offer(host, t + 1);
        }
        let h = &mut self.core.hosts[host];
        let source = &mut h.source;
        if source.full(o.dst, t) {
            self.work.refuse(host, now);
        } else {
            let psn = &mut self.posted[host * self.hosts + o.dst];
            let now_too = source.post(t, &o, *psn & 0xff_ffff);
            h.posted = t;
            *psn += 1;
            self.in_flight += 1;
            self.work.take(host, now);
            self.core.wheel.plan(t + 1, Wake::Source, host);
            if now_too {
                self.wake_source(host);
            }
        }
        self.plan_offer(host, t + 1);
    }

    /// A queue may come to have room without a packet leaving it: while packets wait, each cycle is looked at.
    #[cold]
    fn offer_with_limits(&mut self, host: usize, t: u64) {
        for dst in self.work.blocked(host) {
            if !self.core.hosts[host].source.full(dst, t) {
                self.work.room(host, dst, t - self.start);
            }
        }
        self.offer_due(host, t);
        if !self.work.blocked(host).is_empty() && self.looked[host] <= t {
            self.looked[host] = t + 1;
            self.core.wheel.plan(t + 1, Wake::Offer, host);
        }
    }

    fn step_source(&mut self, host: usize, t: u64) {
        let h = &mut self.core.hosts[host];
        h.awake = false;
        while let Some(&(at, flow, bits)) = h.told.front() {
            if at > t {
                break;
            }
            h.told.pop_front();
            h.source.notify(flow, bits);
        }
        let input = h.input;
        let credits = &self.core.credits[self.core.inputs[input].credits];
        let lines = self.core.outputs[h.output].lines.as_deref().filter(|l| l.changed == t);
        let step = h.source.step(t, lines, &mut |vl| credits.fccl(vl, t));
        if let Some(a) = step.accepted {
            let k = self.core.inputs[input].rx_interval;
            let needed = a.len.saturating_sub(a.len / k).max(1);
            let base = a.from - self.start;
            let full = match a.kind {
                PacketKind::Cnp => a.first,
                _ => self.start + source::paced(h.inject, base, u64::from(needed) - 1),
            };
            let packet = Packet {
                src: host as u32,
                dst: a.flow as u32,
                psn: a.psn,
                n: a.len,
                vl: a.vl as u32,
                sl: a.sl,
                kind: a.kind,
                marks: Marks::BECN.when(a.kind == PacketKind::Cnp),
                t0: a.first + 1,
                start: full + 2,
                born: a.born,
                posted: a.posted,
                entered: a.from,
                next: packet::NONE,
            };
            let id = self.core.pool.put(packet);
            self.core.hops += u64::from(a.len);
            self.core.inputs[input].inbound.push(&mut self.core.pool, id);
            self.core.wheel.plan(a.first + 1, Wake::Input, input);
            let leaves_room = !self.core.hosts[host].source.is_limited();
            if leaves_room && self.work.room(host, a.flow, t + 1 - self.start) {
                self.plan_offer(host, t + 1);
            }
        }
        self.core.wheel.plan(step.next, Wake::Source, host);
        let c = &mut self.core.credits[self.core.inputs[input].credits];
        for (vl, need) in self.core.hosts[host].source.waits() {
            c.wait(vl, need, t);
            if let Some(at) = c.call(vl, t) {
                self.core.wheel.plan(at.max(t + 1), Wake::Source, host);
            }
        }
    }

    /// The first flit of a packet is on the rx pins of an adapter.
    fn receive(&mut self, host: usize, t: u64) {
        if self.core.srp {
            return self.receive_on_lane(host, t);
        }
        let h = &mut self.core.hosts[host];
        let id = h.inbound.pop(&self.core.pool);
        let p = self.core.pool[id];
        let (vl, run) = (p.vl as usize, Run { first: t, step: h.step, n: p.n });
        h.stored[h.latest_vl] += u64::from(h.latest.n);
        (h.latest, h.latest_vl) = (run, vl);
        if p.kind.is_consumed(h.acks) {
            let ack = p.kind == PacketKind::Ack;
            h.consumed += 1;
            h.cnt_ack_in += u64::from(ack);
            h.cnt_becn += u64::from(p.marks.has(Marks::BECN));
            if h.source.heeds(p.marks, ack) {
                h.told.push_back((t + 1, p.src as usize, p.marks.ack_bits()));
            }
            let credits = h.credits;
            self.core.wheel.plan(t + 1, Wake::Source, host);
            self.core.pool.remove(id);
            self.core.free_blocks(credits, vl, run, t);
            return;
        }
        h.held.push(&mut self.core.pool, id);
        let mut runs = Vec::new();
        h.taken = taking::takes(h.sink, run, h.taken, self.start, |r| runs.push(r));
        self.core.wheel.plan(h.taken, Wake::Deliver, host);
        let credits = h.credits;
        h.packets += 1;
        // H2: at the end of a message what it brought is told.
        let told = h.becn_per > 0 && ends(&p, h.becn_per) && h.has_seen(p.src as usize);
        let cnp = h.answers && p.kind.is_marked() && (p.marks.has(h.cause) || told);
        // AK3
        if cnp || h.acks && p.kind == PacketKind::Data {
            h.asks = Some(p);
            if p.n == 1 {
                self.answer(host, t);
            } else {
                self.core.wheel.plan(run.last(), Wake::Answer, host);
            }
        }
        for r in runs {
            self.core.free_blocks(credits, vl, r, t);
        }
    }

    /// The last flit of a packet that is to be answered is on the rx pins of an adapter: it is whole.
    fn answer(&mut self, host: usize, t: u64) {
        let h = &mut self.core.hosts[host];
        let Some(p) = h.asks.take() else { return };
        if h.becn_per > 0 && !h.acks {
            let (word, bit) = (p.src as usize / 32, 1 << (p.src % 32));
            if !ends(&p, h.becn_per) {
                h.seen[word] |= bit;
                return;
            }
            h.seen[word] &= !bit;
        }
        let vl = h.source.reply_vl(p.src as usize, p.vl as usize);
        if self.core.inputs[h.cnps].queues[vl].packets >= h.cnpq {
            *(if h.acks { &mut h.cnt_ack_lost } else { &mut h.cnt_cnp_lost }) += 1;
            return;
        }
        *(if h.acks { &mut h.cnt_ack } else { &mut h.cnt_cnp }) += 1;
        let vl = vl as u32;
        let (kind, marks, psn) = match h.acks {
            true => (PacketKind::Ack, p.marks.returned(), p.psn),
            false => (PacketKind::Cnp, Marks::BECN, 0),
        };
        let reply = Packet { src: p.dst, dst: p.src, psn, n: 1, vl, kind, marks, ..p };
        let (cnps, queued, reply) = (h.cnps, h.queued, self.core.pool.put(reply));
        self.core.queue_reply(cnps, reply, !queued, t);
        if queued {
            self.core.wheel.plan(t + 1, Wake::Move, host);
        }
    }

    /// Section 8 of an adapter: in a cycle without a post of the host a CNP joins its destination's generation queue.
    fn move_cnp(&mut self, host: usize, t: u64) {
        let h = &mut self.core.hosts[host];
        h.moves = false;
        let pool = &mut self.core.pool;
        let queues = &mut self.core.inputs[h.cnps].queues;
        let vls = queues.len();
        // A CNP queued in this cycle is seen in the next.
        let waits = |v: &usize| queues[*v].head != packet::NONE && pool[queues[*v].head].t0 < t;
        let Some(vl) = (0..vls).map(|k| (h.mover + k) % vls).find(waits) else { return };
        if h.posted != t {
            h.mover = (vl + 1) % vls;
            let id = queues[vl].pop(pool);
            queues[vl].charge -= 1;
            let flow = pool[id].dst as usize;
            pool.remove(id);
            if h.source.post_cnp(t, flow) {
                self.core.wheel.plan(t + 1, Wake::Source, host);
            } else {
                h.cnt_cnp_lost += 1;
            }
        }
        self.core.wheel.plan(t + 1, Wake::Move, host);
    }

    /// The host takes the last flit of the oldest packet.
    fn deliver<O: Observer>(&mut self, host: usize, t: u64, observer: &mut O) {
        let id = self.core.hosts[host].held.pop(&self.core.pool);
        let p = self.core.pool[id];
        self.core.pool.remove(id);
        let (src, dst, now) = (p.src as usize, p.dst as usize, t - self.start);
        // The end-to-end check: every packet once, whole, in order.
        let pair = src * self.hosts + dst;
        let next = &mut self.delivered[pair];
        let right = match self.once.get_mut(pair) {
            Some(once) => once.deliver(p.psn),
            None => p.psn == *next & 0xff_ffff,
        };
        assert!(
            dst == host && right,
            "host {host} got packet {} of {src} to {dst}, when {next} were delivered",
            p.psn
        );
        *next += 1;
        self.in_flight -= 1;
        self.core.hosts[host].flits += u64::from(p.n);
        let injected = p.entered - self.start;
        let posted = p.posted - self.start;
        let (fecn, warm, born) = (p.marks.tell(), p.marks.warn(), p.born);
        let speculative = self.core.srp && self.core.pool.tag(id).kind == Kind::Spec;
        let d = Delivered { src, dst, len: p.n, fecn, warm, speculative, born, posted, injected };
        observer.delivered(&d, now);
        self.work.delivered(src, dst, p.n, now);
        self.plan_offer(src, t + 1);
        self.plan_offer(dst, t + 1);
    }
}

/// The packet ends a message of 2^`per` packets.
fn ends(p: &Packet, per: u32) -> bool {
    p.psn & ((1 << per) - 1) == (1 << per) - 1
}

fn add_node(
    core: &mut Core,
    p: &Params,
    ports: (usize, usize),
    lft: Vec<u8>,
    hosts: usize,
    scheme: Scheme,
) -> usize {
    let (inputs, outs) = ports;
    let adapter = outs == 1;
    let iso = scheme.isolation == Isolation::Lines;
    let organisation = match scheme.organisation {
        Organisation::OneQueue if adapter => Organisation::Voq,
        Organisation::LanePerDest if p.vls < hosts => Organisation::Voq,
        organisation => organisation,
    };
    let detector = match scheme.detector {
        // Congestion bits are there whether somebody looks at them or not.
        Detector::None if !adapter && p.srp => Detector::Fill,
        detector if !adapter => detector,
        _ if iso => Detector::Fill,
        _ => Detector::None,
    };
    core.nodes.push(Node {
        shape: Shape {
            outs,
            inputs,
            vls: p.vls,
            mtu: p.mtu as u64,
            cap: p.cap(0) as u32,
            organisation,
            detector,
            iterations: p.iterations,
            iso,
            data_lanes: p.srp.then(|| p.data_lanes()),
            adapter,
        },
        host: NOWHERE,
        input: core.inputs.len(),
        output: core.outputs.len(),
        outs: 0,
        ins: 0,
        lft,
        accept: vec![0; inputs],
        turns: Turns::new(inputs),
        registers: Vec::new(),
    });
    core.nodes.len() - 1
}

/// The output port's classes of lanes, with reservation.
fn classes(node: &Node) -> Option<Box<Classes>> {
    node.shape.data_lanes.map(|lanes| Box::new(Classes::new(lanes, node.shape.inputs)))
}

/// The parameters of an adapter's input port: with reservation it has lanes of packets of hosts only, and drops nothing.
fn port_params(p: &Params) -> Params {
    Params { srp: false, vls: p.packet_lanes(), ..*p }
}

fn add_input(core: &mut Core, node: usize, port: usize, p: &Params, regs: InRegs) {
    let shape = &core.nodes[node].shape;
    let queues = shape.cold_queues() + p.hpqs;
    let outs = shape.outs;
    let credits = add_credits(core, Lanes::of(p.vls, |v| p.cap(v) as u64), &regs.fc);
    let mut input = Input::new(node, port, outs, p.vls, queues, regs);
    input.credits = credits;
    input.outs = vec![0; queues];
    if core.nodes[node].shape.organisation == Organisation::Voq {
        (0..outs * p.vls).for_each(|q| input.outs[q] = (q / p.vls) as u8);
    }
    if core.nodes[node].shape.iso {
        input.lines = Some(Box::new(InLines::new(p.lines, p.dlist, p.hpqs, outs * p.vls, queues)));
    }
    core.inputs.push(input);
}

fn add_credits(core: &mut Core, cap: Lanes<u64>, slots: &Slots) -> usize {
    let mut c = Credits::new(cap);
    c.interval = slots.interval;
    c.origin = slots.origin;
    slots.first.iter().enumerate().for_each(|(vl, &t)| c.first[vl] = t);
    core.credits.push(c);
    core.credits.len() - 1
}
