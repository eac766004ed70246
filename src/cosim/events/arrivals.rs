//! What comes in by a link and is inside since, as far as pins tell (`docs/input-port.md`): packets that must leave or may, and the credits
//! for them. Input ports and switches are judged by it.

use std::collections::VecDeque;

use super::credits::{Credits, Wrong};
use super::headers::{FECN, Headers};
use super::marks::spread;
use super::packets::{Class, Found, Packet, Packets};
use super::register::{Register, Told};
use super::scoreboard::{Broken, Point, Regular, broken};
use super::settings::{Setting, Settings};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// An error for a unit (`a`) with these parameters, whose packets are not judged.
pub(super) fn refuse(a: &str, ports: &str, p: &Params, others: &[(bool, &str)]) -> Result<(), String> {
    if let Some((_, name)) = [(p.srp, "SRP")].iter().chain(others).find(|n| n.0) {
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
    /// It is any up port, or may have been.
    any: bool,
    any_before: bool,
}

/// Packets that may be lost with a link, and cycles that a flit of these takes at most.
const LOST: u64 = 8;
const SLOWEST: u64 = 16;

/// Registers that matter for marks and turns.
#[derive(Clone, Copy)]
pub(super) enum Own {
    Ctrl,
    MbTh,
    Bypass,
    UpMask,
}

/// Their names, bits, and what they are after reset.
const OWN: [(&str, u32); 4] = [("CTRL", 0x7f), ("MB_TH", 0xffff), ("BYPASS", 0xf), ("UP_MASK", u32::MAX)];

fn own(p: &Params) -> [(u32, Register); OWN.len()] {
    let reset = [0, 66 * p.cap(0) as u32 / 100, 0, 0];
    std::array::from_fn(|i| (addr(UnitKind::InputPort, OWN[i].0).into(), Register::new(reset[i])))
}

/// Any up port, in the forwarding table.
const ANY: u32 = 0xfe;

/// No route.
const NOWHERE: u32 = 1 << 31;

/// Packets that may go by any up port, since the mask or the seed was written: how many came, and left by each output.
struct Draws {
    epoch: u64,
    came: u64,
    left: Vec<u64>,
}

impl Draws {
    fn anew(&mut self) {
        (self.epoch, self.came) = (self.epoch + 1, 0);
        self.left.fill(0);
    }
}

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
    /// Marks that may be set on the way.
    marks: u32,
    /// Who sends keeps to credits that are not seen, and pauses as it likes.
    inside: bool,
    /// What is here may have left its buffer: there are queues behind.
    far: bool,
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
    /// Registers that matter for marks and turns, and their numbers.
    own: [(u32, Register); OWN.len()],
    /// Per VL, the last cycles in which flits left.
    freed: Vec<VecDeque<u64>>,
    /// Of each output and VL, when a packet began to leave last.
    went: Vec<Option<u64>>,
    pub packets: Packets,
    /// Packets that came in the last cycles, and when.
    young: VecDeque<(u64, usize)>,
    rx: Rx,
    silent: u64,
    /// The VL of the packet that comes, if it is legal.
    context: Option<usize>,
    credits: Vec<Credits>,
    /// Draws of up ports, and the number of UP_SEED.
    draws: Draws,
    seed_at: u32,
    /// The last flit that may be stored: cycle and VL.
    last: Option<(u64, usize)>,
    /// Packets that were lost with the link of each output.
    pub lost: Vec<u64>,
    pub counts: Counts,
}

impl Arrivals {
    pub fn new(place: String, p: &Params, settings: &Settings, marks: u32) -> Arrivals {
        let [credit, early] = ["credit", "early"].map(|n| settings.get(n));
        let route = Route { now: NOWHERE, before: NOWHERE, changed: 0, any: false, any_before: false };
        Arrivals {
            place,
            params: *p,
            headers: Headers::new(p),
            flit: p.flit_bytes / 4,
            addresses: ["FC_INTERVAL", "RX_TIMEOUT"].map(|name| addr(UnitKind::InputPort, name)),
            marks,
            inside: false,
            far: false,
            late: settings.get("receive"),
            settle: LOST * SLOWEST * p.mtu as u64 + 1024,
            now: 0,
            routes: vec![route; p.lft_depth],
            timeout: (1024, 1024),
            timeout_now: 1024,
            timeout_changed: 0,
            gap: (0, 0),
            messages: Regular::new(p.vls, settings.get("message")),
            own: own(p),
            freed: vec![VecDeque::new(); p.vls],
            went: vec![None; p.ports * p.vls],
            packets: Packets::default(),
            young: VecDeque::new(),
            rx: Rx::Idle,
            silent: 0,
            context: None,
            credits: (0..p.vls).map(|v| Credits::new(p.cap(v), credit, early)).collect(),
            draws: Draws { epoch: 0, came: 0, left: vec![0; p.ports] },
            seed_at: addr(UnitKind::InputPort, "UP_SEED").into(),
            last: None,
            lost: vec![0; p.ports],
            counts: Counts::default(),
        }
    }

    /// Of packets that do not come by a link: their sender keeps to credits that are not seen, and pauses as it likes.
    pub fn inside(p: &Params, settings: &Settings) -> Arrivals {
        let arrivals = Arrivals::new(String::new(), p, settings, FECN);
        Arrivals { inside: true, timeout: (u64::MAX, u64::MAX), timeout_now: u64::MAX, ..arrivals }
    }

    /// Of packets that go through queues behind the buffer: when its blocks are free is not seen.
    pub fn with_queues_behind(self) -> Arrivals {
        Arrivals { far: true, ..self }
    }

    /// Flits come to be in use, or no more.
    fn hold(&mut self, vl: usize, n: i32, sure: bool) {
        self.credits[vl].hold(n, sure && !self.far);
    }

    /// Blocks of a VL that are in use for sure.
    pub fn in_use(&self, vl: usize) -> i32 {
        self.credits[vl].in_use()
    }

    /// When a packet of a VL began to leave by an output last, if one has.
    pub fn went(&self, o: usize, vl: usize) -> Option<u64> {
        self.went[o * self.params.vls + vl]
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

    /// A first flit without the marks that may be set on the way, and these.
    pub fn unmarked(&self, data: &[u32]) -> (Vec<u32>, u32) {
        self.headers.without(data, self.marks)
    }

    /// A register that matters for marks and turns.
    pub fn register(&self, which: Own) -> &Register {
        &self.own[which as usize].1
    }

    /// Whether a packet that came whole, or not, gets MB (VM1).
    pub fn buffer_marks(&self, id: usize) -> Told {
        let p = self.packets.get(id);
        let since = p.arrived.saturating_sub(self.late);
        if !self.params.markers || !self.headers.markable(&p.words) {
            return Told::sure(false);
        }
        let on = self.register(Own::Ctrl).told(since, |c| c >> 6 & 1 == 1);
        let (least, most) = self.register(Own::MbTh).range(since);
        on.and(Told { may: p.used.1 > least as i32, must: p.used.0 > most as i32 })
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
    pub fn begin(&mut self, o: usize, id: usize, gone: &[usize]) {
        self.went[o * self.params.vls + self.packets.get(id).class.vl] = Some(self.now);
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
        self.freed[vl].push_back(self.now);
        if flit.bad {
            let rest = p.left as i32 - stored as i32;
            self.hold(vl, rest, sure);
            self.counts.left_cut += 1;
        } else {
            self.hold(vl, -1, sure);
        }
        self.packets.get_mut(id).left += 1;
        if flit.last {
            self.counts.left += 1;
            self.no_longer(id);
            self.packets.release(id);
        }
        self.were_free(vl, 1);
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
            if let Some(then) = self.credits[v].keeps(value & 0xfff, now).filter(|_| !self.far) {
                self.kept(v, then.saturating_sub(self.settle));
            }
            let free = self.credits[v].message(value & 0xfff, now);
            let free = free.map_err(|e| self.wrong(v, e))?;
            self.counts.all_free += u64::from(free);
        }
        for v in 0..self.params.vls {
            let cleared = self.credits[v].cycle(now).map_err(|e| self.wrong(v, e))?;
            if cleared && !self.far {
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
        if !self.far {
            self.credits[vl].doubt(held);
        }
        self.were_free(vl, held);
    }

    /// So many blocks may have been free when what came a moment ago came.
    fn were_free(&mut self, vl: usize, blocks: i32) {
        for &(at, id) in &self.young {
            let p = self.packets.get_mut(id);
            if p.arrived == at && p.class.vl == vl {
                p.used.0 -= blocks;
            }
        }
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

    /// The flit of cycle `now`: the VL that it is stored in, if it may be.
    pub fn stored(&self, now: u64) -> Option<usize> {
        self.last.filter(|l| l.0 == now).map(|l| l.1)
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
        self.hold(vl, -held, false);
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
                self.hold(vl, 1, sure);
                self.last = Some((now, vl));
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
        let route = self.routes.get(usize::from(class.dlid)).copied();
        let fresh = route.is_some_and(|r| now - r.changed <= self.late);
        let outs = match route {
            None => NOWHERE,
            Some(r) if fresh => r.now | r.before,
            Some(r) => r.now,
        };
        let any = route.is_some_and(|r| r.any || fresh && r.any_before);
        let (up, mask) = self.up_ports(any);
        let outs = outs | up;
        let drawn = mask.filter(|m| !fresh && any && m & NOWHERE == 0).map(|m| (self.draws.epoch, m));
        let room = self.inside || self.credits[class.vl].promised(n);
        let sure = outs & NOWHERE == 0 && room;
        *(if sure { &mut self.counts.packets } else { &mut self.counts.unsure }) += 1;
        self.hold(class.vl, 1, sure);
        self.last = Some((now, class.vl));
        let (words, marks) = self.unmarked(data);
        let freed = &mut self.freed[class.vl];
        while freed.front().is_some_and(|f| now - f > self.late) {
            freed.pop_front();
        }
        let least = self.credits[class.vl].in_use();
        let most = self.credits[class.vl].held() + freed.len() as i32;
        let rest = n as i32 - 1;
        let id = self.packets.add(Packet {
            class,
            n,
            words,
            marks,
            drawn,
            used: (least + rest, most + rest),
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
        if drawn.is_some() && sure {
            self.draws.came += 1;
        } else {
            self.packets.get_mut(id).drawn = None;
        }
        Some(id)
    }

    /// Outputs that any up port may be (UP1), if a route may be that, and the mask if it is sure.
    fn up_ports(&self, any: bool) -> (u32, Option<u32>) {
        if !any {
            return (0, None);
        }
        let all = (1u32 << self.params.ports) - 1;
        let mask = |m: u32| if m & all == 0 { NOWHERE } else { m & all };
        let masks = || self.register(Own::UpMask).since(self.now.saturating_sub(self.late)).map(mask);
        let up = masks().fold(0, |all, m| all | m);
        (up, masks().all(|m| m == up).then_some(up))
    }

    /// UP_MASK is another one: what came a moment ago may be drawn from it.
    fn masked(&mut self, now: u64) {
        self.draws.anew();
        let up = self.up_ports(true).0;
        for (at, id) in self.young.clone() {
            let dlid = self.packets.get(id).class.dlid;
            let route = self.routes.get(usize::from(dlid));
            let any = route.is_some_and(|r| r.any || now - r.changed <= 2 * self.late && r.any_before);
            let p = self.packets.get_mut(id);
            if p.arrived == at && any {
                p.outs |= up & !NOWHERE;
                p.drawn = None;
                if up & NOWHERE != 0 {
                    self.doubt(id);
                }
            }
        }
    }

    /// Of those that may go by any up port each gets its share (UP1).
    pub fn drawn(&mut self, o: usize, id: usize) -> Result<(), Broken> {
        let Some((epoch, mask)) = self.packets.get(id).drawn else { return Ok(()) };
        let d = &mut self.draws;
        if epoch != d.epoch {
            return Ok(());
        }
        d.left[o] += 1;
        let chance = 1.0 / f64::from(mask.count_ones());
        let mean = d.came as f64 * chance;
        let rest = d.came.saturating_sub(d.left.iter().sum());
        let (least, most) = (mean - spread(mean, chance), mean + spread(mean, chance));
        let off = |p: &usize| {
            let left = d.left[*p];
            mask >> p & 1 == 1 && (left as f64 > most || ((left + rest) as f64) < least)
        };
        if let Some(p) = (0..d.left.len()).find(off) {
            let text = format!(
                "{}of {} packets that may go by any of the outputs {mask:#b} {} have left by output {p}",
                self.place, d.came, d.left[p]
            );
            return broken("draw", "UP1", text);
        }
        Ok(())
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
            let any = self.params.random_up && port == ANY;
            let is = match port as usize {
                _ if any => 0,
                p if p < self.params.ports => 1 << p,
                _ => NOWHERE,
            };
            if is != route.now || any != route.any {
                let fresh = now - route.changed <= self.late;
                let before = route.now | if fresh { route.before } else { 0 };
                let any_before = route.any || fresh && route.any_before;
                *route = Route { now: is, before, changed: now, any, any_before };
                self.counts.routes += 1;
                let is = is | self.up_ports(any).0;
                for (at, id) in self.young.clone() {
                    let p = self.packets.get_mut(id);
                    if p.arrived == at && u32::from(p.class.dlid) == address {
                        p.outs |= is & !NOWHERE;
                        p.drawn = None;
                        if is & NOWHERE != 0 {
                            self.doubt(id);
                        }
                    }
                }
            }
        }
        if let Some((a, data)) = cfg
            && let Some(at) = self.own.iter().position(|o| o.0 == a)
        {
            self.own[at].1.write(data & OWN[at].1, now);
            if at == Own::UpMask as usize {
                self.masked(now);
            }
        }
        if cfg.is_some_and(|(a, _)| a == self.seed_at) {
            self.draws.anew();
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
