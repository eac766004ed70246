//! What is written to registers and tables of the source response, and what is read (C1).

use super::config::Config;
use super::cover::Cover;
use super::state::{BAD_ADDR, SourceResponse};
use crate::model::util::{Read, err_clear};

impl SourceResponse {
    /// Writes to the tables; a read in the same cycle has already seen the old contents. Returns new errors.
    pub(super) fn write_tables(&mut self, input: &[u32]) -> u32 {
        let mut errors = 0;
        if input[self.i.wt_we] & 1 != 0 {
            let addr = (input[self.i.wt_addr] & 0xffff) as usize;
            match self.waits.get_mut(addr) {
                Some(entry) => {
                    *entry = input[self.i.wt_data];
                    self.hit(Cover::vr3_written);
                }
                None => {
                    errors |= BAD_ADDR;
                    self.hit(Cover::vr3_bad_addr);
                }
            }
        }
        if input[self.i.attr_we] & 1 != 0 {
            let flow = (input[self.i.attr_flow] & 0xffff) as usize;
            match self.attr.get_mut(flow) {
                Some(sl) => {
                    *sl = (input[self.i.attr_sl] & 0xf) as usize;
                    self.hit(Cover::h7_attr_written);
                }
                None => {
                    errors |= BAD_ADDR;
                    self.hit(Cover::h7_bad_addr_attr);
                }
            }
        }
        errors
    }

    /// Configuration writes, effective in the next cycle.
    pub(super) fn configure(&mut self, input: &[u32]) {
        if input[self.i.cfg_we] & 1 == 0 {
            return;
        }
        let (addr, data) = (input[self.i.cfg_addr] & 0xff, input[self.i.cfg_data]);
        let was_on = self.cfg.enable;
        self.written.write(addr, data);
        self.cfg = Config::new(&self.written);
        match addr {
            0 => self.hit_if(was_on && !self.cfg.enable, Cover::h5_switched_off),
            2 => {
                self.hit_if(self.written.of(2) < 2, Cover::sr1_exponent_low);
                self.hit_if(self.written.of(2) > 8, Cover::sr1_exponent_high);
            }
            6 => self.hit_if(self.written.of(6) == 0, Cover::h6_link_interval_0_is_1),
            _ => {} // 10 is ERR_CLEAR, see `update_errors`
        }
    }

    /// C1: what stands under a number.
    fn register(&self, number: u32) -> Read {
        match number {
            10 => Read::Errors(self.err),
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
        self.hit_if(read == Read::None, Cover::c1_read_none);
        let value = read.value();
        let acts_otherwise = match addr {
            0 => value >> 1 & 7 > 4,
            2 => !(2..=8).contains(&value),
            6 => value == 0,
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
