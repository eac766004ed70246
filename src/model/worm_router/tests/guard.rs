//! Section 5: the guard of best-effort. In a router of build `odd` lanes 0 to 3 are real-time, 4 best-effort, 5 reply, 6 control.

use super::*;

/// A stream: input, lane, output. Its message has no end.
type Stream = (usize, usize, u32);

/// A router whose streams own their lanes and have flits, with links of outputs just up again.
fn streams(lhp: u32, all: &[Stream]) -> Router {
    let mut r = Router::new("odd");
    r.write(255, LHP, lhp);
    // No input of these links has a stream.
    let down: Vec<usize> = all.iter().map(|s| s.2 as usize).collect();
    for part in [Header, Body, Body] {
        for &(i, v, o) in all {
            down.iter().for_each(|&d| {
                assert_ne!(d, i);
                r.b.set("link_up", d, 0);
            });
            r.flit(i, v, part, o);
            r.cycle();
        }
    }
    for _ in 0..8 {
        down.iter().for_each(|&d| {
            r.b.set("link_up", d, 0);
        });
        r.cycle();
    }
    for &(i, v, o) in all {
        assert_eq!(r.owns(i, v).map(|own| own.0), Some(o));
    }
    r
}

/// In each cycle every input has a flit for the first of its streams that has few; what goes is seen by the links, two cycles later.
fn run(r: &mut Router, all: &[Stream], cycles: usize) -> Vec<Vec<(usize, u32)>> {
    let mut seen = Vec::new();
    for t in 0..cycles + 2 {
        for i in 0..r.p.ports {
            let few = |v: usize| r.lane("st_level", i, v) < 4;
            if let Some(&(_, v, o)) = all.iter().find(|s| s.0 == i && few(s.1)) {
                r.flit(i, v, Body, o);
            }
        }
        r.give();
        if t >= 2 {
            seen.push((0..r.p.ports).filter_map(|o| r.sent(o).map(|s| (o, s[0]))).collect());
        }
    }
    seen
}

#[test]
fn an_input_lets_best_effort_go_once_in_lhp_real_time_flits() {
    for lhp in [1, 2, 3, 7] {
        let all = [(0, 0, 1), (0, 4, 2)];
        let mut r = streams(lhp, &all);
        for (t, sent) in run(&mut r, &all, 40).into_iter().enumerate() {
            let best_effort = t as u32 % (lhp + 1) == lhp;
            assert_eq!(sent, [if best_effort { (2, 4) } else { (1, 0) }], "LHP {lhp} cycle {t}");
        }
    }
}

#[test]
fn an_output_lets_best_effort_go_once_in_lhp_real_time_flits() {
    for lhp in [1, 2, 3, 7] {
        let all = [(0, 0, 2), (1, 4, 2)];
        let mut r = streams(lhp, &all);
        for (t, sent) in run(&mut r, &all, 40).into_iter().enumerate() {
            let best_effort = t as u32 % (lhp + 1) == lhp;
            assert_eq!(sent, [(2, if best_effort { 4 } else { 0 })], "LHP {lhp} cycle {t}");
        }
        assert!(r.b.covered("yw6_turn_of_pick") > 0);
    }
}

/// Of LHP + 1 flits, with the nominee behind real-time of its own input for the same output.
#[test]
fn one_input_with_both_for_one_output() {
    let all = [(0, 0, 2), (0, 4, 2)];
    let mut r = streams(4, &all);
    for (t, sent) in run(&mut r, &all, 40).into_iter().enumerate() {
        assert_eq!(sent, [(2, if t % 5 == 4 { 4 } else { 0 })], "cycle {t}");
    }
    assert!(r.b.covered("yw6_turn_both") > 0);
}

#[test]
fn with_lhp_0_best_effort_waits_as_long_as_real_time_comes() {
    let all = [(0, 0, 1), (0, 4, 2), (3, 1, 4), (2, 4, 4)];
    let all = &all[..2];
    let mut r = streams(0, all);
    assert!(run(&mut r, all, 300).iter().all(|sent| sent == &[(1, 0)]));
    assert_eq!(r.get("st_guard_in", 0), 255);
    let all = [(0, 0, 2), (1, 4, 2)];
    let mut r = streams(0, &all);
    assert!(run(&mut r, &all, 300).iter().all(|sent| sent == &[(2, 0)]));
    assert_eq!(r.get("st_guard_out", 2), 255);
    // Best-effort that goes without a guard turn, as real-time has ended, ends no count.
    r.idle(6);
    let seen = run(&mut r, &all[1..], 10);
    assert!(seen.iter().all(|sent| sent == &[(2, 4)]), "{seen:?}");
    assert_eq!(r.get("st_guard_out", 2), 255);
    // With LHP = 255 once in 256.
    let mut r = streams(255, &all);
    let turns: Vec<usize> =
        (0..).zip(run(&mut r, &all, 600)).filter(|(_, s)| s[0].1 == 4).map(|t| t.0).collect();
    assert_eq!(turns, [255, 511]);
}

/// The input that a guard turn calls sends nothing else; what it had picked for another output goes later, and another's flit now.
#[test]
fn a_guard_turn_calls_a_pick_away() {
    let all = [(0, 0, 1), (0, 4, 2), (3, 1, 1)];
    let mut r = streams(1, &all);
    let seen = run(&mut r, &all, 12);
    // Output 1 takes lanes 0 and 1 in turn; input 0's lane 4 goes when one of its flits has passed it.
    assert_eq!(seen[..4], [vec![(1, 0)], vec![(1, 1), (2, 4)], vec![(1, 0)], vec![(1, 1), (2, 4)]]);
    assert!(r.b.covered("yw6_called_away") > 0);
    let all = &all[..2];
    let mut r = streams(1, all);
    run(&mut r, all, 12);
    assert!(r.b.covered("yw6_called_idle") > 0 && r.b.covered("yw6_called_away") == 0);
}

/// The nominee is due at its input, but its output has its own real-time to count.
#[test]
fn a_nominee_that_is_due_waits_for_its_outputs_guard() {
    let all = [(0, 0, 1), (0, 4, 2), (3, 1, 2)];
    let mut r = streams(64, &all);
    r.write(0, LHP, 1);
    run(&mut r, &all, 20);
    assert!(r.b.covered("yw6_due_waits") >= 18);
    assert_eq!(r.b.covered("yw6_turn_at_input"), 0);
    r.write(2, LHP, 5);
    let seen = run(&mut r, &all, 24);
    let turns = seen.iter().filter(|sent| sent.contains(&(2, 4))).count();
    assert!((3..=4).contains(&turns), "{seen:?}");
}

#[test]
fn reply_and_control_are_never_held_up() {
    for lane in [5, 6] {
        // At the input, and at the output.
        for all in [[(0, lane, 1), (0, 4, 2)], [(0, lane, 2), (1, 4, 2)]] {
            let mut r = streams(1, &all);
            let seen = run(&mut r, &all, 30);
            assert!(seen.iter().all(|sent| sent.len() == 1 && sent[0].1 == lane as u32), "{seen:?}");
        }
    }
    // Beside real-time, too, which waits as well.
    let all = [(0, 6, 1), (0, 0, 1), (0, 4, 2)];
    let mut r = streams(1, &all);
    r.idle(1);
    let seen = run(&mut r, &all[..1], 20);
    assert!(seen.iter().all(|sent| sent == &[(1, 6)]));
    assert_eq!(r.get("st_guard_in", 0), 0);
}

/// Best-effort that goes because its input's real-time has lost elsewhere is no turn of the nominee's.
#[test]
fn the_second_look_leaves_the_guards() {
    // Outputs 2: inputs 0 and 3 by turns; when input 0 waits, its best-effort goes to output 1.
    let all = [(0, 0, 2), (0, 4, 1), (3, 1, 2)];
    let mut r = streams(9, &all);
    let seen = run(&mut r, &all, 60);
    assert!(r.b.covered("yw5_second_best_effort") > 15, "{seen:?}");
    // Of the flits to output 1 one in so many is a guard turn, after 9 real-time flits of input 0.
    let turns = r.b.covered("yw6_turn_at_input");
    assert!((2..=4).contains(&turns), "{turns}");
}

/// Real-time that goes as its input's pick waits passes nobody there.
#[test]
fn the_second_look_counts_nothing_at_an_input() {
    let all = [(0, 6, 3), (1, 5, 3), (0, 0, 2), (0, 4, 4)];
    let mut r = streams(9, &all);
    let seen = run(&mut r, &all, 30);
    // The reply holds control up; beside it real-time goes until it is empty.
    assert!(r.b.covered("yw5_second_counts") > 0, "{seen:?}");
    assert_eq!((r.get("st_guard_in", 0), r.b.covered("yw6_due")), (0, 0));
}

/// The guards count real-time alone, and only what passes best-effort.
#[test]
fn guards_count_what_passes() {
    let all = [(0, 0, 1), (3, 4, 2)];
    let mut r = streams(9, &all);
    run(&mut r, &all, 20);
    assert_eq!((r.get("st_guard_in", 0), r.get("st_guard_out", 1), r.get("st_guard_out", 2)), (0, 0, 0));
}
