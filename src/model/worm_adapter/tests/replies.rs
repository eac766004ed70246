//! Replies (YA4) and their pulses (YW2).

use super::*;

/// An adapter with a probe on its way.
fn probing(conn: u32) -> Adapter {
    let mut a = Adapter::two(ADMISSION);
    assert_eq!(a.open(conn, 0x102, 300), 0);
    assert_eq!(a.until_tail(), 3);
    a
}

#[test]
fn an_ack_opens() {
    let mut a = probing(6);
    assert_eq!(a.real_time(6, 1), 1, "it is not open");
    a.reply(true, 6, 0);
    a.b.cycle();
    assert_eq!(a.get("st_replies"), 0);
    a.b.cycle();
    assert_eq!((a.get("st_replies"), a.lane("tx_credit", 2)), (1, 0));
    a.b.cycle();
    assert_eq!((a.get("st_replies"), a.lane("tx_credit", 2)), (0, 1));
    assert_eq!((a.event(), a.touched(), a.get("st_used")), (Some((1, 6)), Some([6, OPEN, 0]), 300));
    a.b.cycle();
    assert_eq!((a.lane("tx_credit", 2), a.event()), (0, None));
    assert_eq!(a.real_time(6, 1), 0);
    // Only what probes is answered.
    a.b.config(ERR_CLEAR, !0);
    for (ack, conn) in [(true, 6), (false, 6), (true, 5), (false, 8), (true, 0xffff)] {
        a.reply(ack, conn, 5);
        a.b.idle(3);
        assert_eq!((a.get("err"), a.event(), a.touched()), (BAD_REPLY, None, None));
        assert_eq!((a.get("st_used"), a.lane("tx_credit", 2)), (300, 1));
        a.b.config(ERR_CLEAR, !0);
    }
}

#[test]
fn a_nack_of_the_first_router_ends_it() {
    let mut a = probing(1);
    a.reply(false, 1, 5);
    a.b.idle(3);
    assert_eq!((a.event(), a.touched()), (Some((2, 1)), Some([1, IDLE, 0])));
    assert_eq!((a.get("st_used"), a.lane("st_book", 0), a.b.get("st_queue", 3)), (0, 0, 0));
    assert_eq!(a.open(1, 1, 1), 0);
}

#[test]
fn a_nack_of_another_router_is_released() {
    let mut a = probing(1);
    a.reply(false, 1, 0x605);
    a.b.idle(3);
    assert_eq!((a.event(), a.touched(), a.get("st_used")), (None, Some([1, RELEASE, 0]), 0));
    assert_eq!((a.b.get("st_queue", 3), a.open(1, 1, 1)), (1, 1));
    // It is being sent: a reply is for nobody.
    a.reply(true, 1, 0);
    a.b.idle(3);
    assert_eq!(a.get("err"), NO_CONN | BAD_REPLY);
    assert_eq!(a.until_tail(), 3);
    assert_eq!(a.event(), None);
    a.b.cycle();
    assert_eq!((a.event(), a.touched(), a.completion()), (Some((2, 1)), Some([1, IDLE, 0]), None));
    assert_eq!((a.get("st_cnt_sent"), a.open(1, 1, 1)), (2, 0));
}

#[test]
fn a_reply_that_comes_before_the_probe_is_moved_is_bad() {
    let mut a = Adapter::two(ADMISSION);
    a.b.set("link_up", 0, 1);
    assert_eq!(a.control(1, 12), 0);
    a.offer_open(0, 1, 1);
    a.b.cycle();
    a.reply(true, 0, 1);
    a.b.idle(4);
    assert_eq!((a.get("err"), a.b.get("st_queue", 3)), (BAD_REPLY, 1));
}

#[test]
fn depth_replies_wait_at_most() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    // The table is busy with leavings: messages of one flit, one a cycle.
    for _ in 0..8 {
        a.offer_post(Post { class: 1, len: 1, ..Post::default() });
        a.b.set("link_up", 0, 0).cycle();
        a.b.set("link_up", 0, 0).cycle();
    }
    for _ in 0..30 {
        a.b.set("link_up", 0, 0).cycle();
    }
    assert_eq!(a.lane("st_level", 0), 8);
    let (mut pulses, mut most) = (0, 0);
    for n in 0..40 {
        if n < 12 {
            a.reply(true, 7, 1);
        }
        a.give();
        pulses += a.lane("tx_credit", 2);
        most = a.get("st_replies").max(most);
    }
    let dropped = a.get("st_cnt_drop");
    assert_eq!((pulses, most, a.get("st_replies"), a.get("st_posted")), (12, 4, 0, 0));
    assert!(dropped > 0 && a.b.covered("ya4_reply_lost") == u64::from(dropped), "{dropped}");
    assert!(a.b.covered("yw6_tail_yields") > 0);
}

/// After a probe was given up its answer is not that of the next one.
#[test]
fn opens_have_numbers() {
    let mut a = probing(6);
    a.b.set("link_up", 0, 0).cycle();
    assert_eq!((a.get("st_seq"), a.open(6, 0, 0), a.get("st_seq")), (1, 0, 1));
    a.b.config(ERR_CLEAR, !0);
    assert_eq!((a.open(6, 0x102, 300), a.get("st_seq")), (0, 2));
    a.until_tail();
    a.answer(false, 6, 9, (0x102, 300, 0));
    a.b.idle(3);
    assert_eq!((a.get("err"), a.event()), (BAD_REPLY, None));
    a.answer(true, 6, 9, (0x102, 300, 1));
    a.b.idle(3);
    assert_eq!(a.event(), Some((1, 6)));
    // Refused opens have none; 63 is followed by 0.
    assert_eq!((a.open(6, 1, 1), a.get("st_seq")), (1, 2));
    a.b.config(CTRL, 0);
    for n in 0..63 {
        let conn = n % 5;
        if n >= 5 {
            a.post(Post { class: 1, conn, len: 1, last: 1, ..Post::default() });
            a.until_tail();
            a.b.cycle();
        }
        assert_eq!((a.get("st_seq"), a.open(conn, 1, 1)), ((n + 2) % 64, 0));
    }
    assert_eq!(a.get("st_seq"), 1);
}

#[test]
fn a_second_pulse_is_owed() {
    let mut a = Adapter::two(0);
    a.reply(true, 0, 0);
    a.b.cycle();
    // In the cycle of its turn the header of another one is dropped.
    a.flit(2, true, true, header(8, 2, 0, 0));
    a.b.cycle();
    assert_eq!(a.lane("tx_credit", 2), 0);
    for pulse in [1, 1, 0] {
        a.b.cycle();
        assert_eq!(a.lane("tx_credit", 2), pulse);
    }
    assert_eq!((a.b.covered("yw2_owed"), a.b.covered("yw2_repaid")), (1, 1));
}

#[test]
fn a_reply_says_whose_it_is() {
    let mut a = probing(6);
    for asked in [(0x103, 300, 0), (0x102, 301, 0), (0x201, 300, 0), (0, 0, 0), (0x102, 300, 1)] {
        for ack in [true, false] {
            a.answer(ack, 6, 5, asked);
            a.b.idle(3);
            assert_eq!((a.get("err"), a.event(), a.get("st_used")), (BAD_REPLY, None, 300));
            a.b.config(ERR_CLEAR, !0);
        }
    }
    assert_eq!((a.b.covered("ya4_reply_of_another"), a.b.covered("ya4_reply_late")), (8, 2));
    a.answer(true, 6, 5, (0x102, 300, 0));
    a.b.idle(3);
    assert_eq!(a.event(), Some((1, 6)));
}

#[test]
fn the_host_gives_up() {
    let mut a = probing(6);
    assert_eq!((a.open(6, 0, 1), a.open(5, 0, 0)), (1, 2), "with bandwidth, of one that does not probe");
    assert_eq!((a.open(6, 0, 0), a.b.covered("ya4_gives_up_not")), (1, 1), "nothing may be lost");
    a.b.set("link_up", 0, 0).cycle();
    assert_eq!((a.open(6, 0, 0), a.event(), a.touched()), (0, Some((2, 6)), Some([6, IDLE, 0])));
    let sums = ["st_used", "st_book", "st_live", "st_conns", "st_sum_c"].map(|n| a.get(n));
    assert_eq!((sums, a.get("st_lane")), ([0; 5], 1));
    // A late reply is nobody's.
    a.b.config(ERR_CLEAR, !0);
    a.answer(true, 6, 5, (0x102, 300, 0));
    a.b.idle(3);
    assert_eq!((a.get("err"), a.event()), (BAD_REPLY, None));
    a.b.set("link_up", 0, 0).cycle();
    // A probe that waits is not given up, and nothing is with admission off.
    assert_eq!(a.control(1, 12), 0);
    assert_eq!((a.open(6, 1, 7), a.open(6, 1, 0)), (0, 1));
    a.until_tail();
    a.until_tail();
    a.b.config(CTRL, 0);
    assert_eq!(a.open(6, 1, 0), 1);
    // Software says that it is lost.
    a.b.config(ERR_CLEAR, !0).config(CTRL, ADMISSION);
    assert_eq!(a.open(6, 1, 0), 1);
    a.b.config(CTRL, ADMISSION | 4);
    assert_eq!((a.open(6, 1, 0), a.event()), (0, Some((2, 6))));
    assert_eq!((a.b.covered("ya4_gives_up"), a.b.covered("ya4_gives_up_lost")), (1, 1));
}
