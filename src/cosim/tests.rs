//! The engine against itself: a toy unit on both sides, one of them made wrong.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::recording::{self, Replay};
use super::source::Source;
use super::*;
use crate::model::{CoverPoint, Unit};
use crate::params::Build;
use crate::params::{UnitKind, builds};
use crate::signals::Group;
use crate::signals::Layout;
use std::time::Duration;

/// What is wrong with a toy.
#[derive(Clone, Copy)]
enum Fault {
    None,
    /// Bit 5 of output `inj_flow` is wrong in this cycle.
    Output(u64),
    /// State `st_sl_steps[3]` is wrong for ever after `becn_valid` with flow 3 and, later, `cct_we` with address 5.
    Sequence,
}

/// A unit with the ports of the tiny throttle and a behaviour of its own.
struct Toy {
    layout: Layout,
    moore: bool,
    fault: Fault,
    cycle: u64,
    acc: u32,
    armed: bool,
    broken: bool,
    cover: [u64; 2],
}

static POINTS: [CoverPoint; 2] = [
    CoverPoint { name: "becn", rules: "H3", text: "a notification" },
    CoverPoint { name: "never", rules: "H4", text: "does not happen" },
];

impl Unit for Toy {
    fn is_moore(&self) -> bool {
        self.moore
    }
    fn reset(&mut self) {
        (self.cycle, self.acc, self.armed, self.broken) = (0, 1, false, false);
    }
    fn outputs(&self, input: &[u32], out: &mut [u32]) {
        let l = &self.layout;
        out[l.output("ready")] = 1;
        out[l.output("inj_valid")] = self.acc & 1;
        out[l.output("inj_flow")] = self.acc & 0xffff;
        if !self.moore {
            out[l.output("inj_flow")] ^= input[l.input("req")];
        }
        if matches!(self.fault, Fault::Output(c) if c == self.cycle) {
            out[l.output("inj_flow")] ^= 1 << 5;
        }
    }
    fn state(&self, state: &mut [u32]) {
        state[self.layout.state("st_now")] = self.acc & 0x3ff;
        state[self.layout.state("st_sl_steps") + 3] = u32::from(self.broken);
    }
    fn step(&mut self, input: &[u32]) {
        let l = &self.layout;
        let becn = input[l.input("becn_valid")] == 1;
        self.cover[0] += u64::from(becn);
        if let Fault::Sequence = self.fault {
            self.broken |= self.armed && input[l.input("cct_we")] == 1 && input[l.input("cct_addr")] == 5;
            self.armed |= becn && input[l.input("becn_flow")] == 3;
        }
        self.acc = input.iter().fold(self.acc.rotate_left(3), |a, w| (a ^ w).wrapping_mul(0x9e37_79b1));
        self.cycle += 1;
    }
    fn cover_points(&self) -> &'static [CoverPoint] {
        &POINTS
    }
    fn cover(&self) -> &[u64] {
        &self.cover
    }
}

/// A unit as device under test.
struct Twin {
    unit: Box<dyn Unit>,
    layout: Layout,
    cycle: u64,
    /// A checker fires in this cycle.
    checker: Option<u64>,
}

impl Dut for Twin {
    fn reset(&mut self) {
        self.unit.reset();
    }
    fn sample(&mut self, outputs: &mut [u32]) {
        self.unit.outputs(&self.layout.idle(), outputs);
    }
    fn cycles(
        &mut self,
        n: usize,
        inputs: &[u32],
        outputs: &mut [u32],
        states: &mut [u32],
    ) -> Result<(), DutError> {
        let l = &self.layout;
        for at in 0..n {
            let input = &inputs[at * l.in_words..][..l.in_words];
            let (output, state) = (
                &mut outputs[at * l.out_words..][..l.out_words],
                &mut states[at * l.state_words..][..l.state_words],
            );
            output.fill(0);
            state.fill(0);
            self.unit.outputs(input, output);
            self.unit.state(state);
            self.unit.step(input);
            self.cycle += 1;
            if self.checker == Some(self.cycle - 1) {
                return Err(DutError { at, message: "toy.sv:12: a_toy failed\n".into(), sampled: true });
            }
        }
        Ok(())
    }
}

struct Setup {
    build: Build,
    moore: bool,
    fault: Fault,
    checker: Option<u64>,
}

impl Setup {
    fn new(fault: Fault) -> Setup {
        let build =
            builds().into_iter().find(|b| b.unit == UnitKind::HcaThrottle && b.name == "tiny").unwrap();
        Setup { build, moore: true, fault, checker: None }
    }

    fn layout(&self) -> Layout {
        Layout::new(self.build.unit, &self.build.params)
    }

    fn toy(&self, fault: Fault) -> Box<dyn Unit> {
        let (layout, moore) = (self.layout(), self.moore);
        Box::new(Toy { layout, moore, fault, cycle: 0, acc: 0, armed: false, broken: false, cover: [0; 2] })
    }

    fn run(&self, source: &mut dyn Source, options: &Options) -> Result<Report, Failure> {
        let dut = |_| -> Result<Box<dyn Dut>, String> {
            let unit = self.toy(Fault::None);
            Ok(Box::new(Twin { unit, layout: self.layout(), cycle: 0, checker: self.checker }))
        };
        let golden = || Ok(self.toy(self.fault));
        run_on(
            &Bench {
                build: &self.build,
                dut: &dut,
                golden: &golden,
                compared: None,
                judge: None,
                inside: None,
            },
            source,
            options,
        )
    }
}

/// Outputs that a source saw, and what it drove.
type Seen = (Vec<u32>, Vec<u32>);

/// Random inputs; keeps what it saw and drove.
struct Random {
    layout: Layout,
    x: u32,
    log: Vec<Seen>,
}

impl Random {
    fn new(seed: u32) -> Random {
        Random { layout: Setup::new(Fault::None).layout(), x: seed | 1, log: Vec::new() }
    }
    fn next(&mut self) -> u32 {
        self.x ^= self.x << 13;
        self.x ^= self.x >> 17;
        self.x ^= self.x << 5;
        self.x
    }
}

impl Source for Random {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        assert!(input.iter().all(|w| *w == 0));
        for (name, mask) in
            [("req", 0x1f), ("becn_valid", 1), ("becn_flow", 7), ("inj_ready", 1), ("cct_addr", 7)]
        {
            input[self.layout.input(name)] = self.next() & mask;
        }
        input[self.layout.input("cct_we")] = u32::from(self.next().is_multiple_of(16));
        self.log.push((seen.to_vec(), input.to_vec()));
    }
}

fn options(cycles: u64) -> Options<'static> {
    Options { cycles, seed: 5, pipeline: false, minimise: Duration::from_millis(700), ..Options::default() }
}

fn mismatch(result: Result<Report, Failure>) -> Mismatch {
    match result {
        Err(Failure::Mismatch(m)) => *m,
        other => panic!("expected a mismatch, got {other:?}"),
    }
}

#[test]
fn equal_models_run_to_the_end_in_one_thread_or_two() {
    let setup = Setup::new(Fault::None);
    let mut counts = Vec::new();
    for pipeline in [false, true] {
        let mut source = Random::new(1);
        let done = AtomicU64::new(0);
        let progress = |n| {
            done.fetch_add(n, Ordering::Relaxed);
        };
        let o = Options { pipeline, progress: Some(&progress), ..options(20_001) };
        let r = setup.run(&mut source, &o).unwrap();
        assert_eq!((r.cycles, r.seed, r.stopped), (20_001, 5, false));
        assert_eq!((source.log.len(), done.load(Ordering::Relaxed)), (20_001, 20_001));
        assert_eq!((r.cover[0].name, r.cover[1].count), ("becn", 0));
        let l = setup.layout();
        let sum = |f: &dyn Fn(&Seen) -> u32| source.log.iter().map(|x| u64::from(f(x))).sum::<u64>();
        assert_eq!(r.cover[0].count, sum(&|(_, i)| i[l.input("becn_valid")]));
        assert_eq!(r.packets, sum(&|(s, i)| s[l.output("inj_valid")] & i[l.input("inj_ready")]));
        assert!(r.packets > 4000 && r.packets_are == "accepted injections");
        counts.push((r.packets, r.cover));
    }
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn a_moore_unit_shows_this_cycle_and_a_mealy_unit_the_last_one() {
    for moore in [true, false] {
        let setup = Setup { moore, ..Setup::new(Fault::None) };
        let mut source = Random::new(2);
        setup.run(&mut source, &options(100)).unwrap();
        let mut toy = setup.toy(Fault::None);
        toy.reset();
        let l = setup.layout();
        let mut previous = vec![0; l.out_words];
        for (seen, input) in &source.log {
            let mut out = vec![0; l.out_words];
            toy.outputs(input, &mut out);
            assert_eq!(*seen, if moore { out.clone() } else { previous });
            toy.step(input);
            previous = out;
        }
    }
}

/// Values of a waveform at the end of each cycle's first half: `scope.name` at time.
fn wave_values(path: &Path, cycle: u64) -> HashMap<String, String> {
    let mut parser = vcd::Parser::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    let header = parser.parse_header().unwrap();
    let mut names = HashMap::new();
    for item in &header.items {
        if let vcd::ScopeItem::Scope(s) = item {
            for item in &s.items {
                if let vcd::ScopeItem::Var(v) = item {
                    names
                        .entry(v.code)
                        .or_insert_with(Vec::new)
                        .push(format!("{}.{}", s.identifier, v.reference));
                }
            }
        }
    }
    let mut values = HashMap::new();
    for command in parser {
        let (id, value) = match command.unwrap() {
            vcd::Command::Timestamp(t) if t > cycle * crate::wave::UNITS_PER_CYCLE => break,
            vcd::Command::ChangeScalar(id, v) => (id, v.to_string()),
            vcd::Command::ChangeVector(id, v) => (id, v.to_string()),
            _ => continue,
        };
        for n in &names[&id] {
            values.insert(n.clone(), value.clone());
        }
    }
    values
}

#[test]
fn one_wrong_bit_is_reported_shown_and_replayed() {
    for pipeline in [false, true] {
        for moore in [true, false] {
            let setup = Setup { moore, ..Setup::new(Fault::Output(3210)) };
            let dir = tempfile::tempdir().unwrap();
            let o = Options { pipeline, out_dir: Some(dir.path().join("new/dir")), ..options(10_000) };
            let mut source = Random::new(3);
            let m = mismatch(setup.run(&mut source, &o));
            assert_eq!((m.cycle, m.seed, m.differences.len()), (3210, 5, 1));
            let d = &m.differences[0];
            assert_eq!((d.signal, d.element, d.group, d.xor.as_str()), ("inj_flow", 0, Group::Output, "20"));
            assert_eq!(d.rules, "H8");
            let value = |s: &str| u32::from_str_radix(s, 16).unwrap();
            assert_eq!(value(&d.rtl) ^ value(&d.golden), 0x20);
            assert_eq!((m.history.len(), m.history[0].cycle, m.history[31].cycle), (32, 3179, 3210));
            let l = setup.layout();
            assert_eq!(m.history[31].inputs, recording::describe(&l, &source.log[3210].1));
            assert_eq!(m.artefacts.problems, [""; 0]);

            // Waveform: the window up to the failure, with the mismatch in its last cycle only.
            let vcd = m.artefacts.vcd.as_ref().unwrap();
            let before = wave_values(vcd, 3209);
            let at = wave_values(vcd, 3210);
            assert_eq!((before["mismatch.any"].as_str(), at["mismatch.any"].as_str()), ("0", "1"));
            assert_eq!((at["mismatch.inj_flow"].as_str(), at["mismatch.inj_valid"].as_str()), ("1", "0"));
            assert_eq!(u32::from_str_radix(&at["golden.inj_flow"], 2).unwrap(), value(&d.golden));
            assert_eq!(u32::from_str_radix(&at["rtl.inj_flow"], 2).unwrap(), value(&d.rtl));
            assert!(wave_values(vcd, 3010).is_empty() && !wave_values(vcd, 3011).is_empty());

            // The stimulus does not matter for this fault: all of it goes; the cycle does.
            let path = m.artefacts.reproducer.as_ref().unwrap();
            let s = recording::read(path).unwrap();
            assert_eq!((s.cycles, s.seed, m.artefacts.reproducer_cycles), (3211, 5, 3211));
            assert!(s.inputs.flat().iter().all(|w| *w == 0));
            let full = recording::read(m.artefacts.full.as_ref().unwrap()).unwrap();
            let drove: Vec<u32> = source.log[..3211].iter().flat_map(|(_, i)| i.clone()).collect();
            assert_eq!(full.inputs.flat(), drove);
            for s in [s, full] {
                let o = Options { out_dir: None, ..options(s.cycles) };
                let again = mismatch(setup.run(&mut Replay::new(s), &o));
                assert_eq!((again.cycle, again.differences[0].signal), (3210, "inj_flow"));
                assert!(again.artefacts.vcd.is_none() && again.artefacts.reproducer.is_none());
            }
            let files: Vec<_> = std::fs::read_dir(dir.path().join("new/dir")).unwrap().collect();
            assert_eq!(
                files.len(),
                5,
                "nothing but waveform, two layouts and two stimuli is left: {files:?}"
            );

            // The layout opens on the cycle (12800 ps each), the pair first.
            let layout = std::fs::read_to_string(vcd.with_extension("gtkw")).unwrap();
            let lines: Vec<&str> = layout.lines().collect();
            assert!(
                lines.iter().any(|l| l.starts_with('*') && l.ends_with(" 41088000 41088000")),
                "{layout}"
            );
            let of = |name: &str| lines.iter().position(|l| l.split('[').next() == Some(name)).unwrap();
            assert!(
                of("rtl.inj_flow") < of("golden.inj_flow") && of("golden.inj_flow") < of("rtl.inj_valid")
            );
            let surfer = std::fs::read_to_string(vcd.with_extension("sucl")).unwrap();
            assert!(surfer.contains("\nmarker_set event 410880\n"), "{surfer}");
        }
    }
}

#[test]
fn a_fault_with_a_cause_is_minimised_to_the_cause() {
    let setup = Setup::new(Fault::Sequence);
    let dir = tempfile::tempdir().unwrap();
    let minimise = Duration::from_secs(60);
    let o = Options { out_dir: Some(dir.path().into()), minimise, ..options(100_000) };
    let m = mismatch(setup.run(&mut Random::new(9), &o));
    assert_eq!(
        (m.differences[0].signal, m.differences[0].element, m.differences.len()),
        ("st_sl_steps", 3, 1)
    );
    let s = recording::read(m.artefacts.reproducer.as_ref().unwrap()).unwrap();
    let mut lines = Vec::new();
    let mut cursor = s.inputs.cursor();
    while let Some(v) = cursor.next(&s.inputs) {
        lines.push(recording::describe(&setup.layout(), v));
    }
    assert_eq!(lines, ["becn_valid=1 becn_flow=3", "cct_we=1 cct_addr=5", ""]);
    let again = mismatch(setup.run(&mut Replay::new(s), &options(3)));
    assert_eq!((again.cycle, again.differences), (2, m.differences));
}

#[test]
fn a_checker_that_fires_is_a_failure_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let o = Options { out_dir: Some(dir.path().into()), ..options(10_000) };
    let setup = Setup { checker: Some(777), ..Setup::new(Fault::None) };
    match setup.run(&mut Random::new(4), &o) {
        Err(Failure::Assertion(a)) => {
            assert_eq!((a.cycle, a.message.as_str()), (777, "toy.sv:12: a_toy failed\n"));
            assert_eq!(recording::read(&a.artefacts.reproducer.unwrap()).unwrap().cycles, 778);
            assert_eq!(wave_values(&a.artefacts.vcd.unwrap(), 777)["mismatch.any"], "0");
        }
        other => panic!("{other:?}"),
    }
    // A difference in the same cycle was there first; one in a later cycle was not.
    let setup = Setup { checker: Some(777), ..Setup::new(Fault::Output(777)) };
    assert_eq!(mismatch(setup.run(&mut Random::new(4), &options(10_000))).cycle, 777);
    let setup = Setup { checker: Some(777), ..Setup::new(Fault::Output(778)) };
    let result = setup.run(&mut Random::new(4), &options(10_000));
    assert!(matches!(result, Err(Failure::Assertion(a)) if a.cycle == 777));
}

#[test]
fn the_waveform_of_a_run_is_the_window_asked_for() {
    let setup = Setup::new(Fault::None);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.vcd");
    let vcd = Some(Vcd { path: path.clone(), from: 1000, cycles: Some(50), event: None });
    let mut source = Random::new(6);
    setup.run(&mut source, &Options { vcd, ..options(5000) }).unwrap();
    let l = setup.layout();
    for cycle in [1000, 1020, 1049] {
        let v = wave_values(&path, cycle);
        let (seen, input) = &source.log[cycle as usize];
        let number = |n: &str| u32::from_str_radix(&v[n], 2).unwrap();
        assert_eq!(number("mismatch.cycle"), cycle as u32);
        assert_eq!(number("rtl.inj_flow"), seen[l.output("inj_flow")]);
        assert_eq!(number("golden.req"), input[l.input("req")]);
    }
    assert!(wave_values(&path, 999).is_empty());
    assert_eq!(wave_values(&path, 4000)["mismatch.cycle"], wave_values(&path, 1049)["mismatch.cycle"]);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3, "the waveform and two layouts");

    let path = path.join("not/a/directory.vcd");
    let vcd = Some(Vcd { path, from: 0, cycles: None, event: None });
    let result = setup.run(&mut source, &Options { vcd, ..options(10) });
    assert!(matches!(result, Err(Failure::Io(e)) if e.contains("run.vcd/not/a/directory.vcd")));
}

#[test]
fn a_run_can_be_stopped() {
    let setup = Setup::new(Fault::None);
    for pipeline in [false, true] {
        let stop = AtomicBool::new(false);
        let progress = |_| stop.store(true, Ordering::Relaxed);
        let o = Options { pipeline, stop: Some(&stop), progress: Some(&progress), ..options(1 << 40) };
        let r = setup.run(&mut Random::new(7), &o).unwrap();
        assert!(r.stopped && r.cycles >= 8192 && r.cycles < 20_000, "{}", r.cycles);
    }
}

#[test]
fn a_stimulus_too_long_to_keep_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let o = Options { out_dir: Some(dir.path().into()), record_limit: 10_000, ..options(5000) };
    let m = mismatch(Setup::new(Fault::Output(4000)).run(&mut Random::new(8), &o));
    assert_eq!((m.cycle, m.history.len(), m.artefacts.reproducer), (4000, 32, None));
    assert!(m.artefacts.problems[0].contains("seed 5"), "{:?}", m.artefacts.problems);
}

#[test]
fn a_regression_gives_the_same_on_any_number_of_threads() {
    let build = Setup::new(Fault::None).build;
    let run = |threads: usize, bad: &[u64]| {
        let jobs: Vec<Job> = (0..12)
            .map(|seed| Job {
                build,
                label: format!("job {seed}"),
                seed,
                cycles: 300 + 50 * seed,
                source: Box::new(|seed| Box::new(Random::new(seed as u32 * 7 + 1))),
            })
            .collect();
        let ran = Mutex::new(Vec::new());
        let one = |job: &Job| {
            ran.lock().unwrap().push(job.seed);
            let fault = if bad.contains(&job.seed) { Fault::Output(job.seed + 20) } else { Fault::None };
            Setup::new(fault).run(&mut *(job.source)(job.seed), &options(job.cycles))
        };
        (regress::run_jobs(&jobs, threads, &one, &|| false), ran.into_inner().unwrap())
    };
    let (alone, ran) = run(1, &[]);
    assert_eq!(ran, (0..12).collect::<Vec<_>>());
    assert_eq!(alone.cycles, (0..12).map(|s| 300 + 50 * s).sum::<u64>());
    assert_eq!(alone.cover.len(), 1);
    let (four, _) = run(4, &[]);
    assert_eq!((alone.cycles, alone.packets, &alone.cover), (four.cycles, four.packets, &four.cover));
    assert!(alone.cover[0].1[0].count > 1000 && alone.failure().is_none());

    for threads in [1, 3] {
        let (r, _) = run(threads, &[8, 5, 9]);
        let (job, failure) = r.failure().unwrap();
        assert!(job == 5 && matches!(failure, Failure::Mismatch(m) if m.cycle == 25));
        assert_eq!(r.cycles, (0..5).map(|s| 300 + 50 * s).sum::<u64>());
        assert!(r.results[6..].iter().all(|r| r.result.is_none()));
    }
    let (none, ran) = {
        let r = regress::run_jobs(&[], 2, &|_| unreachable!(), &|| false);
        (r.results.len(), r.cycles)
    };
    assert_eq!((none, ran), (0, 0));
}
