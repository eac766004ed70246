//! Scripts: a list of operations on a [`World`], one after the other, waiting where they say so, over and over.

use super::world::{Fate, GRANT, Gate, Post, Reply, Request, See, Wait, World};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance};
use crate::stimulus::knobs::Setup;
use crate::stimulus::rounds::cycles_of;

/// No round of a scenario is longer.
const MAX_ROUND: u64 = 300_000;

/// Sizes of the build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub flows: u32,
    pub mtu: u32,
    pub nmax: u32,
    pub msgq: u32,
    pub repq: u32,
    pub ctl: u32,
    pub lanes: u32,
    /// Times are so short that they wrap within a scenario.
    pub wraps: bool,
    /// Losses end.
    pub dedup: bool,
}

impl Dims {
    fn new(p: &Params) -> Dims {
        Dims {
            flows: p.flows as u32,
            mtu: p.mtu as u32,
            nmax: p.nmax as u32,
            msgq: p.msgq as u32,
            repq: p.repq as u32,
            ctl: p.ctl_blocks as u32,
            lanes: p.data_lanes() as u32,
            wraps: p.now_w <= 16,
            dedup: p.dedup,
        }
    }
}

/// One step of a script. Steps take no time unless they say so.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Register write; takes a cycle.
    Cfg(&'static str, u32),
    /// A register by its address; takes a cycle.
    Raw(u8, u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// SL of a flow.
    Attr(u32, u32),
    /// A message: flow, packets, flits of the last one; of a PSN; a cycle without between two.
    Post(u32, u32, u32),
    PostPsn(u32, u32, u32, u32),
    NoPost,
    /// A reply: kind, flow, chunks behind the one that asked last, packet, wait; a cycle without.
    Reply(u32, u32, u32, u32, u32),
    NoReply,
    /// An ACK or NACK with R: kind, flow, packet. A GRANT with I: flow, number; a wait.
    Again(u32, u32, u32),
    Names(u32, u32, u32),
    /// Chances that a reply is lost, that it comes twice.
    Lost(Chance),
    Doubled(Chance),
    /// An op on the table of sources: what, source, chunk, packet, good; any: chances of one, of a good one.
    See(u32, u32, u32, u32, bool),
    /// The same, of a PSN: what, source, chunk, packet, PSN, good.
    Psn(u32, u32, u32, u32, u32, bool),
    Sees(Chance, Chance),
    /// Packets without reservation that come: chance, longest.
    Walk(Chance, u32),
    /// Round trip of a RES and of a packet.
    Trip(u32, u32),
    Answer(u32, u32),
    Waits(Wait),
    Fates(Fate),
    /// Replies come.
    Brings(bool),
    /// GRANT and ACKs for whoever may wait for some.
    Rescue,
    /// Lanes with room, speculative at bit D.
    Room(u32),
    /// Lanes of data with credits of the link.
    Link(u32),
    /// Chances that an offer is taken: packets, RES, replies.
    Inj(Chance),
    Res(Chance),
    Out(Chance),
    /// Cycles that a packet stays in the adapter's queues.
    Stay(u32, u32),
    /// RES from others: chance, largest size; one of a size; a cycle without.
    Rin(Chance, u32),
    RinOne(u32),
    NoRin,
    /// Last flits: chance; one; how many are damaged.
    Ends(Chance),
    EndOne(bool),
    Damage(Chance),
    /// Chance that RES and last flits come where they must not.
    Rude(Chance),
    /// Passes so many cycles.
    Wait(u32),
    /// All is written, posted, replied.
    Written,
    /// No reply is on its way.
    Answered,
    /// A RES is on offer; a packet; so many cycles at most.
    ResOffered(u32),
    Offered(u32),
    /// So many packets, RES were taken, so many cycles at most.
    Taken(u64, u32),
    Asked(u64, u32),
    /// Nothing was on offer or on its way for so many cycles.
    Quiet(u32),
    /// `now` is so many cycles before its wrap.
    BeforeWrap(u64),
}

/// The operations behind a first message of each flow, by which it learns its number after a reset (DEDUP). Those that are about
/// that begin with [`Op::NoPost`].
fn with_numbers(d: &Dims, ops: fn(&Dims) -> Vec<Op>) -> Vec<Op> {
    let own = ops(d);
    if !d.dedup || matches!(own.first(), Some(Op::NoPost)) {
        return own;
    }
    let mut all = vec![Op::Cfg("NMIN", 0), Op::Cfg("CTRL", 3), Op::Waits(Wait::Zero)];
    all.extend((0..d.flows).map(|flow| Op::Post(flow, 1, 1)));
    all.extend([Op::Written, Op::Quiet(100), Op::Waits(Wait::Long(20))]);
    all.extend(own);
    all
}

/// A source that performs its operations over and over.
pub(super) struct Script {
    world: World,
    ops: Vec<Op>,
    at: usize,
    waited: u32,
    silent: u32,
    counts: (u64, u64),
    /// How often all operations were done.
    pub rounds: u32,
    /// Operations that waited in vain for what was sure to come.
    pub missed: Vec<usize>,
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Dims) -> Vec<Op>, seed: u64) -> Script {
        let mut world = World::new(p, seed);
        world.attrs.extend(setup.attrs.iter().map(|&(f, sl)| (f.into(), sl.into())));
        Script {
            world,
            ops: with_numbers(&Dims::new(p), ops),
            at: 0,
            waited: 0,
            silent: 0,
            counts: (0, 0),
            rounds: 0,
            missed: Vec::new(),
        }
    }

    /// An operation that takes no time.
    fn set(&mut self, op: &Op) {
        let w = &mut self.world;
        match *op {
            Op::Cfg(name, value) => w.cfg.push_back((addr(UnitKind::Reservation, name), value)),
            Op::Raw(a, value) => w.cfg.push_back((a, value)),
            Op::ReadAll => w.reader.read_all(),
            Op::Attr(flow, sl) => w.attrs.push_back((flow, sl)),
            Op::Post(flow, pkts, last) => {
                w.posts.push_back(Some(Post { flow, pkts, last, psn: 0x1000 * (flow + 1) }));
            }
            Op::PostPsn(flow, pkts, last, psn) => {
                w.posts.push_back(Some(Post { flow, pkts, last, psn }));
            }
            Op::NoPost => w.posts.push_back(None),
            Op::Reply(kind, flow, more, seq, wait) => {
                let id = w.asked.get(flow as usize).map_or(0, |a| a.0) + more;
                w.replies.push_back(Some(Reply { kind, flow, id, seq, wait, rty: false, init: false }));
            }
            Op::Again(kind, flow, seq) => {
                let id = w.asked.get(flow as usize).map_or(0, |a| a.0);
                w.replies.push_back(Some(Reply { kind, flow, id, seq, wait: 0, rty: true, init: false }));
            }
            Op::Names(flow, id, wait) => {
                w.replies.push_back(Some(Reply {
                    kind: GRANT,
                    flow,
                    id,
                    seq: 0,
                    wait,
                    rty: false,
                    init: true,
                }));
            }
            Op::Lost(chance) => w.lost = chance,
            Op::Doubled(chance) => w.doubled = chance,
            Op::See(what, flow, id, seq, ok) => {
                w.sees.push_back(Some(See { what, flow, id, seq, psn: 0, ok }));
            }
            Op::Psn(what, flow, id, seq, psn, ok) => {
                w.sees.push_back(Some(See { what, flow, id, seq, psn, ok }));
            }
            Op::Sees(comes, good) => (w.see, w.good) = (Gate::new(comes), good),
            Op::Walk(comes, most) => (w.walk, w.walk_most) = (Gate::new(comes), most),
            Op::NoReply => w.replies.push_back(None),
            Op::Trip(least, most) => w.trip = (least, most),
            Op::Answer(least, most) => w.answer = (least, most),
            Op::Waits(wait) => w.wait = wait,
            Op::Fates(fate) => w.fate = fate,
            Op::Brings(open) => w.brings = Gate::new(if open { ALWAYS } else { 0 }),
            Op::Rescue => w.rescue(),
            Op::Room(mask) => {
                for (lane, gate) in w.room.iter_mut().enumerate() {
                    *gate = Gate::new(if mask >> lane & 1 != 0 { ALWAYS } else { 0 });
                }
            }
            Op::Link(mask) => {
                for (lane, gate) in w.link.iter_mut().enumerate() {
                    *gate = Gate::new(if mask >> lane & 1 != 0 { ALWAYS } else { 0 });
                }
            }
            Op::Inj(chance) => w.inj_ready = Gate::new(chance),
            Op::Res(chance) => w.res_ready = Gate::new(chance),
            Op::Out(chance) => w.out_ready = Gate::new(chance),
            Op::Stay(least, most) => w.stay = (least, most),
            Op::Rin(chance, largest) => (w.res, w.largest) = (Gate::new(chance), largest),
            Op::RinOne(size) => w.requests.push_back(Some(Request { slid: 0x1234, id: size, size })),
            Op::NoRin => w.requests.push_back(None),
            Op::Ends(chance) => w.end = Gate::new(chance),
            Op::EndOne(bad) => w.ends.push_back(bad),
            Op::Damage(chance) => w.damage = chance,
            Op::Rude(chance) => w.rude = chance,
            Op::Wait(_)
            | Op::Written
            | Op::Answered
            | Op::ResOffered(_)
            | Op::Offered(_)
            | Op::Taken(..)
            | Op::Asked(..)
            | Op::Quiet(_)
            | Op::BeforeWrap(_) => {}
        }
    }

    /// What an operation waits for is there.
    fn is_over(&self, op: &Op, seen: &[u32]) -> bool {
        let w = &self.world;
        match *op {
            Op::Wait(n) => self.waited >= n,
            Op::Written => w.written(),
            Op::Answered => w.answered(),
            Op::ResOffered(most) => seen[w.io.res_valid] != 0 || self.waited >= most,
            Op::Offered(most) => seen[w.io.inj_valid] != 0 || self.waited >= most,
            Op::Taken(n, most) => w.taken - self.counts.0 >= n || self.waited >= most,
            Op::Asked(n, most) => w.res_taken - self.counts.1 >= n || self.waited >= most,
            Op::Quiet(n) => self.silent >= n,
            Op::BeforeWrap(back) => {
                let wrap = 1u64 << w.p.now_w;
                (w.now + back).is_multiple_of(wrap)
            }
            _ => true,
        }
    }

    /// What was sure to come has not.
    fn is_missed(&self, op: &Op, seen: &[u32]) -> bool {
        let w = &self.world;
        match *op {
            Op::ResOffered(_) => seen[w.io.res_valid] == 0,
            Op::Offered(_) => seen[w.io.inj_valid] == 0,
            Op::Taken(n, _) => w.taken - self.counts.0 < n,
            Op::Asked(n, _) => w.res_taken - self.counts.1 < n,
            _ => false,
        }
    }

    fn perform(&mut self, seen: &[u32]) {
        loop {
            let Some(op) = self.ops.get(self.at).cloned() else {
                self.begin_op(0);
                self.rounds += 1;
                return;
            };
            if !self.is_over(&op, seen) {
                self.waited += 1;
                return;
            }
            if self.is_missed(&op, seen) {
                self.missed.push(self.at);
            }
            self.set(&op);
            self.begin_op(self.at + 1);
            if matches!(op, Op::Cfg(..) | Op::Raw(..) | Op::ReadAll) {
                return;
            }
        }
    }

    fn begin_op(&mut self, at: usize) {
        (self.at, self.waited, self.silent) = (at, 0, 0);
        self.counts = (self.world.taken, self.world.res_taken);
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        let io = self.world.io;
        let ready = seen[io.ready] != 0;
        let still = seen[io.inj_valid] | seen[io.res_valid] == 0 && self.world.answered();
        self.silent = if still && self.world.written() { self.silent + 1 } else { 0 };
        // the SLs of a configuration come first
        let started = self.at > 0 || self.waited > 0 || self.rounds > 0;
        if ready && (started || self.world.written()) && !self.world.reader.busy() {
            self.perform(seen);
        }
        self.world.drive(seen, input);
    }
}

/// Cycles that one round takes, found by running it on the golden model.
pub(super) fn round_cycles(p: &Params, ops: fn(&Dims) -> Vec<Op>) -> Result<u64, String> {
    let mut script = Script::new(p, &Setup::default(), ops, 0);
    cycles_of(UnitKind::Reservation, p, &mut script, MAX_ROUND, |s| s.rounds > 0)
}
