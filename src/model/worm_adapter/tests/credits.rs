//! Posts: what refuses them, and credits (YC1, YC2, YC3).

use super::*;

#[test]
fn posts_are_refused_in_their_order() {
    let mut a = Adapter::two(CREDITS);
    a.b.config(C_B, 1).config(M, 4);
    a.opened(0, 1, 1);
    a.opened(1, 1, 1);
    let post = |class, conn, len| Post { class, conn, len, ..Post::default() };
    let errors = |a: &mut Adapter| {
        let e = a.get("err");
        a.b.config(ERR_CLEAR, !0);
        e
    };
    for (class, conn, len, why, error) in
        [(3, 0, 1, 2, BAD_POST), (1, 9, 0, 2, BAD_POST), (0, 0, 13, 2, BAD_POST), (2, 0, 255, 2, BAD_POST)]
    {
        assert_eq!((a.post(post(class, conn, len)), errors(&mut a)), (why, error), "{class} {len}");
    }
    a.b.config(BE_MASK, 0xfffc);
    assert_eq!((a.best_effort(1, 1), errors(&mut a)), (2, BAD_POST), "it has no lane");
    a.b.config(BE_MASK, 2);
    for (conn, len) in [(8, 1), (0xffff, 12), (2, 1)] {
        assert_eq!((a.post(post(1, conn, len)), errors(&mut a)), (1, NO_CONN), "{conn}");
    }
    assert_eq!(a.get("st_cnt_refused"), 8);
    assert_eq!((a.get("st_avail_b"), a.best_effort(1, 12), a.get("st_avail_b")), (1, 0, 0));
    assert_eq!((a.best_effort(1, 1), errors(&mut a)), (6, 0));
    assert_eq!((a.real_time(0, 1), a.touched()), (0, Some([0, OPEN, 0])));
    assert_eq!((a.real_time(0, 1), errors(&mut a)), (6, 0));
    // Queues before credits: M is what is posted.
    a.b.config(M, 0);
    assert_eq!((a.best_effort(1, 1), a.real_time(1, 1), a.get("st_cnt_refused")), (5, 5, 12));
    assert_eq!(a.control(1, 1), 0);
}

#[test]
fn the_control_queue_has_its_own_room() {
    let mut a = Adapter::two(0);
    // No credits: DEPTH flits go, LANE are in the lane.
    for _ in 0..4 {
        assert_eq!(a.control(1, 4), 0);
        a.b.idle(8);
    }
    assert_eq!((a.lane("st_level", 3), a.b.get("st_queue", 0), a.get("st_posted")), (12, 0, 0));
    for n in 1..=4 {
        assert_eq!((a.control(1, 4), a.b.get("st_queue", 0)), (0, n));
    }
    assert_eq!((a.control(1, 4), a.get("err"), a.get("st_cnt_refused")), (5, 0, 1));
    assert_eq!(a.best_effort(1, 1), 0);
    a.give();
    a.until_tail();
}

#[test]
fn at_most_m_messages_are_posted() {
    for (m, most) in [(0, 1), (1, 1), (3, 3), (8, 8), (9, 8), (0xffff, 8)] {
        let mut a = Adapter::two(0);
        a.b.config(M, m).set("link_up", 0, 0);
        let posted = (0..10).take_while(|_| a.best_effort(1, 12) == 0).count();
        // (The first ones leave into lanes and over the link, and complete if they are short: these wait for credits.)
        assert_eq!(posted, most, "{m}");
        assert_eq!(a.get("st_posted"), most as u32);
    }
}

#[test]
fn best_effort_has_what_is_left_of_c_b() {
    let mut a = Adapter::two(CREDITS);
    for n in (0..4).rev() {
        assert_eq!((a.best_effort(1, 12), a.get("st_avail_b")), (0, n));
    }
    assert_eq!(a.best_effort(1, 12), 6);
    for (c_b, avail) in [(2, 0), (5, 1), (0, 0), (0xffff, 0xfffb), (4, 0)] {
        a.b.config(C_B, c_b).cycle();
        assert_eq!(a.get("st_avail_b"), avail, "{c_b}");
    }
    a.b.config(C_B, 3);
    for avail in [0, 1, 2, 3] {
        a.until_tail();
        a.b.cycle();
        assert_eq!((a.get("st_avail_b"), a.completion()), (avail, Some([2, 0, 0])));
    }
    assert_eq!((a.get("st_posted"), a.b.covered("yc1_c_b_falls")), (0, 3));
}

#[test]
fn a_credit_is_back_when_the_message_has_left() {
    let mut a = Adapter::two(CREDITS);
    a.b.config(C_B, 0);
    a.opened(3, 1, 1024);
    assert_eq!((a.real_time(3, 1), a.touched()), (0, Some([3, OPEN, 1])));
    a.until_tail();
    assert_eq!((a.touched(), a.get("st_posted")), (None, 1));
    a.b.cycle();
    assert_eq!((a.touched(), a.completion(), a.get("st_posted")), (Some([3, OPEN, 2]), Some([1, 3, 0]), 0));
    // Never more than C: a message that was posted without credits gives none.
    a.b.config(CTRL, 0);
    assert_eq!((a.real_time(3, 1), a.touched()), (0, Some([3, OPEN, 2])));
    a.until_tail();
    a.b.cycle();
    assert_eq!(a.touched(), Some([3, OPEN, 2]));
}

#[test]
fn connections_without_credits_have_none() {
    let mut a = Adapter::two(0);
    a.opened(0, 1, 4096);
    a.b.config(CTRL, CREDITS);
    assert_eq!((a.get("st_sum_c"), a.real_time(0, 1)), (0, 6));
    a.b.config(CTRL, 0);
    assert_eq!((a.real_time(0, 1), a.touched()), (0, Some([0, OPEN, 0])));
    a.until_tail();
    a.b.cycle();
    assert_eq!(a.touched(), Some([0, OPEN, 0]));
}
