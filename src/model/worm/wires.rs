//! What is at the pins of wormhole routers and adapters in a cycle, named: a network of golden units passes it on as it is, word
//! vectors are read into it once.

use super::classes::Set;

/// Most ports of a router, and most lanes of a link.
pub const MOST: usize = 16;

/// A flit on a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkFlit {
    /// Its lane.
    pub vl: u8,
    /// It is a header.
    pub first: bool,
    /// It is a tail.
    pub last: bool,
    /// A tail of a message that was cut.
    pub bad: bool,
    /// Its words.
    pub data: [u32; 4],
}

/// What a port sends in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sending {
    /// The flit.
    pub flit: Option<LinkFlit>,
    /// Credit pulses, a bit a lane.
    pub credits: u32,
}

/// The register port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// A write, a read.
    pub write: bool,
    /// A read.
    pub read: bool,
    /// Port of a router; 255: all, for writes.
    pub port: u8,
    /// Number of the register.
    pub addr: u8,
    /// What is written.
    pub data: u32,
}

/// A write to the forwarding table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The DLID.
    pub dlid: u16,
    /// The output; 255: none.
    pub port: u8,
}

/// What comes into a router in a cycle, beside registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RouterPins {
    /// The register port.
    pub access: Access,
    /// A write to the forwarding table.
    pub entry: Option<Entry>,
    /// Ports whose links can be heard, a bit a port.
    pub up: u32,
    /// Of each port, what its link brings.
    pub links: [Sending; MOST],
}

/// A connection that the host opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its number.
    pub conn: u32,
    /// Where it leads.
    pub dlid: u32,
    /// Bandwidth, in 1/4096 of a link.
    pub bw: u32,
}

/// A message that the host posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Its class, by number.
    pub class: u32,
    /// Its connection (real-time).
    pub conn: u32,
    /// Its destination (others).
    pub dlid: u32,
    /// Flits.
    pub len: usize,
    /// The last one of its stream.
    pub last: bool,
    /// What the host calls it.
    pub tag: u32,
}

/// What comes into an adapter in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterPins {
    /// The register port.
    pub access: Access,
    /// The link can be heard.
    pub up: bool,
    /// An open that is offered.
    pub open: Option<Opening>,
    /// A post.
    pub post: Option<Posting>,
    /// The flit that was asked for.
    pub dma: [u32; 4],
    /// Lanes whose best-effort headers may not leave.
    pub hold: u32,
    /// What the link brings.
    pub link: Sending,
}

/// What became of an open or a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Of a post; else of an open.
    pub post: bool,
    /// 0: accepted.
    pub why: u32,
    /// What the host called the post; the connection of the open.
    pub tag: u32,
}

/// A message has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Its class, by number.
    pub class: u32,
    /// Its connection (real-time, else 0).
    pub conn: u32,
    /// What the host called it.
    pub tag: u32,
}

/// What an adapter shows its host in a cycle, and schemes that hold best-effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AdapterShows {
    /// An open, a post can be taken.
    pub open_ready: bool,
    /// A post.
    pub post_ready: bool,
    /// What became of an open or a post.
    pub done: Option<Done>,
    /// What happened to a connection: kind, number.
    pub event: Option<(u32, u32)>,
    /// A message has left.
    pub completion: Option<Completion>,
    /// The flit that is asked for: tag of its message, index.
    pub dma: Option<(u32, usize)>,
    /// A flit for the host.
    pub delivered: Option<LinkFlit>,
    /// Lanes on which what was coming in ends without a tail.
    pub cut: u32,
}

/// Words of a bit each as a set.
pub(crate) fn gather(words: &[u32]) -> Set {
    words.iter().enumerate().fold(0, |set, (v, word)| set | (word & 1) << v)
}

/// And back.
pub(crate) fn scatter(set: Set, words: &mut [u32]) {
    for (v, word) in words.iter_mut().enumerate() {
        *word = set >> v & 1;
    }
}
