//! The lines of an output as the neighbour's messages have them (E3, E5, E6, E8): what is there for sure, and what may be.

use crate::cosim::events::control::{ALLOC, DEALLOC, Message, STOP};
use crate::cosim::events::life::Life;
use crate::cosim::events::scoreboard::{Broken, broken};

/// The tree that a line belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    pub vl: usize,
    pub root: u32,
    pub hops: u32,
    pub list: Vec<u16>,
}

impl Tree {
    fn lists(&self, vl: usize, dlid: u16) -> bool {
        self.vl == vl && self.list.contains(&dlid)
    }
}

/// A tree from before.
#[derive(Clone, Debug)]
struct Old {
    tree: Tree,
    /// When it ended, and the last cycle in which it may be shown but for lateness.
    ended: u64,
    shown: u64,
}

impl Old {
    fn of(tree: Tree, now: u64) -> Old {
        Old { tree, ended: now, shown: now }
    }
}

#[derive(Clone, Debug, Default)]
struct Line {
    tree: Option<Tree>,
    stop: bool,
    /// The tree may have ended, or never come.
    doubt: bool,
    /// The last change of the tree, and of its stop.
    changed: u64,
    turned: u64,
    /// It has been stopped: a turn may be due.
    turns: bool,
    /// The last message.
    heard: u64,
    /// Trees from before that may still be shown.
    old: Vec<Old>,
    /// The last of these may be closing.
    closing: bool,
    /// A tree that came while isolation was off, whether it is stopped, and when: a design may see the register before it sees that.
    early: Option<(Tree, bool, u64)>,
    /// It was another tree's for sure until then: it is to be away in between.
    taken: Option<u64>,
    /// The last cycle in which it was not shown, and in which it had not been for two.
    gone: u64,
    away: u64,
}

impl Line {
    fn end(&mut self, now: u64, closing: bool) {
        if let Some(tree) = self.tree.take() {
            self.old.push(Old::of(tree, now));
            self.closing = closing;
        }
        (self.stop, self.doubt, self.turns, self.taken) = (false, false, false, None);
        (self.changed, self.turned) = (now, now);
    }

    /// A message while isolation is off.
    fn unheard(&mut self, m: &Message, tree: Tree, now: u64) {
        let before = self.early.take();
        self.early = match before {
            _ if m.kind == ALLOC => Some((tree, m.stop, now)),
            Some((t, ..)) if t.vl == m.vl && m.kind != DEALLOC => Some((t, m.kind == STOP, now)),
            Some(e) if e.0.vl == m.vl => {
                self.old.push(Old::of(e.0, now));
                None
            }
            other => other,
        };
    }

    /// Isolation is on: what came just before may be there.
    fn may_be(&mut self, late: u64, now: u64) {
        if let Some((tree, stop, at)) = self.early.take().filter(|e| now - e.2 <= late) {
            (self.tree, self.stop, self.heard) = (Some(tree), stop, at);
            (self.doubt, self.turns) = (true, true);
            (self.changed, self.turned) = (now, now);
        }
    }

    /// All that it may be.
    fn all(&self) -> impl Iterator<Item = &Tree> {
        self.tree.iter().chain(self.old.iter().map(|o| &o.tree)).chain(self.early.iter().map(|e| &e.0))
    }
}

/// All lines.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    vls: usize,
    lines: Vec<Line>,
    /// Tolerances: until a message or a register is seen, and until a stop is.
    late: u64,
    stop: u64,
    /// Isolation is on, and since when that is so.
    on: bool,
    since: u64,
    life: Life,
}

impl Lines {
    pub fn new(vls: usize, lines: usize, life: u64, (late, stop): (u64, u64)) -> Lines {
        let lines = vec![Line::default(); lines];
        Lines { vls, lines, late, stop, on: false, since: 0, life: Life::new(life) }
    }

    /// Isolation is switched on or off.
    pub fn isolate(&mut self, on: bool, now: u64) {
        if on != self.on {
            (self.on, self.since) = (on, now);
            if on {
                self.lines.iter_mut().for_each(|l| l.may_be(self.late, now));
            }
        }
        if !on {
            self.fell(now);
        }
    }

    /// The link is down, or isolation off: all lines end.
    pub fn fell(&mut self, now: u64) {
        self.lines.iter_mut().for_each(|l| l.end(now, false));
    }

    /// LINE_TIMER is written.
    pub fn live(&mut self, life: u64, now: u64) {
        self.life.write(life, now, self.late);
        let least = self.life.least(now, self.late);
        for line in self.lines.iter_mut().filter(|l| now - l.heard + 2 * self.late >= least) {
            line.doubt = line.tree.is_some();
        }
    }

    /// A message came, with the hops of its tree.
    pub fn message(&mut self, m: &Message, hops: u32, now: u64) {
        if m.line >= self.lines.len() || m.vl >= self.vls {
            return;
        }
        let tree = Tree { vl: m.vl, root: m.root, hops, list: m.list.clone() };
        if !self.on {
            return self.lines[m.line].unheard(m, tree, now);
        }
        let heard = now - self.since > self.late;
        let sure = self.tree(m.line, now).is_some() && self.lines[m.line].old.is_empty();
        let line = &mut self.lines[m.line];
        let least = self.life.least(now, self.late);
        if line.tree.is_some() && now - line.heard + self.late >= least {
            line.doubt = true;
        }
        if m.kind == ALLOC {
            let same = line
                .tree
                .as_ref()
                .is_some_and(|t| t.vl == tree.vl && t.root == tree.root && tree.list.starts_with(&t.list));
            let turns = line.turns || line.closing;
            if sure && !same {
                line.taken = Some(now);
            } else if !sure {
                line.taken = None;
            }
            if line.tree.as_ref() != Some(&tree) || line.doubt {
                line.old.extend(line.tree.take().map(|t| Old::of(t, now)));
                line.changed = now;
            }
            line.tree = Some(tree);
            if line.stop != m.stop || !same {
                line.turned = now;
            }
            line.turns = m.stop || turns;
            (line.stop, line.doubt, line.heard, line.closing) = (m.stop, !heard, now, false);
            return;
        }
        if line.tree.as_ref().is_none_or(|t| t.vl != m.vl) {
            return;
        }
        if m.kind == DEALLOC {
            return line.end(now, true);
        }
        let stop = m.kind == STOP;
        if stop != line.stop {
            (line.stop, line.turned) = (stop, now);
        }
        line.turns |= stop;
        line.heard = now;
        line.doubt |= !heard;
    }

    /// The end of a cycle: lines for which packets wait at some input, a bit each.
    pub fn cycle(&mut self, pend: u32, now: u64) {
        let late = self.late;
        let (new, least) = (self.life.is_new(now, late), self.life.least(now, late));
        for (k, line) in self.lines.iter_mut().enumerate() {
            // A life from before a write may be over before that is seen.
            if new && now - line.heard + late >= least {
                line.doubt = line.tree.is_some();
            }
            if line.early.as_ref().is_some_and(|e| now - e.2 > late) {
                line.early = None;
            }
            if line.tree.is_none() && line.old.is_empty() {
                continue;
            }
            if line.tree.is_some() && now > self.life.end(line.heard, late) {
                line.end(now, true);
            }
            // (It may end later, while packets wait.)
            line.closing &= pend >> k & 1 == 1 || line.old.last().is_some_and(|o| now - o.ended <= late);
            if line.closing
                && pend >> k & 1 == 1
                && let Some(last) = line.old.last_mut()
            {
                last.shown = now;
            }
            line.old.retain(|o| now - o.shown <= late);
        }
    }

    /// The tree of a line that is there for sure.
    pub fn tree(&self, k: usize, now: u64) -> Option<&Tree> {
        let line = &self.lines[k];
        let fine = !line.doubt
            && now - line.changed > self.late
            && now - line.heard + self.late < self.life.written
            && now - self.since > self.late;
        line.tree.as_ref().filter(|_| fine && self.on)
    }

    fn is_stopped(&self, k: usize, now: u64) -> bool {
        let line = &self.lines[k];
        line.stop && self.tree(k, now).is_some() && now - line.turned > self.stop
    }

    /// A line that has stopped data to `dlid` on `vl` for long, and since when.
    pub fn stops(&self, vl: usize, dlid: u16, now: u64) -> Option<(usize, u64)> {
        (0..self.lines.len())
            .find(|&k| self.is_stopped(k, now) && self.tree(k, now).is_some_and(|t| t.lists(vl, dlid)))
            .map(|k| (k, self.lines[k].turned))
    }

    /// A line stops them, and may not have been heard.
    pub fn may_stop(&self, vl: usize, dlid: u16, now: u64) -> bool {
        let stops = |l: &Line| l.stop && l.tree.as_ref().is_some_and(|t| t.lists(vl, dlid));
        self.stops(vl, dlid, now).is_none() && self.lines.iter().any(stops)
    }

    /// It may list these.
    pub fn may_list(&self, k: usize, vl: usize, dlid: u16) -> bool {
        self.lines.get(k).is_some_and(|l| l.all().any(|t| t.lists(vl, dlid)))
    }

    /// Lines that may hold them back, or be told of.
    pub fn free(&self, vl: usize, dlid: u16, now: u64) -> bool {
        (0..self.lines.len()).filter(|k| self.may_list(*k, vl, dlid)).all(|k| {
            let line = &self.lines[k];
            !line.stop && !line.turns && line.old.is_empty() && self.tree(k, now).is_some()
        })
    }

    /// The first line that lists them, if it is sure which one that is.
    pub fn first(&self, vl: usize, dlid: u16, now: u64) -> Option<usize> {
        let first = (0..self.lines.len()).find(|&k| self.may_list(k, vl, dlid))?;
        let sure =
            self.lines[first].old.is_empty() && self.tree(first, now).is_some_and(|t| t.lists(vl, dlid));
        sure.then_some(first)
    }

    /// A tree goes, or another one takes its place: a turn may be lost, and the round robin goes on from anywhere.
    pub fn may_lose_a_turn(&self) -> bool {
        self.lines.iter().any(|l| !l.old.is_empty())
    }

    /// It has not been stopped since it is there.
    pub fn never_stopped(&self, k: usize, now: u64) -> bool {
        let line = &self.lines[k];
        self.tree(k, now).is_some() && line.old.is_empty() && !line.turns
    }

    /// A request to `dlid` on `vl` is told of line `k`: its root and hops are those of a tree that lists it. (Of one that has ended nobody is
    /// told, even if it stays for a turn.)
    pub fn told(&self, k: usize, (vl, dlid): (usize, u16), (root, hops): (u32, u32), now: u64) -> bool {
        let is = |t: &Tree| t.lists(vl, dlid) && t.root == root && (t.hops + 1).min(63) == hops;
        let ends = |o: &Old| now - o.ended <= self.late && is(&o.tree);
        let may = |l: &Line| l.early.as_ref().is_some_and(|e| is(&e.0)) || l.old.iter().any(ends);
        self.lines.get(k).is_some_and(|l| l.tree.as_ref().is_some_and(is) || may(l))
    }

    /// What the port shows of them.
    pub fn shown(&mut self, valid: u32, stop: u32, now: u64) -> Result<(), Broken> {
        for (k, line) in self.lines.iter_mut().enumerate() {
            if valid >> k & 1 == 1 {
                continue;
            }
            if line.gone + 1 == now {
                line.away = now;
            }
            line.gone = now;
        }
        for (k, line) in self.lines.iter().enumerate() {
            let (valid, stop) = (valid >> k & 1 == 1, stop >> k & 1 == 1);
            // (The message may be seen late, and then there are two cycles.)
            let stays = line.taken.is_some_and(|at| now - at == self.late + 3 && line.away <= at);
            let sure = line.old.is_empty() && line.early.is_none();
            let none = sure && line.tree.is_none() && (line.changed == 0 || now - line.changed > self.late);
            let free = sure && !line.stop && now - line.turned > self.stop;
            let text = match () {
                _ if !valid && self.tree(k, now).is_some() => "is there, and is not shown",
                _ if valid && none => "is not there, and is shown",
                _ if !stop && self.is_stopped(k, now) => "is stopped, and not shown so",
                _ if stop && (none || free) => "is not stopped, and shown so",
                _ if valid && stays => "has become another tree's, and was not away for two cycles",
                _ => continue,
            };
            return broken("line", "E3 E5 E6", format!("line {k} {text}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::events::scoreboard::kind;

    const GO: u32 = 3;

    fn message(kind: u32, stop: bool, list: &[u16]) -> Message {
        Message { kind, stop, line: 1, vl: 0, root: 5, list: list.to_vec() }
    }

    /// Isolation is on for long.
    fn on(life: u64) -> Lines {
        let mut l = Lines::new(2, 2, life, (4, 6));
        l.isolate(true, 0);
        l
    }

    #[test]
    fn a_line_is_there_from_its_message_to_its_end() {
        let mut l = on(1000);
        l.message(&message(ALLOC, false, &[7]), 2, 10);
        // It may be shown or not, then must.
        assert_eq!((l.shown(0, 0, 14), l.shown(2, 0, 14)), (Ok(()), Ok(())));
        assert_eq!((l.shown(2, 0, 15), kind(l.shown(0, 0, 15))), (Ok(()), "line"));
        assert_eq!((kind(l.shown(3, 0, 15)), kind(l.shown(2, 2, 17))), ("line", "line"));
        assert_eq!((l.first(0, 7, 15), l.first(0, 8, 15), l.first(1, 7, 15)), (Some(1), None, None));
        assert!(
            l.told(1, (0, 7), (5, 3), 15) && !l.told(1, (0, 7), (5, 2), 15) && !l.told(1, (0, 7), (4, 3), 15)
        );
        assert!(l.free(0, 7, 15) && l.never_stopped(1, 15));
        l.message(&message(DEALLOC, false, &[]), 0, 20);
        // Packets wait for it: it may be closing, and need not.
        (20..40).for_each(|now| l.cycle(2, now));
        assert_eq!((l.shown(2, 0, 40), l.shown(0, 0, 40), l.may_list(1, 0, 7)), (Ok(()), Ok(()), true));
        // Nobody is told of it any more.
        assert!(l.told(1, (0, 7), (5, 3), 24) && !l.told(1, (0, 7), (5, 3), 25));
        (40..46).for_each(|now| l.cycle(0, now));
        assert_eq!(
            (kind(l.shown(2, 0, 46)), l.shown(0, 0, 46), l.may_list(1, 0, 7)),
            ("line", Ok(()), false)
        );
    }

    #[test]
    fn a_stop_holds_and_is_shown() {
        let mut l = on(1000);
        l.message(&message(ALLOC, false, &[7]), 2, 10);
        l.message(&message(STOP, true, &[]), 0, 20);
        assert_eq!((l.stops(0, 7, 26), l.stops(0, 7, 27), l.stops(0, 8, 27)), (None, Some((1, 20)), None));
        assert_eq!((l.shown(2, 0, 26), kind(l.shown(2, 0, 27)), l.shown(2, 2, 27)), (Ok(()), "line", Ok(())));
        assert!(!l.free(0, 7, 27) && l.free(0, 8, 27) && !l.never_stopped(1, 27));
        // A turn may be due after it.
        l.message(&message(GO, false, &[]), 0, 30);
        assert_eq!((l.shown(2, 2, 36), kind(l.shown(2, 2, 37)), l.free(0, 7, 40)), (Ok(()), "line", false));
        // Of another VL, or of a line that is none: nothing.
        l.message(&Message { vl: 1, ..message(STOP, true, &[]) }, 0, 40);
        l.message(&Message { line: 0, ..message(STOP, true, &[]) }, 0, 40);
        assert_eq!(l.shown(2, 0, 50), Ok(()));
    }

    #[test]
    fn a_line_without_messages_ends_and_what_came_about_then_is_in_doubt() {
        let mut l = on(100);
        l.message(&message(ALLOC, true, &[7]), 2, 10);
        assert!(l.tree(1, 105).is_some() && l.tree(1, 106).is_none());
        // Either it ended before this, or lives on.
        l.message(&message(STOP, true, &[]), 0, 108);
        (108..150).for_each(|now| l.cycle(0, now));
        assert_eq!((l.shown(0, 0, 150), l.shown(2, 2, 150), l.stops(0, 7, 150)), (Ok(()), Ok(()), None));
        (150..220).for_each(|now| l.cycle(0, now));
        assert_eq!(kind(l.shown(2, 2, 220)), "line");
        // A shorter life.
        l.message(&message(ALLOC, true, &[7]), 2, 220);
        assert!(l.tree(1, 230).is_some());
        l.live(15, 230);
        assert!(l.tree(1, 231).is_none());
        l.isolate(false, 232);
        (232..240).for_each(|now| l.cycle(0, now));
        assert_eq!(kind(l.shown(2, 0, 240)), "line");
        l.message(&message(ALLOC, true, &[7]), 2, 240);
        (240..246).for_each(|now| l.cycle(0, now));
        assert!(!l.may_list(1, 0, 7));
    }

    #[test]
    fn another_tree_takes_the_place_of_one() {
        let mut l = on(1000);
        l.message(&message(ALLOC, true, &[7]), 2, 10);
        assert!(!l.may_lose_a_turn());
        l.message(&Message { root: 6, ..message(ALLOC, false, &[8]) }, 0, 20);
        l.cycle(0, 20);
        assert!(l.may_lose_a_turn());
        // Of both may be told, for a while.
        assert!(
            l.told(1, (0, 7), (5, 3), 22) && l.told(1, (0, 8), (6, 1), 22) && l.first(0, 8, 22).is_none()
        );
        (21..30).for_each(|now| l.cycle(0, now));
        assert!(!l.told(1, (0, 7), (5, 3), 30) && l.first(0, 8, 30) == Some(1));
    }

    #[test]
    fn a_line_that_becomes_another_tree_is_away_for_two_cycles() {
        for (away, fine) in [(26..28, true), (26..27, false)] {
            let mut l = on(1000);
            l.message(&message(ALLOC, false, &[7]), 2, 10);
            (11..26).for_each(|now| l.shown(2, 0, now).unwrap());
            l.message(&Message { root: 6, ..message(ALLOC, false, &[7]) }, 2, 25);
            let told =
                (26..40).find_map(|now| l.shown(if away.contains(&now) { 0 } else { 2 }, 0, now).err());
            assert_eq!(told.is_none(), fine, "{told:?}");
        }
        // Its own list may grow.
        let mut l = on(1000);
        l.message(&message(ALLOC, false, &[7]), 2, 10);
        l.message(&message(ALLOC, false, &[7, 8]), 2, 25);
        assert_eq!((11..40).find_map(|now| l.shown(2, 0, now).err()), None);
    }

    #[test]
    fn what_comes_just_before_isolation_is_on_may_be_heard() {
        let mut l = Lines::new(2, 2, 1000, (4, 6));
        l.message(&message(ALLOC, true, &[7]), 2, 10);
        l.cycle(0, 10);
        assert_eq!((l.may_list(1, 0, 7), l.shown(2, 2, 12), l.shown(0, 0, 12)), (true, Ok(()), Ok(())));
        l.isolate(true, 13);
        // It may be there for long.
        (13..60).for_each(|now| l.cycle(0, now));
        assert_eq!((l.shown(2, 2, 60), l.shown(0, 0, 60), l.stops(0, 7, 60)), (Ok(()), Ok(()), None));
        assert!(l.told(1, (0, 7), (5, 3), 60));
        // Long before it none is heard.
        let mut l = Lines::new(2, 2, 1000, (4, 6));
        l.message(&message(ALLOC, true, &[7]), 2, 10);
        (10..16).for_each(|now| l.cycle(0, now));
        l.isolate(true, 16);
        assert_eq!((l.may_list(1, 0, 7), kind(l.shown(2, 0, 16))), (false, "line"));
    }
}
