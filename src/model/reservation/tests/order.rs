//! Section 13, INORDER: granted time begins with what is not answered, and speculative packets come in the order of their PSNs.

use super::*;

const RTO: u32 = 6;
const INORDER: u32 = 0x20;
const CNT_DUP: u32 = 138;

/// What an op on the table of sources says.
#[derive(Clone, Copy)]
struct Seen {
    pins: &'static [&'static str],
    id: u32,
    seq: u32,
    psn: u32,
    ok: u32,
}

const SPEC_ONE: &[&str] = &["see_look", "see_mark", "see_spec"];
const AGAIN: &[&str] = &["see_look", "see_mark"];
const PASS: &[&str] = &["see_pass"];

fn seen(pins: &'static [&'static str], id: u32, seq: u32, psn: u32) -> Seen {
    Seen { pins, id, seq, psn, ok: 1 }
}

/// It comes of source 1. `see_drop`, `see_ack`; the write that it leads to: nv, next.
fn comes(b: &mut Bench, s: Seen) -> ([u32; 2], Option<(u32, u32)>) {
    for pin in s.pins {
        b.set(pin, 0, 1);
    }
    b.set("see_flow", 0, 1).set("see_id", 0, s.id).set("see_seq", 0, s.seq).set("see_psn", 0, s.psn);
    run(b);
    b.set("see_ok", 0, s.ok);
    run(b);
    let told = ["see_drop", "see_ack"].map(|pin| b.get(pin, 0));
    run(b);
    let wrote = b.get("st_see_we", 0) == 1;
    (told, wrote.then(|| (b.get("st_see_nv", 0), b.get("st_see_next", 0))))
}

/// A unit with CTRL.
fn with(ctrl: u32) -> Bench {
    let mut b = on(&params("tinyd"), 1);
    b.config(CTRL, SRP_EN | RTT_COMP | ctrl);
    b
}

/// Flow 0 has sent both packets of a chunk, and nobody has answered; its GRANT comes then.
fn both_out(ctrl: u32, rto: u32) -> Bench {
    let mut b = with(ctrl);
    b.config(RTO, rto);
    runs(&mut b, rto as usize);
    post(&mut b, 0, 1, 4, 0);
    until_state(&mut b, 0, STOP);
    reply(&mut b, GRANT, 0, 0, 0, 0).set("rep_init", 0, 1);
    runs(&mut b, 20);
    let id = sends_two(&mut b);
    reply(&mut b, GRANT, 0, id, 0, 60);
    until_state(&mut b, 0, WAIT);
    b
}

#[test]
fn granted_time_begins_with_what_is_not_answered() {
    for (ctrl, words, again) in [(INORDER, [0b11, 0, 0b11], 1), (0, [0, 0b11, 0], 0)] {
        let mut b = both_out(ctrl, 0);
        let id = b.get("st_tab_id", 0);
        until_state(&mut b, 0, GO);
        assert_eq!(["st_tab_todo", "st_tab_out", "st_tab_rty"].map(|n| b.get(n, 0)), words);
        assert_eq!((b.covered("q21_due_again"), b.covered("q16_due_all_sent")), (again, 1));
        let mut sent = Vec::new();
        for _ in 0..30 {
            run(&mut b);
            if b.get("inj_valid", 0) == 1 {
                sent.push(["inj_kind", "inj_seq", "inj_psn", "inj_rty"].map(|n| b.get(n, 0)));
            }
        }
        let all = if again == 1 { vec![[2, 0, 1, 1], [2, 1, 2, 1]] } else { vec![] };
        assert_eq!(sent, all);
        // Once each; then their ACKs end the chunk.
        runs(&mut b, 100);
        assert_eq!(b.get("inj_valid", 0), 0);
        for seq in 0..2 {
            reply(&mut b, ACK, 0, id, seq, 0).set("rep_rty", 0, again as u32);
            run(&mut b);
        }
        until_state(&mut b, 0, IDLE);
    }
}

/// What was answered before does not go again, and what was not sent yet goes in its place, without R.
#[test]
fn what_was_answered_does_not_go_again() {
    let mut b = both_out(INORDER, 0);
    let id = b.get("st_tab_id", 0);
    reply(&mut b, ACK, 0, id, 0, 0);
    until_state(&mut b, 0, GO);
    assert_eq!(["st_tab_todo", "st_tab_out", "st_tab_rty"].map(|n| b.get(n, 0)), [0b10, 0, 0b10]);
    // The ACK of the first copy comes before the second one goes.
    b.set("room", 0, 0);
    reply(&mut b, ACK, 0, id, 1, 0).cycle();
    until_state(&mut b, 0, IDLE);
}

#[test]
fn speculative_packets_are_taken_in_order() {
    let mut b = with(INORDER);
    let (taken, early, copy) = ([0, 0], [1, 0], [1, 1]);
    let refused = |s: Seen| Seen { ok: 0, ..s };
    for (s, told, wrote) in [
        (refused(seen(SPEC_ONE, 5, 0, 100)), early, None),
        (seen(PASS, 9, 9, 99), taken, Some((1, 100))),
        (refused(seen(SPEC_ONE, 5, 1, 101)), early, None),
        (seen(SPEC_ONE, 5, 0, 100), taken, Some((1, 101))),
        (refused(seen(SPEC_ONE, 5, 0, 100)), copy, None),
        (refused(seen(PASS, 5, 1, 101)), taken, None),
        (seen(&["see_look", "see_spec"], 5, 1, 101), taken, None),
        (seen(&["see_mark"], 5, 1, 101), taken, Some((1, 102))),
        // Granted with R: whatever its PSN.
        (seen(AGAIN, 5, 3, 103), taken, Some((1, 104))),
        (seen(AGAIN, 5, 2, 102), taken, Some((1, 103))),
        // Of a chunk that is done.
        (refused(seen(SPEC_ONE, 4, 0, 103)), early, None),
        (seen(&["see_mark"], 4, 0, 200), taken, None),
        // A new chunk leaves the order as it is.
        (seen(&["see_res"], 6, 0, 0), taken, Some((1, 103))),
        (seen(SPEC_ONE, 6, 0, 103), taken, Some((1, 104))),
        (seen(SPEC_ONE, 7, 0, 104), taken, Some((1, 105))),
    ] {
        assert_eq!(comes(&mut b, s), (told, wrote), "{:?} {} {} {}", s.pins, s.id, s.seq, s.psn);
    }
    assert_eq!(b.read(CNT_DUP), 4);
    let hit = ["q21_spec_first", "q21_spec_early", "q21_pass", "q21_pass_not_ok"].map(|c| b.covered(c));
    assert_eq!((hit, b.covered("q21_spec_next")), ([1, 1, 1, 1], 4));
}

#[test]
fn psns_wrap() {
    let mut b = with(INORDER);
    for (s, told, wrote) in [
        (seen(PASS, 0, 0, 0xff_fffe), [0, 0], Some((1, 0xff_ffff))),
        (seen(SPEC_ONE, 1, 0, 0xff_ffff), [0, 0], Some((1, 0))),
        (seen(&["see_look", "see_spec"], 1, 1, 0x80_0000), [1, 0], None),
        (seen(SPEC_ONE, 1, 1, 0), [0, 0], Some((1, 1))),
        (seen(PASS, 0, 0, 0xff_ffff), [0, 0], Some((1, 0))),
    ] {
        assert_eq!(comes(&mut b, s), (told, wrote), "{}", s.psn);
    }
    assert_eq!(b.covered("q21_psn_wraps"), 2);
}

#[test]
fn a_source_that_was_reset_counts_from_anywhere() {
    let mut b = with(INORDER);
    comes(&mut b, seen(AGAIN, 5, 0, 40));
    let init = seen(&["see_res", "see_init"], 1, 0, 0);
    assert_eq!(comes(&mut b, Seen { ok: 0, ..init }), ([0, 0], None));
    assert_eq!(comes(&mut b, init), ([0, 0], Some((0, 0))));
    assert_eq!((b.covered("q21_order_ends"), b.get("st_see_got", 0), b.get("st_see_id", 0)), (1, 1, 5));
    assert_eq!(comes(&mut b, seen(&["see_look", "see_spec"], 6, 0, 41)).0, [1, 0]);
    assert_eq!(comes(&mut b, seen(&["see_look", "see_spec"], 6, 0, 0)).0, [1, 0]);
    assert_eq!(comes(&mut b, seen(PASS, 0, 0, 7)), ([0, 0], Some((1, 8))));
    assert_eq!(comes(&mut b, seen(SPEC_ONE, 6, 0, 8)), ([0, 0], Some((1, 9))));
}

/// Without the bit all is taken, and the order kept all the same.
#[test]
fn the_bit_changes_nothing_but_what_is_let_in() {
    let mut b = with(0);
    let early = seen(SPEC_ONE, 5, 0, 100);
    assert_eq!(comes(&mut b, early), ([0, 0], Some((1, 101))));
    assert_eq!(comes(&mut b, seen(SPEC_ONE, 5, 1, 77)), ([0, 0], Some((1, 78))));
    b.config(CTRL, SRP_EN | INORDER);
    assert_eq!(comes(&mut b, seen(SPEC_ONE, 5, 2, 78)), ([0, 0], Some((1, 79))));
    assert_eq!(b.covered("q21_spec_next"), 1);
    // Beside others a pass is none.
    let pins = &["see_pass", "see_mark"];
    assert_eq!(comes(&mut b, seen(pins, 4, 0, 300)), ([0, 0], None));
    assert_eq!(comes(&mut b, seen(&["see_pass", "see_res"], 5, 0, 300)), ([0, 0], None));
}

/// The bit that acts is that of the cycle in which the packet is judged.
#[test]
fn the_bit_of_the_next_cycle_acts() {
    for (before, told) in [(true, [1, 0]), (false, [0, 0])] {
        let mut b = with(0);
        let write = |b: &mut Bench| {
            b.set("cfg_we", 0, 1).set("cfg_addr", 0, CTRL).set("cfg_data", 0, SRP_EN | INORDER);
        };
        b.set("see_look", 0, 1).set("see_spec", 0, 1).set("see_flow", 0, 1);
        if before {
            write(&mut b);
        }
        run(&mut b);
        if !before {
            write(&mut b);
        }
        run(&mut b);
        assert_eq!(["see_drop", "see_ack"].map(|pin| b.get(pin, 0)), told);
    }
}
