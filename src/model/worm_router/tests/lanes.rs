//! Section 2: discards and credits.

use super::*;

#[test]
fn a_message_without_route_is_discarded_while_others_go() {
    let mut r = Router::new("odd");
    // Flits with a gap: the rest is discarded as it comes.
    r.flit(0, 1, Header, 19);
    r.cycle();
    r.flit(0, 2, Header, 3);
    r.cycle();
    r.flit(0, 1, Body, 0);
    r.cycle();
    assert_eq!((r.lane("st_drain", 0, 1), r.lane("st_level", 0, 1)), (0, 1));
    r.flit(0, 2, Tail, 0);
    r.cycle();
    assert_eq!((r.lane("st_drain", 0, 1), r.lane("st_level", 0, 1)), (1, 1));
    r.cycle();
    assert_eq!((r.lane("st_drain", 0, 1), r.lane("st_level", 0, 1)), (1, 0));
    r.idle(3);
    assert_eq!((r.lane("st_drain", 0, 1), r.lane("st_open", 0, 1), r.get("st_cnt_drop", 0)), (1, 1, 2));
    r.flit(0, 1, Tail, 0);
    r.cycle();
    r.idle(2);
    assert_eq!((r.lane("st_drain", 0, 1), r.lane("st_open", 0, 1), r.get("st_cnt_drop", 0)), (0, 0, 3));
    assert_eq!((r.get("st_cnt_flits", 3), r.get("st_cnt_msgs", 3)), (2, 1));
    // The next message is as any.
    r.message(0, 1, 1, 4);
    r.idle(5);
    assert_eq!(r.get("st_cnt_msgs", 4), 1);
}

/// Any number of lanes discard in a cycle.
#[test]
fn all_lanes_discard_at_once() {
    let mut r = Router::new("odd");
    // A message on each lane, behind one that waits for a link.
    for part in [Whole, Header, Tail] {
        for v in 0..r.p.vls {
            r.flit(0, v, part, if part == Whole { 3 } else { 19 });
            r.b.set("link_up", 3, 0).cycle();
        }
    }
    for _ in 0..8 {
        r.b.set("link_up", 3, 0).cycle();
    }
    assert_eq!(r.get("st_cnt_drop", 0), 0);
    let mut drops = Vec::new();
    for _ in 0..12 {
        r.cycle();
        drops.push(r.get("st_cnt_drop", 0));
    }
    // A lane a cycle has its front, and discards two flits from the next cycle on.
    assert_eq!(drops, [0, 0, 1, 3, 5, 7, 9, 11, 13, 14, 14, 14]);
    assert!((0..r.p.vls).all(|v| r.lane("st_owed", 0, v) == 0 && r.lane("st_drain", 0, v) == 0));
}

/// A flit that leaves and one that is dropped are two pulses.
#[test]
fn pulses_are_owed() {
    let mut r = Router::new("two");
    let lane = r.control();
    r.message(0, lane, 3, 1);
    // It goes in the next three cycles, beside flits of no message.
    let mut pulses = Vec::new();
    for t in 0..8 {
        if t < 3 {
            r.flit(0, lane, Body, 0);
        }
        r.cycle();
        pulses.push((r.lane("tx_credit", 0, lane), r.lane("st_owed", 0, lane)));
    }
    // (The first one finds the lane full.)
    assert_eq!(pulses, [(0, 0), (1, 0), (1, 1), (1, 2), (1, 1), (1, 0), (0, 0), (0, 0)]);
    assert_eq!((r.errors(0), r.get("st_cnt_drop", 0)), (FRAMING | OVERFLOW, 3));
    assert!(r.b.covered("yw2_owed_most") > 0);
}

#[test]
fn credits_are_spent_and_come_home() {
    let mut r = Router::new("tiny");
    r.message(0, 0, 2, 1);
    r.idle(4);
    assert_eq!(r.lane("st_cr", 1, 0), 0);
    r.flit(0, 0, Header, 1);
    r.idle(10);
    // The next message has its lane, and waits.
    assert_eq!((r.owns(0, 0), r.lane("st_level", 0, 0)), (Some((1, 0)), 1));
    let at = r.at(1, 0);
    r.b.set("rx_credit", at, 1).cycle();
    r.cycle();
    assert_eq!((r.lane("st_cr", 1, 0), r.lane("st_level", 0, 0)), (1, 1));
    r.b.set("rx_credit", at, 1).cycle();
    // One went as one came.
    assert_eq!((r.lane("st_cr", 1, 0), r.lane("st_level", 0, 0)), (0, 0));
    r.cycle();
    assert_eq!((r.lane("st_cr", 1, 0), r.errors(1)), (1, 0));
    for _ in 0..2 {
        r.b.set("rx_credit", at, 1).cycle();
    }
    r.cycle();
    assert_eq!((r.lane("st_cr", 1, 0), r.errors(1)), (2, CREDIT));
}

/// A pulse with all credits home is ignored, though a flit goes there in that cycle.
#[test]
fn an_excess_pulse_is_ignored() {
    let mut r = Router::new("tiny");
    r.flit(0, 0, Whole, 1);
    r.idle(3);
    let at = r.at(1, 0);
    r.b.set("rx_credit", at, 1).cycle();
    r.cycle();
    assert_eq!((r.lane("st_cr", 1, 0), r.errors(1), r.errors(0)), (1, CREDIT, 0));
}
