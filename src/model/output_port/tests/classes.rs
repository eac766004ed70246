//! Section 16: classes of lanes.

use super::*;
use crate::params::lanes::SrpLane;

/// Of `spectiny`: P = 3, V = 4.
const DATA: usize = 0;
const SPEC: usize = 1;
const RES: usize = 2;
const REPLY: usize = 3;

/// Blocks of credit on each lane.
fn give(b: &mut Bench, lanes: &[u32]) {
    for (v, blocks) in lanes.iter().enumerate() {
        let txr = b.get("st_txr", v);
        credits(b, v as u32, (txr + blocks) & 0xfff);
    }
}

fn ask(b: &mut Bench, i: usize, v: usize, len: u32) {
    request(b, i * 4 + v, len, 1);
}

fn nack(b: &mut Bench, i: usize) {
    ask(b, i, SPEC, 1);
    b.set("req_nack", i, 1);
}

/// The timing diagram.
#[test]
fn credits_are_owed_to_who_was_passed() {
    let mut b = bench("spectiny");
    // Two blocks of the reply lane; lane 0 is told in each cycle what there is.
    credits(&mut b, 3, 2);
    credits(&mut b, 0, 1);
    let mut rows: [Vec<u32>; 4] = Default::default();
    // What FCCL of lane 0 becomes at the end of a cycle: a block a cycle.
    let mut fccl = 1;
    for t in 0..8 {
        if t < 6 {
            ask(&mut b, 0, DATA, 4);
        }
        ask(&mut b, 1, DATA, 1);
        if t == 1 {
            nack(&mut b, 1);
        }
        if (1..3).contains(&t) {
            ask(&mut b, 2, REPLY, 1);
        }
        if t > 0 {
            fccl += 1;
            b.set("fccl_valid", 0, 1).set("fccl_vl", 0, 0).set("fccl", 0, fccl);
        }
        // A's engine reads from cycle 6 on.
        if t > 5 {
            b.set("xb_act", 0, 1);
        }
        b.cycle();
        let grant = granted(&b, 12);
        assert!(grant.len() <= 1);
        rows[0].push(grant.first().map_or(99, |r| *r as u32));
        rows[1].push(b.get("st_owed", 0));
        rows[2].push(b.get("st_class_ptr", 0));
        rows[3].push(b.get("st_class_ptr", 3));
    }
    assert_eq!(rows[0], [4, 5, 11, 99, 99, 0, 99, 99]);
    assert_eq!(rows[1], [0, 1, 1, 1, 1, 1, 0, 0]);
    assert_eq!(rows[2], [0, 2, 2, 2, 2, 2, 1, 1]);
    assert_eq!(rows[3], [0, 0, 4, 5, 5, 5, 5, 5]);
}

#[test]
fn classes_go_in_their_order() {
    let mut b = bench("spectiny");
    let all = |b: &mut Bench| {
        for i in 0..3 {
            (0..4).for_each(|v| ask(b, i, v, 1));
        }
    };
    for (credit, class) in [
        ([100, 100, 100, 100], REPLY),
        ([100, 100, 100, 0], RES),
        ([100, 100, 0, 0], DATA),
        ([0, 100, 0, 0], SPEC),
    ] {
        give(&mut b, &credit);
        for round in 0..4 {
            all(&mut b);
            let before = [0, 1, 2, 3].map(|c| b.get("st_class_ptr", c));
            b.cycle();
            assert_eq!(granted(&b, 12), [round % 3 * 4 + class], "{credit:?}");
            if round > 0 {
                // The others stay.
                let moved = (0..4).filter(|c| b.get("st_class_ptr", *c) != before[*c]).count();
                assert!(moved <= 1);
            }
        }
    }
    give(&mut b, &[0; 4]);
    all(&mut b);
    assert_eq!(granted(b.cycle(), 12), Vec::<usize>::new());
    assert_eq!(
        (b.get("st_ahead", 1), b.get("st_cr", 0), b.get("st_vp", 0), b.get("st_passed", 0)),
        (0, 0, 0, 0)
    );
}

/// Q7: a NACK is granted at the spec lane's request, with credit of the reply lane.
#[test]
fn a_nack_is_a_reply() {
    let mut b = bench("spectiny");
    give(&mut b, &[100, 100, 100, 0]);
    nack(&mut b, 1);
    ask(&mut b, 2, SPEC, 1);
    // It has no credit: a speculative packet goes.
    assert_eq!(granted(b.cycle(), 12), [2 * 4 + SPEC]);
    give(&mut b, &[100, 0, 100, 3]);
    let txr = [0, 1, 2, 3].map(|v| b.get("st_txr", v));
    nack(&mut b, 1);
    ask(&mut b, 1, DATA, 4);
    assert_eq!(granted(b.cycle(), 12), [4 + SPEC]);
    b.cycle();
    assert_eq!([0, 1, 2, 3].map(|v| b.get("st_txr", v) - txr[v]), [0, 0, 0, 1]);
    // Places 2i and 2i+1: from 4 on, reply of input 2, then NACK 2, then reply 0, ...
    let mut order = Vec::new();
    for _ in 0..6 {
        give(&mut b, &[100, 100, 100, 9]);
        for i in 0..3 {
            ask(&mut b, i, REPLY, 1);
            nack(&mut b, i);
        }
        order.extend(granted(b.cycle(), 12));
    }
    assert_eq!(order, [11, 9, 3, 1, 7, 5]);
    // Without req_nack it is what it was.
    give(&mut b, &[0, 0, 0, 9]);
    ask(&mut b, 1, SPEC, 1);
    assert_eq!(granted(b.cycle(), 12), Vec::<usize>::new());
}

/// What is owed credits and does not ask any more lets the others go.
#[test]
fn nothing_is_owed_to_who_does_not_ask() {
    for (gone, lane) in [(0, DATA), (0, SPEC), (1, SPEC)] {
        let mut b = bench("spectiny");
        let v = lane;
        let mut lanes = [0; 4];
        lanes[v] = 2;
        give(&mut b, &lanes);
        ask(&mut b, 0, v, 4);
        ask(&mut b, 1, v, 1);
        assert_eq!(granted(b.cycle(), 12), [4 + v]);
        ask(&mut b, 0, v, 4);
        ask(&mut b, 1, v, 1);
        assert_eq!(granted(b.cycle(), 12), Vec::<usize>::new());
        assert_eq!((b.get("st_owed", v), b.get("st_owed_in", v)), (1, 0));
        // It is gone, or has become a NACK: in this cycle its credits are still its own.
        if gone == 1 {
            nack(&mut b, 0);
        }
        ask(&mut b, 1, v, 1);
        assert_eq!(granted(b.cycle(), 12), Vec::<usize>::new());
        ask(&mut b, 1, v, 1);
        assert_eq!(granted(b.cycle(), 12), [4 + v]);
        assert_eq!(b.get("st_owed", v), 0);
    }
    // Only while an output is free.
    let mut b = bench("spectiny");
    give(&mut b, &[2, 0, 0, 0]);
    ask(&mut b, 0, DATA, 4);
    ask(&mut b, 1, DATA, 1);
    b.cycle();
    for busy in [true, false] {
        b.set("xb_act", 1, u32::from(busy));
        b.cycle();
        assert_eq!(b.get("st_owed", 0), 1);
    }
    b.cycle();
    assert_eq!(b.get("st_owed", 0), 0);
}

/// With two lanes of data: a grant of one carries the pointer past the other's long packet.
#[test]
fn grants_of_another_lane_owe_credits_too() {
    let mut b = bench("spec2");
    let r = |i: usize, v: usize| i * 5 + v;
    credits(&mut b, 0, 3);
    credits(&mut b, 1, 9);
    // Places 2i + v: (0,0) long, (1,1) short.
    request(&mut b, r(0, 0), 6, 1);
    request(&mut b, r(1, 1), 1, 1);
    assert_eq!(granted(b.cycle(), 20), [r(1, 1)]);
    b.cycle();
    assert_eq!((b.get("st_owed", 0), b.get("st_owed", 1), b.get("st_class_ptr", 0)), (1, 0, 4));
}

/// The root test is of data lanes, with credit for an MTU.
#[test]
fn only_data_wait_for_credits() {
    let mut b = bench("spectiny");
    give(&mut b, &[3, 3, 0, 0]);
    for v in [SPEC, RES, REPLY] {
        ask(&mut b, 0, v, 4);
    }
    b.cycle();
    b.cycle();
    assert_eq!([0, 1, 2, 3].map(|v| b.get("st_waited", v)), [0; 4]);
    ask(&mut b, 0, DATA, 4);
    b.cycle();
    b.cycle();
    assert_eq!((b.get("st_waited", 0), b.get("st_rooted", 0)), (1, 1));
    // A packet that goes with less than that ends it, and is no root.
    ask(&mut b, 1, DATA, 1);
    assert_eq!(granted(b.cycle(), 12), [4]);
    b.cycle();
    assert_eq!((b.get("st_waited", 0), b.get("st_rooted", 0)), (0, 0));
    ask(&mut b, 1, DATA, 1);
    b.cycle();
    b.cycle();
    assert_eq!((b.get("st_waited", 0), b.get("st_rooted", 0)), (0, 1));
    assert_eq!([1, 2, 3].map(|v| b.get("st_rooted", v)), [1; 3]);
}

/// What goes through has the lane of its header: a NACK counts on the reply lane.
#[test]
fn a_nack_crosses_as_a_reply() {
    let mut b = bench("spectiny");
    give(&mut b, &[9, 9, 9, 9]);
    nack(&mut b, 0);
    b.cycle();
    b.set("xb_act", 0, 1).set("xb_end", 0, 1);
    b.cycle();
    let h = Header { vl: 3, bth: Some(Bth { opcode: 0xc3, ..Bth::default() }), ..data(16) };
    flit(&mut b, Some(&h), true, 8);
    b.cycle();
    b.idle(3);
    assert_eq!([0, 1, 2, 3].map(|v| b.get("st_fctbs", v)), [0, 0, 0, 1]);
    assert_eq!((b.get("st_txr", 3), b.get("err", 0)), (1, 0));
}

/// Whatever asks: at most one grant, of the first class that fits, with credit; MTU packets of each input go though others have short
/// ones without end; nothing is granted that is owed to another.
#[test]
fn long_packets_of_all_inputs_go() {
    for (name, seed) in [("spectiny", 1), ("spec2", 2), ("spectiny", 3), ("spec2", 4)] {
        let p = params(name);
        let (n, mtu) = (p.ports * p.vls, p.mtu as u32);
        let mut b = Bench::new(UnitKind::OutputPort, &p);
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut long = vec![0u32; n];
        let lens: Vec<u32> = (0..n)
            .map(|r| match SrpLane::of(r % p.vls, p.vls) {
                SrpLane::Data | SrpLane::Spec if r / p.vls == 0 => mtu,
                _ => 1,
            })
            .collect();
        let mut fccl = vec![0u32; p.vls];
        for t in 0..6000 {
            // Blocks come one by one; of replies and requests seldom.
            let v = t % p.vls;
            let often = v < p.vls - 2 || rng.random_ratio(1, 8);
            let ahead = fccl[v].wrapping_sub(b.get("st_txr", v)) & 0xfff;
            if often && ahead < mtu + 2 {
                fccl[v] = (fccl[v] + 1) & 0xfff;
            }
            b.set("fccl_valid", 0, 1).set("fccl_vl", 0, v as u32).set("fccl", 0, fccl[v]);
            (0..n).for_each(|r| request(&mut b, r, lens[r], 1));
            b.cycle();
            let grants = granted(&b, n);
            assert!(grants.len() <= 1);
            if let Some(&r) = grants.first() {
                let (i, v) = (r / p.vls, r % p.vls);
                let ahead = b.get("st_fccl", v).wrapping_sub(b.get("st_txr", v)) & 0xfff;
                assert!(ahead >= lens[r]);
                assert!(b.get("st_owed", v) == 0 || b.get("st_owed_in", v) == i as u32);
                long[r] += 1;
            }
        }
        assert!(long.iter().all(|g| *g > 20), "{name}: {long:?}");
    }
}
