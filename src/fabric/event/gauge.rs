//! How full the network is, and what sources hold back, in the current cycle.

use super::observe::used;
use super::ports::Far;
use super::workload::{Fabric, Workload};
use crate::fabric::net::Rate;
use crate::fabric::windowed::Windowed;

/// What fills the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    /// Flits in the input buffers of all switches.
    pub inputs: u64,
    /// Flits in the queues of their outputs, or promised a place there.
    pub outputs: u64,
    /// What the sources hold back.
    pub windowed: Windowed,
}

impl<W: Workload> Fabric<W> {
    /// What fills the network in the current cycle.
    pub fn gauge(&self) -> Gauge {
        let (core, t) = (&self.core, self.t);
        let mut g = Gauge::default();
        for n in core.nodes.iter().filter(|n| !n.shape.adapter) {
            for i in &core.inputs[n.input..n.input + n.shape.inputs] {
                let credits = &core.credits[i.credits];
                let fills = (0..n.shape.vls).map(|v| used(i, credits, v, t, self.start, Rate::FULL));
                g.inputs += fills.sum::<u64>();
            }
            let queues =
                core.outputs[n.output..n.output + n.shape.outs].iter().filter_map(|o| o.queue.as_ref());
            g.outputs += queues.flat_map(|q| (0..n.shape.vls).map(|v| q.fill(v, t))).sum::<u64>();
        }
        g.windowed = self.windowed();
        g
    }

    /// What the sources hold back in the current cycle.
    pub fn windowed(&self) -> Windowed {
        let mut all = Windowed::default();
        self.core.hosts.iter().for_each(|h| all += h.source.held());
        all
    }

    /// Flits that were granted the link to a host so far, replies too.
    pub fn carried(&self, host: usize) -> u64 {
        let to_host = self.core.outputs.iter().filter(|o| matches!(o.far, Far::Host(h) if h == host));
        to_host.map(|o| o.txr.iter().sum::<u64>()).sum()
    }
}
