//! Classes of lanes at an output (Q1, Q3, Q7): section 16 of its page.

use crate::fabric::event::packet::Id;
use crate::params::lanes::{PRIORITY, SrpLane};

/// Of an output: whose turn it is in each class, and whom credits are owed to.
#[derive(Clone)]
pub struct Classes {
    /// Lanes of data.
    pub data: usize,
    /// Inputs.
    pub inputs: usize,
    pub ptr: [u16; PRIORITY.len()],
    /// Per lane of data, and of what is speculative.
    pub owed: Vec<Option<u8>>,
}

/// A valid request.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    pub input: usize,
    /// VL of its queue, and the lane whose credits it needs.
    pub vl: usize,
    pub lane: usize,
    pub class: SrpLane,
    pub place: usize,
    pub flits: u64,
    pub packet: Id,
    /// There is credit for it; for an MTU.
    pub credit: bool,
}

impl Classes {
    pub fn new(data: usize, inputs: usize) -> Classes {
        Classes { data, inputs, ptr: [0; PRIORITY.len()], owed: vec![None; data + 1] }
    }

    pub fn ring(&self, class: SrpLane) -> usize {
        match class {
            SrpLane::Data => self.inputs * self.data,
            SrpLane::Spec | SrpLane::Res => self.inputs,
            SrpLane::Reply => 2 * self.inputs,
        }
    }

    /// Its class, and its place there.
    pub fn place(&self, input: usize, lane: usize, nack: bool) -> (SrpLane, usize) {
        let class = SrpLane::of(lane, self.data + SrpLane::OTHERS);
        let place = match class {
            SrpLane::Data => input * self.data + lane,
            SrpLane::Spec | SrpLane::Res => input,
            SrpLane::Reply => 2 * input + usize::from(nack),
        };
        (class, place)
    }

    /// How far a request is from the pointer of its class.
    pub fn turn(&self, a: &Asker) -> usize {
        let (ring, ptr) = (self.ring(a.class), usize::from(self.ptr[a.class as usize]));
        if a.place >= ptr { a.place - ptr } else { a.place + ring - ptr }
    }

    pub fn fits(&self, a: &Asker) -> bool {
        a.credit && (a.lane > self.data || self.owed[a.lane].is_none_or(|i| usize::from(i) == a.input))
    }

    /// The request that is granted.
    pub fn winner(&self, all: &[Asker]) -> Option<Asker> {
        let of = |class| {
            let fit = all.iter().filter(|a| a.class == class && self.fits(a));
            fit.min_by_key(|a| self.turn(a)).copied()
        };
        PRIORITY.into_iter().find_map(of)
    }

    /// Whom credits are owed to after this cycle. Whether somebody's claim has ended.
    pub fn follow_owed(&mut self, all: &[Asker], granted: Option<&Asker>) -> bool {
        let mut ended = false;
        for v in 0..=self.data {
            let of_lane = || all.iter().filter(move |a| a.lane == v);
            if let Some(i) = self.owed[v] {
                let served = granted.is_some_and(|g| g.lane == v && g.input == usize::from(i));
                if served || !of_lane().any(|a| a.input == usize::from(i)) {
                    self.owed[v] = None;
                    ended = true;
                }
                continue;
            }
            let Some(g) = granted.filter(|g| (g.class == SrpLane::Spec) == (v == self.data)) else {
                continue;
            };
            if !matches!(g.class, SrpLane::Data | SrpLane::Spec) {
                continue;
            }
            let passed = of_lane().filter(|a| !a.credit && self.turn(a) < self.turn(g));
            self.owed[v] = passed.min_by_key(|a| self.turn(a)).map(|a| a.input as u8);
        }
        ended
    }

    pub fn move_pointer(&mut self, a: &Asker) {
        self.ptr[a.class as usize] = ((a.place + 1) % self.ring(a.class)) as u16;
    }
}
