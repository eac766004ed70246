//! Marks by count, MB and VB, and ages, through a whole switch.

use super::*;
use crate::model::header::Marks;
use rand::{Rng, SeedableRng, rngs::SmallRng};
use std::collections::VecDeque;

const NAIVE: u32 = 0x20;
const MB_EN: u32 = 0x40;
const SCHED: u32 = 1 << 9;
const VB_EN: u32 = 1 << 12;

/// A switch whose links take a flit of a queue in each cycle.
struct Rig {
    b: Bench,
    p: Params,
    /// Destination, flit, flits, opcode.
    coming: Vec<VecDeque<(u16, u16, u16, u8)>>,
    /// First flits that left: output, header.
    left: Vec<(usize, Header)>,
}

impl Rig {
    fn new(p: Params) -> Rig {
        let b = ready(&p);
        Rig { b, p, coming: vec![VecDeque::new(); p.ports], left: Vec::new() }
    }

    fn send(&mut self, input: usize, dlid: u16, n: u16, opcode: u8) {
        self.coming[input].extend((0..n).map(|i| (dlid, i, n, opcode)));
    }

    fn cycle(&mut self, credit: impl Fn(usize) -> bool) {
        for port in 0..self.p.ports {
            if let Some((dlid, i, n, opcode)) = self.coming[port].pop_front() {
                flit(&mut self.b, &self.p, port, dlid, i, n, opcode);
            }
            let v = self.b.cycles as usize % self.p.vls;
            if credit(port) {
                let ahead = self.p.mtu as u32;
                let blocks = (self.b.get("st_txr", port * self.p.vls + v) + ahead) & 0xfff;
                let fccl = Some(Credit { vl: v as u32, blocks });
                control(&mut self.b, &self.p, port, &Control { fccl, ..Control::default() });
            }
        }
        self.b.cycle();
        for port in (0..self.p.ports).filter(|port| self.b.get("tx_first", *port) == 1) {
            self.left.push((port, Header::parse(self.b.get_element("tx_data", port))));
        }
    }

    fn run(&mut self, cycles: usize, credit: impl Fn(usize) -> bool) {
        (0..cycles).for_each(|_| self.cycle(&credit));
    }

    fn marks(&self) -> Vec<Marks> {
        self.left.iter().map(|(_, h)| h.marks()).collect()
    }
}

/// Santos' figure 1: ten inputs with one packet each for an output, and one whose buffer is full of packets for it. The input trigger
/// marks all that wait for the output, naive those of the full buffer only.
#[test]
fn a_full_buffer_marks_others_only_by_the_input_trigger() {
    let p = params("san13");
    for (ctrl_in, ctrl_out, alone) in [(NAIVE, 0, true), (0, 2 << 10, false)] {
        let mut r = Rig::new(p);
        config(&mut r.b, INPUT, 255, 0, ctrl_in);
        config(&mut r.b, OUTPUT, 255, 0, ctrl_out);
        (1..11).for_each(|i| r.send(i, 0, 32, 4));
        r.run(50, |_| false);
        (0..4).for_each(|_| r.send(0, 0, 32, 4));
        r.run(150, |_| false);
        r.run(1000, |_| true);
        let marked = r.marks().iter().filter(|m| m.has(Marks::FECN)).count();
        assert_eq!((r.left.len(), marked), (14, if alone { 4 } else { 14 }));
    }
}

/// Oldest first: a packet that was there first goes first, wherever the others wait.
#[test]
fn one_input_with_many_old_packets_gets_more_than_a_turn() {
    let p = params("santiny");
    for (ctrl, first) in [(SCHED, [0, 0, 0, 1, 2]), (0, [0, 1, 2, 0, 0])] {
        let mut r = Rig::new(p);
        config(&mut r.b, OUTPUT, 255, 0, ctrl);
        for (i, n) in [(0, 3), (1, 1), (2, 1)] {
            (0..n).for_each(|_| r.send(i, 1, 2 + i as u16, 4));
            r.run(12, |_| false);
        }
        r.run(100, |_| true);
        let inputs: Vec<usize> = r.left.iter().map(|(_, h)| h.flits() - 2).collect();
        assert_eq!(inputs, first);
    }
}

/// MVCM's figure 3: MB where a buffer is filling up, VB where an output is saturated, and never VB alone.
#[test]
fn packets_are_cold_warm_or_hot() {
    let p = params("santiny");
    let mut r = Rig::new(p);
    config(&mut r.b, INPUT, 255, 0, MB_EN);
    config(&mut r.b, INPUT, 255, 17, 8);
    config(&mut r.b, OUTPUT, 255, 0, VB_EN);
    config(&mut r.b, OUTPUT, 255, 12, 6);
    // Three for output 1, which has no credit; then one for output 2 in the same buffer: warm.
    (0..3).for_each(|_| r.send(0, 1, 4, 4));
    r.send(0, 2, 2, 4);
    r.run(40, |port| port != 1);
    assert_eq!(r.marks(), [Marks::MB]);
    r.run(60, |_| true);
    // The first ones were stored below MB_TH; the third one went when less than VB_TH waited, but for itself.
    assert_eq!(r.marks(), [Marks::MB, Marks::NONE, Marks::NONE, Marks::MB]);
    // (one of them has credit left)
    (0..4).for_each(|_| r.send(0, 1, 4, 4));
    (0..3).for_each(|_| r.send(2, 1, 4, 4));
    r.run(40, |_| false);
    r.left.clear();
    r.run(100, |_| true);
    let hot = r.marks().iter().filter(|m| m.has(Marks::MB | Marks::VB)).count();
    assert!(hot >= 1 && r.marks().iter().all(|m| m.has(Marks::MB) || !m.has(Marks::VB)), "{:?}", r.marks());
}

/// SM4: whatever comes, and whatever links lose, a count is the packets inside, and 0 when there are none.
#[test]
fn counts_are_what_is_inside() {
    for (name, seed) in ["santiny", "marktiny", "marktinyq"].into_iter().zip(1..) {
        let p = params(name);
        let mut r = Rig::new(p);
        config(&mut r.b, INPUT, 255, 0, 1);
        config(&mut r.b, OUTPUT, 255, 0, 3 << 10 | 2);
        config(&mut r.b, OUTPUT, 255, 11, 3);
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut most, mut still) = (0, 0);
        for round in 0..400 {
            if round % 8 == 0 {
                still = rng.random_range(0..2 * p.ports);
            }
            for i in 0..p.ports {
                let full = (0..p.vls).any(|v| r.b.get("st_used", i * p.vls + v) as usize + 6 > p.cap(v));
                if !full && r.coming[i].is_empty() && rng.random_ratio(2, 3) {
                    let opcode = [4, 4, 4, 0x80, 0x11][rng.random_range(0..5)];
                    let n = if opcode == 4 { rng.random_range(1..=4) } else { 1 };
                    r.send(i, rng.random_range(0..p.ports as u16), n, opcode);
                }
            }
            let down = rng.random_range(0..8 * p.ports);
            for _ in 0..rng.random_range(1..30) {
                if down < p.ports {
                    r.b.set("link_up", down, 0);
                    r.coming[down].clear();
                }
                r.cycle(|port| port != still);
                let counts = (0..p.ports * p.vls).map(|q| (r.b.get("st_cnt1", q), r.b.get("st_cnt2", q)));
                for (all, marked) in counts {
                    assert!(marked <= all && all as usize <= p.ports * p.cap(0) + p.ports);
                    most = most.max(all);
                }
            }
        }
        r.run(600, |_| true);
        for q in 0..p.ports * p.vls {
            assert_eq!((r.b.get("st_cnt1", q), r.b.get("st_cnt2", q)), (0, 0), "{name}");
        }
        assert!(most > 3 && r.marks().iter().any(|m| m.has(Marks::FECN)), "{name}: {most}");
        let others = r.left.iter().filter(|(_, h)| h.is_cnp() || h.is_ack());
        assert!(others.clone().count() > 10 && others.into_iter().all(|(_, h)| h.marks() == Marks::NONE));
    }
}

/// S8, SM4: when a buffer fills, as many packets get a mark as a scan of all buffers finds for the outputs that packets in it wait for. Which of
/// them does not matter: they leave first.
#[test]
fn a_fill_marks_as_many_as_a_scan_finds() {
    let p = params("santiny");
    let level = p.cap(0) - p.mtu.div_ceil(2);
    let (mut rng, mut fills, mut late) = (SmallRng::seed_from_u64(1), 0, 0);
    for round in 0..300 {
        let mut r = Rig::new(p);
        config(&mut r.b, OUTPUT, 255, 0, 2 << 10);
        let mut used = vec![0; p.ports];
        // Markable packets by input and output, and those of an output that are to be marked.
        let mut wait = vec![vec![0; p.ports]; p.ports];
        let mut expected = vec![0; p.ports];
        for _ in 0..rng.random_range(5..30) {
            let (i, o) = (rng.random_range(0..p.ports), rng.random_range(0..p.ports));
            let n = rng.random_range(1..=p.mtu);
            if used[i] + n > p.cap(0) {
                continue;
            }
            let opcode = [4, 4, 4, 0x11][rng.random_range(0..4)];
            r.send(i, o as u16, n as u16, opcode);
            r.run(n + 6, |_| false);
            wait[i][o] += u32::from(opcode == 4);
            let before = used[i];
            used[i] += n;
            if before <= level && used[i] > level {
                fills += 1;
                for o in (0..p.ports).filter(|o| wait[i][*o] > 0) {
                    expected[o] = wait.iter().map(|w| w[o]).sum();
                }
            } else {
                late += u32::from(expected[o] > 0 && opcode == 4);
            }
        }
        r.run(600, |_| true);
        let marked = |o: usize| {
            r.left.iter().filter(|(out, h)| *out == o && h.marks().has(Marks::FECN)).count() as u32
        };
        assert_eq!((0..p.ports).map(marked).collect::<Vec<_>>(), expected, "round {round}");
    }
    assert!(fills > 100 && late > 30, "{fills} fills, {late} packets came after one");
}
