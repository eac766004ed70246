//! Measurements read from the state words of the nodes.

use super::node::{NodeId, Side};
use crate::config::Config;
use crate::fabric::metrics::Sample;
use crate::fabric::net::Network;
use crate::signals::Layout;

/// Where the measured state of a node is.
struct Gauge {
    switch: bool,
    ports: usize,
    vls: usize,
    hpqs: usize,
    lines: usize,
    used: usize,
    line_state: usize,
    /// Packets marked by port; CNPs and ACKs of an adapter.
    counts: [usize; 2],
}

impl Gauge {
    /// Flits in the buffer of each port, and its lines that have a queue.
    fn read(&self, state: &[u32], port: &mut dyn FnMut(u32, usize)) {
        for i in 0..self.ports {
            let lanes = &state[self.used + i * self.vls..][..self.vls];
            // HOT and DRAIN lines have a queue; an adapter has no lines.
            let lines =
                if self.switch { &state[self.line_state + i * self.lines..][..self.lines] } else { &[] };
            port(lanes.iter().sum(), lines.iter().filter(|s| **s >= 2).count());
        }
    }
}

/// The gauges of all nodes.
pub struct Gauges(Vec<Gauge>);

impl Gauges {
    /// Of a network.
    pub fn new(net: &Network, config: &Config) -> Gauges {
        let gauge = |id: NodeId| {
            let p = id.params(net, config);
            let l = Layout::new(id.unit(), &p);
            let switch = matches!(id, NodeId::Switch(_));
            Gauge {
                switch,
                ports: if switch { p.ports } else { 1 },
                vls: p.vls,
                hpqs: p.hpqs,
                lines: p.lines,
                used: l.state("st_used"),
                line_state: l.state("st_line_state"),
                counts: if switch {
                    [l.state("st_cnt_marked"), 0]
                } else {
                    [l.state("st_cnt_cnp"), l.state("st_cnt_ack")]
                },
            }
        };
        Gauges(NodeId::all(net).map(gauge).collect())
    }

    /// Takes a sample.
    pub fn sample(&self, side: &mut dyn Side) {
        let Some(t) = side.time() else { return };
        let (mut no_free_hpq, mut hpqs_used, mut adapter_flits) = (0, 0, 0);
        let mut port_flits = Vec::new();
        for (node, g) in self.0.iter().enumerate() {
            let mut port = |flits: u32, taken: usize| {
                if !g.switch {
                    adapter_flits += u64::from(flits);
                    return;
                }
                port_flits.push(flits);
                no_free_hpq += u32::from(taken == g.hpqs);
                hpqs_used += taken as u32;
            };
            if !side.levels(node, &mut port) {
                side.look(node, &mut |v| g.read(v.state, &mut port));
            }
        }
        if let Some(w) = side.windowed() {
            side.collector().windowed(w);
        }
        let throttled = side.throttles();
        side.collector().sample(&Sample {
            t,
            no_free_hpq,
            hpqs_used,
            port_flits: &port_flits,
            adapter_flits,
            throttled,
        });
    }

    /// Packets marked, CNPs and ACKs queued up to now.
    pub fn totals(&self, side: &mut dyn Side) -> (u64, u64, u64) {
        let (mut marked, mut cnps, mut acks) = (0, 0, 0);
        for (node, g) in self.0.iter().enumerate() {
            side.look(node, &mut |v| match g.switch {
                true => {
                    let ports = &v.state[g.counts[0]..g.counts[0] + g.ports];
                    marked += ports.iter().map(|&n| u64::from(n)).sum::<u64>()
                }
                false => {
                    cnps += u64::from(v.state[g.counts[0]]);
                    acks += u64::from(v.state[g.counts[1]]);
                }
            });
        }
        (marked, cnps, acks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::engines::job::{Engine, Job};
    use crate::fabric::topology;
    use crate::fabric::traffic::named;
    use crate::scheme::Scheme;

    /// What the fast fabric says of its buffers and lines is what its words say.
    #[test]
    fn levels_are_those_of_the_words() {
        let (mut flits, mut taken) = (0, 0);
        for scheme in Scheme::ALL {
            let net = topology::by_name("2ary-3tree").expect("a network");
            let hosts = net.hosts.len();
            let config = Config::new(scheme, hosts);
            let traffic = named::named("hotspot(1.0)", hosts).expect("legal").expect("a traffic");
            let job = Job { net, config, traffic, seed: 1, threads: 1, bin: 1000 };
            let gauges = Gauges::new(&job.net, &job.config);
            let mut side = job.side(Engine::Model, false).expect("an engine");
            for until in (1..9).map(|n| n * 707) {
                side.run(until).expect("runs");
                for (node, g) in gauges.0.iter().enumerate() {
                    let (mut said, mut read) = (Vec::new(), Vec::new());
                    assert!(side.levels(node, &mut |f, n| said.push((f, n))));
                    side.look(node, &mut |v| g.read(v.state, &mut |f, n| read.push((f, n))));
                    if !g.switch {
                        (said[0].1, read[0].1) = (0, 0);
                    }
                    assert_eq!(said, read, "{}, node {node}, cycle {until}", scheme.name);
                    flits += said.iter().map(|s| s.0).sum::<u32>();
                    taken += said.iter().map(|s| s.1).sum::<usize>();
                }
            }
        }
        assert!(flits > 0 && taken > 0);
    }
}
