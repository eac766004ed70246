//! Counterexamples for people: a waveform, and a stimulus for `quell replay`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::aiger::{Lit, Model, of};
use super::unroll::Trace;
use crate::cosim::recording::{self, Inputs, Stimulus};
use crate::outfile::create_beside;
use crate::params::Build;
use crate::signals::{Group, Layout, Signal};
use crate::wave::{Format, TraceWriter, place};

/// The value of every variable in every step of a trace.
pub fn simulate(model: &Model, trace: &Trace) -> Vec<Vec<bool>> {
    let mut registers = trace.registers.clone();
    let mut steps = Vec::new();
    for inputs in &trace.inputs {
        let value = model.evaluate(&registers, inputs);
        registers = model.next(&value);
        steps.push(value);
    }
    steps
}

/// `a.b[3]` as (`a.b`, 3).
fn split(name: &str) -> (&str, usize) {
    let bit = name.strip_suffix(']').and_then(|n| n.rsplit_once('['));
    match bit.and_then(|(base, i)| Some((base, i.parse().ok()?))) {
        Some((base, i)) => (base, i),
        None => (name, 0),
    }
}

/// Scope of the properties.
const BROKEN: &str = "broken.";

/// Writes the waveform of a trace (`steps`: as it was simulated), with layouts beside it: inputs, outputs, registers, and what is broken in the last step (1).
pub fn write_vcd(model: &Model, steps: &[Vec<bool>], about: &str, path: &Path) -> Result<()> {
    let mut vectors: BTreeMap<String, BTreeMap<usize, Lit>> = BTreeMap::new();
    let mut add = |name: &str, lit: Lit| {
        let (base, bit) = split(name);
        vectors.entry(base.replace(' ', "_")).or_default().insert(bit, lit);
    };
    let mut inputs = BTreeSet::new();
    for (names, lit) in model.inputs.iter().zip(&model.input_lits) {
        inputs.insert(split(names.split(' ').next().unwrap_or_default()).0.replace(' ', "_"));
        add(names.split(' ').next().unwrap_or_default(), *lit);
    }
    for (node, lit) in model.nodes.iter().zip(0u32..) {
        if let super::aiger::Node::Latch(i) = node
            && let Some(name) = model.latches[*i as usize].names.split(' ').min_by_key(|n| n.len())
        {
            add(name, 2 * lit);
        }
    }
    model.ports.iter().for_each(|(name, lit)| add(name, *lit));
    model.asserts.iter().for_each(|p| add(&format!("{BROKEN}{}", p.name), p.lit));

    let width = |bits: &BTreeMap<usize, Lit>| 1 + bits.keys().max().copied().unwrap_or(0);
    // What is broken in the last step is what one looks for.
    let last = steps.last();
    let is = |name: &str, bits: &BTreeMap<usize, Lit>| match name.strip_prefix(BROKEN) {
        Some(_) if last.is_some_and(|last| bits.values().any(|l| of(last, *l))) => Some(0),
        Some(_) => None,
        None if inputs.contains(name) => Some(1),
        None => Some(2),
    };
    let mut groups = [("Broken", Vec::new()), ("Inputs", Vec::new()), ("Outputs and registers", Vec::new())];
    let mut shown = Vec::new();
    for (at, (_, group)) in groups.iter_mut().enumerate() {
        for (name, bits) in vectors.iter().filter(|(name, bits)| is(name, bits) == Some(at)) {
            group.push((name.clone(), width(bits)));
            shown.push(bits);
        }
    }
    place(path, || {
        let file = BufWriter::new(create_beside(path)?);
        let mut writer = TraceWriter::new(file, Format::of(path), about, &groups)?;
        for value in steps {
            let words = |bits: &&BTreeMap<usize, Lit>| {
                let mut words = vec![0u32; width(bits).div_ceil(32)];
                bits.iter().for_each(|(b, l)| words[b / 32] |= u32::from(of(value, *l)) << (b % 32));
                words
            };
            writer.step(&shown.iter().map(words).collect::<Vec<_>>())?;
        }
        writer.finish()
    })
}

/// Where the inputs of a model of a whole unit are in its input vector: number of the input, word, bit. Clock and reset are not there, nor
/// are choices of checkers.
pub fn places(model: &Model, layout: &Layout) -> Result<Vec<(usize, usize, usize)>> {
    let mut all = Vec::new();
    for (names, input) in model.inputs.iter().zip(0..) {
        let name = names.split(' ').next().unwrap_or_default();
        let (base, bit) = split(name);
        let is = |s: &&Signal| s.group == Group::Input && base == format!("{}_i", s.name);
        let Some(s) = layout.signals.iter().find(is) else { continue };
        if bit >= s.width * s.count {
            bail!("input {name} of the model is not in the unit's list of signals");
        }
        let (element, bit) = (bit / s.width, bit % s.width);
        all.push((input, s.offset + element * s.stride() + bit / 32, bit % 32));
    }
    Ok(all)
}

/// Writes a trace of a whole unit as a stimulus for `quell replay`.
pub fn write_stimulus(model: &Model, trace: &Trace, build: &Build, why: &str, path: &Path) -> Result<()> {
    let layout = Layout::new(build.unit, &build.params);
    let mut vectors = vec![vec![0u32; layout.in_words]; trace.inputs.len().saturating_sub(1)];
    for (input, word, bit) in places(model, &layout)? {
        for (vector, step) in vectors.iter_mut().zip(trace.inputs.iter().skip(1)) {
            vector[word] |= u32::from(step[input]) << bit;
        }
    }
    let inputs = Inputs::from_vectors(layout.in_words, &vectors);
    let cycles = inputs.cycles();
    let stimulus = Stimulus { build: *build, seed: 1, comments: vec![why.into()], inputs, cycles };
    recording::write(path, &stimulus).map_err(anyhow::Error::msg).context("reproducer")
}
