//! A golden unit as other languages have it.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::bits::{Packing, mask};
use super::error::{Error, argument};
use super::lists;
use super::seen::Seen;
use crate::cosim::{CoverCount, CycleInputs, Difference, HISTORY, differences, recording, report};
use crate::model::{self, Unit};
use crate::params::Build;
use crate::signals::{Group, Layout, Signal};

/// How strictly a design is held against the golden model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Outputs are compared.
    Outputs,
    /// Outputs and architectural state are compared.
    State,
}

/// A design and its golden model differ.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Cycle after reset.
    pub cycle: u64,
    /// All elements that differ, outputs first; never empty.
    pub differences: Vec<Difference>,
    /// The report, as `quell cosim` prints it.
    pub text: String,
}

/// A golden unit in a cycle: inputs stand until they are set anew, outputs and state are those of the cycle, [`Golden::step`]
/// is the clock edge that ends it. What a design shows in the same cycle can be compared.
pub struct Golden {
    build: Build,
    layout: Layout,
    unit: Box<dyn Unit>,
    moore: bool,
    /// Indices into the layout's signals: by name, and by name with the port's suffix.
    names: HashMap<String, usize>,
    input: Vec<u32>,
    output: Vec<u32>,
    state: Vec<u32>,
    /// Output and state are those of this cycle and these inputs.
    fresh: bool,
    cycle: u64,
    /// Inputs of the cycles before this one.
    past: VecDeque<Vec<u32>>,
    seen: [Seen; 2],
    packing: [Packing; 3],
    /// What went wrong in the golden model.
    failed: Option<String>,
}

/// Place of a group in arrays.
fn place(group: Group) -> usize {
    match group {
        Group::Output => 0,
        Group::State => 1,
        Group::Input => 2,
    }
}

/// What a group is called.
fn kind(group: Group) -> &'static str {
    match group {
        Group::Input => "an input",
        Group::Output => "an output",
        Group::State => "state",
    }
}

/// What a design shows, of outputs and of state, while it has shown nothing.
fn nothing_seen(layout: &Layout) -> [Seen; 2] {
    [Seen::new(Group::Output, layout.out_words), Seen::new(Group::State, layout.state_words)]
}

impl Golden {
    /// A unit by name (`hca-throttle` or `hca_throttle`), reset, with idle inputs. `parameters` is the name of a build, `NAME=VALUE`s
    /// separated by blanks, or both; nothing is the unit's first build.
    pub fn new(unit: &str, parameters: &str) -> Result<Golden, Error> {
        let kind = lists::unit(unit)?;
        let build = lists::build(kind, parameters)?;
        let layout = Layout::new(kind, &build.params);
        let made = catch_unwind(|| {
            model::new(kind, &build.params).map(|mut unit| {
                unit.reset();
                unit
            })
        });
        let unit = made.map_err(|e| Error::Failed(said(&*e)))?.map_err(Error::Argument)?;
        let mut names = HashMap::new();
        for (i, s) in layout.signals.iter().enumerate() {
            // Of an input and an output of one name the plain name is the input's.
            names.entry(s.name.to_string()).or_insert(i);
            names.insert(format!("{}{}", s.name, if s.group == Group::Input { "_i" } else { "_o" }), i);
        }
        Ok(Golden {
            build,
            moore: unit.is_moore(),
            unit,
            names,
            input: layout.idle(),
            output: vec![0; layout.out_words],
            state: vec![0; layout.state_words],
            fresh: false,
            cycle: 0,
            past: VecDeque::new(),
            seen: nothing_seen(&layout),
            packing: [Group::Output, Group::State, Group::Input].map(|g| Packing::group(&layout, g)),
            failed: None,
            layout,
        })
    }

    /// Unit and parameters.
    pub fn build(&self) -> &Build {
        &self.build
    }

    /// Its signals.
    pub fn signals(&self) -> &[Signal] {
        &self.layout.signals
    }

    /// True if no output depends on an input of the same cycle.
    pub fn is_moore(&self) -> bool {
        self.moore
    }

    /// Words of a group's vector.
    pub fn words(&self, group: Group) -> usize {
        match group {
            Group::Input => self.layout.in_words,
            Group::Output => self.layout.out_words,
            Group::State => self.layout.state_words,
        }
    }

    /// How the ports of a group are one vector of bits.
    pub fn packing(&self, group: Group) -> &Packing {
        &self.packing[place(group)]
    }

    /// Cycles since reset.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// A signal by name, with or without `_i` or `_o`.
    pub fn find(&self, name: &str) -> Result<usize, Error> {
        self.names.get(name).copied().ok_or_else(|| {
            let names = self.layout.signals.iter().map(|s| s.name);
            let near = names.clone().max_by(|a, b| {
                let like = |n| strsim::jaro_winkler(n, name);
                like(a).total_cmp(&like(b))
            });
            Error::Argument(format!(
                "{} has no signal {name}: is it {}? There are {}",
                self.build.title(),
                near.unwrap_or_default(),
                names.collect::<Vec<_>>().join(", ")
            ))
        })
    }

    /// A signal by its index.
    pub fn signal(&self, index: usize) -> Result<&Signal, Error> {
        let all = &self.layout.signals;
        all.get(index).ok_or_else(|| {
            let title = self.build.title();
            Error::Argument(format!("{title}: signal {index} is out of range: legal is 0..{}", all.len() - 1))
        })
    }

    /// The signal, and where the element begins in its group's vector.
    fn element(&self, index: usize, element: usize, words: usize) -> Result<(Signal, usize), Error> {
        let s = self.signal(index)?;
        if element >= s.count {
            return argument(format!(
                "{}: element {element} is out of range: legal is 0..{}",
                s.name,
                s.count - 1
            ));
        }
        if words != s.stride() {
            return argument(format!(
                "{}: {words} words are given, and an element of {} bits has {}",
                s.name,
                s.width,
                s.stride()
            ));
        }
        Ok((*s, s.offset + element * s.stride()))
    }

    /// An error if a value has more bits than an element.
    fn fits(s: &Signal, words: &[u32]) -> Result<(), Error> {
        let top = (s.width - 1) % 32 + 1;
        match words.last() {
            Some(last) if last & !mask(top) != 0 => argument(format!(
                "{}: {:#x} in its highest word is out of range: an element has {} bits, legal is 0..{:#x}",
                s.name,
                last,
                s.width,
                mask(top)
            )),
            _ => Ok(()),
        }
    }

    /// An error if a signal is no input.
    fn settable(s: &Signal) -> Result<(), Error> {
        match s.group {
            Group::Input => Ok(()),
            other => argument(format!("{} is {}: only inputs can be set", s.name, kind(other))),
        }
    }

    /// An error if a signal is one.
    fn compared(s: &Signal) -> Result<(), Error> {
        match s.group {
            Group::Input => argument(format!("{} is an input: outputs and state are compared", s.name)),
            _ => Ok(()),
        }
    }

    /// Sets an element of an input.
    pub fn set(&mut self, signal: usize, element: usize, words: &[u32]) -> Result<(), Error> {
        let (s, at) = self.element(signal, element, words.len())?;
        Golden::settable(&s)?;
        Golden::fits(&s, words)?;
        self.input[at..at + words.len()].copy_from_slice(words);
        self.fresh &= self.moore;
        Ok(())
    }

    /// The value of an element in this cycle, of any signal.
    pub fn get(&mut self, signal: usize, element: usize) -> Result<&[u32], Error> {
        let words = self.signal(signal)?.stride();
        let (s, at) = self.element(signal, element, words)?;
        Ok(&self.vector(s.group)?[at..at + words])
    }

    /// All words of a group in this cycle.
    pub fn vector(&mut self, group: Group) -> Result<&[u32], Error> {
        if group != Group::Input {
            self.refresh()?;
        }
        Ok(match group {
            Group::Input => &self.input,
            Group::Output => &self.output,
            Group::State => &self.state,
        })
    }

    /// All inputs at once, as a word vector.
    pub fn set_inputs(&mut self, words: &[u32]) -> Result<(), Error> {
        if words.len() != self.layout.in_words {
            return argument(format!(
                "inputs: {} words are given, and {} are wanted",
                words.len(),
                self.layout.in_words
            ));
        }
        for s in self.layout.signals.iter().filter(|s| s.group == Group::Input) {
            for i in 0..s.count {
                Golden::fits(s, recording::element(s, words, i))?;
            }
        }
        self.input.copy_from_slice(words);
        self.fresh &= self.moore;
        Ok(())
    }

    /// All inputs at once, as bits ([`Golden::packing`]).
    pub fn set_input_bits(&mut self, bits: &[u32]) {
        self.packing[place(Group::Input)].unpack(bits, &mut self.input);
        self.fresh &= self.moore;
    }

    /// All elements of one input, as bits.
    pub fn set_bits(&mut self, signal: usize, bits: &[u32]) -> Result<(), Error> {
        let s = *self.signal(signal)?;
        Golden::settable(&s)?;
        let packing = Golden::bits_fit(&s, bits)?;
        packing.unpack(bits, &mut self.input);
        self.fresh &= self.moore;
        Ok(())
    }

    /// How a signal is bits; an error if some are beyond it.
    fn bits_fit(s: &Signal, bits: &[u32]) -> Result<Packing, Error> {
        let packing = Packing::signal(s);
        let beyond = |(i, w): (usize, &u32)| match packing.bits().saturating_sub(32 * i) {
            0 => *w != 0,
            n => w & !mask(n.min(32)) != 0,
        };
        if bits.iter().enumerate().any(beyond) {
            return argument(format!(
                "{}: the value is out of range: it has {} bits",
                s.name,
                packing.bits()
            ));
        }
        Ok(packing)
    }

    /// The unit as after reset; inputs stay, cover counts do too. What a design has shown is forgotten.
    pub fn reset(&mut self) -> Result<(), Error> {
        self.guarded(|g| g.unit.reset())?;
        (self.fresh, self.cycle) = (false, 0);
        self.past.clear();
        self.seen = nothing_seen(&self.layout);
        Ok(())
    }

    /// The clock edge that ends the cycle.
    pub fn step(&mut self) -> Result<(), Error> {
        self.guarded(|g| g.unit.step(&g.input))?;
        let mut kept =
            if self.past.len() + 1 < HISTORY { None } else { self.past.pop_front() }.unwrap_or_default();
        kept.clone_from(&self.input);
        self.past.push_back(kept);
        self.cycle += 1;
        self.fresh = false;
        Ok(())
    }

    /// The unit's cover points, and how often each was hit.
    pub fn cover(&self) -> Vec<CoverCount> {
        let points = self.unit.cover_points().iter().zip(self.unit.cover());
        points.map(|(p, &count)| CoverCount { name: p.name, rules: p.rules, text: p.text, count }).collect()
    }

    /// Takes what the design shows in this cycle of an element of an output or state. Ones in `unknown` are bits that are x or z:
    /// they differ from any value. What was given once is compared in every cycle until the next reset.
    pub fn see(
        &mut self,
        signal: usize,
        element: usize,
        words: &[u32],
        unknown: Option<&[u32]>,
    ) -> Result<(), Error> {
        let (s, at) = self.element(signal, element, words.len())?;
        Golden::compared(&s)?;
        Golden::fits(&s, words)?;
        if let Some(unknown) = unknown {
            if unknown.len() != words.len() {
                return argument(format!(
                    "{}: {} words say what is unknown, of {}",
                    s.name,
                    unknown.len(),
                    words.len()
                ));
            }
            Golden::fits(&s, unknown)?;
        }
        self.seen[place(s.group)].take(at, words, unknown);
        Ok(())
    }

    /// The same of all elements of a signal, as bits.
    pub fn see_bits(&mut self, signal: usize, bits: &[u32], unknown: &[u32]) -> Result<(), Error> {
        let s = *self.signal(signal)?;
        Golden::compared(&s)?;
        let packing = Golden::bits_fit(&s, bits)?;
        Golden::bits_fit(&s, unknown)?;
        let vectors = [bits, unknown].map(|b| {
            let mut words = vec![0; self.words(s.group)];
            packing.unpack(b, &mut words);
            words
        });
        let own = s.offset..s.offset + s.count * s.stride();
        self.seen[place(s.group)].take(s.offset, &vectors[0][own.clone()], Some(&vectors[1][own]));
        Ok(())
    }

    /// The same of all outputs, or all state, as bits.
    pub fn see_group_bits(&mut self, group: Group, bits: &[u32], unknown: &[u32]) -> Result<(), Error> {
        if group == Group::Input {
            return argument("outputs and state are compared, not inputs");
        }
        let vectors = [bits, unknown].map(|b| {
            let mut words = vec![0; self.words(group)];
            self.packing[place(group)].unpack(b, &mut words);
            words
        });
        self.seen[place(group)].take(0, &vectors[0], Some(&vectors[1]));
        Ok(())
    }

    /// Takes back that the design has shown a signal: it is not compared.
    pub fn forget(&mut self, signal: usize) -> Result<(), Error> {
        let s = *self.signal(signal)?;
        Golden::compared(&s)?;
        self.seen[place(s.group)].forget(&s);
        Ok(())
    }

    /// Outputs, and state if it is compared, that the design has not shown wholly.
    pub fn not_compared(&self, strength: Strength) -> Vec<&'static str> {
        let compared = |s: &&Signal| match s.group {
            Group::Input => false,
            Group::Output => true,
            Group::State => strength == Strength::State,
        };
        let all = self.layout.signals.iter().filter(compared);
        all.filter(|s| !self.seen[place(s.group)].has(s)).map(|s| s.name).collect()
    }

    /// Compares what the design has shown in this cycle with the golden model.
    pub fn check(&mut self, strength: Strength) -> Result<Option<Mismatch>, Error> {
        self.refresh()?;
        let state = strength == Strength::State;
        if self.seen[0].is_empty() && (!state || self.seen[1].is_empty()) {
            return argument(format!(
                "{}: the design has shown nothing that could be compared",
                self.build.title()
            ));
        }
        if state && self.seen[1].is_empty() {
            return argument(format!(
                "{}: the design has shown no state: compare outputs",
                self.build.title()
            ));
        }
        let outputs = self.seen[0].beside(&self.output);
        let states = match state {
            true => Cow::Owned(self.seen[1].beside(&self.state)),
            false => Cow::Borrowed(&self.state),
        };
        if outputs == self.output && *states == self.state {
            return Ok(None);
        }
        let mut found = differences(&self.layout, (&outputs, &states), (&self.output, &self.state));
        self.seen.iter().for_each(|seen| seen.show_unknown(&self.layout, &mut found));
        let first = self.cycle - self.past.len() as u64;
        let vectors = self.past.iter().chain([&self.input]);
        let history: Vec<CycleInputs> = (first..)
            .zip(vectors)
            .map(|(cycle, v)| CycleInputs { cycle, inputs: recording::describe(&self.layout, v) })
            .collect();
        let text = report::mismatch_text(&self.build, self.cycle, None, &found, &history);
        Ok(Some(Mismatch { cycle: self.cycle, differences: found, text }))
    }

    /// Works out outputs and state if they are not those of this cycle.
    fn refresh(&mut self) -> Result<(), Error> {
        if self.fresh && self.failed.is_none() {
            return Ok(());
        }
        self.guarded(|g| {
            g.unit.outputs(&g.input, &mut g.output);
            g.unit.state(&mut g.state);
        })?;
        self.fresh = true;
        Ok(())
    }

    /// Calls the golden model; a panic in it is told, then and ever after.
    fn guarded<T>(&mut self, f: impl FnOnce(&mut Golden) -> T) -> Result<T, Error> {
        if let Some(why) = &self.failed {
            return Err(Error::Failed(why.clone()));
        }
        match catch_unwind(AssertUnwindSafe(|| f(self))) {
            Ok(value) => Ok(value),
            Err(e) => {
                let why = format!(
                    "{}: the golden model failed in cycle {}, make a new unit: {}",
                    self.build.title(),
                    self.cycle,
                    said(&*e)
                );
                self.failed = Some(why.clone());
                Err(Error::Failed(why))
            }
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoverPoint;
    use crate::params::{UnitKind, builds};
    use rand::{Rng, SeedableRng, rngs::SmallRng};

    fn told<T>(result: Result<T, Error>) -> String {
        match result {
            Ok(_) => panic!("it is taken"),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn a_name_is_a_signal_with_and_without_its_suffix() {
        for unit in UnitKind::ALL {
            let g = Golden::new(unit.module(), "").expect("a unit");
            for (i, s) in g.signals().iter().enumerate() {
                let port = format!("{}_{}", s.name, if s.group == Group::Input { "i" } else { "o" });
                assert_eq!(g.find(&port), Ok(i));
                let plain = g.find(s.name).expect("a signal");
                assert!(plain == i || g.signals()[plain].group == Group::Input, "{}", s.name);
            }
        }
    }

    #[test]
    fn it_runs_as_the_unit_does_and_is_equal_to_itself() {
        for b in builds().iter().filter(|b| b.name.starts_with("tiny")) {
            let layout = Layout::new(b.unit, &b.params);
            let mut unit = model::new(b.unit, &b.params).expect("a unit");
            let mut g = Golden::new(b.unit.cli_name(), b.name).expect("a unit");
            let mut rng = SmallRng::seed_from_u64(5);
            let (mut out, mut st) = (vec![0; layout.out_words], vec![0; layout.state_words]);
            for cycle in 0..300 {
                // Any bits at all, often the same ones.
                let bits: Vec<u32> = (0..g.packing(Group::Input).bits().div_ceil(32))
                    .map(|_| {
                        if cycle % 3 == 0 { rng.random() } else { rng.random::<u32>() & rng.random::<u32>() }
                    })
                    .collect();
                g.set_input_bits(&bits);
                let input = g.vector(Group::Input).expect("inputs").to_vec();
                unit.outputs(&input, &mut out);
                unit.state(&mut st);
                assert_eq!(g.vector(Group::Output), Ok(&out[..]), "{} cycle {cycle}", b.title());
                assert_eq!(g.vector(Group::State), Ok(&st[..]), "{} cycle {cycle}", b.title());
                for (i, s) in layout.signals.iter().enumerate().filter(|(_, s)| s.group != Group::Input) {
                    let words = if s.group == Group::Output { &out } else { &st };
                    for e in 0..s.count {
                        g.see(i, e, recording::element(s, words, e), None).expect("legal");
                    }
                }
                assert!(g.not_compared(Strength::State).is_empty());
                assert!(g.check(Strength::State).expect("legal").is_none());
                unit.step(&input);
                g.step().expect("a step");
            }
            assert_eq!(g.cover().iter().map(|c| c.count).collect::<Vec<_>>(), unit.cover());
        }
    }

    #[test]
    fn a_difference_is_reported_as_cosim_does() {
        let mut g = Golden::new("hca-throttle", "tiny").expect("a unit");
        let (req, flow, sl_run) =
            (g.find("req").expect("one"), g.find("inj_flow").expect("one"), g.find("st_vp").expect("one"));
        for cycle in 0..40 {
            g.set(req, 0, &[cycle % 4]).expect("legal");
            g.step().expect("a step");
        }
        g.see(flow, 0, &[3], Some(&[0xf0])).expect("legal");
        g.see(sl_run, 0, &[9], None).expect("legal");
        let found = g.check(Strength::State).expect("legal").expect("a difference");
        let head = "hca-throttle tiny: RTL and golden model differ in cycle 40\n  output inj_flow, rules H8\n    RTL x3, golden 0, differing bits f3\n  state st_vp, rules ";
        assert!(found.text.starts_with(head), "{}", found.text);
        assert!(
            found.text.contains("  last inputs:\n           9  req=1\n          10  req=2\n"),
            "{}",
            found.text
        );
        assert!(found.text.ends_with("          40  req=3\n"), "{}", found.text);
        assert_eq!((found.cycle, found.differences.len()), (40, 2));
        // Only outputs; then neither.
        let outputs = g.check(Strength::Outputs).expect("legal").expect("a difference");
        assert_eq!(outputs.differences.len(), 1);
        assert!(g.not_compared(Strength::Outputs).contains(&"inj_valid"));
        g.forget(flow).expect("legal");
        assert!(told(g.check(Strength::Outputs)).contains("nothing that could be compared"));
        g.reset().expect("a reset");
        g.see(flow, 0, &[0], None).expect("legal");
        assert!(told(g.check(Strength::State)).contains("has shown no state"));
        assert!(g.check(Strength::Outputs).expect("legal").is_none());
    }

    #[test]
    fn bad_arguments_are_named_with_what_is_legal() {
        let mut g = Golden::new("input-port", "tiny").expect("a unit");
        let (data, grant, ready) = (
            g.find("rx_data").expect("one"),
            g.find("grant_i").expect("one"),
            g.find("ready_o").expect("one"),
        );
        let vl = g.find("fctbs").expect("one");
        assert!(
            told(g.find("rx_dat"))
                .contains("input-port tiny has no signal rx_dat: is it rx_data? There are cfg_we, ")
        );
        assert!(told(g.signal(9999)).contains("signal 9999 is out of range: legal is 0.."));
        assert_eq!(told(g.set(grant, 6, &[1])), "grant: element 6 is out of range: legal is 0..5");
        assert_eq!(
            told(g.set(data, 0, &[1])),
            "rx_data: 1 words are given, and an element of 256 bits has 8"
        );
        assert_eq!(
            told(g.set(vl, 0, &[0x1000])),
            "fctbs: 0x1000 in its highest word is out of range: an element has 12 bits, legal is 0..0xfff"
        );
        assert_eq!(told(g.set(ready, 0, &[1])), "ready is an output: only inputs can be set");
        assert_eq!(told(g.see(grant, 0, &[1], None)), "grant is an input: outputs and state are compared");
        assert!(
            told(g.see(ready, 0, &[0], Some(&[2])))
                .contains("ready: 0x2 in its highest word is out of range")
        );
        assert!(told(g.see(ready, 0, &[0], Some(&[]))).contains("0 words say what is unknown, of 1"));
        assert_eq!(told(g.set_bits(grant, &[0x40])), "grant: the value is out of range: it has 6 bits");
        assert!(told(g.set_inputs(&[0])).starts_with("inputs: 1 words are given, and "));
        let many = vec![!0; g.words(Group::Input)];
        assert!(
            told(g.set_inputs(&many)).starts_with("cfg_we: 0xffffffff in its highest word is out of range")
        );
    }

    /// A golden model with a fault.
    struct Broken;
    impl Unit for Broken {
        fn is_moore(&self) -> bool {
            true
        }
        fn reset(&mut self) {}
        fn outputs(&self, _: &[u32], _: &mut [u32]) {}
        fn state(&self, _: &mut [u32]) {}
        fn step(&mut self, _: &[u32]) {
            panic!("a queue is empty");
        }
        fn cover_points(&self) -> &'static [CoverPoint] {
            &[]
        }
        fn cover(&self) -> &[u64] {
            &[]
        }
    }

    #[test]
    fn a_golden_model_that_fails_says_so_and_stays_unusable() {
        let mut g = Golden::new("switch", "tiny").expect("a unit");
        g.unit = Box::new(Broken);
        assert!(g.get(0, 0).is_ok());
        for result in [g.step(), g.step(), g.reset(), g.vector(Group::Output).map(|_| ())] {
            let said = told(result);
            assert_eq!(
                said,
                "switch tiny: the golden model failed in cycle 0, make a new unit: a queue is empty"
            );
        }
    }
}
