//! The table of properties and what is known of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use super::harness::{HARNESSES, Harness};
use super::results::{Results, Verdict};

/// Assertions and covers that the checkers in a folder state: label, and whether it is a cover.
pub fn labels(folder: &Path) -> Result<BTreeMap<String, bool>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "sv") {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for (kind, cover) in [(": assert (", false), (": cover (", true)] {
            for before in text.split(kind).collect::<Vec<_>>().split_last().map_or(&[][..], |s| s.1) {
                let label =
                    before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                found.insert(label.to_string(), cover);
            }
        }
    }
    Ok(found)
}

/// The last part of a property's name.
pub(super) fn label(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// `b1_offer_is_free` is of rule B1.
fn rule(label: &str) -> String {
    label.split('_').next().unwrap_or_default().to_uppercase()
}

/// How well an assertion is known: the worst of several instances is shown.
fn rank(v: &Verdict) -> (usize, std::cmp::Reverse<usize>) {
    match v {
        Verdict::Proved(k) => (0, std::cmp::Reverse(usize::MAX - k)),
        Verdict::ProvedGiven(k) => (1, std::cmp::Reverse(usize::MAX - k)),
        Verdict::Bounded(d) => (2, std::cmp::Reverse(*d)),
        Verdict::Failed { cycle, .. } => (3, std::cmp::Reverse(*cycle)),
    }
}

/// A verdict in words.
pub fn words(v: &Verdict) -> String {
    match v {
        Verdict::Proved(_) => "proved".into(),
        Verdict::ProvedGiven(_) => "proved, given".into(),
        Verdict::Bounded(d) => format!("{d} cycles"),
        Verdict::Failed { cycle, .. } => format!("FAILED in cycle {cycle}"),
    }
}

/// The page with all results.
pub fn document(all: &[(&Harness, Results)], tb: &Path) -> Result<String> {
    let mut t = String::from(
        "# Proofs\n\nWritten by `quell prove --doc docs/proofs.md`; [formal](formal.md) says what the words mean. \
         *proved*: holds in every cycle, by induction;\n*proved, given*: the same if the assertions given to the \
         harness hold; *N cycles*: holds in the first N cycles after reset\nwhatever happens, not known beyond; \
         `-`: not in that model.\n\n## Models\n\n| model | module | parameters | AND gates | register bits | cycles \
         searched | given |\n|---|---|---|---|---|---|---|\n",
    );
    for (h, r) in all {
        let params: Vec<String> = h.parameters().iter().map(|(n, v)| format!("{n}={v}")).collect();
        let given = h.given.iter().map(|g| format!("`{g}`")).collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            t,
            "| {} | `{}` | {} | {} | {} | {} | {given} |",
            h.name,
            h.module,
            params.join(" "),
            r.size.0,
            r.size.1,
            r.depth
        );
    }
    let labels = labels(tb)?;
    let mut proved = 0;
    let mut rows = String::new();
    let mut order: Vec<&String> = labels.iter().filter(|(_, cover)| !**cover).map(|(l, _)| l).collect();
    order.sort_by_key(|l| (rule_order(&rule(l)), l.to_string()));
    for l in &order {
        let mut cells = Vec::new();
        let mut best = false;
        for (h, r) in all {
            let worst = r
                .asserts
                .iter()
                .filter(|(n, _)| label(n) == l.as_str())
                .map(|(_, v)| v)
                .max_by_key(|v| rank(v));
            if let Some(v) = worst {
                best |= matches!(v, Verdict::Proved(_));
                cells.push(format!("{}: {}", h.name, words(v)));
            }
            if r.assumes.iter().any(|n| label(n) == l.as_str()) {
                cells.push(format!("{}: assumed", h.name));
            }
        }
        proved += usize::from(best);
        let known = if cells.is_empty() { "-".into() } else { cells.join("; ") };
        let _ = writeln!(rows, "| {} | `{l}` | {known} |", rule(l));
    }
    let _ = write!(
        t,
        "\n## Assertions\n\n{} assertions, of which {proved} are proved in at least one model.\n\n| rule | assertion | \
         model: what is known |\n|---|---|---|\n{rows}",
        order.len()
    );
    t.push_str(
        "\n## Covers\n\nThe earliest cycle after reset in which the situation arises: no proof above is about nothing.\n\n\
         | rule | cover | model: cycle |\n|---|---|---|\n",
    );
    for l in labels.iter().filter(|(_, cover)| **cover).map(|(l, _)| l) {
        let mut cells = BTreeSet::new();
        for (h, r) in all {
            for (_, at) in r.covers.iter().filter(|(n, _)| label(n) == l.as_str()) {
                cells.insert(match at {
                    Some(at) => format!("{}: {at}", h.name),
                    None => format!("{}: not in {} cycles", h.name, r.depth),
                });
            }
        }
        let known =
            if cells.is_empty() { "-".into() } else { cells.into_iter().collect::<Vec<_>>().join("; ") };
        let _ = writeln!(t, "| {} | `{l}` | {known} |", rule(l));
    }
    Ok(t)
}

/// Rules in the order of the verification plan: by their letter there, then by number.
fn rule_order(rule: &str) -> (usize, String) {
    let letter = rule.chars().next().unwrap_or('~');
    ("BFRADMEH".find(letter).unwrap_or(usize::MAX), rule.to_string())
}

/// The harnesses of a unit or of a name; all for `None`.
pub fn chosen(what: Option<&str>) -> Result<Vec<&'static Harness>> {
    let found: Vec<&Harness> =
        HARNESSES.iter().filter(|h| what.is_none_or(|w| w == h.unit.cli_name() || w == h.name)).collect();
    if found.is_empty() {
        let units: BTreeSet<&str> = HARNESSES.iter().map(|h| h.unit.cli_name()).collect();
        let names: Vec<&str> = HARNESSES.iter().map(|h| h.name).collect();
        anyhow::bail!(
            "UNIT {}: there is no such unit or model; units: {}; models: {}",
            what.unwrap_or_default(),
            units.into_iter().collect::<Vec<_>>().join(", "),
            names.join(", ")
        );
    }
    Ok(found)
}
