//! Scripts: a list of operations on a [`World`], one after the other, waiting where they say so.

use std::collections::VecDeque;

use super::world::{Packet, RawProp, World};
use crate::cosim::source::Source;
use crate::params::Params;
use crate::stimulus::chance::{ALWAYS, Chance};

/// What a script can wait for; seen at the port's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cond {
    /// All packets are on their way and all registers written.
    Sent,
    /// Nothing left to send, no request, nothing leaving, for so many cycles in a row.
    Quiet(u32),
    /// A request of this output and VL.
    Request(usize, usize),
    /// A request from a hot queue.
    Hot(usize, usize),
    /// A request from a hot queue whose line is not linked.
    Unlinked(usize, usize),
    /// The request of this output and VL is for this DLID.
    RequestFor(usize, usize, u16),
    /// No request of this output and VL.
    NoRequest(usize, usize),
    /// A message of this type is sent upstream.
    Message(u32),
    /// A first flit leaves this output.
    First(usize),
    /// A last flit leaves this output.
    Last(usize),
    /// The congestion bit of this output and VL is set.
    Congested(usize, usize),
    /// The congestion bit of this output and VL is clear.
    Calm(usize, usize),
    /// The cold queue of this output and VL holds at least so many flits.
    FillAtLeast(usize, usize, u32),
    /// A linked hot line of this output and output line is there.
    Known(usize, usize),
    /// No such line.
    Unknown(usize, usize),
    /// No such line, or none with room in its list.
    NoRoom(usize, usize),
    /// A hot queue and a CAM line are free.
    CanAlloc,
    /// No hot queue or no CAM line is free.
    CannotAlloc,
    /// This sticky error bit is set.
    Error(u32),
}

/// One step of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Register write.
    Cfg(u8, u32),
    /// Writes of a register, the first value and the second in turns, each so many times.
    Alternate(u8, [u32; 2], u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// LFT write.
    Lft(u16, u8),
    /// A packet joins the link's queue.
    Send(Packet),
    /// As the last one in the link's queue, so many times.
    Repeat(Packet, u32),
    /// Passes so many cycles.
    Wait(u32),
    /// Waits for something, so many cycles at most.
    Until(Cond, u32),
    /// Grants of an output (`None`: of all): chance in each cycle, and how many.
    Serve(Option<usize>, Chance, u32),
    /// Lanes of which an output (`None`: each) has no credit, one bit each.
    Lacks(Option<usize>, u32),
    /// Cycles between two `rd_en` of an output; 0: none.
    Pace(Option<usize>, u32),
    /// The same of `rd_slow`.
    SlowPace(u32),
    /// Chance of `rd_en` when its time has come.
    Read(Option<usize>, Chance),
    /// How outputs tell of trees: the chance in each cycle, and whether they grant a request that they have to tell.
    Tell(Chance, bool),
    /// A tree at an output: output, line, VL, destinations.
    Alloc(usize, usize, usize, Vec<u16>),
    /// It is gone.
    Dealloc(usize, usize),
    /// It is stopped or goes.
    Stop(usize, usize, bool),
    /// One prop, whatever is requested.
    Prop(RawProp),
    /// This prop in every cycle from now on.
    EveryProp(Option<RawProp>),
    /// One grant, whatever is requested.
    Grant(usize, usize),
    /// One cycle in which a request of an output is held by a line, whatever it is: output, VL, line.
    Held(usize, usize, u32),
    /// The link is down for so many cycles.
    LinkDown(u32),
    /// Cycles from one flit of the link to the next.
    LinkPace(u32),
    /// Chance of a gap before a flit.
    LinkGap(Chance),
    /// Chances that credit messages are lost: those of the port, those of the neighbour.
    Lose(Chance, Chance),
    /// Cycles between two FCTBS messages, 0: none.
    FctbsEvery(u32),
    /// The next FCTBS message is wrong by so much.
    FctbsError(u16),
    /// The next FCTBS message is for this VL.
    FctbsVl(u8),
}

/// A source that performs its operations once, or over and over.
#[derive(Clone, Debug)]
pub struct Script {
    world: World,
    ops: Vec<Op>,
    again: bool,
    at: usize,
    waited: u32,
    quiet: u32,
    setup: VecDeque<Op>,
}

impl Script {
    /// `first` is done once, `ops` after that; again and again if `again`.
    pub fn new(params: &Params, first: Vec<Op>, ops: Vec<Op>, again: bool, seed: u64) -> Script {
        let mut world = World::new(params, seed);
        world.early = seed & 1 == 1;
        Script { world, ops, again, at: 0, waited: 0, quiet: 0, setup: first.into() }
    }

    /// All operations are done (never, if they are repeated).
    pub fn done(&self) -> bool {
        self.setup.is_empty() && self.at == self.ops.len()
    }

    /// Where the script is: operations done.
    pub fn position(&self) -> usize {
        self.at
    }

    fn holds(&mut self, cond: Cond, seen: &[u32]) -> bool {
        let (io, d) = (&self.world.io, &self.world.dims);
        let q = |o: usize, v: usize| (o % d.ports) * d.vls + v % d.vls;
        let request = |o, v| seen[io.req_valid + q(o, v)] == 1;
        match cond {
            Cond::Sent => self.world.link.idle() && self.world.written(),
            Cond::Quiet(n) => {
                let pv = d.ports * d.vls;
                let busy = !self.world.link.idle()
                    || !self.world.written()
                    || seen[io.req_valid..io.req_valid + pv].contains(&1)
                    || seen[io.xb_act..io.xb_act + d.ports].contains(&1);
                self.quiet = if busy { 0 } else { self.quiet + 1 };
                self.quiet >= n
            }
            Cond::Request(o, v) => request(o, v),
            Cond::Hot(o, v) => seen[io.req_hot + q(o, v)] == 1,
            Cond::Unlinked(o, v) => seen[io.req_unlinked + q(o, v)] == 1,
            Cond::RequestFor(o, v, dlid) => request(o, v) && seen[io.req_dlid + q(o, v)] == u32::from(dlid),
            Cond::NoRequest(o, v) => !request(o, v),
            Cond::Message(t) => seen[io.msg_valid] == 1 && seen[io.msg_type] == t,
            Cond::First(o) => seen[io.xb_first + o % d.ports] == 1,
            Cond::Last(o) => seen[io.xb_last + o % d.ports] == 1,
            Cond::Congested(o, v) => seen[io.cong + q(o, v)] == 1,
            Cond::Calm(o, v) => seen[io.cong + q(o, v)] == 0,
            Cond::FillAtLeast(o, v, n) => seen[io.fill + q(o, v)] >= n,
            Cond::Known(o, k) => seen[io.known + o % d.ports] >> k & 1 == 1,
            Cond::Unknown(o, k) => seen[io.known + o % d.ports] >> k & 1 == 0,
            Cond::NoRoom(o, k) => seen[io.room + o % d.ports] >> k & 1 == 0,
            Cond::CanAlloc => seen[io.can_alloc] == 1,
            Cond::CannotAlloc => seen[io.can_alloc] == 0,
            Cond::Error(bit) => seen[io.err] >> bit & 1 == 1,
        }
    }

    /// Does an operation; false if it has to wait.
    fn perform(&mut self, op: &Op, seen: &[u32]) -> bool {
        let d = self.world.dims;
        match op {
            Op::Wait(n) => {
                self.waited += 1;
                if self.waited <= *n {
                    return false;
                }
                self.waited = 0;
            }
            Op::Until(cond, limit) => {
                self.waited += 1;
                if !self.holds(*cond, seen) && self.waited <= *limit {
                    return false;
                }
                (self.waited, self.quiet) = (0, 0);
            }
            Op::Alternate(addr, values, times) => {
                if !self.world.written() {
                    return false;
                }
                self.world.cfg.extend(values.map(|x| (*addr, x)));
                self.waited += 1;
                if self.waited < *times {
                    return false;
                }
                self.waited = 0;
            }
            _ => {}
        }
        let w = &mut self.world;
        let outs = |o: &Option<usize>| match *o {
            Some(o) => o % d.ports..o % d.ports + 1,
            None => 0..d.ports,
        };
        match op {
            Op::Wait(_) | Op::Until(..) | Op::Alternate(..) => {}
            Op::Cfg(addr, data) => w.cfg.push_back((*addr, *data)),
            Op::ReadAll => w.reader.read_all(),
            Op::Lft(dlid, port) => w.lft.push_back((*dlid, *port)),
            Op::Send(p) => w.link.queue.push_back(*p),
            Op::Repeat(p, n) => {
                // the count belongs to the head of the queue
                if !w.link.queue.is_empty() {
                    return false;
                }
                w.link.queue.push_back(*p);
                w.link.repeat = n.saturating_sub(1);
            }
            Op::Serve(o, chance, allow) => {
                for out in &mut w.outs[outs(o)] {
                    (out.serve, out.allow) = (*chance, *allow);
                }
            }
            Op::Lacks(o, lanes) => w.outs[outs(o)].iter_mut().for_each(|out| out.lacking = *lanes),
            Op::Pace(o, pace) => w.outs[outs(o)].iter_mut().for_each(|out| out.set_pace(*pace)),
            Op::Read(o, chance) => w.outs[outs(o)].iter_mut().for_each(|out| out.rd = *chance),
            Op::Tell(chance, strict) => {
                for out in &mut w.outs {
                    (out.tell, out.strict) = (*chance, *strict);
                }
            }
            Op::Alloc(o, k, vl, dlids) => {
                let (o, k) = (o % d.ports, k % d.lines);
                let n = dlids.len().min(d.dlist);
                let root = 0x00_1200 | k as u32;
                w.outs[o].alloc(k, vl % d.vls, 1, root, &dlids[..n]);
            }
            Op::Dealloc(o, k) => w.outs[o % d.ports].dealloc(k % d.lines),
            Op::Stop(o, k, stop) => w.outs[o % d.ports].set_stop(k % d.lines, *stop),
            Op::Prop(p) => w.raw_props.push(RawProp { out: p.out % d.ports, ..*p }),
            Op::EveryProp(p) => w.every_prop = p.map(|p| RawProp { out: p.out % d.ports, ..p }),
            Op::Grant(o, v) => w.raw_grants.push((o % d.ports) * d.vls + v % d.vls),
            Op::Held(o, v, line) => w.raw_holds.push(((o % d.ports) * d.vls + v % d.vls, *line)),
            Op::LinkDown(n) => w.carrier.cut(*n),
            Op::SlowPace(pace) => w.outs.iter_mut().for_each(|out| out.set_slow_pace(*pace)),
            Op::LinkPace(n) => w.link.pace = *n,
            Op::LinkGap(chance) => w.link.gap = *chance,
            Op::Lose(credit, fctbs) => (w.link.lose_credit, w.link.lose_fctbs) = (*credit, *fctbs),
            Op::FctbsEvery(n) => w.link.fctbs_every = *n,
            Op::FctbsError(e) => w.link.fctbs_error = *e,
            Op::FctbsVl(v) => w.link.fctbs_bad_vl = Some(*v),
        }
        true
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if seen[self.world.io.ready] == 1 {
            while let Some(op) = self.setup.pop_front() {
                if !self.perform(&op, seen) {
                    self.setup.push_front(op);
                    break;
                }
            }
            // at most one round a cycle
            let mut left = self.ops.len();
            while self.setup.is_empty() && left > 0 && !self.world.reader.busy() {
                if self.at == self.ops.len() {
                    if !self.again {
                        break;
                    }
                    self.at = 0;
                }
                let op = std::mem::replace(&mut self.ops[self.at], Op::Wait(0));
                let done = self.perform(&op, seen);
                self.ops[self.at] = op;
                if !done {
                    break;
                }
                self.at += 1;
                left -= 1;
            }
        }
        self.world.drive(seen, input);
    }
}

/// Grants everything, tells everything, no trees, no losses, and waits until the port is empty.
pub fn settle(ports: usize, lines: usize) -> Vec<Op> {
    let mut ops = vec![
        Op::Serve(None, ALWAYS, u32::MAX),
        Op::Lacks(None, 0),
        Op::Pace(None, 1),
        Op::Read(None, ALWAYS),
        Op::Tell(ALWAYS, true),
        Op::LinkPace(1),
        Op::LinkGap(0),
        Op::Lose(0, 0),
        Op::FctbsEvery(16),
        Op::EveryProp(None),
    ];
    for o in 0..ports {
        for k in 0..lines {
            ops.push(Op::Stop(o, k, false));
        }
    }
    ops.push(Op::Until(Cond::Quiet(8), 20_000));
    for o in 0..ports {
        for k in 0..lines {
            ops.push(Op::Dealloc(o, k));
        }
    }
    ops.push(Op::Until(Cond::Quiet(24), 20_000));
    ops
}
