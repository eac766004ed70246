//! R6, R10: time-to-wait and size of chunks, and 4096 nodes.

use anyhow::Result;

use super::super::claim::{Claim, Margin, Tolerance, at_least};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Report, Table};
use super::super::sample::Sample;
use super::common::{DRAWN_UP, DROPS, LINK, SCALED, SETTINGS, SWITCH, TREE, run, title, top};
use super::uniform::{FOUR, dropped, point};
use crate::scheme::Scheme;

pub fn studies() -> Vec<Study> {
    vec![
        Study {
            id: "R6",
            title: "Uniform traffic: time-to-wait, and the size of chunks",
            source: "Jiang et al., figures 12 and 13",
            settings: &[SETTINGS, DRAWN_UP],
            deviations: &[
                SCALED,
                SWITCH,
                "TTW of 94, 203 and 406 cycles (0.6, 1.3 and 2.6 us) with messages of four packets; chunks of 4 to 64 packets (chosen: the axis of the figure is not in the text) with messages of 64",
            ],
            drawn: false,
            sizes: false,
            points,
            evaluate,
            figures: |_| Ok(Vec::new()),
        },
        Study {
            id: "R10",
            title: "4096 nodes",
            source: "Jiang et al., section 6.2",
            settings: &[SETTINGS, DRAWN_UP],
            deviations: &[
                SCALED,
                SWITCH,
                "three stages of 32-port switches, links of 19 cycles (128 ns), 4 to the hosts; 0.1 ms in the short form, 1 ms in the full one",
            ],
            drawn: false,
            sizes: false,
            points: large,
            evaluate: judge_large,
            figures: |_| Ok(Vec::new()),
        },
    ]
}

// ---- R6

const WAITS: [u32; 3] = [94, 203, 406];
const CHUNKS: [u32; 5] = [4, 8, 16, 32, 64];

fn loads(scale: Scale) -> Vec<u32> {
    scale.pick(vec![70, 80, 90], vec![50, 60, 70, 75, 80, 85, 90, 95])
}

fn waiting(ttw: u32, load: u32) -> String {
    format!("TTW {ttw}, {load} %")
}

fn chunked(nmax: u32, load: u32) -> String {
    format!("chunks of {nmax}, {load} %")
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for load in loads(scale) {
        for ttw in WAITS {
            let varied = [("ttw", ttw.to_string())];
            points.push(point(waiting(ttw, load), TREE, (load, FOUR), Scheme::Srp, (scale, seed), &varied)?);
        }
        for nmax in CHUNKS {
            let varied = [("nmax", nmax.to_string())];
            points.push(point(
                chunked(nmax, load),
                TREE,
                (load, "2048"),
                Scheme::Srp,
                (scale, seed),
                &varied,
            )?);
        }
    }
    Ok(points)
}

/// The most that is dropped at any load, % of the links.
fn peak(r: &Results, name: impl Fn(u32) -> String) -> Sample {
    let all: Vec<Sample> =
        loads(r.scale).into_iter().map(|l| r.of(name(l)).measure("dropped", dropped)).collect();
    Sample::each(&all, |v| top(v).1)
}

fn evaluate(r: &Results) -> Result<Report> {
    let mut t = Table::new(
        "Speculative flits dropped, % of what the adapters' links can carry, at the worst load",
        &["setting", "dropped"],
    )
    .on_page();
    let wait = |ttw: u32| peak(r, |l| waiting(ttw, l));
    let chunk = |nmax: u32| peak(r, |l| chunked(nmax, l));
    for ttw in WAITS {
        t.row([format!("TTW {ttw}"), wait(ttw).text(4)]);
    }
    for nmax in CHUNKS {
        t.row([format!("chunks of {nmax} packets"), chunk(nmax).text(4)]);
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    report.claim(
        Claim::value(
            "twice the time-to-wait halves what is dropped at the worst load",
            Tolerance::By(0.12),
            [("203 of 94", 0.5, wait(203).over(&wait(94))), ("406 of 203", 0.5, wait(406).over(&wait(203)))],
        )
        .published("each doubling halves the peak")
        .unit("", 3)
        .because(DROPS),
    );
    Ok(report)
}

// ---- R10

const LARGE: &str = "kary-ntree:16:3:srp";

fn large_ms(scale: Scale) -> f64 {
    scale.pick(0.1, 1.0)
}

fn large(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let ms = large_ms(scale);
    let mut points = Vec::new();
    let mut add = |name: &str, traffic: &str, s: Scheme, varied: &[(&str, String)]| -> Result<()> {
        points.push(Point::new(name, run(LARGE, traffic, s, seed, ms, varied)?));
        Ok(())
    };
    for s in [Scheme::Vl1, Scheme::Srp] {
        add(&format!("{} hot", title(s)), "srp-hotspot(senders=200, uniform=40%, whole=true)", s, &[])?;
        add(&format!("{} full", title(s)), "srp-uniform(load=100%, message=128)", s, &[])?;
    }
    add("SRP full, TTW 406", "srp-uniform(load=100%, message=128)", Scheme::Srp, &[("ttw", "406".into())])?;
    Ok(points)
}

fn judge_large(r: &Results) -> Result<Report> {
    let ms = large_ms(r.scale);
    let others = |s: Scheme| {
        r.of(format!("{} hot", title(s))).measure("uniform share", move |o| {
            100.0 * o.gbps("uniform", ms / 2.0, ms) / (o.series("uniform").capacity * LINK)
        })
    };
    let full = |name: &str| r.of(name).share(ms / 2.0, ms).map(|v| 100.0 * v);
    let mut t = Table::new("What gets through, % of the links", &["traffic", "base", "SRP", "SRP, TTW 406"])
        .on_page();
    t.row([
        "uniform at 40 % beside 200 nodes to one".to_string(),
        others(Scheme::Vl1).text(2),
        others(Scheme::Srp).text(2),
        "-".into(),
    ]);
    t.row([
        "uniform, full load".to_string(),
        full("base full").text(2),
        full("SRP full").text(2),
        full("SRP full, TTW 406").text(2),
    ]);
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    report.claim(
        Claim::bound(
            "SRP: the others get through what they send beside the hotspot",
            "the hotspot is managed",
            at_least(38.0),
            [("", others(Scheme::Srp))],
        )
        .unit("%", 2),
    );
    report.claim(
        Claim::chain(
            "base: they do not",
            "tree saturation",
            Margin::Percent(100.0),
            [("SRP", others(Scheme::Srp)), ("base", others(Scheme::Vl1))],
        )
        .unit("%", 2),
    );
    let more = |name: &str| Sample::each(&[full(name), full("base full")], |v| v[0] - v[1]);
    report.claim(
        Claim::value(
            "SRP saturates where base does, and later with a longer time-to-wait, points",
            Tolerance::By(2.0),
            [("TTW 203", 0.0, more("SRP full")), ("TTW 406", 3.0, more("SRP full, TTW 406"))],
        )
        .published("as base; 3 % more with a longer one, whose value is not given")
        .unit("%", 2),
    );
    Ok(report)
}
