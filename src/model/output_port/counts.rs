//! Marks by count, and VB (rules SM3-SM5, VM2): section 12 of the page.

use std::cmp::Ordering;

use super::cover::Cover;
use super::state::{Det, OutputPort, PacketCounts, State};
use crate::model::header::{Header, Marks};
use crate::params::Params;
use crate::scheme::detector::{Counts, Step};

/// A first flit of a legal VL on the crossbar.
pub(super) struct Leaving {
    vl: usize,
    markable: bool,
    /// It is dropped (section 9).
    dropped: bool,
    header: Header,
}

impl PacketCounts {
    pub fn new(p: &Params) -> PacketCounts {
        PacketCounts {
            built: p.markers,
            counts: vec![Counts::default(); p.vls],
            most: Counts::most(p.ports, p.cap(0)),
            sat: vec![false; p.vls],
            beyond: vec![0; p.vls],
        }
    }

    pub fn of(&self, v: usize) -> Counts {
        self.counts[v]
    }

    /// No packet is counted.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|c| c.all | c.marked == 0) && !self.sat.contains(&true)
    }

    pub fn saturated(&self, v: usize) -> bool {
        self.sat[v]
    }

    pub fn state(&self, v: usize, state: &mut [u32], s: &State) {
        state[s.st_cnt1 + v] = self.counts[v].all;
        state[s.st_cnt2 + v] = self.counts[v].marked;
        state[s.st_sat + v] = u32::from(self.sat[v]);
    }
}

impl OutputPort {
    /// The packet that leaves in this cycle, framed well or not, dropped or not.
    pub(super) fn leaving(&self, input: &[u32]) -> Option<Leaving> {
        let bit = |at: usize| input[at] & 1 != 0;
        if !self.counts.built || !bit(self.i.sw_valid) || !bit(self.i.sw_first) {
            return None;
        }
        let header = Header::parse(&input[self.i.sw_data..][..self.flit_words]);
        let vl = Some(header.lane(self.vls, self.vl_by_dest)).filter(|v| *v < self.vls)?;
        let dropped = self.drop > 0 || !bit(self.i.link_up);
        Some(Leaving { vl, markable: header.is_marked(), dropped, header })
    }

    /// SM3, SM4: a packet is marked because its input asks for it, or by the count of its VL.
    pub(super) fn marked_by_count(&mut self, vl: usize, h: &Header, asked: bool, by_state: bool) -> bool {
        if !self.counts.built {
            return false;
        }
        let counted = self.cfg.det != Det::None && self.counts.counts[vl].marked > 0;
        if !h.is_marked() {
            self.hit_if(asked, Cover::sm3_mark_in_unmarkable);
            return false;
        }
        self.hit_if(asked, Cover::sm3_mark_in);
        self.hit_if(asked && (by_state || counted), Cover::sm3_mark_in_twice);
        self.hit_if(asked && h.marks().has(Marks::FECN), Cover::sm3_mark_was_set);
        let unmarked = self.cfg.det != Det::None && !counted && !asked;
        self.hit_if(unmarked, Cover::sm4_leaves_unmarked);
        asked || counted
    }

    /// VM2: a packet with MB goes through a saturated output.
    pub(super) fn validated(&mut self, vl: usize, h: &Header) -> bool {
        if !self.cfg.vb_en {
            return false;
        }
        let (mb, (sat, beyond)) = (h.marks().has(Marks::MB), self.saturation(vl));
        if !h.is_marked() {
            self.hit_if(mb && sat, Cover::vm2_unmarkable);
            return false;
        }
        self.hit_if(!mb && sat, Cover::vm2_mb_absent);
        self.hit_if(mb && !sat, Cover::vm2_not_saturated);
        self.hit_if(mb && !sat && beyond == 0, Cover::vm2_at_threshold);
        self.hit_if(mb && sat && beyond == 1, Cover::vm2_one_above);
        self.hit_if(mb && sat, Cover::vm2_validated);
        self.hit_if(mb && sat && self.queue.built, Cover::vm2_queue);
        self.hit_if(mb && sat && h.marks().has(Marks::VB), Cover::vm2_was_validated);
        mb && sat
    }

    /// SM4, SM5, VM2: the next values.
    pub(super) fn count_packets(&mut self, input: &[u32], leaving: Option<Leaving>) {
        if !self.counts.built {
            return;
        }
        let leaving = leaving.as_ref();
        for v in 0..self.vls {
            let (enter, fills) =
                (self.inputs_with(input, self.i.enter + v), self.inputs_with(input, self.i.full_evt + v));
            let here = leaving.filter(|l| l.vl == v);
            let leaves = here.is_some_and(|l| l.markable);
            let step = Step { enter, leaves, most: self.counts.most };
            let was = self.counts.counts[v];
            let wait = was.wait_after(step);
            let many = self.cfg.det == Det::InputOutput && enter > 0 && wait > self.cfg.out_th;
            let triggered = (self.cfg.det != Det::None).then_some(fills > 0 || many);
            self.cover_counts(v, step, fills, many);
            if let Some(l) = here {
                self.cover_leaving(l, was);
            }
            self.counts.counts[v] = was.next(step, triggered);

            if self.queue.built {
                continue;
            }
            let per_input = input[self.i.fill + v..].iter().step_by(self.vls).take(self.ports);
            let x: u32 = per_input.map(|f| f & 0xffff).sum();
            self.counts.sat[v] = x > self.cfg.vb_th;
            self.counts.beyond[v] = i64::from(x) - i64::from(self.cfg.vb_th);
        }
    }

    /// How many inputs have a signal of one bit, of which `at` is the first one's.
    fn inputs_with(&self, input: &[u32], at: usize) -> u32 {
        input[at..].iter().step_by(self.vls).take(self.ports).map(|w| w & 1).sum()
    }

    fn cover_counts(&mut self, v: usize, s: Step, fills: u32, many: bool) {
        let was = self.counts.counts[v];
        let wait = was.wait_after(s);
        self.hit_if(s.enter == 1, Cover::sm4_enter_one);
        self.hit_if(s.enter as usize == self.ports, Cover::sm4_enter_all);
        self.hit_if(s.enter > 0 && s.leaves, Cover::sm4_enter_and_leave);
        self.hit_if(s.leaves && was.all == 0, Cover::sm4_leave_at_0);
        self.hit_if(was.all - u32::from(s.leaves && was.all > 0) + s.enter > s.most, Cover::sm4_full);
        if self.cfg.det == Det::None {
            self.hit_if(was.marked > 0, Cover::sm5_det_off_clears);
            return;
        }
        let at = self.cfg.det == Det::InputOutput && s.enter > 0 && wait == self.cfg.out_th;
        self.hit_if(at, Cover::sm5_at_out_th);
        self.hit_if(many, Cover::sm5_out_th);
        self.hit_if(many && fills > 0, Cover::sm5_both_triggers);
        self.hit_if(many && was.all > self.cfg.out_th, Cover::sm5_stays_above);
        self.hit_if(fills > 1, Cover::sm4_two_fills);
        let left = was.left_after(s);
        if fills == 0 && !many {
            self.hit_if(was.marked > 0 && left == 0 && s.enter > 0, Cover::sm4_last_mark_with_enter);
            return;
        }
        self.hit_if(s.leaves, Cover::sm4_trigger_with_leave);
        self.hit_if(fills > 0 && s.enter > 0, Cover::sm4_trigger_with_enter);
        self.hit(match left.cmp(&wait) {
            _ if left == 0 => Cover::sm4_copy_at_0,
            Ordering::Equal => Cover::sm4_copy_same,
            _ => Cover::sm4_copy_between,
        });
    }

    fn cover_leaving(&mut self, l: &Leaving, was: Counts) {
        self.hit_if(!l.markable, Cover::sm4_leave_unmarkable);
        self.hit_if(l.markable && l.dropped && was.all > 0, Cover::sm4_leave_dropped);
        let saturated = self.cfg.vb_en && self.saturation(l.vl).0;
        let validates = saturated && l.markable && l.header.marks().has(Marks::MB);
        self.hit_if(validates && l.dropped, Cover::vm2_dropped);
    }
}
