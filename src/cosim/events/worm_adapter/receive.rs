//! What comes in (YW1): it reaches the host once, in order and as it came, or is refused; and replies are taken.

use std::collections::VecDeque;

use super::registers::Registers;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::worm::header::{Header, Words, kind};

/// A flit on a link, or for the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flit {
    pub lane: usize,
    pub first: bool,
    pub last: bool,
    pub bad: bool,
    pub data: Words,
}

/// What the host is to see next on a lane.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// A flit; without one the message is cut off.
    flit: Option<Flit>,
    /// Its message, and whether that is for the host for sure.
    message: u64,
    sure: bool,
    at: u64,
}

/// What comes in on a lane now.
#[derive(Clone, Copy, Debug, Default)]
struct Coming {
    open: bool,
    /// It is, and must be, refused.
    skip: (bool, bool),
    message: u64,
}

/// What a flit that came asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// No pulse.
    Nothing,
    /// A pulse.
    Pulse,
    /// A reply that waits for its turn; `true`: for sure.
    Reply(Header, bool),
}

/// All lanes.
pub(super) struct Receiver {
    within: u64,
    coming: Vec<Coming>,
    due: Vec<VecDeque<Due>>,
    /// Messages that were not sure and are not for the host.
    refused: Vec<u64>,
    messages: u64,
    /// What was judged: flits for the host, messages of which it is not sure, cuts, replies.
    pub shown: u64,
    pub unsure: u64,
    pub cuts: u64,
    pub replies: u64,
}

impl Receiver {
    pub fn new(lanes: usize, within: u64) -> Receiver {
        Receiver {
            within,
            coming: vec![Coming::default(); lanes],
            due: vec![VecDeque::new(); lanes],
            refused: vec![0; lanes],
            messages: 0,
            shown: 0,
            unsure: 0,
            cuts: 0,
            replies: 0,
        }
    }

    fn push(&mut self, lane: usize, flit: Option<Flit>, now: u64) {
        let Coming { skip: (may, must), message, .. } = self.coming[lane];
        if !must && self.refused[lane] != message {
            self.due[lane].push_back(Due { flit, message, sure: !may, at: now });
        }
    }

    /// A flit came by the link, which is up.
    pub fn comes(&mut self, mut f: Flit, r: &Registers, now: u64) -> Asks {
        let lanes = self.coming.len();
        let reply = lanes - 2;
        f.bad &= f.last;
        let Some(coming) = self.coming.get(f.lane).copied() else { return Asks::Nothing };
        match (f.first, coming.open) {
            (false, false) => return Asks::Pulse,
            (true, true) => {
                // It ends what was coming.
                self.coming[f.lane].open = false;
                if f.lane != reply {
                    let end = Flit { first: false, last: true, bad: true, ..f };
                    self.push(f.lane, Some(end), now);
                }
                return Asks::Pulse;
            }
            _ => {}
        }
        if f.first {
            self.messages += 1;
            let h = Header::of(f.data);
            let mine = r.is_lid(h.dlid, now);
            let answers = matches!(h.kind, kind::ACK | kind::NACK);
            let never = matches!(h.kind, kind::PROBE | kind::RELEASE) || (f.lane == reply && !answers);
            let skip = (never || !mine.must, never || !mine.may);
            self.coming[f.lane] = Coming { open: !f.last, skip, message: self.messages };
            self.unsure += u64::from(skip.0 != skip.1);
            if f.lane == reply {
                if skip.1 {
                    return Asks::Pulse;
                }
                self.replies += 1;
                return Asks::Reply(h, !skip.0);
            }
        } else {
            self.coming[f.lane].open = !f.last;
        }
        if f.lane != reply {
            self.push(f.lane, Some(f), now);
        }
        Asks::Pulse
    }

    /// The link is down.
    pub fn falls(&mut self, now: u64) {
        for lane in 0..self.coming.len() {
            if std::mem::take(&mut self.coming[lane].open) && lane + 2 != self.coming.len() {
                self.push(lane, None, now);
            }
        }
    }

    /// The message in front of a lane is not for the host.
    fn refuse(&mut self, lane: usize) {
        if let Some(message) = self.due[lane].front().map(|d| d.message) {
            self.refused[lane] = message;
            self.due[lane].retain(|d| d.message != message);
        }
    }

    /// The host sees a flit (or a cut) on a lane: what it is to see there.
    fn next(&mut self, lane: usize, is: impl Fn(&Due) -> bool) -> Option<Due> {
        while self.due.get(lane)?.front().is_some_and(|d| !d.sure && !is(d)) {
            self.refuse(lane);
        }
        let due = self.due[lane].pop_front()?;
        // What has begun is for the host.
        self.due[lane].iter_mut().filter(|d| d.message == due.message).for_each(|d| d.sure = true);
        if self.coming[lane].message == due.message {
            self.coming[lane].skip = (false, false);
        }
        Some(due)
    }

    /// The host sees a flit.
    pub fn shows(&mut self, f: &Flit) -> Result<(), Broken> {
        self.shown += 1;
        let Some(due) = self.next(f.lane, |d| d.flit == Some(*f)) else {
            let text = format!("lane {}: the host sees a flit, and none is for it", f.lane);
            return broken("host", "YW1", text);
        };
        let Some(came) = due.flit else {
            let text = format!("lane {}: the host sees a flit, and the link cut its message off", f.lane);
            return broken("cut", "F1", text);
        };
        if came.data != f.data {
            let text = format!("lane {}: the host sees {:x?}, and {:x?} is next", f.lane, f.data, came.data);
            return broken("host", "YW1", text);
        }
        if came != *f {
            let of = |f: &Flit| format!("first {}, last {}, bad {}", f.first, f.last, f.bad);
            let text = format!("lane {}: the host sees {}, to be {}", f.lane, of(f), of(&came));
            return broken("host", "YW1", text);
        }
        Ok(())
    }

    /// What was coming in is cut off.
    pub fn cuts(&mut self, lane: usize) -> Result<(), Broken> {
        self.cuts += 1;
        match self.next(lane, |d| d.flit.is_none()) {
            Some(Due { flit: None, .. }) => Ok(()),
            _ => broken("cut", "F1", format!("lane {lane}: dlv_cut, and nothing was cut off")),
        }
    }

    /// The host sees what came in time.
    pub fn look(&mut self, now: u64) -> Result<(), Broken> {
        for lane in 0..self.due.len() {
            while let Some(d) = self.due[lane].front().copied().filter(|d| d.at + self.within < now) {
                if !d.sure {
                    self.refuse(lane);
                    continue;
                }
                let (kind, text) = match d.flit {
                    Some(f) => ("host", format!("flit {:x?} for the host is not shown", f.data)),
                    None => ("cut", "a message was cut off, and the host was not told".into()),
                };
                return broken(kind, "YW1 F1", format!("lane {lane}: {text} within {} cycles", self.within));
            }
        }
        Ok(())
    }
}
