//! `quell mutate`, `quell seu`, `quell coverage` and `quell fuzz` in short: they find what is there, go on where they stopped, and say so.

use crate::extent::{is_long, pick};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn quell(args: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quell")).args(args).current_dir(dir).output().expect("quell runs")
}

/// What a command that has done its work printed.
fn json(args: &[&str], dir: &Path) -> Value {
    let out = quell(&[args, &["--format", "json"]].concat(), dir);
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(matches!(out.status.code(), Some(0 | 1)), "{args:?}: {err}");
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}\n{err}"))
}

#[test]
fn mutants_are_found_and_verdicts_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let cycles = pick("10000", "20000");
    let args = ["mutate", "output-port", "--count", "40", "--cycles", cycles, "--prove", "0", "--seed", "7"];
    let first = json(&args, dir.path());
    let (first, mutants) = (&first[0], first[0]["mutants"].as_array().expect("mutants"));
    assert_eq!((mutants.len(), &first["resumed"]), (40, &0.into()));
    // Most of what is broken is seen; what is not is listed, and each mutant has its place in the RTL.
    let killed = first["score"]["killed"].as_u64().expect("a number");
    assert!(killed >= 28, "only {killed} of 40 found: {first:#}");
    for m in mutants {
        let file = m["mutant"]["file"].as_str().expect("a file");
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl").join(file));
        let lines = text.unwrap_or_else(|e| panic!("{file}: {e}")).lines().count() as u64;
        assert!(m["mutant"]["line"].as_u64().expect("a line") <= lines, "{m}");
    }
    let numbers = mutants.iter().map(|m| m["number"].as_u64());
    assert!(numbers.eq((1..=40).map(Some)), "numbers begin with 1: {first}");
    let by_module = first["by_module"].as_object().expect("modules");
    assert!(by_module.len() > 4, "spread over modules: {by_module:?}");

    // A repeat judges none again and says the same; the text form has the score.
    let again = json(&args, dir.path());
    assert_eq!((&again[0]["mutants"], &again[0]["resumed"]), (&first["mutants"], &40.into()));
    let text = quell(&args, dir.path());
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("output-port tiny: 40 mutants") && text.contains("by rule"), "{text}");
}

#[test]
fn provers_explain_survivors() {
    let dir = tempfile::tempdir().expect("a folder");
    // Both have mutants that change nothing, and one that a cycle does not show.
    let (count, seed) = pick(("16", "8"), ("60", "3"));
    let args = ["mutate", "output-port", "--count", count, "--cycles", "1", "--prove", "3", "--seed", seed];
    // What registers do in every state takes the longest: in the short form there are few.
    const FEW: [&str; 5] = ["PORTS=2", "VLS=1", "LINES=1", "DLIST=1", "ISOLATION=0"];
    let few = pick(&FEW[..], &[]).iter().flat_map(|value| ["-P", value]);
    let args: Vec<&str> = args.into_iter().chain(few).collect();
    let all = json(&args, dir.path());
    let mutants = all[0]["mutants"].as_array().expect("mutants");
    let of = |verdict: &str| mutants.iter().filter(|m| m["verdict"] == verdict).collect::<Vec<_>>();
    let same = of("equivalent");
    assert!(same.iter().any(|m| m["how"] == "in every state"), "{all:#}");
    for m in of("survived") {
        assert!(!m["prover"].as_str().expect("a text").is_empty(), "{m}");
        // A stimulus that shows the fault is there for quell replay.
        if let Some(path) = m["stimulus"].as_str() {
            let text = std::fs::read_to_string(dir.path().join(path)).expect("the stimulus");
            assert!(text.contains("unit output-port\nbuild tiny"), "{text}");
        }
    }
}

#[test]
fn flips_are_classified() {
    let dir = tempfile::tempdir().expect("a folder");
    let all = json(&["seu", "output-port", "--count", "60", "--cycles", pick("5000", "20000")], dir.path());
    let classes = all[0]["classes"].as_object().expect("classes");
    let count = |v: &Value, effect: &str| v[effect].as_u64().expect("a number");
    let total = |v: &Value| v.as_object().expect("effects").keys().map(|e| count(v, e)).sum::<u64>();
    assert_eq!(classes.values().map(total).sum::<u64>(), 60, "{all:#}");
    assert_eq!(total(&all[0]["control"]) + total(&all[0]["payload"]), 60, "{all:#}");
    // The register of the link has nothing after it that would notice a changed bit: the golden model must.
    let link = classes.iter().find(|(k, _)| k.ends_with("tx_data_o"));
    let (_, link) = link.expect("the register of the link is flipped");
    assert!(count(link, "silent") > 0 && count(link, "masked") == 0, "{all:#}");
}

/// A parity error that is not heard, a group that is forgotten, or a register outside all of them is a silent flip here.
#[test]
fn with_parity_no_flip_of_control_state_is_silent() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = [
        "seu",
        "output-port",
        "--build",
        "tinyp",
        "--count",
        pick("150", "400"),
        "--cycles",
        pick("5000", "20000"),
    ];
    let all = json(&args, dir.path());
    let count = |effect: &str| all[0]["control"][effect].as_u64().expect("a number");
    assert_eq!((count("silent"), count("hang")), (0, 0), "{all:#}");
    // Every bit of this unit is in a group, and a group tells whether its bit matters or not.
    assert_eq!(count("detected"), pick(150, 400), "{all:#}");
}

#[test]
fn coverage_is_counted_and_shown() {
    let dir = tempfile::tempdir().expect("a folder");
    // The golden model is compiled anew, with counters: minutes.
    let golden = is_long().then_some("--golden");
    // In the short form the unit whose instrumented model fuzzing makes, too.
    let (unit, module) = pick(("output-port", "tx_framer"), ("hca-throttle", "cct_update"));
    let args = ["coverage", unit, "--build", "tiny", "--cycles", "5000"];
    let args: Vec<&str> = args.into_iter().chain(golden).collect();
    let all = json(&args, dir.path());
    let line = &all["all"]["line"];
    let (reached, of) = (line["reached"].as_u64().expect("a number"), line["of"].as_u64().expect("a number"));
    assert!(of > 40 && reached <= of && reached * 10 >= of * 8, "{reached} of {of} lines");
    let page = std::fs::read_to_string(dir.path().join(format!("quell-measure/html/{module}.sv.html")));
    assert!(page.expect("the annotated source").contains(&format!("module {module}")));

    if golden.is_none() {
        return;
    }
    // Of the golden model the files of this unit, and those that all units share.
    let golden = all["golden"].as_array().expect("files of the golden model");
    let of = |name: &str| golden.iter().find(|f| f["file"] == name);
    let update = of("hca_throttle/update.rs").unwrap_or_else(|| panic!("{golden:#?}"));
    let (lines, missed) = (update["lines"].as_u64(), update["missed"].as_array().map(Vec::len));
    assert!(lines > Some(100) && missed < Some(10), "{update}");
    assert!(of("mod.rs").is_some() && of("switch/mod.rs").is_none(), "{golden:#?}");
}

#[test]
fn bad_input_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    for (args, says) in [
        (["mutate", "router"].as_slice(), "legal is input-port"),
        (&["mutate", "input-port", "--build", "huge"], "input-port has no build huge: there are p8v1"),
        (&["mutate", "input-port", "--count", "0"], "--count"),
        (&["seu", "switch", "--horizon", "3"], "--horizon"),
        (&["coverage", "input-port", "--build", "f64"], "input-port has no build f64"),
        (&["coverage", "input-port", "--cycles", "many"], "--cycles"),
    ] {
        let out = quell(args, dir.path());
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains(says) && out.stdout.is_empty(), "{args:?}: {err}");
    }
}

#[test]
fn fuzzing_keeps_what_reaches_more() {
    let dir = tempfile::tempdir().expect("a folder");
    let number = |v: &Value, name: &str| v[0][name].as_u64().unwrap_or_else(|| panic!("{name} in {v}"));
    let args = ["fuzz", "output-port", "--tries", "80", "--keep", "30"];
    let first = json(&args, dir.path());
    assert_eq!(first[0]["failures"].as_array().map(Vec::len), Some(0), "{first:#}");
    assert_eq!(number(&first, "tries"), 80);
    let kept = number(&first, "corpus");
    assert!((5..=30).contains(&kept), "{first:#}");
    assert!(number(&first, "reached") > number(&first, "reached_before"), "{first:#}");
    let folder = dir.path().join(first[0]["folder"].as_str().expect("a folder"));
    assert_eq!(std::fs::read_dir(&folder).expect("the corpus").count() as u64, kept);

    // The next run begins with them, and with the stimuli in the source tree.
    let args = [&args[..], &["--seed", "2"]].concat();
    let again = json(&args, dir.path());
    assert_eq!(number(&again, "corpus_before"), number(&first, "corpus_before") + kept);
    assert!(number(&again, "reached_before") > number(&first, "reached_before"), "{again:#}");
    assert!(number(&again, "reached") >= number(&again, "reached_before"));

    // A stimulus for another unit does not belong there.
    let stray =
        std::fs::read_dir(&folder).expect("the corpus").next().expect("a file").expect("a file").path();
    let text = std::fs::read_to_string(&stray).expect("readable");
    let head: Vec<&str> = text.lines().filter(|l| l.starts_with("quell-stimulus")).collect();
    let other = format!("{}\nunit hca-throttle\nbuild tiny\nseed 1\nstart\nidle 4\nend 4\n", head[0]);
    std::fs::write(&stray, other).expect("writable");
    let out = quell(&args, dir.path());
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.code() == Some(2) && err.contains("it is for hca-throttle tiny"), "{err}");
}
