//! The input port's scoreboard on made-up traces.

use super::{Port, settings};
use crate::cosim::events::pins::{Driven, Pins};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, Params, UnitKind};

fn params() -> Params {
    Build::named(UnitKind::InputPort, Some("tiny")).unwrap().params
}

/// Inputs and outputs by name, a cycle at a time; credits are told in every cycle as they are.
struct Trace {
    pins: Pins,
    judge: Port,
    /// Per VL, blocks that left.
    left: [u32; 2],
    now: u32,
    /// Blocks that are told too much, or too little.
    off: i32,
    /// Lines of output 1 that are there, and that are stopped.
    lines: [u32; 2],
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        let v = (self.now % 2) as usize;
        self.now += 1;
        // Those that came and 12, less those that came and have not left.
        let [valid, stop] = self.lines;
        if valid != 0 {
            self.set("ol_valid", 1, valid).set("ol_stop", 1, stop);
        }
        let told = (12 + self.left[v]).wrapping_add_signed(self.off) & 0xfff;
        self.show("ready", 0, 1).show("fc_valid", 0, 1).show("fc_vl", 0, v as u32).show("fccl", 0, told);
        let result = self.pins.judged(&mut self.judge);
        self.pins.rest();
        result
    }
}

impl Trace {
    /// Ready for long; DLID 1 goes to output 1, and so on, and DLID 3 goes there, too.
    fn ready() -> Trace {
        let p = params();
        let own = [
            ("receive", 2),
            ("credit", 4),
            ("early", 0),
            ("stop", 2),
            ("read", 4),
            ("offer", 20),
            ("turns", 3),
        ];
        let values = Settings::but(settings(&p).unwrap(), &own);
        let pins = Pins::new(UnitKind::InputPort, &p);
        let judge = Port::new(&p, &values);
        let mut t = Trace { pins, judge, left: [0; 2], now: 0, off: 0, lines: [0; 2] };
        for (dlid, o) in [(0, 0), (1, 1), (2, 2), (3, 1)] {
            t.set("lft_we", 0, 1).set("lft_addr", 0, dlid).set("lft_port", 0, o).cycle().unwrap();
        }
        t.cycles(20).unwrap();
        t
    }

    /// Flit `r` of `n` of a packet on VL 0; `mark` tells packets apart.
    fn flit(dlid: u32, r: u32, n: u32, mark: u32) -> [u32; 8] {
        if r > 0 {
            return [mark, r, 2, 3, 4, 5, 6, 7];
        }
        let words = 16 * n;
        [2 << 8 | dlid << 24, (words & 0xff) << 8 | words >> 8, 4, mark, 4, 5, 6, 7]
    }

    /// A packet comes.
    fn come(&mut self, dlid: u32, n: u32, mark: u32) -> Result<(), Broken> {
        (0..n).try_for_each(|r| {
            for (i, w) in Trace::flit(dlid, r, n, mark).into_iter().enumerate() {
                self.set("rx_data", i, w);
            }
            self.set("rx_valid", 0, 1).set("rx_first", 0, u32::from(r == 0));
            self.set("rx_last", 0, u32::from(r + 1 == n));
            self.cycle()
        })
    }

    fn ask(&mut self, o: usize, dlid: u32, n: u32) -> &mut Trace {
        self.show("req_valid", 2 * o, 1).show("req_len", 2 * o, n).show("req_dlid", 2 * o, dlid)
    }

    fn grant(&mut self, o: usize, dlid: u32, n: u32) -> Result<(), Broken> {
        self.ask(o, dlid, n).set("grant", 2 * o, 1).cycle()
    }

    /// A packet of one flit to DLID 1 asks, and a line holds it back.
    fn hold(&mut self, line: u32) -> Result<(), Broken> {
        self.ask(1, 1, 1).set("held", 2, 1).set("held_line", 2, line).cycle()
    }

    /// Flits `0..n` of a packet go.
    fn go(&mut self, o: usize, dlid: u32, n: u32, mark: u32) -> Result<(), Broken> {
        (0..n).try_for_each(|r| {
            for (i, w) in Trace::flit(dlid, r, n, mark).into_iter().enumerate() {
                self.show("xb_data", 8 * o + i, w);
            }
            self.show("xb_valid", o, 1).show("xb_first", o, u32::from(r == 0));
            self.show("xb_last", o, u32::from(r + 1 == n)).show("xb_act", o, 1);
            self.left[0] += 1;
            self.cycle()
        })
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

#[test]
fn a_packet_comes_out_once_as_it_came_where_it_was_granted() {
    let mut t = Trace::ready();
    t.come(1, 3, 7).unwrap();
    t.grant(1, 1, 3).unwrap();
    t.go(1, 1, 3, 7).unwrap();
    t.cycles(20).unwrap();
    assert_eq!((t.count("packets"), t.count("left"), t.count("unsure")), (1, 1, 0));
    assert!(t.count("all_free") > 20);
    // Again.
    t.grant(1, 1, 3).unwrap();
    assert_eq!(kind(t.go(1, 1, 3, 7)), "stranger");
    // Without a grant, elsewhere, and as another one than was granted.
    for (output, granted, found) in [(1, None, "grant"), (2, Some(3), "output"), (1, Some(2), "request")] {
        let mut t = Trace::ready();
        t.come(1, 3, 7).unwrap();
        if let Some(n) = granted {
            t.grant(output, 1, n).unwrap();
        }
        assert_eq!(kind(t.go(output, 1, 3, 7)), found);
    }
    // Another flit inside.
    let mut t = Trace::ready();
    t.come(1, 3, 7).unwrap();
    t.grant(1, 1, 3).unwrap();
    t.go(1, 1, 1, 7).expect_err("last at its first flit");
    let mut t = Trace::ready();
    t.come(1, 2, 7).unwrap();
    t.grant(1, 1, 2).unwrap();
    for (i, w) in Trace::flit(1, 0, 2, 7).into_iter().enumerate() {
        t.show("xb_data", 8 + i, w);
    }
    t.show("xb_valid", 1, 1).show("xb_first", 1, 1).cycle().unwrap();
    t.show("xb_valid", 1, 1).show("xb_last", 1, 1).show("xb_data", 8, 1);
    assert_eq!(kind(t.cycle()), "intact");
}

#[test]
fn packets_of_a_class_keep_their_order() {
    let mut t = Trace::ready();
    t.come(1, 1, 7).unwrap();
    t.come(1, 1, 8).unwrap();
    t.grant(1, 1, 1).unwrap();
    assert_eq!(kind(t.go(1, 1, 1, 8)), "order");
}

#[test]
fn what_was_cut_may_leave_so_or_not_at_all() {
    for bad_end in [true, false] {
        let mut t = Trace::ready();
        // Another first flit, and the link is gone.
        for (i, w) in Trace::flit(1, 0, 3, 7).into_iter().enumerate() {
            t.set("rx_data", i, w);
        }
        t.set("rx_valid", 0, 1).set("rx_first", 0, 1).cycle().unwrap();
        t.come(1, 1, 8).unwrap();
        if !bad_end {
            t.left[0] += 1;
        }
        if bad_end {
            t.grant(1, 1, 3).unwrap();
            t.left[0] += 1;
            for (i, w) in Trace::flit(1, 0, 3, 7).into_iter().enumerate() {
                t.show("xb_data", 8 + i, w);
            }
            t.show("xb_valid", 1, 1).show("xb_first", 1, 1).cycle().unwrap();
            t.show("xb_valid", 1, 1).show("xb_last", 1, 1).show("xb_bad", 1, 1).cycle().unwrap();
        }
        t.grant(1, 1, 1).unwrap();
        t.go(1, 1, 1, 8).unwrap();
        t.cycles(20).unwrap();
        assert_eq!((t.count("cut"), t.count("left_cut")), (1, bad_end.into()));
    }
    // A whole one has no bad end.
    let mut t = Trace::ready();
    t.come(1, 1, 7).unwrap();
    t.grant(1, 1, 1).unwrap();
    t.show("xb_valid", 1, 1).show("xb_first", 1, 1).show("xb_last", 1, 1).show("xb_bad", 1, 1);
    for (i, w) in Trace::flit(1, 0, 1, 7).into_iter().enumerate() {
        t.show("xb_data", 8 + i, w);
    }
    assert_eq!(kind(t.cycle()), "cut");
}

#[test]
fn credits_are_neither_overdrawn_nor_kept() {
    let mut t = Trace::ready();
    t.off = 1;
    assert_eq!(kind(t.cycle()), "overdrawn");
    let mut t = Trace::ready();
    t.off = -1;
    assert_eq!(kind(t.cycle()), "leak");
    // None at all.
    let mut t = Trace::ready();
    let silent = (0..200).find_map(|_| {
        t.show("ready", 0, 1);
        let (input, output) = (t.pins.input.clone(), t.pins.output.clone());
        t.judge.cycle(&input, &output).err()
    });
    assert_eq!(silent.expect("a rule is broken").kind, "silent");
}

#[test]
fn a_stop_is_obeyed_within_the_tolerance() {
    let asks = |n: u32, line: u32, stop: u32| {
        let mut t = Trace::ready();
        t.come(1, 1, 7).unwrap();
        t.lines = [3, stop];
        t.hold(line).unwrap();
        (0..n).try_for_each(|_| t.ask(1, 1, 1).cycle())
    };
    assert_eq!(asks(2, 1, 2), Ok(()));
    assert_eq!(kind(asks(3, 1, 2)), "stop");
    // The other line is stopped.
    assert_eq!(asks(9, 0, 2), Ok(()));
}

#[test]
fn nothing_stands_still_for_nothing() {
    let mut t = Trace::ready();
    t.come(1, 1, 7).unwrap();
    assert_eq!(kind(t.cycles(100)), "hang");
    let mut t = Trace::ready();
    t.come(1, 1, 7).unwrap();
    t.grant(1, 1, 1).unwrap();
    let stuck = (0..9).find_map(|_| t.set("rd_en", 1, 1).cycle().err());
    assert_eq!(stuck.expect("a rule is broken").kind, "stuck");
}

#[test]
fn a_stop_of_a_line_is_for_those_that_were_told_of_it() {
    // A packet waits, and line 1 of its output is stopped.
    let waits = |told: u32| {
        let mut t = Trace::ready();
        t.lines = [3, 2];
        t.come(1, 1, 7).unwrap();
        t.hold(told).unwrap();
        t.cycles(100)
    };
    assert_eq!(waits(1), Ok(()));
    assert_eq!(kind(waits(0)), "hang");
    // The line has ended, and another one has its number.
    let mut t = Trace::ready();
    t.lines = [3, 2];
    t.come(1, 1, 7).unwrap();
    t.hold(1).unwrap();
    t.lines = [1, 0];
    t.cycle().unwrap();
    t.lines = [3, 2];
    assert_eq!(kind(t.cycles(100)), "hang");
}

#[test]
fn the_oldest_packet_is_not_passed_too_often() {
    let passes = |n: u32, told: u32, stop: u32| {
        let mut t = Trace::ready();
        t.lines = [3, stop];
        t.come(1, 1, 7).unwrap();
        t.hold(told).unwrap();
        (0..n).try_for_each(|i| {
            t.come(3, 1, 20 + i)?;
            t.grant(1, 3, 1)?;
            t.go(1, 3, 1, 20 + i)
        })
    };
    assert_eq!(passes(3, 0, 0), Ok(()));
    assert_eq!(kind(passes(4, 0, 0)), "starved");
    // What is stopped may be passed, but for the stop of another line.
    assert_eq!(passes(9, 1, 2), Ok(()));
    assert_eq!(kind(passes(4, 0, 2)), "starved");
}

#[test]
fn some_outputs_are_wrong_whatever_happened() {
    let mut t = Trace::ready();
    t.ask(1, 1, 1).show("req_cnp", 2, 1).cycle().unwrap();
    t.ask(1, 1, 1).show("req_hot", 2, 1).cycle().unwrap();
    t.ask(1, 1, 1).show("req_cnp", 2, 1).show("req_hot", 2, 1);
    let told = t.cycle().unwrap_err();
    assert_eq!((told.kind, told.rules), ("request", "E4"));
    // Isolation is off.
    let mut t = Trace::ready();
    t.show("can_alloc", 0, 1);
    let told = t.cycle().unwrap_err();
    assert_eq!((told.kind, told.rules), ("tree", "E3"));
    // More destinations than a list has.
    let mut t = Trace::ready();
    t.show("msg_valid", 0, 1).show("msg_dcnt", 0, params().dlist as u32 + 1);
    let told = t.cycle().unwrap_err();
    assert_eq!((told.kind, told.rules), ("tree", "E2"));
    // `receive` is 2: a fall is seen by then.
    let falls = |n: u32| {
        let mut t = Trace::ready();
        (0..n).try_for_each(|_| t.set("link_up", 0, 0).cycle())
    };
    assert_eq!(falls(3), Ok(()));
    assert_eq!(kind(falls(4)), "credit");
}
