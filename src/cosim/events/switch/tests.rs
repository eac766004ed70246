//! The switch's scoreboard on made-up traces.

use super::{Switch, settings};
use crate::cosim::events::pins::{Driven, Pins, control};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;

fn params() -> Params {
    Build::named(UnitKind::Switch, Some("tiny")).unwrap().params
}

const PORTS: usize = 3;
/// Blocks of a VL.
const CAP: u32 = 12;
/// FECN, in the word that it is in.
const FECN: u32 = 1 << 7;

/// A packet on VL 0; `mark` tells packets apart.
#[derive(Clone, Copy)]
struct Packet {
    to: u32,
    n: u32,
    mark: u32,
    opcode: u32,
}

fn packet(to: u32, n: u32, mark: u32) -> Packet {
    Packet { to, n, mark, opcode: 4 }
}

impl Packet {
    fn flit(self, r: u32) -> [u32; 8] {
        if r > 0 {
            return [self.mark, r, 2, 3, 4, 5, 6, 7];
        }
        let words = 16 * self.n;
        [2 << 8 | self.to << 24, (words & 0xff) << 8 | words >> 8, self.opcode, 0, self.mark, 5, 6, 7]
    }
}

/// Inputs and outputs by name, a cycle at a time; credits and what was sent are told in every cycle as they are.
struct Trace {
    pins: Pins,
    judge: Switch,
    /// Per input, blocks of VL 0 that left; per output, flits of it that were sent.
    left: [u32; PORTS],
    sent: [u32; PORTS],
    /// Outputs that are given credits, and those whose link is up, a bit each.
    credits: u32,
    up: u32,
    now: u32,
    /// What is told too much of credits, and of what was sent.
    off: i32,
    sent_off: u32,
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        let v = self.now % 2;
        self.now += 1;
        let l = &self.pins.layout;
        let (rx, tx, up) = (l.input("rx_ctl"), self.pins.output("tx_ctl"), l.input("link_up"));
        for p in 0..PORTS {
            let lane = |of: u32| if v == 0 { of } else { 0 };
            let word = &mut self.pins.output[tx + 5 * p..][..5];
            let (sent, free) = (lane(self.sent[p]) + self.sent_off, CAP + lane(self.left[p]));
            let free = free.wrapping_add_signed(self.off) & 0xfff;
            let own = [3, v, sent >> 8, sent & 0xff, v, free >> 8, free & 0xff];
            control(word, 0, &own);
            let limit = lane(self.sent[p]) + 100;
            if self.credits >> p & 1 == 1 {
                control(
                    &mut self.pins.input[rx + 5 * p..][..5],
                    0,
                    &[2, 0, 0, 0, v, limit >> 8, limit & 0xff],
                );
            }
            self.pins.input[up + p] = self.up >> p & 1;
        }
        self.show("ready", 0, 1);
        let valid = self.pins.output("tx_valid");
        let result = self.pins.judged(&mut self.judge);
        for p in 0..PORTS {
            self.sent[p] = if self.up >> p & 1 == 1 { self.sent[p] + self.pins.output[valid + p] } else { 0 };
        }
        self.pins.rest();
        result
    }
}

impl Trace {
    /// Ready for long; DLID 1 goes to output 1, and so on.
    fn with(more: &[(&str, i64)]) -> Trace {
        let p = params();
        let own = [("receive", 2), ("credit", 4), ("early", 0), ("grant", 2), ("lost", 1), ("stop", 4)];
        let values = [&own[..], &[("read", 8), ("offer", 40), ("marks", 0)], more].concat();
        let values = Settings::but(settings(&p).unwrap(), &values);
        let pins = Pins::new(UnitKind::Switch, &p);
        let judge = Switch::new(&p, &values);
        let mut t = Trace {
            pins,
            judge,
            left: [0; PORTS],
            sent: [0; PORTS],
            credits: 7,
            up: 7,
            now: 0,
            off: 0,
            sent_off: 0,
        };
        for o in 0..3 {
            t.set("lft_we", 0, 1).set("lft_addr", 0, o).set("lft_port", 0, o).cycle().unwrap();
        }
        t.cycles(20).unwrap();
        t
    }

    fn ready() -> Trace {
        Trace::with(&[])
    }

    /// A register of an output is written.
    fn write(&mut self, o: u32, name: &str, value: u32) -> &mut Trace {
        let number = addr(UnitKind::OutputPort, name).into();
        self.set("cfg_we", 0, 1).set("cfg_unit", 0, 1).set("cfg_port", 0, o);
        self.set("cfg_addr", 0, number).set("cfg_data", 0, value)
    }

    /// RX_TIMEOUT of input 0 is written.
    fn time_out(&mut self, value: u32) -> &mut Trace {
        let number = addr(UnitKind::InputPort, "RX_TIMEOUT").into();
        self.set("cfg_we", 0, 1).set("cfg_port", 0, 0).set("cfg_addr", 0, number).set("cfg_data", 0, value)
    }

    /// A message of the neighbour at output `o` about line 1, VL 0, root 5, with DLID 1.
    fn tell(&mut self, o: usize, kind: u32, stop: bool) -> &mut Trace {
        let at = self.pins.layout.input("rx_ctl") + 5 * o;
        let word = &mut self.pins.input[at..at + 5];
        control(word, 0, &[4 | kind << 3 | u32::from(stop) << 5]);
        control(word, 8, &[1, 0, 1, 1, 0, 0, 5, 0, 0, 1]);
        self
    }

    /// Flit `r` of a packet on the link of input `i`.
    fn comes(&mut self, i: usize, p: Packet, r: u32) -> &mut Trace {
        for (w, word) in p.flit(r).into_iter().enumerate() {
            self.set("rx_data", 8 * i + w, word);
        }
        self.set("rx_valid", i, 1).set("rx_first", i, u32::from(r == 0)).set(
            "rx_last",
            i,
            u32::from(r + 1 == p.n),
        )
    }

    fn come(&mut self, i: usize, p: Packet) -> Result<(), Broken> {
        (0..p.n).try_for_each(|r| self.comes(i, p, r).cycle())
    }

    /// Flit `r` of a packet of input `i` on the link of output `o`; its first one is changed by `change`.
    fn leaves(&mut self, i: usize, o: usize, p: Packet, r: u32, change: u32) -> &mut Trace {
        for (w, word) in p.flit(r).into_iter().enumerate() {
            self.show("tx_data", 8 * o + w, word ^ if w == 3 && r == 0 { change } else { 0 });
        }
        self.left[i] += 1;
        self.show("tx_valid", o, 1).show("tx_first", o, u32::from(r == 0)).show(
            "tx_last",
            o,
            u32::from(r + 1 == p.n),
        )
    }

    fn go(&mut self, i: usize, o: usize, p: Packet) -> Result<(), Broken> {
        (0..p.n).try_for_each(|r| self.leaves(i, o, p, r, 0).cycle())
    }

    /// It comes, waits, and goes, with the mark `change`d.
    fn cross(&mut self, p: Packet, change: u32) -> Result<(), Broken> {
        self.come(0, p)?;
        self.cycle()?;
        (0..p.n).try_for_each(|r| self.leaves(0, p.to as usize, p, r, change).cycle())
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

#[test]
fn a_packet_leaves_once_as_it_came_where_its_route_says() {
    let p = packet(1, 3, 7);
    let mut t = Trace::ready();
    t.come(0, p).unwrap();
    t.go(0, 1, p).unwrap();
    t.cycles(20).unwrap();
    assert_eq!((t.count("packets"), t.count("left"), t.count("unsure")), (1, 1, 0));
    assert!(t.count("all_free") > 20 && t.count("sent") > 20);
    assert_eq!(kind(t.go(0, 1, p)), "stranger");
    for (shown, out, found) in
        [(p, 2, "output"), (packet(1, 3, 8), 1, "stranger"), (packet(1, 2, 7), 1, "stranger")]
    {
        let mut t = Trace::ready();
        t.come(0, p).unwrap();
        assert_eq!(kind(t.go(0, out, shown)), found);
    }
    // Another flit, another end, none of it, and another beginning.
    let inside = |show: &dyn Fn(&mut Trace)| {
        let mut t = Trace::ready();
        t.come(0, p).unwrap();
        t.leaves(0, 1, p, 0, 0).cycle().unwrap();
        show(&mut t);
        kind(t.cycle())
    };
    assert_eq!(inside(&|t| _ = t.leaves(0, 1, p, 1, 0).show("tx_data", 10, 99)), "intact");
    assert_eq!(inside(&|t| _ = t.leaves(0, 1, p, 1, 0).show("tx_last", 1, 1)), "framing");
    assert_eq!(inside(&|t| _ = t.leaves(0, 1, p, 0, 0)), "framing");
    assert_eq!(inside(&|t| _ = t.show("tx_valid", 1, 1).show("tx_last", 1, 1).show("tx_bad", 1, 1)), "cut");
    let mut t = Trace::ready();
    assert_eq!(kind(t.leaves(0, 1, p, 1, 0).cycle()), "framing");
}

#[test]
fn packets_of_an_input_keep_their_order_and_those_of_others_have_theirs() {
    let mut t = Trace::ready();
    t.come(0, packet(1, 1, 7)).unwrap();
    t.come(1, packet(1, 1, 8)).unwrap();
    t.come(0, packet(1, 1, 9)).unwrap();
    t.go(1, 1, packet(1, 1, 8)).unwrap();
    assert_eq!(kind(t.go(0, 1, packet(1, 1, 9))), "order");
}

#[test]
fn packets_that_are_alike_are_told_apart_by_their_flits() {
    let (a, b) = (packet(1, 2, 7), packet(1, 2, 7));
    let mut t = Trace::ready();
    t.come(0, a).unwrap();
    // The same first flit, and another one behind it.
    t.comes(1, b, 0).cycle().unwrap();
    t.comes(1, b, 1).set("rx_data", 8, 99).cycle().unwrap();
    t.leaves(1, 1, b, 0, 0).cycle().unwrap();
    t.leaves(1, 1, b, 1, 0).show("tx_data", 8, 99).cycle().unwrap();
    t.go(0, 1, a).unwrap();
    t.cycles(20).unwrap();
    assert_eq!(t.count("left"), 2);
    assert_eq!(kind(t.go(0, 1, a)), "stranger");
    // Alike to the end.
    let mut t = Trace::ready();
    t.come(0, a).unwrap();
    t.come(1, a).unwrap();
    t.go(1, 1, a).unwrap();
    t.go(0, 1, a).unwrap();
    t.cycles(20).unwrap();
    assert_eq!(kind(t.go(0, 1, a)), "stranger");
}

#[test]
fn what_was_cut_leaves_with_a_bad_end() {
    let p = packet(1, 3, 7);
    let mut t = Trace::ready();
    t.comes(0, p, 0).cycle().unwrap();
    t.come(0, packet(1, 1, 8)).unwrap();
    t.leaves(0, 1, p, 0, 0).cycle().unwrap();
    t.show("tx_valid", 1, 1).show("tx_last", 1, 1).show("tx_bad", 1, 1).cycle().unwrap();
    t.go(0, 1, packet(1, 1, 8)).unwrap();
    t.cycles(20).unwrap();
    assert_eq!((t.count("cut"), t.count("left_cut")), (1, 1));
}

/// A packet with a silence in it, then RX_TIMEOUT = 1: it may be cut, and may not. A longer one excuses nothing.
#[test]
fn a_silence_of_a_moment_ago_counts_for_a_new_time_out() {
    let p = packet(1, 3, 7);
    let run = |timeout: u32, pause: u32, cut: bool| {
        let mut t = Trace::ready();
        t.comes(0, p, 0).cycle()?;
        t.comes(0, p, 1).cycle()?;
        t.cycle()?;
        // (The silence ends before the write, or with it.)
        t.cycles(pause)?;
        t.time_out(timeout).comes(0, p, 2).cycle()?;
        t.leaves(0, 1, p, 0, 0).cycle()?;
        t.leaves(0, 1, p, 1, 0).cycle()?;
        if cut {
            t.show("tx_valid", 1, 1).show("tx_last", 1, 1).show("tx_bad", 1, 1).cycle()
        } else {
            t.leaves(0, 1, p, 2, 0).cycle()
        }
    };
    run(1024, 0, false).unwrap();
    assert_eq!(kind(run(1024, 0, true)), "cut");
    for pause in [0, 2] {
        run(1, pause, false).unwrap();
    }
    let mut t = Trace::ready();
    t.comes(0, p, 0).cycle().unwrap();
    t.cycle().unwrap();
    t.comes(0, p, 1).cycle().unwrap();
    t.time_out(1).cycle().unwrap();
    t.comes(0, p, 2).cycle().unwrap();
    t.leaves(0, 1, p, 0, 0).cycle().unwrap();
    t.leaves(0, 1, p, 1, 0).cycle().unwrap();
    t.show("tx_valid", 1, 1).show("tx_last", 1, 1).show("tx_bad", 1, 1).cycle().unwrap();
}

#[test]
fn credits_of_both_sides_are_kept() {
    for (off, found) in [(1, "overdrawn"), (-1, "leak")] {
        let mut t = Trace::ready();
        t.off = off;
        assert_eq!(kind(t.cycles(4)), found);
    }
    let mut t = Trace::ready();
    t.sent_off = 1;
    assert_eq!(kind(t.cycle()), "sent");
    // No credit for what leaves: the limit of the 100 flits before these.
    let mut t = Trace::ready();
    t.credits = 0;
    for i in 0..100 {
        t.cross(packet(1, 1, i), 0).unwrap();
    }
    assert_eq!(kind(t.cross(packet(1, 1, 100), 0)), "credit");
    // A credit message for a VL that is not there.
    let mut t = Trace::ready();
    let at = t.pins.output("tx_ctl");
    t.pins.output[at + 1] |= 6;
    assert_eq!(kind(t.cycle()), "credit");
    // None but flow control messages, or none but those of credits.
    for valid in [1, 2] {
        let mut t = Trace::ready();
        let at = t.pins.output("tx_ctl");
        t.show("ready", 0, 1);
        for p in 0..PORTS {
            t.pins.output[at + 5 * p] = valid;
            t.pins.output[at + 5 * p + 1] = if valid == 2 { CAP << 16 } else { 0 };
        }
        let silent = (0..300).find_map(|_| t.pins.judged(&mut t.judge).err());
        assert_eq!(silent.expect("a rule is broken").kind, "silent");
    }
}

#[test]
fn a_stop_is_obeyed_within_the_tolerance() {
    let passes = |line: usize, to: u32, opcode: u32, after: u32| {
        let mut t = Trace::ready();
        t.write(line as u32, "CTRL", 2).cycle().unwrap();
        t.cycles(10).unwrap();
        let p = Packet { opcode, ..packet(to, 1, 7) };
        t.come(0, p).unwrap();
        t.tell(line, 0, true).cycle().unwrap();
        t.cycles(after).unwrap();
        t.go(0, to as usize, p)
    };
    assert_eq!((passes(1, 1, 4, 3), kind(passes(1, 1, 4, 5))), (Ok(()), "stop"));
    // Another destination, another output's line, and a notification.
    assert_eq!((passes(1, 2, 4, 9), passes(2, 1, 4, 9), passes(1, 1, 0x80, 9)), (Ok(()), Ok(()), Ok(())));
}

#[test]
fn marks_are_on_eligible_packets_and_no_more_than_the_rate_says() {
    let ack = Packet { opcode: 0x11, ..packet(1, 1, 9) };
    let marked = |p: Packet, ctrl: u32| {
        let mut t = Trace::ready();
        t.write(1, "CTRL", ctrl).cycle().unwrap();
        t.cycles(10).unwrap();
        t.cross(p, FECN)
    };
    assert_eq!(marked(packet(1, 2, 7), 1), Ok(()));
    assert_eq!((kind(marked(packet(1, 2, 7), 0)), kind(marked(ack, 1))), ("mark", "mark"));
    // One packet between two marks.
    let mut t = Trace::ready();
    t.write(1, "CTRL", 1).cycle().unwrap();
    t.write(1, "MARKING_RATE", 1).cycle().unwrap();
    t.cycles(10).unwrap();
    for (i, change) in [FECN, 0, FECN].into_iter().enumerate() {
        t.cross(packet(1, 1, i as u32), change).unwrap();
    }
    assert_eq!((t.count("marks"), kind(t.cross(packet(1, 1, 4), FECN))), (2, "mark"));
    // A mark from before stays.
    let mut t = Trace::ready();
    t.comes(0, packet(1, 1, 7), 0).set("rx_data", 3, FECN).cycle().unwrap();
    assert_eq!(kind(t.go(0, 1, packet(1, 1, 7))), "mark");
}

#[test]
fn flits_leave_at_the_pace_of_the_link() {
    let mut t = Trace::ready();
    t.write(1, "TX_INTERVAL", 2).cycle().unwrap();
    t.cycles(10).unwrap();
    assert_eq!(kind(t.cross(packet(1, 2, 7), 0)), "pace");
}

#[test]
fn of_a_link_that_falls_only_what_was_on_it_is_lost() {
    let falls = |lost: u32, behind: u32| {
        let mut t = Trace::ready();
        for i in 0..5 {
            t.come(0, packet(1, 1, i)).unwrap();
        }
        t.up = 5;
        t.cycle().unwrap();
        t.up = 7;
        t.left[0] += lost;
        t.left[1] = 0;
        t.cycles(10).unwrap();
        (lost..5).try_for_each(|i| t.go(0, 1, packet(1, 1, i)))?;
        t.cycles(behind)
    };
    // Input 1 shares the link, and counts from 0 again.
    assert_eq!((falls(0, 20), falls(1, 20), kind(falls(2, 20))), (Ok(()), Ok(()), "lost"));
    // The packet on the link ends there.
    let p = packet(1, 3, 7);
    let mut t = Trace::ready();
    t.come(0, p).unwrap();
    t.leaves(0, 1, p, 0, 0).cycle().unwrap();
    t.up = 5;
    t.cycle().unwrap();
    t.up = 7;
    t.cycles(5).unwrap();
    assert_eq!((t.count("falls"), kind(t.leaves(0, 1, p, 1, 0).cycle())), (1, "framing"));
}

#[test]
fn nothing_stands_still_for_nothing() {
    let p = packet(1, 2, 7);
    let mut t = Trace::ready();
    t.come(0, p).unwrap();
    assert_eq!(kind(t.cycles(200)), "hang");
    // Without credits it waits, and behind another one, if that may hold it back.
    let mut t = Trace::ready();
    t.credits = 0;
    for i in 0..97 {
        t.cross(packet(1, 1, i), 0).unwrap();
    }
    t.come(0, p).unwrap();
    t.cycles(200).unwrap();
    t.come(0, packet(2, 1, 8)).unwrap();
    t.credits = 5;
    assert_eq!(kind(t.cycles(200)), "hang");
    let mut t = Trace::with(&[("voq", 0)]);
    t.credits = 0;
    for i in 0..97 {
        t.cross(packet(1, 1, i), 0).unwrap();
    }
    t.come(0, p).unwrap();
    t.come(0, packet(2, 1, 8)).unwrap();
    t.credits = 5;
    t.cycles(200).unwrap();
    // Stopped.
    let mut t = Trace::ready();
    t.write(1, "CTRL", 2).cycle().unwrap();
    t.cycles(10).unwrap();
    t.tell(1, 0, true).cycle().unwrap();
    t.come(0, p).unwrap();
    t.cycles(200).unwrap();
    t.tell(1, 3, false).cycle().unwrap();
    assert_eq!(kind(t.cycles(200)), "hang");
    let mut t = Trace::ready();
    t.come(0, p).unwrap();
    t.leaves(0, 1, p, 0, 0).cycle().unwrap();
    assert_eq!(kind(t.cycles(20)), "stuck");
}

#[test]
fn others_do_not_go_for_ever() {
    let mut t = Trace::with(&[("turns", 100)]);
    t.come(0, packet(1, 2, 7)).unwrap();
    let starved = (0..1000).find_map(|i| {
        let p = packet(1, 1, 1000 + i);
        t.come(1, p).and_then(|()| t.go(1, 1, p)).err()
    });
    assert_eq!(starved.expect("a rule is broken").kind, "starved");
}

#[test]
fn it_becomes_ready_and_stays_it() {
    let mut t = Trace::ready();
    let (input, output) = (t.pins.layout.idle(), vec![0; t.pins.layout.out_words]);
    assert_eq!(kind(t.judge.cycle(&input, &output)), "ready");
}
