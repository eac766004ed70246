//! Reads the congestion control options of an opensm options file (`/etc/opensm/opensm.conf`).
//!
//! The syntax is opensm's. Where opensm silently does something else than what is written (cuts a line, takes a
//! value as FALSE, keeps an old value, packs a multiplier into the shift), this reader says so and stops. Options that
//! have nothing to do with congestion control are left alone.

use std::path::Path;

use toml::Value;

use super::cct::Entry as CctEntry;
use super::error::{ConfigError, Origin, read, unknown};
use super::sources::Sources;
use super::value::{Mask as Ports, cut};

/// opensm reads lines into a buffer of 1024 bytes, with the newline and the terminating zero.
const LINE_MAX: usize = 1022;
/// opensm's table has no more entries.
const CCT_MAX: usize = 128;

/// What the file says: opensm's structures, all zero at first.
#[derive(Clone, Debug, Default)]
struct Options {
    congestion_control: bool,
    control_map: u32,
    victim_mask: Ports,
    threshold: u8,
    packet_size: u8,
    marking_rate: u16,
    port_control: u16,
    ca_control_map: u16,
    ccti_timer: [u16; 16],
    ccti_increase: [u8; 16],
    ccti_min: [u8; 16],
    cct: Vec<CctEntry>,
}

/// Type, largest value and destination of an option.
#[derive(Clone, Copy)]
enum OptionKind {
    Bool(fn(&mut Options, bool)),
    Int(u64, fn(&mut Options, u64)),
    /// `<SL> <value>`
    PerSl(u64, fn(&mut Options, usize, u64)),
    Mask(fn(&mut Options, Ports)),
    Entry,
    Table,
}

/// One option.
pub struct OpensmOption {
    /// Its name in the file.
    pub name: &'static str,
    /// Unit.
    pub measure: &'static str,
    kind: OptionKind,
    /// What opensm takes if the file does not say it.
    pub default: &'static str,
    /// Meaning.
    pub text: &'static str,
}

impl OpensmOption {
    /// It has a place in quell.
    pub fn has_a_place(&self) -> bool {
        !self.text.ends_with("ignored")
    }

    /// The legal values in words.
    pub fn legal(&self) -> String {
        match self.kind {
            OptionKind::Bool(_) => "TRUE or FALSE".into(),
            OptionKind::Int(max, _) => format!("0..{max}"),
            OptionKind::PerSl(max, _) => format!("<SL 0..15> <0..{max}>"),
            OptionKind::Mask(_) => "at most 64 hexadecimal digits".into(),
            OptionKind::Entry => "shift:multiplier (0..3:0..16383)".into(),
            OptionKind::Table => {
                "at most 128 of shift:multiplier (0..3:0..16383), separated by commas, or (null)".into()
            }
        }
    }
}

const fn key(
    name: &'static str,
    measure: &'static str,
    kind: OptionKind,
    default: &'static str,
    text: &'static str,
) -> OpensmOption {
    OpensmOption { name, measure, kind, default, text }
}

use OptionKind::{Bool, Entry, Int, Mask, PerSl, Table};

/// Every option that concerns congestion control.
pub const OPTIONS: &[OpensmOption] = &[
    key(
        "congestion_control",
        "",
        Bool(|o, v| o.congestion_control = v),
        "FALSE",
        "opensm programs congestion control",
    ),
    key("cc_key", "", Int(u64::MAX, |_, _| ()), "0", "key of the management packets; ignored"),
    key("cc_max_outstanding_mads", "", Int(u32::MAX as u64, |_, _| ()), "500", "management packets; ignored"),
    key(
        "cc_sw_cong_setting_control_map",
        "bits",
        Int(0x1f, |o, v| o.control_map = v as u32),
        "0",
        "which settings are programmed: 0 victim mask, 1 credit mask, 2 threshold and packet size, 3 credit starvation, 4 marking rate",
    ),
    key(
        "cc_sw_cong_setting_victim_mask",
        "ports",
        Mask(|o, v| o.victim_mask = v),
        "0",
        "ports that mark without credits (D3): bit p is port p",
    ),
    key(
        "cc_sw_cong_setting_credit_mask",
        "ports",
        Mask(|_, _| ()),
        "0",
        "ports with credit starvation; not built: ignored",
    ),
    key(
        "cc_sw_cong_setting_threshold",
        "",
        Int(15, |o, v| o.threshold = v as u8),
        "0",
        "threshold weight (D4)",
    ),
    key(
        "cc_sw_cong_setting_packet_size",
        "64 bytes",
        Int(255, |o, v| o.packet_size = v as u8),
        "0",
        "smaller packets are not marked (M1)",
    ),
    key(
        "cc_sw_cong_setting_credit_starvation_threshold",
        "",
        Int(15, |_, _| ()),
        "0",
        "credit starvation; not built: ignored",
    ),
    key(
        "cc_sw_cong_setting_credit_starvation_return_delay",
        "packets",
        Entry,
        "0:0",
        "credit starvation; not built: ignored",
    ),
    key(
        "cc_sw_cong_setting_marking_rate",
        "packets",
        Int(65535, |o, v| o.marking_rate = v as u16),
        "0",
        "eligible packets between marked ones (M2)",
    ),
    key(
        "cc_ca_cong_setting_port_control",
        "bits",
        Int(1, |o, v| o.port_control = v as u16),
        "0",
        "0: the index belongs to the flow, 1: to the SL (H7)",
    ),
    key(
        "cc_ca_cong_setting_control_map",
        "SLs",
        Int(0xffff, |o, v| o.ca_control_map = v as u16),
        "0",
        "SLs whose settings are programmed; the throttle takes those of the lowest",
    ),
    key(
        "cc_ca_cong_setting_ccti_timer",
        "1.024 us",
        PerSl(65535, |o, s, v| o.ccti_timer[s] = v as u16),
        "0",
        "between two decrements (H4); 0 never",
    ),
    key(
        "cc_ca_cong_setting_ccti_increase",
        "entries",
        PerSl(255, |o, s, v| o.ccti_increase[s] = v as u8),
        "0",
        "added to the index by a BECN (H3)",
    ),
    key("cc_ca_cong_setting_trigger_threshold", "entry", PerSl(255, |_, _, _| ()), "0", "logging; ignored"),
    key(
        "cc_ca_cong_setting_ccti_min",
        "entry",
        PerSl(255, |o, s, v| o.ccti_min[s] = v as u8),
        "0",
        "the timer lowers no index below it (H4)",
    ),
    key("cc_cct", "packets", Table, "(null)", "congestion control table (H6); its last index is CCTI_Limit"),
];

/// An integer as C's `strtoul(.., 0)` reads it: `0x` hexadecimal, `0` octal, else decimal; the whole text, no sign.
pub fn integer(s: &str) -> Option<u64> {
    let digits = |s: &str, radix| {
        (!s.is_empty() && s.chars().all(|c| c.is_digit(radix))).then(|| u64::from_str_radix(s, radix).ok())?
    };
    match s.strip_prefix("0x").or(s.strip_prefix("0X")) {
        Some(hex) => digits(hex, 16),
        None if s.len() > 1 && s.starts_with('0') => digits(&s[1..], 8),
        None => digits(s, 10),
    }
}

/// A truth value.
pub fn boolean(s: &str) -> Result<bool, String> {
    match s {
        "TRUE" => Ok(true),
        "FALSE" => Ok(false),
        _ => Err("legal is TRUE or FALSE (opensm takes everything but TRUE for FALSE)".into()),
    }
}

/// A line with an option.
pub struct OptionLine<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// The option.
    pub name: &'a str,
    /// The rest of the line, without quotes.
    pub value: &'a str,
}

/// What is wrong with a line of an options file.
pub fn wrong_line(path: &Path, number: usize, field: &str, value: &str, problem: String) -> ConfigError {
    ConfigError::new(Origin::file(path, Some(number), None), field, cut(value), problem)
}

/// The lines with options of an options file.
pub fn option_lines<'a>(path: &Path, text: &'a str) -> Result<Vec<OptionLine<'a>>, ConfigError> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate().map(|(n, l)| (n + 1, l)) {
        if line.len() > LINE_MAX {
            let field = line.split([' ', '\t', '#']).next().unwrap_or_default();
            let problem = format!(
                "the line has {} bytes; opensm reads at most {LINE_MAX} and takes the rest for a new option: shorten it",
                line.len()
            );
            return Err(wrong_line(path, number, field, "", problem));
        }
        let line = line.split('#').next().unwrap_or_default().trim();
        let (name, value) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        if !name.is_empty() {
            all.push(OptionLine { number, name, value: unquote(value.trim()) });
        }
    }
    Ok(all)
}

impl Sources {
    /// Adds what an opensm options file says. What it does not say has opensm's defaults, if it switches congestion control on.
    pub fn opensm(&mut self, path: &Path) -> Result<(), ConfigError> {
        load(self, path)
    }
}

fn load(sources: &mut Sources, path: &Path) -> Result<(), ConfigError> {
    let text = read(path)?;
    let mut o = Options::default();
    let mut lines: Vec<Line> = Vec::new();
    for OptionLine { number: n, name, value } in option_lines(path, &text)? {
        let fail = |field: &str, value: &str, problem: String| wrong_line(path, n, field, value, problem);
        let Some(option) = OPTIONS.iter().find(|k| k.name == name) else {
            if name.starts_with("cc_") {
                let names = OPTIONS.iter().map(|k| k.name);
                return Err(fail(name, value, unknown("option", name, names)));
            }
            continue;
        };
        let sl = set(&mut o, option, value).map_err(|why| fail(name, value, why))?;
        if let Some(first) = lines.iter().find(|l| (l.option.name, l.sl) == (name, sl)) {
            let first = first.number;
            sources.note(format!("{}:{n}: {name} repeats line {first}; the last one counts", path.display()));
        }
        lines.push(Line { option, sl, number: n });
    }
    let mut ignored: Vec<&str> =
        lines.iter().map(|l| l.option).filter(|o| !o.has_a_place()).map(|o| o.name).collect();
    ignored.dedup();
    if !ignored.is_empty() {
        sources.note(format!("{}: ignored, without a place here: {}", path.display(), ignored.join(", ")));
    }
    if !o.congestion_control {
        sources.note(format!(
            "{}: congestion_control is not TRUE: opensm programs nothing; marking and throttling are off",
            path.display()
        ));
    }
    say(sources, path, &o, &lines)
}

/// Where an option stands.
struct Line {
    option: &'static OpensmOption,
    /// Of an option for an SL.
    sl: Option<usize>,
    number: usize,
}

/// Says what the options mean. A table of one entry is never sent; CCTI_Limit is the last index.
fn say(sources: &mut Sources, path: &Path, o: &Options, lines: &[Line]) -> Result<(), ConfigError> {
    let sl = (o.ca_control_map.trailing_zeros() as usize).min(15);
    let from = |name: &str| {
        let mut all = lines.iter().rev().filter(|l| l.option.name == name);
        let line = all.find(|l| l.sl.is_none_or(|s| s == sl)).map(|l| l.number);
        Origin::file(path, line, Some(name))
    };
    let mut put = |name: &str, value: Value, key: &str| sources.say(name, value, from(key));
    if !o.congestion_control {
        put("marking", false.into(), "congestion_control")?;
        return put("throttling", false.into(), "congestion_control");
    }
    let map = |bit: u32| o.control_map >> bit & 1 == 1;
    let number = |programmed: bool, v: i64| Value::Integer(if programmed { v } else { 0 });
    let victims = if map(0) { o.victim_mask } else { Ports::default() };
    let threshold = if map(2) { o.threshold } else { 0 };
    put("marking", (threshold > 0).into(), "cc_sw_cong_setting_threshold")?;
    put("weight", Value::Integer(threshold.into()), "cc_sw_cong_setting_threshold")?;
    put("packet_size", number(map(2), o.packet_size.into()), "cc_sw_cong_setting_packet_size")?;
    put("marking_rate", number(map(4), o.marking_rate.into()), "cc_sw_cong_setting_marking_rate")?;
    put("victim_mask", String::from(victims).into(), "cc_sw_cong_setting_victim_mask")?;
    let programmed = o.ca_control_map != 0;
    let of_sl = |s: usize| [o.ccti_timer[s].into(), o.ccti_increase[s].into(), o.ccti_min[s].into()];
    let [timer, increase, min] = of_sl(sl);
    put("throttling", true.into(), "congestion_control")?;
    put("ccti_timer", number(programmed, timer), "cc_ca_cong_setting_ccti_timer")?;
    put("ccti_increase", number(programmed, increase), "cc_ca_cong_setting_ccti_increase")?;
    put("ccti_min", number(programmed, min), "cc_ca_cong_setting_ccti_min")?;
    put("sl_mode", (o.port_control & 1 == 1).into(), "cc_ca_cong_setting_port_control")?;
    let table = if o.cct.len() > 1 { &o.cct[..] } else { &[CctEntry(0)] };
    let entries = table.iter().map(|e| Value::String((*e).into())).collect();
    put("cct", Value::Array(entries), "cc_cct")?;
    put("ccti_limit", Value::Integer(table.len() as i64 - 1), "cc_cct")?;
    // InfiniBand's way.
    let implied = Origin::file(path, None, None);
    for (name, value) in [("victim_hosts", false), ("timer_per_sl", true), ("restart", false)] {
        sources.say(name, value.into(), implied.clone())?;
    }
    sources.say("mark_mode", 0.into(), implied)?;

    let mut note = |text: String| sources.note(format!("{}: {text}", path.display()));
    for (bit, what, given) in [
        (0, "victim_mask", o.victim_mask != Ports::default()),
        (2, "threshold", o.threshold != 0),
        (2, "packet_size", o.packet_size != 0),
        (4, "marking_rate", o.marking_rate != 0),
    ] {
        if given && !map(bit) {
            note(format!(
                "cc_sw_cong_setting_{what} has no effect: bit {bit} of cc_sw_cong_setting_control_map is 0, switches \
                 keep 0"
            ));
        }
    }
    if threshold == 0 {
        note("the threshold is 0: switches never mark".into());
    }
    if !programmed {
        note("cc_ca_cong_setting_control_map is 0: no SL is programmed, a BECN changes nothing".into());
    } else if let Some(other) = (0..16).find(|&s| o.ca_control_map >> s & 1 == 1 && of_sl(s) != of_sl(sl)) {
        note(format!(
            "SL {other} has other CCTI settings than SL {sl}; the throttle has one set and takes those of SL {sl}"
        ));
    }
    match o.cct.len() {
        0 => note("cc_cct is empty: the only entry is 0, nothing is throttled".into()),
        1 => note("cc_cct: opensm never sends a table of one entry; CCTI_Limit and the entry are 0".into()),
        _ => {}
    }
    Ok(())
}

/// Removes one pair of matching quotes.
fn unquote(s: &str) -> &str {
    for q in ['"', '\''] {
        if let Some(inner) = s.strip_prefix(q).and_then(|s| s.strip_suffix(q)) {
            return inner;
        }
    }
    s
}

/// Stores one option, and says of which SL it is; the error says what is wrong and what is legal.
fn set(o: &mut Options, key: &OpensmOption, value: &str) -> Result<Option<usize>, String> {
    let legal = || format!("legal is {}", key.legal());
    let number = |s: &str, max: u64| integer(s).filter(|v| *v <= max).ok_or_else(legal);
    match key.kind {
        Bool(set) => set(o, boolean(value)?),
        Int(max, set) => set(o, number(value, max)?),
        PerSl(max, set) => {
            let mut words = value.split_whitespace();
            let (Some(sl), Some(v), None) = (words.next(), words.next(), words.next()) else {
                return Err(legal());
            };
            let sl = number(sl, 15)? as usize;
            set(o, sl, number(v, max)?);
            return Ok(Some(sl));
        }
        Mask(set) => set(o, Ports::parse(value).ok_or_else(legal)?),
        Entry => {
            CctEntry::parse(value, integer)?;
        }
        Table => {
            o.cct.clear();
            if value == "(null)" {
                return Ok(None);
            }
            for (i, e) in value.split(',').enumerate() {
                if i == CCT_MAX {
                    return Err(format!("{} (opensm drops the rest)", legal()));
                }
                let entry = CctEntry::parse(e, integer);
                o.cct.push(entry.map_err(|why| format!("entry {i}, \"{}\": {why}", cut(e)))?);
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_cs() {
        for (s, v) in [("0", 0), ("10", 10), ("0x1F", 31), ("010", 8), ("0X10", 16)] {
            assert_eq!(integer(s), Some(v), "{s}");
        }
        for s in ["", "08", "0x", "-1", "+1", "1a", "1 2", "99999999999999999999999"] {
            assert_eq!(integer(s), None, "{s}");
        }
    }
}
