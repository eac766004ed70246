//! The proofs are true to the tree: every safety rule has assertions, docs/proofs.md lists what the checkers state,
//! the small models are proved here again, and a broken design is caught with a trace.

use quell::prove::{HARNESSES, Options, Verdict, labels, prove};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The rules that promise safety (docs/verification-plan.md has them all).
const RULES: &[&str] = &[
    "B1", "B2", "B3", "F1", "F2", "R1", "A1", "A2", "A3", "D1", "D2", "D3", "D4", "D5", "M1", "M2", "M3",
    "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8",
    "H9", "C2",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).expect("a folder can be made");
    dir
}

fn options(out: PathBuf) -> Options {
    Options { out, rtl: None, depth: None, seconds: 60, fresh: true, only: None }
}

fn stated() -> BTreeMap<String, bool> {
    labels(&root().join("tb")).expect("tb/ is readable")
}

#[test]
fn every_safety_rule_has_an_assertion() {
    let stated = stated();
    assert!(stated.len() > 150, "{} labels found", stated.len());
    for rule in RULES {
        let prefix = format!("{}_", rule.to_lowercase());
        assert!(stated.iter().any(|(l, cover)| !cover && l.starts_with(&prefix)), "{rule} has no assertion");
    }
}

#[test]
fn the_page_of_proofs_lists_what_the_checkers_state() {
    let page = std::fs::read_to_string(root().join("docs/proofs.md")).expect("docs/proofs.md");
    assert!(!page.contains("FAILED"), "docs/proofs.md has a broken property");
    let mut listed: Vec<&str> = page
        .lines()
        .filter(|l| l.starts_with("| "))
        .filter_map(|l| l.split('|').nth(2)?.trim().strip_prefix('`')?.strip_suffix('`'))
        .filter(|l| l.split('_').next().is_some_and(|rule| rule.ends_with(|c: char| c.is_ascii_digit())))
        .collect();
    listed.sort_unstable();
    let stated = stated();
    let stated: Vec<&str> = stated.keys().map(String::as_str).collect();
    let only = |a: &[&str], b: &[&str]| a.iter().filter(|l| !b.contains(l)).map(|l| l.to_string()).collect();
    let differ: [Vec<String>; 2] = [only(&stated, &listed), only(&listed, &stated)];
    assert_eq!(differ, [[""; 0]; 2], "not listed, and not stated; remedy: quell prove --doc docs/proofs.md");
    assert_eq!(listed.len(), stated.len(), "docs/proofs.md lists some twice");
    for h in HARNESSES {
        assert!(
            page.contains(&format!("| {} | `{}` |", h.name, h.module)),
            "{} is not in docs/proofs.md",
            h.name
        );
    }
}

#[test]
fn small_models_are_proved_and_their_covers_hit() {
    for h in HARNESSES.iter().filter(|h| h.quick) {
        let results =
            prove(h, &options(scratch("proofs")), &|_| ()).unwrap_or_else(|e| panic!("{}: {e:#}", h.name));
        for (name, verdict) in &results.asserts {
            assert!(matches!(verdict, Verdict::Proved(_)), "{} {name}: {verdict:?}", h.name);
        }
        for (name, at) in &results.covers {
            assert!(at.is_some(), "{} {name}: not hit in {} cycles", h.name, results.depth);
        }
        // results are kept: the second time nothing is made
        let kept = Options { fresh: false, ..options(scratch("proofs")) };
        let again = prove(h, &kept, &|what| assert_eq!(what, "kept results")).expect("kept");
        assert_eq!(again, results);
    }
}

/// A copy of the RTL with a piece of one file replaced.
fn broken(folder: &str, file: &str, from: &str, to: &str) -> PathBuf {
    let rtl = scratch(folder).join("rtl");
    std::fs::create_dir_all(&rtl).expect("a folder can be made");
    for entry in std::fs::read_dir(root().join("rtl")).expect("rtl/") {
        let path = entry.expect("readable").path();
        std::fs::copy(&path, rtl.join(path.file_name().expect("a name"))).expect("copied");
    }
    let path = rtl.join(file);
    let text = std::fs::read_to_string(&path).expect("readable");
    assert!(text.contains(from), "{file} has no {from}");
    std::fs::write(&path, text.replacen(from, to, 1)).expect("written");
    rtl
}

#[test]
fn broken_designs_fail_with_a_trace() {
    // model, file, what stands there, what is put in its place, an assertion that must fail
    let cases = [
        ("block_pool", "pool_word.sv", " | ({LEN{take_i}} & take_col_i[LEN-1:0])", "", "b1_taken_is_out"),
        (
            "queue_lists",
            "queue_lists.sv",
            "push_i && push_any),",
            "push_i && !push_any),",
            "b1_comes_out_in_order",
        ),
        ("detect_fill", "detect_fill.sv", "> TW'(hth_i)", ">= TW'(hth_i)", "d1_kept_between"),
        ("credit_sender", "credit_sender.sv", "12'(grant_len_i)", "12'(1)", "f1_txr_conserved"),
        ("read_engine", "read_engine.sv", "pad ? n_q - r_q : ", "", "b1_whole_charge_released"),
        ("route_table", "route_table.sv", "17'(DEPTH));", "17'(DEPTH - 1));", "r1_last_written"),
        ("output_port", "mark_policy_ib.sv", "bth && !cnp && !ack", "bth && !ack", "u_check.m1_mark_not_cnp"),
        // Too deep for the search here: ABC finds it.
        (
            "input_port",
            "pool_word.sv",
            " | ({LEN{take_i}} & take_col_i[LEN-1:0])",
            "",
            "b1_store_into_free_block",
        ),
    ];
    for (name, file, from, to, property) in cases {
        let h = HARNESSES.iter().find(|h| h.name == name).expect("a model");
        let folder = format!("proofs-broken-{name}");
        let rtl = broken(&folder, file, from, to);
        let only = Some(property.to_string());
        let with = Options { rtl: Some(rtl), only, ..options(scratch(&folder).join("out")) };
        let results = prove(h, &with, &|_| ()).unwrap_or_else(|e| panic!("{name}: {e:#}"));
        match results.asserts.get(property) {
            Some(Verdict::Failed { vcd, cycle, .. }) => {
                let text = std::fs::read_to_string(vcd).expect("a waveform");
                assert!(
                    text.contains("$enddefinitions") && text.contains("$scope module broken"),
                    "{name}: {}",
                    vcd.display()
                );
                assert!(*cycle > 0 && results.failed());
            }
            other => panic!("{name}: {property} is {other:?} in a design that breaks it"),
        }
    }
}
