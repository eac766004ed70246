//! A network of switches and adapters.

use anyhow::Result;

use super::draw::{Heat, ROWS, charts, heat};
use super::html::{Cell, Mood, block, cards, decimal, folded, grouped, heading, narrow, note, table};
use super::read::At;
use super::section::Section;
use crate::plot::{Axis, Chart, Series, Style};

/// Series of a chart beside that of the network.
const NAMED: usize = 7;
/// Hosts up to which each has its bar.
const BARS: usize = 128;

/// The word of a result, and how good it is.
pub(super) fn result(v: &At) -> Result<(String, Mood)> {
    let word = v.text_of("result")?;
    let text = match word {
        "equal" => "equal in every cycle",
        "good" => "all whole, once",
        "mismatch" => "the engines differ",
        "stuck" => "it does not drain",
        "unsettled" => "it does not come to rest",
        other => other,
    };
    Ok((text.into(), Mood::of(matches!(word, "equal" | "good"))))
}

pub(super) fn section(v: &At, pictures: &mut usize) -> Result<Section> {
    let r = v.get("report")?;
    let run = Run::new(&r)?;
    let totals = r.get("totals")?;
    let mut body = String::new();
    if let Some(what) = v.maybe("what") {
        body += &block(what.text()?);
    }
    body += &run.key_figures(&r, &totals)?;
    let mut all = vec![run.throughput(&r)?, run.latency(&r)?];
    all.extend(run.over_time(&r)?);
    all.extend(received(&r)?);
    body += &charts(&all, pictures);
    body += &ports(&r)?;
    body += &links(&r)?;
    body += &heading("Latency");
    body += &run.latencies(&r)?;
    body += &heading("Counters");
    let named = |name: &str| name.replace('_', " ").replace("cnps", "CNPs").replace("acks", "ACKs");
    let mut rows = Vec::new();
    for (name, n) in totals.fields()? {
        rows.push(vec![named(name).into(), Cell::Number(grouped(n.count()?))]);
    }
    body += &narrow(&table(&["what", "number"], rows));
    body += &settings(v)?;
    Ok(Section {
        title: format!("{} under {}", r.text_of("network")?, v.text_of("scheme")?),
        result: result(v)?,
        about: format!(
            "{} hosts, traffic {}, {} cycles = {} ms, engine {}, seed {}",
            grouped(r.count_of("hosts")?),
            r.text_of("traffic")?,
            grouped(r.count_of("cycles")?),
            decimal(run.ms(r.number_of("cycles")?)),
            v.text_of("engine")?,
            v.count_of("seed")?
        ),
        body,
    })
}

/// A row of a table of latencies: how many there are, and what each figure is in microseconds.
pub(super) fn latency_row(name: Cell, count: u64, us: impl Fn(&str) -> Result<f64>) -> Result<Vec<Cell>> {
    let mut row = vec![name, Cell::Number(grouped(count))];
    for key in ["mean", "p50", "p90", "p99", "p999", "max"] {
        row.push(Cell::Number(decimal(us(key)?)));
    }
    Ok(row)
}

/// The table, of `what`.
pub(super) fn latencies(what: &str, rows: Vec<Vec<Cell>>) -> String {
    table(&[what, "number", "mean", "50 %", "90 %", "99 %", "99.9 %", "longest"], rows)
}

/// All settings, folded.
pub(super) fn settings(v: &At) -> Result<String> {
    let Some(settings) = v.maybe("settings") else { return Ok(String::new()) };
    let rows = settings.fields()?.into_iter().map(|(name, value)| vec![name.into(), value.shown().into()]);
    Ok(folded("Settings", &table(&["setting", "value"], rows.collect())))
}

/// A percentile: its name, and the key of the JSON.
pub(super) const PERCENTILES: [(&str, &str); 5] =
    [("50 %", "p50"), ("90 %", "p90"), ("99 %", "p99"), ("99.9 %", "p999"), ("all", "max")];

/// How long cycles and bins are.
struct Run {
    cycle_ps: f64,
    cycles: f64,
    bin: f64,
}

impl Run {
    fn new(r: &At) -> Result<Run> {
        Ok(Run {
            cycle_ps: r.number_of("cycle_ps")?,
            cycles: r.number_of("cycles")?,
            bin: r.number_of("bin")?.max(1.0),
        })
    }

    fn ms(&self, cycles: f64) -> f64 {
        cycles * self.cycle_ps / 1e9
    }

    fn us(&self, cycles: f64) -> f64 {
        cycles * self.cycle_ps / 1e6
    }

    /// Cycles of a bin that are in the run.
    fn width(&self, bin: usize) -> f64 {
        self.bin.min(self.cycles - bin as f64 * self.bin)
    }

    fn key_figures(&self, r: &At, totals: &At) -> Result<String> {
        let total = r.get("total_latency")?;
        let us = |key| Ok::<String, anyhow::Error>(decimal(self.us(total.number_of(key)?)));
        let jain = match r.maybe("fairness") {
            Some(f) => (f.number_of("jain")?, "of the named flows"),
            None => (r.number_of("node_jain")?, "of what the hosts received"),
        };
        let acks = totals.maybe("acks").map_or(Ok(0), |n| n.count())?;
        let replies = format!("{} CNPs, {} ACKs", grouped(totals.count_of("cnps")?), grouped(acks));
        Ok(cards(&[
            (
                format!("{} %", decimal(100.0 * r.number_of("normalised")?)),
                "of what the receivers can take",
                format!("{} Gbit/s", decimal(r.number_of("gbps")?)),
            ),
            (
                format!("{} µs", us("p99")?),
                "99 % of the packets take no longer",
                format!("half of them {} µs", us("p50")?),
            ),
            (
                grouped(totals.count_of("delivered_packets")?),
                "packets delivered",
                format!("{} refused at the source", grouped(totals.count_of("refused_packets")?)),
            ),
            (grouped(totals.count_of("marked")?), "packets marked by switches", replies),
            (decimal(jain.0), "fairness (Jain)", jain.1.into()),
        ]))
    }

    fn throughput(&self, r: &At) -> Result<Chart> {
        let mut series = Vec::new();
        for s in r.list_of("series")? {
            let scope = s.text_of("scope")?;
            if scope != "network" && (scope == "node" || series.len() > NAMED) {
                continue;
            }
            let capacity = s.number_of("capacity")?;
            let mut points = Vec::new();
            for (bin, flits) in s.list_of("flits")?.iter().enumerate() {
                let width = self.width(bin);
                // A short last bin would be all or nothing.
                if 2.0 * width >= self.bin && capacity > 0.0 {
                    let at = self.ms(bin as f64 * self.bin + width / 2.0);
                    points.push((at, flits.number()? / width / capacity));
                }
            }
            let name = s.text_of("name")?;
            let name = match scope {
                "senders" => format!("sent by {name}"),
                "receivers" => format!("received by {name}"),
                _ => name.into(),
            };
            series.push(Series::line(&name, points));
        }
        Ok(Chart {
            title: "Throughput over time".into(),
            x: Axis::new("Time (ms)"),
            y: Axis::new("Share of what can be taken").range(0.0, 1.05),
            series,
            ..Chart::default()
        })
    }

    fn latency(&self, r: &At) -> Result<Chart> {
        let mut series = Vec::new();
        for (key, name) in [("network_latency", "in the network"), ("total_latency", "from the host's post")]
        {
            let l = r.get(key)?;
            let mut points = Vec::new();
            for (i, (_, percentile)) in PERCENTILES.iter().enumerate() {
                points.push((i as f64, self.us(l.number_of(percentile)?)));
            }
            series.push(Series::line(name, points));
        }
        Ok(Chart {
            title: "Latency of packets".into(),
            x: Axis::names("Packets that take no longer", &PERCENTILES.map(|p| p.0)),
            y: Axis::new("Latency (µs)").log(),
            series,
            ..Chart::default()
        })
    }

    fn latencies(&self, r: &At) -> Result<String> {
        let mut rows = Vec::new();
        for (key, name) in [
            ("network_latency", "in the network, µs"),
            ("total_latency", "from the host's post, µs"),
            ("messages", "whole messages, from their generation, µs"),
        ] {
            let Some(l) = r.maybe(key) else { continue };
            rows.push(latency_row(
                name.into(),
                l.count_of("packets")?,
                |key| Ok(self.us(l.number_of(key)?)),
            )?);
        }
        Ok(latencies("latency", rows))
    }

    /// What the samples tell; nothing of what never was.
    fn over_time(&self, r: &At) -> Result<Vec<Chart>> {
        let samples = r.list_of("samples")?;
        let points = |value: &dyn Fn(&At) -> Result<f64>| -> Result<Vec<(f64, f64)>> {
            samples.iter().map(|s| Ok((self.ms(s.number_of("t")?), value(s)?))).collect()
        };
        let of = |key: &'static str| points(&|s: &At| s.number_of(key));
        let is = |points: &[(f64, f64)]| points.iter().any(|p| p.1 > 0.0);
        let chart = |title: &str, y: &str, series: Vec<Series>| Chart {
            title: title.into(),
            x: Axis::new("Time (ms)"),
            y: Axis::new(y),
            series,
            ..Chart::default()
        };
        let mut all = Vec::new();
        if samples.is_empty() {
            return Ok(all);
        }
        all.push(chart(
            "Flits that wait",
            "Flits",
            vec![
                Series::line("in all switches", of("switch_flits")?),
                Series::line("in the fullest input port", of("fullest_port")?),
                Series::line("in adapters", of("adapter_flits")?),
            ],
        ));
        let hot = of("hpqs_used")?;
        if is(&hot) {
            all.push(chart(
                "Hot-packet queues",
                "Queues, ports",
                vec![
                    Series::line("queues in use", hot),
                    Series::line("input ports without a free one", of("no_free_hpq")?),
                ],
            ));
        }
        if samples.iter().all(|s| s.has("throttled")) {
            let throttled = |key: &'static str| points(&|s: &At| s.get("throttled")?.number_of(key));
            let flows = throttled("flows")?;
            if is(&flows) {
                let (sum, max) = (throttled("ccti_sum")?, throttled("ccti_max")?);
                let mean = sum.iter().zip(&flows).map(|(s, n)| (s.0, s.1 / n.1.max(1.0))).collect();
                let series =
                    vec![Series::line("highest", max), Series::line("mean of those held back", mean)];
                all.push(chart("Index of the throttles (CCTI)", "CCTI", series));
                all.push(chart(
                    "Flows held back",
                    "Flows with a CCTI above the minimum",
                    vec![Series::line("", flows)],
                ));
            }
        }
        if samples.iter().all(|s| s.has("delivered_marked")) {
            let sums = of("delivered_marked")?;
            let marks: Vec<(f64, f64)> = sums.windows(2).map(|w| (w[1].0, w[1].1 - w[0].1)).collect();
            if is(&marks) {
                let series = vec![Series::line("", marks).style(Style::Area)];
                all.push(chart("Marked packets that arrive", "Packets since the sample before", series));
            }
        }
        Ok(all)
    }
}

/// What each host received.
fn received(r: &At) -> Result<Option<Chart>> {
    let received = r.list_of("received")?;
    if received.is_empty() || received.len() > BARS {
        return Ok(None);
    }
    let cycles = r.number_of("cycles")?.max(1.0);
    let values: Vec<f64> = received.iter().map(|n| Ok(n.number()? / cycles)).collect::<Result<_>>()?;
    let points = values.into_iter().enumerate().map(|(i, v)| (i as f64, v)).collect();
    Ok(Some(Chart {
        title: "What each host received".into(),
        x: Axis::new("Host").range(-0.5, received.len() as f64 - 0.5),
        y: Axis::new("Flits a cycle"),
        series: vec![Series { points, style: Style::Bar, ..Series::default() }],
        ..Chart::default()
    }))
}

/// Buffers of the input ports: a map of heat, switch by switch.
fn ports(r: &At) -> Result<String> {
    let mut rows: Vec<Heat> = Vec::new();
    for p in r.list_of("ports")? {
        let (name, number) = match p.maybe("switch") {
            Some(switch) => (switch.text()?.to_string(), p.count_of("number")? as usize),
            None => continue,
        };
        if rows.last().is_none_or(|row| row.0 != name) {
            rows.push((name, Vec::new()));
        }
        if let Some((_, values)) = rows.last_mut().filter(|_| number < 4096) {
            values.resize(values.len().max(number + 1), None);
            values[number] = Some(p.number_of("mean")?);
        }
    }
    if rows.is_empty() {
        return Ok(String::new());
    }
    let all = rows.len();
    if all > ROWS {
        let most = |row: &Heat| row.1.iter().flatten().copied().fold(0.0, f64::max);
        rows.sort_by(|a, b| most(b).total_cmp(&most(a)));
        rows.truncate(ROWS);
    }
    let mut s = heading("Buffers of the input ports, in the mean");
    if all > ROWS {
        s += &note(&format!("The {ROWS} switches with the fullest ports, of {all}."));
    }
    Ok(s + &heat(&rows, "port", "flits"))
}

/// The busiest links.
fn links(r: &At) -> Result<String> {
    let mut rows = Vec::new();
    for l in r.list_of("links")? {
        rows.push((l.number_of("used")?, l.text_of("name")?.to_string(), l.count_of("flits")?));
    }
    if rows.is_empty() {
        return Ok(String::new());
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let cells = rows.into_iter().take(16).map(|(used, name, flits)| {
        vec![name.into(), Cell::Number(format!("{} %", decimal(100.0 * used))), Cell::Number(grouped(flits))]
    });
    Ok(heading("Busiest links") + &table(&["link", "busy", "flits"], cells.collect()))
}
