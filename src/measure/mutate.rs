//! Mutation: how many of many small faults in the RTL does the comparison with the golden model find?
//!
//! All mutants are in one netlist, each switched on by an input of its own. A mutant is *killed* when some output or state
//! word differs from the golden model's in some cycle of the recorded runs. Those that are not are given to a
//! prover, which shows some to be no faults at all (*equivalent*), and finds inputs that show others; the rest *survived*.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::provers::{self, Order, Proof};
use super::runs;
use super::tools::{self, Design};
use super::vectors::{self, Recorded};
use crate::cosim::recording::{self};
use crate::params::Build;

/// What to do.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The model.
    pub build: Build,
    /// Mutants.
    pub count: usize,
    /// Seed of their choice, and of the runs.
    pub seed: u64,
    /// Cycles of random traffic; the scenarios come on top.
    pub cycles: u64,
    /// Replay programs side by side.
    pub jobs: usize,
    /// Seconds that the provers may take for a surviving mutant together; 0: they are not asked.
    pub prove: u64,
    /// Where netlists, programs and verdicts are kept. A campaign that was interrupted goes on from there.
    pub dir: PathBuf,
}

/// A change of the netlist.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mutant {
    /// `inv`, `const0`, `const1`, `cnot0`, `cnot1` (inverted while another bit of the port is 0, 1).
    pub mode: String,
    /// Cell.
    pub cell: String,
    /// Its port.
    pub port: String,
    /// Bit of the port.
    pub bit: usize,
    /// `cnot`: the other bit.
    pub by: Option<usize>,
    /// The wire, where it has a name.
    pub wire: String,
    /// Kind of cell: `add`, `sdffe`.
    pub kind: String,
    /// Source file.
    pub file: String,
    /// Line in it.
    pub line: usize,
    /// Yosys' command.
    command: String,
}

impl Mutant {
    /// What is changed, for people.
    pub fn text(&self) -> String {
        let what = match self.mode.as_str() {
            "inv" => "inverted".to_string(),
            "const0" => "stuck at 0".to_string(),
            "const1" => "stuck at 1".to_string(),
            m => {
                let value = m.trim_start_matches("cnot");
                format!("inverted while bit {} is {value}", self.by.unwrap_or_default())
            }
        };
        let wire = if self.wire.is_empty() { String::new() } else { format!(" ({})", self.wire) };
        format!("{}.{}[{}]{wire} {what}", self.kind, self.port, self.bit)
    }

    /// The RTL module: the file's name.
    pub fn module(&self) -> &str {
        self.file.trim_end_matches(".sv")
    }
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// Something differed.
    Killed {
        /// True: an output; false: only state that is shown.
        output: bool,
        /// In this run (number),
        run: usize,
        /// in this cycle.
        cycle: u64,
    },
    /// It makes a combinational loop that does not settle: not a design.
    Loop,
    /// Proved to do the same as the design.
    Equivalent {
        /// By what.
        how: String,
    },
    /// Neither.
    Survived {
        /// What the prover said.
        prover: String,
        /// A stimulus that shows the fault, if one was found.
        stimulus: Option<PathBuf>,
    },
}

impl Verdict {
    fn survived() -> Verdict {
        Verdict::Survived { prover: String::new(), stimulus: None }
    }

    /// Neither killed nor shown to be no fault.
    pub fn is_survivor(&self) -> bool {
        matches!(self, Verdict::Survived { .. })
    }
}

/// A mutant and its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Its number, from 1 on, as in the names of stimuli: input `mut_<number - 1>` of the netlist. (0 is the design as it is.)
    pub number: usize,
    /// The change.
    pub mutant: Mutant,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
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
    /// Runs that a mutant is played through.
    pub runs: usize,
    /// Their cycles.
    pub cycles: u64,
    /// Seconds of this session.
    pub seconds: f64,
    /// Verdicts that were there from an earlier session.
    pub resumed: usize,
    /// Every mutant.
    pub mutants: Vec<Judged>,
}

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Killed, of them `by_state` only by state.
    pub killed: usize,
    /// Killed where no output differed before or with the state.
    pub by_state: usize,
    /// Proved equivalent, or no design.
    pub equivalent: usize,
    /// Survived.
    pub survived: usize,
}

impl Score {
    fn add(&mut self, v: &Verdict) {
        match v {
            Verdict::Killed { output, .. } => {
                self.killed += 1;
                self.by_state += usize::from(!output);
            }
            Verdict::Equivalent { .. } | Verdict::Loop => self.equivalent += 1,
            Verdict::Survived { .. } => self.survived += 1,
        }
    }

    /// Share killed of those that are faults (or not shown to be none), in percent.
    pub fn percent(&self) -> f64 {
        let faults = self.killed + self.survived;
        if faults == 0 { 100.0 } else { 100.0 * self.killed as f64 / faults as f64 }
    }
}

impl Outcome {
    /// Over all mutants.
    pub fn score(&self) -> Score {
        let mut s = Score::default();
        self.mutants.iter().for_each(|m| s.add(&m.verdict));
        s
    }

    /// By module.
    pub fn by_module(&self) -> BTreeMap<String, Score> {
        let mut all: BTreeMap<String, Score> = BTreeMap::new();
        for m in &self.mutants {
            all.entry(m.mutant.module().to_string()).or_default().add(&m.verdict);
        }
        all
    }

    /// By rule: those that the header of the module names. A mutant counts for each rule of its module.
    pub fn by_rule(&self) -> Result<BTreeMap<String, Score>> {
        let mut rules: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut all: BTreeMap<String, Score> = BTreeMap::new();
        for m in &self.mutants {
            let module = m.mutant.module().to_string();
            if !rules.contains_key(&module) {
                let path = crate::home::root()?.join("rtl").join(&m.mutant.file);
                let text = std::fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                rules.insert(module.clone(), rules_of(&text));
            }
            for rule in &rules[&module] {
                all.entry(rule.clone()).or_default().add(&m.verdict);
            }
        }
        Ok(all)
    }

    /// The mutants that survived.
    pub fn survivors(&self) -> impl Iterator<Item = &Judged> {
        self.mutants.iter().filter(|m| m.verdict.is_survivor())
    }
}

/// The rules that the comment at the top of a module names: `Rules E1, E3, H3-H8.`
fn rules_of(text: &str) -> Vec<String> {
    let head: Vec<&str> = text.lines().take_while(|l| l.starts_with("//")).collect();
    let head = head.join(" ").replace("//", " ");
    let mut found = Vec::new();
    let words = head.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':'));
    let id = |w: &str| {
        let mut c = w.chars();
        let letter = c.next().filter(char::is_ascii_uppercase)?;
        let number: usize = c.as_str().parse().ok()?;
        (number < 10).then_some((letter, number))
    };
    let mut listing = false;
    for word in words {
        let bare = word.trim_end_matches(['.', ')']).trim_start_matches('(');
        if matches!(bare, "Rule" | "Rules" | "rule" | "rules") {
            listing = true;
            continue;
        }
        if !listing || bare.is_empty() {
            continue;
        }
        let range = bare.split_once('-').and_then(|(a, b)| Some((id(a)?, id(b)?)));
        match (range, id(bare)) {
            (Some(((letter, from), (_, to))), _) => found.extend((from..=to).map(|n| format!("{letter}{n}"))),
            (None, Some((letter, n))) => found.push(format!("{letter}{n}")),
            (None, None) => listing = false,
        }
        listing &= !word.ends_with('.');
    }
    found.sort();
    found.dedup();
    found
}

/// Carries a campaign out. `progress` is told what is being done, how much of it is done, and of how much.
pub fn run(c: &Campaign, progress: &(dyn Fn(&str, u64, u64) + Sync)) -> Result<Outcome> {
    let start = Instant::now();
    let home = c.dir.join(c.build.folder());
    let dir = home.join(format!("mutants-{}-{}", c.count, c.seed));
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;

    // The runs. They are short to make, and tell whether verdicts of an earlier session count.
    let jobs = runs::of_regression(&c.build, c.cycles, c.seed)?;
    let cycles: u64 = jobs.iter().map(|j| j.cycles).sum();
    let runs_file = dir.join("runs");
    let mut recorded = {
        let done = std::cell::Cell::new(0);
        progress("recording runs", 0, cycles);
        vectors::record(&c.build, &jobs, &runs_file, &|n| {
            done.set(done.get() + n);
            progress("recording runs", done.get(), cycles);
        })?
    };

    let (mutants, program, key) = prepare(c, &dir, &runs_file, progress)?;
    let mut verdicts = judge(c, &dir, &runs_file, &program, &key, &mutants, recorded.len(), progress)?;
    let resumed = verdicts.resumed;
    // What is left meets the corpus. It may have grown since the others were judged.
    let corpus = runs::of_corpus(&c.build)?;
    let survivors: Vec<usize> = (0..mutants.len()).filter(|k| verdicts.list[*k].is_survivor()).collect();
    if !corpus.is_empty() && !survivors.is_empty() {
        let file = dir.join("corpus");
        let before = recorded.len();
        recorded.extend(vectors::record(&c.build, &corpus, &file, &|_| {})?);
        for (k, verdict) in meet(&program, &file, corpus.len(), &survivors, progress)? {
            verdicts.list[k] = match verdict {
                Verdict::Killed { output, run, cycle } => {
                    Verdict::Killed { output, run: before + run, cycle }
                }
                other => other,
            };
        }
    }
    if c.prove > 0 {
        prove(c, &dir, &program, &mut verdicts.list, progress)?;
    }
    let mutants = (1..).zip(mutants.into_iter().zip(verdicts.list));
    Ok(Outcome {
        unit: c.build.unit.cli_name(),
        build: c.build.label(),
        seed: c.seed,
        runs: recorded.len(),
        cycles: recorded.iter().map(|r: &Recorded| r.cycles).sum(),
        seconds: start.elapsed().as_secs_f64(),
        resumed,
        mutants: mutants.map(|(number, (mutant, verdict))| Judged { number, mutant, verdict }).collect(),
    })
}

/// The list of mutants and the program that has them all, made anew when RTL, scripts or runs have changed.
fn prepare(
    c: &Campaign,
    dir: &Path,
    runs: &Path,
    progress: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<(Vec<Mutant>, PathBuf, String)> {
    let (netlist, list, stamp) = (dir.join("netlist.v"), dir.join("mutants.json"), dir.join("stamp"));
    let mut files = tools::sources()?;
    files.push(runs.to_path_buf());
    let what = format!("{:?} {} {}", c.build.params, c.count, c.seed);
    let key = tools::fingerprint(&files, &[include_str!("replay.h"), include_str!("tools.rs"), &what])?;
    tools::once(&stamp, &key, || {
        progress("making the mutants (Yosys)", 0, 0);
        let mut yosys = tools::instrument("mutants", &c.build)?;
        yosys.arg("--count").arg(c.count.to_string()).arg("--seed").arg(c.seed.to_string());
        yosys
            .arg("--netlist")
            .arg(&netlist)
            .arg("--list")
            .arg(&list)
            .arg("--model")
            .arg(dir.join("model.aag"));
        tools::run(&mut yosys, "run ./setup (it installs python3 and pyosys)").map(drop)
    })?;
    let text = std::fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    let mut mutants: Vec<Mutant> = serde_json::from_str(&text).context("the list of mutants")?;
    for m in mutants.iter_mut().filter(|m| m.file.is_empty()) {
        // Cells that optimisation made; they are the unit's.
        m.file = format!("{}.sv", c.build.unit.module());
    }
    if mutants.is_empty() {
        bail!("Yosys found nothing to mutate in {}", c.build.unit.module());
    }
    progress("compiling the mutants (Verilator, C++)", 0, 0);
    let ports: Vec<(String, usize)> = (0..mutants.len()).map(|k| (format!("mut_{k}"), 1)).collect();
    let (extra, _) = crate::wrapper::extras(&ports);
    let program = tools::replay_program(&c.build, &Design::Netlist(&netlist, &extra))?;
    Ok((mutants, program, key))
}

struct Verdicts {
    list: Vec<Verdict>,
    resumed: usize,
}

/// `17 output 3 1204`: number of a mutant and what the replay program says of it.
fn verdict(line: &str, runs: usize) -> Option<(usize, Verdict)> {
    let mut words = line.split(' ');
    let number = words.next()?.parse().ok()?;
    let what = words.next()?;
    let verdict = match what {
        "survived" => Verdict::survived(),
        "loop" => Verdict::Loop,
        "output" | "state" => {
            let run = words.next()?.parse().ok().filter(|r| *r < runs)?;
            Verdict::Killed { output: what == "output", run, cycle: words.next()?.parse().ok()? }
        }
        _ => return None,
    };
    Some((number, verdict))
}

/// Plays every mutant through the runs.
#[allow(clippy::too_many_arguments)]
fn judge(
    c: &Campaign,
    dir: &Path,
    runs: &Path,
    program: &Path,
    key: &str,
    mutants: &[Mutant],
    run_count: usize,
    progress: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<Verdicts> {
    let read = |line: &str| {
        verdict(line, run_count).ok_or_else(|| anyhow!("the replay program said {line}, which is no verdict"))
    };
    let (known, file) = tools::earlier(&dir.join("verdicts"), key)?;
    let mut list: Vec<Option<Verdict>> = vec![None; mutants.len()];
    for line in &known {
        let (number, v) = read(line)?;
        if (1..=mutants.len()).contains(&number) {
            list[number - 1] = Some(v);
        }
    }
    let resumed = list.iter().flatten().count();
    let total = mutants.len() as u64;
    // Number 0 is the design without a fault: it must be equal, or nothing that follows means anything.
    let mut questions: Vec<String> = Vec::new();
    if resumed < mutants.len() {
        questions.push("0".into());
    }
    let (_, clean) = match questions.is_empty() {
        true => (0, Verdict::survived()),
        false => read(&tools::Replay::start(program, "mutants", runs, &[])?.ask("0")?)?,
    };
    if !clean.is_survivor() {
        bail!("the netlist without any mutant is not equal to the golden model: {clean:?}");
    }
    let questions: Vec<String> =
        (0..mutants.len()).filter(|k| list[*k].is_none()).map(|k| (k + 1).to_string()).collect();
    let shared = Mutex::new((list, file, resumed as u64));
    tools::ask_all(program, "mutants", runs, &[], c.jobs, &questions, &|_, answer| {
        let (number, v) = read(answer)?;
        let mut guard = shared.lock().unwrap_or_else(|e| e.into_inner());
        let (list, file, done) = &mut *guard;
        writeln!(file, "{answer}")?;
        list[number - 1] = Some(v);
        *done += 1;
        progress("mutants", *done, total);
        Ok(())
    })?;
    let (list, ..) = shared.into_inner().unwrap_or_else(|e| e.into_inner());
    let list = list
        .into_iter()
        .map(|v| v.ok_or_else(|| anyhow!("a mutant was not judged")))
        .collect::<Result<_>>()?;
    Ok(Verdicts { list, resumed })
}

/// Asks the provers about the survivors.
fn prove(
    c: &Campaign,
    dir: &Path,
    program: &Path,
    verdicts: &mut [Verdict],
    progress: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<()> {
    let survivors: Vec<usize> = (0..verdicts.len()).filter(|k| verdicts[*k].is_survivor()).collect();
    let order = Order {
        build: &c.build,
        dir,
        jobs: c.jobs,
        seconds: c.prove,
        mutants: verdicts.len(),
        shown: &|path, mutants| shown(c, path, program, mutants),
        progress,
    };
    let proofs = provers::ask(&order, &survivors)?;
    for k in survivors {
        verdicts[k] = match proofs.get(&k).ok_or_else(|| anyhow!("mutant {} was not looked at", k + 1))? {
            Proof::Equivalent(how) => Verdict::Equivalent { how: how.clone() },
            Proof::Stimulus(path) => {
                Verdict::Survived { prover: "shown by a stimulus".into(), stimulus: Some(path.clone()) }
            }
            Proof::Unknown(why) => Verdict::Survived { prover: why.clone(), stimulus: None },
        };
    }
    Ok(())
}

/// Plays the design, which must be equal, and some mutants through runs that are short.
fn meet(
    program: &Path,
    runs: &Path,
    count: usize,
    mutants: &[usize],
    progress: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<Vec<(usize, Verdict)>> {
    let mut replay = tools::Replay::start(program, "mutants", runs, &[])?;
    let mut ask = |number: usize| -> Result<Verdict> {
        let answer = replay.ask(&number.to_string())?;
        let (_, v) = verdict(&answer, count).ok_or_else(|| anyhow!("the replay program said {answer}"))?;
        Ok(v)
    };
    let clean = ask(0)?;
    if !clean.is_survivor() {
        bail!("RTL and golden model differ on {} ({clean:?}): quell replay shows it", runs.display());
    }
    let mut all = Vec::new();
    for (i, &k) in mutants.iter().enumerate() {
        progress("stimuli", i as u64, mutants.len() as u64);
        all.push((k, ask(k + 1)?));
    }
    Ok(all)
}

/// Which of some mutants a stimulus shows.
fn shown(c: &Campaign, path: &Path, program: &Path, mutants: &[usize]) -> Result<Vec<usize>> {
    let runs = path.with_extension("runs");
    let stimulus = recording::read(path).map_err(|e| anyhow!(e))?;
    vectors::record(&c.build, &[runs::stimulus_job(path, stimulus)], &runs, &|_| {})?;
    let all = meet(program, &runs, 1, mutants, &|_, _, _| {})?;
    std::fs::remove_file(&runs)?;
    Ok(all.into_iter().filter(|(_, v)| matches!(v, Verdict::Killed { .. })).map(|(k, _)| k).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_from_the_header() {
        let rules = |t: &str| rules_of(t).join(" ");
        assert_eq!(rules("// One CAM line. Rules E1, E3, E5.\nmodule x;"), "E1 E3 E5");
        assert_eq!(rules("// A 16 bit thing. Rules B3, F1, M1-M3.\n// U0 is not one."), "B3 F1 M1 M2 M3");
        assert_eq!(rules("// Contract: docs/switch.md; rules A1-A3. E9 is not.\n"), "A1 A2 A3");
        assert_eq!(rules("// Rules H1, H2 (H3-H8 in the\n// throttle), B3.\n"), "H1 H2 H3 H4 H5 H6 H7 H8");
        assert_eq!(rules("// Combinational.\n"), "");
    }

    #[test]
    fn verdicts_are_read_and_nonsense_is_not() {
        let killed = Verdict::Killed { output: true, run: 3, cycle: 9 };
        assert_eq!(verdict("17 output 3 9", 4), Some((17, killed)));
        assert_eq!(verdict("1 survived", 4), Some((1, Verdict::survived())));
        for wrong in ["17 output 4 9", "x survived", "1", "", "1 eaten", "1 state 1"] {
            assert_eq!(verdict(wrong, 4), None, "{wrong}");
        }
    }

    #[test]
    fn the_score_leaves_equivalent_mutants_out() {
        let mut s = Score::default();
        s.add(&Verdict::Killed { output: false, run: 0, cycle: 0 });
        s.add(&Verdict::Equivalent { how: String::new() });
        s.add(&Verdict::survived());
        assert_eq!((s.percent(), s.by_state, s.equivalent), (50.0, 1, 1));
    }
}
