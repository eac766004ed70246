//! Flits from the crossbar to the link (B2, B3, F1): each leaves once, in order, and as it came but for FECN.

use std::collections::VecDeque;

use crate::cosim::events::headers::Headers;
use crate::cosim::events::register::Told;
use crate::cosim::events::scoreboard::{Broken, broken};

/// A flit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flit {
    pub first: bool,
    pub last: bool,
    pub bad: bool,
    /// Without FECN.
    pub data: Vec<u32>,
}

/// What comes over the crossbar in a cycle.
#[derive(Clone, Debug)]
pub(super) struct Crosses {
    pub flit: Flit,
    /// Marks of a first flit that may be set here.
    pub marks: u32,
    /// Its input wants it marked; it is one of those that are counted to be (SM3, SM4).
    pub asked: bool,
    pub counted: Told,
}

/// One that came.
#[derive(Clone, Debug)]
pub(super) struct Came {
    pub what: Crosses,
    /// The VL by whose credits it goes, if it has one.
    pub vl: Option<usize>,
    pub at: u64,
    /// It may be lost with the link; it is, as its inputs are.
    pub may: bool,
    lost: bool,
}

/// What has crossed and not left.
#[derive(Clone, Debug)]
pub(super) struct Crossing {
    headers: Headers,
    vls: usize,
    /// Tolerances: cycles in which a link that fell or rose may not be seen, and without a flit.
    fall: u64,
    read: u64,
    queue: VecDeque<Came>,
    /// The packet that crosses: VL, length, flits that came.
    open: Option<(usize, usize, usize)>,
    /// And of the last one that crossed, whose flits are lost.
    lost_vl: Option<usize>,
    /// Packets granted that have not crossed, of these those that are lost, and those that may be.
    due: u32,
    lost: u32,
    doubt: u32,
    /// The first and the last cycle in which the link was down, and the last flit that left.
    down: Option<(u64, u64)>,
    left: u64,
    pub lost_flits: u64,
}

impl Crossing {
    pub fn new(headers: Headers, vls: usize, (fall, read): (u64, u64)) -> Crossing {
        Crossing {
            headers,
            vls,
            fall,
            read,
            queue: VecDeque::new(),
            open: None,
            lost_vl: None,
            due: 0,
            lost: 0,
            doubt: 0,
            down: None,
            left: 0,
            lost_flits: 0,
        }
    }

    /// What crosses in a cycle, with a grant or none. VL and blocks that a packet gives back which is shorter than its header says.
    pub fn comes(
        &mut self,
        up: bool,
        crosses: Option<Crosses>,
        granted: bool,
        now: u64,
    ) -> Option<(usize, usize)> {
        if !up {
            let from = self.down.filter(|d| d.1 + 1 == now).map_or(now, |d| d.0);
            self.down = Some((from, now));
            self.open = None;
            self.queue.iter_mut().for_each(|f| f.may = true);
        }
        let ends = u32::from(crosses.as_ref().is_some_and(|f| f.flit.last));
        let dropped = !up || self.lost > 0;
        let near = self.down.is_some_and(|d| now - if up { d.1 } else { d.0 } <= self.fall);
        let mut back = None;
        if let Some(crosses) = crosses {
            let flit = &crosses.flit;
            if dropped {
                self.lost_flits += 1;
                if near {
                    let vl = flit.first.then(|| self.headers.class(&flit.data).vl).or(self.lost_vl);
                    self.lost_vl = vl;
                    let vl = vl.filter(|v| *v < self.vls);
                    self.queue.push_back(Came { what: crosses, vl, at: now, may: true, lost: true });
                }
            } else {
                if flit.first {
                    self.lost_vl = Some(self.headers.class(&flit.data).vl);
                    self.open = Some((self.headers.class(&flit.data).vl, Headers::length(&flit.data), 0));
                }
                let vl = self.open.map(|o| o.0).filter(|v| *v < self.vls);
                if let Some(open) = &mut self.open {
                    open.2 += 1;
                }
                if flit.last
                    && let Some((_, n, m)) = self.open.take()
                    && m < n
                {
                    back = vl.map(|v| (v, n - m));
                }
                let may = near || self.doubt > 0;
                self.queue.push_back(Came { what: crosses, vl, at: now, may, lost: false });
            }
        }
        self.due = (self.due.saturating_sub(ends) + u32::from(granted)).min(3);
        self.lost = if up { self.lost.saturating_sub(ends) } else { self.due };
        self.doubt = if near || !up { self.due } else { self.doubt.saturating_sub(ends) };
        back
    }

    /// A flit leaves, on a link that is up or not: which one it is.
    pub fn leaves(&mut self, flit: &Flit, up: bool, now: u64) -> Result<Option<Came>, Broken> {
        let before = self.queue.iter().position(|c| !c.may);
        let equal = |lost| self.queue.iter().position(|c| c.what.flit == *flit && (lost || !c.lost));
        // What was lost with the link, by its inputs, goes only if nothing else is like it.
        let at = equal(false).filter(|at| before.is_none_or(|b| *at <= b)).or(equal(true));
        if let Some(at) = at
            && before.is_none_or(|b| at <= b)
        {
            self.left = now;
            return Ok(self.queue.remove(at));
        }
        if !up {
            return Ok(None);
        }
        let Some(next) = before.map(|b| &self.queue[b].what.flit) else {
            return broken("stranger", "B3", "a flit leaves that did not cross".into());
        };
        if at.is_some() {
            return broken("lost", "B3", "a flit leaves, and one that crossed before it has not".into());
        }
        let ends = |f: &Flit| (f.first, f.last, f.bad);
        if ends(next) != ends(flit) {
            let text = format!(
                "a flit leaves with first, last, bad {:?}; the next one that crossed has {:?}",
                ends(flit),
                ends(next)
            );
            return broken("framing", "B3", text);
        }
        broken("intact", "B3", "a flit leaves otherwise than it crossed".into())
    }

    /// The end of a cycle: what must leave does.
    pub fn moves(&mut self, now: u64) -> Result<(), Broken> {
        let read = self.read;
        while self.queue.front().is_some_and(|f| f.may && now - f.at > read + self.fall) {
            self.queue.pop_front();
        }
        let Some(next) = self.queue.iter().find(|f| !f.may) else { return Ok(()) };
        let since = next.at.max(self.left);
        if now - since > read {
            return broken(
                "stuck",
                "B2",
                format!("no flit leaves for {} cycles, though one has crossed", now - since),
            );
        }
        Ok(())
    }
}
