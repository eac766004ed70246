//! The verification plan is true: every rule is in it, every file, assertion, cover point, scenario and test that it
//! names exists, and every cover point stands in the rows of its rules.

use quell::model;
use quell::params::{Build, UnitKind};
use quell::stimulus::scenario::scenarios;
use std::collections::BTreeSet;
use std::path::Path;

/// The rules that these units own.
const RULES: &[&str] = &[
    "B1", "B2", "B3", "F1", "F2", "R1", "A1", "A2", "A3", "AG1", "AG2", "D1", "D2", "D3", "D4", "D5", "D6",
    "M1", "M2", "M3", "SM1", "SM2", "SM3", "SM4", "SM5", "VM1", "VM2", "CQ1", "CQ2", "CQ3", "PF1", "CL1",
    "CL2", "CL3", "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "UP1", "E1", "E2", "E3", "E4", "E5",
    "E6", "E7", "E8", "E9", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9", "AK2", "AK3", "AK4", "AK5",
    "AK6", "AK7", "AK8", "SR1", "SR2", "SR3", "VR1", "VR2", "VR3", "VR4", "VR5", "Q10", "Q11", "Q12", "Q13",
    "Q14", "Q15", "Q16", "Q17", "Q18", "Q19", "Q20", "Q21", "Q22", "YW1", "YW2", "YW3", "YW4", "YW5", "YW6",
    "YW7", "YW8", "YA1", "YA2", "YA3", "YA4", "YA5", "YA6", "YA7", "YC1", "YC2", "YC3", "YC4", "YL1", "YS1",
    "YS2", "YS3", "YS4", "C1", "C2",
];

/// Rules of what stands beside a unit: without a golden model, tested against the page.
const WITHOUT_MODEL: &[&str] = &["C2"];

/// A row of the plan: what stands in code quotes in each column.
struct Row {
    rule: String,
    rtl: Vec<String>,
    model: Vec<String>,
    assertions: Vec<String>,
    cover: Vec<String>,
    tests: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The parts of `text` in code quotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(String::from).collect()
}

/// Rows of the table whose first cell is a rule in bold: rule, RTL, model, assertions, cover points, tests.
fn plan() -> Vec<Row> {
    let text = read(&root().join("docs/verification-plan.md"));
    text.lines()
        .filter(|line| line.starts_with("| **"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [rule, rtl, model, assertions, cover, tests] = cells[..] else {
                panic!("a row of the plan has {} cells, 6 are wanted: {line}", cells.len());
            };
            let rule = rule.trim_start_matches("**").split("**").next().unwrap_or_default().to_string();
            Row {
                rule,
                rtl: quoted(rtl),
                model: quoted(model),
                assertions: quoted(assertions),
                cover: quoted(cover),
                tests: quoted(tests),
            }
        })
        .collect()
}

/// Name and rules of every cover point of every unit.
fn cover_points() -> Vec<(&'static str, &'static str)> {
    UnitKind::ALL
        .iter()
        .flat_map(|&unit| {
            let build = Build::named(unit, None).expect("a build");
            let golden = model::new(unit, &build.params).expect("a build's parameters are legal");
            golden.cover_points().iter().map(|p| (p.name, p.rules)).collect::<Vec<_>>()
        })
        .collect()
}

/// All of the checkers' text.
fn checkers() -> String {
    let folder = std::fs::read_dir(root().join("tb")).expect("tb/");
    folder
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "sv"))
        .map(|path| read(&path))
        .collect()
}

#[test]
fn every_rule_is_planned_once_and_fully() {
    let plan = plan();
    let planned: Vec<&str> = plan.iter().map(|row| row.rule.as_str()).collect();
    assert_eq!(planned, RULES);
    for row in &plan {
        let columns =
            [("RTL", &row.rtl), ("model", &row.model), ("cover", &row.cover), ("tests", &row.tests)];
        for (column, names) in columns {
            let none = WITHOUT_MODEL.contains(&row.rule.as_str()) && matches!(column, "model" | "cover");
            assert_eq!(names.is_empty(), none, "{}: {column}", row.rule);
        }
    }
}

#[test]
fn every_name_in_the_plan_exists() {
    let points: BTreeSet<&str> = cover_points().iter().map(|(name, _)| *name).collect();
    let scenarios: BTreeSet<&str> = scenarios().iter().map(|s| s.name).collect();
    let checkers = checkers();
    let mut faults = Vec::new();
    for row in plan() {
        let rule = &row.rule;
        for path in row.rtl.iter().chain(&row.model) {
            if !root().join(path).is_file() {
                faults.push(format!("{rule}: no file {path}"));
            }
        }
        for label in &row.assertions {
            if !checkers.contains(&format!("{label}:")) && !checkers.contains(&format!("{label} :")) {
                faults.push(format!("{rule}: no assertion {label} in tb/*.sv"));
            }
        }
        for name in &row.cover {
            if !points.contains(name.as_str()) {
                faults.push(format!("{rule}: no cover point {name}"));
            }
        }
        for name in &row.tests {
            let exists = if name.contains('/') {
                root().join(name).is_file()
            } else {
                scenarios.contains(name.as_str())
            };
            if !exists {
                faults.push(format!("{rule}: no scenario or test file {name}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_cover_point_stands_in_the_rows_of_its_rules() {
    let plan = plan();
    let mut faults = Vec::new();
    for (name, rules) in cover_points() {
        for rule in rules.split_whitespace() {
            match plan.iter().find(|row| row.rule == rule) {
                None => faults.push(format!("cover point {name} names the unknown rule {rule}")),
                Some(row) if !row.cover.iter().any(|c| c == name) => {
                    faults.push(format!("{rule}: cover point `{name}` is missing"));
                }
                Some(_) => {}
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_scenario_stands_in_the_plan() {
    let plan = plan();
    let missing: Vec<String> = scenarios()
        .iter()
        .flat_map(|s| s.rules.split_whitespace().map(move |rule| (s.name, rule)))
        .filter(|(name, rule)| {
            !plan.iter().any(|row| row.rule == *rule && row.tests.iter().any(|t| t == name))
        })
        .map(|(name, rule)| format!("{rule}: scenario `{name}` is missing"))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
