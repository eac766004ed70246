//! `quell paper`: repeats published results.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::common::Outcome;
use super::progress::Progress;
use crate::outfile::write;
use crate::study::cache::{Cache, sources};
use crate::study::run::{How, Progress as Step};
use crate::study::{Done, Scale, Study, Table, find, run_all, studies};

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PaperFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// The table of docs/results.md
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
    /// Leave out networks of more than N nodes (E1, E2 and E3, which have 64, 256 and 1024)
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = clap::value_parser!(u64).range(64..))]
    pub nodes: Option<u64>,
    /// List the studies
    #[arg(long, conflicts_with_all = ["all", "quick"])]
    pub list: bool,
    /// Runs side by side; default: the number of processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub threads: Option<u64>,
    /// Folder of figures, reports and finished runs; default: quell-paper, beside the program's build folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the traffic
    #[arg(long, value_name = "S", default_value_t = 1)]
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

/// `quell paper`
pub fn paper(args: &PaperArgs) -> Result<Outcome> {
    let chosen: Vec<Study> = if args.ids.is_empty() { studies() } else { find(&args.ids)? };
    if args.list {
        print!("{}", list(&chosen, args.format));
        return Ok(Outcome::Good);
    }
    if args.ids.is_empty() && !args.all {
        bail!(
            "which study? Name some of {} or give --all",
            chosen.iter().map(|s| s.id).collect::<Vec<_>>().join(", ")
        );
    }
    let scale = match args.nodes {
        Some(n) => Scale::UpTo(n as usize),
        None if args.quick => Scale::Quick,
        None => Scale::Full,
    };
    let folder = args.out.clone().unwrap_or_else(default_folder);
    let cache = Cache::open(&folder.join("runs"), sources())?;
    let threads = match args.threads {
        Some(n) => n as usize,
        None => std::thread::available_parallelism().map_or(1, |n| n.get()),
    };
    let bar = Progress::of_stages();
    let progress = |step: Step| match step {
        Step::Start { weight, .. } => bar.stage("simulated microseconds times hosts", 0, weight),
        Step::Done { weight, .. } => bar.add(weight),
    };
    let begin = Instant::now();
    let how = How { threads, cache: Some(&cache), progress: &progress };
    let done = run_all(chosen, scale, args.seed, &how);
    drop(bar);
    let done = done?;
    for d in &done {
        for figure in &d.report.figures {
            let name = format!("{}-{}.svg", d.study.id.to_lowercase(), figure.name);
            write(&folder.join(name), figure.svg.as_bytes())?;
        }
        let name = folder.join(format!("{}.json", d.study.id.to_lowercase()));
        write(&name, format!("{:#}\n", json_of(d)).as_bytes()).context("report of a study")?;
    }
    let seconds = begin.elapsed().as_secs_f64();
    match args.format {
        PaperFormat::Text => {
            print!("{}{}", done.iter().map(text).collect::<String>(), footer(&done, seconds, &folder))
        }
        PaperFormat::Json => {
            let list: Vec<Value> = done.iter().map(json_of).collect();
            println!("{:#}", json!({"quick": args.quick, "seed": args.seed, "studies": list}));
        }
        PaperFormat::Md => print!("{}", markdown(&done, args)),
    }
    Ok(if done.iter().all(|d| d.report.holds()) { Outcome::Good } else { Outcome::DoesNotHold })
}

fn list(studies: &[Study], format: PaperFormat) -> String {
    match format {
        PaperFormat::Json => {
            let all: Vec<Value> = studies
                .iter()
                .map(|s| json!({"id": s.id, "title": s.title, "source": s.source, "chosen": s.chosen}))
                .collect();
            format!("{:#}\n", Value::Array(all))
        }
        _ => studies.iter().map(|s| format!("{:4} {} ({})\n", s.id, s.title, s.source)).collect(),
    }
}

fn json_of(d: &Done) -> Value {
    let s = &d.study;
    json!({
        "id": s.id, "title": s.title, "source": s.source, "chosen": s.chosen,
        "holds": d.report.holds(), "claims": d.report.claims, "tables": d.report.tables,
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
    let _ = writeln!(o, "  chosen: {}", s.chosen);
    for t in &d.report.tables {
        let _ = write!(o, "  {}\n{}", t.title, columns(t));
    }
    for c in &d.report.claims {
        let _ = writeln!(o, "  {} {}", if c.holds { "[holds]         " } else { "[DOES NOT HOLD] " }, c.text);
        let _ = writeln!(o, "      published: {}", c.published);
        let _ = writeln!(o, "      measured:  {}", c.measured);
    }
    o.push('\n');
    o
}

fn footer(done: &[Done], seconds: f64, folder: &std::path::Path) -> String {
    let claims: Vec<bool> = done.iter().flat_map(|d| d.report.claims.iter().map(|c| c.holds)).collect();
    let held = claims.iter().filter(|h| **h).count();
    let figures: usize = done.iter().map(|d| d.report.figures.len()).sum();
    format!(
        "{held} of {} claims hold; {figures} figure{} in {}; {seconds:.0} s\n",
        claims.len(),
        if figures == 1 { "" } else { "s" },
        folder.display()
    )
}

/// The table of docs/results.md.
fn markdown(done: &[Done], args: &PaperArgs) -> String {
    let mut o =
        String::from("| id | claim | published | measured | holds | run time |\n|---|---|---|---|---|---|\n");
    let cell = |text: &str| text.replace('|', "\\|");
    for d in done {
        for (i, c) in d.report.claims.iter().enumerate() {
            let (id, time) =
                if i == 0 { (d.study.id, format!("{:.1} s", d.seconds)) } else { ("", "".into()) };
            let holds = if c.holds { "yes" } else { "**no**" };
            let (claim, published, measured) = (cell(&c.text), cell(&c.published), cell(&c.measured));
            let _ = writeln!(o, "| {id} | {claim} | {published} | {measured} | {holds} | {time} |");
        }
    }
    o.push_str("\n| id | source | chosen, and different from the paper | command |\n|---|---|---|---|\n");
    let scale = match args.nodes {
        Some(n) => format!(" --nodes {n}"),
        None if args.quick => " --quick".into(),
        None => String::new(),
    };
    for d in done {
        let s = &d.study;
        let (source, chosen) = (cell(s.source), cell(s.chosen));
        let _ = writeln!(
            o,
            "| {} | {source} | {chosen} | `quell paper {}{scale} --seed {}` |",
            s.id, s.id, args.seed
        );
    }
    o
}
