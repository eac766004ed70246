//! Registers, counters, SLs and errors: what is written, and what is read (C1).

use super::config::Config;
use super::cover::Cover;
use super::state::{BAD_ADDR, COUNTERS, Count, Reservation};
use crate::model::util::{Read, err_clear, set_bit};
use crate::scheme::chunk::St;

impl Reservation {
    /// SL of a flow.
    pub(super) fn set_sl(&mut self, flow: usize, sl: usize) {
        self.sls[flow] = sl;
        let lanes = self.on_lane.len();
        for (lane, flows) in self.on_lane.iter_mut().enumerate() {
            set_bit(flows, flow, sl % lanes == lane);
        }
    }

    /// A write to the SLs. Returns new errors.
    pub(super) fn write_attr(&mut self, input: &[u32]) -> u32 {
        if input[self.i.attr_we] & 1 == 0 {
            return 0;
        }
        let flow = (input[self.i.attr_flow] & 0xffff) as usize;
        if flow >= self.p.flows {
            self.hit(Cover::q20_bad_attr);
            return BAD_ADDR;
        }
        self.set_sl(flow, (input[self.i.attr_sl] & 0xf) as usize);
        self.hit(Cover::q20_attr);
        0
    }

    pub(super) fn count(&mut self, what: Count) {
        let most = self.p.cnt_max();
        let counter = &mut self.counters[what as usize];
        let full = *counter >= most;
        *counter = most.min(counter.saturating_add(1));
        self.hit_if(full, Cover::b3_counter_full);
    }

    /// Configuration writes, effective in the next cycle.
    pub(super) fn configure(&mut self, input: &[u32]) {
        if input[self.i.cfg_we] & 1 == 0 {
            return;
        }
        let run = self.cfg.nmax_run;
        self.written.write(input[self.i.cfg_addr] & 0xff, input[self.i.cfg_data]);
        self.cfg = Config::new(&self.written, &self.p);
        let moved = self.cfg.nmax_run != run && self.table.iter().any(|row| row.word.st != St::Idle);
        self.hit_if(moved, Cover::q15_run_moved);
    }

    /// C1: what stands under a number.
    fn register(&self, number: u32) -> Read {
        let there = if self.p.dedup { COUNTERS } else { Count::Rto as usize };
        let counter = number.checked_sub(128).and_then(|i| self.counters[..there].get(i as usize));
        match (number, counter) {
            (10, _) => Read::Errors(self.err),
            (_, Some(count)) => Read::Counter(*count),
            _ => self.written.get(number).map_or(Read::None, Read::Register),
        }
    }

    /// C1: what this cycle reads.
    pub(super) fn read(&mut self, input: &[u32]) -> Option<u32> {
        if input[self.i.cfg_re] & 1 == 0 {
            return None;
        }
        let (we, addr) = (input[self.i.cfg_we] & 1 != 0, input[self.i.cfg_addr] & 0xff);
        let read = self.register(addr);
        let register = matches!(read, Read::Register(_));
        self.hit_if(register, Cover::c1_read);
        self.hit_if(register && we, Cover::c1_read_and_write);
        self.hit_if(matches!(read, Read::Errors(_)), Cover::c1_read_errors);
        self.hit_if(matches!(read, Read::Errors(e) if e != 0), Cover::c1_read_error);
        self.hit_if(matches!(read, Read::Counter(_)), Cover::c1_read_counter);
        self.hit_if(matches!(read, Read::Counter(n) if n != 0), Cover::c1_read_counted);
        self.hit_if(read == Read::None, Cover::c1_read_none);
        let value = read.value();
        let acts_otherwise = match addr {
            2 => value != self.cfg.nmax_run,
            5 => value == 0,
            6 => value != self.cfg.rto,
            _ => false,
        };
        self.hit_if(acts_otherwise, Cover::c1_read_as_written);
        Some(value)
    }

    /// Sticky errors: set wins over a clear in the same cycle.
    pub(super) fn update_errors(&mut self, input: &[u32], new: u32) {
        let clear = err_clear(input[self.i.cfg_we], input[self.i.cfg_addr], input[self.i.cfg_data]);
        self.hit_if(self.err & clear & !new != 0, Cover::b3_error_cleared);
        self.hit_if(new & clear != 0, Cover::b3_error_set_wins);
        self.err = (self.err & !clear) | new;
    }
}
