//! Stops of an adapter's flows, and how the flows of a line take turns after a stop (`docs/hca.md` section 2).

use super::bits::Bits;
use super::credit::NEVER;
use super::lines::OutLines;

/// An output CAM line as the adapter sees it, and its turns.
#[derive(Clone, Debug, Default)]
struct Line {
    valid: bool,
    stop: bool,
    /// A stop of it ends in this cycle.
    ends: bool,
    dlist: Vec<u16>,
    fresh: bool,
    turn: usize,
}

impl Line {
    /// The flow whose turn it is.
    fn named(&self) -> Option<usize> {
        self.dlist.get(self.turn).and_then(|d| flow(*d))
    }
}

/// The flow of a destination.
fn flow(dlid: u16) -> Option<usize> {
    usize::from(dlid).checked_sub(1)
}

/// Turns of all lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    lines: Vec<Line>,
    dlist: usize,
    flows: usize,
    /// The first ready cycle, in which the slot is line 0's.
    ready: u64,
    /// Lines have changed in this cycle, or some have turns to follow.
    live: bool,
    /// In the last cycle lines had changed; a turn went on.
    seen: bool,
    moved: bool,
}

impl Stops {
    /// `ready` is the first ready cycle.
    pub fn new(lines: usize, dlist: usize, flows: usize, ready: u64) -> Stops {
        Stops { lines: vec![Line::default(); lines], dlist, flows, ready, ..Stops::default() }
    }

    /// The lines are these from this cycle on.
    pub fn see(&mut self, from: &OutLines) {
        for (k, (l, new)) in self.lines.iter_mut().zip(&from.lines).enumerate() {
            let (valid, stop) = (from.valid >> k & 1 != 0, from.stop >> k & 1 != 0);
            l.ends = l.valid && l.stop && valid && !stop;
            (l.valid, l.stop) = (valid, stop);
            l.dlist.clone_from(&new.dlist);
        }
        (self.live, self.seen) = (true, true);
    }

    /// Cycles are to be followed.
    pub fn live(&self) -> bool {
        self.live
    }

    /// A packet of the flow, accepted in this cycle, uses the turn of a stopped line: the cycle is to be followed.
    pub fn uses_turn(&self, flow: usize) -> bool {
        self.lines.iter().any(|l| l.valid && l.stop && l.named() == Some(flow))
    }

    fn slot(&self, t: u64) -> usize {
        ((t - self.ready) % self.lines.len() as u64) as usize
    }

    /// The turn of the slot's line goes on for want of a packet; `able` says of which flows nothing but a stop or credits keeps
    /// one back.
    pub fn search(&self, t: u64, able: impl Fn(usize) -> bool) -> bool {
        let l = &self.lines[self.slot(t)];
        l.fresh && !l.named().is_some_and(able)
    }

    /// The end of cycle `t`, in which a packet of flow `accepted` was accepted. `stopped` are the flows stopped in the next.
    pub fn step(&mut self, t: u64, accepted: Option<usize>, search: bool, stopped: &mut Bits) {
        let slot = self.slot(t);
        stopped.clear();
        (self.live, self.moved) = (false, false);
        for (k, l) in self.lines.iter_mut().enumerate() {
            let goes = accepted.is_some() && l.named() == accepted;
            let ends = std::mem::take(&mut l.ends);
            let fresh = ends || l.fresh && l.valid && !l.stop && !goes;
            for (d, dlid) in l.dlist.iter().enumerate().filter(|_| l.valid) {
                if (l.stop || fresh && d != l.turn)
                    && let Some(f) = flow(*dlid).filter(|f| *f < self.flows)
                {
                    stopped.set(f, true);
                }
            }
            let turn = if !l.valid || l.turn >= l.dlist.len() {
                0
            } else if (l.fresh || l.stop) && goes || search && k == slot {
                (l.turn + 1) % self.dlist
            } else {
                l.turn
            };
            self.moved |= l.turn != turn;
            (l.fresh, l.turn) = (fresh, turn);
            self.live |= fresh || turn >= l.dlist.len() && turn > 0;
        }
    }

    /// Cycle `t` is next: the first from it on in which stops differ for a flow that is able, or earlier.
    pub fn next(&mut self, t: u64, able: impl Fn(usize) -> bool) -> u64 {
        if std::mem::take(&mut self.seen) {
            return t;
        }
        let mut next = NEVER;
        for (k, l) in self.lines.iter().enumerate().filter(|(_, l)| self.live && l.fresh) {
            let n = l.dlist.len();
            let ahead = (0..n).find(|a| flow(l.dlist[(l.turn + a) % n]).is_some_and(&able));
            let slots = self.lines.len();
            let slot = t + ((k + slots - self.slot(t)) % slots) as u64;
            // A turn that comes to a flow in one cycle shows in its stop two cycles later.
            next = next.min(match ahead {
                None => NEVER,
                Some(0) if self.moved => t + 1,
                Some(0) if l.turn < n => NEVER,
                Some(a) => slot + (a.max(1) as u64 - 1) * slots as u64 + 1,
            });
        }
        next
    }

    /// Cycles `from` to before `to`, in which nothing happens and `able` stays.
    pub fn skip(&mut self, from: u64, to: u64, able: impl Fn(usize) -> bool, stopped: &mut Bits) {
        // A line goes round its list in so many cycles at most, and from then on in the same way again and again.
        let round = (self.lines.len() * (self.dlist + 1)) as u64;
        let mut t = from;
        if to - from > 2 * round {
            (from..from + round).for_each(|t| self.idle(t, &able, stopped));
            t += round;
            let period: u64 = self.lines.iter().map(|l| self.period(l)).fold(1, lcm);
            t += (to - t).saturating_sub(1) / period * period;
        }
        (t..to).for_each(|t| self.idle(t, &able, stopped));
    }

    fn idle(&mut self, t: u64, able: impl Fn(usize) -> bool, stopped: &mut Bits) {
        let search = self.search(t, able);
        self.step(t, None, search, stopped);
    }

    /// After so many cycles a line that nothing happens to is again as it is.
    fn period(&self, l: &Line) -> u64 {
        match (l.fresh, l.dlist.len() as u64, self.lines.len() as u64) {
            (false, _, _) | (_, 0, _) => 1,
            // The cycle in which the turn comes back to 0 is one of the only line's slots.
            (true, n, 1) => n + u64::from(n < self.dlist as u64),
            (true, n, lines) => n * lines,
        }
    }

    /// Of each line, whether it is fresh, and its turn.
    pub fn turns(&self) -> impl Iterator<Item = (bool, usize)> {
        self.lines.iter().map(|l| (l.fresh, l.turn))
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    a / gcd(a, b) * b
}
