//! State of input and output ports.

use std::collections::VecDeque;

use super::ages::Ages;
use super::bits::{ones, round};
use super::credit::{NEVER, Run};
use super::detector::counts::Counting;
use super::detector::full::Fulls;
use super::lanes::Lanes;
use super::lines::{InLines, OutLines};
use super::order::Order;
use super::outqueue::OutQueue;
use super::packet::{Id, NONE, Packet, Queue};
use super::setup::{InRegs, OutRegs};
use super::srp::{Classes, Spec};
use super::up::Up;
use crate::scheme::packet::{CLASSES, Class, PacketKind};

/// No port.
pub(super) const NOWHERE: usize = usize::MAX;

/// A read engine and the packet that it reads, or read last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Engine {
    /// Cycles in which flits are read.
    pub run: Run,
    /// Cycle of the last.
    pub last: u64,
    /// From this cycle on the next emission is the last (`xb_end`).
    pub ending: u64,
    /// The queue that the packet is charged to, while the charge is not settled.
    pub queue: u32,
    pub charged: bool,
}

impl Engine {
    pub fn idle() -> Engine {
        let run = Run::NONE;
        Engine { run, last: 0, ending: 0, queue: 0, charged: false }
    }

    /// Idle or ending in S(t).
    #[inline]
    pub fn open(&self, t: u64) -> bool {
        t >= self.ending
    }
}

/// How the flits of the latest packet come in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arrivals {
    /// From a link.
    Even(Run),
    /// From the host: the cycles before those that `Rate` allows from the given one on.
    Paced { from: u64, n: u32 },
}

/// An input port, or (without credits) the reply queues of an adapter.
pub(super) struct Input {
    pub node: u32,
    pub port: u32,
    pub regs: Box<InRegs>,
    /// RX_INTERVAL of the registers, and whether charges leave at the grant.
    pub rx_interval: u32,
    pub release: bool,
    /// Its level and what waits in it, if full buffers count.
    pub fulls: Option<Box<Fulls>>,
    /// How old its heads are, if that counts.
    pub ages: Option<Box<Ages>>,
    /// Speculative packets that wait for too long, if they are dropped here.
    pub spec: Option<Box<Spec>>,
    /// Index of its credits; [`NOWHERE`] for the reply queues.
    pub credits: usize,
    /// The control lane; none: `u32::MAX`.
    pub control: u32,
    pub up: Up,
    /// Packets granted upstream that have not been accepted here.
    pub inbound: Queue,
    /// Cold queues, then HPQs.
    pub queues: Vec<Queue>,
    pub engines: Vec<Engine>,
    /// ONE_QUEUE: the output whose engine ran last.
    pub latest: usize,
    pub cong: Vec<bool>,
    /// The same as a set, of the first 64.
    pub cong_set: u64,
    /// CAM lines, if isolation is on.
    pub lines: Option<Box<InLines>>,
    /// Output of each cold queue (if a VL has one output: that of its latest packet).
    pub outs: Vec<u8>,
    /// When to look at a queue's congestion bit.
    pub cong_due: Vec<u64>,
    /// The earliest of them.
    pub cong_next: u64,
    /// Flits of all accepted packets but the latest, per VL.
    pub stored: Lanes<u64>,
    /// VL and flits of the latest.
    pub latest_vl: usize,
    pub arrivals: Arrivals,
}

impl Input {
    /// The kind that requests show: replies go before data, whatever they are (AK4), and so does what is on the control lane (CL1).
    #[inline]
    pub fn kind(&self, p: &Packet) -> PacketKind {
        if self.credits == NOWHERE || p.vl == self.control { PacketKind::Cnp } else { p.kind }
    }

    /// CQ2: a packet that is granted in cycle `t` is read at the link's pace.
    pub fn reads_slowly(&self, p: &Packet, t: u64) -> bool {
        let missing = p.n - Run { first: p.t0, step: self.rx_interval, n: p.n }.before(t);
        missing > 0 && missing * self.rx_interval > (p.n - 1) * self.regs.xb_interval + 1
    }

    /// Flits charged to a queue in S(t).
    #[inline]
    pub fn fill(&self, out: usize, q: usize, t: u64) -> u32 {
        let e = &self.engines[out];
        let read = if e.charged && e.queue == q as u32 { e.run.before(t) } else { 0 };
        self.queues[q].charge - read
    }
}

/// Where an output port leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Far {
    Nowhere,
    Input(usize),
    Host(usize),
}

/// What an output sent lately (observers only).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub run: Run,
    pub packet: Id,
    pub vl: u32,
}

/// Streams that may still show on the link.
pub(super) const RECENT: usize = 4;

/// A first flit that crosses soon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The cycle on the crossbar.
    pub at: u64,
    pub packet: Id,
    /// Its input wants it marked (SM3).
    pub asked: bool,
    /// It has MB, and the output is saturated in the cycle before (VM2).
    pub saturated: bool,
}

/// Classes of requests.
pub(super) const DATA: usize = Class::Data as usize;
pub(super) const CNP: usize = Class::Cnp as usize;

/// CNPs that data let pass before they have their turn.
pub(super) const PASSED_MAX: u8 = 32;

/// A VL of an output port: whose turn it is, and the root test (D3).
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Input pointer of CNPs.
    pub cr: u8,
    /// A packet waits, or has waited since the last grant, for credits.
    pub waited: bool,
    /// The last packet found its credits.
    pub rooted: bool,
    /// CNPs that data let pass since its last grant.
    pub passed: u8,
    /// Of an adapter: an ACK took the credit that data wait for (AK4).
    pub owed: bool,
}

/// Flits of a VL that wait for an output: those of packets accepted, less those granted, and of the last of these what was not read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub flits: u64,
    pub last: Run,
}

impl Waiting {
    /// Nothing waits.
    pub const NONE: Waiting = Waiting { flits: 0, last: Run::NONE };

    /// In S(t).
    #[inline]
    pub fn at(&self, t: u64) -> u64 {
        self.flits + u64::from(self.last.n - self.last.before(t))
    }
}

/// Sets of VLs.
struct Many {
    /// Wanted by some input.
    wanted: Vec<u64>,
    /// It is not known that they have credit or that a packet waited.
    doubt: Vec<u64>,
}

impl Many {
    fn new(words: usize) -> Many {
        Many { wanted: vec![0; words], doubt: vec![u64::MAX; words] }
    }

    fn next(&self, from: usize, member: impl Fn(&Many, usize) -> u64) -> Option<usize> {
        (from / 64..self.wanted.len()).find_map(|w| {
            let all = if w == from / 64 { u64::MAX << (from % 64) } else { u64::MAX };
            let bits = member(self, w) & all;
            (bits != 0).then(|| w * 64 + bits.trailing_zeros() as usize)
        })
    }
}

/// An output port.
pub(super) struct Output {
    pub node: u32,
    pub port: u32,
    pub regs: Box<OutRegs>,
    /// The crossbar's pace, a cycle in which `rd_en` is high, and mark_en of the registers.
    pub step: u32,
    xb_origin: u64,
    pub marks: bool,
    /// CNPs are ordinary packets.
    pub cnp_plain: bool,
    /// If marks look at the state that the packet's own grant leaves: per VL the cycle from which the root test is as it is, and
    /// what it was before.
    pub at_once: Option<Box<[(u64, bool)]>>,
    pub far: Far,
    pub delay: u64,
    /// Index of the far end's credits.
    pub credits: usize,
    /// The last flit of the running stream is read in this cycle: it may grant from then on.
    pub free_at: u64,
    /// Per VL the inputs that have a packet for it.
    pub want: Lanes<u64>,
    /// The VLs that some input wants, if there are several.
    many: Option<Box<Many>>,
    pub turns: Lanes<Turn>,
    /// A1: order of the inputs for data.
    pub order: Order,
    /// VL pointers of the classes.
    pub vp: [u16; CLASSES],
    /// Blocks granted, and the credit limit last looked up, not modulo 4096.
    pub txr: Lanes<u64>,
    pub fccl: Lanes<u64>,
    /// Congestion bits that are set, contributions and state, per VL.
    pub bits: Lanes<u32>,
    pub count: Lanes<u32>,
    pub hysteresis: Lanes<bool>,
    pub state: Lanes<bool>,
    /// Some VL has one of the three.
    pub congested: bool,
    /// D5: what waits for it, per VL, if its congestion is that of the sum and nothing is moved between queues.
    pub waiting: Option<Box<Lanes<Waiting>>>,
    /// D6: there was credit in the cycle before, per VL, where that matters.
    pub held_now: Lanes<bool>,
    pub mark_count: Lanes<u32>,
    pub lfsr: u32,
    /// First flits that cross soon, and may be marked.
    pub crossing: VecDeque<Crossing>,
    /// The packets that wait for it, if they are counted.
    pub counting: Option<Box<Counting>>,
    /// Q3: classes of lanes, with reservation.
    pub classes: Option<Box<Classes>>,
    /// CQ1: what stands between the crossbar and the link, if there is something.
    pub queue: Option<Box<OutQueue>>,
    pub lines: Option<Box<OutLines>>,
    pub cnt_marked: u64,
    pub cnt_sent: u64,
    pub recent: [Sent; RECENT],
    pub recent_at: usize,
}

impl Output {
    pub fn new(node: usize, port: usize, inputs: usize, vls: usize, regs: OutRegs) -> Output {
        let run = Run::NONE;
        Output {
            node: node as u32,
            port: port as u32,
            far: Far::Nowhere,
            delay: 1,
            credits: NOWHERE,
            free_at: 0,
            want: Lanes::new(0, vls),
            many: (vls > 1).then(|| Box::new(Many::new(vls.div_ceil(64)))),
            turns: Lanes::new(Turn { cr: 0, waited: false, rooted: true, passed: 0, owed: false }, vls),
            order: Order::new(inputs, vls),
            vp: [0; CLASSES],
            txr: Lanes::new(0, vls),
            fccl: Lanes::new(0, vls),
            bits: Lanes::new(0, vls),
            count: Lanes::new(0, vls),
            hysteresis: Lanes::new(false, vls),
            state: Lanes::new(false, vls),
            congested: false,
            waiting: None,
            held_now: Lanes::new(true, vls),
            mark_count: Lanes::new(0, vls),
            lfsr: regs.lfsr,
            crossing: VecDeque::new(),
            counting: None,
            classes: None,
            queue: None,
            lines: None,
            cnt_marked: 0,
            cnt_sent: 0,
            recent: [Sent { run, packet: NONE, vl: 0 }; RECENT],
            recent_at: 0,
            step: regs.xb.interval as u32,
            xb_origin: regs.xb.origin,
            marks: regs.mark_en,
            cnp_plain: regs.cnp_plain,
            at_once: regs.at_once.then(|| vec![(0, true); vls].into()),
            regs: Box::new(regs),
        }
    }

    /// PF1: its congestion is that of its queue, which changes with grants and what leaves.
    #[inline]
    pub fn follows_queue(&self) -> bool {
        self.regs.eval == 3
    }

    #[inline]
    pub fn set_want(&mut self, input: usize, vl: usize) {
        self.want[vl] |= 1 << input;
        if let Some(many) = &mut self.many {
            many.wanted[vl / 64] |= 1 << (vl % 64);
        }
    }

    #[inline]
    pub fn clear_want(&mut self, input: usize, vl: usize) {
        self.want[vl] &= !(1 << input);
        if let Some(many) = &mut self.many
            && self.want[vl] == 0
        {
            many.wanted[vl / 64] &= !(1 << (vl % 64));
        }
    }

    /// Some input has a packet for it.
    pub fn wanted(&self) -> bool {
        self.want.iter().any(|w| *w != 0)
    }

    /// The first of several VLs at or after `from` that some input wants, without wrapping.
    pub fn next_lane(&self, from: usize) -> Option<usize> {
        self.many.as_ref()?.next(from, |m, w| m.wanted[w])
    }

    /// The same among the VLs in doubt.
    pub fn next_doubt(&self, from: usize) -> Option<usize> {
        self.many.as_ref()?.next(from, |m, w| m.wanted[w] & m.doubt[w])
    }

    #[inline]
    pub fn doubt(&mut self, vl: usize, is: bool) {
        let Some(many) = &mut self.many else { return };
        let (word, bit) = (&mut many.doubt[vl / 64], 1 << (vl % 64));
        *word = if is { *word | bit } else { *word & !bit };
    }

    /// The next of a class among requesters i*V+v: the VL first, then the input.
    #[inline]
    pub fn first(&self, class: usize, set: u64, inputs: usize) -> Option<usize> {
        let vls = self.want.len();
        if vls == 1 {
            return self.next_input(class, 0, set);
        }
        let lane = |v: usize| (0..inputs).map(|i| (set >> (i * vls + v) & 1) << i).sum();
        (0..vls)
            .map(|k| (usize::from(self.vp[class]) + k) % vls)
            .find_map(|v| self.next_input(class, v, lane(v)).map(|i| i * vls + v))
    }

    /// Whose turn it is of some inputs, for a class on a VL.
    #[inline]
    pub fn next_input(&self, class: usize, v: usize, set: u64) -> Option<usize> {
        if class == CNP { round(set, self.turns[v].cr.into()) } else { self.order.first(v, set) }
    }

    /// A class has had its turn with input `i` on VL `v`; a VL that was urgent leaves the VL pointer where it is.
    #[inline]
    pub fn move_pointers(&mut self, class: usize, i: usize, v: usize, inputs: usize, urgent: bool) {
        let next = |k: usize, n: usize| if k + 1 == n { 0 } else { k + 1 };
        if class == CNP {
            self.turns[v].cr = next(i, inputs) as u8;
        } else {
            self.order.serve(v, i);
        }
        if !urgent {
            self.vp[class] = next(v, self.want.len()) as u16;
        }
    }

    /// The class of the winner, and the urgent VLs: those whose data let enough CNPs pass. `cnp`: a CNP fits; `data`: VLs in
    /// which data fit.
    #[inline]
    pub fn class(&self, cnp: bool, data: u64) -> (usize, u64) {
        let urgent = ones(data).filter(|&v| self.turns[v].passed == PASSED_MAX).map(|v| 1 << v).sum();
        (if cnp && urgent == 0 { CNP } else { DATA }, urgent)
    }

    /// A packet that waited for it is read (D5).
    #[inline]
    pub fn waiting_leave(&mut self, vl: usize, run: Run, release: bool) {
        if let Some(waiting) = &mut self.waiting {
            let w = &mut waiting[vl];
            w.flits -= u64::from(run.n);
            w.last = if release { Run::NONE } else { run };
        }
    }

    /// The first cycle not before `t` in which `rd_en` is high.
    #[inline]
    pub fn next_read(&self, t: u64) -> u64 {
        let k = u64::from(self.step);
        if k == 1 {
            return t;
        }
        let phase = (t - self.xb_origin % k) % k;
        if phase == 0 { t } else { t + k - phase }
    }
}

impl Input {
    /// The packet before is stored as far as it goes; the next one is of this VL.
    #[inline]
    pub fn next_is_of(&mut self, vl: usize) {
        let n = match self.arrivals {
            Arrivals::Even(run) => run.n,
            Arrivals::Paced { n, .. } => n,
        };
        self.stored[self.latest_vl] += u64::from(n);
        self.latest_vl = vl;
    }

    /// The engine of an output reads a packet of a queue, granted in cycle `t`.
    #[inline]
    pub fn reads(&mut self, out: usize, queue: usize, run: Run, t: u64) {
        let e = &mut self.engines[out];
        if e.charged {
            self.queues[e.queue as usize].charge -= e.run.n;
        }
        let last = run.last();
        e.charged = !self.release;
        (e.run, e.last, e.queue) = (run, last, queue as u32);
        e.ending = if run.n == 1 { t + 1 } else { last - u64::from(run.step) + 1 };
        self.latest = out;
    }

    pub fn new(node: usize, port: usize, outs: usize, vls: usize, queues: usize, regs: InRegs) -> Input {
        Input {
            node: node as u32,
            port: port as u32,
            rx_interval: regs.rx_interval,
            release: regs.release,
            fulls: None,
            ages: None,
            spec: None,
            up: regs.up,
            regs: Box::new(regs),
            credits: NOWHERE,
            control: u32::MAX,
            inbound: Queue::default(),
            queues: vec![Queue::default(); queues],
            engines: vec![Engine::idle(); outs],
            latest: 0,
            cong: vec![false; queues],
            cong_set: 0,
            lines: None,
            outs: Vec::new(),
            cong_due: vec![NEVER; queues],
            cong_next: NEVER,
            stored: Lanes::new(0, vls),
            latest_vl: 0,
            arrivals: Arrivals::Even(Run::NONE),
        }
    }
}
