//! Writes a waveform of the first cycles of a run that is in lockstep. `cargo run --release --example waveform`

use quell::cosim::{Options, Vcd, run};
use quell::params::{Build, UnitKind};
use quell::stimulus::knobs::{Knobs, Setup};
use quell::stimulus::scenario;

fn main() -> Result<(), String> {
    let build = Build::named(UnitKind::HcaThrottle, Some("tiny"))?;
    let mut source = scenario::source(&build, None, &Knobs::default(), &Setup::default(), 1)?;
    let path = std::env::temp_dir().join("quell-example.vcd");
    let vcd = Some(Vcd { path: path.clone(), from: 0, cycles: Some(500), event: None });
    let options = Options { cycles: 1000, vcd, ..Options::default() };
    run(&build, &mut *source, &options).map_err(|failure| format!("{failure:?}"))?;
    println!("{}", path.display());
    Ok(())
}
