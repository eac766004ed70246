//! What an op is, what packets it may choose, and the pointers behind both.

/// A reply that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Came {
    pub(super) kind: u32,
    pub(super) flow: usize,
    pub(super) id: u32,
    pub(super) seq: u32,
    pub(super) wait: u32,
    /// R and I of it.
    pub(super) rty: bool,
    pub(super) init: bool,
}

/// An op between its two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// R
    Reply(Came),
    /// W: looks whether a flow's time has come, or it has waited for too long.
    Wake(usize),
    /// B: a RES left.
    Left(usize),
    /// E: a RES is asked for.
    Ask(usize),
    /// S: a packet is chosen.
    Send(Choice),
    /// P: a message begins.
    Begin(usize),
}

impl Op {
    pub(super) fn flow(self) -> usize {
        match self {
            Op::Reply(came) => came.flow,
            Op::Send(choice) => choice.flow,
            Op::Wake(flow) | Op::Left(flow) | Op::Ask(flow) | Op::Begin(flow) => flow,
        }
    }
}

/// Pointers of the classes.
#[derive(Clone, Copy, Default)]
pub(super) struct Classes {
    /// The class that is next: W, B, E, S, P.
    pub(super) next: usize,
    pub(super) wake: usize,
    pub(super) ask: usize,
    pub(super) begin: usize,
}

pub(super) const CLASSES: usize = 5;

/// Pointers of the choice.
#[derive(Clone, Default)]
pub(super) struct Turns {
    /// Speculative: over flows.
    pub(super) spec: usize,
    /// Granted: over lanes, and over flows for each lane.
    pub(super) lane: usize,
    pub(super) granted: Vec<usize>,
}

/// What can be chosen in this cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) flow: usize,
    /// D: speculative.
    pub(super) lane: usize,
}

/// Kinds of packets.
pub(super) const SPEC: u32 = 1;
pub(super) const GRANTED: u32 = 2;
pub(super) const BYPASS: u32 = 3;
