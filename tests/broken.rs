//! Deliberately broken designs: each fault of tests/broken/faults.toml is put into a copy of the RTL, where it is
//! switched on at run time, and driven in a closed loop by a scenario or by random traffic. A property of `tb/` must
//! fail on it; with no fault switched on, none fails. One Verilated program per build serves all its faults.

use quell::experiments::knobs::{Knobs, Setup};
use quell::experiments::scenario::{of_unit, round_cycles, source};
use quell::measure::tools::{self, Design, Replay};
use quell::params::{Build, UnitKind, builds};
use quell::signals::Layout;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Faults {
    fault: Vec<Fault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    /// Name, unique.
    name: String,
    /// What a user would see.
    #[allow(dead_code)]
    text: String,
    unit: String,
    build: String,
    /// A scenario of the unit, or `random`.
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

fn one() -> u64 {
    1
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn faults() -> Vec<Fault> {
    let path = root().join("tests/broken/faults.toml");
    let text = std::fs::read_to_string(&path).expect("faults.toml");
    toml::from_str::<Faults>(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).fault
}

fn build_of(fault: &Fault) -> Build {
    let find = |b: &Build| b.unit.cli_name() == fault.unit && b.name == fault.build;
    builds().into_iter().find(find).unwrap_or_else(|| panic!("{}: no such build", fault.name))
}

/// A file's text with the edits of all faults; a fault's number is its place in the list, from 1 on.
fn edited(file: &str, text: &str, faults: &[Fault]) -> String {
    let mut edits: Vec<(usize, usize, String, &str)> = Vec::new();
    for (i, f) in faults.iter().enumerate() {
        for e in f.edit.iter().filter(|e| e.file == file) {
            let at: Vec<usize> = text.match_indices(&e.find).map(|(at, _)| at).collect();
            assert_eq!(at.len(), 1, "{}: {file} must have this once: {}", f.name, e.find);
            assert!(e.put.contains("FAULT"), "{}: nothing switches {}", f.name, e.put);
            let put = e.put.replace("FAULT", &format!("(quell_pkg::fault == {})", i + 1));
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

/// The program of a build with all faults in it; made anew only if something that it is made of has changed.
fn program(build: &Build, faults: &[Fault]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("broken-{}-{}", build.unit.cli_name(), build.name));
    let rtl = dir.join("rtl");
    std::fs::create_dir_all(&rtl).expect("a folder can be made");
    let mut texts = vec![include_str!("../src/measure/replay.h").to_string(), format!("{build:?}")];
    let mut copies = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("rtl")).expect("rtl/") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("readable");
        copies.insert(name.clone(), edited(&name, &text, faults));
    }
    for f in faults.iter().flat_map(|f| &f.edit) {
        assert!(copies.contains_key(&f.file), "rtl/ has no {}", f.file);
    }
    texts.extend(copies.values().cloned());
    let mut tb: Vec<PathBuf> =
        std::fs::read_dir(root().join("tb")).expect("tb/").map(|e| e.expect("readable").path()).collect();
    tb.sort();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let key = tools::fingerprint(&tb, &texts).expect("readable");
    let (stamp, made) = (dir.join("key"), dir.join("replay"));
    if made.is_file() && std::fs::read_to_string(&stamp).is_ok_and(|k| k == key) {
        return made;
    }
    let _ = std::fs::remove_file(&stamp);
    for (name, text) in &copies {
        std::fs::write(rtl.join(name), text).expect("written");
    }
    let made = tools::replay_program(build, &Design::Live { rtl: &rtl }, &dir).unwrap_or_else(|e| panic!("{e:#}"));
    std::fs::write(stamp, key).expect("written");
    made
}

/// Runs a fault (0: none) until the assertion `wanted` fails. What failed, and when first.
fn run(program: &Path, number: usize, fault: &Fault, wanted: Option<&str>) -> BTreeMap<String, u64> {
    let build = build_of(fault);
    let layout = Layout::new(build.unit, &build.params);
    let scenario = (fault.run != "random").then_some(fault.run.as_str());
    let cycles = fault.cycles.unwrap_or_else(|| {
        let found = of_unit(build.unit).iter().find(|s| Some(s.name) == scenario);
        let found = found.unwrap_or_else(|| panic!("{}: no such scenario, or no cycles", fault.name));
        round_cycles(&build, found).expect("a round")
    });
    let mut source = source(&build, scenario, &Knobs::default(), &Setup::default(), fault.seed)
        .unwrap_or_else(|e| panic!("{}: {e}", fault.name));
    let mealy = !quell::model::new(build.unit, &build.params).expect("legal").is_moore();
    let plus = format!("+fault={number}");
    let mut live = Replay::live(program, &plus, mealy, fault.seed).expect("it runs");
    let (mut seen, mut input) = (vec![0; layout.out_words], vec![0; layout.in_words]);
    let mut failed = BTreeMap::new();
    for t in 0..=cycles {
        let said = live.shown(&mut seen).unwrap_or_else(|e| panic!("{}: {e:#}", fault.name));
        for line in said.lines() {
            if let Some((_, what)) = line.split_once("Assertion failed in ") {
                let path = what.split([':', ' ']).next().unwrap_or(what);
                let label = path.rsplit('.').next().unwrap_or(path);
                failed.entry(label.to_string()).or_insert(t.saturating_sub(1));
            }
        }
        if wanted.map_or(!failed.is_empty(), |w| failed.contains_key(w)) {
            break;
        }
        input.fill(0);
        source.drive(&seen, &mut input);
        live.tell(bytes(&input).as_slice()).unwrap_or_else(|e| panic!("{}: {e:#}", fault.name));
    }
    failed
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// All faults of a build: none fires a property where it is off, and each its own where it is on.
fn check(unit: UnitKind, name: &str) {
    let all = faults();
    let only = std::env::var("FAULT").ok();
    let of_build = |f: &&(usize, &Fault)| f.1.unit == unit.cli_name() && f.1.build == name;
    let numbered: Vec<(usize, &Fault)> = all.iter().enumerate().map(|(i, f)| (i + 1, f)).collect();
    let mine: Vec<_> = numbered.iter().filter(of_build).collect();
    assert!(!mine.is_empty(), "no fault for {} {name}", unit.cli_name());
    let program = program(&build_of(mine[0].1), &all);
    let (mut sound, mut wrong) = (BTreeSet::new(), Vec::new());
    for (number, fault) in mine {
        if only.as_ref().is_some_and(|o| *o != fault.name) {
            continue;
        }
        if sound.insert((&fault.run, fault.seed, fault.cycles)) {
            let failed = run(&program, 0, fault, None);
            if !failed.is_empty() {
                wrong.push(format!("the sound design, {}, seed {}: {failed:?}", fault.run, fault.seed));
            }
        }
        let failed = run(&program, *number, fault, Some(&fault.fires));
        println!("{} {} {}: {failed:?}", unit.cli_name(), fault.name, fault.run);
        if !failed.contains_key(&fault.fires) {
            wrong.push(format!("{}: {} does not fail, but {failed:?}", fault.name, fault.fires));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn input_port() {
    check(UnitKind::InputPort, "tiny");
}

#[test]
fn input_port_with_two_hot_queues() {
    check(UnitKind::InputPort, "nfq");
}

#[test]
fn output_port() {
    check(UnitKind::OutputPort, "tiny");
}

#[test]
fn switch() {
    check(UnitKind::Switch, "tiny");
}

#[test]
fn switch_with_one_read_port() {
    check(UnitKind::Switch, "tinyq");
}

#[test]
fn throttle() {
    check(UnitKind::HcaThrottle, "tiny");
}

#[test]
fn throttle_of_64_flows() {
    check(UnitKind::HcaThrottle, "f64");
}

#[test]
fn adapter() {
    check(UnitKind::Hca, "tiny");
}

#[test]
fn names_are_unique_and_properties_exist() {
    let mut checkers = String::new();
    for entry in std::fs::read_dir(root().join("tb")).expect("tb/") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|e| e == "sv") {
            checkers += &std::fs::read_to_string(path).expect("readable");
        }
    }
    let mut names = BTreeSet::new();
    for f in faults() {
        assert!(names.insert(f.name.clone()), "{} twice", f.name);
        assert!(!f.text.is_empty() && !f.edit.is_empty(), "{} is empty", f.name);
        assert!(checkers.contains(&format!("{}: assert", f.fires)), "{}: tb/ has no {}", f.name, f.fires);
    }
}
