//! Registers, counters and errors: what is written, and what is read (C1).

use super::cover::Cover;
use super::state::WormAdapter;
use super::table::{LANES, SEQS};
use crate::model::util::{Read, err_clear};
use crate::model::worm::classes::Classes;
use crate::model::worm::wires::Access;

// Numbers of registers.
const CTRL: u32 = 0;
const M: u32 = 1;
const C_B: u32 = 2;
const LIMIT: u32 = 3;
const LID: u32 = 4;
const BE_MASK: u32 = 5;
const LHP: u32 = 6;
const WSHIFT: u32 = 7;
const LFSR_SEED: u32 = 8;
const FIRST_NODE: u32 = 9;
const ERR_CLEAR: u32 = 10;
const BE_WEIGHT: u32 = 11;
const PROBE_GAP: u32 = 12;
const CNT_SENT: u32 = 128;
const CNT_RCV: u32 = 129;
const CNT_REFUSED: u32 = 130;
const CNT_DROP: u32 = 131;
const USED: u32 = 132;
const SUM_C: u32 = 133;

impl WormAdapter {
    /// A register write, effective in the next cycle. `drew`: the LFSR steps in this cycle.
    pub(super) fn configure(&mut self, access: &Access, drew: bool) {
        if !access.write {
            return;
        }
        let data = access.data;
        let (half, out) = (data & 0xffff, self.posted.best_effort);
        let w = &mut self.written;
        let mut none = false;
        match u32::from(access.addr) {
            CTRL => (w.credit_en, w.admit_en, w.lost) = (data & 1 != 0, data & 2 != 0, data & 4 != 0),
            M => w.m = half,
            C_B => {
                let falls = half < out;
                w.c_b = half;
                self.hit_if(falls, Cover::yc1_c_b_falls);
            }
            LIMIT => w.limit = data & 0x1fff,
            LID => {
                w.lid = half;
                self.sums.lane = half as usize % LANES;
            }
            BE_MASK => self.write_mask(half),
            LHP => w.lhp = data & 0xff,
            WSHIFT => w.wshift = data & 0xf,
            LFSR_SEED => {
                self.mover.lfsr = half.max(1);
                self.sums.seq = half % SEQS;
                self.hit_if(half == 0, Cover::yc4_seed_0);
                self.hit_if(drew, Cover::yc4_seed_and_draw);
            }
            FIRST_NODE => w.first_node = half,
            ERR_CLEAR => {}
            BE_WEIGHT => w.be_weight = data & 0xff,
            PROBE_GAP => w.probe_gap = half,
            _ => none = true,
        }
        self.hit_if(none, Cover::c1_write_none);
    }

    /// YW7: the best-effort lanes.
    fn write_mask(&mut self, mask: u32) {
        let before = self.classes();
        self.written.be_mask = mask;
        let now = self.classes();
        let data = Classes::data(self.p.vls);
        let turns = (0..self.p.vls).filter(|&v| before.of(v) != now.of(v));
        let full = turns.filter(|&v| !self.link.lanes[v].is_empty()).count() > 0;
        self.hit_if(full, Cover::yw7_lane_turns);
        self.hit_if(mask & data == 0, Cover::yw7_none);
        self.hit_if(mask & data == data, Cover::yw7_all);
        self.hit_if(mask & !data != 0, Cover::yw7_beyond);
    }

    /// What stands under a number.
    fn register(&self, number: u32) -> Read {
        let w = &self.written;
        let count = &self.counts;
        match number {
            CTRL => {
                let bits = [w.credit_en, w.admit_en, w.lost];
                Read::Register(bits.iter().rev().fold(0, |sum, &bit| sum << 1 | u32::from(bit)))
            }
            M => Read::Register(w.m),
            C_B => Read::Register(w.c_b),
            LIMIT => Read::Register(w.limit),
            LID => Read::Register(w.lid),
            BE_MASK => Read::Register(w.be_mask),
            LHP => Read::Register(w.lhp),
            WSHIFT => Read::Register(w.wshift),
            LFSR_SEED => Read::Register(self.mover.lfsr),
            FIRST_NODE => Read::Register(w.first_node),
            ERR_CLEAR => Read::Errors(self.errors),
            BE_WEIGHT => Read::Register(w.be_weight),
            PROBE_GAP => Read::Register(w.probe_gap),
            CNT_SENT => Read::Counter(count.sent),
            CNT_RCV => Read::Counter(count.received),
            CNT_REFUSED => Read::Counter(count.refused),
            CNT_DROP => Read::Counter(count.dropped),
            USED => Read::Counter(self.sums.used),
            SUM_C => Read::Counter(self.sums.credits),
            _ => Read::None,
        }
    }

    /// C1: what this cycle reads.
    pub(super) fn look_up_register(&mut self, access: &Access) -> Option<u32> {
        if !access.read {
            return None;
        }
        let number = access.addr.into();
        let read = self.register(number);
        let register = matches!(read, Read::Register(_));
        self.hit_if(register, Cover::c1_read);
        self.hit_if(register && access.write, Cover::c1_read_and_write);
        self.hit_if(number == LFSR_SEED, Cover::c1_read_lfsr);
        let beyond = number == M && (self.written.m == 0 || self.written.m as usize > self.p.msgq);
        self.hit_if(beyond, Cover::c1_read_as_written);
        self.hit_if(matches!(read, Read::Errors(e) if e != 0), Cover::c1_read_error);
        self.hit_if(matches!(read, Read::Counter(n) if n != 0), Cover::c1_read_counted);
        self.hit_if(number >= USED && read.value() != 0, Cover::c1_read_booked);
        self.hit_if(read == Read::None, Cover::c1_read_none);
        Some(read.value())
    }

    /// Sticky errors: set wins over a clear in the same cycle.
    pub(super) fn update_errors(&mut self, access: &Access, new: u32) {
        let clear = err_clear(access.write.into(), access.addr.into(), access.data);
        self.hit_if(self.errors & clear & !new != 0, Cover::c1_error_cleared);
        self.hit_if(new & clear != 0, Cover::c1_error_set_wins);
        self.errors = self.errors & !clear | new;
    }
}
