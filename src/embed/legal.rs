//! What a parameter may be by itself. How parameters bind each other is for [`Params::check_unit`](crate::params::Params::check_unit);
//! a test holds the two together.

use std::fmt;

use crate::params::{Params, UnitKind};

/// The legal values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legal {
    /// From the first to the second.
    Range(usize, usize),
    /// A power of two from the first to the second.
    PowerOfTwo(usize, usize),
    /// The first or the second.
    Either(usize, usize),
    /// 0, or from the first to the second.
    ZeroOr(usize, usize),
}

impl Legal {
    /// Those of a unit's parameter.
    pub fn of(unit: UnitKind, name: &str) -> Legal {
        use Legal::{Either, PowerOfTwo, Range, ZeroOr};
        let worm = matches!(unit, UnitKind::WormRouter | UnitKind::WormAdapter);
        match name {
            _ if Params::is_flag(name) => Either(0, 1),
            "PORTS" if worm => Range(2, 16),
            "PORTS" => Range(1, 64),
            "VLS" if worm => Range(3, 16),
            // The unit is there with SRP = 1 only.
            "VLS" if unit == UnitKind::Reservation => Range(4, 11),
            "VLS" => Range(1, 64),
            "MSGQ" if worm => PowerOfTwo(2, 4096),
            "MSGQ" => PowerOfTwo(2, 64),
            "MTU" => Range(1, 64),
            // Up to 64 VLs of up to 2048 blocks.
            "BLOCKS" | "RX_BLOCKS" | "OBLOCKS" => Range(1, 64 * 2048),
            "DATA_BLOCKS" | "SPEC_BLOCKS" => Range(1, 2048),
            "CTL_BLOCKS" => Range(2, 512),
            "HPQS" | "ITERATIONS" => Range(1, 8),
            "LINES" | "DLIST" => Range(1, 32),
            "LFT_DEPTH" => Range(2, 65536),
            "FLIT_BYTES" => Either(32, 64),
            "TIMER_W" => Range(4, 32),
            "STAMP_W" => ZeroOr(8, 32),
            "CNT_W" => Range(2, 32),
            "ADVOQ" => PowerOfTwo(2, 256),
            "CNPQ" => PowerOfTwo(2, 4096),
            "FLOWS" => Range(2, 4096),
            "CCT" => PowerOfTwo(8, 16384),
            "TS_W" => Range(8, 32),
            "NMAX" => PowerOfTwo(1, 64),
            "REPQ" => PowerOfTwo(2, 256),
            "NOW_W" => Range(12, 32),
            "DEPTH" | "LANE" => Range(2, 64),
            "CONNS" => Range(2, 1024),
            "CTLQ" => PowerOfTwo(2, 64),
            _ => unreachable!("a parameter without legal values: {name}"),
        }
    }

    /// The least of them.
    pub fn least(self) -> usize {
        match self {
            Legal::Range(least, _) | Legal::PowerOfTwo(least, _) | Legal::Either(least, _) => least,
            Legal::ZeroOr(..) => 0,
        }
    }

    /// The greatest of them.
    pub fn most(self) -> usize {
        let (Legal::Range(_, most)
        | Legal::PowerOfTwo(_, most)
        | Legal::Either(_, most)
        | Legal::ZeroOr(_, most)) = self;
        most
    }

    /// Whether a value is one of them.
    pub fn has(self, value: usize) -> bool {
        match self {
            Legal::Range(least, most) => (least..=most).contains(&value),
            Legal::PowerOfTwo(least, most) => (least..=most).contains(&value) && value.is_power_of_two(),
            Legal::Either(a, b) => value == a || value == b,
            Legal::ZeroOr(least, most) => value == 0 || (least..=most).contains(&value),
        }
    }
}

impl fmt::Display for Legal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Legal::Range(least, most) => write!(f, "{least}..{most}"),
            Legal::PowerOfTwo(least, most) => write!(f, "a power of two, {least}..{most}"),
            Legal::Either(a, b) => write!(f, "{a} or {b}"),
            Legal::ZeroOr(least, most) => write!(f, "0 or {least}..{most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::builds;

    /// Whether the unit can be made with the value in the place of a build's, all else fitted as far as setting does.
    fn accepts(unit: UnitKind, name: &str, value: usize) -> Vec<Result<(), String>> {
        let of_unit = builds().into_iter().filter(|b| b.unit == unit);
        of_unit
            .map(|mut b| {
                b.set(&format!("{name}={value}"))?;
                b.params.check_unit(unit)
            })
            .collect()
    }

    #[test]
    fn what_is_out_of_range_by_itself_no_unit_takes() {
        for unit in UnitKind::ALL {
            for name in unit.parameter_names() {
                let legal = Legal::of(unit, name);
                let near = [
                    legal.least().wrapping_sub(1),
                    legal.least() + 1,
                    legal.most() + 1,
                    legal.most() * 2,
                    3,
                    7,
                ];
                for value in near.into_iter().filter(|v| *v != usize::MAX && !legal.has(*v)) {
                    let results = accepts(unit, name, value);
                    // What a build does not use is not checked: blocks of lanes without SRP, an output's queue without CIOQ.
                    let idle = ["DATA_BLOCKS", "SPEC_BLOCKS", "CTL_BLOCKS", "OBLOCKS"].contains(name);
                    let refused = results.iter().filter(|r| r.is_err()).count();
                    assert!(
                        if idle { refused > 0 } else { refused == results.len() },
                        "{unit:?} {name} = {value} is legal for {refused} of {}",
                        results.len()
                    );
                }
            }
        }
    }

    #[test]
    fn the_ends_of_a_range_are_not_refused_as_out_of_range() {
        for unit in UnitKind::ALL {
            for name in unit.parameter_names() {
                let legal = Legal::of(unit, name);
                for value in [legal.least(), legal.most()] {
                    let refusal = format!("parameter {name} = {value} is out of range: legal is {legal}");
                    for error in accepts(unit, name, value).into_iter().filter_map(Result::err) {
                        assert!(error != refusal, "{unit:?}: {error}");
                    }
                }
                for b in builds().iter().filter(|b| b.unit == unit) {
                    let value = b.params.get(name).expect("a parameter");
                    assert!(legal.has(value), "{} {name} = {value}: {legal}", b.title());
                }
            }
        }
    }
}
