//! `quell paper`: repeats published results.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::common::Outcome;
use super::progress::Progress;
use crate::jobs::processors;
use crate::outfile::write;
use crate::study::cache::{Cache, sources};
use crate::study::claim::count;
use crate::study::page::{self, Entry, Kept, of_all};
use crate::study::run::{How, Progress as Step, weight};
use crate::study::{Done, Job, Plan, Scale, Study, Table, all_sizes, find, run_all, studies};

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PaperFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// The claims as a table
    Md,
}

/// `quell paper`
#[derive(Args)]
pub struct PaperArgs {
    /// Studies to run: G1, E1, ... (--list shows them)
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// All studies
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,
    /// Small networks and short times
    #[arg(long)]
    pub quick: bool,
    /// Only the network of N nodes of studies with several: 64, 256 (E1, E2 and E3, which run both otherwise), 1024
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = size)]
    pub size: Option<usize>,
    /// Draws of hotspots and their sources, where a study draws them; default: 3 with --quick and 1024 nodes, else 8
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 64))]
    pub draws: Option<u64>,
    /// Keep what was measured in FILE with ending json, and make the page FILE (docs/results.md) of all that is kept there;
    /// without studies just that
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub page: Option<PathBuf>,
    /// Show what would be run, and how long it may take
    #[arg(long, conflicts_with_all = ["list", "page"])]
    pub plan: bool,
    /// List the studies
    #[arg(long, conflicts_with_all = ["all", "quick"])]
    pub list: bool,
    /// Runs side by side; default: the number of processors
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 256))]
    pub threads: Option<u64>,
    /// Folder of figures, reports and finished runs; default: quell-paper, beside the program's build folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the traffic
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    pub seed: u64,
    /// How to print the results
    #[arg(long, value_enum, default_value = "text")]
    pub format: PaperFormat,
}

/// `target/quell-paper` for a program in `target/release`.
fn default_folder() -> PathBuf {
    let exe = std::env::current_exe().unwrap_or_default();
    let build =
        exe.parent().filter(|p| p.ends_with("release") || p.ends_with("debug")).and_then(|p| p.parent());
    build.map_or_else(PathBuf::new, PathBuf::from).join("quell-paper")
}

fn size(text: &str) -> Result<usize, String> {
    let all = all_sizes();
    let of = text.parse().ok().filter(|n| all.contains(n));
    of.ok_or_else(|| format!("legal is {}", all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")))
}

/// The studies that are asked for.
fn chosen(args: &PaperArgs) -> Result<Vec<Study>> {
    let mut chosen = if args.ids.is_empty() { studies() } else { find(&args.ids)? };
    if args.size.is_some() {
        if let Some(s) = chosen.iter().find(|s| !s.sizes && !args.ids.is_empty()) {
            bail!("--size: {} has one network; those with several are E1, E2, E3", s.id);
        }
        chosen.retain(|s| s.sizes);
    }
    Ok(chosen)
}

/// `quell paper`
pub fn paper(args: &PaperArgs) -> Result<Outcome> {
    let chosen = chosen(args)?;
    if args.list {
        print!("{}", list(&chosen, args.format));
        return Ok(Outcome::Good);
    }
    if args.ids.is_empty() && !args.all {
        if let Some(page) = &args.page {
            let kept = Kept::read(page)?;
            if kept == Kept::default() {
                bail!("--page: there is no {}", page::beside(page).display());
            }
            kept.write(page, &studies())?;
            return Ok(Outcome::Good);
        }
        bail!(
            "which study? Name some of {} or give --all",
            chosen.iter().map(|s| s.id).collect::<Vec<_>>().join(", ")
        );
    }
    let scale = match args.size {
        Some(n) => Scale::Only(n),
        None if args.quick => Scale::Quick,
        None => Scale::Full,
    };
    let full = |n: &usize| *n < 1024;
    if let (Some(_), Some(n)) = (&args.page, args.size.filter(full)) {
        bail!("--page: {n} nodes are a part of the full form, which has 64 and 256; leave out --size");
    }
    // A damaged file is told before the runs, not after them.
    let mut kept = args.page.as_deref().map(Kept::read).transpose()?;
    let folder = args.out.clone().unwrap_or_else(default_folder);
    let cache = Cache::open(&folder.join("runs"), sources())?;
    let draws = args.draws.map(|n| n as usize);
    if args.plan {
        print!("{}", plan(&chosen, scale, args.seed, draws, &cache)?);
        return Ok(Outcome::Good);
    }
    let threads = args.threads.map_or_else(processors, |n| n as usize);
    let bar = Progress::of_stages();
    let progress = |step: Step| match step {
        Step::Start { weight, .. } => bar.stage("simulated microseconds times hosts", 0, weight),
        Step::Done { weight, .. } => bar.add(weight),
    };
    let begin = Instant::now();
    let how = How { threads, cache: Some(&cache), progress: &progress };
    let done = run_all(chosen, scale, args.seed, draws, &how);
    drop(bar);
    let done = done?;
    for d in &done {
        for figure in &d.figures {
            let name = format!("{}-{}", d.study.id.to_lowercase(), figure.name);
            write(&folder.join(format!("{name}.svg")), figure.svg.as_bytes())?;
            if let Some(page) = args.page.as_ref().filter(|_| scale == Scale::Full)
                && page::SHOWN.contains(&name.as_str())
            {
                write(&page.with_file_name("figures").join(format!("{name}.svg")), figure.svg.as_bytes())?;
            }
        }
        let name = folder.join(format!("{}.json", d.study.id.to_lowercase()));
        write(&name, format!("{:#}\n", json_of(d)).as_bytes()).context("report of a study")?;
        if let Some(kept) = &mut kept {
            let entry = Entry {
                seed: d.seed,
                draws: d.draws,
                // As it is kept, so that a page made of what is kept says the same.
                seconds: (d.seconds * 10.0).round() / 10.0,
                sources: format!("{:016x}", sources().of_both()),
                numbers: d.numbers.clone(),
            };
            kept.add(scale, d.study.id, entry);
        }
    }
    if let (Some(page), Some(kept)) = (&args.page, &kept) {
        kept.write(page, &studies())?;
    }
    let seconds = begin.elapsed().as_secs_f64();
    match args.format {
        PaperFormat::Text => {
            print!("{}{}", done.iter().map(text).collect::<String>(), footer(&done, seconds, &folder))
        }
        PaperFormat::Json => {
            let list: Vec<Value> = done.iter().map(json_of).collect();
            println!("{:#}", json!({"form": scale.name(), "seed": args.seed, "studies": list}));
        }
        PaperFormat::Md => {
            let reports: Vec<_> = done.iter().map(|d| (d.study.id, &d.report)).collect();
            print!("{}", page::claims(&reports));
        }
    }
    Ok(if done.iter().all(|d| d.report.holds()) { Outcome::Good } else { Outcome::DoesNotHold })
}

/// What is chosen, and how a study differs from the paper's.
fn chosen_text(s: &Study) -> Vec<String> {
    s.settings_text().into_iter().chain(s.deviations.iter().map(|d| d.to_string())).collect()
}

fn list(studies: &[Study], format: PaperFormat) -> String {
    match format {
        PaperFormat::Json => {
            let all: Vec<Value> = studies
                .iter()
                .map(|s| json!({"id": s.id, "title": s.title, "source": s.source, "chosen": chosen_text(s)}))
                .collect();
            format!("{:#}\n", Value::Array(all))
        }
        _ => studies.iter().map(|s| format!("{:4} {} ({})\n", s.id, s.title, s.source)).collect(),
    }
}

/// Runs of a study: how many, their weight; those that are kept: how many, weight, seconds.
#[derive(Clone, Copy, Default)]
struct Load {
    runs: usize,
    weight: u64,
    kept: usize,
    done: u64,
    seconds: f64,
}

impl Load {
    fn of(runs: &[&Job], cache: &Cache) -> Load {
        let mut load = Load::default();
        for run in runs {
            let w = weight(run);
            load.runs += 1;
            load.weight += w;
            if let Some(outcome) = cache.get(run) {
                load.kept += 1;
                load.done += w;
                load.seconds += outcome.seconds();
            }
        }
        load
    }
}

/// The runs of each study, how many of them are kept, and a guess at the processor time of the rest: by weight, at the rate of the study's kept
/// runs of this form, else of its short form, else of all that are kept.
fn plan(studies: &[Study], scale: Scale, seed: u64, draws: Option<usize>, cache: &Cache) -> Result<String> {
    let this = Plan::new(studies, scale, seed, draws)?;
    let short = Plan::new(studies, Scale::Quick, seed, None)?;
    let loads: Vec<[Load; 2]> =
        (0..studies.len()).map(|i| [&this, &short].map(|plan| Load::of(&plan.runs_of(i), cache))).collect();
    let (seconds, done) = loads.iter().flatten().fold((0.0, 0), |(s, d), l| (s + l.seconds, d + l.done));
    let mut t = Table::new(
        "",
        &["id", "runs", "kept", "weight (us x hosts)", "of those kept (s)", "to do, about (s)"],
    );
    let (mut all, mut known) = (0.0, true);
    for (study, [load, short]) in studies.iter().zip(&loads) {
        let rate = [(load.seconds, load.done), (short.seconds, short.done), (seconds, done)];
        let rate = rate.into_iter().find(|r| r.1 > 0).map(|(s, d)| s / d as f64);
        let left = rate.map(|r| (load.weight - load.done) as f64 * r);
        all += left.unwrap_or_default();
        known &= left.is_some();
        t.row([
            study.id.to_string(),
            load.runs.to_string(),
            load.kept.to_string(),
            load.weight.to_string(),
            format!("{:.0}", load.seconds),
            left.map_or("?".into(), |s| format!("{s:.0}")),
        ]);
    }
    let all = if known { format!("{all:.0}") } else { "?".into() };
    Ok(format!(
        "{}{} runs in all, about {all} s to do; those that studies share count in each\n",
        columns(&t),
        this.runs.len()
    ))
}

fn json_of(d: &Done) -> Value {
    let s = &d.study;
    let claims: Vec<Value> = d.report.claims.iter().map(|c| c.json()).collect();
    json!({
        "id": s.id, "title": s.title, "source": s.source, "chosen": chosen_text(s), "draws": d.draws,
        "holds": d.report.holds(), "claims": claims, "tables": d.report.tables, "numbers": d.numbers,
    })
}

/// Columns as wide as they need to be.
fn columns(t: &Table) -> String {
    let mut width: Vec<usize> = t.head.iter().map(|h| h.chars().count()).collect();
    for row in &t.rows {
        for (w, cell) in width.iter_mut().zip(row) {
            *w = (*w).max(cell.chars().count());
        }
    }
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells.iter().zip(&width).map(|(cell, w)| format!("{cell:w$}")).collect();
        format!("    {}\n", padded.join("  ").trim_end())
    };
    std::iter::once(&t.head).chain(&t.rows).map(|row| line(row)).collect()
}

fn text(d: &Done) -> String {
    let mut o = String::new();
    let s = &d.study;
    let _ = writeln!(o, "{}  {} ({})", s.id, s.title, s.source);
    for line in chosen_text(s) {
        let _ = writeln!(o, "  {line}");
    }
    for t in &d.report.tables {
        let _ = write!(o, "  {}\n{}", t.title, columns(t));
    }
    for c in &d.report.claims {
        let v = c.verdict();
        let word = if v.holds { "[holds]         " } else { "[DOES NOT HOLD] " };
        let draws =
            if v.draws > 1 { format!(" (in {} of {} draws)", v.in_draws, v.draws) } else { "".into() };
        let _ = writeln!(o, "  {word} {}: {} ({}){draws}", c.text, c.must(), c.kind.name());
        let _ = writeln!(o, "      published: {}", c.published_text());
        let deviation = c.deviation();
        let deviation = if deviation.is_empty() { deviation } else { format!(" (deviation {deviation})") };
        let _ = writeln!(o, "      measured:  {}{deviation}", c.measured_text());
        if !v.holds && !c.reason.is_empty() {
            let _ = writeln!(o, "      why not:   {}", c.reason);
        }
    }
    o.push('\n');
    o
}

fn footer(done: &[Done], seconds: f64, folder: &std::path::Path) -> String {
    let counts = count(done.iter().flat_map(|d| &d.report.claims));
    let held = of_all(counts.into_iter().sum());
    let [values, orders, bounds] = counts.map(of_all);
    let figures: usize = done.iter().map(|d| d.figures.len()).sum();
    format!(
        "{held} claims hold (values {values}, orders {orders}, bounds {bounds}); {figures} figure{} in {}; {seconds:.0} s\n",
        if figures == 1 { "" } else { "s" },
        folder.display()
    )
}
