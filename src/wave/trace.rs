//! Waveforms of named vectors of bits: counterexamples.

use std::io::{self, Seek, Write};

use super::format::Format;
use super::sink::{Id, Kind, Sink};
use super::view::{Hue, Item, Part, View};

/// Closes scopes.
fn leave(sink: &mut dyn Sink, inside: &str) -> io::Result<()> {
    inside.split('.').filter(|s| !s.is_empty()).try_for_each(|_| sink.upscope())
}

/// Writes vectors step by step.
pub struct TraceWriter<'a> {
    sink: Box<dyn Sink + 'a>,
    vars: Vec<(Id, Vec<u32>)>,
    parts: Vec<Part>,
    about: String,
    steps: u64,
}

impl<'a> TraceWriter<'a> {
    /// Writes the header: the vectors, in groups with a title, as names and widths; dots in a name are between scopes.
    pub fn new(
        to: impl Write + Seek + 'a,
        format: Format,
        about: &str,
        groups: &[(&str, Vec<(String, usize)>)],
    ) -> io::Result<Self> {
        let mut sink = format.sink(to, about, -9)?;
        let (mut vars, mut parts, mut inside) = (Vec::new(), Vec::new(), String::new());
        for (title, vectors) in groups {
            let mut items = Vec::new();
            for (path, width) in vectors {
                let (kind, path) = (Kind::Bits(*width), format!("proof.{path}"));
                let (scope, name) = path.rsplit_once('.').unwrap_or(("", &path));
                if scope != inside {
                    leave(&mut *sink, &inside)?;
                    scope.split('.').try_for_each(|s| sink.scope(s))?;
                    inside = scope.into();
                }
                vars.push((sink.var(kind, name, None)?, Vec::new()));
                items.push(Item { scope: scope.into(), name: name.into(), kind, hue: Hue::Plain });
            }
            parts.push(Part { title: title.to_string(), open: true, items });
        }
        leave(&mut *sink, &inside)?;
        sink.begin()?;
        Ok(TraceWriter { sink, vars, parts, about: about.into(), steps: 0 })
    }

    /// Writes a step: the words of each vector, in the order of the header.
    pub fn step(&mut self, values: &[Vec<u32>]) -> io::Result<()> {
        self.sink.time(self.steps)?;
        self.steps += 1;
        for ((id, old), now) in self.vars.iter_mut().zip(values) {
            if old != now {
                self.sink.bits(*id, now)?;
                old.clone_from(now);
            }
        }
        Ok(())
    }

    /// Ends the waveform; it opens on the last step.
    pub fn finish(mut self) -> io::Result<View> {
        self.sink.time(self.steps)?;
        self.sink.finish()?;
        Ok(View {
            about: self.about,
            cycle: 1,
            unit_ps: 1000,
            cycles: 0..self.steps,
            event: self.steps.checked_sub(1),
            parts: self.parts,
        })
    }
}
