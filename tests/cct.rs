//! `quell cct`: what it proposes does what it says, in the forms that others read; and bad input.

use std::path::Path;

use crate::command::{Ran, json, quell};
use serde_json::Value;

const ASKED: &[&str] = &["cct", "--fan-in", "64", "--link-gbps", "40", "--mtu", "2048", "--within", "1ms"];

fn with(more: &[&str]) -> Ran {
    quell(Path::new("."), &[ASKED, more].concat())
}

#[test]
fn a_proposal_says_what_it_does() {
    let ran = with(&[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    for part in [
        "63 packets",
        "a delay of 25.805 us",
        "one a flow every 26.214 us, 38 in 1 ms",
        "quadratic(step=25.2ns)",
    ] {
        assert!(ran.out.contains(part), "no {part} in {}", ran.out);
    }
    let v = json(&with(&["--format", "json"]));
    let at = |name: &str| v[name].as_f64().unwrap_or_else(|| panic!("{name}: {v}"));
    let delays: Vec<f64> = v["delays_us"].as_array().unwrap().iter().map(|d| d.as_f64().unwrap()).collect();
    assert!(delays.windows(2).all(|w| w[0] <= w[1]), "{delays:?}");
    assert_eq!(at("ccti_limit") as usize, delays.len() - 1);
    let fair = at("fair_delay_us");
    assert!(
        delays[at("converged_index") as usize] >= fair && delays[at("converged_index") as usize - 1] < fair
    );
    assert!(at("converged_us") <= 1000.0 && delays[delays.len() - 1] >= 2.0 * fair);
    let free = delays.iter().filter(|d| **d == 0.0).count() as f64 - 1.0;
    assert!((at("recovery_us") - (at("index_high") - free) * 153.6).abs() < 1e-6, "{v}");
}

#[test]
fn opensm_and_toml_are_read_back_as_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let v = json(&with(&["--format", "json"]));
    for (format, file, option) in [("opensm", "o.conf", "--opensm"), ("toml", "c.toml", "--config")] {
        let ran = with(&["--format", format]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        std::fs::write(dir.path().join(file), &ran.out).unwrap();
        let ran = quell(dir.path(), &["params", "4ary-3tree", option, file, "--format", "json"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let params = json(&ran);
        let of = |name: &str| {
            params.as_array().unwrap().iter().find(|p| p["name"] == name).unwrap_or_else(|| panic!("{name}"))
        };
        assert!(of("cct")["from"].as_str().unwrap().starts_with(file), "{}", of("cct"));
        for name in ["ccti_limit", "ccti_timer", "ccti_increase"] {
            assert_eq!(of(name)["value"].as_str().unwrap(), v[name].to_string(), "{name}");
        }
        let cct = of("cct")["value"].as_str().unwrap();
        match format {
            "opensm" => assert!(cct.starts_with("[\"3:0\", \"3:0\", \"3:2\""), "{cct}"),
            _ => assert_eq!(cct, format!("\"{}\"", v["cct"].as_str().unwrap())),
        }
    }
    // A fabric runs with either, and they mean the same up to an entry's step.
    let run = |option: &str, file: &str| {
        let args = ["fabric", "star:4", "--scheme", "ith", "--traffic", "all-to-one", "--cycles", "20000"];
        let same = ["weight=-1", "marking=true", "marking_rate=0", "timer_per_sl=false", "victim_hosts=true"];
        let set: Vec<&str> = same.iter().flat_map(|s| ["--set", s]).collect();
        let ran = quell(dir.path(), &[&args[..], &set, &[option, file, "--format", "json"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        json(&ran)
    };
    let (o, c) = (run("--opensm", "o.conf"), run("--config", "c.toml"));
    assert_eq!(o["settings"]["cct"], v["entries"], "every entry");
    assert_eq!((&c["settings"]["cct"], &o["settings"]["ccti_limit"]), (&v["cct"], &v["ccti_limit"]));
    let cnps = |run: &Value| run["report"]["totals"]["cnps"].as_u64().unwrap();
    assert!(cnps(&o) > 50 && cnps(&o).abs_diff(cnps(&c)) * 20 < cnps(&o), "{} {}", cnps(&o), cnps(&c));
}

#[test]
fn a_table_is_judged_and_converted() {
    let ran = with(&["--cct", "gran"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(
        ran.out.contains("never: its longest delay is 10.035 us, the fair share of 25 flows"),
        "{}",
        ran.out
    );
    // For 64 it gets there, but not in a millisecond: 16 * 51^2 * 7/106^2 us is the first beyond 63 packets.
    let v = json(&with(&["--cct", "gran(contributors=all)", "--format", "json"]));
    assert_eq!((&v["cct"], &v["in_time"]), (&"gran(contributors=64)".into(), &false.into()), "{v}");
    assert_eq!(v["converged_index"], 51, "{v}");
    // A list, and what it means in packets.
    let v = json(&with(&["--cct", "[0, 0.4096, 30]", "--format", "json"]));
    assert_eq!(v["entries"], serde_json::json!(["3:0", "3:8", "3:586"]));
    assert_eq!((&v["converged_index"], &v["ccti_limit"]), (&2.into(), &2.into()));
    let late = with(&["--cct", "linear(step=0.41us)", "--format", "opensm"]);
    assert_eq!(late.status, 1);
    assert!(
        late.out.contains("\ncc_cct 3:0,3:8,3:16,") && late.err.contains("not within 1 ms"),
        "{}",
        late.err
    );
}

#[test]
fn what_no_table_can_do_is_told() {
    let short = quell(Path::new("."), &["cct", "--fan-in", "64", "--within", "20us"]);
    assert_eq!((short.status, short.out.as_str()), (1, ""));
    for part in ["no table can do it within 20 us", "first BECN after 26.214 us", "the least time is that"] {
        assert!(short.err.contains(part), "no {part} in {}", short.err);
    }
    let timer = with(&["--timer", "8us"]);
    assert_eq!((timer.status, timer.out.as_str()), (1, ""));
    assert!(
        timer.err.contains("no table can hold it") && timer.err.contains("least --timer is 26"),
        "{}",
        timer.err
    );
    assert_eq!(with(&["--timer", "26"]).status, 0, "that is enough");
    let v = json(&with(&["--timer", "25", "--format", "json"]));
    assert!(v["problem"].as_str().unwrap().contains("least --timer is 26") && v["cct"].is_null(), "{v}");
    // One BECN must do it all: said so.
    let one = quell(Path::new("."), &["cct", "--fan-in", "64", "--within", "30us"]);
    assert!(one.status == 0 && one.out.contains("too coarse"), "{}", one.out);
}

#[test]
fn bad_input_is_refused_with_option_and_range() {
    for (args, parts) in [
        (&["--fan-in", "1", "--within", "1ms"][..], &["--fan-in", "2..16384"][..]),
        (&["--fan-in", "16385", "--within", "1ms"], &["--fan-in", "16384"]),
        (&["--fan-in", "64"], &["--within"]),
        (&["--fan-in", "64", "--within", "1"], &["--within 1: legal is more than 0", "ns, us, ms, s"]),
        (&["--fan-in", "64", "--within", "0us"], &["--within 0us: legal is more than 0"]),
        (&["--fan-in", "64", "--within", "11s"], &["--within 11s", "at most 10s"]),
        (&["--fan-in", "64", "--within", "soon"], &["--within soon"]),
        (
            &["--fan-in", "64", "--within", "1ms", "--link-gbps", "0"],
            &["--link-gbps 0: legal is 0.1 to 10000"],
        ),
        (&["--fan-in", "64", "--within", "1ms", "--link-gbps", "nan"], &["--link-gbps NaN"]),
        (&["--fan-in", "64", "--within", "1ms", "--mtu", "1500"], &["--mtu 1500: legal is 256, 512"]),
        (&["--fan-in", "64", "--within", "1ms", "--timer", "70000"], &["--timer 70000", "0..65535"]),
        (&["--fan-in", "64", "--within", "1ms", "--increase", "0"], &["--increase", "1..=255"]),
        (&["--fan-in", "64", "--within", "1ms", "--entries", "1"], &["--entries", "2..16384"]),
        (&["--fan-in", "64", "--within", "1ms", "--backlog", "1"], &["--backlog", "2..100000"]),
        (&["--fan-in", "64", "--within", "1ms", "--cct", "cubic(1)"], &["--cct", "\"1\": NAME=VALUE"]),
        (&["--fan-in", "64", "--within", "1ms", "--cct", "cubic()"], &["--cct", "no law \"cubic\""]),
        (&["--fan-in", "64", "--within", "1ms", "--cct", "[5]"], &["--cct: 1 entries; legal is 2..16384"]),
        (
            &["--fan-in", "64", "--within", "1ms", "--cct", "[\"4:1\", \"0:0\"]"],
            &["--cct", "entry 0", "0..3"],
        ),
        (
            &["--fan-in", "200", "--within", "1s", "--entries", "400", "--format", "opensm"],
            &["opensm takes at most 128 (--entries)"],
        ),
    ] {
        let ran = quell(Path::new("."), &[&["cct"], args].concat());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{args:?}: no {part} in {}", ran.err);
        }
    }
}
