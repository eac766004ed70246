//! Random words.

use super::*;
use crate::params::builds;
use proptest::prelude::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// Parameter sets for random words: the builds and the extremes.
fn any_params() -> impl Strategy<Value = Params> {
    let mut sets: Vec<Params> =
        builds().iter().filter(|b| b.unit == UnitKind::Reservation).map(|b| b.params).collect();
    let tiny = params("tiny");
    sets.push(Params { flows: 2, nmax: 1, mtu: 1, msgq: 2, cnt_w: 2, ..tiny });
    sets.push(Params { flows: 33, nmax: 64, mtu: 9, now_w: 20, vls: 11, ..tiny });
    sets.push(Params { flows: 70, nmax: 32, mtu: 64, now_w: 32, vls: 6, repq: 256, msgq: 64, ..tiny });
    let lossy: Vec<_> = sets[sets.len() - 3..].iter().map(|p| Params { dedup: true, ..*p }).collect();
    sets.extend(lossy);
    let fit = |p: Params| Params { blocks: p.srp_blocks(), rx_blocks: 2048, ..p };
    prop::sample::select(sets.into_iter().map(fit).collect::<Vec<_>>())
}

fn random_words(b: &mut Bench, rng: &mut SmallRng, sparse: u32) {
    for w in b.input.iter_mut() {
        let x: u32 = rng.random();
        *w = if rng.random_range(0..sparse) == 0 { x } else { 0 };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the words: no panic, values within their widths, fields of what is not valid 0.
    #[test]
    fn any_words_are_defined(p in any_params(), seed in any::<u64>(), sparse in 1u32..12) {
        let mut b = ready_with(&p);
        let mut rng = SmallRng::seed_from_u64(seed);
        b.config(CTRL, 0x23).config(NMIN, 1);
        for _ in 0..500 {
            random_words(&mut b, &mut rng, sparse);
            // Flows, chunks and messages that are there, mostly.
            if rng.random_ratio(7, 8) {
                for name in ["rep_flow", "post_flow", "attr_flow"] {
                    b.set(name, 0, rng.random_range(0..p.flows.min(4) as u32));
                }
                b.set("see_flow", 0, rng.random_range(0..p.flows.min(4) as u32)).set("see_id", 0, rng.random_range(0..8));
                b.set("see_psn", 0, rng.random_range(0..3));
                b.set("rep_id", 0, rng.random_range(0..8)).set("rep_seq", 0, rng.random_range(0..4));
                b.set("post_pkts", 0, rng.random_range(0..9)).set("rin_size", 0, rng.random_range(0..20));
                b.set("post_last", 0, rng.random_range(0..=p.mtu as u32));
                b.set("room", 0, rng.random()).set("link_room", 0, rng.random());
            }
            b.cycle();
            b.check_widths().map_err(TestCaseError::fail)?;
            prop_assert!((b.get("inj_flow", 0) as usize) < p.flows);
            prop_assert!((b.get("st_tab_addr", 0) as usize) < p.flows);
            let classes = if p.dedup { 6 } else { 5 };
            prop_assert!(b.get("st_op_ptr", 0) < classes);
            prop_assert!(b.get("see_ack", 0) <= b.get("see_drop", 0));
            prop_assert!((b.get("inj_lane", 0) as usize) <= p.data_lanes());
            prop_assert!(b.get("st_tab_n", 0) as usize <= p.nmax);
            prop_assert!(b.get("st_tv", 0) == 1 || b.get("st_t", 0) == 0);
            prop_assert!(b.get("st_rep_pkts", 0) as usize <= p.repq);
            prop_assert!(b.get("st_res_pkts", 0) as usize <= p.ctl_blocks);
            for (valid, fields) in [
                ("inj_valid", &["inj_kind", "inj_flow", "inj_sl", "inj_lane", "inj_len", "inj_psn", "inj_n", "inj_rty"][..]),
                ("res_valid", &["res_flow", "res_id", "res_n", "res_size", "res_last", "res_rty", "res_init"]),
                ("out_valid", &["out_kind", "out_lid", "out_id", "out_seq", "out_wait", "out_rty", "out_init"]),
                ("st_tab_we", &["st_tab_addr", "st_tab_st", "st_tab_id", "st_tab_todo", "st_tab_due", "st_tab_rty", "st_tab_again"]),
                ("st_b", &["st_b_flow"]),
                ("st_see_we", &["st_see_addr", "st_see_v", "st_see_id", "st_see_got", "st_see_nv", "st_see_next"]),
            ] {
                prop_assert!(b.get(valid, 0) == 1 || fields.iter().all(|f| b.get(f, 0) == 0), "{}", valid);
            }
            prop_assert_eq!(b.get("err", 0) & !0x7f, 0);
        }
    }

    /// Reset leaves nothing behind but the coverage.
    #[test]
    fn reset_is_complete(p in any_params(), seed in any::<u64>()) {
        let mut used = ready_with(&p);
        let mut rng = SmallRng::seed_from_u64(seed);
        for _ in 0..150 {
            random_words(&mut used, &mut rng, 2);
            used.set("post_flow", 0, 1).set("post_pkts", 0, 3).set("post_last", 0, 1);
            used.cycle();
        }
        used.unit.reset();
        let mut fresh = Bench::new(UnitKind::Reservation, &p);
        for _ in 0..p.init_cycles(UnitKind::Reservation) + 150 {
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
