//! The switch by its events (`docs/switch.md`): what comes in leaves once, whole, in order and where its route says; on both sides of each
//! link credits are kept; downstream stops are obeyed; marks are on eligible packets; and nothing stands still for nothing.

#[cfg(test)]
mod tests;

use crate::cosim::events::arrivals::{
    Arrivals, COUNTED, Came, Flit, Origin, Own, ROUTES, refuse, tolerances,
};
use crate::cosim::events::control::Control;
use crate::cosim::events::headers::{FECN, MB, VB};
use crate::cosim::events::packets::{Class, Packet};
use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::sender::Sender;
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};

/// Its tolerances; an error for a switch that is not judged.
pub(super) fn settings(p: &Params) -> Result<Vec<Setting>, String> {
    refuse("a switch", "ports", p, &[])?;
    let s = Setting::new;
    let (ports, vls, hot) = (p.ports as u64, p.vls as u64, p.hpqs as u64);
    let turns = 2 * ports * (hot + 9) * (vls + 32);
    let message = "between two credit messages of a VL, besides VLS FC_INTERVAL; so FCTBS";
    // (An input with one read port reads a packet for each output before, at the slowest pace.)
    let offer = 512 + if p.one_queue { ports * 16 * p.mtu as u64 } else { 0 };
    let mut all = tolerances(16, message);
    all.extend([
        s("grant", 64, 0, "for which a credit limit that was taken back, or a register written, may act on"),
        s("lost", 8 + (p.vls * p.ocap()) as u64, 0, "packets that are lost with each fall of a link"),
        s("stop", 64, 0, "for which a packet may leave after a stop"),
        s("marks", 1, 0, "marks more than MARKING_RATE allows"),
        s("read", 64, 1, "without a flit of a packet that leaves"),
        s("offer", offer, 1, "without a flit at an output, although a packet could go"),
        s("turns", turns, 1, "packets of others at an output, while a packet could go"),
        Setting {
            range: (0, 1),
            ..s("voq", u64::from(!p.one_queue), 0, "1: a packet waits for none to another output; 0: it may")
        },
        Setting::ready(UnitKind::Switch, p),
    ]);
    Ok(all)
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &["tx_valid", "tx_first", "tx_last", "tx_data", "tx_ctl"];

/// Offsets of the signals in the word vectors, and their words.
struct Io {
    cfg: [usize; 5],
    lft: [usize; 3],
    rx: [usize; 4],
    rx_data: usize,
    rx_ctl: usize,
    link_up: usize,
    ready: usize,
    tx: [usize; 4],
    tx_data: usize,
    tx_ctl: usize,
    flit: usize,
    ctl: usize,
}

impl Io {
    fn rx_control(&self, p: usize, input: &[u32], dlist: usize) -> Control {
        Control::of(&input[self.rx_ctl + p * self.ctl..][..self.ctl], dlist)
    }
}

/// A packet that leaves by an output.
#[derive(Clone, Debug)]
struct Leaving {
    class: Class,
    /// Inputs and packets that it may be, all alike so far; more than one: none of them is sure, and all wait still.
    from: Vec<(usize, usize)>,
    /// Its flits that left.
    flits: Vec<Sent>,
    /// The cycle of the last one, or the last in which there was none to leave.
    last: u64,
}

/// A flit that left.
#[derive(Clone, Debug)]
struct Sent {
    first: bool,
    last: bool,
    bad: bool,
    data: Vec<u32>,
}

impl Sent {
    fn flit(&self) -> Flit<'_> {
        Flit { first: self.first, last: self.last, bad: self.bad, data: &self.data }
    }
}

/// The head of a queue that could go, as it was seen last.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    /// The packet and the cycle in which it came.
    head: (usize, u64),
    /// When it was seen first.
    at: u64,
    /// Packets of the output by then, since it could go.
    since: u64,
}

/// An output.
struct Output {
    sender: Sender,
    leaving: Option<Leaving>,
    /// The last flit, and packets that left.
    flit: u64,
    packets: u64,
    /// Of each input and VL.
    turns: Vec<Option<Turn>>,
}

/// What is counted besides, in the order of [`Switch::cover`].
const COVER: [Point; 6] = [
    ("known", "F1", "packets that might be lost or refused and are inside, as credits say"),
    ("falls", "F1 B3", "links that fell"),
    ("sent", "F1", "flow control messages judged"),
    ("stopped", "E5", "packets that left in spite of a stop, within the tolerance"),
    ("marks", "M1 M2", "marks judged"),
    ("turns", "A3", "heads of queues that could go and saw others go"),
];

/// Cycles between two looks at what stands still, and packets of an output between two at who goes.
const LOOK: u64 = 64;
const TURN: u64 = 16;

/// The scoreboard.
pub(super) struct Switch {
    io: Io,
    params: Params,
    grant: u64,
    lost: u64,
    read: u64,
    offer: u64,
    turns: u64,
    voq: bool,

    now: u64,
    ready: Readiness,
    inputs: Vec<Arrivals>,
    outputs: Vec<Output>,
    /// With ages: the last cycle in which an input might limit who passes its oldest packets, and in which a packet of an input and VL left by
    /// an output.
    limited: Vec<u64>,
    went: Vec<u64>,
    waited: u64,
}

impl Switch {
    pub fn new(p: &Params, settings: &Settings) -> Switch {
        let l = Layout::new(UnitKind::Switch, p);
        let out = |name| l.signal(Group::Output, name).offset;
        let get = |name| settings.get(name);
        let marks = if p.markers { FECN | MB | VB } else { FECN };
        let input = |i| {
            let input = Arrivals::new(format!("input {i}, "), p, settings, marks);
            if p.cioq { input.with_queues_behind() } else { input }
        };
        let output = |o| Output {
            sender: Sender::new(format!("output {o}: "), o, p, settings),
            leaving: None,
            flit: 0,
            packets: 0,
            turns: vec![None; p.ports * p.vls],
        };
        Switch {
            io: Io {
                cfg: ["cfg_we", "cfg_unit", "cfg_port", "cfg_addr", "cfg_data"].map(|n| l.input(n)),
                lft: ["lft_we", "lft_addr", "lft_port"].map(|n| l.input(n)),
                rx: ["rx_valid", "rx_first", "rx_last", "rx_bad"].map(|n| l.input(n)),
                rx_data: l.input("rx_data"),
                rx_ctl: l.input("rx_ctl"),
                link_up: l.input("link_up"),
                ready: out("ready"),
                tx: ["tx_valid", "tx_first", "tx_last", "tx_bad"].map(out),
                tx_data: out("tx_data"),
                tx_ctl: out("tx_ctl"),
                flit: p.flit_bytes / 4,
                ctl: l.signal(Group::Output, "tx_ctl").stride(),
            },
            params: *p,
            grant: get("grant"),
            lost: get("lost"),
            read: get("read"),
            offer: get("offer"),
            turns: get("turns"),
            voq: get("voq") == 1,
            now: 0,
            ready: Readiness::new(get("ready"), "R1"),
            inputs: (0..p.ports).map(input).collect(),
            outputs: (0..p.ports).map(output).collect(),
            limited: vec![0; p.ports],
            went: vec![0; p.ports * p.vls * p.ports],
            waited: 0,
        }
    }

    // What leaves.

    /// A flit on the link of output `o`.
    fn leave(&mut self, o: usize, output: &[u32]) -> Result<(), Broken> {
        let [_, first, last, bad] = self.io.tx.map(|w| output[w + o] & 1 == 1);
        let data = &output[self.io.tx_data + o * self.io.flit..][..self.io.flit];
        match (&self.outputs[o].leaving, first) {
            (None, false) => {
                let text = format!("output {o}: a flit that is not first and belongs to no packet");
                return broken("framing", "B3", text);
            }
            (Some(l), true) => {
                let (i, id) = l.from[0];
                let text = format!(
                    "output {o}: a first flit after {} flits of {}",
                    l.flits.len(),
                    self.inputs[i].told(id)
                );
                return broken("framing", "B3", text);
            }
            (None, true) => self.begin(o, data)?,
            (Some(_), false) => {}
        }
        let data = if first { self.inputs[0].unmarked(data).0 } else { data.to_vec() };
        self.goes_on(o, Sent { first, last, bad, data })
    }

    /// The packet that a first flit begins.
    fn begin(&mut self, o: usize, data: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        let (class, n) = (self.inputs[0].class(data), Arrivals::length(data));
        self.outputs[o].sender.down.begin(class.vl, n, now)?;
        let (plain, marks) = self.inputs[0].unmarked(data);
        let mut from = Vec::new();
        let mut wrong: Option<(bool, Broken)> = None;
        for (i, input) in self.inputs.iter().enumerate() {
            match input.origin(o, class, &plain) {
                Origin::Packet { id, .. } => from.push((i, id)),
                // What was seen to come tells more than what was not.
                Origin::Wrong(came, b) if came || wrong.is_none() => wrong = Some((came, b)),
                Origin::Wrong(..) => {}
            }
        }
        if from.is_empty() {
            return wrong.map_or(Ok(()), |w| Err(w.1));
        }
        self.marked(o, &from, (class, n), (data, marks))?;
        let told = || self.inputs[from[0].0].told(from[0].1);
        self.outputs[o].sender.obeys(class, now, &told)?;
        if from.len() > 1 {
            from.iter().for_each(|&(i, id)| self.inputs[i].doubt(id));
        }
        self.outputs[o].leaving = Some(Leaving { class, from: from.clone(), flits: Vec::new(), last: now });
        if let [(i, id)] = from[..] {
            self.commit(o, i, id)?;
        }
        Ok(())
    }

    /// It is this packet.
    fn commit(&mut self, o: usize, i: usize, id: usize) -> Result<(), Broken> {
        let Some(l) = &self.outputs[o].leaving else { return Ok(()) };
        let (class, first) = (l.class, l.flits.first().map(|f| f.data.clone()));
        let plain = first.unwrap_or_else(|| self.inputs[i].packets.get(id).words[..self.io.flit].to_vec());
        match self.inputs[i].origin(o, class, &plain) {
            Origin::Packet { id: found, gone } if found == id => {
                self.inputs[i].begin(o, id, &gone);
                self.inputs[i].drawn(o, id)?;
            }
            Origin::Packet { .. } => {}
            Origin::Wrong(_, wrong) => return Err(wrong),
        }
        for flit in &self.outputs[o].leaving.as_ref().map_or(Vec::new(), |l| l.flits.clone()) {
            self.inputs[i].leave(id, &flit.flit());
        }
        Ok(())
    }

    /// Marks that were set here, or not.
    fn marked(
        &mut self,
        o: usize,
        from: &[(usize, usize)],
        (class, n): (Class, usize),
        (data, marks): (&[u32], u32),
    ) -> Result<(), Broken> {
        let came = |bit: u32| move |p: &Packet| p.marks & bit != 0;
        let packets = || from.iter().map(|&(i, id)| self.inputs[i].packets.get(id));
        let told = || self.inputs[from[0].0].told(from[0].1);
        let wrong = |rules, what: &str, why: &str| {
            broken("mark", rules, format!("output {o}: {what} of {} {why}", told()))
        };
        for (bit, name) in [(FECN, "FECN"), (MB, "MB"), (VB, "VB")] {
            if marks & bit == 0 && self.judges(bit) && packets().all(came(bit)) {
                return wrong("M1", name, "is gone");
            }
        }
        let set = |bit: u32| marks & bit != 0 && !packets().any(came(bit));
        let (fecn, may) = (set(FECN), self.inputs[0].markable(data));
        // A queue of the output is behind where it was decided.
        let decided =
            if self.params.cioq { packets().map(|p| p.arrived).min().unwrap_or(0) } else { self.now };
        if self.params.markers {
            let by_buffer = || from.iter().map(|&(i, id)| self.inputs[i].buffer_marks(id));
            if set(MB) && !by_buffer().any(|t| t.may) {
                return wrong("VM1", "MB", "is set, and its buffer does not hold so much");
            }
            if marks & MB == 0 && by_buffer().all(|t| t.must) {
                return wrong("VM1", "MB", "is not set, and its buffer holds more");
            }
            let (on, least) = self.outputs[o].sender.validates(decided);
            if set(VB) {
                if !may || !on.may || marks & MB == 0 {
                    return wrong("VM2", "VB", "is set, which has no MB, or vb_en is 0");
                }
                if !self.params.cioq && self.waits_for(o, class.vl) <= u64::from(least) {
                    return wrong("VM2", "VB", "is set, and so much does not wait");
                }
            }
        }
        if self.marks_by_count(o, from) {
            if fecn && !may {
                return wrong("SM4", "FECN", "is set, which is a reply, has no BTH, or goes to many");
            }
            // What else marks it is not seen.
            return self.outputs[o].sender.marks((class.vl, n), (may, false), decided, &told);
        }
        self.outputs[o].sender.marks((class.vl, n), (may, fecn), decided, &told)
    }

    /// A mark that switches set here.
    fn judges(&self, bit: u32) -> bool {
        bit == FECN || self.params.markers
    }

    /// Flits that may be charged to an output and VL, at most, or may have been some cycles ago.
    fn waits_for(&self, o: usize, vl: usize) -> u64 {
        let here = |p: &&Packet| p.outs >> o & 1 == 1 && p.class.vl == vl;
        let of = |i: &Arrivals| {
            let all = i.packets.waiting.iter().map(|id| i.packets.get(*id));
            all.filter(here).map(|p| p.n as u64).sum::<u64>()
        };
        self.inputs.iter().map(of).sum::<u64>() + self.grant + self.params.mtu as u64
    }

    /// Packets may be marked as their input, or the output, counted them (SM3, SM4).
    fn marks_by_count(&self, o: usize, from: &[(usize, usize)]) -> bool {
        if !self.params.markers {
            return false;
        }
        let since = |(i, id): (usize, usize)| {
            let p = self.inputs[i].packets.get(id);
            if self.params.cioq { p.arrived } else { self.now }
        };
        from.iter().any(|&f| {
            let naive = self.inputs[f.0].register(Own::Ctrl);
            let naive = naive.told(since(f).saturating_sub(self.grant), |c| c >> 5 & 1 == 1);
            self.outputs[o].sender.counts(since(f)).may || naive.may && !self.params.isolation
        })
    }

    /// A flit of the packet that leaves.
    fn goes_on(&mut self, o: usize, sent: Sent) -> Result<(), Broken> {
        let now = self.now;
        let out = &mut self.outputs[o];
        let Some(l) = &mut out.leaving else { return Ok(()) };
        let alone = l.from.len() == 1;
        let flits: &[Sent] = &l.flits;
        // Those that are alike up to here; with several, none of them counts its flits.
        let suits = |&(i, id): &(usize, usize)| match alone {
            true => self.inputs[i].suits(o, id, self.inputs[i].packets.get(id).left, &sent.flit()),
            false => self.inputs[i].suits(o, id, flits.len(), &sent.flit()),
        };
        let results: Vec<_> = l.from.iter().map(suits).collect();
        if results.iter().all(Result::is_err) {
            return results.into_iter().next().unwrap_or(Ok(()));
        }
        let mut fine = results.iter().map(Result::is_ok);
        l.from.retain(|_| fine.next() == Some(true));
        let (vl, last) = (l.class.vl, sent.last);
        for &(i, _) in &l.from {
            self.went[(i * self.params.vls + vl) * self.params.ports + o] = now;
        }
        let whole = l.from[0];
        l.last = now;
        if alone {
            self.inputs[whole.0].leave(whole.1, &sent.flit());
        } else {
            l.flits.push(sent);
            if l.from.len() == 1 {
                self.commit(o, whole.0, whole.1)?;
                if let Some(l) = &mut self.outputs[o].leaving {
                    l.flits.clear();
                }
            }
            // Those that are alike to the end: which of them has left, credits will say.
        }
        let out = &mut self.outputs[o];
        out.flit = now;
        out.sender.down.send(vl, now)?;
        if last {
            out.leaving = None;
            out.packets += 1;
            out.turns[whole.0 * self.params.vls + vl] = None;
            if out.packets.is_multiple_of(TURN) {
                self.starves(o)?;
            }
        }
        Ok(())
    }

    // Nothing stands still for nothing.

    /// The first packet of an input for an output on a VL that must leave, if it is whole; since when it could go, and how many may be
    /// before it. (These, of which it is not known whether they are inside, leave as well.)
    fn head(&self, i: usize, o: usize, vl: usize) -> Option<(usize, u64, u64)> {
        let packets = &self.inputs[i].packets;
        let mut before = 0;
        for &id in &packets.waiting {
            let p = packets.get(id);
            if p.lost || self.voq && (p.class.vl != vl || p.outs >> o & 1 == 0) {
                continue;
            }
            // In one queue for all what is before it may wait for something else.
            if self.voq && (!p.sure && p.whole.is_some() || p.drawn.is_some()) {
                before += 1;
                continue;
            }
            let out = &self.outputs[o];
            let whole = p.whole.filter(|_| p.sure && p.class.vl == vl && p.outs == 1 << o)?;
            let clear = out.sender.stops.clear(self.now, self.grant)?;
            let down = &out.sender.down;
            let since = whole.max(down.open(vl)?).max(clear).max(down.up()?);
            return Some((id, since.max(self.alone(i, o, vl)?), before));
        }
        None
    }

    /// Since when nothing of its VL for another output can be what an input waits with, to let its oldest packet go first (AG2).
    fn alone(&self, i: usize, o: usize, vl: usize) -> Option<u64> {
        if self.limited[i] != self.now {
            return Some(self.limited[i]);
        }
        let packets = &self.inputs[i].packets;
        let mut all = packets.waiting.iter().map(|id| packets.get(*id)).filter(|p| p.class.vl == vl);
        if all.any(|p| p.outs != 1 << o) {
            return None;
        }
        let went = &self.went[(i * self.params.vls + vl) * self.params.ports..][..self.params.ports];
        went.iter().enumerate().filter(|w| w.0 != o).map(|w| *w.1).max().or(Some(0))
    }

    /// Packets at most that may go before one of a head's turn, by their age (AG1): what is here, or what comes until all are as old.
    fn older(&self, o: usize, since: u64) -> u64 {
        let p = &self.params;
        let by_age = self.outputs[o].sender.by_age(since).may;
        let all = ((p.ports * p.blocks) as u64).min(1 << p.stamp_w.saturating_sub(1));
        // (Before each of them 32 replies may go.)
        if by_age { 33 * all } else { 0 }
    }

    /// At output `o` others go, and go.
    fn starves(&mut self, o: usize) -> Result<(), Broken> {
        let count = self.outputs[o].packets;
        for q in 0..self.outputs[o].turns.len() {
            let (i, vl) = (q / self.params.vls, q % self.params.vls);
            let could = self.head(i, o, vl).map(|(id, since, before)| {
                let p = self.inputs[i].packets.get(id);
                ((id, p.arrived), since, before)
            });
            let mut most = self.turns * (1 + could.map_or(0, |c| c.2));
            let before =
                self.outputs[o].turns[q].filter(|t| could.is_some_and(|c| c.0 == t.head && c.1 <= t.at));
            let turn = could.map(|c| before.unwrap_or(Turn { head: c.0, at: self.now, since: count }));
            self.waited += u64::from(before.is_some());
            self.outputs[o].turns[q] = turn;
            if let Some(t) = turn {
                most += self.older(o, t.at);
            }
            if let Some(t) = turn
                && count - t.since > most
            {
                let text = format!(
                    "output {o}: {} could go while {} others went",
                    self.inputs[i].told(t.head.0),
                    count - t.since
                );
                return broken("starved", "A3", text);
            }
        }
        Ok(())
    }

    /// What may go by any of several outputs goes by one (UP1).
    fn drawn(&self) -> Result<(), Broken> {
        let (now, offer) = (self.now, self.offer);
        for (i, input) in self.inputs.iter().enumerate().filter(|_| self.voq) {
            let all = input.packets.waiting.iter().map(|id| (*id, input.packets.get(*id)));
            for (id, p) in all.filter(|(_, p)| p.drawn.is_some() && p.sure && !p.lost) {
                let Some(whole) = p.whole else { continue };
                let idle = |o: usize| {
                    let out = &self.outputs[o];
                    let since = out.sender.down.open(p.class.vl)?.max(out.sender.down.up()?).max(whole);
                    let since = since.max(out.sender.stops.clear(now, self.grant)?).max(out.flit);
                    let holds = self.inputs.iter().any(|i| i.holds(o));
                    (out.leaving.is_none() && !holds && now - since > offer).then_some(())
                };
                let all = |o: &usize| p.outs >> o & 1 == 1;
                let alone = self.limited[i] + offer < now;
                if alone && (0..self.params.ports).filter(all).all(|o| idle(o).is_some()) {
                    let text =
                        format!("no flit for {offer} cycles at any output that {} may go by", input.told(id));
                    return broken("hang", "A3 UP1", text);
                }
            }
        }
        Ok(())
    }

    /// Each output goes on with what it has begun, and begins what could go.
    fn moves(&mut self, o: usize) -> Result<(), Broken> {
        let out = &mut self.outputs[o];
        if let Some(l) = &mut out.leaving {
            if !l.from.iter().all(|&(i, id)| self.inputs[i].complete(id)) {
                l.last = self.now;
            }
            if self.now - l.last > self.read {
                let (i, id) = l.from[0];
                let text = format!(
                    "output {o}: no flit of {} for {} cycles",
                    self.inputs[i].told(id),
                    self.now - l.last
                );
                return broken("stuck", "B2", text);
            }
            return Ok(());
        }
        let last = out.flit;
        if self.now - last <= self.offer || self.now % LOOK != o as u64 % LOOK {
            return Ok(());
        }
        // What was lost with the link and still comes has the output until it is all there.
        if self.inputs.iter().any(|i| i.holds(o)) {
            self.outputs[o].flit = self.now;
            return Ok(());
        }
        for (i, vl) in (0..self.params.ports).flat_map(|i| (0..self.params.vls).map(move |v| (i, v))) {
            if let Some((id, since, _)) = self.head(i, o, vl)
                && self.now - since.max(last) > self.offer
            {
                let text = format!(
                    "output {o}: no flit for {} cycles, though {} waits, has credit and is not stopped",
                    self.now - last,
                    self.inputs[i].told(id)
                );
                return broken("hang", "A3", text);
            }
        }
        Ok(())
    }

    // What comes.

    fn comes(&mut self, p: usize, input: &[u32]) {
        let now = self.now;
        let io = &self.io;
        let control = io.rx_control(p, input, self.params.dlist);
        let [valid, first, last, bad] = io.rx.map(|w| input[w + p] & 1 == 1);
        let data = &input[io.rx_data + p * io.flit..][..io.flit];
        let link_up = input[io.link_up + p] & 1 == 1;
        let came =
            Came { link_up, flit: valid.then_some(Flit { first, last, bad, data }), fctbs: control.fctbs };
        self.inputs[p].receive(&came, now);
        for (o, out) in self.outputs.iter().enumerate() {
            if out.sender.has_just_fallen(now) {
                self.inputs[p].came_late(o, now);
            }
        }
        let out = &mut self.outputs[p];
        if !out.sender.hears(link_up, &control, now) {
            return;
        }
        let leaves = out.leaving.take().filter(|l| l.from.len() == 1).map(|l| l.from[0]);
        for (i, input) in self.inputs.iter_mut().enumerate() {
            input.fell(p, leaves.filter(|l| l.0 == i).map(|l| l.1));
        }
    }

    /// What is not on a link is not lost with it.
    fn loses(&self, o: usize) -> Result<(), Broken> {
        let lost: u64 = self.inputs.iter().map(|i| i.lost[o]).sum();
        let falls = self.outputs[o].sender.falls;
        if lost > self.lost * falls {
            let text = format!(
                "output {o}: {lost} packets were lost, beside those that were on its link, which fell {falls} times"
            );
            return broken("lost", "R1", text);
        }
        Ok(())
    }

    fn writes(&mut self, input: &[u32]) {
        let now = self.now;
        let [we, unit, port, number, data] = self.io.cfg.map(|w| input[w]);
        let lft = (input[self.io.lft[0]] & 1 == 1).then(|| (input[self.io.lft[1]], input[self.io.lft[2]]));
        for p in 0..self.params.ports {
            let here = we & 1 == 1 && (port == 255 || port as usize == p);
            self.inputs[p].writes((here && unit == 0).then_some((number, data)), lft, now);
            if here && unit == 1 {
                self.outputs[p].sender.writes(number, data, now);
            }
        }
    }
}

impl Scoreboard for Switch {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        if !self.ready.see(output[self.io.ready] & 1 == 1, now)? {
            self.inputs.iter_mut().for_each(|i| i.not_ready(now));
            self.outputs.iter_mut().for_each(|o| {
                o.sender.not_ready(now);
                o.flit = now;
            });
            self.now += 1;
            return Ok(());
        }
        let mut limits = Vec::with_capacity(self.params.ports);
        if self.params.stamp_w > 0 {
            let soon = now.saturating_sub(self.grant);
            for (input, last) in self.inputs.iter().zip(&mut self.limited) {
                if input.register(Own::Bypass).told(soon, |b| b > 0).may {
                    *last = now;
                }
            }
        }
        for o in 0..self.params.ports {
            let words = &output[self.io.tx_ctl + o * self.io.ctl..][..self.io.ctl];
            let control = Control::of(words, self.params.dlist);
            limits.push(control.fccl);
            // What shows while the link is down goes nowhere.
            if input[self.io.link_up + o] & 1 == 1 {
                self.outputs[o].sender.tells(control.fctbs, now)?;
                if output[self.io.tx[0] + o] & 1 == 1 {
                    self.leave(o, output)?;
                }
                self.moves(o)?;
            }
        }
        if self.params.random_up && now.is_multiple_of(LOOK) {
            self.drawn()?;
        }
        for (i, limit) in limits.into_iter().enumerate() {
            self.inputs[i].message(limit, now)?;
            self.loses(i)?;
        }
        for p in 0..self.params.ports {
            self.comes(p, input);
        }
        self.writes(input);
        self.now += 1;
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let io = &self.io;
        if output[io.ready] & 1 == 0 {
            output.fill(0);
        }
        for o in 0..self.params.ports {
            if output[io.tx[0] + o] & 1 == 0 {
                io.tx.iter().for_each(|w| output[w + o] = 0);
                output[io.tx_data + o * io.flit..][..io.flit].fill(0);
            }
            Control::meaningful(&mut output[io.tx_ctl + o * io.ctl..][..io.ctl]);
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        let mut counts = [0; COUNTED.len()];
        for input in &self.inputs {
            counts.iter_mut().zip(input.counts.all()).for_each(|(sum, n)| *sum += n);
        }
        let all_of = |n: fn(&Sender) -> u64| self.outputs.iter().map(|o| n(&o.sender)).sum();
        let [falls, sent, stopped, marks] =
            [all_of(|s| s.falls), all_of(|s| s.sent), all_of(|s| s.stopped), all_of(|s| s.marks)];
        let mut all = counted(&COUNTED, &counts);
        all.extend(counted(&[ROUTES], &[self.inputs[0].counts.routes]));
        let known = self.inputs.iter().map(|i| i.counts.known).sum();
        all.extend(counted(&COVER, &[known, falls, sent, stopped, marks, self.waited]));
        all
    }
}
