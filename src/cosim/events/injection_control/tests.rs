//! The scoreboard on made-up traces.

use super::{Control, settings};
use crate::cosim::events::pins::{Driven, Pins};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;

/// Three ports; lanes 0 and 1 carry data, 1 is best-effort.
fn params() -> Params {
    Build::named(UnitKind::InjectionControl, Some("two")).unwrap().params
}

const BE: usize = 1;
const VLS: usize = 4;
const DLID: u32 = 5;
const ALO: u32 = 1;
const TUNED: u32 = 2;

struct Trace {
    pins: Pins,
    judge: Control,
    /// Outputs whose best-effort lanes are owned, those of which the other lanes are; lanes of the link that are free.
    owned: u32,
    others: u32,
    link: bool,
    /// A header is in front; headers are held.
    front: bool,
    holds: u32,
    /// Full lanes of adapter and router.
    full: [usize; 2],
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        for p in 0..3 {
            let (owned, others) = (self.owned >> p & 1, self.others >> p & 1);
            (0..VLS).for_each(|v| {
                self.set("owned", p * VLS + v, if v == BE { owned } else { others });
            });
        }
        let (link, front, holds, full) = (self.link, self.front, self.holds, self.full);
        self.set("link_free", BE, link.into()).set("be_front", BE, front.into()).set("be_dlid", BE, DLID);
        (0..full[0]).for_each(|v| {
            self.set("own_full", v, 1);
        });
        (0..full[1]).for_each(|v| {
            self.set("full", v, 1);
        });
        (0..VLS).for_each(|v| {
            self.show("be_hold", v, holds >> v & 1);
        });
        self.show("ready", 0, 1);
        let result = self.pins.judged(&mut self.judge);
        self.pins.rest();
        result
    }
}

impl Trace {
    /// Output 0 is useful, and channel 1 is looked at.
    fn new(scheme: u32) -> Trace {
        let p = params();
        let values = [("receive", 2), ("hold", 4), ("give", 4)];
        let judge = Control::new(&p, &Settings::but(settings(&p), &values));
        let pins = Pins::new(UnitKind::InjectionControl, &p);
        let (front, link) = (false, true);
        let mut t = Trace { pins, judge, owned: 0, others: 7, link, front, holds: 0, full: [0; 2] };
        for (name, value) in
            [("CHANNELS", 2), ("GATHER", 4), ("T", 10), ("UP", 3), ("DOWN", 4), ("CTRL", 4 | scheme)]
        {
            t.write(name, value);
        }
        t.set("use_we", 0, 1).set("use_addr", 0, DLID).set("use_mask", 0, 1).cycle().unwrap();
        t.cycles(20).unwrap();
        t
    }

    fn write(&mut self, name: &str, value: u32) {
        let number = addr(UnitKind::InjectionControl, name).into();
        self.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, value).cycle().unwrap();
        self.cycles(8).unwrap();
    }

    fn sum(&mut self, full: u32, flits: u32) -> Result<(), Broken> {
        self.set("sum_valid", 0, 1).set("sum_full", 0, full).set("sum_flits", 0, flits).cycle()
    }

    /// A header comes, and is held or not.
    fn header(&mut self, holds: bool, cycles: u32) -> Result<(), Broken> {
        (self.front, self.holds) = (true, u32::from(holds) << BE);
        self.cycles(cycles)
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

#[test]
fn only_best_effort_is_held_and_only_by_a_scheme() {
    for (scheme, lane, found) in
        [(ALO, 0, "class"), (ALO, 2, "class"), (ALO, 3, "class"), (0, BE, "scheme"), (3, BE, "scheme")]
    {
        let mut t = Trace::new(scheme);
        t.holds = 1 << lane;
        assert_eq!(kind(t.cycle()), found);
    }
    // A lane that was best-effort until now.
    let mut t = Trace::new(ALO);
    t.holds = 1 << BE;
    let number = addr(UnitKind::InjectionControl, "BE_MASK").into();
    t.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, 1).cycle().unwrap();
    t.cycles(2).unwrap();
    assert_eq!(kind(t.cycles(4)), "class");
}

#[test]
fn at_least_one_holds_what_has_no_free_lane_and_lets_go_what_has() {
    let run = |owned: u32, link: bool, holds: bool| {
        let mut t = Trace::new(ALO);
        (t.owned, t.link) = (owned, link);
        t.cycles(10).unwrap();
        t.header(holds, 40)
    };
    // The useful output is free, and the channel is not; so are both, and so is the channel alone.
    for (owned, link, lets) in [
        (0b110, true, true),
        (0b011, true, false),
        (0b111, true, false),
        (0b001, true, true),
        (0b110, false, false),
        (0b100, false, true),
    ] {
        assert_eq!(run(owned, link, !lets), Ok(()), "{owned} {link}");
        let found = if lets { "refused" } else { "passed" };
        assert_eq!(kind(run(owned, link, lets)), found, "{owned} {link}");
    }
    // The first one is held from when it comes; what comes behind another may go by that one's permission for a while.
    let mut t = Trace::new(ALO);
    t.owned = 0b111;
    t.cycles(10).unwrap();
    assert_eq!(kind(t.header(false, 2)), "passed");
    let mut t = Trace::new(ALO);
    t.owned = 0b111;
    t.cycles(10).unwrap();
    t.header(true, 20).unwrap();
    t.front = false;
    t.cycles(3).unwrap();
    t.header(false, 4).unwrap();
    assert_eq!(kind(t.cycles(2)), "passed");
    // (What is not sure is not judged: a lane that was free a moment ago, a table that was written.)
    let mut t = Trace::new(ALO);
    t.owned = 0b110;
    t.header(false, 40).unwrap();
    t.owned = 0b111;
    t.cycles(4).unwrap();
    assert_eq!((kind(t.cycles(4)), t.count("let") > 10), ("passed", true));
    let mut t = Trace::new(ALO);
    t.owned = 0b110;
    t.header(false, 40).unwrap();
    t.set("use_we", 0, 1).set("use_addr", 0, DLID).set("use_mask", 0, 4).cycle().unwrap();
    t.cycles(3).unwrap();
    assert_eq!(kind(t.cycles(4)), "passed");
}

#[test]
fn nothing_is_held_for_longer_than_hold_max() {
    let run = |holds: bool| {
        let mut t = Trace::new(ALO);
        t.write("HOLD_MAX", 30);
        t.owned = 7;
        t.cycles(10).unwrap();
        t.header(true, 26).unwrap();
        t.header(holds, 40)
    };
    assert_eq!((run(false), kind(run(true))), (Ok(()), "overdue"));
    // The next header has its own time.
    let mut t = Trace::new(ALO);
    t.write("HOLD_MAX", 30);
    t.owned = 7;
    t.cycles(10).unwrap();
    for _ in 0..3 {
        t.header(true, 30).unwrap();
        t.set("tx_valid", 0, 1).set("tx_first", 0, 1).set("tx_vl", 0, BE as u32).cycle().unwrap();
    }
    // It may be seen some cycles late that it begins anew.
    t.header(true, 30).unwrap();
    t.holds = 0;
    t.set("tx_valid", 0, 1).set("tx_first", 0, 1).set("tx_vl", 0, BE as u32).cycle().unwrap();
    t.cycles(4).unwrap();
    assert_eq!(kind(t.cycle()), "passed");
}

#[test]
fn counts_are_given_once_for_each_gathering() {
    let asked = || {
        let mut t = Trace::new(TUNED);
        t.full = [3, 2];
        (0..4).for_each(|_| t.set("dlv_valid", 0, 1).cycle().unwrap());
        t.set("gather", 0, 1).set("dlv_valid", 0, 1).cycle().unwrap();
        t.full = [0, 0];
        t
    };
    let give = |t: &mut Trace, full, flits| {
        t.show("give_valid", 0, 1).show("give_full", 0, full).show("give_flits", 0, flits).cycle()
    };
    let mut t = asked();
    give(&mut t, 5, 5).unwrap();
    t.set("gather", 0, 1).cycle().unwrap();
    give(&mut t, 0, 0).unwrap();
    assert_eq!((t.count("given"), kind(give(&mut t, 0, 0))), (2, "give"));
    for (full, flits) in [(4, 5), (3, 5), (5, 4), (5, 0)] {
        assert_eq!(kind(give(&mut asked(), full, flits)), "give");
    }
    assert_eq!(kind(asked().cycles(10)), "give");
    // Without the router's lanes, and without those that are held.
    let mut t = Trace::new(TUNED);
    t.write("CTRL", TUNED);
    (t.full, t.front, t.holds) = ([3, 2], true, 1 << BE);
    t.set("gather", 0, 1).cycle().unwrap();
    (t.full, t.front, t.holds) = ([0, 0], false, 0);
    give(&mut t, 2, 0).unwrap();
}

/// Sums every 16 cycles, and nothing is held.
fn sums(t: &mut Trace, all: &[(u32, u32)]) {
    for (full, flits) in all {
        t.sum(*full, *flits).unwrap();
        t.cycles(15).unwrap();
    }
}

#[test]
fn self_tuned_holds_above_the_threshold_and_not_in_silence() {
    let run = |full: u32, holds: bool, cycles: u32| {
        let mut t = Trace::new(TUNED);
        t.sum(full, 10).unwrap();
        t.cycles(2).unwrap();
        t.header(holds, cycles).map(|()| t.count("silent"))
    };
    assert_eq!((run(10, false, 14), kind(run(10, true, 14))), (Ok(0), "refused"));
    assert_eq!((run(11, true, 14), kind(run(11, false, 14))), (Ok(0), "passed"));
    // (32 cycles after the last one it is silent.)
    assert_eq!((run(11, true, 32), kind(run(11, true, 60))), (Ok(0), "refused"));
    // It rises, and will be above the threshold soon.
    let rises = |holds| {
        let mut t = Trace::new(TUNED);
        sums(&mut t, &[(2, 10), (8, 10)]);
        t.header(holds, 10)
    };
    assert_eq!((rises(true), kind(rises(false))), (Ok(()), "passed"));
}

#[test]
fn the_threshold_is_tuned_by_periods() {
    // (The first sum ends a silence, and is none of a period.)
    let held = |periods: &[(u32, u32)], full: u32, holds: bool| {
        let mut t = Trace::new(TUNED);
        sums(&mut t, &[(0, 0)]);
        for p in periods {
            sums(&mut t, &[*p; 3]);
        }
        // Two alike: it does not rise or fall. (A period of three has begun.)
        sums(&mut t, &[(full, 50)]);
        t.sum(full, 50).unwrap();
        t.cycles(2).unwrap();
        t.header(holds, 12)
    };
    let is = |periods: &[(u32, u32)], threshold: u32| {
        for (full, holds) in [(threshold, false), (threshold + 1, true)] {
            assert_eq!(held(periods, full, holds), Ok(()), "{periods:?} {full}");
            let found = if holds { "passed" } else { "refused" };
            assert_eq!(kind(held(periods, full, !holds)), found, "{periods:?} {full}");
        }
    };
    // It never would have held; it would, and rises by 3.
    is(&[(5, 50)], 10);
    is(&[(12, 50)], 13);
    // Less than three quarters of the flits: it falls by 4.
    is(&[(5, 50), (5, 37)], 6);
    is(&[(5, 50), (5, 38)], 10);
    // Less than half of the best: back to that one's threshold, or its full lanes.
    is(&[(5, 50), (5, 24)], 5);
    // Not below UP.
    is(&[(5, 50), (5, 37), (5, 27)], 3);
}

#[test]
fn a_threshold_that_is_written_beside_a_sum_is_not_known() {
    let run = |wait| {
        let mut t = Trace::new(TUNED);
        sums(&mut t, &[(0, 0)]);
        t.sum(20, 50).unwrap();
        t.cycles(wait).unwrap();
        t.write("T", 100);
        t.sum(20, 50).unwrap();
        t.cycles(6).unwrap();
        t.header(true, 4)
    };
    assert_eq!((run(0), kind(run(4))), (Ok(()), "refused"));
}

#[test]
fn it_becomes_ready_and_only_valid_fields_mean_something() {
    let p = params();
    let mut judge = Control::new(&p, &Settings::new(settings(&p)));
    let mut pins = Pins::new(UnitKind::InjectionControl, &p);
    assert_eq!(kind((0..3000).try_for_each(|_| pins.judged(&mut judge))), "ready");
    let [ready, valid, full] = ["ready", "give_valid", "give_full"].map(|n| pins.output(n));
    for (on, is) in [([1, 0], 0), ([1, 1], 5), ([0, 1], 0)] {
        pins.rest();
        (pins.output[ready], pins.output[valid], pins.output[full]) = (on[0], on[1], 5);
        judge.meaningful(&mut pins.output);
        assert_eq!(pins.output[full], is);
    }
}
