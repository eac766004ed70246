//! The bridge to the Verilated models: one call runs a batch of cycles.
//!
//! A model is a shared object with one C++ class behind the small abstract class of `model.h`; [`crate::verilate`] makes it when it is
//! wanted first, and `load` loads it. Every instance has its own Verilator context: instances are independent, and may
//! live in different threads. This is the only module of the crate with `unsafe` code.

mod hang;
mod load;
mod names;
mod recipe;

pub use hang::on_hang;
pub use load::{prepare, prepare_inside};
use names::Names;
pub use recipe::{description, key, params_of};

use std::sync::Arc;

use crate::dut::Dut;
use crate::params::Build;
use crate::verilate::Tree;

#[cxx::bridge(namespace = "quell")]
mod ffi {
    unsafe extern "C++" {
        include!("bridge.h");
        type Model;
        /// # Safety
        /// `factory` is the address of a `Factory` of `model.h`, in an object that stays loaded.
        unsafe fn new_model(factory: usize, seed: u32, fault: u32) -> UniquePtr<Model>;
        fn reset(m: Pin<&mut Model>, cycles: u32);
        fn run(m: Pin<&mut Model>, n: usize, input: &[u32], out: &mut [u32], state: &mut [u32]) -> usize;
        fn run_bare(m: Pin<&mut Model>, n: usize, input: &[u32]) -> u64;
        fn sample(m: Pin<&mut Model>, out: &mut [u32], state: &mut [u32]);
        fn advance(m: Pin<&mut Model>, input: &[u32], out: &mut [u32], state: &mut [u32]) -> bool;
        fn in_words(m: &Model) -> usize;
        fn out_words(m: &Model) -> usize;
        fn state_words(m: &Model) -> usize;
        fn message(m: &Model) -> String;
        fn go_on(m: Pin<&mut Model>);
        fn note(m: Pin<&mut Model>, from: u64, to: u64);
        fn noted<'a>(m: Pin<&'a mut Model>) -> &'a [u8];
    }
}

// SAFETY: a model owns its Verilator context and all its data; nothing in it is tied to the thread that made it (the thread's
// current context is set on every call), and construction, which uses global data, is done under a lock. It is not `Sync`.
unsafe impl Send for ffi::Model {}

/// Cycles with `rst_i` high in [`Model::reset`], at most: one is enough, and so the mixed seed says how many (src/measure/replay.h does the same).
const MOST_RESET_CYCLES: u32 = 4;

/// A checker in the RTL fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckerFired {
    /// In which of the cycles of the call.
    pub at: usize,
    /// What it printed.
    pub message: String,
    /// The cycle has outputs. It has none where the evaluation itself came to no end.
    pub sampled: bool,
}

/// What fired, of what the model printed: without Verilator's notes about stopping and its clock, which is not used.
fn fired(at: usize, message: &str, names: Option<&Names>) -> CheckerFired {
    // guard.h says so.
    let (message, sampled) = message.strip_prefix('\x01').map_or((message, true), |m| (m, false));
    let lines = message.lines().filter(|l| !l.contains("Verilog $stop"));
    let mut message = lines
        .map(|l| l.trim_start_matches("[0] ").trim_start_matches("%Error: "))
        .collect::<Vec<_>>()
        .join("\n");
    if let Some(names) = names {
        message = names.dut.with_own_names(&message);
        if !sampled && message.contains("converge") {
            message += "\na combinational loop; Verilator saw these:";
            names.loops.iter().take(4).for_each(|l| message += &format!("\n{l}"));
        }
    }
    CheckerFired { at, message, sampled }
}

/// A model of a design that is not ours, made and loaded.
#[derive(Clone)]
pub struct Foreign {
    factory: usize,
    names: Arc<Names>,
}

impl Foreign {
    /// Makes it if none is kept.
    pub fn load(dut: &Dut) -> anyhow::Result<Foreign> {
        Foreign::made(dut, false)
    }

    /// The same with its inside to be seen.
    pub fn load_inside(dut: &Dut) -> anyhow::Result<Foreign> {
        Foreign::made(dut, true)
    }

    fn made(dut: &Dut, inside: bool) -> anyhow::Result<Foreign> {
        let (factory, loops) = load::foreign_factory(dut, inside)?;
        Ok(Foreign { factory, names: Arc::new(Names { dut: dut.clone(), loops }) })
    }

    /// As [`Model::new`].
    pub fn model(&self, seed: u64) -> Result<Model, String> {
        let calls = hang::Calls::of(&self.names);
        let mut model = calls.during(0, || Model::from(&self.names.dut.build, Ok(self.factory), seed))?;
        model.names = Some(self.names.clone());
        model.calls = Some(calls);
        Ok(model)
    }

    /// The design.
    pub fn dut(&self) -> &Dut {
        &self.names.dut
    }
}

/// An instance of a Verilated model.
pub struct Model {
    model: cxx::UniquePtr<ffi::Model>,
    in_words: usize,
    out_words: usize,
    state_words: usize,
    reset_cycles: u32,
    names: Option<Arc<Names>>,
    calls: Option<Arc<hang::Calls>>,
}

impl Model {
    /// Makes an instance whose registers and memories power up with random values drawn from `seed`. It must be [`reset`](Model::reset).
    pub fn new(build: &Build, seed: u64) -> Result<Model, String> {
        Model::from(build, load::factory(build), seed)
    }

    /// The same with its inside to be seen, by [`Model::note`].
    pub fn inside(build: &Build, seed: u64) -> Result<Model, String> {
        Model::from(build, load::inside_factory(build), seed)
    }

    /// The same of a netlist of the unit (`scripts/synth.py --gates --keep-state`).
    pub fn of_netlist(build: &Build, netlist: &str, seed: u64) -> Result<Model, String> {
        Model::from(build, load::netlist_factory(build, netlist), seed)
    }

    /// The same of a copy of the RTL with faults in it, one of which is on (0: none): it finds `+fault=N` by `$value$plusargs`.
    pub fn of_broken(build: &Build, copy: &Tree, fault: u32, seed: u64) -> Result<Model, String> {
        Model::with_fault(build, load::broken_factory(build, copy), seed, fault)
    }

    fn from(build: &Build, factory: anyhow::Result<usize>, seed: u64) -> Result<Model, String> {
        Model::with_fault(build, factory, seed, 0)
    }

    fn with_fault(
        build: &Build,
        factory: anyhow::Result<usize>,
        seed: u64,
        fault: u32,
    ) -> Result<Model, String> {
        let factory = factory.map_err(|e| format!("{e:#}"))?;
        // Mixed, so that neighbouring seeds share no bits pattern.
        let seed = ((seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32) as u32;
        // SAFETY: it is the factory of a loaded object, which is never unloaded.
        let model = unsafe { ffi::new_model(factory, seed, fault) };
        if model.is_null() {
            return Err(format!("the model of {} makes no instance", build.title()));
        }
        let words = (ffi::in_words(&model), ffi::out_words(&model), ffi::state_words(&model));
        let reset_cycles = 1 + seed % MOST_RESET_CYCLES;
        Ok(Model {
            model,
            in_words: words.0,
            out_words: words.1,
            state_words: words.2,
            reset_cycles,
            names: None,
            calls: None,
        })
    }

    /// One to four clocked cycles of reset, as the seed says, with random inputs; afterwards the unit is in cycle 0.
    pub fn reset(&mut self) {
        let cycles = self.reset_cycles;
        self.call(0, |m| ffi::reset(m, cycles));
    }

    /// Makes a call that runs so many cycles.
    fn call<T>(&mut self, cycles: usize, f: impl FnOnce(std::pin::Pin<&mut ffi::Model>) -> T) -> T {
        let model = self.model.pin_mut();
        match &self.calls {
            Some(calls) => calls.during(cycles, || f(model)),
            None => f(model),
        }
    }

    /// Runs `n` cycles. Each: inputs applied, outputs and state sampled before the edge, edge.
    ///
    /// # Panics
    /// If a slice does not hold exactly `n` vectors.
    pub fn cycles(
        &mut self,
        n: usize,
        inputs: &[u32],
        outputs: &mut [u32],
        states: &mut [u32],
    ) -> Result<(), CheckerFired> {
        assert_eq!(inputs.len(), n * self.in_words);
        assert_eq!(outputs.len(), n * self.out_words);
        assert_eq!(states.len(), n * self.state_words);
        let done = self.call(n, |m| ffi::run(m, n, inputs, outputs, states));
        if done == n { Ok(()) } else { Err(fired(done, &ffi::message(&self.model), self.names.as_deref())) }
    }

    /// Runs one cycle; see [`Model::cycles`].
    pub fn cycle(
        &mut self,
        input: &[u32],
        output: &mut [u32],
        state: &mut [u32],
    ) -> Result<(), CheckerFired> {
        self.cycles(1, input, output, state)
    }

    /// For a Moore unit: outputs and state of the current cycle. An empty `state` is not sampled.
    ///
    /// # Panics
    /// If a slice does not hold exactly one vector (`state`: or none).
    pub fn sample(&mut self, output: &mut [u32], state: &mut [u32]) {
        assert_eq!(output.len(), self.out_words);
        assert!(state.is_empty() || state.len() == self.state_words);
        self.call(0, |m| ffi::sample(m, output, state));
    }

    /// For a Moore unit: takes the inputs of the current cycle, makes the edge that ends it, and samples the next cycle
    /// as [`Model::sample`] does.
    ///
    /// # Panics
    /// If a slice does not hold exactly one vector (`state`: or none).
    pub fn advance(
        &mut self,
        input: &[u32],
        output: &mut [u32],
        state: &mut [u32],
    ) -> Result<(), CheckerFired> {
        assert_eq!(input.len(), self.in_words);
        assert_eq!(output.len(), self.out_words);
        assert!(state.is_empty() || state.len() == self.state_words);
        if self.call(1, |m| ffi::advance(m, input, output, state)) {
            Ok(())
        } else {
            Err(fired(0, &ffi::message(&self.model), self.names.as_deref()))
        }
    }

    /// Goes on after a checker fired, as if none had. What came to no end in its evaluation does not.
    pub fn go_on(&mut self) {
        ffi::go_on(self.model.pin_mut());
    }

    /// Of a model whose inside can be seen: notes all signals in these cycles, counted from the reset, which comes after this.
    /// The header of a VCD file that says what there is.
    pub fn note(&mut self, cycles: std::ops::Range<u64>) -> Vec<u8> {
        ffi::note(self.model.pin_mut(), cycles.start, cycles.end);
        self.noted()
    }

    /// What has been noted since this was called last: the changes of a VCD file, whose times are the numbers of the cycles.
    pub fn noted(&mut self) -> Vec<u8> {
        ffi::noted(self.model.pin_mut()).to_vec()
    }

    /// The plain C++ loop of the benchmark: runs over `inputs` and folds all outputs and state into one number.
    ///
    /// # Panics
    /// If `inputs` is not a whole number of vectors.
    pub fn bare(&mut self, inputs: &[u32]) -> u64 {
        assert_eq!(inputs.len() % self.in_words, 0);
        ffi::run_bare(self.model.pin_mut(), inputs.len() / self.in_words, inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::is_long;
    use crate::params::{UnitKind, builds};
    use crate::signals::Layout;
    use crate::stimulus::regression::in_short_form;
    use std::collections::HashMap;

    /// Random inputs of `n` cycles.
    fn inputs(build: &Build, n: usize, seed: u32) -> Vec<u32> {
        let l = Layout::new(build.unit, &build.params);
        let mut x = seed.wrapping_mul(0x9e37_79b9) | 1;
        let mut v = vec![0; n * l.in_words];
        for input in v.chunks_mut(l.in_words) {
            for s in l.signals.iter().filter(|s| s.group == crate::signals::Group::Input) {
                for i in 0..s.count * s.stride() {
                    x ^= x << 13;
                    x ^= x >> 17;
                    x ^= x << 5;
                    // The last word of an element has the rest of its bits.
                    let bits = s.width - (i % s.stride()) * 32;
                    let mask = if bits >= 32 { u32::MAX } else { (1 << bits) - 1 };
                    // Configuration stays as it is: what is random must not look like an error of the RTL to a checker.
                    input[s.offset + i] = if s.name.ends_with("_we") { 0 } else { x & mask };
                }
            }
        }
        v
    }

    /// Outputs and state of a run in calls of `batch` cycles; the run ends where a checker fires.
    fn trace(model: &mut Model, inputs: &[u32], batch: usize) -> Vec<u32> {
        model.reset();
        let mut all = Vec::new();
        for part in inputs.chunks(batch * model.in_words) {
            let n = part.len() / model.in_words;
            let (mut o, mut s) = (vec![0; n * model.out_words], vec![0; n * model.state_words]);
            let result = model.cycles(n, part, &mut o, &mut s);
            let done = result.as_ref().map_or_else(|e| e.at + 1, |()| n);
            for i in 0..done {
                all.extend_from_slice(&o[i * model.out_words..(i + 1) * model.out_words]);
                all.extend_from_slice(&s[i * model.state_words..(i + 1) * model.state_words]);
            }
            if result.is_err() {
                break;
            }
        }
        all
    }

    /// Builds whose models are there: several are made side by side.
    fn tested() -> Vec<Build> {
        let tested: Vec<Build> = builds().into_iter().filter(|b| is_long() || in_short_form(b)).collect();
        prepare(tested.clone()).unwrap();
        tested
    }

    /// Of each build: one in four is reset for a single cycle.
    const POWER_UPS: u64 = 100;

    #[test]
    fn every_build_has_a_model() {
        for b in tested() {
            let mut m = Model::new(&b, 1).unwrap();
            m.reset();
            let l = Layout::new(b.unit, &b.params);
            let (mut o, mut s) = (vec![0; l.out_words], vec![0; l.state_words]);
            m.cycle(&l.idle(), &mut o, &mut s).unwrap();
            // What lies beyond a signal's width in its words is zero.
            for sig in l.signals.iter().filter(|s| s.group != crate::signals::Group::Input) {
                let v = if sig.group == crate::signals::Group::Output { &o } else { &s };
                for i in 0..sig.count {
                    let top = v[sig.offset + (i + 1) * sig.stride() - 1];
                    let bits = sig.width - (sig.stride() - 1) * 32;
                    assert!(bits == 32 || top >> bits == 0, "{} {}", b.name, sig.name);
                }
            }
        }
    }

    #[test]
    fn no_checker_takes_what_a_unit_powers_up_with_for_its_own() {
        let mut told = Vec::new();
        for b in tested() {
            let l = Layout::new(b.unit, &b.params);
            let (mut o, mut s) = (vec![0; l.out_words], vec![0; l.state_words]);
            for seed in 0..POWER_UPS {
                let mut m = Model::new(&b, seed).unwrap();
                m.reset();
                let fired = (0..3).find_map(|_| m.cycle(&l.idle(), &mut o, &mut s).err());
                told.extend(fired.map(|f| format!("{} seed {seed}: {}", b.title(), f.message)));
            }
        }
        assert!(told.is_empty(), "{}", told.join("\n"));
    }

    #[test]
    fn instances_in_threads_do_as_one_alone() {
        let tiny: Vec<Build> = builds().into_iter().filter(|b| b.name == "tiny").collect();
        let mut alone = HashMap::new();
        for b in &tiny {
            for seed in 1..4 {
                let input = inputs(b, 700, seed as u32);
                alone.insert((b.unit, seed), trace(&mut Model::new(b, seed).unwrap(), &input, 700));
            }
        }
        std::thread::scope(|scope| {
            for t in 0..4 {
                let (tiny, alone) = (&tiny, &alone);
                scope.spawn(move || {
                    for seed in 1..4 {
                        for b in tiny {
                            let input = inputs(b, 700, seed as u32);
                            let mut m = Model::new(b, seed).unwrap();
                            assert!(
                                trace(&mut m, &input, 1 + 50 * t) == alone[&(b.unit, seed)],
                                "{} {seed}",
                                b.title()
                            );
                        }
                    }
                });
            }
        });
        // Made in one thread, used in another.
        for b in &tiny {
            let mut m = Model::new(b, 2).unwrap();
            let input = inputs(b, 700, 2);
            let there = std::thread::spawn(move || trace(&mut m, &input, 64)).join().unwrap();
            assert!(there == alone[&(b.unit, 2)]);
        }
    }

    #[test]
    fn many_instances_interleaved_do_not_disturb_each_other() {
        let b = builds().into_iter().find(|b| b.unit == UnitKind::HcaThrottle && b.name == "tiny").unwrap();
        let l = Layout::new(b.unit, &b.params);
        let input: Vec<Vec<u32>> = (0..20).map(|i| inputs(&b, 200, i + 1)).collect();
        let alone: Vec<_> =
            (0..20).map(|i| trace(&mut Model::new(&b, i).unwrap(), &input[i as usize], 200)).collect();
        let mut models: Vec<_> = (0..20).map(|i| Model::new(&b, i).unwrap()).collect();
        models.iter_mut().for_each(Model::reset);
        let mut traces = vec![Vec::new(); 20];
        for cycle in 0..200 {
            for i in 0..20 {
                let (mut o, mut s) = (vec![0; l.out_words], vec![0; l.state_words]);
                if traces[i].len() < alone[i].len() {
                    let _ = models[i].cycle(&input[i][cycle * l.in_words..][..l.in_words], &mut o, &mut s);
                    traces[i].extend(o.into_iter().chain(s));
                }
            }
        }
        assert!(traces == alone);
        assert!(alone[1] != alone[2], "the inputs matter");
    }

    #[test]
    fn reset_brings_the_same_state_whatever_came_before() {
        for b in builds().into_iter().filter(|b| b.name == "tiny") {
            let input = inputs(&b, 300, 5);
            let mut m = Model::new(&b, 1).unwrap();
            let first = trace(&mut m, &input, 300);
            let mut other = Model::new(&b, 99).unwrap();
            let _ = trace(&mut other, &inputs(&b, 333, 6), 333);
            assert!(trace(&mut m, &input, 300) == first, "{}", b.title());
            assert!(trace(&mut other, &input, 300) == first, "{}: power-up values are visible", b.title());
        }
    }
}
