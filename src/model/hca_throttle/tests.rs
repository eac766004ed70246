//! Directed tests by section of `docs/hca-throttle.md`, random words, and a soak that reaches every cover point.

use super::cover_applies;
use crate::model::bench::Bench;
use crate::params::{Params, UnitKind, builds};
use proptest::prelude::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};

const CTRL: u32 = 0;
const ENABLE: u32 = 1;
const SL_MODE: u32 = 2;
const TIMER_PER_SL: u32 = 4;
const RESTART: u32 = 8;
const CCT_ABS: u32 = 16;

fn params(name: &str) -> Params {
    let all = builds();
    all.iter().find(|b| b.unit == UnitKind::HcaThrottle && b.name == name).expect("a build").params
}

/// A unit that has just become ready.
fn ready(name: &str) -> Bench {
    let p = params(name);
    let mut b = Bench::new(UnitKind::HcaThrottle, &p);
    b.idle(p.init_cycles(UnitKind::HcaThrottle));
    b
}

fn becn(b: &mut Bench, flow: u32, sl: u32) -> &mut Bench {
    b.set("becn_valid", 0, 1).set("becn_flow", 0, flow).set("becn_sl", 0, sl)
}

fn cct(b: &mut Bench, addr: u32, entry: u32) {
    b.set("cct_we", 0, 1).set("cct_addr", 0, addr).set("cct_data", 0, entry).cycle();
}

/// The entity write of the last cycle: address and CCTI.
fn write(b: &Bench) -> Option<(u32, u32)> {
    (b.get("st_ent_we", 0) == 1).then(|| (b.get("st_ent_addr", 0), b.get("st_ent_ccti", 0)))
}

/// Runs until entity `e` has been written `times` times, and returns the CCTIs written.
fn writes(b: &mut Bench, e: u32, times: usize) -> Vec<u32> {
    let mut seen = Vec::new();
    for _ in 0..100_000 {
        if let Some((addr, ccti)) = write(b.cycle())
            && addr == e
        {
            seen.push(ccti);
            if seen.len() == times {
                return seen;
            }
        }
    }
    panic!("entity {e} was not written {times} times: {seen:?}");
}

/// Keeps `flows` wanting, with all SLs allowed.
fn want(b: &mut Bench, flows: &[u32]) {
    flows.iter().for_each(|&f| b.set_bit("req", f as usize));
    b.set("sl_ok", 0, 0xffff);
}

/// Lets `flow` inject a packet of `len` as soon as it may; returns the cycle of the acceptance.
fn inject(b: &mut Bench, flow: u32, len: u32) -> u32 {
    for _ in 0..100_000 {
        want(b, &[flow]);
        b.set("inj_ready", 0, 1).set("inj_len", 0, len).cycle();
        if b.get("inj_valid", 0) == 1 {
            assert_eq!(b.get("inj_flow", 0), flow);
            return b.get("st_now", 0);
        }
    }
    panic!("flow {flow} may not inject");
}

#[test]
fn ready_after_the_sweep() {
    for (name, sweep) in [("f64", 128), ("f1024", 1024), ("tiny", 16)] {
        let mut b = Bench::new(UnitKind::HcaThrottle, &params(name));
        for _ in 0..sweep {
            b.set("cfg_we", 0, 1).set("cfg_addr", 0, CTRL).set("cfg_data", 0, ENABLE);
            b.set("becn_valid", 0, 1).set("becn_flow", 0, 0xffff).cycle();
            assert!(b.output.iter().chain(&b.state).all(|&w| w == 0));
        }
        assert_eq!(b.cycle().get("ready", 0), 1);
        assert_eq!((b.get("st_now", 0), b.get("err", 0)), (0, 0));
        assert_eq!(b.cycle().get("st_now", 0), 1);
        // The write to CTRL was ignored: no operation does anything.
        b.idle(40);
        assert!(b.covered("h3_disabled") > 0 && write(&b).is_none());
    }
}

#[test]
fn a_becn_is_written_two_cycles_later_and_forwarded() {
    let mut b = ready("f64");
    b.config(CTRL, ENABLE).config(1, 10).config(2, 25);
    becn(&mut b, 40, 3).cycle();
    becn(&mut b, 40, 3).cycle();
    becn(&mut b, 41, 3).cycle();
    assert_eq!(write(&b), Some((40, 10)));
    becn(&mut b, 40, 3).cycle();
    assert_eq!(write(&b), Some((40, 20)));
    b.cycle();
    assert_eq!(write(&b), Some((41, 10)));
    b.cycle();
    assert_eq!(write(&b), Some((40, 25)));
    assert_eq!((b.covered("h3_becns_1_apart"), b.covered("h3_becns_2_apart")), (1, 1));
    // Out of range: an error and a sweep instead.
    becn(&mut b, 64, 0).cycle();
    b.cycle();
    assert_eq!(b.get("err", 0), 1);
    b.cycle();
    assert!(write(&b).is_some());
}

#[test]
fn the_sweep_visits_every_flow_in_order_and_waits_for_becns() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE);
    b.idle(20);
    let mut order = Vec::new();
    for n in 0..60 {
        if n % 3 == 0 {
            becn(&mut b, 4, 0);
        }
        b.cycle();
        if let Some((e, _)) = write(&b).filter(|w| w.0 != 4) {
            order.push(e);
        }
    }
    assert!(order.len() > 8);
    assert!(order.windows(2).all(|w| w[1] == (w[0] + 1) % 4), "{order:?}");
}

#[test]
fn a_flows_timer_decays_to_min_and_stops() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE).config(3, 1).config(4, 4).config(5, 10);
    for _ in 0..4 {
        becn(&mut b, 2, 0).cycle();
    }
    let start = loop {
        if write(b.cycle()) == Some((2, 4)) {
            break b.get("st_tick", 0);
        }
    };
    // t0 was the tick of the first BECN; each expiry is seen by the first sweep at or after it.
    let mut steps = Vec::new();
    let mut last = 4;
    while last > 1 {
        let ccti = writes(&mut b, 2, 1)[0];
        if ccti != last {
            steps.push((ccti, b.get("st_tick", 0) - start, b.get("st_ent_run", 0)));
            last = ccti;
        }
    }
    assert_eq!(steps.iter().map(|s| (s.0, s.2)).collect::<Vec<_>>(), [(3, 1), (2, 1), (1, 0)]);
    for (step, due) in steps.iter().zip([4, 8, 12]) {
        assert!(step.1 + 1 >= due && step.1 <= due + 2, "{steps:?}");
    }
    assert_eq!(writes(&mut b, 2, 20), [1; 20]);
}

#[test]
fn restart_or_not() {
    for (restart, runs_on) in [(0, true), (RESTART, false)] {
        let mut b = ready("f64");
        b.config(CTRL, ENABLE | restart).config(4, 50).config(5, 1);
        becn(&mut b, 7, 0).cycle();
        b.idle(2);
        let first = b.get("st_ent_t0", 0);
        b.idle(30);
        becn(&mut b, 7, 0).cycle();
        b.idle(2);
        assert_eq!(write(&b), Some((7, 2)));
        assert_eq!(b.get("st_ent_t0", 0) == first, runs_on);
    }
}

#[test]
fn timer_0_never_decays_and_min_lifts_only_at_expiry() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE).config(4, 0).config(5, 1);
    becn(&mut b, 1, 0).cycle();
    assert_eq!(writes(&mut b, 1, 50), [1; 50]);
    b.config(3, 6);
    becn(&mut b, 1, 0).cycle();
    b.idle(2);
    assert_eq!(write(&b), Some((1, 2)));
    b.config(4, 1);
    assert_eq!(writes(&mut b, 1, 3)[2], 6);
    assert!(b.covered("h3_becn_below_min") == 1 && b.covered("h4_lifted_to_min") == 1);
}

#[test]
fn an_sl_timer_steps_all_its_flows() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE | TIMER_PER_SL).config(4, 40).config(5, 1).config(1, 3);
    for (flow, sl) in [(0, 2), (1, 2), (3, 5)] {
        b.set("attr_we", 0, 1).set("attr_flow", 0, flow).set("attr_sl", 0, sl);
        becn(&mut b, flow, sl).cycle();
    }
    b.idle(3);
    assert_eq!((b.get("st_sl_run", 2), b.get("st_sl_run", 5), b.get("st_sl_run", 0)), (1, 1, 0));
    let run_until = |b: &mut Bench, sl: usize, steps: u32| {
        while b.get("st_sl_steps", sl) != steps {
            b.cycle();
        }
        // One round of the sweep.
        b.idle(20);
    };
    run_until(&mut b, 2, 1);
    assert_eq!([writes(&mut b, 0, 1), writes(&mut b, 1, 1), writes(&mut b, 3, 1)], [[2], [2], [2]]);
    run_until(&mut b, 2, 2);
    assert_eq!([writes(&mut b, 0, 1), writes(&mut b, 1, 1)], [[1], [1]]);
    run_until(&mut b, 2, 3);
    assert_eq!([writes(&mut b, 0, 1), writes(&mut b, 1, 1)], [[0], [0]]);
    // Nothing left to decay: `act` may be set once more by a sweep before the last step was seen, then it stops.
    b.idle(200);
    assert_eq!((b.get("st_sl_run", 2), b.get("st_sl_act", 2)), (0, 0));
}

#[test]
fn becn_and_expiry_of_an_sl_in_one_cycle() {
    for restart in [0, RESTART] {
        let mut b = ready("tiny");
        b.config(CTRL, ENABLE | TIMER_PER_SL | restart).config(4, 30).config(5, 1);
        becn(&mut b, 0, 9).cycle();
        b.idle(2);
        let tick = b.get("st_tick", 0);
        b.cycle();
        assert_eq!((b.get("st_sl_t0", 9), b.get("st_sl_act", 9)), (tick, 1));
        // U2 of the second BECN in the cycle in which tick - t0 = 30.
        while b.get("st_tick", 0) != tick + 27 {
            b.cycle();
        }
        becn(&mut b, 0, 9).cycle();
        b.idle(3);
        assert_eq!(b.get("st_tick", 0), tick + 31);
        let want = if restart == 0 { (1, tick + 30, 1) } else { (0, tick + 30, 1) };
        assert_eq!((b.get("st_sl_steps", 9), b.get("st_sl_t0", 9), b.get("st_sl_act", 9)), want);
        let name = if restart == 0 { "h4_sl_becn_with_step" } else { "h4_sl_becn_beats_expiry" };
        assert_eq!(b.covered(name), 1);
    }
}

#[test]
fn an_entity_per_sl() {
    let mut b = ready("f64");
    b.config(CTRL, ENABLE | SL_MODE);
    becn(&mut b, 40, 3).cycle();
    becn(&mut b, 50, 3).cycle();
    b.cycle();
    assert_eq!(write(&b), Some((3, 1)));
    b.cycle();
    assert_eq!(write(&b), Some((3, 2)));
    // Sweeps reach SLs only.
    let swept = (0..300).filter_map(|_| write(b.cycle())).map(|w| w.0).max();
    assert_eq!(swept, Some(15));
}

/// Cycles between the accepted packets of one flow that always wants.
fn spacing(entry: u32, ctrl: u32, len: u32, link: u32) -> u32 {
    let mut b = ready("f64");
    b.config(CTRL, ENABLE | ctrl).config(4, 0).config(6, link);
    cct(&mut b, 1, entry);
    becn(&mut b, 5, 0).cycle();
    b.idle(5);
    let first = inject(&mut b, 5, len);
    inject(&mut b, 5, len) - first
}

#[test]
fn the_delay_is_idle_time_after_the_packet() {
    // Without delay: 4 cycles from pick to verdict, then the offer.
    let round = spacing(0, CCT_ABS, 10, 1);
    assert_eq!(round, 5);
    // The last flit leaves `len * link` after the acceptance; then more than IRD must pass. Visits of a lone flow
    // come every cycle, so the verdict falls on the first eligible cycle and the offer one later.
    assert_eq!(spacing(100, CCT_ABS, 10, 1), 10 + 100 + 1 + 1);
    assert_eq!(spacing(100, CCT_ABS, 10, 4), 40 + 100 + 1 + 1);
    // Shift 2, multiplier 7, T = 10: (10 >> 2) * 7 = 14.
    assert_eq!(spacing(2 << 14 | 7, 0, 10, 1), 10 + 14 + 2);
    // Shift 3 of T = 7 leaves nothing.
    assert_eq!(spacing(3 << 14 | 7, 0, 7, 1), round);
    assert_eq!(spacing(7, 0, 10, 1), 10 + 70 + 2);
}

#[test]
fn flows_take_turns() {
    let mut b = ready("f64");
    let mut order = Vec::new();
    for _ in 0..60 {
        want(&mut b, &[3, 31, 32, 63]);
        b.set("inj_ready", 0, 1).set("inj_len", 0, 1).cycle();
        if b.get("inj_valid", 0) == 1 {
            order.push(b.get("inj_flow", 0));
        }
    }
    assert_eq!(order[..9], [3, 31, 32, 63, 3, 31, 32, 63, 3]);
}

#[test]
fn an_offer_waits_is_withdrawn_or_taken() {
    let mut b = ready("f64");
    b.set("attr_we", 0, 1).set("attr_flow", 0, 9).set("attr_sl", 0, 6).cycle();
    let offer = |b: &mut Bench| {
        for _ in 0..5 {
            want(b, &[9]);
            b.cycle();
        }
        assert_eq!((b.get("inj_valid", 0), b.get("inj_flow", 0), b.get("inj_sl", 0)), (1, 9, 6));
    };
    offer(&mut b);
    // Stopped: withdrawn, visible in the next cycle.
    want(&mut b, &[9]);
    b.set("stop", 0, 1 << 9).cycle();
    assert_eq!(b.get("inj_valid", 0), 1);
    assert_eq!(b.cycle().get("inj_valid", 0), 0);
    b.idle(5);
    offer(&mut b);
    // No credit for its SL.
    want(&mut b, &[9]);
    b.set("sl_ok", 0, 0xffff & !(1 << 6)).cycle();
    assert_eq!(b.cycle().get("inj_valid", 0), 0);
    b.idle(5);
    offer(&mut b);
    // Accepted in the cycle of the stop. A length of 0 is an error and taken as 1.
    want(&mut b, &[9]);
    b.set("stop", 0, 1 << 9).set("inj_ready", 0, 1).cycle();
    let now = b.get("st_now", 0);
    b.cycle();
    assert_eq!((b.get("inj_valid", 0), b.get("err", 0)), (0, 2));
    assert_eq!([b.get("st_lti_we", 0), b.get("st_lti_addr", 0), b.get("st_lti_len", 0)], [1, 9, 1]);
    assert_eq!((b.get("st_lti", 0), b.get("st_lti_valid", 0)), (now + 1, 1));
    // Not visited without credit.
    for _ in 0..20 {
        want(&mut b, &[9]);
        b.set("sl_ok", 0, 0).cycle();
        assert_eq!(b.get("inj_valid", 0), 0);
    }
    assert!(b.covered("h8_offer_accepted_at_stop") == 1 && b.covered("h5_no_credit") > 0);
}

#[test]
fn silence_is_forgotten_before_time_wraps() {
    let p = params("tiny");
    let ird_max = 1 << (p.ts_w - 2);
    let mut b = ready("tiny");
    let at = inject(&mut b, 4, 10) + 10;
    b.cycle();
    assert_eq!(b.get("st_lti_we", 0), 1);
    let mut cleared = Vec::new();
    for _ in 0..3000 {
        b.cycle();
        if b.get("st_lti_we", 0) == 1 {
            assert_eq!((b.get("st_lti_addr", 0), b.get("st_lti_valid", 0), b.get("st_lti", 0)), (4, 0, 0));
            cleared.push(b.get("st_now", 0));
        }
    }
    // Once, within a round of the pointer after IRDMAX.
    assert_eq!(cleared.len(), 1);
    let after = cleared[0] - at;
    assert!(after > ird_max && after <= ird_max + 18, "{after}");
}

#[test]
fn delays_hold_across_the_wrap_of_time() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE | CCT_ABS).config(4, 0);
    cct(&mut b, 1, 200);
    becn(&mut b, 0, 0).cycle();
    b.idle(5);
    let mut last = inject(&mut b, 0, 3);
    for _ in 0..30 {
        let next = inject(&mut b, 0, 3);
        assert_eq!(next.wrapping_sub(last) & 0x3ff, 3 + 200 + 2);
        last = next;
    }
    assert!(b.covered("h5_time_wrapped") > 2);
    // Longer than IRDMAX: saturates, and ageing may free it no earlier.
    cct(&mut b, 1, 1000);
    let first = inject(&mut b, 0, 3);
    let gap = inject(&mut b, 0, 3).wrapping_sub(first) & 0x3ff;
    assert_eq!(gap, 3 + 256 + 2);
}

/// The set of inputs that a random run draws from.
struct Mood {
    becn: u32,
    flows: u32,
    req: u32,
    stop: u32,
    sl_ok: u32,
    accept: u32,
    tables: u32,
    config: u32,
}

fn random_inputs(b: &mut Bench, p: &Params, rng: &mut SmallRng, mood: &Mood) {
    let chance = |rng: &mut SmallRng, per_mille: u32| u32::from(rng.random_range(0..1000) < per_mille);
    let flows = (p.flows as u32).min(mood.flows);
    if chance(rng, mood.becn) == 1 {
        let flow = rng.random_range(0..flows) + chance(rng, 10) * 5000;
        let sl = rng.random_range(0..mood.flows.min(16));
        becn(b, flow, sl);
    }
    for f in 0..p.flows.min(64) {
        if chance(rng, mood.req) == 1 {
            want(b, &[f as u32]);
        }
        if chance(rng, mood.stop) == 1 {
            b.set_bit("stop", f);
        }
    }
    let lost = 1u32 << rng.random_range(0..16);
    b.set("sl_ok", 0, 0xffff & !(lost * chance(rng, mood.sl_ok)) & !(chance(rng, mood.sl_ok / 4) * 0xffff));
    b.set("inj_ready", 0, chance(rng, mood.accept));
    b.set("inj_len", 0, if chance(rng, 5) == 1 { 0 } else { [1, 3, 32, 127][rng.random_range(0..4)] });
    if chance(rng, mood.tables) == 1 {
        let entry = [0, 1, 20, 200, 0x3fff, 0x8009, 0xc028, 0xffff][rng.random_range(0..8)];
        let addr = rng.random_range(0..16) + chance(rng, 10) * 0x8000;
        b.set("cct_we", 0, 1).set("cct_addr", 0, addr).set("cct_data", 0, entry);
        let flow = rng.random_range(0..flows) + chance(rng, 10) * 5000;
        b.set("attr_we", 0, 1).set("attr_flow", 0, flow);
        b.set("attr_sl", 0, rng.random_range(0..mood.flows.min(16)));
    }
    if chance(rng, mood.config) == 1 {
        let addr = [0, 0, 0, 1, 2, 3, 4, 4, 5, 6, 10][rng.random_range(0..11)];
        let data = match addr {
            0 => rng.random_range(0..32) | (1 - chance(rng, 200)),
            1 => rng.random_range(0..8),
            2 => [3, 7, 12, 0x3fff][rng.random_range(0..4)],
            3 => [0, 0, 2, 5][rng.random_range(0..4)],
            4 => [0, 1, 1, 5, 30][rng.random_range(0..5)],
            5 => [0, 1, 1, 3, 9][rng.random_range(0..5)],
            6 => [0, 1, 2, 15][rng.random_range(0..4)],
            _ => 3,
        };
        b.set("cfg_we", 0, 1).set("cfg_addr", 0, addr).set("cfg_data", 0, data);
    }
}

#[test]
fn random_traffic_reaches_every_cover_point() {
    for name in ["tiny", "f64"] {
        let p = params(name);
        let mut b = ready(name);
        let mut rng = SmallRng::seed_from_u64(1);
        for _ in 0..600 {
            let pick = |rng: &mut SmallRng| [0, 2, 20, 100, 500, 1000][rng.random_range(0..6)];
            let mood = Mood {
                becn: pick(&mut rng),
                flows: [1, 3, 5, 64][rng.random_range(0..4)],
                req: pick(&mut rng),
                stop: pick(&mut rng) / 4,
                sl_ok: pick(&mut rng) / 2,
                accept: pick(&mut rng),
                tables: pick(&mut rng) / 10,
                config: [0, 1, 20, 100][rng.random_range(0..4)],
            };
            for _ in 0..1000 {
                random_inputs(&mut b, &p, &mut rng, &mood);
                b.cycle();
            }
        }
        assert_eq!(b.uncovered(|point| cover_applies(point, &p)), [""; 0], "{name}");
    }
}

/// Parameter sets for random words: the builds and the extremes.
fn any_params() -> impl Strategy<Value = Params> {
    let d = Params::default();
    let mut sets: Vec<Params> =
        builds().iter().filter(|b| b.unit == UnitKind::HcaThrottle).map(|b| b.params).collect();
    sets.push(Params { flows: 2, cct: 8, ts_w: 8, ..d });
    sets.push(Params { flows: 33, cct: 16384, ts_w: 32, ..d });
    sets.push(Params { flows: 100, cct: 16, ts_w: 11, ..d });
    prop::sample::select(sets)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the words: no panic, values within their widths, an offer only for a flow of the unit, CCTI never above
    /// what limit and minimum allow.
    #[test]
    fn any_words_are_defined(p in any_params(), seed in any::<u64>(), sparse in 1u32..20) {
        let mut b = Bench::new(UnitKind::HcaThrottle, &p);
        b.idle(p.init_cycles(UnitKind::HcaThrottle));
        let mut rng = SmallRng::seed_from_u64(seed);
        for _ in 0..400 {
            for w in b.input.iter_mut() {
                let x: u32 = rng.random();
                *w = if rng.random_range(0..sparse) == 0 { x } else { 0 };
            }
            b.cycle();
            b.check_widths().map_err(TestCaseError::fail)?;
            prop_assert!((b.get("inj_flow", 0) as usize) < p.flows);
            prop_assert!((b.get("st_ent_addr", 0) as usize) < p.entities());
            prop_assert!((b.get("st_vp", 0) as usize) < p.flows);
            prop_assert!(b.get("st_ent_ccti", 0) <= (p.cct as u32 - 1).max(255));
        }
    }

    /// H5: an enabled unit never lets a flow inject within its delay, whatever else happens.
    #[test]
    fn nobody_injects_too_early(seed in any::<u64>(), delay in 1u32..250) {
        let mut b = ready("tiny");
        b.config(CTRL, ENABLE | CCT_ABS).config(4, 0);
        (0..8).for_each(|i| cct(&mut b, i, delay));
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut free_at = [0u64; 5];
        for _ in 0..3000 {
            let wanted: Vec<u32> = (0..5).filter(|_| rng.random()).collect();
            want(&mut b, &wanted);
            let (accept, len) = (rng.random::<bool>(), rng.random_range(1..60u32));
            b.set("inj_ready", 0, u32::from(accept)).set("inj_len", 0, len);
            let cycle = b.cycles;
            b.cycle();
            if b.get("inj_valid", 0) == 1 {
                let f = b.get("inj_flow", 0) as usize;
                prop_assert!(cycle > free_at[f], "flow {} in {}, free at {}", f, cycle, free_at[f]);
                if accept {
                    free_at[f] = cycle + u64::from(len + delay);
                }
            }
        }
    }

    /// H8: a flow that always wants is offered after at most FLOWS-1 others.
    #[test]
    fn no_flow_waits_for_ever(seed in any::<u64>(), flow in 0u32..5) {
        let mut b = ready("tiny");
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut others = 0;
        for _ in 0..300 {
            let mut wanted: Vec<u32> = (0..5).filter(|_| rng.random()).collect();
            wanted.push(flow);
            want(&mut b, &wanted);
            b.set("inj_ready", 0, 1).set("inj_len", 0, 1).cycle();
            if b.get("inj_valid", 0) == 1 {
                others = if b.get("inj_flow", 0) == flow { 0 } else { others + 1 };
                prop_assert!(others < 5);
            }
        }
    }

    /// Reset leaves nothing behind but the coverage.
    #[test]
    fn reset_is_complete(p in any_params(), seed in any::<u64>()) {
        let mut used = Bench::new(UnitKind::HcaThrottle, &p);
        let mut rng = SmallRng::seed_from_u64(seed);
        used.idle(p.init_cycles(UnitKind::HcaThrottle));
        for _ in 0..100 {
            used.input.iter_mut().for_each(|w| *w = rng.random());
            used.cycle();
        }
        used.unit.reset();
        let mut fresh = Bench::new(UnitKind::HcaThrottle, &p);
        for _ in 0..p.init_cycles(UnitKind::HcaThrottle) + 100 {
            for w in 0..used.input.len() {
                let x = rng.random();
                (used.input[w], fresh.input[w]) = (x, x);
            }
            used.cycle();
            fresh.cycle();
            prop_assert_eq!(&used.output, &fresh.output);
            prop_assert_eq!(&used.state, &fresh.state);
        }
    }
}
