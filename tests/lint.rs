//! The RTL is clean under `verilator --lint-only -Wall` for every build, with no waivers, and keeps to the
//! house rules that can be read off its text.

use crate::extent::is_long;
use quell::params::{Build, Params, UnitKind, builds};
use quell::stimulus::regression::{is_large, is_smallest};
use quell::verilate::{Tools, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Switches that are linted as a whole.
const WHOLE: [&str; 2] = ["tiny", "tinyq"];

/// The `.sv` files of a folder, packages first.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .unwrap_or_else(|e| panic!("{folder}/: {e}"))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "sv"))
        .collect();
    files.sort_by_key(|path| (!path.to_string_lossy().ends_with("_pkg.sv"), path.clone()));
    assert!(!files.is_empty(), "{folder}/ has no .sv files");
    files
}

/// The files of `rtl/` that a module is made of, packages first. Others would only be parsed.
fn files_of(module: &str) -> Vec<PathBuf> {
    static TREE: OnceLock<Tree> = OnceLock::new();
    let tree = TREE.get_or_init(|| Tree::read(&root().join("rtl"), &root().join("tb")).expect("readable"));
    let needed: BTreeSet<PathBuf> = tree.needed(module).iter().map(|f| root().join(&f.name)).collect();
    sources("rtl").into_iter().filter(|f| needed.contains(f)).collect()
}

/// Lints a build, without or with the checkers of `tb/`. A switch is linted in two parts, since Verilator would look at each of its
/// ports anew: the ports alone, and (without checkers) the switch with modules in their places that have their pins only. Small switches of both
/// organisations are linted as a whole besides; and of every switch that is Verilated as a whole a warning stops its model.
fn lint(build: &Build, checkers: bool) -> Result<(), String> {
    if build.unit == UnitKind::Switch && !WHOLE.contains(&build.name) {
        let part = |unit| lint_with(&Build { unit, ..*build }, checkers, &files_of(unit.module()));
        part(UnitKind::InputPort)?;
        part(UnitKind::OutputPort)?;
        if checkers {
            return Ok(());
        }
        let pins = tempfile::tempdir().map_err(|e| format!("a folder: {e}"))?;
        let mut files = files_of(build.unit.module());
        for unit in [UnitKind::InputPort, UnitKind::OutputPort] {
            let name = format!("{}.sv", unit.module());
            let at = files.iter().position(|f| f.ends_with(&name)).expect("one module a file");
            files[at] = pins.path().join(&name);
            std::fs::write(&files[at], pins_only(unit)).map_err(|e| format!("{name}: {e}"))?;
        }
        return lint_with(build, false, &files);
    }
    lint_with(build, checkers, &files_of(build.unit.module()))
}

/// A module with the header of a unit, that does nothing.
fn pins_only(unit: UnitKind) -> String {
    let file = root().join("rtl").join(format!("{}.sv", unit.module()));
    let text = std::fs::read_to_string(file).expect("readable source");
    let header = &text[..text.find("\n);").expect("the end of the header") + 4];
    let mut stub = header.to_string();
    let mut inputs = Vec::new();
    for line in header.lines().map(str::trim).filter(|l| l.starts_with("output") || l.starts_with("input")) {
        let words = line.split("//").next().unwrap_or_default();
        let name = words.trim_end().trim_end_matches(',').rsplit(' ').next().expect("a name");
        if words.starts_with("input") {
            inputs.push(name);
        } else {
            stub += &format!("  assign {name} = '0;\n");
        }
    }
    let unused: Vec<&str> = inputs
        .into_iter()
        .chain(header.lines().filter_map(|l| l.trim().strip_prefix("parameter int ")?.split(' ').next()))
        .collect();
    stub + &format!("  wire unused = &{{1'b0, {}}};\nendmodule\n", unused.join(", "))
}

/// Optimisations of what is ordered already, where Verilator has nothing more to warn of. (Those before are on: without them it
/// sees circles of logic where there are none.)
const UNOPTIMISED: [&str; 9] = [
    "-fno-combine",
    "-fno-expand",
    "-fno-life",
    "-fno-life-post",
    "-fno-localize",
    "-fno-merge-cond",
    "-fno-subst",
    "-fno-subst-const",
    "-fno-table",
];

/// Lints a build made of these files. What was linted before with the same files and parameters is not linted again: builds of
/// several switches have the same ports.
fn lint_with(build: &Build, checkers: bool, files: &[PathBuf]) -> Result<(), String> {
    let mut args: Vec<String> =
        ["--lint-only", "-Wall", "--top-module", build.unit.module()].map(String::from).into();
    args.extend(UNOPTIMISED.map(String::from));
    if checkers {
        args.extend(["--assert", "+define+QUELL_CHECK", "-y", "tb"].map(String::from));
    }
    let pins_only = files.iter().any(|f| !f.starts_with(root()));
    if pins_only {
        args.push("-Wno-WIDTHCONCAT".into()); // a module of pins only gives wide zeros
    }
    for name in build.unit.parameter_names() {
        let value = build.params.get(name).expect("parameter_names() are known to get()");
        args.push(format!("-G{name}={value}"));
    }
    // The folder of modules of pins only has another name every time.
    let key = format!("{args:?} {pins_only}");
    args.extend(files.iter().map(|f| f.to_string_lossy().into_owned()));
    linted(key, || verilator(&args))
        .map_err(|said| format!("{} {}, checkers {checkers}:\n{said}", build.unit.module(), build.name))
}

/// What a run said, by what was linted.
type Linted = BTreeMap<String, Arc<OnceLock<Result<(), String>>>>;

/// The verdict on something: that of the first time. Others wait for it.
fn linted(key: String, lint: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    static LINTED: Mutex<Linted> = Mutex::new(BTreeMap::new());
    let verdict = LINTED.lock().expect("no panic").entry(key).or_default().clone();
    verdict.get_or_init(lint).clone()
}

/// Verilator, to be given its arguments.
fn run_verilator() -> Command {
    Tools::find().expect("Verilator").run_verilator()
}

/// Runs Verilator, which must succeed and say nothing.
fn verilator(args: &[String]) -> Result<(), String> {
    let output = run_verilator().args(args).current_dir(root()).output();
    let output = output.map_err(|e| format!("verilator: {e}"))?;
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if output.status.success() && text.trim().is_empty() { Ok(()) } else { Err(text) }
}

/// In the short form three of the large switches and routers.
fn tested() -> Vec<Build> {
    let left_out = |b: &Build| {
        let switched = matches!(b.unit, UnitKind::Switch | UnitKind::WormRouter);
        switched && is_large(b) && !["voq8", "cq8", "worm5"].contains(&b.name)
    };
    builds().into_iter().filter(|b| is_long() || !left_out(b)).collect()
}

#[test]
fn every_build_is_lint_clean() {
    // Checkers of other builds say in the short form what those of the smallest ones do; warnings that stop a model are told there, too.
    let checked = |b: &Build| is_long() || is_smallest(b);
    let faults: Vec<String> = tested()
        .iter()
        .flat_map(|b| [Some(lint(b, false)), checked(b).then(|| lint(b, true))])
        .flatten()
        .filter_map(Result::err)
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A circle of logic in a module is told where the module stands alone and in its unit, in whichever form it is written. What
/// nothing reads is not: Verilator (5.006) has removed it before it looks for circles, with its optimisations and without.
/// Yosys elaborates a module anew whose instance is connected with an expression that has an unsized literal, and stops where that is the
/// top module of a proof with checkers in it: such a model cannot be made. (Making them all takes minutes; this names the line.)
#[cfg(feature = "prove")]
#[test]
fn proofs_of_modules_can_be_made() {
    let unsized_in_connection = |line: &str| {
        let line = line.split("//").next().unwrap_or("").trim();
        let bits = line.match_indices('\'').filter(|(at, _)| {
            let mut rest = line[at + 1..].chars();
            matches!(rest.next(), Some('0' | '1')) && !rest.next().is_some_and(|c| c.is_alphanumeric())
        });
        line.starts_with('.') && line.contains('(') && bits.count() > 0
    };
    assert!(unsized_in_connection("  .a_i(b != '0),") && !unsized_in_connection("  .a_i(b != 2'd0),  // '0"));
    let modules: BTreeSet<&str> = quell::prove::HARNESSES.iter().map(|h| h.module).collect();
    assert!(modules.contains("hca") && modules.contains("worm_router"), "{modules:?}");
    for module in modules {
        let file = root().join(format!("rtl/{module}.sv"));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let found = text.lines().enumerate().find(|l| unsized_in_connection(l.1));
        assert!(found.is_none(), "{}, line and text {found:?} (from 0): make it a wire", file.display());
    }
}

#[test]
fn circles_of_logic_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("reply_source.sv");
    let source = std::fs::read_to_string(root().join("rtl/reply_source.sv")).expect("readable source");
    let linted = |top: &str, circle: &str, read: &str| {
        let text = source.replace("  assign move_o = any;", &format!("{circle}  assign move_o = any{read};"));
        assert_ne!(text, source, "the text to break is gone");
        std::fs::write(&broken, text).expect("written");
        let mut args = ["--lint-only", "-Wall", "--top-module", top].map(String::from).to_vec();
        args.extend(UNOPTIMISED.map(String::from));
        let of = |f: PathBuf| if f.ends_with("reply_source.sv") { broken.clone() } else { f };
        args.extend(files_of(top).into_iter().map(|f| of(f).to_string_lossy().into_owned()));
        verilator(&args)
    };
    let two = "  logic a, b;\n  assign a = b & move_i;\n  assign b = a | queued_i;\n";
    let block = "  logic a, b;\n  always_comb begin\n    a = b & move_i;\n    b = a | queued_i;\n  end\n";
    for (top, circle) in [("reply_source", two), ("reply_source", block), ("hca", two)] {
        let said = linted(top, circle, " ^ a").expect_err(top);
        assert!(said.contains("UNOPTFLAT"), "{top}: {said}");
    }
    let unread = format!("{two}  wire unused_a = &{{1'b0, a}};\n");
    assert_eq!(linted("reply_source", &unread, ""), Ok(()), "then say so above");
}

/// The match with parity; all else has a build with it.
#[test]
fn parity_goes_with_one_queue() {
    let build = builds().into_iter().find(|b| b.unit == UnitKind::Switch && b.params.one_queue).expect("one");
    let build = Build { params: Params { parity: true, ..build.params }, ..build };
    build.params.check().expect("legal parameters");
    let faults: Vec<String> =
        [lint(&build, false), lint(&build, true)].into_iter().filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Ports with marks and ages of other sizes than those of the builds.
#[test]
fn marks_and_ages_of_many_sizes_are_lint_clean() {
    let sizes = [(1, 1, 32, 32), (2, 3, 9, 1), (5, 2, 8, 4)];
    let faults: Vec<String> = sizes
        .iter()
        .flat_map(|&(ports, vls, stamp_w, mtu)| {
            let params = Params {
                ports,
                vls,
                stamp_w,
                mtu,
                blocks: 32 * vls,
                markers: true,
                isolation: false,
                ..tiny(UnitKind::Switch).params
            };
            [UnitKind::InputPort, UnitKind::OutputPort].map(|unit| Build { params, unit, ..tiny(unit) })
        })
        .flat_map(|build| [lint(&build, false), lint(&build, true)])
        .filter_map(Result::err)
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Ports with queues at the outputs of other sizes than those of the builds: ports, VLs, MTU, flits of a VL's queue.
#[test]
fn output_queues_of_many_sizes_are_lint_clean() {
    let sizes = [(1, 1, 1, 1), (2, 3, 9, 9), (5, 2, 8, 2048), (1, 64, 1, 2)];
    let faults: Vec<String> = sizes
        .iter()
        .flat_map(|&(ports, vls, mtu, ocap)| {
            let params = Params {
                ports,
                vls,
                vl_by_dest: vls > 16,
                mtu,
                blocks: 32 * vls,
                isolation: false,
                cioq: true,
                oblocks: ocap * vls,
                ..tiny(UnitKind::Switch).params
            };
            [UnitKind::InputPort, UnitKind::OutputPort].map(|unit| Build { params, unit, ..tiny(unit) })
        })
        .flat_map(|build| [lint(&build, false), lint(&build, true)])
        .filter_map(Result::err)
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Switches of other sizes than those of the builds, from one port to a large one.
#[test]
fn switches_of_many_sizes_are_lint_clean() {
    let tiny = tiny(UnitKind::Switch);
    let with = |ports, one_queue| {
        let iterations = if one_queue { 3 } else { 1 };
        let params = Params { ports, vls: 1, dlist: 1, one_queue, iterations, ..tiny.params };
        Build { params, ..tiny }
    };
    let faults: Vec<String> =
        [with(1, false), with(1, true), with(4, false), with(9, true), with(16, true), with(36, false)]
            .iter()
            // The large ones take a minute.
            .filter(|b| is_long() || b.params.ports < 16)
            .filter_map(|b| lint(b, false).err().map(|e| format!("PORTS = {}: {e}", b.params.ports)))
            .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The module that stands beside the units: for switches and adapters, small and large.
#[test]
fn apb_is_lint_clean() {
    let sizes = [
        "-GPORTS=1 -GLFT_DEPTH=2",
        "-GPORTS=64 -GLFT_DEPTH=65536",
        "-GADAPTER=1 -GLFT_DEPTH=2 -GFLOWS=2 -GCCT=8",
        "-GADAPTER=1 -GLFT_DEPTH=65536 -GFLOWS=4096 -GCCT=16384",
    ];
    for size in sizes {
        for checkers in [&[][..], &["--assert", "+define+QUELL_CHECK", "-y", "tb"]] {
            let mut command = run_verilator();
            command.args(["--lint-only", "-Wall", "--top-module", "apb_config", "rtl/apb_config.sv"]);
            let output = command.args(size.split(' ')).args(checkers).current_dir(root()).output();
            let output = output.expect("verilator runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{size}: {said}");
        }
    }
}

/// The small build of a unit.
fn tiny(unit: UnitKind) -> Build {
    Build::named(unit, Some("tiny")).expect("tiny")
}

/// Units of these sizes are clean, with checkers and without.
fn sizes_are_clean(build: Build, sizes: &[Params]) {
    let faults: Vec<String> = sizes
        .iter()
        .map(|&params| Build { params, ..build })
        .flat_map(|b| [lint(&b, false), lint(&b, true)])
        .filter_map(Result::err)
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Throttles of other sizes than those of the builds: lanes by SL and by destination, few and many flows.
#[test]
fn throttles_of_many_sizes_are_lint_clean() {
    let tiny = tiny(UnitKind::HcaThrottle);
    let p = tiny.params;
    let sizes = [
        Params { vls: 3, flows: 2, ..p },
        Params { vls: 16, flows: 33, cct: 16384, ts_w: 32, ..p },
        Params { vls: 3, vl_by_dest: true, flows: 7, parity: true, ..p },
        Params { vls: 64, vl_by_dest: true, flows: 20, ..p },
    ];
    sizes_are_clean(tiny, &sizes);
}

/// Source responses of other sizes than those of the builds.
#[test]
fn source_responses_of_many_sizes_are_lint_clean() {
    let tiny = tiny(UnitKind::SourceResponse);
    let p = tiny.params;
    let sizes = [
        Params { vls: 3, flows: 2, ts_w: 8, ..p },
        Params { vls: 16, flows: 4096, ts_w: 32, ..p },
        Params { vls: 3, vl_by_dest: true, flows: 7, parity: true, ..p },
        Params { vls: 64, vl_by_dest: true, flows: 20, ..p },
    ];
    sizes_are_clean(tiny, &sizes);
}

/// Reservation of other sizes than those of the builds: lanes whose number divides nothing, chunks of one packet.
#[test]
fn reservations_of_many_sizes_are_lint_clean() {
    let tiny = tiny(UnitKind::Reservation);
    let p = tiny.params;
    let sizes = [
        Params { nmax: 1, mtu: 1, flows: 2, vls: 10, ..p },
        Params {
            nmax: 64,
            mtu: 64,
            flows: 4096,
            msgq: 64,
            repq: 256,
            ctl_blocks: 512,
            vls: 11,
            now_w: 32,
            ..p
        },
        Params { nmax: 2, flows: 33, ctl_blocks: 7, msgq: 4, vls: 6, now_w: 14, cnt_w: 2, ..p },
    ];
    sizes_are_clean(tiny, &sizes);
}

/// Adapters with reservation of other sizes than those of the builds: one lane of data and eight, few and many flows.
#[test]
fn adapters_with_reservation_of_many_sizes_are_lint_clean() {
    let tiny = Build::named(UnitKind::Hca, Some("srptiny")).expect("srptiny");
    let p = tiny.params;
    let sizes = [
        Params { vls: 11, mtu: 1, flows: 2, blocks: 9, rx_blocks: 18, ctl_blocks: 512, nmax: 1, ..p },
        Params {
            vls: 7,
            mtu: 64,
            flows: 33,
            blocks: 320,
            rx_blocks: 3205,
            ctl_blocks: 3,
            nmax: 64,
            msgq: 64,
            repq: 256,
            now_w: 32,
            cnt_w: 2,
            ..p
        },
        Params { mtu: 16, flows: 4096, blocks: 4096, rx_blocks: 64, now_w: 32, ts_w: 16, ..p },
    ];
    sizes.iter().for_each(|p| p.check_unit(UnitKind::Hca).expect("legal parameters"));
    sizes_are_clean(tiny, &sizes);
}

/// Adapters of other sizes than those of the builds; lanes by destination whose number divides nothing.
#[test]
fn adapters_of_many_sizes_are_lint_clean() {
    let tiny = tiny(UnitKind::Hca);
    let p = tiny.params;
    let sizes = [
        Params { vls: 1, isolation: false, ..p },
        Params { vls: 1, lines: 1, dlist: 1, flows: 2, ..p },
        Params { vls: 3, vl_by_dest: true, flows: 7, rx_blocks: 12, ..p },
        Params { vls: 64, vl_by_dest: true, flows: 64, blocks: 256, rx_blocks: 256, ..p },
        Params {
            flit_bytes: 64,
            mtu: 64,
            blocks: 128,
            rx_blocks: 200,
            advoq: 256,
            cnpq: 64,
            ts_w: 14,
            flows: 1000,
            ..p
        },
    ];
    let clean = |&params: &Params| {
        params.check()?;
        lint(&Build { params, ..tiny }, false)
    };
    let faults: Vec<String> = sizes.iter().filter_map(|p| clean(p).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A buffer with an engine that discards, as an input port with speculative reservation has it: engines with a read port each, and, which
/// no unit has, with one for all.
#[test]
fn a_buffer_that_discards_is_lint_clean() {
    for reads in [3, 1] {
        let reads = format!("-GREADS={reads}");
        let output = run_verilator()
            .args(["--lint-only", "-Wall", "--top-module", "pkt_buffer"])
            .args(["-GENGINES=4", "-GDISCARDS=1", &reads])
            .args(files_of("pkt_buffer"))
            .output()
            .expect("verilator runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.trim().is_empty(), "{reads}: {text}");
    }
}

/// What is linted is made of the files that it names: no file may be left over.
#[test]
fn every_file_is_of_something_that_is_linted() {
    let tops: Vec<&str> = builds().iter().map(|b| b.unit.module()).chain(["apb_config"]).collect();
    let linted = files_of(&tops.join(" "));
    let left: Vec<PathBuf> = sources("rtl").into_iter().filter(|f| !linted.contains(f)).collect();
    assert!(left.is_empty(), "part of no unit: {left:?}");
}

/// A cast to a size with a unary operator right before it.
fn has_operator_before_cast(text: &str) -> bool {
    text.match_indices("'(").any(|(at, _)| {
        let before = text[..at].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        before.ends_with(['~', '!'])
    })
}

#[test]
fn no_waivers_and_one_module_a_file() {
    for path in sources("rtl").into_iter().chain(sources("tb")) {
        let text = std::fs::read_to_string(&path).expect("readable source");
        let shown = path.display();
        assert!(!text.contains("lint_off"), "{shown}: lint_off is not allowed; mend what is warned of");
        assert!(text.contains("`default_nettype none"), "{shown}: `default_nettype none is missing");
        assert!(!has_operator_before_cast(&text), "{shown}: Yosys takes ~16'(x) for a cast to ~16 bits");
        let units: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("module ").or_else(|| line.strip_prefix("package ")))
            .filter_map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next())
            .collect();
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        assert_eq!(units, [stem], "{shown}: must hold one module or package, named like the file");
    }
    let waivers: Vec<_> = ["rtl", "tb"]
        .iter()
        .filter_map(|folder| std::fs::read_dir(root().join(folder)).ok())
        .flatten()
        .filter_map(|entry| entry.ok())
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "vlt"))
        .collect();
    assert!(waivers.is_empty(), "waiver files: {waivers:?}");
}

/// The parameters of a unit: those of its build `tiny`, some changed.
fn parameters(unit: UnitKind, changed: &[(&str, usize)]) -> Vec<(&'static str, usize)> {
    let tiny = tiny(unit);
    let value = |name: &'static str| {
        let changed = changed.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        (name, changed.or(tiny.params.get(name)).expect("parameter_names() are known to get()"))
    };
    unit.parameter_names().iter().map(|n| value(n)).collect()
}

/// What Verilator says of units with these parameters, instances `c0`, `c1` ... of one module.
fn elaborate(cases: &[(UnitKind, &[(&str, usize)])]) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cases.sv");
    let mut text = String::from("module cases;\n");
    for (i, (unit, changed)) in cases.iter().enumerate() {
        let values: Vec<String> =
            parameters(*unit, changed).iter().map(|(n, v)| format!(".{n}({v})")).collect();
        text += &format!("  {} #({}) c{i} ();\n", unit.module(), values.join(", "));
    }
    std::fs::write(&file, text + "endmodule\n").expect("written");
    let mut command = run_verilator();
    command.args(["--lint-only", "-Wno-lint", "-Wno-style", "--error-limit", "0", "--top-module", "cases"]);
    command.args(UNOPTIMISED);
    let modules: Vec<&str> = cases.iter().map(|(unit, _)| unit.module()).collect();
    let output = command.args(files_of(&modules.join(" "))).arg(&file).output().expect("verilator runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Says whether a parameter is refused in instance `c<i>` (or in any), by its name.
fn refuses(said: &str, instance: Option<usize>, name: &str) -> bool {
    said.split("\n%").any(|message| {
        let here = instance.is_none_or(|i| {
            let after = message.split_once(&format!("In instance cases.c{i}")).map(|(_, after)| after);
            after.is_some_and(|a| !a.starts_with(|c: char| c.is_ascii_digit()))
        });
        let text: Vec<&str> = message.lines().take_while(|l| !l.contains("$error")).collect();
        let text = text.join("\n");
        here && text.contains(name)
            && ["must be", "out of range", "too small"].iter().any(|w| text.contains(w))
    })
}

/// Units, and parameters changed in them.
type Case = (&'static [UnitKind], &'static [(&'static str, usize)]);

#[test]
fn illegal_parameters_stop_elaboration() {
    use UnitKind::{Hca, HcaThrottle, InputPort, OutputPort, Reservation, SourceResponse, Switch};
    const BOTH: &[UnitKind] = &[InputPort, OutputPort];
    const IN: &[UnitKind] = &[InputPort];
    const OUT: &[UnitKind] = &[OutputPort];
    const HCA: &[UnitKind] = &[HcaThrottle, Hca];
    const FLOW: &[UnitKind] = &[HcaThrottle, SourceResponse, Hca];
    const SELECT: &[UnitKind] = &[HcaThrottle, SourceResponse];
    const ADAPTER: &[UnitKind] = &[Hca];
    const SWITCH: &[UnitKind] = &[Switch];
    const TIMES: &[UnitKind] = &[Reservation];
    const PARITY: &[UnitKind] = &[InputPort, OutputPort, HcaThrottle, Switch, Hca, SourceResponse];
    // Just outside each limit; the parameter at fault comes first and must be named.
    let illegal: &[Case] = &[
        (BOTH, &[("PORTS", 0)]),
        (BOTH, &[("PORTS", 65)]),
        (BOTH, &[("VLS", 17), ("BLOCKS", 68)]),
        (BOTH, &[("VLS", 65), ("BLOCKS", 260), ("VL_BY_DEST", 1)]),
        (BOTH, &[("MTU", 0)]),
        (BOTH, &[("MTU", 65), ("BLOCKS", 200)]),
        (IN, &[("BLOCKS", 25)]),
        (IN, &[("BLOCKS", 6)]),
        (IN, &[("BLOCKS", 4098)]),
        (IN, &[("HPQS", 0)]),
        (IN, &[("HPQS", 9)]),
        (BOTH, &[("LINES", 0)]),
        (BOTH, &[("LINES", 33)]),
        (BOTH, &[("DLIST", 0)]),
        (BOTH, &[("DLIST", 33)]),
        (IN, &[("LFT_DEPTH", 1)]),
        (IN, &[("LFT_DEPTH", 65537)]),
        (BOTH, &[("FLIT_BYTES", 48)]),
        (BOTH, &[("TIMER_W", 3)]),
        (BOTH, &[("TIMER_W", 33)]),
        (BOTH, &[("ISOLATION", 2)]),
        (BOTH, &[("ONE_QUEUE", 1)]), // with two VLs
        (BOTH, &[("ONE_QUEUE", 2), ("VLS", 1)]),
        (BOTH, &[("VL_BY_DEST", 2)]),
        (BOTH, &[("CIOQ", 2), ("ISOLATION", 0)]),
        (BOTH, &[("CIOQ", 1)]), // with CAM lines
        (BOTH, &[("CIOQ", 1), ("ONE_QUEUE", 1), ("ISOLATION", 0), ("VLS", 1)]),
        (OUT, &[("OBLOCKS", 25), ("CIOQ", 1), ("ISOLATION", 0)]),
        (OUT, &[("OBLOCKS", 6), ("CIOQ", 1), ("ISOLATION", 0)]),
        (OUT, &[("OBLOCKS", 4098), ("CIOQ", 1), ("ISOLATION", 0)]),
        (BOTH, &[("CTL_VL", 2), ("ISOLATION", 0)]),
        (BOTH, &[("CTL_VL", 1)]), // with CAM lines
        (BOTH, &[("CTL_VL", 1), ("ISOLATION", 0), ("VLS", 1)]),
        (BOTH, &[("CTL_VL", 1), ("ISOLATION", 0), ("VL_BY_DEST", 1)]),
        (BOTH, &[("CTL_VL", 1), ("ISOLATION", 0), ("CIOQ", 1)]),
        (ADAPTER, &[("CTL_VL", 1)]), // checked by its ports
        (BOTH, &[("SRP", 2), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152)]),
        (BOTH, &[("SRP", 1), ("VLS", 4), ("BLOCKS", 1152)]), // with CAM lines
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 3), ("BLOCKS", 640)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 12), ("BLOCKS", 5248)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152), ("VL_BY_DEST", 1)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152), ("MARKERS", 1)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152), ("STAMP_W", 8)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152), ("CIOQ", 1)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152), ("CTL_VL", 1)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152), ("PARITY", 1)]),
        (BOTH, &[("DATA_BLOCKS", 3), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 643)]),
        (BOTH, &[("DATA_BLOCKS", 2049), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 2689)]),
        (IN, &[("SPEC_BLOCKS", 3), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 643)]),
        (IN, &[("SPEC_BLOCKS", 2049), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 2689)]),
        (IN, &[("CTL_BLOCKS", 1), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1026)]),
        (IN, &[("CTL_BLOCKS", 513), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 2050)]),
        (IN, &[("BLOCKS", 1151), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4)]),
        (IN, &[("RANDOM_UP", 2), ("ISOLATION", 0)]),
        (IN, &[("RANDOM_UP", 1)]), // with CAM lines
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("ONE_QUEUE", 1), ("VLS", 1)]),
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("VL_BY_DEST", 1)]),
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("MARKERS", 1)]),
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("STAMP_W", 8)]),
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("CIOQ", 1)]),
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("PARITY", 1)]),
        (IN, &[("PORTS", 33), ("RANDOM_UP", 1), ("ISOLATION", 0)]),
        (SWITCH, &[("RANDOM_UP", 1)]), // checked by its ports
        (SWITCH, &[("PORTS", 0)]),
        (SWITCH, &[("ITERATIONS", 0)]),
        (SWITCH, &[("ITERATIONS", 9)]),
        (SWITCH, &[("LINES", 33)]), // checked by its ports
        (SWITCH, &[("VLS", 17), ("BLOCKS", 68)]),
        (ADAPTER, &[("VLS", 17), ("BLOCKS", 68), ("RX_BLOCKS", 68)]),
        (FLOW, &[("VLS", 17)]),
        (SELECT, &[("VLS", 65), ("VL_BY_DEST", 1)]),
        (ADAPTER, &[("VLS", 65), ("BLOCKS", 260), ("RX_BLOCKS", 260), ("VL_BY_DEST", 1)]),
        (FLOW, &[("VL_BY_DEST", 2)]),
        (FLOW, &[("FLOWS", 1)]),
        (FLOW, &[("FLOWS", 4097), ("TS_W", 24)]),
        (HCA, &[("CCT", 12)]),
        (HCA, &[("CCT", 4)]),
        (HCA, &[("CCT", 32768)]),
        (FLOW, &[("TS_W", 7)]),
        (FLOW, &[("TS_W", 33)]),
        (FLOW, &[("TS_W", 9), ("FLOWS", 33)]), // 2^7 < 4 * 33
        (ADAPTER, &[("ADVOQ", 1)]),
        (ADAPTER, &[("ADVOQ", 6)]),
        (ADAPTER, &[("ADVOQ", 512)]),
        (ADAPTER, &[("RX_BLOCKS", 17)]),
        (ADAPTER, &[("RX_BLOCKS", 6)]),
        (ADAPTER, &[("RX_BLOCKS", 4098)]),
        (ADAPTER, &[("CNPQ", 1)]),
        (ADAPTER, &[("CNPQ", 12)]),
        (ADAPTER, &[("CNPQ", 8192)]),
        (ADAPTER, &[("CNPQ", 4096), ("VLS", 16), ("BLOCKS", 64), ("RX_BLOCKS", 64)]), // st_cnp_pkts has 16 bits
        (ADAPTER, &[("RESPONSE", 2)]),
        (PARITY, &[("PARITY", 2)]),
        (TIMES, &[("VLS", 3)]),
        (TIMES, &[("VLS", 12)]),
        (TIMES, &[("MTU", 65), ("NOW_W", 32)]),
        (TIMES, &[("FLOWS", 1)]),
        (TIMES, &[("FLOWS", 4097), ("NOW_W", 32)]),
        (TIMES, &[("CTL_BLOCKS", 1)]),
        (TIMES, &[("CTL_BLOCKS", 513)]),
        (TIMES, &[("CNT_W", 1)]),
        (TIMES, &[("CNT_W", 33)]),
        (TIMES, &[("NMAX", 0)]),
        (TIMES, &[("NMAX", 3)]),
        (TIMES, &[("NMAX", 128), ("NOW_W", 32)]),
        (TIMES, &[("MSGQ", 1)]),
        (TIMES, &[("MSGQ", 6)]),
        (TIMES, &[("MSGQ", 128)]),
        (TIMES, &[("REPQ", 1)]),
        (TIMES, &[("REPQ", 12)]),
        (TIMES, &[("REPQ", 512)]),
        (TIMES, &[("NOW_W", 11)]),
        (TIMES, &[("NOW_W", 33)]),
        (TIMES, &[("NOW_W", 12), ("FLOWS", 32), ("NMAX", 1), ("MTU", 1)]), // 32 * 64 = 2^11
        (TIMES, &[("NOW_W", 13), ("FLOWS", 16), ("NMAX", 16)]),            // 16 * 16 * 4 * 2 = 2^11
        (ADAPTER, &[("BLOCKS", 6)]),                                       // checked by its input port
        (ADAPTER, &[("SRP", 2), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)]),
        (ADAPTER, &[("SRP", 1), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)]), // with CAM lines
        (ADAPTER, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 3), ("BLOCKS", 12), ("RX_BLOCKS", 12)]),
        (ADAPTER, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 12), ("BLOCKS", 40), ("RX_BLOCKS", 40)]),
        (
            ADAPTER,
            &[("SRP", 1), ("RESPONSE", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("SRP", 1), ("CTL_VL", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("SRP", 1), ("VL_BY_DEST", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("SRP", 1), ("PARITY", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (ADAPTER, &[("NMAX", 0)]),
        (ADAPTER, &[("NMAX", 3)]),
        (ADAPTER, &[("NMAX", 128)]),
        (ADAPTER, &[("MSGQ", 1)]),
        (ADAPTER, &[("MSGQ", 6)]),
        (ADAPTER, &[("MSGQ", 128)]),
        (ADAPTER, &[("REPQ", 1)]),
        (ADAPTER, &[("REPQ", 12)]),
        (ADAPTER, &[("REPQ", 512)]),
        (ADAPTER, &[("NOW_W", 11)]),
        (ADAPTER, &[("NOW_W", 33)]),
        (ADAPTER, &[("NOW_W", 12), ("FLOWS", 32)]),
        (
            ADAPTER,
            &[("CTL_BLOCKS", 1), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("NMAX", 3), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("MSGQ", 6), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("REPQ", 12), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("NOW_W", 33), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("CCT", 12), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("TS_W", 7), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("ADVOQ", 6), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[("CNPQ", 12), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16), ("RX_BLOCKS", 16)],
        ),
        (
            ADAPTER,
            &[
                ("TS_W", 9),
                ("FLOWS", 33),
                ("SRP", 1),
                ("ISOLATION", 0),
                ("VLS", 4),
                ("BLOCKS", 16),
                ("RX_BLOCKS", 16),
            ],
        ),
        (ADAPTER, &[("RX_BLOCKS", 17), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16)]),
        (ADAPTER, &[("RX_BLOCKS", 6), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 16)]),
        (ADAPTER, &[("BLOCKS", 17), ("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("RX_BLOCKS", 16)]),
    ];
    // The limits themselves, as many at once as go together.
    let legal: &[Case] = &[
        (BOTH, &[("PORTS", 1), ("MTU", 1), ("LINES", 1), ("DLIST", 1), ("TIMER_W", 4)]),
        (BOTH, &[("VLS", 16), ("BLOCKS", 64)]),
        (BOTH, &[("VLS", 64), ("BLOCKS", 256), ("VL_BY_DEST", 1)]),
        (BOTH, &[("MTU", 64), ("BLOCKS", 128), ("LINES", 32), ("DLIST", 32)]),
        (IN, &[("BLOCKS", 8), ("LFT_DEPTH", 2)]),
        (IN, &[("BLOCKS", 4096), ("HPQS", 8), ("LFT_DEPTH", 65536)]),
        (BOTH, &[("CIOQ", 1), ("ISOLATION", 0), ("OBLOCKS", 8)]),
        (BOTH, &[("CIOQ", 1), ("ISOLATION", 0), ("OBLOCKS", 4096)]),
        (OUT, &[("OBLOCKS", 25)]), // no queue
        (BOTH, &[("CTL_VL", 1), ("ISOLATION", 0), ("VLS", 16), ("BLOCKS", 64)]),
        (ADAPTER, &[("CTL_VL", 1), ("ISOLATION", 0)]),
        (BOTH, &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 1152)]),
        (
            BOTH,
            &[
                ("SRP", 1),
                ("ISOLATION", 0),
                ("VLS", 11),
                ("BLOCKS", 40),
                ("DATA_BLOCKS", 4),
                ("SPEC_BLOCKS", 4),
                ("CTL_BLOCKS", 2),
            ],
        ),
        (
            IN,
            &[
                ("SRP", 1),
                ("ISOLATION", 0),
                ("VLS", 4),
                ("BLOCKS", 5120),
                ("DATA_BLOCKS", 2048),
                ("SPEC_BLOCKS", 2048),
                ("CTL_BLOCKS", 512),
            ],
        ),
        (IN, &[("DATA_BLOCKS", 1), ("SPEC_BLOCKS", 1), ("CTL_BLOCKS", 1)]), // no such lanes
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("PORTS", 1)]),
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("PORTS", 32), ("CTL_VL", 1)]),
        (IN, &[("RANDOM_UP", 1), ("ISOLATION", 0), ("SRP", 1), ("VLS", 4), ("BLOCKS", 1152)]),
        (BOTH, &[("ONE_QUEUE", 1), ("ISOLATION", 0), ("VLS", 1)]),
        (BOTH, &[("ONE_QUEUE", 1), ("ISOLATION", 1), ("VLS", 1)]),
        (SWITCH, &[("ITERATIONS", 8), ("ONE_QUEUE", 1), ("VLS", 1)]),
        (PARITY, &[("PARITY", 1)]),
        (TIMES, &[("VLS", 11), ("NMAX", 1), ("MTU", 1), ("CNT_W", 2), ("FLOWS", 31)]),
        (
            TIMES,
            &[("MTU", 64), ("NMAX", 64), ("MSGQ", 64), ("REPQ", 256), ("CTL_BLOCKS", 512), ("NOW_W", 32)],
        ),
        (TIMES, &[("FLOWS", 4096), ("CTL_BLOCKS", 2), ("NOW_W", 32), ("CNT_W", 32)]),
        (TIMES, &[("NOW_W", 13), ("FLOWS", 15), ("NMAX", 16)]),
        (SELECT, &[("VLS", 16), ("FLOWS", 2), ("TS_W", 8)]),
        (SELECT, &[("VLS", 64), ("VL_BY_DEST", 1), ("TS_W", 9), ("FLOWS", 32)]),
        (&[HcaThrottle], &[("FLOWS", 4096), ("TS_W", 24), ("CCT", 16384)]),
        (&[SourceResponse], &[("FLOWS", 4096), ("TS_W", 24)]),
        (ADAPTER, &[("FLOWS", 4096), ("TS_W", 32), ("CCT", 16384), ("ADVOQ", 256), ("RX_BLOCKS", 4096)]),
        (ADAPTER, &[("MTU", 64), ("BLOCKS", 128), ("RX_BLOCKS", 128), ("CNPQ", 64), ("FLOWS", 2)]),
        (ADAPTER, &[("RESPONSE", 1), ("CNPQ", 4096), ("VLS", 8), ("BLOCKS", 32), ("RX_BLOCKS", 32)]),
        (ADAPTER, &[("VLS", 64), ("BLOCKS", 256), ("RX_BLOCKS", 256), ("VL_BY_DEST", 1)]),
        (
            ADAPTER,
            &[("SRP", 1), ("ISOLATION", 0), ("VLS", 4), ("BLOCKS", 8), ("RX_BLOCKS", 8), ("CTL_BLOCKS", 2)],
        ),
        (
            ADAPTER,
            &[
                ("SRP", 1),
                ("ISOLATION", 0),
                ("VLS", 11),
                ("BLOCKS", 36),
                ("RX_BLOCKS", 2052),
                ("CTL_BLOCKS", 512),
            ],
        ),
    ];
    let all = |cases: &[Case]| -> Vec<(UnitKind, &[(&str, usize)])> {
        cases.iter().flat_map(|(units, changed)| units.iter().map(move |u| (*u, *changed))).collect()
    };
    // Where a width becomes zero, Verilator may stop at its first use, and says nothing of the others.
    let (alone, mut left): (Vec<_>, Vec<_>) = all(illegal).into_iter().partition(|c| c.1[0].1 == 0);
    // Many at once: each is to be refused in its own instance. Verilator says the same of the same line only once, so that of
    // cases with one message one is refused in each run.
    loop {
        let (passes, said) = elaborate(&left);
        let before = left.len();
        let refused = |i: usize, name: &str| !passes && refuses(&said, Some(i), name);
        let mut i = 0..;
        left.retain(|case| !i.next().is_some_and(|i| refused(i, case.1[0].0)));
        if left.is_empty() || left.len() == before {
            break;
        }
    }
    let mut faults = Vec::new();
    for case in alone.into_iter().chain(left) {
        let (passes, text) = elaborate(&[case]);
        let collapsed = matches!(case.1[0], ("PORTS" | "LINES" | "DLIST", 0));
        if passes || !(collapsed || refuses(&text, None, case.1[0].0)) {
            faults.push(format!("{case:?}: {text}"));
        }
    }
    let (passes, said) = elaborate(&all(legal));
    if !passes {
        faults.push(said);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
