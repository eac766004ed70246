//! Registers, counters and errors: what is written, and what is read (C1).

use super::cover::Cover;
use super::state::WormRouter;
use crate::model::util::{Read, err_clear};
use crate::model::worm::classes::Classes;
use crate::model::worm::wires::Access;
use crate::scheme::marking::next_lfsr;

// Numbers of registers.
const CTRL: u32 = 0;
const LIMIT: u32 = 1;
const WSHIFT: u32 = 2;
const LHP: u32 = 3;
const BE_MASK: u32 = 5;
const NODE_ID: u32 = 6;
const NEXT: u32 = 7;
const LFSR_SEED: u32 = 8;
const ERR_CLEAR: u32 = 10;
const WEIGHT_IN: u32 = 32;
const WEIGHT_OUT: u32 = 48;
const CNT_FLITS: u32 = 128;
const CNT_MSGS: u32 = 129;
const CNT_DROP: u32 = 130;
const USED: u32 = 131;
const CNT_BOOKED: u32 = 132;
const CNT_REFUSED: u32 = 133;
const BOOK_OUT: u32 = 144;
const BOOK_IN: u32 = 160;

/// `cfg_port`: all ports.
const ALL_PORTS: u8 = 255;

/// The lane whose weight has a number.
fn lane_of(number: u32, first: u32, vls: usize) -> Option<usize> {
    number.checked_sub(first).map(|v| v as usize).filter(|&v| v < vls)
}

impl WormRouter {
    /// The ports that `cfg_port` names in a write.
    fn written_ports(&self, access: &Access) -> std::ops::Range<usize> {
        match access.port {
            ALL_PORTS => self.ports(),
            port if usize::from(port) < self.p.ports => port.into()..usize::from(port) + 1,
            _ => 0..0,
        }
    }

    /// A register write, effective in the next cycle. `drew`: outputs whose LFSR steps in this cycle.
    pub(super) fn configure(&mut self, access: &Access, drew: u32) {
        if !access.write {
            return;
        }
        let ports = self.written_ports(access);
        self.hit_if(ports.is_empty(), Cover::c1_write_no_port);
        self.hit_if(ports.len() > 1, Cover::c1_write_all_ports);
        let (number, data) = (u32::from(access.addr), access.data);
        if number == BE_MASK && !ports.is_empty() {
            self.write_mask(data & 0xffff);
        }
        if self.p.admit && !ports.is_empty() {
            self.write_router(number, data);
        }
        for port in ports {
            if self.p.admit {
                self.write_admission(port, number, data);
            }
            let to = &mut self.written.ports[port];
            if number == LHP {
                to.lhp = data & 0xff;
            } else if number == LFSR_SEED {
                self.outputs[port].lfsr = (data & 0xffff).max(1);
                self.hit_if(data & 0xffff == 0, Cover::yw4_seed_0);
                self.hit_if(drew >> port & 1 != 0, Cover::yw4_seed_and_draw);
            } else if let Some(v) = lane_of(number, WEIGHT_IN, self.p.vls) {
                to.weight_in[v] = data & 0xff;
                let more = self.inputs[port].order.left[v] > (data & 0xff).max(1);
                self.hit_if(more, Cover::yw5_weight_falls_in);
            } else if let Some(v) = lane_of(number, WEIGHT_OUT, self.p.vls) {
                to.weight_out[v] = data & 0xff;
                let more = self.outputs[port].order.left[v] > (data & 0xff).max(1);
                self.hit_if(more, Cover::yw5_weight_falls_out);
            }
        }
    }

    /// YW7: the router's best-effort lanes.
    fn write_mask(&mut self, mask: u32) {
        let before = self.classes();
        self.written.be_mask = mask;
        let now = self.classes();
        let owns = |v: usize| self.inputs.iter().any(|i| i.lanes[v].own.is_some());
        let turns = self.lanes().filter(|&v| before.of(v) != now.of(v)).any(owns);
        self.hit_if(turns, Cover::yw7_owner_turns);
        self.hit_if(mask & Classes::data(self.p.vls) == 0, Cover::yw7_none);
        self.hit_if(mask & Classes::data(self.p.vls) == Classes::data(self.p.vls), Cover::yw7_all);
        self.hit_if(mask & !Classes::data(self.p.vls) != 0, Cover::yw7_beyond);
    }

    /// Section 8: what the router has once.
    fn write_router(&mut self, number: u32, data: u32) {
        match number {
            CTRL => {
                self.hit_if(self.written.admit_en != (data & 1 != 0), Cover::ya2_turned);
                self.written.admit_en = data & 1 != 0;
            }
            NODE_ID => self.written.node_id = data & 0xffff,
            _ => {}
        }
    }

    /// Section 8: what each port has.
    fn write_admission(&mut self, port: usize, number: u32, data: u32) {
        let to = &mut self.written.ports[port];
        match number {
            LIMIT => {
                to.limit = data & 0x1fff;
                let below = to.limit < self.adm.sums.used[port];
                self.hit_if(below, Cover::ya2_limit_falls);
            }
            WSHIFT => to.wshift = data & 0xf,
            NEXT => (to.node, to.host) = (data & 0xffff, data >> 16 & 1 != 0),
            _ => {}
        }
    }

    /// Section 8: what stands under a number of a port that is there with ADMIT = 1 alone.
    fn admission_register(&self, port: usize, number: u32) -> Read {
        let own = &self.written.ports[port];
        let (sums, counts) = (&self.adm.sums, &self.adm.ports[port]);
        match number {
            CTRL => Read::Register(u32::from(self.written.admit_en)),
            LIMIT => Read::Register(own.limit),
            WSHIFT => Read::Register(own.wshift),
            NODE_ID => Read::Register(self.written.node_id),
            NEXT => Read::Register(u32::from(own.host) << 16 | own.node),
            USED => Read::Counter(sums.used[port]),
            CNT_BOOKED => Read::Counter(counts.booked),
            CNT_REFUSED => Read::Counter(counts.refused),
            _ => {
                let of = |first, sums: &[u32]| lane_of(number, first, self.p.vls).map(|v| sums[v]);
                let found = of(BOOK_OUT, &sums.out[port]).or_else(|| of(BOOK_IN, &sums.input[port]));
                found.map_or(Read::None, Read::Counter)
            }
        }
    }

    /// C1: what stands under a number of a port.
    fn register(&self, port: usize, number: u32) -> Read {
        let own = &self.written.ports[port];
        let output = &self.outputs[port];
        match number {
            LHP => Read::Register(own.lhp),
            BE_MASK => Read::Register(self.written.be_mask),
            LFSR_SEED => Read::Register(output.lfsr),
            ERR_CLEAR => Read::Errors(self.errors[port]),
            CNT_FLITS => Read::Counter(output.flits),
            CNT_MSGS => Read::Counter(output.messages),
            CNT_DROP => Read::Counter(self.inputs[port].dropped),
            _ => {
                let of = |first, weights: &[u32]| lane_of(number, first, self.p.vls).map(|v| weights[v]);
                let weight = of(WEIGHT_IN, &own.weight_in).or_else(|| of(WEIGHT_OUT, &own.weight_out));
                match weight {
                    Some(weight) => Read::Register(weight),
                    None if self.p.admit => self.admission_register(port, number),
                    None => Read::None,
                }
            }
        }
    }

    /// C1: what this cycle reads.
    pub(super) fn look_up_register(&mut self, access: &Access) -> Option<u32> {
        if !access.read {
            return None;
        }
        let (port, number) = (usize::from(access.port), u32::from(access.addr));
        if port >= self.p.ports {
            self.hit(Cover::c1_read_no_port);
            return Some(0);
        }
        let read = self.register(port, number);
        let register = matches!(read, Read::Register(_));
        self.hit_if(register, Cover::c1_read);
        self.hit_if(register && access.write, Cover::c1_read_and_write);
        self.hit_if(number == LFSR_SEED, Cover::c1_read_lfsr);
        self.hit_if(number == BE_MASK && port > 0, Cover::c1_read_mask);
        if self.p.admit {
            let sum = number == USED || (BOOK_OUT..BOOK_IN + 16).contains(&number);
            self.hit_if(sum && read.value() != 0, Cover::c1_read_booked);
            self.hit_if(number == CTRL && port > 0, Cover::c1_read_ctrl);
        }
        self.hit_if(matches!(read, Read::Errors(e) if e != 0), Cover::c1_read_error);
        self.hit_if(matches!(read, Read::Counter(n) if n != 0), Cover::c1_read_counted);
        self.hit_if(read == Read::None, Cover::c1_read_none);
        self.hit_if(register && number >= WEIGHT_IN && read.value() == 0, Cover::c1_read_as_written);
        Some(read.value())
    }

    /// Sticky errors: set wins over a clear in the same cycle.
    pub(super) fn update_errors(&mut self, access: &Access, new: &[u32]) {
        if !access.write {
            self.errors.iter_mut().zip(new).for_each(|(errors, new)| *errors |= new);
            return;
        }
        let clear = err_clear(1, access.addr.into(), access.data);
        let cleared = self.written_ports(access);
        for port in self.ports() {
            let clear = if cleared.contains(&port) { clear } else { 0 };
            self.hit_if(self.errors[port] & clear & !new[port] != 0, Cover::c1_error_cleared);
            self.hit_if(new[port] & clear != 0, Cover::c1_error_set_wins);
            self.errors[port] = self.errors[port] & !clear | new[port];
        }
    }

    /// Section 3: the LFSR of an output that has drawn.
    pub(super) fn step_lfsr(&mut self, port: usize) {
        self.outputs[port].lfsr = next_lfsr(self.outputs[port].lfsr);
    }
}
