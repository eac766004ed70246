//! MVCM in other networks: smaller and wider ones, one of one-way links with two hot flows, and under programs.

use anyhow::Result;

use super::claim::{Claim, Margin, at_least};
use super::job::Point;
use super::mvcm::{
    BIN, Cold, HIGH, MEDIUM, MVCM, NONE, ONE_DRAW, Of, PACKET_US, PI, Place, RP, SCENARIO, SETTINGS, SLOTS,
    ages, congested, latency_chart, study, times,
};
use super::plan::{Results, Scale, Study};
use super::point::{Outcome, Run};
use super::report::{Figure, Report, Table};
use super::setting::configured;
use crate::fabric::metrics::Ages;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{Axis, Chart, Series};

pub fn studies() -> Vec<Study> {
    vec![
        study(
            "V8",
            "Cold flows beside a hotspot in other networks",
            "Ferrer et al., figures 7(a) to 7(c)",
            &[
                SCENARIO,
                ONE_DRAW,
                SLOTS,
                "the rates are of a switch of the first stage: of 0.45 bytes a cycle each host has an eighth in the 8-ary 3-fly; in the 4-ary 3-fly eight hot sources at that \
                 load are no more than a link, so it has 0.62",
                "short form: 60 packets of each hot source (400 in the 4-ary 3-fly) after 1000 of the others, instead of 1000 after 50 000",
            ],
            |scale, seed| {
                let of =
                    |p: Place| [NONE, MVCM].map(|of| Ok(Point::new(name(&p, of), p.run(&of, seed, &[])?)));
                places(scale).into_iter().flat_map(of).collect()
            },
            v8,
            |_| Ok(Vec::new()),
        ),
        study(
            "V9",
            "Two flows congest a link of a one-way network",
            "Ferrer et al., figure 8",
            &[
                SCENARIO,
                SLOTS,
                "loads are not stated: each hot flow sends 4000 packets (short form: 400) at 80 % of a link after 200 packet times; hosts 001 and 010 send to all but 111 at 30 %, and those to 101 are traced",
            ],
            |scale, seed| {
                [NONE, MVCM].iter().map(|of| Ok(Point::new(of.name, two_flows(of, scale, seed)?))).collect()
            },
            v9,
            |r| {
                Ok(vec![latency_chart(
                    r,
                    "latency",
                    "Cold flows beside two hot ones",
                    "cold",
                    &[NONE.name, MVCM.name],
                )])
            },
        ),
        study(
            "V11",
            "Two applications at once",
            "Ferrer et al., figures 7(d) and 15",
            &[
                SCENARIO,
                SLOTS,
                "the traces of DL_POLY and CPMD are not public: every host has a rank of molecular dynamics (neighbours in a box, then all to one rank) and one of plane waves (all to all) at once, \
                 sizes chosen (`mdpw`); so only orders are claimed",
                "a rank has one message on its way to the adapter at a time, and a packet is generated when the adapter may have the one before: what windows and delays keep back beyond 8 packets of a \
                 destination shows as a later packet, not as an older one, and in the time that the programs take",
                "short form: 2 rounds instead of 8",
            ],
            |scale, seed| {
                APPLIED.iter().map(|of| Ok(Point::new(of.name, applications(of, scale, seed)?))).collect()
            },
            v11,
            |r| {
                let line = |(i, of): (usize, &Of)| {
                    let points = mean_over_time(r.outcome(of.name)).into_iter().enumerate();
                    let at = |(bin, v): (usize, Option<f64>)| Some(((bin as f64 + 0.5) * BIN, v?));
                    Series::line(of.name, points.filter_map(at).collect()).look(i)
                };
                let chart = Chart {
                    title: "Two applications at once".into(),
                    subtitle: "mean latency from generation of all packets, by when they arrive".into(),
                    x: Axis::new("Time (packet times)"),
                    y: Axis::new("Latency (packet times)").log(),
                    series: APPLIED.iter().enumerate().map(line).collect(),
                    marks: Vec::new(),
                };
                Ok(vec![Figure::new("latency", chart.svg())])
            },
        ),
    ]
}

const APPLIED: [Of; 4] = [NONE, RP, PI, MVCM];

/// Both applications on each host of the 4-ary 3-fly.
fn applications(of: &Of, scale: Scale, seed: u64) -> Result<Run> {
    let [_, place, _] = places(scale);
    let text = format!(
        "name='two applications'\n[trace]\nprogram='mdpw(bytes=16384, rounds={})'\n",
        scale.pick(2, 8)
    );
    // The most that it may take.
    let us = 1e6;
    let mut run = Run::new(place.network, TrafficSpec::parse(&text)?, place.config(of, &[])?, seed, us);
    run.bin_us = BIN * PACKET_US;
    Ok(run)
}

/// Mean latency of all packets in each bin, packet times; none in bins without a packet.
fn mean_over_time(o: &Outcome) -> Vec<Option<f64>> {
    let Some(a) = &o.series("network").ages else { return Vec::new() };
    let mean = |(&n, &sum): (&u64, &u64)| (n > 0).then(|| times(o, sum as f64 / n as f64));
    a.packets.iter().zip(&a.sum).map(mean).collect()
}

fn v11(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "All packets, latency from generation in packet times; time that the programs take, packet times",
        &["scheme", "highest mean of 25 packet times", "mean", "longest", "time taken"],
    );
    let of = |of: Of| {
        let o = r.of(of.name);
        let all = |o: &Outcome, f: fn(&Ages) -> f64| {
            times(o, o.series("network").ages.as_ref().map_or(f64::NAN, f))
        };
        [
            o.measure("highest", |o| mean_over_time(o).into_iter().flatten().fold(0.0, f64::max)),
            o.measure("mean", |o| all(o, |a| a.latency.mean)),
            o.measure("longest", |o| all(o, |a| a.latency.max as f64)),
            o.trace_us().map(|us| us / PACKET_US),
        ]
    };
    for s in APPLIED {
        let [highest, mean, longest, took] = of(s);
        t.row([s.name.to_string(), highest.text(1), mean.text(2), longest.text(0), took.text(0)]);
    }
    report.tables.push(t);
    let figures = |k: usize| APPLIED.map(|s| (s.name, of(s)[k].clone()));
    report.claim(
        Claim::order(
            "two applications: with MVCM the highest mean latency is lower than with RP and PI, and with each lower than without",
            "RP 12 000, PI 10 000, MVCM < 5000 cycles; better than no CMM",
            Margin::Percent(0.0),
            figures(0),
            &[(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)],
        )
        .unit("packet times", 1)
        .because(
            "nearly all of it is the wait of packets for the one rank that all send to, at their own adapter, where 8 of a destination may stand: it is as long as the rank's link needs, and RP's window of one \
             and MVCM's of two divide it differently. What these packets do to the others shows in the mean and in the time that the programs take, which MVCM has shortest",
        ),
    );
    report.claim(
        Claim::order(
            "two applications: and so is the mean of all packets",
            "RP and PI 4500, MVCM 1300 cycles",
            Margin::Percent(0.0),
            figures(1),
            &[(1, 3), (2, 3)],
        )
        .unit("packet times", 2),
    );
    Ok(report)
}

/// The networks of figure 7.
fn places(scale: Scale) -> [Place; 3] {
    let place = |network, hosts, (k, n), load, short| {
        let (packets, after) = scale.pick((short, 1_000.0), (1000.0, 50_000.0));
        Place { network, hosts, k, n, load, packets, after }
    };
    [
        place("min:4:4", 256.0, (4, 4), MEDIUM, 60.0),
        place("min:4:3", 64.0, (4, 3), HIGH, 400.0),
        place("min:8:3", 512.0, (8, 3), MEDIUM / 2.0, 60.0),
    ]
}

fn name(p: &Place, of: Of) -> String {
    format!("{}-ary {}-fly, {}", p.k, p.n, of.name)
}

fn v8(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new("Cold flows: highest mean latency, packet times", &["network", "none", "MVCM"]);
    let mut gains = Vec::new();
    for p in places(r.scale) {
        let [none, mvcm] = [NONE, MVCM].map(|of| Cold(r.of(name(&p, of))).peak());
        let network = format!("{}-ary {}-fly", p.k, p.n);
        t.row([network.clone(), none.text(1), mvcm.text(1)]);
        gains.push((network, none.over(&mvcm)));
    }
    report.tables.push(t);
    report.claim(
        Claim::bound(
            "the highest latency of cold flows without congestion management over that with MVCM",
            "significantly reduced",
            at_least(5.0),
            gains,
        )
        .unit("", 1)
            .because("in the 4-ary 3-fly eight hot sources ask for little more than a link: the longer they send, the higher the latency without management"),
    );
    Ok(report)
}

/// The traced flows, 001->101 and 010->101.
const TRACED: [(u32, u32); 2] = [(1, 5), (2, 5)];

/// Flows 000->111 and 011->111 in the 2-ary 3-fly of one-way links, and hosts 001 and 010 that send to all others.
fn two_flows(of: &Of, scale: Scale, seed: u64) -> Result<Run> {
    let (start, packets) = (200.0, scale.pick(400.0, 4000.0));
    let text = format!(
        "name='two flows'
        [[group]]\nname='cold'\nsources='1, 2'\nto='uniform over all, not 7'\nmessage='17 flits'\nload='30%'\narrival='bernoulli'\nbacklog=true
        [[group]]\nname='hot'\nsources='0, 3'\nto='7'\nmessage='17 flits'\nload='80%'\narrival='bernoulli'\nbacklog=true
        start='{} us'\npackets={packets}\n",
        start * PACKET_US
    );
    let mut set: Vec<(&str, String)> = vec![("ws_base", "2".into()), ("ws_steps", "3".into())];
    set.extend(of.set.iter().map(|(n, v)| (*n, v.to_string())));
    let config = configured(of.scheme, 8, &[SETTINGS], &set)?;
    let us = (start + 2.4 * packets) * PACKET_US;
    let mut run = Run::new("umin:2:3:slow", TrafficSpec::parse(&text)?, config, seed, us);
    run.bin_us = BIN * PACKET_US;
    run.flows = TRACED.to_vec();
    Ok(run)
}

fn v9(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "Mean latency while there are hot packets, packet times",
        &["scheme", "flows 001->101 and 010->101", "all of hosts 001 and 010"],
    );
    let during = |of: Of, classes: &[String]| {
        r.of(of.name).measure(&format!("{} during", classes.join(" ")), |o| {
            let (first, last) = congested(o);
            let all: Vec<&Ages> = classes.iter().map(|class| ages(o, class)).collect();
            let sum =
                |f: fn(&Ages) -> &Vec<u64>| -> u64 { all.iter().flat_map(|a| &f(a)[first..=last]).sum() };
            times(o, sum(|a| &a.sum) as f64 / sum(|a| &a.packets).max(1) as f64)
        })
    };
    let traced = TRACED.map(|(a, b)| format!("{a}->{b}"));
    let cold = ["cold".to_string()];
    for of in [NONE, MVCM] {
        t.row([of.name.to_string(), during(of, &traced).text(2), during(of, &cold).text(2)]);
    }
    report.tables.push(t);
    report.claim(
        Claim::chain(
            "the traced cold flows wait less with MVCM while there are hot packets: mean latency",
            "lower",
            Margin::Percent(0.0),
            [NONE, MVCM].map(|of| (of.name, during(of, &traced))),
        )
        .unit("packet times", 2),
    );
    Ok(report)
}
