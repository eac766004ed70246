//! What a downstream neighbour stops (E3, E5): the lines that an output has for sure, and those that it may have.

use super::control::{ALLOC, DEALLOC, Message, STOP};
use super::life::Life;
use crate::params::Params;

/// The largest LINE_TIMER.
pub(super) fn longest_life(p: &Params) -> u32 {
    u32::MAX >> (32 - p.timer_w.clamp(1, 32))
}

/// A line, as the messages say.
#[derive(Clone, Debug, Default)]
struct Line {
    /// It is there, as long as it does not expire.
    there: bool,
    vl: usize,
    root: u32,
    list: Vec<u16>,
    /// Since when all of this list is stopped.
    stopped: Option<u64>,
    /// Its last message.
    heard: u64,
    /// Something may be stopped by it, since a message of then; or nothing is, since then.
    maybe: bool,
    at: u64,
    /// The last stop that came while isolation was off.
    early: Option<u64>,
}

impl Line {
    /// Nothing is stopped by it any more.
    fn go(&mut self, now: u64) {
        if std::mem::take(&mut self.maybe) {
            self.at = now;
        }
    }

    /// It is none.
    fn end(&mut self, now: u64) {
        self.go(now);
        *self = Line { at: self.at, early: self.early, ..Line::default() };
    }
}

/// The lines of an output.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    vls: usize,
    lines: Vec<Line>,
    /// Isolation is on, and since when that is so.
    on: bool,
    since: u64,
    life: Life,
}

impl Stops {
    pub fn new(vls: usize, lines: usize, life: u64) -> Stops {
        Stops { vls, lines: vec![Line::default(); lines], on: false, since: 0, life: Life::new(life) }
    }

    /// Isolation is switched on or off. (A stop that came just before may be heard with it.)
    pub fn isolate(&mut self, on: bool, now: u64, late: u64) {
        if on != self.on {
            (self.on, self.since) = (on, now);
            let early = |l: &&mut Line| on && l.early.is_some_and(|at| now - at <= late);
            self.lines.iter_mut().filter(early).for_each(|l| (l.maybe, l.at) = (true, now));
        }
        if !on {
            self.fell(now);
        }
    }

    /// A line lives so long without a message, from some cycle soon.
    pub fn live(&mut self, life: u64, now: u64, late: u64) {
        // What is over is so, whatever life is written.
        for line in self.lines.iter_mut().filter(|l| l.maybe) {
            let end = self.life.end(line.at, late);
            if end <= now {
                (line.maybe, line.at) = (false, end);
            }
        }
        self.life.write(life, now, late);
        let least = self.life.least(now, late);
        for line in self.lines.iter_mut().filter(|l| now - l.heard + 2 * late >= least) {
            (line.there, line.stopped) = (false, None);
        }
    }

    /// The link is down, or isolation off: no line is there.
    pub fn fell(&mut self, now: u64) {
        self.lines.iter_mut().for_each(|l| l.end(now));
    }

    /// Since when nothing may be stopped, if nothing is.
    pub fn clear(&self, now: u64, late: u64) -> Option<u64> {
        let free = |l: &Line| if l.maybe { self.life.end(l.at, late) } else { l.at };
        let since = self.lines.iter().map(free).max().unwrap_or(0);
        (since <= now).then_some(since)
    }

    /// A message came; `late`: a register written is seen so many cycles later at most.
    pub fn message(&mut self, m: &Message, now: u64, late: u64) {
        if m.line >= self.lines.len() || m.vl >= self.vls {
            return;
        }
        let line = &mut self.lines[m.line];
        if !self.on {
            if m.kind == STOP || m.kind == ALLOC && m.stop {
                line.early = Some(now);
            }
            return;
        }
        // A life from before a write may be over before that is seen.
        let least = self.life.least(now, late);
        let sure = now - self.since > late && !(self.life.is_new(now, late) && least <= late);
        // By its timer it may have ended.
        if now - line.heard + late >= least {
            (line.there, line.stopped) = (false, None);
        }
        match m.kind {
            ALLOC => {
                let same = line.there && line.vl == m.vl && line.root == m.root && line.list == m.list;
                let before = line.stopped.filter(|_| same);
                let at = if m.stop || line.maybe { now } else { line.at };
                *line = Line {
                    there: sure,
                    vl: m.vl,
                    root: m.root,
                    list: m.list.clone(),
                    stopped: (m.stop && sure).then(|| before.unwrap_or(now)),
                    heard: now,
                    maybe: m.stop,
                    at,
                    early: None,
                };
            }
            STOP => {
                (line.maybe, line.at) = (true, now);
                if line.there && m.vl == line.vl {
                    (line.stopped, line.heard) = (line.stopped.or(Some(now)), now);
                }
            }
            _ if m.vl != line.vl => {}
            DEALLOC => line.end(now),
            _ => {
                (line.stopped, line.heard) = (None, now);
                line.go(now);
            }
        }
    }

    /// The line that stops data to `dlid` on `vl`, and since when, if one does for sure.
    pub fn stops(&self, vl: usize, dlid: u16, now: u64, late: u64) -> Option<(usize, u64)> {
        let of = |l: &Line| {
            l.there && l.vl == vl && l.list.contains(&dlid) && now - l.heard + late < self.life.written
        };
        let all = self.lines.iter().enumerate().filter(|(_, l)| of(l));
        all.filter_map(|(k, l)| l.stopped.map(|since| (k, since))).min_by_key(|s| s.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u32, stop: bool, list: &[u16]) -> Message {
        Message { kind, stop, line: 1, vl: 0, root: 5, list: list.to_vec() }
    }

    const GO: u32 = 3;

    #[test]
    fn a_line_stops_what_it_lists_while_it_is_there() {
        let mut s = Stops::new(2, 2, 100);
        s.isolate(true, 0, 4);
        // Before isolation is on for sure.
        s.message(&message(ALLOC, true, &[7]), 2, 4);
        assert_eq!((s.stops(0, 7, 2, 4), s.clear(2, 4)), (None, None));
        s.message(&message(ALLOC, true, &[7]), 10, 4);
        assert_eq!(s.stops(0, 7, 12, 4), Some((1, 10)));
        assert_eq!((s.stops(1, 7, 12, 4), s.stops(0, 8, 12, 4)), (None, None));
        // A list that grows stops anew.
        s.message(&message(ALLOC, true, &[7, 8]), 20, 4);
        assert_eq!(s.stops(0, 7, 22, 4), Some((1, 20)));
        s.message(&message(GO, false, &[]), 30, 4);
        assert_eq!((s.stops(0, 7, 31, 4), s.clear(31, 4)), (None, Some(30)));
        s.message(&message(STOP, false, &[]), 40, 4);
        assert_eq!((s.stops(0, 8, 41, 4), s.clear(41, 4)), (Some((1, 40)), None));
        // It may have expired, then, and has for sure.
        assert_eq!((s.clear(143, 4), s.clear(144, 4)), (None, Some(144)));
        assert_eq!((s.stops(0, 8, 135, 4), s.stops(0, 8, 136, 4)), (Some((1, 40)), None));
        s.message(&message(STOP, false, &[]), 136, 4);
        assert_eq!(s.stops(0, 8, 137, 4), None);
        s.message(&message(DEALLOC, false, &[]), 138, 4);
        assert_eq!(s.clear(138, 4), Some(138));
        // What is none, and what is off.
        s.message(&Message { line: 2, ..message(ALLOC, true, &[7]) }, 140, 4);
        s.message(&Message { vl: 2, ..message(ALLOC, true, &[7]) }, 140, 4);
        s.isolate(false, 141, 4);
        s.message(&message(ALLOC, true, &[7]), 142, 4);
        assert_eq!((s.stops(0, 7, 143, 4), s.clear(143, 4)), (None, Some(138)));
    }

    #[test]
    fn with_another_life_a_line_may_have_ended() {
        for ((before, after), (now, there)) in [
            ((100, 50), (51, Some((1, 10)))),
            ((100, 50), (52, None)),
            ((50, 100), (51, Some((1, 10)))),
            ((50, 100), (52, None)),
        ] {
            let mut s = Stops::new(2, 2, before);
            s.isolate(true, 0, 4);
            s.message(&message(ALLOC, true, &[7]), 10, 4);
            s.live(after, now, 4);
            assert_eq!((s.stops(0, 7, now, 4), s.clear(now, 4)), (there, None));
            s.message(&message(ALLOC, true, &[7, 8]), 60, 4);
            assert_eq!(s.stops(0, 7, 62, 4), Some((1, 60)));
        }
    }

    #[test]
    fn a_shorter_life_frees_nothing_before_it_is_written() {
        let stopped = |life| {
            let mut s = Stops::new(2, 2, life);
            s.isolate(true, 0, 4);
            s.message(&message(ALLOC, true, &[7]), 10, 4);
            s
        };
        let mut s = stopped(100);
        s.live(50, 80, 4);
        assert_eq!((s.clear(83, 4), s.clear(84, 4), s.clear(200, 4)), (None, Some(84), Some(84)));
        let mut s = stopped(20);
        s.live(10, 60, 4);
        assert_eq!((s.clear(60, 4), s.clear(200, 4)), (Some(34), Some(34)));
        s.live(100, 70, 4);
        assert_eq!(s.clear(71, 4), Some(34));
    }

    #[test]
    fn what_comes_about_a_write_may_be_heard_or_end() {
        // A stop just before isolation is on.
        let mut s = Stops::new(2, 2, 100);
        s.message(&message(ALLOC, true, &[7]), 10, 4);
        s.isolate(true, 12, 4);
        assert_eq!((s.stops(0, 7, 20, 4), s.clear(20, 4), s.clear(116, 4)), (None, None, Some(116)));
        let mut s = Stops::new(2, 2, 100);
        s.message(&message(ALLOC, true, &[7]), 10, 4);
        s.isolate(true, 15, 4);
        assert_eq!(s.clear(20, 4), Some(0));
        // A life that was too short just after a longer one is written.
        let mut s = Stops::new(2, 2, 2);
        s.isolate(true, 0, 4);
        s.live(100, 10, 4);
        s.message(&message(ALLOC, true, &[7]), 12, 4);
        assert_eq!((s.stops(0, 7, 30, 4), s.clear(30, 4)), (None, None));
        s.message(&message(ALLOC, true, &[7]), 31, 4);
        assert_eq!(s.stops(0, 7, 32, 4), Some((1, 31)));
    }
}
