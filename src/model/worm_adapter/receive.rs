//! What comes in (YW1, section 5), and a link that falls (F1).

use super::cover::Cover;
use super::frames::Delivery;
use super::state::{BAD_REPLY, BAD_VL, FRAMING, LINK_DOWN, MISROUTED, WormAdapter};
use super::waiting::Reply;
use crate::model::worm::classes::Set;
use crate::model::worm::header::{Header, Kind};
use crate::model::worm::wires::LinkFlit;

/// What becomes of a flit.
#[derive(Clone, Copy)]
pub(super) enum Fate {
    /// Nothing comes.
    Nothing,
    /// Of no lane: dropped without a pulse.
    Lost,
    /// Dropped.
    Dropped(usize),
    /// Of the reply lane, and taken.
    Consumed,
    /// The header of a reply, which is kept.
    Kept(Reply),
    /// It goes to the host.
    Delivered(Delivery),
}

impl WormAdapter {
    /// What comes in this cycle, by S(t): only lanes' frames are written.
    pub(super) fn receive(&mut self, comes: Option<LinkFlit>, error: &mut u32) -> Fate {
        let Some(LinkFlit { vl, first, last, bad, data }) = comes else { return Fate::Nothing };
        let lane = usize::from(vl);
        if lane >= self.p.vls {
            *error |= BAD_VL;
            self.hit(Cover::yw1_bad_vl);
            return Fate::Lost;
        }
        let open = self.rx.open >> lane & 1 != 0;
        if self.watched {
            self.meet_frame(lane, (first, last, bad), open);
        }
        if !first && !open {
            *error |= FRAMING;
            return Fate::Dropped(lane);
        }
        let delivery = if first && open {
            *error |= FRAMING;
            self.rx.open &= !(1 << lane);
            Delivery { lane, first: false, last: true, bad: true, data }
        } else {
            self.rx.open = self.rx.open & !(1 << lane) | Set::from(!last) << lane;
            if first {
                let skip = self.look_at(Header(data), lane, error);
                self.rx.skip = self.rx.skip & !(1 << lane) | Set::from(skip) << lane;
            }
            Delivery { lane, first, last, bad: bad && last, data }
        };
        if self.rx.skip >> lane & 1 != 0 {
            self.hit_if(!delivery.first, Cover::yw1_skips);
            return Fate::Dropped(lane);
        }
        if lane != self.reply_lane() {
            return Fate::Delivered(delivery);
        }
        if !delivery.first {
            self.hit(Cover::yw1_reply_rest);
            return Fate::Consumed;
        }
        self.take_reply(&Header(data))
    }

    /// Whether the message of a header is not for the host, nor a reply.
    fn look_at(&mut self, header: Header, lane: usize, error: &mut u32) -> bool {
        let kind = header.kind();
        let elsewhere = header.dlid() != self.written.lid;
        let misrouted = elsewhere || matches!(kind, Kind::Probe | Kind::Release);
        let no_reply = lane == self.reply_lane() && !matches!(kind, Kind::Ack | Kind::Nack);
        *error |= if misrouted { MISROUTED } else { 0 } | if no_reply { BAD_REPLY } else { 0 };
        let reply = matches!(kind, Kind::Ack | Kind::Nack) && lane != self.reply_lane();
        self.hit_if(reply && !elsewhere, Cover::yw1_reply_elsewhere);
        self.hit_if(elsewhere, Cover::yw1_elsewhere);
        self.hit_if(!elsewhere && kind == Kind::Probe, Cover::yw1_probe);
        self.hit_if(!elsewhere && kind == Kind::Release, Cover::yw1_release);
        self.hit_if(no_reply && !misrouted, Cover::yw1_no_reply);
        self.hit_if(no_reply && misrouted, Cover::yw1_no_reply_elsewhere);
        misrouted || no_reply
    }

    /// The header of an ACK or NACK.
    fn take_reply(&mut self, header: &Header) -> Fate {
        let waiting = self.turns.replies.len();
        self.hit_if(waiting + 1 == self.p.depth, Cover::ya4_replies_most);
        if waiting == self.p.depth {
            self.hit(Cover::ya4_reply_lost);
            return Fate::Dropped(self.reply_lane());
        }
        Fate::Kept(Reply {
            ack: header.kind() == Kind::Ack,
            conn: header.conn(),
            node: header.node(),
            slid: header.slid(),
            bw: header.bw(),
            seq: header.seq(),
            pulse: true,
        })
    }

    /// What came gets to its place; `replied`: a reply had its turn whose header has a pulse due.
    pub(super) fn settle(&mut self, fate: Fate, replied: bool) {
        self.rx.delivered = None;
        let mut due: Set = 0;
        match fate {
            Fate::Nothing => {}
            Fate::Lost => self.drop_flit(),
            Fate::Dropped(lane) => {
                self.drop_flit();
                due = 1 << lane;
            }
            Fate::Consumed => due = 1 << self.reply_lane(),
            Fate::Kept(reply) => self.turns.replies.push_back(reply),
            Fate::Delivered(delivery) => {
                due = 1 << delivery.lane;
                if delivery.last {
                    let most = self.p.cnt_max();
                    self.hit_if(self.counts.received == most, Cover::c1_rcv_full);
                    self.counts.received = self.counts.received.saturating_add(1).min(most);
                }
                self.rx.delivered = Some(delivery);
            }
        }
        let reply = self.reply_lane();
        let more = (due >> reply & 1) as usize + usize::from(replied);
        let all = self.rx.owed + more;
        self.hit_if(more == 2, Cover::yw2_owed);
        self.hit_if(more == 0 && all > 0, Cover::yw2_repaid);
        self.rx.owed = all.saturating_sub(1);
        self.rx.pulses = due | Set::from(all > 0) << reply;
    }

    /// F1: a cycle in which the link is down.
    pub(super) fn fall(&mut self, error: &mut u32) {
        if self.rx.open != 0 {
            *error |= LINK_DOWN;
        }
        self.rx.cut = self.rx.open & !self.rx.skip & !(1 << self.reply_lane());
        (self.rx.open, self.rx.pulses, self.rx.owed) = (0, 0, 0);
        self.turns.replies.iter_mut().for_each(|r| r.pulse = false);
    }
}
