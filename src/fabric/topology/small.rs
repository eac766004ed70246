//! Networks of one and two switches.

use anyhow::{Result, ensure};

use super::builder::Builder;
use crate::fabric::net::{End, Network, Timing};
use crate::fabric::routing::Routing;

/// Ports of the switches of the test beds; those not named in a figure stay free.
const PORTS: usize = 8;

/// Port of the link between two switches.
const BETWEEN: usize = 7;

/// Data rate of a 4x DDR link: 20 Gbit/s of signal, 8b/10b coded.
const DDR: f64 = 16.0;

/// Cycles per flit of the links of `santos`: a hop is short beside a packet there.
const SANTOS_INTERVAL: u32 = 15;

/// Most hosts of one switch of `santos`: there is a port for the link between the switches, too.
const SANTOS_HOSTS: usize = 63;

/// The scenario of Santos et al.: A1 to A`remote` and the victim's source AV on switch A; B1 to B`local`, the hot host BC
/// and the victim's destination BV on switch B; one link between the switches. All links carry 1 GB/s; a hop without
/// a wait takes 38 ns (published: 40).
pub fn santos(local: usize, remote: usize) -> Result<Network> {
    for (key, what, n, most) in
        [("L", "local", local, SANTOS_HOSTS - 2), ("R", "remote", remote, SANTOS_HOSTS - 1)]
    {
        ensure!((1..=most).contains(&n), "santos: {key} = {n} {what} hosts: legal is 1..{most}");
    }
    let mut b = Builder::new(Timing { gbps: 8.0 * f64::from(SANTOS_INTERVAL), delay_ns: 17.0 })?;
    b.net.name = format!("santos:{local}:{remote}");
    let ports = (remote + 2).max(local + 3);
    let numbered = |side: &str, n: usize| (1..=n).map(|i| format!("{side}{i}")).collect::<Vec<_>>();
    let sides = [
        [numbered("A", remote), vec!["AV".into()]].concat(),
        [numbered("B", local), vec!["BC".into(), "BV".into()]].concat(),
    ];
    let [a, b_end] = [0, 1].map(|switch| End::Switch { switch, port: sides[switch].len() });
    for (switch, (name, hosts)) in ["A", "B"].into_iter().zip(sides).enumerate() {
        b.switch(name.into(), ports);
        for (port, host) in hosts.into_iter().enumerate() {
            b.host(host, switch, port, SANTOS_INTERVAL);
        }
    }
    b.link(a, b_end, SANTOS_INTERVAL);
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b.net)
}

/// The scale of the reservation paper, flit for flit: 64 bytes in its 6.4 ns, and a link of its 26 ns.
pub const SRP_TIMING: Timing = Timing { gbps: 80.0, delay_ns: 25.6 };

/// Figure 1 of the reservation paper: S0 to S2 on switch X, S3 to S5 and the destinations D0 and D1 on Y, and one link between them, L0.
pub fn srp_1() -> Result<Network> {
    let mut b = Builder::new(SRP_TIMING)?;
    b.net.name = "srp-1".into();
    for (switch, (name, hosts)) in
        [("X", &["S0", "S1", "S2"][..]), ("Y", &["S3", "S4", "S5", "D0", "D1"][..])].into_iter().enumerate()
    {
        b.switch(name.into(), PORTS);
        for (port, host) in hosts.iter().enumerate() {
            b.host(host.to_string(), switch, port, 1);
        }
    }
    b.link(End::Switch { switch: 0, port: BETWEEN }, End::Switch { switch: 1, port: BETWEEN }, 1);
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b.net)
}

/// n hosts on one switch of n ports.
pub fn star(n: usize, timing: Timing) -> Result<Network> {
    ensure!((2..=64).contains(&n), "star of {n} hosts: legal is 2..64");
    let mut b = Builder::new(timing)?;
    b.net.name = format!("star:{n}");
    b.switch("S".into(), n);
    for host in 0..n {
        b.host(format!("h{host}"), 0, host, 1);
    }
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b.net)
}

/// Seven hosts on one switch, all links 4x DDR; a host sends at most 13 Gbit/s and takes 13.6.
pub fn one_switch() -> Result<Network> {
    let mut b = Builder::new(Timing::of(DDR))?;
    b.net.name = "one-switch".into();
    b.switch("S1".into(), PORTS);
    for host in 0..7 {
        b.host(format!("H{}", host + 1), 0, host, 1);
    }
    b.limit(13.0, 13.6);
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b.net)
}

/// H1 to H3 on S1 and H4 to H7 on S2 with 4x DDR links, 4x QDR (32 Gbit/s of data) between the switches; a host sends
/// at most 13 Gbit/s and takes 13.6.
pub fn two_switch() -> Result<Network> {
    let mut b = pair(Timing::of(2.0 * DDR), ["S1", "S2"], |host| format!("H{}", host + 1))?;
    b.net.name = "two-switch".into();
    b.limit(13.0, 13.6);
    Ok(b.net)
}

/// N0 to N2 on S0 and N3 to N6 on S1 with 2.5 GB/s links, 5 GB/s between the switches.
pub fn ccfit_1() -> Result<Network> {
    let mut b = pair(Timing::of(40.0), ["S0", "S1"], |host| format!("N{host}"))?;
    b.net.name = "ccfit-1".into();
    Ok(b.net)
}

/// Three hosts on one switch and four on another; the link between them is twice as fast as theirs.
fn pair(timing: Timing, switches: [&str; 2], name: impl Fn(usize) -> String) -> Result<Builder> {
    let mut b = Builder::new(timing)?;
    for switch in switches {
        b.switch(switch.into(), PORTS);
    }
    for host in 0..7 {
        let (switch, port) = if host < 3 { (0, host) } else { (1, host - 3) };
        b.host(name(host), switch, port, 2);
    }
    b.link(End::Switch { switch: 0, port: BETWEEN }, End::Switch { switch: 1, port: BETWEEN }, 1);
    Routing::UpDown.apply(&mut b.net)?;
    Ok(b)
}

#[cfg(test)]
mod tests {
    use super::super::{by_name, path};
    use super::*;
    use crate::fabric::wiring::Wiring;

    #[test]
    fn santos_is_the_published_scenario() {
        let net = by_name("santos:10:10").unwrap();
        net.check().unwrap();
        assert_eq!((net.hosts.len(), net.switches.len(), net.links.len()), (23, 2, 24));
        assert!(net.switches.iter().all(|s| s.ports == 13));
        let names: Vec<&str> = net.hosts.iter().map(|h| h.name.as_str()).collect();
        assert_eq!((names[0], names[9], names[10]), ("A1", "A10", "AV"));
        assert_eq!((names[11], names[20], names[21], names[22]), ("B1", "B10", "BC", "BV"));
        let wiring = Wiring::new(&net);
        let of = |switch: usize| wiring.hosts_of(switch).count();
        assert_eq!((of(0), of(1)), (11, 12));
        assert!(net.links.iter().all(|l| (l.interval, l.delay) == (15, 4)));
        // 64 bytes in 64 ns; an idle hop takes 5 cycles and the delay
        assert!((net.cycle_ps * 15).abs_diff(64_000) < 10);
        assert!((37_000..=40_000).contains(&(net.cycle_ps * 9)));
    }

    #[test]
    fn srp_1_is_the_published_figure() {
        let net = by_name("srp-1").unwrap();
        net.check().unwrap();
        assert_eq!((net.hosts.len(), net.switches.len(), net.links.len()), (8, 2, 9));
        assert_eq!((net.cycle_ps, net.links[0].delay), (6400, 4));
        // S0 and S1 share the link, S3 does not use it; D0 and D1 are the last two.
        let hops = |from: usize, to: usize| path(&net, from, to).len();
        assert_eq!([hops(0, 6), hops(1, 7), hops(3, 7)], [2, 2, 1]);
        assert_eq!((net.hosts[3].name.as_str(), net.hosts[7].name.as_str()), ("S3", "D1"));
    }

    #[test]
    fn in_santos_all_but_the_local_flows_share_the_link_between_the_switches() {
        for (local, remote) in [(10, 10), (5, 20), (1, 62), (61, 1)] {
            let net = santos(local, remote).unwrap();
            net.check().unwrap();
            let hosts = net.hosts.len();
            assert_eq!(hosts, local + remote + 3);
            for from in 0..hosts {
                for to in (0..hosts).filter(|&to| to != from) {
                    let side = |h: usize| usize::from(h > remote);
                    let switches: Vec<usize> = path(&net, from, to).iter().map(|p| p.0).collect();
                    let both = side(from) != side(to);
                    assert_eq!(switches, if both { vec![side(from), side(to)] } else { vec![side(to)] });
                }
            }
            assert_eq!(path(&net, 0, hosts - 1)[0], (0, remote + 1));
        }
    }
}
