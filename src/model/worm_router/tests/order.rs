//! Orders and weights of section 4.

use super::*;
use crate::model::worm::order::Order;

#[test]
fn a_lane_goes_to_the_end_after_what_is_left_to_it() {
    let mut order = Order::new(4);
    let places = |o: &Order| {
        let mut places = vec![0; 4];
        o.places().for_each(|(v, place)| places[v] = place);
        places
    };
    assert_eq!((places(&order), &order.left[..4]), (vec![0, 1, 2, 3], &[1, 1, 1, 1][..]));
    order.went(1, 3);
    assert_eq!((places(&order), order.left[1]), (vec![0, 3, 1, 2], 3));
    order.went(1, 9);
    order.went(1, 9);
    assert_eq!((places(&order), order.left[1]), (vec![0, 3, 1, 2], 1));
    // The weight of the cycle in which it goes to the end; 0 acts as 1.
    order.went(1, 0);
    assert_eq!((places(&order), order.left[1]), (vec![0, 3, 1, 2], 1));
    assert_eq!(order.first_of(0b1010), Some(3));
    assert_eq!(order.first_of(0), None);
}

/// What comes on lanes 0.. of an input, all the time, without end.
fn keep_full(r: &mut Router, i: usize, lanes: &[usize], o: u32, fed: &mut [usize]) {
    // One flit a cycle: the lane that has the fewest.
    let lane = lanes.iter().copied().min_by_key(|&v| r.lane("st_level", i, v)).unwrap();
    let first = fed[lane] == 0;
    fed[lane] += 1;
    if r.lane("st_level", i, lane) + 1 < r.p.depth as u32 {
        r.flit(i, lane, if first { Header } else { Body }, o);
    } else {
        fed[lane] -= 1;
    }
}

/// Flits of each lane of output `o` in `cycles` cycles in which `inputs` send what they can on `lanes`.
fn shares(r: &mut Router, inputs: &[(usize, &[usize])], o: usize, cycles: usize) -> Vec<u32> {
    let mut fed = vec![vec![0; r.p.vls]; r.p.ports];
    let mut count = vec![0; r.p.vls];
    for _ in 0..cycles {
        for (i, lanes) in inputs {
            keep_full(r, *i, lanes, o as u32, &mut fed[*i]);
        }
        r.pay(o);
        r.cycle();
        if let Some([lane, ..]) = r.sent(o) {
            count[lane as usize] += 1;
        }
    }
    count
}

/// At an output lanes of one class that can always send share it by their weights.
#[test]
fn an_output_is_shared_by_weight() {
    let mut r = Router::new("worm5");
    for (v, weight) in [(0, 5), (1, 2), (2, 1)] {
        r.write(255, WEIGHT_OUT + v, weight);
    }
    let n = shares(&mut r, &[(0, &[0]), (1, &[1]), (2, &[2])], 4, 800);
    assert!(
        (490..=500).contains(&n[0]) && (192..=200).contains(&n[1]) && (96..=103).contains(&n[2]),
        "{n:?}"
    );
}

/// At an input, to whatever outputs. (A link brings one flit a cycle, so the lanes run dry with equal loads and other weights: here the
/// loads follow the weights.)
#[test]
fn an_input_is_shared_by_weight() {
    let mut r = Router::new("worm5");
    r.write(255, WEIGHT_IN, 3);
    let n = shares(&mut r, &[(0, &[0, 1])], 4, 800);
    assert!(n[0] > 350 && n[1] > 180, "{n:?}");
    assert!(r.b.covered("yw5_keeps_turn_in") > 50 && r.b.covered("yw5_weight_in") > 50);
}

/// A lane that cannot send keeps its place: when its credits come it goes before those that passed it.
#[test]
fn a_lane_without_credits_keeps_its_place() {
    let mut r = Router::new("odd");
    r.write(255, BE_MASK, 1 << 4);
    // Lane 0 spends its credits; then lanes 0 and 1 have flits.
    r.message(0, 0, 5, 1);
    r.idle(8);
    assert_eq!(r.lane("st_cr", 1, 0), 0);
    r.flit(0, 0, Header, 1);
    r.cycle();
    // (A lane that went stands behind those that did not.)
    for v in [1, 2, 3] {
        r.message(0, v, 1, 1);
    }
    r.idle(6);
    let place = r.lane("st_place_in", 0, 0);
    r.flit(0, 1, Header, 1);
    r.cycle();
    for _ in 0..4 {
        r.flit(0, 1, Body, 1);
        r.cycle();
    }
    assert!(r.lane("st_place_in", 0, 0) <= place);
    assert!(r.lane("st_place_in", 0, 0) < r.lane("st_place_in", 0, 1));
    let at = r.at(1, 0);
    r.b.set("rx_credit", at, 1).cycle();
    r.flit(0, 1, Body, 1);
    r.cycle();
    let before = (r.lane("st_level", 0, 0), r.lane("st_level", 0, 1) > 0);
    assert_eq!(before, (1, true));
    r.cycle();
    assert_eq!(r.lane("st_level", 0, 0), 0);
}
