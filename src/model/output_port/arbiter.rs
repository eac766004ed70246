//! Grant and propagation (rules A1-A3, E3, E6, E7): section 3 of the page.

use super::{CREDIT_MASK, Cover, OutputPort};
use crate::model::util::round_robin;

/// Words of a set of requesters (at most 64 inputs of 8 VLs).
const WORDS: usize = 16;

/// A set of requesters.
#[derive(Clone, Copy, Default)]
struct Set([u32; WORDS]);

impl Set {
    fn insert(&mut self, r: usize) {
        self.0[r / 32] |= 1 << (r % 32);
    }

    fn contains(&self, r: usize) -> bool {
        self.0[r / 32] >> (r % 32) & 1 != 0
    }

    fn next_from(&self, n: usize, pointer: usize) -> Option<usize> {
        round_robin(n.div_ceil(32), pointer, |w| self.0[w])
    }
}

/// One request as it stands on the pins.
struct Request {
    len: u32,
    dlid: u32,
    cnp: bool,
    hot: bool,
    unlinked: bool,
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
    fitting_cnps: Set,
    fitting_data: Set,
    scannable: Set,
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
        let pins = |base: usize| &input[base..base + n];
        let (valid, len, cnp) = (pins(self.i.req_valid), pins(self.i.req_len), pins(self.i.req_cnp));
        let (hot, unlinked) = (pins(self.i.req_hot), pins(self.i.req_unlinked));
        let mut cnp_fits = false;
        for r in (0..n).filter(|&r| valid[r] & 1 != 0) {
            d.valid += 1;
            let cnp = cnp[r] & 1 != 0;
            if !self.fits(r % self.vls, len[r] & 0x7f) {
                d.refused = true;
            } else if cnp {
                cnp_fits = true;
                d.fitting_cnps.insert(r);
            } else {
                d.fitting_data.insert(r);
            }
            if !cnp && (hot[r] & 1 == 0 || unlinked[r] & 1 != 0) {
                d.scannable.insert(r);
            }
        }
        if d.valid == 0 {
            return d;
        }
        if d.free {
            // A2: CNPs before data.
            let candidates = if cnp_fits { &d.fitting_cnps } else { &d.fitting_data };
            d.winner = candidates.next_from(n, self.rr);
        }
        if d.winner.is_none() && self.cfg.iso_en {
            d.scanned = d.scannable.next_from(n, self.scan);
        }
        if let Some(r) = d.winner.or(d.scanned) {
            let q = self.request(input, r);
            d.line = self.matching_line(r % self.vls, &q);
            d.told = d.line.is_some_and(|k| self.to_be_told(input, r, &q, k));
        }
        d
    }

    /// The effects of the decision: pointers, TXR, E7 count.
    pub(super) fn arbitrate(&mut self, input: &[u32], d: &Decision) {
        self.cover_decision(input, d);
        let n = self.requesters();
        if let Some(r) = d.scanned {
            self.scan = (r + 1) % n;
        }
        if let Some(r) = d.grant() {
            let q = self.request(input, r);
            let txr = &mut self.txr[r % self.vls];
            let sum = *txr + q.len;
            *txr = sum & CREDIT_MASK;
            self.hit_if(sum > CREDIT_MASK, Cover::f1_txr_wrap);
            self.rr = (r + 1) % n;
            if !q.hot && d.line.is_some() {
                self.cnt_e7 = (self.cnt_e7 + 1).min(0xffff);
            }
            self.last_grant = Some(r);
        }
    }

    fn cover_decision(&mut self, input: &[u32], d: &Decision) {
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

        if let Some(r) = d.grant() {
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
                self.hit_if(d.fitting_data.contains(self.rr), Cover::a2_cnp_over_data);
                self.hit_if(
                    d.fitting_cnps.0.iter().map(|w| w.count_ones()).sum::<u32>() > 1,
                    Cover::a2_several_cnps,
                );
                let in_tree = self
                    .lines
                    .iter()
                    .any(|l| self.cfg.iso_en && l.valid && l.vl as usize == r % self.vls && l.holds(q.dlid));
                self.hit_if(in_tree, Cover::e3_cnp_never_matches);
            } else {
                let cnp_waits = (0..n)
                    .any(|x| input[self.i.req_valid + x] & 1 != 0 && input[self.i.req_cnp + x] & 1 != 0);
                self.hit_if(cnp_waits, Cover::a2_data_while_cnp_lacks_credit);
            }
            if let Some(k) = d.line {
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
