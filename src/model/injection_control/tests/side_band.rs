//! Gathering (YS1) and estimate (YS2).

use super::*;

fn given(c: &Control) -> [u32; 3] {
    ["give_valid", "give_full", "give_flits"].map(|n| c.get(n))
}

#[test]
fn counts_are_given_when_they_are_asked_for() {
    let mut c = Control::new("two");
    for _ in 0..3 {
        c.b.set("dlv_valid", 0, 1);
        c.cycle();
    }
    // Lanes 0 and 3 of the adapter, three of the router's, and a flit in the cycle of the gathering.
    for (name, i) in [("own_full", 0), ("own_full", 3), ("full", 0), ("full", 5), ("full", 11)] {
        c.b.set(name, i, 1);
    }
    c.b.set("gather", 0, 1).set("dlv_valid", 0, 1);
    c.cycle();
    assert_eq!((given(&c), c.get("st_flits")), ([0, 0, 0], 3));
    c.cycle();
    assert_eq!((given(&c), c.get("st_flits")), ([1, 5, 4], 0));
    c.cycle();
    assert_eq!(given(&c), [0, 0, 0]);
    // Without the router's, whatever the scheme.
    c.write(CTRL, 1);
    c.b.set("own_full", 2, 1).set("full", 7, 1).set("gather", 0, 1);
    c.cycle();
    c.b.set("gather", 0, 1).set("dlv_valid", 0, 1);
    c.cycle();
    assert_eq!(given(&c), [1, 1, 0]);
    c.cycle();
    assert_eq!(given(&c), [1, 0, 1]);
}

#[test]
fn a_lane_that_is_full_because_its_header_is_held_does_not_count() {
    let mut c = Control::with("mesh", &[(CTRL, TUNED), (GATHER, 4), (T, 4), (HOLD_MAX, 3)]);
    // Lanes 11 to 13 are best-effort; 12 and 13 have headers in front, 4 is full of something else.
    (c.front[12], c.front[13]) = (Some(1), Some(1));
    let full = |c: &mut Control, sum: u32| {
        for lane in [4, 11, 12, 13] {
            c.b.set("own_full", lane, 1);
        }
        c.b.set("gather", 0, 1);
        c.sum(sum, 0);
        c.cycle();
        c.get("give_full")
    };
    assert_eq!(full(&mut c, 5), 4, "nothing is held yet");
    assert_eq!(full(&mut c, 5), 2, "two are");
    c.send(12);
    c.idle(1);
    assert_eq!(full(&mut c, 5), 3, "the other one is overdue");
}

#[test]
fn flits_are_counted_as_far_as_16_bits_go() {
    let mut c = Control::new("tiny");
    for _ in 0..65_536 {
        c.b.set("dlv_valid", 0, 1);
        c.cycle();
    }
    assert_eq!(c.get("st_flits"), 65_535);
    c.b.set("dlv_valid", 0, 1).set("gather", 0, 1);
    c.cycle();
    c.cycle();
    assert_eq!((given(&c), c.get("st_flits")), ([1, 0, 65_535], 0));
}

/// `st_throttle` in each of some cycles.
fn throttles(c: &mut Control, cycles: usize) -> Vec<u32> {
    (0..cycles)
        .map(|_| {
            c.cycle();
            c.get("st_throttle")
        })
        .collect()
}

#[test]
fn the_estimate_goes_on_as_the_last_two_sums_did() {
    let mut c = Control::with("two", &[(CTRL, TUNED), (GATHER, 2), (T, 21)]);
    c.sum(10, 0);
    c.cycle();
    assert_eq!(["st_f0", "st_f1", "st_k"].map(|n| c.get(n)), [10, 10, 0], "the first one after silence");
    c.idle(2);
    c.sum(18, 0);
    // 18, 20, 22 ... by 2 a cycle, until eight cycles are over; a cycle later each is seen.
    assert_eq!(throttles(&mut c, 12), [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
    assert_eq!(["st_f0", "st_f1", "st_k"].map(|n| c.get(n)), [10, 18, 8]);
}

#[test]
fn it_falls_too_rounded_down_and_not_below_0() {
    let mut c = Control::with("two", &[(CTRL, TUNED), (GATHER, 2), (T, 4)]);
    c.sum(18, 0);
    c.idle(3);
    c.sum(7, 0);
    // Of before: 18. Then 7, and 7 - 2.75, which is 4: not above 4.
    assert_eq!(throttles(&mut c, 4), [1, 1, 0, 0]);
    // Below 0 is 0, which is not above a threshold of 0.
    c.write(T, 0);
    assert_eq!(c.get("st_k"), 4);
    assert_eq!(throttles(&mut c, 5), [0, 0, 0, 0, 0]);
    assert!(c.b.covered("ys2_below_0") > 1);
}

#[test]
fn self_tuned_holds_all_best_effort_headers_alike() {
    let mut c = Control::with("mesh", &[(CTRL, TUNED), (GATHER, 4), (T, 4), (HOLD_MAX, 5)]);
    c.sum(5, 0);
    c.idle(2);
    let holds: Vec<u32> = (0..16).map(|v| c.b.get("be_hold", v)).collect();
    // Of 14 data lanes the highest three.
    assert_eq!(holds, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0]);
    c.front[12] = Some(1);
    assert_eq!(c.holds(12, 7), [1, 1, 1, 1, 1, 0, 0]);
    c.write(CTRL, ALO);
    assert_eq!(c.holds(11, 1), [0], "the router is idle");
}

#[test]
fn the_side_band_is_silent_after_two_gatherings() {
    let mut c = Control::with("two", &[(GATHER, 3), (T, 1)]);
    c.sum(9, 0);
    assert_eq!(throttles(&mut c, 20), [[0; 1].as_slice(), &[1; 16], &[0; 3]].concat());
    // With more time for each it is not silent any more, with less it is, and is said to be so old.
    c.write(GATHER, 4);
    c.cycle();
    assert_eq!(throttles(&mut c, 3), [1, 1, 1]);
    let k = c.get("st_k");
    assert!((17..32).contains(&k), "{k}");
    c.write(GATHER, 1);
    c.idle(2);
    assert_eq!((c.get("st_k"), c.get("st_throttle")), (4, 0));
}

#[test]
fn a_sum_after_silence_has_no_slope() {
    let mut c = Control::with("two", &[(GATHER, 0)]);
    c.sum(100, 0);
    c.sum(40, 0);
    c.cycle();
    assert_eq!(["st_f0", "st_f1", "st_k"].map(|n| c.get(n)), [100, 40, 0]);
    c.cycle();
    c.sum(70, 0);
    assert_eq!(c.get("st_k"), 2, "the last one is two cycles old: silent");
    c.cycle();
    assert_eq!(["st_f0", "st_f1", "st_k"].map(|n| c.get(n)), [70, 70, 0]);
}
