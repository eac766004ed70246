//! What the inputs say of markable packets and of ages. It is drawn from a generator of its own, so that all else is as without it.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::model::header::Marks;
use crate::params::Params;
use crate::stimulus::chance::{Chance, hit};

/// Where the words stand.
pub(super) struct Places {
    pub enter: usize,
    pub full_evt: usize,
}

/// Markable packets that enter, fills, marks that inputs ask for, and ages.
#[derive(Clone, Debug)]
pub(super) struct Marking {
    pub rng: SmallRng,
    markers: bool,
    /// The greatest age; 0: there are none.
    oldest: u32,
    /// Packets enter and buffers fill at random, whatever comes: counts at their ends.
    pub wild: bool,
    /// Chances of an input and VL, per cycle: its buffer fills; with `wild`, a packet enters.
    pub fill: Chance,
    pub enter: Chance,
    /// Chance that a packet's input asks for a mark.
    pub ask: Chance,
    /// Share of packets that are markable, if it is given.
    pub markable: Option<Chance>,
    /// Marks that packets have.
    pub mb: Chance,
    pub vb: Chance,
    /// Inputs and VLs for which a markable packet came in this cycle.
    came: Vec<(usize, usize)>,
    /// What a script says in the next cycle: inputs and VLs.
    pub enters: Vec<(usize, usize)>,
    pub fills: Vec<(usize, usize)>,
    /// Scripts: the next packet is asked for; requests have the ages that the script says.
    pub ask_next: bool,
    ages_by_script: bool,
    /// Per VL: packets that came and went without crossing; as many others enter without saying so.
    ghosts: Vec<u32>,
    pub ages: Vec<u32>,
}

impl Marking {
    pub(super) fn new(p: &Params, seed: u64) -> Marking {
        let mut rng = SmallRng::seed_from_u64(seed ^ 0x3c_6e_f3_72_fe_94_f8_2b);
        Marking {
            wild: rng.random_ratio(1, 4),
            rng,
            markers: p.markers,
            oldest: if p.stamp_w > 0 { 1 << (p.stamp_w - 1) } else { 0 },
            fill: 0,
            enter: 0,
            ask: 0,
            markable: None,
            mb: 0,
            vb: 0,
            came: Vec::with_capacity(p.ports * p.vls),
            enters: Vec::new(),
            fills: Vec::new(),
            ask_next: false,
            ages_by_script: false,
            ghosts: vec![0; p.vls],
            ages: vec![0; p.ports * p.vls],
        }
    }

    /// A script says what happens.
    pub(super) fn by_script(&mut self) {
        (self.wild, self.ages_by_script) = (false, true);
    }

    /// The age of request `r`, by a script.
    pub(super) fn set_age(&mut self, r: usize, age: u32) {
        self.ages[r] = age.min(self.oldest);
    }

    /// A packet came to input `i`, and will be counted on this VL.
    pub(super) fn came(&mut self, i: usize, counted: Option<usize>) {
        let Some(v) = counted.filter(|_| self.markers) else { return };
        if self.ghosts[v] > 0 {
            self.ghosts[v] -= 1;
        } else {
            self.came.push((i, v));
        }
    }

    /// It is gone again.
    pub(super) fn vanished(&mut self, counted: Option<usize>) {
        if let Some(v) = counted {
            self.ghosts[v] += 1;
        }
    }

    /// Marks that a packet has from elsewhere.
    pub(super) fn draw_marks(&mut self) -> Marks {
        if !self.markers {
            return Marks::NONE;
        }
        let mb = hit(&mut self.rng, self.mb);
        Marks::MB.when(mb) | Marks::VB.when(mb && hit(&mut self.rng, self.vb))
    }

    /// Whether a packet is to be markable, if that is set.
    pub(super) fn draw_markable(&mut self) -> Option<bool> {
        self.markable.map(|share| hit(&mut self.rng, share))
    }

    /// The input wants its packet marked, which is markable or (never from a real input) not.
    pub(super) fn asks(&mut self, markable: bool) -> bool {
        if !self.markers || !markable && !self.wild {
            return false;
        }
        std::mem::take(&mut self.ask_next) || hit(&mut self.rng, self.ask)
    }

    /// The age of request `r` in this cycle; `there`: its packet waits.
    pub(super) fn age(&mut self, r: usize, there: bool) -> u32 {
        if self.oldest == 0 {
            return 0;
        }
        let age = &mut self.ages[r];
        *age = match (there, *age) {
            _ if self.ages_by_script => *age,
            (false, _) => 0,
            // It has waited behind others.
            (true, 0) => {
                let most = [2, 8, 40][self.rng.random_range(0..3)];
                self.rng.random_range(1..=most)
            }
            (true, age) => (age + 1).min(self.oldest),
        };
        *age
    }

    /// Writes what the inputs say in this cycle.
    pub(super) fn publish(&mut self, at: &Places, vls: usize, input: &mut [u32]) {
        if !self.markers {
            return;
        }
        let came = std::mem::take(&mut self.came);
        let enters = std::mem::take(&mut self.enters);
        for (i, v) in came.iter().filter(|_| !self.wild).chain(&enters) {
            input[at.enter + i * vls + v] = 1;
        }
        for (i, v) in std::mem::take(&mut self.fills) {
            input[at.full_evt + i * vls + v] = 1;
        }
        for r in 0..self.ages.len() {
            input[at.full_evt + r] |= u32::from(hit(&mut self.rng, self.fill));
            input[at.enter + r] |= u32::from(self.wild && hit(&mut self.rng, self.enter));
        }
        self.came = came;
        self.came.clear();
    }
}
