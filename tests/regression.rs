//! The regression on two threads: at least ten million cycles over all units and builds, equal in every
//! one, with every cover point hit. The short form has one seed of each scenario, and large builds have random traffic alone, most
//! large switches nothing.
#![cfg(feature = "rtl")]

use crate::extent::is_long;
use quell::cosim::{Options, regress};
use quell::params::builds;
use quell::stimulus::regression::{cover_applies, in_short_form, jobs, short_jobs};

/// Cycles of random traffic, enough for runs in which the widest counters wrap. `quell regress` has more, and `quell campaign` ten times as many.
const RANDOM_CYCLES: u64 = 19_000_000;
/// The same in the short form, of which builds that are not run have their share.
const SHORT_CYCLES: u64 = 14_000_000;

#[test]
fn default_regression_is_equal_and_covers_everything() {
    let jobs = if is_long() { jobs(RANDOM_CYCLES, 1) } else { short_jobs(SHORT_CYCLES, 1) };
    let jobs = jobs.expect("the regression can be made");
    for build in builds().into_iter().filter(|b| is_long() || in_short_form(b)) {
        let cycles: u64 = jobs
            .iter()
            .filter(|j| (j.build.unit, j.build.name) == (build.unit, build.name))
            .map(|j| j.cycles)
            .sum();
        assert!(cycles > 0, "{} {} is not run", build.unit.cli_name(), build.name);
    }

    let out_dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("regression");
    let result = regress(&jobs, 2, &Options { out_dir: Some(out_dir), ..Options::default() });
    if let Some((job, failure)) = result.failure() {
        panic!("{}: {failure:#?}", jobs[job].label);
    }
    assert!(result.results.iter().all(|r| r.result.is_some()), "a run is missing");
    assert!(result.cycles >= 10_000_000, "only {} cycles were compared", result.cycles);
    assert!(result.packets > 1_000_000, "only {} packets went through", result.packets);

    let missed: Vec<String> = result
        .cover
        .iter()
        .flat_map(|(unit, points)| points.iter().map(move |p| (unit, p)))
        .filter(|(unit, p)| {
            let mut of_unit = builds().into_iter().filter(|b| b.unit == **unit);
            p.count == 0 && of_unit.any(|b| cover_applies(b.unit, p.name, &b.params))
        })
        .map(|(unit, p)| format!("{}: {} ({}): {}", unit.cli_name(), p.name, p.rules, p.text))
        .collect();
    assert!(missed.is_empty(), "cover points not hit:\n{}", missed.join("\n"));
    println!(
        "{} runs, {} cycles, {} packets, {:.0} s",
        jobs.len(),
        result.cycles,
        result.packets,
        result.seconds
    );
}
