//! Streams end with their last message (YA6).

use super::*;

/// A router in which a stream of lane 1 is booked from input 0 to output 3.
fn streaming() -> Router {
    let mut r = Router::admitting("odda");
    r.tell(0, ASKS);
    r.flow(8);
    assert_eq!(r.booked(0, 3, 1), (100, 100, 100));
    r
}

/// A header on rx in 0 is on tx in 5, and so on: the bandwidth goes off with the tail on tx.
#[test]
fn the_tail_takes_it_off() {
    for flits in [1, 2, 3] {
        let mut r = streaming();
        for t in 0..5 + flits {
            if t < flits {
                r.say(0, 1, part(t, flits), LAST);
            }
            r.give();
            let last = t == 4 + flits;
            assert_eq!(r.get("st_used", 3), if last { 0 } else { 100 }, "{flits} {t}");
            assert_eq!(r.sent(3).is_some_and(|s| s[2] == 1), last);
            let under_way = u32::from(flits > 1 && (5..4 + flits).contains(&t));
            assert_eq!(r.lane("st_final", 0, 1), under_way, "{flits} {t}");
            assert_eq!(r.lane("st_final_bw", 0, 1), if t >= 5 { 100 } else { 0 });
        }
        assert_eq!((r.booked(0, 3, 1), r.wrong(0) | r.wrong(3)), ((0, 0, 0), 0));
    }
}

/// What is not the last message of a stream takes nothing off; its bandwidth is seen all the same.
#[test]
fn others_take_nothing() {
    for (lane, head) in [
        (1, Head { last: false, ..LAST }),
        (1, Head { kind: 5, ..LAST }),
        (1, Head { kind: RELEASE, ..LAST }),
        (4, LAST),
        (5, LAST),
        (6, LAST),
    ] {
        let mut r = streaming();
        r.say(0, lane, Whole, Head { bw: 77, ..head });
        r.flow(8);
        assert_eq!((r.get("st_cnt_msgs", 3), r.get("st_used", 3)), (2, 100), "{lane} {head:?}");
        assert_eq!((r.lane("st_final_bw", 0, lane), r.lane("st_final", 0, lane)), (77, 0));
    }
    // Real-time is what the lane is when the header crosses.
    for (when, off) in [(2, 0), (4, 100)] {
        let mut r = streaming();
        r.say(0, 1, Whole, LAST);
        r.flow(when);
        r.b.set("cfg_we", 0, 1).set("cfg_addr", 0, BE_MASK).set("cfg_data", 0, 2);
        r.flow(6);
        let left = r.get("st_used", 3);
        assert_eq!(left, 100 - off, "{when}");
    }
}

/// A message that is cut ends its stream with the made tail.
#[test]
fn a_made_tail_ends_it_too() {
    let mut r = streaming();
    r.say(0, 1, Header, LAST);
    r.flow(7);
    assert_eq!((r.lane("st_final", 0, 1), r.get("st_used", 3)), (1, 100));
    for _ in 0..6 {
        r.b.set("link_up", 0, 0).cycle();
    }
    assert_eq!((r.booked(0, 3, 1), r.lane("st_final", 0, 1)), ((0, 0, 0), 0));
    assert_eq!(r.b.covered("ya6_made_tail"), 1);
}

/// admit_en counts when the header crosses, and when the tail does.
#[test]
fn off_nothing_ends() {
    let mut r = streaming();
    r.say(0, 1, Header, LAST);
    r.flow(7);
    r.write(0, CTRL, 0);
    r.write(0, CTRL, 1);
    r.tell(0, ASKS);
    // The sums are new; the message under way was noted before, and ends the stream.
    r.say(0, 1, Tail, LAST);
    r.flow(6);
    assert_eq!((r.booked(0, 3, 1), r.wrong(3)), ((0, 0, 0), 0));
    let mut r = streaming();
    r.write(0, CTRL, 0);
    r.say(0, 1, Header, LAST);
    r.flow(8);
    assert_eq!((r.lane("st_final", 0, 1), r.lane("st_final_bw", 0, 1)), (0, 100));
    r.write(0, CTRL, 1);
    r.tell(0, ASKS);
    r.say(0, 1, Tail, LAST);
    r.flow(8);
    assert_eq!(r.get("st_used", 3), 100);
    // The tail crosses with it off: nothing is taken, nothing is wrong.
    let mut r = Router::admitting("odda");
    r.say(0, 1, Header, LAST);
    r.flow(7);
    r.write(0, CTRL, 0);
    r.say(0, 1, Tail, LAST);
    r.flow(8);
    assert_eq!((r.lane("st_final", 0, 1), r.wrong(3) | r.wrong(0)), (0, 0));
    assert_eq!(r.b.covered("ya6_turned_off"), 1);
}

/// A probe's booking and the end of another stream in one cycle: off, then on.
#[test]
fn ends_go_off_first() {
    for shift in -1..=1i32 {
        let mut r = streaming();
        r.write(3, LIMIT, 150);
        // The tail crosses in 4 (seen in 5); a probe is decided 2 after it came.
        for t in 0..10 {
            if t == 0 {
                r.say(0, 1, Whole, Head { bw: 101, ..LAST });
            }
            if t == 2 + shift {
                r.say(1, r.control(), Whole, Head { bw: 50, ..ASKS });
            }
            r.give();
        }
        // 101 of 100, then 50; 50 more, then 101 of 150.
        let (used, short) = if shift < 0 { (49, 0) } else { (50, BAD_RELEASE) };
        assert_eq!((r.get("st_used", 3), r.wrong(3)), (used, short), "{shift}");
        assert_eq!(r.b.covered("ya1_off_and_on"), u64::from(shift == 0));
    }
    // It is decided by what is booked before.
    let mut r = streaming();
    r.write(3, LIMIT, 100);
    r.say(0, 1, Whole, LAST);
    r.flow(2);
    r.say(1, r.control(), Whole, ASKS);
    r.flow(6);
    assert_eq!((r.get("st_used", 3), r.get("st_cnt_refused", 1)), (0, 1));
}

/// A release and the end of another stream in one cycle.
#[test]
fn two_go_off_at_once() {
    for (bw, left, error) in [(30, 20, 0), (51, 0, BAD_RELEASE)] {
        let mut r = streaming();
        r.say(0, 1, Whole, Head { bw: 50, ..LAST });
        r.flow(2);
        r.say(0, r.control(), Whole, Head { bw, ..GIVES });
        r.flow(8);
        assert_eq!(r.booked(0, 3, 1), (left, left, left));
        assert_eq!((r.wrong(3), r.wrong(0)), (error, error));
        assert_eq!((r.b.covered("ya1_release_and_end"), r.b.covered("ya1_release_and_end_in")), (1, 1));
    }
}
