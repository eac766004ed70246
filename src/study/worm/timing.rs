//! Y8: stages of a router.

use anyhow::Result;

use super::super::claim::{Claim, Tolerance};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Report, Table};
use super::super::sample::Sample;
use super::common::{Class, From, NEITHER, latency, run, study};
use crate::worm::Settings;

/// Destinations of host 0 in the first row and the last column of the mesh, and routers on the way.
const PLACES: [(u32, u32); 4] = [(1, 2), (2, 3), (4, 5), (24, 9)];

const LENGTHS: [u32; 2] = [40, 10];

pub fn studies() -> Vec<Study> {
    vec![study(
        "Y8",
        "A router's stages",
        "Yum et al., section 3.1, figure 1",
        &["one source, so that nothing is in the way of a message"],
        points,
        evaluate,
        |_| Ok(Vec::new()),
    )]
}

fn name(dst: u32, flits: u32) -> String {
    format!("{flits} flits to {dst}")
}

fn points(_: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for (dst, _) in PLACES {
        for flits in LENGTHS {
            let mut run = run(
                "mesh:5x5",
                &format!("worm-uniform(load=2%, message={flits})"),
                NEITHER,
                seed,
                (0, 20_000),
            )?;
            for g in &mut run.traffic.best_effort {
                (g.sources, g.to) = ("0".parse()?, dst.to_string().parse()?);
            }
            points.push(Point::new(name(dst, flits), run));
        }
    }
    Ok(points)
}

/// The least latency; a message that meets another one of its source takes longer.
fn least(r: &Results, dst: u32, flits: u32) -> Sample {
    r.of(name(dst, flits))
        .worm("median latency in the network cycles", |o| o.report.best_effort.network.p50_cycles as f64)
}

fn evaluate(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "Median latency of the tail in the network, mean from the post, cycles",
        &["flits", "routers", "in the network", "from the post"],
    );
    for (dst, routers) in PLACES {
        for flits in LENGTHS {
            let p = r.of(name(dst, flits));
            t.row([
                flits.to_string(),
                routers.to_string(),
                least(r, dst, flits).text(0),
                latency(&p, Class::BestEffort, From::Post).text(1),
            ]);
        }
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let (near, far) = (PLACES[0], PLACES[PLACES.len() - 1]);
    let link = f64::from(Settings::default().link_delay);
    let step = |flits: u32| {
        Sample::each(&[least(r, far.0, flits), least(r, near.0, flits)], |v| {
            (v[0] - v[1]) / f64::from(far.1 - near.1) - link
        })
    };
    let figures = LENGTHS.map(|flits| (format!("{flits} flits"), 5.0, step(flits)));
    report.claim(
        Claim::value("a router takes five cycles, a link beside it", Tolerance::By(0.01), figures)
            .published("a pipelined router of five stages")
            .unit("cycles", 2),
    );
    Ok(report)
}
