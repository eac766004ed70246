//! `quell cost`: what a configuration costs in gates, flip-flops, memory and CAM bits, area and clock.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::benefit::{self, benefits};
use super::common::Outcome;
use super::host_cost::HostCost;
use super::lists::thousands;
use super::progress::Progress;
use crate::config::{Config, Origin};
use crate::cost::cam::{self, Paper};
use crate::cost::library::{DEFAULT, Library};
use crate::cost::memory::Model;
use crate::cost::{Changes, Cost, Design, Engine, FEW_LANES, Step};
use crate::fabric::net::Network;
use crate::jobs::processors;
use crate::outfile;
use crate::params::UnitKind;
use crate::plot::{Axis, Chart, Figure, Series};
use crate::scheme::{Organisation, Scheme};
use crate::study::figures::look_among_all;

/// The clock that carries 64 bytes a cycle at 40 Gbit/s, MHz.
const CLOCK_MHZ: f64 = 78.125;

/// Published or measured cost of a conventional virtual-channel router, for scale: ports, lanes,
/// NAND2-equivalents, of which not buffers. Becker's Stanford open-source router (64-bit flits, 16 flits of buffer a port
/// in flip-flops), synthesised flat with Yosys to cells of 45 nm proportions.
const VC_ROUTERS: [(usize, usize, usize, Option<usize>); 2] =
    [(5, 2, 73_000, None), (8, 2, 123_000, Some(41_800))];

/// What is to be costed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// A switch and an adapter
    All,
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
    /// source_response: with the one law of the scheme (santos-*, mvcm), else with all of them
    SourceResponse,
    /// reservation: of the scheme srp alone
    Reservation,
    /// worm_router: of no scheme of the list
    WormRouter,
    /// worm_adapter: of no scheme of the list
    WormAdapter,
    /// injection_control: of no scheme of the list
    InjectionControl,
}

impl What {
    fn units(self) -> &'static [UnitKind] {
        match self {
            What::All => &[UnitKind::Switch, UnitKind::Hca],
            What::InputPort => &[UnitKind::InputPort],
            What::OutputPort => &[UnitKind::OutputPort],
            What::HcaThrottle => &[UnitKind::HcaThrottle],
            What::Switch => &[UnitKind::Switch],
            What::Hca => &[UnitKind::Hca],
            What::SourceResponse => &[UnitKind::SourceResponse],
            What::Reservation => &[UnitKind::Reservation],
            What::WormRouter => &[UnitKind::WormRouter],
            What::WormAdapter => &[UnitKind::WormAdapter],
            What::InjectionControl => &[UnitKind::InjectionControl],
        }
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CostFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// A line for each unit
    Csv,
    /// The table of docs/cost.md
    Md,
}

/// `quell cost`
#[derive(Args)]
pub struct CostArgs {
    /// What to cost
    #[arg(value_enum)]
    pub what: What,
    /// Schemes, separated by commas; default: all of them for `all`, else that of `quell fabric`
    #[arg(long, value_name = "S,..", value_delimiter = ',')]
    pub scheme: Vec<String>,
    /// Nodes of the network, separated by commas; default: 64,256,1024 for `all`, else 64
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub nodes: Vec<usize>,
    /// Ports of a switch, separated by commas; default: 8
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub ports: Vec<usize>,
    /// Hot-packet queues of a port, separated by commas
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub hpqs: Vec<usize>,
    /// Destinations in a CAM line, separated by commas
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub dlist: Vec<usize>,
    /// CAM lines of a port, separated by commas; default: ports - 1 + HPQs
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub lines: Vec<usize>,
    /// Virtual lanes, separated by commas
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub vls: Vec<usize>,
    /// Change a setting of the schemes (quell params lists them): sizes, and what is built; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// With parity on the control state (PARITY = 1), of units that have it
    #[arg(long)]
    pub parity: bool,
    /// Cell library: generic45, osu018, osu035 or a Liberty file
    #[arg(long, value_name = "NAME|FILE.lib", default_value = DEFAULT)]
    pub lib: String,
    /// Technology node of a library from a file, nm
    #[arg(long, value_name = "NM")]
    pub node: Option<f64>,
    /// Clock to be reached, MHz; exit status 1 if it is given and a unit does not reach it
    #[arg(long, value_name = "MHZ")]
    pub clock: Option<f64>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: CostFormat,
    /// For `all` at 64 nodes: each scheme's throughput on the golden fabric beside its cost
    #[arg(long)]
    pub benefit: bool,
    /// Draw cost against nodes; with --benefit, throughput against cost
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Yosys side by side; default: the number of processors
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 256))]
    pub jobs: Option<u64>,
    /// Folder of results that are kept; default: quell-cost in the folder of the build, or here if the program was installed
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

/// Whether the schemes of the list have the unit.
fn of_schemes(unit: UnitKind) -> bool {
    !matches!(unit, UnitKind::WormRouter | UnitKind::WormAdapter | UnitKind::InjectionControl)
}

/// Refuses what would be passed over: a size that none of the units has.
fn heard(args: &CostArgs) -> Result<()> {
    let units = args.what.units();
    // CAM lines are as many as ports and hot-packet queues ask for.
    let sizes: [(&str, bool, &[&str]); 6] = [
        ("--ports", !args.ports.is_empty(), &["PORTS", "LINES"]),
        ("--hpqs", !args.hpqs.is_empty(), &["HPQS", "LINES"]),
        ("--dlist", !args.dlist.is_empty(), &["DLIST"]),
        ("--lines", !args.lines.is_empty(), &["LINES"]),
        ("--vls", !args.vls.is_empty(), &["VLS"]),
        ("--parity", args.parity, &["PARITY"]),
    ];
    let name = units[0].cli_name();
    for (flag, _, acts_on) in sizes.iter().filter(|s| s.1) {
        if !units.iter().flat_map(|u| u.parameter_names()).any(|p| acts_on.contains(p)) {
            bail!(
                "{flag}: {name} has no parameter {}; it has {}",
                acts_on[0],
                units[0].parameter_names().join(", ")
            );
        }
    }
    if !args.scheme.is_empty() && !of_schemes(units[0]) {
        bail!("--scheme: {name} is the same in all schemes; leave it out");
    }
    Ok(())
}

/// A row of the table: what was asked for.
struct Row {
    config: Config,
    design: Design,
    /// Lanes that are too many to be synthesised: reckoned from few.
    lanes: Option<usize>,
}

impl Row {
    fn new(unit: UnitKind, config: &Config, nodes: usize, with: Changes) -> Result<Row> {
        let lanes = nodes.next_power_of_two().max(8);
        let many = config.scheme.organisation == Organisation::LanePerDest
            && with.vls.is_none()
            && of_schemes(unit)
            && !matches!(unit, UnitKind::HcaThrottle | UnitKind::SourceResponse | UnitKind::Reservation);
        let design = match many {
            true => of_lanes(unit, config, nodes, with, FEW_LANES[0]),
            false => Design::new(unit, config, nodes, with, None),
        };
        let of = || format!("{} of {} at {nodes} nodes", unit.cli_name(), config.scheme.name);
        let design = design.with_context(of)?;
        Ok(Row { config: config.clone(), design, lanes: many.then_some(lanes) })
    }
}

/// `target/quell-cost` for a program in `target/release`, or of another profile.
fn default_folder() -> PathBuf {
    let exe = std::env::current_exe().unwrap_or_default();
    // Cargo puts that file into each folder of builds.
    let build = exe.ancestors().find(|p| p.join("CACHEDIR.TAG").exists());
    build.map_or_else(PathBuf::new, PathBuf::from).join("quell-cost")
}

/// One element without a value where nothing is asked for.
fn sweep(values: &[usize]) -> Vec<Option<usize>> {
    if values.is_empty() { vec![None] } else { values.iter().map(|&v| Some(v)).collect() }
}

fn rows(args: &CostArgs) -> Result<Vec<Row>> {
    heard(args)?;
    let all = args.what == What::All;
    let schemes = match args.scheme.as_slice() {
        [] if all => Scheme::ALL.to_vec(),
        [] if args.what == What::Reservation => vec![Scheme::Srp],
        [] => vec![Scheme::DEFAULT],
        names => names.iter().map(|n| Scheme::parse(n).map_err(anyhow::Error::msg)).collect::<Result<_>>()?,
    };
    let nodes = match args.nodes.as_slice() {
        [] if all => vec![64, 256, 1024],
        [] => vec![64],
        n => n.to_vec(),
    };
    let mut changes = Vec::new();
    for ports in sweep(&args.ports) {
        for hpqs in sweep(&args.hpqs) {
            for dlist in sweep(&args.dlist) {
                for lines in sweep(&args.lines) {
                    for vls in sweep(&args.vls) {
                        changes.push(Changes { ports, hpqs, dlist, lines, vls });
                    }
                }
            }
        }
    }
    let mut rows = Vec::new();
    for &unit in args.what.units() {
        for &scheme in &schemes {
            for &n in &nodes {
                let config = config(scheme, n, &args.set)?;
                for &with in &changes {
                    let mut row = Row::new(unit, &config, n, with)?;
                    row.design.params.parity = args.parity;
                    rows.push(row);
                }
            }
        }
    }
    Ok(rows)
}

/// The settings of a scheme in a network of so many nodes, with some of its own.
fn config(scheme: Scheme, nodes: usize, set: &[String]) -> Result<Config> {
    if !(2..=4096).contains(&nodes) {
        bail!("--nodes {nodes}: legal is 2..4096");
    }
    let mut config = Config::new(scheme, nodes);
    let pairs = set.iter().map(|text| match text.split_once('=') {
        Some(pair) => Ok(pair),
        None => bail!("--set {text}: legal is NAME=VALUE"),
    });
    config.change(&pairs.collect::<Result<Vec<_>>>()?, &Origin::Option("--set"))?;
    Ok(config)
}

/// A design with a few of its lanes per destination, from which those with more are reckoned. Whatever the nodes, the forwarding table of a switch
/// has the entries for 64 (of a port's megabytes it is kilobytes), so that one switch serves for all.
fn of_lanes(unit: UnitKind, config: &Config, nodes: usize, with: Changes, lanes: usize) -> Result<Design> {
    let mut design = Design::new(unit, config, nodes, with, Some(lanes))?;
    if unit != UnitKind::Hca {
        design.params.lft_depth = Config::new(config.scheme, 64).lft_depth;
    }
    Ok(design)
}

/// Where results are kept.
fn folder(chosen: Option<&Path>) -> Result<PathBuf> {
    let cache = chosen.map_or_else(default_folder, PathBuf::from);
    std::fs::create_dir_all(&cache).with_context(|| format!("cannot make {}", cache.display()))?;
    Ok(cache.canonicalize()?)
}

/// The costs of rows, in their order.
fn measure(rows: &[Row], library: &Library, cache: &Path, jobs: usize, clock_mhz: f64) -> Result<Vec<Cost>> {
    let root = crate::home::root()?;
    let bar = Progress::of_stages();
    let progress = |step: Step| match step {
        Step::Ahead(what, n) => bar.stage(what, 0, n),
        Step::Done => bar.add(1),
    };
    let engine = Engine { root, cache, jobs, library, clock_mhz, progress: &progress };
    // Each row's design, and after all of them the second one of those that are reckoned.
    let mut designs: Vec<Design> = rows.iter().map(|r| r.design.clone()).collect();
    for r in rows.iter().filter(|r| r.lanes.is_some()) {
        let d = &r.design;
        let with = Changes { ports: Some(d.params.ports), ..Changes::default() };
        let mut second = of_lanes(d.unit, &r.config, d.nodes, with, FEW_LANES[1])?;
        second.params.parity = d.params.parity;
        designs.push(second);
    }
    let measured = engine.measure(&designs);
    drop(bar);
    let measured = measured?;
    let (first, second) = measured.split_at(rows.len());
    let mut second = second.iter();
    let costs = rows.iter().zip(first).map(|(r, c)| match r.lanes {
        Some(lanes) => second.next().map_or_else(|| c.clone(), |more| Cost::reckon(c, more, lanes)),
        None => c.clone(),
    });
    Ok(costs.collect())
}

/// What hosts and switches with these settings cost for each host, in their order, with the default library and clock. All switches
/// have as many ports as the largest.
pub fn each_host(configs: &[&Config], net: &Network) -> Result<Vec<HostCost>> {
    let (hosts, switches) = (net.hosts.len(), net.switches.len());
    let ports = net.switches.iter().map(|s| s.ports).max();
    let library = Library::open(DEFAULT, None, crate::home::root()?)?;
    let mut rows = Vec::new();
    for config in configs {
        for unit in [UnitKind::Switch, UnitKind::Hca] {
            rows.push(Row::new(unit, config, hosts, Changes { ports, ..Changes::default() })?);
        }
    }
    let costs = measure(&rows, &library, &folder(None)?, processors(), CLOCK_MHZ)?;
    let share = switches as f64 / hosts as f64;
    Ok(costs.chunks(2).map(|pair| HostCost::of(&pair[1], &pair[0], share)).collect())
}

/// `quell cost`
pub fn cost(args: &CostArgs) -> Result<Outcome> {
    let clock = args.clock.unwrap_or(CLOCK_MHZ);
    if !(1.0..=10_000.0).contains(&clock) {
        bail!("--clock {clock}: legal is 1..10000");
    }
    if args.benefit && (args.what != What::All || !(args.nodes.is_empty() || args.nodes.contains(&64))) {
        bail!(
            "--benefit: it needs a switch and an adapter for 64 nodes: quell cost all --nodes 64 --benefit"
        );
    }
    if args.benefit && args.format == CostFormat::Csv {
        bail!("--benefit: csv is one table only; use --format json");
    }
    let root = crate::home::root()?;
    let library = Library::open(&args.lib, args.node, root)?;
    let rows = rows(args)?;
    let jobs = args.jobs.map_or_else(processors, |n| n as usize);
    let cache = folder(args.cache.as_deref())?;
    let costs = measure(&rows, &library, &cache, jobs, clock)?;
    let lines = cam_lines(&rows, &costs)?;
    let uses = if args.benefit { benefits(&costs, &cache, jobs)? } else { Vec::new() };
    if let Some(file) = &args.plot {
        let drawn = if args.benefit { benefit::figure(&uses, &library.name) } else { figure(&costs) };
        outfile::write(file, drawn.svg().as_bytes())?;
    }
    match args.format {
        CostFormat::Text => {
            print!("{}", text(&costs, &lines, &library, clock));
            if args.benefit {
                let rows: Vec<_> = uses.iter().map(benefit::Benefit::cells).collect();
                print!("\n{}", aligned(&benefit::HEAD.map(String::from), &rows));
            }
        }
        CostFormat::Json => {
            println!(
                "{:#}",
                json!({"clock_mhz": clock, "costs": costs, "cam_lines": lines.iter().map(Lines::json).collect::<Vec<_>>(), "benefit": uses})
            )
        }
        CostFormat::Csv => print!("{}", csv(&costs)),
        CostFormat::Md => {
            print!("{}", markdown(&costs, &lines, clock));
            if args.benefit {
                let rows: Vec<_> = uses.iter().map(benefit::Benefit::cells).collect();
                print!("\n{}", md_table(&benefit::HEAD.map(String::from), &rows));
            }
        }
    }
    let reached = |c: &Cost| c.timing.as_ref().is_none_or(|t| t.slack_ns >= 0.0);
    let good = args.clock.is_none() || costs.iter().all(reached);
    Ok(if good { Outcome::Good } else { Outcome::DoesNotHold })
}

/// The CAM lines of a row: the paper's count, the RTL's fields and what synthesis found.
struct Lines {
    paper: Paper,
    fields: Vec<cam::Field>,
    /// Module, bits of the fields, flip-flops found, instances.
    found: Vec<(String, usize, usize, usize)>,
}

impl Lines {
    fn json(&self) -> Value {
        let (cam, sram, all) = self.paper.port();
        json!({
            "paper": self.paper, "port_cam": cam, "port_sram": sram, "port_cells": all, "fields": self.fields,
            "found": self.found.iter().map(|(module, fields, found, n)| {
                json!({"module": module, "fields": fields, "flip_flops": found, "instances": n})
            }).collect::<Vec<_>>(),
        })
    }
}

/// The CAM lines, once for each number of nodes and length of the list.
fn cam_lines(rows: &[Row], costs: &[Cost]) -> Result<Vec<Lines>> {
    let mut all: Vec<Lines> = Vec::new();
    for (r, c) in rows.iter().zip(costs) {
        if c.cam_line_bits.is_empty() || r.design.unit == UnitKind::Hca {
            continue;
        }
        let p = &r.design.params;
        let paper = Paper::new(r.design.nodes, p);
        let fields = cam::fields(r.design.nodes, p);
        let sums = [fields.iter().map(|f| f.input).sum::<usize>(), fields.iter().map(|f| f.output).sum()];
        let mut found = Vec::new();
        for (module, sum) in crate::cost::CAM_MODULES.iter().zip(sums) {
            let Some(&bits) = c.cam_line_bits.get(*module) else { continue };
            cam::explained(module, sum, bits, p)?;
            let instances = c.modules.iter().find(|m| m.module == *module).map_or(0, |m| m.instances);
            found.push((module.to_string(), sum, bits, instances));
        }
        if !all.iter().any(|l| l.paper == paper) {
            all.push(Lines { paper, fields, found });
        }
    }
    Ok(all)
}

const HEAD: [&str; 12] = [
    "unit",
    "scheme",
    "nodes",
    "NAND2-eq.",
    "of which CAM lines",
    "flip-flops",
    "CAM bits",
    "SRAM bits",
    "mm2",
    "path ns",
    "MHz",
    "slack ns",
];

fn cells(c: &Cost) -> Vec<String> {
    let about = if c.reckoned { "~" } else { "" };
    let n = |v: usize| format!("{about}{}", thousands(v));
    let time = |f: &dyn Fn(&crate::cost::Timing) -> f64, digits: usize| {
        c.timing.as_ref().map_or("-".into(), |t| format!("{:.digits$}", f(t)))
    };
    vec![
        c.unit.into(),
        c.scheme.name.into(),
        c.nodes.to_string(),
        n(c.nand2.round() as usize),
        n(c.cam_nand2.round() as usize),
        n(c.flip_flops),
        n(c.cam_bits),
        n(c.sram_bits),
        format!("{about}{:.3}", c.area_mm2),
        time(&|t| t.path_ns, 2),
        time(&|t| t.mhz(), 0),
        time(&|t| t.slack_ns, 2),
    ]
}

/// Parameters that differ between the rows.
fn varied(costs: &[Cost]) -> Vec<&'static str> {
    let names = costs.first().map(|c| c.parameters.keys().copied().collect::<Vec<_>>()).unwrap_or_default();
    ["PORTS", "HPQS", "DLIST", "LINES", "VLS"]
        .into_iter()
        .filter(|n| names.contains(n))
        .filter(|n| {
            // Within one scheme and number of nodes: what was swept.
            costs.iter().any(|a| {
                costs.iter().any(|b| {
                    (a.unit, a.scheme, a.nodes) == (b.unit, b.scheme, b.nodes)
                        && a.parameters.get(n) != b.parameters.get(n)
                })
            })
        })
        .collect()
}

fn grid(costs: &[Cost]) -> (Vec<String>, Vec<Vec<String>>) {
    let swept = varied(costs);
    let mut head: Vec<String> = HEAD.map(String::from).to_vec();
    head.splice(3..3, swept.iter().map(|s| s.to_string()));
    let rows = costs
        .iter()
        .map(|c| {
            let mut row = cells(c);
            let values = swept.iter().map(|s| c.parameters.get(s).map_or("-".into(), usize::to_string));
            row.splice(3..3, values);
            row
        })
        .collect();
    (head, rows)
}

pub(super) fn aligned(head: &[String], rows: &[Vec<String>]) -> String {
    let mut width: Vec<usize> = head.iter().map(|h| h.chars().count()).collect();
    for row in rows {
        for (w, c) in width.iter_mut().zip(row) {
            *w = (*w).max(c.chars().count());
        }
    }
    let line = |row: &[String]| {
        let padded: Vec<String> = row
            .iter()
            .zip(&width)
            .enumerate()
            .map(|(i, (c, &w))| if i < 2 { format!("{c:w$}") } else { format!("{c:>w$}") })
            .collect();
        padded.join("  ").trim_end().to_string() + "\n"
    };
    std::iter::once(line(head)).chain(rows.iter().map(|r| line(r))).collect()
}

fn detail(c: &Cost, clock: f64) -> String {
    let mut o = String::new();
    let in_schemes = UnitKind::named(c.unit).is_some_and(of_schemes);
    let of = if in_schemes { format!(" of {}", c.scheme.name) } else { String::new() };
    let _ = writeln!(o, "{}{of} at {} nodes, library {}", c.unit, c.nodes, c.library);
    let parameters: Vec<String> = c.parameters.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let _ = writeln!(o, "  {}", parameters.join(" "));
    let _ = writeln!(
        o,
        "  {:24} {:>6} {:>12} {:>6} {:>11}",
        "module (its own logic)", "times", "NAND2-eq.", "%", "flip-flops"
    );
    for m in &c.modules {
        let _ = writeln!(
            o,
            "  {:24} {:>6} {:>12} {:>6.1} {:>11}",
            m.module,
            m.instances,
            thousands(m.nand2.round() as usize),
            100.0 * m.nand2 / c.nand2,
            thousands(m.flip_flops)
        );
    }
    let _ = writeln!(
        o,
        "  {:32} {:>6} {:>12} {:>7} {:>12} {:>9} {:>9} {:>9}",
        "memory", "times", "words x bits", "ports", "bits of all", "um2 each", "access ns", "read pJ"
    );
    for m in &c.memories {
        let _ = writeln!(
            o,
            "  {:32} {:>6} {:>12} {:>7} {:>12} {:>9.0} {:>9.2} {:>9.2}",
            m.name,
            m.instances,
            format!("{} x {}", m.shape.depth, m.shape.width),
            format!("{}R {}W", m.shape.reads, m.shape.writes),
            thousands(m.shape.bits() * m.instances),
            m.estimate.area_um2,
            m.estimate.access_ns,
            1000.0 * m.estimate.read_nj
        );
    }
    if c.cam_bits > 0 {
        let _ = writeln!(
            o,
            "  CAM bits as one full-custom array: {:.4} mm2 (as cells: {:.4})",
            c.cam_array_mm2,
            c.cam_nand2 / c.nand2 * (c.area_mm2 - c.sram_mm2)
        );
    }
    let kinds: Vec<String> = c.cells.iter().map(|(k, n)| format!("{k} {n}")).collect();
    let _ = writeln!(o, "  cells: {}", kinds.join(", "));
    if let Some((module, part)) = c.dominant() {
        let _ = writeln!(o, "  most logic: {module}, {:.0} % of the NAND2-equivalents", 100.0 * part);
    }
    if let Some(t) = &c.timing {
        let _ = writeln!(
            o,
            "  longest path {:.2} ns, {:.0} MHz: from {} to {}",
            t.path_ns,
            t.mhz(),
            t.from,
            t.to
        );
        let met = if t.slack_ns >= 0.0 { "met" } else { "NOT met" };
        let period = 1000.0 / clock;
        let _ = writeln!(
            o,
            "  at {clock} MHz ({period:.2} ns, constraints/quell.sdc): slack {:.2} ns, {met}",
            t.slack_ns
        );
    }
    o.push('\n');
    o
}

fn lines_text(l: &Lines) -> String {
    let mut o = String::new();
    let p = &l.paper;
    let (cam, sram, all) = p.port();
    let _ = writeln!(
        o,
        "CAM lines at {} nodes, {} destinations: published {} CAM + {} SRAM cells a line; {} lines {cam} + {sram} = {all}",
        p.nodes, p.dlist, p.cam, p.sram, p.lines
    );
    let _ = writeln!(o, "  {:28} {:>6} {:>8} {:>12}  why", "field", "paper", "cam_line", "output line");
    for f in &l.fields {
        let _ = writeln!(o, "  {:28} {:>6} {:>8} {:>12}  {}", f.name, f.paper, f.input, f.output, f.why);
    }
    for (module, fields, found, n) in &l.found {
        let _ = writeln!(
            o,
            "  {module}: {fields} bits of fields, {found} flip-flops found by synthesis ({} constant or equal to others), {n} lines",
            fields - found
        );
    }
    o.push('\n');
    o
}

fn text(costs: &[Cost], lines: &[Lines], library: &Library, clock: f64) -> String {
    let mut o = String::new();
    if costs.len() <= 4 {
        costs.iter().filter(|c| !c.reckoned).for_each(|c| o.push_str(&detail(c, clock)));
    }
    lines.iter().for_each(|l| o.push_str(&lines_text(l)));
    let (head, rows) = grid(costs);
    o.push_str(&aligned(&head, &rows));
    let _ = writeln!(
        o,
        "library {} ({} nm, NAND2 {}); ~ reckoned from {} and {} lanes; slack at {clock} MHz",
        library.name, library.nm, library.nand2, FEW_LANES[0], FEW_LANES[1]
    );
    o.push_str(&memory_model());
    for (ports, lanes, gates, logic) in VC_ROUTERS {
        let logic = logic.map_or(String::new(), |l| format!(", {} of it not buffers", thousands(l)));
        let _ = writeln!(
            o,
            "for scale: a virtual-channel router of {ports} ports and {lanes} lanes, 16 flits of 8 bytes a port in flip-flops: \
             {} NAND2-eq.{logic}",
            thousands(gates)
        );
    }
    o
}

fn csv(costs: &[Cost]) -> String {
    let (head, rows) = grid(costs);
    let line =
        |r: &[String]| r.iter().map(|c| c.replace([' ', '~'], "")).collect::<Vec<_>>().join(",") + "\n";
    let names: Vec<String> = head.iter().map(|h| h.replace([' ', '-', '.'], "_").to_lowercase()).collect();
    let mut o = names.join(",") + ",reckoned\n";
    for (c, r) in costs.iter().zip(rows) {
        o.push_str(line(&r).trim_end());
        let _ = writeln!(o, ",{}", c.reckoned);
    }
    o
}

pub(super) fn md_table(head: &[String], rows: &[Vec<String>]) -> String {
    let mut o = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for r in rows {
        let _ = writeln!(o, "| {} |", r.join(" | "));
    }
    o
}

fn markdown(costs: &[Cost], lines: &[Lines], clock: f64) -> String {
    let (head, rows) = grid(costs);
    let mut o = md_table(&head, &rows);
    let _ = writeln!(o, "\nSlack at {clock} MHz.\n");
    o.push_str("| nodes | destinations | lines | CAM cells a line | SRAM cells a line | all lines | flip-flops of a line, input / output |\n|---|---|---|---|---|---|---|\n");
    for l in lines {
        let p = &l.paper;
        let (cam, sram, all) = p.port();
        let found: Vec<String> = l.found.iter().map(|f| f.2.to_string()).collect();
        let _ = writeln!(
            o,
            "| {} | {} | {} | {} | {} | {cam} + {sram} = {all} | {} |",
            p.nodes,
            p.dlist,
            p.lines,
            p.cam,
            p.sram,
            found.join(" / ")
        );
    }
    o
}

/// Cost against nodes: logic and total area, one line a scheme.
fn figure(costs: &[Cost]) -> Figure {
    let unit = costs.first().map_or("", |c| c.unit);
    let chosen: Vec<&Cost> = costs.iter().filter(|c| c.unit == unit).collect();
    let mut schemes: Vec<Scheme> = Vec::new();
    for c in &chosen {
        if !schemes.contains(&c.scheme) {
            schemes.push(c.scheme);
        }
    }
    let panel = |title: &str, y: &str, f: &dyn Fn(&Cost) -> f64| Chart {
        title: title.into(),
        subtitle: String::new(),
        x: Axis::new("Nodes").log(),
        y: Axis::new(y).log(),
        series: schemes
            .iter()
            .map(|s| {
                let points =
                    chosen.iter().filter(|c| c.scheme == *s).map(|c| (c.nodes as f64, f(c))).collect();
                Series::line(s.name, points).look(look_among_all(*s))
            })
            .collect(),
        marks: Vec::new(),
    };
    let library = costs.first().map_or("", |c| c.library.as_str());
    Figure {
        title: format!("Cost of a {unit} against the size of the network"),
        subtitle: format!("library {library}; beyond {} lanes reckoned", FEW_LANES[1]),
        columns: 2,
        panels: vec![
            panel("Logic and CAM lines", "NAND2-equivalents", &|c| c.nand2),
            panel("Cells and memories", "Area (mm2)", &|c| c.area_mm2),
        ],
    }
}

/// What the memory model says of the published memory, and of published cells.
fn memory_model() -> String {
    let m = Model::new();
    let (p, e) = (m.published(), m.of_published());
    let mut o = String::from(
        "memory model against the published memory (CACTI 5.3, 128 KB, 8 read + 1 write port, 32 nm)\n",
    );
    let power = e.read_nj / e.cycle_ns;
    for (what, published, ours, kind) in [
        ("area mm2", p.area_mm2, e.area_um2 / 1e6, "fitted"),
        ("access ns", p.access_ns, e.access_ns, "fitted"),
        ("cycle ns", p.cycle_ns, e.cycle_ns, "fitted"),
        ("read nJ", p.read_nj, e.read_nj, "fitted"),
        ("leakage W", p.leakage_w, e.leakage_w, "fitted"),
        ("power of a port W", p.read_w, power, "checked"),
    ] {
        let _ = writeln!(
            o,
            "  {what:20} {published:>9.4} {ours:>9.4}  {:+6.2} %  {kind}",
            100.0 * (ours / published - 1.0)
        );
    }
    for (nm, published, ours) in m.cells() {
        let _ = writeln!(
            o,
            "  SRAM cell {nm:>3} nm um2  {published:>9.4} {ours:>9.4}  {:+6.2} %  checked",
            100.0 * (ours / published - 1.0)
        );
    }
    o
}
