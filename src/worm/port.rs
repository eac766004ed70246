//! What a host and its adapter say to each other in a cycle: the host side of docs/worm-adapter.md's ports.

/// What a message is posted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Short messages that go before all others.
    Control,
    /// Messages of a connection.
    RealTime,
    /// All else.
    BestEffort,
}

/// What a host offers in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offer {
    /// An open (`open_valid`).
    pub open: Option<Open>,
    /// A post (`post_valid`).
    pub post: Option<Post>,
    /// The flit asked for in this cycle.
    pub dma: [u32; 4],
}

/// The host opens a connection.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// Its number.
    pub conn: u16,
    /// Where to.
    pub dlid: u16,
    /// In 1/4096 of the link.
    pub bw: u16,
}

/// The host posts a message.
#[derive(Clone, Copy, Debug)]
pub struct Post {
    /// As what.
    pub class: Class,
    /// Its connection (real-time).
    pub conn: u16,
    /// Where to (others).
    pub dlid: u16,
    /// Flits with the header.
    pub len: u8,
    /// `post_final`: the stream's last one.
    pub last: bool,
    /// What the host calls it.
    pub tag: u16,
}

/// What became of an open or a post.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// Of a post; else of an open.
    pub post: bool,
    /// Accepted.
    pub ok: bool,
    /// Why not.
    pub why: u8,
    /// Of the post; or the open's connection.
    pub tag: u16,
}

/// What happens to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It is open.
    Open,
    /// It was rejected and is idle again.
    Rejected,
    /// It is closed.
    Closed,
}

/// Something happened to a connection.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// To which.
    pub conn: u16,
}

/// A message has left.
#[derive(Clone, Copy, Debug)]
pub struct Cqe {
    /// Its class.
    pub class: Class,
    /// Its connection (real-time).
    pub conn: u16,
    /// What the host called it.
    pub tag: u16,
}

/// A flit for the host.
#[derive(Clone, Copy, Debug)]
pub struct Flit {
    /// Its lane.
    pub vl: u8,
    /// The header.
    pub first: bool,
    /// The tail.
    pub last: bool,
    /// Damaged or cut.
    pub bad: bool,
    /// Its words.
    pub data: [u32; 4],
}

/// What the adapter shows in a cycle (Moore).
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// An open can be taken.
    pub open_ready: bool,
    /// A post can be taken.
    pub post_ready: bool,
    /// What became of an open or a post.
    pub done: Option<Done>,
    /// Something happened to a connection.
    pub event: Option<Event>,
    /// A message has left.
    pub cqe: Option<Cqe>,
    /// Tag and index of the flit that is asked for.
    pub dma: Option<(u16, u8)>,
    /// A flit for the host.
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
