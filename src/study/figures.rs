//! The charts of the studies: a scheme looks the same in all of them.

use super::point::Outcome;
use crate::plot::{Axis, Chart, Series};
use crate::scheme::{Organisation, Scheme};

/// Place in the palette where schemes of all organisations meet: the papers never compare those with one queue and those
/// with VOQs, and give both the same places.
pub fn look_among_all(scheme: Scheme) -> usize {
    scheme.look + if scheme.organisation == Organisation::OneQueue { 7 } else { 0 }
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
