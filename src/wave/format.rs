//! Formats of waveform files.

use std::io::{self, Seek, Write};
use std::path::Path;

use super::dump::VcdSink;
use super::fst::FstSink;
use super::sink::Sink;

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
