//! The destination's half, and the table of sources, on made-up traces.

use super::traces::Trace;
use crate::cosim::events::pins::Driven;
use crate::cosim::events::scoreboard::{Broken, kind};

const ON: u32 = 3;
const GRANT: u32 = 1;
const ACK: u32 = 2;
const NACK: u32 = 3;
const INORDER: u32 = 32;

/// A RES comes; two cycles later its block is free, and its GRANT is seen, made in the cycle before.
fn served(t: &mut Trace, lid: u32, size: u32, wait: u32) -> Result<(), Broken> {
    t.comes(lid, 9, size).cycle()?;
    t.cycle()?;
    t.show("rin_done", 0, 1).answers(GRANT, lid, 9, 0, wait).cycle()
}

#[test]
fn granted_times_do_not_overlap_and_have_no_gaps() {
    // 4 flits and EPS: 5 cycles. The next one is made 3 cycles later, give or take what is sure of rin_done.
    let second = |wait: u32| {
        let mut t = Trace::of("tiny", ON);
        served(&mut t, 3, 16, 0).unwrap();
        served(&mut t, 4, 4, wait)
    };
    assert_eq!((kind(second(11)), second(14), kind(second(17))), ("overlap", Ok(()), "gap"));
    // Nothing was granted before.
    let first = |wait: u32| served(&mut Trace::of("tiny", ON), 3, 16, wait);
    assert_eq!((first(0), kind(first(1))), (Ok(()), "gap"));
    // A slow link; a packet that walks in.
    let slow = |interval: u32, walk: u32, wait: u32| {
        let mut t = Trace::of("tiny", ON | 64);
        t.write("RX_INTERVAL", interval).cycle().unwrap();
        t.cycles(20).unwrap();
        served(&mut t, 3, 16, 0).unwrap();
        if walk > 0 {
            t.set("walk_valid", 0, 1).set("walk_len", 0, walk).cycle().unwrap();
            t.cycle().unwrap();
        }
        served(&mut t, 4, 4, wait)
    };
    assert_eq!((kind(slow(3, 0, 14)), slow(3, 0, 48)), ("overlap", Ok(())));
    assert_eq!((kind(slow(1, 4, 11)), slow(1, 4, 17)), ("overlap", Ok(())));
    // Half of all times ahead.
    assert_eq!(kind(first(2047)), "far");
}

#[test]
fn each_res_has_its_grant_in_order() {
    let mut t = Trace::of("tiny", ON);
    t.comes(3, 1, 4).cycle().unwrap();
    t.comes(4, 2, 4).cycle().unwrap();
    assert_eq!(kind(t.answers(GRANT, 4, 2, 0, 0).cycle()), "reply");
    for (lid, id, seq) in [(4, 1, 0), (3, 2, 0), (3, 1, 1)] {
        let mut t = Trace::of("tiny", ON);
        t.comes(3, 1, 4).cycle().unwrap();
        assert_eq!(kind(t.answers(GRANT, lid, id, seq, 0).cycle()), "reply");
    }
    let mut t = Trace::of("tiny", ON);
    assert_eq!(kind(t.answers(GRANT, 3, 1, 0, 0).cycle()), "reply");
    // Not twice.
    let mut t = Trace::of("tiny", ON);
    served(&mut t, 3, 4, 0).unwrap();
    assert_eq!(kind(t.answers(GRANT, 3, 9, 0, 0).cycle()), "reply");
    // One of no size, or of none that a chunk has, has none.
    for size in [0, 17] {
        let mut t = Trace::of("tiny", ON);
        t.comes(3, 1, size).cycle().unwrap();
        assert_eq!(kind(t.answers(GRANT, 3, 1, 0, 0).cycle()), "reply");
    }
    // Never.
    let mut t = Trace::of("tiny", ON);
    t.comes(3, 1, 4).cycle().unwrap();
    assert_eq!(kind(t.cycles(30)), "unserved");
}

#[test]
fn each_res_frees_its_block_once() {
    let mut t = Trace::of("tiny", ON);
    assert_eq!(kind(t.show("rin_done", 0, 1).cycle()), "done");
    let mut t = Trace::of("tiny", ON);
    t.comes(3, 1, 4).cycle().unwrap();
    t.answers(GRANT, 3, 1, 0, 0).cycle().unwrap();
    assert_eq!(kind(t.cycles(5)), "leak");
    let mut t = Trace::of("tiny", ON);
    t.comes(3, 1, 0).cycle().unwrap();
    assert_eq!(kind(t.cycles(30)), "unserved");
    let mut t = Trace::of("tiny", ON);
    t.comes(3, 1, 0).cycle().unwrap();
    t.show("rin_done", 0, 1).cycle().unwrap();
    assert_eq!((t.count("refused"), t.cycles(30)), (1, Ok(())));
    // Its GRANT is never seen.
    let mut t = Trace::of("tiny", ON);
    t.comes(3, 1, 4).cycle().unwrap();
    t.show("rin_done", 0, 1).cycle().unwrap();
    assert_eq!(kind(t.cycles(9)), "unanswered");
}

#[test]
fn a_res_without_a_block_may_be_lost() {
    let mut t = Trace::of("tiny", ON);
    (0..5).for_each(|k| t.comes(k, k, 4).cycle().unwrap());
    t.answers(GRANT, 0, 0, 0, 0).cycle().unwrap();
    (1..4).for_each(|k| t.answers(GRANT, k, k, 0, 5 * k - k).cycle().unwrap());
    t.cycles(80).unwrap();
    assert_eq!((t.count("loose"), t.count("grants")), (4, 4));
    // And is not, if one before it is.
    served(&mut t, 9, 4, 0).unwrap();
    assert_eq!(t.count("loose"), 4);
}

#[test]
fn ends_are_answered_once_in_order() {
    let run = |answers: &[(u32, u32, u32, u32)]| {
        let mut t = Trace::of("tiny", ON);
        t.ends(7, 5, 1).cycle()?;
        t.ends(8, 6, 2).set("end_bad", 0, 1).cycle()?;
        answers.iter().try_for_each(|(kind, lid, id, seq)| t.answers(*kind, *lid, *id, *seq, 0).cycle())
    };
    let (first, second) = ((ACK, 7, 5, 1), (NACK, 8, 6, 2));
    assert_eq!(run(&[first, second]), Ok(()));
    for wrong in
        [&[second][..], &[first, first], &[first, (ACK, 8, 6, 2)], &[(ACK, 7, 5, 0)], &[(ACK, 7, 4, 1)]]
    {
        assert_eq!(kind(run(wrong)), "reply", "{wrong:?}");
    }
    assert_eq!(kind(run(&[first, second, second])), "reply");
    let mut t = Trace::of("tiny", ON);
    t.ends(7, 5, 1).cycle().unwrap();
    assert_eq!(kind(t.cycles(6)), "unanswered");
    // One that came when it might not may be answered.
    for answered in [true, false] {
        let mut t = Trace::of("tiny", ON);
        t.end_ok = 0;
        t.ends(7, 5, 1).cycle().unwrap();
        t.end_ok = 1;
        if answered {
            t.answers(ACK, 7, 5, 1, 0).cycle().unwrap();
        }
        t.cycles(30).unwrap();
    }
    // An offer stands.
    let mut t = Trace::of("tiny", ON);
    t.ends(7, 5, 1).cycle().unwrap();
    t.answers(ACK, 7, 5, 1, 0).set("out_ready", 0, 0).cycle().unwrap();
    assert_eq!(kind(t.cycle()), "dropped");
}

#[test]
fn ends_and_requests_take_turns() {
    let mut t = Trace::of("tiny", ON);
    t.end_ok = 0;
    assert_eq!(kind(t.cycles(10)), "shut");
    let mut t = Trace::of("tiny", ON);
    t.comes(3, 1, 4).cycle().unwrap();
    t.ends(7, 5, 0).cycle().unwrap();
    let told = (1..40).find_map(|k| t.ends(7, 5, k).answers(ACK, 7, 5, k - 1, 0).cycle().err());
    assert_eq!(told.map(|b| b.kind), Some("starved"));
}

#[test]
fn the_table_of_sources_knows_what_has_come() {
    type Op = (&'static str, u32, u32);
    // What comes before; what comes; see_drop, see_ack, see_known.
    let run = |before: &[Op], op: Op, told: [u32; 3]| {
        let mut t = Trace::of("tinyd", ON);
        let come = |t: &mut Trace, (what, id, seq): Op| {
            t.set(what, 0, 1).set("see_flow", 0, 2).set("see_id", 0, id).set("see_seq", 0, seq);
        };
        for b in before {
            come(&mut t, *b);
            t.cycle()?;
            t.set("see_ok", 0, 1).show("see_known", 0, b.1).cycle()?;
        }
        come(&mut t, op);
        t.cycle()?;
        let [drop, ack, known] = told;
        t.show("see_drop", 0, drop).show("see_ack", 0, ack).show("see_known", 0, known).cycle()
    };
    let (look, mark, res) = ("see_look", "see_mark", "see_res");
    let came = [(mark, 5, 1)];
    for (before, op, told) in [
        (&[][..], (look, 5, 1), [0, 0, 0]),
        (&came, (look, 5, 1), [1, 1, 0]),
        (&came, (look, 5, 2), [0, 0, 0]),
        (&came, (look, 4, 1), [1, 0, 0]),
        (&came, (look, 6, 1), [0, 0, 0]),
        (&came, (res, 4, 0), [1, 0, 5]),
        (&came, (res, 6, 0), [0, 0, 5]),
        (&[], (res, 6, 0), [0, 0, 6]),
        (&[(mark, 5, 1), (res, 5, 0)], (look, 5, 1), [1, 1, 0]),
        (&[(res, 5, 0)], (look, 5, 1), [0, 0, 0]),
        (&came, (look, 4100, 1), [0, 0, 0]),
        (&came, (look, 4101, 1), [1, 0, 0]),
        (&came, (look, 261, 1), [0, 0, 0]),
        (&[(mark, 300, 1)], (look, 100, 1), [1, 0, 0]),
        (&[(mark, 300, 1)], (res, 100, 0), [1, 0, 300]),
        (&[(mark, 8191, 1)], (look, 0, 1), [0, 0, 0]),
        (&[(mark, 8191, 1), (mark, 0, 1)], (look, 8191, 1), [1, 0, 0]),
    ] {
        run(before, op, told).unwrap();
        assert_eq!(kind(run(before, op, [1 - told[0], told[1], told[2]])), "seen", "{op:?}");
        if op.0 == res {
            assert_eq!(kind(run(before, op, [told[0], 0, 9])), "known");
        }
    }
    let mut t = Trace::of("tinyd", ON);
    assert_eq!(kind(t.show("see_ack", 0, 1).cycle()), "seen");
}

#[test]
fn the_table_of_sources_knows_which_packet_is_next() {
    // What comes: pins, chunk, packet, PSN. What comes before is whole and good.
    type Pins = &'static [&'static str];
    type Op = (Pins, u32, u32, u32);
    let run = |ctrl: u32, before: &[Op], op: Op, told: [u32; 2]| {
        let mut t = Trace::of("tinyd", ON | ctrl);
        let come = |t: &mut Trace, (pins, id, seq, psn): Op| {
            for pin in pins {
                t.set(pin, 0, 1);
            }
            t.set("see_flow", 0, 2).set("see_id", 0, id).set("see_seq", 0, seq).set("see_psn", 0, psn);
        };
        for b in before {
            come(&mut t, *b);
            t.cycle()?;
            // (What is told of a RES: the chunk that is known.)
            t.set("see_ok", 0, 1).show("see_known", 0, 5).cycle()?;
        }
        come(&mut t, op);
        t.cycle()?;
        t.show("see_drop", 0, told[0]).show("see_ack", 0, told[1]).cycle()
    };
    let (spec, again, mark): (Pins, Pins, Pins) = (&["see_look", "see_spec"], &["see_look"], &["see_mark"]);
    let (pass, init, res): (Pins, Pins, Pins) = (&["see_pass"], &["see_res", "see_init"], &["see_res"]);
    let most = 0xff_ffff;
    for (before, op, told) in [
        (&[][..], (spec, 5, 1, 0), [1, 0]),
        (&[], (again, 5, 1, 0), [0, 0]),
        (&[(pass, 0, 0, 9)], (spec, 5, 1, 10), [0, 0]),
        (&[(pass, 0, 0, 9)], (spec, 5, 1, 11), [1, 0]),
        (&[(pass, 0, 0, 9)], (again, 5, 1, 11), [0, 0]),
        (&[(pass, 0, 0, 9), (mark, 5, 1, 10)], (spec, 5, 1, 10), [1, 1]),
        (&[(mark, 5, 1, 10)], (spec, 5, 2, 11), [0, 0]),
        (&[(mark, 5, 1, 10), (mark, 4, 2, 20)], (spec, 5, 2, 11), [0, 0]),
        (&[(mark, 5, 1, 10)], (spec, 4, 2, 11), [1, 0]),
        (&[(mark, 5, 1, most)], (spec, 5, 2, 0), [0, 0]),
        (&[(pass, 5, 1, most)], (spec, 5, 2, 1 << 23), [1, 0]),
        (&[(mark, 5, 1, 10), (res, 6, 0, 0)], (spec, 6, 0, 11), [0, 0]),
        (&[(mark, 5, 1, 10), (init, 5, 0, 0)], (spec, 5, 2, 11), [1, 0]),
        (&[(mark, 5, 1, 10), (init, 5, 0, 0), (pass, 0, 0, 30)], (spec, 5, 2, 31), [0, 0]),
    ] {
        let before: Vec<Op> = before.to_vec();
        run(INORDER, &before, op, told).unwrap();
        assert_eq!(kind(run(INORDER, &before, op, [1 - told[0], told[1]])), "seen", "{op:?}");
        // Without the bit only what came is told.
        let copy = told[1] == 1 || op.1 == 4;
        run(0, &before, op, [copy.into(), told[1]]).unwrap();
    }
}
