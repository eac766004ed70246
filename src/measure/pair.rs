//! A unit beside one of its mutants: do they ever differ, and if so, on what inputs?
//!
//! Both are copies of one model, in which a mutant is an input that is 1. What the mutant does not change is one and the same
//! signal in both, so a question is as large as what the fault reaches.

use crate::experiments::prove::aiger::{Circuit, Lit, Model, Node, under};
use crate::experiments::prove::bmc::Fact;
use crate::experiments::prove::engine::any;
use crate::experiments::prove::unroll::{Limit, Signal, TRUE, Trace, Unroller};

/// What is known of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// In every state and on all inputs, outputs and next state are those of the design.
    Same,
    /// In every state in which the facts hold.
    SameGiven,
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
    /// Any step, from a state in which the facts hold.
    known: Unroller<'m>,
    /// From reset.
    run: Unroller<'m>,
}

/// Signals of the mutant that are others than the design's, by variable.
type Changed = Vec<Option<Signal>>;

/// The numbers of the inputs `mut_0` to `mut_<count - 1>`; the error says which is missing.
fn switches(model: &Model, count: usize) -> Result<Vec<usize>, String> {
    (0..count)
        .map(|k| {
            let name = format!("mut_{k}");
            model.input(&name).ok_or_else(|| format!("the model has no input {name}"))
        })
        .collect()
}

impl<'m> Pair<'m> {
    /// For a model with inputs `mut_0` to `mut_<count - 1>` and facts about the design; the error says which input is missing.
    pub fn new(model: &'m Model, count: usize, facts: &[Fact]) -> Result<Pair<'m>, String> {
        let mutants: Vec<(usize, u32)> =
            switches(model, count)?.into_iter().map(|i| (i, model.input_lits[i] / 2)).collect();
        let off = || mutants.iter().map(|m| m.0);
        let step = Unroller::new(model, false, Limit::default()).without(off()).any_reset();
        let run = Unroller::new(model, true, Limit::default()).without(off());
        let mut known = Unroller::new(model, false, Limit::default()).without(off()).any_reset();
        let mut bits: Vec<Lit> = vec![0; model.latches.len()];
        for (v, node) in (0u32..).zip(&model.nodes) {
            if let Node::Latch(i) = node {
                bits[*i as usize] = 2 * v;
            }
        }
        for fact in facts {
            match *fact {
                Fact::Constant(i, value) => {
                    let s = known.signal(0, bits[i] ^ Lit::from(!value));
                    known.clause(&[s]);
                }
                Fact::Same(i, k, inverted) => {
                    let (a, b) = (known.signal(0, bits[i]), known.signal(0, bits[k] ^ Lit::from(inverted)));
                    known.clause(&[a, !b]);
                    known.clause(&[!a, b]);
                }
            }
        }
        let latches = (0u32..)
            .zip(&model.nodes)
            .filter_map(|(v, node)| match node {
                Node::Latch(i) => Some((v, model.latches[*i as usize].next)),
                _ => None,
            })
            .collect();
        Ok(Pair { model, mutants, latches, step, known, run })
    }

    /// Compares mutant number `k`, up to `depth` cycles after reset.
    pub fn compare(&mut self, k: usize, depth: usize, limit: &Limit) -> Answer {
        let Pair { model, mutants, latches, step, known, run } = self;
        let on = mutants[k].1;
        for (step, same) in [(step, Answer::Same), (known, Answer::SameGiven)] {
            step.limit(limit.clone());
            let changed = changes(model, step, 0, on, &[]);
            let mut differ = outputs(model, step, 0, &changed);
            for (_, new, old) in registers(latches, step, 0, &changed) {
                differ.push(xor(step, new, old));
            }
            if differ.is_empty() || any(step, differ.into_iter()) == Some(false) {
                return same;
            }
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
        let starts = [after_reset(model, &off, None), after_reset(model, &off, Some(on))];
        let shared: Vec<usize> = (0..model.inputs.len()).filter(|i| !off.contains(i)).collect();
        let any: Vec<usize> =
            (0..model.latches.len()).filter(|i| starts.iter().any(|s| s[*i].is_none())).collect();
        // Registers: one that tells the first cycle, the design's, the mutant's.
        let mut c = Circuit::new(shared.len() + any.len(), 1 + 2 * model.latches.len());
        let begun = c.register(0);
        let mut next: Vec<(Lit, bool)> = vec![(1, false)];
        let mut ports: Vec<Vec<Lit>> = Vec::new();
        for (copy, start) in starts.iter().enumerate() {
            let mut lits: Vec<Lit> = vec![0; model.nodes.len()];
            for (at, i) in shared.iter().enumerate() {
                lits[model.input_lits[*i] as usize / 2] = c.input(at);
            }
            lits[model.input_lits[on] as usize / 2] = copy as Lit;
            for (v, node) in model.nodes.iter().enumerate() {
                if let Node::Latch(i) = *node {
                    let i = i as usize;
                    let held = c.register(1 + copy * model.latches.len() + i);
                    lits[v] = match any.binary_search(&i) {
                        Ok(at) if start[i].is_none() => {
                            let first = c.input(shared.len() + at);
                            c.choose(begun, held, first)
                        }
                        _ => held,
                    };
                }
            }
            let values = c.gates_of(model, &mut lits);
            next.extend(values.into_iter().zip(start).map(|(lit, s)| (lit, *s == Some(true))));
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

/// What the registers hold after a reset with the mutant of input `on`; nothing where that depends on what they held before. `off` are
/// the inputs of all mutants.
fn after_reset(model: &Model, off: &[usize], on: Option<usize>) -> Vec<Option<bool>> {
    let mut value: Vec<Option<bool>> = vec![None; model.nodes.len()];
    value[0] = Some(false);
    off.iter().for_each(|i| value[model.input_lits[*i] as usize / 2] = Some(Some(*i) == on));
    if let Some(r) = model.input("rst_i") {
        value[model.input_lits[r] as usize / 2] = Some(true);
    }
    let of = |value: &[Option<bool>], lit: Lit| value[lit as usize / 2].map(|v| v != (lit & 1 == 1));
    for &v in &model.order {
        if let Node::And(a, b) = model.nodes[v as usize] {
            value[v as usize] = match (of(&value, a), of(&value, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
    }
    model.latches.iter().map(|l| of(&value, l.next)).collect()
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
        let mut pair = Pair::new(&model, 3, &[]).unwrap();
        let Answer::Differs(trace) = pair.compare(0, 9, &Limit::default()) else { panic!("mut_0 is seen") };
        // Reset, two cycles of go, and then it shows.
        let go: Vec<bool> = trace.inputs.iter().map(|step| step[1]).collect();
        assert_eq!((go.len(), go[1], go[2], trace.inputs[0][0]), (4, true, true, true));
        assert_eq!(pair.compare(1, 9, &Limit::default()), Answer::Same);
        assert_eq!(pair.compare(2, 9, &Limit::default()), Answer::Unknown(9));
        assert!(matches!(pair.compare(0, 2, &Limit::default()), Answer::Unknown(2)));
        // Register c stays 0.
        let mut pair = Pair::new(&model, 3, &[Fact::Constant(2, false)]).unwrap();
        assert_eq!(pair.compare(2, 9, &Limit::default()), Answer::SameGiven);
        let mut pair = Pair::new(&model, 3, &[Fact::Same(2, 0, true)]).unwrap();
        assert!(matches!(pair.compare(2, 0, &Limit::default()), Answer::Unknown(_)));
    }

    #[test]
    fn a_model_without_the_inputs_is_refused() {
        let model = Model::parse(MODEL).unwrap();
        assert_eq!(Pair::new(&model, 4, &[]).err().unwrap(), "the model has no input mut_3");
        assert_eq!(Miter::new(&model, 3, 3).err().unwrap(), "the model has no input mut_3");
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
