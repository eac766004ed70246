//! The surroundings of an input port: the upstream neighbour on the link, the P outputs of the switch with their CAM
//! lines, and the configuration port. What each of them does is set by its public fields; the constrained-random
//! source and the scripts are two ways of setting them.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::VecDeque;

use crate::model::header::{Bth, Header, Marks, OPCODE_CNP, SrpFields};
use crate::params::ANY_UP;
use crate::params::Params;
use crate::params::UnitKind;
use crate::params::lanes::{SrpLane, opcode};
use crate::signals::Layout;
use crate::stimulus::carrier::Carrier;
use crate::stimulus::chance::{ALWAYS, Chance, hit};
use crate::stimulus::reads::Reader;

macro_rules! io {
    ($($group:ident: $($name:ident)*;)*) => {
        /// First word of every signal.
        #[allow(missing_docs)] // fields are the signals of src/signals.rs
        #[derive(Clone, Debug)]
        pub struct Io { $($(pub $name: usize,)*)* }

        impl Io {
            /// Looks the signals up.
            pub fn new(p: &Params) -> Io {
                let l = Layout::new(UnitKind::InputPort, p);
                Io { $($($name: l.$group(stringify!($name)),)*)* }
            }
        }
    };
}

io! {
    input: cfg_we cfg_addr cfg_data lft_we lft_addr lft_port rx_valid rx_first rx_last rx_bad rx_data fctbs_valid
        fctbs_vl fctbs link_up grant held held_line rd_en rd_slow prop_valid prop_vl prop_line prop_hops prop_root ol_valid
        ol_stop;
    output: ready req_valid req_len req_dlid req_cnp req_hot req_unlinked req_nack xb_act xb_end xb_slow xb_valid xb_first xb_last
        xb_bad xb_data cong fill can_alloc known room fc_valid fc_vl fccl msg_valid msg_type msg_line msg_vl
        msg_stop msg_dcnt msg_dlist err;
}

/// How a packet on the link breaks the rules. Positions count flits from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It does not.
    None,
    /// Sent whether or not there is credit.
    NoCredit,
    /// The first flit is missing.
    MissingFirst,
    /// Ends without a last flit after so many flits.
    Cut(u8),
    /// `last` with this flit, too early.
    Early(u8),
    /// So many flits too many.
    Late(u8),
    /// This flit ends the packet as bad.
    Bad(u8),
    /// This flit is bad but not last; the packet goes on.
    BadOpen(u8),
    /// This flit is lost on the wire.
    Lost(u8),
    /// Silence for so many cycles before this flit.
    Stall(u8, u16),
    /// So many flits of random content and random framing.
    Junk(u8),
}

/// A packet to be sent on the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Virtual lane.
    pub vl: u8,
    /// Link next header: 2 = BTH, 3 = GRH and BTH.
    pub lnh: u8,
    /// BTH opcode.
    pub opcode: u8,
    /// Destination.
    pub dlid: u16,
    /// Source.
    pub slid: u16,
    /// LRH length field, 4-byte words.
    pub words: u16,
    /// Cycles for which a packet of the reservation protocol says that it has queued.
    pub age: u16,
    /// What is wrong with it.
    pub fault: Fault,
}

/// Opcode of a transport acknowledge.
pub(super) const OPCODE_ACK: u8 = 0x11;

impl Packet {
    /// A good data packet of `n` flits.
    pub fn data(dlid: u16, n: usize) -> Packet {
        Packet { vl: 0, lnh: 2, opcode: 4, dlid, slid: 1, words: 16 * n as u16, age: 0, fault: Fault::None }
    }

    /// A good congestion notification packet.
    pub fn cnp(dlid: u16) -> Packet {
        Packet { opcode: OPCODE_CNP, ..Packet::data(dlid, 1) }
    }

    /// Switches may mark it, or not: it is a notification or an acknowledge then, of as many flits.
    pub fn set_markable(&mut self, yes: bool) {
        self.lnh = 2;
        self.opcode = match (yes, self.words % 2) {
            (true, _) => 4,
            (false, 0) => OPCODE_CNP,
            (false, _) => OPCODE_ACK,
        };
    }

    /// The same on another virtual lane.
    pub fn on(self, vl: usize) -> Packet {
        Packet { vl: vl as u8, ..self }
    }

    /// The same with a fault.
    pub fn with(self, fault: Fault) -> Packet {
        Packet { fault, ..self }
    }

    /// The VL that the port takes it to be on.
    pub fn lane(&self, d: &Dims) -> usize {
        if d.vl_by_dest { usize::from(self.dlid) % d.vls } else { usize::from(self.vl) }
    }

    /// A speculative packet of `n` flits from `slid`.
    pub fn spec(d: &Dims, dlid: u16, slid: u16, n: usize, age: u16) -> Packet {
        Packet { opcode: opcode::SPEC, slid, age, ..Packet::data(dlid, n) }.on(SrpLane::Spec.vl(d.vls))
    }

    /// A control packet of the reservation protocol.
    pub fn control(d: &Dims, dlid: u16, opcode: u8) -> Packet {
        let lane = if opcode == opcode::RES { SrpLane::Res } else { SrpLane::Reply };
        Packet { opcode, ..Packet::data(dlid, 1) }.on(lane.vl(d.vls))
    }

    /// It is one of the reservation protocol.
    fn is_srp(&self) -> bool {
        self.lnh == 2 && (opcode::RES..=opcode::GRANTED).contains(&self.opcode)
    }

    /// CL3, Q4: on a lane that has packets of its own it becomes one of them.
    pub fn suit(&mut self, d: &Dims, rng: &mut SmallRng) {
        if d.params.srp {
            self.suit_lane(d, rng);
            return;
        }
        if d.control == Some(usize::from(self.vl)) {
            (self.lnh, self.words) = (2, rng.random_range(1..=16));
            self.opcode = [OPCODE_CNP, OPCODE_ACK][rng.random_range(0..2)];
        }
    }

    /// Q4: what has a place on the lane.
    fn suit_lane(&mut self, d: &Dims, rng: &mut SmallRng) {
        let one_flit = |rng: &mut SmallRng| rng.random_range(1..=16);
        match d.params.srp_lane(usize::from(self.vl)) {
            Some(SrpLane::Spec) => (self.lnh, self.opcode) = (2, opcode::SPEC),
            Some(SrpLane::Res) => (self.lnh, self.opcode, self.words) = (2, opcode::RES, one_flit(rng)),
            Some(SrpLane::Reply) => {
                let replies = [opcode::GRANT, opcode::ACK, opcode::NACK];
                (self.lnh, self.opcode) = (2, replies[rng.random_range(0..replies.len())]);
                self.words = one_flit(rng);
            }
            Some(SrpLane::Data) | None if rng.random() => (self.lnh, self.opcode) = (2, opcode::GRANTED),
            Some(SrpLane::Data) | None => {}
        }
    }

    /// Length in flits by the header.
    pub fn flits(&self) -> usize {
        usize::from(self.words).div_ceil(16)
    }
}

/// The upstream neighbour. Well behaved (credits, framing) but for the faults of its packets.
#[derive(Clone, Debug)]
pub struct Link {
    /// Packets to send, in order.
    pub queue: VecDeque<Packet>,
    /// Cycles from one flit to the next.
    pub pace: u32,
    /// The packet at the head of the queue is sent so many times more.
    pub repeat: u32,
    /// Chance of an idle cycle before a flit.
    pub gap: Chance,
    /// Idle cycles before the next packet starts.
    pub wait: u32,
    /// Chance that a credit message to the neighbour is lost.
    pub lose_credit: Chance,
    /// Chance that an FCTBS message to the port is lost.
    pub lose_fctbs: Chance,
    /// Cycles between FCTBS messages; 0: none.
    pub fctbs_every: u32,
    /// Added to the next FCTBS value (a damaged message).
    pub fctbs_error: u16,
    /// VL of the next FCTBS message if it is to be an illegal one.
    pub fctbs_bad_vl: Option<u8>,
    /// Cycles that the packet at the head has waited for credit.
    pub blocked: u32,
    fccl: [u16; 8],
    sent: [u16; 8],
    now: Option<Packet>,
    at: usize,
    total: usize,
    pace_left: u32,
    stall_left: u32,
    fctbs_left: u32,
    fctbs_vl: usize,
}

impl Link {
    pub(in crate::stimulus) fn new() -> Link {
        Link {
            queue: VecDeque::with_capacity(64),
            pace: 1,
            repeat: 0,
            gap: 0,
            wait: 0,
            lose_credit: 0,
            lose_fctbs: 0,
            fctbs_every: 16,
            fctbs_error: 0,
            fctbs_bad_vl: None,
            blocked: 0,
            fccl: [0; 8],
            sent: [0; 8],
            now: None,
            at: 0,
            total: 0,
            pace_left: 0,
            stall_left: 0,
            fctbs_left: 0,
            fctbs_vl: 0,
        }
    }

    /// The link is down: what was on it is lost, and both ends count from 0.
    pub(in crate::stimulus) fn lose(&mut self) {
        self.now = None;
        self.stall_left = 0;
        self.fccl = [0; 8];
        self.sent = [0; 8];
    }

    /// Nothing left to send.
    pub fn idle(&self) -> bool {
        self.now.is_none() && self.queue.is_empty()
    }

    /// The neighbour has sent so many blocks before; the next FCTBS message will say so.
    pub fn set_sent(&mut self, vl: usize, blocks: u16) {
        self.sent[vl] = blocks & 0xfff;
    }

    /// A packet is half sent.
    pub fn busy(&self) -> bool {
        self.now.is_some()
    }

    fn fits(&self, p: &Packet, d: &Dims) -> bool {
        let v = p.lane(d);
        if v >= d.vls {
            return true;
        }
        // a length that cannot be is not looked at
        let n = p.flits().min(d.mtu).min(d.params.cap(v)) as u16;
        self.fccl[v].wrapping_sub(self.sent[v]).wrapping_sub(n) & 0xfff <= 2048
    }

    /// Takes the next packet from the queue, if it may start.
    fn start(&mut self, d: &Dims) {
        let Some(p) = self.queue.front().copied() else { return };
        let checks_credit = !matches!(p.fault, Fault::NoCredit | Fault::Junk(_));
        if checks_credit && !self.fits(&p, d) {
            self.blocked += 1;
            return;
        }
        if self.repeat > 0 {
            self.repeat -= 1;
        } else {
            self.queue.pop_front();
        }
        self.blocked = 0;
        let n = p.flits().max(1);
        self.at = 0;
        self.total = match p.fault {
            Fault::Cut(k) | Fault::Junk(k) => usize::from(k).max(1),
            Fault::Early(k) | Fault::Bad(k) => usize::from(k) + 1,
            Fault::Late(k) => n + usize::from(k),
            Fault::MissingFirst => {
                self.at = 1;
                n.max(2)
            }
            _ => n,
        };
        if let Fault::Stall(0, cycles) = p.fault {
            self.stall_left = u32::from(cycles);
        }
        self.now = Some(p);
    }

    /// One cycle: takes the port's credit message, drives its rx and fctbs pins.
    pub(in crate::stimulus) fn drive(
        &mut self,
        w: &Dims,
        io: &Io,
        rng: &mut SmallRng,
        seen: &[u32],
        input: &mut [u32],
    ) {
        if seen[io.fc_valid] == 1 && !hit(rng, self.lose_credit) {
            self.fccl[seen[io.fc_vl] as usize & 7] = seen[io.fccl] as u16;
        }
        if self.fctbs_every > 0 {
            if self.fctbs_left == 0 {
                self.fctbs_left = self.fctbs_every;
                let v = self.fctbs_vl;
                self.fctbs_vl = (v + 1) % w.vls;
                if !hit(rng, self.lose_fctbs) {
                    let value = self.sent[v].wrapping_add(self.fctbs_error) & 0xfff;
                    self.fctbs_error = 0;
                    input[io.fctbs_valid] = 1;
                    input[io.fctbs_vl] = u32::from(self.fctbs_bad_vl.take().unwrap_or(v as u8));
                    input[io.fctbs] = u32::from(value);
                }
            }
            self.fctbs_left -= 1;
        }
        if self.pace_left > 0 {
            self.pace_left -= 1;
            return;
        }
        if self.now.is_none() {
            if self.wait > 0 {
                self.wait -= 1;
                return;
            }
            self.start(w);
        }
        let Some(p) = self.now else { return };
        if self.stall_left > 0 {
            self.stall_left -= 1;
            return;
        }
        if hit(rng, self.gap) {
            return;
        }
        self.flit(&p, w, io, rng, input);
        self.at += 1;
        if self.at >= self.total {
            self.now = None;
        } else if let Fault::Stall(k, cycles) = p.fault
            && usize::from(k) == self.at
        {
            self.stall_left = u32::from(cycles);
        }
        self.pace_left = self.pace.saturating_sub(1);
    }

    fn flit(&mut self, p: &Packet, w: &Dims, io: &Io, rng: &mut SmallRng, input: &mut [u32]) {
        let v = p.lane(w);
        if v < w.vls {
            self.sent[v] = (self.sent[v] + 1) & 0xfff;
        }
        let i = self.at;
        let data = &mut input[io.rx_data..io.rx_data + w.flit_words];
        for pair in data.chunks_exact_mut(2) {
            let r: u64 = rng.random();
            pair[0] = r as u32;
            pair[1] = (r >> 32) as u32;
        }
        let (mut first, mut last, mut bad) = (i == 0, i + 1 == self.total, false);
        match p.fault {
            Fault::Lost(k) if usize::from(k) == i => {
                data.fill(0);
                return;
            }
            Fault::Cut(_) => last = false,
            Fault::Bad(_) => bad = last,
            Fault::BadOpen(k) => bad = usize::from(k) == i,
            Fault::Junk(_) => {
                let r: u32 = rng.random();
                (first, last) = (r & 3 != 0, r & 12 == 0);
                bad = last && r & 0x30 == 0;
                // sometimes a plausible header with a wrong length, sometimes noise
                if first && r & 0x40 != 0 {
                    header(p, r).write(data);
                }
            }
            _ => {}
        }
        if first && !matches!(p.fault, Fault::Junk(_)) {
            let r: u32 = rng.random();
            // the opcode of a notification where it is none
            if r & 0xc0 == 0 {
                let decoy = if p.lnh == 2 && w.flit_bytes == 64 { 12 } else { 2 };
                data[decoy] = data[decoy] & !0xff | 0x80;
            }
            header(p, r).write(data);
            if p.is_srp() {
                SrpFields { age: p.age, ..SrpFields::parse(data) }.write(data);
            }
        }
        input[io.rx_valid] = 1;
        input[io.rx_first] = u32::from(first);
        input[io.rx_last] = u32::from(last);
        input[io.rx_bad] = u32::from(bad);
    }
}

/// Words on the link that mean nothing.
fn babble(d: &Dims, io: &Io, rng: &mut SmallRng, input: &mut [u32]) {
    let r: u32 = rng.random();
    if r & 1 != 0 {
        let p = Packet::data((r >> 16) as u16 % d.lft_depth as u16, 1 + (r >> 4 & 1) as usize);
        header(&p, r).write(&mut input[io.rx_data..io.rx_data + d.flit_words]);
        input[io.rx_valid] = 1;
        input[io.rx_first] = r >> 2 & 1;
        input[io.rx_last] = r >> 3 & 1;
    }
    if r & 2 != 0 {
        input[io.fctbs_valid] = 1;
        input[io.fctbs_vl] = r >> 8 & 3;
        input[io.fctbs] = r >> 20;
    }
}

/// The headers of a packet; `r` fills the fields that do not matter.
fn header(p: &Packet, r: u32) -> Header {
    Header {
        vl: p.vl,
        sl: (r & 15) as u8,
        lnh: p.lnh,
        dlid: p.dlid,
        pkt_len: p.words,
        slid: p.slid,
        bth: Some(Bth {
            opcode: p.opcode,
            marks: Marks::FECN.when(r & 16 != 0)
                | Marks::BECN.when(r & 32 != 0)
                | Marks::MB.when(r & 0xc0 == 0)
                | Marks::VB.when(r & 0x1c0 == 0),
            dest_qp: r >> 8,
            psn: r & 0xff_ffff,
        }),
    }
}

/// A CAM line of an output port: a congestion tree downstream.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutLine {
    /// Virtual lane of the tree.
    pub vl: u8,
    /// Hops to the root.
    pub hops: u8,
    /// Root identifier.
    pub root: u32,
    /// Destinations listed.
    pub dcnt: u8,
    /// The list.
    pub dlist: [u16; 32],
}

impl OutLine {
    fn lists(&self, vl: usize, dlid: u16) -> bool {
        usize::from(self.vl) == vl && self.dlist[..usize::from(self.dcnt)].contains(&dlid)
    }
}

/// Cycles for which a line that becomes another tree's is away.
const HOLD: u8 = 2;

/// One output of the switch, as far as this input sees it.
#[derive(Clone, Debug)]
pub struct Out {
    /// Chance in each cycle that the output is free for this input and takes its request.
    pub serve: Chance,
    /// Grants still allowed.
    pub allow: u32,
    /// No credits downstream: no grants.
    pub starved: bool,
    /// Lanes without credit, one bit each.
    pub lacking: u32,
    /// Busy with other inputs for up to so many cycles after each grant.
    pub others: u32,
    /// `rd_en` every so many cycles; 0: never.
    pub rd_pace: u32,
    /// The same of `rd_slow`.
    pub slow_pace: u32,
    /// Chance of `rd_en` in the cycles given by `rd_pace`.
    pub rd: Chance,
    /// Chance that a request that must hear of a tree is told (E3).
    pub tell: Chance,
    /// A request that must be told is not granted before (as the real output port does).
    pub strict: bool,
    /// The CAM lines; those of `valid` count.
    pub lines: Vec<OutLine>,
    /// Valid lines, one bit each.
    valid: u32,
    /// Stopped lines, one bit each.
    stop: u32,
    /// Lines that became another tree's, or ended: not shown for so many cycles.
    hold: Vec<u8>,
    busy: u32,
    rd_left: u32,
    slow_left: u32,
    vl_next: usize,
    scan_next: usize,
}

impl Out {
    fn new(lines: usize) -> Out {
        Out {
            serve: ALWAYS,
            allow: u32::MAX,
            starved: false,
            lacking: 0,
            others: 0,
            rd_pace: 1,
            slow_pace: 1,
            rd: ALWAYS,
            tell: ALWAYS,
            strict: true,
            lines: vec![OutLine::default(); lines],
            valid: 0,
            stop: 0,
            hold: vec![0; lines],
            busy: 0,
            rd_left: 0,
            slow_left: 0,
            vl_next: 0,
            scan_next: 0,
        }
    }

    /// A tree is announced: the line becomes valid with these destinations, not stopped.
    pub fn alloc(&mut self, line: usize, vl: usize, hops: u8, root: u32, dlids: &[u16]) {
        let l = &mut self.lines[line];
        let dcnt = dlids.len().min(l.dlist.len());
        // a list only grows in the life of a tree
        let begins = dlids.starts_with(&l.dlist[..usize::from(l.dcnt)]);
        if self.valid >> line & 1 == 1 && !(begins && usize::from(l.vl) == vl && l.root == root) {
            self.hold[line] = HOLD;
        }
        *l = OutLine { vl: vl as u8, hops, root, dcnt: dcnt as u8, dlist: l.dlist };
        l.dlist[..dcnt].copy_from_slice(&dlids[..dcnt]);
        self.valid |= 1 << line;
        self.stop &= !(1 << line);
    }

    /// A tree is gone.
    pub fn dealloc(&mut self, line: usize) {
        if self.valid >> line & 1 == 1 {
            self.hold[line] = HOLD;
        }
        self.valid &= !(1 << line);
        self.stop &= !(1 << line);
    }

    /// All trees are gone.
    pub fn dealloc_all(&mut self) {
        (0..self.lines.len()).for_each(|line| self.dealloc(line));
    }

    /// The line has a tree, shown or not.
    pub fn alive(&self, line: usize) -> bool {
        self.valid >> line & 1 == 1
    }

    /// The line's tree is stopped.
    pub fn stopped(&self, line: usize) -> bool {
        self.stop >> line & 1 == 1
    }

    /// Stops the valid ones of these lines and releases the others.
    pub fn set_stops(&mut self, lines: u32) {
        self.stop = lines & self.valid;
    }

    /// Turns the stops of these lines round.
    pub fn turn_stops(&mut self, lines: u32) {
        self.stop ^= lines & self.valid;
    }

    /// The lines that the input sees.
    fn shown(&self) -> u32 {
        let away: u32 = self.hold.iter().enumerate().map(|(k, &hold)| u32::from(hold > 0) << k).sum();
        self.valid & !away
    }

    /// The lowest line for whose go a packet to this destination must wait.
    fn holds(&self, vl: usize, dlid: u16) -> Option<usize> {
        let stopped = self.shown() & self.stop;
        (0..self.lines.len()).find(|&k| stopped >> k & 1 == 1 && self.lines[k].lists(vl, dlid))
    }

    /// `rd_en` every so many cycles from now on; 0: never.
    pub fn set_pace(&mut self, pace: u32) {
        (self.rd_pace, self.rd_left) = (pace, 0);
    }

    /// `rd_slow` every so many cycles from now on; 0: never.
    pub fn set_slow_pace(&mut self, pace: u32) {
        (self.slow_pace, self.slow_left) = (pace, 0);
    }

    /// Stop or go of a tree.
    pub fn set_stop(&mut self, line: usize, stop: bool) {
        let bit = (1 << line) & self.valid;
        self.stop = if stop { self.stop | bit } else { self.stop & !bit };
    }

    /// Lowest valid line that lists a destination.
    pub fn matching(&self, vl: usize, dlid: u16) -> Option<usize> {
        let mut left = self.shown();
        while left != 0 {
            let k = left.trailing_zeros() as usize;
            if self.lines[k].lists(vl, dlid) {
                return Some(k);
            }
            left &= left - 1;
        }
        None
    }
}

/// A `prop` input of one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawProp {
    /// Output.
    pub out: usize,
    /// Virtual lane.
    pub vl: u8,
    /// Output CAM line.
    pub line: u8,
    /// Hop count to store.
    pub hops: u8,
    /// Root identifier.
    pub root: u32,
}

/// Sizes of the port.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the parameters of the same names
pub struct Dims {
    pub ports: usize,
    pub vls: usize,
    pub mtu: usize,
    pub cap: usize,
    pub hpqs: usize,
    pub lines: usize,
    pub dlist: usize,
    pub lft_depth: usize,
    pub flit_words: usize,
    pub flit_bytes: usize,
    pub timer_max: u32,
    pub isolation: bool,
    pub one_queue: bool,
    pub vl_by_dest: bool,
    pub ctl_vl: bool,
    pub markers: bool,
    pub stamp_w: usize,
    /// Flits of each VL's output queue; 0: there is none.
    pub ocap: usize,
    /// The lane of replies.
    pub control: Option<usize>,
    pub params: Params,
}

impl Dims {
    /// The sizes that follow from a parameter set.
    pub fn new(p: &Params) -> Dims {
        Dims {
            ports: p.ports,
            vls: p.vls,
            mtu: p.mtu,
            cap: p.cap(0),
            hpqs: p.hpqs,
            lines: p.lines,
            dlist: p.dlist,
            lft_depth: p.lft_depth,
            flit_words: p.flit_bytes / 4,
            flit_bytes: p.flit_bytes,
            timer_max: u32::MAX >> (32 - p.timer_w),
            isolation: p.isolation,
            one_queue: p.one_queue,
            vl_by_dest: p.vl_by_dest,
            ctl_vl: p.ctl_vl,
            markers: p.markers,
            stamp_w: p.stamp_w,
            ocap: p.ocap(),
            control: p.control_lane(),
            params: *p,
        }
    }

    /// An entry of the forwarding table is a route: a port, or any up port.
    pub fn is_route(&self, port: u8) -> bool {
        usize::from(port) < self.ports || self.params.random_up && port == ANY_UP
    }

    /// The highest lane of data.
    pub fn last_data(&self) -> usize {
        self.params.data_lanes() - 1
    }
}

/// Everything around the port.
#[derive(Clone, Debug)]
pub struct World {
    /// Sizes.
    pub dims: Dims,
    /// Where the signals are.
    pub io: Io,
    /// The one source of randomness.
    pub rng: SmallRng,
    /// Register writes to make, one a cycle.
    pub cfg: VecDeque<(u8, u32)>,
    /// LFT writes to make, one a cycle.
    pub lft: VecDeque<(u16, u8)>,
    /// The upstream neighbour.
    pub link: Link,
    pub(in crate::stimulus) carrier: Carrier,
    /// The outputs.
    pub outs: Vec<Out>,
    /// Grants and holds (index o*V+v) in the next cycle, whatever is requested.
    pub raw_grants: Vec<usize>,
    /// Requests that are held, whatever they are, and the line that holds them.
    pub raw_holds: Vec<(usize, u32)>,
    /// Props in the next cycle, whatever is requested.
    pub raw_props: Vec<RawProp>,
    /// A prop in every cycle.
    pub every_prop: Option<RawProp>,
    /// Inputs are driven although the port is not ready.
    pub early: bool,
    /// Reads registers.
    pub reader: Reader,
}

impl World {
    /// Surroundings that send nothing and grant everything.
    pub fn new(params: &Params, seed: u64) -> World {
        let dims = Dims::new(params);
        World {
            dims,
            io: Io::new(params),
            rng: SmallRng::seed_from_u64(seed),
            cfg: VecDeque::with_capacity(64),
            lft: VecDeque::with_capacity(dims.lft_depth.max(64)),
            link: Link::new(),
            carrier: Carrier::default(),
            outs: (0..dims.ports).map(|_| Out::new(dims.lines)).collect(),
            raw_grants: Vec::with_capacity(8),
            raw_holds: Vec::with_capacity(8),
            raw_props: Vec::with_capacity(8),
            every_prop: None,
            early: false,
            reader: Reader::new(UnitKind::InputPort, params, seed),
        }
    }

    /// All writes are made.
    pub fn written(&self) -> bool {
        self.cfg.is_empty() && self.lft.is_empty()
    }

    /// One cycle.
    pub fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = &self.io;
        if seen[io.ready] == 0 {
            if self.early {
                self.noise(input);
                self.reader.drive(input);
            }
            return;
        }
        if let Some((addr, data)) = self.cfg.pop_front() {
            input[io.cfg_we] = 1;
            input[io.cfg_addr] = u32::from(addr);
            input[io.cfg_data] = data;
        }
        self.reader.drive(input);
        if let Some((dlid, port)) = self.lft.pop_front() {
            input[io.lft_we] = 1;
            input[io.lft_addr] = u32::from(dlid);
            input[io.lft_port] = u32::from(port);
        }
        if self.carrier.next(&mut self.rng) {
            self.link.drive(&self.dims, io, &mut self.rng, seen, input);
        } else {
            self.link.lose();
            input[io.link_up] = 0;
            if self.carrier.babbles(&mut self.rng) {
                babble(&self.dims, io, &mut self.rng, input);
            }
        }
        for o in 0..self.dims.ports {
            self.pace(o, input);
        }
        // With one read port the input accepts one grant, that of the first output that gives one, and only if the
        // engine that runs reads.
        let io = &self.io;
        let first = if self.dims.one_queue { self.rng.random_range(0..self.dims.ports) } else { 0 };
        let stalled = |o: usize| seen[io.xb_act + o] == 1 && input[io.rd_en + o] == 0;
        let mut accepts = !self.dims.one_queue || !(0..self.dims.ports).any(stalled);
        for i in 0..self.dims.ports {
            let granted = self.output((first + i) % self.dims.ports, accepts, seen, input);
            accepts &= !(granted && self.dims.one_queue);
        }
        let holds = self.outs.iter_mut().flat_map(|out| &mut out.hold);
        holds.for_each(|hold| *hold = hold.saturating_sub(1));
        let io = &self.io;
        for i in self.raw_grants.drain(..) {
            if i < self.dims.ports * self.dims.vls {
                input[io.grant + i] = 1;
            }
        }
        for (i, line) in self.raw_holds.drain(..) {
            if i < self.dims.ports * self.dims.vls {
                input[io.held + i] = 1;
                input[io.held_line + i] = line & 0xff;
            }
        }
        for p in self.raw_props.drain(..).chain(self.every_prop) {
            input[io.prop_valid + p.out] = 1;
            input[io.prop_vl + p.out] = u32::from(p.vl & 15);
            input[io.prop_line + p.out] = u32::from(p.line);
            input[io.prop_hops + p.out] = u32::from(p.hops & 63);
            input[io.prop_root + p.out] = p.root & 0xff_ffff;
        }
    }

    /// Things the port must ignore while it is not ready.
    fn noise(&mut self, input: &mut [u32]) {
        let (io, rng) = (&self.io, &mut self.rng);
        babble(&self.dims, io, rng, input);
        let r: u32 = rng.random();
        input[io.link_up] = r & 1;
        if r & 2 != 0 {
            input[io.cfg_we] = 1;
            input[io.cfg_addr] = (r >> 8) & 31;
            input[io.cfg_data] = rng.random();
        }
        if r & 4 != 0 {
            input[io.lft_we] = 1;
            input[io.lft_addr] = (r >> 16) % self.dims.lft_depth as u32;
            input[io.lft_port] = 0;
        }
        if r & 16 != 0 {
            input[io.grant] = 1;
            input[io.prop_valid] = 1;
            input[io.ol_valid] = 1;
        }
        if r & 32 != 0 {
            input[io.held] = 1;
            input[io.ol_stop] = 1;
            input[io.rd_en] = 1;
        }
    }

    /// Whether an output's link takes a flit.
    fn pace(&mut self, o: usize, input: &mut [u32]) {
        let out = &mut self.outs[o];
        let mut rd = false;
        if out.rd_pace > 0 {
            if out.rd_left == 0 {
                out.rd_left = out.rd_pace;
                rd = hit(&mut self.rng, out.rd);
            }
            out.rd_left -= 1;
        }
        input[self.io.rd_en + o] = u32::from(rd);
        if self.dims.ocap == 0 || out.slow_pace == 0 {
            return;
        }
        if out.slow_left == 0 {
            out.slow_left = out.slow_pace;
            input[self.io.rd_slow + o] = u32::from(hit(&mut self.rng, out.rd));
        }
        out.slow_left -= 1;
    }

    /// One output's cycle; true if it grants, which it may if the input `accepts`.
    fn output(&mut self, o: usize, accepts: bool, seen: &[u32], input: &mut [u32]) -> bool {
        let (io, d) = (&self.io, &self.dims);
        let out = &mut self.outs[o];
        let shown = out.shown();
        input[io.ol_valid + o] = shown;
        input[io.ol_stop + o] = out.stop & shown;

        let requests = &seen[io.req_valid + o * d.vls..io.req_valid + (o + 1) * d.vls];
        if out.busy > 0 {
            out.busy -= 1;
        }
        if requests.iter().all(|&r| r == 0) {
            return false;
        }
        let pace = if seen[io.xb_slow + o] == 1 { io.rd_slow } else { io.rd_en };
        let free = seen[io.xb_act + o] == 0 || (seen[io.xb_end + o] == 1 && input[pace + o] == 1);
        // The line and whether the request must be told of it.
        let told = |out: &Out, v: usize| -> Option<usize> {
            let q = o * d.vls + v;
            if shown == 0 || seen[io.req_valid + q] == 0 || seen[io.req_cnp + q] == 1 {
                return None;
            }
            let k = out.matching(v, seen[io.req_dlid + q] as u16)?;
            let to_tell = if seen[io.req_hot + q] == 1 {
                seen[io.req_unlinked + q] == 1
            } else if seen[io.known + o] >> k & 1 == 1 {
                seen[io.room + o] >> k & 1 == 1
            } else {
                seen[io.can_alloc] == 1
            };
            to_tell.then_some(k)
        };
        let prop = |out: &Out, v: usize, k: usize, input: &mut [u32]| {
            let l = &out.lines[k];
            input[io.prop_valid + o] = 1;
            input[io.prop_vl + o] = v as u32;
            input[io.prop_line + o] = k as u32;
            input[io.prop_hops + o] = u32::from(l.hops + 1).min(63);
            input[io.prop_root + o] = l.root & 0xff_ffff;
        };
        let held = |out: &Out, v: usize| {
            let q = o * d.vls + v;
            let asks = out.strict && seen[io.req_valid + q] == 1 && seen[io.req_cnp + q] == 0;
            if !asks || told(out, v).is_some() {
                return None;
            }
            out.holds(v, seen[io.req_dlid + q] as u16)
        };
        if let Some(k) = held(out, 0).filter(|_| d.one_queue) {
            // it takes no part
            input[io.held + o] = 1;
            input[io.held_line + o] = k as u32;
            return false;
        }
        if accepts && free && !out.starved && out.busy == 0 && out.allow > 0 && hit(&mut self.rng, out.serve)
        {
            for j in 0..d.vls {
                let v = (out.vl_next + j) % d.vls;
                // Q7: a NACK takes credit of the replies
                let nack = seen[io.req_nack + o] == 1 && d.params.srp_lane(v) == Some(SrpLane::Spec);
                let lane = if nack { d.vls - 1 } else { v };
                if requests[v] == 0 || out.lacking >> lane & 1 == 1 {
                    continue;
                }
                if out.strict
                    && let Some(k) = told(out, v)
                {
                    if hit(&mut self.rng, out.tell) {
                        prop(out, v, k, input);
                    }
                    return false;
                }
                if let Some(k) = held(out, v) {
                    // it keeps its turn
                    input[io.held + o * d.vls + v] = 1;
                    input[io.held_line + o * d.vls + v] = k as u32;
                    return false;
                }
                input[io.grant + o * d.vls + v] = 1;
                out.vl_next = (v + 1) % d.vls;
                out.allow = if out.allow == u32::MAX { u32::MAX } else { out.allow - 1 };
                if out.others > 0 {
                    out.busy = self.rng.random_range(0..=out.others);
                }
                return true;
            }
        }
        // no winner: the scan
        if shown == 0 || out.tell == 0 {
            return false;
        }
        for j in 0..d.vls {
            let v = (out.scan_next + j) % d.vls;
            if let Some(k) = told(out, v) {
                if hit(&mut self.rng, out.tell) {
                    prop(out, v, k, input);
                    out.scan_next = (v + 1) % d.vls;
                }
                return false;
            }
        }
        false
    }
}
