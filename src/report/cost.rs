//! What units cost.

use anyhow::Result;

use super::html::{Cell, Mood, decimal, folded, grouped, heading, table};
use super::read::At;
use super::section::Section;

/// Modules of a unit that are listed.
const MODULES: usize = 12;

pub(super) fn section(v: &At, _: &mut usize) -> Result<Section> {
    let clock = v.number_of("clock_mhz")?;
    let costs = v.list_of("costs")?;
    let (mut rows, mut missed) = (Vec::new(), 0);
    let most = |key: &str| -> Result<f64> {
        costs.iter().try_fold(0.0, |most: f64, c| Ok(most.max(c.number_of(key)?)))
    };
    let (most_gates, most_area) = (most("nand2")?, most("area_mm2")?);
    let mut modules = String::new();
    for c in &costs {
        let name =
            format!("{} {} {}", c.text_of("unit")?, c.text_of("scheme")?, grouped(c.count_of("nodes")?));
        let (nand2, mm2) = (c.number_of("nand2")?, c.number_of("area_mm2")?);
        let about = if c.get("reckoned")?.flag()? { "~" } else { "" };
        let number = |key: &str| {
            Ok::<Cell, anyhow::Error>(Cell::Number(format!("{about}{}", decimal(c.number_of(key)?))))
        };
        let [path, mhz, slack] = match c.maybe("timing") {
            Some(t) => {
                let (path, slack) = (t.number_of("path_ns")?, t.number_of("slack_ns")?);
                missed += usize::from(slack < 0.0);
                [decimal(path), decimal(1000.0 / path), decimal(slack)]
            }
            None => ["-", "-", "-"].map(String::from),
        };
        rows.push(vec![
            c.text_of("unit")?.into(),
            c.text_of("scheme")?.into(),
            Cell::Number(grouped(c.count_of("nodes")?)),
            Cell::Meter(format!("{about}{}", decimal(nand2)), nand2 / most_gates.max(1.0)),
            number("cam_nand2")?,
            number("flip_flops")?,
            number("cam_bits")?,
            number("sram_bits")?,
            Cell::Meter(format!("{about}{}", decimal(mm2)), mm2 / most_area.max(1e-9)),
            Cell::Number(path),
            Cell::Number(mhz),
            Cell::Number(slack),
        ]);
        let mut parts = Vec::new();
        for m in c.list_of("modules")?.iter().take(MODULES) {
            parts.push(vec![
                m.text_of("module")?.into(),
                Cell::Number(grouped(m.count_of("instances")?)),
                Cell::Number(decimal(m.number_of("nand2")?)),
                Cell::Number(decimal(m.number_of("flip_flops")?)),
            ]);
        }
        if !parts.is_empty() {
            modules += &heading(&name);
            modules += &table(&["module", "instances", "NAND2-equivalents", "flip-flops"], parts);
        }
    }
    let mut body = table(
        &[
            "unit",
            "scheme",
            "nodes",
            "NAND2-equivalents",
            "of which CAM lines",
            "flip-flops",
            "CAM bits",
            "SRAM bits",
            "area, mm2",
            "path, ns",
            "MHz",
            "slack, ns",
        ],
        rows,
    );
    if !modules.is_empty() {
        body += &folded("The most expensive modules", &modules);
    }
    if let Some(uses) = v.maybe("benefit").map(|b| b.list()).transpose()?.filter(|l| !l.is_empty()) {
        let mut rows = Vec::new();
        for u in uses {
            let mut row: Vec<Cell> = vec![u.text_of("scheme")?.into()];
            for key in ["victim_gbps", "jain", "share"] {
                row.push(Cell::Number(decimal(u.number_of(key)?)));
            }
            rows.push(row);
        }
        body += &heading("What it is good for");
        body += &table(
            &["scheme", "the victim's throughput, Gbit/s", "fairness", "share while hotspots are on"],
            rows,
        );
    }
    let found = match missed {
        0 => (format!("all reach {} MHz", decimal(clock)), Mood::Good),
        n => (format!("{n} of {} do not reach {} MHz", costs.len(), decimal(clock)), Mood::Plain),
    };
    let library = costs.first().map(|c| c.text_of("library")).transpose()?.unwrap_or("-");
    Ok(Section {
        title: "Cost".into(),
        result: found,
        about: format!("library {library}, clock {} MHz", decimal(clock)),
        body,
    })
}
