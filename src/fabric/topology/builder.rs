//! Builds a network link by link.

use anyhow::{Result, ensure};

use crate::fabric::net::{End, Host, Link, Network, Rate, Switch, Timing};

/// Largest number of hosts of a named network: its LFTs fit the tables of the switches in the papers many times over.
pub(super) const MAX_HOSTS: usize = 16_384;

/// A network under construction.
pub(super) struct Builder {
    pub(super) net: Network,
    pub(super) timing: Timing,
}

impl Builder {
    pub(super) fn new(timing: Timing) -> Result<Builder> {
        ensure!(
            timing.gbps > 0.0 && (1.0..=1e9).contains(&(512_000.0 / timing.gbps)),
            "data rate {} Gbit/s: legal is 0.001 to 512000",
            timing.gbps
        );
        ensure!(
            (0.0..=1e6).contains(&timing.delay_ns),
            "link delay {} ns: legal is 0 to 1000000",
            timing.delay_ns
        );
        let net = Network {
            name: String::new(),
            cycle_ps: timing.cycle_ps(),
            switches: Vec::new(),
            hosts: Vec::new(),
            links: Vec::new(),
        };
        Ok(Builder { net, timing })
    }

    pub(super) fn switch(&mut self, name: String, ports: usize) -> usize {
        self.net.switches.push(Switch { name, ports, lft: Vec::new() });
        self.net.switches.len() - 1
    }

    /// A host without a link.
    pub(super) fn free_host(&mut self, name: String) -> usize {
        self.net.hosts.push(Host { name, inject: Rate::FULL, sink: Rate::FULL });
        self.net.hosts.len() - 1
    }

    /// A host with a link of `interval` cycles per flit.
    pub(super) fn host(&mut self, name: String, switch: usize, port: usize, interval: u32) {
        let host = self.free_host(name);
        self.link(End::Host(host), End::Switch { switch, port }, interval);
    }

    pub(super) fn link(&mut self, a: End, b: End, interval: u32) {
        self.net.links.push(Link { a, b, delay: self.timing.delay(), interval, one_way: false });
    }

    /// Flits go from `a` to `b` only, one a cycle.
    pub(super) fn one_way(&mut self, a: End, b: End) {
        self.net.links.push(Link { a, b, delay: self.timing.delay(), interval: 1, one_way: true });
    }

    /// Limits every host, in Gbit/s.
    pub(super) fn limit(&mut self, inject: f64, sink: f64) {
        for host in &mut self.net.hosts {
            host.inject = self.timing.rate(inject);
            host.sink = self.timing.rate(sink);
        }
    }
}
