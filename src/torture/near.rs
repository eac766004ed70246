//! Networks near one: what failed once may fail in another way beside it. A few registers, paces, delays or pairs are other ones.

use std::collections::BTreeMap;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::bounds::Bounds;
use super::case::{Case, Pair};
use super::chance::{one, ranged, weighted};
use super::draw;
use crate::params::Params;

/// Changes of a network, at most.
const MOST_CHANGES: u32 = 6;
/// Tries to draw legal ones.
const TRIES: u32 = 200;

/// What is changed.
#[derive(Clone, Copy)]
enum Change {
    Register,
    Pace,
    Delay,
    Traffic,
    Buffer,
}

/// A network near `base`, drawn with `seed`; none if no legal one was found.
pub fn near(base: &Case, seed: u64, cycles: Option<u64>) -> Option<Case> {
    let mut rng = SmallRng::seed_from_u64(seed);
    for _ in 0..TRIES {
        let mut case = Case { seed, found: String::new(), ..base.clone() };
        let changes = rng.random_range(1..=MOST_CHANGES);
        let done = (0..changes).all(|_| change(&mut rng, &mut case).is_some());
        case.cycles = cycles.unwrap_or(case.cycles);
        if done && case.check().is_ok() && Bounds::new(&case).is_ok() {
            return Some(case);
        }
    }
    None
}

/// Changes one thing; none if the network is not legal any more.
fn change(rng: &mut SmallRng, case: &mut Case) -> Option<()> {
    let kinds = [
        (60, Change::Register),
        (12, Change::Pace),
        (8, Change::Delay),
        (14, Change::Traffic),
        (6, Change::Buffer),
    ];
    match weighted(rng, &kinds) {
        Change::Register => register(rng, case)?,
        Change::Pace => {
            let h = rng.random_range(0..case.host.len());
            let host = &mut case.host[h];
            let pace = if rng.random_bool(0.5) { &mut host.take } else { &mut host.give };
            *pace = if rng.random_bool(0.2) { Default::default() } else { draw::pace(rng, false) };
        }
        Change::Delay => {
            let l = rng.random_range(0..case.link.len());
            let way = rng.random_range(0..2);
            case.link[l].delay[way] = ranged(rng, &[(4, 1, 4), (3, 1, 20), (1, 20, 100)]);
        }
        Change::Traffic => {
            if case.pair.is_empty() {
                return Some(());
            }
            let p = rng.random_range(0..case.pair.len());
            traffic(rng, &mut case.pair[p]);
        }
        Change::Buffer => {
            let i = rng.random_range(0..case.switch.len() + case.host.len());
            let blocks = node(case, i).0.get_mut("BLOCKS")?;
            *blocks = (*blocks + rng.random_range(0..=4)).saturating_sub(rng.random_range(0..=4));
        }
    }
    Some(())
}

/// Parameters and registers of a node: the switches, then the hosts.
fn node(case: &mut Case, i: usize) -> (&mut BTreeMap<String, usize>, &mut BTreeMap<String, u32>) {
    match i.checked_sub(case.switch.len()) {
        None => {
            let s = &mut case.switch[i];
            (&mut s.parameters, &mut s.registers)
        }
        Some(h) => {
            let h = &mut case.host[h];
            (&mut h.parameters, &mut h.registers)
        }
    }
}

/// Another value of a register of a port, of those that are written or of any.
fn register(rng: &mut SmallRng, case: &mut Case) -> Option<()> {
    let i = rng.random_range(0..case.switch.len() + case.host.len());
    let (p, ports): (Params, usize) = match i.checked_sub(case.switch.len()) {
        None => case.switch_params(i).ok().map(|p| (p, p.ports))?,
        Some(h) => (case.host_params(h).ok()?, 1),
    };
    let registers = node(case, i).1;
    let output = rng.random_bool(0.4);
    let written: Vec<(String, u32)> = registers.iter().map(|(name, v)| (name.clone(), *v)).collect();
    if !written.is_empty() && rng.random_bool(0.4) {
        // Beside the value that it has.
        let (name, v) = &written[rng.random_range(0..written.len())];
        if !name.ends_with("CTRL") {
            let other = one(rng, &[v.saturating_sub(1), v.saturating_add(1), v.saturating_mul(2), v / 2]);
            registers.insert(name.clone(), other);
            return Some(());
        }
    }
    let names = draw::registers(output);
    let (port, name) = (rng.random_range(0..ports), names[rng.random_range(0..names.len())]);
    let side = if output { "out" } else { "in" };
    if let Some(v) = draw::value(rng, &p, output, name) {
        registers.insert(format!("{side}{port}.{name}"), v);
    }
    Some(())
}

/// Other times, windows or lengths.
fn traffic(rng: &mut SmallRng, pair: &mut Pair) {
    match rng.random_range(0..4) {
        0 => pair.gap = ranged(rng, &[(3, 0, 4), (2, 0, 40), (1, 40, 400)]).into(),
        1 => pair.window = ranged(rng, &[(3, 1, 4), (2, 1, 16)]),
        2 => pair.start = ranged(rng, &[(1, 0, 20), (1, 0, 300)]).into(),
        _ => {
            let (k, most) = (rng.random_range(0..pair.lengths.len()), pair.lengths.iter().max());
            pair.lengths[k] = rng.random_range(1..=most.copied().unwrap_or(1));
        }
    }
}
