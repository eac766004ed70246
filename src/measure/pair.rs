//! A unit beside one of its mutants: do they ever differ, and if so, on what inputs?
//!
//! Both are copies of one model, in which a mutant is an input that is 1. What the mutant does not change is one and the same
//! signal in both, so a question is as large as what the fault reaches.

use crate::experiments::prove::aiger::{Circuit, Lit, Model, Node};
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
    /// For a model with inputs `mut_0` to `mut_<count - 1>`; the error says which is missing.
    pub fn new(model: &'m Model, count: usize) -> Result<Pair<'m>, String> {
        let mutants: Vec<(usize, u32)> =
            switches(model, count)?.into_iter().map(|i| (i, model.input_lits[i] / 2)).collect();
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

/// What a circuit for ABC asks of design and mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Do outputs or next states differ in a step from a state that the design reaches? Both have the design's registers.
    Step,
    /// Do outputs ever differ? Each has registers of its own.
    Run,
}

/// Design and mutant `k` as one sequential circuit in binary AIGER, for ABC: it begins after a reset, all inputs are shared, and its
/// output is 1 when the two differ in the sense of `question`. A register that reset leaves alone begins with any value, the same in both.
pub fn miter(model: &Model, mutants: usize, k: usize, question: Question) -> Result<Vec<u8>, String> {
    let off = switches(model, mutants.max(k + 1))?;
    let on = off[k];
    let starts = [after_reset(model, &off, None), after_reset(model, &off, Some(on))];
    let own = match question {
        Question::Step => 1,
        Question::Run => 2,
    };

    // Inputs: the unit's, then one for each register that may begin with any value.
    let shared: Vec<usize> = (0..model.inputs.len()).filter(|i| !off.contains(i)).collect();
    let any: Vec<usize> =
        (0..model.latches.len()).filter(|i| starts.iter().any(|s| s[*i].is_none())).collect();
    let inputs = shared.len() + any.len();
    // Registers: one that tells the first cycle, the design's, the mutant's if it has its own.
    let registers = 1 + own * model.latches.len();
    let mut c = Circuit::new(inputs, registers);
    let begun = c.register(0);
    let mut registers_next: Vec<(Lit, bool)> = vec![(1, false)];
    let mut compared: Vec<Vec<Lit>> = Vec::new();
    for copy in 0..2 {
        let registers_of = copy.min(own - 1);
        let start = &starts[registers_of];
        let mut lits: Vec<Lit> = vec![0; model.nodes.len()];
        for (at, i) in shared.iter().enumerate() {
            lits[model.input_lits[*i] as usize / 2] = c.input(at);
        }
        lits[model.input_lits[on] as usize / 2] = copy as Lit;
        for (v, node) in model.nodes.iter().enumerate() {
            if let Node::Latch(i) = *node {
                let i = i as usize;
                let held = c.register(1 + registers_of * model.latches.len() + i);
                lits[v] = match any.binary_search(&i) {
                    Ok(at) if start[i].is_none() => {
                        let first = c.input(shared.len() + at);
                        c.choose(begun, held, first)
                    }
                    _ => held,
                };
            }
        }
        let of = |lits: &[Lit], lit: Lit| lits[lit as usize / 2] ^ (lit & 1);
        for &v in &model.order {
            if let Node::And(a, b) = model.nodes[v as usize] {
                lits[v as usize] = c.and(of(&lits, a), of(&lits, b));
            }
        }
        let next: Vec<Lit> = model.latches.iter().map(|l| of(&lits, l.next)).collect();
        let mut seen: Vec<Lit> = model.ports.iter().map(|(_, lit)| of(&lits, *lit)).collect();
        if question == Question::Step {
            seen.extend(&next);
            // Both begin in the same state, or they are not the same.
            seen.push(Lit::from(copy == 1 && starts[0] != starts[1]));
        }
        if registers_of == copy {
            registers_next.extend(next.iter().zip(start).map(|(lit, s)| (*lit, *s == Some(true))));
        }
        compared.push(seen);
    }
    let mut same = 1;
    for (a, b) in compared[0].iter().zip(&compared[1]).filter(|(a, b)| a != b) {
        let (one, other) = (c.and(*a, b ^ 1), c.and(a ^ 1, *b));
        let equal = c.and(one ^ 1, other ^ 1);
        same = c.and(same, equal);
    }

    Ok(c.write(&registers_next, &[same ^ 1]))
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
        let mut pair = Pair::new(&model, 3).unwrap();
        let Answer::Differs(trace) = pair.compare(0, 9, &Limit::default()) else { panic!("mut_0 is seen") };
        // Reset, two cycles of go, and then it shows.
        let go: Vec<bool> = trace.inputs.iter().map(|step| step[1]).collect();
        assert_eq!((go.len(), go[1], go[2], trace.inputs[0][0]), (4, true, true, true));
        assert_eq!(pair.compare(1, 9, &Limit::default()), Answer::Same);
        assert_eq!(pair.compare(2, 9, &Limit::default()), Answer::Unknown(9));
        assert!(matches!(pair.compare(0, 2, &Limit::default()), Answer::Unknown(2)));
    }

    fn gates(file: &[u8]) -> usize {
        let text = String::from_utf8_lossy(file);
        text.lines().next().unwrap().split(' ').next_back().unwrap().parse().unwrap()
    }

    #[test]
    fn a_model_without_the_inputs_is_refused() {
        let model = Model::parse(MODEL).unwrap();
        assert_eq!(Pair::new(&model, 4).err().unwrap(), "the model has no input mut_3");
        assert_eq!(miter(&model, 3, 3, Question::Step).err().unwrap(), "the model has no input mut_3");
    }

    #[test]
    fn the_circuit_for_abc_has_both_and_the_state_after_reset() {
        let model = Model::parse(MODEL).unwrap();
        let file = miter(&model, 3, 2, Question::Run).unwrap();
        let text = String::from_utf8_lossy(&file).into_owned();
        // rst_i and go_i; the first cycle and twice a, b, c, which all begin with 0; one output.
        assert!(text.starts_with("aig "), "{text}");
        let head: Vec<usize> =
            text.lines().next().unwrap().split(' ').skip(1).map(|n| n.parse().unwrap()).collect();
        assert_eq!((head[1], head[2], head[3]), (2, 7, 1));
        assert_eq!(head[0], head[1] + head[2] + head[4]);
        assert!(text.lines().skip(1).take(7).all(|l| l.ends_with(" 0")), "{text}");
        // Only one a, b, c where states are shared.
        let file = miter(&model, 3, 2, Question::Step).unwrap();
        assert!(String::from_utf8_lossy(&file).starts_with(&format!("aig {} 2 4 1 ", 2 + 4 + gates(&file))));
    }
}
