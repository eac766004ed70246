//! An output port, a link and an input port: whatever end is reset at whatever time, by the rules of `docs/link.md` nobody sends
//! what does not fit, and all that is sent over a link that is up arrives.

use std::collections::{BTreeSet, VecDeque};

use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::bench::Bench;
use super::header::{Bth, Header};
use crate::params::{Params, UnitKind, builds};

/// A packet that waits at an input of the sender: tag, VL, length.
type Packet = (u32, usize, u32);

/// What a link carries in a cycle: a flit (first, last, words), two credit counters (VL, value).
#[derive(Clone, Default)]
struct Words {
    flit: Option<(u32, u32, Vec<u32>)>,
    fctbs: Option<(u32, u32)>,
    fccl: Option<(u32, u32)>,
}

/// One end of the link as the PHY sees it.
#[derive(Default)]
struct End {
    /// Cycles in which it falls and rises next.
    fall: u64,
    rise: u64,
    /// How often it came up.
    life: u32,
    up: bool,
}

impl End {
    fn step(&mut self, t: u64) {
        let was = std::mem::replace(&mut self.up, !(self.fall..self.rise).contains(&t));
        self.life += u32::from(self.up && !was);
    }
}

/// Both ends, what is on the wire, and the sender's inputs.
struct Rig {
    p: Params,
    tx: Bench,
    rx: Bench,
    ends: [End; 2],
    /// Words on the way, with the sender's life: downstream, upstream.
    wires: [VecDeque<(u32, Words)>; 2],
    waiting: Vec<VecDeque<Packet>>,
    /// The engine of the crossbar: packet, flits sent; the flit that crosses.
    engine: Option<(Packet, u32)>,
    crossing: Option<(Packet, u32)>,
    /// The receiver's table is written up to here, after so many cycles more.
    routed: u32,
    sweep: usize,
    arrived: BTreeSet<u32>,
    /// Tags, while their packets leave the receiver, per output.
    leaving: Vec<Option<(u32, u32)>>,
    rng: SmallRng,
    t: u64,
}

impl Rig {
    fn new(p: Params, delay: usize, seed: u64) -> Rig {
        let wire = || VecDeque::from(vec![(0, Words::default()); delay]);
        Rig {
            tx: Bench::new(UnitKind::OutputPort, &p),
            rx: Bench::new(UnitKind::InputPort, &p),
            ends: [End::default(), End::default()],
            wires: [wire(), wire()],
            waiting: vec![VecDeque::new(); p.ports * p.vls],
            engine: None,
            crossing: None,
            routed: 0,
            sweep: p.lft_depth + 1,
            arrived: BTreeSet::new(),
            leaving: vec![None; p.ports],
            rng: SmallRng::seed_from_u64(seed),
            t: 0,
            p,
        }
    }

    /// Both ends fall soon, and rise within the delay of each other.
    fn fall(&mut self) {
        let delay = self.wires[0].len() as u64;
        let longest = [1, 3, 60][self.rng.random_range(0..3)];
        let first = self.t + 1;
        let second = first + self.rng.random_range(0..=delay);
        let rise = first
            + self.rng.random_range(1..=longest).max(second - first + 1 - delay.min(second - first + 1));
        let low = (second + 1).max(rise.saturating_sub(delay));
        let other = self.rng.random_range(low..=rise.max(low - delay) + delay);
        let swap = self.rng.random_range(0..2);
        (self.ends[swap].fall, self.ends[swap].rise) = (first, rise);
        (self.ends[1 - swap].fall, self.ends[1 - swap].rise) = (second, other);
    }

    /// An end is reset: all that it held is gone.
    fn reset(&mut self, end: usize) {
        if end == 0 {
            self.tx.unit.reset();
            self.waiting.iter_mut().for_each(VecDeque::clear);
            (self.engine, self.crossing) = (None, None);
        } else {
            self.rx.unit.reset();
            (self.routed, self.sweep) = (0, self.p.lft_depth + 1);
            self.leaving.fill(None);
        }
    }

    fn down(&self) -> bool {
        self.ends.iter().any(|e| !e.up)
    }

    /// What arrives at an end: nothing of another life.
    fn heard(&mut self, wire: usize) -> Words {
        let (life, words) = self.wires[wire].pop_front().unwrap_or_default();
        let to = &self.ends[1 - wire];
        if to.up && life != to.life { Words::default() } else { words }
    }

    fn cycle(&mut self) {
        self.ends.iter_mut().for_each(|e| e.step(self.t));
        let (down, up) = (self.heard(0), self.heard(1));
        let ready = self.routed == self.p.lft_depth as u32;
        // The sender.
        let tx = &mut self.tx;
        tx.set("link_up", 0, self.ends[0].up.into());
        if let Some((vl, fccl)) = up.fccl {
            tx.set("fccl_valid", 0, 1).set("fccl_vl", 0, vl).set("fccl", 0, fccl);
        }
        let reads = self.rng.random_ratio(9, 10);
        if let Some(((tag, vl, n), m)) = self.crossing.take() {
            let mut words = vec![tag << 8 | m; self.p.flit_bytes / 4];
            if m == 0 {
                let dlid = (tag % self.p.lft_depth as u32) as u16;
                let h = Header {
                    vl: vl as u8,
                    lnh: 2,
                    dlid,
                    pkt_len: 16 * n as u16,
                    bth: Some(Bth::default()),
                    ..Header::default()
                };
                h.write(&mut words[..5]);
            }
            tx.set("sw_valid", 0, 1).set("sw_first", 0, u32::from(m == 0)).set(
                "sw_last",
                0,
                u32::from(m + 1 == n),
            );
            tx.set_words("sw_data", &words);
        }
        let ends = self.engine.is_some_and(|((_, _, n), m)| m + 1 == n && reads);
        if self.engine.is_some() {
            tx.set("xb_act", 0, 1).set("xb_end", 0, ends.into());
        }
        if ready {
            for (r, queue) in self.waiting.iter().enumerate() {
                if let Some((_, _, n)) = queue.front() {
                    tx.set("req_valid", r, 1).set("req_len", r, *n).set("req_dlid", r, 1);
                }
            }
        }
        tx.cycle();
        if let Some((packet, m)) = self.engine.filter(|_| reads) {
            self.crossing = Some((packet, m));
            self.engine = (!ends).then_some((packet, m + 1));
        }
        if let Some(r) = (0..self.waiting.len()).find(|&r| tx.get("grant", r) == 1) {
            self.engine = self.waiting[r].pop_front().map(|packet| (packet, 0));
        }
        let flit = (tx.get("tx_valid", 0) == 1)
            .then(|| (tx.get("tx_first", 0), tx.get("tx_last", 0), tx.get_words("tx_data").to_vec()));
        let fctbs = (tx.get("fctbs_valid", 0) == 1).then(|| (tx.get("fctbs_vl", 0), tx.get("fctbs", 0)));
        self.wires[0].push_back((self.ends[0].life, Words { flit, fctbs, fccl: None }));
        // The receiver.
        self.receive(&down);
        assert_eq!(self.tx.get("err", 0) & !(1 << 3), 0, "sender, cycle {}", self.t);
        self.t += 1;
    }

    fn receive(&mut self, down: &Words) {
        let rx = &mut self.rx;
        rx.set("link_up", 0, self.ends[1].up.into());
        if let Some((vl, fctbs)) = down.fctbs {
            rx.set("fctbs_valid", 0, 1).set("fctbs_vl", 0, vl).set("fctbs", 0, fctbs);
        }
        if let Some((first, last, words)) = &down.flit {
            rx.set("rx_valid", 0, 1)
                .set("rx_first", 0, *first)
                .set("rx_last", 0, *last)
                .set_words("rx_data", words);
        }
        self.sweep = self.sweep.saturating_sub(1);
        if self.sweep == 0 && self.routed < self.p.lft_depth as u32 {
            rx.set("lft_we", 0, 1).set("lft_addr", 0, self.routed).set(
                "lft_port",
                0,
                self.routed % self.p.ports as u32,
            );
            self.routed += 1;
        }
        for o in 0..self.p.ports {
            rx.set("rd_en", o, 1);
            // Requests of the cycle before stand while their engine is idle.
            let idle = rx.get("xb_act", o) == 0 && rx.get("ready", 0) == 1;
            let v = (0..self.p.vls).find(|v| idle && rx.get("req_valid", o * self.p.vls + v) == 1);
            if let Some(v) = v.filter(|_| self.t.is_multiple_of(3)) {
                rx.set("grant", o * self.p.vls + v, 1);
            }
        }
        rx.cycle();
        // NO_CREDIT and all other errors but LINK_DOWN, gaps behind what the link cut, and grants for what is gone already. (What waits in
        // an output queue may come before a receiver that was reset has its table.)
        let no_route = u32::from(self.p.cioq) << 2;
        assert_eq!(
            rx.get("err", 0) & !(1 << 9 | 1 << 7 | 1 << 8 | no_route),
            0,
            "receiver, cycle {}",
            self.t
        );
        for o in (0..self.p.ports).filter(|&o| rx.get("xb_valid", o) == 1) {
            let words = rx.get_element("xb_data", o);
            let word = words[words.len() - 1];
            let (last, bad) = (rx.get("xb_last", o) == 1, rx.get("xb_bad", o) == 1);
            let (tag, m) = self.leaving[o].unwrap_or((word >> 8, 0));
            assert!(bad || word == tag << 8 | m, "flit {m} of packet {tag}");
            self.leaving[o] = (!last).then_some((tag, m + 1));
            if last && !bad {
                assert!(self.arrived.insert(tag), "packet {tag} came twice");
            }
        }
        let fccl = (rx.get("fc_valid", 0) == 1).then(|| (rx.get("fc_vl", 0), rx.get("fccl", 0)));
        self.wires[1].push_back((self.ends[1].life, Words { fccl, ..Words::default() }));
    }

    /// Packets at random inputs; their tags.
    fn ask(&mut self, first: u32, n: u32) {
        for tag in first..first + n {
            let r = self.rng.random_range(0..self.waiting.len());
            let len = self.rng.random_range(1..=self.p.mtu as u32);
            self.waiting[r].push_back((tag, r % self.p.vls, len));
        }
    }
}

#[test]
fn either_end_may_be_reset_at_any_time() {
    let mut falls = 0;
    let two = (0..60).map(|i| (["tiny", "p4v2"][i % 2], [1, 2, 3, 9][i / 2 % 4], i as u64));
    for (name, delay, seed) in two.chain((60..80).map(|i| ("cqtiny", [1, 2, 3, 9][i % 4], i as u64))) {
        let p =
            builds().into_iter().find(|b| b.unit == UnitKind::InputPort && b.name == name).unwrap().params;
        let mut r = Rig::new(p, delay, seed);
        let mut tag = 0;
        for _ in 0..40 {
            let quiet = r.rng.random_range(1..120);
            for _ in 0..quiet {
                if r.rng.random_ratio(1, 2) && r.waiting.iter().map(VecDeque::len).sum::<usize>() < 40 {
                    r.ask(tag, 1);
                    tag += 1;
                }
                r.cycle();
            }
            r.fall();
            falls += 1;
            r.cycle();
            // One end is reset while it is down, or both, or none: it was the cable.
            let mut resets = [r.rng.random::<bool>(), r.rng.random()];
            while r.down() || r.ends.iter().any(|e| r.t < e.rise) {
                for (end, pending) in resets.iter_mut().enumerate() {
                    if *pending && !r.ends[end].up && r.rng.random_ratio(1, 2) {
                        *pending = false;
                        r.reset(end);
                    }
                }
                r.cycle();
            }
        }
        // From now on all is well, and everything comes.
        for _ in 0..3000 {
            r.cycle();
        }
        r.ask(tag, 200);
        for _ in 0..12_000 {
            r.cycle();
        }
        let missing: Vec<u32> = (tag..tag + 200).filter(|t| !r.arrived.contains(t)).collect();
        assert!(missing.is_empty(), "{name}, delay {delay}, seed {seed}: {missing:?} never came");
        // Both ends count alike.
        for v in 0..p.vls {
            let txr = r.tx.get("st_txr", v);
            assert_eq!(
                (r.tx.get("st_fctbs", v), r.rx.get("st_abr", v), r.rx.get("st_used", v)),
                (txr, txr, 0)
            );
            assert_eq!(r.tx.get("st_fccl", v), (txr + (p.cap(v) as u32).min(2048)) & 0xfff);
        }
        assert!(r.arrived.len() > 200);
    }
    assert_eq!(falls, 3200);
}
