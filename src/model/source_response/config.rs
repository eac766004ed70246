//! Configuration registers and tables.

use super::cover::Cover;
use super::state::{BAD_ADDR, SourceResponse};
use crate::model::util::{Read, Registers, err_clear};
use crate::scheme::window::{Bounds, Law};

/// What the configuration registers mean.
#[derive(Clone, Copy)]
pub(super) struct Config {
    pub(super) enable: bool,
    /// SR3: a delay by rate counts from the last ACK; a packet time is RTT_MIN.
    pub(super) from_ack: bool,
    pub(super) by_rtt: bool,
    /// VR5
    pub(super) reset_empty: bool,
    /// As written: 0 is no window.
    pub(super) wmax: u32,
    /// Law, windows, lowest rate and steps.
    pub(super) bounds: Bounds,
    pub(super) rtt_min: u32,
    pub(super) sevmap: u32,
    /// At least 1.
    pub(super) link_interval: u32,
}

impl Config {
    pub(super) fn new(written: &Registers) -> Config {
        let ctrl = written.of(0);
        let bit = |n: u32| ctrl >> n & 1 != 0;
        let wmax = written.of(1);
        Config {
            enable: bit(0),
            from_ack: bit(5),
            by_rtt: bit(6),
            reset_empty: bit(7),
            wmax,
            bounds: Bounds {
                law: Law::of(ctrl >> 1 & 7),
                widest: wmax.max(1),
                moves: bit(4),
                g: written.of(2).clamp(2, 8),
                steps: written.of(3),
            },
            rtt_min: written.of(4),
            sevmap: written.of(5),
            link_interval: written.of(6).max(1),
        }
    }

    /// *Windows are on*.
    pub(super) fn windows_on(&self) -> bool {
        self.enable && self.wmax > 0
    }
}

/// The registers after reset; ERR_CLEAR is the errors.
pub(super) fn reset_registers() -> Registers {
    Registers::new(&[
        (0, 0xff, 0),
        (1, 0xff, 1),
        (2, 0xf, 8),
        (3, 0xf, 3),
        (4, 0xffff, 1),
        (5, 0xffff, 0xaa00),
        (6, 0xf, 1),
    ])
}

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
