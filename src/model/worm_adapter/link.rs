//! The link to the router: which flits go (YW6, YA7, section 4), credits (YW2).

use super::cover::Cover;
use super::message::{Sent, Sort};
use super::state::{COUNT_MOST, CREDIT, GUARD_MOST, WormAdapter};
use crate::model::worm::classes::{Class, Set, members};
use crate::model::worm::order::booked_weight;
use crate::model::worm::wires::Completion;

/// What goes in a cycle, by S(t).
#[derive(Clone, Copy)]
pub(super) struct Go {
    pub(super) lane: usize,
    pub(super) class: Class,
    pub(super) weight: u32,
    /// Lanes that can send.
    pub(super) can: Set,
}

/// Credit pulses of a cycle, by S(t).
#[derive(Clone, Copy, Default)]
pub(super) struct Credits {
    /// Those that count.
    pub(super) taken: Set,
    /// Those of lanes whose credits are all home.
    pub(super) excess: Set,
}

impl WormAdapter {
    /// Lanes that the input `be_hold` holds, by S(t).
    pub(super) fn held(&self, hold: Set) -> Set {
        hold & self.classes().lanes(Class::BestEffort) & !self.link.inside
    }

    /// A tail that will take the table's turn lets those go first that wait for it.
    pub(super) fn tails_yield(&self) -> bool {
        self.link.tail && self.turns.wait().contains(&true)
    }

    /// The lanes that can send.
    fn can_send(&self, hold: Set, up: bool) -> Set {
        if !up {
            return 0;
        }
        let yields = self.tails_yield();
        let ready = |v: &usize| {
            let front = self.link.lanes[*v].front();
            front.is_some_and(|f| !(yields && f.takes_turn())) && self.link.credits[*v] > 0
        };
        let filled = self.link.filled & !self.held(hold);
        members(filled).filter(ready).fold(0, |set, v| set | 1 << v)
    }

    /// The weight of a lane.
    pub(super) fn weight(&self, v: usize, class: Class) -> u32 {
        match class {
            Class::RealTime if self.written.admit_en => booked_weight(self.sums.book[v], self.written.wshift),
            Class::RealTime => 1,
            _ => self.written.be_weight,
        }
    }

    /// Best-effort goes before real-time on the link.
    pub(super) fn guards_link(&self) -> bool {
        self.written.lhp != 0 && self.link.guard >= self.written.lhp
    }

    /// The flit that goes in this cycle, by S(t).
    pub(super) fn pick(&self, hold: Set, up: bool) -> Option<Go> {
        let can = self.can_send(hold, up);
        let classes = self.classes();
        let best_effort = can & classes.lanes(Class::BestEffort) != 0;
        let class = match classes.first_of(can)? {
            Class::RealTime if best_effort && self.guards_link() => Class::BestEffort,
            first => first,
        };
        let lane = self.link.order.first_of(can & classes.lanes(class))?;
        Some(Go { lane, class, weight: self.weight(lane, class), can })
    }

    /// It goes: from the next cycle but one on it is on `tx`.
    pub(super) fn send(&mut self, go: Option<Go>) {
        let best_effort = self.classes().lanes(Class::BestEffort);
        let link = &mut self.link;
        link.sent = link.going.take();
        link.tail = false;
        let Some(Go { lane, class, weight, can }) = go else { return };
        let Some(flit) = link.leave(lane) else { return };
        link.order.went(lane, weight);
        link.credits[lane] -= 1;
        link.inside = link.inside & !(1 << lane) | Set::from(!flit.last) << lane;
        link.tail = flit.takes_turn();
        link.going = Some(Sent { lane, flit });
        match class {
            Class::BestEffort => link.guard = 0,
            Class::RealTime if can & best_effort != 0 => link.guard = (link.guard + 1).min(GUARD_MOST),
            _ => {}
        }
        if flit.last {
            self.count_tail();
        }
    }

    fn count_tail(&mut self) {
        let most = self.p.cnt_max();
        self.hit_if(self.counts.sent == most, Cover::c1_sent_full);
        self.counts.sent = self.counts.sent.saturating_add(1).min(most);
    }

    /// What a tail on `tx` completes, beside its turn at the table.
    pub(super) fn complete(&mut self) {
        let Some(sent) = self.leaving() else { return };
        let of = sent.flit.of;
        if of.sort == Sort::BestEffort {
            self.posted.all -= 1;
            self.posted.best_effort -= 1;
        }
        if of.sort.is_of_host() {
            let conn = if of.sort == Sort::RealTime { of.conn as u32 } else { 0 };
            self.told.completion = Some(Completion { class: of.sort as u32, conn, tag: of.tag });
        }
    }

    /// The router's credit pulses, by S(t).
    pub(super) fn credits(&self, pulses: Set, up: bool) -> Credits {
        let mut credits = Credits::default();
        let lanes = if up { (1 << self.p.vls) - 1 } else { 0 };
        for v in members(pulses & lanes) {
            let home = self.link.credits[v] == self.p.depth;
            *(if home { &mut credits.excess } else { &mut credits.taken }) |= 1 << v;
        }
        credits
    }

    pub(super) fn take_credits(&mut self, credits: Credits, up: bool, error: &mut u32) {
        for v in members(credits.taken) {
            self.link.credits[v] += 1;
        }
        if credits.excess != 0 {
            *error |= CREDIT;
        }
        if !up {
            self.link.credits.fill(self.p.depth);
        }
    }

    /// Flits that came and went neither to the host nor to the replies.
    pub(super) fn drop_flit(&mut self) {
        self.counts.dropped = (self.counts.dropped + 1).min(COUNT_MOST);
    }
}
