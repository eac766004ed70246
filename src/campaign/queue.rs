//! The cluster's scheduler, by its own commands: `sbatch`, `squeue`, `scontrol`.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

use anyhow::{Context, Result, anyhow, bail};

/// Tasks of an array where Slurm does not tell.
const ARRAY: usize = 1001;

/// How a refusal sounds that passes: there are too many jobs in the queue.
const FULL: &[&str] =
    &["temporarily", "MaxSubmitJob", "accounting/QOS policy", "MaxJobCount", "job limit", "Too many"];

/// Said by sbatch when it is refused and is going to ask again.
const ASLEEP: &str = "sleeping and retrying";

fn run(command: &mut Command) -> Result<Output> {
    command.output().map_err(|e| cannot(command, &e))
}

fn cannot(command: &Command, e: &std::io::Error) -> anyhow::Error {
    let name = command.get_program().to_string_lossy();
    match e.kind() {
        std::io::ErrorKind::NotFound => anyhow!(
            "--on slurm: there is no {name} in PATH; legal are local, and slurm where Slurm's commands are (Debian: slurm-client)"
        ),
        _ => anyhow!("--on slurm: cannot run {name}: {e}"),
    }
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    joined(&text.lines().map(String::from).collect::<Vec<_>>(), output.status)
}

fn joined(lines: &[String], status: ExitStatus) -> String {
    let lines: Vec<&str> = lines.iter().map(|l| l.trim()).filter(|l| !l.is_empty()).collect();
    if lines.is_empty() { format!("it said nothing ({status})") } else { lines.join("; ") }
}

/// The longest array that this Slurm takes.
pub fn longest_array() -> Result<usize> {
    let output = run(Command::new("scontrol").args(["show", "config"]))?;
    if !output.status.success() {
        bail!("--on slurm: scontrol show config: {}", said(&output));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|l| l.trim_start().starts_with("MaxArraySize"));
    let number = line.and_then(|l| l.split('=').nth(1)).and_then(|n| n.trim().parse().ok());
    Ok(number.unwrap_or(ARRAY).max(1))
}

/// The tasks that are in the queue or run, as name of the array and number. An array's task that is not here has ended.
pub fn tasks() -> Result<HashSet<(String, usize)>> {
    let mut squeue = Command::new("squeue");
    squeue.args(["--me", "--noheader", "--array", "--format=%j|%K|%T"]);
    let output = run(&mut squeue)?;
    if !output.status.success() {
        bail!("--on slurm: squeue: {}", said(&output));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut all = HashSet::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let mut words = line.split('|');
        let (Some(name), Some(number), Some(_)) = (words.next(), words.next(), words.next()) else {
            bail!("--on slurm: squeue says {line:?}; legal is NAME|NUMBER|STATE");
        };
        // Other people's names, and jobs that are no arrays, are none of ours.
        if let Ok(number) = number.parse() {
            all.insert((name.to_string(), number));
        }
    }
    Ok(all)
}

/// What became of a submission.
#[derive(Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It is in the queue.
    Yes,
    /// There is no room now; what Slurm says.
    Full(String),
}

/// An array to submit.
pub struct Array<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its tasks.
    pub tasks: usize,
    /// How many may run at once.
    pub at_once: Option<u64>,
    /// Processors of a task; none: a machine for each.
    pub cpus: Option<u32>,
    /// The script.
    pub script: &'a Path,
    /// Where it runs, and the logs are.
    pub folder: &'a Path,
    /// Options of the campaign's file.
    pub options: &'a [String],
}

/// Submits an array. `lock` stays locked as long as `sbatch` runs, even if we do not.
pub fn submit(array: &Array, lock: &File) -> Result<Submitted> {
    let mut sbatch = Command::new("sbatch");
    let at_once = array.at_once.map_or(String::new(), |n| format!("%{n}"));
    sbatch
        .arg("--parsable")
        .arg("--requeue")
        .arg("--open-mode=append")
        .arg("--nodes=1")
        .arg("--ntasks=1")
        .arg(format!("--job-name={}", array.name))
        .arg(format!("--array=0-{}{at_once}", array.tasks - 1))
        .arg("--output=%a.txt")
        .arg("--chdir")
        .arg(array.folder);
    match array.cpus {
        Some(n) => sbatch.arg(format!("--cpus-per-task={n}")),
        None => sbatch.arg("--exclusive"),
    };
    sbatch.args(array.options).arg(array.script).stdin(lock.try_clone().context("slurm.lock")?);
    let mut running =
        sbatch.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(|e| cannot(&sbatch, &e))?;
    let mut lines = Vec::new();
    for line in
        running.stderr.take().into_iter().flat_map(|e| BufReader::new(e).lines().map_while(Result::ok))
    {
        lines.push(line);
        // It would wait here for minutes, and ask for the whole array each time.
        if lines.last().is_some_and(|l| l.contains(ASLEEP)) {
            let _ = running.kill();
        }
    }
    let status = running.wait().context("--on slurm: sbatch")?;
    if status.success() {
        return Ok(Submitted::Yes);
    }
    let why = joined(&lines, status);
    if FULL.iter().any(|f| why.contains(f)) {
        return Ok(Submitted::Full(why));
    }
    bail!("--on slurm: sbatch: {why}; the options of the campaign's file are {:?}", array.options)
}
