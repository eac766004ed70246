//! `quell compare` on the command line.

use std::path::Path;

use crate::command::{Ran, json};

fn quell(dir: &Path, args: &[&str]) -> Ran {
    crate::command::quell(dir, &[&["compare"], args].concat())
}

/// Four hosts, three of them hot in turn; every kind of scheme.
const RUN: [&str; 9] = [
    "two-switch",
    "--traffic",
    "uniform",
    "--hot",
    "4",
    "--cycles",
    "6000",
    "--schemes",
    "1q,voqnet,ith,mvcm,ecocc",
];

#[test]
fn each_scheme_says_what_its_own_run_says() {
    let dir = tempfile::tempdir().unwrap();
    let ran = quell(dir.path(), &[&RUN[..], &["--format", "json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let all = json(&ran);
    assert_eq!((&all["network"], &all["hosts"]), (&"two-switch".into(), &7.into()));
    let rows = all["schemes"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let scheme = row["scheme"].as_str().unwrap();
        let args = [
            "fabric",
            "two-switch",
            "--scheme",
            scheme,
            "--cycles",
            "6000",
            "--format",
            "json",
            "--engine",
            "golden",
        ];
        let alone = json(&crate::command::quell(dir.path(), &args));
        let totals = &alone["report"]["totals"];
        let delivered = totals["delivered_packets"].as_f64().unwrap();
        let replies = totals["cnps"].as_f64().unwrap() + totals["acks"].as_f64().unwrap_or(0.0);
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
        assert!(
            near(row["throughput"].as_f64().unwrap(), alone["report"]["normalised"].as_f64().unwrap()),
            "{scheme}"
        );
        assert!(near(row["replies_per_1000"].as_f64().unwrap(), replies * 1000.0 / delivered), "{scheme}");
        let marked = totals["delivered_marked"].as_f64().unwrap() * 1000.0 / delivered;
        assert!(near(row["marked_per_1000"].as_f64().unwrap(), marked), "{scheme}");
        assert!(row["rest_ns"].as_f64() > Some(0.0), "{scheme} comes to rest: {row}");
        let ns = |p: &str| row["victims_ns"][p].as_f64().unwrap();
        let order = ["p50", "p90", "p99", "p999", "max"].map(ns);
        assert!(order.is_sorted() && order[0] > 0.0, "{scheme}: {order:?}");
        assert!(
            ns("max")
                <= alone["report"]["total_latency"]["max"].as_f64().unwrap()
                    * all["cycle_ps"].as_f64().unwrap()
                    / 1000.0
        );
        let answered = ["ith", "mvcm", "ecocc"].contains(&scheme);
        assert!(answered || replies == 0.0, "{scheme}: {replies} replies");
        assert_eq!(
            scheme == "mvcm",
            replies >= delivered,
            "{scheme}: {replies} replies to {delivered} packets"
        );
    }
}

#[test]
fn the_forms_and_threads_say_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        let ran = quell(dir.path(), &[&RUN[..], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran
    };
    let all = json(&run(&["--format", "json", "--threads", "1"]));
    let two = json(&run(&["--format", "json", "--threads", "2", "--plot", "c.svg"]));
    assert_eq!(all, two);
    let svg = std::fs::read_to_string(dir.path().join("c.svg")).unwrap();
    let csv = run(&["--format", "csv"]).out;
    let mut lines = csv.lines().map(|l| l.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let (text, md) = (run(&[]).out, run(&["--format", "md"]).out);
    for (line, row) in lines.zip(all["schemes"].as_array().unwrap()) {
        assert_eq!(line.len(), head.len());
        let scheme = row["scheme"].as_str().unwrap();
        assert_eq!(line[0], scheme);
        for (column, value) in [
            ("throughput", &row["throughput"]),
            ("victims_p99_ns", &row["victims_ns"]["p99"]),
            ("fairness", &row["fairness"]),
            ("rest_ns", &row["rest_ns"]),
        ] {
            let (cell, value) = (line[at(column)].parse::<f64>().unwrap(), value.as_f64().unwrap());
            assert!((cell - value).abs() <= 1e-12 * value.abs(), "{scheme} {column}: {cell}, {value}");
        }
        assert_eq!(line[at("nand2_a_host")], "", "no cost was asked for");
        let throughput = format!("{:.4}", row["throughput"].as_f64().unwrap());
        for form in [&text, &md] {
            let its = form.lines().find(|l| l.split([' ', '|']).any(|w| w == scheme)).unwrap();
            assert!(its.contains(&throughput), "{scheme}: {its}");
        }
        assert!(svg.contains(&format!(">{scheme}<")), "{scheme} in the figure's legend");
    }
}

#[test]
fn a_hot_host_is_no_victim() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["two-switch", "--traffic", "all-to-one", "--hot", "0", "--cycles", "3000", "--schemes", "1q"];
    let ran = quell(dir.path(), &[&args[..], &["--format", "json"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let row = &json(&ran)["schemes"][0];
    assert!(row["victims_ns"].is_null() && row["throughput"].as_f64() > Some(0.0), "{row}");
    // Hotspots of the traffic are those of the comparison, and recovery is from their end.
    let args =
        ["4ary-3tree", "--traffic", "ecocc1", "--time", "2200us", "--schemes", "hfdi", "--format", "json"];
    let ran = quell(dir.path(), &args);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let row = &json(&ran)["schemes"][0];
    assert!(row["recovery_ns"].as_f64().is_some_and(|ns| ns < 200_000.0), "{row}");
    assert!(row["victims_throughput"].as_f64() > Some(0.7), "{row}");
}

#[test]
fn bad_input_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (args, says) in [
        (&["two-switch", "--schemes", "ecocc,fast"][..], "there is no scheme fast"),
        (&["two-switch", "--schemes", "ith,ith"], "--schemes: ith is there twice"),
        (&["two-switch", "--hot", "7"], "--hot 7: legal is 0..6 in two-switch"),
        (&["two-switch", "--hot", "0,1,2,3,4,5,6"], "nobody is a victim"),
        (&["4ary-3tree", "--traffic", "ecocc1", "--hot", "1"], "has its own list of hotspots"),
        (&["two-switch", "--traffic", "nowhere"], "--traffic"),
        (&["two-switch", "--cycles", "0"], "--cycles"),
        (&["two-switch", "--threads", "0"], "--threads"),
        (&["two-switch", "--set", "mtu=65"], "legal is 1..64"),
        (&["two-switch", "--out", "/dev/null/x.txt"], "/dev/null/x.txt"),
        (&["two-switch", "--plot", "/dev/null/x.svg"], "/dev/null/x.svg"),
    ] {
        let ran = quell(dir.path(), args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: no {says} in {}", ran.err);
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is left behind");
}
