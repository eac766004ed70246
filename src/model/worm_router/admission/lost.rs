//! What no message can repair: sums may be wrong (ADM_LOST). And links that are down.

use super::super::arrival::Arrival;
use super::super::awake::Awake;
use super::super::lanes::Flit;
use super::super::state::{ADM_LOST, MOST, WormRouter};
use crate::model::worm::classes::members;
use crate::model::worm::header::{Header, Kind};
use crate::model::worm::wires::{LinkFlit, RouterPins};

/// Why a reply may be lost with a link.
#[derive(Clone, Copy)]
pub(super) struct Lost {
    pub(super) reply_waits: bool,
    pub(super) reply_open: bool,
    /// Credits of the reply lane are not home; it has an owner.
    pub(super) reply_credit: bool,
    pub(super) reply_owned: bool,
}

impl Lost {
    fn any(self) -> bool {
        self.reply_waits || self.reply_open || self.reply_credit || self.reply_owned
    }
}

impl WormRouter {
    /// A header on this lane that carries bandwidth, and is not answered if it has no route, as a probe is.
    pub(in super::super) fn is_missed(&self, lane: usize, flit: &Flit) -> bool {
        let header = Header(flit.data);
        self.p.admit && header.carries(lane, self.classes()) && header.kind() != Kind::Probe
    }

    /// What is lost in this cycle, by S(t), beside replies without a route. What comes is noted.
    pub(in super::super) fn lose(
        &mut self,
        arrivals: &[Arrival; MOST],
        pins: &RouterPins,
        awake: &Awake,
        errors: &mut [u32; MOST],
    ) {
        if !self.p.admit {
            return;
        }
        let on = self.admits();
        for i in members(awake.arriving | awake.down) {
            let lost = match awake.up >> i & 1 {
                0 => self.is_cut_off(i),
                _ => pins.links[i].flit.is_some_and(|flit| self.comes(i, &arrivals[i], &flit)),
            };
            if lost && on {
                errors[i] |= ADM_LOST;
            }
        }
    }

    /// The link of port `i` is down, and something is booked there, or on its way.
    fn is_cut_off(&mut self, i: usize) -> bool {
        let control = &self.inputs[i].lanes[self.control_lane()];
        let (waits, open) = (!control.fifo.is_empty(), control.open);
        let reply = self.reply_lane();
        let (replies, output) = (&self.inputs[i].lanes[reply], &self.outputs[i]);
        let lost = Lost {
            reply_waits: !replies.fifo.is_empty(),
            reply_open: replies.open,
            reply_credit: output.credits[reply] < self.p.depth,
            reply_owned: output.owned >> reply & 1 != 0,
        };
        let (used, book) = (self.adm.sums.used[i] > 0, self.adm.sums.input[i].iter().any(|&book| book > 0));
        self.meet_cut_off(used, book, waits, open);
        self.meet_lost_replies(lost, used || book || waits || open);
        self.adm.ports[i].lanes.iter_mut().for_each(|lane| lane.books = false);
        used || book || waits || open || lost.any()
    }

    /// What came to input `i`. Says whether bandwidth is lost with it.
    fn comes(&mut self, i: usize, arrival: &Arrival, comes: &LinkFlit) -> bool {
        let lane = usize::from(comes.vl);
        if lane >= self.p.vls {
            return false;
        }
        let carries = comes.first && Header(comes.data).carries(lane, self.classes());
        let full = matches!(arrival, Arrival::Dropped { .. });
        let Arrival::Stored { flit, .. } = arrival else {
            self.meet_lost_header(carries, full);
            return carries;
        };
        let of = &mut self.adm.ports[i].lanes[lane];
        let books = of.books;
        // (One that is not stored as a header ends what it came into.)
        if flit.first || flit.last {
            of.books = flit.first && carries && !flit.last;
        }
        let ends_bad = flit.last && flit.bad;
        let (header_lost, bad_tail) = (carries && !flit.first, books && ends_bad);
        let bad_single = carries && flit.first && ends_bad;
        self.meet_lost_header(header_lost, false);
        self.meet_bad(bad_tail, bad_tail && comes.first, bad_single);
        header_lost || bad_tail || bad_single
    }

    /// The link of input `i` is down: what was decided of its control lane is forgotten with it.
    pub(in super::super) fn forget_decided(&mut self, i: usize) {
        let port = &mut self.adm.ports[i];
        (port.decided, port.eats) = (false, false);
    }
}
