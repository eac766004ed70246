//! What a paper says, and whether it is so. Every claim is judged here and nowhere else.

use serde_json::{Value, json};

use super::sample::Sample;

/// A figure with its name.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Name; empty if the claim has just this one.
    pub name: String,
    /// What was measured.
    pub value: Sample,
}

/// How far a figure may be from the published one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// By so many per cent of the published one.
    Percent(f64),
    /// By so much, in the unit of the claim.
    By(f64),
    /// Published divided by this to published times this.
    Factor(f64),
}

/// By how much a figure must be above another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// By so many per cent of the other. Below 0: it may be lower by so much.
    Percent(f64),
    /// By so much, in the unit of the claim.
    By(f64),
}

/// What must be so.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Each figure is the published one.
    Value {
        /// The published ones.
        published: Vec<f64>,
        /// How near is near.
        tolerance: Tolerance,
    },
    /// Figures have an order.
    Order {
        /// Places of the higher and the lower one.
        pairs: Vec<(usize, usize)>,
        /// By how much the one must be above the other.
        margin: Margin,
    },
    /// Each figure is in a range; one end may be open.
    Bound {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
}

impl Tolerance {
    fn range(self, published: f64) -> (f64, f64) {
        let around = |by: f64| (published - by, published + by);
        match self {
            Tolerance::Percent(p) => around(published.abs() * p / 100.0),
            Tolerance::By(by) => around(by),
            Tolerance::Factor(f) if published < 0.0 => (published * f, published / f),
            Tolerance::Factor(f) => (published / f, published * f),
        }
    }
}

impl Kind {
    /// Whether it is so of these figures: the one place where claims are judged. No number (NaN) is never so.
    pub fn holds(&self, v: &[f64]) -> bool {
        let inside = |v: f64, least: f64, most: f64| v >= least && v <= most;
        match self {
            Kind::Value { published, tolerance } => {
                published.len() == v.len()
                    && published.iter().zip(v).all(|(&p, &v)| {
                        let (least, most) = tolerance.range(p);
                        // Of the fault of the arithmetic no more than the last digit.
                        let slack = 1e-9 * p.abs().max(1e-9);
                        inside(v, least - slack, most + slack)
                    })
            }
            Kind::Order { pairs, margin } => pairs.iter().all(|&(high, low)| {
                let (high, low) = (v[high], v[low]);
                let wanted = match margin {
                    Margin::Percent(p) => low + low.abs() * p / 100.0,
                    Margin::By(by) => low + by,
                };
                // With a margin of 0 they may not be the same.
                if wanted == low { high > low } else { high >= wanted }
            }),
            Kind::Bound { least, most } => v.iter().all(|&v| inside(v, *least, *most)),
        }
    }

    /// Its name in lists.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Value { .. } => "value",
            Kind::Order { .. } => "order",
            Kind::Bound { .. } => "bound",
        }
    }

    /// Nobody can state a claim that cannot fail.
    fn can_fail(&self, figures: usize) -> bool {
        let finite = |x: f64| x.is_finite();
        figures > 0
            && match self {
                Kind::Value { published, tolerance } => {
                    let wide = match *tolerance {
                        Tolerance::Percent(x) | Tolerance::By(x) => finite(x) && x > 0.0,
                        Tolerance::Factor(x) => finite(x) && x > 1.0 && published.iter().all(|&p| p != 0.0),
                    };
                    wide && published.len() == figures && published.iter().all(|&p| finite(p))
                }
                Kind::Order { pairs, margin } => {
                    let (Margin::Percent(x) | Margin::By(x)) = *margin;
                    let there = |&(a, b): &(usize, usize)| a < figures && b < figures && a != b;
                    finite(x) && !pairs.is_empty() && pairs.iter().all(there)
                }
                Kind::Bound { least, most } => (finite(*least) || finite(*most)) && least <= most,
            }
    }
}

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// It holds of the means over the draws.
    pub holds: bool,
    /// In how many draws it holds.
    pub in_draws: usize,
    /// Draws.
    pub draws: usize,
}

/// One thing that a paper says.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What must be so; how near or by how much is in [`Claim::must`].
    pub text: String,
    /// What the paper reports.
    pub published: String,
    /// What was measured.
    pub measured: Vec<Measured>,
    /// What must be so of it.
    pub kind: Kind,
    /// Unit of all figures, with the space before it.
    pub unit: String,
    /// Decimals of the figures.
    pub digits: usize,
    /// Why it does not hold, if it does not: what a measurement shows.
    pub reason: String,
}

/// A name and what was measured.
fn named(figures: Vec<(String, Sample)>) -> Vec<Measured> {
    figures.into_iter().map(|(name, value)| Measured { name, value }).collect()
}

impl Claim {
    fn new(text: impl Into<String>, published: String, measured: Vec<Measured>, kind: Kind) -> Claim {
        let text = text.into();
        assert!(kind.can_fail(measured.len()), "the claim {text:?} is none");
        Claim { text, published, measured, kind, unit: String::new(), digits: 2, reason: String::new() }
    }

    /// The paper has numbers: name, published, measured.
    pub fn value<N: Into<String>>(
        text: impl Into<String>,
        tolerance: Tolerance,
        figures: impl IntoIterator<Item = (N, f64, Sample)>,
    ) -> Claim {
        let (mut published, mut measured) = (Vec::new(), Vec::new());
        for (name, number, value) in figures {
            published.push(number);
            measured.push((name.into(), value));
        }
        Claim::new(text, String::new(), named(measured), Kind::Value { published, tolerance })
    }

    /// Each figure is above the next.
    pub fn chain<N: Into<String>>(
        text: impl Into<String>,
        published: impl Into<String>,
        margin: Margin,
        figures: impl IntoIterator<Item = (N, Sample)>,
    ) -> Claim {
        let figures: Vec<_> = figures.into_iter().map(|(n, v)| (n.into(), v)).collect();
        let pairs = (1..figures.len()).map(|i| (i - 1, i)).collect();
        Claim::new(text, published.into(), named(figures), Kind::Order { pairs, margin })
    }

    /// Figures have an order: places of the higher and the lower one.
    pub fn order<N: Into<String>>(
        text: impl Into<String>,
        published: impl Into<String>,
        margin: Margin,
        figures: impl IntoIterator<Item = (N, Sample)>,
        pairs: &[(usize, usize)],
    ) -> Claim {
        let figures = figures.into_iter().map(|(n, v)| (n.into(), v)).collect();
        Claim::new(text, published.into(), named(figures), Kind::Order { pairs: pairs.to_vec(), margin })
    }

    /// Each figure is at least and at most so much.
    pub fn bound<N: Into<String>>(
        text: impl Into<String>,
        published: impl Into<String>,
        (least, most): (f64, f64),
        figures: impl IntoIterator<Item = (N, Sample)>,
    ) -> Claim {
        let figures = figures.into_iter().map(|(n, v)| (n.into(), v)).collect();
        Claim::new(text, published.into(), named(figures), Kind::Bound { least, most })
    }

    /// In the paper's words instead of its numbers.
    pub fn published(mut self, words: impl Into<String>) -> Claim {
        self.published = words.into();
        self
    }

    /// Unit and decimals of the figures.
    pub fn unit(mut self, unit: &str, digits: usize) -> Claim {
        self.unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        self.digits = digits;
        self
    }

    /// Why it does not hold, should it not.
    pub fn because(mut self, reason: impl Into<String>) -> Claim {
        self.reason = reason.into();
        self
    }

    /// Draws.
    fn draws(&self) -> usize {
        self.measured.iter().map(|m| m.value.draws()).max().unwrap_or(0)
    }

    /// Judges: of the means over the draws, and in each.
    pub fn verdict(&self) -> Verdict {
        let of = |f: &dyn Fn(&Sample) -> f64| {
            self.kind.holds(&self.measured.iter().map(|m| f(&m.value)).collect::<Vec<_>>())
        };
        let draws = self.draws();
        let in_draws = (0..draws).filter(|&d| of(&|s| s.of(d))).count();
        Verdict { holds: of(&Sample::mean), in_draws, draws }
    }

    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.verdict().holds
    }

    fn number(&self, v: f64) -> String {
        // A limit has as many digits as it needs.
        let text = format!("{v:.4}");
        format!("{}{}", text.trim_end_matches('0').trim_end_matches('.'), self.unit)
    }

    /// A difference of percentages is in points.
    fn difference(&self, v: f64) -> String {
        let text = self.number(v);
        text.strip_suffix('%').map_or(text.clone(), |number| format!("{number}points"))
    }

    /// How near, in which order, or in which range.
    pub fn must(&self) -> String {
        match &self.kind {
            Kind::Value { tolerance, .. } => match tolerance {
                Tolerance::Percent(p) => format!("± {p} %"),
                Tolerance::By(by) => format!("± {}", self.difference(*by)),
                Tolerance::Factor(f) => format!("1/{f} to {f} times"),
            },
            Kind::Order { pairs, margin } => {
                let by = match margin {
                    Margin::Percent(0.0) | Margin::By(0.0) => String::new(),
                    Margin::Percent(p) if *p < 0.0 => format!(", {} % apart is equal", -p),
                    Margin::By(by) if *by < 0.0 => format!(", {} apart is equal", self.difference(-by)),
                    Margin::Percent(p) => format!(" by {p} %"),
                    Margin::By(by) => format!(" by {}", self.difference(*by)),
                };
                let mut all: Vec<String> = Vec::new();
                for &(high, low) in pairs {
                    let (high, low) = (&self.measured[high].name, &self.measured[low].name);
                    match all.last_mut() {
                        Some(last) if last.ends_with(&format!("> {high}")) => {
                            last.push_str(&format!(" > {low}"));
                        }
                        _ => all.push(format!("{high} > {low}")),
                    }
                }
                format!("{}{by}", all.join("; "))
            }
            Kind::Bound { least, most } => match (least.is_finite(), most.is_finite()) {
                (true, true) => format!("{} to {}", self.number(*least), self.number(*most)),
                (true, false) => format!("≥ {}", self.number(*least)),
                _ => format!("≤ {}", self.number(*most)),
            },
        }
    }

    fn listed(&self, text: impl Fn(usize) -> String) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (i, m) in self.measured.iter().enumerate() {
            let space = if m.name.is_empty() { "" } else { " " };
            parts.push(format!("{}{space}{}", m.name, text(i)));
        }
        format!("{}{}", parts.join(", "), self.unit)
    }

    /// What the paper has: its words, or its numbers.
    pub fn published_text(&self) -> String {
        match &self.kind {
            Kind::Value { published, .. } if self.published.is_empty() => {
                let digits = self.digits;
                self.listed(|i| {
                    let full = format!("{}", published[i]);
                    let cut = format!("{:.digits$}", published[i]);
                    if full.len() < cut.len() { full } else { cut }
                })
            }
            _ => self.published.clone(),
        }
    }

    /// What was measured: mean and spread of each figure.
    pub fn measured_text(&self) -> String {
        self.listed(|i| self.measured[i].value.text(self.digits))
    }

    /// How far the worst figure is from the published one; empty without published numbers.
    pub fn deviation(&self) -> String {
        let Kind::Value { published, tolerance } = &self.kind else { return String::new() };
        let far = |&(p, v): &(f64, f64)| match tolerance {
            Tolerance::By(_) => v - p,
            _ => 100.0 * (v / p - 1.0),
        };
        let pairs = published.iter().zip(&self.measured).map(|(&p, m)| (p, m.value.mean()));
        let worst = pairs.map(|pair| far(&pair)).fold(0.0f64, |a, b| if b.abs() > a.abs() { b } else { a });
        match tolerance {
            Tolerance::By(_) => {
                let unit = if self.unit == " %" { " points" } else { self.unit.as_str() };
                format!("{worst:+.digits$}{unit}", digits = self.digits)
            }
            _ => format!("{worst:+.0} %"),
        }
    }

    /// Whether it holds, and in how many draws.
    pub fn holds_text(&self) -> String {
        let v = self.verdict();
        let word = if v.holds { "yes" } else { "**no**" };
        if v.draws > 1 { format!("{word}, {} of {}", v.in_draws, v.draws) } else { word.into() }
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let v = self.verdict();
        let figures = self.measured.iter().enumerate().map(|(i, m)| {
            let published = match &self.kind {
                Kind::Value { published, .. } => Some(published[i]),
                _ => None,
            };
            let (mean, spread) = (m.value.mean(), m.value.spread());
            json!({"name": m.name, "published": published, "mean": mean, "spread": spread, "draws": m.value.values()})
        });
        json!({
            "text": self.text, "kind": self.kind.name(), "must": self.must(), "published": self.published_text(),
            "measured": self.measured_text(), "figures": figures.collect::<Vec<_>>(), "deviation": self.deviation(),
            "holds": v.holds, "holds_in": v.in_draws, "draws": v.draws,
            "reason": if v.holds { "" } else { self.reason.as_str() },
        })
    }
}

/// Claims of a kind, and how many of them hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Claims.
    pub all: usize,
    /// Those that hold.
    pub hold: usize,
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::default(), |a, b| Count { all: a.all + b.all, hold: a.hold + b.hold })
    }
}

/// Counts values, orders and bounds apart, in this order.
pub fn count<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> [Count; 3] {
    let mut counts = [Count::default(); 3];
    for c in claims {
        let i = match c.kind {
            Kind::Value { .. } => 0,
            Kind::Order { .. } => 1,
            Kind::Bound { .. } => 2,
        };
        counts[i].all += 1;
        counts[i].hold += usize::from(c.holds());
    }
    counts
}

/// Bounds for [`Claim::bound`].
pub fn at_least(least: f64) -> (f64, f64) {
    (least, f64::INFINITY)
}

/// Bounds for [`Claim::bound`].
pub fn at_most(most: f64) -> (f64, f64) {
    (f64::NEG_INFINITY, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(v: f64) -> Sample {
        Sample::constant(v)
    }

    #[test]
    fn each_kind_holds_and_fails_at_its_limit() {
        let value = |tolerance, p: f64, v: f64| Kind::Value { published: vec![p], tolerance }.holds(&[v]);
        for (tolerance, p, good, bad) in [
            (Tolerance::Percent(10.0), 50.0, [45.0, 55.0], [44.9, 55.1]),
            (Tolerance::Percent(10.0), -50.0, [-45.0, -55.0], [-44.9, -55.1]),
            (Tolerance::By(3.0), 0.0, [-3.0, 3.0], [-3.1, 3.1]),
            (Tolerance::Factor(2.0), 8.0, [4.0, 16.0], [3.9, 16.1]),
            (Tolerance::Factor(2.0), -8.0, [-4.0, -16.0], [-3.9, -16.1]),
        ] {
            assert!(good.iter().all(|&v| value(tolerance, p, v)), "{tolerance:?} {p}");
            assert!(bad.iter().all(|&v| !value(tolerance, p, v)), "{tolerance:?} {p}");
            assert!(!value(tolerance, p, f64::NAN));
        }
        let order = |margin, a: f64, b: f64| Kind::Order { pairs: vec![(0, 1)], margin }.holds(&[a, b]);
        for (margin, low, good, bad) in [
            (Margin::Percent(0.0), 2.0, 2.001, 2.0),
            (Margin::Percent(50.0), 2.0, 3.0, 2.99),
            (Margin::Percent(-1.0), 2.0, 1.98, 1.97),
            (Margin::By(1.0), -2.0, -1.0, -1.01),
            (Margin::By(-1.0), 2.0, 1.0, 0.99),
        ] {
            assert!(order(margin, good, low) && !order(margin, bad, low), "{margin:?}");
            assert!(!order(margin, f64::NAN, low) && !order(margin, good, f64::NAN));
        }
        let bound = |(least, most): (f64, f64), v: f64| Kind::Bound { least, most }.holds(&[0.5, v]);
        assert!(bound(at_least(0.2), 0.2) && !bound(at_least(0.2), 0.19) && !bound(at_least(0.2), f64::NAN));
        assert!(bound(at_most(0.7), 0.7) && !bound(at_most(0.7), 0.71) && !bound(at_most(0.7), f64::NAN));
    }

    #[test]
    fn the_mean_decides_and_the_draws_are_counted() {
        let draws = Sample::new(vec![0.5, 0.9, 1.6]);
        let c = Claim::bound("at least half", "", at_least(0.6), [("", draws.clone())]);
        assert_eq!(c.verdict(), Verdict { holds: true, in_draws: 2, draws: 3 });
        assert_eq!(c.holds_text(), "yes, 2 of 3");
        let c = Claim::value("one", Tolerance::By(0.05), [("a", 1.0, draws), ("b", 2.0, one(2.0))]);
        assert_eq!(c.verdict(), Verdict { holds: true, in_draws: 0, draws: 3 });
        assert_eq!(c.published_text(), "a 1, b 2");
        assert_eq!(c.measured_text(), "a 1.00 ± 0.56, b 2.00");
    }

    #[test]
    fn deviations_are_from_the_published_number() {
        let figures = || [("a", 10.0, one(11.0)), ("b", 20.0, one(17.0))];
        let c = Claim::value("", Tolerance::Percent(20.0), figures()).unit("Gbit/s", 1);
        assert_eq!((c.deviation().as_str(), c.must().as_str(), c.holds()), ("-15 %", "± 20 %", true));
        let c = Claim::value("", Tolerance::By(2.0), figures()).unit("%", 1);
        assert_eq!(
            (c.deviation().as_str(), c.must().as_str(), c.holds()),
            ("-3.0 points", "± 2 points", false)
        );
        let list = [("A", one(3.0)), ("B", one(2.0)), ("C", one(1.0))];
        let c = Claim::order("", "", Margin::Percent(5.0), list, &[(0, 1), (1, 2), (0, 2)]);
        assert_eq!((c.must().as_str(), c.deviation().as_str()), ("A > B > C; A > C by 5 %", ""));
        let counts = count(&[c]);
        assert_eq!(counts[1], Count { all: 1, hold: 1 });
        assert_eq!((counts[0].all, counts[2].all), (0, 0));
    }

    #[test]
    fn a_claim_that_cannot_fail_is_refused() {
        let refused = |make: fn() -> Claim| std::panic::catch_unwind(make).is_err();
        assert!(refused(|| Claim::bound("", "", (f64::NEG_INFINITY, f64::INFINITY), [("", one(1.0))])));
        assert!(refused(|| Claim::bound("", "", at_least(1.0), Vec::<(&str, Sample)>::new())));
        assert!(refused(|| Claim::value("", Tolerance::Percent(f64::INFINITY), [("", 1.0, one(1.0))])));
        assert!(refused(|| Claim::value("", Tolerance::Factor(2.0), [("", 0.0, one(1.0))])));
        assert!(refused(|| Claim::chain("", "", Margin::By(0.0), [("", one(1.0))])));
    }
}
