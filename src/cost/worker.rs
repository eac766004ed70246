//! Runs `scripts/cost.py`: several workers, each a Yosys of its own, that share a list of jobs.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::jobs::side_by_side;

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

/// Has the jobs done on up to `threads` workers. `done` gets each answer with the number of its job; an error stops all.
pub fn run(
    root: &Path,
    jobs: &[Value],
    threads: usize,
    done: &(dyn Fn(usize, &Value) -> Result<()> + Sync),
) -> Result<()> {
    side_by_side(jobs.len(), threads, &|worker: &mut Option<Worker>, i| {
        let worker = match worker {
            Some(w) => w,
            None => worker.insert(Worker::start(root)?),
        };
        let answer = worker.ask(&jobs[i])?;
        done(i, &answer)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::library::{DEFAULT, Library};

    /// A register in a module of its own drives 100 gates of its surroundings: 170 fF, and it may drive 60.
    #[test]
    fn a_port_with_much_behind_it_gets_a_buffer() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let dir = tempfile::tempdir().unwrap();
        let library = Library::open(DEFAULT, None, root).unwrap();
        let mut worker = Worker::start(root).unwrap();
        let mut map = |name: &str, module: &str| {
            let (file, out) = (dir.path().join("module.il"), dir.path().join(name));
            std::fs::write(&file, module).unwrap();
            let job = serde_json::json!({"op": "map", "file": file, "library": library.path, "out": out});
            worker.ask(&job).unwrap();
        };
        map(
            "child",
            "module \\child\n wire input 1 \\clk_i\n wire input 2 \\d_i\n wire output 3 \\q_o\n \
             cell \\DFF_X1 \\r\n connect \\D \\d_i\n connect \\CK \\clk_i\n connect \\Q \\q_o\n end\nend\n",
        );
        for (name, gates) in [("top", 100), ("small", 1)] {
            let gates: String = (0..gates)
                .map(|i| {
                    format!(
                        "cell \\NAND2_X1 \\g{i}\n connect \\A \\few\n connect \\B \\b_i [{i}]\n connect \\Y \\y_o [{i}]\n end\n"
                    )
                })
                .collect();
            let instance = |name: &str, q: &str| {
                format!(
                    "cell \\quell_child_0 \\{name}\n connect \\clk_i \\clk_i\n connect \\d_i \\d_i\n connect \\q_o \\{q}\n end\n"
                )
            };
            map(
                name,
                &format!(
                    "module \\top\n wire input 1 \\clk_i\n wire input 2 \\d_i\n wire width 100 input 3 \\b_i\n \
                     wire width 100 output 4 \\y_o\n wire output 5 \\z_o\n wire \\few\n{}{}{gates}end\n",
                    instance("much", "few"),
                    instance("nothing", "z_o")
                ),
            );
        }
        let out = dir.path().join("out.v");
        let mut ask = |top: &str| {
            let stem = |name| dir.path().join(name);
            let job = serde_json::json!({
                "op": "buffer", "top": "top_1", "library": library.path, "out": out,
                "modules": {"child_1": [stem("child"), []], "top_1": [stem(top), ["child_1"]]},
            });
            worker.ask(&job).unwrap()["buffers"].take()
        };
        // One in the module, which is the same in both places.
        assert_eq!(ask("top"), serde_json::json!({"child_1": {"BUF_X4": 1}}));
        let netlist = std::fs::read_to_string(&out).unwrap();
        assert_eq!(netlist.matches("BUF_X4 ").count(), 1, "{netlist}");
        assert_eq!(netlist.matches("(few_0)").count(), 2, "{netlist}");
        assert_eq!(netlist.matches("NAND2_X1").count(), 100);
        assert_eq!(netlist.matches("  child_1 ").count(), 2, "{netlist}");
        // Little behind it: nothing.
        assert_eq!(ask("small"), serde_json::json!({}));
    }
}
