//! Marking_Rate and CCTI_Timer of InfiniBand congestion control (thesis paper III).

use anyhow::Result;

use super::claim::{Claim, Margin, Tolerance, at_least, at_most};
use super::infiniband::{CC, HOST, HOT, HYSTERESIS, LINKS, SINK, cc, started};
use super::job::Point;
use super::plan::{Results, Scale, Study};
use super::report::{Figure, Report, Table};
use super::sample::Sample;
use super::setting::{Setting, chosen, throttles};
use crate::plot::{self, Axis, Chart, Series};

/// How often a destination answers.
const MESSAGE: &[Setting] = &[chosen(
    "becn_per",
    "32",
    "one BECN for each message: hosts send messages of 64 KB, 32 packets, on a reliable connection; the alternative: 1, one for each packet with FECN",
)
.on(throttles)];

pub fn studies() -> Vec<Study> {
    vec![Study {
        id: "G7",
        title: "Marking_Rate and CCTI_Timer",
        source: "thesis paper III, figures 11, 13, 14",
        settings: &[CC, MESSAGE],
        deviations: &[
            LINKS,
            "`hth = lth + 34` flits (chosen: a little more than one MTU)",
            "the flows start 20 ms after each other; then all run for 300 ms (short form: 60 ms, and 2 x 2 of the 6 x 8 settings)",
        ],
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures,
    }]
}

fn grid(scale: Scale) -> (&'static [u32], &'static [u32]) {
    scale.pick((&[1, 31], &[20, 150]), (&[0, 1, 3, 7, 15, 31], &[20, 50, 100, 150, 300, 600, 1000, 2000]))
}

/// The flows start 20 ms after each other; then all run for so long, ms.
const START: f64 = 80.0;

fn time(scale: Scale) -> f64 {
    scale.pick(60.0, 300.0)
}

/// The time in which all flows run, and its second half.
fn windows(scale: Scale) -> [(f64, f64); 2] {
    let end = START + time(scale);
    [(START, end), (START + time(scale) / 2.0, end)]
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (rates, timers) = grid(scale);
    let mut points = Vec::new();
    for &rate in rates {
        for &timer in timers {
            let config = cc(&[CC, MESSAGE], rate, timer, HYSTERESIS)?;
            let mut run = started("two-switch", "victim", START / 4.0, config, seed)?;
            run.time_us = (START + time(scale)) * 1000.0;
            run.bin_us = time(scale) * 1000.0 / 50.0;
            points.push(Point::new(format!("{rate}/{timer}"), run));
        }
    }
    Ok(points)
}

fn victim(r: &Results, rate: u32, timer: u32) -> Sample {
    let (from, to) = windows(r.scale)[1];
    r.of(format!("{rate}/{timer}")).gbps("F1", from, to)
}

fn v_ar(r: &Results, rate: u32, timer: u32) -> Sample {
    let (from, to) = windows(r.scale)[0];
    r.of(format!("{rate}/{timer}")).v_ar(&HOT, from, to)
}

fn used(r: &Results, rate: u32, timer: u32) -> Sample {
    let (from, to) = windows(r.scale)[1];
    let o = r.of(format!("{rate}/{timer}"));
    Sample::each(&HOT.map(|f| o.gbps(f, from, to)), |v| v.iter().sum())
}

fn evaluate(r: &Results) -> Result<Report> {
    let (rates, timers) = grid(r.scale);
    let mut report = Report::default();
    let head: Vec<String> =
        ["Marking_Rate".to_string()].into_iter().chain(timers.iter().map(|t| format!("timer {t}"))).collect();
    for (title, f) in [
        ("Victim, all five flows active (Gbit/s)", victim as fn(&Results, u32, u32) -> Sample),
        ("Contributors together (Gbit/s)", used),
        ("V_ar of the contributors ((Gbit/s)^2)", v_ar),
    ] {
        let mut t = Table::new(title, &head);
        for &rate in rates {
            let cells = timers.iter().map(|&timer| f(r, rate, timer).text(2));
            t.row([rate.to_string()].into_iter().chain(cells));
        }
        report.tables.push(t);
    }
    report.claim(
        Claim::bound(
            format!("timer {} (x 1.024 us): the victim starves whatever the marking rate", timers[0]),
            "low throughput for a timer below about 150",
            at_most(0.7 * HOST),
            rates.iter().map(|&rate| (format!("rate {rate}"), victim(r, rate, timers[0]))),
        )
        .unit("Gbit/s", 2),
    );
    let slow = rates[rates.len() - 1];
    let first = rates[usize::from(!r.scale.quick())];
    let from_150 = || timers.iter().copied().filter(|&t| t >= 150);
    report.claim(
        Claim::value(
            format!("marking rate {first}: the victim is unharmed from timer 150 on"),
            Tolerance::Percent(5.0),
            from_150().map(|t| (format!("timer {t}"), HOST, victim(r, first, t))),
        )
        .published("limited by the host only (13 Gbit/s)")
        .unit("Gbit/s", 2),
    );
    let mean = |rate: u32| {
        let all: Vec<Sample> = timers.iter().map(|&t| victim(r, rate, t)).collect();
        Sample::each(&all, |v| v.iter().sum::<f64>() / v.len() as f64)
    };
    report.claim(
        Claim::chain(
            "a low marking rate is best for the victim (mean over the timers)",
            "low generally best",
            Margin::Percent(10.0),
            [first, slow].map(|rate| (format!("rate {rate}"), mean(rate))),
        )
        .unit("Gbit/s", 2),
    );
    if timers.contains(&2000) {
        report.claim(
            Claim::chain(
                format!("a low timer is best for fairness: V_ar (rate {first})"),
                "best when the timer is low",
                Margin::Percent(100.0),
                [2000, 150].map(|t| (format!("timer {t}"), v_ar(r, first, t))),
            )
            .unit("(Gbit/s)^2", 2),
        );
    }
    report.claim(
        Claim::bound(
            format!("the contributors still use the contested link (rate {first}, timer from 150 on)"),
            "able to utilise it, even at 2000",
            at_least(0.8 * SINK),
            from_150().map(|t| (format!("timer {t}"), used(r, first, t))),
        )
        .unit("Gbit/s", 2),
    );
    Ok(report)
}

fn figures(r: &Results) -> Result<Vec<Figure>> {
    let (rates, timers) = grid(r.scale);
    let lines = |f: fn(&Results, u32, u32) -> Sample| -> Vec<Series> {
        let points = |rate| timers.iter().map(|&t| (f64::from(t), f(r, rate, t).of(0))).collect();
        rates.iter().map(|&rate| Series::line(&format!("Marking_Rate {rate}"), points(rate))).collect()
    };
    let chart = |title: &str, y: Axis, series| Chart {
        title: title.into(),
        x: Axis::new("CCTI_Timer (1.024 us)").log(),
        y,
        series,
        ..Chart::default()
    };
    let figure = plot::Figure {
        title: "G7: marking rate and timer".into(),
        subtitle: "two switches, all five flows active".into(),
        columns: 2,
        panels: vec![
            chart("Victim F1", Axis::new("Throughput (Gbit/s)").range(0.0, 15.0), lines(victim)),
            chart("V_ar of the contributors", Axis::new("V_ar ((Gbit/s)^2)"), lines(v_ar)),
        ],
    };
    Ok(vec![Figure::new("sweep", figure.svg())])
}
