//! The fast golden fabric as an engine that can be watched.

use anyhow::Result;

use super::node::{NodeId, Side, View, Watched};
use crate::config::Config;
use crate::fabric::event::{Delivered, Fabric, Noted, Observer};
use crate::fabric::metrics::Collector;
use crate::fabric::net::Network;
use crate::fabric::setup::Setup;
use crate::fabric::traffic::Traffic;
use crate::fabric::windowed::{Throttled, Windowed};
use crate::signals::Layout;

/// Hands deliveries to the measurements.
struct Listener<'a>(&'a mut Collector);

impl Observer for Listener<'_> {
    fn delivered(&mut self, p: &Delivered, now: u64) {
        self.0.injected(p.len as u8);
        self.0.delivered(&p.delivery(now));
    }

    fn speculative(&mut self, len: u32) {
        self.0.speculative(len as u8);
    }

    fn dropped(&mut self, len: u32) {
        self.0.dropped(len as u8);
    }
}

/// The words of a node.
struct Words {
    id: NodeId,
    input: Vec<u32>,
    output: Vec<u32>,
    state: Vec<u32>,
}

/// The fast golden fabric.
pub struct Fast {
    fabric: Fabric<Noted>,
    collector: Collector,
    words: Vec<Words>,
    /// Cycles of the configuration phase that are left: the fabric itself starts after it.
    setup: u64,
}

impl Fast {
    /// A network in its reset state.
    pub fn new(net: &Network, config: &Config, traffic: Traffic, collector: Collector) -> Result<Fast> {
        let words = NodeId::all(net)
            .map(|id| {
                let l = Layout::new(id.unit(), &id.params(net, config));
                // The fast fabric has no inputs to show.
                Words { id, input: l.idle(), output: vec![0; l.out_words], state: vec![0; l.state_words] }
            })
            .collect();
        let fabric = Fabric::new(net, config, Noted::new(traffic))?;
        Ok(Fast { fabric, collector, words, setup: Setup::new(net, config).start })
    }

    /// Works on all cycles before `until`.
    fn advance(&mut self, until: u64) {
        self.fabric.run_until(until, &mut Listener(&mut self.collector));
        for (host, offer, taken) in self.fabric.workload().drain() {
            self.collector.offered(&offer);
            match taken {
                true => self.collector.posted(host, &offer),
                false => self.collector.refused(&offer),
            }
        }
    }
}

impl Watched for Fast {
    fn time(&self) -> Option<u64> {
        (self.setup == 0).then(|| self.fabric.now())
    }

    fn look(&mut self, node: usize, f: &mut dyn FnMut(View)) {
        let w = &mut self.words[node];
        match w.id {
            NodeId::Switch(s) => self.fabric.observe_switch(s, &mut w.output, &mut w.state),
            NodeId::Host(h) => self.fabric.observe_host(h, &mut w.output, &mut w.state),
        }
        f(View { input: &w.input, output: &w.output, state: &w.state });
    }
}

impl Side for Fast {
    fn prepare(&mut self) -> Result<()> {
        Ok(())
    }

    fn edge(&mut self) -> Result<()> {
        if self.setup > 0 {
            self.setup -= 1;
        } else {
            self.advance(self.fabric.now() + 1);
        }
        Ok(())
    }

    fn run(&mut self, until: u64) -> Result<()> {
        self.setup = 0;
        self.advance(until);
        Ok(())
    }

    fn stop(&mut self) {
        self.fabric.stop_traffic();
    }

    fn offering(&self) -> bool {
        !self.fabric.workload().traffic.finished()
    }

    fn under_way(&self) -> u64 {
        self.fabric.in_flight()
    }

    fn collector(&mut self) -> &mut Collector {
        &mut self.collector
    }

    fn links(&self, collector: &mut Collector) {
        if let Some(carried) = self.fabric.carried_by_kind() {
            collector.carried(carried);
        }
    }

    fn throttled(&self) -> Option<usize> {
        Some(self.fabric.throttled())
    }

    fn throttles(&self) -> Option<Throttled> {
        self.fabric.throttles()
    }

    fn windowed(&self) -> Option<Windowed> {
        Some(self.fabric.windowed())
    }

    fn levels(&self, node: usize, port: &mut dyn FnMut(u32, usize)) -> bool {
        match self.words[node].id {
            NodeId::Switch(s) => self.fabric.switch_levels(s, port),
            NodeId::Host(h) => self.fabric.host_levels(h, port),
        }
        true
    }
}
