//! Who waits for whom on the lanes of control and of replies (YA3): a probe that a router refuses, or that an adapter answers, waits in its
//! lane until its reply has a place on the way back.

use std::collections::{BTreeMap, BTreeSet};

use crate::worm::Net;
use crate::worm::net::NodeId;

/// The FIFO of a lane at an input of a router: router, port, lane.
type Fifo = (usize, usize, usize);

const CONTROL: usize = 0;
const REPLY: usize = 1;

/// For what a FIFO waits, with replies on such a lane.
fn waits(net: &Net, reply: usize) -> BTreeMap<Fifo, BTreeSet<Fifo>> {
    let mut waits: BTreeMap<Fifo, BTreeSet<Fifo>> = BTreeMap::new();
    let mut follow = |way: &[(usize, usize)], lane: usize| {
        for two in way.windows(2) {
            let [a, b] = [two[0], two[1]].map(|(r, port)| (r, port, lane));
            waits.entry(a).or_default().insert(b);
        }
    };
    let pairs =
        || (0..net.hosts()).flat_map(|s| (0..net.hosts()).map(move |d| (s, d))).filter(|(s, d)| s != d);
    let mut answers = Vec::new();
    for (s, d) in pairs() {
        let probe = net.way(NodeId::Host(s), d);
        follow(&probe, CONTROL);
        // Each router may refuse it; the adapter behind the last one answers it.
        let nodes = probe.iter().map(|(r, _)| NodeId::Router(*r)).chain([NodeId::Host(d)]);
        let last = probe.last().copied();
        for ((r, port), node) in probe.iter().copied().chain(last).zip(nodes) {
            let back = net.way(node, s);
            follow(&back, reply);
            answers.extend(back.first().map(|(br, bp)| ((r, port, CONTROL), (*br, *bp, reply))));
        }
    }
    for (probe, back) in answers {
        waits.entry(probe).or_default().insert(back);
    }
    waits
}

/// FIFOs that wait for each other: what is left when those that wait for nobody are taken away, again and again.
fn circle(mut waits: BTreeMap<Fifo, BTreeSet<Fifo>>) -> BTreeSet<Fifo> {
    loop {
        let of: BTreeSet<Fifo> = waits.keys().copied().collect();
        waits.values_mut().for_each(|w| w.retain(|f| of.contains(f)));
        waits.retain(|_, w| !w.is_empty());
        if waits.len() == of.len() {
            return of;
        }
    }
}

#[test]
fn replies_on_the_lane_of_control_would_wait_in_a_circle_and_on_their_own_do_not() {
    for name in ["star:2", "mesh:2x2", "mesh:4x1", "mesh:5x5"] {
        let net = Net::by_name(name).unwrap();
        assert!(!circle(waits(&net, CONTROL)).is_empty(), "{name}");
        assert_eq!(circle(waits(&net, REPLY)), BTreeSet::new(), "{name}");
    }
    // The smallest one: two hosts ask each other, and each adapter has a probe in front of what it answers.
    let two = Net::by_name("star:2").unwrap();
    assert_eq!(circle(waits(&two, CONTROL)), BTreeSet::from([(0, 0, CONTROL), (0, 1, CONTROL)]));
}

#[test]
fn routes_alone_have_no_circle() {
    let net = Net::by_name("mesh:5x5").unwrap();
    let lanes = waits(&net, REPLY);
    let routes =
        lanes.into_iter().map(|(f, w)| (f, w.into_iter().filter(|g| g.2 == f.2).collect())).collect();
    assert_eq!(circle(routes), BTreeSet::new());
}
