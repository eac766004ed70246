//! Its registers, with the values that may still hold.

use crate::cosim::events::register::{Register, Told};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

pub(super) const SRP_EN: u32 = 1;
pub(super) const RTT_COMP: u32 = 2;
pub(super) const SPEC_OFF: u32 = 4;
pub(super) const MERGE: u32 = 8;
pub(super) const FAST: u32 = 16;
pub(super) const INORDER: u32 = 32;
pub(super) const WALKIN: u32 = 64;

/// All of them.
pub(super) struct Registers {
    numbers: [u8; 6],
    ctrl: Register,
    eps: Register,
    run: Register,
    nmin: Register,
    interval: Register,
    rto: Register,
    /// Tolerance: a value may act for so long after it was overwritten.
    late: u64,
    most: u32,
    half: u64,
    spoken: bool,
}

impl Registers {
    pub fn new(p: &Params, late: u64) -> Registers {
        let number = |name| addr(UnitKind::Reservation, name);
        Registers {
            numbers: ["CTRL", "EPS", "NMAX_RUN", "NMIN", "RX_INTERVAL", "RTO"].map(number),
            ctrl: Register::new(RTT_COMP),
            eps: Register::new(3277),
            run: Register::new(p.nmax as u32),
            nmin: Register::new(4),
            interval: Register::new(1),
            rto: Register::new(0),
            late,
            most: p.nmax as u32,
            half: 1 << (p.now_w - 1),
            spoken: false,
        }
    }

    pub fn write(&mut self, number: u8, data: u32, dedup: bool, now: u64) {
        let Some(which) = self.numbers.iter().position(|n| *n == number) else { return };
        match which {
            0 => self.ctrl.write(data, now),
            1 => self.eps.write(data & 0xffff, now),
            2 => self.run.write((data & 127).clamp(1, self.most), now),
            3 => self.nmin.write(data & 0xffff, now),
            4 => self.interval.write((data & 15).max(1), now),
            _ if dedup => {
                let most = (self.half - 1).min(u64::from(u32::MAX)) as u32;
                self.rto.write(data.min(most), now);
            }
            _ => {}
        }
    }

    /// The tolerance.
    pub fn late(&self) -> u64 {
        self.late
    }

    fn from(&self, since: u64) -> u64 {
        since.saturating_sub(self.late)
    }

    /// Whether a bit of CTRL may have been 1 since a cycle, and must.
    pub fn bit(&self, bit: u32, since: u64) -> Told {
        self.ctrl.told(self.from(since), |v| v & bit != 0)
    }

    /// A message of so many packets goes without reservations.
    pub fn bypasses(&self, pkts: u32, since: u64) -> Told {
        let off = self.bit(SRP_EN, since);
        let off = Told { may: !off.must, must: !off.may };
        off.or(self.nmin.told(self.from(since), |n| pkts < n))
    }

    /// Packets of a chunk, at least and at most.
    pub fn runs(&self, since: u64) -> (u32, u32) {
        self.run.range(self.from(since))
    }

    /// A chunk is cut to so many packets of so many that are left.
    pub fn cuts(&self, n: u32, left: u32, since: u64) -> bool {
        self.run.since(self.from(since)).any(|run| n == left.min(run))
    }

    /// Cycles that so many flits take on the ejection link, without EPS: at least and at most.
    pub fn paces(&self, flits: u64, since: u64) -> (u64, u64) {
        let from = self.from(since);
        let pace = || self.interval.since(from).map(|i| flits * u64::from(i));
        (pace().min().unwrap_or(0), pace().max().unwrap_or(0))
    }

    /// Cycles that are booked for so many flits: at least and at most.
    pub fn booked(&self, flits: u64, since: u64) -> (u64, u64) {
        let from = self.from(since);
        let one = |e: u32| (flits * (65_536 + u64::from(e))).div_ceil(65_536);
        let flits = || self.eps.since(from).map(one);
        let (least, most) = (flits().min().unwrap_or(0), flits().max().unwrap_or(0));
        (self.paces(least, since).0, self.paces(most, since).1)
    }

    /// The shortest time-out since a cycle; none without.
    pub fn soonest(&self, since: u64) -> Option<u64> {
        let all = self.rto.since(self.from(since));
        all.filter(|v| *v > 0).min().map(u64::from)
    }

    /// The longest one, if there was one all the time.
    pub fn latest(&self, since: u64) -> Option<u64> {
        let from = self.from(since);
        if self.rto.since(from).any(|v| v == 0) {
            return None;
        }
        self.rto.since(from).max().map(u64::from)
    }

    /// RES are to be offered in cycle `now`, as far as the time since the reset matters.
    pub fn is_spoken(&self, now: u64) -> bool {
        self.rto.since(self.from(now)).all(|v| u64::from(v) <= now)
    }

    /// RES may be offered in cycle `now` since the reset: there is no time-out, or one is over, now or before.
    pub fn speaks(&mut self, now: u64) -> bool {
        let from = self.from(now);
        self.spoken |= self.rto.since(from).any(|v| v > 0 && u64::from(v) <= now);
        self.spoken || self.rto.since(from).any(|v| v == 0)
    }
}
