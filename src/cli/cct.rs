//! `quell cct`: a congestion control table for a fan-in, and how fast it gets there.

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::common::Outcome;
use crate::config::value::{self, Clock};
use crate::config::{CCTI_TIMER_UNIT_NS, Cct, find};
use crate::fabric::traffic::Time;
use crate::fan_in::propose::propose;
use crate::fan_in::write::{self, Agent};
use crate::fan_in::{Hotspot, Problem, Run, Table};

/// How the table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CctFormat {
    /// For people, with what it does
    Text,
    /// One JSON object, with what it does
    Json,
    /// Settings for --config
    Toml,
    /// Lines for an opensm options file
    Opensm,
}

/// `quell cct`
#[derive(Args)]
pub struct CctArgs {
    /// Flows that are expected to share one link
    #[arg(long, value_name = "N", value_parser = super::common::between(2, 16_384))]
    pub fan_in: u64,
    /// Rate of the links, Gbit/s
    #[arg(long, value_name = "G", default_value = "40")]
    pub link_gbps: f64,
    /// Largest packet, bytes: 256, 512, 1024, 2048 or 4096
    #[arg(long, value_name = "B", default_value = "2048")]
    pub mtu: u64,
    /// In this time each flow must be at its fair share: 1ms, 500us
    #[arg(long, value_name = "T")]
    pub within: String,
    /// CCTI_Timer, in 1.024 us or as a time; 0: the index never falls
    #[arg(long, value_name = "TIMER", default_value = "150")]
    pub timer: String,
    /// CCTI_Increase
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub increase: u32,
    /// Marking_Rate: packets between marked ones
    #[arg(long, value_name = "N", default_value = "0", value_parser = super::common::between(0, 65_535))]
    pub marking_rate: u64,
    /// A BECN restarts a running timer (setting restart)
    #[arg(long)]
    pub restart: bool,
    /// Packets of a flow that the network holds when it is full
    #[arg(long, value_name = "N", default_value = "8", value_parser = super::common::between(2, 100_000))]
    pub backlog: u64,
    /// Entries that a table may have; opensm takes 128
    #[arg(long, value_name = "N", default_value = "128", value_parser = super::common::between(2, 16_384))]
    pub entries: u64,
    /// Judge this table instead of proposing one: a law, a formula or a list, as setting cct
    #[arg(long, value_name = "CCT")]
    pub cct: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: CctFormat,
}

/// What was asked, converted.
struct Asked {
    hotspot: Hotspot,
    /// Ps.
    within: u64,
    agent: Agent,
}

/// A table and what it is made of.
struct Given {
    /// Setting `cct`.
    cct: toml::Value,
    why: String,
    table: Table,
}

const UNIT_PS: u64 = (CCTI_TIMER_UNIT_NS * 1000.0) as u64;

fn asked(args: &CctArgs) -> Result<Asked> {
    if !(args.link_gbps >= 0.1 && args.link_gbps <= 10_000.0) {
        bail!("--link-gbps {}: legal is 0.1 to 10000", args.link_gbps);
    }
    if ![256, 512, 1024, 2048, 4096].contains(&args.mtu) {
        bail!("--mtu {}: legal is 256, 512, 1024, 2048, 4096 bytes", args.mtu);
    }
    let legal = "legal is more than 0, at most 10s, with a unit: ns, us, ms, s";
    let time = args.within.parse::<Time>().with_context(|| format!("--within {}: {legal}", args.within))?;
    let within = match time {
        Time::Ns(ns) if (1.0..=1e10).contains(&ns) => (ns * 1000.0).round() as u64,
        _ => bail!("--within {}: {legal}", args.within),
    };
    let key = find("ccti_timer").expect("a setting");
    let clock = Clock { mtu: 32, cycle_ps: None, hosts: None };
    let timer = value::read(key, &value::of_text(&args.timer), &clock)
        .map_err(|w| anyhow::anyhow!("--timer {}: {}", w.value, w.problem))?;
    let timer = timer.as_integer().unwrap_or_default();
    let hotspot = Hotspot {
        flows: args.fan_in,
        packet: ((args.mtu * 8_000) as f64 / args.link_gbps).round() as u64,
        per_becn: args.marking_rate + 1,
        increase: args.increase,
        timer: timer as u64 * UNIT_PS,
        restart: args.restart,
        backlog: args.backlog,
    };
    Ok(Asked {
        hotspot,
        within,
        agent: Agent {
            timer: timer as u32,
            increase: args.increase,
            restart: args.restart,
            marking_rate: args.marking_rate,
        },
    })
}

/// The table of option `--cct`.
fn given(args: &CctArgs, h: &Hotspot, text: &str) -> Result<Given> {
    let key = find("cct").expect("a setting");
    // A cycle of the hardware carries 64 bytes.
    let cycle_ps = Some(h.packet as f64 * 64.0 / args.mtu as f64);
    let clock = Clock { mtu: args.mtu as usize / 64, cycle_ps, hosts: Some(args.fan_in as usize + 1) };
    let cct = value::read(key, &value::of_text(text), &clock)
        .map_err(|w| anyhow::anyhow!("--cct {}: {}", w.value, w.problem))?;
    let of: Cct = cct.clone().try_into().context("--cct")?;
    let times = of.times(args.entries as usize, h.packet as f64 / 1e6);
    if times.len() < 2 || times.len() > 16_384 {
        bail!("--cct: {} entries; legal is 2..16384", times.len());
    }
    let table = Table::of(times.into_iter().map(|us| us * 1e6), h.packet);
    Ok(Given { cct, why: "given".into(), table })
}

/// Why no table can do it.
fn hopeless(problem: &Problem, a: &Asked) -> String {
    let (h, timer) = (&a.hotspot, a.agent.timer);
    match problem {
        Problem::TooShort(least) => format!(
            "no table can do it within {}: each flow has its first BECN after {} (flows x time of a packet x packets for a \
             BECN: {} x {} x {}); the least time is that",
            time(a.within),
            time(*least),
            h.flows,
            time(h.packet),
            h.per_becn
        ),
        Problem::NothingHolds => format!(
            "no table can hold it: a flow has a BECN every {}, which adds {}, and CCTI_Timer {timer} ({}) takes as much away; \
             the least --timer is {} ({}), or a larger --increase",
            time(h.between_becns()),
            h.increase,
            time(h.timer),
            h.least_timer(UNIT_PS),
            time(h.least_timer(UNIT_PS) * UNIT_PS)
        ),
    }
}

/// A time with its unit; `ps` in picoseconds.
fn time(ps: u64) -> String {
    let ns = ps as f64 / 1e3;
    let (value, unit) = match ns {
        ns if ns >= 1e9 => (ns / 1e9, "s"),
        ns if ns >= 1e6 => (ns / 1e6, "ms"),
        ns if ns >= 1e3 => (ns / 1e3, "us"),
        ns => (ns, "ns"),
    };
    format!("{} {unit}", (value * 1000.0).round() / 1000.0)
}

/// What a table does.
struct Judged {
    given: Given,
    delays: Vec<u64>,
    run: Run,
    /// Contributors for which its last entry is long enough.
    reach: u64,
    /// After the hotspot: until a flow may send every second packet time, and until it is not delayed.
    half: Option<u64>,
    whole: Option<u64>,
}

impl Judged {
    fn of(a: &Asked, given: Given) -> Judged {
        let h = &a.hotspot;
        let delays = given.table.delays(h.packet);
        let run = h.run(&delays, 10 * a.within);
        let last = delays.iter().max().copied().unwrap_or(0);
        let top = run.index.1;
        let at_half = delays.iter().take_while(|d| **d <= h.packet).count().saturating_sub(1) as u32;
        let free = delays.iter().take_while(|d| **d == 0).count().saturating_sub(1) as u32;
        let (half, whole) = (h.recovery(top, at_half), h.recovery(top, free));
        Judged { given, delays, run, reach: last / h.packet + 1, half, whole }
    }

    fn in_time(&self, within: u64) -> bool {
        self.run.converged.is_some_and(|(at, _)| at <= within)
    }

    /// A sentence on whether it gets there.
    fn verdict(&self, a: &Asked) -> String {
        match self.run.converged {
            Some((at, index)) if at <= a.within => format!("after {}, at index {index}", time(at)),
            Some((at, index)) => {
                format!("after {}, at index {index}: not within {}", time(at), time(a.within))
            }
            None if self.reach < a.hotspot.flows => format!(
                "never: its longest delay is {}, the fair share of {} flows",
                time(*self.delays.iter().max().unwrap_or(&0)),
                self.reach
            ),
            None => {
                format!("not in {}: the index stays at {} or below", time(10 * a.within), self.run.index.1)
            }
        }
    }
}

fn say(a: &Asked, j: &Judged) -> String {
    let h = &a.hotspot;
    let table = &j.given.table;
    let last = table.entries.len() - 1;
    let becns = h.becns(a.within);
    let cct = value::show(&j.given.cct);
    let after = |t: Option<u64>| t.map_or("never".to_string(), |t| format!("after {}", time(t)));
    let cut = table.cut.map_or(String::new(), |i| format!("; from entry {i} on the longest that there is"));
    let rows = [
        ("hotspot", format!("{} flows, packets of {}", h.flows, time(h.packet))),
        (
            "fair share",
            format!(
                "1/{} of the link: a delay of {} after each packet, {} packets",
                h.flows,
                time(h.fair_delay()),
                h.flows - 1
            ),
        ),
        (
            "BECNs",
            format!(
                "one a flow every {}, {becns} in {}; they raise its index to {} (CCTI_Increase {}, CCTI_Timer {})",
                time(h.between_becns()),
                time(a.within),
                h.index_in(a.within, 16_383),
                h.increase,
                time(h.timer)
            ),
        ),
        ("table", cct),
        ("why", j.given.why.clone()),
        (
            "entries",
            format!(
                "{}: CCTI_Limit {last}, longest delay {}, for up to {} flows{cut}",
                last + 1,
                time(j.delays[last]),
                j.reach
            ),
        ),
        ("fair share is reached", j.verdict(a)),
        (
            if j.run.converged.is_some() { "then" } else { "index" },
            format!(
                "index {}..{}, {:.1} % of the link used, to {} (backlog {} packets a flow)",
                j.run.index.0,
                j.run.index.1,
                j.run.used * 100.0,
                time(10 * a.within),
                h.backlog
            ),
        ),
        (
            "after the hotspot",
            format!(
                "from index {}: half of the link {}, all of it {}",
                j.run.index.1,
                after(j.half),
                after(j.whole)
            ),
        ),
    ];
    rows.iter().map(|(name, text)| format!("{name:<22} {text}\n")).collect()
}

fn as_json(a: &Asked, judged: Result<&Judged, &String>) -> Value {
    let h = &a.hotspot;
    let us = |ps: u64| ps as f64 / 1e6;
    let mut v = json!({
        "fan_in": h.flows,
        "packet_us": us(h.packet),
        "within_us": us(a.within),
        "fair_delay_us": us(h.fair_delay()),
        "us_between_becns": us(h.between_becns()),
        "becns": h.becns(a.within),
        "ccti_timer": a.agent.timer,
        "ccti_increase": a.agent.increase,
        "restart": a.agent.restart,
        "backlog": h.backlog,
    });
    let more = match judged {
        Err(problem) => json!({ "problem": problem }),
        Ok(j) => json!({
            "cct": j.given.cct,
            "why": j.given.why,
            "ccti_limit": j.delays.len() - 1,
            "entries": j.given.table.entries,
            "delays_us": j.delays.iter().map(|d| us(*d)).collect::<Vec<_>>(),
            "cut_from": j.given.table.cut,
            "flows_at_most": j.reach,
            "in_time": j.in_time(a.within),
            "converged_us": j.run.converged.map(|c| us(c.0)),
            "converged_index": j.run.converged.map(|c| c.1),
            "index_low": j.run.index.0,
            "index_high": j.run.index.1,
            "link_used": j.run.used,
            "half_recovery_us": j.half.map(us),
            "recovery_us": j.whole.map(us),
        }),
    };
    if let (Value::Object(v), Value::Object(more)) = (&mut v, more) {
        v.extend(more);
    }
    v
}

/// `quell cct`
pub fn cct(args: &CctArgs) -> Result<Outcome> {
    let a = asked(args)?;
    let h = &a.hotspot;
    let given = match &args.cct {
        Some(text) => Ok(given(args, h, text)?),
        None => propose(h, a.within, args.entries as usize).map(|p| Given {
            cct: p.law.text().into(),
            why: p.why,
            table: p.table,
        }),
    };
    let judged = match given {
        Ok(given) => Judged::of(&a, given),
        Err(problem) => {
            let why = hopeless(&problem, &a);
            if args.format == CctFormat::Json {
                println!("{:#}", as_json(&a, Err(&why)));
            }
            eprintln!("quell: {why}");
            return Ok(Outcome::DoesNotHold);
        }
    };
    let (cct, gbps) = (value::show(&judged.given.cct), args.link_gbps);
    let remarks = [
        format!("quell cct: {} flows, packets of {} bytes, {gbps} Gbit/s: {cct}", h.flows, args.mtu),
        format!("fair share {}, if switches have Marking_Rate {}", judged.verdict(&a), args.marking_rate),
    ];
    let limit = judged.delays.len() - 1;
    match args.format {
        CctFormat::Text => print!("{}", say(&a, &judged)),
        CctFormat::Json => println!("{:#}", as_json(&a, Ok(&judged))),
        CctFormat::Toml => {
            // An entry in cycles, of 64 bytes each, has 16 bits.
            let cycles = |d: u64| d as f64 * args.mtu as f64 / 64.0 / h.packet as f64;
            let relative = judged.delays.iter().any(|d| cycles(*d) > 65_535.0);
            print!("{}", write::toml(&judged.given.cct.to_string(), limit, relative, &a.agent, &remarks));
        }
        CctFormat::Opensm => {
            let text = write::opensm(&judged.given.table, &a.agent, &remarks).map_err(anyhow::Error::msg)?;
            print!("{text}");
        }
    }
    if judged.in_time(a.within) {
        return Ok(Outcome::Good);
    }
    if args.format != CctFormat::Text {
        eprintln!("quell: the fair share is reached {}", judged.verdict(&a));
    }
    Ok(Outcome::DoesNotHold)
}
