//! What reservation costs: what links carry, and what is sent before its time and dropped.

use serde::{Deserialize, Serialize};

use super::spread::mean_and_sd;
use crate::fabric::net::Network;
use crate::fabric::wiring::Wiring;

/// Flits that all links carried, by the packets that they were of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// Of packets sent in their time.
    pub granted: u64,
    /// Of packets for which no time was asked.
    pub bypass: u64,
    /// Of packets sent before their time.
    pub spec: u64,
    /// RES, GRANT, ACK, NACK.
    pub control: u64,
}

/// The same, with speculative packets by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channels {
    /// Of packets sent in their time.
    pub granted: u64,
    /// Of packets for which no time was asked.
    pub bypass: u64,
    /// Of speculative packets that were delivered.
    pub spec_delivered: u64,
    /// Of those that were dropped, or are on their way when the run ends.
    pub spec_dropped: u64,
    /// RES, GRANT, ACK, NACK.
    pub control: u64,
}

impl Channels {
    pub(super) fn new(carried: &Carried, delivered: u64) -> Channels {
        let Carried { granted, bypass, spec, control } = *carried;
        let spec_delivered = delivered.min(spec);
        Channels { granted, bypass, spec_delivered, spec_dropped: spec - spec_delivered, control }
    }

    /// All together.
    pub fn all(&self) -> u64 {
        self.granted + self.bypass + self.spec_delivered + self.spec_dropped + self.control
    }
}

/// Speculative flits at the adapters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speculation {
    /// Flits sent before their time.
    pub injected: u64,
    /// Of these dropped: their sources know it.
    pub dropped: u64,
}

/// What the senders of a group get, in flits per cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// The group.
    pub name: String,
    /// Senders.
    pub senders: usize,
    /// Mean over the senders of what was delivered of each.
    pub mean: f64,
    /// Its standard deviation over the senders.
    pub sd: f64,
}

impl Shares {
    pub(super) fn new(name: &str, rates: &[f64]) -> Shares {
        let (mean, sd) = mean_and_sd(rates);
        Shares { name: name.into(), senders: rates.len(), mean, sd }
    }
}

/// Links from each host to each other, row by row; 0 without a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    hosts: usize,
    links: Vec<u8>,
}

impl Distances {
    /// By the forwarding tables of a network.
    pub fn new(net: &Network) -> Distances {
        let wiring = Wiring::new(net);
        let hosts = net.hosts.len();
        let way = |from: usize, to: usize| {
            let mut links = 0u8;
            wiring.walk(net, from, to, |_| links = links.saturating_add(1)).then_some(links)
        };
        let pairs = (0..hosts).flat_map(|from| (0..hosts).map(move |to| (from, to)));
        Distances { hosts, links: pairs.map(|(a, b)| way(a, b).unwrap_or(0)).collect() }
    }

    /// From one host to another.
    pub fn links(&self, from: u32, to: u32) -> u64 {
        self.links[from as usize * self.hosts + to as usize].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::topology::by_name;

    #[test]
    fn distances_are_links() {
        let net = by_name("srp-1").unwrap();
        let d = Distances::new(&net);
        assert_eq!((d.links(0, 1), d.links(0, 7), d.links(3, 7), d.links(7, 0)), (2, 3, 2, 3));
        let net = by_name("kary-ntree:4:2").unwrap();
        let d = Distances::new(&net);
        assert_eq!((d.links(0, 3), d.links(0, 4), d.links(15, 0)), (2, 4, 4));
    }

    #[test]
    fn what_is_not_delivered_was_dropped() {
        let c = Channels::new(&Carried { granted: 1, bypass: 2, spec: 10, control: 4 }, 7);
        assert_eq!((c.spec_delivered, c.spec_dropped, c.all()), (7, 3, 17));
        let s = Shares::new("hot", &[0.1, 0.3]);
        assert!((s.mean - 0.2).abs() < 1e-12 && (s.sd - 0.1).abs() < 1e-12);
    }
}
