//! The parking lot of a k-ary n-tree (thesis paper II).

use anyhow::Result;

use super::claim::{Claim, Tolerance};
use super::job::Point;
use super::plan::{Results, Scale, Study};
use super::point::Run;
use super::report::{Figure, Report, Table};
use super::sample::{Sample, highest, lowest};
use super::setting::{Setting, chosen, configured};
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{Axis, Chart, Series, Style};
use crate::scheme::Scheme;

const SETTINGS: &[Setting] = &[chosen("blocks", "256", "16 KB, so that the tree fills soon")];

pub fn studies() -> Vec<Study> {
    vec![Study {
        id: "G11",
        title: "The parking lot of a k-ary n-tree",
        source: "thesis paper II, section V",
        settings: &[SETTINGS],
        deviations: &[
            "4-ary 3-tree, VOQ switches, no congestion control, D-mod-k, all nodes send to node 0",
            "60 ms (short form: 9 ms), of which the first third is dropped",
        ],
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures,
    }]
}

fn time_us(scale: Scale) -> f64 {
    scale.pick(9_000.0, 60_000.0)
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let config = configured(Scheme::Vl1, 64, &[SETTINGS], &[])?;
    let spec = TrafficSpec::load("all-to-one(dst=0)", 64)?;
    let mut run = Run::new("4ary-3tree", spec, config, seed, time_us(scale));
    run.flows = (1..64).map(|src| (src, 0)).collect();
    Ok(vec![Point::new("tree", run)])
}

/// Share of a source of the last link, all sending to one node of a k-ary n-tree under D-mod-k: sources below the
/// `level`-th switch of the path (1 is the destination's own), but not below the one before.
fn parking_share(k: u64, n: u32, level: u32) -> f64 {
    // Each switch on the way down has k - 1 ports to other subtrees and one from above (none at the top).
    let (mut share, own) = (1.0, k as f64);
    for _ in 1..level {
        share /= own;
    }
    let inputs = if level == n { k - 1 } else { k };
    // The part of this level, over its sources: (k - 1) of `inputs` ports, each with k^(level-1) sources below.
    share * (k - 1) as f64 / inputs as f64 / ((k - 1) * k.pow(level - 1)) as f64
}

/// Share that a source has of the last link.
fn share(r: &Results, src: u32) -> Sample {
    let (from, to) = (time_us(r.scale) / 3000.0, time_us(r.scale) / 1000.0);
    let o = r.of("tree");
    o.gbps(&format!("{src}->0"), from, to).over(&o.gbps("network", from, to))
}

/// Level, its sources, and one over the share that the paper has for each.
const LEVELS: [(u32, std::ops::Range<u32>, f64); 3] = [(1, 1..4, 4.0), (2, 4..16, 64.0), (3, 16..64, 768.0)];

fn evaluate(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "Share of the link to the destination, one over",
        &["sources", "published", "formula", "mean", "lowest", "highest"],
    );
    let (mut means, mut ends) = (Vec::new(), Vec::new());
    for (level, range, published) in LEVELS {
        let shares: Vec<Sample> = range.map(|src| share(r, src)).collect();
        let mean = Sample::each(&shares, |v| v.iter().sum::<f64>() / v.len() as f64);
        let low = Sample::each(&shares, lowest);
        let high = Sample::each(&shares, highest);
        let inverse = |v: &Sample| v.map(|v| 1.0 / v).text(1);
        t.row([
            format!("{} of level {level}", shares.len()),
            format!("{published}"),
            format!("{:.1}", 1.0 / parking_share(4, 3, level)),
            inverse(&mean),
            inverse(&low),
            inverse(&high),
        ]);
        ends.push((format!("lowest of level {level}"), low.over(&mean)));
        ends.push((format!("highest of level {level}"), high.over(&mean)));
        means.push((format!("level {level}"), published, mean.map(|v| 1.0 / v)));
    }
    report.tables.push(t);
    report.claim(
        Claim::value(
            "one over the mean share of a source of the first, second and third level",
            Tolerance::Percent(3.0),
            means,
        )
        .published("1/4, 1/64, 1/768")
        .unit("", 1),
    );
    report.claim(Claim::bound(
        "within a level all get the same, over the mean (the farthest send few packets in the run)",
        "equal",
        (0.75, 1.25),
        ends,
    ));
    Ok(report)
}

fn figures(r: &Results) -> Result<Vec<Figure>> {
    let points = (1..64).map(|src| (f64::from(src), share(r, src).of(0)));
    let formula = LEVELS
        .into_iter()
        .flat_map(|(level, range, _)| range.map(move |src| (f64::from(src), parking_share(4, 3, level))));
    let chart = Chart {
        title: "G11: parking lot in the 4-ary 3-tree".into(),
        subtitle: "all nodes send to node 0".into(),
        x: Axis::new("Source node"),
        y: Axis::new("Share of the last link").log(),
        series: vec![
            Series::line("measured", points.collect()).style(Style::Points),
            Series::line("1/4, 1/64, 1/768", formula.collect()),
        ],
        marks: Vec::new(),
    };
    Ok(vec![Figure::new("shares", chart.svg())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_is_the_papers() {
        // 1/(k^(2n-1) - k^(2n-2)) for the farthest, 1/k for the nearest
        for (k, n) in [(2u64, 3u32), (4, 3), (4, 4), (8, 2)] {
            let far = 1.0 / (k.pow(2 * n - 1) - k.pow(2 * n - 2)) as f64;
            assert!((parking_share(k, n, n) / far - 1.0).abs() < 1e-12, "{k} {n}");
            assert!((parking_share(k, n, 1) * k as f64 - 1.0).abs() < 1e-12);
            let all: f64 = (1..=n).map(|l| parking_share(k, n, l) * ((k - 1) * k.pow(l - 1)) as f64).sum();
            assert!((all - 1.0).abs() < 1e-12, "all of the link: {all}");
        }
        for (level, range, published) in LEVELS {
            assert!((parking_share(4, 3, level) * published - 1.0).abs() < 1e-9);
            assert!(!range.is_empty());
        }
    }
}
