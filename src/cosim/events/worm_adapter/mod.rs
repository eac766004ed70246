//! The adapter of a wormhole network by its events (`docs/worm-adapter.md`): each open and post has the answer that the rules allow,
//! what is accepted leaves once, whole, in order, by the credits of its lane, and completes; what comes reaches the host; and
//! nothing stands still for nothing.

mod messages;
mod progress;
mod receive;
mod registers;
mod table;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use crate::cosim::events::register::Told;
use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::events::worm::credits::Credits;
use crate::cosim::events::worm::header::Words;
use crate::cosim::events::worm::pulses::Pulses;
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};
use messages::{BEST_EFFORT, CONTROL, Message, Messages, REAL_TIME};
use progress::{Could, Progress};
use receive::{Asks, Flit, Receiver};
use registers::Registers;
use table::{Open, Table, verdict};

/// Its tolerances.
pub(super) fn settings(p: &Params) -> Vec<Setting> {
    let s = Setting::new;
    let (lane, depth) = (p.lane as u64, p.depth as u64);
    vec![
        s("receive", 16, 0, "from a register written until it holds"),
        s("settle", 16, 0, "after an event, a completion or a first flit, until answers show it"),
        s("answer", 64, 1, "from an open or a post until its answer, besides PROBE_GAP of an open"),
        s("early", 4, 0, "by which an open may have its answer before PROBE_GAP is over"),
        s(
            "reply",
            8 * depth + 64,
            1,
            "from a reply, or the tail of a last message or a release, until its event",
        ),
        s("complete", 64, 1, "from a tail on the link until the host is told"),
        s("credit", 64, 1, "after which a flit that came has its pulse; a reply's header after `reply` more"),
        s("host", 64, 1, "by which the host sees what came"),
        s("down", 16, 0, "for which flits may be on a link that is down"),
        s("hold", 16, 0, "for which a header may leave that is held"),
        s("free", 16, 0, "by which `link_free`, `lane_full` and `be_front` may be late"),
        s("offer", 512, 1, "without a flit on the link, although a message could go"),
        s(
            "turns",
            4 * lane + 256,
            1,
            "(flits, not cycles) of other classes while a message could go, besides LHP",
        ),
        Setting::ready(UnitKind::WormAdapter, p),
    ]
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &[
    "open_ready",
    "post_ready",
    "done_valid",
    "done_post",
    "done_ok",
    "done_why",
    "done_tag",
    "event_valid",
    "event_kind",
    "event_conn",
    "cqe_valid",
    "cqe_class",
    "cqe_conn",
    "cqe_tag",
    "dma_valid",
    "dma_tag",
    "dma_index",
    "tx_valid",
    "tx_vl",
    "tx_first",
    "tx_last",
    "tx_data",
    "tx_credit",
    "dlv_valid",
    "dlv_vl",
    "dlv_first",
    "dlv_last",
    "dlv_bad",
    "dlv_data",
    "dlv_cut",
];

/// Offsets of the signals in the word vectors.
struct Io {
    cfg: [usize; 3],
    link_up: usize,
    open: [usize; 4],
    post: [usize; 7],
    dma_data: usize,
    be_hold: usize,
    rx: [usize; 5],
    rx_data: usize,
    rx_credit: usize,
    ready: [usize; 2],
    done: [usize; 5],
    event: [usize; 3],
    cqe: [usize; 4],
    dma: [usize; 3],
    be_front: usize,
    be_dlid: usize,
    link_free: usize,
    lane_full: usize,
    tx: [usize; 5],
    tx_data: usize,
    tx_credit: usize,
    dlv: [usize; 5],
    dlv_data: usize,
    dlv_cut: usize,
}

impl Io {
    fn new(p: &Params) -> Io {
        let l = Layout::new(UnitKind::WormAdapter, p);
        let input = |name: &str| l.input(name);
        let out = |name: &str| l.signal(Group::Output, name).offset;
        Io {
            cfg: ["cfg_we", "cfg_addr", "cfg_data"].map(input),
            link_up: input("link_up"),
            open: ["open_valid", "open_conn", "open_dlid", "open_bw"].map(input),
            post: [
                "post_valid",
                "post_class",
                "post_conn",
                "post_dlid",
                "post_len",
                "post_final",
                "post_tag",
            ]
            .map(input),
            dma_data: input("dma_data"),
            be_hold: input("be_hold"),
            rx: ["rx_valid", "rx_vl", "rx_first", "rx_last", "rx_bad"].map(input),
            rx_data: input("rx_data"),
            rx_credit: input("rx_credit"),
            ready: ["open_ready", "post_ready"].map(out),
            done: ["done_valid", "done_post", "done_ok", "done_why", "done_tag"].map(out),
            event: ["event_valid", "event_kind", "event_conn"].map(out),
            cqe: ["cqe_valid", "cqe_class", "cqe_conn", "cqe_tag"].map(out),
            dma: ["dma_valid", "dma_tag", "dma_index"].map(out),
            be_front: out("be_front"),
            be_dlid: out("be_dlid"),
            link_free: out("link_free"),
            lane_full: out("lane_full"),
            tx: ["tx_valid", "tx_vl", "tx_first", "tx_last", "tx_bad"].map(out),
            tx_data: out("tx_data"),
            tx_credit: out("tx_credit"),
            dlv: ["dlv_valid", "dlv_vl", "dlv_first", "dlv_last", "dlv_bad"].map(out),
            dlv_data: out("dlv_data"),
            dlv_cut: out("dlv_cut"),
        }
    }
}

/// A post that waits for its answer.
#[derive(Clone, Copy, Debug)]
struct Post {
    class: usize,
    conn: usize,
    dlid: u32,
    len: usize,
    last: bool,
    tag: u32,
    taken: u64,
}

/// What is counted, in the order of [`Adapter::cover`].
const COVER: [Point; 17] = [
    ("opens", "YA4", "opens that were accepted"),
    ("refused", "YA4", "opens that were refused"),
    ("opens_exact", "YA4", "answers to opens with one that was right alone"),
    ("events", "YA4", "events judged"),
    ("probes", "YA4", "probes and releases that left"),
    ("accepted", "YC1", "messages that were accepted"),
    ("posts_refused", "YC1 YC3", "posts that were refused"),
    ("posts_exact", "YC1 YC2 YC3", "answers to posts with one that was right alone"),
    ("asked", "YC4", "flits asked for, in order"),
    ("left", "YC4", "messages that left, as they are to be"),
    ("complete", "YC3", "messages that completed"),
    ("shown", "YW1", "flits that the host saw, as they came"),
    ("unsure", "YW1", "messages that might be refused"),
    ("replies", "YA4", "replies that came"),
    ("cuts", "F1", "messages that a fall of the link cut off"),
    ("falls", "F1", "times that the link fell"),
    ("waits", "YW6", "waits of what could go, judged"),
];

/// Cycles between two looks at what stands still.
const LOOK: u64 = 64;
/// Error ADM_LOST.
const ADM_LOST: u32 = 1 << 9;

/// The scoreboard.
pub(super) struct Adapter {
    io: Io,
    vls: usize,
    lane: usize,
    depth: usize,
    ctlq: u64,
    late: u64,
    answer: u64,
    early: u64,
    reply: u64,
    complete: u64,
    credit: u64,
    down: u64,
    hold: u64,
    free: u64,
    turns: u64,

    now: u64,
    ready: Readiness,
    started: bool,
    registers: Registers,
    table: Table,
    messages: Messages,
    receiver: Receiver,
    progress: Progress,
    credits: Credits,
    pulses: Pulses,
    opens: VecDeque<Open>,
    posts: VecDeque<Post>,
    /// The last cycles in which an open, a post waited or could be offered.
    offered: [u64; 2],
    /// The last answers to an open, a post.
    answered: [u64; 2],
    /// The last open that begins a gap: its answer, and when it was taken.
    gap: Option<(u64, u64)>,
    /// ADM_LOST.
    lost: Told,
    /// The last cycle in which the link was up.
    fell: u64,
    /// Which lanes a header or flit is inside, which hold is on since when, and when it was last off or on.
    inside: Vec<bool>,
    held: Vec<Option<u64>>,
    unheld: Vec<u64>,
    /// Since when nothing is in the adapter.
    empty: Option<u64>,
    falls: u64,
    posts_refused: u64,
    posts_exact: u64,
}

impl Adapter {
    pub fn new(p: &Params, settings: &Settings) -> Adapter {
        let get = |name| settings.get(name);
        let settle = get("settle");
        Adapter {
            io: Io::new(p),
            vls: p.vls,
            lane: p.lane,
            depth: p.depth,
            ctlq: p.ctlq as u64,
            late: get("receive"),
            answer: get("answer"),
            early: get("early"),
            reply: get("reply"),
            complete: get("complete"),
            credit: get("credit"),
            down: get("down"),
            hold: get("hold"),
            free: get("free"),
            turns: get("turns"),
            now: 0,
            ready: Readiness::new(get("ready"), "YA4"),
            started: false,
            registers: Registers::new(p, get("receive")),
            table: Table::new(p.conns, p.lane, settle),
            messages: Messages::new(p.vls, settle),
            receiver: Receiver::new(p.vls, get("host")),
            progress: Progress::new(p.vls, get("offer")),
            credits: Credits::new("the link".into(), p.vls, p.depth),
            pulses: Pulses::new("the link".into(), p.vls),
            opens: VecDeque::new(),
            posts: VecDeque::new(),
            offered: [0; 2],
            answered: [0; 2],
            gap: None,
            lost: Told::sure(false),
            fell: 0,
            inside: vec![false; p.vls],
            held: vec![None; p.vls],
            unheld: vec![0; p.vls],
            empty: Some(0),
            falls: 0,
            posts_refused: 0,
            posts_exact: 0,
        }
    }

    /// The answer to an open or a post.
    fn done(&mut self, output: &[u32]) -> Result<(), Broken> {
        let [valid, post, ok, why, tag] = self.io.done.map(|at| output[at]);
        if valid == 0 {
            return Ok(());
        }
        if post == 0 { self.open_done((ok == 1, why), tag) } else { self.post_done((ok == 1, why), tag) }
    }

    fn open_done(&mut self, said: (bool, u32), tag: u32) -> Result<(), Broken> {
        let now = self.now;
        let Some(open) = self.opens.pop_front().filter(|o| o.conn as u32 == tag) else {
            return broken(
                "done",
                "YA4",
                format!("the answer to an open of connection {tag}, which does not wait"),
            );
        };
        self.answered[0] = now;
        if let Some((answered, taken)) = self.gap {
            let least = self.registers.gap(taken).0;
            if now + self.early <= answered + least {
                let text = format!(
                    "connection {tag}: an open has its turn {} cycles after one before, PROBE_GAP {least}",
                    now - answered
                );
                return broken("gap", "YA4", text);
            }
        }
        let admit = self.registers.admit_en(open.taken).must;
        let opens = self.table.opens;
        self.table.opened(&open, said, &self.registers, self.lost, now)?;
        if self.table.opens > opens {
            self.gap = admit.then_some((now, open.taken));
        }
        Ok(())
    }

    fn post_done(&mut self, (ok, why): (bool, u32), tag: u32) -> Result<(), Broken> {
        let now = self.now;
        let Some(post) = self.posts.pop_front().filter(|p| p.tag == tag) else {
            return broken("done", "YC1", format!("the answer to a post of {tag:#x}, which does not wait"));
        };
        self.answered[1] = now;
        let (r, from) = (&self.registers, post.taken);
        let Post { class, conn, len, .. } = post;
        let no = Told::sure(false);
        let bad = Told::sure(class > 2 || len == 0 || len > self.lane);
        let bad = if class == BEST_EFFORT { bad.or(r.without_best_effort(from)) } else { bad };
        let open = self.table.is_open(conn, from);
        let closed = if class == REAL_TIME { Told { may: !open.must, must: !open.may } } else { no };
        let within = |(low, high): (u64, u64), (least, most): (u64, u64)| Told {
            may: high >= least,
            must: low >= most,
        };
        let full = if class == CONTROL {
            let (queued, all) = self.messages.control(from);
            // (Those that are in the lane are not in the queue, and cannot be told from those in it.)
            Told { may: queued >= self.ctlq, must: all > self.ctlq + self.lane as u64 }
        } else {
            within(self.messages.posted(from), r.m(from))
        };
        let credit = r.credit_en(from);
        let spent = match class {
            REAL_TIME => match (self.table.credits(conn), self.table.of(conn)) {
                (Some(credits), Some((opening, ..))) => {
                    credit.and(within(self.messages.of(conn, opening, from), credits))
                }
                _ => Told { may: credit.may, must: false },
            },
            BEST_EFFORT => credit.and(within(self.messages.best_effort(from), r.c_b(from))),
            _ => no,
        };
        let reasons = [bad, closed, full, spent];
        const NAMES: [(&str, &str, &str); 4] = [
            ("post", "YC1", "its class, length or lane is none"),
            ("post", "YC1", "its connection is not open"),
            ("quota", "YC3", "there are as many in the adapter as may be"),
            ("quota", "YC1 YC2", "its credits are used"),
        ];
        let what = format!("message {tag:#x}, class {class}, connection {conn}, {len} flits");
        verdict(&what, ok, why, &[2, 1, 5, 6], &reasons, &NAMES, "post")?;
        self.posts_exact += u64::from(reasons.iter().all(|t| t.may == t.must));
        if !ok {
            self.posts_refused += 1;
            return Ok(());
        }
        let mut m = Message::new(class, len, tag, post.taken);
        m.dlid = post.dlid;
        if class == REAL_TIME {
            let Some((opening, dlid, bw)) = self.table.of(conn) else { return Ok(()) };
            (m.conn, m.opening, m.dlid, m.last) = (conn, opening, dlid, post.last);
            if post.last {
                m.bw = bw;
                self.table.closes(conn);
            }
        }
        self.messages.accept(m, now);
        Ok(())
    }

    /// A flit on the link.
    fn sends(&mut self, output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        let [valid, lane, first, last, bad] = self.io.tx.map(|at| output[at]);
        if valid == 0 {
            return Ok(());
        }
        let (lane, first, last) = (lane as usize, first == 1, last == 1);
        let words: Words = output[self.io.tx_data..][..4].try_into().unwrap_or_default();
        if lane >= self.vls || lane + 2 == self.vls {
            return broken("lane", "YW7", format!("a flit on lane {lane}"));
        }
        if self.credits.up().is_some() {
            self.credits.sends(lane, now)?;
        } else if now - self.fell > self.down {
            let text =
                format!("lane {lane}: a flit, and the link has been down for {} cycles", now - self.fell);
            return broken("down", "F1", text);
        }
        if first == self.inside[lane] || bad == 1 {
            let text = format!(
                "lane {lane}: first {first}, bad {bad}, and a message is inside: {}",
                self.inside[lane]
            );
            return broken("framing", "YW1", text);
        }
        let control = lane + 1 == self.vls;
        if first {
            self.begins(lane, &words)?;
        }
        self.inside[lane] = !last;
        let class = match (control, self.registers.mask() >> lane & 1) {
            (true, _) => CONTROL,
            (_, 1) => BEST_EFFORT,
            _ => REAL_TIME,
        };
        self.progress.flit(class, lane, now);
        if control {
            self.table.goes(&words, last, now)?;
        }
        let left = self.messages.goes(lane, &words, last, now)?;
        if let Some(left) = left.filter(|l| l.class == REAL_TIME && l.last) {
            self.table.last_left(left.conn, now);
        }
        Ok(())
    }

    fn begins(&mut self, lane: usize, words: &Words) -> Result<(), Broken> {
        let (now, r) = (self.now, &self.registers);
        if let Some(since) = self.held[lane]
            && now - since > self.hold
            && r.best_effort(lane, since).must
        {
            let text =
                format!("lane {lane}: a header leaves, and be_hold has been on for {} cycles", now - since);
            return broken("held", "YW6", text);
        }
        match self.messages.begins(lane, words, r, now)? {
            Some((REAL_TIME, conn)) => self.table.on(conn, lane),
            Some(_) => Ok(()),
            None if lane + 1 == self.vls => self.table.begins(words, r, now),
            None => {
                let text = format!("lane {lane}: a header of no message that is to leave: {words:x?}");
                broken("stranger", "YC4", text)
            }
        }
    }

    /// What the unit says of its lanes, for other schemes.
    fn says(&mut self, output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        let since = self.empty.filter(|e| now - e > self.free);
        for v in 0..self.vls {
            if output[self.io.be_front + v] & 1 == 1 {
                let dlid = output[self.io.be_dlid + v];
                if since.is_some() || !self.messages.any_to(dlid) {
                    let text =
                        format!("lane {v}: be_front for DLID {dlid:#x}, and no message to it is inside");
                    return broken("front", "YW6", text);
                }
            }
            // (In the control lane there may be probes.)
            if output[self.io.lane_full + v] & 1 == 1 && since.is_some() && v + 1 < self.vls {
                return broken("front", "YS1", format!("lane {v}: lane_full, and nothing is in the adapter"));
            }
            let free = output[self.io.link_free + v] & 1 == 1;
            let away = self.credits.away(v);
            if free && away.is_some_and(|at| now - at > self.free) {
                return broken("free", "YL1", format!("lane {v}: link_free, and credits are not home"));
            }
        }
        Ok(())
    }

    /// What stands still.
    fn look(&mut self) -> Result<(), Broken> {
        let (now, r) = (self.now, &self.registers);
        self.messages.late(now, self.complete)?;
        self.table.late(self.reply, r, now)?;
        self.pulses.look(now)?;
        self.receiver.look(now)?;
        let gap = r.gap(now.saturating_sub(1 << 17)).1;
        let first = self.opens.front().map(|o| o.taken.max(self.answered[0]) + gap);
        let posted = self.posts.front().map(|p| p.taken.max(self.answered[1]));
        for (since, what) in [(first, "an open"), (posted, "a post")] {
            if since.is_some_and(|at| at + self.answer < now) {
                return broken(
                    "done",
                    "YA4 YC1",
                    format!("{what} has no answer within {} cycles", self.answer),
                );
            }
        }
        let oldest = self.opens.iter().map(|o| o.taken).chain(self.posts.iter().map(|p| p.taken)).min();
        self.messages.forget(oldest.unwrap_or(now));
        self.table.forget(oldest.unwrap_or(now));
        self.progress()
    }

    fn progress(&mut self) -> Result<(), Broken> {
        let (now, r) = (self.now, &self.registers);
        let steady = now > r.mask_changed + self.late + LOOK
            && (r.mask_changed == 0 || self.table.all_since(r.mask_changed + self.late));
        let (data, mask) = (r.data(), r.mask());
        // Best-effort may be in lanes that are so no more.
        let moved = r.mask_changed > 0
            && self.messages.oldest(BEST_EFFORT).is_some_and(|at| at <= r.mask_changed + self.late);
        // Since when all of some lanes may send.
        let open = |lanes: u32, held: bool| {
            (0..self.vls).filter(|v| lanes >> v & 1 == 1).try_fold(self.credits.up()?, |since: u64, v| {
                let off = if held { self.held[v].is_none().then_some(self.unheld[v])? } else { 0 };
                Some(since.max(self.credits.open(v)?).max(off))
            })
        };
        let lhp = r.lhp(now.saturating_sub(1 << 16));
        let own = self.table.waiting(r, now);
        let mut all = [None; 3];
        for class in [CONTROL, REAL_TIME, BEST_EFFORT] {
            let since = match class {
                CONTROL => self.messages.waiting(class).into_iter().chain(own).min(),
                _ => self.messages.waiting(class),
            };
            let (lanes, held) = match class {
                CONTROL => (1 << (self.vls - 1), false),
                REAL_TIME if steady && mask != data => (data & !mask, false),
                BEST_EFFORT if steady && !moved => (mask, true),
                _ => (data, true),
            };
            let others = match class {
                CONTROL => Some(self.turns),
                REAL_TIME => (steady && mask != data).then_some(self.turns),
                _ => lhp.filter(|_| steady && !moved).map(|l| 2 * l * (self.lane as u64 + 1) + self.turns),
            };
            let lanes = if class == BEST_EFFORT && mask == 0 { 0 } else { lanes };
            if lanes != 0
                && let Some(since) = since
                && let Some(at) = open(lanes, held)
            {
                let mask = if class == CONTROL { 0 } else { r.mask_changed };
                all[class] = Some(Could { since: since.max(at).max(mask), others });
            }
        }
        let lanes: Vec<Option<Could>> = (0..self.vls)
            .map(|v| {
                let there = self.messages.next_is_there(v);
                let since = self.credits.open(v).filter(|_| there)?;
                // Weights of all lanes of its class, and those of the other class between two of its flits.
                let weights = 255 * self.vls as u64;
                let others = match (mask >> v & 1, lhp) {
                    (1, None) => None,
                    (1, Some(l)) => Some(
                        2 * (r.weight(now.saturating_sub(1 << 16)) * self.vls as u64 + 1) * (l + 1) + weights,
                    ),
                    _ => Some(2 * weights + 64),
                };
                Some(Could { since, others: others.filter(|_| steady && v + 1 < self.vls) })
            })
            .collect();
        for (class, could) in all.into_iter().enumerate() {
            self.progress.class(class, could, now)?;
        }
        for (v, could) in lanes.into_iter().enumerate() {
            self.progress.lane(v, could, now)?;
        }
        Ok(())
    }

    /// Outputs of a cycle.
    fn outputs(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        self.done(output)?;
        let [valid, tag, index] = self.io.dma.map(|at| output[at]);
        if valid == 1 {
            let data: Words = input[self.io.dma_data..][..4].try_into().unwrap_or_default();
            self.messages.asks(tag, index as usize, data, now)?;
        }
        self.sends(output)?;
        let [valid, kind, conn] = self.io.event.map(|at| output[at]);
        if valid == 1 {
            self.table.event(kind, conn as usize, &self.registers, now)?;
        }
        let [valid, class, conn, tag] = self.io.cqe.map(|at| output[at]);
        if valid == 1 {
            self.messages.completes(class as usize, conn as usize, tag, now)?;
        }
        if let Some(flit) = flit(output, &self.io.dlv, self.io.dlv_data) {
            self.receiver.shows(&flit)?;
        }
        for v in 0..self.vls {
            if output[self.io.dlv_cut + v] & 1 == 1 {
                self.receiver.cuts(v)?;
            }
            if output[self.io.tx_credit + v] & 1 == 1 && input[self.io.link_up] & 1 == 1 {
                self.pulses.gives(v)?;
            }
        }
        self.says(output)
    }

    /// The link, and what came by it.
    fn link(&mut self, input: &[u32]) {
        let now = self.now;
        let up = input[self.io.link_up] & 1 == 1;
        if self.credits.link(up, now) {
            self.falls += 1;
        }
        if !up {
            self.pulses.fall();
            self.receiver.falls(now);
            let admit = self.registers.admit_en(now);
            self.lost = self.lost.or(admit.and(self.table.live()));
            return;
        }
        self.fell = now;
        for v in 0..self.vls {
            if input[self.io.rx_credit + v] & 1 == 1 {
                self.credits.comes(v, now);
            }
        }
        let Some(f) = flit(input, &self.io.rx, self.io.rx_data) else { return };
        let reply = self.vls - 2;
        let crowded = self.pulses.owes(reply) >= self.depth;
        match self.receiver.comes(f, &self.registers, now) {
            Asks::Nothing => {}
            Asks::Pulse => {
                self.pulses.owe(f.lane, now + self.credit + if f.lane == reply { self.reply } else { 0 })
            }
            Asks::Reply(h, sure) => {
                self.pulses.owe(reply, now + self.credit + self.reply);
                let waits = self.opens.iter().any(|o| o.conn == h.conn as usize);
                self.table.answer(&h, sure && !crowded && !waits, now);
            }
        }
    }

    /// What the host asks for, and writes.
    fn host(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        for v in 0..self.vls {
            let on = input[self.io.be_hold + v] & 1 == 1;
            self.held[v] = if on { self.held[v].or(Some(now)) } else { None };
            if on {
                self.unheld[v] = now + 1;
            }
        }
        let ready = self.io.ready.map(|at| output[at] & 1 == 1);
        let [valid, conn, dlid, bw] = self.io.open.map(|at| input[at]);
        if valid == 1 && ready[0] {
            let conn = conn as usize;
            self.opens.push_back(Open { conn, dlid, bw: bw.into(), taken: now });
            if bw == 0 {
                self.table.may_be_given_up(conn);
            }
        }
        let [valid, class, conn, dlid, len, last, tag] = self.io.post.map(|at| input[at]);
        if valid == 1 && ready[1] {
            let class = class as usize;
            let conn = if class == REAL_TIME { conn as usize } else { 0 };
            let (len, last) = (len as usize, last == 1);
            self.posts.push_back(Post { class, conn, dlid, len, last, tag, taken: now });
        }
        for (at, waits) in [!self.opens.is_empty(), !self.posts.is_empty()].into_iter().enumerate() {
            if ready[at] || waits {
                self.offered[at] = now;
            } else if now - self.offered[at] > self.answer {
                let what = ["open_ready", "post_ready"][at];
                let text =
                    format!("{what} has been 0 for {} cycles, and nothing waits", now - self.offered[at]);
                return broken("done", "YA4 YC1", text);
            }
        }
        let [we, number, data] = self.io.cfg.map(|at| input[at]);
        if we == 1 {
            let wrote = self.registers.write(number, data, now);
            if wrote.credits {
                self.table.credits_switched();
            }
            if wrote.clears & ADM_LOST != 0 {
                // (It may be cleared some cycles later, and be set again.)
                let soon = now - self.fell <= self.late && self.credits.up().is_none();
                self.lost = Told { may: soon && self.lost.may, must: false };
            }
            if let Some(seq) = wrote.seq {
                self.table.numbered(seq, !self.opens.is_empty(), now);
            }
        }
        Ok(())
    }
}

/// A flit of a port.
fn flit(words: &[u32], at: &[usize; 5], data: usize) -> Option<Flit> {
    let [valid, lane, first, last, bad] = at.map(|at| words[at]);
    (valid & 1 == 1).then(|| Flit {
        lane: lane as usize,
        first: first & 1 == 1,
        last: last & 1 == 1,
        bad: bad & 1 == 1,
        data: words[data..][..4].try_into().unwrap_or_default(),
    })
}

impl Scoreboard for Adapter {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        self.now += 1;
        let ready = self.io.ready.iter().any(|at| output[*at] & 1 == 1);
        self.started = self.ready.see(self.started || ready, self.now)?;
        if !self.started {
            return Ok(());
        }
        self.outputs(input, output)?;
        self.link(input);
        self.host(input, output)?;
        let empty = self.messages.is_empty() && self.posts.is_empty();
        self.empty = if empty { self.empty.or(Some(self.now)) } else { None };
        if self.now.is_multiple_of(LOOK) {
            self.look()?;
        }
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let io = &self.io;
        let mut valid = |words: &[usize], data: Option<usize>| {
            if output[words[0]] & 1 == 0 {
                words.iter().for_each(|w| output[*w] = 0);
                if let Some(at) = data {
                    output[at..at + 4].fill(0);
                }
            }
        };
        valid(&io.done, None);
        valid(&io.event, None);
        valid(&io.cqe, None);
        valid(&io.dma, None);
        valid(&io.tx, Some(io.tx_data));
        valid(&io.dlv, Some(io.dlv_data));
        (0..self.vls).for_each(|v| valid(&[io.be_front + v, io.be_dlid + v], None));
    }

    fn cover(&self) -> Vec<CoverCount> {
        let (t, m, r) = (&self.table, &self.messages, &self.receiver);
        counted(
            &COVER,
            &[
                t.opens,
                t.refused,
                t.exact,
                t.events,
                t.probes,
                m.accepted,
                self.posts_refused,
                self.posts_exact,
                m.asked,
                m.left,
                m.complete,
                r.shown,
                r.unsure,
                r.replies,
                r.cuts,
                self.falls,
                self.progress.judged,
            ],
        )
    }
}
