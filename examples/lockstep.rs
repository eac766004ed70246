//! Runs the RTL of a throttle beside its golden model; the first run makes the Verilated model.
//! `cargo run --release --example lockstep`

use quell::cosim::{Options, run};
use quell::params::{Build, UnitKind};
use quell::stimulus::knobs::{Knobs, Setup};
use quell::stimulus::scenario;

fn main() -> Result<(), String> {
    let build = Build::named(UnitKind::HcaThrottle, Some("tiny"))?;
    let mut source = scenario::source(&build, None, &Knobs::default(), &Setup::default(), 1)?;
    let options = Options { cycles: 20_000, ..Options::default() };
    let report = run(&build, &mut *source, &options).map_err(|failure| format!("{failure:?}"))?;
    let seen = report.cover.iter().filter(|c| c.count > 0).count();
    println!("{} cycles are equal; {seen} of {} cover points were hit", report.cycles, report.cover.len());
    Ok(())
}
