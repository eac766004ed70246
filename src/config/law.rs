//! Laws of a congestion control table: how the delay rises with the index (`docs/cct.md`).

use serde::{Deserialize, Serialize};

/// Longest time that a law takes, us: a second.
const TIME_MAX: f64 = 1e6;
/// Largest ratio of two entries.
const RATIO_MAX: f64 = 65_536.0;
/// InfiniBand has no more unicast LIDs.
const CONTRIBUTORS_MAX: u64 = 49_151;
/// Paper III's table: i^2 times 7/106^2 us.
pub const GRAN_US: f64 = 7.0 / (106.0 * 106.0);
/// Flows of a hotspot that paper III's table was made for.
const GRAN_CONTRIBUTORS: u64 = 4;

/// What a law may be.
pub const FORMS: &str = "linear(step=TIME), quadratic(step=TIME), exponential(first=TIME,ratio=R), gran";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Rise {
    /// Entry i is i steps.
    Linear { step: f64 },
    /// Entry i is i^2 steps.
    Quadratic { step: f64 },
    /// Entry 0 is 0, entry 1 is `first`, and each later one `ratio` times the one before.
    Exponential { first: f64, ratio: f64 },
}

/// A law, such as `quadratic(step=40ns)`. Times in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Law {
    text: String,
    rise: Rise,
    /// The factor by which contributors scale it.
    scale: f64,
}

impl Law {
    /// A text means a law (and not a formula, in which the only letter is `i`).
    pub fn is_meant(text: &str) -> bool {
        text.contains('(') || text.trim_start().chars().take_while(char::is_ascii_alphabetic).count() > 1
    }

    /// Reads a law; `hosts`: adapters of the network, if it is known. The error says which argument is wrong and what is legal.
    pub fn parse(text: &str, hosts: Option<usize>) -> Result<Law, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (name, rest) = text.split_once('(').map_or((&text[..], None), |(n, r)| (n, Some(r)));
        let list = match rest {
            None => "",
            Some(r) => r.strip_suffix(')').ok_or("a closing ')' is wanted at the end")?,
        };
        let mut arguments = Arguments::read(name, list)?;
        let (rise, base) = match name {
            "linear" => (Rise::Linear { step: arguments.time("step")? }, None),
            "quadratic" => (Rise::Quadratic { step: arguments.time("step")? }, None),
            "exponential" => {
                let (first, ratio) = (arguments.time("first")?, arguments.ratio("ratio")?);
                (Rise::Exponential { first, ratio }, None)
            }
            "gran" => (Rise::Quadratic { step: GRAN_US }, Some(GRAN_CONTRIBUTORS)),
            _ => return Err(format!("there is no law \"{name}\": legal is {FORMS}")),
        };
        let (scale, said) = match arguments.take("contributors") {
            None => (1.0, None),
            Some(v) => contributors(&v, base, hosts).map(|(n, of, s)| (n as f64 / of as f64, Some(s)))?,
        };
        arguments.end()?;
        // `all` is said as a number, so that the text alone means the law.
        let text = match said {
            Some(said) => format!("{name}({}contributors={said})", arguments.others("contributors")),
            None => text,
        };
        Ok(Law { text, rise, scale })
    }

    /// Entry `i`, us.
    pub fn at(&self, i: usize) -> f64 {
        let x = i as f64;
        self.scale
            * match self.rise {
                Rise::Linear { step } => x * step,
                Rise::Quadratic { step } => x * x * step,
                Rise::Exponential { .. } if i == 0 => 0.0,
                Rise::Exponential { first, ratio } => first * ratio.powf(x - 1.0),
            }
    }

    /// The text that it is read from.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// `N/M` contributors, or `N` with a law that says for how many it is: both, and the text with `all` as a number.
fn contributors(text: &str, base: Option<u64>, hosts: Option<usize>) -> Result<(u64, u64, String), String> {
    let wrong = |value: &str, legal: &str| Err(format!("contributors \"{value}\": legal is {legal}"));
    let (many, of) = text.split_once('/').map_or((text, None), |(n, m)| (n, Some(m)));
    let legal = format!("1..{CONTRIBUTORS_MAX}");
    let number = |t: &str| t.parse::<u64>().ok().filter(|n| (1..=CONTRIBUTORS_MAX).contains(n));
    let many = match (many, hosts) {
        ("all", Some(hosts)) => hosts.saturating_sub(1).max(1) as u64,
        ("all", None) => {
            return wrong(text, "a number here: how many adapters there are depends on the network");
        }
        (n, _) => match number(n) {
            Some(n) => n,
            None => return wrong(text, &format!("{legal}, or all (all adapters of the network but one)")),
        },
    };
    match (of, base) {
        (Some(m), _) => match number(m) {
            Some(m) => Ok((many, m, format!("{many}/{m}"))),
            None => wrong(text, &format!("N/M, where the law is for M = {legal} contributors")),
        },
        (None, Some(base)) => Ok((many, base, many.to_string())),
        (None, None) => wrong(text, "N/M: the law is for M contributors, and N/M times as long for N"),
    }
}

/// The arguments of a law.
struct Arguments<'a> {
    law: &'a str,
    list: Vec<(&'a str, &'a str, bool)>,
}

impl<'a> Arguments<'a> {
    fn read(law: &'a str, text: &'a str) -> Result<Arguments<'a>, String> {
        let mut list: Vec<(&str, &str, bool)> = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let Some((name, value)) = part.split_once('=') else {
                return Err(format!("argument \"{part}\": NAME=VALUE is wanted"));
            };
            if list.iter().any(|(n, ..)| *n == name) {
                return Err(format!("{name} is there twice"));
            }
            list.push((name, value, false));
        }
        Ok(Arguments { law, list })
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let a = self.list.iter_mut().find(|a| a.0 == name)?;
        a.2 = true;
        Some(a.1.into())
    }

    fn wanted(&mut self, name: &str) -> Result<String, String> {
        self.take(name).ok_or_else(|| format!("{} wants {name}: legal is {FORMS}", self.law))
    }

    /// A time of more than 0, us.
    fn time(&mut self, name: &str) -> Result<f64, String> {
        let text = self.wanted(name)?;
        let units = [("ns", 1e-3), ("us", 1.0), ("ms", 1e3)];
        let (number, unit) = units
            .iter()
            .find_map(|(u, per)| Some((text.strip_suffix(u)?, *per)))
            .unwrap_or((text.as_str(), 1.0));
        let us = number.parse::<f64>().ok().map(|n| n * unit).filter(|us| *us > 0.0 && *us <= TIME_MAX);
        us.ok_or_else(|| {
            format!("{name} \"{text}\": legal is more than 0, at most 1000 ms, in ns, us or ms (us if none is said)")
        })
    }

    fn ratio(&mut self, name: &str) -> Result<f64, String> {
        let text = self.wanted(name)?;
        let ratio = text.parse::<f64>().ok().filter(|r| *r > 1.0 && *r <= RATIO_MAX);
        ratio.ok_or_else(|| format!("{name} \"{text}\": legal is more than 1, at most {RATIO_MAX}"))
    }

    /// Nothing is left.
    fn end(&self) -> Result<(), String> {
        match self.list.iter().find(|a| !a.2) {
            Some((name, ..)) => Err(format!("{} has no argument {name}: legal is {FORMS}", self.law)
                + ", each also with contributors=N/M (gran: N)"),
            None => Ok(()),
        }
    }

    /// All but one, with a comma after each.
    fn others(&self, name: &str) -> String {
        self.list.iter().filter(|a| a.0 != name).map(|a| format!("{}={},", a.0, a.1)).collect()
    }
}

impl TryFrom<String> for Law {
    type Error = String;

    fn try_from(text: String) -> Result<Law, String> {
        Law::parse(&text, None)
    }
}

impl From<Law> for String {
    fn from(law: Law) -> String {
        law.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, i: usize) -> f64 {
        Law::parse(text, Some(649)).unwrap().at(i)
    }

    #[test]
    fn how_they_rise() {
        let near = |text: &str, i: usize, us: f64| {
            assert!((at(text, i) - us).abs() < us * 1e-9 + 1e-12, "{text} at {i}: {}", at(text, i))
        };
        near("linear(step=0.41us)", 7, 2.87);
        near("linear(step=0.41)", 7, 2.87);
        near("quadratic(step=40ns)", 10, 4.0);
        near("exponential(first=0.15us, ratio=1.5)", 0, 0.0);
        near("exponential(first=0.15us, ratio=1.5)", 1, 0.15);
        near("exponential(first=0.15us, ratio=1.5)", 3, 0.3375);
        near("gran", 106, 7.0);
        near("gran()", 106, 7.0);
        near("gran(contributors=4)", 106, 7.0);
        near("gran(contributors=648)", 106, 162.0 * 7.0);
        near("gran(contributors=all)", 106, 162.0 * 7.0);
        near("linear(step=1ms,contributors=all/64)", 2, 20_250.0);
        for law in ["linear(step=1ns)", "quadratic(step=1ns)", "exponential(first=1ns,ratio=1.01)", "gran"] {
            assert_eq!(at(law, 0), 0.0, "{law}: index 0 delays nothing");
            assert!((0..16_383).all(|i| at(law, i) < at(law, i + 1)), "{law} rises");
        }
    }

    #[test]
    fn the_text_means_the_law() {
        for (text, is) in [
            ("quadratic( step = 40ns )", "quadratic(step=40ns)"),
            ("gran", "gran"),
            ("gran(contributors=all)", "gran(contributors=648)"),
            ("linear(contributors=all/64,step=1us)", "linear(step=1us,contributors=648/64)"),
        ] {
            let law = Law::parse(text, Some(649)).unwrap();
            assert_eq!(law.text(), is);
            assert_eq!(Law::try_from(String::from(law.clone())), Ok(law));
        }
    }

    #[test]
    fn bad_laws_are_told() {
        for (text, why) in [
            ("cubic(step=1us)", "no law \"cubic\": legal is linear(step=TIME)"),
            ("linear", "linear wants step"),
            ("linear(step=1us", "closing ')'"),
            ("linear(step)", "\"step\": NAME=VALUE"),
            ("linear(step=0)", "step \"0\": legal is more than 0, at most 1000 ms"),
            ("linear(step=-1us)", "step \"-1us\": legal is more than 0"),
            ("linear(step=nan)", "step \"nan\""),
            ("linear(step=1s)", "step \"1s\": legal is more than 0, at most 1000 ms, in ns, us or ms"),
            ("linear(step=1us,step=2us)", "step is there twice"),
            ("linear(first=1us,step=2us)", "linear has no argument first"),
            ("exponential(first=1us)", "exponential wants ratio"),
            ("exponential(first=1us,ratio=1)", "ratio \"1\": legal is more than 1, at most 65536"),
            ("exponential(first=1us,ratio=inf)", "ratio \"inf\""),
            ("gran(contributors=0)", "contributors \"0\": legal is 1..49151"),
            ("gran(contributors=49152)", "legal is 1..49151"),
            ("gran(contributors=few)", "1..49151, or all"),
            ("gran(contributors=4/0)", "M = 1..49151"),
            ("linear(step=1us,contributors=64)", "legal is N/M"),
            ("gran(contributors=all)", "depends on the network"),
        ] {
            let e = Law::parse(text, None).unwrap_err();
            assert!(e.contains(why), "{text}: {e}");
        }
        assert!(Law::is_meant("gran") && Law::is_meant("linear") && Law::is_meant("x(1)"));
        assert!(!Law::is_meant("i^2*7") && !Law::is_meant("2.5") && !Law::is_meant("i"));
    }
}
