//! Follows messages from the host to the link and from the link to the host, by what the page promises (section 6).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::params::{Build, Params};
use crate::signals::Layout;
use crate::stimulus::worm_router::head::{DATA, Head, OTHER, PROBE, RELEASE};

/// A message that the host posted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    class: u32,
    to: u32,
    len: u32,
    last: bool,
    tag: u32,
}

/// A message on its way over the link.
#[derive(Clone, Debug, Default)]
struct Going {
    flits: Vec<[u32; 4]>,
    /// None of the adapter's own.
    of: Option<Message>,
}

/// Flits of a message, by its header's PktLen.
fn length(words: &[u32; 4]) -> u32 {
    let pkt_len = (words[1] & 7) << 8 | words[1] >> 8 & 0xff;
    assert_eq!(pkt_len % 4, 0);
    pkt_len / 4
}

/// What a flit on `dlv` has to say.
type Delivered = (u32, u32, u32, u32, [u32; 4]);

/// The watch, for neighbours that keep to the protocol; links may fall.
pub(super) struct Watch {
    l: Layout,
    p: Params,
    lid: u32,
    /// The sweep is over.
    started: bool,
    taken: Option<Message>,
    /// The open that waits for its turn, and DLIDs of connections.
    asked: Option<(u32, u32)>,
    dlids: BTreeMap<u32, u32>,
    /// Best-effort messages that are not complete, by tag.
    tags: BTreeSet<u32>,
    /// Accepted messages that no header has been seen of: by class and connection, in order.
    accepted: BTreeMap<(u32, u32), VecDeque<Message>>,
    /// Words that were taken for each message, by its tag.
    words: BTreeMap<u32, Vec<[u32; 4]>>,
    going: BTreeMap<u32, Going>,
    /// The message whose completion is due in this cycle.
    complete: Option<Message>,
    /// Flits that the router holds, by lane.
    held: Vec<usize>,
    /// Lanes on which a message comes in.
    open: Vec<bool>,
    /// What `dlv` says in the next cycle.
    delivered: Option<Delivered>,
    /// Flits that came, less the pulses for them, by lane.
    owed: Vec<i64>,
    pub left: u64,
    pub came: u64,
    pub own: u64,
}

impl Watch {
    pub(super) fn new(build: &Build, lid: u32) -> Watch {
        let vls = build.params.vls;
        Watch {
            l: Layout::new(build.unit, &build.params),
            p: build.params,
            lid,
            started: false,
            taken: None,
            asked: None,
            dlids: BTreeMap::new(),
            tags: BTreeSet::new(),
            accepted: BTreeMap::new(),
            words: BTreeMap::new(),
            going: BTreeMap::new(),
            complete: None,
            held: vec![0; vls],
            open: vec![false; vls],
            delivered: None,
            owed: vec![0; vls],
            left: 0,
            came: 0,
            own: 0,
        }
    }

    /// Messages that were accepted and did not leave.
    pub(super) fn waiting(&self) -> usize {
        self.accepted.values().map(VecDeque::len).sum::<usize>() + self.going.len()
    }

    /// A cycle's inputs and outputs.
    pub(super) fn look(&mut self, i: &[u32], o: &[u32]) {
        self.started |= self.output(o, "open_ready") | self.output(o, "post_ready") == 1;
        if !self.started {
            return;
        }
        self.host(i, o);
        self.completes(o);
        self.goes(o);
        self.comes(i, o);
        self.credits(i, o);
    }

    fn input(&self, i: &[u32], name: &str) -> u32 {
        i[self.l.input(name)]
    }

    fn output(&self, o: &[u32], name: &str) -> u32 {
        o[self.l.output(name)]
    }

    fn host(&mut self, i: &[u32], o: &[u32]) {
        if self.output(o, "done_valid") & self.output(o, "done_post") == 1 {
            let m = self.taken.take().expect("a post was taken");
            assert_eq!(self.output(o, "done_tag"), m.tag);
            assert_eq!(self.output(o, "done_ok") == 1, self.output(o, "done_why") == 0);
            if self.output(o, "done_ok") == 1 {
                assert!((1..=self.p.lane as u32).contains(&m.len), "{m:?}");
                let of = if m.class == 1 { m.to } else { 0 };
                if m.class == 2 {
                    self.tags.insert(m.tag);
                }
                self.accepted.entry((m.class, of)).or_default().push_back(m);
            }
        }
        if self.output(o, "done_valid") == 1 && self.output(o, "done_post") == 0 {
            let (conn, dlid) = self.asked.take().expect("an open was taken");
            assert_eq!(self.output(o, "done_tag"), conn);
            if self.output(o, "done_ok") == 1 {
                self.dlids.insert(conn, dlid);
            }
        }
        if self.input(i, "open_valid") & self.output(o, "open_ready") == 1 {
            assert_eq!(self.asked, None, "ready again behind its turn");
            self.asked = Some((self.input(i, "open_conn"), self.input(i, "open_dlid")));
        }
        if self.input(i, "post_valid") & self.output(o, "post_ready") == 1 {
            assert_eq!(self.taken, None, "ready again behind its turn");
            let class = self.input(i, "post_class");
            self.taken = Some(Message {
                class,
                to: self.input(i, if class == 1 { "post_conn" } else { "post_dlid" }),
                len: self.input(i, "post_len"),
                last: class == 1 && self.input(i, "post_final") == 1,
                tag: self.input(i, "post_tag"),
            });
        }
        if self.output(o, "dma_valid") == 1 {
            let at = self.l.input("dma_data");
            let words = self.words.entry(self.output(o, "dma_tag")).or_default();
            words.push(i[at..at + 4].try_into().unwrap());
            assert_eq!(words.len() as u32, o[self.l.output("dma_index")], "one after the other");
        }
    }

    /// The completion of what left in the cycle before.
    fn completes(&mut self, o: &[u32]) {
        let Some(m) = self.complete.take() else {
            assert_eq!(self.output(o, "cqe_valid"), 0, "nothing left");
            return;
        };
        let conn = if m.class == 1 { m.to } else { 0 };
        let says = ["cqe_valid", "cqe_class", "cqe_conn"].map(|name| self.output(o, name));
        assert_eq!(says, [1, m.class, conn], "{m:?}");
        let tag = self.output(o, "cqe_tag");
        // (Of best-effort messages that look alike it may be another one.)
        if m.class == 2 {
            assert!(self.tags.remove(&tag), "{tag} completes once");
        } else {
            assert_eq!(tag, m.tag);
        }
        self.left += 1;
    }

    fn goes(&mut self, o: &[u32]) {
        if self.output(o, "tx_valid") == 0 {
            return;
        }
        let lane = self.output(o, "tx_vl");
        let at = self.l.output("tx_data");
        let words: [u32; 4] = o[at..at + 4].try_into().unwrap();
        assert_eq!(self.output(o, "tx_first") == 1, !self.going.contains_key(&lane), "lane {lane}");
        if self.output(o, "tx_first") == 1 {
            let of = self.header(&words, lane);
            self.going.insert(lane, Going { flits: Vec::new(), of });
        }
        let going = self.going.get_mut(&lane).unwrap();
        going.flits.push(words);
        assert_eq!(o[self.l.output("tx_bad")], 0);
        if o[self.l.output("tx_last")] == 0 {
            return;
        }
        let Going { flits, of } = self.going.remove(&lane).unwrap();
        assert_eq!(length(&flits[0]), flits.len() as u32);
        match of {
            Some(m) => {
                assert_eq!(flits.len() as u32, m.len, "whole: {m:?}");
                let tag = if m.class == 2 { self.tag_of(&flits[1..]) } else { Some(m.tag) };
                let given = tag.and_then(|tag| self.words.remove(&tag)).unwrap_or_default();
                assert_eq!(flits[1..], given, "the words of {m:?}");
                self.complete = Some(m);
            }
            None => {
                assert_eq!(flits.len(), self.p.lane.min(10));
                assert!(flits[1..].iter().all(|f| *f == [0; 4]));
                self.own += 1;
            }
        }
    }

    /// The best-effort message that has these words.
    fn tag_of(&self, flits: &[[u32; 4]]) -> Option<u32> {
        let first = flits.first()?;
        self.words.iter().find(|(_, w)| w.first() == Some(first)).map(|(&tag, _)| tag)
    }

    /// Whose header this is; that message has left its queue.
    fn header(&mut self, words: &[u32; 4], lane: u32) -> Option<Message> {
        let (head, dlid) = Head::of(words);
        let control = self.p.vls as u32 - 1;
        let (real_time, len) = (words[2] >> 9 & 1 == 1, length(words));
        assert_eq!(u32::from(head.slid), self.lid);
        if matches!(head.kind, PROBE | RELEASE) {
            assert_eq!((lane, real_time, head.last), (control, false, false));
            return None;
        }
        let class = match (head.kind, real_time) {
            (OTHER, false) => 0,
            (DATA, true) => 1,
            (DATA, false) => 2,
            _ => panic!("no such header: {head:?}"),
        };
        assert_eq!(lane == control, class == 0);
        assert_eq!(u32::from(head.vl), lane);
        let waiting = self.accepted.get_mut(&(class, head.conn.into())).expect("it was accepted");
        let at = match class {
            // (Lanes of best-effort overtake each other.)
            2 => waiting.iter().position(|m| m.to == dlid && m.len == len).expect("it was accepted"),
            _ => 0,
        };
        let m = waiting.remove(at).expect("it was accepted");
        let leads = if class == 1 { self.dlids[&m.to] } else { m.to };
        assert_eq!(leads, dlid);
        assert_eq!(m.last, head.last);
        Some(m)
    }

    fn comes(&mut self, i: &[u32], o: &[u32]) {
        let names = ["dlv_valid", "dlv_vl", "dlv_first", "dlv_last", "dlv_bad"];
        let [valid, vl, first, last, bad] = names.map(|name| self.output(o, name));
        let at = self.l.output("dlv_data");
        let says = (vl, first, last, bad, o[at..at + 4].try_into().unwrap());
        let expected = self.delivered.take();
        assert_eq!((valid == 1).then_some(says), expected);
        if self.input(i, "link_up") == 0 {
            self.open.fill(false);
            return;
        }
        if self.input(i, "rx_valid") == 0 {
            return;
        }
        let [vl, first, last, bad] =
            ["rx_vl", "rx_first", "rx_last", "rx_bad"].map(|name| self.input(i, name));
        let at = self.l.input("rx_data");
        let words = i[at..at + 4].try_into().unwrap();
        let open = &mut self.open[vl as usize];
        if *open || first == 1 {
            *open = last == 0;
            if vl as usize != self.p.vls - 2 {
                self.came += 1;
                self.delivered = Some((vl, first, last, bad & last, words));
            }
        }
    }

    /// Both ways.
    fn credits(&mut self, i: &[u32], o: &[u32]) {
        if self.input(i, "link_up") == 0 {
            self.held.fill(0);
            self.owed.fill(0);
            return;
        }
        if self.output(o, "tx_valid") == 1 {
            let v = self.output(o, "tx_vl") as usize;
            self.held[v] += 1;
            assert!(self.held[v] <= self.p.depth, "the router has room for what is sent");
        }
        for v in 0..self.p.vls {
            self.held[v] -= i[self.l.input("rx_credit") + v] as usize;
            self.owed[v] -= i64::from(o[self.l.output("tx_credit") + v]);
            assert!(self.owed[v] >= 0, "a pulse for a flit");
        }
        if self.input(i, "rx_valid") == 1 {
            let v = self.input(i, "rx_vl") as usize;
            self.owed[v] += 1;
            assert!(self.owed[v] <= self.p.depth as i64, "the stimulus keeps to its credits");
        }
    }

    /// All pulses came.
    pub(super) fn all_home(&self) -> bool {
        self.owed.iter().all(|&n| n == 0) && self.held.iter().all(|&n| n == 0)
    }
}
