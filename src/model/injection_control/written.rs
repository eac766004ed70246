//! What registers hold, as it was written (C1), and what it acts as. T is the tuning's.

use crate::model::worm::classes::{Class, Classes, Set};
use crate::params::Params;

// Numbers of registers.
pub(super) const CTRL: u32 = 0;
pub(super) const CHANNELS: u32 = 1;
const HOLD_MAX: u32 = 2;
const GATHER: u32 = 3;
const UP: u32 = 4;
pub(super) const BE_MASK: u32 = 5;
const DOWN: u32 = 6;
const ALL: u32 = 7;
pub(super) const T: u32 = 9;

/// Who holds headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    None,
    Alo,
    SelfTuned,
}

/// The registers but T.
#[derive(Clone, Copy)]
pub(super) struct Written {
    ctrl: u32,
    pub(super) channels: u32,
    pub(super) hold_max: u32,
    pub(super) gather: u32,
    pub(super) up: u32,
    pub(super) be_mask: u32,
    pub(super) down: u32,
    pub(super) all: u32,
}

impl Written {
    /// As after reset.
    pub(super) fn new(p: &Params) -> Written {
        Written {
            ctrl: 1 << 2,
            channels: (1 << p.ports) - 1,
            hold_max: 65535,
            gather: 5,
            up: 15,
            be_mask: Classes::reset_mask(p.vls),
            down: 61,
            all: 1536,
        }
    }

    pub(super) fn scheme(&self) -> Scheme {
        match self.ctrl & 3 {
            1 => Scheme::Alo,
            2 => Scheme::SelfTuned,
            _ => Scheme::None,
        }
    }

    /// The scheme's number as it was written.
    pub(super) fn scheme_number(&self) -> u32 {
        self.ctrl & 3
    }

    /// The router's full lanes are counted.
    pub(super) fn counts_router(&self) -> bool {
        self.ctrl & 4 != 0
    }

    /// The best-effort lanes of `vls`.
    pub(super) fn best_effort(&self, vls: usize) -> Set {
        Classes::new(vls, self.be_mask).lanes(Class::BestEffort)
    }

    /// Step of the threshold up, which is its lower end, too.
    pub(super) fn step_up(&self) -> u32 {
        self.up.max(1)
    }

    /// Time between sums.
    pub(super) fn period(&self) -> u32 {
        1 << self.gather
    }

    /// The register of a number and the bits that it has.
    fn slot(&mut self, number: u32) -> Option<(&mut u32, u32)> {
        Some(match number {
            CTRL => (&mut self.ctrl, 0x7),
            CHANNELS => (&mut self.channels, 0xffff),
            HOLD_MAX => (&mut self.hold_max, 0xffff),
            GATHER => (&mut self.gather, 0xf),
            UP => (&mut self.up, 0xffff),
            BE_MASK => (&mut self.be_mask, 0xffff),
            DOWN => (&mut self.down, 0xffff),
            ALL => (&mut self.all, 0xff_ffff),
            _ => return None,
        })
    }

    /// A write; false if there is no register of this number.
    pub(super) fn write(&mut self, number: u32, data: u32) -> bool {
        self.slot(number).map(|(register, bits)| *register = data & bits).is_some()
    }

    /// What a read finds.
    pub(super) fn read(mut self, number: u32) -> Option<u32> {
        self.slot(number).map(|(register, _)| *register)
    }
}
