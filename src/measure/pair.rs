//! A unit beside one of its mutants: do they ever differ, and if so, on what inputs?
//!
//! Both are copies of one model, in which a mutant is an input that is 1. What the mutant does not change is one and the same
//! signal in both, so a question is as large as what the fault reaches.

use crate::experiments::prove::aiger::{Lit, Model, Node};
use crate::experiments::prove::engine::any;
use crate::experiments::prove::unroll::{Limit, Signal, TRUE, Trace, Unroller};

/// What is known of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// In every state and on all inputs, outputs and next state are those of the design.
    Same,
    /// From reset, these inputs make an output differ in their last step.
    Differs(Trace),
    /// Neither was found; no difference in so many cycles after reset.
    Unknown(usize),
}

/// Unit and mutants.
pub struct Pair<'m> {
    model: &'m Model,
    /// Number and variable of each mutant's input.
    mutants: Vec<(usize, u32)>,
    /// Variable and next value of each register bit.
    latches: Vec<(u32, Lit)>,
    /// Any step, from any state.
    step: Unroller<'m>,
    /// From reset.
    run: Unroller<'m>,
}

/// Signals of the mutant that are others than the design's, by variable.
type Changed = Vec<Option<Signal>>;

impl<'m> Pair<'m> {
    /// For a model with inputs `mut_0` to `mut_<count - 1>`; the error says which is missing.
    pub fn new(model: &'m Model, count: usize) -> Result<Pair<'m>, String> {
        let mutants = (0..count)
            .map(|k| {
                let name = format!("mut_{k}");
                let i = model.input(&name).ok_or_else(|| format!("the model has no input {name}"))?;
                Ok((i, model.input_lits[i] / 2))
            })
            .collect::<Result<Vec<_>, String>>()?;
        let off = || mutants.iter().map(|m| m.0);
        let step = Unroller::new(model, false, Limit::default()).without(off()).any_reset();
        let run = Unroller::new(model, true, Limit::default()).without(off());
        let latches = (0u32..)
            .zip(&model.nodes)
            .filter_map(|(v, node)| match node {
                Node::Latch(i) => Some((v, model.latches[*i as usize].next)),
                _ => None,
            })
            .collect();
        Ok(Pair { model, mutants, latches, step, run })
    }

    /// Compares mutant number `k`, up to `depth` cycles after reset.
    pub fn compare(&mut self, k: usize, depth: usize, limit: &Limit) -> Answer {
        let Pair { model, mutants, latches, step, run } = self;
        let on = mutants[k].1;
        step.limit(limit.clone());
        let changed = changes(model, step, 0, on, &[]);
        let mut differ = outputs(model, step, 0, &changed);
        for (_, new, old) in registers(latches, step, 0, &changed) {
            differ.push(xor(step, new, old));
        }
        if differ.is_empty() || any(step, differ.into_iter()) == Some(false) {
            return Answer::Same;
        }
        run.limit(limit.clone());
        let mut state = Vec::new();
        for t in 0..=depth {
            let changed = changes(model, run, t, on, &state);
            // The first step is the reset: nobody looks.
            if t > 0 {
                let differ = outputs(model, run, t, &changed);
                if !differ.is_empty() {
                    match any(run, differ.into_iter()) {
                        None => return Answer::Unknown(t - 1),
                        Some(true) => return Answer::Differs(run.trace(t)),
                        Some(false) => {}
                    }
                }
            }
            state = registers(latches, run, t, &changed);
        }
        Answer::Unknown(depth)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut pair = Pair::new(&model, 3).unwrap();
        let Answer::Differs(trace) = pair.compare(0, 9, &Limit::default()) else { panic!("mut_0 is seen") };
        // Reset, two cycles of go, and then it shows.
        let go: Vec<bool> = trace.inputs.iter().map(|step| step[1]).collect();
        assert_eq!((go.len(), go[1], go[2], trace.inputs[0][0]), (4, true, true, true));
        assert_eq!(pair.compare(1, 9, &Limit::default()), Answer::Same);
        assert_eq!(pair.compare(2, 9, &Limit::default()), Answer::Unknown(9));
        assert!(matches!(pair.compare(0, 2, &Limit::default()), Answer::Unknown(2)));
    }

    #[test]
    fn a_model_without_the_inputs_is_refused() {
        let model = Model::parse(MODEL).unwrap();
        assert_eq!(Pair::new(&model, 4).err().unwrap(), "the model has no input mut_3");
    }
}
