//! Section 16: lanes, ages, drops, NACKs, the discard engine.

use super::*;
use crate::model::header::SrpFields;
use crate::params::lanes::opcode;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::VecDeque;

const SPEC: u32 = 20;
const TTW: u32 = 21;
/// Of `spectiny`: P = 3, D = 1.
const D: usize = 1;
const RES: usize = 2;
const REPLY: usize = 3;

/// A packet of the protocol, from behind output `slid` mod 3 to output `dlid` mod 3.
#[derive(Clone, Copy, Debug)]
struct Spec {
    vl: usize,
    dlid: u16,
    slid: u16,
    n: u32,
    age: u16,
    opcode: u8,
    lnh: u8,
    tag: u16,
}

fn spec(dlid: u16, slid: u16, n: u32) -> Spec {
    Spec { vl: D, dlid, slid, n, age: 0, opcode: opcode::SPEC, lnh: 2, tag: 0x50 }
}

fn control(vl: usize, dlid: u16) -> Spec {
    let opcode = if vl == RES { opcode::RES } else { opcode::ACK };
    Spec { vl, opcode, ..spec(dlid, 0, 1) }
}

impl Spec {
    fn flit(&self, i: u32) -> Vec<u32> {
        let mut flit = vec![0xa5a5_a5a5; 8];
        if i == 0 {
            let bth = Bth { opcode: self.opcode, marks: Marks::FECN | Marks::MB, dest_qp: 7, psn: 0x77 };
            Header {
                vl: self.vl as u8,
                sl: 5,
                lnh: self.lnh,
                dlid: self.dlid,
                pkt_len: 16 * self.n as u16,
                slid: self.slid,
                bth: Some(bth),
            }
            .write(&mut flit);
            let [seq, low] = self.tag.to_be_bytes();
            // All 13 bits, of which the upper ones stand beside the flags.
            let id = 0x1500 | u16::from(low);
            let fields = SrpFields { id, seq, n: 3, flags: 1, size: 0, age: self.age, wait: 0x1234_5678 };
            fields.write(&mut flit);
        } else {
            flit[0] = u32::from(self.tag) << 8 | i;
        }
        flit
    }
}

/// A flit that left: first, last, bad, its words.
type Left = (bool, bool, bool, Vec<u32>);

struct Lanes {
    b: Bench,
    /// By output.
    left: Vec<Vec<Left>>,
}

impl Lanes {
    fn new(name: &str) -> Lanes {
        let b = Bench::new(params(name));
        let left = vec![Vec::new(); b.p.ports];
        Lanes { b, left }
    }

    fn dropping(ttw: u32) -> Lanes {
        let mut l = Lanes::new("spectiny");
        l.b.cfg(TTW, ttw);
        l.b.cfg(SPEC, 1);
        l
    }

    fn pins(&mut self, p: Spec, i: u32) {
        self.raw(p, i, i + 1 == p.n, false);
    }

    fn raw(&mut self, p: Spec, i: u32, last: bool, bad: bool) {
        for (name, value) in [("rx_valid", true), ("rx_first", i == 0), ("rx_last", last), ("rx_bad", bad)] {
            self.b.set(name, 0, value.into());
        }
        let at = self.b.layout.input("rx_data");
        self.b.input[at..at + 8].copy_from_slice(&p.flit(i));
    }

    fn clock(&mut self) {
        self.b.clock();
        for o in 0..self.b.p.ports {
            if self.b.get("xb_valid", o) == 1 {
                let flags = ["xb_first", "xb_last", "xb_bad"].map(|name| self.b.get(name, o) == 1);
                let at = self.b.layout.output("xb_data") + o * 8;
                self.left[o].push((flags[0], flags[1], flags[2], self.b.out[at..at + 8].to_vec()));
            }
        }
    }

    fn clocks(&mut self, n: usize) {
        (0..n).for_each(|_| self.clock());
    }

    /// Sends a whole packet; the cycle that follows is the first in which its last flit can be seen.
    fn send(&mut self, p: Spec) {
        for i in 0..p.n {
            self.pins(p, i);
            self.clock();
        }
        self.clock();
    }

    /// All outputs that ask are granted, lanes from the highest, and all read.
    fn serve(&mut self) {
        let (ports, vls) = (self.b.p.ports, self.b.p.vls);
        for o in 0..ports {
            let q = (0..vls).rev().map(|v| o * vls + v).find(|q| self.b.get("req_valid", *q) == 1);
            if let Some(q) = q {
                self.b.set("grant", q, 1);
            }
            self.b.set("rd_en", o, 1);
        }
    }

    fn drain(&mut self) {
        for _ in 0..60 {
            self.serve();
            self.clock();
        }
    }

    fn asks(&self, o: usize, v: usize) -> bool {
        self.b.get("req_valid", o * self.b.p.vls + v) == 1
    }

    fn err(&self) -> u32 {
        self.b.get("err", 0)
    }
}

/// Random traffic of the stimulus, and a clock that wraps: how often each cover point was hit.
pub(super) fn random_traffic() -> Vec<(usize, u64)> {
    use crate::cosim::source::Source;
    use crate::stimulus::input_port::Random;
    use crate::stimulus::knobs::{Knobs, Setup};
    let p = params("spectiny");
    let mut b = Bench::cold(p);
    for seed in 0..4 {
        let mut source = Random::new(&p, &Knobs::default(), &Setup::default(), seed);
        for _ in 0..70_000 {
            b.layout.make_idle(&mut b.input);
            source.drive(&b.out, &mut b.input);
            b.unit.step(&b.input);
            b.refresh();
            check_invariants(&b);
        }
    }
    b.unit.cover().iter().copied().enumerate().collect()
}

/// A packet whose next flit is bad, that flit a cycle later each time: one is cut in the cycle of its drop, one while what drops it
/// waits for that flit.
pub(super) fn cut_beside_its_drop(point: Cov) -> bool {
    (0..12).any(|late| {
        let mut l = Lanes::dropping(6);
        l.pins(spec(0, 2, 4), 0);
        l.clock();
        l.clocks(late);
        l.raw(spec(0, 2, 4), 1, true, true);
        l.clocks(12);
        l.b.covered(point)
    })
}

/// The timing diagram.
#[test]
fn a_packet_is_dropped_while_it_arrives() {
    let mut l = Lanes::dropping(2);
    let a = spec(0, 2, 4);
    l.pins(a, 0);
    l.clock();
    // Cycle 0 of the page is now: A0 is in stage 1.
    let rows = [
        ("st_spec_waited", 0),
        ("req_valid", D),
        ("st_spec_nack", 0),
        ("req_valid", 2 * 4 + D),
        ("req_nack", 2),
        ("st_disc_act", 0),
        ("st_disc_r", 0),
        ("xb_act", 2),
        ("xb_first", 2),
        ("st_used", D),
        ("st_cpq_fill", D),
    ];
    let mut seen = vec![Vec::new(); rows.len()];
    for t in 0..9 {
        for (row, (name, i)) in seen.iter_mut().zip(rows) {
            row.push(l.b.get(name, i));
        }
        // Stage 1 in the next cycle.
        match t {
            0 => l.pins(a, 1),
            1 => l.pins(a, 2),
            3 => l.pins(a, 3),
            _ => {}
        }
        if t == 5 {
            l.b.set("grant", 2 * 4 + D, 1);
        }
        l.b.set("rd_en", 2, 1);
        l.clock();
    }
    let expected = [
        [0, 0, 1, 2, 3, 4, 0, 0, 0],
        [0, 1, 1, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 1, 1, 0],
        [0, 0, 0, 0, 0, 1, 2, 3, 0],
        [0, 0, 0, 0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 1, 0],
        [0, 1, 2, 3, 3, 4, 3, 1, 0],
        [0, 4, 4, 4, 4, 4, 3, 1, 0],
    ]
    .map(Vec::from);
    for (i, (got, want)) in seen.iter().zip(&expected).enumerate() {
        assert_eq!(got, want, "{}", rows[i].0);
    }
    assert_eq!((l.err(), l.b.get("st_cnt_spec_drop", 0)), (0, 1));
    // Q9
    let mut want = a.flit(0);
    let mut h = Header::parse(&want);
    (h.vl, h.dlid, h.slid, h.pkt_len) = (REPLY as u8, 2, 0, 16);
    let bth = h.bth.unwrap();
    h.bth = Some(Bth { opcode: 0xc3, marks: Marks::MB, ..bth });
    h.write(&mut want);
    assert_eq!(l.left[2], [(true, true, false, want)]);
}

#[test]
fn lanes_have_buffers_of_their_own() {
    for name in ["spectiny", "spec2"] {
        let mut l = Lanes::new(name);
        let p = l.b.p;
        for v in 0..p.vls {
            let kind = [p.data_blocks, p.spec_blocks, p.ctl_blocks, p.ctl_blocks];
            let cap = if v < p.vls - 3 { kind[0] } else { kind[v + 4 - p.vls] };
            assert_eq!(cap, p.cap(v));
            let packet = Spec { vl: v, ..spec(0, 1, 1) };
            for used in 0..cap {
                assert_eq!(l.b.get("st_used", v) as usize, used);
                l.send(packet);
            }
            assert_eq!(l.err(), 0, "{name} VL {v}");
            l.send(packet);
            assert_eq!(l.err(), 1 << err::NO_CREDIT, "{name} VL {v}");
            l.b.cfg(ERR_CLEAR, 0xffff);
            assert_eq!(l.b.get("st_used", v) as usize, cap);
        }
        // FCCL: what is free of each lane
        l.b.cfg(FC_INTERVAL, 1);
        l.clocks(6);
        for _ in 0..p.vls {
            let v = l.b.get("fc_vl", 0) as usize;
            assert_eq!((l.b.get("fc_valid", 0), l.b.get("fccl", 0)), (1, l.b.get("st_abr", v)));
            l.clock();
        }
    }
}

#[test]
fn lanes_refuse_what_is_not_theirs() {
    let class = 1 << err::BAD_CLASS;
    let route = 1 << err::NO_ROUTE;
    let good = spec(0, 1, 2);
    for (p, errors) in [
        (good, 0),
        (Spec { opcode: opcode::GRANTED, ..good }, class),
        (Spec { lnh: 3, ..good }, class),
        (Spec { lnh: 0, ..good }, class),
        (Spec { slid: 15, ..good }, 0),
        (Spec { slid: 16, ..good }, route),
        (Spec { slid: 0xffff, dlid: 0x4000, opcode: 4, ..good }, route | class),
        (Spec { n: 0, ..control(RES, 0) }, class | 1 << err::BAD_LEN),
        (Spec { n: 2, ..control(RES, 0) }, class),
        (Spec { n: 2, ..control(REPLY, 0) }, class),
        (Spec { n: 5, ..control(REPLY, 0) }, class | 1 << err::BAD_LEN),
        // What a control packet says is not looked at; data lanes take anything.
        (Spec { opcode: 4, lnh: 0, ..control(REPLY, 0) }, 0),
        (Spec { opcode: opcode::ACK, slid: 0xffff, ..control(RES, 0) }, 0),
        (Spec { vl: 0, slid: 0xffff, ..good }, 0),
        (Spec { vl: 0, opcode: opcode::RES, ..good }, 0),
    ] {
        let mut l = Lanes::new("spectiny");
        l.raw(p, 0, p.n <= 1, false);
        l.clock();
        l.clock();
        assert_eq!(l.err(), errors, "{p:?}");
        assert_eq!(l.b.get("st_used", p.vl), u32::from(errors == 0), "{p:?}");
        assert_eq!(l.b.get("st_cnt_drop", 0), u32::from(errors != 0));
    }
    // The source's route is read as the destination's: in the cycle of the pins, before a write.
    for written in [0, 1] {
        let mut l = Lanes::new("spectiny");
        l.b.lft(7, if written == 1 { 0xff } else { 2 });
        l.clock();
        l.b.lft(7, if written == 1 { 2 } else { 0xff });
        l.pins(spec(0, 7, 1), 0);
        l.clock();
        l.clock();
        assert_eq!(l.err(), if written == 1 { route } else { 0 });
    }
}

/// Q2
#[test]
fn a_fifo_is_held_up_by_its_head() {
    for vl in [D, RES, REPLY] {
        let mut l = Lanes::new("spectiny");
        let to = |dlid| if vl == D { spec(dlid, 0, 1) } else { control(vl, dlid) };
        [0, 1, 2].into_iter().for_each(|dlid| l.send(to(dlid)));
        for o in 0..3 {
            assert_eq!((0..3).map(|x| l.asks(x, vl)).collect::<Vec<_>>(), [o == 0, o == 1, o == 2]);
            assert_eq!(l.b.get("st_cpq_pkts", vl), 3 - o as u32);
            assert_eq!((1..3).map(|x| l.b.get("st_cpq_pkts", x * 4 + vl)).sum::<u32>(), 0);
            assert_eq!((0..3).map(|x| l.b.get("fill", x * 4 + vl)).sum::<u32>(), 0);
            l.b.set("grant", o * 4 + vl, 1);
            l.clock();
        }
        // All three are with their engines, which read them together.
        assert_eq!((0..3).map(|o| l.b.get("xb_act", o)).sum::<u32>(), 3);
        assert_eq!((l.b.get("st_cpq_pkts", vl), l.b.get("st_cpq_fill", vl)), (0, 3));
        (0..3).for_each(|o| l.b.set("rd_en", o, 1));
        l.clock();
        assert_eq!((l.b.get("st_cpq_fill", vl), l.b.get("st_used", vl)), (0, 0));
        l.clock();
        assert_eq!(l.left.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1]);
        assert_eq!(l.err(), 0);
    }
    // Data have a queue for each output.
    let mut l = Lanes::new("spectiny");
    [0, 1].into_iter().for_each(|dlid| l.send(Spec { vl: 0, ..spec(dlid, 0, 1) }));
    assert!(l.asks(0, 0) && l.asks(1, 0));
}

/// Q5: the cycles in the FIFO, from the first in which it can be head to that of its grant.
#[test]
fn ages_grow_by_the_cycles_in_the_queue() {
    for drop_en in [0, 1] {
        for (age, wait, left) in
            [(0, 0, 0), (0, 9, 9), (100, 7, 107), (0xfffe, 1, 0xffff), (0xfffe, 9, 0xffff)]
        {
            let mut l = Lanes::new("spectiny");
            l.b.cfg(TTW, 0x7fff);
            l.b.cfg(SPEC, drop_en);
            l.send(Spec { age, ..spec(1, 0, 1) });
            l.clocks(wait);
            assert_eq!((l.b.get("st_spec_waited", 0), l.b.get("st_spec_age", 0)), (wait as u32, age.into()));
            if drop_en == 1 && age > 0x7fff {
                continue;
            }
            l.b.set("grant", 4 + D, 1);
            l.clock();
            // What comes after the grant does not count.
            l.clocks(5);
            l.b.set("rd_en", 1, 1);
            l.clocks(2);
            let flit = &l.left[1][0].3;
            assert_eq!(SrpFields::parse(flit).age, left as u16, "{age} {wait}");
            let mut want = spec(1, 0, 1).flit(0);
            SrpFields { age: left as u16, ..SrpFields::parse(&want) }.write(&mut want);
            assert_eq!(*flit, want);
        }
    }
}

#[test]
fn a_packet_behind_another_ages_from_its_own_arrival() {
    let mut l = Lanes::new("spectiny");
    l.send(spec(0, 0, 1));
    l.send(spec(1, 0, 1));
    l.clocks(10);
    let first = l.b.get("st_spec_waited", 0);
    l.b.set("grant", D, 1);
    l.clock();
    // It came two cycles later.
    assert_eq!(l.b.get("st_spec_waited", 0), first + 1 - 2);
}

#[test]
fn the_clock_counts_from_reset_and_wraps() {
    let p = params("spectiny");
    let mut b = Bench::cold(p);
    for t in 0..40 {
        assert_eq!(b.get("st_now", 0), t);
        assert_eq!(b.get("ready", 0), u32::from(t >= p.lft_depth as u32));
        b.clock();
    }
    b.clocks(65_536 - 40);
    assert_eq!(b.get("st_now", 0), 0);
    for name in ["tiny", "ctltiny"] {
        let mut b = Bench::new(params(name));
        b.clocks(5);
        assert_eq!(b.get("st_now", 0), 0);
    }
}

/// Q6: strict; in the last cycle it can still be granted, in the next it cannot.
#[test]
fn a_head_expires_behind_its_last_cycle() {
    for (ttw, age, n) in [(0, 0, 1), (5, 0, 1), (5, 2, 4), (9, 9, 2)] {
        for late in [0, 1] {
            let mut l = Lanes::dropping(ttw);
            l.send(Spec { age, ..spec(0, 1, 1) });
            let left = ttw - u32::from(age);
            l.clocks(left as usize);
            assert!(l.asks(0, D), "{ttw} {age} {n}");
            l.clocks(late);
            assert_eq!(l.asks(0, D), late == 0);
            l.b.set("grant", D, 1);
            l.b.set("rd_en", 0, 1);
            l.clock();
            assert_eq!(l.b.get("st_cnt_spec_drop", 0), late as u32);
            assert_eq!(l.b.get("st_spec_nack", 0), late as u32);
            assert_eq!(l.err() != 0, late == 1); // BAD_GRANT
            l.drain();
            assert_eq!((l.left[0].len(), l.left[1].len()), (1 - late, late));
        }
    }
}

/// A packet of one flit: nothing to discard. One that is too old when it comes: in its first cycle as head.
#[test]
fn old_packets_are_dropped_at_once() {
    for n in [1, 3] {
        let mut l = Lanes::dropping(10);
        let p = Spec { age: 11, ..spec(0, 2, n) };
        l.send(p);
        // The head could be seen `n - 1` cycles ago; the drop was decided in the first of them.
        assert!(!l.asks(0, D));
        if n == 1 {
            assert_eq!(l.b.get("st_spec_nack", 0), 0);
            l.clock();
        }
        assert_eq!((l.b.get("st_spec_nack", 0), l.b.get("st_disc_act", 0)), (1, u32::from(n > 1)));
        assert!(l.asks(2, D) && !l.asks(0, D));
        assert_eq!((l.b.get("req_len", 2 * 4 + D), l.b.get("req_dlid", 2 * 4 + D)), (1, 0));
        l.drain();
        assert_eq!((l.left[2].len(), l.b.get("st_used", D), l.b.get("st_cpq_fill", D)), (1, 0, 0));
        assert_eq!(l.err(), 0);
    }
}

/// Q7: the engine works at one packet at a time; whoever expires meanwhile waits, and does not ask.
#[test]
fn an_expired_head_waits_for_the_engine() {
    let mut l = Lanes::dropping(20);
    for p in [spec(0, 1, 4), spec(0, 1, 3)] {
        l.send(p);
    }
    while l.b.get("st_spec_nack", 0) == 0 {
        l.clock();
    }
    let mut rows = Vec::new();
    l.b.cfg(TTW, 0);
    for t in 0..6 {
        rows.push([
            l.b.get("st_disc_r", 0),
            l.b.get("st_spec_nack", 0),
            u32::from(l.asks(0, D)),
            l.b.get("st_cnt_spec_drop", 0),
        ]);
        if t == 0 {
            l.serve();
        }
        l.clock();
    }
    // The NACK goes in the first of these cycles (r = 2); the second packet waits until r has gone through 3.
    assert_eq!(rows, [[2, 1, 0, 1], [3, 0, 0, 1], [0, 0, 0, 1], [1, 1, 0, 2], [2, 1, 0, 2], [0, 1, 0, 2]]);
}

/// Q8: cut at every place, before and after the drop; by the link's end, too.
#[test]
fn the_rest_of_a_cut_packet_is_released() {
    for stored in 1..4 {
        for ttw in 0..12 {
            for how in 0..3 {
                let mut l = Lanes::dropping(ttw);
                let p = spec(0, 2, 4);
                for i in 0..stored {
                    l.pins(p, i);
                    l.clock();
                }
                match how {
                    0 => l.raw(p, stored, true, true),
                    1 => l.b.set("link_up", 0, 0),
                    // The next packet begins.
                    _ => l.pins(control(RES, 1), 0),
                }
                l.clock();
                l.clocks(ttw as usize + 6);
                assert_eq!(l.b.get("st_spec_nack", 0), 1);
                assert_eq!(
                    (l.b.get("st_used", D), l.b.get("st_cpq_fill", D)),
                    (1, 1),
                    "{stored} {ttw} {how}"
                );
                assert_eq!(l.b.get("st_disc_act", 0), 0);
                l.drain();
                let (first, last, bad, _) = l.left[2][0].clone();
                assert_eq!((first, last, bad, l.left[2].len()), (true, true, false, 1));
                assert_eq!((l.b.get("st_used", D), l.b.get("st_cpq_fill", D)), (0, 0));
            }
        }
    }
}

/// Section 12: the NACK's own flit leaves the fill at its grant.
#[test]
fn a_nack_pays_at_its_grant() {
    let mut l = Lanes::dropping(0);
    l.b.cfg(CTRL, 8);
    l.send(Spec { age: 1, ..spec(0, 2, 1) });
    l.clock();
    assert_eq!(l.b.get("st_cpq_fill", D), 1);
    l.b.set("grant", 2 * 4 + D, 1);
    l.clock();
    assert_eq!((l.b.get("st_cpq_fill", D), l.b.get("st_used", D)), (0, 1));
    l.drain();
    assert_eq!((l.b.get("st_cpq_fill", D), l.b.get("st_used", D)), (0, 0));
}

/// Whatever comes on the spec lane leaves once, whole with its age or as a NACK on the way back; nothing is left in the buffer.
#[test]
fn every_speculative_packet_leaves_once() {
    for seed in 0..40 {
        let rng = &mut SmallRng::seed_from_u64(seed);
        let mut l = Lanes::dropping(rng.random_range(0..30));
        l.b.cfg(CTRL, 8 * rng.random_range(0..2));
        let mut sent: VecDeque<Spec> = VecDeque::new();
        let (mut now, mut at, mut tag) = (None, 0, 0u16);
        let load = rng.random_range(0.1..1.0);
        let credit = rng.random_range(0.05..1.0);
        for _ in 0..2500 {
            if now.is_none() && rng.random_bool(load) {
                let n = rng.random_range(1..=4);
                if l.b.get("st_used", D) + n + 2 <= 8 {
                    tag += 1;
                    let age = rng.random_range(0..4);
                    let p = Spec { age, tag, ..spec(rng.random_range(0..3), rng.random_range(0..3), n) };
                    (now, at) = (Some(p), 0);
                    sent.push_back(p);
                }
            }
            if let Some(p) = now
                && rng.random_bool(0.8)
            {
                l.pins(p, at);
                at += 1;
                now = now.filter(|p| at < p.n);
            }
            if rng.random_bool(credit) {
                l.serve();
            }
            l.clock();
            check_invariants(&l.b);
        }
        while let Some(p) = now {
            l.pins(p, at);
            at += 1;
            now = now.filter(|p| at < p.n);
            l.clock();
        }
        l.drain();
        l.drain();
        assert_eq!((l.err() & !(1 << err::UNDERRUN), l.b.get("st_used", D)), (0, 0));
        assert_eq!((l.b.get("st_cpq_fill", D), l.b.get("st_disc_act", 0)), (0, 0));
        let (mut whole, mut nacks) = (0, 0);
        let mut ids = Vec::new();
        for (o, flits) in l.left.iter().enumerate() {
            let mut packet: Vec<Vec<u32>> = Vec::new();
            for (first, last, bad, data) in flits {
                assert_eq!((*first, *bad), (packet.is_empty(), false));
                packet.push(data.clone());
                if !last {
                    continue;
                }
                let h = Header::parse(&packet[0]);
                let f = SrpFields::parse(&packet[0]);
                let nack = h.bth.unwrap().opcode == opcode::NACK;
                assert_eq!((f.id >> 8, f.flags), (0x15, 1));
                let tag = u16::from_be_bytes([f.seq, f.id as u8]);
                assert!(!ids.contains(&tag), "{tag} twice");
                let p = *sent.iter().find(|p| p.tag == tag).unwrap();
                ids.push(tag);
                if nack {
                    assert_eq!((h.dlid, h.slid, h.vl, h.flits(), f.age), (p.slid, p.dlid, REPLY as u8, 1, 0));
                    assert_eq!((usize::from(p.slid), packet.len()), (o, 1));
                    nacks += 1;
                } else {
                    assert_eq!((usize::from(p.dlid), packet.len() as u32), (o, p.n));
                    assert!((1..p.n).all(|i| packet[i as usize] == p.flit(i)));
                    assert!(f.age >= p.age);
                    whole += 1;
                }
                packet.clear();
            }
        }
        assert_eq!(whole + nacks, sent.len());
        assert_eq!(l.b.get("st_cnt_spec_drop", 0), nacks as u32);
    }
}
