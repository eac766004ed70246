//! Section 6: links that are down.

use super::*;

/// A cycle with the link of a port down.
fn down(r: &mut Router, port: usize) {
    r.b.set("link_up", port, 0).cycle();
}

fn downs(r: &mut Router, port: usize, cycles: usize) {
    (0..cycles).for_each(|_| down(r, port));
}

#[test]
fn a_message_that_is_cut_gets_a_tail() {
    let mut r = Router::new("odd");
    r.flit(0, 1, Header, 3);
    r.cycle();
    r.flit(0, 1, Body, 3);
    r.idle(5);
    assert_eq!(r.get("st_cnt_flits", 3), 2);
    down(&mut r, 0);
    down(&mut r, 0);
    assert_eq!((r.errors(0), r.lane("st_cut", 0, 1), r.lane("st_open", 0, 1)), (LINK_DOWN, 1, 0));
    assert_eq!(r.owns(0, 1), Some((3, 1)));
    down(&mut r, 0);
    assert_eq!((r.lane("st_cut", 0, 1), r.owns(0, 1), r.lane("st_owned", 3, 1)), (0, None, 0));
    down(&mut r, 0);
    // It is two cycles on its way, and no credit goes back for it.
    assert_eq!(r.sent(3), Some([1, 0, 1, 1, 0]));
    assert_eq!((r.get("st_cnt_flits", 3), r.get("st_cnt_msgs", 3)), (3, 1));
    for _ in 0..4 {
        r.cycle();
        assert_eq!(r.lane("tx_credit", 0, 1), 0);
    }
    assert_eq!(r.lane("st_cr", 3, 1), 2);
}

/// What comes on the lane afterwards waits behind the tail, be it a message with a route or one without.
#[test]
fn a_new_header_waits_behind_a_made_tail() {
    for dlid in [4, 19] {
        let mut r = Router::new("odd");
        // Output 3 gives no credits back.
        for n in 0..5 {
            r.flit(0, 1, part(n, 9), 3);
            r.cycle();
        }
        r.idle(6);
        assert_eq!(r.lane("st_cr", 3, 1), 0);
        downs(&mut r, 0, 4);
        r.message(0, 1, 2, dlid);
        r.idle(5);
        let waits = if dlid == 4 { 2 } else { 0 };
        assert_eq!((r.lane("st_cut", 0, 1), r.lane("st_level", 0, 1)), (1, waits));
        assert_eq!(r.owns(0, 1), Some((3, 1)));
        let at = r.at(3, 1);
        r.b.set("rx_credit", at, 1).cycle();
        r.idle(1);
        assert_eq!(r.lane("st_cut", 0, 1), 1);
        r.cycle();
        assert_eq!((r.lane("st_cut", 0, 1), r.lane("st_level", 0, 1), r.owns(0, 1)), (0, waits, None));
        r.cycle();
        assert_eq!(r.owns(0, 1).is_some(), dlid == 4);
        r.idle(4);
        assert_eq!(r.get("st_cnt_msgs", 4), u32::from(dlid == 4));
    }
}

/// A flit that goes in the cycle of the fall goes; if it is the tail nothing is cut.
#[test]
fn what_goes_as_the_link_falls_goes() {
    for flits in [1, 3] {
        let mut r = Router::new("odd");
        r.flit(0, 1, part(0, flits), 3);
        r.idle(3);
        // Cycle 3, in which it goes.
        assert!(r.lane("st_own", 0, 1) == 0);
        down(&mut r, 0);
        assert_eq!((r.lane("st_own", 0, 1), r.lane("st_level", 0, 1)), (1, 1));
        down(&mut r, 0);
        let cut = u32::from(flits > 1);
        assert_eq!((r.lane("st_own", 0, 1), r.lane("st_cut", 0, 1)), (cut, cut));
        assert_eq!((r.lane("st_level", 0, 1), r.get("st_cnt_flits", 3)), (0, 1));
        assert_eq!((r.lane("tx_credit", 0, 1), r.errors(0)), (0, if flits > 1 { LINK_DOWN } else { 0 }));
        down(&mut r, 0);
        assert_eq!(r.sent(3).map(|s| s[1]), Some(1));
        downs(&mut r, 0, 3);
        assert_eq!(r.get("st_cnt_msgs", 3), 1);
        assert_eq!(r.lane("st_owned", 3, 1), 0);
    }
}

/// A message that has its lane, and whose header has not left, is forgotten: the lane is free again, and nothing is made.
#[test]
fn a_header_that_waits_is_forgotten_with_its_lane() {
    for flits in [1, 2, 4] {
        let mut r = Router::new("odd");
        for n in 0..flits {
            r.flit(0, 1, part(n, 4), 3);
            down(&mut r, 3);
        }
        downs(&mut r, 3, 6);
        assert_eq!((r.owns(0, 1), r.lane("st_level", 0, 1)), (Some((3, 1)), flits as u32));
        r.b.set("link_up", 0, 0);
        down(&mut r, 3);
        assert_eq!(r.lane("st_owned", 3, 1), 1);
        down(&mut r, 0);
        assert_eq!((r.owns(0, 1), r.lane("st_cut", 0, 1), r.lane("st_owned", 3, 1)), (None, 0, 0));
        downs(&mut r, 0, 6);
        assert_eq!((r.get("st_cnt_flits", 3), r.get("st_cnt_msgs", 3)), (0, 0));
        r.message(0, 1, 2, 3);
        r.idle(8);
        assert_eq!(r.get("st_cnt_msgs", 3), 1);
    }
    // The second of two messages: the first one's tail leaves in the cycle of the fall, or before.
    for after in 0..8 {
        let mut r = Router::new("odd");
        r.message(0, 1, 2, 3);
        r.message(0, 1, 1, 3);
        r.idle(after);
        downs(&mut r, 0, 12);
        let tails = r.get("st_cnt_msgs", 3);
        assert!((1..=2).contains(&tails), "{after}");
        assert_eq!((r.owns(0, 1), r.lane("st_owned", 3, 1), r.lane("st_cut", 0, 1)), (None, 0, 0));
    }
}

#[test]
fn a_header_in_stage_2_is_forgotten() {
    for (after, dlid) in [(0, 3), (1, 3), (0, 19), (1, 19)] {
        let mut r = Router::new("odd");
        r.flit(0, 1, Whole, dlid);
        r.cycle();
        r.idle(after);
        downs(&mut r, 0, 3);
        r.idle(8);
        let no_route = u32::from(dlid == 19 && after > 0) * NO_ROUTE;
        assert_eq!((r.errors(0), r.lane("st_level", 0, 1)), (no_route, 0), "{after} {dlid}");
        assert_eq!((r.get("st_cnt_flits", 3), r.get("st_cnt_drop", 0)), (0, 0));
        // The lane is as any.
        r.message(0, 1, 2, 4);
        r.idle(8);
        assert_eq!(r.get("st_cnt_msgs", 4), 1);
    }
}

#[test]
fn a_link_that_is_down_brings_nothing() {
    let mut r = Router::new("tiny");
    r.flit(0, 0, Whole, 1);
    down(&mut r, 0);
    r.flit(0, 9, Body, 1);
    r.b.set("rx_credit", 0, 1);
    down(&mut r, 0);
    r.cycle();
    assert_eq!((r.errors(0), r.lane("st_level", 0, 0), r.get("st_cnt_drop", 0)), (0, 0, 0));
}

#[test]
fn nothing_is_sent_to_a_link_that_is_down() {
    let mut r = Router::new("tiny");
    r.message(0, 0, 1, 1);
    r.idle(5);
    assert_eq!(r.lane("st_cr", 1, 0), 1);
    r.flit(0, 0, Header, 1);
    r.cycle();
    r.idle(2);
    // In the cycle in which it would go.
    down(&mut r, 1);
    assert_eq!((r.owns(0, 0), r.lane("st_level", 0, 0)), (Some((1, 0)), 1));
    down(&mut r, 1);
    assert_eq!((r.owns(0, 0), r.lane("st_level", 0, 0), r.lane("st_cr", 1, 0)), (Some((1, 0)), 1, 2));
    // Pulses mean nothing there.
    let at = r.at(1, 0);
    r.b.set("rx_credit", at, 1);
    down(&mut r, 1);
    r.cycle();
    assert_eq!((r.errors(1), r.lane("st_level", 0, 0)), (0, 1));
    r.cycle();
    assert_eq!((r.lane("st_level", 0, 0), r.lane("st_cr", 1, 0)), (0, 1));
}

/// A flit on its way to the link is sent, and lost.
#[test]
fn flits_on_their_way_are_sent() {
    let mut r = Router::new("tiny");
    r.flit(0, 0, Whole, 1);
    r.idle(4);
    assert_eq!(r.lane("st_own", 0, 0), 1);
    down(&mut r, 1);
    down(&mut r, 1);
    assert!(r.sent(1).is_some());
}

/// A message that is being discarded, and pulses that are owed, end with the link.
#[test]
fn drain_and_debts_end() {
    let mut r = Router::new("two");
    let lane = r.control();
    r.flit(0, 0, Header, 7);
    r.cycle();
    r.message(0, lane, 3, 1);
    for _ in 0..3 {
        r.flit(0, lane, Body, 0);
        r.cycle();
    }
    assert_eq!((r.lane("st_drain", 0, 0), r.lane("st_owed", 0, lane) > 0), (1, true));
    down(&mut r, 0);
    r.cycle();
    assert_eq!((r.lane("st_drain", 0, 0), r.lane("st_owed", 0, lane)), (0, 0));
    assert!((0..3).all(|v| r.lane("tx_credit", 0, v) == 0));
    r.message(0, 0, 1, 1);
    r.idle(6);
    assert_eq!(r.lane("st_drain", 0, 0), 0);
    assert_eq!(r.get("st_cnt_msgs", 1), 2);
}
