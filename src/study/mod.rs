//! The published results that quell repeats (`docs/results.md`): each study runs its points on the golden fabric, sets
//! the published figures beside its own, and says which claims hold.

pub mod cache;
mod ccfit;
pub mod claim;
mod ecocc;
pub mod figures;
mod forest;
mod infiniband;
pub mod job;
mod mvcm;
mod mvcm_compared;
mod mvcm_networks;
mod mvcm_window;
pub mod page;
mod parking;
mod plan;
pub mod point;
mod programs;
pub mod report;
pub mod run;
pub mod sample;
mod santos;
mod santos_buffers;
pub mod setting;
pub mod simulate;
mod srp;
mod sweep;
mod worm;
pub mod worm_run;

pub use plan::{Numbers, Results, Scale, Study};

use std::collections::HashMap;
use std::rc::Rc;

use anyhow::{Context, Result, bail};

pub use claim::Claim;
pub use ecocc::all_sizes;
pub use job::{Found, Job, Point};
pub use point::{Outcome, Run};
pub use report::{Figure, Report, Table};
pub use worm_run::{WormOutcome, WormRun};

/// All studies, in the order of the papers.
pub fn studies() -> Vec<Study> {
    [
        infiniband::studies(),
        sweep::studies(),
        parking::studies(),
        forest::studies(),
        ccfit::studies(),
        ecocc::studies(),
        programs::studies(),
        santos::studies(),
        santos_buffers::studies(),
        mvcm_compared::studies(),
        mvcm_window::studies(),
        mvcm_networks::studies(),
        srp::studies(),
        worm::studies(),
    ]
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
    /// How it was run.
    pub scale: Scale,
    /// Seed of the first draw.
    pub seed: u64,
    /// Draws.
    pub draws: usize,
    /// What it has measured.
    pub numbers: Numbers,
    /// What came of it.
    pub report: Report,
    /// The pictures.
    pub figures: Vec<Figure>,
    /// Processor time of its runs, seconds (runs of several studies count in each).
    pub seconds: f64,
}

/// What is run of studies: each run once, however many studies and draws have it.
pub struct Plan {
    /// The runs.
    pub runs: Vec<Job>,
    /// For each study and draw the names of its points and their places in `runs`.
    places: Vec<Vec<Vec<(String, usize)>>>,
}

impl Plan {
    /// The runs of studies; draw k of those that draw hotspots has seed `seed + k`.
    pub fn new(studies: &[Study], scale: Scale, seed: u64, draws: Option<usize>) -> Result<Plan> {
        let mut plan = Plan { runs: Vec::new(), places: Vec::new() };
        let mut index: HashMap<String, usize> = HashMap::new();
        for study in studies {
            let draws = if study.drawn { draws.unwrap_or(scale.draws()) } else { 1 };
            let mut of_study = Vec::new();
            for draw in 0..draws as u64 {
                let points = (study.points)(scale, seed.wrapping_add(draw));
                let mut of_draw = Vec::new();
                for Point { name, run } in points.with_context(|| format!("study {}", study.id))? {
                    let at = *index.entry(run.text()).or_insert_with(|| {
                        plan.runs.push(run);
                        plan.runs.len() - 1
                    });
                    of_draw.push((name, at));
                }
                of_study.push(of_draw);
            }
            plan.places.push(of_study);
        }
        Ok(plan)
    }

    /// The runs of the study at this place, each once.
    pub fn runs_of(&self, study: usize) -> Vec<&Job> {
        self.used_by(study).into_iter().map(|at| &self.runs[at]).collect()
    }

    /// Their places in `runs`.
    fn used_by(&self, study: usize) -> Vec<usize> {
        let mut all: Vec<usize> = self.places[study].iter().flatten().map(|p| p.1).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Runs studies: each run once.
pub fn run_all(
    studies: Vec<Study>,
    scale: Scale,
    seed: u64,
    draws: Option<usize>,
    how: &run::How,
) -> Result<Vec<Done>> {
    let plan = Plan::new(&studies, scale, seed, draws)?;
    let outcomes: Vec<Rc<Found>> = run::run(&plan.runs, how)?.into_iter().map(Rc::new).collect();
    let mut done = Vec::new();
    for (i, study) in studies.into_iter().enumerate() {
        let seconds = plan.used_by(i).into_iter().map(|at| outcomes[at].seconds()).sum();
        let own = &plan.places[i];
        let draws = own.len();
        let by_draw = own.iter().map(|points| {
            points.iter().map(|(name, at)| (name.clone(), outcomes[*at].clone())).collect::<HashMap<_, _>>()
        });
        let results = Results::of_runs(scale, by_draw.collect());
        let (report, figures, numbers) =
            made(&study, results).with_context(|| format!("study {}", study.id))?;
        done.push(Done { study, scale, seed, draws, numbers, report, figures, seconds });
    }
    Ok(done)
}

fn made(study: &Study, results: Results) -> Result<(Report, Vec<Figure>, Numbers)> {
    let report = (study.evaluate)(&results)?;
    let figures = (study.figures)(&results)?;
    Ok((report, figures, results.numbers()?))
}
