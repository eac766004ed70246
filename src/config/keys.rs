//! The keys of a TOML configuration, as a table: what the reader accepts is what `quell params` lists.

use super::{Amount, Cct, Config, cct};
use crate::params::Params;
use crate::scheme::Scheme;
use toml::Value;

/// An upper limit.
#[derive(Clone, Copy)]
pub(super) enum Max {
    /// A constant.
    N(u64),
    /// Depends on the build: how it is written, and its value.
    P(&'static str, fn(&Params) -> u64),
}

impl Max {
    pub(super) fn value(self, p: &Params) -> u64 {
        match self {
            Max::N(n) => n,
            Max::P(_, f) => f(p),
        }
    }
}

/// Type, legal range and destination of a value.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Int(u64, Max, fn(&mut Config, u64)),
    Real(f64, f64, fn(&mut Config, f64)),
    Bool(fn(&mut Config, bool)),
    Word(&'static [&'static str], fn(&mut Config, usize)),
    /// What is legal, and a reader of its own.
    Other(&'static str, fn(&mut Config, &Value) -> Result<(), Wrong>),
}

/// Which part of a value is wrong, and why.
pub(super) struct Wrong {
    pub value: String,
    pub problem: String,
}

/// One key.
pub(super) struct Key {
    pub section: &'static str,
    pub name: &'static str,
    pub measure: &'static str,
    pub kind: Kind,
    pub default: fn(&Config) -> String,
    pub source: &'static str,
    pub text: &'static str,
}

impl Key {
    /// The legal values in words; with a build, limits are numbers.
    pub(super) fn legal(&self, p: Option<&Params>) -> String {
        match self.kind {
            Kind::Int(lo, max, _) => match (max, p) {
                (Max::N(n), _) => format!("{lo}..{n}"),
                (Max::P(name, _), None) => format!("{lo}..{name}"),
                (Max::P(name, f), Some(p)) => format!("{lo}..{} ({name})", f(p)),
            },
            Kind::Real(lo, hi, _) => format!("{lo} to {hi}"),
            Kind::Bool(_) => "true or false".into(),
            Kind::Word(words, _) => words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", "),
            Kind::Other(text, _) => text.into(),
        }
    }

    /// Stores a value.
    pub(super) fn set(&self, c: &mut Config, v: &Value, p: &Params) -> Result<(), Wrong> {
        let wrong = || Wrong { value: show(v), problem: format!("legal is {}", self.legal(Some(p))) };
        match self.kind {
            Kind::Int(lo, max, set) => match v {
                Value::Integer(i) if *i >= lo as i64 && *i as u64 <= max.value(p) => set(c, *i as u64),
                _ => return Err(wrong()),
            },
            Kind::Real(lo, hi, set) => {
                let x = match v {
                    Value::Float(x) => *x,
                    Value::Integer(i) => *i as f64,
                    _ => return Err(wrong()),
                };
                if !(x >= lo && x <= hi) {
                    return Err(wrong());
                }
                set(c, x);
            }
            Kind::Bool(set) => match v {
                Value::Boolean(b) => set(c, *b),
                _ => return Err(wrong()),
            },
            Kind::Word(words, set) => {
                let at = v.as_str().and_then(|s| words.iter().position(|w| *w == s));
                set(c, at.ok_or_else(wrong)?);
            }
            Kind::Other(_, set) => set(c, v)?,
        }
        Ok(())
    }
}

/// A value as a person wrote it, cut to a readable length.
pub(super) fn show(v: &Value) -> String {
    let s = match v {
        Value::String(s) => format!("\"{s}\""),
        v => v.to_string(),
    };
    match s.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &s[..at]),
        None => s,
    }
}

const VICTIM: &str = "a list of port numbers 0..254, or a string of at most 64 hexadecimal digits";
const CCT: &str =
    "a formula in i (us), a list of times (us, 0 or more), or a list of \"shift:multiplier\" (0..3:0..16383)";
const FLOW_SL: &str = "a list of SLs 0..15 (flow f has entry f modulo its length)";

fn victim_mask(c: &mut Config, v: &Value) -> Result<(), Wrong> {
    let wrong = |v: &Value| Wrong { value: show(v), problem: format!("legal is {VICTIM}") };
    c.switch.victim_mask = match v {
        Value::String(s) => super::opensm::mask(s).ok_or_else(|| wrong(v))?,
        Value::Array(a) => {
            let mut mask = [0u64; 4];
            for v in a {
                let port = v.as_integer().filter(|p| (0..=254).contains(p)).ok_or_else(|| wrong(v))? as usize;
                mask[port / 64] |= 1 << (port % 64);
            }
            mask
        }
        v => return Err(wrong(v)),
    };
    Ok(())
}

/// An entry `shift:multiplier`; the error says which part is out of range.
pub(super) fn entry(s: &str, number: fn(&str) -> Option<u64>) -> Result<u16, String> {
    let (shift, mult) = s
        .split_once(':')
        .and_then(|(a, b)| Some((number(a.trim())?, number(b.trim())?)))
        .ok_or("expected shift:multiplier, two numbers")?;
    if shift > cct::SHIFT_MAX {
        return Err(format!("shift {shift} is out of range: legal is 0..{}", cct::SHIFT_MAX));
    }
    cct::pack(shift, mult)
        .ok_or_else(|| format!("multiplier {mult} is out of range: legal is 0..{}", cct::MULTIPLIER_MAX))
}

fn table(c: &mut Config, v: &Value) -> Result<(), Wrong> {
    let wrong = |v: &Value, problem: String| Wrong { value: show(v), problem };
    c.hca.cct = match v {
        Value::String(s) => {
            Cct::Formula(cct::Formula::parse(s).map_err(|e| {
                wrong(v, format!("{e}: a formula has numbers, i, ^, * and /, in microseconds"))
            })?)
        }
        Value::Array(a) if a.is_empty() => {
            return Err(wrong(v, "an empty table: legal is 1 entry or more".into()));
        }
        Value::Array(a) if a[0].is_str() => {
            let mut e = Vec::new();
            for (i, v) in a.iter().enumerate() {
                let s =
                    v.as_str().ok_or_else(|| wrong(v, format!("entry {i}: times and entries are mixed")))?;
                let n = entry(s, |s| s.parse().ok()).map_err(|why| wrong(v, format!("entry {i}: {why}")))?;
                e.push(n);
            }
            Cct::Entries(e)
        }
        Value::Array(a) => {
            let mut t = Vec::new();
            for (i, v) in a.iter().enumerate() {
                let us = v.as_float().or(v.as_integer().map(|i| i as f64));
                let ok = us.filter(|t| *t >= 0.0 && t.is_finite());
                t.push(ok.ok_or_else(|| wrong(v, format!("entry {i}: legal is a time of 0 us or more")))?);
            }
            Cct::Us(t)
        }
        v => return Err(wrong(v, format!("legal is {CCT}"))),
    };
    Ok(())
}

fn flow_sl(c: &mut Config, v: &Value) -> Result<(), Wrong> {
    let wrong = |v: &Value| Wrong { value: show(v), problem: format!("legal is {FLOW_SL}") };
    let list = v.as_array().filter(|a| !a.is_empty()).ok_or_else(|| wrong(v))?;
    let sl =
        |v: &Value| v.as_integer().filter(|s| (0..16).contains(s)).map(|s| s as u8).ok_or_else(|| wrong(v));
    c.hca.flow_sl = list.iter().map(sl).collect::<Result<_, _>>()?;
    Ok(())
}

const fn key(
    section: &'static str,
    name: &'static str,
    measure: &'static str,
    kind: Kind,
    default: fn(&Config) -> String,
    source: &'static str,
    text: &'static str,
) -> Key {
    Key { section, name, measure, kind, default, source, text }
}

use Kind::{Bool, Int, Other, Real, Word};
use Max::{N, P};

/// The schemes, and voq, which files may say for 1vl.
const SCHEMES: &[&str] = &{
    let mut names = ["voq"; Scheme::NAMES.len() + 1];
    names.split_at_mut(Scheme::NAMES.len()).0.copy_from_slice(Scheme::NAMES);
    names
};

/// Most flits a threshold on one queue may be.
const CAP: Max = P("CAP-1", |p| p.cap() as u64 - 1);
const SUM: Max = P("PORTS*CAP-1", |p| (p.ports * p.cap()) as u64 - 1);
const MTUS: (f64, f64) = (0.0, 131072.0);

/// Every key of every section but `[lft]` (DLIDs) and `[knobs]` (listed by the knobs' own table).
pub(super) const KEYS: &[Key] = &[
    key(
        "switch",
        "scheme",
        "",
        Word(SCHEMES, |c, v| c.switch.scheme = Scheme::ALL.get(v).copied().or(Some(Scheme::Vl1))),
        |_| "all that the build has".into(),
        "EcoCC 4",
        "what is on, as `quell fabric --list` says of each",
    ),
    key(
        "switch",
        "hth",
        "MTU",
        Real(MTUS.0, MTUS.1, |c, v| c.switch.hth = Some(Amount::Mtu(v))),
        |_| "6".into(),
        "EcoCC 4.1",
        "high threshold of a queue (D1); in a buffer too small for 6, CAP-MTU flits",
    ),
    key(
        "switch",
        "hth_flits",
        "flits",
        Int(1, CAP, |c, v| c.switch.hth = Some(Amount::Flits(v))),
        |_| "-".into(),
        "EcoCC 4.1",
        "the same in flits",
    ),
    key(
        "switch",
        "lth",
        "MTU",
        Real(MTUS.0, MTUS.1, |c, v| c.switch.lth = Some(Amount::Mtu(v))),
        |_| "4".into(),
        "EcoCC 4.1",
        "low threshold (D1), below hth; 1 MTU apart at least, 2 advised",
    ),
    key(
        "switch",
        "lth_flits",
        "flits",
        Int(1, CAP, |c, v| c.switch.lth = Some(Amount::Flits(v))),
        |_| "-".into(),
        "EcoCC 4.1",
        "the same in flits",
    ),
    key(
        "switch",
        "stop",
        "MTU",
        Real(MTUS.0, MTUS.1, |c, v| c.switch.stop = Some(Amount::Mtu(v))),
        |_| "hth".into(),
        "CCFIT III-B",
        "stop threshold of hot queues (E5)",
    ),
    key(
        "switch",
        "stop_flits",
        "flits",
        Int(1, CAP, |c, v| c.switch.stop = Some(Amount::Flits(v))),
        |_| "-".into(),
        "CCFIT III-B",
        "the same in flits",
    ),
    key(
        "switch",
        "go",
        "MTU",
        Real(MTUS.0, MTUS.1, |c, v| c.switch.go = Some(Amount::Mtu(v))),
        |_| "lth".into(),
        "CCFIT III-B",
        "go threshold of hot queues (E5), below stop",
    ),
    key(
        "switch",
        "go_flits",
        "flits",
        Int(1, CAP, |c, v| c.switch.go = Some(Amount::Flits(v))),
        |_| "-".into(),
        "CCFIT III-B",
        "the same in flits",
    ),
    key(
        "switch",
        "detect",
        "MTU",
        Real(MTUS.0, MTUS.1, |c, v| c.switch.detect = Some(Amount::Mtu(v))),
        |_| "4".into(),
        "CCFIT III-B",
        "one queue: its fill from which congestion is looked for (E1)",
    ),
    key(
        "switch",
        "detect_flits",
        "flits",
        Int(0, CAP, |c, v| c.switch.detect = Some(Amount::Flits(v))),
        |_| "-".into(),
        "CCFIT III-B",
        "the same in flits",
    ),
    key(
        "switch",
        "hold",
        "cycles",
        Int(0, N(65535), |c, v| c.switch.hold = Some(v)),
        |_| "one MTU".into(),
        "CCFIT III-B",
        "one queue: so long its head has asked in vain before it counts as congested (E1)",
    ),
    key(
        "switch",
        "single_threshold",
        "",
        Bool(|c, v| c.switch.single_threshold = v),
        |c| c.switch.single_threshold.to_string(),
        "Gran, EcoCC 7",
        "low threshold = high threshold (D1)",
    ),
    key(
        "switch",
        "weight",
        "",
        Int(0, N(15), |c, v| c.switch.weight = Some(v)),
        |_| "not used".into(),
        "InfiniBand Threshold",
        "threshold weight instead of hth (D4): 0 never marks, 15 is the lowest threshold",
    ),
    key(
        "switch",
        "eval",
        "",
        Word(&["each", "sum", "sum_per_input"], |c, v| c.switch.eval = v as u32),
        |c| ["each", "sum", "sum_per_input"][c.switch.eval as usize].into(),
        "Gran 3.2.1",
        "what is compared with the threshold (D5)",
    ),
    key(
        "switch",
        "sum_hth",
        "MTU",
        Real(MTUS.0, MTUS.1, |c, v| c.switch.sum_hth = Some(Amount::Mtu(v))),
        |_| "hth".into(),
        "Gran 3.2.1",
        "high threshold on the sum (D5)",
    ),
    key(
        "switch",
        "sum_hth_flits",
        "flits",
        Int(1, SUM, |c, v| c.switch.sum_hth = Some(Amount::Flits(v))),
        |_| "-".into(),
        "Gran 3.2.1",
        "the same in flits",
    ),
    key(
        "switch",
        "sum_lth",
        "MTU",
        Real(MTUS.0, MTUS.1, |c, v| c.switch.sum_lth = Some(Amount::Mtu(v))),
        |_| "lth".into(),
        "Gran 3.2.1",
        "low threshold on the sum (D5)",
    ),
    key(
        "switch",
        "sum_lth_flits",
        "flits",
        Int(1, SUM, |c, v| c.switch.sum_lth = Some(Amount::Flits(v))),
        |_| "-".into(),
        "Gran 3.2.1",
        "the same in flits",
    ),
    key(
        "switch",
        "marking_rate",
        "packets",
        Int(0, N(65535), |c, v| c.switch.marking_rate = v),
        |c| c.switch.marking_rate.to_string(),
        "Gran table I",
        "eligible packets between marked ones (M2); 0 marks all",
    ),
    key(
        "switch",
        "mark_mode",
        "",
        Word(&["counter", "probability", "fraction"], |c, v| c.switch.mark_mode = v as u32),
        |c| ["counter", "probability", "fraction"][c.switch.mark_mode as usize].into(),
        "project (M2)",
        "how marking_rate or mark_fraction chooses",
    ),
    key(
        "switch",
        "mark_fraction",
        "share",
        Real(0.0, 1.0, |c, v| c.switch.mark_fraction = v),
        |c| c.switch.mark_fraction.to_string(),
        "CCFIT IV-A (0.85)",
        "share of eligible packets marked in mode fraction, in steps of 1/256 (M2)",
    ),
    key(
        "switch",
        "packet_size",
        "flits",
        Int(0, N(255), |c, v| c.switch.packet_size = v),
        |c| c.switch.packet_size.to_string(),
        "Gran table I",
        "smaller packets are not marked (M1)",
    ),
    key(
        "switch",
        "victim_mask",
        "ports",
        Other(VICTIM, victim_mask),
        |_| "none".into(),
        "InfiniBand Victim_Mask",
        "ports that mark without credits (D3)",
    ),
    key(
        "switch",
        "port",
        "",
        Int(0, N(254), |c, v| c.switch.port = v),
        |c| c.switch.port.to_string(),
        "project",
        "port number of the output port under test: its bit of victim_mask",
    ),
    key(
        "switch",
        "switch_id",
        "",
        Int(0, N(65535), |c, v| c.switch.switch_id = v),
        |c| c.switch.switch_id.to_string(),
        "project",
        "switch in a root id (E2)",
    ),
    key(
        "switch",
        "cold_first",
        "",
        Bool(|c, v| c.switch.cold_first = v),
        |c| c.switch.cold_first.to_string(),
        "project (A2)",
        "the cold queue goes before the hot ones",
    ),
    key(
        "switch",
        "line_timer_us",
        "us",
        Real(0.0, 1e9, |c, v| c.switch.line_timer_us = Some(v)),
        |_| "longest (2^TIMER_W-1 cycles)".into(),
        "project (E8)",
        "life of a CAM line without use",
    ),
    key(
        "switch",
        "refresh_us",
        "us",
        Real(0.0, 1e6, |c, v| c.switch.refresh_us = v),
        |c| c.switch.refresh_us.to_string(),
        "project (E8)",
        "between refreshes of announced lines; 0 never",
    ),
    key(
        "hca",
        "ccti_increase",
        "entries",
        Int(0, N(255), |c, v| c.hca.ccti_increase = v),
        |c| c.hca.ccti_increase.to_string(),
        "Gran table I",
        "added to the index by a BECN (H3)",
    ),
    key(
        "hca",
        "ccti_limit",
        "entry",
        Int(0, P("CCT-1", |p| p.cct as u64 - 1), |c, v| c.hca.ccti_limit = Some(v)),
        |_| "127, or the last entry".into(),
        "Gran table I",
        "largest index (H3)",
    ),
    key(
        "hca",
        "ccti_min",
        "entry",
        Int(0, N(255), |c, v| c.hca.ccti_min = v),
        |c| c.hca.ccti_min.to_string(),
        "Gran table I",
        "the timer lowers no index below it (H4)",
    ),
    key(
        "hca",
        "ccti_timer",
        "1.024 us",
        Int(0, N(65535), |c, v| {
            c.hca.ccti_timer = v;
            c.hca.ccti_timer_us = None;
        }),
        |c| c.hca.ccti_timer.to_string(),
        "Gran table I",
        "between two decrements (H4); 0 never",
    ),
    key(
        "hca",
        "ccti_timer_us",
        "us",
        Real(0.0, 67107.84, |c, v| c.hca.ccti_timer_us = Some(v)),
        |_| "-".into(),
        "CCFIT IV-A (8)",
        "the same in microseconds, rounded to 1.024 us",
    ),
    key(
        "hca",
        "restart",
        "",
        Bool(|c, v| c.hca.restart = v),
        |c| c.hca.restart.to_string(),
        "CCFIT: true; hfi1: false",
        "a BECN restarts a running timer (H3)",
    ),
    key(
        "hca",
        "timer_per_sl",
        "",
        Bool(|c, v| c.hca.timer_per_sl = v),
        |c| c.hca.timer_per_sl.to_string(),
        "InfiniBand: true; EcoCC: false",
        "one timer per SL instead of per flow (H4)",
    ),
    key(
        "hca",
        "sl_mode",
        "",
        Bool(|c, v| c.hca.sl_mode = v),
        |c| c.hca.sl_mode.to_string(),
        "InfiniBand Port_Control bit 0",
        "the index belongs to the SL instead of the flow (H7)",
    ),
    key(
        "hca",
        "cct",
        "us",
        Other(CCT, table),
        |c| match &c.hca.cct {
            Cct::Formula(f) => f.text().into(),
            _ => "-".into(),
        },
        "Gran VII-B",
        "congestion control table (H6)",
    ),
    key(
        "hca",
        "cct_format",
        "",
        Word(&["relative", "absolute"], |c, v| c.hca.cct_absolute = v == 1),
        |c| ["relative", "absolute"][usize::from(c.hca.cct_absolute)].into(),
        "EcoCC 3.2 (absolute)",
        "how times of cct are stored: as cycles, or as shift:multiplier of an MTU packet (H6)",
    ),
    key(
        "hca",
        "flow_sl",
        "",
        Other(FLOW_SL, flow_sl),
        |_| "chosen by the stimulus".into(),
        "project (H7)",
        "service levels of the flows",
    ),
    key(
        "link",
        "cycle_ns",
        "ns",
        Real(0.1, 1000.0, |c, v| c.link.cycle_ns = v),
        |c| c.link.cycle_ns.to_string(),
        "64 bytes at 40 Gbit/s",
        "length of a clock cycle: converts every time",
    ),
    key(
        "link",
        "rx_interval",
        "cycles/flit",
        Int(1, N(15), |c, v| c.link.rx_interval = v),
        |c| c.link.rx_interval.to_string(),
        "project",
        "pace of the link into an input port (B2)",
    ),
    key(
        "link",
        "tx_interval",
        "cycles/flit",
        Int(1, N(15), |c, v| c.link.tx_interval = v),
        |c| c.link.tx_interval.to_string(),
        "project",
        "pace of the link out of an output port (B2)",
    ),
    key(
        "link",
        "inject_interval",
        "cycles/flit",
        Int(1, N(15), |c, v| c.link.inject_interval = v),
        |c| c.link.inject_interval.to_string(),
        "project",
        "pace of the adapter's link (H6)",
    ),
    key(
        "link",
        "fc_interval",
        "cycles",
        Int(1, N(65535), |c, v| c.link.fc_interval = v),
        |c| c.link.fc_interval.to_string(),
        "project",
        "between flow control messages (F1)",
    ),
    key(
        "link",
        "rx_timeout",
        "cycles",
        Int(0, N(65535), |c, v| c.link.rx_timeout = v),
        |c| c.link.rx_timeout.to_string(),
        "project",
        "without a flit until a packet is cut (B3); 0 never",
    ),
];
