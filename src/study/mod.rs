//! The published results that quell repeats (`docs/results.md`): each study runs its points on the golden fabric, sets
//! the published figures beside its own, and says which claims hold.

pub mod cache;
mod ccfit;
mod ecocc;
pub mod figures;
mod forest;
mod infiniband;
mod plan;
pub mod point;
pub mod report;
pub mod run;

pub use plan::{Results, Scale, Study};

use std::collections::HashMap;

use anyhow::{Context, Result, bail};

pub use ccfit::widen;
pub use point::{Outcome, Point, Run};
pub use report::{Claim, Figure, Report, Table};

/// All studies, in the order of the papers.
pub fn studies() -> Vec<Study> {
    [infiniband::studies(), forest::studies(), ccfit::studies(), ecocc::studies()]
        .into_iter()
        .flatten()
        .collect()
}

/// The studies of these names, each once, in the order of the papers.
pub fn find(ids: &[String]) -> Result<Vec<Study>> {
    let all = studies();
    for id in ids {
        if !all.iter().any(|s| s.id.eq_ignore_ascii_case(id)) {
            let names: Vec<&str> = all.iter().map(|s| s.id).collect();
            bail!("there is no study {id}: there are {}", names.join(", "));
        }
    }
    Ok(all.into_iter().filter(|s| ids.iter().any(|id| s.id.eq_ignore_ascii_case(id))).collect())
}

/// A study that has been run.
pub struct Done {
    /// The study.
    pub study: Study,
    /// What came of it.
    pub report: Report,
    /// Seconds that its points took, all together (points of several studies count in each).
    pub seconds: f64,
}

/// Runs studies: each point once, however many studies have it.
pub fn run_all(studies: Vec<Study>, scale: Scale, seed: u64, how: &run::How) -> Result<Vec<Done>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut index: HashMap<String, usize> = HashMap::new();
    let mut places: Vec<Vec<(String, usize)>> = Vec::new();
    for study in &studies {
        let points = (study.points)(scale, seed).with_context(|| format!("study {}", study.id))?;
        let mut own = Vec::new();
        for Point { name, run } in points {
            let at = *index.entry(run.text()).or_insert_with(|| {
                runs.push(run);
                runs.len() - 1
            });
            own.push((name, at));
        }
        places.push(own);
    }
    let outcomes = run::run(&runs, how)?;
    let mut done = Vec::new();
    for (study, own) in studies.into_iter().zip(places) {
        let seconds = own.iter().map(|&(_, at)| outcomes[at].seconds).sum();
        let outcomes = own.into_iter().map(|(name, at)| (name, outcomes[at].clone())).collect();
        let report =
            (study.evaluate)(&Results { scale, outcomes }).with_context(|| format!("study {}", study.id))?;
        done.push(Done { study, report, seconds });
    }
    Ok(done)
}
