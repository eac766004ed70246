//! Deliberately broken designs: each fault of tests/broken/faults.toml is put into a copy of the RTL, where it is
//! switched on at run time, and driven in a closed loop by a scenario or by random traffic. A property of `tb/` must
//! fail on it; with no fault switched on, none fails. One model per build serves all its faults.

use crate::extent::pick;
use quell::params::{Build, UnitKind, builds};
use quell::signals::Layout;
use quell::stimulus::knobs::{Knobs, Setup};
use quell::stimulus::scenario::{of_unit, round_cycles, source};
use quell::verilate::{self, Output, Sources, Tree};
use quell::verilated::Model;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Faults {
    fault: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Name, unique.
    pub name: String,
    /// What a user would see.
    text: String,
    /// `pair` for `tb/link_pair.sv`, `adapters` for `tb/adapter_pair.sv`, `acks` for `tb/ack_pair.sv` (both around
    /// `tb/adapter_loop.sv`): each has one build and one stimulus.
    unit: String,
    #[serde(default)]
    build: String,
    /// Other parameters than the build's, such as PORTS=4.
    #[serde(default)]
    parameters: Vec<String>,
    /// A scenario of the unit, or `random`.
    #[serde(default)]
    run: String,
    #[serde(default = "one")]
    seed: u64,
    /// Cycles; a round of the scenario if not given.
    cycles: Option<u64>,
    /// The assertion that must fail.
    fires: String,
    edit: Vec<Edit>,
}

/// A piece of a file of `rtl/`, which occurs there once. In `put`, FAULT is true when the fault is on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    file: String,
    find: String,
    put: String,
}

impl Fault {
    /// An edit for other tests than those of this file.
    pub fn edit_of(name: &str, file: &str, find: &str, put: &str) -> Fault {
        let [name, file, find, put] = [name, file, find, put].map(String::from);
        let edit = vec![Edit { file, find, put }];
        let [text, unit, build, run, fires] = [const { String::new() }; 5];
        Fault { name, text, unit, build, parameters: vec![], run, seed: 1, cycles: None, fires, edit }
    }
}

fn one() -> u64 {
    1
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn faults() -> Vec<Fault> {
    let path = root().join("tests/broken/faults.toml");
    let text = std::fs::read_to_string(&path).expect("faults.toml");
    toml::from_str::<Faults>(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).fault
}

fn build_of(fault: &Fault) -> Build {
    let find = |b: &Build| b.unit.cli_name() == fault.unit && b.name == fault.build;
    let mut build =
        builds().into_iter().find(find).unwrap_or_else(|| panic!("{}: no such build", fault.name));
    for text in &fault.parameters {
        build.set(text).unwrap_or_else(|e| panic!("{}: {e}", fault.name));
    }
    build
}

/// A file's text with the edits of some faults, which have numbers.
fn edited(file: &str, text: &str, faults: &[(usize, &Fault)]) -> String {
    let mut edits: Vec<(usize, usize, String, &str)> = Vec::new();
    for (number, f) in faults {
        for e in f.edit.iter().filter(|e| e.file == file) {
            let at: Vec<usize> = text.match_indices(&e.find).map(|(at, _)| at).collect();
            assert_eq!(at.len(), 1, "{}: {file} must have this once: {}", f.name, e.find);
            assert!(e.put.contains("FAULT"), "{}: nothing switches {}", f.name, e.put);
            let put = e.put.replace("FAULT", &format!("(quell_pkg::fault == {number})"));
            edits.push((at[0], at[0] + e.find.len(), put, &f.name));
        }
    }
    edits.sort();
    for pair in edits.windows(2) {
        assert!(pair[0].1 <= pair[1].0, "{} and {} change the same text of {file}", pair[0].3, pair[1].3);
    }
    let mut out = text.to_string();
    for (from, to, put, _) in edits.iter().rev() {
        out.replace_range(*from..*to, put);
    }
    if file == "quell_pkg.sv" {
        let number = "  // Which fault is on: plusarg +fault=N.\n  function automatic int fault_of();\n    \
            int n;\n    if ($value$plusargs(\"fault=%d\", n) == 0) n = 0;\n    return n;\n  endfunction\n  \
            int fault = fault_of();\nendpackage";
        out = out.replace("endpackage", number);
    }
    out
}

/// A folder with a copy of the RTL with some faults in it.
pub fn copy(name: &str, faults: &[(usize, &Fault)]) -> PathBuf {
    let rtl = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("broken-{name}")).join("rtl");
    let _ = std::fs::remove_dir_all(&rtl);
    std::fs::create_dir_all(&rtl).expect("a folder can be made");
    let mut names = BTreeSet::new();
    for path in files("rtl") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = edited(&name, &std::fs::read_to_string(&path).expect("readable"), faults);
        std::fs::write(rtl.join(&name), text).expect("written");
        names.insert(name);
    }
    for f in faults.iter().flat_map(|f| &f.1.edit) {
        assert!(names.contains(&f.file), "rtl/ has no {}", f.file);
    }
    rtl
}

/// The files of a folder of the project, sorted.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let mut all: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    all.sort();
    all
}

/// A copy of the RTL with some faults in it, and the checkers.
fn broken(name: &str, faults: &[(usize, &Fault)]) -> Tree {
    Tree::read(&copy(name, faults), &root().join("tb")).expect("readable")
}

/// The program of a pair of `tb/`. The units' own checkers are not in it: they run in all others.
fn pair_program(top: &str, faults: &[(usize, &Fault)]) -> PathBuf {
    let tree = broken(top, faults);
    let text = std::fs::read_to_string(root().join(format!("tb/{top}.sv"))).expect("readable");
    let design = verilate::Design {
        title: top.replace('_', " "),
        of: serde_json::Value::Null,
        top: (top, &text),
        sources: Sources::Unchecked(&tree),
        blocks: &[],
        verilator: &["-Wno-fatal", "-Wno-lint"],
        compiler: &["-DVM_COVERAGE=0"],
        runtime: &[],
        code: include_str!("broken/pair.cpp"),
        headers: &[],
        output: Output::Program,
    };
    verilate::make(&design, &verilate::store()).unwrap_or_else(|e| panic!("{e:#}")).object()
}

/// The labels of the assertions that failed.
fn labels(said: &str) -> BTreeSet<String> {
    let paths = said.lines().filter_map(|l| l.split_once("Assertion failed in ")?.1.split([':', ' ']).next());
    paths.map(|p| p.rsplit('.').next().unwrap_or(p).to_string()).collect()
}

/// How long a fault may run: so many cycles, or a round of its scenario.
fn cycles(fault: &Fault) -> u64 {
    fault.cycles.unwrap_or_else(|| {
        let build = build_of(fault);
        let found = of_unit(build.unit).iter().find(|s| s.name == fault.run);
        let found = found.unwrap_or_else(|| panic!("{}: no such scenario, or no cycles", fault.name));
        round_cycles(&build, found).expect("a round")
    })
}

/// Runs a fault (0: none) for so many cycles, or until the assertion `wanted` (else any) fails. What failed, and when first.
fn run(
    copy: &Tree,
    number: usize,
    fault: &Fault,
    seed: u64,
    wanted: Option<&str>,
    cycles: u64,
) -> BTreeMap<String, u64> {
    let build = build_of(fault);
    let layout = Layout::new(build.unit, &build.params);
    let scenario = (fault.run != "random").then_some(fault.run.as_str());
    let mut source = source(&build, scenario, &Knobs::default(), &Setup::default(), seed)
        .unwrap_or_else(|e| panic!("{}: {e}", fault.name));
    let moore = quell::model::new(build.unit, &build.params).expect("legal").is_moore();
    let mut model =
        Model::of_broken(&build, copy, number as u32, seed).unwrap_or_else(|e| panic!("{}: {e}", fault.name));
    let (mut seen, mut input) = (vec![0; layout.out_words], vec![0; layout.in_words]);
    let mut state = vec![0; layout.state_words];
    let mut failed = BTreeMap::new();
    model.reset();
    if moore {
        model.sample(&mut seen, &mut []);
    }
    for t in 0..cycles {
        layout.make_idle(&mut input);
        source.drive(&seen, &mut input);
        // A Moore unit shows what it has for the next cycle, a Mealy unit what it had in this one.
        let went = match moore {
            true => model.advance(&input, &mut seen, &mut []),
            false => model.cycle(&input, &mut seen, &mut state),
        };
        let Err(fired) = went else { continue };
        assert!(fired.sampled, "{}: {}", fault.name, fired.message);
        for label in labels(&fired.message) {
            failed.entry(label).or_insert(t);
        }
        if wanted.is_none_or(|w| failed.contains_key(w)) {
            break;
        }
        model.go_on();
    }
    failed
}

/// All faults of a build: none fires a property where it is off, and each its own where it is on.
fn check(unit: UnitKind, name: &str, parameters: &[&str]) {
    let all = faults();
    let only = std::env::var("FAULT").ok();
    let of_build = |f: &&Fault| f.unit == unit.cli_name() && f.build == name && f.parameters == parameters;
    let mine: Vec<(usize, &Fault)> =
        all.iter().filter(of_build).enumerate().map(|(i, f)| (i + 1, f)).collect();
    assert!(!mine.is_empty(), "no fault for {} {name}", unit.cli_name());
    let copy = broken(&build_of(mine[0].1).folder(), &mine);
    // How long the sound design must run under each stimulus: as long as the faults took to be told.
    let mut sound: BTreeMap<_, (u64, &Fault)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (number, fault) in mine {
        if only.as_ref().is_some_and(|o| *o != fault.name) {
            continue;
        }
        // Random traffic need not meet it with the first seed.
        let others = (1..=8).filter(|s| fault.run == "random" && *s != fault.seed);
        let mut seeds = std::iter::once(fault.seed).chain(others);
        let found = seeds.any(|seed| {
            let failed = run(&copy, number, fault, seed, Some(&fault.fires), cycles(fault));
            println!("{} {} {}, seed {seed}: {failed:?}", unit.cli_name(), fault.name, fault.run);
            let Some(at) = failed.get(&fault.fires) else { return false };
            let longest = sound.entry((&fault.run, seed)).or_insert((0, fault));
            longest.0 = longest.0.max(at + 1);
            true
        });
        if !found {
            wrong.push(format!("{}: {} does not fail", fault.name, fault.fires));
        }
    }
    for ((_, seed), (cycles, fault)) in sound {
        let failed = run(&copy, 0, fault, seed, None, cycles);
        if !failed.is_empty() {
            wrong.push(format!("the sound design, {}, seed {}: {failed:?}", fault.run, seed));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A pair of `tb/` and its faults: with none on nothing fails, and with each on its property does.
fn check_pair(unit: &str, top: &str) {
    let all = faults();
    let mine: Vec<(usize, &Fault)> =
        all.iter().filter(|f| f.unit == unit).enumerate().map(|(i, f)| (i + 1, f)).collect();
    let program = pair_program(top, &mine);
    let run = |number: usize, seeds: &str| {
        let o = Command::new(&program)
            .args([seeds, "4000", &format!("+fault={number}")])
            .output()
            .expect("it runs");
        (o.status.success(), String::from_utf8_lossy(&o.stdout).into_owned())
    };
    let (well, said) = run(0, pick("16", "40"));
    assert!(well, "the sound {unit}: {said}");
    for (number, fault) in mine {
        let failed = labels(&run(number, "8").1);
        println!("{unit} {}: {failed:?}", fault.name);
        assert!(
            failed.contains(&fault.fires),
            "{}: {} does not fail, but {failed:?}",
            fault.name,
            fault.fires
        );
    }
}

/// Two switches and the wires between them: what is conserved over the pair, and that all of it drains.
#[test]
fn pair_of_switches() {
    check_pair("pair", "link_pair");
}

/// Two switches with adapters: the loop of marks, CNPs and throttling comes to rest.
#[test]
fn pair_of_adapters() {
    check_pair("adapters", "adapter_pair");
}

/// Two switches with adapters that acknowledge: windows, ACKs and what comes back of those that are lost.
#[test]
fn pair_of_adapters_with_acks() {
    check_pair("acks", "ack_pair");
}

#[test]
fn input_port() {
    check(UnitKind::InputPort, "tiny", &[]);
}

#[test]
fn worm_router() {
    check(UnitKind::WormRouter, "tiny", &[]);
    check(UnitKind::WormRouter, "odd", &[]);
    check(UnitKind::WormRouter, "tinya", &[]);
}

#[test]
fn worm_adapter() {
    check(UnitKind::WormAdapter, "tiny", &[]);
    check(UnitKind::WormAdapter, "two", &[]);
    check(UnitKind::WormAdapter, "odd", &[]);
}

#[test]
fn injection_control() {
    check(UnitKind::InjectionControl, "tiny", &[]);
    check(UnitKind::InjectionControl, "mesh", &[]);
}

#[test]
fn input_port_with_two_hot_queues() {
    check(UnitKind::InputPort, "nfq", &[]);
}

#[test]
fn input_port_with_two_hot_queues_of_many() {
    check(UnitKind::InputPort, "tiny", &["HPQS=2", "LINES=4"]);
}

#[test]
fn output_port() {
    check(UnitKind::OutputPort, "tiny", &[]);
}

#[test]
fn ports_with_output_queues() {
    check(UnitKind::OutputPort, "cqtiny", &[]);
    check(UnitKind::InputPort, "cqtiny", &[]);
}

#[test]
fn control_lane() {
    check(UnitKind::OutputPort, "ctltiny", &[]);
    check(UnitKind::InputPort, "ctltiny", &[]);
    check(UnitKind::Hca, "ctltiny", &[]);
}

#[test]
fn lanes_of_speculative_reservation() {
    check(UnitKind::OutputPort, "spectiny", &[]);
    check(UnitKind::InputPort, "spectiny", &[]);
}

#[test]
fn routes_that_are_drawn() {
    check(UnitKind::InputPort, "uptiny", &[]);
    check(UnitKind::InputPort, "uptinysrp", &[]);
}

#[test]
fn output_port_of_wide_flits() {
    check(UnitKind::OutputPort, "tiny", &["FLIT_BYTES=64"]);
}

#[test]
fn input_port_with_marks_and_ages() {
    check(UnitKind::InputPort, "santiny", &[]);
}

#[test]
fn input_port_with_marks_beside_hot_queues() {
    check(UnitKind::InputPort, "marktiny", &[]);
}

#[test]
fn output_port_with_marks_and_ages() {
    check(UnitKind::OutputPort, "santiny", &[]);
}

#[test]
fn switch_with_marks_and_ages() {
    check(UnitKind::Switch, "santiny", &[]);
}

#[test]
fn switch() {
    check(UnitKind::Switch, "tiny", &[]);
}

#[test]
fn switch_with_one_read_port() {
    check(UnitKind::Switch, "tinyq", &[]);
}

#[test]
fn switch_of_four_with_one_read_port() {
    check(UnitKind::Switch, "tinyq", &["PORTS=4", "BLOCKS=96", "HPQS=4", "LINES=5"]);
}

#[test]
fn throttle() {
    check(UnitKind::HcaThrottle, "tiny", &[]);
}

#[test]
fn throttle_of_64_flows() {
    check(UnitKind::HcaThrottle, "f64", &[]);
}

#[test]
fn source_response() {
    check(UnitKind::SourceResponse, "tiny", &[]);
}

#[test]
fn reservation() {
    check(UnitKind::Reservation, "tiny", &[]);
}

#[test]
fn reservation_of_two_lanes() {
    check(UnitKind::Reservation, "two", &[]);
}

/// A chunk may last longer than a quarter of all times.
#[test]
fn reservation_with_little_time() {
    check(UnitKind::Reservation, "twod", &["NOW_W=12"]);
}

#[test]
fn reservation_with_losses() {
    check(UnitKind::Reservation, "tinyd", &[]);
}

#[test]
fn adapter() {
    check(UnitKind::Hca, "tiny", &[]);
}

#[test]
fn adapter_with_source_response() {
    check(UnitKind::Hca, "rtiny", &[]);
}

#[test]
fn adapter_with_reservation() {
    check(UnitKind::Hca, "srptiny", &[]);
}

#[test]
fn adapter_with_losses() {
    check(UnitKind::Hca, "srptinyd", &[]);
}

#[test]
fn adapter_with_lanes_by_destination() {
    check(UnitKind::Hca, "net8", &[]);
}

#[test]
fn adapter_of_wide_flits() {
    check(UnitKind::Hca, "wide", &[]);
}

#[test]
fn names_are_unique_and_properties_exist() {
    let sv = |p: &PathBuf| p.extension().is_some_and(|e| e == "sv");
    let checkers: String =
        files("tb").iter().filter(|p| sv(p)).map(|p| std::fs::read_to_string(p).expect("readable")).collect();
    let mut names = BTreeSet::new();
    for f in faults() {
        assert!(names.insert(f.name.clone()), "{} twice", f.name);
        assert!(!f.text.is_empty() && !f.edit.is_empty(), "{} is empty", f.name);
        assert!(checkers.contains(&format!("{}: assert", f.fires)), "{}: tb/ has no {}", f.name, f.fires);
    }
}
