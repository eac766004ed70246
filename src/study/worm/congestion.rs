//! Y1: congestion control with best-effort traffic alone.

use anyhow::Result;

use super::super::claim::{Claim, Margin, at_least};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Figure, Report, Table};
use super::super::sample::{Sample, highest};
use super::common::{CREDITS as CONTROL, Class, From, NEITHER, Of, accepted, at, latency, loads, run, study};
use crate::plot::{Axis, Chart, Series};

const NETWORK: &str = "mesh:4x4";

/// All 14 data lanes are best-effort's.
const ALL_LANES: u32 = 0x3fff;

/// A number of credits.
const fn credits(name: &'static str, n: u32) -> Of {
    Of { name, credits: Some(n), ..CONTROL }
}

const CREDITS: [Of; 4] = [
    credits("credit 50", 50),
    credits("credit 100", 100),
    credits("credit 200", 200),
    credits("credit 400", 400),
];

/// Fewer than the lanes of an adapter hold messages.
const FEW: [Of; 2] = [credits("credit 4", 4), credits("credit 10", 10)];

/// With the number of credits that the paper found best.
const BEST: Of = CREDITS[2];

const NONE: Of = Of { name: "none", ..NEITHER };

/// At-Least-One and Self-Tuned, which the paper compares with.
const RIVALS: [Of; 2] =
    [Of { name: "ALO", scheme: "alo", ..NEITHER }, Of { name: "Self-Tuned", scheme: "selftuned", ..NEITHER }];

fn all() -> impl Iterator<Item = Of> {
    std::iter::once(NONE).chain(RIVALS).chain(FEW).chain(CREDITS)
}

pub fn studies() -> Vec<Study> {
    vec![study(
        "Y1",
        "Credits for messages against congestion, best-effort only",
        "Yum et al., section 6.1, figure 3",
        &[
            "lanes 0 to 13 are best-effort's, 14 is for replies (the paper has 15 lanes for it)",
            "of the numbers of credits only 200 is in the text; the others are ours; 4 and 10 are beside the paper",
            "short form: two loads, 100 000 cycles instead of ten loads and 400 000; at full load what waits grows all the time, and latencies with it",
        ],
        points,
        evaluate,
        figures,
    )]
}

fn of_scale(scale: Scale) -> Vec<u32> {
    loads(scale, &[60, 100], 10..=100)
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let times = scale.pick((50_000, 100_000), (200_000, 400_000));
    let mut points = Vec::new();
    for of in all() {
        for load in of_scale(scale) {
            let mut run = run(NETWORK, &format!("worm-uniform(load={load}%)"), of, seed, times)?;
            run.settings.be_mask = Some(ALL_LANES);
            points.push(Point::new(at(of, load), run));
        }
    }
    Ok(points)
}

fn evaluate(r: &Results) -> Result<Report> {
    let loads = of_scale(r.scale);
    let mut t = Table::new(
        "Best-effort traffic in a 4 x 4 mesh",
        &["scheme", "load (%)", "delivered", "latency from creation", "from the post", "in the network"],
    )
    .on_page();
    for of in all() {
        for &load in &loads {
            let p = r.of(at(of, load));
            let mut row =
                vec![of.name.to_string(), load.to_string(), accepted(&p, Class::BestEffort).text(4)];
            for from in [From::Creation, From::Post, From::Link] {
                row.push(latency(&p, Class::BestEffort, from).text(0));
            }
            t.row(row);
        }
    }
    let mut report = Report { tables: vec![t], claims: Vec::new() };
    let top = *loads.last().unwrap_or(&100);
    let of_top = |of: Of| r.of(at(of, top));
    let delivered = |of: Of| accepted(&of_top(of), Class::BestEffort);
    for from in [From::Creation, From::Post] {
        let late = |of: Of| latency(&of_top(of), Class::BestEffort, from);
        for rival in RIVALS {
            report.claim(
                Claim::chain(
                    format!(
                        "credits have a lower latency than {}, at the highest load ({})",
                        rival.name,
                        from.name()
                    ),
                    "lower latency for the entire load, more evident at higher load",
                    Margin::Percent(0.0),
                    [(rival.name, late(rival)), (BEST.name, late(BEST))],
                )
                .unit("cycles", 0)
                .because(HELD),
            );
        }
        report.claim(
            Claim::order(
                format!("without control latency is highest, at the highest load ({})", from.name()),
                "the lowest performance in terms of latency",
                Margin::Percent(0.0),
                [NONE, RIVALS[0], RIVALS[1], BEST].map(|of| (of.name, late(of))),
                &[(0, 1), (0, 2), (0, 3)],
            )
            .unit("cycles", 0)
            .because(WAITS),
        );
        let mut chain: Vec<(&str, Sample)> = CREDITS.iter().map(|&of| (of.name, late(of))).collect();
        chain.reverse();
        report.claim(
            Claim::chain(
                format!("more credits, more latency, at the highest load ({})", from.name()),
                "a higher number of credits increases delay",
                Margin::Percent(0.0),
                chain,
            )
            .unit("cycles", 0)
            .because(WAITS),
        );
    }
    for rival in RIVALS {
        report.claim(
            Claim::chain(
                format!("credits have a higher throughput than {}, at the highest load", rival.name),
                "better throughput for the entire load, more evident at higher load",
                Margin::Percent(0.0),
                [(BEST.name, delivered(BEST)), (rival.name, delivered(rival))],
            )
            .unit("flits/cycle and host", 4)
            .because(HELD),
        );
    }
    report.claim(
        Claim::order(
            "without control throughput is lowest, at the highest load",
            "the lowest performance in terms of throughput",
            Margin::Percent(0.0),
            [NONE, RIVALS[0], RIVALS[1], BEST].map(|of| (of.name, delivered(of))),
            &[(1, 0), (2, 0), (3, 0)],
        )
        .unit("flits/cycle and host", 4)
        .because(LANES),
    );
    let others = CREDITS.into_iter().filter(|of| of.name != BEST.name);
    let mut figures = vec![(BEST.name, delivered(BEST))];
    figures.extend(others.map(|of| (of.name, delivered(of))));
    let pairs: Vec<(usize, usize)> = (1..figures.len()).map(|i| (0, i)).collect();
    report.claim(
        Claim::order(
            "200 credits are best: throughput at the highest load",
            "the best performance with 200",
            Margin::Percent(0.0),
            figures,
            &pairs,
        )
        .unit("flits/cycle and host", 4)
        .because(LANES),
    );
    let of_none: Vec<Sample> =
        loads.iter().map(|&l| accepted(&r.of(at(NONE, l)), Class::BestEffort)).collect();
    let kept = Sample::each(&of_none, |v| v[v.len() - 1] / highest(v));
    report.claim(Claim::bound(
        "without control throughput does not drop: at the highest load, of its highest",
        "no sudden drop, for the source cannot inject when the buffer is full",
        at_least(0.9),
        [("", kept)],
    ));
    Ok(report)
}

/// What rivals do.
const HELD: &str = "a rival holds headers back in lanes of the adapter, and with them what is posted behind them; what it holds is in its latency from the post, and what waits at the host for a credit is not in that of credits";

/// Why credits change nothing from creation on.
const WAITS: &str = "what a credit keeps from the adapter waits at the host instead: the lanes of an adapter hold 14 messages, and on which side of the post those wait that are behind them \
                     changes nothing that comes later (latency in the network is the same to the cycle with 50 credits and more, and without); from the post latency is less where more messages wait than there \
                     are credits";
/// Why they change no throughput.
const LANES: &str = "50 credits are more than the 14 messages that the lanes of an adapter hold, so the network has the same messages with 50 and more as without; with 4 and 10 there are fewer \
                     in it, and the table has what that gives";

fn figures(r: &Results) -> Result<Vec<Figure>> {
    let loads = of_scale(r.scale);
    let line = |(i, of): (usize, Of), f: &dyn Fn(&str) -> f64| {
        let points = loads.iter().map(|&l| (f64::from(l), f(&at(of, l)))).collect();
        Series::line(of.name, points).look(i)
    };
    let chart = |name: &str, title: &str, y: Axis, f: &dyn Fn(&str) -> f64| {
        let chart = Chart {
            title: title.into(),
            subtitle: "4 x 4 mesh, best-effort only".into(),
            x: Axis::new("Load (%)").range(0.0, 100.0),
            y,
            series: all().enumerate().map(|of| line(of, f)).collect(),
            marks: Vec::new(),
        };
        Figure::new(name, chart.svg())
    };
    Ok(vec![
        chart("latency", "Latency from the accepted post", Axis::new("Cycles").log(), &|p| {
            r.worm(p).report.best_effort.latency_from_post.mean_cycles
        }),
        chart("creation", "Latency from creation", Axis::new("Cycles").log(), &|p| {
            r.worm(p).report.best_effort.latency.mean_cycles
        }),
        chart("throughput", "Throughput", Axis::new("Flits per cycle and host"), &|p| {
            r.worm(p).report.best_effort.delivered_flits_per_cycle_and_host
        }),
    ])
}
