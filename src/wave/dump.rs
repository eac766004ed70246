//! VCD files, through the crate `vcd`.

use std::io::{self, Write};

use vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, VarType};

use super::sink::{Id, Kind, Sink};

/// A VCD file.
pub(super) struct VcdSink<W: Write> {
    vcd: vcd::Writer<W>,
    vars: Vec<(IdCode, Kind)>,
    /// How many times there were, up to two: at the first all values are given.
    times: u8,
    line: Vec<u8>,
}

impl<W: Write> VcdSink<W> {
    pub(super) fn new(to: W, about: &str, exponent: i8) -> io::Result<Self> {
        let mut vcd = vcd::Writer::new(to);
        vcd.version("quell")?;
        if !about.is_empty() {
            vcd.comment(about)?;
        }
        let (n, unit) = match exponent {
            -12 => (1, TimescaleUnit::PS),
            -10 => (100, TimescaleUnit::PS),
            -9 => (1, TimescaleUnit::NS),
            other => return Err(io::Error::other(format!("no unit of time of 10^{other} s"))),
        };
        vcd.timescale(n, unit)?;
        Ok(VcdSink { vcd, vars: Vec::new(), times: 0, line: Vec::new() })
    }
}

impl<W: Write> Sink for VcdSink<W> {
    fn scope(&mut self, name: &str) -> io::Result<()> {
        self.vcd.add_module(name)
    }

    fn upscope(&mut self) -> io::Result<()> {
        self.vcd.upscope()
    }

    fn var(&mut self, kind: Kind, name: &str, of: Option<Id>) -> io::Result<Id> {
        let range = match kind {
            Kind::Bits(width) if width > 1 => Some(ReferenceIndex::Range(width as i32 - 1, 0)),
            _ => None,
        };
        let var_type = match kind {
            Kind::Bits(_) => VarType::Wire,
            Kind::Number => VarType::Integer,
            Kind::Text(_) => VarType::String,
        };
        let width = kind.width() as u32;
        match of {
            Some(id) => self.vcd.var_def(var_type, width, self.vars[id].0, name, range).map(|()| id),
            None => {
                let code = self.vcd.add_var(var_type, width, name, range)?;
                self.vars.push((code, kind));
                Ok(self.vars.len() - 1)
            }
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        self.vcd.enddefinitions()
    }

    fn time(&mut self, time: u64) -> io::Result<()> {
        if self.times == 1 {
            self.vcd.end()?;
        }
        self.vcd.timestamp(time)?;
        if self.times == 0 {
            self.vcd.begin(SimulationCommand::Dumpvars)?;
        }
        self.times = (self.times + 1).min(2);
        Ok(())
    }

    fn bits(&mut self, id: Id, words: &[u32]) -> io::Result<()> {
        let (code, kind) = self.vars[id];
        if kind == Kind::Bits(1) {
            return self.vcd.change_scalar(code, words[0] & 1 == 1);
        }
        self.line.clear();
        self.line.push(b'b');
        for i in (0..kind.width()).rev() {
            let bit = (words[i / 32] >> (i % 32)) & 1;
            // Leading zeros may be left out.
            if bit == 1 || self.line.len() > 1 || i == 0 {
                self.line.push(b'0' + bit as u8);
            }
        }
        self.vcd.writer().write_all(&self.line)?;
        writeln!(self.vcd.writer(), " {code}")
    }

    fn text(&mut self, id: Id, text: &str) -> io::Result<()> {
        self.vcd.change_string(self.vars[id].0, text)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if self.times == 1 {
            self.vcd.end()?;
        }
        self.vcd.flush()
    }
}
