//! Bounded search by ABC, which goes deeper than the one here: one property at a time, on gates of which those that are
//! equal in all states that are reached have become one (`scripts/bmc.py`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::aiger::{Circuit, Lit, Model, Node, under};
use super::unroll::Trace;

/// What was found of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// Never 1.
    Never,
    /// Not in the first so many steps (of a model: cycles after reset).
    NeverIn(usize),
    /// In the last step of these.
    At(T),
}

fn script(what: &str) -> Result<Command> {
    let mut command = Command::new("python3");
    command.arg(crate::home::root()?.join("scripts/bmc.py")).arg(what);
    Ok(command)
}

fn said(command: &mut Command) -> Result<String> {
    let output = command.output().context("cannot run python3; remedy: run ./setup")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Writes a circuit in binary AIGER to a file, made smaller in `seconds`, or as it is.
pub fn reduce(circuit: &[u8], file: &Path, seconds: u64) -> Result<()> {
    let whole = file.with_extension("whole.aig");
    std::fs::write(&whole, circuit).with_context(|| format!("cannot write {}", whole.display()))?;
    let mut command = script("reduce")?;
    command.arg("--circuit").arg(&whole).arg("--out").arg(file).arg("--seconds").arg(seconds.to_string());
    said(&mut command)?;
    std::fs::remove_file(&whole).with_context(|| whole.display().to_string())
}

/// Is output `k` of a circuit of so many inputs ever 1, in so many steps and seconds? If so, on which inputs, step by step?
pub fn search(
    file: &Path,
    inputs: usize,
    k: usize,
    steps: usize,
    seconds: u64,
) -> Result<Answer<Vec<Vec<bool>>>> {
    let mut command = script("search")?;
    command.arg("--circuit").arg(file);
    for (name, n) in [("--output", k as u64), ("--frames", steps as u64), ("--seconds", seconds)] {
        command.arg(name).arg(n.to_string());
    }
    let text = said(&mut command)?;
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let unknown = || format!("scripts/bmc.py said {first}");
    if first == "never" {
        return Ok(Answer::Never);
    }
    if let Some(n) = first.strip_prefix("never in ") {
        return Ok(Answer::NeverIn(n.parse().with_context(unknown)?));
    }
    let last: usize = first.strip_prefix("in step ").and_then(|n| n.parse().ok()).with_context(unknown)?;
    let found: Vec<Vec<bool>> = lines.map(|l| l.bytes().map(|b| b == b'1').collect()).collect();
    if found.len() != last + 1 || found.iter().any(|s| s.len() != inputs) {
        bail!("scripts/bmc.py gave {} steps of inputs, not {} of {inputs}", found.len(), last + 1);
    }
    Ok(Answer::At(found))
}

/// A model as a circuit: as in [`super::engine::Search`], the first step is a reset that begins with any register values, and no
/// other follows.
struct Whole {
    circuit: Circuit,
    /// By variable of the model.
    to: Vec<Lit>,
    /// Inputs of the circuit that are inputs of the model; then comes the first value of each register.
    shared: Vec<usize>,
    /// Next values.
    registers: Vec<(Lit, bool)>,
}

impl Whole {
    fn new(model: &Model) -> Whole {
        let reset = model.input("rst_i");
        let shared: Vec<usize> = (0..model.inputs.len()).filter(|i| Some(*i) != reset).collect();
        // The first register tells the first step.
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
        let next = c.gates_of(model, &mut to).into_iter().map(|lit| (lit, false));
        let registers = std::iter::once((1, false)).chain(next).collect();
        Whole { circuit: c, to, shared, registers }
    }
}

/// The properties of a model as outputs of a circuit.
pub struct Bmc<'m> {
    model: &'m Model,
    file: PathBuf,
    shared: Vec<usize>,
}

impl<'m> Bmc<'m> {
    /// For these literals of a model; `file` is where the circuit is kept, made smaller in `seconds`.
    pub fn new(model: &'m Model, lits: &[Lit], file: PathBuf, seconds: u64) -> Result<Bmc<'m>> {
        let Whole { circuit: mut c, to, shared, registers } = Whole::new(model);
        // Nobody looks in the step of the reset.
        let begun = c.register(0);
        let outputs: Vec<Lit> = lits.iter().map(|lit| c.and(begun, under(&to, *lit))).collect();
        reduce(&c.write(&registers, &outputs), &file, seconds)?;
        Ok(Bmc { model, file, shared })
    }

    /// Looks for output `k`, at most so many cycles after reset and so many seconds.
    pub fn search(&self, k: usize, cycles: usize, seconds: u64) -> Result<Answer<Trace>> {
        let inputs = self.shared.len() + self.model.latches.len();
        Ok(match search(&self.file, inputs, k, cycles + 1, seconds)? {
            Answer::Never => Answer::Never,
            Answer::NeverIn(steps) => Answer::NeverIn(steps.saturating_sub(1)),
            Answer::At(steps) => Answer::At(self.trace(&steps)),
        })
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

/// What a register bit always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// Always this.
    Constant(usize, bool),
    /// Always what the second one is, or its inverse.
    Same(usize, usize, bool),
}

/// What registers hold so many cycles after a reset, whatever came before and whatever the inputs are: nothing where that is not
/// known. Of the inputs `off` only `on` is 1.
pub fn after_reset(model: &Model, off: &[usize], on: Option<usize>, cycles: usize) -> Vec<Option<bool>> {
    let of = |value: &[Option<bool>], lit: Lit| value[lit as usize / 2].map(|v| v != (lit & 1 == 1));
    let mut registers: Vec<Option<bool>> = vec![None; model.latches.len()];
    for t in 0..=cycles {
        let mut value: Vec<Option<bool>> = vec![None; model.nodes.len()];
        value[0] = Some(false);
        off.iter().for_each(|i| value[model.input_lits[*i] as usize / 2] = Some(Some(*i) == on));
        if let Some(r) = model.input("rst_i") {
            value[model.input_lits[r] as usize / 2] = Some(t == 0);
        }
        for (v, node) in model.nodes.iter().enumerate() {
            if let Node::Latch(i) = *node {
                value[v] = registers[i as usize];
            }
        }
        for &v in &model.order {
            if let Node::And(a, b) = model.nodes[v as usize] {
                value[v as usize] = match (of(&value, a), of(&value, b)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                };
            }
        }
        registers = model.latches.iter().map(|l| of(&value, l.next)).collect();
    }
    registers
}

/// Puts a model, whose inputs are in `to`, into a circuit as registers from number `at` on and gates. Gives the registers' next values, and
/// which begin with 1. Those of `any` that have no value at the start take it from inputs, of which `from` is the first one's number;
/// register 0 is 0 in the first step only. Those that are known never to change are `fixed`.
#[allow(clippy::too_many_arguments)]
pub fn lay(
    c: &mut Circuit,
    model: &Model,
    to: &mut [Lit],
    at: usize,
    start: &[Option<bool>],
    any: &[usize],
    from: usize,
    fixed: &HashMap<usize, bool>,
) -> Vec<(Lit, bool)> {
    for (i, v) in model.registers().into_iter().enumerate() {
        let held = c.register(at + i);
        to[v as usize] = match any.binary_search(&i) {
            _ if fixed.contains_key(&i) => Lit::from(fixed[&i]),
            Ok(k) if start[i].is_none() => {
                let (begun, first) = (c.register(0), c.input(from + k));
                c.choose(begun, held, first)
            }
            _ => held,
        };
    }
    c.gates_of(model, to).into_iter().zip(start).map(|(lit, s)| (lit, *s == Some(true))).collect()
}

/// The states that facts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum States {
    /// From a reset on, whatever came before.
    Reached,
    /// From so many cycles after a reset on, until the next one.
    Settled(usize),
    /// From a reset on, if what reset leaves as it is was 0 before the first one, and what is not defined is 0.
    Cleared,
}

/// A model in a circuit.
pub struct Laid {
    /// The circuit.
    pub circuit: Circuit,
    /// By variable of the model.
    pub to: Vec<Lit>,
    /// Next and first values of the registers.
    pub next: Vec<(Lit, bool)>,
}

impl Laid {
    /// Has this variable of the model never another value? As [`never()`].
    pub fn keeps(&self, variable: u32, value: bool, file: &Path, seconds: u64) -> Result<bool> {
        let differs = self.to[variable as usize] ^ Lit::from(value);
        Ok(never(&self.circuit.write(&self.next, &[differs]), file, seconds)? == Never::Proved)
    }
}

/// A model as a circuit that goes through these states, in which these facts are known; its inputs `off` are 0. After its registers the
/// circuit has so many `more`.
pub fn in_states(model: &Model, off: &[usize], states: States, known: &[Fact], more: usize) -> Laid {
    let cycles = if let States::Settled(n) = states { n } else { 0 };
    let mut start = after_reset(model, off, None, cycles);
    let mut without = off.to_vec();
    if states == States::Cleared {
        // Reached states are so after any further reset. These need not be, so it may come in every step.
        start.iter_mut().for_each(|s| *s = s.or(Some(false)));
        without.extend(model.undefined());
    } else {
        without.extend(model.input("rst_i"));
    }
    let shared: Vec<usize> = (0..model.inputs.len()).filter(|i| !without.contains(i)).collect();
    let any: Vec<usize> = (0..model.latches.len()).filter(|i| start[*i].is_none()).collect();
    // The first register tells the first step, in which those that may begin with any value are inputs.
    let mut circuit = Circuit::new(shared.len() + any.len(), 1 + model.latches.len() + more);
    let mut to: Vec<Lit> = vec![0; model.nodes.len()];
    for (at, i) in shared.iter().enumerate() {
        to[model.input_lits[*i] as usize / 2] = circuit.input(at);
    }
    let fixed: HashMap<usize, bool> = known
        .iter()
        .filter_map(|fact| if let Fact::Constant(i, value) = fact { Some((*i, *value)) } else { None })
        .collect();
    let values = lay(&mut circuit, model, &mut to, 1, &start, &any, shared.len(), &fixed);
    let next = std::iter::once((1, false)).chain(values).collect();
    Laid { circuit, to, next }
}

/// What is known of an output that may never be 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Never {
    /// It never is.
    Proved,
    /// It is, in some step.
    Seen,
    /// Not known in the time.
    Unknown,
}

/// Is output 0 of a circuit never 1? ABC looks, for so many seconds, for states that hold all that are reached and in which it is not
/// (property directed reachability).
pub fn never(circuit: &[u8], file: &Path, seconds: u64) -> Result<Never> {
    std::fs::write(file, circuit).with_context(|| format!("cannot write {}", file.display()))?;
    let mut command = script("never")?;
    command.arg("--circuit").arg(file).arg("--seconds").arg(seconds.to_string());
    let text = said(&mut command)?;
    std::fs::remove_file(file).with_context(|| file.display().to_string())?;
    match text.trim() {
        "never" => Ok(Never::Proved),
        "seen" => Ok(Never::Seen),
        "not known" => Ok(Never::Unknown),
        other => bail!("scripts/bmc.py said {other}"),
    }
}

/// Facts about the registers of a model in some states, its inputs `off` being 0. ABC finds them by induction, in `seconds`; `file` is
/// for its work.
pub fn facts(model: &Model, off: &[usize], states: States, file: &Path, seconds: u64) -> Result<Vec<Fact>> {
    let Laid { circuit, to, next } = in_states(model, off, states, &[], 0);
    let outputs: Vec<Lit> = model.registers().iter().map(|v| to[*v as usize]).collect();
    reduce(&circuit.write(&next, &outputs), file, seconds)?;
    let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    std::fs::remove_file(file).with_context(|| file.display().to_string())?;
    // Header, a line a register, a line an output: what a register is among what is left.
    let mut lines = bytes.split(|b| *b == b'\n').map(|l| String::from_utf8_lossy(l).into_owned());
    let head = lines.next().unwrap_or_default();
    let left: Option<usize> = head.split(' ').nth(3).and_then(|n| n.parse().ok());
    let left = left.with_context(|| format!("ABC wrote a circuit that begins with {head}"))?;
    let (mut facts, mut seen) = (Vec::new(), HashMap::new());
    for (i, line) in lines.skip(left).take(model.latches.len()).enumerate() {
        let lit: Lit = line.parse().with_context(|| format!("ABC wrote {line} for an output"))?;
        if lit < 2 {
            facts.push(Fact::Constant(i, lit == 1));
        } else if let Some((other, its)) = seen.insert(lit / 2, (i, lit)) {
            facts.push(Fact::Same(i, other, lit != its));
        }
    }
    Ok(facts)
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

    // A register that reset clears and that keeps what it has, a copy of go_i, and its inverse.
    const FACTS: &str = "\
aag 9 2 4 0 3
2
4
6 14 6
8 16 8
10 18 10
12 4 12
14 6 3
16 4 3
18 5 3
i0 rst_i
i1 go_i
";

    #[test]
    fn registers_that_never_change_or_always_agree_are_found() {
        let model = Model::parse(FACTS).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let facts = facts(&model, &[], States::Reached, &dir.path().join("f.aig"), 20).unwrap();
        // The last one is the copy only where reset does not hold it: not in the cycle after a reset.
        assert_eq!(facts, [Fact::Constant(0, false)]);
    }
}
