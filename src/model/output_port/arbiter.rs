//! Grant and propagation (rules A1-A3, E3, E5-E7): section 3 of the page.

use super::cover::Cover;
use super::state::{CREDIT_MASK, Decision, Fate, MAX_PASSED, MAX_VLS, OutputPort};
use crate::model::util::put_set;

/// One request as it stands on the pins.
struct Request {
    dlid: u32,
    cnp: bool,
    hot: bool,
    unlinked: bool,
    len: u32,
}

/// How far `r` is from a pointer, round robin over `n`.
fn distance(r: usize, n: usize, pointer: usize) -> usize {
    if r >= pointer { r - pointer } else { r + n - pointer }
}

/// The requester whose rank behind the pointers is lowest.
#[derive(Clone, Copy, Default)]
struct First(Option<(Rank, usize)>);

/// Of two requests the one with the lower rank goes first: youth, then the distance from the VL pointer and the input's place.
type Rank = (usize, usize, usize);

impl First {
    fn see(&mut self, r: usize, rank: Rank) {
        if self.0.is_none_or(|(best, _)| rank < best) {
            self.0 = Some((rank, r));
        }
    }

    fn requester(self) -> Option<usize> {
        self.0.map(|(_, r)| r)
    }
}

impl Decision {
    /// The requester that is granted.
    pub(super) fn grant(&self) -> Option<usize> {
        self.winner.filter(|_| self.fate == Fate::Free)
    }

    /// The winner that a line holds back, and the line.
    pub(super) fn held_winner(&self) -> Option<(usize, usize)> {
        match self.fate {
            Fate::Held(k) => self.winner.map(|r| (r, k)),
            _ => None,
        }
    }

    /// The requester that is told of a congestion tree, and the line.
    pub(super) fn prop(&self) -> Option<(usize, usize)> {
        let r = self.winner.or(self.scanned).filter(|_| self.fate == Fate::Told)?;
        Some((r, self.line?))
    }
}

impl OutputPort {
    /// CL1: the request is of the class that goes first: a CNP, or with a control lane what asks there.
    pub(super) fn goes_first(&self, input: &[u32], r: usize) -> bool {
        match self.control {
            Some(lane) => r % self.vls == lane,
            None => input[self.i.req_cnp + r] & 1 != 0,
        }
    }

    /// A valid request of that class, or not of it.
    fn asks(&self, input: &[u32], r: usize, first: bool) -> bool {
        input[self.i.req_valid + r] & 1 != 0 && self.goes_first(input, r) == first
    }

    fn request(&self, input: &[u32], r: usize) -> Request {
        Request {
            dlid: input[self.i.req_dlid + r] & 0xffff,
            cnp: self.goes_first(input, r),
            hot: input[self.i.req_hot + r] & 1 != 0,
            unlinked: input[self.i.req_unlinked + r] & 1 != 0,
            len: input[self.i.req_len + r] & 0x7f,
        }
    }

    /// E3: the lowest output line whose tree the request belongs to, and the lowest such line that is stopped.
    fn matching_line(&self, v: usize, q: &Request) -> Option<(usize, Option<usize>)> {
        if !self.cfg.iso_en || q.cnp || !self.lines_used {
            return None;
        }
        let mut lines = self.lines.iter().enumerate().filter(|(_, l)| l.concerns(v, q.dlid));
        let (k, first) = lines.next()?;
        Some((k, if first.stop { Some(k) } else { lines.find(|(_, l)| l.stop).map(|(k, _)| k) }))
    }

    /// E3, E6, E7: the input that sends this request must, and can, be told of line `k`. Of one that is closing nobody is told.
    fn to_be_told(&self, input: &[u32], r: usize, q: &Request, k: usize) -> bool {
        !self.lines[k].closing && self.could_be_told(input, r, q, k)
    }

    fn could_be_told(&self, input: &[u32], r: usize, q: &Request, k: usize) -> bool {
        let port = r / self.vls;
        let known = input[self.i.known + port] >> k & 1 != 0;
        let room = input[self.i.room + port] >> k & 1 != 0;
        if q.hot {
            q.unlinked
        } else if known {
            room
        } else {
            input[self.i.can_alloc + port] & 1 != 0
        }
    }

    /// The line that a request matches and what that means to it.
    fn fate(&self, input: &[u32], r: usize, q: &Request) -> (Option<usize>, Fate) {
        match self.matching_line(r % self.vls, q) {
            None => (None, Fate::Free),
            Some((k, _)) if self.to_be_told(input, r, q, k) => (Some(k), Fate::Told),
            Some((k, Some(stopped))) => (Some(k), Fate::Held(stopped)),
            Some((k, None)) => {
                let waits = self.turn_of(input, k).is_some_and(|i| i != r / self.vls);
                (Some(k), if waits { Fate::Held(k) } else { Fate::Free })
            }
        }
    }

    /// Section 3, ONE_QUEUE: the line that holds the request back, whether it is valid or not.
    pub(super) fn held_by(&self, input: &[u32], r: usize) -> Option<usize> {
        match self.fate(input, r, &self.request(input, r)).1 {
            Fate::Held(k) if self.one_queue => Some(k),
            _ => None,
        }
    }

    /// Section 3, ONE_QUEUE: a line holds the request back, whether it is valid or not.
    pub fn is_held(&self, input: &[u32], r: usize) -> bool {
        self.held_by(input, r).is_some()
    }

    /// VLs with a valid data request (ONE_QUEUE: that is not held), as bits.
    fn data_vls(&self, input: &[u32]) -> u64 {
        let data = |r: &usize| self.asks(input, *r, false);
        let asking = (0..self.requesters()).filter(data).filter(|&r| !self.is_held(input, r));
        asking.fold(0, |vls, r| vls | 1 << (r % self.vls))
    }

    /// A2: CNPs of VL `v` wait for its data, which have let enough of them pass.
    fn withholds(&self, v: usize, data_vls: u64) -> bool {
        self.passed[v] == MAX_PASSED && data_vls >> v & 1 != 0
    }

    /// F1: there are credits for the request: data need those for an MTU, CNPs their own (`cnp_plain`: as data).
    fn fits(&self, v: usize, q: &Request, data_vls: u64) -> bool {
        if q.cnp && !self.cfg.cnp_plain {
            self.allows(v, q.len) && !self.withholds(v, data_vls)
        } else {
            self.has_credit(v)
        }
    }

    /// A1: how many inputs go before input `i` on VL `v`: data, those that were served longer ago; CNPs, those that the round
    /// robin meets first.
    pub(super) fn place_on(&self, v: usize, i: usize, cnps: bool) -> usize {
        if cnps {
            return distance(i, self.ports, self.cr[v]);
        }
        self.order[v].place(i)
    }

    /// State of the order of VL `v`.
    pub(super) fn order_state(&self, v: usize, state: &mut [u32]) {
        let words = self.ports.div_ceil(32);
        for (i, before) in self.order[v].before() {
            put_set(&mut state[self.s.st_ahead + (i * self.vls + v) * words..][..words], before);
        }
    }

    /// How far a request is from its turn in its class, 0 data or 1 CNPs: over the VLs, and over the inputs.
    pub(super) fn rank(&self, r: usize, class: usize) -> (usize, usize) {
        let (i, v) = (r / self.vls, r % self.vls);
        (distance(v, self.vls, self.vp[class]), self.place_on(v, i, class == 1))
    }

    /// Grant and propagation of this cycle, from S(t) and I(t).
    pub(super) fn decide(&self, input: &[u32]) -> Decision {
        if self.classes.built {
            return self.decide_class(input);
        }
        let mut d = Decision::default();
        let any = |base: usize| input[base..base + self.ports].iter().any(|x| x & 1 != 0);
        (d.act, d.end) = (any(self.i.xb_act), any(self.i.xb_end));
        let ends = |i: &usize| input[self.i.xb_end + i] & 1 != 0;
        d.free = !d.act || (0..self.ports).filter(ends).any(|i| self.lets(input, i));

        let n = self.requesters();
        if input[self.i.req_valid..][..n].iter().all(|valid| valid & 1 == 0) {
            return d;
        }
        d.data_vls = self.data_vls(input);
        let [mut cnps, mut data, mut urgent, mut scannable] = [First::default(); 4];
        for r in (0..n).filter(|&r| input[self.i.req_valid + r] & 1 != 0) {
            d.valid += 1;
            let v = r % self.vls;
            let q = self.request(input, r);
            let rank = |class: usize, youth: usize| {
                let (vl, port) = self.rank(r, class);
                (youth, vl, port)
            };
            let held = self.is_held(input, r);
            d.held += usize::from(held);
            if !q.cnp && !self.has_credit(v) {
                d.refused |= 1 << v;
            }
            if held || !self.fits(v, &q, d.data_vls) {
            } else if q.cnp && !self.cfg.cnp_plain {
                d.fitting_cnps += 1;
                d.fitting_vls[1] |= 1 << v;
                cnps.see(r, rank(1, 0));
            } else {
                d.fitting_cnps += usize::from(q.cnp);
                d.fitting_data += usize::from(!q.cnp);
                d.fitting_vls[0] |= 1 << v;
                let rank = rank(0, self.youth(input, r));
                data.see(r, rank);
                if self.passed[v] == MAX_PASSED && !self.cfg.cnp_plain {
                    urgent.see(r, rank);
                }
            }
            if !q.cnp && (!q.hot || q.unlinked) {
                scannable.see(r, (0, distance(r, n, self.scan), 0));
            }
        }
        // A2: CNPs before data, but not for ever.
        d.urgent = urgent.requester().is_some();
        d.cnps = d.fitting_cnps > 0 && !d.urgent && !self.cfg.cnp_plain;
        if d.free {
            d.winner = urgent.requester().or(if d.cnps { cnps } else { data }.requester());
        }
        if d.winner.is_none() && self.cfg.iso_en {
            d.scanned = scannable.requester();
        }
        if let Some(r) = d.winner.or(d.scanned) {
            (d.line, d.fate) = self.fate(input, r, &self.request(input, r));
        }
        d
    }

    /// ONE_QUEUE: the request could be served in a later iteration of the match.
    pub(super) fn is_eligible(&self, input: &[u32], d: &Decision, r: usize) -> bool {
        if !d.free || d.prop().is_some() || !self.can_take(input, d, r) {
            return false;
        }
        let q = self.request(input, r);
        (self.cfg.cnp_plain || q.cnp == d.cnps) && self.fate(input, r, &q).1 == Fate::Free
    }

    /// The request is there and fits.
    fn can_take(&self, input: &[u32], d: &Decision, r: usize) -> bool {
        let fits = || self.fits(r % self.vls, &self.request(input, r), d.data_vls);
        input[self.i.req_valid + r] & 1 != 0 && fits() && !self.is_held(input, r)
    }

    /// The request that is served: the grant, or with ONE_QUEUE what the switch takes.
    fn decide_served(&mut self, input: &[u32], d: &Decision) -> Option<usize> {
        if !self.one_queue {
            return d.grant();
        }
        let n = self.requesters();
        let taken = |r: &usize| input[self.i.take + r] & 1 != 0;
        let count = (0..n).filter(taken).count();
        let good = (0..n).filter(taken).filter(|&r| d.free && self.can_take(input, d, r)).count();
        let served = (0..n).filter(taken).find(|&r| d.free && self.can_take(input, d, r));
        self.hit_if(count > good, Cover::a1_take_ignored);
        self.hit_if(good > 1, Cover::a1_take_several);
        self.hit_if(served.is_some() && d.prop().is_some(), Cover::a1_take_despite_prop);
        self.hit_if(d.grant().is_some() && served.is_none(), Cover::a1_grant_not_taken);
        self.hit_if(served.is_some() && served == d.grant(), Cover::a1_grant_taken);
        self.hit_if(d.grant().is_some() && served.is_some() && served != d.grant(), Cover::a1_other_taken);
        self.hit_if(d.free && d.held > 0, Cover::e5_held_one_queue);
        self.hit_if(d.free && d.held > 0 && served.is_some(), Cover::e5_held_passed);
        if d.grant().is_some() && d.valid > 1 {
            let others = (0..n).filter(|&r| Some(r) != d.grant() && self.can_take(input, d, r));
            let granted_cnp = d.grant().is_some_and(|r| self.goes_first(input, r));
            let (mut other_class, mut told, mut eligible, mut mixed) = (false, false, false, false);
            for r in others {
                let q = self.request(input, r);
                let elig = self.is_eligible(input, d, r);
                eligible |= elig;
                mixed |= elig && self.cfg.cnp_plain && q.cnp != granted_cnp;
                other_class |= !self.cfg.cnp_plain && q.cnp != d.cnps;
                told |= self.fate(input, r, &q).1 == Fate::Told;
            }
            self.hit_if(eligible, Cover::a1_elig);
            self.hit_if(mixed, Cover::a2_plain_elig);
            self.hit_if(other_class, Cover::a1_elig_one_class);
            self.hit_if(told, Cover::a1_elig_not_told);
        }
        served
    }

    /// The effects of the decision: pointers, TXR, root test, E7 count. Returns the request that was served.
    pub(super) fn arbitrate(&mut self, input: &[u32], d: &Decision) -> Option<usize> {
        if self.classes.built {
            return self.arbitrate_classes(input, d);
        }
        let served = self.decide_served(input, d);
        let n = self.requesters();
        let mut line = None;
        if let Some(r) = served {
            let q = self.request(input, r);
            let (found, fate) = if d.winner == Some(r) { (d.line, d.fate) } else { self.fate(input, r, &q) };
            let closing = found.is_some_and(|k| self.lines[k].closing);
            line = found.filter(|_| fate != Fate::Told && !closing);
            self.hit_if(!q.hot && closing, Cover::e7_closing_not_counted);
            if !q.hot && line.is_some() {
                self.cnt_e7 = (self.cnt_e7 + 1).min(0xffff);
            }
        }
        self.cover_decision(input, d, served, line);
        if let Some(r) = d.scanned {
            self.scan = (r + 1) % n;
        }
        if let Some(r) = served.filter(|&r| d.grant() == Some(r)) {
            // A1: pointers and order of the winner's class.
            let (i, v) = (r / self.vls, r % self.vls);
            if d.cnps {
                self.cr[v] = (i + 1) % self.ports;
            } else {
                self.order[v].serve(i);
            }
            if !d.urgent {
                self.vp[usize::from(d.cnps)] = (v + 1) % self.vls;
            }
        }
        // A2: how many CNPs each VL's data has let pass.
        if let Some(r) = served {
            if !self.goes_first(input, r) {
                self.passed[r % self.vls] = 0;
                self.end_turns(input, r);
            } else if !self.cfg.cnp_plain {
                for v in (0..self.vls).filter(|v| d.data_vls >> v & 1 != 0) {
                    self.passed[v] = (self.passed[v] + 1).min(MAX_PASSED);
                }
            }
        }
        if self.cfg.cnp_plain {
            let counted = self.passed[..self.vls].iter().any(|p| *p > 0);
            self.hit_if(counted, Cover::a2_plain_passed_cleared);
            self.passed = [0; MAX_VLS];
        }
        if let Some(r) = served {
            self.last_grant = Some(r);
        }
        if self.queue.built {
            // The link tests it, and takes the credits.
            if let Some(r) = served {
                self.promise(r % self.vls, input[self.i.req_len + r] & 0x7f);
            }
            return served;
        }
        let data = served.filter(|r| !self.goes_first(input, *r));
        self.test_root(d, data);
        if let Some(r) = served {
            let txr = &mut self.txr[r % self.vls];
            let sum = *txr + (input[self.i.req_len + r] & 0x7f);
            *txr = sum & CREDIT_MASK;
            self.hit_if(sum > CREDIT_MASK, Cover::f1_txr_wrap);
        }
        served
    }

    /// Section 6: a grant of data ends the turns after a stop of all lines that it matches and of the one that its queue is
    /// bound to.
    fn end_turns(&mut self, input: &[u32], r: usize) {
        if !self.lines_used {
            return;
        }
        let q = self.request(input, r);
        let bound = input[self.i.req_bound + r] & 1 != 0;
        let bound = bound.then_some((input[self.i.req_line + r] & 0xff) as usize);
        let (mut lowest, mut used) = (None, 0);
        for k in 0..self.lines.len() {
            let line = &self.lines[k];
            let matches = self.cfg.iso_en && line.concerns(r % self.vls, q.dlid);
            if matches && lowest.is_none() {
                lowest = Some(k);
            }
            if line.fresh && (matches || bound == Some(k)) {
                used += usize::from(matches);
                self.hit_if(bound == Some(k) && lowest != bound, Cover::a3_turn_used_by_bound);
                self.end_turn(r / self.vls, k);
            }
        }
        self.hit_if(used > 1, Cover::a3_turns_of_two);
    }

    /// D3: a VL whose packets wait for credits is no root of what it sends.
    pub(super) fn test_root(&mut self, d: &Decision, served: Option<usize>) {
        if let Some(v) = served.map(|r| r % self.vls) {
            self.data_starts(v);
        }
        if d.free {
            for v in (0..self.vls).filter(|v| d.refused >> v & 1 != 0) {
                self.hit_if(!self.waited[v], Cover::d3_waited);
                self.waited[v] = true;
            }
        }
    }

    /// D3: data of VL `v` have found their credits.
    pub(super) fn data_starts(&mut self, v: usize) {
        let (waited, was) = (self.waited[v], self.rooted[v]);
        self.hit_if(waited && was, Cover::d3_root_lost);
        self.hit_if(!waited && !was, Cover::d3_root_again);
        self.rooted[v] = !waited;
        self.waited[v] = false;
    }

    /// VLs whose data lack credit, or room.
    fn cover_refused(&mut self, input: &[u32], d: &Decision) {
        for v in (0..self.vls).filter(|v| d.refused >> v & 1 != 0) {
            let shortest = (0..self.ports)
                .map(|i| i * self.vls + v)
                .filter(|r| self.asks(input, *r, false))
                .map(|r| input[self.i.req_len + r] & 0x7f)
                .min();
            if self.queue.built {
                let full = !self.queue.has_room(v, self.mtu);
                self.hit(if full { Cover::cq1_full } else { Cover::cq1_no_link });
                let short = full && shortest.is_some_and(|len| self.queue.has_room(v, len));
                self.hit_if(short, Cover::cq1_long_beside_short);
                continue;
            }
            let ahead = self.fccl[v].wrapping_sub(self.txr[v]) & CREDIT_MASK;
            self.hit(if ahead <= 2048 { Cover::f1_does_not_fit } else { Cover::f1_half_range_refused });
            let short = shortest.is_some_and(|len| len <= ahead);
            self.hit_if(ahead <= 2048 && short, Cover::f1_short_waits_for_mtu);
        }
    }

    fn cover_decision(&mut self, input: &[u32], d: &Decision, served: Option<usize>, line: Option<usize>) {
        if d.valid == 0 {
            return;
        }
        let n = self.requesters();
        let (act, end) = (d.act, d.end);
        self.hit_if(act && end && !d.free, Cover::a2_end_waits_for_link);
        self.hit_if(act && !end, Cover::a2_busy);

        self.cover_refused(input, d);
        if let Some(r) = d.winner {
            if let Fate::Held(k) = d.fate {
                let q = self.request(input, r);
                self.hit(if q.hot { Cover::e5_held_hot } else { Cover::e5_winner_held });
                self.hit_if(d.line != Some(k), Cover::e5_held_by_other_line);
                self.hit_if(d.urgent, Cover::e5_held_after_32_cnps);
                self.hit_if(!self.lines[k].stop, Cover::a3_held_by_fresh);
            } else {
                self.hit_if(d.urgent, Cover::a3_cnp_passed_32);
            }
        }
        for r in 0..n {
            if !d.free || !self.asks(input, r, true) {
                continue;
            }
            let (v, len) = (r % self.vls, input[self.i.req_len + r] & 0x7f);
            if self.cfg.cnp_plain {
                self.hit_if(self.allows(v, len) && !self.has_credit(v), Cover::a2_plain_lacks_mtu);
                continue;
            }
            let withheld = self.withholds(v, d.data_vls) && self.allows(v, len);
            self.hit_if(withheld, Cover::a3_cnp_withheld);
            self.hit_if(withheld && !self.has_credit(v), Cover::a3_cnp_withheld_for_credit);
        }
        for k in 0..self.lines.len() {
            if let Some(turn) = self.turn_of(input, k).filter(|_| self.lines[k].shown()) {
                let waits = (0..self.ports).any(|i| i != turn && input[self.i.pend + i] >> k & 1 != 0);
                self.hit_if(waits, Cover::a3_ol_wait);
            }
        }

        if let Some(r) = served {
            let q = self.request(input, r);
            self.hit(Cover::a1_grant);
            let (i, v) = (r / self.vls, r % self.vls);
            if !self.queue.built {
                let left = self.fccl[v].wrapping_sub(self.txr[v]).wrapping_sub(self.mtu) & CREDIT_MASK;
                self.hit_if(left == 0, Cover::f1_last_credit);
                self.hit_if(left == 2048, Cover::f1_half_range_edge);
            }
            let plain = self.cfg.cnp_plain;
            let class = usize::from(q.cnp && !plain);
            self.hit_if(class == 1 && i < self.cr[v], Cover::a1_rr_wraps);
            let asks_below = (0..i).any(|x| self.asks(input, x * self.vls + v, false));
            self.hit_if(class == 0 && asks_below, Cover::a1_longest_ago);
            self.hit_if(v < self.vp[class], Cover::a1_vl_wraps);
            self.hit_if(d.fitting_vls[class].count_ones() > 1, Cover::a1_several_vls);
            self.hit_if(plain && q.cnp && d.fitting_data > 0, Cover::a2_plain_cnp_over_data);
            self.hit_if(plain && !q.cnp && d.fitting_cnps > 0, Cover::a2_plain_data_over_cnp);
            self.hit_if(act && end, Cover::a2_grant_at_end);
            self.hit_if(d.valid == 1 && self.last_grant == Some(r), Cover::a3_single_requester);
            self.hit_if(d.valid == n, Cover::a3_all_ask);
            self.cover_ages(input, d, r);
            if self.control.is_some() {
                let header = input[self.i.req_cnp + r] & 1 != 0;
                self.hit_if(q.cnp && !header, Cover::cl1_by_lane);
                self.hit_if(!q.cnp && header, Cover::cl1_cnp_as_data);
                self.hit_if(!plain && q.cnp && d.fitting_data > 0, Cover::cl1_over_data);
                self.hit_if(!plain && q.cnp && d.refused != 0, Cover::cl1_data_lack_credit);
                self.hit_if(d.urgent, Cover::cl1_data_after_32);
                self.hit_if(plain && q.cnp && d.fitting_data > 0, Cover::cl1_plain);
            }
            if q.cnp {
                self.hit_if(!self.has_credit(v), Cover::a2_cnp_own_credit);
                self.hit_if(!plain && d.fitting_data > 0, Cover::a2_cnp_over_data);
                self.hit_if(!plain && d.fitting_cnps > 1, Cover::a2_several_cnps);
                let in_tree = self.lines.iter().any(|l| self.cfg.iso_en && l.concerns(v, q.dlid));
                self.hit_if(in_tree, Cover::e3_cnp_never_matches);
            } else if !plain {
                let cnp_waits = d.fitting_cnps == 0
                    && (0..n).any(|x| {
                        self.asks(input, x, true)
                            && x % self.vls != v
                            && !self.allows(x % self.vls, input[self.i.req_len + x] & 0x7f)
                    });
                self.hit_if(cnp_waits, Cover::a2_data_while_cnp_lacks_credit);
            }
            if let Some(k) = line {
                let known = input[self.i.known + i] >> k & 1 != 0;
                self.hit(match (q.hot, known) {
                    (true, false) => Cover::e6_drain_served_while_matched,
                    (true, true) => Cover::e6_hot_linked_granted,
                    (false, true) => Cover::e7_dlist_full,
                    (false, false) => Cover::e7_no_line,
                });
            }
        }
        if let (Some(r), Some(k)) = (d.winner.or(d.scanned), d.line) {
            let told = self.could_be_told(input, r, &self.request(input, r), k);
            self.hit_if(told && self.lines[k].closing, Cover::e3_closing_not_told);
        }
        if let Some((r, k)) = d.prop() {
            let q = self.request(input, r);
            let known = input[self.i.known + r / self.vls] >> k & 1 != 0;
            self.hit(if d.winner.is_some() { Cover::e3_prop_winner } else { Cover::e3_prop_scan });
            self.hit(match (q.hot, known) {
                (true, _) => Cover::e6_prop_relinks_hot,
                (false, true) => Cover::e3_prop_known_line,
                (false, false) => Cover::e3_prop_new_line,
            });
            let twice = self.lines[k + 1..].iter().any(|l| l.concerns(r % self.vls, q.dlid));
            self.hit_if(twice, Cover::e3_lowest_line);
            self.hit_if(self.lines[k].hops == 63, Cover::e3_hops_at_limit);
        }
        if let Some(r) = d.scanned {
            self.hit_if(r < self.scan, Cover::e3_scan_wraps);
            self.hit_if(d.free, Cover::e3_scan_without_credit);
            self.hit_if(d.line.is_none(), Cover::e3_scan_no_match);
            self.hit_if(d.line.is_some() && d.fate != Fate::Told, Cover::e3_scan_not_told);
        }
        if self.cfg.iso_en
            && d.line.is_none()
            && let Some(r) = d.winner.or(d.scanned)
        {
            let q = self.request(input, r);
            let other = self.lines.iter().any(|l| l.valid && !q.cnp && l.holds(q.dlid));
            let away = other
                && self.lines.iter().any(|l| l.valid && l.vl as usize == r % self.vls && l.holds(q.dlid));
            self.hit_if(other && !away, Cover::e3_other_vl_no_match);
            self.hit_if(away, Cover::e6_hold_no_match);
        }
    }
}
