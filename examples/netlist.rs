//! Makes the netlist of a throttle with Yosys and runs it beside the golden model. `cargo run --release --example netlist`

use anyhow::{Result, anyhow};
use quell::netlist::{Netlist, Outcome};
use quell::params::{Build, UnitKind};

fn main() -> Result<()> {
    let build = Build::named(UnitKind::HcaThrottle, Some("tiny")).map_err(|e| anyhow!(e))?;
    let folder = std::env::temp_dir().join("quell-example-netlist");
    let netlist = Netlist::make(&build, &folder, &|step| println!("{step}"))?;
    match netlist.compare(5000, 1, None, &|_| ())? {
        Outcome::Equal(cycles) => println!("{cycles} cycles are equal"),
        Outcome::Differs { cycle, differences } => println!("cycle {cycle} differs: {differences:?}"),
    }
    Ok(())
}
