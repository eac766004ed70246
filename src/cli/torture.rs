//! `quell torture`: random small networks, judged end to end.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value, json};

use super::common::{Format, Outcome, at_least_one};
use super::lists::table;
use super::progress::Progress;
use crate::jobs::processors;
use crate::params::UnitKind;
use crate::torture::campaign::{Campaign, Family, News, Tally, campaign};
use crate::torture::case::MOST_CYCLES;
use crate::torture::features::{self, Feature};
use crate::torture::packets::{self, Packets};
use crate::torture::worm::{self, Worms};
use crate::torture::{Case, Engine, FaultKind, judge, space};

/// Networks of a run where nothing else is said.
const NETWORKS: u64 = 1000;
/// A line of results comes every so many networks.
const LINE: u64 = 1000;

/// What the nodes are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// Golden units: any legal parameters
    Golden,
    /// RTL: parameters of the named builds
    Rtl,
    /// Both, every word of every node compared in every cycle
    Lockstep,
}

/// `quell torture`
#[derive(Args)]
pub struct TortureArgs {
    /// Networks of wormhole routers
    #[arg(long)]
    pub worm: bool,
    /// First seed; each network has a seed of its own
    #[arg(long, alias = "first-seed", value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    pub seed: u64,
    /// Seeds, a network each; default 1000, or as many as the time allows
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub networks: Option<u64>,
    /// Only networks that have this, of the list in docs/torture.md ("windows"); several times: all of them
    #[arg(long, value_name = "FEATURE", value_parser = feature, conflicts_with_all = ["worm", "replay", "space"])]
    pub with: Vec<&'static Feature>,
    /// Networks near that of a file: a few of its registers, paces, delays, buffers and pairs are other ones
    #[arg(long, value_name = "FILE", conflicts_with_all = ["worm", "replay", "space", "with"])]
    pub near: Option<PathBuf>,
    /// Time, such as 90s, 10m, 2h: no network is begun after it
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// Threads; default: the number of processors
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 256))]
    pub jobs: Option<u64>,
    /// Cycles in which the sources post packets; drawn if not given
    #[arg(long, value_name = "N", value_parser = super::common::between(1, MOST_CYCLES))]
    pub cycles: Option<u64>,
    /// What the nodes are made of
    #[arg(long, value_enum, default_value = "golden")]
    pub engine: EngineArg,
    /// Run the network of a file, such as a failure leaves behind
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// Folder for the files of failures
    #[arg(long, value_name = "DIR", default_value = "quell-failures")]
    pub out: PathBuf,
    /// Stop after so many failures
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = at_least_one)]
    pub failures: u64,
    /// Longest time for making a failure smaller
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "20s")]
    pub minimise: Duration,
    /// List the pairs of parameter values that are legal, and where each occurs
    #[arg(long)]
    pub space: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Reads `90s`, `10m`, `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "a time such as 90s, 10m or 2h is wanted".to_string();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let scale = [('s', 1), ('m', 60), ('h', 3600)].iter().find(|u| u.0 == unit).ok_or_else(wrong)?.1;
    let n: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    n.checked_mul(scale).filter(|s| *s <= 1 << 32).map(Duration::from_secs).ok_or_else(wrong)
}

/// Takes the name of a feature.
fn feature(name: &str) -> Result<&'static Feature, String> {
    features::named(name).ok_or_else(|| {
        let all: Vec<&str> = features::FEATURES.iter().map(|f| f.name).collect();
        format!("no such feature; legal is one of: {}", all.join("; "))
    })
}

/// `quell torture`
pub fn torture(args: &TortureArgs) -> Result<Outcome> {
    if args.space {
        return Ok(list_space(args.format));
    }
    let engine = match args.engine {
        EngineArg::Golden => Engine::Golden,
        EngineArg::Rtl => Engine::Rtl,
        EngineArg::Lockstep => Engine::Lockstep,
    };
    if engine != Engine::Golden && cfg!(not(feature = "rtl")) {
        bail!("--engine: this quell was built without RTL: legal is golden");
    }
    if let Some(path) = &args.replay {
        return replay(path, engine, args);
    }
    if args.worm {
        return run(&Worms { engine, cycles: args.cycles }, args, &worm_text);
    }
    let near = args.near.as_deref().map(|file| base(file, engine)).transpose()?;
    run(&Packets { engine, cycles: args.cycles, near, with: args.with.clone() }, args, &text)
}

/// The network of `--near`.
fn base(file: &std::path::Path, engine: Engine) -> Result<Case> {
    let name = file.display();
    if engine != Engine::Golden {
        bail!("--near: buffers are changed, which takes golden units: legal is --engine golden");
    }
    let text = std::fs::read_to_string(file).map_err(|e| anyhow!("{name}: {e}"))?;
    if worm::Case::is_meant(&text) {
        bail!("{name}: --near: the file has a network of wormhole routers: legal is one of switches");
    }
    Case::parse(&text).map_err(|e| anyhow!("{name}: {e}"))
}

/// Runs a family of networks.
fn run<F: Family>(family: &F, args: &TortureArgs, text: &dyn Fn(&F::Counts) -> String) -> Result<Outcome> {
    let jobs = args.jobs.map_or_else(processors, |n| n as usize);
    let most = if args.time.is_some() { u64::MAX / 2 } else { NETWORKS };
    let c = Campaign {
        seed: args.seed,
        networks: args.networks.unwrap_or(most),
        time: args.time,
        jobs,
        out: args.out.clone(),
        failures: args.failures as usize,
        minimise: args.minimise,
    };
    let bar = Progress::of(args.networks.unwrap_or(if args.time.is_some() { 0 } else { NETWORKS }), "seeds");
    let told = |news: News<F::Counts>| {
        let t = match news {
            News::Done(t) => t,
            News::Long { seed, seconds } => {
                bar.line(&format!("seed {seed}: its network runs for {seconds} s by now"));
                return;
            }
        };
        bar.reach(t.next_seed.wrapping_sub(args.seed));
        if t.networks.is_multiple_of(LINE) {
            bar.line(&format!(
                "seeds {}..{}: {} networks, {} failures, {:.1} networks/s",
                args.seed,
                t.next_seed - 1,
                t.networks,
                t.failures.len(),
                t.networks as f64 / t.seconds
            ));
        }
    };
    let tally = campaign(family, &c, &told)?;
    drop(bar);
    match args.format {
        Format::Text => print!("{}{}{}", head(&tally, args), text(&tally.counts), failures(&tally)),
        Format::Json => println!("{:#}", summary(&tally, args)?),
    }
    Ok(if tally.failures.is_empty() { Outcome::Good } else { Outcome::Mismatch })
}

/// `quell torture --replay`
fn replay(path: &std::path::Path, engine: Engine, args: &TortureArgs) -> Result<Outcome> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| anyhow!("{name}: {e}"))?;
    let (found, cycles, what, delivered) = if worm::Case::is_meant(&text) {
        let case = worm::Case::parse(&text).with_context(|| name.to_string())?;
        let (found, stats) = worm::judge(&case, engine)?;
        (found, stats.cycles, "messages", stats.messages)
    } else if args.worm {
        bail!("{name}: --worm: the file has no network of wormhole routers (network = \"mesh:3x3\")");
    } else {
        let case = Case::parse(&text).map_err(|e| anyhow!("{name}: {e}"))?;
        let (found, stats) = judge(&case, engine).map_err(|e| anyhow!(e))?;
        (found, stats.cycles, "packets", stats.packets)
    };
    match args.format {
        Format::Text => {
            println!("{name}: {cycles} cycles, {delivered} {what} delivered");
            match &found {
                Some(f) => println!("  {f}"),
                None => println!("  every promise was kept"),
            }
        }
        Format::Json => {
            let finding = found.as_ref().map(finding_json);
            println!(
                "{:#}",
                json!({"file": name.to_string(), "cycles": cycles, what: delivered, "finding": finding})
            );
        }
    }
    Ok(if found.is_some() { Outcome::Mismatch } else { Outcome::Good })
}

fn finding_json(f: &crate::torture::Finding) -> Value {
    json!({"kind": f.kind.name(), "cycle": f.cycle, "text": f.text})
}

fn head<C>(t: &Tally<C>, args: &TortureArgs) -> String {
    let (last, rate) = (t.next_seed.saturating_sub(1), t.networks as f64 / t.seconds.max(1e-9));
    format!(
        "{} networks, seeds {}..{last}: {:.1} s, {rate:.1} networks/s\n",
        t.networks, args.seed, t.seconds
    )
}

fn text(c: &packets::Counts) -> String {
    format!(
        "  {} cycles, {} packets; progress judged in {}, throttling in {}; reservations in {}, drops in {}: {} NACKs, {} packets sent again\n",
        c.cycles, c.packets, c.progress, c.throttle, c.reservations, c.drops, c.nacks, c.again
    )
}

fn worm_text(c: &worm::Stats) -> String {
    format!(
        "  {} cycles, {} messages, {} streams; {} links fell, with {} messages; {} routers reset, {} registers rewritten; progress judged in {}, shares in {}; longest wait {:.3} of its bound\n",
        c.cycles,
        c.messages,
        c.opened,
        c.falls,
        c.lost,
        c.resets,
        c.rewrites,
        c.progress,
        c.shares,
        c.wait as f64 / 1000.0
    )
}

fn failures<C>(t: &Tally<C>) -> String {
    let mut s = String::new();
    for f in &t.failures {
        s += &format!("seed {}: {}\n  {}: {}\n", f.seed, f.finding, f.file.display(), f.minimised);
    }
    if t.failures.is_empty() {
        s += "every promise was kept\n";
    } else {
        let kinds: Vec<String> = t.kinds().iter().map(|(k, n)| format!("{} {n}", k.name())).collect();
        s += &format!("{} failures: {}\n", t.failures.len(), kinds.join(", "));
    }
    s
}

/// What is said of every family, and what this one counts.
fn summary<C: Serialize>(t: &Tally<C>, args: &TortureArgs) -> Result<Value> {
    let failures: Vec<Value> = t
        .failures
        .iter()
        .map(|f| json!({"seed": f.seed, "file": f.file.display().to_string(), "finding": finding_json(&f.finding), "minimised": finding_json(&f.minimised)}))
        .collect();
    let kinds: serde_json::Map<String, Value> = FaultKind::ALL
        .into_iter()
        .filter_map(|k| t.kinds().get(&k).map(|n| (k.name().to_string(), json!(n))))
        .collect();
    let mut all = serde_json::to_value(&t.counts)?;
    all["networks"] = json!(t.networks);
    all["first_seed"] = json!(args.seed);
    all["next_seed"] = json!(t.next_seed);
    all["seconds"] = json!(t.seconds);
    all["networks_per_second"] = json!(t.networks as f64 / t.seconds.max(1e-9));
    all["failures"] = json!(failures);
    all["kinds"] = json!(kinds);
    Ok(all)
}

/// `quell torture --space`
fn list_space(format: Format) -> Outcome {
    let pairs = space::pairs();
    let name = |c: &space::Choice| format!("{} = {}", c.name, c.value);
    let row = |p: &space::Two| {
        [
            p[0].unit.cli_name().to_string(),
            name(&p[0]),
            name(&p[1]),
            space::built(p).unwrap_or("-").to_string(),
        ]
    };
    match format {
        Format::Text => {
            print!("{}", table(["unit", "one", "other", "build"], pairs.iter().map(row).collect()));
            for unit in [UnitKind::Switch, UnitKind::Hca] {
                let of: Vec<&space::Two> = pairs.iter().filter(|p| p[0].unit == unit).collect();
                let built = of.iter().filter(|p| space::built(p).is_some()).count();
                println!(
                    "{}: {} legal pairs, {built} in a build, all in the draws",
                    unit.cli_name(),
                    of.len()
                );
            }
        }
        Format::Json => {
            let all: Vec<Value> = pairs
                .iter()
                .enumerate()
                .map(|(i, p)| json!({"unit": p[0].unit.cli_name(), "values": {p[0].name: p[0].value, p[1].name: p[1].value}, "build": space::built(p), "seed": space::seed_of(i)}))
                .collect();
            println!("{:#}", Value::Array(all));
        }
    }
    Outcome::Good
}
