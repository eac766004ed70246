//! Deterministic routing: fills the forwarding tables of a network (`docs/fabric-files.md`).

use super::net::{NO_ROUTE, Network};
use super::wiring::Wiring;
use anyhow::{Result, bail};
use std::str::FromStr;

/// A rule that gives every switch one output port for each destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// D-mod-k, for trees: up by the digits of the destination.
    DModK,
    /// DESTRO. In a k-ary n-tree it is the same as D-mod-k.
    Destro,
    /// Shortest paths that go up and then down, for any graph. Free of deadlock.
    UpDown,
    /// Shortest paths, for any graph, one-way links too. May deadlock in a graph with cycles; [`Network::check`] tells.
    Shortest,
}

/// The names of the rules.
const NAMES: [(&str, Routing); 4] = [
    ("dmodk", Routing::DModK),
    ("destro", Routing::Destro),
    ("updown", Routing::UpDown),
    ("shortest", Routing::Shortest),
];

impl FromStr for Routing {
    type Err = String;

    fn from_str(name: &str) -> Result<Routing, String> {
        let found = NAMES.iter().find(|n| n.0 == name).map(|n| n.1);
        found.ok_or_else(|| format!("legal is {}", NAMES.map(|n| format!("\"{}\"", n.0)).join(", ")))
    }
}

impl Routing {
    /// Replaces the forwarding tables of all switches. A destination that a switch cannot reach has no route.
    pub fn apply(self, net: &mut Network) -> Result<()> {
        let wiring = Wiring::new(net);
        if let (Some(link), false) = (net.one_way(), self == Routing::Shortest) {
            let [a, b] = [link.a, link.b].map(|end| net.end_name(end));
            bail!("routing for one-way links is \"shortest\": {a} -> {b} is one");
        }
        let tables = match self {
            Routing::DModK | Routing::Destro => d_mod_k(net, &wiring)?,
            Routing::UpDown => up_down(net, &wiring),
            Routing::Shortest => shortest(net, &wiring),
        };
        for (switch, lft) in net.switches.iter_mut().zip(tables) {
            switch.lft = lft;
        }
        Ok(())
    }
}

/// Down if the destination is below, else up: the port is number (d div m) mod u of the u ports that lead to it, m
/// being the product of u over the stages below. Down where several ports lead to it: the line by which the switch below
/// would send a packet for it up, so that such lines share the destinations; without it number (d div m) mod their
/// number.
fn d_mod_k(net: &Network, wiring: &Wiring) -> Result<Vec<Vec<u8>>> {
    let heights = wiring.heights();
    let stages = heights.iter().filter(|&&h| h != u32::MAX).max().map_or(0, |&h| h as usize + 1);
    let mut by_stage = vec![Vec::new(); stages];
    for (s, &h) in heights.iter().enumerate() {
        if h != u32::MAX {
            by_stage[h as usize].push(s);
        }
        if let Some((port, t, _)) = wiring.neighbours(s).find(|&(_, t, _)| heights[t] == h) {
            bail!(
                "D-mod-k routing is for trees: {} port {port} leads to {}, which is of the same stage",
                net.switches[s].name,
                net.switches[t].name
            );
        }
    }
    let words = net.hosts.len().div_ceil(64);
    let has = |set: &[u64], d: usize| set[d / 64] >> (d % 64) & 1 == 1;

    // the destinations below each switch, then those that it reaches at all
    let mut below = vec![vec![0u64; words]; heights.len()];
    for (h, stage) in by_stage.iter().enumerate() {
        for &s in stage {
            let mut set = vec![0; words];
            for (_, host) in wiring.hosts_of(s) {
                set[host / 64] |= 1 << (host % 64);
            }
            for (_, t, _) in wiring.neighbours(s).filter(|n| (heights[n.1] as usize) < h) {
                set.iter_mut().zip(&below[t]).for_each(|(a, b)| *a |= b);
            }
            below[s] = set;
        }
    }
    let mut reached = below.clone();
    for (h, stage) in by_stage.iter().enumerate().rev() {
        for &s in stage {
            let mut set = std::mem::take(&mut reached[s]);
            for (_, t, _) in wiring.neighbours(s).filter(|n| heights[n.1] as usize > h) {
                set.iter_mut().zip(&reached[t]).for_each(|(a, b)| *a |= b);
            }
            reached[s] = set;
        }
    }

    let mut tables = vec![empty_lft(net); heights.len()];
    let (mut divisor, mut beneath) = (1, 1);
    let mut ups = vec![Vec::new(); heights.len()];
    let mut ports = Vec::new();
    for (h, stage) in by_stage.iter().enumerate() {
        let mut widest = 1;
        for &s in stage {
            let (up, down): (Vec<_>, Vec<_>) = wiring.neighbours(s).partition(|n| heights[n.1] as usize > h);
            widest = widest.max(up.len());
            ups[s] = up.iter().map(|n| n.0).collect();
            for d in 0..net.hosts.len() {
                let descends = has(&below[s], d);
                let (ways, sets) = if descends { (&down, &below) } else { (&up, &reached) };
                ports.clear();
                ports.extend(ways.iter().filter(|n| has(&sets[n.1], d)).map(|n| n.0 as u8));
                if ports.is_empty() {
                    continue;
                }
                let same_line = |&&(_, t, far): &&(usize, usize, usize)| {
                    let ups: &Vec<usize> = &ups[t];
                    has(&below[t], d) && ups.get(d / beneath % ups.len().max(1)) == Some(&far)
                };
                let line = match descends && ports.len() > 1 {
                    true => down.iter().find(same_line).map(|n| n.0 as u8),
                    false => None,
                };
                tables[s][d + 1] = line.unwrap_or(ports[d / divisor % ports.len()]);
            }
            for (port, host) in wiring.hosts_of(s) {
                tables[s][host + 1] = port as u8;
            }
        }
        beneath = divisor;
        divisor *= widest;
    }
    Ok(tables)
}

/// The port for destination `d` among equally good ones: D-mod-k where every stage has the same choice.
fn pick(ports: &[u8], d: usize, height: u32) -> u8 {
    let divisor = ports.len().saturating_pow(height.min(63)).max(1);
    ports[d / divisor % ports.len()]
}

/// Shortest paths over all links.
fn shortest(net: &Network, wiring: &Wiring) -> Vec<Vec<u8>> {
    let heights = wiring.heights();
    let mut tables = vec![empty_lft(net); net.switches.len()];
    let mut ports = Vec::new();
    for d in 0..net.hosts.len() {
        let Some((last, port)) = wiring.switch_of(d) else { continue };
        let distance = wiring.distances(&[last]);
        for (s, table) in tables.iter_mut().enumerate().filter(|&(s, _)| distance[s] != u32::MAX) {
            ports.clear();
            let nearer = |t: usize| distance[t].saturating_add(1) == distance[s];
            ports.extend(wiring.neighbours(s).filter(|n| nearer(n.1)).map(|n| n.0 as u8));
            table[d + 1] = if s == last { port as u8 } else { pick(&ports, d, heights[s]) };
        }
    }
    tables
}

/// Up*/down*: links have a direction, up, that has no cycle. A switch with a way down to the destination takes the
/// shortest of them; any other goes up where the rest is shortest. No packet ever turns from down to up.
fn up_down(net: &Network, wiring: &Wiring) -> Vec<Vec<u8>> {
    let heights = wiring.heights();
    // away from the hosts, as in a tree, if that reaches everything; else towards the middle of the graph
    let by_height: Vec<u32> = heights.iter().map(|&h| u32::MAX - h).collect();
    let tables = up_down_by(net, wiring, &heights, &by_height);
    let starts: Vec<usize> = (0..heights.len()).filter(|&s| heights[s] == 0).collect();
    let complete = starts.iter().all(|&s| tables[s][1..].iter().all(|&p| p != super::net::NO_ROUTE));
    if complete {
        return tables;
    }
    let reach = |s: &usize| {
        let distance = wiring.distances(&[*s]);
        let missed = starts.iter().filter(|&&t| distance[t] == u32::MAX).count();
        let far = starts.iter().map(|&t| distance[t]).filter(|&d| d != u32::MAX).max();
        (missed, far)
    };
    let Some(root) = (0..heights.len()).min_by_key(reach) else { return tables };
    up_down_by(net, wiring, &heights, &wiring.distances(&[root]))
}

/// Up*/down* with up being towards a smaller rank, or a smaller number at equal rank.
fn up_down_by(net: &Network, wiring: &Wiring, heights: &[u32], rank: &[u32]) -> Vec<Vec<u8>> {
    const FAR: u32 = u32::MAX;
    let mut order: Vec<usize> = (0..net.switches.len()).collect();
    order.sort_by_key(|&s| (rank[s], s));
    let is_up = |from: usize, to: usize| (rank[to], to) < (rank[from], from);

    let mut tables = vec![empty_lft(net); net.switches.len()];
    let mut down = vec![FAR; net.switches.len()];
    let mut any = vec![FAR; net.switches.len()];
    let mut ports = Vec::new();
    for d in 0..net.hosts.len() {
        let Some((last, port)) = wiring.switch_of(d) else { continue };
        // links to go down to the destination: lower switches first
        down.fill(FAR);
        down[last] = 0;
        for &s in order.iter().rev().filter(|&&s| s != last) {
            let below = wiring.neighbours(s).filter(|&(_, t, _)| t != s && !is_up(s, t)).map(|n| down[n.1]);
            down[s] = below.min().unwrap_or(FAR).saturating_add(1);
        }
        // links to go up and then down: upper switches first
        for &s in &order {
            any[s] = down[s];
            if down[s] == FAR {
                let above = wiring.neighbours(s).filter(|&(_, t, _)| is_up(s, t)).map(|n| any[n.1]);
                any[s] = above.min().unwrap_or(FAR).saturating_add(1);
            }
        }
        for (s, table) in tables.iter_mut().enumerate().filter(|&(s, _)| any[s] != FAR) {
            let descend = down[s] != FAR;
            let length = if descend { &down } else { &any };
            let next =
                |t: usize| t != s && is_up(s, t) != descend && length[t].saturating_add(1) == length[s];
            ports.clear();
            ports.extend(wiring.neighbours(s).filter(|n| next(n.1)).map(|n| n.0 as u8));
            table[d + 1] = if s == last { port as u8 } else { pick(&ports, d, heights[s]) };
        }
    }
    tables
}

/// An empty forwarding table of a network.
pub(super) fn empty_lft(net: &Network) -> Vec<u8> {
    vec![NO_ROUTE; net.hosts.len() + 1]
}

#[cfg(test)]
mod tests {
    use super::super::net::{End, Host, Link, NO_ROUTE, Rate, Switch, Timing};
    use super::super::topology::{by_name, kary_ntree};
    use super::*;

    /// Switches with one host each (port 0) and the given links.
    fn graph(switches: usize, links: &[(usize, usize)]) -> Network {
        let mut net = Network {
            name: "graph".into(),
            cycle_ps: 12_800,
            switches: Vec::new(),
            hosts: Vec::new(),
            links: Vec::new(),
        };
        for s in 0..switches {
            net.switches.push(Switch { name: format!("S{s}"), ports: 8, lft: Vec::new() });
            net.hosts.push(Host { name: format!("H{s}"), inject: Rate::FULL, sink: Rate::FULL });
            let b = End::Switch { switch: s, port: 0 };
            net.links.push(Link { a: End::Host(s), b, delay: 1, interval: 1, one_way: false });
        }
        let mut free = vec![1; switches];
        for &(a, b) in links {
            let mut end = |switch: usize| {
                free[switch] += 1;
                End::Switch { switch, port: free[switch] - 1 }
            };
            let (a, b) = (end(a), end(b));
            net.links.push(Link { a, b, delay: 1, interval: 1, one_way: false });
        }
        net
    }

    const RING: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)];

    #[test]
    fn up_down_and_destro_are_d_mod_k_in_a_tree() {
        let net = kary_ntree(4, 3, Timing::DEFAULT).unwrap();
        for rule in [Routing::Destro, Routing::UpDown, Routing::Shortest] {
            let mut other = net.clone();
            rule.apply(&mut other).unwrap();
            let leaves = |n: &Network| n.switches[..16].iter().map(|s| s.lft.clone()).collect::<Vec<_>>();
            assert_eq!(leaves(&other), leaves(&net), "{rule:?}");
            other.check().unwrap();
        }
    }

    #[test]
    fn a_ring_deadlocks_with_shortest_paths_and_not_with_up_down() {
        let mut net = graph(6, &RING);
        Routing::Shortest.apply(&mut net).unwrap();
        let problems = net.check().unwrap_err();
        assert!(problems.iter().any(|p| p.to_string().contains("deadlock")), "{problems:?}");
        Routing::UpDown.apply(&mut net).unwrap();
        net.check().unwrap();
    }

    #[test]
    fn up_down_finds_its_way_in_any_connected_graph() {
        // a mesh, a star of stars, a graph with parallel links, a path whose ends have the smallest numbers
        let mesh: Vec<(usize, usize)> = (0..16)
            .flat_map(|s| [(s % 4 < 3).then_some((s, s + 1)), (s < 12).then_some((s, s + 4))])
            .flatten()
            .collect();
        for (n, links) in [
            (16, mesh.as_slice()),
            (7, &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]),
            (3, &[(0, 1), (0, 1), (1, 2), (1, 2), (2, 0)]),
            (5, &[(0, 4), (4, 2), (2, 3), (3, 1)]),
        ] {
            let mut net = graph(n, links);
            Routing::UpDown.apply(&mut net).unwrap();
            net.check().unwrap();
        }
    }

    #[test]
    fn up_down_falls_back_to_one_root() {
        // by height the two middle switches without hosts are two separate tops
        let mut net = graph(8, &[(0, 4), (4, 1), (1, 5), (5, 2), (2, 6), (6, 3), (3, 7), (7, 0)]);
        net.links.retain(|l| !matches!(l.a, End::Host(h) if h >= 4));
        net.hosts.truncate(4);
        Routing::UpDown.apply(&mut net).unwrap();
        net.check().unwrap();
    }

    #[test]
    fn a_graph_that_is_no_tree_is_refused_by_d_mod_k() {
        let error = Routing::DModK.apply(&mut graph(6, &RING)).unwrap_err().to_string();
        assert_eq!(error, "D-mod-k routing is for trees: S0 port 1 leads to S1, which is of the same stage");
    }

    #[test]
    fn a_damaged_tree_is_still_routed() {
        let mut net = by_name("4ary-3tree").unwrap();
        let cut = End::Switch { switch: 0, port: 5 };
        net.links.retain(|l| l.a != cut && l.b != cut);
        Routing::DModK.apply(&mut net).unwrap();
        net.check().unwrap();
    }

    #[test]
    fn d_mod_k_shares_parallel_lines_in_both_directions() {
        // two leaves of four hosts, two spines, two lines between each leaf and each spine
        for lines in [[0, 0, 1, 1], [0, 1, 0, 1]] {
            let mut net = graph(4, &[]);
            net.hosts.clear();
            net.links.clear();
            for h in 0..8 {
                net.hosts.push(Host { name: format!("h{h}"), inject: Rate::FULL, sink: Rate::FULL });
                let b = End::Switch { switch: h / 4, port: h % 4 };
                net.links.push(Link { a: End::Host(h), b, delay: 1, interval: 1, one_way: false });
            }
            for leaf in 0..2 {
                let mut used = [2 * leaf; 2];
                for (up, spine) in lines.into_iter().enumerate() {
                    let a = End::Switch { switch: leaf, port: 4 + up };
                    let b = End::Switch { switch: 2 + spine, port: used[spine] };
                    used[spine] += 1;
                    net.links.push(Link { a, b, delay: 1, interval: 1, one_way: false });
                }
            }
            Routing::DModK.apply(&mut net).unwrap();
            net.check().unwrap();
            for d in 0..8 {
                // down by the line of port d mod 4 of the destination's leaf, up by that of the other leaf
                let (up, spine) = (d % 4, 2 + lines[d % 4]);
                assert_eq!(usize::from(net.switches[1 - d / 4].lft[d + 1]), 4 + up);
                let before = lines[..up].iter().filter(|&&s| s == lines[up]).count();
                assert_eq!(usize::from(net.switches[spine].lft[d + 1]), 2 * (d / 4) + before, "{lines:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_reached_has_no_route() {
        for rule in [Routing::DModK, Routing::UpDown, Routing::Shortest] {
            let mut net = graph(2, &[]);
            rule.apply(&mut net).unwrap();
            assert_eq!(net.switches[0].lft, [NO_ROUTE, 0, NO_ROUTE]);
            assert_eq!(net.switches[1].lft, [NO_ROUTE, NO_ROUTE, 0]);
        }
    }

    #[test]
    fn one_way_links_are_for_shortest_paths() {
        let mut net = by_name("umin:2:2:shuffle").unwrap();
        for rule in [Routing::DModK, Routing::UpDown] {
            let error = rule.apply(&mut net).unwrap_err().to_string();
            assert_eq!(error, "routing for one-way links is \"shortest\": h0 -> s0.0 port 0 is one");
        }
    }

    #[test]
    fn names() {
        for (name, rule) in NAMES {
            assert_eq!(name.parse(), Ok(rule));
        }
        assert!("minhop".parse::<Routing>().unwrap_err().contains("\"updown\""));
    }
}
