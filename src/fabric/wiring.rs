//! Who is at the other end of each port of a network.

use super::net::{End, Network};

/// What a port is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The other end of the link.
    pub end: End,
    /// Index of the link.
    pub link: usize,
}

/// The links of a network by port.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// Peer of each host.
    pub hosts: Vec<Option<Peer>>,
    /// Peer of each port of each switch.
    pub switches: Vec<Vec<Option<Peer>>>,
}

impl Wiring {
    /// The wiring of a network. Ends that do not exist are left out and of two links on a port the first counts:
    /// [`Network::check`] reports both.
    pub fn new(net: &Network) -> Wiring {
        let mut wiring = Wiring {
            hosts: vec![None; net.hosts.len()],
            switches: net.switches.iter().map(|s| vec![None; s.ports]).collect(),
        };
        for (index, link) in net.links.iter().enumerate() {
            if wiring.slot(link.a).is_none() || wiring.slot(link.b).is_none() {
                continue;
            }
            for (here, there) in [(link.a, link.b), (link.b, link.a)] {
                if let Some(slot @ None) = wiring.slot(here) {
                    *slot = Some(Peer { end: there, link: index });
                }
            }
        }
        wiring
    }

    fn slot(&mut self, end: End) -> Option<&mut Option<Peer>> {
        match end {
            End::Host(h) => self.hosts.get_mut(h),
            End::Switch { switch, port } => self.switches.get_mut(switch)?.get_mut(port),
        }
    }

    /// What an end is connected to.
    pub fn peer(&self, end: End) -> Option<Peer> {
        match end {
            End::Host(h) => *self.hosts.get(h)?,
            End::Switch { switch, port } => *self.switches.get(switch)?.get(port)?,
        }
    }

    /// Switch and port that a host is connected to.
    pub fn switch_of(&self, host: usize) -> Option<(usize, usize)> {
        match self.peer(End::Host(host))?.end {
            End::Switch { switch, port } => Some((switch, port)),
            End::Host(_) => None,
        }
    }

    /// (port, switch, its port) of every link of a switch to a switch, in the order of the ports.
    pub fn neighbours(&self, switch: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.switches[switch].iter().enumerate().filter_map(|(port, peer)| match peer.as_ref()?.end {
            End::Switch { switch, port: far } => Some((port, switch, far)),
            End::Host(_) => None,
        })
    }

    /// (port, host) of every host of a switch, in the order of the ports.
    pub fn hosts_of(&self, switch: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.switches[switch].iter().enumerate().filter_map(|(port, peer)| match peer.as_ref()?.end {
            End::Host(host) => Some((port, host)),
            End::Switch { .. } => None,
        })
    }

    /// Links between each switch and the nearest host, 0 for a switch with hosts, `u32::MAX` if it reaches none.
    pub fn heights(&self) -> Vec<u32> {
        let starts: Vec<usize> =
            (0..self.switches.len()).filter(|&s| self.hosts_of(s).next().is_some()).collect();
        self.distances(&starts)
    }

    /// Links between each switch and the nearest of `starts`, `u32::MAX` if there is no way.
    pub fn distances(&self, starts: &[usize]) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.switches.len()];
        for &s in starts {
            distance[s] = 0;
        }
        let mut queue = std::collections::VecDeque::from(starts.to_vec());
        while let Some(s) = queue.pop_front() {
            for (_, t, _) in self.neighbours(s) {
                if distance[t] == u32::MAX {
                    distance[t] = distance[s] + 1;
                    queue.push_back(t);
                }
            }
        }
        distance
    }
}
