//! MVCM beside no congestion management, Renato's proposal (RP) and Pfister's implementation (PI), and its parts alone.

use anyhow::Result;

use super::claim::{Claim, Margin, at_least, at_most};
use super::job::Point;
use super::mvcm::{
    BIN, Cold, HIGH, LEN, MEDIUM, MVCM, NONE, ONE_DRAW, Of, PI, PI_VALIDATED, Place, RP, SCENARIO, SHORT,
    SLOTS, TREE, ages, cold, congested, latency_chart, marked, over_time, study, times, warm,
};
use super::plan::{At, Results, Scale, Study};
use super::point::Outcome;
use super::report::{Report, Table};
use super::sample::Sample;

const DEVIATIONS: &[&str] = &[SCENARIO, TREE, ONE_DRAW, SLOTS, SHORT];

const ALL: [Of; 4] = [NONE, RP, PI, MVCM];

pub fn studies() -> Vec<Study> {
    vec![
        study(
            "V1",
            "Latency and throughput of cold flows while there is a hotspot",
            "Ferrer et al., figures 5 and 11",
            DEVIATIONS,
            |scale, seed| points(scale, seed, &ALL),
            v1,
            |r| {
                let names = ALL.map(|of| of.name);
                Ok(vec![latency_chart(r, "latency", "Cold flows beside a hotspot", "cold", &names)])
            },
        ),
        study(
            "V1b",
            "The same with the paper's packets of 256 + 22 bytes",
            "Ferrer et al., figures 5 and 11",
            &[
                "packets of 5 flits in buffers of 16 blocks, thresholds the same shares of them; hops of 28 cycles (slots of crossbar and link of 14) make a round trip of 6.6 packets over nine hops instead of 1.28; \
                 `wmax` = 4 is what the paper's rule gives for hops of 8 cycles, 2 for its own",
                "latencies in packet times, which are 5 flits here",
                TREE,
                ONE_DRAW,
                SLOTS,
                SHORT,
            ],
            |scale, seed| ALL.iter().map(|of| short_packets(scale, seed, of)).collect(),
            v1b,
            |_| Ok(Vec::new()),
        ),
        study(
            "V2",
            "Packets marked of cold and hot flows",
            "Ferrer et al., figure 10",
            DEVIATIONS,
            |scale, seed| points(scale, seed, &[RP, PI, MVCM]),
            v2,
            |_| Ok(Vec::new()),
        ),
        study(
            "V5",
            "Parts of MVCM alone: validation for PI, marks that are not validated, no warm packets, no limit on slots",
            "Ferrer et al., figures 12, 13, 14 and 16",
            &[
                SCENARIO,
                TREE,
                ONE_DRAW,
                SLOTS,
                "no limit: 15 steps, the longest wait is that of the adapter's timers (2^19 cycles)",
                "PI with validated marks: switches mark as with MVCM, an adapter sends a CNP for each packet that has MB and VB",
                SHORT,
            ],
            |scale, seed| points(scale, seed, &[&PARTS[..], &[PI, PI_VALIDATED][..]].concat()),
            v5,
            |r| {
                let names = PARTS.map(|of| of.name);
                let cold = latency_chart(r, "cold", "Cold flows, MVCM and its parts", "cold", &names);
                Ok(vec![cold, latency_chart(r, "hot", "Hot flows, MVCM and its parts", "hot", &names)])
            },
        ),
        study(
            "V10",
            "Latency over accepted traffic, all packets",
            "Ferrer et al., figure 9(a)",
            &[
                SCENARIO,
                TREE,
                ONE_DRAW,
                SLOTS,
                SHORT,
                "0.26, 0.45 and 0.62 bytes a cycle for each switch with four hosts, the paper's low, medium and high loads; a hot packet that has not arrived at the end of the run counts with what it has waited at least, the time since the last one was generated",
            ],
            |scale, seed| {
                let at = |(name, load): (&'static str, f64)| {
                    SCHEMES.map(|of| {
                        let run = Place { load, ..Place::main(scale) }.run(&of, seed, &[])?;
                        Ok(Point::new(format!("{} {name}", of.name), run))
                    })
                };
                OFFERED.into_iter().flat_map(at).collect()
            },
            v10,
            |_| Ok(Vec::new()),
        ),
    ]
}

/// Why what is done to cold flows does not show.
const PAIRS: &str = "windows, delays and slots are of a flow, a pair of hosts, and a host of uniform traffic sends a packet to the same destination once in 2000 to 5000 packet times: neither \
     a window of one nor a delay of up to 256 packet times after a wrong mark holds a cold flow back. What counts is how soon the hot flows leave the network, and a window of one from the \
     start is best there, as the paper's figure 4 says (study V6)";

/// Why few cold packets are marked.
const QUEUES: &str = "an input has a queue for each output, so that cold packets seldom stand in a buffer that hot ones fill; in the paper's inputs they wait behind these";

/// Why validated marks alone do not help PI.
const TOLD_LATER: &str = "a validated mark wants a full input as well as a full output; an input has a queue for each output here and hands packets on at twice the links' pace, so it fills when the output's queue \
     is full already. PI's own mark wants half of that queue: its sources are told earlier, and of few cold packets as it is";

const SCHEMES: [Of; 3] = [RP, PI, MVCM];

/// Loads with their names.
const OFFERED: [(&str, f64); 3] = [("low", 6.5), ("medium", MEDIUM), ("high", HIGH)];

const MARKED: Of = Of { name: "MB is hot", set: &[("sevmap", "0xacac")], ..MVCM };
const NO_WARM: Of = Of { name: "no warm packets", set: &[("sevmap", "0x8c8c")], ..MVCM };
const NO_LIMIT: Of = Of { name: "no limit", set: &[("ws_steps", "15")], ..MVCM };
/// The other reading of the limit: a step more, k^n.
const MORE: Of = Of { name: "k^n", set: &[("ws_steps", "6")], ..MVCM };
const PARTS: [Of; 5] = [MVCM, MARKED, NO_WARM, NO_LIMIT, MORE];

fn points(scale: Scale, seed: u64, all: &[Of]) -> Result<Vec<Point>> {
    all.iter().map(|of| Place::main(scale).point(of, seed)).collect()
}

/// The paper's packets: 256 + 22 bytes.
const SHORT_LEN: u32 = 5;

/// Buffers and thresholds for them, in the shares that longer packets have.
fn short_packets(scale: Scale, seed: u64, of: &Of) -> Result<Point> {
    let mut set = vec![("mtu", "5"), ("blocks", "16"), ("oblocks", "16")];
    if of.scheme == MVCM.scheme {
        set.extend([("mb_th", "10"), ("vb_th", "5"), ("wmax", "4")]);
    } else if of.scheme == RP.scheme {
        set.push(("fill_level", "10"));
    } else {
        set.extend([("sum_hth", "8"), ("sum_lth", "8")]);
        set.extend([("cct", "linear(step=0.32us)"), ("ccti_timer", "19")]);
    }
    let set: Vec<(&str, String)> = set.into_iter().map(|(name, value)| (name, value.to_string())).collect();
    Ok(Point::new(of.name, Place::main(scale).run_of(SHORT_LEN, of, seed, &set)?))
}

fn v1b(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "Cold flows, packets of 5 flits: latency in packet times, throughput in 25 packet times as a share of that before",
        &["scheme", "highest mean latency", "mean latency", "lowest throughput, %"],
    );
    // What the other studies call a packet time is that of their packets.
    let own = |v: Sample| v.map(|v| v * f64::from(LEN) / f64::from(SHORT_LEN));
    for of in ALL {
        let c = cold(r, of);
        t.row([of.name.to_string(), own(c.peak()).text(1), own(c.mean()).text(2), c.dip().text(1)]);
    }
    report.tables.push(t);
    let [none, rp, pi, mvcm] = ALL.map(|of| (of.name, own(cold(r, of).peak())));
    peaks(&mut report, "packets of 5 flits: ", &[none, rp, pi, mvcm]);
    Ok(report)
}

/// What the highest latencies of cold flows without congestion management, with RP, PI and MVCM are to be; `of` says what runs.
fn peaks(report: &mut Report, of: &str, [none, rp, pi, mvcm]: &[(&str, Sample); 4]) {
    report.claim(
        Claim::chain(
            format!("{of}the highest latency of cold flows"),
            "none > 504, RP 36, PI > 29, MVCM 11 packet times",
            Margin::Percent(0.0),
            [none, rp, pi, mvcm].map(Clone::clone),
        )
        .unit("", 1)
        .because(PAIRS),
    );
    report.claim(
        Claim::bound(
            format!("{of}without congestion management it is many times that with MVCM"),
            "> 46 times",
            at_least(20.0),
            [("none / MVCM", none.1.over(&mvcm.1))],
        )
        .unit("", 1),
    );
    report.claim(
        Claim::bound(
            format!("{of}with RP it is a multiple of that with MVCM"),
            "3.3 times",
            at_least(2.0),
            [("RP / MVCM", rp.1.over(&mvcm.1))],
        )
        .unit("", 1)
        .because(PAIRS),
    );
}

fn table(r: &Results, all: &[Of]) -> Table {
    let mut t = Table::new(
        "Cold flows: latency in packet times, throughput in 25 packet times as a share of that before",
        &[
            "scheme",
            "highest mean latency",
            "mean latency",
            "lowest throughput, %",
            "deviation of throughput, %",
        ],
    );
    for of in all {
        let c = cold(r, *of);
        let cells = [c.peak().text(1), c.mean().text(2), c.dip().text(1), c.oscillation().text(1)];
        t.row([of.name.to_string()].into_iter().chain(cells));
    }
    t
}

fn v1(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    report.tables.push(table(r, &ALL));
    let all = |f: &dyn Fn(Cold) -> Sample| ALL.map(|of| (of.name, f(cold(r, of))));
    let [none, rp, pi, mvcm] = all(&|c| c.peak());
    peaks(&mut report, "", &[none, rp, pi, mvcm]);
    let [none, rp, pi, mvcm] = all(&|c| c.dip());
    report.claim(
        Claim::order(
            "throughput of cold flows falls least with MVCM: lowest share of that before",
            "reducing even more the throughput drop",
            Margin::By(0.0),
            [mvcm, rp, pi, none],
            &[(0, 1), (0, 2), (0, 3)],
        )
        .unit("%", 1)
        .because(PAIRS),
    );
    let [none, rp, pi, mvcm] = all(&|c| c.oscillation());
    report.claim(
        Claim::order(
            "and oscillates least: standard deviation",
            "and the undesirable oscillations",
            Margin::By(0.0),
            [none, rp, pi, mvcm],
            &[(0, 3), (1, 3), (2, 3)],
        )
        .unit("%", 1)
        .because(PAIRS),
    );
    Ok(report)
}

fn v2(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "Packets delivered with marks, %",
        &["scheme", "cold: hot", "cold: warm", "hot: hot", "hot: warm"],
    );
    let of = |scheme: Of| {
        let o = r.of(scheme.name);
        (marked(&o, "cold"), warm(&o, "cold"), marked(&o, "hot"), warm(&o, "hot"))
    };
    for scheme in [RP, PI, MVCM] {
        let (a, b, c, d) = of(scheme);
        t.row([scheme.name.to_string(), a.text(2), b.text(2), c.text(2), d.text(2)]);
    }
    report.tables.push(t);
    let figures = |f: fn(&(Sample, Sample, Sample, Sample)) -> Sample| {
        [RP, PI, MVCM].map(|scheme| (scheme.name, f(&of(scheme))))
    };
    report.claim(
        Claim::chain(
            "cold packets marked as of the congestion's causes",
            "RP 11, PI 5, MVCM 0.1 %",
            Margin::By(0.0),
            figures(|f| f.0.clone()),
        )
        .unit("%", 2)
        .because(QUEUES),
    );
    report.claim(
        Claim::bound("MVCM marks nearly none of them so", "0.1 %", at_most(1.0), [("MVCM", of(MVCM).0)])
            .unit("%", 2),
    );
    let [rp, pi, mvcm] = figures(|f| f.2.clone());
    report.claim(
        Claim::chain(
            "hot packets marked",
            "PI highest, MVCM slightly lower, RP lowest",
            Margin::By(0.0),
            [pi, mvcm, rp],
        )
        .unit("%", 1),
    );
    Ok(report)
}

fn v5(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    report.tables.push(table(r, &[&PARTS[..], &[PI, PI_VALIDATED][..]].concat()));
    let hot = |of: Of| {
        let o = r.of(of.name);
        let highest =
            o.measure("hot highest", |o| over_time(o, "hot").into_iter().flatten().fold(0.0, f64::max));
        (silence(&o), highest, o.measure("hot end", |o| congested(o).1 as f64 * BIN))
    };
    let mut t = Table::new(
        "Hot flows, packet times",
        &["MVCM with", "longest time without a hot packet", "highest mean latency", "last packet"],
    );
    for of in PARTS {
        let (silent, high, end) = hot(of);
        t.row([of.name.to_string(), silent.text(0), high.text(0), end.text(0)]);
    }
    report.tables.push(t);
    let peak = |of: Of| (of.name, cold(r, of).peak());
    let swing = |of: Of| (of.name, cold(r, of).oscillation());
    report.claim(
        Claim::chain(
            "PI that heeds validated marks only: the latency of cold flows is lower",
            "have been reduced",
            Margin::Percent(0.0),
            [peak(PI), peak(PI_VALIDATED)],
        )
        .unit("packet times", 2)
        .because(TOLD_LATER),
    );
    report.claim(
        Claim::chain(
            "and their throughput oscillates less",
            "most of the oscillation",
            Margin::By(0.0),
            [swing(PI), swing(PI_VALIDATED)],
        )
        .unit("%", 2)
        .because(TOLD_LATER),
    );
    report.claim(
        Claim::chain(
            "without validation the latency of cold flows is higher",
            "increase in latency",
            Margin::Percent(0.0),
            [peak(MARKED), peak(MVCM)],
        )
        .unit("packet times", 2)
        .because(PAIRS),
    );
    report.claim(
        Claim::chain(
            "and their throughput oscillates more",
            "slightly introduces oscillations",
            Margin::By(0.0),
            [swing(MARKED), swing(MVCM)],
        )
        .unit("%", 2)
        .because(PAIRS),
    );
    report.claim(
        Claim::chain(
            "without warm packets the latency of cold flows is higher",
            "penalized",
            Margin::Percent(0.0),
            [peak(NO_WARM), peak(MVCM)],
        )
        .unit("packet times", 2)
        .because(PAIRS),
    );
    let silent = |of: Of| hot(of).0;
    report.claim(
        Claim::bound(
            "without a limit on waiting slots there are gaps: longest time without a hot packet over that with the limit",
            "gaps appear",
            at_least(2.0),
            [("no limit / MVCM", silent(NO_LIMIT).over(&silent(MVCM)))],
        )
        .unit("", 2),
    );
    Ok(report)
}

/// The longest time in which no hot packet arrives, from the first to the last, packet times (a bin if none is empty).
fn silence(o: &At) -> Sample {
    o.measure("hot silence", |o| {
        let (first, last) = congested(o);
        let (mut longest, mut now) = (0, 0);
        for &n in &ages(o, "hot").packets[first..=last] {
            now = if n == 0 { now + 1 } else { 0 };
            longest = longest.max(now);
        }
        (longest + 1) as f64 * BIN
    })
}

fn v10(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let mut t = Table::new(
        "All packets: traffic accepted, per cent of the links of all hosts; mean latency, packet times, at least; hot packets that have not arrived at the end, %",
        &["load", "RP", "", "", "PI", "", "", "MVCM", "", ""],
    );
    for (name, load) in OFFERED {
        let of = |of: Of| {
            let o = r.of(format!("{} {name}", of.name));
            let place = Place { load, ..Place::main(r.scale) };
            let sent = place.hot() * place.packets;
            let missing = move |o: &Outcome| sent - ages(o, "hot").latency.packets as f64;
            let latency = o.measure("all mean at least", |o| {
                let all =
                    o.series("network").ages.as_ref().map(|a| a.latency.packets as f64 * a.latency.mean);
                let arrived = ages(o, "cold").latency.packets as f64 + sent - missing(o);
                let waited = place.after_the_last(o) * missing(o);
                (times(o, all.unwrap_or(f64::NAN)) + waited) / (arrived + missing(o))
            });
            let left = o.measure("hot left %", |o| 100.0 * missing(o) / sent);
            (o.measure("accepted %", |o| 100.0 * o.report.normalised), latency, left)
        };
        let cells = SCHEMES.into_iter().flat_map(|s| {
            let (accepted, latency, left) = of(s);
            [accepted.text(2), latency.text(1), left.text(1)]
        });
        t.row([name.to_string()].into_iter().chain(cells));
        let [rp, pi, mvcm] = SCHEMES.map(|s| (s.name, of(s).1));
        report.claim(
            Claim::order(
                format!("{name} load: mean latency of all packets, cold and hot, is lowest with MVCM"),
                "MVCM best",
                Margin::Percent(0.0),
                [rp.clone(), pi.clone(), mvcm],
                &[(0, 2), (1, 2)],
            )
            .unit("packet times", 1),
        );
        report.claim(
            Claim::chain(
                format!("{name} load: and RP is worse than PI"),
                "RP worst",
                Margin::Percent(0.0),
                [rp, pi],
            )
            .unit("packet times", 1)
            .because(
                "RP has no more to say to cold flows than MVCM (see V1), and hot flows are few packets of all; PI holds hot flows back for longest, up to 127 packet times from packet to \
                 packet, long after their congestion",
            ),
        );
    }
    report.tables.push(t);
    Ok(report)
}
