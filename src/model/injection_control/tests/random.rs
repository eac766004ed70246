//! Whatever comes: state within its widths, and what a user is promised (section 4).

use super::*;
use rand::rngs::SmallRng;
use rand::{Rng, RngCore, SeedableRng};

/// Sets every input word by chance; registers are written in some cycles.
fn noise(b: &mut Bench, rng: &mut SmallRng, writes: bool) {
    let busy = rng.random_range(1..4);
    for word in &mut b.input {
        *word = if rng.random_ratio(busy, 4) { rng.random() } else { 0 };
    }
    let few = |rng: &mut SmallRng, most: u32| rng.random_range(0..most);
    for v in 0..b.count("be_dlid") {
        let dlid = few(rng, 3);
        b.set("be_dlid", v, dlid);
    }
    let (sum, flits, route) = (few(rng, 40), few(rng, 400), few(rng, 6));
    b.set("sum_full", 0, sum).set("sum_flits", 0, flits).set("use_addr", 0, route);
    for (name, of) in [("sum_valid", 4), ("use_we", 16), ("cfg_we", 8)] {
        let on = rng.random_ratio(1, of) && (writes || name == "sum_valid");
        b.set(name, 0, u32::from(on));
    }
    if rng.random_ratio(3, 4) {
        let (number, data) = [
            (CTRL, ALO),
            (CTRL, TUNED),
            (HOLD_MAX, 3),
            (GATHER, 2),
            (UP, 2),
            (ALL, 30),
            (BE_MASK, 1),
            (CHANNELS, 1),
        ][rng.random_range(0..8)];
        b.set("cfg_addr", 0, number).set("cfg_data", 0, data);
    }
}

#[test]
fn anything_may_come() {
    for (seed, name) in ["tiny", "two", "mesh"].into_iter().enumerate() {
        let mut rng = SmallRng::seed_from_u64(seed as u64);
        let mut c = Control::new(name);
        for _ in 0..20_000 {
            noise(&mut c.b, &mut rng, true);
            c.b.cycle();
            c.b.check_widths().unwrap();
            let data = c.p.vls - 2;
            assert!((data..c.p.vls).all(|v| c.b.get("be_hold", v) == 0 && c.b.get("st_held", v) == 0));
            assert!(c.get("st_ask") < c.p.vls as u32 && c.get("st_sums") < 3 && c.get("st_bad") < 5);
            assert_eq!(c.get("st_clear") & !c.get("st_free"), 0, "clear is free");
            assert!(c.get("st_free") >> c.p.ports == 0);
            let known = (0..c.p.vls).map(|v| c.known(v));
            assert!(known.into_iter().all(|[have, dlid, way]| have == 1 || dlid | way == 0));
        }
        assert!(c.b.covered("yl1_looks") > 100 && c.b.covered("ys3_up") > 10, "{name}");
    }
}

/// No header is held in more cycles than HOLD_MAX says.
#[test]
fn nobody_is_held_for_longer_than_the_bound() {
    for scheme in [ALO, TUNED] {
        let mut c = Control::with("two", &[(CTRL, scheme), (HOLD_MAX, 7), (BE_MASK, 3), (T, 0), (UP, 0)]);
        let mut rng = SmallRng::seed_from_u64(u64::from(scheme));
        let (mut held, mut most) = ([0; 4], 0);
        for _ in 0..20_000 {
            noise(&mut c.b, &mut rng, false);
            let owned = rng.random_ratio(7, 8);
            for i in 0..12 {
                c.b.set("owned", i, u32::from(owned));
            }
            let input = |b: &Bench, name: &str, v: usize| {
                b.input[crate::signals::Layout::new(UnitKind::InjectionControl, &c.p).input(name) + v]
            };
            let leaves = (input(&c.b, "tx_valid", 0) & input(&c.b, "tx_first", 0) & 1 != 0)
                .then(|| input(&c.b, "tx_vl", 0) as usize & 15);
            let front = [0, 1, 2, 3].map(|v| input(&c.b, "be_front", v) & 1 != 0);
            c.b.cycle();
            for v in 0..4 {
                held[v] += u32::from(front[v] && c.b.get("be_hold", v) != 0);
                assert!(held[v] <= 7);
                most = most.max(held[v]);
                if !front[v] || leaves == Some(v) {
                    held[v] = 0;
                }
            }
        }
        assert!(most > 4, "{most}");
    }
}

/// ALO holds nothing while the router is idle, whatever else comes.
#[test]
fn an_idle_router_lets_everybody_in() {
    for name in ["tiny", "two", "mesh"] {
        let mut c = Control::with(name, &[(CTRL, ALO), (BE_MASK, 0xffff)]);
        let mut rng = SmallRng::seed_from_u64(4);
        for _ in 0..5_000 {
            noise(&mut c.b, &mut rng, false);
            (0..c.b.count("owned")).for_each(|i| {
                c.b.set("owned", i, 0);
            });
            c.b.cycle();
            assert!((0..c.p.vls).all(|v| c.b.get("be_hold", v) == 0));
        }
    }
}

/// A header whose channels have free lanes for V+3 cycles is not held at their end, whoever asks beside it.
#[test]
fn what_has_free_lanes_is_let_in_soon() {
    let mut rng = SmallRng::seed_from_u64(11);
    for name in ["tiny", "two", "mesh"] {
        let mut c = Control::with(name, &[(CTRL, ALO), (CHANNELS, 0), (HOLD_MAX, 0), (BE_MASK, 0xffff)]);
        let lane = c.p.vls - 3;
        for _ in 0..300 {
            for v in 0..c.p.vls {
                c.front[v] = rng.random::<bool>().then(|| rng.random_range(0..99));
            }
            c.front[lane] = Some(rng.random_range(0..99));
            for t in 0..c.p.vls + 3 {
                // Others change all the time.
                let other = rng.random_range(0..c.p.vls);
                if other != lane && t % 2 == 0 {
                    c.front[other] = Some(rng.random_range(0..99));
                }
                c.cycle();
            }
            assert_eq!(c.holds(lane, 1), [0], "{name}");
        }
    }
}

/// With sums that do not rise, none above T and UP, Self-Tuned holds nothing; T stays between its ends.
#[test]
fn a_network_that_is_not_full_is_left_alone() {
    let mut rng = SmallRng::seed_from_u64(21);
    for _ in 0..20 {
        let (up, all) = (rng.random_range(5..30), rng.random_range(30..200));
        let first = rng.random_range(up..all);
        let registers =
            [(CTRL, TUNED), (GATHER, 3), (UP, up), (ALL, all), (DOWN, rng.random_range(0..40)), (T, first)];
        let mut c = Control::with("two", &registers);
        c.front[1] = Some(0);
        let mut full = up;
        for _ in 0..200 {
            c.sum(full, rng.next_u32() & 0x3ff);
            assert_eq!(c.b.get("be_hold", 1), 0);
            assert_eq!(c.holds(1, 7), [0; 7]);
            let t = c.get("st_t");
            assert!((up..=all).contains(&t), "{t}");
            full = full.saturating_sub(rng.random_range(0..2) * rng.random_range(0..2));
        }
    }
}

/// Two units that get the same sums have the same threshold, whatever else differs.
#[test]
fn thresholds_are_the_same_everywhere() {
    let mut rng = SmallRng::seed_from_u64(5);
    let (mut a, mut b) = (Control::new("tiny"), Control::new("mesh"));
    for c in [&mut a, &mut b] {
        [(GATHER, 2), (UP, 2), (DOWN, 5), (ALL, 50)].iter().for_each(|&(n, d)| c.write(n, d));
    }
    let mut moved = 0;
    for _ in 0..20_000 {
        let (on, full, flits) =
            (u32::from(rng.random_ratio(1, 4)), rng.random_range(0..60), rng.random_range(0..99));
        for c in [&mut a, &mut b] {
            noise(&mut c.b, &mut rng, false);
            c.b.set("sum_valid", 0, on).set("sum_full", 0, full).set("sum_flits", 0, flits);
            c.b.cycle();
        }
        assert_eq!((a.get("st_t"), a.get("st_throttle")), (b.get("st_t"), b.get("st_throttle")));
        moved += u32::from(a.get("st_t") != 15);
    }
    assert!(moved > 10_000);
}

/// A unit that was reset is as a new one.
#[test]
fn reset_leaves_nothing() {
    let mut rng = SmallRng::seed_from_u64(9);
    let mut used = Control::new("tiny");
    for _ in 0..900 {
        noise(&mut used.b, &mut rng, true);
        used.b.cycle();
    }
    used.b.unit.reset();
    let mut new = Bench::new(UnitKind::InjectionControl, &used.p);
    for _ in 0..900 {
        noise(&mut used.b, &mut rng, true);
        new.input.clone_from(&used.b.input);
        used.b.cycle();
        new.cycle();
        assert_eq!((&used.b.output, &used.b.state), (&new.output, &new.state));
    }
}
