//! Counterexamples for people: a waveform, and a stimulus for `quell replay`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::aiger::{Lit, Model, of};
use super::unroll::Trace;
use crate::cosim::recording::{self, Inputs, Stimulus};
use crate::params::Build;
use crate::signals::{Group, Layout, Signal};

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

/// Writes the waveform of a trace: inputs, outputs, registers, and the properties (1: broken).
pub fn write_vcd(model: &Model, trace: &Trace, path: &Path) -> Result<()> {
    let mut vectors: BTreeMap<String, BTreeMap<usize, Lit>> = BTreeMap::new();
    let mut add = |name: &str, lit: Lit| {
        let (base, bit) = split(name);
        vectors.entry(base.replace(' ', "_")).or_default().insert(bit, lit);
    };
    for (names, lit) in model.inputs.iter().zip(&model.input_lits) {
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
    model.asserts.iter().for_each(|p| add(&format!("broken.{}", p.name), p.lit));

    let mut text = Vec::new();
    let mut writer = vcd::Writer::new(&mut text);
    writer.timescale(1, vcd::TimescaleUnit::NS)?;
    writer.add_module("proof")?;
    let mut codes = Vec::new();
    for (base, bits) in &vectors {
        let width = 1 + bits.keys().max().copied().unwrap_or(0);
        codes.push(writer.add_wire(width as u32, base)?);
    }
    writer.upscope()?;
    writer.enddefinitions()?;
    let mut before: Vec<Vec<bool>> = vec![Vec::new(); codes.len()];
    let steps = simulate(model, trace);
    for (t, value) in steps.iter().enumerate() {
        writer.timestamp(t as u64)?;
        for ((bits, code), old) in vectors.values().zip(&codes).zip(&mut before) {
            let width = 1 + bits.keys().max().copied().unwrap_or(0);
            let now: Vec<bool> = (0..width).map(|b| bits.get(&b).is_some_and(|l| of(value, *l))).collect();
            if now != *old {
                let digits: Vec<vcd::Value> = now.iter().rev().map(|b| vcd::Value::from(*b)).collect();
                writer.change_vector(*code, digits)?;
                *old = now;
            }
        }
    }
    writer.timestamp(steps.len() as u64)?;
    crate::outfile::write(path, &text)
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
