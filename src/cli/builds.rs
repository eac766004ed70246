//! `quell builds`: parameter sets, and the models that are kept of them.

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::args::UnitArg;
use super::common::{Format, Outcome};
use super::lists::table;
use crate::params::{Build, builds as named};
use crate::verilate::{Kept, Store, store};
use crate::{home, verilated};

/// What `--clean` removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Clean {
    /// Models of other sources or tools than now, and what was left half made
    Old,
    /// Everything kept
    All,
}

/// `quell builds`
#[derive(Args)]
pub struct BuildsArgs {
    /// Only those of this unit
    #[arg(value_enum)]
    pub unit: Option<UnitArg>,
    /// Remove kept models
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "old", conflicts_with = "unit")]
    pub clean: Option<Clean>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// A parameter set, and the model that is kept of it as sources and tools are now.
struct Row {
    build: Build,
    kept: Option<Kept>,
}

/// `quell builds`
pub fn builds(args: &BuildsArgs) -> Result<Outcome> {
    let store = store();
    if let Some(clean) = args.clean {
        return cleaned(&store, clean);
    }
    let unit = args.unit.map(UnitArg::kind);
    let mut rows = Vec::new();
    for build in named() {
        rows.push(row(&store, build)?);
    }
    // Models of parameters that were given on the command line.
    for kept in store.all() {
        let known = rows.iter().any(|r| r.kept.as_ref().is_some_and(|k| k.key == kept.key));
        if !known && let Some(build) = current(&kept)? {
            rows.push(Row { build, kept: Some(kept) });
        }
    }
    rows.retain(|r| unit.is_none_or(|u| r.build.unit == u));
    match args.format {
        Format::Json => println!("{:#}", Value::Array(rows.iter().map(json).collect())),
        Format::Text => text(&store, rows)?,
    }
    Ok(Outcome::Good)
}

fn row(store: &Store, build: Build) -> Result<Row> {
    let key = verilated::key(&build)?;
    Ok(Row { build, kept: store.listed(&key) })
}

fn json(r: &Row) -> Value {
    let kept = r.kept.as_ref().map(|k| {
        json!({"file": k.object(), "bytes": k.manifest.bytes, "seconds": k.manifest.seconds, "made": k.manifest.made})
    });
    let mut v = verilated::description(&r.build);
    v["build"] = r.build.label().into();
    v["kept"] = kept.into();
    v
}

fn text(store: &Store, rows: Vec<Row>) -> Result<()> {
    let lines = rows.iter().map(|r| {
        let parameters: Vec<String> = r.build.values().iter().map(|(n, v)| format!("{n}={v}")).collect();
        let kept = r.kept.as_ref().map_or("-".into(), |k| format!("{:.1} MB", k.manifest.bytes as f64 / 1e6));
        [r.build.unit.cli_name().to_string(), r.build.label(), kept, parameters.join(" ")]
    });
    print!("{}", table(["unit", "build", "kept", "parameters"], lines.collect()));
    let root = home::found()?;
    println!("\nmodels   {}", store.folder().display());
    println!("sources  {} ({})", root.path.display(), root.because);
    Ok(())
}

/// The build that a model is kept of, if it is of sources and tools as they are now.
fn current(kept: &Kept) -> Result<Option<Build>> {
    let legal = |b: &Build| b.params.check_unit(b.unit).is_ok();
    let Some(build) = verilated::params_of(&kept.manifest.of).filter(legal) else { return Ok(None) };
    Ok((verilated::key(&build)? == kept.key).then_some(build))
}

fn cleaned(store: &Store, clean: Clean) -> Result<Outcome> {
    let (mut removed, mut bytes) = (0, 0);
    for kept in store.all() {
        // What is no model (a program, Verilator's runtime) says nothing of its sources, and is made again in seconds.
        if clean == Clean::All || current(&kept)?.is_none() {
            store.remove(&kept.key)?;
            removed += 1;
            bytes += kept.manifest.bytes;
        }
    }
    let left = store.sweep()?;
    println!(
        "{}: {removed} kept models and programs removed, {:.1} MB; {left} left-over files",
        store.folder().display(),
        bytes as f64 / 1e6
    );
    Ok(Outcome::Good)
}
