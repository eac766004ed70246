//! A study: its runs, and what is made of their outcomes.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use anyhow::{Result, bail};

use super::job::{Found, Point};
use super::point::Outcome;
use super::report::{Figure, Report};
use super::sample::Sample;
use super::setting::Setting;
use super::worm_run::WormOutcome;

/// How much of a study is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Small networks and short times, for a test.
    Quick,
    /// The networks and times of the paper, up to 256 nodes where it has several networks.
    Full,
    /// As `Full`, but of a study of several networks only the one of so many nodes.
    Only(usize),
}

impl Scale {
    /// Whether this is the short form.
    pub fn quick(self) -> bool {
        self == Scale::Quick
    }

    /// One of two values.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        if self.quick() { quick } else { full }
    }

    /// Draws of the hotspots.
    pub fn draws(self) -> usize {
        match self {
            Scale::Quick => 3,
            Scale::Only(1024..) => 3,
            _ => 8,
        }
    }

    /// Its name where results are kept.
    pub fn name(self) -> String {
        match self {
            Scale::Quick => "quick".into(),
            Scale::Full => "full".into(),
            Scale::Only(nodes) => nodes.to_string(),
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Result<Scale> {
        Ok(match name {
            "quick" => Scale::Quick,
            "full" => Scale::Full,
            _ => match name.parse() {
                Ok(nodes) => Scale::Only(nodes),
                Err(_) => bail!("form {name:?}; legal: quick, full, or a number of nodes"),
            },
        })
    }
}

/// Measured figures by name, a value for each draw.
pub type Numbers = BTreeMap<String, Vec<f64>>;

/// Where figures come from.
enum Source {
    /// Of runs: the outcomes of each draw, by the names of the points.
    Runs(Vec<HashMap<String, Rc<Found>>>),
    /// Kept figures of former runs.
    Kept(Numbers),
}

/// What a study has measured: of its runs, or as it was kept.
pub struct Results {
    /// How the points were run.
    pub scale: Scale,
    source: Source,
    /// All figures that were asked for.
    asked: RefCell<Numbers>,
    /// Those that are not there.
    missing: RefCell<Vec<String>>,
}

/// Six digits say enough, and what is kept is what is judged.
fn rounded(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() { v } else { format!("{v:.5e}").parse().unwrap_or(v) }
}

impl Results {
    /// Of runs: the outcomes of each draw, by the names of the points.
    pub fn of_runs(scale: Scale, draws: Vec<HashMap<String, Rc<Found>>>) -> Results {
        Results { scale, source: Source::Runs(draws), asked: RefCell::default(), missing: RefCell::default() }
    }

    /// Of kept figures.
    pub fn of_kept(scale: Scale, numbers: Numbers) -> Results {
        Results {
            scale,
            source: Source::Kept(numbers),
            asked: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// The figures of a point; the study made a point of that name.
    pub fn of(&self, point: impl Into<String>) -> At<'_> {
        At { results: self, point: point.into() }
    }

    /// The outcome of a point in the first draw, for a chart.
    pub fn outcome(&self, point: &str) -> &Outcome {
        self.found(point).fabric()
    }

    /// The same of a point of wormhole routers.
    pub fn worm(&self, point: &str) -> &WormOutcome {
        self.found(point).worm()
    }

    fn found(&self, point: &str) -> &Found {
        let first = match &self.source {
            Source::Runs(draws) => draws.first().and_then(|d| d.get(point)),
            Source::Kept(_) => None,
        };
        first.unwrap_or_else(|| panic!("there is no run of point {point}"))
    }

    /// All figures that were asked for, or an error with the first that is not there.
    pub fn numbers(self) -> Result<Numbers> {
        if let Some(name) = self.missing.borrow().first() {
            bail!("there is no figure {name:?}");
        }
        Ok(self.asked.into_inner())
    }
}

/// The figures of one point.
pub struct At<'a> {
    results: &'a Results,
    point: String,
}

impl At<'_> {
    /// A figure of the point: `what` is its name and decides all of it.
    pub fn measure(&self, what: &str, f: impl Fn(&Outcome) -> f64) -> Sample {
        self.figure(what, |o| f(o.fabric()))
    }

    /// The same of a point of wormhole routers.
    pub fn worm(&self, what: &str, f: impl Fn(&WormOutcome) -> f64) -> Sample {
        self.figure(what, |o| f(o.worm()))
    }

    fn figure(&self, what: &str, f: impl Fn(&Found) -> f64) -> Sample {
        let name = format!("{}: {what}", self.point);
        let values = match &self.results.source {
            Source::Runs(draws) => {
                let of = |d: &HashMap<String, Rc<Found>>| {
                    let o = d.get(&self.point);
                    f(o.unwrap_or_else(|| panic!("the study has no point {}", self.point)))
                };
                draws.iter().map(|d| rounded(of(d))).collect()
            }
            Source::Kept(numbers) => numbers.get(&name).cloned().unwrap_or_else(|| {
                self.results.missing.borrow_mut().push(name.clone());
                vec![f64::NAN]
            }),
        };
        self.results.asked.borrow_mut().insert(name, values.clone());
        Sample::new(values)
    }

    /// Mean throughput in Gbit/s between two times.
    pub fn gbps(&self, name: &str, from_ms: f64, to_ms: f64) -> Sample {
        self.measure(&format!("{name} {from_ms}-{to_ms} ms Gbit/s"), |o| o.gbps(name, from_ms, to_ms))
    }

    /// Mean throughput of the network as a share of what all hosts can take, between two times.
    pub fn share(&self, from_ms: f64, to_ms: f64) -> Sample {
        self.measure(&format!("{from_ms}-{to_ms} ms share"), |o| o.share(from_ms, to_ms))
    }

    /// Jain's index of flows between two times.
    pub fn jain(&self, names: &[&str], from_ms: f64, to_ms: f64) -> Sample {
        let what = format!("{} {from_ms}-{to_ms} ms Jain", names.join(" "));
        self.measure(&what, |o| o.fairness(names, from_ms, to_ms).jain)
    }

    /// Mean over the bins of the highest less the lowest of flows between two times, Gbit/s.
    pub fn gap(&self, names: &[&str], from_ms: f64, to_ms: f64) -> Sample {
        let what = format!("{} {from_ms}-{to_ms} ms gap Gbit/s", names.join(" "));
        self.measure(&what, |o| o.fairness(names, from_ms, to_ms).delta_mean)
    }

    /// V_ar of flows between two times, (Gbit/s)^2.
    pub fn v_ar(&self, names: &[&str], from_ms: f64, to_ms: f64) -> Sample {
        let what = format!("{} {from_ms}-{to_ms} ms V_ar", names.join(" "));
        self.measure(&what, |o| o.fairness(names, from_ms, to_ms).v_ar)
    }

    /// Standard deviation of a flow over the bins between two times, Gbit/s.
    pub fn deviation(&self, name: &str, from_ms: f64, to_ms: f64) -> Sample {
        let what = format!("{name} {from_ms}-{to_ms} ms SD Gbit/s");
        self.measure(&what, |o| o.spread(name, from_ms, to_ms).1)
    }

    /// Mean number of input ports without a free hot-packet queue between two times.
    pub fn ports_out_of_hpqs(&self, from_ms: f64, to_ms: f64) -> Sample {
        let what = format!("{from_ms}-{to_ms} ms ports out of HPQs");
        self.measure(&what, |o| o.ports_out_of_hpqs(from_ms, to_ms))
    }

    /// When the program of a trace ended, us.
    pub fn trace_us(&self) -> Sample {
        self.measure("end us", |o| o.trace_us.unwrap_or(f64::NAN))
    }
}

/// A published result.
pub struct Study {
    /// Its name: G1.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What its runs are configured with.
    pub settings: &'static [&'static [Setting]],
    /// What else is chosen, and how the runs differ from the paper's.
    pub deviations: &'static [&'static str],
    /// Hotspots or hot sources are drawn: the seed decides which.
    pub drawn: bool,
    /// It has networks of several sizes.
    pub sizes: bool,
    /// What is run for a seed.
    pub points: fn(Scale, u64) -> Result<Vec<Point>>,
    /// What came of it.
    pub evaluate: fn(&Results) -> Result<Report>,
    /// The pictures, of the first draw.
    pub figures: fn(&Results) -> Result<Vec<Figure>>,
}

impl Study {
    /// Its settings, as the page shows them.
    pub fn settings_text(&self) -> Vec<String> {
        self.settings.iter().copied().flatten().map(Setting::text).collect()
    }

    /// The report of kept figures.
    pub fn judge(&self, scale: Scale, numbers: Numbers) -> Result<Report> {
        let results = Results::of_kept(scale, numbers);
        let report = (self.evaluate)(&results)?;
        results.numbers()?;
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_is_judged() {
        assert_eq!(rounded(0.123456789), 0.123457);
        assert_eq!((rounded(0.0), rounded(1e9 / 3.0)), (0.0, 333_333_000.0));
        let kept = Numbers::from([("a: 1-2 ms share".to_string(), vec![0.5, 0.7])]);
        let r = Results::of_kept(Scale::Full, kept.clone());
        assert_eq!(r.of("a").share(1.0, 2.0).mean(), 0.6);
        assert_eq!(r.numbers().unwrap(), kept);
        let r = Results::of_kept(Scale::Full, kept);
        assert!(r.of("b").share(1.0, 2.0).mean().is_nan());
        assert_eq!(r.numbers().unwrap_err().to_string(), "there is no figure \"b: 1-2 ms share\"");
    }

    #[test]
    fn forms_have_names() {
        for scale in [Scale::Quick, Scale::Full, Scale::Only(1024)] {
            assert_eq!(Scale::named(&scale.name()).unwrap(), scale);
        }
        assert!(Scale::named("long").is_err());
    }
}
