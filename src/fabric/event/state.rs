//! What the core of the fabric knows: the nodes, and what is decided in a cycle.

use super::credit::Credits;
use super::host::Host;
use super::lines::{Prop, Verdict};
use super::order::Order;
use super::packet::{Id, Pool};
use super::ports::{Input, Output};
use super::srp::{Asker, KINDS};
use super::wheel::Wheel;
use crate::scheme::packet::{Class, PacketKind};
use crate::scheme::{Detector, Organisation};

/// What the ports of a node have in common.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub outs: usize,
    pub inputs: usize,
    pub vls: usize,
    pub mtu: u64,
    pub cap: u32,
    /// With a lane per destination a VL belongs to one output of an input: its cold queue needs no output in its index.
    pub organisation: Organisation,
    pub detector: Detector,
    pub iterations: usize,
    /// CAM lines are on.
    pub iso: bool,
    /// Q1: lanes of data, with those of reservation behind them; none without.
    pub data_lanes: Option<usize>,
    pub adapter: bool,
}

impl Shape {
    #[inline]
    pub fn one_queue(&self) -> bool {
        self.organisation == Organisation::OneQueue
    }

    /// Cold queue of (output, VL).
    #[inline]
    pub fn cold(&self, out: usize, vl: usize) -> usize {
        match self.organisation {
            Organisation::OneQueue => 0,
            Organisation::LanePerDest => vl,
            Organisation::Voq => out * self.vls + vl,
        }
    }

    /// Q2: with reservation the queue of (output, VL).
    #[inline]
    pub fn queue_of(&self, out: usize, vl: usize) -> usize {
        if self.is_data(vl) { out * self.vls + vl } else { vl }
    }

    /// Q1: with reservation a VL is one of data.
    #[inline]
    pub fn is_data(&self, vl: usize) -> bool {
        self.data_lanes.is_some_and(|lanes| vl < lanes)
    }

    /// Number of cold queues.
    pub fn cold_queues(&self) -> usize {
        match self.organisation {
            Organisation::OneQueue => 1,
            Organisation::LanePerDest => self.vls,
            Organisation::Voq => self.outs * self.vls,
        }
    }
}

/// A switch, or the two ports of an adapter and its CNP queue (input 1).
pub(super) struct Node {
    pub shape: Shape,
    /// Index of its first input and output.
    pub input: usize,
    pub output: usize,
    /// Ports to step in this cycle.
    pub outs: u64,
    pub ins: u64,
    /// The host of an adapter.
    pub host: usize,
    /// DLID to output.
    pub lft: Vec<u8>,
    /// ONE_QUEUE: accept pointers.
    pub accept: Vec<usize>,
    /// ONE_QUEUE with CAM lines: who was passed (A3).
    pub turns: Turns,
    /// Output lines that the inputs register in this cycle: output, valid, stopped.
    pub registers: Vec<(usize, u32, u32)>,
}

/// A request that an output serves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub out: usize,
    pub local_out: usize,
    pub input: usize,
    pub vl: usize,
    /// 0: the cold head, 1 + h: HPQ h.
    pub choice: usize,
    /// The queue that it is taken from.
    pub queue: usize,
    pub dlid: u16,
    pub kind: PacketKind,
    pub ahead: Ahead,
    /// Choices of the round robin that begin anew: all that could go had gone.
    pub renews: u32,
    /// The output line that its queue is bound to.
    pub bound: Option<usize>,
    /// Of a CNP: VLs whose data it passes.
    pub passes: u64,
    /// Its VL has no credit for an MTU.
    pub waits: bool,
    /// Where full buffers count: it may be marked, and is to be (SM3).
    pub markable: bool,
    pub asked: bool,
}

/// Who went first, cold head or HPQ (A2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    /// Nobody: round robin.
    No,
    /// The cold head; no HPQ qualified.
    Alone,
    /// The cold head, and an HPQ qualified.
    Passing,
    /// An HPQ: enough cold heads had gone first.
    Forced,
}

/// Flits of a CNP.
pub(super) const CNP_BLOCKS: u64 = 1;

/// A published candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub choice: usize,
    pub queue: usize,
    pub packet: Id,
    pub kind: PacketKind,
    /// The line of a hot packet.
    pub line: Option<usize>,
    pub ahead: Ahead,
    pub renews: u32,
}

/// The output line that a request matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) line: usize,
    /// Its input is to be told.
    pub(super) told: bool,
    /// The line that holds it back.
    pub held: Option<usize>,
}

/// Everything but the traffic.
pub(super) struct Core {
    pub pool: Pool,
    pub wheel: Wheel,
    pub nodes: Vec<Node>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    pub credits: Vec<Credits>,
    pub hosts: Vec<Host>,
    /// Replies may be about, which go before data: CNPs, or ACKs in the adapters that send them.
    pub cnps: bool,
    pub acks: bool,
    /// There is reservation.
    pub srp: bool,
    /// Charges leave at the grant, in some port.
    pub releases: bool,
    pub hops: u64,
    /// With reservation the same, by what packets are.
    pub carried: [u64; KINDS],
    pub(super) grants: Vec<Grant>,
    pub(super) props: Vec<Prop>,
    /// Room for lists of one cycle.
    pub(super) mine: Vec<Grant>,
    /// Candidates of this cycle that a line holds: input, queue, line.
    pub(super) held: Vec<(usize, usize, usize)>,
    pub(super) candidates: Vec<(usize, Candidate, Option<Match>)>,
    pub verdicts: Vec<Verdict>,
    /// ONE_QUEUE: what outputs offer in this cycle.
    pub(super) offers: Vec<Offer>,
    /// Requests that an output looks at, with reservation.
    pub(super) askers: Vec<Asker>,
}

/// What an output of a ONE_QUEUE switch offers: its grant, and requests that it could serve instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) out: usize,
    pub(super) grant: Option<Grant>,
    pub(super) elig: u64,
    /// The class chosen; there are data requests that are not held.
    pub(super) class: usize,
    pub(super) data: bool,
    /// There is no credit for an MTU.
    pub(super) waits: bool,
}

/// A service of this cycle, with the inputs that it went past.
pub(super) struct Pass {
    pub out: usize,
    pub inputs: u64,
    /// Its class; none where all requests are of one.
    pub class: Option<Class>,
}

pub(super) struct Turns {
    /// Sets of outputs as bits, one per input.
    pub lost: Vec<u64>,
    pub claim: Vec<u64>,
    /// Of each output its inputs by when it served them last.
    pub(super) order: Order,
    /// Inputs with a bit in either.
    pub(super) watched: u64,
    /// The inputs whose requests each output sees in S(t), as far as claims are concerned.
    pub(super) seen: Vec<u64>,
    pub(super) passed: Vec<Pass>,
}

impl Turns {
    pub fn new(ports: usize) -> Turns {
        let none = || vec![0; ports];
        Turns {
            lost: none(),
            claim: none(),
            order: Order::new(ports, ports),
            watched: 0,
            seen: vec![u64::MAX; ports],
            passed: Vec::new(),
        }
    }

    /// Whether an output sees the request of an input.
    #[inline]
    pub fn sees(&self, i: usize, o: usize) -> bool {
        self.seen[o] >> i & 1 != 0
    }
}
