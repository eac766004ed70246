//! Section 13, *Late*: one walk, W, finds what is due and what is late.

use super::*;

const RTO: u32 = 6;
const CNT_RTO: u32 = 137;

/// A flow's GRANT, the first one since reset.
fn grant(b: &mut Bench, flow: u32, wait: u32) {
    reply(b, GRANT, flow, 0, 0, wait).set("rep_init", 0, 1);
}

/// A unit whose flows 0 to 2 are in STOP, with a time-out of so many cycles.
fn in_stop(rto: u32) -> Bench {
    let mut b = on(&params("tinyd"), 1);
    b.config(CTRL, SRP_EN | SPEC_OFF).config(RTO, rto);
    runs(&mut b, rto as usize);
    for flow in 0..3 {
        post(&mut b, flow, 1, 4, 0);
        until_state(&mut b, flow, STOP);
    }
    b
}

#[test]
fn without_a_time_out_only_waits_are_walked() {
    let mut b = in_stop(500);
    b.config(RTO, 0);
    grant(&mut b, 1, 100);
    until_state(&mut b, 1, WAIT);
    runs(&mut b, 4);
    for _ in 0..60 {
        run(&mut b);
        assert_eq!((b.get("st_wt", 0), b.get("st_ptr_w", 0)), (2, 2));
    }
}

#[test]
fn with_one_all_are_that_are_under_way() {
    let mut b = in_stop(500);
    grant(&mut b, 1, 100);
    until_state(&mut b, 1, WAIT);
    let mut seen = [0; 4];
    for _ in 0..60 {
        run(&mut b);
        seen[b.get("st_ptr_w", 0) as usize] += 1;
    }
    assert_eq!(seen, [0, 20, 20, 20]);
}

/// Whichever flow is due, and whenever: the others, which are walked in vain, hold it up for a round.
#[test]
fn who_is_due_goes_after_a_round() {
    for (flow, wait) in (0..3).flat_map(|flow| (100..110).map(move |wait| (flow, wait))) {
        let mut b = in_stop(500);
        grant(&mut b, flow, wait);
        until_state(&mut b, flow, WAIT);
        let due = b.get("st_tab_due", 0);
        until_state(&mut b, flow, GO);
        let after = b.get("st_now", 0) - due;
        assert!(after < 3, "{flow} {wait}: {after}");
    }
}

/// Granted time that is further ahead than the time-out: nothing is lost, and it is used.
#[test]
fn due_goes_before_late() {
    let mut b = in_stop(60);
    grant(&mut b, 0, 200);
    until_state(&mut b, 0, WAIT);
    assert_eq!(b.covered("q22_late_nothing"), 0);
    until_state(&mut b, 0, GO);
    assert_eq!((b.covered("q22_due_and_late"), b.covered("q16_due_late") + b.covered("q16_due")), (1, 1));
    assert!(b.covered("q22_late_nothing") > 0 && b.covered("q16_not_due") > 0);
    // The other two asked again.
    assert_eq!(b.covered("q22_late_wait") + b.covered("q22_late_go"), 0);
    assert_eq!((b.covered("q22_late_stop") > 0, b.read(CNT_RTO) > 0), (true, true));
}

/// A NACK may be of a packet whose header was damaged on its way, and so name another one: that goes with R, and is known again.
#[test]
fn what_is_said_to_be_dropped_goes_with_r() {
    for comes in [true, false] {
        let mut b = on(&params("tinyd"), 1);
        b.config(RTO, 500);
        runs(&mut b, 500);
        post(&mut b, 0, 1, 4, 0);
        until_state(&mut b, 0, STOP);
        grant(&mut b, 0, 0);
        runs(&mut b, 20);
        let id = sends_two(&mut b);
        let give = |b: &mut Bench, kind: u32, seq: u32| {
            reply(b, kind, 0, id, seq, 0);
            run(b);
            run(b);
            ["st_tab_todo", "st_tab_out", "st_tab_rty"].map(|n| b.get(n, 0))
        };
        assert_eq!(give(&mut b, NACK, 1), [0b10, 0b01, 0b10]);
        if comes {
            assert_eq!(give(&mut b, ACK, 1), [0, 0b01, 0], "it had come");
            continue;
        }
        give(&mut b, GRANT, 0);
        until(&mut b, "inj_valid");
        assert_eq!(["inj_kind", "inj_seq", "inj_rty"].map(|n| b.get(n, 0)), [2, 1, 1]);
    }
}
