//! Tests by section of `docs/injection-control.md`, properties, random words.

mod alo;
mod hold;
mod lookup;
mod random;
mod registers;
mod side_band;
mod tuning;

use crate::model::bench::Bench;
use crate::params::{Build, Params, UnitKind};

const CTRL: u32 = 0;
const CHANNELS: u32 = 1;
const HOLD_MAX: u32 = 2;
const GATHER: u32 = 3;
const UP: u32 = 4;
const BE_MASK: u32 = 5;
const DOWN: u32 = 6;
const ALL: u32 = 7;
const T: u32 = 9;

// Schemes; the router's lanes are counted.
const NONE: u32 = 4;
const ALO: u32 = 5;
const TUNED: u32 = 6;

fn params(name: &str) -> Params {
    Build::named(UnitKind::InjectionControl, Some(name)).unwrap().params
}

/// A unit with what is around it, which lasts.
struct Control {
    b: Bench,
    p: Params,
    /// DLID of the header in front of each lane.
    front: [Option<u32>; 16],
    /// Output and lane of what is owned.
    owned: Vec<(usize, usize)>,
    /// Lanes of the link that are free.
    link: u32,
}

impl Control {
    /// One that is ready; the link is free.
    fn new(name: &str) -> Control {
        let p = params(name);
        let b = Bench::new(UnitKind::InjectionControl, &p);
        let mut c = Control { b, p, front: [None; 16], owned: Vec::new(), link: 0xffff };
        c.b.idle(p.lft_depth);
        c
    }

    /// With these registers.
    fn with(name: &str, registers: &[(u32, u32)]) -> Control {
        let mut c = Control::new(name);
        registers.iter().for_each(|&(number, data)| c.write(number, data));
        c
    }

    fn cycle(&mut self) {
        for v in 0..self.p.vls {
            if let Some(dlid) = self.front[v] {
                self.b.set("be_front", v, 1).set("be_dlid", v, dlid);
            }
            self.b.set("link_free", v, self.link >> v & 1);
        }
        for &(output, lane) in &self.owned {
            self.b.set("owned", output * self.p.vls + lane, 1);
        }
        self.b.cycle();
    }

    fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.cycle());
    }

    fn write(&mut self, number: u32, data: u32) {
        self.b.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, data);
        self.cycle();
    }

    /// A table write.
    fn route(&mut self, dlid: u32, mask: u32) {
        self.b.set("use_we", 0, 1).set("use_addr", 0, dlid).set("use_mask", 0, mask);
        self.cycle();
    }

    /// A header goes on a lane.
    fn send(&mut self, lane: u32) {
        self.b.set("tx_valid", 0, 1).set("tx_first", 0, 1).set("tx_vl", 0, lane);
        self.cycle();
    }

    /// Sums come.
    fn sum(&mut self, full: u32, flits: u32) {
        self.b.set("sum_valid", 0, 1).set("sum_full", 0, full).set("sum_flits", 0, flits);
        self.cycle();
    }

    fn get(&self, name: &str) -> u32 {
        self.b.get(name, 0)
    }

    /// What a lane's header is held by, in each of some cycles.
    fn holds(&mut self, lane: usize, cycles: usize) -> Vec<u32> {
        let mut all = Vec::new();
        for _ in 0..cycles {
            self.cycle();
            all.push(self.b.get("be_hold", lane));
        }
        all
    }

    /// `st_have`, `st_dlid`, `st_way` of a lane.
    fn known(&self, lane: usize) -> [u32; 3] {
        ["st_have", "st_dlid", "st_way"].map(|n| self.b.get(n, lane))
    }
}

/// While the table is swept nothing is heard.
#[test]
fn it_sweeps_its_table_first() {
    let p = params("two");
    let mut b = Bench::new(UnitKind::InjectionControl, &p);
    for t in 0..p.lft_depth {
        b.set("cfg_we", 0, 1).set("cfg_addr", 0, CTRL).set("cfg_data", 0, ALO);
        b.set("be_front", 1, 1).set("gather", 0, 1).set("sum_valid", 0, 1).set("sum_full", 0, 77);
        b.set("use_we", 0, 1).set("use_addr", 0, 0).set("use_mask", 0, 7).cycle();
        assert!(b.output.iter().all(|&w| w == 0), "cycle {t}");
        let named = b.state.iter().filter(|&&w| w != 0).count();
        assert_eq!((b.get("st_t", 0), b.get("st_k", 0), named), (15, 64, 2));
    }
    b.cycle();
    assert_eq!((b.get("ready", 0), b.get("give_valid", 0), b.get("st_look", 0)), (1, 0, 0));
    b.set("be_front", 1, 1).cycle();
    b.set("be_front", 1, 1).cycle();
    b.set("be_front", 1, 1).cycle();
    assert_eq!((b.get("st_have", 1), b.get("st_way", 1)), (1, 0), "and the table is 0");
}
