//! The router's scoreboard on made-up traces.

use super::turns::{BEST, REAL, Turns};
use super::{Router, settings};
use crate::cosim::events::pins::{Driven, Pins};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::cosim::events::worm::header::{Header, Words};
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;

/// 3 ports; lanes 0 real-time, 1 best-effort, 2 reply, 3 control, of 2 flits.
fn params() -> Params {
    Build::named(UnitKind::WormRouter, Some("tiny")).unwrap().params
}

const LANES: usize = 4;

/// A message of `n` flits; `mark` tells messages apart.
#[derive(Clone, Copy)]
struct Message {
    to: u32,
    n: u32,
    mark: u32,
}

fn message(to: u32, n: u32, mark: u32) -> Message {
    Message { to, n, mark }
}

impl Message {
    fn flit(self, r: u32) -> Words {
        match r {
            0 => Header { dlid: self.to, node: self.mark, ..Header::default() }.words(),
            _ => [self.mark, r, 7, 7],
        }
    }
}

struct Trace {
    pins: Pins,
    judge: Router,
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        self.show("ready", 0, 1);
        let result = self.pins.judged(&mut self.judge);
        self.pins.rest();
        result
    }
}

impl Trace {
    /// Ready for long; DLID 0 goes to output 0, and so on, and those from 3 on nowhere.
    fn ready() -> Trace {
        let p = params();
        let values = [("receive", 2), ("credit", 4), ("early", 2), ("fall", 4), ("flight", 2), ("idle", 8)];
        let values = Settings::but(settings(&p).unwrap(), &[&values[..], &[("turns", 1)]].concat());
        let judge = Router::new(&p, &values);
        let mut t = Trace { pins: Pins::new(UnitKind::WormRouter, &p), judge };
        for o in 0..3 {
            t.set("lft_we", 0, 1).set("lft_addr", 0, o).set("lft_port", 0, o).cycle().unwrap();
        }
        t.cycles(20).unwrap();
        t
    }

    fn write(&mut self, name: &str, value: u32) {
        let number = addr(UnitKind::WormRouter, name).into();
        self.set("cfg_we", 0, 1).set("cfg_port", 0, 255);
        self.set("cfg_addr", 0, number).set("cfg_data", 0, value).cycle().unwrap();
    }

    /// Flit `r` of a message on the link of input `i`, lane `v`.
    fn comes(&mut self, (i, v): (usize, u32), m: Message, r: u32) -> &mut Trace {
        for (w, word) in m.flit(r).into_iter().enumerate() {
            self.set("rx_data", 4 * i + w, word);
        }
        self.set("rx_valid", i, 1).set("rx_vl", i, v);
        self.set("rx_first", i, u32::from(r == 0)).set("rx_last", i, u32::from(r + 1 == m.n))
    }

    /// Flit `r` of a message of this input and lane on the link of output `o`, lane `u`; its credit is given back.
    fn leaves(&mut self, from: (usize, u32), (o, u): (usize, u32), m: Message, r: u32) -> &mut Trace {
        self.keeps((o, u), m, r).show("tx_credit", from.0 * LANES + from.1 as usize, 1)
    }

    /// Its credit is not.
    fn keeps(&mut self, (o, u): (usize, u32), m: Message, r: u32) -> &mut Trace {
        for (w, word) in m.flit(r).into_iter().enumerate() {
            self.show("tx_data", 4 * o + w, word);
        }
        self.show("tx_valid", o, 1).show("tx_vl", o, u);
        self.show("tx_first", o, u32::from(r == 0)).show("tx_last", o, u32::from(r + 1 == m.n))
    }

    /// The next hop gives a credit back.
    fn credit(&mut self, o: usize, u: u32) -> &mut Trace {
        self.set("rx_credit", o * LANES + u as usize, 1)
    }

    /// The first two flits of a message come, and its header leaves; the other one waits.
    fn half(&mut self, from: (usize, u32), to: (usize, u32), m: Message) {
        self.comes(from, m, 0).cycle().unwrap();
        self.comes(from, m, 1).cycle().unwrap();
        self.leaves(from, to, m, 0).credit(to.0, to.1).cycle().unwrap();
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

/// Flits of a message come and go one after the other, after its header, until something is told.
fn passes(t: &mut Trace, from: (usize, u32), to: (usize, u32), m: Message, n: u32) -> Result<(), Broken> {
    t.comes(from, m, 0).cycle()?;
    for r in 1..n {
        t.comes(from, m, r);
        t.leaves(from, to, m, r - 1).credit(to.0, to.1).cycle()?;
    }
    Ok(())
}

#[test]
fn a_message_leaves_once_as_it_came_in_a_lane_of_its_own() {
    let m = message(1, 2, 7);
    let mut t = Trace::ready();
    t.half((0, 0), (1, 0), m);
    t.leaves((0, 0), (1, 0), m, 1).cycle().unwrap();
    t.cycles(20).unwrap();
    assert_eq!((t.count("messages"), t.count("flits"), t.count("loose")), (1, 2, 0));
    assert_eq!(kind(t.leaves((0, 0), (1, 0), m, 0).cycle()), "stranger");
    for (to, shown, found) in [
        ((2, 0), m, "output"),
        ((1, 1), m, "lane"),
        ((1, 0), message(1, 2, 8), "stranger"),
        ((1, 9), m, "lane"),
    ] {
        let mut t = Trace::ready();
        t.comes((0, 0), m, 0).cycle().unwrap();
        assert_eq!(kind(t.leaves((0, 0), to, shown, 0).cycle()), found);
    }
}

#[test]
fn flits_of_a_message_are_what_came() {
    let m = message(1, 3, 7);
    let inside = |show: &dyn Fn(&mut Trace)| {
        let mut t = Trace::ready();
        t.half((0, 0), (1, 0), m);
        show(t.leaves((0, 0), (1, 0), m, 1));
        kind(t.cycle())
    };
    assert_eq!(inside(&|t| _ = t.show("tx_data", 4, 99)), "intact");
    assert_eq!(inside(&|t| _ = t.show("tx_last", 1, 1)), "framing");
    assert_eq!(inside(&|t| _ = t.show("tx_bad", 1, 1)), "framing");
    assert_eq!(inside(&|t| _ = t.show("tx_first", 1, 1)), "framing");
    let mut t = Trace::ready();
    assert_eq!(kind(t.leaves((0, 0), (1, 0), m, 1).cycle()), "framing");
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).cycle().unwrap();
    t.leaves((0, 0), (1, 0), m, 0).cycle().unwrap();
    assert_eq!(kind(t.keeps((1, 0), m, 1).cycle()), "stranger");
}

#[test]
fn messages_of_a_lane_keep_their_order_and_what_has_no_route_is_skipped() {
    let (a, b) = (message(1, 1, 7), message(1, 1, 8));
    let mut t = Trace::ready();
    t.comes((0, 0), a, 0).cycle().unwrap();
    t.comes((0, 0), b, 0).cycle().unwrap();
    assert_eq!(kind(t.leaves((0, 0), (1, 0), b, 0).cycle()), "order");
    let mut t = Trace::ready();
    t.comes((0, 0), message(5, 1, 7), 0).cycle().unwrap();
    t.comes((0, 0), b, 0).show("tx_credit", 0, 1).cycle().unwrap();
    t.leaves((0, 0), (1, 0), b, 0).cycle().unwrap();
    t.cycles(20).unwrap();
    // Its credit is given back, too.
    let mut t = Trace::ready();
    t.comes((0, 0), message(5, 1, 7), 0).cycle().unwrap();
    assert_eq!(kind(t.cycles(20)), "leak");
}

#[test]
fn credits_are_kept_on_both_sides() {
    let m = message(1, 9, 7);
    // Towards the next hop.
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).cycle().unwrap();
    for r in 1..3 {
        t.comes((0, 0), m, r);
        t.leaves((0, 0), (1, 0), m, r - 1).cycle().unwrap();
    }
    assert_eq!(kind(t.leaves((0, 0), (1, 0), m, 2).cycle()), "credit");
    // And the sender's: for nothing, for a flit that stays, and none for one that has left.
    let mut t = Trace::ready();
    assert_eq!(kind(t.show("tx_credit", 0, 1).cycle()), "overdrawn");
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).cycle().unwrap();
    t.show("tx_credit", 0, 1).cycle().unwrap();
    assert_eq!(kind(t.cycles(4)), "overdrawn");
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).cycle().unwrap();
    t.keeps((1, 0), m, 0).cycle().unwrap();
    assert_eq!(kind(t.cycles(6)), "leak");
}

#[test]
fn what_a_fall_cuts_ends_with_a_bad_tail() {
    let m = message(1, 3, 7);
    let fallen = |cycles| {
        let mut t = Trace::ready();
        t.half((0, 0), (1, 0), m);
        for _ in 0..3 {
            t.set("link_up", 0, 0).cycle().unwrap();
        }
        t.cycles(cycles).unwrap();
        t
    };
    // A flit may still be on its way, and not for ever.
    fallen(0).keeps((1, 0), m, 1).cycle().unwrap();
    assert_eq!(kind(fallen(4).keeps((1, 0), m, 1).cycle()), "cut");
    let mut t = fallen(4);
    t.keeps((1, 0), m, 2).show("tx_bad", 1, 1).cycle().unwrap();
    assert_eq!((t.count("cut"), t.count("falls")), (1, 1));
    // It must come.
    assert_eq!(kind(fallen(4).cycles(20)), "stuck");
    // A header that was inside does not leave later, and what comes then does.
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).cycle().unwrap();
    t.set("link_up", 0, 0).cycle().unwrap();
    t.cycles(6).unwrap();
    assert_eq!(kind(t.keeps((1, 0), m, 0).cycle()), "stranger");
    // No credit is due for what fell.
    let mut t = fallen(4);
    assert_eq!(kind(t.show("tx_credit", 0, 1).cycle()), "overdrawn");
}

#[test]
fn what_could_go_goes() {
    let m = message(1, 3, 7);
    let mut t = Trace::ready();
    t.half((0, 0), (1, 0), m);
    t.cycles(8).unwrap();
    assert_eq!(kind(t.cycles(6)), "stuck");
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).cycle().unwrap();
    t.cycles(8).unwrap();
    assert_eq!(kind(t.cycles(6)), "hang");
    // Not to a link that is down.
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).cycle().unwrap();
    (0..40).for_each(|_| t.set("link_up", 1, 0).cycle().unwrap());
    // Nor without credit.
    let n = message(1, 2, 8);
    let mut t = Trace::ready();
    t.comes((0, 0), n, 0).cycle().unwrap();
    t.comes((0, 0), n, 1).leaves((0, 0), (1, 0), n, 0).cycle().unwrap();
    t.comes((0, 0), m, 0).leaves((0, 0), (1, 0), n, 1).cycle().unwrap();
    t.cycles(40).unwrap();
}

#[test]
fn a_lane_may_be_held_since_before_it_was_real_time() {
    let mut t = Trace::ready();
    t.write("BE_MASK", 3);
    t.comes((0, 1), message(1, 2, 7), 0).cycle().unwrap();
    t.write("BE_MASK", 2);
    t.cycles(3).unwrap();
    t.comes((1, 0), message(1, 2, 8), 0).cycle().unwrap();
    // Its header waits while others of its input go: in which lane is not seen.
    passes(&mut t, (0, 2), (2, 2), message(2, 40, 9), 30).unwrap();
    // An input that is idle has no reason to wait.
    assert_eq!(kind(t.cycles(30)), "hang");
}

#[test]
fn a_header_may_wait_in_a_lane_that_it_got_as_best_effort() {
    let p = message(2, 2, 7);
    let mut t = Trace::ready();
    // Lane 0 of the output has no credit.
    t.comes((0, 0), p, 0).cycle().unwrap();
    t.comes((0, 0), p, 1).leaves((0, 0), (2, 0), p, 0).cycle().unwrap();
    t.leaves((0, 0), (2, 0), p, 1).cycle().unwrap();
    t.write("BE_MASK", 3);
    t.comes((1, 1), message(2, 2, 8), 0).cycle().unwrap();
    t.write("BE_MASK", 2);
    // Lane 1 has, and the message may be in lane 0.
    t.cycles(40).unwrap();
    // Not one that came later.
    let mut t = Trace::ready();
    t.comes((1, 1), message(2, 2, 8), 0).cycle().unwrap();
    assert_eq!(kind(t.cycles(40)), "hang");
}

#[test]
fn a_cut_message_has_its_bad_tail_at_once_or_what_came() {
    let m = message(1, 3, 7);
    let mut t = Trace::ready();
    t.half((0, 0), (1, 0), m);
    t.set("link_up", 0, 0).cycle().unwrap();
    // A tail that is not bad was not made.
    assert_eq!(kind(t.keeps((1, 0), m, 2).cycle()), "cut");
}

#[test]
fn lanes_of_a_class_share_by_their_weights() {
    let (a, b) = (message(2, 40, 7), message(2, 40, 8));
    let outputs = |weight: u32| {
        let mut t = Trace::ready();
        t.write("BE_MASK", 0);
        t.write("WEIGHT_OUT1", weight);
        t.half((0, 0), (2, 0), a);
        t.cycles(5).unwrap();
        passes(&mut t, (1, 1), (2, 1), b, 12)
    };
    assert_eq!(kind(outputs(1)), "share");
    outputs(20).unwrap();
    // Of an input, to outputs of their own.
    let c = message(1, 40, 8);
    let inputs = |weight: u32| {
        let mut t = Trace::ready();
        t.write("BE_MASK", 0);
        t.write("WEIGHT_IN1", weight);
        t.half((0, 0), (2, 0), a);
        t.cycles(5).unwrap();
        passes(&mut t, (0, 1), (1, 1), c, 12)
    };
    assert_eq!(kind(inputs(1)), "share");
    inputs(20).unwrap();
}

#[test]
fn what_is_left_of_a_weight_is_no_other_turn() {
    let (a, b) = (message(2, 40, 7), message(2, 60, 8));
    let run = |later: u32| {
        let mut t = Trace::ready();
        t.write("BE_MASK", 0);
        t.write("WEIGHT_OUT1", 20);
        t.write("WEIGHT_OUT1", 1);
        t.half((0, 0), (2, 0), a);
        t.comes((0, 0), a, 2).cycle().unwrap();
        t.cycles(5).unwrap();
        passes(&mut t, (1, 1), (2, 1), b, 16).unwrap();
        t.leaves((0, 0), (2, 0), a, 1).credit(2, 0).cycle().unwrap();
        let mut last = Ok(());
        for r in 16..16 + later {
            last = last.and_then(|()| {
                t.comes((1, 1), b, r);
                t.leaves((1, 1), (2, 1), b, r - 1).credit(2, 1).cycle()
            });
        }
        last
    };
    // 15 of 20 that may be left, and 5 of them, 2 turns of 1 each, and one of tolerance.
    run(8).unwrap();
    assert_eq!(kind(run(9)), "share");
}

#[test]
fn an_input_is_judged_where_nothing_else_may_have_flits_for_the_output() {
    let (a, b, c) = (message(2, 40, 7), message(1, 40, 8), message(2, 40, 9));
    // What else comes for the output of the lane that waits; and whether flits of it leave.
    let run = |comes: &[(usize, u32)], leaves: bool| {
        let mut t = Trace::ready();
        t.write("BE_MASK", 0);
        t.half((0, 0), (2, 0), a);
        t.cycles(6).unwrap();
        comes.iter().for_each(|from| _ = t.comes(*from, c, 0));
        t.cycle().unwrap();
        t.comes((0, 1), b, 0).cycle()?;
        for r in 1..7 {
            if leaves {
                t.keeps((2, 3), c, r - 1).credit(2, 3);
            }
            t.comes((0, 1), b, r);
            t.leaves((0, 1), (1, 1), b, r - 1).credit(1, 1).cycle()?;
        }
        Ok(())
    };
    assert_eq!(kind(run(&[], false)), "share");
    // Of another input, or its own: an output may have chosen that one.
    run(&[(1, 3)], false).unwrap();
    run(&[(0, 3)], false).unwrap();
    // Of inputs that are not known: the headers are alike.
    run(&[(1, 3), (2, 3)], true).unwrap();
    // For another lane that is owned no header comes in the way.
    assert_eq!(kind(run(&[(1, 0)], false)), "share");
}

#[test]
fn beside_flits_of_whom_is_not_known_nobody_has_lost_his_turn() {
    let run = |forgets: bool| {
        let mut turns = Turns::new(3, 0);
        for r in 0..4 {
            turns.can(0, Some(BEST));
            turns.goes(1, REAL, Some(3))?;
            if forgets && r == 1 {
                turns.forget();
            }
        }
        Ok(())
    };
    run(true).unwrap();
    assert_eq!(kind(run(false)), "guard");
}

#[test]
fn classes_go_one_before_the_other_and_best_effort_has_its_guard() {
    // Whose flit waits, whose go past it, and LHP.
    let run = |waits: u32, goes: u32, lhp: u32| {
        let mut t = Trace::ready();
        t.write("LHP", lhp);
        t.half((0, waits), (2, waits), message(2, 40, 7));
        t.cycles(5).unwrap();
        passes(&mut t, (1, goes), (2, goes), message(2, 40, 8), 12)
    };
    let (real, best, reply, control) = (0, 1, 2, 3);
    for (waits, goes) in [(reply, real), (control, best), (reply, control), (real, best)] {
        assert_eq!(kind(run(waits, goes, 64)), "priority", "{goes} before {waits}");
    }
    assert_eq!(kind(run(best, real, 3)), "guard");
    run(best, real, 64).unwrap();
    run(best, real, 0).unwrap();
    run(real, control, 1).unwrap();
}

#[test]
fn what_is_not_known_is_not_judged() {
    // A flit without credit: it is stored or not. After a fall it is known again.
    let m = message(1, 9, 7);
    let mut t = Trace::ready();
    (0..3).for_each(|r| t.comes((0, 0), m, r).cycle().unwrap());
    t.leaves((0, 0), (1, 0), m, 0).credit(1, 0).cycle().unwrap();
    t.leaves((0, 0), (1, 0), m, 2).credit(1, 0).cycle().unwrap();
    t.leaves((0, 0), (1, 0), m, 8).cycle().unwrap();
    assert_eq!((t.count("loose"), t.count("messages")), (1, 0));
    t.set("link_up", 0, 0).cycle().unwrap();
    t.cycles(6).unwrap();
    assert_eq!(kind(t.leaves((0, 0), (1, 0), m, 0).cycle()), "stranger");
    // Headers that are alike.
    let mut t = Trace::ready();
    t.comes((0, 0), m, 0).comes((1, 0), m, 0).cycle().unwrap();
    t.leaves((0, 0), (1, 0), m, 0).cycle().unwrap();
    t.leaves((0, 0), (1, 0), m, 8).cycle().unwrap();
    assert_eq!(t.count("loose"), 1);
}

#[test]
fn what_is_not_judged_is_refused_by_name() {
    let p = Params { admit: true, ..params() };
    assert_eq!(settings(&p).unwrap_err(), "a worm-router with ADMIT = 1 has no scoreboard of events");
}
