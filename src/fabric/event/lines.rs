//! CAM lines of inputs and outputs (rules E1-E9): what the pages say happens in a cycle, from S(t). An input is asked in every
//! cycle after one in which something of it changed, and when a time that its lines wait for has come.

use std::collections::VecDeque;

use super::bits::round;
use super::credit::NEVER;
use super::packet::Id;
use crate::model::link::Message;
use crate::scheme::any_up::{SEED, next_draw, place};
use crate::scheme::packet::PacketKind;

pub(super) const ALLOC: u32 = 0;
pub(super) const DEALLOC: u32 = 1;
pub(super) const STOP: u32 = 2;
pub(super) const GO: u32 = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Free = 0,
    Root = 1,
    Hot = 2,
    Drain = 3,
}

/// An input CAM line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub state: State,
    pub out: usize,
    pub vl: usize,
    /// Its queue in the port's list.
    pub queue: usize,
    pub(super) hops: u32,
    pub(super) root: u32,
    pub next: usize,
    pub linked: bool,
    /// A root's, with an HPQ.
    pub own: bool,
    pub(super) ann: bool,
    pub(super) sent_stop: bool,
    pub(super) stop_req: bool,
    pub(super) reached: bool,
    pub(super) dirty: bool,
    /// The timer of S(t) is t minus this; None: 0.
    pub(super) since: Option<u64>,
    /// ONE_QUEUE: hysteresis bit of a root line.
    pub(super) cong: bool,
    pub dlist: Vec<u16>,
}

impl Line {
    /// A line for congestion that the port itself has found: of a ROOT the queue stays, a HOT one has its own.
    pub fn found(state: State, out: usize, vl: usize, queue: usize, switch: u32, dlist: Vec<u16>) -> Line {
        let (root, reached) = (switch << 8 | out as u32, state == State::Root);
        Line { state, out, vl, queue, hops: 1, root, reached, dlist, ..Line::default() }
    }

    /// What other ports or later cycles depend on, but for the timer.
    pub(super) fn key(&self) -> impl PartialEq + use<> {
        let flags =
            (self.linked, self.ann, self.sent_stop, self.stop_req, self.reached, self.dirty, self.cong);
        (self.state, self.next, self.hops, self.root, flags, self.dlist.len())
    }

    pub(super) fn hpq(&self) -> bool {
        matches!(self.state, State::Hot | State::Drain)
    }

    /// Its packets ask to be linked.
    pub fn asks(&self) -> bool {
        self.state == State::Hot && !self.linked && !self.own
    }

    pub(super) fn is_root_cfq(&self) -> bool {
        self.state == State::Hot && self.hops == 1 && !self.linked
    }
}

/// The isolation half of an input port.
pub(super) struct InLines {
    pub lines: Vec<Line>,
    /// Lines that are not FREE.
    pub used: usize,
    pub(super) dlist: usize,
    /// The line of each HPQ.
    pub(super) hpq: Vec<Option<u8>>,
    /// Move and message pointers.
    pub(super) mv: usize,
    pub(super) msg_ptr: usize,
    /// Of each candidate the pointer, and how often a cold head went before HPQs.
    pub turns: Vec<(u8, u8)>,
    /// Of each queue the output line that has held its head back (`tied`, `tie`), and how many there are.
    pub(super) ties: Vec<Option<u8>>,
    pub tied: usize,
    /// Of each queue: it went, and yields to those of its output and VL that did not since.
    pub went: Vec<bool>,
    /// `can_alloc`, and the cycle in which it is 1 and was 0 in the one before.
    pub(super) can: bool,
    pub(super) rose: u64,
    /// CPQs whose lack of a line was counted.
    pub noline: u64,
    pub cnt_nohpq: u32,
    pub cnt_noline: u32,
    /// The message shown, and in which cycle.
    pub message: Option<(u64, Message)>,
    /// Of the detector at the head of one queue.
    pub head: Head,
}

impl InLines {
    pub fn new(lines: usize, dlist: usize, hpqs: usize, requests: usize, queues: usize) -> InLines {
        InLines {
            lines: vec![Line::default(); lines],
            used: 0,
            dlist,
            hpq: vec![None; hpqs],
            mv: 0,
            msg_ptr: 0,
            turns: vec![(0, 0); requests],
            ties: vec![None; queues],
            tied: 0,
            went: vec![false; queues],
            can: lines > 0 && hpqs > 0,
            rose: NEVER,
            noline: 0,
            cnt_nohpq: 0,
            cnt_noline: 0,
            message: None,
            head: Head::default(),
        }
    }

    pub fn free_line(&self) -> Option<usize> {
        if self.used == self.lines.len() {
            None
        } else {
            self.lines.iter().position(|l| l.state == State::Free)
        }
    }

    pub fn free_hpq(&self) -> Option<usize> {
        self.hpq.iter().position(Option::is_none)
    }

    pub fn can_alloc(&self) -> bool {
        self.used < self.lines.len() && self.free_hpq().is_some()
    }

    /// The lowest HOT or DRAIN line that a packet belongs to.
    #[inline]
    pub fn matching(&self, out: usize, vl: usize, dlid: u16) -> Option<usize> {
        if self.hpq.iter().all(Option::is_none) {
            return None;
        }
        self.lines.iter().position(|l| l.hpq() && l.out == out && l.vl == vl && l.dlist.contains(&dlid))
    }

    /// Known: lines are linked to line `k` of an output; and whether one has room.
    pub fn known(&self, out: usize, k: usize) -> Option<bool> {
        let joined = |l: &&Line| l.state == State::Hot && l.linked && l.out == out && l.next == k;
        let rooms = self.lines.iter().filter(joined).map(|l| l.dlist.len() < self.dlist);
        rooms.reduce(|a, b| a | b)
    }

    /// The line of an HPQ.
    pub fn line_of(&self, h: usize) -> Option<&Line> {
        self.hpq[h].map(|k| &self.lines[k as usize])
    }

    /// HPQs in use, each with its line.
    pub fn with_hpq(&self) -> impl Iterator<Item = (usize, usize)> {
        self.hpq.iter().enumerate().filter_map(|(h, k)| k.map(|k| (h, k as usize)))
    }

    pub fn hpqs(&self) -> usize {
        self.hpq.len()
    }

    /// The round robin pointer behind a choice.
    pub fn next_choice(&self, choice: usize) -> u8 {
        ((choice + 1) % (self.hpqs() + 1)) as u8
    }

    /// The line of its output that a queue is bound to; `hot` is its own line, if it is an HPQ.
    #[inline]
    pub fn bound(&self, queue: usize, hot: Option<&Line>) -> Option<usize> {
        match (self.ties[queue], hot) {
            (Some(k), _) => Some(k.into()),
            (None, Some(l)) if l.state == State::Hot && l.linked => Some(l.next),
            _ => None,
        }
    }

    /// Ties a queue to a line, or unties it.
    #[inline]
    pub fn tie(&mut self, queue: usize, line: Option<u8>) {
        let was = std::mem::replace(&mut self.ties[queue], line);
        self.tied = self.tied + usize::from(line.is_some()) - usize::from(was.is_some());
    }
}

/// An output CAM line.
#[derive(Clone, Debug, Default)]
pub(super) struct OutLine {
    pub valid: bool,
    pub stop: bool,
    pub vl: usize,
    pub hops: u32,
    pub root: u32,
    /// The timer of S(t) is t minus this.
    pub(super) since: u64,
    /// It is away (hold > 0) in cycles before this.
    pub(super) back: u64,
    pub dlist: Vec<u16>,
}

impl OutLine {
    /// Freed in cycle `t`. The tree is remembered.
    pub(super) fn free(&mut self, t: u64) {
        (self.valid, self.stop, self.since, self.back) = (false, false, 0, t + AWAY);
    }

    /// It lists a destination on a VL.
    pub(super) fn lists(&self, vl: usize, dlid: u16) -> bool {
        self.vl == vl && self.dlist.contains(&dlid)
    }

    /// Whether an ALLOC is of another tree than is there, or was there last: of another root or VL, or its list does not begin with
    /// this one.
    pub(super) fn differs(&self, m: &Message, dlist: &[u16]) -> bool {
        self.vl != m.vl as usize || self.root != m.root || !dlist.starts_with(&self.dlist)
    }
}

/// The lines that are fresh after line `k` was told to stop or not.
pub(super) fn follow_stop(fresh: u32, k: usize, was: bool, is: bool) -> u32 {
    match (was, is) {
        (_, true) => fresh & !(1 << k),
        (true, false) => fresh | 1 << k,
        (false, false) => fresh,
    }
}

/// A line that is freed or becomes another tree's in cycle t is shown again in t + 3 at the earliest.
pub(super) const AWAY: u64 = 3;

/// The isolation half of an output port.
pub(super) struct OutLines {
    pub lines: Vec<OutLine>,
    /// Lines that are valid; shown; and stopped.
    pub(super) used: u32,
    pub valid: u32,
    pub stop: u32,
    /// As the inputs have them registered.
    pub seen_valid: u32,
    pub seen_stop: u32,
    /// Lines whose stop has ended and of which nothing was granted since; those of them that stay for that though their tree
    /// is gone; and the pointers over the inputs, which outlive the trees.
    pub fresh: u32,
    pub closing: u32,
    pub(super) turn: Vec<u8>,
    /// The LFSR that draws with whom the turns of another tree begin, and who goes to the front of the order after a turn was lost.
    draw: u32,
    /// Of each line that is fresh the input whose turn it is.
    pub(super) whose: Vec<Option<usize>>,
    /// Of each line the inputs that wait for another's turn (`ol_wait`); and as they have it registered.
    pub(super) waits: Vec<u64>,
    pub(super) seen_waits: Vec<u64>,
    /// Some line has one of the two.
    pub(super) waiting: bool,
    /// Lines that stop some input, as they have them registered.
    pub halts: u32,
    /// Something changed at the end of the cycle before this.
    pub changed: u64,
    pub messages: VecDeque<(u64, Message)>,
    /// The scan: pointer, requests that it goes round in cycles from `scan_t` on.
    pub scan: usize,
    pub scan_set: u64,
    pub scan_t: u64,
}

impl OutLines {
    pub fn new(lines: usize) -> OutLines {
        OutLines {
            lines: vec![OutLine::default(); lines],
            used: 0,
            valid: 0,
            stop: 0,
            seen_valid: 0,
            seen_stop: 0,
            fresh: 0,
            closing: 0,
            turn: vec![0; lines],
            draw: SEED,
            whose: vec![None; lines],
            waits: vec![0; lines],
            seen_waits: vec![0; lines],
            waiting: false,
            halts: 0,
            changed: 0,
            messages: VecDeque::new(),
            scan: 0,
            scan_set: 0,
            scan_t: 0,
        }
    }

    /// The lowest line of a destination, and the lowest of it that is stopped.
    pub fn matching(&self, vl: usize, dlid: u16) -> Option<(usize, Option<usize>)> {
        let lowest = |mut set: u32| {
            while set != 0 {
                let k = set.trailing_zeros() as usize;
                set &= set - 1;
                let l = &self.lines[k];
                if l.lists(vl, dlid) {
                    return Some(k);
                }
            }
            None
        };
        let first = lowest(self.valid)?;
        Some((first, lowest(self.stop & u32::MAX << first)))
    }

    /// Turns are to be looked for.
    #[inline]
    pub fn take_turns(&self) -> bool {
        self.fresh & self.valid != 0 || self.waiting
    }

    /// Line `k` is fresh and has a turn, which is another input's.
    pub fn others_turn(&self, input: usize, k: usize) -> bool {
        self.fresh >> k & 1 != 0 && self.whose[k].is_some_and(|i| i != input)
    }

    /// Line `k` stops an input, as that has it registered.
    #[inline]
    pub fn stops(&self, input: usize, k: usize) -> bool {
        (self.seen_stop >> k & 1 != 0) || self.seen_waits[k] >> input & 1 != 0
    }

    pub(super) fn free(&mut self, k: usize, t: u64) {
        self.lines[k].free(t);
        self.fresh &= !(1 << k);
        self.closing &= !(1 << k);
    }

    /// Line `k` ends in cycle `t`; `awaited`: lines that are shown, whose turn is due if they are stopped or fresh, and for
    /// which a packet waits. Returns its VL if that turn is lost.
    pub(super) fn end(&mut self, k: usize, t: u64, awaited: u32) -> Option<usize> {
        let at_stake = self.at_stake(k, awaited);
        let (bit, l) = (1 << k, &mut self.lines[k]);
        if self.closing & bit == 0 && at_stake.is_some() {
            (l.stop, l.since) = (false, t + 1);
            self.fresh |= bit;
            self.closing |= bit;
            None
        } else {
            self.free(k, t);
            at_stake
        }
    }

    /// The VL of line `k`, if a turn is lost when its tree goes: one that somebody waits for, or for which the line stayed;
    /// `awaited` as above.
    pub(super) fn at_stake(&self, k: usize, awaited: u32) -> Option<usize> {
        let (bit, l) = (1 << k, &self.lines[k]);
        let due = (awaited | self.closing) & bit != 0 && (l.stop || self.fresh & bit != 0);
        due.then_some(l.vl)
    }

    /// The next input that is drawn.
    pub(super) fn draw(&mut self, inputs: usize) -> u8 {
        let drawn = place(inputs, self.draw);
        self.draw = next_draw(self.draw);
        drawn as u8
    }

    /// A packet of an input was granted that is of line `k`, or bound to it.
    pub(super) fn end_turn(&mut self, k: usize, input: usize, inputs: usize) {
        if self.fresh >> k & 1 != 0 {
            self.fresh &= !(1 << k);
            self.turn[k] = ((input + 1) % inputs) as u8;
        }
    }

    /// The scan went round in the cycles before `t` since it was last looked at; `total` requesters.
    #[inline]
    pub fn catch_up(&mut self, t: u64, total: usize) {
        if self.scan_set == 0 {
            return;
        }
        let gap = t.saturating_sub(self.scan_t);
        // Whole rounds are left out.
        let steps = if gap < 2 { gap } else { (gap - 1) % u64::from(self.scan_set.count_ones()) + 1 };
        for _ in 0..steps {
            if let Some(r) = round(self.scan_set, self.scan) {
                self.scan = (r + 1) % total;
            }
        }
    }
}

/// An output tells an input that its request belongs to a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prop {
    pub input: usize,
    pub out: usize,
    pub vl: usize,
    pub line: usize,
    pub hops: u32,
    pub root: u32,
    /// The request: packet, and its line if it is hot.
    pub packet: Id,
    pub hot: Option<usize>,
    pub kind: PacketKind,
}

/// What a prop does to the input's lines.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    Nothing,
    Relink(usize),
    Append(usize, u16),
    Take(usize, usize, u16),
}

/// A head moves to an HPQ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub from: usize,
    pub to: usize,
    pub(super) line: usize,
    pub(super) n: u32,
    pub out: usize,
    pub vl: usize,
}

/// What a cycle means to a line.
#[derive(Clone, Copy, Default)]
pub(super) struct Verdict {
    pub(super) free: bool,
    pub(super) append: Option<u16>,
    pub(super) relink: bool,
    pub(super) over: bool,
    pub(super) below: bool,
    pub(super) expired: bool,
    pub(super) wants: Option<u32>,
}

/// Of an input port.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// How long the head has asked in vain, and whether its lack of a line was counted.
    pub wait: u32,
    pub(super) counted: bool,
    /// It was published at the last look.
    pub(super) published: bool,
    pub(super) looked: u64,
    /// Outputs with a congestion bit.
    pub(super) contributes: u64,
}

impl Head {
    /// The head has gone on asking, or not, since the last look.
    pub fn look(&mut self, t: u64, published: bool) {
        let gap = t - self.looked.min(t);
        if self.published && gap > 1 {
            self.wait = self.wait.saturating_add((gap - 1) as u32).min(0xffff);
        }
        (self.looked, self.published) = (t, published);
    }
}
