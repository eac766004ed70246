//! Two golden adapters that acknowledge, joined by wires. What must hold of any such pair, whatever a page says: packets and ACKs are
//! conserved, nobody starves, and windows drain and open again.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::model::bench::Bench;
use crate::model::header::Header;
use crate::model::link::Control;
use crate::params::{Params, UnitKind, builds};
use crate::signals::ctl_bits;

const WIRES: [&str; 4] = ["rx_valid", "rx_first", "rx_last", "rx_bad"];

/// LID of the first end, which is flow 0; the second is flow 1.
const LID: u32 = 4;

/// One end: its adapter, its host, what came and went.
struct End {
    b: Bench,
    posted: u32,
    /// Packets of data and ACKs that began on tx.
    data: u32,
    acks: u32,
    /// Flits to the host that were last ones.
    received: u32,
    /// Chances of a hundred: to post, to deliver, to take.
    post: u32,
    dma: u32,
    host: u32,
}

struct Pair {
    p: Params,
    ends: [End; 2],
    rng: SmallRng,
    wmax: u32,
    /// ACKs of a hundred that the wire eats.
    eats: u32,
    /// No link.
    cut: u32,
    t: u32,
}

fn configure(b: &mut Bench, own: u32, wmax: u32) {
    while b.cycle().get("ready", 0) == 0 {}
    for dlid in 0..16 {
        b.set("lft_we", 0, 1).set("lft_addr", 0, dlid).cycle();
    }
    for (unit, addr, data) in [(3, 1, own), (3, 2, LID), (3, 0, 4), (2, 1, wmax), (2, 0, 1)] {
        b.set("cfg_unit", 0, unit).config(addr, data);
    }
}

impl Pair {
    fn new(name: &str, wmax: u32, seed: u64) -> Pair {
        let p = builds().iter().find(|b| b.unit == UnitKind::Hca && b.name == name).expect("a build").params;
        let end = |own: u32| {
            let mut b = Bench::new(UnitKind::Hca, &p);
            configure(&mut b, own, wmax);
            End { b, posted: 0, data: 0, acks: 0, received: 0, post: 100, dma: 100, host: 100 }
        };
        let rng = SmallRng::seed_from_u64(seed);
        Pair { p, ends: [end(LID), end(LID + 1)], rng, wmax, eats: 0, cut: 0, t: 0 }
    }

    /// The output wires of an end as the other sees them a cycle later.
    fn cycle(&mut self) {
        let (words, flit) = (ctl_bits(&self.p).div_ceil(32), self.p.flit_bytes / 4);
        let mut wires = Vec::new();
        for end in &self.ends {
            let b = &end.b;
            let bits = ["tx_valid", "tx_first", "tx_last", "tx_bad"].map(|n| b.get(n, 0));
            wires.push((
                bits,
                b.get_words("tx_data")[..flit].to_vec(),
                b.get_words("tx_ctl")[..words].to_vec(),
            ));
        }
        let up = self.cut == 0;
        self.cut = self.cut.saturating_sub(1);
        for (side, end) in self.ends.iter_mut().enumerate() {
            // What the host sees in this cycle.
            end.b.unit.outputs(&[], &mut end.b.output);
            let (bits, data, ctl) = &wires[1 - side];
            let ack = bits[0] & bits[1] == 1 && Header::parse(data).is_ack();
            let eaten = ack && self.rng.random_range(0..100) < self.eats;
            if !up {
                end.b.set("link_up", 0, 0);
            } else {
                if !eaten {
                    WIRES.iter().zip(bits).for_each(|(n, v)| {
                        end.b.set(n, 0, *v);
                    });
                    end.b.set_words("rx_data", data);
                }
                end.b.set_words("rx_ctl", ctl);
            }
            let mut chance = |of: u32| self.rng.random_range(0..100) < of;
            let flow = 1 - side as u32;
            let full = end.b.get("gen_full", 0) >> flow & 1 != 0;
            let (post, dma, host) = (chance(end.post), chance(end.dma), chance(end.host));
            if post && !full {
                let len = 1 + (end.posted % self.p.mtu as u32);
                end.b.set("gen_valid", 0, 1).set("gen_flow", 0, flow).set("gen_len", 0, len);
                end.b.set("gen_psn", 0, end.posted);
                end.posted += 1;
            }
            end.b.set("dma_ready", 0, dma.into()).set("host_ready", 0, host.into());
            end.b.cycle();
            let b = &end.b;
            if b.get("tx_valid", 0) & b.get("tx_first", 0) == 1 {
                let is_ack = Header::parse(b.get_words("tx_data")).is_ack();
                (end.data, end.acks) = (end.data + u32::from(!is_ack), end.acks + u32::from(is_ack));
            }
            end.received += u32::from(host) & b.get("host_valid", 0) & b.get("host_last", 0);
        }
        self.t += 1;
    }

    fn run(&mut self, cycles: u32) {
        (0..cycles).for_each(|_| self.cycle());
    }

    /// Both hosts are done; everything that is queued goes.
    fn drain(&mut self, cycles: u32) {
        for end in &mut self.ends {
            (end.post, end.dma, end.host) = (0, 100, 100);
        }
        self.run(cycles);
    }

    /// Nothing is on its way, and no window is taken.
    fn assert_quiet(&self) {
        for end in &self.ends {
            for name in ["st_gen_pkts", "st_cnp_pkts", "st_out", "st_sending"] {
                assert_eq!(end.b.get(name, 0), 0, "{name}");
            }
        }
    }

    /// After the traffic: each packet has reached its host, and its ACK has come back.
    fn assert_conserved(&self) {
        self.assert_quiet();
        for side in 0..2 {
            let (a, b) = (&self.ends[side], &self.ends[1 - side]);
            assert_eq!([a.data, b.received, b.acks], [a.posted; 3], "end {side}");
            assert_eq!(a.b.get("st_cnt_ack_lost", 0), 0);
            assert_eq!((a.b.get("err", 0), a.b.get("err_thr", 0)), (0, 0), "end {side}");
        }
    }
}

#[test]
fn acks_are_conserved_and_windows_are_kept() {
    for (name, wmax, seed) in [("rtiny", 1, 1), ("rtiny", 2, 2), ("rnet8", 2, 3), ("r64", 3, 4)] {
        let mut pair = Pair::new(name, wmax, seed);
        for phase in 0..6 {
            for end in &mut pair.ends {
                let mut any = || [20, 50, 100][pair.rng.random_range(0..3)];
                (end.post, end.dma, end.host) = (any(), any(), any());
            }
            for _ in 0..600 {
                pair.cycle();
                for side in 0..2 {
                    // What left and is not yet seen to be acknowledged.
                    let (a, b) = (&pair.ends[side], &pair.ends[1 - side]);
                    assert!(b.acks <= a.data && a.data - b.acks <= wmax, "{name} phase {phase}");
                }
            }
        }
        pair.drain(1_500);
        assert!(pair.ends.iter().all(|e| e.posted > 20), "{name}");
        pair.assert_conserved();
        assert_eq!(pair.wmax, wmax);
    }
}

/// Equal ends get alike. When one host takes nothing both stand, for the lanes that are full give no credit for ACKs either; when it
/// takes again both go on.
#[test]
fn nobody_starves() {
    for name in ["rtiny", "rnet8", "r64"] {
        let mut pair = Pair::new(name, 2, 7);
        pair.run(6_000);
        let [a, b] = [&pair.ends[0], &pair.ends[1]].map(|e| e.data);
        assert!(a > 100 && b > 100 && a.abs_diff(b) * 10 <= a.max(b), "{name}: {a} {b}");
        let sent = |pair: &Pair| [&pair.ends[0], &pair.ends[1]].map(|e| e.data);
        pair.ends[1].host = 0;
        pair.run(3_000);
        let before = sent(&pair);
        pair.run(1_000);
        if pair.p.ts_w > 12 {
            assert_eq!(before, sent(&pair), "{name}");
        }
        pair.ends[1].host = 100;
        pair.run(4_000);
        let after = sent(&pair);
        assert!((0..2).all(|s| after[s] > before[s] + 50), "{name}: {before:?} {after:?}");
        pair.drain(3_000);
        pair.assert_quiet();
        if pair.p.ts_w > 12 {
            // (Else packets that waited for the second host were given up.)
            pair.assert_conserved();
        }
    }
}

/// A wire that eats ACKs: windows narrow, and open again when their flow is silent for long enough.
#[test]
fn windows_open_again_behind_lost_acks() {
    for wmax in [1, 3] {
        let mut pair = Pair::new("rtiny", wmax, 11);
        pair.eats = 30;
        let mut latest = [0; 2];
        for t in 0..30_000 {
            let before = [pair.ends[0].data, pair.ends[1].data];
            pair.cycle();
            for side in 0..2 {
                if pair.ends[side].data != before[side] {
                    latest[side] = t;
                }
                assert!(t - latest[side] < 2_000, "end {side} stands");
            }
        }
        pair.eats = 0;
        pair.drain(3_000);
        pair.assert_quiet();
        assert!(pair.ends.iter().all(|e| e.b.get("err_thr", 0) & 1 << 3 != 0), "no ACK was lost");
        for side in 0..2 {
            assert_eq!(pair.ends[side].data, pair.ends[1 - side].received);
        }
        // They are as wide as before.
        let before = [pair.ends[0].data, pair.ends[1].data];
        pair.ends.iter_mut().for_each(|e| e.post = 100);
        pair.run(2_000);
        assert!((0..2).all(|s| pair.ends[s].data > before[s] + 50));
    }
}

/// Either end is reset in the middle of traffic, over a link that falls and comes back.
#[test]
fn windows_drain_and_open_after_a_reset_of_either_end() {
    for (side, seed) in [(0, 1), (1, 2), (0, 3), (1, 4)] {
        let mut pair = Pair::new("rtiny", 1 + seed as u32 % 2, seed);
        pair.run(700 + 13 * seed as u32);
        let wmax = pair.wmax;
        let end = &mut pair.ends[side];
        end.b.unit.reset();
        configure(&mut end.b, LID + side as u32, wmax);
        pair.cut = 5;
        pair.run(4_000);
        let before = [pair.ends[0].data, pair.ends[1].data];
        pair.run(2_000);
        for (s, (end, before)) in pair.ends.iter().zip(before).enumerate() {
            assert!(end.data > before + 50, "end {s} stands after a reset of {side}");
        }
        pair.drain(3_000);
        pair.assert_quiet();
    }
}

/// The control word has no credit in most cycles, so that a pair that passes here has waited for some.
#[test]
fn the_wires_carry_credits() {
    let mut pair = Pair::new("rtiny", 1, 5);
    let mut credits = 0;
    for _ in 0..100 {
        pair.cycle();
        credits += u32::from(Control::unpack(pair.ends[0].b.get_words("tx_ctl")).fccl.is_some());
    }
    assert!((20..30).contains(&credits), "{credits}");
}
