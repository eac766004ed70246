use super::oracle::Oracle;
use super::*;
use crate::config::Origin;
use crate::extent::pick;
use crate::fabric::net::{Host, Link, Switch};
use crate::fabric::topology::by_name;
use crate::fabric::traffic::{Traffic, TrafficSpec};
use crate::scheme::{Isolation, Notification, Organisation, Response, Row, Scheme};
use crate::signals::Group;

/// A small generator of random numbers.
#[derive(Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            r.below(2);
        }
        r
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

/// What hosts offer.
#[derive(Clone, Copy)]
pub(super) enum Offers {
    /// Packets of so many flits.
    Packets(u64, u64),
    /// Messages of up to so many packets of an MTU, the last one shorter.
    Messages { mtu: u64, pkts: u64 },
}

/// Every host offers packets or messages of random lengths to random hosts; some destinations are hot. Independent of the network.
#[derive(Clone)]
pub(super) struct Work {
    seed: u64,
    next: Vec<u64>,
    offers: Vec<Offered>,
    gap: u64,
    hot: Option<usize>,
    what: Offers,
    stop: u64,
}

impl Work {
    pub(super) fn new(hosts: usize, seed: u64, gap: u64, what: Offers, hot: Option<usize>) -> Work {
        let offers = vec![Offered::packet(0, 1, 0); hosts];
        let mut w = Work { seed, next: vec![0; hosts], offers, gap, hot, what, stop: u64::MAX };
        (0..hosts).for_each(|h| w.draw(h, 0));
        w
    }

    fn draw(&mut self, host: usize, from: u64) {
        // Each host has its own sequence, so the order in which hosts are asked does not matter.
        let key =
            (host as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ from.wrapping_mul(0xd134_2543_de82_ef95);
        let mut r = Random::new(self.seed ^ key);
        let hosts = self.next.len() as u64;
        let mut dst = r.below(hosts) as usize;
        if let Some(hot) = self.hot
            && r.below(3) > 0
        {
            dst = hot;
        }
        if dst == host {
            dst = (dst + 1) % hosts as usize;
        }
        self.offers[host] = match self.what {
            Offers::Packets(low, high) => Offered::packet(dst, (low + r.below(high - low + 1)) as u32, from),
            Offers::Messages { mtu, pkts } => {
                let pkts = 1 + r.below(pkts) as u32;
                let last = 1 + r.below(mtu) as u32;
                let len = if pkts == 1 { last } else { mtu as u32 };
                Offered { dst, len, pkts, last, born: from }
            }
        };
        self.next[host] = from + if self.gap == 0 { 0 } else { r.below(2 * self.gap) };
    }
}

impl Workload for Work {
    fn next_offer(&self, host: usize) -> Option<u64> {
        Some(self.next[host]).filter(|&t| t < self.stop)
    }
    fn offer(&self, host: usize) -> Offered {
        self.offers[host]
    }
    fn take(&mut self, host: usize, now: u64) {
        self.draw(host, now + 1);
    }
    fn refuse(&mut self, host: usize, now: u64) {
        self.draw(host, now + 1);
    }
    fn delivered(&mut self, _: usize, _: usize, _: u32, _: u64) {}
    fn stop(&mut self, at: u64) {
        self.stop = at;
    }
}

fn host(name: usize, inject: Rate, sink: Rate) -> Host {
    Host { name: format!("h{name}"), inject, sink }
}

/// `switches` in a row, `per` hosts at each.
pub(super) fn row(switches: usize, per: usize, r: &mut Random) -> Network {
    let hosts = switches * per;
    let rate = |r: &mut Random| [Rate::FULL, Rate::FULL, Rate(40_000), Rate(32_768)][r.below(4) as usize];
    let mut net = Network {
        name: "row".into(),
        cycle_ps: 12_800,
        switches: Vec::new(),
        hosts: (0..hosts).map(|h| host(h, rate(r), rate(r))).collect(),
        links: Vec::new(),
    };
    for s in 0..switches {
        let mut lft = vec![NO_ROUTE; hosts + 1];
        for d in 0..hosts {
            lft[d + 1] = match (d / per).cmp(&s) {
                std::cmp::Ordering::Equal => (d % per) as u8,
                std::cmp::Ordering::Less => per as u8,
                std::cmp::Ordering::Greater => per as u8 + 1,
            };
        }
        net.switches.push(Switch { name: format!("s{s}"), ports: per + 2, lft });
        for p in 0..per {
            let (delay, interval) = (1 + r.below(4) as u32, 1 + (r.below(6) / 3) as u32);
            let (a, b) = (End::Host(s * per + p), End::Switch { switch: s, port: p });
            net.links.push(Link { a, b, delay, interval, one_way: false });
        }
        if s > 0 {
            let (delay, interval) = (1 + r.below(4) as u32, 1 + (r.below(6) / 4) as u32);
            let a = End::Switch { switch: s - 1, port: per + 1 };
            let b = End::Switch { switch: s, port: per };
            net.links.push(Link { a, b, delay, interval, one_way: false });
        }
    }
    net
}

/// Fails with the first word in which fast engine and oracle differ.
fn compare<W: Workload>(f: &Fabric<W>, o: &Oracle<W>, skip: &[&str], what: &str) {
    let switches = o.nodes.len() - f.hosts;
    for (n, node) in o.nodes.iter().enumerate() {
        let mut out = vec![0; node.output.len()];
        let mut state = vec![0; node.state.len()];
        if n < switches {
            f.observe_switch(n, &mut out, &mut state);
        } else {
            f.observe_host(n - switches, &mut out, &mut state);
        }
        for (group, fast, slow) in [(Group::Output, &out, &node.output), (Group::State, &state, &node.state)]
        {
            if fast == slow {
                continue;
            }
            for w in 0..fast.len() {
                let (s, i) = node.layout.owner(group, w).unwrap();
                if fast[w] != slow[w] && !skip.contains(&s.name) {
                    let name =
                        if n < switches { format!("switch {n}") } else { format!("host {}", n - switches) };
                    panic!(
                        "{what}, cycle {}: {name} {}[{i}] is {:#x}, the oracle says {:#x}",
                        f.now(),
                        s.name,
                        fast[w],
                        slow[w]
                    );
                }
            }
        }
    }
}

fn small(scheme: Scheme, hosts: usize, r: &mut Random) -> Config {
    let mut c = Config::new(scheme, hosts);
    c.mtu = 8;
    // A row that has a control lane gets it below.
    let has_control = std::mem::take(&mut c.ctl_vl);
    if has_control {
        (c.vls, c.cct_size) = (1, 128);
    }
    let lanes = c.vls;
    c.blocks = [16, 64, 40][r.below(3) as usize] * lanes;
    c.hca_blocks = [8, 32][r.below(2) as usize] * lanes;
    c.rx_blocks = [8, 24][r.below(2) as usize] * lanes;
    c.advoq = 2;
    c.cnpq = 2;
    c.hth = 6 + r.below(12) as u32;
    c.lth = 2 + r.below(4) as u32;
    c.ccti_timer = 1 + r.below(3) as u32;
    c.fc_interval = [1, 3, 4, 50][r.below(4) as usize];
    c.eval = [0, 0, 1, 2][r.below(4) as usize];
    c.mark_mode = r.below(3) as u32;
    c.marking_rate = r.below(2) as u32;
    c.mark_fraction = 100;
    c.victim_hosts = r.below(2) == 0;
    c.cct_us = Some(0.2);
    c.hpqs = 1 + r.below(2) as usize;
    c.lines = 2 + r.below(4) as usize;
    c.dlist = 1 + r.below(3) as usize;
    c.stop = [0, 8][r.below(2) as usize];
    c.go = [0, 3][r.below(2) as usize];
    c.detect = r.below(12) as u32;
    c.hold = r.below(12) as u32;
    c.line_timer = [20, 100, 1000][r.below(3) as usize];
    c.refresh = [0, 13, if c.line_timer > 50 { 50 } else { 19 }][r.below(3) as usize];
    c.weight = [-1, -1, 14][r.below(3) as usize];
    c.cold_first = r.below(3) == 0;
    c.lft_depth = 32;
    c.flows = 8.max(hosts.next_power_of_two());
    if scheme.response != Response::None {
        c.sls = [1, 1, 3, 4][r.below(4) as usize];
        c.sl_mode = r.below(4) == 0;
        c.timer_per_sl = r.below(3) == 0;
        c.restart = r.below(2) == 0;
        c.ccti_min = [0, 0, 2][r.below(3) as usize];
        c.ccti_increase = [1, 1, 5][r.below(3) as usize];
        c.ccti_limit = [127, 6][r.below(2) as usize];
    }
    if scheme.response == Response::Window {
        c.wmax = 1 + r.below(4) as u32;
        c.dynamic_window = r.below(3) > 0;
        c.law = r.below(5) as u32;
        c.rmin_exp = 2 + r.below(7) as u32;
        c.ws_steps = r.below(5) as u32;
        c.ws_base = 1 + r.below(3) as u32;
        c.rtt_min = [None, Some(1 + r.below(200) as u32)][r.below(2) as usize];
        c.sevmap = [0xaa00, 0x9c9c, 0x5500][r.below(3) as usize];
        c.from_ack = r.below(2) == 0;
        c.pause_unit = r.below(2) as u32;
        c.reset_empty = r.below(2) == 0;
    }
    if scheme.organisation == Organisation::Voq && scheme.isolation == Isolation::None {
        c.sched = r.below(2) as u32;
        c.bypass = [0, 0, 1, 3][r.below(4) as usize];
        // Ages end soon, or never.
        c.stamp_w = [None, Some(8), Some(9)][r.below(3) as usize];
    }
    if scheme.detector.needs_markers() {
        // From what a packet alone is above to what is rarely reached.
        let mut level = |most: u64| [None, Some(r.below(most) as u32)][r.below(3).min(1) as usize];
        (c.mb_th, c.vb_th) = (level(c.cap().into()), level(24));
        c.fill_level = level(c.cap().into());
        c.out_th = r.below(10) as u32;
    }
    if c.sls > 1 && scheme.organisation != Organisation::OneQueue {
        c.vls = 1 + r.below(2) as usize;
        (c.blocks, c.hca_blocks, c.rx_blocks) = (c.blocks * c.vls, c.hca_blocks * c.vls, c.rx_blocks * c.vls);
    }
    if scheme.organisation == Organisation::Voq && scheme.isolation == Isolation::None {
        queues(&mut c, &mut r.clone());
        control(&mut c, has_control, &mut r.clone());
    }
    c.check().unwrap();
    c
}

/// Output queues in half of the cases, from a packet's size on, by draws of their own.
fn queues(c: &mut Config, r: &mut Random) {
    c.cioq = r.below(2) == 0;
    if !c.cioq {
        return;
    }
    c.oblocks = Some([8, 11, 16, 40][r.below(4) as usize] * c.vls);
    c.xb_interval = [1, 1, 2, 3][r.below(4) as usize];
    if !c.scheme.detector.needs_markers() {
        c.eval = [c.eval, 3][r.below(2) as usize];
        c.sum_hth = Some(r.below(20) as u32);
        c.sum_lth = c.sum_hth.map(|high| r.below(u64::from(high) + 1) as u32);
    }
}

/// D6, and a control lane (CL1) where there are replies and no output queues, by draws of their own.
fn control(c: &mut Config, always: bool, r: &mut Random) {
    let _ = (0..7).map(|_| r.below(2)).max();
    c.root_now = c.scheme.marks_by_state() && r.below(2) == 0;
    if c.sum_hth.is_some() && !c.cioq {
        c.sum_hth = Some(r.below(24) as u32);
        c.sum_lth = c.sum_hth.map(|high| r.below(u64::from(high) + 1) as u32);
    }
    if c.tick_cycles.is_some() {
        c.tick_cycles = [None, Some(1 + r.below(100) as u32)][r.below(2) as usize];
    }
    if c.cioq || c.scheme.notification == Notification::None || !always && r.below(3) > 0 {
        return;
    }
    let per = |blocks: usize| blocks / c.vls * (c.vls + 1);
    (c.blocks, c.hca_blocks, c.rx_blocks) = (per(c.blocks), per(c.hca_blocks), per(c.rx_blocks));
    (c.vls, c.ctl_vl) = (c.vls + 1, true);
}

/// A network, its configuration and traffic, and what they are.
fn case(scheme: Scheme, seed: u64) -> (Network, Config, Work, String) {
    let mut r = Random::new(seed + 1);
    let (switches, per) = [(1, 3), (2, 2), (3, 2), (2, 3)][r.below(4) as usize];
    let net = row(switches, per, &mut r);
    let hosts = net.hosts.len();
    let mut c = small(scheme, hosts, &mut r);
    let mut net = net;
    if c.cioq {
        // Slow links, which speedup is for; those of the adapters' hosts keep up.
        let mut own = r.clone();
        let times = [1, 2, 4][own.below(3) as usize];
        net.links.iter_mut().for_each(|l| l.interval *= times);
        let fastest = net.links.iter().map(|l| l.interval).min().unwrap_or(1);
        c.rd_interval = [1, fastest][own.below(2) as usize];
    }
    let gap = [0, 3, 10, 40][r.below(4) as usize];
    let lengths = [(1, 1), (1, 8), (8, 8), (5, 8)][r.below(4) as usize];
    let hot = (r.below(2) == 0).then_some(0);
    let work = Work::new(hosts, Random::new(seed + 77).0, gap, Offers::Packets(lengths.0, lengths.1), hot);
    let what = format!("{} seed {seed}: {switches}x{per} gap {gap} lengths {lengths:?} {c:?}", scheme.name);
    (net, c, work, what)
}

fn run(scheme: Scheme, seed: u64, cycles: u64) {
    let (net, c, work, what) = case(scheme, seed);
    follow(&net, &c, work, &what, cycles);
}

fn follow(net: &Network, c: &Config, work: Work, what: &str, cycles: u64) {
    follow_two(net, c, [work.clone(), work], what, cycles);
}

fn follow_two<W: Workload>(net: &Network, c: &Config, works: [W; 2], what: &str, cycles: u64) {
    // An index comes down from its limit within 127 periods of 240 cycles.
    let drained = 40_000 + 500 * (c.fc_interval as usize * c.vls) as u64;
    let fast = follow_until(net, c, works, what, cycles, drained);
    // With room for all ACKs each packet's came back.
    let out: usize = fast.core.hosts.iter().map(|h| h.source.out().count()).sum();
    let lost: u64 = fast.core.hosts.iter().map(|h| h.cnt_ack_lost).sum();
    assert!(out == 0 && lost == 0, "{what}: {out} flows wait for ACKs, {lost} were lost");
}

/// The same in so many cycles; then the traffic stops, and after `drained` more nothing is left.
pub(super) fn follow_until<W: Workload>(
    net: &Network,
    c: &Config,
    [a, b]: [W; 2],
    what: &str,
    cycles: u64,
    drained: u64,
) -> Fabric<W> {
    let mut oracle = Oracle::new(net, c, a);
    let mut fast = Fabric::new(net, c, b).unwrap();
    // If only this makes a case pass, a wake-up is missing.
    fast.wakeful = std::env::var("WAKEFUL").is_ok();
    for _ in 0..cycles {
        compare(&fast, &oracle, &[], what);
        fast.run_until(fast.now() + 1, &mut ());
        oracle.clock();
    }
    fast.stop_traffic();
    fast.run_until(fast.now() + drained, &mut ());
    assert!(fast.idle(), "{what}: {} packets left", fast.in_flight());
    assert!(fast.flit_hops() > 0);
    fast
}

/// Every scheme that is of a kind.
fn runs(kind: impl Fn(&Row) -> bool) {
    let schemes = Scheme::ALL.into_iter().filter(|s| !s.reserves() && kind(s));
    assert!(schemes.flat_map(|s| (0..12).map(move |seed| run(s, seed, 600))).count() > 0);
}

#[test]
fn one_queue_is_the_oracle() {
    runs(|s| s.organisation == Organisation::OneQueue && s.isolation == Isolation::None);
}

#[test]
fn voqs_are_the_oracle() {
    runs(|s| s.organisation == Organisation::Voq && s.isolation == Isolation::None);
}

#[test]
fn lanes_by_destination_are_the_oracle() {
    runs(|s| s.organisation == Organisation::LanePerDest);
}

#[test]
fn isolation_is_the_oracle() {
    runs(|s| s.organisation == Organisation::Voq && s.isolation == Isolation::Lines);
}

#[test]
fn isolation_with_one_read_port_is_the_oracle() {
    runs(|s| s.organisation == Organisation::OneQueue && s.isolation == Isolation::Lines);
}

/// Two hosts at one switch, each direction of their links at a port of its own.
pub(super) fn split() -> Network {
    let mut net = Network {
        name: "split".into(),
        cycle_ps: 12_800,
        switches: vec![Switch { name: "s".into(), ports: 4, lft: vec![NO_ROUTE, 2, 3] }],
        hosts: (0..2).map(|h| host(h, Rate::FULL, Rate::FULL)).collect(),
        links: Vec::new(),
    };
    for h in 0..2 {
        let (a, b) = (End::Host(h), End::Switch { switch: 0, port: h });
        net.links.push(Link { a, b, delay: 1, interval: 1, one_way: true });
        let (a, b) = (End::Switch { switch: 0, port: 2 + h }, End::Host(h));
        net.links.push(Link { a, b, delay: 1, interval: 1, one_way: true });
    }
    net.check().unwrap();
    net
}

/// Meshes and one-way networks, where what comes in by a port may go out by it.
#[test]
fn other_networks_are_the_oracle() {
    let mut nets = vec![split()];
    nets.extend(["mesh:2x2", "umin:2:2:butterfly", "umin:2:2:shuffle"].map(|name| by_name(name).unwrap()));
    for scheme in Scheme::ALL.into_iter().filter(|s| !s.reserves()) {
        for (seed, net) in nets.iter().enumerate() {
            let mut r = Random::new(seed as u64 + 31);
            let mut net = net.clone();
            for l in &mut net.links {
                (l.delay, l.interval) = (1 + r.below(4) as u32, 1 + (r.below(6) / 4) as u32);
            }
            let c = small(scheme, net.hosts.len(), &mut r);
            let gap = [0, 10][r.below(2) as usize];
            let work =
                Work::new(net.hosts.len(), Random::new(seed as u64).0, gap, Offers::Packets(1, 8), Some(0));
            let what = format!("{} {}: gap {gap} {c:?}", scheme.name, net.name);
            follow(&net, &c, work, &what, 500);
        }
    }
}

/// What only files say: tables of relative delays, SLs flow by flow, masks of ports, thresholds of sums, choices that are off.
#[test]
fn settings_of_files_are_the_oracle() {
    let table = "[\"0:0\", \"3:3\", \"2:5\", \"1:1\", \"0:2\", \"0:9\"]";
    let changes: [&[(&str, &str)]; 4] = [
        &[
            ("cct", table),
            ("ccti_limit", "5"),
            ("ccti_min", "0"),
            ("victim_mask", "[1, 3]"),
            ("victim_hosts", "false"),
        ],
        &[
            ("cct", "[0, 0.3, 1.5]"),
            ("ccti_limit", "2"),
            ("ccti_min", "1"),
            ("cct_relative", "true"),
            ("flow_sl", "[0, 3, 1]"),
        ],
        &[("eval", "sum"), ("sum_hth", "5"), ("sum_lth", "3"), ("cct", "i*3/10"), ("marking_rate", "0")],
        &[("marking", "false"), ("throttling", "false")],
    ];
    for scheme in Scheme::ALL.into_iter().filter(|s| !s.reserves() && s.response != Response::None) {
        for (seed, change) in (0..8).zip(changes.iter().cycle()) {
            let (net, mut c, work, what) = case(scheme, seed);
            c.change(change, &Origin::Study).unwrap_or_else(|e| panic!("{what}: {e}"));
            follow(&net, &c, work, &format!("{what} {change:?}"), 600);
        }
    }
}

/// Readings of the papers, one by one and together.
fn readings(c: &mut Config, which: usize, r: &mut Random) {
    let has = |i: usize| which == i || which == 6;
    c.advoq = [2, 4][r.below(2) as usize];
    if has(0) {
        c.cnp_priority = 1 + r.below(2) as u32;
    }
    if has(1) {
        c.becn_per = 1 << (1 + r.below(4));
    }
    if has(2) {
        c.release = 1;
    }
    if has(3) {
        c.root_queue = true;
    }
    if has(4) {
        c.inject = 1 + r.below(4) as u32;
    }
    if has(5) {
        c.cnp_queued = true;
    }
    c.check().unwrap();
}

fn run_reading(scheme: Scheme, which: usize, seed: u64, cycles: u64) {
    let (net, mut c, work, _) = case(scheme, seed);
    readings(&mut c, which, &mut Random::new(seed + 5));
    let what = format!("{} reading {which} seed {seed}: {c:?}", scheme.name);
    follow(&net, &c, work, &what, cycles);
}

#[test]
fn readings_are_the_oracle() {
    for scheme in Scheme::ALL.into_iter().filter(|s| !s.reserves()) {
        let tells = scheme.response != Response::None;
        let acts = !scheme.does_nothing();
        let fills = scheme.organisation == Organisation::Voq && scheme.isolation == Isolation::Lines;
        for which in 0..7 {
            let matters = [tells, tells, acts, fills, true, tells, true][which];
            let seeds = if matters { 0..pick(3, 8) } else { 0..1 };
            seeds.for_each(|seed| run_reading(scheme, which, 100 * which as u64 + seed, 600));
        }
    }
}

/// A host that has nothing to send until late: its indices come up to their minimum all the same.
#[test]
fn a_late_host_is_the_oracle() {
    run_reading(Scheme::Ith, 5, 2009, 200);
}

/// More of the same, by hand: `SCHEME=ith WHICH=6 FROM=100 TO=200 CYCLES=3000`.
#[test]
#[ignore]
fn sweep_readings() {
    let get = |name: &str, or: &str| std::env::var(name).unwrap_or(or.into());
    let number = |name, or: &str| get(name, or).parse::<u64>().unwrap();
    for seed in number("FROM", "0")..number("TO", "100") {
        for scheme in Scheme::ALL.into_iter().filter(|s| !s.reserves()) {
            if get("SCHEME", &Scheme::NAMES.join(",")).split(',').any(|n| n == scheme.name) {
                run_reading(scheme, number("WHICH", "6") as usize, seed, number("CYCLES", "1000"));
            }
        }
    }
}

/// More of the same, by hand: `SCHEME=ith FROM=100 TO=200 CYCLES=3000`.
#[test]
#[ignore]
fn sweep() {
    let get = |name: &str, or: &str| std::env::var(name).unwrap_or(or.into());
    let number = |name, or: &str| get(name, or).parse::<u64>().unwrap();
    let cycles = number("CYCLES", "1000");
    for seed in number("FROM", "0")..number("TO", "100") {
        for scheme in Scheme::ALL.into_iter().filter(|s| !s.reserves()) {
            if get("SCHEME", &Scheme::NAMES.join(",")).split(',').any(|n| n == scheme.name) {
                run(scheme, seed, cycles);
            }
        }
    }
}

/// What waits at the hosts is offered in the same cycle, whatever decides when a queue has room.
#[test]
fn packets_that_wait_at_hosts_are_the_oracle() {
    const TEXT: &str = "name='x'
        [[group]]\nname='hot'\nsources='all, not 0'\nto='0'\nload=0.5\nmessage='7 flits'\npackets=20\nbacklog=true
        [[group]]\nname='all'\nsources='all'\nto='uniform'\nload=0.3\narrival='bernoulli'\nmessage='9 flits'\nbacklog=true
        [[group]]\nname='drops'\nsources='1'\nto='0'\nload=0.3";
    for scheme in [Scheme::OneQueue, Scheme::Ith, Scheme::Mvcm, Scheme::SantosInput, Scheme::EcoCc] {
        for seed in 0..pick(4, 12) {
            let (net, mut c, _, _) = case(scheme, 900 + seed);
            // All of a kind, places of a window, CNPs in the queues, both.
            let which = [0, 4, 5, 6][seed as usize % 4];
            readings(&mut c, which, &mut Random::new(seed + 9));
            let what = format!("{} reading {which} seed {seed}: {c:?}", scheme.name);
            let spec = TrafficSpec::parse(TEXT).unwrap();
            let traffic = || Traffic::new(&spec, &net, c.mtu, seed).unwrap();
            follow_two(&net, &c, [traffic(), traffic()], &what, 900);
            let mut end = Fabric::new(&net, &c, traffic()).unwrap();
            end.run_until(900, &mut ());
            assert!(end.workload().waiting() > 0, "{what}: nothing waits");
        }
    }
}

/// Hosts 0 to 2 have packets for host 3 all the time, host 0 has some for host 4 as well.
#[derive(Clone)]
struct Contended {
    next: [usize; 3],
    got: [[u64; 5]; 5],
}

impl Workload for Contended {
    fn next_offer(&self, host: usize) -> Option<u64> {
        (host < 3).then_some(0)
    }
    fn offer(&self, host: usize) -> Offered {
        Offered::packet(self.next[host], 8, 0)
    }
    fn take(&mut self, host: usize, _: u64) {
        self.refuse(host, 0);
    }
    fn refuse(&mut self, host: usize, _: u64) {
        self.next[host] = if host == 0 { 7 - self.next[0] } else { 3 };
    }
    fn delivered(&mut self, src: usize, dst: usize, _: u32, _: u64) {
        self.got[src][dst] += 1;
    }
    fn stop(&mut self, _: u64) {}
}

/// Packets delivered: in all, and marked.
#[derive(Default)]
struct Marked(u64, u64);

impl Observer for Marked {
    fn delivered(&mut self, packet: &Delivered, _: u64) {
        self.0 += 1;
        self.1 += u64::from(packet.fecn);
    }
}

/// What levels and counts of packets find is told to the hosts, and not of every packet.
#[test]
fn detectors_of_packets_mark_some() {
    for scheme in Scheme::ALL.into_iter().filter(|s| s.detector.needs_markers()) {
        let net = row(1, 5, &mut Random::new(1));
        let mut c = Config::new(scheme, 5);
        (c.mtu, c.blocks, c.hca_blocks, c.rx_blocks, c.lft_depth, c.flows) = (8, 32, 64, 64, 32, 8);
        (c.mb_th, c.vb_th, c.fill_level, c.out_th) = (Some(8), Some(16), Some(8), 2);
        c.check().unwrap();
        let mut f = Fabric::new(&net, &c, Contended { next: [3; 3], got: [[0; 5]; 5] }).unwrap();
        let mut marked = Marked::default();
        f.run_until(20_000, &mut marked);
        let Marked(all, some) = marked;
        assert!(some >= 10 && some < all, "{}: {some} of {all} packets marked", scheme.name);
    }
}

/// A cold flow keeps the read port of input 0 busy; output 3 gives the input its turns all the same (A3).
#[test]
fn a_busy_read_port_does_not_lose_its_turns() {
    let mut r = Random::new(1);
    let kind = |s: &Scheme| s.organisation == Organisation::OneQueue && s.isolation == Isolation::Lines;
    for scheme in Scheme::ALL.into_iter().filter(|s| !s.reserves() && kind(s)) {
        let mut net = row(1, 5, &mut r);
        net.hosts.iter_mut().for_each(|h| (h.inject, h.sink) = (Rate::FULL, Rate::FULL));
        net.links.iter_mut().for_each(|l| (l.delay, l.interval) = (2, 1));
        let mut c = Config::new(scheme, 5);
        (c.mtu, c.blocks, c.hca_blocks, c.rx_blocks) = (8, 512, 256, 64);
        (c.hth, c.lth, c.detect, c.hold, c.hpqs, c.lines) = (24, 8, 8, 0, 2, 4);
        (c.lft_depth, c.flows) = (32, 8);
        c.check().unwrap();
        let mut f = Fabric::new(&net, &c, Contended { next: [3; 3], got: [[0; 5]; 5] }).unwrap();
        f.run_until(40_000, &mut ());
        let got = f.workload().got;
        let hot = [got[0][3], got[1][3], got[2][3]];
        if scheme.response == Response::None {
            // Of 5000 packet times of output 3, all are used and each input has a third; input 0 has the rest for host 4.
            assert!(hot.iter().all(|n| (1640..=1680).contains(n)), "{hot:?}");
            assert!(got[0][4] > 3200, "{got:?}");
        } else {
            // Throttled; nobody starves.
            assert!(hot.iter().all(|&n| n > 300), "{hot:?}");
        }
    }
}

/// Host 0 sends a packet to the last host every so many cycles.
#[derive(Clone)]
struct OneAtATime {
    next: u64,
    every: u64,
    to: usize,
    len: u32,
}

impl Workload for OneAtATime {
    fn next_offer(&self, host: usize) -> Option<u64> {
        (host == 0).then_some(self.next)
    }
    fn offer(&self, _: usize) -> Offered {
        Offered::packet(self.to, self.len, self.next)
    }
    fn take(&mut self, _: usize, _: u64) {
        self.next += self.every;
    }
    fn refuse(&mut self, _: usize, _: u64) {
        panic!("there is room for one packet");
    }
    fn delivered(&mut self, _: usize, _: usize, _: u32, _: u64) {}
    fn stop(&mut self, _: u64) {}
}

/// VR6: the round trip that settings have by themselves is that of a packet which is alone, whatever the pace of links and crossbar.
#[test]
fn the_round_trip_is_that_of_a_packet_alone() {
    let slow = [("mtu", "17"), ("rd_interval", "14")];
    let queues = [("mtu", "17"), ("rd_interval", "14"), ("cioq", "true"), ("xb_interval", "7")];
    let cases: [(&str, &[(&str, &str)]); 7] = [
        ("star:4", &[]),
        ("kary-ntree:2:3", &[("mtu", "8")]),
        ("min:2:3", &slow),
        ("min:2:3", &[("mtu", "17")]),
        ("min:2:3", &queues),
        ("min:2:3", &[("mtu", "5"), ("rd_interval", "14"), ("cioq", "true"), ("xb_interval", "7")]),
        ("two-switch", &[("mtu", "16")]),
    ];
    for (network, set) in cases {
        let net = by_name(network).unwrap();
        let hosts = net.hosts.len();
        let mut c = Config::new(Scheme::Mvcm, hosts);
        c.change(set, &Origin::Study).unwrap();
        c.check().unwrap();
        let computed = crate::fabric::setup::rtt_min(&net, &c);
        // Of another length than slots, so that a packet comes in every phase of them.
        let every = u64::from(2 * computed + 1).next_multiple_of(30) + 1;
        let work = OneAtATime { next: 0, every, to: hosts - 1, len: c.mtu as u32 };
        let mut f = Fabric::new(&net, &c, work).unwrap();
        let mut outstanding = 0;
        for t in 0..30 * every {
            f.run_until(t + 1, &mut ());
            outstanding += f.gauge().windowed.packets;
        }
        let measured = outstanding as f64 / 30.0;
        let ratio = measured / f64::from(computed);
        assert!((0.93..1.07).contains(&ratio), "{network} {set:?}: {measured} cycles, computed {computed}");
    }
}
