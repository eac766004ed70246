//! `quell fabric` with a scheme of wormhole networks.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};

use super::common::Outcome;
use super::fabric::{
    EngineArg, FabricArgs, FabricFormat, again, broken, length, warn_unless, wave, writable,
};
use super::lists::table;
use super::progress::Progress;
use crate::cosim::engines::{Mismatch, Wave};
use crate::jobs::processors;
use crate::outfile;
use crate::worm::catalogue::Scheme;
use crate::worm::host::TrafficHosts;
use crate::worm::metrics::Report;
use crate::worm::settings::KEYS;
use crate::worm::traffic::WormSpec;
use crate::worm::{Drained, Engine, Job, Net, Run, Settings, wave_of};

/// The traffic if nobody names one: `--traffic` has the other networks' default then.
const TRAFFIC: [&str; 2] = ["uniform", "worm-uniform"];

/// How a run ended.
enum End {
    /// As it should; with the cycles that draining took.
    Good(Option<u64>),
    /// The engines differ; with the waveform left.
    Mismatch(Box<Mismatch>, Option<PathBuf>),
    /// It does not drain, or is not at rest then.
    Left(Vec<String>),
    /// A promise was broken: a message lost or changed, an error in a unit, a checker of the RTL fired.
    Broken(String),
}

/// What the command line says.
struct Command<'a> {
    job: Job,
    traffic: WormSpec,
    engines: Vec<Engine>,
    cycles: u64,
    args: &'a FabricArgs,
}

/// A run.
pub fn fabric(name: &str, args: &FabricArgs, scheme: Scheme) -> Result<Outcome> {
    let command = read(name, args, scheme)?;
    let names: Vec<String> = command.job.nodes().map(|id| command.job.net.name(id)).collect();
    let wave = wave(args, &command.job.net.net.name, &names, command.cycles)?;
    for path in [&args.out, &args.vcd].into_iter().flatten() {
        writable(path)?;
    }
    let mut run = command.run(wave.as_ref())?;
    let start = Instant::now();
    let bar = Progress::new(command.cycles);
    let end = command.drive(&mut run, &bar);
    drop(bar);
    let (end, report, hops) = end?;
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let (rate, speed) = (command.cycles as f64 / seconds, hops as f64 / seconds / 1e6);
    eprintln!(
        "quell: {} cycles in {seconds:.2} s, {rate:.0} cycles/s, {speed:.2} million flit-hops/s",
        command.cycles
    );
    run.finish()?;
    let text = match args.format {
        FabricFormat::Json => format!("{:#}\n", command.json(&end, report.as_ref())?),
        _ => command.text(&end, report.as_ref()),
    };
    match &args.out {
        None => print!("{text}"),
        Some(path) => outfile::write(path, text.as_bytes())?,
    }
    if !matches!(end, End::Good(_)) && args.out.is_some() {
        eprint!("quell: {}", verdict(&end));
    }
    Ok(if matches!(end, End::Good(_)) { Outcome::Good } else { Outcome::Mismatch })
}

/// Checks all of it before anything runs.
fn read<'a>(name: &str, args: &'a FabricArgs, scheme: Scheme) -> Result<Command<'a>> {
    let changes = &args.settings.changes;
    let elsewhere = [
        ("--config", changes.config.is_some()),
        ("--lft", args.lft.is_some()),
        ("--plot", args.plot.is_some()),
        ("--format csv", args.format == FabricFormat::Csv),
    ];
    if let Some((option, _)) = elsewhere.into_iter().find(|(_, given)| *given) {
        bail!("{option}: not for wormhole networks, and scheme {} is of those", scheme.name);
    }
    let net = Net::by_name(name)?;
    let settings = match &changes.opensm {
        None => Settings::of(&changes.set)?,
        Some(path) => {
            let (settings, notes) = Settings::with_opensm(path, &changes.set)?;
            notes.iter().for_each(|note| eprintln!("quell: {note}"));
            settings
        }
    };
    settings.check(net.hosts())?;
    let traffic = if args.traffic == TRAFFIC[0] { TRAFFIC[1] } else { &args.traffic };
    let traffic = WormSpec::load(traffic).context("--traffic")?;
    let cycles = length(args.cycles, args.time.as_deref(), traffic.run, settings.cycle_ps())?;
    let engines = engines(args)?;
    // (A cycle of golden units is too short to be worth a second thread.)
    let usual = if engines.contains(&Engine::Rtl) { processors() } else { 1 };
    let threads = args.threads.map_or(usual, |n| n as usize);
    let job = Job { net, scheme, settings, seed: args.seed, threads };
    Ok(Command { job, traffic, engines, cycles, args })
}

/// The engines of the command line. The fast one is that of golden units, whatever it is called.
fn engines(args: &FabricArgs) -> Result<Vec<Engine>> {
    let of = |name: &str| match name.trim() {
        "model" | "golden" => Ok(Engine::Golden),
        "rtl" => Ok(Engine::Rtl),
        other => Err(anyhow!("--sides {}: {other} is none of golden, rtl", args.sides)),
    };
    match args.engine {
        EngineArg::Model | EngineArg::Golden => Ok(vec![Engine::Golden]),
        EngineArg::Rtl => Ok(vec![Engine::Rtl]),
        EngineArg::Lockstep => {
            let list = args.sides.split(',').map(of).collect::<Result<Vec<_>>>()?;
            if list.len() != 2 || list[0] == list[1] {
                bail!("--sides {}: of wormhole networks there are rtl and golden, each once", args.sides);
            }
            Ok(list)
        }
    }
}

impl Command<'_> {
    fn run(&self, wave: Option<&Wave>) -> Result<Run<TrafficHosts>> {
        Run::new(&self.job, &self.engines, &|| self.job.hosts(&self.traffic, self.args.drain), wave)
    }

    /// Runs to the end, and drains if that is wanted. The measurements are those before draining; flits on links beside them.
    fn drive(&self, run: &mut Run<TrafficHosts>, bar: &Progress) -> Result<(End, Option<Report>, u64)> {
        let step = (self.cycles / 200).clamp(1, 20_000);
        let mut at = 0;
        while at < self.cycles {
            let next = (at + step).min(self.cycles);
            let end = match run.run(next) {
                Err(e) => Some(End::Broken(broken(e)?)),
                Ok(Some(m)) => Some(self.mismatch(Box::new(m))?),
                Ok(None) => run.first().hosts().fault().map(|fault| End::Broken(fault.to_string())),
            };
            if let Some(end) = end {
                return Ok((end, None, run.first().flit_hops()));
            }
            bar.add(next - at);
            at = next;
        }
        let (report, hops) = (run.first().hosts().report()?, run.first().flit_hops());
        let mut end = if self.args.drain { self.drain(run)? } else { End::Good(None) };
        let faults = run.faults();
        if matches!(end, End::Good(_)) && !faults.is_empty() {
            end = End::Broken(faults.join("\n  "));
        }
        Ok((end, Some(report), hops))
    }

    fn drain(&self, run: &mut Run<TrafficHosts>) -> Result<End> {
        let drained = match run.drain() {
            Err(e) => return Ok(End::Broken(broken(e)?)),
            Ok(drained) => drained,
        };
        if let Some(fault) = run.first().hosts().fault() {
            return Ok(End::Broken(fault.to_string()));
        }
        match drained {
            Drained::Idle(cycles) => Ok(End::Good(Some(cycles))),
            Drained::Left(lines) => Ok(End::Left(lines)),
            Drained::Mismatch(m) => self.mismatch(m),
        }
    }

    /// Runs again to the difference, for the waveform around it.
    fn mismatch(&self, m: Box<Mismatch>) -> Result<End> {
        // (Waveforms begin with cycle 0.)
        if m.configuring {
            return Ok(End::Mismatch(m, None));
        }
        let path = again("worm", &self.job.net.net.name, self.job.scheme.name, self.job.seed, m.cycle)?;
        let wave = wave_of(&m, &self.job, path.clone());
        let mut second = self.run(Some(&wave))?;
        let until = self.cycles.min(m.cycle + 1);
        let mut found = second.run(until)?;
        if found.is_none() && m.cycle >= self.cycles {
            found = match second.drain()? {
                Drained::Mismatch(other) => Some(*other),
                _ => None,
            };
        }
        second.finish()?;
        warn_unless(found.is_some_and(|other| other.cycle == m.cycle));
        Ok(End::Mismatch(m, Some(path)))
    }

    fn engine(&self) -> String {
        match &self.engines[..] {
            [one] => one.name().into(),
            all => {
                format!("lockstep of {}", all.iter().map(|e| e.name()).collect::<Vec<_>>().join(" and "))
            }
        }
    }

    fn text(&self, end: &End, report: Option<&Report>) -> String {
        let mut s = verdict(end);
        s += &report.map_or(String::new(), Report::text);
        let admission = if self.job.settings.admits() { "on" } else { "off" };
        s += &format!(
            "network     {}, scheme {}, admission {admission}, engine {}, seed {}\n",
            self.job.net.net.name,
            self.job.scheme.title,
            self.engine(),
            self.job.seed
        );
        if let End::Good(drained) = end {
            if self.engines.len() > 1 {
                s += &format!("lockstep    equal in every cycle ({} cycles)\n", self.cycles);
            }
            s += "end to end  every message once, whole, in order\n";
            if let Some(cycles) = drained {
                s += &format!(
                    "drained     {cycles} cycles after the sources stopped: credits home, all sums 0\n"
                );
            }
        }
        s
    }

    fn json(&self, end: &End, report: Option<&Report>) -> Result<Value> {
        let result = match end {
            End::Good(_) if self.engines.len() > 1 => "equal",
            End::Good(_) => "good",
            End::Mismatch(..) => "mismatch",
            End::Left(_) => "stuck",
            End::Broken(_) => "failed",
        };
        let mut v = json!({
            "result": result, "network": self.job.net.net.name, "scheme": self.job.scheme.name,
            "engine": self.engine(), "seed": self.job.seed, "settings": serde_json::to_value(&self.job.settings)?,
            "report": serde_json::to_value(report)?,
        });
        match end {
            End::Good(drained) => v["drained_cycles"] = json!(drained),
            _ => v["what"] = json!(verdict(end)),
        }
        if let End::Mismatch(m, path) = end {
            v["cycle"] = json!(m.cycle);
            v["waveform"] = json!(path);
        }
        Ok(v)
    }
}

/// What a person must know about the end of a run.
fn verdict(end: &End) -> String {
    match end {
        End::Good(_) => String::new(),
        End::Mismatch(m, path) => {
            let wave = path.as_ref().map_or(String::new(), |p| format!("waveform: {}\n", p.display()));
            format!("{m}{wave}")
        }
        End::Left(lines) => {
            format!("the network does not come to rest; what is left:\n  {}\n", lines.join("\n  "))
        }
        End::Broken(e) => format!("failed: {e}\n"),
    }
}

/// The settings, with their values if nobody says any.
pub fn settings() -> String {
    let values = Settings::default().values();
    let rows = KEYS.iter().map(|key| {
        let value = values.get(key.name).map_or("not set".to_string(), |v| v.to_string());
        [key.name.into(), value, key.measure.name().into(), key.legal(), key.text.into()]
    });
    table(["setting", "value", "unit", "legal", "meaning"], rows.collect())
}
