//! The output port by its events (`docs/output-port.md`): who asks, fits and is not held back is granted, one at a time; what crosses leaves;
//! credits are kept; messages about trees are heard, told and shown; the congestion state is what its inputs make it; marks follow from it.

mod counts;
mod crossing;
mod lines;
mod room;
mod state;
#[cfg(test)]
mod tests;
mod turns;

use crate::cosim::events::arrivals::refuse;
use crate::cosim::events::control::{Control, Message};
use crate::cosim::events::headers::{FECN, Headers, MB, VB};
use crate::cosim::events::register::Told;
use crate::cosim::events::scoreboard::{Broken, Point, Scoreboard, broken, counted};
use crate::cosim::events::sender::Sender;
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::events::stops::longest_life;
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};
use counts::{Counts, Said};
use crossing::{Came, Crosses, Crossing, Flit};
use lines::Lines;
use room::Room;
use state::{Contributions, State};
use turns::{Granted, Stands, Turns};

/// Its tolerances; an error for a port that is not judged.
pub(super) fn settings(p: &Params) -> Result<Vec<Setting>, String> {
    refuse("an output-port", "inputs", p, &[(p.one_queue, "ONE_QUEUE"), (p.cioq, "CIOQ")])?;
    let s = Setting::new;
    let (ports, vls) = (p.ports as u64, p.vls as u64);
    let age = "for which an older request may not be seen";
    let mut all = vec![
        s(
            "grant",
            16,
            0,
            "for which a credit limit, a register or a message written may not be seen, or act on",
        ),
        s("stop", 4, 0, "for which a packet may be granted after a stop"),
        s("message", 64, 0, "between two messages of a VL with what was sent, besides VLS FC_INTERVAL"),
        s("fall", 4, 0, "for which a link that fell or rose may not be seen"),
        s("read", 64, 16, "without a flit that has crossed, or without rd_en"),
        s("state", 8, 0, "until the congestion state shows what makes it"),
        s("marks", 1, 0, "marks more or less than MARKING_RATE says"),
        s("offer", 64, 1, "with the crossbar free, without a grant, although a request fits"),
        s("round", 2 * ports, 1, "grants to others of its VL, while a request asks"),
        s("turns", 2 * ports * (vls + 32) + 16, 1, "grants to others, while a request fits"),
        s("passed", 4, 0, "data that go before a CNP, or CNPs before data, more than 32 to 1"),
    ];
    if p.stamp_w > 0 {
        all.push(s("age", 4, 0, age));
    }
    Ok(all)
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &[
    "grant",
    "rd_en",
    "tx_valid",
    "tx_first",
    "tx_last",
    "tx_data",
    "fctbs_valid",
    "fctbs_vl",
    "fctbs",
    "cong_state",
];

/// Offsets of the signals in the word vectors.
struct Io {
    cfg: [usize; 3],
    req_valid: usize,
    asked: [usize; 4],
    unlinked: usize,
    age: usize,
    enter: usize,
    full_evt: usize,
    sw_mark: usize,
    can_alloc: usize,
    known: usize,
    room: usize,
    pend: usize,
    act: [usize; 2],
    cong: usize,
    fill: usize,
    sw: [usize; 4],
    sw_data: usize,
    link_up: usize,
    fccl: [usize; 3],
    msg: [usize; 8],
    msg_dlist: usize,
    grant: usize,
    elig: usize,
    held: usize,
    held_line: usize,
    rd_en: usize,
    prop_valid: usize,
    prop: [usize; 4],
    ol: [usize; 2],
    ol_wait: usize,
    tx: [usize; 4],
    tx_data: usize,
    fctbs: [usize; 3],
    cong_state: usize,
    rdata: [usize; 2],
}

impl Io {
    fn new(l: &Layout) -> Io {
        let out = |name| l.signal(Group::Output, name).offset;
        Io {
            cfg: ["cfg_we", "cfg_addr", "cfg_data"].map(|n| l.input(n)),
            req_valid: l.input("req_valid"),
            asked: ["req_len", "req_dlid", "req_cnp", "req_hot"].map(|n| l.input(n)),
            unlinked: l.input("req_unlinked"),
            age: l.input("req_age"),
            enter: l.input("enter"),
            full_evt: l.input("full_evt"),
            sw_mark: l.input("sw_mark"),
            can_alloc: l.input("can_alloc"),
            known: l.input("known"),
            room: l.input("room"),
            pend: l.input("pend"),
            act: ["xb_act", "xb_end"].map(|n| l.input(n)),
            cong: l.input("cong"),
            fill: l.input("fill"),
            sw: ["sw_valid", "sw_first", "sw_last", "sw_bad"].map(|n| l.input(n)),
            sw_data: l.input("sw_data"),
            link_up: l.input("link_up"),
            fccl: ["fccl_valid", "fccl_vl", "fccl"].map(|n| l.input(n)),
            msg: [
                "msg_valid",
                "msg_type",
                "msg_line",
                "msg_vl",
                "msg_root",
                "msg_hops",
                "msg_stop",
                "msg_dcnt",
            ]
            .map(|n| l.input(n)),
            msg_dlist: l.input("msg_dlist"),
            grant: out("grant"),
            elig: out("elig"),
            held: out("held"),
            held_line: out("held_line"),
            rd_en: out("rd_en"),
            prop_valid: out("prop_valid"),
            prop: ["prop_vl", "prop_line", "prop_hops", "prop_root"].map(out),
            ol: ["ol_valid", "ol_stop"].map(out),
            ol_wait: out("ol_wait"),
            tx: ["tx_valid", "tx_first", "tx_last", "tx_bad"].map(out),
            tx_data: out("tx_data"),
            fctbs: ["fctbs_valid", "fctbs_vl", "fctbs"].map(out),
            cong_state: out("cong_state"),
            rdata: ["cfg_rvalid", "cfg_rdata"].map(out),
        }
    }
}

/// What is counted, in the order of [`Port::cover`].
const COVER: [Point; 11] = [
    ("grants", "A1 A2 F1", "grants, to who asks and fits, with the crossbar free"),
    ("stopped", "E5", "requests granted in spite of a stop, within the tolerance"),
    ("told", "E3", "requests told of a tree"),
    ("held", "E5", "requests held by a line"),
    ("left", "B2 B3", "flits that left as they crossed"),
    ("lost", "F1 B3", "flits that crossed while the link was down, or after it"),
    ("falls", "F1 B3", "times that the link fell"),
    ("sent", "F1", "flow control messages judged"),
    ("marks", "M1 M2", "marks judged"),
    ("states", "D1 D2 D3", "cycles in which a VL must be in its congestion state, or must not"),
    ("turns", "A3", "requests that stood while others were granted"),
];

/// Registers that matter here, in the order of [`Port::writes`].
const REGISTERS: [&str; 4] = ["CTRL", "SUM_HTH", "SUM_LTH", "LINE_TIMER"];

/// The scoreboard.
pub(super) struct Port {
    io: Io,
    params: Params,
    headers: Headers,
    registers: [u32; 4],
    grant: u64,
    more: u64,
    read: u64,
    offer: u64,
    stop: u64,

    now: u64,
    sender: Sender,
    rooms: Vec<Room>,
    lines: Lines,
    crossing: Crossing,
    state: State,
    counts_of: Counts,
    turns: Turns,
    /// Marks that are set here.
    may_set: u32,
    /// Since when each request asks as it does now.
    asks: Vec<Option<([u32; 4], u64)>>,
    age: u64,
    /// cnp_plain, and the last write of it.
    plain: bool,
    written: Option<u64>,
    /// The last rd_en.
    slot: u64,
    /// Cycles with the crossbar free in which nobody was granted who fits; in which nobody was told who is to be.
    idle: u64,
    untold: u64,
    /// And of the latter those between grants, in all.
    missed: u64,
    /// Since when an input's turn of a line comes first, and no input has it.
    waits: Vec<u64>,
    /// Per VL: packets that must have been eligible, and were not marked.
    unmarked: Vec<u64>,
    counts: [u64; 6],
}

/// Places in [`Port::counts`].
const GRANTS: usize = 0;
const STOPPED: usize = 1;
const TOLD: usize = 2;
const HELD: usize = 3;
const LEFT: usize = 4;
const STATES: usize = 5;

impl Port {
    pub fn new(p: &Params, settings: &Settings) -> Port {
        let get = |name| settings.get(name);
        let l = Layout::new(UnitKind::OutputPort, p);
        let headers = Headers::new(p);
        let lines = if p.isolation { p.lines } else { 0 };
        let late = get("grant");
        let mut sender = Sender::new(String::new(), 0, p, settings);
        sender.down.link(true, 0);
        Port {
            io: Io::new(&l),
            params: *p,
            headers,
            registers: REGISTERS.map(|name| addr(UnitKind::OutputPort, name).into()),
            grant: late,
            more: get("marks"),
            read: get("read"),
            offer: get("offer"),
            stop: get("stop"),
            now: 0,
            sender,
            rooms: vec![Room::new(late); p.vls],
            lines: Lines::new(p.vls, lines, longest_life(p).into(), (late, get("stop"))),
            crossing: Crossing::new(headers, p.vls, (get("fall"), get("read"))),
            state: State::new(p.vls, p.mtu, (late, get("state"))),
            counts_of: Counts::new(p, (late, get("state"))),
            may_set: if p.markers { FECN | VB } else { FECN },
            asks: vec![None; p.ports * p.vls],
            age: get("age"),
            turns: Turns::new((p.ports * p.vls, p.vls), (get("round"), get("turns"), get("passed"))),
            plain: false,
            written: None,
            slot: 0,
            idle: 0,
            untold: 0,
            missed: 0,
            waits: vec![0; lines],
            unmarked: vec![0; p.vls],
            counts: [0; 6],
        }
    }

    // What is asked for.

    /// A request, if it is there: what it says.
    fn asked(&self, r: usize, input: &[u32]) -> Option<[u32; 4]> {
        let mut asked =
            (input[self.io.req_valid + r] & 1 == 1).then(|| self.io.asked.map(|w| input[w + r]))?;
        if self.params.ctl_vl {
            // The class is the lane's (CL1).
            asked[2] = u32::from(r % self.params.vls + 1 == self.params.vls);
        }
        Some(asked)
    }

    fn is_cnp(asked: [u32; 4]) -> bool {
        asked[2] & 1 == 1
    }

    /// Data of a VL ask.
    fn data_asks(&self, v: usize, input: &[u32]) -> bool {
        let mut all = (v..self.params.ports * self.params.vls).step_by(self.params.vls);
        all.any(|r| self.asked(r, input).is_some_and(|a| !Port::is_cnp(a)))
    }

    /// An input that is told of line `k` by its request `r` could follow.
    fn could_follow(&self, r: usize, k: usize, input: &[u32]) -> bool {
        let i = r / self.params.vls;
        let bit = |w: usize| input[w + i] >> k & 1 == 1;
        match input[self.io.asked[3] + r] & 1 == 1 {
            true => input[self.io.unlinked + r] & 1 == 1,
            false if bit(self.io.known) => bit(self.io.room),
            false => input[self.io.can_alloc + i] & 1 == 1,
        }
    }

    /// The line of which a request must be told before it is granted.
    fn must_tell(&self, r: usize, input: &[u32]) -> Option<usize> {
        let asked = self.asked(r, input).filter(|a| !Port::is_cnp(*a))?;
        let first = self.lines.first(r % self.params.vls, asked[1] as u16, self.now)?;
        self.could_follow(r, first, input).then_some(first)
    }

    /// A request as it stands.
    fn stands(&self, r: usize, input: &[u32]) -> Option<Stands> {
        let asked = self.asked(r, input)?;
        let (vl, cnp) = (r % self.params.vls, Port::is_cnp(asked));
        let room = &self.rooms[vl];
        let full = |need: usize| room.fits(need, self.now).sure;
        // A CNP waits for data that have waited for it, and these for credit.
        let (n, mtu) = (asked[0] as usize, self.params.mtu);
        let fits = match cnp && !self.plain {
            true => full(n) && (!self.data_asks(vl, input) || full(mtu)),
            false => n <= mtu && full(mtu),
        };
        let free =
            cnp || self.lines.free(vl, asked[1] as u16, self.now) && self.must_tell(r, input).is_none();
        Some(Stands { vl, asked, cnp, fits, free })
    }

    fn what(&self, r: usize, asked: [u32; 4]) -> String {
        let kind = if Port::is_cnp(asked) { "a CNP" } else { "data" };
        let (i, v) = (r / self.params.vls, r % self.params.vls);
        format!("input {i}, VL {v}: {kind} of {} flits to DLID {}", asked[0], asked[1])
    }

    /// CTRL may not have been seen yet.
    fn has_changed(&self) -> bool {
        self.written.is_some_and(|w| self.now - w <= self.grant)
    }

    // Grants.

    /// There may be credit for a packet; data longer than an MTU, which are none, fit like an MTU.
    fn may_fit(&self, v: usize, asked: [u32; 4]) -> bool {
        let (n, mtu) = (asked[0] as usize, self.params.mtu);
        let fits = |need| self.rooms[v].fits(need, self.now).may;
        let alike = !Port::is_cnp(asked) || self.plain || self.has_changed();
        fits(n) || alike && (fits(n.min(mtu)) || fits(mtu))
    }

    fn is_free(&self, input: &[u32], output: &[u32]) -> bool {
        let any = |w: usize| input[w..w + self.params.ports].iter().any(|x| x & 1 == 1);
        !any(self.io.act[0]) || any(self.io.act[1]) && output[self.io.rd_en] & 1 == 1
    }

    /// The request that is granted, which may be.
    fn grants(&mut self, free: bool, input: &[u32], output: &[u32]) -> Result<Option<usize>, Broken> {
        let all = self.params.ports * self.params.vls;
        let mut granted = (0..all).filter(|r| output[self.io.grant + r] & 1 == 1);
        let Some(r) = granted.next() else { return Ok(None) };
        if let Some(other) = granted.next() {
            return broken("grant", "A1", format!("requests {r} and {other} are granted in one cycle"));
        }
        let Some(asked) = self.asked(r, input) else {
            return broken("grant", "A1", format!("request {r} is granted, and does not ask"));
        };
        let what = || self.what(r, asked);
        if !free {
            return broken("busy", "A2", format!("{} is granted while another packet crosses", what()));
        }
        let (v, now, cnp) = (r % self.params.vls, self.now, Port::is_cnp(asked));
        // What the link had given before it fell may not be forgotten yet.
        let up = input[self.io.link_up] & 1 == 1 && !self.sender.has_just_fallen(now);
        if up && !self.may_fit(v, asked) {
            return broken("credit", "F1", format!("{} is granted without credit", what()));
        }
        if !cnp && let Some((k, since)) = self.lines.stops(v, asked[1] as u16, now) {
            let text = format!("{} is granted {} cycles after line {k} stopped it", what(), now - since);
            return broken("stop", "E5", text);
        }
        if let Some(k) = self.must_tell(r, input) {
            return broken(
                "untold",
                "E3",
                format!("{} is granted, and its input is not told of line {k}", what()),
            );
        }
        self.counts[GRANTS] += 1;
        Ok(Some(r))
    }

    /// Those that are told of a tree.
    fn tells(&mut self, granted: Option<usize>, input: &[u32], output: &[u32]) -> Result<bool, Broken> {
        let mut told = (0..self.params.ports).filter(|i| output[self.io.prop_valid + i] & 1 == 1);
        let Some(i) = told.next() else { return Ok(false) };
        let [v, k, hops, root] = self.io.prop.map(|w| output[w]);
        let (v, k) = (v as usize, k as usize);
        let r = i * self.params.vls + v;
        let wrong =
            |why: &str| broken("prop", "E3", format!("input {i} is told of line {k} on VL {v}, {why}"));
        if told.next().is_some() {
            return wrong("and another input in the same cycle");
        }
        let asked = if v < self.params.vls { self.asked(r, input) } else { None };
        let Some(asked) = asked.filter(|a| !Port::is_cnp(*a)) else {
            return wrong("and asks with no data there");
        };
        let dlid = asked[1] as u16;
        if !self.lines.may_list(k, v, dlid) {
            return wrong(&format!("which does not list DLID {dlid}"));
        }
        if !self.lines.told(k, (v, dlid), (root, hops), self.now) {
            return wrong(&format!("with root {root:#x} and {hops} hops, which are not its"));
        }
        if self.lines.first(v, dlid, self.now).is_some_and(|first| first != k) {
            return wrong("which is not the first that lists it");
        }
        if !self.could_follow(r, k, input) {
            return wrong("and has no room for that, or is linked");
        }
        if granted == Some(r) {
            return wrong("and granted");
        }
        self.counts[TOLD] += 1;
        Ok(true)
    }

    /// Those that a line holds back.
    fn holds(&mut self, granted: Option<usize>, input: &[u32], output: &[u32]) -> Result<bool, Broken> {
        let all = self.params.ports * self.params.vls;
        let mut held = (0..all).filter(|r| output[self.io.held + r] & 1 == 1);
        let Some(r) = held.next() else { return Ok(false) };
        let (v, k) = (r % self.params.vls, output[self.io.held_line + r] as usize);
        let wrong = |why: &str| broken("held", "E5", format!("request {r} is held by line {k}, {why}"));
        if let Some(other) = held.next() {
            return wrong(&format!("and request {other} in the same cycle"));
        }
        let asked = self.asked(r, input).filter(|a| !Port::is_cnp(*a));
        let Some(asked) = asked else { return wrong("and asks with no data") };
        if granted.is_some() {
            return wrong("and another one is granted");
        }
        if !self.lines.may_list(k, v, asked[1] as u16) {
            return wrong(&format!("which does not list DLID {}", asked[1]));
        }
        if self.lines.never_stopped(k, self.now) {
            return wrong("which was never stopped");
        }
        self.counts[HELD] += 1;
        Ok(true)
    }

    /// What lines and inputs wait for.
    fn lines_shown(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let [valid, stop] = self.io.ol.map(|w| output[w]);
        self.lines.shown(valid, stop, self.now)?;
        for k in 0..self.waits.len() {
            let of = |words: &[u32], w: usize, i: usize| words[w + i] >> k & 1 == 1;
            let pend = |i: &usize| of(input, self.io.pend, *i);
            let wait = |i: &usize| of(output, self.io.ol_wait, *i);
            let all = 0..self.params.ports;
            let any = all.clone().any(|i| wait(&i));
            if !any || all.clone().any(|i| pend(&i) && !wait(&i)) {
                self.waits[k] = self.now;
            }
            if self.now - self.waits[k] > self.stop {
                let text = format!("all inputs that have packets for line {k} are to wait for others' turn");
                return broken("wait", "A3 E5", text);
            }
        }
        Ok(())
    }

    /// Who could go does, and who is to be told is.
    fn moves(
        &mut self,
        (free, granted): (bool, Option<usize>),
        (told, held): (bool, bool),
        input: &[u32],
        output: &[u32],
    ) -> Result<(), Broken> {
        let (now, all) = (self.now, 0..self.params.ports * self.params.vls);
        if output[self.io.rd_en] & 1 == 1 {
            self.slot = now;
        }
        if now - self.slot > self.read {
            return broken("stuck", "B2", format!("no rd_en for {} cycles", now - self.slot));
        }
        if granted.is_some() {
            (self.idle, self.untold) = (0, 0);
            return Ok(());
        }
        if told || held {
            (self.untold, self.missed) = (0, 0);
            return Ok(());
        }
        if free {
            let goes = |r: usize| self.stands(r, input).is_some_and(|s| s.fits && s.free);
            let Some(r) = all.clone().find(|r| goes(*r)) else {
                self.idle = 0;
                return Ok(());
            };
            self.idle += 1;
            if self.idle > self.offer {
                let asked = self.asked(r, input).unwrap_or_default();
                let text = format!("no grant for {} cycles, though {} fits", self.idle, self.what(r, asked));
                return broken("hang", "A3", text);
            }
        }
        let Some((r, k)) = all.clone().find_map(|r| self.must_tell(r, input).map(|k| (r, k))) else {
            (self.untold, self.missed) = (0, 0);
            return Ok(());
        };
        self.untold += 1;
        self.missed += 1;
        if self.untold > self.offer || self.missed > 4 * self.offer {
            let asked = self.asked(r, input).unwrap_or_default();
            let text = format!("{} is not told of line {k} for {} cycles", self.what(r, asked), self.missed);
            return broken("untold", "E3", text);
        }
        Ok(())
    }

    // What leaves.

    fn flit(&self, words: &[u32], at: [usize; 4], data: usize) -> Option<(Flit, u32)> {
        let [valid, first, last, bad] = at.map(|w| words[w] & 1 == 1);
        let data = &words[data..][..self.params.flit_bytes / 4];
        valid.then(|| {
            let (data, marks) =
                if first { self.headers.without(data, self.may_set) } else { (data.to_vec(), 0) };
            (Flit { first, last, bad, data }, marks)
        })
    }

    fn leaves(&mut self, flit: &Flit, marks: u32, up: bool) -> Result<(), Broken> {
        let now = self.now;
        let Some(came) = self.crossing.leaves(flit, up, now)? else { return Ok(()) };
        if flit.first {
            self.marked(flit, marks, &came)?;
        }
        if up {
            self.sender.down.send(came.vl.unwrap_or(usize::MAX), now)?;
        }
        self.counts[LEFT] += 1;
        Ok(())
    }

    /// Marks of a packet that leaves, as it came and as it goes.
    fn marked(&mut self, flit: &Flit, marks: u32, crossed: &Came) -> Result<(), Broken> {
        let (now, at) = (self.now, crossed.at);
        let (came, goes) = (crossed.what.marks & FECN != 0, marks & FECN != 0);
        let (class, n) = (self.headers.class(&flit.data), Headers::length(&flit.data));
        let told = || format!("a packet of {n} flits to DLID {} on VL {}", class.dlid, class.vl);
        if came && !goes {
            return broken("mark", "M3", format!("FECN of {} is gone", told()));
        }
        let may = self.headers.markable(&flit.data) && class.vl < self.params.vls;
        let marked = goes && !came;
        if class.vl >= self.params.vls {
            return if marked { broken("mark", "M1", format!("{} is marked", told())) } else { Ok(()) };
        }
        self.validated(flit, marks, crossed)?;
        let counted = self.counts_of.marks(class.vl, crossed.what.counted, at, now);
        let asked = may && crossed.what.asked && self.params.markers;
        if (asked || may && counted.must && !crossed.may) && !goes {
            let why = if asked {
                "as its input wants"
            } else {
                "though it waited when packets were counted to be marked"
            };
            return broken("mark", "SM3 SM4", format!("{} is not marked, {why}", told()));
        }
        if goes && may && (asked || counted.may) {
            // What else marks it is not seen.
            self.unmarked[class.vl] = 0;
            return self.sender.marks((class.vl, n), (may, false), now, &told);
        }
        let met = self.state.met(class.vl, at, now);
        if marked && met == Some(false) {
            return broken("mark", "M1", format!("{} is marked, and cong_state is 0", told()));
        }
        self.sender.marks((class.vl, n), (may, marked), now, &told)?;
        let sure = may && !came && met == Some(true);
        if let Some((all, marks)) = sure.then(|| self.sender.few(n, goes, now)).flatten() {
            let text =
                format!("{}: {marks} of {all} packets in the congestion state are marked, too few", told());
            return broken("mark", "M2", text);
        }
        let Some(every) = self.sender.every(n, may, now) else {
            if goes {
                self.unmarked[class.vl] = 0;
            }
            return Ok(());
        };
        let unmarked = &mut self.unmarked[class.vl];
        if goes {
            *unmarked = 0;
        } else if met == Some(true) {
            *unmarked += 1;
            if *unmarked >= every + self.more {
                let text = format!(
                    "{} is not marked, the {unmarked}th in the congestion state since the last mark; one in {every} is to be",
                    told()
                );
                return broken("mark", "M2", text);
            }
        }
        Ok(())
    }

    /// VB of a packet that leaves (VM2).
    fn validated(&self, flit: &Flit, marks: u32, crossed: &Came) -> Result<(), Broken> {
        let class = self.headers.class(&flit.data);
        if !self.params.markers {
            return Ok(());
        }
        let told = |what: &str| {
            broken("mark", "VM2", format!("VB of a packet to DLID {} on VL {} {what}", class.dlid, class.vl))
        };
        let has = self.headers.without(&flit.data, MB).1 != 0 && self.headers.markable(&flit.data);
        let may = self.counts_of.validates(class.vl, crossed.at);
        match (crossed.what.marks & VB != 0, marks & VB != 0) {
            (true, false) => told("is gone"),
            (false, true) if !has => {
                told("is set, which has no MB, or is a reply, has no BTH, or goes to many")
            }
            (false, true) if !may.may => told("is set, and the output is not saturated, or vb_en is 0"),
            (false, false) if has && may.must => told("is not set, and the output is saturated"),
            _ => Ok(()),
        }
    }

    /// The congestion state that is shown.
    fn congestion(&mut self, output: &[u32]) -> Result<(), Broken> {
        for v in 0..self.params.vls {
            let is = output[self.io.cong_state + v] & 1 == 1;
            if let Some(must) = self.state.must(v, self.now) {
                self.counts[STATES] += 1;
                if is != must {
                    let text =
                        format!("VL {v}: cong_state is {}, and must be {}", u32::from(is), u32::from(must));
                    return broken("congested", "D1 D2 D3 D5 D6", text);
                }
            }
            self.state.shows(v, is, self.now);
        }
        Ok(())
    }

    // What the cycle changes.

    fn message(&mut self, input: &[u32]) {
        let [valid, kind, line, vl, root, hops, stop, count] = self.io.msg.map(|w| input[w]);
        if valid & 1 == 0 {
            return;
        }
        let list = &input[self.io.msg_dlist..][..self.params.dlist.min(count as usize)];
        let message = Message {
            kind,
            stop: stop & 1 == 1,
            line: line as usize,
            vl: vl as usize,
            root,
            list: list.iter().map(|d| *d as u16).collect(),
        };
        self.lines.message(&message, hops, self.now);
    }

    /// What the inputs say of a VL.
    fn said(&self, v: usize, input: &[u32]) -> Contributions {
        let all = (v..self.params.ports * self.params.vls).step_by(self.params.vls);
        all.fold(Contributions::default(), |c, r| {
            let fill = u64::from(input[self.io.fill + r]);
            Contributions {
                congested: c.congested || input[self.io.cong + r] & 1 == 1,
                sum: c.sum + fill,
                filled: c.filled + u64::from(fill > 0),
            }
        })
    }

    /// A grant, a packet's end, a limit: credits, and who waited.
    fn spends(&mut self, free: bool, granted: Option<usize>, input: &[u32]) -> Result<(), Broken> {
        let (now, vls) = (self.now, self.params.vls);
        let asked = granted.and_then(|r| self.asked(r, input).map(|a| (r, a)));
        for v in 0..vls {
            let fit = self.rooms[v].fits(self.params.mtu, now);
            let data = asked.is_some_and(|(r, a)| r % vls == v && !Port::is_cnp(a));
            let waits = free && self.data_asks(v, input);
            self.state.cycle(v, self.said(v, input), fit, (waits, data), now);
        }
        let Some((r, asked)) = asked else { return Ok(()) };
        let cnp = Port::is_cnp(asked);
        if !cnp && self.lines.may_stop(r % vls, asked[1] as u16, now) {
            self.counts[STOPPED] += 1;
        }
        let mut turns = std::mem::replace(&mut self.turns, Turns::new((0, 0), (0, 0, 0)));
        // By age only the oldest have turns.
        let age = |r: usize| input[self.io.age + r];
        let data = |s: Stands| !s.cnp || self.plain;
        let all = 0..self.params.ports * vls;
        let data_stand = |r: &usize| self.stands(*r, input).is_some_and(data);
        let oldest =
            if self.sender.by_age(self.now).may { all.filter(data_stand).map(age).max() } else { None };
        let in_turn = |s: Stands, r: usize| Stands {
            free: s.free && (!data(s) || oldest.is_none_or(|oldest| age(r) == oldest)),
            ..s
        };
        let judged = turns.grant(
            Granted { r, vl: r % vls, cnp },
            &|r| self.stands(r, input).map(|s| in_turn(s, r)),
            &|v| self.data_asks(v, input),
            (self.plain, self.lines.may_lose_a_turn()),
        );
        self.turns = turns;
        judged?;
        if self.has_changed() {
            self.turns.anew();
        }
        // Without room it is what the link had given before it fell.
        if self.may_fit(r % vls, asked) {
            self.rooms[r % vls].grant(asked[0] as usize);
        }
        Ok(())
    }

    /// What crosses, and what inputs say of packets that wait.
    fn crosses(&mut self, input: &[u32]) -> Option<Crosses> {
        let crosses = self.flit(input, self.io.sw, self.io.sw_data);
        let first = crosses.as_ref().filter(|c| c.0.first);
        let leaves =
            first.filter(|c| self.headers.markable(&c.0.data)).map(|c| self.headers.class(&c.0.data).vl);
        let (vls, mut counted) = (self.params.vls, Told::sure(false));
        for v in 0..if self.params.markers { vls } else { 0 } {
            let all = || (v..self.params.ports * vls).step_by(vls);
            let said = Said {
                enters: all().map(|r| u64::from(input[self.io.enter + r] & 1)).sum(),
                full: all().any(|r| input[self.io.full_evt + r] & 1 == 1),
                leaves: leaves == Some(v),
                sum: self.said(v, input).sum,
            };
            let of = self.counts_of.cycle(v, said, self.now);
            if leaves == Some(v) {
                counted = of;
            }
        }
        let asked = input[self.io.sw_mark] & 1 == 1;
        crosses.map(|(flit, marks)| Crosses { flit, marks, asked, counted })
    }

    /// Requests of data that are older than the one granted and fit, since long enough (AG1).
    fn ages(&mut self, granted: Option<usize>, input: &[u32]) -> Result<(), Broken> {
        if self.params.stamp_w == 0 {
            return Ok(());
        }
        let now = self.now;
        for r in 0..self.asks.len() {
            let asked = self.asked(r, input);
            let before = self.asks[r].filter(|a| asked == Some(a.0));
            self.asks[r] = asked.map(|a| before.unwrap_or((a, now)));
        }
        let Some(r) = granted.filter(|_| self.sender.by_age(now).must && !self.has_changed()) else {
            return Ok(());
        };
        let data = |r: usize| self.asked(r, input).filter(|a| !Port::is_cnp(*a) || self.plain);
        let Some(asked) = data(r) else { return Ok(()) };
        let age = |r: usize| input[self.io.age + r];
        let vls = self.params.vls;
        // Data of a VL whose turn after replies it may be are of that VL alone.
        let urgent = !self.plain && self.turns.may_be_urgent(r % vls);
        for other in (0..self.asks.len()).filter(|o| age(*o) > age(r) && (!urgent || o % vls == r % vls)) {
            let long = self.asks[other].is_some_and(|a| now - a.1 > self.age);
            let stands = self.stands(other, input).filter(|s| long && s.fits && s.free);
            if let Some(asks) = stands.and_then(|_| data(other)) {
                let text = format!(
                    "{}, of age {}, is granted, and {}, of age {}, fits",
                    self.what(r, asked),
                    age(r),
                    self.what(other, asks),
                    age(other)
                );
                return broken("age", "AG1", text);
            }
        }
        Ok(())
    }

    fn writes(&mut self, input: &[u32]) {
        let now = self.now;
        let [we, number, data] = self.io.cfg.map(|w| input[w]);
        if we & 1 == 0 {
            return;
        }
        self.counts_of.write(number, data, now);
        self.sender.writes(number, data, now);
        match self.registers.iter().position(|a| *a == number) {
            Some(0) => {
                self.lines.isolate(data >> 1 & 1 == 1 && self.params.isolation, now);
                self.state.ctrl(data, now);
                self.plain = data >> 7 & 1 == 1;
                self.written = Some(now);
                self.turns.anew();
            }
            Some(1) => self.state.high(data, now),
            Some(2) => self.state.low(data, now),
            Some(_) => self.lines.live(data.clamp(1, longest_life(&self.params)).into(), now),
            None => {}
        }
    }
}

impl Scoreboard for Port {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        let up = input[self.io.link_up] & 1 == 1;
        let [valid, vl, sent] = self.io.fctbs.map(|w| output[w]);
        if up {
            self.sender.tells((valid & 1 == 1).then_some((vl as usize, sent as u16)), now)?;
        }
        let free = self.is_free(input, output);
        let granted = self.grants(free, input, output)?;
        self.ages(granted, input)?;
        let told = self.tells(granted, input, output)?;
        let held = self.holds(granted, input, output)?;
        self.lines_shown(input, output)?;
        self.congestion(output)?;
        self.moves((free, granted), (told, held), input, output)?;

        self.spends(free, granted, input)?;
        let crosses = self.crosses(input);
        let back = self.crossing.comes(up, crosses, granted.is_some(), now);
        if let Some((flit, marks)) = self.flit(output, self.io.tx, self.io.tx_data) {
            self.leaves(&flit, marks, up)?;
        }
        self.crossing.moves(now)?;
        if let Some((v, n)) = back {
            self.rooms[v].give_back(n, now);
        }
        let none = Control { fctbs: None, fccl: None, message: None };
        self.sender.hears(up, &none, now);
        if up {
            let [valid, vl, limit] = self.io.fccl.map(|w| input[w]);
            if valid & 1 == 1 && (vl as usize) < self.params.vls {
                self.rooms[vl as usize].limit(limit as u16, now);
            }
            self.message(input);
        } else {
            self.rooms.iter_mut().for_each(Room::down);
            self.lines.fell(now);
        }
        let pend = input[self.io.pend..][..self.params.ports].iter().fold(0, |all, p| all | p);
        self.lines.cycle(pend, now);
        self.writes(input);
        self.now += 1;
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let io = &self.io;
        let all = self.params.ports * self.params.vls;
        output[io.elig..][..all].fill(0);
        for r in 0..all {
            output[io.held_line + r] *= output[io.held + r] & 1;
        }
        if output[io.prop_valid..][..self.params.ports].iter().all(|w| w & 1 == 0) {
            io.prop.iter().for_each(|w| output[*w] = 0);
        }
        if output[io.tx[0]] & 1 == 0 {
            io.tx.iter().for_each(|w| output[*w] = 0);
            output[io.tx_data..][..self.params.flit_bytes / 4].fill(0);
        }
        if output[io.fctbs[0]] & 1 == 0 {
            io.fctbs.iter().for_each(|w| output[*w] = 0);
        }
        if output[io.rdata[0]] & 1 == 0 {
            output[io.rdata[1]] = 0;
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        let [grants, stopped, told, held, left, states] = self.counts;
        let (s, lost) = (&self.sender, self.crossing.lost_flits);
        let counts =
            [grants, stopped, told, held, left, lost, s.falls, s.sent, s.marks, states, self.turns.judged];
        counted(&COVER, &counts)
    }
}
