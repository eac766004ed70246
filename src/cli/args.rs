//! Arguments of the commands that run RTL and golden model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::{Format, at_least_one};
use super::settings::SettingsArgs;
use super::unit::BuildArgs;
use crate::params::UnitKind;

/// The unit under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UnitArg {
    /// switch_input_port
    InputPort,
    /// switch_output_port
    OutputPort,
    /// hca_throttle
    HcaThrottle,
    /// switch
    Switch,
    /// hca
    Hca,
    /// source_response
    SourceResponse,
    /// reservation
    Reservation,
    /// worm_router
    WormRouter,
    /// worm_adapter
    WormAdapter,
    /// injection_control
    InjectionControl,
}

impl UnitArg {
    /// The unit.
    pub fn kind(self) -> UnitKind {
        match self {
            UnitArg::InputPort => UnitKind::InputPort,
            UnitArg::OutputPort => UnitKind::OutputPort,
            UnitArg::HcaThrottle => UnitKind::HcaThrottle,
            UnitArg::Switch => UnitKind::Switch,
            UnitArg::Hca => UnitKind::Hca,
            UnitArg::SourceResponse => UnitKind::SourceResponse,
            UnitArg::Reservation => UnitKind::Reservation,
            UnitArg::WormRouter => UnitKind::WormRouter,
            UnitArg::WormAdapter => UnitKind::WormAdapter,
            UnitArg::InjectionControl => UnitKind::InjectionControl,
        }
    }
}

/// Which waveform to write.
#[derive(Args, Clone)]
pub struct VcdArgs {
    /// Write a waveform (FST if FILE ends in .fst, else VCD), and layouts for GTKWave and Surfer beside it
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// First cycle of the waveform
    #[arg(long, value_name = "N", default_value_t = 0, requires = "vcd", value_parser = super::common::whole)]
    pub vcd_from: u64,
    /// Cycles in the waveform
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "vcd", value_parser = at_least_one)]
    pub vcd_cycles: u64,
    /// Show all that is inside of the RTL in the waveform, that of a failure too (makes a second model, with Verilator's tracing)
    #[arg(long)]
    pub internals: bool,
}

/// How strictly a design is held against the golden model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Strength {
    /// All outputs and all architectural state (ports st_*), in every cycle
    State,
    /// All outputs that the design has, in every cycle
    Outputs,
    /// What happens, whenever it does: a scoreboard that knows the rules and no cycles
    Events,
}

impl Strength {
    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Strength::State => "state",
            Strength::Outputs => "outputs",
            Strength::Events => "events",
        }
    }
}

/// A design in the place of quell's RTL.
#[derive(Args, Clone)]
pub struct DutArgs {
    /// Verify this design in the place of quell's RTL: a folder, a list of files (.f), or one file (docs/dut.md)
    #[arg(long, value_name = "PATH", requires = "top", conflicts_with = "jobs")]
    pub dut: Option<PathBuf>,
    /// Its top module
    #[arg(long, value_name = "MODULE", requires = "dut")]
    pub top: Option<String>,
    /// Which of its pins is which signal of the unit: a TOML file
    #[arg(long, value_name = "FILE", requires = "dut")]
    pub map: Option<PathBuf>,
    /// What is compared
    #[arg(long, value_enum, default_value = "state", conflicts_with = "jobs")]
    pub compare: Strength,
}

/// How what was run is told.
#[derive(Args, Clone, Copy)]
pub struct SummaryArgs {
    /// How to print the summary
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Show how often each cover point was hit, rule by rule, not only what was missed (JSON has it always)
    #[arg(long)]
    pub cover: bool,
}

/// `quell cosim`
#[derive(Args)]
pub struct CosimArgs {
    /// The unit under test
    #[arg(value_enum)]
    pub unit: UnitArg,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub dut: DutArgs,
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// Directed scenario (`quell scenarios` lists them); without it constrained-random traffic
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// Play a stimulus file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "scheme", "config", "opensm", "set", "knobs",
        "knob", "param"])]
    pub stimulus: Option<PathBuf>,
    /// Set a knob of the random traffic, NAME=VALUE; may be given several times
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "scenario")]
    pub knob: Vec<String>,
    /// Knobs of the random traffic from a TOML file
    #[arg(long, value_name = "FILE", conflicts_with = "scenario")]
    pub knobs: Option<PathBuf>,
    /// Cycles to compare in each run; default: 1000000, with --stimulus those of the file
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub cycles: Option<u64>,
    /// Seed of the traffic and of the RTL's power-up state
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    pub seed: u64,
    /// Runs side by side, one thread each, with seeds S, S+1, ...
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["vcd", "internals", "stimulus"],
        value_parser = super::common::between(1, 256))]
    pub jobs: u64,
    #[command(flatten)]
    pub vcd: VcdArgs,
    #[command(flatten)]
    pub summary: SummaryArgs,
}

/// `quell replay`
#[derive(Args)]
pub struct ReplayArgs {
    /// The stimulus file
    pub file: PathBuf,
    #[command(flatten)]
    pub vcd: VcdArgs,
    #[command(flatten)]
    pub summary: SummaryArgs,
}

/// `quell regress`
#[derive(Args)]
pub struct RegressArgs {
    /// Cycles of random traffic, all runs together; the scenarios come on top
    #[arg(long, value_name = "N", default_value_t = crate::stimulus::regression::DEFAULT_CYCLES,
        value_parser = at_least_one)]
    pub cycles: u64,
    /// First seed
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    pub seed: u64,
    /// Threads; default: the number of processors
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 256))]
    pub jobs: Option<u64>,
    #[command(flatten)]
    pub summary: SummaryArgs,
}
