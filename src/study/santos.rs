//! Marking with acknowledgements in switches with input buffers (Santos, Turner, Janakiraman).

use anyhow::Result;

use super::claim::{Claim, Margin, Tolerance};
use super::figures::flows;
use super::job::Point;
use super::plan::{At, Results, Scale, Study};
use super::point::{Run, network};
use super::report::{Figure, Report, Table};
use super::sample::Sample;
use super::setting::{Setting, chosen, configured, paper};
use crate::fabric::traffic::TrafficSpec;
use crate::scheme::Scheme;

const NETWORK: &str = "santos:10:10";
/// 1 GB/s, in Gbit/s.
pub const LINK: f64 = 8.0;

pub const SETTINGS: &[Setting] = &[
    paper("mtu", "32"),
    paper("blocks", "128"),
    paper("wmax", "1"),
    paper("law", "lipd"),
    paper("sched", "oldest"),
    chosen(
        "bypass",
        "0",
        "\"max bypass: 4\" does not say of what; 4 for each buffer halves the victim's rate under naive marking, against the text",
    ),
    chosen("rmin_exp", "8", "not stated: an 8-bit delay, as in InfiniBand"),
    chosen(
        "rd_interval",
        "15",
        "a packet is forwarded when its header is here, as in the paper: links take 15 cycles a flit",
    ),
];

pub const SCENARIO: &str =
    "packets of 32 flits are 2048 bytes, 2068 in the paper; a flit takes 64 ns, a cycle 64/15 ns";
const DEVIATIONS: &[&str] = &[SCENARIO, TIMES];
const TIMES: &str = "short form: 20 ms with the victim from 12 ms, instead of 100 ms with the victim from 40 to 60 ms; rates are means while \
     the victim sends, but for its first 2 ms";

/// A study of Santos' scenario.
pub fn study(
    id: &'static str,
    title: &'static str,
    source: &'static str,
    deviations: &'static [&'static str],
    points: fn(Scale, u64) -> Result<Vec<Point>>,
    evaluate: fn(&Results) -> Result<Report>,
    figures: fn(&Results) -> Result<Vec<Figure>>,
) -> Study {
    Study {
        id,
        title,
        source,
        settings: &[SETTINGS],
        deviations,
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures,
    }
}

pub fn studies() -> Vec<Study> {
    vec![
        study(
            "S1",
            "Congestion spreads to a victim, fixed windows of a packet",
            "Santos et al., figure 2",
            DEVIATIONS,
            |scale, seed| points(scale, seed, &[NONE]),
            s1,
            |r| charts(r, &[NONE]),
        ),
        study(
            "S2",
            "Naive marking: packets in full buffers",
            "Santos et al., section IV.A, figure 3(a)",
            DEVIATIONS,
            |scale, seed| points(scale, seed, &[NONE, NAIVE]),
            s2,
            |r| charts(r, &[NAIVE]),
        ),
        study(
            "S3",
            "Input-triggered marking: all that wait for the outputs of a full buffer",
            "Santos et al., section IV.B, figure 3(b)",
            DEVIATIONS,
            |scale, seed| points(scale, seed, &[NAIVE, INPUT]),
            s3,
            |r| charts(r, &[INPUT]),
        ),
        study(
            "S4",
            "Input-output-triggered marking: outputs with more than 4 or 8 packets, too",
            "Santos et al., section IV.C, figures 3(c) and 3(d)",
            DEVIATIONS,
            |scale, seed| points(scale, seed, &[INPUT, OUT_4, OUT_8]),
            s4,
            |r| charts(r, &[OUT_4, OUT_8]),
        ),
    ]
}

/// A kind of marking: its name, scheme and what is set beside the study's settings.
#[derive(Clone, Copy)]
struct Of {
    name: &'static str,
    scheme: Scheme,
    set: &'static [(&'static str, &'static str)],
}

const NONE: Of = Of { name: "none", scheme: Scheme::SantosInput, set: &[("marking", "false")] };
const NAIVE: Of = Of { name: "naive", scheme: Scheme::SantosNaive, set: &[] };
const INPUT: Of = Of { name: "input", scheme: Scheme::SantosInput, set: &[] };
const OUT_4: Of = Of { name: "output 4", scheme: Scheme::SantosIo, set: &[("out_th", "4")] };
const OUT_8: Of = Of { name: "output 8", scheme: Scheme::SantosIo, set: &[("out_th", "8")] };

/// When the victim sends, and how long all run, ms.
fn times(scale: Scale) -> (f64, f64, f64) {
    scale.pick((12.0, 20.0, 20.0), (40.0, 60.0, 100.0))
}

fn points(scale: Scale, seed: u64, all: &[Of]) -> Result<Vec<Point>> {
    let (from, to, run) = times(scale);
    let net = network(NETWORK)?;
    let host = |name: &str| net.hosts.iter().position(|h| h.name == name).unwrap_or_default() as u32;
    let point = |of: &Of| {
        let set: Vec<(&str, String)> = of.set.iter().map(|(n, v)| (*n, v.to_string())).collect();
        let config = configured(of.scheme, net.hosts.len(), &[SETTINGS], &set)?;
        let spec =
            TrafficSpec::load(&format!("santos(from={from} ms, to={to} ms, run={run} ms)"), net.hosts.len())?;
        let mut run = Run::new(NETWORK, spec, config, seed, run * 1000.0);
        run.flows = sources().map(|s| (host(&s), host("BC"))).collect();
        Ok(Point::new(of.name, run))
    };
    all.iter().map(point).collect()
}

/// Local sources, then remote ones.
fn sources() -> impl Iterator<Item = String> {
    ["B", "A"].into_iter().flat_map(|side| (1..=10).map(move |i| format!("{side}{i}")))
}

/// Rates while the victim sends, shares of a link.
struct Rates {
    local: Sample,
    remote: Sample,
    victim: Sample,
    root: Sample,
    between: Sample,
    /// Remote over local.
    ratio: Sample,
}

fn rates(r: &Results, of: Of) -> Rates {
    let (from, to, _) = times(r.scale);
    let o = r.of(of.name);
    let rate = |name: &str| o.gbps(name, from + 2.0, to).map(|v| 100.0 * v / LINK);
    let sum = |a: &Sample, b: &Sample| Sample::each(&[a.clone(), b.clone()], |v| v[0] + v[1]);
    let (local, remote, victim) = (rate("local"), rate("remote"), rate("victim"));
    let (root, between, ratio) = (sum(&local, &remote), sum(&remote, &victim), remote.over(&local));
    Rates { local, remote, victim, root, between, ratio }
}

fn table(r: &Results, all: &[Of]) -> Table {
    let mut t = Table::new(
        "Shares of a link while the victim sends, %",
        &["marking", "local", "remote", "victim", "root link", "inter-switch link", "remote / local"],
    );
    for of in all {
        let v = rates(r, *of);
        let shares = [&v.local, &v.remote, &v.victim, &v.root, &v.between].map(|s| s.text(1));
        let [local, remote, victim, root, between] = shares;
        t.row([of.name.into(), local, remote, victim, root, between, v.ratio.text(2)]);
    }
    t
}

fn s1(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    report.tables.push(table(r, &[NONE]));
    let v = rates(r, NONE);
    report.claim(
        Claim::value(
            "the victim's share of the inter-switch link",
            Tolerance::By(1.5),
            [("victim", 4.0, v.victim)],
        )
        .unit("%", 1),
    );
    report.claim(
        Claim::value(
            "the inter-switch link is used",
            Tolerance::By(3.0),
            [("inter-switch", 32.5, v.between)],
        )
        .unit("%", 1),
    );
    report.claim(
        Claim::bound("the root link is oversubscribed", "busy", (98.0, 100.5), [("root", v.root)])
            .unit("%", 1),
    );
    Ok(report)
}

/// Jain's index over the flows of a kind while the victim sends.
fn jain(r: &Results, o: &At<'_>, side: &str) -> Result<Sample> {
    let (from, to, _) = times(r.scale);
    let net = network(NETWORK)?;
    let host = |name: &str| net.hosts.iter().position(|h| h.name == name).unwrap_or_default();
    let names: Vec<String> =
        sources().filter(|s| s.starts_with(side)).map(|s| format!("{}->{}", host(&s), host("BC"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(o.jain(&names, from + 2.0, to))
}

fn s2(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    report.tables.push(table(r, &[NONE, NAIVE]));
    let (none, v) = (rates(r, NONE), rates(r, NAIVE));
    let share = v.local.over(&v.root).map(|s| 100.0 * s);
    report.claim(
        Claim::value(
            "local flows' share of what the root link carries",
            Tolerance::By(5.0),
            [("local", 90.0, share)],
        )
        .unit("%", 1),
    );
    report.claim(
        Claim::bound(
            "congestion does not spread: the victim's rate over that without marking",
            "high throughput",
            (10.0, f64::INFINITY),
            [("naive / none", v.victim.over(&none.victim))],
        )
        .unit("", 1),
    );
    let o = r.of(NAIVE.name);
    report.claim(Claim::bound(
        "flows of a kind get about the same: Jain's index",
        "approximately the same",
        (0.95, 1.0),
        [("local", jain(r, &o, "B")?), ("remote", jain(r, &o, "A")?)],
    ));
    Ok(report)
}

fn s3(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    report.tables.push(table(r, &[NAIVE, INPUT]));
    let (naive, v) = (rates(r, NAIVE), rates(r, INPUT));
    report.claim(Claim::chain(
        "fairer than naive marking, not fair: remote over local",
        "improved; unfairness not entirely eliminated",
        Margin::Percent(10.0),
        [("equal", Sample::constant(1.0)), ("input", v.ratio), ("naive", naive.ratio)],
    ));
    report.claim(
        Claim::bound(
            "the inter-switch link is kept busy",
            "high utilization",
            (80.0, 100.5),
            [("input", v.between)],
        )
        .unit("%", 1),
    );
    report.claim(Claim::bound("and the root link", "high", (95.0, 100.5), [("input", v.root)]).unit("%", 1));
    Ok(report)
}

fn s4(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    report.tables.push(table(r, &[INPUT, OUT_4, OUT_8]));
    let (input, four, eight) = (rates(r, INPUT), rates(r, OUT_4), rates(r, OUT_8));
    report.claim(Claim::bound(
        "threshold 4: remote and local flows get about the same",
        "about equal",
        (0.8, 1.25),
        [("remote / local", four.ratio)],
    ));
    report.claim(
        Claim::chain(
            "threshold 4 costs some of the root link",
            "lower",
            Margin::By(3.0),
            [("input", input.root), ("output 4", four.root)],
        )
        .unit("%", 1),
    );
    report.claim(
        Claim::bound("threshold 8 does not", "high", (95.0, 100.5), [("output 8", eight.root)]).unit("%", 1),
    );
    report.claim(Claim::chain(
        "threshold 8 is fairer than input-triggered marking: remote over local",
        "fairer",
        Margin::Percent(0.0),
        [("output 8", eight.ratio), ("input", input.ratio)],
    ));
    Ok(report)
}

fn charts(r: &Results, all: &[Of]) -> Result<Vec<Figure>> {
    let chart = |of: &Of| {
        let title = format!("Two switches, 10 local and 10 remote flows: {}", of.name);
        let subtitle = "the victim shares the inter-switch link with the remote flows";
        let chart =
            flows(&title, subtitle, r.outcome(of.name), &["local", "remote", "victim"], LINK, Vec::new());
        Figure::new(of.name.replace(' ', "-"), chart.svg())
    };
    Ok(all.iter().map(chart).collect())
}
