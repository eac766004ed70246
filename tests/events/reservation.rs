//! Faults of the reservation unit that its scoreboard tells of.

use quell::params::UnitKind;

use super::{Told, are_told, keeps_the_rules, known, own};

/// Without DEDUP. (A booking that begins a cycle late is within what is sure of when a GRANT is made, until it is half the clock ahead.)
const PLAIN: [Told; 36] = [
    known("granted-times-overlap", "overlap"),
    known("pace-of-the-link-is-not-booked", "overlap"),
    known("reservations-are-lost-beside-ends", "reply"),
    known("reservations-go-before-ends", "shut"),
    known("ends-go-before-reservations", "starved"),
    known("acknowledgement-of-packet-0", "reply"),
    known("end-without-room", "dropped"),
    known("block-of-a-bad-reservation-is-lost", "leak"),
    known("reservation-of-nothing-is-granted", "reply"),
    known("full-queue-looks-free", "full"),
    known("messages-of-a-flow-are-lost", "hang"),
    known("psn-of-short-chunks", "packet"),
    known("each-chunk-ends-short", "packet"),
    known("message-never-ends", "request"),
    known("shortest-reserved-message-bypasses", "bypass"),
    known("chunk-done-without-answers", "whole"),
    known("dropped-packets-are-forgotten", "whole"),
    known("replies-in-successive-cycles-count-once", "once"),
    known("grant-before-its-request-is-noted", "spec"),
    known("asks-twice", "whole"),
    known("sent-before-its-time", "early"),
    known("round-trip-is-taken-off-twice", "early"),
    known("due-across-the-wrap", "early"),
    known("reservation-of-whole-packets", "request"),
    known("granted-marked-as-bypass", "whole"),
    known("speculative-after-its-grant", "lane"),
    known("class-of-operations-stands", "hang"),
    known("waiting-flow-stands", "hang"),
    known("granted-flow-stands", "starved"),
    known("speculative-before-granted", "priority"),
    known("speculative-without-room", "room"),
    known("packets-behind-a-speculative-one", "room"),
    own(
        "spec-after-a-nack",
        [
            "reservation_step.sv",
            "if (st == quell_pkg::SR_SPEC) op_st = quell_pkg::SR_STOP;",
            "if (st == quell_pkg::SR_SPEC && !FAULT) op_st = quell_pkg::SR_STOP;",
        ],
        "spec",
    ),
    own(
        "offer-is-withdrawn",
        [
            "reservation.sv",
            "if (rst_i || (inj_valid_o && inj_ready_i)) begin",
            "if (rst_i || (inj_valid_o && (inj_ready_i || (FAULT && st_now_o[5:0] == 6'd0)))) begin",
        ],
        "dropped",
    ),
    own(
        "another-sl",
        [
            "reservation.sv",
            "16'(flow), sl, s_lane, s_len, s_psn}",
            "16'(flow), sl ^ 4'(FAULT), s_lane, s_len, s_psn}",
        ],
        "sl",
    ),
    own(
        "grants-beyond-half-the-clock",
        [
            "reservation_schedule.sv",
            "assign due_here = due && 33'(from) + inc < HALF;",
            "assign due_here = (due || (FAULT && res_valid && legal && room)) && (FAULT || 33'(from) + inc < HALF);",
        ],
        "far",
    ),
];

/// With two lanes of data.
const LANES: [Told; 3] = [
    known("granted-lane-stands", "starved"),
    Told { seed: 2, ..known("speculative-while-the-queue-is-full", "priority") },
    own(
        "another-lane",
        [
            "reservation.sv",
            "16'(flow), sl, s_lane, s_len, s_psn}",
            "16'(flow), sl, s_lane ^ 4'(FAULT), s_len, s_psn}",
        ],
        "lane",
    ),
];

/// With DEDUP.
const LOSSES: [Told; 20] = [
    known("again-without-flag", "once"),
    known("speculative-after-a-reset", "spec"),
    known("answers-are-not-awaited", "again"),
    known("granted-time-passes", "hang"),
    known("dropped-looks-lost", "again"),
    known("asks-before-time-is-up", "hasty"),
    known("one-lost-packet-goes-again", "once"),
    known("late-grant-is-lost", "request"),
    known("granted-and-asks-on", "request"),
    known("begins-with-the-last-id", "packet"),
    known("no-time-out", "starved"),
    known("walks-in-unbooked", "overlap"),
    known("taken-is-forgotten", "seen"),
    known("again-has-no-answer", "seen"),
    known("unknown-is-old", "seen"),
    known("new-chunk-is-dropped", "seen"),
    known("old-res-is-granted", "seen"),
    known("answered-and-taken", "seen"),
    known("last-id-is-not-known", "known"),
    known("merged-message-ends-full", "bypass"),
];

#[test]
fn reservations_keep_the_rules_and_their_faults_are_told() {
    keeps_the_rules(UnitKind::Reservation, &["tiny", "two", "r64", "tinyd", "twod"], None, &PLAIN, &[]);
}

#[test]
fn faults_of_reservations_with_two_lanes_are_told() {
    are_told(UnitKind::Reservation, "two", &LANES, &[]);
}

#[test]
fn faults_of_reservations_that_end_losses_are_told() {
    are_told(UnitKind::Reservation, "tinyd", &LOSSES, &[]);
}
