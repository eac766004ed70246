//! MVCM's window: the arithmetic of its size, outstanding packets and fills near saturation, static windows, links so fast that it is wide.

use anyhow::Result;

use super::claim::{Claim, Margin, Tolerance, at_least, at_most};
use super::job::Point;
use super::mvcm::{
    Cold, HIGH, LEN, MVCM, NONE, ONE_DRAW, Of, PACKET_US, Place, SCENARIO, SETTINGS, SHORT, SLOTS, TREE,
    calm, cold_over, congested, latency_chart, mean, over_time, study, times,
};
use super::plan::{At, Results, Scale, Study};
use super::point::{Gauge, Outcome, Run, network};
use super::report::{Report, Table};
use super::sample::Sample;
use super::setting::configured;
use crate::config::Config;
use crate::fabric::setup::rtt_min;
use crate::fabric::traffic::TrafficSpec;
use crate::scheme::window::{Bounds, Held, Law, severity};

pub fn studies() -> Vec<Study> {
    vec![
        study(
            "V3",
            "The size of the window, and what ACKs do: arithmetic",
            "Ferrer et al., section 4.3, tables 1 and 2",
            &[
                "exact: the formulas with the paper's numbers, and the rules of the source response",
                "the run has one flow on the longest route, whose measured round trip is compared with the computed one",
            ],
            |_, seed| Ok(vec![Point::new(ALONE, alone(seed)?)]),
            v3,
            |_| Ok(Vec::new()),
        ),
        study(
            "V4",
            "Fills and outstanding packets near saturation, uniform traffic",
            "Ferrer et al., section 4.3, buffer threshold and window size",
            &[
                SCENARIO,
                TREE,
                "near saturation: of the loads of the table the highest of which 98 % is carried; 1000 packet times (short form: 250, the 4-ary 4-tree), the first \
                 quarter dropped; no congestion management",
            ],
            saturating,
            v4,
            |_| Ok(Vec::new()),
        ),
        study(
            "V6",
            "Windows that stay, high load",
            "Ferrer et al., figure 4",
            &[SCENARIO, TREE, ONE_DRAW, SHORT, "0.62 bytes a cycle for each switch with four hosts"],
            |scale, seed| {
                let place = Place { load: HIGH, ..Place::main(scale) };
                STATIC.iter().map(|of| place.point(of, seed)).collect()
            },
            v6,
            |r| {
                let names = STATIC.map(|of| of.name);
                Ok(vec![latency_chart(r, "latency", "Cold flows, windows that stay", "cold", &names)])
            },
        ),
        study(
            "V7",
            "Use of the link to the hotspot",
            "Ferrer et al., figure 6",
            &[SCENARIO, TREE, ONE_DRAW, SLOTS, SHORT],
            |scale, seed| [NONE, MVCM].iter().map(|of| Place::main(scale).point(of, seed)).collect(),
            v7,
            |_| Ok(Vec::new()),
        ),
        study(
            "V12",
            "Fast links: wide windows are nearly enough",
            "Ferrer et al., section 4.3, end of window size",
            &[
                TREE,
                ONE_DRAW,
                SLOTS,
                "links take 2 cycles a flit instead of 14 (crossbar 1), so that a round trip on the longest route is 5.6 packet times (16 bytes a cycle in the paper: 4.19)",
                SHORT,
            ],
            |scale, seed| {
                Ok(vec![Place::main(scale).point(&MVCM, seed)?, Point::new(FAST, fast(scale, seed)?)])
            },
            v12,
            |_| Ok(Vec::new()),
        ),
    ]
}

/// The very number.
const EXACT: Tolerance = Tolerance::By(1e-9);

const ALONE: &str = "one packet at a time";

/// Packet times between two packets of the one flow.
const APART: f64 = 101.3;

/// The network of nine hops.
const LONGEST: &str = "min512";

/// What its hosts and switches have.
fn one_at_a_time() -> Result<Config> {
    configured(MVCM.scheme, network(LONGEST)?.hosts.len(), &[SETTINGS], &[])
}

/// One flow on its longest route.
fn alone(seed: u64) -> Result<Run> {
    let config = one_at_a_time()?;
    let text = format!(
        "name='one flow'\n[[group]]\nname='one'\nsources='0'\nto='{}'\nmessage='{LEN} flits'\nload='{}%'\nbacklog=true\n",
        network(LONGEST)?.hosts.len() - 1,
        100.0 / APART
    );
    let us = 20.0 * APART * PACKET_US;
    let mut run = Run::new(LONGEST, TrafficSpec::parse(&text)?, config, seed, us);
    run.gauge_us = us / 1993.0;
    Ok(run)
}

/// Packets that a flow sends before the first ACK is back: (2 h t_hop B + L_data + L_ack) / L_data.
fn omega(hops: f64, t_hop: f64, rate: f64, data: f64) -> f64 {
    (2.0 * hops * t_hop * rate + data + ACK) / data
}

/// Bytes of an ACK, and of the header of a packet.
const ACK: f64 = 22.0;

/// MVCM's bounds with windows of up to two packets.
const RULES: Bounds = Bounds { law: Law::Slots, widest: 2, moves: true, g: 8, steps: 5 };

/// What ACKs with these bits of MB and VB make of what holds a flow back.
fn after(bits: &[u32]) -> Held {
    let heard = bits.iter().filter_map(|&b| severity(0x9c9c, b));
    heard.fold(RULES.fresh(), |held, severity| RULES.acknowledged(&held, severity).0)
}

const COLD: u32 = 0;
const WARM: u32 = 2;
const HOT: u32 = 3;

fn v3(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let o = r.of(ALONE);
    // Of the paper's numbers; the run has nothing to do with it.
    let figure = |name: &str, value: f64| o.measure(name, |_| value);
    let window = |name: &str, rate: f64, payload: f64| figure(name, omega(9.0, 3.0, rate, payload + ACK));
    report.claim(
        Claim::value(
            "the window that keeps a link busy over nine hops of 3 cycles, packets (the paper truncates 4.187 and rounds 1.273 up)",
            Tolerance::By(0.008),
            [
                ("256 bytes", 1.28, window("omega 256", 1.0, 256.0)),
                ("at 16 bytes a cycle", 4.18, window("omega 16 B", 16.0, 256.0)),
                ("the least payload", 4.45, window("omega least", 1.0, 0.0)),
                ("the largest", 1.0, window("omega most", 1.0, 1e9)),
            ],
        )
        .unit("packets", 3),
    );
    report.claim(
        Claim::value(
            "windows chosen: the next whole number",
            EXACT,
            [
                ("1 byte a cycle", 2.0, window("omega 256", 1.0, 256.0).map(f64::ceil)),
                ("16 bytes", 5.0, window("omega 16 B", 16.0, 256.0).map(f64::ceil)),
            ],
        )
        .unit("packets", 0),
    );
    let held = |name: &str, bits: &[u32]| {
        let held = after(bits);
        (
            figure(&format!("window {name}"), f64::from(held.window)),
            figure(&format!("slots {name}"), f64::from(held.slots)),
        )
    };
    let one =
        [("cold", COLD), ("warm", WARM), ("hot", HOT)].map(|(name, bits)| (name, held(name, &[bits]).0));
    let two = [("cold", COLD), ("warm", WARM), ("hot", HOT)]
        .map(|(name, bits)| (format!("{name} at 1"), held(&format!("hot, {name}"), &[HOT, bits]).1));
    report.claim(
        Claim::value(
            "table 1: the window after one ACK, from 2",
            EXACT,
            one.into_iter().zip([2.0, 1.0, 1.0]).map(|((name, v), p)| (name, p, v)),
        )
        .published("none, moderate, imminent: 2, 1, 1")
        .unit("packets", 0),
    );
    report.claim(
        Claim::value(
            "table 1: steps of waiting slots after one more, from a window of 1",
            EXACT,
            two.into_iter().zip([0.0, 0.0, 1.0]).map(|((name, v), p)| (name, p, v)),
        )
        .published("only hot ones add slots: 0, 0, 1")
        .unit("", 0),
    );
    let deep = [HOT; 9];
    let back: Vec<u32> = deep.iter().copied().chain([COLD; 2]).collect();
    report.claim(
        Claim::value(
            "DW_max clean ACKs restore the full rate from the deepest state: window and slots",
            EXACT,
            [("window", 2.0, held("back", &back).0), ("slots", 0.0, held("back", &back).1)],
        )
        .published("2 packets, no slots")
        .unit("", 0),
    );
    let slots = |n: usize| {
        o.measure(&format!("waiting slots {n}"), |_| {
            // The first of the ACKs narrows the window.
            let held = after(&vec![HOT; n + 1]);
            if held.slots == 0 { 0.0 } else { 4f64.powi(held.slots as i32 - 1) }
        })
    };
    report.claim(
        Claim::value(
            "table 2: slots after so many hot ACKs with a window of 1, k = 4",
            EXACT,
            [("0", 0.0, slots(0)), ("1", 1.0, slots(1)), ("2", 4.0, slots(2)), ("3", 16.0, slots(3))],
        )
        .published("0, k^0, k^1, k^2")
        .unit("", 0),
    );
    let measured = o.measure("round trip, packet times", |o| {
        APART * mean(&o.gauges.iter().map(|g| g.outstanding as f64).collect::<Vec<_>>())
    });
    let slot = f64::from(rtt_min(&network(LONGEST)?, &one_at_a_time()?));
    let unit = o.measure("waiting slot, packet times", |o| times(o, slot));
    report.claim(
        Claim::bound(
            "a waiting slot is a round trip: that of one packet at a time in `min512`, measured, over the slot",
            "the minimum RTT",
            (0.97, 1.03),
            [("measured / slot", measured.over(&unit))],
        )
        .unit("", 3),
    );
    let mut t = Table::new("Round trip in min512, packet times", &["waiting slot", "measured"]);
    t.row([unit.text(3), measured.text(3)]);
    report.tables.push(t);
    Ok(report)
}

const VOQS: &str = "an input here has a queue for each output and hands packets to them at twice the links' pace; the paper's inputs hold packets up behind others: its \
     high load is 15.5 % of a link, and this network carries 70 %";

/// Loads, per cent of a link.
const LOADS: [u32; 5] = [40, 60, 70, 80, 90];

/// Packet times of a run of uniform traffic.
fn lasts(scale: Scale) -> f64 {
    scale.pick(250.0, 1000.0)
}

fn saturating(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let place = Place::main(scale);
    let net = network(place.network)?;
    let hosts = net.hosts.len();
    let point = |&load: &u32| {
        let set: Vec<(&str, String)> = NONE.set.iter().map(|(n, v)| (*n, v.to_string())).collect();
        let config = configured(NONE.scheme, hosts, &[SETTINGS], &set)?;
        let text = format!(
            "name='uniform'\n[[group]]\nname='all'\nsources='all'\nto='uniform'\nload='{load}%'\narrival='bernoulli'\n"
        );
        let us = lasts(scale) * PACKET_US;
        let mut run = Run::new(place.network, TrafficSpec::parse(&text)?, config, seed, us);
        run.gauge_us = us / 40.0;
        Ok(Point::new(load.to_string(), run))
    };
    LOADS.iter().map(point).collect()
}

/// Mean over the looks after the first quarter.
fn settled(o: &Outcome, f: impl Fn(&Gauge) -> f64) -> f64 {
    let from = o.report.cycles / 4;
    mean(&o.gauges.iter().filter(|g| g.t >= from).map(f).collect::<Vec<_>>())
}

fn v4(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "Uniform traffic",
        &[
            "load, %",
            "carried, %",
            "input buffers, %",
            "output buffers, %",
            "packets outstanding of a flow that has some",
        ],
    );
    let of = |load: u32| {
        let o = r.of(load.to_string());
        let us = lasts(r.scale) * PACKET_US / 1000.0;
        [
            o.share(us / 4.0, us).map(|v| 100.0 * v),
            o.measure("inputs %", |o| 100.0 * settled(o, |g| g.inputs)),
            o.measure("outputs %", |o| 100.0 * settled(o, |g| g.outputs)),
            o.measure("outstanding", |o| settled(o, |g| g.outstanding as f64 / g.flows.max(1) as f64)),
        ]
    };
    for load in LOADS {
        t.row([load.to_string()].into_iter().chain(of(load).map(|v| v.text(2))));
    }
    report.tables.push(t);
    let carried = |load: &u32| of(*load)[0].mean() >= 0.98 * f64::from(*load);
    let near = LOADS.into_iter().rev().find(carried).unwrap_or(LOADS[0]);
    let [_, inputs, outputs, outstanding] = of(near);
    for (name, published, fill) in [("input", 66.0, inputs), ("output", 33.0, outputs)] {
        report.claim(
            Claim::value(
                format!("mean fill of {name} buffers near saturation"),
                Tolerance::By(15.0),
                [("", published, fill)],
            )
            .unit("%", 1)
            .because(VOQS),
        );
    }
    report.claim(
        Claim::value(
            "packets outstanding of a flow that has some",
            Tolerance::By(0.3),
            [("", 1.4, outstanding)],
        )
        .unit("packets", 2)
        .because(
            "a flow is a pair of hosts, and of uniform traffic each has a packet in a thousand packet times or less: 1.4 can be a round trip in packet times (1.7 here \
             without contention), not the mean of what one flow has outstanding",
        ),
    );
    Ok(report)
}

const NO_WINDOW: Of = Of { name: "no window", ..NONE };

const STATIC: [Of; 4] = [
    NO_WINDOW,
    Of { name: "window 1", scheme: MVCM.scheme, set: &fixed("1") },
    Of { name: "window 2", scheme: MVCM.scheme, set: &fixed("2") },
    Of { name: "window 5", scheme: MVCM.scheme, set: &fixed("5") },
];

/// Windows of so many packets, and nothing else.
const fn fixed(window: &'static str) -> [(&'static str, &'static str); 4] {
    [("marking", "false"), ("dynamic_window", "false"), ("law", "none"), ("wmax", window)]
}

/// Mean latency of cold packets over the bins between two shares of the time from the start of the hot sources to the end of the run.
fn between(o: &At, what: &str, from: f64, to: f64) -> Sample {
    o.measure(what, |o| {
        let start = congested(o).0 as f64;
        let rest = over_time(o, "cold").len() as f64 - 1.0 - start;
        let place = |share: f64| (start + share * rest).max(0.0) as usize;
        cold_over(o, place(from)..place(to).max(place(from) + 1))
    })
}

fn v6(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "Mean latency of cold packets, packet times",
        &["", "before", "hot packets are generated and drained (first 80 %)", "last 5 % of the run"],
    );
    let of = |of: Of| {
        let o = r.of(of.name);
        let before = o.measure("cold before", |o| cold_over(o, calm(o)));
        (before, between(&o, "cold during", 0.0, 0.8), between(&o, "cold at the end", 0.95, 1.0))
    };
    for s in STATIC {
        let (before, during, end) = of(s);
        t.row([s.name.to_string(), before.text(2), during.text(2), end.text(2)]);
    }
    report.tables.push(t);
    let [none, one, two, five] = STATIC.map(|s| (s.name, of(s)));
    let during = |(name, v): &(&'static str, (Sample, Sample, Sample))| (*name, v.1.clone());
    report.claim(
        Claim::chain(
            "while there is congestion: the smaller the window, the lower the latency",
            "1 lowest, 5 worse than 2",
            Margin::Percent(0.0),
            [during(&none), during(&five), during(&two), during(&one)],
        )
        .unit("packet times", 2),
    );
    let left = |v: &(Sample, Sample, Sample)| v.2.over(&v.0);
    report.claim(
        Claim::bound(
            "a window of 1 never recovers: latency at the end over that before",
            "would never recover",
            at_least(2.0),
            [("window 1", left(&one.1))],
        )
        .because(
            "a window is of a flow, and each host sends to all others: with packets of 17 flits a window of one packet limits a flow to 0.6 of a link, and no flow of uniform \
             traffic asks for more than a thousandth of it",
        ),
    );
    report.claim(Claim::bound(
        "a window of 2 does",
        "the best behavior",
        at_most(1.2),
        [("window 2", left(&two.1))],
    ));
    Ok(report)
}

/// Use of the hotspot's link between looks, per cent of what it can carry: while hot packets wait, and after.
fn uses(o: &Outcome) -> (Vec<f64>, Vec<f64>) {
    let cycles = |bin: usize| bin as u64 * o.report.bin;
    let (first, last) = congested(o);
    let pairs = o.gauges.windows(2).map(|w| {
        let us = (w[1].t - w[0].t) as f64 * o.report.cycle_ps as f64 / 1e6;
        (w[0].t, w[1].t, 100.0 * w[1].spot as f64 * super::mvcm::FLIT_US / us)
    });
    let all: Vec<(u64, u64, f64)> = pairs.collect();
    // The bins of the first and last packet are congested in part; a packet in the source's half at the start is not at the link yet.
    let during = all.iter().filter(|u| u.0 >= cycles(first + 1) && u.1 <= cycles(last)).map(|u| u.2);
    let after = all.iter().filter(|u| u.0 > cycles(last + 1)).map(|u| u.2);
    (during.collect(), after.collect())
}

fn v7(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "Use of the link to the hotspot, %",
        &["scheme", "mean while hot packets arrive", "lowest", "mean after", "deviation after"],
    );
    let of = |of: Of| {
        let o = r.of(of.name);
        let figure = |name: &str, f: fn((Vec<f64>, Vec<f64>)) -> f64| o.measure(name, |o| f(uses(o)));
        [
            figure("link during %", |u| mean(&u.0)),
            figure("link lowest %", |u| u.0.into_iter().fold(100.0, f64::min)),
            figure("link after %", |u| mean(&u.1)),
            figure("link deviation after %", |u| super::mvcm::deviation(&u.1)),
        ]
    };
    for s in [NONE, MVCM] {
        t.row([s.name.to_string()].into_iter().chain(of(s).map(|v| v.text(1))));
    }
    report.tables.push(t);
    let [during, _, _, after] = of(MVCM);
    report.claim(
        Claim::bound(
            "with MVCM the link is busy all the time while hot packets arrive: mean",
            "100 %",
            at_least(98.0),
            [("MVCM", during)],
        )
        .unit("%", 1)
        .because(
            "short form only: of 100 packets of a source the last ones may wait for slots when those of the others have arrived, and when that happens is a matter of cycles (with a waiting slot \
             of 559 cycles instead of 560 it is 99.7 %)",
        ),
    );
    let [.., none] = of(NONE);
    report.claim(
        Claim::chain(
            "when they are gone its use oscillates less than without congestion management: standard deviation",
            "less oscillations",
            Margin::By(0.0),
            [("none", none), ("MVCM", after)],
        )
        .unit("%", 1),
    );
    Ok(report)
}

const FAST: &str = "fast";

/// MVCM on links of two cycles a flit.
fn fast(scale: Scale, seed: u64) -> Result<Run> {
    let main = Place::main(scale);
    let place = Place { network: scale.pick("min:4:4:fast", "min512:fast"), ..main };
    let wide = scale.pick("5", "6");
    let set = [("xb_interval", "1"), ("rd_interval", "2"), ("wmax", wide)];
    place.run(&MVCM, seed, &set.map(|(n, v)| (n, v.to_string())))
}

/// Flows in the mean while hot packets arrive: with packets outstanding, with a window that is not the widest, with waiting slots.
fn flows(o: &At) -> [Sample; 3] {
    let of = |name: &str, f: fn(&Gauge) -> u64| {
        o.measure(name, |o| {
            let (first, last) = congested(o);
            let cycles = first as u64 * o.report.bin..last as u64 * o.report.bin;
            let during = o.gauges.iter().filter(|g| cycles.contains(&g.t));
            mean(&during.map(|g| f(g) as f64).collect::<Vec<_>>())
        })
    };
    [of("flows out", |g| g.flows), of("flows narrowed", |g| g.narrowed), of("flows delayed", |g| g.delayed)]
}

/// Of flows with packets outstanding while hot packets arrive: shares by window and by steps of waiting slots.
fn histograms(r: &Results) -> Table {
    let steps = ["no slots", "1 step", "2", "3", "4", "5"];
    let head = ["links", "window 1", "2", "3", "4", "5", "6"].into_iter().chain(steps);
    let mut t = Table::new(
        "While hot packets arrive: flows with packets outstanding by their window and by the steps of their waiting slots, %",
        &head.collect::<Vec<_>>(),
    );
    for (links, point) in [("14 cycles a flit, windows of 2", MVCM.name), ("2 cycles a flit", FAST)] {
        let o = r.of(point);
        let share = |name: String, f: &dyn Fn(&Gauge) -> u64| {
            o.measure(&name, |o| {
                let (first, last) = congested(o);
                let cycles = first as u64 * o.report.bin..last as u64 * o.report.bin;
                let during = o.gauges.iter().filter(|g| cycles.contains(&g.t));
                let (some, all) = during.fold((0, 0), |(s, a), g| (s + f(g), a + g.flows));
                100.0 * some as f64 / all.max(1) as f64
            })
        };
        let windows = (1..=6).map(|n| share(format!("window {n} %"), &|g| g.windows[n]).text(1));
        let steps = (0..=5).map(|n| share(format!("steps {n} %"), &|g| g.steps[n]).text(1));
        t.row([links.to_string()].into_iter().chain(windows).chain(steps));
    }
    t
}

fn v12(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "While hot packets arrive: flows with packets outstanding, in the mean",
        &[
            "links",
            "flows",
            "with a window below the widest",
            "with waiting slots",
            "highest mean latency of cold packets, packet times",
        ],
    );
    for (links, point) in [("14 cycles a flit, windows of 2", MVCM.name), ("2 cycles a flit", FAST)] {
        let all = flows(&r.of(point)).map(|v| v.text(1));
        let peak = Cold(r.of(point)).peak().text(1);
        t.row([links.to_string()].into_iter().chain(all).chain([peak]));
    }
    report.tables.push(t);
    report.tables.push(histograms(r));
    let [_, narrow, slots] = flows(&r.of(FAST));
    report.claim(
        Claim::bound(
            "few of the flows that windows hold back wait for slots, too",
            "only a few flows",
            at_most(10.0),
            [("", slots.over(&narrow).map(|v| 100.0 * v))],
        )
        .unit("%", 1)
            .because(
                "fewer than with slow links, where most do, and a few of all hot flows (see the table); but windows alone let each hot flow have a packet under way, and all of them \
                 ask for more than the hotspot's link",
            ),
    );
    Ok(report)
}
