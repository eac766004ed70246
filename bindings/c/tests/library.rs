//! The library as C has it.

use std::process::Command;

use crate::make::root;
use crate::programs::{cc, ended, fixed, run, shared};

/// Links with the shared library.
fn with_shared(command: &mut Command) -> &mut Command {
    let library = shared();
    let folder = library.parent().expect("a folder");
    command.arg(&library).arg(format!("-Wl,-rpath,{}", folder.display()))
}

#[test]
fn header_and_crate_are_of_one_version() {
    let header =
        std::fs::read_to_string(root().join("bindings/c/include/quell_model.h")).expect("the header");
    let number = |part: &str| {
        let line =
            header.lines().find_map(|l| l.strip_prefix(&format!("#define QUELL_MODEL_VERSION_{part} ")));
        line.expect("a part of the version").to_string()
    };
    assert_eq!(["MAJOR", "MINOR", "PATCH"].map(number).join("."), env!("CARGO_PKG_VERSION"));
}

#[test]
fn bad_input_is_told_and_nothing_else_happens() {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("errors");
    run(with_shared(&mut cc(&root().join("bindings/c/tests/errors.c"), &program)));
    assert_eq!(run(&mut Command::new(&program)), "all is told\n");
}

#[test]
fn the_example_runs_with_the_static_library_and_finds_the_bug() {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("throttle");
    // Of this test's library the C++ runtime is a part, since other members of the workspace have the bridge; a user's needs none.
    let libraries = ["-lpthread", "-ldl", "-lm", "-lstdc++"];
    run(cc(&root().join("examples/c/throttle.c"), &program).arg(fixed()).args(libraries));
    let text = run(&mut Command::new(&program));
    assert!(
        text.contains("\nhca-throttle (hca_throttle): 6 parameters, 5 builds, VLS = 1 (legal: 1..64)\n"),
        "{text}"
    );
    assert!(text.contains(": flow 1 sends\n") && text.contains(": flow 3 sends\n"), "{text}");
    assert!(text.contains("equal in every cycle; "), "{text}");

    let output = ended(Command::new(&program).arg("bug"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let report = text.split_once("hca-throttle tiny FLOWS=6: ").expect("a report").1;
    assert!(report.starts_with("RTL and golden model differ in cycle 5"), "{text}");
    assert!(
        report.contains("  state st_ent_ccti, rules H3 H4\n    RTL 0, golden 1, differing bits 1\n"),
        "{text}"
    );
    assert!(report.contains("becn_valid=1 becn_flow=1"), "{text}");
}

#[test]
fn the_header_is_good_for_cpp() {
    let header = root().join("bindings/c/include/quell_model.h");
    run(Command::new("c++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"])
        .arg(header));
}
