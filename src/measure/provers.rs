//! What provers say of mutants that no run shows: that they are no faults, or on what inputs they do harm.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use super::pair::{self, Found, Known, Miter, Pair, Same};
use super::{guess, tools, vectors};
use crate::jobs::{made, side_by_side};
use crate::outfile;
use crate::params::Build;
use crate::prove::aiger::Model;
use crate::prove::bmc::{self, Fact, Never, States};
use crate::prove::trace::{self, write_stimulus};
use crate::prove::unroll::{Limit, Trace};
use crate::signals::Layout;

/// Cycles after the unit is ready in which a difference is looked for.
const DEPTH: usize = 40;

/// The same for ABC.
const LONG: usize = 600;

/// Tells which of some mutants a stimulus file shows.
pub type Shown<'a> = dyn Fn(&Path, &[usize]) -> Result<Vec<usize>> + Sync + 'a;

/// What is to be done.
pub struct Order<'a> {
    /// The model.
    pub build: &'a Build,
    /// Where the model of gates `model.aag` and the recorded `runs` are, and where what is found is kept.
    pub dir: &'a Path,
    /// Threads.
    pub jobs: usize,
    /// Seconds that the provers may take for a mutant together, each a quarter of them.
    pub seconds: u64,
    /// Mutants in the model.
    pub mutants: usize,
    /// Says what counts as shown.
    pub shown: &'a Shown<'a>,
    /// Is told what is being done, how much of it is done, and of how much.
    pub progress: &'a (dyn Fn(&str, u64, u64) + Sync),
}

/// What was found out about a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It does the same as the design: in which states.
    Equivalent(String),
    /// This stimulus shows it.
    Stimulus(PathBuf),
    /// Neither: how far it was searched.
    Unknown(String),
}

impl Proof {
    fn read(text: &str) -> Option<Proof> {
        let (what, more) = text.split_once(' ')?;
        Some(match what {
            "equivalent" => Proof::Equivalent(more.into()),
            "stimulus" => Proof::Stimulus(more.into()),
            "unknown" => Proof::Unknown(more.into()),
            _ => return None,
        })
    }

    fn text(&self) -> String {
        match self {
            Proof::Equivalent(how) => format!("equivalent {how}"),
            Proof::Stimulus(path) => format!("stimulus {}", path.display()),
            Proof::Unknown(why) => format!("unknown {why}"),
        }
    }
}

/// Asks about these mutants. What an earlier session found of the same model in the same time counts.
pub fn ask(order: &Order, survivors: &[usize]) -> Result<BTreeMap<usize, Proof>> {
    let path = order.dir.join("model.aag");
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let key = tools::fingerprint(std::slice::from_ref(&path), &[&order.seconds.to_string()])?;
    let (before, file) = tools::earlier(&order.dir.join("proofs"), &key)?;
    let mut proofs: BTreeMap<usize, Proof> = BTreeMap::new();
    for line in &before {
        let found = line.split_once(' ').and_then(|(k, p)| Some((k.parse().ok()?, Proof::read(p)?)));
        let (k, p) = found.ok_or_else(|| anyhow!("the file of proofs says {line}"))?;
        proofs.insert(k, p);
    }
    let open: Vec<usize> = survivors.iter().copied().filter(|k| !proofs.contains_key(k)).collect();
    if open.is_empty() {
        return Ok(proofs);
    }
    let model = Model::parse(&text).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    let known = known(order, &key, &model)?;
    let survivors = survivors.len() as u64;
    let found = Mutex::new((proofs, file));
    let spent = Mutex::new(BTreeMap::new());
    let provers = Provers { order, model: &model, known: &known, open, survivors, found, spent };
    // What takes longest comes last.
    provers.one_step()?;
    provers.reached()?;
    let left = provers.search()?;
    provers.search_long(&left)?;
    Ok(provers.found.into_inner().unwrap_or_else(|e| e.into_inner()).0)
}

struct Provers<'a> {
    order: &'a Order<'a>,
    model: &'a Model,
    known: &'a Known,
    /// The mutants asked about,
    open: Vec<usize>,
    /// and how many there are with those that an earlier session asked about.
    survivors: u64,
    /// What is found, and the file that has it.
    found: Mutex<(BTreeMap<usize, Proof>, File)>,
    /// Time that the provers took for each mutant.
    spent: Mutex<BTreeMap<usize, Duration>>,
}

impl<'a> Provers<'a> {
    fn found(&self) -> MutexGuard<'_, (BTreeMap<usize, Proof>, File)> {
        self.found.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn is_open(&self, k: usize) -> bool {
        !self.found().0.contains_key(&k)
    }

    fn tell(&self, k: usize, proof: Proof) -> Result<()> {
        let mut found = self.found();
        let (proofs, file) = &mut *found;
        writeln!(file, "{k} {}", proof.text())?;
        proofs.insert(k, proof);
        (self.order.progress)("asking provers about survivors", proofs.len() as u64, self.survivors);
        Ok(())
    }

    fn pair(&self) -> Result<Pair<'a>> {
        Pair::new(self.model, self.order.mutants, self.known).map_err(|e| anyhow!(e))
    }

    /// Asks a prover about a mutant: it is told how many seconds it may take. None if the mutant's time is over.
    fn within<T>(&self, k: usize, ask: impl FnOnce(u64) -> T) -> Option<T> {
        let spent = || self.spent.lock().unwrap_or_else(|e| e.into_inner());
        let before = spent().get(&k).copied().unwrap_or_default();
        let left = Duration::from_secs(self.order.seconds).checked_sub(before)?.as_secs();
        let begin = Instant::now();
        let said = (left > 0).then(|| ask(left.min(quarter(self.order.seconds))));
        *spent().entry(k).or_default() += begin.elapsed();
        said
    }

    /// A single step from what is known of single registers: soon known of all.
    fn one_step(&self) -> Result<()> {
        side_by_side(self.open.len(), self.order.jobs, &|slot: &mut Option<Pair>, i| {
            let k = self.open[i];
            let pair = made(slot, || self.pair())?;
            match self.within(k, |seconds| pair.same(k, &limit(seconds))).flatten() {
                Some(same) => self.tell(k, Proof::Equivalent(same.text().into())),
                None => Ok(()),
            }
        })
    }

    /// A single step from what ABC finds out about the states that are reached.
    fn reached(&self) -> Result<()> {
        side_by_side(self.open.len(), self.order.jobs, &|_: &mut Option<()>, i| {
            let k = self.open[i];
            if !self.is_open(k) {
                return Ok(());
            }
            // The first says less than the second, but what the first does not say the second does not say either.
            let found = match self.is(k, Same::Cleared)? {
                true if self.is(k, Same::Reached)? => Same::Reached,
                true => Same::Cleared,
                false if self.is(k, Same::Outputs)? => Same::Outputs,
                false => return Ok(()),
            };
            self.tell(k, Proof::Equivalent(found.text().into()))
        })
    }

    fn is(&self, k: usize, same: Same) -> Result<bool> {
        let (model, mutants, known) = (self.model, self.order.mutants, self.known);
        let circuits = match same {
            Same::Outputs => pair::with_own_registers(model, mutants, k, &known.cleared),
            Same::Cleared => pair::in_one_step(model, mutants, k, States::Cleared, &known.cleared),
            _ => pair::in_one_step(model, mutants, k, States::Reached, &known.reached),
        };
        let mut circuits = circuits.map_err(|e| anyhow!(e))?;
        let Some(whole) = circuits.pop() else { return Ok(false) };
        let file = self.order.dir.join(format!("step-{}.aig", k + 1));
        let never = |circuit: &[u8]| {
            self.within(k, |seconds| bmc::never(circuit, &file, seconds)).unwrap_or(Ok(Never::Unknown))
        };
        // The first passage that nothing gets through settles it. What is further on is harder, if it is not just the whole.
        for passage in &circuits {
            match never(passage)? {
                Never::Proved => return Ok(true),
                Never::Seen => {}
                Never::Unknown => break,
            }
        }
        Ok(never(&whole)? == Never::Proved)
    }

    /// Inputs from a reset on that make an output another one; of those without such inputs, for how many cycles there are none.
    fn search(&self) -> Result<Vec<(usize, usize)>> {
        let depth = self.order.build.params.init_cycles(self.order.build.unit) + DEPTH;
        let left: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());
        side_by_side(self.open.len(), self.order.jobs, &|slot: &mut Option<Pair>, i| {
            let k = self.open[i];
            // What was found for another one may show this one, too.
            if self.is_open(k) {
                let pair = made(slot, || self.pair())?;
                let found = self.within(k, |seconds| pair.differs(k, depth, &limit(seconds)));
                match found.unwrap_or(Found::Nothing(0)) {
                    Found::Difference(trace) => self.differs(k, &trace)?,
                    Found::Nothing(cycles) => {
                        left.lock().unwrap_or_else(|e| e.into_inner()).push((k, cycles));
                    }
                }
            }
            Ok(())
        })?;
        Ok(left.into_inner().unwrap_or_else(|e| e.into_inner()))
    }

    /// The same by ABC, design and mutant side by side.
    fn search_long(&self, left: &[(usize, usize)]) -> Result<()> {
        side_by_side(left.len(), self.order.jobs, &|_: &mut Option<()>, i| {
            let (k, cycles) = left[i];
            if !self.is_open(k) {
                return Ok(());
            }
            let miter = Miter::new(self.model, self.order.mutants, k).map_err(|e| anyhow!(e))?;
            let path = self.order.dir.join(format!("mutant-{}.aig", k + 1));
            std::fs::write(&path, &miter.circuit)
                .with_context(|| format!("cannot write {}", path.display()))?;
            let search = || {
                let ask = |seconds| bmc::search(&path, miter.inputs(), 0, LONG, seconds);
                self.within(k, ask).unwrap_or(Ok(bmc::Answer::NeverIn(0)))
            };
            let mut answer = search()?;
            if let bmc::Answer::NeverIn(steps) = answer {
                // Making it smaller may leave nothing.
                self.within(k, |seconds| bmc::reduce(&miter.circuit, &path, seconds)).transpose()?;
                answer = match search()? {
                    bmc::Answer::NeverIn(again) => bmc::Answer::NeverIn(again.max(steps)),
                    found => found,
                };
            }
            std::fs::remove_file(&path)?;
            match answer {
                bmc::Answer::Never => self.tell(k, Proof::Equivalent("by induction".into())),
                bmc::Answer::At(steps) => self.differs(k, &miter.trace(&steps)),
                bmc::Answer::NeverIn(steps) => {
                    let why = format!("equal for {} cycles after reset", steps.max(cycles));
                    self.tell(k, Proof::Unknown(why))
                }
            }
        })
    }

    /// A trace that makes the mutant's outputs others; what it shows on the design as it is counts.
    fn differs(&self, k: usize, trace: &Trace) -> Result<()> {
        let path = self.order.dir.join(format!("shows-{}.txt", k + 1));
        write_stimulus(self.model, trace, self.order.build, "shows a mutant of quell mutate", &path)?;
        let still: Vec<usize> = self.open.iter().copied().filter(|k| self.is_open(*k)).collect();
        let shown = (self.order.shown)(&path, &still)?;
        if !shown.contains(&k) {
            std::fs::remove_file(&path)?;
            let why = format!("differs after {} cycles, but not with any power-up", trace.inputs.len());
            self.tell(k, Proof::Unknown(why))?;
        }
        shown.into_iter().try_for_each(|k| self.tell(k, Proof::Stimulus(path.clone())))
    }
}

/// What one prover may take of a mutant's seconds.
fn quarter(seconds: u64) -> u64 {
    seconds.div_ceil(4)
}

fn limit(seconds: u64) -> Limit {
    Limit { at: Some(Instant::now() + Duration::from_secs(seconds)), stop: None }
}

/// What all questions of one kind about the design's registers may take together.
fn of_design(order: &Order) -> u64 {
    30 * quarter(order.seconds)
}

/// What is known of the design's registers: as an earlier session found it, or found now.
fn known(order: &Order, key: &str, model: &Model) -> Result<Known> {
    let path = order.dir.join("facts");
    let earlier = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((first, json)) = earlier.split_once('\n')
        && first == key
        && let Ok(known) = serde_json::from_str(json)
    {
        return Ok(known);
    }
    let off = pair::switches(model, order.mutants).map_err(|e| anyhow!(e))?;
    (order.progress)("asking ABC what registers are in every state", 0, 0);
    let sweeps = order.build.params.init_cycles(order.build.unit);
    let mut known = Known::find(model, &off, sweeps, &order.dir.join("facts.aig"), of_design(order))?;
    constants(order, model, &off, &mut known)?;
    outfile::write(&path, format!("{key}\n{}\n", serde_json::to_string(&known)?).as_bytes())?;
    Ok(known)
}

/// Adds the register bits that never changed in the runs, and of which ABC shows that they never do.
fn constants(order: &Order, model: &Model, off: &[usize], known: &mut Known) -> Result<()> {
    let runs = vectors::Inputs::read(&order.dir.join("runs"))?;
    let places = trace::places(model, &Layout::new(order.build.unit, &order.build.params))?;
    let total = (0..runs.count()).map(|r| runs.cycles(r)).sum();
    let done = std::cell::Cell::new(0);
    let guesses = guess::constants(model, &runs, &places, &|n| {
        done.set(done.get() + n);
        (order.progress)("looking for registers that never change", done.get(), total);
    });
    drop(runs);
    let registers = model.registers();
    for (states, facts) in [(States::Cleared, &mut known.cleared), (States::Reached, &mut known.reached)] {
        let is_known = |i: usize| facts.iter().any(|f| matches!(f, Fact::Constant(j, _) if *j == i));
        let open: Vec<(usize, bool)> = guesses.iter().copied().filter(|(i, _)| !is_known(*i)).collect();
        let end = Instant::now() + Duration::from_secs(of_design(order));
        let (laid, found) = (bmc::in_states(model, off, states, facts, 0), Mutex::new((Vec::new(), 0)));
        side_by_side(open.len(), order.jobs, &|_: &mut Option<()>, i| {
            // Short runs leave many that never changed.
            if Instant::now() >= end {
                return Ok(());
            }
            let file = order.dir.join(format!("keeps-{i}.aig"));
            let (register, value) = open[i];
            let keeps = laid.keeps(registers[register], value, &file, quarter(order.seconds).div_ceil(10))?;
            let mut guard = found.lock().unwrap_or_else(|e| e.into_inner());
            let (found, done) = &mut *guard;
            if keeps {
                found.push(Fact::Constant(register, value));
            }
            *done += 1;
            (order.progress)("asking ABC whether they never do", *done, open.len() as u64);
            Ok(())
        })?;
        facts.extend(found.into_inner().unwrap_or_else(|e| e.into_inner()).0);
        // What is the same as a constant is one, too.
        facts.sort_by_key(|f| matches!(f, Fact::Same(..)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_written_as_they_are_read() {
        for text in ["equivalent in every state", "stimulus /x/shows-3.txt", "unknown equal for 7 cycles"] {
            assert_eq!(Proof::read(text).unwrap().text(), text);
        }
        assert_eq!(Proof::read("perhaps not"), None);
    }
}
