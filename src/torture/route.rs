//! Which way packets go: in a tree of switches the only one, where switches have several ports up any of these until the destination is below.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::case::{Case, End};

/// Of each switch and host: the ports by which a packet for it leaves; several where the way up is drawn for each packet. None where there
/// is no way.
pub fn exits(case: &Case) -> Vec<Vec<Vec<usize>>> {
    let peers = case.peers();
    let towards: Vec<_> = (0..case.host.len()).map(|h| ports_towards(case, &peers, h)).collect();
    let of = |s: usize, h: usize| match towards[h][s] {
        Some(port) => vec![port],
        None if draws(case, s) => case.switch[s].up.clone(),
        None => {
            let up = &case.switch[s].up;
            up.get(h % up.len().max(1)).copied().into_iter().collect()
        }
    };
    (0..case.switch.len()).map(|s| (0..case.host.len()).map(|h| of(s, h)).collect()).collect()
}

/// Whether a switch draws its ways up (RANDOM_UP).
pub fn draws(case: &Case, s: usize) -> bool {
    case.switch[s].parameters.get("RANDOM_UP") == Some(&1) && !case.switch[s].up.is_empty()
}

/// Of each switch: the port towards each host, the first one of several. `None` where there is no way.
pub fn next_hops(case: &Case) -> Vec<Vec<Option<usize>>> {
    exits(case).iter().map(|s| s.iter().map(|ports| ports.first().copied()).collect()).collect()
}

/// Of each switch: the port towards host `h`, where it is the only one. Where some switch has ports up, only switches that `h` is below
/// have one.
fn ports_towards(case: &Case, peers: &BTreeMap<End, (usize, End)>, h: usize) -> Vec<Option<usize>> {
    let levels = case.switch.iter().any(|s| !s.up.is_empty());
    let mut ports = vec![None; case.switch.len()];
    let mut queue = VecDeque::from([End::Host(h)]);
    while let Some(end) = queue.pop_front() {
        // The switch at the other side of this end's link sends to the host over that link.
        let Some((_, End::Switch(s, port))) = peers.get(&end) else { continue };
        if ports[*s].is_none() {
            ports[*s] = Some(*port);
            let on = |p: &usize| if levels { case.switch[*s].up.contains(p) } else { p != port };
            queue.extend(peers.keys().filter(|e| matches!(e, End::Switch(n, p) if n == s && on(p))));
        }
    }
    ports
}

/// An output that packets may leave by: its switch, its port, the input by which they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// The switch.
    pub switch: usize,
    /// The output.
    pub out: usize,
    /// The input.
    pub input: usize,
}

/// What packets from an end to host `to` may pass: of each step all outputs. The walk ends after as many steps as there are switches,
/// whatever tables say; whether all of it ended at the host.
pub fn steps(case: &Case, exits: &[Vec<Vec<usize>>], from: End, to: usize) -> (Vec<Vec<Hop>>, bool) {
    let peers = case.peers();
    let mut at: BTreeSet<End> = peers.get(&from).map(|x| x.1).into_iter().collect();
    let (mut all, mut whole) = (Vec::new(), !at.is_empty());
    loop {
        whole &= at.iter().all(|e| matches!(e, End::Switch(..)) || *e == End::Host(to));
        let mut step = Vec::new();
        for end in &at {
            let End::Switch(switch, input) = *end else { continue };
            whole &= !exits[switch][to].is_empty();
            step.extend(exits[switch][to].iter().map(|out| Hop { switch, out: *out, input }));
        }
        if step.is_empty() {
            return (all, whole);
        }
        if all.len() == case.switch.len() {
            return (all, false);
        }
        let next = |hop: &Hop| peers.get(&End::Switch(hop.switch, hop.out)).map(|x| x.1);
        whole &= step.iter().all(|hop| next(hop).is_some());
        at = step.iter().filter_map(next).collect();
        all.push(step);
    }
}

/// Nodes (switches first, then hosts) and links that a packet of a pair may pass; with `back`, what is told of it, too.
pub fn way(case: &Case, from: usize, to: usize, back: bool) -> (Vec<usize>, Vec<usize>) {
    let (peers, exits) = (case.peers(), exits(case));
    let mut nodes = BTreeSet::from([case.switch.len() + from, case.switch.len() + to]);
    let mut links = BTreeSet::new();
    let mut walk = |begin: End, to: usize| -> Vec<Hop> {
        links.extend(peers.get(&begin).map(|x| x.0));
        let hops: Vec<Hop> = steps(case, &exits, begin, to).0.into_iter().flatten().collect();
        nodes.extend(hops.iter().map(|h| h.switch));
        links.extend(hops.iter().filter_map(|h| peers.get(&End::Switch(h.switch, h.out)).map(|x| x.0)));
        hops
    };
    let forth = walk(End::Host(from), to);
    if back {
        walk(End::Host(to), from);
        // A switch says what it dropped: from each of its outputs towards the source.
        for hop in forth {
            for out in &exits[hop.switch][from] {
                walk(End::Switch(hop.switch, *out), from);
            }
        }
    }
    (nodes.into_iter().collect(), links.into_iter().collect())
}
