//! Section 15: ages and the limit of bypassing.

use super::*;
use rand::SeedableRng;
use std::collections::VecDeque;

/// The timing diagram.
#[test]
fn two_may_pass_the_oldest_then_it_alone_asks() {
    let p = Params { vls: 1, blocks: 16, ..params("santiny") };
    let mut b = Bench::new(p);
    for o in [0, 1, 1, 1] {
        b.send(pkt(o, 1));
    }
    b.cfg(BYPASS, 2);
    let mut rows: [Vec<u32>; 4] = Default::default();
    for t in 0..6 {
        let values =
            [b.get("req_valid", 0), b.get("req_valid", 1), b.get("st_pinned", 0), b.get("st_bypass", 0)];
        rows.iter_mut().zip(values).for_each(|(row, x)| row.push(x));
        b.set("grant", 0, u32::from(t == 4));
        b.set("grant", 1, u32::from([0, 1, 5].contains(&t)));
        (0..3).for_each(|o| b.set("rd_en", o, 1));
        b.clock();
    }
    let expected =
        [[1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 1], [0, 1, 1, 1, 1, 0], [0, 1, 2, 2, 2, 0]].map(Vec::from);
    assert_eq!(rows, expected);
    assert_eq!(b.get("err", 0), 0);
}

#[test]
fn an_age_ends_at_half_the_range_and_stays() {
    let mut b = Bench::new(params("santiny"));
    b.send(pkt(1, 1));
    // Shown first in the cycle after it was accepted.
    for t in 1..700 {
        assert_eq!(b.get("req_age", 2), t.min(128));
        assert_eq!(b.get("st_aged", 2), u32::from(t > 128));
        b.clock();
    }
    b.take(1, 0);
    assert_eq!(b.get("st_aged", 2), 0);
    for c in [Cov::Ag1Aged, Cov::Ag1NowWraps, Cov::Ag1AgedServed] {
        assert!(b.covered(c), "{c:?}");
    }
}

/// AG1, AG2 from outside: ages are cycles since acceptance; fewer than b + P - 1 packets that came later go before one that is the
/// oldest of its lane; and all packets leave.
#[test]
fn the_oldest_of_a_lane_is_passed_a_bounded_number_of_times() {
    for (seed, limit) in [(1, 1), (2, 2), (3, 4), (4, 9), (5, 15), (6, 0)] {
        let p = params("santiny");
        let mut b = Bench::new(p);
        let rng = &mut rand::rngs::SmallRng::seed_from_u64(seed);
        b.cfg(BYPASS, limit);
        let pv = p.ports * p.vls;
        // Per (o,v): when each one that waits was accepted, and how often it was passed while it was the oldest of its lane.
        let mut waiting: Vec<VecDeque<(u32, u32)>> = vec![VecDeque::new(); pv];
        let mut sending: Option<(Pkt, u32)> = None;
        let mut head_since = vec![0; pv];
        let (mut most, mut came, mut left, mut still) = (0, 0, 0, 0);
        for t in 0..30_000u32 {
            if t % 200 == 0 {
                still = below(rng, 5) as usize;
            }
            let drains = t > 29_000;
            for q in (0..pv).filter(|q| b.get("enter", *q) == 1) {
                if waiting[q].is_empty() {
                    head_since[q] = t;
                }
                waiting[q].push_back((t - 1, 0));
            }
            let mut granted = Vec::new();
            for o in (0..p.ports).filter(|o| drains || *o != still && chance(rng, 50)) {
                granted.extend((o * p.vls..(o + 1) * p.vls).find(|q| b.get("req_valid", *q) == 1));
            }
            for q in 0..pv {
                let Some((at, _)) = waiting[q].front() else { continue };
                let shown = b.get("req_valid", q) == 1;
                // One that became a head later than the range of stamps may look younger.
                if head_since[q] - at < 256 {
                    assert_eq!(b.get("req_age", q), if shown { (t - at).min(128) } else { 0 }, "cycle {t}");
                }
            }
            for v in 0..p.vls {
                let heads = (v..pv).step_by(p.vls).filter_map(|q| waiting[q].front().map(|(at, _)| (*at, q)));
                let Some((at, oldest)) = heads.min() else { continue };
                // Ages that ended are alike: whoever of them is chosen counts.
                if t - at < 128 {
                    let passed = granted.iter().filter(|q| **q % p.vls == v && **q != oldest).count() as u32;
                    let head = waiting[oldest].front_mut().unwrap();
                    head.1 += passed;
                    most = most.max(head.1);
                }
            }
            for q in granted {
                b.set("grant", q, 1);
                waiting[q].pop_front().unwrap();
                head_since[q] = t + 1;
                left += 1;
            }
            (0..p.ports).for_each(|o| b.set("rd_en", o, b.get("xb_act", o)));
            if sending.is_none() && !drains {
                let (vl, dlid) = (below(rng, 2) as u8, below(rng, 12) as u16);
                let pkt = Pkt { vl, ..pkt(dlid, 1 + below(rng, 4)) };
                if b.get("st_used", vl.into()) + pkt.n + 2 <= p.cap(0) as u32 {
                    came += 1;
                    sending = Some((pkt, 0));
                }
            }
            if let Some((pkt, i)) = sending {
                b.pins(pkt, i);
                sending = (i + 1 < pkt.n).then_some((pkt, i + 1));
            }
            b.clock();
        }
        assert_eq!((left, b.get("err", 0)), (came, 0));
        assert!(came > 2000, "{came}");
        let bound = limit + p.ports as u32 - 1;
        assert!(limit == 0 || most < bound, "limit {limit}: passed {most} times");
        // Without a limit it would be more.
        assert!(limit != 0 || most > 6, "{most}");
    }
}

/// The oldest is passed by two packets in each cycle, to the end of the counter and one beyond.
pub(super) fn passed_to_the_end() -> Bench {
    let p = Params { vls: 1, blocks: 48, ..params("santiny") };
    let mut b = Bench::new(p);
    b.cfg(BYPASS, 15);
    b.send(pkt(0, 1));
    for _ in 0..9 {
        (1..3).for_each(|o| b.send(pkt(o, 1)));
    }
    b.clocks(4);
    for _ in 0..8 {
        (1..3).for_each(|o| b.set("grant", o, 1));
        b.clock();
        (1..3).for_each(|o| b.set("rd_en", o, 1));
        b.clocks(2);
    }
    b
}

#[test]
fn the_count_of_those_that_pass_ends_at_15() {
    let b = passed_to_the_end();
    assert_eq!((b.get("st_pinned", 0), b.get("st_pin", 0), b.get("st_bypass", 0)), (1, 0, 15));
    assert_eq!([0, 1, 2].map(|o| b.get("req_valid", o)), [1, 0, 0]);
    assert!(b.covered(Cov::Ag2Saturates));
}

/// Those as old as ages go take turns: each is the one that nobody may pass within P turns.
#[test]
fn equals_take_turns() {
    let p = Params { vls: 1, blocks: 48, ..params("santiny") };
    let mut b = Bench::new(p);
    b.cfg(BYPASS, 1);
    for _ in 0..12 {
        (0..3).for_each(|o| b.send(pkt(o, 1)));
    }
    b.clocks(300);
    let mut order = Vec::new();
    for _ in 0..27 {
        // The oldest has had no credit and was passed once; now it goes. All that follow are as old as it.
        let pin = b.get("st_pin", 0) as usize;
        assert_eq!(b.get("st_pinned", 0), 1);
        order.push(pin);
        b.take(pin, 0);
        b.clocks(130);
    }
    assert!(order.windows(3).all(|w| w[0] != w[1] && w[1] != w[2] && w[0] != w[2]), "{order:?}");
}
