//! Slots and the reply lane (YA3).

use super::*;

/// Ten flits: the probe's header turned about, then zeros.
#[test]
fn an_answer_is_the_probe_turned_about() {
    for (next, limit, kind, dlid) in [(HOST, 4096, ACK, 3), (5, 99, NACK, 3), (HOST, 4096, NACK, 19)] {
        let mut r = Router::admitting("odda");
        r.write(3, NEXT, next);
        r.write(3, LIMIT, limit);
        r.write(255, NODE_ID, 0xabcd);
        let asks = Head { slid: 2, node: 0x1234, dlid, ..ASKS };
        r.say(0, r.control(), Whole, asks);
        let mut flits = Vec::new();
        for t in 0..22 {
            r.give();
            if let Some(sent) = r.sent(2) {
                assert_eq!(sent[0] as usize, r.reply());
                flits.push((t, sent, r.b.get_element("tx_data", 2).to_vec()));
            }
        }
        // Decided in 2, its way known in 4, its lane in 5.
        assert_eq!(flits.iter().map(|f| f.0).collect::<Vec<_>>(), (7..17).collect::<Vec<_>>());
        let mut words = Head { kind, dlid: 2, slid: dlid, node: 0xabcd, ..asks }.words();
        words[1] = words[1] & !0xff07 | 40 << 8;
        for (n, (_, sent, data)) in flits.iter().enumerate() {
            assert_eq!(sent[1..4], [u32::from(n == 0), u32::from(n == 9), 0]);
            assert_eq!(data[..], if n == 0 { words } else { [0; 4] });
        }
        assert_eq!(r.get("st_cnt_msgs", 2), 1);
        assert_eq!(
            (r.lane("st_owned", 2, r.reply()), r.get("st_slot_routed", 0), r.get("st_slot_way", 0)),
            (0, 0, 0)
        );
    }
}

#[test]
fn stages_of_a_slot() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
    let mut rows = Vec::new();
    for _ in 0..17 {
        r.give();
        let of = |name| r.get(name, 0);
        rows.push([
            of("st_slot"),
            of("st_slot_routed"),
            of("st_slot_way"),
            of("st_slot_own"),
            r.lane("st_owned", 2, r.reply()),
            of("st_slot_turn"),
        ]);
        assert_eq!(r.lane("st_own", 0, r.reply()), 0);
        assert_eq!(r.lane("tx_credit", 0, r.reply()), 0);
    }
    assert_eq!(rows[2], [0; 6]);
    assert_eq!(rows[3], [10, 0, 0, 0, 0, 0]);
    assert_eq!(rows[4], [10, 1, 2, 0, 0, 0]);
    assert_eq!(rows[5], [10, 1, 2, 1, 1, 0]);
    assert_eq!(rows[6], [9, 1, 2, 1, 1, 0]);
    assert_eq!(rows[14], [1, 1, 2, 1, 1, 0]);
    assert_eq!(rows[15], [0; 6]);
}

/// Slot and FIFO ask for the lane of one output: in turn.
#[test]
fn slot_and_fifo_take_turns() {
    for first in [false, true] {
        let mut r = Router::admitting("odda");
        r.write(3, NEXT, HOST);
        let (reply, control) = (r.reply(), r.control());
        let passes = Head { kind: ACK, dlid: 2, ..ASKS };
        for round in 0..1 + u32::from(first) {
            // The reply lane of output 2 is another one's until both ask.
            r.say(1, reply, Header, passes);
            r.flow(4);
            r.say(0, control, Whole, Head { slid: 2, ..ASKS });
            r.give();
            r.say(0, reply, Whole, passes);
            r.flow(6);
            assert_eq!((r.get("st_slot_routed", 0), r.lane("st_level", 0, reply)), (1, 1));
            r.say(1, reply, Tail, passes);
            r.flow(4);
            // The FIFO is first, then the slot.
            assert_eq!((r.lane("st_own", 0, reply), r.get("st_slot_own", 0)), (1 - round, round));
            assert_eq!(r.get("st_slot_turn", 0), 1 - round);
            r.flow(20);
            // (The other one was alone: that moves nothing.)
            assert_eq!((r.get("st_slot", 0), r.lane("st_level", 0, reply)), (0, 0));
            assert_eq!((r.get("st_slot_turn", 0), r.get("st_cnt_msgs", 2)), (1 - round, 3 + 3 * round));
        }
        assert_eq!((r.b.covered("ya3_fifo_first"), r.b.covered("ya3_slot_first")), (1, u64::from(first)));
    }
}

/// One alone moves no turn.
#[test]
fn one_alone_needs_no_turn() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    let passes = Head { kind: NACK, dlid: 2, ..ASKS };
    for _ in 0..2 {
        r.say(0, r.reply(), Whole, passes);
        r.flow(6);
        r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
        r.flow(20);
        assert_eq!((r.get("st_slot_turn", 0), r.get("st_slot", 0)), (0, 0));
    }
    assert_eq!(r.get("st_cnt_msgs", 2), 4);
}

/// They have lanes of different outputs in one cycle, and send flit by flit in turn, each to its own.
#[test]
fn slot_and_fifo_send_in_turn() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    let (reply, control) = (r.reply(), r.control());
    r.say(0, control, Whole, Head { slid: 2, ..ASKS });
    r.flow(2);
    for n in 0..5 {
        r.say(0, reply, part(n, 5), Head { kind: ACK, dlid: 4, ..ASKS });
        r.give();
    }
    // Both have had their lanes since 5, and sent in turn: the FIFO first.
    let mut rows = Vec::new();
    for _ in 7..18 {
        r.give();
        rows.push((r.get("st_slot", 0), r.lane("st_level", 0, reply), r.get("st_slot_turn", 0)));
        assert!(r.get("tx_valid", 2) + r.get("tx_valid", 4) <= 1);
    }
    assert_eq!(r.b.covered("ya3_both_granted"), 1);
    assert!(r.b.covered("ya3_slot_meant") >= 3 && r.b.covered("ya3_fifo_meant") >= 3, "{rows:?}");
    r.flow(8);
    assert_eq!((r.get("st_cnt_flits", 2), r.get("st_cnt_flits", 4)), (10, 5));
    assert_eq!((r.get("st_slot", 0), r.lane("st_own", 0, reply), r.lane("st_owned", 4, reply)), (0, 0, 0));
}

/// What passes by does not wait for a slot that cannot send, nor the slot for it.
#[test]
fn neither_waits_for_the_other() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    let reply = r.reply();
    r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
    // Output 2 gives five credits, no more.
    r.idle(20);
    assert_eq!((r.get("st_slot", 0), r.get("st_slot_own", 0)), (5, 1));
    r.message(0, reply, 3, 4);
    r.idle(8);
    assert_eq!((r.get("st_cnt_msgs", 4), r.lane("st_level", 0, reply)), (1, 0));
    // The other way about.
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    r.message(0, reply, 5, 4);
    r.idle(8);
    r.say(0, reply, Header, Head { kind: ACK, dlid: 4, ..ASKS });
    r.idle(8);
    assert_eq!((r.owns(0, reply), r.lane("st_level", 0, reply)), (Some((4, 5)), 1));
    r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
    for _ in 0..20 {
        r.pay(2);
        r.cycle();
    }
    assert_eq!((r.get("st_cnt_msgs", 2), r.get("st_slot", 0)), (1, 0));
    assert_eq!(r.owns(0, reply), Some((4, 5)));
}

/// The answer's DLID leads nowhere.
#[test]
fn an_answer_without_a_way_is_lost() {
    for (slid, off) in [(19, false), (20, false), (0xffff, false), (19, true)] {
        let mut r = Router::admitting("odda");
        r.write(3, NEXT, HOST);
        r.say(0, r.control(), Whole, Head { slid, ..ASKS });
        r.idle(2);
        if off {
            r.write(0, CTRL, 0);
        } else {
            r.cycle();
        }
        r.cycle();
        assert_eq!((r.get("st_slot", 0), r.wrong(0)), (10, 0));
        r.cycle();
        assert_eq!((r.get("st_slot", 0), r.get("st_slot_routed", 0)), (0, 0));
        assert_eq!(r.wrong(0), NO_ROUTE | if off { 0 } else { ADM_LOST });
        r.flow(20);
        assert_eq!((0..5).map(|o| r.get("st_cnt_msgs", o)).sum::<u32>(), 0);
    }
}

/// The way is that of the table of the cycle of the decision.
#[test]
fn the_way_is_looked_up_with_the_decision() {
    for (after, way) in [(1, 4), (2, 2)] {
        let mut r = Router::admitting("odda");
        r.write(3, NEXT, HOST);
        r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
        r.idle(after);
        r.table(2, 4);
        r.idle(6 - after);
        assert_eq!(r.get("st_slot_way", 0), way, "{after}");
    }
}

/// A slot goes on when its input's link is down, or admission is turned off.
#[test]
fn an_answer_is_sent_whatever_happens() {
    for when in 3..16 {
        for off in [false, true] {
            let mut r = Router::admitting("odda");
            r.write(3, NEXT, HOST);
            r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
            for t in 0..30 {
                if t == when && off {
                    r.b.set("cfg_we", 0, 1).set("cfg_addr", 0, CTRL);
                } else if t >= when && t < when + 4 && !off {
                    r.b.set("link_up", 0, 0);
                }
                r.give();
                assert_eq!(r.lane("st_cut", 0, r.reply()), 0);
            }
            assert_eq!((r.get("st_cnt_flits", 2), r.get("st_cnt_msgs", 2)), (10, 1), "{when}");
            assert_eq!((r.get("st_slot", 0), r.lane("st_owned", 2, r.reply())), (0, 0));
            assert_eq!(r.get("st_used", 3), if off { 0 } else { 100 });
        }
    }
}

/// Beside a slot's answer the lane's own messages are discarded and cut as ever.
#[test]
fn messages_beside_a_slot() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    let reply = r.reply();
    r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
    r.flow(6);
    assert_eq!(r.get("st_slot_own", 0), 1);
    let passes = Head { kind: 5, dlid: 4, ..ASKS };
    r.say(0, reply, Whole, Head { dlid: 19, ..passes });
    r.give();
    r.say(0, reply, Header, passes);
    r.flow(6);
    assert_eq!((r.get("st_cnt_drop", 0), r.get("st_slot_own", 0)), (1, 1));
    assert_eq!(r.owns(0, reply), Some((4, 5)));
    r.b.set("link_up", 0, 0);
    r.give();
    r.flow(20);
    // A made tail for the one, all ten flits for the other.
    assert_eq!((r.get("st_cnt_flits", 4), r.get("st_cnt_msgs", 4)), (2, 1));
    assert_eq!((r.get("st_cnt_flits", 2), r.lane("st_owned", 2, reply)), (10, 0));
}

/// An answer that waits for its output's link, and for a lane.
#[test]
fn an_answer_waits() {
    let mut r = Router::admitting("odda");
    r.write(3, NEXT, HOST);
    r.say(0, r.control(), Whole, Head { slid: 2, ..ASKS });
    r.idle(4);
    for _ in 0..8 {
        r.b.set("link_up", 2, 0).cycle();
    }
    assert_eq!((r.get("st_slot_own", 0), r.get("st_slot", 0)), (1, 10));
    // Five credits, no more.
    r.idle(12);
    assert_eq!((r.get("st_slot", 0), r.lane("st_cr", 2, r.reply())), (5, 0));
    r.flow(16);
    assert_eq!((r.get("st_slot", 0), r.get("st_cnt_msgs", 2)), (0, 1));
}
