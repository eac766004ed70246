//! At-Least-One: its two clauses.

use super::*;

/// Build `two`: outputs 0, 1, 2; lane 1 is best-effort. A header for DLID 5, whose useful outputs are 0 and 2, has been looked up.
fn ready(channels: u32) -> Control {
    let mut c = Control::with("two", &[(CTRL, ALO), (CHANNELS, channels)]);
    c.route(5, 0b101);
    c.front[1] = Some(5);
    c.idle(4);
    c
}

#[test]
fn every_useful_channel_needs_a_free_lane() {
    let mut c = ready(0);
    assert_eq!(c.holds(1, 1), [0]);
    // Output 1 is not useful.
    c.owned = vec![(1, 1)];
    assert_eq!(c.holds(1, 3), [0, 0, 0]);
    // Output 2 is: what is so in a cycle holds from the next one on.
    c.owned = vec![(1, 1), (2, 1)];
    assert_eq!(c.holds(1, 3), [0, 1, 1]);
    assert_eq!((c.get("st_free"), c.get("st_clear"), c.get("st_link")), (0b001, 0b001, 1));
    c.owned = vec![(1, 1), (2, 0), (2, 2), (2, 3), (0, 0)];
    assert_eq!(c.holds(1, 2), [1, 0], "lanes of other classes do not count");
    // The link is a useful channel.
    c.link = 0b1101;
    assert_eq!(c.holds(1, 2), [0, 1]);
    c.link = 0b0010;
    assert_eq!(c.holds(1, 2), [1, 0]);
}

#[test]
fn one_clear_channel_is_enough() {
    let mut c = ready(0b010);
    c.owned = vec![(0, 1), (2, 1)];
    c.link = 0;
    c.idle(1);
    assert_eq!(c.holds(1, 2), [0, 0], "output 1 is clear");
    // It needs no look-up.
    c.front[1] = Some(7);
    assert_eq!(c.holds(1, 3), [0, 0, 0]);
    c.owned.push((1, 1));
    assert_eq!(c.holds(1, 2), [0, 1]);
    // One that is clear and not in CHANNELS does not count, nor do bits of no output.
    c.owned = vec![(1, 1)];
    c.write(CHANNELS, 0xfffa);
    c.idle(1);
    assert_eq!((c.holds(1, 1), c.get("st_clear")), (vec![1], 0b101));
    c.write(CHANNELS, 0xfffb);
    assert_eq!(c.holds(1, 1), [0]);
}

#[test]
fn clear_is_more_than_free() {
    let mut c = Control::with("two", &[(CTRL, ALO), (BE_MASK, 0xffff)]);
    // Both data lanes are best-effort; those above are not, whatever BE_MASK says.
    c.owned = vec![(0, 0), (1, 0), (1, 1), (2, 2), (2, 3)];
    c.link = 0b1100;
    c.idle(2);
    assert_eq!((c.get("st_free"), c.get("st_clear"), c.get("st_link")), (0b101, 0b100, 0));
}

#[test]
fn without_best_effort_lanes_nothing_is_free_or_clear() {
    let mut c = Control::with("two", &[(CTRL, ALO), (BE_MASK, 0b1100)]);
    c.front[1] = Some(5);
    c.idle(4);
    assert_eq!((c.get("st_free"), c.get("st_clear"), c.get("st_link")), (0, 0, 0));
    assert_eq!(c.holds(1, 2), [0, 0], "and no lane is held");
}

#[test]
fn a_header_waits_until_its_useful_outputs_are_known() {
    let mut c = Control::with("two", &[(CTRL, ALO), (CHANNELS, 0)]);
    c.route(5, 0b101);
    // (Nothing is known of no header, either.)
    assert_eq!(c.holds(1, 1), [1]);
    c.front[1] = Some(5);
    assert_eq!(c.holds(1, 4), [1, 1, 0, 0]);
    // The next one goes by its predecessor's permission for a cycle.
    c.front[1] = Some(6);
    assert_eq!(c.holds(1, 4), [0, 1, 0, 0]);
    assert_eq!(c.b.covered("yl1_permission"), 1);
}

/// No useful outputs: the link alone decides.
#[test]
fn an_unknown_destination_has_its_link_alone() {
    let mut c = Control::with("two", &[(CTRL, ALO), (CHANNELS, 0)]);
    c.front[1] = Some(999);
    c.owned = vec![(0, 1), (1, 1), (2, 1)];
    assert_eq!(c.holds(1, 3), [1, 1, 0]);
    c.link = 0;
    assert_eq!(c.holds(1, 2), [0, 1]);
}
