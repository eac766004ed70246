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
    for &(i, v, o) in messages {
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

/// One flit of each input and output a cycle; who loses looks again at outputs to which nothing goes.
#[test]
fn who_loses_looks_again() {
    let mut r = Router::new("odd");
    // Both inputs pick output 3; input 1 sends what it has for output 4 instead.
    hold(&mut r, &[(0, 0, 3), (1, 1, 3), (1, 2, 4)], &[3, 4]);
    let mut seen = Vec::new();
    r.idle(2);
    for _ in 0..4 {
        r.cycle();
        seen.push((r.sent(3).map(|s| s[0]), r.sent(4).map(|s| s[0])));
    }
    assert_eq!(seen, [(Some(0), Some(2)), (Some(1), None), (None, None), (None, None)]);
    assert_eq!((r.b.covered("yw5_loses"), r.b.covered("yw5_second")), (1, 1));
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
