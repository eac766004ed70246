//! A directed scenario, and the table of those of a unit.

use crate::params::UnitKind;

/// A directed scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Name, unique within the unit: `e6-dealloc-crosses-move`.
    pub name: &'static str,
    /// The unit it drives.
    pub unit: UnitKind,
    /// Rules it is about, separated by blanks.
    pub rules: &'static str,
    /// What it does, in a line.
    pub text: &'static str,
}

/// Makes the table `SCENARIOS` of a unit (name, rules, text) and `operations`, which finds a scenario's operations by name.
macro_rules! scenario_table {
    ($unit:expr, $dims:ty, $op:ty; $($build:ident $name:literal $rules:literal $text:literal;)*) => {
        /// Name, rules, text of each.
        pub(super) const SCENARIOS: &[crate::stimulus::table::Scenario] =
            &[$(crate::stimulus::table::Scenario {
                name: $name, unit: $unit, rules: $rules, text: $text,
            },)*];

        /// The operations of a scenario.
        pub(super) fn operations(name: &str) -> Option<fn(&$dims) -> Vec<$op>> {
            match name {
                $($name => Some($build),)*
                _ => None,
            }
        }
    };
}
pub(super) use scenario_table;
