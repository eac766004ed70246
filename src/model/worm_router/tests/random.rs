//! Whatever comes: state within its widths, and what never changes.

use super::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Sets every input word by chance.
fn noise(r: &mut Router, rng: &mut SmallRng) {
    let busy = rng.random_range(1..4);
    for word in &mut r.b.input {
        *word = if rng.random_ratio(busy, 4) { rng.random() } else { 0 };
    }
    let links = r.p.ports;
    for port in 0..links {
        let up = u32::from(!rng.random_ratio(1, 40));
        r.b.set("link_up", port, up);
        // DLIDs that there are, lanes that there are.
        let (dlid, lane) = (rng.random_range(0..12u32), rng.random_range(0..r.p.vls as u32 + 1));
        let data: u32 = rng.random();
        r.b.set_element("rx_data", port, &[dlid << 24, data, 0, 0]);
        r.b.set("rx_vl", port, lane);
        let vls = r.p.vls;
        for v in 0..vls {
            let pulse = u32::from(rng.random_ratio(1, 8));
            r.b.set("rx_credit", port * vls + v, pulse);
        }
    }
    let (addr, port) = (rng.random_range(0..140), rng.random_range(0..=r.p.ports as u32));
    r.b.set("cfg_addr", 0, addr).set("cfg_port", 0, port);
    let entry = rng.random_range(0..r.p.ports as u32 + 1);
    r.b.set("lft_addr", 0, rng.random_range(0..12)).set("lft_port", 0, entry);
}

/// What holds in every state.
fn check(r: &Router) {
    r.b.check_widths().unwrap();
    let (p, vls) = (r.p.ports, r.p.vls);
    let mut owned = vec![0; p * vls];
    for i in 0..p {
        for name in ["st_place_in", "st_place_out"] {
            let mut places: Vec<u32> = (0..vls).map(|v| r.lane(name, i, v)).collect();
            places.sort_unstable();
            assert!(places.iter().copied().eq(0..vls as u32), "{name}");
        }
        for v in 0..vls {
            assert!(
                r.lane("st_level", i, v) <= r.p.depth as u32 && r.lane("st_cr", i, v) <= r.p.depth as u32
            );
            assert!(r.lane("st_owed", i, v) + r.lane("st_level", i, v) <= r.p.depth as u32);
            assert!(r.lane("st_left_in", i, v) > 0 && r.lane("st_left_out", i, v) > 0);
            assert_eq!(r.lane("lane_owned", i, v), r.lane("st_owned", i, v));
            let full = r.lane("st_level", i, v) == r.p.depth as u32;
            assert_eq!(r.lane("lane_full", i, v), u32::from(full));
            if let Some((o, u)) = r.owns(i, v) {
                owned[o as usize * vls + u as usize] += 1;
            } else {
                assert_eq!(r.lane("st_cut", i, v), 0);
            }
        }
        assert_ne!(r.get("st_lfsr", i), 0);
    }
    // A lane of an output has one owner.
    for (at, n) in owned.into_iter().enumerate() {
        assert_eq!(r.get("st_owned", at), n, "lane {at}");
    }
}

#[test]
fn anything_may_come() {
    for (seed, name) in ["tiny", "two", "odd", "worm5"].into_iter().enumerate() {
        let mut rng = SmallRng::seed_from_u64(seed as u64);
        let mut r = Router::new(name);
        for _ in 0..3_000 {
            noise(&mut r, &mut rng);
            r.cycle();
            check(&r);
        }
        let sent: u32 = (0..r.p.ports).map(|o| r.get("st_cnt_flits", o)).sum();
        assert!(sent > 50, "{name}: {sent}");
    }
}

/// A unit that was reset is as a new one.
#[test]
fn reset_leaves_nothing() {
    let mut rng = SmallRng::seed_from_u64(9);
    let mut used = Router::new("tiny");
    for _ in 0..500 {
        noise(&mut used, &mut rng);
        used.cycle();
    }
    used.b.unit.reset();
    let mut new = Bench::new(UnitKind::WormRouter, &used.p);
    for _ in 0..600 {
        noise(&mut used, &mut rng);
        new.input.clone_from(&used.b.input);
        used.cycle();
        new.cycle();
        assert_eq!((&used.b.output, &used.b.state), (&new.output, &new.state));
    }
}
