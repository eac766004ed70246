//! Constrained-random stimulus: a [`World`] that changes from phase to phase.

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::packets::{Fault, OPCODE_ACK, Packet, Queued, To};
use super::phase::Phase;
use super::reservation::{any_packet, in_order, misplace, reserve, reserving};
use super::steady::Steady;
use super::world::World;
use crate::cosim::source::Source;
use crate::model::header::{Bth, Marks, OPCODE_CNP};
use crate::model::link::{Credit, MAX_DLIST, Message};
use crate::params::{Params, UnitKind};
use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use crate::stimulus::input_port::readings;
use crate::stimulus::knobs::{Knobs, SHORT_RUN, Setup};

const KINDS: [Phase; 14] = [
    Phase::Acknowledged,
    Phase::Acknowledged,
    Phase::Calm,
    Phase::Saturated,
    Phase::Marked,
    Phase::Notified,
    Phase::Trees,
    Phase::Trees,
    Phase::Starved,
    Phase::SlowHost,
    Phase::Violate,
    Phase::Reconfigure,
    Phase::Mixed,
    Phase::Mixed,
];

/// The constrained-random source.
#[derive(Clone, Debug)]
pub(super) struct Random {
    world: World,
    knobs: Knobs,
    /// Registers and tables are ours to choose.
    free: bool,
    /// Drive everything before the unit is ready: it must be ignored.
    early: bool,
    left: u32,
    time: u64,
    /// Indices that nothing but notifications and timers move, for some periods.
    steady: Steady,
    /// Chance that a packet comes in when none waits; that it is a CNP, marked, notified, an ACK, for many, faulty.
    rx: Chance,
    cnp: Chance,
    fecn: Chance,
    becn: Chance,
    ack: Chance,
    /// Chance of MB; of VB beside it.
    mb: Chance,
    multicast: Chance,
    fault: Chance,
    /// Chance of a message, and that it is nonsense.
    message: Chance,
    nonsense: Chance,
    /// Chance that the room told by the far end changes, and that it is none.
    room: Chance,
    starved: Chance,
    /// Chance of a credit message or FCTBS that is wrong.
    lie: Chance,
    reconfig: Chance,
    /// Of the last packet from the link.
    /// The chunk of which packets come.
    chunk: u16,
    psn: u32,
    /// The PSN that comes next of each flow, where order is looked at.
    follows: Vec<u32>,
}

impl Random {
    /// A source; a `setup` without writes means that it chooses registers and tables.
    pub(super) fn new(p: &Params, knobs: &Knobs, setup: &Setup, seed: u64) -> Random {
        let mut world = World::new(p, setup, seed ^ 0x3c_71_aa_08_5f_e2_94_1b);
        let free = setup.input_port.is_empty()
            && setup.output_port.is_empty()
            && setup.hca_throttle.is_empty()
            && setup.cct.is_none();
        let early = world.rng.random_bool(0.5);
        if setup.attrs.is_empty() {
            let few = world.rng.random_bool(0.5);
            for f in 0..p.flows as u16 {
                let sl = world.rng.random_range(0..if few { 2 } else { 16 });
                world.attrs.push_back((f, sl));
            }
        }
        let mut r = Random {
            world,
            knobs: knobs.clone(),
            free,
            early,
            left: 0,
            time: 0,
            steady: Steady::No,
            rx: 0,
            cnp: 0,
            fecn: 0,
            becn: 0,
            ack: 0,
            mb: 0,
            multicast: 0,
            fault: 0,
            message: 0,
            nonsense: 0,
            room: 0,
            starved: 0,
            lie: 0,
            reconfig: 0,
            chunk: 0,
            psn: 0xff_fff0,
            follows: vec![0xff_fff0; p.flows],
        };
        if free {
            let iso = u32::from(p.isolation);
            let chooser = if p.srp { 3 } else { 1 | 16 };
            r.world.cfg.extend([(0, 0, iso), (1, 0, iso << 1), (2, 0, chooser)]);
            r.table();
        }
        r.next_phase();
        r
    }

    fn next_phase(&mut self) {
        let Random { world: w, knobs, .. } = self;
        let p = w.p;
        let rng = &mut w.rng;
        let kind = KINDS[rng.random_range(0..KINDS.len())];
        let mean = knobs.phase_len.map_or(1200, |l| l as u32);
        self.left = rng.random_range(mean / 2..=mean + mean / 2);
        let some = |rng: &mut SmallRng, p: f64, v: f64| if rng.random_bool(p) { v } else { 0.0 };
        let mixed = kind == Phase::Mixed;
        let is = |k: Phase| kind == k || mixed;

        // the host
        let load = match kind {
            Phase::Saturated | Phase::Trees => 1.0,
            _ => [0.0, 0.05, 0.3, 1.0][rng.random_range(0..4)],
        };
        w.post = chance(knobs.load.unwrap_or(load));
        let n = [1, 2, 5, p.flows][rng.random_range(0..4)].min(p.flows);
        w.flows = (rng.random_range(0..p.flows), n);
        w.push = chance(some(rng, 0.3, 0.3));
        let (short, long) = [(1.0, 0.0), (0.0, 1.0), (0.3, 0.3)][rng.random_range(0..3)];
        w.short = chance(knobs.short_share.unwrap_or(short));
        w.long = chance(knobs.long_share.unwrap_or(long));
        let violation = knobs.violation_rate;
        w.bad_post = chance(violation.unwrap_or(if is(Phase::Violate) { some(rng, 0.5, 0.1) } else { 0.0 }));
        let pace = |rng: &mut SmallRng| {
            if kind == Phase::SlowHost { [0.0, 0.05, 0.3, 0.9][rng.random_range(0..4)] } else { 1.0 }
        };
        (w.dma, w.host) = (chance(pace(rng)), chance(pace(rng)));
        if mixed {
            (w.dma, w.host) = (chance(rng.random_range(0.1..1.0)), chance(rng.random_range(0.1..1.0)));
        }

        // the far end as sender
        self.rx = chance([0.0, 0.05, 0.5, 1.0][rng.random_range(0..4)]);
        if matches!(kind, Phase::Marked | Phase::Notified | Phase::Violate) {
            self.rx = ALWAYS;
        }
        self.cnp = chance(knobs.cnp_share.unwrap_or(match kind {
            Phase::Notified | Phase::Violate | Phase::Mixed => 0.3,
            _ => 0.02,
        }));
        self.fecn = chance(if is(Phase::Marked) || kind == Phase::Violate {
            rng.random_range(0.1..1.0)
        } else {
            0.05
        });
        self.becn = chance(knobs.becn_rate.unwrap_or(if is(Phase::Notified) { 0.3 } else { 0.01 }));
        self.ack = chance(knobs.ack_share.unwrap_or(match kind {
            Phase::Acknowledged => [0.0, 0.1, 0.7][rng.random_range(0..3)],
            Phase::Violate | Phase::Mixed => 0.4,
            _ => 0.1,
        }));
        self.mb = chance([0.0, 0.05, 0.5][rng.random_range(0..3)]);
        // The far end answers what it gets; without ACKs windows open slowly, where time is long.
        w.acked = [ALWAYS, ALWAYS, if p.ts_w > 12 { ALWAYS } else { chance(0.9) }][rng.random_range(0..3)];
        w.twice = chance(some(rng, 0.2, 0.1));
        w.ack_marked = chance([0.0, 0.2, 0.8][rng.random_range(0..3)]);
        w.ack_delay = [0, 5, 40, 300][rng.random_range(0..4)];
        reserve(w, kind, knobs);
        let rng = &mut w.rng;
        self.multicast = chance(0.05);
        self.fault =
            chance(violation.unwrap_or(if is(Phase::Violate) { rng.random_range(0.02..0.6) } else { 0.0 }));
        let slow = knobs.slow_link.map_or(some(rng, 0.3, 0.5), |s| 1.0 - 1.0 / s);
        w.gap = chance(knobs.gap_rate.unwrap_or(slow));
        w.lose = chance(knobs.message_loss.unwrap_or(some(rng, 0.1, 0.5)));
        w.fctbs_every = [0, 1, 3, 8][rng.random_range(0..4)];

        w.carrier.vary(rng, knobs.link_falls);

        // and as receiver
        self.starved = chance(knobs.credit_starvation.unwrap_or(match kind {
            Phase::Starved => 0.8,
            Phase::Saturated => 0.0,
            _ => some(rng, 0.3, 0.3),
        }));
        self.room = chance(0.01);
        w.credit = [ALWAYS, chance(0.3), chance(0.05)][rng.random_range(0..3)];
        w.room = [2000, 2000, p.mtu as u32, 64][rng.random_range(0..4)];
        w.starve = rng.random_bool(0.2).then(|| rng.random_range(0..p.vls));
        let trees = knobs.tree_rate.or(knobs.stop_go_rate);
        self.message = chance(trees.unwrap_or(if is(Phase::Trees) {
            [0.003, 0.03, 0.3][rng.random_range(0..3)]
        } else {
            some(rng, 0.2, 0.003)
        }));
        self.nonsense = chance(violation.unwrap_or(if is(Phase::Violate) { 0.2 } else { 0.0 }));
        self.lie = chance(violation.unwrap_or(if is(Phase::Violate) { some(rng, 0.5, 0.01) } else { 0.0 }));
        let may = self.free || knobs.reconfig_rate.is_some();
        let reconfig =
            if is(Phase::Reconfigure) { rng.random_range(0.002..0.2) } else { some(rng, 0.2, 0.002) };
        self.reconfig = chance(if may { knobs.reconfig_rate.unwrap_or(reconfig) } else { 0.0 });
        if self.free && rng.random_bool(0.3) {
            self.table();
        }
        // Errors stay until somebody looks.
        if self.free {
            let iso = u32::from(p.isolation);
            let rng = &mut self.world.rng;
            let (input, output) = (readings(rng), rng.random_range(0..4) << 7);
            let (queued, window) =
                (u32::from(rng.random_bool(0.3)), [0, 0, 1, 2, 4, 9][rng.random_range(0..6)]);
            let per = [0, 0, 1, 2, 3, 7][rng.random_range(0..6)];
            // as many CNPs as there can be, in the FIFOs
            let many = kind == Phase::Marked && rng.random_bool(0.7);
            let (queued, per) = if many { (0, per & 1) } else { (queued, per) };
            let acks = kind == Phase::Acknowledged || p.response && rng.random_bool(0.9);
            let acks = u32::from((acks || rng.random_bool(0.3)) && !many);
            let validated = u32::from(rng.random_bool(0.2) && !many);
            let windows = [0, 1, 1, 2, 3, 255][rng.random_range(0..6)];
            let response = [0, 0, 1, 2, 3, 4][rng.random_range(0..6)] << 1 | rng.random_range(0..16) << 4;
            let chosen = if p.srp {
                reserving(&p, kind, rng)
            } else if p.response {
                let windows = if acks == 1 { windows } else { 0 };
                vec![(2, 0, 1 | response), (2, 1, windows), (2, 5, 0xaa00)]
            } else {
                Vec::new()
            };
            self.world.cfg.extend([
                (0, 0, iso | input),
                (1, 0, iso << 1 | output),
                (3, 0, 1 | queued << 1 | acks << 2 | validated << 3),
                (3, 1, 2),
            ]);
            self.world.cfg.extend(chosen);
            self.world.cfg.extend([(3, 4, per), (3, 5, window), (3, 10, 0xffff)]);
        }
    }

    /// The next phase, or the next part of a steady period: in a long run, if all that it needs is ours to choose.
    fn goes_on(&mut self) {
        let k = &self.knobs;
        let set = [k.becn_rate, k.load, k.reconfig_rate, k.violation_rate, k.link_falls, k.credit_starvation];
        let begins = self.time > SHORT_RUN
            && self.free
            && self.world.p.chooser() == UnitKind::HcaThrottle
            && set.iter().all(Option::is_none);
        let rng = &mut self.world.rng;
        self.steady = match self.steady {
            Steady::Begins => Steady::runs(&self.world.p, rng),
            _ if begins && rng.random_ratio(1, 8) => Steady::Begins,
            _ => Steady::No,
        };
        match &self.steady {
            Steady::No => self.next_phase(),
            Steady::Begins => self.settle(),
            Steady::Runs(r) => {
                self.left = r.cycles;
                r.begin(&mut self.world);
            }
        }
    }

    /// A few flows always have a packet, nothing else keeps them than their delays, and all indices come down to 0.
    fn settle(&mut self) {
        self.next_phase();
        (self.cnp, self.becn, self.fault, self.message, self.nonsense) = (0, 0, 0, 0, 0);
        (self.room, self.lie, self.reconfig) = (0, 0, 0);
        let w = &mut self.world;
        self.left = Steady::settle(w);
    }

    /// A whole new table.
    fn table(&mut self) {
        let w = &mut self.world;
        if !w.ccts.is_empty() {
            return;
        }
        let step = w.rng.random_range(0..30);
        if w.p.response {
            w.waits.extend((0..16).map(|i| (i as u16, i * step)));
            return;
        }
        w.ccts.extend((0..w.p.cct as u32).map(|i| (i as u16, (i * step) as u16)));
    }

    /// A packet from the link.
    fn receive(&mut self) {
        let w = &mut self.world;
        if !w.rx.is_empty() || !hit(&mut w.rng, self.rx) {
            return;
        }
        let n = usize::from(w.length());
        if w.p.srp {
            self.receive_reserving(n);
            return;
        }
        let rng = &mut w.rng;
        let mut packet = if hit(rng, self.cnp) { Packet::cnp() } else { Packet::data(n) };
        let h = &mut packet.hdr;
        if h.is_cnp() && rng.random_bool(0.3) {
            h.pkt_len = 16 * n as u16;
        }
        h.vl = rng.random_range(0..w.p.vls) as u8;
        h.sl = rng.random_range(0..16);
        let opcode = match h.bth {
            Some(b) if b.opcode == OPCODE_CNP => OPCODE_CNP,
            _ if hit(rng, self.ack) => OPCODE_ACK,
            _ => [4, 4, 0x64][rng.random_range(0..3)],
        };
        if opcode == OPCODE_ACK && rng.random_bool(0.6) {
            h.pkt_len = 7;
        }
        let control = w.p.control_lane() == Some(usize::from(h.vl));
        if control && (self.fault == 0 || rng.random_bool(0.8)) {
            // CL3: what has a place there
            h.pkt_len = if opcode == OPCODE_ACK { 7 } else { 10 };
            if opcode != OPCODE_ACK && opcode != OPCODE_CNP {
                h.vl = rng.random_range(0..w.p.data_lanes()) as u8;
                h.pkt_len = 16 * n as u16;
            }
        }
        let mb = hit(rng, self.mb);
        // messages whose packets come one after the other, and others
        self.psn = if rng.random_bool(0.9) { self.psn.wrapping_add(1) } else { rng.next_u32() };
        let bth = Bth {
            opcode,
            marks: Marks::FECN.when(hit(rng, self.fecn))
                | Marks::BECN.when(hit(rng, self.becn) || opcode == OPCODE_CNP && rng.random_bool(0.8))
                | Marks::MB.when(mb)
                | Marks::VB.when(mb && rng.random_bool(0.5)),
            dest_qp: rng.next_u32() & 0xff_ffff,
            psn: self.psn & 0xff_ffff,
        };
        h.bth = Some(bth);
        // Behind a GRH there is a BTH only in a wide flit; with raw headers there is none.
        h.lnh = if rng.random_bool(0.9) { 2 } else { rng.random_range(0..4) };
        let to = if hit(rng, self.multicast) { To::Multicast } else { To::Us };
        h.dlid = rng.random_range(0..16);
        let from = rng.random_range(0..w.p.flows) as u16;
        self.queue(packet, to, from);
    }

    /// A packet from the host of a flow comes, or something like it.
    fn queue(&mut self, mut packet: Packet, mut to: To, mut from: u16) {
        let w = &mut self.world;
        let rng = &mut w.rng;
        let n = packet.hdr.flits();
        let h = &mut packet.hdr;
        if hit(rng, self.fault) {
            let some = rng.random_range(1..=n) as u8;
            match rng.random_range(0..12) {
                0 => h.vl = rng.random_range(0..16),
                1 => h.pkt_len = rng.random_range(0..2048),
                2 => to = To::Other,
                3 => from = rng.random_range(0..=u16::MAX),
                4 => packet.fault = Fault::NoFirst,
                5 => packet.fault = Fault::Cut(some),
                6 => {
                    let most = [3, 20, 255][rng.random_range(0..3)];
                    packet.fault = Fault::Longer(rng.random_range(1..=most));
                }
                7 => packet.fault = Fault::Early(some),
                8 => packet.fault = Fault::Bad(some),
                _ => packet.fault = Fault::NoCredit,
            }
        }
        w.rx.push_back(Queued { packet, to, from });
    }

    /// The same with reservation.
    fn receive_reserving(&mut self, n: usize) {
        let w = &mut self.world;
        let mut packet = any_packet(&w.p, &mut w.rng, n, &mut self.chunk);
        if self.fault > 0 && w.rng.random_bool(0.1) {
            misplace(&w.p, &mut w.rng, &mut packet);
        }
        let to = if hit(&mut w.rng, self.multicast) { To::Multicast } else { To::Us };
        let from = w.rng.random_range(0..w.p.flows) as u16;
        if w.p.dedup {
            packet = in_order(&mut w.rng, packet, &mut self.follows[usize::from(from)]);
        }
        self.queue(packet, to, from);
    }

    /// Messages and credits of the far end.
    fn answer(&mut self) {
        let w = &mut self.world;
        if hit(&mut w.rng, self.room) {
            let none = hit(&mut w.rng, self.starved);
            w.room = if none { 0 } else { [2000, w.p.mtu as u32, 100][w.rng.random_range(0..3)] };
        }
        if hit(&mut w.rng, self.lie) {
            let vl = w.rng.random_range(0..w.p.vls as u32 + 2);
            let blocks = w.rng.next_u32() & 0xfff;
            if w.rng.random() {
                w.credits.push_back(Credit { vl, blocks });
            } else {
                w.fctbs = Some(Credit { vl, blocks });
            }
        }
        if !hit(&mut w.rng, self.message) {
            return;
        }
        if hit(&mut w.rng, self.nonsense) {
            let mut dlist = [0; MAX_DLIST];
            dlist[..w.p.dlist].iter_mut().for_each(|d| *d = w.rng.next_u32() as u16);
            let bits = w.rng.next_u32();
            let m = Message {
                kind: bits & 3,
                line: bits >> 2 & 0x3f,
                vl: bits >> 8 & 0xf,
                root: bits >> 8,
                hops: bits >> 20 & 0x3f,
                stop: bits >> 31 != 0,
                dcnt: bits >> 24 & 0x3f,
                dlist,
            };
            w.messages.push_back(m);
            return;
        }
        let n = w.rng.random_range(1..=w.p.dlist);
        let flows: Vec<usize> =
            (0..n).map(|_| (w.flows.0 + w.rng.random_range(0..w.flows.1)) % w.p.flows).collect();
        let kind = [0, 0, 0, 1, 2, 2, 3, 3][w.rng.random_range(0..8)];
        let line = w.rng.random_range(0..w.p.lines) as u32;
        let stop = kind == 0 && w.rng.random();
        let mut m = w.tree(kind, line, stop, &flows);
        if !w.p.vl_by_dest {
            m.vl = w.rng.random_range(0..w.p.vls) as u32;
        }
        w.messages.push_back(m);
    }

    /// Registers and tables.
    fn reconfigure(&mut self) {
        let w = &mut self.world;
        if !w.cfg.is_empty() || !hit(&mut w.rng, self.reconfig) {
            return;
        }
        let mtu = w.p.mtu as u32;
        let rng = &mut w.rng;
        let write = match rng.random_range(0..16) {
            0 => (3, 0, rng.random_range(0..16)),
            1 => (3, 1, rng.random_range(1..4)),
            2 => (3, 2, [3, 3, 1, 60, 0xfffe][rng.random_range(0..5)]),
            3 => (3, 3, [0, 1, 4, 9, 30][rng.random_range(0..5)]),
            4 | 5 => (3, 10, 0xffff),
            6 => (rng.random_range(0..6), rng.random(), rng.next_u32()),
            7 => (1, 7, rng.random_range(0..4)),
            8 => (1, 8, [0xff, 40, 0xffff_ffff][rng.random_range(0..3)]),
            9 => (0, 7, [0xff, 40, 0xffff_ffff][rng.random_range(0..3)]),
            10 => (0, [1, 2, 11, 12][rng.random_range(0..4)], rng.random_range(0..4 * mtu)),
            11 => (0, 0, rng.random_range(0..32)),
            12 => (1, 0, [2, 2, 0, 3, 7][rng.random_range(0..5)] | rng.random_range(0..4) << 7),
            13 => (
                2,
                0,
                rng.random_range(
                    0..if w.p.srp {
                        0x80
                    } else if w.p.response {
                        256
                    } else {
                        32
                    },
                ),
            ),
            14 => (2, rng.random_range(1..7), rng.random_range(0..12)),
            15 if rng.random_bool(0.5) => (3, rng.random_range(4..6), rng.random_range(0..5)),
            _ => (rng.random_range(0..3), 10, 0xffff),
        };
        w.cfg.push_back(write);
        if write.0 < 2 && write.1 == 7 && rng.random_bool(0.5) {
            // the link is as fast as before
            w.cfg.push_back((1, 7, 1));
        }
        if rng.random_bool(0.2) {
            let f = rng.random_range(0..w.p.flows) as u16;
            w.attrs.push_back((f, rng.random_range(0..16)));
        }
        if rng.random_bool(0.05) {
            let a = rng.random_range(0..w.p.lft_depth) as u16;
            w.lft.extend([(a, rng.random_range(0..3)), (a, 0)]);
        }
    }
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.world.io;
        if seen[io.ready] == 0 {
            if self.early {
                let rng = &mut self.world.rng;
                for at in [
                    io.cfg_we,
                    io.lft_we,
                    io.cct_we,
                    io.wt_we,
                    io.attr_we,
                    io.gen_valid,
                    io.gen_len,
                    io.dma_ready,
                    io.host_ready,
                    io.rx_valid,
                    io.rx_first,
                    io.rx_last,
                    io.link_up,
                ] {
                    input[at] = rng.next_u32() & 1;
                }
                input[io.cfg_unit] = rng.random_range(0..4);
                input[io.cfg_addr] = rng.random_range(0..11);
                input[io.cfg_data] = rng.next_u32();
                input[io.rx_ctl] = rng.next_u32();
                input[io.rx_ctl + 1] = rng.next_u32();
                self.world.reader.drive(input);
            }
            return;
        }
        if self.left == 0 {
            self.goes_on();
        }
        self.left -= 1;
        self.time += 1;
        if let Steady::Runs(r) = &self.steady {
            r.goes_on(&mut self.world);
        }
        self.receive();
        self.answer();
        self.reconfigure();
        self.world.drive(seen, input);
    }
}
