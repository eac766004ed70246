//! The constrained-random stimulus of the input port on the golden model: end-to-end correctness and coverage.

use quell::cosim::source::Source;
use quell::model::input_port::cover_applies;
use quell::params::Build;
use quell::stimulus::input_port::{Random, covers, scenarios, script};
use quell::stimulus::knobs::{Knobs, Setup};
use quell::stimulus::scenario::round_cycles;

use crate::input_port_common::{Bench, different_ports, input_ports};

/// Cover points that these runs did not hit, of those that the build can hit.
fn missed(build: &Build, benches: &[Bench]) -> Vec<&'static str> {
    let points = benches[0].unit.cover_points();
    let hit = |i: usize| benches.iter().any(|b| b.unit.cover()[i] > 0);
    let mut all: Vec<(usize, &str)> = points.iter().map(|p| p.name).enumerate().collect();
    all.retain(|&(i, name)| cover_applies(name, &build.params) && !hit(i));
    all.into_iter().map(|(_, name)| name).collect()
}

/// A dozen short random runs, each drained in the end, miss next to nothing; with the scenarios nothing is missed.
#[test]
fn stimulus_covers_everything() {
    for build in different_ports() {
        let mut benches = Vec::new();
        for seed in 1..=12 {
            let mut source = Random::new(&build.params, &Knobs::default(), &Setup::default(), seed);
            let mut bench = Bench::new(&build);
            bench.run(&mut source, 60_000);
            source.drain();
            bench.run(&mut source, 30_000);
            assert_eq!(bench.board.pending(), 0, "{} seed {seed}: packets left", build.name);
            benches.push(bench);
        }
        let sum = |f: fn(&Bench) -> u64| benches.iter().map(f).sum::<u64>();
        assert!(sum(|b| b.board.accepted()) > 20_000, "{}: too little traffic", build.name);
        assert!(sum(|b| b.board.dropped()) > 200, "{}: too few bad packets", build.name);
        assert!(sum(|b| b.board.cut_delivered()) > 20, "{}: too few cut packets", build.name);
        let alone = missed(&build, &benches);
        assert!(alone.len() <= 3, "{}: random runs miss {alone:?}", build.name);
        for scenario in scenarios() {
            let mut script = script(scenario, &build.params, &Setup::default(), false, 0).unwrap();
            let mut bench = Bench::new(&build);
            while !script.done() {
                bench.run(&mut script, 256);
            }
            benches.push(bench);
        }
        let left = missed(&build, &benches);
        assert!(left.is_empty(), "{}: never hit: {left:?}", build.name);
    }
}

#[test]
fn scenarios_do_what_they_say() {
    let mut missed = Vec::new();
    for build in different_ports() {
        for scenario in scenarios() {
            let setup = Setup::default();
            let mut script = script(scenario, &build.params, &setup, false, 1).unwrap();
            let mut bench = Bench::new(&build);
            let mut cycles = 0;
            while !script.done() {
                bench.run(&mut script, 256);
                cycles += 256;
                assert!(cycles < 600_000, "{} {} never ends", build.name, scenario.name);
            }
            assert_eq!(bench.board.pending(), 0, "{} {}: packets left", build.name, scenario.name);
            println!("{} {}: {cycles} cycles, {} packets", build.name, scenario.name, bench.board.accepted());
            // The others place packets in queues of their outputs, on the lane of the header. Where those are not, they
            // run, but meet other things; random traffic covers these builds (above).
            let own = ["e1-detection", "e3-root-joins-tree", "e5-stop-go-registers"].contains(&scenario.name);
            let p = &build.params;
            let reserves =
                ["q1-", "q2-", "q5-", "q6-", "q7-", "q8-"].iter().any(|q| scenario.name.starts_with(q));
            let lane = p.ctl_vl && !scenario.name.starts_with("cl3")
                || p.srp != reserves && !scenario.name.starts_with("up1-");
            if (p.one_queue && p.isolation || p.vl_by_dest || lane) && !own {
                continue;
            }
            for name in covers(scenario.name) {
                let i = bench.unit.cover_points().iter().position(|p| p.name == *name);
                let i = i.unwrap_or_else(|| panic!("{}: no cover point {name}", scenario.name));
                if bench.unit.cover()[i] == 0 && cover_applies(name, &build.params) {
                    missed.push(format!("{} {} {name}", build.name, scenario.name));
                }
            }
        }
    }
    assert!(missed.is_empty(), "not reached:\n{}", missed.join("\n"));
}

/// B2, B3: with a neighbour that keeps to the rules and a link as slow as RX_INTERVAL says, nothing is refused, nothing
/// lacks, no error bit is ever set.
#[test]
fn a_good_neighbour_loses_nothing() {
    for build in different_ports() {
        for (seed, pace) in [(1, 1), (2, 1), (3, 2), (4, 7), (5, 15)] {
            let zero = Some(0.0);
            let knobs = Knobs {
                slow_link: Some(f64::from(pace)),
                gap_rate: zero,
                reconfig_rate: zero,
                violation_rate: zero,
                message_loss: zero,
                link_falls: zero,
                ..Knobs::default()
            };
            let (hth, lth) = (build.params.mtu as u32, 2);
            let input_port = vec![(0, 1), (1, hth), (2, lth), (4, 1), (5, pace), (6, 0), (7, 40), (8, 100)];
            let setup = Setup { input_port, ..Setup::default() };
            let mut source = Random::new(&build.params, &knobs, &setup, seed);
            let mut bench = Bench::new(&build);
            bench.run(&mut source, 40_000);
            source.drain();
            bench.run(&mut source, 30_000);
            let err = bench.layout.output("err");
            assert_eq!(bench.out[err], 0, "{} seed {seed}: errors", build.name);
            assert_eq!(bench.board.dropped(), 0, "{} seed {seed}", build.name);
            assert!(bench.board.accepted() > 100, "{} seed {seed}", build.name);
            assert_eq!(bench.board.delivered(), bench.board.accepted(), "{} seed {seed}", build.name);
            assert_eq!(bench.board.speculative(), 0, "{} seed {seed}", build.name);
        }
    }
}

/// B2: started by the rule, a packet leaves without gaps behind the slowest link.
#[test]
fn cut_through_never_underruns() {
    // Some of the scenario's data stand where a build with a control lane refuses them.
    for build in input_ports().into_iter().filter(|b| !b.params.ctl_vl) {
        let scenario = scenarios().iter().find(|s| s.name == "b2-cut-through").unwrap();
        let mut script = script(scenario, &build.params, &Setup::default(), false, 0).unwrap();
        let mut bench = Bench::new(&build);
        while !script.done() {
            bench.run(&mut script, 64);
        }
        let err = bench.layout.output("err");
        assert_eq!(bench.out[err], 0, "{}", build.name);
        assert!(bench.board.delivered() > 20);
    }
}

#[test]
fn a_round_has_a_length() {
    let build = input_ports()[2];
    let scenario = scenarios().iter().find(|s| s.name == "e6-relink-vs-loss").unwrap();
    let cycles = round_cycles(&build, scenario).unwrap();
    assert!((200..20_000).contains(&cycles), "{cycles}");
}

/// A hash of the inputs that a source makes against the golden model.
fn fingerprint(build: &Build, mut source: impl Source) -> u64 {
    let mut bench = Bench::new(build);
    let mut hash = 0u64;
    for _ in 0..20_000 {
        bench.run(&mut source, 1);
        for &w in &bench.input {
            hash = hash.rotate_left(5).wrapping_add(u64::from(w)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    hash
}

#[test]
fn a_seed_is_a_run() {
    let build = input_ports()[2];
    let of =
        |seed| fingerprint(&build, Random::new(&build.params, &Knobs::default(), &Setup::default(), seed));
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}
