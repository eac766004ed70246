//! What a failure is reported as, for people.

use std::fmt::Write;

use super::outcome::{Artefacts, CycleInputs, Difference, Failure};
use crate::params::Build;
use crate::rules;
use crate::signals::Group;

/// A failure of RTL or golden model, as a person would want it; `again` is the command that plays a reproducer.
pub fn failure_text(failure: &Failure, again: &str) -> String {
    match failure {
        Failure::Mismatch(m) => {
            mismatch_text(&m.build, m.cycle, Some(m.seed), &m.differences, &m.history)
                + &left(&m.artefacts, again)
        }
        Failure::Assertion(a) => {
            let mut s = headline("an assertion in the RTL fired", &a.build, a.cycle, Some(a.seed));
            let _ = writeln!(s, "  {}", a.message.trim().replace('\n', "\n  "));
            s + &inputs(&a.history) + &left(&a.artefacts, again)
        }
        Failure::Broken(b) => {
            let mut s = headline(&format!("a rule is broken ({})", b.kind), &b.build, b.cycle, Some(b.seed));
            let _ = writeln!(s, "  rules {}: {}", b.rules, b.text);
            s + &what_rules_say(b.rules.split_whitespace()) + &inputs(&b.history) + &left(&b.artefacts, again)
        }
        Failure::Io(text) | Failure::Setup(text) => format!("{text}\n"),
    }
}

/// A difference with the last inputs before it. Without a seed nothing is said of one: the stimulus is not quell's.
pub fn mismatch_text(
    build: &Build,
    cycle: u64,
    seed: Option<u64>,
    differences: &[Difference],
    history: &[CycleInputs],
) -> String {
    let mut s = headline("RTL and golden model differ", build, cycle, seed);
    for d in differences {
        let element = if d.count > 1 { format!("[{}]", d.element) } else { String::new() };
        let kind = if d.group == Group::State { "state" } else { "output" };
        let _ = writeln!(s, "  {kind} {}{element}, rules {}", d.signal, d.rules);
        let _ = writeln!(s, "    RTL {}, golden {}, differing bits {}", d.rtl, d.golden, d.xor);
    }
    let rules = differences.iter().flat_map(|d| d.rules.split_whitespace());
    s + &what_rules_say(rules) + &inputs(history)
}

/// The titles of rules, each once.
fn what_rules_say<'a>(rules: impl Iterator<Item = &'a str>) -> String {
    let (mut s, mut told) = (String::new(), Vec::new());
    for rule in rules {
        if let (false, Some(title)) = (told.contains(&rule), rules::title(rule)) {
            let _ = writeln!(s, "  {:11}{rule}: {title}", if told.is_empty() { "rules say" } else { "" });
            told.push(rule);
        }
    }
    s
}

fn headline(what: &str, build: &Build, cycle: u64, seed: Option<u64>) -> String {
    let seed = seed.map_or_else(String::new, |seed| format!(" (seed {seed})"));
    format!("{}: {what} in cycle {cycle}{seed}\n", build.title())
}

fn inputs(history: &[CycleInputs]) -> String {
    let mut s = String::from("  last inputs:\n");
    for step in history {
        let inputs = if step.inputs.is_empty() { "(idle)" } else { &step.inputs };
        let _ = writeln!(s, "    {:>8}  {inputs}", step.cycle);
    }
    s
}

fn left(artefacts: &Artefacts, again: &str) -> String {
    let mut s = String::new();
    if let Some(path) = &artefacts.vcd {
        let _ = writeln!(s, "  waveform: {}", path.display());
    }
    if let Some(command) = artefacts.again(again) {
        let _ = writeln!(s, "  to see it again in {} cycles: {command}", artefacts.reproducer_cycles);
    }
    if let Some(path) = &artefacts.full {
        let _ = writeln!(s, "  the whole stimulus: {}", path.display());
    }
    for problem in &artefacts.problems {
        let _ = writeln!(s, "  note: {problem}");
    }
    s
}
