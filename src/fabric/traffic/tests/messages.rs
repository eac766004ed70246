//! Messages that are generated as a whole, and hosts that post them.

use super::*;

/// Every packet that the hosts of a traffic offer until `end`, if their adapters take all: (host, destination, born, flits, packets of the message).
fn taken(mut t: Traffic, hosts: usize, end: u64) -> Vec<(usize, u32, u64, u64, u32)> {
    let mut all = Vec::new();
    for now in 0..end {
        for h in 0..hosts {
            if t.next_offer(h).is_some_and(|due| due <= now) {
                let o = t.offer(h);
                o.packets().for_each(|len| all.push((h, o.dst, o.born, len.into(), o.of)));
                t.take(h, now);
            }
        }
    }
    all.sort_by_key(|p| (p.0, p.2));
    all
}

#[test]
fn hosts_that_post_messages_send_the_same_packets() {
    let net = star(8);
    let hosts = net.hosts.len();
    for message in ["250 flits", "bimodal(40, 400)", "range(32, 128, 32)", "7 flits"] {
        for arrival in ["bernoulli", "periodic", "together"] {
            for whole in [false, true] {
                let text = format!(
                    "name='x'\n[[group]]\nname='g'\nsources='all'\nto='uniform'\nload=0.4\nmessage='{message}'\n\
                     arrival='{arrival}'\nwhole={whole}\nbacklog=true\n[[group]]\nname='o'\nsources='1'\nto='3'\nload=0.1\n\
                     message='{message}'\nwhole={whole}\nbacklog=true\npackets=21\n"
                );
                let of = || Traffic::new(&TrafficSpec::parse(&text).unwrap(), &net, 32, 5).unwrap();
                let packets = taken(of(), hosts, 20_000);
                let messages = taken(of().in_messages().unwrap(), hosts, 20_000);
                let what = format!("{message} {arrival} {whole}");
                assert!(packets.len() > 300, "{what}: {}", packets.len());
                // All but the message that the end cuts, which is the last of its host.
                if whole {
                    let cut = |list: &[(usize, u32, u64, u64, u32)]| {
                        list.iter().filter(|p| p.2 < 18_000).map(|p| (p.0, p.1, p.2, p.3)).collect::<Vec<_>>()
                    };
                    assert_eq!(cut(&packets), cut(&messages), "{what}");
                }
                for h in 0..hosts {
                    let sent = |list: &[(usize, u32, u64, u64, u32)]| {
                        list.iter().filter(|p| p.0 == h && p.2 < 15_000).map(|p| p.3).sum::<u64>()
                    };
                    assert!(sent(&packets).abs_diff(sent(&messages)) <= 800, "{what} {h}");
                }
            }
        }
    }
}

#[test]
fn messages_come_as_a_whole_at_the_load_that_is_said() {
    let net = star(8);
    let hosts = net.hosts.len();
    for (traffic, load) in
        [("srp-uniform(0.4, bimodal(64, 512))", 0.4), ("srp-uniform(25%, message=64)", 0.25)]
    {
        let spec = TrafficSpec::load(traffic, hosts).unwrap();
        let t = Traffic::new(&spec, &net, 32, 3).unwrap();
        assert!(t.whole() && t.backlogs());
        let all = taken(t, hosts, 2_000_000);
        let flits: u64 = all.iter().map(|p| p.3).sum();
        let rate = flits as f64 / 2e6 / hosts as f64;
        assert!((rate / load - 1.0).abs() < 0.03, "{traffic}: {rate}");
        let first = &all[0];
        assert_eq!(all.iter().filter(|p| (p.0, p.2) == (first.0, first.2)).count(), first.4 as usize);
    }
}

#[test]
fn an_impulse_is_one_message_of_everybody_at_once() {
    let net = star(8);
    let hosts = net.hosts.len();
    let spec = TrafficSpec::load("srp-impulse(load=1%, at=500 cycles, dst=2)", hosts).unwrap();
    let all = taken(Traffic::new(&spec, &net, 32, 3).unwrap(), hosts, 900);
    let impulse: Vec<_> = all.iter().filter(|p| (p.1, p.2) == (2, 500)).collect();
    assert_eq!(impulse.len(), 8 * (hosts - 1));
    assert!(impulse.iter().all(|p| p.0 != 2 && (p.3, p.4) == (32, 8)));
}

#[test]
fn what_is_wrong_with_messages_is_told() {
    let net = star(8);
    for (rest, says) in [
        ("whole=true", "needs backlog = true"),
        ("messages=0", "messages = 0; legal: at least 1"),
        ("messages=2\npackets=3", "one of packets and messages"),
        ("messages=2\nmessage='range(1, 3)'", "legal where all messages have one length"),
    ] {
        let text = format!("name='x'\n[[group]]\nname='g'\nsources='1'\nto='0'\n{rest}\n");
        let e = Traffic::new(&TrafficSpec::parse(&text).unwrap(), &net, 32, 1).unwrap_err();
        assert!(format!("{e:#}").contains(says), "{rest}: {e:#}");
    }
    let trace = TrafficSpec::load("hpcc(beff)", 8).unwrap();
    let e = Traffic::new(&trace, &net, 32, 1).unwrap().in_messages().unwrap_err();
    assert!(e.to_string().contains("posted one by one"), "{e}");
}
