//! The end-to-end check: every message that an adapter accepted is delivered once, whole, to its host, its flits in order in one lane;
//! those of a connection in order, and control messages of a host to another one, too.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;

use super::words::{Header, Mark};
use crate::worm::port::{Class, Flit};

/// A breach of what is promised: what, where, when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Cycle.
    pub t: u64,
    /// Host at which it was seen.
    pub host: usize,
    /// What.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "cycle {}, host {}: {}", self.t, self.host, self.what)
    }
}

impl std::error::Error for Fault {}

/// The frame that a message of a stream is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OfFrame {
    /// Of all streams of the network, which.
    pub(super) stream: usize,
    pub(super) frame: u64,
    pub(super) born: u64,
    /// Time of a frame.
    pub(super) time: u64,
    /// The message is the last one of it.
    pub(super) last: bool,
}

/// A message that an adapter accepted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) dst: usize,
    pub(super) class: Class,
    pub(super) conn: u16,
    pub(super) len: u8,
    /// The last one of its stream.
    pub(super) last: bool,
    pub(super) created: u64,
    pub(super) posted: u64,
    /// Messages of its source that were under way then.
    pub(super) ahead: u64,
    pub(super) left: Option<u64>,
    /// A link of its way has fallen since: it may not come, or not whole.
    pub(super) unsure: bool,
    pub(super) of: Option<OfFrame>,
}

/// A message that is coming in.
#[derive(Clone, Copy, Debug)]
struct Coming {
    header: Header,
    class: Class,
    src: usize,
    /// Flits that came.
    flits: u16,
    /// Its number, from the second flit on.
    seq: Option<u32>,
}

/// Messages in the order in which they have to come: of a connection (source, 0, number), or of control (source, 1, destination).
type Way = (usize, u8, usize);

/// All messages under way.
#[derive(Debug)]
pub(super) struct Ledger {
    vls: usize,
    /// By source: number, message.
    under_way: Vec<BTreeMap<u32, Sent>>,
    next: Vec<u32>,
    order: HashMap<Way, VecDeque<u32>>,
    /// By destination and lane.
    coming: Vec<[Option<Coming>; 16]>,
}

/// Whose order a message has to keep.
fn way(src: usize, sent: &Sent) -> Option<Way> {
    match sent.class {
        Class::Control => Some((src, 1, sent.dst)),
        Class::RealTime => Some((src, 0, sent.conn.into())),
        Class::BestEffort => None,
    }
}

impl Ledger {
    pub(super) fn new(hosts: usize, vls: usize) -> Ledger {
        Ledger {
            vls,
            under_way: vec![BTreeMap::new(); hosts],
            next: vec![0; hosts],
            order: HashMap::new(),
            coming: vec![[None; 16]; hosts],
        }
    }

    /// Nothing is under way that has to come.
    pub(super) fn is_empty(&self) -> bool {
        self.under_way.iter().flat_map(BTreeMap::values).all(|sent| sent.unsure)
    }

    /// Links have fallen that are on the way from one host to another, as `over` says: what is under way there may not come.
    pub(super) fn may_be_lost(&mut self, over: &dyn Fn(usize, usize) -> bool) {
        for (src, all) in self.under_way.iter_mut().enumerate() {
            for sent in all.values_mut() {
                sent.unsure |= over(src, sent.dst);
            }
        }
    }

    /// How many have not come although they were sent, of those that may be lost.
    pub(super) fn lost(&self) -> usize {
        self.under_way.iter().flat_map(BTreeMap::values).filter(|sent| sent.unsure).count()
    }

    /// What comes in on a lane ends without the rest of it.
    pub(super) fn cut(&mut self, dst: usize, lane: usize) -> Result<(), String> {
        let Some(c) = self.coming[dst].get_mut(lane).and_then(Option::take) else {
            return Err(format!("lane {lane}: the end of no message"));
        };
        let under_way = &mut self.under_way[c.src];
        let excused = match c.seq {
            Some(seq) => under_way.get(&seq).is_some_and(|sent| sent.unsure),
            None => under_way.values().any(|sent| {
                let of = (sent.dst, sent.class, sent.conn, u16::from(sent.len));
                sent.unsure && of == (dst, c.class, c.header.conn, c.header.len)
            }),
        };
        if !excused {
            return Err(format!("lane {lane}: a message from host {} came damaged", c.src));
        }
        if let Some(seq) = c.seq {
            under_way.remove(&seq);
        }
        Ok(())
    }

    /// A message was accepted: its number.
    pub(super) fn sent(&mut self, src: usize, mut sent: Sent) -> u32 {
        sent.ahead = self.under_way[src].len() as u64;
        let seq = self.next[src];
        self.next[src] = seq.wrapping_add(1);
        if let Some(way) = way(src, &sent) {
            self.order.entry(way).or_default().push_back(seq);
        }
        self.under_way[src].insert(seq, sent);
        seq
    }

    /// Its tail was on the link of the source.
    pub(super) fn left(&mut self, src: usize, seq: u32, t: u64) {
        if let Some(sent) = self.under_way[src].get_mut(&seq) {
            sent.left = Some(t);
        }
    }

    /// What a source has under way, oldest first.
    pub(super) fn under_way(&self, src: usize) -> impl Iterator<Item = &Sent> {
        self.under_way[src].values()
    }

    /// A flit for a host: the message and its source, if it is the tail of one.
    pub(super) fn flit(&mut self, dst: usize, f: &Flit) -> Result<Option<(usize, Sent)>, String> {
        let lane = usize::from(f.vl);
        if lane >= self.vls {
            return Err(format!("a flit on lane {lane} of {}", self.vls));
        }
        if f.bad {
            return self.cut(dst, lane).map(|()| None);
        }
        let mut c = match (self.coming[dst][lane].take(), f.first) {
            (None, true) => self.begin(dst, lane, f)?,
            (Some(c), false) => self.goes_on(dst, lane, c, f)?,
            (Some(_), true) => return Err(format!("lane {lane}: a message ends without a tail")),
            (None, false) => return Err(format!("lane {lane}: a flit of no message")),
        };
        c.flits += 1;
        if !f.last {
            self.coming[dst][lane] = Some(c);
            return Ok(None);
        }
        let src = c.src;
        self.ends(dst, lane, c).map(|sent| Some((src, sent)))
    }

    /// A header.
    fn begin(&self, dst: usize, lane: usize, f: &Flit) -> Result<Coming, String> {
        let header = Header::of(f.data);
        let Some(class) = header.class else {
            return Err(format!("lane {lane}: header {:08x?} is of no host's message", f.data));
        };
        let src = usize::from(header.slid).wrapping_sub(1);
        if usize::from(header.dlid) != dst + 1 || src >= self.next.len() {
            return Err(format!("lane {lane}: a message from {} for {}", header.slid, header.dlid));
        }
        if (class == Class::Control) != (lane == self.vls - 1) || lane + 2 == self.vls {
            return Err(format!("a message of class {class:?} on lane {lane}"));
        }
        Ok(Coming { header, class, src, flits: 0, seq: None })
    }

    /// A flit behind it.
    fn goes_on(&self, dst: usize, lane: usize, mut c: Coming, f: &Flit) -> Result<Coming, String> {
        let Some(mark) = Mark::of(f.data) else {
            return Err(format!("lane {lane}: flit {:08x?} is corrupt", f.data));
        };
        let told = (usize::from(mark.src), mark.class, mark.conn, u16::from(mark.len), u16::from(mark.index));
        let wanted = (c.src, c.class, c.header.conn, c.header.len, c.flits);
        if told != wanted || c.seq.is_some_and(|seq| seq != mark.seq) {
            return Err(format!(
                "lane {lane}: a flit of message {} (source, class, connection, length, index {told:?}) where one of {:?} \
                 ({wanted:?}) is due",
                mark.seq, c.seq
            ));
        }
        if c.seq.is_none() {
            c.seq = Some(mark.seq);
            match self.under_way[c.src].get(&mark.seq) {
                None => return Err(format!("message {} of host {} came twice", mark.seq, c.src)),
                Some(sent) if sent.dst != dst => {
                    return Err(format!("message {} of host {} is for host {}", mark.seq, c.src, sent.dst));
                }
                Some(_) => {}
            }
        }
        Ok(c)
    }

    /// The number of a message of one flit, of which only the header tells.
    fn of_header(&self, dst: usize, c: &Coming) -> Option<u32> {
        let alike = |s: &Sent| s.len == 1 && s.dst == dst && s.class == c.class && s.conn == c.header.conn;
        match c.class {
            // Any of those that look so.
            Class::BestEffort => self.under_way[c.src].iter().find(|(_, s)| alike(s)).map(|(&seq, _)| seq),
            _ => {
                let way = match c.class {
                    Class::Control => (c.src, 1, dst),
                    _ => (c.src, 0, c.header.conn.into()),
                };
                // (Those before it may be lost.)
                let mut due = self
                    .order
                    .get(&way)?
                    .iter()
                    .filter_map(|seq| self.under_way[c.src].get(seq).map(|sent| (*seq, sent)));
                due.find(|(_, sent)| alike(sent) || !sent.unsure)
                    .filter(|(_, s)| alike(s))
                    .map(|(seq, _)| seq)
            }
        }
    }

    /// With its tail.
    fn ends(&mut self, dst: usize, lane: usize, c: Coming) -> Result<Sent, String> {
        let of = format!("a message of class {:?} from host {} on lane {lane}", c.class, c.src);
        if c.flits != c.header.len {
            return Err(format!("{of} has {} flits of {}", c.flits, c.header.len));
        }
        let Some(seq) = c.seq.or_else(|| self.of_header(dst, &c)) else {
            return Err(format!("{of}, of one flit, was not sent, came twice, or before another one"));
        };
        let Some(sent) = self.under_way[c.src].remove(&seq) else {
            return Err(format!("{of}: number {seq} came twice"));
        };
        if (sent.class, sent.last) != (c.class, c.header.last) {
            return Err(format!("{of}: number {seq} was sent as {:?}, final {}", sent.class, sent.last));
        }
        if let Some(way) = way(c.src, &sent) {
            let under_way = &self.under_way[c.src];
            let lost = |n: &u32| *n != seq && under_way.get(n).is_none_or(|sent| sent.unsure);
            let order = self.order.get_mut(&way);
            let due = order.and_then(|all| {
                while all.front().is_some_and(lost) {
                    all.pop_front();
                }
                all.pop_front()
            });
            if due != Some(seq) {
                return Err(format!("{of}: number {seq} came where {due:?} is due"));
            }
        }
        Ok(sent)
    }
}
