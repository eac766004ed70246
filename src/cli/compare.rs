//! `quell compare`: schemes beside each other, on one network and traffic.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::json;

use super::common::Outcome;
use super::cost::{aligned, each_host, md_table};
use super::fabric::{length, writable};
use super::host_cost::HostCost;
use super::lists::thousands;
use super::progress::Progress;
use super::settings::Changes;
use crate::config::Config;
use crate::cosim::engines::{Drained, Engine, Idle, Job};
use crate::fabric::files;
use crate::fabric::metrics::{Latency, Report, Scope, SeriesReport};
use crate::fabric::net::Network;
use crate::fabric::traffic::{Hotspots, Nodes, Pick, Term, To, TrafficSpec};
use crate::jobs::{processors, results};
use crate::outfile;
use crate::plot::{Axis, Chart, Figure, Series, Style};
use crate::scheme::Scheme;
use crate::study::figures::look_among_all;

/// Bins of throughput over time in a run.
const BINS: u64 = 300;
/// A network has recovered when it takes this share of what it took before, in the mean of so many bins.
const RECOVERED: f64 = 0.9;
const STEADY: usize = 3;

/// How the comparison is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// A line for each scheme
    Csv,
    /// A Markdown table
    Md,
}

/// `quell compare`
#[derive(Args)]
pub struct CompareArgs {
    /// The network: a name (quell fabric --list has them) or a file
    pub network: String,
    /// The schemes, separated by commas; default: all
    #[arg(long, value_name = "S,..", value_delimiter = ',')]
    pub schemes: Vec<String>,
    #[command(flatten)]
    pub changes: Changes,
    /// The traffic: a name (quell fabric --list has them), a TOML file or a .goal trace
    #[arg(long, value_name = "NAME|FILE", default_value = "uniform")]
    pub traffic: String,
    /// Hosts that count as hot destinations, where the traffic has no list of hotspots: the victims are packets to the others
    #[arg(long, value_name = "HOST,..", value_delimiter = ',')]
    pub hot: Vec<u32>,
    /// Length of each run in cycles; default: what the traffic says, or 100000
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = super::common::at_least_one)]
    pub cycles: Option<u64>,
    /// Length of each run as a time: 3ms, 200us
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// Seed of the traffic
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::common::whole)]
    pub seed: u64,
    /// What each scheme costs, too, by synthesis (minutes for each that is new, then kept)
    #[arg(long)]
    pub cost: bool,
    /// Draw throughput over time, the victims' latency and the price
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub format: CompareFormat,
    /// Write the table to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Schemes side by side; default: the number of processors. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = super::common::between(1, 256))]
    pub threads: Option<u64>,
}

/// A scheme's row.
#[derive(Clone, Debug, Serialize)]
struct Row {
    scheme: Scheme,
    /// Of the network over the whole run, a share of what the receivers can take.
    throughput: f64,
    /// That of the hosts that are not hot, while the hot ones are sent to.
    victims_throughput: Option<f64>,
    /// Packets to hosts that are not hot (without hot hosts: all), from the take by the adapter, ns; none: there were none.
    victims_ns: Option<Percentiles>,
    /// Jain's index of the named flows; without those, of what the nodes received.
    fairness: f64,
    /// Until the network takes again what it took before the hotspots, from their end; none: not in the run, or they have no end.
    recovery_ns: Option<f64>,
    /// From the end of all traffic until the network is as it was at the start: empty, no line, all credits, no delay.
    rest_ns: Option<f64>,
    /// CNPs and ACKs for each 1000 packets delivered.
    replies_per_1000: f64,
    /// Packets that came with a mark (FECN or VB), of 1000.
    marked_per_1000: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<HostCost>,
    /// A promise that was broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    /// Time in ms, and throughput as above.
    #[serde(rename = "throughput_over_ms")]
    over_ms: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Percentiles {
    mean: f64,
    p50: f64,
    p90: f64,
    p99: f64,
    p999: f64,
    max: f64,
}

impl Percentiles {
    fn of(l: &Latency, cycle_ps: u64) -> Percentiles {
        let ns = |cycles: f64| cycles * cycle_ps as f64 / 1000.0;
        let [p50, p90, p99, p999, max] = [l.p50, l.p90, l.p99, l.p999, l.max].map(|c| ns(c as f64));
        Percentiles { mean: ns(l.mean), p50, p90, p99, p999, max }
    }
}

/// When hotspots are sent to, in cycles; `end` only if that is in the run.
#[derive(Clone, Copy)]
struct Hot {
    start: u64,
    end: Option<u64>,
}

impl Hot {
    /// Of the groups with hotspots; without such, the whole run.
    fn of(traffic: &TrafficSpec, cycle_ps: u64, cycles: u64) -> Hot {
        let groups = traffic.groups.iter().filter(|g| matches!(g.to, To::Hotspots(_)));
        let starts = groups.clone().map(|g| g.start.cycles(cycle_ps)).min();
        let ends: Option<Vec<u64>> = groups.map(|g| Some(g.stop?.cycles(cycle_ps))).collect();
        let end = ends.and_then(|e| e.into_iter().max()).filter(|e| *e < cycles);
        Hot { start: starts.unwrap_or(0).min(cycles), end }
    }
}

/// `quell compare`
pub fn compare(args: &CompareArgs) -> Result<Outcome> {
    let schemes = schemes(&args.schemes)?;
    let loaded = files::open(&args.network)?;
    for note in &loaded.notes {
        eprintln!("quell: note: {note}");
    }
    let net = loaded.net;
    let traffic = traffic(args, &net)?;
    let cycles = length(args.cycles, args.time.as_deref(), traffic.run, net.cycle_ps)?;
    for path in [&args.plot, &args.out].into_iter().flatten() {
        writable(path)?;
    }
    let jobs = schemes
        .iter()
        .map(|s| {
            let config =
                args.changes.of(Some(s.name), "--schemes")?.network(net.hosts.len(), net.cycle_ps)?;
            for note in &config.notes {
                eprintln!("quell: note: {}: {note}", s.name);
            }
            let (net, traffic) = (net.clone(), traffic.clone());
            let job = Job { net, config, traffic, seed: args.seed, threads: 1, bin: (cycles / BINS).max(1) };
            job.check()?;
            Ok(job)
        })
        .collect::<Result<Vec<Job>>>()?;
    let configs: Vec<&Config> = jobs.iter().map(|j| &j.config).collect();
    let costs = if args.cost { Some(each_host(&configs, &net)?) } else { None };

    let threads = args.threads.map_or_else(processors, |n| n as usize);
    let bar = Progress::new(cycles * jobs.len() as u64);
    let order: Vec<usize> = (0..jobs.len()).collect();
    let rows = results(&order, threads, &|i| {
        let name = jobs[i].config.scheme.name;
        let mut row = run(&jobs[i], cycles, &bar).with_context(|| format!("scheme {name}"))?;
        row.cost = costs.as_ref().map(|c| c[i]);
        Ok(row)
    })?;
    drop(bar);

    let text = match args.format {
        CompareFormat::Text => format!(
            "{}, {} hosts, traffic {}, {cycles} cycles = {:.3} ms, seed {}\n\n{}",
            net.name,
            net.hosts.len(),
            traffic.name,
            (cycles * net.cycle_ps) as f64 / 1e9,
            args.seed,
            aligned(&head(&rows), &rows.iter().map(Row::cells).collect::<Vec<_>>())
        ),
        CompareFormat::Md => md_table(&head(&rows), &rows.iter().map(Row::cells).collect::<Vec<_>>()),
        CompareFormat::Csv => csv(&rows),
        CompareFormat::Json => {
            let v = json!({"network": net.name, "hosts": net.hosts.len(), "traffic": traffic.name, "cycles": cycles,
                "cycle_ps": net.cycle_ps, "seed": args.seed, "schemes": rows});
            format!("{v:#}\n")
        }
    };
    match &args.out {
        None => print!("{text}"),
        Some(path) => outfile::write(path, text.as_bytes())?,
    }
    if let Some(path) = &args.plot {
        outfile::write(path, figure(&rows, &net, &traffic.name).svg().as_bytes())?;
    }
    let mut outcome = Outcome::Good;
    for (name, why) in rows.iter().filter_map(|r| Some((r.scheme.name, r.failed.as_ref()?))) {
        eprintln!("quell: scheme {name} failed: {why}");
        outcome = Outcome::Mismatch;
    }
    Ok(outcome)
}

fn schemes(names: &[String]) -> Result<Vec<Scheme>> {
    if names.is_empty() {
        return Ok(Scheme::ALL.into_iter().filter(|s| !s.reserves()).collect());
    }
    let mut all = Vec::new();
    for name in names {
        let scheme = Scheme::parse(name.trim()).map_err(anyhow::Error::msg).context("--schemes")?;
        if all.contains(&scheme) {
            bail!("--schemes: {} is there twice", scheme.name);
        }
        all.push(scheme);
    }
    Ok(all)
}

/// The traffic, with a list of the hosts that are said to be hot.
fn traffic(args: &CompareArgs, net: &Network) -> Result<TrafficSpec> {
    let hosts = net.hosts.len();
    let mut traffic = TrafficSpec::load(&args.traffic, hosts).context("--traffic")?;
    if args.hot.is_empty() {
        return Ok(traffic);
    }
    let mut hot = args.hot.clone();
    hot.sort_unstable();
    hot.dedup();
    if let Some(h) = hot.iter().find(|h| **h as usize >= hosts) {
        bail!("--hot {h}: legal is 0..{} in {}", hosts - 1, net.name);
    }
    if hot.len() == hosts {
        bail!("--hot: all hosts of {} are hot, and nobody is a victim", net.name);
    }
    if let Some(list) = traffic.hotspots.first() {
        bail!("--hot: traffic {} has its own list of hotspots, {}", traffic.name, list.name);
    }
    let among = Nodes { terms: hot.iter().map(|h| (false, Term::Range(*h, *h))).collect() };
    traffic.hotspots.push(Hotspots {
        name: "hot".into(),
        count: hot.len(),
        among,
        pick: Pick::Spread,
        lifetime: None,
    });
    Ok(traffic)
}

/// Runs a scheme to the end, and until it is at rest.
fn run(job: &Job, cycles: u64, bar: &Progress) -> Result<Row> {
    let mut run = job.run(&[Engine::Model], None)?;
    let step = (cycles / 200).clamp(1, 20_000);
    let mut at = 0;
    while at < cycles {
        let next = (at + step).min(cycles);
        run.run(next)?;
        bar.add(next - at);
        at = next;
    }
    let report = run.report();
    let hot = Hot::of(&job.traffic, report.cycle_ps, cycles);
    let mut row = Row::of(job.config.scheme, &report, hot);
    match run.drain()? {
        Drained::Idle(idle) => row.rest_ns = Some(rest(&idle) as f64 * report.cycle_ps as f64 / 1000.0),
        Drained::Stuck(lines) => row.failed = Some(format!("it does not drain: {}", lines.join("; "))),
        Drained::Unsettled(lines) => {
            row.failed = Some(format!("it does not come to rest: {}", lines.join("; ")))
        }
        Drained::Mismatch(m) => row.failed = Some(m.to_string()),
    }
    Ok(row)
}

fn rest(idle: &Idle) -> u64 {
    idle.settled.max(idle.unthrottled.unwrap_or(0))
}

/// The hosts that no list of hotspots has.
fn victims(report: &Report) -> Option<&SeriesReport> {
    report.series.iter().find(|s| s.scope == Scope::Receivers && s.name.starts_with("not "))
}

/// Nanoseconds from the end of the hotspots until the network takes what it took before them.
fn recovery(report: &Report, hot: Hot) -> Option<f64> {
    let end = hot.end?;
    let network = report.series.first()?;
    let before = report.mean(network, hot.start / 2, hot.start);
    if before == 0.0 {
        return None;
    }
    let bin = report.bin;
    let bins = end.div_ceil(bin)..(report.cycles / bin).saturating_sub(STEADY as u64);
    let back = bins.into_iter().find(|b| {
        let at = b * bin;
        report.mean(network, at, at + STEADY as u64 * bin) >= RECOVERED * before
    })?;
    Some((back * bin - end) as f64 * report.cycle_ps as f64 / 1000.0)
}

impl Row {
    fn of(scheme: Scheme, report: &Report, hot: Hot) -> Row {
        let victims = victims(report);
        let latency = victims.and_then(|v| v.latency).unwrap_or(report.total_latency);
        let t = &report.totals;
        let per_1000 = |n: u64| n as f64 * 1000.0 / t.delivered_packets.max(1) as f64;
        Row {
            scheme,
            throughput: report.normalised,
            victims_throughput: victims
                .map(|v| report.mean_normalised(v, hot.start, hot.end.unwrap_or(report.cycles))),
            victims_ns: (latency.packets > 0).then(|| Percentiles::of(&latency, report.cycle_ps)),
            fairness: report.fairness.map_or(report.node_jain, |f| f.jain),
            recovery_ns: recovery(report, hot),
            rest_ns: None,
            replies_per_1000: per_1000(t.cnps + t.acks),
            marked_per_1000: per_1000(t.delivered_marked),
            cost: None,
            failed: None,
            over_ms: report.normalised_over_ms(&report.series[0]),
        }
    }

    /// Its cells, under [`head`].
    fn cells(&self) -> Vec<String> {
        let us = |ns: Option<f64>| ns.map_or("-".into(), |n| format!("{:.1}", n / 1000.0));
        let v = self.victims_ns;
        let mut cells = vec![
            self.scheme.name.into(),
            format!("{:.4}", self.throughput),
            self.victims_throughput.map_or("-".into(), |v| format!("{v:.4}")),
            us(v.map(|v| v.p50)),
            us(v.map(|v| v.p99)),
            us(v.map(|v| v.p999)),
            format!("{:.4}", self.fairness),
            us(self.recovery_ns),
            us(self.rest_ns),
            format!("{:.1}", self.replies_per_1000),
            format!("{:.1}", self.marked_per_1000),
        ];
        if let Some(c) = &self.cost {
            let about = if c.reckoned { "~" } else { "" };
            let whole = |n: f64| format!("{about}{}", thousands(n.round() as usize));
            cells.extend([
                whole(c.nand2),
                whole(c.sram_bits),
                whole(c.cam_bits),
                format!("{about}{:.3}", c.area_mm2),
            ]);
        }
        cells
    }
}

/// Heads of the columns: times in us.
fn head(rows: &[Row]) -> Vec<String> {
    let mut head = vec![
        "scheme",
        "throughput",
        "victims' throughput",
        "victims' p50 us",
        "p99 us",
        "p99.9 us",
        "fairness",
        "recovery us",
        "at rest us",
        "replies/1000",
        "marks/1000",
    ];
    if rows.iter().any(|r| r.cost.is_some()) {
        head.extend(["NAND2 a host", "SRAM bits a host", "CAM bits a host", "mm2 a host"]);
    }
    head.into_iter().map(String::from).collect()
}

/// A line for each scheme; what there is not is left empty.
fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "scheme,throughput,victims_throughput,victims_mean_ns,victims_p50_ns,victims_p90_ns,victims_p99_ns,victims_p999_ns,\
         victims_max_ns,fairness,recovery_ns,rest_ns,replies_per_1000,marked_per_1000,nand2_a_host,sram_bits_a_host,\
         cam_bits_a_host,mm2_a_host\n",
    );
    for r in rows {
        let v = |f: fn(&Percentiles) -> f64| r.victims_ns.as_ref().map(f);
        let cost = |f: fn(&HostCost) -> f64| r.cost.as_ref().map(f);
        let all = [
            Some(r.throughput),
            r.victims_throughput,
            v(|v| v.mean),
            v(|v| v.p50),
            v(|v| v.p90),
            v(|v| v.p99),
            v(|v| v.p999),
            v(|v| v.max),
            Some(r.fairness),
            r.recovery_ns,
            r.rest_ns,
            Some(r.replies_per_1000),
            Some(r.marked_per_1000),
            cost(|c| c.nand2),
            cost(|c| c.sram_bits),
            cost(|c| c.cam_bits),
            cost(|c| c.area_mm2),
        ];
        text += r.scheme.name;
        all.iter().for_each(|v| text += &v.map_or(",".into(), |v| format!(",{v}")));
        text.push('\n');
    }
    text
}

/// Throughput over time; the victims' latency; what the replies, or the gates, buy.
fn figure(rows: &[Row], net: &Network, traffic: &str) -> Figure {
    let line = |r: &Row, points| Series::line(r.scheme.name, points).look(look_among_all(r.scheme));
    let chart = |title: &str, x, y, series| Chart { title: title.into(), x, y, series, ..Chart::default() };
    let latency = |r: &Row| {
        let all = r.victims_ns.map(|v| [v.p50, v.p90, v.p99, v.p999, v.max]);
        let points = all.into_iter().flatten().enumerate();
        line(r, points.map(|(i, ns)| (i as f64, ns / 1000.0)).collect())
    };
    let price: (&str, Axis, fn(&Row) -> f64) = match rows.iter().all(|r| r.cost.is_some()) {
        true => {
            ("The victims' 99 % and the gates", Axis::new("NAND2-equivalents for each host").log(), |r| {
                r.cost.map_or(0.0, |c| c.nand2)
            })
        }
        false => {
            ("The victims' 99 % and the replies", Axis::new("CNPs and ACKs for each 1000 packets"), |r| {
                r.replies_per_1000
            })
        }
    };
    let points = |r: &Row| {
        let p99 = r.victims_ns.map(|v| ((price.2)(r), v.p99 / 1000.0));
        line(r, p99.into_iter().collect()).style(Style::Points)
    };
    Figure {
        title: format!("Schemes on {}", net.name),
        subtitle: format!("{} hosts, traffic {traffic}", net.hosts.len()),
        columns: 3,
        panels: vec![
            chart(
                "Throughput of the network",
                Axis::new("Time (ms)"),
                Axis::new("Share of what the receivers can take").range(0.0, 1.05),
                rows.iter().map(|r| line(r, r.over_ms.clone())).collect(),
            ),
            chart(
                "Latency of packets to hosts that are not hot",
                Axis::names("Packets that are not slower", &["50 %", "90 %", "99 %", "99.9 %", "all"]),
                Axis::new("Latency (us)").log(),
                rows.iter().map(latency).collect(),
            ),
            chart(
                price.0,
                price.1.clone(),
                Axis::new("Latency (us)").log(),
                rows.iter().map(points).collect(),
            ),
        ],
    }
}
