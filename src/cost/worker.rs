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
    input: ChildStdin,
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
        Ok(Worker { child, input, output: BufReader::new(output) })
    }

    /// Its answer to a job.
    pub fn ask(&mut self, job: &Value) -> Result<Value> {
        // A worker that has ended takes no job; why is on its standard error.
        let _ = writeln!(self.input, "{job}").and_then(|()| self.input.flush());
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
        // At the end of its input it ends.
        let _ = self.child.kill();
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
        let [child, top, out] = ["child.v", "top.v", "out.v"].map(|f| dir.path().join(f));
        std::fs::write(
            &child,
            "module child (clk_i, d_i, q_o); input clk_i, d_i; output q_o; DFF_X1 r (.D(d_i), .CK(clk_i), .Q(q_o)); \
             endmodule",
        )
        .unwrap();
        let gates: String =
            (0..100).map(|i| format!("NAND2_X1 g{i} (.A(few), .B(b_i), .Y(y_o[{i}]));\n")).collect();
        let text = format!(
            "module top (clk_i, d_i, b_i, y_o, z_o); input clk_i, d_i, b_i; output [99:0] y_o; output z_o; wire few;\n\
             child much (.clk_i(clk_i), .d_i(d_i), .q_o(few)); child nothing (.clk_i(clk_i), .d_i(d_i), .q_o(z_o));\n\
             {gates}endmodule"
        );
        std::fs::write(&top, text).unwrap();
        let library = Library::open(DEFAULT, None, root).unwrap();
        let mut worker = Worker::start(root).unwrap();
        let mut ask = |files: &[&PathBuf]| {
            let job = serde_json::json!(
                {"op": "buffer", "top": "top", "files": files, "library": library.path, "out": out});
            worker.ask(&job).unwrap()["buffers"].take()
        };
        // One in the module, which is the same in both places.
        assert_eq!(ask(&[&child, &top]), serde_json::json!({"child": {"BUF_X4": 1}}));
        let netlist = std::fs::read_to_string(&out).unwrap();
        assert_eq!(netlist.matches("BUF_X4").count(), 1, "{netlist}");
        assert_eq!(netlist.matches("NAND2_X1").count(), 100);
        // Little behind it: nothing.
        let text = std::fs::read_to_string(&top).unwrap();
        let few: Vec<&str> = text.lines().filter(|l| !l.starts_with("NAND2") || l.contains(" g7 ")).collect();
        std::fs::write(&top, few.join("\n")).unwrap();
        assert_eq!(ask(&[&child, &top]), serde_json::json!({}));
    }
}
