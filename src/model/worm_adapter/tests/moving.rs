//! From queues to lanes (YC4): what is chosen, and how it is moved.

use super::*;

#[test]
fn a_message_is_moved_flit_by_flit() {
    let mut a = Adapter::two(0);
    assert_eq!(a.post(Post { class: 2, dlid: 0x304, len: 3, tag: 0x55, ..Post::default() }), 0);
    // In the cycle of done it is chosen.
    assert_eq!((a.b.get("st_queue", 2), a.get("st_move")), (1, 0));
    a.b.cycle();
    assert_eq!(
        (a.b.get("st_queue", 2), a.get("st_move"), a.get("st_move_vl"), a.get("st_move_left")),
        (0, 1, 1, 3)
    );
    assert_eq!(
        (a.get("dma_valid"), a.get("dma_tag"), a.get("dma_index"), a.lane("st_level", 1)),
        (0, 0, 0, 0)
    );
    for index in [1, 2] {
        a.b.set_words("dma_data", &[index, 0xaaaa, 3, 4]).cycle();
        let dma = (a.get("dma_valid"), a.get("dma_tag"), a.get("dma_index"));
        assert_eq!((dma, a.get("st_move_left")), ((1, 0x55, index), 3 - index));
    }
    // The header went in the cycle of the second word, and is on the link two cycles later.
    assert_eq!((a.lane("st_level", 1), a.lane("st_inside", 1), a.sent()), (1, 1, None));
    a.b.cycle();
    assert_eq!(
        (a.get("st_move"), a.get("dma_valid"), a.get("st_move_vl"), a.sent()),
        (0, 0, 0, Some([1, 1, 0]))
    );
    a.b.cycle();
    assert_eq!((a.sent(), a.b.get_words("tx_data")), (Some([1, 0, 0]), &[1, 0xaaaa, 3, 4][..]));
    a.b.cycle();
    assert_eq!((a.sent(), a.b.get_words("tx_data")), (Some([1, 0, 1]), &[2, 0xaaaa, 3, 4][..]));
    assert_eq!((a.completion(), a.lane("st_inside", 1), a.lane("st_cr", 1)), (None, 0, 1));
    assert_eq!(a.get("st_cnt_sent"), 1, "from the cycle behind that in which it went");
    a.b.cycle();
    assert_eq!((a.completion(), a.get("st_cnt_sent")), (Some([2, 0, 0x55]), 1));
}

/// Lane and length of a message of which the first flit is moved in the cycle that was run last; `was`: whether some other one's flit, not
/// the last one, was in the cycle before.
fn begins(a: &Adapter, was: &mut bool) -> Option<(u32, u32)> {
    let (moves, left) = (a.get("st_move") == 1, a.get("st_move_left"));
    let begun = (moves && !*was).then_some((a.get("st_move_vl"), left));
    *was = moves && left > 1;
    begun
}

/// Posts by class and length while the link is down, one in two cycles; lanes of the messages that are moved, in their order.
fn order(a: &mut Adapter, posts: &[(u32, u32)], cycles: usize) -> Vec<u32> {
    let (mut all, mut was) = (Vec::new(), false);
    for n in 0..cycles {
        if let Some(&(class, len)) = posts.get(n / 2).filter(|_| n % 2 == 0) {
            a.offer_post(Post { class, len, ..Post::default() });
        }
        a.b.set("link_up", 0, 0).cycle();
        all.extend(begins(a, &mut was).map(|m| m.0));
    }
    all
}

#[test]
fn control_goes_first_then_real_time_but_for_the_guard() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    a.b.config(LHP, 2);
    // A long control message is moved while others are posted.
    let posts = [(0, 12), (2, 1), (2, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1)];
    assert_eq!(order(&mut a, &posts, 40), [3, 0, 0, 1, 0, 0, 1, 0]);
    assert_eq!((a.get("st_guard_move"), a.b.covered("yc4_guard"), a.get("st_posted")), (0, 2, 7));
    // In flits: best-effort of two lets four pass.
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    a.b.config(LHP, 2);
    let posts = [(0, 12), (2, 2), (1, 1), (1, 2), (1, 1), (1, 1), (2, 2), (1, 1)];
    assert_eq!(order(&mut a, &posts, 40), [3, 0, 0, 0, 1, 0, 0, 1]);
    assert_eq!(a.get("st_guard_move"), 0);
}

#[test]
fn a_flit_is_moved_in_every_cycle() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    let (mut moved, mut was, mut all) = (0, false, Vec::new());
    for n in 0..24 {
        if n < 10 && n % 2 == 0 {
            a.offer_post(Post { class: n / 2 % 3, len: 3, ..Post::default() });
        }
        a.give();
        moved += a.get("st_move");
        all.extend(begins(&a, &mut was));
    }
    // The first one is chosen in 2.
    assert_eq!((moved, all), (15, vec![(3, 3), (0, 3), (3, 3), (0, 3), (1, 3)]));
    assert_eq!(a.b.covered("yc4_at_once"), 4);
}

/// The level of a lane counts the flit that is moved there in the cycle of the choice.
#[test]
fn a_flit_on_its_way_takes_room() {
    for (len, at_once) in [(8, 1), (9, 0)] {
        let mut a = Adapter::two(0);
        a.opened(0, 1, 1);
        let all = order(&mut a, &[(1, 4), (1, len)], 30);
        assert_eq!((all.len(), a.b.covered("yc4_at_once_behind")), (1 + at_once as usize, at_once));
        assert_eq!(a.lane("st_level", 0), 4 + at_once as u32 * len);
    }
}

#[test]
fn own_and_host_control_take_turns() {
    let mut a = Adapter::two(ADMISSION);
    assert_eq!(a.control(1, 12), 0);
    for n in 0..3 {
        a.offer_open(n, 1, 1);
        a.b.set("link_up", 0, 0).cycle();
        a.offer_post(Post { len: 1, ..Post::default() });
        a.b.set("link_up", 0, 0).cycle();
    }
    for _ in 0..12 {
        a.b.set("link_up", 0, 0).cycle();
    }
    assert_eq!((a.get("st_own_first"), a.b.get("st_queue", 0), a.b.get("st_queue", 3)), (1, 3, 3));
    // The lane is full. When the probe, whose turn it is, does not fit, the host's waits, too.
    for _ in 0..4 {
        a.b.cycle();
    }
    a.b.idle(3);
    assert_eq!((a.lane("st_level", 3), a.get("st_move")), (8, 0));
    assert!(a.b.covered("yc4_other_fits") > 0);
    let mut lengths = Vec::new();
    let mut was = false;
    for _ in 0..200 {
        a.give();
        lengths.extend(begins(&a, &mut was).map(|m| m.1));
    }
    assert_eq!(lengths, [10, 1, 10, 1, 10, 1]);
}

#[test]
fn own_messages_are_as_long_as_a_lane_at_most() {
    let mut a = Adapter::new("tiny");
    a.b.config(CTRL, ADMISSION).config(BE_MASK, 0);
    assert_eq!(a.open(0, 1, 1), 0);
    a.b.cycle();
    assert_eq!((a.get("st_move"), a.get("st_move_vl"), a.get("st_move_left")), (1, 2, 4));
}

#[test]
fn a_message_needs_room_for_all_of_it() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 1);
    let all = order(&mut a, &[(1, 8), (1, 5), (2, 12), (2, 1)], 50);
    assert_eq!(all, [0, 1], "real-time does not fit, and best-effort fills its lane");
    assert_eq!((a.lane("st_level", 0), a.lane("st_level", 1)), (8, 12));
    assert_eq!((a.b.get("st_queue", 1), a.b.get("st_queue", 2), a.get("st_guard_move")), (1, 1, 0));
    // One flit leaves: seven are left, and five fit in S(t+1).
    a.b.cycle();
    assert_eq!((a.lane("st_level", 0), a.get("st_move")), (8, 0));
    a.b.cycle();
    assert_eq!((a.lane("st_level", 0), a.get("st_move")), (7, 0));
    a.b.cycle();
    assert_eq!((a.get("st_move"), a.get("st_move_vl"), a.get("st_move_left")), (1, 0, 5));
}

#[test]
fn best_effort_lanes_are_drawn() {
    let mut a = Adapter::new("odd");
    a.b.config(BE_MASK, 0b1_1010).config(LFSR_SEED, 0);
    let mut lfsr = 1;
    for n in 0..12 {
        assert_eq!(a.best_effort(1, 1), 0);
        assert_eq!(a.get("st_lfsr"), lfsr);
        let lane = [1, 3, 4][((lfsr * 3) >> 16) as usize];
        lfsr = crate::scheme::marking::next_lfsr(lfsr);
        a.b.cycle();
        assert_eq!((a.get("st_move_vl"), a.get("st_lfsr")), (lane, lfsr), "{n}");
        a.b.idle(6);
        a.give();
    }
    // A write wins.
    a.offer_post(Post { class: 2, len: 1, ..Post::default() });
    a.b.idle(2).config(LFSR_SEED, 0x1234);
    a.b.cycle();
    assert_eq!((a.get("st_move"), a.get("st_lfsr"), a.b.covered("yc4_seed_and_draw")), (1, 0x1234, 1));
}
