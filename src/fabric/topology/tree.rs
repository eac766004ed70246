//! Fat trees.

use anyhow::{Result, ensure};

use super::builder::{Builder, MAX_HOSTS};
use crate::fabric::net::{End, Network, Timing};
use crate::fabric::routing::Routing;

/// A k-ary n-tree: k^n hosts, n stages of k^(n-1) switches with k ports down (0..k) and k up (k..2k), routed by
/// D-mod-k. The up ports of the last stage are not connected.
///
/// Stage 0 is next to the hosts. A switch of a stage has n-1 digits of base k; host h is on port h mod k of switch
/// h div k. Up port u of switch w of stage s leads to the switch of stage s+1 whose digit s is u and whose other
/// digits are those of w, and arrives there at down port "digit s of w".
pub fn kary_ntree(k: usize, n: usize, timing: Timing) -> Result<Network> {
    slow_kary_ntree(k, n, timing, 1)
}

/// The same with links of `interval` cycles per flit.
pub fn slow_kary_ntree(k: usize, n: usize, timing: Timing, interval: u32) -> Result<Network> {
    ensure!((2..=32).contains(&k), "k-ary n-tree: k = {k}: legal is 2..32 (switches have 2k ports)");
    ensure!(n >= 1, "k-ary n-tree: n = {n}: legal is 1 and more");
    let hosts = u32::try_from(n).ok().and_then(|n| k.checked_pow(n)).filter(|&h| h <= MAX_HOSTS);
    ensure!(hosts.is_some(), "k-ary n-tree: {k}^{n} hosts are more than {MAX_HOSTS}");
    let width = k.pow(n as u32 - 1);

    let mut b = Builder::new(timing)?;
    b.net.name = format!("kary-ntree:{k}:{n}");
    stages(&mut b, k, n, width, interval);
    Routing::DModK.apply(&mut b.net)?;
    Ok(b.net)
}

/// `n` stages of `width` switches with k ports down and k up, joined as in a k-ary n-tree; a width of several times
/// k^(n-1) gives several trees side by side. The up ports of the last stage stay free.
fn stages(b: &mut Builder, k: usize, n: usize, width: usize, interval: u32) {
    for stage in 0..n {
        for w in 0..width {
            b.switch(format!("s{stage}.{w}"), 2 * k);
        }
    }
    for host in 0..width * k {
        b.host(format!("h{host}"), host / k, host % k, interval);
    }
    let mut place = 1; // k^stage
    for stage in 0..n - 1 {
        for w in 0..width {
            let digit = w / place % k;
            for up in 0..k {
                let above = w - digit * place + up * place;
                let low = End::Switch { switch: stage * width + w, port: k + up };
                let high = End::Switch { switch: (stage + 1) * width + above, port: digit };
                b.link(low, high, interval);
            }
        }
        place *= k;
    }
}

/// Two 4-ary 4-trees of 256 hosts each under 128 more switches with four ports down, two to each tree: 512 hosts, 640
/// switches, nine of them on the longest way. Routed by D-mod-k.
///
/// Hosts 0 to 255 and switches 0 to 63 of each of the stages 0 to 3 are the first tree, the others the second. Up port
/// 4 + u of switch w of stage 3 leads to switch 2(w mod 64) + u div 2 of stage 4 and arrives at its port 2t + u mod 2,
/// t being the tree. So the two lines between two switches carry different digits of destinations.
pub fn min512(timing: Timing, interval: u32) -> Result<Network> {
    const K: usize = 4;
    const TREE: usize = 64; // switches of a stage of one tree
    let (width, top) = (2 * TREE, 4 * 2 * TREE);
    let mut b = Builder::new(timing)?;
    b.net.name = "min512".into();
    stages(&mut b, K, 4, width, interval);
    for w in 0..width {
        b.switch(format!("s4.{w}"), 2 * K);
    }
    for w in 0..width {
        for up in 0..K {
            let low = End::Switch { switch: 3 * width + w, port: K + up };
            let (above, port) = (2 * (w % TREE) + up / 2, 2 * (w / TREE) + up % 2);
            b.link(low, End::Switch { switch: top + above, port }, interval);
        }
    }
    Routing::DModK.apply(&mut b.net)?;
    Ok(b.net)
}

/// A non-blocking three-stage tree of p-port crossbars: p leaves with p/2 hosts (ports 0..p/2) and p/2 spines; port
/// p/2 + s of leaf l leads to port l of spine s. Routed by D-mod-k.
pub fn clos(p: usize, timing: Timing) -> Result<Network> {
    ensure!(
        (4..=64).contains(&p) && p.is_multiple_of(2),
        "three-stage tree: {p}-port switches: legal is an even number 4..64"
    );
    let half = p / 2;
    let mut b = Builder::new(timing)?;
    b.net.name = format!("clos:{p}");
    for leaf in 0..p {
        b.switch(format!("leaf{leaf}"), p);
    }
    for spine in 0..half {
        b.switch(format!("spine{spine}"), p);
    }
    for host in 0..p * half {
        b.host(format!("h{host}"), host / half, host % half, 1);
    }
    for leaf in 0..p {
        for spine in 0..half {
            let low = End::Switch { switch: leaf, port: half + spine };
            b.link(low, End::Switch { switch: p + spine, port: leaf }, 1);
        }
    }
    Routing::DModK.apply(&mut b.net)?;
    Ok(b.net)
}

/// The 648-host tree of 54 36-port crossbars with 4x DDR links (16 Gbit/s of data) and the rates of the hosts that
/// the published simulator was tuned against: 13.5 Gbit/s out, 13.6 in.
pub fn tree_648() -> Result<Network> {
    let timing = Timing::of(16.0);
    let mut b = Builder { net: clos(36, timing)?, timing };
    b.limit(13.5, 13.6);
    Ok(b.net)
}

#[cfg(test)]
mod tests {
    use super::super::super::wiring::Wiring;
    use super::super::{by_name, path, path_by};
    use super::*;

    #[test]
    fn d_mod_k_gives_each_down_link_of_the_tree_one_destination() {
        for net in [kary_ntree(4, 3, Timing::DEFAULT).unwrap(), clos(8, Timing::DEFAULT).unwrap()] {
            let wiring = Wiring::new(&net);
            let heights = wiring.heights();
            let mut user = std::collections::HashMap::new();
            for from in 0..net.hosts.len() {
                for to in (0..net.hosts.len()).filter(|&to| to != from) {
                    let path = path(&net, from, to);
                    for pair in path.windows(2) {
                        if heights[pair[1].0] < heights[pair[0].0] {
                            assert_eq!(*user.entry(pair[0]).or_insert(to), to);
                        }
                    }
                }
            }
            // every down link to a switch is in use
            let links = net.links.len() - net.hosts.len();
            assert_eq!(user.len(), links);
        }
    }

    #[test]
    fn d_mod_k_goes_up_by_the_digits_of_the_destination() {
        let net = kary_ntree(4, 3, Timing::DEFAULT).unwrap();
        // host 63 = 3,3,3 (stage 0 first: 3); host 6 = digits 2, 1, 0
        let path = path(&net, 63, 6);
        let ports: Vec<usize> = path.iter().map(|p| p.1).collect();
        assert_eq!(ports, [4 + 2, 4 + 1, 0, 1, 2]);
        let stages: Vec<usize> = path.iter().map(|p| p.0 / 16).collect();
        assert_eq!(stages, [0, 1, 2, 1, 0]);
    }

    #[test]
    fn paths_have_the_length_of_the_nearest_common_stage() {
        let net = kary_ntree(2, 3, Timing::DEFAULT).unwrap();
        let hops: Vec<usize> = (1..8).map(|to| path(&net, 0, to).len()).collect();
        assert_eq!(hops, [1, 3, 3, 5, 5, 5, 5]);
    }

    #[test]
    fn min512_has_the_published_size() {
        let net = by_name("min512").unwrap();
        net.check().unwrap();
        assert_eq!((net.hosts.len(), net.switches.len(), net.links.len()), (512, 640, 5 * 512));
        assert!(net.switches.iter().all(|s| s.ports == 8));
        assert!(net.links.iter().all(|l| (l.interval, l.delay) == (14, 2)));
        let wiring = Wiring::new(&net);
        let linked = |switch: usize| -> Vec<usize> {
            (0..8).filter(|&port| wiring.peer(End::Switch { switch, port }).is_some()).collect()
        };
        assert!((0..512).all(|s| linked(s).len() == 8));
        for top in 512..640 {
            assert_eq!(linked(top), [0, 1, 2, 3]);
            let trees: Vec<usize> = wiring.neighbours(top).map(|n| (n.1 - 3 * 128) / 64).collect();
            assert_eq!(trees, [0, 0, 1, 1]);
        }
    }

    #[test]
    fn min512_routes_every_pair_in_nine_hops_and_by_the_digits_of_the_destination() {
        let net = by_name("min512").unwrap();
        let wiring = Wiring::new(&net);
        let mut hops = [0u32; 10];
        let mut user = std::collections::HashMap::new();
        for from in 0..512usize {
            for to in (0..512).filter(|&to| to != from) {
                let way = path_by(&wiring, &net, from, to); // arrives, or panics
                hops[way.len()] += 1;
                let digit = |i: usize| to / 4usize.pow(i as u32) % 4;
                let turn = way.len() / 2;
                for (stage, (switch, port)) in way.iter().enumerate() {
                    if stage < turn {
                        assert_eq!(*port, 4 + digit(stage), "{from} to {to}");
                    } else {
                        // going down: a line has one destination
                        assert_eq!(*user.entry((*switch, *port)).or_insert(to), to);
                    }
                }
                let top = (way.len() == 9).then(|| 2 * (to / 256) + digit(3) % 2);
                assert!(top.is_none_or(|port| way[4].1 == port));
            }
        }
        let same = |n: u32| 512 * n; // sources times destinations of that distance
        assert_eq!(hops, [0, same(3), 0, same(12), 0, same(48), 0, same(192), 0, same(256)]);
        assert_eq!(user.len(), 5 * 512);
    }

    #[test]
    fn a_min_is_the_tree_with_slow_links() {
        let (slow, tree) = (by_name("min:4:3").unwrap(), by_name("4ary-3tree").unwrap());
        assert_eq!((slow.hosts.len(), slow.switches.len(), slow.switches[0].ports), (64, 48, 8));
        assert!(slow.links.iter().zip(&tree.links).all(|(s, t)| (s.a, s.b, s.interval) == (t.a, t.b, 14)));
        assert!(slow.switches == tree.switches);
        assert_eq!(path(&slow, 0, 63).len(), 5);
        // 64 bytes in 64 ns
        assert!((slow.cycle_ps * 14).abs_diff(64_000) < 10);
    }

    #[test]
    fn only_the_up_ports_of_the_last_stage_are_free() {
        let net = kary_ntree(4, 3, Timing::DEFAULT).unwrap();
        let wiring = Wiring::new(&net);
        for (s, switch) in net.switches.iter().enumerate() {
            let linked =
                (0..switch.ports).filter(|&port| wiring.peer(End::Switch { switch: s, port }).is_some());
            let linked = linked.count();
            assert_eq!(linked, if s < 32 { 8 } else { 4 });
        }
    }

    #[test]
    fn a_tree_of_one_stage_is_a_switch() {
        let net = kary_ntree(4, 1, Timing::DEFAULT).unwrap();
        assert_eq!((net.hosts.len(), net.switches.len(), net.links.len()), (4, 1, 4));
        net.check().unwrap();
    }
}
