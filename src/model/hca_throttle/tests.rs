//! Directed tests by section of `docs/hca-throttle.md`, random words, and a soak that reaches every cover point.

use super::cover_applies;
use crate::model::bench::Bench;
use crate::params::{Params, UnitKind, builds};
use crate::stimulus::reads::Reader;
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

fn becn(b: &mut Bench, flow: u32) -> &mut Bench {
    b.set("becn_valid", 0, 1).set("becn_flow", 0, flow)
}

/// Gives a flow its SL.
fn attr(b: &mut Bench, flow: u32, sl: u32) {
    b.set("attr_we", 0, 1).set("attr_flow", 0, flow).set("attr_sl", 0, sl).cycle();
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

/// Whoever takes the offers: sends a flit every `pace` cycles and takes the next packet at the last flit.
struct Host {
    left: u32,
    wait: u32,
    pace: u32,
}

impl Host {
    fn new(pace: u32) -> Host {
        Host { left: 0, wait: 0, pace }
    }

    /// One cycle in which `flows` want to send packets of `len`. Returns the flow whose packet is taken.
    fn cycle(&mut self, b: &mut Bench, flows: &[u32], len: u32) -> Option<u32> {
        want(b, flows);
        self.wait = self.wait.saturating_sub(1);
        if self.left > 0 && self.wait == 0 {
            (self.left, self.wait) = (self.left - 1, self.pace);
            b.set("sent", 0, u32::from(self.left == 0));
        }
        let free = self.left == 0;
        b.set("inj_ready", 0, u32::from(free)).set("inj_len", 0, len).cycle();
        if !free || b.get("inj_valid", 0) == 0 {
            return None;
        }
        (self.left, self.wait) = (len, self.pace);
        Some(b.get("inj_flow", 0))
    }

    /// Runs until `n` packets are taken; their flows and cycles (TS_W bits).
    fn take(&mut self, b: &mut Bench, flows: &[u32], len: u32, n: usize) -> Vec<(u32, u32)> {
        let mut taken = Vec::new();
        for _ in 0..200_000 {
            if let Some(flow) = self.cycle(b, flows, len) {
                taken.push((flow, b.get("st_now", 0)));
                if taken.len() == n {
                    return taken;
                }
            }
        }
        panic!("{} of {n} packets taken", taken.len());
    }
}

/// Packets per flow.
fn shares(taken: &[(u32, u32)], flows: usize) -> Vec<usize> {
    (0..flows as u32).map(|f| taken.iter().filter(|t| t.0 == f).count()).collect()
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
    becn(&mut b, 40).cycle();
    becn(&mut b, 40).cycle();
    becn(&mut b, 41).cycle();
    assert_eq!(write(&b), Some((40, 10)));
    becn(&mut b, 40).cycle();
    assert_eq!(write(&b), Some((40, 20)));
    b.cycle();
    assert_eq!(write(&b), Some((41, 10)));
    b.cycle();
    assert_eq!(write(&b), Some((40, 25)));
    assert_eq!((b.covered("h3_becns_1_apart"), b.covered("h3_becns_2_apart")), (1, 1));
    // Out of range: an error and a sweep instead.
    becn(&mut b, 64).cycle();
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
            becn(&mut b, 4);
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
    b.config(CTRL, ENABLE).config(4, 4).config(5, 10).idle(40);
    for _ in 0..4 {
        becn(&mut b, 2).cycle();
    }
    b.config(3, 1);
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
        b.config(CTRL, ENABLE | restart).config(4, 50).config(5, 1).idle(70);
        becn(&mut b, 7).cycle();
        b.idle(2);
        let first = b.get("st_ent_t0", 0);
        b.idle(30);
        becn(&mut b, 7).cycle();
        b.idle(2);
        assert_eq!(write(&b), Some((7, 2)));
        assert_eq!(b.get("st_ent_t0", 0) == first, runs_on);
    }
}

#[test]
fn timer_0_never_decays_and_min_lifts_only_at_expiry() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE).config(4, 0).config(5, 1);
    becn(&mut b, 1).cycle();
    assert_eq!(writes(&mut b, 1, 50), [1; 50]);
    b.config(3, 6);
    becn(&mut b, 1).cycle();
    b.idle(2);
    assert_eq!(write(&b), Some((1, 2)));
    b.config(4, 1);
    assert_eq!(writes(&mut b, 1, 3)[2], 6);
    assert!(b.covered("h3_becn_below_min") == 1 && b.covered("h4_lifted_to_min") > 0);
}

#[test]
fn an_sl_timer_steps_all_its_flows() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE | TIMER_PER_SL).config(4, 40).config(5, 1).config(1, 3);
    for (flow, sl) in [(0, 2), (1, 2), (3, 5)] {
        attr(&mut b, flow, sl);
        becn(&mut b, flow).cycle();
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
    // Nothing left to decay: a whole sweep finds nothing, then it stops.
    b.idle(200);
    assert_eq!((b.get("st_sl_run", 2), b.get("st_sl_act", 2)), (0, 0));
}

#[test]
fn becn_and_expiry_of_an_sl_in_one_cycle() {
    for restart in [0, RESTART] {
        let mut b = ready("tiny");
        attr(&mut b, 0, 9);
        b.config(CTRL, ENABLE | TIMER_PER_SL | restart).config(4, 30).config(5, 1).idle(30);
        becn(&mut b, 0).cycle();
        b.idle(2);
        let tick = b.get("st_tick", 0);
        b.cycle();
        assert_eq!((b.get("st_sl_t0", 9), b.get("st_sl_act", 9)), (tick, 1));
        // U2 of the second BECN in the cycle in which tick - t0 = 30.
        while b.get("st_tick", 0) != tick + 27 {
            b.cycle();
        }
        becn(&mut b, 0).cycle();
        b.idle(3);
        assert_eq!(b.get("st_tick", 0), tick + 31);
        // The step is made in either case.
        assert_eq!((b.get("st_sl_steps", 9), b.get("st_sl_t0", 9), b.get("st_sl_act", 9)), (1, tick + 30, 1));
        let name = if restart == 0 { "h4_sl_becn_with_step" } else { "h4_sl_restart_with_step" };
        assert_eq!(b.covered(name), 1);
    }
}

#[test]
fn an_entity_per_sl() {
    let mut b = ready("f64");
    attr(&mut b, 40, 3);
    attr(&mut b, 50, 3);
    b.config(CTRL, ENABLE | SL_MODE);
    becn(&mut b, 40).cycle();
    becn(&mut b, 50).cycle();
    b.cycle();
    assert_eq!(write(&b), Some((3, 1)));
    b.cycle();
    assert_eq!(write(&b), Some((3, 2)));
    // Sweeps reach SLs only.
    let swept = (0..300).filter_map(|_| write(b.cycle())).map(|w| w.0).max();
    assert_eq!(swept, Some(15));
}

/// Cycles between the accepted packets of one flow that always wants; the host gives a flit every `pace` cycles.
fn spacing(entry: u32, ctrl: u32, len: u32, link: u32, pace: u32) -> u32 {
    let mut b = ready("f64");
    b.config(CTRL, ENABLE | ctrl).config(4, 0).config(6, link);
    cct(&mut b, 1, entry);
    becn(&mut b, 5).cycle();
    b.idle(5);
    let taken = Host::new(pace).take(&mut b, &[5], len, 4);
    let gaps: Vec<u32> = taken.windows(2).map(|w| w[1].1 - w[0].1).collect();
    assert!(gaps.iter().all(|g| *g == gaps[0]), "{gaps:?}");
    gaps[0]
}

#[test]
fn the_delay_is_idle_time_after_the_packet() {
    // Without delay: 4 cycles from pick to verdict, then the offer; or as long as the packet takes.
    assert_eq!(spacing(0, CCT_ABS, 1, 1, 1), 5);
    assert_eq!(spacing(0, CCT_ABS, 10, 1, 1), 10);
    // More than IRD must pass after the last flit; walks of a lone flow come every cycle, so the verdict falls on the
    // first eligible cycle and the offer one later.
    assert_eq!(spacing(100, CCT_ABS, 10, 1, 1), 10 + 100 + 2);
    // The last flit leaves after `len * link` cycles, or later, if the host gives its flits that slowly.
    assert_eq!(spacing(100, CCT_ABS, 10, 4, 1), 40 + 100 + 2);
    assert_eq!(spacing(96, CCT_ABS, 10, 1, 4), 40 + 96 + 2);
    // Shift 2, multiplier 7, T = 10: (10 >> 2) * 7 = 14.
    assert_eq!(spacing(2 << 14 | 7, 0, 10, 1, 1), 10 + 14 + 2);
    // Shift 3 of T = 7 leaves nothing.
    assert_eq!(spacing(3 << 14 | 7, 0, 7, 1, 1), 7);
    assert_eq!(spacing(7, 0, 10, 1, 1), 10 + 70 + 2);
}

/// The timing diagrams of section 8.
#[test]
fn a_pick_takes_four_cycles_and_a_blocked_flow_is_freed_ahead() {
    let mut b = ready("f64");
    b.config(CTRL, ENABLE | CCT_ABS).config(4, 0);
    cct(&mut b, 1, 20);
    becn(&mut b, 9).cycle();
    b.idle(10);
    for offered in [0, 0, 0, 0, 1] {
        want(&mut b, &[9]);
        b.cycle();
        assert_eq!(b.get("inj_valid", 0), offered);
    }
    want(&mut b, &[9]);
    b.set("inj_ready", 0, 1).set("inj_len", 0, 2).cycle();
    let mut trace = Vec::new();
    for cycle in 6..40 {
        want(&mut b, &[9]);
        b.set("sent", 0, u32::from(cycle == 7)).cycle();
        trace.push(["st_vp", "st_snd", "st_lti_we", "inj_valid"].map(|n| b.get(n, 0)));
        assert_eq!(b.get("st_fp", 0), 10);
        // Picked in 6, blocked in V3, freed so that the pick of cycle 25 passes in 28 (elapsed 21): its LTI is 7.
        assert_eq!(b.get("st_blk", 0), if (10..25).contains(&cycle) { 1 << 9 } else { 0 }, "{cycle}");
        assert_eq!(b.get("inj_valid", 0), u32::from(cycle >= 29), "{cycle}");
    }
    assert_eq!(trace[..4], [[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]);
    assert_eq!(b.covered("h8_walk_just_in_time"), 1);
}

#[test]
fn flows_of_an_sl_share_its_delay_equally() {
    // A constant period of any length; every flow gets the same.
    for (flows, len, ird) in [(7, 1, 40), (7, 8, 40), (3, 4, 9), (5, 2, 11), (11, 3, 17)] {
        let mut b = ready("f64");
        b.config(CTRL, ENABLE | SL_MODE | CCT_ABS).config(4, 0);
        (0..flows).for_each(|f| attr(&mut b, f, 3));
        cct(&mut b, 1, ird);
        becn(&mut b, 0).cycle();
        b.idle(5);
        let wanted: Vec<u32> = (0..flows).collect();
        let taken = Host::new(1).take(&mut b, &wanted, len, 20 * flows as usize);
        assert_eq!(shares(&taken, flows as usize), vec![20; flows as usize], "IRD {ird}");
        let gap = (taken[9].1 - taken[8].1, len + ird);
        assert!(gap.0 > gap.1 && gap.0 <= gap.1 + 24, "{gap:?}");
    }
}

#[test]
fn throttled_flows_cost_a_free_one_nothing() {
    for (name, flows) in [("f64", 64u32), ("f1024", 1024)] {
        let mut b = ready(name);
        b.config(CTRL, ENABLE | CCT_ABS).config(4, 0);
        cct(&mut b, 1, 60_000);
        (1..flows).for_each(|f| {
            becn(&mut b, f).cycle();
        });
        let wanted: Vec<u32> = (0..flows).collect();
        // Everybody sends once, and is found to be inside its delay once; then only flow 0 may.
        let mut host = Host::new(1);
        host.take(&mut b, &wanted, 32, flows as usize + 2);
        let taken = host.take(&mut b, &wanted, 32, 300);
        assert_eq!(shares(&taken, 1), [300], "{name}");
        let cycles = taken[299].1 - taken[0].1;
        assert!(cycles * 95 <= 299 * 32 * 100, "{name}: {cycles}");
    }
}

#[test]
fn lanes_without_credit_keep_their_turn() {
    // Three flows of lane 0, one of lane 1; lane 0 has credit in one cycle of 40 only.
    let mut b = ready("tiny");
    attr(&mut b, 3, 1);
    let mut taken = Vec::new();
    for t in 0..12_000 {
        [0, 1, 2, 3].iter().for_each(|&f| b.set_bit("req", f));
        let credit = if t % 40 < 5 { 0xffff } else { 0xaaaa };
        b.set("sl_ok", 0, credit).set("inj_ready", 0, 1).set("inj_len", 0, 1).set("sent", 0, 1).cycle();
        if b.get("inj_valid", 0) == 1 {
            taken.push((b.get("inj_flow", 0), t));
        }
    }
    let s = shares(&taken, 4);
    assert!(s[..3].iter().all(|n| *n >= 90 && n.abs_diff(s[0]) <= 1), "{s:?}");
    assert!(s[3] > 1_900, "{s:?}");
}

#[test]
fn lanes_by_destination_go_round() {
    let mut b = ready("net");
    // Flows 0 and 4 share lane 0, 1 and 5 lane 1, 2 and 6 lane 2.
    let taken = Host::new(1).take(&mut b, &[0, 1, 2, 3, 4, 5, 6], 1, 16);
    let order: Vec<u32> = taken.iter().map(|t| t.0).collect();
    assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 3, 0, 1, 2, 3, 4, 5, 6, 3]);
}

#[test]
fn every_entity_is_aged_in_time() {
    // Back-to-back packets of 32 flits of all flows but the last ones, which fell silent.
    let p = Params { ts_w: 10, ..params("f64") };
    for silent in 0..64 {
        let mut b = Bench::new(UnitKind::HcaThrottle, &p);
        b.idle(p.init_cycles(UnitKind::HcaThrottle) + silent);
        let mut host = Host::new(1);
        host.take(&mut b, &[60, 61], 32, 2);
        let wanted: Vec<u32> = (0..60).collect();
        let mut aged = [None; 2];
        for t in 0..1_000u32 {
            host.cycle(&mut b, &wanted, 32);
            let e = b.get("st_lti_addr", 0);
            if b.get("st_lti_we", 0) == 1
                && b.get("st_lti_valid", 0) == 0
                && let Some(aged) = aged.get_mut((e as usize).wrapping_sub(60))
            {
                *aged = Some(t);
            }
        }
        // The packets left at most 64 cycles after the beginning; IRDMAX is 256, a round 4 * 64 cycles at most.
        for t in aged {
            let t = t.expect("aged");
            assert!(t > 200 && t <= 64 + 256 + 256 + 2, "{t}");
        }
    }
}

/// Runs sweeps until `done`; returns the CCTI of every entity as last written.
fn follow(b: &mut Bench, ccti: &mut [u32], cycles: usize, mut look: impl FnMut(usize, u32, u32)) {
    for _ in 0..cycles {
        if let Some((e, new)) = write(b.cycle()) {
            look(e as usize, ccti[e as usize], new);
            ccti[e as usize] = new;
        }
    }
}

#[test]
fn every_index_returns_to_min() {
    // Whatever the mode and however the period compares with a sweep.
    for ctrl in [0, RESTART, TIMER_PER_SL, TIMER_PER_SL | RESTART, SL_MODE, SL_MODE | TIMER_PER_SL] {
        for (timer, tick) in [(1, 1), (1, 80), (20, 3), (150, 1)] {
            let p = Params { flows: 128, ..params("f64") };
            let mut b = Bench::new(UnitKind::HcaThrottle, &p);
            b.idle(p.init_cycles(UnitKind::HcaThrottle));
            (0..128).for_each(|f| attr(&mut b, f, f % 4));
            b.config(CTRL, ENABLE | ctrl).config(4, timer).config(5, tick).config(3, 2);
            let mut ccti = vec![0; 128];
            for f in (0..128).chain(0..128) {
                becn(&mut b, f);
                follow(&mut b, &mut ccti, 1, |_, _, _| ());
            }
            // Indices are at most 256 / 4 and 2 more; a step each period, and sweeps.
            follow(&mut b, &mut ccti, (80 * timer * tick + 2_000) as usize, |_, _, _| ());
            let n = if ctrl & SL_MODE != 0 { 16 } else { 128 };
            assert_eq!(ccti[..n], vec![2; n], "CTRL {ctrl:x}, period {timer} * {tick}");
            assert_eq!((0..16).map(|s| b.get("st_sl_run", s)).sum::<u32>(), 0);
        }
    }
}

#[test]
fn a_period_shorter_than_a_sweep_is_kept() {
    for ctrl in [0, TIMER_PER_SL] {
        let mut b = ready("f1024");
        b.config(CTRL, ENABLE | ctrl).config(4, 1).config(5, 80).config(1, 100).idle(1100);
        becn(&mut b, 5).cycle();
        b.idle(2);
        assert_eq!(write(&b), Some((5, 100)));
        // 100 periods are 8000 cycles; powers of two lag by two sweeps at most.
        let mut ccti = vec![0; 1024];
        ccti[5] = 100;
        follow(&mut b, &mut ccti, 6_000, |_, _, _| ());
        assert!((20..=50).contains(&ccti[5]), "{}", ccti[5]);
        follow(&mut b, &mut ccti, 4_100, |_, _, _| ());
        assert_eq!(ccti[5], 0);
    }
}

#[test]
fn a_change_of_the_period_neither_jumps_nor_stalls() {
    // Period before, pause, period after: (register, value) writes, cycles between them.
    let changes: [&[(u32, u32, usize)]; 4] = [
        &[(4, 30_000, 20_000), (4, 150, 0)],
        &[(4, 0, 40_000), (4, 150, 0)],
        &[(4, 150, 200), (0, 0, 40_000), (0, 1, 0)],
        &[(5, 60_000, 50_000), (5, 1, 0)],
    ];
    for ctrl in [0, TIMER_PER_SL, SL_MODE, SL_MODE | TIMER_PER_SL] {
        for change in changes {
            let mut b = ready("f64");
            b.config(CTRL, ENABLE | ctrl).config(4, 150).config(5, 1).config(1, 100);
            b.idle(100);
            (0..64).for_each(|f| attr(&mut b, f, f % 16));
            let mut ccti = vec![0; 64];
            for f in 0..16 {
                becn(&mut b, f);
                follow(&mut b, &mut ccti, 1, |_, _, _| ());
            }
            for &(a, v, pause) in change {
                let v = if a == 0 { v | ctrl } else { v };
                b.set("cfg_we", 0, 1).set("cfg_addr", 0, a).set("cfg_data", 0, v);
                follow(&mut b, &mut ccti, 1 + pause, |e, old, new| {
                    assert!(new >= 100 || old <= new + 1, "{change:?}, CTRL {ctrl:x}: {e} {old} to {new}");
                });
            }
            // No step before a whole period, then one each.
            let before = ccti.clone();
            follow(&mut b, &mut ccti, 140, |e, old, new| {
                assert!(old == new, "{change:?}, CTRL {ctrl:x}: {e} {old} to {new}");
            });
            assert_eq!(before, ccti);
            follow(&mut b, &mut ccti, 101 * 150 + 200, |e, old, new| {
                assert!(old <= new + 1, "{change:?}, CTRL {ctrl:x}: {e} {old} to {new}");
            });
            assert_eq!(ccti, [0; 64], "{change:?}, CTRL {ctrl:x}");
        }
    }
}

#[test]
fn a_change_of_the_mode_makes_no_step_wherever_the_sweep_is() {
    let p = params("tiny");
    for per_sl in [0, TIMER_PER_SL] {
        // More cycles than a sweep has, with a pause of many periods before.
        for phase in 0..40 {
            let mut b = ready("tiny");
            b.config(CTRL, ENABLE | SL_MODE | per_sl).config(4, 150).config(5, 1).config(1, 7);
            for sl in 0..16 {
                attr(&mut b, 0, sl);
                becn(&mut b, 0).cycle();
            }
            let mut ccti = vec![0; p.flows.max(16)];
            follow(&mut b, &mut ccti, 40, |_, _, _| ());
            assert_eq!(ccti[..16], [7; 16]);
            b.config(CTRL, 0).idle(5_000 + phase);
            b.set("cfg_we", 0, 1).set("cfg_addr", 0, CTRL).set("cfg_data", 0, ENABLE | SL_MODE | per_sl);
            follow(&mut b, &mut ccti, 140, |e, old, new| {
                assert_eq!(old, new, "SL {e} after a pause of {phase} and 5000, TIMER_PER_SL {per_sl}");
            });
        }
    }
}

#[test]
fn becns_do_not_eat_expiries() {
    // A BECN every 401 cycles against a period of 100, restarted or not, where a sweep takes 1024: four steps down for each
    // step up.
    for ctrl in [0, TIMER_PER_SL] {
        let mut last = Vec::new();
        for restart in [0, RESTART] {
            let mut b = ready("f1024");
            b.config(CTRL, ENABLE | ctrl | restart).config(4, 100).config(5, 1).config(1, 100).idle(1_100);
            becn(&mut b, 5).cycle();
            b.idle(3).config(1, 1);
            let mut ccti = vec![0; 1024];
            for _ in 0..20 {
                becn(&mut b, 5);
                follow(&mut b, &mut ccti, 401, |_, _, _| ());
            }
            last.push(ccti[5]);
        }
        // 100 and 20 up, 80 down; a restart costs a part of a period each.
        assert!((36..=48).contains(&last[0]) && (last[0]..=62).contains(&last[1]), "{ctrl:x}: {last:?}");
    }
}

#[test]
fn the_sl_of_a_becn_is_the_flows() {
    // Rewriting the SL of a flow is no reason for its index to move, and it decays to the end.
    for ctrl in [TIMER_PER_SL, SL_MODE | TIMER_PER_SL, SL_MODE] {
        let mut b = ready("f64");
        b.config(CTRL, ENABLE | ctrl).config(4, 200).config(5, 1).config(1, 40).idle(100);
        // SL 9 has made many steps.
        attr(&mut b, 1, 9);
        becn(&mut b, 1).cycle();
        b.idle(3_000);
        attr(&mut b, 7, 3);
        becn(&mut b, 7).cycle();
        b.idle(100);
        attr(&mut b, 7, 9);
        let mut ccti = vec![0; 64];
        follow(&mut b, &mut ccti, 100, |_, _, _| ());
        let e = |sl: usize| if ctrl & SL_MODE != 0 { sl } else { 7 };
        assert!((39..=40).contains(&ccti[e(3)]), "CTRL {ctrl:x}: {}", ccti[e(3)]);
        becn(&mut b, 7);
        follow(&mut b, &mut ccti, 100, |_, _, _| ());
        assert!(ccti[e(9)] >= 60, "CTRL {ctrl:x}: {}", ccti[e(9)]);
        follow(&mut b, &mut ccti, 25_000, |e, old, new| assert!(old <= new + 1, "{e} {old} {new}"));
        assert_eq!(ccti, [0; 64], "CTRL {ctrl:x}");
    }
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
fn flows_that_went_yield_to_those_that_were_stopped() {
    // Of one SL, and of two SLs of a lane.
    for (sl, expected) in [(0, [3, 31, 3, 31, 3, 31]), (8, [31, 3, 31, 3, 31, 3])] {
        let mut b = ready("f64");
        attr(&mut b, 31, sl);
        let mut host = Host::new(1);
        // Both are let go for a packet each time; between, another flow moves the pointers.
        let order: Vec<u32> = (0..6)
            .map(|_| {
                host.take(&mut b, &[63], 1, 1);
                host.take(&mut b, &[3, 31, 63], 1, 1)[0].0
            })
            .collect();
        assert_eq!(order, expected, "SL {sl}");
        assert!(b.covered("h8_yields") > 0 && b.covered("h8_all_went") > 0);
    }
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
    b.set("sent", 0, 1).cycle();
    assert_eq!((b.get("inj_valid", 0), b.get("err", 0), b.get("st_snd", 0)), (0, 2, 1));
    b.cycle();
    assert_eq!([b.get("st_lti_we", 0), b.get("st_lti_addr", 0), b.get("st_lti_len", 0)], [1, 9, 1]);
    assert_eq!((b.get("st_lti", 0), b.get("st_lti_valid", 0)), (now + 1, 1));
    // Sent twice: ignored.
    b.set("sent", 0, 1).cycle();
    assert_eq!((b.cycle().get("st_lti_we", 0), b.get("st_snd", 0)), (0, 0));
    // Credit that goes during the visit, and none at all.
    want(&mut b, &[9]);
    b.cycle();
    for _ in 0..20 {
        want(&mut b, &[9]);
        b.set("sl_ok", 0, 0).cycle();
        assert_eq!(b.get("inj_valid", 0), 0);
    }
    assert!(b.covered("h8_offer_accepted_at_stop") == 1 && b.covered("h5_no_credit") == 1);
    assert_eq!(b.covered("h5_sent_stray"), 1);
}

#[test]
fn silence_is_forgotten_before_time_wraps() {
    let p = params("tiny");
    let ird_max = 1 << (p.ts_w - 2);
    let mut b = ready("tiny");
    let mut host = Host::new(1);
    let at = host.take(&mut b, &[4], 10, 1)[0].1 + 10;
    (0..11).for_each(|_| assert_eq!(host.cycle(&mut b, &[], 0), None));
    assert_eq!((b.get("st_lti_we", 0), b.get("st_lti", 0)), (1, at));
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
    assert!(after > ird_max && after <= ird_max + 64, "{after}");
}

#[test]
fn delays_hold_across_the_wrap_of_time() {
    let mut b = ready("tiny");
    b.config(CTRL, ENABLE | CCT_ABS).config(4, 0);
    cct(&mut b, 1, 200);
    becn(&mut b, 0).cycle();
    b.idle(5);
    let mut host = Host::new(1);
    let taken = host.take(&mut b, &[0], 3, 31);
    let gaps = |taken: &[(u32, u32)]| -> Vec<u32> {
        taken.windows(2).map(|w| w[1].1.wrapping_sub(w[0].1) & 0x3ff).collect()
    };
    assert_eq!(gaps(&taken), [3 + 200 + 2; 30]);
    assert!(b.covered("h5_time_wrapped") > 2);
    // Longer than IRDMAX: saturates, and ageing may free it no earlier.
    cct(&mut b, 1, 1000);
    assert_eq!(gaps(&host.take(&mut b, &[0], 3, 4))[1..], [3 + 256 + 2; 2]);
}

/// The set of inputs that a random run draws from.
struct Mood {
    becn: u32,
    flows: u32,
    req: u32,
    stop: u32,
    sl_ok: u32,
    accept: u32,
    sent: u32,
    tables: u32,
    config: u32,
}

#[test]
fn registers_are_read_as_written() {
    for name in ["tiny", "net"] {
        let p = params(name);
        let registers = [
            (0, 0x1f, 0),
            (1, 0xff, 1),
            (2, 0x3fff, p.cct as u32 - 1),
            (3, 0xff, 0),
            (4, 0xffff, 150),
            (5, 0xffff, 80),
            (6, 0xf, 1),
        ];
        // Not heard: the unit is not ready.
        let mut b = Bench::new(UnitKind::HcaThrottle, &p);
        b.set("cfg_re", 0, 1).set("cfg_addr", 0, 2).cycle();
        assert_eq!((b.cycle().get("cfg_rvalid", 0), b.get("ready", 0)), (0, 0));
        b = ready(name);
        for (addr, _, reset) in registers {
            assert_eq!(b.read(addr), reset, "{addr} after reset");
        }
        for (addr, mask, _) in registers {
            for data in [0, u32::MAX, 1] {
                b.config(addr, data);
                assert_eq!(b.read(addr), data & mask, "{addr} written {data:#x}");
            }
        }
        for addr in 0..=255 {
            let there = registers.iter().any(|r| r.0 == addr);
            assert_eq!(b.read(addr), u32::from(there), "{addr}");
        }
        b.set("cfg_we", 0, 1).set("cfg_re", 0, 1).set("cfg_addr", 0, 4).set("cfg_data", 0, 77).cycle();
        b.cycle();
        assert_eq!((b.get("cfg_rdata", 0), b.read(4)), (1, 77));
        b.cycle();
        assert_eq!((b.get("cfg_rvalid", 0), b.get("cfg_rdata", 0)), (0, 0));
        becn(&mut b, 0xffff).cycle().idle(4);
        assert_eq!(b.read(10), 1);
        b.config(10, 1);
        assert_eq!(b.read(10), 0);
    }
}

fn random_inputs(b: &mut Bench, p: &Params, rng: &mut SmallRng, mood: &Mood) {
    let chance = |rng: &mut SmallRng, per_mille: u32| u32::from(rng.random_range(0..1000) < per_mille);
    let flows = (p.flows as u32).min(mood.flows);
    if chance(rng, mood.becn) == 1 {
        let flow = rng.random_range(0..flows) + chance(rng, 10) * 5000;
        becn(b, flow);
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
    b.set("inj_ready", 0, chance(rng, mood.accept)).set("sent", 0, chance(rng, mood.sent));
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
    for name in ["tiny", "f64", "net"] {
        let p = params(name);
        let mut b = ready(name);
        let mut rng = SmallRng::seed_from_u64(1);
        let mut reader = Reader::new(UnitKind::HcaThrottle, &p, 1);
        for _ in 0..700 {
            let pick = |rng: &mut SmallRng| [0, 2, 20, 100, 500, 1000][rng.random_range(0..6)];
            let mood = Mood {
                becn: pick(&mut rng),
                flows: [1, 3, 5, 64][rng.random_range(0..4)],
                req: pick(&mut rng),
                stop: pick(&mut rng) / 4,
                sl_ok: pick(&mut rng) / 2,
                accept: pick(&mut rng),
                sent: pick(&mut rng),
                tables: pick(&mut rng) / 10,
                config: [0, 1, 20, 100][rng.random_range(0..4)],
            };
            for _ in 0..1000 {
                random_inputs(&mut b, &p, &mut rng, &mood);
                reader.drive(&mut b.input);
                b.cycle();
            }
        }
        // These take a scenario.
        let scenarios = ["h4_expiry_across_tick_wrap", "h4_flow_expiry_most"];
        let wanted = |point: &str| cover_applies(point, &p) && !scenarios.contains(&point);
        assert_eq!(b.uncovered(wanted), [""; 0], "{name}");
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
            prop_assert!((b.get("st_vp", 0) as usize) < p.throttle_lanes());
            prop_assert!((0..p.throttle_classes()).all(|c| (b.get("st_fp", c) as usize) < p.flows));
            prop_assert!((b.get("st_rs", 0) as usize) <= p.entities() + 1);
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
        // Flits left of the packet that is being sent, and its flow.
        let mut left = (0, 0);
        for _ in 0..3000 {
            let wanted: Vec<u32> = (0..5).filter(|_| rng.random()).collect();
            want(&mut b, &wanted);
            let cycle = b.cycles;
            if left.0 > 0 && rng.random() {
                left.0 -= 1;
                if left.0 == 0 {
                    b.set("sent", 0, 1);
                    free_at[left.1] = cycle + u64::from(delay);
                }
            }
            let accept = left.0 == 0 && rng.random();
            let len = rng.random_range(1..60u32);
            b.set("inj_ready", 0, u32::from(accept)).set("inj_len", 0, len).cycle();
            if b.get("inj_valid", 0) == 1 {
                let f = b.get("inj_flow", 0) as usize;
                prop_assert!(cycle > free_at[f], "flow {} in {}, free at {}", f, cycle, free_at[f]);
                if accept {
                    left = (len, f);
                    // Not before the last flit, whenever that is.
                    free_at[f] = u64::MAX;
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
                // Each of the others goes once while this one yields, and once before the pointer comes to it.
                prop_assert!(others <= 2 * 4);
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
