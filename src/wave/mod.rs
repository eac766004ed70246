//! Waveforms: a streaming VCD writer with the RTL, the golden model and their differences side by side.
//!
//! Scopes `rtl` and `golden` hold `clk`, all inputs, outputs and architectural state, named as in [`crate::signals`]; element i
//! of a signal of several is `name[i]`. Enumerations come a second time as readable text, `name_text_i`. Scope `mismatch`
//! has the cycle number, one bit per output and state signal, and `any`. A cycle begins with the rising edge.
//!
//! ```
//! use quell::params::{Build, UnitKind};
//! use quell::wave::{Cycle, VcdWriter};
//! let build = Build::named(UnitKind::HcaThrottle, Some("tiny")).expect("a build");
//! let l = quell::signals::Layout::new(build.unit, &build.params);
//! let (output, state) = (vec![0; l.out_words], vec![0; l.state_words]);
//! let mut wave = VcdWriter::new(Vec::new(), &build)?;
//! wave.cycle(0, Cycle { input: &l.idle(), rtl: (&output, &state), golden: (&output, &state) })?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod bank;
mod nodes;

use std::io::{self, Write};

use vcd::{IdCode, TimescaleUnit, VarType};

use crate::params::Build;
use crate::signals::{Group, Layout};
use bank::{Bank, Bit, add_vars, element_name, range, text_name, write_bank};
pub use nodes::{NodesWriter, Scope};

/// VCD time units (100 ps) of a cycle: 12.8 ns, one flit at 40 Gbit/s.
pub const UNITS_PER_CYCLE: u64 = 128;

/// The values of one cycle.
#[derive(Clone, Copy)]
pub struct Cycle<'a> {
    /// Inputs.
    pub input: &'a [u32],
    /// Outputs and state of the RTL.
    pub rtl: (&'a [u32], &'a [u32]),
    /// Outputs and state of the golden model.
    pub golden: (&'a [u32], &'a [u32]),
}

/// Writes a waveform cycle by cycle; only changes go to the file.
pub struct VcdWriter<W: Write> {
    vcd: vcd::Writer<W>,
    clk: IdCode,
    cycle: IdCode,
    any: (IdCode, bool),
    /// Inputs, outputs and state of the RTL, outputs and state of the golden model.
    banks: [Bank; 5],
    bits: Vec<Bit>,
    next: Option<u64>,
    line: Vec<u8>,
}

impl<W: Write> VcdWriter<W> {
    /// Writes the header.
    pub fn new(writer: W, build: &Build) -> io::Result<Self> {
        let layout = Layout::new(build.unit, &build.params);
        let mut vcd = vcd::Writer::new(writer);
        vcd.version("quell")?;
        vcd.comment(&build.title())?;
        vcd.timescale(100, TimescaleUnit::PS)?;
        let bank = |words| Bank { vars: Vec::new(), last: vec![0; words] };
        let mut banks =
            [layout.in_words, layout.out_words, layout.state_words, layout.out_words, layout.state_words]
                .map(bank);

        vcd.add_module("rtl")?;
        let clk = vcd.add_wire(1, "clk")?;
        for (group, b) in [(Group::Input, 0), (Group::Output, 1), (Group::State, 2)] {
            add_vars(&mut vcd, &layout, group, &mut banks[b])?;
        }
        vcd.upscope()?;

        vcd.add_module("golden")?;
        vcd.var_def(VarType::Wire, 1, clk, "clk", None)?;
        // The inputs are the same variables under a second name.
        let inputs = layout.signals.iter().filter(|s| s.group == Group::Input);
        let names = inputs.flat_map(|s| (0..s.count).map(move |i| (s, i)));
        for ((s, i), var) in names.zip(&banks[0].vars) {
            let name = element_name(s.name, i, s.count);
            vcd.var_def(VarType::Wire, s.width as u32, var.id, &name, range(s.width))?;
            if let Some((id, _)) = var.text {
                vcd.var_def(VarType::String, 1, id, &text_name(s.name, i, s.count), None)?;
            }
        }
        for (group, b) in [(Group::Output, 3), (Group::State, 4)] {
            add_vars(&mut vcd, &layout, group, &mut banks[b])?;
        }
        vcd.upscope()?;

        vcd.add_module("mismatch")?;
        let cycle = vcd.add_var(VarType::Integer, 64, "cycle", None)?;
        let any = (vcd.add_wire(1, "any")?, false);
        let mut bits = Vec::new();
        for s in layout.signals.iter().filter(|s| s.group != Group::Input) {
            bits.push(Bit {
                id: vcd.add_wire(1, s.name)?,
                state: s.group == Group::State,
                from: s.offset,
                to: s.offset + s.stride() * s.count,
                last: false,
            });
        }
        vcd.upscope()?;
        vcd.enddefinitions()?;
        Ok(VcdWriter { vcd, clk, cycle, any, banks, bits, next: None, line: Vec::new() })
    }

    /// Writes a cycle. Cycles must come in order.
    pub fn cycle(&mut self, number: u64, c: Cycle) -> io::Result<()> {
        let time = number * UNITS_PER_CYCLE;
        let full = self.next.is_none();
        self.vcd.timestamp(time)?;
        if full {
            self.vcd.begin(vcd::SimulationCommand::Dumpvars)?;
        }
        self.vcd.change_scalar(self.clk, true)?;
        self.number(number)?;
        for (b, words) in [c.input, c.rtl.0, c.rtl.1, c.golden.0, c.golden.1].into_iter().enumerate() {
            if full || self.banks[b].last != words {
                write_bank(&mut self.vcd, &mut self.line, &mut self.banks[b], words, full)?;
            }
        }
        let differ = c.rtl != c.golden;
        if full || differ || self.any.1 {
            for bit in &mut self.bits {
                let (r, g) = if bit.state { (c.rtl.1, c.golden.1) } else { (c.rtl.0, c.golden.0) };
                let now = r[bit.from..bit.to] != g[bit.from..bit.to];
                if full || now != bit.last {
                    self.vcd.change_scalar(bit.id, now)?;
                    bit.last = now;
                }
            }
        }
        if full || differ != self.any.1 {
            self.vcd.change_scalar(self.any.0, differ)?;
            self.any.1 = differ;
        }
        if full {
            self.vcd.end()?;
        }
        self.vcd.timestamp(time + UNITS_PER_CYCLE / 2)?;
        self.vcd.change_scalar(self.clk, false)?;
        self.next = Some(number + 1);
        Ok(())
    }

    /// Ends the waveform.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(n) = self.next {
            self.vcd.timestamp(n * UNITS_PER_CYCLE)?;
        }
        self.vcd.flush()
    }

    /// The cycle number, as a vector.
    fn number(&mut self, n: u64) -> io::Result<()> {
        writeln!(self.vcd.writer(), "b{n:b} {}", self.cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{UnitKind, builds};
    use std::collections::HashMap;
    use vcd::{Command, Value};

    /// Values by full name after the commands up to a time.
    fn values_at(text: &[u8], time: u64) -> HashMap<String, String> {
        let mut parser = vcd::Parser::new(text);
        let header = parser.parse_header().unwrap();
        assert_eq!(header.timescale, Some((100, TimescaleUnit::PS)));
        let mut names: HashMap<IdCode, Vec<String>> = HashMap::new();
        for item in &header.items {
            if let vcd::ScopeItem::Scope(scope) = item {
                for item in &scope.items {
                    if let vcd::ScopeItem::Var(v) = item {
                        names
                            .entry(v.code)
                            .or_default()
                            .push(format!("{}.{}", scope.identifier, v.reference));
                    }
                }
            }
        }
        let mut values = HashMap::new();
        for command in parser {
            let (id, value) = match command.unwrap() {
                Command::Timestamp(t) if t > time => break,
                Command::ChangeScalar(id, v) => {
                    (id, if v == Value::V1 { "1".into() } else { "0".to_string() })
                }
                Command::ChangeVector(id, v) => (id, v.to_string()),
                Command::ChangeString(id, s) => (id, s),
                _ => continue,
            };
            for n in &names[&id] {
                values.insert(n.clone(), value.clone());
            }
        }
        values
    }

    #[test]
    fn values_come_back_through_the_parser() {
        let build = builds().into_iter().find(|b| b.unit == UnitKind::InputPort && b.name == "tiny").unwrap();
        let l = Layout::new(build.unit, &build.params);
        let mut input = vec![0; l.in_words];
        let (mut out, mut state) = (vec![0; l.out_words], vec![0; l.state_words]);
        let mut text = Vec::new();
        let mut w = VcdWriter::new(&mut text, &build).unwrap();
        let quiet = (out.clone(), state.clone());
        w.cycle(10, Cycle { input: &input, rtl: (&out, &state), golden: (&quiet.0, &quiet.1) }).unwrap();
        input[l.input("rx_data") + 7] = 0x8000_0000;
        input[l.input("rd_en") + 2] = 1;
        out[l.output("req_len") + 1] = 0x55;
        state[l.state("st_line_state") + 1] = 2;
        w.cycle(11, Cycle { input: &input, rtl: (&out, &state), golden: (&out, &state) }).unwrap();
        w.cycle(12, Cycle { input: &input, rtl: (&out, &state), golden: (&out, &quiet.1) }).unwrap();
        w.cycle(13, Cycle { input: &input, rtl: (&out, &state), golden: (&out, &state) }).unwrap();
        w.finish().unwrap();

        let v = values_at(&text, 10 * 128);
        assert_eq!((v["rtl.clk"].as_str(), v["mismatch.cycle"].as_str()), ("1", "1010"));
        assert_eq!((v["rtl.req_len[1]"].as_str(), v["golden.st_line_state_text_1"].as_str()), ("0", "FREE"));
        assert_eq!(values_at(&text, 10 * 128 + 64)["golden.clk"], "0");

        let v = values_at(&text, 11 * 128);
        assert_eq!(v["rtl.rx_data"], format!("1{}", "0".repeat(255)));
        assert_eq!(v["golden.rx_data"], v["rtl.rx_data"]);
        assert_eq!((v["rtl.rd_en[2]"].as_str(), v["rtl.rd_en[1]"].as_str()), ("1", "0"));
        assert_eq!((v["golden.req_len[1]"].as_str(), v["golden.req_len[0]"].as_str()), ("1010101", "0"));
        assert_eq!(
            (v["rtl.st_line_state[1]"].as_str(), v["rtl.st_line_state_text_1"].as_str()),
            ("10", "HOT")
        );
        assert_eq!(v["mismatch.any"], "0");

        let v = values_at(&text, 12 * 128);
        assert_eq!(
            (v["rtl.st_line_state_text_1"].as_str(), v["golden.st_line_state_text_1"].as_str()),
            ("HOT", "FREE")
        );
        assert_eq!((v["mismatch.any"].as_str(), v["mismatch.st_line_state"].as_str()), ("1", "1"));
        assert_eq!(v["mismatch.st_line_queue"], "0");

        let v = values_at(&text, 13 * 128);
        assert_eq!((v["mismatch.any"].as_str(), v["mismatch.st_line_state"].as_str()), ("0", "0"));
        // Unchanged values are not written again.
        let lines = std::str::from_utf8(&text).unwrap().lines();
        assert_eq!(lines.filter(|l| l.starts_with("b1010101 ")).count(), 2);
    }

    #[test]
    fn names_in_a_scope_are_unique() {
        for b in builds() {
            let l = Layout::new(b.unit, &b.params);
            let mut names: Vec<_> = l.signals.iter().map(|s| s.name).chain(["clk", "cycle", "any"]).collect();
            names.sort();
            let n = names.len();
            names.dedup();
            assert_eq!(names.len(), n, "{} {}", b.unit.cli_name(), b.name);
        }
    }
}
