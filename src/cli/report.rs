//! What a run is reported as: cover by rule, summaries, failures; as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::cosim::{Artefacts, CoverCount, CycleInputs, Failure};
use crate::params::{Build, Params, UnitKind};
use crate::signals::Group;
use crate::stimulus::regression::cover_applies;
use crate::text::in_groups;

/// What was run and compared equal.
pub struct Summary {
    /// What ran: unit and build, or several.
    pub title: String,
    /// What was found.
    pub verdict: String,
    /// Outputs that a design does not have, and that were not compared.
    pub not_compared: Vec<&'static str>,
    /// Stimulus: scenario, random, file.
    pub stimulus: String,
    /// Runs.
    pub runs: usize,
    /// First seed.
    pub seed: u64,
    /// Cycles compared.
    pub cycles: u64,
    /// Packets.
    pub packets: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Cover counts of each unit.
    pub cover: Vec<UnitCover>,
}

/// Cover counts of a unit.
pub struct UnitCover {
    /// The unit.
    pub unit: UnitKind,
    /// Parameters of the builds that ran: a point may be out of reach of some.
    pub ran: Vec<Params>,
    /// The counts.
    pub points: Vec<CoverCount>,
}

impl UnitCover {
    /// True if one of the builds that ran can hit the point.
    fn applies(&self, point: &CoverCount) -> bool {
        self.ran.iter().any(|params| cover_applies(self.unit, point.name, params))
    }
}

impl Summary {
    fn cycles_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.cycles as f64 / self.seconds } else { 0.0 }
    }

    /// For people; with what was hit of the cover points, or with what was missed alone.
    pub fn text(&self, hits: bool) -> String {
        let mut s = String::new();
        let _ = writeln!(s, "{}: {} ({})", self.title, self.verdict, self.stimulus);
        let _ = writeln!(s, "  runs       {}", self.runs);
        let _ = writeln!(s, "  cycles     {}", in_groups(self.cycles, ' '));
        let _ = writeln!(s, "  packets    {}", in_groups(self.packets, ' '));
        let _ = writeln!(s, "  time       {:.2} s", self.seconds);
        let _ = writeln!(s, "  speed      {} cycles/s", in_groups(self.cycles_per_second() as u64, ' '));
        let _ = writeln!(s, "  first seed {}", self.seed);
        if !self.not_compared.is_empty() {
            let _ = writeln!(s, "  not there  {}", self.not_compared.join(", "));
        }
        self.cover.iter().for_each(|cover| s += &cover_text(cover, hits));
        s
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let cover: Vec<Value> = self.cover.iter().map(cover_json).collect();
        json!({
            "result": "equal", "title": self.title, "stimulus": self.stimulus, "runs": self.runs,
            "seed": self.seed, "cycles": self.cycles, "packets": self.packets, "seconds": self.seconds,
            "cycles_per_second": self.cycles_per_second(), "verdict": self.verdict,
            "not_compared": self.not_compared, "cover": cover,
        })
    }
}

/// The points of each rule. A point of several rules stands under each of them.
fn by_rule<'a>(points: &[&'a CoverCount]) -> BTreeMap<(&'a str, u32), (&'a str, Vec<&'a CoverCount>)> {
    let mut rules: BTreeMap<(&str, u32), (&str, Vec<&CoverCount>)> = BTreeMap::new();
    for &point in points {
        for rule in point.rules.split_whitespace() {
            let letters = rule.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = rule[letters.len()..].parse().unwrap_or(0);
            rules.entry((letters, number)).or_insert((rule, Vec::new())).1.push(point);
        }
    }
    rules
}

/// The cover of a unit: with `hits` for each rule its points and how often each was hit; then the ones missed. Points out
/// of reach of the builds that ran are left out.
fn cover_text(cover: &UnitCover, hits: bool) -> String {
    let points: Vec<&CoverCount> = cover.points.iter().filter(|p| p.count > 0 || cover.applies(p)).collect();
    let hit = points.iter().filter(|p| p.count > 0).count();
    let mut s = format!("  cover of {}: {hit} of {} points hit", cover.unit.cli_name(), points.len());
    let beyond = cover.points.len() - points.len();
    s += &if beyond > 0 { format!(" ({beyond} out of reach of this build)\n") } else { "\n".into() };
    for (rule, members) in by_rule(if hits { &points } else { &[] }).values() {
        let hit = members.iter().filter(|p| p.count > 0).count();
        let head = format!("    {rule:3} {:>7}", format!("{hit}/{}", members.len()));
        s += &wrapped(&head, members.iter().map(|p| format!("{} {}", p.name, in_groups(p.count, ' '))));
    }
    let missed: Vec<&&CoverCount> = points.iter().filter(|p| p.count == 0).collect();
    if missed.len() > 10 {
        return s + &wrapped("    not hit:   ", missed.iter().map(|p| p.name.to_string()));
    }
    for point in missed {
        let _ = writeln!(s, "    not hit: {} ({}): {}", point.name, point.rules, point.text);
    }
    s
}

/// `head`, then the items, in lines of at most 110 characters.
fn wrapped(head: &str, items: impl Iterator<Item = String>) -> String {
    let mut s = head.to_string();
    let mut column = head.len();
    for item in items {
        if column + 2 + item.len() > 110 {
            let _ = write!(s, "\n{:1$}", "", head.len());
            column = head.len();
        }
        column += 2 + item.len();
        let _ = write!(s, "  {item}");
    }
    s + "\n"
}

fn cover_json(cover: &UnitCover) -> Value {
    let points: Vec<Value> = cover
        .points
        .iter()
        .map(|p| {
            let rules: Vec<&str> = p.rules.split_whitespace().collect();
            json!({"name": p.name, "rules": rules, "text": p.text, "count": p.count, "in_reach": cover.applies(p)})
        })
        .collect();
    json!({"unit": cover.unit.cli_name(), "points": points})
}

/// A failure for programs: of what, under which stimulus, and the command that plays a reproducer.
pub fn failure_json(failure: &Failure, [title, stimulus, again]: [&str; 3]) -> Value {
    let common = |kind: &str,
                  build: &Build,
                  seed: u64,
                  cycle: u64,
                  history: &[CycleInputs],
                  a: &Artefacts| {
        let history: Vec<Value> =
            history.iter().map(|h| json!({"cycle": h.cycle, "inputs": h.inputs})).collect();
        json!({
            "result": kind, "unit": build.unit.cli_name(), "build": build.label(), "seed": seed, "cycle": cycle,
            "title": title, "stimulus": stimulus,
            "again": a.again(again),
            "history": history,
            "vcd": a.vcd, "reproducer": a.reproducer, "reproducer_cycles": a.reproducer_cycles,
            "full_stimulus": a.full, "problems": a.problems,
        })
    };
    match failure {
        Failure::Mismatch(m) => {
            let mut v = common("mismatch", &m.build, m.seed, m.cycle, &m.history, &m.artefacts);
            let differences: Vec<Value> = m
                .differences
                .iter()
                .map(|d| {
                    let rules: Vec<&str> = d.rules.split_whitespace().collect();
                    json!({
                        "signal": d.signal, "group": if d.group == Group::State { "state" } else { "output" },
                        "element": d.element, "elements": d.count, "rules": rules, "rtl": d.rtl, "golden": d.golden, "xor": d.xor,
                    })
                })
                .collect();
            v["differences"] = Value::Array(differences);
            v
        }
        Failure::Assertion(a) => {
            let mut v = common("assertion", &a.build, a.seed, a.cycle, &a.history, &a.artefacts);
            v["message"] = Value::String(a.message.clone());
            v
        }
        Failure::Broken(b) => {
            let mut v = common("broken", &b.build, b.seed, b.cycle, &b.history, &b.artefacts);
            let rules: Vec<&str> = b.rules.split_whitespace().collect();
            v["kind"] = b.kind.into();
            v["rules"] = rules.into();
            v["message"] = b.text.clone().into();
            v
        }
        Failure::Io(text) | Failure::Setup(text) => json!({"result": "error", "message": text}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &'static str, rules: &'static str, count: u64) -> CoverCount {
        CoverCount { name, rules, text: "something happened", count }
    }

    #[test]
    fn cover_is_shown_by_rule_in_order_with_what_was_missed() {
        let points = [point("b", "E10 E2", 5), point("a", "B1", 1234), point("c", "E2", 0)];
        let unit = UnitKind::InputPort;
        let text = cover_text(
            &UnitCover { unit, ran: vec![Params::default()], points: points.clone().into() },
            true,
        );
        let at = |s: &str| text.find(s).unwrap_or_else(|| panic!("no {s} in:\n{text}"));
        assert!(text.starts_with("  cover of input-port: 2 of 3 points hit\n"), "{text}");
        assert!(at("    B1      1/1  a 1 234") < at("    E2      1/2  b 5  c 0"));
        assert!(at("    E2") < at("    E10"));
        let missed = "    not hit: c (E2): something happened\n";
        assert!(text.ends_with(missed), "{text}");
        let short =
            cover_text(&UnitCover { unit, ran: vec![Params::default()], points: points.into() }, false);
        assert_eq!(short, format!("  cover of input-port: 2 of 3 points hit\n{missed}"));

        // letters and number make the rule
        let points = [point("s", "SR2", 1), point("v", "VR2 VR4", 2)];
        let unit = UnitKind::SourceResponse;
        let text = cover_text(&UnitCover { unit, ran: vec![Params::default()], points: points.into() }, true);
        for line in ["    SR2     1/1  s 1\n", "    VR2     1/1  v 2\n", "    VR4     1/1  v 2\n"] {
            assert!(text.contains(line), "{text}");
        }
    }
}
