//! Congestion control tables: InfiniBand's `shift:multiplier` entries, absolute times, formulas.

use serde::{Deserialize, Serialize};

use super::law::Law;

/// Largest shift of an entry.
pub const SHIFT_MAX: u64 = 3;
/// Largest multiplier of an entry.
pub const MULTIPLIER_MAX: u64 = 16383;

/// Packs an entry; `None` if a part is out of range.
pub fn pack(shift: u64, multiplier: u64) -> Option<u16> {
    (shift <= SHIFT_MAX && multiplier <= MULTIPLIER_MAX).then_some((shift << 14 | multiplier) as u16)
}

/// The entry whose delay after a packet of `packet` cycles comes nearest to `cycles`; the finest step wins a tie.
/// `None` if none reaches it.
pub fn nearest(cycles: f64, packet: u64) -> Option<u16> {
    let mut best: Option<(f64, u16)> = None;
    for shift in (0..=SHIFT_MAX).rev() {
        let unit = packet >> shift;
        if unit == 0 {
            continue;
        }
        let m = (cycles / unit as f64).round();
        if m > MULTIPLIER_MAX as f64 {
            continue;
        }
        let error = (m * unit as f64 - cycles).abs();
        if best.is_none_or(|(e, _)| error < e) {
            best = Some((error, pack(shift, m as u64)?));
        }
    }
    best.map(|(_, e)| e)
}

/// A formula in the index `i`: numbers, `i`, `^` with a whole exponent, `*` and `/`, from left to right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Formula {
    text: String,
    /// Factors: divide, base (`None` = `i`), exponent.
    factors: Vec<(bool, Option<f64>, i32)>,
}

impl Formula {
    /// Reads a formula such as `i^2*7/106^2`; the error says where it stops making sense.
    pub fn parse(text: &str) -> Result<Formula, String> {
        let s: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let number = |at: usize| {
            let end = (at..s.len()).find(|&k| !s[k].is_ascii_digit() && s[k] != '.').unwrap_or(s.len());
            (s[at..end].iter().collect::<String>(), end)
        };
        let mut factors = Vec::new();
        let (mut at, mut divide) = (0, false);
        loop {
            let base = if s.get(at) == Some(&'i') {
                at += 1;
                None
            } else {
                let (t, end) = number(at);
                let v = t.parse::<f64>().map_err(|_| format!("expected a number or i at character {at}"))?;
                at = end;
                Some(v)
            };
            let mut exponent = 1;
            if s.get(at) == Some(&'^') {
                let (t, end) = number(at + 1);
                exponent = t
                    .parse::<i32>()
                    .ok()
                    .filter(|e| *e <= 16)
                    .ok_or(format!("expected an exponent 0..16 at character {}", at + 1))?;
                at = end;
            }
            if divide && base == Some(0.0) {
                return Err("division by 0".into());
            }
            if divide && base.is_none() {
                return Err("division by i, which is 0 in entry 0".into());
            }
            factors.push((divide, base, exponent));
            match s.get(at) {
                None => return Ok(Formula { text: text.into(), factors }),
                Some('*') => divide = false,
                Some('/') => divide = true,
                Some(c) => return Err(format!("unexpected '{c}' at character {at}")),
            }
            at += 1;
        }
    }

    /// The value for index `i`.
    pub fn at(&self, i: usize) -> f64 {
        self.factors.iter().fold(1.0, |v, &(divide, base, exponent)| {
            let f = base.unwrap_or(i as f64).powi(exponent);
            if divide { v / f } else { v * f }
        })
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl TryFrom<String> for Formula {
    type Error = String;

    fn try_from(text: String) -> Result<Formula, String> {
        Formula::parse(&text)
    }
}

impl From<Formula> for String {
    fn from(f: Formula) -> String {
        f.text
    }
}

/// An entry `shift:multiplier`, as the hardware takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Entry(pub u16);

impl Entry {
    /// Reads an entry whose parts `number` reads; the error says which part is out of range.
    pub fn parse(text: &str, number: fn(&str) -> Option<u64>) -> Result<Entry, String> {
        let (shift, mult) = text
            .split_once(':')
            .and_then(|(a, b)| Some((number(a.trim())?, number(b.trim())?)))
            .ok_or("expected shift:multiplier, two numbers")?;
        if shift > SHIFT_MAX {
            return Err(format!("shift {shift} is out of range: legal is 0..{SHIFT_MAX}"));
        }
        pack(shift, mult)
            .map(Entry)
            .ok_or_else(|| format!("multiplier {mult} is out of range: legal is 0..{MULTIPLIER_MAX}"))
    }

    /// Its delay, in packets.
    pub fn packets(self) -> f64 {
        f64::from(self.0 & 0x3fff) / f64::from(1u32 << (self.0 >> 14))
    }
}

impl TryFrom<String> for Entry {
    type Error = String;

    fn try_from(text: String) -> Result<Entry, String> {
        Entry::parse(&text, |s| s.parse().ok())
    }
}

impl From<Entry> for String {
    fn from(e: Entry) -> String {
        format!("{}:{}", e.0 >> 14, e.0 & 0x3fff)
    }
}

/// A table as a person gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cct {
    /// A formula in microseconds.
    Formula(Formula),
    /// A law.
    Law(Law),
    /// Microseconds.
    Us(Vec<f64>),
    /// InfiniBand entries.
    Entries(Vec<Entry>),
}

impl Cct {
    /// The delays of its entries, us: `len` of them, or as many as it is given with. `packet`: time of the packet that
    /// InfiniBand's entries multiply.
    pub fn times(&self, len: usize, packet: f64) -> Vec<f64> {
        match self {
            Cct::Formula(f) => (0..len).map(|i| f.at(i)).collect(),
            Cct::Law(law) => (0..len).map(|i| law.at(i)).collect(),
            Cct::Us(v) => v.clone(),
            Cct::Entries(v) => v.iter().map(|e| e.packets() * packet).collect(),
        }
    }

    /// The number of entries, if it is a list.
    pub fn length(&self) -> Option<usize> {
        match self {
            Cct::Us(v) => Some(v.len()),
            Cct::Entries(v) => Some(v.len()),
            Cct::Formula(_) | Cct::Law(_) => None,
        }
    }
}

/// A table as the hardware takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Entries from 0 on.
    pub entries: Vec<u16>,
    /// They are cycles; else `shift:multiplier`.
    pub absolute: bool,
    /// The first entry that is longer than any that there is, which it is cut to; and that, in cycles.
    pub cut: Option<(usize, u64)>,
}

/// The table of `times` in cycles. Relative entries are for packets of `packet` cycles.
pub fn of_times(times: impl Iterator<Item = f64>, packet: u64, absolute: bool) -> Table {
    let (most, longest) =
        if absolute { (65_535, u16::MAX) } else { (packet * MULTIPLIER_MAX, MULTIPLIER_MAX as u16) };
    let mut cut = None;
    let entries = times
        .enumerate()
        .map(|(i, cycles)| {
            let entry = if absolute {
                (cycles.round() <= 65_535.0).then(|| cycles.round() as u16)
            } else {
                nearest(cycles, packet)
            };
            entry.unwrap_or_else(|| {
                cut.get_or_insert((i, most));
                longest
            })
        })
        .collect();
    Table { entries, absolute, cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_formula() {
        let f = Formula::parse("i^2 * 7 / 106^2").unwrap();
        assert_eq!(f.at(0), 0.0);
        assert!((f.at(127) - 10.048).abs() < 0.001);
        assert_eq!(f.text(), "i^2 * 7 / 106^2");
        assert_eq!(Formula::parse("2.5").unwrap().at(9), 2.5);
    }

    #[test]
    fn bad_formulas_are_told() {
        for (text, why) in [
            ("", "character 0"),
            ("i^2*", "character 4"),
            ("i^x", "exponent"),
            ("i^17", "exponent"),
            ("i+1", "unexpected '+'"),
            ("3/0", "division by 0"),
            ("3/i", "division by i"),
            ("1.2.3", "number"),
        ] {
            let e = Formula::parse(text).unwrap_err();
            assert!(e.contains(why), "{text}: {e}");
        }
    }

    #[test]
    fn entries() {
        assert_eq!(pack(3, 9), Some(0xc009));
        assert_eq!(pack(4, 0), None);
        assert_eq!(pack(0, 16384), None);
        // a quarter of a packet of 32 cycles: 3:2; 10 packets: 3:80
        assert_eq!(nearest(8.0, 32), pack(3, 2));
        assert_eq!(nearest(320.0, 32), pack(3, 80));
        // too long for eighths of a packet: whole packets
        assert_eq!(nearest(32.0 * 10_000.0, 32), pack(0, 10_000));
        assert_eq!(nearest(32.0 * 20_000.0, 32), None);
        // one-flit packets have no eighths
        assert_eq!(nearest(5.0, 1), pack(0, 5));
        assert_eq!(String::from(Entry(0xc009)), "3:9");
        assert_eq!(Entry::try_from("3:9".to_string()), Ok(Entry(0xc009)));
        assert!(Entry::try_from("4:9".to_string()).unwrap_err().contains("0..3"));
    }

    #[test]
    fn what_is_too_long_is_cut_and_told() {
        let times = [0.0, 70_000.0, 600_000.0];
        let t = of_times(times.into_iter(), 32, true);
        assert_eq!((t.entries, t.cut), (vec![0, 65_535, 65_535], Some((1, 65_535))));
        let t = of_times(times.into_iter(), 32, false);
        assert_eq!(t.entries[1], nearest(70_000.0, 32).unwrap());
        assert_eq!((t.entries[2], t.cut), (0x3fff, Some((2, 32 * 16_383))));
    }
}
