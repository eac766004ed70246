//! ADM_LOST.

use super::*;

/// A link falls on which something is booked, or of which something is in the control lane.
#[test]
fn a_link_that_falls() {
    let fall = |r: &mut Router, port: usize| {
        r.b.set("link_up", port, 0).cycle();
        r.cycle();
        r.wrong(port)
    };
    for port in [0, 3] {
        let mut r = Router::admitting("odda");
        assert_eq!(fall(&mut r, port), 0);
        r.tell(0, ASKS);
        r.flow(8);
        assert_eq!(fall(&mut r, 1), 0);
        assert_eq!(fall(&mut r, port), ADM_LOST, "{port}");
        // What is booked stays.
        assert_eq!(r.booked(0, 3, 1), (100, 100, 100));
    }
    // Any control message, whole or not.
    for (kind, whole, gone, lost) in [(5, Whole, 2, true), (5, Header, 9, true), (5, Whole, 9, false)] {
        let mut r = Router::admitting("odda");
        r.say(0, r.control(), whole, Head { kind, ..ASKS });
        r.flow(gone);
        let open = if whole == Header { LINK_DOWN } else { 0 };
        assert_eq!(fall(&mut r, 0), open | (u32::from(lost) * ADM_LOST));
    }
    // A reply that waits, is coming in, has its lane, or has gone with its credit not home; on either side.
    for (port, whole, gone, lost) in [
        (0, Whole, 2, true),
        (0, Header, 9, true),
        (0, Whole, 9, false),
        (3, Header, 9, true),
        (3, Whole, 9, true),
        (4, Whole, 9, false),
    ] {
        let mut r = Router::admitting("odda");
        r.say(0, r.reply(), whole, Head { kind: 5, ..ASKS });
        r.idle(gone);
        let open = if whole == Header && port == 0 { LINK_DOWN } else { 0 };
        assert_eq!(fall(&mut r, port), open | (u32::from(lost) * ADM_LOST), "{port} {gone}");
    }
    // Off, and of other lanes: nothing.
    let mut r = Router::new("odda");
    r.say(0, r.control(), Whole, ASKS);
    r.flow(2);
    assert_eq!(fall(&mut r, 0), 0);
    r.write(0, CTRL, 1);
    r.say(0, 1, Whole, LAST);
    r.flow(2);
    assert_eq!(fall(&mut r, 0), 0);
}

/// A header that carries bandwidth and is not stored as one.
#[test]
fn a_header_that_is_not_stored() {
    let (c, d) = (6, 1);
    for (lane, head, lost) in [
        (c, ASKS, true),
        (c, GIVES, true),
        (c, LAST, false),
        (c, Head { kind: ACK, ..ASKS }, false),
        (5, Head { kind: ACK, ..ASKS }, true),
        (5, Head { kind: NACK, ..ASKS }, true),
        (d, LAST, true),
        (d, Head { last: false, ..LAST }, false),
        (d, ASKS, false),
        (4, LAST, false),
        (5, ASKS, false),
    ] {
        let lost = u32::from(lost) * ADM_LOST;
        // Full: six flits for five places, the output's link down.
        let mut r = Router::admitting("odda");
        for n in 0..6 {
            r.b.set("link_up", 3, 0);
            r.say(0, lane, if n == 0 { Header } else { Body }, Head { kind: 5, last: false, ..ASKS });
            r.cycle();
        }
        r.b.set("link_up", 3, 0);
        r.cycle();
        assert_eq!(r.wrong(0), OVERFLOW);
        r.b.set("link_up", 3, 0);
        r.say(0, lane, Whole, head);
        r.cycle();
        r.cycle();
        assert_eq!(r.wrong(0), OVERFLOW | lost, "{lane} {head:?}");
        // In a message.
        let mut r = Router::admitting("odda");
        r.say(0, lane, Header, Head { kind: 5, last: false, ..ASKS });
        r.cycle();
        r.say(0, lane, Header, head);
        r.cycle();
        r.cycle();
        assert_eq!(r.wrong(0), FRAMING | lost, "{lane} {head:?}");
    }
    let mut r = Router::admitting("odda");
    r.say(0, 7, Whole, ASKS);
    r.idle(2);
    assert_eq!(r.wrong(0), BAD_VL);
    r.say(1, 6, Body, ASKS);
    r.idle(2);
    assert_eq!(r.wrong(1), FRAMING);
}

/// A message that carries bandwidth, and ends bad.
#[test]
fn a_bad_end() {
    let bad = |r: &mut Router| {
        r.b.set("rx_bad", 0, 1);
    };
    for (lane, head, lost) in
        [(6, ASKS, true), (6, GIVES, true), (1, LAST, true), (5, ASKS, false), (4, LAST, false)]
    {
        let lost = u32::from(lost);
        let mut r = Router::admitting("odda");
        r.say(0, lane, Whole, head);
        bad(&mut r);
        r.idle(2);
        assert_eq!((r.wrong(0) & ADM_LOST, r.lane("st_books", 0, lane)), (lost * ADM_LOST, 0));
        let mut r = Router::admitting("odda");
        r.say(0, lane, Header, head);
        // (Bad without last means nothing.)
        bad(&mut r);
        r.idle(2);
        assert_eq!((r.wrong(0), r.lane("st_books", 0, lane)), (0, lost));
        r.say(0, lane, Body, head);
        r.give();
        r.say(0, lane, Tail, head);
        bad(&mut r);
        r.idle(2);
        assert_eq!((r.wrong(0) & ADM_LOST, r.lane("st_books", 0, lane)), (lost * ADM_LOST, 0));
        // A header of another kind ends it.
        let mut r = Router::admitting("odda");
        r.say(0, lane, Header, head);
        r.give();
        r.say(0, lane, Header, Head { kind: 5, ..head });
        r.idle(2);
        assert_eq!(r.wrong(0) & ADM_LOST, lost * ADM_LOST);
        // A good end.
        let mut r = Router::admitting("odda");
        r.say(0, lane, Header, head);
        r.give();
        r.say(0, lane, Tail, head);
        r.idle(2);
        assert_eq!((r.wrong(0), r.lane("st_books", 0, lane)), (0, 0));
    }
}

/// Whether a message carries bandwidth is noted with admit_en = 0, too; it is lost with 1 alone. A fall forgets it.
#[test]
fn off_it_is_noted() {
    for (on, falls) in [(false, false), (true, false), (true, true)] {
        let mut r = Router::new("odda");
        r.say(0, 1, Header, LAST);
        r.idle(2);
        assert_eq!(r.lane("st_books", 0, 1), 1);
        r.write(0, CTRL, u32::from(on));
        r.cycle();
        if falls {
            r.b.set("link_up", 0, 0).cycle();
            r.say(0, 1, Header, Head { last: false, ..LAST });
            r.idle(2);
            assert_eq!(r.lane("st_books", 0, 1), 0);
        }
        r.say(0, 1, Tail, LAST);
        r.b.set("rx_bad", 0, 1);
        r.idle(2);
        assert_eq!(r.wrong(0) & ADM_LOST, u32::from(on && !falls) * ADM_LOST);
    }
}

/// What carries bandwidth, and has no route, but for a probe, which is refused.
#[test]
fn a_header_without_a_route() {
    for (lane, head, lost) in [
        (6, GIVES, true),
        (6, ASKS, false),
        (6, LAST, false),
        (1, LAST, true),
        (1, Head { last: false, ..LAST }, false),
        (4, LAST, false),
        (5, Head { kind: ACK, ..ASKS }, true),
        (5, Head { kind: NACK, ..ASKS }, true),
        (5, GIVES, false),
    ] {
        for dlid in [19, 20] {
            let mut r = Router::admitting("odda");
            r.say(0, lane, Whole, Head { dlid, ..head });
            r.idle(2);
            assert_eq!(r.wrong(0), 0);
            r.cycle();
            assert_eq!(r.wrong(0), NO_ROUTE | (u32::from(lost) * ADM_LOST), "{lane} {head:?}");
        }
    }
    // By admit_en of the cycle of the answer, and BE_MASK of that in which it came.
    for (addr, value, lost) in [(CTRL, 0, false), (BE_MASK, 2, true)] {
        let mut r = Router::admitting("odda");
        r.b.set("cfg_we", 0, 1).set("cfg_addr", 0, addr).set("cfg_data", 0, value);
        r.say(0, 1, Whole, Head { dlid: 19, ..LAST });
        r.idle(3);
        assert_eq!(r.wrong(0), NO_ROUTE | (u32::from(lost) * ADM_LOST));
    }
}
