//! Registers of the adapter, as their writes left them.

use crate::cosim::events::register::{Register, Told};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// Those that matter here, in the order of the fields.
const NAMES: [&str; 10] =
    ["CTRL", "M", "C_B", "LIMIT", "LID", "BE_MASK", "LHP", "FIRST_NODE", "BE_WEIGHT", "PROBE_GAP"];
const CTRL: usize = 0;
const LID: usize = 4;
const BE_MASK: usize = 5;

/// The registers.
pub(super) struct Registers {
    addresses: [u32; NAMES.len()],
    clear: u32,
    seed: u32,
    all: [Register; NAMES.len()],
    msgq: u32,
    data: u32,
    /// Tolerance.
    pub late: u64,
    /// The last write that changed BE_MASK.
    pub mask_changed: u64,
}

/// What a write did beside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wrote {
    /// `credit_en` is another.
    pub credits: bool,
    /// Errors that are cleared.
    pub clears: u32,
    /// The number of the next open.
    pub seq: Option<u32>,
}

impl Registers {
    pub fn new(p: &Params, late: u64) -> Registers {
        let data_lanes = p.vls - 2;
        let (data, low) = ((1u32 << data_lanes) - 1, data_lanes - (data_lanes / 4).max(1));
        let c_b = 200.min((p.msgq as u32 / 4).max(1));
        let of = |name| u32::from(addr(UnitKind::WormAdapter, name));
        let resets = [0, 1024.min(p.msgq as u32), c_b, 4096, 0, data >> low << low, 64, 0, 1, 0];
        Registers {
            addresses: NAMES.map(of),
            clear: of("ERR_CLEAR"),
            seed: of("LFSR_SEED"),
            all: resets.map(Register::new),
            msgq: p.msgq as u32,
            data,
            late,
            mask_changed: 0,
        }
    }

    /// A write of cycle `now`.
    pub fn write(&mut self, number: u32, value: u32, now: u64) -> Wrote {
        let mut wrote = Wrote::default();
        if number == self.clear {
            wrote.clears = value;
        }
        if number == self.seed {
            wrote.seq = Some(value & 63);
        }
        if let Some(at) = self.addresses.iter().position(|a| *a == number) {
            let value = match at {
                CTRL => value & 7,
                1 => (value & 0xffff).clamp(1, self.msgq),
                3 => (value & 0x1fff).min(4096),
                BE_MASK => value & self.data,
                6 | 8 => value & 0xff,
                _ => value & 0xffff,
            };
            let old = self.all[at].now;
            wrote.credits = at == CTRL && (old ^ value) & 1 != 0;
            if at == BE_MASK && old != value {
                self.mask_changed = now;
            }
            self.all[at].write(value, now);
        }
        wrote
    }

    fn of(&self, at: usize, from: u64) -> impl Iterator<Item = u32> {
        self.all[at].since(from.saturating_sub(self.late))
    }

    fn ctrl(&self, bit: u32, from: u64) -> Told {
        self.all[CTRL].told(from.saturating_sub(self.late), |v| v >> bit & 1 == 1)
    }

    pub fn credit_en(&self, from: u64) -> Told {
        self.ctrl(0, from)
    }

    pub fn admit_en(&self, from: u64) -> Told {
        self.ctrl(1, from)
    }

    pub fn lost(&self, from: u64) -> Told {
        self.ctrl(2, from)
    }

    fn range(&self, at: usize, from: u64) -> (u64, u64) {
        let all = || self.of(at, from).map(u64::from);
        (all().min().unwrap_or(0), all().max().unwrap_or(0))
    }

    /// M as it acts: every value, and the range.
    pub fn ms(&self, from: u64) -> Vec<u64> {
        let mut all: Vec<u64> = self.of(1, from).map(u64::from).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub fn m(&self, from: u64) -> (u64, u64) {
        self.range(1, from)
    }

    pub fn c_b(&self, from: u64) -> (u64, u64) {
        self.range(2, from)
    }

    pub fn limit(&self, from: u64) -> (u64, u64) {
        self.range(3, from)
    }

    pub fn lids(&self, from: u64) -> impl Iterator<Item = u32> {
        self.of(LID, from)
    }

    /// Whether the LID is this one.
    pub fn is_lid(&self, dlid: u32, from: u64) -> Told {
        self.all[LID].told(from.saturating_sub(self.late), |v| v == dlid)
    }

    pub fn is_first_node(&self, node: u32, from: u64) -> Told {
        self.all[7].told(from.saturating_sub(self.late), |v| v == node)
    }

    /// A lane is best-effort.
    pub fn best_effort(&self, lane: usize, from: u64) -> Told {
        self.all[BE_MASK].told(from.saturating_sub(self.late), |v| v >> lane & 1 == 1)
    }

    /// No lane is best-effort; no lane is real-time.
    pub fn without_best_effort(&self, from: u64) -> Told {
        self.all[BE_MASK].told(from.saturating_sub(self.late), |v| v == 0)
    }

    pub fn without_real_time(&self, from: u64) -> Told {
        let data = self.data;
        self.all[BE_MASK].told(from.saturating_sub(self.late), |v| v == data)
    }

    /// Lanes that a stream may get.
    pub fn lanes(&self, from: u64) -> u32 {
        let of = |mask: u32| if mask == self.data { 1 } else { self.data & !mask };
        self.of(BE_MASK, from).map(of).fold(0, |a, b| a | b)
    }

    /// BE_MASK now, and all lanes of data.
    pub fn mask(&self) -> u32 {
        self.all[BE_MASK].now
    }

    pub fn data(&self) -> u32 {
        self.data
    }

    /// The largest LHP; `None` if it may be without a bound.
    pub fn lhp(&self, from: u64) -> Option<u64> {
        let (low, high) = self.range(6, from);
        (low > 0).then_some(high)
    }

    pub fn weight(&self, from: u64) -> u64 {
        self.range(8, from).1.max(1)
    }

    pub fn gap(&self, from: u64) -> (u64, u64) {
        self.range(9, from)
    }
}
