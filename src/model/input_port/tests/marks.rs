//! Section 14: fills, naive, MB; and the reader's pace of section 4.

use super::*;
use rand::SeedableRng;
use std::collections::{HashMap, VecDeque};

/// Puts the flits of a packet on the pins, one a cycle, from cycle `at` on.
fn arrives(b: &mut Bench, pkt: Pkt, t: i32, at: i32) {
    if (at..at + pkt.n as i32).contains(&t) {
        b.pins(pkt, (t - at) as u32);
    }
}

/// The timing diagram.
#[test]
fn those_who_wait_at_a_fill_are_marked() {
    let mut b = Bench::new(params("santiny"));
    assert_eq!((b.p.cap(0), b.read(FILL_LEVEL), b.read(MB_TH)), (16, 14, 10));
    for p in [pkt(2, 3), pkt(1, 1), pkt(1, 4), pkt(1, 4)] {
        b.send(p);
    }
    // A fill before all this, so that the VL is not armed.
    b.cfg(FILL_LEVEL, 11);
    b.clocks(2);
    b.cfg(FILL_LEVEL, 14);
    b.cfg(CTRL, NAIVE);
    b.clock();
    let q = 2; // output 1, VL 0
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); 8];
    for t in -1..7 {
        let names = ["enter", "st_waiting", "full_evt", "xb_first", "st_ncnt", "xb_mark"];
        let at = [q, q, q, 1, q, 1];
        if t >= 0 {
            let values = names.iter().zip(at).map(|(name, i)| b.get(name, i));
            let values = values.chain([b.get("st_used", 0), b.get("st_full", 0) * 2 + b.get("st_armed", 0)]);
            rows.iter_mut().zip(values).for_each(|(row, x)| row.push(x));
        }
        arrives(&mut b, pkt(1, 3), t, -1);
        b.set("grant", q, u32::from(t == 3 || t == 4));
        b.set("rd_en", 1, 1);
        b.clock();
    }
    let expected = [
        [0, 1, 0, 0, 0, 0, 0],
        [3, 4, 4, 4, 3, 2, 2],
        [0, 0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 3, 2, 2],
        [0, 0, 0, 0, 0, 0, 1],
        [12, 13, 14, 15, 15, 14, 13],
        [0, 1, 1, 1, 2, 2, 0],
    ];
    assert_eq!(rows, expected);
    assert_eq!(b.get("err", 0), 0);
}

#[test]
fn outputs_hear_of_a_fill_if_packets_wait_for_them() {
    // Packets for outputs 0 and 2, a notification for 1; in hot queues or not makes no difference to the counts.
    let mut b = Bench::new(params("marktiny"));
    b.cfg(FILL_LEVEL, 3);
    b.send(pkt(0, 1));
    b.send(Pkt { cnp: true, ..pkt(1, 1) });
    b.send(pkt(2, 1));
    let mut heard = Vec::new();
    b.pins(Pkt { cnp: true, ..pkt(1, 1) }, 0);
    for _ in 0..6 {
        b.clock();
        heard.push([0, 1, 2].map(|o| b.get("full_evt", o * 2)));
    }
    // Stored in the second cycle, above the level in the third, told in the fourth.
    assert_eq!(heard, [[0; 3], [0; 3], [1, 0, 1], [0; 3], [0; 3], [0; 3]]);
    assert!(b.covered(Cov::Sm1FillByAck) && b.covered(Cov::Sm2OnlyUnmarkableWaits));
}

#[test]
fn a_packet_gets_mb_above_the_threshold_with_itself() {
    for (th, n, cnp, mb) in
        [(5, 3, false, false), (4, 3, false, true), (4, 3, true, false), (65_535, 3, false, false)]
    {
        let mut b = Bench::new(params("santiny"));
        b.cfg(MB_TH, th);
        b.cfg(CTRL, MB_EN);
        b.send(pkt(0, 2));
        b.send(Pkt { cnp, ..pkt(1, n) });
        b.set("grant", 2, 1);
        b.clock();
        b.set("rd_en", 1, 1);
        b.clock();
        let at = b.layout.output("xb_data") + 8;
        let h = Header::parse(&b.out[at..at + 8]);
        assert_eq!((b.get("xb_first", 1), h.marks().has(Marks::MB)), (1, mb), "{th} {cnp}");
        assert!(!h.marks().has(Marks::FECN) && !h.marks().has(Marks::VB));
        // Two are stored, and this packet.
        assert_eq!(b.covered(Cov::Vm1AtThreshold), th == 5);
        assert_eq!(b.covered(Cov::Vm1OneAbove), mb);
    }
}

#[test]
fn without_markers_nothing_is_marked() {
    let mut b = Bench::new(Params { isolation: false, ..tiny() });
    for (addr, data) in [(CTRL, NAIVE | MB_EN), (FILL_LEVEL, 0), (MB_TH, 0), (BYPASS, 1)] {
        b.cfg(addr, data);
        assert_eq!(b.read(addr), data);
    }
    b.send(pkt(1, 4));
    for _ in 0..12 {
        let q = 2;
        b.set("grant", q, b.get("req_valid", q));
        b.set("rd_en", 1, 1);
        b.clock();
        for name in ["enter", "full_evt", "req_age", "st_waiting", "st_ncnt", "st_aged"] {
            assert_eq!(b.get(name, q), 0, "{name}");
        }
        let at = b.layout.output("xb_data") + 8;
        assert!(b.get("xb_first", 1) == 0 || Header::parse(&b.out[at..at + 8]).marks() == Marks::NONE);
        assert_eq!(b.get("xb_mark", 1), 0);
    }
    assert_eq!(b.flits[1].len(), 4);
}

/// A reader of any pace, in any phase, of any link is never without a flit, and a slower reader lets a packet start sooner.
#[test]
fn a_slow_reader_lets_packets_start_and_never_runs_dry() {
    let p = Params { mtu: 8, blocks: 64, vls: 1, isolation: false, ..mid() };
    let mut starts = HashMap::new();
    let paces = [1, 2, 3, 5, 7, 15];
    for (rx, rd) in paces.into_iter().flat_map(|rx| paces.map(|rd| (rx, rd))) {
        for n in [1, 2, 5, 8] {
            for phase in 0..rd {
                let mut b = Bench::new(p);
                b.cfg(RX_INTERVAL, rx);
                b.cfg(RD_INTERVAL, rd);
                let (mut sent, mut start) = (0, None);
                for t in 0..300 {
                    if sent < n && t % rx == 0 {
                        b.pins(pkt(1, n), sent);
                        sent += 1;
                    }
                    if b.get("req_valid", 1) == 1 {
                        start.get_or_insert(t);
                        b.set("grant", 1, 1);
                    }
                    b.set("rd_en", 1, u32::from(t % rd == phase));
                    b.clock();
                }
                assert_eq!((b.get("err", 0), b.flits[1].len()), (0, n as usize), "{rx} {rd} {n} {phase}");
                starts.insert((rx, rd, n), start.unwrap());
            }
        }
    }
    for ((rx, rd, n), start) in &starts {
        let slower = paces.into_iter().filter(|pace| pace > rd);
        assert!(slower.into_iter().all(|pace| *start >= starts[&(*rx, pace, *n)]));
        // From a link that is no slower than the reader: with its first flit.
        assert!(rx > rd || *start == 2, "{rx} {rd} {n}: {start}");
    }
}

/// SM3 from outside: a packet leaves with a mark iff it was there in some cycle of a fill, and did not go in that one.
#[test]
fn naive_marks_exactly_those_present() {
    for seed in 0..6 {
        let p = params("santiny");
        let mut b = Bench::new(p);
        let rng = &mut rand::rngs::SmallRng::seed_from_u64(seed);
        b.cfg(CTRL, NAIVE);
        let level = [12, 9, 5][seed as usize % 3];
        b.cfg(FILL_LEVEL, level);
        let pv = p.ports * p.vls;
        // Per (o,v): was each one that waits there in a fill; and what leaves at an output now.
        let mut waiting: Vec<VecDeque<bool>> = vec![VecDeque::new(); pv];
        let mut leaving: Vec<VecDeque<bool>> = vec![VecDeque::new(); p.ports];
        // VLs of the packets that began on the pins in the last two cycles: one more, and they are armed.
        let mut began = [None; 2];
        let mut sending: Option<(Pkt, u32)> = None;
        let (mut over, mut came, mut marked, mut left) = (vec![false; p.vls], vec![false; p.vls], 0, 0);
        for _ in 0..30_000 {
            // Accepted in the cycle before.
            (0..pv).filter(|q| b.get("enter", *q) == 1).for_each(|q| waiting[q].push_back(false));
            let grants: Vec<usize> = (0..p.ports)
                .filter(|_| chance(rng, 60))
                .filter_map(|o| (o * p.vls..(o + 1) * p.vls).find(|q| b.get("req_valid", *q) == 1))
                .collect();
            let goes: Vec<usize> = grants.iter().copied().filter(|q| b.get("req_cnp", *q) == 0).collect();
            let old = std::mem::take(&mut over);
            for v in 0..p.vls {
                over.push(b.get("st_used", v) > level);
                came[v] |= began[1] == Some(v);
                if over[v] && !old.get(v).copied().unwrap_or(false) && came[v] {
                    came[v] = false;
                    for q in (v..pv).step_by(p.vls) {
                        let gone = usize::from(goes.contains(&q));
                        waiting[q].iter_mut().skip(gone).for_each(|there| *there = true);
                    }
                }
            }
            for q in grants {
                let cnp = b.get("req_cnp", q) == 1;
                leaving[q / p.vls].push_back(!cnp && waiting[q].pop_front().unwrap());
                b.set("grant", q, 1);
            }
            for o in 0..p.ports {
                b.set("rd_en", o, b.get("xb_act", o));
            }
            if sending.is_none() && chance(rng, 200) {
                let vl = below(rng, 2) as u8;
                let pkt =
                    Pkt { vl, cnp: below(rng, 5) == 0, ..pkt(below(rng, 12) as u16, 1 + below(rng, 4)) };
                if b.get("st_used", vl.into()) + pkt.n + 2 <= p.cap(0) as u32 {
                    sending = Some((pkt, 0));
                }
            }
            began = [None, began[0]];
            if let Some((pkt, i)) = sending {
                b.pins(pkt, i);
                began[0] = (i == 0).then_some(usize::from(pkt.vl));
                sending = (i + 1 < pkt.n).then_some((pkt, i + 1));
            }
            b.clock();
            for (o, leaves) in leaving.iter_mut().enumerate() {
                if b.get("xb_first", o) == 1 {
                    let there = leaves.pop_front().unwrap();
                    assert_eq!(b.get("xb_mark", o) == 1, there);
                    (marked, left) = (marked + usize::from(there), left + 1);
                } else {
                    assert_eq!(b.get("xb_mark", o), 0);
                }
            }
        }
        assert_eq!(b.get("err", 0), 0);
        assert!(marked > 100 && left > 2 * marked, "{marked} of {left}");
    }
}
