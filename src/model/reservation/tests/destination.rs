//! Sections 1 and 2: schedule and replies.

use super::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// The second diagram of section 9.
#[test]
fn diagram_of_two_res() {
    let mut b = ready_with(&params("r64"));
    b.idle(100);
    let mut rows: Vec<[u32; 6]> = Vec::new();
    for t in 0..5 {
        if t < 2 {
            res(&mut b, 40 + t, 128);
        }
        b.set("out_ready", 0, 1).cycle();
        assert_eq!(b.get("st_now", 0), 100 + t);
        let of = |name| b.get(name, 0);
        rows.push([
            of("st_res_pkts"),
            of("st_t"),
            of("st_tv"),
            of("out_valid"),
            of("out_wait"),
            of("rin_done"),
        ]);
        if of("out_valid") == 1 {
            assert_eq!(
                (of("out_kind"), of("out_lid"), of("out_sl"), of("out_id")),
                (GRANT, 38 + t, 7, 38 + t)
            );
        }
    }
    assert_eq!(
        rows,
        [
            [0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0, 0],
            [1, 236, 1, 1, 0, 1],
            [0, 371, 1, 1, 134, 1],
            [0, 371, 1, 0, 0, 0]
        ]
    );
}

/// T is forgotten in the cycle in which it is no more ahead; a RES then begins now.
#[test]
fn t_is_forgotten_when_it_has_passed() {
    let p = params("tiny");
    for gap in 0..8 {
        let mut b = ready_with(&p);
        res(&mut b, 1, 4).cycle();
        b.cycle();
        // Granted in now = 1, 5 cycles.
        b.cycle();
        assert_eq!((b.get("st_t", 0), b.get("st_tv", 0), b.get("st_now", 0)), (6, 1, 2));
        b.idle(gap);
        res(&mut b, 2, 1).set("out_ready", 0, 1).cycle();
        b.set("out_ready", 0, 1).cycle();
        let head = b.get("st_now", 0);
        b.cycle();
        let wait = 6u32.saturating_sub(head);
        assert_eq!((b.get("out_id", 0), b.get("out_wait", 0)), (2, wait), "{gap}");
        assert_eq!(b.get("st_t", 0), head + wait + 2);
        b.idle(20);
        assert_eq!((b.get("st_t", 0), b.get("st_tv", 0)), (0, 0));
    }
}

#[test]
fn bad_requests_leave_without_an_answer() {
    let p = params("tiny");
    let mut b = ready_with(&p);
    for size in [0, 17, 0xffff] {
        res(&mut b, 1, size).cycle();
        b.cycle();
        b.cycle();
        assert_eq!((b.get("err", 0), b.get("rin_done", 0), b.get("out_valid", 0)), (BAD_RES, 1, 0), "{size}");
        b.config(ERR_CLEAR, BAD_RES);
    }
    res(&mut b, 1, 16).cycle();
    b.idle(2);
    assert_eq!((b.get("err", 0), b.get("out_valid", 0)), (0, 1));
    // A time that cannot be told from the past.
    let p = Params { flows: 2, nmax: 16, mtu: 12, ..p };
    let mut b = ready_with(&p);
    b.config(EPS, 65535).config(RX_INTERVAL, 15);
    for (size, bad) in [(68, false), (69, true), (192, true)] {
        res(&mut b, 1, size).cycle();
        b.idle(2);
        assert_eq!(b.get("err", 0), if bad { BAD_RES } else { 0 }, "{size}");
        assert_eq!(b.get("out_valid", 0), u32::from(!bad));
        b.set("out_ready", 0, 1).cycle();
        b.config(ERR_CLEAR, BAD_RES).idle(2047);
        assert_eq!(b.get("st_tv", 0), 0);
    }
    assert!(b.covered("q10_bad_time") == 2);
}

/// T never comes so far ahead that it looks like the past: a RES waits instead.
#[test]
fn far_requests_wait_for_time() {
    let p = params("tiny");
    let mut b = ready_with(&p);
    b.config(EPS, 65535).config(RX_INTERVAL, 15);
    // 480 cycles each: the fifth would end 2400 cycles ahead.
    for i in 0..5 {
        res(&mut b, i, 16).set("out_ready", 0, 1).cycle();
    }
    let mut made = Vec::new();
    for _ in 0..1000 {
        b.set("out_ready", 0, 1).cycle();
        let ahead = b.get("st_t", 0).wrapping_sub(b.get("st_now", 0)) & 0xfff;
        assert!(b.get("st_tv", 0) == 0 || ahead < 2048);
        if b.get("out_valid", 0) == 1 {
            made.push((b.get("st_now", 0) - 1, b.get("out_wait", 0)));
        }
    }
    assert_eq!(made.len(), 2, "three were seen before");
    let (at, wait) = made[1];
    assert_eq!(wait + 480, 2047, "as soon as it may");
    assert_eq!(at + wait, made[0].0 + made[0].1 + 480, "behind the one before it");
}

/// Packets without reservation that come one behind the other take the link, and no more of the time than that.
#[test]
fn what_walks_in_is_booked_as_long_as_it_takes() {
    let p = params("tiny");
    // One flit a cycle is all that comes over a link. (More is booked up to a chunk of each source.)
    for (flits, most) in [(1, 2), (4, 80 + 4)] {
        let mut b = ready_with(&p);
        b.config(CTRL, WALKIN);
        let mut ahead = 0;
        for _ in 0..3000 {
            b.set("walk_valid", 0, 1).set("walk_len", 0, flits).cycle();
            if b.get("st_tv", 0) == 1 {
                ahead = ahead.max(b.get("st_t", 0).wrapping_sub(b.get("st_now", 0)) & 0xfff);
            }
        }
        assert!(ahead <= most && ahead + 4 > most, "{flits}: {ahead}");
        assert_eq!(b.covered("q15_walk_far") > 0, flits > 1);
    }
}

/// A RES that has to wait for time is answered, whatever walks in.
#[test]
fn what_walks_in_does_not_hold_back_a_res() {
    let p = Params { nmax: 16, ..params("tiny") };
    let mut b = ready_with(&p);
    b.config(EPS, 65535).config(RX_INTERVAL, 15).config(CTRL, WALKIN);
    let walk = |b: &mut Bench| {
        b.set("walk_valid", 0, 1).set("walk_len", 0, 4).set("out_ready", 0, 1).cycle();
    };
    for _ in 0..100 {
        walk(&mut b);
    }
    res(&mut b, 1, 64).cycle();
    let waited = (0..3000).position(|_| {
        walk(&mut b);
        b.get("out_valid", 0) == 1
    });
    assert!(waited.is_some_and(|w| (700..1024).contains(&w)), "{waited:?}");
    assert!(b.covered("q15_walk_yields") > 600);
}

/// What is granted to several sources never overlaps, and lasts as long as it must.
#[test]
fn granted_times_do_not_overlap() {
    let p = params("two");
    let mut rng = SmallRng::seed_from_u64(7);
    let mut b = ready_with(&p);
    let mut free = 0;
    let mut sizes = std::collections::VecDeque::new();
    let (mut credits, mut grants) = (2, 0);
    for t in 0..60_000u64 {
        if credits > 0 && rng.random_ratio(1, 30) {
            let size = rng.random_range(1..=48);
            res(&mut b, 5, size);
            sizes.push_back(u64::from(size));
            credits -= 1;
        }
        b.set("out_ready", 0, 1).cycle();
        credits += b.get("rin_done", 0);
        if b.get("out_valid", 0) == 1 {
            let start = t - 1 + u64::from(b.get("out_wait", 0));
            let size = sizes.pop_front().unwrap();
            assert!(start >= free);
            free = start + (size * 68813).div_ceil(65536);
            grants += 1;
        }
    }
    assert!(grants > 1000, "{grants}");
}

#[test]
fn replies_of_both_kinds_take_turns() {
    let mut b = ready_with(&params("r64"));
    let mut kinds = Vec::new();
    for t in 0..40 {
        if t < 20 {
            res(&mut b, t, 1);
        }
        // end_ok of this cycle: look first
        b.unit.outputs(&[], &mut b.output);
        if b.get("end_ok", 0) == 1 {
            b.set("end_valid", 0, 1).set("end_bad", 0, t & 1).set("end_slid", 0, 99);
        }
        b.set("out_ready", 0, 1).cycle();
        if b.get("out_valid", 0) == 1 {
            kinds.push(b.get("out_kind", 0) == GRANT);
        }
    }
    let both = &kinds[3..30];
    assert!(both.windows(2).all(|w| w[0] != w[1]), "{kinds:?}");
    assert_eq!(b.get("err", 0), 0);
}

#[test]
fn a_full_reply_fifo_holds_both_kinds() {
    let p = params("tiny");
    let mut b = ready_with(&p);
    b.set("end_valid", 0, 1).set("end_seq", 0, 1).cycle();
    assert_eq!(b.get("end_ok", 0), 1);
    b.set("end_valid", 0, 1).set("end_seq", 0, 2).set("end_bad", 0, 1).cycle();
    res(&mut b, 1, 1).set("end_valid", 0, 1).cycle();
    assert_eq!((b.get("end_ok", 0), b.get("st_rep_pkts", 0)), (0, 2));
    b.idle(3);
    assert_eq!((b.get("st_res_pkts", 0), b.get("err", 0)), (1, END_LOST));
    // One leaves in t: room from t+1 on; the RES has its turn, ACKs were the last.
    b.set("out_ready", 0, 1).cycle();
    assert_eq!((b.get("out_kind", 0), b.get("out_seq", 0)), (ACK, 1));
    b.cycle();
    assert_eq!((b.get("end_ok", 0), b.get("st_rep_pkts", 0), b.get("st_turn", 0)), (0, 1, 1));
    assert_eq!((b.get("out_kind", 0), b.get("out_seq", 0)), (NACK, 2));
    b.cycle();
    assert_eq!((b.get("st_rep_pkts", 0), b.get("st_turn", 0), b.get("rin_done", 0)), (2, 0, 1));
}

#[test]
fn requests_without_a_block_are_refused() {
    let p = params("tiny");
    let mut b = ready_with(&p);
    // Two fill the reply FIFO, four wait; one has no block.
    for i in 0..7 {
        res(&mut b, i, 1).cycle();
    }
    b.cycle();
    assert_eq!((b.get("st_res_pkts", 0), b.get("st_rep_pkts", 0), b.get("err", 0)), (4, 2, RES_FULL));
}

#[test]
fn eps_and_interval_make_the_time() {
    let mut b = ready_with(&params("r64"));
    for (eps, interval, size, time) in [
        (3277, 1, 256, 269),
        (3277, 1, 512, 538),
        (0, 0, 7, 7),
        (65535, 15, 10, 300),
        (1, 1, 1, 2),
        (32768, 3, 3, 15),
    ] {
        b.config(EPS, eps).config(RX_INTERVAL, interval);
        b.idle(600);
        res(&mut b, 1, size).set("out_ready", 0, 1).cycle();
        b.set("out_ready", 0, 1).cycle();
        let now = b.get("st_now", 0);
        b.set("out_ready", 0, 1).cycle();
        assert_eq!(b.get("st_t", 0), now + time, "{size}");
    }
}
