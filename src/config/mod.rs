//! Configuration: TOML files, opensm option files, register values.
//!
//! A [`Config`] is what a person says, in the papers' units; [`Config::setup`] turns it into register writes for one
//! parameter set. Every reader rejects what the hardware could not do, with file, line, field and legal range.

use crate::experiments::knobs::{Knobs, Setup};
use crate::params::{Params, UnitKind};
use crate::registers;
use crate::scheme::{Isolation, Marking, Response, Scheme};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

pub mod cct;
mod doc;
mod keys;
mod opensm;
mod toml_file;

pub use doc::{ParamDoc, ParamKind, parameters};
pub use opensm::{apply_opensm, load_opensm};
pub use toml_file::load_toml;

/// Nanoseconds in the unit of CCTI_Timer.
pub const CCTI_TIMER_UNIT_NS: f64 = 1024.0;

/// A wrong configuration: where, what, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, if the value came from one.
    pub file: Option<PathBuf>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// The field, as it is written in the file: `hca.ccti_limit`, `cc_cct`.
    pub field: String,
    /// The value found.
    pub value: String,
    /// What is wrong and what is legal.
    pub problem: String,
}

impl ConfigError {
    fn new(field: impl Into<String>, value: impl fmt::Display, problem: impl Into<String>) -> Self {
        ConfigError {
            file: None,
            line: None,
            field: field.into(),
            value: value.to_string(),
            problem: problem.into(),
        }
    }

    fn at(mut self, file: &Path, line: Option<usize>) -> Self {
        self.file = Some(file.into());
        self.line = line;
        self
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            write!(f, " ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}", self.field)?;
            if !self.value.is_empty() {
                write!(f, " = {}", self.value)?;
            }
            write!(f, ": ")?;
        }
        write!(f, "{}", self.problem)
    }
}

impl std::error::Error for ConfigError {}

/// Reads a file; the error names it.
fn read(path: &Path) -> Result<String, ConfigError> {
    let fail = |why: String| ConfigError::new("", "", why).at(path, None);
    let bytes = std::fs::read(path).map_err(|e| fail(format!("cannot read: {e}")))?;
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count();
        ConfigError::new("", "", "not UTF-8 text").at(path, Some(line))
    })
}

/// An amount of buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// In packets of MTU size.
    Mtu(f64),
    /// In flits.
    Flits(u64),
}

impl Amount {
    fn flits(self, p: &Params) -> u64 {
        match self {
            Amount::Mtu(m) => (m * p.mtu as f64).round() as u64,
            Amount::Flits(f) => f,
        }
    }

    /// The key that a person gives for it.
    fn key(self, name: &str) -> String {
        match self {
            Amount::Mtu(_) => format!("switch.{name}"),
            Amount::Flits(_) => format!("switch.{name}_flits"),
        }
    }

    fn value(self) -> f64 {
        match self {
            Amount::Mtu(m) => m,
            Amount::Flits(f) => f as f64,
        }
    }
}

/// Section `[switch]`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each field is the key of the same name; see keys.rs
pub struct Switch {
    pub scheme: Option<Scheme>,
    pub hth: Option<Amount>,
    pub lth: Option<Amount>,
    pub sum_hth: Option<Amount>,
    pub sum_lth: Option<Amount>,
    pub stop: Option<Amount>,
    pub go: Option<Amount>,
    pub detect: Option<Amount>,
    pub hold: Option<u64>,
    pub single_threshold: bool,
    pub weight: Option<u64>,
    /// 0 each, 1 sum, 2 sum/contributors
    pub eval: u32,
    pub marking_rate: u64,
    /// 0 counter, 1 probability, 2 fraction
    pub mark_mode: u32,
    pub mark_fraction: f64,
    pub packet_size: u64,
    /// Bit p of word p/64.
    pub victim_mask: [u64; 4],
    pub port: u64,
    pub switch_id: u64,
    pub cold_first: bool,
    pub line_timer_us: Option<f64>,
    pub refresh_us: f64,
}

/// The congestion control table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cct {
    /// A formula in microseconds.
    Formula(cct::Formula),
    /// Microseconds.
    Us(Vec<f64>),
    /// InfiniBand entries.
    Entries(Vec<u16>),
}

/// Section `[hca]`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Hca {
    pub ccti_increase: u64,
    pub ccti_limit: Option<u64>,
    pub ccti_min: u64,
    pub ccti_timer: u64,
    pub ccti_timer_us: Option<f64>,
    pub restart: bool,
    pub timer_per_sl: bool,
    pub sl_mode: bool,
    pub cct: Cct,
    /// Times of the table become absolute entries; otherwise `shift:multiplier` of an MTU packet.
    pub cct_absolute: bool,
    pub flow_sl: Vec<u8>,
}

/// Section `[link]`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Link {
    pub cycle_ns: f64,
    pub rx_interval: u64,
    pub tx_interval: u64,
    pub inject_interval: u64,
    pub fc_interval: u64,
    pub rx_timeout: u64,
}

/// Routes of section `[lft]`: DLIDs `first..=last` to an output port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// First DLID.
    pub first: u16,
    /// Last DLID.
    pub last: u16,
    /// Output port; 255 = no route.
    pub port: u8,
}

/// A whole configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Section `[switch]`.
    pub switch: Switch,
    /// Section `[hca]`.
    pub hca: Hca,
    /// Section `[link]`.
    pub link: Link,
    /// Section `[lft]`; empty = the stimulus chooses.
    pub lft: Vec<Route>,
    /// Section `[knobs]` of the random stimulus.
    pub knobs: Knobs,
    /// False after an opensm file without `congestion_control TRUE`: marking and throttling stay off.
    pub congestion_control: bool,
    /// Remarks that a person should see; not errors.
    pub notes: Vec<String>,
}

impl Default for Config {
    /// The papers' values (`docs/`, EcoCC 4.1 and Gran's InfiniBand parameters).
    fn default() -> Self {
        Config {
            switch: Switch {
                scheme: None,
                hth: None,
                lth: None,
                sum_hth: None,
                sum_lth: None,
                stop: None,
                go: None,
                detect: None,
                hold: None,
                single_threshold: false,
                weight: None,
                eval: 0,
                marking_rate: 1,
                mark_mode: 0,
                mark_fraction: 1.0,
                packet_size: 8,
                victim_mask: [0; 4],
                port: 1,
                switch_id: 0,
                cold_first: false,
                line_timer_us: None,
                refresh_us: 0.0,
            },
            hca: Hca {
                ccti_increase: 1,
                ccti_limit: None,
                ccti_min: 0,
                ccti_timer: 150,
                ccti_timer_us: None,
                restart: false,
                timer_per_sl: false,
                sl_mode: false,
                cct: Cct::Formula(cct::Formula::parse(DEFAULT_CCT).expect("a constant")),
                cct_absolute: true,
                flow_sl: Vec::new(),
            },
            link: Link {
                cycle_ns: 12.8,
                rx_interval: 1,
                tx_interval: 1,
                inject_interval: 1,
                fc_interval: 4,
                rx_timeout: 1024,
            },
            lft: Vec::new(),
            knobs: Knobs::default(),
            congestion_control: true,
            notes: Vec::new(),
        }
    }
}

/// The papers' table, in microseconds.
pub const DEFAULT_CCT: &str = "i^2*7/106^2";

impl Config {
    /// The scheme: the one asked for, else all that the build has.
    pub fn scheme(&self, p: &Params) -> Scheme {
        let all = || Scheme::ALL.into_iter().rfind(|s| s.runs_on(p)).unwrap_or(Scheme::DEFAULT);
        self.switch.scheme.unwrap_or_else(all)
    }

    /// High and low threshold in flits. Defaults: 6 and 4 MTU; in a buffer too small for that, one MTU below full and
    /// one below that.
    fn thresholds(&self, p: &Params) -> Result<(u64, u64), ConfigError> {
        let (cap, mtu) = (p.cap() as u64, p.mtu as u64);
        let small = if cap > mtu + 1 { cap - mtu } else { cap - 1 };
        let s = &self.switch;
        let hth = s.hth.map_or(if 6 * mtu < cap { 6 * mtu } else { small }, |a| a.flits(p));
        // the low threshold lies below it, and above 0
        let least = if s.single_threshold { 1 } else { 2 };
        check_high(
            "hth",
            s.hth,
            hth,
            least..=cap - 1,
            "a queue never holds more than CAP = BLOCKS/VLS =",
            cap,
        )?;
        let lth = s.lth.map_or(
            if s.single_threshold {
                hth
            } else if 4 * mtu < hth {
                4 * mtu
            } else if hth > mtu {
                hth - mtu
            } else {
                hth.saturating_sub(1)
            },
            |a| a.flits(p),
        );
        check_low("lth", s.lth, lth, "HTh", hth, s.single_threshold)?;
        Ok((hth, lth))
    }

    /// Registers STOP and GO (0: as HTH and LTH) and DETECT.
    fn hot_queues(&self, p: &Params, (hth, lth): (u64, u64)) -> Result<[u64; 3], ConfigError> {
        let (cap, mtu, s) = (p.cap() as u64, p.mtu as u64, &self.switch);
        let why = "a queue never holds more than CAP = BLOCKS/VLS =";
        let flits = |a: Option<Amount>| a.map_or(0, |a| a.flits(p));
        let (stop, go) = (flits(s.stop), flits(s.go));
        check_high("stop", s.stop, stop, 1..=cap - 1, why, cap)?;
        let (high, low) = (s.stop.map_or(hth, |_| stop), s.go.map_or(lth, |_| go));
        if s.go.is_some() {
            check_low("go", s.go, low, "stop", high, s.single_threshold)?;
        } else if low > high {
            return Err(ConfigError::new(
                s.stop.unwrap_or(Amount::Flits(stop)).key("stop"),
                stop,
                format!("lies below the go threshold, which is LTh = {low} flits: set go too"),
            ));
        }
        let detect = s.detect.map_or((4 * mtu).min(cap - 1), |a| a.flits(p));
        check_high("detect", s.detect, detect, 0..=cap - 1, why, cap)?;
        Ok([stop, go, detect])
    }

    /// Thresholds on the sum (D5): by default those of one queue, after the weight.
    fn sum_thresholds(&self, p: &Params, (hth, lth): (u64, u64)) -> Result<(u64, u64), ConfigError> {
        let most = (p.ports * p.cap()) as u64;
        let s = &self.switch;
        let (h, l) = match s.weight {
            Some(w) if w > 0 => {
                let h = (16 - w) * (p.cap() as u64 / 16);
                (h, h.saturating_sub(hth - lth).max(1))
            }
            _ => (hth, lth),
        };
        let high = s.sum_hth.map_or(h, |a| a.flits(p));
        let reach = (most - 1).min(65535);
        let least = if s.single_threshold { 1 } else { 2 };
        check_high(
            "sum_hth",
            s.sum_hth,
            high,
            least..=reach,
            "the queues of an output never hold more than",
            most,
        )?;
        let low = s
            .sum_lth
            .map_or(if s.sum_hth.is_some() { high.saturating_sub(hth - lth).max(1) } else { l }, |a| {
                a.flits(p)
            });
        if s.sum_lth.is_some() {
            check_low("sum_lth", s.sum_lth, low, "sum_hth", high, s.single_threshold)?;
        }
        Ok((high, low))
    }

    /// Cycles of a time in microseconds.
    fn cycles(&self, us: f64) -> f64 {
        us * 1000.0 / self.link.cycle_ns
    }

    fn line_timer(&self, p: &Params) -> Result<u32, ConfigError> {
        let max = ((1u64 << p.timer_w) - 1) as u32;
        let Some(us) = self.switch.line_timer_us else { return Ok(max) };
        let cycles = self.cycles(us).round();
        if cycles < 1.0 || cycles > f64::from(max) {
            return Err(ConfigError::new(
                "switch.line_timer_us",
                us,
                format!(
                    "legal is {} to {} us (1..2^TIMER_W-1 = {max} cycles of {} ns)",
                    self.link.cycle_ns / 1000.0,
                    f64::from(max) * self.link.cycle_ns / 1000.0,
                    self.link.cycle_ns
                ),
            ));
        }
        Ok(cycles as u32)
    }

    /// CCTI_Limit and the table entries 0..=limit.
    fn table(&self, p: &Params) -> Result<(u64, Vec<u16>), ConfigError> {
        let h = &self.hca;
        let (given, len) = match &h.cct {
            Cct::Formula(_) => (p.cct, p.cct),
            Cct::Us(v) => (v.len(), v.len()),
            Cct::Entries(v) => (v.len(), v.len()),
        };
        if given > p.cct {
            return Err(ConfigError::new(
                "hca.cct",
                format!("{given} entries"),
                format!("legal is at most CCT = {} entries", p.cct),
            ));
        }
        let last = len.max(1) as u64 - 1;
        let limit = h.ccti_limit.unwrap_or(last.min(127));
        if limit > last {
            return Err(ConfigError::new(
                "hca.ccti_limit",
                limit,
                format!("beyond the table: legal is 0..{last} (the table has {len} entries)"),
            ));
        }
        if h.ccti_min > limit {
            return Err(ConfigError::new(
                "hca.ccti_min",
                h.ccti_min,
                format!("legal is 0..{limit} (CCTI_Limit)"),
            ));
        }
        let times: Vec<f64> = match &h.cct {
            Cct::Entries(v) => return Ok((limit, v.clone())),
            Cct::Us(v) => v.clone(),
            Cct::Formula(f) => (0..=limit as usize).map(|i| f.at(i)).collect(),
        };
        let packet = p.mtu as u64 * self.link.inject_interval;
        let entries = times.iter().enumerate().map(|(i, &us)| {
            let cycles = self.cycles(us);
            let entry = if h.cct_absolute {
                (cycles.round() <= 65535.0).then(|| cycles.round() as u16)
            } else {
                cct::nearest(cycles, packet)
            };
            entry.ok_or_else(|| {
                let most = if h.cct_absolute { 65535 } else { packet * cct::MULTIPLIER_MAX };
                ConfigError::new(
                    "hca.cct",
                    format!("{us} us in entry {i}"),
                    format!("legal is 0 to {} us", most as f64 * self.link.cycle_ns / 1000.0),
                )
            })
        });
        Ok((limit, entries.collect::<Result<_, _>>()?))
    }

    fn ccti_timer(&self) -> Result<u64, ConfigError> {
        let Some(us) = self.hca.ccti_timer_us else { return Ok(self.hca.ccti_timer) };
        let units = (us * 1000.0 / CCTI_TIMER_UNIT_NS).round();
        if us != 0.0 && !(1.0..=65535.0).contains(&units) {
            return Err(ConfigError::new(
                "hca.ccti_timer_us",
                us,
                "legal is 0 (never), or 1.024 to 67107.84 us",
            ));
        }
        Ok(units as u64)
    }

    /// The register writes of every unit built with `p`, control registers last. Errors name the field, the value and the
    /// legal range.
    pub fn setup(&self, p: &Params) -> Result<Setup, ConfigError> {
        let s = &self.switch;
        let scheme = self.scheme(p);
        if !scheme.runs_on(p) && !scheme.does_nothing() {
            let legal: Vec<&str> = Scheme::ALL.iter().filter(|s| s.runs_on(p)).map(|s| s.name).collect();
            let why = format!("{}: legal is {}", kind_of(p), legal.join(", "));
            return Err(ConfigError::new("switch.scheme", scheme.name, why));
        }
        let marks = scheme.marking == Marking::Fecn && self.congestion_control;
        let delays = scheme.response == Response::Delay && self.congestion_control;
        let iso = scheme.isolation == Isolation::Lines;
        let (hth, lth) = self.thresholds(p)?;
        let (sum_hth, sum_lth) = self.sum_thresholds(p, (hth, lth))?;
        let [stop, go, detect] = self.hot_queues(p, (hth, lth))?;
        let line_timer = self.line_timer(p)?;
        let refresh = self.cycles(s.refresh_us).round();
        if refresh > 65535.0 || (s.refresh_us > 0.0 && refresh < 1.0) {
            return Err(ConfigError::new(
                "switch.refresh_us",
                s.refresh_us,
                format!(
                    "legal is 0 (never), or {} to {} us (1..65535 cycles)",
                    self.link.cycle_ns / 1000.0,
                    65535.0 * self.link.cycle_ns / 1000.0
                ),
            ));
        }
        if refresh >= f64::from(line_timer) {
            // Lines would expire between the refreshes that keep them.
            let life = f64::from(line_timer);
            return Err(ConfigError::new(
                "switch.refresh_us",
                s.refresh_us,
                format!(
                    "legal is 0 (never), or less than line_timer_us = {} ({life} cycles)",
                    life * self.link.cycle_ns / 1000.0
                ),
            ));
        }
        let weight = s.weight.map_or(0, |w| 16 + w as u32);
        let victim = s.victim_mask[s.port as usize / 64] >> (s.port % 64) & 1;
        let fraction = (s.mark_fraction * 256.0).round() as u32;
        let (limit, cct) = self.table(p)?;
        let tick = (CCTI_TIMER_UNIT_NS / self.link.cycle_ns).round().max(1.0) as u32;
        let bit = |on: bool, n: u32| u32::from(on) << n;

        let ip = |name: &str, v: u64| (registers::addr(UnitKind::InputPort, name), v as u32);
        let op = |name: &str, v: u64| (registers::addr(UnitKind::OutputPort, name), v as u32);
        let ht = |name: &str, v: u64| (registers::addr(UnitKind::HcaThrottle, name), v as u32);
        let h = &self.hca;
        Ok(Setup {
            input_port: vec![
                ip("HTH", hth),
                ip("LTH", lth),
                ip("WEIGHT", weight.into()),
                ip("FC_INTERVAL", self.link.fc_interval),
                ip("RX_INTERVAL", self.link.rx_interval),
                ip("RX_TIMEOUT", self.link.rx_timeout),
                ip("LINE_TIMER", line_timer.into()),
                ip("REFRESH", refresh as u64),
                ip("SWITCH_ID", s.switch_id),
                ip("STOP", stop),
                ip("GO", go),
                ip("DETECT", detect),
                ip("HOLD", s.hold.unwrap_or(p.mtu as u64)),
                ip("CTRL", (bit(iso, 0) | bit(s.cold_first, 1)).into()),
            ],
            lft: self.routes(p)?,
            output_port: vec![
                op("SUM_HTH", sum_hth),
                op("SUM_LTH", sum_lth),
                op("MARKING_RATE", s.marking_rate),
                op("MARK_FRACTION", fraction.into()),
                op("PACKET_SIZE", s.packet_size),
                op("FC_INTERVAL", self.link.fc_interval),
                op("TX_INTERVAL", self.link.tx_interval),
                op("LINE_TIMER", line_timer.into()),
                op(
                    "CTRL",
                    u64::from(
                        bit(marks && s.weight != Some(0), 0)
                            | bit(iso, 1)
                            | (victim as u32) << 2
                            | s.eval << 3
                            | s.mark_mode << 5,
                    ),
                ),
            ],
            hca_throttle: vec![
                ht("CCTI_INCREASE", h.ccti_increase),
                ht("CCTI_LIMIT", limit),
                ht("CCTI_MIN", h.ccti_min),
                ht("CCTI_TIMER", self.ccti_timer()?),
                ht("TICK_CYCLES", tick.into()),
                ht("LINK_INTERVAL", self.link.inject_interval),
                ht(
                    "CTRL",
                    u64::from(
                        bit(delays, 0)
                            | bit(h.sl_mode, 1)
                            | bit(h.timer_per_sl, 2)
                            | bit(h.restart, 3)
                            | bit(h.cct_absolute && !matches!(h.cct, Cct::Entries(_)), 4),
                    ),
                ),
            ],
            cct: Some(cct),
            attrs: if h.flow_sl.is_empty() {
                Vec::new()
            } else {
                (0..p.flows).map(|f| (f as u16, h.flow_sl[f % h.flow_sl.len()])).collect()
            },
        })
    }

    fn routes(&self, p: &Params) -> Result<Option<Vec<(u16, u8)>>, ConfigError> {
        if self.lft.is_empty() {
            return Ok(None);
        }
        let mut v = Vec::new();
        for r in &self.lft {
            let field = if r.first == r.last {
                format!("lft.{}", r.first)
            } else {
                format!("lft.{}-{}", r.first, r.last)
            };
            if usize::from(r.last) >= p.lft_depth {
                return Err(ConfigError::new(
                    field,
                    r.port,
                    format!("DLID beyond the table: legal DLIDs are 0..{} (LFT_DEPTH-1)", p.lft_depth - 1),
                ));
            }
            if usize::from(r.port) >= p.ports && r.port != 255 {
                return Err(ConfigError::new(
                    field,
                    r.port,
                    format!(
                        "no such output port: legal is 0..{} (PORTS-1), or 255 for no route",
                        p.ports - 1
                    ),
                ));
            }
            v.extend((r.first..=r.last).map(|d| (d, r.port)));
        }
        Ok(Some(v))
    }

    /// Remarks on legal but odd values.
    fn advice(&self, p: &Params) -> Vec<String> {
        let mut v = Vec::new();
        let s = &self.switch;
        if let Ok((hth, lth)) = self.thresholds(p)
            && hth - lth < p.mtu as u64
            && !s.single_threshold
            && (s.hth.is_some() || s.lth.is_some())
        {
            v.push(format!(
                "HTh - LTh = {} flits is less than one MTU ({} flits): sources are served unfairly",
                hth - lth,
                p.mtu
            ));
        }
        if let Some(scheme) = s.scheme.filter(|s| !s.runs_on(p)) {
            v.push(format!(
                "scheme {}: {}; marking, throttling and isolation are off",
                scheme.name,
                kind_of(p)
            ));
        }
        if s.weight.is_some_and(|w| w > 0) && p.cap() < 16 {
            v.push(format!(
                "weight: the buffer of a VL has only {} blocks, so every weight means 0 flits",
                p.cap()
            ));
        }
        v
    }
}

/// What a build is that a scheme does not run on.
fn kind_of(p: &Params) -> String {
    let queues = if p.one_queue { "one queue (ONE_QUEUE = 1)" } else { "VOQs (ONE_QUEUE = 0)" };
    let lines = if p.isolation { "" } else { " and no CAM lines (ISOLATION = 0)" };
    format!("this build has {queues}{lines}")
}

fn check_high(
    name: &str,
    given: Option<Amount>,
    flits: u64,
    legal: RangeInclusive<u64>,
    why: &str,
    most: u64,
) -> Result<(), ConfigError> {
    match given {
        Some(a) if !legal.contains(&flits) => Err(ConfigError::new(
            a.key(name),
            a.value(),
            format!("is {flits} flits; legal is {}..{} flits ({why} {most})", legal.start(), legal.end()),
        )),
        _ => Ok(()),
    }
}

fn check_low(
    name: &str,
    given: Option<Amount>,
    flits: u64,
    high_name: &str,
    high: u64,
    single: bool,
) -> Result<(), ConfigError> {
    let (lo, hi) = if single { (high, high) } else { (1, high.saturating_sub(1)) };
    if (lo..=hi).contains(&flits) || (given.is_none() && high <= 1) {
        return Ok(());
    }
    let a = given.unwrap_or(Amount::Flits(flits));
    let legal = if single {
        format!("with single_threshold it is {high_name} = {high} flits: leave it out")
    } else {
        format!("legal is 1..{hi} flits (below {high_name} = {high} flits, unless single_threshold = true)")
    };
    Err(ConfigError::new(a.key(name), a.value(), format!("is {flits} flits; {legal}")))
}

#[cfg(test)]
mod tests;
