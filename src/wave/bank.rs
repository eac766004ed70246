//! The variables of a waveform.

use std::io;

use super::sink::{Id, Kind, Sink};
use crate::signals::{Group, Layout, Show, Signal};

/// One variable: an element of a signal on one side.
pub(super) struct Var {
    id: Id,
    /// The same as text.
    text: Option<(Id, &'static [&'static str])>,
    offset: usize,
    stride: usize,
    /// It was written a second time.
    pub(super) changed: bool,
}

/// The variables of one word vector, and the values written last.
pub(super) struct Bank {
    pub(super) vars: Vec<Var>,
    last: Vec<u32>,
    full: bool,
}

impl Bank {
    /// Adds the variables of the group's signals; those of `of` are the same under a second name.
    pub(super) fn new(
        sink: &mut dyn Sink,
        layout: &Layout,
        group: Group,
        of: Option<&Bank>,
    ) -> io::Result<Bank> {
        let words = match group {
            Group::Input => layout.in_words,
            Group::Output => layout.out_words,
            Group::State => layout.state_words,
        };
        let mut vars: Vec<Var> = Vec::new();
        for s in layout.signals.iter().filter(|s| s.group == group) {
            for i in 0..s.count {
                let of = of.map(|bank| &bank.vars[vars.len()]);
                let kind = Kind::Bits(s.width);
                let id = sink.var(kind, &element_name(s.name, i, s.count), of.map(|v| v.id))?;
                let names = s.show.names();
                let text = match text_kind(s.show) {
                    None => None,
                    Some(kind) => {
                        let of = of.and_then(|v| Some(v.text?.0));
                        Some((sink.var(kind, &text_name(s.name, i, s.count), of)?, names))
                    }
                };
                let offset = s.offset + i * s.stride();
                vars.push(Var { id, text, offset, stride: s.stride(), changed: false });
            }
        }
        Ok(Bank { vars, last: vec![0; words], full: true })
    }

    /// The value of a variable, as it was written last.
    pub(super) fn value(&self, var: usize) -> &[u32] {
        let var = &self.vars[var];
        &self.last[var.offset..var.offset + var.stride]
    }

    /// Writes the words that have changed; the first time all.
    pub(super) fn write(&mut self, sink: &mut dyn Sink, words: &[u32]) -> io::Result<()> {
        if !self.full && self.last == words {
            return Ok(());
        }
        for var in &mut self.vars {
            let at = var.offset..var.offset + var.stride;
            let value = &words[at.clone()];
            if !self.full && self.last[at] == *value {
                continue;
            }
            var.changed |= !self.full;
            sink.bits(var.id, value)?;
            if let Some((id, names)) = var.text {
                sink.text(id, names.get(value[0] as usize).copied().unwrap_or(ILLEGAL))?;
            }
        }
        self.last.copy_from_slice(words);
        self.full = false;
        Ok(())
    }
}

/// A value that an enumeration does not have.
const ILLEGAL: &str = "ILLEGAL";

/// The text of an enumeration.
pub(super) fn text_kind(show: Show) -> Option<Kind> {
    let longest = show.names().iter().map(|n| n.len()).max()?;
    Some(Kind::Text(longest.max(ILLEGAL.len())))
}

/// Which of a group's variables those of a signal are.
pub(super) fn first_var(layout: &Layout, signal: &Signal) -> usize {
    let before = layout.signals.iter().filter(|s| s.group == signal.group);
    before.take_while(|s| s.offset < signal.offset).map(|s| s.count).sum()
}

/// The name of an element.
pub(super) fn element_name(name: &str, i: usize, count: usize) -> String {
    if count > 1 { format!("{name}[{i}]") } else { name.into() }
}

/// The name of an element as text. No brackets: GTKWave strips them off strings, and takes all elements for one.
pub(super) fn text_name(name: &str, i: usize, count: usize) -> String {
    if count > 1 { format!("{name}_text_{i}") } else { format!("{name}_text") }
}
