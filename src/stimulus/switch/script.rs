//! Scripts: operations on a [`World`], one after the other.

use super::world::{ALL_PORTS, ALLOC, INPUT, OUTPUT, World};
use crate::cosim::source::Source;
use crate::model::link::Message;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::stimulus::chance::{ALWAYS, Chance};
use crate::stimulus::input_port::{Dims, Packet};
use crate::stimulus::knobs::Setup;

/// One step. Ports are taken modulo PORTS.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// Register of the input ports (all of them).
    In(&'static str, u32),
    /// Register of the output ports.
    Out(&'static str, u32),
    /// Any write: unit, port, address, data.
    Write(u8, u8, u8, u32),
    /// An entry of the forwarding table: DLID, port.
    Route(u16, u8),
    /// Reads everything; what follows waits for it.
    ReadAll,
    /// A packet for an input, so many times.
    Send(usize, Packet, u32),
    /// So many cycles.
    Wait(u32),
    /// Until nothing has moved for 200 cycles, so many cycles at most.
    Quiet(u32),
    /// The neighbour at a port frees its buffer with this chance per cycle.
    Drain(usize, Chance),
    /// The neighbour at a port gives credits.
    Credits(usize, bool),
    /// Blocks of the neighbours' buffers.
    Cap(u32),
    /// VLs of which the neighbour at a port has nothing free, as bits.
    Shut(usize, u32),
    /// The link of a port is down for so many cycles.
    LinkDown(usize, u32),
    /// A tree message: port, type, line, destinations.
    Tell(usize, u32, usize, &'static [u16]),
}

/// A source that performs its operations once, or over and over.
#[derive(Debug)]
pub(super) struct Script {
    world: World,
    ops: Vec<Op>,
    again: bool,
    at: usize,
    waited: u32,
    /// How often the switch was not quiet in time.
    pub(super) late: u32,
}

impl Script {
    pub(super) fn new(
        p: &Params,
        setup: &Setup,
        operations: fn(&Dims) -> Vec<Op>,
        again: bool,
        seed: u64,
    ) -> Script {
        let mut world = World::new(p, seed);
        match &setup.lft {
            Some(routes) => world.lft.extend(routes.iter().copied()),
            None => world.route(0),
        }
        for &(addr, data) in &setup.input_port {
            world.write(INPUT, ALL_PORTS, addr, data);
        }
        for &(addr, data) in &setup.output_port {
            world.write(OUTPUT, ALL_PORTS, addr, data);
        }
        let ops = operations(&world.d);
        Script { world, ops, again, at: 0, waited: 0, late: 0 }
    }

    /// All operations are done (never, if they are repeated).
    pub(super) fn done(&self) -> bool {
        self.at == self.ops.len()
    }

    /// Does an operation; false if it has to wait.
    fn perform(&mut self, op: Op) -> bool {
        let w = &mut self.world;
        let ports = w.d.ports;
        let waits = match op {
            Op::Wait(n) => self.waited < n,
            Op::Quiet(most) => {
                let busy = w.senders.iter().any(|s| !s.idle()) || !w.cfg.is_empty() || w.quiet < 200;
                self.late += u32::from(busy && self.waited == most);
                busy && self.waited < most
            }
            _ => false,
        };
        if waits {
            self.waited += 1;
            return false;
        }
        self.waited = 0;
        match op {
            Op::In(name, data) => w.write(INPUT, ALL_PORTS, addr(UnitKind::InputPort, name), data),
            Op::Out(name, data) => w.write(OUTPUT, ALL_PORTS, addr(UnitKind::OutputPort, name), data),
            Op::Write(unit, port, addr, data) => w.write(unit, port, addr, data),
            Op::Route(dlid, port) => w.lft.push_back((dlid, port)),
            Op::ReadAll => w.reader.read_all(),
            Op::Send(i, packet, n) => {
                let queue = &mut w.senders[i % ports].queue;
                (0..n).for_each(|_| queue.push_back(packet));
                w.quiet = 0;
            }
            Op::Wait(_) | Op::Quiet(_) => {}
            Op::Drain(o, chance) => w.receivers[o % ports].drain = chance,
            Op::Shut(o, lanes) => w.receivers[o % ports].shut = lanes,
            Op::Credits(o, on) => w.receivers[o % ports].starved = !on,
            Op::LinkDown(o, n) => w.carriers[o % ports].cut(n),
            Op::Cap(blocks) => w.receivers.iter_mut().for_each(|r| r.cap = blocks),
            Op::Tell(o, kind, line, dlids) => {
                let mut m = Message { kind, line: (line % w.d.lines) as u32, ..Message::default() };
                if kind == ALLOC {
                    let n = dlids.len().min(w.d.dlist);
                    (m.root, m.hops, m.dcnt) = (0x00_3302, 1, n as u32);
                    m.dlist[..n].copy_from_slice(&dlids[..n]);
                }
                w.tell(o % ports, m);
            }
        }
        true
    }
}

impl Source for Script {
    fn drive(&mut self, seen: &[u32], input: &mut [u32]) {
        if self.world.ready(seen) && self.world.lft.is_empty() {
            // at most one round a cycle
            let mut left = self.ops.len();
            while left > 0 && !self.world.reader.busy() {
                if self.at == self.ops.len() {
                    if !self.again {
                        break;
                    }
                    self.at = 0;
                }
                if !self.perform(self.ops[self.at]) {
                    break;
                }
                self.at += 1;
                left -= 1;
            }
        }
        self.world.drive(seen, input);
    }
}

/// Everything flows again, everything leaves, no trees, registers as after reset but for what a scenario sets.
pub(super) fn calm(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Op::Cap(2048), Op::In("CTRL", 0), Op::Out("CTRL", 0)];
    for o in 0..d.ports {
        ops.extend([Op::Drain(o, ALWAYS), Op::Credits(o, true)]);
    }
    ops.push(Op::Quiet(20_000));
    for (name, value) in [("HTH", 6 * d.mtu), ("LTH", 4 * d.mtu), ("DETECT", 4 * d.mtu), ("HOLD", d.mtu)] {
        ops.push(Op::In(name, value as u32));
    }
    ops.push(Op::Quiet(400));
    ops
}
