//! `quell report`: results as one HTML page.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use super::common::Outcome;
use super::fabric::writable;
use crate::outfile;
use crate::report;

/// `quell report`
#[derive(Args)]
pub struct ReportArgs {
    /// What cosim, replay, regress, fabric, compare, paper and cost wrote with --format json
    #[arg(required = true, value_name = "RUN.json")]
    pub files: Vec<PathBuf>,
    /// The page
    #[arg(long, short, value_name = "FILE.html")]
    pub out: PathBuf,
}

/// `quell report`
pub fn report(args: &ReportArgs) -> Result<Outcome> {
    writable(&args.out)?;
    let mut documents = Vec::new();
    for path in &args.files {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let value: Value = serde_json::from_str(&text).with_context(|| format!("{name}: not JSON"))?;
        documents.push((name, value));
    }
    outfile::write(&args.out, report::page(&documents)?.as_bytes())?;
    Ok(Outcome::Good)
}
