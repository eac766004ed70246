//! What the rules say, in a line each: the titles of the table of docs/verification-plan.md, which every rule has.

const PLAN: &str = include_str!("../docs/verification-plan.md");

/// The title of a rule, such as `H3`; nothing if there is no such rule.
pub fn title(rule: &str) -> Option<&'static str> {
    PLAN.lines().find_map(|line| {
        let cell = line.strip_prefix("| **")?;
        let (id, rest) = cell.split_once("** ")?;
        (id == rule).then(|| rest.split(" | ").next().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Layout;

    #[test]
    fn a_rule_has_the_title_of_the_plan() {
        assert_eq!(title("F1"), Some("absolute credit counters modulo 4096"));
        assert_eq!(title("F"), None);
        assert_eq!(title(""), None);
    }

    /// Whatever differs, its rules are told with their titles.
    #[test]
    fn every_rule_of_a_signal_has_a_title() {
        for build in crate::params::builds() {
            let layout = Layout::new(build.unit, &build.params);
            for signal in &layout.signals {
                for rule in signal.rules.split_whitespace() {
                    assert!(
                        title(rule).is_some_and(|t| !t.is_empty()),
                        "{:?} {}: {rule}",
                        build.unit,
                        signal.name
                    );
                }
            }
        }
    }
}
