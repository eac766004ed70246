//! Formal proofs of the properties that the checkers in `tb/` state.
//!
//! `scripts/prove_model.py` (Yosys) makes a model of a module with its checkers; the engines here search it from
//! reset and prove what they can by induction. docs/formal.md tells how to read the results.

pub mod aiger;
pub mod bmc;
pub mod engine;
mod harness;
mod report;
mod results;
pub mod trace;
pub mod unroll;

pub use results::{Results, Verdict};

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::home;
use aiger::{Lit, Model, Property};
use bmc::{Answer, Bmc};
use engine::{Found, Search, induction};
pub use harness::{HARNESSES, Harness};
use report::label;
pub use report::{chosen, document, labels, words};
use unroll::{Limit, Trace};

/// How to prove.
pub struct Options {
    /// Folder of results, models and counterexamples.
    pub out: PathBuf,
    /// RTL, if not the tree's own.
    pub rtl: Option<PathBuf>,
    /// Depth, if not the harness's own.
    pub depth: Option<usize>,
    /// Time for a harness, in seconds.
    pub seconds: u64,
    /// Do not use results found before.
    pub fresh: bool,
    /// Only this property (a name, or a label: all instances of it), by itself: the others are no lemmas.
    pub only: Option<String>,
}

impl Options {
    fn wants(&self, property: &Property) -> bool {
        self.only.as_ref().is_none_or(|o| property.name == *o || label(&property.name) == o)
    }

    /// What the results of a harness are kept as.
    fn file(&self, h: &Harness) -> String {
        match &self.only {
            None => h.name.into(),
            Some(only) => format!("{}-{}", h.name, only.replace(['[', ']', '/'], "_")),
        }
    }
}

/// What the engines are told.
fn limits(h: &Harness, options: &Options) -> String {
    let depth = options.depth.unwrap_or(h.depth);
    format!("{depth} {} {} {} {:?} {:?}", options.seconds, h.lives, h.induction, h.given, options.only)
}

/// Hash of a model and of what the engines are told.
fn model_key(h: &Harness, options: &Options, text: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    hash.write(text.as_bytes());
    hash.write(limits(h, options).as_bytes());
    hash.finish()
}

/// Hash of all sources and parameters, and of what the engines are told.
fn key(h: &Harness, options: &Options) -> Result<u64> {
    let root = home::root()?;
    let mut hash = DefaultHasher::new();
    for folder in [options.rtl.clone().unwrap_or_else(|| root.join("rtl")), root.join("tb")] {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
        files.retain(|f| f.extension().is_some_and(|e| e == "sv"));
        files.sort();
        for file in files {
            hash.write(file.file_name().unwrap_or_default().as_encoded_bytes());
            hash.write(&std::fs::read(&file).with_context(|| file.display().to_string())?);
        }
    }
    hash.write(&std::fs::read(root.join("scripts/prove_model.py")).context("scripts/prove_model.py")?);
    hash.write(
        format!("{} {:?} {:?} {}", h.module, h.parameters(), h.without, limits(h, options)).as_bytes(),
    );
    Ok(hash.finish())
}

/// Makes the model of a harness with Yosys, as text.
fn model_text(h: &Harness, rtl: Option<&Path>, out: &Path) -> Result<String> {
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let path = out.join(format!("{}.aag", h.name));
    let mut command = Command::new("python3");
    command.arg(home::root()?.join("scripts/prove_model.py")).arg(h.module).arg("--out").arg(&path);
    for (name, value) in h.parameters() {
        command.arg("-P").arg(format!("{name}={value}"));
    }
    for instance in h.without {
        command.arg("--without").arg(instance);
    }
    if let Some(rtl) = rtl {
        command.arg("--rtl").arg(rtl);
    }
    let output = command.output().context("cannot run python3; remedy: run ./setup")?;
    if !output.status.success() {
        bail!("{}: {}", h.name, String::from_utf8_lossy(&output.stderr).trim());
    }
    std::fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// Proves what can be proved of a harness; `told` hears of progress. Results of the same sources are kept in
/// the folder and are not made again.
pub fn prove(h: &Harness, options: &Options, told: &dyn Fn(&str)) -> Result<Results> {
    let key = key(h, options)?;
    let kept = options.out.join(format!("{}.json", options.file(h)));
    let before: Option<Results> = match std::fs::read(&kept) {
        Ok(text) if !options.fresh => serde_json::from_slice(&text).ok(),
        _ => None,
    };
    if let Some(results) = before.as_ref().filter(|r| r.key == key) {
        told("kept results");
        return Ok(results.clone());
    }
    told("Yosys makes the model");
    let text = model_text(h, options.rtl.as_deref(), &options.out)?;
    let model_key = model_key(h, options, &text);
    let mut results = match before {
        Some(results) if results.model == model_key => {
            told("kept results: the model is the same");
            results
        }
        _ => {
            let model = Model::parse(&text).map_err(|e| anyhow::anyhow!("{}: {e}", h.name))?;
            run(h, &model, options, told)?
        }
    };
    results.key = key;
    results.model = model_key;
    crate::outfile::write(&kept, &serde_json::to_vec_pretty(&results)?)?;
    Ok(results)
}

/// The engines on a model.
fn run(h: &Harness, model: &Model, options: &Options, told: &dyn Fn(&str)) -> Result<Results> {
    let start = Instant::now();
    let time = Duration::from_secs(h.times * options.seconds);
    let end = start + time;
    let limit = Limit { at: Some(end), stop: None };
    let depth = options.depth.unwrap_or(h.depth);
    let mut results = Results { size: (model.order.len(), model.latches.len()), ..Results::default() };
    results.assumes = model.assumes.iter().map(|a| a.name.clone()).collect();
    let wanted =
        |all: &[Property]| -> Vec<usize> { (0..all.len()).filter(|i| options.wants(&all[*i])).collect() };
    let covers = wanted(&model.covers);
    results.covers = covers.iter().map(|c| (model.covers[*c].name.clone(), None)).collect();
    let name = |a: usize| model.asserts[a].name.clone();
    let all = wanted(&model.asserts);
    let given: Vec<usize> =
        (0..model.asserts.len()).filter(|a| h.given.contains(&model.asserts[*a].name.as_str())).collect();

    let mut search = Search::new(model, all.clone(), covers, limit.clone());
    let (mut lemmas, mut conditional, mut broken): (Vec<usize>, Vec<usize>, Vec<usize>) = Default::default();
    // A whole unit is searched further by ABC, once induction has had its turn, of half of the time at most.
    let by_abc = model.assumes.is_empty();
    let own_depth = if by_abc { depth.min(h.induction + 1) } else { depth };
    let limit = if by_abc { Limit { at: Some(start + time / 2), stop: None } } else { limit };
    while search.depth() < own_depth && !search.done() {
        told(&format!("cycle {} of {depth}, {} of {} proved", search.depth() + 1, lemmas.len(), all.len()));
        let Some(found) = search.step() else { break };
        let t = search.depth();
        for found in found {
            match found {
                Found::Hit(c) => {
                    results.covers.insert(model.covers[c].name.clone(), Some(t));
                }
                Found::Broken(a, trace) => {
                    results.asserts.insert(name(a), failed(h, model, a, &trace, &options.out)?);
                    broken.push(a);
                }
            }
        }
        if t > h.induction || search.done() {
            continue;
        }
        let open = |lemmas: &[usize]| -> Vec<usize> {
            all.iter().copied().filter(|a| !lemmas.contains(a) && !broken.contains(a)).collect()
        };
        // lemmas on memory contents may need long: what is proved without them is not lost then
        let plain = |a: &usize| !name(*a).contains("_l_");
        for only_plain in [true, false] {
            let set: Vec<usize> = open(&lemmas).into_iter().filter(|a| !only_plain || plain(a)).collect();
            if !only_plain && set.iter().all(plain) {
                continue; // there are no lemmas, and so it was tried
            }
            for a in induction(model, &set, &lemmas, t, limit.part(2)) {
                results.asserts.insert(name(a), Verdict::Proved(t));
                lemmas.push(a);
            }
        }
        search.proved(&lemmas);
        if t == h.induction && given.iter().all(|g| !broken.contains(g)) && !given.is_empty() {
            let open: Vec<usize> = open(&lemmas).into_iter().filter(|a| !given.contains(a)).collect();
            let with: Vec<usize> = lemmas.iter().chain(&given).copied().collect();
            for a in induction(model, &open, &with, t, limit.part(2)) {
                results.asserts.insert(name(a), Verdict::ProvedGiven(t));
                conditional.push(a);
            }
        }
    }
    results.depth = search.depth();
    let open: Vec<usize> = all
        .into_iter()
        .filter(|a| !lemmas.contains(a) && !broken.contains(a) && !conditional.contains(a))
        .collect();
    for &a in &open {
        results.asserts.insert(name(a), Verdict::Bounded(results.depth));
    }
    if by_abc && results.depth < depth {
        deepen(h, model, options, &open, depth, end, &mut results, told)?;
    }
    Ok(results)
}

/// An assertion that a trace breaks, and the files that show it.
fn failed(h: &Harness, model: &Model, a: usize, trace: &Trace, out: &Path) -> Result<Verdict> {
    let (name, cycle) = (&model.asserts[a].name, trace.inputs.len() - 1);
    let steps = checked(h, model, &model.asserts[a], trace)?;
    let file = |kind: &str| out.join(format!("{}-{}.{kind}", h.name, name.replace(['[', ']'], "_")));
    let vcd = file("vcd");
    trace::write_vcd(model, &steps, &format!("{name} is broken in cycle {cycle}"), &vcd)?;
    let stimulus = h.build().map(|build| (build, file("stim")));
    if let Some((build, path)) = &stimulus {
        let why = format!("{name} is broken in cycle {cycle}");
        trace::write_stimulus(model, trace, build, &why, path)?;
    }
    Ok(Verdict::Failed { cycle, vcd, stimulus: stimulus.map(|s| s.1) })
}

/// Plays a trace through the gates: it must do what the engine says. The values of all steps.
fn checked(h: &Harness, model: &Model, property: &Property, trace: &Trace) -> Result<Vec<Vec<bool>>> {
    let steps = trace::simulate(model, trace);
    if !aiger::of(steps.last().context("an empty trace")?, property.lit) {
        bail!("{}: the trace of {} does not show it: a fault of the engine", h.name, property.name);
    }
    Ok(steps)
}

/// Searches some properties with ABC, each by itself, to so many cycles and until that time, which they share.
fn round(
    bmc: &Bmc,
    pending: &[usize],
    cycles: usize,
    until: Instant,
    told: &dyn Fn(&str),
) -> Result<Vec<(usize, Answer<Trace>)>> {
    let threads = crate::jobs::processors();
    let left = || until.saturating_duration_since(Instant::now()).as_secs();
    let answers = Mutex::new(Vec::new());
    let (tell, hear) = std::sync::mpsc::channel::<usize>();
    std::thread::scope(|s| -> Result<()> {
        let work = s.spawn(|| {
            let tell = Mutex::new(tell);
            let lock = || answers.lock().unwrap_or_else(|e| e.into_inner());
            crate::jobs::side_by_side(pending.len(), threads, &|_: &mut Option<()>, i| {
                let open = (pending.len() - lock().len()) as u64;
                let share = (left() * threads as u64 / open).min(left()).max(1);
                let answer = bmc.search(pending[i], cycles, share)?;
                let mut answers = lock();
                answers.push((pending[i], answer));
                let _ = tell.lock().unwrap_or_else(|e| e.into_inner()).send(answers.len());
                Ok(())
            })
        });
        while let Ok(done) = hear.recv() {
            told(&format!("ABC: {done} of {} properties, to cycle {cycles}", pending.len()));
        }
        work.join().unwrap_or_else(|_| bail!("a search ended in a panic"))
    })?;
    Ok(answers.into_inner().unwrap_or_else(|e| e.into_inner()))
}

/// Searches the assertions that are open and the covers that were not hit with ABC, each by itself.
#[allow(clippy::too_many_arguments)]
fn deepen(
    h: &Harness,
    model: &Model,
    options: &Options,
    open: &[usize],
    depth: usize,
    end: Instant,
    results: &mut Results,
    told: &dyn Fn(&str),
) -> Result<()> {
    let covers: Vec<usize> = (0..model.covers.len())
        .filter(|c| results.covers.get(&model.covers[*c].name).is_some_and(Option::is_none))
        .collect();
    let properties: Vec<&Property> =
        open.iter().map(|a| &model.asserts[*a]).chain(covers.iter().map(|c| &model.covers[*c])).collect();
    let lits: Vec<Lit> = properties.iter().map(|p| p.lit).collect();
    if lits.is_empty() {
        return Ok(());
    }
    told("ABC makes the model smaller");
    // A fourth of the time that is left may go into this; the properties share the rest.
    let left = || end.saturating_duration_since(Instant::now()).as_secs();
    let bmc = Bmc::new(model, &lits, options.out.join(format!("{}.aig", h.name)), (left() / 4).max(1))?;
    let mut answers: Vec<Option<Answer<Trace>>> = vec![None; lits.len()];
    // First all to the depth that counts, in half of the time; those that need more have all that is left; then further.
    for (goal, part) in [(h.lives, 2), (h.lives, 1), (depth, 1)].into_iter().filter(|(goal, _)| *goal > 0) {
        let falls_short = |k: &usize| match &answers[*k] {
            None => true,
            Some(Answer::NeverIn(cycles)) => *cycles < goal && left() > 0,
            Some(_) => false,
        };
        let pending: Vec<usize> = (0..lits.len()).filter(falls_short).collect();
        let until = Instant::now() + Duration::from_secs(left()) / part;
        for (k, answer) in round(&bmc, &pending, goal, until, told)? {
            match (&answers[k], &answer) {
                (Some(Answer::NeverIn(before)), Answer::NeverIn(now)) if before >= now => {}
                _ => answers[k] = Some(answer),
            }
        }
    }
    let before = results.depth;
    results.depth = depth;
    for (k, answer) in answers.into_iter().enumerate() {
        let property = properties[k];
        let answer = answer.with_context(|| format!("{} was not searched", property.name))?;
        match (open.get(k), answer) {
            (Some(_), Answer::Never) => {
                results.asserts.insert(property.name.clone(), Verdict::Proved(1));
            }
            (Some(_), Answer::NeverIn(cycles)) => {
                let cycles = cycles.max(before);
                results.depth = results.depth.min(cycles);
                results.asserts.insert(property.name.clone(), Verdict::Bounded(cycles));
            }
            (Some(&a), Answer::At(trace)) => {
                let verdict = failed(h, model, a, &trace, &options.out)?;
                results.asserts.insert(property.name.clone(), verdict);
            }
            (None, Answer::At(trace)) => {
                checked(h, model, property, &trace)?;
                results.covers.insert(property.name.clone(), Some(trace.inputs.len() - 1));
            }
            (None, Answer::NeverIn(cycles)) => results.depth = results.depth.min(cycles.max(before)),
            (None, Answer::Never) => {}
        }
    }
    Ok(())
}
