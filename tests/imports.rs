//! Imports run one way (`cli -> experiments -> cosim -> fabric -> config -> scheme`), and `unsafe` stays in
//! the bridge.

use std::path::{Path, PathBuf};

/// Each module of the crate and the modules that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("params", &[]),
    ("home", &[]),
    ("signals", &["params"]),
    ("wrapper", &["params", "signals"]),
    ("registers", &["params"]),
    ("scheme", &["params"]),
    ("model", &["params", "signals", "scheme"]),
    ("verilate", &["home", "jobs"]),
    ("verilated", &["params", "signals", "wrapper", "home", "jobs", "verilate"]),
    ("wave", &["params", "signals"]),
    ("config", &["params", "scheme"]),
    ("fabric", &["params", "signals", "registers", "scheme", "config", "model"]),
    (
        "cosim",
        &["params", "signals", "registers", "scheme", "config", "model", "verilated", "wave", "fabric"],
    ),
    ("jobs", &[]),
    ("torture", &["params", "signals", "registers", "model", "verilated", "cosim", "jobs"]),
    ("cost", &["params", "scheme", "config", "jobs"]),
    (
        "experiments",
        &[
            "home",
            "jobs",
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
            "plot",
        ],
    ),
    (
        "measure",
        &["home", "params", "jobs", "signals", "wrapper", "verilate", "model", "cosim", "experiments"],
    ),
    ("plot", &[]),
    (
        "cli",
        &[
            "home",
            "jobs",
            "params",
            "signals",
            "registers",
            "scheme",
            "model",
            "verilate",
            "verilated",
            "wave",
            "fabric",
            "plot",
            "config",
            "cosim",
            "cost",
            "experiments",
            "measure",
            "torture",
        ],
    ),
];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file below `dir`.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).expect("readable folder") {
        let path = entry.expect("readable entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// The module of the crate that a file belongs to: its first folder, or its own name at the top.
fn module_of(path: &Path) -> String {
    let below = path.strip_prefix(src()).expect("below src");
    let first = below.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

/// The source without comments.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("readable source");
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The words that follow `crate::` (or `crate::{`) in some source.
fn crate_uses(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => found.push(word(rest)),
            Some(group) => {
                let mut depth = 0;
                let mut start = true;
                for (i, c) in group.char_indices() {
                    if start && depth == 0 && (c.is_alphanumeric() || c == '_') {
                        found.push(word(&group[i..]));
                        start = false;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

#[test]
fn crate_uses_reads_plain_and_grouped_paths() {
    assert_eq!(crate_uses("use crate::model::Unit; crate::wave::x()"), ["model", "wave"]);
    assert_eq!(crate_uses("use crate::{\n  cosim::{a, b},\n  params,\n};"), ["cosim", "params"]);
}

#[test]
fn imports_run_one_way() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for path in files(&src()) {
        let module = module_of(&path);
        // A module's own tests may look up.
        if module == "lib" || module == "main" || path.ends_with("tests.rs") {
            continue;
        }
        let allowed = MAY_USE.iter().find(|(name, _)| *name == module);
        let Some((_, allowed)) = allowed else {
            faults.push(format!("{}: module {module} is not in MAY_USE", path.display()));
            continue;
        };
        for used in crate_uses(&code(&path)) {
            seen += 1;
            let known = MAY_USE.iter().any(|(name, _)| *name == used);
            if known && used != module && !allowed.contains(&used.as_str()) {
                faults.push(format!("{}: {module} must not use {used}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen > 10, "the reader of imports found only {seen}");
}

#[test]
fn unsafe_stays_in_the_bridge() {
    let mut in_bridge = 0;
    for path in files(&src()) {
        let code = code(&path);
        let uses =
            code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| *w == "unsafe").count();
        if module_of(&path) == "verilated" {
            in_bridge += uses;
        } else {
            assert_eq!(uses, 0, "{}: unsafe outside src/verilated", path.display());
        }
    }
    assert!(in_bridge > 0, "the bridge has no unsafe: is this test still looking at the right place?");
}
