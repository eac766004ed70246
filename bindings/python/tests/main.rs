//! The Python package as Python has it, and the cocotb example. The native half is what cargo has built with this test; `./setup` puts cocotb
//! into `.venv`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The package with its native half, as a wheel has it.
fn package() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let own = std::env::current_exe().expect("this program");
    let built = own.with_file_name("libquell_model_native.so");
    let to = dir.path().join("quell_model");
    std::fs::create_dir(&to).expect("a folder can be made");
    for name in ["__init__.py", "cocotb.py"] {
        let from = root().join("bindings/python/python/quell_model").join(name);
        std::fs::copy(&from, to.join(name)).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
    }
    let native = to.join("_native.abi3.so");
    std::fs::copy(&built, native)
        .unwrap_or_else(|e| panic!("{}: {e}: cargo builds it with this test", built.display()));
    dir
}

/// The folder with the Python that has cocotb.
fn venv() -> PathBuf {
    let bin = root().join(".venv/bin");
    assert!(bin.join("cocotb-config").exists(), "{}: no cocotb; remedy: ./setup", bin.display());
    bin
}

fn ended(command: &mut Command) -> (Output, String) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}; remedy: ./setup"));
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output, text)
}

#[test]
fn units_are_driven_and_errors_name_the_field() {
    let package = package();
    let mut command = Command::new("python3");
    command.arg(root().join("bindings/python/tests/units.py")).env("PYTHONPATH", package.path());
    let (output, text) = ended(&mut command);
    assert!(output.status.success(), "{text}");
}

/// The example under a simulator, with and without its bug.
fn cocotb(simulator: &str) {
    let package = package();
    let build = package.path().join("build");
    let make = |bug: &str| {
        let path = format!("{}:{}", venv().display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("make");
        command
            .current_dir(root().join("examples/cocotb"))
            .env("PATH", path)
            .env("PYTHONPATH", package.path());
        command.env("PYTHONDONTWRITEBYTECODE", "1").env_remove("MAKEFLAGS").env_remove("VIRTUAL_ENV");
        command.arg(format!("SIM={simulator}")).arg(format!("SIM_BUILD={}", build.display()));
        command
            .args(["OPT_FAST=-O0", "OPT_SLOW=-O0", "OPT_GLOBAL=-O0", "VM_PARALLEL_BUILDS=0"])
            .args((!bug.is_empty()).then_some(bug));
        ended(&mut command)
    };
    let (output, text) = make("");
    assert!(output.status.success() && text.contains("equal in 300 cycles"), "{text}");
    assert!(text.contains("PASS=1 FAIL=0"), "{text}");

    // cocotb's make ends well whatever the test says.
    let (_, text) = make("BUG=1");
    assert!(text.contains("PASS=0 FAIL=1"), "{text}");
    let report = text.split_once("hca-throttle ").expect("a report").1;
    assert!(report.contains(": RTL and golden model differ in cycle "), "{text}");
    assert!(report.contains("state st_ent_") && report.contains("last inputs:"), "{text}");
}

#[test]
fn the_cocotb_example_runs_under_icarus() {
    cocotb("icarus");
}

#[test]
fn the_cocotb_example_runs_under_verilator() {
    cocotb("verilator");
}
