//! Who is at the other end of each port of a network. The two directions of a port may lead to different ends, if its
//! links are one-way.

use super::net::{End, Network};

/// What a port is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The other end of the link.
    pub end: End,
    /// Index of the link.
    pub link: usize,
}

/// The peers of all ports in one direction.
#[derive(Clone, Debug)]
struct Ports {
    hosts: Vec<Option<Peer>>,
    switches: Vec<Vec<Option<Peer>>>,
}

impl Ports {
    fn none(net: &Network) -> Ports {
        Ports {
            hosts: vec![None; net.hosts.len()],
            switches: net.switches.iter().map(|s| vec![None; s.ports]).collect(),
        }
    }

    fn slot(&mut self, end: End) -> Option<&mut Option<Peer>> {
        match end {
            End::Host(h) => self.hosts.get_mut(h),
            End::Switch { switch, port } => self.switches.get_mut(switch)?.get_mut(port),
        }
    }

    fn get(&self, end: End) -> Option<Peer> {
        match end {
            End::Host(h) => *self.hosts.get(h)?,
            End::Switch { switch, port } => *self.switches.get(switch)?.get(port)?,
        }
    }

    /// (port, what it is connected to) of a switch, in the order of the ports.
    fn of(&self, switch: usize) -> impl Iterator<Item = (usize, End)> + '_ {
        self.switches[switch].iter().enumerate().filter_map(|(port, peer)| Some((port, peer.as_ref()?.end)))
    }
}

/// The links of a network by port.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// Where each port sends to.
    to: Ports,
    /// From where each port receives.
    from: Ports,
}

impl Wiring {
    /// The wiring of a network. Ends that do not exist are left out and of two links on a port the first counts:
    /// [`Network::check`] reports both.
    pub fn new(net: &Network) -> Wiring {
        let mut wiring = Wiring { to: Ports::none(net), from: Ports::none(net) };
        for way in net.ways() {
            let peer = |end| Peer { end, link: way.link };
            if let (Some(to), Some(from)) = (wiring.to.slot(way.from), wiring.from.slot(way.to)) {
                to.get_or_insert(peer(way.to));
                from.get_or_insert(peer(way.from));
            }
        }
        wiring
    }

    /// Where a port sends to.
    pub fn peer(&self, end: End) -> Option<Peer> {
        self.to.get(end)
    }

    /// From where a port receives.
    pub fn source(&self, end: End) -> Option<Peer> {
        self.from.get(end)
    }

    /// Tells of every link from one host to another, by the forwarding tables; false if they do not lead there.
    pub fn walk(&self, net: &Network, from: usize, to: usize, mut each: impl FnMut(usize)) -> bool {
        let mut next = self.peer(End::Host(from));
        for _ in 0..=net.switches.len() {
            let Some(peer) = next else { return false };
            each(peer.link);
            let End::Switch { switch, .. } = peer.end else { return peer.end == End::Host(to) };
            let port = net.switches[switch].lft.get(usize::from(net.lid(to)));
            next = port.and_then(|&port| self.peer(End::Switch { switch, port: port.into() }));
        }
        false
    }

    /// Switch and port from which a host receives.
    pub fn switch_of(&self, host: usize) -> Option<(usize, usize)> {
        match self.source(End::Host(host))?.end {
            End::Switch { switch, port } => Some((switch, port)),
            End::Host(_) => None,
        }
    }

    /// (port, switch, its port) of every switch that a switch sends to, in the order of the ports.
    pub fn neighbours(&self, switch: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.to.of(switch).filter_map(|(port, end)| match end {
            End::Switch { switch, port: far } => Some((port, switch, far)),
            End::Host(_) => None,
        })
    }

    /// Every switch that a switch receives from, in the order of the ports.
    fn sources(&self, switch: usize) -> impl Iterator<Item = usize> + '_ {
        self.from.of(switch).filter_map(|(_, end)| match end {
            End::Switch { switch, .. } => Some(switch),
            End::Host(_) => None,
        })
    }

    /// (port, host) of every host that a switch sends to, in the order of the ports.
    pub fn hosts_of(&self, switch: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.to.of(switch).filter_map(|(port, end)| match end {
            End::Host(host) => Some((port, host)),
            End::Switch { .. } => None,
        })
    }

    /// Every host that a switch receives from, in the order of the ports.
    pub fn senders_of(&self, switch: usize) -> impl Iterator<Item = usize> + '_ {
        self.from.of(switch).filter_map(|(_, end)| match end {
            End::Host(host) => Some(host),
            End::Switch { .. } => None,
        })
    }

    /// Links between each switch and the nearest host, 0 for a switch with hosts, `u32::MAX` if it reaches none.
    pub fn heights(&self) -> Vec<u32> {
        let starts: Vec<usize> =
            (0..self.to.switches.len()).filter(|&s| self.hosts_of(s).next().is_some()).collect();
        self.distances(&starts)
    }

    /// Links from each switch to the nearest of `goals`, `u32::MAX` if there is no way.
    pub fn distances(&self, goals: &[usize]) -> Vec<u32> {
        self.search(goals, |s, found| self.sources(s).for_each(found))
    }

    /// Whether each switch is joined to `start`, whatever the direction of the links between them.
    pub fn joined(&self, start: usize) -> Vec<bool> {
        let both = |s: usize, found: &mut dyn FnMut(usize)| {
            self.sources(s).chain(self.neighbours(s).map(|n| n.1)).for_each(found);
        };
        self.search(&[start], both).into_iter().map(|d| d != u32::MAX).collect()
    }

    fn search(&self, starts: &[usize], next: impl Fn(usize, &mut dyn FnMut(usize))) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.to.switches.len()];
        for &s in starts {
            distance[s] = 0;
        }
        let mut queue = std::collections::VecDeque::from(starts.to_vec());
        while let Some(s) = queue.pop_front() {
            let far = distance[s] + 1;
            next(s, &mut |t| {
                if distance[t] == u32::MAX {
                    distance[t] = far;
                    queue.push_back(t);
                }
            });
        }
        distance
    }
}
