//! A network of wormhole routers, and what is written into them before traffic begins.

use std::collections::{HashMap, VecDeque};

use anyhow::{Context, Result, bail};

use super::catalogue::Scheme;
use super::settings::Settings;
use crate::fabric::net::{End, NO_ROUTE, Network};
use crate::fabric::topology;
use crate::fabric::wiring::Wiring;
use crate::model::worm::wires::{Access, Entry, MOST};
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::scheme::any_up::seed;

/// The network, and who is at the other end of each port.
#[derive(Clone, Debug)]
pub struct Net {
    /// Routers, hosts, links and forwarding tables.
    pub net: Network,
    wiring: Wiring,
}

/// A node: routers come first, then hosts (with their adapters), then injection control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeId {
    /// A router.
    Router(usize),
    /// A host's adapter.
    Host(usize),
    /// The injection control beside it, where a scheme has it.
    Control(usize),
}

/// One write of the configuration phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// A register.
    Register(Access),
    /// An entry of a forwarding table.
    Entry(Entry),
    /// The useful outputs for a DLID, of injection control.
    Useful {
        /// The DLID.
        dlid: u16,
        /// Outputs, a bit each.
        outputs: u32,
    },
}

impl Write {
    /// A register of a unit by its name; of a router at one port or at [`ALL_PORTS`].
    pub fn register(unit: UnitKind, port: u8, name: &str, data: u32) -> Write {
        Write::Register(Access { write: true, read: false, port, addr: addr(unit, name), data })
    }
}

/// Hosts of a network: more would take longer to write tables for than to run.
const MOST_HOSTS: usize = 1024;

/// `cfg_port`: all ports.
pub const ALL_PORTS: u8 = 255;

impl Net {
    /// `mesh:XxY` or `star:N`.
    pub fn by_name(name: &str) -> Result<Net> {
        if !matches!(name.split_once(':'), Some(("mesh" | "star", _))) {
            bail!("network {name:?}: of wormhole routers there are mesh:XxY and star:N");
        }
        let net = topology::by_name(name).with_context(|| format!("network {name}"))?;
        // (Forwarding tables are written an entry a cycle, in all routers at once.)
        if net.hosts.len() > MOST_HOSTS {
            bail!("network {name:?}: {} hosts, {MOST_HOSTS} at most in a wormhole network", net.hosts.len());
        }
        if let Some(s) = net.switches.iter().find(|s| s.ports > MOST) {
            bail!("network {name:?}: {} ports, a wormhole router has {MOST} at most", s.ports);
        }
        let wiring = Wiring::new(&net);
        Ok(Net { net, wiring })
    }

    /// Number of routers.
    pub fn routers(&self) -> usize {
        self.net.switches.len()
    }

    /// Number of hosts.
    pub fn hosts(&self) -> usize {
        self.net.hosts.len()
    }

    /// Ports of a router.
    pub fn ports(&self, router: usize) -> usize {
        self.net.switches[router].ports
    }

    /// Most ports of a router.
    pub fn most_ports(&self) -> usize {
        self.net.switches.iter().map(|s| s.ports).max().unwrap_or(0)
    }

    /// All nodes under a scheme, by number.
    pub fn nodes(&self, scheme: Scheme) -> impl Iterator<Item = NodeId> + use<> {
        let controls = if scheme.control == 0 { 0 } else { self.hosts() };
        let nodes = (0..self.routers()).map(NodeId::Router).chain((0..self.hosts()).map(NodeId::Host));
        nodes.chain((0..controls).map(NodeId::Control))
    }

    /// The number of a node.
    pub fn number(&self, id: NodeId) -> usize {
        match id {
            NodeId::Router(r) => r,
            NodeId::Host(h) => self.routers() + h,
            NodeId::Control(h) => self.routers() + self.hosts() + h,
        }
    }

    /// Name of a node.
    pub fn name(&self, id: NodeId) -> String {
        match id {
            NodeId::Router(r) => self.net.switches[r].name.clone(),
            NodeId::Host(h) => self.net.hosts[h].name.clone(),
            NodeId::Control(h) => format!("{}.control", self.net.hosts[h].name),
        }
    }

    /// The node of a name, under a scheme.
    pub fn named(&self, name: &str, scheme: Scheme) -> Option<NodeId> {
        self.nodes(scheme).find(|id| self.name(*id) == name)
    }

    /// The router of a host.
    pub fn router_of(&self, host: usize) -> usize {
        match self.peer(NodeId::Host(host), 0) {
            Some((NodeId::Router(r), _)) => r,
            _ => 0,
        }
    }

    /// What a node is made of, and its parameters.
    pub fn unit(&self, id: NodeId, settings: &Settings) -> (UnitKind, Params) {
        match id {
            NodeId::Router(r) => {
                (UnitKind::WormRouter, settings.router(self.net.switches[r].ports, self.hosts()))
            }
            NodeId::Host(_) => (UnitKind::WormAdapter, settings.adapter()),
            NodeId::Control(h) => {
                let ports = self.ports(self.router_of(h));
                (UnitKind::InjectionControl, settings.control(ports, self.hosts()))
            }
        }
    }

    /// The node at the other end of a port, and its port; of injection control its adapter.
    pub fn peer(&self, id: NodeId, port: usize) -> Option<(NodeId, usize)> {
        let end = match id {
            NodeId::Router(switch) => End::Switch { switch, port },
            NodeId::Host(h) => End::Host(h),
            NodeId::Control(h) => return (port == 0).then_some((NodeId::Host(h), 0)),
        };
        self.wiring.peer(end).map(|peer| match peer.end {
            End::Switch { switch, port } => (NodeId::Router(switch), port),
            End::Host(h) => (NodeId::Host(h), 0),
        })
    }

    /// Routers that a message from a node passes on its way to a host, behind the node itself, and the inputs by which it comes to them.
    pub fn way(&self, from: NodeId, to: usize) -> Vec<(usize, usize)> {
        let next = |node: NodeId| {
            let out = match node {
                NodeId::Router(r) => self.net.switches[r].lft[to + 1].into(),
                _ => 0,
            };
            match self.peer(node, out)? {
                (NodeId::Router(r), port) => Some((r, port)),
                _ => None,
            }
        };
        std::iter::successors(next(from), |(r, _)| next(NodeId::Router(*r))).collect()
    }

    /// The node's number for admission: routers count from 1, since 0 is what nobody has written.
    fn node_id(router: usize) -> u32 {
        router as u32 + 1
    }

    /// What is written into a node. Draws begin differently at each port and adapter.
    pub fn writes(&self, id: NodeId, settings: &Settings, scheme: Scheme, run: u64) -> Vec<Write> {
        match id {
            NodeId::Router(r) => self.router_writes(r, settings, run),
            NodeId::Host(h) => self.adapter_writes(h, settings, scheme.credits, run),
            NodeId::Control(h) => self.control_writes(h, settings, scheme.control),
        }
    }

    /// Routers on the way from one to another: links between them.
    fn distances(&self, from: usize) -> Vec<usize> {
        let mut far = vec![usize::MAX; self.routers()];
        let mut next = VecDeque::from([from]);
        far[from] = 0;
        while let Some(r) = next.pop_front() {
            for p in 0..self.ports(r) {
                if let Some((NodeId::Router(peer), _)) = self.peer(NodeId::Router(r), p)
                    && far[peer] == usize::MAX
                {
                    far[peer] = far[r] + 1;
                    next.push_back(peer);
                }
            }
        }
        far
    }

    /// Outputs of a router, a bit each.
    fn outputs(&self, router: usize, is: impl Fn(NodeId) -> bool) -> u32 {
        let peers =
            (0..self.ports(router)).filter_map(|p| Some((p, self.peer(NodeId::Router(router), p)?.0)));
        peers.filter(|(_, peer)| is(*peer)).fold(0, |set, (p, _)| set | 1 << p)
    }

    /// Useful outputs lead nearer. The channels of clause (b) of ALO are outputs with a link that does not lead to the host itself. Of the
    /// hosts of a router the first one's unit counts the router's lanes.
    fn control_writes(&self, h: usize, settings: &Settings, control: u32) -> Vec<Write> {
        let write = |name: &str, data| Write::register(UnitKind::InjectionControl, 0, name, data);
        let (vls, router) = (settings.vls as u32, self.router_of(h));
        let ports: usize = (0..self.routers()).map(|r| self.ports(r)).sum();
        let all = (ports + self.hosts()) as u32 * vls;
        // (Links lead both ways, so it is as far from there as to there.)
        let far = self.distances(router);
        let far_of: HashMap<usize, Vec<usize>> = (0..self.ports(router))
            .filter_map(|p| match self.peer(NodeId::Router(router), p)?.0 {
                NodeId::Router(r) => Some((r, self.distances(r))),
                _ => None,
            })
            .collect();
        let useful = |to: usize| {
            let at = self.router_of(to);
            let nearer = |peer: NodeId| match peer {
                NodeId::Router(r) => far_of[&r][at] < far[at],
                other => other == NodeId::Host(to),
            };
            Write::Useful { dlid: to as u16 + 1, outputs: self.outputs(router, nearer) }
        };
        let first = (0..h).all(|other| self.router_of(other) != router);
        let mut list: Vec<Write> = (0..self.hosts()).map(useful).collect();
        list.push(write("CHANNELS", self.outputs(router, |peer| peer != NodeId::Host(h))));
        list.extend(settings.control_registers(all).iter().map(|(name, data)| write(name, *data)));
        list.push(write("CTRL", control | u32::from(first) << 2));
        list
    }

    fn router_writes(&self, r: usize, settings: &Settings, run: u64) -> Vec<Write> {
        let write = |port: u8, name: &str, data| Write::register(UnitKind::WormRouter, port, name, data);
        let switch = &self.net.switches[r];
        let lft = switch.lft.iter().enumerate().filter(|(_, port)| **port != NO_ROUTE);
        let mut list: Vec<Write> =
            lft.map(|(lid, &port)| Write::Entry(Entry { dlid: lid as u16, port })).collect();
        list.extend(settings.router_registers().iter().map(|(name, data)| write(ALL_PORTS, name, *data)));
        list.extend((0..switch.ports).map(|p| write(p as u8, "LFSR_SEED", seed(run, r, p))));
        if settings.admits() {
            list.push(write(ALL_PORTS, "NODE_ID", Net::node_id(r)));
            for p in 0..switch.ports {
                let next = match self.peer(NodeId::Router(r), p) {
                    Some((NodeId::Router(next), _)) => Net::node_id(next),
                    Some(_) => 1 << 16,
                    None => 0,
                };
                list.push(write(p as u8, "NEXT", next));
            }
            list.push(write(ALL_PORTS, "CTRL", 1));
        }
        list
    }

    fn adapter_writes(&self, h: usize, settings: &Settings, credits: bool, run: u64) -> Vec<Write> {
        let write = |name: &str, data| Write::register(UnitKind::WormAdapter, 0, name, data);
        let mut list: Vec<Write> =
            settings.adapter_registers().iter().map(|(name, data)| write(name, *data)).collect();
        list.extend([
            write("LID", h as u32 + 1),
            write("LFSR_SEED", seed(run, self.routers() + h, 0)),
            write("FIRST_NODE", Net::node_id(self.router_of(h))),
            write("CTRL", settings.adapter_ctrl(credits)),
        ]);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ways() {
        let net = Net::by_name("mesh:3x2").unwrap();
        assert_eq!((net.routers(), net.hosts(), net.ports(0)), (6, 6, 5));
        // Links: the host's own, and one behind each router.
        let hops = |from, to| 1 + net.way(NodeId::Host(from), to).len();
        assert_eq!((hops(0, 0), hops(0, 1), hops(0, 5)), (2, 3, 5));
        assert_eq!(net.peer(NodeId::Router(0), 1), Some((NodeId::Router(1), 3)));
        assert_eq!(net.peer(NodeId::Router(0), 4), Some((NodeId::Host(0), 0)));
        assert_eq!(net.peer(NodeId::Router(0), 3), None);
        for name in ["4ary-3tree", "star:17", "mesh:axb", "mesh:33x32"] {
            assert!(Net::by_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn useful_outputs_lead_nearer() {
        let net = Net::by_name("mesh:3x3").unwrap();
        let scheme = super::super::catalogue::find("alo").unwrap();
        let writes = net.writes(NodeId::Control(0), &Settings::default(), scheme, 1);
        let of = |host: u16| {
            let mut found = writes.iter().filter_map(|w| match w {
                Write::Useful { dlid, outputs } if *dlid == host + 1 => Some(*outputs),
                _ => None,
            });
            found.next().unwrap()
        };
        // To itself, along x, along y, both.
        assert_eq!([of(0), of(2), of(6), of(8)], [1 << 4, 1 << 1, 1 << 0, 0b11]);
        let channels = addr(UnitKind::InjectionControl, "CHANNELS");
        let channels = writes.iter().find_map(|w| match w {
            Write::Register(a) if a.addr == channels => Some(a.data),
            _ => None,
        });
        assert_eq!(channels, Some(0b11), "a corner has two neighbours");
    }

    #[test]
    fn all_draws_begin_differently() {
        let net = Net::by_name("mesh:4x4").unwrap();
        let at = [addr(UnitKind::WormRouter, "LFSR_SEED"), addr(UnitKind::WormAdapter, "LFSR_SEED")];
        let scheme = super::super::catalogue::find("credit").unwrap();
        let writes = net.nodes(scheme).flat_map(|id| net.writes(id, &Settings::default(), scheme, 1));
        let seeds = writes.filter_map(|w| match w {
            Write::Register(a) if at.contains(&a.addr) => Some(a.data),
            _ => None,
        });
        let mut seeds: Vec<u32> = seeds.collect();
        assert_eq!(seeds.len(), 16 * 6);
        seeds.sort_unstable();
        seeds.dedup();
        assert!(seeds.len() > 16 * 6 - 2, "{} of 96 seeds", seeds.len());
    }
}
