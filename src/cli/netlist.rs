//! `quell netlist`: the synthesised gates of a unit against its golden model.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::args::UnitArg;
use super::common::{Outcome, at_least_one};
use super::progress::Progress;
use super::unit::SmallBuild;
use crate::netlist::{self, Netlist};

/// `quell netlist`
#[derive(Args)]
pub struct NetlistArgs {
    /// The unit
    #[arg(value_enum)]
    pub unit: UnitArg,
    #[command(flatten)]
    pub build: SmallBuild,
    /// Cycles to compare
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = at_least_one)]
    pub cycles: u64,
    /// Seed of the traffic and of the gates' power-up state
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    pub seed: u64,
    /// Folder of the netlist
    #[arg(long, value_name = "DIR", default_value = "quell-netlist")]
    pub out: PathBuf,
}

/// `quell netlist`
pub fn netlist(args: &NetlistArgs) -> Result<Outcome> {
    let build = args.build.of(args.unit.kind())?;
    let title = build.title();
    let folder = args.out.join(build.folder());
    let gates = Netlist::make(&build, &folder, &|what| eprintln!("quell: {title}: {what}"))?;
    let bar = Progress::new(args.cycles);
    let outcome = gates.compare(args.cycles, args.seed, None, &|n| bar.add(n));
    drop(bar);
    match outcome? {
        netlist::Outcome::Equal(cycles) => {
            println!("{title}: netlist and golden model are equal in {cycles} cycles");
            Ok(Outcome::Good)
        }
        netlist::Outcome::Differs { cycle, differences } => {
            println!("{title}: netlist and golden model differ in cycle {cycle}:");
            for d in differences {
                println!("  {}[{}]: netlist {}, golden {}", d.signal, d.element, d.rtl, d.golden);
            }
            Ok(Outcome::Mismatch)
        }
    }
}
