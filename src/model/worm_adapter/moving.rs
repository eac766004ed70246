//! From queues to lanes (YC4, section 3).

use super::message::{Flit, Message, Sort};
use super::queues::Move;
use super::state::{GUARD_MOVE_MOST, WormAdapter};
use super::table::Phase;
use crate::model::worm::classes::{Class, Set, members};
use crate::scheme::any_up::drawn;
use crate::scheme::marking::next_lfsr;

/// Heads that fit, by S(t), each with its lane.
#[derive(Clone, Copy, Default)]
pub(super) struct Heads {
    pub(super) control: Option<(Message, usize)>,
    pub(super) real_time: Option<(Message, usize)>,
    pub(super) best_effort: Option<(Message, usize)>,
    /// Best-effort lanes in which the head fits.
    pub(super) lanes: Set,
}

/// What is chosen in a cycle.
pub(super) struct Choice {
    pub(super) message: Message,
    pub(super) lane: usize,
}

impl WormAdapter {
    /// Flits in a lane, with one that is moved there in this cycle.
    pub(super) fn level(&self, lane: usize) -> usize {
        let moved = self.mover.current.is_some_and(|m| m.lane == lane);
        self.link.lanes[lane].len() + usize::from(moved)
    }

    /// The whole message is free in a lane.
    pub(super) fn fits(&self, message: &Message, lane: usize) -> bool {
        self.level(lane) + message.len <= self.p.lane
    }

    /// The head of the queue of probes and releases.
    pub(super) fn own_head(&self) -> Option<Message> {
        self.own.front().map(|&conn| {
            let release = self.table[conn].phase == Phase::Release;
            Message::own(if release { Sort::Release } else { Sort::Probe }, conn, self.p.lane)
        })
    }

    /// The head of the control class that is looked at.
    fn control_head(&self) -> Option<Message> {
        let (host, own) = (self.mover.control.front().copied(), self.own_head());
        match (host, own) {
            (Some(_), Some(_)) => {
                if self.mover.own_first {
                    own
                } else {
                    host
                }
            }
            _ => host.or(own),
        }
    }

    pub(super) fn heads(&self) -> Heads {
        let control = self.control_head().map(|m| (m, self.control_lane()));
        let real_time = self.mover.real_time.front().map(|m| (*m, self.table[m.conn].lane));
        let fitting = |head: Option<(Message, usize)>| head.filter(|(m, v)| self.fits(m, *v));
        let mut lanes = 0;
        let best_effort = self.mover.best_effort.front().and_then(|m| {
            let fits = members(self.classes().lanes(Class::BestEffort)).filter(|&v| self.fits(m, v));
            lanes = fits.fold(0, |set, v| set | 1 << v);
            drawn(lanes, self.mover.lfsr).map(|v| (*m, v))
        });
        Heads { control: fitting(control), real_time: fitting(real_time), best_effort, lanes }
    }

    /// Best-effort goes before real-time into lanes.
    pub(super) fn guards_moves(&self) -> bool {
        let flits = self.mover.best_effort.front().map_or(0, |m| m.len as u32);
        self.written.lhp != 0 && self.mover.guard >= self.written.lhp * flits
    }

    /// The message that is chosen in this cycle, by S(t): nothing is moved, or the last flit of something is.
    pub(super) fn choose(&mut self) -> Option<Choice> {
        if self.mover.current.is_some_and(|m| m.left > 1) {
            return None;
        }
        let heads = self.heads();
        if self.watched {
            self.meet_heads(&heads);
        }
        let before = heads.best_effort.filter(|_| self.guards_moves());
        let (message, lane) = heads.control.or(before).or(heads.real_time).or(heads.best_effort)?;
        let choice = Choice { message, lane };
        if self.watched {
            self.meet_choice(&choice, &heads);
        }
        let mover = &mut self.mover;
        match message.sort {
            Sort::BestEffort => {
                mover.guard = 0;
                mover.lfsr = next_lfsr(mover.lfsr);
            }
            Sort::RealTime if heads.best_effort.is_some() => {
                mover.guard = (mover.guard + message.len as u32).min(GUARD_MOVE_MOST)
            }
            Sort::RealTime => {}
            sort => mover.own_first = sort == Sort::Control,
        }
        Some(choice)
    }

    /// A chosen message leaves its queue, from the next cycle on it is moved.
    pub(super) fn begin(&mut self, choice: &Choice) {
        let Choice { message, lane } = *choice;
        // (Nobody else writes the connection of a probe or release in this cycle, and nobody what a header says of one.)
        let connection = self.table[message.conn];
        match message.sort {
            Sort::Control => self.mover.control.pop_front().map(|_| ()),
            Sort::RealTime => self.mover.real_time.pop_front().map(|_| ()),
            Sort::BestEffort => self.mover.best_effort.pop_front().map(|_| ()),
            Sort::Probe | Sort::Release => self.own.pop_front().map(|_| ()),
        };
        match message.sort {
            Sort::Probe => self.table[message.conn].phase = Phase::Probing,
            Sort::Release => self.table[message.conn].phase = Phase::Releasing,
            _ => {}
        }
        self.mover.current = Some(Move { message, lane, left: message.len, connection });
    }

    /// The flit that is moved in this cycle gets into its lane.
    pub(super) fn move_flit(&mut self, dma: [u32; 4]) {
        let Some(m) = self.mover.current.as_mut() else { return };
        let first = m.index() == 0;
        let data = match (first, m.asks()) {
            (true, _) => m.message.header(m.lane, &m.connection, self.written.lid),
            (_, true) => dma,
            _ => [0; 4],
        };
        m.left -= 1;
        let flit = Flit { first, last: m.left == 0, data, of: m.message };
        self.link.push(m.lane, flit);
        if flit.last {
            self.mover.current = None;
        }
    }
}
