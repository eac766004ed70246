//! How a waveform is opened: a layout for GTKWave, and a file of commands for Surfer.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::format::Format;
use super::fst::as_letters;
use super::sink::Kind;
use crate::outfile;

/// Cycles on the screen when it opens.
const SHOWN: u64 = 64;
/// Cycles that a wide window shows more.
const SPARE: u64 = 6;
/// Pixels that they take.
const PIXELS: f64 = 1200.0;
/// Pixels that the zoom of GTKWave counts with.
const FRAME: f64 = 200.0;

/// A variable in a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Its scopes.
    pub(super) scope: String,
    /// Its name there, with the number of the element.
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) hue: Hue,
}

/// What the color of a variable says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hue {
    Plain,
    /// What differs, in the RTL.
    Differs,
    /// And in what it is held against.
    Golden,
}

/// Variables under a title.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) title: String,
    /// Shown, not folded.
    pub(super) open: bool,
    pub(super) items: Vec<Item>,
}

/// What is shown of a waveform, and where it opens.
#[derive(Clone, Debug)]
pub struct View {
    pub(super) about: String,
    /// Units of time of a cycle.
    pub(super) cycle: u64,
    /// Picoseconds of a unit of time.
    pub(super) unit_ps: u64,
    /// The cycles in the file.
    pub(super) cycles: std::ops::Range<u64>,
    /// The cycle that it opens on, with a marker.
    pub(super) event: Option<u64>,
    pub(super) parts: Vec<Part>,
}

/// Where a waveform ends whose last cycle is `last`: half a screen later if something happens shortly before, so that this can stand in the
/// middle of the screen. Nothing changes there, the clock stands still.
pub(super) fn end(last: u64, event: Option<u64>) -> u64 {
    event.map_or(0, |e| e + SHOWN / 2 + SPARE).max(last + 1)
}

/// The files beside a waveform.
pub fn beside(wave: &Path) -> [PathBuf; 2] {
    ["gtkw", "sucl"].map(|kind| wave.with_extension(kind))
}

impl Item {
    /// With its scopes.
    fn path(&self, name: &str) -> String {
        if self.scope.is_empty() { name.into() } else { format!("{}.{name}", self.scope) }
    }
}

/// Ends a waveform that was written beside its place, puts it there, and writes layouts for viewers beside it.
pub fn place(path: &Path, finish: impl FnOnce() -> io::Result<View>) -> Result<()> {
    let whole = || {
        let view = finish()?;
        std::fs::rename(outfile::beside(path), path)?;
        io::Result::Ok(view)
    };
    whole().with_context(|| format!("cannot write {}", path.display()))?.write(path)
}

impl View {
    /// Writes layouts for both viewers beside the waveform.
    fn write(&self, wave: &Path) -> Result<()> {
        let [gtkw, sucl] = beside(wave);
        let name = wave.file_name().unwrap_or_default().to_string_lossy();
        outfile::write(&gtkw, self.gtkwave(&name).as_bytes())?;
        outfile::write(&sucl, self.surfer(&name).as_bytes())
    }

    /// The cycle at the left edge of the screen.
    fn left(&self) -> u64 {
        let from = self.event.map_or(self.cycles.start, |e| e.saturating_sub(SHOWN / 2));
        // GTKWave goes to the start if it would have to show what is beyond the end.
        from.min(self.cycles.end.saturating_sub(SHOWN + SPARE)).max(self.cycles.start)
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|p| !p.items.is_empty())
    }

    /// A saved layout of GTKWave.
    pub(super) fn gtkwave(&self, wave: &str) -> String {
        let packed = Format::of(Path::new(wave)) == Format::Fst;
        let mut s = String::new();
        let _ = writeln!(s, "[*] quell: {}", self.about);
        let _ = writeln!(s, "[*] gtkwave {wave} {}", Path::new(wave).with_extension("gtkw").display());
        // GTKWave counts in whole powers of 1000 of a second.
        let ps = |cycle: u64| cycle * self.cycle * self.unit_ps;
        let _ = writeln!(s, "[timestart] {}", ps(self.left()));
        let _ = writeln!(s, "[size] 1680 1000\n[pos] -1 -1");
        let zoom = -((SHOWN * self.cycle * self.unit_ps) as f64 * FRAME / PIXELS).log2();
        let marker = self.event.map_or("-1".to_string(), |e| ps(e).to_string());
        // The marker, and a second time as the one called A.
        let _ = writeln!(s, "*{zoom:.6} {marker} {marker}");
        let _ = writeln!(s, "[sst_expanded] 0\n[signals_width] 380");
        for part in self.parts() {
            let fold = if part.open { ("800200", "1000200") } else { ("c00200", "1401200") };
            let _ = writeln!(s, "@{}\n-{}", fold.0, part.title);
            for item in &part.items {
                match item.hue {
                    Hue::Plain => {}
                    Hue::Differs => s += "[color] 1\n",
                    Hue::Golden => s += "[color] 3\n",
                }
                let (flags, range) = match item.kind {
                    Kind::Bits(1) => ("28", String::new()),
                    Kind::Bits(width) => ("22", format!("[{}:0]", width - 1)),
                    Kind::Number => ("24", String::new()),
                    Kind::Text(longest) if packed => ("820", format!("[{}:0]", 8 * longest - 1)),
                    Kind::Text(_) => ("820", String::new()),
                };
                let text = packed && matches!(item.kind, Kind::Text(_));
                let name = if text { as_letters(&item.name) } else { item.name.clone() };
                let _ = writeln!(s, "@{flags}\n{}{range}", item.path(&name));
            }
            let _ = writeln!(s, "@{}\n-{}", fold.1, part.title);
        }
        s + "[pattern_trace] 1\n[pattern_trace] 0\n"
    }

    /// Commands of Surfer. `#` begins a comment there; titles are one word.
    pub(super) fn surfer(&self, wave: &str) -> String {
        let mut s = String::new();
        let _ = writeln!(s, "# quell: {}", self.about.replace(';', ","));
        let _ = writeln!(
            s,
            "# surfer {wave} --command-file {}",
            Path::new(wave).with_extension("sucl").display()
        );
        for part in self.parts().filter(|p| p.open) {
            let title = part.title.replace(|c: char| !c.is_alphanumeric(), "_");
            let _ = writeln!(s, "divider_add {title}");
            for item in &part.items {
                let _ = writeln!(s, "variable_add {}", item.path(&surfer_name(item)));
            }
        }
        let _ = writeln!(s, "zoom_fit");
        let mut cycles = self.cycles.end.saturating_sub(self.cycles.start);
        while cycles > 2 * SHOWN {
            s += "zoom_in\n";
            cycles /= 2;
        }
        if let Some(event) = self.event {
            let time = event * self.cycle;
            let _ = writeln!(s, "cursor_set {time}\nmarker_set event {time}");
        }
        s
    }
}

/// Surfer's library takes an element of several bits for a variable `[i]` in a scope of the signal's name.
fn surfer_name(item: &Item) -> String {
    match item.kind {
        Kind::Bits(width) if width > 1 => item.name.replace('[', ".["),
        _ => item.name.clone(),
    }
}
