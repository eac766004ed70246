//! Runs `scripts/cost.py`: several workers, each a Yosys of its own, that share a list of jobs.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::jobs::{made, side_by_side};

/// One worker.
pub struct Worker {
    child: Child,
    /// Closed to end it.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// The project's Python, if ./setup has made it; else the system's.
fn python(root: &Path) -> PathBuf {
    let own = root.join(".venv/bin/python");
    if own.exists() { own } else { "python3".into() }
}

impl Worker {
    /// Starts one.
    pub fn start(root: &Path) -> Result<Worker> {
        let script = root.join("scripts/cost.py");
        if !script.exists() {
            bail!("{} is not there: quell cost needs the source tree it was built from", script.display());
        }
        let python = python(root);
        let mut child = Command::new(&python)
            .arg(&script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}; remedy: run ./setup", python.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{}: no pipes", python.display())
        };
        Ok(Worker { child, input: Some(input), output: BufReader::new(output) })
    }

    /// Its answer to a job.
    pub fn ask(&mut self, job: &Value) -> Result<Value> {
        // A worker that has ended takes no job; why is on its standard error.
        if let Some(input) = &mut self.input {
            let _ = writeln!(input, "{job}").and_then(|()| input.flush());
        }
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.is_empty() {
            let mut said = String::new();
            if let Some(err) = self.child.stderr.as_mut() {
                err.read_to_string(&mut said)?;
            }
            let what = job["top"].as_str().or(job["file"].as_str()).unwrap_or_default();
            bail!("synthesis of {what}: {}", said.trim());
        }
        serde_json::from_str(&line).context("answer of scripts/cost.py")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // At the end of its input it ends, and Yosys, a child of it, with it; killed, it would leave that behind.
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Has the jobs done on up to `threads` workers, those of a group one after the other on one worker. `done` gets each
/// answer with the numbers of its group and of its job there; an error stops all.
pub fn run(
    root: &Path,
    groups: &[Vec<Value>],
    threads: usize,
    done: &(dyn Fn(usize, usize, &Value) -> Result<()> + Sync),
) -> Result<()> {
    side_by_side(groups.len(), threads, &|worker: &mut Option<Worker>, i| {
        let worker = made(worker, || Worker::start(root))?;
        groups[i].iter().enumerate().try_for_each(|(k, job)| done(i, k, &worker.ask(job)?))
    })
}
