//! Puts on top of the defaults what people say, in order.

use toml::Value;

use super::cct::Cct;
use super::check;
use super::error::{ConfigError, Origin, unknown};
use super::keys::{KEYS, Key, Place, find};
use super::settings::{Config, Route, low};
use super::value::{Clock, of_text, read, show};
use crate::params::{Build, UnitKind};
use crate::scheme::Scheme;

/// A setting, as somebody says it.
#[derive(Clone, Debug)]
struct Said {
    key: &'static Key,
    value: Value,
    origin: Origin,
}

/// What files and the command line say, in the order in which it is given: what is said later counts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    said: Vec<Said>,
    scheme: Option<(Scheme, Origin)>,
    routes: Vec<Route>,
    knobs: Vec<(String, f64, Origin)>,
    notes: Vec<String>,
}

impl Sources {
    /// `NAME=VALUE` of the option `--set`.
    pub fn option(&mut self, text: &str) -> Result<(), ConfigError> {
        let origin = Origin::Option("--set");
        let Some((name, value)) = text.split_once('=') else {
            return Err(ConfigError::new(origin, text, "", "NAME=VALUE is wanted"));
        };
        if name.trim() == "scheme" {
            return Err(ConfigError::new(origin, "scheme", value, "the scheme is chosen with --scheme"));
        }
        self.say(name.trim(), of_text(value.trim()), origin)
    }

    /// The scheme by its name.
    pub fn scheme(&mut self, name: &str, origin: Origin) -> Result<(), ConfigError> {
        let (field, value) = if origin.spot().is_some() { ("scheme", name) } else { ("", "") };
        let scheme = Scheme::parse(name).map_err(|e| ConfigError::new(origin.clone(), field, value, e))?;
        self.scheme = Some((scheme, origin));
        Ok(())
    }

    /// A setting.
    pub fn say(&mut self, name: &str, value: Value, origin: Origin) -> Result<(), ConfigError> {
        let Some(key) = find(name) else {
            let names = KEYS.iter().map(|k| k.name).chain(["scheme"]);
            let value = show(&value);
            return Err(ConfigError::new(origin, name, value, unknown("setting", name, names)));
        };
        self.said.push(Said { key, value, origin });
        Ok(())
    }

    pub(super) fn route(&mut self, route: Route) {
        self.routes.push(route);
    }

    pub(super) fn knob(&mut self, name: &str, value: f64, origin: Origin) {
        self.knobs.push((name.into(), value, origin));
    }

    pub(super) fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Nobody has said anything about the configuration. (Knobs are no part of it.)
    pub fn is_empty(&self) -> bool {
        self.said.is_empty() && self.scheme.is_none() && self.routes.is_empty()
    }

    /// Knobs of the random stimulus (section `[knobs]`), which are no part of a configuration.
    pub fn knobs(&self) -> &[(String, f64, Origin)] {
        &self.knobs
    }

    /// The configuration of a network.
    pub fn network(&self, hosts: usize, cycle_ps: u64) -> Result<Config, ConfigError> {
        let (scheme, origin) = self.scheme.clone().unwrap_or((Scheme::DEFAULT, Origin::Default));
        if let Some(r) = self.routes.first() {
            let e = "a network has tables of its own (--lft): [lft] is for single units";
            return Err(ConfigError::new(r.origin.clone(), "[lft]", "", e));
        }
        if let Some(s) = self.said.iter().find(|s| s.key.place == Place::Unit) {
            let e = "a network knows it of its own: for single units only";
            return Err(s.wrong(e));
        }
        let cycle_ps = cycle_ps as f64;
        let mut c = Config::new(scheme, hosts);
        c.origins.insert("scheme".into(), origin);
        let clock = Clock { mtu: c.mtu, cycle_ps: Some(cycle_ps), hosts: c.hosts };
        self.onto(&mut c, clock)?;
        c.check()?;
        if let Some((_, _, origin)) = self.knobs.first() {
            c.notes.push(format!("{origin}: [knobs] are for the random traffic of single units: no effect"));
        }
        c.notes.extend(c.idle());
        c.notes.extend(c.advice(c.blocks / c.vls));
        // A slower link only reaches farther.
        c.long_delays(c.hca_params().cct, cycle_ps, c.mtu as u64)?;
        Ok(c)
    }

    /// The configuration of one unit.
    pub fn unit(&self, build: &Build) -> Result<Config, ConfigError> {
        let p = &build.params;
        let (scheme, origin) = self.scheme.clone().unwrap_or_else(|| {
            let all = Scheme::ALL.into_iter().rfind(|s| s.runs_on(p));
            (all.unwrap_or(Scheme::DEFAULT), Origin::Default)
        });
        let remark = check::runs_on(scheme, &origin, p)?;
        let mut c = Config::of_build(scheme, build);
        c.origins.insert("scheme".into(), origin);
        c.lft = self.routes.clone();
        let clock = Clock { mtu: c.mtu, cycle_ps: c.cycle_ns.map(|ns| ns * 1000.0), hosts: None };
        self.onto(&mut c, clock)?;
        let built = Config::of_build(scheme, build).values();
        for s in &self.said {
            let name = s.key.name;
            if let Some(parameter) = s.key.parameter_of(build.unit)
                && c.values().get(name) != built.get(name)
            {
                let (have, want) = (p.get(parameter).unwrap_or_default(), c.values()[name].clone());
                let problem =
                    format!("{} has {parameter} = {have}; remedy: -P {parameter}={want}", build.title());
                return Err(c.wrong(name, problem));
            }
        }
        c.check_unit(build)?;
        c.notes.extend(remark);
        c.notes.extend(c.idle());
        c.notes.extend(c.elsewhere(build.unit));
        c.notes.extend(c.advice(p.cap(0)));
        let cycle_ps = c.cycle_ns.unwrap_or(12.8) * 1000.0;
        c.long_delays(
            c.ccti_limit as usize + 1,
            cycle_ps,
            c.mtu as u64 * u64::from(c.inject_interval.unwrap_or(1)),
        )?;
        Ok(c)
    }

    /// Puts all of it on top of `config`. Packets and times are said in those of `clock`, or of sources that say otherwise.
    fn onto(&self, config: &mut Config, mut clock: Clock) -> Result<(), ConfigError> {
        let first = |s: &&Said| ["mtu", "cycle_ns"].contains(&s.key.name);
        for s in self.said.iter().filter(first) {
            s.onto(config, &clock)?;
        }
        clock.mtu = config.mtu;
        clock.cycle_ps = config.cycle_ns.map(|ns| ns * 1000.0).or(clock.cycle_ps);
        for s in self.said.iter().filter(|s| !first(s)) {
            s.onto(config, &clock)?;
        }
        // What nobody has said follows what somebody has.
        if config.lth > config.hth && !config.said("lth") {
            config.lth = low(config.hth, config.mtu as u32);
            config.origins.remove("lth");
        }
        config.follow_lanes();
        let last = config.cct.as_ref().and_then(Cct::length).map(|n| n - 1);
        if let Some(last) = last.filter(|_| !config.said("ccti_limit")) {
            config.ccti_limit = last.min(127) as u32;
        }
        config.notes.extend(self.notes.iter().cloned());
        Ok(())
    }
}

impl Said {
    fn wrong(&self, problem: &str) -> ConfigError {
        ConfigError::new(self.origin.clone(), self.key.name, show(&self.value), problem)
    }

    fn onto(&self, config: &mut Config, clock: &Clock) -> Result<(), ConfigError> {
        let value = read(self.key, &self.value, clock)
            .map_err(|w| ConfigError::new(self.origin.clone(), self.key.name, w.value, w.problem))?;
        config.put(self.key, value, self.origin.clone());
        Ok(())
    }
}

impl Config {
    /// Changes settings given as text, all or none; the error names the setting and what is legal. Times can be given in
    /// cycles only, for nobody says how long those are.
    pub fn change(&mut self, settings: &[(&str, &str)], origin: &Origin) -> Result<(), ConfigError> {
        let mut new = self.clone();
        let clock = Clock { mtu: self.mtu, cycle_ps: None, hosts: self.hosts };
        let mut sources = Sources::default();
        for (name, text) in settings {
            sources.say(name, of_text(text), origin.clone())?;
        }
        sources.onto(&mut new, clock)?;
        new.check()?;
        *self = new;
        Ok(())
    }

    /// Changes one setting.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ConfigError> {
        self.change(&[(name, text)], &Origin::Option("--set"))
    }

    /// Delays of the table that no entry can say: an error, or for a formula's last ones that are never used nothing.
    fn long_delays(&mut self, len: usize, cycle_ps: f64, packet: u64) -> Result<(), ConfigError> {
        let table = self.table(len, cycle_ps, packet);
        let Some((i, most)) = table.cut.filter(|(i, _)| *i <= self.ccti_limit as usize) else {
            return Ok(());
        };
        let us = most as f64 * cycle_ps / 1e6;
        let name = match &self.cct {
            None => "cct_us",
            // It says how delays rise, and the longest that there is ends every rise.
            Some(Cct::Law(_)) => "cct",
            Some(_) => return Err(self.wrong("cct", format!("entry {i} is too long: legal is 0 to {us} us"))),
        };
        self.notes.push(format!("{name}: entries from {i} on are cut to {us} us, the longest that there is"));
        Ok(())
    }

    /// Settings that another unit has, in a remark.
    fn elsewhere(&self, unit: UnitKind) -> Option<String> {
        let away = |k: &&Key| !k.is_of(unit) && k.need.met(&self.scheme) && self.heard(k.name);
        let names: Vec<&str> = KEYS.iter().filter(away).map(|k| k.name).collect();
        (!names.is_empty()).then(|| format!("{} has no use for {}", unit.cli_name(), names.join(", ")))
    }
}
