//! Imports run one way: between the modules in the order of `MAY_USE` (`docs/architecture.md`), and between files without a
//! circle. And `unsafe` stays in the bridge, and at the edge of the C library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::import_reader::{Arrows, Crate, circles, files};

/// Each module of the crate and the modules that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("params", &[]),
    ("home", &[]),
    ("outfile", &[]),
    ("jobs", &[]),
    ("text", &[]),
    ("plot", &["text"]),
    ("rules", &[]),
    ("report", &["plot", "rules", "text"]),
    ("campaign", &["home", "outfile", "jobs", "text"]),
    ("signals", &["params"]),
    ("wrapper", &["params", "signals"]),
    ("registers", &["params"]),
    ("scheme", &["params"]),
    ("model", &["params", "signals", "scheme"]),
    ("verilate", &["home", "outfile", "jobs"]),
    ("dut", &["params", "registers", "signals", "verilate"]),
    ("verilated", &["params", "signals", "wrapper", "home", "jobs", "verilate", "dut"]),
    ("wave", &["outfile", "params", "signals"]),
    ("config", &["params", "scheme"]),
    ("fan_in", &["scheme", "config"]),
    ("fabric", &["params", "signals", "registers", "scheme", "config", "model"]),
    (
        "cosim",
        &[
            "outfile",
            "params",
            "signals",
            "registers",
            "rules",
            "scheme",
            "config",
            "model",
            "verilated",
            "wave",
            "fabric",
        ],
    ),
    ("embed", &["params", "signals", "model", "cosim"]),
    (
        "worm",
        &[
            "outfile",
            "params",
            "signals",
            "registers",
            "scheme",
            "config",
            "model",
            "verilated",
            "wave",
            "fabric",
            "cosim",
        ],
    ),
    (
        "torture",
        &[
            "outfile",
            "jobs",
            "params",
            "signals",
            "registers",
            "config",
            "fabric",
            "model",
            "verilated",
            "cosim",
            "worm",
        ],
    ),
    ("cost", &["outfile", "params", "scheme", "config", "jobs"]),
    ("stimulus", &["jobs", "params", "signals", "registers", "config", "model", "cosim"]),
    (
        "study",
        &["outfile", "jobs", "params", "signals", "scheme", "config", "fabric", "cosim", "worm", "plot"],
    ),
    ("netlist", &["home", "params", "signals", "model", "verilated", "cosim", "stimulus"]),
    ("prove", &["home", "outfile", "jobs", "params", "signals", "cosim", "wave"]),
    (
        "measure",
        &[
            "home", "outfile", "params", "jobs", "signals", "wrapper", "verilate", "model", "cosim",
            "stimulus", "prove",
        ],
    ),
    (
        "cli",
        &[
            "home",
            "outfile",
            "jobs",
            "params",
            "signals",
            "registers",
            "scheme",
            "model",
            "verilate",
            "verilated",
            "wave",
            "fan_in",
            "fabric",
            "plot",
            "text",
            "report",
            "config",
            "dut",
            "cosim",
            "cost",
            "stimulus",
            "study",
            "netlist",
            "prove",
            "measure",
            "torture",
            "worm",
            "campaign",
        ],
    ),
];

/// Who takes what from whom.
fn read() -> &'static (Crate, Arrows) {
    static READ: OnceLock<(Crate, Arrows)> = OnceLock::new();
    READ.get_or_init(|| {
        let read = Crate::of(&src());
        let arrows = read.arrows();
        (read, arrows)
    })
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The module of the crate that a file below `src/` belongs to: its first folder, or its own name at the top.
fn module_of(file: &Path) -> String {
    let first = file.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

#[test]
fn the_reader_follows_names_to_the_file_that_defines_them() {
    let texts = [
        ("lib.rs", "pub mod a; pub mod d;"),
        ("a/mod.rs", "mod b; mod c; pub use b::{B as Bee, go}; #[cfg(test)] mod tests;"),
        ("a/b.rs", "use std::fs; pub struct B; pub fn go() { let x = super::c::C::new(fs::read); }"),
        ("a/c.rs", "use super::Bee; // use crate::d::D;\nmod inner { use super::super::go; }"),
        ("a/tests.rs", "use crate::d::D;"),
        (
            "d.rs",
            "use crate::a; fn f() { println!(\"{}\", a::go()); } #[cfg(test)] mod tests { use super::a::c::C; }",
        ),
    ];
    let arrows = Crate::read(texts.map(|(file, text)| (file.into(), text.into()))).arrows();
    let told: Vec<String> = arrows
        .iter()
        .map(|((from, to), names)| format!("{} {} {names:?}", from.display(), to.display()))
        .collect();
    let wanted = [
        r#"a/b.rs a/c.rs {"C"}"#,
        r#"a/c.rs a/b.rs {"B", "go"}"#,
        r#"a/mod.rs a/b.rs {"B", "go"}"#,
        r#"d.rs a/b.rs {"go"}"#,
    ];
    assert_eq!(told, wanted);
    assert_eq!(circles(&arrows), [["a/b.rs".into(), "a/c.rs".into()].into()]);
}

#[test]
fn imports_run_one_way_between_modules() {
    let (_, arrows) = read();
    let mut faults = Vec::new();
    for (from, to) in arrows.keys() {
        let (module, used) = (module_of(from), module_of(to));
        if module == "lib" || module == "main" || module == used {
            continue;
        }
        match MAY_USE.iter().find(|(name, _)| *name == module) {
            None => faults.push(format!("{}: module {module} is not in MAY_USE", from.display())),
            Some((_, allowed)) if !allowed.contains(&used.as_str()) => {
                faults.push(format!("{}: {module} must not use {used}", from.display()));
            }
            Some(_) => {}
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let (read, arrows) = read();
    let mut faults: Vec<String> = Vec::new();
    for file in read.hands_all_on() {
        faults.push(format!("{}: it uses everything of another module, by *", file.display()));
    }
    for circle in circles(arrows) {
        faults.push(format!("a circle of {} files:", circle.len()));
        for ((from, to), names) in arrows {
            if circle.contains(from) && circle.contains(to) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                faults.push(format!("  {} takes {} from {}", from.display(), names.join(", "), to.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(arrows.len() > 500, "the reader of imports found only {}", arrows.len());
}

/// What `build.rs` hashes for the outcomes of study runs that are kept uses nothing that it does not hash, and is all used.
#[test]
fn kept_outcomes_know_every_source_that_they_depend_on() {
    let (_, arrows) = read();
    for (list, run) in [("results-of.txt", "study/simulate.rs"), ("worm-results-of.txt", "study/worm_run.rs")]
    {
        let listed = std::fs::read_to_string(src().join("study").join(list)).expect("the list");
        let listed: Vec<&str> = listed.lines().collect();
        let place = |file: &Path| listed.iter().position(|l| file.starts_with(l));
        let mut used = vec![false; listed.len()];
        used[place(Path::new(run)).expect("the run itself")] = true;
        for (from, to) in arrows.keys().filter(|(from, _)| place(from).is_some()) {
            match place(to) {
                Some(i) => used[i] |= place(from) != Some(i),
                None => panic!("{} uses {}, which is not in {list}", from.display(), to.display()),
            }
        }
        for (line, used) in listed.iter().zip(used) {
            assert!(used, "{list}: no run depends on {line}");
        }
    }
}

/// `default-features = false` brings no command line, no SAT solver, no profiler and no bridge; and what `./run` builds, no
/// solver and no profiler.
#[test]
fn a_library_user_need_not_take_the_command_line() {
    let measuring = ["batsat", "llvm_profparser"];
    brings_none_of("", &[&["clap", "indicatif", "cxx", "libloading"], &measuring[..]].concat());
    let run = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/run")).expect("./run");
    let features = run.split_once("--features ").and_then(|(_, rest)| rest.split_whitespace().next());
    brings_none_of(features.expect("its features"), &measuring);
}

/// With these features alone.
fn brings_none_of(features: &str, crates: &[&str]) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut tree = Command::new(cargo);
    tree.args([
        "tree",
        "--package",
        "quell",
        "--locked",
        "--offline",
        "--no-default-features",
        "--features",
        features,
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]);
    let output = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names: Vec<&str> = text.lines().filter_map(|l| l.split(' ').next()).collect();
    assert!(names.contains(&"serde"), "{text}");
    for name in crates {
        assert!(!names.contains(name), "{name} comes along:\n{text}");
    }
}

#[test]
fn unsafe_stays_in_the_bridge() {
    let mut in_bridge = 0;
    for path in files(&src()) {
        let text = std::fs::read_to_string(&path).expect("readable source");
        let code: String =
            text.lines().map(|l| l.split("//").next().unwrap_or_default().to_string() + "\n").collect();
        let uses =
            code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| *w == "unsafe").count();
        if module_of(path.strip_prefix(src()).expect("below src")) == "verilated" {
            in_bridge += uses;
        } else {
            assert_eq!(uses, 0, "{}: unsafe outside src/verilated", path.display());
        }
    }
    assert!(in_bridge > 0, "the bridge has no unsafe: is this test still looking at the right place?");
    // What calls Rust from C is the other place; the Python package has none of its own.
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR")).join("bindings");
    let text = |path: &Path| std::fs::read_to_string(path).expect("readable source");
    let in_c = files(&bindings.join("c/src"));
    assert!(in_c.iter().any(|path| text(path).contains("unsafe {")), "the C library has no unsafe");
    for path in in_c {
        let text = text(&path);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (i, line) in
            lines.iter().enumerate().filter(|(_, l)| l.contains("unsafe {") && !l.starts_with("//"))
        {
            let told = lines[..i].iter().rev().take(4).any(|l| l.starts_with("// SAFETY: "));
            assert!(told, "{}:{}: unsafe without a safety comment: {line}", path.display(), i + 1);
        }
    }
    for path in files(&bindings.join("python/src")) {
        assert!(!text(&path).contains("unsafe"), "{}: unsafe", path.display());
    }
}
