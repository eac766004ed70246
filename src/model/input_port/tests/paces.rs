//! The two paces of an engine (CQ2): `docs/output-queue.md`, section 2.

use super::*;

const XB_INTERVAL: u32 = 19;

fn queued() -> Params {
    Params {
        ports: 2,
        vls: 1,
        mtu: 9,
        blocks: 36,
        hpqs: 1,
        lines: 1,
        dlist: 1,
        isolation: false,
        cioq: true,
        ..mid()
    }
}

/// A packet comes, is granted so many cycles after its request, and read in the slots of both paces; what happened: at the link's
/// pace, slots of that pace until the last flit, flits.
fn crossing(n: u32, rx: u32, xb: u32, tx: u32, late: u32, phase: u32) -> (bool, u32, usize) {
    let mut b = Bench::new(queued());
    for (addr, value) in [(RX_INTERVAL, rx), (XB_INTERVAL, xb), (RD_INTERVAL, tx)] {
        b.cfg(addr, value);
    }
    let (mut granted, mut asked, mut slots) = (false, 0, 0);
    for t in 0..1000 {
        if t % rx == 0 && t / rx < n {
            b.pins(pkt(1, n), t / rx);
        }
        let (fast, slow) = ((t + phase).is_multiple_of(xb.max(1)), (t + phase).is_multiple_of(tx));
        b.set("rd_en", 1, fast.into());
        b.set("rd_slow", 1, slow.into());
        if b.get("xb_act", 1) == 1 && b.get("st_slow", 1) == 0 {
            slots += u32::from(fast);
        } else if b.get("xb_act", 1) == 1 {
            slots += u32::from(slow);
        }
        asked += b.get("req_valid", 1);
        if !granted && asked > late {
            b.set("grant", 1, 1);
            granted = true;
        }
        b.clock();
        assert_eq!(b.get("xb_slow", 1), b.get("st_slow", 1));
        if b.flits[1].last().is_some_and(|f| f.1) {
            break;
        }
    }
    assert_eq!(b.get("err", 0), 0, "{n} flits, {rx} {xb} {tx}, {late} late");
    (b.get("xb_slow", 1) == 1, slots, b.flits[1].len())
}

/// Whatever the paces, a packet that has begun has a flit in each slot of the pace that it took.
#[test]
fn neither_pace_leaves_a_gap() {
    let mut paces = [0; 2];
    for (rx, xb, tx) in
        [(1, 1, 2), (2, 1, 2), (2, 0, 3), (4, 2, 4), (3, 1, 1), (14, 7, 14), (2, 3, 4), (5, 1, 3)]
    {
        for n in [1, 2, 3, 5, 8, 9] {
            for (late, phase) in (0..14).map(|i| (i % 7 * n / 2, i)) {
                let (slow, slots, flits) = crossing(n, rx, xb, tx, late, phase);
                assert_eq!((slots, flits), (n, n as usize), "{n} flits, {rx} {xb} {tx}, {late} late");
                paces[usize::from(slow)] += 1;
                // What is all there, or comes no slower than it is read, goes at the crossbar's pace.
                assert!(!slow || late < n * rx && rx > xb.max(1), "{n} flits, {rx} {xb} {tx}, {late} late");
            }
        }
    }
    assert!(paces[0] > 100 && paces[1] > 100, "{paces:?}");
}

/// The packet behind one at the link's pace is loaded in a slot of that pace, and goes at its own.
#[test]
fn a_slow_packet_and_a_fast_one_behind_it() {
    let mut b = Bench::new(queued());
    b.cfg(RX_INTERVAL, 4);
    b.cfg(RD_INTERVAL, 4);
    b.send(pkt(1, 2));
    let mut read = Vec::new();
    let mut grants = 0;
    for t in 0..60 {
        if t % 4 == 0 && t / 4 < 3 {
            b.pins(pkt(1, 3), t / 4);
        } else if t == 12 {
            b.pins(pkt(1, 1), 0);
        }
        let slow = t % 4 == 1;
        b.set("rd_en", 1, 1);
        b.set("rd_slow", 1, slow.into());
        let (act, is_slow) = (b.get("xb_act", 1) == 1, b.get("xb_slow", 1) == 1);
        if b.get("req_valid", 1) == 1 && (!act || !is_slow || slow) {
            b.set("grant", 1, 1);
            grants += 1;
        }
        let before = b.flits[1].len();
        b.clock();
        read.extend((before..b.flits[1].len()).map(|_| (is_slow, slow)));
    }
    assert_eq!((b.get("err", 0), grants), (0, 3));
    // Two of the first, at once; three at the link's slots; the last one.
    let paces: Vec<bool> = read.iter().map(|r| r.0).collect();
    assert_eq!(paces, [false, false, true, true, true, false]);
    assert!(read.iter().all(|(is_slow, slot)| !is_slow || *slot));
    assert!(b.covered(Cov::Cq2SlowThenFast));
}

/// A grant in a slot of the other pace than that of the packet that ends is a bad one.
#[test]
fn the_pace_of_the_packet_that_ends_counts() {
    for (fast, slow, bad) in [(1, 0, true), (0, 1, false)] {
        let mut b = Bench::new(queued());
        b.cfg(RX_INTERVAL, 9);
        b.cfg(RD_INTERVAL, 9);
        b.pins(pkt(1, 2), 0);
        b.clocks(5);
        b.set("grant", 1, 1);
        b.clock();
        b.set("rd_slow", 1, 1);
        b.pins(pkt(1, 2), 1);
        b.clock();
        b.send(pkt(1, 1));
        assert_eq!((b.get("xb_slow", 1), b.get("xb_end", 1), b.get("req_valid", 1)), (1, 1, 1));
        b.set("rd_en", 1, fast);
        b.set("rd_slow", 1, slow);
        b.set("grant", 1, 1);
        b.clock();
        assert_eq!(b.get("err", 0), u32::from(bad) << err::BAD_GRANT);
        assert_eq!(b.flits[1].len(), 1 + usize::from(!bad));
    }
}
