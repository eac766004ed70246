//! Properties that quote no mechanism: nobody waits for ever, nothing is lost or counted twice.

use super::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};
use std::collections::BTreeMap;

/// A unit with host and network, and accounts of its own.
struct World {
    b: Bench,
    host: Host,
    len: u32,
    rng: SmallRng,
    /// ACKs on their way: cycle and order, flow.
    flying: BTreeMap<(u64, u64), u32>,
    number: u64,
    /// Packets accepted and returned, per flow.
    accepted: Vec<u64>,
    returned: Vec<u64>,
    last: Vec<u64>,
}

impl World {
    fn new(b: Bench, p: &Params, len: u32, seed: u64) -> World {
        World {
            b,
            host: Host::new(1),
            len,
            rng: SmallRng::seed_from_u64(seed),
            flying: BTreeMap::new(),
            number: 0,
            accepted: vec![0; p.flows],
            returned: vec![0; p.flows],
            last: vec![0; p.flows],
        }
    }

    fn outstanding(&self, flow: u32) -> u64 {
        self.accepted[flow as usize] - self.returned[flow as usize]
    }

    /// One cycle; `answer`: the latency of the ACK of a packet that is taken, if one comes; `bits` those of an ACK that comes.
    fn cycle(
        &mut self,
        flows: &[u32],
        takes: bool,
        answer: impl FnOnce(&mut SmallRng, u32) -> Option<u64>,
        bits: impl FnOnce(&mut SmallRng) -> u32,
    ) -> Option<u32> {
        let cycle = self.b.cycles;
        let due = self.flying.first_key_value().filter(|(at, _)| at.0 <= cycle).map(|(at, f)| (*at, *f));
        if let Some((at, flow)) = due {
            self.flying.remove(&at);
            let bits = bits(&mut self.rng);
            ack(&mut self.b, flow, bits);
            self.returned[flow as usize] += 1;
        }
        let taken = self.host.cycle_if(&mut self.b, flows, self.len, takes)?;
        self.accepted[taken as usize] += 1;
        self.last[taken as usize] = cycle;
        if let Some(latency) = answer(&mut self.rng, taken) {
            self.number += 1;
            self.flying.insert((cycle + latency, self.number), taken);
        }
        Some(taken)
    }

    /// No packet, until all ACKs are back and counted.
    fn rest(&mut self) {
        while !self.flying.is_empty() || self.host.left > 0 {
            self.cycle(&[], false, |_, _| None, |_| CLEAN);
        }
        self.b.idle(8);
    }
}

fn start(p: &Params, ctrl: u32, wmax: u32) -> Bench {
    let mut b = ready_with(p);
    b.config(SEVMAP, MVCM).config(WMAX, wmax).config(CTRL, ENABLE | ctrl);
    b
}

/// With no ACK for anybody the flow goes on in this time, however it is held: page, section 13.
fn reopens(p: &Params) -> u64 {
    (2 * (1 << (p.ts_w - 2)) + 4 * p.flows.max(16) + 3 * p.flows + 32) as u64
}

const HELD: [u32; 5] = [0, LIPD, LIPD | FROM_ACK | BY_RTT, SLOTS | DYN, FIMD | BY_RTT | DYN];

#[test]
fn lost_acks_stop_nobody_for_ever() {
    for p in [other(2, 8, 1, false), other(5, 8, 2, false), params("tiny"), other(7, 9, 4, true)] {
        let ird_max = 1u64 << (p.ts_w - 2);
        let all: Vec<u32> = (0..p.flows as u32).collect();
        // One in so many ACKs comes; 0: none does.
        for (comes, latency) in [(0, 0), (2, 3), (2, 40), (3, 11), (5, 90)] {
            for ctrl in HELD {
                for wmax in 1..=3 {
                    let mut b = start(&p, ctrl, wmax);
                    b.config(RTT_MIN, 50).config(RMIN_EXP, 2);
                    (0..16).for_each(|i| wait(&mut b, i, 20 * i));
                    let mut w = World::new(b, &p, 3, u64::from(ctrl) ^ latency);
                    let answer = |rng: &mut SmallRng, _| {
                        (comes > 0 && rng.random_ratio(1, comes)).then(|| rng.random_range(1..=latency))
                    };
                    // Held by the window, then by a delay, then until its turn comes.
                    let most = reopens(&p) + ird_max + 12 * p.flows as u64;
                    for _ in 0..8 * most {
                        w.cycle(&all, true, answer, |rng| [CLEAN, HOT, WARM][rng.random_range(0..3)]);
                        let slowest = all.iter().map(|&f| w.b.cycles - w.last[f as usize]).max();
                        assert!(
                            slowest.unwrap() <= most,
                            "{p:?} {comes} {latency} {ctrl} {wmax}: {:?}",
                            w.last
                        );
                    }
                }
            }
        }
    }
}

/// The page's bound itself: a flow alone, whose packet is gone, is offered in time or has nothing outstanding.
#[test]
fn a_closed_window_opens_in_time() {
    for p in [other(2, 8, 1, false), other(16, 8, 2, false), params("tiny"), other(60, 10, 3, false)] {
        for (len, link) in [(1, 1), (127, 15), (9, 3)] {
            for phase in 0..12 {
                let mut b = start(&p, 0, 1);
                b.config(LINK_INTERVAL, link).idle(phase);
                let mut host = Host::new(1);
                // The host may be faster than the link.
                host.take(&mut b, &[1], 1, 1);
                host.finish(&mut b);
                ack(&mut b, 1, CLEAN).cycle().idle(4);
                host.take(&mut b, &[1], len, 1);
                host.finish(&mut b);
                let t = offer(&mut b, &[1], 2_000).expect("an offer").0;
                assert!(u64::from(t) <= reopens(&p), "{p:?} {len} {link} {phase}: {t}");
            }
        }
    }
}

/// Between two sweeps of a flow are as many cycles as there are flows, and three for each packet returned.
#[test]
fn the_sweep_goes_on() {
    for p in [params("tiny"), other(40, 10, 2, false)] {
        let flows = p.flows;
        for (seed, busy) in [(1, 1), (2, 2), (3, 9)] {
            let mut b = start(&p, DYN, 3);
            let mut rng = SmallRng::seed_from_u64(seed);
            let (mut host, all) = (Host::new(1), (0..flows as u32).collect::<Vec<_>>());
            // Cycle of the last sweep of each flow, packets returned until then; the ACKs of the last cycles.
            let (mut swept, mut acks) = (vec![(0u64, 0u64); flows], [false; 3]);
            let mut returned = 0;
            for _ in 0..20_000 {
                let hears = rng.random_ratio(busy, 9);
                let flow = rng.random_range(0..flows as u32);
                if hears {
                    ack(&mut b, flow, CLEAN);
                }
                let cycle = b.cycles;
                host.cycle(&mut b, &all, 1);
                acks.rotate_right(1);
                // An ACK of a flow with nothing outstanding is no operation.
                acks[0] = hears && has(&b, "st_out", flow);
                let Some(w) = written(&b) else { continue };
                if acks[2] {
                    returned += 1;
                    continue;
                }
                let (at, before) = std::mem::replace(&mut swept[w.flow as usize], (cycle, returned));
                let most = flows as u64 + 3 * (returned - before) + 8;
                assert!(at == 0 || cycle - at <= most, "{flows} {seed}: {}", cycle - at);
            }
            assert!(swept.iter().all(|s| s.0 > 15_000) && returned > 500, "{returned}");
        }
    }
}

/// Whatever the period of ACKs, of readiness, of the window: flows that are alike get the same.
#[test]
fn no_period_starves_a_flow() {
    for p in [other(2, 10, 1, false), params("tiny"), other(6, 10, 3, true)] {
        let all: Vec<u32> = (0..p.flows as u32).collect();
        for (ctrl, wmax) in [(0, 1), (0, 2), (DYN | SLOTS, 2), (LIPD | BY_RTT, 1)] {
            for latency in 1..28 {
                for period in [1, 2, 3, 5, 7, 8, 9, 12] {
                    let mut b = start(&p, ctrl, wmax);
                    b.config(RTT_MIN, 7);
                    (0..16).for_each(|i| wait(&mut b, i, 9 * i));
                    let mut w = World::new(b, &p, 1, 1);
                    let cycles = 240 * p.flows as u64;
                    for t in 0..cycles {
                        // Marked at constant intervals, too.
                        let bits = if t % 97 < 20 { HOT } else { CLEAN };
                        w.cycle(&all, t % period == 0, |_, _| Some(latency), |_| bits);
                    }
                    let (least, most) = (w.accepted.iter().min().unwrap(), w.accepted.iter().max().unwrap());
                    assert!(
                        *least > 0 && 4 * least + 8 >= 3 * most,
                        "{p:?} {ctrl} {wmax} latency {latency} period {period}: {:?}",
                        w.accepted
                    );
                }
            }
        }
    }
}

/// A window that opens and shuts with any period, by its register: nobody starves.
#[test]
fn a_window_that_comes_and_goes_starves_nobody() {
    let p = params("tiny");
    let all: Vec<u32> = (0..5).collect();
    for open in [3, 8, 13, 21, 40] {
        for shut in [1, 4, 9, 14, 30] {
            for (wide, narrow) in [(2, 1), (0, 1), (4, 2)] {
                let mut w = World::new(start(&p, DYN, wide), &p, 1, 5);
                for t in 0..5_000 {
                    let at = t % (open + shut);
                    if at == 0 || at == open {
                        let wmax = if at == 0 { wide } else { narrow };
                        w.b.set("cfg_we", 0, 1).set("cfg_addr", 0, WMAX).set("cfg_data", 0, wmax);
                    }
                    w.cycle(&all, true, |_, _| Some(23), |_| CLEAN);
                }
                let (least, most) = (w.accepted.iter().min().unwrap(), w.accepted.iter().max().unwrap());
                assert!(*least > 50 && 2 * least >= *most, "{open} {shut} {wide}: {:?}", w.accepted);
                w.rest();
                assert_eq!((w.b.get("err", 0), w.b.get("st_out", 0)), (0, 0));
            }
        }
    }
}

/// Packets accepted are those returned or outstanding, and never more than the window, whatever is written meanwhile.
#[test]
fn nothing_is_lost_or_counted_twice() {
    for (name, seeds) in [("tiny", 12), ("r64", 4)] {
        let p = params(name);
        let all: Vec<u32> = (0..p.flows.min(9) as u32).collect();
        for seed in 0..seeds {
            let mut w = World::new(start(&p, 0, 3), &p, 1, seed);
            for epoch in 0..30 {
                let wmax = w.rng.random_range(1..6);
                let disturbed = epoch % 3 == 0;
                let ctrl = w.rng.random_range(0..128) << 1 | ENABLE;
                w.b.config(RMIN_EXP, 2).config(RTT_MIN, 3).config(WMAX, wmax).config(CTRL, ctrl);
                w.len = w.rng.random_range(1..4);
                let longest = w.rng.random_range(1..60);
                let (busy, takes) = (w.rng.random_range(1..4), w.rng.random_range(1..4));
                for _ in 0..700 {
                    if disturbed && w.rng.random_ratio(1, 20) {
                        let (addr, data) = match w.rng.random_range(0..3) {
                            0 => (CTRL, w.rng.random_range(0..256)),
                            1 => (WMAX, w.rng.random_range(0..6)),
                            _ => (WS_STEPS, w.rng.random_range(0..16)),
                        };
                        w.b.set("cfg_we", 0, 1).set("cfg_addr", 0, addr).set("cfg_data", 0, data);
                    }
                    let wanted: Vec<u32> =
                        all.iter().copied().filter(|_| w.rng.random_ratio(busy, 4)).collect();
                    let take = w.rng.random_ratio(takes, 3);
                    let taken = w.cycle(
                        &wanted,
                        take,
                        |rng, _| Some(rng.random_range(1..=longest)),
                        |rng| [CLEAN, CLEAN, HOT, WARM][rng.random_range(0..4)],
                    );
                    if let Some(flow) = taken.filter(|_| !disturbed) {
                        assert!(w.outstanding(flow) <= u64::from(wmax), "{name} {seed} {epoch}");
                    }
                    // What is outstanding for some cycles is known to be.
                    for &f in &all {
                        let quiet = w.b.cycles - w.last[f as usize] > 4;
                        assert!(!quiet || w.outstanding(f) == 0 || has(&w.b, "st_out", f));
                    }
                }
                w.rest();
                assert_eq!((w.b.get("err", 0), w.b.get("st_out", 0)), (0, 0), "{name} {seed} {epoch}");
                w.b.idle(2 * p.flows);
            }
            // The sweep shows the counts of all.
            for _ in 0..p.flows + 4 {
                let count = written(w.b.cycle()).expect("a sweep");
                assert_eq!(u64::from(count.acked), w.accepted[count.flow as usize] % 512);
            }
            assert_eq!(w.accepted, w.returned);
            assert!(w.accepted.iter().sum::<u64>() > 500, "{:?}", w.accepted);
        }
    }
}

/// ACKs of flows with nothing outstanding, in every cycle, are told and change nothing else; the sweep goes on.
#[test]
fn strays_change_nothing() {
    for name in ["tiny", "r64"] {
        let p = params(name);
        let make = || {
            let mut b = start(&p, DYN | SLOTS, 2);
            (0..16).for_each(|i| wait(&mut b, i, 9 * i));
            World::new(b, &p, 2, 4)
        };
        let (mut plain, mut babbled) = (make(), make());
        let mut rng = SmallRng::seed_from_u64(9);
        for t in 0..6_000u32 {
            let wanted: Vec<u32> = (0..3).filter(|_| rng.random_ratio(1, 3)).collect();
            // Some are lost.
            let lost = name == "tiny" && rng.random_ratio(1, 4);
            let bits = [CLEAN, HOT][rng.random_range(0..2)];
            // Flow 3 and 4 never send.
            ack(&mut babbled.b, 3 + t % 2, rng.random_range(0..8));
            for w in [&mut plain, &mut babbled] {
                w.cycle(&wanted, true, |_, _| (!lost).then_some(30), |_| bits);
            }
            assert_eq!(plain.b.state, babbled.b.state, "{name} {t}");
            let err = (plain.b.get("err", 0), babbled.b.get("err", 0));
            assert!(t < 2 || err.1 == err.0 | STRAY_ACK);
            assert_eq!(plain.b.get("inj_valid", 0), babbled.b.get("inj_valid", 0));
        }
        assert!(plain.b.covered("ak5_ack") > 50 && plain.b.covered("ak7_stray") == 0);
    }
}

/// A flow waits for a lost ACK while others have ACKs in every cycle, two more for each packet: it goes on in time.
#[test]
fn babble_does_not_hold_the_sweep() {
    let p = params("tiny");
    let mut w = World::new(start(&p, 0, 1), &p, 1, 3);
    let others = [0, 1, 2, 3, 4];
    let most = reopens(&p) + 3 * (reopens(&p) / 5) + 64;
    let mut slowest = 0;
    for t in 0..20_000u32 {
        // ACKs of flow 4 are lost; each cycle has an ACK of one of the others, be it outstanding or not.
        if w.flying.first_key_value().is_none_or(|(at, _)| at.0 > w.b.cycles) {
            let stray = t % 4;
            if w.outstanding(stray) == 0 {
                ack(&mut w.b, stray, CLEAN);
            }
        }
        w.cycle(&others, true, |_, f| (f != 4).then_some(6), |_| CLEAN);
        slowest = slowest.max(w.b.cycles - w.last[4]);
    }
    assert!(slowest <= most && w.accepted[4] > 30, "{slowest} {:?}", w.accepted);
}

/// From whatever state so many clean ACKs as the window is wide restore the full rate.
#[test]
fn clean_acks_restore_the_full_rate() {
    let mut rng = SmallRng::seed_from_u64(77);
    for round in 0..400 {
        let mut b = on("r64", SLOTS | DYN, 255);
        send(&mut b, 1, 60);
        // Marks under all sorts of settings.
        for _ in 0..20 {
            let ctrl = rng.random_range(0..256) | ENABLE;
            b.config(CTRL, ctrl & !RESET_EMPTY).config(WMAX, rng.random_range(0..9));
            b.config(WS_STEPS, rng.random_range(0..16)).config(RMIN_EXP, rng.random_range(0..16));
            acked(&mut b, 1, [CLEAN, WARM, HOT, HOT][rng.random_range(0..4)]).unwrap();
        }
        let wmax = rng.random_range(1..9);
        b.config(WMAX, wmax).config(CTRL, ENABLE | SLOTS | DYN);
        let last = (0..wmax).map(|_| acked(&mut b, 1, CLEAN).unwrap()).last().unwrap();
        assert_eq!((last.win, last.j, last.x), (wmax, 0, 1 << 24), "{round}");
    }
}

/// Whatever was driven before: a flow with nothing outstanding and without delay is offered when it asks.
#[test]
fn nothing_shuts_a_flow_for_good() {
    for p in [params("tiny"), other(33, 10, 3, false), other(6, 9, 3, true)] {
        let ird_max = 1 << (p.ts_w - 2);
        let mut rng = SmallRng::seed_from_u64(5);
        for seed in 0..150u32 {
            let mut b = ready_with(&p);
            for _ in 0..rng.random_range(20..600) {
                for w in b.input.iter_mut() {
                    let x = rng.random();
                    *w = if rng.random_ratio(1, 3) { x } else { 0 };
                }
                b.cycle();
            }
            let wmax = rng.random_range(0..3);
            b.set("sent", 0, 1);
            b.config(WMAX, wmax).config(CTRL, ENABLE | DYN);
            // All that is outstanding is given up.
            b.idle(3 * ird_max + 8 * p.flows + 64);
            assert_eq!(b.get("st_out", 0), 0);
            let flow = rng.random_range(0..p.flows as u32);
            let waited = offer(&mut b, &[flow], 500).map(|t| t.0);
            assert!(waited.unwrap() as usize <= p.flows + p.flows / 3 + 16, "{p:?} {seed}: {waited:?}");
        }
    }
}

/// Closed flows cost a free one nothing.
#[test]
fn closed_flows_cost_a_free_one_nothing() {
    for (name, flows) in [("r64", 64u32), ("r512", 512)] {
        let p = params(name);
        let mut w = World::new(start(&p, 0, 2), &p, 32, 1);
        let wanted: Vec<u32> = (0..flows).collect();
        let answer = |_: &mut SmallRng, f: u32| (f == 0).then_some(20);
        // Everybody sends twice, and then only flow 0 hears of it.
        while w.accepted.iter().skip(1).any(|n| *n < 2) {
            w.cycle(&wanted, true, answer, |_| CLEAN);
        }
        // They are found closed one after the other.
        let found = w.accepted[0] + u64::from(flows) / 4;
        while w.accepted[0] < found {
            w.cycle(&wanted, true, answer, |_| CLEAN);
        }
        let (before, from) = (w.accepted[0], w.b.cycles);
        while w.accepted[0] < before + 200 {
            w.cycle(&wanted, true, answer, |_| CLEAN);
        }
        let cycles = w.b.cycles - from;
        assert!(cycles * 95 <= 200 * 32 * 100, "{name}: {cycles}");
    }
}

/// Two packets of a flow are no nearer than its delay, and no offer comes within a slot's wait after the ACK that it could know.
#[test]
fn nobody_injects_too_early() {
    for seed in 0..60 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let by_slots = seed % 2 == 0;
        let marks: u32 = rng.random_range(1..4);
        let (wmax, link) = (rng.random_range(1..4), rng.random_range(1..4));
        let mut b = on("r64", if by_slots { SLOTS } else { LIPD }, 200);
        b.config(LINK_INTERVAL, link);
        (1..4).for_each(|i| wait(&mut b, i, 60 * i));
        for f in 0..3 {
            send(&mut b, f, 3);
        }
        // Every flow has so many slots, or waits so many packet times more; warm ACKs change nothing but the time of the last one.
        for f in 0..3 {
            acks(&mut b, f, HOT, marks as usize);
            acks(&mut b, f, WARM, 3 - marks as usize);
        }
        b.config(WMAX, wmax);
        let begin = b.cycles;
        let mut free_at = [0u64; 3];
        let mut heard: [Vec<u64>; 3] = [vec![], vec![], vec![]];
        let mut flying: Vec<(u64, u32)> = Vec::new();
        let (mut left, mut was_offered) = ((0, 0usize), false);
        for _ in 0..4_000 {
            let cycle = b.cycles;
            let wanted: Vec<u32> = (0..3).filter(|_| rng.random_ratio(2, 3)).collect();
            want(&mut b, &wanted);
            if left.0 > 0 && rng.random() {
                left.0 -= 1;
                if left.0 == 0 {
                    b.set("sent", 0, 1);
                    free_at[left.1] = free_at[left.1].max(cycle);
                }
            }
            if let Some(k) = flying.iter().position(|a| a.0 <= cycle) {
                let (_, flow) = flying.remove(k);
                ack(&mut b, flow, WARM);
                heard[flow as usize].push(cycle);
            }
            let accept = left.0 == 0 && rng.random();
            let len = rng.random_range(1..9u32);
            b.set("inj_ready", 0, u32::from(accept)).set("inj_len", 0, len).cycle();
            let offered = b.get("inj_valid", 0) == 1;
            let f = b.get("inj_flow", 0) as usize;
            if offered && !was_offered && cycle > begin + 400 {
                let verdict = cycle - 1;
                if by_slots {
                    let known = heard[f].iter().rev().find(|a| **a + 6 <= cycle).copied();
                    let counted = known.map_or(0, |a| a + 2);
                    assert!(verdict - counted > u64::from(60 * marks), "{seed}: {cycle} {known:?}");
                } else {
                    // Its last packet took this long; so many of those more.
                    assert!(verdict > free_at[f] + u64::from(marks) * left_len(&heard, f), "{seed}");
                }
            }
            if offered && accept {
                left = (len, f);
                let time = u64::from(len * link);
                // Not before the link could have sent it.
                free_at[f] = cycle + time;
                heard[f].retain(|a| !by_slots || *a + 2_000 > cycle);
                if !by_slots {
                    heard[f] = vec![time];
                }
                flying.push((cycle + rng.random_range(8..80), f as u32));
            }
            was_offered = offered && !accept;
        }
    }
}

/// With rates the list has the time of the flow's last packet.
fn left_len(of: &[Vec<u64>; 3], flow: usize) -> u64 {
    of[flow].first().copied().unwrap_or(0)
}
