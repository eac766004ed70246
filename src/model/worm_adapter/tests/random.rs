//! Whatever comes: state within its widths, and what never changes.

use super::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// Sets every input word by chance.
fn noise(a: &mut Adapter, rng: &mut SmallRng) {
    let busy = rng.random_range(1..4);
    for word in &mut a.b.input {
        *word = if rng.random_ratio(busy, 4) { rng.random() } else { 0 };
    }
    let (vls, conns) = (a.p.vls as u32, a.p.conns as u32);
    let few = conns.min(6) + 1;
    let up = u32::from(!rng.random_ratio(1, 60));
    // Lanes, connections and lengths that there are.
    let kind = [0, 1, 2, 2, 2, 3, 4, 5][rng.random_range(0..8)];
    let (dlid, node) = (rng.random_range(0..2), rng.random_range(0..2));
    let mut words = header(dlid, kind, rng.random_range(0..few), node);
    let mut bw = || [50, 50, 50, 300][rng.random_range(0..4)];
    words[3] |= two(bw());
    let open_bw = bw() * u32::from(!rng.random_ratio(1, 8));
    words[1] = two(u32::from(rng.random_ratio(1, 4))) << 16;
    // (The number of a probe that is on its way, mostly.)
    words[2] |= (a.get("st_seq").wrapping_sub(rng.random_range(1..3)) & 63) << 10;
    a.b.set("open_dlid", 0, 0);
    a.b.set("link_up", 0, up).set_words("rx_data", &words).set(
        "rx_vl",
        0,
        rng.random_range(0..vls + 1).min(15),
    );
    a.b.set("open_conn", 0, rng.random_range(0..few)).set("open_bw", 0, open_bw);
    a.b.set("post_conn", 0, rng.random_range(0..few)).set(
        "post_len",
        0,
        rng.random_range(0..a.p.lane as u32 + 2),
    );
    a.b.set("cfg_addr", 0, rng.random_range(0..140));
    if rng.random_ratio(1, 4) {
        a.b.set("rx_vl", 0, vls - 2).set("rx_first", 0, 1);
    }
    for v in 0..vls as usize {
        a.b.set("be_hold", v, u32::from(rng.random_ratio(1, 8)));
        let pulse = rng.random_ratio(1, 2) && a.lane("st_cr", v) < a.p.depth as u32;
        a.b.set("rx_credit", v, u32::from(pulse));
    }
    // Settings with which something happens.
    if rng.random_ratio(3, 4) || a.b.input[0] & 1 == 0 {
        a.b.set("cfg_we", 0, 0);
    } else if rng.random_ratio(1, 2) {
        let settings = [
            (M, 8),
            (C_B, 3),
            (LIMIT, 4096),
            (LID, 0),
            (FIRST_NODE, 0),
            (LHP, 2),
            (CTRL, 3),
            (CTRL, 2),
            (CTRL, 1),
            (CTRL, 3),
            (PROBE_GAP, 2),
            (BE_MASK, 0),
        ];
        let (addr, data) = settings[rng.random_range(0..settings.len())];
        a.b.set("cfg_addr", 0, addr).set("cfg_data", 0, data);
    }
}

/// What holds in every state.
fn check(a: &Adapter) {
    a.b.check_widths().unwrap();
    let mut places: Vec<u32> = (0..a.p.vls).map(|v| a.lane("st_place", v)).collect();
    places.sort_unstable();
    assert!(places.iter().copied().eq(0..a.p.vls as u32));
    for v in 0..a.p.vls {
        assert!(a.lane("st_level", v) <= a.p.lane as u32 && a.lane("st_cr", v) <= a.p.depth as u32);
        assert!(a.lane("st_left", v) > 0);
        let home = a.lane("st_inside", v) == 0 && a.lane("st_cr", v) == a.p.depth as u32;
        assert_eq!(a.lane("link_free", v), u32::from(home));
        assert_eq!(a.lane("lane_full", v), u32::from(a.lane("st_level", v) == a.p.lane as u32));
    }
    let book: u32 = (0..a.p.vls).map(|v| a.lane("st_book", v)).sum();
    assert_eq!(book, a.get("st_used"));
    let conns: u32 = (0..a.p.vls).map(|v| a.lane("st_conns", v)).sum();
    assert_eq!(conns, a.get("st_live"));
    assert!(a.get("st_used") <= 4096 && a.get("st_posted") <= a.p.msgq as u32);
    assert!(a.b.get("st_queue", 1) + a.b.get("st_queue", 2) <= a.get("st_posted"));
    assert!(a.b.get("st_queue", 0) <= a.p.ctlq as u32 && a.get("st_replies") <= a.p.depth as u32);
    assert_ne!(a.get("st_lfsr"), 0);
}

#[test]
fn anything_may_come() {
    let mut acks = 0;
    for (seed, name) in ["tiny", "two", "odd", "full"].into_iter().enumerate() {
        let mut rng = SmallRng::seed_from_u64(seed as u64);
        let mut a = Adapter::new(name);
        // Messages posted and complete, by class and tag.
        let mut posted: BTreeMap<u32, i64> = BTreeMap::new();
        let (mut flits, mut pulses) = (0i64, 0i64);
        for _ in 0..20_000 {
            noise(&mut a, &mut rng);
            let input = a.b.input.clone();
            a.b.cycle();
            check(&a);
            if let Some([1, 1, _, tag]) = a.done() {
                *posted.entry(tag).or_default() += 1;
            }
            if let Some([_, _, tag]) = a.completion() {
                let of = posted.get_mut(&tag).expect("it was posted");
                *of -= 1;
                assert!(*of >= 0);
            }
            // Of what comes each flit gives a pulse, at most.
            let layout = crate::signals::Layout::new(UnitKind::WormAdapter, &a.p);
            let came = input[layout.input("rx_valid")] & 1 != 0 && input[layout.input("link_up")] & 1 != 0;
            pulses += (0..a.p.vls).map(|v| i64::from(a.lane("tx_credit", v))).sum::<i64>();
            assert!(pulses <= flits);
            flits += i64::from(came);
        }
        let left: i64 = posted.values().sum();
        let waiting = a.get("st_posted") + a.b.get("st_queue", 0);
        assert!(
            left >= i64::from(waiting) && left <= i64::from(waiting) + a.p.lane as i64 + 3,
            "{left} {waiting}"
        );
        assert!(pulses * 2 > flits, "{name}: {pulses} {flits}");
        assert!(
            a.b.covered("yc4_best_effort") + a.b.covered("yc4_control") > 20 && a.b.covered("yc4_probe") > 1,
            "{name}"
        );
        acks += a.b.covered("ya4_ack");
    }
    assert!(acks > 3, "{acks}");
}

/// A unit that was reset is as a new one.
#[test]
fn reset_leaves_nothing() {
    let mut rng = SmallRng::seed_from_u64(9);
    let mut used = Adapter::new("tiny");
    for _ in 0..900 {
        noise(&mut used, &mut rng);
        used.b.cycle();
    }
    used.b.unit.reset();
    let mut new = Bench::new(UnitKind::WormAdapter, &used.p);
    for _ in 0..900 {
        noise(&mut used, &mut rng);
        new.input.clone_from(&used.b.input);
        used.b.cycle();
        new.cycle();
        assert_eq!((&used.b.output, &used.b.state), (&new.output, &new.state));
    }
}
