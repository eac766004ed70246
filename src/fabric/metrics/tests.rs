use super::*;
use crate::fabric::traffic::{NamedFlow, Offer};

fn setup() -> Setup {
    let flow = |name: &str, src, dst| NamedFlow { name: name.into(), src, dst };
    Setup {
        network: "n".into(),
        traffic: "t".into(),
        hosts: 4,
        cycle_ps: 12_800,
        sink: vec![1.0; 4],
        bin: 100,
        flows: vec![flow("F1", 0, 3), flow("F2", 1, 3)],
        senders: vec![("left".into(), vec![0, 1])],
        receivers: vec![("hot".into(), vec![3]), ("not hot".into(), vec![0, 1, 2])],
        nodes: true,
        ages: true,
        messages: false,
        distances: None,
    }
}

fn packet(src: u32, dst: u32, t: u64) -> Delivery {
    Delivery {
        src,
        dst,
        len: 10,
        born: t - 60,
        created: t - 50,
        injected: t - 19,
        t,
        fecn: src == 1,
        warm: src == 2,
        spec: false,
    }
}

/// F1 has 30 flits in each of ten bins, F2 10 in the first five and 30 in the others; one packet 2 -> 1.
fn run() -> Report {
    let mut c = Collector::new(setup());
    for bin in 0..10u64 {
        for k in 0..3 {
            c.delivered(&packet(0, 3, bin * 100 + 60 + k));
        }
        for k in 0..if bin < 5 { 1 } else { 3 } {
            c.delivered(&packet(1, 3, bin * 100 + 80 + k));
        }
    }
    c.delivered(&packet(2, 1, 999));
    let offer = Offer::packet(3, 10, 0);
    c.offered(&offer);
    c.offered(&offer);
    c.refused(&offer);
    c.injected(10);
    c.marked(4);
    c.replies(3, 0);
    c.sample(&Sample {
        t: 100,
        no_free_hpq: 2,
        hpqs_used: 5,
        port_flits: &[10, 30],
        adapter_flits: 7,
        throttled: None,
    });
    c.sample(&Sample {
        t: 200,
        no_free_hpq: 0,
        hpqs_used: 1,
        port_flits: &[20, 0],
        adapter_flits: 9,
        throttled: None,
    });
    c.link("H1 -> S, port 1", 250, 2, 1000);
    c.report(1000)
}

#[test]
fn throughputs_of_network_flows_sets_and_nodes() {
    let r = run();
    let mean = |name: &str| r.mean(r.find(name).expect(name), 0, 1000);
    assert_eq!(mean("network"), 0.51);
    assert_eq!((mean("F1"), mean("F2")), (0.3, 0.2));
    assert_eq!((mean("left"), mean("hot"), mean("not hot"), mean("node 1")), (0.5, 0.5, 0.01, 0.01));
    let f2 = r.find("F2").expect("F2");
    assert_eq!((r.mean(f2, 0, 500), r.mean(f2, 500, 1000), r.mean(f2, 550, 999)), (0.1, 0.3, 0.3));
    assert!((r.mean_gbps(f2, 500, 1000) - 12.0).abs() < 1e-9, "one flit a cycle is 40 Gbit/s");
    assert_eq!(r.normalised, 0.51 / 4.0);
    let points = r.gbps_over_ms(f2);
    assert_eq!(points.len(), 10);
    assert!((points[0].0 - 50.0 * 12.8e-6).abs() < 1e-12 && (points[0].1 - 4.0).abs() < 1e-9);
    assert_eq!(r.received, [0, 10, 0, 500]);
}

#[test]
fn fairness_by_hand() {
    let r = run();
    let f = r.fairness.expect("two flows");
    assert!((f.jain - 0.25 / (2.0 * 0.13)).abs() < 1e-9);
    // The difference is 8 Gbit/s in half of the bins and 0 in the others.
    assert!((f.delta_mean - 4.0).abs() < 1e-9 && (f.v_ar - 16.0).abs() < 1e-9);
    let late = r.fairness_of(&["F1", "F2"], 500, 1000).expect("two flows");
    assert!((late.jain - 1.0).abs() < 1e-12 && late.v_ar < 1e-12);
    assert!(r.fairness_of(&["F1"], 0, 1000).is_none() && r.fairness_of(&[], 0, 1000).is_none());
    assert!(r.fairness_of(&["F1", "F2"], 510, 590).is_none(), "no whole bin");
    assert_eq!((jain(&[1.0, 0.0, 0.0, 0.0]), jain(&[]), jain(&[0.0])), (0.25, 1.0, 1.0));
}

#[test]
fn latencies_counters_samples_and_links() {
    let r = run();
    assert_eq!((r.network_latency.p50, r.network_latency.max, r.network_latency.mean), (20, 20, 20.0));
    assert_eq!((r.total_latency.p999, r.total_latency.packets), (51, 51));
    let t = &r.totals;
    assert_eq!(
        (t.offered_flits, t.refused_packets, t.delivered_packets, t.delivered_marked),
        (20, 1, 51, 20)
    );
    assert_eq!((t.marked, t.cnps, r.samples[0].switch_flits, r.samples[0].fullest_port), (4, 3, 40, 30));
    assert_eq!((r.ports[0].mean, r.ports[0].max, r.ports[1].mean, r.ports[1].max), (15.0, 20, 15.0, 30));
    assert_eq!(r.links[0].used, 0.5);
}

#[test]
fn output_is_complete_and_the_same_every_time() {
    let (a, b) = (run(), run());
    assert_eq!(
        (a.text(), a.json(), a.csv(), a.samples_csv()),
        (b.text(), b.json(), b.csv(), b.samples_csv())
    );
    let json: serde_json::Value = serde_json::from_str(&a.json()).expect("JSON");
    assert_eq!(json["totals"]["delivered_packets"], 51);
    assert_eq!(json["series"][1]["scope"], "flow");
    let csv = a.csv();
    assert_eq!(csv.lines().count(), 11);
    assert!(
        csv.lines().all(|l| l.split(',').count() == csv.lines().next().map_or(0, |h| h.split(',').count()))
    );
    for part in ["0.1275 of capacity", "V_ar 16.000", "F2 ", "links", "2 input ports out of HPQs"] {
        assert!(a.text().contains(part), "{part} in {}", a.text());
    }
}

#[test]
fn a_run_whose_last_bin_is_short() {
    let mut c = Collector::new(setup());
    c.delivered(&packet(0, 3, 60));
    c.delivered(&packet(0, 3, 149));
    let r = c.report(150);
    let f = r.find("F1").expect("F1");
    assert_eq!(f.flits, [10, 10]);
    assert_eq!(r.gbps_over_ms(f)[1].1, 0.2 * 40.0);
    assert_eq!(r.mean(f, 0, 150), 20.0 / 150.0);
    assert_eq!(Collector::new(setup()).report(0).normalised, 0.0);
}

#[test]
fn windows_are_shown_where_there_are_some() {
    use crate::fabric::windowed::Windowed;
    let mut c = Collector::new(setup());
    c.windowed(Windowed::default());
    assert_eq!(c.report(1000).windowed, None);
    let mut w = Windowed::default();
    (0..3).for_each(|_| w.add(1, 2, 0));
    w.add(2, 1, 3);
    c.windowed(w);
    c.windowed(w);
    let r = c.report(1000);
    assert_eq!(r.windowed.unwrap().by_window[..4], [0, 2, 6, 0]);
    let text = r.text();
    assert!(text.contains("windows     1: 25.0 %, 2: 75.0 %\n"), "{text}");
    assert!(text.contains("slots       0: 75.0 %, 3: 25.0 %\n"), "{text}");
}
