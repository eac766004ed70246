//! Reads the congestion control options of an opensm options file (`/etc/opensm/opensm.conf`).
//!
//! The syntax is opensm's. Where opensm silently does something else than what is written (cuts a line, takes a
//! value as FALSE, keeps an old value, packs a multiplier into the shift), this reader says so and stops. Options that
//! have nothing to do with congestion control are left alone.

use super::keys::entry;
use super::{Cct, Config, ConfigError, read};
use crate::params::Params;
use std::path::Path;

/// opensm reads lines into a buffer of 1024 bytes, with the newline and the terminating zero.
const LINE_MAX: usize = 1022;
/// opensm's table has no more entries.
const CCT_MAX: usize = 128;

/// What the file says: opensm's structures, all zero at first.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    congestion_control: bool,
    control_map: u32,
    victim_mask: [u64; 4],
    credit_mask: [u64; 4],
    threshold: u8,
    packet_size: u8,
    credit_starvation_threshold: u8,
    marking_rate: u16,
    port_control: u16,
    ca_control_map: u16,
    ccti_timer: [u16; 16],
    ccti_increase: [u8; 16],
    ccti_min: [u8; 16],
    cct: Vec<u16>,
}

/// Type, largest value and destination of an option.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Bool(fn(&mut Options, bool)),
    Int(u64, fn(&mut Options, u64)),
    /// `<SL> <value>`
    PerSl(u64, fn(&mut Options, usize, u64)),
    Mask(fn(&mut Options, [u64; 4])),
    Entry,
    Table,
}

/// One option.
pub(super) struct Key {
    pub name: &'static str,
    pub measure: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub text: &'static str,
}

impl Key {
    /// The legal values in words.
    pub(super) fn legal(&self) -> String {
        match self.kind {
            Kind::Bool(_) => "TRUE or FALSE".into(),
            Kind::Int(max, _) => format!("0..{max}"),
            Kind::PerSl(max, _) => format!("<SL 0..15> <0..{max}>"),
            Kind::Mask(_) => "at most 64 hexadecimal digits".into(),
            Kind::Entry => "shift:multiplier (0..3:0..16383)".into(),
            Kind::Table => {
                "at most 128 of shift:multiplier (0..3:0..16383), separated by commas, or (null)".into()
            }
        }
    }
}

const fn key(
    name: &'static str,
    measure: &'static str,
    kind: Kind,
    default: &'static str,
    text: &'static str,
) -> Key {
    Key { name, measure, kind, default, text }
}

use Kind::{Bool, Entry, Int, Mask, PerSl, Table};

/// Every option that concerns congestion control.
pub(super) const KEYS: &[Key] = &[
    key(
        "congestion_control",
        "",
        Bool(|o, v| o.congestion_control = v),
        "FALSE",
        "opensm programs congestion control",
    ),
    key("cc_key", "", Int(u64::MAX, |_, _| ()), "0", "key of the management packets; no meaning here"),
    key(
        "cc_max_outstanding_mads",
        "",
        Int(u32::MAX as u64, |_, _| ()),
        "500",
        "management packets; no meaning here",
    ),
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
        Mask(|o, v| o.credit_mask = v),
        "0",
        "ports with credit starvation; not built",
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
        Int(15, |o, v| o.credit_starvation_threshold = v as u8),
        "0",
        "credit starvation; not built",
    ),
    key(
        "cc_sw_cong_setting_credit_starvation_return_delay",
        "packets",
        Entry,
        "0:0",
        "credit starvation; not built",
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
    key(
        "cc_ca_cong_setting_trigger_threshold",
        "entry",
        PerSl(255, |_, _, _| ()),
        "0",
        "logging; no meaning here",
    ),
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
fn integer(s: &str) -> Option<u64> {
    let digits = |s: &str, radix| {
        (!s.is_empty() && s.chars().all(|c| c.is_digit(radix))).then(|| u64::from_str_radix(s, radix).ok())?
    };
    match s.strip_prefix("0x").or(s.strip_prefix("0X")) {
        Some(hex) => digits(hex, 16),
        None if s.len() > 1 && s.starts_with('0') => digits(&s[1..], 8),
        None => digits(s, 10),
    }
}

/// A mask of 256 bits from at most 64 hexadecimal digits, right-aligned.
pub(super) fn mask(s: &str) -> Option<[u64; 4]> {
    let hex = s.strip_prefix("0x").or(s.strip_prefix("0X")).unwrap_or(s);
    if hex.is_empty() || hex.len() > 64 || !hex.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let mut mask = [0u64; 4];
    for (i, c) in hex.chars().rev().enumerate() {
        mask[i / 16] |= u64::from(c.to_digit(16)?) << (i % 16 * 4);
    }
    Some(mask)
}

/// Reads an opensm options file for a build; everything that it does not say has the papers' values.
pub fn load_opensm(path: &Path, p: &Params) -> Result<Config, ConfigError> {
    let mut config = Config::default();
    apply_opensm(&mut config, path, p)?;
    Ok(config)
}

/// Lets an opensm options file override the InfiniBand settings of a configuration.
pub fn apply_opensm(config: &mut Config, path: &Path, p: &Params) -> Result<(), ConfigError> {
    let text = read(path)?;
    let mut o = Options::default();
    let mut lines: Vec<(&str, usize)> = Vec::new();
    let mut notes = Vec::new();
    for (n, line) in text.lines().enumerate().map(|(n, l)| (n + 1, l)) {
        let fail = |field: &str, value: &str, problem: String| {
            ConfigError::new(field, cut(value), problem).at(path, Some(n))
        };
        if line.len() > LINE_MAX {
            let field = line.split([' ', '\t', '#']).next().unwrap_or_default();
            return Err(fail(
                field,
                "",
                format!(
                    "the line has {} bytes; opensm reads at most {LINE_MAX} and takes the rest for a new option: shorten it",
                    line.len()
                ),
            ));
        }
        let line = line.split('#').next().unwrap_or_default().trim();
        let (name, value) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let value = unquote(value.trim());
        let Some(key) = KEYS.iter().find(|k| k.name == name) else {
            if name.starts_with("cc_") {
                let names: Vec<&str> = KEYS.iter().map(|k| k.name).collect();
                return Err(fail(
                    name,
                    value,
                    format!("unknown option: the ones of this kind are {}", names.join(", ")),
                ));
            }
            continue;
        };
        set(&mut o, key, value).map_err(|why| fail(name, value, why))?;
        if !matches!(key.kind, PerSl(..))
            && let Some((_, first)) = lines.iter().find(|(k, _)| *k == name)
        {
            notes.push(format!("{}:{n}: {name} repeats line {first}; the last one counts", path.display()));
        }
        lines.push((name, n));
    }
    let line = |name: &str| lines.iter().rev().find(|(k, _)| *k == name).map(|(_, n)| *n);

    // The table as opensm sends it: a single entry is lost, CCTI_Limit is the last index.
    if o.cct.len() > p.cct {
        return Err(ConfigError::new(
            "cc_cct",
            format!("{} entries", o.cct.len()),
            format!("legal is at most CCT = {} entries for this build", p.cct),
        )
        .at(path, line("cc_cct")));
    }
    if o.cct.len() == 1 {
        notes.push("cc_cct: opensm never sends a table of one entry; CCTI_Limit and the entry are 0".into());
        o.cct.clear();
    }
    let table = if o.cct.is_empty() { vec![0] } else { o.cct.clone() };
    let limit = table.len() as u64 - 1;
    let sl = (o.ca_control_map.trailing_zeros() as usize).min(15);
    let programmed = o.ca_control_map != 0;
    let per_sl = |s: usize| (o.ccti_timer[s], o.ccti_increase[s], o.ccti_min[s]);
    let (timer, increase, min) = if programmed { per_sl(sl) } else { (0, 0, 0) };
    if u64::from(min) > limit {
        return Err(ConfigError::new(
            "cc_ca_cong_setting_ccti_min",
            format!("{sl} {min}"),
            format!("legal is 0..{limit} (CCTI_Limit, the last index of cc_cct)"),
        )
        .at(path, line("cc_ca_cong_setting_ccti_min")));
    }

    let map = |bit: u32| o.control_map >> bit & 1 == 1;
    let s = &mut config.switch;
    s.victim_mask = if map(0) { o.victim_mask } else { [0; 4] };
    s.weight = Some(if map(2) { o.threshold.into() } else { 0 });
    s.packet_size = if map(2) { o.packet_size.into() } else { 0 };
    s.marking_rate = if map(4) { o.marking_rate.into() } else { 0 };
    s.mark_mode = 0;
    let h = &mut config.hca;
    h.ccti_timer = timer.into();
    h.ccti_timer_us = None;
    h.ccti_increase = increase.into();
    h.ccti_min = min.into();
    h.ccti_limit = Some(limit);
    h.sl_mode = o.port_control & 1 == 1;
    h.timer_per_sl = true;
    h.restart = false;
    h.cct = Cct::Entries(table);
    config.congestion_control = o.congestion_control;

    if !o.congestion_control {
        notes.push(
            "congestion_control is not TRUE: opensm programs nothing; marking and throttling are off".into(),
        );
    } else {
        for (bit, what, given) in [
            (0, "cc_sw_cong_setting_victim_mask", o.victim_mask != [0; 4]),
            (2, "cc_sw_cong_setting_threshold", o.threshold != 0),
            (2, "cc_sw_cong_setting_packet_size", o.packet_size != 0),
            (4, "cc_sw_cong_setting_marking_rate", o.marking_rate != 0),
        ] {
            if given && !map(bit) {
                notes.push(format!(
                    "{what} has no effect: bit {bit} of cc_sw_cong_setting_control_map is 0, switches keep 0"
                ));
            }
        }
        if config.switch.weight == Some(0) {
            notes.push("the threshold is 0: switches never mark".into());
        }
        if !programmed {
            notes.push(
                "cc_ca_cong_setting_control_map is 0: no SL is programmed, a BECN changes nothing".into(),
            );
        } else if let Some(other) =
            (0..16).find(|&s| o.ca_control_map >> s & 1 == 1 && per_sl(s) != (timer, increase, min))
        {
            notes.push(format!(
                "SL {other} has other CCTI settings than SL {sl}; the throttle has one set and takes those of SL {sl}"
            ));
        }
        if o.cct.is_empty() {
            notes.push("cc_cct is empty: the only entry is 0, nothing is throttled".into());
        }
    }
    if o.credit_mask != [0; 4] && map(1) || o.credit_starvation_threshold != 0 && map(3) {
        notes.push("credit starvation is not built: its options have no effect".into());
    }
    config.setup(p).map_err(|e| e.at(path, None))?;
    notes.extend(config.advice(p));
    for n in notes {
        if !config.notes.contains(&n) {
            config.notes.push(n);
        }
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

/// A value short enough for a message.
fn cut(s: &str) -> String {
    match s.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &s[..at]),
        None => s.into(),
    }
}

/// Stores one option; the error says what is wrong and what is legal.
fn set(o: &mut Options, key: &Key, value: &str) -> Result<(), String> {
    let legal = || format!("legal is {}", key.legal());
    let number = |s: &str, max: u64| integer(s).filter(|v| *v <= max).ok_or_else(legal);
    match key.kind {
        Bool(set) => match value {
            "TRUE" => set(o, true),
            "FALSE" => set(o, false),
            _ => return Err(format!("{} (opensm takes everything but TRUE for FALSE)", legal())),
        },
        Int(max, set) => set(o, number(value, max)?),
        PerSl(max, set) => {
            let mut words = value.split_whitespace();
            let (Some(sl), Some(v), None) = (words.next(), words.next(), words.next()) else {
                return Err(legal());
            };
            set(o, number(sl, 15)? as usize, number(v, max)?);
        }
        Mask(set) => set(o, mask(value).ok_or_else(legal)?),
        Entry => {
            entry(value, integer)?;
        }
        Table => {
            o.cct.clear();
            if value == "(null)" {
                return Ok(());
            }
            for (i, e) in value.split(',').enumerate() {
                if i == CCT_MAX {
                    return Err(format!("{} (opensm drops the rest)", legal()));
                }
                o.cct.push(entry(e, integer).map_err(|why| format!("entry {i}, \"{}\": {why}", cut(e)))?);
            }
        }
    }
    Ok(())
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

    #[test]
    fn masks_are_right_aligned() {
        assert_eq!(mask("0x1FFFFFFFFE"), Some([0x1f_ffff_fffe, 0, 0, 0]));
        assert_eq!(mask("1"), Some([1, 0, 0, 0]));
        assert_eq!(mask(&"f".repeat(64)), Some([u64::MAX; 4]));
        assert_eq!(mask(&format!("8{}", "0".repeat(63))), Some([0, 0, 0, 1 << 63]));
        for s in ["", "0x", "0xg", &"0".repeat(65)] {
            assert_eq!(mask(s), None, "{s}");
        }
    }
}
