//! `quell fabric` on the command line.

use std::path::Path;

use crate::command::{Ran, json};

fn quell(dir: &Path, args: &[&str]) -> Ran {
    crate::command::quell(dir, &[&["fabric"], args].concat())
}

#[test]
fn everything_is_listed() {
    let dir = tempfile::tempdir().unwrap();
    let ran = quell(dir.path(), &["--list"]);
    assert_eq!(ran.status, 0);
    for part in [
        "4ary-3tree",
        "kary-ntree:K:N",
        "santos:L:R",
        "min512",
        "uniform(load",
        "ecocc1",
        "santos(l, r",
        "mvcm(load",
        "voqnet",
        "IB-ITh",
        "fc_interval",
        "hth",
    ] {
        assert!(ran.out.contains(part), "no {part} in {}", ran.out);
    }
}

#[test]
fn the_engines_measure_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let run = |engine: &str| {
        let args = ["two-switch", "--engine", engine, "--cycles", "2000", "--format", "json", "--drain"];
        let ran = quell(dir.path(), &args);
        assert_eq!(ran.status, 0, "{}", ran.err);
        json(&ran)
    };
    let (golden, mut model) = (run("golden"), run("model"));
    // What the fast engine alone tells: the indices of the throttles.
    for sample in model["report"]["samples"].as_array_mut().expect("a list") {
        let throttled = sample.as_object_mut().and_then(|s| s.remove("throttled")).expect("it tells");
        assert!(throttled["ccti_sum"].as_u64() >= throttled["ccti_max"].as_u64(), "{throttled}");
    }
    for v in [&golden, &model] {
        assert_eq!(v["result"], "good");
        assert!(v["drained_cycles"].as_u64() > Some(0));
    }
    for key in ["series", "received", "samples", "total_latency", "gbps"] {
        assert!(!golden["report"][key].is_null(), "{key}");
        assert_eq!(golden["report"][key], model["report"][key], "{key}");
    }
    for key in ["offered_packets", "refused_packets", "delivered_packets", "marked", "cnps"] {
        assert_eq!(golden["report"]["totals"][key], model["report"]["totals"][key], "{key}");
    }
}

#[test]
fn lockstep_says_equal_and_the_files_are_left() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "star:3",
        "--engine",
        "lockstep",
        "--sides",
        "golden,model",
        "--time",
        "20us",
        "--seed",
        "7",
        "--plot",
        "p.svg",
        "--out",
        "r.txt",
        "--vcd",
        "w.vcd",
        "--vcd-nodes",
        "S,h0",
        "--vcd-cycles",
        "100..200",
    ];
    let ran = quell(dir.path(), &args);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    for part in [
        "equal in every cycle (1563 cycles)",
        "lockstep of golden and model",
        "seed 7",
        "each once, whole and in order",
    ] {
        assert!(read("r.txt").contains(part), "no {part} in {}", read("r.txt"));
    }
    assert!(read("p.svg").starts_with("<svg") || read("p.svg").starts_with("<?xml"));
    assert!(read("w.vcd").contains("$scope module h0 $end"));
}

#[test]
fn networks_of_slow_links_run_in_lockstep() {
    let dir = tempfile::tempdir().unwrap();
    for (net, traffic, time) in [
        ("santos:3:2", "santos(3, 2, step=2us, from=10us, to=30us)", "40us"),
        ("min:2:3", "mvcm(50%, packets=3, after=20, arrival=periodic)", "20us"),
    ] {
        let args = [
            net,
            "--scheme",
            "1vl",
            "--traffic",
            traffic,
            "--time",
            time,
            "--engine",
            "lockstep",
            "--sides",
            "golden,model",
            "--drain",
            "--format",
            "json",
        ];
        let ran = quell(dir.path(), &args);
        assert_eq!(ran.status, 0, "{net}: {}", ran.err);
        let v = json(&ran);
        assert_eq!(v["result"], "equal", "{net}");
        let series = v["report"]["series"].as_array().unwrap();
        let flits = |name: &str| -> u64 {
            let of = series.iter().find(|s| s["name"] == name).unwrap_or_else(|| panic!("no {name}: {v}"));
            of["flits"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum()
        };
        if net == "santos:3:2" {
            let (local, remote, victim) = (flits("local"), flits("remote"), flits("victim"));
            assert!(local > remote && remote > 0 && victim > 0, "{local} {remote} {victim}");
        } else {
            // one hot source of eight
            assert_eq!(flits("hot"), 3 * 5);
        }
    }
}

#[test]
fn meshes_and_one_way_networks_run_in_lockstep() {
    let dir = tempfile::tempdir().unwrap();
    // Each direction of the hosts' links at a port of its own.
    let links: Vec<String> = (0..3)
        .map(|h| format!("{{a = \"h{h}\", b = \"s:{h}\", one_way = true}}, {{a = \"s:{}\", b = \"h{h}\", one_way = true}}", 3 + h))
        .collect();
    let file = format!(
        "switch = [{{name = \"s\", ports = 6}}]\nhost = [{{name = \"h0\"}}, {{name = \"h1\"}}, {{name = \"h2\"}}]\nlink = [{}]\n",
        links.join(", ")
    );
    std::fs::write(dir.path().join("split.toml"), file).unwrap();
    for net in ["mesh:3x2", "umin:2:2:butterfly", "umin:2:2:shuffle", "split.toml"] {
        let args = [
            net,
            "--scheme",
            "ecocc",
            "--engine",
            "lockstep",
            "--sides",
            "golden,model",
            "--time",
            "20us",
            "--drain",
            "--format",
            "json",
        ];
        let ran = quell(dir.path(), &args);
        assert_eq!(ran.status, 0, "{net}: {}", ran.err);
        let v = json(&ran);
        assert_eq!(v["result"], "equal", "{net}");
        assert!(v["report"]["totals"]["delivered_packets"].as_u64() > Some(100), "{net}: {v}");
    }
    // A host that cannot be sent to.
    let cut = std::fs::read_to_string(dir.path().join("split.toml")).unwrap();
    let cut = cut.replace(", {a = \"s:5\", b = \"h2\", one_way = true}", "");
    std::fs::write(dir.path().join("cut.toml"), cut).unwrap();
    let ran = quell(dir.path(), &["cut.toml"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("host h2 has no link to receive by"), "{}", ran.err);
}

#[test]
fn csv_has_a_line_a_bin() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["star:3", "--cycles", "1000", "--format", "csv", "--set", "hth=100", "--set", "lth=50"];
    let ran = quell(dir.path(), &args);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 101, "{}", ran.out);
    assert!(ran.out.starts_with("time_ms,normalised"));
}

#[test]
fn bad_input_is_refused_and_earlier_files_stay() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("old.txt", "old");
    write("bad.toml", "name = 3\n");
    write("bad.lft", "Unicast lids [0x0-0x3] of switch Lid 99 guid 0x1 (none):\n  0x0001 077 : x\n");
    let common = ["--out", "old.txt", "--cycles", "100"];
    let cases: &[(&[&str], &[&str])] = &[
        (&["torus"], &["unknown network \"torus\"", "4ary-3tree"]),
        (&["none.toml"], &["none.toml"]),
        (&["bad.toml"], &["bad.toml"]),
        (&["star:3", "--scheme", "tcp"], &["--scheme", "tcp", "ecocc"]),
        (&["4ary-3tree", "--scheme", "ith-ack", "--set", "wmax=66"], &["wmax = 66", "legal is 1..65"]),
        (&["4ary-3tree", "--scheme", "ith-ack", "--set", "cnpq=64"], &["cnpq = 64", "126..4096"]),
        (&["star:3", "--scheme", "mvcm", "--set", "mb_th=2048"], &["mb_th = 2048", "legal is 0..2047"]),
        (&["star:3", "--set", "heigth=1"], &["no setting heigth", "nearest: weight"]),
        (&["star:3", "--set", "hth=70000"], &["hth", "65535"]),
        (&["star:3", "--set", "hth"], &["NAME=VALUE"]),
        (&["star:3", "--set", "scheme=ith"], &["--scheme"]),
        (&["4ary-3tree", "--set", "lft_depth=64"], &["lft_depth = 64", "needs 65"]),
        (&["clos:16", "--set", "flows=64"], &["flows = 64", "needs 128"]),
        (&["star:3", "--traffic", "storm"], &["storm", "uniform"]),
        (&["star:3", "--traffic", "bad.toml"], &["bad.toml"]),
        (&["star:3", "--traffic", "uniform(load=7)"], &["load"]),
        (&["star:3", "--lft", "bad.lft"], &["bad.lft"]),
        (&["star:3", "--lft", "none.lft"], &["none.lft", "cannot read"]),
        (&["star:3", "--vcd", "w.vcd", "--vcd-nodes", "X9"], &["no node X9", "S, h0, h1"]),
        (&["star:3", "--vcd", "w.vcd"], &["--vcd-nodes"]),
        (
            &["star:3", "--vcd", "w.vcd", "--vcd-nodes", "S", "--vcd-cycles", "9..3"],
            &["--vcd-cycles 9..3", "100"],
        ),
        (&["star:3", "--engine", "lockstep", "--sides", "rtl"], &["--sides rtl", "two"]),
        (&["star:3", "--engine", "fpga"], &["fpga", "lockstep"]),
        (&["star:3", "--threads", "0"], &["threads"]),
        (&["star:3", "--plot", "old.txt/x.svg"], &["old.txt/x.svg"]),
    ];
    for (args, parts) in cases {
        let all: Vec<&str> = args.iter().chain(&common).copied().collect();
        let ran = quell(dir.path(), &all);
        assert_eq!(ran.status, 2, "{args:?}: {}{}", ran.out, ran.err);
        for part in *parts {
            assert!(ran.err.contains(part), "{args:?}: no {part} in: {}", ran.err);
        }
        assert_eq!(std::fs::read_to_string(dir.path().join("old.txt")).unwrap(), "old", "{args:?}");
    }
    let ran = quell(dir.path(), &["star:3", "--time", "1ns"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("less than a cycle"), "{}", ran.err);
}
