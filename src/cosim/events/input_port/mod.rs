//! The input port by its events (`docs/input-port.md`): what comes in comes out once, whole, in order and where its route says, as it was
//! granted; credits say what is free; a stop is obeyed; and nothing stands still for nothing.

mod ages;
mod charges;
mod fills;
mod marking;
#[cfg(test)]
mod state_tests;
#[cfg(test)]
mod tests;
mod trees;

use std::collections::VecDeque;

use crate::cosim::events::arrivals::{
    Arrivals, COUNTED, Came, Flit, Origin, Own, ROUTES, refuse, tolerances,
};
use crate::cosim::events::control::Message;
use crate::cosim::events::headers::MB;
use crate::cosim::events::register::Register;
use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};
use ages::Ages;
use charges::Charges;
use fills::Fills;
use marking::{Leaves, Marking};
use trees::{Told, Trees};

/// Its tolerances; an error for a port that is not judged.
pub(super) fn settings(p: &Params) -> Result<Vec<Setting>, String> {
    refuse("an input-port", "outputs", p, &[])?;
    let s = Setting::new;
    let mut all = tolerances(16, "between two credit messages of a VL, besides VLS FC_INTERVAL");
    all.extend([
        s("stop", 4, 0, "for which a packet may ask on after a stop"),
        s("read", 16, 1, "slots of an output, without a flit of a packet that was granted"),
        s("offer", 256, 1, "without any request, although a packet could go"),
        Setting {
            range: (0, 1),
            ..s(
                "voq",
                u64::from(!p.one_queue),
                0,
                "1: a packet waits for none to another output or of another VL; 0: it may",
            )
        },
        s("turns", turns(p), 1, "packets of its output and VL that may pass the oldest one"),
        s("state", 16, 1, "until fills show what comes and leaves, and congestion bits what fills are"),
        s(
            "tell",
            64 + 16 * p.lines as u64,
            1,
            "until messages upstream show a register, the link and what has happened",
        ),
        Setting::ready(UnitKind::InputPort, p),
    ]);
    Ok(all)
}

/// Packets that may pass the oldest one of their output and VL, which is the head of its queue (A2): before its own turn each other queue
/// has two at most, before each turn of a hot queue up to 8 packets go first, and in a cycle only one queue's head is moved to a hot one.
fn turns(p: &Params) -> u64 {
    (2 * 9 * p.hpqs + p.ports * p.vls) as u64
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &[
    "req_valid",
    "req_len",
    "req_dlid",
    "req_cnp",
    "xb_act",
    "xb_end",
    "xb_valid",
    "xb_first",
    "xb_last",
    "xb_data",
    "fc_valid",
    "fc_vl",
    "fccl",
];

/// Offsets of the signals in the word vectors.
struct Io {
    cfg: [usize; 3],
    lft: [usize; 3],
    rx: [usize; 4],
    rx_data: usize,
    fctbs: [usize; 3],
    link_up: usize,
    grant: usize,
    held: [usize; 2],
    rd_en: usize,
    rd_slow: usize,
    slow: usize,
    ol: [usize; 2],
    prop: [usize; 5],
    ready: usize,
    req_valid: usize,
    req: [usize; 4],
    can_alloc: usize,
    act: usize,
    xb_valid: usize,
    xb: [usize; 3],
    xb_data: usize,
    fc: [usize; 3],
    cong: usize,
    fill: usize,
    age: usize,
    enter: usize,
    full_evt: usize,
    xb_mark: usize,
    msg: [usize; 9],
}

/// What a request says of its packet: length, DLID, CNP, from a hot queue.
type Asked = [u32; 4];

/// A request that was granted.
#[derive(Clone, Copy, Debug)]
struct Granted {
    vl: usize,
    asked: Asked,
    age: u32,
    at: u64,
    /// The packet that was coming in then, and its flits that had come.
    open: Option<(usize, usize)>,
    /// Since then the output read at the crossbar's pace; at the link's.
    slow: [bool; 2],
}

/// A request that the output holds back until a line goes on.
#[derive(Clone, Copy)]
struct Bound {
    line: u32,
    asked: Asked,
    /// Since when the line is stopped.
    stopped: Option<u64>,
}

/// Registers of paces: of the link, of those who read, and with queues behind of the crossbar.
const PACES: [&str; 3] = ["RX_INTERVAL", "RD_INTERVAL", "XB_INTERVAL"];
const RX: usize = 0;
const RD: usize = 1;
const XB: usize = 2;

/// What is counted besides, in the order of [`Port::cover`].
const COVER: [Point; 9] = [
    ("grants", "A2", "requests granted"),
    ("stops", "E5", "requests held back by a stopped line"),
    ("bits", "D1 D4", "congestion bits judged by fills and thresholds"),
    ("messages", "E2", "messages upstream judged"),
    ("told_stops", "E5", "of these, stops"),
    ("entered", "SM4", "markable packets told of"),
    ("filled", "SM1 SM2", "buffers told to be full, or that had to be"),
    ("naive", "SM3", "packets that left while naive was on"),
    ("ages", "AG1", "ages of packets that were granted"),
];

/// The scoreboard.
pub(super) struct Port {
    io: Io,
    params: Params,
    /// Words of a flit.
    flit: usize,
    /// Tolerances.
    stop: u64,
    read: u64,
    offer: u64,
    state: u64,

    now: u64,
    ready: Readiness,
    arrivals: Arrivals,
    /// Requests granted whose packets have not begun to leave: VL and what they said.
    granted: Vec<VecDeque<Granted>>,
    /// Packets that leave.
    leaving: Vec<Option<usize>>,
    slots: Vec<u64>,
    bound: Vec<Option<Bound>>,
    /// Lines of its output that each output and VL was told of while they were there, a bit each; one of them is stopped.
    tied: Vec<u32>,
    held_back: Vec<bool>,
    could_alloc: bool,
    idle: u64,
    /// Requests served in this cycle.
    served: Vec<bool>,
    /// Cycles in which each output and VL could ask, and did not.
    quiet: Vec<u64>,
    voq: bool,
    /// The oldest packet of each output and VL that was passed, and how often; that at most.
    passed: Vec<(usize, u64)>,
    turns: u64,
    /// [`PACES`], and their numbers.
    paces: [Register; 3],
    pace_at: [u32; 3],
    /// The link is down since then.
    fell: Option<u64>,
    /// Data may be in hot queues.
    hot: bool,
    charges: Charges,
    fills: Fills,
    marking: Marking,
    ages: Ages,
    trees: Trees,
    grants: u64,
    stops: u64,
}

impl Port {
    pub fn new(p: &Params, settings: &Settings) -> Port {
        let l = Layout::new(UnitKind::InputPort, p);
        let three = |a, b, c| [l.input(a), l.input(b), l.input(c)];
        let out = |name| l.signal(Group::Output, name).offset;
        Port {
            io: Io {
                cfg: three("cfg_we", "cfg_addr", "cfg_data"),
                lft: three("lft_we", "lft_addr", "lft_port"),
                rx: ["rx_valid", "rx_first", "rx_last", "rx_bad"].map(|n| l.input(n)),
                rx_data: l.input("rx_data"),
                fctbs: three("fctbs_valid", "fctbs_vl", "fctbs"),
                link_up: l.input("link_up"),
                grant: l.input("grant"),
                held: ["held", "held_line"].map(|n| l.input(n)),
                rd_en: l.input("rd_en"),
                rd_slow: l.input("rd_slow"),
                slow: out("xb_slow"),
                ol: ["ol_valid", "ol_stop"].map(|n| l.input(n)),
                prop: ["prop_valid", "prop_vl", "prop_line", "prop_hops", "prop_root"].map(|n| l.input(n)),
                ready: out("ready"),
                req_valid: out("req_valid"),
                req: ["req_len", "req_dlid", "req_cnp", "req_hot"].map(out),
                can_alloc: out("can_alloc"),
                act: out("xb_act"),
                xb_valid: out("xb_valid"),
                xb: ["xb_first", "xb_last", "xb_bad"].map(out),
                xb_data: out("xb_data"),
                fc: ["fc_valid", "fc_vl", "fccl"].map(out),
                cong: out("cong"),
                fill: out("fill"),
                age: out("req_age"),
                enter: out("enter"),
                full_evt: out("full_evt"),
                xb_mark: out("xb_mark"),
                msg: [
                    "msg_valid",
                    "msg_type",
                    "msg_line",
                    "msg_vl",
                    "msg_root",
                    "msg_hops",
                    "msg_stop",
                    "msg_dcnt",
                    "msg_dlist",
                ]
                .map(out),
            },
            params: *p,
            flit: p.flit_bytes / 4,
            stop: settings.get("stop"),
            read: settings.get("read"),
            offer: settings.get("offer"),
            state: settings.get("state"),
            now: 0,
            ready: Readiness::new(settings.get("ready"), "R1"),
            arrivals: Arrivals::new(String::new(), p, settings, if p.markers { MB } else { 0 }),
            granted: vec![VecDeque::new(); p.ports],
            leaving: vec![None; p.ports],
            slots: vec![0; p.ports],
            bound: vec![None; p.ports * p.vls],
            tied: vec![0; p.ports * p.vls],
            held_back: vec![false; p.ports * p.vls],
            could_alloc: false,
            idle: 0,
            served: vec![false; p.ports * p.vls],
            quiet: vec![0; p.ports * p.vls],
            voq: settings.get("voq") == 1,
            passed: vec![(0, 0); p.ports * p.vls],
            turns: settings.get("turns"),
            paces: PACES.map(|_| Register::new(1)),
            pace_at: PACES.map(|n| addr(UnitKind::InputPort, n).into()),
            fell: None,
            hot: false,
            charges: Charges::new(p, settings.get("state")),
            fills: Fills::new(p, settings.get("state")),
            marking: Marking::new(p, settings.get("state")),
            ages: Ages::new(p, settings.get("state"), settings.get("receive")),
            trees: Trees::new(p, settings.get("tell"), settings.get("state")),
            grants: 0,
            stops: 0,
        }
    }

    // What leaves.

    /// A flit to the crossbar.
    fn leave(&mut self, o: usize, output: &[u32]) -> Result<(), Broken> {
        let at = self.io.xb_data + o * self.flit;
        let [first, last, bad] = self.io.xb.map(|w| output[w + o] & 1 == 1);
        let data = &output[at..at + self.flit];
        let (plain, marks) = if first { self.arrivals.unmarked(data) } else { (Vec::new(), 0) };
        let flit = Flit { first, last, bad, data: if first { &plain } else { data } };
        let mark = output[self.io.xb_mark + o] & 1 == 1;
        if mark && !first {
            return broken("mark", "SM3", format!("output {o}: a flit that is not first is to be marked"));
        }
        let id = match (self.leaving[o], first) {
            (Some(id), false) => id,
            (None, true) => self.begin(o, flit.data, (marks, mark))?,
            (Some(id), true) => {
                let (r, packet) = (self.arrivals.packets.get(id).left, self.arrivals.told(id));
                return broken(
                    "framing",
                    "B3",
                    format!("output {o}: a first flit after {r} flits of {packet}"),
                );
            }
            (None, false) => {
                let text = format!("output {o}: a flit that is not first and belongs to no packet");
                return broken("framing", "B3", text);
            }
        };
        self.arrivals.suits(o, id, self.arrivals.packets.get(id).left, &flit)?;
        self.arrivals.leave(id, &flit);
        self.slots[o] = 0;
        self.leaving[o] = (!last).then_some(id);
        Ok(())
    }

    /// The packet that a first flit begins.
    fn begin(&mut self, o: usize, data: &[u32], (marks, mark): (u32, bool)) -> Result<usize, Broken> {
        let class = self.arrivals.class(data);
        let Some(grant) = self.granted[o].pop_front() else {
            let seen = format!("output {o}: a packet to DLID {} on VL {}", class.dlid, class.vl);
            return broken("grant", "A2", format!("{seen} leaves that was not granted"));
        };
        let Granted { vl, asked, .. } = grant;
        let (id, gone) = match self.arrivals.origin(o, class, data) {
            Origin::Packet { id, gone } => (id, gone),
            Origin::Wrong(_, broken) => return Err(broken),
        };
        let head = self.arrivals.went(o, class.vl).unwrap_or(0);
        self.arrivals.begin(o, id, &gone);
        self.arrivals.drawn(o, id)?;
        self.marked(id, marks)?;
        let n = self.arrivals.packets.get(id).n;
        let is = [n as u32, class.dlid.into(), class.cnp.into()];
        if vl != class.vl || asked[..3] != is {
            let text = format!(
                "output {o}: {} leaves; granted was VL {vl}, {} flits, DLID {}, CNP {}",
                self.arrivals.told(id),
                asked[0],
                asked[1],
                asked[2]
            );
            return broken("request", "A2", text);
        }
        self.started(o, id, &grant)?;
        self.at_pace(o, id, &grant)?;
        let p = self.arrivals.packets.get(id);
        let markable = self.arrivals.markable(&p.words);
        let leaves = Leaves { q: o * self.params.vls + vl, arrived: p.arrived, granted: grant.at, markable };
        let from = p.arrived.saturating_sub(2 * self.state);
        let naive = self.arrivals.register(Own::Ctrl).told(from, |c| c >> 5 & 1 == 1);
        let isolation = self.params.isolation;
        self.marking.leaves(leaves, mark, (naive.may && !isolation, naive.must && !isolation))?;
        let leaves = ages::Leaves { o, vl, id, at: grant.at, age: grant.age, head };
        let goes = |p: usize| self.granted.get(p).is_some_and(|g| g.iter().any(|g| g.vl == vl));
        self.ages.leaves(&leaves, &self.arrivals, &goes, self.now)?;
        self.turn(o * self.params.vls + vl, id)?;
        Ok(id)
    }

    /// MB as it came, and as it leaves (VM1).
    fn marked(&self, id: usize, marks: u32) -> Result<(), Broken> {
        let (came, by_buffer) = (self.arrivals.packets.get(id).marks, self.arrivals.buffer_marks(id));
        let why = match (came & MB != 0, marks & MB != 0) {
            (true, false) => "is gone",
            (false, true) if !by_buffer.may => "is set, and its buffer does not hold so much",
            (false, false) if by_buffer.must && self.params.markers => {
                "is not set, and its buffer holds more"
            }
            _ => return Ok(()),
        };
        broken("mark", "VM1", format!("MB of {} {why}", self.arrivals.told(id)))
    }

    /// Cycles of a flit at least and at most, by one of [`PACES`] since a cycle.
    fn pace(&self, of: usize, from: u64) -> (u64, u64) {
        let (least, most) = self.paces[of].range(from);
        (u64::from(least.max(1)), u64::from(most.max(1)))
    }

    /// So much of it had come that it could be granted (B2).
    fn started(&self, o: usize, id: usize, grant: &Granted) -> Result<(), Broken> {
        let Some((_, a)) = grant.open.filter(|open| open.0 == id) else { return Ok(()) };
        let n = self.arrivals.packets.get(id).n as u64;
        let from = grant.at.saturating_sub(self.arrivals.late());
        let ((comes, _), (_, reads)) = (self.pace(RX, from), self.pace(RD, from));
        if (n - a as u64) * comes > (n - 1) * reads + 1 {
            let text =
                format!("output {o}: {} was granted with {a} flits of it here", self.arrivals.told(id));
            return broken("early", "B2", text);
        }
        Ok(())
    }

    /// What is granted since is read at the link's pace, or at the crossbar's.
    fn paced(&mut self, o: usize, output: &[u32]) -> Result<(), Broken> {
        let slow = output[self.io.slow + o] & 1 == 1;
        if slow && !self.params.cioq {
            return broken(
                "pace",
                "CQ2",
                format!("output {o}: a packet is read at the pace of a link, and there is no queue"),
            );
        }
        for grant in &mut self.granted[o] {
            grant.slow[usize::from(slow)] |= self.now > grant.at;
        }
        Ok(())
    }

    /// It is read at the link's pace if it would not be here in time for the crossbar's, and only then (CQ2).
    fn at_pace(&self, o: usize, id: usize, grant: &Granted) -> Result<(), Broken> {
        if !self.params.cioq {
            return Ok(());
        }
        let p = self.arrivals.packets.get(id);
        let n = p.n as u64;
        let from = grant.at.saturating_sub(self.arrivals.late());
        let (comes, crosses) = (self.pace(RX, from), self.pace(XB, from));
        let open = grant.open.filter(|open| open.0 == id);
        // (So much has come then; a design may have seen some flits less, or know that it ended.)
        let a = open.map_or(n, |open| open.1 as u64);
        let least = if open.is_some() { a.saturating_sub(4).max(1) } else { n };
        let may = open.is_some() && (n - least) * comes.1 > (n - 1) * crosses.0 + 1;
        let must = !p.cut && !p.loose && (n - a) * comes.0 > (n - 1) * crosses.1 + 1;
        let told = || self.arrivals.told(id);
        match grant.slow {
            [true, false] if must => {
                broken("pace", "CQ2", format!("output {o}: {} is read faster than it comes", told()))
            }
            [false, true] if !may && self.late_enough(id, grant) => broken(
                "pace",
                "CQ2",
                format!("output {o}: {} is read at the pace of the link, and is here", told()),
            ),
            _ => Ok(()),
        }
    }

    /// A packet was whole, or cut, some cycles before it was granted.
    fn late_enough(&self, id: usize, grant: &Granted) -> bool {
        let whole = self.arrivals.packets.get(id).whole;
        whole.is_some_and(|w| w + 4 < grant.at)
    }

    /// A packet of an output and VL begins to leave: it may pass the oldest there, which is a head, but not too often.
    fn turn(&mut self, q: usize, id: usize) -> Result<(), Broken> {
        let (o, v) = (q / self.params.vls, q % self.params.vls);
        let arrived = self.arrivals.packets.get(id).arrived;
        if self.params.one_queue && !self.params.isolation {
            let before = |w: &&usize| {
                let p = self.arrivals.packets.get(**w);
                p.sure && p.arrived < arrived
            };
            if let Some(w) = self.arrivals.packets.waiting.iter().find(before) {
                let text = format!(
                    "output {o}: {} leaves before {}",
                    self.arrivals.told(id),
                    self.arrivals.told(*w)
                );
                return broken("order", "E9", text);
            }
        }
        // With one queue the packet that came first of all is one's head.
        let first = |w: &usize| !self.params.one_queue || self.arrivals.packets.waiting.front() == Some(w);
        let oldest = self.arrivals.packets.waiting.iter().copied().filter(first).find(|w| {
            let p = self.arrivals.packets.get(*w);
            p.class.vl == v && p.outs == 1 << o && p.sure && p.whole.is_some() && p.arrived < arrived
        });
        let passed = &mut self.passed[q];
        match oldest {
            Some(w) if passed.0 == w => passed.1 += 1,
            Some(w) => *passed = (w, 1),
            None => passed.1 = 0,
        }
        if passed.1 > self.turns {
            let text = format!(
                "output {o}: {} waits, and {} that came later have left",
                self.arrivals.told(passed.0),
                passed.1
            );
            return broken("starved", "A2 A3", text);
        }
        Ok(())
    }

    // Requests.

    fn asked(&self, q: usize, output: &[u32]) -> Option<Asked> {
        (output[self.io.req_valid + q] & 1 == 1).then(|| self.io.req.map(|w| output[w + q]))
    }

    /// Requests of this cycle that must not be there.
    fn obeys(&self, output: &[u32]) -> Result<(), Broken> {
        for (q, bound) in self.bound.iter().enumerate() {
            let Some(Bound { line, asked, stopped: Some(since) }) = *bound else { continue };
            if self.now - since > self.stop && self.asked(q, output) == Some(asked) {
                let (o, v) = (q / self.params.vls, q % self.params.vls);
                let text = format!(
                    "output {o}, VL {v}: a packet to DLID {} asks {} cycles after line {line} stopped it",
                    asked[1],
                    self.now - since
                );
                return broken("stop", "E5", text);
            }
        }
        for q in 0..self.bound.len() {
            if let Some([_, dlid, 1, 1]) = self.asked(q, output) {
                let (o, v) = (q / self.params.vls, q % self.params.vls);
                let text = format!("output {o}, VL {v}: a CNP to DLID {dlid} asks from a hot queue");
                return broken("request", "E4", text);
            }
        }
        Ok(())
    }

    /// An output takes a flit in this cycle, at the pace at which its packet is read.
    fn reads(&self, o: usize, input: &[u32], output: &[u32]) -> bool {
        let slow = self.params.cioq && output[self.io.slow + o] & 1 == 1;
        input[if slow { self.io.rd_slow } else { self.io.rd_en } + o] & 1 == 1
    }

    /// What the outputs answer.
    fn answers(&mut self, input: &[u32], output: &[u32]) {
        let vls = self.params.vls;
        let may = output[self.io.can_alloc] & 1 == 1;
        let rises = may && !self.could_alloc;
        self.could_alloc = may;
        self.served.fill(false);
        let takes = |o: usize| output[self.io.act + o] & 1 == 0 || self.reads(o, input, output);
        let accepting: Vec<bool> = (0..self.params.ports).map(takes).collect();
        // With one read port nobody reads else, and one is served a cycle.
        let mut one = accepting.iter().all(|a| *a);
        for (o, accepts) in accepting.into_iter().enumerate() {
            let mut accepts = if self.params.one_queue { one } else { accepts };
            let lines = self.io.ol.map(|w| input[w + o]);
            for q in o * vls..(o + 1) * vls {
                self.held_back[q] = self.tied[q] & lines[1] != 0;
                if self.held_back[q] {
                    // What is stopped is passed.
                    self.passed[q] = (0, 0);
                }
                self.tied[q] &= lines[0];
                let stopped = |line: u32| (lines[1] >> line & 1 == 1).then_some(self.now);
                if let Some(b) = &mut self.bound[q] {
                    let stops = stopped(b.line);
                    b.stopped = if stops.is_some() { b.stopped.or(stops) } else { None };
                    if rises || lines[0] >> b.line & 1 == 0 {
                        self.bound[q] = None;
                    }
                }
                if input[self.io.held[0] + q] & 1 == 1 {
                    self.tied[q] |= 1u32.checked_shl(input[self.io.held[1] + q]).unwrap_or(0);
                }
                let Some(asked) = self.asked(q, output) else { continue };
                if accepts && input[self.io.grant + q] & 1 == 1 {
                    (accepts, one) = (false, false);
                    self.served[q] = true;
                    self.bound[q] = None;
                    let (vl, at, open) = (q % vls, self.now, self.arrivals.open());
                    let age = output[self.io.age + q];
                    self.granted[o].push_back(Granted { vl, asked, age, at, open, slow: [false; 2] });
                    self.grants += 1;
                } else if input[self.io.held[0] + q] & 1 == 1 {
                    let line = input[self.io.held[1] + q];
                    if (line as usize) < self.params.lines {
                        let stopped = stopped(line);
                        self.stops += u64::from(stopped.is_some());
                        // By a line that is not there it is held in this cycle only.
                        let there = lines[0] >> line & 1 == 1;
                        self.bound[q] = there.then_some(Bound { line, asked, stopped });
                    }
                }
            }
        }
    }

    /// What an output tells of a request that is not served; the lowest output is heard.
    fn proposal(&mut self, input: &[u32], output: &[u32]) {
        let [valid, vl, line, hops, root] = self.io.prop;
        for o in (0..self.params.ports).filter(|o| input[valid + o] & 1 == 1) {
            let vl = input[vl + o] as usize;
            if vl < self.params.vls {
                self.tied[o * self.params.vls + vl] |= 1u32.checked_shl(input[line + o]).unwrap_or(0);
            }
        }
        let Some(o) = (0..self.params.ports).find(|o| input[valid + o] & 1 == 1) else { return };
        let [vl, line, hops, root] = [vl, line, hops, root].map(|w| input[w + o]);
        let (vl, line) = (vl as usize, line as usize);
        if vl >= self.params.vls || line >= self.params.lines || self.served[o * self.params.vls + vl] {
            return;
        }
        if let Some([_, dlid, 0, hot]) = self.asked(o * self.params.vls + vl, output) {
            let dlid = (hot == 0).then_some(dlid as u16);
            self.trees.propose(Told { o, vl, hops, root, dlid }, self.now);
        }
    }

    /// What is charged, what of it is shown, and what upstream is told.
    fn state(&mut self, output: &[u32]) -> Result<(), Broken> {
        let isolates = self.params.isolation && self.trees.isolates(self.now);
        // Once nothing is inside without isolation, nothing is in a hot queue.
        self.hot = isolates || self.hot && self.charges.most.iter().any(|n| *n != 0);
        let granted =
            |packets: &VecDeque<Granted>| packets.iter().map(|g| (g.vl, g.asked[0])).collect::<Vec<_>>();
        let granted: Vec<_> = self.granted.iter().map(granted).collect();
        self.charges.look(&self.arrivals, self.hot, &self.leaving, &granted, self.now);
        let of = |at: usize| &output[at..at + self.bound.len()];
        // (With one queue fills are not told, and congestion is of hot queues, which are not seen.)
        if !self.params.one_queue {
            self.fills.cycle(&self.charges, of(self.io.fill), of(self.io.cong))?;
        }
        self.marking.cycle(&self.arrivals, &granted, (of(self.io.enter), of(self.io.full_evt)), self.now)?;
        if output[self.io.can_alloc] & 1 == 1 && !isolates {
            return broken("tree", "E3", "can_alloc without iso_en".into());
        }
        let [valid, kind, line, vl, root, hops, stop, dcnt, dlist] = self.io.msg;
        if output[valid] & 1 == 1 && output[dcnt] as usize > self.params.dlist {
            return broken("tree", "E2", format!("a message with {} destinations", output[dcnt]));
        }
        let message = (output[valid] & 1 == 1).then(|| {
            let list = output[dlist..dlist + output[dcnt] as usize].iter().map(|d| *d as u16).collect();
            let message = Message {
                kind: output[kind],
                stop: output[stop] & 1 == 1,
                line: output[line] as usize,
                vl: output[vl] as usize,
                root: output[root],
                list,
            };
            (message, output[hops])
        });
        let of = |at: usize| &output[at..at + self.bound.len()];
        self.trees.queues(&self.charges, of(self.io.cong), of(self.io.fill), self.now);
        self.trees.cycle(message, &self.charges, self.now)
    }

    /// An output and VL asks when it can.
    fn asks(&mut self, output: &[u32]) -> Result<(), Broken> {
        let vls = self.params.vls;
        for q in 0..self.bound.len() {
            let o = q / vls;
            if output[self.io.req_valid + q] & 1 == 1 || self.held_back[q] || !self.charges.waits[q] {
                self.quiet[q] = 0;
            } else if self.leaving[o].is_none() && self.granted[o].is_empty() {
                self.quiet[q] += 1;
            }
            if self.quiet[q] <= self.offer {
                continue;
            }
            let waits = |id: &&usize| {
                let p = self.arrivals.packets.get(**id);
                p.class.vl == q % vls && p.outs == 1 << o && p.sure && p.whole.is_some()
            };
            if let Some(id) = self.arrivals.packets.waiting.iter().find(waits) {
                let text = format!(
                    "output {o}: no request for {} cycles in which it could take one, though {} waits",
                    self.quiet[q],
                    self.arrivals.told(*id)
                );
                return broken("hang", "A2", text);
            }
        }
        Ok(())
    }

    /// Nothing stands still for nothing.
    fn moves(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        for o in 0..self.params.ports {
            let comes = match self.leaving[o] {
                Some(id) => self.arrivals.complete(id),
                None => !self.granted[o].is_empty(),
            };
            if !comes {
                self.slots[o] = 0;
            } else if self.reads(o, input, output) {
                self.slots[o] += 1;
                if self.slots[o] > self.read {
                    let text = format!(
                        "output {o}: {} slots without a flit of a packet that was granted",
                        self.slots[o]
                    );
                    return broken("stuck", "B2", text);
                }
            }
        }
        let any = |at: usize, n: usize, words: &[u32]| words[at..at + n].iter().any(|w| *w != 0);
        let busy = self.leaving.iter().any(Option::is_some)
            || self.granted.iter().any(|g| !g.is_empty())
            || any(self.io.req_valid, self.bound.len(), output)
            || any(self.io.ol[1], self.params.ports, input);
        self.idle = if busy { 0 } else { self.idle + 1 };
        if self.idle > self.offer {
            let waits = |id: &&usize| {
                let p = self.arrivals.packets.get(**id);
                p.sure && p.whole.is_some_and(|w| self.now - w > self.offer)
            };
            if let Some(id) = self.arrivals.packets.waiting.iter().find(waits) {
                let text = format!(
                    "no request for {} cycles, though {} waits and nothing is stopped",
                    self.idle,
                    self.arrivals.told(*id)
                );
                return broken("hang", "A2", text);
            }
        }
        Ok(())
    }

    /// What comes, and what is written.
    fn inputs(&mut self, input: &[u32]) {
        let io = &self.io;
        let [valid, first, last, bad] = io.rx.map(|w| input[w] & 1 == 1);
        let [synced, vl, sent] = io.fctbs.map(|w| input[w]);
        let came = Came {
            link_up: input[io.link_up] & 1 == 1,
            flit: valid.then(|| Flit { first, last, bad, data: &input[io.rx_data..io.rx_data + self.flit] }),
            fctbs: (synced & 1 == 1).then_some((vl as usize, sent as u16)),
        };
        self.arrivals.receive(&came, self.now);
        if let Some(v) = self.arrivals.stored(self.now) {
            let first = self.arrivals.came(self.now);
            let first = first.map(|p| (p.outs, p.sure, self.arrivals.markable(&p.words)));
            self.marking.came(v, first, self.now);
        }
        if let Some(p) = self.arrivals.came(self.now) {
            self.fills.came(p.outs, p.class.vl, p.n as u32);
            if !p.class.cnp {
                self.trees.came(p.outs, p.class.vl, p.class.dlid, self.now);
            }
        }
        self.fell = if came.link_up { None } else { self.fell.or(Some(self.now)) };
        let stops = &input[io.ol[1]..io.ol[1] + self.params.ports];
        self.trees.inputs(came.link_up, stops, self.now);
        let [cfg, lft] =
            [io.cfg, io.lft].map(|[we, a, b]| (input[we] & 1 == 1).then(|| (input[a], input[b])));
        self.arrivals.writes(cfg, lft, self.now);
        if let Some((dlid, port)) = lft {
            self.trees.routed(dlid, port, self.now);
        }
        if let Some((address, data)) = cfg {
            self.fills.write(address, data);
            self.marking.write(address, data, self.now);
            if let Some(i) = self.pace_at.iter().position(|a| *a == address) {
                self.paces[i].write(data & 0xf, self.now);
            }
            self.trees.write(address, data, self.now);
        }
    }
}

impl Scoreboard for Port {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        if !self.ready.see(output[self.io.ready] & 1 == 1, now)? {
            self.now += 1;
            self.arrivals.not_ready(now);
            return Ok(());
        }
        for o in 0..self.params.ports {
            if output[self.io.xb_valid + o] & 1 == 1 {
                self.leave(o, output)?;
            }
            self.paced(o, output)?;
        }
        let [valid, vl, value] = self.io.fc.map(|w| output[w]);
        if valid & 1 == 1 && self.fell.is_some_and(|f| now - f > self.arrivals.late()) {
            return broken("credit", "F1", "a credit message while the link is down".into());
        }
        self.arrivals.message((valid & 1 == 1).then_some((vl as usize, value as u16)), now)?;
        self.obeys(output)?;
        self.answers(input, output);
        self.proposal(input, output);
        self.state(output)?;
        self.moves(input, output)?;
        // A limit of bypassing hides requests.
        let soon = now.saturating_sub(self.state);
        if self.voq && !self.arrivals.register(Own::Bypass).told(soon, |b| b > 0).may {
            self.asks(output)?;
        } else {
            self.quiet.fill(0);
        }
        self.inputs(input);
        self.now += 1;
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let io = &self.io;
        if output[io.ready] & 1 == 0 {
            output.fill(0);
        }
        for o in 0..self.params.ports {
            if output[io.xb_valid + o] & 1 == 0 {
                output[io.xb_mark + o] = 0;
                io.xb.iter().for_each(|w| output[w + o] = 0);
                output[io.xb_data + o * self.flit..][..self.flit].fill(0);
            }
        }
        for q in 0..self.bound.len() {
            if output[io.req_valid + q] & 1 == 0 {
                output[io.age + q] = 0;
                io.req.iter().for_each(|w| output[w + q] = 0);
            }
        }
        if output[io.msg[0]] & 1 == 0 {
            io.msg[..8].iter().for_each(|w| output[*w] = 0);
            output[io.msg[8]..][..self.params.dlist].fill(0);
        }
        if output[io.fc[0]] & 1 == 0 {
            io.fc.iter().for_each(|w| output[*w] = 0);
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        let c = &self.arrivals.counts;
        let mut all = counted(&COUNTED, &c.all());
        let [entered, filled, naive] = self.marking.judged;
        let own = [
            self.grants,
            self.stops,
            self.fills.judged,
            self.trees.judged,
            self.trees.stops,
            entered,
            filled,
            naive,
            self.ages.judged,
        ];
        all.extend(counted(&COVER, &own));
        all.extend(counted(&[ROUTES], &[c.routes]));
        all
    }
}
