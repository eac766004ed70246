//! Weights from what is booked (YA7).

use super::*;

/// Flits that are left to a lane after one of it went, at the input and at the output.
fn left(r: &mut Router, lane: usize) -> (u32, u32) {
    r.say(0, lane, Whole, Head { kind: 5, ..ASKS });
    r.flow(8);
    (r.lane("st_left_in", 0, lane), r.lane("st_left_out", 3, lane))
}

#[test]
fn what_is_booked_is_the_weight() {
    for (bw, at_input, at_output, weights) in [
        (100, 4, 2, (6, 25)),
        (15, 4, 0, (1, 15)),
        (255, 0, 1, (255, 127)),
        (256, 0, 15, (255, 1)),
        (4096, 1, 4, (255, 255)),
    ] {
        let mut r = Router::admitting("odda");
        r.write(0, WSHIFT, at_input);
        r.write(3, WSHIFT, at_output);
        r.write(255, 33, 9);
        r.write(255, 49, 9);
        r.tell(0, Head { bw, ..ASKS });
        r.flow(8);
        assert_eq!(left(&mut r, 1), weights, "{bw}");
    }
}

/// Best-effort, reply and control have those of the registers, and all have with admit_en = 0.
#[test]
fn other_lanes_have_theirs() {
    let mut r = Router::admitting("odda");
    for v in 0..7 {
        r.write(255, 32 + v, 7);
        r.write(255, 48 + v, 5);
    }
    r.write(0, BE_MASK, 0);
    for vl in 0..5 {
        r.tell(0, Head { bw: 100, vl, ..ASKS });
        r.flow(8);
    }
    r.write(0, BE_MASK, 0x10);
    // (Each probe was a flit of the control lane, whose weight was 7 and 5 from the first one on.)
    let control = (r.lane("st_left_in", 0, 6), r.lane("st_left_out", 3, 6));
    assert_eq!(control, (3, 1));
    assert_eq!((left(&mut r, 4), left(&mut r, 5)), ((7, 5), (7, 5)));
    assert_eq!(left(&mut r, 3), (6, 6));
    r.write(0, CTRL, 0);
    assert_eq!(left(&mut r, 2), (7, 5));
}

/// Of the output it is the lane that goes out which counts.
#[test]
fn an_output_goes_by_its_own_lane() {
    let mut r = Router::admitting("odda");
    // Lane 4 is best-effort when it is granted, and draws itself; real-time when it goes.
    r.write(0, BE_MASK, 0);
    r.tell(0, Head { vl: 4, ..ASKS });
    r.write(0, BE_MASK, 0x10);
    r.flow(8);
    r.say(0, 4, Whole, Head { kind: 5, ..ASKS });
    r.flow(2);
    r.write(0, BE_MASK, 0);
    r.flow(6);
    assert_eq!((r.lane("st_left_in", 0, 4), r.lane("st_left_out", 3, 4)), (6, 6));
}
