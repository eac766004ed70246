//! A wormhole network.

use anyhow::Result;

use super::draw::charts;
use super::fabric::{PERCENTILES, latencies, latency_row, result, settings};
use super::html::{Cell, block, cards, decimal, grouped, heading, narrow, table};
use super::read::At;
use super::section::Section;
use crate::plot::{Axis, Chart, Series};

const CLASSES: [(&str, &str); 3] =
    [("control", "control"), ("real_time", "real-time"), ("best_effort", "best-effort")];

pub(super) fn section(v: &At, pictures: &mut usize) -> Result<Section> {
    let r = v.get("report")?;
    let cycle_us = r.number_of("cycle_ps")? / 1e6;
    let mut body = String::new();
    if let Some(what) = v.maybe("what") {
        body += &block(what.text()?);
    }
    let mut classes = Vec::new();
    for (key, name) in CLASSES {
        let class = r.get(key)?;
        if class.count_of("offered_messages")? + class.count_of("delivered_messages")? > 0 {
            classes.push((name, class));
        }
    }
    let mut figures = Vec::new();
    for (name, class) in &classes {
        figures.push((
            decimal(class.number_of("delivered_flits_per_cycle_and_host")?),
            *name,
            format!(
                "flits a cycle and host, of {} offered",
                decimal(class.number_of("offered_flits_per_cycle_and_host")?)
            ),
        ));
    }
    body += &cards(&figures);
    let mut series = Vec::new();
    for (name, class) in &classes {
        let l = class.get("latency")?;
        let mut points = Vec::new();
        for (i, (_, key)) in PERCENTILES.iter().enumerate() {
            points.push((i as f64, l.number_of(&format!("{key}_cycles"))? * cycle_us));
        }
        series.push(Series::line(name, points));
    }
    let latency = Chart {
        title: "Latency of messages, from their creation".into(),
        x: Axis::names("Messages that take no longer", &PERCENTILES.map(|p| p.0)),
        y: Axis::new("Latency (µs)").log(),
        series,
        ..Chart::default()
    };
    let names: Vec<&str> = classes.iter().map(|c| c.0).collect();
    let mut bars = Vec::new();
    for (key, name) in [("offered", "offered"), ("posted", "posted"), ("delivered", "delivered")] {
        let value = |c: &(&str, At)| c.1.number_of(&format!("{key}_flits_per_cycle_and_host"));
        bars.push(Series::bars(name, &classes.iter().map(value).collect::<Result<Vec<_>>>()?));
    }
    let rates = Chart {
        title: "Rates of the classes".into(),
        x: Axis::names("Class", &names),
        y: Axis::new("Flits a cycle and host"),
        series: bars,
        ..Chart::default()
    };
    body += &charts(&[rates, latency], pictures);
    let mut rows = Vec::new();
    for (name, class) in &classes {
        for (key, part) in [
            ("latency", "in all"),
            ("host_wait", "in the host"),
            ("adapter", "in the adapter"),
            ("network", "in the network"),
        ] {
            let l = class.get(key)?;
            let us = |key: &str| Ok(l.number_of(&format!("{key}_cycles"))? * cycle_us);
            rows.push(latency_row(format!("{name}, {part}").into(), l.count_of("count")?, us)?);
        }
    }
    body += &heading("Latency, µs");
    body += &latencies("messages", rows);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for key in ["streams", "frames"] {
        for (name, value) in r.get(key)?.fields()? {
            if value.number().is_ok_and(|n| n != 0.0) {
                rows.push(vec![
                    format!("{key}: {}", name.replace('_', " ")).into(),
                    Cell::Number(value.shown()),
                ]);
            }
        }
    }
    if !rows.is_empty() {
        body += &heading("Streams and frames");
        body += &narrow(&table(&["what", "value"], rows));
    }
    body += &settings(v)?;
    Ok(Section {
        title: format!("{} under {}", v.text_of("network")?, v.text_of("scheme")?),
        result: result(v)?,
        about: format!(
            "{} hosts, traffic {}, {} cycles of {} ns, engine {}, seed {}",
            grouped(r.count_of("hosts")?),
            r.text_of("traffic")?,
            grouped(r.count_of("cycles")?),
            decimal(cycle_us * 1000.0),
            v.text_of("engine")?,
            v.count_of("seed")?
        ),
        body,
    })
}
