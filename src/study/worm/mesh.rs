//! Y3, Y5 and Y6: ON/OFF streams in a mesh.

use anyhow::Result;

use super::super::claim::{Claim, Margin, at_most};
use super::super::job::Point;
use super::super::plan::{Results, Scale, Study};
use super::super::report::{Figure, Report, Table};
use super::super::sample::{Sample, highest, lowest};
use super::common::{
    ADMISSION, BOTH, CREDITS, Class, From, NEITHER, Of, accepted, admitted, at, dropped, latency, loads, run,
    study,
};
use crate::plot::{Axis, Chart, Series};

const NETWORK: &str = "mesh:5x5";

const DEVIATIONS: &[&str] = &[
    "the paper has neither lengths of ON and OFF nor rates: exponential, 10 000 cycles each, 2 % of the link while on",
    "a stream asks for the rate at which it sends while it is on, the only rate that the paper gives a source; A,C mean: for the mean of all times, half of that",
    "what streams that are not admitted offer is not sent and has no latency",
    "short form: two loads, 60 000 cycles instead of nine loads and 400 000",
];

/// From the best to the worst at low load.
const ALL: [Of; 4] = [BOTH, ADMISSION, CREDITS, NEITHER];

/// With both, and streams that ask for their mean rate.
const MEAN: Of = Of { name: "A,C mean", ..BOTH };

/// Why they tie at the lowest load.
const ALIKE: &str = "at the lowest load all streams are admitted, or nearly all, and no post is refused: there is nothing that admission or credits could change, and what is between the four are single messages in another \
                     lane";

pub fn studies() -> Vec<Study> {
    vec![
        study(
            "Y3",
            "Real-time latency in a mesh, admission and credits on and off",
            "Yum et al., figure 5(b)",
            DEVIATIONS,
            points,
            |r| ranked(r, Class::RealTime),
            |r| Ok(vec![chart(r, Class::RealTime)]),
        ),
        study(
            "Y5",
            "Control latency in a mesh, admission and credits on and off",
            "Yum et al., figure 5(a)",
            DEVIATIONS,
            points,
            y5,
            |r| Ok(vec![chart(r, Class::Control)]),
        ),
        study(
            "Y6",
            "Best-effort latency in a mesh, admission and credits on and off",
            "Yum et al., figure 5(c)",
            DEVIATIONS,
            points,
            |r| ranked(r, Class::BestEffort),
            |r| Ok(vec![chart(r, Class::BestEffort)]),
        ),
    ]
}

fn of_scale(scale: Scale) -> Vec<u32> {
    loads(scale, &[30, 90], 20..=100)
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let times = scale.pick((60_000, 120_000), (200_000, 600_000));
    let mut points = Vec::new();
    for of in ALL.into_iter().chain([MEAN]) {
        for load in of_scale(scale) {
            let ask = if of.name == MEAN.name { "mean" } else { "peak" };
            let traffic = format!("worm-onoff(load={load}%, ask={ask})");
            points.push(Point::new(at(of, load), run(NETWORK, &traffic, of, seed, times)?));
        }
    }
    Ok(points)
}

fn table(r: &Results, class: Class) -> Table {
    let mut t = Table::new(
        &format!("Mean latency of {} messages, cycles", class.name()),
        &[
            "scheme",
            "load (%)",
            "from creation",
            "from the post",
            "in the network",
            "delivered",
            "admitted (%)",
            "real-time dropped (%)",
        ],
    )
    .on_page();
    for of in ALL.into_iter().chain([MEAN]) {
        for load in of_scale(r.scale) {
            let p = r.of(at(of, load));
            let late = |from| latency(&p, class, from).text(0);
            t.row([
                of.name.to_string(),
                load.to_string(),
                late(From::Creation),
                late(From::Post),
                late(From::Link),
                accepted(&p, class).text(4),
                admitted(&p).text(1),
                dropped(&p).text(2),
            ]);
        }
    }
    t
}

fn late(r: &Results, of: Of, load: u32, class: Class) -> Sample {
    latency(&r.of(at(of, load)), class, From::Creation)
}

/// Why it is another order at the highest load.
const HIGH: &str = "credits alone keep streams back, too: a stream is not opened when the sum of all C_j would be above M, which is a limit for what a host sends, and knows nothing of the links behind; which of the two \
                    lets fewer messages in at this load decides the order";

/// The order of the four at the lowest and at the highest load.
fn ranked(r: &Results, class: Class) -> Result<Report> {
    let mut report = Report { tables: vec![table(r, class)], claims: Vec::new() };
    let loads = of_scale(r.scale);
    let (low, high) = (loads[0], loads[loads.len() - 1]);
    let figures = |order: [Of; 4], load| order.map(|of| (of.name, late(r, of, load, class)));
    report.claim(
        Claim::chain(
            "at the lowest load admission alone is second, credits alone third",
            "best with both, then only admission, then only congestion control; without either worst",
            Margin::Percent(0.0),
            figures([NEITHER, CREDITS, ADMISSION, BOTH], low),
        )
        .unit("cycles", 1)
        .because(ALIKE),
    );
    report.claim(
        Claim::chain(
            "at the highest load credits alone are second, admission alone third",
            "with only congestion control better than with only admission as the load increases",
            Margin::Percent(0.0),
            figures([NEITHER, ADMISSION, CREDITS, BOTH], high),
        )
        .unit("cycles", 1)
        .because(HIGH),
    );
    Ok(report)
}

fn y5(r: &Results) -> Result<Report> {
    let mut report = Report { tables: vec![table(r, Class::Control)], claims: Vec::new() };
    let gaps: Vec<Sample> = of_scale(r.scale)
        .into_iter()
        .map(|load| {
            let all = ALL.map(|of| late(r, of, load, Class::Control));
            Sample::each(&all, |v| 100.0 * (highest(v) / lowest(v) - 1.0))
        })
        .collect();
    report.claim(
        Claim::bound(
            "control is much the same with all four: the slowest over the fastest, of all loads",
            "admission is less prominent for control traffic",
            at_most(20.0),
            [("more", Sample::each(&gaps, highest))],
        )
        .unit("%", 1),
    );
    Ok(report)
}

fn chart(r: &Results, class: Class) -> Figure {
    let latency = |p: &str| match class {
        Class::Control => r.worm(p).report.control.latency.mean_cycles,
        Class::RealTime => r.worm(p).report.real_time.latency.mean_cycles,
        Class::BestEffort => r.worm(p).report.best_effort.latency.mean_cycles,
    };
    let line = |(i, of): (usize, &Of)| {
        let points = of_scale(r.scale).into_iter().map(|l| (f64::from(l), latency(&at(*of, l)))).collect();
        Series::line(of.name, points).look(i)
    };
    let chart = Chart {
        title: format!("Mean latency of {} messages from creation", class.name()),
        subtitle: "5 x 5 mesh, ON/OFF streams and best-effort 80 : 20".into(),
        x: Axis::new("Load (%)").range(0.0, 100.0),
        y: Axis::new("Cycles").log(),
        series: ALL.iter().enumerate().map(line).collect(),
        marks: Vec::new(),
    };
    Figure::new("latency", chart.svg())
}
