//! Tolerances of a scoreboard.

use crate::params::{Params, UnitKind};

/// A tolerance: name, default, legal range, meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name, as in section `events` of a map.
    pub name: &'static str,
    /// Value where nothing is said.
    pub default: u64,
    /// Legal.
    pub range: (u64, u64),
    /// Meaning.
    pub text: &'static str,
}

impl Setting {
    /// One that may be `low` to a million.
    pub(super) fn new(name: &'static str, default: u64, low: u64, text: &'static str) -> Setting {
        Setting { name, default, range: (low, 1_000_000), text }
    }

    /// Until when a unit must be ready.
    pub(super) fn ready(unit: UnitKind, p: &Params) -> Setting {
        let default = 4 * p.init_cycles(unit) as u64 + 1000;
        Setting::new("ready", default, 0, "from the reset until it is ready")
    }
}

/// Values of all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings(Vec<(Setting, u64)>);

impl Settings {
    /// The defaults.
    pub fn new(all: Vec<Setting>) -> Settings {
        Settings(
            all.into_iter()
                .map(|s| {
                    let v = s.default;
                    (s, v)
                })
                .collect(),
        )
    }

    /// The defaults, but for some.
    #[cfg(test)]
    pub(super) fn but(all: Vec<Setting>, values: &[(&str, i64)]) -> Settings {
        let mut settings = Settings::new(all);
        values.iter().for_each(|(name, value)| settings.set(name, *value).unwrap());
        settings
    }

    /// Sets one; the error names what is legal.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), String> {
        let names: Vec<&str> = self.0.iter().map(|s| s.0.name).collect();
        let Some((setting, slot)) = self.0.iter_mut().find(|s| s.0.name == name) else {
            return Err(format!("there is no tolerance {name}; there are {}", names.join(", ")));
        };
        let (low, high) = setting.range;
        match u64::try_from(value) {
            Ok(v) if (low..=high).contains(&v) => *slot = v,
            _ => return Err(format!("{name} = {value} is out of range: legal is {low}..{high} cycles")),
        }
        Ok(())
    }

    /// A value.
    pub(super) fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|s| s.0.name == name).map_or(0, |s| s.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_have_names_and_ranges() {
        let a = Setting { name: "a", default: 5, range: (1, 9), text: "" };
        let mut s = Settings::new(vec![a]);
        assert_eq!((s.get("a"), s.set("a", 9), s.get("a")), (5, Ok(()), 9));
        assert_eq!(s.set("a", -1).unwrap_err(), "a = -1 is out of range: legal is 1..9 cycles");
        assert_eq!(s.set("b", 1).unwrap_err(), "there is no tolerance b; there are a");
    }
}
