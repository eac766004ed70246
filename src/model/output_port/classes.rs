//! Classes of lanes (rules Q1, Q3, Q7): section 16 of the page.

use super::cover::Cover;
use super::state::{CREDIT_MASK, Classes, Decision, OutputPort, State};
use crate::params::Params;
use crate::params::lanes::{PRIORITY, SrpLane};

/// Number of a class, as `st_class_ptr` has them.
fn number(class: SrpLane) -> usize {
    match class {
        SrpLane::Data => 0,
        SrpLane::Spec => 1,
        SrpLane::Res => 2,
        SrpLane::Reply => 3,
    }
}

/// A valid request.
#[derive(Clone, Copy)]
struct Asker {
    /// Element i*V+v.
    r: usize,
    input: usize,
    /// Whose credits it needs.
    lane: usize,
    class: SrpLane,
    /// Its place in the ring of its class.
    place: usize,
    len: u32,
}

impl Classes {
    pub fn new(p: &Params) -> Classes {
        Classes { built: p.srp, data_lanes: SrpLane::data_lanes(p.vls), ptr: [0; 4], owed: vec![None; p.vls] }
    }

    pub fn state(&self, state: &mut [u32], w: &State) {
        for (c, ptr) in self.ptr.iter().enumerate() {
            state[w.st_class_ptr + c] = *ptr as u32;
        }
        for (v, owed) in self.owed.iter().enumerate() {
            state[w.st_owed + v] = u32::from(owed.is_some());
            state[w.st_owed_in + v] = owed.unwrap_or(0) as u32;
        }
    }
}

impl OutputPort {
    /// Places in the ring of a class.
    fn ring(&self, class: SrpLane) -> usize {
        match class {
            SrpLane::Data => self.ports * self.classes.data_lanes,
            SrpLane::Spec | SrpLane::Res => self.ports,
            SrpLane::Reply => 2 * self.ports,
        }
    }

    /// Q3: request `r`, if it is valid.
    fn asker(&self, input: &[u32], r: usize) -> Option<Asker> {
        if input[self.i.req_valid + r] & 1 == 0 {
            return None;
        }
        let (i, v) = (r / self.vls, r % self.vls);
        let spec = SrpLane::Spec.vl(self.vls);
        // Q7: a NACK is a reply.
        let nack = v == spec && input[self.i.req_nack + i] & 1 != 0;
        let lane = if nack { SrpLane::Reply.vl(self.vls) } else { v };
        let class = SrpLane::of(lane, self.vls);
        let place = match class {
            SrpLane::Data => i * self.classes.data_lanes + v,
            SrpLane::Spec | SrpLane::Res => i,
            SrpLane::Reply => 2 * i + usize::from(nack),
        };
        let len = input[self.i.req_len + r] & 0x7f;
        Some(Asker { r, input: i, lane, class, place, len })
    }

    fn askers(&self, input: &[u32]) -> Vec<Asker> {
        (0..self.requesters()).filter_map(|r| self.asker(input, r)).collect()
    }

    /// There is credit for its own length.
    fn has_own_credit(&self, a: &Asker) -> bool {
        self.has_link_credit(a.lane, a.len)
    }

    /// Q3: the lane's credits are for another input.
    fn owes_another(&self, a: &Asker) -> bool {
        self.classes.owed[a.lane].is_some_and(|i| i != a.input)
    }

    /// How far a request is from the pointer of its class.
    fn turn(&self, a: &Asker) -> usize {
        let (ring, ptr) = (self.ring(a.class), self.classes.ptr[number(a.class)]);
        (a.place + ring - ptr) % ring
    }

    /// Q3: the grant of this cycle, from S(t) and I(t).
    pub(super) fn decide_class(&self, input: &[u32]) -> Decision {
        let mut d = Decision::default();
        let any = |base: usize| input[base..base + self.ports].iter().any(|x| x & 1 != 0);
        (d.act, d.end) = (any(self.i.xb_act), any(self.i.xb_end));
        d.free = !d.act || d.end && self.phase == 0;
        let all = self.askers(input);
        d.valid = all.len();
        let lacking = all.iter().filter(|a| a.class == SrpLane::Data && !self.has_credit(a.lane));
        d.refused = lacking.fold(0, |vls, a| vls | 1 << a.lane);
        if d.free {
            let fit: Vec<&Asker> =
                all.iter().filter(|a| self.has_own_credit(a) && !self.owes_another(a)).collect();
            let of = |class| fit.iter().filter(move |a| a.class == class).min_by_key(|a| self.turn(a));
            d.winner = PRIORITY.into_iter().find_map(of).map(|a| a.r);
        }
        d
    }

    /// The effects of the decision: class pointer, owed credits, TXR, root test. Returns the request that was granted.
    pub(super) fn arbitrate_classes(&mut self, input: &[u32], d: &Decision) -> Option<usize> {
        let all = self.askers(input);
        let granted = d.winner.and_then(|r| all.iter().find(|a| a.r == r).copied());
        self.cover_classes(input, d, &all, granted);
        let data = granted.filter(|a| a.class == SrpLane::Data).map(|a| a.r);
        self.test_root(d, data);
        if d.free {
            // Data of a VL that were granted wait no more.
            if let Some(r) = data {
                self.waited[r % self.vls] = false;
            }
            self.follow_owed(&all, granted);
        }
        let a = granted?;
        self.classes.ptr[number(a.class)] = (a.place + 1) % self.ring(a.class);
        let sum = self.txr[a.lane] + a.len;
        self.txr[a.lane] = sum & CREDIT_MASK;
        self.hit_if(sum > CREDIT_MASK, Cover::f1_txr_wrap);
        self.last_grant = Some(a.r);
        Some(a.r)
    }

    /// Q3: whom the credits of data lanes and of spec are owed to.
    fn follow_owed(&mut self, all: &[Asker], granted: Option<Asker>) {
        for v in 0..=self.classes.data_lanes {
            let of_lane = |a: &&Asker| a.lane == v;
            if let Some(i) = self.classes.owed[v] {
                let asks = all.iter().filter(of_lane).any(|a| a.input == i);
                let served = granted.is_some_and(|g| g.lane == v && g.input == i);
                if served || !asks {
                    self.classes.owed[v] = None;
                    self.hit(if served { Cover::q3_owed_served } else { Cover::q3_owed_gone });
                    let nack = SrpLane::Spec.vl(self.vls) == v
                        && all.iter().any(|a| a.r == i * self.vls + v && a.lane != v);
                    self.hit_if(nack, Cover::q3_owed_became_nack);
                }
                continue;
            }
            let Some(g) = granted.filter(|g| g.class == SrpLane::of(v, self.vls)) else { continue };
            let passed = all.iter().filter(of_lane).filter(|a| self.turn(a) < self.turn(&g));
            let first = passed.filter(|a| !self.has_own_credit(a)).min_by_key(|a| self.turn(a));
            let Some(i) = first.map(|a| a.input) else { continue };
            self.classes.owed[v] = Some(i);
            self.hit(if v == self.classes.data_lanes { Cover::q3_owed_spec } else { Cover::q3_owed });
            self.hit_if(g.lane != v, Cover::q3_owed_by_other_lane);
        }
    }

    fn cover_classes(&mut self, input: &[u32], d: &Decision, all: &[Asker], granted: Option<Asker>) {
        if d.valid == 0 {
            return;
        }
        self.hit_if(d.act && d.end && !d.free, Cover::a2_end_waits_for_link);
        self.hit_if(d.act && !d.end, Cover::a2_busy);
        if !d.free {
            return;
        }
        for a in all {
            let credit = self.has_own_credit(a);
            let ahead = self.fccl[a.lane].wrapping_sub(self.txr[a.lane]) & CREDIT_MASK;
            if !credit {
                self.hit(if ahead <= 2048 { Cover::f1_does_not_fit } else { Cover::f1_half_range_refused });
            }
            let nack = a.r % self.vls != a.lane;
            self.hit_if(nack && !credit, Cover::q3_nack_lacks_credit);
            self.hit_if(credit && self.owes_another(a), Cover::q3_owed_hides);
            self.hit_if(
                nack && all.iter().any(|b| b.lane == a.lane && b.input == a.input && b.r != a.r),
                Cover::q3_nack_beside_reply,
            );
        }
        let Some(g) = granted else { return };
        self.hit(Cover::a1_grant);
        let fits = |a: &&Asker| self.has_own_credit(a) && !self.owes_another(a);
        let order = |class: SrpLane| PRIORITY.iter().position(|c| *c == class);
        let below = all.iter().filter(fits).any(|a| order(a.class) > order(g.class));
        let lacks_above = all.iter().any(|a| order(a.class) < order(g.class));
        let rivals = all.iter().filter(fits).filter(|a| a.class == g.class).count();
        let wraps = g.place < self.classes.ptr[number(g.class)];
        let left = self.fccl[g.lane].wrapping_sub(self.txr[g.lane]).wrapping_sub(g.len) & CREDIT_MASK;
        let short = all.iter().any(|a| a.lane == g.lane && a.r != g.r && a.len < g.len);
        let nack = g.r % self.vls != g.lane;
        self.hit_if(
            below,
            match g.class {
                SrpLane::Reply => Cover::q3_reply_first,
                SrpLane::Res => Cover::q3_res_first,
                _ => Cover::q3_data_first,
            },
        );
        self.hit_if(lacks_above, Cover::q3_above_lacks_credit);
        self.hit_if(g.class == SrpLane::Spec, Cover::q3_spec);
        self.hit_if(nack, Cover::q3_nack);
        self.hit_if(nack && rivals > 1, Cover::q3_nack_among_replies);
        self.hit_if(rivals > 1, Cover::q3_several);
        self.hit_if(wraps, Cover::q3_ring_wraps);
        self.hit_if(left == 0, Cover::f1_last_credit);
        self.hit_if(left == 2048, Cover::f1_half_range_edge);
        self.hit_if(left == 0 && g.len == self.mtu && short, Cover::q3_long_takes_last);
        let plain_cnp = input[self.i.req_cnp + g.r] & 1 != 0;
        self.hit_if(plain_cnp, Cover::q3_cnp_by_lane);
        self.hit_if(d.act && d.end, Cover::a2_grant_at_end);
        self.hit_if(d.valid == 1 && self.last_grant == Some(g.r), Cover::a3_single_requester);
        self.hit_if(d.valid == self.requesters(), Cover::a3_all_ask);
    }
}
