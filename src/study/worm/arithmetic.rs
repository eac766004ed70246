//! Y7: credits of streams.

use anyhow::Result;

use super::super::claim::{Claim, Tolerance};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Report, Table};
use super::super::sample::Sample;
use super::common::{CREDITS, Of, run, study};
use crate::fabric::traffic::Time;

/// Bandwidth in 1/4096 of the link, M, credits of best-effort.
const CASES: [(u32, u32, u32); 5] =
    [(11, 64, 24), (41, 1024, 600), (256, 1024, 200), (1000, 512, 100), (3000, 100, 20)];

/// Streams of each host that ask.
const STREAMS: u32 = 50;

const HOSTS: f64 = 8.0;

pub fn studies() -> Vec<Study> {
    vec![study(
        "Y7",
        "Credits of streams, and how many there are",
        "Yum et al., section 4.2",
        &[
            "in whole messages, one at least: C_j = max(1, floor(b_j M / B)); without admission, so that only credits decide",
        ],
        points,
        evaluate,
        |_| Ok(Vec::new()),
    )]
}

fn name((bw, m, c_b): (u32, u32, u32)) -> String {
    format!("b {bw}, M {m}, C_b {c_b}")
}

fn points(_: Scale, seed: u64) -> Result<Vec<Point>> {
    let point = |case: (u32, u32, u32)| {
        let (bw, m, c_b) = case;
        let of = Of { credits: Some(c_b), ..CREDITS };
        let mut run = run("star:8", "worm-onoff(load=50%, rate=0.02)", of, seed, (0, 8000))?;
        run.settings.m = Some(m);
        for g in &mut run.traffic.onoff {
            (g.share, g.streams, g.ask) = (None, Some(STREAMS), bw.to_string().parse()?);
            // All of them have asked long before the end.
            g.within = Some(Time::Cycles(4000));
        }
        Ok(Point::new(name(case), run))
    };
    CASES.into_iter().map(point).collect()
}

/// Streams of a host that have their credits beside best-effort's.
fn published((bw, m, c_b): (u32, u32, u32)) -> (u32, u32) {
    let credits = (bw * m / 4096).max(1);
    (credits, ((m - c_b) / credits).min(STREAMS))
}

fn evaluate(r: &Results) -> Result<Report> {
    let mut t =
        Table::new("Streams of a host", &["b (1/4096)", "M", "C_b", "C_j", "room for", "opened", "refused"]);
    let mut figures: Vec<(String, f64, Sample)> = Vec::new();
    for case in CASES {
        let (credits, streams) = published(case);
        let p = r.of(name(case));
        let opened = p.worm("streams opened a host", |o| o.report.streams.opened_streams as f64 / HOSTS);
        let refused =
            p.worm("opens refused a host", |o| o.report.streams.refused_opens_no_credits as f64 / HOSTS);
        let (bw, m, c_b) = case;
        t.row([
            bw.to_string(),
            m.to_string(),
            c_b.to_string(),
            credits.to_string(),
            streams.to_string(),
            opened.text(2),
            refused.text(2),
        ]);
        figures.push((name(case), streams.into(), opened));
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    report.claim(
        Claim::value(
            "as many streams are open as have C_j = b_j M / B each, with C_b no more than M in all",
            Tolerance::By(0.001),
            figures,
        )
        .published("C_j = (b_j / B) M; C_b <= M - sum of C_j"),
    );
    Ok(report)
}
