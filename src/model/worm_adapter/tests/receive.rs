//! What comes in (YW1, section 5).

use super::*;

/// What the host gets in the cycle that was run last: lane, first, last, bad, first word.
fn delivered(a: &Adapter) -> Option<[u32; 5]> {
    let [vl, first, last, bad] = ["dlv_vl", "dlv_first", "dlv_last", "dlv_bad"].map(|n| a.get(n));
    let all = [vl, first, last, bad, a.b.get_words("dlv_data")[0]];
    assert!(a.get("dlv_valid") == 1 || all == [0; 5]);
    (a.get("dlv_valid") == 1).then_some(all)
}

fn pulses(a: &Adapter) -> Vec<u32> {
    (0..a.p.vls).map(|v| a.lane("tx_credit", v)).collect()
}

#[test]
fn messages_go_to_the_host_as_they_come() {
    let mut a = Adapter::two(0);
    let data = header(7, 0, 0, 0);
    a.flit(1, true, false, data);
    a.b.set("rx_bad", 0, 1).cycle();
    a.flit(0, true, true, data);
    a.b.cycle();
    assert_eq!((delivered(&a), pulses(&a)), (Some([1, 1, 0, 0, data[0]]), vec![0, 1, 0, 0]));
    assert_eq!((a.lane("st_rx_open", 1), a.lane("st_rx_skip", 1), a.get("st_cnt_rcv")), (1, 0, 0));
    a.flit(1, false, false, [5, 0, 0, 0]);
    a.b.cycle();
    assert_eq!((delivered(&a), pulses(&a)), (Some([0, 1, 1, 0, data[0]]), vec![1, 0, 0, 0]));
    assert_eq!(a.get("st_cnt_rcv"), 1);
    a.flit(1, false, true, [6, 0, 0, 0]);
    a.b.set("rx_bad", 0, 1).cycle();
    assert_eq!(delivered(&a), Some([1, 0, 0, 0, 5]));
    a.b.cycle();
    assert_eq!((delivered(&a), a.get("st_cnt_rcv")), (Some([1, 0, 1, 1, 6]), 2));
    a.b.cycle();
    assert_eq!((delivered(&a), pulses(&a), a.get("err")), (None, vec![0; 4], 0));
}

#[test]
fn frames_that_are_not_right() {
    let mut a = Adapter::two(0);
    a.flit(4, true, true, header(7, 0, 0, 0));
    a.b.cycle().cycle();
    assert_eq!((a.get("err"), delivered(&a), pulses(&a)), (BAD_VL, None, vec![0; 4]));
    a.b.config(ERR_CLEAR, !0);
    a.flit(3, false, true, header(7, 0, 0, 0));
    a.b.cycle().cycle();
    assert_eq!((a.get("err"), delivered(&a), pulses(&a)), (FRAMING, None, vec![0, 0, 0, 1]));
    assert_eq!(a.get("st_cnt_drop"), 2);
    a.b.config(ERR_CLEAR, !0);
    // A header that ends an open message is not looked at.
    a.flit(3, true, false, header(7, 5, 0, 0));
    a.b.cycle();
    let other = header(8, 1, 0, 0);
    a.flit(3, true, false, other);
    a.b.cycle().cycle();
    assert_eq!((a.get("err"), delivered(&a)), (FRAMING, Some([3, 0, 1, 1, other[0]])));
    assert_eq!((a.lane("st_rx_open", 3), a.get("st_cnt_rcv"), pulses(&a)), (0, 1, vec![0, 0, 0, 1]));
}

#[test]
fn what_is_not_for_the_host_is_dropped() {
    for (lane, dlid, kind, error) in [
        (1, 8, 0, MISROUTED),
        (3, 7, 1, MISROUTED),
        (0, 7, 4, MISROUTED),
        (2, 7, 0, BAD_REPLY),
        (2, 7, 5, BAD_REPLY),
        (2, 8, 2, MISROUTED),
        (2, 7, 1, MISROUTED | BAD_REPLY),
        (2, 0x107, 9, MISROUTED | BAD_REPLY),
    ] {
        let mut a = Adapter::two(0);
        a.flit(lane, true, false, header(dlid, kind, 0, 0));
        a.b.cycle();
        a.flit(lane, false, false, header(7, 2, 0, 0));
        a.b.cycle();
        assert_eq!((a.lane("st_rx_open", lane), a.lane("st_rx_skip", lane), a.get("err")), (1, 1, error));
        assert_eq!((delivered(&a), a.lane("tx_credit", lane)), (None, 1));
        // Ended by another header, which is dropped as the rest.
        a.flit(lane, true, true, header(7, 2, 0, 0));
        a.b.cycle().cycle();
        assert_eq!((delivered(&a), a.lane("tx_credit", lane), a.get("err")), (None, 1, error | FRAMING));
        assert_eq!((a.get("st_cnt_drop"), a.get("st_cnt_rcv"), a.get("st_replies")), (3, 0, 0));
        a.b.cycle();
        assert_eq!((a.lane("tx_credit", lane), a.lane("st_rx_open", lane)), (0, 0));
    }
}

#[test]
fn types_that_the_host_gets() {
    for (lane, kind) in [(0, 0), (1, 2), (3, 5), (3, 3), (0, 255)] {
        let mut a = Adapter::two(0);
        a.flit(lane, true, true, header(7, kind, 0, 0));
        a.b.cycle().cycle();
        assert_eq!((delivered(&a).map(|d| d[0]), a.get("err")), (Some(lane as u32), 0), "{kind}");
    }
}

#[test]
fn the_rest_of_a_reply_is_consumed() {
    let mut a = Adapter::two(0);
    let mut pulses = 0;
    for n in 0..14 {
        if n < 10 {
            a.flit(2, n == 0, n == 9, header(7, 2, 0, 0));
        }
        a.b.cycle();
        pulses += a.lane("tx_credit", 2);
        assert_eq!(delivered(&a), None);
    }
    assert_eq!((pulses, a.get("st_cnt_drop"), a.get("st_cnt_rcv")), (10, 0, 0));
    // A header that ends a reply is consumed, too, and is none.
    a.flit(2, true, false, header(7, 2, 0, 0));
    a.b.cycle();
    a.flit(2, true, true, header(8, 2, 0, 0));
    a.b.cycle().cycle();
    assert_eq!((a.get("err"), a.get("st_replies"), a.lane("st_rx_open", 2)), (BAD_REPLY | FRAMING, 0, 0));
    assert_eq!((a.get("st_cnt_drop"), delivered(&a)), (0, None));
}
