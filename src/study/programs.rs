//! Parallel programs beside hotspots (thesis paper VI).

use anyhow::Result;

use super::claim::{Claim, Tolerance, at_most};
use super::ecocc::{SCHEMES, SETTINGS};
use super::job::Point;
use super::plan::{Results, Scale, Study};
use super::point::Run;
use super::report::{Figure, Report, Table};
use super::sample::{Sample, highest};
use super::setting::configured;
use crate::fabric::traffic::TrafficSpec;
use crate::plot::{self, Axis, Chart, Series};

pub fn studies() -> Vec<Study> {
    vec![Study {
        id: "E6",
        title: "Parallel programs, alone and beside hotspots",
        source: "thesis paper VI, figure 8",
        settings: &[SETTINGS],
        deviations: &[
            "256 nodes (short form: 64, smaller messages); the program on the even nodes, hot traffic on the odd ones, the hotspot is #123 (of 256; in \
             scenario 3 four are drawn), as in the paper",
            "the traces of the HPCC tests are not public: programs that exchange messages as they do (natural ring, pairwise transpose, three all-to-all \
             exchanges), sizes chosen",
            "beff and ptrans compute half of the time that they take alone on links without contention (chosen; of 0, 50 and 80 % none makes VOQnet faster than 1VL alone)",
            "D-mod-k keeps even and odd destinations on links of their own, so with the paper's mapping the two kinds of traffic never meet; for scenarios 2 and \
             3 a table has a mapping where they share links (deviation): the program on the even nodes of the lower and the odd ones of the upper half",
        ],
        drawn: true,
        sizes: false,
        points,
        evaluate,
        figures,
    }]
}

const PROGRAMS: [&str; 3] = ["mpifft", "beff", "ptrans"];

/// Those that the network can slow down.
const BUSY: [&str; 2] = ["beff", "ptrans"];

/// Share of its time that a program computes if nothing slows it down, per cent. Chosen.
const COMPUTES: u64 = 50;

/// Bytes per ns of a link of 40 Gbit/s.
const LINK: u64 = 5;

/// A program with its computing.
fn program(name: &str, scale: Scale) -> String {
    // What a rank sends in a round.
    let (bytes, messages, rounds) = match name {
        "beff" => (131_072, 2, scale.pick(4, 8)),
        "ptrans" => (scale.pick(524_288, 1_048_576), 1, scale.pick(1, 2)),
        _ => return format!("mpifft(bytes={})", scale.pick(65_536, 262_144)),
    };
    let compute = messages * bytes / LINK * COMPUTES / (100 - COMPUTES);
    format!("{name}(bytes={bytes}, rounds={rounds}, compute={compute})")
}

/// Where programs and hot traffic are.
#[derive(Clone, Copy, PartialEq)]
enum Mapping {
    /// Even and odd nodes.
    Paper,
    /// So that they share links.
    Mixed,
}

/// Puts the program on the even nodes of the lower half and the odd ones of the upper, the hotspots and their sources on the others.
fn mix(spec: &mut TrafficSpec, hosts: usize) -> Result<()> {
    let list = |rest: usize| {
        let nodes = (0..hosts).filter(|n| (n + n / (hosts / 2)) % 2 == rest);
        nodes.map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
    };
    if let Some(trace) = &mut spec.trace {
        trace.nodes = list(0).parse()?;
    }
    for h in &mut spec.hotspots {
        h.among =
            if h.count == 1 { h.among.clone() } else { format!("{}, not role hot", list(1)).parse()? };
    }
    let one = spec.hotspots.iter().find(|h| h.count == 1).map(|h| h.among.to_string());
    for role in &mut spec.roles {
        let not = one.as_ref().map_or(String::new(), |node| format!(", not {node}"));
        role.among = format!("{}{not}", list(1)).parse()?;
    }
    Ok(())
}

fn name(mapping: Mapping, program: &str, scenario: u32, scheme: &str) -> String {
    let mixed = if mapping == Mapping::Mixed { "mixed " } else { "" };
    format!("{mixed}{program}/{scenario} {scheme}")
}

/// What is run: mapping, program and scenario.
fn cases() -> Vec<(Mapping, &'static str, u32)> {
    let paper = PROGRAMS.into_iter().flat_map(|p| (1..=3).map(move |s| (Mapping::Paper, p, s)));
    paper.chain(BUSY.into_iter().flat_map(|p| (2..=3).map(move |s| (Mapping::Mixed, p, s)))).collect()
}

fn points(scale: Scale, seed: u64) -> Result<Vec<Point>> {
    let (network, hosts) = scale.pick(("4ary-3tree", 64), ("4ary-4tree", 256));
    let mut points = Vec::new();
    for (mapping, prog, scenario) in cases() {
        for (scheme, scheme_name) in SCHEMES {
            let mut spec = TrafficSpec::load(&format!("hpcc({prog}, scenario={scenario})"), hosts)?;
            if let Some(trace) = &mut spec.trace {
                trace.program = Some(program(prog, scale));
            }
            if mapping == Mapping::Mixed {
                mix(&mut spec, hosts)?;
            }
            // Alone nothing is drawn.
            let seed = if scenario == 1 { 1 } else { seed };
            let config = configured(scheme, hosts, &[SETTINGS], &[])?;
            let mut run = Run::new(network, spec, config, seed, scale.pick(20_000.0, 1_000_000.0));
            run.bin_us = 100.0;
            points.push(Point::new(name(mapping, prog, scenario, scheme_name), run));
        }
    }
    Ok(points)
}

fn time(r: &Results, mapping: Mapping, program: &str, scenario: u32, scheme: &str) -> Sample {
    r.of(name(mapping, program, scenario, scheme)).trace_us()
}

/// Execution time over that of 1VL.
fn norm(r: &Results, mapping: Mapping, program: &str, scenario: u32, scheme: &str) -> Sample {
    time(r, mapping, program, scenario, scheme).over(&time(r, mapping, program, scenario, "1VL"))
}

fn evaluate(r: &Results) -> Result<Report> {
    let mut report = Report::default();
    let head: Vec<&str> =
        ["nodes", "program", "scenario", "1VL (us)"].into_iter().chain(SCHEMES.map(|s| s.1)).collect();
    let mut t = Table::new("E6: execution time, normalised to 1VL", &head).on_page();
    for (mapping, p, s) in cases() {
        let nodes = if mapping == Mapping::Paper { "even" } else { "even, odd" };
        let first = [nodes.to_string(), p.into(), s.to_string(), time(r, mapping, p, s, "1VL").text(0)];
        t.row(first.into_iter().chain(SCHEMES.map(|(_, n)| norm(r, mapping, p, s, n).text(3))));
    }
    report.tables.push(t);
    let paper = |p: &str, s: u32, n: &str| time(r, Mapping::Paper, p, s, n);
    let gain = |p: &str, s: u32, n: &str| norm(r, Mapping::Paper, p, s, n).map(|v| 100.0 * (1.0 - v));
    let flat = (1..=3).flat_map(|s| SCHEMES[1..].iter().map(move |(_, n)| (s, *n)));
    report.claim(
        Claim::bound(
            "mpifft is barely affected by scheme or hotspots: time over that of 1VL",
            "flat",
            (0.95, 1.05),
            flat.map(|(s, n)| (format!("{s} {n}"), norm(r, Mapping::Paper, "mpifft", s, n))),
        )
        .unit("", 3),
    );
    let gains = |s: u32, of: &[(&'static str, [f64; 2])]| {
        let mut all = Vec::new();
        for &(scheme, published) in of {
            for (p, published) in BUSY.into_iter().zip(published) {
                all.push((format!("{scheme} {p}"), published, gain(p, s, scheme)));
            }
        }
        all
    };
    report.claim(
        Claim::value(
            "alone: VOQnet is faster than 1VL by",
            Tolerance::By(3.0),
            gains(1, &[("VOQnet", [8.0, 6.0])]),
        )
        .unit("%", 1)
        .because(ALONE),
    );
    report.claim(
        Claim::value(
            "alone: EcoCC and HFDI are faster than 1VL by",
            Tolerance::By(3.0),
            gains(1, &[("EcoCC", [7.0, 4.0]), ("HFDI", [7.0, 4.0])]),
        )
        .unit("%", 1)
        .because(ALONE),
    );
    report.claim(
        Claim::value(
            "1 hotspot: VOQnet and EcoCC are faster than 1VL by",
            Tolerance::By(5.0),
            gains(2, &[("VOQnet", [10.0, 13.0]), ("EcoCC", [10.0, 11.0])]),
        )
        .unit("%", 1)
        .because(APART),
    );
    let longer = BUSY.into_iter().flat_map(|p| (1..=3).map(move |s| (p, s)));
    report.claim(
        Claim::bound(
            "beff and ptrans: EcoCC takes longer than VOQnet by at most",
            "within a few %",
            at_most(8.0),
            longer.map(|(p, s)| (format!("{p} {s}"), paper(p, s, "EcoCC").gain(&paper(p, s, "VOQnet")))),
        )
        .unit("%", 1)
        .because(ALONE),
    );
    let faster = |p: &str, s: u32| paper(p, s, "HFDI").gain(&paper(p, s, "EcoCC"));
    report.claim(
        Claim::value(
            "4 hotspots: HFDI runs out of queues and EcoCC does not: EcoCC is faster by (the better of beff and ptrans)",
            Tolerance::By(7.0),
            [("", 12.0, Sample::each(&[faster("beff", 3), faster("ptrans", 3)], highest))],
        )
        .published("almost 12 %")
        .unit("%", 1)
        .because(APART),
    );
    let alike = [("beff", 1), ("ptrans", 1), ("beff", 2), ("ptrans", 2)];
    report.claim(
        Claim::bound(
            "alone and with one hotspot EcoCC and HFDI are alike: EcoCC is faster by",
            "at most about 4 %",
            (-6.0, 6.0),
            alike.map(|(p, s)| (format!("{p} {s}"), faster(p, s))),
        )
        .unit("%", 1)
        .because(ALONE),
    );
    Ok(report)
}

/// Why no scheme gains alone.
const ALONE: &str = "alone, in the natural ring and in the pairwise transpose a queue of a switch has packets for one destination at a time, so 1VL and VOQnet take the same time, whatever share of it \
     the program computes (0, 50 and 80 % tried at 64 nodes: alone EcoCC takes 11, 9 and 6 times as long for ptrans, at 256 nodes 4 times, for its CCT is made for 63 contributors and two flows share a link); what slows 1VL down in the real traces, which are not public, is not in them. EcoCC and IB-ITh throttle the transpose where two of its \
     flows share a link, and an index outlasts the burst that raised it";

/// Why hotspots do not matter as mapped in the paper.
const APART: &str = "as mapped in the paper a program takes exactly as long beside hotspots as alone: D-mod-k keeps the program's packets (even destinations) and the hot ones (odd destinations) on links of their own; where they share links \
     (the table's other mapping) the hotspots matter";

fn figures(r: &Results) -> Result<Vec<Figure>> {
    let panels = [(1, "no hotspot"), (2, "1 hotspot"), (3, "4 hotspots")].map(|(s, title)| {
        let bars = SCHEMES.iter().map(|&(scheme, n)| {
            let values = PROGRAMS.map(|p| norm(r, Mapping::Paper, p, s, n).mean());
            Series::bars(n, &values).look(scheme.look)
        });
        Chart {
            title: format!("Scenario {s}: {title}"),
            x: Axis::names("program", &PROGRAMS),
            y: Axis::new("Execution time / 1VL"),
            series: bars.collect(),
            ..Chart::default()
        }
    });
    let title = "E6: execution time of parallel programs".into();
    let subtitle = "normalised to 1VL".into();
    let figure = plot::Figure { title, subtitle, columns: 3, panels: panels.into() };
    Ok(vec![Figure::new("programs", figure.svg())])
}
