//! The RTL is clean under `verilator --lint-only -Wall` for every build, with no waivers, and keeps to the
//! house rules that can be read off its text.

use quell::params::{Build, builds};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

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

/// Lints a build, without or with the checkers of `tb/`.
fn lint(build: &Build, checkers: bool) -> Result<(), String> {
    let mut command = Command::new("verilator");
    command.args(["--lint-only", "-Wall", "--top-module", build.unit.module()]);
    if checkers {
        command.args(["--assert", "+define+QUELL_CHECK", "-y"]).arg(root().join("tb"));
    }
    for name in build.unit.parameter_names() {
        let value = build.params.get(name).expect("parameter_names() are known to get()");
        command.arg(format!("-G{name}={value}"));
    }
    let output = command.args(sources("rtl")).output().map_err(|e| format!("verilator: {e}"))?;
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if output.status.success() && text.trim().is_empty() {
        return Ok(());
    }
    Err(format!("{} {}, checkers {checkers}:\n{text}", build.unit.module(), build.name))
}

#[test]
fn every_build_is_lint_clean() {
    let faults: Vec<String> =
        builds().iter().flat_map(|b| [lint(b, false), lint(b, true)]).filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_waivers_and_one_module_a_file() {
    for path in sources("rtl").into_iter().chain(sources("tb")) {
        let text = std::fs::read_to_string(&path).expect("readable source");
        let shown = path.display();
        assert!(!text.contains("lint_off"), "{shown}: lint_off is not allowed; mend what is warned of");
        assert!(text.contains("`default_nettype none"), "{shown}: `default_nettype none is missing");
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
