//! Turns at the table (section 1): a leaving, else one of those that wait.

use super::cover::Cover;
use super::message::{Message, Sent, Sort};
use super::state::{BAD_REPLY, WormAdapter};
use super::table::{Connection, Phase};
use crate::model::worm::wires::Done;

// Events.
pub(super) const OPEN: u32 = 1;
pub(super) const REJECTED: u32 = 2;
pub(super) const CLOSED: u32 = 3;

impl WormAdapter {
    /// The turn of this cycle, by S(t). Says whether a reply had it whose header has a pulse due.
    pub(super) fn turn(&mut self, error: &mut u32) -> bool {
        let waits = self.turns.wait();
        self.turns.gap = self.turns.gap.saturating_sub(1);
        if self.watched {
            self.meet_turn(waits);
        }
        if let Some(sent) = self.leaving().filter(|s| s.flit.takes_turn()) {
            self.leave_table(&sent);
            return false;
        }
        let from = self.turns.next;
        let Some(whose) = (from..3).chain(0..from).find(|&k| waits[k]) else { return false };
        self.turns.next = (whose + 1) % 3;
        match whose {
            0 => return self.reply(error),
            1 => {
                if let Some(open) = self.turns.open.take() {
                    let why = self.open(&open, error);
                    self.told.done = Some(Done { post: false, why, tag: open.conn });
                }
            }
            _ => {
                if let Some(post) = self.turns.post.take() {
                    let why = self.post(&post, error);
                    self.told.done = Some(Done { post: true, why, tag: post.tag });
                }
            }
        }
        false
    }

    /// A reply has its turn.
    fn reply(&mut self, error: &mut u32) -> bool {
        let Some(reply) = self.turns.replies.pop_front() else { return false };
        let first_node = self.written.first_node;
        let beyond = self.connection(reply.conn).is_none();
        self.hit_if(beyond, Cover::ya4_bad_reply_beyond);
        let probing = self.connection(reply.conn).is_some_and(|c| c.phase == Phase::Probing);
        let same = |c: &Connection| (c.dlid, c.bw) == (reply.slid, reply.bw);
        let late = self.connection(reply.conn).is_some_and(|c| probing && same(c) && c.seq != reply.seq);
        let answers = |c: &&mut Connection| probing && same(c) && c.seq == reply.seq;
        let Some(c) = self.table.get_mut(reply.conn as usize).filter(answers) else {
            *error |= BAD_REPLY;
            self.hit_if(probing && !late, Cover::ya4_reply_of_another);
            self.hit_if(late, Cover::ya4_reply_late);
            self.hit_if(!beyond && !probing, Cover::ya4_bad_reply);
            return reply.pulse;
        };
        let conn = reply.conn as usize;
        self.told.touched = Some(conn);
        if reply.ack {
            c.phase = Phase::Open;
            self.told.event = Some((OPEN, reply.conn));
            self.hit(Cover::ya4_ack);
            return reply.pulse;
        }
        self.sums.take_off(c);
        if reply.node == first_node {
            self.sums.end(c);
            self.told.event = Some((REJECTED, reply.conn));
            self.hit(Cover::ya4_nack_first);
        } else {
            c.phase = Phase::Release;
            c.node = reply.node;
            self.own.push_back(conn);
            self.hit(Cover::ya4_nack_later);
        }
        reply.pulse
    }

    /// A tail of real-time, or of a release, has left.
    fn leave_table(&mut self, sent: &Sent) {
        let Message { sort, conn, last, .. } = sent.flit.of;
        let c = &mut self.table[conn];
        self.told.touched = Some(conn);
        if sort == Sort::Release {
            self.sums.end(c);
            self.told.event = Some((REJECTED, conn as u32));
            self.hit(Cover::ya4_released);
            return;
        }
        let back = c.credits != 0 && c.avail < c.credits;
        let was = c.avail;
        c.avail += u32::from(back);
        if last {
            self.sums.take_off(c);
            self.sums.end(c);
            self.told.event = Some((CLOSED, conn as u32));
        }
        self.posted.all -= 1;
        self.hit_if(back && was == 0, Cover::yc3_first_back);
        self.hit_if(last, Cover::ya6_closed);
    }
}
