//! Where a waveform goes: what VCD and FST have in common.

use std::io::{self, Seek, Write};
use std::path::Path;

use vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, VarType};

use super::fst::FstSink;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Bits, as many as that.
    Bits(usize),
    /// A number of 64 bits.
    Number,
    /// Words of at most so many letters, without blanks.
    Text(usize),
}

impl Kind {
    /// Bits that a viewer shows.
    pub(super) fn width(self) -> usize {
        match self {
            Kind::Bits(width) => width,
            Kind::Number => 64,
            Kind::Text(_) => 1,
        }
    }
}

/// A variable of a sink.
pub(super) type Id = usize;

/// A waveform file being written: scopes and variables, then `begin`, then times in order with the changes at each of them.
pub(super) trait Sink {
    /// Opens a scope.
    fn scope(&mut self, name: &str) -> io::Result<()>;
    /// Closes the scope opened last.
    fn upscope(&mut self) -> io::Result<()>;
    /// A variable; `of` makes it a second name of another one.
    fn var(&mut self, kind: Kind, name: &str, of: Option<Id>) -> io::Result<Id>;
    /// All variables are there.
    fn begin(&mut self) -> io::Result<()>;
    /// From here on changes are of this time.
    fn time(&mut self, time: u64) -> io::Result<()>;
    /// The bits of a variable, lowest word first.
    fn bits(&mut self, id: Id, words: &[u32]) -> io::Result<()>;
    /// The text of a variable.
    fn text(&mut self, id: Id, text: &str) -> io::Result<()>;
    /// Ends the file.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A format of waveform files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value change dump, IEEE 1800: text.
    Vcd,
    /// That of GTKWave: packed.
    Fst,
}

impl Format {
    /// By the name of the file: FST if it ends in `.fst`.
    pub fn of(path: &Path) -> Format {
        if path.extension().is_some_and(|e| e == "fst") { Format::Fst } else { Format::Vcd }
    }

    /// Begins a file; a unit of time is 10 to the `exponent` seconds.
    pub(super) fn sink<'a>(
        self,
        to: impl Write + Seek + 'a,
        about: &str,
        exponent: i8,
    ) -> io::Result<Box<dyn Sink + 'a>> {
        Ok(match self {
            Format::Vcd => Box::new(VcdSink::new(to, about, exponent)?),
            Format::Fst => Box::new(FstSink::new(to, about, exponent)?),
        })
    }
}

/// A VCD file.
struct VcdSink<W: Write> {
    vcd: vcd::Writer<W>,
    vars: Vec<(IdCode, Kind)>,
    /// How many times there were, up to two: at the first all values are given.
    times: u8,
    line: Vec<u8>,
}

impl<W: Write> VcdSink<W> {
    fn new(to: W, about: &str, exponent: i8) -> io::Result<Self> {
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
