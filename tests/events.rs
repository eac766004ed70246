//! `--compare events`: quell's own units keep the rules in every build that is judged, and with a fault in one its
//! scoreboard tells of it by the right name.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use quell::cosim::events::{self, settings::Settings};
use quell::cosim::report::failure_text;
use quell::cosim::{Failure, Options, Strength, run_as};
use quell::dut::{Dut, Request};
use quell::params::{Build, UnitKind};
use quell::stimulus::knobs::{Knobs, Setup};
use quell::stimulus::scenario::source;
use quell::verilated::Foreign;

use crate::broken::{Fault, copy, faults};
use crate::extent::pick;

mod reservation;

/// A fault and what must be told of it: file, what is there, what is put there; without a file it is one of `tests/broken/faults.toml`.
struct Told {
    name: &'static str,
    edit: Option<[&'static str; 3]>,
    kind: &'static str,
    /// Of the traffic.
    seed: u64,
}

const fn known(name: &'static str, kind: &'static str) -> Told {
    Told { name, edit: None, kind, seed: 1 }
}

const fn own(name: &'static str, edit: [&'static str; 3], kind: &'static str) -> Told {
    Told { name, edit: Some(edit), kind, seed: 1 }
}

/// Of a switch. (What is promised too much is refused when it comes, and so passed; of a flit that is lost FCTBS tells first.)
const SWITCH: [Told; 10] = [
    known("pair-blocks-not-returned", "leak"),
    known("pair-promises-too-much", "order"),
    known("pair-flits-not-counted", "sent"),
    known("pair-ignores-credit", "credit"),
    known("pair-lost-flit", "sent"),
    known("stop-does-not-hold", "stop"),
    known("queue-beside", "output"),
    known("pair-last-requester-waits", "hang"),
    own(
        "marks-notifications",
        ["mark_policy_ib.sv", "&& !cnp && !ack && !mcast", "&& ((!cnp && !ack && !mcast) || FAULT)"],
        "mark",
    ),
    own(
        "changes-a-flit",
        [
            "tx_framer.sv",
            "(sw_data_i | marks) : '0;",
            "(sw_data_i | marks | DW'(FAULT && !sw_first_i)) : '0;",
        ],
        "intact",
    ),
];

// Of a throttle, alone and in an adapter.
const TIMER_HALF: Told = own(
    "timer-half",
    [
        "cct_update.sv",
        "if (23'(since) >= 23'(timer_i) << j) begin",
        "if (23'(since) >= 23'(FAULT ? timer_i >> 1 : timer_i) << j) begin",
    ],
    "spacing",
);
const LANE_TIMER_STOPS: Told = own(
    "lane-timer-stops",
    ["sl_timers.sv", "if (!act_q) run_d = 1'b0;", "if (!act_q || FAULT) run_d = 1'b0;"],
    "spacing",
);
const TICK_ONE_MORE: Told = own(
    "tick-one-more",
    [
        "hca_throttle.sv",
        "      tc_d = (tc_q >= tick_last) ? '0 : tc_q + 1'b1;\n      if (tc_q >= tick_last) tick_d",
        "      tc_d = (tc_q >= tick_last + 16'(FAULT)) ? '0 : tc_q + 1'b1;\n      if (tc_q >= tick_last + 16'(FAULT)) tick_d",
    ],
    "spacing",
);

/// Of a throttle: delays and the indices that they are of.
const THROTTLE: [Told; 12] = [
    TIMER_HALF,
    own(
        "lane-timer-half",
        ["sl_timers.sv", "since >= 18'(timer_i)", "since >= 18'(FAULT ? timer_i >> 1 : timer_i)"],
        "spacing",
    ),
    LANE_TIMER_STOPS,
    Told {
        seed: 2,
        ..own(
            "lane-timer-drifts",
            [
                "sl_timers.sv",
                "t0_d = t0_q + 18'(timer_i);",
                "t0_d = FAULT ? tick_i + 18'd1 : t0_q + 18'(timer_i);",
            ],
            "spacing",
        )
    },
    own(
        "becn-after-becn-lost",
        [
            "cct_update.sv",
            "assign again = last_we_q && last_e_q == u2_e_q;",
            "assign again = last_we_q && last_e_q == u2_e_q && !FAULT;",
        ],
        "spacing",
    ),
    own(
        "limit-one-less",
        [
            "cct_update.sv",
            "ccti_new = (raised > 15'(limit_i)) ? limit_i : raised[13:0];",
            "ccti_new = (raised > 15'(limit_i)) ? limit_i - 14'(FAULT) : raised[13:0];",
        ],
        "spacing",
    ),
    TICK_ONE_MORE,
    own(
        "shift-of-one-bit",
        [
            "throttle_verdict.sv",
            ">> cct_rdata_i[15:14];",
            ">> (FAULT ? {1'b0, cct_rdata_i[14]} : cct_rdata_i[15:14]);",
        ],
        "late",
    ),
    own(
        "delay-12-less",
        ["throttle_verdict.sv", "32'(elapsed) > ird_o;", "32'(elapsed) + (FAULT ? 32'd12 : 32'd0) > ird_o;"],
        "spacing",
    ),
    // Others have offers, and so nothing hangs.
    own(
        "late-if-odd",
        [
            "throttle_verdict.sv",
            "(!sending && (!lv || late));",
            "(!sending && (!lv || (late && !(FAULT && v3_ent_i[0] && 32'(elapsed) <= ird_o + 32'd160))));",
        ],
        "late",
    ),
    own(
        "never-forgets",
        ["lti_ageing.sv", "assign forget_o = used_o", "assign forget_o = used_o && !FAULT"],
        "late",
    ),
    own(
        "serves-nobody-in-turn",
        [
            "flow_select.sv",
            "      fp_d[FW*c+:FW] = (f_q == FW'(FLOWS - 1)) ? '0 : f_q + 1'b1;\n      went_d[f_q] = 1'b1;",
            "      if (!FAULT) fp_d[FW*c+:FW] = (f_q == FW'(FLOWS - 1)) ? '0 : f_q + 1'b1;\n      went_d[f_q] = !FAULT;",
        ],
        "starved",
    ),
];

/// Of an adapter.
const ADAPTER: [Told; 18] = [
    own(
        "keeps-a-block",
        ["hca_receiver.sv", "    assign freed = pop;", "    assign freed = pop && !(FAULT && fifo_bad);"],
        "leak",
    ),
    known("pair-flits-not-counted", "sent"),
    known("pair-ignores-credit", "credit"),
    // Stopped trees that name its flows are rare.
    Told { seed: 2, ..known("stop-does-not-hold", "stop") },
    own(
        "short-delay",
        ["throttle_verdict.sv", "32'(elapsed) > ird_o;", "32'(elapsed) > (FAULT ? ird_o >> 1 : ird_o);"],
        "spacing",
    ),
    own(
        "lost-becn",
        [
            "hca_receiver.sv",
            "becn_valid_d = got_becn && flow < 16'(FLOWS);",
            "becn_valid_d = got_becn && flow < 16'(FLOWS) && !(FAULT && flow[0]);",
        ],
        "spacing",
    ),
    own(
        "skips-a-flit",
        [
            "injector.sv",
            "dma_index_d = last ? '0 : dma_index_o + 1'b1;",
            "dma_index_d = last ? '0 : dma_index_o + ((FAULT && n_q == 7'd3 && dma_index_o == '0) ? 7'd2 : 7'd1);",
        ],
        "dma",
    ),
    own(
        "another-psn",
        ["injector.sv", ".psn_i(dma_psn_o),", ".psn_i(dma_psn_o ^ 24'(FAULT && n_q == 7'd2)),"],
        "stranger",
    ),
    own(
        "lost-reply",
        [
            "reply_source.sv",
            "    assign push[v] = push_i &&",
            "    assign push[v] = push_i && !(FAULT && cnt_cnp_o[1:0] == 2'd3) &&",
        ],
        "unanswered",
    ),
    own(
        "reply-on-another-sl",
        ["hca_receiver.sv", "  assign reply_o.sl = sl;", "  assign reply_o.sl = sl ^ 4'(FAULT);"],
        "reply",
    ),
    own(
        "host-sees-another-flit",
        [
            "hca_receiver.sv",
            "      host_data_o = fifo_data;",
            "      host_data_o = fifo_data ^ DW'(FAULT && host_last_o && !host_first_o);",
        ],
        "intact",
    ),
    known("pair-promises-too-much", "overdrawn"),
    TIMER_HALF,
    LANE_TIMER_STOPS,
    own(
        "no-restart",
        [
            "cct_update.sv",
            "if (u2_becn_q ? (!run_new || restart_i)",
            "if (u2_becn_q ? (!run_new || (restart_i && !FAULT))",
        ],
        "spacing",
    ),
    Told { seed: 3, ..TICK_ONE_MORE },
    own(
        "longest-delay-halved",
        [
            "throttle_verdict.sv",
            "localparam logic [31:0] IRD_MAX = 32'd1 << (TS_W - 2);",
            "localparam logic [31:0] IRD_TOP = 32'd1 << (TS_W - 2);\n  wire [31:0] IRD_MAX = FAULT ? IRD_TOP >> 1 : IRD_TOP;",
        ],
        "spacing",
    ),
    // A queue takes a packet fewer than it may have.
    own(
        "full-one-less",
        [
            "adv_queues.sv",
            "all_d[put_flow] = PW'(tail_a + 1'b1) == head_a;",
            "all_d[put_flow] = PW'(tail_a + (FAULT ? 2'd2 : 2'd1)) == head_a;",
        ],
        "full",
    ),
];

/// Of an input port.
const INPUT: [Told; 21] = [
    own(
        "charge-stays-with-a-move",
        ["queue_fill.sv", "+ add_n - move_n", "+ add_n - (FAULT ? '0 : move_n)"],
        "fill",
    ),
    own(
        "congested-at-the-threshold",
        [
            "detect_fill.sv",
            "TW'(fill_i[q*FW +: FW]) > TW'(hth_i)",
            "TW'(fill_i[q*FW +: FW]) + TW'(FAULT) > TW'(hth_i)",
        ],
        "congested",
    ),
    own(
        "weight-0-counts",
        ["detect_fill.sv", "if (rst_i || never_i)", "if (rst_i || (never_i && !FAULT))"],
        "congested",
    ),
    own(
        "announced-again-for-nothing",
        [
            "cam_line.sv",
            "else if (serve_alloc) dirty_d = 1'b0;",
            "else if (serve_alloc && !FAULT) dirty_d = 1'b0;",
        ],
        "tree",
    ),
    own(
        "ends-in-silence",
        [
            "cam_line.sv",
            "assign freed = ends && (!ann_q || serve_i);",
            "assign freed = ends && (!ann_q || serve_i || FAULT);",
        ],
        "tree",
    ),
    own(
        "never-goes-on",
        [
            "cam_line.sv",
            "assign want_go = ann_q && !stop_req_q && sent_stop_q;",
            "assign want_go = ann_q && !stop_req_q && sent_stop_q && !FAULT;",
        ],
        "tree",
    ),
    own(
        "stops-twice",
        ["cam_line.sv", "        sent_stop_d = stop_req_q;", "        sent_stop_d = stop_req_q && !FAULT;"],
        "tree",
    ),
    own(
        "lists-another",
        [
            "cam_line.sv",
            "if (dcnt_q == DW'(d)) dlist_d[d*16 +: 16] = head_dlid_i;",
            "if (dcnt_q == DW'(d)) dlist_d[d*16 +: 16] = head_dlid_i ^ 16'(FAULT);",
        ],
        "tree",
    ),
    own(
        "one-hop-too-many",
        [
            "cam_line.sv",
            "hops_d = take_hot_i ? prop_hops_i :",
            "hops_d = take_hot_i ? prop_hops_i + 6'(FAULT) :",
        ],
        "tree",
    ),
    own(
        "allocates-without-isolation",
        ["cam_lines.sv", "assign can_alloc_o = iso_en_i &&", "assign can_alloc_o = (iso_en_i || FAULT) &&"],
        "tree",
    ),
    own(
        "two-roots-of-a-queue",
        [
            "cam_lines.sv",
            ": cong_i & head_any_i & ~has_root &",
            ": cong_i & head_any_i & (FAULT ? '1 : ~has_root) &",
        ],
        "tree",
    ),
    own(
        "root-ends-early",
        [
            "cam_line.sv",
            "assign expired = timer_q >= limit_i;",
            "assign expired = timer_q >= (FAULT ? limit_i >> 1 : limit_i);",
        ],
        "tree",
    ),
    own(
        "root-does-not-end",
        ["cam_line.sv", "if ((is_root && cong_i) ||", "if ((is_root && (cong_i || FAULT)) ||"],
        "tree",
    ),
    own(
        "notification-from-a-hot-queue",
        [
            "request_select.sv",
            "assign hot_o[q] = valid && !pick[0];",
            "assign hot_o[q] = valid && (!pick[0] || (FAULT && head_cnp_i[q]));",
        ],
        "request",
    ),
    own(
        "never-refreshed",
        [
            "cam_lines.sv",
            "assign refresh = refresh_i != '0 &&",
            "assign refresh = refresh_i != '0 && !FAULT &&",
        ],
        "tree",
    ),
    own(
        "announced-before-it-stops",
        [
            "cam_line.sv",
            "assign want_alloc = (is_root || is_hot) && reached_q &&",
            "assign want_alloc = (is_root || is_hot) && (reached_q || FAULT) &&",
        ],
        "tree",
    ),
    own(
        "root-of-no-switch",
        [
            "cam_lines.sv",
            ".take_root_id_i({switch_id_i, 8'(root_out)}),",
            ".take_root_id_i({FAULT ? 16'd0 : switch_id_i, 8'(root_out)}),",
        ],
        "tree",
    ),
    own(
        "starts-too-early",
        [
            "rx_framer.sv",
            "assign open_start_o = rest_time <= read_time;",
            "assign open_start_o = rest_time <= read_time || FAULT;",
        ],
        "early",
    ),
    own(
        "two-reads-free-one",
        ["credit_receiver.sv", "reads = reads + 1'b1;", "reads = FAULT ? CW'(1) : reads + 1'b1;"],
        "leak",
    ),
    own(
        "full-when-it-is-not",
        [
            "accept_policy_credit.sv",
            "assign take_o = XW'(head_i.n) <= XW'(room);",
            "assign take_o = XW'(head_i.n) + XW'(FAULT) <= XW'(room);",
        ],
        "overdrawn",
    ),
    own(
        "asks-for-another-length",
        [
            "request_select.sv",
            "n_o[q*7 +: 7] = hot_n_i[h*7 +: 7];",
            "n_o[q*7 +: 7] = FAULT ? head_n_i[q*7 +: 7] : hot_n_i[h*7 +: 7];",
        ],
        "request",
    ),
];

/// Of one that nobody stops, with many notifications.
const TURNS: [Told; 2] = [
    own(
        "hot-queues-never-due",
        [
            "request_select.sv",
            "assign hot_due = by_q == BY_MAX && hot_any;",
            "assign hot_due = by_q == BY_MAX && hot_any && !FAULT;",
        ],
        "starved",
    ),
    own(
        "lowest-queue-first",
        [
            "request_select.sv",
            "assign pick = cold_now ? (HPQS + 1)'(1) : rr_pick;",
            "assign pick = cold_now ? (HPQS + 1)'(1) : FAULT ? pool & (~pool + 1'b1) : rr_pick;",
        ],
        "starved",
    ),
];

/// Of an output port.
const OUTPUT: [Told; 26] = [
    known("credits-by-own-length", "starved"),
    known("stop-does-not-hold", "stop"),
    known("notifications-starve-data", "starved"),
    known("one-ring-over-inputs-and-lanes", "starved"),
    known("one-lookup-makes-a-root", "congested"),
    Told { seed: 10, ..known("held-by-the-wrong-line", "held") },
    Told { seed: 2, ..known("notifications-of-an-input-wait", "priority") },
    known("closing-never-ends", "line"),
    Told { seed: 2, ..known("output-lines-outlive-the-link", "prop") },
    known("silent-line-stays", "line"),
    known("line-timer-of-the-output-wraps", "line"),
    known("lane-pointer-of-data-stands", "starved"),
    known("pair-ignores-credit", "credit"),
    known("pair-lost-flit", "sent"),
    known("pair-flits-not-counted", "sent"),
    own(
        "reads-too-often",
        [
            "switch_output_port.sv",
            "    assign rd_en_o = phase_q == '0;",
            "    assign rd_en_o = phase_q == '0 || FAULT;",
        ],
        "pace",
    ),
    own(
        "grants-into-a-packet",
        ["switch_output_port.sv", "|| ((|xb_end_i) && rd_en_o);", "|| ((|xb_end_i) && (rd_en_o || FAULT));"],
        "busy",
    ),
    own(
        "changes-a-flit",
        [
            "tx_framer.sv",
            "(sw_data_i | marks) : '0;",
            "(sw_data_i | marks | DW'(FAULT && !sw_first_i)) : '0;",
        ],
        "intact",
    ),
    own(
        "marks-without-congestion",
        [
            "mark_policy_ib.sv",
            "(vl_i & cong_state_i) != '0 && bth",
            "((vl_i & cong_state_i) != '0 || FAULT) && bth",
        ],
        "mark",
    ),
    own(
        "never-counts-up-to-a-mark",
        [
            "mark_policy_ib.sv",
            "default: mark_o = eligible && count_hit;",
            "default: mark_o = eligible && count_hit && !FAULT;",
        ],
        "mark",
    ),
    own(
        "tells-of-too-many-hops",
        [
            "switch_output_port.sv",
            "hit_hops : hit_hops + 1'b1;",
            "hit_hops : hit_hops + (FAULT ? 6'd2 : 6'd1);",
        ],
        "prop",
    ),
    Told { seed: 3, ..known("notification-pointer-stands", "starved") },
    own(
        "tells-of-a-tree-that-has-ended",
        [
            "grant_arbiter.sv",
            "tells = matched && (hit_i & closing_i) == '0;",
            "tells = matched && ((hit_i & closing_i) == '0 || FAULT);",
        ],
        "prop",
    ),
    known("line-reused-at-once", "line"),
    Told {
        seed: 2,
        ..own(
            "a-sum-counts-before-it-is-looked-at",
            ["congestion_state.sv", "if (!sum_mode) hs_d = 1'b0;", "if (!sum_mode && !FAULT) hs_d = 1'b0;"],
            "congested",
        )
    },
    own(
        "never-marks-by-chance",
        [
            "mark_policy_ib.sv",
            "random_hit = product < 33'd65536;",
            "random_hit = product < 33'd65536 && !FAULT;",
        ],
        "mark",
    ),
];

/// Of an adapter of a wormhole network.
const WORM_ADAPTER: [Told; 26] = [
    known("worm-adapter-books-no-less", "open"),
    known("worm-adapter-takes-one-too-many", "quota"),
    known("worm-adapter-forgets-what-left", "post"),
    known("worm-adapter-tells-another", "done"),
    known("worm-adapter-sum-keeps-rejected", "open"),
    known("worm-adapter-opens-beyond-the-sum", "sum"),
    known("worm-adapter-credit-lost", "post"),
    known("worm-adapter-completes-twice", "complete"),
    known("worm-adapter-completes-as-another", "complete"),
    known("worm-adapter-order-of-a-stream", "complete"),
    known("worm-adapter-moves-the-word-before", "intact"),
    known("worm-adapter-length-of-the-stream", "stranger"),
    known("worm-adapter-sends-without-credit", "credit"),
    known("worm-adapter-reply-keeps-its-credit", "leak"),
    known("worm-adapter-reply-gives-two", "overdrawn"),
    known("adapter-open-is-never-answered", "done"),
    own(
        "gap-too-short",
        ["worm_conns.sv", "gap_o <= probe_gap_i;", "gap_o <= FAULT ? probe_gap_i >> 1 : probe_gap_i;"],
        "gap",
    ),
    own(
        "what-is-held-leaves",
        [
            "worm_sender.sv",
            "&& !(be_front_o[v] && be_hold_i[v])",
            "&& !(be_front_o[v] && be_hold_i[v] && !FAULT)",
        ],
        "held",
    ),
    own(
        "a-lane-stops-inside",
        [
            "worm_sender.sv",
            "assign any[v] = level_q != '0;",
            "assign any[v] = level_q != '0 && !(FAULT && inside_o[v] && 32'(level_q) == 1);",
        ],
        "hang",
    ),
    own(
        "the-host-sees-what-is-not-its-own",
        [
            "worm_receive.sv",
            "assign skip = header ? not_ours ||",
            "assign skip = header ? (not_ours && !FAULT) ||",
        ],
        "host",
    ),
    own(
        "a-cut-is-not-told",
        [
            "worm_receive.sv",
            "dlv_cut_o <= (rst_i || !link_down_o)",
            "dlv_cut_o <= (rst_i || !link_down_o || FAULT)",
        ],
        "cut",
    ),
    own(
        "given-up-without-a-loss",
        [
            "worm_conns.sv",
            "admit_en_i && lost_i && o_bw_q == '0;",
            "admit_en_i && (lost_i || FAULT) && o_bw_q == '0;",
        ],
        "open",
    ),
    own(
        "answer-to-another-probe",
        ["worm_conns.sv", "&& reply_seq_i == now.seq;", "&& (reply_seq_i == now.seq || FAULT);"],
        "event",
    ),
    own(
        "rejected-further-on-is-at-once-idle",
        [
            "worm_conns.sv",
            "(rejects && here) || release_leaves || gives_up)",
            "(rejects && (here || FAULT)) || (release_leaves && !FAULT) || gives_up)",
        ],
        "event",
    ),
    own(
        "reply-beside-a-turn-is-lost",
        [
            "worm_receive.sv",
            "assign kept = answer && !full;",
            "assign kept = answer && !full && !(FAULT && reply_taken_i);",
        ],
        "event",
    ),
    own(
        "message-goes-on-behind-the-fall",
        [
            "worm_receive.sv",
            "if (rst_i || !link_up_i) open_o <= '0;",
            "if (rst_i || (!link_up_i && !FAULT)) open_o <= '0;",
        ],
        "cut",
    ),
];

/// Of what holds its best-effort messages back.
const INJECTION: [Told; 17] = [
    known("injection-holds-all-lanes", "class"),
    known("injection-holds-for-ever", "overdue"),
    known("injection-without-a-scheme", "scheme"),
    known("alo-without-its-second-clause", "refused"),
    known("alo-lane-that-never-learns", "refused"),
    known("side-band-flits-told-twice", "give"),
    known("side-band-asks-in-vain", "give"),
    known("side-band-counts-what-is-held", "give"),
    known("selftune-holds-in-silence", "refused"),
    known("selftune-holds-at-the-threshold", "refused"),
    known("selftune-without-an-upper-end", "passed"),
    own(
        "alo-lets-all-go",
        [
            "injection_control.sv",
            "assign stop = (alo && !may[v])",
            "assign stop = (alo && !may[v] && !FAULT)",
        ],
        "passed",
    ),
    own(
        "self-tuned-lets-all-go",
        ["selftune.sv", "      throttle_o <= above;", "      throttle_o <= above && !FAULT;"],
        "passed",
    ),
    Told {
        seed: 3,
        ..own(
            "alo-with-another-header-s-outputs",
            [
                "useful_outputs.sv",
                "have_o[v] && dlid_q == dlid_i[16*v+:16];",
                "have_o[v] && (FAULT || dlid_q == dlid_i[16*v+:16]);",
            ],
            "refused",
        )
    },
    Told {
        seed: 3,
        ..own(
            "alo-with-outputs-of-before-the-write",
            ["useful_outputs.sv", "if (rst_i || write ||", "if (rst_i || (write && !FAULT) ||"],
            "refused",
        )
    },
    Told {
        seed: 2,
        ..own(
            "held-for-all-headers-together",
            [
                "injection_control.sv",
                "|| !be_front_i[v] || leaves)",
                "|| !be_front_i[v] || (leaves && !FAULT))",
            ],
            "passed",
        )
    },
    own(
        "side-band-loses-the-flit-beside",
        [
            "injection_control.sv",
            "give_flits_o <= gather_i ? flits :",
            "give_flits_o <= gather_i ? (FAULT ? st_flits_o : flits) :",
        ],
        "give",
    ),
];

/// Of a source response.
const RESPONSE: [Told; 19] = [
    known("window-one-too-wide", "window"),
    known("packet-behind-a-packet-is-not-counted", "window"),
    known("slot-waits-from-the-packet", "spacing"),
    known("post-forgets-while-packets-are-out", "window"),
    known("delay-without-the-length", "spacing"),
    known("lost-acks-are-never-given-up", "hang"),
    known("warm-ack-closes-the-window", "hang"),
    known("walk-does-not-free", "hang"),
    known("walk-over-windows-stands", "hang"),
    known("closed-windows-are-visited", "hang"),
    known("open-flow-is-passed", "starved"),
    known("open-flow-yields-to-nobody", "hang"),
    known("ageing-stands-beside-packets", "hang"),
    own(
        "ack-beside-an-acceptance-is-lost",
        [
            "response_update.sv",
            "assign ack = ready_i && ack_valid_i &&",
            "assign ack = ready_i && ack_valid_i && !(FAULT && accept_i) &&",
        ],
        "window",
    ),
    own(
        "invalid-ack-returns-nothing",
        [
            "response_update.sv",
            "assign counts = u2_valid_q && u2_ack_q &&",
            "assign counts = u2_valid_q && u2_ack_q && !(FAULT && sev == 2'd3 && enable_i) &&",
        ],
        "hang",
    ),
    own(
        "ack-is-forgotten-early",
        ["response_update.sv", "since > AGE_MAX;", "since > (FAULT ? AGE_MAX >> 1 : AGE_MAX);"],
        "spacing",
    ),
    own(
        "lowered-window-does-not-hold",
        ["response_values.sv", "win_i < win_max_i) win_o", "(FAULT || win_i < win_max_i)) win_o"],
        "window",
    ),
    own(
        "host-faster-than-the-link",
        ["sent_packet.sv", "lti_o = now_i + left_q;", "lti_o = now_i + (FAULT ? '0 : left_q);"],
        "spacing",
    ),
    own(
        "given-up-early",
        ["lti_ageing.sv", "elapsed > AGE_MAX;", "elapsed > (FAULT ? AGE_MAX - (AGE_MAX >> 3) : AGE_MAX);"],
        "window",
    ),
];

/// Of a wormhole router.
const WORM_ROUTER: [Told; 8] = [
    own(
        "keeps-a-credit",
        [
            "worm_input.sv",
            "credit_o <= pulse;",
            "credit_o <= pulse & {VLS{!(FAULT && rx_valid_i && rx_last_i && rx_bad_i)}};",
        ],
        "leak",
    ),
    own(
        "credit-for-nothing",
        ["worm_input.sv", "pop[v] || due != '0;", "pop[v] || due != '0 || (FAULT && head_q[v]);"],
        "overdrawn",
    ),
    own(
        "sends-without-credit",
        ["worm_output.sv", "link_up_i && cr_q != '0;", "link_up_i && (cr_q != '0 || FAULT);"],
        "credit",
    ),
    own(
        "loses-a-credit",
        [
            "worm_output.sv",
            "&& rx_credit_i[u] && !home[u]);",
            "&& rx_credit_i[u] && !home[u] && !(FAULT && vl_i[u]));",
        ],
        "stuck",
    ),
    own(
        "another-lane",
        ["worm_output.sv", "vl_q <= rst_i ? '0 : vl;", "vl_q <= rst_i ? '0 : vl ^ 4'(FAULT);"],
        "lane",
    ),
    own(
        "changes-a-flit",
        [
            "worm_output.sv",
            "tx_data_o} <= word;",
            "tx_data_o} <= word ^ 131'(FAULT && from_q != '0 && !word[130]);",
        ],
        "intact",
    ),
    own(
        "tail-is-not-bad",
        ["worm_input.sv", "made_q || word[128]", "(made_q && !FAULT) || word[128]"],
        "cut",
    ),
    own(
        "another-route",
        [
            "worm_input.sv",
            "assign entry = {none, route[OW-1:0]};",
            "assign entry = {none, route[OW-1:0] & ~OW'(FAULT)};",
        ],
        "output",
    ),
];

/// Of one whose lanes are alone at their inputs or outputs often enough to judge whose turn it is.
const LANES: [Told; 3] = [
    own(
        "keeps-its-turn",
        [
            "wrr_order.sv",
            "assign ends[v] = go_i[v] && left_q <= 8'd1;",
            "assign ends[v] = go_i[v] && left_q <= 8'd1 && !(FAULT && v == 0);",
        ],
        "share",
    ),
    Told {
        seed: 2,
        ..own(
            "best-effort-first",
            [
                "worm_take.sv",
                "else if (rt != '0) vl_o = rt_first;",
                "else if (rt != '0 && !(FAULT && be != '0)) vl_o = rt_first;",
            ],
            "priority",
        )
    },
    Told {
        seed: 3,
        ..own(
            "guard-is-never-due",
            ["worm_guard.sv", "&& count_o >= limit_i;", "&& count_o >= limit_i && !FAULT;"],
            "guard",
        )
    },
];

/// Of an input port that tells of fills, marks and ages.
const INPUT_MARKS: [Told; 16] = [
    known("hovering-fills", "full"),
    known("full-is-a-level", "full"),
    known("fill-tells-all-outputs", "full"),
    known("naive-marks-one-more", "mark"),
    known("naive-counts-notifications", "full"),
    known("mark-stays-with-engine", "mark"),
    known("does-not-count-itself", "mark"),
    known("mb-in-acks", "stranger"),
    known("age-of-the-shown-only", "age"),
    known("ages-wrap", "age"),
    known("limit-holds-the-oldest", "hang"),
    own(
        "never-told",
        [
            "fill_event.sv",
            "accept_i && accept_markable_i &&",
            "accept_i && accept_markable_i && !(FAULT && waiting_q == CW'(3)) &&",
        ],
        "enter",
    ),
    own(
        "marks-for-what-is-not-told",
        [
            "fill_event.sv",
            "    full_evt_o <= full_evt_d;",
            "    full_evt_o <= full_evt_d & ~PV'(FAULT ? 2 : 0);",
        ],
        "mark",
    ),
    own(
        "one-more-passes",
        [
            "bypass_limit.sv",
            "assign spent = limit_i != '0 && bypass_q >= limit_i;",
            "assign spent = limit_i != '0 && bypass_q >= limit_i && !FAULT;",
        ],
        "passed",
    ),
    own(
        "never-marks",
        ["fill_event.sv", "assign mark_o[q] = naive_i &&", "assign mark_o[q] = naive_i && !FAULT &&"],
        "mark",
    ),
    own(
        "two-reads-count-one",
        ["credit_receiver.sv", "reads = reads + 1'b1;", "reads = FAULT ? CW'(1) : reads + 1'b1;"],
        "full",
    ),
];

/// Of an output port that marks by counts and grants by age.
const OUTPUT_MARKS: [Told; 13] = [
    known("copy-of-the-old-count", "mark"),
    known("trigger-adds", "mark"),
    known("threshold-by-edge", "mark"),
    known("vb-without-mb", "mark"),
    known("vb-in-notifications", "mark"),
    known("youngest-first", "age"),
    known("aged-in-fixed-order", "starved"),
    known("dropped-stay-counted", "mark"),
    known("unmarkable-leaves", "mark"),
    known("one-enters-a-cycle", "mark"),
    known("fill-marks-one-less", "mark"),
    own(
        "marks-are-not-asked-for",
        [
            "marking_unit.sv",
            "(mark_i || (vl_i & vl_marks) != '0);",
            "((mark_i && !FAULT) || (vl_i & vl_marks) != '0);",
        ],
        "mark",
    ),
    own(
        "saturated-later",
        ["marking_unit.sv", "SUM_W'(vb_th_i);", "SUM_W'(vb_th_i) + SUM_W'(FAULT ? 4 : 0);"],
        "mark",
    ),
];

/// Of a switch with both.
const SWITCH_MARKS: [Told; 8] = [
    known("does-not-count-itself", "mark"),
    known("mb-in-acks", "stranger"),
    known("vb-without-mb", "mark"),
    known("vb-in-notifications", "mark"),
    known("limit-holds-the-oldest", "hang"),
    known("pair-flits-not-counted", "sent"),
    known("queue-beside", "output"),
    known("pair-ignores-credit", "credit"),
];

/// Of an output port with a control lane.
const OUTPUT_CONTROL: [Told; 5] = [
    known("control-by-kind", "priority"),
    known("control-has-a-root-test", "congested"),
    known("control-stops-data", "starved"),
    known("control-takes-data-credit", "credit"),
    known("control-withheld", "priority"),
];

/// Of a switch with one.
const SWITCH_CONTROL: [Told; 5] = [
    known("control-takes-anything", "stranger"),
    known("control-takes-long-replies", "stranger"),
    known("pair-last-requester-waits", "hang"),
    known("control-takes-data-credit", "credit"),
    known("queue-beside", "output"),
];

/// Of ways up, in an input port, whose fills tell first where packets wait.
const INPUT_UP: [Told; 6] = [
    known("up-port-beside", "fill"),
    known("no-up-port-is-output-0", "fill"),
    known("own-route-drawn", "fill"),
    known("queue-beside", "fill"),
    known("low-up-ports-preferred", "draw"),
    known("one-up-port-for-all", "draw"),
];

/// And in a switch.
const SWITCH_UP: [Told; 5] = [
    known("up-port-beside", "output"),
    known("no-up-port-is-output-0", "output"),
    known("own-route-drawn", "output"),
    known("queue-beside", "output"),
    known("one-up-port-for-all", "draw"),
];

/// Of an adapter with a control lane.
const ADAPTER_CONTROL: [Told; 6] = [
    known("answers-where-it-came", "reply"),
    known("data-on-every-lane", "stranger"),
    known("adapter-takes-anything", "host"),
    known("pair-flits-not-counted", "sent"),
    known("pair-ignores-credit", "credit"),
    own(
        "lost-becn",
        [
            "hca_receiver.sv",
            "becn_valid_d = got_becn && flow < 16'(FLOWS);",
            "becn_valid_d = got_becn && flow < 16'(FLOWS) && !(FAULT && flow[0]);",
        ],
        "spacing",
    ),
];

/// Of an adapter with windows.
const ADAPTER_RESPONSE: [Told; 11] = [
    own(
        "one-more-outstanding",
        [
            "response_verdict.sv",
            "9'(taken - v3_acked_q) < 9'(win_now);",
            "9'(taken - v3_acked_q) < 9'(win_now) + 9'(FAULT);",
        ],
        "window",
    ),
    own(
        "keeps-a-block",
        ["hca_receiver.sv", "    assign freed = pop;", "    assign freed = pop && !(FAULT && fifo_bad);"],
        "leak",
    ),
    known("pair-flits-not-counted", "sent"),
    known("pair-ignores-credit", "credit"),
    Told { seed: 2, ..known("stop-does-not-hold", "stop") },
    known("pair-promises-too-much", "overdrawn"),
    own(
        "another-psn",
        ["injector.sv", ".psn_i(dma_psn_o),", ".psn_i(dma_psn_o ^ 24'(FAULT && n_q == 7'd2)),"],
        "stranger",
    ),
    own(
        "reply-on-another-sl",
        ["hca_receiver.sv", "  assign reply_o.sl = sl;", "  assign reply_o.sl = sl ^ 4'(FAULT);"],
        "reply",
    ),
    own(
        "host-sees-another-flit",
        [
            "hca_receiver.sv",
            "      host_data_o = fifo_data;",
            "      host_data_o = fifo_data ^ DW'(FAULT && host_last_o && !host_first_o);",
        ],
        "intact",
    ),
    own(
        "full-one-less",
        [
            "adv_queues.sv",
            "all_d[put_flow] = PW'(tail_a + 1'b1) == head_a;",
            "all_d[put_flow] = PW'(tail_a + (FAULT ? 2'd2 : 2'd1)) == head_a;",
        ],
        "full",
    ),
    known("damaged-data-is-not-acknowledged", "unanswered"),
];

/// Of a switch with queues behind its crossbar.
const SWITCH_QUEUES: [Told; 6] = [
    known("queue-not-given-back", "hang"),
    known("link-without-credits", "credit"),
    known("newest-flit-is-the-head", "stranger"),
    known("queue-beside", "output"),
    known("pair-flits-not-counted", "sent"),
    known("queue-keeps-dead-link", "framing"),
];

/// Of one with one queue and one read port at each input.
const SWITCH_ONE: [Told; 4] = [
    known("last-requester-waits-in-one-queue", "hang"),
    known("pair-ignores-credit", "credit"),
    known("pair-flits-not-counted", "sent"),
    known("queue-beside", "output"),
];

/// Of an input port before such queues.
const INPUT_QUEUES: [Told; 5] = [
    known("fast-too-soon", "pace"),
    known("queue-beside", "enter"),
    own(
        "always-at-the-links-pace",
        [
            "switch_input_port.sv",
            "  assign xb_slow_o = st_slow_o;",
            "  assign xb_slow_o = st_slow_o | {PORTS{FAULT}};",
        ],
        "pace",
    ),
    own(
        "full-when-it-is-not",
        [
            "accept_policy_credit.sv",
            "assign take_o = XW'(head_i.n) <= XW'(room);",
            "assign take_o = XW'(head_i.n) + XW'(FAULT) <= XW'(room);",
        ],
        "enter",
    ),
    known("pair-promises-too-much", "overdrawn"),
];

/// Of one with one queue.
const INPUT_ONE: [Told; 6] = [
    known("queue-beside", "output"),
    known("pair-promises-too-much", "overdrawn"),
    own(
        "never-goes-on",
        [
            "cam_line.sv",
            "assign want_go = ann_q && !stop_req_q && sent_stop_q;",
            "assign want_go = ann_q && !stop_req_q && sent_stop_q && !FAULT;",
        ],
        "tree",
    ),
    own(
        "stops-twice",
        ["cam_line.sv", "        sent_stop_d = stop_req_q;", "        sent_stop_d = stop_req_q && !FAULT;"],
        "tree",
    ),
    own(
        "root-of-no-switch",
        [
            "cam_lines.sv",
            ".take_root_id_i({switch_id_i, 8'(root_out)}),",
            ".take_root_id_i({FAULT ? 16'd0 : switch_id_i, 8'(root_out)}),",
        ],
        "tree",
    ),
    own(
        "starts-too-early",
        [
            "rx_framer.sv",
            "assign open_start_o = rest_time <= read_time;",
            "assign open_start_o = rest_time <= read_time || FAULT;",
        ],
        "early",
    ),
];

fn quell(unit: &str, args: &[&str]) -> (Option<i32>, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_quell"))
        .args(["cosim", unit, "--compare", "events"])
        .args(args)
        .env("QUELL_ROOT", env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("quell runs");
    let text = [out.stdout, out.stderr].map(|o| String::from_utf8_lossy(&o).into_owned()).concat();
    (out.status.code(), text)
}

/// A copy of the RTL with faults numbered from 1 on, and the file with the number of the one that is on: one model serves all.
fn with_faults(name: &str, all: &[Told]) -> (PathBuf, PathBuf) {
    let listed = faults();
    let find =
        |name: &str| listed.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no fault {name}"));
    let made = |t: &Told| t.edit.map(|[file, find, put]| Fault::edit_of(t.name, file, find, put));
    let own: Vec<Option<Fault>> = all.iter().map(made).collect();
    let told = all.iter().zip(&own).map(|(t, own)| own.as_ref().unwrap_or_else(|| find(t.name)));
    let numbered: Vec<(usize, &Fault)> = (1..).zip(told).collect();
    let rtl = copy(&format!("events-{name}"), &numbered);
    let on = rtl.join("on.txt");
    let package = rtl.join("quell_pkg.sv");
    let text = std::fs::read_to_string(&package).expect("readable");
    let by_file = text
        .replace("int n;\n", "int n, file;\n")
        .replace(
            "if ($value$plusargs(\"fault=%d\", n) == 0) n = 0;",
            &format!(
                "file = $fopen(\"{}\", \"r\");\n    if (file == 0 || $fscanf(file, \"%d\", n) != 1) n = 0;\n    $fclose(file);",
                on.display()
            ),
        );
    assert!(by_file.contains("$fscanf") && by_file.contains("n, file"), "{by_file}");
    std::fs::write(&package, by_file).expect("written");
    (rtl, on)
}

/// Builds of a unit, one that is not judged and why (if there is one), and the faults that are told in its build tiny.
fn keeps_the_rules(
    unit: UnitKind,
    builds: &[&str],
    not: Option<(&str, &str)>,
    all: &[Told],
    knobs: &[(&str, f64)],
) {
    let name = unit.cli_name();
    let set: Vec<String> = knobs.iter().map(|(name, value)| format!("--knob={name}={value}")).collect();
    for build in builds {
        // Indices are left alone beyond 100 000 cycles.
        let steady = matches!(unit, UnitKind::Hca | UnitKind::HcaThrottle);
        let cycles = pick(if steady { "200000" } else { "60000" }, "1000000");
        let mut args = vec!["--build", build, "--cycles", cycles];
        args.extend(set.iter().map(String::as_str));
        let (status, text) = quell(name, &args);
        assert!(status == Some(0) && text.contains("no rule broken (random traffic)"), "{build}: {text}");
    }
    if let Some((build, why)) = not {
        let (status, text) = quell(name, &["--build", build]);
        assert!(status == Some(2) && text.contains(why), "{text}");
    }
    are_told(unit, "tiny", all, knobs);
}

/// The faults that are told in a build.
fn are_told(unit: UnitKind, build: &str, all: &[Told], knobs: &[(&str, f64)]) {
    let (rtl, on) = with_faults(&format!("{}-{build}", unit.cli_name()), all);
    let build = Build::named(unit, Some(build)).expect("a build");
    let request = Request { path: &rtl, top: unit.module(), map: None, state: false };
    let dut = Dut::new(&build, &request).unwrap_or_else(|e| panic!("{e:#}"));
    let foreign = Foreign::load(&dut).unwrap_or_else(|e| panic!("{e:#}"));
    let tolerances = Settings::new(events::tolerances(&build).expect("it is judged"));
    let mut drawn = Knobs::default();
    knobs.iter().for_each(|(name, value)| drawn.set(name, *value).expect("a knob"));
    let run = |number: usize, cycles: u64, seed: u64| {
        std::fs::write(&on, number.to_string()).expect("written");
        let mut traffic = source(&build, None, &drawn, &Setup::default(), seed).expect("a stimulus");
        let options = Options { cycles, seed, pipeline: false, ..Options::default() };
        let strength = Strength::Events(tolerances.clone());
        run_as(&build, &|seed| foreign.model(seed), None, &strength, &mut *traffic, &options)
    };
    if let Err(e) = run(0, pick(40_000, 300_000), 1) {
        panic!("without a fault: {}", failure_text(&e, ""));
    }
    let mut wrong = Vec::new();
    for (number, Told { name, kind, seed, .. }) in (1..).zip(all) {
        // Random traffic need not meet it with the first seed, and a fault that has several effects may be told by another one first.
        let seeds = std::iter::once(*seed).chain((1..=8).filter(|s| s != seed));
        let mut runs = seeds.map(|s| match run(number, 300_000, s) {
            Err(Failure::Broken(b)) => {
                println!("{name}: ({}) in cycle {} of seed {s}: {}", b.kind, b.cycle, b.text);
                b.kind.to_string()
            }
            Err(e) => failure_text(&e, ""),
            Ok(_) => "nothing".into(),
        });
        let mut others = BTreeSet::new();
        let told = runs.any(|told| {
            let right = told == *kind;
            others.insert(told);
            right
        });
        if !told {
            wrong.push(format!("{name}: not {kind}, but {others:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_switch_keeps_the_rules_and_its_faults_are_told() {
    let not = ("spectiny", "a switch with SRP = 1 has no scoreboard of events");
    let builds = ["tiny", "net", "santiny", "marktiny", "ctltiny", "uptiny", "tinyq", "cqtiny"];
    keeps_the_rules(UnitKind::Switch, &builds, Some(not), &SWITCH, &[]);
    are_told(UnitKind::Switch, "santiny", &SWITCH_MARKS, &[]);
    are_told(UnitKind::Switch, "ctltiny", &SWITCH_CONTROL, &[]);
    are_told(UnitKind::Switch, "uptiny", &SWITCH_UP, &[]);
    are_told(UnitKind::Switch, "cqtiny", &SWITCH_QUEUES, &[]);
    are_told(UnitKind::Switch, "tinyq", &SWITCH_ONE, &[]);
}

#[test]
fn a_throttle_keeps_the_rules_and_its_faults_are_told() {
    keeps_the_rules(UnitKind::HcaThrottle, &["tiny", "net"], None, &THROTTLE, &[]);
}

#[test]
fn an_adapter_keeps_the_rules_and_its_faults_are_told() {
    let not = ("srptiny", "an hca with SRP = 1 has no scoreboard of events");
    let builds = ["tiny", "net8", "ctltiny", "rtiny", "rnet8", "rctltiny"];
    keeps_the_rules(UnitKind::Hca, &builds, Some(not), &ADAPTER, &[]);
    are_told(UnitKind::Hca, "ctltiny", &ADAPTER_CONTROL, &[]);
    are_told(UnitKind::Hca, "rtiny", &ADAPTER_RESPONSE, &[]);
}

#[test]
fn an_input_port_keeps_the_rules_and_its_faults_are_told() {
    let not = ("spectiny", "an input-port with SRP = 1 has no scoreboard of events");
    let builds = ["tiny", "net", "p4v2", "santiny", "marktiny", "uptiny", "nfq", "oneq", "cqtiny"];
    keeps_the_rules(UnitKind::InputPort, &builds, Some(not), &INPUT, &[]);
    are_told(UnitKind::InputPort, "santiny", &INPUT_MARKS, &[]);
    are_told(UnitKind::InputPort, "uptiny", &INPUT_UP, &[]);
    are_told(UnitKind::InputPort, "cqtiny", &INPUT_QUEUES, &[]);
    are_told(UnitKind::InputPort, "nfq", &INPUT_ONE, &[]);
    let busy = [
        ("load", 1.0),
        ("short_share", 1.0),
        ("cnp_share", 0.5),
        ("stop_go_rate", 0.0),
        ("credit_starvation", 0.0),
    ];
    are_told(UnitKind::InputPort, "p4v2", &TURNS, &busy);
}

#[test]
fn an_output_port_keeps_the_rules_and_its_faults_are_told() {
    let not = ("nfq", "an output-port with ONE_QUEUE = 1 has no scoreboard of events");
    // By itself its link does not fall.
    let knobs = [("link_falls", 0.0005)];
    let builds = ["tiny", "net", "santiny", "marktiny", "marknet", "ctltiny"];
    keeps_the_rules(UnitKind::OutputPort, &builds, Some(not), &OUTPUT, &knobs);
    are_told(UnitKind::OutputPort, "santiny", &OUTPUT_MARKS, &knobs);
    are_told(UnitKind::OutputPort, "ctltiny", &OUTPUT_CONTROL, &knobs);
}

#[test]
fn a_wormhole_adapter_keeps_the_rules_and_its_faults_are_told() {
    keeps_the_rules(UnitKind::WormAdapter, &["tiny", "odd"], None, &WORM_ADAPTER, &[]);
}

#[test]
fn an_injection_control_keeps_the_rules_and_its_faults_are_told() {
    keeps_the_rules(UnitKind::InjectionControl, &["tiny", "mesh"], None, &INJECTION, &[]);
}

#[test]
fn a_source_response_keeps_the_rules_and_its_faults_are_told() {
    keeps_the_rules(UnitKind::SourceResponse, &["tiny", "r64"], None, &RESPONSE, &[]);
}

#[test]
fn a_wormhole_router_keeps_the_rules_and_its_faults_are_told() {
    let not = ("tinya", "a worm-router with ADMIT = 1 has no scoreboard of events");
    keeps_the_rules(UnitKind::WormRouter, &["tiny", "odd"], Some(not), &WORM_ROUTER, &[]);
    are_told(UnitKind::WormRouter, "odd", &LANES, &[]);
}
