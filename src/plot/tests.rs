use super::scale::{ends, label, ticks};
use super::*;

fn demo() -> Chart {
    let wave =
        |f: f64| (0..150).map(|i| (f64::from(i) * 0.02, f * (2.0 + (f64::from(i) * 0.1).sin()))).collect();
    Chart {
        title: "Throughput over time, traffic 2".into(),
        subtitle: "4-ary 3-tree, 64 nodes, 40 Gbit/s links, 4 congestion trees in 1-2 ms".into(),
        x: Axis::new("Time (ms)"),
        y: Axis::new("Normalised throughput").range(0.0, 1.0),
        series: ["1VL", "IB-ITh", "HFDI", "EcoCC", "VOQnet"]
            .iter()
            .zip([0.1, 0.15, 0.2, 0.28, 0.3])
            .map(|(name, f)| Series::line(name, wave(f)))
            .collect(),
        marks: vec![(1.0, "hotspots start".into()), (2.0, "stop".into())],
    }
}

fn bars() -> Chart {
    Chart {
        title: "Average gain of EcoCC <published & measured>".into(),
        x: Axis::names("Compared with", &["1VL", "IB-ITh", "HFDI", "VOQnet"]),
        y: Axis::new("Gain (%)"),
        series: vec![
            Series::bars("published", &[58.0, 55.0, 29.0, 0.0]),
            Series::bars("measured", &[61.0, 50.5, 33.0, -2.0]),
        ],
        ..Chart::default()
    }
}

fn latency() -> Chart {
    let line = |f: f64| (1..10).map(|i| (f64::from(i) * 0.1, f * 10f64.powf(f64::from(i) * 0.4))).collect();
    Chart {
        title: "Latency".into(),
        x: Axis::new("Offered load (flits per node and cycle)"),
        y: Axis::new("Packet latency (cycles)").log(),
        series: vec![
            Series::line("mean", line(10.0)),
            Series::line("p99", line(30.0)),
            Series::line("", line(50.0)).style(Style::Points),
            Series::line("ports", line(3.0)).style(Style::Area),
        ],
        ..Chart::default()
    }
}

#[test]
fn the_same_chart_gives_the_same_bytes_and_well_formed_text() {
    let figure = Figure {
        title: "T".into(),
        subtitle: "S".into(),
        columns: 2,
        panels: vec![demo(), bars(), latency()],
    };
    for svg in [demo().svg(), bars().svg(), figure.svg()] {
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
    assert_eq!(figure.svg(), figure.clone().svg());
    assert!(bars().svg().contains("&lt;published &amp; measured&gt;"));
    for text in ["Time (ms)", "Normalised throughput", "IB-ITh", "hotspots start", "traffic 2"] {
        assert!(demo().svg().contains(text), "{text}");
    }
}

#[test]
fn every_series_has_a_look_of_its_own() {
    let svg = demo().svg();
    let lines: std::collections::BTreeSet<&str> =
        svg.lines().filter_map(|l| l.split("fill=\"none\" ").nth(1)).collect();
    assert!(lines.len() >= 5, "{lines:?}");
}

#[test]
fn odd_data_does_no_harm() {
    for points in [
        vec![],
        vec![(1.0, f64::NAN)],
        vec![(2.0, 5.0)],
        vec![(0.0, 0.0), (1.0, 0.0)],
        vec![(1.0, -3.0), (f64::INFINITY, 2.0)],
    ] {
        for log in [false, true] {
            let mut c = Chart { series: vec![Series::line("a", points.clone())], ..Chart::default() };
            c.y.log = log;
            let svg = c.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?} log {log}");
        }
    }
    assert!(
        Figure { title: String::new(), subtitle: String::new(), columns: 0, panels: vec![] }
            .svg()
            .contains("</svg>")
    );
}

#[test]
fn ticks_are_round_numbers() {
    assert_eq!(ends(0.3, 9.7, false, true), (0.0, 10.0));
    assert_eq!(ticks(0.0, 10.0, false, 6.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    let t = ticks(0.0, 1.0, false, 6.0);
    assert_eq!(
        t.iter().map(|&v| label(v, &t, false)).collect::<Vec<_>>(),
        ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    );
    assert_eq!(ticks(1.0, 1000.0, true, 6.0), [1.0, 10.0, 100.0, 1000.0]);
    assert_eq!(label(2e6, &[0.0, 2e6], false), "2 M");
}

/// `PLOT_DEMO=folder cargo test plot::tests::demonstration -- --ignored` writes charts to look at.
#[test]
#[ignore = "writes files to look at"]
fn demonstration() {
    let folder = std::path::PathBuf::from(std::env::var("PLOT_DEMO").expect("PLOT_DEMO names a folder"));
    let figure = Figure {
        title: "EcoCC on 64 nodes".into(),
        subtitle: "Seed 1, golden engine".into(),
        columns: 2,
        panels: vec![demo(), bars(), latency(), demo()],
    };
    for (name, svg) in
        [("line", demo().svg()), ("bar", bars().svg()), ("log", latency().svg()), ("figure", figure.svg())]
    {
        std::fs::write(folder.join(format!("{name}.svg")), svg).expect("it can be written");
    }
}
