//! Golden adapters on a network that is none: it takes whole messages, and gives them to their destinations one after another.

use std::collections::VecDeque;

use super::super::words::Header;
use super::super::{Settings, TrafficHosts};
use crate::model::bench::Bench;
use crate::params::{Build, Params, UnitKind};
use crate::worm::port::{Class, Cqe, Done, Event, EventKind, Flit, Hosts, Shown};
use crate::worm::traffic::{CYCLE_PS, Traffic, WormSpec};

// Registers of an adapter.
pub const CTRL: u32 = 0;
pub const M: u32 = 1;
pub const C_B: u32 = 2;
pub const LIMIT: u32 = 3;
const LID: u32 = 4;

// Bits of CTRL.
pub const CREDITS: u32 = 1;
pub const ADMISSION: u32 = 2;

/// The node of a network that rejects; adapters take number 0 for that at the other end of their link.
const NODE: u32 = 7;

/// Lane of replies.
const REPLIES: u8 = 14;

/// A message in the network.
#[derive(Clone, Debug)]
pub struct Whole {
    pub lane: u8,
    pub flits: Vec<Flit>,
}

/// The network.
pub struct Net {
    pub adapters: Vec<Bench>,
    pub hosts: TrafficHosts,
    /// Messages that come from each adapter's lanes.
    coming: Vec<[Vec<Flit>; 16]>,
    /// Messages for each adapter, and of the first one the flit that is next.
    queue: Vec<VecDeque<Whole>>,
    next: Vec<usize>,
    /// Lanes whose credits are still to be given back.
    owed: Vec<VecDeque<u8>>,
    /// Cycles from a credit to the next.
    pub slow: u64,
    /// Probes still to be rejected, by turns at the first node and behind it.
    pub rejects: u32,
    /// Probes and releases that came.
    pub probes: Vec<(u64, u16)>,
    pub releases: u32,
    /// What becomes of the n-th message of hosts on its way.
    pub spoil: Option<Spoil>,
    messages: usize,
    pub t: u64,
}

/// Number of a message, and what happens to it.
pub type Spoil = (usize, fn(&mut VecDeque<Whole>, Whole));

/// An adapter of the paper's kind with few connections, for they are swept.
pub fn params() -> Params {
    let full = Build::named(UnitKind::WormAdapter, Some("full")).unwrap().params;
    Params { conns: 16, msgq: 64, ctlq: 4, ..full }
}

impl Net {
    /// Adapters that are ready, with registers written; the traffic in TOML.
    pub fn new(hosts: usize, traffic: &str, registers: &[(u32, u32)], settings: Settings) -> Net {
        let spec = WormSpec::parse(&format!("name = \"t\"\n{traffic}")).unwrap();
        let traffic = Traffic::new(&spec, hosts, CYCLE_PS, 1).unwrap();
        let p = params();
        let settings = Settings { vls: p.vls, conns: p.conns, lane: p.lane, ..settings };
        let adapter = |h: usize| {
            let mut b = Bench::new(UnitKind::WormAdapter, &p);
            b.idle(p.conns + 1).config(LID, h as u32 + 1);
            for &(number, value) in registers {
                b.config(number, value);
            }
            b
        };
        Net {
            adapters: (0..hosts).map(adapter).collect(),
            hosts: TrafficHosts::new(traffic, &settings).unwrap(),
            coming: vec![Default::default(); hosts],
            queue: vec![VecDeque::new(); hosts],
            next: vec![0; hosts],
            owed: vec![VecDeque::new(); hosts],
            slow: 1,
            rejects: 0,
            probes: Vec::new(),
            releases: 0,
            spoil: None,
            messages: 0,
            t: 0,
        }
    }

    fn shown(b: &mut Bench) -> Shown {
        b.unit.outputs(&b.input, &mut b.output);
        let on = |name: &str| b.get(name, 0) != 0;
        let class = Class::ALL[b.get("cqe_class", 0) as usize % 3];
        let words = |name: &str| -> [u32; 4] { b.get_words(name).try_into().unwrap() };
        let kind = match b.get("event_kind", 0) {
            1 => EventKind::Open,
            2 => EventKind::Rejected,
            _ => EventKind::Closed,
        };
        Shown {
            open_ready: on("open_ready"),
            post_ready: on("post_ready"),
            done: on("done_valid").then(|| Done {
                post: on("done_post"),
                ok: on("done_ok"),
                why: b.get("done_why", 0) as u8,
                tag: b.get("done_tag", 0) as u16,
            }),
            event: on("event_valid").then(|| Event { kind, conn: b.get("event_conn", 0) as u16 }),
            cqe: on("cqe_valid").then(|| Cqe {
                class,
                conn: b.get("cqe_conn", 0) as u16,
                tag: b.get("cqe_tag", 0) as u16,
            }),
            dma: on("dma_valid").then(|| (b.get("dma_tag", 0) as u16, b.get("dma_index", 0) as u8)),
            delivered: on("dlv_valid").then(|| Flit {
                vl: b.get("dlv_vl", 0) as u8,
                first: on("dlv_first"),
                last: on("dlv_last"),
                bad: on("dlv_bad"),
                data: words("dlv_data"),
            }),
            cut: (0..16).fold(0, |cut, v| cut | (b.get("dlv_cut", v) as u16) << v),
        }
    }

    fn tx(b: &Bench) -> Option<Flit> {
        let on = |name: &str| b.get(name, 0) != 0;
        let data = b.get_words("tx_data").try_into().unwrap();
        let flit = || Flit {
            vl: b.get("tx_vl", 0) as u8,
            first: on("tx_first"),
            last: on("tx_last"),
            bad: false,
            data,
        };
        on("tx_valid").then(flit)
    }

    /// A cycle.
    pub fn cycle(&mut self) {
        for h in 0..self.adapters.len() {
            let b = &mut self.adapters[h];
            let shown = Net::shown(b);
            let sent = Net::tx(b);
            let offer = self.hosts.cycle(self.t, h, &shown);
            if let Some(o) = offer.open {
                b.set("open_valid", 0, 1).set("open_conn", 0, o.conn.into());
                b.set("open_dlid", 0, o.dlid.into()).set("open_bw", 0, o.bw.into());
            }
            if let Some(p) = offer.post {
                b.set("post_valid", 0, 1).set("post_class", 0, p.class as u32);
                b.set("post_conn", 0, p.conn.into()).set("post_dlid", 0, p.dlid.into());
                b.set("post_len", 0, p.len.into()).set("post_final", 0, p.last.into());
                b.set("post_tag", 0, p.tag.into());
            }
            b.set_words("dma_data", &offer.dma);
            if self.t.is_multiple_of(self.slow)
                && let Some(lane) = self.owed[h].pop_front()
            {
                b.set("rx_credit", lane.into(), 1);
            }
            if let Some(whole) = self.queue[h].front() {
                let (lane, f, all) = (whole.lane, whole.flits[self.next[h]], whole.flits.len());
                b.set("rx_valid", 0, 1).set("rx_vl", 0, lane.into()).set("rx_first", 0, f.first.into());
                b.set("rx_last", 0, f.last.into())
                    .set("rx_bad", 0, f.bad.into())
                    .set_words("rx_data", &f.data);
                self.next[h] += 1;
                if self.next[h] == all {
                    self.next[h] = 0;
                    self.queue[h].pop_front();
                }
            }
            b.cycle();
            if let Some(flit) = sent {
                self.takes(h, flit);
            }
        }
        self.t += 1;
    }

    /// A flit of adapter `h`.
    fn takes(&mut self, h: usize, flit: Flit) {
        self.owed[h].push_back(flit.vl);
        let lane = usize::from(flit.vl);
        self.coming[h][lane].push(flit);
        if !flit.last {
            return;
        }
        let flits = std::mem::take(&mut self.coming[h][lane]);
        let header = flits[0].data;
        match header[2] & 0xff {
            1 => self.answers(header),
            4 => self.releases += 1,
            _ => self.goes(Whole { lane: flit.vl, flits }),
        }
    }

    fn goes(&mut self, whole: Whole) {
        let to = usize::from(Header::of(whole.flits[0].data).dlid) - 1;
        let queue = &mut self.queue[to];
        self.messages += 1;
        match self.spoil {
            Some((n, with)) if n == self.messages => with(queue, whole),
            _ => queue.push_back(whole),
        }
    }

    /// A probe: ACK, or NACK of a node behind the first one.
    fn answers(&mut self, probe: [u32; 4]) {
        let header = Header::of(probe);
        self.probes.push((self.t, header.conn));
        let rejected = self.rejects > 0;
        self.rejects -= u32::from(rejected);
        let mut reply = probe;
        let swap = |x: u16| u32::from(x.swap_bytes());
        reply[0] = reply[0] & 0xffff | swap(header.slid) << 16;
        reply[1] = swap(40) | swap(header.dlid) << 16;
        reply[2] = reply[2] & !0xff | if rejected { 3 } else { 2 };
        let node = if self.rejects % 2 == 1 { NODE << 24 } else { 0 };
        reply[3] = reply[3] & 0xffff | node;
        let flit = |i: usize| Flit {
            vl: REPLIES,
            first: i == 0,
            last: i == 9,
            bad: false,
            data: if i == 0 { reply } else { [0; 4] },
        };
        let to = usize::from(header.slid) - 1;
        self.queue[to].push_back(Whole { lane: REPLIES, flits: (0..10).map(flit).collect() });
    }

    pub fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.cycle();
        }
    }

    /// Stops the sources, and runs until nothing is under way.
    pub fn drain(&mut self) {
        self.hosts.stop();
        for _ in 0..200_000 {
            if self.hosts.idle() {
                return;
            }
            self.cycle();
        }
        panic!("it does not drain; {:?}", self.hosts.fault());
    }
}
