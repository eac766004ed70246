//! A network of wormhole routers, and what is written into them before traffic begins.

use anyhow::{Context, Result, bail};

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

/// A node: routers come first, then hosts (with their adapters).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeId {
    /// A router.
    Router(usize),
    /// A host's adapter.
    Host(usize),
}

/// One write of the configuration phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// A register.
    Register(Access),
    /// An entry of a forwarding table.
    Entry(Entry),
}

fn register(unit: UnitKind, port: u8, name: &str, data: u32) -> Write {
    Write::Register(Access { write: true, read: false, port, addr: addr(unit, name), data })
}

/// `cfg_port`: all ports.
const ALL: u8 = 255;

impl Net {
    /// `mesh:XxY` or `star:N`.
    pub fn by_name(name: &str) -> Result<Net> {
        if !matches!(name.split_once(':'), Some(("mesh" | "star", _))) {
            bail!("network {name:?}: of wormhole routers there are mesh:XxY and star:N");
        }
        let net = topology::by_name(name).with_context(|| format!("network {name}"))?;
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

    /// All nodes, by number.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.routers()).map(NodeId::Router).chain((0..self.hosts()).map(NodeId::Host))
    }

    /// Name of a node.
    pub fn name(&self, id: NodeId) -> &str {
        match id {
            NodeId::Router(r) => &self.net.switches[r].name,
            NodeId::Host(h) => &self.net.hosts[h].name,
        }
    }

    /// What a node is made of, and its parameters.
    pub fn unit(&self, id: NodeId, settings: &Settings) -> (UnitKind, Params) {
        match id {
            NodeId::Router(r) => {
                (UnitKind::WormRouter, settings.router(self.net.switches[r].ports, self.hosts()))
            }
            NodeId::Host(_) => (UnitKind::WormAdapter, settings.adapter()),
        }
    }

    /// The node at the other end of a port, and its port.
    pub fn peer(&self, id: NodeId, port: usize) -> Option<(NodeId, usize)> {
        let end = match id {
            NodeId::Router(switch) => End::Switch { switch, port },
            NodeId::Host(h) => End::Host(h),
        };
        self.wiring.peer(end).map(|peer| match peer.end {
            End::Switch { switch, port } => (NodeId::Router(switch), port),
            End::Host(h) => (NodeId::Host(h), 0),
        })
    }

    /// Links over which a flit goes from one host to another, with those of the hosts.
    pub fn hops(&self, from: usize, to: usize) -> usize {
        let Some((NodeId::Router(mut at), _)) = self.peer(NodeId::Host(from), 0) else { return 0 };
        let mut hops = 1;
        loop {
            let out = self.net.switches[at].lft[to + 1];
            hops += 1;
            match self.peer(NodeId::Router(at), out.into()) {
                Some((NodeId::Router(next), _)) => at = next,
                _ => return hops,
            }
        }
    }

    /// The node's number for admission: routers count from 1, since 0 is what nobody has written.
    fn number(router: usize) -> u32 {
        router as u32 + 1
    }

    /// What is written into a node; with `credits` hosts post with them. Draws begin differently at each port and adapter.
    pub fn writes(&self, id: NodeId, settings: &Settings, credits: bool, run: u64) -> Vec<Write> {
        match id {
            NodeId::Router(r) => self.router_writes(r, settings, run),
            NodeId::Host(h) => self.adapter_writes(h, settings, credits, run),
        }
    }

    fn router_writes(&self, r: usize, settings: &Settings, run: u64) -> Vec<Write> {
        let write = |port: u8, name: &str, data| register(UnitKind::WormRouter, port, name, data);
        let switch = &self.net.switches[r];
        let lft = switch.lft.iter().enumerate().filter(|(_, port)| **port != NO_ROUTE);
        let mut list: Vec<Write> =
            lft.map(|(lid, &port)| Write::Entry(Entry { dlid: lid as u16, port })).collect();
        list.extend(settings.router_registers().iter().map(|(name, data)| write(ALL, name, *data)));
        list.extend((0..switch.ports).map(|p| write(p as u8, "LFSR_SEED", seed(run, r, p))));
        if settings.admits() {
            list.push(write(ALL, "NODE_ID", Net::number(r)));
            for p in 0..switch.ports {
                let next = match self.peer(NodeId::Router(r), p) {
                    Some((NodeId::Router(next), _)) => Net::number(next),
                    Some((NodeId::Host(_), _)) => 1 << 16,
                    None => 0,
                };
                list.push(write(p as u8, "NEXT", next));
            }
            list.push(write(ALL, "CTRL", 1));
        }
        list
    }

    fn adapter_writes(&self, h: usize, settings: &Settings, credits: bool, run: u64) -> Vec<Write> {
        let write = |name: &str, data| register(UnitKind::WormAdapter, 0, name, data);
        let first = match self.peer(NodeId::Host(h), 0) {
            Some((NodeId::Router(r), _)) => Net::number(r),
            _ => 0,
        };
        let mut list: Vec<Write> =
            settings.adapter_registers().iter().map(|(name, data)| write(name, *data)).collect();
        list.extend([
            write("LID", h as u32 + 1),
            write("LFSR_SEED", seed(run, self.routers() + h, 0)),
            write("FIRST_NODE", first),
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
        assert_eq!((net.hops(0, 0), net.hops(0, 1), net.hops(0, 5)), (2, 3, 5));
        assert_eq!(net.peer(NodeId::Router(0), 1), Some((NodeId::Router(1), 3)));
        assert_eq!(net.peer(NodeId::Router(0), 4), Some((NodeId::Host(0), 0)));
        assert_eq!(net.peer(NodeId::Router(0), 3), None);
        for name in ["4ary-3tree", "star:17", "mesh:axb"] {
            assert!(Net::by_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn all_draws_begin_differently() {
        let net = Net::by_name("mesh:4x4").unwrap();
        let at = [addr(UnitKind::WormRouter, "LFSR_SEED"), addr(UnitKind::WormAdapter, "LFSR_SEED")];
        let writes = net.nodes().flat_map(|id| net.writes(id, &Settings::default(), true, 1));
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
