//! The host: it opens connections, posts messages, gives the words that are asked for, and knows of its connections what the
//! adapter told.

use std::collections::VecDeque;

use rand::rngs::SmallRng;
use rand::{Rng, RngCore};

use super::io::Io;
use crate::stimulus::chance::{ALWAYS, Chance, hit};

/// Classes of messages.
pub(super) const CONTROL: u32 = 0;
pub(super) const REAL_TIME: u32 = 1;
pub(super) const BEST_EFFORT: u32 = 2;

/// `done_why` from this on: there was no room, or no credit. It may be posted again.
const NO_ROOM: u32 = 5;

/// A connection that is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub conn: u32,
    pub dlid: u32,
    pub bw: u32,
}

/// A message that is to be posted; `to` is its connection (real-time) or DLID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Post {
    pub class: u32,
    pub to: u32,
    pub len: u32,
    pub last: bool,
}

/// What the host knows of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Idle,
    /// It was accepted; no event came.
    Asked,
    Open,
    /// The last message was accepted.
    Closing,
}

/// The host.
pub(super) struct Host {
    /// To be offered, in this order.
    pub opens: VecDeque<Open>,
    pub posts: VecDeque<Post>,
    known: Vec<Known>,
    /// Those that are open.
    open: Vec<u32>,
    /// Connections that are not idle.
    busy: usize,
    /// What was taken and waits for its turn.
    open_taken: Option<Open>,
    post_taken: Option<Post>,
    /// Messages that were accepted and are not complete.
    out: i64,
    /// Chance that an open, a post is offered in a cycle.
    pub opens_pace: Chance,
    pub posts_pace: Chance,
    /// Chance that what had no room is posted again.
    pub retry: Chance,
    tag: u32,
}

impl Host {
    pub(super) fn new(conns: usize) -> Host {
        Host {
            opens: VecDeque::new(),
            posts: VecDeque::new(),
            known: vec![Known::Idle; conns],
            open: Vec::new(),
            busy: 0,
            open_taken: None,
            post_taken: None,
            out: 0,
            opens_pace: ALWAYS,
            posts_pace: ALWAYS,
            retry: 0,
            tag: 0,
        }
    }

    pub(super) fn known(&self, conn: u32) -> Known {
        self.known.get(conn as usize).copied().unwrap_or(Known::Idle)
    }

    /// The connections that are open, in no order that means anything.
    pub(super) fn open(&self) -> &[u32] {
        &self.open
    }

    /// All that was given to it was offered and has its answer.
    pub(super) fn has_posted(&self) -> bool {
        let taken = self.open_taken.is_some() || self.post_taken.is_some();
        !taken && self.opens.is_empty() && self.posts.is_empty()
    }

    /// All that was accepted is complete, too.
    pub(super) fn is_idle(&self) -> bool {
        self.has_posted() && self.out == 0
    }

    /// No connection is in use.
    pub(super) fn is_closed(&self) -> bool {
        self.busy == 0
    }

    pub(super) fn forget(&mut self) {
        self.opens.clear();
        self.posts.clear();
    }

    /// A final message for a connection that is open, if there is one, and none waits.
    pub(super) fn close_one(&mut self) {
        if self.has_posted()
            && let Some(&conn) = self.open.first()
        {
            self.posts.push_back(Post { class: REAL_TIME, to: conn, len: 1, last: true });
        }
    }

    fn becomes(&mut self, conn: u32, now: Known) {
        let Some(known) = self.known.get_mut(conn as usize) else { return };
        let before = std::mem::replace(known, now);
        self.busy += usize::from(now != Known::Idle);
        self.busy -= usize::from(before != Known::Idle);
        if before == Known::Open {
            self.open.retain(|&c| c != conn);
        }
        if now == Known::Open {
            self.open.push(conn);
        }
    }

    /// What the adapter says in this cycle. A connection that is open or idle again is told.
    pub(super) fn observe(&mut self, io: &Io, seen: &[u32], rng: &mut SmallRng) -> Option<u32> {
        if seen[io.done_valid] != 0 {
            let (ok, why) = (seen[io.done_ok] != 0, seen[io.done_why]);
            if seen[io.done_post] == 0 {
                if let Some(open) = self.open_taken.take().filter(|_| ok) {
                    self.becomes(open.conn, Known::Asked);
                }
            } else if let Some(post) = self.post_taken.take() {
                self.posted(post, ok, why, rng);
            }
        }
        self.out -= i64::from(seen[io.cqe_valid] != 0);
        if seen[io.event_valid] == 0 {
            return None;
        }
        let conn = seen[io.event_conn];
        self.becomes(conn, if seen[io.event_kind] == 1 { Known::Open } else { Known::Idle });
        Some(conn)
    }

    fn posted(&mut self, post: Post, ok: bool, why: u32, rng: &mut SmallRng) {
        if ok {
            self.out += 1;
            if post.class == REAL_TIME && post.last {
                self.becomes(post.to, Known::Closing);
            }
        } else if why >= NO_ROOM && hit(rng, self.retry) {
            self.posts.push_front(post);
        }
    }

    /// Writes what the host drives in this cycle.
    pub(super) fn drive(&mut self, io: &Io, seen: &[u32], input: &mut [u32], rng: &mut SmallRng) {
        if let Some(&open) = self.opens.front()
            && hit(rng, self.opens_pace)
        {
            input[io.open_valid] = 1;
            input[io.open_conn] = open.conn & 0xffff;
            input[io.open_dlid] = open.dlid & 0xffff;
            input[io.open_bw] = open.bw & 0xffff;
            if seen[io.open_ready] != 0 {
                self.opens.pop_front();
                self.open_taken = Some(open);
            }
        }
        if let Some(&post) = self.posts.front()
            && hit(rng, self.posts_pace)
        {
            input[io.post_valid] = 1;
            input[io.post_class] = post.class & 3;
            let (to, any) = (post.to & 0xffff, rng.next_u32());
            // What a class does not have is anything.
            let real_time = post.class == REAL_TIME;
            (input[io.post_conn], input[io.post_dlid]) =
                if real_time { (to, any & 0xffff) } else { (any & 0xffff, to) };
            input[io.post_final] = u32::from(if real_time { post.last } else { any >> 16 & 1 != 0 });
            input[io.post_len] = post.len & 0xff;
            input[io.post_tag] = self.tag & 0xffff;
            if seen[io.post_ready] != 0 {
                self.posts.pop_front();
                self.post_taken = Some(post);
                self.tag = self.tag.wrapping_add(1);
            }
        }
        // (A word comes whether or not one is asked for.)
        if seen[io.dma_valid] != 0 || rng.random_ratio(1, 16) {
            for word in &mut input[io.dma_data..io.dma_data + 4] {
                *word = rng.next_u32();
            }
        }
    }
}
