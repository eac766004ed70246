//! The SystemVerilog side: every generated module is read by Verilator, and the example runs with and without its bug.

use std::process::Command;

use quell::params::UnitKind;

use crate::make::{self, root};
use crate::programs::{ended, run, shared};

#[test]
fn every_module_is_clean() {
    let files: Vec<String> = make::files().into_iter().map(|f| f.0).filter(|f| f.ends_with(".sv")).collect();
    assert_eq!(files.len(), 2 * UnitKind::ALL.len(), "a golden module and a checker for each unit");
    // Warnings are errors; that there are several tops is none.
    let mut command = Command::new("verilator");
    command.args(["--lint-only", "-Wall", "-Wno-MULTITOP", "bindings/dpi/quell_dpi_pkg.sv"]).args(files);
    run(command.current_dir(root()));
}

#[test]
fn the_example_passes_and_with_its_bug_the_cycle_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let (root, library) = (root(), shared());
    let folder = library.parent().expect("a folder");
    let mut command = Command::new("verilator");
    command.args([
        "--binary",
        "--top",
        "tb",
        "-Wno-WIDTH",
        "-y",
        "rtl",
        "-y",
        "bindings/dpi",
        "-y",
        "examples/dpi",
    ]);
    command.args(["rtl/quell_pkg.sv", "bindings/dpi/quell_dpi_pkg.sv", "examples/dpi/tb.sv", "-MAKEFLAGS"]);
    command
        .arg("OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0")
        .arg("--Mdir")
        .arg(dir.path())
        .arg("-LDFLAGS");
    command.arg(format!("{} -Wl,-rpath,{}", library.display(), folder.display()));
    run(command.current_dir(root));

    let program = dir.path().join("Vtb");
    let text = run(&mut Command::new(&program));
    let offers = text.split_once("equal in 2000 cycles, ").and_then(|(_, t)| t.split(' ').next());
    assert!(offers.and_then(|n| n.parse().ok()).is_some_and(|n: u32| n > 30), "{text}");

    let output = ended(Command::new(&program).arg("+bug"));
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("tb.check:"), "{text}");
    let report = text.split_once("hca-throttle ").expect("a report").1;
    assert!(report.contains(": RTL and golden model differ in cycle "), "{text}");
    assert!(report.contains("\n  state st_ent_") && report.contains(", rules "), "{text}");
    assert!(report.contains("\n  last inputs:\n") && report.contains(" becn_valid=1 "), "{text}");
}
