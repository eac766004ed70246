//! `--compare events` on a switch: quell's own keeps the rules in every build that is judged, and with a fault in it the scoreboard tells
//! of it by the right name.

use std::path::Path;
use std::process::Command;

use crate::broken::{Fault, copy, faults};
use crate::extent::pick;

/// The faults, by their names in `tests/broken/faults.toml` and what must be told of each. (What is promised too much is refused when it
/// comes, and so passed; of a flit that is lost FCTBS tells first.)
const TOLD: [(&str, &str); 7] = [
    ("pair-blocks-not-returned", "leak"),
    ("pair-promises-too-much", "order"),
    ("pair-flits-not-counted", "sent"),
    ("pair-ignores-credit", "credit"),
    ("pair-lost-flit", "sent"),
    ("stop-does-not-hold", "stop"),
    ("queue-beside", "output"),
];

/// Others: file, what is there, what is put there, and what must be told.
const OWN: [(&str, &str, &str, &str, &str); 2] = [
    (
        "marks-notifications",
        "mark_policy_ib.sv",
        "&& !cnp && !ack && !mcast",
        "&& ((!cnp && !ack && !mcast) || FAULT)",
        "mark",
    ),
    (
        "changes-a-flit",
        "tx_framer.sv",
        "(sw_data_i | marks) : '0;",
        "(sw_data_i | marks | DW'(FAULT && !sw_first_i)) : '0;",
        "intact",
    ),
];

fn quell(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_quell"))
        .args(["cosim", "switch", "--compare", "events"])
        .args(args)
        .current_dir(dir)
        .env("QUELL_ROOT", env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("quell runs");
    let text = [out.stdout, out.stderr].map(|o| String::from_utf8_lossy(&o).into_owned()).concat();
    (out.status.code(), text)
}

#[test]
fn a_switch_keeps_the_rules_and_its_faults_are_told() {
    let dir = tempfile::tempdir().expect("a folder");
    for build in ["tiny", "net"] {
        let (status, text) = quell(dir.path(), &["--build", build, "--cycles", pick("60000", "1000000")]);
        assert!(status == Some(0) && text.contains("no rule broken (random traffic)"), "{build}: {text}");
    }
    let (status, text) = quell(dir.path(), &["--build", "marktiny"]);
    let says = "a switch with MARKERS = 1 has no scoreboard of events";
    assert!(status == Some(2) && text.contains(says), "{text}");

    let all = faults();
    let known = |name: &str| all.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no fault {name}"));
    let own: Vec<Fault> =
        OWN.iter().map(|&(name, file, find, put, _)| Fault::edit_of(name, file, find, put)).collect();
    let told = TOLD.map(|(name, kind)| (known(name), kind)).into_iter();
    let told: Vec<(&Fault, &str)> = told.chain(own.iter().zip(OWN.map(|o| o.4))).collect();
    let numbered: Vec<(usize, &Fault)> = told.iter().enumerate().map(|(i, f)| (i + 1, f.0)).collect();
    let rtl = copy("events", &numbered);
    // One model for all: which fault is on is read from a file.
    let on = rtl.join("on.txt");
    let package = rtl.join("quell_pkg.sv");
    let text = std::fs::read_to_string(&package).expect("readable");
    let by_file = text
        .replace("int n;\n", "int n, file;\n")
        .replace(
            "if ($value$plusargs(\"fault=%d\", n) == 0) n = 0;",
            &format!(
                "file = $fopen(\"{}\", \"r\");\n    if (file == 0 || $fscanf(file, \"%d\", n) != 1) n = 0;\n    $fclose(file);",
                on.display()
            ),
        );
    assert!(by_file.contains("$fscanf") && by_file.contains("n, file"), "{by_file}");
    std::fs::write(&package, by_file).expect("written");
    let rtl = rtl.display().to_string();
    let run = |number: usize, cycles: &str| {
        std::fs::write(&on, number.to_string()).expect("written");
        let args = ["--build", "tiny", "--dut", &rtl, "--top", "switch", "--cycles", cycles];
        quell(dir.path(), &args)
    };
    let (status, text) = run(0, pick("40000", "300000"));
    assert!(status == Some(0) && text.contains("no rule broken"), "{text}");
    let mut wrong = Vec::new();
    for (number, (fault, kind)) in told.iter().enumerate() {
        let (status, text) = run(number + 1, "300000");
        let line = text.lines().find(|l| l.contains("a rule is broken")).unwrap_or("nothing");
        println!("{}: {line}", fault.name);
        if status != Some(1) || !line.contains(&format!("({kind})")) {
            wrong.push(format!("{}: not {kind}, but {line}", fault.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
