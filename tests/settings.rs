//! One configuration for everything: files and options on the command line, and who set what.

use serde_json::Value;
use std::path::Path;

use crate::command::{Ran, quell};

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.status, 0, "{}", ran.err);
    crate::command::json(ran)
}

/// An options file; entry i of its table delays by i times `step` eighths of a packet.
fn opensm(dir: &Path, name: &str, step: usize) {
    let table: Vec<String> = (0..64).map(|i| format!("3:{}", i * step)).collect();
    let text = format!(
        "congestion_control TRUE\ncc_key 0x7\ncc_sw_cong_setting_control_map 0x1f\ncc_sw_cong_setting_victim_mask 0x1e\n\
         cc_sw_cong_setting_threshold 15\ncc_sw_cong_setting_marking_rate 2\ncc_ca_cong_setting_control_map 1\n\
         cc_ca_cong_setting_ccti_timer 0 20\ncc_ca_cong_setting_ccti_increase 0 1\ncc_cct {}\n",
        table.join(",")
    );
    std::fs::write(dir.join(name), text).unwrap();
}

const RUN: &[&str] =
    &["fabric", "ccfit-1", "--scheme", "ith", "--traffic", "all-to-one(dst=4)", "--format", "json"];

fn run(dir: &Path, more: &[&str]) -> Value {
    json(&quell(dir, &[RUN, &["--cycles", "160000"], more].concat()))
}

#[test]
fn an_opensm_file_configures_a_fabric() {
    let dir = tempfile::tempdir().unwrap();
    opensm(dir.path(), "mild.conf", 1);
    opensm(dir.path(), "hard.conf", 60);
    let plain = run(dir.path(), &[]);
    let mild = run(dir.path(), &["--opensm", "mild.conf"]);
    let hard = run(dir.path(), &["--opensm", "hard.conf"]);
    assert_eq!(run(dir.path(), &["--opensm", "hard.conf"]), hard, "the same file gives the same");
    let delivered = |v: &Value| v["report"]["totals"]["delivered_packets"].as_u64().unwrap();
    assert!(hard["report"]["totals"]["cnps"].as_u64() > Some(0), "{}", hard["report"]["totals"]);
    // The table alone is what is different.
    assert!(delivered(&hard) < delivered(&mild) * 9 / 10, "{} {}", delivered(&hard), delivered(&mild));
    assert_ne!(plain["report"], mild["report"]);
    assert_eq!((&hard["settings"]["ccti_timer"], &hard["settings"]["cct"][2]), (&20.into(), &"3:120".into()));
    assert_eq!(hard["origins"]["cct"], "hard.conf:10 (cc_cct)");
    assert!(plain["origins"].is_null() && plain["settings"]["cct"].is_null());
    // Both engines take the same.
    let args =
        ["--opensm", "hard.conf", "--engine", "lockstep", "--sides", "golden,model", "--cycles", "3000"];
    assert_eq!(json(&quell(dir.path(), &[RUN, &args].concat()))["result"], "equal");
}

#[test]
fn later_sources_count() {
    let dir = tempfile::tempdir().unwrap();
    opensm(dir.path(), "o.conf", 1);
    let toml = "scheme = \"ccfit\"\nmarking_rate = 9\nccti_timer = \"8 us\"\nhold = \"2 us\"\n";
    std::fs::write(dir.path().join("c.toml"), toml).unwrap();
    let settings = |more: &[&str]| {
        let args = [&["fabric", "ccfit-1", "--cycles", "100", "--format", "json"][..], more].concat();
        let v = json(&quell(dir.path(), &args));
        let of = |key: &str| v["settings"][key].to_string();
        [of("scheme"), of("marking_rate"), of("ccti_timer"), of("hold")]
    };
    // 2 us are 156.25 cycles of 12.8 ns, the nearest is set
    assert_eq!(settings(&["--config", "c.toml"]), ["\"ccfit\"", "9", "8", "156"]);
    assert_eq!(settings(&["--opensm", "o.conf", "--config", "c.toml"]), ["\"ccfit\"", "2", "20", "156"]);
    let more = ["--set", "ccti_timer=77", "--opensm", "o.conf", "--config", "c.toml", "--scheme", "ecocc"];
    assert_eq!(settings(&more), ["\"ecocc\"", "2", "77", "156"]);
}

#[test]
fn params_say_value_unit_range_and_origin() {
    let dir = tempfile::tempdir().unwrap();
    opensm(dir.path(), "o.conf", 1);
    std::fs::write(dir.path().join("c.toml"), "hth = \"5 MTU\"\n").unwrap();
    let args = ["params", "ccfit-1", "--scheme", "ccfit", "--config", "c.toml", "--opensm", "o.conf"];
    let args = [&args[..], &["--set", "hold=3"]].concat();
    let list = json(&quell(dir.path(), &[&args[..], &["--format", "json"]].concat()));
    let row = |name: &str| {
        let found = list.as_array().unwrap().iter().find(|p| p["name"] == name);
        found.unwrap_or_else(|| panic!("no {name}")).clone()
    };
    for (name, value, unit, legal, from) in [
        ("scheme", "ccfit", "-", "1q, 1vl", "--scheme"),
        ("hth", "160", "flits", "0..65535 flits, or in MTU", "c.toml:1"),
        ("lth", "64", "flits", "0..65535", "default of scheme ccfit"),
        ("hold", "3", "cycles", "or in ns, us, ms", "--set"),
        ("ccti_timer", "20", "1.024 us", "0..65535", "o.conf:8 (cc_ca_cong_setting_ccti_timer)"),
        ("mtu", "32", "flits", "1..64", "default (EcoCC 4.1)"),
    ] {
        let r = row(name);
        assert_eq!((&r["value"], &r["unit"], &r["from"]), (&value.into(), &unit.into(), &from.into()), "{r}");
        assert!(r["legal"].as_str().unwrap().contains(legal), "{r}");
    }
    let text = quell(dir.path(), &args);
    assert!(text.out.contains("o.conf:8 (cc_ca"), "{}", text.out);
    assert!(text.err.contains("ignored, without a place here: cc_key"), "{}", text.err);
    assert!(text.err.contains("scheme ccfit does not act on the fill of VOQs"), "{}", text.err);
    // What is written as a file is read as the same.
    let toml = quell(dir.path(), &[&args[..], &["--format", "toml"]].concat());
    std::fs::write(dir.path().join("all.toml"), &toml.out).unwrap();
    let again = quell(dir.path(), &["params", "ccfit-1", "--config", "all.toml", "--format", "toml"]);
    let plain = |text: &str| -> Vec<String> {
        text.lines().map(|l| l.split('#').next().unwrap_or_default().trim().to_string()).collect()
    };
    assert_eq!((again.status, plain(&again.out)), (0, plain(&toml.out)), "{}", again.err);
    // A unit has its own.
    let list = json(&quell(dir.path(), &["params", "hca-throttle", "--build", "tiny", "--format", "json"]));
    let names: Vec<&str> = list.as_array().unwrap().iter().filter_map(|p| p["name"].as_str()).collect();
    assert!(names.contains(&"ccti_timer") && names.contains(&"cycle_ns"), "{names:?}");
    assert!(!names.contains(&"hth") && !names.contains(&"victim_hosts"), "{names:?}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("near.toml", "# x\nmarkin_rate = 3\n");
    write("range.toml", "hth = 70000\n");
    write("old.toml", "[switch]\nhth = 6\n");
    write("unit.toml", "hth = 100\ncycle_ns = 5\n");
    write("shift.conf", "congestion_control TRUE\ncc_cct 0:0,4:1\n");
    for (args, parts) in [
        (
            &["fabric", "star:3", "--config", "near.toml"][..],
            &["near.toml:2: markin_rate = 3", "nearest: marking_rate"][..],
        ),
        (&["fabric", "star:3", "--config", "range.toml"], &["range.toml:1: hth = 70000", "0..65535 flits"]),
        (&["fabric", "star:3", "--config", "old.toml"], &["old.toml:1: [switch]", "6 MTU"]),
        (&["fabric", "star:3", "--config", "unit.toml"], &["unit.toml:2: cycle_ns = 5", "single units only"]),
        (&["fabric", "star:3", "--config", "none.toml"], &["none.toml: cannot read"]),
        (&["fabric", "star:3", "--opensm", "shift.conf"], &["shift.conf:2: cc_cct", "4:1", "shift 4"]),
        (&["params", "star:3", "--build", "tiny"], &["--build", "star:3"]),
        (&["params", "torus"], &["torus", "4ary-3tree"]),
    ] {
        let ran = quell(dir.path(), args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}");
        for part in parts {
            assert!(ran.err.contains(part), "{args:?}: no {part} in {}", ran.err);
        }
    }
}
