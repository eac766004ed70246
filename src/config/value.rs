//! Reads a value that a person gives into the form in which a setting is kept.

use serde::{Deserialize, Serialize};
use toml::Value;

use super::cct::{Entry, Formula};
use super::keys::{Key, Measure, ValueKind};
use super::law::Law;

/// What packets and times are converted with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Flits of the largest packet.
    pub mtu: usize,
    /// Length of a cycle, ps; None: nobody knows it.
    pub cycle_ps: Option<f64>,
    /// Adapters of the network; None: nobody knows it.
    pub hosts: Option<usize>,
}

/// Which part of a value is wrong, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The part.
    pub value: String,
    /// Why.
    pub problem: String,
}

/// A set of ports: bit p of word p/64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Mask(pub [u64; 4]);

impl Mask {
    /// From at most 64 hexadecimal digits, right-aligned.
    pub fn parse(text: &str) -> Option<Mask> {
        let hex = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text);
        if hex.is_empty() || hex.len() > 64 || !hex.chars().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        let mut mask = [0u64; 4];
        for (i, c) in hex.chars().rev().enumerate() {
            mask[i / 16] |= u64::from(c.to_digit(16)?) << (i % 16 * 4);
        }
        Some(Mask(mask))
    }

    /// Port `p` is in it.
    pub fn has(self, p: usize) -> bool {
        self.0.get(p / 64).is_some_and(|word| word >> (p % 64) & 1 == 1)
    }
}

impl TryFrom<String> for Mask {
    type Error = String;

    fn try_from(text: String) -> Result<Mask, String> {
        Mask::parse(&text).ok_or(format!("{text}: at most 64 hexadecimal digits are wanted"))
    }
}

impl From<Mask> for String {
    fn from(m: Mask) -> String {
        let digits: String = m.0.iter().rev().map(|word| format!("{word:016x}")).collect();
        let digits = digits.trim_start_matches('0');
        format!("0x{}", if digits.is_empty() { "0" } else { digits })
    }
}

/// A value as a person wrote it, cut to a readable length.
pub fn show(v: &Value) -> String {
    cut(&match v {
        Value::String(s) => format!("\"{s}\""),
        v => v.to_string(),
    })
}

/// A text short enough for a message.
pub fn cut(s: &str) -> String {
    match s.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &s[..at]),
        None => s.into(),
    }
}

/// What `NAME=VALUE` on the command line gives: as in TOML, where quotes may be left out.
pub fn of_text(text: &str) -> Value {
    let read = |v: String| v.parse::<toml::Table>().ok().and_then(|mut t| t.remove("v"));
    read(format!("v = {text}")).unwrap_or_else(|| Value::String(text.into()))
}

/// The value as the setting keeps it.
pub fn read(key: &Key, v: &Value, clock: &Clock) -> Result<Value, Wrong> {
    let wrong = || Wrong { value: show(v), problem: format!("legal is {}", key.legal()) };
    match key.kind {
        ValueKind::Int(lo, hi) => {
            let (number, given) =
                number(key.measure, v, clock).map_err(|why| at(v, why))?.ok_or_else(wrong)?;
            let whole = if given { number.round() } else { number };
            if whole.fract() != 0.0 || !(lo as f64..=hi as f64).contains(&whole) {
                let is = if given { format!("is {whole} {}; ", key.measure.name()) } else { String::new() };
                return Err(at(v, format!("{is}legal is {}", key.legal())));
            }
            // Not by way of a float: it would be one again in TOML.
            Ok(Value::Integer(whole as i64))
        }
        ValueKind::Real(lo, hi) => {
            let (number, _) = number(key.measure, v, clock).map_err(|why| at(v, why))?.ok_or_else(wrong)?;
            if !(lo..=hi).contains(&number) {
                return Err(wrong());
            }
            Ok(Value::Float(number))
        }
        ValueKind::Power(most) => {
            let number = v.as_integer().filter(|i| (1..=most).contains(i) && i.count_ones() == 1);
            number.map(Value::Integer).ok_or_else(wrong)
        }
        ValueKind::Bool => v.as_bool().map(Value::Boolean).ok_or_else(wrong),
        ValueKind::Word(words) => {
            let number = match v {
                Value::String(s) => words.iter().position(|w| w == s).map(|i| i as i64),
                v => v.as_integer().filter(|i| (0..words.len() as i64).contains(i)),
            };
            number.map(Value::Integer).ok_or_else(wrong)
        }
        ValueKind::List(lo, hi) => {
            let all = v.as_array().filter(|a| !a.is_empty()).ok_or_else(wrong)?;
            match all.iter().find(|v| !v.as_integer().is_some_and(|i| (lo..=hi).contains(&i))) {
                Some(bad) => Err(at(bad, format!("legal is {}", key.legal()))),
                None => Ok(v.clone()),
            }
        }
        ValueKind::Ports => ports(v, key),
        ValueKind::Table => table(v, key, clock),
        ValueKind::Sls => sls(v, key),
    }
}

fn at(v: &Value, problem: String) -> Wrong {
    Wrong { value: show(v), problem }
}

/// A number, and whether it was given in another unit. None: it is none.
fn number(measure: Measure, v: &Value, clock: &Clock) -> Result<Option<(f64, bool)>, String> {
    let text = match v {
        Value::Integer(i) => return Ok(Some((*i as f64, false))),
        Value::Float(x) => return Ok(Some((*x, false))),
        Value::String(s) => s.trim(),
        _ => return Ok(None),
    };
    let split = measure.others().iter().find_map(|u| Some((text.strip_suffix(u)?, *u)));
    let Some((number, unit)) = split else { return Ok(None) };
    let Ok(number) = number.trim().parse::<f64>() else { return Ok(None) };
    let ps = || clock.cycle_ps.ok_or("a time says nothing here: how long a cycle is depends on the network");
    let per = match unit {
        "ns" => 1e3,
        "us" => 1e6,
        _ => 1e9,
    };
    Ok(Some((
        match measure {
            Measure::Flits => number * clock.mtu as f64,
            Measure::Share => number * 2.56,
            Measure::Ticks => number * per / 1_024_000.0,
            _ => number * per / ps()?,
        },
        true,
    )))
}

fn ports(v: &Value, key: &Key) -> Result<Value, Wrong> {
    let wrong = |v: &Value| Wrong { value: show(v), problem: format!("legal is {}", key.legal()) };
    let mask = match v {
        Value::String(s) => Mask::parse(s).ok_or_else(|| wrong(v))?,
        Value::Integer(i) => Mask([u64::try_from(*i).map_err(|_| wrong(v))?, 0, 0, 0]),
        Value::Array(list) => {
            let mut mask = Mask::default();
            for v in list {
                let port = v.as_integer().filter(|p| (0..=254).contains(p)).ok_or_else(|| wrong(v))? as usize;
                mask.0[port / 64] |= 1 << (port % 64);
            }
            mask
        }
        v => return Err(wrong(v)),
    };
    Ok(Value::String(mask.into()))
}

fn table(v: &Value, key: &Key, clock: &Clock) -> Result<Value, Wrong> {
    match v {
        Value::String(s) if Law::is_meant(s) => {
            Law::parse(s, clock.hosts).map(|law| Value::String(law.into())).map_err(|e| at(v, e))
        }
        Value::String(s) => match Formula::parse(s) {
            Ok(f) => Ok(Value::String(f.into())),
            Err(e) => Err(at(v, format!("{e}: a formula has numbers, i, ^, * and /, in microseconds"))),
        },
        Value::Array(list) if list.is_empty() => {
            Err(at(v, "an empty table: legal is 1 entry or more".into()))
        }
        Value::Array(list) => {
            let entries = list[0].is_str();
            let one = |(i, v): (usize, &Value)| -> Result<Value, Wrong> {
                match v.as_str() {
                    Some(s) if entries => Entry::try_from(s.to_string())
                        .map(|e| Value::String(e.into()))
                        .map_err(|why| at(v, format!("entry {i}: {why}"))),
                    None if !entries => {
                        let us = v.as_float().or(v.as_integer().map(|i| i as f64));
                        us.filter(|t| *t >= 0.0 && t.is_finite())
                            .map(Value::Float)
                            .ok_or_else(|| at(v, format!("entry {i}: legal is a time of 0 us or more")))
                    }
                    _ => Err(at(v, format!("entry {i}: times and entries are mixed"))),
                }
            };
            list.iter().enumerate().map(one).collect::<Result<_, _>>().map(Value::Array)
        }
        v => Err(at(v, format!("legal is {}", key.legal()))),
    }
}

fn sls(v: &Value, key: &Key) -> Result<Value, Wrong> {
    let wrong = |v: &Value| at(v, format!("legal is {}", key.legal()));
    let list = v.as_array().filter(|a| !a.is_empty()).ok_or_else(|| wrong(v))?;
    match list.iter().find(|v| !v.as_integer().is_some_and(|s| (0..16).contains(&s))) {
        Some(bad) => Err(wrong(bad)),
        None => Ok(v.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::keys;

    const CLOCK: Clock = Clock { mtu: 32, cycle_ps: Some(12_800.0), hosts: Some(64) };

    fn value(name: &str, text: &str) -> Result<Value, Wrong> {
        read(keys::find(name).unwrap(), &of_text(text), &CLOCK)
    }

    #[test]
    fn numbers_have_the_units_that_they_are_given() {
        for (name, text, is) in [
            ("hth", "6", 6),
            ("hth", "6 MTU", 192),
            ("hth", "\"6.5MTU\"", 208),
            ("line_timer", "20000", 20_000),
            ("line_timer", "200us", 15_625),
            ("line_timer", "0.2 ms", 15_625),
            ("fc_interval", "64ns", 5),
            ("ccti_timer", "8us", 8),
            ("mark_fraction", "85 %", 218),
            ("weight", "-1", -1),
            ("eval", "sum_per_input", 2),
            ("mark_mode", "1", 1),
            ("cnp_priority", "adapter", 1),
            ("release", "grant", 1),
            ("becn_per", "32", 32),
            ("inject", "advoq", 0),
            ("inject", "fifo:3", 3),
        ] {
            assert_eq!(value(name, text), Ok(Value::Integer(is)), "{name} = {text}");
        }
        assert_eq!(value("cct_us", "1"), Ok(Value::Float(1.0)));
        for (name, text, says) in [
            ("hth", "6.5", "0..65535 flits, or in MTU"),
            ("hth", "6 us", "or in MTU"),
            ("hth", "MTU", "or in MTU"),
            ("hth", "3000 MTU", "is 96000 flits; legal is 0..65535"),
            ("mtu", "2 MTU", "1..64 flits"),
            ("line_timer", "0 us", "is 0 cycles"),
            ("restart", "1", "true or false"),
            ("eval", "max", "3 queue"),
            ("eval", "4", "0 each"),
            ("cct_us", "nan", "0 to"),
            ("becn_per", "3", "legal is 1, 2, 4, 8, 16, 32, 64, 128 packets"),
            ("becn_per", "256", "64, 128 packets"),
            ("becn_per", "many", "legal is 1, 2"),
            ("cnp_priority", "true", "0 all, 1 adapter, 2 none"),
            ("release", "packet", "0 flit, 1 grant"),
            ("inject", "fifo:9", "0 advoq, 1 fifo:1"),
            ("root_queue", "1", "true or false"),
        ] {
            let e = value(name, text).unwrap_err();
            assert!(e.problem.contains(says), "{name} = {text}: {e:?}");
        }
        let clock = Clock { mtu: 32, cycle_ps: None, hosts: None };
        let e = read(keys::find("line_timer").unwrap(), &of_text("3us"), &clock).unwrap_err();
        assert!(e.problem.contains("depends on the network"), "{e:?}");
    }

    #[test]
    fn masks_are_right_aligned() {
        let mask = |s: &str| Mask::parse(s).map(|m| m.0);
        assert_eq!(mask("0x1FFFFFFFFE"), Some([0x1f_ffff_fffe, 0, 0, 0]));
        assert_eq!(mask("1"), Some([1, 0, 0, 0]));
        assert_eq!(mask(&"f".repeat(64)), Some([u64::MAX; 4]));
        assert_eq!(mask(&format!("8{}", "0".repeat(63))), Some([0, 0, 0, 1 << 63]));
        for s in ["", "0x", "0xg", &"0".repeat(65)] {
            assert_eq!(mask(s), None, "{s}");
        }
        for text in ["\"0x1e\"", "0x1e", "[1, 2, 3, 4]", "30"] {
            assert_eq!(value("victim_mask", text), Ok(Value::String("0x1e".into())), "{text}");
        }
        let m = Mask([0, 2, 0, 1]);
        assert_eq!(Mask::try_from(String::from(m)), Ok(m));
        assert!(m.has(65) && m.has(192) && !m.has(1) && !m.has(256));
        assert_eq!(String::from(Mask::default()), "0x0");
    }
}
