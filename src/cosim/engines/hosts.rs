//! The hosts of a cluster: they post packets, supply and take flits, and check every packet end to end.

use std::collections::{HashMap, VecDeque};

use anyhow::{Context, Result, bail};

use crate::fabric::metrics::{Collector, Delivery, EndToEnd, fill_payload};
use crate::fabric::net::Network;
use crate::fabric::traffic::{Offer, Traffic};
use crate::model::header::{Header, Marks};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;

/// A packet of data that a host is receiving.
#[derive(Clone, Copy, Debug)]
struct Open {
    src: u32,
    psn: u32,
    len: u8,
    fecn: bool,
    warm: bool,
    /// The flit that comes next.
    index: u32,
}

/// When a packet passed two places.
#[derive(Clone, Copy, Debug)]
struct Times {
    psn: u32,
    born: u64,
    created: u64,
    injected: u64,
}

/// Where the host's words are in an adapter's vectors.
struct Pins {
    gen_valid: usize,
    gen_flow: usize,
    gen_len: usize,
    gen_psn: usize,
    dma_ready: usize,
    dma_data: usize,
    host_ready: usize,
    gen_full: usize,
    dma_valid: usize,
    dma_flow: usize,
    dma_psn: usize,
    dma_index: usize,
    host_valid: usize,
    host_first: usize,
    host_last: usize,
    host_bad: usize,
    host_data: usize,
    tx_valid: usize,
    tx_first: usize,
    tx_data: usize,
    flit_words: usize,
}

/// All hosts of a network.
pub struct Hosts {
    net: Network,
    traffic: Traffic,
    pins: Pins,
    check: EndToEnd,
    collector: Collector,
    /// Of each pair (source, destination): the packets under way, oldest first; and how many of them are on a link.
    under_way: HashMap<(u32, u32), (VecDeque<Times>, usize)>,
    /// What each host is receiving.
    open: Vec<Option<Open>>,
}

impl Hosts {
    /// The hosts of `net`, whose adapters have parameters `params`.
    pub fn new(net: &Network, params: &Params, traffic: Traffic, collector: Collector) -> Hosts {
        let l = Layout::new(UnitKind::Hca, params);
        let n = net.hosts.len();
        let pins = Pins {
            gen_valid: l.input("gen_valid"),
            gen_flow: l.input("gen_flow"),
            gen_len: l.input("gen_len"),
            gen_psn: l.input("gen_psn"),
            dma_ready: l.input("dma_ready"),
            dma_data: l.input("dma_data"),
            host_ready: l.input("host_ready"),
            gen_full: l.output("gen_full"),
            dma_valid: l.output("dma_valid"),
            dma_flow: l.output("dma_flow"),
            dma_psn: l.output("dma_psn"),
            dma_index: l.output("dma_index"),
            host_valid: l.output("host_valid"),
            host_first: l.output("host_first"),
            host_last: l.output("host_last"),
            host_bad: l.output("host_bad"),
            host_data: l.output("host_data"),
            tx_valid: l.output("tx_valid"),
            tx_first: l.output("tx_first"),
            tx_data: l.output("tx_data"),
            flit_words: params.flit_bytes / 4,
        };
        Hosts {
            net: net.clone(),
            traffic,
            pins,
            check: EndToEnd::new(n),
            collector,
            under_way: HashMap::new(),
            open: vec![None; n],
        }
    }

    /// Packets of a pair may overtake each other.
    pub fn expect_any_order(&mut self) {
        self.check = self.check.clone().in_any_order();
    }

    /// Host `h` in traffic cycle `t`: looks at its adapter's outputs of that cycle and sets its inputs.
    pub fn drive(&mut self, h: usize, t: u64, output: &[u32], input: &mut [u32]) -> Result<()> {
        let p = &self.pins;
        let node = h as u32;
        for at in [p.gen_valid, p.gen_flow, p.gen_len, p.gen_psn] {
            input[at] = 0;
        }
        let full = |dst: u32| (output[p.gen_full + dst as usize / 32] >> (dst % 32)) & 1 != 0;
        for dst in self.traffic.blocked(h).into_iter().filter(|dst| !full(*dst)) {
            self.traffic.room(h, dst, t);
        }
        if self.traffic.next_offer(h).is_some_and(|due| due <= t) {
            let Offer { dst, len, born } = self.traffic.offer(h);
            self.collector.offered(len);
            if !full(dst) {
                input[p.gen_valid] = 1;
                input[p.gen_flow] = dst;
                input[p.gen_len] = u32::from(len);
                let psn = self.check.sent(node, dst, len);
                input[p.gen_psn] = psn;
                self.traffic.take(h, t);
                let times = Times { psn, born, created: t, injected: t };
                self.under_way.entry((node, dst)).or_default().0.push_back(times);
            } else {
                self.traffic.refuse(h, t);
                self.collector.refused(len);
            }
        }

        let host = &self.net.hosts[h];
        input[p.dma_ready] = u32::from(host.inject.allows(t));
        let data = &mut input[p.dma_data..p.dma_data + p.flit_words];
        data.fill(0);
        if output[p.dma_valid] == 1 {
            // The adapter puts the header of flit 0 in its place.
            fill_payload(node, output[p.dma_flow], output[p.dma_psn], output[p.dma_index], data);
        }

        if output[p.tx_valid] == 1 && output[p.tx_first] == 1 {
            let header = Header::parse(&output[p.tx_data..p.tx_data + p.flit_words]);
            if !(header.is_cnp() || header.is_ack())
                && let Some(dst) = self.net.host_of_lid(header.dlid)
                && let Some((packets, sent)) = self.under_way.get_mut(&(node, dst as u32))
                && let Some(times) = packets.get_mut(*sent)
            {
                times.injected = t;
                *sent += 1;
                self.collector.injected(header.flits() as u8);
            }
        }

        let ready = host.sink.allows(t);
        input[p.host_ready] = u32::from(ready);
        if ready && output[p.host_valid] == 1 {
            let flags = [p.host_first, p.host_last, p.host_bad].map(|at| output[at] == 1);
            let data = p.host_data..p.host_data + p.flit_words;
            self.receive(h, t, flags, &output[data])
                .with_context(|| format!("end-to-end check at {} in cycle {t}", self.net.hosts[h].name))?;
        }
        Ok(())
    }

    /// The end-to-end check: every flit is the one that must come next.
    fn receive(&mut self, h: usize, t: u64, [first, last, bad]: [bool; 3], data: &[u32]) -> Result<()> {
        let open = match (self.open[h], first) {
            (None, true) => {
                let header = Header::parse(data);
                let bth = header.bth.unwrap_or_default();
                let Some(src) = self.net.host_of_lid(header.slid) else {
                    bail!("a packet from LID {}, which no host has", header.slid)
                };
                let odd = !header.pkt_len.is_multiple_of(16) || !(1..=64).contains(&header.flits());
                let wanted = (self.net.lid(h), 0x04, h as u32, false);
                if (header.dlid, bth.opcode, bth.dest_qp, bth.marks.has(Marks::BECN)) != wanted || odd {
                    bail!("a packet with a header that was not sent to this host: {header:?}");
                }
                Open {
                    src: src as u32,
                    psn: bth.psn,
                    len: header.flits() as u8,
                    fecn: bth.marks.tell(),
                    warm: bth.marks.warn(),
                    index: 0,
                }
            }
            (Some(open), false) => open,
            (None, false) => bail!("a flit that follows no first one"),
            (Some(o), true) => {
                bail!(
                    "a new packet after {} of {} flits of packet {} from node {}",
                    o.index,
                    o.len,
                    o.psn,
                    o.src
                )
            }
        };
        let Open { src, psn, len, fecn, warm, index } = open;
        let node = h as u32;
        let what = || format!("flit {index} of {len} of packet {psn} from node {src}");
        if bad {
            bail!("{} is marked as damaged", what());
        }
        if last != (index + 1 == u32::from(len)) {
            bail!("{} {} the packet", what(), if last { "ends" } else { "does not end" });
        }
        EndToEnd::check_payload(src, node, psn, index, data)?;
        if !last {
            self.open[h] = Some(Open { index: index + 1, ..open });
            return Ok(());
        }
        self.open[h] = None;
        self.check.delivered(node, src, node, psn, len)?;
        self.traffic.delivered(src as usize, h, len, t);
        let times = self.under_way.get_mut(&(src, node)).and_then(|(packets, sent)| {
            *sent = sent.saturating_sub(1);
            packets.remove(packets.iter().position(|p| p.psn == psn)?)
        });
        let Times { born, created, injected, .. } =
            times.unwrap_or(Times { psn, born: t, created: t, injected: t });
        let dst = node;
        self.collector.delivered(&Delivery { src, dst, len, born, created, injected, t, fecn, warm });
        Ok(())
    }

    /// The end-to-end check.
    pub fn check(&self) -> &EndToEnd {
        &self.check
    }

    /// The measurements.
    pub fn collector(&mut self) -> &mut Collector {
        &mut self.collector
    }

    /// The traffic.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// The traffic, to stop it.
    pub fn traffic_mut(&mut self) -> &mut Traffic {
        &mut self.traffic
    }
}
