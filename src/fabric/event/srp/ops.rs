//! What an op of the engine is (Q19).

use super::tag::Kind;

/// A reply that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Came {
    pub kind: Kind,
    pub flow: usize,
    pub id: u32,
    pub seq: u32,
    pub wait: u32,
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub flow: usize,
    /// D: speculative.
    pub lane: usize,
}

/// Room for a packet of the largest size on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Free,
    /// The link has credits, the adapter's own queue has none.
    OfLink,
    None,
}

/// An op between its two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// R
    Reply(Came),
    /// W
    Wake(usize),
    /// B
    Left(usize),
    /// E
    Ask(usize),
    /// S
    Send(Choice),
    /// P
    Begin(usize),
}

impl Op {
    pub fn flow(self) -> usize {
        match self {
            Op::Reply(came) => came.flow,
            Op::Send(choice) => choice.flow,
            Op::Wake(flow) | Op::Left(flow) | Op::Ask(flow) | Op::Begin(flow) => flow,
        }
    }
}

/// Classes W, B, E, S, P.
pub const CLASSES: usize = 5;

/// Round-robin pointers.
#[derive(Clone, Debug, Default)]
pub struct Pointers {
    pub class: usize,
    pub wake: usize,
    pub ask: usize,
    pub begin: usize,
    pub spec: usize,
    pub lane: usize,
    /// Of each lane.
    pub granted: Vec<usize>,
}

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    pub kind: Kind,
    pub flow: usize,
    pub sl: u8,
    pub lane: usize,
    pub len: u32,
    pub psn: u32,
    pub id: u32,
    pub seq: u32,
    pub n: u32,
    pub last: bool,
    /// When its message was generated, and posted.
    pub born: u64,
    pub posted: u64,
}

/// A RES to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub flow: usize,
    pub sl: u8,
    pub id: u32,
    pub n: u32,
    pub size: u32,
    pub last: bool,
}
