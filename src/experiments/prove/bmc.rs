//! Bounded search by ABC, which goes deeper than the one here: one property at a time, on gates of which those that are
//! equal in all states that are reached have become one (`scripts/bmc.py`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::aiger::{Circuit, Lit, Model, Node};
use super::unroll::Trace;

/// What was found of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Its literal is never 1.
    Never,
    /// Not in the first so many cycles after reset.
    NeverIn(usize),
    /// In the last step of these.
    At(Trace),
}

/// The properties of a model as outputs of a circuit.
pub struct Bmc<'m> {
    model: &'m Model,
    file: PathBuf,
    /// Inputs of the circuit that are inputs of the model.
    shared: Vec<usize>,
}

fn script(what: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(super::root().join("scripts/bmc.py")).arg(what);
    command
}

fn said(command: &mut Command) -> Result<String> {
    let output = command.output().context("cannot run python3; remedy: run ./setup")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl<'m> Bmc<'m> {
    /// A circuit with these literals of a model as outputs, made smaller in `seconds`; `file` is where it is kept. As in
    /// [`super::engine::Search`], the first step is a reset that begins with any register values, and no other follows.
    pub fn new(model: &'m Model, lits: &[Lit], file: PathBuf, seconds: u64) -> Result<Bmc<'m>> {
        let reset = model.input("rst_i");
        let shared: Vec<usize> = (0..model.inputs.len()).filter(|i| Some(*i) != reset).collect();
        // An input for the first value of each register; a register that tells the first step.
        let mut c = Circuit::new(shared.len() + model.latches.len(), 1 + model.latches.len());
        let begun = c.register(0);
        let mut to: Vec<Lit> = vec![0; model.nodes.len()];
        for (at, i) in shared.iter().enumerate() {
            to[model.input_lits[*i] as usize / 2] = c.input(at);
        }
        if let Some(r) = reset {
            to[model.input_lits[r] as usize / 2] = begun ^ 1;
        }
        for (v, node) in model.nodes.iter().enumerate() {
            if let Node::Latch(i) = *node {
                let i = i as usize;
                let first = match model.latches[i].init {
                    Some(value) => Lit::from(value),
                    None => c.input(shared.len() + i),
                };
                to[v] = c.choose(begun, c.register(1 + i), first);
            }
        }
        let of = |to: &[Lit], lit: Lit| to[lit as usize / 2] ^ (lit & 1);
        for &v in &model.order {
            if let Node::And(a, b) = model.nodes[v as usize] {
                to[v as usize] = c.and(of(&to, a), of(&to, b));
            }
        }
        let next = model.latches.iter().map(|l| (of(&to, l.next), false));
        let registers: Vec<(Lit, bool)> = std::iter::once((1, false)).chain(next).collect();
        // Nobody looks in the step of the reset.
        let outputs: Vec<Lit> = lits.iter().map(|lit| c.and(begun, of(&to, *lit))).collect();
        let whole = file.with_extension("whole.aig");
        write(&whole, &c.write(&registers, &outputs))?;
        said(
            script("reduce")
                .arg("--circuit")
                .arg(&whole)
                .arg("--out")
                .arg(&file)
                .args(["--seconds".to_string(), seconds.to_string()]),
        )?;
        std::fs::remove_file(&whole).with_context(|| whole.display().to_string())?;
        Ok(Bmc { model, file, shared })
    }

    /// Looks for output `k`, at most so many cycles after reset and so many seconds.
    pub fn search(&self, k: usize, cycles: usize, seconds: u64) -> Result<Answer> {
        let numbers = [("--output", k as u64), ("--frames", cycles as u64 + 1), ("--seconds", seconds)];
        let mut command = script("search");
        command.arg("--circuit").arg(&self.file);
        numbers.iter().for_each(|(name, n)| {
            command.arg(name).arg(n.to_string());
        });
        let text = said(&mut command)?;
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let unknown = || format!("scripts/bmc.py said {first}");
        if first == "never" {
            return Ok(Answer::Never);
        }
        if let Some(n) = first.strip_prefix("never in ") {
            let steps: usize = n.parse().with_context(unknown)?;
            return Ok(Answer::NeverIn(steps.saturating_sub(1)));
        }
        let last: usize =
            first.strip_prefix("in step ").and_then(|n| n.parse().ok()).with_context(unknown)?;
        let steps: Vec<Vec<bool>> = lines.map(|l| l.bytes().map(|b| b == b'1').collect()).collect();
        let width = self.shared.len() + self.model.latches.len();
        if steps.len() != last + 1 || steps.iter().any(|s| s.len() != width) {
            bail!("scripts/bmc.py gave {} steps of inputs, not {} of {width}", steps.len(), last + 1);
        }
        Ok(Answer::At(self.trace(&steps)))
    }

    /// Inputs of the circuit as a trace of the model.
    fn trace(&self, steps: &[Vec<bool>]) -> Trace {
        let first = &steps[0][self.shared.len()..];
        let registers = self.model.latches.iter().zip(first).map(|(l, any)| l.init.unwrap_or(*any)).collect();
        let reset = self.model.input("rst_i");
        let inputs = steps.iter().enumerate().map(|(t, step)| {
            let mut all = vec![false; self.model.inputs.len()];
            self.shared.iter().zip(step).for_each(|(i, value)| all[*i] = *value);
            if let Some(r) = reset {
                all[r] = t == 0;
            }
            all
        });
        Trace { registers, inputs: inputs.collect() }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::super::{aiger, trace};
    use super::*;

    // A counter of two bits a, b that go_i moves on and rst_i clears; its properties: it is never 3 (broken after three
    // moves), it is 1 and 2 at once, it is 2.
    const MODEL: &str = "\
aag 15 2 2 3 11
2
4
6 28 6
8 30 8
16
18
20
10 6 4
12 7 5
14 11 13
16 6 8
18 16 20
20 7 8
22 8 11
24 9 10
26 23 25
28 14 3
30 27 3
i0 rst_i
i1 go_i
o0 assert:never_3
o1 assert:never_both
o2 cover:is_2
";

    #[test]
    fn what_is_found_breaks_the_model_and_what_cannot_be_is_never_found() {
        let model = Model::parse(MODEL).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let lits = [model.asserts[0].lit, model.asserts[1].lit, model.covers[0].lit];
        let bmc = Bmc::new(&model, &lits, dir.path().join("c.aig"), 20).unwrap();
        for (k, cycle) in [(0, 4), (2, 3)] {
            let Answer::At(found) = bmc.search(k, 10, 20).unwrap() else { panic!("output {k} is seen") };
            assert_eq!(found.inputs.len(), cycle + 1, "output {k}");
            let last = trace::simulate(&model, &found).pop().unwrap();
            assert!(aiger::of(&last, lits[k]), "output {k}");
        }
        assert_eq!(bmc.search(1, 10, 20).unwrap(), Answer::Never);
        assert_eq!(bmc.search(0, 3, 20).unwrap(), Answer::NeverIn(3));
    }
}
