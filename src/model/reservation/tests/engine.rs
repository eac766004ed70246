//! Sections 5 and 7: ops, choice; the first diagram of section 9.

use super::*;

/// A flow's bit in a state vector.
fn of_flow(b: &Bench, name: &str, flow: usize) -> u32 {
    b.get(name, 0) >> flow & 1
}

#[test]
fn diagram_of_a_message() {
    let p = params("tiny");
    let mut b = ready_with(&p);
    b.config(CTRL, SRP_EN | RTT_COMP).config(NMIN, 2);
    // (Two cycles were spent on the registers.)
    let names = ["st_pq", "st_rs", "st_sp", "st_wt"];
    let rows: [&[u32]; 4] = [&[1, 2], &[3, 4], &[8, 9, 10, 11, 12, 13, 14], &[15]];
    let mut at: [Vec<u32>; 4] = Default::default();
    let mut of_1: std::collections::BTreeMap<&str, Vec<u32>> = Default::default();
    for t in 0..16 {
        if t == 0 {
            post(&mut b, 3, 2, 4, 100);
        }
        if t == 13 {
            reply(&mut b, GRANT, 3, 1, 0, 20);
        }
        b.set("ungranted", 0, u32::from((11..=13).contains(&t)));
        run(&mut b);
        for (seen, name) in at.iter_mut().zip(names) {
            if of_flow(&b, name, 3) == 1 {
                seen.push(t);
            }
        }
        for name in ["res_valid", "st_b", "inj_valid", "st_tab_we"] {
            if b.get(name, 0) == 1 {
                of_1.entry(name).or_default().push(t);
            }
        }
        if t == 10 {
            assert_eq!((b.get("inj_kind", 0), b.get("inj_seq", 0), b.get("inj_psn", 0)), (1, 0, 100));
        }
        if t == 14 {
            assert_eq!((wrote(&b), b.get("st_tab_due", 0)), (Some((3, WAIT)), 25 + 2));
        }
    }
    assert_eq!(at, rows);
    assert_eq!(of_1["res_valid"], [5]);
    assert_eq!(of_1["st_b"], [6, 7]);
    assert_eq!(of_1["inj_valid"], [10]);
    // P, E, B, S, R
    assert_eq!(of_1["st_tab_we"], [2, 4, 7, 9, 14]);
    until_state(&mut b, 3, GO);
    // W is in O0 in every cycle that nobody else has; of one flow in every other, for it is busy.
    let now = b.get("st_now", 0);
    assert!((27..=28).contains(&now), "{now}");
}

#[test]
fn spec_off_waits_in_stop() {
    let p = params("tiny");
    let mut b = on(&p, 2);
    b.config(CTRL, SRP_EN | SPEC_OFF);
    post(&mut b, 3, 2, 4, 100);
    until_state(&mut b, 3, RESW);
    until_state(&mut b, 3, RESO);
    until_state(&mut b, 3, STOP);
    runs(&mut b, 50);
    assert_eq!((b.read(128), b.get("st_sp", 0)), (0, 0));
    reply(&mut b, GRANT, 3, 1, 0, 0);
    until_state(&mut b, 3, GO);
    let mut kinds = Vec::new();
    for _ in 0..20 {
        run(&mut b);
        if b.get("inj_valid", 0) == 1 {
            kinds.push(b.get("inj_kind", 0));
        }
    }
    assert_eq!(kinds, [2, 2]);
}

/// The ops that wrote in some cycles, by what they made of the word of a flow.
fn writes(b: &mut Bench, cycles: usize, mut each: impl FnMut(&mut Bench, usize)) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    for t in 0..cycles {
        each(b, t);
        run(b);
        all.extend(wrote(b));
    }
    all
}

/// A flow in WAIT takes every slot that it can have, and others go on beside it.
#[test]
fn a_wait_holds_up_nobody() {
    let p = params("tiny");
    let mut b = on(&p, 1);
    post(&mut b, 0, 1, 4, 0);
    until(&mut b, "res_valid");
    reply(&mut b, GRANT, 0, 1, 0, 1500);
    until_state(&mut b, 0, WAIT);
    let of = writes(&mut b, 60, |b, t| {
        if t == 0 {
            post(b, 1, 1, 4, 0);
        }
    });
    let of_1: Vec<u32> = of.iter().filter(|w| w.0 == 1).map(|w| w.1).collect();
    assert_eq!(of_1, [RESW, RESO, SPEC, SPEC]);
    // W of two flows in turn: at due each goes within a few cycles.
    assert_eq!(b.get("st_wt", 0), 1);
}

/// Replies in every cycle hold up all other ops, and nothing is lost by it.
#[test]
fn replies_go_first() {
    let p = params("tiny");
    let mut b = on(&p, 1);
    let of = writes(&mut b, 40, |b, t| {
        if t == 0 {
            post(b, 1, 1, 4, 0);
        }
        reply(b, ACK, 0, 9, 0, 0);
    });
    assert_eq!(of, []);
    assert_eq!((b.get("st_pq", 0), b.get("st_op_ptr", 0)), (2, 0));
    until_state(&mut b, 1, SPEC);
}

/// A RES at a time: the next is asked for when B has told the flow of the one that left.
#[test]
fn one_res_waits_for_the_b_of_the_other() {
    let p = params("tiny");
    let mut b = on(&p, 1);
    post(&mut b, 0, 1, 1, 0).cycle();
    post(&mut b, 1, 1, 1, 0);
    let mut seen = Vec::new();
    for t in 0..40 {
        run(&mut b);
        if b.get("res_valid", 0) == 1 {
            seen.push((t, b.get("res_flow", 0)));
            assert_eq!(b.get("st_b", 0), 0);
        }
    }
    assert_eq!(seen.len(), 2);
    assert_eq!((seen[0].1, seen[1].1), (0, 1));
    assert!(seen[1].0 - seen[0].0 >= 4, "{seen:?}");
}

/// A GRANT that comes in the cycle behind its RES finds its flow ready, and B after it does nothing.
#[test]
fn a_grant_before_b() {
    let p = params("tiny");
    for late in 0..4 {
        let mut b = on(&p, 1);
        post(&mut b, 0, 1, 4, 0);
        until(&mut b, "res_valid");
        let left = b.get("st_now", 0);
        runs(&mut b, late);
        reply(&mut b, GRANT, 0, 1, 0, 50);
        run(&mut b);
        run(&mut b);
        assert_eq!(wrote(&b), Some((0, WAIT)), "{late}");
        assert_eq!(b.get("st_tab_due", 0), left + 50);
        run(&mut b);
        assert_eq!((b.get("st_b", 0), b.get("st_b_flow", 0)), (0, 0));
        runs(&mut b, 10);
        assert_eq!(b.read(135), 0, "nothing stale");
    }
}

/// Granted packets go first, whatever speculative ones wait; without credits of the link on their lane a speculative one goes.
#[test]
fn granted_before_speculative() {
    // Bit 1 of `link_room` is that of the speculative lane.
    for (room, link, kind) in
        [(0x1ff, 0, Some(2)), (0b10, 0, Some(1)), (0b01, 1, Some(2)), (0b10, 1, None), (0b10, 0b10, Some(1))]
    {
        let p = params("tiny");
        let mut b = on(&p, 1);
        post(&mut b, 0, 2, 4, 0);
        until(&mut b, "res_valid");
        // no lane has room meanwhile
        let dark = |b: &mut Bench| {
            b.set("inj_ready", 0, 1).set("res_ready", 0, 1).cycle();
        };
        reply(&mut b, GRANT, 0, 1, 0, 0);
        (0..30).for_each(|_| dark(&mut b));
        post(&mut b, 1, 2, 4, 0);
        (0..30).for_each(|_| dark(&mut b));
        assert_eq!((b.get("st_go", 0) & 3, b.get("st_sp", 0) & 3), (1, 2));
        for _ in 0..6 {
            b.set("room", 0, room).set("link_room", 0, link).cycle();
        }
        let offered = (b.get("inj_valid", 0) == 1).then(|| b.get("inj_kind", 0));
        assert_eq!(offered, kind, "{room:b} {link:b}");
        assert_eq!(b.get("inj_lane", 0), u32::from(kind == Some(1)));
    }
}

#[test]
fn nothing_is_chosen_while_a_packet_is_ungranted() {
    let p = params("tiny");
    let mut b = on(&p, 9);
    post(&mut b, 0, 2, 4, 0).cycle();
    for _ in 0..20 {
        b.set("room", 0, 0x1ff).set("ungranted", 0, 1).cycle();
        assert_eq!(b.get("inj_valid", 0), 0);
    }
    b.set("room", 0, 0x1ff).cycle();
    b.cycle();
    b.cycle();
    assert_eq!(b.get("inj_valid", 0), 1);
}

/// Each lane of data has its own pointer over flows; lanes take turns.
#[test]
fn lanes_take_turns() {
    let p = params("two");
    let mut b = on(&p, 100);
    for f in 0..8 {
        b.set("attr_we", 0, 1).set("attr_flow", 0, f).set("attr_sl", 0, if f < 6 { 2 } else { 5 }).cycle();
    }
    for f in 0..8 {
        post(&mut b, f, 40, 6, 0).cycle();
    }
    b.idle(20);
    let mut taken = Vec::new();
    for _ in 0..200 {
        run(&mut b);
        if b.get("inj_valid", 0) == 1 {
            assert_eq!(b.get("inj_lane", 0), b.get("inj_sl", 0) % 2);
            taken.push((b.get("inj_lane", 0), b.get("inj_flow", 0)));
        }
    }
    assert!(taken.len() > 40);
    assert!(taken.windows(2).all(|w| w[0].0 != w[1].0), "{taken:?}");
    let of = |lane: u32| taken.iter().filter(move |t| t.0 == lane).map(|t| t.1);
    let first: Vec<u32> = of(0).take(12).collect();
    assert_eq!(first, [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
    assert_eq!(of(1).take(4).collect::<Vec<_>>(), [6, 7, 6, 7]);
}

/// The lane is that of the SL when the packet was chosen, the SL that of the next cycle.
#[test]
fn an_sl_that_changes_beside_the_choice() {
    let p = params("two");
    let mut b = on(&p, 100);
    post(&mut b, 0, 1, 6, 0).cycle();
    b.idle(10);
    b.set("room", 0, 0x1ff).set("attr_we", 0, 1).set("attr_sl", 0, 3).cycle();
    b.cycle();
    b.cycle();
    assert_eq!((b.get("inj_valid", 0), b.get("inj_lane", 0), b.get("inj_sl", 0)), (1, 0, 3));
}
