//! Whole fabrics: nothing lost under any scheme, everything drains, engines equal in every cycle, and what is broken by hand
//! is told.

#[cfg(feature = "rtl")]
use crate::extent::is_long;
use quell::config::Config;
use quell::cosim::engines::{Cluster, Device, Drained, Engine, Golden, Job, Run, golden};
use quell::fabric::files;
use quell::fabric::traffic::TrafficSpec;
use quell::model::link::Control;
use quell::params::{Params, UnitKind};
#[cfg(feature = "rtl")]
use quell::scheme::Organisation;
use quell::scheme::{Detector, Scheme};
use quell::signals::{Group, Layout};
#[cfg(feature = "rtl")]
use std::collections::BTreeSet;

/// A job on a small network. With small thresholds, so that congestion comes soon.
pub fn job(net: &str, scheme: Scheme, traffic: &str) -> Job {
    let net = files::open(net).unwrap().net;
    let hosts = net.hosts.len();
    let mut config = Config::new(scheme, hosts);
    let head = scheme.detector == Detector::Head;
    let (low, high) = if head { (64, 128) } else { (64, 96) };
    for (name, value) in [("lth", low), ("hth", high)] {
        config.set(name, &value.to_string()).unwrap();
    }
    let traffic = TrafficSpec::load(traffic, hosts).unwrap();
    Job { net, config, traffic, seed: 1, threads: 1, bin: 100 }
}

/// Two switches of three ports, the smallest network in which a tree goes on to a neighbour, and few lines: its models are compiled soon.
#[cfg(feature = "rtl")]
fn small(scheme: Scheme) -> Job {
    let mut job = job("tests/data/pair.toml", scheme, "all-to-one");
    set(&mut job, &[("hpqs", 2), ("lines", 3), ("dlist", 2)]);
    job
}

fn set(job: &mut Job, settings: &[(&str, u32)]) {
    for (name, value) in settings {
        job.config.set(name, &value.to_string()).unwrap();
    }
}

/// Runs, then drains; the packets delivered before draining.
pub fn run_and_drain(job: &Job, engines: &[Engine], cycles: u64) -> u64 {
    let what = || format!("{} {engines:?}", job.config.scheme.name);
    let mut run = job.run(engines, None).unwrap();
    if let Some(m) = run.run(cycles).unwrap() {
        panic!("{}: {m}", what());
    }
    let delivered = run.report().totals.delivered_packets;
    match run.drain().unwrap() {
        Drained::Idle(_) => assert!(!run.active(), "{}", what()),
        Drained::Stuck(lines) => panic!("{} is stuck:\n{}", what(), lines.join("\n")),
        Drained::Unsettled(lines) => panic!("{} is not at rest:\n{}", what(), lines.join("\n")),
        Drained::Mismatch(m) => panic!("{}: {m}", what()),
    }
    delivered
}

#[test]
fn every_scheme_delivers_all_and_drains() {
    for scheme in Scheme::ALL {
        let job = job("two-switch", scheme, "all-to-one");
        let delivered = run_and_drain(&job, &[Engine::Golden], 4000);
        assert!(delivered > 40, "{}: {delivered}", scheme.name);
    }
}

#[test]
fn every_scheme_drains_with_credits_starved_and_messages_at_their_slowest() {
    for scheme in Scheme::ALL {
        let mut job = job("ccfit-1", scheme, "all-to-one");
        job.net.links.iter_mut().for_each(|l| l.delay = 60);
        set(&mut job, &[("fc_interval", 700), ("refresh", 1000), ("line_timer", 3000)]);
        let delivered = run_and_drain(&job, &[Engine::Golden], 6000);
        // A lane gets its credits every fc_interval * vls cycles only.
        assert!(delivered > 0, "{}", scheme.name);
    }
}

#[test]
fn the_fast_fabric_is_the_golden_units() {
    for scheme in Scheme::ALL {
        run_and_drain(&job("star:3", scheme, "uniform"), &[Engine::Golden, Engine::Model], 2000);
        run_and_drain(&job("ccfit-1", scheme, "all-to-one"), &[Engine::Golden, Engine::Model], 2500);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let results = [1, 2, 5].map(|threads| {
        let job = Job { threads, ..job("two-switch", Scheme::EcoCc, "uniform") };
        let mut run = job.run(&[Engine::Golden], None).unwrap();
        assert!(run.run(2000).unwrap().is_none());
        run.report().json()
    });
    assert!(results[0].contains("delivered_packets"));
    assert!(results[0] == results[1] && results[0] == results[2]);
}

#[cfg(feature = "rtl")]
#[test]
fn the_rtl_is_the_golden_units() {
    let mut seen = BTreeSet::new();
    for scheme in Scheme::ALL.into_iter().filter(|s| s.organisation != Organisation::LanePerDest) {
        // In the short form one scheme of each queues, isolation and response: these make the models.
        let kind = [scheme.organisation.name(), scheme.isolation.name(), scheme.response.name()];
        if !seen.insert(kind) && !is_long() {
            continue;
        }
        // That the fast fabric is the golden units is shown above, and what is equal to one is equal to the other.
        let all = [[Engine::Rtl, Engine::Golden], [Engine::Rtl, Engine::Model]];
        let both = is_long() || scheme == Scheme::EcoCc || scheme.reserves();
        let some = if both { &all[..] } else { &all[..1] };
        for engines in some {
            run_and_drain(&Job { threads: 2, ..small(scheme) }, engines, 3000);
        }
    }
}

#[cfg(feature = "rtl")]
#[test]
fn a_lane_per_destination_in_rtl() {
    run_and_drain(&small(Scheme::VoqNet), &[Engine::Rtl, Engine::Golden], 3000);
}

/// A tree in which the ways up are drawn for each packet.
fn drawn(net: &str, scheme: Scheme) -> Job {
    let mut job = job(net, scheme, "uniform");
    set(&mut job, &[("up", 1)]);
    job
}

/// Packets overtake each other there, each comes once all the same, and engines draw alike.
#[test]
fn ways_up_are_drawn_alike() {
    let engines = [Engine::Golden, Engine::Model];
    for (net, scheme) in [
        ("kary-ntree:2:2", Scheme::Vl1),
        ("2ary-3tree", Scheme::Pfister),
        ("clos:4", Scheme::Ecn),
        ("clos:4", Scheme::Ith),
    ] {
        let job = drawn(net, scheme);
        assert!(run_and_drain(&job, &engines, 3000) > 100, "{net} {}", scheme.name);
    }
    let results = [(0, 1), (1, 1), (1, 2)].map(|(up, seed)| {
        let mut job = Job { seed, ..drawn("2ary-3tree", Scheme::Vl1) };
        set(&mut job, &[("up", up)]);
        let mut run = job.run(&[Engine::Model], None).unwrap();
        assert!(run.run(3000).unwrap().is_none());
        run.report().json()
    });
    assert!(results[0] != results[1] && results[1] != results[2]);
}

#[cfg(feature = "rtl")]
#[test]
fn ways_up_are_drawn_alike_in_rtl() {
    let job = Job { threads: 2, ..drawn("kary-ntree:2:2", Scheme::Vl1) };
    run_and_drain(&job, &[Engine::Rtl, Engine::Golden], 3000);
}

#[test]
fn networks_without_ways_up_are_refused() {
    for (net, why) in [
        ("star:4", "has no up ports"),
        ("two-switch", "has no up ports: "),
        ("mesh:2x2", "of the same stage"),
    ] {
        let error = drawn(net, Scheme::Vl1).check().unwrap_err().to_string();
        assert!(error.contains("up = ") && error.contains(why), "{net}: {error}");
    }
    let mut job = drawn("2ary-3tree", Scheme::Vl1);
    let error = job.config.set("cioq", "true").unwrap_err().to_string();
    assert!(error.contains("RANDOM_UP = 1 needs") && error.contains("CIOQ"), "{error}");
}

/// A golden unit with a fault in what it shows.
struct Faulty<F> {
    unit: Golden,
    layout: Layout,
    fault: F,
}

impl<F: FnMut(&Layout, &mut [u32]) + Send> Device for Faulty<F> {
    fn reset(&mut self, output: &mut [u32], state: &mut [u32]) {
        self.unit.reset(output, state);
    }
    fn advance(&mut self, input: &[u32], output: &mut [u32], state: &mut [u32]) -> Result<(), String> {
        self.unit.advance(input, output, state)?;
        (self.fault)(&self.layout, output);
        Ok(())
    }
    fn state(&mut self, output: &mut [u32], state: &mut [u32]) {
        self.unit.state(output, state);
    }
}

/// A cluster with a fault in node `at`, in its state sampled every cycle.
pub fn faulty<F>(job: &Job, at: u64, fault: F) -> Cluster
where
    F: FnMut(&Layout, &mut [u32]) + Send + Clone + 'static,
{
    let (traffic, collector) = job.traffic().unwrap();
    let make = |unit: UnitKind, params: &Params, node: u64| -> anyhow::Result<Box<dyn Device>> {
        if node != at {
            return golden(unit, params, node);
        }
        let (unit, layout) = (Golden::new(unit, params).unwrap(), Layout::new(unit, params));
        Ok(Box::new(Faulty { unit, layout, fault: fault.clone() }))
    };
    Cluster::new(&job.net, &job.config, traffic, collector, 1, true, &make).unwrap()
}

/// Sets FECN on the first flit at port 1, unless it is there or the packet is a CNP.
fn wrong_fecn(l: &Layout, output: &mut [u32]) {
    let data = l.output("tx_data") + 8;
    if output[l.output("tx_first") + 1] == 1 && output[data + 2] & 0xff == 4 {
        output[data + 3] |= 0x80;
    }
}

#[test]
fn a_wrong_fecn_in_one_switch_is_found_where_it_is() {
    let job = job("star:3", Scheme::EcoCc, "uniform");
    let sides: Vec<Box<dyn quell::cosim::engines::Side>> =
        vec![Box::new(faulty(&job, 0, wrong_fecn)), job.side(Engine::Golden, true).unwrap()];
    let mut run = Run::new(&job.net, &job.config, vec!["faulty", "golden"], sides, None, 100).unwrap();
    let m = run.run(3000).unwrap().expect("a difference");
    assert_eq!(m.nodes.len(), 1, "{m}");
    let d = &m.nodes[0].differences[0];
    assert_eq!((m.nodes[0].name.as_str(), d.signal, m.nodes[0].port(d)), ("S", "tx_data", Some(1)), "{m}");
    for part in ["differ first in cycle", "S port 1 output tx_data[1] (rules M1 M2 M3)", "faulty", "golden"] {
        assert!(m.to_string().contains(part), "no {part} in {m}");
    }
}

/// A run of one faulty cluster.
pub fn solo(job: &Job, cluster: Cluster) -> Run {
    Run::new(&job.net, &job.config, vec!["faulty"], vec![Box::new(cluster)], None, 100).unwrap()
}

#[test]
fn a_changed_byte_is_found_end_to_end() {
    let job = job("star:3", Scheme::Vl1, "uniform");
    let fault = |l: &Layout, output: &mut [u32]| {
        if output[l.output("tx_last") + 2] == 1 {
            output[l.output("tx_data") + 2 * 8 + 7] ^= 1 << 30;
        }
    };
    let e = solo(&job, faulty(&job, 0, fault)).run(3000).unwrap_err();
    let e = format!("{e:#}");
    assert!(e.contains("end-to-end check at h2 in cycle") && e.contains("word 7"), "{e}");
}

#[test]
fn a_lost_packet_is_found_end_to_end() {
    let job = job("star:3", Scheme::Vl1, "uniform");
    let mut lose = false;
    let mut seen = 0;
    let fault = move |l: &Layout, output: &mut [u32]| {
        let field = |name: &str| l.output(name) + 1;
        if output[field("tx_first")] == 1 {
            seen += 1;
            lose = seen == 3;
        }
        if lose {
            for name in ["tx_valid", "tx_first", "tx_last"] {
                output[field(name)] = 0;
            }
            output[l.output("tx_data") + 8..][..8].fill(0);
        }
    };
    let e = solo(&job, faulty(&job, 0, fault)).run(3000).unwrap_err();
    assert!(format!("{e:#}").contains("out of order"), "{e:#}");
}

#[test]
fn a_network_that_does_not_drain_tells_who_waits_for_whom() {
    // Switch S0 never returns credits to host N0.
    let mut job = job("ccfit-1", Scheme::Vl1, "all-to-one(dst=4)");
    set(&mut job, &[("refresh", 0), ("line_timer", 1)]);
    let fault = |l: &Layout, output: &mut [u32]| output[l.output("tx_ctl")..][..8].fill(0);
    let mut run = solo(&job, faulty(&job, 0, fault));
    assert!(run.run(3000).unwrap().is_none());
    let Drained::Stuck(lines) = run.drain().unwrap() else { panic!("it drains") };
    let text = lines.join("\n");
    assert!(text.contains("N0 holds 8 packets to send"), "{text}");
}

/// What is left of an empty network in which every control word of switch `at` passes `change`.
fn unsettled(job: &Job, at: u64, change: fn(&mut Control)) -> String {
    let fault = move |l: &Layout, output: &mut [u32]| {
        let s = l.signal(Group::Output, "tx_ctl");
        for words in output[s.offset..s.offset + s.count * s.stride()].chunks_mut(s.stride()) {
            let mut control = Control::unpack(words);
            change(&mut control);
            control.pack(words);
        }
    };
    let mut run = solo(job, faulty(job, at, fault));
    assert!(run.run(4000).unwrap().is_none());
    match run.drain().unwrap() {
        Drained::Unsettled(lines) => lines.join("\n"),
        other => panic!("it ends with {other:?}"),
    }
}

#[test]
fn lines_that_are_never_freed_are_told() {
    // Switch S1 never says that a tree is gone.
    let mut job = job("ccfit-1", Scheme::Ccfit, "all-to-one(dst=4)");
    set(&mut job, &[("line_timer", 1 << 20)]);
    let text = unsettled(&job, 1, |c| {
        if c.message.is_some_and(|m| m.kind == 1) {
            c.message = None;
        }
    });
    assert!(text.contains("S0 has 0 CAM lines at inputs and 1 at outputs in use"), "{text}");
}

#[test]
fn a_credit_that_never_comes_home_is_told() {
    // Switch S0 keeps a block of every buffer for itself.
    let job = job("ccfit-1", Scheme::Vl1, "all-to-one(dst=4)");
    let text = unsettled(&job, 0, |c| {
        if let Some(credit) = &mut c.fccl {
            credit.blocks = credit.blocks.wrapping_sub(1) & 0xfff;
        }
    });
    assert!(text.contains("N0 -> S0") && text.contains("FCCL"), "{text}");
}

#[test]
fn the_fast_fabric_tells_when_no_source_is_held_back_any_more() {
    let mut job = job("two-switch", Scheme::Ith, "all-to-one");
    set(&mut job, &[("ccti_timer", 20)]);
    let mut run = job.run(&[Engine::Model], None).unwrap();
    assert!(run.run(20_000).unwrap().is_none());
    let Drained::Idle(idle) = run.drain().unwrap() else { panic!("it does not come to rest") };
    let period = u64::from(job.config.ccti_timer) * 80;
    assert!(idle.empty < idle.settled && idle.settled < idle.empty + 2000, "{idle:?}");
    assert!(idle.unthrottled > Some(idle.settled + period), "{idle:?}");
}

#[test]
fn a_waveform_has_the_nodes_and_cycles_that_were_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.vcd");
    let job = job("star:3", Scheme::EcoCc, "uniform");
    let wave = quell::cosim::engines::Wave { path: path.clone(), nodes: vec![0, 2], cycles: 50..60 };
    let mut run = job.run(&[Engine::Golden, Engine::Model], Some(&wave)).unwrap();
    assert!(run.run(100).unwrap().is_none());
    assert!(!path.exists(), "it is put in its place at the end");
    run.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    for scope in ["S", "h1", "golden", "model"] {
        assert!(text.contains(&format!("$scope module {scope} $end")), "no {scope}");
    }
    let times: Vec<u64> = text.lines().filter_map(|l| l.strip_prefix('#')?.parse().ok()).collect();
    assert_eq!((times[0], times[times.len() - 1]), (50 * 12_800, 60 * 12_800));
}
