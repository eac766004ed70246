//! What commands print with `--format json` is what `quell schema` says of it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::command::{json, quell};

/// Compares pairs of a schema and an output: a file each.
const VALIDATOR: &str = "
import json, sys, jsonschema
bad = 0
for schema, output in zip(sys.argv[1::2], sys.argv[2::2]):
    schema, value = json.load(open(schema)), json.load(open(output))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for error in validator.iter_errors(value):
        best = jsonschema.exceptions.best_match([error])
        print(output, best.json_path, best.message[:300])
        bad = 1
sys.exit(bad)
";

fn python() -> Command {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(".venv/bin/python"))
}

/// Commands whose output is compared: all that print JSON but those that would take minutes (coverage, mutate, seu, fuzz).
fn cases(root: &Path) -> Vec<Vec<String>> {
    let pacer = root.join("examples/dut/pacer");
    let campaign = root.join("examples/campaign.toml").display().to_string();
    let (bug, map) =
        (pacer.join("bug_short.f").display().to_string(), pacer.join("pacer.toml").display().to_string());
    let foreign = ["--dut", &bug, "--top", "nic_pacer", "--map", &map, "--compare", "events"];
    let throttle = ["cosim", "hca-throttle", "--build", "tiny", "--cycles", "10000"];
    let mut all: Vec<Vec<&str>> = vec![
        throttle.to_vec(),
        [&throttle[..], &foreign].concat(),
        [&throttle[..], &foreign[..6], &["--compare", "outputs"]].concat(),
        vec!["builds"],
        vec!["fabric", "mesh:2x2", "--scheme", "credit", "--cycles", "3000"],
        vec!["compare", "one-switch", "--schemes", "1vl,ith", "--time", "50us"],
        vec!["params", "switch"],
        vec!["params", "one-switch"],
        vec!["cct", "--fan-in", "8", "--link-gbps", "40", "--mtu", "2048", "--within", "1ms"],
        vec!["cct", "--fan-in", "16384", "--link-gbps", "40", "--mtu", "2048", "--within", "1us"],
        vec!["scenarios"],
        vec!["torture", "--networks", "5"],
        vec!["torture", "--worm", "--networks", "2"],
        vec!["torture", "--space"],
        vec!["prove", "block_pool"],
        vec!["paper", "V3"],
        vec!["paper", "--list"],
        vec!["campaign", &campaign, "--list"],
        vec!["campaign", &campaign, "--summary"],
    ];
    for scheme in ["ecocc", "mvcm", "srp"] {
        all.push(vec!["fabric", "one-switch", "--scheme", scheme, "--time", "50us"]);
    }
    all.into_iter().map(|words| words.into_iter().map(String::from).collect()).collect()
}

#[test]
fn what_is_printed_is_what_the_schema_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut files = Vec::new();
    let mut seen = BTreeSet::new();
    for (i, words) in cases(root).iter().enumerate() {
        let words: Vec<&str> = words.iter().map(|w| w.as_str()).chain(["--format", "json"]).collect();
        let ran = quell(dir.path(), &words);
        assert!(ran.status < 2, "{words:?}: {}", ran.err);
        let schema = quell(dir.path(), &["schema", words[0], "--format", "json"]);
        assert_eq!(schema.status, 0, "{}", schema.err);
        seen.insert(words[0].to_string());
        for (name, text) in [("schema", &schema.out), ("output", &ran.out)] {
            let file = dir.path().join(format!("{name}-{i}-{}.json", words[0]));
            std::fs::write(&file, text).expect("a file");
            files.push(file);
        }
    }
    let validate = |files: &[std::path::PathBuf]| {
        python().args(["-c", VALIDATOR]).args(files).output().expect("python of .venv; remedy: ./setup")
    };
    let said = validate(&files);
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.success(), "{text}{}", String::from_utf8_lossy(&said.stderr));
    // One that cannot fail would be none: a key that nobody has described.
    let mut more = json(&quell(dir.path(), &["scenarios", "--format", "json"]));
    more[0]["another"] = 1.into();
    std::fs::write(&files[1], more.to_string()).expect("a file");
    let said = validate(&files[..2]);
    assert!(!said.status.success(), "a key that is not described is found");

    // No command that prints JSON is without a schema.
    let known = json(&quell(dir.path(), &["schema", "--format", "json"]));
    let known: BTreeSet<&str> = known.as_array().expect("a list").iter().filter_map(|c| c.as_str()).collect();
    let help = quell(dir.path(), &["help"]).out;
    let commands = help.lines().skip_while(|l| !l.starts_with("Commands:")).skip(1);
    let commands = commands.take_while(|l| l.starts_with("  ")).filter_map(|l| l.split_whitespace().next());
    let mut with = 0;
    for command in commands.filter(|c| !["help", "schema", "netlist"].contains(c)) {
        let help = quell(dir.path(), &[command, "--help"]).out;
        let prints = help.contains("JSON");
        assert!(!prints || known.contains(command), "quell {command} prints JSON and has no schema");
        with += usize::from(prints);
    }
    assert!(with > 10, "{with} commands print JSON");
}

#[test]
fn a_command_without_json_is_told() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let ran = quell(dir.path(), &["schema", "man"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("COMMAND man") && ran.err.contains("cosim"), "{}", ran.err);
    let text = quell(dir.path(), &["schema", "fabric"]);
    assert_eq!(text.status, 0, "{}", text.err);
    let unit = |key: &str| text.out.lines().any(|l| l.starts_with(key) && l.contains("cycles"));
    assert!(
        unit("report.network_latency.mean") && unit("report.best_effort.latency.p99_cycles"),
        "{}",
        text.out
    );
}
