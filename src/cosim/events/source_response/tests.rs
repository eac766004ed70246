//! The source response's scoreboard on made-up traces.

use super::{Response, settings};
use crate::cosim::events::pins::{Driven, Pins};
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, Params, UnitKind};
use crate::registers::addr;

fn params() -> Params {
    Build::named(UnitKind::SourceResponse, Some("tiny")).unwrap().params
}

/// IRDMAX of the build.
const LONGEST: u32 = 256;
const CLEAN: u32 = 0;
const HOT: u32 = 4;

/// Inputs and outputs by name, a cycle at a time; flows of `want` have packets.
struct Trace {
    pins: Pins,
    judge: Response,
    want: u32,
}

impl Driven for Trace {
    fn pins(&mut self) -> &mut Pins {
        &mut self.pins
    }

    fn cycle(&mut self) -> Result<(), Broken> {
        let want = self.want;
        self.set("req", 0, want).set("sl_ok", 0, 0xffff).show("ready", 0, 1);
        let result = self.pins.judged(&mut self.judge);
        self.pins.rest();
        result
    }
}

impl Trace {
    /// With these registers, for long.
    fn with(ctrl: u32, wmax: u32) -> Trace {
        let p = params();
        let own = [("ack", 4), ("lost", 20), ("withdraw", 2), ("offer", 30), ("turns", 4)];
        let judge = Response::new(&p, &Settings::but(settings(&p), &own));
        let mut t = Trace { pins: Pins::new(UnitKind::SourceResponse, &p), judge, want: 2 };
        t.write("CTRL", ctrl).cycle().unwrap();
        t.write("WMAX", wmax).cycle().unwrap();
        t.cycles(6).unwrap();
        t
    }

    fn write(&mut self, name: &str, value: u32) -> &mut Trace {
        let number = addr(UnitKind::SourceResponse, name).into();
        self.set("cfg_we", 0, 1).set("cfg_addr", 0, number).set("cfg_data", 0, value)
    }

    fn offer(&mut self, flow: u32) -> &mut Trace {
        self.show("inj_valid", 0, 1).show("inj_flow", 0, flow)
    }

    /// A packet of a flow is offered, taken and sent, in two cycles.
    fn packet(&mut self, flow: u32, n: u32) -> Result<(), Broken> {
        self.offer(flow).set("inj_ready", 0, 1).set("inj_len", 0, n).cycle()?;
        self.set("sent", 0, 1).cycle()
    }

    /// And as many cycles later that an ACK is surely its.
    fn long_ago(&mut self, flow: u32, n: u32) {
        self.packet(flow, n).unwrap();
        self.cycles(4).unwrap();
    }

    /// (Of a packet that was accepted more than a moment ago.)
    fn ack(&mut self, flow: u32, bits: u32) -> &mut Trace {
        self.set("ack_valid", 0, 1).set("ack_flow", 0, flow).set("ack_bits", 0, bits)
    }

    fn post(&mut self, flow: u32) -> &mut Trace {
        self.set("post_valid", 0, 1).set("post_flow", 0, flow)
    }

    fn count(&self, name: &str) -> u64 {
        self.judge.cover().iter().find(|c| c.name == name).unwrap().count
    }
}

const ON: u32 = 1;
const LIPD: u32 = 1 << 1;
const SLOTS: u32 = 4 << 1;
const DYN: u32 = 1 << 4;
const FROM_ACK: u32 = 1 << 5;
const ROUND_TRIP: u32 = 1 << 6;
const FORGETS: u32 = 1 << 7;

#[test]
fn a_window_lets_so_many_packets_out_without_acks() {
    let mut t = Trace::with(ON, 2);
    t.packet(1, 1).unwrap();
    t.packet(1, 1).unwrap();
    assert_eq!(kind(t.offer(1).cycle()), "window");
    // An ACK opens it, for one.
    let mut t = Trace::with(ON, 2);
    t.packet(1, 1).unwrap();
    t.long_ago(1, 1);
    t.ack(1, CLEAN).cycle().unwrap();
    t.packet(1, 1).unwrap();
    t.cycles(10).unwrap();
    assert_eq!((t.count("last_place"), t.count("windows")), (2, 3));
    assert_eq!(kind(t.packet(1, 1)), "window");
    // Another flow's, or none: it does not.
    let mut t = Trace::with(ON, 1);
    t.packet(1, 1).unwrap();
    t.ack(2, CLEAN).cycle().unwrap();
    assert_eq!(kind(t.packet(1, 1)), "window");
    // Without windows, or switched off.
    for (ctrl, wmax) in [(ON, 0), (0, 1)] {
        let mut t = Trace::with(ctrl, wmax);
        (0..5).for_each(|_| t.packet(1, 1).unwrap());
    }
}

#[test]
fn what_a_silent_flow_has_outstanding_is_given_up() {
    let silent = |cycles: u32| {
        let mut t = Trace::with(ON, 1);
        t.packet(1, 1).unwrap();
        t.cycles(cycles)?;
        t.packet(1, 1)
    };
    assert_eq!(kind(silent(LONGEST - 3)), "window");
    silent(LONGEST + 2).unwrap();
    // And must be, some time.
    assert_eq!(kind(silent(LONGEST + 20 + 150)), "hang");
}

#[test]
fn windows_follow_the_severities_of_acks() {
    let mut t = Trace::with(ON | DYN, 3);
    let out = |t: &mut Trace| (0..).take_while(|_| t.packet(1, 1).is_ok()).count();
    (0..3).for_each(|_| t.long_ago(1, 1));
    (0..3).for_each(|_| t.ack(1, HOT).cycle().unwrap());
    t.cycles(10).unwrap();
    // One, not three.
    assert_eq!(out(&mut t), 1);
    // A post into an empty queue with nothing outstanding begins anew.
    for (ctrl, packets) in [(ON | DYN | FORGETS, 3), (ON | DYN, 2)] {
        let mut t = Trace::with(ctrl, 3);
        t.long_ago(1, 1);
        t.ack(1, HOT).cycle().unwrap();
        t.cycles(10).unwrap();
        t.post(1).cycle().unwrap();
        t.cycles(10).unwrap();
        assert_eq!(out(&mut t), packets);
    }
}

/// A hot ACK of a packet of 4 flits; the next one so many cycles after it, or after the packet.
#[test]
fn delays_follow_marks() {
    let run = |ctrl: u32, wait: u32| {
        let mut t = Trace::with(ctrl, 4);
        t.write("LINK_INTERVAL", 5).cycle().unwrap();
        t.write("RTT_MIN", 30).cycle().unwrap();
        t.set("wt_we", 0, 1).set("wt_addr", 0, 1).set("wt_data", 0, 40).cycle().unwrap();
        t.cycles(8).unwrap();
        t.long_ago(1, 4);
        t.ack(1, HOT).cycle().unwrap();
        t.cycles(5).unwrap();
        (0..wait).try_for_each(|_| t.cycle())?;
        t.offer(1).cycle()?;
        Ok(t.count("delays_close"))
    };
    // A time of 2 packet times of 20 cycles: one more than 20 after its end on the link, which is 20 after its acceptance.
    assert_eq!((kind(run(ON | LIPD, 28)), run(ON | LIPD, 30)), ("spacing", Ok(1)));
    // From the ACK, 2 cycles after it; of a round trip; a slot.
    assert_eq!((kind(run(ON | LIPD | FROM_ACK, 14)), run(ON | LIPD | FROM_ACK, 16)), ("spacing", Ok(1)));
    let ctrl = ON | LIPD | FROM_ACK | ROUND_TRIP;
    assert_eq!((kind(run(ctrl, 24)), run(ctrl, 26)), ("spacing", Ok(1)));
    assert_eq!((kind(run(ON | SLOTS, 34)), run(ON | SLOTS, 36)), ("spacing", Ok(1)));
    assert_eq!((run(ON, 0), run(0, 0)), (Ok(0), Ok(0)));
}

#[test]
fn a_flow_with_a_delay_waits_for_its_last_flit() {
    let mut t = Trace::with(ON | LIPD, 4);
    t.long_ago(1, 1);
    t.ack(1, HOT).cycle().unwrap();
    t.cycles(8).unwrap();
    t.offer(1).set("inj_ready", 0, 1).set("inj_len", 0, 1).cycle().unwrap();
    t.cycles(10).unwrap();
    assert_eq!(kind(t.offer(1).cycle()), "sending");
}

#[test]
fn a_write_or_an_ack_of_a_moment_ago_need_not_be_seen() {
    let mut t = Trace::with(ON, 1);
    t.packet(1, 1).unwrap();
    t.write("WMAX", 2).cycle().unwrap();
    t.write("WMAX", 1).cycle().unwrap();
    t.packet(1, 1).unwrap();
    assert_eq!(t.count("skipped"), 1);
    let mut t = Trace::with(ON | LIPD, 4);
    t.packet(1, 4).unwrap();
    t.cycles(10).unwrap();
    t.ack(1, HOT).cycle().unwrap();
    t.offer(1).cycle().unwrap();
}

#[test]
fn offers_are_for_flows_that_want_and_have_their_sl_and_stand() {
    let mut t = Trace::with(ON, 1);
    assert_eq!(kind(t.offer(7).cycle()), "flow");
    let mut t = Trace::with(ON, 1);
    assert_eq!(kind(t.offer(2).cycle()), "want");
    let mut t = Trace::with(ON, 1);
    assert_eq!(kind(t.offer(1).show("inj_sl", 0, 1).cycle()), "sl");
    let mut t = Trace::with(ON, 1);
    t.offer(1).cycle().unwrap();
    assert_eq!(kind(t.cycle()), "dropped");
    let mut t = Trace::with(ON, 1);
    t.set("attr_we", 0, 1).set("attr_flow", 0, 1).set("attr_sl", 0, 3).cycle().unwrap();
    t.cycles(10).unwrap();
    assert_eq!(kind(t.offer(1).cycle()), "sl");
}

#[test]
fn who_could_go_does_and_has_its_turn() {
    let mut t = Trace::with(ON, 1);
    assert_eq!(kind(t.cycles(70)), "hang");
    // One whose window is closed, or has a delay, need not.
    let mut t = Trace::with(ON, 1);
    t.packet(1, 1).unwrap();
    t.cycles(200).unwrap();
    let mut t = Trace::with(0, 1);
    t.want = 6;
    let told = (0..20).find_map(|_| t.packet(2, 1).err());
    assert_eq!(told.unwrap().kind, "starved");
    let mut t = Trace::with(0, 1);
    t.want = 6;
    (0..20).for_each(|k| t.packet(1 + k % 2, 1).unwrap());
    assert!(t.count("turns") > 2);
}

#[test]
fn outputs_that_say_nothing_mean_nothing() {
    let mut t = Trace::with(ON, 1);
    t.show("inj_flow", 0, 3).show("err", 0, 1).show("blocked", 0, 1);
    t.judge.meaningful(&mut t.pins.output);
    assert!(t.pins.output.iter().all(|w| *w == 0));
    t.show("ready", 0, 1).show("inj_valid", 0, 1).show("inj_flow", 0, 3).show("inj_sl", 0, 2);
    let was = t.pins.output.clone();
    t.judge.meaningful(&mut t.pins.output);
    assert_eq!(t.pins.output, was);
}

/// A design may take an ACK, or a post, some cycles late.
#[test]
fn what_comes_within_a_few_cycles_may_come_in_any_order() {
    let with = |ctrl: u32, wmax: u32| {
        let mut t = Trace::with(ctrl, wmax);
        t.set("wt_we", 0, 1).set("wt_addr", 0, 1).set("wt_data", 0, 200).cycle().unwrap();
        t.cycles(6).unwrap();
        t.long_ago(1, 1);
        t
    };
    // An ACK, and enable in the same cycle: it may have made a delay, until that is over.
    let mut t = with(SLOTS, 2);
    t.ack(1, HOT).write("CTRL", ON | SLOTS).cycle().unwrap();
    t.cycles(150).unwrap();
    assert_eq!(kind(t.cycles(250)), "hang");
    // A post, and the ACK of the last packet: it may come behind that.
    let run = |posts: bool| {
        let mut t = with(ON | DYN | FORGETS, 3);
        t.ack(1, HOT).cycle()?;
        t.cycles(10)?;
        t.long_ago(1, 1);
        if posts {
            t.post(1).cycle()?;
        }
        t.ack(1, HOT).cycle()?;
        t.cycles(10)?;
        (0..3).try_for_each(|_| t.packet(1, 1))
    };
    assert_eq!((run(true), kind(run(false))), (Ok(()), "window"));
    // A post, and WMAX.
    let run = |posts: bool| {
        let mut t = with(ON | SLOTS | FORGETS, 0);
        t.ack(1, HOT).cycle()?;
        t.cycles(10)?;
        if posts {
            t.post(1).cycle()?;
        }
        t.write("WMAX", 3).cycle()?;
        t.cycles(6)?;
        t.packet(1, 1)
    };
    assert_eq!((run(true), kind(run(false))), (Ok(()), "spacing"));
}
