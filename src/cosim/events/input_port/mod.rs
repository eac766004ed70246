//! The input port by its events (`docs/input-port.md`): what comes in comes out once, whole, in order and where its route says, as it was
//! granted; credits say what is free; a stop is obeyed; and nothing stands still for nothing.

mod credits;
mod packets;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};
use credits::{Credits, Wrong};
use packets::{Class, Found, Packet, Packets};

/// Its tolerances; an error for a port that is not judged.
pub(super) fn settings(p: &Params) -> Result<Vec<Setting>, String> {
    let not = [
        (p.one_queue, "ONE_QUEUE"),
        (p.markers, "MARKERS"),
        (p.cioq, "CIOQ"),
        (p.srp, "SRP"),
        (p.random_up, "RANDOM_UP"),
    ];
    if let Some((_, name)) = not.iter().find(|n| n.0) {
        return Err(format!("an input-port with {name} = 1 has no scoreboard of events"));
    }
    if p.ports > 31 {
        return Err(format!(
            "an input-port of {} outputs has no scoreboard of events; of up to 31 there is",
            p.ports
        ));
    }
    let s = Setting::new;
    Ok(vec![
        s("receive", 16, 0, "by which a silence may end a packet earlier or later, and a route written hold"),
        s("credit", 64, 0, "after which credits must say that a block is free"),
        s("early", 2, 0, "by which credits may say so before its flit leaves"),
        s("message", 64, 0, "between two credit messages of a VL, besides VLS FC_INTERVAL"),
        s("stop", 4, 0, "for which a packet may ask on after a stop"),
        s("read", 16, 1, "slots of an output, without a flit of a packet that was granted"),
        s("offer", 256, 1, "without any request, although a packet could go"),
        Setting::ready(UnitKind::InputPort, p),
    ])
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
    ol: [usize; 2],
    ready: usize,
    req_valid: usize,
    req: [usize; 4],
    can_alloc: usize,
    act: usize,
    xb_valid: usize,
    xb: [usize; 3],
    xb_data: usize,
    fc: [usize; 3],
}

/// What a request says of its packet: length, DLID, CNP, from a hot queue.
type Asked = [u32; 4];

/// A request that the output holds back until a line goes on.
#[derive(Clone, Copy)]
struct Bound {
    line: u32,
    asked: Asked,
    /// Since when the line is stopped.
    stopped: Option<u64>,
}

/// An entry of the forwarding table.
#[derive(Clone, Copy)]
struct Route {
    /// The outputs of now and of the cycles in which writes may not have been seen; [`NOWHERE`]: none.
    now: u32,
    before: u32,
    changed: u64,
}

/// No route.
const NOWHERE: u32 = 1 << 31;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rx {
    Idle,
    Receiving(usize),
    Dropping,
}

/// Names of what is counted, in the order of [`Port::counts`].
const COVER: [Point; 11] = [
    ("packets", "R1", "packets that had to be accepted"),
    ("unsure", "R1 B3", "packets that might be refused: without credit, or with a route just written"),
    ("refused", "R1 B3", "packets refused by their first flit"),
    ("cut", "B3", "packets that ended before their time"),
    ("left", "R1 E9", "packets that left, in order and as they came"),
    ("left_cut", "B3", "packets cut that left with a bad end"),
    ("credits", "F1", "credit messages judged"),
    ("all_free", "F1", "of these, with all blocks free and given back"),
    ("grants", "A2", "requests granted"),
    ("stops", "E5", "requests held back by a stopped line"),
    ("routes", "R1", "routes written"),
];
const PACKETS: usize = 0;
const UNSURE: usize = 1;
const REFUSED: usize = 2;
const CUT: usize = 3;
const LEFT: usize = 4;
const LEFT_CUT: usize = 5;
const CREDITS: usize = 6;
const ALL_FREE: usize = 7;
const GRANTS: usize = 8;
const STOPS: usize = 9;
const ROUTES: usize = 10;

/// The scoreboard.
pub(super) struct Port {
    io: Io,
    params: Params,
    /// Words of a flit.
    flit: usize,
    addresses: [u8; 2],
    /// Tolerances.
    late: u64,
    silence: u64,
    stop: u64,
    read: u64,
    offer: u64,

    now: u64,
    ready: Readiness,
    routes: Vec<Route>,
    /// RX_TIMEOUT: the values that may hold, the least and the largest (`u64::MAX`: never), and the last write.
    timeout: (u64, u64),
    timeout_now: u64,
    timeout_changed: u64,
    /// The larger of FC_INTERVAL's last two values, and the last one.
    interval: (u64, u64),
    packets: Packets,
    /// Packets that came in the last cycles, and when.
    young: VecDeque<(u64, usize)>,
    rx: Rx,
    silent: u64,
    /// The VL of the packet that comes, if it is legal.
    context: Option<usize>,
    credits: Vec<Credits>,
    heard: Vec<u64>,
    /// Requests granted whose packets have not begun to leave: VL and what they said.
    granted: Vec<VecDeque<(usize, Asked)>>,
    /// Packets that leave: which, and how many flits have.
    leaving: Vec<Option<(usize, usize)>>,
    slots: Vec<u64>,
    bound: Vec<Option<Bound>>,
    could_alloc: bool,
    idle: u64,
    counts: [u64; COVER.len()],
}

impl Port {
    pub fn new(p: &Params, settings: &Settings) -> Port {
        let l = Layout::new(UnitKind::InputPort, p);
        let three = |a, b, c| [l.input(a), l.input(b), l.input(c)];
        let out = |name| l.signal(Group::Output, name).offset;
        let [credit, early] = ["credit", "early"].map(|n| settings.get(n));
        let route = Route { now: NOWHERE, before: NOWHERE, changed: 0 };
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
                ol: ["ol_valid", "ol_stop"].map(|n| l.input(n)),
                ready: out("ready"),
                req_valid: out("req_valid"),
                req: ["req_len", "req_dlid", "req_cnp", "req_hot"].map(out),
                can_alloc: out("can_alloc"),
                act: out("xb_act"),
                xb_valid: out("xb_valid"),
                xb: ["xb_first", "xb_last", "xb_bad"].map(out),
                xb_data: out("xb_data"),
                fc: ["fc_valid", "fc_vl", "fccl"].map(out),
            },
            params: *p,
            flit: p.flit_bytes / 4,
            addresses: ["FC_INTERVAL", "RX_TIMEOUT"].map(|name| addr(UnitKind::InputPort, name)),
            late: settings.get("receive"),
            silence: settings.get("message"),
            stop: settings.get("stop"),
            read: settings.get("read"),
            offer: settings.get("offer"),
            now: 0,
            ready: Readiness::new(settings.get("ready"), "R1"),
            routes: vec![route; p.lft_depth],
            timeout: (1024, 1024),
            timeout_now: 1024,
            timeout_changed: 0,
            interval: (4, 4),
            packets: Packets::default(),
            young: VecDeque::new(),
            rx: Rx::Idle,
            silent: 0,
            context: None,
            credits: (0..p.vls).map(|v| Credits::new(p.cap(v), credit, early)).collect(),
            heard: vec![0; p.vls],
            granted: vec![VecDeque::new(); p.ports],
            leaving: vec![None; p.ports],
            slots: vec![0; p.ports],
            bound: vec![None; p.ports * p.vls],
            could_alloc: false,
            idle: 0,
            counts: [0; COVER.len()],
        }
    }

    /// Of the BTH, where there is one to be seen.
    fn opcode(&self, data: &[u32]) -> u32 {
        match data[0] >> 8 & 3 {
            2 => data[2] & 0xff,
            3 if self.params.flit_bytes == 64 => data[12] & 0xff,
            _ => 0,
        }
    }

    fn class(&self, data: &[u32]) -> Class {
        let dlid = ((data[0] >> 16 & 0xff) << 8 | data[0] >> 24) as u16;
        let vl = match self.params.vl_by_dest {
            true => usize::from(dlid) % self.params.vls,
            false => (data[0] >> 4 & 15) as usize,
        };
        Class { vl, dlid, cnp: self.opcode(data) == 0x80 }
    }

    fn told(&self, id: usize) -> String {
        let p = self.packets.get(id);
        let kind = if p.class.cnp { "CNP" } else { "packet" };
        format!(
            "the {kind} of {} flits to DLID {} on VL {} that came in cycle {}",
            p.n, p.class.dlid, p.class.vl, p.arrived
        )
    }

    // What leaves.

    /// A flit to the crossbar.
    fn leave(&mut self, o: usize, output: &[u32]) -> Result<(), Broken> {
        let at = self.io.xb_data + o * self.flit;
        let data = &output[at..at + self.flit];
        let [first, last, bad] = self.io.xb.map(|w| output[w + o] & 1 == 1);
        let (id, r) = match (self.leaving[o], first) {
            (Some(at), false) => at,
            (None, true) => (self.begin(o, data)?, 0),
            (Some((id, r)), true) => {
                let text = format!("output {o}: a first flit after {r} flits of {}", self.told(id));
                return broken("framing", "B3", text);
            }
            (None, false) => {
                return broken(
                    "framing",
                    "B3",
                    format!("output {o}: a flit that is not first and belongs to no packet"),
                );
            }
        };
        let p = self.packets.get(id);
        let (stored, vl, sure) = (p.stored(self.flit), p.class.vl, p.sure);
        if bad {
            if !(p.cut && r == stored || p.loose && r <= stored) || !last || data.iter().any(|x| *x != 0) {
                let text =
                    format!("output {o}: a bad end as flit {r} of {}, of which {stored} came", self.told(id));
                return broken("cut", "B3", text);
            }
            self.counts[LEFT_CUT] += 1;
            self.credits[vl].hold(r as i32 - stored as i32, sure);
        } else {
            if p.words.get(r * self.flit..(r + 1) * self.flit) != Some(data) {
                let text =
                    format!("output {o}: flit {r} of {} is not as it came, or did not come", self.told(id));
                return broken("intact", "R1", text);
            }
            if last != (r + 1 == p.n) {
                let text = format!("output {o}: last = {} at flit {r} of {}", u8::from(last), self.told(id));
                return broken("framing", "B3", text);
            }
            self.credits[vl].hold(-1, sure);
        }
        self.slots[o] = 0;
        self.leaving[o] = (!last).then_some((id, r + 1));
        if last {
            self.counts[LEFT] += 1;
            self.no_longer(id);
            self.packets.release(id);
        }
        Ok(())
    }

    /// The packet that a first flit begins.
    fn begin(&mut self, o: usize, data: &[u32]) -> Result<usize, Broken> {
        let class = self.class(data);
        let seen = format!("output {o}: a packet to DLID {} on VL {}", class.dlid, class.vl);
        let Some((vl, asked)) = self.granted[o].pop_front() else {
            return broken("grant", "A2", format!("{seen} leaves that was not granted"));
        };
        let (id, gone) = match self.packets.take(class, o, data) {
            Found::Packet { id, gone } => (id, gone),
            Found::Elsewhere(id) => {
                let outs = self.packets.get(id).outs;
                let to = if outs == 0 {
                    "has no route".into()
                } else {
                    format!("goes to output {}", outs.trailing_zeros())
                };
                return broken(
                    "output",
                    "R1",
                    format!("output {o}: {} leaves here, and {to}", self.told(id)),
                );
            }
            Found::Passed(before, id) => {
                let text = format!("output {o}: {} leaves before {}", self.told(id), self.told(before));
                return broken("order", "E9", text);
            }
            Found::Stranger => {
                return broken(
                    "stranger",
                    "R1",
                    format!("{seen} leaves that did not come, or left before, or is not as it came"),
                );
            }
        };
        for id in gone {
            self.gone(id);
            self.packets.release(id);
        }
        let p = self.packets.get(id);
        let is = [p.n as u32, p.class.dlid.into(), p.class.cnp.into()];
        if vl != class.vl || asked[..3] != is {
            let text = format!(
                "output {o}: {} leaves; granted was VL {vl}, {} flits, DLID {}, CNP {}",
                self.told(id),
                asked[0],
                asked[1],
                asked[2]
            );
            return broken("request", "A2", text);
        }
        Ok(id)
    }

    fn message(&mut self, output: &[u32]) -> Result<(), Broken> {
        let [valid, vl, value] = self.io.fc.map(|w| output[w]);
        let now = self.now;
        if valid & 1 == 1 {
            let v = vl as usize;
            if v >= self.params.vls {
                return broken(
                    "credit",
                    "F1",
                    format!("a credit message for VL {v}: there are {}", self.params.vls),
                );
            }
            self.heard[v] = now;
            self.counts[CREDITS] += 1;
            let free = self.credits[v].message(value as u16 & 0xfff, now).map_err(|e| wrong(v, e))?;
            self.counts[ALL_FREE] += u64::from(free);
        }
        for v in 0..self.params.vls {
            self.credits[v].cycle(now).map_err(|e| wrong(v, e))?;
            let most = self.params.vls as u64 * self.interval.0.max(self.interval.1) + self.silence;
            if now - self.heard[v] > most {
                return broken("silent", "F1", format!("no credit message for VL {v} in {most} cycles"));
            }
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
        Ok(())
    }

    /// What the outputs answer.
    fn answers(&mut self, input: &[u32], output: &[u32]) {
        let vls = self.params.vls;
        let may = output[self.io.can_alloc] & 1 == 1;
        let rises = may && !self.could_alloc;
        self.could_alloc = may;
        for o in 0..self.params.ports {
            let busy = output[self.io.act + o] & 1 == 1;
            let mut accepts = !busy || input[self.io.rd_en + o] & 1 == 1;
            let lines = self.io.ol.map(|w| input[w + o]);
            for q in o * vls..(o + 1) * vls {
                let stopped = |line: u32| (lines[1] >> line & 1 == 1).then_some(self.now);
                if let Some(b) = &mut self.bound[q] {
                    let stops = stopped(b.line);
                    b.stopped = if stops.is_some() { b.stopped.or(stops) } else { None };
                    if rises || lines[0] >> b.line & 1 == 0 {
                        self.bound[q] = None;
                    }
                }
                let Some(asked) = self.asked(q, output) else { continue };
                if accepts && input[self.io.grant + q] & 1 == 1 {
                    accepts = false;
                    self.bound[q] = None;
                    self.granted[o].push_back((q % vls, asked));
                    self.counts[GRANTS] += 1;
                } else if input[self.io.held[0] + q] & 1 == 1 {
                    let line = input[self.io.held[1] + q];
                    if (line as usize) < self.params.lines {
                        let stopped = stopped(line);
                        self.counts[STOPS] += u64::from(stopped.is_some());
                        // By a line that is not there it is held in this cycle only.
                        let there = lines[0] >> line & 1 == 1;
                        self.bound[q] = there.then_some(Bound { line, asked, stopped });
                    }
                }
            }
        }
    }

    /// Nothing stands still for nothing.
    fn moves(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        for o in 0..self.params.ports {
            let comes = match self.leaving[o] {
                Some((id, _)) => self.packets.get(id).whole.is_some() || self.packets.get(id).cut,
                None => !self.granted[o].is_empty(),
            };
            if !comes {
                self.slots[o] = 0;
            } else if input[self.io.rd_en + o] & 1 == 1 {
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
                let p = self.packets.get(**id);
                p.sure && p.whole.is_some_and(|w| self.now - w > self.offer)
            };
            if let Some(id) = self.packets.waiting.iter().find(waits) {
                let text = format!(
                    "no request for {} cycles, though {} waits and nothing is stopped",
                    self.idle,
                    self.told(*id)
                );
                return broken("hang", "A2", text);
            }
        }
        Ok(())
    }

    // What comes.

    /// Flits of a packet may be gone from now on, and itself.
    fn doubt(&mut self, id: usize) {
        let p = self.packets.get_mut(id);
        if !std::mem::take(&mut p.sure) {
            return;
        }
        let (vl, stored) = (p.class.vl, p.stored(self.flit));
        // What has begun to leave goes on, but when its blocks are free is not sure.
        let gone = self.leaving.iter().flatten().find(|l| l.0 == id).map_or(0, |l| l.1);
        self.credits[vl].doubt(stored as i32 - gone as i32);
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
        let (vl, stored) = (p.class.vl, p.stored(self.flit));
        self.credits[vl].hold(-(stored as i32), false);
        self.no_longer(id);
    }

    /// The packet that comes ends here.
    fn cut(&mut self, id: usize) {
        self.doubt(id);
        self.packets.get_mut(id).cut = true;
        self.counts[CUT] += 1;
    }

    fn receive(&mut self, input: &[u32]) {
        let now = self.now;
        if input[self.io.link_up] & 1 == 0 {
            if let Rx::Receiving(id) = self.rx {
                self.cut(id);
            }
            (self.rx, self.context) = (Rx::Idle, None);
            self.credits.iter_mut().for_each(|c| c.down(now));
            self.heard.fill(now);
            return;
        }
        let [valid, vl, sent] = self.io.fctbs.map(|w| input[w]);
        if valid & 1 == 1
            && let Some(c) = self.credits.get_mut(vl as usize)
        {
            c.correct(sent as u16 & 0xfff, now);
        }
        let [valid, first, last, bad] = self.io.rx.map(|w| input[w] & 1 == 1);
        if !valid {
            self.silence();
            return;
        }
        let ends = if last { Rx::Idle } else { Rx::Dropping };
        let data = &input[self.io.rx_data..self.io.rx_data + self.flit];
        if first {
            if let Rx::Receiving(id) = self.rx {
                self.cut(id);
            }
            let class = self.class(data);
            self.context = (class.vl < self.params.vls).then_some(class.vl);
            self.rx = match self.header(class, data, last, bad) {
                None => {
                    self.counts[REFUSED] += 1;
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
        self.silent = 0;
        if let Some(v) = self.context {
            self.credits[v].receive();
        }
    }

    /// No flit came.
    fn silence(&mut self) {
        let Rx::Receiving(id) = self.rx else { return };
        self.silent += 1;
        if self.silent.saturating_add(self.late) >= self.timeout.0 {
            self.doubt(id);
            self.packets.get_mut(id).loose = true;
        }
        if self.silent >= self.timeout.1.saturating_add(self.late) {
            self.cut(id);
            self.rx = Rx::Dropping;
        }
    }

    /// A first flit that is accepted, or may be.
    fn header(&mut self, class: Class, data: &[u32], last: bool, bad: bool) -> Option<usize> {
        let n = (((data[1] & 7) << 8 | data[1] >> 8 & 0xff) as usize).div_ceil(16);
        let opcode = self.opcode(data);
        let reply = n == 1 && (opcode == 0x80 || opcode & 0x1f == 0x11);
        let vls = self.params.vls;
        let suits = reply || !self.params.ctl_vl || class.vl != vls - 1;
        if class.vl >= vls || !(1..=self.params.mtu).contains(&n) || !suits || bad || last != (n == 1) {
            return None;
        }
        let outs = match self.routes.get(usize::from(class.dlid)) {
            None => NOWHERE,
            Some(r) if self.now - r.changed <= self.late => r.now | r.before,
            Some(r) => r.now,
        };
        let sure = outs & NOWHERE == 0 && self.credits[class.vl].promised(n);
        self.counts[if sure { PACKETS } else { UNSURE }] += 1;
        self.credits[class.vl].hold(1, sure);
        let id = self.packets.add(Packet {
            class,
            n,
            words: data.to_vec(),
            outs: outs & !NOWHERE,
            sure,
            whole: last.then_some(self.now),
            cut: false,
            loose: false,
            arrived: self.now,
        });
        self.young.push_back((self.now, id));
        Some(id)
    }

    /// Those without a route that have grown old were refused.
    fn grow(&mut self) {
        while let Some((at, id)) = self.young.front().copied().filter(|y| self.now - y.0 >= self.late) {
            self.young.pop_front();
            let p = self.packets.get(id);
            if p.arrived == at && p.outs == 0 && self.packets.forget(id) {
                self.gone(id);
            }
        }
    }

    fn writes(&mut self, input: &[u32]) {
        let now = self.now;
        let [cfg, lft] =
            [self.io.cfg, self.io.lft].map(|[we, a, b]| (input[we] & 1 == 1).then(|| (input[a], input[b])));
        if let Some((address, port)) = lft
            && let Some(route) = self.routes.get_mut(address as usize)
        {
            let is = if (port as usize) < self.params.ports { 1 << port } else { NOWHERE };
            if is != route.now {
                let before = if now - route.changed <= self.late { route.before } else { 0 };
                *route = Route { now: is, before: before | route.now, changed: now };
                self.counts[ROUTES] += 1;
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
                self.interval = (self.interval.1, u64::from(data & 0xffff).max(1));
            }
            Some((a, data)) if a == u32::from(self.addresses[1]) => {
                let value = if data & 0xffff == 0 { u64::MAX } else { (data & 0xffff).into() };
                let old = if now - self.timeout_changed <= self.late {
                    self.timeout
                } else {
                    (self.timeout_now, self.timeout_now)
                };
                self.timeout = (old.0.min(value), old.1.max(value));
                (self.timeout_now, self.timeout_changed) = (value, now);
            }
            _ => {}
        }
        if now - self.timeout_changed > self.late {
            self.timeout = (self.timeout_now, self.timeout_now);
        }
    }
}

fn wrong(vl: usize, wrong: Wrong) -> Broken {
    let (kind, text) = match wrong {
        Wrong::TooMuch(n) => ("overdrawn", format!("{n} blocks more than are free")),
        Wrong::TooLittle(n) => ("leak", format!("{n} blocks less than have been free for long")),
    };
    Broken { kind, rules: "F1", text: format!("VL {vl}: credits for {text}") }
}

impl Scoreboard for Port {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        if !self.ready.see(output[self.io.ready] & 1 == 1, now)? {
            self.now += 1;
            self.credits.iter_mut().for_each(|c| c.renew(now));
            self.heard.fill(self.now);
            return Ok(());
        }
        for o in 0..self.params.ports {
            if output[self.io.xb_valid + o] & 1 == 1 {
                self.leave(o, output)?;
            }
        }
        self.message(output)?;
        self.obeys(output)?;
        self.answers(input, output);
        self.moves(input, output)?;
        self.receive(input);
        self.writes(input);
        self.grow();
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
                io.xb.iter().for_each(|w| output[w + o] = 0);
                output[io.xb_data + o * self.flit..][..self.flit].fill(0);
            }
        }
        for q in 0..self.bound.len() {
            if output[io.req_valid + q] & 1 == 0 {
                io.req.iter().for_each(|w| output[w + q] = 0);
            }
        }
        if output[io.fc[0]] & 1 == 0 {
            io.fc.iter().for_each(|w| output[*w] = 0);
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        counted(&COVER, &self.counts)
    }
}
