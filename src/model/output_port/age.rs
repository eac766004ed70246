//! Oldest first (rule AG1): section 13 of the page.

use super::cover::Cover;
use super::state::{Decision, MAX_PASSED, OutputPort};

impl OutputPort {
    /// AG1: what goes before the pointers in the choice among data: the lowest is the oldest. Without `sched` all are alike.
    pub(super) fn youth(&self, input: &[u32], r: usize) -> usize {
        if self.cfg.sched { usize::MAX - self.age(input, r) as usize } else { 0 }
    }

    fn age(&self, input: &[u32], r: usize) -> u32 {
        input[self.i.req_age + r] & (u32::MAX >> (32 - self.p.age_w()))
    }

    /// AG1: the requests that a grant of data is chosen among.
    fn pool(&self, input: &[u32], d: &Decision) -> Vec<usize> {
        let data = |r: &usize| self.cfg.cnp_plain || !self.goes_first(input, *r);
        let valid = (0..self.requesters()).filter(|r| input[self.i.req_valid + r] & 1 != 0).filter(data);
        let fits = |r: &usize| {
            let v = r % self.vls;
            self.has_credit(v) && (!d.urgent || self.passed[v] == MAX_PASSED)
        };
        valid.filter(fits).collect()
    }

    /// Cover points of a grant; pointers are as they were.
    pub(super) fn cover_ages(&mut self, input: &[u32], d: &Decision, granted: usize) {
        if self.p.stamp_w == 0 || d.cnps {
            return;
        }
        let pool = self.pool(input, d);
        let age = self.age(input, granted);
        let oldest = pool.iter().map(|r| self.age(input, *r)).max().unwrap_or(age);
        let alike = pool.iter().filter(|r| self.age(input, **r) == oldest).count();
        if !self.cfg.sched {
            self.hit_if(age < oldest, Cover::ag1_off);
            return;
        }
        let by_pointers = pool.iter().copied().min_by_key(|r| self.rank(*r, 0));
        self.hit_if(alike < pool.len(), Cover::ag1_oldest);
        self.hit_if(by_pointers != Some(granted), Cover::ag1_against_pointer);
        self.hit_if(alike > 1, Cover::ag1_tie);
        self.hit_if(d.urgent, Cover::ag1_urgent);
        let cnp = self.goes_first(input, granted);
        self.hit_if(cnp && alike < pool.len(), Cover::ag1_plain_cnp);
        let waits = (0..self.requesters()).any(|r| {
            let v = r % self.vls;
            input[self.i.req_valid + r] & 1 != 0 && !self.has_credit(v) && self.age(input, r) > age
        });
        self.hit_if(waits, Cover::ag1_lane_without_credit);
        let most = 1u64 << (self.p.stamp_w - 1);
        self.hit_if(pool.len() > 1 && alike == pool.len() && u64::from(oldest) == most, Cover::ag1_all_aged);
    }
}
