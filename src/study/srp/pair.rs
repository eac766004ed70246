//! R1: two switches, five senders to one destination and one to another.

use anyhow::Result;

use super::super::claim::{Claim, Tolerance, at_least};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Report, Table};
use super::super::sample::Sample;
use super::common::{ALL, LINK, SCALED, SETTINGS, SWITCH, run, title};
use crate::fabric::metrics::jain;
use crate::scheme::Scheme;

pub fn studies() -> Vec<Study> {
    vec![Study {
        id: "R1",
        title: "Two switches: five senders to one destination, one to another",
        source: "Jiang et al., figures 1 and 4",
        settings: &[SETTINGS],
        deviations: &[SCALED, SWITCH],
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures: |_| Ok(Vec::new()),
    }]
}

/// Time, and from when it is counted, ms.
fn times(scale: Scale) -> (f64, f64) {
    scale.pick((1.0, 2.0), (2.0, 10.0))
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (_, ms) = times(scale);
    ALL.into_iter()
        .map(|s| Ok(Point::new(title(s), run("srp-1", "srp-1(whole=true)", s, seed, ms, &[])?)))
        .collect()
}

fn evaluate(r: &Results) -> Result<Report> {
    let (from, to) = times(r.scale);
    let share = |s: Scheme, host: usize| r.of(title(s)).gbps(&format!("S{host}"), from, to).map(|v| v / LINK);
    let five = |s: Scheme| (1..6).map(|i| share(s, i)).collect::<Vec<_>>();
    let l2 = |s: Scheme| Sample::each(&five(s), |v| v.iter().sum::<f64>());
    let even = |s: Scheme| Sample::each(&five(s), jain);
    let mut t = Table::new(
        "Shares of a link",
        &["scheme", "S0", "S1", "S2", "S3", "S4", "S5", "link to D1 (L2)", "Jain of S1 to S5"],
    )
    .on_page();
    for s in ALL {
        let mut row = vec![title(s).to_string()];
        row.extend((0..6).map(|i| share(s, i).text(4)));
        row.push(l2(s).text(4));
        row.push(even(s).text(4));
        t.row(row);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    report.claim(
        Claim::value("base: the link to D1 is full", Tolerance::By(0.01), [("", 1.0, l2(Scheme::Vl1))])
            .published("L2: 100 %"),
    );
    let half = |i: usize| share(Scheme::Vl1, i).over(&share(Scheme::Vl1, 3));
    report.claim(
        Claim::value(
            "base: who shares the link between the switches gets half of what the others get",
            Tolerance::By(0.03),
            [("S1/S3", 0.5, half(1)), ("S2/S3", 0.5, half(2))],
        )
        .published("S1 and S2 get half of S3, S4 and S5"),
    );
    report.claim(
        Claim::value(
            "SRP: the link to D1 loses what is booked beyond the flits",
            Tolerance::By(0.01),
            [("", 0.952, l2(Scheme::Srp))],
        )
        .published("L2: 5 % less")
        .unit("", 3),
    );
    report.claim(
        Claim::bound(
            "SRP: the five are served alike: Jain's index",
            "all equal",
            at_least(0.999),
            [("", even(Scheme::Srp))],
        )
        .unit("", 5),
    );
    let gain = Sample::each(&[share(Scheme::Srp, 0), share(Scheme::Vl1, 0)], |v| 100.0 * (v[0] - v[1]));
    report.claim(
        Claim::value("SRP: S0, which does not go to D1, gets more", Tolerance::By(4.0), [("S0", 47.0, gain)])
            .published("47 %, read as points of the link's rate: base is 1/8, and with SRP at most 1 - 2/(5 * 1.05) = 0.619")
            .unit("%", 1),
    );
    Ok(report)
}
