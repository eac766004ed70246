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
            side.look(node, &mut |v| {
                let used = v.state[g.used..g.used + g.ports * g.vls].chunks(g.vls);
                let used = used.map(|lanes| lanes.iter().sum::<u32>());
                if !g.switch {
                    adapter_flits += used.map(u64::from).sum::<u64>();
                    return;
                }
                port_flits.extend(used);
                for lines in v.state[g.line_state..g.line_state + g.ports * g.lines].chunks(g.lines) {
                    // HOT and DRAIN lines have a queue.
                    let taken = lines.iter().filter(|s| **s >= 2).count();
                    no_free_hpq += u32::from(taken == g.hpqs);
                    hpqs_used += taken as u32;
                }
            });
        }
        if let Some(w) = side.windowed() {
            side.collector().windowed(w);
        }
        side.collector().sample(&Sample {
            t,
            no_free_hpq,
            hpqs_used,
            port_flits: &port_flits,
            adapter_flits,
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
