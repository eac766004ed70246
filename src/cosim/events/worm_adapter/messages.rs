//! Messages of the host: their flits are asked for in order, each message leaves once, whole, in order where that is promised, and
//! completes once.

use std::collections::VecDeque;

use super::registers::Registers;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::worm::header::{Header, Words, kind};

/// Classes.
pub(super) const CONTROL: usize = 0;
pub(super) const REAL_TIME: usize = 1;
pub(super) const BEST_EFFORT: usize = 2;

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    /// So many flits of it have been on the link.
    Leaving(usize),
    /// Its tail was on the link.
    Left(u64),
    /// The host was told.
    Complete(u64),
}

/// A message that was accepted.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub class: usize,
    /// Its connection, and that one's opening; 0 but for real-time.
    pub conn: usize,
    pub opening: u64,
    pub dlid: u32,
    pub len: usize,
    pub last: bool,
    pub tag: u32,
    /// What its header says of the connection's bandwidth.
    pub bw: u32,
    /// When it was posted.
    pub posted: u64,
    id: u64,
    asked: Vec<Words>,
    /// The first cycle in which something was seen of it.
    begun: Option<u64>,
    place: Place,
}

impl Message {
    pub fn new(class: usize, len: usize, tag: u32, posted: u64) -> Message {
        Message {
            class,
            conn: 0,
            opening: 0,
            dlid: 0,
            len,
            last: false,
            tag,
            bw: 0,
            posted,
            id: 0,
            asked: Vec::new(),
            begun: None,
            place: Place::Inside,
        }
    }

    /// Its header on a lane.
    fn header(&self, lane: usize, slid: u32) -> Header {
        let real_time = self.class == REAL_TIME;
        Header {
            lane: lane as u32,
            dlid: self.dlid,
            length: self.len as u32,
            slid,
            kind: if self.class == CONTROL { kind::CONTROL } else { kind::DATA },
            flags: u32::from(real_time) << 1 | u32::from(real_time && self.last),
            conn: self.conn as u32,
            bw: self.bw,
            node: 0,
        }
    }

    /// Whether a flit on a lane is its header.
    fn fits(&self, lane: usize, words: &Words, registers: &Registers) -> bool {
        registers.lids(self.posted).any(|slid| self.header(lane, slid).words() == *words)
    }

    fn waits(&self) -> bool {
        self.place == Place::Inside
    }

    /// It counts as one in the adapter, perhaps, in cycle `at`: `settle` after its completion it does not.
    fn may_count(&self, at: u64, settle: u64) -> bool {
        !matches!(self.place, Place::Complete(t) if t + settle <= at)
    }

    fn counts(&self) -> bool {
        matches!(self.place, Place::Inside | Place::Leaving(_))
    }
}

/// What a tail says of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    pub class: usize,
    pub conn: usize,
    pub last: bool,
}

/// All of them.
pub(super) struct Messages {
    lanes: usize,
    settle: u64,
    queues: [VecDeque<Message>; 3],
    next: u64,
    /// What is leaving on each lane: class and id.
    leaving: Vec<Option<(usize, u64)>>,
    /// What was asked for last.
    asking: (usize, u64),
    /// Messages of a class whose tail was not on the link, and since when there are some.
    waiting: [usize; 3],
    since: [u64; 3],
    /// What was judged.
    pub accepted: u64,
    pub asked: u64,
    pub left: u64,
    pub complete: u64,
}

impl Messages {
    pub fn new(lanes: usize, settle: u64) -> Messages {
        Messages {
            lanes,
            settle,
            queues: [const { VecDeque::new() }; 3],
            next: 0,
            leaving: vec![None; lanes],
            asking: (0, 0),
            waiting: [0; 3],
            since: [0; 3],
            accepted: 0,
            asked: 0,
            left: 0,
            complete: 0,
        }
    }

    fn at(&self, class: usize, id: u64) -> usize {
        self.queues[class].binary_search_by_key(&id, |m| m.id).unwrap_or_else(|at| at)
    }

    fn leaving(&self, lane: usize) -> Option<&Message> {
        let (class, id) = self.leaving[lane]?;
        self.queues[class].get(self.at(class, id))
    }

    /// One is accepted.
    pub fn accept(&mut self, mut m: Message, now: u64) {
        self.next += 1;
        self.accepted += 1;
        m.id = self.next;
        if self.waiting[m.class] == 0 {
            self.since[m.class] = now;
        }
        self.waiting[m.class] += 1;
        self.queues[m.class].push_back(m);
    }

    /// Flit `index` of the message `tag` is asked for, and is there.
    pub fn asks(&mut self, tag: u32, index: usize, data: Words, now: u64) -> Result<(), Broken> {
        let is = |m: &Message| m.tag == tag && m.asked.len() + 1 == index && index < m.len;
        let (class, id) = self.asking;
        let last = self.queues[class].get(self.at(class, id)).filter(|m| m.id == id && is(m));
        let found = match last {
            Some(_) => Some((class, id)),
            None => (0..3).find_map(|c| self.queues[c].iter().find(|m| is(m)).map(|m| (c, m.id))),
        };
        let Some((class, id)) = found else {
            let text = format!("flit {index} of message {tag:#x} is asked for, and is none that is to be");
            return broken("dma", "YC4", text);
        };
        let at = self.at(class, id);
        if index == 1 && class != BEST_EFFORT {
            let m = &self.queues[class][at];
            let same = |o: &Message| o.conn == m.conn && o.asked.len() + 1 < o.len;
            if let Some(first) = self.queues[class].range(..at).find(|o| same(o)) {
                let text = format!(
                    "flits of message {tag:#x} are asked for, and {:#x} was posted before",
                    first.tag
                );
                return broken("dma", "YC4", text);
            }
        }
        let m = &mut self.queues[class][at];
        m.asked.push(data);
        m.begun = m.begun.or(Some(now));
        self.asking = (class, id);
        self.asked += 1;
        Ok(())
    }

    /// A header on a lane; `None`: it is none of the host's. Otherwise its class and connection.
    pub fn begins(
        &mut self,
        lane: usize,
        words: &Words,
        registers: &Registers,
        now: u64,
    ) -> Result<Option<(usize, usize)>, Broken> {
        let h = Header::of(*words);
        let class = match (h.kind, h.flags) {
            (kind::CONTROL, _) => CONTROL,
            (kind::DATA, 0) => BEST_EFFORT,
            (kind::DATA, _) => REAL_TIME,
            _ => return Ok(None),
        };
        let conn = if class == REAL_TIME { h.conn as usize } else { 0 };
        let mut all = self.queues[class].iter().enumerate().filter(|(_, m)| m.waits() && m.conn == conn);
        let found = if class == BEST_EFFORT {
            all.find(|(_, m)| m.fits(lane, words, registers))
        } else {
            let first = all.next();
            if first.is_some_and(|(_, m)| !m.fits(lane, words, registers))
                && let Some((_, later)) = all.find(|(_, m)| m.fits(lane, words, registers))
            {
                let text = format!("lane {lane}: message {:#x} leaves before one posted earlier", later.tag);
                return broken("order", "YC4", text);
            }
            first.filter(|(_, m)| m.fits(lane, words, registers))
        };
        let Some((at, _)) = found else {
            let text = format!("lane {lane}: a header of no message that is to leave: {h:x?}");
            return broken("stranger", "YC4", text);
        };
        let m = &mut self.queues[class][at];
        m.begun = m.begun.or(Some(now));
        m.place = Place::Leaving(0);
        self.leaving[lane] = Some((class, m.id));
        let posted = m.posted;
        let wrong = match class {
            CONTROL => lane + 1 != self.lanes,
            BEST_EFFORT => lane + 2 >= self.lanes || !registers.best_effort(lane, posted).may,
            _ => lane + 2 >= self.lanes,
        };
        if wrong {
            let text = format!("lane {lane}: a message of class {class}, whose lane it is not");
            return broken("lane", "YW7", text);
        }
        Ok(Some((class, conn)))
    }

    /// A message of best-effort that might be meant instead of the one that leaves, up to flit `r`: one that waits, or one that
    /// seemed to leave on another lane.
    fn other(&self, id: u64, r: usize, words: &Words) -> Option<u64> {
        let queue = &self.queues[BEST_EFFORT];
        let m = &queue[self.at(BEST_EFFORT, id)];
        let same = |o: &Message, flits: usize| {
            o.asked.len() >= flits && m.asked.len() >= flits && o.asked[..flits] == m.asked[..flits]
        };
        let is = |o: &&Message| {
            let free = match o.place {
                Place::Inside => true,
                Place::Leaving(gone) => same(o, gone.saturating_sub(1)),
                _ => false,
            };
            let alike = free && (o.dlid, o.len) == (m.dlid, m.len) && same(o, r - 1);
            alike && o.asked.get(r - 1) == Some(words)
        };
        queue.iter().find(is).map(|o| o.id)
    }

    /// Two messages of best-effort change places.
    fn swap(&mut self, one: u64, two: u64) {
        let [a, b] = [one, two].map(|id| self.at(BEST_EFFORT, id));
        let queue = &mut self.queues[BEST_EFFORT];
        let place = queue[a].place;
        queue[a].place = std::mem::replace(&mut queue[b].place, place);
        for l in self.leaving.iter_mut().flatten().filter(|l| l.0 == BEST_EFFORT) {
            l.1 = if l.1 == one {
                two
            } else if l.1 == two {
                one
            } else {
                l.1
            };
        }
    }

    /// A flit of what leaves on a lane, the header too. With a tail, whose it was.
    pub fn goes(&mut self, lane: usize, words: &Words, last: bool, now: u64) -> Result<Option<Left>, Broken> {
        let Some((class, mut id)) = self.leaving[lane] else { return Ok(None) };
        let mut at = self.at(class, id);
        let Place::Leaving(r) = self.queues[class][at].place else { return Ok(None) };
        if r > 0 && self.queues[class][at].asked.get(r - 1) != Some(words) {
            let other = if class == BEST_EFFORT { self.other(id, r, words) } else { None };
            let Some(other) = other else {
                let tag = self.queues[class][at].tag;
                let text = format!("lane {lane}, flit {r} of message {tag:#x} is not what the host gave");
                return broken("intact", "YC4", text);
            };
            self.swap(id, other);
            id = other;
            at = self.at(class, id);
        }
        let m = &mut self.queues[class][at];
        m.place = Place::Leaving(r + 1);
        if last != (r + 1 == m.len) {
            let text = format!("lane {lane}: flit {r} of {} of message {:#x}, last = {last}", m.len, m.tag);
            return broken("framing", "YW1", text);
        }
        if !last {
            return Ok(None);
        }
        m.place = Place::Left(now);
        let left = Left { class, conn: m.conn, last: m.last };
        self.leaving[lane] = None;
        self.waiting[class] -= 1;
        self.left += 1;
        Ok(Some(left))
    }

    /// A completion.
    pub fn completes(&mut self, class: usize, conn: usize, tag: u32, now: u64) -> Result<(), Broken> {
        let queue = self.queues.get_mut(class);
        let none = || {
            let text = format!(
                "message {tag:#x} of class {class}, connection {conn} completes, and none such has left"
            );
            broken("complete", "YC3", text)
        };
        let Some(queue) = queue else { return none() };
        let is = |m: &Message| m.tag == tag && m.conn == conn;
        if let Some(m) = queue.iter_mut().find(|m| is(m) && matches!(m.place, Place::Left(_))) {
            m.place = Place::Complete(now);
            self.complete += 1;
            return Ok(());
        }
        if class != BEST_EFFORT {
            return none();
        }
        // Of two that are alike it was the other one.
        let Some(mine) = queue.iter().position(|m| is(m) && m.counts()) else { return none() };
        let like = |o: &Message| {
            (o.dlid, o.len, &o.asked) == (queue[mine].dlid, queue[mine].len, &queue[mine].asked)
        };
        let Some(twin) = queue.iter().position(|o| matches!(o.place, Place::Left(_)) && like(o)) else {
            return none();
        };
        let id = [queue[mine].id, queue[twin].id];
        queue[twin].place = queue[mine].place;
        queue[mine].place = Place::Complete(now);
        for l in self.leaving.iter_mut().flatten().filter(|l| l.1 == id[0]) {
            l.1 = id[1];
        }
        self.complete += 1;
        Ok(())
    }

    /// Some that have left do not complete.
    pub fn late(&self, now: u64, within: u64) -> Result<(), Broken> {
        let is = |m: &&Message| matches!(m.place, Place::Left(at) if at + within < now);
        if let Some(m) = self.queues.iter().flatten().find(is) {
            let text = format!("message {:#x} left more than {within} cycles ago and is not complete", m.tag);
            return broken("complete", "YC3", text);
        }
        Ok(())
    }

    /// Those that are complete for longer than matters from cycle `from` on are forgotten.
    pub fn forget(&mut self, from: u64) {
        let settle = self.settle;
        for queue in &mut self.queues {
            if queue.iter().any(|m| !m.may_count(from, settle)) {
                queue.retain(|m| m.may_count(from, settle));
            }
        }
    }

    /// How many are in the adapter, at least now and at most since cycle `from`, of those that count.
    fn count(&self, classes: &[usize], from: u64, which: impl Fn(&Message) -> bool) -> (u64, u64) {
        let all = || classes.iter().flat_map(|c| &self.queues[*c]).filter(|m| which(m));
        let low = all().filter(|m| m.counts()).count() as u64;
        (low, all().filter(|m| m.may_count(from, self.settle)).count() as u64)
    }

    /// Real-time and best-effort messages.
    pub fn posted(&self, from: u64) -> (u64, u64) {
        self.count(&[REAL_TIME, BEST_EFFORT], from, |_| true)
    }

    pub fn best_effort(&self, from: u64) -> (u64, u64) {
        self.count(&[BEST_EFFORT], from, |_| true)
    }

    /// Those of a connection since its opening.
    pub fn of(&self, conn: usize, opening: u64, from: u64) -> (u64, u64) {
        self.count(&[REAL_TIME], from, |m| (m.conn, m.opening) == (conn, opening))
    }

    /// Control messages that may be in the queue since cycle `from`, and that are in the adapter.
    pub fn control(&self, from: u64) -> (u64, u64) {
        let queued = |m: &&Message| m.begun.is_none_or(|t| t + self.settle > from);
        let all = &self.queues[CONTROL];
        (all.iter().filter(queued).count() as u64, all.iter().filter(|m| m.counts()).count() as u64)
    }

    /// Since when there has been one of a class to send.
    pub fn waiting(&self, class: usize) -> Option<u64> {
        (self.waiting[class] > 0).then_some(self.since[class])
    }

    /// When the first of those of a class was posted that have not left.
    pub fn oldest(&self, class: usize) -> Option<u64> {
        self.queues[class].iter().find(|m| m.counts()).map(|m| m.posted)
    }

    /// None is in the adapter.
    pub fn is_empty(&self) -> bool {
        self.waiting == [0; 3]
    }

    /// A message is leaving on a lane; `true` if its next flit is there.
    pub fn next_is_there(&self, lane: usize) -> bool {
        self.leaving(lane).is_some_and(|m| matches!(m.place, Place::Leaving(r) if m.asked.len() >= r))
    }

    /// A real-time or best-effort message to a DLID may be in front of a lane.
    pub fn any_to(&self, dlid: u32) -> bool {
        self.queues[REAL_TIME..].iter().flatten().any(|m| m.counts() && m.dlid == dlid)
    }
}
