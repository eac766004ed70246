//! Runs a small fabric with congestion on the golden engine. `cargo run --release --no-default-features --example fabric`

use anyhow::Result;
use quell::config::Config;
use quell::cosim::engines::{Engine, Job};
use quell::fabric::files;
use quell::fabric::traffic::TrafficSpec;
use quell::scheme::Scheme;

fn main() -> Result<()> {
    for scheme in Scheme::ALL {
        let net = files::open("two-switch")?.net;
        let hosts = net.hosts.len();
        let (config, traffic) = (Config::new(scheme, hosts), TrafficSpec::load("all-to-one", hosts)?);
        let job = Job { net, config, traffic, seed: 1, threads: 1, bin: 100 };
        let mut run = job.run(&[Engine::Model], None)?;
        run.run(20_000)?;
        let totals = run.report().totals;
        println!(
            "{:10} {} of {} packets are delivered",
            scheme.name, totals.delivered_packets, totals.offered_packets
        );
    }
    Ok(())
}
