//! What a host and its adapter say to each other in a cycle: the host side of `docs/worm-adapter.md`'s ports.

pub use crate::model::worm::wires::LinkFlit as Flit;

/// A class of messages, by its number on `post_class`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Control.
    Control = 0,
    /// Real-time: of a connection.
    RealTime = 1,
    /// Best-effort.
    BestEffort = 2,
}

impl Class {
    /// By number.
    pub const ALL: [Class; 3] = [Class::Control, Class::RealTime, Class::BestEffort];
}

/// A connection is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// Its number.
    pub conn: u16,
    /// Where it leads.
    pub dlid: u16,
    /// Bandwidth, in 1/4096 of the link.
    pub bw: u16,
}

/// A message is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Post {
    /// Its class.
    pub class: Class,
    /// Its connection (real-time).
    pub conn: u16,
    /// Its destination (control and best-effort).
    pub dlid: u16,
    /// Flits, with the header.
    pub len: u8,
    /// `post_final`: the last one of its stream.
    pub last: bool,
    /// What the host calls it.
    pub tag: u16,
}

/// What a host offers in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// A connection to open; taken if `open_ready` is shown.
    pub open: Option<Open>,
    /// A message; taken if `post_ready` is shown.
    pub post: Option<Post>,
    /// The flit asked for in this cycle.
    pub dma: [u32; 4],
}

/// What became of an open or a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Of a post; else of an open.
    pub post: bool,
    /// It was accepted.
    pub ok: bool,
    /// Why not: `docs/worm-adapter.md`, section 2.
    pub why: u8,
    /// `post_tag`, or the connection.
    pub tag: u16,
}

/// What happened to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It is open.
    Open = 1,
    /// It was rejected and is idle again.
    Rejected = 2,
    /// It is closed.
    Closed = 3,
}

/// An event of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// Of which connection.
    pub conn: u16,
}

/// A message has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cqe {
    /// Its class.
    pub class: Class,
    /// Its connection (real-time, else 0).
    pub conn: u16,
    /// What the host called it.
    pub tag: u16,
}

/// What the adapter shows in a cycle (Moore).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// An open can be taken.
    pub open_ready: bool,
    /// A post can be taken.
    pub post_ready: bool,
    /// What became of an open or a post.
    pub done: Option<Done>,
    /// What happened to a connection.
    pub event: Option<Event>,
    /// A message has left.
    pub cqe: Option<Cqe>,
    /// A flit is asked for: tag of its message, index.
    pub dma: Option<(u16, u8)>,
    /// A flit came.
    pub delivered: Option<Flit>,
    /// Lanes on which what was coming in ends without a tail.
    pub cut: u16,
}

/// Hosts of a network. `host` counts from 0; DLID of host h is h + 1.
pub trait Hosts {
    /// The cycle of host `host`: called once a cycle for every host, in order of hosts; `shown` is of this same cycle.
    fn cycle(&mut self, t: u64, host: usize, shown: &Shown) -> Offer;
    /// No message is under way or will come any more (used for draining); `stop` ends all sources.
    fn idle(&self) -> bool;
    /// Ends all sources.
    fn stop(&mut self);
}
