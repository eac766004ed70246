//! The table of connections and the sums of what is booked (section 1).

/// The state of a connection, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    #[default]
    Idle,
    /// A probe is to be sent.
    Probe,
    /// It is on its way.
    Probing,
    Open,
    /// A release is to be sent.
    Release,
    /// It is being sent.
    Releasing,
    /// The last message is posted.
    Closing,
}

/// A connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Connection {
    pub(super) phase: Phase,
    pub(super) bw: u32,
    pub(super) dlid: u32,
    pub(super) lane: usize,
    /// C.
    pub(super) credits: u32,
    pub(super) avail: u32,
    /// The node that rejected it.
    pub(super) node: u32,
    /// The number of its open.
    pub(super) seq: u32,
}

/// Numbers of opens.
pub(super) const SEQS: u32 = 64;

/// Numbers that a lane can have.
pub(super) const LANES: usize = 16;

/// What all connections have together.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) used: u32,
    /// Of each lane.
    pub(super) book: [u32; LANES],
    pub(super) credits: u32,
    /// Connections that are not idle: of each lane, and of all.
    pub(super) conns: [u32; LANES],
    pub(super) live: u32,
    /// Where the next choice of a lane begins.
    pub(super) lane: usize,
    /// The number of the next open.
    pub(super) seq: u32,
}

impl Sums {
    /// A connection is opened.
    pub(super) fn add(&mut self, c: &Connection) {
        self.used += c.bw;
        self.book[c.lane] += c.bw;
        self.credits += c.credits;
        self.conns[c.lane] += 1;
        self.live += 1;
        self.lane = (c.lane + 1) % LANES;
        self.seq = (c.seq + 1) % SEQS;
    }

    /// It is idle again.
    pub(super) fn end(&mut self, c: &mut Connection) {
        c.phase = Phase::Idle;
        self.conns[c.lane] -= 1;
        self.live -= 1;
    }

    /// Its bandwidth and its credits are free again.
    pub(super) fn take_off(&mut self, c: &Connection) {
        self.used -= c.bw;
        self.book[c.lane] -= c.bw;
        self.credits -= c.credits;
    }
}
