//! The stimulus against the golden model.

use super::script::Script;
use super::*;
use crate::model::header::{Header, SrpFields};
use crate::params::lanes::opcode;
use crate::signals::Layout;
use crate::stimulus::alone::{
    Golden, assert_depends_on_the_seed_alone, builds_of, left_out_but, run, tested,
};

fn hca_builds() -> Vec<Build> {
    builds_of(UnitKind::Hca)
}

/// What a scenario must make happen: cover points of the golden model.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => &[
            "c1_read",
            "c1_read_and_write",
            "c1_read_as_written",
            "c1_read_error",
            "c1_read_counted",
            "c1_read_none",
            "c1_read_part",
            "c1_read_no_unit",
        ],
        "h1-queues" => &[
            "h1_posted",
            "h1_full",
            "h1_gen_full",
            "h1_bad_flow",
            "h1_bad_len",
            "h1_pop_full",
            "h1_post_and_pop",
            "h1_full_despite_pop",
            "h1_lid_base_changed",
            "b3_error_cleared",
        ],
        "h2-cnp-first" => &[
            "h2_cnp_queued",
            "h2_cnp_disabled",
            "h2_fecn_ack",
            "h2_fecn_multicast",
            "h2_becn_beats_fecn",
            "h2_cnp_ahead_of_data",
            "h2_cnp_waits",
        ],
        "h2-cnp-queue" => &["h2_cnp_lost", "h2_cnp_lacks_credit", "h2_cnps_back_to_back", "h2_push_and_pop"],
        "h2-cnp-lanes" => &["h2_cnp_of_another_lane", "h2_cnp_lost", "h2_cnp_lost_on_one_lane"],
        "cl2-control-lane" => {
            &["cl2_answer", "cl2_one_fifo", "cl3_reply", "cl3_long", "cl3_data", "h2_queued_ignored"]
        }
        "h2-cnp-flood" => &["h2_data_between_cnps", "h2_cnp_ahead_of_data"],
        "h2-cnp-plain" => &["h2_plain_turn"],
        "h2-messages" => &[
            "h2_seen_set",
            "h2_seen_told",
            "h2_end_with_fecn",
            "h2_end_clean",
            "h2_seen_no_flow",
            "h2_seen_forgotten",
            "h2_psn_wraps",
        ],
        "h2-messages-lost" => &["h2_seen_late", "h2_seen_lost"],
        "h1-window" => &["h1_window_full", "h1_window_refuses", "h1_window_lowered", "h1_window_off"],
        "h1-window-delay" => &[
            "h1_window_blocked_post",
            "h1_window_left",
            "h1_window_left_and_post",
            "h1_window_accept_no_place",
            "h1_window_delay_over",
        ],
        "h2-queued" => &[
            "h2_queued",
            "h2_queued_no_room",
            "h2_queued_no_flow",
            "h2_queued_waits_for_post",
            "h2_queued_sent_in_dma_pause",
            "h2_queued_delayed",
            "h2_queued_host_full",
        ],
        "h2-not-whole" => &[
            "h2_fecn_damaged",
            "h2_fecn_not_whole",
            "h3_cnp_damaged",
            "h3_cnp_not_whole",
            "b3_bad_pkt",
            "b3_short",
            "b3_long",
        ],
        "h8-slow-tx" => &["h5_no_room", "h8_accepted"],
        "h1-dma-stall" => &["h8_dma_waits"],
        "h2-link-down" => &[
            "b3_link_down_open",
            "b3_link_down_eat",
            "b3_link_down_skip",
            "f1_link_down_idle",
            "h5_released",
        ],
        "h3-becns" => &["h3_becn", "h3_becn_cnp", "h3_becn_data", "h3_bad_flow", "h3_cnp_without_becn"],
        "h5-stop-go" => &["h5_stopped", "h5_released", "h5_two_lines_stop", "h9_hot_used", "h9_line_drained"],
        "h5-turns-after-stop" => &["h5_stopped", "h5_released"],
        "h5-credits" => &["h5_no_room"],
        "h8-injection" => &[
            "h8_accepted",
            "h8_back_to_back",
            "h8_offer_waits_for_dma",
            "h8_dma_waits",
            "h8_single_flit",
            "h8_withdrawn",
            "f1_inj_txr_wraps",
        ],
        "b3-receiver" => &[
            "b3_received",
            "b3_bad_received",
            "b3_framing_first",
            "b3_framing_len",
            "b3_framing_shape",
            "b3_framing_stray",
            "b3_bad_vl",
            "b3_bad_vl_fctbs",
            "b3_misrouted",
            "b3_multicast",
            "b3_short",
            "b3_long",
            "b3_bad_pkt",
            "b3_skipped",
            "b3_skip_first",
            "b3_error_cleared",
            "b3_error_set_wins",
            "f1_uncounted",
        ],
        "ak3-acks" => &[
            "ak3_ack",
            "ak3_one_flit",
            "ak3_clean",
            "ak3_fecn",
            "ak3_mb",
            "ak3_vb",
            "ak3_becn",
            "ak3_no_cnp",
            "ak3_seen_forgotten",
            "ak3_long_psn",
        ],
        "ak3-not-whole" => {
            &["ak3_damaged", "ak3_not_whole", "ak3_given_up", "ak3_given_up_and_next", "ak3_refused"]
        }
        "ak3-not-answered" => &["ak3_multicast", "ak3_opaque", "ak3_late", "ak3_too_late", "ak5_multicast"],
        "ak4-queue" => &[
            "ak4_full",
            "ak4_lost",
            "ak4_lost_despite_pop",
            "ak4_push_and_pop",
            "ak4_lacks_credit",
            "ak4_back_to_back",
        ],
        "ak4-lanes" => &["ak4_lost_on_one_lane", "ak4_of_another_lane"],
        "ak4-flood" => &["ak4_ahead_of_data", "ak4_data_between", "ak4_waits"],
        "ak4-plain" => &["ak4_plain_turn"],
        "ak4-short-credit" => &["ak4_owed", "ak4_owed_holds", "ak4_owed_no_data"],
        "ak4-both-kinds" => &[
            "ak4_behind_cnp",
            "ak4_before_cnp",
            "ak4_beside_moved",
            "ak4_moved_and_granted",
            "h2_queued_ignored",
        ],
        "ak4-link-down" => &["ak3_link_down", "ak4_link_down", "ak5_link_down"],
        "ak5-acks-in" => &[
            "ak5_ack",
            "ak5_back_to_back",
            "ak5_becn",
            "ak5_mb",
            "ak5_vb",
            "ak5_bad_flow",
            "ak5_long",
            "ak5_multicast",
            "ak5_off",
            "ak5_late",
            "ak5_throttles",
            "h3_unheard",
        ],
        "ak5-broken" => &["ak5_damaged", "ak5_not_whole", "ak5_given_up"],
        "ak5-full-fifo" => &["ak5_without_room", "f2_full"],
        "ak6-window" => &["ak6_held", "ak6_opened", "ak6_ack_and_accept", "ak7_stray", "ak7_lost"],
        "vr5-posts" => &["vr5_post", "vr5_post_and_accept"],
        "q17-protocol" => {
            &["q17_spec", "q17_granted", "q17_bypass", "q17_sent", "q16_grant", "q16_ack", "q16_nack"]
        }
        "q14-messages" => &["h8_accepted", "h8_dma_waits"],
        "q13-requests" => &[
            "q13_request",
            "q13_multicast",
            "q13_lane_full",
            "q13_comes_and_is_free",
            "q12_waits_for_link",
            "q12_sent",
            "b3_no_credit",
        ],
        "q12-ends" => {
            &["q12_delivered", "q12_delivered_bad", "q12_one_flit", "q12_held_back", "b3_framing_first"]
        }
        "q4-classes" => &["q4_on_data_lane", "q4_on_spec_lane", "q4_on_control_lane", "q4_long"],
        "q16-replies" => &["q16_grant", "q16_ack", "q16_nack", "q16_back_to_back", "q16_no_flow", "f2_full"],
        "q20-room" => &[
            "q20_link_lacks_room",
            "q20_waits_for_grant",
            "q20_granted_while_sent",
            "q20_refused",
            "q17_waits_for_link",
        ],
        "q3-order" => &["q3_back_to_back", "q3_before_data", "q3_request_before_reply"],
        "q3-link-down" => &["q3_lost_with_link", "f1_link_down_idle", "b3_link_down_open"],
        "q22-copies" => &[
            "q22_marker",
            "q22_marker_long",
            "q22_marker_leaves",
            "q22_marker_waits",
            "q22_dropped",
            "q22_dropped_long",
            "q22_res_dropped",
            "q22_delivered",
            "q22_delivered_bad",
            "q22_held_back",
            "q22_strange",
            "q22_strange_res",
            "q22_request_init",
        ],
        "q21-order" => &["q21_pass", "q22_dropped", "q22_dropped_long", "q22_marker"],
        "q22-losses" => &["q22_sent_again", "q22_res_again", "q22_grant_init", "q22_answer_again"],
        "h2-validated" => &["h2_src_validated", "h2_src_fecn", "h2_src_mb"],
        "f2-receive-fifo" => &[
            "f2_full",
            "f2_push_and_pop",
            "f2_host_waits",
            "b3_no_credit",
            "f1_abr_wraps",
            "f1_fctbs_repair",
            "f1_fctbs_and_flit",
            "f1_no_room",
            "f1_fc_interval_shrinks",
        ],
        _ => panic!("nothing is expected of {name}"),
    }
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in tested(UnitKind::Hca) {
        for s in scenarios() {
            let mut script =
                Script::new(&build.params, &Setup::default(), scenarios::operations(s.name).unwrap(), 1);
            let mut golden = Golden::new(&build);
            let mut cycles = 0;
            let most = scenario_cycles(s.name, &build.params);
            while script.rounds < 1 {
                golden.cycle(&mut script, |_, _, _| ());
                cycles += 1;
                assert!(cycles < 4 * most, "{} {}: no end", build.name, s.name);
            }
            if cycles > most {
                missing.push(format!("{} {}: {cycles} cycles, said {most}", build.name, s.name));
            }
            let not_hit = golden.not_hit(expected(s.name));
            // What is wrong with a message is an error of reservation; without it there is no protocol.
            let srp = build.params.srp;
            let not_hit =
                not_hit.into_iter().filter(|p| !srp || (s.name, *p) != ("h1-queues", "b3_error_cleared"));
            let not_hit: Vec<_> = not_hit.filter(|_| srp || !s.name.starts_with('q')).collect();
            // Without isolation nothing stops a flow; random traffic withdraws offers in another way.
            let not_hit = not_hit.iter().filter(|p| build.params.isolation || **p != "h8_withdrawn");
            // Data do not ask on the control lane, so that what these two wait for comes at another time.
            let timed = ["h1_window_left_and_post", "h2_cnp_ahead_of_data"];
            let not_hit = not_hit.filter(|p| !build.params.ctl_vl || !timed.contains(p));
            missing.extend(not_hit.map(|want| format!("{} {}: {want}", build.name, s.name)));
        }
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// Runs a scenario once; `look` sees inputs, outputs and state.
fn play(build: &Build, name: &str, mut look: impl FnMut(&Layout, &[u32], &[u32], &[u32])) {
    let l = Layout::new(build.unit, &build.params);
    let ops = scenarios::operations(name).unwrap();
    let mut script = Script::new(&build.params, &Setup::default(), ops, 1);
    let mut golden = Golden::new(build);
    while script.rounds < 1 {
        golden.cycle(&mut script, |i, o, s| look(&l, i, o, s));
    }
}

/// The header of the packet that begins on tx.
fn begins(build: &Build, l: &Layout, out: &[u32]) -> Option<Header> {
    let data = &out[l.output("tx_data")..][..build.params.flit_bytes / 4];
    (out[l.output("tx_valid")] & out[l.output("tx_first")] == 1).then(|| Header::parse(data))
}

#[test]
fn nothing_answers_what_is_not_whole() {
    // (To reservation CNPs are packets of hosts.)
    for build in tested(UnitKind::Hca).into_iter().filter(|b| !b.params.srp) {
        let mut seen = [0; 5];
        play(&build, "h2-not-whole", |l, _, o, s| {
            let counters = ["st_cnt_cnp", "st_cnt_cnp_lost", "st_cnt_becn", "st_cnt_rcv"];
            counters.iter().zip(&mut seen).for_each(|(name, n)| *n = s[l.state(name)]);
            let (valid, last, bad) = (l.output("host_valid"), l.output("host_last"), l.output("host_bad"));
            seen[4] += o[valid] & o[last] & o[bad];
        });
        // Thirteen packets came to the host; two were cut, of the others it was told at their last flit: none is whole.
        assert_eq!(seen, [0, 0, 0, 0, 11], "{}", build.name);
    }
}

#[test]
fn a_lane_without_credit_loses_its_own_cnps_only() {
    // Replies with a control lane have one lane.
    for build in
        tested(UnitKind::Hca).iter().filter(|b| b.params.vls > 1 && !b.params.ctl_vl && !b.params.srp)
    {
        let (cnpq, last) = (build.params.cnpq as u32, build.params.vls - 1);
        let (mut counts, mut of_last, mut of_first) = ([0; 2], 0, 0);
        play(build, "h2-cnp-lanes", |l, _, o, s| {
            counts = ["st_cnt_cnp", "st_cnt_cnp_lost"].map(|name| s[l.state(name)]);
            if let Some(h) = begins(build, l, o) {
                let vl = h.lane(build.params.vls, build.params.vl_by_dest);
                (of_last, of_first) = (of_last + u32::from(vl == last), of_first + u32::from(vl == 0));
            }
        });
        assert_eq!((counts, of_last, of_first), ([2 * cnpq + 3, 3], cnpq, cnpq + 3), "{}", build.name);
    }
}

#[test]
fn data_keep_a_share_beside_cnps() {
    for build in tested(UnitKind::Hca).into_iter().filter(|b| !b.params.srp) {
        let (mut cnps, mut data) = (0, 0);
        play(&build, "h2-cnp-flood", |l, _, o, _| {
            if let Some(h) = begins(&build, l, o) {
                (cnps, data) = (cnps + u32::from(h.is_cnp()), data + u32::from(!h.is_cnp()));
            }
        });
        assert!(cnps > 100 && data * 32 >= cnps, "{}: {data} data, {cnps} CNPs", build.name);
    }
}

#[test]
fn flows_share_a_slow_link() {
    for build in tested(UnitKind::Hca) {
        let mut shares = [0u32; 3];
        play(&build, "h8-slow-tx", |l, _, o, _| {
            if let Some(h) = begins(&build, l, o) {
                shares[usize::from(h.dlid) - 3] += 1;
            }
        });
        let (least, most) = (shares.iter().min().unwrap(), shares.iter().max().unwrap());
        // What the queues hold at the end is sent too.
        let queued = if build.params.srp { build.params.msgq } else { build.params.advoq } as u32 + 2;
        assert!(*least > 35 && most - least <= queued, "{}: {shares:?}", build.name);
    }
}

#[test]
fn a_pause_of_the_host_cuts_nothing() {
    for build in tested(UnitKind::Hca) {
        let (mut flits, mut faults) = (0, 0);
        play(&build, "h1-dma-stall", |l, _, o, _| {
            flits += o[l.output("tx_valid")] as usize;
            // UNDERRUN says that the link had to wait.
            let err_in = o[l.output("err_in")] & !(1 << 7);
            faults |= o[l.output("tx_bad")] | o[l.output("err")] | err_in | o[l.output("err_out")];
        });
        assert_eq!((flits, faults), (2 * build.params.mtu, 0), "{}", build.name);
    }
}

/// Cover points that take a scenario: thousands of packets of one lane; with many lanes, one that is full, or full of CNPs
/// that tell of messages, or of ACKs; more than 32 CNPs in a row; a link that falls within a CNP of several flits; an ACK for a lane that is full;
/// an ACK of several flits that is given up; ACKs and CNPs in one FIFO; without lines, an offer that loses its credit; where CNPs are few, one
/// of a message from who is no flow.
const LONG: [&str; 14] = [
    "f1_inj_txr_wraps",
    "b3_no_credit",
    "h2_seen_lost",
    "h2_seen_no_flow",
    "h2_data_between_cnps",
    "b3_link_down_eat",
    "ak3_refused",
    "ak5_without_room",
    "ak3_given_up_and_next",
    "ak5_given_up",
    "ak4_moved_and_granted",
    "ak4_behind_cnp",
    "ak4_before_cnp",
    "h8_withdrawn",
];

#[test]
fn random_traffic_leaves_nothing_out() {
    let left = |build: &Build| (build.name, left_out_but(&LONG, build, 40, 50_000));
    let left: Vec<_> =
        tested(UnitKind::Hca).iter().map(left).filter(|(_, missed)| !missed.is_empty()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&hca_builds()[2]);
}

/// Packets received, CNPs made, BECNs, errors, packets posted, flits sent, under a setting of the knobs.
fn with_knobs(knobs: &[(&str, f64)]) -> [u32; 6] {
    let build = hca_builds()[0];
    let l = Layout::new(build.unit, &build.params);
    let mut k = Knobs::default();
    knobs.iter().for_each(|(n, v)| k.set(n, *v).unwrap());
    let mut s = source(&build, None, &k, &Setup::default(), 3).unwrap();
    let mut seen = [0; 6];
    run(&build, s.as_mut(), 40_000, |_, i, o, st| {
        seen[0] = st[l.state("st_cnt_rcv")];
        seen[1] = st[l.state("st_cnt_cnp")];
        seen[2] = st[l.state("st_cnt_becn")];
        seen[3] |= o[l.output("err")];
        seen[4] += i[l.input("gen_valid")] * o[l.output("ready")];
        seen[5] += o[l.output("tx_valid")];
    });
    seen
}

#[test]
fn knobs_do_what_they_say() {
    let quiet = [("violation_rate", 0.0), ("reconfig_rate", 0.0), ("link_falls", 0.0)];
    let [rcv, .., errors, posted, _] = with_knobs(&[&quiet[..], &[("load", 0.0)]].concat());
    assert_eq!((errors & 0b1101_1111, posted), (0, 0));
    assert!(rcv > 500, "{rcv}");
    let [_, _, becns, ..] = with_knobs(&[("becn_rate", 1.0)]);
    assert!(becns > 500, "{becns}");
    let [.., errors, _, _] = with_knobs(&[("violation_rate", 0.5), ("link_falls", 0.0)]);
    // NO_CREDIT takes a lane that is full.
    assert_eq!(errors | 1 << 2 | 1 << 9, 0x2ff);
    let [.., errors, _, _] = with_knobs(&[("violation_rate", 0.0), ("link_falls", 0.01)]);
    // BAD_ACK comes with LINK_DOWN.
    assert_eq!(errors >> 8 | 1 << 1, 3);
    let flits = |starved: f64| with_knobs(&[("credit_starvation", starved), ("load", 1.0)])[5];
    assert!(3 * flits(1.0) < flits(0.0), "{} {}", flits(1.0), flits(0.0));
}

#[test]
fn numbers_of_chunks_have_all_bits() {
    let build = tested(UnitKind::Hca).into_iter().find(|b| b.name == "srptinyd").unwrap();
    let l = Layout::new(build.unit, &build.params);
    // Opcodes that come and leave: which bits of numbers were 0, and 1. A flow learns its number once.
    let mut seen = [[[0; 2]; 6]; 2];
    for seed in 0..40 {
        let mut s = source(&build, None, &Knobs::default(), &Setup::default(), seed).unwrap();
        run(&build, s.as_mut(), 15_000, |_, i, o, _| {
            let words = build.params.flit_bytes / 4;
            let comes = (i[l.input("rx_valid")] & i[l.input("rx_first")], &i[l.input("rx_data")..][..words]);
            let tx = l.output("tx_data");
            let leaves = (o[l.output("tx_valid")] & o[l.output("tx_first")], &o[tx..tx + words]);
            for ((_, data), seen) in [comes, leaves].into_iter().zip(&mut seen).filter(|x| x.0.0 == 1) {
                let code = Header::parse(data).bth.map_or(0, |b| b.opcode);
                let id = SrpFields::parse(data).id;
                if let Some(seen) = seen.get_mut(usize::from(code.wrapping_sub(opcode::RES))) {
                    *seen = [seen[0] | !id & 0x1fff, seen[1] | id];
                }
            }
        });
    }
    assert_eq!(seen, [[[0x1fff; 2]; 6]; 2]);
}
