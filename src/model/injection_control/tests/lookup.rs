//! Look-ups of useful outputs (YL1).

use super::*;

#[test]
fn the_answer_is_known_two_cycles_after_the_question() {
    let mut c = Control::new("two");
    c.route(5, 0b101);
    c.front[1] = Some(5);
    c.cycle();
    assert_eq!((c.get("st_look"), c.get("st_ask")), (0, 0));
    c.cycle();
    assert_eq!((c.get("st_look"), c.get("st_look_vl"), c.get("st_ask"), c.known(1)), (1, 1, 2, [0, 0, 0]));
    c.cycle();
    assert_eq!((c.get("st_look"), c.get("st_look_vl"), c.known(1)), (0, 0, [1, 5, 5]));
    // It stays known as long as a header for it is in front, and a cycle longer.
    c.idle(5);
    assert_eq!(c.known(1), [1, 5, 5]);
    c.front[1] = None;
    c.cycle();
    assert_eq!(c.known(1), [1, 5, 5]);
    c.cycle();
    assert_eq!(c.known(1), [0, 0, 0]);
}

#[test]
fn a_header_that_is_another_one_is_looked_up_anew() {
    let mut c = Control::new("two");
    c.route(5, 0b101);
    c.route(6, 0b010);
    c.front[1] = Some(5);
    c.idle(2);
    // The answer for 5 is there in the cycle in which 6 comes to the front: it is lost, and 6 asks in the cycle after.
    c.front[1] = Some(6);
    c.cycle();
    assert_eq!(c.known(1), [1, 5, 5]);
    c.cycle();
    assert_eq!(c.known(1), [0, 0, 0]);
    assert_eq!((c.get("st_look"), c.get("st_look_vl")), (1, 1), "as 5 was known, 6 could ask at once");
    c.cycle();
    assert_eq!(c.known(1), [1, 6, 2]);

    let mut c = Control::new("two");
    c.route(6, 0b010);
    c.front[1] = Some(5);
    c.cycle();
    c.front[1] = Some(6);
    c.cycle();
    // (Its own look-up, of 5, was under way: it could not ask.)
    assert_eq!(c.get("st_look"), 1);
    c.cycle();
    assert_eq!((c.get("st_look"), c.known(1)), (0, [0, 0, 0]));
    c.idle(2);
    assert_eq!(c.known(1), [1, 6, 2]);
    assert_eq!((c.b.covered("yl1_lost_changed"), c.b.covered("yl1_looks")), (1, 1));
}

#[test]
fn a_look_up_for_a_header_that_went_is_lost() {
    let mut c = Control::new("two");
    c.front[1] = Some(5);
    c.cycle();
    c.front[1] = None;
    c.idle(3);
    assert_eq!((c.known(1), c.b.covered("yl1_lost_gone")), ([0, 0, 0], 1));
}

#[test]
fn lanes_ask_in_turn() {
    let mut c = Control::new("two");
    (0..4).for_each(|d| c.route(d, d));
    for v in 0..4 {
        c.front[v] = Some(v as u32);
    }
    let mut lanes = Vec::new();
    for _ in 0..7 {
        c.cycle();
        lanes.push((c.get("st_look"), c.get("st_look_vl"), c.get("st_ask")));
    }
    assert_eq!(lanes, [(0, 0, 0), (1, 0, 1), (1, 1, 2), (1, 2, 3), (1, 3, 0), (0, 0, 0), (0, 0, 0)]);
    assert_eq!([0, 1, 2, 3].map(|v| c.known(v)), [[1, 0, 0], [1, 1, 1], [1, 2, 2], [1, 3, 3]]);
    // From lane 2 on: 3 before 1.
    c.front = [None; 16];
    c.front[1] = Some(9);
    c.cycle();
    c.front[3] = Some(8);
    c.front[0] = Some(7);
    c.idle(2);
    assert_eq!((c.get("st_look_vl"), c.get("st_ask")), (3, 0));
}

#[test]
fn a_write_of_the_table_forgets_all() {
    let mut c = Control::new("two");
    c.front[1] = Some(5);
    c.idle(3);
    assert_eq!(c.known(1), [1, 5, 0]);
    c.front[0] = Some(6);
    c.cycle();
    // The answer for lane 0 is there in the cycle of the write, and lane 2 asks in it.
    c.front[2] = Some(6);
    c.route(6, 0b110);
    assert_eq!((c.get("st_look"), c.get("st_ask")), (1, 1));
    c.cycle();
    assert_eq!((c.get("st_look"), c.get("st_ask"), c.known(0), c.known(1)), (0, 1, [0, 0, 0], [0, 0, 0]));
    c.idle(4);
    assert_eq!([0, 1, 2].map(|v| c.known(v)), [[1, 6, 6], [1, 5, 0], [1, 6, 6]]);
    // One beyond the table is none.
    c.route(16, 7);
    c.route(0xfff6, 7);
    c.cycle();
    assert_eq!([0, 1, 2].map(|v| c.known(v)), [[1, 6, 6], [1, 5, 0], [1, 6, 6]]);
}

#[test]
fn what_is_not_there_is_not_useful() {
    let mut c = Control::new("two");
    // Bits of outputs from P on; a DLID beyond the table, whose low bits are those of an entry.
    c.route(5, 0xfffa);
    (c.front[0], c.front[1]) = (Some(5), Some(5 + 16));
    c.idle(5);
    assert_eq!((c.known(0), c.known(1)), ([1, 5, 2], [1, 21, 0]));
}
