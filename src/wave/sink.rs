//! Where a waveform goes: what VCD and FST have in common.

use std::io;

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
