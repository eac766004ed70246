//! `quell cost`: synthesis of a tiny unit, the paper's CAM cells, cached repeats, and bad input.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn quell(args: &[&str]) -> Command {
    let mut c = Command::new(env!("CARGO_BIN_EXE_quell"));
    c.arg("cost").args(args);
    c
}

fn run(args: &[&str]) -> Output {
    quell(args).output().expect("quell runs")
}

fn json(cache: &Path, args: &[&str]) -> Value {
    let cache = cache.to_str().expect("a name");
    let out = run(&[args, &["--format", "json", "--jobs", "1", "--cache", cache]].concat());
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{args:?}: {err}");
    serde_json::from_slice(&out.stdout).expect("JSON")
}

/// One small output port, its CAM lines, and that a repeat gives the same without a synthesis.
#[test]
fn a_small_output_port_and_its_cam_lines() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["output-port", "--ports", "2", "--hpqs", "1", "--dlist", "2", "--nodes", "64"];
    let first = json(dir.path(), &args);
    let c = &first["costs"][0];
    let number = |name: &str| c[name].as_f64().unwrap_or_else(|| panic!("{name} in {c}"));
    assert!((1000.0..100_000.0).contains(&number("nand2")), "{}", number("nand2"));
    assert!(number("cam_nand2") > 0.0 && number("cam_nand2") < number("nand2"));
    assert_eq!(number("sram_bits"), 0.0);
    let path = c["timing"]["path_ns"].as_f64().expect("a path");
    assert!((0.1..12.8).contains(&path), "{path}");
    assert!(c["timing"]["slack_ns"].as_f64().expect("a slack") < 12.8);

    // The parts are the whole.
    let parts = c["modules"].as_array().expect("modules");
    let sum: f64 = parts.iter().map(|p| p["nand2"].as_f64().expect("a number")).sum();
    assert!((sum / number("nand2") - 1.0).abs() < 1e-9);

    // The paper's cells from the parameters, and the RTL's fields against what was found: 2 lines.
    let lines = &first["cam_lines"][0];
    assert_eq!(
        (&lines["paper"]["cam"], &lines["paper"]["sram"]),
        (&Value::from(16 + 2 * 6), &Value::from(35))
    );
    let found = &lines["found"][0];
    assert_eq!(found["module"], "output_cam_line");
    assert_eq!(found["instances"], 2);
    let bits = found["flip_flops"].as_u64().expect("a number");
    assert_eq!(number("cam_bits") as u64, 2 * bits);
    // valid, stop, hold, hops, root, timer, two destinations, fresh, closing and turn at least; lane and length may shrink
    assert!(
        (1 + 1 + 2 + 6 + 24 + 32 + 32 + 3..=1 + 1 + 2 + 8 + 6 + 24 + 32 + 8 + 32 + 3).contains(&bits),
        "{bits}"
    );

    let begin = std::time::Instant::now();
    let out = quell(&args)
        .args(["--format", "json", "--cache"])
        .arg(dir.path())
        .env("PATH", path_of_sta_only(dir.path()))
        .output()
        .expect("quell runs");
    assert!(out.status.success(), "a repeat needs no Python: {}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).expect("JSON"), first);
    assert!(begin.elapsed().as_secs_f64() < 2.0, "{:?}", begin.elapsed());

    // At 5 GHz it does not work, and that is told.
    let cache = dir.path().to_str().expect("a name");
    let out = run(&[&args[..], &["--clock", "5000", "--cache", cache]].concat());
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stdout));
}

/// A folder with `sta` only.
fn path_of_sta_only(dir: &Path) -> std::ffi::OsString {
    let bin = dir.join("bin");
    std::fs::create_dir_all(&bin).expect("a folder");
    let sta = std::env::split_paths(&std::env::var_os("PATH").expect("PATH"))
        .map(|p| p.join("sta"))
        .find(|p| p.exists())
        .expect("sta is installed by ./setup");
    std::os::unix::fs::symlink(sta, bin.join("sta")).expect("a link");
    bin.into_os_string()
}

/// A memory is counted as such and not as gates, and a scheme's unused parts are left out.
#[test]
fn memories_are_not_gates_and_unused_parts_go() {
    let dir = tempfile::tempdir().expect("a folder");
    let of = |scheme: &str| {
        let r = json(dir.path(), &["hca-throttle", "--scheme", scheme, "--set", "flows=16"]);
        let c = &r["costs"][0];
        (c["nand2"].as_f64().expect("a number"), c["sram_bits"].as_u64().expect("a number"), c.clone())
    };
    let (gates, bits, ecocc) = of("ecocc");
    let (fewer_gates, fewer_bits, fewer) = of("hfdi");
    assert!(bits >= 128 * 16 + 16 * 51, "congestion control table and entities: {bits}");
    // (In flip-flops the bits would be six gates each, 20 000 more.)
    assert!(gates < 45_000.0, "{gates}");
    // Without throttling: the choice of the next flow, and of each flow its SL and whether it went, which are in flip-flops.
    assert!(fewer_gates < 0.35 * gates, "{fewer_gates} of {gates}");
    let left: Vec<&str> = fewer["modules"]
        .as_array()
        .expect("modules")
        .iter()
        .filter_map(|m| m["module"].as_str())
        .filter(|m| ["sl_timers", "ccti_step", "sent_packet", "lti_ageing", "cct_update"].contains(m))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(fewer_bits, 0);
    let table =
        ecocc["memories"].as_array().expect("memories").iter().find(|m| m["name"] == "hca_throttle.u_cct");
    let table = table.expect("the congestion control table");
    assert_eq!((&table["depth"], &table["width"], &table["reads"]), (&128.into(), &16.into(), &1.into()));
}

/// An adapter without notifications: nothing writes its FIFO of replies, so that is no memory, and nothing is wrong with it.
#[test]
fn a_memory_that_nothing_writes_is_none() {
    let dir = tempfile::tempdir().expect("a folder");
    let r = json(dir.path(), &["hca", "--scheme", "1vl", "--set", "flows=2"]);
    assert_eq!(r["costs"][0]["cam_nand2"].to_string(), "0.0", "and no lines");
    let memories = r["costs"][0]["memories"].as_array().expect("memories");
    let names: Vec<&str> = memories.iter().filter_map(|m| m["name"].as_str()).collect();
    assert!(names.contains(&"receive_fifo.u_ram"), "{names:?}");
    assert!(!names.iter().any(|n| n.starts_with("word_fifo")), "{names:?}");
}

/// A wormhole router: no CAM lines, and of each input the forwarding table and a FIFO of all lanes in memories.
#[test]
fn a_small_worm_router() {
    let dir = tempfile::tempdir().expect("a folder");
    let r = json(dir.path(), &["worm-router", "--ports", "2", "--vls", "3"]);
    let c = &r["costs"][0];
    let nand2 = c["nand2"].as_f64().expect("a number");
    assert!((1000.0..100_000.0).contains(&nand2), "{nand2}");
    assert_eq!(c["cam_bits"], 0);
    let depth = c["parameters"]["DEPTH"].as_u64().expect("a number");
    let memories = c["memories"].as_array().expect("memories");
    let of =
        |name: &str| memories.iter().find(|m| m["name"] == name).unwrap_or_else(|| panic!("{memories:?}"));
    let fifo = of("worm_input.u_data");
    assert_eq!((&fifo["instances"], &fifo["depth"]), (&2.into(), &(3 * depth).into()));
    assert_eq!((&fifo["width"], &fifo["reads"]), (&129.into(), &1.into()));
}

#[test]
fn bad_input_is_told_and_leaves_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let svg = dir.path().join("plot.svg");
    let plot = svg.to_str().expect("a name");
    let cache = dir.path().join("cache");
    let tiny = ["output-port", "--ports", "2", "--hpqs", "1", "--dlist", "1"];
    for (args, says) in [
        (vec!["switch", "--lib", "tsmc7"], "there is no library tsmc7: there are generic45"),
        (vec!["switch", "--lib", "nowhere.lib", "--node", "45"], "cannot read the library nowhere.lib"),
        (vec!["switch", "--lib", "README.md"], "there is no library README.md"),
        (vec!["switch", "--ports", "65"], "PORTS = 65 is out of range: legal is 1..64"),
        (vec!["switch", "--dlist", "8,33"], "DLIST = 33 is out of range"),
        (vec!["switch", "--hpqs", "9"], "HPQS = 9"),
        (vec!["switch", "--nodes", "1"], "--nodes 1: legal is 2..4096"),
        (vec!["input-port", "--vls", "16"], "input-port of ecocc at 64 nodes: parameter RX_BLOCKS/VLS = 16"),
        (vec!["reservation", "--parity"], "--parity: reservation has no parameter PARITY; it has VLS, MTU,"),
        (vec!["hca-throttle", "--ports", "4"], "--ports: hca-throttle has no parameter PORTS"),
        (vec!["worm-router", "--scheme", "ith"], "--scheme: worm-router is the same in all schemes"),
        (vec!["switch", "--scheme", "tcp"], "there is no scheme tcp"),
        (vec!["switch", "--set", "cioq"], "--set cioq: legal is NAME=VALUE"),
        (vec!["switch", "--set", "xb_interval=16"], "xb_interval = 16"),
        (vec!["switch", "--set", "wings=2"], "wings"),
        (vec!["switch", "--clock", "0"], "--clock 0: legal is 1..10000"),
        (vec!["switch", "--benefit"], "it needs a switch and an adapter for 64 nodes"),
        (vec!["all", "--nodes", "256", "--benefit"], "it needs a switch and an adapter for 64 nodes"),
        (vec!["all", "--benefit", "--format", "csv"], "csv is one table only"),
        (vec!["switch", "--lib", "osu018", "--node", "45"], "is of 180 nm"),
    ] {
        let out = quell(&args).args(["--plot", plot, "--cache"]).arg(&cache).output().expect("quell runs");
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains(says), "{args:?}: {err}");
        assert!(out.stdout.is_empty() && !svg.exists(), "{args:?}");
    }
    // No tools at all, and only the timing tool (where ./setup has not made .venv).
    let own_python = Path::new(env!("CARGO_MANIFEST_DIR")).join(".venv/bin/python").exists();
    let mut paths =
        vec![(dir.path().to_path_buf().into_os_string(), "cannot run sta (OpenSTA); remedy: run ./setup")];
    if !own_python {
        paths.push((path_of_sta_only(dir.path()), "remedy: run ./setup"));
    }
    for (path, says) in paths {
        let out = quell(&tiny)
            .args(["--plot", plot, "--cache"])
            .arg(&cache)
            .env("PATH", path)
            .output()
            .expect("quell runs");
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{err}");
        assert!(err.contains(says) && out.stdout.is_empty() && !svg.exists(), "{err}");
    }
    // A library that lacks what a unit needs.
    let lib = dir.path().join("poor.lib");
    std::fs::write(&lib, POOR).expect("a file");
    let out = quell(&tiny)
        .args(["--node", "45", "--lib"])
        .arg(&lib)
        .args(["--plot", plot, "--cache"])
        .arg(&cache)
        .output()
        .expect("quell runs");
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{err}");
    assert!(err.contains("synthesis of"), "{err}");
    assert!(out.stdout.is_empty() && !svg.exists());
}

/// No logic cell can be made of it.
const POOR: &str = "library (poor) { cell (NAND2) { area : 1; } cell (D) { area : 4; ff (IQ, IQN) { } } }";
