//! The table of connections: opens, turns, ends (section 1).

use super::*;

#[test]
fn it_is_ready_when_the_table_is_swept() {
    let p = params("two");
    let mut b = Bench::new(UnitKind::WormAdapter, &p);
    for _ in 0..p.conns {
        // Ignored, as all inputs are.
        b.set("open_valid", 0, 1).set("post_valid", 0, 1).set("rx_valid", 0, 1).set("cfg_re", 0, 1);
        b.config(LHP, 1);
        assert!(b.output.iter().all(|&word| word == 0));
        assert_eq!((b.get("st_cr", 0), b.get("st_left", 3), b.get("st_lfsr", 0)), (4, 1, 0xace1));
    }
    b.cycle();
    assert_eq!((b.get("open_ready", 0), b.get("post_ready", 0)), (1, 1));
    assert_eq!((b.get("st_open", 0), b.get("st_post", 0), b.get("err", 0)), (0, 0, 0));
    assert_eq!(b.read(LHP), 64);
    assert!(b.covered("r1_sweeps") == p.conns as u64);
}

#[test]
fn an_open_waits_for_its_turn() {
    let mut a = Adapter::two(ADMISSION);
    a.offer_open(3, 0x1234, 100);
    a.b.cycle();
    assert_eq!((a.get("open_ready"), a.get("st_open"), a.done()), (1, 0, None));
    // Not taken: one waits.
    a.offer_open(4, 1, 1);
    a.b.cycle();
    assert_eq!((a.get("open_ready"), a.get("st_open"), a.done()), (0, 1, None));
    assert_eq!((a.get("post_ready"), a.get("st_used"), a.get("st_turn")), (1, 0, 0));
    a.b.cycle();
    assert_eq!((a.get("open_ready"), a.get("st_open"), a.done()), (1, 0, Some([0, 1, 0, 3])));
    assert_eq!((a.touched(), a.event()), (Some([3, PROBE, 0]), None));
    assert_eq!((a.get("st_used"), a.lane("st_book", 0), a.get("st_turn")), (100, 100, 2));
    assert_eq!((a.b.get("st_queue", 3), a.get("st_sum_c")), (1, 0));
    a.b.cycle();
    assert_eq!((a.done(), a.touched(), a.b.get("st_queue", 3)), (None, None, 0));
}

#[test]
fn opens_are_refused_in_their_order() {
    let mut a = Adapter::two(CREDITS | ADMISSION);
    a.b.config(LIMIT, 1000).config(M, 8).config(C_B, 6);
    let errors = |a: &mut Adapter| {
        let e = a.get("err");
        a.b.config(ERR_CLEAR, !0);
        e
    };
    // Beyond the table, though nothing else is right.
    assert_eq!((a.open(8, 1, 0), errors(&mut a)), (1, NO_CONN));
    assert_eq!((a.open(0, 1, 0), errors(&mut a)), (2, BAD_POST));
    assert_eq!((a.open(0, 1, 4097), errors(&mut a)), (2, BAD_POST));
    // One credit each; two are left beside C_B.
    assert_eq!((a.open(0, 1, 400), errors(&mut a)), (0, 0));
    assert_eq!(a.open(1, 1, 500), 0);
    assert_eq!((a.open(1, 1, 101), errors(&mut a)), (1, NO_CONN));
    assert_eq!((a.open(2, 1, 101), errors(&mut a)), (3, 0));
    assert_eq!((a.open(2, 1, 100), errors(&mut a)), (4, SUM_C));
    assert_eq!((a.get("st_used"), a.get("st_sum_c")), (900, 2));
    // LIMIT above 4096 acts as 4096.
    a.b.config(LIMIT, 8191).config(C_B, 0);
    assert_eq!((a.open(2, 1, 3197), a.open(2, 1, 3196)), (3, 0));
    assert_eq!(a.get("st_used"), 4096);
    // Without admission nothing is booked, whatever is asked for.
    let mut a = Adapter::two(0);
    assert_eq!(a.open(0, 1, 0), 0);
    assert_eq!((a.event(), a.touched(), a.get("st_used")), (Some((1, 0)), Some([0, OPEN, 0]), 0));
    assert_eq!(a.open(1, 1, 0xffff), 0);
    assert_eq!(a.b.get("st_queue", 3), 0);
}

#[test]
fn credits_are_the_share_of_the_bandwidth() {
    for (m, bw, c) in
        [(8, 4096, 8), (8, 511, 1), (8, 512, 1), (8, 1024, 2), (8, 1, 1), (0, 4096, 1), (99, 2048, 4)]
    {
        let mut a = Adapter::two(CREDITS | ADMISSION);
        a.b.config(M, m).config(C_B, 0);
        assert_eq!(a.open(0, 1, bw), 0, "{m} {bw}");
        assert_eq!((a.get("st_sum_c"), a.touched()), (c, Some([0, PROBE, c])));
    }
    // Of what was asked for without admission, too.
    let mut a = Adapter::two(CREDITS);
    a.b.config(C_B, 0);
    assert_eq!((a.open(0, 1, 2048), a.touched()), (0, Some([0, OPEN, 4])));
    assert_eq!((a.open(1, 1, 0), a.touched()), (0, Some([1, OPEN, 1])));
    assert_eq!((a.open(2, 1, 0xffff), a.get("st_sum_c")), (4, 5));
}

#[test]
fn a_connection_has_the_lane_with_least_booked() {
    let mut a = Adapter::new("odd");
    a.b.config(CTRL, ADMISSION);
    // Real-time lanes 0..3; 4 is best-effort.
    let mut open = |conn, bw, mask| {
        a.b.config(BE_MASK, mask);
        assert_eq!(a.open(conn, 1, bw), 0);
        (0..7).map(|v| a.lane("st_book", v)).collect::<Vec<_>>()
    };
    assert_eq!(open(0, 10, 0x10), [10, 0, 0, 0, 0, 0, 0]);
    assert_eq!(open(1, 20, 0x10), [10, 20, 0, 0, 0, 0, 0]);
    assert_eq!(open(2, 5, 0x10), [10, 20, 5, 0, 0, 0, 0]);
    assert_eq!(open(3, 7, 0x10), [10, 20, 5, 7, 0, 0, 0]);
    assert_eq!(open(4, 5, 0x10), [10, 20, 10, 7, 0, 0, 0]);
    assert_eq!(open(5, 3, 0x18), [13, 20, 10, 7, 0, 0, 0], "10 twice: from 3 on, going round");
    // (Bits of reply and control have no effect.)
    assert_eq!(open(6, 1, 0x60), [13, 20, 10, 7, 1, 0, 0]);
    // Without a real-time lane: none with admission, lane 0 without.
    a.b.config(BE_MASK, 0x1f);
    assert_eq!((a.open(7, 1, 1), a.get("err")), (2, BAD_POST));
    a.b.config(CTRL, 0);
    let before = a.lane("st_conns", 0);
    assert_eq!((a.open(7, 1, 1), a.lane("st_conns", 0) - before, a.get("st_lane")), (0, 1, 1));
}

#[test]
fn turns_go_round() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    assert_eq!(a.get("st_turn"), 2);
    // Both wait: the post first, then the open.
    a.offer_open(1, 1, 1);
    a.offer_post(Post { class: 2, len: 1, tag: 9, ..Post::default() });
    a.b.idle(3);
    assert_eq!((a.done(), a.get("st_turn")), (Some([1, 1, 0, 9]), 0));
    a.b.cycle();
    assert_eq!((a.done(), a.get("st_turn")), (Some([0, 1, 0, 1]), 2));
    // A reply first, whatever comes of it.
    a.post(Post { class: 3, ..Post::default() });
    assert_eq!(a.get("st_turn"), 0);
    a.offer_open(1, 1, 1);
    a.offer_post(Post { class: 3, tag: 8, ..Post::default() });
    a.reply(true, 0, 0);
    a.b.idle(2);
    assert_eq!((a.get("st_open"), a.get("st_post"), a.get("st_replies")), (1, 1, 1));
    a.b.cycle();
    assert_eq!((a.get("st_replies"), a.get("st_turn"), a.get("err") & BAD_REPLY), (0, 1, BAD_REPLY));
    a.b.cycle();
    assert_eq!(a.done(), Some([0, 0, 1, 1]));
    a.b.cycle();
    assert_eq!((a.done(), a.get("st_turn")), (Some([1, 0, 2, 8]), 0));
}

#[test]
fn a_leaving_goes_before_those_that_wait() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    a.real_time(0, 1);
    // done in t: chosen in t, moved in t+1, goes in t+2, on the link in t+4.
    a.b.idle(2);
    a.offer_open(1, 1, 1);
    a.b.cycle();
    assert_eq!((a.sent(), a.get("st_posted")), (None, 1));
    let turn = a.get("st_turn");
    a.b.cycle();
    assert_eq!((a.sent(), a.get("st_open"), a.completion()), (Some([0, 1, 1]), 1, None));
    a.b.cycle();
    assert_eq!((a.get("st_open"), a.get("st_turn"), a.done()), (1, turn, None));
    assert_eq!((a.completion(), a.touched()), (Some([1, 0, 0]), Some([0, OPEN, 0])));
    assert_eq!((a.get("st_posted"), a.get("st_cnt_sent")), (0, 1));
    a.b.cycle();
    assert_eq!(a.done(), Some([0, 1, 0, 1]));
}

#[test]
fn a_stream_ends_with_its_last_message() {
    let mut a = Adapter::two(CREDITS | ADMISSION);
    a.opened(2, 1, 1024);
    assert_eq!((a.real_time(2, 2), a.touched()), (0, Some([2, OPEN, 1])));
    assert_eq!(a.post(Post { class: 1, conn: 2, len: 12, last: 1, tag: 4, ..Post::default() }), 0);
    assert_eq!(a.touched(), Some([2, CLOSING, 0]));
    assert_eq!((a.real_time(2, 1), a.get("err")), (1, NO_CONN));
    assert_eq!((a.open(2, 1, 1), a.get("st_used")), (1, 1024));
    while a.completion() != Some([1, 2, 4]) {
        a.give();
    }
    assert_eq!((a.event(), a.touched()), (Some((3, 2)), Some([2, IDLE, 2])));
    assert_eq!((a.get("st_used"), a.lane("st_book", 0), a.get("st_sum_c"), a.get("st_posted")), (0, 0, 0, 0));
    assert_eq!(a.open(2, 1, 1), 0);
    // Final is of real-time alone.
    a.post(Post { class: 2, len: 1, last: 1, ..Post::default() });
    while a.completion().is_none() {
        a.give();
    }
    assert_eq!((a.event(), a.touched(), a.b.covered("ya6_final_of_others")), (None, None, 1));
}

#[test]
fn lanes_take_turns() {
    let mut a = Adapter::new("odd");
    // From the lowest four bits of LID on; 4 is best-effort.
    a.b.config(LID, 0x72);
    let mut lanes = Vec::new();
    for conn in 0..6 {
        let before: Vec<u32> = (0..7).map(|v| a.lane("st_conns", v)).collect();
        assert_eq!(a.open(conn, 1, 100), 0);
        lanes.extend((0..7).filter(|&v| a.lane("st_conns", v) > before[v]));
        assert_eq!((a.get("st_live"), a.get("st_lane")), (conn + 1, lanes[conn as usize] as u32 + 1));
    }
    assert_eq!(lanes, [2, 3, 0, 1, 2, 3]);
    // The fewest connections first, wherever the turn is.
    a.b.config(LID, 2);
    assert_eq!(a.open(6, 1, 0), 0);
    assert_eq!((a.lane("st_conns", 0), a.get("st_lane")), (2, 1));
    // A write of LID wins over a turn.
    a.offer_open(7, 1, 1);
    a.b.cycle();
    a.b.config(LID, 0xfffb).cycle();
    assert_eq!((a.done(), a.get("st_lane"), a.lane("st_conns", 1)), (Some([0, 1, 0, 7]), 11, 2));
}

#[test]
fn connections_are_counted_until_they_are_idle() {
    let mut a = Adapter::two(ADMISSION);
    let count = |a: &Adapter| (a.get("st_live"), a.lane("st_conns", 0));
    a.opened(0, 1, 1);
    a.opened(1, 1, 2);
    assert_eq!((count(&a), a.open(0, 1, 1), count(&a)), ((2, 2), 1, (2, 2)));
    a.post(Post { class: 1, len: 1, last: 1, ..Post::default() });
    assert_eq!(count(&a), (2, 2));
    a.until_tail();
    a.b.cycle();
    assert_eq!((a.event(), count(&a)), (Some((3, 0)), (1, 1)));
}

#[test]
fn opens_are_kept_apart() {
    for gap in [0, 1, 7] {
        let mut a = Adapter::two(ADMISSION);
        a.b.config(PROBE_GAP, gap);
        let (mut done, mut posts, mut taken) = (Vec::new(), 0, 0);
        for n in 0..40 {
            // One waits all the time; one that is refused, the others are not.
            a.offer_open(taken, 1, u32::from(taken != 1));
            if n % 2 == 0 {
                a.offer_post(Post { len: 13, ..Post::default() });
            }
            a.b.cycle();
            taken += a.get("open_ready");
            if let Some([post, ok, _, _]) = a.done() {
                posts += post;
                if post == 0 {
                    done.push((n, ok));
                    assert_eq!(a.get("st_gap"), gap * ok);
                }
            }
            if done.len() == 4 {
                break;
            }
        }
        // The first open's turn is in 1. (Posts have others.)
        let (first, refused) = (done[0].0, done[1].0);
        assert_eq!((first, done[0].1, done[1].1, done[2].1), (2, 1, 0, 1), "{gap}");
        assert!(refused - first > gap && refused - first <= gap + 3, "{gap}: {done:?}");
        assert!(done[2].0 - refused <= 4, "a refused one makes nobody wait: {done:?}");
        assert!(done[3].0 - done[2].0 > gap && posts > 0);
        assert_eq!(a.b.covered("ya4_gap_others") > 0, gap == 7, "{gap}");
    }
    // Without admission there is no probe.
    let mut a = Adapter::two(0);
    a.b.config(PROBE_GAP, 50);
    assert_eq!((a.open(0, 1, 1), a.get("st_gap"), a.open(1, 1, 1)), (0, 0, 0));
}

/// Tails that have a turn let others have every second one; those of control and best-effort neither wait nor hold up.
#[test]
fn tails_yield_to_those_that_wait() {
    for (class, yields) in [(1, true), (2, false), (0, false)] {
        let mut a = Adapter::two(ADMISSION);
        a.opened(0, 1, 1);
        a.b.config(PROBE_GAP, 0xffff);
        // An open waits all the time, by the gap: that holds up nothing.
        assert_eq!(a.open(1, 1, 1), 0);
        a.until_tail();
        a.offer_open(2, 1, 1);
        for _ in 0..4 {
            a.offer_post(Post { class, len: 1, ..Post::default() });
            a.b.set("link_up", 0, 0).cycle();
            a.b.set("link_up", 0, 0).cycle();
        }
        for _ in 0..8 {
            a.b.set("link_up", 0, 0).cycle();
        }
        assert_eq!((a.get("st_open"), a.get("st_posted") > 0), (1, class != 0));
        let mut tails = Vec::new();
        for n in 0..14 {
            // One post waits in 1 (it is refused).
            if n == 0 {
                a.offer_post(Post { class: 3, ..Post::default() });
            }
            a.b.cycle();
            if a.sent().is_some() {
                tails.push(n);
            }
        }
        assert_eq!(tails, if yields { [2, 4, 5, 6] } else { [2, 3, 4, 5] }, "{class}");
        assert_eq!(a.b.covered("yw6_tail_yields"), u64::from(yields));
    }
}

#[test]
fn numbers_begin_where_software_says() {
    let mut a = Adapter::two(ADMISSION);
    a.b.config(LFSR_SEED, 0xffbf);
    assert_eq!((a.open(0, 1, 1), a.get("st_seq")), (0, 0));
    a.offer_open(1, 1, 1);
    a.b.cycle();
    a.b.config(LFSR_SEED, 9).cycle();
    assert_eq!((a.done(), a.get("st_seq"), a.get("st_lfsr")), (Some([0, 1, 0, 1]), 9, 9));
}
