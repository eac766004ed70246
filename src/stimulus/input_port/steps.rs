//! How scenarios of the input port are written: operations, one after the other.

use super::script::{Cond, Op, settle};
use super::world::{Dims, OPCODE_ACK, Packet, RawProp};
use crate::stimulus::chance::ALWAYS;

/// Operations under construction.
pub(super) struct Steps {
    pub(super) d: Dims,
    pub(super) ops: Vec<Op>,
}

impl Steps {
    pub(super) fn add(&mut self, ops: impl IntoIterator<Item = Op>) {
        self.ops.extend(ops);
    }

    /// The `j`-th destination behind an output.
    pub(super) fn to(&self, o: usize, j: usize) -> u16 {
        let per_port = ((self.d.lft_depth - 1) / self.d.ports).min(16);
        ((o % self.d.ports) + (j % per_port.max(1)) * self.d.ports) as u16
    }

    /// The last VL; with SRP the last one of data.
    pub(super) fn v(&self) -> usize {
        if self.d.params.srp { self.d.last_data() } else { self.d.vls - 1 }
    }

    /// A data packet on the last VL to the `j`-th destination of an output.
    pub(super) fn packet(&self, o: usize, j: usize, n: usize) -> Packet {
        Packet::data(self.to(o, j), n.clamp(1, self.d.mtu)).on(self.v())
    }

    /// An ACK to an output, to be sent.
    pub(super) fn ack(&self, o: usize) -> Op {
        Op::Send(Packet { opcode: OPCODE_ACK, ..self.packet(o, 0, 1) })
    }

    pub(super) fn send(&mut self, o: usize, j: usize, n: usize) {
        let p = self.packet(o, j, n);
        self.add([Op::Send(p)]);
    }

    /// Routes (a few destinations of each output) and registers: isolation on, thresholds, no timers.
    pub(super) fn start(&mut self, hth: u32, lth: u32) {
        for i in 0..(self.d.lft_depth - 1).min(16 * self.d.ports) {
            self.add([Op::Lft(i as u16, (i % self.d.ports) as u8)]);
        }
        self.registers(hth, lth);
        self.add([Op::Until(Cond::Sent, 2000)]);
    }

    pub(super) fn registers(&mut self, hth: u32, lth: u32) {
        let values = [1, hth, lth, 0, 1, 1, 0, u32::MAX, 0, 0xb];
        self.add(values.iter().enumerate().map(|(a, &x)| Op::Cfg(a as u8, x)));
    }

    /// The registers of marks, ages and the reader's pace as after reset.
    pub(super) fn marks_off(&mut self) {
        let (mtu, cap) = (self.d.mtu as u32, self.d.cap as u32);
        for (addr, value) in
            [(0, 1), (15, 1), (16, cap - mtu.div_ceil(2)), (17, 66 * cap / 100), (18, 0), (19, 1)]
        {
            self.cfg(addr, value);
        }
    }

    pub(super) fn cfg(&mut self, addr: u8, data: u32) {
        self.add([Op::Cfg(addr, data)]);
    }

    /// Waits until registers are written and packets sent.
    pub(super) fn sent(&mut self) {
        self.add([Op::Until(Cond::Sent, 5000)]);
    }

    pub(super) fn wait(&mut self, n: usize) {
        self.add([Op::Wait(n as u32)]);
    }

    pub(super) fn until(&mut self, cond: Cond) {
        self.add([Op::Until(cond, 300)]);
    }

    pub(super) fn hold(&mut self, o: usize) {
        self.add([Op::Serve(Some(o), 0, 0)]);
    }

    pub(super) fn grant(&mut self, o: usize, n: u32) {
        self.add([Op::Serve(Some(o), ALWAYS, n)]);
    }

    pub(super) fn settle(&mut self) {
        // most scenarios have trees at two outputs and two lines; the others take theirs back themselves
        self.ops.extend(settle(self.d.ports.min(4), self.d.lines.min(4)));
    }

    pub(super) fn tree(&mut self, o: usize, k: usize, js: &[usize]) {
        let dlids = js.iter().map(|&j| self.to(o, j)).collect();
        let v = self.v();
        self.add([Op::Alloc(o, k, v, dlids)]);
    }

    pub(super) fn prop(&mut self, o: usize, k: usize) {
        let vl = self.v() as u8;
        self.add([Op::Prop(RawProp { out: o, vl, line: k as u8, hops: 3, root: 0x00_2301 })]);
    }

    /// The cold queues, as output and VL: all if they are short, else one.
    pub(super) fn queues(&self) -> Vec<(usize, usize)> {
        let d = self.d;
        if d.cap > 64 {
            return vec![(0, self.v())];
        }
        (0..d.ports).flat_map(|o| (0..d.vls).map(move |v| (o, v))).collect()
    }

    /// A hot queue for destination 0 of an output (output line `k`), holding `m` packets of `n` flits; the output grants nothing.
    pub(super) fn hot(&mut self, o: usize, k: usize, m: usize, n: usize) {
        self.hold(o);
        self.tree(o, k, &[0]);
        for _ in 0..m {
            self.send(o, 0, n);
        }
        self.add([Op::Until(Cond::Known(o, k), 200)]);
        self.sent();
        self.wait(m + 4);
    }
}
