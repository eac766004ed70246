//! The adapter's scoreboard on made-up traces.

use super::replies::Reply;
use super::{Adapter, settings};
use crate::cosim::events::pins::{Driven, Pins, control};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;

fn params() -> Params {
    Build::named(UnitKind::Hca, Some("tiny")).unwrap().params
}

/// Own LID, and DLID of flow 0.
const LID: u32 = 2;
const BASE: u32 = 3;
/// Blocks of a VL of the receive FIFO.
const CAP: u32 = 8;
/// FECN, BECN.
const FECN: u32 = 1 << 7;
const BECN: u32 = 1 << 6;

/// Inputs and outputs by name, a cycle at a time; credits and what was sent are told in every cycle as they are. All is on VL 0.
struct Trace {
    pins: Pins,
    judge: Adapter,
    /// Blocks that came and are free again, and flits sent.
    taken: u32,
    sent: u32,
    up: bool,
    credits: bool,
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
        let lane = |of: u32| if v == 0 { of } else { 0 };
        let (rx, tx) = (self.pins.layout.input("rx_ctl"), self.pins.output("tx_ctl"));
        let sent = lane(self.sent) + self.sent_off;
        let free = (CAP + lane(self.taken)).wrapping_add_signed(self.off) & 0xfff;
        control(
            &mut self.pins.output[tx..tx + 5],
            0,
            &[3, v, sent >> 8, sent & 0xff, v, free >> 8, free & 0xff],
        );
        let limit = lane(self.sent) + 100;
        if self.credits {
            control(&mut self.pins.input[rx..rx + 5], 0, &[2, 0, 0, 0, v, limit >> 8, limit & 0xff]);
        }
        let up = self.up.into();
        self.show("ready", 0, 1).set("link_up", 0, up);
        let result = self.pins.judged(&mut self.judge);
        let valid = self.pins.output("tx_valid");
        self.sent = if self.up { self.sent + self.pins.output[valid] } else { 0 };
        self.taken = if self.up { self.taken } else { 0 };
        self.pins.rest();
        result
    }
}

impl Trace {
    fn ready() -> Trace {
        let p = params();
        let values = [
            ("receive", 2),
            ("credit", 4),
            ("early", 0),
            ("becn", 2),
            ("choice", 0),
            ("grant", 2),
            ("lost", 1),
            ("stop", 4),
            ("marks", 0),
            ("read", 8),
            ("offer", 40),
            ("host", 8),
        ];
        let judge = Adapter::new(&p, &Settings::but(settings(&p).unwrap(), &values));
        let pins = Pins::new(UnitKind::Hca, &p);
        let (up, credits) = (true, true);
        let mut t = Trace { pins, judge, taken: 0, sent: 0, up, credits, now: 0, off: 0, sent_off: 0 };
        for dlid in 0..16 {
            t.set("lft_we", 0, 1).set("lft_addr", 0, dlid).cycle().unwrap();
        }
        t.write(UnitKind::Hca, "LID", LID).cycle().unwrap();
        t.write(UnitKind::Hca, "LID_BASE", BASE).cycle().unwrap();
        t.write(UnitKind::Hca, "CTRL", 1).cycle().unwrap();
        t.cycles(30).unwrap();
        t
    }

    fn write(&mut self, unit: UnitKind, name: &str, value: u32) -> &mut Trace {
        let number = match unit {
            UnitKind::InputPort => 0,
            UnitKind::OutputPort => 1,
            UnitKind::HcaThrottle => 2,
            _ => 3,
        };
        self.set("cfg_we", 0, 1).set("cfg_unit", 0, number);
        self.set("cfg_addr", 0, addr(unit, name).into()).set("cfg_data", 0, value)
    }

    fn post(&mut self, flow: u32, n: u32, psn: u32) -> &mut Trace {
        self.set("gen_valid", 0, 1).set("gen_flow", 0, flow).set("gen_len", 0, n).set("gen_psn", 0, psn)
    }

    /// Flit `index` of a packet is asked for, and delivered.
    fn ask(&mut self, flow: u32, psn: u32, index: u32) -> &mut Trace {
        for (w, word) in payload(psn, index).into_iter().enumerate() {
            self.set("dma_data", w, word);
        }
        self.set("dma_ready", 0, 1)
            .show("dma_valid", 0, 1)
            .show("dma_flow", 0, flow)
            .show("dma_psn", 0, psn)
            .show("dma_index", 0, index)
    }

    /// A packet of `n` flits is posted and delivered.
    fn deliver(&mut self, flow: u32, n: u32, psn: u32) -> Result<(), Broken> {
        self.post(flow, n, psn).cycle()?;
        (0..n).try_for_each(|r| self.ask(flow, psn, r).cycle())
    }

    /// A flit on the link.
    fn leaves(&mut self, data: [u32; 8], first: bool, last: bool) -> &mut Trace {
        for (w, word) in data.into_iter().enumerate() {
            self.show("tx_data", w, word);
        }
        self.show("tx_valid", 0, 1).show("tx_first", 0, first.into()).show("tx_last", 0, last.into())
    }

    /// A packet leaves, its third header word changed.
    fn go(&mut self, flow: u32, n: u32, psn: u32, change: u32) -> Result<(), Broken> {
        (0..n).try_for_each(|r| {
            let mut data = if r == 0 { first(flow, n, psn) } else { payload(psn, r) };
            data[3] ^= if r == 0 { change } else { 0 };
            self.leaves(data, r == 0, r + 1 == n).cycle()
        })
    }

    /// A reply leaves.
    fn reply(&mut self, r: Reply, slid: u32) -> Result<(), Broken> {
        let mut data: [u32; 8] = r.flit(8).try_into().unwrap();
        data[1] |= slid << 24;
        self.leaves(data, true, true).cycle()
    }

    /// Flit `r` of a packet of `n` flits of the host of a flow comes, with marks.
    fn comes(&mut self, flow: u32, n: u32, r: u32, marks: u32) -> &mut Trace {
        for (w, word) in came(flow, n, r, marks).into_iter().enumerate() {
            self.set("rx_data", w, word);
        }
        self.set("rx_valid", 0, 1).set("rx_first", 0, u32::from(r == 0)).set(
            "rx_last",
            0,
            u32::from(r + 1 == n),
        )
    }

    /// The host sees it, and takes it.
    fn host(&mut self, flow: u32, n: u32, r: u32, marks: u32) -> &mut Trace {
        for (w, word) in came(flow, n, r, marks).into_iter().enumerate() {
            self.show("host_data", w, word);
        }
        self.taken += 1;
        self.set("host_ready", 0, 1).show("host_valid", 0, 1).show("host_first", 0, u32::from(r == 0)).show(
            "host_last",
            0,
            u32::from(r + 1 == n),
        )
    }

    /// A packet comes, and the host takes it.
    fn receive(&mut self, flow: u32, n: u32, marks: u32) -> Result<(), Broken> {
        (0..n).try_for_each(|r| self.comes(flow, n, r, marks).cycle())?;
        (0..n).try_for_each(|r| self.host(flow, n, r, marks).cycle())
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

fn payload(psn: u32, r: u32) -> [u32; 8] {
    [psn, r, 2, 3, 4, 5, 6, 7]
}

/// The first flit of a packet of a flow, as it is to be.
fn first(flow: u32, n: u32, psn: u32) -> [u32; 8] {
    let words = 16 * n;
    [2 << 8 | (BASE + flow) << 24, words << 8 | LID << 24, 0xffff_0004, flow << 24, psn << 24, 5, 6, 7]
}

/// What comes of the host of a flow: PSN = its length.
fn came(flow: u32, n: u32, r: u32, marks: u32) -> [u32; 8] {
    if r > 0 {
        return payload(100 + flow, r);
    }
    [2 << 8 | LID << 24, (16 * n) << 8 | (BASE + flow) << 24, 0xffff_0004, marks, n << 24, 0, 0, flow]
}

fn cnp(flow: u32) -> Reply {
    Reply { ack: false, vl: 0, sl: 0, dlid: (BASE + flow) as u16, psn: 0, marks: 0 }
}

#[test]
fn what_is_posted_is_asked_for_in_order_and_leaves_once_as_it_is_to_be() {
    let mut t = Trace::ready();
    t.deliver(1, 3, 7).unwrap();
    t.go(1, 3, 7, 0).unwrap();
    t.cycles(20).unwrap();
    assert_eq!((t.count("posted"), t.count("asked"), t.count("left")), (1, 1, 1));
    assert_eq!(kind(t.go(1, 3, 7, 0)), "stranger");
    for (flow, psn, change, found) in
        [(2, 7, 0, "stranger"), (1, 8, 0, "stranger"), (1, 7, 1 << 8, "stranger"), (1, 7, FECN, "mark")]
    {
        let mut t = Trace::ready();
        t.deliver(1, 1, 7).unwrap();
        assert_eq!(kind(t.go(flow, 1, psn, change)), found);
    }
    // Order, another's, and another flit than the next.
    let asked = |flow, psn, index| {
        let mut t = Trace::ready();
        t.post(1, 2, 7).cycle().unwrap();
        t.post(1, 1, 8).cycle().unwrap();
        kind(t.ask(flow, psn, index).cycle())
    };
    assert_eq!((asked(1, 8, 0), asked(2, 7, 0), asked(1, 7, 1)), ("post", "post", "dma"));
    let mut t = Trace::ready();
    t.deliver(1, 1, 7).unwrap();
    t.deliver(1, 1, 8).unwrap();
    assert_eq!(kind(t.go(1, 1, 8, 0)), "order");
    // A flit that is another, one too many, and one without a packet.
    let inside = |data, last| {
        let mut t = Trace::ready();
        t.deliver(1, 2, 7).unwrap();
        t.leaves(first(1, 2, 7), true, false).cycle().unwrap();
        kind(t.leaves(data, false, last).cycle())
    };
    assert_eq!((inside(payload(8, 1), true), inside(payload(7, 1), false)), ("intact", "framing"));
    assert_eq!(kind(Trace::ready().leaves(payload(7, 1), false, true).cycle()), "framing");
    // An SLID that is none.
    let mut t = Trace::ready();
    t.deliver(1, 1, 7).unwrap();
    let mut data = first(1, 1, 7);
    data[1] ^= 1 << 24;
    assert_eq!(kind(t.leaves(data, true, true).cycle()), "slid");
}

#[test]
fn a_packet_begins_after_the_delay_of_its_flow() {
    let run = |becn: u32, wait: u32| {
        let mut t = Trace::ready();
        for (a, e) in [(0, 0), (1, 20)] {
            t.set("cct_we", 0, 1).set("cct_addr", 0, a).set("cct_data", 0, e).cycle().unwrap();
        }
        t.write(UnitKind::HcaThrottle, "CTRL", 1).cycle().unwrap();
        t.cycles(20).unwrap();
        t.deliver(1, 2, 7).unwrap();
        t.go(1, 2, 7, 0).unwrap();
        t.receive(becn, 1, BECN).unwrap();
        t.post(1, 1, 8).cycle().unwrap();
        t.cycles(wait).unwrap();
        let result = t.ask(1, 8, 0).cycle();
        (result, t.count("becns"))
    };
    assert_eq!((kind(run(1, 20).0), run(1, 60), run(2, 20)), ("spacing", (Ok(()), 1), (Ok(()), 1)));
}

#[test]
fn what_is_stopped_neither_begins_nor_leaves() {
    let tree = |t: &mut Trace, kind: u32, stop: bool| {
        let at = t.pins.layout.input("rx_ctl");
        let word = &mut t.pins.input[at..at + 5];
        control(word, 0, &[4 | kind << 3 | u32::from(stop) << 5]);
        control(word, 8, &[1, 0, 1, 1, 0, 0, 5, 0, 0, BASE + 1]);
        t.cycle().unwrap();
    };
    let stopped = || {
        let mut t = Trace::ready();
        t.write(UnitKind::OutputPort, "CTRL", 2).cycle().unwrap();
        t.cycles(10).unwrap();
        t.deliver(1, 1, 7).unwrap();
        t.post(1, 1, 8).cycle().unwrap();
        tree(&mut t, 0, true);
        t.cycles(3).unwrap();
        t.deliver(2, 1, 9).unwrap();
        t.go(2, 1, 9, 0).unwrap();
        t.cycles(10).unwrap();
        t
    };
    assert_eq!(kind(stopped().go(1, 1, 7, 0)), "stop");
    assert_eq!(kind(stopped().ask(1, 8, 0).cycle()), "stop");
}

#[test]
fn what_comes_reaches_the_host_whole_and_in_order() {
    let mut t = Trace::ready();
    t.receive(1, 3, 0).unwrap();
    t.cycles(20).unwrap();
    assert_eq!((t.count("received"), t.count("shown"), t.count("received_unsure")), (1, 3, 0));
    assert_eq!(kind(t.host(1, 3, 0, 0).cycle()), "host");
    let wrong = |show: &dyn Fn(&mut Trace)| {
        let mut t = Trace::ready();
        t.comes(1, 2, 0, 0).cycle().unwrap();
        t.comes(1, 2, 1, 0).cycle().unwrap();
        t.comes(2, 1, 0, 0).cycle().unwrap();
        show(&mut t);
        let begins = t.cycle();
        show(&mut t);
        kind(begins.and(t.cycle()))
    };
    // Another first, the first one twice, without its last.
    assert_eq!(wrong(&|t| _ = t.host(2, 1, 0, 0)), "host");
    assert_eq!(wrong(&|t| _ = t.host(1, 2, 0, 0)), "host");
    assert_eq!(wrong(&|t| _ = t.host(1, 2, 0, 0).show("host_last", 0, 1)), "framing");
    let mut t = Trace::ready();
    t.comes(1, 2, 0, 0).cycle().unwrap();
    t.comes(1, 2, 1, 0).cycle().unwrap();
    t.host(1, 2, 0, 0).cycle().unwrap();
    assert_eq!(kind(t.host(1, 2, 1, 0).show("host_data", 4, 9).cycle()), "intact");
    // What is for another, or too long, is not shown; what ends early ends badly.
    let mut t = Trace::ready();
    t.comes(1, 1, 0, 0).set("rx_data", 0, 2 << 8 | 9 << 24).cycle().unwrap();
    t.comes(1, 5, 0, 0).cycle().unwrap();
    t.taken += 2;
    t.cycles(2).unwrap();
    t.comes(1, 2, 0, 0).set("rx_last", 0, 0).cycle().unwrap();
    t.comes(1, 3, 0, 0).cycle().unwrap();
    t.comes(1, 3, 1, 0).set("rx_last", 0, 1).cycle().unwrap();
    t.host(1, 2, 0, 0).cycle().unwrap();
    t.host(1, 3, 0, 0).cycle().unwrap();
    t.host(1, 3, 1, 0).show("host_last", 0, 1).show("host_bad", 0, 1).cycle().unwrap();
    assert_eq!(t.count("refused"), 2);
    // Of two that begin alike the first may be taken, and not be shown: what follows tells.
    let mut t = Trace::ready();
    let ack = |t: &mut Trace, r: u32, word: u32| {
        _ = t.comes(1, 2, r, 0).set(
            "rx_data",
            if r == 0 { 2 } else { 1 },
            if r == 0 { 0xffff_0011 } else { word },
        );
    };
    for (word, ctrl) in [(7, 5), (8, 1)] {
        t.write(UnitKind::Hca, "CTRL", ctrl).cycle().unwrap();
        (0..2).for_each(|r| {
            ack(&mut t, r, word);
            t.cycle().unwrap();
            // (It is taken, and its blocks are free.)
            t.taken += u32::from(word == 7);
        });
    }
    t.host(1, 2, 0, 0).show("host_data", 2, 0xffff_0011).cycle().unwrap();
    t.host(1, 2, 1, 0).show("host_data", 1, 8).cycle().unwrap();
    // It may not stand.
    let mut t = Trace::ready();
    t.comes(1, 1, 0, 0).cycle().unwrap();
    let stands = (0..30).find_map(|_| t.set("host_ready", 0, 1).cycle().err());
    assert_eq!(stands.unwrap().kind, "hang");
}

#[test]
fn a_mark_is_answered_once_and_in_order() {
    let mut t = Trace::ready();
    t.receive(1, 1, FECN).unwrap();
    t.receive(2, 1, FECN).unwrap();
    t.receive(3, 1, 0).unwrap();
    t.reply(cnp(1), LID).unwrap();
    t.reply(cnp(2), LID).unwrap();
    assert_eq!((t.count("owed"), t.count("replies")), (2, 2));
    assert_eq!(kind(t.reply(cnp(3), LID)), "reply");
    let told = |r: Reply, slid| {
        let mut t = Trace::ready();
        t.receive(1, 1, FECN).unwrap();
        t.receive(2, 1, FECN).unwrap();
        kind(t.reply(r, slid))
    };
    assert_eq!((told(cnp(2), LID), told(Reply { sl: 3, ..cnp(1) }, LID)), ("unanswered", "reply"));
    assert_eq!(told(cnp(1), LID + 1), "slid");
    // An ACK for each packet, and no CNP.
    let mut t = Trace::ready();
    t.write(UnitKind::Hca, "CTRL", 5).cycle().unwrap();
    t.cycles(5).unwrap();
    t.receive(1, 1, FECN).unwrap();
    let ack = Reply { ack: true, psn: 1, marks: 4, ..cnp(1) };
    t.reply(ack, LID).unwrap();
    assert_eq!(kind(t.reply(cnp(1), LID)), "reply");
}

#[test]
fn credits_of_both_sides_are_kept() {
    for (off, found) in [(1, "overdrawn"), (-1, "leak")] {
        let mut t = Trace::ready();
        t.off = off;
        assert_eq!(kind(t.cycles(8)), found);
    }
    let mut t = Trace::ready();
    t.sent_off = 1;
    assert_eq!(kind(t.cycle()), "sent");
    // Without credit since the link fell.
    let mut t = Trace::ready();
    (t.up, t.credits) = (false, false);
    t.cycles(4).unwrap();
    t.up = true;
    t.deliver(1, 1, 7).unwrap();
    assert_eq!(kind(t.go(1, 1, 7, 0)), "credit");
}

#[test]
fn who_could_go_goes() {
    let mut t = Trace::ready();
    t.deliver(1, 1, 7).unwrap();
    assert_eq!(kind(t.cycles(200)), "hang");
    let mut t = Trace::ready();
    t.receive(1, 1, FECN).unwrap();
    assert_eq!(kind(t.cycles(200)), "hang");
    // Chosen by nobody, and asked for no more.
    let mut t = Trace::ready();
    t.post(1, 2, 7).cycle().unwrap();
    assert_eq!(kind(t.cycles(2000)), "late");
    let mut t = Trace::ready();
    t.post(1, 2, 7).cycle().unwrap();
    t.ask(1, 7, 0).cycle().unwrap();
    assert_eq!(kind(t.cycles(20)), "dma");
    let mut t = Trace::ready();
    t.deliver(1, 2, 7).unwrap();
    t.leaves(first(1, 2, 7), true, false).cycle().unwrap();
    assert_eq!(kind(t.cycles(20)), "stuck");
    // Full without a packet.
    let mut t = Trace::ready();
    let full = (0..400).find_map(|_| t.show("gen_full", 0, 2).cycle().err());
    assert_eq!(full.unwrap().kind, "full");
}

#[test]
fn what_is_lost_was_on_the_link() {
    let mut t = Trace::ready();
    for psn in 7..10 {
        t.deliver(1, 1, psn).unwrap();
    }
    t.receive(2, 1, FECN).unwrap();
    t.up = false;
    t.cycles(3).unwrap();
    t.up = true;
    t.cycles(3).unwrap();
    // One beside what was on it may be lost; the reply may be.
    t.go(1, 1, 8, 0).unwrap();
    t.cycles(2).unwrap();
    t.deliver(1, 1, 11).unwrap();
    let mut lost = t.go(1, 1, 11, 0);
    lost = lost.and(t.cycles(1));
    assert_eq!(kind(lost), "lost");
}

#[test]
fn adapters_that_are_not_judged_are_named() {
    let says = |p| settings(&p).unwrap_err();
    assert_eq!(says(Params { srp: true, ..params() }), "an hca with SRP = 1 has no scoreboard of events");
}
