//! What surrounds an adapter: the host that posts packets, delivers their flits and takes received ones; the far end of the
//! link, which sends packets, credits and messages; registers and tables. What each does is set by public fields.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

use super::packets::{Fault, Packet, Queued, To};
use super::peer::Peer;
use crate::model::header::{Header, Marks, SrpFields};
use crate::model::link::{Control, Credit, MAX_DLIST, Message};
use crate::params::{Params, UnitKind};
use crate::signals::{Layout, ctl_bits};
use crate::stimulus::carrier::Carrier;
use crate::stimulus::chance::{ALWAYS, Chance, hit};
use crate::stimulus::knobs::Setup;
use crate::stimulus::reads::Reader;

/// Link counters are modulo 4096.
const CREDIT_MASK: u32 = 0xfff;

macro_rules! io {
    ($($group:ident: $($name:ident)*;)*) => {
        /// First word of every signal.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)]
        pub(super) struct Io { $($(pub $name: usize,)*)* }

        impl Io {
            fn new(l: &Layout) -> Io {
                Io { $($($name: l.$group(stringify!($name)),)*)* }
            }
        }
    };
}

io! {
    input: cfg_we cfg_unit cfg_addr cfg_data lft_we lft_addr lft_port cct_we cct_addr cct_data wt_we wt_addr wt_data attr_we attr_flow attr_sl
        gen_valid gen_flow gen_len gen_psn gen_pkts dma_ready dma_data host_ready rx_valid rx_first rx_last rx_bad rx_data
        rx_ctl link_up;
    output: ready gen_full dma_valid tx_valid tx_first tx_data tx_ctl;
}

/// A packet that is being sent: the header as it goes, flits in all, flits sent.
#[derive(Clone, Copy, Debug)]
struct Current {
    packet: Packet,
    vl: usize,
    flits: usize,
    sent: usize,
}

/// Everything around an adapter.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub p: Params,
    pub io: Io,
    pub rng: SmallRng,
    ctl_words: usize,
    ctl_bits: usize,
    flit_words: usize,
    // Writes to do, one of each kind a cycle, from `ready` on: registers (unit, address, data), tables.
    pub cfg: VecDeque<(u8, u8, u32)>,
    pub reader: Reader,
    pub lft: VecDeque<(u16, u8)>,
    pub ccts: VecDeque<(u16, u16)>,
    pub waits: VecDeque<(u16, u32)>,
    pub attrs: VecDeque<(u16, u8)>,
    /// LID and LID_BASE as written.
    pub lid: u16,
    pub lid_base: u16,
    // The host.
    /// Packets to post: flow, length; with SRP messages, and how many packets they have.
    pub posts: VecDeque<(u16, u8, u16)>,
    /// Longest message of our own.
    pub longest: u16,
    /// Chance to post a packet of our own, to one of these flows (first, number).
    pub post: Chance,
    pub flows: (usize, usize),
    /// Chance that a packet is posted to a full queue all the same.
    pub push: Chance,
    /// Lengths of packets: one flit, MTU, or any.
    pub short: Chance,
    pub long: Chance,
    pub bad_post: Chance,
    pub dma: Chance,
    pub host: Chance,
    psn: u32,
    // The far end as sender.
    pub rx: VecDeque<Queued>,
    /// With SRP: who answers, and the answers to be sent, which go before the rest.
    pub peer: Peer,
    pub notes: VecDeque<Queued>,
    /// Chance that a packet of data from the adapter is acknowledged; that it is twice; that the ACK has a mark. Most cycles after its
    /// first flit.
    pub acked: Chance,
    pub twice: Chance,
    pub ack_marked: Chance,
    pub ack_delay: u64,
    /// ACKs to be sent, and when.
    acks: VecDeque<(u64, Queued)>,
    cycle: u64,
    current: Option<Current>,
    pub gap: Chance,
    /// Blocks sent, and the adapter's limit.
    sent: Vec<u32>,
    limit: Vec<u32>,
    /// Chance that a credit message of the adapter is lost.
    pub lose: Chance,
    /// Cycles between FCTBS messages; 0: none. The next one, if it is to be another one.
    pub fctbs_every: u32,
    pub fctbs: Option<Credit>,
    slot: (u32, usize),
    // The far end as receiver.
    /// Chance to send a credit message, and the room that it tells (0: no more).
    pub credit: Chance,
    pub room: u32,
    /// The lane that gets none.
    pub starve: Option<usize>,
    pub credits: VecDeque<Credit>,
    got: Vec<u32>,
    tx_vl: usize,
    pub messages: VecDeque<Message>,
    pub carrier: Carrier,
}

impl World {
    /// Nothing happens, everything is allowed. Routes, LIDs and the writes of `setup` come first.
    pub(super) fn new(p: &Params, setup: &Setup, seed: u64) -> World {
        let l = Layout::new(UnitKind::Hca, p);
        let mut w = World {
            p: *p,
            io: Io::new(&l),
            rng: SmallRng::seed_from_u64(seed),
            ctl_words: ctl_bits(p).div_ceil(32),
            ctl_bits: ctl_bits(p),
            flit_words: p.flit_bytes / 4,
            cfg: VecDeque::new(),
            reader: Reader::new(UnitKind::Hca, p, seed),
            lft: VecDeque::new(),
            ccts: VecDeque::new(),
            waits: VecDeque::new(),
            attrs: VecDeque::new(),
            lid: 0,
            lid_base: 1,
            posts: VecDeque::new(),
            longest: 1,
            post: 0,
            flows: (0, p.flows),
            push: 0,
            short: 0,
            long: ALWAYS,
            bad_post: 0,
            dma: ALWAYS,
            host: ALWAYS,
            psn: 0,
            rx: VecDeque::new(),
            peer: Peer::new(p),
            notes: VecDeque::new(),
            acked: 0,
            twice: 0,
            ack_marked: 0,
            ack_delay: 0,
            acks: VecDeque::new(),
            cycle: 0,
            current: None,
            gap: 0,
            sent: vec![0; p.vls],
            limit: vec![0; p.vls],
            lose: 0,
            fctbs_every: 7,
            fctbs: None,
            slot: (0, 0),
            credit: ALWAYS,
            room: 1024,
            starve: None,
            credits: VecDeque::new(),
            got: vec![0; p.vls],
            tx_vl: 0,
            messages: VecDeque::new(),
            carrier: Carrier::default(),
        };
        w.cfg.extend([(3, 1, 2), (3, 2, 3), (3, 0, 1)]);
        for (unit, writes) in [(0, &setup.input_port), (1, &setup.output_port), (2, &setup.hca_throttle)] {
            // (Registers of the throttle mean nothing to what may stand in its place.)
            if unit != 2 || p.chooser() == UnitKind::HcaThrottle {
                w.cfg.extend(writes.iter().map(|&(a, d)| (unit, a, d)));
            }
        }
        match &setup.lft {
            Some(lft) => w.lft.extend(lft.iter().copied()),
            None => w.lft.extend((0..p.lft_depth).map(|a| (a as u16, 0))),
        }
        w.ccts.extend(setup.cct.iter().flatten().enumerate().map(|(i, &e)| (i as u16, e)));
        w.attrs.extend(setup.attrs.iter().copied());
        w
    }

    /// All writes are done.
    pub(super) fn written(&self) -> bool {
        self.cfg.is_empty()
            && self.lft.is_empty()
            && self.ccts.is_empty()
            && self.waits.is_empty()
            && self.attrs.is_empty()
    }

    /// The far end has nothing more to send and the host nothing to post.
    pub(super) fn idle(&self) -> bool {
        self.rx.is_empty()
            && self.notes.is_empty()
            && self.peer.idle()
            && self.current.is_none()
            && self.posts.is_empty()
            && self.acks.is_empty()
            && self.messages.is_empty()
            && self.credits.is_empty()
    }

    /// DLIDs of flows, as a message.
    pub(super) fn tree(&self, kind: u32, line: u32, stop: bool, flows: &[usize]) -> Message {
        let mut dlist = [0; MAX_DLIST];
        let n = flows.len().min(self.p.dlist);
        for (d, f) in dlist.iter_mut().zip(&flows[..n]) {
            *d = self.lid_base.wrapping_add(*f as u16);
        }
        let vl = match flows.first() {
            Some(_) if self.p.vl_by_dest => u32::from(dlist[0]) % self.p.vls as u32,
            _ => 0,
        };
        Message { kind, line, vl, root: 0x2_0103, hops: 1, stop, dcnt: n as u32, dlist }
    }

    /// A length as the host likes them.
    pub(super) fn length(&mut self) -> u8 {
        let mtu = self.p.mtu as u8;
        if hit(&mut self.rng, self.short) {
            1
        } else if hit(&mut self.rng, self.long) {
            mtu
        } else {
            self.rng.random_range(1..=mtu)
        }
    }

    /// Writes the inputs of this cycle. `seen` are its outputs.
    pub(super) fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if seen[self.io.ready] == 0 {
            return;
        }
        self.host(seen, input);
        if !self.carrier.next(&mut self.rng) {
            self.lose(input);
            self.write(input);
            return;
        }
        self.watch(seen);
        self.cycle += 1;
        while self.acks.front().is_some_and(|(at, _)| *at <= self.cycle) {
            self.rx.extend(self.acks.pop_front().map(|(_, ack)| ack));
        }
        while let Some(note) = self.peer.due(self.cycle) {
            self.notes.push_back(note);
        }
        let mut control = Control::default();
        self.send(input, &mut control);
        self.answer(&mut control);
        control.pack(&mut input[self.io.rx_ctl..self.io.rx_ctl + self.ctl_words]);
        // The far end knows a LID that is written from the next cycle on, as the adapter does.
        self.write(input);
    }

    /// The link is down: the far end forgets what it knew of the adapter.
    fn lose(&mut self, input: &mut [u32]) {
        let io = self.io;
        input[io.link_up] = 0;
        self.current = None;
        for counts in [&mut self.sent, &mut self.limit, &mut self.got] {
            counts.fill(0);
        }
        self.messages.clear();
        if self.carrier.babbles(&mut self.rng) {
            for at in [io.rx_valid, io.rx_first, io.rx_last] {
                input[at] = self.rng.random_range(0..2);
            }
            let ctl = &mut input[io.rx_ctl..io.rx_ctl + self.ctl_words];
            Carrier::scribble(&mut self.rng, ctl, self.ctl_bits);
        }
    }

    /// Registers and tables.
    fn write(&mut self, input: &mut [u32]) {
        let io = self.io;
        if let Some((unit, addr, data)) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_unit] = unit.into();
            input[io.cfg_addr] = addr.into();
            input[io.cfg_data] = data;
            match (unit, addr) {
                (3, 1) => self.lid = data as u16,
                (3, 2) => self.lid_base = data as u16,
                _ => {}
            }
        }
        self.reader.drive(input);
        if let Some((addr, port)) = self.lft.pop_front() {
            input[io.lft_we] = 1;
            input[io.lft_addr] = addr.into();
            input[io.lft_port] = port.into();
        }
        if let Some((addr, data)) = self.ccts.pop_front() {
            input[io.cct_we] = 1;
            input[io.cct_addr] = addr.into();
            input[io.cct_data] = data.into();
        }
        if let Some((addr, data)) = self.waits.pop_front() {
            input[io.wt_we] = 1;
            input[io.wt_addr] = addr.into();
            input[io.wt_data] = data;
        }
        if let Some((flow, sl)) = self.attrs.pop_front() {
            input[io.attr_we] = 1;
            input[io.attr_flow] = flow.into();
            input[io.attr_sl] = sl.into();
        }
    }

    /// The host: posts, delivers, takes.
    fn host(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.io;
        let mut post = self.posts.pop_front();
        if post.is_none() && hit(&mut self.rng, self.post) {
            let flow = (self.flows.0 + self.rng.random_range(0..self.flows.1)) % self.p.flows;
            let full = seen[io.gen_full + flow / 32] >> (flow % 32) & 1 != 0;
            if !full || hit(&mut self.rng, self.push) {
                let pkts = if self.longest > 1 { self.rng.random_range(1..=self.longest) } else { 1 };
                post = Some((flow as u16, self.length(), pkts));
            }
            if hit(&mut self.rng, self.bad_post) {
                let kinds = if self.p.srp { 4 } else { 3 };
                post = Some(match self.rng.random_range(0..kinds) {
                    0 => (self.rng.random_range(self.p.flows..65536) as u16, 1, 1),
                    1 => (flow as u16, 0, 1),
                    2 => (flow as u16, self.rng.random_range(self.p.mtu + 1..128) as u8, 1),
                    _ => (flow as u16, 1, 0),
                });
            }
        }
        if let Some((flow, len, pkts)) = post {
            let psn = (self.psn + 1) & 0xff_ffff;
            self.psn = (self.psn + u32::from(pkts.max(1))) & 0xff_ffff;
            input[io.gen_valid] = 1;
            input[io.gen_flow] = flow.into();
            input[io.gen_len] = len.into();
            input[io.gen_psn] = psn;
            input[io.gen_pkts] = pkts.into();
        }
        if hit(&mut self.rng, self.dma) {
            input[io.dma_ready] = 1;
            if seen[io.dma_valid] != 0 {
                let data = &mut input[io.dma_data..io.dma_data + self.flit_words];
                data.iter_mut().for_each(|w| *w = self.rng.next_u32());
            }
        }
        input[io.host_ready] = hit(&mut self.rng, self.host).into();
    }

    /// What the adapter sends: flits are counted, its credit limit kept.
    fn watch(&mut self, seen: &[u32]) {
        let io = self.io;
        if seen[io.tx_valid] != 0 {
            if seen[io.tx_first] != 0 {
                let h = Header::parse(&seen[io.tx_data..io.tx_data + self.flit_words]);
                self.tx_vl = self.vl_of(&h) % self.p.vls;
                if self.p.srp {
                    let fields = SrpFields::parse(&seen[io.tx_data..io.tx_data + self.flit_words]);
                    let to = h.dlid.wrapping_sub(self.lid_base);
                    self.peer.sees(&mut self.rng, self.cycle, &h, &fields, to);
                } else {
                    self.acknowledge(&h);
                }
            }
            let got = &mut self.got[self.tx_vl];
            *got = (*got + 1) & CREDIT_MASK;
        }
        if let Some(c) = Control::unpack(&seen[io.tx_ctl..io.tx_ctl + self.ctl_words]).fccl
            && !hit(&mut self.rng, self.lose)
        {
            self.limit[c.vl as usize] = c.blocks;
        }
    }

    /// An ACK of a packet of data that the adapter sent, or none, or two.
    fn acknowledge(&mut self, h: &Header) {
        if !h.is_marked() || !hit(&mut self.rng, self.acked) {
            return;
        }
        let from = h.dlid.wrapping_sub(self.lid_base);
        let copies = 1 + usize::from(hit(&mut self.rng, self.twice));
        for _ in 0..copies {
            let mut packet = Packet::ack(h.bth.map_or(0, |b| b.psn));
            if hit(&mut self.rng, self.ack_marked) {
                let marks = [Marks::BECN, Marks::MB, Marks::MB | Marks::VB, Marks::VB];
                packet = packet.marks(marks[self.rng.random_range(0..marks.len())]);
            }
            packet.hdr.vl = (self.tx_vl & 0xf) as u8;
            let last = self.acks.back().map_or(0, |(at, _)| *at);
            let at = self.cycle + self.rng.random_range(0..=self.ack_delay);
            self.acks.push_back((at.max(last), Queued { packet, to: To::Us, from }));
        }
    }

    fn vl_of(&self, h: &Header) -> usize {
        if self.p.vl_by_dest { usize::from(h.dlid) % self.p.vls } else { usize::from(h.vl) }
    }

    /// Begins the next packet, if it may.
    fn begin(&mut self) {
        if let Some(q) = self.notes.front().copied()
            && self.may_begin(q)
        {
            self.notes.pop_front();
        } else if let Some(q) = self.rx.front().copied()
            && self.may_begin(q)
        {
            self.rx.pop_front();
        }
    }

    /// Begins a packet, if it may.
    fn may_begin(&mut self, q: Queued) -> bool {
        let mut packet = q.packet;
        packet.hdr.dlid = match q.to {
            To::Us => self.lid,
            To::Multicast => 0xC000 | packet.hdr.dlid,
            To::Other => self.lid ^ 1,
        };
        packet.hdr.slid = self.lid_base.wrapping_add(q.from);
        let n = packet.hdr.flits().max(1);
        let vl = self.vl_of(&packet.hdr);
        let free =
            |v: usize| self.limit[v].wrapping_sub(self.sent[v]).wrapping_sub(n as u32) & CREDIT_MASK <= 2048;
        if packet.fault != Fault::NoCredit && vl < self.p.vls && !free(vl) {
            return false;
        }
        let flits = match packet.fault {
            Fault::Cut(a) | Fault::Early(a) | Fault::Bad(a) => usize::from(a).clamp(1, n),
            Fault::Longer(more) => n + usize::from(more),
            _ => n,
        };
        self.current = Some(Current { packet, vl, flits, sent: 0 });
        true
    }

    /// The far end as sender: a flit, FCTBS.
    fn send(&mut self, input: &mut [u32], control: &mut Control) {
        let io = self.io;
        // FCTBS says what was sent before this cycle.
        self.slot.0 += 1;
        if let Some(c) = self.fctbs.take() {
            control.fctbs = Some(c);
            if let Some(sent) = self.sent.get_mut(c.vl as usize) {
                *sent = c.blocks;
            }
        } else if self.fctbs_every > 0 && self.slot.0 >= self.fctbs_every {
            let vl = (self.slot.1 + 1) % self.p.vls;
            self.slot = (0, vl);
            control.fctbs = Some(Credit { vl: vl as u32, blocks: self.sent[vl] });
        }
        if self.current.is_none() {
            self.begin();
        }
        if hit(&mut self.rng, self.gap) {
            return;
        }
        let Some(c) = &mut self.current else { return };
        let (fault, ends) = (c.packet.fault, c.sent + 1 == c.flits);
        input[io.rx_valid] = 1;
        input[io.rx_first] = u32::from(c.sent == 0 && fault != Fault::NoFirst);
        input[io.rx_last] = u32::from(ends && !matches!(fault, Fault::Cut(_)));
        input[io.rx_bad] = u32::from(ends && matches!(fault, Fault::Bad(_)));
        let data = &mut input[io.rx_data..io.rx_data + self.flit_words];
        if c.sent == 0 {
            c.packet.hdr.write(data);
            if self.p.srp {
                c.packet.fields.write(data);
            }
        } else {
            data.iter_mut().for_each(|w| *w = self.rng.next_u32());
        }
        c.sent += 1;
        if let Some(sent) = self.sent.get_mut(c.vl) {
            *sent = (*sent + 1) & CREDIT_MASK;
        }
        if ends {
            self.current = None;
        }
    }

    /// The far end as receiver: credits and messages.
    fn answer(&mut self, control: &mut Control) {
        control.fccl = self.credits.pop_front();
        if control.fccl.is_none() && hit(&mut self.rng, self.credit) {
            let vl = self.rng.random_range(0..self.p.vls);
            let room = if self.starve == Some(vl) { 0 } else { self.room };
            control.fccl = Some(Credit { vl: vl as u32, blocks: (self.got[vl] + room) & CREDIT_MASK });
        }
        control.message = self.messages.pop_front();
    }
}
