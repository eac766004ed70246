//! Section 4: picks and who goes.

use super::*;

/// Several flits to be sent in one cycle: messages of one flit are held by a link that is down until all have their lanes.
fn hold(r: &mut Router, messages: &[(usize, usize, u32)], down: &[usize]) {
    for &(i, v, o) in messages {
        r.flit(i, v, Whole, o);
        down.iter().for_each(|&d| {
            r.b.set("link_up", d, 0);
        });
        r.cycle();
    }
    for _ in 0..messages.len() + 6 {
        down.iter().for_each(|&d| {
            r.b.set("link_up", d, 0);
        });
        r.cycle();
    }
    for &(i, v, o) in messages.iter().filter(|m| down.contains(&(m.2 as usize))) {
        assert_eq!(r.owns(i, v).map(|own| own.0), Some(o), "input {i} lane {v}");
    }
}

/// Lanes of the flits that go to output `o`, one a cycle, from the next cycle on.
fn goes(r: &mut Router, o: usize, cycles: usize) -> Vec<Option<u32>> {
    r.idle(2);
    (0..cycles)
        .map(|_| {
            r.cycle();
            r.sent(o).map(|s| s[0])
        })
        .collect()
}

#[test]
fn classes_go_in_their_order_at_an_input() {
    let mut r = Router::new("odd");
    let (control, reply) = (r.control(), r.reply());
    // Lanes 0..3 are real-time, lane 4 best-effort.
    hold(&mut r, &[(0, 4, 3), (0, 1, 3), (0, control, 3), (0, 0, 3), (0, reply, 3)], &[3]);
    assert_eq!(goes(&mut r, 3, 5), [Some(5), Some(6), Some(0), Some(1), Some(4)]);
}

#[test]
fn classes_go_in_their_order_at_an_output() {
    let mut r = Router::new("odd");
    let (control, reply) = (r.control(), r.reply());
    hold(&mut r, &[(0, 4, 3), (1, 1, 3), (2, control, 3), (4, reply, 3)], &[3]);
    assert_eq!(goes(&mut r, 3, 4), [Some(5), Some(6), Some(1), Some(4)]);
}

/// Who loses looks again, once.
#[test]
fn there_is_a_second_look() {
    let mut r = Router::new("odd");
    // Both inputs pick output 3; input 1, which loses, has a flit for output 4, too.
    hold(&mut r, &[(0, 0, 3), (1, 1, 3), (1, 2, 4)], &[3, 4]);
    let mut seen = Vec::new();
    r.idle(2);
    for _ in 0..4 {
        r.cycle();
        seen.push((r.sent(3).map(|s| s[0]), r.sent(4).map(|s| s[0])));
    }
    assert_eq!(seen, [(Some(0), Some(2)), (Some(1), None), (None, None), (None, None)]);
    assert_eq!((r.b.covered("yw5_loses"), r.b.covered("yw5_second")), (0, 1));
    // Three pick output 3, two of them output 4 then; the third one is not asked again.
    let mut r = Router::new("odd");
    hold(&mut r, &[(0, 0, 2), (1, 1, 2), (1, 2, 3), (4, 2, 2), (4, 3, 3)], &[2, 3]);
    let lanes = |r: &Router| [2, 3].map(|o| r.sent(o).map(|s| s[0]));
    r.idle(3);
    assert_eq!(lanes(&r), [Some(0), Some(2)]);
    assert_eq!((r.b.covered("yw5_second_compete"), r.b.covered("yw5_loses")), (1, 1));
    r.cycle();
    assert_eq!(lanes(&r), [Some(1), Some(3)]);
    r.cycle();
    assert_eq!(lanes(&r), [Some(2), None]);
}

/// It takes the first class that can go to an idle output.
#[test]
fn a_second_look_goes_by_classes() {
    let mut r = Router::new("odd");
    let control = r.control();
    hold(&mut r, &[(0, control, 3), (1, 0, 3), (1, 4, 1), (1, 2, 2)], &[3, 2]);
    r.idle(3);
    // (Best-effort lane 4 went before, to the link that was up.)
    assert_eq!([3, 2, 1].map(|o| r.sent(o).map(|s| s[0])), [Some(control as u32), Some(2), None]);
    assert_eq!(r.b.covered("yw5_second_lower"), 0);
    hold(&mut r, &[(0, control, 3), (1, 0, 3), (1, 4, 2)], &[3, 2]);
    r.idle(3);
    assert_eq!([3, 2].map(|o| r.sent(o).map(|s| s[0])), [Some(control as u32), Some(4)]);
    assert_eq!(r.b.covered("yw5_second_lower"), 1);
}

/// Different inputs to different outputs all go at once.
#[test]
fn a_permutation_goes_in_one_cycle() {
    let mut r = Router::new("worm5");
    let all: Vec<(usize, usize, u32)> = (0..5).map(|i| (i, i, (i as u32 + 2) % 5)).collect();
    for &(i, v, o) in &all {
        r.flit(i, v, Whole, o);
    }
    r.idle(6);
    for (i, v, o) in all {
        assert_eq!(r.sent(o as usize).map(|s| s[0]), Some(v as u32), "input {i}");
    }
}
