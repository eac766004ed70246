//! Runs of RTL in lockstep with golden models: equal, or how they differ.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;

use super::html::{Cell, Mood, block, cards, decimal, folded, grouped, heading, note, table};
use super::read::At;
use super::section::Section;
use crate::rules;
use crate::text::escape;

/// A run without a failure.
pub(super) fn equal(v: &At, _: &mut usize) -> Result<Section> {
    let mut body = cards(&[
        (grouped(v.count_of("cycles")?), "cycles compared", String::new()),
        (grouped(v.count_of("packets")?), "packets", String::new()),
        (grouped(v.count_of("runs")?), "runs", format!("first seed {}", v.count_of("seed")?)),
        (
            decimal(v.number_of("cycles_per_second")?),
            "cycles a second",
            format!("{} s", decimal(v.number_of("seconds")?)),
        ),
    ]);
    let missing = v.texts_of("not_compared")?;
    if !missing.is_empty() {
        body += &note(&format!("Not compared, for the design does not have them: {}", missing.join(", ")));
    }
    for unit in v.list_of("cover")? {
        body += &coverage(&unit)?;
    }
    Ok(Section {
        title: v.text_of("title")?.into(),
        result: (v.text_of("verdict")?.into(), Mood::Good),
        about: v.text_of("stimulus")?.into(),
        body,
    })
}

/// A cover point.
struct Point<'a> {
    name: &'a str,
    text: &'a str,
    rules: String,
    count: u64,
}

/// Rules in the order of their letters and numbers.
fn order(rule: &str) -> (&str, u32) {
    let letters = rule.trim_end_matches(|c: char| c.is_ascii_digit());
    (letters, rule[letters.len()..].parse().unwrap_or(0))
}

fn coverage(unit: &At) -> Result<String> {
    let mut points = Vec::new();
    let mut beyond = 0;
    for p in unit.list_of("points")? {
        let count = p.count_of("count")?;
        if count == 0 && !p.get("in_reach")?.flag()? {
            beyond += 1;
            continue;
        }
        let rules = p.texts_of("rules")?.join(" ");
        points.push(Point { name: p.text_of("name")?, text: p.text_of("text")?, rules, count });
    }
    let mut by_rule: BTreeMap<(&str, u32), (&str, Vec<&Point>)> = BTreeMap::new();
    for p in &points {
        for rule in p.rules.split(' ') {
            by_rule.entry(order(rule)).or_insert((rule, Vec::new())).1.push(p);
        }
    }
    let hit = points.iter().filter(|p| p.count > 0).count();
    let mut s = heading(&format!(
        "Coverage of {} by rule: {hit} of {} points hit",
        unit.text_of("unit")?,
        points.len()
    ));
    if beyond > 0 {
        s += &note(&format!("{beyond} more are out of reach of this build."));
    }
    s += "<div class=\"rules\">\n";
    for (rule, members) in by_rule.values() {
        let hit = members.iter().filter(|p| p.count > 0).count();
        let title = rules::title(rule).unwrap_or_default();
        let _ = writeln!(
            s,
            "<div class=\"rule\" title=\"{}\"><b>{}</b><span>{hit}/{}</span>\
             <span class=\"bar\"><i style=\"width:{:.0}%\"></i></span></div>",
            escape(title),
            escape(rule),
            members.len(),
            100.0 * hit as f64 / members.len() as f64
        );
    }
    s += "</div>\n";
    let row = |p: &&Point| -> Vec<Cell> {
        vec![
            Cell::Made(format!("<code>{}</code>", escape(p.name))),
            p.rules.clone().into(),
            p.text.into(),
            Cell::Number(grouped(p.count)),
        ]
    };
    let missed: Vec<&Point> = points.iter().filter(|p| p.count == 0).collect();
    if !missed.is_empty() {
        s += &heading("Not hit");
        s += &table(&["point", "rules", "what happens", "times"], missed.iter().map(row).collect());
    }
    let all: Vec<&Point> = points.iter().filter(|p| p.count > 0).collect();
    let rows = table(&["point", "rules", "what happens", "times"], all.iter().map(row).collect());
    Ok(s + &folded("How often each point was hit", &rows))
}

/// Rules, and what they are about.
fn said(rules: &[&str]) -> String {
    table(&[], rules.iter().filter_map(|r| Some(vec![Cell::from(*r), rules::title(r)?.into()])).collect())
}

/// A run that failed.
pub(super) fn failed(v: &At, _: &mut usize) -> Result<Section> {
    let result = v.text_of("result")?;
    let cycle = v.count_of("cycle")?;
    let found = match result {
        "mismatch" => "RTL and golden model differ",
        "assertion" => "an assertion in the RTL fired",
        "broken" => "a rule is broken",
        other => other,
    };
    let mut body = String::new();
    if let Some(message) = v.maybe("message") {
        body += &block(message.text()?);
    }
    if result == "broken" {
        body += &heading(&format!("What the rules say ({})", v.text_of("kind")?));
        body += &said(&v.texts_of("rules")?);
    }
    if let Some(differences) = v.maybe("differences") {
        let mut rows = Vec::new();
        let mut named: Vec<&str> = Vec::new();
        for d in differences.list()? {
            let rules = d.texts_of("rules")?;
            rules.iter().for_each(|r| {
                if !named.contains(r) {
                    named.push(r)
                }
            });
            let code = |text: &str, class: &str| {
                Cell::Made(format!("<span class=\"mono {class}\">{}</span>", escape(text)))
            };
            let several = d.maybe("elements").map_or(Ok(2), |n| n.count())? > 1;
            let index = if several { format!("[{}]", d.count_of("element")?) } else { String::new() };
            rows.push(vec![
                code(&format!("{}{index}", d.text_of("signal")?), ""),
                d.text_of("group")?.into(),
                rules.join(" ").into(),
                code(d.text_of("rtl")?, "differs"),
                code(d.text_of("golden")?, ""),
                code(d.text_of("xor")?, ""),
            ]);
        }
        body += &heading(&format!("What differs in cycle {cycle}"));
        body += &table(&["signal", "kind", "rules", "RTL", "golden model", "differing bits"], rows);
        body += &heading("What the rules say");
        body += &said(&named);
    }
    let mut left: Vec<Vec<Cell>> = Vec::new();
    for (key, what) in [
        ("vcd", "waveform"),
        ("reproducer", "stimulus, shortened"),
        ("full_stimulus", "whole stimulus"),
        ("again", "to see it again"),
    ] {
        if let Some(value) = v.maybe(key) {
            left.push(vec![what.into(), Cell::Made(format!("<code>{}</code>", escape(value.text()?)))]);
        }
    }
    if !left.is_empty() {
        body += &heading("Files");
        body += &table(&[], left);
    }
    let mut rows = Vec::new();
    for step in v.list_of("history")? {
        let inputs = step.text_of("inputs")?;
        let inputs = if inputs.is_empty() { "(idle)" } else { inputs };
        rows.push(vec![
            Cell::Number(grouped(step.count_of("cycle")?)),
            Cell::Made(format!("<code>{}</code>", escape(inputs))),
        ]);
    }
    body += &heading("Last inputs");
    body += &table(&["cycle", "inputs that are not 0"], rows);
    Ok(Section {
        title: v.text_of("title")?.into(),
        result: (format!("{found} in cycle {cycle}"), Mood::Bad),
        about: format!(
            "{} {}, {}, seed {}",
            v.text_of("unit")?,
            v.text_of("build")?,
            v.text_of("stimulus")?,
            v.count_of("seed")?
        ),
        body,
    })
}
