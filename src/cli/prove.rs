//! `quell prove`: formal proofs of the properties in `tb/`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::common::{Format, Outcome, at_least_one};
use crate::outfile;
use crate::prove::{self, Options, Results, Verdict, words};

/// `quell prove`
#[derive(Args)]
pub struct ProveArgs {
    /// A unit (input-port ...) or one of the models of --list; without it all
    pub what: Option<String>,
    /// Only this property (a label, or the name of one instance), by itself: others are not used as lemmas
    #[arg(long, value_name = "NAME", conflicts_with = "doc")]
    pub property: Option<String>,
    /// Cycles after reset that the bounded search covers; without it each model's own
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 100_000))]
    pub depth: Option<u64>,
    /// Time for each model; the search stops at the depth that it has reached
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = at_least_one)]
    pub seconds: u64,
    /// Folder of results (which are kept), models and counterexamples
    #[arg(long, value_name = "DIR", default_value = "quell-proofs")]
    pub out: PathBuf,
    /// Another folder of RTL
    #[arg(long, value_name = "DIR")]
    pub rtl: Option<PathBuf>,
    /// Do not use results that were kept
    #[arg(long)]
    pub fresh: bool,
    /// Write the table of properties and their status (all models are needed)
    #[arg(long, value_name = "FILE", conflicts_with = "what")]
    pub doc: Option<PathBuf>,
    /// Only list the models
    #[arg(long)]
    pub list: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// `quell prove`
pub fn prove(args: &ProveArgs) -> Result<Outcome> {
    let chosen = prove::chosen(args.what.as_deref())?;
    if args.list {
        for h in &chosen {
            let params: Vec<String> = h.parameters().iter().map(|(n, v)| format!("{n}={v}")).collect();
            println!("{:22} {:13} {:20} {}", h.name, h.unit.cli_name(), h.module, params.join(" "));
        }
        return Ok(Outcome::Good);
    }
    if let Some(rtl) = args.rtl.as_ref().filter(|r| !r.is_dir()) {
        bail!("--rtl {}: not a folder", rtl.display());
    }
    let options = Options {
        out: args.out.clone(),
        rtl: args.rtl.clone(),
        depth: args.depth.map(|d| d as usize),
        seconds: args.seconds,
        fresh: args.fresh,
        only: args.property.clone(),
    };
    let mut all = Vec::new();
    for h in chosen {
        let told = |what: &str| eprintln!("quell: {}: {what}", h.name);
        let results = prove::prove(h, &options, &told)?;
        if args.property.is_some() && results.asserts.is_empty() && results.covers.is_empty() {
            told("it has no such property");
            continue;
        }
        if args.format == Format::Text {
            show(h.name, &results);
        }
        all.push((h, results));
    }
    if all.is_empty() {
        let only = args.property.as_deref().unwrap_or_default();
        bail!("--property {only}: no model that was looked at has it; docs/proofs.md lists all");
    }
    if args.format == Format::Json {
        let json: serde_json::Map<String, serde_json::Value> = all
            .iter()
            .map(|(h, r)| Ok((h.name.to_string(), serde_json::to_value(r)?)))
            .collect::<Result<_>>()?;
        println!("{}", serde_json::to_string_pretty(&json)?);
    }
    if let Some(path) = &args.doc {
        let text = prove::document(&all, &crate::home::root()?.join("tb"))?;
        outfile::write(path, text.as_bytes())?;
    }
    let failed = all.iter().any(|(_, r)| r.failed());
    Ok(if failed { Outcome::Mismatch } else { Outcome::Good })
}

/// The results of a model, for people.
fn show(name: &str, r: &Results) {
    let count = |f: &dyn Fn(&Verdict) -> bool| r.asserts.values().filter(|v| f(v)).count();
    let hit = r.covers.values().filter(|c| c.is_some()).count();
    println!(
        "{name}: {} assertions: {} proved, {} proved given others, {} hold in {} cycles, {} failed; {hit} of {} covers hit",
        r.asserts.len(),
        count(&|v| matches!(v, Verdict::Proved(_))),
        count(&|v| matches!(v, Verdict::ProvedGiven(_))),
        count(&|v| matches!(v, Verdict::Bounded(_))),
        r.depth,
        count(&|v| matches!(v, Verdict::Failed { .. })),
        r.covers.len()
    );
    for (property, verdict) in &r.asserts {
        println!("  {property:44} {}", words(verdict));
        if let Verdict::Failed { vcd, stimulus, .. } = verdict {
            println!("    waveform {}", vcd.display());
            if let Some(path) = stimulus {
                println!("    quell replay {}", path.display());
            }
        }
    }
    for (cover, at) in &r.covers {
        match at {
            Some(at) => println!("  {cover:44} hit in cycle {at}"),
            None => println!("  {cover:44} NOT HIT in {} cycles", r.depth),
        }
    }
}
