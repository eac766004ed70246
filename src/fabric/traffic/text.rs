//! The small notations inside a traffic description: node selections, loads, times, sizes, destinations.

use std::fmt;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

/// A TOML value that may be written as a number or as text.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Raw {
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Raw>),
}

impl Raw {
    /// As the text that the notations are read from.
    pub fn text(&self) -> String {
        match self {
            Raw::Int(n) => n.to_string(),
            Raw::Float(x) => x.to_string(),
            Raw::Text(t) => t.clone(),
            Raw::List(l) => l.iter().map(Raw::text).collect::<Vec<_>>().join(", "),
        }
    }
}

/// The parts of a list between commas that are in no brackets.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
}

macro_rules! textual {
    ($name:ident) => {
        impl TryFrom<Raw> for $name {
            type Error = anyhow::Error;
            fn try_from(raw: Raw) -> Result<$name> {
                raw.text().parse()
            }
        }
        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.to_string()
            }
        }
    };
}

pub(super) use textual;

/// A number followed by a unit; the unit is empty if only a number was written.
fn number_and_unit(text: &str) -> Result<(f64, String)> {
    let t = text.trim();
    let end = t.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(t.len());
    let number: f64 = t[..end]
        .replace('_', "")
        .parse()
        .map_err(|_| anyhow!("{t:?}: a number, 0 or more, is wanted at the start"))?;
    Ok((number, t[end..].trim().to_string()))
}

/// A point in time or a duration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub enum Time {
    /// In cycles.
    Cycles(u64),
    /// In nanoseconds.
    Ns(f64),
}

impl Time {
    /// From milliseconds.
    pub fn ms(ms: f64) -> Time {
        Time::Ns(ms * 1e6)
    }

    /// From microseconds.
    pub fn us(us: f64) -> Time {
        Time::Ns(us * 1e3)
    }

    /// In cycles of `cycle_ps` picoseconds, rounded to the nearest.
    pub fn cycles(self, cycle_ps: u64) -> u64 {
        match self {
            Time::Cycles(c) => c,
            Time::Ns(ns) => (ns * 1000.0 / cycle_ps as f64).round() as u64,
        }
    }

    /// The same, `factor` times as long.
    pub fn scaled(self, factor: f64) -> Time {
        match self {
            Time::Cycles(c) => Time::Cycles((c as f64 * factor).round() as u64),
            Time::Ns(ns) => Time::Ns(ns * factor),
        }
    }
}

impl std::str::FromStr for Time {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Time> {
        let (n, unit) = number_and_unit(text).context("a time")?;
        Ok(match unit.as_str() {
            "" | "cycles" | "cycle" => Time::Cycles(n.round() as u64),
            "ns" => Time::Ns(n),
            "us" | "µs" => Time::us(n),
            "ms" => Time::ms(n),
            "s" => Time::ms(n * 1000.0),
            _ => bail!("time {text:?}: unit {unit:?}; legal: cycles, ns, us, ms, s"),
        })
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Time::Cycles(c) => write!(f, "{c} cycles"),
            Time::Ns(ns) if *ns >= 1e6 => write!(f, "{} ms", ns / 1e6),
            Time::Ns(ns) if *ns >= 1e3 => write!(f, "{} us", ns / 1e3),
            Time::Ns(ns) => write!(f, "{ns} ns"),
        }
    }
}
textual!(Time);

/// How much a source offers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub enum Load {
    /// Flits per cycle.
    Flits(f64),
    /// Gbit/s.
    Gbps(f64),
    /// Per cent of what the host can inject (its link, or its own limit if that is lower).
    Percent(f64),
}

impl std::str::FromStr for Load {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Load> {
        let (n, unit) = number_and_unit(text).context("load")?;
        let load = match unit.to_ascii_lowercase().as_str() {
            "" | "flits/cycle" => Load::Flits(n),
            "gbit/s" | "gbps" => Load::Gbps(n),
            "%" => Load::Percent(n),
            _ => bail!("load {text:?}: unit {unit:?}; legal: none (flits per cycle), Gbit/s, %"),
        };
        if let Load::Percent(p) = load
            && !(p > 0.0 && p <= 100.0)
        {
            bail!("load {text:?}: more than 0 and at most 100 %");
        }
        Ok(load)
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Load::Flits(x) => write!(f, "{x}"),
            Load::Gbps(x) => write!(f, "{x} Gbit/s"),
            Load::Percent(x) => write!(f, "{x}%"),
        }
    }
}
textual!(Load);

/// Length of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub enum Size {
    /// In flits.
    Flits(u32),
    /// In bytes, headers included; the last flit may be part filled.
    Bytes(u64),
}

impl Size {
    /// In flits, at least one.
    pub fn flits(self) -> u64 {
        match self {
            Size::Flits(n) => u64::from(n),
            Size::Bytes(b) => b.div_ceil(64).max(1),
        }
    }
}

impl std::str::FromStr for Size {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Size> {
        let (n, unit) = number_and_unit(text).context("message length")?;
        if n < 1.0 || n.fract() != 0.0 || n > 1e9 {
            bail!("message length {text:?}: a whole number from 1 to 10^9");
        }
        Ok(match unit.as_str() {
            "" | "flits" | "flit" => Size::Flits(n as u32),
            "B" => Size::Bytes(n as u64),
            "KiB" => Size::Bytes(n as u64 * 1024),
            "MiB" => Size::Bytes(n as u64 * 1024 * 1024),
            _ => bail!("message length {text:?}: unit {unit:?}; legal: flits, B, KiB, MiB"),
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Size::Flits(n) => write!(f, "{n} flits"),
            Size::Bytes(b) => write!(f, "{b} B"),
        }
    }
}
textual!(Size);

/// One term of a node selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// Every node.
    All,
    /// Nodes `a..=b`.
    Range(u32, u32),
    /// Nodes `s` with `s mod m = r`.
    Mod(u32, u32),
    /// The nodes of a role.
    Role(String),
    /// The nodes in no role.
    Rest,
    /// A host by name.
    Host(String),
}

/// A selection of nodes: the union of the terms, less the `not` terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub struct Nodes {
    /// The terms; true = `not`.
    pub terms: Vec<(bool, Term)>,
}

impl Nodes {
    /// The nodes that are selected, in ascending order; at least one. `of` has those of a term.
    pub fn list(&self, of: impl Fn(&Term) -> Result<Vec<u32>>) -> Result<Vec<u32>> {
        let mut list: Vec<u32> = Vec::new();
        for (not, term) in &self.terms {
            let found = of(term).with_context(|| format!("selection \"{self}\""))?;
            match not {
                false => list.extend(found),
                true => list.retain(|s| !found.contains(s)),
            }
        }
        list.sort_unstable();
        list.dedup();
        if list.is_empty() {
            bail!("selection \"{self}\" is empty");
        }
        Ok(list)
    }

    /// Every node.
    pub fn all() -> Nodes {
        Nodes { terms: vec![(false, Term::All)] }
    }

    /// One node.
    pub fn one(node: u32) -> Nodes {
        Nodes { terms: vec![(false, Term::Range(node, node))] }
    }

    /// A role.
    pub fn role(name: &str) -> Nodes {
        Nodes { terms: vec![(false, Term::Role(name.into()))] }
    }

    /// The nodes in no role.
    pub fn rest() -> Nodes {
        Nodes { terms: vec![(false, Term::Rest)] }
    }
}

impl std::str::FromStr for Term {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Term> {
        let t = text.trim();
        if t.is_empty() {
            bail!("an empty term in a selection of nodes");
        }
        let number = |s: &str| s.trim().parse::<u32>().ok();
        if t == "all" {
            return Ok(Term::All);
        }
        if t == "rest" {
            return Ok(Term::Rest);
        }
        if let Some(name) = t.strip_prefix("role ") {
            return Ok(Term::Role(name.trim().into()));
        }
        if let Some(rule) = t.strip_prefix("mod ") {
            let parts = rule.split_once('=').and_then(|(m, r)| Some((number(m)?, number(r)?)));
            return match parts {
                Some((m, r)) if m >= 1 && r < m => Ok(Term::Mod(m, r)),
                _ => bail!("{t:?}: write \"mod M = R\" with 0 <= R < M"),
            };
        }
        if let Some(n) = number(t) {
            return Ok(Term::Range(n, n));
        }
        if let Some((a, b)) = t.split_once('-').and_then(|(a, b)| Some((number(a)?, number(b)?))) {
            if a > b {
                bail!("range {t:?} runs backwards");
            }
            return Ok(Term::Range(a, b));
        }
        Ok(Term::Host(t.into()))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Term::All => write!(f, "all"),
            Term::Rest => write!(f, "rest"),
            Term::Range(a, b) if a == b => write!(f, "{a}"),
            Term::Range(a, b) => write!(f, "{a}-{b}"),
            Term::Mod(m, r) => write!(f, "mod {m} = {r}"),
            Term::Role(name) => write!(f, "role {name}"),
            Term::Host(name) => write!(f, "{name}"),
        }
    }
}

impl std::str::FromStr for Nodes {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Nodes> {
        let term = |t: &str| match t.trim().strip_prefix("not ") {
            Some(rest) => Ok((true, rest.parse()?)),
            None => Ok((false, t.parse()?)),
        };
        let terms: Vec<(bool, Term)> = text.split(',').map(term).collect::<Result<_>>()?;
        if terms[0].0 {
            bail!("{text:?}: a selection starts with what it takes, for instance \"all, not 3\"");
        }
        Ok(Nodes { terms })
    }
}

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = |(not, term): &(bool, Term)| format!("{}{term}", if *not { "not " } else { "" });
        f.write_str(&self.terms.iter().map(text).collect::<Vec<_>>().join(", "))
    }
}
textual!(Nodes);

/// A fixed destination for every source. A node that would send to itself sends nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permutation {
    /// All bits of the node number inverted; 2^b nodes.
    Complement,
    /// Its bits in reverse order; 2^b nodes.
    Reverse,
    /// Its upper and lower half of bits exchanged; 4^b nodes.
    Transpose,
    /// Its bits rotated left by one; 2^b nodes.
    Shuffle,
    /// The node `k` further on.
    Shift(u32),
}

impl Permutation {
    /// Where `s` of `n` nodes sends to.
    pub fn of(self, s: u32, n: u32) -> Result<u32> {
        let bits = n.trailing_zeros();
        let power = n.is_power_of_two() && n > 1;
        Ok(match self {
            Permutation::Shift(k) => ((u64::from(s) + u64::from(k)) % u64::from(n)) as u32,
            _ if !power => bail!("permutation {self}: {n} nodes; a power of two is needed"),
            Permutation::Complement => !s & (n - 1),
            Permutation::Reverse => s.reverse_bits() >> (32 - bits),
            Permutation::Transpose if bits % 2 == 1 => {
                bail!("permutation transpose: {n} nodes; a power of four is needed")
            }
            Permutation::Transpose => ((s << (bits / 2)) | (s >> (bits / 2))) & (n - 1),
            Permutation::Shuffle => ((s << 1) | (s >> (bits - 1))) & (n - 1),
        })
    }
}

impl fmt::Display for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Permutation::Complement => write!(f, "complement"),
            Permutation::Reverse => write!(f, "reverse"),
            Permutation::Transpose => write!(f, "transpose"),
            Permutation::Shuffle => write!(f, "shuffle"),
            Permutation::Shift(k) => write!(f, "shift {k}"),
        }
    }
}

/// Where a group sends to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub enum To {
    /// One node, by number or name.
    Node(Term),
    /// All other nodes, each with the same probability, drawn for every message.
    Uniform,
    /// The nodes of a selection (other than the source), drawn for every message.
    UniformOver(Nodes),
    /// The i-th source of the group sends to hotspot `i mod n` of the list of that name.
    Hotspots(String),
    /// A permutation.
    Permutation(Permutation),
    /// Node `s` sends to node `((s div 4) mod 4) * N/4`.
    Quarters,
}

impl std::str::FromStr for To {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<To> {
        let t = text.trim();
        if t == "uniform" {
            return Ok(To::Uniform);
        }
        if t == "quarters" {
            return Ok(To::Quarters);
        }
        if let Some(set) = t.strip_prefix("uniform over ") {
            return Ok(To::UniformOver(set.parse()?));
        }
        if let Some(name) = t.strip_prefix("hotspots ") {
            return Ok(To::Hotspots(name.trim().into()));
        }
        if let Some(name) = t.strip_prefix("permutation ") {
            let p = match name.trim() {
                "complement" => Permutation::Complement,
                "reverse" => Permutation::Reverse,
                "transpose" => Permutation::Transpose,
                "shuffle" => Permutation::Shuffle,
                other => match other.strip_prefix("shift ").and_then(|k| k.trim().parse().ok()) {
                    Some(k) => Permutation::Shift(k),
                    None => bail!(
                        "permutation {other:?}; legal: complement, reverse, transpose, shuffle, shift K"
                    ),
                },
            };
            return Ok(To::Permutation(p));
        }
        match t.strip_prefix("node ").unwrap_or(t).parse::<Term>()? {
            Term::Range(a, b) if a == b => Ok(To::Node(Term::Range(a, a))),
            Term::Host(name) => Ok(To::Node(Term::Host(name))),
            _ => bail!(
                "to = {t:?}; legal: a node number or host name, \"uniform\", \"uniform over NODES\", \
                 \"hotspots NAME\", \"permutation P\", \"quarters\""
            ),
        }
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            To::Node(term) => write!(f, "{term}"),
            To::Uniform => write!(f, "uniform"),
            To::UniformOver(nodes) => write!(f, "uniform over {nodes}"),
            To::Hotspots(name) => write!(f, "hotspots {name}"),
            To::Permutation(p) => write!(f, "permutation {p}"),
            To::Quarters => write!(f, "quarters"),
        }
    }
}
textual!(To);

/// `name(value, key=value, ...)`, or only `name`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name.
    pub name: String,
    args: Vec<(String, String)>,
}

impl Call {
    /// Reads one. A value without a key gets the next of `keys`.
    pub fn parse(text: &str, keys: impl Fn(&str) -> Option<&'static [&'static str]>) -> Result<Option<Call>> {
        let t = text.trim();
        let (name, inside) = match t.split_once('(') {
            None => (t, ""),
            Some((name, rest)) => {
                let inside =
                    rest.trim_end().strip_suffix(')').ok_or_else(|| anyhow!("{t:?}: no closing ')'"))?;
                (name.trim(), inside)
            }
        };
        let Some(keys) = keys(name) else { return Ok(None) };
        let mut args: Vec<(String, String)> = Vec::new();
        for (i, arg) in split(inside).enumerate().filter(|(_, a)| !a.trim().is_empty()) {
            let (key, value) = match arg.split_once('=') {
                Some((k, v)) => (k.trim(), v.trim()),
                None => (*keys.get(i).ok_or_else(|| anyhow!("{t:?}: too many values"))?, arg.trim()),
            };
            if !keys.contains(&key) {
                bail!("{t:?}: {name} has no {key:?}; it takes {}", keys.join(", "));
            }
            if args.iter().any(|(k, _)| k == key) {
                bail!("{t:?}: {key:?} is given twice");
            }
            args.push((key.into(), value.into()));
        }
        Ok(Some(Call { name: name.into(), args }))
    }

    /// The value of a key.
    pub fn get<T: std::str::FromStr>(&self, key: &str, default: T) -> Result<T>
    where
        T::Err: fmt::Display,
    {
        match self.args.iter().find(|(k, _)| k == key) {
            None => Ok(default),
            Some((_, v)) => v.parse().map_err(|e| anyhow!("{}: {key} = {v:?}: {e}", self.name)),
        }
    }
}
