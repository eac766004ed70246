//! The charts of the studies: a scheme looks the same in all of them.

use super::point::Outcome;
use crate::plot::{Axis, Chart, Series};
use crate::scheme::{Isolation, Notification, Organisation, Scheme};

/// Places in the palette that schemes have in studies, with those of one queue beside those with VOQs.
const PLACES: usize = 14;

/// Place in the palette where schemes of all studies meet: each has one of its own. Schemes that no study compares may have the same
/// place there; those that do nothing about congestion keep it, then those that are last in the catalogue.
pub fn look_among_all(scheme: Scheme) -> usize {
    let plain = |s: &Scheme| s.isolation == Isolation::None && s.notification == Notification::None;
    let usual = |s: Scheme| s.look + if s.organisation == Organisation::OneQueue { PLACES / 2 } else { 0 };
    let all = Scheme::ALL.into_iter();
    let (mut places, mut others) = (Vec::new(), PLACES..);
    for s in all.clone().filter(plain).chain(all.rev().filter(|s| !plain(s))) {
        let usual = usual(s);
        let place = if places.contains(&usual) { others.next().unwrap_or(usual) } else { usual };
        if s == scheme {
            return place;
        }
        places.push(place);
    }
    usual(scheme)
}

/// Throughput of named flows over time, Gbit/s, and published levels.
pub fn flows(
    title: &str,
    subtitle: &str,
    o: &Outcome,
    names: &[&str],
    top: f64,
    levels: Vec<Series>,
) -> Chart {
    let mut series: Vec<Series> = names
        .iter()
        .enumerate()
        .map(|(i, name)| Series::line(name, o.report.gbps_over_ms(o.series(name))).look(i))
        .collect();
    series.extend(levels);
    Chart {
        title: title.into(),
        subtitle: subtitle.into(),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Throughput (Gbit/s)").range(0.0, top),
        series,
        marks: Vec::new(),
    }
}

/// Throughput of the network over time as a share of what the hosts can take, one line a scheme.
pub fn normalised(
    title: &str,
    subtitle: &str,
    lines: &[(Scheme, &str, &Outcome)],
    marks: &[(f64, &str)],
) -> Chart {
    Chart {
        title: title.into(),
        subtitle: subtitle.into(),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Normalised throughput").range(0.0, 1.0),
        series: lines
            .iter()
            .map(|(s, name, o)| {
                Series::line(name, o.report.normalised_over_ms(o.series("network"))).look(s.look)
            })
            .collect(),
        marks: marks.iter().map(|&(t, n)| (t, n.to_string())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_has_a_look_of_its_own_among_all() {
        let mut places: Vec<usize> = Scheme::ALL.into_iter().map(look_among_all).collect();
        places.sort_unstable();
        places.dedup();
        // Colours, dashes and markers are 7, 5 and 6.
        assert!(places.len() == Scheme::ALL.len() && places.iter().all(|p| *p < 30), "{places:?}");
    }
}
