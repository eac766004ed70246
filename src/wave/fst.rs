//! FST files, through the crate `fst-writer`.

use std::io::{self, Seek, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};

use super::sink::{Id, Kind, Sink};

/// Bytes of changes that are kept before they are packed and written.
const KEPT: usize = 32 << 20;

/// A text of fixed length, the only one that the library has, is none to GTKWave: it is there a second time as bits, 8 a letter.
pub(super) fn as_letters(name: &str) -> String {
    format!("{name}_ascii")
}

/// A variable.
struct Var {
    id: FstSignalId,
    kind: Kind,
    /// Of a text: the same as bits.
    letters: Option<FstSignalId>,
}

/// An FST file.
pub(super) struct FstSink<W: Write + Seek> {
    stage: Stage<W>,
    vars: Vec<Var>,
    value: Vec<u8>,
}

/// The library writes all variables first, and then the changes.
enum Stage<W: Write + Seek> {
    Head(FstHeaderWriter<W>),
    Body(FstBodyWriter<W>),
    /// On the way between them.
    None,
}

fn told(e: FstWriteError) -> io::Error {
    match e {
        FstWriteError::Io(e) => e,
        other => io::Error::other(other),
    }
}

fn disorder() -> io::Error {
    io::Error::other("a waveform's variables come before its changes")
}

impl<W: Write + Seek> FstSink<W> {
    pub(super) fn new(to: W, about: &str, exponent: i8) -> io::Result<Self> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: exponent,
            version: "quell".into(),
            // The field of 119 bytes that a viewer shows beside the version.
            date: about.chars().filter(char::is_ascii).take(100).collect(),
            file_type: FstFileType::Verilog,
        };
        let head = FstHeaderWriter::new(to, &info).map_err(told)?;
        Ok(FstSink { stage: Stage::Head(head), vars: Vec::new(), value: Vec::new() })
    }

    fn head(&mut self) -> io::Result<&mut FstHeaderWriter<W>> {
        if let Stage::Head(head) = &mut self.stage { Ok(head) } else { Err(disorder()) }
    }

    fn body(&mut self) -> io::Result<&mut FstBodyWriter<W>> {
        if let Stage::Body(body) = &mut self.stage { Ok(body) } else { Err(disorder()) }
    }

    fn declare(
        &mut self,
        name: &str,
        length: usize,
        var_type: FstVarType,
        alias: Option<FstSignalId>,
    ) -> io::Result<FstSignalId> {
        let signal = FstSignalType::bit_vec(length as u32);
        self.head()?.var(name, signal, var_type, FstVarDirection::Implicit, alias).map_err(told)
    }

    /// Writes `self.value` into a variable.
    fn change(&mut self, id: FstSignalId) -> io::Result<()> {
        let value = std::mem::take(&mut self.value);
        let done = self.body()?.signal_change(id, &value).map_err(told);
        self.value = value;
        done
    }
}

impl<W: Write + Seek> Sink for FstSink<W> {
    fn scope(&mut self, name: &str) -> io::Result<()> {
        self.head()?.scope(name, "", FstScopeType::Module).map_err(told)
    }

    fn upscope(&mut self) -> io::Result<()> {
        self.head()?.up_scope().map_err(told)
    }

    fn var(&mut self, kind: Kind, name: &str, of: Option<Id>) -> io::Result<Id> {
        let (length, var_type, full) = match kind {
            Kind::Bits(1) => (1, FstVarType::Wire, name.to_string()),
            Kind::Bits(n) => (n, FstVarType::Wire, format!("{name} [{}:0]", n - 1)),
            Kind::Number => (64, FstVarType::Integer, name.to_string()),
            Kind::Text(longest) => (longest, FstVarType::GenericString, name.to_string()),
        };
        let id = self.declare(&full, length, var_type, of.map(|id| self.vars[id].id))?;
        let letters = match kind {
            Kind::Text(longest) => {
                let bits = 8 * longest;
                let name = format!("{} [{}:0]", as_letters(name), bits - 1);
                Some(self.declare(&name, bits, FstVarType::Wire, of.and_then(|id| self.vars[id].letters))?)
            }
            _ => None,
        };
        if of.is_none() {
            self.vars.push(Var { id, kind, letters });
        }
        Ok(of.unwrap_or(self.vars.len() - 1))
    }

    fn begin(&mut self) -> io::Result<()> {
        let Stage::Head(head) = std::mem::replace(&mut self.stage, Stage::None) else {
            return Err(disorder());
        };
        self.stage = Stage::Body(head.finish().map_err(told)?);
        // What has no value yet is x in every letter.
        for id in 0..self.vars.len() {
            if self.vars[id].letters.is_some() {
                self.text(id, "")?;
            }
        }
        Ok(())
    }

    fn time(&mut self, time: u64) -> io::Result<()> {
        let body = self.body()?;
        if body.size() > KEPT {
            body.flush().map_err(told)?;
        }
        body.time_change(time).map_err(told)
    }

    fn bits(&mut self, id: Id, words: &[u32]) -> io::Result<()> {
        let Var { id: signal, kind, .. } = self.vars[id];
        self.value.clear();
        self.value.extend((0..kind.width()).rev().map(|i| b'0' + ((words[i / 32] >> (i % 32)) & 1) as u8));
        self.change(signal)
    }

    fn text(&mut self, id: Id, text: &str) -> io::Result<()> {
        let Var { id: signal, kind: Kind::Text(longest), letters: Some(letters) } = self.vars[id] else {
            return Err(disorder());
        };
        self.value.clear();
        self.value.extend(text.bytes().chain(std::iter::repeat(b' ')).take(longest));
        self.change(signal)?;
        let padded = std::mem::take(&mut self.value);
        self.value.extend(padded.iter().flat_map(|c| (0..8).rev().map(move |bit| b'0' + ((c >> bit) & 1))));
        self.change(letters)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let Stage::Body(body) = self.stage else { return Err(disorder()) };
        body.finish().map_err(told)?.flush()
    }
}
