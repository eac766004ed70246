//! InfiniBand congestion control on one and two switches (thesis papers I, II and III) and the parking lot of a tree.

use anyhow::Result;

use super::figures::flows;
use super::plan::{Results, Scale, Study};
use super::point::{Outcome, Point, Run, config};
use super::report::{Report, Table};
use crate::config::Config;
use crate::fabric::metrics::jain;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{Axis, Chart, Figure, Series};
use crate::scheme::Scheme;

/// What all studies of this file choose.
const CHOSEN: &str = "data rates 16 / 32 Gbit/s for the 20 / 40 Gbit/s links (8b/10b); hosts send 13 and take 13.6 Gbit/s; \
     CC off = VOQ switch, one VL; input buffers 128 KB; weight 15 = 1/16 of the buffer = 4 packets; hysteresis 34 flits \
     (a little more than one MTU); packets are marked with probability 1/(rate+1)";

pub fn studies() -> Vec<Study> {
    vec![
        Study {
            id: "G1",
            title: "Two switches, one victim, no congestion control",
            source: "thesis papers I and III, scenario 1",
            chosen: CHOSEN_STEPS,
            points: g1_points,
            evaluate: g1,
        },
        Study {
            id: "G2",
            title: "Two switches, one victim, InfiniBand congestion control",
            source: "thesis papers I and III, scenario 1",
            chosen: CHOSEN,
            points: g2_points,
            evaluate: g2,
        },
        Study {
            id: "G3",
            title: "No victim: what congestion control costs",
            source: "thesis paper III, scenario 2 and table II",
            chosen: CHOSEN,
            points: g3_points,
            evaluate: g3,
        },
        Study {
            id: "G4",
            title: "One switch, single threshold: unfair",
            source: "thesis paper II, figure 4",
            chosen: CHOSEN,
            points: g4_points,
            evaluate: g4,
        },
        Study {
            id: "G5",
            title: "One switch, two thresholds: fair",
            source: "thesis paper II, figure 7",
            chosen: CHOSEN,
            points: g5_points,
            evaluate: g5,
        },
        Study {
            id: "G6",
            title: "Marking rate 10, timer x 10: slow fairness",
            source: "thesis paper II, figure 12",
            chosen: CHOSEN,
            points: g6_points,
            evaluate: g6,
        },
        Study {
            id: "G7",
            title: "Marking_Rate and CCTI_Timer",
            source: "thesis paper III, figures 11, 13, 14",
            chosen: CHOSEN,
            points: g7_points,
            evaluate: g7,
        },
        Study {
            id: "G11",
            title: "The parking lot of a k-ary n-tree",
            source: "thesis paper II, section V",
            chosen: "4-ary 3-tree, VOQ switches, no congestion control, D-mod-k, all nodes send to node 0; input buffers 16 KB \
                     so that the tree fills soon; the first third of the run is dropped",
            points: g11_points,
            evaluate: g11,
        },
    ]
}

const CHOSEN_STEPS: &str = "quick: the steps of 1 s are 50 ms, in G2 to G6 too; data rates 16 / 32 \
     Gbit/s for the 20 / 40 Gbit/s links (8b/10b); hosts send 13 and take 13.6 Gbit/s; CC off = VOQ switch, one VL; input \
     buffers 128 KB";

/// All flows of scenario 1.
const ALL: [&str; 5] = ["F1", "F2", "F3", "F4", "F5"];
/// Its contributors to congestion.
const HOT: [&str; 4] = ["F2", "F3", "F4", "F5"];
/// Rate of a host, Gbit/s.
const HOST: f64 = 13.0;
/// Rate at which a host takes flits.
const SINK: f64 = 13.6;

/// Time between two starts, ms.
fn step(scale: Scale) -> f64 {
    scale.pick(50.0, 1000.0)
}

/// The papers' congestion control.
fn cc(rate: u32, timer: u32, distance: u32) -> Result<Config> {
    config(
        Scheme::Ith,
        7,
        &[
            ("weight", "15".into()),
            ("lth", "128".into()),
            ("hth", (128 + distance).to_string()),
            ("mark_mode", "1".into()),
            ("marking_rate", rate.to_string()),
            ("packet_size", "8".into()),
            ("ccti_timer", timer.to_string()),
        ],
    )
}

/// Distance of the two thresholds in flits: a little more than one MTU.
const HYSTERESIS: u32 = 34;

fn off() -> Result<Config> {
    config(Scheme::Vl1, 7, &[])
}

/// Flows that start one after the other.
fn started(network: &str, traffic: &str, step_ms: f64, config: Config, seed: u64) -> Result<Run> {
    let spec = TrafficSpec::load(&format!("{traffic}(step={step_ms} ms)"), 7)?;
    let flows = spec.groups.len() as f64;
    let mut run = Run::new(network, spec, config, seed, flows * step_ms * 1000.0);
    run.bin_us = step_ms * 1000.0 / 50.0;
    Ok(run)
}

/// The second half of the phase in which `n` flows run, ms.
fn late(n: usize, step: f64) -> (f64, f64) {
    ((n as f64 - 0.5) * step, n as f64 * step)
}

/// Throughputs of flows in the second half of a phase.
fn rates(o: &Outcome, names: &[&str], n: usize, step: f64) -> Vec<f64> {
    let (from, to) = late(n, step);
    names.iter().map(|name| o.gbps(name, from, to)).collect()
}

fn list(values: &[f64]) -> String {
    values.iter().map(|v| format!("{v:.2}")).collect::<Vec<_>>().join(", ")
}

fn near(value: f64, published: f64, tolerance: f64) -> bool {
    (value - published).abs() <= tolerance * published
}

/// A line that goes in steps: `values[i]` in phase `i + 1`.
fn staircase(name: &str, step: f64, first: usize, values: &[f64]) -> Series {
    let points = values.iter().enumerate().flat_map(|(i, &v)| {
        let at = (first + i) as f64 * step;
        [(at, v), (at + step, v)]
    });
    Series::line(name, points.collect())
}

/// Throughputs of all flows in every phase, published beside measured.
fn phases(title: &str, o: &Outcome, step: f64, published: &[[&str; 5]]) -> Table {
    let mut t = Table::new(title, &["flows active", "F1", "F2", "F3", "F4", "F5"]);
    for (i, row) in published.iter().enumerate() {
        let n = i + 1;
        t.row([format!("{n}, published")].into_iter().chain(row.iter().map(|c| c.to_string())));
        let values = rates(o, &ALL, n, step);
        let cells = values.iter().enumerate().map(|(f, v)| if f < n { format!("{v:.2}") } else { "".into() });
        t.row(["   measured".to_string()].into_iter().chain(cells));
    }
    t
}

// G1

fn g1_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    Ok(vec![Point::new("off", started("two-switch", "victim", step(scale), off()?, seed)?)])
}

fn g1(r: &Results) -> Result<Report> {
    let (o, s) = (r.of("off"), step(r.scale));
    let mut report = Report::default();
    report.tables.push(phases(
        "Throughput in the second half of each phase (Gbit/s)",
        o,
        s,
        &[
            ["13", "", "", "", ""],
            ["13", "13", "", "", ""],
            ["< 7", "< 7", "< 7", "", ""],
            ["~ 3.4", "~ 3.4", "~ 3.4", "< 7", ""],
            ["~ 2", "~ 2", "~ 2", "~ 4.5", "~ 4.5"],
        ],
    ));
    let two = rates(o, &ALL[..2], 2, s);
    report.claim(
        "one and two flows run at the rate of the hosts (2 %)",
        "13",
        list(&[rates(o, &["F1"], 1, s)[0], two[0], two[1]]),
        near(rates(o, &["F1"], 1, s)[0], HOST, 0.02) && two.iter().all(|&v| near(v, HOST, 0.02)),
    );
    let three = rates(o, &ALL[..3], 3, s);
    report.claim(
        "with the third flow the victim falls to the share of F2 and F3, half of what H5 takes (10 %)",
        "just below 7 each",
        list(&three),
        three.iter().all(|&v| near(v, SINK / 2.0, 0.10)),
    );
    let four = rates(o, &ALL[..4], 4, s);
    report.claim(
        "F4 gets half of H5's link, F2 and F3 a quarter each and the victim no more than they (15 %)",
        "almost 7; about half of 7",
        list(&four),
        near(four[3], SINK / 2.0, 0.15) && four[..3].iter().all(|&v| near(v, SINK / 4.0, 0.15)),
    );
    let five = rates(o, &ALL, 5, s);
    report.claim(
        "parking lot: F4 and F5 get 1/3 of H5's link each, F2 and F3 1/6, the victim falls with them (15 %)",
        "F1, F2, F3 ~2; F4, F5 ~4.5",
        list(&five),
        five[3..].iter().all(|&v| near(v, SINK / 3.0, 0.15))
            && five[..3].iter().all(|&v| near(v, SINK / 6.0, 0.15)),
    );
    let levels = vec![
        staircase("F1 (victim), published", s, 0, &[13.0, 13.0, 6.8, 3.4, 2.0]),
        staircase("F4 and F5, published", s, 3, &[6.8, 4.5]),
    ];
    let chart = flows(
        "G1: no congestion control",
        "one more flow every step; F1 is the victim",
        o,
        &ALL,
        15.0,
        levels,
    );
    report.figure("flows", chart.svg());
    Ok(report)
}

// G2

fn g2_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = g1_points(scale, seed)?;
    points
        .push(Point::new("on", started("two-switch", "victim", step(scale), cc(1, 150, HYSTERESIS)?, seed)?));
    Ok(points)
}

fn g2(r: &Results) -> Result<Report> {
    let (on, off, s) = (r.of("on"), r.of("off"), step(r.scale));
    let mut report = Report::default();
    report.tables.push(phases(
        "Throughput in the second half of each phase (Gbit/s)",
        on,
        s,
        &[
            ["13", "", "", "", ""],
            ["13", "13", "", "", ""],
            ["13", "equal", "equal", "", ""],
            ["13", "equal", "equal", "equal", ""],
            ["13", "~ 3.3", "~ 3.3", "~ 3.3", "~ 3.3"],
        ],
    ));
    let victim: Vec<f64> = (1..=5).map(|n| rates(on, &["F1"], n, s)[0]).collect();
    report.claim(
        "the victim keeps the rate of its host in every phase (95 %; 85 % in phase 3, where the paper's simulation dips \
         too, as H2 and H3 together with H1 can fill the link between the switches)",
        "13 throughout",
        list(&victim),
        victim.iter().enumerate().all(|(i, &v)| v >= if i == 2 { 0.85 } else { 0.95 } * HOST),
    );
    let hot = rates(on, &HOT, 5, s);
    let mean = hot.iter().sum::<f64>() / 4.0;
    report.claim(
        "the four contributors share equally (each within 15 % of their mean)",
        "equal",
        list(&hot),
        hot.iter().all(|&v| near(v, mean, 0.15)),
    );
    let lot = |o: &Outcome| {
        let v = rates(o, &HOT, 5, s);
        (v[2] + v[3]) / (v[0] + v[1])
    };
    report.claim(
        "the parking lot is gone: (F4 + F5) / (F2 + F3) is 2 without and 1 (0.85 to 1.15) with control",
        "2 -> 1",
        format!("{:.2} -> {:.2}", lot(off), lot(on)),
        near(lot(off), 2.0, 0.15) && near(lot(on), 1.0, 0.15),
    );
    report.claim(
        "at little cost: the contributors together use 85 % of H5's link or more",
        "about 13 (simulation)",
        format!("{:.2}", mean * 4.0),
        mean * 4.0 >= 0.85 * SINK,
    );
    let (from, to) = late(5, s);
    let wave = |o: &Outcome| HOT.iter().map(|f| o.spread(f, from, to).1).sum::<f64>() / 4.0;
    report.claim(
        "the price is oscillation: the contributors' standard deviation grows at least twofold",
        "oscillation, visible",
        format!("{:.3} -> {:.3} Gbit/s", wave(off), wave(on)),
        wave(on) >= 2.0 * wave(off),
    );
    let levels = vec![staircase("F1 (victim), published", s, 0, &[13.0; 5])];
    let subtitle = "Threshold 15, Marking_Rate 1, CCTI_Timer 150; one more flow every step";
    let chart = flows("G2: InfiniBand congestion control", subtitle, on, &ALL, 15.0, levels);
    report.figure("flows", chart.svg());
    Ok(report)
}

// G3

fn g3_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let run = |config| started("two-switch", "no-victim", step(scale), config, seed);
    Ok(vec![Point::new("off", run(off()?)?), Point::new("on", run(cc(1, 150, HYSTERESIS)?)?)])
}

fn g3(r: &Results) -> Result<Report> {
    let (on, off, s) = (r.of("on"), r.of("off"), step(r.scale));
    let names = &ALL[..3];
    let (from, to) = late(3, s);
    let stats = |o: &Outcome| {
        let all: Vec<(f64, f64)> = names.iter().map(|f| o.spread(f, from, to)).collect();
        let n = all.len() as f64;
        (all.iter().map(|a| a.0).sum::<f64>() / n, all.iter().map(|a| a.1).sum::<f64>() / n)
    };
    let ((mean_off, sd_off), (mean_on, sd_on)) = (stats(off), stats(on));
    let mut report = Report::default();
    let mut t = Table::new("Throughput of a flow, all three active (Mbit/s)", &["", "mean", "SD"]);
    t.row(["CC off, published", "10428", "42"]);
    t.row(["CC off, measured".into(), format!("{:.0}", mean_off * 1e3), format!("{:.0}", sd_off * 1e3)]);
    t.row(["CC on, published", "10059", "1770"]);
    t.row(["CC on, measured".into(), format!("{:.0}", mean_on * 1e3), format!("{:.0}", sd_on * 1e3)]);
    report.tables.push(t);
    let (a, b) = (rates(off, names, 3, s), rates(on, names, 3, s));
    report.claim(
        "off: the three flows share the link between the switches equally, about 10.4 Gbit/s each (5 %)",
        "10.43 each",
        list(&a),
        a.iter().all(|&v| near(v, 10.43, 0.05)),
    );
    let loss = 100.0 * (1.0 - mean_on / mean_off);
    report.claim(
        "control costs a little: 0 to 10 % of the throughput",
        "3.5 %",
        format!("{loss:.1} %"),
        (0.0..=10.0).contains(&loss),
    );
    report.claim("all three are treated fairly (Jain >= 0.99)", "fair", list(&b), jain(&b) >= 0.99);
    report.claim(
        "the flows oscillate: the standard deviation grows tenfold or more",
        "42 -> 1770 Mbit/s",
        format!("{:.0} -> {:.0} Mbit/s", sd_off * 1e3, sd_on * 1e3),
        sd_on >= 10.0 * sd_off,
    );
    let chart = |title: &str, o, level: f64| {
        let levels = vec![staircase("mean, published", s, 2, &[level])];
        flows(title, "", o, names, 15.0, levels)
    };
    let figure = Figure {
        title: "G3: three flows over the link between the switches".into(),
        subtitle: "one more flow every step".into(),
        columns: 2,
        panels: vec![chart("CC off", off, 10.43), chart("CC on", on, 10.06)],
    };
    report.figure("flows", figure.svg());
    Ok(report)
}

// G4, G5

fn g4_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    Ok(vec![Point::new("single", started("one-switch", "victim", step(scale), cc(1, 150, 0)?, seed)?)])
}

fn g4(r: &Results) -> Result<Report> {
    let (o, s) = (r.of("single"), step(r.scale));
    let mut report = Report::default();
    report.tables.push(phases(
        "Throughput in the second half of each phase (Gbit/s)",
        o,
        s,
        &[
            ["13", "", "", "", ""],
            ["13", "13", "", "", ""],
            ["13", "~ 6", "> 7", "", ""],
            ["13", "< 5", "x", "2 x", ""],
            ["13", "unfair", "unfair", "unfair", "unfair"],
        ],
    ));
    let f1: Vec<f64> = (1..=5).map(|n| rates(o, &["F1"], n, s)[0]).collect();
    report.claim(
        "the flow to another host is not touched (2 %)",
        "13",
        list(&f1),
        f1.iter().all(|&v| near(v, HOST, 0.02)),
    );
    let two = rates(o, &HOT[..2], 3, s);
    report.claim(
        "of two contributors the last starter gets more (F3 / F2 at least 1.1)",
        "a little more than 7 against 6: 1.2",
        format!("{} = {:.2}", list(&two), two[1] / two[0]),
        two[1] >= 1.1 * two[0],
    );
    let three = rates(o, &HOT[..3], 4, s);
    report.claim(
        "of three, the last starter gets about twice as much as the one before (F4 / F3 at least 1.5)",
        "2",
        format!("{} = {:.2}", list(&three), three[2] / three[1]),
        three[2] >= 1.5 * three[1],
    );
    let four = rates(o, &HOT, 5, s);
    report.claim(
        "of four, still unfair: the highest gets at least 1.2 times the lowest",
        "unfairness still present",
        list(&four),
        four.iter().fold(0.0f64, |a, &b| a.max(b)) >= 1.2 * four.iter().fold(f64::MAX, |a, &b| a.min(b)),
    );
    let chart =
        flows("G4: one switch, single threshold", "one more flow every step", o, &ALL, 15.0, Vec::new());
    report.figure("flows", chart.svg());
    Ok(report)
}

fn g5_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    Ok(vec![Point::new(
        "double",
        started("one-switch", "victim", step(scale), cc(1, 150, HYSTERESIS)?, seed)?,
    )])
}

fn g5(r: &Results) -> Result<Report> {
    let (o, s) = (r.of("double"), step(r.scale));
    let mut report = Report::default();
    report.tables.push(phases(
        "Throughput in the second half of each phase (Gbit/s)",
        o,
        s,
        &[
            ["13", "", "", "", ""],
            ["13", "13", "", "", ""],
            ["13", "6.5", "6.5", "", ""],
            ["13", "4.3", "4.3", "4.3", ""],
            ["13", "3.25", "3.25", "3.25", "3.25"],
        ],
    ));
    for n in 2..=4 {
        let v = rates(o, &HOT[..n], n + 1, s);
        let mean = v.iter().sum::<f64>() / n as f64;
        report.claim(
            format!("{n} contributors get equal shares (each within 12 % of their mean)"),
            format!("{:.2} each", HOST / n as f64),
            list(&v),
            v.iter().all(|&x| near(x, mean, 0.12)),
        );
    }
    let mut worst: f64 = 1.0;
    for n in 2..=4 {
        let start = n as f64 * s;
        worst = worst.min(o.fairness(&HOT[..n], start + 0.2 * s, start + 0.5 * s).jain);
    }
    report.claim(
        "soon after each start: Jain's index 0.97 or more from a fifth to half of each step",
        "quickly",
        format!("{worst:.3}"),
        worst >= 0.97,
    );
    let levels = vec![staircase("fair share", s, 2, &[6.5, 4.33, 3.25])];
    let chart = flows("G5: one switch, two thresholds", "one more flow every step", o, &ALL, 15.0, levels);
    report.figure("flows", chart.svg());
    Ok(report)
}

// G6

fn g6_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let mut points = g2_points(scale, seed)?;
    points.push(Point::new(
        "slow",
        started("two-switch", "victim", step(scale), cc(10, 1500, HYSTERESIS)?, seed)?,
    ));
    Ok(points)
}

fn g6(r: &Results) -> Result<Report> {
    let (slow, on, off, s) = (r.of("slow"), r.of("on"), r.of("off"), step(r.scale));
    let gap = |o: &Outcome, from: f64, to: f64| {
        let f = o.fairness(&HOT, (4.0 + from) * s, (4.0 + to) * s);
        (f.jain, f.delta_mean)
    };
    let mut report = Report::default();
    let mut t = Table::new(
        "Contributors after the start of the fourth: Jain's index, highest less lowest (Gbit/s)",
        &["", "first fifth", "last fifth"],
    );
    for (name, o) in [("CC off", off), ("rate 1, timer 150", on), ("rate 10, timer 1500", slow)] {
        let (a, b) = (gap(o, 0.0, 0.2), gap(o, 0.8, 1.0));
        t.row([name.into(), format!("{:.3}, {:.2}", a.0, a.1), format!("{:.3}, {:.2}", b.0, b.1)]);
    }
    report.tables.push(t);
    let (a, b) = (gap(slow, 0.0, 0.5).1, gap(on, 0.0, 0.5).1);
    report.claim(
        "after a start the contributors differ more than with rate 1 and timer 150 (1.5 times, first half of the step)",
        "unfair for an extended period",
        format!("{a:.2} against {b:.2} Gbit/s"),
        a >= 1.5 * b,
    );
    let (early, end) = (gap(slow, 0.0, 0.2).1, gap(slow, 0.8, 1.0).1);
    report.claim(
        "the parking lot is solved in the end, to a degree: at the end of the step they differ less than at its start",
        "still solved to some degree",
        format!("{early:.2} -> {end:.2} Gbit/s"),
        end < early,
    );
    let chart = flows(
        "G6: Marking_Rate 10, CCTI_Timer 1500",
        "one more flow every step",
        slow,
        &ALL,
        15.0,
        Vec::new(),
    );
    report.figure("flows", chart.svg());
    Ok(report)
}

// G7

fn g7_grid(scale: Scale) -> (&'static [u32], &'static [u32]) {
    scale.pick((&[1, 31], &[20, 150]), (&[0, 1, 3, 7, 15, 31], &[20, 50, 100, 150, 300, 600, 1000, 2000]))
}

/// The flows start 20 ms after each other; then all run for so long, ms.
const G7_START: f64 = 80.0;

fn g7_time(scale: Scale) -> f64 {
    scale.pick(60.0, 1000.0)
}

fn g7_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (rates, timers) = g7_grid(scale);
    let mut points = Vec::new();
    for &rate in rates {
        for &timer in timers {
            let mut run =
                started("two-switch", "victim", G7_START / 4.0, cc(rate, timer, HYSTERESIS)?, seed)?;
            run.time_us = (G7_START + g7_time(scale)) * 1000.0;
            run.bin_us = g7_time(scale) * 1000.0 / 50.0;
            points.push(Point::new(format!("{rate}/{timer}"), run));
        }
    }
    Ok(points)
}

fn g7(r: &Results) -> Result<Report> {
    let (rates_, timers) = g7_grid(r.scale);
    let (all, late) = {
        let end = G7_START + g7_time(r.scale);
        ((G7_START, end), (G7_START + g7_time(r.scale) / 2.0, end))
    };
    let of = |rate: u32, timer: u32| r.of(&format!("{rate}/{timer}"));
    let victim = |rate: u32, timer: u32| of(rate, timer).gbps("F1", late.0, late.1);
    let v_ar = |rate: u32, timer: u32| of(rate, timer).fairness(&HOT, all.0, all.1).v_ar;
    let used =
        |rate: u32, timer: u32| HOT.iter().map(|f| of(rate, timer).gbps(f, late.0, late.1)).sum::<f64>();
    let mut report = Report::default();
    let head: Vec<String> = timers.iter().map(|t| format!("timer {t}")).collect();
    let head: Vec<&str> = ["Marking_Rate"].into_iter().chain(head.iter().map(String::as_str)).collect();
    for (title, f) in [
        ("Victim, all five flows active (Gbit/s)", &victim as &dyn Fn(u32, u32) -> f64),
        ("Contributors together (Gbit/s)", &used),
        ("V_ar of the contributors ((Gbit/s)^2)", &v_ar),
    ] {
        let mut t = Table::new(title, &head);
        for &rate in rates_ {
            t.row(
                [rate.to_string()]
                    .into_iter()
                    .chain(timers.iter().map(|&timer| format!("{:.2}", f(rate, timer)))),
            );
        }
        report.tables.push(t);
    }
    let low = rates_.iter().map(|&rate| victim(rate, timers[0])).fold(0.0f64, f64::max);
    report.claim(
        format!(
            "timer {} (x 1.024 us): the victim starves whatever the marking rate (below 70 % of 13)",
            timers[0]
        ),
        "low throughput for a timer below about 150",
        format!("at most {low:.2} Gbit/s"),
        low < 0.7 * HOST,
    );
    let slow = rates_[rates_.len() - 1];
    let starved: Vec<f64> = timers.iter().filter(|&&t| t <= 50).map(|&t| victim(slow, t)).collect();
    report.claim(
        format!(
            "it does with one BECN for every {} packets, which is one for each 64 KB message of the paper's hosts: below \
             70 % of 13 up to timer 50",
            slow + 1
        ),
        "low throughput for a timer below about 150",
        list(&starved),
        starved.iter().all(|&v| v < 0.7 * HOST),
    );
    let first = rates_[usize::from(!r.scale.quick())];
    let good: Vec<f64> = timers.iter().filter(|&&t| t >= 150).map(|&t| victim(first, t)).collect();
    report.claim(
        format!("marking rate {first}: the victim is unharmed from timer 150 on (95 % of 13)"),
        "limited by the host only",
        list(&good),
        good.iter().all(|&v| v >= 0.95 * HOST),
    );
    let mean = |rate: u32| timers.iter().map(|&t| victim(rate, t)).sum::<f64>() / timers.len() as f64;
    let (best, worst) = (mean(first), mean(slow));
    report.claim(
        "a low marking rate is best for the victim (mean over the timers, lowest against highest rate)",
        "low generally best",
        format!("{best:.2} against {worst:.2} Gbit/s"),
        best > worst,
    );
    if timers.contains(&2000) {
        let (short, long) = (v_ar(first, 150), v_ar(first, 2000));
        report.claim(
            format!("a low timer is best for fairness: V_ar at timer 150 is below half of that at 2000 (rate {first})"),
            "best when the timer is low",
            format!("{short:.2} against {long:.2} (Gbit/s)^2"),
            short < 0.5 * long,
        );
    }
    let idle: Vec<f64> = timers.iter().filter(|&&t| t >= 150).map(|&t| used(first, t)).collect();
    report.claim(
        format!(
            "the contributors still use the contested link (80 % of 13.6, rate {first}, timer from 150 on)"
        ),
        "able to utilise it, even at 2000",
        list(&idle),
        idle.iter().all(|&v| v >= 0.8 * SINK),
    );
    let lines = |f: &dyn Fn(u32, u32) -> f64| -> Vec<Series> {
        rates_
            .iter()
            .map(|&rate| {
                let points = timers.iter().map(|&t| (f64::from(t), f(rate, t))).collect();
                Series::line(&format!("Marking_Rate {rate}"), points)
            })
            .collect()
    };
    let chart = |title: &str, y: Axis, series| Chart {
        title: title.into(),
        x: Axis::new("CCTI_Timer (1.024 us)").log(),
        y,
        series,
        ..Chart::default()
    };
    let figure = Figure {
        title: "G7: marking rate and timer".into(),
        subtitle: "two switches, all five flows active".into(),
        columns: 2,
        panels: vec![
            chart("Victim F1", Axis::new("Throughput (Gbit/s)").range(0.0, 15.0), lines(&victim)),
            chart("V_ar of the contributors", Axis::new("V_ar ((Gbit/s)^2)"), lines(&v_ar)),
        ],
    };
    report.figure("sweep", figure.svg());
    Ok(report)
}

// G11

fn g11_points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let config = config(Scheme::Vl1, 64, &[("blocks", "256".into())])?;
    let spec = TrafficSpec::load("all-to-one(dst=0)", 64)?;
    let mut run = Run::new("4ary-3tree", spec, config, seed, scale.pick(9_000.0, 60_000.0));
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

fn g11(r: &Results) -> Result<Report> {
    let o = r.of("tree");
    let total = o.report.cycles as f64 * o.report.cycle_ps as f64 / 1e9;
    let from = total / 3.0;
    let share = |src: u32| o.gbps(&format!("{src}->0"), from, total) / o.gbps("network", from, total);
    let levels = [(1, 1..4, 4.0), (2, 4..16, 64.0), (3, 16..64, 768.0)];
    let mut report = Report::default();
    let mut t = Table::new(
        "Share of the link to the destination",
        &["sources", "published", "formula", "mean", "lowest", "highest"],
    );
    let mut text = Vec::new();
    let (mut means, mut each) = (true, true);
    for (level, range, published) in levels {
        let shares: Vec<f64> = range.map(share).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        let (low, high) = shares.iter().fold((f64::MAX, 0.0f64), |(l, h), &v| (l.min(v), h.max(v)));
        let formula = parking_share(4, 3, level);
        let inverse = |v: f64| format!("1/{:.1}", 1.0 / v);
        t.row([
            format!("{} of level {level}", shares.len()),
            format!("1/{published}"),
            inverse(formula),
            inverse(mean),
            inverse(low),
            inverse(high),
        ]);
        means &= near(mean, 1.0 / published, 0.03) && near(formula, 1.0 / published, 1e-9);
        each &= near(low, mean, 0.25) && near(high, mean, 0.25);
        text.push(inverse(mean));
    }
    report.tables.push(t);
    report.claim(
        "mean share of a source of the first, second and third level, and the closed form (3 %)",
        "1/4, 1/64, 1/768",
        text.join(", "),
        means,
    );
    report.claim(
        "within a level all get the same (25 % of the mean: the farthest send few packets in the run)",
        "equal",
        if each { "equal" } else { "not equal" },
        each,
    );
    let points = (1..64).map(|src| (f64::from(src), share(src)));
    let formula = (1..64).map(|src: u32| {
        let level = if src < 4 {
            1
        } else if src < 16 {
            2
        } else {
            3
        };
        (f64::from(src), parking_share(4, 3, level))
    });
    let chart = Chart {
        title: "G11: parking lot in the 4-ary 3-tree".into(),
        subtitle: "all nodes send to node 0".into(),
        x: Axis::new("Source node"),
        y: Axis::new("Share of the last link").log(),
        series: vec![
            Series::line("measured", points.collect()).style(crate::plot::Style::Points),
            Series::line("1/4, 1/64, 1/768", formula.collect()),
        ],
        marks: Vec::new(),
    };
    report.figure("shares", chart.svg());
    Ok(report)
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
    }
}
