//! Waveforms: RTL, golden model and their differences side by side, as VCD or FST, with layouts for viewers beside them.
//!
//! Scopes `rtl` and `golden` hold `clk`, all inputs, outputs and architectural state, named as in [`crate::signals`]; element i
//! of a signal of several is `name[i]`. Enumerations come a second time as readable text, `name_text_i`. Scope `mismatch`
//! has the cycle number, one bit per output and state signal, and `any`. Scope `events` has a bit per cover point, 1 in the
//! cycles in which it happens, and `last`: those that happened last. Scope `internals`, where it is asked for, has all that is
//! inside of the RTL. A cycle begins with the rising edge.
//!
//! ```
//! use quell::params::{Build, UnitKind};
//! use quell::wave::{Cycle, Event, Format, UnitWriter};
//! let build = Build::named(UnitKind::HcaThrottle, Some("tiny")).expect("a build");
//! let l = quell::signals::Layout::new(build.unit, &build.params);
//! let (output, state) = (vec![0; l.out_words], vec![0; l.state_words]);
//! let file = std::io::Cursor::new(Vec::new());
//! let mut wave = UnitWriter::new(file, Format::Vcd, &build, &[], &[])?;
//! wave.cycle(0, Cycle { input: &l.idle(), rtl: (&output, &state), golden: (&output, &state), hits: &[] })?;
//! let view = wave.finish(Some(&Event { cycle: 0, rules: String::new() }))?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod bank;
mod dump;
mod format;
mod fst;
mod internals;
mod looked;
mod nodes;
mod order;
mod sink;
#[cfg(test)]
mod tests;
mod trace;
mod view;

use std::io::{self, Seek, Write};

use crate::params::Build;
use crate::signals::{Group, Layout};
use bank::Bank;
pub use format::Format;
use internals::Internals;
use looked::{DIFFERING, Looked, item};
pub use nodes::{NodesWriter, Scope};
use sink::{Id, Kind, Sink};
pub use trace::TraceWriter;
use view::{Hue, Item, Part, end};
pub use view::{View, beside, place};

/// Units of time (100 ps) of a cycle: 12.8 ns, one flit at 40 Gbit/s.
pub const UNITS_PER_CYCLE: u64 = 128;
/// Letters of the names of what happened in a cycle.
const LAST: usize = 120;

/// What a waveform opens on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The cycle.
    pub cycle: u64,
    /// The rules that it is about: what they govern is shown near the top.
    pub rules: String,
}

/// The values of one cycle.
#[derive(Clone, Copy)]
pub struct Cycle<'a> {
    /// Inputs.
    pub input: &'a [u32],
    /// Outputs and state of the RTL.
    pub rtl: (&'a [u32], &'a [u32]),
    /// Outputs and state of the golden model.
    pub golden: (&'a [u32], &'a [u32]),
    /// The cover points that happen, by their numbers.
    pub hits: &'a [usize],
}

/// Writes the waveform of a unit cycle by cycle; only changes go to the file.
pub struct UnitWriter<'a> {
    sink: Box<dyn Sink + 'a>,
    build: Build,
    layout: Layout,
    clk: Id,
    cycle: Id,
    any: (Id, bool),
    /// Inputs, outputs and state of the RTL, outputs and state of the golden model.
    banks: [Bank; 5],
    bits: Vec<Bit>,
    events: Events,
    internals: Internals,
    from: Option<u64>,
    next: u64,
    /// The first cycle in which something differs, and what: signal and element.
    differs: Option<(u64, Vec<(usize, usize)>)>,
}

/// A bit of scope `mismatch`.
struct Bit {
    id: Id,
    signal: usize,
    last: bool,
}

/// Scope `events`.
struct Events {
    /// The cover points: variable, name, and whether it happened.
    points: Vec<(Id, String, bool)>,
    last: Option<Id>,
    /// Those that happened in the cycle before.
    on: Vec<usize>,
}

impl Events {
    fn new(sink: &mut dyn Sink, points: &[&str]) -> io::Result<Events> {
        let mut events = Events { points: Vec::new(), last: None, on: Vec::new() };
        if points.is_empty() {
            return Ok(events);
        }
        sink.scope("events")?;
        for name in points {
            events.points.push((sink.var(Kind::Bits(1), name, None)?, name.to_string(), false));
        }
        events.last = Some(sink.var(Kind::Text(LAST), "last", None)?);
        sink.upscope()?;
        Ok(events)
    }

    fn write(&mut self, sink: &mut dyn Sink, hits: &[usize], full: bool) -> io::Result<()> {
        for (i, (id, _, happened)) in self.points.iter_mut().enumerate() {
            let (was, now) = (self.on.contains(&i), hits.contains(&i));
            *happened |= now;
            if full || was != now {
                sink.bits(*id, &[now.into()])?;
            }
        }
        if let Some(id) = self.last.filter(|_| full || !hits.is_empty()) {
            let names: Vec<&str> = hits.iter().filter_map(|&i| Some(&*self.points.get(i)?.1)).collect();
            let mut text = if names.is_empty() { "none".into() } else { names.join(",") };
            text.truncate(LAST);
            sink.text(id, &text)?;
        }
        self.on.clear();
        self.on.extend_from_slice(hits);
        Ok(())
    }
}

/// The words of a signal's elements.
fn words(layout: &Layout, signal: usize) -> std::ops::Range<usize> {
    let s = &layout.signals[signal];
    s.offset..s.offset + s.stride() * s.count
}

impl<'a> UnitWriter<'a> {
    /// Writes the header; `points` names the cover points, if what happens is told; `inside` is the header of a VCD file with what
    /// is inside of the RTL, if that is ([`inside`](Self::inside)).
    pub fn new(
        to: impl Write + Seek + 'a,
        format: Format,
        build: &Build,
        points: &[&str],
        inside: &[u8],
    ) -> io::Result<Self> {
        let layout = Layout::new(build.unit, &build.params);
        let mut sink = format.sink(to, &build.title(), -10)?;
        let s = &mut *sink;

        s.scope("rtl")?;
        let clk = s.var(Kind::Bits(1), "clk", None)?;
        let input = Bank::new(s, &layout, Group::Input, None)?;
        let rtl = [Bank::new(s, &layout, Group::Output, None)?, Bank::new(s, &layout, Group::State, None)?];
        s.upscope()?;

        s.scope("golden")?;
        s.var(Kind::Bits(1), "clk", Some(clk))?;
        // The inputs are the same variables under a second name.
        Bank::new(s, &layout, Group::Input, Some(&input))?;
        let golden =
            [Bank::new(s, &layout, Group::Output, None)?, Bank::new(s, &layout, Group::State, None)?];
        s.upscope()?;

        s.scope("mismatch")?;
        let cycle = s.var(Kind::Number, "cycle", None)?;
        let any = (s.var(Kind::Bits(1), "any", None)?, false);
        let mut bits = Vec::new();
        for (signal, of) in layout.signals.iter().enumerate().filter(|(_, of)| of.group != Group::Input) {
            bits.push(Bit { id: s.var(Kind::Bits(1), of.name, None)?, signal, last: false });
        }
        s.upscope()?;
        let events = Events::new(s, points)?;
        let internals = Internals::new(s, inside)?;
        s.begin()?;
        let ([ro, rs], [go, gs]) = (rtl, golden);
        let banks = [input, ro, rs, go, gs];
        let (build, next) = (*build, 0);
        Ok(UnitWriter {
            sink,
            build,
            layout,
            clk,
            cycle,
            any,
            banks,
            bits,
            events,
            internals,
            from: None,
            next,
            differs: None,
        })
    }

    /// Takes what changes inside of the RTL in the cycles that are written next: a VCD file without its header, whose times are
    /// the numbers of the cycles.
    pub fn inside(&mut self, changes: &[u8]) -> io::Result<()> {
        self.internals.add(changes)
    }

    /// Writes a cycle. Cycles must come in order.
    pub fn cycle(&mut self, number: u64, c: Cycle) -> io::Result<()> {
        let time = number * UNITS_PER_CYCLE;
        let full = self.from.is_none();
        let sink = &mut *self.sink;
        sink.time(time)?;
        sink.bits(self.clk, &[1])?;
        sink.bits(self.cycle, &[number as u32, (number >> 32) as u32])?;
        for (bank, words) in self.banks.iter_mut().zip([c.input, c.rtl.0, c.rtl.1, c.golden.0, c.golden.1]) {
            bank.write(sink, words)?;
        }
        let differ = c.rtl != c.golden;
        if full || differ || self.any.1 {
            for bit in &mut self.bits {
                let state = self.layout.signals[bit.signal].group == Group::State;
                let (r, g) = if state { (c.rtl.1, c.golden.1) } else { (c.rtl.0, c.golden.0) };
                let at = words(&self.layout, bit.signal);
                let now = r[at.clone()] != g[at];
                if full || now != bit.last {
                    sink.bits(bit.id, &[now.into()])?;
                    bit.last = now;
                }
            }
        }
        if full || differ != self.any.1 {
            sink.bits(self.any.0, &[differ.into()])?;
            self.any.1 = differ;
        }
        self.events.write(sink, c.hits, full)?;
        self.internals.write(sink, number)?;
        sink.time(time + UNITS_PER_CYCLE / 2)?;
        sink.bits(self.clk, &[0])?;
        if differ && self.differs.is_none() {
            self.differs = Some((number, differing(&self.layout, &c)));
        }
        self.from = self.from.or(Some(number));
        self.next = number + 1;
        Ok(())
    }

    /// Ends the waveform. It opens on the event, or on the first cycle in which something differs.
    pub fn finish(mut self, event: Option<&Event>) -> io::Result<View> {
        let opens = event.map(|e| e.cycle).or(self.differs.as_ref().map(|d| d.0));
        if self.from.is_some() {
            self.next = end(self.next - 1, opens);
            self.sink.time(self.next * UNITS_PER_CYCLE)?;
        }
        let view = self.view(event, opens);
        self.sink.finish()?;
        Ok(view)
    }

    fn view(&self, event: Option<&Event>, opens: Option<u64>) -> View {
        let plain = |scope: &str, name: &str, kind| Item {
            scope: scope.into(),
            name: name.into(),
            kind,
            hue: Hue::Plain,
        };
        let bit = Kind::Bits(1);
        let mut items = vec![
            plain("mismatch", "cycle", Kind::Number),
            plain("mismatch", "any", bit),
            plain("rtl", "clk", bit),
        ];
        if self.events.last.is_some() {
            items.push(plain("events", "last", Kind::Text(LAST)));
        }
        let mut parts = vec![Part { title: "Comparison".into(), open: true, items }];
        let pairs = self.differs.iter().flat_map(|(_, found)| found).flat_map(|&(signal, element)| {
            let s = &self.layout.signals[signal];
            [("rtl", Hue::Differs), ("golden", Hue::Golden)].map(|(scope, hue)| item(scope, s, element, hue))
        });
        let title = "Differences, each RTL and golden model";
        parts.push(Part { title: title.into(), open: true, items: pairs.collect() });
        let [input, output, state, ..] = &self.banks;
        let looked = Looked {
            unit: self.build.unit,
            layout: &self.layout,
            scope: "rtl",
            banks: [input, output, state],
        };
        if let Some(e) = event.filter(|e| !e.rules.is_empty()) {
            let title = format!("What the rules govern: {}", e.rules);
            parts.push(Part { title, open: true, items: looked.ruled(&e.rules) });
        }
        parts.append(&mut looked.parts(""));
        // Above what is folded: what happened.
        let happened = self.events.points.iter().filter(|p| p.2);
        let items = happened.map(|(_, name, _)| plain("events", name, bit)).collect();
        let at = parts.iter().position(|p| !p.open).unwrap_or(parts.len());
        parts.insert(at, Part { title: "What happened: cover points".into(), open: true, items });
        View {
            about: self.build.title(),
            cycle: UNITS_PER_CYCLE,
            unit_ps: 100,
            cycles: self.from.unwrap_or(0)..self.next,
            event: opens,
            parts,
        }
    }
}

/// The elements that differ in a cycle, as signal and element.
fn differing(layout: &Layout, c: &Cycle) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (signal, s) in layout.signals.iter().enumerate().filter(|(_, s)| s.group != Group::Input) {
        let (r, g) = if s.group == Group::State { (c.rtl.1, c.golden.1) } else { (c.rtl.0, c.golden.0) };
        for i in 0..s.count {
            let at = s.offset + i * s.stride()..s.offset + (i + 1) * s.stride();
            if r[at.clone()] != g[at] {
                found.push((signal, i));
            }
        }
    }
    found.truncate(DIFFERING);
    found
}
