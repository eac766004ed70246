//! What surrounds an output port: the input ports that ask for it, the crossbar, and the neighbour at the other end of the link.
//!
//! A [`World`] follows the port's outputs with the timing of `docs/input-port.md`: a grant of cycle t makes the engine active in
//! t+1 and removes the request, a flit read in t crosses in t+1, a prop of t changes the request in t+1.

use crate::stimulus::chance::{ALWAYS, Chance, chance, hit};
use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

use crate::model::header::{Bth, Header, Marks, OPCODE_CNP};
use crate::params::lanes::{SrpLane, opcode};
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use crate::stimulus::carrier::Carrier;
use crate::stimulus::reads::Reader;

use super::marking::{Marking, Places};
use super::shadow::Shadow;

macro_rules! io {
    (inputs $($i:ident)*; outputs $($o:ident)*) => {
        /// Offsets of the signals in the word vectors.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)]
        pub(super) struct Io { $(pub $i: usize,)* $(pub $o: usize,)* }

        impl Io {
            fn new(l: &Layout) -> Io {
                Io { $($i: l.input(stringify!($i)),)* $($o: l.output(&stringify!($o)[4..]),)* }
            }
        }
    };
}

io! {
    inputs cfg_we cfg_addr cfg_data req_valid req_len req_dlid req_cnp req_hot req_unlinked req_bound req_line req_age
        req_nack can_alloc known room pend xb_act xb_end xb_slow cong fill enter full_evt sw_valid sw_first sw_last sw_bad sw_mark sw_data link_up fccl_valid fccl_vl fccl msg_valid msg_type
        msg_line msg_vl msg_root msg_hops msg_stop msg_dcnt msg_dlist;
    outputs out_grant out_held out_held_line out_rd_en out_rd_slow out_prop_valid out_prop_vl out_prop_line out_ol_valid out_ol_stop
        out_ol_wait out_cong_state
}

/// Sizes of the build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub ports: usize,
    pub vls: usize,
    pub mtu: usize,
    pub hpqs: usize,
    pub lines: usize,
    pub dlist: usize,
    pub flit_words: usize,
    pub timer_max: u32,
    pub isolation: bool,
    pub vl_by_dest: bool,
    pub markers: bool,
    /// Blocks of each VL at an input.
    pub in_cap: usize,
    /// Flits of each VL's output queue; 0: there is none.
    pub ocap: usize,
    pub params: Params,
}

impl Dims {
    /// Q1: what a lane is for; none without SRP.
    pub(super) fn srp_lane(&self, v: usize) -> Option<SrpLane> {
        self.params.srp_lane(v)
    }

    /// The lane of a class.
    pub(super) fn lane_of(&self, class: SrpLane) -> usize {
        class.vl(self.vls)
    }

    /// The VL that the port takes a packet to be on.
    fn lane(&self, h: &Header) -> usize {
        h.lane(self.vls, self.vl_by_dest)
    }
}

/// What goes wrong with a packet on the crossbar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fault {
    #[default]
    None,
    /// Cut upstream after so many flits: a pad flit ends it (this is legal).
    Cut(u8),
    /// Ends after so many flits, without a last flit.
    NoLast(u8),
    /// Its first flit is not marked as first.
    NoFirst,
    /// So many flits more than its header says.
    Longer(u8),
    /// Complete, but its last flit is marked bad.
    Bad,
}

/// A packet at an input port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packet {
    /// Blocks asked for.
    pub len: u8,
    pub hdr: Header,
    pub fault: Fault,
    /// Q7: it stands in the spec FIFO of its input, where it has become this.
    pub nack: bool,
}

impl Packet {
    /// A data packet of `len` flits with a BTH.
    pub(super) fn data(vl: usize, dlid: u16, len: usize) -> Packet {
        Packet {
            len: len as u8,
            hdr: Header {
                vl: vl as u8,
                sl: vl as u8,
                lnh: 2,
                dlid,
                pkt_len: 16 * len as u16,
                slid: 1,
                bth: Some(Bth { opcode: 4, ..Bth::default() }),
            },
            fault: Fault::None,
            nack: false,
        }
    }

    /// Q7: what a dropped packet of `d`'s inputs has become.
    pub(super) fn nack(d: &Dims, dlid: u16) -> Packet {
        let reply = Packet::data(d.lane_of(SrpLane::Reply), dlid, 1).opcode(opcode::NACK);
        Packet { nack: true, ..reply }
    }

    /// The same with another opcode.
    pub(super) fn opcode(mut self, opcode: u8) -> Packet {
        if let Some(b) = &mut self.hdr.bth {
            b.opcode = opcode;
        }
        self
    }

    /// A congestion notification.
    pub(super) fn cnp(vl: usize, dlid: u16) -> Packet {
        Packet::data(vl, dlid, 1).opcode(OPCODE_CNP)
    }

    /// The same, marked upstream.
    pub(super) fn fecn(mut self) -> Packet {
        if let Some(b) = &mut self.hdr.bth {
            b.marks |= Marks::FECN;
        }
        self
    }

    /// The same, with MB, or VB, from upstream.
    pub(super) fn mb(mut self) -> Packet {
        if let Some(b) = &mut self.hdr.bth {
            b.marks |= Marks::MB;
        }
        self
    }

    pub(super) fn vb(mut self) -> Packet {
        if let Some(b) = &mut self.hdr.bth {
            b.marks |= Marks::VB;
        }
        self
    }

    /// The same with something wrong.
    pub(super) fn fault(mut self, fault: Fault) -> Packet {
        self.fault = fault;
        self
    }

    /// The same with another link next header; 0 and 1 hide the BTH.
    pub(super) fn lnh(mut self, lnh: u8) -> Packet {
        self.hdr.lnh = lnh;
        self
    }

    /// Q4: what has a place on the lane.
    fn suit(&mut self, lane: Option<SrpLane>, bits: u32) {
        let opcode = match lane {
            None | Some(SrpLane::Data) => return,
            Some(SrpLane::Spec) => opcode::SPEC,
            Some(SrpLane::Res) => opcode::RES,
            Some(SrpLane::Reply) => [opcode::GRANT, opcode::ACK, opcode::NACK][(bits as usize >> 20) % 3],
        };
        // some say something else: the port does not look at it
        if bits >> 21 & 7 != 0 {
            self.hdr.lnh = 2;
            self.hdr.bth = self.hdr.bth.map(|b| Bth { opcode, ..b });
        }
        if lane != Some(SrpLane::Spec) {
            (self.len, self.hdr.pkt_len) = (1, 1 + (bits >> 4 & 15) as u16);
        }
    }

    /// Flits on the crossbar.
    fn flits(&self) -> u32 {
        let n = u32::from(self.len.max(1));
        match self.fault {
            Fault::Longer(more) if usize::from(self.len) > self.hdr.flits() => {
                self.hdr.flits() as u32 + u32::from(more)
            }
            Fault::Cut(a) => u32::from(a) + 1,
            Fault::NoLast(a) => u32::from(a.max(1)),
            Fault::Longer(more) => n + u32::from(more),
            _ => n,
        }
    }
}

/// A hot queue of an input port and the line that owns it.
#[derive(Clone, Copy, Debug, Default)]
struct Hpq {
    used: bool,
    vl: u8,
    line: u8,
    linked: bool,
    /// Its line is in DRAIN: it takes no packets and no link, and asks for none.
    drain: bool,
    /// Packets in it; `head` is the first.
    packets: u16,
    head: Packet,
    dcnt: u8,
    dlids: [u16; 32],
    /// The line that has held its head back.
    tie: Option<u8>,
}

impl Hpq {
    /// The line that it is bound to.
    fn bound(&self) -> Option<u8> {
        self.tie.or((self.linked && !self.drain).then_some(self.line))
    }

    fn holds(&self, vl: u8, dlid: u16) -> bool {
        self.used && self.vl == vl && self.dlids[..usize::from(self.dcnt)].contains(&dlid)
    }
}

/// What an input port publishes for a VL.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    /// 0: cold head, 1+h: hot queue h.
    from: u8,
    len: u8,
    dlid: u16,
}

impl Shown {
    fn new(from: u8, p: &Packet) -> Shown {
        Shown { from, len: p.len, dlid: p.hdr.dlid }
    }

    fn hot(self) -> bool {
        self.from > 0
    }
}

/// The cold queue of one input and VL.
#[derive(Clone, Debug, Default)]
struct Slot {
    cold: Option<Packet>,
    /// It is a CNP.
    cnp: bool,
    /// It belongs to a hot queue: it moves, and does not ask.
    moves: bool,
    /// Packets that a script put there.
    queue: VecDeque<Packet>,
    /// Packets that are still to be drawn.
    waiting: u32,
    /// Round robin: 0 the cold queue, 1+h a hot one.
    choice: u8,
    shown: Option<Shown>,
    /// The line that has held the cold head back.
    tie: Option<u8>,
}

/// The read engine that feeds the crossbar.
#[derive(Clone, Copy, Debug, Default)]
struct Engine {
    active: bool,
    input: usize,
    packet: Packet,
    /// Flits emitted.
    sent: u32,
    /// The next flit is there in this cycle.
    available: bool,
    /// It reads at the link's pace.
    slow: bool,
}

impl Engine {
    fn ends(&self) -> bool {
        self.active && self.available && self.sent + 1 >= self.packet.flits()
    }
}

/// How packets are drawn.
#[derive(Clone, Debug)]
pub(super) struct Traffic {
    pub short: Chance,
    pub long: Chance,
    pub cnp: Chance,
    pub ack: Chance,
    pub multicast: Chance,
    pub grh: Chance,
    /// Raw or IPv6 packets: no BTH.
    pub raw: Chance,
    pub fecn: Chance,
    /// A destination of `hot` instead of any other.
    pub to_hot: Chance,
    pub cut: Chance,
    pub fault: Chance,
    /// Per cycle, that a speculative packet expires at the head of its FIFO.
    pub expires: Chance,
    pub hot: [u16; 32],
    pub hots: usize,
    /// Packets in a row to one destination.
    pub burst: u32,
}

/// The other end of the link, as far as credits go.
#[derive(Clone, Debug)]
pub(super) struct Neighbour {
    /// Blocks of buffer, per VL.
    pub cap: [u32; 8],
    /// Blocks granted and not yet freed, per VL.
    outstanding: [u32; 8],
    /// Chance, per VL and cycle, that blocks are freed, and how many.
    pub drain: Chance,
    pub freed: u32,
    pub starved: bool,
    /// Cycles between two credit messages; 0: none.
    pub every: u32,
    count: u32,
    vl: usize,
    /// Chance that a message is lost.
    pub loss: Chance,
}

/// A message of the neighbour about a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Msg {
    /// 0 ALLOC, 1 DEALLOC, 2 STOP, 3 GO
    pub kind: u32,
    pub line: u32,
    pub vl: u32,
    pub root: u32,
    pub hops: u32,
    pub stop: bool,
    pub dcnt: usize,
    pub dlids: [u16; 32],
}

/// ALLOC
pub(super) const ALLOC: u32 = 0;
/// DEALLOC
pub(super) const DEALLOC: u32 = 1;
/// STOP
pub(super) const STOP: u32 = 2;
/// GO
pub(super) const GO: u32 = 3;

/// Everything around the port.
#[derive(Debug)]
pub(super) struct World {
    pub io: Io,
    pub d: Dims,
    pub rng: SmallRng,
    /// Register writes to do, one a cycle.
    pub cfg: VecDeque<(u8, u32)>,
    pub reader: Reader,
    /// Messages to send, one a cycle.
    pub msgs: VecDeque<Msg>,
    /// Credit messages to send: VL, value (12 bits).
    pub credits: VecDeque<(u8, u16)>,
    pub traffic: Traffic,
    pub down: Neighbour,
    /// Chance that the next flit of a packet is not there yet.
    pub gap: Chance,
    /// Chance, per request and cycle, that it is withdrawn or changed although not granted.
    pub fickle: Chance,
    /// Chance that an input ignores a prop.
    pub deaf: Chance,
    /// Chance that the dList of a new hot line is full at once.
    pub full: Chance,
    /// Chance, per cycle, that an unlinked hot queue drains from now on.
    pub drains: Chance,
    /// Chance, per cycle, that an empty hot queue is released.
    pub release: Chance,
    /// Chance, per cycle, of a wrong `xb_act`/`xb_end`.
    pub wrong_act: Chance,
    /// Chance, per cycle, of random `known`, `room`, `can_alloc`.
    pub wrong_known: Chance,
    /// Inputs without a free line, one bit each.
    pub no_line: u64,
    pub cong: Vec<u32>,
    pub fill: Vec<u32>,
    slots: Vec<Slot>,
    hpqs: Vec<Hpq>,
    engine: Engine,
    /// Shadow of TXR, and of the open packet (VL, n, m), to give sensible credits.
    txr: [u32; 8],
    open: Option<(usize, u32, u32)>,
    pub carrier: Carrier,
    up: bool,
    /// The link comes up in this cycle.
    pub rose: bool,
    /// Packets on their way over the crossbar, how many of them are lost, and whether one ended in the last cycle.
    due: u32,
    lost: u32,
    ended: bool,
    ol_valid: u32,
    /// Lines that are stopped for an input.
    ol_stop: Vec<u32>,
    /// Inputs that could take a line in the last cycle, one bit each.
    could_alloc: u64,
    burst_dlid: u16,
    burst_left: u32,
    /// The request that was granted in the last cycle.
    pub granted: Option<usize>,
    /// The request that was told of a tree in the last cycle.
    pub told: Option<usize>,
    pub marks: Marking,
    /// Chance that a packet is read at the link's pace, and what inputs read so.
    pub slow: Chance,
    slow_inputs: Vec<bool>,
    /// Cycles in which nothing crosses.
    still: u32,
    shadow: Option<Box<Shadow>>,
}

impl World {
    /// A quiet world with plenty of credits and no traffic of its own.
    pub(super) fn new(p: &Params, seed: u64) -> World {
        let d = Dims {
            ports: p.ports,
            vls: p.vls,
            mtu: p.mtu,
            hpqs: p.hpqs,
            lines: p.lines,
            dlist: p.dlist,
            flit_words: p.flit_bytes / 4,
            timer_max: u32::MAX >> (32 - p.timer_w),
            isolation: p.isolation,
            vl_by_dest: p.vl_by_dest,
            markers: p.markers,
            in_cap: p.cap(0),
            ocap: p.ocap(),
            params: *p,
        };
        let pv = d.ports * d.vls;
        World {
            io: Io::new(&Layout::new(UnitKind::OutputPort, p)),
            d,
            rng: SmallRng::seed_from_u64(seed),
            cfg: VecDeque::with_capacity(64),
            reader: Reader::new(UnitKind::OutputPort, p, seed),
            msgs: VecDeque::with_capacity(16),
            credits: VecDeque::with_capacity(16),
            traffic: Traffic {
                short: 0,
                long: 0,
                cnp: 0,
                ack: 0,
                multicast: 0,
                grh: 0,
                raw: 0,
                fecn: 0,
                to_hot: 0,
                cut: 0,
                fault: 0,
                expires: 0,
                hot: [0; 32],
                hots: 1,
                burst: 1,
            },
            down: Neighbour {
                cap: [if p.srp { 2048 } else { p.cap(0).min(2048) as u32 }; 8],
                outstanding: [0; 8],
                drain: ALWAYS,
                freed: 1,
                starved: false,
                every: 4,
                count: 0,
                vl: 0,
                loss: 0,
            },
            gap: 0,
            fickle: 0,
            deaf: 0,
            full: 0,
            drains: 0,
            release: chance(0.05),
            wrong_act: 0,
            wrong_known: 0,
            no_line: 0,
            cong: vec![0; pv],
            fill: vec![0; pv],
            slots: (0..pv).map(|_| Slot { queue: VecDeque::with_capacity(32), ..Slot::default() }).collect(),
            hpqs: vec![Hpq::default(); d.ports * d.hpqs],
            engine: Engine::default(),
            txr: [0; 8],
            open: None,
            carrier: Carrier::default(),
            up: true,
            rose: false,
            due: 0,
            lost: 0,
            ended: false,
            ol_valid: 0,
            ol_stop: vec![0; d.ports],
            could_alloc: 0,
            burst_dlid: 0,
            burst_left: 0,
            granted: None,
            told: None,
            marks: Marking::new(p, seed),
            slow: 0,
            slow_inputs: vec![false; d.ports],
            still: 0,
            shadow: Shadow::new(p),
        }
    }

    /// Requesters: inputs times VLs.
    pub(super) fn requesters(&self) -> usize {
        self.slots.len()
    }

    /// Puts a packet at the tail of the cold queue of an input.
    pub(super) fn ask(&mut self, input: usize, mut p: Packet) {
        let v = if p.nack { self.d.lane_of(SrpLane::Spec) } else { usize::from(p.hdr.vl) % self.d.vls };
        if self.d.vl_by_dest {
            // a destination of the lane that is meant
            p.hdr.dlid = p.hdr.dlid - p.hdr.dlid % self.d.vls as u16 + v as u16;
        }
        self.slots[input % self.d.ports * self.d.vls + v].queue.push_back(p);
    }

    /// Lets requester `r` have so many more packets, drawn when their turn comes.
    pub(super) fn offer(&mut self, r: usize, packets: u32) {
        let w = &mut self.slots[r].waiting;
        *w = (*w + packets).min(1 << 20);
    }

    /// Takes back what [`World::offer`] promised.
    pub(super) fn hush(&mut self) {
        for s in &mut self.slots {
            s.waiting = 0;
        }
    }

    /// No packet anywhere.
    pub(super) fn idle(&self) -> bool {
        !self.engine.active
            && self.slots.iter().all(|s| s.cold.is_none() && s.queue.is_empty() && s.waiting == 0)
            && self.hpqs.iter().all(|h| h.packets == 0)
            && self.shadow.as_ref().is_none_or(|s| s.stored() == 0)
    }

    /// Nothing has crossed for so many cycles, and an output queue waits for what will not come: packets were others than they were
    /// granted as.
    pub(super) fn stuck(&self, still: u32) -> bool {
        self.still > still && self.shadow.as_ref().is_some_and(|s| s.lost())
    }

    /// With an output queue it is the link that takes credits.
    fn follow_queue(&mut self) {
        let Some(shadow) = &self.shadow else { return };
        for v in 0..self.d.vls {
            let (was, now) = (self.txr[v], shadow.txr(v));
            let moved = now.wrapping_sub(was) & 0xfff;
            let o = &mut self.down.outstanding[v];
            *o = if moved < 2048 { *o + moved } else { o.saturating_sub(4096 - moved) };
            self.txr[v] = now;
        }
    }

    /// The cycle's inputs are chosen.
    pub(super) fn done(&mut self, input: &[u32]) {
        if let Some(shadow) = &mut self.shadow {
            shadow.step(input);
        }
    }

    /// Forgets every waiting packet and hot queue.
    pub(super) fn clear(&mut self) {
        for s in &mut self.slots {
            (s.cold, s.waiting, s.tie) = (None, 0, None);
            s.queue.clear();
        }
        self.hpqs.fill(Hpq::default());
    }

    /// The value of FCCL that leaves `blocks` of credit on VL `v`.
    pub(super) fn fccl(&self, v: usize, blocks: u32) -> u16 {
        (self.txr[v].wrapping_add(blocks) & 0xfff) as u16
    }

    /// Blocks from TXR of VL `v` up to a value.
    pub(super) fn ahead(&self, v: usize, to: u32) -> usize {
        (to.wrapping_sub(self.txr[v]) & 0xfff) as usize
    }

    /// Blocks asked for by the request that stands at `r`.
    pub(super) fn asked(&self, r: usize) -> Option<u32> {
        self.slots[r].shown.map(|s| u32::from(s.len))
    }

    /// A hot request stands at `r`: whether its line is linked.
    pub(super) fn hot_shown(&self, r: usize) -> Option<bool> {
        let s = self.slots[r].shown.filter(|s| s.hot())?;
        Some(self.hpqs[r / self.d.vls * self.d.hpqs + usize::from(s.from) - 1].linked)
    }

    /// A packet as the traffic settings say.
    fn draw(&mut self, v: usize, to: Option<u16>) -> Packet {
        let (rng, t, d) = (&mut self.rng, &self.traffic, self.d);
        let len = if hit(rng, t.short) {
            1
        } else if hit(rng, t.long) {
            d.mtu
        } else {
            rng.random_range(1..=d.mtu)
        };
        let dlid = to.unwrap_or_else(|| {
            if self.burst_left == 0 {
                self.burst_left = if t.burst <= 1 { 1 } else { rng.random_range(1..2 * t.burst) };
                self.burst_dlid = if hit(rng, t.to_hot) {
                    t.hot[rng.random_range(0..t.hots)]
                } else {
                    rng.random_range(0..1024)
                };
            }
            self.burst_left -= 1;
            self.burst_dlid
        });
        let bits = rng.next_u32();
        // the lane is the destination's: what the header says does not matter
        let (dlid, vl) = match d.vl_by_dest {
            true => (dlid - dlid % d.vls as u16 + v as u16, (bits >> 24 & 15) as u8),
            false => (dlid, v as u8),
        };
        let mut hdr = Header {
            vl,
            sl: (bits & 15) as u8,
            lnh: 2,
            dlid,
            // any number of words that makes `len` flits
            pkt_len: (16 * len) as u16 - (bits >> 4 & 15) as u16,
            slid: (bits >> 16) as u16,
            bth: Some(Bth {
                opcode: 4,
                marks: Marks::BECN.when(bits >> 8 & 7 == 0),
                dest_qp: bits,
                psn: bits >> 7,
            }),
        };
        hdr.bth = hdr.bth.map(|b| Bth { dest_qp: b.dest_qp & 0xff_ffff, psn: b.psn & 0xff_ffff, ..b });
        let fecn = hit(rng, t.fecn);
        if hit(rng, t.grh) {
            hdr.lnh = 3;
        } else if hit(rng, t.raw) {
            hdr.lnh = (bits >> 9 & 1) as u8;
        }
        if let Some(b) = &mut hdr.bth {
            b.marks |= Marks::FECN.when(fecn);
            if hit(rng, t.cnp) && to.is_none() {
                b.opcode = OPCODE_CNP;
            } else if hit(rng, t.ack) {
                b.opcode = 0x11 | (bits >> 10) as u8 & 0x60;
            } else if bits >> 12 & 3 == 0 {
                b.opcode = match (bits >> 16) as u8 {
                    OPCODE_CNP => 0,
                    other => other,
                };
            }
        }
        if to.is_none() && hit(rng, t.multicast) {
            hdr.dlid |= 0xc000; // a multiple of VLS if that is a power of two
        }
        if let Some(b) = &mut hdr.bth {
            b.marks |= self.marks.draw_marks();
        }
        if let Some(markable) = self.marks.draw_markable() {
            hdr.lnh = 2;
            hdr.dlid &= 0xbfff;
            hdr.bth = hdr.bth.map(|b| Bth { opcode: if markable { 4 } else { 0x11 }, ..b });
        }
        let mut p = Packet { len: len as u8, hdr, fault: Fault::None, nack: false };
        p.suit(self.d.srp_lane(v), bits);
        let len = usize::from(p.len);
        // around the wrap of TXR more often, so that a correction goes back over it
        let wraps = self.txr[v] as usize + 3 * d.mtu + d.ocap >= 4096 && bits & 2 == 0;
        if hit(rng, t.cut) || wraps {
            p.fault = if len == 1 || bits & 1 == 0 {
                Fault::Bad
            } else {
                Fault::Cut(rng.random_range(1..len) as u8)
            };
        }
        if hit(rng, t.fault) {
            match rng.random_range(0..7) {
                0 => p.fault = Fault::NoLast(rng.random_range(1..=len) as u8),
                1 => p.fault = Fault::NoFirst,
                2 => p.fault = Fault::Longer(rng.random_range(1..4)),
                3 => p.hdr.vl = rng.random_range(0..16),
                4 => p.len = rng.random_range(0..128),
                5 => p.hdr.pkt_len = rng.random_range(0..2048),
                _ => p.fault = Fault::Cut(0),
            }
        }
        p
    }

    /// The VL on which a packet that comes will be counted when it leaves, if it is.
    fn counted(&self, p: &Packet) -> Option<usize> {
        let visible = p.hdr.lnh == 2 || p.hdr.lnh == 3 && self.d.flit_words == 16;
        let shows = !matches!(p.fault, Fault::NoFirst | Fault::Cut(0));
        let lane = Some(self.d.lane(&p.hdr)).filter(|v| *v < self.d.vls);
        lane.filter(|_| visible && shows && p.hdr.is_marked())
    }

    /// A congestion notification as the receiving ports see it: only with a BTH in the first flit.
    fn is_cnp(&self, p: &Packet) -> bool {
        let visible = p.hdr.lnh == 2 || (p.hdr.lnh == 3 && self.d.flit_words == 16);
        visible && p.hdr.is_cnp()
    }

    /// Follows what the port did in the last cycle, and writes the crossbar flit of this one.
    pub(super) fn follow(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.io;
        self.granted = seen[io.out_grant..][..self.slots.len()].iter().position(|&g| g != 0);
        let was_up = self.follow_link(input);
        // the engine reads while rd_en; the flit crosses now
        let pace = if self.engine.slow { io.out_rd_slow } else { io.out_rd_en };
        if self.engine.active && seen[pace] != 0 && self.engine.available {
            self.emit(input);
        }
        // a grant loads the engine
        if let Some(r) = self.granted {
            self.load(r);
        }
        if !was_up {
            self.txr = [0; 8];
        }
        self.still = if self.engine.active || input[io.sw_valid] != 0 { 0 } else { self.still + 1 };
        self.follow_queue();
        // a prop changes the request it refers to
        self.told = None;
        if let Some(i) = seen[io.out_prop_valid..][..self.d.ports].iter().position(|&p| p != 0) {
            let v = seen[io.out_prop_vl] as usize % self.d.vls;
            self.told = Some(i * self.d.vls + v);
            if !hit(&mut self.rng, self.deaf) {
                self.tell(i, v, seen[io.out_prop_line] as u8);
            }
        }
        self.follow_held(seen);
        self.ol_valid = seen[io.out_ol_valid];
        for (i, stop) in self.ol_stop.iter_mut().enumerate() {
            *stop = seen[io.out_ol_stop] | seen[io.out_ol_wait + i];
        }
        let ol_valid = self.ol_valid;
        for h in &mut self.hpqs {
            if h.used && h.linked && ol_valid >> h.line & 1 == 0 {
                h.linked = false;
            }
        }
        if hit(&mut self.rng, self.drains) {
            for h in self.hpqs.iter_mut().filter(|h| h.used && !h.linked) {
                h.drain = true;
            }
        }
        if hit(&mut self.rng, self.release) {
            let at = self.rng.random_range(0..self.hpqs.len());
            let h = &mut self.hpqs[at];
            if h.packets == 0 {
                h.used = false;
            }
        }
    }

    /// The queues that are held are tied to the line that holds them, until it is gone.
    fn follow_held(&mut self, seen: &[u32]) {
        let (io, hpqs, vls) = (self.io, self.d.hpqs, self.d.vls);
        let gone = |k: u8| self.ol_valid >> k & 1 == 0;
        self.slots.iter_mut().for_each(|s| s.tie = s.tie.filter(|k| !gone(*k)));
        self.hpqs.iter_mut().for_each(|h| h.tie = h.tie.filter(|k| !gone(*k)));
        for r in (0..self.slots.len()).filter(|&r| seen[io.out_held + r] != 0 && self.granted != Some(r)) {
            let line = Some(seen[io.out_held_line + r] as u8);
            match self.slots[r].shown.map(|s| usize::from(s.from)) {
                Some(0) => self.slots[r].tie = line,
                Some(h) => self.hpqs[r / vls * hpqs + h - 1].tie = line,
                None => {}
            }
        }
    }

    /// The link in this cycle, and what is lost with it. Returns whether it was up in the last one.
    fn follow_link(&mut self, input: &mut [u32]) -> bool {
        let was_up = self.up;
        let ended = u32::from(std::mem::take(&mut self.ended));
        self.due = self.due.saturating_sub(ended) + u32::from(self.granted.is_some());
        self.lost = if was_up { self.lost.saturating_sub(ended) } else { self.due };
        self.up = self.carrier.next(&mut self.rng);
        self.rose = self.up && !was_up;
        if !self.up {
            self.open = None;
        }
        input[self.io.link_up] = u32::from(self.up);
        was_up
    }

    /// Emits the next flit of the engine.
    fn emit(&mut self, input: &mut [u32]) {
        let io = self.io;
        let e = &mut self.engine;
        let p = e.packet;
        let (at, flits) = (e.sent, p.flits());
        let ends = at + 1 >= flits;
        let first = at == 0 && p.fault != Fault::NoFirst;
        let last = ends && !matches!(p.fault, Fault::NoLast(_));
        let pad = ends && matches!(p.fault, Fault::Cut(_));
        e.sent += 1;
        e.active = !ends;
        input[io.sw_valid] = 1;
        input[io.sw_first] = u32::from(first);
        input[io.sw_last] = u32::from(last);
        input[io.sw_bad] = u32::from(last && (pad || p.fault == Fault::Bad));
        let data = &mut input[io.sw_data..][..self.d.flit_words];
        if !pad {
            let mut x = p.hdr.pkt_len as u32 ^ at.wrapping_mul(0x9e37_79b9);
            for w in data.iter_mut() {
                x = x.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
                *w = x;
            }
            if at == 0 {
                p.hdr.write(data);
            }
        }
        if at == 0 && self.marks.asks(p.hdr.is_marked()) {
            input[io.sw_mark] = u32::from(first);
        }
        self.ended = last;
        if !self.up || self.lost > 0 {
            return;
        }
        // shadow of TXR; a pad that comes first has a header of zeros
        let (vl, n) = if pad && at == 0 { (0, 0) } else { (self.d.lane(&p.hdr), p.hdr.flits() as u32) };
        if first {
            self.open = Some((vl, n, 0));
        }
        if let Some((vl, n, m)) = &mut self.open {
            *m += 1;
            if last {
                if *vl < self.d.vls && *m < *n && self.d.ocap == 0 {
                    let short = *n - *m;
                    self.txr[*vl] = self.txr[*vl].wrapping_sub(short) & 0xfff;
                    let o = &mut self.down.outstanding[*vl];
                    *o = o.saturating_sub(short);
                }
                self.open = None;
            }
        }
    }

    /// Requester `r` was granted.
    fn load(&mut self, r: usize) {
        let Some(s) = self.slots[r].shown else { return };
        let (i, v) = (r / self.d.vls, r % self.d.vls);
        let packet = match s.from {
            0 => self.slots[r].cold.unwrap_or_default(),
            h => self.hpqs[i * self.d.hpqs + usize::from(h) - 1].head,
        };
        if self.d.ocap == 0 {
            let lane = if packet.nack { self.d.lane_of(SrpLane::Reply) } else { v };
            self.txr[lane] = (self.txr[lane] + u32::from(s.len)) & 0xfff;
            self.down.outstanding[lane] += u32::from(s.len);
        }
        let slow = self.d.ocap > 0 && hit(&mut self.marks.rng, self.slow);
        self.slow_inputs[i] = slow;
        self.engine = Engine { active: true, input: i, packet, sent: 0, available: false, slow };
        self.slots[r].choice = (s.from + 1) % (self.d.hpqs as u8 + 1);
        if s.from == 0 {
            (self.slots[r].cold, self.slots[r].tie) = (None, None);
        } else {
            let at = i * self.d.hpqs + usize::from(s.from) - 1;
            self.hpqs[at].packets -= 1;
            self.hpqs[at].tie = None;
            if self.hpqs[at].packets > 0 {
                self.next_hot(at, v);
            }
        }
    }

    /// Draws the next packet of a hot queue.
    fn next_hot(&mut self, at: usize, v: usize) {
        let h = &self.hpqs[at];
        let dlid = h.dlids[self.rng.random_range(0..usize::from(h.dcnt.max(1)))];
        let mut head = self.draw(v, Some(dlid));
        if self.d.markers && self.counted(&head) != Some(v) {
            head = Packet::data(v, dlid, usize::from(head.len.max(1)));
        }
        self.hpqs[at].head = head;
    }

    /// Input `i` is told of output line `line` (E3, E6).
    fn tell(&mut self, i: usize, v: usize, line: u8) {
        let r = i * self.d.vls + v;
        let Some(s) = self.slots[r].shown else { return };
        if self.granted == Some(r) {
            return;
        }
        let hpqs = &mut self.hpqs[i * self.d.hpqs..][..self.d.hpqs];
        if s.hot() {
            let h = &mut hpqs[usize::from(s.from) - 1];
            if !h.drain {
                (h.line, h.linked) = (line, true);
            }
            return;
        }
        let dlid = s.dlid;
        if let Some(h) =
            hpqs.iter_mut().find(|h| h.used && h.linked && h.line == line && usize::from(h.vl) == v)
        {
            if usize::from(h.dcnt) < self.d.dlist {
                h.dlids[usize::from(h.dcnt)] = dlid;
                h.dcnt += 1;
            }
        } else if self.no_line >> i & 1 == 0
            && let Some(h) = hpqs.iter_mut().find(|h| !h.used)
        {
            *h = Hpq { used: true, vl: v as u8, line, linked: true, dcnt: 1, ..Hpq::default() };
            h.dlids[0] = dlid;
            if hit(&mut self.rng, self.full) {
                h.dlids[..self.d.dlist].fill(dlid);
                h.dcnt = self.d.dlist as u8;
            }
        }
    }

    /// Brings the queues of an input up to date: one move (E4), then the next packets at the heads.
    fn queues(&mut self, i: usize) {
        let (vls, n) = (self.d.vls, self.d.hpqs);
        let isolates = self.hpqs[i * n..][..n].iter().any(|h| h.used);
        let mut moved = false;
        for v in 0..vls {
            let r = i * vls + v;
            if self.slots[r].cold.is_none() {
                let p = match self.slots[r].queue.pop_front() {
                    Some(p) => p,
                    None if self.slots[r].waiting > 0 => {
                        self.slots[r].waiting -= 1;
                        self.draw(v, None)
                    }
                    None => continue,
                };
                let cnp = self.is_cnp(&p);
                self.marks.came(i, self.counted(&p));
                let s = &mut self.slots[r];
                (s.cold, s.cnp) = (Some(p), cnp);
                // if it moves, then in the next cycle
                s.moves =
                    isolates && !cnp && self.hpqs[i * n..][..n].iter().any(|h| h.holds(v as u8, p.hdr.dlid));
                continue;
            }
            let s = &mut self.slots[r];
            s.moves = false;
            if !isolates || s.cnp {
                continue;
            }
            let Some(p) = s.cold else { continue };
            let counted = self.counted(&p).is_some();
            let s = &mut self.slots[r];
            let Some(h) = self.hpqs[i * n..][..n].iter_mut().find(|h| h.holds(v as u8, p.hdr.dlid)) else {
                continue;
            };
            s.moves = true;
            if !moved && !h.drain && h.packets < 60_000 {
                if h.packets == 0 {
                    h.head = p;
                } else if !counted {
                    // It is drawn anew when it becomes the head, as one that counts.
                    self.marks.came(i, Some(v));
                }
                h.packets += 1;
                (s.cold, s.tie) = (None, None);
                moved = true;
            }
        }
    }

    /// Writes requests, tables and contributions of this cycle.
    pub(super) fn publish(&mut self, input: &mut [u32]) {
        let (io, d) = (self.io, self.d);
        let e = &mut self.engine;
        e.available = e.active && !(self.gap != 0 && hit(&mut self.rng, self.gap));
        let ends = e.ends();
        let (active, owner) = (e.active, e.input);
        if active {
            input[io.xb_act + owner] = 1;
            input[io.xb_end + owner] = u32::from(ends);
        }
        if d.ocap > 0 {
            input[io.xb_slow..][..d.ports]
                .iter_mut()
                .zip(&self.slow_inputs)
                .for_each(|(w, s)| *w = u32::from(*s));
        }
        if d.params.srp && self.traffic.expires != 0 && hit(&mut self.rng, self.traffic.expires) {
            self.expire();
        }
        for i in 0..d.ports {
            self.queues(i);
            let busy = active && owner == i && !ends;
            for v in 0..d.vls {
                let r = i * d.vls + v;
                let shown = if busy { None } else { self.pick(i, v) };
                self.slots[r].shown = shown;
                let age = self.marks.age(r, self.slots[r].cold.is_some());
                if let Some(s) = shown {
                    input[io.req_age + r] = age;
                    input[io.req_valid + r] = 1;
                    input[io.req_len + r] = u32::from(s.len);
                    input[io.req_dlid + r] = u32::from(s.dlid);
                    input[io.req_cnp + r] = u32::from(!s.hot() && self.slots[r].cnp);
                    input[io.req_nack + i] |= u32::from(self.slots[r].cold.is_some_and(|p| p.nack));
                    let mut bound = self.slots[r].tie;
                    if s.hot() {
                        let h = &self.hpqs[i * d.hpqs + usize::from(s.from) - 1];
                        input[io.req_hot + r] = 1;
                        input[io.req_unlinked + r] = u32::from(!h.linked && !h.drain);
                        bound = h.bound();
                    }
                    input[io.req_bound + r] = u32::from(bound.is_some());
                    input[io.req_line + r] = u32::from(bound.unwrap_or(0));
                }
            }
            if d.isolation {
                let mut free = false;
                for h in &self.hpqs[i * d.hpqs..][..d.hpqs] {
                    if h.used && h.linked {
                        input[io.known + i] |= 1 << h.line;
                        input[io.room + i] |= u32::from(usize::from(h.dcnt) < d.dlist) << h.line;
                    }
                    free |= !h.used;
                }
                let can_alloc = free && self.no_line >> i & 1 == 0;
                input[io.can_alloc + i] = u32::from(can_alloc);
                self.pend(i, can_alloc, input);
            }
        }
        self.marks.publish(&Places { enter: io.enter, full_evt: io.full_evt }, d.vls, input);
        input[io.cong..][..self.cong.len()].copy_from_slice(&self.cong);
        input[io.fill..][..self.fill.len()].copy_from_slice(&self.fill);
        if self.wrong_act != 0 && hit(&mut self.rng, self.wrong_act) {
            let i = self.rng.random_range(0..d.ports);
            let bits = self.rng.next_u32();
            input[io.xb_act + i] ^= bits & 1;
            input[io.xb_end + i] ^= bits >> 1 & 1;
            if d.ocap > 0 {
                input[io.xb_slow + i] ^= bits >> 2 & 1;
            }
        }
        if self.wrong_known != 0 && hit(&mut self.rng, self.wrong_known) {
            let i = self.rng.random_range(0..d.ports);
            let mask = u32::MAX >> (32 - d.lines);
            input[io.known + i] = self.rng.next_u32() & mask;
            input[io.room + i] = self.rng.next_u32() & mask;
            input[io.can_alloc + i] = self.rng.next_u32() & 1;
            input[io.pend + i] = self.rng.next_u32() & mask;
            let r = self.rng.random_range(0..self.slots.len());
            let bits = self.rng.next_u32();
            let line = if bits & 14 == 0 { bits >> 8 & 0xff } else { (bits >> 8) % d.lines as u32 };
            (input[io.req_bound + r], input[io.req_line + r]) = (bits & 1, line * (bits & 1));
        }
    }

    /// Q6, Q7: the speculative packet of some input expires: it asks here as a NACK, or somewhere else.
    fn expire(&mut self) {
        let (i, bits) = (self.rng.random_range(0..self.d.ports), self.rng.next_u32());
        let d = self.d;
        let cold = &mut self.slots[i * d.vls + d.lane_of(SrpLane::Spec)].cold;
        if cold.is_some_and(|p| !p.nack) {
            *cold = (bits & 1 != 0).then(|| Packet::nack(&d, bits as u16 >> 1));
        }
    }

    /// The lines that packets of input `i` wait for; a cold queue is loose when the input can take a line.
    fn pend(&mut self, i: usize, can_alloc: bool, input: &mut [u32]) {
        let rises = can_alloc && self.could_alloc >> i & 1 == 0;
        self.could_alloc = self.could_alloc & !(1 << i) | u64::from(can_alloc) << i;
        let slots = &mut self.slots[i * self.d.vls..][..self.d.vls];
        let cold = slots.iter().filter(|s| s.cold.is_some() && !s.moves).filter_map(|s| s.tie);
        let hot = self.hpqs[i * self.d.hpqs..][..self.d.hpqs].iter().filter(|h| h.used && h.packets > 0);
        let pend = cold.chain(hot.filter_map(Hpq::bound)).fold(0, |pend, k| pend | 1 << k);
        input[self.io.pend + i] = pend;
        if rises {
            slots.iter_mut().for_each(|s| s.tie = None);
        }
    }

    /// The candidate of an input and VL: a CNP at the cold head, else round robin over cold head and hot queues.
    fn pick(&mut self, i: usize, v: usize) -> Option<Shown> {
        let r = i * self.d.vls + v;
        if self.fickle != 0 && hit(&mut self.rng, self.fickle) {
            let s = &mut self.slots[r];
            s.choice = (s.choice + 1) % (self.d.hpqs as u8 + 1);
            if self.rng.next_u32() & 3 == 0 {
                s.tie = None;
                if let Some(p) = s.cold.take() {
                    let counted = self.counted(&p);
                    self.marks.vanished(counted);
                }
            }
            return None;
        }
        let s = &self.slots[r];
        // a head that belongs to a hot queue is about to move
        let stopped = |bound: Option<u8>| bound.is_some_and(|k| self.ol_stop[i] >> k & 1 == 1);
        let cold = s.cold.as_ref().filter(|_| !s.moves && !stopped(s.tie)).map(|p| Shown::new(0, p));
        if s.cnp && cold.is_some() {
            return cold;
        }
        let n = self.d.hpqs as u8 + 1;
        for c in (s.choice..n).chain(0..s.choice) {
            if c == 0 {
                if cold.is_some() {
                    self.slots[r].choice = 0;
                    return cold;
                }
                continue;
            }
            let h = &self.hpqs[i * self.d.hpqs + usize::from(c) - 1];
            if h.used && usize::from(h.vl) == v && h.packets > 0 && !stopped(h.bound()) {
                let shown = Shown::new(c, &h.head);
                self.slots[r].choice = c;
                return Some(shown);
            }
        }
        None
    }

    /// Writes registers, credit and tree messages of this cycle.
    pub(super) fn wires(&mut self, input: &mut [u32]) {
        let io = self.io;
        if let Some((addr, data)) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_addr] = addr.into();
            input[io.cfg_data] = data;
        }
        self.reader.drive(input);
        let mut credit = self.credits.pop_front();
        let n = &mut self.down;
        if !n.starved {
            for o in &mut n.outstanding[..self.d.vls] {
                if *o > 0 && hit(&mut self.rng, n.drain) {
                    *o = o.saturating_sub(n.freed);
                }
            }
        }
        if n.every > 0 {
            n.count += 1;
            if n.count >= n.every && credit.is_none() {
                n.count = 0;
                n.vl = (n.vl + 1) % self.d.vls;
                if !hit(&mut self.rng, n.loss) {
                    let v = n.vl;
                    let left = n.cap[v].saturating_sub(n.outstanding[v]);
                    credit = Some((v as u8, (self.txr[v].wrapping_add(left) & 0xfff) as u16));
                }
            }
        }
        if let Some((vl, value)) = credit {
            input[io.fccl_valid] = 1;
            input[io.fccl_vl] = vl.into();
            input[io.fccl] = value.into();
        }
        if let Some(m) = self.msgs.pop_front() {
            input[io.msg_valid] = 1;
            input[io.msg_type] = m.kind;
            input[io.msg_line] = m.line;
            input[io.msg_vl] = m.vl;
            if m.kind == ALLOC {
                input[io.msg_root] = m.root;
                input[io.msg_hops] = m.hops;
                input[io.msg_stop] = u32::from(m.stop);
                input[io.msg_dcnt] = m.dcnt as u32;
                for (w, &dlid) in input[io.msg_dlist..].iter_mut().zip(&m.dlids[..m.dcnt.min(self.d.dlist)]) {
                    *w = dlid.into();
                }
            }
        }
    }
}
