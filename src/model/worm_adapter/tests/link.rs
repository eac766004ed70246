//! The link (YW6): order, weights, guard, credits, what is held.

use super::*;

/// Fills lanes while the link is down; then what goes, with a credit for each flit at once.
fn lanes(a: &mut Adapter, posts: &[(u32, u32, u32)], flits: usize) -> Vec<u32> {
    for &(class, conn, len) in posts {
        a.offer_post(Post { class, conn, len, ..Post::default() });
        for _ in 0..len + 6 {
            a.b.set("link_up", 0, 0).cycle();
        }
    }
    go(a, flits)
}

fn go(a: &mut Adapter, flits: usize) -> Vec<u32> {
    let mut all = Vec::new();
    while all.len() < flits {
        for v in 0..a.p.vls {
            if a.lane("st_cr", v) + 1 < a.p.depth as u32 {
                a.b.set("rx_credit", v, 1);
            }
        }
        a.b.cycle();
        all.extend(a.sent().map(|s| s[0]));
    }
    all
}

#[test]
fn classes_go_in_their_order() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    a.b.config(LHP, 0);
    assert_eq!(lanes(&mut a, &[(2, 0, 2), (1, 0, 2), (0, 0, 2)], 6), [3, 3, 0, 0, 1, 1]);
    assert_eq!(a.get("st_guard"), 0, "best-effort has gone");
}

#[test]
fn the_guard_lets_best_effort_go() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    a.b.config(LHP, 2);
    assert_eq!(lanes(&mut a, &[(2, 0, 3), (1, 0, 6), (0, 0, 1)], 10), [3, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
    let counts = ["yw6_guard", "yw6_control_first", "yw6_lhp_1"].map(|p| a.b.covered(p));
    assert_eq!(counts, [2, 1, 0]);
    a.b.config(LHP, 0);
    assert_eq!(lanes(&mut a, &[(2, 0, 2), (1, 0, 5)], 7), [0, 0, 0, 0, 0, 1, 1]);
    // Control is exempt: it goes before best-effort whose turn it is.
    a.b.config(LHP, 1);
    assert_eq!(lanes(&mut a, &[(2, 0, 2), (1, 0, 2)], 1), [0]);
    assert_eq!(a.get("st_guard"), 0);
}

#[test]
fn lanes_share_by_their_weights() {
    let mut a = Adapter::new("odd");
    a.b.config(CTRL, ADMISSION).config(WSHIFT, 4).config(LHP, 0).config(LID, 7);
    a.b.config(BE_MASK, 0b11000);
    // Lanes 0, 1, 2 with 16, 32 and 8.
    for (conn, bw) in [(0, 16), (1, 32), (2, 8)] {
        assert_eq!(a.open(conn, 1, bw), 0);
        a.until_tail();
        a.reply(true, conn, 0);
        a.b.idle(3);
        assert_eq!(a.event(), Some((1, conn)));
    }
    let posts = [(1, 0, 21), (1, 1, 21), (1, 2, 21)];
    let all = lanes(&mut a, &posts, 40);
    // (After reset each lane has one flit left.) 8 >> 4 = 0 acts as 1.
    let round = |n: usize| all[n..n + 4].iter().map(|&v| 1 << (8 * v)).sum::<u32>();
    assert_eq!(all[..3], [0, 1, 2]);
    for n in (3..39).step_by(4) {
        assert_eq!(round(n), 0x0001_0201, "{all:?}");
    }
    assert!(a.b.covered("ya7_weight") > 0 && a.b.covered("ya7_weight_0") > 0);
    assert!((0..7).all(|v| a.lane("st_left", v) >= 1));
}

#[test]
fn weights_are_255_at_most() {
    let mut a = Adapter::two(ADMISSION);
    a.b.config(WSHIFT, 0);
    a.opened(0, 1, 4096);
    assert_eq!(a.real_time(0, 1), 0);
    a.until_tail();
    assert_eq!((a.lane("st_left", 0), a.lane("st_place", 0), a.b.covered("ya7_weight_most")), (255, 3, 1));
    // Each flit takes one of them.
    assert_eq!(a.real_time(0, 3), 0);
    a.until_tail();
    assert_eq!(a.lane("st_left", 0), 252);
}

#[test]
fn best_effort_and_control_have_a_weight() {
    let mut a = Adapter::two(0);
    a.b.config(BE_WEIGHT, 3);
    assert_eq!(a.best_effort(1, 1), 0);
    a.until_tail();
    assert_eq!((a.lane("st_left", 1), a.lane("st_place", 1), a.lane("st_place", 3)), (3, 3, 2));
    assert_eq!(a.control(1, 1), 0);
    a.until_tail();
    assert_eq!((a.lane("st_left", 3), a.lane("st_place", 3), a.lane("st_place", 1)), (3, 3, 2));
    a.b.config(BE_WEIGHT, 0);
    assert_eq!(a.control(1, 4), 0);
    a.until_tail();
    assert_eq!((a.lane("st_left", 3), a.b.covered("yw6_weight_be_0")), (1, 2));
}

#[test]
fn credits_are_of_each_lane() {
    let mut a = Adapter::two(0);
    assert_eq!(a.best_effort(1, 6), 0);
    a.b.idle(20);
    assert_eq!((a.lane("st_cr", 1), a.lane("st_level", 1), a.lane("st_inside", 1)), (0, 2, 1));
    assert_eq!((a.lane("be_front", 1), a.get("st_cnt_sent")), (0, 0));
    a.b.set("rx_credit", 1, 1).cycle();
    a.b.cycle();
    assert_eq!((a.lane("st_cr", 1), a.lane("st_level", 1)), (1, 2));
    a.b.set("rx_credit", 1, 1).cycle();
    assert_eq!((a.lane("st_cr", 1), a.lane("st_level", 1)), (0, 1), "taken and given");
    a.b.cycle();
    assert_eq!((a.lane("st_cr", 1), a.get("err")), (1, 0));
    // One that nobody gave.
    a.b.set("rx_credit", 0, 1).cycle();
    a.b.cycle();
    assert_eq!((a.lane("st_cr", 0), a.get("err")), (4, CREDIT));
}

#[test]
fn a_header_of_best_effort_can_be_held() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    a.b.set("be_hold", 1, 1);
    assert_eq!(a.best_effort(0x607, 3), 0);
    for _ in 0..9 {
        a.b.set("be_hold", 0, 1).set("be_hold", 1, 1).cycle();
    }
    assert_eq!((a.lane("be_front", 1), a.lane("be_dlid", 1), a.lane("st_level", 1)), (1, 0x607, 3));
    assert_eq!((a.lane("be_front", 0), a.lane("be_dlid", 0)), (0, 0));
    a.b.cycle();
    for _ in 0..2 {
        a.b.set("be_hold", 1, 1).cycle();
    }
    assert_eq!((a.lane("st_level", 1), a.lane("be_front", 1), a.lane("be_dlid", 1)), (1, 0, 0));
    a.b.cycle();
    assert_eq!((a.sent(), a.b.covered("yw6_held_inside")), (Some([1, 0, 0]), 2));
    // Lane 1 is of real-time now: its header goes.
    a.b.config(BE_MASK, 1);
    a.opened(1, 1, 1);
    a.b.set("rx_credit", 1, 1).cycle();
    a.real_time(1, 2);
    for _ in 0..5 {
        a.b.set("be_hold", 1, 1).cycle();
    }
    assert_eq!(a.sent(), Some([1, 0, 1]));
}

/// A lane of the link is free again when its message has gone and all its credits are home.
#[test]
fn other_schemes_see_the_link_and_the_lanes() {
    let mut a = Adapter::two(0);
    let seen = |a: &Adapter| ["link_free", "lane_full", "st_inside", "st_cr"].map(|n| a.lane(n, 1));
    // As long as the lane.
    assert_eq!(a.best_effort(9, 12), 0);
    while a.lane("st_level", 1) < 12 {
        assert_eq!(a.lane("lane_full", 1), 0);
        a.b.set("be_hold", 1, 1).cycle();
    }
    assert_eq!(seen(&a), [1, 1, 0, 4]);
    a.b.cycle();
    a.b.cycle();
    assert_eq!(seen(&a), [0, 0, 1, 3]);
    a.until_tail();
    a.b.idle(2);
    while a.lane("st_cr", 1) < 4 {
        assert_eq!(a.lane("link_free", 1), 0);
        a.b.set("rx_credit", 1, 1).cycle();
        a.b.cycle();
    }
    assert_eq!(seen(&a), [1, 0, 0, 4]);
    assert_eq!([0, 2, 3].map(|v| a.lane("link_free", v)), [1, 1, 1]);
}
