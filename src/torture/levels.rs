//! Draws networks whose switches have several ports up (RANDOM_UP), by generators of their own: leaves with the hosts, each joined to all
//! switches of the level above it in its part, and these to all of a third level where there are several parts.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::case::{Case, End, Link, Rewrite};
use super::chance::{one, weighted};
use crate::params::Params;

/// How many switches there are, and where.
pub(super) struct Levels {
    rng: SmallRng,
    parts: usize,
    /// Leaves, and switches above them, of a part.
    leaves: usize,
    middles: usize,
    /// Above all parts.
    tops: usize,
    /// Links between two switches.
    links: usize,
    /// Hosts at each leaf, at most.
    hosts: usize,
}

/// Those of a seed, if it has any. `small`: for switches of three ports.
pub(super) fn levels(seed: u64, isolates: bool, small: bool) -> Option<Levels> {
    let mut rng = SmallRng::seed_from_u64(seed ^ 0x7570_2070_6f72_7473);
    if !rng.random_bool(if small {
        0.15
    } else if isolates {
        0.02
    } else {
        0.11
    }) {
        return None;
    }
    let r = &mut rng;
    if small {
        let leaves = r.random_range(2..=3);
        return Some(Levels { rng, parts: 1, leaves, middles: 2, tops: 0, links: 1, hosts: 1 });
    }
    let parts = weighted(r, &[(80, 1), (20, 2)]);
    let leaves = if parts > 1 { 1 } else { weighted(r, &[(60, 2), (30, 3), (10, 4)]) };
    let middles = weighted(r, &[(10, 1), (60, 2), (30, 3)]);
    let tops = if parts > 1 { r.random_range(1..=2) } else { 0 };
    let links = if middles == 1 || r.random_bool(0.15) { 2 } else { 1 };
    let hosts = weighted(r, &[(30, 1), (50, 2), (20, 3)]);
    Some(Levels { rng, parts, leaves, middles, tops, links, hosts })
}

impl Levels {
    /// Switches of the network: leaves, those above them, the highest ones.
    pub(super) fn switches(&self) -> usize {
        self.parts * (self.leaves + self.middles) + self.tops
    }

    /// The leaf of each host, and of each link between switches the lower one and the upper one.
    pub(super) fn shape(&mut self, most: usize) -> (Vec<usize>, Vec<(usize, usize)>) {
        let all = self.parts * self.leaves;
        let mut at: Vec<usize> = (0..all).collect();
        while at.len() < most && at.len() < all * self.hosts && self.rng.random_bool(0.8) {
            at.push(self.rng.random_range(0..all));
        }
        at.truncate(most);
        // No leaf has more than its share: a switch of few ports has no more.
        for leaf in 0..all {
            while at.iter().filter(|l| **l == leaf).count() > self.hosts {
                if let Some(k) = at.iter().rposition(|l| *l == leaf) {
                    at.remove(k);
                }
            }
        }
        let mut joins = Vec::new();
        for part in 0..self.parts {
            for m in (0..self.middles).map(|m| all + part * self.middles + m) {
                for leaf in (0..self.leaves).map(|l| part * self.leaves + l) {
                    joins.extend((0..self.links).map(|_| (leaf, m)));
                }
                joins.extend((0..self.tops).map(|t| (m, all + self.parts * self.middles + t)));
            }
        }
        (at, joins)
    }

    /// Which switches draw: mostly all that can, some of those that isolate or have queues at their outputs.
    pub(super) fn parameters(&mut self, isolates: bool, sp: &mut [Params]) {
        let all = self.rng.random_bool(0.8);
        for p in sp.iter_mut() {
            let plain = !isolates && !p.cioq || self.rng.random_bool(0.5);
            p.random_up = plain && (all || self.rng.random_bool(0.6));
            if p.random_up {
                super::reserve::plain(p);
            }
        }
    }

    /// A mask of an input of switch `s`: some of its ports up, or anything where none is.
    fn mask(&mut self, up: &[usize], ports: usize) -> u32 {
        let r = &mut self.rng;
        if up.is_empty() {
            return one(r, &[0, u32::MAX, r.clone().random()]);
        }
        let chosen = if r.random_bool(0.7) { up.to_vec() } else { vec![one(r, up), one(r, up)] };
        let above = if r.random_bool(0.5) { r.random::<u32>() & (u32::MAX << ports.min(31)) } else { 0 };
        chosen.iter().fold(if ports < 32 { above } else { 0 }, |mask, port| mask | 1 << port)
    }

    fn seed(&mut self) -> u32 {
        let any = self.rng.random_range(0..=0xffff);
        one(&mut self.rng, &[0, 1, 0xffff, any, any, any])
    }

    /// Masks and seeds, and those that change while packets flow.
    pub(super) fn registers(&mut self, case: &mut Case, sp: &[Params]) {
        for (s, p) in sp.iter().enumerate().filter(|x| x.1.random_up) {
            let up = case.switch[s].up.clone();
            for port in 0..p.ports {
                let mask = self.mask(&up, p.ports);
                case.switch[s].registers.insert(format!("in{port}.UP_MASK"), mask);
                if self.rng.random_bool(0.5) {
                    let seed = self.seed();
                    case.switch[s].registers.insert(format!("in{port}.UP_SEED"), seed);
                }
            }
        }
        if !self.rng.random_bool(0.3) {
            return;
        }
        for _ in 0..self.rng.random_range(1..=4) {
            let s = self.rng.random_range(0..sp.len());
            let port = self.rng.random_range(0..sp[s].ports);
            let up = case.switch[s].up.clone();
            let (name, value) = if self.rng.random_bool(0.7) {
                ("UP_MASK", self.mask(&up, sp[s].ports))
            } else {
                ("UP_SEED", self.seed())
            };
            let cycle = self.rng.random_range(0..case.cycles);
            case.rewrite.push(Rewrite {
                cycle,
                node: format!("s{s}"),
                register: format!("in{port}.{name}"),
                value,
            });
        }
        case.rewrite.sort_by_key(|w| w.cycle);
    }
}

/// The ports of each switch that lead up, by the links between them: `joins` has of each of the first links the upper switch.
pub(super) fn ups(links: &[Link], joins: &[(usize, usize)], switches: usize) -> Vec<Vec<usize>> {
    let mut up = vec![Vec::new(); switches];
    for (l, (lower, _)) in links.iter().zip(joins) {
        for end in [l.a, l.b] {
            if let End::Switch(s, port) = end
                && s == *lower
            {
                up[s].push(port);
            }
        }
    }
    up
}
