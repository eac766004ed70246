//! A lane of an input (YW1): messages, one behind the other, and what of them has not left.

use std::collections::VecDeque;

use super::home::Home;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::worm::header::Words;

/// A flit on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flit {
    pub first: bool,
    pub last: bool,
    pub bad: bool,
    pub data: Words,
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub header: Words,
    pub dlid: u32,
    /// It came in this cycle.
    pub at: u64,
    /// Outputs that its route may be, a bit each; it may have none.
    pub outs: u32,
    pub none: bool,
    /// Flits that have not left, with the cycles in which they came.
    flits: VecDeque<(Flit, u64)>,
    pub begun: bool,
    /// Its tail came.
    closed: bool,
    /// The link fell while it was inside.
    pub cut: Option<u64>,
}

impl Message {
    /// The one output that it must leave by.
    pub fn out(&self) -> Option<usize> {
        (!self.none && self.cut.is_none() && self.outs.count_ones() == 1)
            .then_some(self.outs.trailing_zeros() as usize)
    }
}

/// Tolerances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    pub receive: u64,
    pub credit: u64,
    pub early: u64,
    pub fall: u64,
}

/// A lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    pub queue: VecDeque<Message>,
    open: bool,
    /// Since when the first message is that.
    pub front: u64,
    home: Home,
    /// What is inside is not known: a flit came without credit, or messages are alike. Until the link falls.
    pub loose: bool,
    /// It was, and no message has left since.
    pub vague: bool,
    /// The last fall.
    pub fell: Option<u64>,
}

impl Lane {
    /// A flit comes; `route` are the outputs that a header may go to, and whether to none.
    pub fn arrive(&mut self, flit: Flit, depth: usize, now: u64, late: &Late, route: (u32, u32, bool)) {
        // Without credit it is stored or not.
        if self.loose || self.home.away() >= depth {
            self.loose = true;
            return;
        }
        self.home.came();
        if !flit.first && !self.open {
            self.home.frees(now, late.credit);
            return;
        }
        let ends = flit.first && self.open;
        let flit = Flit {
            first: flit.first && !ends,
            last: flit.last || ends,
            bad: flit.bad && flit.last || ends,
            data: flit.data,
        };
        self.open = !flit.last;
        if flit.first {
            if self.queue.is_empty() {
                self.front = now;
            }
            let (dlid, outs, none) = route;
            self.queue.push_back(Message {
                header: flit.data,
                dlid,
                at: now,
                outs,
                none,
                flits: VecDeque::new(),
                begun: false,
                closed: false,
                cut: None,
            });
        }
        if let Some(m) = self.queue.back_mut() {
            m.flits.push_back((flit, now));
            m.closed = flit.last;
            self.home.may += usize::from(m.none);
        }
    }

    /// A route is written: that of what came just now may be another.
    pub fn rerouted(&mut self, dlid: u32, out: Option<u32>, now: u64, receive: u64) {
        for m in self.queue.iter_mut().filter(|m| m.dlid == dlid && !m.begun && m.at + receive >= now) {
            match out {
                Some(out) => m.outs |= 1 << out,
                None if !m.none => {
                    m.none = true;
                    self.home.may += m.flits.len();
                }
                None => {}
            }
        }
    }

    /// The message that begins to leave with this header by output `o`: its place.
    pub fn begins(&self, header: &Words, o: usize) -> Option<usize> {
        for (k, m) in self.queue.iter().enumerate() {
            if m.begun {
                return None;
            }
            if m.header == *header && m.outs >> o & 1 == 1 {
                return Some(k);
            }
            if !m.none && m.cut.is_none() {
                return None;
            }
        }
        None
    }

    /// It is that at place `k`: those before it are gone.
    pub fn begin(&mut self, k: usize, now: u64, late: &Late) {
        for _ in 0..k {
            self.skip(now, late);
        }
        self.vague = false;
        if let Some(m) = self.queue.front_mut() {
            m.begun = true;
            if m.none && m.cut.is_none() {
                self.home.may -= m.flits.len();
            }
            m.none = false;
        }
    }

    /// The first message does not leave.
    fn skip(&mut self, now: u64, late: &Late) {
        let Some(m) = self.queue.pop_front() else { return };
        if m.cut.is_none() {
            self.home.may -= m.flits.len();
            m.flits.iter().for_each(|_| self.home.frees(now, late.credit));
        }
        self.front = now + m.flits.len() as u64;
    }

    /// A flit of the first message leaves; `true` with its tail.
    pub fn leave(&mut self, flit: &Flit, now: u64, late: &Late) -> Result<bool, Broken> {
        let Some(m) = self.queue.front_mut() else { return Ok(flit.last) };
        let next = m.flits.front().copied();
        let made = m.cut.is_some() && !flit.first && flit.last && flit.bad;
        match next {
            _ if made => {}
            Some((is, _)) if is == *flit && m.cut.is_none_or(|at| now <= at + late.fall) => {}
            _ if m.cut.is_some() => {
                let text = "a flit, and not the bad tail, of a message whose link fell".into();
                return broken("cut", "F1", text);
            }
            None => {
                return broken("stranger", "YW1", "a flit before it came".into());
            }
            Some((is, _)) if is.data != flit.data => {
                let text = format!("a flit of {:08x?}, came as {:08x?}", flit.data, is.data);
                return broken("intact", "YW1", text);
            }
            Some((is, _)) => {
                let text = format!(
                    "a flit with last {}, bad {}, came as {}, {}",
                    flit.last, flit.bad, is.last, is.bad
                );
                return broken("framing", "YW1", text);
            }
        }
        m.flits.pop_front();
        if m.cut.is_none() {
            self.home.frees(now, late.credit);
        }
        if flit.last {
            self.queue.pop_front();
            self.front = now;
        }
        Ok(flit.last)
    }

    /// The link is down.
    pub fn fall(&mut self, now: u64) {
        self.fell = Some(now);
        self.home = Home::default();
        self.open = false;
        if std::mem::take(&mut self.loose) {
            self.queue.clear();
            self.vague = true;
        }
        for m in &mut self.queue {
            m.closed = true;
            m.cut = m.cut.or(Some(now));
        }
    }

    pub fn pulse(&mut self, now: u64) -> Result<(), Broken> {
        if self.loose { Ok(()) } else { self.home.pulse(now) }
    }

    /// What has no route, or was lost with the link, goes; credits are as they should be.
    pub fn settle(&mut self, now: u64, late: &Late) -> Result<(), Broken> {
        if self.loose {
            return Ok(());
        }
        while let Some(m) = self.queue.front_mut() {
            let lost = !m.begun && m.cut.is_some_and(|at| now > at + late.fall);
            let refused = m.cut.is_none() && m.none && m.outs == 0 && now > m.at + late.receive;
            if !lost && !refused {
                break;
            }
            if m.closed {
                self.skip(now, late);
                continue;
            }
            self.home.may -= m.flits.len();
            m.flits.drain(..).for_each(|_| self.home.frees(now, late.credit));
            break;
        }
        self.home.look(now, late.early)
    }

    /// The first message has a flit that came before a cycle, or a tail that is made.
    pub fn can(&self, before: u64, late: &Late) -> bool {
        !self.loose
            && self.queue.front().is_some_and(|m| match m.cut {
                Some(at) => at + late.fall < before,
                None => m.flits.front().is_some_and(|f| f.1 < before),
            })
    }

    /// Outputs that its messages may be for, a bit each.
    pub fn outs(&self) -> u32 {
        self.queue.iter().fold(0, |outs, m| outs | m.outs)
    }

    /// The first message may have a flit that can go, and is not its header.
    pub fn goes_on(&self) -> bool {
        self.loose || self.queue.front().is_some_and(|m| m.cut.is_some() || !m.flits.is_empty())
    }

    /// Since when a message may wait to begin at an output.
    pub fn may_begin(&self, o: usize) -> Option<u64> {
        if self.loose || self.vague {
            return Some(0);
        }
        for m in &self.queue {
            if m.begun {
                continue;
            }
            if m.outs >> o & 1 == 1 {
                return Some(m.at);
            }
            if !m.none && m.cut.is_none() {
                break;
            }
        }
        None
    }

    /// Its first message waits to begin since before a cycle, and must.
    pub fn waits(&self, before: u64) -> Option<&Message> {
        if self.vague || self.loose || self.front >= before {
            return None;
        }
        self.queue.front().filter(|m| !m.begun && m.at < before)
    }
}
