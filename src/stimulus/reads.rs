//! Reads of registers and counters (C1), beside whatever a source does: they change nothing.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

use crate::params::{Params, UnitKind};
use crate::registers::{REGISTERS, Register};
use crate::signals::{Group, Layout};

/// Cycles between changes of the rate.
const PHASE: u32 = 1024;
/// What a scenario that reads all reads of each unit and port: what is listed, and some that is not.
const NUMBERS: [std::ops::RangeInclusive<u32>; 5] = [0..=24, 64..=64, 74..=74, 127..=138, 255..=255];
/// Numbers beyond 24 that a wormhole router has beside them: weights of lanes, what is booked.
const OF_LANES: [std::ops::Range<u32>; 2] = [30..64, 142..178];
/// What a scenario that reads all writes before.
pub(super) const PATTERNS: [u32; 5] = [0, u32::MAX, 0x5555_5555, 0xaaaa_aaaa, 0x0001_0203];

/// Registers of a unit.
pub(super) fn registers(unit: UnitKind) -> impl Iterator<Item = &'static Register> {
    REGISTERS.iter().filter(move |r| r.unit == unit)
}

/// A number of a register's width: its ends, values near them, any.
pub(super) fn any_value(r: &Register, rng: &mut SmallRng) -> u32 {
    let most = r.most(32);
    let low = rng.random_range(0..5);
    match rng.random_range(0..6) {
        0 => 0,
        1 => most,
        2 => low & most,
        3 => most - low.min(most),
        4 => rng.next_u32(),
        _ => rng.next_u32() & most,
    }
}

/// Unit, port, number.
type Place = (u32, u32, u32);

/// What reads.
#[derive(Clone, Debug)]
pub struct Reader {
    we: usize,
    re: usize,
    addr: usize,
    unit: Option<usize>,
    port: Option<usize>,
    /// Units and ports that can be named and are read in turn; the last ones are not there.
    units: Vec<u32>,
    ports: Vec<u32>,
    /// Numbers that are read beside [`NUMBERS`].
    more: Vec<u32>,
    rng: SmallRng,
    /// Cycles between two reads, about; 0: none.
    every: u32,
    left: u32,
    first: bool,
    /// The register that was written in the cycle before.
    written: Option<Place>,
    /// What is to be read, one a cycle.
    due: VecDeque<Place>,
}

impl Reader {
    /// For a unit.
    pub fn new(unit: UnitKind, p: &Params, seed: u64) -> Reader {
        let l = Layout::new(unit, p);
        let find = |name| l.signals.iter().find(|s| s.group == Group::Input && s.name == name);
        let (units, ports) = match unit {
            UnitKind::Switch => {
                (vec![0, 1, 2, 255], (0..p.ports as u32).chain([p.ports as u32, 255]).collect())
            }
            UnitKind::Hca => (vec![0, 1, 2, 3, 4, 255], vec![0]),
            UnitKind::WormRouter => (vec![0], (0..p.ports as u32).chain([p.ports as u32, 255]).collect()),
            _ => (vec![0], vec![0]),
        };
        Reader {
            we: l.input("cfg_we"),
            re: l.input("cfg_re"),
            addr: l.input("cfg_addr"),
            unit: find("cfg_unit").map(|s| s.offset),
            port: find("cfg_port").map(|s| s.offset),
            units,
            ports,
            more: if unit == UnitKind::WormRouter {
                OF_LANES.into_iter().flatten().collect()
            } else {
                Vec::new()
            },
            rng: SmallRng::seed_from_u64(seed ^ 0x51c1_77aa_09e3_d204),
            every: 0,
            left: 0,
            first: true,
            written: None,
            due: VecDeque::new(),
        }
    }

    /// Reads everything, one a cycle, from the next cycle without a write on.
    pub fn read_all(&mut self) {
        for &unit in &self.units {
            for &port in &self.ports {
                let numbers = NUMBERS.into_iter().flatten().chain(self.more.iter().copied());
                self.due.extend(numbers.map(|n| (unit, port, n)));
            }
        }
    }

    /// Something is to be read yet.
    pub fn busy(&self) -> bool {
        !self.due.is_empty()
    }

    /// Adds the read of this cycle, if there is one; its writes are in `input` already.
    pub fn drive(&mut self, input: &mut [u32]) {
        if self.left == 0 {
            self.left = PHASE;
            self.every = [0, 200, 20, 2][self.rng.random_range(0..4)];
        }
        self.left -= 1;
        let place = |input: &[u32], at: Option<usize>| at.map_or(0, |at| input[at]);
        if input[self.we] & 1 != 0 {
            let read = self.rng.random_ratio(1, if self.busy() { 2 } else { 4 });
            input[self.re] = u32::from(read);
            self.written = Some((place(input, self.unit), place(input, self.port), input[self.addr]));
            return;
        }
        let first = std::mem::take(&mut self.first) && self.rng.random();
        let written = self.written.take().filter(|_| self.rng.random_ratio(1, 4));
        let by_chance = first || self.every > 0 && self.rng.random_ratio(1, self.every);
        let (unit, port, number) = match written.or_else(|| self.due.pop_front()) {
            Some(place) => place,
            None if by_chance => self.any(),
            None => return,
        };
        input[self.re] = 1;
        input[self.addr] = number;
        for (at, value) in [(self.unit, unit), (self.port, port)] {
            if let Some(at) = at {
                input[at] = value;
            }
        }
    }

    /// Any place, mostly one that is listed.
    fn any(&mut self) -> Place {
        let rng = &mut self.rng;
        let number = match rng.random_range(0..8) {
            0 => rng.random_range(0..256),
            1..=3 => rng.random_range(128..135),
            4 => 10,
            5..=6 if !self.more.is_empty() => self.more[rng.random_range(0..self.more.len())],
            _ => rng.random_range(0..15),
        };
        let mut pick = |from: &[u32]| match rng.random_range(0..32) {
            0 => rng.random_range(0..256),
            _ => from[rng.random_range(0..from.len())],
        };
        (pick(&self.units), pick(&self.ports), number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::builds;

    #[test]
    fn everything_is_read_once_and_writes_are_left_alone() {
        for b in builds().into_iter().filter(|b| b.name == "tiny") {
            let l = Layout::new(b.unit, &b.params);
            let mut reader = Reader::new(b.unit, &b.params, 1);
            reader.read_all();
            let wanted = reader.due.clone();
            let mut seen = VecDeque::new();
            while reader.busy() {
                let mut input = l.idle();
                reader.drive(&mut input);
                assert_eq!(input[reader.re], 1);
                let at = |at: Option<usize>| at.map_or(0, |at| input[at]);
                seen.push_back((at(reader.unit), at(reader.port), input[reader.addr]));
            }
            assert_eq!(seen, wanted);
            let (mut reads, mut again) = (0, 0);
            for t in 0..40_000 {
                let mut input = l.idle();
                if t % 4 == 0 {
                    input[reader.we] = 1;
                    input[reader.addr] = 7;
                }
                reader.drive(&mut input);
                if t % 4 == 0 {
                    assert_eq!(input[reader.addr], 7);
                    again += input[reader.re];
                }
                reads += input[reader.re];
            }
            assert!((2_000..3_000).contains(&again) && reads > again + 2_000, "{reads} {again}");
        }
    }
}
