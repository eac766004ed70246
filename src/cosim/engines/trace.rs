//! Waveforms of chosen nodes of a run.

use std::io::BufWriter;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::node::Watched;
use crate::outfile::create_beside;
use crate::wave::{Format, NodesWriter, Scope, place};

/// Which waveform to write.
#[derive(Clone, Debug)]
pub struct Wave {
    /// The file.
    pub path: PathBuf,
    /// The nodes.
    pub nodes: Vec<usize>,
    /// The traffic cycles.
    pub cycles: Range<u64>,
}

/// A waveform being written, beside its place.
pub struct Trace {
    wave: Wave,
    writer: NodesWriter<'static>,
}

impl Trace {
    /// Opens the file; `scope` says of a node what it is, `sides` are the engines' names.
    pub fn new(wave: &Wave, scope: impl Fn(usize) -> Scope, cycle_ps: u64, sides: &[&str]) -> Result<Trace> {
        let scopes: Vec<Scope> = wave.nodes.iter().map(|&node| scope(node)).collect();
        let open = || {
            let file = BufWriter::new(create_beside(&wave.path)?);
            NodesWriter::new(file, Format::of(&wave.path), cycle_ps, &scopes, sides)
        };
        let writer = open().with_context(|| format!("cannot write {}", wave.path.display()))?;
        Ok(Trace { wave: wave.clone(), writer })
    }

    /// Writes the current cycle of the sides, if it is wanted; after `prepare`.
    pub fn cycle<T: Watched>(&mut self, sides: &mut [T]) -> Result<()> {
        let Some(t) = sides[0].time().filter(|t| self.wave.cycles.contains(t)) else { return Ok(()) };
        let mut write = || {
            self.writer.begin(t)?;
            for (at, &node) in self.wave.nodes.iter().enumerate() {
                for (s, side) in sides.iter_mut().enumerate() {
                    let mut result = Ok(());
                    side.look(node, &mut |v| result = self.writer.node(at, s, [v.input, v.output, v.state]));
                    result?;
                }
            }
            Ok(())
        };
        write()
            .map_err(|e: std::io::Error| e)
            .with_context(|| format!("cannot write {}", self.wave.path.display()))
    }

    /// Puts the file in its place, with layouts for viewers beside it.
    pub fn finish(self) -> Result<()> {
        place(&self.wave.path, || self.writer.finish())
    }
}
