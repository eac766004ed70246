//! Schemes on one network and traffic.

use anyhow::Result;

use super::draw::charts;
use super::fabric::PERCENTILES;
use super::html::{Cell, Mood, chip, decimal, grouped, heading, note, table};
use super::read::At;
use super::section::Section;
use crate::plot::{Axis, Chart, Series, Style};
use crate::text::escape;

/// Schemes that a chart of lines shows.
const LINES: usize = 10;

pub(super) fn section(v: &At, pictures: &mut usize) -> Result<Section> {
    let rows = v.list_of("schemes")?;
    let names: Vec<&str> = rows.iter().map(|r| r.text_of("scheme")).collect::<Result<_>>()?;
    let failed = rows.iter().filter(|r| r.has("failed")).count();
    let mut columns: Vec<(&str, Vec<Option<f64>>)> = Vec::new();
    let mut column = |title, value: &dyn Fn(&At) -> Option<Result<f64>>| -> Result<()> {
        let values = rows.iter().map(|r| value(r).transpose()).collect::<Result<Vec<_>>>()?;
        // What no scheme has is no column.
        if values.iter().any(Option::is_some) {
            columns.push((title, values));
        }
        Ok(())
    };
    let may = |row: &At, key: &str| row.maybe(key).map(|n| n.number());
    let victims = |row: &At, key: &str| row.maybe("victims_ns").map(|v| Ok(v.number_of(key)? / 1000.0));
    column("throughput", &|r| Some(r.number_of("throughput")))?;
    column("victims' throughput", &|r| may(r, "victims_throughput"))?;
    column("victims' 50 %, µs", &|r| victims(r, "p50"))?;
    column("99 %, µs", &|r| victims(r, "p99"))?;
    column("99.9 %, µs", &|r| victims(r, "p999"))?;
    column("fairness", &|r| Some(r.number_of("fairness")))?;
    column("recovery, µs", &|r| may(r, "recovery_ns").map(|n| Ok(n? / 1000.0)))?;
    column("at rest after, µs", &|r| may(r, "rest_ns").map(|n| Ok(n? / 1000.0)))?;
    column("replies / 1000", &|r| Some(r.number_of("replies_per_1000")))?;
    column("marks / 1000", &|r| Some(r.number_of("marked_per_1000")))?;
    let head: Vec<&str> = std::iter::once("scheme").chain(columns.iter().map(|c| c.0)).collect();
    let mut cells = Vec::new();
    for (i, (row, name)) in rows.iter().zip(&names).enumerate() {
        let mut line: Vec<Cell> = vec![(*name).into()];
        for (title, values) in &columns {
            let most = values.iter().flatten().copied().fold(0.0, f64::max);
            line.push(match values[i] {
                None => Cell::Number("-".into()),
                Some(v) if *title == "throughput" => Cell::Meter(decimal(v), v),
                Some(v) if most > 0.0 => Cell::Meter(decimal(v), v / most),
                Some(v) => Cell::Number(decimal(v)),
            });
        }
        if let Some(why) = row.maybe("failed") {
            line[0] = Cell::Made(format!("{} {}", escape(name), chip(why.text()?, Mood::Bad)));
        }
        cells.push(line);
    }
    let mut body = table(&head, cells);
    let mut all = Vec::new();
    if rows.iter().all(|r| r.has("throughput_over_ms")) && !rows.is_empty() {
        let mut series = Vec::new();
        for (row, name) in rows.iter().zip(&names).take(LINES) {
            let mut points = Vec::new();
            for point in row.list_of("throughput_over_ms")? {
                if let [t, share] = &point.list()?[..] {
                    points.push((t.number()?, share.number()?));
                }
            }
            series.push(Series::line(name, points));
        }
        all.push(Chart {
            title: "Throughput over time".into(),
            x: Axis::new("Time (ms)"),
            y: Axis::new("Share of what can be taken").range(0.0, 1.05),
            series,
            ..Chart::default()
        });
    }
    let (mut latency, mut price) = (Vec::new(), Vec::new());
    for (i, (row, name)) in rows.iter().zip(&names).enumerate() {
        let Some(victims) = row.maybe("victims_ns") else { continue };
        let mut points = Vec::new();
        for (at, (_, key)) in PERCENTILES.iter().enumerate() {
            points.push((at as f64, victims.number_of(key)? / 1000.0));
        }
        if i < LINES {
            latency.push(Series::line(name, points).look(i));
            let p99 = victims.number_of("p99")? / 1000.0;
            let point = vec![(row.number_of("replies_per_1000")?, p99)];
            price.push(Series::line(name, point).style(Style::Points).look(i));
        }
    }
    all.push(Chart {
        title: "Latency of packets to hosts that are not hot".into(),
        x: Axis::names("Packets that take no longer", &PERCENTILES.map(|p| p.0)),
        y: Axis::new("Latency (µs)").log(),
        series: latency,
        ..Chart::default()
    });
    all.push(Chart {
        title: "Their 99 %, and the replies that it takes".into(),
        x: Axis::new("CNPs and ACKs for each 1000 packets"),
        y: Axis::new("Latency (µs)").log(),
        series: price,
        ..Chart::default()
    });
    body += &heading("Side by side");
    if names.len() > LINES {
        body += &note(&format!("Charts of lines show the first {LINES} schemes."));
    }
    body += &charts(&all, pictures);
    if rows.iter().any(|r| r.has("cost")) {
        let mut cells = Vec::new();
        for (row, name) in rows.iter().zip(&names) {
            let Some(cost) = row.maybe("cost") else { continue };
            let mut line: Vec<Cell> = vec![(*name).into()];
            for key in ["nand2", "sram_bits", "cam_bits", "area_mm2"] {
                line.push(Cell::Number(decimal(cost.number_of(key)?)));
            }
            cells.push(line);
        }
        body += &heading("Cost for each host");
        body += &table(&["scheme", "NAND2-equivalents", "SRAM bits", "CAM bits", "area, mm2"], cells);
    }
    let good = failed == 0;
    Ok(Section {
        title: format!("Schemes on {}", v.text_of("network")?),
        result: (
            if good { "all schemes ran".into() } else { format!("{failed} broke a promise") },
            Mood::of(good),
        ),
        about: format!(
            "{} hosts, traffic {}, {} cycles = {} ms, seed {}",
            grouped(v.count_of("hosts")?),
            v.text_of("traffic")?,
            grouped(v.count_of("cycles")?),
            decimal(v.number_of("cycles")? * v.number_of("cycle_ps")? / 1e9),
            v.count_of("seed")?
        ),
        body,
    })
}
