//! What is legal, value by value and together, and what is odd.

use super::cct::Cct;
use super::error::{ConfigError, Origin};
use super::keys::{KEYS, Key, Need, ValueKind};
use super::settings::Config;
use super::value::show;
use crate::params::ANY_UP;
use crate::params::{Build, Params, UnitKind};
use crate::scheme::{Isolation, Scheme};

impl Config {
    /// A setting that is wrong, blamed on who set it.
    pub fn wrong(&self, name: &str, problem: impl Into<String>) -> ConfigError {
        let v = self.values().get(name).map(show).unwrap_or_default();
        ConfigError::new(self.origin(name), name, v, problem)
    }

    /// A value and who set it, for messages about another.
    fn other(&self, name: &str) -> String {
        let v = self.values().get(name).map(show).unwrap_or_default();
        format!("{name} = {v} ({})", self.origin(name))
    }

    /// Checks a configuration of a network; the error names the setting and what is legal.
    pub fn check(&self) -> Result<(), ConfigError> {
        let org = self.scheme.organisation;
        if self.vls > org.most_lanes() {
            return Err(self.wrong("vls", format!("legal is 1..{} with {}", org.most_lanes(), org.name())));
        }
        // A lane per destination beyond what hardware can have (64) runs in the golden fabric only.
        let per_lane = |blocks: usize| if self.vls > 64 { blocks / self.vls.max(1) * 64 } else { blocks };
        let built = Config {
            vls: self.vls.min(64),
            blocks: per_lane(self.blocks),
            hca_blocks: per_lane(self.hca_blocks),
            rx_blocks: per_lane(self.rx_blocks),
            ..self.clone()
        };
        self.ranges()?;
        if self.eval == 3 && !self.queues() {
            return Err(self.wrong("eval", "queue needs cioq = true"));
        }
        self.check_reservation()?;
        self.parameters(UnitKind::Switch, &built.switch_params(8))?;
        self.parameters(UnitKind::Hca, &built.hca_params())?;
        self.together(&self.hca_params())
    }

    /// Checks a configuration of one unit.
    pub(super) fn check_unit(&self, build: &Build) -> Result<(), ConfigError> {
        let p = &build.params;
        self.ranges()?;
        if self.eval == 3 && !p.cioq {
            return Err(self.wrong("eval", "queue needs CIOQ = 1"));
        }
        self.together(p)?;
        let most = p.cap(0) as u32 - 1;
        let queues = KEYS.iter().filter(|k| k.units.contains(&build.unit));
        for key in queues.filter(|k| ["hth", "stop", "detect"].contains(&k.name) && self.said(k.name)) {
            let v = self.values()[key.name].as_integer().unwrap_or_default();
            if v > most.into() {
                let why = format!("a queue never holds more than CAP = BLOCKS/VLS = {} flits", p.cap(0));
                return Err(self.wrong(key.name, format!("is {v} flits; legal is 0..{most} flits ({why})")));
            }
        }
        let timer = ((1u64 << p.timer_w) - 1) as u32;
        if self.line_timer > timer {
            return Err(self.wrong("line_timer", format!("legal is 1..2^TIMER_W-1 = {timer} cycles")));
        }
        for r in &self.lft {
            let wrong = |problem: String| {
                let name =
                    if r.first == r.last { r.first.to_string() } else { format!("{}-{}", r.first, r.last) };
                Err(ConfigError::new(r.origin.clone(), format!("lft.{name}"), r.port, problem))
            };
            if usize::from(r.last) >= p.lft_depth {
                let most = p.lft_depth - 1;
                return wrong(format!("DLID beyond the table: legal DLIDs are 0..{most} (LFT_DEPTH-1)"));
            }
            let any_up = p.random_up && r.port == ANY_UP;
            if usize::from(r.port) >= p.ports && r.port != 255 && !any_up {
                let (most, any) = (p.ports - 1, if p.random_up { "254 for any up port, " } else { "" });
                return wrong(format!(
                    "no such output port: legal is 0..{most} (PORTS-1), {any}or 255 for no route"
                ));
            }
        }
        Ok(())
    }

    fn ranges(&self) -> Result<(), ConfigError> {
        let values = self.values();
        for key in KEYS {
            let legal = match (key.kind, values.get(key.name)) {
                (_, None) => true,
                (ValueKind::Int(lo, hi), Some(v)) => v.as_integer().is_some_and(|i| (lo..=hi).contains(&i)),
                (ValueKind::Power(most), Some(v)) => {
                    v.as_integer().is_some_and(|i| (1..=most).contains(&i) && i.count_ones() == 1)
                }
                (ValueKind::Word(words), Some(v)) => {
                    v.as_integer().is_some_and(|i| (0..words.len() as i64).contains(&i))
                }
                (ValueKind::Real(lo, hi), Some(v)) => v.as_float().is_some_and(|x| (lo..=hi).contains(&x)),
                _ => true,
            };
            if !legal {
                return Err(self.wrong(key.name, format!("legal is {}", key.legal())));
            }
        }
        Ok(())
    }

    /// Sizes make parameters that a unit can be built with.
    fn parameters(&self, unit: UnitKind, p: &Params) -> Result<(), ConfigError> {
        p.check_unit(unit).map_err(|problem| {
            let words: Vec<&str> = problem.split(|c: char| !(c.is_ascii_uppercase() || c == '_')).collect();
            let of =
                |k: &&Key| words.contains(&k.parameter) && !k.parameter.is_empty() && k.units.contains(&unit);
            let mut keys: Vec<&Key> = KEYS.iter().filter(of).collect();
            keys.sort_by_key(|k| !self.said(k.name));
            match keys.first() {
                Some(key) => self.wrong(key.name, problem),
                None => ConfigError::new(Origin::Default, "", "", problem),
            }
        })
    }

    fn together(&self, p: &Params) -> Result<(), ConfigError> {
        if self.lth > self.hth {
            return Err(self.wrong("lth", format!("must not be above {}", self.other("hth"))));
        }
        if let (Some(high), Some(low)) = (self.sum_hth.or(Some(self.hth)), self.sum_lth)
            && low > high
        {
            let high = if self.sum_hth.is_some() { "sum_hth" } else { "hth" };
            return Err(self.wrong("sum_lth", format!("must not be above {}", self.other(high))));
        }
        let (stop, stop_name) = if self.stop > 0 { (self.stop, "stop") } else { (self.hth, "hth") };
        let (go, go_name) = if self.go > 0 { (self.go, "go") } else { (self.lth, "lth") };
        if go > stop {
            let (name, problem) = if self.said("go") || !self.said("stop") {
                ("go", format!("must not be above {}", self.other(stop_name)))
            } else {
                ("stop", format!("must not be below {}: set go too", self.other(go_name)))
            };
            return Err(self.wrong(name, problem));
        }
        // Otherwise lines expire between the refreshes that keep them.
        if self.refresh > 0 && self.line_timer <= self.refresh {
            return Err(if self.said("refresh") && !self.said("line_timer") {
                let problem = format!("must be below {}, or 0 (never)", self.other("line_timer"));
                self.wrong("refresh", problem)
            } else {
                let legal = format!("legal is {}..{}, or any with refresh = 0", self.refresh + 1, u32::MAX);
                self.wrong("line_timer", format!("must be above {}: {legal}", self.other("refresh")))
            });
        }
        let cap = self.cap();
        for (name, level) in [("fill_level", self.fill_level), ("mb_th", self.mb_th)] {
            if level.is_some_and(|level| level >= cap) {
                let why = format!("an input buffer holds no more than {cap} flits of a VL");
                return Err(self.wrong(name, format!("legal is 0..{} flits ({why})", cap - 1)));
            }
        }
        let waiting = self.acks_waiting();
        if waiting > p.cnpq {
            let problem = format!("an adapter may have to hold (hosts-1) * wmax = {waiting} ACKs for a VL");
            return Err(if self.said("cnpq") {
                self.wrong(
                    "cnpq",
                    format!(
                        "{problem}: legal are powers of two, {waiting}..4096 with {}",
                        self.other("wmax")
                    ),
                )
            } else {
                let most = 4096 * self.wmax as usize / waiting;
                self.wrong("wmax", format!("{problem}, and holds 4096 at most: legal is 1..{most}"))
            });
        }
        let given = self.cct.as_ref().and_then(Cct::length).unwrap_or(p.cct);
        if given > p.cct {
            let mut e = self.wrong("cct", format!("legal is at most CCT = {} entries", p.cct));
            e.value = format!("{given} entries");
            return Err(e);
        }
        if self.ccti_limit as usize >= given {
            let problem =
                format!("beyond the table: legal is 0..{} (the table has {given} entries)", given - 1);
            return Err(self.wrong("ccti_limit", problem));
        }
        if self.ccti_min > self.ccti_limit {
            return Err(self.wrong("ccti_min", format!("legal is 0..{} (ccti_limit)", self.ccti_limit)));
        }
        Ok(())
    }

    /// Values that a person has set and that do nothing under the scheme: a remark for each reason.
    pub(super) fn idle(&self) -> Vec<String> {
        let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
        for key in KEYS.iter().filter(|k| !k.need.met(&self.scheme) && self.heard(k.name)) {
            let lack = key.need.lack(&self.scheme);
            match by_reason.iter_mut().find(|r| r.0 == lack) {
                Some(r) => r.1.push(key.name),
                None => by_reason.push((lack, vec![key.name])),
            }
        }
        let remark = |(why, names): (&str, Vec<&str>)| {
            format!("scheme {} {why}: no effect of {}", self.scheme.name, names.join(", "))
        };
        by_reason.into_iter().map(remark).collect()
    }

    /// Said in so many words: not by a study, not implied by a file.
    pub(super) fn heard(&self, name: &str) -> bool {
        match self.origin(name) {
            Origin::File(spot) => spot.line.is_some(),
            Origin::Option(_) => true,
            _ => false,
        }
    }

    /// Remarks on legal but odd values; `cap`: flits that a queue can hold.
    pub(super) fn advice(&self, cap: usize) -> Vec<String> {
        let mut v = Vec::new();
        let distance = self.hth - self.lth;
        if (distance as usize) < self.mtu && (self.heard("hth") || self.heard("lth")) {
            v.push(format!(
                "hth - lth = {distance} flits is less than one MTU ({} flits): sources are served unfairly",
                self.mtu
            ));
        }
        let acts = Need::Thresholds.met(&self.scheme) && self.weight < 0;
        if acts && self.hth as usize >= cap {
            let hth = self.other("hth");
            v.push(format!("{hth}: a queue never holds more than {cap} flits, so none is ever congested"));
        }
        if self.weight > 0 && cap < 16 {
            v.push(format!(
                "weight: the buffer of a VL has only {cap} blocks, so every weight means 0 flits"
            ));
        }
        if self.weight >= 0 && self.eval > 0 {
            v.push("eval: the sum is compared with sum_hth and sum_lth, which no weight changes".into());
        }
        v
    }
}

/// Remarks on a scheme that a build of a unit does not have; the error says what would be legal.
pub(super) fn runs_on(scheme: Scheme, origin: &Origin, p: &Params) -> Result<Option<String>, ConfigError> {
    if scheme.runs_on(p) {
        return Ok(None);
    }
    let queues = if p.one_queue { "one queue (ONE_QUEUE = 1)" } else { "VOQs (ONE_QUEUE = 0)" };
    let lines = if p.isolation { "" } else { " and no CAM lines (ISOLATION = 0)" };
    let build = format!("this build has {queues}{lines}");
    if scheme.does_nothing() && scheme.isolation == Isolation::None {
        return Ok(Some(format!(
            "scheme {}: {build}; marking, throttling and isolation are off",
            scheme.name
        )));
    }
    let legal: Vec<&str> = Scheme::ALL.iter().filter(|s| s.runs_on(p)).map(|s| s.name).collect();
    Err(ConfigError::new(
        origin.clone(),
        "scheme",
        scheme.name,
        format!("{build}: legal is {}", legal.join(", ")),
    ))
}

impl Key {
    /// The parameter of a unit that it becomes.
    pub(super) fn parameter_of(&self, unit: UnitKind) -> Option<&'static str> {
        (!self.parameter.is_empty() && self.units.contains(&unit)).then_some(self.parameter)
    }
}
