//! Messages of a flow that wait (Q14): what was posted, each of which may be a message, a part of the one before, or ignored.

use std::collections::VecDeque;

/// A post.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Its number among the flow's posts.
    pub no: u64,
    pub at: u64,
    pub pkts: u32,
    pub last: u32,
    pub psn: u32,
    /// It may be part of the message before; a message; ignored.
    pub joins: bool,
    pub stands: bool,
    pub ignored: bool,
    /// Ignored, if the queue is full until after this cycle.
    pub until: Option<u64>,
}

/// A message, as it may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The number of the post behind its last one.
    pub upto: u64,
    /// When its first post came.
    pub at: u64,
    pub pkts: u32,
    pub last: u32,
    pub psn: u32,
}

/// Packets of a message at most.
const MOST: u32 = 65_535;
/// Ways to see what waits.
const WAYS: usize = 256;
pub(super) const PSNS: u32 = 1 << 24;

/// The queue.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    mtu: u32,
    pub posts: VecDeque<Segment>,
    /// The number of the next post.
    next: u64,
    /// When it changed last.
    pub moved: u64,
}

impl Queue {
    pub fn new(mtu: usize) -> Queue {
        Queue { mtu: mtu as u32, posts: VecDeque::new(), next: 0, moved: 0 }
    }

    /// A post may be part of the message before; and is, if that is sure to be there.
    pub fn follows(&self, psn: u32, pkts: u32) -> (bool, bool) {
        let mut sure = true;
        let mut total = pkts;
        for s in self.posts.iter().rev() {
            if s.last == self.mtu && (s.psn + s.pkts) % PSNS == psn {
                let sum: u32 = self.posts.iter().map(|s| s.pkts).sum::<u32>() + pkts;
                total += s.pkts;
                return (total <= MOST, sure && !s.ignored && sum <= MOST);
            }
            sure = false;
            if !s.ignored {
                break;
            }
        }
        (false, false)
    }

    pub fn push(&mut self, s: Segment, now: u64) {
        self.posts.push_back(Segment { no: self.next, ..s });
        self.next += 1;
        self.moved = now;
    }

    /// Messages that wait: at least and at most.
    pub fn waiting(&self) -> (usize, usize) {
        let sure = self.posts.iter().filter(|s| s.stands && !s.joins && !s.ignored).count();
        (sure, self.posts.iter().filter(|s| s.stands).count())
    }

    /// Posts before this one are no longer needed.
    pub fn forget(&mut self, before: u64, now: u64) {
        while self.posts.front().is_some_and(|s| s.no < before) {
            self.posts.pop_front();
            self.moved = now;
        }
    }

    /// `full`: the queue shows as full. Posts that came to a full one are ignored unless it was free soon after.
    /// Whether there are others of which that is not known.
    pub fn settle(&mut self, full: bool, now: u64) -> bool {
        for s in &mut self.posts {
            match s.until {
                Some(_) if !full => s.until = None,
                Some(until) if now >= until => (s.until, s.stands) = (None, false),
                _ => {}
            }
        }
        self.posts.retain(|s| s.stands || s.joins);
        self.posts.iter().any(|s| s.until.is_some())
    }

    /// The messages that may begin behind a post.
    pub fn starts(&self, from: u64) -> Vec<Message> {
        let (mut all, mut without) = (Vec::new(), VecDeque::new());
        let mut i = self.posts.partition_point(|s| s.no < from);
        while let Some(s) = self.posts.get(i) {
            if s.stands {
                let m = Message { upto: s.no + 1, at: s.at, pkts: s.pkts, last: s.last, psn: s.psn };
                self.from(i, m, &mut all, &mut without);
            }
            if !s.ignored || all.len() > WAYS {
                break;
            }
            i += 1;
        }
        // The likelier ways came first: there may be too many.
        while let Some((j, m)) = without.pop_front().filter(|_| all.len() <= WAYS) {
            self.from(j, m, &mut all, &mut without);
        }
        all
    }

    /// A message of the posts up to one, and with what follows.
    /// `without`: places at which a post was perhaps no part of it, though one behind it may be.
    fn from(
        &self,
        i: usize,
        mut m: Message,
        all: &mut Vec<Message>,
        without: &mut VecDeque<(usize, Message)>,
    ) {
        let mut j = i + 1;
        loop {
            let next = self.posts.get(j);
            if next.is_none_or(|n| n.stands || n.ignored) && !all.contains(&m) {
                all.push(m);
            }
            let Some(n) = next.filter(|_| all.len() <= WAYS) else { break };
            let fits = m.last == self.mtu && (m.psn + m.pkts) % PSNS == n.psn && m.pkts + n.pkts <= MOST;
            if n.joins && fits {
                if n.ignored && !without.contains(&(j, m)) {
                    without.push_back((j, m));
                }
                (m.pkts, m.last) = (m.pkts + n.pkts, n.last);
                m.upto = n.no + 1;
            } else if !n.ignored {
                break;
            }
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(pkts: u32, psn: u32) -> Segment {
        Segment { no: 0, at: 0, pkts, last: 4, psn, joins: false, stands: true, ignored: false, until: None }
    }

    fn starts(q: &Queue, from: u64) -> Vec<(u64, u32)> {
        q.starts(from).iter().map(|m| (m.upto, m.pkts)).collect()
    }

    #[test]
    fn posts_are_messages_or_parts_of_them() {
        let mut q = Queue::new(4);
        q.push(post(2, 10), 1);
        assert_eq!((q.follows(12, 1), q.follows(13, 1), q.waiting()), ((true, true), (false, false), (1, 1)));
        q.push(Segment { joins: true, ..post(3, 12) }, 2);
        q.push(Segment { joins: true, stands: false, ..post(1, 15) }, 3);
        q.push(post(7, 90), 4);
        // Two, and what must join; or all three in one.
        assert_eq!(starts(&q, 0), [(1, 2), (3, 6)]);
        assert_eq!(starts(&q, 1), [(3, 4)]);
        assert_eq!((q.waiting(), q.moved), ((2, 3), 4));
        q.forget(3, 9);
        assert_eq!((starts(&q, 3), q.moved), (vec![(4, 7)], 9));
    }

    #[test]
    fn a_post_that_was_ignored_lets_the_next_one_join() {
        let mut q = Queue::new(4);
        q.push(post(3, 10), 1);
        // To a full queue, as MERGE changed; and one that goes on where the first one ends.
        q.push(Segment { joins: true, stands: false, ignored: true, last: 3, ..post(1, 13) }, 2);
        q.push(Segment { joins: true, stands: false, ignored: true, ..post(7, 13) }, 3);
        assert_eq!(starts(&q, 0), [(1, 3), (2, 4), (3, 10)]);
        q.push(post(2, 90), 4);
        assert_eq!((starts(&q, 0), starts(&q, 3)), (vec![(1, 3), (2, 4), (3, 10)], vec![(4, 2)]));
    }

    #[test]
    fn posts_to_a_full_queue_are_ignored() {
        let mut q = Queue::new(4);
        q.push(post(2, 10), 1);
        q.push(Segment { ignored: true, until: Some(5), ..post(1, 50) }, 2);
        q.push(post(3, 60), 3);
        assert_eq!((starts(&q, 0), starts(&q, 1)), (vec![(1, 2)], vec![(2, 1), (3, 3)]));
        q.push(Segment { ignored: true, until: Some(6), ..post(1, 70) }, 2);
        q.settle(true, 5);
        assert_eq!((q.posts.len(), starts(&q, 1)), (3, vec![(3, 3)]));
        q.settle(false, 6);
        assert_eq!(starts(&q, 3), [(4, 1)]);
        assert_eq!(q.waiting(), (2, 3));
    }
}
