//! Section 6: replies that come.

use super::*;

/// A flow (0) in SPEC with all of its packets sent, none of them answered; in the cycle after.
fn all_sent(p: &Params, pkts: u32) -> Bench {
    let mut b = on(p, 1);
    post(&mut b, 0, pkts, p.mtu as u32, 0);
    for _ in 0..100 {
        run(&mut b);
        if b.read(128) == pkts {
            runs(&mut b, 3);
            return b;
        }
    }
    panic!("not sent");
}

/// Gives a reply, and runs to its O1.
fn give(b: &mut Bench, kind: u32, id: u32, seq: u32, wait: u32) {
    reply(b, kind, 0, id, seq, wait);
    run(b);
    run(b);
}

/// st, got, todo, out as written in the last cycle.
fn word(b: &Bench) -> [u32; 4] {
    assert_eq!(wrote(b).map(|w| w.0), Some(0));
    ["st_tab_st", "st_tab_got", "st_tab_todo", "st_tab_out"].map(|n| b.get(n, 0))
}

#[test]
fn acks_and_nacks_in_every_state() {
    let p = params("tiny");
    let mut b = all_sent(&p, 4);
    give(&mut b, ACK, 1, 0, 0);
    assert_eq!(word(&b), [SPEC, 0, 0, 0b1110]);
    give(&mut b, NACK, 1, 2, 0);
    assert_eq!(word(&b), [STOP, 0, 0b0100, 0b1010]);
    give(&mut b, NACK, 1, 1, 0);
    assert_eq!(word(&b), [STOP, 0, 0b0110, 0b1000]);
    // The GRANT: the time since the RES is more than 3 cycles.
    give(&mut b, GRANT, 1, 0, 3);
    assert_eq!(word(&b), [WAIT, 1, 0b0110, 0b1000]);
    assert_eq!(b.get("st_tab_due", 0), b.get("st_now", 0));
    until_state(&mut b, 0, GO);
    // Dropped ones go, in order.
    let mut seqs = Vec::new();
    for _ in 0..12 {
        run(&mut b);
        if b.get("inj_valid", 0) == 1 {
            assert_eq!(b.get("inj_kind", 0), 2);
            seqs.push(b.get("inj_seq", 0));
        }
    }
    assert_eq!(seqs, [1, 2]);
    // All but packet 3: it is dropped, after all else was sent.
    give(&mut b, NACK, 1, 3, 0);
    assert_eq!(word(&b), [GO, 1, 0b1000, 0]);
    until(&mut b, "inj_valid");
    assert_eq!((b.get("inj_seq", 0), b.get("inj_kind", 0)), (3, 2));
    runs(&mut b, 3);
    assert_eq!([128, 129, 132, 133, 134, 135, 136].map(|n| b.read(n)), [4, 3, 1, 1, 3, 0, 0]);
}

#[test]
fn a_nack_in_wait_leaves_the_state() {
    let p = params("tiny");
    let mut b = all_sent(&p, 2);
    give(&mut b, GRANT, 1, 0, 1000);
    assert_eq!(word(&b), [WAIT, 1, 0, 0b11]);
    give(&mut b, NACK, 1, 1, 0);
    assert_eq!(word(&b), [WAIT, 1, 0b10, 0b01]);
    give(&mut b, ACK, 1, 0, 0);
    assert_eq!(word(&b), [WAIT, 1, 0b10, 0]);
    assert_eq!(b.read(136), 0);
}

#[test]
fn done_before_its_time() {
    let p = params("tiny");
    let mut b = all_sent(&p, 2);
    give(&mut b, GRANT, 1, 0, 1000);
    give(&mut b, ACK, 1, 0, 0);
    assert_eq!(word(&b), [WAIT, 1, 0, 0b10]);
    give(&mut b, ACK, 1, 1, 0);
    assert_eq!(word(&b), [IDLE, 0, 0, 0]);
    assert_eq!(["st_tab_n", "st_tab_due", "st_tab_byp", "st_tab_id"].map(|n| b.get(n, 0)), [0, 0, 0, 1]);
    assert_eq!(b.read(136), 1);
    // all acknowledged before the GRANT
    let mut b = all_sent(&p, 1);
    give(&mut b, ACK, 1, 0, 0);
    assert_eq!(word(&b), [SPEC, 0, 0, 0]);
    give(&mut b, GRANT, 1, 0, 1000);
    assert_eq!(word(&b)[0], IDLE);
    assert_eq!(b.read(136), 1);
}

#[test]
fn the_next_chunk_asks_again() {
    let p = params("tiny");
    let mut b = on(&p, 1);
    post(&mut b, 0, 6, 1, 0);
    until_state(&mut b, 0, SPEC);
    runs(&mut b, 40);
    for seq in 0..4 {
        give(&mut b, ACK, 1, seq, 0);
    }
    give(&mut b, GRANT, 1, 0, 0);
    assert_eq!(word(&b), [RESW, 0, 0b11, 0]);
    assert_eq!(["st_tab_n", "st_tab_id", "st_tab_rem"].map(|n| b.get(n, 0)), [2, 2, 0]);
}

#[test]
fn what_does_not_act_changes_nothing() {
    let p = params("tiny");
    let mut b = all_sent(&p, 2);
    let mut stale = 0;
    for (kind, id, seq) in
        [(GRANT, 2, 0), (ACK, 0, 0), (NACK, 255, 1), (ACK, 1, 2), (ACK, 1, 64), (NACK, 1, 255)]
    {
        give(&mut b, kind, id, seq, 0);
        assert_eq!(wrote(&b), None);
        stale += 1;
        assert_eq!(b.read(135), stale);
    }
    give(&mut b, ACK, 1, 0, 0);
    give(&mut b, ACK, 1, 0, 0);
    assert_eq!(wrote(&b), None);
    give(&mut b, NACK, 1, 0, 0);
    assert_eq!(wrote(&b), None);
    give(&mut b, GRANT, 1, 0, 500);
    give(&mut b, GRANT, 1, 0, 0);
    assert_eq!(wrote(&b), None, "a second GRANT");
    assert_eq!(b.read(135), 9);
    assert_eq!(b.get("err", 0), 0);
    // kinds and flows that are not there
    for (kind, flow) in [(0, 0), (GRANT, 5), (ACK, 0x8000)] {
        reply(&mut b, kind, flow, 1, 0, 0);
        run(&mut b);
        run(&mut b);
        assert_eq!((b.get("err", 0), b.read(135)), (BAD_REPLY, 9));
        b.config(ERR_CLEAR, BAD_REPLY);
    }
}

#[test]
fn a_reply_for_a_bypass_does_not_act() {
    let p = params("tiny");
    let mut b = on(&p, 9);
    post(&mut b, 0, 2, 1, 0).cycle();
    b.idle(5);
    for kind in [GRANT, ACK, NACK] {
        reply(&mut b, kind, 0, 1, 0, 0).cycle();
        b.cycle();
        assert_eq!(wrote(&b), None);
    }
    assert_eq!(b.read(135), 3);
}

/// Waits about the time since the RES, with and without its being taken off.
#[test]
fn due_is_counted_from_the_res() {
    let p = params("tiny");
    for comp in [true, false] {
        for wait in [0, 1, 20, 40, 41, 42, 100, 2047, 2048, u32::MAX] {
            let mut b = on(&p, 1);
            b.config(CTRL, SRP_EN | if comp { RTT_COMP } else { 0 });
            post(&mut b, 0, 1, 1, 0);
            until(&mut b, "res_valid");
            let tres = b.get("st_now", 0);
            runs(&mut b, 40);
            give(&mut b, GRANT, 1, 0, wait);
            let now = b.get("st_now", 0);
            let x = wait.min(2047);
            let due = if comp { (tres + x).max(now) } else { now + x };
            assert_eq!(b.get("st_tab_due", 0), due & 0xfff, "{comp} {wait}");
            run(&mut b);
            assert_eq!(b.get("err", 0), if wait > 2047 { BAD_REPLY } else { 0 });
        }
    }
}
