//! Fault injection: what a single flipped bit of state does while a unit is running.
//!
//! The netlist has an input that inverts each register bit at a clock edge; small memories are registers there. A recorded run is
//! played up to the cycle of the flip and then on with it, beside what the golden model said. Inputs stay as recorded: neighbours
//! do not react to what went wrong.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize, Serializer};

use super::tools::{self, Design};
use super::vectors;
use crate::params::Build;
use crate::signals::Layout;
use crate::wrapper::Extra;

/// What to do.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The model.
    pub build: Build,
    /// Flips.
    pub count: usize,
    /// Seed of their choice, and of the runs.
    pub seed: u64,
    /// Cycles of random traffic; the scenarios come on top.
    pub cycles: u64,
    /// Cycles that are looked at after a flip.
    pub horizon: u64,
    /// Replay programs side by side.
    pub jobs: usize,
    /// Where netlists, programs and verdicts are kept.
    pub dir: PathBuf,
}

/// Classes of state that are payload: flits as the data buffer says them. The packet's own checks cover them (InfiniBand's
/// ICRC and VCRC), parity does not. All other state is control state.
pub const PAYLOAD: [&str; 2] = ["u_data.g_read.data_q", "u_data.mem"];

/// Whether a class is payload, at any depth of the hierarchy.
pub fn is_payload(class: &str) -> bool {
    PAYLOAD.iter().any(|p| class == *p || class.ends_with(&format!(".{p}")))
}

/// A register of the netlist.
#[derive(Clone, Debug, Deserialize)]
struct Register {
    port: String,
    width: usize,
    name: String,
}

impl Register {
    /// The class of state: the name without indices, so that all lines and queues count together.
    fn class(&self) -> String {
        let mut class = String::new();
        let mut depth = 0;
        for c in self.name.chars() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                '\\' | ' ' => {}
                c if depth == 0 => class.push(c),
                _ => {}
            }
        }
        class
    }
}

/// What a flip did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Nothing to be seen, then or later.
    Masked,
    /// No output was wrong, but state still is when the time is over.
    Latent,
    /// A sticky error says so.
    Detected,
    /// Outputs were wrong, and no error says so.
    Silent,
    /// Outputs were wrong, no error says so, and nothing moves any more.
    Hang,
}

impl Effect {
    /// All, in the order of the report.
    pub const ALL: [Effect; 5] =
        [Effect::Masked, Effect::Latent, Effect::Detected, Effect::Silent, Effect::Hang];

    fn of(word: &str) -> Option<Effect> {
        Some(match word.split(':').next()? {
            "masked" => Effect::Masked,
            "latent" => Effect::Latent,
            "detected" => Effect::Detected,
            "silent" => Effect::Silent,
            "hang" => Effect::Hang,
            _ => return None,
        })
    }
}

/// How many flips did what, in the order of [`Effect::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [usize; 5]);

/// With the names of the effects.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(Effect::ALL.into_iter().map(|e| (e, self.of(e))))
    }
}

impl Counts {
    fn add(&mut self, e: Effect) {
        self.0[e as usize] += 1;
    }

    /// Flips.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// Flips of an effect.
    pub fn of(&self, e: Effect) -> usize {
        self.0[e as usize]
    }
}

/// What a campaign found.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Unit, on the command line.
    pub unit: &'static str,
    /// Parameter set.
    pub build: String,
    /// Seed.
    pub seed: u64,
    /// Bits that can be flipped.
    pub bits: usize,
    /// Cycles looked at after a flip.
    pub horizon: u64,
    /// Seconds of this session.
    pub seconds: f64,
    /// Flips of control state.
    pub control: Counts,
    /// Flips of payload.
    pub payload: Counts,
    /// By class of state.
    pub classes: BTreeMap<String, Counts>,
}

/// A flip: run, cycle, bit of `x_i`, register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Flip {
    run: usize,
    cycle: u64,
    bit: usize,
    register: usize,
}

/// Carries a campaign out. `progress` is told what is being done, how much of it is done, and of how much.
pub fn run(c: &Campaign, progress: &(dyn Fn(&str, u64, u64) + Sync)) -> Result<Outcome> {
    let start = Instant::now();
    let home = c.dir.join(c.build.folder());
    let dir = home.join(format!("flips-{}-{}", c.count, c.seed));
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    // No run that is shorter than what is looked at.
    let mut jobs = super::runs(&c.build, c.cycles, c.seed)?;
    jobs.retain(|j| j.cycles >= 2 * c.horizon);
    if jobs.is_empty() {
        bail!("no run has {} cycles or more; lower --horizon or raise --cycles", 2 * c.horizon);
    }
    let cycles: u64 = jobs.iter().map(|j| j.cycles).sum();
    let runs_file = dir.join("runs");
    {
        let done = std::cell::Cell::new(0);
        vectors::record(&c.build, &jobs, &runs_file, &|n| {
            done.set(done.get() + n);
            progress("recording runs", done.get(), cycles);
        })?;
    }
    let (registers, program, key) = prepare(c, &dir, &runs_file, progress)?;
    // Without a flip the netlist must be equal, or nothing that follows means anything.
    let clean = tools::Replay::start(&program, "mutants", &runs_file, &[])?.ask("0")?;
    if clean != "0 survived" {
        bail!("the netlist without any flip is not equal to the golden model: {clean}");
    }
    let (extra, _) =
        crate::wrapper::extras(&registers.iter().map(|r| (r.port.clone(), r.width)).collect::<Vec<_>>());
    let bits: usize = registers.iter().map(|r| r.width).sum();

    // Every bit is as likely as any other, and every cycle of every run.
    let mut rng = SmallRng::seed_from_u64(c.seed);
    let ready = c.build.params.init_cycles(c.build.unit) as u64;
    let mut flips: Vec<Flip> =
        (0..c.count).map(|_| choose(&mut rng, &extra, bits, &jobs, ready, c.horizon)).collect();
    flips.sort_unstable();

    let mut questions: Vec<(usize, String)> = Vec::new();
    // Some flips of one run are one question.
    for of_run in flips.chunk_by(|a, b| a.run == b.run) {
        for part in of_run.chunks(64) {
            let words: Vec<String> = part.iter().map(|f| format!("{}:{}", f.cycle, f.bit)).collect();
            questions.push((part.len(), format!("{} {}", part[0].run, words.join(" "))));
        }
    }
    let (known, file) = tools::earlier(&dir.join("verdicts"), &format!("{key} {}", c.horizon))?;
    let mut answers: HashMap<usize, String> = HashMap::new();
    for line in &known {
        let (i, answer) = line.split_once(' ').ok_or_else(|| anyhow!("the file of verdicts says {line}"))?;
        answers.insert(i.parse().context("the file of verdicts")?, answer.to_string());
    }
    let open: Vec<usize> = (0..questions.len()).filter(|i| !answers.contains_key(i)).collect();
    let asked: Vec<String> = open.iter().map(|&i| questions[i].1.clone()).collect();
    let layout = Layout::new(c.build.unit, &c.build.params);
    let list = |words: Vec<usize>| words.iter().map(|w| w.to_string()).collect::<Vec<_>>().join(",");
    let what = [
        c.horizon.to_string(),
        list(vectors::error_words(&layout)),
        list(vectors::progress_words(c.build.unit, &layout)),
    ];
    let shared = Mutex::new((answers, file));
    tools::ask_all(&program, "flips", &runs_file, &what, c.jobs, &asked, &|k, answer| {
        let mut guard = shared.lock().unwrap_or_else(|e| e.into_inner());
        let (answers, file) = &mut *guard;
        writeln!(file, "{} {answer}", open[k])?;
        answers.insert(open[k], answer.to_string());
        let done: usize = answers.keys().map(|&i| questions[i].0).sum();
        progress("flips", done as u64, c.count as u64);
        Ok(())
    })?;
    let (answers, _) = shared.into_inner().unwrap_or_else(|e| e.into_inner());

    let mut classes: BTreeMap<String, Counts> = BTreeMap::new();
    let (mut control, mut payload) = (Counts::default(), Counts::default());
    let mut next = flips.iter();
    for (i, (n, _)) in questions.iter().enumerate() {
        let answer = answers.get(&i).ok_or_else(|| anyhow!("some flips were not judged"))?;
        let effects: Option<Vec<Effect>> = answer.split(' ').skip(1).map(Effect::of).collect();
        let effects = effects.filter(|e| e.len() == *n);
        for e in effects.ok_or_else(|| anyhow!("the replay program said {answer}, which is no verdict"))? {
            let flip = next.next().ok_or_else(|| anyhow!("more verdicts than flips"))?;
            let class = registers[flip.register].class();
            if is_payload(&class) { &mut payload } else { &mut control }.add(e);
            classes.entry(class).or_default().add(e);
        }
    }
    Ok(Outcome {
        unit: c.build.unit.cli_name(),
        build: c.build.label(),
        seed: c.seed,
        bits,
        horizon: c.horizon,
        seconds: start.elapsed().as_secs_f64(),
        control,
        payload,
        classes,
    })
}

fn choose(
    rng: &mut SmallRng,
    extra: &[Extra],
    bits: usize,
    jobs: &[crate::cosim::Job],
    ready: u64,
    horizon: u64,
) -> Flip {
    let mut at = rng.random_range(0..bits);
    let mut register = 0;
    while at >= extra[register].width {
        at -= extra[register].width;
        register += 1;
    }
    // Cycles in which a flip may be: from when the unit is ready to a horizon before the end.
    let span = |j: &crate::cosim::Job| j.cycles.saturating_sub(ready + horizon).max(1);
    let mut t = rng.random_range(0..jobs.iter().map(span).sum());
    let mut run = 0;
    while t >= span(&jobs[run]) {
        t -= span(&jobs[run]);
        run += 1;
    }
    Flip { run, cycle: (ready + t).min(jobs[run].cycles - 1), bit: extra[register].bit + at, register }
}

/// The registers and the program that flips them, made anew when RTL, scripts or runs have changed.
fn prepare(
    c: &Campaign,
    dir: &Path,
    runs: &Path,
    progress: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<(Vec<Register>, PathBuf, String)> {
    let (netlist, list, stamp) = (dir.join("netlist.v"), dir.join("registers.json"), dir.join("stamp"));
    let mut files = tools::sources()?;
    files.push(runs.to_path_buf());
    let what = format!("{:?} {} {}", c.build.params, c.count, c.seed);
    let texts = [include_str!("replay.h"), include_str!("tools.rs"), include_str!("seu.rs"), &what];
    let key = tools::fingerprint(&files, &texts)?;
    tools::once(&stamp, &key, || {
        progress("building the flips in (Yosys)", 0, 0);
        let mut yosys = tools::instrument("flips", &c.build)?;
        yosys.arg("--netlist").arg(&netlist).arg("--list").arg(&list);
        tools::run(&mut yosys, "run ./setup (it installs python3 and pyosys)").map(drop)
    })?;
    let text = std::fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    let registers: Vec<Register> = serde_json::from_str(&text).context("the list of registers")?;
    if registers.is_empty() {
        bail!("{} has no registers", c.build.unit.module());
    }
    progress("compiling (Verilator, C++)", 0, 0);
    let ports: Vec<(String, usize)> = registers.iter().map(|r| (r.port.clone(), r.width)).collect();
    let (extra, _) = crate::wrapper::extras(&ports);
    let program = tools::replay_program(&c.build, &Design::Netlist(&netlist, &extra))?;
    Ok((registers, program, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_join_what_is_there_many_times() {
        let class = |name: &str| Register { port: String::new(), width: 1, name: name.into() }.class();
        assert_eq!(class("g_cam.u_cam.g_line[1].u_line.stop_q"), "g_cam.u_cam.g_line.u_line.stop_q");
        assert_eq!(class("u_lists.u_next.mem[13]"), "u_lists.u_next.mem");
    }

    #[test]
    fn payload_is_told_from_control() {
        assert!(is_payload("u_buffer.u_data.mem") && is_payload("u_input.u_buffer.u_data.g_read.data_q"));
        assert!(!is_payload("u_buffer.u_links.mem") && !is_payload("u_framer.data_q"));
    }

    #[test]
    fn effects_are_read() {
        assert_eq!(Effect::of("detected:17"), Some(Effect::Detected));
        assert_eq!(Effect::of("masked"), Some(Effect::Masked));
        assert_eq!(Effect::of("eaten"), None);
        for (i, e) in Effect::ALL.into_iter().enumerate() {
            assert_eq!(e as usize, i);
        }
    }
}
