//! The wormhole router by its events (`docs/worm-router.md`): messages leave once, whole, where their routes say, in a lane of their own;
//! credits are kept on both sides of each link; classes and weights are as they should be; and nothing stands still for nothing.

mod home;
mod lane;
#[cfg(test)]
mod tests;
mod turns;
mod waits;

use std::collections::VecDeque;

use self::lane::{Flit, Lane, Late};
use self::turns::{BEST, CONTROL, REAL, REPLY, Turns};
use self::waits::Waits;
use crate::cosim::events::register::Register;
use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::events::worm::credits::Credits;
use crate::cosim::events::worm::header::{Header, Words};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};

/// Its tolerances; an error for a router that is not judged.
pub(super) fn settings(p: &Params) -> Result<Vec<Setting>, String> {
    if p.admit {
        return Err("a worm-router with ADMIT = 1 has no scoreboard of events".into());
    }
    let s = Setting::new;
    Ok(vec![
        s("receive", 16, 0, "for which a route or a register from before a write may hold"),
        s("credit", 64, 0, "after which the credit of a flit that has left must be given back"),
        s("early", 16, 0, "by which it may be given before the flit is seen to leave"),
        s("fall", 16, 0, "after a fall of its link in which a message may still leave, or go on"),
        s(
            "flight",
            8,
            2,
            "from the choice of a flit until it is on the link, and until a credit or a flit counts",
        ),
        // An allocator may walk over all lanes of all inputs.
        s(
            "idle",
            (p.ports * p.vls) as u64 + 64,
            1,
            "in which a flit could go and neither its input nor its output has one",
        ),
        s("turns", 4, 0, "flits more than weights, classes and LHP allow"),
        Setting::ready(UnitKind::WormRouter, p),
    ])
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] =
    &["tx_valid", "tx_vl", "tx_first", "tx_last", "tx_bad", "tx_data", "tx_credit"];

/// All ports of a register write.
const ALL: u32 = 255;

/// Offsets of the signals in the word vectors.
struct Io {
    cfg: [usize; 4],
    lft: [usize; 3],
    link_up: usize,
    rx: [usize; 5],
    rx_data: usize,
    rx_credit: usize,
    ready: usize,
    tx: [usize; 5],
    tx_data: usize,
    tx_credit: usize,
    rvalid: usize,
    rdata: usize,
}

/// Numbers of the registers.
struct Numbers {
    lhp: u32,
    be_mask: u32,
    weight_in: u32,
    weight_out: u32,
}

/// A flit of a port, and its lane.
fn flit(words: &[u32], at: [usize; 5], data: usize, p: usize) -> Option<(usize, Flit)> {
    let [valid, vl, first, last, bad] = at.map(|w| words[w + p]);
    let d = &words[data + 4 * p..][..4];
    let flit = Flit {
        first: first & 1 == 1,
        last: last & 1 == 1,
        bad: bad & 1 == 1,
        data: [d[0], d[1], d[2], d[3]],
    };
    (valid & 1 == 1).then_some((vl as usize & 15, flit))
}

/// Whose message an output's lane holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// Of input and lane.
    Lane(usize, usize),
    /// Not known.
    Loose,
}

/// A flit on a link.
#[derive(Clone, Copy, Debug)]
struct Gone {
    output: usize,
    lane: usize,
    /// Input and lane, if they are known.
    from: Option<(usize, usize)>,
}

/// Credits that a design has seen for sure.
#[derive(Clone, Debug)]
struct Spare {
    left: usize,
    /// Pulses that it need not have seen.
    young: VecDeque<u64>,
}

/// An output.
struct Output {
    credits: Credits,
    spare: Vec<Spare>,
    owners: Vec<Option<Owner>>,
    turns: Turns,
    waits: Waits,
    lhp: u64,
    /// A flit is on the link in this cycle.
    sends: bool,
}

/// An input.
struct Input {
    lanes: Vec<Lane>,
    turns: Turns,
    /// The last cycle in which each lane had something.
    busy: Vec<u64>,
    up: bool,
    /// A flit of it is on a link in this cycle.
    sends: bool,
}

/// What is counted, in the order of [`Router::cover`].
const COVER: [Point; 9] = [
    ("flits", "YW1", "flits that left"),
    ("messages", "YW1", "messages that left"),
    (
        "loose",
        "YW1",
        "messages that left and were not judged: a flit came without credit on a lane that may be theirs",
    ),
    ("cut", "F1", "messages that ended with a made tail"),
    ("falls", "F1", "links that fell"),
    ("routes", "R1", "routes written"),
    ("output turns", "YW5 YW6", "flits judged by weights and classes of an output"),
    ("input turns", "YW5", "flits judged by weights of an input"),
    ("idle", "YW4 YW5", "idle cycles in which something could go"),
];

/// The scoreboard.
pub(super) struct Router {
    io: Io,
    numbers: Numbers,
    ports: usize,
    vls: usize,
    depth: usize,
    late: Late,
    flight: u64,

    now: u64,
    ready: Readiness,
    routes: Vec<Register>,
    be_mask: Register,
    /// The last write of a register that says who goes.
    written: u64,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    /// A flit of an unknown input is on a link in this cycle.
    unknown: bool,
    /// Flits on links in this cycle.
    gone: Vec<Gone>,
    counts: [u64; 9],
}

impl Router {
    pub fn new(p: &Params, settings: &Settings) -> Router {
        let l = Layout::new(UnitKind::WormRouter, p);
        let out = |name| l.signal(Group::Output, name).offset;
        let number = |name| u32::from(addr(UnitKind::WormRouter, name));
        let get = |name| settings.get(name);
        let data = (1u32 << (p.vls - 2)) - 1;
        // The highest quarter of the data lanes, one at least.
        let best = ((p.vls - 2) / 4).max(1);
        let more = get("turns");
        let input = |_| Input {
            lanes: vec![Lane::default(); p.vls],
            turns: Turns::new(p.vls, more),
            busy: vec![0; p.vls],
            up: true,
            sends: false,
        };
        let output = |o| Output {
            credits: Credits::new(format!("output {o}"), p.vls, p.depth),
            spare: vec![Spare { left: p.depth, young: VecDeque::new() }; p.vls],
            owners: vec![None; p.vls],
            turns: Turns::new(p.vls, more),
            waits: Waits::new(p.vls, get("idle")),
            lhp: 64,
            sends: false,
        };
        Router {
            io: Io {
                cfg: ["cfg_we", "cfg_port", "cfg_addr", "cfg_data"].map(|n| l.input(n)),
                lft: ["lft_we", "lft_addr", "lft_port"].map(|n| l.input(n)),
                link_up: l.input("link_up"),
                rx: ["rx_valid", "rx_vl", "rx_first", "rx_last", "rx_bad"].map(|n| l.input(n)),
                rx_data: l.input("rx_data"),
                rx_credit: l.input("rx_credit"),
                ready: out("ready"),
                tx: ["tx_valid", "tx_vl", "tx_first", "tx_last", "tx_bad"].map(out),
                tx_data: out("tx_data"),
                tx_credit: out("tx_credit"),
                rvalid: out("cfg_rvalid"),
                rdata: out("cfg_rdata"),
            },
            numbers: Numbers {
                lhp: number("LHP"),
                be_mask: number("BE_MASK"),
                weight_in: number("WEIGHT_IN0"),
                weight_out: number("WEIGHT_OUT0"),
            },
            ports: p.ports,
            vls: p.vls,
            depth: p.depth,
            late: Late {
                receive: get("receive"),
                credit: get("credit"),
                early: get("early"),
                fall: get("fall"),
            },
            flight: get("flight"),
            now: 0,
            ready: Readiness::new(get("ready"), "R1"),
            routes: vec![Register::new(ALL); p.lft_depth],
            be_mask: Register::new(data & !(data >> best)),
            written: 0,
            inputs: (0..p.ports).map(input).collect(),
            outputs: (0..p.ports).map(output).collect(),
            unknown: false,
            gone: Vec::new(),
            counts: [0; 9],
        }
    }

    // Registers and routes.

    fn configure(&mut self, input: &[u32]) {
        let now = self.now;
        let [write, port, number, data] = self.io.cfg.map(|w| input[w]);
        if write & 1 == 1 && (port == ALL || (port as usize) < self.ports) {
            let n = &self.numbers;
            let lane = |first: u32| number.checked_sub(first).map(|v| v as usize).filter(|v| *v < self.vls);
            let (w_in, w_out) = (lane(n.weight_in), lane(n.weight_out));
            let here = |p: usize| port == ALL || port as usize == p;
            if number == n.be_mask {
                self.be_mask.write(data & ((1 << (self.vls - 2)) - 1), now);
                self.written = now;
            }
            for p in (0..self.ports).filter(|p| here(*p)) {
                if number == n.lhp {
                    self.outputs[p].lhp = u64::from(data & 0xff);
                } else if let Some(v) = w_in {
                    self.inputs[p].turns.weights.write(v, data);
                } else if let Some(u) = w_out {
                    self.outputs[p].turns.weights.write(u, data);
                } else {
                    continue;
                }
                self.written = now;
            }
        }
        let [write, dlid, port] = self.io.lft.map(|w| input[w]);
        if write & 1 == 1
            && let Some(route) = self.routes.get_mut(dlid as usize)
        {
            route.write(port & 0xff, now);
            self.counts[5] += 1;
            let out = Some(port & 0xff).filter(|o| (*o as usize) < self.ports);
            let receive = self.late.receive;
            let lanes = self.inputs.iter_mut().flat_map(|i| &mut i.lanes);
            lanes.for_each(|l| l.rerouted(dlid, out, now, receive));
        }
    }

    /// The route of a header that comes now: DLID, outputs, and whether it may be none.
    fn route(&self, header: Words) -> (u32, u32, bool) {
        let dlid = Header::of(header).dlid;
        let Some(route) = self.routes.get(dlid as usize) else { return (dlid, 0, true) };
        let (mut outs, mut none) = (0, false);
        for port in route.since(self.now.saturating_sub(self.late.receive)) {
            if (port as usize) < self.ports {
                outs |= 1 << port;
            } else {
                none = true;
            }
        }
        (dlid, outs, none)
    }

    fn class(&self, v: usize) -> u8 {
        match v {
            _ if v == self.vls - 2 => REPLY,
            _ if v == self.vls - 1 => CONTROL,
            _ if self.be_mask.now >> v & 1 == 1 => BEST,
            _ => REAL,
        }
    }

    /// A message of lane `v` may have lane `u` of its output, by what BE_MASK was since a cycle.
    fn allowed(&self, v: usize, u: usize, since: u64) -> bool {
        let from = since.saturating_sub(self.late.receive);
        self.be_mask.since(from).any(|m| if m >> v & 1 == 1 { m >> u & 1 == 1 } else { u == v })
    }

    // What leaves.

    fn leave(&mut self, o: usize, u: usize, flit: &Flit, up: bool) -> Result<(), Broken> {
        let now = self.now;
        if u >= self.vls {
            return broken("lane", "YW4", format!("output {o}: a flit on lane {u}, which is not there"));
        }
        self.outputs[o].sends = true;
        self.counts[0] += 1;
        if up {
            self.outputs[o].credits.sends(u, now)?;
            let spare = &mut self.outputs[o].spare[u];
            // It may have gone by a pulse that came just now.
            if spare.left > 0 {
                spare.left -= 1;
            } else {
                spare.young.pop_front();
            }
        }
        match (self.outputs[o].owners[u], flit.first) {
            (None, false) => {
                let text =
                    format!("output {o}, lane {u}: a flit that is not first and belongs to no message");
                return broken("framing", "YW4", text);
            }
            (Some(_), true) => {
                let text = format!("output {o}, lane {u}: a header before the tail of the message before");
                return broken("framing", "YW4", text);
            }
            (None, true) => self.begin(o, u, flit)?,
            _ => {}
        }
        let group = |router: &Router, v| if router.class(v) == BEST { router.vls } else { v };
        let Some(Owner::Lane(i, v)) = self.outputs[o].owners[u] else {
            self.unknown = true;
            self.gone.push(Gone { output: o, lane: u, from: None });
            if flit.last {
                self.outputs[o].owners[u] = None;
                self.counts[2] += 1;
            }
            for g in [u, self.vls] {
                self.outputs[o].waits.goes(u, flit.first.then_some(g));
            }
            return Ok(());
        };
        let g = flit.first.then(|| group(self, v));
        self.outputs[o].waits.goes(u, g);
        let lane = &mut self.inputs[i].lanes[v];
        if lane.loose {
            if flit.last {
                self.outputs[o].owners[u] = None;
                self.counts[2] += 1;
            }
        } else {
            let cut = lane.queue.front().is_some_and(|m| m.cut.is_some());
            let ended = lane.leave(flit, now, &self.late).map_err(|b| Broken {
                text: format!("output {o}, lane {u}, from input {i}, lane {v}: {}", b.text),
                ..b
            })?;
            if ended {
                self.outputs[o].owners[u] = None;
                self.counts[1] += 1;
                self.counts[3] += u64::from(cut && flit.bad);
            }
        }
        self.inputs[i].sends = true;
        self.gone.push(Gone { output: o, lane: u, from: Some((i, v)) });
        Ok(())
    }

    /// Flits of this cycle by weights and classes.
    fn turns(&mut self) -> Result<(), Broken> {
        let gone = std::mem::take(&mut self.gone);
        // What waits for an output beside others' flits has not lost at its input; of what is not known nobody's turn is either.
        for &Gone { output: o, from, .. } in &gone {
            if from.is_none() {
                self.outputs[o].turns.forget();
            }
            for owner in &self.outputs[o].owners {
                if let Some(Owner::Lane(i, v)) = *owner
                    && from.is_none_or(|(sender, _)| sender != i)
                {
                    self.inputs[i].turns.can(v, None);
                }
            }
        }
        let port = |b: Broken, side, p| Broken { text: format!("{side} {p}: {}", b.text), ..b };
        for Gone { output: o, lane: u, from } in gone {
            let Some((i, v)) = from else { continue };
            let class = self.class(v);
            let lhp = self.outputs[o].lhp;
            self.outputs[o].turns.goes(u, class, Some(lhp)).map_err(|b| port(b, "output", o))?;
            self.inputs[i].turns.goes(v, class, None).map_err(|b| port(b, "input", i))?;
        }
        Ok(())
    }

    /// The message that a header begins.
    fn begin(&mut self, o: usize, u: usize, flit: &Flit) -> Result<(), Broken> {
        let now = self.now;
        let mut found = Vec::new();
        let mut loose = false;
        for (i, input) in self.inputs.iter().enumerate() {
            for (v, lane) in input.lanes.iter().enumerate() {
                let begins = lane.begins(&flit.data, o).filter(|_| !lane.loose);
                match begins.filter(|k| self.allowed(v, u, lane.queue[*k].at)) {
                    Some(k) => found.push((i, v, k)),
                    None => {
                        loose |=
                            lane.loose || lane.vague && lane.fell.is_some_and(|at| now <= at + self.late.fall)
                    }
                }
            }
        }
        match found[..] {
            [(i, v, k)] => {
                self.inputs[i].lanes[v].begin(k, now, &self.late);
                self.outputs[o].owners[u] = Some(Owner::Lane(i, v));
            }
            [] if !loose => return self.wrong(o, u, flit),
            _ => {
                // Alike: which of them it is is not known.
                found.iter().for_each(|&(i, v, _)| self.inputs[i].lanes[v].loose = true);
                self.outputs[o].owners[u] = Some(Owner::Loose);
            }
        }
        Ok(())
    }

    /// What is wrong with a header that no message begins with.
    fn wrong(&self, o: usize, u: usize, flit: &Flit) -> Result<(), Broken> {
        let place = format!("output {o}, lane {u}");
        let data = Header::of(flit.data);
        let mut told = (
            "stranger",
            "YW1",
            format!("{place}: a header (DLID {}) that did not come, or has left", data.dlid),
        );
        for (i, input) in self.inputs.iter().enumerate() {
            for (v, lane) in input.lanes.iter().enumerate() {
                let Some(m) = lane.queue.iter().find(|m| m.header == flit.data && !m.begun) else { continue };
                let whose = format!("{place}: the message of input {i}, lane {v} (cycle {})", m.at);
                if m.outs >> o & 1 == 0 {
                    told = ("output", "R1", format!("{whose} leaves here, and has another route"));
                } else if lane.begins(&flit.data, o).is_none() {
                    told = ("order", "YW2", format!("{whose} leaves before another one of its lane"));
                } else {
                    told = ("lane", "YW4", format!("{whose} may not have this lane"));
                }
            }
        }
        broken(told.0, told.1, told.2)
    }

    // Links.

    fn links(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        for p in 0..self.ports {
            let up = input[self.io.link_up + p] & 1 == 1;
            let out = &mut self.outputs[p];
            out.credits.link(up, now);
            for v in 0..self.vls {
                let at = p * self.vls + v;
                let spare = &mut out.spare[v];
                if !up {
                    *spare = Spare { left: self.depth, young: VecDeque::new() };
                    continue;
                }
                while spare.young.front().is_some_and(|at| at + self.flight < now) {
                    spare.young.pop_front();
                    spare.left += 1;
                }
                if input[self.io.rx_credit + at] & 1 == 1 {
                    out.credits.comes(v, now);
                    // One too many is ignored.
                    if spare.left + spare.young.len() < self.depth {
                        spare.young.push_back(now);
                    }
                }
                if output[self.io.tx_credit + at] & 1 == 1 {
                    self.inputs[p].lanes[v]
                        .pulse(now)
                        .map_err(|b| Broken { text: format!("input {p}, lane {v}: {}", b.text), ..b })?;
                }
            }
            if !up && self.inputs[p].up {
                self.fall(p);
            }
            self.inputs[p].up = up;
            if !up {
                continue;
            }
            if let Some((v, flit)) = flit(input, self.io.rx, self.io.rx_data, p)
                && v < self.vls
            {
                let route = self.route(flit.data);
                self.inputs[p].lanes[v].arrive(flit, self.depth, now, &self.late, route);
            }
        }
        Ok(())
    }

    fn fall(&mut self, p: usize) {
        self.counts[4] += 1;
        for (v, lane) in self.inputs[p].lanes.iter_mut().enumerate() {
            if lane.loose {
                let owners = self.outputs.iter_mut().flat_map(|o| &mut o.owners);
                owners.filter(|o| **o == Some(Owner::Lane(p, v))).for_each(|o| *o = Some(Owner::Loose));
            }
            lane.fall(self.now);
        }
    }

    // Who could go.

    fn look(&mut self) -> Result<(), Broken> {
        let now = self.now;
        for (i, input) in self.inputs.iter_mut().enumerate() {
            for (v, lane) in input.lanes.iter_mut().enumerate() {
                lane.settle(now, &self.late)
                    .map_err(|b| Broken { text: format!("input {i}, lane {v}: {}", b.text), ..b })?;
                if lane.loose || lane.vague || !lane.queue.is_empty() {
                    input.busy[v] = now;
                }
            }
        }
        let still = self.still();
        let before = now.saturating_sub(self.flight);
        let settled = now > self.written + self.late.receive;
        let mut classes = vec![None; self.ports * self.vls];
        for o in 0..self.ports {
            let up = self.outputs[o].credits.up().is_some_and(|at| at < before);
            for u in 0..self.vls {
                let owner = self.outputs[o].owners[u];
                let Some(Owner::Lane(i, v)) = owner else {
                    self.outputs[o].turns.can(u, None);
                    continue;
                };
                let can = up
                    && self.outputs[o].spare[u].left > 0
                    && self.inputs[i].lanes[v].can(before, &self.late);
                let class = Some(self.class(v)).filter(|_| can && settled);
                let busy = |w: usize| w != v && self.inputs[i].busy[w] >= before;
                let alone = !(0..self.vls).any(busy);
                self.outputs[o].turns.can(u, class.filter(|_| alone));
                // What may lose at its output is not judged at its input. (A design may choose by outputs first, and the output have chosen
                // another one, which then has not gone.)
                classes[i * self.vls + v] = class.filter(|_| !self.is_contested(o, (i, v)));
                if can && !self.outputs[o].sends && still >> i & 1 == 1 {
                    self.counts[8] += 1;
                    let told = || format!("output {o}: the message of input {i}, lane {v},");
                    self.outputs[o].waits.lane(u, &told)?;
                }
            }
        }
        for (r, class) in classes.into_iter().enumerate() {
            self.inputs[r / self.vls].turns.can(r % self.vls, class);
        }
        self.headers(before, settled, still)
    }

    /// Whether any lane but one may have a flit that can go to an output.
    fn is_contested(&self, o: usize, but: (usize, usize)) -> bool {
        let out = &self.outputs[o];
        let open = |u: usize| out.credits.open(u).is_some();
        let goes_on = |(u, owner): (usize, &Option<Owner>)| match *owner {
            Some(Owner::Lane(i, v)) => (i, v) != but && open(u) && self.inputs[i].lanes[v].goes_on(),
            Some(Owner::Loose) => open(u),
            None => false,
        };
        let free = |u: usize| out.owners[u].is_none() && open(u);
        let begins = |i: usize, v: usize| {
            let lane = |since| (0..self.vls).any(|u| free(u) && self.allowed(v, u, since));
            (i, v) != but && self.inputs[i].lanes[v].may_begin(o).is_some_and(lane)
        };
        out.owners.iter().enumerate().any(goes_on)
            || (0..self.ports).any(|i| (0..self.vls).any(|v| begins(i, v)))
    }

    /// Inputs that send nothing, nor does any output that they have something for: what they could send has lost to nobody.
    fn still(&self) -> u32 {
        let busy = self.outputs.iter().rev().fold(0u32, |s, o| s << 1 | u32::from(o.sends));
        let is = |input: &Input| {
            let outs = |l: &Lane| if l.loose || l.vague { u32::MAX } else { l.outs() };
            !self.unknown && !input.sends && input.lanes.iter().map(outs).all(|outs| outs & busy == 0)
        };
        self.inputs.iter().rev().fold(0, |s, i| s << 1 | u32::from(is(i)))
    }

    /// Headers that could begin.
    fn headers(&mut self, before: u64, settled: bool, still: u32) -> Result<(), Broken> {
        let groups = self.vls + 1;
        // Of each output and group: inputs with a header that waits, or that may; and one that does.
        let mut inputs = vec![0u32; self.ports * groups];
        let mut first = vec![None; self.ports * groups];
        for (i, input) in self.inputs.iter().enumerate() {
            for (v, lane) in input.lanes.iter().enumerate() {
                let group = if self.class(v) == BEST { self.vls } else { v };
                let front = lane.queue.front();
                let any = lane.loose || lane.vague;
                if front.is_none() && !any {
                    continue;
                }
                // What may be gone may have another one behind it; before BE_MASK was written it may have got any lane.
                let every = any || front.is_some_and(|m| m.none || m.cut.is_some());
                let since = front.map_or(0, |m| m.at).saturating_sub(self.late.receive);
                let one = !any && self.be_mask.sure(since).is_some();
                for o in 0..self.ports {
                    if every || front.is_some_and(|m| !m.begun && m.outs >> o & 1 == 1) {
                        let of = if one { group..group + 1 } else { 0..groups };
                        of.for_each(|g| inputs[o * groups + g] |= 1 << i);
                    }
                }
                // It may wait in a lane that it got when it was of another class, and without credit there.
                if let Some(o) = lane.waits(before).and_then(|m| m.out()).filter(|_| one) {
                    first[o * groups + group].get_or_insert((i, v));
                }
            }
        }
        for o in 0..self.ports {
            let out = &mut self.outputs[o];
            let up = out.credits.up().is_some_and(|at| at < before);
            for g in 0..groups {
                let Some((i, v)) = first[o * groups + g] else {
                    out.waits.none(g);
                    continue;
                };
                let mask = if g == self.vls { self.be_mask.now } else { 1 << g };
                let mut free =
                    (0..self.vls).filter(|u| mask >> u & 1 == 1 && out.owners[*u].is_none()).peekable();
                let lane = free.peek().is_some() && free.all(|u| out.spare[u].left > 0);
                let idle = !out.sends && inputs[o * groups + g] & !still == 0;
                if up && settled && lane && idle {
                    self.counts[8] += 1;
                    let told = || format!("output {o}: a message of input {i}, lane {v},");
                    out.waits.group(g, &told)?;
                }
            }
        }
        Ok(())
    }
}

impl Scoreboard for Router {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        self.now += 1;
        if !self.ready.see(output[self.io.ready] & 1 == 1, self.now)? {
            return Ok(());
        }
        self.unknown = false;
        self.inputs.iter_mut().for_each(|i| i.sends = false);
        self.outputs.iter_mut().for_each(|o| o.sends = false);
        for o in 0..self.ports {
            if let Some((u, flit)) = flit(output, self.io.tx, self.io.tx_data, o) {
                self.leave(o, u, &flit, input[self.io.link_up + o] & 1 == 1)?;
            }
        }
        self.turns()?;
        self.configure(input);
        self.links(input, output)?;
        self.look()
    }

    fn meaningful(&self, output: &mut [u32]) {
        for o in (0..self.ports).filter(|o| output[self.io.tx[0] + o] & 1 == 0).collect::<Vec<_>>() {
            self.io.tx.iter().for_each(|w| output[w + o] = 0);
            output[self.io.tx_data + 4 * o..][..4].fill(0);
        }
        if output[self.io.rvalid] & 1 == 0 {
            output[self.io.rdata] = 0;
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        let mut counts = self.counts;
        counts[6] = self.outputs.iter().map(|o| o.turns.judged).sum();
        counts[7] = self.inputs.iter().map(|i| i.turns.judged).sum();
        counted(&COVER, &counts)
    }
}
