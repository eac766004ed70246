//! A link that falls (F1).

use super::*;

#[test]
fn what_comes_in_is_cut() {
    let mut a = Adapter::two(0);
    a.flit(0, true, false, header(7, 0, 0, 0));
    a.b.cycle();
    a.flit(1, true, false, header(8, 0, 0, 0));
    a.b.cycle();
    a.flit(2, true, false, header(7, 2, 0, 0));
    a.b.cycle();
    a.flit(0, false, true, header(7, 0, 0, 0));
    a.b.set("link_up", 0, 0).set("rx_credit", 0, 1).cycle();
    assert_eq!((0..4).map(|v| a.lane("st_rx_open", v)).collect::<Vec<_>>(), [1, 1, 1, 0]);
    a.b.set("link_up", 0, 0).cycle();
    assert_eq!((0..4).map(|v| a.lane("dlv_cut", v)).collect::<Vec<_>>(), [1, 0, 0, 0]);
    assert_eq!((0..4).map(|v| a.lane("st_rx_open", v)).sum::<u32>(), 0);
    assert_eq!(
        (a.get("err"), a.get("dlv_valid"), a.lane("tx_credit", 0)),
        (MISROUTED | BAD_REPLY | LINK_DOWN, 0, 0)
    );
    a.b.cycle();
    assert_eq!((a.lane("dlv_cut", 0), a.get("st_cnt_rcv")), (0, 0));
    // What follows is of no message.
    a.flit(0, false, true, header(7, 0, 0, 0));
    a.b.cycle().cycle();
    assert_eq!(a.get("err") & FRAMING, FRAMING);
    a.b.config(ERR_CLEAR, !0).set("link_up", 0, 0).cycle();
    a.b.cycle();
    assert_eq!(a.get("err"), 0, "nothing was coming in");
}

#[test]
fn credits_are_home_and_the_message_goes_on() {
    let mut a = Adapter::two(0);
    assert_eq!(a.best_effort(1, 6), 0);
    a.b.idle(20);
    assert_eq!((a.lane("st_cr", 1), a.lane("st_level", 1)), (0, 2));
    for _ in 0..5 {
        a.b.set("link_up", 0, 0).cycle();
    }
    assert_eq!((a.lane("st_cr", 1), a.lane("st_level", 1), a.lane("st_inside", 1)), (4, 2, 1));
    a.b.idle(4);
    assert_eq!((a.sent(), a.lane("st_cr", 1)), (Some([1, 0, 1]), 2));
    a.b.cycle();
    assert_eq!(a.completion(), Some([2, 0, 0]));
}

#[test]
fn what_is_on_the_way_completes() {
    let mut a = Adapter::two(0);
    assert_eq!(a.best_effort(1, 1), 0);
    a.b.idle(2);
    // It goes; the link falls.
    assert_eq!((a.lane("st_level", 1), a.get("st_posted")), (1, 1));
    for _ in 0..3 {
        a.b.set("link_up", 0, 0).cycle();
    }
    assert_eq!((a.completion(), a.get("st_posted"), a.lane("st_cr", 1)), (Some([2, 0, 0]), 0, 4));
}

#[test]
fn a_reply_that_waits_is_kept_without_its_pulse() {
    for down in [1, 2] {
        let mut a = Adapter::two(ADMISSION);
        assert_eq!(a.open(0, 1, 1), 0);
        a.until_tail();
        a.offer_open(9, 1, 1);
        a.reply(true, 0, 0);
        a.b.cycle();
        let mut pulses = 0;
        for n in 0..6 {
            a.b.set("link_up", 0, u32::from(n >= down)).cycle();
            pulses += a.lane("tx_credit", 2);
        }
        assert_eq!((pulses, a.b.covered("ya4_ack")), (0, 1), "{down}");
    }
}

#[test]
fn nothing_is_owed_any_more() {
    let mut a = Adapter::two(0);
    a.reply(true, 0, 0);
    a.b.cycle();
    a.flit(2, true, true, header(8, 2, 0, 0));
    a.b.cycle();
    a.b.set("link_up", 0, 0).cycle();
    assert_eq!(a.lane("tx_credit", 2), 1);
    for _ in 0..3 {
        a.b.cycle();
        assert_eq!(a.lane("tx_credit", 2), 0);
    }
    assert_eq!(a.b.covered("f1_owed"), 1);
}

#[test]
fn what_may_be_lost_is_told() {
    for (ctrl, opens, error) in [(ADMISSION, 1, ADM_LOST), (ADMISSION, 0, 0), (0, 1, 0)] {
        let mut a = Adapter::two(ctrl);
        for conn in 0..opens {
            assert_eq!(a.open(conn, 1, 1), 0);
        }
        a.b.set("link_up", 0, 0).cycle();
        assert_eq!(a.get("err"), 0);
        a.b.cycle();
        assert_eq!(a.get("err"), error, "{ctrl} {opens}");
    }
}
