//! The hosts of a cluster: they post packets, supply and take flits, and check every packet end to end.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow, bail};

use super::under_way::UnderWay;
use crate::fabric::metrics::{Collector, Delivery, EndToEnd, FIRST_PAYLOAD_WORD, fill_payload, payload_word};
use crate::fabric::net::Network;
use crate::fabric::traffic::Traffic;
use crate::model::header::{Header, Marks};
use crate::params::lanes::opcode;
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
    opcode: u8,
    /// The flit that comes next.
    index: u32,
}

/// Opcode of a packet of data that nothing is reserved for.
const DATA: u8 = 0x04;

/// First word of flit 0 that carries payload in packets of reservation.
const RESERVED_PAYLOAD_WORD: usize = 8;

/// Where the host's words are in an adapter's vectors.
#[derive(Clone, Copy)]
struct Pins {
    gen_valid: usize,
    gen_flow: usize,
    gen_len: usize,
    gen_pkts: usize,
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
    rx_valid: usize,
    rx_first: usize,
    rx_data: usize,
    flit_words: usize,
}

/// All hosts of a network.
pub struct Hosts {
    net: Network,
    traffic: Traffic,
    pins: Pins,
    check: EndToEnd,
    collector: Collector,
    /// The packets under way of each pair (source, destination).
    under_way: HashMap<(u32, u32), UnderWay>,
    /// Sources reserve.
    reserves: bool,
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
            gen_pkts: l.input("gen_pkts"),
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
            rx_valid: l.input("rx_valid"),
            rx_first: l.input("rx_first"),
            rx_data: l.input("rx_data"),
            flit_words: params.flit_bytes / 4,
        };
        Hosts {
            net: net.clone(),
            traffic,
            pins,
            check: EndToEnd::new(n),
            collector,
            under_way: HashMap::new(),
            reserves: params.srp,
            open: vec![None; n],
        }
    }

    /// Packets of a pair may overtake each other.
    pub fn in_any_order(self) -> Hosts {
        Hosts { check: self.check.in_any_order(), ..self }
    }

    /// Host `h` in traffic cycle `t`: looks at its adapter's outputs of that cycle and sets its inputs.
    pub fn drive(&mut self, h: usize, t: u64, output: &[u32], input: &mut [u32]) -> Result<()> {
        let p = self.pins;
        let node = h as u32;
        for at in [p.gen_valid, p.gen_flow, p.gen_len, p.gen_pkts, p.gen_psn] {
            input[at] = 0;
        }
        let full = |dst: u32| (output[p.gen_full + dst as usize / 32] >> (dst % 32)) & 1 != 0;
        for dst in self.traffic.blocked(h).into_iter().filter(|dst| !full(*dst)) {
            self.traffic.room(h, dst, t);
        }
        if self.traffic.next_offer(h).is_some_and(|due| due <= t) {
            let offer = self.traffic.offer(h);
            let dst = offer.dst;
            self.collector.offered(&offer);
            if !full(dst) {
                let under_way = self.under_way.entry((node, dst)).or_default();
                input[p.gen_valid] = 1;
                input[p.gen_flow] = dst;
                input[p.gen_len] = u32::from(offer.last);
                input[p.gen_pkts] = if self.reserves { u32::from(offer.pkts) } else { 0 };
                for (i, len) in offer.packets().enumerate() {
                    let psn = self.check.sent(node, dst, len);
                    if i == 0 {
                        input[p.gen_psn] = psn;
                    }
                    under_way.post(psn, len, offer.born, t);
                }
                self.collector.posted(node, &offer);
                self.traffic.take(h, t);
            } else {
                self.traffic.refuse(h, t);
                self.collector.refused(&offer);
            }
        }

        let (inject, sink) = (self.net.hosts[h].inject, self.net.hosts[h].sink);
        input[p.dma_ready] = u32::from(inject.allows(t));
        let data = &mut input[p.dma_data..p.dma_data + p.flit_words];
        data.fill(0);
        if output[p.dma_valid] == 1 {
            // The adapter puts the header of flit 0 in its place.
            fill_payload(node, output[p.dma_flow], output[p.dma_psn], output[p.dma_index], data);
        }

        if output[p.tx_valid] == 1 && output[p.tx_first] == 1 {
            let header = Header::parse(&output[p.tx_data..p.tx_data + p.flit_words]);
            self.leaves(node, t, &header)?;
        }
        if self.reserves && input[p.rx_valid] == 1 && input[p.rx_first] == 1 {
            let header = Header::parse(&input[p.rx_data..p.rx_data + p.flit_words]);
            self.told(node, &header)?;
        }

        let ready = sink.allows(t);
        input[p.host_ready] = u32::from(ready);
        if ready && output[p.host_valid] == 1 {
            let flags = [p.host_first, p.host_last, p.host_bad].map(|at| output[at] == 1);
            let data = p.host_data..p.host_data + p.flit_words;
            self.receive(h, t, flags, &output[data])
                .with_context(|| format!("end-to-end check at {} in cycle {t}", self.net.hosts[h].name))?;
        }
        Ok(())
    }

    /// The first flit of a packet leaves the adapter of `node`.
    fn leaves(&mut self, node: u32, t: u64, header: &Header) -> Result<()> {
        let Some(bth) = header.bth.filter(|_| !(header.is_cnp() || header.is_ack())) else { return Ok(()) };
        let answers = self.reserves && (opcode::RES..=opcode::NACK).contains(&bth.opcode);
        let Some(dst) = self.net.host_of_lid(header.dlid).filter(|_| !answers) else { return Ok(()) };
        let (dst, len) = (dst as u32, header.flits() as u8);
        let Some(packet) = self.under_way.get_mut(&(node, dst)).and_then(|u| u.get(bth.psn)) else {
            return Ok(());
        };
        match packet.injected.replace(t) {
            Some(_) => self.check.sent_again(node, dst, bth.psn)?,
            None => self.collector.injected(len),
        }
        if self.reserves && bth.opcode == opcode::SPEC {
            self.collector.speculative(len);
        }
        Ok(())
    }

    /// A packet begins to come to the adapter of `node`: a NACK says what was dropped.
    fn told(&mut self, node: u32, header: &Header) -> Result<()> {
        let Some(bth) = header.bth.filter(|b| b.opcode == opcode::NACK) else { return Ok(()) };
        let from = self.net.host_of_lid(header.slid).map(|h| h as u32);
        let from = from.ok_or_else(|| anyhow!("a NACK from LID {}, which no host has", header.slid))?;
        self.check.dropped(node, from, bth.psn, "it waited for too long")?;
        if let Some(packet) = self.under_way.get_mut(&(node, from)).and_then(|u| u.get(bth.psn)) {
            self.collector.dropped(packet.len);
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
                let reserved = self.reserves && [opcode::SPEC, opcode::GRANTED].contains(&bth.opcode);
                let wanted = (self.net.lid(h), DATA, h as u32, false);
                let kind = if reserved { DATA } else { bth.opcode };
                if (header.dlid, kind, bth.dest_qp, bth.marks.has(Marks::BECN)) != wanted || odd {
                    bail!("a packet with a header that was not sent to this host: {header:?}");
                }
                Open {
                    src: src as u32,
                    psn: bth.psn,
                    len: header.flits() as u8,
                    fecn: bth.marks.tell(),
                    warm: bth.marks.warn(),
                    opcode: bth.opcode,
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
        let Open { src, psn, len, fecn, warm, opcode, index } = open;
        let node = h as u32;
        let what = || format!("flit {index} of {len} of packet {psn} from node {src}");
        if bad {
            bail!("{} is marked as damaged", what());
        }
        if last != (index + 1 == u32::from(len)) {
            bail!("{} {} the packet", what(), if last { "ends" } else { "does not end" });
        }
        if index == 0 && opcode != DATA {
            // What its source has put in the place of payload is none.
            let mut words = data.to_vec();
            for (w, word) in words.iter_mut().enumerate().take(RESERVED_PAYLOAD_WORD).skip(FIRST_PAYLOAD_WORD)
            {
                *word = payload_word(src, node, psn, 0, w as u32);
            }
            EndToEnd::check_payload(src, node, psn, index, &words)?;
        } else {
            EndToEnd::check_payload(src, node, psn, index, data)?;
        }
        if !last {
            self.open[h] = Some(Open { index: index + 1, ..open });
            return Ok(());
        }
        self.open[h] = None;
        self.check.delivered(node, src, node, psn, len)?;
        self.traffic.delivered(src as usize, h, len, t);
        let packet = self.under_way.get_mut(&(src, node)).and_then(|u| u.deliver(psn));
        let (born, created) = packet.map_or((t, t), |p| (p.born, p.created));
        let injected = packet.and_then(|p| p.injected).unwrap_or(created);
        let (dst, spec) = (node, self.reserves && opcode == opcode::SPEC);
        self.collector.delivered(&Delivery { src, dst, len, born, created, injected, t, fecn, warm, spec });
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
