//! How fast is the golden fabric? Flit-hops per second of one thread: a flit-hop is one flit over one link, injection and
//! ejection included.
//!
//! The workload is the one that public simulators were measured on: 4-ary n-trees, 1-cycle links, one lane, 32-flit packets,
//! 1024-flit input buffers, one queue per input port, from empty for 20 000 / 5 000 / 1 500 cycles at 64 / 256 / 1024 nodes.
//! They choose the way up at random for every packet and then accept 0.60 to 0.66 (uniform, 1.0) and 0.23 to 0.26 (hotspot) at
//! 64 nodes; forwarding tables fix the way by destination, which keeps hot packets on fewer links.
//!
//! The last row is MVCM's own network of 512 hosts with its packets of 17 flits, each of which has an ACK of one flit: few flits
//! for what a packet costs.
//!
//! Networks of wormhole routers are clocked, so they have rows of their own (`-- worm` runs those alone): a mesh 4x4 with 16 lanes of 10 flits,
//! best-effort messages of 40 flits to all others on 14 of them, with admission and without; a flit-hop is the same there.

use quell::config::{Config, Origin};
use quell::fabric::event::{Delivered, Fabric, Observer};
use quell::fabric::topology;
use quell::fabric::traffic::{Traffic, named};
use quell::jobs::Stopwatch;
use quell::scheme::{Organisation, Scheme};
use quell::worm::{self, Engine, Net, Run, Settings};

const ROUNDS: usize = 3;

#[derive(Default)]
struct Flits(u64);

impl Observer for Flits {
    fn delivered(&mut self, p: &Delivered, _: u64) {
        self.0 += u64::from(p.len);
    }
}

/// Settings of the MVCM row: those of the publication's figures.
const MVCM: [(&str, &str); 9] = [
    ("mtu", "17"),
    ("blocks", "64"),
    ("oblocks", "64"),
    ("cioq", "true"),
    ("xb_interval", "7"),
    ("rd_interval", "14"),
    ("mb_th", "42"),
    ("vb_th", "21"),
    ("wmax", "2"),
];

/// Runs a case on a 4-ary n-tree.
fn tree(scheme: Scheme, n: usize, traffic: &str, cycles: u64) {
    case(scheme, &format!("kary-ntree:4:{n}"), &[], traffic, cycles);
}

/// No row is asked for by a word of the command line, or this one is: by a part of one of its names.
fn asked(names: &[&str]) -> bool {
    let mut words = std::env::args().skip(1).filter(|a| !a.starts_with('-')).peekable();
    words.peek().is_none() || words.any(|w| names.iter().any(|name| name.contains(&w)))
}

/// Runs a case; prints its best round, and the flits delivered per node and cycle. Words on the command line (`cargo bench --bench
/// fabric -- min512`) choose the cases that have one of them in the name of network or scheme.
fn case(scheme: Scheme, net: &str, set: &[(&str, &str)], traffic: &str, cycles: u64) {
    if !asked(&[net, scheme.title]) {
        return;
    }
    let net = topology::by_name(net).expect("a network");
    let hosts = net.hosts.len();
    let mut config = Config::new(scheme, hosts);
    config.change(set, &Origin::Option("bench")).expect("legal settings");
    let spec = named::named(traffic, hosts).expect("legal").expect("a named traffic");
    let mut best: Option<(f64, u64, u64)> = None;
    for _ in 0..ROUNDS {
        let work = Traffic::new(&spec, &net, config.mtu, 1).expect("a traffic");
        let mut fabric = Fabric::new(&net, &config, work).expect("a fabric");
        let mut flits = Flits::default();
        let watch = Stopwatch::start();
        fabric.run_until(cycles, &mut flits);
        let time = watch.seconds();
        if best.is_none_or(|b| time < b.0) {
            best = Some((time, fabric.flit_hops(), flits.0));
        }
    }
    let (time, hops, flits) = best.expect("a round");
    let accepted = flits as f64 / (hosts as f64 * cycles as f64);
    println!(
        "{:<12} {hosts:>5} {traffic:<14} {cycles:>7} {:>10} {:>9.4} {:>9.1} {accepted:>9.3}",
        scheme.title,
        hops,
        time,
        hops as f64 / time / 1e6
    );
}

/// Runs a wormhole mesh; prints its best round.
fn wormhole(load: u32, admission: &str, cycles: u64) {
    if !asked(&["worm mesh:4x4"]) {
        return;
    }
    let net = Net::by_name("mesh:4x4").expect("a network");
    let hosts = net.hosts();
    let set = [String::from("be_mask=0x3fff"), format!("admission={admission}")];
    let settings = Settings::of(&set).expect("legal settings");
    let scheme = worm::catalogue::find("yum-none").expect("a scheme");
    let job = worm::Job { net, scheme, settings, seed: 1, threads: 1 };
    let traffic = format!("worm-uniform(load={load}%)");
    let spec = worm::traffic::WormSpec::load(&traffic).expect("a named traffic");
    let mut best: Option<(f64, u64, f64)> = None;
    for _ in 0..ROUNDS {
        let mut run = Run::new(&job, &[Engine::Golden], &|| job.hosts(&spec, false), None).expect("a run");
        let watch = Stopwatch::start();
        run.run(cycles).expect("no fault");
        let time = watch.seconds();
        let report = run.first().hosts().report().expect("no breach");
        if best.is_none_or(|b| time < b.0) {
            let accepted = report.delivered_flits_per_cycle_and_host();
            best = Some((time, run.first().flit_hops(), accepted));
        }
    }
    let (time, hops, accepted) = best.expect("a round");
    let name = format!("worm, A/C {admission}");
    println!(
        "{name:<12} {hosts:>5} uniform({load}%)   {cycles:>7} {hops:>10} {time:>9.4} {:>9.1} {accepted:>9.3}",
        hops as f64 / time / 1e6
    );
}

/// The most memory that the process had, in MiB.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn main() {
    println!("scheme       nodes traffic         cycles  flit-hops   seconds  M hops/s  accepted");
    for (n, cycles) in [(3, 20_000), (4, 5_000), (5, 1_500)] {
        for traffic in ["uniform(0.6)", "uniform(1.0)", "hotspot(1.0)"] {
            tree(Scheme::ALL[0], n, traffic, cycles);
        }
    }
    println!("schemes, with the papers' parameters:");
    let few = |s: &Scheme| s.organisation != Organisation::LanePerDest;
    for scheme in Scheme::ALL.into_iter().skip(1).filter(few) {
        tree(scheme, 3, "uniform(1.0)", 20_000);
        tree(scheme, 3, "hotspot(1.0)", 20_000);
    }
    tree(Scheme::DEFAULT, 5, "hotspot(1.0)", 1_500);
    case(Scheme::Mvcm, "min512", &MVCM, "mvcm(load=45%,len=17,after=0)", 200_000);
    println!("networks of wormhole routers:");
    for admission in ["off", "on"] {
        for load in [30, 80] {
            wormhole(load, admission, 50_000);
        }
    }
    if let Some(mib) = peak() {
        println!("peak memory {mib} MiB");
    }
}
