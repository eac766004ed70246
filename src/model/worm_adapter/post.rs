//! The host posts a message (YC1).

use super::cover::Cover;
use super::message::{Message, Sort};
use super::refusal::{WHY_BAD, WHY_FULL, WHY_NO_CONN, WHY_NO_CREDIT, error_of};
use super::state::{COUNT_MOST, WormAdapter};
use super::table::Phase;
use crate::model::worm::classes::Class;
use crate::model::worm::wires::Posting;

impl WormAdapter {
    /// Why it is refused, the first that holds; else its class.
    fn sort_post(&self, post: &Posting) -> Result<Sort, u32> {
        let sort = Sort::of_class(post.class).ok_or(WHY_BAD)?;
        let lanes = self.classes().lanes(Class::BestEffort);
        if sort == Sort::BestEffort && lanes == 0 || post.len == 0 || post.len > self.p.lane {
            return Err(WHY_BAD);
        }
        let avail = match sort {
            Sort::RealTime => match self.connection(post.conn) {
                Some(c) if c.phase == Phase::Open => c.avail,
                _ => return Err(WHY_NO_CONN),
            },
            Sort::BestEffort => self.avail_b(),
            _ if self.mover.control.len() >= self.p.ctlq => return Err(WHY_FULL),
            _ => return Ok(sort),
        };
        if self.posted.all >= self.written.most() {
            return Err(WHY_FULL);
        }
        if self.written.credit_en && avail == 0 {
            return Err(WHY_NO_CREDIT);
        }
        Ok(sort)
    }

    /// A post has its turn. Returns why it was refused, or 0.
    pub(super) fn post(&mut self, post: &Posting, error: &mut u32) -> u32 {
        let sorted = self.sort_post(post);
        self.meet_post(post, sorted);
        let sort = match sorted {
            Ok(sort) => sort,
            Err(why) => {
                *error |= error_of(why);
                self.counts.refused = (self.counts.refused + 1).min(COUNT_MOST);
                return why;
            }
        };
        let real_time = sort == Sort::RealTime;
        let message = Message {
            sort,
            conn: if real_time { post.conn as usize } else { 0 },
            dlid: post.dlid,
            len: post.len,
            last: post.last && real_time,
            tag: post.tag,
        };
        match sort {
            Sort::RealTime => {
                let c = &mut self.table[message.conn];
                c.avail -= u32::from(self.written.credit_en);
                if message.last {
                    c.phase = Phase::Closing;
                }
                self.told.touched = Some(message.conn);
                self.posted.all += 1;
                self.mover.real_time.push_back(message);
            }
            Sort::BestEffort => {
                self.posted.all += 1;
                self.posted.best_effort += 1;
                self.mover.best_effort.push_back(message);
            }
            _ => self.mover.control.push_back(message),
        }
        0
    }

    /// Cover points of a post.
    fn meet_post(&mut self, post: &Posting, sorted: Result<Sort, u32>) {
        let w = &self.written;
        let (credit, most) = (w.credit_en, w.most());
        let (real_time, best_effort) = (post.class == 1, post.class == 2);
        let found = self.connection(post.conn);
        let closing = found.is_some_and(|c| c.phase == Phase::Closing);
        let avail = found.map_or(0, |c| c.avail);
        let (beyond, probing) = (found.is_none(), found.is_some_and(|c| c.phase == Phase::Probing));
        let (no_conn, bad, full) =
            (sorted == Err(WHY_NO_CONN), sorted == Err(WHY_BAD), sorted == Err(WHY_FULL));
        let poor = sorted == Err(WHY_NO_CREDIT);
        let below = w.c_b < self.posted.best_effort;
        let points = [
            (Cover::yc1_control, sorted == Ok(Sort::Control)),
            (Cover::yc1_real_time, sorted == Ok(Sort::RealTime)),
            (Cover::yc1_best_effort, sorted == Ok(Sort::BestEffort)),
            (Cover::ya6_final, sorted == Ok(Sort::RealTime) && post.last),
            (Cover::ya6_final_of_others, sorted.is_ok() && !real_time && post.last),
            (Cover::yc1_shortest, sorted.is_ok() && post.len == 1),
            (Cover::yc1_longest, sorted.is_ok() && post.len == self.p.lane),
            (Cover::yc1_no_class, bad && post.class == 3),
            (Cover::yc1_empty, bad && post.class != 3 && post.len == 0),
            (Cover::yc1_too_long, bad && post.class != 3 && post.len > self.p.lane),
            (Cover::yc1_no_lane, bad && best_effort && (1..=self.p.lane).contains(&post.len)),
            (Cover::yc1_no_conn, no_conn && beyond),
            (Cover::yc1_not_open, no_conn && probing),
            (Cover::yc1_closing, no_conn && closing),
            (Cover::yc1_control_full, full && post.class == 0),
            (Cover::yc1_full, full && post.class != 0),
            (Cover::yc1_full_m_0, full && post.class != 0 && w.m == 0),
            (Cover::yc1_full_m_beyond, full && post.class != 0 && w.m as usize > self.p.msgq),
            (Cover::yc1_no_credit, poor && real_time),
            (Cover::yc1_no_credit_b, poor && best_effort && !below),
            (Cover::yc1_c_b_below, poor && best_effort && below),
            (Cover::yc1_last_credit, sorted.is_ok() && credit && real_time && avail == 1),
            (Cover::yc1_last_credit_b, sorted.is_ok() && credit && best_effort && self.avail_b() == 1),
            (Cover::yc2_last_room, sorted.is_ok() && post.class != 0 && self.posted.all + 1 == most),
        ];
        for (point, met) in points {
            self.hit_if(met, point);
        }
    }
}
