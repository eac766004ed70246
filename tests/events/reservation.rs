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
            "room && 33'(after) + inc < HALF;",
            "room && (FAULT || 33'(after) + inc < HALF);",
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
    known("dropped-packet-goes-unflagged", "once"),
    known("asks-before-time-is-up", "hasty"),
    known("one-lost-packet-goes-again", "priority"),
    known("late-grant-is-lost", "request"),
    known("granted-and-asks-on", "request"),
    known("begins-with-the-last-id", "packet"),
    known("no-time-out", "hang"),
    known("walks-in-unbooked", "overlap"),
    known("taken-is-forgotten", "seen"),
    known("again-has-no-answer", "seen"),
    known("unknown-is-old", "seen"),
    known("new-chunk-is-dropped", "seen"),
    known("old-res-is-granted", "seen"),
    known("answered-and-taken", "seen"),
    known("last-id-is-not-known", "known"),
    known("merged-message-ends-full", "request"),
];

/// Slips of a designer: off by one, one bit too few, a case forgotten; with DEDUP and two lanes.
const SLIPS: [Told; 33] = [
    own(
        "booked-a-cycle-short",
        [
            "reservation_schedule.sv",
            "t_d = now_i + from + NOW_W'(inc);",
            "t_d = now_i + from + NOW_W'(inc) - NOW_W'(FAULT);",
        ],
        "overlap",
    ),
    own(
        "booked-rounded-down",
        ["reservation_schedule.sv", "(SW + 17)'(17'd65535)", "(SW + 17)'(FAULT ? 17'd0 : 17'd65535)"],
        "overlap",
    ),
    own(
        "walks-in-at-full-pace",
        [
            "reservation_schedule.sv",
            "11'(walk_len_i) * 11'(rx_interval_i)",
            "11'(walk_len_i) * (FAULT ? 11'd1 : 11'(rx_interval_i))",
        ],
        "overlap",
    ),
    own(
        "walks-in-uncalled",
        ["reservation.sv", "walk_valid_i && walkin", "walk_valid_i && (walkin || FAULT)"],
        "gap",
    ),
    own(
        "answer-for-a-neighbour",
        [
            "reservation_pick.sv",
            "if (reply_i) flow_o = reply_flow_i;",
            "if (reply_i) flow_o = reply_flow_i & ~FW'(FAULT && reply_flow_i[1:0] == 2'd3);",
        ],
        "request",
    ),
    own(
        "drop-of-the-next-packet",
        [
            "reservation_step.sv",
            "op_out = was_out & ~one;",
            "op_out = was_out & ~((FAULT && nack_o) ? one << 1 : one);",
        ],
        "order",
    ),
    own(
        "answers-of-another-chunk",
        [
            "reservation_step.sv",
            "rep_id_i == was_id && !was_byp;",
            "(rep_id_i == was_id || (FAULT && rep_id_i[0] == was_id[0])) && !was_byp;",
        ],
        "order",
    ),
    own(
        "merges-with-the-head",
        ["message_queues.sv", "waiting >= (MW + 1)'(2)", "waiting >= (MW + 1)'(FAULT ? 1 : 2)"],
        "request",
    ),
    own(
        "merges-behind-a-short-packet",
        ["message_queues.sv", "tail[30:24] == 7'(MTU)", "(tail[30:24] == 7'(MTU) || FAULT)"],
        "request",
    ),
    own(
        "one-of-two-blocks-is-lost",
        [
            "reservation_schedule.sv",
            "rin_done_o <= res_pop;",
            "rin_done_o <= res_pop && !(FAULT && rin_done_o);",
        ],
        "leak",
    ),
    own(
        "granted-twice",
        [
            "reservation_schedule.sv",
            "assign res_pop = handled ||",
            "assign res_pop = (handled && !(FAULT && rin_valid_i && out_ready_i && res_id[1:0] == 2'd3)) ||",
        ],
        "reply",
    ),
    own(
        "ids-of-seven-bits",
        [
            "reservation_step.sv",
            "assign next_id = op_id + 13'(DEDUP == 0 || !op_byp);",
            "assign next_id = (op_id + 13'(DEDUP == 0 || !op_byp)) & (FAULT ? 13'h7f : 13'h1fff);",
        ],
        "request",
    ),
    own(
        "dropped-in-wait-goes",
        [
            "reservation_step.sv",
            "if (st == quell_pkg::SR_SPEC) op_st = quell_pkg::SR_STOP;",
            "if (st == quell_pkg::SR_SPEC) op_st = quell_pkg::SR_STOP;\n      if (FAULT && st == quell_pkg::SR_WAIT) op_st = quell_pkg::SR_GO;",
        ],
        "early",
    ),
    own(
        "told-by-anothers-reply",
        [
            "reservation.sv",
            ".left_i(b_q && b_flow_q == flow),",
            ".left_i(b_q && (b_flow_q == flow || (FAULT && b_flow_q[FW-2:0] == flow[FW-2:0]))),",
        ],
        "starved",
    ),
    own(
        "word-of-another-flow",
        [
            "reservation_table.sv",
            "last_flow_q == flow_o) ?",
            "(last_flow_q == flow_o || (FAULT && last_flow_q[FW-2:0] == flow_o[FW-2:0]))) ?",
        ],
        "request",
    ),
    own(
        "damaged-is-acknowledged",
        [
            "reservation_schedule.sv",
            "end_bad_i ? quell_pkg::SRP_NACK",
            "(end_bad_i && !FAULT) ? quell_pkg::SRP_NACK",
        ],
        "reply",
    ),
    own(
        "time-from-the-offer",
        [
            "reservation.sv",
            "if (res_take) b_time_q <= now_q;",
            "if (FAULT ? op[quell_pkg::SO_E] : res_take) b_time_q <= now_q;",
        ],
        "early",
    ),
    own(
        "second-grant-acts",
        [
            "reservation_step.sv",
            "granting = st == quell_pkg::SR_SPEC ||",
            "granting = st == quell_pkg::SR_SPEC || (FAULT && st == quell_pkg::SR_WAIT) ||",
        ],
        "early",
    ),
    own(
        "request-left-unnoted",
        [
            "reservation.sv",
            "if (rst_i || noted) begin",
            "if (rst_i || noted || (FAULT && b_q && rep_valid_i && post_valid_i)) begin",
        ],
        "starved",
    ),
    own(
        "speculative-alone-waits",
        [
            "reservation.sv",
            "(!inj_valid_o && !ungranted_i)",
            "(!inj_valid_o && (!ungranted_i || (FAULT && st_sp_o == '0)))",
        ],
        "room",
    ),
    own(
        "answer-is-no-progress",
        [
            "reservation_step.sv",
            "if (left_here || grant_o || ack_o ||",
            "if (left_here || grant_o || (ack_o && !FAULT) ||",
        ],
        "again",
    ),
    own(
        "granted-time-takes-all",
        ["reservation_step.sv", "open = op_out & ~op_rty;", "open = op_out & ~(FAULT ? '0 : op_rty);"],
        "again",
    ),
    own(
        "asks-again-next-time",
        [
            "reservation_step.sv",
            "? {(NMAX + 1) {1'b0}} : {op_rty, op_again}",
            "? {{NMAX {1'b0}}, FAULT && op_again} : {op_rty, op_again}",
        ],
        "request",
    ),
    own(
        "neighbour-knows-its-number",
        [
            "reservation.sv",
            "if (grant_acts) st_init_o[flow] <= 1'b0;",
            "if (grant_acts) st_init_o[flow] <= 1'b0;\n        if (grant_acts && FAULT) st_init_o[flow & ~FW'(1)] <= 1'b0;",
        ],
        "request",
    ),
    own(
        "lost-and-answered",
        [
            "reservation_step.sv",
            "(out_hit || (todo_hit && rty_hit));",
            "(out_hit || (todo_hit && rty_hit && !FAULT));",
        ],
        "again",
    ),
    own(
        "again-needs-no-answer",
        [
            "reservation_step.sv",
            "if (was_st == quell_pkg::SR_SPEC || rty_o) op_out",
            "if (was_st == quell_pkg::SR_SPEC || (rty_o && !FAULT)) op_out",
        ],
        "whole",
    ),
    own(
        "drop-of-the-first-copy",
        [
            "reservation_step.sv",
            "&& out_hit && (!rty_hit || rep_rty_i);",
            "&& out_hit && (!rty_hit || rep_rty_i || FAULT);",
        ],
        "again",
    ),
    own(
        "answer-without-r",
        ["reservation_schedule.sv", "REP_W'({end_rty_i,", "REP_W'({end_rty_i && !FAULT,"],
        "reply",
    ),
    own(
        "grant-without-i",
        ["reservation_schedule.sv", "REP_W'({res_init,", "REP_W'({res_init && !FAULT,"],
        "reply",
    ),
    own(
        "source-of-fewer-bits",
        [
            "reservation_seen.sv",
            "last_flow_q == flow_q) ?",
            "(last_flow_q == flow_q || (FAULT && last_flow_q[FW-2:0] == flow_q[FW-2:0]))) ?",
        ],
        "seen",
    ),
    own(
        "ids-of-twelve-bits-apart",
        ["reservation_seen.sv", "older = v && rel[12];", "older = v && rel[FAULT ? 11 : 12];"],
        "seen",
    ),
    own(
        "asking-forgets",
        ["reservation_seen.sv", "&& !init_q && newer;", "&& (!init_q || FAULT) && newer;"],
        "known",
    ),
    own(
        "damaged-res-is-known",
        ["reservation_seen.sv", "asks = ok_i && res_q", "asks = (ok_i || FAULT) && res_q"],
        "seen",
    ),
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

#[test]
fn slips_in_reservations_are_told() {
    are_told(UnitKind::Reservation, "twod", &SLIPS, &[]);
}
