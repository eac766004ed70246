//! Networks with reservation against golden units.

use crate::config::Config;
use crate::extent::pick;
use crate::fabric::event::srp::engine::Counts;
use crate::fabric::event::tests::{Offers, Random, Work, follow_until, row, split};
use crate::fabric::event::workload::Fabric;
use crate::fabric::net::{Network, Rate};
use crate::fabric::topology::by_name;
use crate::scheme::Scheme;

/// Messages of up to so many packets.
fn messages(mtu: u64, pkts: u64) -> Offers {
    Offers::Messages { mtu, pkts }
}

fn small(hosts: usize, r: &mut Random) -> Config {
    let mut c = Config::new(Scheme::Srp, hosts);
    c.mtu = [1, 2, 8, 8][r.below(4) as usize];
    let data = [1, 1, 2, 3][r.below(4) as usize];
    c.vls = data + 3;
    c.sls = data;
    c.data_blocks = [8, 16, 40][r.below(3) as usize];
    c.spec_blocks = [8, 20, 40][r.below(3) as usize];
    c.ctl_blocks = [2, 4, 16][r.below(3) as usize];
    c.hca_blocks = [8, 16, 32][r.below(3) as usize] * (data + 1);
    c.rx_blocks = [8, 12, 24][r.below(3) as usize] * (data + 1);
    c.lft_depth = 32;
    c.flows = 8.max(hosts.next_power_of_two());
    (c.nmax, c.now_w) = [(1, 12), (3, 13), (4, 16), (16, 20), (2, 32)][r.below(5) as usize];
    c.nmin = [0, 1, 2, 4][r.below(4) as usize];
    c.msgq = [2, 4][r.below(2) as usize];
    c.repq = [2, 4, 16][r.below(3) as usize];
    c.eps = [0, 3277, 65_535][r.below(3) as usize];
    c.srp_en = r.below(8) > 0;
    c.rtt_comp = r.below(3) > 0;
    c.spec_off = r.below(5) == 0;
    c.drop_en = r.below(5) > 0;
    c.ttw = [0, 2, 5, 12, 40, 203][r.below(6) as usize];
    c.fc_interval = [1, 2, 4, 9][r.below(4) as usize];
    c.hth = 6 + r.below(12) as u32;
    c.lth = 2 + r.below(4) as u32;
    c.release = r.below(2) as u32;
    c.check().unwrap();
    c
}

fn case(seed: u64) -> (Network, Config, Work, String) {
    let mut r = Random::new(seed + 1);
    let (switches, per) = [(1, 3), (2, 2), (3, 2), (2, 3)][r.below(4) as usize];
    let net = row(switches, per, &mut r);
    let hosts = net.hosts.len();
    let c = small(hosts, &mut r);
    let gap = [0, 20, 60, 300][r.below(4) as usize];
    let pkts = [1, 4, 9, 20][r.below(4) as usize];
    let hot = (r.below(2) == 0).then_some(0);
    let posts = Work::new(hosts, seed + 77, gap, messages(c.mtu as u64, pkts), hot);
    let what = format!("srp seed {seed}: {switches}x{per} gap {gap} packets {pkts} hot {hot:?} {c:?}");
    (net, c, posts, what)
}

/// What happened to the sources of a network, and how many packets its switches dropped.
fn happened(f: &Fabric<Work>) -> [u64; 10] {
    let mut all = [0; 10];
    for a in f.core.hosts.iter().filter_map(|h| h.srp.as_ref()) {
        let Counts { spec, granted, bypass, res, grant, ack, nack, stale, wasted } = a.engine.counts;
        let of = [spec, granted, bypass, res, grant, ack, nack, stale, wasted];
        all.iter_mut().zip(of).for_each(|(sum, n)| *sum += n);
    }
    all[9] = f.core.inputs.iter().filter_map(|i| i.spec.as_ref()).map(|s| u64::from(s.drops)).sum();
    all
}

fn run(seed: u64, cycles: u64) -> [u64; 10] {
    let (net, c, posts, what) = case(seed);
    let fast = follow_until(&net, &c, [posts.clone(), posts], &what, cycles, 200_000);
    let all = happened(&fast);
    // Each speculative packet was answered once, each RES granted.
    let [spec, _, _, res, grant, ack, nack, stale, _, drops] = all;
    assert!(stale == 0 && spec == ack + nack && nack == drops && res == grant, "{what}: {all:?}");
    all
}

#[test]
fn reservation_is_the_oracle() {
    let mut all = [0; 10];
    for seed in 0..pick(24, 60) {
        all.iter_mut().zip(run(seed, 900)).for_each(|(sum, n)| *sum += n);
    }
    // All but replies that come for nothing.
    assert!(all.iter().enumerate().all(|(i, n)| *n > 5 || i == 7), "{all:?}");
}

/// Chunks that are done before their time ask again, until the time that is granted is as far ahead as times go.
#[test]
fn times_far_ahead_are_the_oracle() {
    let mut r = Random::new(3);
    let mut net = row(1, 5, &mut r);
    net.links.iter_mut().for_each(|l| (l.delay, l.interval) = (1, 1));
    net.hosts.iter_mut().for_each(|h| (h.inject, h.sink) = (Rate::FULL, Rate(32_768)));
    let mut c = small(5, &mut r);
    (c.mtu, c.vls, c.sls, c.nmax, c.nmin, c.now_w, c.eps) = (8, 4, 1, 1, 0, 12, 65_535);
    (c.data_blocks, c.spec_blocks, c.ctl_blocks, c.hca_blocks, c.rx_blocks) = (40, 40, 4, 64, 64);
    (c.srp_en, c.spec_off, c.ttw, c.repq) = (true, false, 203, 16);
    c.check().unwrap();
    let posts = Work::new(5, 5, 0, messages(8, 20), Some(0));
    follow_until(&net, &c, [posts.clone(), posts.clone()], "far", 6000, 200_000);
    let mut fast = Fabric::new(&net, &c, posts).unwrap();
    fast.run_until(6000, &mut ());
    let ahead = fast.core.hosts.iter().filter_map(|h| h.srp.as_ref()).map(|a| a.destination.busy_until);
    let most = ahead.map(|until| until.saturating_sub(fast.t)).max().unwrap();
    assert!(most > 2048 - 40, "{most} cycles ahead");
}

/// Credits are owed to a packet that expires meanwhile: packets of all lengths, a host that takes little, buffers of one packet.
#[test]
fn credits_owed_to_what_expires_are_the_oracle() {
    for seed in 0..pick(8, 30) {
        let mut r = Random::new(seed);
        let mut net = row(1, 5, &mut r);
        net.links.iter_mut().for_each(|l| (l.delay, l.interval) = (1 + r.below(12) as u32, 1));
        net.hosts.iter_mut().for_each(|h| (h.inject, h.sink) = (Rate::FULL, Rate(16_384)));
        let mut c = small(5, &mut r);
        (c.mtu, c.vls, c.sls, c.nmin, c.now_w, c.nmax) = (8, 4, 1, 0, 16, 4);
        (c.data_blocks, c.spec_blocks, c.ctl_blocks, c.hca_blocks, c.rx_blocks) = (40, 40, 16, 64, 16);
        (c.srp_en, c.spec_off, c.drop_en, c.ttw) = (true, false, true, [5, 15, 30, 60][seed as usize % 4]);
        c.check().unwrap();
        let posts = Work::new(5, seed, [0, 40][r.below(2) as usize], messages(8, 1), Some(0));
        follow_until(&net, &c, [posts.clone(), posts], &format!("owed {seed}: {c:?}"), 1500, 200_000);
    }
}

/// From an inner switch of a one-way network nothing leads back to a source.
#[test]
fn a_network_without_a_way_back_is_refused() {
    let net = by_name("umin:2:2:butterfly").unwrap();
    let posts = Work::new(net.hosts.len(), 1, 20, messages(8, 9), None);
    let c = Config::new(Scheme::Srp, net.hosts.len());
    let Err(why) = Fabric::new(&net, &c, posts) else { panic!("it is taken") };
    assert!(why.to_string().contains("no way to host"), "{why}");
}

/// A mesh, and links that are one-way, where what comes in by a port may go out by it.
#[test]
fn reservation_in_other_networks_is_the_oracle() {
    let nets = [split(), by_name("mesh:2x2").unwrap()];
    for (seed, net) in (31..39).zip(nets.iter().cycle()) {
        let mut r = Random::new(seed);
        let mut net = net.clone();
        for l in &mut net.links {
            (l.delay, l.interval) = (1 + r.below(4) as u32, 1 + (r.below(6) / 4) as u32);
        }
        let c = small(net.hosts.len(), &mut r);
        let posts = Work::new(net.hosts.len(), seed, 20, messages(c.mtu as u64, 9), Some(0));
        let what = format!("srp {}: {c:?}", net.name);
        follow_until(&net, &c, [posts.clone(), posts], &what, 600, 200_000);
    }
}

/// More of the same, by hand: `FROM=100 TO=200 CYCLES=3000`.
#[test]
#[ignore]
fn sweep_reservation() {
    let number = |name, or: u64| std::env::var(name).map_or(or, |v| v.parse().unwrap());
    let cycles = number("CYCLES", 1500);
    for seed in number("FROM", 0)..number("TO", 100) {
        run(seed, cycles);
    }
}
