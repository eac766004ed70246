use super::*;
use crate::fabric::net::{Host, Link, Rate, Switch};

mod messages;

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
    on(&star(hosts), text, seed)
}

fn on(net: &Network, text: &str, seed: u64) -> Traffic {
    let spec = TrafficSpec::load(text, net.hosts.len()).expect("a known traffic");
    Traffic::new(&spec, net, 32, seed).expect("a legal traffic")
}

fn network(name: &str) -> Network {
    crate::fabric::topology::by_name(name).expect("a known network")
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
        let net = match n.name {
            "santos" => network("santos:10:10"),
            "srp-1" => network("srp-1"),
            _ => star(64),
        };
        let t = on(&net, n.name, 2);
        assert!((0..net.hosts.len()).any(|h| t.next_offer(h).is_some()), "{}", n.name);
    }
}

#[test]
fn santos_starts_local_then_remote_flows_and_has_its_victim_for_a_while() {
    for (net, text, local, remote) in [
        ("santos:10:10", "santos", 10, 10),
        ("santos:5:8", "santos(5, 8)", 5, 8),
        ("santos:10:10", "santos(2, 3)", 2, 3),
    ] {
        let net = network(net);
        let (at, spec) = (|t: Time| t.cycles(net.cycle_ps), TrafficSpec::load(text, 0).expect("known"));
        assert_eq!(spec.run, Some(Time::ms(100.0)));
        let mut t = on(&net, text, 1);
        let node = |name: String| net.hosts.iter().position(|h| h.name == name).expect("a host");
        let all = offers(&mut t, at(Time::ms(61.0)));
        let order = (1..=local).map(|i| format!("B{i}")).chain((1..=remote).map(|i| format!("A{i}")));
        for (i, name) in order.enumerate() {
            let src = node(name.clone());
            let first = all.iter().find(|o| o.1 == src).expect("it sends");
            let start = at(Time::us(100.0)) * i as u64;
            assert!((start..=start + 32 * 15 + 1).contains(&first.0), "{name} starts in {}", first.0);
            // as much as its link carries, to the end
            let flits: u64 = all.iter().filter(|o| o.1 == src).map(|o| u64::from(o.3)).sum();
            assert!((flits * 15).abs_diff(at(Time::ms(61.0)) - start) < 2 * 32 * 15, "{name}");
            assert!(all.iter().all(|o| o.1 != src || o.2 as usize == node("BC".into())));
        }
        let victim: Vec<_> = all.iter().filter(|o| o.1 == node("AV".into())).collect();
        assert!(victim.iter().all(|o| o.2 as usize == node("BV".into())));
        assert!((at(Time::ms(40.0))..at(Time::ms(40.1))).contains(&victim[0].0));
        assert!((at(Time::ms(59.9))..at(Time::ms(60.0))).contains(&victim[victim.len() - 1].0));
        let senders: std::collections::BTreeSet<usize> = all.iter().map(|o| o.1).collect();
        assert_eq!(senders.len(), local + remote + 1);
    }
}

#[test]
fn santos_needs_the_hosts_that_it_names() {
    for (net, text, part) in [
        ("santos:10:10", "santos(11)", "\"B11\" is neither a host of santos:10:10"),
        ("santos:10:5", "santos", "\"A6\" is neither a host"),
        ("star:23", "santos", "\"B1\" is neither a host of star:23"),
        ("santos:10:10", "santos(0)", "l = 0; legal: 1 to 62"),
        ("santos:10:10", "santos(from=60 ms)", "stop is not after start"),
    ] {
        let net = network(net);
        let build = || Traffic::new(&TrafficSpec::load(text, net.hosts.len())?, &net, 32, 1);
        let error = format!("{:#}", build().expect_err(text));
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn mvcm_has_its_hosts_loads_and_counts() {
    let net = network("min512");
    let mut t = on(&net, "mvcm", 4);
    assert_eq!((t.groups()[0].1.len(), t.groups()[1].1.len()), (448, 64));
    let hot: Vec<usize> = t.groups()[1].1.iter().map(|&h| h as usize).collect();
    let spot = t.hotspots("spot", 0).expect("the list")[0];
    assert!(!hot.contains(&(spot as usize)));
    let all = offers(&mut t, 1_200_000);
    assert!(all.iter().all(|o| o.3 == 5));
    let mut sent = vec![0; 512];
    let mut start = u64::MAX;
    for o in &all {
        sent[o.1] += 1;
        if hot.contains(&o.1) {
            assert_eq!(o.2, spot);
            start = start.min(o.0);
        }
    }
    assert!(hot.iter().all(|&h| sent[h] == 1000), "1000 packets each");
    // 50 000 of the others, give or take the chances of their arrivals
    let before = all.iter().filter(|o| o.0 < start && !hot.contains(&o.1)).count();
    assert!((49_000..51_000).contains(&before), "{before}");
    // 11.25 % of a link of 14 cycles a flit
    let cold: Vec<usize> = (0..512).filter(|h| !hot.contains(h)).collect();
    let load = cold.iter().map(|&h| load_of(&all, h, 1_200_000)).sum::<f64>() / 448.0;
    assert!((load * 14.0 - 0.1125).abs() < 0.001, "{load}");
}

#[test]
fn mvcm_takes_other_numbers() {
    let mut t =
        traffic("mvcm(50%, len=17 flits, packets=3, after=400, arrival=periodic, pick=spread)", 16, 4);
    let all = offers(&mut t, 20_000);
    let hot = [4, 12];
    assert_eq!(t.roles()[0].1, hot);
    assert!(all.iter().all(|o| o.3 == 17));
    for h in hot {
        let times: Vec<u64> = all.iter().filter(|o| o.1 == h as usize).map(|o| o.0).collect();
        // 400 packets of 17 flits from 14 nodes at half a flit a cycle
        let start = (400.0 * 17.0 / 7.0f64).ceil() as u64;
        assert_eq!(times.len(), 3);
        assert!((start..start + 34).contains(&times[0]), "{times:?}");
        assert!(times[2] - times[0] == 68);
    }
    assert!(!t.finished());
}

/// What is refused waits, in order, with the time of its generation; what is dropped is counted.
#[test]
fn a_backlog_keeps_what_is_refused() {
    let text = "name='x'\n[[group]]\nname='g'\nsources='0'\nto='3'\nload=0.5\nmessage='8 flits'\npackets=4\nbacklog=true\n\
                [[group]]\nname='o'\nsources='0'\nto='2'\nload=0.5\nmessage='9 flits'\npackets=1\nstart='100 cycles'\n";
    let mut t = parsed(text, 4).expect("legal");
    assert!(t.backlogs() && !t.finished());
    let first = t.next_offer(0).expect("due");
    let born: Vec<u64> = (0..4).map(|k| first + 16 * k).collect();
    for (k, &due) in born.iter().enumerate() {
        assert_eq!((t.next_offer(0), t.waiting()), (Some(due), k as u64));
        // The oldest that waits goes first.
        assert_eq!(t.offer(0), Offer::packet(3, 8, first));
        t.refuse(0, due);
    }
    assert_eq!((t.waiting(), t.blocked(0), t.refused()), (4, vec![3], 0));
    // All are generated; the other group's packet has nothing to do with them.
    let other = t.next_offer(0).expect("due");
    assert_eq!((other >= 100, t.offer(0).dst), (true, 2));
    t.refuse(0, other);
    assert_eq!((t.refused(), t.waiting()), (1, 4));
    let at = t.next_offer(0).expect("not taken yet");
    t.take(0, at);
    assert!(!t.finished() && t.next_offer(0).is_none(), "it waits for room");
    assert!(t.room(0, 3, at + 7) && !t.room(0, 3, at + 8) && !t.room(0, 1, at + 7));
    for (k, &born) in born.iter().enumerate() {
        let at = at + 7 + k as u64;
        assert_eq!((t.next_offer(0), t.offer(0).born), (Some(at), born));
        t.take(0, at);
    }
    assert_eq!((t.waiting(), t.next_offer(0), t.finished()), (0, None, true));
    // What stops is not offered any more.
    let mut t = parsed(text, 4).expect("legal");
    t.refuse(0, first);
    t.stop(first + 1);
    assert!(t.finished());
}

#[test]
fn a_source_stops_when_its_packets_are_taken() {
    let text = "name='x'\n[[group]]\nname='g'\nsources='0-1'\nto='3'\nmessage='80 flits'\npackets=7\n";
    let mut t = parsed(text, 4).expect("legal");
    let all = offers(&mut t, 100_000);
    // two messages of 32, 32 and 16 flits, and the first packet of a third
    for src in 0..2 {
        let lens: Vec<u8> = all.iter().filter(|o| o.1 == src).map(|o| o.3).collect();
        assert_eq!(lens, [32, 32, 16, 32, 32, 16, 32]);
    }
    t.stop(100_000);
    assert!(t.finished());
    // what is refused does not count
    let mut t = parsed(text, 4).expect("legal");
    let mut taken = 0;
    for turn in 0.. {
        let Some(at) = t.next_offer(0) else { break };
        match turn % 3 {
            0 => t.refuse(0, at),
            _ => {
                t.take(0, at);
                taken += 1;
            }
        }
    }
    assert_eq!((taken, t.refused()), (7, 4));
}

#[test]
fn a_group_starts_step_by_step_and_after_others() {
    let group = |rest: &str| format!("[[group]]\nname='g'\nto='3'\nmessage='10 flits'\n{rest}\n");
    let early = group("sources='0'\nload=0.5\nstart=1000\npackets=5") + &group("sources='1'\nload=0.25");
    let late = group("sources='2'\nafter=20\nstart='100 cycles'\nstop=200\nload=1.0");
    let mut t = parsed(&format!("name='x'\n{early}{late}"), 4).expect("legal");
    // 5 of the first by cycle 1100, 27.5 of the second: 20 are there in 800
    let times: Vec<u64> = offers(&mut t, 10_000).iter().filter(|o| o.1 == 2).map(|o| o.0).collect();
    assert!((900..910).contains(&times[0]) && (990..1000).contains(&times[9]), "{times:?}");
    assert_eq!(times.len(), 10);

    let steps = group("sources='0-2'\nstart=50\nstep='1000 cycles'");
    let mut t = parsed(&format!("name='x'\n{steps}"), 4).expect("legal");
    let all = offers(&mut t, 5000);
    for src in 0..3u64 {
        let first = all.iter().find(|o| o.1 as u64 == src).expect("it sends").0;
        assert!((50 + 1000 * src..60 + 1000 * src).contains(&first));
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
        (group("sources='1'\nto='uniform'\npackets=0"), "group \"g\": packets = 0; legal: at least 1"),
        (group("sources='1'\nto='uniform'\npackets=-3"), "invalid value: integer `-3`"),
        (
            group("sources='1'\nto='uniform'\nafter=1"),
            "after = 1; legal: 0 to 0, what the groups before it generate",
        ),
        (
            group("sources='1'\nto='2'\npackets=7\n[[group]]\nname='h'\nsources='0'\nto='2'\nafter=8"),
            "group \"h\": after = 8; legal: 0 to 7, what the groups before it generate",
        ),
        (
            group("sources='0-2'\nto='3'\nstep='10 cycles'\nstop=20"),
            "step = 10 cycles: source 2 would start after stop",
        ),
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
