//! Grant and propagation (rules A1-A3, E3, E6, E7): section 3 of the page.

use super::{CREDIT_MASK, Cover, OutputPort};

/// One request as it stands on the pins.
struct Request {
    len: u32,
    dlid: u32,
    cnp: bool,
    hot: bool,
    unlinked: bool,
}

/// The first requester at or after a pointer, round robin over `n`.
#[derive(Clone, Copy, Default)]
struct First(Option<(usize, usize)>);

impl First {
    fn see(&mut self, r: usize, n: usize, pointer: usize) {
        let distance = if r >= pointer { r - pointer } else { r + n - pointer };
        if self.0.is_none_or(|(d, _)| distance < d) {
            self.0 = Some((distance, r));
        }
    }

    fn requester(self) -> Option<usize> {
        self.0.map(|(_, r)| r)
    }
}

/// What the arbiter decides in a cycle.
#[derive(Default)]
pub(super) struct Decision {
    act: bool,
    end: bool,
    free: bool,
    /// How many requests there are, and whether one lacks credits.
    valid: usize,
    refused: bool,
    /// CNPs that fit, and whether data that fits stands at the pointer.
    fitting_cnps: usize,
    data_at_pointer: bool,
    /// The winner, or without one the request that the scan found.
    winner: Option<usize>,
    scanned: Option<usize>,
    /// The output line that the winner or the scanned request matches.
    line: Option<usize>,
    told: bool,
}

impl Decision {
    /// The requester that is granted.
    pub(super) fn grant(&self) -> Option<usize> {
        self.winner.filter(|_| !self.told)
    }

    /// The requester that is told of a congestion tree, and the line.
    pub(super) fn prop(&self) -> Option<(usize, usize)> {
        let r = self.winner.or(self.scanned).filter(|_| self.told)?;
        Some((r, self.line?))
    }
}

impl OutputPort {
    fn request(&self, input: &[u32], r: usize) -> Request {
        Request {
            len: input[self.i.req_len + r] & 0x7f,
            dlid: input[self.i.req_dlid + r] & 0xffff,
            cnp: input[self.i.req_cnp + r] & 1 != 0,
            hot: input[self.i.req_hot + r] & 1 != 0,
            unlinked: input[self.i.req_unlinked + r] & 1 != 0,
        }
    }

    /// E3: the lowest output line whose tree the request belongs to.
    fn matching_line(&self, v: usize, q: &Request) -> Option<usize> {
        if !self.cfg.iso_en || q.cnp {
            return None;
        }
        self.lines.iter().position(|l| l.valid && l.vl as usize == v && l.holds(q.dlid))
    }

    /// E3, E6, E7: the input that sends this request must, and can, be told of line `k`.
    fn to_be_told(&self, input: &[u32], r: usize, q: &Request, k: usize) -> bool {
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

    /// Grant and propagation of this cycle, from S(t) and I(t).
    pub(super) fn decide(&self, input: &[u32]) -> Decision {
        let mut d = Decision::default();
        let any = |base: usize| input[base..base + self.ports].iter().any(|x| x & 1 != 0);
        (d.act, d.end) = (any(self.i.xb_act), any(self.i.xb_end));
        d.free = !d.act || (d.end && self.phase == 0);

        let n = self.requesters();
        let (mut cnps, mut data, mut scannable) = (First::default(), First::default(), First::default());
        for r in (0..n).filter(|&r| input[self.i.req_valid + r] & 1 != 0) {
            d.valid += 1;
            let q = self.request(input, r);
            if !self.fits(r % self.vls, q.len) {
                d.refused = true;
            } else if q.cnp {
                d.fitting_cnps += 1;
                cnps.see(r, n, self.rr);
            } else {
                d.data_at_pointer |= r == self.rr;
                data.see(r, n, self.rr);
            }
            if !q.cnp && (!q.hot || q.unlinked) {
                scannable.see(r, n, self.scan);
            }
        }
        if d.valid == 0 {
            return d;
        }
        if d.free {
            // A2: CNPs before data.
            d.winner = cnps.requester().or(data.requester());
        }
        if d.winner.is_none() && self.cfg.iso_en {
            d.scanned = scannable.requester();
        }
        if let Some(r) = d.winner.or(d.scanned) {
            let q = self.request(input, r);
            d.line = self.matching_line(r % self.vls, &q);
            d.told = d.line.is_some_and(|k| self.to_be_told(input, r, &q, k));
        }
        d
    }

    /// ONE_QUEUE: the request could be served in a later iteration of the match.
    pub(super) fn is_eligible(&self, input: &[u32], d: &Decision, r: usize) -> bool {
        if !d.free || d.prop().is_some() || !self.can_take(input, r) {
            return false;
        }
        let q = self.request(input, r);
        (q.cnp || d.fitting_cnps == 0) && !self.in_tree_to_tell(input, r, &q)
    }

    /// The request is there and fits.
    fn can_take(&self, input: &[u32], r: usize) -> bool {
        input[self.i.req_valid + r] & 1 != 0 && self.fits(r % self.vls, input[self.i.req_len + r] & 0x7f)
    }

    fn in_tree_to_tell(&self, input: &[u32], r: usize, q: &Request) -> bool {
        self.matching_line(r % self.vls, q).is_some_and(|k| self.to_be_told(input, r, q, k))
    }

    /// The request that is served: the grant, or with ONE_QUEUE what the switch takes.
    fn decide_served(&mut self, input: &[u32], d: &Decision) -> Option<usize> {
        if !self.one_queue {
            return d.grant();
        }
        let n = self.requesters();
        let taken = |r: &usize| input[self.i.take + r] & 1 != 0;
        let count = (0..n).filter(taken).count();
        let good = (0..n).filter(taken).filter(|&r| d.free && self.can_take(input, r)).count();
        let served = (0..n).filter(taken).find(|&r| d.free && self.can_take(input, r));
        self.hit_if(count > good, Cover::a1_take_ignored);
        self.hit_if(good > 1, Cover::a1_take_several);
        self.hit_if(served.is_some() && d.prop().is_some(), Cover::a1_take_despite_prop);
        self.hit_if(d.grant().is_some() && served.is_none(), Cover::a1_grant_not_taken);
        self.hit_if(served.is_some() && served == d.grant(), Cover::a1_grant_taken);
        self.hit_if(d.grant().is_some() && served.is_some() && served != d.grant(), Cover::a1_other_taken);
        if d.grant().is_some() && d.valid > 1 {
            let others = (0..n).filter(|&r| Some(r) != d.grant() && self.can_take(input, r));
            let (mut cnps_only, mut told, mut eligible) = (false, false, false);
            for r in others {
                let q = self.request(input, r);
                eligible |= self.is_eligible(input, d, r);
                cnps_only |= !q.cnp && d.fitting_cnps > 0;
                told |= self.in_tree_to_tell(input, r, &q);
            }
            self.hit_if(eligible, Cover::a1_elig);
            self.hit_if(cnps_only, Cover::a1_elig_cnps_only);
            self.hit_if(told, Cover::a1_elig_not_told);
        }
        served
    }

    /// The effects of the decision: pointers, TXR, E7 count. Returns the request that was served.
    pub(super) fn arbitrate(&mut self, input: &[u32], d: &Decision) -> Option<usize> {
        let served = self.decide_served(input, d);
        let n = self.requesters();
        let mut line = None;
        if let Some(r) = served {
            let q = self.request(input, r);
            line = if d.winner == Some(r) { d.line } else { self.matching_line(r % self.vls, &q) };
            if !q.hot && line.is_some_and(|k| !self.to_be_told(input, r, &q, k)) {
                self.cnt_e7 = (self.cnt_e7 + 1).min(0xffff);
            }
        }
        self.cover_decision(input, d, served, line);
        if let Some(r) = d.scanned {
            self.scan = (r + 1) % n;
        }
        if let Some(r) = served {
            let txr = &mut self.txr[r % self.vls];
            let sum = *txr + (input[self.i.req_len + r] & 0x7f);
            *txr = sum & CREDIT_MASK;
            self.hit_if(sum > CREDIT_MASK, Cover::f1_txr_wrap);
            if d.grant() == Some(r) {
                self.rr = (r + 1) % n;
            }
            self.last_grant = Some(r);
        }
        served
    }

    fn cover_decision(&mut self, input: &[u32], d: &Decision, served: Option<usize>, line: Option<usize>) {
        if d.valid == 0 {
            return;
        }
        let n = self.requesters();
        let (act, end) = (d.act, d.end);
        self.hit_if(act && end && !d.free, Cover::a2_end_waits_for_link);
        self.hit_if(act && !end, Cover::a2_busy);

        if d.refused {
            let valid = &input[self.i.req_valid..][..n];
            for r in (0..n).filter(|&r| valid[r] & 1 != 0) {
                let v = r % self.vls;
                let ahead = self.fccl[v].wrapping_sub(self.txr[v]) & CREDIT_MASK;
                let refused = !self.fits(v, input[self.i.req_len + r] & 0x7f);
                self.hit_if(refused && ahead <= 2048, Cover::f1_does_not_fit);
                self.hit_if(refused && ahead > 2048, Cover::f1_half_range_refused);
            }
        }

        if let Some(r) = served {
            let q = self.request(input, r);
            self.hit(Cover::a1_grant);
            let v = r % self.vls;
            let left = self.fccl[v].wrapping_sub(self.txr[v]).wrapping_sub(q.len) & CREDIT_MASK;
            self.hit_if(left == 0, Cover::f1_last_credit);
            self.hit_if(left == 2048, Cover::f1_half_range_edge);
            self.hit_if(r < self.rr, Cover::a1_rr_wraps);
            self.hit_if(act && end, Cover::a2_grant_at_end);
            self.hit_if(d.valid == 1 && self.last_grant == Some(r), Cover::a3_single_requester);
            self.hit_if(d.valid == n, Cover::a3_all_ask);
            if q.cnp {
                self.hit_if(d.data_at_pointer, Cover::a2_cnp_over_data);
                self.hit_if(d.fitting_cnps > 1, Cover::a2_several_cnps);
                let in_tree = self
                    .lines
                    .iter()
                    .any(|l| self.cfg.iso_en && l.valid && l.vl as usize == r % self.vls && l.holds(q.dlid));
                self.hit_if(in_tree, Cover::e3_cnp_never_matches);
            } else {
                let cnp_waits = d.fitting_cnps == 0
                    && (0..n)
                        .any(|x| input[self.i.req_valid + x] & 1 != 0 && input[self.i.req_cnp + x] & 1 != 0);
                self.hit_if(cnp_waits, Cover::a2_data_while_cnp_lacks_credit);
            }
            if let Some(k) = line.filter(|&k| !self.to_be_told(input, r, &q, k)) {
                let known = input[self.i.known + r / self.vls] >> k & 1 != 0;
                self.hit(match (q.hot, known) {
                    (true, _) => Cover::e6_hot_linked_granted,
                    (false, true) => Cover::e7_dlist_full,
                    (false, false) => Cover::e7_no_line,
                });
            }
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
            let also = self.lines[k + 1..].iter();
            let twice = also.clone().any(|l| l.valid && l.vl == self.lines[k].vl && l.holds(q.dlid));
            self.hit_if(twice, Cover::e3_lowest_line);
            self.hit_if(self.lines[k].hops == 63, Cover::e3_hops_at_limit);
        }
        if let Some(r) = d.scanned {
            self.hit_if(r < self.scan, Cover::e3_scan_wraps);
            self.hit_if(d.free, Cover::e3_scan_without_credit);
            self.hit_if(d.line.is_none(), Cover::e3_scan_no_match);
            self.hit_if(d.line.is_some() && !d.told, Cover::e3_scan_not_told);
        }
        if self.cfg.iso_en
            && d.line.is_none()
            && let Some(r) = d.winner.or(d.scanned)
        {
            let q = self.request(input, r);
            let other = self.lines.iter().any(|l| l.valid && !q.cnp && l.holds(q.dlid));
            self.hit_if(other, Cover::e3_other_vl_no_match);
        }
    }
}
