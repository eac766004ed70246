//! Random words.

use super::*;
use proptest::prelude::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// Parameter sets for random words: the builds and the extremes.
fn any_params() -> impl Strategy<Value = Params> {
    let mut sets: Vec<Params> =
        builds().iter().filter(|b| b.unit == UnitKind::SourceResponse).map(|b| b.params).collect();
    sets.push(other(2, 8, 1, false));
    sets.push(other(33, 32, 16, false));
    sets.push(other(100, 11, 3, false));
    sets.push(other(70, 11, 64, true));
    prop::sample::select(sets)
}

fn random_words(b: &mut Bench, rng: &mut SmallRng, sparse: u32) {
    for w in b.input.iter_mut() {
        let x: u32 = rng.random();
        *w = if rng.random_range(0..sparse) == 0 { x } else { 0 };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the words: no panic, values within their widths, an offer only for a flow of the unit, window and rate as they
    /// may be.
    #[test]
    fn any_words_are_defined(p in any_params(), seed in any::<u64>(), sparse in 1u32..20) {
        let mut b = ready_with(&p);
        let mut rng = SmallRng::seed_from_u64(seed);
        for _ in 0..400 {
            random_words(&mut b, &mut rng, sparse);
            // Flows that are there, mostly.
            for name in ["ack_flow", "post_flow", "attr_flow"] {
                if rng.random_ratio(3, 4) {
                    b.set(name, 0, rng.random_range(0..p.flows as u32));
                }
            }
            b.cycle();
            b.check_widths().map_err(TestCaseError::fail)?;
            prop_assert!((b.get("inj_flow", 0) as usize) < p.flows);
            prop_assert!((b.get("st_vp", 0) as usize) < p.throttle_lanes());
            prop_assert!((0..p.throttle_classes()).all(|c| (b.get("st_fp", c) as usize) < p.flows));
            if let Some(w) = written(&b) {
                prop_assert!((w.flow as usize) < p.flows);
                // All or nothing: a word is as it was after reset, or as an ACK made it.
                prop_assert!(w.x == 0 && w.win == 0 || (1 << 24..=1 << 32).contains(&w.x) && w.win >= 1);
            }
            prop_assert!(b.get("st_rsp_we", 0) == 1 || b.get("st_rsp_addr", 0) == 0);
            prop_assert_eq!(b.get("err", 0) & !31, 0);
        }
    }

    /// Reset leaves nothing behind but the coverage.
    #[test]
    fn reset_is_complete(p in any_params(), seed in any::<u64>()) {
        let mut used = ready_with(&p);
        let mut rng = SmallRng::seed_from_u64(seed);
        for _ in 0..150 {
            random_words(&mut used, &mut rng, 2);
            used.cycle();
        }
        used.unit.reset();
        let mut fresh = Bench::new(UnitKind::SourceResponse, &p);
        for _ in 0..p.init_cycles(UnitKind::SourceResponse) + 150 {
            for w in 0..used.input.len() {
                let x = if rng.random_ratio(1, 2) { rng.random() } else { 0 };
                (used.input[w], fresh.input[w]) = (x, x);
            }
            used.cycle();
            fresh.cycle();
            prop_assert_eq!(&used.output, &fresh.output);
            prop_assert_eq!(&used.state, &fresh.state);
        }
    }
}
