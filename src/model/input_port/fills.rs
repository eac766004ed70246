//! Section 14: fills of the buffer, marks of naive, MB.

use super::cover::Cov;
use super::state::{Accept, Config, Fills, InputPort, Outs, States};
use crate::model::header::{Header, Marks};
use crate::params::Params;
use crate::scheme::detector::FullBuffer;

impl Fills {
    pub fn new(p: &Params) -> Fills {
        let pv = p.ports * p.vls;
        Fills {
            built: p.markers,
            waiting: vec![0; pv],
            ncnt: vec![0; pv],
            buffers: vec![FullBuffer::default(); p.vls],
            enter: None,
            full_evt: vec![false; pv],
            other_came: None,
            lowered: 0,
        }
    }

    /// Nothing that a cycle without packets would change.
    pub fn quiet(&self) -> bool {
        self.enter.is_none() && !self.full_evt.contains(&true) && !self.buffers.iter().any(|b| b.full)
    }

    pub fn show(&self, out: &mut [u32], w: &Outs) {
        if let Some(q) = self.enter {
            out[w.enter + q] = 1;
        }
        for (q, full) in self.full_evt.iter().enumerate() {
            out[w.full_evt + q] = u32::from(*full);
        }
    }

    pub fn state(&self, state: &mut [u32], w: &States) {
        state[w.st_waiting..][..self.waiting.len()].copy_from_slice(&self.waiting);
        state[w.st_ncnt..][..self.ncnt.len()].copy_from_slice(&self.ncnt);
        for (v, b) in self.buffers.iter().enumerate() {
            state[w.st_full + v] = u32::from(b.full);
            state[w.st_armed + v] = u32::from(b.armed);
        }
    }
}

/// What a cycle's levels mean, from S(t): VLs as bits.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    /// Their level is above FILL_LEVEL.
    over: u64,
    /// They fill.
    filled: u64,
}

impl InputPort {
    /// SM1: which VLs are above the level, and which fill.
    pub(super) fn decide_fills(&self) -> Levels {
        let mut l = Levels { over: 0, filled: 0 };
        for v in 0..if self.fills.built { self.p.vls } else { 0 } {
            let over = self.used[v] > self.cfg.fill_level;
            l.over |= u64::from(over) << v;
            l.filled |= u64::from(self.fills.buffers[v].fills(over)) << v;
        }
        l
    }

    /// SM3: a packet that is served at (o,v) is to be marked.
    pub(super) fn owes_mark(&mut self, q: usize, markable: bool) -> bool {
        let left = self.fills.ncnt[q];
        let mark = self.cfg.naive && markable && left > 0;
        self.hit_if(self.cfg.naive && left > 0 && !markable, Cov::Sm3NotCountedBetween);
        self.hit_if(mark, Cov::Sm3Marks);
        self.hit_if(mark && left == 1, Cov::Sm3LastMark);
        mark
    }

    /// VM1: a packet is stored with MB; with it `stored` flits of its VL are.
    pub(super) fn takes_mb(&mut self, h: &Header, stored: u32) -> bool {
        let (on, markable, above) = (self.cfg.mb_en, h.is_marked(), stored > self.cfg.mb_th);
        if self.fills.built {
            self.hit_if(!on && markable && above, Cov::Vm1Off);
            self.hit_if(on && !markable && above, Cov::Vm1Unmarkable);
            self.hit_if(on && markable && stored == self.cfg.mb_th, Cov::Vm1AtThreshold);
        }
        let mb = on && markable && above;
        self.hit_if(mb, Cov::Vm1Marked);
        self.hit_if(mb && stored == self.cfg.mb_th + 1, Cov::Vm1OneAbove);
        self.hit_if(mb && h.marks().has(Marks::MB), Cov::Vm1WasMarked);
        mb
    }

    /// A markable packet is served at (o,v) in this cycle.
    fn serves_markable(&self, q: usize) -> bool {
        self.served.contains(&q) && self.requests[q].is_some_and(|c| c.markable)
    }

    /// SM1-SM4: the next values.
    pub(super) fn update_fills(&mut self, levels: Levels, accept: Option<Accept>) {
        if !self.fills.built {
            return;
        }
        self.cover_fills(levels, accept);
        let vls = self.p.vls;
        let f = &mut self.fills;
        for q in 0..self.pv {
            let fills = levels.filled >> (q % vls) & 1 != 0;
            f.full_evt[q] = fills && f.waiting[q] > 0;
            if !self.cfg.naive {
                f.ncnt[q] = 0;
            } else if fills {
                f.ncnt[q] = f.waiting[q];
            }
        }
        for i in 0..self.served.len() {
            let q = self.served[i];
            if self.serves_markable(q) {
                self.fills.waiting[q] -= 1;
                self.fills.ncnt[q] = self.fills.ncnt[q].saturating_sub(1);
            }
        }
        let f = &mut self.fills;
        f.enter = accept.filter(|a| a.markable).map(|a| a.out * vls + a.vl);
        if let Some(q) = f.enter {
            f.waiting[q] += 1;
        }
        for (v, b) in f.buffers.iter_mut().enumerate() {
            *b = b.next(levels.over >> v & 1 != 0, accept.is_some_and(|a| a.vl == v));
        }
        f.other_came = accept.filter(|a| !a.markable).map(|a| a.vl);
        f.lowered = 0;
    }

    fn cover_fills(&mut self, levels: Levels, accept: Option<Accept>) {
        let (vls, naive) = (self.p.vls, self.cfg.naive);
        let entered = accept.filter(|a| a.markable).map(|a| a.out * vls + a.vl);
        self.hit_if(entered.is_some(), Cov::Sm4Enter);
        self.hit_if(accept.is_some() && entered.is_none(), Cov::Sm4UnmarkableEntersNot);
        let both = entered.is_some_and(|q| self.serves_markable(q));
        self.hit_if(both, Cov::Sm4AcceptAndGrant);
        let cleared = !naive && self.fills.ncnt.iter().any(|n| *n > 0);
        self.hit_if(cleared, Cov::Sm3OffClears);
        self.hit_if(levels.filled.count_ones() > 1, Cov::Sm1TwoLanes);
        for v in (0..vls).filter(|v| levels.over >> v & 1 != 0) {
            let b = self.fills.buffers[v];
            self.hit_if(b.full, Cov::Sm1StaysFull);
            self.hit_if(!b.full && !b.armed, Cov::Sm1Hovers);
            if levels.filled >> v & 1 == 0 {
                continue;
            }
            self.hit(Cov::Sm1Fill);
            self.hit_if(accept.is_some_and(|a| a.vl == v), Cov::Sm1AcceptInFill);
            self.hit_if(self.fills.other_came == Some(v), Cov::Sm1FillByAck);
            self.hit_if(self.fills.lowered >> v & 1 != 0, Cov::Sm1LevelLowered);
            let concerned = (0..self.p.ports).filter(|o| self.fills.waiting[o * vls + v] > 0).count();
            self.hit(match concerned {
                0 => Cov::Sm2NoOutput,
                1 => Cov::Sm2OneOutput,
                _ => Cov::Sm2SeveralOutputs,
            });
            let bit = self.written.of(0) & 0x20 != 0;
            self.hit_if(bit && self.p.isolation, Cov::Sm3IsolationOff);
            for q in (0..self.p.ports).map(|o| o * vls + v) {
                self.cover_output_in_fill(q);
            }
        }
    }

    /// A fill, as (o,v) sees it.
    fn cover_output_in_fill(&mut self, q: usize) {
        let waiting = self.fills.waiting[q];
        let m = self.serves_markable(q);
        self.hit_if(m, Cov::Sm2GrantInFill);
        self.hit_if(m && self.cfg.naive, Cov::Sm3GrantInFill);
        self.hit_if(self.cfg.naive && self.fills.ncnt[q] > 0, Cov::Sm3SecondFill);
        let cold = |markable: bool| {
            let packets = self.queues[self.cold_queue(q)].packets.iter().map(|id| &self.packets[*id]);
            packets.filter(|p| p.out == q / self.p.vls && p.markable == markable).count()
        };
        let (cold_markable, cold_others) = (cold(true), cold(false));
        self.hit_if(waiting == 0 && cold_others > 0, Cov::Sm2OnlyUnmarkableWaits);
        self.hit_if(waiting > 0 && cold_markable == 0 && !m, Cov::Sm2WaitsHot);
    }

    /// Cover: registers of this section and the next have been written.
    pub(super) fn cover_config(&mut self, before: &Config, addr: u32) {
        if addr == 16 {
            let (new, old) = (self.cfg.fill_level, before.fill_level);
            let passed = (0..self.p.vls).filter(|v| self.used[*v] > new && self.used[*v] <= old);
            self.fills.lowered = passed.fold(0, |set, v| set | 1 << v);
        }
        let shorter = addr == 18 && self.cfg.bypass > 0 && self.cfg.bypass < before.bypass;
        let passed = shorter && self.ages.most_passed() > self.cfg.bypass;
        self.hit_if(passed, Cov::Ag2LimitLowered);
    }
}
