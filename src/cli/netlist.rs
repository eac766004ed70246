//! `quell netlist`: the synthesised gates of a unit against its golden model.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;

use super::progress::Progress;
use super::{Outcome, at_least_one};
use crate::experiments::netlist::{self, Netlist};
use crate::params::{Build, UnitKind, builds};

/// `quell netlist`
#[derive(Args)]
pub struct NetlistArgs {
    /// input-port, output-port, hca-throttle, switch or hca
    pub unit: String,
    /// Parameter set
    #[arg(long, value_name = "NAME", default_value = "tiny")]
    pub build: String,
    /// Cycles to compare
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = at_least_one)]
    pub cycles: u64,
    /// Seed of the traffic and of the gates' power-up state
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Folder of netlist and program
    #[arg(long, value_name = "DIR", default_value = "quell-netlist")]
    pub out: PathBuf,
}

/// `quell netlist`
pub fn netlist(args: &NetlistArgs) -> Result<Outcome> {
    let unit = UnitKind::ALL.iter().find(|u| u.cli_name() == args.unit).ok_or_else(|| {
        let names: Vec<&str> = UnitKind::ALL.iter().map(|u| u.cli_name()).collect();
        anyhow!("UNIT {}: there are {}", args.unit, names.join(", "))
    })?;
    let all: Vec<Build> = builds().into_iter().filter(|b| b.unit == *unit).collect();
    let build = all.iter().find(|b| b.name == args.build).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|b| b.name).collect();
        anyhow!("--build {}: {} has {}", args.build, args.unit, names.join(", "))
    })?;
    let folder = args.out.join(format!("{}-{}", unit.cli_name(), build.name));
    let told = |what: &str| eprintln!("quell: {} {}: {what}", unit.cli_name(), build.name);
    let gates = Netlist::make(build, &folder, &told)?;
    let bar = Progress::new(args.cycles);
    let outcome = gates.compare(args.cycles, args.seed, None, &|n| bar.add(n));
    drop(bar);
    match outcome? {
        netlist::Outcome::Equal(cycles) => {
            println!(
                "{} {}: netlist and golden model are equal in {cycles} cycles",
                unit.cli_name(),
                build.name
            );
            Ok(Outcome::Good)
        }
        netlist::Outcome::Differs { cycle, signal, netlist, golden } => {
            println!(
                "{} {}: netlist and golden model differ in cycle {cycle}: {signal} is {netlist:#x}, golden {golden:#x}",
                unit.cli_name(),
                build.name
            );
            Ok(Outcome::Mismatch)
        }
    }
}
