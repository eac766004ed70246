//! Pages are whole, and say what the JSON says.

use serde_json::{Value, json};

use super::page;

/// Elements that have no end.
const EMPTY: [&str; 1] = ["meta"];

/// Panics unless every element of a page ends, in order; and nothing of it comes from elsewhere.
fn checked(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = page.strip_prefix("<!DOCTYPE html>").expect("a page of HTML");
    for piece in body.split('<').skip(1) {
        let (tag, rest) = piece.split_once('>').expect("a tag ends");
        assert!(!rest.contains('>'), "a bare > after <{tag}>");
        let name = tag.split([' ', '/']).find(|w| !w.is_empty()).expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> ends another element");
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for outside in ["http:", "https:", "src=", "@import", "<script", "<link", "url(//"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let mut names: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|s| s.split('"').next()).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all, "a name is there twice");
}

fn one(value: Value) -> String {
    let page = page(&[("run.json".into(), value)]).expect("a page");
    checked(&page);
    page
}

fn latency(n: u64) -> Value {
    json!({"packets": 10, "mean": 1.5, "p50": n, "p90": 2 * n, "p99": 3 * n, "p999": 4 * n, "max": 5 * n})
}

fn fabric() -> Value {
    let sample = |t: u64, marked: u64| {
        json!({"t": t, "no_free_hpq": 1, "hpqs_used": t / 100, "switch_flits": 7, "fullest_port": 3, "adapter_flits": 4,
               "delivered_marked": marked, "throttled": {"flows": 2, "ccti_sum": 30, "ccti_max": 17}})
    };
    json!({
        "result": "good", "scheme": "ecocc", "engine": "model", "seed": 3, "settings": {"blocks": 2048, "name": "<a & b>"},
        "report": {
            "network": "two-switch", "traffic": "uniform", "hosts": 4, "cycles": 1000, "cycle_ps": 12800, "bin": 100,
            "totals": {"delivered_packets": 12345, "refused_packets": 6, "marked": 77, "cnps": 55},
            "normalised": 0.625, "gbps": 100.0, "network_latency": latency(100), "total_latency": latency(200),
            "fairness": null, "node_jain": 0.5, "received": [1, 2, 3, 4],
            "series": [{"name": "network", "scope": "network", "capacity": 4.0, "flits": [100, 200, 300]}],
            "samples": [sample(100, 1), sample(200, 9)],
            "ports": [{"port": 0, "switch": "S0", "number": 0, "mean": 1.5, "max": 9},
                      {"port": 1, "switch": "S0", "number": 1, "mean": 0.0, "max": 0},
                      {"port": 2, "switch": "S1", "number": 0, "mean": 42.5, "max": 99}],
            "links": [{"name": "S0 -> S1", "flits": 900, "used": 0.9}],
        },
    })
}

#[test]
fn a_network_is_shown_whole() {
    let page = one(fabric());
    for fact in [
        "two-switch under ecocc",
        "12\u{202f}345",
        "62.5 %",
        "7.68 µs",
        "S1, port 0: 42.5 flits",
        "Index of the throttles (CCTI)",
        "Hot-packet queues",
        "Marked packets that arrive",
        "&lt;a &amp; b&gt;",
        "S0 -&gt; S1",
        "all whole, once",
    ] {
        assert!(page.contains(fact), "no {fact} in\n{page}");
    }
    // A page of several has a way to each of them.
    let two = super::page(&[("a.json".into(), fabric()), ("b.json".into(), fabric())]).expect("a page");
    checked(&two);
    assert!(two.contains("href=\"#part1\"") && two.contains("id=\"part1\""));
}

#[test]
fn coverage_and_failures_are_shown() {
    let point = |name: &str, rules: &[&str], count: u64, in_reach: bool| json!({"name": name, "rules": rules, "text": "x < y", "count": count, "in_reach": in_reach});
    let run = json!({
        "result": "equal", "title": "switch p4", "stimulus": "random traffic", "runs": 2, "seed": 1, "cycles": 2000, "packets": 9,
        "seconds": 0.5, "cycles_per_second": 4000.0, "verdict": "equal in every cycle", "not_compared": ["err"],
        "cover": [{"unit": "switch", "points": [point("a_b", &["A1", "B1"], 5, true), point("c_d", &["B1"], 0, true),
                                                point("e_f", &["B1"], 0, false)]}],
    });
    let page = one(run);
    for fact in
        ["1 of 2 points hit", "<b>B1</b><span>1/2</span>", "c_d", "1 more are out of reach", "Not compared"]
    {
        assert!(page.contains(fact), "no {fact} in\n{page}");
    }
    let failure = json!({
        "result": "mismatch", "unit": "switch", "build": "p4", "title": "my_switch in the place of switch p4",
        "stimulus": "random traffic", "again": "quell cosim switch --dut x.sv --stimulus x.stim", "seed": 1, "cycle": 568, "vcd": "x.vcd", "reproducer": null,
        "history": [{"cycle": 567, "inputs": ""}, {"cycle": 568, "inputs": "rx_valid=1"}],
        "differences": [{"signal": "tx_valid", "group": "output", "element": 2, "rules": ["B2"], "rtl": "1", "golden": "0", "xor": "1"}],
    });
    let page = one(failure);
    for fact in [
        "differ in cycle 568",
        "my_switch in the place",
        "random traffic",
        "--stimulus x.stim",
        "tx_valid[2]",
        "rx_valid=1",
        "(idle)",
        "x.vcd",
    ] {
        assert!(page.contains(fact), "no {fact} in\n{page}");
    }
    let broken = json!({
        "result": "broken", "unit": "hca-throttle", "build": "tiny", "title": "hca-throttle tiny", "stimulus": "x", "again": null, "seed": 1, "cycle": 568, "kind": "spacing", "rules": ["H5", "H6"],
        "message": "an offer too early", "history": [],
    });
    let page = one(broken);
    for fact in [
        "a rule is broken in cycle 568",
        "an offer too early",
        "What the rules say (spacing)",
        "table formats, IRD",
    ] {
        assert!(page.contains(fact), "no {fact} in\n{page}");
    }
}

#[test]
fn studies_comparisons_and_costs_are_shown() {
    let claim = json!({"text": "it is so", "must": "a > b", "published": "1", "measured": "2", "deviation": "", "holds": false, "reason": "why"});
    let study = json!({"id": "E1", "title": "T", "source": "S", "chosen": ["x = 1"], "holds": false, "claims": [claim],
                       "tables": [{"title": "Tab", "head": ["a", "b"], "rows": [["x", "1.5"]]}]});
    let page = one(json!({"form": "short", "seed": 1, "studies": [study]}));
    for fact in ["0 of 1 claims hold", "it is so. Why not: why", "<td class=\"n\">1.5</td>", "x = 1"] {
        assert!(page.contains(fact), "no {fact} in\n{page}");
    }
    let row = json!({"scheme": "1q", "throughput": 0.5, "victims_throughput": null, "fairness": 0.9, "recovery_ns": null, "rest_ns": 1500.0,
                     "victims_ns": {"mean": 1.0, "p50": 1000.0, "p90": 2000.0, "p99": 3000.0, "p999": 4000.0, "max": 5000.0},
                     "replies_per_1000": 0.0, "marked_per_1000": 2.5, "throughput_over_ms": [[0.1, 0.4], [0.2, 0.5]]});
    let compared = json!({"network": "star:3", "hosts": 3, "traffic": "uniform", "cycles": 1000, "cycle_ps": 12800, "seed": 1, "schemes": [row]});
    let page = one(compared);
    for fact in ["Schemes on star:3", ">1.5</td>", "Throughput over time", "all schemes ran"] {
        assert!(page.contains(fact), "no {fact} in\n{page}");
    }
    let cost = json!({"unit": "hca", "scheme": "1q", "nodes": 64, "library": "osu018", "reckoned": true, "nand2": 12345.6, "cam_nand2": 0.0,
                      "flip_flops": 10, "cam_bits": 0, "sram_bits": 4096, "area_mm2": 0.5, "modules": [], 
                      "timing": {"path_ns": 2.0, "slack_ns": -0.5, "from": "a", "to": "b"}});
    let page = one(json!({"clock_mhz": 78.125, "costs": [cost], "cam_lines": [], "benefit": []}));
    for fact in ["~12\u{202f}346", "1 of 1 do not reach", "osu018", ">500<"] {
        assert!(page.contains(fact), "no {fact} in\n{page}");
    }
}

#[test]
fn what_is_damaged_is_named() {
    let told = |value: Value| page(&[("x.json".into(), value)]).expect_err("damaged").to_string();
    assert!(told(json!({"a": 1})).starts_with("x.json: not of quell: "));
    assert!(told(json!([1])).starts_with("x.json: not of quell: "));
    let mut broken = fabric();
    broken["report"]["samples"][1]["t"] = json!("soon");
    assert_eq!(told(broken), "x.json: report.samples[1].t: a number is wanted");
    let mut broken = fabric();
    broken["report"]["totals"].as_object_mut().expect("an object").remove("marked");
    assert_eq!(told(broken), "x.json: report.totals.marked: is not there");
    let mut broken = fabric();
    broken["report"] = json!(7);
    assert_eq!(told(broken), "x.json: report: an object is wanted");
}
