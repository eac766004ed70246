//! Probes and releases (YA2, YA5), and the sums.

use super::*;

/// A probe on rx in t has its route in t+2, is decided then, and asks a cycle later than another message does.
#[test]
fn a_probe_that_fits_goes_on() {
    let mut r = Router::admitting("odda");
    let (c, v) = (r.control(), 1);
    let mut rows = Vec::new();
    for t in 0..8 {
        if t < 2 {
            r.say(0, c, part(t, 2), ASKS);
        }
        r.cycle();
        rows.push([
            r.lane("st_level", 0, c),
            r.get("st_used", 3),
            r.get("st_adm", 0),
            r.lane("st_own", 0, c),
            r.get("tx_valid", 3),
        ]);
        assert_eq!(r.get("st_ptr_adm", 0), u32::from(t > 2));
        let used = r.get("st_used", 3);
        assert_eq!(r.booked(0, 3, v), (used, used, used));
    }
    assert_eq!(
        rows,
        [
            [0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0],
            [2, 0, 0, 0, 0],
            [2, 100, 1, 0, 0],
            [2, 100, 1, 1, 0],
            [1, 100, 0, 1, 0],
            [0, 100, 0, 0, 1],
            [0, 100, 0, 0, 1],
        ]
    );
    assert_eq!((r.get("st_cnt_booked", 0), r.get("st_cnt_refused", 0), r.get("st_slot", 0)), (1, 0, 0));
    // Another control message is not held up.
    r.idle(6);
    r.say(0, c, Whole, Head { kind: 5, ..ASKS });
    r.idle(4);
    assert_eq!(r.lane("st_own", 0, c), 1);
}

/// At the last hop it is consumed and answered.
#[test]
fn a_probe_ends_at_its_last_hop() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    let c = r.control();
    let mut rows = Vec::new();
    for t in 0..8 {
        if t < 3 {
            r.say(0, c, part(t, 3), ASKS);
        }
        r.cycle();
        rows.push([
            r.lane("st_level", 0, c),
            r.get("st_eat", 0),
            r.lane("st_drain", 0, c),
            r.lane("tx_credit", 0, c),
            r.get("st_slot", 0),
            r.get("st_slot_routed", 0),
        ]);
    }
    assert_eq!(
        rows,
        [
            [0, 0, 0, 0, 0, 0],
            [1, 0, 0, 0, 0, 0],
            [2, 0, 0, 0, 0, 0],
            [2, 1, 1, 1, 10, 0],
            [1, 1, 1, 1, 10, 1],
            [0, 0, 0, 1, 10, 1],
            [0, 0, 0, 0, 9, 1],
            [0, 0, 0, 0, 8, 1],
        ]
    );
    assert_eq!((r.booked(0, 3, 1), r.get("st_adm", 0), r.get("st_cnt_drop", 0)), ((100, 100, 100), 0, 0));
    assert_eq!((r.get("st_cnt_booked", 0), r.wrong(0)), (1, 0));
}

/// What there is may be booked to the last: LIMIT, 4096 at most.
#[test]
fn a_probe_fits_or_does_not() {
    for (limit, used, bw, fits) in [
        (100, 0, 100, true),
        (100, 0, 101, false),
        (100, 60, 40, true),
        (100, 60, 41, false),
        (100, 100, 0, true),
        (0, 0, 0, true),
        (0, 0, 1, false),
        (4096, 4095, 1, true),
        (0x1fff, 4095, 2, false),
        (4097, 0, 4097, false),
        (4096, 4096, 0xffff, false),
    ] {
        let mut r = Router::admitting("odda");
        if used > 0 {
            r.tell(1, Head { bw: used, ..ASKS });
            r.flow(6);
        }
        r.write(3, LIMIT, limit);
        r.tell(0, Head { bw, vl: 2, ..ASKS });
        let got = if fits { bw } else { 0 };
        assert_eq!(r.booked(0, 3, 2), (used + got, got, got), "{limit} {used} {bw}");
        assert_eq!(r.get("st_slot", 0) > 0, !fits);
        assert_eq!(
            (r.get("st_cnt_booked", 0), r.get("st_cnt_refused", 0)),
            (u32::from(fits), u32::from(!fits))
        );
    }
}

/// LIMIT below what is booked refuses all, also a probe for nothing.
#[test]
fn a_limit_that_was_lowered_takes_nothing_away() {
    let mut r = Router::admitting("odda");
    r.tell(0, ASKS);
    r.write(3, LIMIT, 99);
    r.flow(8);
    r.tell(1, Head { bw: 0, ..ASKS });
    assert_eq!((r.get("st_used", 3), r.get("st_cnt_refused", 1)), (100, 1));
}

/// Without route, or with its link down, a probe is refused; one without route is not discarded as others are.
#[test]
fn a_probe_without_a_way_is_refused() {
    for dlid in [19, 20, 0xffff] {
        let mut r = Router::admitting("odda");
        let c = r.control();
        for n in 0..3 {
            r.say(0, c, part(n, 3), Head { dlid, ..ASKS });
            r.cycle();
        }
        r.idle(4);
        assert_eq!((r.get("st_cnt_refused", 0), r.wrong(0), r.get("st_cnt_drop", 0)), (1, NO_ROUTE, 0));
        assert!(r.get("st_slot", 0) > 0);
        assert_eq!((r.lane("st_level", 0, c), r.get("st_eat", 0)), (0, 0));
        // A release is discarded.
        r.tell(0, Head { dlid, ..GIVES });
        assert_eq!((r.get("st_cnt_drop", 0), r.wrong(0)), (1, NO_ROUTE | ADM_LOST));
    }
    let mut r = Router::admitting("odda");
    r.say(0, r.control(), Whole, ASKS);
    r.idle(2);
    r.b.set("link_up", 3, 0).cycle();
    r.cycle();
    assert_eq!((r.get("st_cnt_refused", 0), r.get("st_used", 3), r.get("st_slot", 0)), (1, 0, 10));
}

/// One a cycle, in turn; the second one finds what the first one left.
#[test]
fn probes_of_one_cycle_are_decided_one_by_one() {
    for first in 0..3u32 {
        let mut r = Router::admitting("odda");
        r.write(3, LIMIT, 150);
        if first > 0 {
            // (The pointer moves with any decision, here of nothing.)
            r.tell(first as usize - 1, Head { bw: 0, dlid: 4, ..ASKS });
        }
        for port in 0..2 {
            r.say(port, r.control(), Whole, ASKS);
        }
        r.idle(4);
        let one = if first == 1 { 1 } else { 0 };
        assert_eq!(
            (r.get("st_cnt_booked", one), r.get("st_used", 3)),
            (1 + u32::from(first as usize == one + 1), 100)
        );
        assert_eq!(r.get("st_cnt_refused", 1 - one), 0);
        r.cycle();
        assert_eq!((r.get("st_cnt_refused", 1 - one), r.get("st_used", 3)), (1, 100));
        assert_eq!(r.get("st_ptr_adm", 0), 2 - one as u32);
    }
}

/// Only a real-time lane of this router has streams: the others' bandwidth could never be given back.
#[test]
fn a_probe_needs_a_real_time_lane() {
    for (mask, vl, fits) in [
        (0x10, 0, true),
        (0x10, 3, true),
        (0x10, 4, false),
        (0x10, 5, false),
        (0x10, 6, false),
        (0x10, 7, false),
        (0x10, 15, false),
        (0x00, 4, true),
        (0x1f, 0, false),
        (0x02, 1, false),
    ] {
        let mut r = Router::admitting("odda");
        r.write(0, BE_MASK, mask);
        r.tell(0, Head { vl, ..ASKS });
        let used = if fits { 100 } else { 0 };
        assert_eq!((r.get("st_used", 3), r.get("st_slot", 0) > 0), (used, !fits), "{mask:x} {vl}");
        assert_eq!((r.get("st_cnt_booked", 0), r.get("st_cnt_refused", 0)), (used / 100, 1 - used / 100));
        assert!((0..7).all(|v| r.booked(0, 3, v).1 == if v == vl { used } else { 0 }));
        let alone = ["ya2_no_stream", "ya2_no_lane", "ya2_full"].map(|n| r.b.covered(n));
        assert_eq!(alone, [u64::from(!fits && vl < 7), u64::from(!fits && vl > 6), 0]);
    }
}

/// A lane that is not there has no sums.
#[test]
fn a_stream_of_a_lane_that_is_not_there() {
    let mut r = Router::admitting("odda");
    for _ in 0..2 {
        r.tell(0, ASKS);
        r.flow(8);
    }
    r.tell(0, Head { vl: 15, ..GIVES });
    assert_eq!((r.booked(0, 3, 1), r.wrong(0) | r.wrong(3)), ((100, 200, 200), 0));
    // Any other lane has: the last two are left alone by nobody.
    r.flow(8);
    r.tell(0, Head { vl: 6, ..GIVES });
    assert_eq!((r.booked(0, 3, 6), r.wrong(0), r.wrong(3)), ((0, 0, 0), BAD_RELEASE, BAD_RELEASE));
}

/// A release that comes to the node that refused, which has booked nothing, takes nothing off.
#[test]
fn a_release_that_comes_too_far_is_told() {
    for (next, flits) in [(5, 1), (HOST | 5, 1), (OWN, 3), (HOST | OWN, 3)] {
        let mut r = Router::admitting("odda");
        r.tell(0, ASKS);
        r.flow(8);
        r.write(3, NEXT, next);
        for n in 0..flits {
            r.say(0, r.control(), part(n, flits), Head { node: OWN, ..GIVES });
            r.cycle();
        }
        r.flow(12);
        assert_eq!((r.booked(0, 3, 1), r.wrong(0), r.wrong(3)), ((100, 100, 100), BAD_RELEASE, 0));
        assert_eq!((r.get("st_cnt_msgs", 3), r.get("st_slot", 0), r.get("st_adm", 0)), (1, 0, 0));
        assert_eq!((r.lane("st_level", 0, r.control()), r.get("st_cnt_drop", 0)), (0, 0));
        assert_eq!((r.get("st_eat", 0), r.b.covered("ya5_strays")), (0, 1));
    }
    // One without a route is discarded.
    let mut r = Router::admitting("odda");
    r.tell(0, Head { node: OWN, dlid: 19, ..GIVES });
    assert_eq!((r.wrong(0), r.get("st_cnt_drop", 0)), (NO_ROUTE | ADM_LOST, 1));
}

/// A release goes on, or ends at the last hop, or where the node that refused is next.
#[test]
fn a_release_gives_back() {
    for (next, node, ends) in
        [(5, 6, false), (5, 5, true), (HOST | 5, 6, true), (HOST, 0, true), (0, 0, true), (0x105, 5, false)]
    {
        let mut r = Router::admitting("odda");
        r.tell(0, ASKS);
        r.flow(8);
        r.write(3, NEXT, next);
        assert_eq!(r.booked(0, 3, 1), (100, 100, 100));
        for n in 0..3 {
            r.say(0, r.control(), part(n, 3), Head { node, ..GIVES });
            r.cycle();
        }
        assert_eq!(r.get("st_used", 3), 100);
        r.cycle();
        assert_eq!(r.booked(0, 3, 1), (0, 0, 0));
        assert_eq!((r.get("st_adm", 0), r.get("st_eat", 0)), (u32::from(!ends), u32::from(ends)));
        r.flow(12);
        assert_eq!((r.get("st_cnt_msgs", 3), r.get("st_slot", 0)), (if ends { 1 } else { 2 }, 0));
        assert_eq!((r.wrong(0) | r.wrong(3), r.get("st_cnt_drop", 0)), (0, 0));
    }
}

/// Down to 0, and BAD_RELEASE where there was too little.
#[test]
fn more_than_there_was() {
    for (vl, port, bw, at_output, at_input, left) in [
        (1, 0, 101, true, true, (0, 0, 0)),
        (2, 0, 60, true, true, (40, 100, 100)),
        (1, 2, 60, false, true, (40, 40, 100)),
        (1, 0, 60, false, false, (40, 40, 40)),
        (7, 0, 101, true, false, (0, 100, 100)),
    ] {
        let mut r = Router::admitting("odda");
        r.tell(0, ASKS);
        r.flow(8);
        r.tell(port, Head { vl, bw, ..GIVES });
        assert_eq!(r.booked(0, 3, 1), left, "{vl} {port} {bw}");
        assert_eq!(r.wrong(3), u32::from(at_output) * BAD_RELEASE, "{vl} {port} {bw}");
        assert_eq!(r.wrong(port), u32::from(at_input) * BAD_RELEASE, "{vl} {port} {bw}");
    }
}

/// The sum of a lane stays at 65535; that of a link is never above 4096.
#[test]
fn a_lane_has_so_much_at_most() {
    let mut r = Router::admitting("odda");
    for _ in 0..17 {
        r.tell(0, Head { bw: 4096, ..ASKS });
        r.flow(8);
        r.tell(0, Head { bw: 4096, vl: 9, ..GIVES });
        r.flow(8);
    }
    assert_eq!(r.booked(0, 3, 1), (0, 0xffff, 0xffff));
    assert_eq!(r.b.covered("ya1_sum_full"), 2);
}

/// admit_en = 0: nothing is decided, nothing stays booked, all is passed on.
#[test]
fn off_it_books_nothing() {
    let mut r = Router::admitting("odda");
    r.tell(0, ASKS);
    r.flow(8);
    r.write(0, CTRL, 0);
    assert_eq!(r.get("st_used", 3), 100);
    r.cycle();
    assert_eq!(r.booked(0, 3, 1), (100, 100, 100));
    r.cycle();
    assert_eq!(r.booked(0, 3, 1), (0, 0, 0));
    r.say(0, r.control(), Whole, Head { dlid: 2, ..ASKS });
    r.idle(4);
    assert_eq!((r.lane("st_own", 0, r.control()), r.get("st_adm", 0)), (1, 0));
    r.flow(4);
    r.tell(0, Head { dlid: 2, ..GIVES });
    r.flow(4);
    assert_eq!((r.get("st_cnt_msgs", 2), r.wrong(0) | r.wrong(2), r.get("st_cnt_booked", 0)), (2, 0, 1));
    // One without route is discarded.
    r.tell(0, Head { dlid: 19, ..ASKS });
    assert_eq!((r.get("st_cnt_drop", 0), r.get("st_cnt_refused", 0)), (1, 0));
}

/// Turned on while a probe has its lane: it goes on as it is. Turned off while one has been decided: so does that.
#[test]
fn turned_on_and_off_under_way() {
    let mut r = Router::new("odda");
    r.say(0, r.control(), Whole, ASKS);
    r.cycle();
    r.b.set("link_up", 3, 0);
    r.cycle();
    r.b.set("link_up", 3, 0);
    r.write(0, CTRL, 1);
    for _ in 0..4 {
        r.b.set("link_up", 3, 0).cycle();
        assert_eq!((r.owns(0, 6), r.get("st_adm", 0), r.get("st_used", 3)), (Some((3, 6)), 0, 0));
    }
    r.idle(4);
    assert_eq!((r.get("st_cnt_msgs", 3), r.get("st_cnt_booked", 0)), (1, 0));
    assert!(r.b.covered("ya2_owns") > 0);
    // The control lane of output 3 is another one's.
    r.say(1, r.control(), Header, Head { kind: 5, ..ASKS });
    r.idle(4);
    r.tell(0, ASKS);
    assert_eq!((r.get("st_adm", 0), r.get("st_used", 3)), (1, 100));
    r.write(0, CTRL, 0);
    r.idle(3);
    assert_eq!((r.get("st_adm", 0), r.get("st_used", 3)), (1, 0));
    r.say(1, r.control(), Tail, ASKS);
    r.flow(8);
    assert_eq!((r.get("st_adm", 0), r.get("st_cnt_msgs", 3)), (0, 3));
}

/// A probe waits for the slot, a release does not.
#[test]
fn a_probe_waits_for_the_slot() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    let other = Head { dlid: 4, ..ASKS };
    // The reply lane of output 0 gives no credits.
    for _ in 0..5 {
        r.say(1, r.reply(), Whole, Head { kind: ACK, dlid: 0, ..ASKS });
        r.idle(2);
    }
    r.idle(8);
    assert_eq!(r.lane("st_cr", 0, r.reply()), 0);
    r.tell(0, ASKS);
    r.say(0, r.control(), Whole, GIVES);
    r.cycle();
    r.say(0, r.control(), Whole, other);
    r.idle(12);
    assert_eq!((r.get("st_slot", 0), r.get("st_used", 3), r.get("st_used", 4)), (10, 0, 0));
    assert_eq!(r.lane("st_level", 0, r.control()), 1);
    // The tenth flit goes; the probe is decided in the next cycle.
    let mut before = 10;
    for _ in 0..60 {
        r.give();
        let slot = r.get("st_slot", 0);
        assert!(r.get("st_used", 4) == 0 || slot == 0);
        if slot == 0 && before == 1 {
            assert_eq!(r.get("st_used", 4), 0);
            r.give();
            assert_eq!((r.get("st_used", 4), r.get("st_adm", 0)), (100, 1));
            return;
        }
        before = slot;
    }
    panic!("the slot stays full");
}

/// A message with another one's made tail before it is not decided until that has gone.
#[test]
fn a_probe_behind_a_made_tail_waits() {
    let mut r = Router::admitting("odda");
    let c = r.control();
    // Output 3 has no credits left for the tail.
    for n in 0..6 {
        r.say(0, c, part(n, 9), Head { kind: 5, ..ASKS });
        r.cycle();
    }
    r.idle(6);
    for _ in 0..4 {
        r.b.set("link_up", 0, 0).cycle();
    }
    r.tell(0, Head { dlid: 4, ..ASKS });
    r.idle(5);
    assert_eq!((r.lane("st_cut", 0, c), r.get("st_used", 4)), (1, 0));
    let at = r.at(3, c);
    r.b.set("rx_credit", at, 1).cycle();
    r.idle(2);
    assert_eq!((r.lane("st_cut", 0, c), r.get("st_used", 4)), (0, 0));
    r.cycle();
    assert_eq!((r.get("st_used", 4), r.get("st_adm", 0)), (100, 1));
}
