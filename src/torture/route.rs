//! Which way packets go.

use std::collections::{BTreeMap, VecDeque};

use super::case::{Case, End};

/// Of each switch: the port towards each host. `None` where there is no way.
pub fn next_hops(case: &Case) -> Vec<Vec<Option<usize>>> {
    let peers = case.peers();
    let towards: Vec<Vec<Option<usize>>> =
        (0..case.host.len()).map(|h| ports_towards(case, &peers, h)).collect();
    (0..case.switch.len()).map(|s| towards.iter().map(|ports| ports[s]).collect()).collect()
}

/// Of each switch: the port towards host `h`.
pub(super) fn ports_towards(
    case: &Case,
    peers: &BTreeMap<End, (usize, End)>,
    h: usize,
) -> Vec<Option<usize>> {
    let mut ports = vec![None; case.switch.len()];
    let mut queue = VecDeque::from([End::Host(h)]);
    while let Some(end) = queue.pop_front() {
        // The switch at the other side of this end's link sends to the host over that link.
        let Some((_, End::Switch(s, port))) = peers.get(&end) else { continue };
        if ports[*s].is_none() {
            ports[*s] = Some(*port);
            queue.extend(peers.keys().filter(|e| matches!(e, End::Switch(n, p) if n == s && p != port)));
        }
    }
    ports
}
