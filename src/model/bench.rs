//! A bench for the unit tests: names instead of offsets.

use crate::model::Unit;
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};

/// A unit with its word vectors. Inputs last for one cycle.
pub(crate) struct Bench {
    pub(crate) unit: Box<dyn Unit>,
    layout: Layout,
    pub(crate) input: Vec<u32>,
    pub(crate) output: Vec<u32>,
    pub(crate) state: Vec<u32>,
    pub(crate) cycles: u64,
}

impl Bench {
    pub(crate) fn new(kind: UnitKind, params: &Params) -> Bench {
        let layout = Layout::new(kind, params);
        Bench {
            unit: crate::model::new(kind, params).expect("legal parameters"),
            input: layout.idle(),
            output: vec![0; layout.out_words],
            state: vec![0; layout.state_words],
            layout,
            cycles: 0,
        }
    }

    /// Sets element `i` of an input for the coming cycle.
    pub(crate) fn set(&mut self, name: &str, i: usize, value: u32) -> &mut Bench {
        let s = self.layout.signal(Group::Input, name);
        self.input[s.offset + i * s.stride()] = value;
        self
    }

    /// Sets the words of a wide input.
    pub(crate) fn set_words(&mut self, name: &str, words: &[u32]) -> &mut Bench {
        let at = self.layout.input(name);
        self.input[at..at + words.len()].copy_from_slice(words);
        self
    }

    /// Sets element `i` of an input of several words an element.
    pub(crate) fn set_element(&mut self, name: &str, i: usize, words: &[u32]) -> &mut Bench {
        let s = self.layout.signal(Group::Input, name);
        let at = s.offset + i * s.stride();
        self.input[at..at + s.stride()].copy_from_slice(words);
        self
    }

    /// Elements of an input.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.layout.signal(Group::Input, name).count
    }

    /// Sets a bit of a wide input.
    pub(crate) fn set_bit(&mut self, name: &str, bit: usize) {
        self.input[self.layout.input(name) + bit / 32] |= 1 << (bit % 32);
    }

    /// Element `i` of an output or state signal in the cycle that was run last.
    pub(crate) fn get(&self, name: &str, i: usize) -> u32 {
        let (group, words) =
            if name.starts_with("st_") { (Group::State, &self.state) } else { (Group::Output, &self.output) };
        let s = self.layout.signal(group, name);
        words[s.offset + i * s.stride()]
    }

    /// The words of a wide output or state signal.
    pub(crate) fn get_words(&self, name: &str) -> &[u32] {
        let (group, words) =
            if name.starts_with("st_") { (Group::State, &self.state) } else { (Group::Output, &self.output) };
        let s = self.layout.signal(group, name);
        &words[s.offset..][..s.stride()]
    }

    /// The words of element `i` of an output or state signal.
    pub(crate) fn get_element(&self, name: &str, i: usize) -> &[u32] {
        let (group, words) =
            if name.starts_with("st_") { (Group::State, &self.state) } else { (Group::Output, &self.output) };
        let s = self.layout.signal(group, name);
        &words[s.offset + i * s.stride()..][..s.stride()]
    }

    /// Runs one cycle; the inputs are idle again afterwards.
    pub(crate) fn cycle(&mut self) -> &mut Bench {
        self.unit.outputs(&self.input, &mut self.output);
        self.unit.state(&mut self.state);
        self.unit.step(&self.input);
        self.layout.make_idle(&mut self.input);
        self.cycles += 1;
        self
    }

    /// Runs cycles without input.
    pub(crate) fn idle(&mut self, cycles: usize) -> &mut Bench {
        for _ in 0..cycles {
            self.cycle();
        }
        self
    }

    /// Writes a configuration register in a cycle of its own.
    pub(crate) fn config(&mut self, addr: u32, data: u32) -> &mut Bench {
        self.set("cfg_we", 0, 1).set("cfg_addr", 0, addr).set("cfg_data", 0, data).cycle()
    }

    /// Reads a register in a cycle of its own, and runs the cycle that shows it.
    pub(crate) fn read(&mut self, addr: u32) -> u32 {
        self.set("cfg_re", 0, 1).set("cfg_addr", 0, addr).cycle();
        self.cycle();
        assert_eq!(self.get("cfg_rvalid", 0), 1, "register {addr}");
        self.get("cfg_rdata", 0)
    }

    /// Every value of the last cycle is within its signal's width.
    pub(crate) fn check_widths(&self) -> Result<(), String> {
        for s in &self.layout.signals {
            let words = match s.group {
                Group::Input => continue,
                Group::Output => &self.output,
                Group::State => &self.state,
            };
            let spare = s.stride() * 32 - s.width;
            for i in 0..s.count {
                let top = words[s.offset + (i + 1) * s.stride() - 1];
                if top & !(u32::MAX >> spare) != 0 {
                    return Err(format!("{}[{i}] = {top:#x} is wider than {} bits", s.name, s.width));
                }
            }
        }
        Ok(())
    }

    /// How often a cover point was hit.
    pub(crate) fn covered(&self, name: &str) -> u64 {
        let at = self.unit.cover_points().iter().position(|p| p.name == name).expect("a cover point");
        self.unit.cover()[at]
    }

    /// Applicable cover points that were never hit.
    pub(crate) fn uncovered(&self, applies: impl Fn(&str) -> bool) -> Vec<&'static str> {
        let points = self.unit.cover_points().iter().zip(self.unit.cover());
        points.filter(|(p, hits)| **hits == 0 && applies(p.name)).map(|(p, _)| p.name).collect()
    }
}
