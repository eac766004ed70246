//! The source's half on made-up traces.

use super::traces::Trace;
use crate::cosim::events::pins::Driven;
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};

const ON: u32 = 3;
const SPEC: u32 = 1;
const GRANTED: u32 = 2;
const BYPASS: u32 = 3;
const GRANT: u32 = 1;
const ACK: u32 = 2;
const NACK: u32 = 3;

/// A message of so many packets of flow 1, PSN 100, the last packet of 2 flits; its RES has left.
fn asked(build: &str, ctrl: u32, pkts: u32) -> Trace {
    let mut t = Trace::of(build, ctrl);
    t.post(1, pkts, 2, 100).cycle().unwrap();
    t.cycles(3).unwrap();
    let n = pkts.min(4);
    let last = u32::from(pkts <= 4);
    t.asks(1, 1, n, if last == 1 { 4 * n - 2 } else { 4 * n }, last).unwrap();
    t.cycle().unwrap();
    t
}

/// Packets of it that are sent, as this kind.
fn sends(t: &mut Trace, kind: u32, seqs: &[u32], n: u32, last: u32) -> Result<(), Broken> {
    seqs.iter().try_for_each(|s| {
        let len = if last == 1 && s + 1 == n { 2 } else { 4 };
        t.goes([kind, 1, 1, *s, n, last], 100 + s, len)
    })
}

#[test]
fn a_message_goes_as_the_page_says() {
    let mut t = asked("tiny", ON, 6);
    sends(&mut t, SPEC, &[0, 1, 2], 4, 0).unwrap();
    t.reply(ACK, 1, 1, 0, 0).cycle().unwrap();
    t.reply(NACK, 1, 1, 1, 0).cycle().unwrap();
    t.reply(GRANT, 1, 1, 0, 40).cycle().unwrap();
    t.reply(ACK, 1, 1, 2, 0).cycle().unwrap();
    t.cycles(40).unwrap();
    sends(&mut t, GRANTED, &[1, 3], 4, 0).unwrap();
    // The second chunk.
    t.cycles(3).unwrap();
    t.asks(1, 2, 2, 6, 1).unwrap();
    assert_eq!((t.count("chunks"), t.count("spec"), t.count("granted"), t.count("close")), (2, 3, 2, 2));
}

#[test]
fn a_request_is_for_the_next_chunk() {
    let posted = || {
        let mut t = Trace::of("tiny", ON);
        t.post(1, 6, 2, 100).cycle().unwrap();
        t.cycles(3).unwrap();
        t
    };
    posted().asks(1, 1, 4, 16, 0).unwrap();
    for (id, n, size, last) in [(2, 4, 16, 0), (1, 3, 12, 0), (1, 4, 15, 0), (1, 4, 16, 1), (1, 6, 22, 1)] {
        assert_eq!(kind(posted().asks(1, id, n, size, last)), "request");
    }
    // Of a flow without a message, or of none.
    assert_eq!(kind(posted().asks(2, 1, 4, 16, 0)), "request");
    assert_eq!(kind(posted().asks(5, 1, 4, 16, 0)), "flow");
    let mut t = posted();
    assert_eq!(kind(t.res(1, 1, 4, 16, 0).show("res_sl", 0, 1).cycle()), "sl");
    let mut t = posted();
    assert_eq!(kind(t.res(1, 1, 4, 16, 0).show("res_rty", 0, 1).cycle()), "fields");
    // By NMAX_RUN as it may have been.
    let mut t = posted();
    t.write("NMAX_RUN", 2).cycle().unwrap();
    t.asks(1, 1, 2, 8, 0).unwrap();
    // It stands.
    let mut t = posted();
    t.res(1, 1, 4, 16, 0).cycle().unwrap();
    assert_eq!(kind(t.cycle()), "dropped");
    let mut t = posted();
    t.res(1, 1, 4, 16, 0).cycle().unwrap();
    assert_eq!(kind(t.res(1, 1, 4, 15, 0).cycle()), "dropped");
}

#[test]
fn a_chunk_is_whole_before_the_next_one() {
    let run = |ack: bool, grant: bool| {
        let mut t = asked("tiny", ON, 6);
        sends(&mut t, SPEC, &[0, 1, 2, 3], 4, 0)?;
        for seq in 0..if ack { 4 } else { 3 } {
            t.reply(ACK, 1, 1, seq, 0).cycle()?;
        }
        if grant {
            t.reply(GRANT, 1, 1, 0, 400).cycle()?;
        }
        t.cycles(10)?;
        // Done before its time.
        t.asks(1, 2, 2, 6, 1)
    };
    assert_eq!((run(true, true), kind(run(false, true)), kind(run(true, false))), (Ok(()), "whole", "whole"));
}

#[test]
fn packets_are_those_of_the_chunk() {
    let try_it = |fields: [u32; 6], psn: u32, len: u32| {
        let mut t = asked("tiny", ON, 2);
        t.goes(fields, psn, len)
    };
    try_it([SPEC, 1, 1, 0, 2, 1], 100, 4).unwrap();
    for (fields, psn, len) in [
        ([SPEC, 1, 2, 0, 2, 1], 100, 4),
        ([SPEC, 1, 1, 0, 3, 1], 100, 4),
        ([SPEC, 1, 1, 0, 2, 0], 100, 4),
        ([SPEC, 1, 1, 2, 2, 1], 102, 4),
        ([SPEC, 1, 1, 0, 2, 1], 101, 4),
        ([SPEC, 1, 1, 0, 2, 1], 100, 3),
        ([SPEC, 1, 1, 1, 2, 1], 101, 4),
        ([SPEC, 2, 1, 0, 2, 1], 100, 4),
    ] {
        assert_eq!(kind(try_it(fields, psn, len)), "packet", "{fields:?}");
    }
    assert_eq!(kind(try_it([0, 1, 1, 0, 2, 1], 100, 4)), "fields");
    let mut t = asked("tiny", ON, 2);
    t.cycles(5).unwrap();
    assert_eq!(kind(sends(&mut t, SPEC, &[1], 2, 1)), "order");
    assert_eq!(kind(try_it([SPEC, 9, 1, 0, 2, 1], 100, 4)), "flow");
    assert_eq!(kind(try_it([GRANTED, 1, 1, 0, 2, 1], 100, 4)), "granted");
    assert_eq!(kind(try_it([BYPASS, 1, 0, 0, 0, 0], 100, 4)), "whole");
    let mut t = asked("tiny", ON, 2);
    assert_eq!(kind(t.packet([SPEC, 1, 1, 0, 2, 1], 100, 4).show("inj_lane", 0, 0).cycle()), "lane");
    let mut t = asked("tiny", ON, 2);
    assert_eq!(kind(t.packet([SPEC, 1, 1, 0, 2, 1], 100, 4).show("inj_sl", 0, 3).cycle()), "sl");
    let mut t = asked("tiny", ON, 2);
    t.packet([SPEC, 1, 1, 0, 2, 1], 100, 4).cycle().unwrap();
    assert_eq!(kind(t.cycle()), "dropped");
}

#[test]
fn a_packet_goes_once_but_for_its_nack() {
    let mut t = asked("tiny", ON, 2);
    sends(&mut t, SPEC, &[0], 2, 1).unwrap();
    assert_eq!(kind(sends(&mut t, SPEC, &[0], 2, 1)), "once");
    let granted = |replies: &[u32]| {
        let mut t = asked("tiny", ON, 2);
        sends(&mut t, SPEC, &[0, 1], 2, 1).unwrap();
        t.reply(GRANT, 1, 1, 0, 0).cycle().unwrap();
        replies.iter().for_each(|k| t.reply(*k, 1, 1, 0, 0).cycle().unwrap());
        t.cycles(8).unwrap();
        sends(&mut t, GRANTED, &[0], 2, 1)?;
        t.cycles(8).unwrap();
        sends(&mut t, GRANTED, &[0], 2, 1)
    };
    // Once with it, and not without, nor twice; nor for one of another chunk.
    assert_eq!(
        (kind(granted(&[])), kind(granted(&[ACK])), kind(granted(&[ACK, NACK]))),
        ("once", "once", "once")
    );
    let mut t = asked("tiny", ON, 2);
    sends(&mut t, SPEC, &[0, 1], 2, 1).unwrap();
    t.reply(NACK, 1, 1, 0, 0).cycle().unwrap();
    t.reply(GRANT, 1, 1, 0, 0).cycle().unwrap();
    t.cycles(8).unwrap();
    sends(&mut t, GRANTED, &[0], 2, 1).unwrap();
    assert_eq!(kind(sends(&mut t, GRANTED, &[0], 2, 1)), "once");
}

#[test]
fn nothing_is_speculative_before_the_res_or_after_an_answer() {
    let with = |replies: &[u32], ctrl: u32, rest: u32| {
        let mut t = asked("tiny", ctrl, 3);
        sends(&mut t, SPEC, &[0], 3, 1)?;
        replies.iter().try_for_each(|k| t.reply(*k, 1, 1, 0, 30).cycle())?;
        t.cycles(rest)?;
        sends(&mut t, SPEC, &[1], 3, 1)
    };
    assert_eq!(with(&[ACK], ON, 9), Ok(()));
    assert_eq!((kind(with(&[GRANT], ON, 9)), kind(with(&[NACK], ON, 9))), ("spec", "spec"));
    // It may have been chosen before.
    assert_eq!((with(&[GRANT], ON, 0), with(&[NACK], ON, 0)), (Ok(()), Ok(())));
    assert_eq!(kind(with(&[], ON | 4, 0)), "spec");
    let mut t = Trace::of("tiny", ON);
    t.post(1, 2, 2, 100).cycle().unwrap();
    t.cycles(3).unwrap();
    let p = t.res(1, 1, 2, 6, 1).packet([SPEC, 1, 1, 0, 2, 1], 100, 4).cycle();
    assert_eq!(kind(p), "spec");
}

#[test]
fn granted_packets_wait_for_their_time() {
    let run = |ctrl: u32, after: u32, wait: u32, rest: u32| {
        let mut t = asked("tiny", ctrl, 2);
        t.cycles(after).unwrap();
        t.reply(GRANT, 1, 1, 0, wait).cycle().unwrap();
        t.cycles(rest).unwrap();
        sends(&mut t, GRANTED, &[0], 2, 1)
    };
    // From the RES, two cycles before; from the GRANT; the time is over.
    assert_eq!((kind(run(ON, 0, 40, 36)), run(ON, 0, 40, 37)), ("early", Ok(())));
    assert_eq!((kind(run(1, 10, 40, 38)), run(1, 10, 40, 39)), ("early", Ok(())));
    assert_eq!((kind(run(ON, 10, 40, 26)), run(ON, 10, 40, 27)), ("early", Ok(())));
    assert_eq!((run(ON, 30, 20, 0), run(ON, 0, 0, 0)), (Ok(()), Ok(())));
}

#[test]
fn short_messages_need_no_reservation() {
    let run = |ctrl: u32, pkts: u32| {
        let mut t = Trace::of("tiny", ctrl);
        t.post(1, pkts, 2, 100).cycle().unwrap();
        t.cycles(10).unwrap();
        (0..pkts)
            .try_for_each(|s| t.goes([BYPASS, 1, 0, 0, 0, 0], 100 + s, if s + 1 == pkts { 2 } else { 4 }))
    };
    assert_eq!((run(ON, 1), run(2, 6), kind(run(ON, 2))), (Ok(()), Ok(()), "bypass"));
    let one = |fields: [u32; 6], psn: u32, len: u32| {
        let mut t = Trace::of("tiny", ON);
        t.post(1, 1, 2, 100).cycle().unwrap();
        t.goes(fields, psn, len)
    };
    let none = [BYPASS, 1, 0, 0, 0, 0];
    assert_eq!(
        (one(none, 100, 2), kind(one(none, 101, 2)), kind(one(none, 100, 4))),
        (Ok(()), "bypass", "bypass")
    );
    assert_eq!(kind(one([BYPASS, 1, 1, 0, 0, 0], 100, 2)), "fields");
    // It may not ask, either.
    let mut t = Trace::of("tiny", ON);
    t.post(1, 1, 2, 100).cycle().unwrap();
    assert_eq!(kind(t.asks(1, 1, 1, 2, 1)), "request");
}

#[test]
fn packets_go_with_room_and_behind_no_other() {
    let mut t = asked("tiny", ON, 2);
    t.room = 1;
    t.cycles(5).unwrap();
    assert_eq!(kind(sends(&mut t, SPEC, &[0], 2, 1)), "room");
    let mut t = asked("tiny", ON, 2);
    t.packet([SPEC, 1, 1, 0, 2, 1], 100, 4).set("inj_ready", 0, 1).cycle().unwrap();
    (0..3).for_each(|_| t.set("ungranted", 0, 1).cycle().unwrap());
    assert_eq!(kind(t.packet([SPEC, 1, 1, 1, 2, 1], 101, 2).set("ungranted", 0, 1).cycle()), "room");
}

#[test]
fn granted_packets_go_before_speculative_ones() {
    // Flow 2 has packets without a reservation.
    let run = |room: u32, link: u32| {
        let mut t = asked("tiny", ON, 2);
        t.write("NMIN", 9).cycle().unwrap();
        t.cycles(5).unwrap();
        t.post(2, 5, 4, 7).cycle().unwrap();
        t.cycles(5).unwrap();
        t.goes([BYPASS, 2, 0, 0, 0, 0], 7, 4).unwrap();
        (t.room, t.link) = (room, link);
        t.cycles(9).unwrap();
        sends(&mut t, SPEC, &[0], 2, 1)
    };
    assert_eq!((kind(run(3, 0)), kind(run(2, 1)), run(2, 0)), ("priority", "priority", Ok(())));
}

#[test]
fn who_waits_has_a_turn() {
    // A RES, a speculative packet, a granted one, one without a reservation.
    let mut t = Trace::of("tiny", ON);
    t.post(1, 2, 2, 100).cycle().unwrap();
    assert_eq!(kind(t.cycles(100)), "hang");
    let mut t = asked("tiny", ON, 2);
    assert_eq!(kind(t.cycles(100)), "hang");
    let mut t = asked("tiny", ON | 4, 2);
    t.cycles(100).unwrap();
    t.reply(GRANT, 1, 1, 0, 10).cycle().unwrap();
    assert_eq!(kind(t.cycles(200)), "hang");
    let mut t = Trace::of("tiny", ON);
    t.post(1, 1, 2, 100).cycle().unwrap();
    assert_eq!(kind(t.cycles(100)), "hang");
    // Without room it waits.
    let mut t = Trace::of("tiny", ON);
    t.room = 2;
    t.post(1, 1, 2, 100).cycle().unwrap();
    t.cycles(200).unwrap();
    // Others go all the time.
    let mut t = Trace::of("tiny", 2);
    t.post(1, 100, 4, 0).cycle().unwrap();
    t.post(2, 100, 4, 0).cycle().unwrap();
    t.cycles(12).unwrap();
    let told = (0..20).find_map(|s| {
        t.cycles(5).unwrap();
        t.goes([BYPASS, 2, 0, 0, 0, 0], s, 4).err()
    });
    assert_eq!(told.map(|b| b.kind), Some("starved"));
}

#[test]
fn full_queues_show_it() {
    let mut t = Trace::of("tiny", ON);
    (0..3).for_each(|k| t.post(1, 2, 2, 100 * k).cycle().unwrap());
    t.res(1, 1, 2, 6, 1).cycle().unwrap();
    let mut stays = |full: u32| {
        t.full = full;
        (0..60).try_for_each(|_| t.res(1, 1, 2, 6, 1).cycle())
    };
    assert_eq!((stays(2), kind(stays(0))), (Ok(()), "full"));
    let mut t = Trace::of("tiny", ON);
    t.full = 4;
    assert_eq!(kind(t.cycles(60)), "full");
    // What is posted to a full one is ignored.
    let mut t = Trace::of("tiny", ON);
    t.full = 2;
    t.post(1, 2, 2, 100).cycle().unwrap();
    t.cycles(3).unwrap();
    assert_eq!(kind(t.asks(1, 1, 2, 6, 1)), "request");
}

#[test]
fn messages_that_wait_become_one() {
    // One under way, one that waits, one that waits and may be longer.
    let run = |psn: u32, n: u32, last: u32| {
        let mut t = asked("tiny", ON | 8, 2);
        t.post(1, 1, 4, 50).cycle().unwrap();
        t.post(1, 1, 4, 60).cycle().unwrap();
        t.post(1, 2, 3, psn).cycle().unwrap();
        sends(&mut t, SPEC, &[0, 1], 2, 1).unwrap();
        t.reply(GRANT, 1, 1, 0, 0).cycle().unwrap();
        (0..2).for_each(|s| t.reply(ACK, 1, 1, s, 0).cycle().unwrap());
        t.cycles(5).unwrap();
        t.goes([BYPASS, 1, 0, 0, 0, 0], 50, 4).unwrap();
        t.cycles(2).unwrap();
        t.asks(1, 3, n, 4 * n - 1, last)
    };
    assert_eq!((run(61, 3, 1), kind(run(61, 2, 1)), kind(run(62, 3, 1))), (Ok(()), "request", "request"));
}

#[test]
fn outputs_that_say_nothing_mean_nothing() {
    let mut t = Trace::of("tiny", ON);
    t.show("inj_flow", 0, 3).show("err", 0, 1).show("out_wait", 0, 7).show("see_known", 0, 1);
    t.judge.meaningful(&mut t.pins.output);
    assert!(t.pins.output.iter().all(|w| *w == 0));
    t.show("ready", 0, 1).show("inj_valid", 0, 1).show("inj_flow", 0, 3).show("rin_done", 0, 1);
    let was = t.pins.output.clone();
    t.judge.meaningful(&mut t.pins.output);
    assert_eq!(t.pins.output, was);
}

#[test]
fn a_grant_just_before_its_request_is_offered_may_act() {
    // It comes so many cycles before the RES is offered, and taken at once.
    let run = |before: u32| {
        let mut t = Trace::of("tiny", ON);
        t.post(1, 2, 2, 100).cycle().unwrap();
        t.cycles(3).unwrap();
        t.reply(GRANT, 1, 1, 0, 9).cycle().unwrap();
        t.cycles(before - 1).unwrap();
        t.asks(1, 1, 2, 6, 1).unwrap();
        t.cycles(20).unwrap();
        sends(&mut t, GRANTED, &[0, 1], 2, 1)
    };
    assert_eq!((run(1), run(4), kind(run(5))), (Ok(()), Ok(()), "granted"));
}
