//! The lockstep loop.
//!
//! Work is done in batches of cycles. The *producer* runs stimulus and golden model, which never look at the RTL, and notes
//! inputs, outputs and state of each cycle; the *consumer* runs the RTL over the batch's inputs and compares. They alternate
//! in one thread, or run in two.

use std::io::BufWriter;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{channel, sync_channel};
use std::time::Instant;

use super::compared::Compared;
use super::events::scoreboard::{Broken, Scoreboard};
use super::outcome::{CoverCount, Difference, Failure, Options, Report, Vcd};
use super::recording::{Inputs, element, hex};
use super::source::Source;
use crate::model::Unit;
use crate::outfile::create_beside;
use crate::params::{Build, UnitKind};
use crate::signals::{Group, Layout, Signal};
use crate::wave::{Cycle, Event, Format, UnitWriter, place};

/// The RTL side, or whatever stands for it.
pub trait Dut: Send {
    /// Applies reset for a few clocked cycles with arbitrary inputs; afterwards the unit is in cycle 0.
    fn reset(&mut self);
    /// The outputs as they stand before the inputs of the next cycle are known: those of that cycle, of a Moore unit.
    fn sample(&mut self, outputs: &mut [u32]);
    /// Runs `n` cycles: inputs applied, outputs and state sampled before the edge, edge. The slices hold `n` word vectors
    /// each. On an error in cycle `at`, outputs and states up to and including that cycle have been written.
    fn cycles(
        &mut self,
        n: usize,
        inputs: &[u32],
        outputs: &mut [u32],
        states: &mut [u32],
    ) -> Result<(), DutError>;
    /// Notes what is inside in these cycles, counted from the reset, which comes after this. The header of a VCD file; empty from a
    /// device whose inside cannot be seen.
    fn note(&mut self, _cycles: Range<u64>) -> Vec<u8> {
        Vec::new()
    }
    /// What has been noted since this was called last: a VCD file without its header, whose times are the numbers of the cycles.
    fn noted(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// Cycles of the waveform, counted from the reset.
pub(super) fn shown_in(vcd: &Vcd) -> Range<u64> {
    vcd.from..vcd.cycles.map_or(u64::MAX, |n| vcd.from.saturating_add(n))
}

/// A checker inside the device fired, or it broke.
#[derive(Clone, Debug)]
pub struct DutError {
    /// In which of the cycles of the call.
    pub at: usize,
    /// What it said.
    pub message: String,
    /// The cycle has outputs: it came to its end.
    pub sampled: bool,
}

#[cfg(feature = "rtl")]
impl Dut for crate::verilated::Model {
    fn reset(&mut self) {
        self.reset();
    }
    fn sample(&mut self, outputs: &mut [u32]) {
        self.sample(outputs, &mut []);
    }
    fn cycles(
        &mut self,
        n: usize,
        inputs: &[u32],
        outputs: &mut [u32],
        states: &mut [u32],
    ) -> Result<(), DutError> {
        self.cycles(n, inputs, outputs, states).map_err(|e| DutError {
            at: e.at,
            message: e.message,
            sampled: e.sampled,
        })
    }
    fn note(&mut self, cycles: Range<u64>) -> Vec<u8> {
        self.note(cycles)
    }
    fn noted(&mut self) -> Vec<u8> {
        self.noted()
    }
}

/// Makes a device under test for a power-up seed.
pub type DutMaker<'a> = &'a (dyn Fn(u64) -> Result<Box<dyn Dut>, String> + Sync);

/// How to make the two sides (they are made anew for waveforms and minimising).
pub struct Bench<'a> {
    /// The model.
    pub build: &'a Build,
    /// Makes a device under test for a power-up seed.
    pub dut: DutMaker<'a>,
    /// The same for runs with a waveform that shows what is inside.
    pub inside: Option<DutMaker<'a>>,
    /// Makes a golden model.
    pub golden: &'a (dyn Fn() -> Result<Box<dyn Unit>, String> + Sync),
    /// What is compared; `None`: everything.
    pub compared: Option<&'a Compared>,
    /// Makes who judges in the place of the golden model, by rules and not by cycles.
    pub judge: Option<&'a (dyn Fn() -> Box<dyn Scoreboard> + Sync)>,
}

impl Bench<'_> {
    /// Makes a device for a run, which notes what is inside if there is a waveform for that; and the header of the notes.
    pub(super) fn device(&self, seed: u64, vcd: Option<&Vcd>) -> Result<(Box<dyn Dut>, Vec<u8>), Failure> {
        let (make, window) = match (self.inside, vcd) {
            (Some(make), Some(vcd)) => (make, Some(shown_in(vcd))),
            _ => (self.dut, None),
        };
        let mut dut = make(seed).map_err(Failure::Setup)?;
        let header = window.map_or(Vec::new(), |cycles| dut.note(cycles));
        dut.reset();
        Ok((dut, header))
    }
}

/// The stimulus that `source` gives in `cycles` cycles, as the golden model alone makes it: for saving and for benchmarks.
pub fn record(
    build: &Build,
    source: &mut dyn Source,
    cycles: u64,
    seed: u64,
) -> Result<super::Stimulus, String> {
    let layout = Layout::new(build.unit, &build.params);
    let mut golden = crate::model::new(build.unit, &build.params)?;
    golden.reset();
    let mut producer = Producer::new(golden, build, source, cycles, None);
    let mut inputs = Inputs::new(layout.in_words);
    let mut b = Batch::default();
    while producer.fill(&mut b, batch_cycles(&layout)) {
        b.inputs.chunks(layout.in_words).for_each(|v| inputs.push(v));
    }
    Ok(super::Stimulus { build: *build, seed, comments: Vec::new(), inputs, cycles })
}

/// Inputs that a failure report shows.
pub(crate) const HISTORY: usize = 32;

/// Some cycles: what goes in, and what the golden model says.
#[derive(Default)]
struct Batch {
    n: usize,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    states: Vec<u32>,
    /// Cover points that happened, if somebody wants to know: number of the cycle and of the point.
    hits: Vec<(usize, usize)>,
}

/// Stimulus and golden model.
struct Producer<'a> {
    golden: Box<dyn Unit>,
    source: &'a mut dyn Source,
    moore: bool,
    /// Words of input, output, state.
    words: (usize, usize, usize),
    /// The input of a cycle before the source has written it.
    idle: Vec<u32>,
    /// Outputs of the previous cycle.
    previous: Vec<u32>,
    packets: Packets,
    left: u64,
    recording: Option<&'a mut Recording>,
    /// How often each cover point was hit before the current cycle; and the cycles of the run in which that is looked at.
    watch: Option<(Vec<u64>, Range<u64>)>,
    cycle: u64,
}

impl<'a> Producer<'a> {
    fn new(
        golden: Box<dyn Unit>,
        build: &Build,
        source: &'a mut dyn Source,
        cycles: u64,
        recording: Option<&'a mut Recording>,
    ) -> Self {
        let layout = Layout::new(build.unit, &build.params);
        Producer {
            moore: golden.is_moore(),
            golden,
            source,
            words: (layout.in_words, layout.out_words, layout.state_words),
            idle: layout.idle(),
            previous: vec![0; layout.out_words],
            packets: Packets::new(build, &layout),
            left: cycles,
            recording,
            watch: None,
            cycle: 0,
        }
    }

    /// From now on tells which cover points happen in these cycles.
    fn watch(&mut self, cycles: Range<u64>) {
        self.watch = Some((Vec::new(), cycles));
    }

    /// Notes what happened in the cycle `i` of a batch.
    fn look(&mut self, i: usize, hits: &mut Vec<(usize, usize)>) {
        let Some((before, cycles)) = &mut self.watch else { return };
        if !cycles.contains(&self.cycle) {
            return;
        }
        let now = self.golden.cover();
        hits.extend(before.iter().zip(now).enumerate().filter(|(_, (b, n))| b != n).map(|(p, _)| (i, p)));
    }

    /// What was hit before the cycle.
    fn remember(&mut self) {
        let Some((before, cycles)) = &mut self.watch else { return };
        if cycles.contains(&self.cycle) {
            before.clear();
            before.extend_from_slice(self.golden.cover());
        }
    }

    /// Fills a batch of at most `n` cycles; false at the end of the run.
    fn fill(&mut self, b: &mut Batch, n: usize) -> bool {
        let n = self.left.min(n as u64) as usize;
        self.left -= n as u64;
        b.n = n;
        let (iw, ow, sw) = self.words;
        for (v, words) in [(&mut b.outputs, ow), (&mut b.states, sw)] {
            v.clear();
            v.resize(n * words, 0);
        }
        b.inputs.clear();
        b.hits.clear();
        (0..n).for_each(|_| b.inputs.extend_from_slice(&self.idle));
        for i in 0..n {
            let input = &mut b.inputs[i * iw..(i + 1) * iw];
            let output = &mut b.outputs[i * ow..(i + 1) * ow];
            if self.moore {
                self.golden.outputs(&[], output);
                self.source.drive(output, input);
            } else {
                self.source.drive(&self.previous, input);
                self.golden.outputs(input, output);
                self.previous.copy_from_slice(output);
            }
            self.golden.state(&mut b.states[i * sw..(i + 1) * sw]);
            self.remember();
            self.golden.step(&b.inputs[i * iw..(i + 1) * iw]);
            self.look(i, &mut b.hits);
            self.cycle += 1;
            self.packets.count(&b.inputs[i * iw..(i + 1) * iw], &b.outputs[i * ow..(i + 1) * ow]);
        }
        if let Some(r) = &mut self.recording {
            r.add(&b.inputs, iw);
        }
        n > 0
    }

    fn cover(&self) -> Vec<CoverCount> {
        let points = self.golden.cover_points().iter().zip(self.golden.cover());
        points.map(|(p, &count)| CoverCount { name: p.name, rules: p.rules, text: p.text, count }).collect()
    }
}

/// Counts packets in the golden model's outputs.
pub(super) struct Packets {
    /// Words of outputs of which each bit 0 set is a packet, ...
    outputs: std::ops::Range<usize>,
    /// ... if this input is set, where there is one.
    input: Option<usize>,
    pub(super) count: u64,
}

impl Packets {
    pub(super) fn new(build: &Build, l: &Layout) -> Packets {
        let (name, input) = match build.unit {
            UnitKind::InputPort => ("xb_first", None),
            UnitKind::OutputPort
            | UnitKind::Switch
            | UnitKind::Hca
            | UnitKind::WormRouter
            | UnitKind::WormAdapter => ("tx_first", None),
            UnitKind::InjectionControl => ("give_valid", None),
            UnitKind::HcaThrottle | UnitKind::SourceResponse | UnitKind::Reservation => {
                ("inj_valid", Some(l.input("inj_ready")))
            }
        };
        let s = l.signal(Group::Output, name);
        Packets { outputs: s.offset..s.offset + s.count, input, count: 0 }
    }

    pub(super) fn are(unit: UnitKind) -> &'static str {
        match unit {
            UnitKind::InputPort => "packets sent to the crossbar",
            UnitKind::OutputPort | UnitKind::Switch => "packets sent to the links",
            UnitKind::Hca => "packets sent to the link",
            UnitKind::WormRouter => "messages sent to the links",
            UnitKind::WormAdapter => "messages sent to the link",
            UnitKind::InjectionControl => "counts given to the side-band",
            UnitKind::HcaThrottle | UnitKind::SourceResponse | UnitKind::Reservation => "accepted injections",
        }
    }

    pub(super) fn count(&mut self, input: &[u32], output: &[u32]) {
        let accepted = self.input.is_none_or(|w| input[w] == 1);
        let n: u32 = output[self.outputs.clone()].iter().sum();
        self.count += u64::from(accepted) * u64::from(n);
    }
}

/// What went wrong, before it is made into a report.
pub(crate) enum Wrong {
    /// In the cycle's outputs or state.
    Values(Vec<Difference>),
    /// The message of a checker.
    Checker(String),
    /// What a scoreboard found.
    Rule(Broken),
}

impl Wrong {
    /// True if `other` is the same kind of failure: the first differing signal of `self` differs there too.
    pub(crate) fn same_as(&self, other: &Wrong) -> bool {
        match (self, other) {
            (Wrong::Values(a), Wrong::Values(b)) => {
                b.iter().any(|d| (d.group, d.signal) == (a[0].group, a[0].signal))
            }
            (Wrong::Checker(a), Wrong::Checker(b)) => a == b,
            (Wrong::Rule(a), Wrong::Rule(b)) => a.kind == b.kind,
            _ => false,
        }
    }

    /// The rules that it is about.
    pub(super) fn rules(&self) -> String {
        match self {
            Wrong::Rule(broken) => broken.rules.into(),
            // A signal of many rules says little.
            Wrong::Values(differences) => differences[0].rules.into(),
            Wrong::Checker(_) => String::new(),
        }
    }
}

type Wave = UnitWriter<'static>;

/// What a run remembers of its cycles: how many there were, the waveform, the last inputs.
pub(super) struct Sight {
    pub(super) layout: Layout,
    /// Cycle number of the next cycle.
    pub(super) cycle: u64,
    wave: Option<(Wave, Vcd)>,
    /// The last [`HISTORY`] input vectors.
    tail: Vec<u32>,
    /// What happens in the next cycles, in order.
    hits: Vec<(usize, usize)>,
}

/// Outputs and state of some cycles.
type Side<'a> = (&'a [u32], &'a [u32]);

impl Sight {
    /// With these cover points, of which [`Sight::happened`] tells, and with what this header of a device's notes names.
    pub(super) fn new(
        build: &Build,
        vcd: Option<&Vcd>,
        points: &[&str],
        inside: &[u8],
    ) -> Result<Sight, Failure> {
        let wave = match vcd {
            None => None,
            Some(v) => Some((open_wave(v, build, points, inside).map_err(Failure::Io)?, v.clone())),
        };
        let layout = Layout::new(build.unit, &build.params);
        Ok(Sight { layout, cycle: 0, wave, tail: Vec::new(), hits: Vec::new() })
    }

    /// The cover points that happen in the cycles that are noted next: number of the cycle among them, and of the point.
    fn happened(&mut self, hits: &[(usize, usize)]) {
        self.hits.clear();
        self.hits.extend_from_slice(hits);
    }

    /// What a device has noted in the cycles that are noted next.
    pub(super) fn inside(&mut self, changes: &[u8]) -> Result<(), String> {
        let Some((wave, window)) = &mut self.wave else { return Ok(()) };
        wave.inside(changes).map_err(|e| format!("{}: what is inside of the RTL: {e}", window.path.display()))
    }

    /// Takes `n` cycles: inputs, and what both sides gave.
    pub(super) fn note(&mut self, n: usize, inputs: &[u32], rtl: Side, golden: Side) -> Result<(), String> {
        self.write_wave(n, inputs, rtl, golden)?;
        let inputs = &inputs[..n * self.layout.in_words];
        let keep = HISTORY * self.layout.in_words;
        let old = self.tail.len().min(keep.saturating_sub(inputs.len()));
        self.tail.drain(..self.tail.len() - old);
        self.tail.extend_from_slice(&inputs[inputs.len().saturating_sub(keep)..]);
        self.cycle += n as u64;
        Ok(())
    }

    /// Writes those of the cycles that lie in the window.
    fn write_wave(&mut self, n: usize, inputs: &[u32], rtl: Side, golden: Side) -> Result<(), String> {
        let Some((wave, window)) = &mut self.wave else { return Ok(()) };
        let (iw, ow, sw) = (self.layout.in_words, self.layout.out_words, self.layout.state_words);
        for i in 0..n {
            let cycle = self.cycle + i as u64;
            if cycle < window.from || window.cycles.is_some_and(|n| cycle - window.from >= n) {
                continue;
            }
            let (o, s) = (i * ow..(i + 1) * ow, i * sw..(i + 1) * sw);
            let hits: Vec<usize> = self.hits.iter().filter(|h| h.0 == i).map(|h| h.1).collect();
            wave.cycle(
                cycle,
                Cycle {
                    input: &inputs[i * iw..(i + 1) * iw],
                    rtl: (&rtl.0[o.clone()], &rtl.1[s.clone()]),
                    golden: (&golden.0[o], &golden.1[s]),
                    hits: &hits,
                },
            )
            .map_err(|e| format!("cannot write {}: {e}", window.path.display()))?;
        }
        Ok(())
    }

    /// Closes the waveform, which opens on its event, or on what is wrong in the last cycle if that is in it; the last inputs.
    pub(super) fn close(self, wrong: Option<&Wrong>) -> Result<Vec<u32>, Failure> {
        let last = self.cycle.saturating_sub(1);
        if let Some((wave, v)) = self.wave {
            let wrong = wrong.filter(|_| shown_in(&v).contains(&last));
            let event = v.event.clone().or(wrong.map(|w| Event { cycle: last, rules: w.rules() }));
            place(&v.path, || wave.finish(event.as_ref())).map_err(|e| Failure::Io(format!("{e:#}")))?;
        }
        Ok(self.tail)
    }
}

/// RTL and comparison.
struct Consumer<'a> {
    dut: Box<dyn Dut>,
    compared: Option<&'a Compared>,
    outputs: Vec<u32>,
    states: Vec<u32>,
    sight: Sight,
}

impl Consumer<'_> {
    /// Runs a batch up to the first cycle in which something is wrong; that is then the last one done.
    fn check(&mut self, b: &Batch) -> Result<Option<Wrong>, String> {
        let layout = &self.sight.layout;
        let (ow, sw) = (layout.out_words, layout.state_words);
        self.outputs.resize(b.n * ow, 0);
        self.states.resize(b.n * sw, 0);
        let error = self.dut.cycles(b.n, &b.inputs, &mut self.outputs, &mut self.states).err();
        // Outputs are sampled before the edge at which checkers fire: a difference in the same cycle comes first.
        let valid = error.as_ref().map_or(b.n, |e| e.at + usize::from(e.sampled));
        if let Some(compared) = self.compared {
            compared.level((&mut self.outputs, &mut self.states), (&b.outputs, &b.states));
        }
        let mut wrong = None;
        if self.outputs[..valid * ow] != b.outputs[..valid * ow]
            || self.states[..valid * sw] != b.states[..valid * sw]
        {
            wrong = (0..valid).find_map(|i| {
                let (o, s) = (i * ow..(i + 1) * ow, i * sw..(i + 1) * sw);
                let rtl = (&self.outputs[o.clone()], &self.states[s.clone()]);
                let golden = (&b.outputs[o], &b.states[s]);
                (rtl != golden).then(|| (i, Wrong::Values(differences(layout, rtl, golden))))
            });
        }
        let wrong = wrong.or(error.map(|e| (e.at, Wrong::Checker(e.message))));
        let shown = wrong.as_ref().map_or(b.n, |(i, _)| i + 1);
        let rtl = (&self.outputs[..], &self.states[..]);
        self.sight.happened(&b.hits);
        self.sight.inside(&self.dut.noted())?;
        self.sight.note(shown, &b.inputs, rtl, (&b.outputs, &b.states))?;
        Ok(wrong.map(|(_, w)| w))
    }
}

/// All elements that differ.
pub(crate) fn differences(
    layout: &Layout,
    rtl: (&[u32], &[u32]),
    golden: (&[u32], &[u32]),
) -> Vec<Difference> {
    let mut found = Vec::new();
    for s in layout.signals.iter().filter(|s| s.group != Group::Input) {
        let (r, g) = if s.group == Group::Output { (rtl.0, golden.0) } else { (rtl.1, golden.1) };
        for i in 0..s.count {
            let (r, g) = (element(s, r, i), element(s, g, i));
            if r != g {
                let xor: Vec<u32> = r.iter().zip(g).map(|(r, g)| r ^ g).collect();
                found.push(Difference {
                    signal: s.name,
                    group: s.group,
                    element: i,
                    count: s.count,
                    rules: s.rules,
                    rtl: shown(s, r),
                    golden: shown(s, g),
                    xor: hex(&xor),
                });
            }
        }
    }
    found
}

/// A value for people: `2 (HOT)`.
fn shown(s: &Signal, value: &[u32]) -> String {
    match s.show.names().get(value[0] as usize) {
        Some(name) => format!("{} ({name})", hex(value)),
        None => hex(value),
    }
}

/// The inputs of a run, for reproducers.
pub(super) struct Recording {
    pub(super) inputs: Inputs,
    pub(super) limit: usize,
    pub(super) overflowed: bool,
}

impl Recording {
    pub(super) fn add(&mut self, inputs: &[u32], words: usize) {
        if self.overflowed {
            return;
        }
        inputs.chunks(words).for_each(|v| self.inputs.push(v));
        if self.inputs.bytes() > self.limit {
            self.overflowed = true;
            self.inputs = Inputs::new(words);
        }
    }
}

/// How a lockstep run ended.
pub(super) struct Ended {
    pub(super) report: Report,
    pub(super) wrong: Option<(u64, Wrong)>,
    /// The last inputs, up to the failure.
    pub(super) tail: Vec<u32>,
}

/// Cycles of a batch: long enough to make calls and hand-over cheap, short enough to stay in the cache.
pub(super) fn batch_cycles(l: &Layout) -> usize {
    (32768 / (l.in_words + l.out_words + l.state_words)).clamp(16, 256)
}

pub(super) fn lockstep(
    bench: &Bench,
    source: &mut dyn Source,
    options: &Options,
    vcd: Option<&Vcd>,
    recording: Option<&mut Recording>,
) -> Result<Ended, Failure> {
    let layout = Layout::new(bench.build.unit, &bench.build.params);
    let mut golden = (bench.golden)().map_err(Failure::Setup)?;
    golden.reset();
    let (dut, inside) = bench.device(options.seed, vcd)?;
    let size = batch_cycles(&layout);
    let mut producer = Producer::new(golden, bench.build, source, options.cycles, recording);
    let names: Vec<&str> = producer.golden.cover_points().iter().map(|p| p.name).collect();
    let sight = Sight::new(bench.build, vcd, &names, &inside)?;
    if let Some(v) = vcd {
        producer.watch(shown_in(v));
    }
    let mut consumer =
        Consumer { dut, compared: bench.compared, outputs: Vec::new(), states: Vec::new(), sight };
    let mut ticker = Ticker { options, since: 0 };

    let start = Instant::now();
    let mut stopped = false;
    let result: Result<Option<Wrong>, String> = if options.pipeline && options.cycles > 4 * size as u64 {
        std::thread::scope(|scope| {
            let (full_in, full_out) = sync_channel::<Batch>(4);
            let (empty_in, empty_out) = channel::<Batch>();
            for _ in 0..4 {
                let _ = empty_in.send(Batch::default());
            }
            let producer = &mut producer;
            // Ends when the run does, or when the consumer has dropped its ends.
            scope.spawn(move || {
                while let Ok(mut b) = empty_out.recv() {
                    if !producer.fill(&mut b, size) || full_in.send(b).is_err() {
                        break;
                    }
                }
            });
            loop {
                let Ok(b) = full_out.recv() else { return Ok(None) };
                if let Some(w) = consumer.check(&b)? {
                    return Ok(Some(w));
                }
                if ticker.tick(b.n) {
                    stopped = true;
                    return Ok(None);
                }
                let _ = empty_in.send(b);
            }
        })
    } else {
        let mut b = Batch::default();
        loop {
            if !producer.fill(&mut b, size) {
                break Ok(None);
            }
            match consumer.check(&b) {
                Err(e) => break Err(e),
                Ok(Some(w)) => break Ok(Some(w)),
                Ok(None) => {}
            }
            if ticker.tick(b.n) {
                stopped = true;
                break Ok(None);
            }
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    ticker.flush();
    let cycles = consumer.sight.cycle;
    let wrong = result.map_err(Failure::Io)?;
    let tail = consumer.sight.close(wrong.as_ref())?;
    let wrong = wrong.map(|w| (cycles - 1, w));
    let report = Report {
        cycles,
        packets: producer.packets.count,
        packets_are: Packets::are(bench.build.unit),
        cover: producer.cover(),
        seconds,
        cycles_per_second: cycles as f64 / seconds.max(1e-9),
        seed: options.seed,
        stopped,
    };
    Ok(Ended { report, wrong, tail })
}

/// Reports progress now and then, and looks at the stop flag.
pub(super) struct Ticker<'a, 'b> {
    pub(super) options: &'a Options<'b>,
    pub(super) since: u64,
}

impl Ticker<'_, '_> {
    /// True if the run is to stop.
    pub(super) fn tick(&mut self, n: usize) -> bool {
        self.since += n as u64;
        if self.since >= 8192 {
            self.flush();
        }
        self.options.stop.is_some_and(|s| s.load(Ordering::Relaxed))
    }

    pub(super) fn flush(&mut self) {
        if let Some(p) = self.options.progress
            && self.since > 0
        {
            p(self.since);
        }
        self.since = 0;
    }
}

/// Opens the waveform beside its place.
fn open_wave(v: &Vcd, build: &Build, points: &[&str], inside: &[u8]) -> Result<Wave, String> {
    let open = || {
        let to = BufWriter::new(create_beside(&v.path)?);
        UnitWriter::new(to, Format::of(&v.path), build, points, inside)
    };
    open().map_err(|e: std::io::Error| format!("cannot write {}: {e}", v.path.display()))
}
