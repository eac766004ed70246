//! Registers: what is written, and what is read (C1).

use super::cover::Cover;
use super::seen::Seen;
use super::state::InjectionControl;
use super::written::{BE_MASK, CHANNELS, CTRL, T};
use crate::model::worm::classes::{Classes, Set};

impl InjectionControl {
    /// C1: what this cycle reads.
    pub(super) fn look_up_register(&mut self, seen: &Seen) -> Option<u32> {
        let number = seen.read?;
        let value = if number == T { Some(self.tuning.t) } else { self.written.read(number) };
        self.hit_if(value.is_some(), Cover::c1_read);
        self.hit_if(value.is_some() && seen.write.is_some(), Cover::c1_read_and_write);
        self.hit_if(value.is_none(), Cover::c1_read_none);
        let beyond = match number {
            CHANNELS => self.written.channels >> self.p.ports != 0,
            BE_MASK => self.written.be_mask & !Classes::data(self.p.vls) != 0,
            _ => false,
        };
        self.hit_if(beyond || number == CTRL && self.written.scheme_number() == 3, Cover::c1_read_as_written);
        Some(value.unwrap_or(0))
    }

    /// A write of a register but T, effective in the next cycle; `held`: lanes of which a header is held.
    pub(super) fn configure(&mut self, number: u32, data: u32, held: Set) {
        let before = self.written;
        let there = self.written.write(number, data);
        self.hit_if(!there, Cover::c1_write_none);
        let changes = before.scheme() != self.written.scheme();
        self.hit_if(changes && held != 0, Cover::yl1_scheme_changes);
        let silent = |period| self.estimate.is_silent(period);
        let raised = silent(before.period()) && !silent(self.written.period());
        self.hit_if(raised, Cover::ys2_raised);
        match number {
            CHANNELS => self.hit_if(data & 0xffff & !0 << self.p.ports != 0, Cover::yl1_channels_beyond),
            BE_MASK => {
                let all = Classes::data(self.p.vls);
                self.hit_if(data & all == 0, Cover::yw7_none);
                self.hit_if(data & all == all, Cover::yw7_all);
                self.hit_if(data & 0xffff & !all != 0, Cover::yw7_beyond);
            }
            _ => {}
        }
    }
}
