//! A unit beside one of its mutants: do they ever differ, and if so, on what inputs?
//!
//! Both are copies of one model, in which a mutant is an input that is 1. What the mutant does not change is one and the same
//! signal in both, so a question is as large as what the fault reaches.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::prove::aiger::{Circuit, Lit, Model, Node, under};
use crate::prove::bmc::{self, Fact, Laid, States, after_reset};
use crate::prove::engine::any;
use crate::prove::unroll::{Limit, Signal, TRUE, Trace, Unroller};

/// Where a mutant has the design's outputs and next state, on all inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// In every state.
    Always,
    /// In every state that is reached.
    Reached,
    /// In every state that is reached once the sweeps after a reset are over; before, all outputs agree.
    Settled,
    /// In every state that is reached if memories begin with 0, and what is not defined (a word beyond their end) is 0.
    Cleared,
    /// Then at least the outputs are the same, and all registers but those that the mutant changes.
    Outputs,
}

impl Same {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Same::Always => "in every state",
            Same::Reached => "in every state that is reached",
            Same::Settled => "in every state that is reached after the sweeps",
            Same::Cleared => "in every state that is reached if memories begin with 0",
            Same::Outputs => "in all outputs if memories begin with 0",
        }
    }
}

/// What a search from reset found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// These inputs make an output differ in their last step.
    Difference(Trace),
    /// None do in so many cycles after reset.
    Nothing(usize),
}

/// What is known of the design's registers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// After a reset.
    pub reached: Vec<Fact>,
    /// Cycles from a reset until its sweeps are over,
    pub cycles: usize,
    /// and what is known then, until the next reset.
    pub settled: Vec<Fact>,
    /// After a reset, if memories were 0 before the first one and what is not defined is 0.
    pub cleared: Vec<Fact>,
}

impl Known {
    /// Finds it in these seconds; the unit's inputs `off` are 0. What ABC says counts only if it is proved here again.
    pub fn find(model: &Model, off: &[usize], cycles: usize, file: &Path, seconds: u64) -> Result<Known> {
        let find = |states| -> Result<Vec<Fact>> {
            let limit = Limit { at: Some(Instant::now() + 2 * Duration::from_secs(seconds)), stop: None };
            let facts = bmc::facts(model, off, states, file, seconds)?;
            Ok(inductive(model, off, states, facts, &limit))
        };
        let settled = if cycles == 0 { Vec::new() } else { find(States::Settled(cycles))? };
        Ok(Known { reached: find(States::Reached)?, cycles, settled, cleared: find(States::Cleared)? })
    }
}

/// Of these facts those that hold at first and, if they hold, after a step; none if that is not known in time.
fn inductive(model: &Model, off: &[usize], states: States, mut facts: Vec<Fact>, limit: &Limit) -> Vec<Fact> {
    let latches = registers_of(model);
    let mut off = off.to_vec();
    if states == States::Cleared {
        off.extend(model.undefined());
    }
    let any = |initial| Unroller::new(model, initial, limit.clone()).without(off.iter().copied());
    let (mut first, from) = (any(true), if let States::Settled(n) = states { n + 1 } else { 1 });
    if states == States::Cleared {
        latches.iter().for_each(|(v, _)| first.begin_with(*v, !TRUE));
    }
    if without_broken(&mut first, from, &latches, &mut facts).is_none() {
        return Vec::new();
    }
    loop {
        // After a reset they hold again, where that leads to the first states. It does not if those are cleared.
        let mut step = if states == States::Cleared { any(false).any_reset() } else { any(false) };
        assume(&mut step, &latches, &facts);
        match without_broken(&mut step, 1, &latches, &mut facts) {
            None => return Vec::new(),
            Some(true) => {}
            Some(false) => return facts,
        }
    }
}

/// Takes those facts out that can be broken in a step; tells whether there were any, or nothing if that is not known in time.
fn without_broken(
    u: &mut Unroller,
    step: usize,
    latches: &[(u32, Lit)],
    facts: &mut Vec<Fact>,
) -> Option<bool> {
    let mut found = false;
    loop {
        let broken: Vec<Signal> = facts
            .iter()
            .map(|fact| match *fact {
                Fact::Constant(i, value) => u.signal(step, (2 * latches[i].0) ^ Lit::from(value)),
                Fact::Same(i, k, inverted) => {
                    let (a, b) = (u.signal(step, 2 * latches[i].0), u.signal(step, 2 * latches[k].0));
                    let differ = xor(u, a, b);
                    if inverted { !differ } else { differ }
                }
            })
            .collect();
        if !any(u, broken.iter().copied())? {
            return Some(found);
        }
        found = true;
        let mut holds = broken.iter().map(|s| !u.value(*s));
        facts.retain(|_| holds.next().unwrap_or(false));
    }
}

/// By number: variable and next value of each register bit.
fn registers_of(model: &Model) -> Vec<(u32, Lit)> {
    model.registers().into_iter().zip(model.latches.iter().map(|l| l.next)).collect()
}

/// Unit and mutants.
pub struct Pair<'m> {
    model: &'m Model,
    /// Number and variable of each mutant's input.
    mutants: Vec<(usize, u32)>,
    /// Variable and next value of each register bit.
    latches: Vec<(u32, Lit)>,
    /// Any step from the states that each is about. (Once sweeps are over there is no reset: it begins another one.)
    questions: Vec<(Same, Unroller<'m>)>,
    /// Cycles that the sweeps take,
    cycles: usize,
    /// and a state before a reset that has nothing to do with the design's.
    unrelated: Vec<Register>,
    /// From reset.
    run: Unroller<'m>,
}

/// Signals of the mutant that are others than the design's, by variable.
type Changed = Vec<Option<Signal>>;

/// The numbers of the inputs `mut_0` to `mut_<count - 1>`; the error says which is missing.
pub(super) fn switches(model: &Model, count: usize) -> Result<Vec<usize>, String> {
    (0..count)
        .map(|k| {
            let name = format!("mut_{k}");
            model.input(&name).ok_or_else(|| format!("the model has no input {name}"))
        })
        .collect()
}

impl<'m> Pair<'m> {
    /// For a model with inputs `mut_0` to `mut_<count - 1>` and what is known of the design; the error says which input is missing.
    pub fn new(model: &'m Model, count: usize, facts: &Known) -> Result<Pair<'m>, String> {
        let off = switches(model, count)?;
        let mutants: Vec<(usize, u32)> = off.iter().map(|i| (*i, model.input_lits[*i] / 2)).collect();
        let any =
            |initial: bool| Unroller::new(model, initial, Limit::default()).without(off.iter().copied());
        let latches = registers_of(model);
        let known: [(Same, &[Fact]); 4] = [
            (Same::Always, &[]),
            (Same::Reached, &facts.reached),
            (Same::Settled, &facts.settled),
            (Same::Cleared, &facts.cleared),
        ];
        let swept = facts.cycles > 0;
        let questions = known.into_iter().filter(|(same, _)| swept || *same != Same::Settled);
        let questions = questions.map(|(same, facts)| {
            let mut u = if same == Same::Settled { any(false) } else { any(false).any_reset() };
            if same == Same::Cleared {
                u = u.without(model.undefined());
            }
            assume(&mut u, &latches, facts);
            (same, u)
        });
        let questions = questions.collect();
        let mut run = any(true);
        let mut unrelated = Vec::new();
        if swept {
            unrelated.extend(latches.iter().map(|(v, _)| (*v, run.switch(), run.signal(0, 2 * v))));
        }
        Ok(Pair { model, mutants, latches, questions, cycles: facts.cycles, unrelated, run })
    }

    /// Is mutant number `k` the same? One step tells: it is soon known.
    pub fn same(&mut self, k: usize, limit: &Limit) -> Option<Same> {
        let Pair { model, mutants, latches, questions, cycles, unrelated, run } = self;
        let on = mutants[k].1;
        let count = questions.len();
        for (i, (same, u)) in questions.iter_mut().enumerate() {
            // None takes all the time.
            let part = limit.part((count - i) as u32);
            u.limit(part.clone());
            run.limit(part);
            if same_step(model, latches, u, on)
                && (*same != Same::Settled || same_until(model, latches, run, on, *cycles, unrelated))
            {
                return Some(*same);
            }
        }
        None
    }

    /// Looks for inputs that show mutant number `k`, up to `depth` cycles after a reset.
    pub fn differs(&mut self, k: usize, depth: usize, limit: &Limit) -> Found {
        let Pair { model, mutants, latches, run, .. } = self;
        let on = mutants[k].1;
        run.limit(limit.clone());
        let mut state = Vec::new();
        for t in 0..=depth {
            let changed = changes(model, run, t, on, &state);
            // The first step is the reset: nobody looks.
            if t > 0 {
                let differ = outputs(model, run, t, &changed);
                if !differ.is_empty() {
                    match any(run, differ.into_iter()) {
                        None => return Found::Nothing(t - 1),
                        Some(true) => return Found::Difference(run.trace(t)),
                        Some(false) => {}
                    }
                }
            }
            state = registers(latches, run, t, &changed);
        }
        Found::Nothing(depth)
    }
}

/// In the unroller's first state these facts about registers (by number: their variables) hold. Nothing was built of it yet, and so what
/// is the same becomes one signal: what a mutant does not change by that needs no solver.
fn assume(u: &mut Unroller, latches: &[(u32, Lit)], facts: &[Fact]) {
    for fact in facts {
        let (i, signal) = match *fact {
            Fact::Constant(i, value) => (i, if value { TRUE } else { !TRUE }),
            Fact::Same(i, k, inverted) => (i, u.signal(0, (2 * latches[k].0) ^ Lit::from(inverted))),
        };
        u.begin_with(latches[i].0, signal);
    }
}

/// From a state that both are in, are outputs and next state the same, whatever the inputs?
fn same_step(model: &Model, latches: &[(u32, Lit)], u: &mut Unroller, on: u32) -> bool {
    let changed = changes(model, u, 0, on, &[]);
    let mut differ = outputs(model, u, 0, &changed);
    for (_, new, old) in registers(latches, u, 0, &changed) {
        differ.push(xor(u, new, old));
    }
    differ.is_empty() || any(u, differ.into_iter()) == Some(false)
}

/// From a reset on, before which the mutant is in that other state, are the outputs the same in so many cycles, whatever the inputs, and in the end all registers?
fn same_until(
    model: &Model,
    latches: &[(u32, Lit)],
    run: &mut Unroller,
    on: u32,
    cycles: usize,
    unrelated: &[Register],
) -> bool {
    let mut state = unrelated.to_vec();
    for t in 0..=cycles {
        let changed = changes(model, run, t, on, &state);
        // Nobody looks in the step of the reset.
        let mut differ = if t == 0 { Vec::new() } else { outputs(model, run, t, &changed) };
        state = registers(latches, run, t, &changed);
        if t == cycles {
            differ.extend(state.iter().map(|(_, new, old)| xor(run, *new, *old)));
        }
        if !differ.is_empty() && any(run, differ.into_iter()) != Some(false) {
            return false;
        }
    }
    true
}

fn xor(u: &mut Unroller, a: Signal, b: Signal) -> Signal {
    let (one, other) = (u.and(a, !b), u.and(!a, b));
    !u.and(!one, !other)
}

/// What a literal is in the mutant.
fn of(u: &mut Unroller, t: usize, changed: &Changed, lit: Lit) -> Signal {
    match changed[lit as usize / 2] {
        Some(s) if lit & 1 == 1 => !s,
        Some(s) => s,
        None => u.signal(t, lit),
    }
}

/// A register bit of the mutant that is another signal: its variable, that signal, the design's.
type Register = (u32, Signal, Signal);

/// What is changed in a step, given the registers that are.
fn changes(model: &Model, u: &mut Unroller, t: usize, on: u32, state: &[Register]) -> Changed {
    let mut changed = vec![None; model.nodes.len()];
    state.iter().for_each(|(v, new, _)| changed[*v as usize] = Some(*new));
    changed[on as usize] = Some(TRUE);
    for &v in &model.order {
        if let Node::And(a, b) = model.nodes[v as usize]
            && (changed[a as usize / 2].is_some() || changed[b as usize / 2].is_some())
        {
            let (x, y) = (of(u, t, &changed, a), of(u, t, &changed, b));
            let new = u.and(x, y);
            if new != u.signal(t, 2 * v) {
                changed[v as usize] = Some(new);
            }
        }
    }
    changed
}

/// For each port that is another signal: 1 where its value differs.
fn outputs(model: &Model, u: &mut Unroller, t: usize, changed: &Changed) -> Vec<Signal> {
    let ports = model.ports.iter().filter(|(_, lit)| changed[*lit as usize / 2].is_some());
    ports
        .map(|(_, lit)| {
            let (new, old) = (of(u, t, changed, *lit), u.signal(t, *lit));
            xor(u, new, old)
        })
        .collect()
}

/// The registers that are other signals in the next step.
fn registers(latches: &[(u32, Lit)], u: &mut Unroller, t: usize, changed: &Changed) -> Vec<Register> {
    let mut list = Vec::new();
    for &(v, lit) in latches.iter().filter(|(_, lit)| changed[*lit as usize / 2].is_some()) {
        let (new, old) = (of(u, t, changed, lit), u.signal(t, lit));
        if new != old {
            list.push((v, new, old));
        }
    }
    list
}

/// The design as circuits, for ABC, that go through some of its states, and whose output is 1 where mutant `k` of so many may do another
/// thing: is another signal at a place that all of its fault goes through, the first one first, and in the last circuit has another output
/// or next state. If one of them never is 1, the mutant is equivalent.
pub fn in_one_step(
    model: &Model,
    mutants: usize,
    k: usize,
    states: States,
    known: &[Fact],
) -> Result<Vec<Vec<u8>>, String> {
    let off = switches(model, mutants.max(k + 1))?;
    let mut laid = bmc::in_states(model, &off, states, known, 0);
    let mut other = laid.to.clone();
    let places = beside(model, &mut laid, &mut other, off[k], &[]);
    Ok(questions(&laid, &other, &places))
}

/// So many registers at most may be the mutant's own.
const OWN: usize = 64;

/// The same, but the registers whose next value mutant `k` may change are its own; no circuits if these are too many, or none. They may differ
/// as long as no output does, and no other register. The states are those that are reached if memories begin with 0.
pub fn with_own_registers(
    model: &Model,
    mutants: usize,
    k: usize,
    known: &[Fact],
) -> Result<Vec<Vec<u8>>, String> {
    let off = switches(model, mutants.max(k + 1))?;
    let registers = model.registers();
    let on = model.input_lits[off[k]] / 2;
    let mut own: Vec<usize> = Vec::new();
    // And what these change in turn, such as a word read from a memory, while that is little.
    loop {
        let variables: Vec<u32> = own.iter().map(|i| registers[*i]).chain([on]).collect();
        let more = changed_by(model, &variables);
        if more.len() == own.len() || more.len() > OWN {
            break;
        }
        own = more;
    }
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let mut laid = bmc::in_states(model, &off, States::Cleared, known, own.len());
    let start = after_reset(model, &off, Some(off[k]), 0);
    let mut other = laid.to.clone();
    for (at, i) in own.iter().enumerate() {
        other[registers[*i] as usize] = laid.circuit.register(1 + model.latches.len() + at);
    }
    let places = beside(model, &mut laid, &mut other, off[k], &own);
    for i in &own {
        laid.next.push((under(&other, model.latches[*i].next), start[*i] == Some(true)));
    }
    Ok(questions(&laid, &other, &places))
}

/// The registers whose next values depend on these variables.
fn changed_by(model: &Model, variables: &[u32]) -> Vec<usize> {
    let mut reached = vec![false; model.nodes.len()];
    variables.iter().for_each(|v| reached[*v as usize] = true);
    for &v in &model.order {
        if let Node::And(a, b) = model.nodes[v as usize] {
            reached[v as usize] = reached[a as usize / 2] || reached[b as usize / 2];
        }
    }
    (0..model.latches.len()).filter(|i| reached[model.latches[*i].next as usize / 2]).collect()
}

/// Adds to a model in a circuit its mutant that the input `on` switches, whose registers are in `other`. Gives the places, each a list of
/// the model's literals, of which one suffices to be the same: see [`in_one_step`]. The registers `own` need not be the same.
fn beside(model: &Model, laid: &mut Laid, other: &mut [Lit], on: usize, own: &[usize]) -> Vec<Vec<Lit>> {
    let Laid { circuit: c, to, .. } = laid;
    let on = model.input_lits[on] / 2;
    other[on as usize] = 1;
    for &v in &model.order {
        if let Node::And(a, b) = model.nodes[v as usize] {
            let (new, old) = ([a, b].map(|l| under(other, l)), [a, b].map(|l| under(to, l)));
            if new != old {
                other[v as usize] = c.and(new[0], new[1]);
            }
        }
    }
    let next = (0..model.latches.len()).filter(|i| !own.contains(i)).map(|i| model.latches[i].next);
    let ends: Vec<Lit> = model.ports.iter().map(|p| p.1).chain(next).collect();
    let registers = model.registers();
    let begins: Vec<u32> = own.iter().map(|i| registers[*i]).chain([on]).collect();
    let changed = |v: u32| other[v as usize] != to[v as usize];
    let passages = passages(model, &begins, &ends, &changed);
    passages.into_iter().map(|v| vec![2 * v]).chain([ends]).collect()
}

/// The gates that lie on every path of changed signals from one of the variables `begins` to one of the literals `ends`, in the order of
/// such a path: those that post-dominate them.
fn passages(model: &Model, begins: &[u32], ends: &[Lit], changed: &dyn Fn(u32) -> bool) -> Vec<u32> {
    // Behind all ends lies one more node. Of each the next one on all of its paths, and how many such there are until that.
    let last = model.nodes.len() as u32;
    let mut next = vec![last; model.nodes.len() + 1];
    let mut far = vec![0; model.nodes.len() + 1];
    let meet = |next: &[u32], far: &[u32], mut a: u32, mut b: u32| {
        while a != b {
            let more = if far[a as usize] > far[b as usize] { &mut a } else { &mut b };
            *more = next[*more as usize];
        }
        a
    };
    let mut reaches: Vec<Option<u32>> = vec![None; model.nodes.len()];
    ends.iter().filter(|l| changed(**l / 2)).for_each(|l| reaches[*l as usize / 2] = Some(last));
    for &v in model.order.iter().rev().filter(|v| changed(**v)) {
        let (Some(to), Node::And(a, b)) = (reaches[v as usize], model.nodes[v as usize]) else { continue };
        next[v as usize] = to;
        far[v as usize] = far[to as usize] + 1;
        for input in [a / 2, b / 2].into_iter().filter(|i| changed(*i)) {
            let met = reaches[input as usize].map_or(v, |other| meet(&next, &far, other, v));
            reaches[input as usize] = Some(met);
        }
    }
    let all = begins.iter().filter_map(|v| reaches[*v as usize]);
    let first = all.reduce(|a, b| meet(&next, &far, a, b));
    std::iter::successors(first, |v| Some(next[*v as usize])).take_while(|v| *v != last).collect()
}

/// For each of the places a circuit whose output is 1 when not all of it is the same.
fn questions(laid: &Laid, other: &[Lit], places: &[Vec<Lit>]) -> Vec<Vec<u8>> {
    let Laid { circuit, to, next } = laid;
    let ask = |place: &Vec<Lit>| {
        let (mut c, mut same) = (circuit.clone(), 1);
        for lit in place {
            let (new, old) = (under(other, *lit), under(to, *lit));
            if new != old {
                let equal = c.choose(new, old, old ^ 1);
                same = c.and(same, equal);
            }
        }
        c.write(next, &[same ^ 1])
    };
    places.iter().map(ask).collect()
}

/// Design and mutant side by side as one circuit, for ABC: it begins after a reset, all inputs are shared, and its output is 1 when
/// some port of the two differs. A register that reset leaves alone begins with any value, the same in both.
pub struct Miter<'m> {
    model: &'m Model,
    reset: Option<usize>,
    /// Inputs of the circuit: those of the unit, then one for each register that may begin with any value.
    shared: Vec<usize>,
    any: Vec<usize>,
    /// The circuit in binary AIGER.
    pub circuit: Vec<u8>,
}

impl<'m> Miter<'m> {
    /// With mutant `k` of so many.
    pub fn new(model: &'m Model, mutants: usize, k: usize) -> Result<Miter<'m>, String> {
        let off = switches(model, mutants.max(k + 1))?;
        let on = off[k];
        let starts = [None, Some(on)].map(|on| after_reset(model, &off, on, 0));
        let shared: Vec<usize> = (0..model.inputs.len()).filter(|i| !off.contains(i)).collect();
        let any: Vec<usize> =
            (0..model.latches.len()).filter(|i| starts.iter().any(|s| s[*i].is_none())).collect();
        // Registers: one that tells the first cycle, the design's, the mutant's.
        let mut c = Circuit::new(shared.len() + any.len(), 1 + 2 * model.latches.len());
        let mut next: Vec<(Lit, bool)> = vec![(1, false)];
        let mut ports: Vec<Vec<Lit>> = Vec::new();
        for (copy, start) in starts.iter().enumerate() {
            let mut lits: Vec<Lit> = vec![0; model.nodes.len()];
            for (at, i) in shared.iter().enumerate() {
                lits[model.input_lits[*i] as usize / 2] = c.input(at);
            }
            lits[model.input_lits[on] as usize / 2] = copy as Lit;
            let at = 1 + copy * model.latches.len();
            next.extend(bmc::lay(&mut c, model, &mut lits, at, start, &any, shared.len(), &HashMap::new()));
            ports.push(model.ports.iter().map(|(_, lit)| under(&lits, *lit)).collect());
        }
        let mut same = 1;
        for (a, b) in ports[0].iter().zip(&ports[1]) {
            let differ = c.choose(*a, b ^ 1, *b);
            same = c.and(same, differ ^ 1);
        }
        let circuit = c.write(&next, &[same ^ 1]);
        Ok(Miter { model, reset: model.input("rst_i"), shared, any, circuit })
    }

    /// Inputs of the circuit.
    pub fn inputs(&self) -> usize {
        self.shared.len() + self.any.len()
    }

    /// Inputs of the circuit, step by step, as a trace of the model: a reset comes first.
    pub fn trace(&self, steps: &[Vec<bool>]) -> Trace {
        let mut registers = vec![false; self.model.latches.len()];
        for (i, value) in self.any.iter().zip(&steps[0][self.shared.len()..]) {
            registers[*i] = *value;
        }
        let mut first = vec![false; self.model.inputs.len()];
        if let Some(r) = self.reset {
            first[r] = true;
        }
        let mut inputs = vec![first];
        for step in steps {
            let mut all = vec![false; self.model.inputs.len()];
            self.shared.iter().zip(step).for_each(|(i, value)| all[*i] = *value);
            inputs.push(all);
        }
        Trace { registers, inputs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::bmc::Never;

    // Registers a (go), b (a before) and c (stays 0), all reset by rst_i; full = a and b. mut_0 ties full to 0, mut_1 inverts it while a
    // is 0 and 1 at once, mut_2 shows c.
    const MODEL: &str = "\
aag 17 5 3 2 9
2
4
6
8
10
12 16 12
14 18 14
30 32 30
28
34
16 4 3
18 12 3
20 12 14
22 20 7
24 12 13
26 8 24
28 22 27
32 30 3
34 10 30
i0 rst_i
i1 go_i
i2 mut_0
i3 mut_1
i4 mut_2
o0 full_o
o1 odd_o
";

    #[test]
    fn differences_are_found_and_their_absence_proved() {
        let model = Model::parse(MODEL).unwrap();
        let limit = Limit::default();
        let pair = |reached: &[Fact]| {
            let known = Known { reached: reached.to_vec(), ..Known::default() };
            Pair::new(&model, 3, &known).unwrap()
        };
        let mut one = pair(&[]);
        let Found::Difference(trace) = one.differs(0, 9, &limit) else { panic!("mut_0 is seen") };
        // Reset, two cycles of go, and then it shows.
        let go: Vec<bool> = trace.inputs.iter().map(|step| step[1]).collect();
        assert_eq!((go.len(), go[1], go[2], trace.inputs[0][0]), (4, true, true, true));
        assert_eq!([0, 1, 2].map(|k| one.same(k, &limit)), [None, Some(Same::Always), None]);
        assert_eq!(one.differs(2, 9, &limit), Found::Nothing(9));
        assert_eq!(one.differs(0, 2, &limit), Found::Nothing(2));
        // Register c stays 0.
        assert_eq!(pair(&[Fact::Constant(2, false)]).same(2, &limit), Some(Same::Reached));
        assert_eq!(pair(&[Fact::Same(2, 0, true)]).same(2, &limit), None);
    }

    // A memory of one bit m is cleared while ready r is 0 (in the cycle after a reset); d reads it, and is shown once q says so. mut_0
    // reads 0, mut_1 does not clear it, mut_2 reads 1.
    const SWEPT: &str = "\
aag 14 4 4 1 6
2
4
6
8
10 3 10
12 20 12
14 25 14
16 26 16
28
18 11 7
20 12 19
22 12 5
24 23 9
26 10 3
28 14 16
i0 rst_i
i1 mut_0
i2 mut_1
i3 mut_2
o0 read_o
";

    #[test]
    fn what_a_sweep_clears_is_known_when_it_is_over() {
        let model = Model::parse(SWEPT).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let off: Vec<usize> = (0..3).map(|k| model.input(&format!("mut_{k}")).unwrap()).collect();
        let same = |cycles: usize| {
            let known = Known::find(&model, &off, cycles, &dir.path().join("f.aig"), 20).unwrap();
            let mut pair = Pair::new(&model, 3, &known).unwrap();
            [0, 1, 2].map(|k| pair.same(k, &Limit::default()))
        };
        assert_eq!(same(2), [Some(Same::Settled), Some(Same::Cleared), None]);
        // The sweep is not over, or nobody says that there is one: it is the same only if memories begin with 0.
        assert_eq!(same(1), [Some(Same::Cleared), Some(Same::Cleared), None]);
        assert_eq!(same(0), [Some(Same::Cleared), Some(Same::Cleared), None]);
    }

    #[test]
    fn facts_that_do_not_follow_from_each_other_are_dropped() {
        let model = Model::parse(SWEPT).unwrap();
        let facts =
            |states, all: &[Fact]| inductive(&model, &[1, 2, 3], states, all.to_vec(), &Limit::default());
        let (ready, memory, same) =
            (Fact::Constant(0, true), Fact::Constant(1, false), Fact::Same(2, 1, false));
        assert_eq!(facts(States::Settled(2), &[ready, memory, same]), [ready, memory, same]);
        assert_eq!(facts(States::Settled(1), &[ready, memory, same]), [ready, memory]);
        assert_eq!(facts(States::Reached, &[ready, memory, same]), []);
        assert_eq!(
            facts(States::Cleared, &[memory, Fact::Constant(2, false)]),
            [memory, Fact::Constant(2, false)]
        );
        // It is so at first, but not for ever.
        assert_eq!(facts(States::Settled(1), &[Fact::Constant(3, false)]), []);
    }

    #[test]
    fn a_model_without_the_inputs_is_refused() {
        let model = Model::parse(MODEL).unwrap();
        assert_eq!(Pair::new(&model, 4, &Known::default()).err().unwrap(), "the model has no input mut_3");
        assert_eq!(Miter::new(&model, 3, 3).err().unwrap(), "the model has no input mut_3");
    }

    // Register c stays 0, and x what it is, but mut_0 inverts it in every cycle, mut_1 clears it; c says whether x is seen.
    const UNSEEN: &str = "\
aag 12 3 2 1 7
2
4
6
8 14 8
10 22 10
24
14 8 3
16 10 5
18 11 4
20 17 19
22 21 3
24 10 8
12 10 7
i0 rst_i
i1 mut_0
i2 mut_1
o0 x_o
";

    // i goes two ways (3 and 4, by s) to 5, and from there to 6; 7 leads nowhere.
    const DIAMOND: &str = "\
aag 7 2 0 1 5
2
4
12
6 2 4
8 2 5
10 7 9
12 10 4
14 2 10
i0 i
i1 s
o0 out_o
";

    #[test]
    fn a_fault_passes_where_all_of_its_paths_meet() {
        let model = Model::parse(DIAMOND).unwrap();
        let all = |begins: &[u32], ends: &[Lit]| passages(&model, begins, ends, &|v| v != 2);
        assert_eq!(all(&[1], &[12]), [5, 6]);
        assert_eq!(all(&[1], &[12, 11]), [5]);
        assert_eq!(all(&[3], &[12]), [5, 6]);
        assert_eq!(all(&[3, 4], &[12]), [5, 6]);
        assert!(all(&[1], &[12, 6]).is_empty());
        assert!(all(&[1], &[]).is_empty());
        // What is not changed is no path: all of it goes by 3.
        assert_eq!(passages(&model, &[1], &[12], &|v| v != 2 && v != 4), [3, 5, 6]);
    }

    #[test]
    fn a_mutant_may_have_registers_of_its_own_that_nobody_sees() {
        let dir = tempfile::tempdir().unwrap();
        // What is known of each place, the last of which is the whole.
        let never = |circuits: Result<Vec<Vec<u8>>, String>| -> Vec<Never> {
            let circuits = circuits.unwrap();
            circuits.iter().map(|c| bmc::never(c, &dir.path().join("c.aig"), 20).unwrap()).collect()
        };
        let model = Model::parse(UNSEEN).unwrap();
        let [proved, seen] = [Never::Proved, Never::Seen];
        // Inverted, and not in reset: two gates on the way to x.
        assert_eq!(never(in_one_step(&model, 2, 0, States::Cleared, &[])), [seen, seen, seen]);
        assert_eq!(never(with_own_registers(&model, 2, 0, &[])), [proved, proved]);
        assert_eq!(never(with_own_registers(&model, 2, 0, &[Fact::Constant(0, false)])), [proved]);
        // mut_1 changes nothing at all.
        assert_eq!(never(with_own_registers(&model, 2, 1, &[])), []);
        assert_eq!(never(in_one_step(&model, 2, 1, States::Reached, &[])), [proved]);
        // Where c may be 1 it is seen.
        let shown = Model::parse(&UNSEEN.replace("8 14 8", "8 9 8")).unwrap();
        assert_eq!(never(with_own_registers(&shown, 2, 0, &[])), [seen, seen]);
        let model = Model::parse(MODEL).unwrap();
        let one = |k| never(in_one_step(&model, 3, k, States::Reached, &[])).pop().unwrap();
        assert_eq!([0, 1, 2].map(one), [seen, proved, proved]);
        let laid = bmc::in_states(&model, &[2, 3, 4], States::Reached, &[], 0);
        let keeps =
            |i: usize| laid.keeps(model.registers()[i], false, &dir.path().join("k.aig"), 20).unwrap();
        assert!(keeps(2));
        assert!(!keeps(1));
    }

    #[test]
    fn the_circuit_for_abc_has_both_and_the_state_after_reset() {
        let model = Model::parse(MODEL).unwrap();
        let miter = Miter::new(&model, 3, 2).unwrap();
        let text = String::from_utf8_lossy(&miter.circuit).into_owned();
        // rst_i and go_i; the first cycle and twice a, b, c, which all begin with 0; one output.
        assert!(text.starts_with("aig "), "{text}");
        let head: Vec<usize> =
            text.lines().next().unwrap().split(' ').skip(1).map(|n| n.parse().unwrap()).collect();
        assert_eq!((head[1], head[2], head[3]), (2, 7, 1));
        assert_eq!(head[0], head[1] + head[2] + head[4]);
        assert!(text.lines().skip(1).take(7).all(|l| l.ends_with(" 0")), "{text}");
        let trace = miter.trace(&[vec![false, true], vec![false, false]]);
        assert_eq!(trace.inputs.len(), 3);
        assert!(trace.inputs[0][0] && trace.inputs[1][1] && !trace.inputs[2][1]);
    }
}
