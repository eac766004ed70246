use super::*;
use crate::fabric::net::{Host, Link, Rate, Switch};

/// `n` hosts on one switch, 12.8 ns a cycle.
fn star(n: usize) -> Network {
    let host = |h| Host { name: format!("H{}", h + 1), inject: Rate::FULL, sink: Rate::FULL };
    let b = |port| End::Switch { switch: 0, port };
    let link = |h| Link { a: End::Host(h), b: b(h), delay: 1, interval: 1, one_way: false };
    Network {
        name: "star".into(),
        cycle_ps: 12_800,
        switches: vec![Switch {
            name: "S".into(),
            ports: n,
            lft: (0..=n).map(|l| l.wrapping_sub(1) as u8).collect(),
        }],
        hosts: (0..n).map(host).collect(),
        links: (0..n).map(link).collect(),
    }
}

fn traffic(text: &str, hosts: usize, seed: u64) -> Traffic {
    let spec = TrafficSpec::load(text, hosts).expect("a known traffic");
    Traffic::new(&spec, &star(hosts), 32, seed).expect("a legal traffic")
}

fn parsed(text: &str, hosts: usize) -> Result<Traffic> {
    Traffic::new(&TrafficSpec::parse(text)?, &star(hosts), 32, 1)
}

/// All offers before `end`: (cycle, source, destination, flits).
fn offers(t: &mut Traffic, end: u64) -> Vec<(u64, usize, u32, u8)> {
    let mut all = Vec::new();
    for h in 0..t.next.len() {
        while let Some(at) = t.next_offer(h).filter(|&at| at < end) {
            let o = t.offer(h);
            assert_eq!((t.next_offer(h), t.offer(h)), (Some(at), o), "stable until it is taken");
            all.push((at, h, o.dst, o.len));
            t.take(h, at);
        }
    }
    all
}

/// Flits per cycle of a source.
fn load_of(all: &[(u64, usize, u32, u8)], src: usize, cycles: u64) -> f64 {
    all.iter().filter(|o| o.1 == src).map(|o| f64::from(o.3)).sum::<f64>() / cycles as f64
}

#[test]
fn uniform_reaches_all_others_evenly_at_the_load_asked_for() {
    for arrival in ["periodic", "bernoulli"] {
        let mut t = traffic(&format!("uniform(0.6, {arrival})"), 16, 7);
        let all = offers(&mut t, 400_000);
        let mut to = [0u32; 16];
        for src in 0..16 {
            let load = load_of(&all, src, 400_000);
            assert!(
                (load - 0.6).abs() < if arrival == "periodic" { 0.001 } else { 0.04 },
                "{arrival}: {load}"
            );
        }
        for (_, src, dst, len) in &all {
            assert!(*src as u32 != *dst && *len == 32);
            to[*dst as usize] += 1;
        }
        let mean = all.len() as f64 / 16.0;
        assert!(to.iter().all(|&n| (f64::from(n) / mean - 1.0).abs() < 0.1), "{to:?}");
    }
}

#[test]
fn at_most_one_offer_per_host_and_cycle() {
    let text = "name = 'x'\n[[group]]\nname='a'\nsources='0'\nto='uniform'\nload=0.5\nmessage=1\n\
                [[group]]\nname='b'\nsources='0'\nto='3'\nload=0.5\nmessage=1\narrival='bernoulli'\n";
    let mut t = parsed(text, 4).expect("legal");
    let all = offers(&mut t, 10_000);
    assert!(all.windows(2).all(|w| w[0].0 < w[1].0), "one offer in a cycle");
    assert!((load_of(&all, 0, 10_000) - 1.0).abs() < 0.05);
    assert!(all.iter().filter(|o| o.2 == 3).count() > 4500);
}

#[test]
fn the_same_seed_gives_the_same_packets_in_any_order_of_processing() {
    let mut a = traffic("hotspot", 64, 3);
    let mut b = traffic("hotspot", 64, 3);
    let mut from_a = offers(&mut a, 5000);
    let mut from_b = Vec::new();
    for cycle in 0..5000 {
        for h in (0..64).rev() {
            if b.next_offer(h) == Some(cycle) {
                from_b.push((cycle, h, b.offer(h).dst, b.offer(h).len));
                match (cycle + h as u64) % 3 {
                    0 => b.refuse(h, cycle),
                    _ => b.take(h, cycle),
                }
            }
        }
    }
    from_a.sort_unstable();
    from_b.sort_unstable();
    assert_eq!(from_a, from_b);
    assert!(b.refused() > 0);
    assert_ne!(offers(&mut traffic("hotspot", 64, 4), 5000), offers(&mut traffic("hotspot", 64, 3), 5000));
}

#[test]
fn the_bench_hotspot_is_as_described() {
    for (_, s, dst, _) in offers(&mut traffic("hotspot", 64, 1), 3000) {
        if s % 4 == 1 {
            assert_eq!(dst as usize, ((s / 4) % 4) * 16);
        }
    }
    let t = traffic("hotspot", 64, 1);
    assert_eq!((t.groups()[0].1.len(), t.groups()[1].1.len()), (16, 48));
}

#[test]
fn onset_traffics_have_their_shares_roots_and_times() {
    let cycles = |ms: f64| Time::ms(ms).cycles(12_800);
    for (name, hot, roots) in
        [("ecocc1", 8, 1), ("ecocc2", 16, 4), ("ecocc3", 24, 6), ("ccfit4(6, spread)", 16, 6)]
    {
        let mut t = traffic(name, 64, 11);
        let spots = t.hotspots("hot", 0).expect("the list");
        assert_eq!((spots.len(), t.roles()[0].1.len()), (roots, hot), "{name}");
        let is_hot: Vec<usize> = t.roles()[0].1.iter().map(|&h| h as usize).collect();
        let mut reached = std::collections::BTreeSet::new();
        for (at, src, dst, _) in offers(&mut t, cycles(3.0)) {
            if is_hot.contains(&src) {
                assert!((cycles(1.0)..cycles(2.0)).contains(&at) && spots.contains(&dst), "{name}");
                reached.insert(dst);
            }
        }
        assert_eq!(reached.len(), roots, "{name}");
    }
}

#[test]
fn windy_nodes_send_p_per_cent_to_their_hotspot_in_messages_of_two_packets() {
    let mut t = traffic("windy(100, 40)", 64, 5);
    let spots = t.hotspots("hot", 0).expect("the list");
    assert_eq!(spots.len(), 8);
    let all = offers(&mut t, 300_000);
    let hot = all.iter().filter(|o| spots.contains(&o.2)).count() as f64 / all.len() as f64;
    let expected = 0.4 + 0.6 * 8.0 / 63.0;
    assert!((hot - expected).abs() < 0.02, "{hot} instead of {expected}");
    assert!((load_of(&all, 9, 300_000) - 1.0).abs() < 0.01);
    // One stream alone: the two packets of a message have one destination.
    let mut v = traffic("silent(0, 0)", 64, 5);
    let of_one: Vec<u32> = offers(&mut v, 20_000).iter().filter(|o| o.1 == 9).map(|o| o.2).collect();
    assert!(of_one.chunks_exact(2).all(|m| m[0] == m[1]) && of_one.len() > 500);
}

#[test]
fn moving_hotspots_are_the_same_for_all_in_a_slot_and_change_with_it() {
    let mut t = traffic("moving(life=100us)", 64, 5);
    let life = Time::us(100.0).cycles(12_800);
    let is_c: Vec<usize> = t.roles()[1].1.iter().map(|&h| h as usize).collect();
    assert_eq!(is_c.len(), 51);
    let slots: Vec<Vec<u32>> = (0..10).map(|k| t.hotspots("hot", k * life).expect("the list")).collect();
    assert!(slots.windows(2).all(|w| w[0] != w[1]));
    for (at, src, dst, _) in offers(&mut t, 10 * life) {
        // The second packet of a message may fall into the next slot.
        let slot = |t: u64| &slots[(t / life) as usize];
        if is_c.contains(&src) {
            assert!(slot(at).contains(&dst) || slot(at.saturating_sub(32)).contains(&dst));
        }
    }
}

#[test]
fn a_lone_moving_hotspot_never_sends_to_itself() {
    let text = "name='x'\n[[hotspots]]\nname='h'\ncount=1\nlifetime='500 cycles'\n\
                [[group]]\nname='g'\nsources='all'\nto='hotspots h'\n";
    let mut t = parsed(text, 4).expect("legal");
    let all = offers(&mut t, 20_000);
    assert!(all.iter().all(|o| o.1 as u32 != o.2) && all.len() > 1000);
}

#[test]
fn the_seven_host_traffics_start_one_flow_after_the_other() {
    let mut t = traffic("victim(step=1ms)", 7, 1);
    let starts: Vec<u64> = (0..5).map(|i| Time::ms(f64::from(i)).cycles(12_800)).collect();
    let flows: Vec<(u32, u32)> = t.flows().iter().map(|f| (f.src, f.dst)).collect();
    assert_eq!(flows, [(0, 3), (1, 4), (2, 4), (5, 4), (6, 4)]);
    for (f, start) in flows.iter().zip(starts) {
        let first = t.next_offer(f.0 as usize).expect("it sends");
        assert!((start..start + 32).contains(&first));
    }
    assert_eq!(t.next_offer(3), None);
    assert!(!t.finished());
    t.stop(0);
    assert!(t.finished() && t.next_offer(0).is_none());
}

#[test]
fn every_named_traffic_builds() {
    for n in named::NAMES {
        let t = traffic(n.name, 64, 2);
        assert!((0..64).any(|h| t.next_offer(h).is_some()), "{}", n.name);
    }
}

#[test]
fn rates_follow_the_link_and_the_host_limit() {
    let mut net = star(4);
    net.links[1].interval = 2;
    net.hosts[2].inject = Rate(Rate::FULL.0 / 4);
    let spec =
        TrafficSpec::parse("name='x'\n[[group]]\nname='g'\nsources='all'\nto='uniform'").expect("legal");
    let mut t = Traffic::new(&spec, &net, 32, 1).expect("legal");
    let all = offers(&mut t, 100_000);
    for (src, load) in [(0, 1.0), (1, 0.5), (2, 0.25)] {
        assert!((load_of(&all, src, 100_000) - load).abs() < 0.01);
    }
    let spec = "name='x'\n[[group]]\nname='g'\nsources='all'\nto='uniform'\nload='10 Gbit/s'";
    let mut t = Traffic::new(&TrafficSpec::parse(spec).expect("legal"), &star(4), 32, 1).expect("legal");
    assert!((load_of(&offers(&mut t, 100_000), 0, 100_000) - 0.25).abs() < 0.01);
}

#[test]
fn long_messages_are_cut_into_packets() {
    let text = "name='x'\n[[group]]\nname='g'\nsources='1'\nto='uniform'\nmessage='5000 B'";
    let mut t = parsed(text, 8).expect("legal");
    let all = offers(&mut t, 10_000);
    for m in all.chunks_exact(3) {
        assert_eq!([m[0].3, m[1].3, m[2].3], [32, 32, 15]);
        assert!(m[0].2 == m[1].2 && m[1].2 == m[2].2);
    }
}

#[test]
fn permutations_are_permutations() {
    for p in ["complement", "reverse", "transpose", "shuffle", "shift 5"] {
        let text = format!("name='x'\n[[group]]\nname='g'\nsources='all'\nto='permutation {p}'\nload=0.1");
        let mut t = parsed(&text, 64).expect("legal");
        let pairs: std::collections::BTreeSet<(usize, u32)> =
            offers(&mut t, 2000).iter().map(|o| (o.1, o.2)).collect();
        let dsts: std::collections::BTreeSet<u32> = pairs.iter().map(|p| p.1).collect();
        assert_eq!(pairs.len(), dsts.len(), "{p}: two sources share a destination");
        assert!(pairs.len() >= 56, "{p}: {}", pairs.len());
    }
    assert_eq!(Permutation::Reverse.of(1, 8).expect("2^3"), 4);
    assert_eq!(Permutation::Transpose.of(0b0111, 16).expect("4^2"), 0b1101);
    assert_eq!(Permutation::Shuffle.of(0b100, 8).expect("2^3"), 1);
}

#[test]
fn descriptions_survive_writing_and_reading() {
    for n in named::NAMES {
        let spec = TrafficSpec::load(n.name, 64).expect("known");
        let text = toml::to_string(&spec).expect("it can be written");
        assert_eq!(TrafficSpec::parse(&text).expect("it can be read"), spec, "{text}");
    }
}

#[test]
fn bad_descriptions_are_refused_with_the_reason() {
    let group = |rest: &str| format!("name='x'\n[[group]]\nname='g'\n{rest}");
    for (text, part) in [
        (group("sources='9'\nto='uniform'"), "nodes 0 to 3"),
        (group("sources='Hx'\nto='uniform'"), "neither a host"),
        (group("sources='1'\nto='1'"), "send to itself"),
        (group("sources='1'\nto='uniform'\nload=1.5"), "legal: 0.000001 to 1"),
        (group("sources='1'\nto='uniform'\nload='0%'"), "at most 100 %"),
        (group("sources='1'\nto='uniform'\nstart='2 ms'\nstop='1 ms'"), "stop is not after start"),
        (group("sources='1'\nto='hotspots h'"), "no list of hotspots"),
        (group("sources='role r'\nto='uniform'"), "no role"),
        (group("sources='1'\nto='permutation twist'"), "legal: complement"),
        (group("sources='1'\nto='uniform'\nmessage=0"), "from 1 to"),
        (group("sources='1'\nto='uniform'\nstart='1 day'"), "legal: cycles, ns"),
        (group("sources='1'\nto='uniform'\nspeed=3"), "unknown field"),
        (group("sources='all, not all'\nto='uniform'"), "is empty"),
        ("name='x'".into(), "neither a [[group]] nor a [trace]"),
        ("name='x'\n[trace]\nfile='a'\ntext='b'".into(), "exactly one of file"),
        ("name='x'\n[trace]\nprogram='beff(9)'".into(), "9 ranks on 4 nodes"),
    ] {
        let error = format!("{:#}", parsed(&text, 4).expect_err(&text));
        assert!(error.contains(part), "{text}: {error}");
    }
    for (name, part) in
        [("uniform(2, 3, 4)", "too many"), ("uniform(lod=1)", "has no \"lod\""), ("nonsense", "neither")]
    {
        let error = format!("{:#}", TrafficSpec::load(name, 4).expect_err(name));
        assert!(error.contains(part), "{error}");
    }
}

#[test]
#[ignore = "a measurement"]
fn ten_million_packets() {
    let mut t = traffic("uniform", 1024, 1);
    let from = std::time::Instant::now();
    let mut packets = 0;
    for cycle in (0..320_000u64).step_by(32) {
        for h in 0..1024 {
            while t.next_offer(h).is_some_and(|at| at < cycle + 32) {
                packets += u64::from(t.offer(h).len) / 32;
                t.take(h, cycle);
            }
        }
    }
    println!("{packets} packets in {:?}", from.elapsed());
}
