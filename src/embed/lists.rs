//! What units there are, and their parameters.

use super::error::{Error, argument};
use super::legal::Legal;
use crate::params::{Build, UnitKind, builds};

/// A parameter of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in the RTL.
    pub name: &'static str,
    /// Its value in the unit's first build, which is what a unit has that is made without parameters.
    pub default: usize,
    /// What it may be by itself.
    pub legal: Legal,
}

/// A unit by its name on the command line or its module's (`hca-throttle`, `hca_throttle`).
pub fn unit(name: &str) -> Result<UnitKind, Error> {
    match UnitKind::ALL.into_iter().find(|u| u.cli_name() == name || u.module() == name) {
        Some(unit) => Ok(unit),
        None => argument(format!(
            "there is no unit {name}: legal are {}",
            UnitKind::ALL.map(UnitKind::cli_name).join(", ")
        )),
    }
}

/// The parameters of a unit.
pub fn parameters(unit: UnitKind) -> Vec<Parameter> {
    let first = Build::named(unit, None).map(|b| b.params).unwrap_or_default();
    let names = unit.parameter_names().iter();
    names
        .map(|name| Parameter {
            name,
            default: first.get(name).unwrap_or_default(),
            legal: Legal::of(unit, name),
        })
        .collect()
}

/// The named parameter sets of a unit; the first is that of a unit made without parameters.
pub fn builds_of(unit: UnitKind) -> Vec<Build> {
    builds().into_iter().filter(|b| b.unit == unit).collect()
}

/// A build from a text: a name of a build (if it comes first) and `NAME=VALUE`, separated by blanks or commas.
pub(super) fn build(unit: UnitKind, text: &str) -> Result<Build, Error> {
    let mut parts = text.split([' ', ',', '\t', '\n']).filter(|p| !p.is_empty()).peekable();
    let name = parts.next_if(|p| !p.contains('='));
    let wrong = |e: String| Error::Argument(format!("{}: {e}", unit.cli_name()));
    let mut build = Build::named(unit, name).map_err(Error::Argument)?;
    for part in parts {
        let Some((name, value)) = part.split_once('=') else {
            return argument(format!(
                "{}: {part}: NAME=VALUE is wanted, after the name of a build if there is one",
                unit.cli_name()
            ));
        };
        build.set(part).map_err(wrong)?;
        // `set` has seen that both are right.
        let legal = Legal::of(unit, name);
        if !legal.has(value.parse().unwrap_or(usize::MAX)) {
            return argument(format!(
                "{}: parameter {name} = {value} is out of range: legal is {legal}",
                unit.cli_name()
            ));
        }
    }
    build.params.check_unit(unit).map_err(wrong)?;
    // Without a name, by that of the nearest one.
    Ok(if name.is_some() { build } else { Build::of(unit, &build.params) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(unit: UnitKind, text: &str) -> String {
        build(unit, text).expect_err("refused").to_string()
    }

    #[test]
    fn builds_are_made_of_text() {
        let b = build(UnitKind::Switch, "tiny, PORTS=5 LINES=3").expect("legal");
        assert_eq!((b.name, b.params.ports, b.params.lines), ("tiny", 5, 3));
        assert_eq!(build(UnitKind::Switch, "").expect("the first").name, "voq8");
        // All parameters of a build, in their order, make it again.
        for b in builds() {
            let text: Vec<String> = b.values().iter().map(|(n, v)| format!("{n}={v}")).collect();
            let again = build(b.unit, &text.join(" ")).unwrap_or_else(|e| panic!("{}: {e}", b.title()));
            // BLOCKS of an output port with SRP has no effect, and is set by what its inputs' lanes have.
            let idle = |n: &str| n == "BLOCKS" && b.unit == UnitKind::OutputPort && b.params.srp;
            let told = |b: &Build| b.values().into_iter().filter(|(n, _)| !idle(n)).collect::<Vec<_>>();
            assert_eq!(told(&again), told(&b));
        }
    }

    #[test]
    fn bad_parameters_are_named_with_what_is_legal() {
        use UnitKind::{HcaThrottle, WormRouter};
        assert!(
            unit("hub")
                .expect_err("none")
                .to_string()
                .starts_with("there is no unit hub: legal are input-port, ")
        );
        assert_eq!(unit("hca_throttle"), unit("hca-throttle"));
        assert_eq!(
            refused(HcaThrottle, "huge"),
            "hca-throttle has no build huge: there are f64, f1024, tiny, tinyp, net"
        );
        assert!(
            refused(HcaThrottle, "tiny PORTS=4")
                .contains("hca-throttle has no parameter PORTS: there are VLS, ")
        );
        assert_eq!(
            refused(HcaThrottle, "FLOWS=x"),
            "hca-throttle: FLOWS=x: x is not a whole number from 0 on"
        );
        assert_eq!(
            refused(HcaThrottle, "FLOWS=1"),
            "hca-throttle: parameter FLOWS = 1 is out of range: legal is 2..4096"
        );
        assert!(refused(HcaThrottle, "FLOWS=99999999999999999999").contains("not a whole number"));
        assert!(refused(WormRouter, "PORTS=17").contains("PORTS = 17 is out of range: legal is 2..16"));
        assert!(refused(HcaThrottle, "FLOWS=5 tiny").contains("tiny: NAME=VALUE is wanted"));
        assert!(refused(HcaThrottle, "TS_W=8").contains("TS_W = 8 is too small"));
    }
}
