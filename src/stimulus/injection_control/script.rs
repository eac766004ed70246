//! Scripts: a list of operations on a [`World`], over and over. What an operation sets lasts, or is of the coming cycle; only waiting
//! passes time.

use super::world::{Lanes, World};
use crate::cosim::source::Source;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::knobs::Setup;
use crate::stimulus::rounds::cycles_of;

/// Sizes of the build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dims {
    pub ports: usize,
    pub vls: usize,
    pub depth: u32,
    /// The highest data lane, which is best-effort after reset.
    pub be: usize,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// Inputs are anything until the unit is ready: the first operation.
    Early,
    /// In the coming cycle: a register by name, by number; the table; a header, another flit of a lane on the link; a gathering; sums.
    Cfg(&'static str, u32),
    Raw(u8, u32),
    Route(u32, u32),
    Sent(usize),
    Flit(usize),
    Gather,
    Sum(u32, u32),
    /// Until it changes: the DLID in front of a lane; nothing there; lanes of an output that are owned; of an input that are full; of the link
    /// that are free; of the adapter that are full; flits are delivered.
    Front(usize, u32),
    Gone(usize),
    Owned(usize, Lanes),
    OwnedAll(Lanes),
    Full(usize, Lanes),
    Link(Lanes),
    OwnFull(Lanes),
    Deliver(bool),
    /// So many cycles.
    Wait(u32),
    /// Reads everything; what follows waits for it.
    ReadAll,
}

/// A source that performs its operations over and over.
pub(super) struct Script {
    pub world: World,
    ops: Vec<Op>,
    at: usize,
    left: u32,
    delivers: bool,
    /// How often all operations were done.
    pub rounds: u32,
}

/// Cycles of one round.
pub(super) fn round_cycles(p: &Params, ops: fn(&Dims) -> Vec<Op>) -> Result<u64, String> {
    let mut script = Script::new(p, &Setup::default(), ops, 1);
    cycles_of(UnitKind::InjectionControl, p, &mut script, 400_000, |s| s.rounds > 0)
}

impl Script {
    pub(super) fn new(p: &Params, setup: &Setup, ops: fn(&Dims) -> Vec<Op>, seed: u64) -> Script {
        let mut world = World::new(p, seed);
        world.cfg.extend(setup.injection_control.iter().copied());
        let dims = Dims { ports: p.ports, vls: p.vls, depth: p.lft_depth as u32, be: p.vls - 3 };
        let ops = ops(&dims);
        world.early = matches!(ops.first(), Some(Op::Early));
        Script { world, ops, at: 0, left: 0, delivers: false, rounds: 0 }
    }

    /// An operation that takes no time.
    fn set(&mut self, op: Op) {
        let w = &mut self.world;
        match op {
            Op::Cfg(name, data) => w.cfg.push_back((addr(UnitKind::InjectionControl, name), data)),
            Op::Raw(number, data) => w.cfg.push_back((number, data)),
            Op::Route(dlid, mask) => w.routes.push_back((dlid, mask)),
            Op::Sent(lane) => w.now.sent = Some((lane as u32, true)),
            Op::Flit(lane) => w.now.sent = Some((lane as u32, false)),
            Op::Gather => w.now.gather = true,
            Op::Sum(full, flits) => w.now.sum = Some((full, flits)),
            Op::Front(lane, dlid) => w.front[lane] = Some(dlid),
            Op::Gone(lane) => w.front[lane] = None,
            Op::Owned(output, lanes) => w.owned[output] = lanes,
            Op::OwnedAll(lanes) => w.owned.fill(lanes),
            Op::Full(input, lanes) => w.full[input] = lanes,
            Op::Link(lanes) => w.link_free = lanes,
            Op::OwnFull(lanes) => w.own_full = lanes,
            Op::Deliver(on) => self.delivers = on,
            Op::ReadAll => w.reader.read_all(),
            Op::Early | Op::Wait(_) => {}
        }
    }

    /// All up to the next wait.
    fn perform(&mut self) {
        loop {
            let Some(&op) = self.ops.get(self.at) else {
                self.at = 0;
                self.rounds += 1;
                return;
            };
            self.at += 1;
            match op {
                Op::Wait(cycles) => {
                    self.left = cycles - 1;
                    return;
                }
                op => self.set(op),
            }
            if matches!(op, Op::ReadAll) {
                return;
            }
        }
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if !self.world.is_ready(seen) {
            if self.world.early {
                self.world.babble(input);
            }
            return;
        }
        // (Those of a setup, first.)
        let busy = self.world.reader.busy() || !self.world.cfg.is_empty();
        if self.left > 0 {
            self.left -= 1;
        } else if !busy {
            self.perform();
        }
        self.world.now.delivers = self.delivers;
        self.world.drive(input);
    }
}
