//! The scoreboard on made-up traces.

use super::{Adapter, settings};
use crate::cosim::events::pins::{Driven, Pins};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::cosim::events::worm::header::{Header, Words, kind as of};
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;

const CONTROL: u32 = 0;
const REAL_TIME: u32 = 1;
const BEST_EFFORT: u32 = 2;
/// Lanes: real-time, best-effort, of replies, of control.
const RT: u32 = 0;
const BE: u32 = 1;
const REPLIES: u32 = 2;
const CTL: u32 = 3;
const LID: u32 = 0x0105;
/// Flits of a probe.
const OWN: u32 = 10;

fn params() -> Params {
    Build::named(UnitKind::WormAdapter, Some("two")).unwrap().params
}

struct Trace {
    pins: Pins,
    judge: Adapter,
    up: u32,
    ready: u32,
    /// Lanes that are held.
    held: u32,
    /// The router gives each credit back at once.
    credits: bool,
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        let (up, ready, held) = (self.up, self.ready, self.held);
        self.set("link_up", 0, up).show("open_ready", 0, ready).show("post_ready", 0, ready);
        (0..4).for_each(|v| {
            self.set("be_hold", v, held >> v & 1);
        });
        let [valid, lane] = ["tx_valid", "tx_vl"].map(|n| self.pins.output[self.pins.output(n)]);
        if self.credits && valid == 1 && lane < 4 {
            self.set("rx_credit", lane as usize, 1);
        }
        let result = self.pins.judged(&mut self.judge);
        self.pins.rest();
        result
    }
}

fn data(tag: u32, r: u32) -> Words {
    [tag, r, 5, 6]
}

/// A header of best-effort or control.
fn header(lane: u32, dlid: u32, length: u32) -> Header {
    let kind = if lane == CTL { of::CONTROL } else { of::DATA };
    Header { lane, dlid, length, slid: LID, kind, ..Header::default() }
}

impl Trace {
    fn ready() -> Trace {
        Trace::but(&[])
    }

    /// With other tolerances.
    fn but(values: &[(&str, i64)]) -> Trace {
        let p = params();
        let mut all =
            vec![("receive", 2), ("settle", 2), ("hold", 4), ("down", 4), ("free", 4), ("early", 0)];
        all.extend_from_slice(values);
        let judge = Adapter::new(&p, &Settings::but(settings(&p), &all));
        let pins = Pins::new(UnitKind::WormAdapter, &p);
        let mut t = Trace { pins, judge, up: 1, ready: 1, held: 0, credits: true };
        t.write("LID", LID);
        t.cycles(10).unwrap();
        t
    }

    fn write(&mut self, name: &str, value: u32) {
        let number = addr(UnitKind::WormAdapter, name).into();
        self.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, value).cycle().unwrap();
        self.cycles(4).unwrap();
    }

    fn answer(&mut self, post: u32, why: u32, tag: u32) -> Result<(), Broken> {
        self.show("done_valid", 0, 1).show("done_post", 0, post).show("done_ok", 0, u32::from(why == 0));
        self.show("done_why", 0, why).show("done_tag", 0, tag).cycle()
    }

    /// An open, and what `done_why` says to it.
    fn open(&mut self, conn: u32, dlid: u32, bw: u32, why: u32) -> Result<(), Broken> {
        self.set("open_valid", 0, 1).set("open_conn", 0, conn).set("open_dlid", 0, dlid);
        self.set("open_bw", 0, bw).cycle()?;
        self.answer(0, why, conn)
    }

    /// A post, and what `done_why` says to it.
    fn post(&mut self, class: u32, to: u32, len: u32, tag: u32, why: u32) -> Result<(), Broken> {
        let name = if class == REAL_TIME { "post_conn" } else { "post_dlid" };
        self.set("post_valid", 0, 1).set("post_class", 0, class).set(name, 0, to);
        self.set("post_len", 0, len).set("post_tag", 0, tag).cycle()?;
        self.answer(1, why, tag)
    }

    fn event(&mut self, what: u32, conn: u32) -> Result<(), Broken> {
        self.show("event_valid", 0, 1).show("event_kind", 0, what).show("event_conn", 0, conn).cycle()
    }

    fn complete(&mut self, class: u32, conn: u32, tag: u32) -> Result<(), Broken> {
        self.show("cqe_valid", 0, 1).show("cqe_class", 0, class).show("cqe_conn", 0, conn);
        self.show("cqe_tag", 0, tag).cycle()
    }

    fn ask(&mut self, tag: u32, index: u32) -> Result<(), Broken> {
        for (w, word) in data(tag, index).into_iter().enumerate() {
            self.set("dma_data", w, word);
        }
        self.show("dma_valid", 0, 1).show("dma_tag", 0, tag).show("dma_index", 0, index).cycle()
    }

    fn flit(&mut self, lane: u32, first: bool, last: bool, words: Words) -> Result<(), Broken> {
        for (w, word) in words.into_iter().enumerate() {
            self.show("tx_data", w, word);
        }
        self.show("tx_valid", 0, 1).show("tx_vl", 0, lane).show("tx_first", 0, first.into());
        self.show("tx_last", 0, last.into()).cycle()
    }

    /// A whole message leaves.
    fn send(&mut self, h: Header, tag: u32) -> Result<(), Broken> {
        (1..h.length).try_for_each(|r| self.ask(tag, r))?;
        let lane = if h.kind == of::PROBE || h.kind == of::RELEASE { CTL } else { h.lane };
        self.flit(lane, true, h.length == 1, h.words())?;
        (1..h.length).try_for_each(|r| self.flit(lane, false, r + 1 == h.length, data(tag, r)))
    }

    /// A probe or release leaves.
    fn own(&mut self, h: Header) -> Result<(), Broken> {
        self.flit(CTL, true, false, h.words())?;
        (1..OWN).try_for_each(|r| self.flit(CTL, false, r + 1 == OWN, [0; 4]))
    }

    fn comes(&mut self, lane: u32, first: bool, last: bool, words: Words) -> Result<(), Broken> {
        for (w, word) in words.into_iter().enumerate() {
            self.set("rx_data", w, word);
        }
        self.set("rx_valid", 0, 1).set("rx_vl", 0, lane).set("rx_first", 0, first.into());
        self.set("rx_last", 0, last.into()).cycle()
    }

    fn pulse(&mut self, lane: u32) -> Result<(), Broken> {
        self.show("tx_credit", lane as usize, 1).cycle()
    }

    fn shows(&mut self, lane: u32, first: bool, last: bool, words: Words) -> Result<(), Broken> {
        for (w, word) in words.into_iter().enumerate() {
            self.show("dlv_data", w, word);
        }
        self.show("dlv_valid", 0, 1).show("dlv_vl", 0, lane).show("dlv_first", 0, first.into());
        self.show("dlv_last", 0, last.into()).cycle()
    }

    /// A reply comes, and its credit is given back.
    fn reply(&mut self, h: Header) -> Result<(), Broken> {
        self.comes(REPLIES, true, true, h.words())?;
        self.pulse(REPLIES)
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

/// The probe of connection 1 to DLID 9, with a bandwidth of 60.
fn probe() -> Header {
    Header { lane: RT, dlid: 9, length: OWN, slid: LID, kind: of::PROBE, flags: 0, conn: 1, bw: 60, node: 0 }
}

/// An answer to it.
fn said(ack: bool, node: u32) -> Header {
    let kind = if ack { of::ACK } else { of::NACK };
    Header { dlid: LID, slid: 9, kind, node, ..probe() }
}

fn admits() -> Trace {
    let mut t = Trace::ready();
    t.write("CTRL", 2);
    t.write("FIRST_NODE", 3);
    t
}

/// Its probe has left.
fn probed() -> Trace {
    let mut t = admits();
    t.open(1, 9, 60, 0).unwrap();
    t.own(probe()).unwrap();
    t
}

/// Connection 1 to DLID 9 is open without admission.
fn opened() -> Trace {
    let mut t = Trace::ready();
    t.open(1, 9, 60, 0).unwrap();
    t.event(1, 1).unwrap();
    t.cycles(4).unwrap();
    t
}

#[test]
fn a_message_that_is_accepted_leaves_once_and_whole_and_completes_once() {
    let accepted = || {
        let mut t = Trace::ready();
        t.post(BEST_EFFORT, 7, 3, 0x11, 0).unwrap();
        t
    };
    let mut t = accepted();
    t.send(header(BE, 7, 3), 0x11).unwrap();
    t.complete(BEST_EFFORT, 0, 0x11).unwrap();
    t.cycles(200).unwrap();
    assert_eq!((t.count("left"), t.count("complete")), (1, 1));
    assert_eq!(kind(t.complete(BEST_EFFORT, 0, 0x11)), "complete");
    assert_eq!(kind(t.flit(BE, true, false, header(BE, 7, 3).words())), "stranger");
    // Another header, lane, order of flits.
    for (h, found) in [
        (header(BE, 8, 3), "stranger"),
        (header(BE, 7, 2), "stranger"),
        (Header { slid: LID + 1, ..header(BE, 7, 3) }, "stranger"),
        (Header { flags: 1, ..header(BE, 7, 3) }, "stranger"),
        (header(RT, 7, 3), "lane"),
        (header(REPLIES, 7, 3), "lane"),
    ] {
        assert_eq!(kind(accepted().flit(h.lane, true, false, h.words())), found);
    }
    assert_eq!((kind(accepted().ask(0x11, 2)), kind(accepted().ask(0x12, 1))), ("dma", "dma"));
    // A flit that is another, was not asked for, ends too early, or too late; a header inside.
    let inside = |asked: u32, first, last, words| {
        let mut t = accepted();
        (1..=asked).for_each(|r| t.ask(0x11, r).unwrap());
        t.flit(BE, true, false, header(BE, 7, 3).words()).unwrap();
        kind(t.flit(BE, first, last, words))
    };
    assert_eq!(inside(2, false, false, data(0x11, 2)), "intact");
    assert_eq!(inside(0, false, false, data(0x11, 1)), "intact");
    assert_eq!(inside(2, false, true, data(0x11, 1)), "framing");
    assert_eq!(inside(2, true, false, header(BE, 7, 3).words()), "framing");
    assert_eq!(kind(Trace::ready().flit(BE, false, true, data(0x11, 1))), "framing");
    let mut t = accepted();
    assert_eq!(kind(t.show("tx_bad", 0, 1).flit(BE, true, false, header(BE, 7, 3).words())), "framing");
    // It completes when it has left, and then soon.
    assert_eq!(kind(accepted().complete(BEST_EFFORT, 0, 0x11)), "complete");
    let mut t = accepted();
    t.send(header(BE, 7, 3), 0x11).unwrap();
    assert_eq!(kind(t.cycles(200)), "complete");
}

#[test]
fn messages_leave_in_the_order_that_is_promised() {
    let control = || {
        let mut t = Trace::ready();
        t.post(CONTROL, 7, 2, 1, 0).unwrap();
        t.post(CONTROL, 8, 2, 2, 0).unwrap();
        t
    };
    let mut t = control();
    t.send(header(CTL, 7, 2), 1).unwrap();
    t.send(header(CTL, 8, 2), 2).unwrap();
    assert_eq!(kind(control().flit(CTL, true, false, header(CTL, 8, 2).words())), "order");
    assert_eq!(kind(control().ask(2, 1)), "dma");
    // Of a connection, too; they share a lane.
    let real_time = || {
        let mut t = opened();
        t.post(REAL_TIME, 1, 1, 1, 0).unwrap();
        t.post(REAL_TIME, 1, 2, 2, 0).unwrap();
        t
    };
    let h = |length| Header { flags: 2, conn: 1, ..header(RT, 9, length) };
    let mut t = real_time();
    t.send(h(1), 1).unwrap();
    t.send(h(2), 2).unwrap();
    assert_eq!(kind(real_time().flit(RT, true, false, h(2).words())), "order");
    let h = Header { lane: BE, ..h(1) };
    assert_eq!(kind(real_time().flit(BE, true, true, h.words())), "lane");
    // Of best-effort messages that are alike any may be the first.
    let mut t = Trace::ready();
    t.post(BEST_EFFORT, 7, 1, 1, 0).unwrap();
    t.post(BEST_EFFORT, 7, 1, 2, 0).unwrap();
    t.send(header(BE, 7, 1), 1).unwrap();
    t.complete(BEST_EFFORT, 0, 2).unwrap();
    assert_eq!(kind(t.complete(BEST_EFFORT, 0, 1)), "complete");
    t.send(header(BE, 7, 1), 1).unwrap();
    t.complete(BEST_EFFORT, 0, 1).unwrap();
    let mut t = Trace::ready();
    t.post(BEST_EFFORT, 7, 2, 1, 0).unwrap();
    t.post(BEST_EFFORT, 7, 2, 2, 0).unwrap();
    t.ask(1, 1).unwrap();
    t.send(header(BE, 7, 2), 2).unwrap();
    t.complete(BEST_EFFORT, 0, 2).unwrap();
    // So with two that leave beside each other.
    let beside = |tags: [u32; 2]| {
        let mut t = Trace::ready();
        t.write("BE_MASK", 3);
        (1..3).for_each(|tag| t.post(BEST_EFFORT, 7, 2, tag, 0).unwrap());
        (1..3).for_each(|tag| t.ask(tag, 1).unwrap());
        for lane in [RT, BE] {
            t.flit(lane, true, false, header(lane, 7, 2).words()).unwrap();
        }
        t.flit(RT, false, true, data(tags[0], 1)).unwrap();
        t.flit(BE, false, true, data(tags[1], 1))
    };
    assert_eq!((beside([1, 2]), beside([2, 1]), kind(beside([2, 2]))), (Ok(()), Ok(()), "intact"));
}

#[test]
fn the_links_credits_are_neither_overdrawn_nor_kept() {
    let mut t = Trace::ready();
    t.credits = false;
    t.post(BEST_EFFORT, 7, 5, 1, 0).unwrap();
    assert_eq!(kind(t.send(header(BE, 7, 5), 1)), "credit");
    // Credits that are not home.
    let mut t = Trace::ready();
    t.credits = false;
    t.post(BEST_EFFORT, 7, 1, 1, 0).unwrap();
    t.send(header(BE, 7, 1), 1).unwrap();
    t.complete(BEST_EFFORT, 0, 1).unwrap();
    t.cycles(6).unwrap();
    assert_eq!(kind(t.show("link_free", BE as usize, 1).cycle()), "free");
    // A link that is down.
    let mut t = Trace::ready();
    t.post(BEST_EFFORT, 7, 1, 1, 0).unwrap();
    t.up = 0;
    t.cycles(10).unwrap();
    assert_eq!((kind(t.send(header(BE, 7, 1), 1)), t.count("falls")), ("down", 1));
    // What comes gives one pulse, in time.
    let came = || {
        let mut t = Trace::ready();
        t.comes(BE, true, true, Header { slid: 1, dlid: LID, ..header(BE, LID, 1) }.words()).unwrap();
        t.shows(BE, true, true, Header { slid: 1, dlid: LID, ..header(BE, LID, 1) }.words()).unwrap();
        t
    };
    let mut t = came();
    t.pulse(BE).unwrap();
    t.cycles(200).unwrap();
    assert_eq!(
        (kind(t.pulse(BE)), kind(came().pulse(RT)), kind(came().cycles(200))),
        ("overdrawn", "overdrawn", "leak")
    );
}

#[test]
fn what_comes_reaches_the_host_as_it_came() {
    let h = Header { slid: 1, dlid: LID, ..header(RT, LID, 2) };
    let came = |h: Header, lane| {
        let mut t = Trace::ready();
        t.comes(lane, true, false, h.words()).unwrap();
        t
    };
    let mut t = came(h, RT);
    t.shows(RT, true, false, h.words()).unwrap();
    t.pulse(RT).unwrap();
    t.comes(RT, false, true, data(1, 1)).unwrap();
    t.shows(RT, false, true, data(1, 1)).unwrap();
    t.pulse(RT).unwrap();
    t.cycles(200).unwrap();
    assert_eq!((t.count("shown"), kind(t.shows(RT, false, true, data(1, 1)))), (2, "host"));
    let shown = |first, last, words| kind(came(h, RT).shows(RT, first, last, words));
    assert_eq!((shown(true, false, data(1, 1)), shown(true, true, h.words())), ("host", "host"));
    let mut t = came(h, RT);
    t.pulse(RT).unwrap();
    assert_eq!(kind(t.cycles(200)), "host");
    // For another, and a probe.
    for other in [Header { dlid: LID + 1, ..h }, Header { kind: of::PROBE, ..h }] {
        assert_eq!(kind(came(other, RT).shows(RT, true, false, other.words())), "host");
    }
    // The LID is written just now.
    for shows in [false, true] {
        let mut t = Trace::ready();
        let number = addr(UnitKind::WormAdapter, "LID").into();
        t.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, 7).cycle().unwrap();
        t.comes(RT, true, true, h.words()).unwrap();
        if shows {
            t.shows(RT, true, true, h.words()).unwrap();
        }
        t.pulse(RT).unwrap();
        t.cycles(200).unwrap();
        assert_eq!(t.count("unsure"), 1);
    }
    // What a fall cuts off is told.
    let fallen = || {
        let mut t = came(h, RT);
        t.shows(RT, true, false, h.words()).unwrap();
        t.up = 0;
        t.cycle().unwrap();
        t
    };
    let mut t = fallen();
    t.show("dlv_cut", RT as usize, 1).cycle().unwrap();
    t.cycles(200).unwrap();
    assert_eq!((t.count("cuts"), kind(fallen().cycles(200))), (1, "cut"));
    assert_eq!(kind(t.show("dlv_cut", RT as usize, 1).cycle()), "cut");
    assert_eq!(kind(fallen().shows(RT, false, true, data(1, 1))), "cut");
}

#[test]
fn an_open_has_the_answer_that_the_rules_allow() {
    let mut t = admits();
    t.write("LIMIT", 100);
    t.open(1, 9, 60, 0).unwrap();
    t.cycles(4).unwrap();
    // There is room for 40.
    t.open(2, 9, 41, 3).unwrap();
    assert_eq!((kind(t.open(2, 9, 40, 3)), kind(t.open(2, 9, 41, 0))), ("open", "booked"));
    // Not idle, none such, no bandwidth.
    for (conn, bw, why) in [(1, 10, 1), (8, 10, 1), (2, 0, 2), (2, 4097, 2)] {
        let ready = || {
            let mut t = admits();
            t.open(1, 9, 60, 0).unwrap();
            t.cycles(4).unwrap();
            t
        };
        ready().open(conn, 9, bw, why).unwrap();
        assert_eq!(kind(ready().open(conn, 9, bw, 0)), "open");
        assert_eq!(kind(ready().open(conn, 9, bw, 3)), "open");
    }
    assert_eq!(kind(admits().open(1, 9, 60, 1)), "open");
    assert_eq!(kind(admits().open(1, 9, 60, 5)), "done");
    // Credits: M = 8, C_B = 2, and half of the link has 4 of them.
    let credits = || {
        let mut t = Trace::ready();
        t.write("CTRL", 1);
        t.open(1, 9, 2048, 0).unwrap();
        t.event(1, 1).unwrap();
        t.cycles(4).unwrap();
        t
    };
    credits().open(2, 9, 1024, 0).unwrap();
    credits().open(2, 9, 1536, 4).unwrap();
    assert_eq!((kind(credits().open(2, 9, 1536, 0)), kind(credits().open(2, 9, 1024, 4))), ("sum", "open"));
    // An answer for another, none at all.
    let mut t = Trace::ready();
    assert_eq!(kind(t.answer(0, 0, 1)), "done");
    t.set("open_valid", 0, 1).set("open_conn", 0, 1).cycle().unwrap();
    assert_eq!(kind(t.cycles(200)), "done");
    let mut t = Trace::ready();
    t.ready = 0;
    assert_eq!(kind(t.cycles(200)), "done");
    // PROBE_GAP.
    let gap = |wait| {
        let mut t = admits();
        t.write("PROBE_GAP", 20);
        t.open(1, 9, 60, 0).unwrap();
        t.cycles(wait).unwrap();
        t.open(2, 9, 60, 0)
    };
    assert_eq!((kind(gap(15)), gap(20)), ("gap", Ok(())));
}

#[test]
fn probes_replies_and_events_are_those_of_their_opens() {
    let mut t = probed();
    t.reply(said(true, 0)).unwrap();
    t.event(1, 1).unwrap();
    t.cycles(200).unwrap();
    assert_eq!((t.count("probes"), t.count("events")), (1, 1));
    // Nobody answered, or refused; not within the time; twice.
    assert_eq!(
        (kind(probed().event(1, 1)), kind(probed().event(2, 1)), kind(probed().event(3, 1))),
        ("event", "event", "event")
    );
    assert_eq!((kind(probed().event(0, 1)), kind(probed().event(1, 8))), ("event", "event"));
    let mut t = probed();
    t.reply(said(true, 0)).unwrap();
    assert_eq!(kind(t.cycles(300)), "event");
    assert_eq!(kind(t.event(2, 1)), "event");
    t.event(1, 1).unwrap();
    assert_eq!(kind(t.event(1, 1)), "event");
    // A reply that is not to this probe.
    for other in [
        Header { slid: 8, ..said(true, 0) },
        Header { bw: 61, ..said(true, 0) },
        Header { flags: 4, ..said(true, 0) },
        Header { conn: 2, ..said(true, 0) },
    ] {
        let mut t = probed();
        t.reply(other).unwrap();
        assert_eq!(kind(t.event(1, 1)), "event");
    }
    // Probes that are wrong, twice, of nobody.
    for (h, found) in [
        (Header { bw: 61, ..probe() }, "probe"),
        (Header { dlid: 8, ..probe() }, "probe"),
        (Header { flags: 4, ..probe() }, "probe"),
        (Header { conn: 2, ..probe() }, "probe"),
        (Header { node: 1, ..probe() }, "probe"),
        (Header { kind: of::RELEASE, ..probe() }, "probe"),
        (Header { kind: 9, ..probe() }, "probe"),
        (Header { lane: BE, ..probe() }, "lane"),
    ] {
        let mut t = admits();
        t.open(1, 9, 60, 0).unwrap();
        assert_eq!(kind(t.own(h)), found);
    }
    assert_eq!(kind(probed().own(probe())), "probe");
    let flit = |last, words| {
        let mut t = admits();
        t.open(1, 9, 60, 0).unwrap();
        t.flit(CTL, true, false, probe().words()).unwrap();
        kind(t.flit(CTL, false, last, words))
    };
    assert_eq!((flit(false, [1, 0, 0, 0]), flit(true, [0; 4])), ("probe", "framing"));
    // Refused by the first node, and by another.
    let mut t = probed();
    t.reply(said(false, 3)).unwrap();
    t.event(2, 1).unwrap();
    let far = || {
        let mut t = probed();
        t.reply(said(false, 4)).unwrap();
        t
    };
    assert_eq!(kind(far().event(2, 1)), "event");
    let release = Header { kind: of::RELEASE, node: 4, ..probe() };
    assert_eq!(kind(far().own(Header { node: 5, ..release })), "probe");
    let mut t = far();
    t.own(release).unwrap();
    t.event(2, 1).unwrap();
    // It is idle: its bandwidth is free.
    t.cycles(4).unwrap();
    t.open(1, 9, 4096, 0).unwrap();
    let mut t = far();
    t.own(release).unwrap();
    assert_eq!(kind(t.cycles(300)), "event");
    // A probe that does not leave.
    let mut t = admits();
    t.open(1, 9, 60, 0).unwrap();
    assert_eq!(kind(t.cycles(1000)), "hang");
}

#[test]
fn a_probe_is_given_up_where_something_may_be_lost() {
    let mut t = probed();
    assert_eq!(kind(t.open(1, 9, 0, 0)), "open");
    t.open(1, 9, 0, 1).unwrap();
    let fallen = || {
        let mut t = probed();
        t.up = 0;
        t.cycles(4).unwrap();
        t.up = 1;
        t.cycles(4).unwrap();
        t
    };
    let mut t = fallen();
    t.open(1, 9, 0, 0).unwrap();
    t.event(2, 1).unwrap();
    assert_eq!(kind(fallen().open(1, 9, 0, 1)), "open");
    let mut t = fallen();
    t.open(1, 9, 0, 0).unwrap();
    assert_eq!(kind(t.cycles(300)), "event");
}

#[test]
fn no_more_is_accepted_than_the_credits_allow() {
    let mut t = Trace::ready();
    for (class, to, len, why) in
        [(3, 7, 1, 2), (BEST_EFFORT, 7, 0, 2), (BEST_EFFORT, 7, 13, 2), (REAL_TIME, 1, 1, 1)]
    {
        t.post(class, to, len, 1, why).unwrap();
        assert_eq!(kind(Trace::ready().post(class, to, len, 1, 0)), "post");
    }
    assert_eq!(kind(t.post(BEST_EFFORT, 7, 1, 1, 6)), "post");
    assert_eq!(kind(t.post(BEST_EFFORT, 7, 1, 1, 5)), "post");
    assert_eq!(kind(t.answer(1, 0, 1)), "done");
    t.set("post_valid", 0, 1).set("post_class", 0, 2).set("post_len", 0, 1).cycle().unwrap();
    assert_eq!(kind(t.cycles(200)), "done");
    // M.
    let full = || {
        let mut t = Trace::ready();
        t.write("M", 2);
        (1..3).for_each(|tag| t.post(BEST_EFFORT, 7, 1, tag, 0).unwrap());
        t
    };
    full().post(BEST_EFFORT, 7, 1, 3, 5).unwrap();
    assert_eq!(kind(full().post(BEST_EFFORT, 7, 1, 3, 0)), "quota");
    // A credit is there when its message has left.
    let mut t = full();
    t.send(header(BE, 7, 1), 1).unwrap();
    t.complete(BEST_EFFORT, 0, 1).unwrap();
    t.cycles(4).unwrap();
    assert_eq!(kind(t.post(BEST_EFFORT, 7, 1, 3, 5)), "post");
    t.post(BEST_EFFORT, 7, 1, 3, 0).unwrap();
    // C_B, and the credits of a stream: 4 at half of the link.
    let credits = |class: u32, to: u32, n: u32| {
        let mut t = Trace::ready();
        t.write("CTRL", 1);
        t.open(1, 9, 2048, 0).unwrap();
        t.event(1, 1).unwrap();
        t.cycles(4).unwrap();
        (0..n).for_each(|tag| t.post(class, to, 1, tag, 0).unwrap());
        t
    };
    for (class, to, n) in [(BEST_EFFORT, 7, 2), (REAL_TIME, 1, 4)] {
        credits(class, to, n).post(class, to, 1, n, 6).unwrap();
        assert_eq!(kind(credits(class, to, n).post(class, to, 1, n, 0)), "quota");
        assert_eq!(kind(credits(class, to, n - 1).post(class, to, 1, n, 6)), "post");
    }
    // The queue of control messages has 4 places, and a lane 12.
    let mut t = Trace::ready();
    (0..17).for_each(|tag| t.post(CONTROL, 7, 1, tag, 0).unwrap());
    assert_eq!(kind(t.post(CONTROL, 7, 1, 17, 0)), "quota");
    assert_eq!(kind(Trace::ready().post(CONTROL, 7, 1, 1, 5)), "post");
}

#[test]
fn a_stream_ends_with_its_last_message() {
    let last = || {
        let mut t = opened();
        t.set("post_final", 0, 1).post(REAL_TIME, 1, 1, 1, 0).unwrap();
        t
    };
    let h = Header { flags: 3, conn: 1, ..header(RT, 9, 1) };
    assert_eq!(kind(last().event(3, 1)), "event");
    assert_eq!(kind(last().post(REAL_TIME, 1, 1, 2, 0)), "post");
    assert_eq!(kind(last().send(Header { bw: 60, ..h }, 1)), "stranger");
    let left = || {
        let mut t = last();
        t.send(h, 1).unwrap();
        t.complete(REAL_TIME, 1, 1).unwrap();
        t
    };
    let mut t = left();
    t.event(3, 1).unwrap();
    t.cycles(200).unwrap();
    assert_eq!(kind(left().cycles(300)), "event");
}

#[test]
fn headers_are_held_and_lanes_say_what_is_in_them() {
    let held = |wait| {
        let mut t = Trace::ready();
        t.post(BEST_EFFORT, 7, 1, 1, 0).unwrap();
        t.held = 1 << BE;
        t.cycles(wait).unwrap();
        t.send(header(BE, 7, 1), 1)
    };
    assert_eq!((held(3), kind(held(10))), (Ok(()), "held"));
    let mut t = Trace::ready();
    assert_eq!(kind(t.show("be_front", BE as usize, 1).show("be_dlid", BE as usize, 7).cycle()), "front");
    assert_eq!(kind(t.show("lane_full", BE as usize, 1).cycle()), "front");
    t.post(BEST_EFFORT, 7, 1, 1, 0).unwrap();
    t.show("be_front", BE as usize, 1).show("be_dlid", BE as usize, 7).cycle().unwrap();
    assert_eq!(kind(t.show("be_front", BE as usize, 1).show("be_dlid", BE as usize, 8).cycle()), "front");
}

/// Two messages of best-effort in the lane that was so: the first one is inside, and has no credit to go on.
#[test]
fn what_is_in_a_lane_that_is_best_effort_no_more_waits_for_its_credits() {
    let run = |other: bool| {
        let mut t = Trace::ready();
        t.credits = false;
        t.post(BEST_EFFORT, 7, 5, 1, 0).unwrap();
        t.post(BEST_EFFORT, 7, 5, 2, 0).unwrap();
        (1..5).try_for_each(|r| t.ask(1, r))?;
        t.flit(BE, true, false, header(BE, 7, 5).words())?;
        (1..4).try_for_each(|r| t.flit(BE, false, false, data(1, r)))?;
        if other {
            t.write("BE_MASK", 1 << RT);
        }
        t.cycles(1000)
    };
    assert_eq!((run(true), run(false)), (Ok(()), Ok(())));
}

#[test]
fn what_could_go_goes() {
    let mut t = Trace::ready();
    t.post(BEST_EFFORT, 7, 1, 1, 0).unwrap();
    assert_eq!(kind(t.cycles(700)), "hang");
    // Not while it is held.
    let mut t = Trace::ready();
    t.post(BEST_EFFORT, 7, 1, 1, 0).unwrap();
    t.held = 1 << BE;
    t.cycles(700).unwrap();
    // One that has begun, beside a lane that is held.
    let begun = |credits| {
        let mut t = Trace::ready();
        t.write("BE_MASK", 3);
        t.held = 1 << RT;
        t.post(BEST_EFFORT, 7, 6, 1, 0).unwrap();
        (1..6).for_each(|r| t.ask(1, r).unwrap());
        t.credits = credits;
        t.flit(BE, true, false, header(BE, 7, 6).words()).unwrap();
        (1..4).for_each(|r| t.flit(BE, false, false, data(1, r)).unwrap());
        t.cycles(700)
    };
    assert_eq!((kind(begun(true)), begun(false)), ("stuck", Ok(())));
    // Control, and best-effort goes all the time.
    let mut t = Trace::but(&[("turns", 20)]);
    t.post(CONTROL, 7, 1, 1, 0).unwrap();
    t.cycles(70).unwrap();
    let starved = (2..20).try_for_each(|tag| {
        t.post(BEST_EFFORT, 7, 6, tag, 0)?;
        t.send(header(BE, 7, 6), tag)?;
        t.complete(BEST_EFFORT, 0, tag)
    });
    assert_eq!(kind(starved), "starved");
}

#[test]
fn it_becomes_ready_and_only_valid_fields_mean_something() {
    let p = params();
    let mut judge = Adapter::new(&p, &Settings::new(settings(&p)));
    let mut pins = Pins::new(UnitKind::WormAdapter, &p);
    let late = (0..3000).try_for_each(|_| pins.judged(&mut judge));
    assert_eq!(kind(late), "ready");
    for (valid, field) in [
        ("done_valid", "done_tag"),
        ("event_valid", "event_conn"),
        ("cqe_valid", "cqe_tag"),
        ("dma_valid", "dma_index"),
        ("tx_valid", "tx_data"),
        ("dlv_valid", "dlv_data"),
        ("be_front", "be_dlid"),
    ] {
        let at = pins.output(field);
        for (on, is) in [(0, 0), (1, 5)] {
            pins.rest();
            let valid = pins.output(valid);
            (pins.output[valid], pins.output[at]) = (on, 5);
            judge.meaningful(&mut pins.output);
            assert_eq!(pins.output[at], is, "{field}");
        }
    }
}
