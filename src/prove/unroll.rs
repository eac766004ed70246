//! Copies of a model, one a step, as clauses of a SAT solver. Only what a question needs is built; equal gates
//! are built once, and constants (such as those that reset leaves behind) are carried through.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use batsat::{Callbacks, Lit as SatLit, Solver, SolverInterface, SolverOpts, lbool};

use super::aiger::{Lit, Model, Node};

/// When to give up.
#[derive(Clone, Default)]
pub struct Limit {
    /// At this time.
    pub at: Option<Instant>,
    /// When this is set.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limit {
    /// A part of the time that is left.
    pub fn part(&self, of: u32) -> Limit {
        let now = Instant::now();
        let at = self.at.map(|at| now + at.saturating_duration_since(now) / of);
        Limit { at, stop: self.stop.clone() }
    }

    /// Is it over?
    pub fn over(&self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at)
            || self.stop.as_ref().is_some_and(|s| s.load(Ordering::Relaxed))
    }
}

/// A signal of the unrolled model: false, true, or a variable of the solver, inverted or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(u32);

const FALSE: Signal = Signal(0);
/// Always true.
pub const TRUE: Signal = Signal(1);
const UNBUILT: Signal = Signal(u32::MAX);

impl std::ops::Not for Signal {
    type Output = Signal;
    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

struct Stop(Limit);

impl Callbacks for Stop {
    fn stop(&self) -> bool {
        self.0.over()
    }
}

/// Steps of a model.
pub struct Unroller<'m> {
    model: &'m Model,
    solver: Solver<Stop>,
    /// Solver variable of signal pair n (signals 2n and 2n+1); pair 0 is the constants.
    vars: Vec<batsat::Var>,
    gates: HashMap<(Signal, Signal), Signal>,
    frames: Vec<Vec<Signal>>,
    /// Registers of the first step take their initial values.
    initial: bool,
    /// The reset input, and its value in the first step; it is 0 in later ones. `None`: there is no reset.
    reset: Option<(usize, bool)>,
    /// Inputs that are 0 in every step.
    off: HashSet<usize>,
}

impl<'m> Unroller<'m> {
    /// From reset (`initial`): the first step is a reset cycle that starts with any register values; or from any
    /// state, without reset.
    pub fn new(model: &'m Model, initial: bool, limit: Limit) -> Unroller<'m> {
        let mut solver = Solver::new(SolverOpts::default(), Stop(limit));
        let first = solver.new_var_default();
        Unroller {
            model,
            solver,
            vars: vec![first],
            gates: HashMap::new(),
            frames: Vec::new(),
            initial,
            reset: model.input("rst_i").map(|i| (i, initial)),
            off: HashSet::new(),
        }
    }

    /// The same with these inputs 0 in every step.
    pub fn without(mut self, inputs: impl IntoIterator<Item = usize>) -> Unroller<'m> {
        self.off.extend(inputs);
        self
    }

    /// From any state, and reset may come in any step.
    pub fn any_reset(mut self) -> Unroller<'m> {
        self.reset = None;
        self
    }

    /// From now on this is the limit.
    pub fn limit(&mut self, limit: Limit) {
        self.solver.cb_mut().0 = limit;
    }

    /// Time is over.
    pub fn over(&self) -> bool {
        self.solver.cb().0.over()
    }

    fn fresh(&mut self) -> Signal {
        self.vars.push(self.solver.new_var_default());
        Signal(2 * (self.vars.len() as u32 - 1))
    }

    fn lit(&self, s: Signal) -> SatLit {
        SatLit::new(self.vars[s.0 as usize / 2], s.0 & 1 == 0)
    }

    /// A clause.
    pub fn clause(&mut self, signals: &[Signal]) {
        if signals.contains(&TRUE) {
            return;
        }
        let mut lits: Vec<SatLit> = signals.iter().filter(|s| **s != FALSE).map(|s| self.lit(*s)).collect();
        self.solver.add_clause_reuse(&mut lits);
    }

    /// A free signal, to switch clauses on by assuming it.
    pub fn switch(&mut self) -> Signal {
        self.fresh()
    }

    /// Both.
    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        if a == FALSE || b == FALSE || a == !b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&s) = self.gates.get(&key) {
            return s;
        }
        let s = self.fresh();
        self.clause(&[!s, a]);
        self.clause(&[!s, b]);
        self.clause(&[s, !a, !b]);
        self.gates.insert(key, s);
        s
    }

    /// A register begins with this, in a model of which nothing that depends on it was built.
    pub fn begin_with(&mut self, register: u32, signal: Signal) {
        if self.frames.is_empty() {
            self.frames.push(vec![UNBUILT; self.model.nodes.len()]);
        }
        self.frames[0][register as usize] = signal;
    }

    /// The signal of a literal in a step.
    pub fn signal(&mut self, step: usize, lit: Lit) -> Signal {
        while self.frames.len() <= step {
            self.frames.push(vec![UNBUILT; self.model.nodes.len()]);
        }
        let mut stack = vec![(step, lit / 2)];
        while let Some(&(t, v)) = stack.last() {
            if self.frames[t][v as usize] != UNBUILT {
                stack.pop();
                continue;
            }
            let read = |this: &Self, t: usize, lit: Lit| {
                let s = this.frames[t][lit as usize / 2];
                if s == UNBUILT { Err((t, lit / 2)) } else { Ok(Signal(s.0 ^ (lit & 1))) }
            };
            let found = match self.model.nodes[v as usize] {
                Node::Constant => Ok(FALSE),
                Node::Input(i) if self.off.contains(&(i as usize)) => Ok(FALSE),
                Node::Input(i) => match self.reset {
                    Some((r, first)) if r == i as usize => Ok(if t == 0 && first { TRUE } else { FALSE }),
                    _ => Ok(self.fresh()),
                },
                Node::Latch(i) if t == 0 => Ok(match self.model.latches[i as usize].init {
                    Some(value) if self.initial => Signal(u32::from(value)),
                    _ => self.fresh(),
                }),
                Node::Latch(i) => read(self, t - 1, self.model.latches[i as usize].next),
                Node::And(a, b) => match (read(self, t, a), read(self, t, b)) {
                    (Ok(FALSE), _) | (_, Ok(FALSE)) => Ok(FALSE),
                    (Err(e), Ok(_)) | (Ok(_), Err(e)) => Err(e),
                    (Err(e), Err(f)) => {
                        stack.push(f);
                        Err(e)
                    }
                    (Ok(a), Ok(b)) => Ok(self.and(a, b)),
                },
            };
            match found {
                Ok(s) => {
                    self.frames[t][v as usize] = s;
                    stack.pop();
                }
                Err(missing) => stack.push(missing),
            }
        }
        Signal(self.frames[step][lit as usize / 2].0 ^ (lit & 1))
    }

    /// Is there a solution with all these true? `None`: not known in time.
    pub fn solve(&mut self, assumed: &[Signal]) -> Option<bool> {
        if assumed.contains(&FALSE) {
            return Some(false);
        }
        let lits: Vec<SatLit> = assumed.iter().filter(|s| **s != TRUE).map(|s| self.lit(*s)).collect();
        match self.solver.solve_limited(&lits) {
            l if l == lbool::TRUE => Some(true),
            l if l == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    /// The value of a signal in the solution found last.
    pub fn value(&self, s: Signal) -> bool {
        match s {
            FALSE => false,
            TRUE => true,
            _ => (self.solver.value_var(self.vars[s.0 as usize / 2]) == lbool::TRUE) == (s.0 & 1 == 0),
        }
    }

    /// Registers of the first step and inputs of steps 0 to `last` in the solution found last; what does not
    /// matter is 0.
    pub fn trace(&self, last: usize) -> Trace {
        let value = |t: usize, lit: Lit| {
            let s = self.frames.get(t).map_or(UNBUILT, |f| f[lit as usize / 2]);
            s != UNBUILT && self.value(s)
        };
        let start = (0..self.model.nodes.len() as u32)
            .filter(|v| matches!(self.model.nodes[*v as usize], Node::Latch(_)))
            .map(|v| (v, value(0, 2 * v)))
            .collect::<HashMap<u32, bool>>();
        let mut registers = vec![false; self.model.latches.len()];
        for (v, x) in start {
            if let Node::Latch(i) = self.model.nodes[v as usize] {
                registers[i as usize] = match self.model.latches[i as usize].init {
                    Some(init) if self.initial => init,
                    _ => x,
                };
            }
        }
        let mut inputs: Vec<Vec<bool>> =
            (0..=last).map(|t| self.model.input_lits.iter().map(|l| value(t, *l)).collect()).collect();
        if let Some((r, first)) = self.reset {
            for (t, step) in inputs.iter_mut().enumerate() {
                step[r] = t == 0 && first;
            }
        }
        Trace { registers, inputs }
    }
}

/// A way through a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Register bits at the start.
    pub registers: Vec<bool>,
    /// Inputs, by step.
    pub inputs: Vec<Vec<bool>>,
}
