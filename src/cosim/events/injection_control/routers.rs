//! At-Least-One (YL1): since when lanes of router and link are free, and what that lets through for sure.

use crate::params::Params;

/// Since when something is so, or is not.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    is: bool,
    at: u64,
}

impl Since {
    fn see(&mut self, is: bool, now: u64) {
        if is != self.is {
            *self = Since { is, at: now };
        }
    }

    /// It has been so since a cycle, for sure.
    fn all(&self, is: bool, from: u64) -> bool {
        self.is == is && self.at <= from
    }
}

/// Router, link and the table of useful outputs.
pub(super) struct Routers {
    vls: usize,
    ports: usize,
    /// Per output: it has a free best-effort lane; all of its are free.
    free: Vec<Since>,
    clear: Vec<Since>,
    link: Since,
    table: Vec<u32>,
    /// The last write to the table, or of the lanes that are best-effort.
    written: u64,
}

impl Routers {
    pub fn new(p: &Params) -> Routers {
        Routers {
            vls: p.vls,
            ports: p.ports,
            free: vec![Since::default(); p.ports],
            clear: vec![Since::default(); p.ports],
            link: Since::default(),
            table: vec![0; p.lft_depth],
            written: 0,
        }
    }

    /// A write to the table.
    pub fn write(&mut self, dlid: u32, mask: u32, now: u64) {
        if let Some(entry) = self.table.get_mut(dlid as usize) {
            *entry = mask & ((1 << self.ports) - 1);
        }
        self.written = now;
    }

    /// Other lanes are best-effort.
    pub fn masked(&mut self, now: u64) {
        let all = self.free.iter_mut().chain(&mut self.clear).chain([&mut self.link]);
        all.for_each(|s| s.at = now);
        self.written = now;
    }

    /// Lanes of this cycle.
    pub fn see(&mut self, owned: &[u32], link_free: &[u32], mask: u32, now: u64) {
        let lanes = || (0..self.vls).filter(|v| mask >> v & 1 == 1);
        for p in 0..self.ports {
            let free = |v: usize| owned[p * self.vls + v] & 1 == 0;
            self.free[p].see(lanes().any(free), now);
            self.clear[p].see(mask != 0 && lanes().all(free), now);
        }
        let link = lanes().any(|v| link_free[v] & 1 == 1);
        self.link.see(link, now);
    }

    /// A header to a DLID, in front since a cycle, may go for sure: a look-up takes up to `look` cycles, all else `late`.
    pub fn lets(&self, dlid: u32, since: u64, channels: u32, (look, late): (u64, u64), now: u64) -> bool {
        let from = now.saturating_sub(late);
        let clear = (0..self.ports).any(|p| channels >> p & 1 == 1 && self.clear[p].all(true, from));
        let from = now.saturating_sub(look + late);
        let mut useful = self.useful(dlid);
        let known = since.max(self.written) <= from;
        clear || (known && self.link.all(true, from) && useful.all(|p| self.free[p].all(true, from)))
    }

    /// It may not, for sure.
    pub fn holds(&self, dlid: u32, since: u64, channels: u32, late: u64, now: u64) -> bool {
        let from = now.saturating_sub(late);
        let unclear = (0..self.ports).all(|p| channels >> p & 1 == 0 || self.clear[p].all(false, from));
        let known = since.max(self.written) <= from;
        let mut useful = self.useful(dlid);
        unclear && (self.link.all(false, from) || (known && useful.any(|p| self.free[p].all(false, from))))
    }

    fn useful(&self, dlid: u32) -> impl Iterator<Item = usize> {
        let mask = self.table.get(dlid as usize).copied().unwrap_or(0);
        (0..self.ports).filter(move |p| mask >> p & 1 == 1)
    }
}
