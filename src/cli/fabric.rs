//! `quell fabric`: a whole network under a scheme.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::common::{Outcome, waveform};
use super::lists::table;
use super::params;
use super::progress::Progress;
use super::settings::{SettingsArgs, tell};
use crate::config::{Config, KEYS};
use crate::cosim::engines::{Drained, Engine, Idle, Job, Mismatch, NodeId, Run, Wave, wave_of};
use crate::fabric::metrics::{Report, Scope};
use crate::fabric::traffic::{Time, TrafficSpec, named};
use crate::fabric::{files, topology};
use crate::jobs::processors;
use crate::outfile;
use crate::plot::{Axis, Chart, Series};
use crate::scheme::{Row, Scheme};
use crate::worm;

/// Where a failing run leaves its waveform.
const FAILURES: &str = "quell-failures";
/// Cycles of a run where neither the command nor the traffic says.
const CYCLES: u64 = 100_000;
/// Bins of throughput over time in a run.
const BINS: u64 = 100;

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// The fast golden fabric
    Model,
    /// Every switch and adapter a golden unit, clocked cycle by cycle
    Golden,
    /// Every switch and adapter Verilated RTL
    Rtl,
    /// Two engines, all words of all nodes compared in every cycle
    Lockstep,
}

/// How the measurements are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FabricFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// Throughput over time
    Csv,
}

/// `quell fabric`
#[derive(Args)]
pub struct FabricArgs {
    /// The network: a name (--list has them) or a file
    #[arg(required_unless_present = "list")]
    pub network: Option<String>,
    /// List networks, traffics, schemes and settings
    #[arg(long, conflicts_with = "network")]
    pub list: bool,
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// What carries out the run
    #[arg(long, value_enum, default_value = "model")]
    pub engine: EngineArg,
    /// The two engines of lockstep
    #[arg(long, value_name = "A,B", default_value = "rtl,model")]
    pub sides: String,
    /// Length of the run in cycles; default: what the traffic says, or 100000
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = super::common::at_least_one)]
    pub cycles: Option<u64>,
    /// Length of the run as a time: 3ms, 200us
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// Seed of the traffic
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    pub seed: u64,
    /// Threads of engines rtl and golden; default: the number of processors. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 256))]
    pub threads: Option<u64>,
    /// The traffic: a name (--list has them), a TOML file or a .goal trace
    #[arg(long, value_name = "NAME|FILE", default_value = "uniform")]
    pub traffic: String,
    /// Forwarding tables, as ibroute and dump_lfts print them
    #[arg(long, value_name = "FILE")]
    pub lft: Option<PathBuf>,
    /// Write a waveform of the nodes of --vcd-nodes (FST if FILE ends in .fst), and layouts for viewers beside it
    #[arg(long, value_name = "FILE", requires = "vcd_nodes")]
    pub vcd: Option<PathBuf>,
    /// The nodes of the waveform, by name
    #[arg(long, value_name = "NODE,...", requires = "vcd", value_delimiter = ',')]
    pub vcd_nodes: Vec<String>,
    /// The cycles of the waveform (the last one not included); default: the first 10000
    #[arg(long, value_name = "A..B", requires = "vcd")]
    pub vcd_cycles: Option<String>,
    /// How to print the measurements
    #[arg(long, value_enum, default_value = "text")]
    pub format: FabricFormat,
    /// Draw throughput over time
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Write the measurements to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Afterwards stop all sources and run until the network is empty
    #[arg(long)]
    pub drain: bool,
}

/// How a run ended.
enum End {
    /// As it should; with the cycles that draining took.
    Good(Option<Idle>),
    /// The engines differ; with the waveform left.
    Mismatch(Box<Mismatch>, Option<PathBuf>),
    /// The network does not drain.
    Stuck(Vec<String>),
    /// It is empty, but not as it was at the start.
    Unsettled(Vec<String>),
    /// A promise was broken: a packet lost or changed, a checker of the RTL fired.
    Broken(String),
}

/// `quell fabric`, of switches and adapters.
pub fn fabric(name: &str, args: &FabricArgs) -> Result<Outcome> {
    if let Some(e) = args.settings.scheme.as_deref().and_then(|name| Scheme::parse(name).err()) {
        let others: Vec<&str> = worm::catalogue::SCHEMES.iter().map(|row| row.name).collect();
        bail!("--scheme: {e}; of wormhole networks {}", others.join(", "));
    }
    let (job, cycles) = job(name, args)?;
    let engines = engines(args)?;
    let names: Vec<String> = NodeId::all(&job.net).map(|id| id.name(&job.net)).collect();
    let wave = wave(args, &job.net.name, &names, cycles)?;
    for path in [&args.plot, &args.out, &args.vcd].into_iter().flatten() {
        writable(path)?;
    }
    let mut run = job.run(&engines, wave.as_ref())?;
    let start = Instant::now();
    let bar = Progress::new(cycles);
    let end = drive(&mut run, &job, &engines, cycles, args.drain, &bar);
    drop(bar);
    let (end, report) = end?;
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("quell: {cycles} cycles in {seconds:.2} s, {:.0} cycles/s", cycles as f64 / seconds.max(1e-9));
    run.finish()?;

    let text = match args.format {
        FabricFormat::Text => text(&job, args, &engines, &end, &report),
        FabricFormat::Json => format!("{:#}\n", json(&job, args, &engines, &end, &report)?),
        FabricFormat::Csv => report.csv(),
    };
    match &args.out {
        None => print!("{text}"),
        Some(path) => outfile::write(path, text.as_bytes())?,
    }
    if let Some(path) = &args.plot {
        let svg = chart(&job, &report).svg();
        outfile::write(path, svg.as_bytes())?;
    }
    // A format for programs has no place for it, and nobody should miss it.
    if !matches!(end, End::Good(_)) && (args.format == FabricFormat::Csv || args.out.is_some()) {
        eprint!("quell: {}", verdict(&end));
    }
    Ok(if matches!(end, End::Good(_)) { Outcome::Good } else { Outcome::Mismatch })
}

/// Network, configuration and traffic of the command line, and the cycles to run.
fn job(name: &str, args: &FabricArgs) -> Result<(Job, u64)> {
    let mut loaded = files::open(name)?;
    if let Some(path) = &args.lft {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        files::lft::read(path, &text, &mut loaded.net, &loaded.ids)?;
        loaded = files::checked(name, loaded)?;
    }
    for note in &loaded.notes {
        eprintln!("quell: note: {note}");
    }
    let net = loaded.net;
    let hosts = net.hosts.len();
    let config = args.settings.sources()?.network(hosts, net.cycle_ps)?;
    tell(&config);
    let traffic = TrafficSpec::load(&args.traffic, hosts).context("--traffic")?;
    let cycles = length(args.cycles, args.time.as_deref(), traffic.run, net.cycle_ps)?;
    let threads = args.threads.map_or_else(processors, |n| n as usize);
    let bin = (cycles / BINS).max(1);
    Ok((Job { net, config, traffic, seed: args.seed, threads, bin }, cycles))
}

/// Cycles to run: those, that time, what the traffic says, or [`CYCLES`].
pub(super) fn length(
    cycles: Option<u64>,
    time: Option<&str>,
    said: Option<Time>,
    cycle_ps: u64,
) -> Result<u64> {
    let wanted: Option<Time> = time.map(str::parse).transpose().context("--time")?;
    if let Some(t) = time.filter(|t| t.trim().parse::<f64>().is_ok()) {
        bail!("--time {t}: the unit is missing; legal are ns, us, ms, s, cycles");
    }
    let length = wanted.or(said).map(|t| t.cycles(cycle_ps));
    match cycles.or(length).unwrap_or(CYCLES) {
        0 => bail!("--time {}: less than a cycle of {cycle_ps} ps", time.unwrap_or_default()),
        n => Ok(n),
    }
}

/// Told before the run, not after it.
pub(super) fn writable(path: &Path) -> Result<()> {
    if path.is_dir() {
        bail!("{} is a directory", path.display());
    }
    crate::outfile::probe(path)
}

/// The engines of the command line.
fn engines(args: &FabricArgs) -> Result<Vec<Engine>> {
    Ok(match args.engine {
        EngineArg::Model => vec![Engine::Model],
        EngineArg::Golden => vec![Engine::Golden],
        EngineArg::Rtl => vec![Engine::Rtl],
        EngineArg::Lockstep => {
            let found: Option<Vec<Engine>> = args
                .sides
                .split(',')
                .map(|name| Engine::ALL.into_iter().find(|e| e.name() == name.trim()))
                .collect();
            match found {
                Some(list) if list.len() == 2 && list[0] != list[1] => list,
                _ => bail!("--sides {}: two different ones of model, golden, rtl are wanted", args.sides),
            }
        }
    })
}

/// The waveform of the command line, of a network's nodes by their names.
pub(super) fn wave(args: &FabricArgs, net: &str, names: &[String], cycles: u64) -> Result<Option<Wave>> {
    let Some(path) = &args.vcd else { return Ok(None) };
    waveform(path)?;
    let nodes = args
        .vcd_nodes
        .iter()
        .map(|wanted| {
            names.iter().position(|n| n == wanted).ok_or_else(|| {
                let some: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
                anyhow!("--vcd-nodes: {net} has no node {wanted}: there are {}, ...", some.join(", "))
            })
        })
        .collect::<Result<Vec<usize>>>()?;
    let range: Range<u64> = match &args.vcd_cycles {
        None => 0..cycles.min(10_000),
        Some(text) => {
            let ends =
                text.split_once("..").and_then(|(a, b)| Some(a.trim().parse().ok()?..b.trim().parse().ok()?));
            match ends {
                Some(r) if r.start < r.end && r.end <= cycles => r,
                _ => bail!(
                    "--vcd-cycles {text}: A..B is wanted, with A < B <= {cycles}, the cycles of the run"
                ),
            }
        }
    };
    Ok(Some(Wave { path: path.clone(), nodes, cycles: range }))
}

/// Runs to the end, and drains if that is wanted. The measurements are those before draining.
fn drive(
    run: &mut Run,
    job: &Job,
    engines: &[Engine],
    cycles: u64,
    drain: bool,
    bar: &Progress,
) -> Result<(End, Report)> {
    let step = (cycles / 200).clamp(1, 20_000);
    let mut at = 0;
    let mut wrong = Ok(None);
    while at < cycles && matches!(wrong, Ok(None)) {
        let next = (at + step).min(cycles);
        wrong = run.run(next);
        bar.add(next - at);
        at = next;
    }
    let report = run.report();
    let end = match wrong {
        Err(e) => End::Broken(broken(e)?),
        Ok(Some(m)) => mismatch(job, engines, Box::new(m))?,
        Ok(None) if !drain => End::Good(None),
        Ok(None) => match run.drain() {
            Err(e) => End::Broken(broken(e)?),
            Ok(Drained::Idle(t)) => End::Good(Some(t)),
            Ok(Drained::Stuck(lines)) => End::Stuck(lines),
            Ok(Drained::Unsettled(lines)) => End::Unsettled(lines),
            Ok(Drained::Mismatch(m)) => mismatch(job, engines, m)?,
        },
    };
    Ok((end, report))
}

/// What is wrong with the network is a result; a file that cannot be written is an error.
pub(super) fn broken(e: anyhow::Error) -> Result<String> {
    if e.chain().any(|c| c.is::<std::io::Error>()) { Err(e) } else { Ok(format!("{e:#}")) }
}

/// Where the waveform of a run goes in which two engines differ: `of` begins its name. Says that it is run again for it.
pub(super) fn again(of: &str, net: &str, scheme: &str, seed: u64, cycle: u64) -> Result<PathBuf> {
    let net = net.replace(['/', ':'], "-");
    std::fs::create_dir_all(FAILURES).with_context(|| format!("cannot make the directory {FAILURES}"))?;
    eprintln!("quell: running again to cycle {cycle} for the waveform");
    Ok(Path::new(FAILURES).join(format!("{of}-{net}-{scheme}-seed{seed}-cycle{cycle}.vcd")))
}

/// The second run did, or did not, come to the difference.
pub(super) fn warn_unless(same: bool) {
    if !same {
        eprintln!("quell: warning: the second run did not fail in the same way");
    }
}

/// Runs again to the difference, for the waveform around it.
fn mismatch(job: &Job, engines: &[Engine], m: Box<Mismatch>) -> Result<End> {
    let path = again("fabric", &job.net.name, job.config.scheme.name, job.seed, m.cycle)?;
    let wave = wave_of(&m, &job.net, path.clone());
    let mut second = job.run(engines, Some(&wave))?;
    let same = matches!(second.run(m.cycle + 1), Ok(Some(other)) if other.cycle == m.cycle);
    second.finish()?;
    warn_unless(same);
    Ok(End::Mismatch(m, Some(path)))
}

/// What a person must know about the end of a run.
fn verdict(end: &End) -> String {
    match end {
        End::Good(_) => String::new(),
        End::Mismatch(m, path) => {
            let wave = path.as_ref().map_or(String::new(), |p| format!("waveform: {}\n", p.display()));
            format!("{m}{wave}")
        }
        End::Stuck(lines) => format!("the network does not drain; what is left:\n  {}\n", lines.join("\n  ")),
        End::Unsettled(lines) => {
            format!("the network is empty, but not at rest:\n  {}\n", lines.join("\n  "))
        }
        End::Broken(e) => format!("failed: {e}\n"),
    }
}

fn engine_text(engines: &[Engine]) -> String {
    match engines {
        [one] => one.to_string(),
        _ => format!("lockstep of {}", Engine::names(engines).join(" and ")),
    }
}

fn text(job: &Job, args: &FabricArgs, engines: &[Engine], end: &End, report: &Report) -> String {
    let mut s = verdict(end);
    s += &report.text();
    s += &format!(
        "scheme      {}, engine {}, seed {}\n",
        job.config.scheme.title,
        engine_text(engines),
        args.seed
    );
    if let End::Good(drained) = end {
        if engines.len() > 1 {
            s += &format!("lockstep    equal in every cycle ({} cycles)\n", report.cycles);
        }
        let how = if job.config.any_order() { "whole, in any order" } else { "whole and in order" };
        s += &format!("end to end  {} packets, each once, {how}\n", report.totals.delivered_packets);
        if let Some(idle) = drained {
            s += &format!(
                "drained     empty {} cycles after the sources stopped; lines free and credits home after {}\n",
                idle.empty, idle.settled
            );
            if let Some(t) = idle.unthrottled {
                s += &format!("            every CCTI at its minimum after {t}\n");
            }
        }
    }
    s
}

fn json(job: &Job, args: &FabricArgs, engines: &[Engine], end: &End, report: &Report) -> Result<Value> {
    let result = match end {
        End::Good(_) if engines.len() > 1 => "equal",
        End::Good(_) => "good",
        End::Mismatch(..) => "mismatch",
        End::Stuck(_) => "stuck",
        End::Unsettled(_) => "unsettled",
        End::Broken(_) => "failed",
    };
    let mut v = json!({
        "result": result, "scheme": job.config.scheme.name, "engine": engine_text(engines), "seed": args.seed,
        "settings": serde_json::to_value(&job.config)?, "report": serde_json::to_value(report)?,
    });
    if args.settings.has_files() {
        let said = KEYS.iter().filter(|k| job.config.said(k.name));
        v["origins"] =
            said.map(|k| (k.name.to_string(), json!(job.config.origin(k.name).to_string()))).collect();
    }
    match end {
        End::Good(idle) => {
            v["drained_cycles"] = json!(idle.map(|i| i.empty));
            v["settled_cycles"] = json!(idle.map(|i| i.settled));
            v["unthrottled_cycles"] = json!(idle.and_then(|i| i.unthrottled));
        }
        _ => v["what"] = json!(verdict(end)),
    }
    if let End::Mismatch(m, path) = end {
        v["cycle"] = json!(m.cycle);
        v["waveform"] = json!(path);
        v["differences"] = m
            .nodes
            .iter()
            .flat_map(|n| {
                n.differences.iter().map(move |d| {
                    json!({
                        "node": n.name, "port": n.port(d), "signal": d.signal, "element": d.element, "rules": d.rules,
                        m.sides[0]: d.rtl, m.sides[1]: d.golden,
                    })
                })
            })
            .collect();
    }
    Ok(v)
}

/// Throughput over time.
fn chart(job: &Job, report: &Report) -> Chart {
    let mut series: Vec<Series> = Vec::new();
    let named = |s: Scope| matches!(s, Scope::Flow | Scope::Receivers);
    for s in &report.series {
        if s.scope == Scope::Network || named(s.scope) && series.len() < 8 {
            series.push(Series::line(&s.name, report.normalised_over_ms(s)));
        }
    }
    Chart {
        title: format!("Throughput of {} under {}", report.network, job.config.scheme.title),
        subtitle: format!("{} hosts, traffic {}, seed {}", report.hosts, report.traffic, job.seed),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Throughput (share of what the receivers can take)").range(0.0, 1.05),
        series,
        marks: Vec::new(),
    }
}

/// `quell fabric --list`, with the settings of wormhole networks as they are told there.
pub(super) fn list(wormhole_settings: &str) -> String {
    let mut s = String::from("Networks (or a file: docs/fabric-files.md)\n");
    let rows = topology::NAMES.iter().map(|e| [e.name, e.about].map(String::from)).collect();
    s += &table(["name", "what it is"], rows);
    s += "\nTraffics (or a file: docs/traffic.md)\n";
    let rows = named::NAMES.iter().map(|n| {
        let keys = if n.keys.is_empty() { String::new() } else { format!("({})", n.keys.join(", ")) };
        [format!("{}{keys}", n.name), n.about.to_string()]
    });
    s += &table(["name", "what it is"], rows.collect());
    s += "\nSchemes\n";
    let rows = Scheme::ALL.iter().map(|scheme| scheme.cells().map(String::from));
    s += &table(Row::HEAD, rows.collect());
    s += "\nSchemes of wormhole networks (mesh:XxY, star:N; docs/worm-network.md)\n";
    let rows = worm::catalogue::SCHEMES.iter().map(|scheme| scheme.cells().map(String::from));
    s += &table(worm::catalogue::Row::HEAD, rows.collect());
    s += "\nTheir traffics (or a file: docs/worm-traffic.md)\n";
    let rows = worm::traffic::named::NAMES
        .iter()
        .map(|n| [format!("{}({})", n.name, n.keys.join(", ")), n.about.to_string()]);
    s += &table(["name", "what it is"], rows.collect());
    let default = Scheme::DEFAULT;
    s += &format!("\nSettings (--set NAME=VALUE), with their values for {} and 64 hosts\n", default.title);
    s += &table(params::HEAD, params::rows(&Config::new(default, 64), None));
    s += "\nSettings of wormhole networks\n";
    s + wormhole_settings
}
