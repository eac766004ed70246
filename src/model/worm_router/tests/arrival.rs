//! Section 1, and the diagram of section 4.

use super::*;

/// A header, a flit and a tail, with nothing else about.
#[test]
fn diagram_of_a_message() {
    let mut r = Router::with(&Params { ports: 5, vls: 16, depth: 10, ..params("worm5") });
    let (i, v, o) = (1, 3, 2);
    let mut rows: Vec<[u32; 5]> = Vec::new();
    for t in 0..9 {
        if t < 3 {
            r.flit(i, v, part(t, 3), o);
        }
        r.cycle();
        let o = o as usize;
        rows.push([
            r.lane("st_level", i, v),
            r.lane("st_own", i, v),
            r.lane("st_cr", o, v),
            r.get("tx_valid", o),
            r.lane("tx_credit", i, v),
        ]);
        assert_eq!(r.lane("st_owned", o, v), r.lane("st_own", i, v));
        if r.get("tx_valid", o) == 1 {
            assert_eq!(r.sent(o), Some([v as u32, u32::from(t == 5), u32::from(t == 7), 0, t as u32 - 4]));
        }
    }
    assert_eq!(
        rows,
        [
            [0, 0, 10, 0, 0],
            [1, 0, 10, 0, 0],
            [2, 0, 10, 0, 0],
            [3, 1, 10, 0, 0],
            [2, 1, 9, 0, 1],
            [1, 1, 8, 1, 1],
            [0, 0, 7, 1, 1],
            [0, 0, 7, 1, 0],
            [0, 0, 7, 0, 0],
        ]
    );
    assert_eq!((r.get("st_cnt_flits", 2), r.get("st_cnt_msgs", 2)), (3, 1));
}

/// The sweep: nothing is heard, the state is that of the reset.
#[test]
fn nothing_is_heard_before_the_sweep_is_done() {
    let p = params("tiny");
    let mut b = Bench::new(UnitKind::WormRouter, &p);
    for _ in 0..p.lft_depth {
        for i in 0..p.ports {
            b.set("rx_valid", i, 1).set("rx_first", i, 1).set("link_up", i, 0);
        }
        b.set("cfg_we", 0, 1).set("cfg_addr", 0, LFSR_SEED).set("cfg_data", 0, 5);
        b.set("cfg_re", 0, 1).set("lft_we", 0, 1).set("rx_credit", 0, 1).cycle();
        assert!(b.output.iter().all(|&w| w == 0));
        assert_eq!((b.get("st_cr", 0), b.get("st_lfsr", 0), b.get("st_left_in", 0)), (2, 0xace1, 1));
    }
    b.cycle();
    assert_eq!((b.get("ready", 0), b.get("st_level", 0), b.get("err", 0)), (1, 0, 0));
    // Nor was the table written.
    b.set("rx_valid", 0, 1).set("rx_first", 0, 1).cycle();
    b.idle(2);
    assert_eq!(b.get("err", 0), NO_ROUTE);
}

/// The route of a header in t is there in t+2, and so is the error.
#[test]
fn a_header_has_its_route_two_cycles_later() {
    for (dlid, port) in [(7, 255), (7, 3), (7, 254), (8, 0), (0x107, 0), (0xffff, 0)] {
        let mut r = Router::new("tiny");
        r.table(7, port);
        r.flit(0, 1, Whole, dlid);
        r.cycle();
        r.cycle();
        assert_eq!((r.errors(0), r.lane("st_level", 0, 1), r.get("st_cnt_drop", 0)), (0, 1, 0));
        r.cycle();
        assert_eq!((r.errors(0), r.lane("st_level", 0, 1), r.get("st_cnt_drop", 0)), (NO_ROUTE, 1, 0));
        r.cycle();
        assert_eq!((r.lane("st_level", 0, 1), r.get("st_cnt_drop", 0)), (0, 1), "{dlid}: {port}");
        assert_eq!((r.lane("tx_credit", 0, 1), r.lane("st_drain", 0, 1)), (1, 0));
    }
    // The table of the cycle in which the header comes.
    let mut r = Router::new("tiny");
    r.flit(0, 1, Whole, 2);
    r.table(2, 255);
    r.idle(3);
    assert_eq!(r.owns(0, 1), Some((2, 1)));
    // Bytes 2 and 3, and nothing else.
    let mut r = Router::new("tiny");
    r.b.set_element("rx_data", 0, &[0x0100_ffff, !0, !0, !0]);
    r.b.set("rx_valid", 0, 1).set("rx_first", 0, 1).set("rx_last", 0, 1);
    r.idle(4);
    assert_eq!((r.owns(0, 0), r.errors(0)), (Some((1, 0)), 0));
}

#[test]
fn what_is_out_of_frame_is_mended() {
    let mut r = Router::new("odd");
    // No message is open.
    r.flit(0, 2, Body, 0);
    r.cycle();
    r.cycle();
    assert_eq!((r.errors(0), r.lane("st_level", 0, 2), r.get("st_cnt_drop", 0)), (FRAMING, 0, 1));
    assert_eq!(r.lane("tx_credit", 0, 2), 1);
    r.write(0, ERR_CLEAR, FRAMING);
    // A second header ends the first one's message; its own rest is stray.
    r.flit(0, 2, Header, 1);
    r.cycle();
    assert_eq!(r.errors(0), 0);
    r.flit(0, 2, Header, 3);
    let number = r.next - 1;
    r.cycle();
    assert_eq!(r.lane("st_open", 0, 2), 1);
    r.flit(0, 2, Tail, 3);
    r.cycle();
    assert_eq!((r.errors(0), r.lane("st_open", 0, 2)), (FRAMING, 0));
    r.cycle();
    assert_eq!(r.get("st_cnt_drop", 0), 2);
    let mut sent = Vec::new();
    for _ in 0..6 {
        r.cycle();
        sent.extend(r.sent(1));
        assert_eq!(r.sent(3), None);
    }
    assert_eq!(sent, [[2, 1, 0, 0, number - 1], [2, 0, 1, 1, number]]);
    // The header has no route of its own.
    r.message(0, 2, 2, 4);
    r.idle(10);
    assert_eq!((r.get("st_cnt_msgs", 1), r.get("st_cnt_msgs", 3), r.get("st_cnt_msgs", 4)), (1, 0, 1));
}

#[test]
fn a_flit_beyond_the_credit_is_lost_whatever_leaves() {
    let mut r = Router::new("two");
    // Three flits come before the first one goes, in t+3.
    for n in 0..3 {
        r.flit(0, 0, part(n, 6), 1);
        r.cycle();
    }
    r.flit(0, 0, Header, 1);
    r.cycle();
    assert_eq!(r.lane("st_level", 0, 0), 3);
    r.cycle();
    // (Though it would have been out of frame.)
    assert_eq!((r.errors(0), r.lane("st_level", 0, 0), r.lane("st_open", 0, 0)), (OVERFLOW, 2, 1));
    assert_eq!((r.get("st_cnt_drop", 0), r.lane("tx_credit", 0, 0)), (1, 1));
    r.message(0, 0, 1, 1);
    assert_eq!(r.errors(0), OVERFLOW);
}

#[test]
fn lanes_that_are_not_there_and_bad_ends() {
    let mut r = Router::new("tiny");
    r.flit(1, 4, Whole, 0);
    r.cycle();
    r.cycle();
    assert_eq!((r.errors(0), r.errors(1), r.get("st_cnt_drop", 1)), (0, BAD_VL, 1));
    // bad with last is carried, without it is not.
    for (part, bad) in [(Header, 0), (Tail, 1), (Whole, 1)] {
        r.flit(0, 1, part, 2);
        r.b.set("rx_bad", 0, 1).cycle();
        for _ in 0..6 {
            r.cycle();
            if let Some([_, first, last, is, _]) = r.sent(2) {
                assert_eq!(is, bad, "{first} {last}");
            }
        }
        r.give();
    }
    assert_eq!((r.get("st_cnt_msgs", 2), r.get("st_cnt_flits", 2)), (2, 3));
}

/// Headers have their routes in order, wherever they stand.
#[test]
fn several_headers_wait_in_a_lane() {
    let mut r = Router::new("odd");
    // The first one has no lane for a while: another one owns it.
    r.message(1, 0, 3, 2);
    for (n, dlid) in [2, 19, 4, 0].into_iter().enumerate() {
        r.flit(0, 0, Whole, dlid);
        r.cycle();
        assert_eq!(r.lane("st_level", 0, 0), n as u32);
    }
    let mut order = Vec::new();
    for t in 0..20 {
        r.cycle();
        order.extend((0..5).filter_map(|o| r.sent(o).filter(|s| s[1] == 1 && t > 0).map(|_| o)));
    }
    assert_eq!(order.iter().filter(|&&o| o != 2).copied().collect::<Vec<_>>(), [4, 0]);
    assert_eq!((r.errors(0), r.get("st_cnt_drop", 0)), (NO_ROUTE, 1));
}
