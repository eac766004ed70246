//! Ways up that are drawn for each packet (`up` = random, `docs/fabric.md`): which outputs of each switch lead up.

use super::net::{End, NO_ROUTE, Network};
use super::wiring::Wiring;
use crate::params::ANY_UP;

/// Of each switch the outputs that lead up, away from the hosts, as bits; the error says why packets cannot take any of them.
pub fn up_ports(net: &Network) -> Result<Vec<u32>, String> {
    if net.one_way().is_some() {
        return Err("has no up ports: its links are one-way".into());
    }
    let wiring = Wiring::new(net);
    let heights = wiring.heights();
    let mut ups = vec![0; heights.len()];
    for (s, switch) in net.switches.iter().enumerate() {
        for (port, t, _) in wiring.neighbours(s) {
            if heights[t] == heights[s] {
                let other = &net.switches[t].name;
                return Err(format!("has no up ports: {} and {other} are of the same stage", switch.name));
            }
            if heights[t] > heights[s] {
                if port >= 32 {
                    return Err(format!(
                        "has up ports that are not among the first 32: {} port {port}",
                        switch.name
                    ));
                }
                ups[s] |= 1 << port;
            }
        }
    }
    if ups.iter().all(|&u| u == 0) {
        return Err("has no up ports".into());
    }
    check(net, &wiring, &heights, &ups)?;
    Ok(ups)
}

/// From each switch with hosts every way up leads to every destination whose route goes up.
fn check(net: &Network, wiring: &Wiring, heights: &[u32], ups: &[u32]) -> Result<(), String> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by_key(|&s| heights[s]);
    let entry = |s: usize, d: usize| net.switches[s].lft.get(d + 1).copied().unwrap_or(NO_ROUTE);
    let (mut down, mut good) = (vec![false; heights.len()], vec![false; heights.len()]);
    for (d, host) in net.hosts.iter().enumerate() {
        for &s in &order {
            let port = entry(s, d);
            let leads = wiring.peer(End::Switch { switch: s, port: port.into() }).map(|p| p.end);
            down[s] = route(port, ups[s]) != ANY_UP
                && match leads {
                    Some(End::Host(h)) => h == d,
                    Some(End::Switch { switch, .. }) => heights[switch] < heights[s] && down[switch],
                    None => false,
                };
        }
        for &s in order.iter().rev() {
            let above = || wiring.neighbours(s).filter(|n| ups[s] >> n.0 & 1 != 0);
            good[s] = down[s] || route(entry(s, d), ups[s]) == ANY_UP && above().all(|n| good[n.1]);
            if heights[s] == 0 && !good[s] {
                let switch = &net.switches[s].name;
                return Err(format!("is no tree: not every way up from {switch} leads to {}", host.name));
            }
        }
    }
    Ok(())
}

/// The entry of a forwarding table for a route by `port`, where `ups` lead up.
pub fn route(port: u8, ups: u32) -> u8 {
    if port < 32 && ups >> port & 1 != 0 { ANY_UP } else { port }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::topology::by_name;

    #[test]
    fn trees_have_up_ports_and_other_networks_have_none() {
        let net = by_name("2ary-3tree").unwrap();
        let ups = up_ports(&net).unwrap();
        assert_eq!(
            ups.iter().map(|u| u.count_ones()).collect::<Vec<_>>(),
            [2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0]
        );
        for (network, why) in [
            ("star:8", "has no up ports"),
            ("umin:2:2:shuffle", "has no up ports: its links are one-way"),
            ("two-switch", "of the same stage"),
        ] {
            let error = up_ports(&by_name(network).unwrap()).unwrap_err();
            assert!(error.contains(why), "{network}: {error}");
        }
    }

    #[test]
    fn every_way_up_must_lead_there() {
        let mut net = by_name("kary-ntree:2:2").unwrap();
        let far = net.hosts.len();
        let top = net.switches.len() - 1;
        net.switches[top].lft[far] = NO_ROUTE;
        let error = up_ports(&net).unwrap_err();
        assert!(error.starts_with("is no tree: not every way up from "), "{error}");
    }
}
