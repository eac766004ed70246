//! A connection is opened (YA4).

use super::cover::Cover;
use super::refusal::{WHY_BAD, WHY_NO_BANDWIDTH, WHY_NO_CONN, WHY_SUM_C, error_of};
use super::state::{ADM_LOST, WormAdapter};
use super::table::{Connection, LANES, Phase};
use super::turn::{OPEN, REJECTED};
use super::written::WHOLE;
use crate::model::worm::classes::{Class, members};
use crate::model::worm::wires::Opening;

/// Most credits that a connection is given.
const CREDITS_MOST: u64 = 0xffff;

impl WormAdapter {
    /// C of a connection with this bandwidth.
    fn credits_of(&self, bw: u32) -> u32 {
        if !self.written.credit_en {
            return 0;
        }
        let share = u64::from(bw) * u64::from(self.written.most()) / u64::from(WHOLE);
        share.clamp(1, CREDITS_MOST) as u32
    }

    /// How full a lane is: what is booked on it, or without admission its connections.
    fn load(&self, v: usize) -> u32 {
        if self.written.admit_en { self.sums.book[v] } else { self.sums.conns[v] }
    }

    /// The real-time lane with the smallest load; of several the first one from `st_lane` on, going round.
    fn least_loaded(&self) -> usize {
        let from = self.sums.lane;
        let lanes = members(self.classes().lanes(Class::RealTime));
        lanes.min_by_key(|&v| (self.load(v), (v + LANES - from) % LANES)).unwrap_or(0)
    }

    /// A probe or its answer may be lost: the host gives its connection up.
    fn gives_up(&self, open: &Opening) -> bool {
        let probing = self.connection(open.conn).is_some_and(|c| c.phase == Phase::Probing);
        let lost = self.written.lost || self.errors & ADM_LOST != 0;
        self.written.admit_en && open.bw == 0 && probing && lost
    }

    /// Why it is refused, the first that holds.
    fn refuse_open(&self, open: &Opening, credits: u32) -> u32 {
        let w = &self.written;
        if self.connection(open.conn).is_none_or(|c| c.phase != Phase::Idle) {
            return WHY_NO_CONN;
        }
        let no_lane = self.classes().lanes(Class::RealTime) == 0;
        if w.admit_en && (no_lane || !(1..=WHOLE).contains(&open.bw)) {
            return WHY_BAD;
        }
        if w.admit_en && self.sums.used + open.bw > w.bandwidth() {
            return WHY_NO_BANDWIDTH;
        }
        if w.credit_en && self.sums.credits + credits + w.c_b > w.most() {
            return WHY_SUM_C;
        }
        0
    }

    /// An open has its turn. Returns why it was refused, or 0.
    pub(super) fn open(&mut self, open: &Opening, error: &mut u32) -> u32 {
        let conn = open.conn as usize;
        if self.gives_up(open) {
            let c = &mut self.table[conn];
            self.sums.take_off(c);
            self.sums.end(c);
            self.told.touched = Some(conn);
            self.told.event = Some((REJECTED, open.conn));
            let told = self.errors & ADM_LOST != 0;
            self.hit_if(told, Cover::ya4_gives_up);
            self.hit_if(!told, Cover::ya4_gives_up_lost);
            return 0;
        }
        let credits = self.credits_of(open.bw);
        let why = self.refuse_open(open, credits);
        *error |= error_of(why);
        self.meet_open(open, credits, why);
        if why != 0 {
            return why;
        }
        let admit = self.written.admit_en;
        let lane = self.least_loaded();
        self.meet_lane(lane);
        let c = Connection {
            phase: if admit { Phase::Probe } else { Phase::Open },
            bw: if admit { open.bw } else { 0 },
            dlid: open.dlid,
            lane,
            credits,
            avail: credits,
            node: 0,
            seq: self.sums.seq,
        };
        self.sums.add(&c);
        self.table[conn] = c;
        self.told.touched = Some(conn);
        if admit {
            self.turns.gap = self.written.probe_gap;
            self.own.push_back(conn);
        } else {
            self.told.event = Some((OPEN, open.conn));
        }
        0
    }

    /// Cover points of an open.
    fn meet_open(&mut self, open: &Opening, credits: u32, why: u32) {
        let w = &self.written;
        let (admit, credit) = (w.admit_en, w.credit_en);
        let (used, sum) = (self.sums.used + open.bw, self.sums.credits + credits + w.c_b);
        let beyond = self.connection(open.conn).is_none();
        let probing = self.connection(open.conn).is_some_and(|c| c.phase == Phase::Probing);
        let small = credit && u64::from(open.bw) * u64::from(w.most()) < u64::from(WHOLE);
        let points = [
            (Cover::ya4_opens, why == 0 && admit),
            (Cover::ya4_opens_at_once, why == 0 && !admit),
            (Cover::ya4_no_conn, why == WHY_NO_CONN && beyond),
            (Cover::ya4_busy, why == WHY_NO_CONN && !beyond),
            (Cover::ya4_gives_up_not, why == WHY_NO_CONN && admit && open.bw == 0 && probing),
            (Cover::ya4_no_lane_bad, why == WHY_BAD && (1..=WHOLE).contains(&open.bw)),
            (Cover::ya4_bw_0, why == WHY_BAD && open.bw == 0),
            (Cover::ya4_bw_beyond, why == WHY_BAD && open.bw > WHOLE),
            (Cover::ya4_bw_unlooked, why == 0 && !admit && !(1..=WHOLE).contains(&open.bw)),
            (Cover::ya4_no_bandwidth, why == WHY_NO_BANDWIDTH && w.limit <= WHOLE),
            (Cover::ya4_limit_beyond, why == WHY_NO_BANDWIDTH && w.limit > WHOLE),
            (Cover::ya4_all_bandwidth, why == 0 && admit && used == w.bandwidth()),
            (Cover::ya4_sum_c, why == WHY_SUM_C),
            (Cover::ya4_sum_full, why == 0 && credit && sum == w.most()),
            (Cover::ya4_one_credit, why == 0 && small),
            (Cover::ya4_credits, why == 0 && credits > 1),
        ];
        for (point, met) in points {
            self.hit_if(met, point);
        }
    }

    /// Those of its lane.
    fn meet_lane(&mut self, lane: usize) {
        let lanes = self.classes().lanes(Class::RealTime);
        let least = self.load(lane);
        let alike = members(lanes).filter(|&v| self.load(v) == least).count();
        let unlike = members(lanes).any(|v| self.load(v) > least);
        let (admit, from) = (self.written.admit_en, self.sums.lane);
        self.hit_if(lanes == 0, Cover::ya4_no_lane);
        self.hit_if(unlike && admit, Cover::ya4_least_booked);
        self.hit_if(unlike && !admit, Cover::ya4_fewest);
        self.hit_if(alike > 1, Cover::ya4_lanes_alike);
        self.hit_if(alike > 1 && lane >= from && from > 0, Cover::ya4_lane_ahead);
        self.hit_if(alike > 1 && lane < from, Cover::ya4_lane_round);
    }
}
