//! The command line.
//!
//! Exit status: 0 RTL and golden model are equal, 1 they differ (or an RTL assertion fired), 2 bad input.
//! Results go to standard output, errors and progress to standard error.

#[cfg(feature = "rtl")]
mod args;
#[cfg(feature = "studies")]
mod benefit;
#[cfg(feature = "rtl")]
mod builds;
mod campaign;
mod cct;
mod common;
#[cfg(feature = "studies")]
mod compare;
#[cfg(feature = "studies")]
mod cost;
#[cfg(feature = "rtl")]
mod design;
mod fabric;
#[cfg(feature = "studies")]
mod host_cost;
mod html;
#[cfg(feature = "rtl")]
mod inputs;
mod lists;
#[cfg(feature = "rtl")]
mod lockstep;
#[cfg(feature = "measure")]
mod measure;
#[cfg(feature = "rtl")]
mod netlist;
#[cfg(feature = "studies")]
mod paper;
mod params;
mod parsed;
mod progress;
#[cfg(feature = "prove")]
mod prove;
#[cfg(feature = "rtl")]
mod report;
mod schema;
mod settings;
mod shell;
#[cfg(test)]
mod tests;
#[cfg(feature = "studies")]
mod torture;
mod unit;
mod worm;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use common::{FormatArgs, Outcome};

/// Congestion management for lossless interconnects: RTL in lockstep with golden models.
#[derive(Parser)]
#[command(name = "quell", version, max_term_width = 100, after_help = EXIT_STATUS)]
struct Cli {
    /// Folder with quell's sources (rtl, tb, scripts); default: QUELL_ROOT, the tree that quell was built from, or those that it carries
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str =
    "Exit status: 0 RTL and golden model are equal, 1 they differ or an RTL assertion fired, 2 bad input.";

#[cfg(feature = "rtl")]
const NETLIST_STATUS: &str = "Exit status: 0 netlist and golden model are equal, 1 they differ, 2 bad input.";
#[cfg(feature = "prove")]
const PROVE_STATUS: &str =
    "Exit status: 0 no property is broken, 1 one is (a waveform shows how), 2 bad input.";
#[cfg(feature = "studies")]
const PAPER_STATUS: &str = "Exit status: 0 all claims hold, 1 one does not, 2 bad input.";
#[cfg(feature = "studies")]
const COST_STATUS: &str =
    "Exit status: 0 measured, 1 a unit does not reach the clock that was asked for, 2 bad input.";
#[cfg(feature = "measure")]
const COVERAGE_STATUS: &str =
    "Exit status: 0 every line and branch is reached or excluded, 1 some are not, 2 bad input.";
#[cfg(feature = "measure")]
const MUTATE_STATUS: &str =
    "Exit status: 0 every mutant was killed or proved equivalent, 1 some survived, 2 bad input.";
const FABRIC_STATUS: &str = "Exit status: 0 all is well, 1 engines differ, a packet was lost or changed, the network does not \
    drain, or an RTL assertion fired, 2 bad input.";

#[cfg(feature = "studies")]
const COMPARE_STATUS: &str =
    "Exit status: 0 all schemes ran, 1 one broke a promise or does not drain, 2 bad input.";

#[cfg(feature = "studies")]
const TORTURE_STATUS: &str =
    "Exit status: 0 every promise was kept, 1 one was broken (a file replays it), 2 bad input.";

const CCT_STATUS: &str =
    "Exit status: 0 the fair share is reached in time, 1 it is not, or no table can do it, 2 bad input.";

const CAMPAIGN_STATUS: &str =
    "Exit status: 0 all is good, 1 something is not, 2 bad input or a command that could not be carried out.";

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "rtl")]
    /// Run one unit's RTL in lockstep with its golden model
    #[command(after_help = EXIT_STATUS)]
    Cosim(Box<args::CosimArgs>),
    #[cfg(feature = "rtl")]
    /// Run a stimulus file, such as the reproducer that a failing run leaves behind
    #[command(after_help = EXIT_STATUS)]
    Replay(args::ReplayArgs),
    #[cfg(feature = "rtl")]
    /// Run the default regression: all units, all builds, all scenarios, random traffic
    #[command(after_help = EXIT_STATUS)]
    Regress(args::RegressArgs),
    #[cfg(feature = "rtl")]
    /// List the units' parameter sets and the models that are kept
    Builds(builds::BuildsArgs),
    #[cfg(feature = "studies")]
    /// Repeat published results, draw their figures, and say which claims hold
    #[command(after_help = PAPER_STATUS)]
    Paper(paper::PaperArgs),
    #[cfg(feature = "rtl")]
    /// Compare the synthesised netlist of a unit with its golden model
    #[command(after_help = NETLIST_STATUS)]
    Netlist(netlist::NetlistArgs),
    #[cfg(feature = "prove")]
    /// Prove the properties of the RTL by formal methods
    #[command(after_help = PROVE_STATUS)]
    Prove(prove::ProveArgs),
    /// Run a network of switches and adapters under a scheme of congestion management
    #[command(after_help = FABRIC_STATUS)]
    Fabric(Box<fabric::FabricArgs>),
    #[cfg(feature = "studies")]
    /// Run schemes on one network and traffic, and put what they give and cost into one table
    #[command(after_help = COMPARE_STATUS)]
    Compare(Box<compare::CompareArgs>),
    #[cfg(feature = "studies")]
    /// Gates, flip-flops, memory and CAM bits, area and clock of a configuration, by synthesis
    #[command(after_help = COST_STATUS)]
    Cost(Box<cost::CostArgs>),
    #[cfg(feature = "measure")]
    /// Measure how many of many small faults in a unit's RTL the comparison finds
    #[command(after_help = MUTATE_STATUS)]
    Mutate(measure::MutateArgs),
    #[cfg(feature = "measure")]
    /// Flip bits of a unit's state while it runs, and say what each flip did
    Seu(measure::SeuArgs),
    #[cfg(feature = "measure")]
    /// Measure which lines, branches and bits of the RTL the regression reaches
    #[command(after_help = COVERAGE_STATUS)]
    Coverage(measure::CoverageArgs),
    #[cfg(feature = "measure")]
    /// Look for stimuli that reach more of a unit, and for one on which RTL and golden model differ
    Fuzz(measure::FuzzArgs),
    #[cfg(feature = "studies")]
    /// Run random small networks with random legal settings, and judge them by what a lossless network promises
    #[command(after_help = TORTURE_STATUS)]
    Torture(torture::TortureArgs),
    /// Run the commands of a campaign's file, each once, here or on Slurm; without a file the long forms of the tests (hours)
    #[command(after_help = CAMPAIGN_STATUS)]
    Campaign(campaign::CampaignArgs),
    /// Make one HTML page of results: runs, networks, comparisons, studies, costs
    Report(html::ReportArgs),
    /// List the directed scenarios
    Scenarios(FormatArgs),
    /// List every setting of a network or a unit: value, unit, legal range, who set it; then all other parameters
    Params(params::ParamsArgs),
    /// Propose a congestion control table for a fan-in, or judge one: fair share, BECNs, how fast it gets there and back
    #[command(after_help = CCT_STATUS)]
    Cct(cct::CctArgs),
    /// Say what `--format json` prints: keys, types and units, as text or as a JSON Schema
    Schema(schema::SchemaArgs),
    /// Print what a shell needs to complete commands, options and their values
    Completions(shell::CompletionsArgs),
    /// Write manual pages, one for each command
    Man(shell::ManArgs),
}

/// Runs the command line.
pub fn main() -> ExitCode {
    std::panic::set_hook(output_ends(std::panic::take_hook()));
    // A program without this handler ends all the same, and leaves files behind that are not whole.
    let _ = ctrlc::set_handler(|| {
        crate::outfile::remove_begun();
        // (Whoever read it may be gone already: that is no reason to stay.)
        let _ = writeln!(std::io::stderr(), "quell: interrupted; files that were not whole are removed");
        std::process::exit(130)
    });
    match run(parsed::cli::<Cli>()) {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Mismatch) => ExitCode::from(1),
        Ok(Outcome::DoesNotHold) => ExitCode::from(1),
        Err(error) => {
            crate::outfile::remove_begun();
            eprintln!("quell: error: {error:#}");
            ExitCode::from(2)
        }
    }
}

type Hook = Box<dyn Fn(&std::panic::PanicHookInfo) + Send + Sync>;

/// `print!` panics when it cannot write. That is no fault of the program: it ends, quietly if who reads has seen enough
/// (`quell params | head`), as programs do that the signal ends.
fn output_ends(otherwise: Hook) -> Hook {
    Box::new(move |info| {
        let said = info.payload().downcast_ref::<String>();
        let Some(why) = said.and_then(|s| s.strip_prefix("failed printing to stdout: ")) else {
            return otherwise(info);
        };
        if why.starts_with("Broken pipe") {
            std::process::exit(141);
        }
        eprintln!("quell: error: cannot write to the standard output: {why}");
        std::process::exit(2)
    })
}

fn run(cli: Cli) -> Result<Outcome> {
    if let Some(root) = &cli.root {
        crate::home::choose(root);
    }
    crate::jobs::told()?;
    crate::verilate::tell(progress::models());
    match cli.command {
        #[cfg(feature = "rtl")]
        Command::Cosim(args) => lockstep::cosim(&args),
        #[cfg(feature = "rtl")]
        Command::Replay(args) => lockstep::replay(&args),
        #[cfg(feature = "rtl")]
        Command::Regress(args) => lockstep::regress(&args),
        #[cfg(feature = "studies")]
        Command::Paper(args) => paper::paper(&args),
        #[cfg(feature = "rtl")]
        Command::Builds(args) => builds::builds(&args),
        #[cfg(feature = "rtl")]
        Command::Netlist(args) => netlist::netlist(&args),
        #[cfg(feature = "prove")]
        Command::Prove(args) => prove::prove(&args),
        Command::Fabric(args) => network(&args),
        #[cfg(feature = "studies")]
        Command::Compare(args) => compare::compare(&args),
        #[cfg(feature = "studies")]
        Command::Cost(args) => cost::cost(&args),
        #[cfg(feature = "measure")]
        Command::Mutate(args) => measure::mutate(&args),
        #[cfg(feature = "measure")]
        Command::Seu(args) => measure::seu(&args),
        #[cfg(feature = "measure")]
        Command::Coverage(args) => measure::coverage(&args),
        #[cfg(feature = "measure")]
        Command::Fuzz(args) => measure::fuzz(&args),
        #[cfg(feature = "studies")]
        Command::Torture(args) => torture::torture(&args),
        Command::Campaign(args) => campaign::campaign(&args, &parsed::check::<Cli>()),
        Command::Report(args) => html::report(&args),
        Command::Scenarios(args) => lists::scenarios_list(args.format),
        Command::Params(args) => params::params(&args),
        Command::Cct(args) => cct::cct(&args),
        Command::Schema(args) => schema::schemas(&args),
        Command::Completions(args) => shell::completions(&args, parsed::command::<Cli>()),
        Command::Man(args) => shell::man(&args, parsed::command::<Cli>()),
    }
}

/// `quell fabric`: a scheme of wormhole networks has a command of its own behind the same name.
fn network(args: &fabric::FabricArgs) -> Result<Outcome> {
    let Some(name) = &args.network else {
        print!("{}", fabric::list(&worm::settings()));
        return Ok(Outcome::Good);
    };
    match args.settings.scheme.as_deref().and_then(crate::worm::catalogue::find) {
        Some(scheme) => worm::fabric(name, args, scheme),
        None => fabric::fabric(name, args),
    }
}
