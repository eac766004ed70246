//! Tuning of the threshold (YS3), and the best period (YS4).

use super::*;

/// Sums come each fourth cycle; the first one ended the silence.
fn tuned(registers: &[(u32, u32)]) -> Control {
    let mut c = Control::with("two", &[(GATHER, 2), (UP, 5), (DOWN, 8), (ALL, 100), (T, 20)]);
    registers.iter().for_each(|&(number, data)| c.write(number, data));
    c.sum(10, 0);
    c.idle(3);
    c
}

/// A period of three sums with these flits each; T after it.
fn period(c: &mut Control, full: [u32; 3], flits: u32) -> u32 {
    for f in full {
        c.sum(f, flits);
        c.idle(3);
    }
    c.get("st_t")
}

const LOW: [u32; 3] = [10; 3];

fn best(c: &Control) -> [u32; 4] {
    ["st_best_tput", "st_best_full", "st_best_t", "st_bad"].map(|n| c.get(n))
}

#[test]
fn the_threshold_follows_what_is_delivered() {
    let mut c = tuned(&[]);
    assert_eq!(["st_sums", "st_tput", "st_last"].map(|n| c.get(n)), [0, 0, 0]);
    c.sum(10, 100);
    c.cycle();
    assert_eq!(["st_sums", "st_tput", "st_last"].map(|n| c.get(n)), [1, 100, 0]);
    c.idle(2);
    c.sum(10, 100);
    c.idle(3);
    c.sum(10, 100);
    c.idle(3);
    assert_eq!(["st_sums", "st_tput", "st_last", "st_t"].map(|n| c.get(n)), [0, 0, 300, 20]);
    assert_eq!(best(&c), [300, 10, 20, 0]);
    // A quarter less, 225, is not more than a quarter.
    assert_eq!(period(&mut c, LOW, 75), 20);
    // 168 is: 4 * 168 < 3 * 225.
    assert_eq!(period(&mut c, LOW, 56), 12);
    // Not so, and the estimate was above 12: up.
    assert_eq!(period(&mut c, [10, 13, 10], 70), 17);
    assert_eq!(best(&c), [300, 10, 20, 0]);
    // 120 is less than half of the best: to the full lanes that it had.
    assert_eq!(period(&mut c, LOW, 40), 10);
    assert_eq!(best(&c), [300, 10, 20, 1]);
    // Half of it ends that.
    assert_eq!(period(&mut c, LOW, 50), 10);
    assert_eq!(best(&c), [300, 10, 20, 0]);
}

#[test]
fn the_best_is_forgotten_after_five_bad_periods() {
    let mut c = tuned(&[(T, 7)]);
    // Full lanes above T: up from 7.
    assert_eq!(period(&mut c, [30; 3], 1000), 12);
    assert_eq!(best(&c), [3000, 30, 7, 0], "with the T that it had");
    for bad in 1..5 {
        // Back to that T; it is bad, whatever the estimate.
        assert_eq!(period(&mut c, [30; 3], 400), 7);
        assert_eq!(best(&c), [3000, 30, 7, bad]);
    }
    assert_eq!(period(&mut c, [30; 3], 400), 7);
    assert_eq!(best(&c), [0, 0, 0, 0]);
    assert_eq!(c.get("st_last"), 1200);
    // The next one is the best there is.
    assert_eq!(period(&mut c, [3; 3], 350), 12, "its first estimate was 30");
    assert_eq!(best(&c), [1050, 3, 7, 0]);
    assert_eq!(period(&mut c, [3; 3], 350), 12);
    assert_eq!(best(&c), [1050, 3, 7, 0], "one that is equal is not better");
}

#[test]
fn the_threshold_stays_between_its_ends() {
    // Down by more than there is: to UP, or to 1 with UP = 0.
    for (up, least) in [(5, 5), (0, 1)] {
        let mut c = tuned(&[(T, 6), (UP, up), (DOWN, 0xffff)]);
        period(&mut c, [0; 3], 100);
        assert_eq!(period(&mut c, [0; 3], 60), least);
    }
    // A step up of 0 is one of 1.
    let mut c = tuned(&[(T, 6), (UP, 0)]);
    assert_eq!([1, 1].map(|flits| period(&mut c, [30; 3], flits)), [7, 8]);
    // Up to ALL.
    let mut c = tuned(&[(T, 98)]);
    assert_eq!(period(&mut c, [200; 3], 1), 100);
    assert_eq!(period(&mut c, [200; 3], 1), 100);
    // ALL below UP wins; a T that was written beyond it comes back at the end of a period.
    c.write(ALL, 3);
    assert_eq!(period(&mut c, [0; 3], 1), 3);
    let mut c = tuned(&[(T, 0xff_ffff)]);
    assert_eq!(c.get("st_t"), 0xff_ffff);
    assert_eq!(period(&mut c, LOW, 1), 100);
}

#[test]
fn an_estimate_above_t_counts_in_each_cycle_of_a_period() {
    // Above in the last cycle alone, as the third sum comes: the one before was 21 in it and no earlier.
    let mut c = tuned(&[]);
    c.sum(10, 1);
    c.idle(3);
    c.sum(17, 1);
    // 17 + 7 k / 4: 17, 18, 20, 22.
    c.idle(3);
    assert_eq!((c.get("st_over"), c.get("st_k")), (0, 2));
    c.sum(17, 1);
    assert_eq!((c.get("st_over"), c.get("st_k")), (0, 3));
    c.cycle();
    assert_eq!((c.get("st_t"), c.get("st_over"), c.b.covered("ys3_up_now")), (25, 0, 1));
}

#[test]
fn sums_after_silence_begin_anew() {
    let mut c = tuned(&[]);
    period(&mut c, [30; 3], 10);
    c.sum(30, 7);
    c.cycle();
    assert_eq!((c.get("st_t"), c.get("st_sums"), c.get("st_tput"), c.get("st_last")), (25, 1, 7, 30));
    c.idle(20);
    assert_eq!((c.get("st_sums"), c.get("st_over")), (1, 1), "silence changes nothing");
    c.sum(30, 9);
    c.cycle();
    let state = ["st_sums", "st_tput", "st_over", "st_last"].map(|n| c.get(n));
    assert_eq!((state, best(&c), c.get("st_t")), ([0; 4], [0; 4], 25));
}

#[test]
fn a_write_of_t_wins() {
    let mut c = tuned(&[]);
    period(&mut c, [30; 3], 10);
    c.sum(30, 10);
    c.idle(3);
    c.sum(30, 10);
    c.idle(3);
    // In the cycle that ends a period.
    c.b.set("sum_valid", 0, 1).set("sum_full", 0, 31).set("sum_flits", 0, 10);
    c.write(T, 2);
    c.cycle();
    let state = ["st_sums", "st_tput", "st_over", "st_last"].map(|n| c.get(n));
    assert_eq!((state, best(&c), c.get("st_t")), ([0; 4], [0; 4], 2));
    assert_eq!(["st_f0", "st_f1", "st_k"].map(|n| c.get(n)), [30, 31, 0], "the estimate goes on");
    assert_eq!(c.b.covered("ys3_write_and_tunes"), 1);
}

/// It tunes whatever the scheme, and by nothing else than sums.
#[test]
fn equal_sums_make_equal_thresholds() {
    let mut a = tuned(&[(CTRL, TUNED)]);
    let mut b = tuned(&[(CTRL, NONE), (BE_MASK, 0), (CHANNELS, 0), (HOLD_MAX, 1)]);
    (b.front[1], b.link) = (Some(3), 0);
    // (Both begin at the same sum.)
    for n in 0..40 {
        let full = [(n * 37) % 50, (n * 11) % 90, 15];
        let flits = 100 + (n * 53) % 150;
        assert_eq!(period(&mut a, full, flits), period(&mut b, full, flits));
        assert_eq!(best(&a), best(&b));
    }
    assert!(a.b.covered("ys3_up") > 1 && a.b.covered("ys3_down") > 1);
}
