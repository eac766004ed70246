//! `quell campaign`: a list of commands, each done once, here or on Slurm.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::common::{Format, Outcome, between};
use super::lists::table;
use super::progress::Progress;
use crate::campaign::job::Keyed;
use crate::campaign::list::{self, Check, List};
use crate::campaign::made_of::Now;
use crate::campaign::slurm::{self, How, Left, News};
use crate::campaign::store::{ERR, OUT, State, Store};
use crate::campaign::summary::{Became, Row, Summary, summary};
use crate::campaign::work::{Done, End};
use crate::campaign::{local, merge};
use crate::jobs::processors;
use crate::outfile;

/// The long forms of the tests.
const LONG: &str = include_str!("long.toml");
/// Of a campaign with so few jobs each has a line when it ends.
const FEW: usize = 50;
/// Lines of what is not good, at most.
const LINES: usize = 20;

/// Where jobs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum On {
    /// On this machine
    Local,
    /// As job arrays of a Slurm cluster
    Slurm,
}

#[derive(Args)]
pub(super) struct CampaignArgs {
    /// The campaign's file (NAME.toml), and parts to run (names of its jobs; --list shows them). Without a file: the long forms of the
    /// tests; without parts: all
    #[arg(value_name = "FILE.toml|PART")]
    words: Vec<String>,
    /// Folder of results; campaigns that share it share them
    #[arg(long, value_name = "DIR", default_value = "quell-campaign")]
    out: PathBuf,
    /// Where the jobs run
    #[arg(long, value_enum, default_value = "local")]
    on: On,
    /// Processors of this machine, default all; on Slurm: tasks that may run at once, default as many as it has room for
    #[arg(long, value_name = "N", value_parser = between(1, 10_000))]
    jobs: Option<u64>,
    /// On Slurm: jobs of a task, one after another; default: so many that there are at most 100 tasks
    #[arg(long, value_name = "N", value_parser = between(1, 1_000_000))]
    chunk: Option<u64>,
    /// On Slurm: submit, and do not wait
    #[arg(long)]
    no_wait: bool,
    /// Take results from another folder first; may be given several times
    #[arg(long, value_name = "DIR")]
    merge: Vec<PathBuf>,
    /// Run nothing: only say what became of the jobs
    #[arg(long)]
    summary: bool,
    /// Only list the parts and their commands
    #[arg(long)]
    list: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Do one task of an array (Slurm calls this)
    #[arg(long, value_name = "DIR", hide = true, exclusive = true)]
    task: Option<PathBuf>,
}

pub(super) fn campaign(args: &CampaignArgs, check: Check) -> Result<Outcome> {
    if let Some(place) = &args.task {
        slurm::task(place)?;
        return Ok(Outcome::Good);
    }
    if args.on == On::Local {
        ensure!(args.chunk.is_none(), "--chunk: it is for --on slurm");
        ensure!(!args.no_wait, "--no-wait: it is for --on slurm");
    }
    let list = chosen(args, check)?;
    if args.list {
        match args.format {
            Format::Text => list.jobs.iter().for_each(|j| println!("{:<12} {}", j.part, j.command())),
            Format::Json => {
                let all = list.jobs.iter().map(|j| json!({"job": j.part, "command": j.command()}));
                println!("{:#}", Value::Array(all.collect()));
            }
        }
        return Ok(Outcome::Good);
    }
    let now = Now::read()?;
    let store = Store::new(&args.out);
    std::fs::create_dir_all(store.jobs()).with_context(|| format!("--out {}", args.out.display()))?;
    list.inputs.iter().try_for_each(|(sum, from)| store.take_input(sum, from))?;
    let all: Vec<Keyed> = list
        .jobs
        .iter()
        .map(|j| Ok(Keyed { key: j.key(&now.of)?, job: j.clone() }))
        .collect::<Result<_>>()?;
    for from in &args.merge {
        let merged = merge::merge(&store, from)?;
        eprintln!("quell: {}: {} results taken, {} were here", from.display(), merged.taken, merged.had);
    }
    let left = if args.summary { Left::default() } else { run(args, &list, &store, &now, &all)? };
    let told = summary(&store, &list.name, &now.of, &all);
    write(&store, &told)?;
    match args.format {
        Format::Text => print!("{}", text(&told, &store)),
        Format::Json => println!("{}", serde_json::to_string_pretty(&told)?),
    }
    outcome(args, &told, &left)
}

/// The jobs that are asked for.
fn chosen(args: &CampaignArgs, check: Check) -> Result<List> {
    let file = args.words.first().filter(|w| w.ends_with(".toml"));
    let mut list = match file {
        Some(file) => list::read(Path::new(file), check)?,
        None => list::parse("long", LONG, Path::new(""), &|_| Ok(()))?,
    };
    let parts = &args.words[usize::from(file.is_some())..];
    let mut names: Vec<&str> = list.jobs.iter().map(|j| j.part.as_str()).collect();
    names.dedup();
    if let Some(no) = parts.iter().find(|p| !names.contains(&p.as_str())) {
        bail!("there is no part {no}: legal are {}, and first a file NAME.toml", names.join(", "));
    }
    list.jobs.retain(|j| parts.is_empty() || parts.contains(&j.part));
    // (A command that is not in this quell would be a failure of its job.)
    if file.is_none() {
        list.jobs.iter().try_for_each(|j| check(&j.args).with_context(|| j.command()))?;
    }
    Ok(list)
}

/// Does what is not done.
fn run(args: &CampaignArgs, list: &List, store: &Store, now: &Now, all: &[Keyed]) -> Result<Left> {
    slurm::tidy(store)?;
    let (mut seen, mut open) = (HashSet::new(), Vec::new());
    for job in all.iter().filter(|j| seen.insert(j.key.as_str())) {
        match store.find(&job.key) {
            State::Whole(_) => continue,
            State::Damaged(why) => {
                let aside = store.put_aside(&job.key)?;
                eprintln!("quell: damaged, put aside as {}, and done again: {why}", aside.display());
            }
            State::Nothing | State::Failed(_) => {}
        }
        open.push(job.clone());
    }
    let done = seen.len() - open.len();
    if done > 0 {
        eprintln!("quell: {done} of {} jobs are done", seen.len());
    }
    if open.is_empty() {
        return Ok(Left::default());
    }
    let bar = Progress::of(open.len() as u64, "jobs");
    match args.on {
        On::Local => {
            let n = args.jobs.map_or_else(processors, |n| n as usize);
            let told = |job: &Keyed, done: &Done| {
                bar.add(1);
                if open.len() <= FEW || done.end != End::Good {
                    bar.line(&format!("{}  {}  {}", end(done.end), time(done.seconds), job.job.command()));
                }
            };
            local::run(store, now, &open, n, &told)?;
            Ok(Left::default())
        }
        On::Slurm => {
            let chunk = args.chunk.map(|n| n as usize);
            let how = How { options: &list.slurm, at_once: args.jobs, chunk, wait: !args.no_wait };
            slurm::run(store, now, &open, &how, &|news| match news {
                News::Ended(n) => bar.add(n as u64),
                News::Line(text) => bar.line(&format!("quell: {text}")),
            })
        }
    }
}

fn end(end: End) -> &'static str {
    match end {
        End::Good => Became::Good.text(),
        End::NotGood => Became::NotGood.text(),
        End::Failed => Became::Failed.text(),
        End::Killed => Became::Killed.text(),
    }
}

fn time(seconds: f64) -> String {
    let s = Duration::from_secs_f64(seconds.max(0.0)).as_secs();
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// Where the summary is written.
fn file(store: &Store, told: &Summary, ending: &str) -> PathBuf {
    store.folder().join(format!("{}.{ending}", told.campaign))
}

fn write(store: &Store, told: &Summary) -> Result<()> {
    outfile::write(&file(store, told, "json"), &serde_json::to_vec_pretty(told)?)?;
    outfile::write(&file(store, told, "csv"), told.csv()?.as_bytes())
}

const ENDS: [Became; 6] =
    [Became::Good, Became::NotGood, Became::Failed, Became::Killed, Became::Damaged, Became::Open];

fn text(told: &Summary, store: &Store) -> String {
    let row = |p: &crate::campaign::summary::Part| {
        let n = |b: Became| p.became.get(&b).map_or("-".to_string(), usize::to_string);
        let [good, not, failed, killed, damaged, open] = ENDS.map(n);
        [p.job.clone(), p.jobs.to_string(), good, not, failed, killed, damaged, open, time(p.seconds)]
    };
    let head = ["job", "jobs", "good", "not good", "failed", "killed", "damaged", "open", "time"];
    let mut text = table(head, told.parts.iter().map(row).collect());
    let bad: Vec<&Row> =
        told.jobs.iter().filter(|r| !matches!(r.became, Became::Good | Became::Open)).collect();
    for row in bad.iter().take(LINES) {
        text += &format!("{}: {}\n  {}\n", row.became.text(), row.command, why(row));
    }
    if bad.len() > LINES {
        text += &format!("and {} more\n", bad.len() - LINES);
    }
    let whole = told.jobs.iter().filter(|r| r.status.is_some_and(|s| s <= 1));
    let (count, around) = whole.fold((0, 0.0), |(n, t), r| (n + 1, t + r.around));
    if count > 0 {
        text += &format!("around a command: {:.1} ms\n", around / f64::from(count) * 1000.0);
    }
    text + &format!("{}, {}\n", file(store, told, "json").display(), file(store, told, "csv").display())
}

/// Where to look, and the last line of what a command that failed said.
fn why(row: &Row) -> String {
    if let Some(why) = &row.why {
        return why.clone();
    }
    if row.became == Became::NotGood {
        return row.folder.join(OUT).display().to_string();
    }
    let log = row.folder.join(ERR);
    let said = std::fs::read(&log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    format!("{}: {}", log.display(), said.lines().last().unwrap_or("it said nothing"))
}

fn outcome(args: &CampaignArgs, told: &Summary, left: &Left) -> Result<Outcome> {
    let n = |b: Became| told.count(b);
    let bad = [Became::Failed, Became::Killed, Became::Damaged].map(n).iter().sum::<usize>();
    if left.refused > 0 {
        bail!("{} jobs are not in the queue, which is full; remedy: start the campaign again", left.refused);
    }
    if left.queued > 0 {
        println!("{} jobs are in the queue; the same command waits for them", left.queued);
        return Ok(Outcome::Good);
    }
    if bad > 0 || n(Became::Open) > 0 && !args.summary {
        let open = n(Became::Open);
        bail!(
            "{} jobs have no result; remedy: start the campaign again, which does only these{}",
            bad + open,
            logs(args, left)
        );
    }
    Ok(if n(Became::NotGood) > 0 { Outcome::Mismatch } else { Outcome::Good })
}

fn logs(args: &CampaignArgs, left: &Left) -> String {
    match left.lost {
        0 => String::new(),
        n => format!(
            "; {n} were begun {} times and killed, logs: {}",
            local::TRIES,
            args.out.join("slurm/*/*.txt").display()
        ),
    }
}
