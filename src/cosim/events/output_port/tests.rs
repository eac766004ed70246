//! The output port's scoreboard on made-up traces.

use super::{Port, settings};
use crate::cosim::events::pins::{Driven, Pins};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;

fn params() -> Params {
    Build::named(UnitKind::OutputPort, Some("tiny")).unwrap().params
}

const VLS: usize = 2;
const ALLOC: u32 = 0;
const DEALLOC: u32 = 1;
const STOP: u32 = 2;
const GO: u32 = 3;
/// The place of FECN, in word 3.
const FECN: u32 = 1 << 7;

/// A packet; `mark` tells packets apart.
#[derive(Clone, Copy)]
struct Packet {
    vl: u32,
    n: u32,
    mark: u32,
    cnp: bool,
}

fn packet(n: u32, mark: u32) -> Packet {
    Packet { vl: 0, n, mark, cnp: false }
}

impl Packet {
    /// To DLID 1.
    fn flit(self, r: u32) -> [u32; 8] {
        if r > 0 {
            return [self.mark, r, 2, 3, 4, 5, 6, 7];
        }
        let words = 16 * self.n;
        let opcode = if self.cnp { 0x80 } else { 4 };
        [1 << 24 | 2 << 8 | self.vl << 4, (words & 0xff) << 8 | words >> 8, opcode, 0, self.mark, 5, 6, 7]
    }
}

/// Inputs and outputs by name, a cycle at a time; what was sent is told in every cycle, and rd_en given.
struct Trace {
    pins: Pins,
    judge: Port,
    now: u32,
    sent: [u32; VLS],
    /// Limits that are given, over and over.
    limit: [u32; VLS],
    up: bool,
    /// An input has a congested queue of VL 0, and VL 0 is congested.
    cong: u32,
    congested: u32,
    /// What is told too much of flits sent.
    off: u32,
    silent: bool,
    slow: bool,
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        let v = (self.now % 2) as usize;
        self.now += 1;
        let (up, slow, congested) = (u32::from(self.up), u32::from(self.slow), self.congested);
        let sent = self.sent[v] + self.off;
        let cong = self.cong;
        self.set("link_up", 0, up).set("cong", 0, cong).show("rd_en", 0, 1 - slow).show(
            "cong_state",
            0,
            congested,
        );
        if !self.silent {
            self.show("fctbs_valid", 0, 1).show("fctbs_vl", 0, v as u32).show("fctbs", 0, sent);
        }
        if self.up && self.limit[v] > 0 {
            let limit = self.limit[v];
            self.set("fccl_valid", 0, 1).set("fccl_vl", 0, v as u32).set("fccl", 0, limit);
        }
        let (valid, data) = (self.pins.output("tx_valid"), self.pins.output("tx_data"));
        let (leaves, first) = (self.pins.output[valid], self.pins.output[data]);
        let is_first = self.pins.output[self.pins.output("tx_first")] == 1;
        let result = self.pins.judged(&mut self.judge);
        if !self.up {
            self.sent = [0; VLS];
        } else if leaves == 1 && (is_first || result.is_ok()) {
            // (All packets of several flits are of VL 0.)
            self.sent[if is_first { (first >> 4 & 1) as usize } else { 0 }] += 1;
        }
        self.pins.rest();
        result
    }
}

impl Trace {
    fn with(more: &[(&str, i64)]) -> Trace {
        let p = params();
        let own = [("grant", 2), ("stop", 4), ("message", 4), ("fall", 1), ("read", 16), ("state", 3)];
        let rest = [("marks", 0), ("offer", 20), ("round", 3), ("turns", 8), ("passed", 1)];
        let values = Settings::but(settings(&p).unwrap(), &[&own[..], &rest, more].concat());
        let (pins, judge) = (Pins::new(UnitKind::OutputPort, &p), Port::new(&p, &values));
        let mut t = Trace {
            pins,
            judge,
            now: 0,
            sent: [0; VLS],
            limit: [1000; VLS],
            up: true,
            cong: 0,
            congested: 0,
            off: 0,
            silent: false,
            slow: false,
        };
        t.cycles(10).unwrap();
        t
    }

    fn ready() -> Trace {
        Trace::with(&[])
    }

    fn write(&mut self, name: &str, value: u32) -> &mut Trace {
        let number = addr(UnitKind::OutputPort, name).into();
        self.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, value)
    }

    /// Input `i` asks with data to DLID 1, or a CNP.
    fn asks(&mut self, i: usize, vl: usize, n: u32, cnp: bool) -> &mut Trace {
        let r = i * VLS + vl;
        self.set("req_valid", r, 1).set("req_len", r, n).set("req_dlid", r, 1).set("req_cnp", r, cnp.into())
    }

    fn grant(&mut self, i: usize, vl: usize) -> &mut Trace {
        self.show("grant", i * VLS + vl, 1)
    }

    /// Input `i` asks and is granted.
    fn granted(&mut self, i: usize, n: u32) -> &mut Trace {
        self.asks(i, 0, n, false).grant(i, 0)
    }

    fn crosses(&mut self, p: Packet, r: u32) -> &mut Trace {
        for (w, word) in p.flit(r).into_iter().enumerate() {
            self.set("sw_data", w, word);
        }
        self.set("sw_valid", 0, 1).set("sw_first", 0, u32::from(r == 0)).set(
            "sw_last",
            0,
            u32::from(r + 1 == p.n),
        )
    }

    fn leaves(&mut self, p: Packet, r: u32) -> &mut Trace {
        for (w, word) in p.flit(r).into_iter().enumerate() {
            self.show("tx_data", w, word);
        }
        self.show("tx_valid", 0, 1).show("tx_first", 0, u32::from(r == 0)).show(
            "tx_last",
            0,
            u32::from(r + 1 == p.n),
        )
    }

    /// A packet is granted, and crosses; its flits leave a cycle later, the first one with the mark `change`d.
    fn go(&mut self, p: Packet, change: u32) -> Result<(), Broken> {
        self.asks(0, p.vl as usize, p.n, p.cnp).grant(0, p.vl as usize).cycle()?;
        for r in 0..=p.n {
            if r < p.n {
                self.crosses(p, r);
            }
            if r > 0 {
                self.leaves(p, r - 1);
                if r == 1 {
                    let at = self.pins.output("tx_data") + 3;
                    self.pins.output[at] ^= change;
                }
            }
            self.cycle()?;
        }
        Ok(())
    }

    /// A message about line 1, VL 0, root 5, 2 hops, with DLID 1.
    fn tell(&mut self, kind: u32, stop: bool) -> &mut Trace {
        self.set("msg_valid", 0, 1).set("msg_type", 0, kind).set("msg_line", 0, 1);
        if kind == ALLOC {
            self.set("msg_root", 0, 5).set("msg_hops", 0, 2).set("msg_stop", 0, stop.into());
            self.set("msg_dcnt", 0, 1).set("msg_dlist", 0, 1);
        }
        self
    }

    fn line(&mut self, valid: bool, stop: bool) -> &mut Trace {
        self.show("ol_valid", 0, u32::from(valid) << 1).show("ol_stop", 0, u32::from(stop) << 1)
    }

    /// With isolation on and line 1 there, stopped or not.
    fn lined(stop: bool) -> Trace {
        let mut t = Trace::ready();
        t.write("CTRL", 2).cycle().unwrap();
        t.cycles(5).unwrap();
        t.tell(ALLOC, stop).cycle().unwrap();
        (0..10).for_each(|_| t.line(true, stop).cycle().unwrap());
        t
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

#[test]
fn what_crosses_leaves_as_it_is() {
    let p = packet(3, 7);
    let mut t = Trace::ready();
    t.go(p, 0).unwrap();
    t.go(packet(1, 8), 0).unwrap();
    assert_eq!((t.count("grants"), t.count("left")), (2, 4));
    assert!(t.count("sent") > 10);
    let crossed = |show: &dyn Fn(&mut Trace)| {
        let mut t = Trace::ready();
        t.granted(0, 3).cycle().unwrap();
        t.crosses(p, 0).cycle().unwrap();
        t.crosses(p, 1).cycle().unwrap();
        show(&mut t);
        kind(t.cycle())
    };
    assert_eq!(crossed(&|t| _ = t.leaves(p, 1)), "lost");
    assert_eq!(crossed(&|t| _ = t.leaves(packet(3, 8), 0)), "intact");
    assert_eq!(crossed(&|t| _ = t.leaves(p, 0).show("tx_bad", 0, 1)), "framing");
    let mut t = Trace::ready();
    assert_eq!(kind(t.leaves(p, 0).cycle()), "stranger");
    // It leaves in time.
    let mut t = Trace::ready();
    t.granted(0, 3).cycle().unwrap();
    t.crosses(p, 0).cycle().unwrap();
    t.cycles(16).unwrap();
    assert_eq!(kind(t.cycle()), "stuck");
}

#[test]
fn one_packet_is_granted_that_asks_and_has_credit_and_the_crossbar() {
    let mut t = Trace::ready();
    assert_eq!(kind(t.granted(0, 1).granted(1, 1).cycle()), "grant");
    let mut t = Trace::ready();
    assert_eq!(kind(t.grant(0, 0).cycle()), "grant");
    let mut t = Trace::ready();
    assert_eq!(kind(t.granted(0, 1).set("xb_act", 1, 1).cycle()), "busy");
    let mut t = Trace::ready();
    t.granted(0, 1).set("xb_act", 1, 1).set("xb_end", 1, 1).cycle().unwrap();
    // Of 6 blocks a packet of 4 takes as many, and gives back 2.
    let limited = || {
        let mut t = Trace::ready();
        t.limit = [6, 1000];
        t.cycles(10).unwrap();
        t.granted(0, 4).cycle().unwrap();
        t
    };
    assert_eq!(kind(limited().granted(0, 3).cycle()), "credit");
    limited().granted(0, 2).cycle().unwrap();
    let mut t = limited();
    t.crosses(packet(4, 7), 0).cycle().unwrap();
    t.crosses(packet(4, 7), 1)
        .set("sw_last", 0, 1)
        .set("sw_bad", 0, 1)
        .leaves(packet(4, 7), 0)
        .cycle()
        .unwrap();
    t.leaves(packet(4, 7), 1).show("tx_last", 0, 1).show("tx_bad", 0, 1).cycle().unwrap();
    t.granted(0, 4).cycle().unwrap();
    assert_eq!(kind(t.granted(0, 1).cycle()), "credit");
    // With CNPs as data it is the credit of an MTU at the wrap.
    let mut t = Trace::ready();
    t.limit = [2048 + 4, 1000];
    t.cycles(10).unwrap();
    assert_eq!(kind(t.asks(0, 0, 1, true).grant(0, 0).cycle()), "credit");
    let mut t = Trace::ready();
    t.limit = [2048 + 4, 1000];
    t.write("CTRL", 1 << 7).cycle().unwrap();
    t.cycles(10).unwrap();
    t.asks(0, 0, 1, true).grant(0, 0).cycle().unwrap();
}

#[test]
fn a_stop_holds_data_that_its_line_lists() {
    let mut t = Trace::lined(true);
    assert_eq!(kind(t.line(true, true).granted(0, 1).cycle()), "stop");
    // CNPs go, and others.
    let mut t = Trace::lined(true);
    t.line(true, true).asks(0, 0, 1, true).grant(0, 0).cycle().unwrap();
    t.line(true, true).asks(0, 1, 1, false).grant(0, 1).cycle().unwrap();
    t.line(true, true).granted(0, 1).set("req_dlid", 0, 2).cycle().unwrap();
    // It may not be seen yet.
    let mut t = Trace::lined(false);
    t.line(true, false).tell(STOP, true).cycle().unwrap();
    t.line(true, false).granted(0, 1).cycle().unwrap();
    assert_eq!(t.count("stopped"), 1);
    (0..3).for_each(|_| t.line(true, false).cycle().unwrap());
    assert_eq!(kind(t.line(true, false).cycle()), "line");
}

#[test]
fn lines_are_shown_as_they_are() {
    let mut t = Trace::lined(false);
    assert_eq!(kind(t.line(false, false).cycle()), "line");
    let mut t = Trace::lined(false);
    assert_eq!(kind(t.line(true, true).cycle()), "line");
    let mut t = Trace::ready();
    assert_eq!(kind(t.line(true, false).cycle()), "line");
    let mut t = Trace::lined(true);
    t.line(true, true).tell(GO, false).cycle().unwrap();
    (0..4).for_each(|_| t.line(true, true).cycle().unwrap());
    assert_eq!(kind(t.line(true, true).cycle()), "line");
    let mut t = Trace::lined(false);
    t.line(true, false).tell(DEALLOC, false).cycle().unwrap();
    t.line(true, false).cycle().unwrap();
    t.cycles(10).unwrap();
    // All are gone with the link.
    let mut t = Trace::lined(false);
    t.up = false;
    t.line(true, false).cycle().unwrap();
    t.up = true;
    (0..3).for_each(|_| t.line(true, false).cycle().unwrap());
    assert_eq!(kind(t.line(true, false).cycle()), "line");
}

#[test]
fn inputs_are_told_of_trees_before_they_are_granted() {
    let told = |t: &mut Trace, hops: u32| {
        t.line(true, false).show("prop_valid", 0, 1).show("prop_line", 0, 1).show("prop_root", 0, 5);
        t.show("prop_hops", 0, hops).cycle()
    };
    let mut t = Trace::lined(false);
    t.asks(0, 0, 1, false).set("can_alloc", 0, 1);
    told(&mut t, 3).unwrap();
    assert_eq!(t.count("told"), 1);
    assert_eq!(kind(t.line(true, false).granted(0, 1).set("can_alloc", 0, 1).cycle()), "untold");
    // Where there is no room for it, it goes.
    let mut t = Trace::lined(false);
    t.line(true, false).granted(0, 1).cycle().unwrap();
    t.line(true, false).granted(0, 1).set("can_alloc", 0, 1).set("known", 0, 2).cycle().unwrap();
    t.line(true, false).granted(0, 1).set("can_alloc", 0, 1).set("req_hot", 0, 1).cycle().unwrap();
    let wrong = |hops: u32, set: &dyn Fn(&mut Trace)| {
        let mut t = Trace::lined(false);
        set(&mut t);
        kind(told(&mut t, hops))
    };
    assert_eq!(wrong(2, &|t| _ = t.asks(0, 0, 1, false).set("can_alloc", 0, 1)), "prop");
    assert_eq!(wrong(3, &|_| ()), "prop");
    assert_eq!(wrong(3, &|t| _ = t.asks(0, 0, 1, true).set("can_alloc", 0, 1)), "prop");
    assert_eq!(wrong(3, &|t| _ = t.asks(0, 0, 1, false)), "prop");
    assert_eq!(
        wrong(3, &|t| _ = t.asks(0, 0, 1, false).set("can_alloc", 0, 1).set("req_dlid", 0, 2)),
        "prop"
    );
    // Somebody is told some time, whatever crosses.
    let mut t = Trace::lined(false);
    let mut waits =
        || t.line(true, false).asks(0, 0, 1, false).set("can_alloc", 0, 1).set("xb_act", 1, 1).cycle();
    (0..20).for_each(|_| waits().unwrap());
    assert_eq!(kind(waits()), "untold");
}

#[test]
fn a_request_is_held_by_a_line_that_lists_it_and_turns_come_to_somebody() {
    let held = |t: &mut Trace, line: u32| t.show("held", 0, 1).show("held_line", 0, line).cycle();
    let mut t = Trace::lined(true);
    t.line(true, true).asks(0, 0, 1, false);
    held(&mut t, 1).unwrap();
    assert_eq!(t.count("held"), 1);
    t.line(true, true).asks(0, 0, 1, false);
    assert_eq!(kind(held(&mut t, 0)), "held");
    let mut t = Trace::lined(true);
    t.line(true, true);
    assert_eq!(kind(held(&mut t, 1)), "held");
    let mut t = Trace::lined(false);
    t.line(true, false).asks(0, 0, 1, false);
    assert_eq!(kind(held(&mut t, 1)), "held");
    let mut t = Trace::lined(true);
    let mut wait = |others: u32| {
        t.line(true, true)
            .set("pend", 0, 2)
            .set("pend", 1, 2)
            .show("ol_wait", 0, 2)
            .show("ol_wait", 1, others)
            .cycle()
    };
    (0..10).for_each(|_| wait(0).unwrap());
    (0..4).for_each(|_| wait(2).unwrap());
    assert_eq!(kind(wait(2)), "wait");
}

#[test]
fn who_fits_goes_and_sees_not_too_many_others_go() {
    let mut t = Trace::ready();
    let mut idle = |act: u32| t.asks(0, 0, 1, false).set("xb_act", 1, act).cycle();
    // (While a packet crosses nobody can.)
    (0..30).for_each(|_| idle(1).unwrap());
    (0..20).for_each(|_| idle(0).unwrap());
    assert_eq!(kind(idle(0)), "hang");
    // Without credit for an MTU it need not.
    let mut t = Trace::ready();
    t.limit = [3, 1000];
    t.cycles(5).unwrap();
    (0..30).for_each(|_| t.asks(0, 0, 1, false).cycle().unwrap());
    // Others of its VL; of the other one; and of both with pauses between them.
    let mut t = Trace::ready();
    let mut pass = |vl: usize| t.asks(0, 0, 1, false).asks(1, vl, 1, false).grant(1, vl).cycle();
    (0..3).for_each(|_| pass(0).unwrap());
    assert_eq!(kind(pass(0)), "starved");
    let mut t = Trace::ready();
    let mut pass = |vl: usize| t.asks(0, 0, 1, false).asks(1, vl, 1, false).grant(1, vl).cycle();
    (0..8).for_each(|_| pass(1).unwrap());
    assert_eq!(kind(pass(1)), "starved");
    // One that was granted, or is another one, begins anew.
    let mut t = Trace::ready();
    for round in 0..4 {
        for _ in 0..3 {
            t.asks(0, 0, 1 + round % 2, false).asks(1, 0, 1, false).grant(1, 0).cycle().unwrap();
        }
    }
    assert!(t.count("turns") > 10);
}

#[test]
fn cnps_go_before_data_and_not_for_ever() {
    let mut t = Trace::ready();
    let mut pass = || t.asks(0, 1, 1, true).asks(1, 0, 1, false).grant(1, 0).cycle();
    // (One more than 32 CNPs allow, after one that may not have seen it.)
    (0..2).for_each(|_| pass().unwrap());
    assert_eq!(kind(pass()), "priority");
    // As data they have turns.
    let mut t = Trace::ready();
    t.write("CTRL", 1 << 7).cycle().unwrap();
    t.cycles(5).unwrap();
    (0..4).for_each(|_| t.asks(0, 1, 1, true).asks(1, 0, 1, false).grant(1, 0).cycle().unwrap());
    // Data lack credit, and CNPs take it.
    let mut t = Trace::ready();
    t.limit = [0, 1000];
    let mut pass = |k: u32| {
        t.limit = [k + 2, 1000];
        t.asks(0, 0, 4, false).asks(1, 0, 1, true).cycle()?;
        t.asks(0, 0, 4, false).asks(1, 0, 1, true).grant(1, 0).cycle()
    };
    let told: Vec<&str> = (0..36).filter_map(|k| pass(k).err().map(|b| b.kind)).collect();
    assert_eq!(told.first(), Some(&"starved"));
}

#[test]
fn the_link_has_its_pace_and_is_told_what_was_sent() {
    let mut t = Trace::ready();
    t.off = 1;
    assert_eq!(kind(t.cycle()), "sent");
    let mut t = Trace::ready();
    t.silent = true;
    t.cycles(11).unwrap();
    assert_eq!(kind(t.cycle()), "silent");
    let mut t = Trace::ready();
    t.write("TX_INTERVAL", 2).cycle().unwrap();
    t.cycles(5).unwrap();
    assert_eq!(kind(t.go(packet(2, 7), 0)), "pace");
    let mut t = Trace::ready();
    t.slow = true;
    t.cycles(16).unwrap();
    assert_eq!(kind(t.cycle()), "stuck");
}

#[test]
fn what_crosses_while_the_link_is_down_is_lost_with_the_packets_that_were_granted() {
    let fallen = |r: u32| {
        let mut t = Trace::ready();
        let p = packet(4, 7);
        t.granted(0, 4).cycle().unwrap();
        t.crosses(p, 0).cycle().unwrap();
        t.crosses(p, 1).leaves(p, 0).cycle().unwrap();
        t.up = false;
        t.crosses(p, 2).leaves(p, 1).cycle().unwrap();
        t.cycles(3).unwrap();
        t.up = true;
        t.limit = [100; VLS];
        t.cycles(4).unwrap();
        t.crosses(p, 3).cycle().unwrap();
        if r < 4 {
            t.leaves(p, r);
        }
        (t.cycle(), t)
    };
    // The rest of it does not go.
    assert_eq!(kind(fallen(3).0), "stranger");
    let (fine, mut t) = fallen(4);
    fine.unwrap();
    t.go(packet(3, 8), 0).unwrap();
    assert_eq!((t.count("falls"), t.count("lost")), (1, 2));
    // Credits are those of the new life.
    t.limit = [7; VLS];
    t.cycles(10).unwrap();
    t.granted(0, 4).cycle().unwrap();
    assert_eq!(kind(t.granted(0, 1).cycle()), "credit");
}

#[test]
fn the_congestion_state_is_what_the_inputs_make_it() {
    let run = |ctrl: u32, cong: u32, shown: u32, limit: u32| {
        let mut t = Trace::ready();
        t.write("CTRL", ctrl).cycle().unwrap();
        t.cycles(8).unwrap();
        t.limit = [limit; VLS];
        t.cycles(5).unwrap();
        t.cong = cong;
        t.cycles(4).unwrap();
        t.congested = shown;
        t.cycles(4)
    };
    const ROOT_NOW: u32 = 1 << 13;
    assert_eq!(
        (run(0, 1, 1, 1000), kind(run(0, 1, 0, 1000)), kind(run(0, 0, 1, 1000))),
        (Ok(()), "congested", "congested")
    );
    assert_eq!((run(ROOT_NOW, 1, 1, 1000), run(ROOT_NOW, 1, 0, 3)), (Ok(()), Ok(())));
    assert_eq!(kind(run(ROOT_NOW, 1, 1, 3)), "congested");
    assert_eq!(run(ROOT_NOW | 4, 1, 1, 3), Ok(()));
}

#[test]
fn marks_are_on_packets_that_met_congestion_and_on_all_that_are_due() {
    let congested = |rate: u32| {
        let mut t = Trace::ready();
        t.write("MARKING_RATE", rate).cycle().unwrap();
        t.write("CTRL", 1 | 4).cycle().unwrap();
        (t.cong, t.congested) = (1, 1);
        t.cycles(10).unwrap();
        t
    };
    let go = |t: &mut Trace, change: u32| t.go(packet(2, 7), change);
    let mut t = congested(0);
    go(&mut t, FECN).unwrap();
    assert_eq!(t.count("marks"), 1);
    assert_eq!(kind(go(&mut t, 0)), "mark");
    let mut t = congested(1);
    go(&mut t, FECN).unwrap();
    go(&mut t, 0).unwrap();
    go(&mut t, FECN).unwrap();
    assert_eq!(kind(go(&mut t, FECN)), "mark");
    // Not congested; mark_en is 0; a CNP; and what was marked stays so.
    let mut t = Trace::ready();
    t.write("CTRL", 1).cycle().unwrap();
    t.cycles(10).unwrap();
    assert_eq!(kind(t.go(packet(2, 7), FECN)), "mark");
    let mut t = congested(0);
    t.write("CTRL", 4).cycle().unwrap();
    t.cycles(10).unwrap();
    assert_eq!(kind(go(&mut t, FECN)), "mark");
    let mut t = congested(0);
    assert_eq!(kind(t.go(Packet { cnp: true, ..packet(1, 7) }, FECN)), "mark");
    let mut t = Trace::ready();
    t.granted(0, 1).cycle().unwrap();
    t.crosses(packet(1, 7), 0).set("sw_data", 3, FECN).cycle().unwrap();
    assert_eq!(kind(t.leaves(packet(1, 7), 0).cycle()), "mark");
}

#[test]
fn outputs_that_say_nothing_mean_nothing() {
    let mut t = Trace::ready();
    let nothing = ["elig", "held_line", "prop_vl", "prop_root", "tx_first", "tx_data", "fctbs", "cfg_rdata"];
    nothing.iter().for_each(|n| _ = t.show(n, 0, 1));
    t.judge.meaningful(&mut t.pins.output);
    assert!(t.pins.output.iter().all(|w| *w == 0), "{:?}", t.pins.output);
    let valid = ["held", "prop_valid", "tx_valid", "fctbs_valid", "cfg_rvalid"];
    valid.iter().chain(&nothing[1..]).for_each(|n| _ = t.show(n, 0, 1));
    let was = t.pins.output.clone();
    t.judge.meaningful(&mut t.pins.output);
    assert_eq!(t.pins.output, was);
}

#[test]
fn some_ports_are_not_judged() {
    let says = |p: Params| settings(&p).unwrap_err();
    let of = |name: &str| format!("an output-port with {name} has no scoreboard of events");
    assert_eq!(says(Params { one_queue: true, ..params() }), of("ONE_QUEUE = 1"));
    assert_eq!(says(Params { cioq: true, ..params() }), of("CIOQ = 1"));
    assert_eq!(says(Params { srp: true, ..params() }), of("SRP = 1"));
    let says = says(Params { ports: 32, ..params() });
    assert_eq!(says, "an output-port of 32 inputs has no scoreboard of events; of up to 31 there is");
}
