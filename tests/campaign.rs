//! Campaigns: each job is done once, whatever is killed or damaged meanwhile; on Slurm what its commands are told.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::{Ran, json, quell};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Four short jobs that print JSON.
const SHORT: &str = r#"
[[job]]
name = "tables"
run = "cct --fan-in {n} --within 1ms --format json"
each.n = [2, 3]
[[job]]
run = "scenarios --format {as}"
each.as = ["text", "json"]
"#;

fn rows(summary: &Value) -> Vec<Value> {
    summary["jobs"].as_array().expect("jobs").clone()
}

/// The folder of the first job that is so.
fn place(dir: &Path, summary: &Value, became: &str) -> PathBuf {
    let row = rows(summary).into_iter().find(|r| r["became"] == became);
    dir.join(
        row.unwrap_or_else(|| panic!("none is {became}: {summary:#}"))["folder"].as_str().expect("a folder"),
    )
}

#[test]
fn each_job_is_done_once_and_a_damaged_result_again() {
    let dir = folder();
    write(&dir.path().join("short.toml"), SHORT);
    let run =
        |more: &[&str]| quell(dir.path(), &[&["campaign", "short.toml", "--format", "json"], more].concat());
    let first = run(&[]);
    assert_eq!(first.status, 0, "{}{}", first.out, first.err);
    let told = json(&first);
    assert_eq!(rows(&told).len(), 4);
    assert!(rows(&told).iter().all(|r| r["became"] == "good" && r["status"] == 0), "{told:#}");
    assert_eq!(told["parts"][0]["job"], "tables");
    assert_eq!(rows(&told)[0]["values"]["n"], 2);
    assert!(rows(&told)[0]["output"].is_object() && rows(&told)[2]["output"].is_null(), "{told:#}");
    assert_eq!(
        json(&Ran { out: read(&dir.path().join("quell-campaign/short.json")), ..run(&["--summary"]) }),
        told
    );
    let csv = read(&dir.path().join("quell-campaign/short.csv"));
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(csv.starts_with("job,became,seconds,key,as,n,out."), "{csv}");

    // The same again, and with other names and processors: nothing is done.
    write(&dir.path().join("other.toml"), &SHORT.replace("\"tables\"", "\"again\"\ncpus = \"all\""));
    let again = quell(dir.path(), &["campaign", "other.toml", "--format", "json"]);
    assert!(again.status == 0 && again.err.contains("4 of 4 jobs are done"), "{}", again.err);
    assert_eq!(rows(&json(&again))[0]["seconds"], rows(&told)[0]["seconds"]);

    // A damaged one is told, and done again by itself.
    let damaged = place(dir.path(), &told, "good");
    write(&damaged.join("out.txt"), "{}");
    let summary = run(&["--summary"]);
    assert_eq!(summary.status, 2, "{}", summary.err);
    assert!(
        rows(&json(&summary))[0]["why"]
            .as_str()
            .is_some_and(|w| w.contains("out.txt is not what job.json says"))
    );
    let other = folder();
    write(&other.path().join("short.toml"), SHORT);
    let from = dir.path().join("quell-campaign");
    let merge =
        ["campaign", "short.toml", "--summary", "--format", "json", "--merge", from.to_str().expect("UTF-8")];
    let merged = quell(other.path(), &merge);
    assert!(
        merged.status == 2 && merged.err.contains("3 taken, and 1 damaged, the first: "),
        "{}",
        merged.err
    );
    let repaired = run(&[]);
    assert!(repaired.status == 0 && repaired.err.contains("3 of 4 jobs are done"), "{}", repaired.err);
    assert!(repaired.err.contains("damaged, put aside as"), "{}", repaired.err);

    // Results of elsewhere are taken by content.
    let merged = quell(other.path(), &merge);
    assert!(merged.status == 0 && merged.err.contains("1 results taken, 3 were here"), "{}", merged.err);
    let of = |s: &Value| rows(s).iter().map(|r| (r["key"].clone(), r["output"].clone())).collect::<Vec<_>>();
    assert_eq!(of(&json(&merged)), of(&json(&repaired)));

    // A record that somebody has edited: the field, and what is legal.
    let record = damaged.join("job.json");
    write(&record, &read(&record).replace("\"status\": 0", "\"status\": 7"));
    let summary = run(&["--summary"]);
    assert!(summary.status == 2 && summary.out.contains("status is 7; legal are 0 and 1"), "{}", summary.out);
}

#[test]
fn what_fails_is_told_and_tried_again() {
    let dir = folder();
    let text = "[[job]]\nrun = \"fabric one-switch --opensm a.conf --cycles 500 --format json\"\ninputs = [\"a.conf\"]\n";
    write(&dir.path().join("c.toml"), text);
    write(&dir.path().join("a.conf"), "cc_key nonsense\nccti_timer nonsense\n");
    let failed = quell(dir.path(), &["campaign", "c.toml"]);
    assert_eq!(failed.status, 2, "{}{}", failed.out, failed.err);
    assert!(
        failed.out.contains("FAILED: quell fabric") && failed.out.contains(".part/err.txt: quell: error: "),
        "{}",
        failed.out
    );
    assert!(failed.err.contains("1 jobs have no result; remedy: start the campaign again"), "{}", failed.err);
    // With another input it is another job; the input is no part of what it left.
    write(&dir.path().join("a.conf"), "");
    let good = quell(dir.path(), &["campaign", "c.toml", "--format", "json"]);
    assert_eq!(good.status, 0, "{}{}", good.out, good.err);
    assert!(!place(dir.path(), &json(&good), "good").join("files/a.conf").exists());
}

/// A command that takes some seconds.
const SLOW: &str = "[[job]]\nrun = \"fabric 4ary-3tree --scheme ecocc --traffic ecocc2 --cycles {n} --format json\"\neach.n = [150000]\n";

/// The process whose parent is this one.
fn child(parent: u32) -> Option<u32> {
    let list = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).ok()?;
    let threads = std::fs::read_dir(format!("/proc/{parent}/task")).ok()?.flatten();
    let all = threads.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    all.chain([list]).find_map(|l| l.split_whitespace().next()?.parse().ok())
}

fn kill(signal: &str, process: u32) {
    let done = Command::new("kill").args([signal, &process.to_string()]).status().expect("kill");
    assert!(done.success());
}

/// The campaign is killed, and not its command: the next start waits for that, and does the job again.
/// The command is killed: it is begun again.
#[test]
fn a_killed_job_is_done_again_and_never_beside_itself() {
    let dir = folder();
    write(&dir.path().join("slow.toml"), SLOW);
    let begin = || {
        let mut quell = Command::new(env!("CARGO_BIN_EXE_quell"));
        quell
            .args(["campaign", "slow.toml"])
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let process = quell.spawn().expect("quell runs");
        let since = Instant::now();
        let command = loop {
            if let Some(command) = child(process.id()) {
                let is = std::fs::read_to_string(format!("/proc/{command}/cmdline")).unwrap_or_default();
                // (Verilator is asked for its version first; a new process has the old one's name for a moment.)
                if is.split('\0').nth(1) == Some("fabric") {
                    break command;
                }
            }
            assert!(since.elapsed() < Duration::from_secs(60), "no command");
            std::thread::sleep(Duration::from_millis(5));
        };
        (process, command)
    };
    let (mut first, command) = begin();
    first.kill().expect("killed");
    first.wait().expect("ended");
    // The orphan has the claim, so a second campaign does not begin.
    let lock = std::fs::read_dir(dir.path().join("quell-campaign/jobs")).expect("jobs").flatten();
    let lock = lock.map(|e| e.path()).find(|p| p.extension().is_some_and(|e| e == "lock")).expect("a lock");
    let held = || std::fs::File::open(&lock).is_ok_and(|f| f.try_lock().is_err());
    assert!(held(), "the command lives, and its claim does not");
    kill("-KILL", command);
    let since = Instant::now();
    while held() {
        assert!(since.elapsed() < Duration::from_secs(20), "the claim outlives the command");
        std::thread::sleep(Duration::from_millis(5));
    }
    let (mut second, command) = begin();
    kill("-KILL", command);
    assert_eq!(second.wait().expect("ended").code(), Some(0));
    let told: Value =
        serde_json::from_str(&read(&dir.path().join("quell-campaign/slow.json"))).expect("JSON");
    assert_eq!(rows(&told)[0]["became"], "good");
}

#[test]
fn bad_input_is_named_with_what_is_legal() {
    let dir = folder();
    write(&dir.path().join("short.toml"), SHORT);
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("", &["none.toml"], &["cannot read none.toml"]),
        (
            "[[job]]\nrun = \"torture --seed x\"",
            &["c.toml"],
            &["c.toml: job 1: run: torture --seed x", "legal is 0.."],
        ),
        ("[[job]]\nrun = \"tortur\"", &["c.toml"], &["run: tortur", "unrecognized subcommand"]),
        (
            "[[job]]\nrun = \"torture\"\nseeds = 3",
            &["c.toml"],
            &["unknown field `seeds`, expected one of `name`"],
        ),
        ("[[job]]\nrun = \"torture\"\ncpus = 1000", &["c.toml"], &["cpus is 1000; legal are 1..256"]),
        ("[job", &["c.toml"], &["c.toml: TOML parse error at line 1"]),
        ("", &["short.toml", "nonsense"], &["there is no part nonsense: legal are tables, scenarios"]),
        ("", &["nonsense"], &["there is no part nonsense: legal are regression, torture"]),
        ("", &["short.toml", "--chunk", "3"], &["--chunk: it is for --on slurm"]),
        ("", &["short.toml", "--jobs", "0"], &["--jobs", "legal is 1..10000"]),
        ("", &["short.toml", "--merge", "nowhere"], &["--merge nowhere: it has no jobs/"]),
        ("", &["short.toml", "--out", "short.toml"], &["--out short.toml"]),
        ("", &["--task", "nowhere"], &["--task", "SLURM_ARRAY_TASK_ID"]),
    ];
    for (file, args, parts) in cases {
        write(&dir.path().join("c.toml"), file);
        let ran = quell(dir.path(), &[&["campaign"], *args].concat());
        assert_eq!(ran.status, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "{args:?}");
        for part in *parts {
            assert!(ran.err.contains(part), "{args:?}: no {part} in: {}", ran.err);
        }
    }
    let ran = with_path(dir.path(), &dir.path().join("empty"), &["campaign", "short.toml", "--on", "slurm"]);
    assert!(
        ran.status == 2 && ran.err.contains("there is no scontrol in PATH; legal are local, and slurm"),
        "{}",
        ran.err
    );
}

#[test]
fn a_command_takes_the_processors_that_it_is_told() {
    let run = |n: &str| {
        let mut quell = Command::new(env!("CARGO_BIN_EXE_quell"));
        quell.args(["torture", "--networks", "1"]).env("QUELL_PROCESSORS", n).output().expect("quell runs")
    };
    assert_eq!(run("1").status.code(), Some(0));
    for wrong in ["0", "257", "all"] {
        let ran = run(wrong);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("QUELL_PROCESSORS is \"{wrong}\"; legal are 1..256")), "{said}");
    }
}

/// Runs quell with nothing else in PATH than what is in a folder.
fn with_path(dir: &Path, path: &Path, args: &[&str]) -> Ran {
    let mut quell = Command::new(env!("CARGO_BIN_EXE_quell"));
    let output = quell.args(args).current_dir(dir).env("PATH", path).output().expect("quell runs");
    Ran {
        status: output.status.code().expect("an exit status"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// What a Slurm would be told. (With a real one: `scripts/slurm-trial`.)
struct StandIn(tempfile::TempDir);

impl StandIn {
    /// `sbatch` runs as this says, with the script as `$script` and the name as `$name`.
    fn new(sbatch: &str) -> StandIn {
        let s = StandIn(folder());
        let bin = s.0.path().join("bin");
        let log = s.0.path().join("told");
        let head = format!(
            "#!/bin/sh\npath=$PATH\nPATH=/usr/bin:/bin\necho \"${{0##*/}} $*\" >> '{}'\n",
            log.display()
        );
        let find = "for a in \"$@\"; do script=$a; case $a in --job-name=*) name=${a#*=};; --array=*) array=${a#*=};; esac; done\n";
        for (name, text) in [
            ("scontrol", "echo 'MaxArraySize            = 3'".to_string()),
            ("squeue", format!("cat '{}/queue' 2>/dev/null; true", s.0.path().display())),
            ("sbatch", format!("home='{}'\n{find}{sbatch}", s.0.path().display())),
        ] {
            write(&bin.join(name), &format!("{head}{text}\n"));
            std::fs::set_permissions(bin.join(name), PermissionsExt::from_mode(0o755)).expect("executable");
        }
        s
    }

    fn told(&self, command: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.path().join("told")).unwrap_or_default();
        text.lines().filter(|l| l.starts_with(command)).map(String::from).collect()
    }

    fn run(&self, more: &[&str]) -> Ran {
        let args = [&["campaign", "c.toml", "--on", "slurm", "--format", "json"], more].concat();
        with_path(self.0.path(), &self.0.path().join("bin"), &args)
    }
}

/// Runs the tasks of an array at once, one after another, with the PATH of who submits, as Slurm does.
const AT_ONCE: &str = "last=${array#0-}; i=0; while [ $i -le ${last%%%*} ]; do PATH=$path SLURM_ARRAY_TASK_ID=$i /bin/sh \"$script\" > \"${script%/*}/$i.txt\" 2>&1; i=$((i+1)); done; echo 1";

fn many(n: usize) -> String {
    format!(
        "[slurm]\noptions = [\"--partition=long\"]\n[[job]]\nrun = \"cct --fan-in {{n}} --within 1ms --format json\"\neach.n = {{ from = 2, to = {} }}\n",
        n + 1
    )
}

#[test]
fn on_slurm_jobs_are_arrays_whose_tasks_do_some_each() {
    let s = StandIn::new(AT_ONCE);
    write(&s.0.path().join("c.toml"), &many(8));
    let ran = s.run(&["--chunk", "2", "--jobs", "5"]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(rows(&json(&ran)).iter().all(|r| r["became"] == "good"), "{}", ran.out);
    // Four tasks, and an array has three at most.
    let sbatch = s.told("sbatch");
    assert_eq!(sbatch.len(), 2, "{sbatch:?}");
    for (line, array) in sbatch.iter().zip(["--array=0-2%5 ", "--array=0-0%5 "]) {
        for part in [array, "--parsable", "--requeue", "--cpus-per-task=1", "--partition=long", "/script.sh"]
        {
            assert!(line.contains(part), "no {part} in {line}");
        }
    }
    // The logs stay until the next start, which has nothing to do.
    let arrays = || std::fs::read_dir(s.0.path().join("quell-campaign/slurm")).expect("slurm/").count();
    assert_eq!(arrays(), 2);
    assert_eq!((s.run(&[]).status, arrays(), s.told("sbatch").len()), (0, 0, 2));
}

#[test]
fn what_is_in_the_queue_is_not_submitted_again_and_what_left_it_is() {
    let s = StandIn::new("echo \"$name\" > \"$home/name\"; echo 7");
    write(&s.0.path().join("c.toml"), &many(4));
    let queued = s.run(&["--no-wait", "--chunk", "2"]);
    assert!(
        queued.status == 0 && queued.out.contains("4 jobs are in the queue"),
        "{}{}",
        queued.out,
        queued.err
    );
    // Both tasks wait: a second start submits nothing.
    let name = read(&s.0.path().join("name"));
    let name = name.trim();
    write(&s.0.path().join("queue"), &format!("{name}|0|PENDING\n{name}|1|PENDING\nanother|N/A|RUNNING\n"));
    assert_eq!(s.run(&["--no-wait", "--chunk", "2"]).status, 0);
    assert_eq!(s.told("sbatch").len(), 1);
    // One has gone and left nothing: its two jobs are submitted anew, and no others.
    write(&s.0.path().join("queue"), &format!("{name}|1|RUNNING\n"));
    assert_eq!(s.run(&["--no-wait", "--chunk", "1"]).status, 0);
    let sbatch = s.told("sbatch");
    assert!(sbatch.len() == 2 && sbatch[1].contains("--array=0-1 "), "{sbatch:?}");
}

#[test]
fn a_full_queue_is_told_and_a_refusal_is_an_error() {
    let full = "sbatch: error: Batch job submission failed: Resource temporarily unavailable";
    let s = StandIn::new(&format!("echo '{full}' >&2; exit 1"));
    write(&s.0.path().join("c.toml"), &many(4));
    let ran = s.run(&["--no-wait", "--chunk", "1"]);
    assert_eq!(ran.status, 2, "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("the queue is full: sbatch: error")
            && ran.err.contains("4 jobs are not in the queue"),
        "{}",
        ran.err
    );
    // Three tasks were tried, then one.
    assert_eq!(s.told("sbatch").len(), 2);

    let s = StandIn::new("echo 'sbatch: error: invalid partition specified: long' >&2; exit 1");
    write(&s.0.path().join("c.toml"), &many(4));
    let ran = s.run(&[]);
    assert_eq!(ran.status, 2, "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("sbatch: sbatch: error: invalid partition specified: long")
            && ran.err.contains("[\"--partition=long\"]"),
        "{}",
        ran.err
    );
}
