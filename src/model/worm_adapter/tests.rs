//! Tests by section of `docs/worm-adapter.md`, properties, random words.

mod credits;
mod falls;
mod headers;
mod link;
mod moving;
mod random;
mod receive;
mod registers;
mod replies;
mod table;

use crate::model::bench::Bench;
use crate::params::{Build, Params, UnitKind};

const CTRL: u32 = 0;
const M: u32 = 1;
const C_B: u32 = 2;
const LIMIT: u32 = 3;
const LID: u32 = 4;
const BE_MASK: u32 = 5;
const LHP: u32 = 6;
const WSHIFT: u32 = 7;
const LFSR_SEED: u32 = 8;
const FIRST_NODE: u32 = 9;
const ERR_CLEAR: u32 = 10;
const BE_WEIGHT: u32 = 11;
const PROBE_GAP: u32 = 12;

const CREDITS: u32 = 1;
const ADMISSION: u32 = 2;

const BAD_POST: u32 = 1;
const NO_CONN: u32 = 2;
const SUM_C: u32 = 4;
const BAD_REPLY: u32 = 8;
const MISROUTED: u32 = 16;
const FRAMING: u32 = 32;
const CREDIT: u32 = 64;
const LINK_DOWN: u32 = 128;
const BAD_VL: u32 = 256;
const ADM_LOST: u32 = 512;

// States of a connection.
const IDLE: u32 = 0;
const PROBE: u32 = 1;
const OPEN: u32 = 3;
const RELEASE: u32 = 4;
const CLOSING: u32 = 6;

fn params(name: &str) -> Params {
    Build::named(UnitKind::WormAdapter, Some(name)).unwrap().params
}

/// An adapter with its lanes' numbers at hand.
struct Adapter {
    b: Bench,
    p: Params,
    /// DLID, bandwidth and number with which each connection was opened last.
    asked: [(u32, u32, u32); 64],
}

/// A post; what is not said is 0.
#[derive(Clone, Copy, Default)]
struct Post {
    class: u32,
    conn: u32,
    dlid: u32,
    len: u32,
    last: u32,
    tag: u32,
}

impl Adapter {
    /// One that is ready.
    fn new(name: &str) -> Adapter {
        Adapter::with(&params(name))
    }

    fn with(p: &Params) -> Adapter {
        let mut a = Adapter { b: Bench::new(UnitKind::WormAdapter, p), p: *p, asked: [(0, 0, 0); 64] };
        a.b.idle(p.conns);
        a
    }

    /// Build `two` with one real-time lane, 0, one of best-effort, 1, reply 2, control 3; nodes 5 behind the link, LID 7.
    fn two(ctrl: u32) -> Adapter {
        let mut a = Adapter::new("two");
        a.b.config(LID, 7).config(FIRST_NODE, 5).config(C_B, 4).config(CTRL, ctrl);
        a
    }

    fn get(&self, name: &str) -> u32 {
        self.b.get(name, 0)
    }

    fn lane(&self, name: &str, lane: usize) -> u32 {
        self.b.get(name, lane)
    }

    fn offer_open(&mut self, conn: u32, dlid: u32, bw: u32) {
        self.asked[conn as usize % 64] = (dlid, bw, self.get("st_seq"));
        self.b.set("open_valid", 0, 1).set("open_conn", 0, conn).set("open_dlid", 0, dlid);
        self.b.set("open_bw", 0, bw);
    }

    fn offer_post(&mut self, post: Post) {
        self.b.set("post_valid", 0, 1).set("post_class", 0, post.class).set("post_conn", 0, post.conn);
        self.b.set("post_dlid", 0, post.dlid).set("post_len", 0, post.len);
        self.b.set("post_final", 0, post.last).set("post_tag", 0, post.tag);
    }

    /// What is done in the cycle that was run last: post, ok, why, tag.
    fn done(&self) -> Option<[u32; 4]> {
        let all = ["done_post", "done_ok", "done_why", "done_tag"].map(|n| self.get(n));
        assert!(self.get("done_valid") == 1 || all == [0; 4]);
        (self.get("done_valid") == 1).then_some(all)
    }

    fn event(&self) -> Option<(u32, u32)> {
        let event = (self.get("event_kind"), self.get("event_conn"));
        assert!(self.get("event_valid") == 1 || event == (0, 0));
        (self.get("event_valid") == 1).then_some(event)
    }

    /// Class, connection, tag.
    fn completion(&self) -> Option<[u32; 3]> {
        let all = ["cqe_class", "cqe_conn", "cqe_tag"].map(|n| self.get(n));
        assert!(self.get("cqe_valid") == 1 || all == [0; 3]);
        (self.get("cqe_valid") == 1).then_some(all)
    }

    /// Connection, state, credits.
    fn touched(&self) -> Option<[u32; 3]> {
        let all = ["st_conn", "st_state", "st_avail"].map(|n| self.get(n));
        assert!(self.get("st_touched") == 1 || all == [0; 3]);
        (self.get("st_touched") == 1).then_some(all)
    }

    /// Three cycles, or as many more as leavings have the turn before it.
    fn until_done(&mut self) {
        self.b.idle(3);
        for _ in 0..20 {
            if self.done().is_none() {
                self.b.cycle();
            }
        }
    }

    /// Opens and runs the cycle that shows what became of it. Returns why it was refused.
    fn open(&mut self, conn: u32, dlid: u32, bw: u32) -> u32 {
        self.offer_open(conn, dlid, bw);
        self.until_done();
        let [post, ok, why, tag] = self.done().expect("a turn");
        assert_eq!((post, tag, ok), (0, conn, u32::from(why == 0)));
        why
    }

    /// Posts and runs the cycle that shows what became of it. Returns why it was refused.
    fn post(&mut self, post: Post) -> u32 {
        self.offer_post(post);
        self.until_done();
        let [of_post, ok, why, tag] = self.done().expect("a turn");
        assert_eq!((of_post, tag, ok), (1, post.tag, u32::from(why == 0)));
        why
    }

    fn real_time(&mut self, conn: u32, len: u32) -> u32 {
        self.post(Post { class: 1, conn, len, ..Post::default() })
    }

    fn best_effort(&mut self, dlid: u32, len: u32) -> u32 {
        self.post(Post { class: 2, dlid, len, ..Post::default() })
    }

    fn control(&mut self, dlid: u32, len: u32) -> u32 {
        self.post(Post { dlid, len, ..Post::default() })
    }

    /// A flit of the router in the coming cycle: lane, first, last; the words of its data.
    fn flit(&mut self, lane: usize, first: bool, last: bool, words: [u32; 4]) {
        self.b.set("rx_valid", 0, 1).set("rx_vl", 0, lane as u32);
        self.b.set("rx_first", 0, u32::from(first)).set("rx_last", 0, u32::from(last));
        self.b.set_words("rx_data", &words);
    }

    /// A reply of one flit in the coming cycle.
    fn reply(&mut self, ack: bool, conn: u32, node: u32) {
        let asked = self.asked[conn as usize % 64];
        self.answer(ack, conn, node, asked);
    }

    /// One with this SLID, bandwidth and number. (LID is 7.)
    fn answer(&mut self, ack: bool, conn: u32, node: u32, (slid, bw, seq): (u32, u32, u32)) {
        let lane = self.p.vls - 2;
        let mut words = header(7, if ack { 2 } else { 3 }, conn, node);
        words[1] |= two(slid) << 16;
        words[2] |= seq << 10;
        words[3] |= two(bw);
        self.flit(lane, true, true, words);
    }

    /// Runs a cycle with a credit for every lane that lacks one.
    fn give(&mut self) {
        for v in 0..self.p.vls {
            if self.lane("st_cr", v) < self.p.depth as u32 - 1 {
                self.b.set("rx_credit", v, 1);
            }
        }
        self.b.cycle();
    }

    /// What is on the link: lane, first, last.
    fn sent(&self) -> Option<[u32; 3]> {
        let all = ["tx_vl", "tx_first", "tx_last"].map(|n| self.get(n));
        assert!(self.get("tx_valid") == 1 || all == [0; 3]);
        assert_eq!(self.get("tx_bad"), 0);
        (self.get("tx_valid") == 1).then_some(all)
    }

    /// Runs with credits until a tail is on the link, and returns its lane.
    fn until_tail(&mut self) -> u32 {
        for _ in 0..200 {
            self.give();
            if let Some([lane, _, 1]) = self.sent() {
                return lane;
            }
        }
        panic!("no tail");
    }

    /// An open connection, with admission or without.
    fn opened(&mut self, conn: u32, dlid: u32, bw: u32) {
        assert_eq!(self.open(conn, dlid, bw), 0);
        if self.event().is_some() {
            return;
        }
        self.until_tail();
        self.reply(true, conn, 9);
        self.b.idle(3);
        assert_eq!(self.event(), Some((1, conn)));
    }
}

/// Two bytes, the high one first.
fn two(x: u32) -> u32 {
    (x >> 8 & 0xff) | (x & 0xff) << 8
}

/// The words of a header.
fn header(dlid: u32, kind: u32, conn: u32, node: u32) -> [u32; 4] {
    [two(dlid) << 16, 0, kind | two(conn) << 16, two(node) << 16]
}
