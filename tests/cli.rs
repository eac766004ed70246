//! The command line: exit status, what is printed where, and messages that say what to do.
#![cfg(feature = "rtl")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::command::{json, quell};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    path.to_str().expect("UTF-8").to_string()
}

/// Units that are run here.
const UNITS: [&str; 8] = [
    "input-port",
    "output-port",
    "hca-throttle",
    "source-response",
    "reservation",
    "worm-router",
    "worm-adapter",
    "injection-control",
];

#[test]
fn each_unit_runs_equal_and_says_so() {
    let dir = folder();
    for unit in UNITS {
        let ran = quell(dir.path(), &["cosim", unit, "--build", "tiny", "--cycles", "20000", "--seed", "3"]);
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
        // Of a model that is made at first use there are lines.
        let lines = ran.err.lines().all(|l| l.starts_with("quell: "));
        assert!(lines, "no progress bar in a pipe: {}", ran.err);
        for part in
            ["equal in every cycle", "cycles     20 000", "packets", "cycles/s", "first seed 3", "cover of"]
        {
            assert!(ran.out.contains(part), "{unit}: no {part} in:\n{}", ran.out);
        }
    }
}

#[test]
fn json_is_the_same_for_the_same_seed() {
    let dir = folder();
    let args =
        ["cosim", "input-port", "--build", "tiny", "--cycles", "5000", "--seed", "9", "--format", "json"];
    let (a, b) = (json(&quell(dir.path(), &args)), json(&quell(dir.path(), &args)));
    assert_eq!((&a["result"], &a["cycles"], &a["seed"]), (&"equal".into(), &5000.into(), &9.into()));
    assert_eq!(a["packets"], b["packets"]);
    assert_eq!(a["cover"], b["cover"]);
    let points = a["cover"][0]["points"].as_array().expect("points");
    assert!(points.iter().any(|p| p["count"].as_u64() > Some(0)));
}

#[test]
fn several_jobs_count_together() {
    let dir = folder();
    let args =
        ["cosim", "output-port", "--build", "tiny", "--cycles", "3000", "--jobs", "2", "--format", "json"];
    let ran = json(&quell(dir.path(), &args));
    assert_eq!((&ran["runs"], &ran["cycles"]), (&2.into(), &6000.into()));
}

#[test]
fn configuration_files_are_taken() {
    let dir = folder();
    for (flag, file) in [("--opensm", "opensm.conf"), ("--config", "ecocc.toml")] {
        for unit in ["input-port", "output-port", "hca-throttle"] {
            let ran = quell(dir.path(), &["cosim", unit, flag, &data(file), "--cycles", "5000"]);
            assert_eq!(ran.status, 0, "{unit} {flag}: {}{}", ran.out, ran.err);
        }
    }
}

#[test]
fn a_waveform_is_left() {
    let dir = folder();
    let args = [
        "cosim",
        "hca-throttle",
        "--cycles",
        "5000",
        "--vcd",
        "x.vcd",
        "--vcd-from",
        "1000",
        "--vcd-cycles",
        "50",
    ];
    let ran = quell(dir.path(), &args);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = std::fs::read_to_string(dir.path().join("x.vcd")).expect("the waveform");
    for scope in ["rtl", "golden", "mismatch"] {
        assert!(text.contains(&format!("$scope module {scope} $end")), "no scope {scope}");
    }
    let times: Vec<u64> = text.lines().filter_map(|l| l.strip_prefix('#')?.parse().ok()).collect();
    assert_eq!(times.first(), Some(&(1000 * 128)));
    assert!(times.last().is_some_and(|t| *t <= 1051 * 128), "{times:?}");
}

/// The variables of a waveform, as GTKWave names them.
fn variables(vcd: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(vcd).expect("the waveform");
    let mut scopes: Vec<&str> = Vec::new();
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut add = |name: String| {
            let path = scopes.join(".");
            names.insert(if path.is_empty() { name } else { format!("{path}.{name}") })
        };
        match words[..] {
            ["$scope", _, name, ..] => scopes.push(name),
            ["$upscope", ..] => drop(scopes.pop()),
            ["$var", _, _, _, name, "$end"] => drop(add(name.to_string())),
            ["$var", _, _, _, name, range, "$end"] => drop(add(format!("{name}{range}"))),
            ["$enddefinitions", ..] => break,
            _ => {}
        }
    }
    names
}

/// The variables of a layout of GTKWave that lies beside a waveform.
fn laid_out(vcd: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(vcd.with_extension("gtkw")).expect("the layout");
    let is = |l: &&str| !l.starts_with(['[', '*', '@', '-']);
    text.lines().filter(is).map(String::from).collect()
}

#[test]
fn layouts_beside_a_waveform_fit_it() {
    let dir = folder();
    let x = dir.path().join("x.vcd");
    for unit in UNITS {
        let ran = quell(dir.path(), &["cosim", unit, "--cycles", "300", "--vcd", "x.vcd"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let (there, wanted) = (variables(&x), laid_out(&x));
        assert!(wanted.len() > 20, "{unit}: {wanted:?}");
        for name in wanted {
            assert!(there.contains(&name), "{unit}: no {name} in the waveform");
        }
        let surfer = std::fs::read_to_string(x.with_extension("sucl")).expect("the commands");
        assert!(surfer.lines().filter(|l| l.starts_with("variable_add ")).count() > 20, "{unit}");
    }
    // What happened has names.
    let text = std::fs::read_to_string(&x).expect("the waveform");
    assert!(text.contains("$scope module events $end"), "{text}");
    let nodes = ["fabric", "2ary-3tree", "--cycles", "300", "--vcd", "n.vcd", "--vcd-nodes", "s0.1,h0"];
    let ran = quell(dir.path(), &nodes);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let n = dir.path().join("n.vcd");
    let (there, wanted) = (variables(&n), laid_out(&n));
    assert!(wanted.iter().any(|name| name.starts_with("s0_1.")) && wanted.len() > 20, "{wanted:?}");
    for name in wanted {
        assert!(there.contains(&name), "no {name} in the waveform");
    }
}

/// The variable at a path, and its values with their times.
fn values_of(wave: &mut wellen::simple::Waveform, scopes: &[&str], name: &str) -> Vec<(u32, String)> {
    let var = wave.hierarchy().lookup_var(scopes, &name);
    let var = var.unwrap_or_else(|| panic!("no {name} in {scopes:?}"));
    let signal = wave.hierarchy()[var].signal_ref();
    wave.load_signals(&[signal]);
    let signal = wave.get_signal(signal).expect("a signal");
    signal.iter_changes().map(|(t, v)| (t, v.to_bit_string().expect("bits"))).collect()
}

#[test]
fn what_is_inside_is_in_the_waveform() {
    let dir = folder();
    // A design of somebody else, whose pins have names of their own.
    let pacer = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/dut/pacer");
    let (design, map) = (pacer.join("bug_short.f"), pacer.join("pacer.toml"));
    let (design, map) = (design.to_string_lossy(), map.to_string_lossy());
    let foreign = ["--dut", &*design, "--top", "nic_pacer", "--map", &*map, "--compare", "events"];
    for (file, rest) in [("x.vcd", &[][..]), ("x.fst", &[]), ("x.fst", &foreign)] {
        let run = ["cosim", "hca-throttle", "--build", "tiny"];
        let wave = ["--cycles", "10000", "--vcd", file, "--vcd-cycles", "3000", "--internals"];
        let ran = quell(dir.path(), &[&run[..], &wave, rest].concat());
        assert!(ran.status < 2, "{}", ran.err);
        let file = match rest {
            [] => dir.path().join(file),
            // It has a bug: the waveform of the failure.
            _ => waveform_in(&dir.path().join("quell-failures")),
        };
        let mut wave = wellen::simple::read(file).expect("a waveform");
        // What goes out is inside, too.
        let shown = values_of(&mut wave, &["rtl"], "inj_valid");
        let inside = values_of(&mut wave, &["internals"], if rest.is_empty() { "inj_valid_o" } else { "go" });
        assert!(shown.len() > 3, "{shown:?}");
        assert_eq!(shown, inside);
        // And a signal that is nowhere else: the pointer of the sweep moves in every cycle.
        if rest.is_empty() {
            let sweep = values_of(&mut wave, &["internals", "u_ageing"], "ent_o");
            assert!(sweep.len() > 200, "{sweep:?}");
        }
    }
}

/// The waveform that a failure has left behind.
fn waveform_in(folder: &Path) -> std::path::PathBuf {
    let files = std::fs::read_dir(folder).expect("the folder of failures");
    let paths = files.map(|f| f.expect("a file").path());
    paths.into_iter().find(|p| p.extension().is_some_and(|e| e == "vcd")).expect("a waveform")
}

#[test]
fn a_name_that_ends_in_fst_makes_an_fst() {
    let dir = folder();
    for file in ["x.vcd", "x.fst"] {
        let ran = quell(
            dir.path(),
            &["cosim", "hca-throttle", "--build", "tiny", "--cycles", "400", "--vcd", file],
        );
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    let [vcd, fst] =
        ["x.vcd", "x.fst"].map(|f| wellen::simple::read(dir.path().join(f)).expect("a waveform"));
    let named = |w: &wellen::simple::Waveform| w.hierarchy().iter_vars().count();
    // Text is there a second time.
    assert_eq!(named(&vcd) + 1, named(&fst));
    let size = |f: &str| std::fs::metadata(dir.path().join(f)).expect("there").len();
    assert!(3 * size("x.fst") < size("x.vcd"), "{} {}", size("x.fst"), size("x.vcd"));
}

#[test]
fn a_report_is_made_of_what_commands_write() {
    let dir = folder();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
    let unit = quell(
        dir.path(),
        &["cosim", "hca-throttle", "--build", "tiny", "--cycles", "3000", "--format", "json"],
    );
    write("unit.json", &unit.out);
    for (name, network) in [("net.json", "two-switch"), ("worm.json", "mesh:2x2")] {
        let scheme = if name == "net.json" { "ecocc" } else { "credit" };
        let traffic = if name == "net.json" { "all-to-one" } else { "worm-onoff(load=40%)" };
        let args = [
            "fabric",
            network,
            "--scheme",
            scheme,
            "--traffic",
            traffic,
            "--cycles",
            "4000",
            "--format",
            "json",
        ];
        let ran = quell(dir.path(), &[&args[..], &["--out", name]].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
    }
    let files = ["report", "unit.json", "net.json", "worm.json", "-o", "all.html"];
    let ran = quell(dir.path(), &files);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let page = std::fs::read_to_string(dir.path().join("all.html")).expect("the page");
    let cycles = json(&unit)["cycles"].as_u64().expect("a number");
    assert_eq!(cycles, 3000);
    for fact in [
        "3\u{202f}000",
        "Coverage of hca-throttle by rule",
        "two-switch under ecocc",
        "mesh:2x2 under credit",
    ] {
        assert!(page.contains(fact), "no {fact}");
    }
    for chart in ["Throughput over time", "Index of the throttles (CCTI)", "Buffers of the input ports"] {
        assert!(page.contains(chart), "no {chart}");
    }

    write("bad.json", &unit.out.replace("\"count\"", "\"counts\""));
    let ran = quell(dir.path(), &["report", "bad.json", "-o", "bad.html"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("bad.json: cover[0].points[0].count: is not there"), "{}", ran.err);
    write("cut.json", &unit.out[..unit.out.len() / 2]);
    let ran = quell(dir.path(), &["report", "cut.json", "-o", "bad.html"]);
    assert!(ran.status == 2 && ran.err.contains("cut.json: not JSON"), "{}", ran.err);
    assert!(!dir.path().join("bad.html").exists());
}

#[test]
fn scenarios_and_parameters_are_listed() {
    let dir = folder();
    let scenarios = json(&quell(dir.path(), &["scenarios", "--format", "json"]));
    let scenarios = scenarios.as_array().expect("a list");
    assert!(scenarios.len() > 50, "{}", scenarios.len());
    let text = quell(dir.path(), &["scenarios"]);
    assert_eq!(text.status, 0);
    for s in scenarios {
        assert!(text.out.contains(s["name"].as_str().expect("a name")), "{s}");
    }
    let params = json(&quell(dir.path(), &["params", "--format", "json"]));
    for p in params.as_array().expect("a list") {
        for key in ["name", "set_by", "unit", "value", "legal", "from", "text"] {
            assert!(p[key].as_str().is_some_and(|s| !s.is_empty()), "{key} of {p}");
        }
    }
    for name in ["PORTS", "switch_input_port.HTH", "cc_cct", "knobs.load", "ccti_timer"] {
        assert!(params.to_string().contains(name), "no {name}");
        assert!(quell(dir.path(), &["params"]).out.contains(name), "no {name}");
    }
}

#[test]
fn a_scenario_runs() {
    let dir = folder();
    let args = [
        "cosim",
        "input-port",
        "--build",
        "tiny",
        "--scenario",
        "e6-dealloc-crosses-move",
        "--cycles",
        "4000",
    ];
    let ran = quell(dir.path(), &args);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("scenario e6-dealloc-crosses-move"), "{}", ran.out);
}

/// A stimulus for the tiny throttle, as one is written by hand.
const STIMULUS: &str = "quell-stimulus 1\nunit hca-throttle\nbuild tiny\nseed 5\nstart\nidle 30\n\
    repeat 30 req=1f sl_ok=ffff inj_ready=1 inj_len=2\nend 60\n";

#[test]
fn a_stimulus_file_is_replayed() {
    let dir = folder();
    std::fs::write(dir.path().join("s.stim"), STIMULUS).expect("written");
    let ran = json(&quell(dir.path(), &["replay", "s.stim", "--format", "json"]));
    assert_eq!((&ran["result"], &ran["cycles"], &ran["seed"]), (&"equal".into(), &60.into(), &5.into()));
    assert!(ran["packets"].as_u64() > Some(0), "{ran}");
    let ran = quell(dir.path(), &["cosim", "hca-throttle", "--stimulus", "s.stim"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = quell(dir.path(), &["cosim", "input-port", "--stimulus", "s.stim"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("the stimulus is for hca-throttle, build tiny"), "{}", ran.err);
}

#[test]
fn damaged_stimulus_files_are_refused() {
    let dir = folder();
    let damage: Vec<(&str, String)> = vec![
        ("empty", String::new()),
        ("truncated", STIMULUS[..STIMULUS.len() - 8].to_string()),
        ("not a stimulus", "hello\n".into()),
        ("a wrong name", STIMULUS.replacen("req", "rex", 1)),
    ];
    for (what, text) in damage {
        std::fs::write(dir.path().join("bad.stim"), text).expect("written");
        let ran = quell(dir.path(), &["replay", "bad.stim"]);
        assert_eq!(ran.status, 2, "{what}: {}", ran.out);
        assert!(ran.err.starts_with("quell: error: ") && ran.err.contains("bad.stim"), "{what}: {}", ran.err);
    }
}

#[test]
fn bad_input_is_refused_with_field_and_range() {
    let dir = folder();
    let file = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
    file("unknown.toml", "speed = 1\n");
    file("thresholds.toml", "hth = \"4 MTU\"\nlth = \"6 MTU\"\n");
    file("beyond.toml", "hth = 5000\n");
    file("limit.toml", "ccti_limit = 4000\n");
    file("section.toml", "[switch]\nhth = 6\n");
    file("knob.toml", "[knobs]\nload = 1.5\n");
    file("route.toml", "[lft]\n5 = 63\n");
    file("shift.conf", "congestion_control TRUE\ncc_cct 0:0,4:1\n");
    file("multiplier.conf", "congestion_control TRUE\ncc_cct 0:0,0:16384\n");
    let cases: &[(&[&str], &[&str])] = &[
        (&["cosim", "input-port", "--config", "unknown.toml"], &["unknown.toml", "speed"]),
        (&["cosim", "input-port", "--config", "thresholds.toml"], &["lth"]),
        (&["cosim", "input-port", "--config", "beyond.toml"], &["hth", "2047"]),
        (&["cosim", "hca-throttle", "--config", "limit.toml"], &["ccti_limit", "127"]),
        (&["cosim", "input-port", "--config", "route.toml"], &["63", "7"]),
        (&["cosim", "input-port", "--config", "section.toml"], &["section.toml:1: [switch]", "6 MTU"]),
        (&["cosim", "input-port", "--config", "knob.toml"], &["knob.toml:2: knobs.load = 1.5", "0 to 1"]),
        (&["cosim", "input-port", "--set", "hht=3"], &["--set hht = 3", "nearest: hth"]),
        (&["cosim", "input-port", "--set", "lines=3"], &["--set lines = 3", "-P LINES=3"]),
        (&["cosim", "input-port", "--scheme", "1vll"], &["--scheme", "1vl"]),
        (&["cosim", "hca-throttle", "--opensm", "shift.conf"], &["cc_cct", "4:1", "3"]),
        (&["cosim", "hca-throttle", "--opensm", "multiplier.conf"], &["cc_cct", "16384", "16383"]),
        (&["cosim", "input-port", "--config", "missing.toml"], &["missing.toml", "cannot read"]),
        (&["cosim", "input-port", "--build", "huge"], &["no build huge", "p8v1, p4v2, tiny, oneq"]),
        (&["cosim", "input-port", "--scenario", "nonsense"], &["no scenario nonsense", "e1-root"]),
        (&["cosim", "input-port", "--knob", "load=2"], &["load", "0 to 1"]),
        (&["cosim", "input-port", "--knob", "speed=2"], &["no knob speed", "load"]),
        (&["cosim", "input-port", "--knob", "load=fast"], &["fast is not a number"]),
        (&["cosim", "input-port", "--cycles", "0"], &["--cycles", "1 or more"]),
        (&["cosim", "input-port", "--vcd-from", "3"], &["--vcd"]),
        (&["cosim", "input-port", "--cycles", "10", "--vcd", "unknown.toml/x.vcd"], &["unknown.toml/x.vcd"]),
        (&["cosim", "router"], &["router", "input-port"]),
        (&["replay", "missing.stim"], &["missing.stim"]),
    ];
    for (args, parts) in cases {
        let ran = quell(dir.path(), args);
        assert_eq!(ran.status, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "{args:?}");
        for part in *parts {
            assert!(ran.err.contains(part), "{args:?}: no {part} in: {}", ran.err);
        }
    }
}

/// Without a file a campaign is that of the long forms.
#[test]
fn the_long_forms_are_a_campaign() {
    let dir = folder();
    let list = quell(dir.path(), &["campaign", "--list"]);
    assert!(list.status == 0 && list.out.contains("regression   quell regress"), "{}", list.out);
    let flips = quell(dir.path(), &["campaign", "flips", "--list"]);
    assert!(flips.status == 0 && flips.out.lines().count() == 6, "{}", flips.out);
    assert!(flips.out.lines().all(|l| l.starts_with("flips        quell seu")), "{}", flips.out);
    let none = quell(dir.path(), &["campaign", "nonsense"]);
    assert!(none.status == 2 && none.err.contains("legal are regression, torture"), "{}", none.err);
}

/// What cannot be written at the end is told before the run.
#[test]
fn a_place_that_takes_no_file_is_told_at_once() {
    let dir = tempfile::tempdir().expect("a folder");
    for option in ["--plot", "--out"] {
        let done = quell(dir.path(), &["fabric", "star:4", "--time", "1s", option, "/proc/no/x"]);
        assert!(done.status == 2 && done.err.contains("cannot write /proc/no/x"), "{}", done.err);
    }
    let done = quell(dir.path(), &["fabric", "star:4", "--time", "-3ms"]);
    assert!(done.status == 2 && done.err.contains("-3ms") && done.err.contains("0 or more"), "{}", done.err);
}

/// Who reads goes away, or there is no room: no panic.
#[test]
fn an_output_that_ends_is_no_panic() {
    for args in [&["params"][..], &["completions", "bash"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let done =
            Command::new(env!("CARGO_BIN_EXE_quell")).args(args).stdout(writer).output().expect("quell runs");
        assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()), (Some(141), ""));
    }

    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let done =
        Command::new(env!("CARGO_BIN_EXE_quell")).arg("params").stdout(full).output().expect("quell runs");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(
        said.starts_with("quell: error: cannot write to the standard output") && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn waveforms_make_their_folder_and_are_never_empty() {
    let dir = folder();
    let of = |more: &[&str]| {
        let args = ["cosim", "hca-throttle", "--build", "tiny", "--cycles", "200", "--vcd", "new/a.vcd"];
        quell(dir.path(), &[&args[..], more].concat())
    };
    let ran = of(&["--vcd-from", "200"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("--vcd-from 200") && !dir.path().join("new").exists(), "{}", ran.err);
    assert_eq!(of(&["--vcd-from", "199"]).status, 0);
    assert!(dir.path().join("new/a.vcd").is_file());
}

#[test]
fn a_time_has_a_unit() {
    let ran = quell(folder().path(), &["fabric", "one-switch", "--time", "3"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains("--time 3: the unit is missing; legal are ns, us, ms, s, cycles"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_interrupted_leaves_no_half_file() {
    let dir = folder();
    let mut run = Command::new(env!("CARGO_BIN_EXE_quell"))
        .args(["cosim", "input-port", "--build", "tiny", "--cycles", "1000000000", "--vcd", "w.vcd"])
        .args(["--vcd-cycles", "1000000000"])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("quell runs");
    let files = || std::fs::read_dir(dir.path()).expect("a folder").count();
    while files() == 0 {
        assert!(run.try_wait().expect("a status").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill runs").success());
    let output = run.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("quell: interrupted"), "{output:?}");
    assert_eq!(files(), 0, "a file is left");
}
