//! One-way multistage networks: hosts send to the first stage and receive from the last.

use anyhow::{Result, ensure};

use super::builder::{Builder, MAX_HOSTS};
use crate::fabric::net::{End, Network, Timing};
use crate::fabric::routing::Routing;

/// What joins two stages of a multistage network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Output u of switch w of stage s leads to the switch whose digit s is u and whose other digits are those of w, and
    /// arrives there at input "digit s of w": the links up of the k-ary n-tree.
    Butterfly,
    /// The perfect shuffle of the links, before the first stage too: link a, its digits moved up by one place, the top one
    /// coming in below.
    Shuffle,
}

/// A k-ary n-fly: k^n hosts, n stages of k^(n-1) switches with k inputs and k outputs. Port p of a switch is its input p
/// and its output p. Link w*k + p leaves output p of switch w of a stage, or host w*k + p, and likewise ends at input p
/// of switch w, or at a host. There is one way from each host to each host, which follows the digits of the destination.
pub fn multistage(k: usize, n: usize, pattern: Pattern, timing: Timing) -> Result<Network> {
    ensure!((2..=64).contains(&k), "k-ary n-fly: k = {k}: legal is 2..64 (switches have k ports)");
    ensure!(n >= 1, "k-ary n-fly: n = {n}: legal is 1 and more");
    let hosts = u32::try_from(n).ok().and_then(|n| k.checked_pow(n)).filter(|&h| h <= MAX_HOSTS);
    let Some(hosts) = hosts else { anyhow::bail!("k-ary n-fly: {k}^{n} hosts are more than {MAX_HOSTS}") };
    let width = hosts / k;
    let shuffle = |a: usize| a * k % hosts + a / width;

    let mut b = Builder::new(timing)?;
    b.net.name =
        format!("umin:{k}:{n}:{}", if pattern == Pattern::Butterfly { "butterfly" } else { "shuffle" });
    for stage in 0..n {
        for w in 0..width {
            b.switch(format!("s{stage}.{w}"), k);
        }
    }
    let end = |stage: usize, a: usize| End::Switch { switch: stage * width + a / k, port: a % k };
    for a in 0..hosts {
        let host = b.free_host(format!("h{a}"));
        let first = if pattern == Pattern::Shuffle { shuffle(a) } else { a };
        b.one_way(End::Host(host), end(0, first));
    }
    let mut place = k; // k^(stage + 1): the link's digit of "digit `stage` of its switch"
    for stage in 0..n - 1 {
        for a in 0..hosts {
            let to = match pattern {
                Pattern::Shuffle => shuffle(a),
                // its digits stage + 1 and 0 exchanged
                Pattern::Butterfly => {
                    let (high, low) = (a / place % k, a % k);
                    a - high * place - low + low * place + high
                }
            };
            b.one_way(end(stage, a), end(stage + 1, to));
        }
        place *= k;
    }
    for a in 0..hosts {
        b.one_way(end(n - 1, a), End::Host(a));
    }
    Routing::Shortest.apply(&mut b.net)?;
    Ok(b.net)
}

#[cfg(test)]
mod tests {
    use super::super::{by_name, path};
    use super::*;

    #[test]
    fn every_way_follows_the_digits_of_the_destination() {
        for (k, n) in [(2usize, 1usize), (2, 3), (3, 3), (4, 2)] {
            for pattern in [Pattern::Butterfly, Pattern::Shuffle] {
                let net = multistage(k, n, pattern, Timing::DEFAULT).unwrap();
                net.check().unwrap();
                let hosts = k.pow(n as u32);
                for from in 0..hosts {
                    for to in (0..hosts).filter(|&to| to != from) {
                        let way = path(&net, from, to);
                        let digit = |i: usize| to / k.pow(i as u32) % k;
                        let digits: Vec<usize> = match pattern {
                            Pattern::Butterfly => (1..n).chain([0]).map(digit).collect(),
                            Pattern::Shuffle => (0..n).rev().map(digit).collect(),
                        };
                        let ports: Vec<usize> = way.iter().map(|p| p.1).collect();
                        assert_eq!(ports, digits, "{pattern:?} {from} to {to}");
                        let stages: Vec<usize> = way.iter().map(|p| p.0 / (hosts / k)).collect();
                        assert_eq!(stages, (0..n).collect::<Vec<_>>());
                    }
                }
            }
        }
    }

    /// Flows 000 and 011 to 111 meet in the second stage, as in figure 8 of the MVCM paper.
    #[test]
    fn two_flows_to_one_host_meet_where_the_paper_draws_it() {
        let net = by_name("umin:2:3:butterfly").unwrap();
        let [a, b] = [path(&net, 0, 7), path(&net, 3, 7)];
        assert_ne!(a[0].0, b[0].0);
        assert_eq!(a[1..], b[1..]);
    }

    #[test]
    fn a_host_sends_to_the_first_stage_and_receives_from_the_last() {
        let net = by_name("umin:4:2:shuffle").unwrap();
        assert_eq!((net.hosts.len(), net.switches.len(), net.links.len()), (16, 8, 48));
        assert!(net.links.iter().all(|l| l.one_way));
        assert_eq!(net.switches[0].ports, 4);
    }
}
