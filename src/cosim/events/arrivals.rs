//! What comes in by a link and is inside since, as far as pins tell (`docs/input-port.md`): packets that must leave or may, and the credits
//! for them. Input ports and switches are judged by it.

use std::collections::VecDeque;

use super::credits::{Credits, Wrong};
use super::headers::Headers;
use super::packets::{Class, Found, Packet, Packets};
use super::scoreboard::{Broken, Point, Regular, broken};
use super::settings::{Setting, Settings};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// An error for a unit (`a`) with these parameters, whose packets are not judged.
pub(super) fn refuse(a: &str, ports: &str, p: &Params, others: &[(bool, &str)]) -> Result<(), String> {
    let not = [
        (p.one_queue, "ONE_QUEUE"),
        (p.markers, "MARKERS"),
        (p.cioq, "CIOQ"),
        (p.srp, "SRP"),
        (p.random_up, "RANDOM_UP"),
    ];
    if let Some((_, name)) = not.iter().chain(others).find(|n| n.0) {
        return Err(format!("{a} with {name} = 1 has no scoreboard of events"));
    }
    if p.ports > 31 {
        return Err(format!("{a} of {} {ports} has no scoreboard of events; of up to 31 there is", p.ports));
    }
    Ok(())
}

/// Tolerances of what comes in: `early` and the text of `message` are of the unit.
pub(super) fn tolerances(early: u64, message: &'static str) -> Vec<Setting> {
    let s = Setting::new;
    vec![
        s("receive", 16, 0, "by which a silence may end a packet earlier or later, and a route written hold"),
        s("credit", 64, 0, "after which credits must say that a block is free"),
        s("early", early, 0, "by which credits may say so before its flit leaves"),
        s("message", 64, 0, message),
    ]
}

/// What is counted, in the order of [`Counts::all`].
pub(super) const COUNTED: [Point; 8] = [
    ("packets", "R1", "packets that had to be accepted"),
    ("unsure", "R1 B3", "packets that might be refused: without credit, or with a route just written"),
    ("refused", "R1 B3", "packets refused by their first flit"),
    ("cut", "B3", "packets that ended before their time"),
    ("left", "R1 E9", "packets that left, in order and as they came"),
    ("left_cut", "B3", "packets cut that left with a bad end"),
    ("credits", "F1", "credit messages judged"),
    ("all_free", "F1", "of these, with all blocks free and given back"),
];

/// And [`Counts::routes`].
pub(super) const ROUTES: Point = ("routes", "R1", "routes written");

/// An entry of the forwarding table.
#[derive(Clone, Copy)]
struct Route {
    /// The outputs of now and of the cycles in which writes may not have been seen; [`NOWHERE`]: none.
    now: u32,
    before: u32,
    changed: u64,
}

/// Packets that may be lost with a link, and cycles that a flit of these takes at most.
const LOST: u64 = 8;
const SLOWEST: u64 = 16;

/// No route.
const NOWHERE: u32 = 1 << 31;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rx {
    Idle,
    Receiving(usize),
    Dropping,
}

/// A flit on a link.
#[derive(Clone, Copy)]
pub(super) struct Flit<'a> {
    pub first: bool,
    pub last: bool,
    pub bad: bool,
    pub data: &'a [u32],
}

/// What comes by a link in a cycle.
#[derive(Clone, Copy)]
pub(super) struct Came<'a> {
    pub link_up: bool,
    pub flit: Option<Flit<'a>>,
    /// VL and value of a flow control message.
    pub fctbs: Option<(usize, u16)>,
}

/// What was seen, how often.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub packets: u64,
    pub unsure: u64,
    pub refused: u64,
    pub cut: u64,
    pub left: u64,
    pub left_cut: u64,
    pub credits: u64,
    pub all_free: u64,
    pub routes: u64,
    /// Packets that are inside after all.
    pub known: u64,
}

impl Counts {
    /// All but routes.
    pub fn all(&self) -> [u64; 8] {
        let c = self;
        [c.packets, c.unsure, c.refused, c.cut, c.left, c.left_cut, c.credits, c.all_free]
    }
}

/// Where a packet that leaves comes from.
pub(super) enum Origin {
    /// It waited; those before it that may be gone are, then.
    Packet { id: usize, gone: Vec<usize> },
    /// It is none that may leave here now; `true`: it was seen to come.
    Wrong(bool, Broken),
}

/// The receiving half of a port.
pub(super) struct Arrivals {
    /// How it is named: `input 2, ` or nothing.
    place: String,
    params: Params,
    headers: Headers,
    /// Words of a flit.
    flit: usize,
    addresses: [u8; 2],
    /// FECN may be set on the way.
    marks: bool,
    /// Who sends keeps to credits that are not seen, and pauses as it likes.
    inside: bool,
    /// Tolerances.
    late: u64,
    /// What is lost is free after so many cycles.
    settle: u64,

    now: u64,
    routes: Vec<Route>,
    /// RX_TIMEOUT: the values that may hold, the least and the largest (`u64::MAX`: never), and the last write.
    timeout: (u64, u64),
    timeout_now: u64,
    timeout_changed: u64,
    /// The last silence inside the packet that comes: its cycles, and when it ended.
    gap: (u64, u64),
    messages: Regular,
    pub packets: Packets,
    /// Packets that came in the last cycles, and when.
    young: VecDeque<(u64, usize)>,
    rx: Rx,
    silent: u64,
    /// The VL of the packet that comes, if it is legal.
    context: Option<usize>,
    credits: Vec<Credits>,
    /// Packets that were lost with the link of each output.
    pub lost: Vec<u64>,
    pub counts: Counts,
}

impl Arrivals {
    pub fn new(place: String, p: &Params, settings: &Settings, marks: bool) -> Arrivals {
        let [credit, early] = ["credit", "early"].map(|n| settings.get(n));
        let route = Route { now: NOWHERE, before: NOWHERE, changed: 0 };
        Arrivals {
            place,
            params: *p,
            headers: Headers::new(p),
            flit: p.flit_bytes / 4,
            addresses: ["FC_INTERVAL", "RX_TIMEOUT"].map(|name| addr(UnitKind::InputPort, name)),
            marks,
            inside: false,
            late: settings.get("receive"),
            settle: LOST * SLOWEST * p.mtu as u64 + 1024,
            now: 0,
            routes: vec![route; p.lft_depth],
            timeout: (1024, 1024),
            timeout_now: 1024,
            timeout_changed: 0,
            gap: (0, 0),
            messages: Regular::new(p.vls, settings.get("message")),
            packets: Packets::default(),
            young: VecDeque::new(),
            rx: Rx::Idle,
            silent: 0,
            context: None,
            credits: (0..p.vls).map(|v| Credits::new(p.cap(v), credit, early)).collect(),
            lost: vec![0; p.ports],
            counts: Counts::default(),
        }
    }

    /// Of packets that do not come by a link: their sender keeps to credits that are not seen, and pauses as it likes.
    pub fn inside(p: &Params, settings: &Settings) -> Arrivals {
        let arrivals = Arrivals::new(String::new(), p, settings, true);
        Arrivals { inside: true, timeout: (u64::MAX, u64::MAX), timeout_now: u64::MAX, ..arrivals }
    }

    /// Blocks of a VL that may be in use.
    pub fn held(&self, vl: usize) -> i32 {
        self.credits[vl].held()
    }

    /// The unit was not ready until now.
    pub fn not_ready(&mut self, now: u64) {
        self.credits.iter_mut().for_each(|c| c.renew(now));
        self.messages.anew(now + 1);
    }

    // What a first flit says.

    /// The word of the BTH, where there is one to be seen.
    pub fn bth(&self, data: &[u32]) -> Option<usize> {
        self.headers.bth(data)
    }

    /// Of the BTH.
    pub fn opcode(&self, data: &[u32]) -> u32 {
        self.headers.opcode(data)
    }

    /// A data packet that a switch may mark.
    pub fn markable(&self, data: &[u32]) -> bool {
        self.headers.markable(data)
    }

    pub fn class(&self, data: &[u32]) -> Class {
        self.headers.class(data)
    }

    /// Length by the header, flits.
    pub fn length(data: &[u32]) -> usize {
        Headers::length(data)
    }

    /// A first flit without its FECN, and that.
    pub fn unmarked(&self, data: &[u32]) -> (Vec<u32>, bool) {
        if self.marks { self.headers.unmarked(data) } else { (data.to_vec(), false) }
    }

    pub fn told(&self, id: usize) -> String {
        let p = self.packets.get(id);
        let kind = if p.class.cnp { "CNP" } else { "packet" };
        let by = self.place.trim_end_matches(", ");
        let by = if by.is_empty() { String::new() } else { format!(" by {by}") };
        format!(
            "the {kind} of {} flits to DLID {} on VL {} that came{by} in cycle {}",
            p.n, p.class.dlid, p.class.vl, p.arrived
        )
    }

    // What leaves.

    /// The packet that the first flit `data` at output `o` begins, if it is of here.
    pub fn origin(&self, o: usize, class: Class, data: &[u32]) -> Origin {
        let elsewhere = |id: usize| {
            let outs = self.packets.get(id).outs;
            let to = match outs {
                0 => "has no route".into(),
                _ => format!("goes to output {}", outs.trailing_zeros()),
            };
            ("output", "R1", format!("output {o}: {} leaves here, and {to}", self.told(id)))
        };
        let (came, (kind, rules, text)) = match self.packets.find(class, o, data) {
            Found::Packet { id, gone } => return Origin::Packet { id, gone },
            Found::Elsewhere(id) => (true, elsewhere(id)),
            Found::Passed(before, id) => {
                let text = format!("output {o}: {} leaves before {}", self.told(id), self.told(before));
                (true, ("order", "E9", text))
            }
            Found::Stranger => {
                let seen = format!("output {o}: a packet to DLID {} on VL {}", class.dlid, class.vl);
                let text = format!("{seen} leaves that did not come, or left before, or is not as it came");
                (false, ("stranger", "R1", text))
            }
        };
        Origin::Wrong(came, Broken { kind, rules, text })
    }

    /// It leaves from now on.
    pub fn begin(&mut self, id: usize, gone: &[usize]) {
        self.packets.take(id, gone);
        for &id in gone {
            self.gone(id);
            self.packets.release(id);
        }
    }

    /// Whether a flit at output `o` is flit `r` of a packet.
    pub fn suits(&self, o: usize, id: usize, r: usize, flit: &Flit) -> Result<(), Broken> {
        let p = self.packets.get(id);
        let stored = p.stored(self.flit);
        if flit.bad {
            let ended = p.cut && r == stored || p.loose && r <= stored;
            if !ended || !flit.last || flit.data.iter().any(|x| *x != 0) {
                let text =
                    format!("output {o}: a bad end as flit {r} of {}, of which {stored} came", self.told(id));
                return broken("cut", "B3", text);
            }
        } else {
            if p.words.get(r * self.flit..(r + 1) * self.flit) != Some(flit.data) {
                let text =
                    format!("output {o}: flit {r} of {} is not as it came, or did not come", self.told(id));
                return broken("intact", "R1", text);
            }
            if flit.last != (r + 1 == p.n) {
                let last = u8::from(flit.last);
                let text = format!("output {o}: last = {last} at flit {r} of {}", self.told(id));
                return broken("framing", "B3", text);
            }
        }
        Ok(())
    }

    /// A flit of a packet left.
    pub fn leave(&mut self, id: usize, flit: &Flit) {
        let stored = self.packets.get(id).stored(self.flit);
        let p = self.packets.get_mut(id);
        let (vl, sure) = (p.class.vl, p.sure);
        if flit.bad {
            self.credits[vl].hold(p.left as i32 - stored as i32, sure);
            self.counts.left_cut += 1;
        } else {
            self.credits[vl].hold(-1, sure);
        }
        p.left += 1;
        if flit.last {
            self.counts.left += 1;
            self.no_longer(id);
            self.packets.release(id);
        }
    }

    /// All flits of a packet that will come have come.
    pub fn complete(&self, id: usize) -> bool {
        let p = self.packets.get(id);
        p.whole.is_some() || p.cut
    }

    /// A packet for output `o` still comes that may have been lost, or is not sure for another reason.
    pub fn holds(&self, o: usize) -> bool {
        self.packets.waiting.iter().any(|id| {
            let p = self.packets.get(*id);
            !p.sure && p.outs >> o & 1 == 1 && !self.complete(*id)
        })
    }

    // Credits.

    /// A credit message in this cycle, or none.
    pub fn message(&mut self, message: Option<(usize, u16)>, now: u64) -> Result<(), Broken> {
        self.now = now;
        if let Some((v, value)) = message {
            if v >= self.params.vls {
                let text =
                    format!("{}a credit message for VL {v}: there are {}", self.place, self.params.vls);
                return broken("credit", "F1", text);
            }
            self.messages.heard(v, now);
            self.counts.credits += 1;
            if let Some(then) = self.credits[v].keeps(value & 0xfff, now) {
                self.kept(v, then.saturating_sub(self.settle));
            }
            let free = self.credits[v].message(value & 0xfff, now);
            let free = free.map_err(|e| self.wrong(v, e))?;
            self.counts.all_free += u64::from(free);
        }
        for v in 0..self.params.vls {
            let cleared = self.credits[v].cycle(now).map_err(|e| self.wrong(v, e))?;
            if cleared {
                self.cleared(v);
            }
            if let Some(most) = self.messages.late(v, now) {
                let text = format!("{}no credit message for VL {v} in {most} cycles", self.place);
                return broken("silent", "F1", text);
            }
        }
        Ok(())
    }

    fn wrong(&self, vl: usize, wrong: Wrong) -> Broken {
        let (kind, text) = match wrong {
            Wrong::TooMuch(n) => ("overdrawn", format!("{n} blocks more than are free")),
            Wrong::TooLittle(n) => ("leak", format!("{n} blocks less than have been free for long")),
        };
        Broken { kind, rules: "F1", text: format!("{}VL {vl}: credits for {text}", self.place) }
    }

    /// What may be in use is, since long ago: what came and was doubted before cycle `before` is inside.
    fn kept(&mut self, vl: usize, before: u64) {
        let is = |p: &Packet| {
            let whole = p.whole.is_some_and(|w| w < before) && !p.cut && !p.loose && !p.lost;
            !p.sure && whole && p.class.vl == vl && p.doubted < before && p.outs.is_power_of_two()
        };
        let ids: Vec<usize> =
            self.packets.waiting.iter().copied().filter(|id| is(self.packets.get(*id))).collect();
        for id in ids {
            let p = self.packets.get_mut(id);
            (p.sure, p.fell) = (true, None);
            self.credits[vl].trust(p.stored(self.flit) as i32);
            self.counts.known += 1;
        }
    }

    /// The design says that all blocks are free but those that are in use for sure: what may be gone is.
    fn cleared(&mut self, vl: usize) {
        let is = |p: &Packet| !p.sure && p.class.vl == vl;
        let ids: Vec<usize> =
            self.packets.waiting.iter().copied().filter(|id| is(self.packets.get(*id))).collect();
        for id in ids {
            self.packets.forget(id);
            self.gone(id);
        }
    }

    // What comes.

    /// Flits of a packet may be gone from now on, and itself.
    pub fn doubt(&mut self, id: usize) {
        let p = self.packets.get_mut(id);
        (p.fell, p.doubted) = (None, self.now);
        if !std::mem::take(&mut p.sure) {
            return;
        }
        // What has begun to leave goes on, but when its blocks are free is not sure.
        let (vl, held) = (p.class.vl, p.stored(self.flit) as i32 - p.left as i32);
        self.credits[vl].doubt(held);
    }

    /// The link of output `o` fell: what waits for it may be lost, and what leaves by it is.
    pub fn fell(&mut self, o: usize, leaves: Option<usize>) {
        let waits: Vec<usize> = self.packets.waiting.iter().copied().collect();
        for id in waits {
            self.may_be_lost(o, id);
        }
        if let Some(id) = leaves {
            self.doubt(id);
            let p = self.packets.get_mut(id);
            p.lost = true;
            self.packets.waiting.push_front(id);
        }
    }

    fn may_be_lost(&mut self, o: usize, id: usize) {
        let p = self.packets.get(id);
        if p.outs >> o & 1 == 1 && p.sure {
            self.doubt(id);
            self.packets.get_mut(id).fell = Some(o);
        }
    }

    /// The packet that came last, in cycle `now`, may be lost with the link of output `o`.
    pub fn came_late(&mut self, o: usize, now: u64) {
        if let Some(&(at, id)) = self.young.back()
            && at == now
            && self.packets.get(id).arrived == at
        {
            self.may_be_lost(o, id);
        }
    }

    /// The packet that is coming, if it goes on for sure, and its flits that have come.
    pub fn open(&self) -> Option<(usize, usize)> {
        let Rx::Receiving(id) = self.rx else { return None };
        let p = self.packets.get(id);
        (!p.loose).then(|| (id, p.stored(self.flit)))
    }

    /// Until when a register that is written is seen.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// The packet that began to come in cycle `now`.
    pub fn came(&self, now: u64) -> Option<&Packet> {
        let &(at, id) = self.young.back()?;
        (at == now).then(|| self.packets.get(id))
    }

    /// What else comes of a packet is of none.
    fn no_longer(&mut self, id: usize) {
        if self.rx == Rx::Receiving(id) {
            self.rx = Rx::Dropping;
        }
    }

    /// A packet that need not come out is not there any more: its blocks are free.
    fn gone(&mut self, id: usize) {
        let p = self.packets.get(id);
        let (vl, held) = (p.class.vl, p.stored(self.flit) as i32 - p.left as i32);
        if let Some(o) = p.fell {
            self.lost[o] += 1;
        }
        self.credits[vl].hold(-held, false);
        self.no_longer(id);
    }

    /// The packet that comes ends here.
    fn cut(&mut self, id: usize) {
        self.doubt(id);
        self.packets.get_mut(id).cut = true;
        self.counts.cut += 1;
    }

    /// The inputs of cycle `now`.
    pub fn receive(&mut self, came: &Came, now: u64) {
        self.now = now;
        if !came.link_up {
            if let Rx::Receiving(id) = self.rx {
                self.cut(id);
            }
            (self.rx, self.context) = (Rx::Idle, None);
            self.credits.iter_mut().for_each(|c| c.down(now));
            self.messages.anew(now);
            return;
        }
        if let Some((vl, sent)) = came.fctbs
            && let Some(c) = self.credits.get_mut(vl)
        {
            c.correct(sent & 0xfff, now);
        }
        let Some(Flit { first, last, bad, data }) = came.flit else {
            self.silence();
            return;
        };
        let ends = if last { Rx::Idle } else { Rx::Dropping };
        if first {
            if let Rx::Receiving(id) = self.rx {
                self.cut(id);
            }
            let class = self.class(data);
            self.context = (class.vl < self.params.vls).then_some(class.vl);
            self.rx = match self.header(class, data, (last, bad), now) {
                None => {
                    self.counts.refused += 1;
                    ends
                }
                Some(_) if last => Rx::Idle,
                Some(id) => Rx::Receiving(id),
            };
        } else if let Rx::Receiving(id) = self.rx {
            let p = self.packets.get_mut(id);
            let a = p.stored(self.flit);
            if !bad && last == (a + 1 == p.n) {
                p.words.extend_from_slice(data);
                p.whole = last.then_some(now);
                let (vl, sure) = (p.class.vl, p.sure);
                self.credits[vl].hold(1, sure);
                if last {
                    self.rx = Rx::Idle;
                }
            } else {
                self.cut(id);
                self.rx = ends;
            }
        } else {
            if self.rx == Rx::Idle {
                self.context = None;
            }
            self.rx = ends;
        }
        if first {
            self.gap = (0, now);
        } else if self.silent >= self.gap.0 {
            self.gap = (self.silent, now);
        }
        self.silent = 0;
        if let Some(v) = self.context {
            self.credits[v].receive();
        }
    }

    /// The packet may be cut by a silence, and may not.
    fn loosen(&mut self, id: usize) {
        self.doubt(id);
        self.packets.get_mut(id).loose = true;
    }

    /// No flit came.
    fn silence(&mut self) {
        let Rx::Receiving(id) = self.rx else { return };
        self.silent += 1;
        if self.silent.saturating_add(self.late) >= self.timeout.0 {
            self.loosen(id);
        }
        if self.silent >= self.timeout.1.saturating_add(self.late) {
            self.cut(id);
            self.rx = Rx::Dropping;
        }
    }

    /// A first flit that is accepted, or may be.
    fn header(&mut self, class: Class, data: &[u32], (last, bad): (bool, bool), now: u64) -> Option<usize> {
        let n = Arrivals::length(data);
        let opcode = self.opcode(data);
        let reply = n == 1 && (opcode == 0x80 || opcode & 0x1f == 0x11);
        let vls = self.params.vls;
        let suits = reply || !self.params.ctl_vl || class.vl != vls - 1;
        if class.vl >= vls || !(1..=self.params.mtu).contains(&n) || !suits || bad || last != (n == 1) {
            return None;
        }
        let outs = match self.routes.get(usize::from(class.dlid)) {
            None => NOWHERE,
            Some(r) if now - r.changed <= self.late => r.now | r.before,
            Some(r) => r.now,
        };
        let room = self.inside || self.credits[class.vl].promised(n);
        let sure = outs & NOWHERE == 0 && room;
        *(if sure { &mut self.counts.packets } else { &mut self.counts.unsure }) += 1;
        self.credits[class.vl].hold(1, sure);
        let (words, fecn) = self.unmarked(data);
        let id = self.packets.add(Packet {
            class,
            n,
            words,
            fecn,
            outs: outs & !NOWHERE,
            sure,
            whole: last.then_some(now),
            cut: false,
            loose: false,
            left: 0,
            doubted: now,
            fell: None,
            lost: false,
            arrived: now,
        });
        self.young.push_back((now, id));
        Some(id)
    }

    /// Those without a route that have grown old were refused.
    fn grow(&mut self, now: u64) {
        while let Some((at, id)) = self.young.front().copied().filter(|y| now - y.0 >= self.late) {
            self.young.pop_front();
            let p = self.packets.get(id);
            if p.arrived == at && p.outs == 0 && self.packets.forget(id) {
                self.gone(id);
            }
        }
    }

    /// Register and forwarding table writes of cycle `now`, number or DLID and value; after what comes in it.
    pub fn writes(&mut self, cfg: Option<(u32, u32)>, lft: Option<(u32, u32)>, now: u64) {
        if let Some((address, port)) = lft
            && let Some(route) = self.routes.get_mut(address as usize)
        {
            let is = if (port as usize) < self.params.ports { 1 << port } else { NOWHERE };
            if is != route.now {
                let before = if now - route.changed <= self.late { route.before } else { 0 };
                *route = Route { now: is, before: before | route.now, changed: now };
                self.counts.routes += 1;
                for (at, id) in self.young.clone() {
                    let p = self.packets.get_mut(id);
                    if p.arrived == at && u32::from(p.class.dlid) == address {
                        p.outs |= is & !NOWHERE;
                        if is == NOWHERE {
                            self.doubt(id);
                        }
                    }
                }
            }
        }
        match cfg {
            Some((a, data)) if a == u32::from(self.addresses[0]) => {
                self.messages.every(data, now);
            }
            Some((a, data)) if a == u32::from(self.addresses[1]) => {
                let value = if data & 0xffff == 0 { u64::MAX } else { (data & 0xffff).into() };
                let old = if now - self.timeout_changed <= self.late {
                    self.timeout
                } else {
                    (self.timeout_now, self.timeout_now)
                };
                self.timeout = (old.0.min(value), old.1.max(value));
                // A silence of a moment ago may be held against it, too.
                let ended = if now - self.gap.1 <= self.late { self.gap.0 } else { 0 };
                let silent = self.silent.max(ended);
                if let Rx::Receiving(id) = self.rx
                    && silent > 0
                    && silent.saturating_add(self.late) >= value
                {
                    self.loosen(id);
                }
                (self.timeout_now, self.timeout_changed) = (value, now);
            }
            _ => {}
        }
        if now - self.timeout_changed > self.late {
            self.timeout = (self.timeout_now, self.timeout_now);
        }
        self.grow(now);
    }
}
