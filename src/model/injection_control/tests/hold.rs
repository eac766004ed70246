//! Whom it holds, and for how long (section 2).

use super::*;

/// Build `two` with ALO, everything owned: what is best-effort is held.
fn blocked(hold_max: u32) -> Control {
    let mut c = Control::with("two", &[(CTRL, ALO), (HOLD_MAX, hold_max), (CHANNELS, 0)]);
    c.route(5, 0b111);
    c.owned = (0..3).flat_map(|p| (0..4).map(move |v| (p, v))).collect();
    c.idle(2);
    c
}

#[test]
fn nothing_but_best_effort_is_held() {
    let mut c = blocked(0);
    c.front[..4].fill(Some(5));
    c.idle(9);
    assert_eq!([0, 1, 2, 3].map(|v| c.b.get("be_hold", v)), [0, 1, 0, 0]);
    assert_eq!([0, 1, 2, 3].map(|v| c.b.get("st_held", v)), [0, 8, 0, 0]);
    c.write(BE_MASK, 0xffff);
    c.cycle();
    assert_eq!([0, 1, 2, 3].map(|v| c.b.get("be_hold", v)), [1, 1, 0, 0]);
    for scheme in [NONE, NONE | 3] {
        c.write(CTRL, scheme);
        assert_eq!((c.holds(0, 1), c.holds(1, 1)), (vec![0], vec![0]));
    }
}

#[test]
fn a_header_is_held_for_so_long_and_no_longer() {
    let mut c = blocked(3);
    c.front[1] = Some(5);
    assert_eq!(c.holds(1, 6), [1, 1, 1, 0, 0, 0]);
    assert_eq!(c.b.get("st_held", 1), 3);
    // It goes: the next one is held as long.
    c.send(1);
    assert_eq!(c.holds(1, 5), [1, 1, 1, 0, 0]);
    // A flit of it, and a header on another lane, are nothing.
    c.b.set("tx_valid", 0, 1).set("tx_vl", 0, 1);
    c.cycle();
    c.send(0);
    c.b.set("tx_first", 0, 1).set("tx_vl", 0, 1);
    c.cycle();
    assert_eq!(c.holds(1, 1), [0]);
    // Without a header it begins anew.
    c.front[1] = None;
    c.cycle();
    c.front[1] = Some(5);
    assert_eq!(c.holds(1, 5), [1, 1, 1, 0, 0]);
    // In the first cycle in which it is overdue one leaves.
    c.front[1] = None;
    c.cycle();
    c.front[1] = Some(5);
    c.idle(3);
    c.send(1);
    assert_eq!((c.b.get("be_hold", 1), c.b.covered("yl1_overdue_leaves")), (0, 1 + 1));
    assert_eq!(c.holds(1, 4), [1, 1, 1, 0]);
}

#[test]
fn what_it_was_held_is_kept_while_it_is_not() {
    let mut c = blocked(3);
    c.front[1] = Some(5);
    c.idle(2);
    // (Freed in this cycle, seen in the next one.)
    let owned = std::mem::take(&mut c.owned);
    assert_eq!(c.holds(1, 4), [1, 0, 0, 0]);
    assert_eq!(c.b.get("st_held", 1), 3);
    c.owned = owned;
    assert_eq!(c.holds(1, 3), [0, 0, 0], "it is overdue");
    let mut c = blocked(4);
    c.front[1] = Some(5);
    c.idle(2);
    let owned = std::mem::take(&mut c.owned);
    assert_eq!(c.holds(1, 4), [1, 0, 0, 0]);
    c.owned = owned;
    assert_eq!(c.holds(1, 4), [0, 1, 0, 0]);
}

#[test]
fn hold_max_of_0_is_no_bound_and_the_count_stays() {
    let mut c = blocked(0);
    c.front[1] = Some(5);
    c.idle(65_536);
    assert_eq!(c.b.get("st_held", 1), 65_535);
    c.cycle();
    assert_eq!((c.b.get("st_held", 1), c.holds(1, 1)), (65_535, vec![1]));
    c.write(HOLD_MAX, 65_535);
    assert_eq!(c.holds(1, 1), [0]);
}
