//! Lengths of messages: all alike, of two kinds, or drawn from a range.

use std::fmt;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::random::Random;
use super::text::{Raw, Size, split, textual};

/// Lengths of the messages of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub enum Lengths {
    /// All are of this length.
    Fixed(Size),
    /// Each is of one of two lengths, with the same probability: there are as many messages of each, not as many flits.
    Bimodal(Size, Size),
    /// Every length from the first to the second in steps of so many flits, with the same probability.
    Range(Size, Size, Size),
}

impl From<Size> for Lengths {
    fn from(size: Size) -> Lengths {
        Lengths::Fixed(size)
    }
}

impl Lengths {
    /// The lengths that there are, in flits: the first, the last, and from each to the next.
    fn steps(self) -> (u64, u64, u64) {
        let (a, b, step) = match self {
            Lengths::Fixed(a) => (a.flits(), a.flits(), 1),
            Lengths::Bimodal(a, b) => {
                let (a, b) = (a.flits().min(b.flits()), a.flits().max(b.flits()));
                (a, b, (b - a).max(1))
            }
            Lengths::Range(a, b, step) => (a.flits(), b.flits(), step.flits()),
        };
        (a, b, step)
    }

    /// Flits of the longest.
    pub fn longest(self) -> u64 {
        self.steps().1
    }

    /// Flits in the mean.
    pub fn mean(self) -> f64 {
        let (a, b, _) = self.steps();
        (a + b) as f64 / 2.0
    }

    /// Packets of up to `mtu` flits in the mean.
    pub fn packets(self, mtu: u64) -> f64 {
        let (a, b, step) = self.steps();
        let all = (a..=b).step_by(step as usize);
        let n = (b - a) / step + 1;
        all.map(|flits| flits.div_ceil(mtu)).sum::<u64>() as f64 / n as f64
    }

    /// All messages have so many flits.
    pub fn fixed(self) -> Option<u64> {
        let (a, b, _) = self.steps();
        (a == b).then_some(a)
    }

    /// Flits of the next message. Where all are alike nothing is drawn.
    pub(super) fn draw(self, random: &mut Random) -> u64 {
        let (a, b, step) = self.steps();
        match (b - a) / step {
            0 => a,
            last => a + step * u64::from(random.below(last as u32 + 1)),
        }
    }
}

impl std::str::FromStr for Lengths {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Lengths> {
        let t = text.trim();
        let Some((name, inside)) = t.strip_suffix(')').and_then(|t| t.split_once('(')) else {
            return Ok(Lengths::Fixed(t.parse()?));
        };
        let sizes = split(inside).map(str::parse).collect::<Result<Vec<Size>>>()?;
        match (name.trim(), sizes.as_slice()) {
            ("fixed", [a]) => Ok(Lengths::Fixed(*a)),
            ("bimodal", [a, b]) => Ok(Lengths::Bimodal(*a, *b)),
            ("range", [a, b, more @ ..]) if more.len() < 2 => {
                let step = more.first().copied().unwrap_or(Size::Flits(1));
                if a.flits() > b.flits() || !(b.flits() - a.flits()).is_multiple_of(step.flits()) {
                    bail!("message lengths {t:?}: the second is the first and a number of steps of {step}");
                }
                Ok(Lengths::Range(*a, *b, step))
            }
            _ => {
                bail!("message lengths {t:?}: legal: LENGTH, fixed(LENGTH), bimodal(A, B), range(A, B, STEP)")
            }
        }
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Lengths::Fixed(a) => write!(f, "{a}"),
            Lengths::Bimodal(a, b) => write!(f, "bimodal({a}, {b})"),
            Lengths::Range(a, b, step) => write!(f, "range({a}, {b}, {step})"),
        }
    }
}
textual!(Lengths);

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Lengths {
        text.parse().unwrap()
    }

    #[test]
    fn lengths_are_drawn_evenly() {
        for (text, all, mean, packets) in [
            ("256", &[256][..], 256.0, 8.0),
            ("fixed(2 KiB)", &[32], 32.0, 1.0),
            ("bimodal(128 flits, 2048)", &[128, 2048], 1088.0, 34.0),
            ("bimodal(64, 32)", &[32, 64], 48.0, 1.5),
            ("range(32, 128, 32)", &[32, 64, 96, 128], 80.0, 2.5),
            ("range(31, 34)", &[31, 32, 33, 34], 32.5, 1.5),
        ] {
            let l = of(text);
            assert_eq!(
                (l.mean(), l.packets(32), l.longest()),
                (mean, packets, *all.last().unwrap()),
                "{text}"
            );
            assert_eq!(l.fixed(), (all.len() == 1).then_some(all[0]), "{text}");
            assert_eq!(of(&l.to_string()), l);
            let mut r = Random::new(&[1]);
            let drawn: Vec<u64> = (0..4000).map(|_| l.draw(&mut r)).collect();
            for n in all {
                let count = drawn.iter().filter(|d| *d == n).count();
                assert!(count.abs_diff(4000 / all.len()) < 200, "{text}: {n} {count} times");
            }
            assert!(drawn.iter().all(|d| all.contains(d)));
        }
    }

    #[test]
    fn what_is_wrong_with_them_is_told() {
        for (text, says) in [
            ("range(9, 3)", "a number of steps"),
            ("range(1, 10, 4)", "steps of 4 flits"),
            ("range(1)", "legal: LENGTH"),
            ("bimodal(1, 2, 3)", "legal: LENGTH"),
            ("triangle(1, 2)", "legal: LENGTH"),
            ("bimodal(0, 2)", "from 1 to"),
        ] {
            let e = format!("{:#}", text.parse::<Lengths>().unwrap_err());
            assert!(e.contains(says), "{text}: {e}");
        }
    }
}
