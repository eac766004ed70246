//! A connection is opened (YA4).

use super::cover::Cover;
use super::state::{BAD_POST, NO_CONN, SUM_C, WormAdapter};
use super::table::{Connection, Phase};
use super::turn::{OPEN, Open};
use super::written::WHOLE;
use crate::model::worm::classes::{Class, members};

// Reasons (section 2).
const WHY_NO_CONN: u32 = 1;
const WHY_BAD: u32 = 2;
const WHY_NO_BANDWIDTH: u32 = 3;
const WHY_SUM_C: u32 = 4;

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

    /// The real-time lane on which least is booked, the lowest of them.
    fn least_booked(&self) -> usize {
        let lanes = members(self.classes().lanes(Class::RealTime));
        lanes.min_by_key(|&v| self.sums.book[v]).unwrap_or(0)
    }

    /// Why it is refused, the first that holds.
    fn refuse_open(&self, open: &Open, credits: u32) -> u32 {
        let w = &self.written;
        if self.connection(open.conn).is_none_or(|c| c.phase != Phase::Idle) {
            return WHY_NO_CONN;
        }
        if w.admit_en && !(1..=WHOLE).contains(&open.bw) {
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
    pub(super) fn open(&mut self, open: &Open, error: &mut u32) -> u32 {
        let credits = self.credits_of(open.bw);
        let why = self.refuse_open(open, credits);
        *error |= match why {
            WHY_NO_CONN => NO_CONN,
            WHY_BAD => BAD_POST,
            WHY_SUM_C => SUM_C,
            _ => 0,
        };
        self.meet_open(open, credits, why);
        if why != 0 {
            return why;
        }
        let admit = self.written.admit_en;
        let lane = self.least_booked();
        self.meet_lane(lane);
        let conn = open.conn as usize;
        let c = Connection {
            phase: if admit { Phase::Probe } else { Phase::Open },
            bw: if admit { open.bw } else { 0 },
            dlid: open.dlid,
            lane,
            credits,
            avail: credits,
            node: 0,
        };
        self.sums.add(&c);
        self.table[conn] = c;
        self.told.touched = Some(conn);
        if admit {
            self.own.push_back(conn);
        } else {
            self.told.event = Some((OPEN, open.conn));
        }
        0
    }

    /// Cover points of an open.
    fn meet_open(&mut self, open: &Open, credits: u32, why: u32) {
        let w = &self.written;
        let (admit, credit) = (w.admit_en, w.credit_en);
        let (used, sum) = (self.sums.used + open.bw, self.sums.credits + credits + w.c_b);
        let beyond = self.connection(open.conn).is_none();
        let small = credit && u64::from(open.bw) * u64::from(w.most()) < u64::from(WHOLE);
        let points = [
            (Cover::ya4_opens, why == 0 && admit),
            (Cover::ya4_opens_at_once, why == 0 && !admit),
            (Cover::ya4_no_conn, why == WHY_NO_CONN && beyond),
            (Cover::ya4_busy, why == WHY_NO_CONN && !beyond),
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
        let least = self.sums.book[lane];
        let alike = members(lanes).filter(|&v| self.sums.book[v] == least).count();
        self.hit_if(lanes == 0, Cover::ya4_no_lane);
        self.hit_if(lanes & ((1 << lane) - 1) != 0, Cover::ya4_higher_lane);
        self.hit_if(alike > 1, Cover::ya4_lanes_alike);
    }
}
