//! What ends losses (Q21, Q22), on made-up traces.

use super::traces::Trace;
use super::{Reservation, settings};
use crate::cosim::events::pins::Driven;
use crate::cosim::events::scoreboard::{Broken, Scoreboard, kind};
use crate::cosim::events::settings::Settings;
use crate::params::{Build, UnitKind};
use crate::signals::Layout;
use crate::stimulus::knobs::{Knobs, Setup};
use crate::stimulus::scenario::source;

const FAST: u32 = 16;
const INORDER: u32 = 32;
const SPEC: u32 = 1;
const GRANTED: u32 = 2;
const GRANT: u32 = 1;
const ACK: u32 = 2;

/// Flow 1 has learnt that its chunk is 8, and has done it; a message of two packets follows, PSN 100.
fn learnt(ctrl: u32, rto: u32) -> Trace {
    let mut t = Trace::of("tinyd", 3 | ctrl);
    t.write("RTO", rto).cycle().unwrap();
    t.cycles(rto + 2).unwrap();
    t.post(1, 2, 4, 10).cycle().unwrap();
    t.post(1, 2, 4, 100).cycle().unwrap();
    t.res(1, 1, 2, 8, 1).show("res_init", 0, 1).set("res_ready", 0, 1).cycle().unwrap();
    t.cycle().unwrap();
    t.reply(GRANT, 1, 7, 0, 0).set("rep_init", 0, 1).cycle().unwrap();
    t.goes([GRANTED, 1, 8, 0, 2, 1], 10, 4).unwrap();
    t.goes([GRANTED, 1, 8, 1, 2, 1], 11, 4).unwrap();
    t
}

fn again(t: &mut Trace, seq: u32) -> Result<(), Broken> {
    t.packet([GRANTED, 1, 9, seq, 2, 1], 100 + seq, 4)
        .show("inj_rty", 0, 1)
        .set("inj_ready", 0, 1)
        .cycle()?;
    t.cycle()
}

fn asks_again(t: &mut Trace) -> Result<(), Broken> {
    t.res(1, 9, 2, 8, 1).show("res_rty", 0, 1).set("res_ready", 0, 1).cycle()?;
    t.cycle()
}

#[test]
fn a_source_asks_for_its_number_when_it_is_quiet() {
    learnt(0, 60).asks(1, 9, 2, 8, 1).unwrap();
    assert_eq!(kind(learnt(0, 60).asks(1, 2, 2, 8, 1)), "request");
    let first = |rto: u32, rest: u32, init: u32| {
        let mut t = Trace::of("tinyd", 3);
        t.write("RTO", rto).cycle().unwrap();
        t.post(1, 2, 4, 10).cycle().unwrap();
        t.cycles(rest).unwrap();
        t.res(1, 1, 2, 8, 1).show("res_init", 0, init).cycle()
    };
    assert_eq!(
        (kind(first(100, 30, 1)), first(100, 92, 1), kind(first(100, 92, 0))),
        ("quiet", Ok(()), "request")
    );
    // Only a GRANT that says a number acts; nothing is speculative before.
    let mut t = Trace::of("tinyd", 3);
    t.post(1, 2, 4, 10).cycle().unwrap();
    t.res(1, 1, 2, 8, 1).show("res_init", 0, 1).set("res_ready", 0, 1).cycle().unwrap();
    t.cycles(2).unwrap();
    t.reply(GRANT, 1, 1, 0, 0).cycle().unwrap();
    t.cycles(6).unwrap();
    assert_eq!(kind(t.goes([GRANTED, 1, 1, 0, 2, 1], 10, 4)), "granted");
    let mut t = Trace::of("tinyd", 3);
    t.post(1, 2, 4, 10).cycle().unwrap();
    t.res(1, 1, 2, 8, 1).show("res_init", 0, 1).set("res_ready", 0, 1).cycle().unwrap();
    assert_eq!(kind(t.goes([SPEC, 1, 1, 0, 2, 1], 10, 4)), "spec");
}

#[test]
fn what_is_lost_goes_again_after_the_time_out() {
    // Sent as speculative, and the GRANT is there.
    let run = |rto: u32, rest: u32, replies: &[(u32, u32)]| {
        let mut t = learnt(0, rto);
        t.asks(1, 9, 2, 8, 1)?;
        t.goes([SPEC, 1, 9, 0, 2, 1], 100, 4)?;
        t.goes([SPEC, 1, 9, 1, 2, 1], 101, 4)?;
        t.reply(GRANT, 1, 9, 0, 0).cycle()?;
        replies.iter().try_for_each(|(kind, seq)| t.reply(*kind, 1, 9, *seq, 0).cycle())?;
        t.cycles(rest)?;
        again(&mut t, 0)?;
        Ok(t)
    };
    let result = |r: Result<Trace, Broken>| r.map(|_| ());
    assert_eq!((kind(result(run(60, 30, &[]))), result(run(60, 70, &[]))), ("again", Ok(())));
    // Not what was answered; nor at all without a time-out.
    assert_eq!((kind(result(run(60, 70, &[(ACK, 0)]))), kind(result(run(0, 90, &[])))), ("again", "again"));
    // Once for each time-out, and the other one, too.
    let mut t = run(60, 70, &[]).unwrap();
    again(&mut t, 1).unwrap();
    assert_eq!(kind(again(&mut t, 0)), "again");
    let mut t = run(60, 70, &[]).unwrap();
    again(&mut t, 1).unwrap();
    t.cycles(60).unwrap();
    again(&mut t, 0).unwrap();
    // It must.
    let mut t = learnt(0, 60);
    t.asks(1, 9, 2, 8, 1).unwrap();
    t.goes([SPEC, 1, 9, 0, 2, 1], 100, 4).unwrap();
    t.goes([SPEC, 1, 9, 1, 2, 1], 101, 4).unwrap();
    t.reply(GRANT, 1, 9, 0, 0).cycle().unwrap();
    t.cycles(90).unwrap();
    assert_eq!(kind(t.cycles(200)), "hang");
    // Without R nothing does.
    let mut t = run(60, 70, &[]).unwrap();
    assert_eq!(kind(t.goes([GRANTED, 1, 9, 1, 2, 1], 101, 4)), "once");
}

#[test]
fn a_chunk_asks_again_after_the_time_out() {
    let run = |rest: u32, granted: bool| {
        let mut t = learnt(4, 60);
        t.asks(1, 9, 2, 8, 1).unwrap();
        t.cycles(rest).unwrap();
        if granted {
            t.reply(GRANT, 1, 9, 0, 500).cycle().unwrap();
            t.cycles(10).unwrap();
        }
        asks_again(&mut t)?;
        Ok(t)
    };
    let result = |r: Result<Trace, Broken>| r.map(|_| ());
    assert_eq!((kind(result(run(40, false))), result(run(70, false))), ("hasty", Ok(())));
    assert_eq!(kind(result(run(70, true))), "request");
    // Another one; twice; never.
    let mut t = learnt(4, 60);
    t.asks(1, 9, 2, 8, 1).unwrap();
    t.cycles(70).unwrap();
    assert_eq!(kind(t.res(1, 10, 2, 8, 1).show("res_rty", 0, 1).cycle()), "request");
    assert_eq!(kind(asks_again(&mut run(70, false).unwrap())), "hasty");
    assert_eq!(kind(run(70, false).unwrap().cycles(300)), "hang");
    // Nothing is speculative afterwards.
    let mut t = learnt(0, 60);
    t.asks(1, 9, 2, 8, 1).unwrap();
    t.goes([SPEC, 1, 9, 0, 2, 1], 100, 4).unwrap();
    t.cycles(60).unwrap();
    asks_again(&mut t).unwrap();
    t.cycles(6).unwrap();
    assert_eq!(kind(t.goes([SPEC, 1, 9, 1, 2, 1], 101, 4)), "spec");
    // Without R it is no new one.
    let mut t = run(70, false).unwrap();
    assert_eq!(kind(t.asks(1, 10, 2, 8, 1)), "whole");
}

#[test]
fn granted_time_is_used_for_what_is_not_answered() {
    let run = |ctrl: u32, wait: u32| {
        let mut t = learnt(ctrl, 500);
        t.asks(1, 9, 2, 8, 1).unwrap();
        t.goes([SPEC, 1, 9, 0, 2, 1], 100, 4).unwrap();
        t.reply(GRANT, 1, 9, 0, wait).cycle().unwrap();
        t.cycles(8).unwrap();
        t.goes([GRANTED, 1, 9, 1, 2, 1], 101, 4)?;
        again(&mut t, 0)
    };
    assert_eq!((run(FAST, 0), kind(run(0, 0)), kind(run(FAST, 100))), (Ok(()), "again", "early"));
    // Not before the others.
    let mut t = learnt(FAST, 500);
    t.asks(1, 9, 2, 8, 1).unwrap();
    t.goes([SPEC, 1, 9, 0, 2, 1], 100, 4).unwrap();
    t.reply(GRANT, 1, 9, 0, 0).cycle().unwrap();
    t.cycles(8).unwrap();
    assert_eq!(kind(again(&mut t, 0)), "again");
}

#[test]
fn granted_time_begins_with_what_is_not_answered() {
    let begins = |ctrl: u32, wait: u32, ack: bool| {
        let mut t = learnt(ctrl, 500);
        t.asks(1, 9, 2, 8, 1).unwrap();
        t.goes([SPEC, 1, 9, 0, 2, 1], 100, 4).unwrap();
        t.reply(GRANT, 1, 9, 0, wait).cycle().unwrap();
        if ack {
            t.reply(ACK, 1, 9, 0, 0).cycle().unwrap();
        }
        t.cycles(8).unwrap();
        t
    };
    let both = |mut t: Trace| {
        again(&mut t, 0)?;
        t.goes([GRANTED, 1, 9, 1, 2, 1], 101, 4)
    };
    assert_eq!((both(begins(INORDER, 0, false)), kind(both(begins(0, 0, false)))), (Ok(()), "again"));
    assert_eq!(kind(both(begins(INORDER, 100, false))), "early");
    // In its place, and once; not what was answered.
    let late = |mut t: Trace| t.goes([GRANTED, 1, 9, 1, 2, 1], 101, 4);
    assert_eq!((kind(late(begins(INORDER, 0, false))), late(begins(0, 0, false))), ("order", Ok(())));
    assert_eq!((late(begins(INORDER, 0, true)), kind(both(begins(INORDER, 0, true)))), (Ok(()), "again"));
    let mut t = begins(INORDER, 0, false);
    again(&mut t, 0).unwrap();
    assert_eq!(kind(again(&mut t, 0)), "again");
    // It must.
    let rests = |ctrl: u32| {
        let mut t = begins(ctrl, 0, false);
        t.reply(ACK, 1, 9, 1, 0).cycle()?;
        t.cycles(200)
    };
    assert_eq!(kind(rests(INORDER)), "hang");
}

/// The golden unit keeps the rules, whatever comes.
#[test]
fn a_unit_with_losses_keeps_the_rules() {
    let build = Build::named(UnitKind::Reservation, Some("tinyd")).unwrap();
    let l = Layout::new(build.unit, &build.params);
    for seed in 0..16 {
        let scenario = if seed % 4 == 0 { Some("q21-inorder") } else { None };
        let mut source = source(&build, scenario, &Knobs::default(), &Setup::default(), seed).unwrap();
        let mut unit = crate::model::new(build.unit, &build.params).unwrap();
        let mut judge = Reservation::new(&build.params, &Settings::new(settings(&build.params)));
        let (mut input, mut output) = (l.idle(), vec![0; l.out_words]);
        for t in 0..20_000 {
            l.make_idle(&mut input);
            unit.outputs(&input, &mut output);
            source.drive(&output, &mut input);
            let kept = judge.cycle(&input, &output);
            assert_eq!(kept, Ok(()), "seed {seed}, cycle {t}");
            unit.step(&input);
        }
    }
}
