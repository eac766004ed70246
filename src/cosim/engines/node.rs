//! A node of a fabric, and what an engine shows of it.

use anyhow::Result;

use crate::config::Config;
use crate::cosim::Difference;
use crate::cosim::lockstep::differences;
use crate::fabric::metrics::Collector;
use crate::fabric::net::Network;
use crate::fabric::windowed::{Throttled, Windowed};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;

/// A node of a fabric. Nodes are numbered: switches first, then hosts (with their adapters).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeId {
    /// A switch.
    Switch(usize),
    /// A host's adapter.
    Host(usize),
}

impl NodeId {
    /// All nodes of a network, by number.
    pub fn all(net: &Network) -> impl Iterator<Item = NodeId> {
        (0..net.switches.len()).map(NodeId::Switch).chain((0..net.hosts.len()).map(NodeId::Host))
    }

    /// What the node is made of.
    pub fn unit(self) -> UnitKind {
        match self {
            NodeId::Switch(_) => UnitKind::Switch,
            NodeId::Host(_) => UnitKind::Hca,
        }
    }

    /// And with which parameters.
    pub fn params(self, net: &Network, config: &Config) -> Params {
        match self {
            NodeId::Switch(s) => config.switch_params(net.switches[s].ports),
            NodeId::Host(_) => config.hca_params(),
        }
    }

    /// Its name in the network.
    pub fn name(self, net: &Network) -> String {
        match self {
            NodeId::Switch(s) => net.switches[s].name.clone(),
            NodeId::Host(h) => net.hosts[h].name.clone(),
        }
    }
}

/// The words of a node in a cycle.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Inputs.
    pub input: &'a [u32],
    /// Outputs.
    pub output: &'a [u32],
    /// State.
    pub state: &'a [u32],
}

/// Nodes that can be looked at cycle by cycle.
pub trait Watched {
    /// The current traffic cycle, None in the configuration phase.
    fn time(&self) -> Option<u64>;
    /// Shows a node's words of the current cycle (the inputs as they are after its outputs were passed on).
    fn look(&mut self, node: usize, f: &mut dyn FnMut(View));
}

impl<T: Watched + ?Sized> Watched for Box<T> {
    fn time(&self) -> Option<u64> {
        (**self).time()
    }

    fn look(&mut self, node: usize, f: &mut dyn FnMut(View)) {
        (**self).look(node, f);
    }
}

/// What differs in the current cycle between two sides with these layouts, node by node; the value called `rtl` is that of the first.
pub(crate) fn differing<T: Watched>(
    layouts: &[Layout],
    a: &mut T,
    b: &mut T,
) -> Vec<(usize, Vec<Difference>)> {
    let mut nodes = Vec::new();
    for (node, layout) in layouts.iter().enumerate() {
        a.look(node, &mut |x| {
            b.look(node, &mut |y| {
                if x.output != y.output || x.state != y.state {
                    nodes.push((node, differences(layout, (x.output, x.state), (y.output, y.state))));
                }
            });
        });
    }
    nodes
}

/// An engine that can be watched cycle by cycle.
pub trait Side: Watched {
    /// Settles the current cycle: outputs to links, links to inputs, hosts. The end-to-end check is here.
    fn prepare(&mut self) -> Result<()>;
    /// Ends the current cycle.
    fn edge(&mut self) -> Result<()>;
    /// Runs until traffic cycle `until` (not included).
    fn run(&mut self, until: u64) -> Result<()> {
        while self.time().is_none_or(|t| t < until) {
            self.prepare()?;
            self.edge()?;
        }
        Ok(())
    }
    /// Stops the sources: no offers from the current cycle on.
    fn stop(&mut self);
    /// Whether a host will offer a packet again, as far as can be told.
    fn offering(&self) -> bool;
    /// Packets that adapters have taken and hosts have not got yet.
    fn under_way(&self) -> u64;
    /// The measurements.
    fn collector(&mut self) -> &mut Collector;
    /// Notes the flits that each link has carried, if the engine counts them.
    fn links(&self, _: &mut Collector) {}
    /// Entities of the throttle units whose CCTI is not at its minimum, if the engine can tell.
    fn throttled(&self) -> Option<usize> {
        None
    }
    /// What the throttle units hold back in the current cycle, if the engine can tell.
    fn throttles(&self) -> Option<Throttled> {
        None
    }
    /// What the sources hold back by windows in the current cycle, if the engine can tell.
    fn windowed(&self) -> Option<Windowed> {
        None
    }
    /// Says of each port of a node how many flits are in its buffer and how many lines have a queue, if the engine can tell without all
    /// of the node's words; else false.
    fn levels(&self, _node: usize, _port: &mut dyn FnMut(u32, usize)) -> bool {
        false
    }
}
