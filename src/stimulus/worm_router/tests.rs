//! Tests of the stimulus, on the golden model alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;
use crate::model::Unit;
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use crate::stimulus::alone::{
    Golden, assert_depends_on_the_seed_alone, assert_nothing_left_out, builds_of, run,
};
use crate::stimulus::regression::cover_applies;

fn all_builds() -> Vec<Build> {
    builds_of(UnitKind::WormRouter)
}

/// What each scenario is for.
fn expected(name: &str) -> &'static [&'static str] {
    match name {
        "c1-read-back" => &[
            "c1_write_no_port",
            "c1_write_all_ports",
            "c1_read",
            "c1_read_and_write",
            "c1_read_as_written",
            "c1_read_mask",
            "c1_read_lfsr",
            "c1_read_error",
            "c1_read_counted",
            "c1_read_none",
            "c1_read_no_port",
        ],
        "yw1-frame" => &[
            "yw1_single",
            "yw1_opens",
            "yw1_closes",
            "yw1_interleaved",
            "yw1_bad",
            "yw1_bad_inside",
            "yw1_bad_vl",
            "yw1_overflow",
            "yw1_overflow_as_it_leaves",
            "yw1_overflow_out_of_frame",
            "yw1_ends_open",
            "yw1_stray",
            "yw2_full",
            "c1_error_cleared",
            "c1_error_set_wins",
        ],
        "yw1-lengths" => {
            &["yw1_single", "yw1_interleaved", "yw2_through", "yw5_several_outputs", "yw8_way_back"]
        }
        "yw2-credits" => &[
            "yw2_waits",
            "yw2_last_credit",
            "yw2_goes_and_comes",
            "yw2_excess",
            "yw2_excess_and_goes",
            "yw4_no_credit",
        ],
        "yw2-owed" => &["yw2_owed", "yw2_owed_most", "yw2_repaid", "f1_owed"],
        "yw3-no-route" => &[
            "yw3_no_route_yet",
            "yw3_route_behind",
            "yw3_discards_header",
            "yw3_discards_single",
            "yw3_drains",
            "yw3_two_discard",
            "yw3_discards_beside",
            "yw3_framing_ends_drain",
            "r1_no_route",
            "r1_no_port",
            "r1_beyond",
        ],
        "r1-table" => &["r1_old_entry", "r1_write_beyond", "r1_beyond", "yw8_way_back"],
        "yw4-freed" => &[
            "yw4_own_lane",
            "yw4_drawn",
            "yw4_groups_compete",
            "yw4_inputs_compete",
            "yw4_shared_compete",
            "yw4_group_wraps",
            "yw4_lane_wraps",
            "yw4_shared_wraps",
            "yw4_owned",
            "yw4_freed_asked",
            "yw4_freed_granted",
        ],
        "yw4-owned" => &["yw4_owned", "yw4_all_owned", "yw4_one_free", "yw4_other_lane", "yw4_not_lowest"],
        "yw4-draws" => &["yw4_seed_0", "yw4_seed_and_draw", "yw4_drawn"],
        "yw5-weights" => &[
            "yw5_in_compete",
            "yw5_out_compete",
            "yw5_loses",
            "yw5_passes",
            "yw5_keeps_turn_in",
            "yw5_keeps_turn_out",
            "yw5_weight_in",
            "yw5_weight_out",
            "yw5_weight_in_0",
            "yw5_weight_out_0",
            "yw5_weight_falls_in",
            "yw5_weight_falls_out",
            "yw6_turn_compete",
        ],
        "yw6-guard" => &[
            "yw6_in_real_time_first",
            "yw6_due",
            "yw6_due_waits",
            "yw6_lhp_0",
            "yw6_lhp_1",
            "yw6_guard_in_most",
            "yw6_out_real_time_first",
            "yw6_out_lhp_0",
            "yw6_guard_out_most",
            "yw6_turn_calm",
            "yw6_turn_of_pick",
            "yw6_turn_at_input",
            "yw6_turn_both",
            "yw6_turn_lhp_1",
            "yw6_called_away",
            "yw6_called_idle",
        ],
        "yw6-exempt" => &[
            "yw6_in_exempt_first",
            "yw6_due_exempt",
            "yw6_out_exempt_first",
            "yw6_out_exempt_holds",
            "yw6_reply_first",
            "yw7_reply",
            "yw7_control",
        ],
        "yw6-nobody-starves" => &["yw4_freed_asked", "yw4_freed_granted", "yw6_due", "yw6_turn_at_input"],
        "yw7-masks" => &[
            "yw7_none",
            "yw7_all",
            "yw7_beyond",
            "yw7_owner_turns",
            "yw7_other_class",
            "yw7_real_time",
            "yw7_best_effort",
        ],
        "f1-falls" => &[
            "f1_open",
            "f1_own",
            "f1_header_waits",
            "f1_drain",
            "f1_asks",
            "f1_forgotten",
            "f1_forgotten_no_route",
            "f1_tail_as_it_falls",
            "f1_flit_as_it_falls",
            "f1_made_tail",
            "f1_made_tail_down",
        ],
        "f1-made-tail" => &[
            "f1_made_tail",
            "f1_made_tail_new_header",
            "f1_behind_cut",
            "f1_cut_again",
            "yw3_discards_behind_cut",
        ],
        "f1-out" => &["f1_out_waits", "f1_out_owned", "f1_out_credits", "f1_out_lost", "yw4_link_down"],
        "yw5-sinks" => &["yw2_waits", "yw2_goes_and_comes", "yw5_loses"],
        "yw5-second" => &[
            "yw5_second",
            "yw5_second_compete",
            "yw5_second_lower",
            "yw5_second_best_effort",
            "yw5_second_counts",
        ],
        "ya1-sums" => &[
            "ya1_lane_beyond",
            "ya1_to_zero",
            "ya1_sum_full",
            "ya1_bad_used",
            "ya1_bad_out",
            "ya1_bad_in",
            "c1_read_booked",
        ],
        "ya1-lost" => &[
            "ya1_lost_used",
            "ya1_lost_book",
            "ya1_lost_waits",
            "ya1_lost_open",
            "ya1_lost_reply",
            "ya1_lost_reply_open",
            "ya1_lost_reply_sent",
            "ya1_lost_reply_goes",
            "ya1_lost_no_route",
            "ya1_lost_full",
            "ya1_lost_frame",
            "ya1_lost_tail",
            "ya1_lost_cut",
            "ya1_lost_single",
            "ya1_lost_off",
        ],
        "ya2-decide" => &[
            "ya2_books",
            "ya2_no_route",
            "ya2_link_down",
            "ya2_full",
            "ya2_fits_exactly",
            "ya2_one_too_much",
            "ya2_limit_below",
            "ya2_limit_beyond",
            "ya2_limit_falls",
            "ya2_bw_0",
            "ya2_compete",
            "ya2_last_of_two",
            "ya2_wraps",
            "ya2_behind_cut",
            "ya2_consumes_single",
            "ya2_eats",
            "ya2_falls_decided",
            "ya2_falls_eating",
            "ya3_ack",
            "ya3_nack",
        ],
        "ya2-slots" => &["ya2_slot_waits", "ya2_no_route_waits", "ya3_refilled", "ya3_starved"],
        "ya2-off" => &[
            "ya2_owns",
            "ya2_turned",
            "ya2_off",
            "ya2_off_decided",
            "ya2_passes",
            "ya3_no_way",
            "ya3_no_way_off",
            "ya3_goes_off",
            "ya6_off",
            "ya6_turned_off",
        ],
        "ya2-mix" => {
            &["ya2_books", "ya3_ack", "ya3_nack", "ya5_goes_on", "ya5_meets", "ya6_tail", "ya6_single"]
        }
        "ya3-turns" => &[
            "ya3_way_back",
            "ya3_other_way",
            "ya3_old_entry",
            "ya3_no_way",
            "ya3_slot_first",
            "ya3_fifo_first",
            "ya3_both_granted",
            "ya3_both_own",
            "ya3_both_can",
            "ya3_slot_meant",
            "ya3_fifo_meant",
            "ya3_waits",
            "ya3_starved",
            "ya3_discards_beside",
            "ya3_granted_down",
            "ya3_goes_down",
            "ya3_owns_down",
        ],
        "ya5-releases" => &["ya5_goes_on", "ya5_host", "ya5_meets"],
        "ya5-strays" => &["ya2_no_stream", "ya2_no_lane", "ya5_strays"],
        "ya6-ends" => &[
            "ya1_off_and_on",
            "ya1_off_and_on_in",
            "ya1_release_and_end",
            "ya1_release_and_end_in",
            "ya6_header",
            "ya6_tail",
            "ya6_made_tail",
            "ya6_single",
            "ya6_other_lane",
            "ya6_two_end",
            "ya6_not_real_time",
        ],
        "ya7-weights" => &["ya7_in", "ya7_out", "ya7_in_0", "ya7_out_0", "ya7_in_most", "ya7_out_most"],
        _ => panic!("nothing is expected of {name}"),
    }
}

/// A full round of a scenario on the golden model, and the operations that waited in vain.
fn round(build: &Build, s: &'static Scenario, mut look: impl FnMut(&[u32], &[u32])) -> (Golden, Vec<usize>) {
    let mut script = script::Script::new(&build.params, &Setup::default(), operations(s.name).unwrap(), 1);
    let mut golden = Golden::new(build);
    for _ in 0..60_000 {
        golden.cycle(&mut script, |i, o, _| look(i, o));
        if script.rounds == 1 {
            return (golden, script.missed);
        }
    }
    panic!("{} {}: no end", build.name, s.name);
}

fn names_hit(unit: &dyn Unit) -> BTreeSet<&'static str> {
    unit.cover_points().iter().zip(unit.cover()).filter(|(_, n)| **n > 0).map(|(p, _)| p.name).collect()
}

#[test]
fn every_scenario_shows_what_it_is_for() {
    let mut missing = Vec::new();
    for build in all_builds() {
        let mut hit = BTreeSet::new();
        for s in scenarios() {
            let (golden, missed) = round(&build, s, |_, _| ());
            let not_hit = golden.not_hit(expected(s.name));
            missing.extend(not_hit.iter().map(|want| format!("{} {}: {want}", build.name, s.name)));
            missing.extend(missed.iter().map(|op| format!("{} {}: operation {op}", build.name, s.name)));
            hit.extend(names_hit(golden.unit.as_ref()));
        }
        let all = Golden::new(&build).unit.cover_points().iter().map(|p| p.name);
        let applies = |name: &&str| cover_applies(build.unit, name, &build.params);
        let left = all.filter(applies).filter(|name| !hit.contains(name));
        missing.extend(left.map(|name| format!("{}: {name} in no scenario", build.name)));
    }
    assert!(missing.is_empty(), "did not happen: {missing:#?}");
}

/// What takes long, or the registers of a scenario.
const RARE: [&str; 12] = [
    "yw6_guard_in_most",
    "yw6_guard_out_most",
    "yw2_owed_most",
    "ya1_sum_full",
    // (One cycle of two messages; scenario ya6-ends makes them meet.)
    "ya1_off_and_on",
    "ya1_off_and_on_in",
    "ya1_release_and_end",
    "ya1_release_and_end_in",
    "ya2_last_of_two",
    "ya3_no_way_off",
    "ya3_old_entry",
    "ya6_other_lane",
];

#[test]
fn random_traffic_leaves_nothing_out() {
    assert_nothing_left_out(&RARE, &all_builds(), 12, 50_000);
}

/// When every stream has ended, and every refused one has been released, nothing is booked; and nothing was wrong.
#[test]
fn streams_that_are_over_leave_nothing() {
    let s = scenarios().iter().find(|s| s.name == "ya2-mix").unwrap();
    for build in all_builds().into_iter().filter(|b| b.params.admit) {
        let l = Layout::new(build.unit, &build.params);
        let ports = build.params.ports;
        let (mut most, mut errors, mut end) = (0, 0, Vec::new());
        let mut script =
            script::Script::new(&build.params, &Setup::default(), operations(s.name).unwrap(), 3);
        let mut golden = Golden::new(&build);
        while script.rounds == 0 {
            golden.cycle(&mut script, |_, o, state| {
                let used = &state[l.state("st_used")..][..ports];
                most = most.max(used.iter().copied().max().unwrap_or(0));
                errors |= o[l.output("err")..][..ports].iter().fold(0, |all, e| all | e);
                end.clear();
                for name in
                    ["st_used", "st_book_out", "st_book_in", "st_slot", "st_adm", "st_final", "st_books"]
                {
                    let n = l.signals.iter().find(|x| x.name == name).unwrap().count;
                    end.extend_from_slice(&state[l.state(name)..][..n]);
                }
            });
        }
        assert!(script.missed.is_empty(), "{}: {:?}", build.name, script.missed);
        assert!(most > 1000 && most <= 4096, "{}: {most}", build.name);
        assert_eq!(errors, 0, "{}", build.name);
        assert!(end.iter().all(|&w| w == 0), "{}: {end:?}", build.name);
    }
}

#[test]
fn a_source_depends_on_nothing_but_its_seed() {
    assert_depends_on_the_seed_alone(&all_builds()[0]);
}

/// A message under way: the numbers of its flits, and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    numbers: Vec<u32>,
    bad: bool,
    /// Port and lane by which it came.
    from: (usize, usize),
    dlid: u32,
}

/// Follows messages from link to link, for neighbours that keep the protocol.
struct Watch {
    l: Layout,
    p: Params,
    table: Vec<u32>,
    be_mask: u32,
    /// By port and lane: what is coming in, and what is going out.
    coming: BTreeMap<(usize, usize), Seen>,
    going: BTreeMap<(usize, usize), Vec<u32>>,
    /// Messages that are in the router, by the number of the header.
    inside: BTreeMap<u32, Seen>,
    /// Headers in the order in which they came, by port, lane, output.
    order: BTreeMap<(usize, usize, u32), VecDeque<u32>>,
    arrived: u64,
    lost: u64,
}

impl Watch {
    fn new(build: &Build) -> Watch {
        Watch {
            l: Layout::new(build.unit, &build.params),
            p: build.params,
            table: vec![255; build.params.lft_depth],
            be_mask: 0,
            coming: BTreeMap::new(),
            going: BTreeMap::new(),
            inside: BTreeMap::new(),
            order: BTreeMap::new(),
            arrived: 0,
            lost: 0,
        }
    }

    /// A cycle's inputs and outputs.
    fn look(&mut self, input: &[u32], output: &[u32]) {
        if output[self.l.output("ready")] == 0 {
            return;
        }
        for port in 0..self.p.ports {
            if input[self.l.input("link_up") + port] == 1 {
                self.comes(port, input);
            }
            self.goes(port, output);
        }
        let of = |name| input[self.l.input(name)];
        if of("lft_we") == 1
            && let Some(entry) = self.table.get_mut(of("lft_addr") as usize)
        {
            *entry = of("lft_port");
        }
        if of("cfg_we") == 1 && of("cfg_addr") == 5 {
            self.be_mask = of("cfg_data");
        }
    }

    fn comes(&mut self, port: usize, input: &[u32]) {
        let of = |name: &str| input[self.l.input(name) + port];
        if of("rx_valid") == 0 {
            return;
        }
        let lane = of("rx_vl") as usize;
        let word = input[self.l.input("rx_data") + 4 * port];
        let number = input[self.l.input("rx_data") + 4 * port + 1];
        let dlid = (word >> 16 & 0xff) << 8 | word >> 24;
        if of("rx_first") == 1 {
            let seen = Seen { numbers: Vec::new(), bad: false, from: (port, lane), dlid };
            assert!(self.coming.insert((port, lane), seen).is_none(), "the stimulus keeps frames");
            match self.table.get(dlid as usize).filter(|&&o| o < self.p.ports as u32) {
                Some(&o) => self.order.entry((port, lane, o)).or_default().push_back(number),
                None => self.lost += 1,
            }
        }
        let seen = self.coming.get_mut(&(port, lane)).expect("a message");
        seen.numbers.push(number);
        if of("rx_last") == 1 {
            seen.bad = of("rx_bad") == 1;
        }
        let seen = seen.clone();
        self.inside.insert(seen.numbers[0], seen);
        if of("rx_last") == 1 {
            self.coming.remove(&(port, lane));
        }
    }

    fn goes(&mut self, port: usize, output: &[u32]) {
        let of = |name: &str| output[self.l.output(name) + port];
        if of("tx_valid") == 0 {
            return;
        }
        let number = output[self.l.output("tx_data") + 4 * port + 1];
        let lane = of("tx_vl") as usize;
        let going = self.going.entry((port, lane)).or_default();
        assert_eq!(going.is_empty(), of("tx_first") == 1, "port {port} lane {lane}");
        going.push(number);
        let seen = self.inside.get(&going[0]).expect("it came");
        assert_eq!(going[..], seen.numbers[..going.len()], "flits in order");
        if of("tx_last") == 0 {
            return;
        }
        assert_eq!((going.len(), of("tx_bad") == 1), (seen.numbers.len(), seen.bad), "whole, and as it was");
        let (from, o) = (seen.from, self.table[seen.dlid as usize]);
        assert_eq!(o as usize, port, "where its DLID leads");
        let best_effort = |v: usize| v < self.p.vls - 2 && self.be_mask >> v & 1 != 0;
        assert!(if best_effort(from.1) { best_effort(lane) } else { lane == from.1 });
        let order = self.order.get_mut(&(from.0, from.1, o)).expect("it came");
        let at = order.iter().position(|&n| n == going[0]).expect("it did not go before");
        assert!(at == 0 || best_effort(from.1), "no message passes another one of its lane");
        order.remove(at);
        self.inside.remove(&going[0]);
        self.going.remove(&(port, lane));
        self.arrived += 1;
    }

    /// Messages that came and have a route, and did not go.
    fn left(&self) -> usize {
        self.order.values().map(VecDeque::len).sum()
    }
}

/// Scenarios in which neighbours keep to the protocol, and BE_MASK and routes stay.
const HONEST: [&str; 6] = ["yw1-lengths", "yw4-freed", "yw5-weights", "yw6-guard", "yw6-exempt", "yw5-sinks"];

#[test]
fn every_message_comes_out_whole_and_in_order() {
    for build in all_builds() {
        for s in scenarios().iter().filter(|s| HONEST.contains(&s.name)) {
            let mut watch = Watch::new(&build);
            round(&build, s, |i, o| watch.look(i, o));
            assert_eq!(watch.left(), 0, "{} {}", build.name, s.name);
            assert!(watch.arrived > 20, "{} {}: {}", build.name, s.name, watch.arrived);
        }
    }
}

/// Random traffic of neighbours that keep to the protocol, with links that stay up and registers that stay.
#[test]
fn random_messages_come_out_whole_and_in_order() {
    let mut knobs = Knobs::default();
    for name in ["violation_rate", "link_falls"] {
        knobs.set(name, 0.0).unwrap();
    }
    for build in all_builds() {
        let p = &build.params;
        let lft = (0..p.lft_depth as u16).map(|d| (d, (d as usize % p.ports) as u8)).collect();
        let mask = (1 << (p.vls - 2)) / 2;
        let setup = Setup { lft: Some(lft), worm_router: vec![(3, 3), (5, mask)], ..Setup::default() };
        for seed in 0..3 {
            let mut watch = Watch::new(&build);
            let mut s = source(&build, None, &knobs, &setup, seed).unwrap();
            let errors = build.params.ports;
            let mut seen = 0;
            run(&build, s.as_mut(), 20_000, |_, i, o, _| {
                watch.look(i, o);
                let at = watch.l.output("err");
                seen |= o[at..at + errors].iter().fold(0, |all, e| all | e);
            });
            assert!(watch.arrived > 1_000, "{} {seed}: {}", build.name, watch.arrived);
            // (Messages without route are no fault of a neighbour.)
            assert_eq!(seen & !2, 0, "{} {seed}", build.name);
            assert!(watch.left() <= p.ports * p.vls * (p.depth + 3), "{}", watch.left());
        }
    }
}

/// Flits in, flits out, errors, with knobs.
fn with_knobs(knobs: &[(&str, f64)]) -> (u64, u64, u32) {
    let build = all_builds()[2];
    let l = Layout::new(build.unit, &build.params);
    let mut k = Knobs::default();
    knobs.iter().for_each(|(n, v)| k.set(n, *v).unwrap());
    let mut s = source(&build, None, &k, &Setup::default(), 3).unwrap();
    let (mut comes, mut goes, mut errors) = (0, 0, 0);
    let ports = build.params.ports;
    run(&build, s.as_mut(), 30_000, |_, i, o, _| {
        if o[l.output("ready")] == 0 {
            return; // the sweep, where inputs may be anything
        }
        let sum = |words: &[u32]| u64::from(words.iter().sum::<u32>());
        comes += sum(&i[l.input("rx_valid")..][..ports]);
        goes += sum(&o[l.output("tx_valid")..][..ports]);
        errors |= o[l.output("err")..][..ports].iter().fold(0, |all, e| all | e);
    });
    (comes, goes, errors)
}

#[test]
fn knobs_do_what_they_say() {
    let calm = [("violation_rate", 0.0), ("link_falls", 0.0)];
    let (comes, goes, errors) = with_knobs(&[&calm[..], &[("load", 0.0)]].concat());
    assert_eq!((comes, goes, errors), (0, 0, 0));
    let free = with_knobs(&[&calm[..], &[("load", 0.5), ("credit_starvation", 0.0)]].concat());
    let starved = with_knobs(&[&calm[..], &[("load", 0.5), ("credit_starvation", 1.0)]].concat());
    let credits = all_builds()[2].params;
    assert!(starved.1 <= (credits.ports * credits.vls * credits.depth) as u64, "{starved:?}");
    assert!(free.1 > 20_000, "{free:?}");
    let bad = with_knobs(&[("violation_rate", 0.1)]);
    assert_eq!(bad.2, 0xcf, "{bad:?}");
}

#[test]
fn registers_of_a_setup_are_written_and_left_alone() {
    let build = all_builds()[2];
    let l = Layout::new(build.unit, &build.params);
    let setup = Setup { worm_router: vec![(3, 9), (5, 6)], lft: Some(vec![(1, 2)]), ..Setup::default() };
    let mut s = source(&build, None, &Knobs::default(), &setup, 5).unwrap();
    let (mut writes, mut routes) = (Vec::new(), Vec::new());
    run(&build, s.as_mut(), 5_000, |_, i, o, _| {
        let of = |name| i[l.input(name)];
        if o[l.output("ready")] & of("cfg_we") == 1 {
            writes.push((of("cfg_port"), of("cfg_addr"), of("cfg_data")));
        }
        if o[l.output("ready")] & of("lft_we") == 1 {
            routes.push((of("lft_addr"), of("lft_port")));
        }
    });
    assert_eq!((writes, routes), (vec![(255, 3, 9), (255, 5, 6)], vec![(1, 2)]));
}
