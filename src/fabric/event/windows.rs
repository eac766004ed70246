//! Windows and delays of flows whose packets are acknowledged: what a source response knows, and stages U0 to U2
//! (`docs/source-response.md` sections 1, 2 and 5).
//!
//! Times are not reduced to TS_W bits here, and packets are not counted modulo 512: a configuration of a network has windows of 255
//! packets at most. What ageing forgets is looked at only for flows that may have lost an ACK: no delay is longer than IRDMAX, so
//! an older time lets a packet pass as none does.

use super::credit::NEVER;
use super::packet::Lti;
use super::setup::{RESET, Unit};
use crate::fabric::setup::Write;
use crate::fabric::windowed::Windowed;
use crate::params::{Params, UnitKind};
use crate::scheme::rate::pause;
use crate::scheme::window::{Bounds, Held, Law, severity};

/// Entries of the waiting times.
const WAITS: usize = 16;

/// Registers of the source response, as the rules use them.
#[derive(Clone, Debug)]
struct Regs {
    enable: bool,
    from_ack: bool,
    by_rtt: bool,
    reset_empty: bool,
    windows: bool,
    bounds: Bounds,
    rtt_min: u32,
    sevmap: u32,
    link_interval: u32,
}

/// What is known of a flow from its ACKs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    acked: u64,
    /// What holds it back; `None`: it is fresh.
    made: Option<Held>,
    last_ack: Option<u64>,
}

/// An operation of the pipeline: an ACK with its bits, or the sweep's visit.
#[derive(Clone, Copy, Debug)]
struct Op {
    flow: usize,
    ack: Option<u32>,
}

/// Ageing: the flow that it looks at, and in its second cycle whether an LTI was written in the first.
#[derive(Clone, Copy, Debug, Default)]
struct Ageing {
    pointer: usize,
    second: Option<bool>,
}

impl Ageing {
    /// A cycle; `written`: an LTI is written in it. The flow that is judged.
    fn step(&mut self, flows: usize, written: bool) -> Option<usize> {
        let Some(before) = self.second.take() else {
            self.second = Some(written);
            return None;
        };
        if before || written {
            return None;
        }
        let at = self.pointer;
        self.pointer = (at + 1) % flows;
        Some(at)
    }

    /// So many cycles without a write.
    fn skip(&mut self, flows: usize, mut cycles: u64) {
        if cycles > 0 && self.second.is_some() {
            self.step(flows, false);
            cycles -= 1;
        }
        self.pointer = ((self.pointer as u64 + cycles / 2) % flows as u64) as usize;
        if cycles % 2 == 1 {
            self.step(flows, false);
        }
    }
}

/// Windows of all flows.
pub(super) struct Windows {
    regs: Regs,
    ird_max: u64,
    sl: Vec<u8>,
    waits: [u32; WAITS],
    words: Vec<Word>,
    /// Packets of each flow that were accepted, and the LTI of the latest.
    taken: Vec<u64>,
    latest: Vec<u64>,
    /// An ACK at the pins in the cycle of the next step; those under way in the pipeline.
    ack: Option<(usize, u32)>,
    u1: Option<Op>,
    u2: Option<Op>,
    sweep: usize,
    /// What stage U2 writes at the end of this cycle, and the flow that a post makes fresh.
    written: Option<(usize, Word)>,
    posted: Option<usize>,
    ageing: Ageing,
    /// No flow with packets outstanding has been silent for longer than IRDMAX before this cycle.
    silent: u64,
    /// Flows whose LTI ageing has forgotten, while there are silent ones.
    forgotten: Vec<usize>,
}

impl Windows {
    /// After the configuration phase: `start` is in cycles after reset.
    pub fn new(p: &Params, writes: &[Write], start: u64) -> Windows {
        let unit = Unit::of_adapter(writes, UnitKind::SourceResponse, 2);
        let value = |name: &str, reset: u32| unit.value(name, reset);
        let ctrl = value("CTRL", 0);
        let bit = |n: u32| ctrl >> n & 1 != 0;
        let wmax = value("WMAX", 1) & 0xff;
        let regs = Regs {
            enable: bit(0),
            from_ack: bit(5),
            by_rtt: bit(6),
            reset_empty: bit(7),
            windows: wmax > 0,
            bounds: Bounds {
                law: Law::of(ctrl >> 1 & 7),
                widest: wmax.max(1),
                moves: bit(4),
                g: (value("RMIN_EXP", 8) & 15).clamp(2, 8),
                steps: value("WS_STEPS", 3) & 15,
            },
            rtt_min: value("RTT_MIN", 1) & 0xffff,
            sevmap: value("SEVMAP", 0xaa00) & 0xffff,
            link_interval: (value("LINK_INTERVAL", 1) & 15).max(1),
        };
        let (mut sl, mut waits) = (vec![0; p.flows], [0; WAITS]);
        for w in writes {
            match *w {
                Write::Attr { flow, sl: of } => {
                    sl.get_mut(usize::from(flow)).into_iter().for_each(|s| *s = of);
                }
                Write::Wait { addr, data } => {
                    waits.get_mut(usize::from(addr)).into_iter().for_each(|w| *w = data);
                }
                _ => {}
            }
        }
        let mut u = Windows {
            regs,
            ird_max: 1 << (p.ts_w - 2),
            sl,
            waits,
            words: vec![Word { acked: 0, made: None, last_ack: None }; p.flows],
            taken: vec![0; p.flows],
            latest: vec![0; p.flows],
            ack: None,
            u1: None,
            u2: None,
            sweep: 0,
            written: None,
            posted: None,
            ageing: Ageing::default(),
            silent: NEVER,
            forgotten: Vec::new(),
        };
        let ready = p.init_cycles(UnitKind::SourceResponse) as u64;
        u.skip(RESET + ready, start - ready, None);
        u
    }

    /// SL of each flow.
    pub fn sls(&self) -> &[u8] {
        &self.sl
    }

    /// Windows and delays hold packets back.
    pub fn enabled(&self) -> bool {
        self.regs.enable
    }

    pub fn link_interval(&self) -> u32 {
        self.regs.link_interval
    }

    fn is_out(&self, flow: usize) -> bool {
        self.taken[flow] != self.words[flow].acked
    }

    /// The flows with packets outstanding.
    pub fn out(&self) -> impl Iterator<Item = usize> {
        (0..self.taken.len()).filter(|&f| self.is_out(f))
    }

    /// Flows that something holds back more than it does a fresh one.
    pub fn throttled(&self) -> usize {
        let fresh = self.regs.bounds.fresh();
        let held = |w: &&Word| self.held(w) != fresh;
        if self.regs.enable { self.words.iter().filter(held).count() } else { 0 }
    }

    /// What is held back of the flows with packets outstanding.
    pub fn held_back(&self) -> Windowed {
        let mut all = Windowed::default();
        let fresh = self.regs.bounds.fresh();
        for flow in self.out() {
            let held = self.held(&self.words[flow]);
            all.add(self.taken[flow] - self.words[flow].acked, held.window, held.slots);
            all.narrowed += u64::from(held.window < fresh.window);
            all.delayed += u64::from(held.slots > 0 || held.x > fresh.x);
        }
        all
    }

    fn held(&self, word: &Word) -> Held {
        let bounds = &self.regs.bounds;
        word.made.map_or_else(|| bounds.fresh(), |made| bounds.in_effect(&made))
    }

    /// An ACK of a flow at the pins in the cycle of the next step.
    pub fn acknowledge(&mut self, flow: usize, bits: u32) {
        self.ack = Some((flow, bits));
    }

    /// The host posts a packet into the flow's queue, which is empty. It matters in this cycle.
    pub fn post(&mut self, flow: usize) -> bool {
        let fresh = self.regs.reset_empty && self.regs.windows && !self.is_out(flow);
        let changes = fresh && self.words[flow].made.is_some();
        if changes {
            self.posted = Some(flow);
        }
        changes
    }

    /// A packet of the flow is accepted; it is seen from the next cycle on.
    pub fn accept(&mut self, flow: usize, lti: u64) {
        self.taken[flow] += 1;
        self.latest[flow] = lti;
        self.silent = self.silent.min(lti + self.ird_max + 1);
    }

    /// V1.
    pub fn word(&self, flow: usize) -> Word {
        self.words[flow]
    }

    /// From which cycle on a flow passes a pick, and a walk; [`NEVER`]: its window is closed.
    pub fn passes(&self, flow: usize, word: &Word, lti: Option<Lti>) -> (u64, u64) {
        let r = &self.regs;
        if !r.enable {
            return (0, 0);
        }
        let held = self.held(word);
        if r.windows && self.taken[flow] - word.acked >= held.window.into() {
            return (NEVER, NEVER);
        }
        let (raw, from_ack) = match r.bounds.law {
            Law::None => (0, true),
            Law::Slots => (u64::from(self.waits[held.slots as usize]), true),
            Law::Rate(_) => {
                let time = if r.by_rtt { r.rtt_min } else { lti.map_or(0, |l| l.len) * r.link_interval };
                (pause(held.x, time), r.from_ack)
            }
        };
        let gap = raw.min(self.ird_max);
        if gap == 0 {
            return (0, 0);
        }
        let soon = |at: u64| (at + gap).saturating_sub(3);
        match (from_ack, word.last_ack, lti) {
            (true, Some(at), _) => (at + gap + 1, soon(at)),
            (false, _, Some(l)) => (l.at + gap + 1, soon(l.at).max(l.sent + 1)),
            _ => (0, 0),
        }
    }

    /// Cycles from `from` on without an ACK, a post or a lost ACK; an LTI is written in cycle `write`.
    pub fn skip(&mut self, from: u64, gap: u64, write: Option<u64>) {
        let n = self.taken.len();
        let last = gap.min(2);
        self.sweep = ((self.sweep as u64 + (gap - last)) % n as u64) as usize;
        for _ in 0..last {
            self.u2 = self.u1;
            self.u1 = Some(self.visit());
        }
        match write.filter(|w| (from..from + gap).contains(w)) {
            Some(w) => {
                self.ageing.skip(n, w - from);
                self.ageing.step(n, true);
                self.ageing.skip(n, from + gap - w - 1);
            }
            None => self.ageing.skip(n, gap),
        }
    }

    fn visit(&mut self) -> Op {
        let flow = self.sweep;
        self.sweep = (flow + 1) % self.taken.len();
        Op { flow, ack: None }
    }

    /// Cycle `t` from its state alone: stages U2 and U0. `sending`: the flow whose packet is being sent.
    pub fn judge(&mut self, t: u64, sending: Option<usize>) {
        if t >= self.silent {
            let out = self.out().map(|f| self.latest[f] + self.ird_max + 1).min();
            self.silent = out.unwrap_or(NEVER);
            if t < self.silent {
                self.forgotten.clear();
            }
        }
        let op = self.u2.take();
        self.written = op.and_then(|op| Some((op.flow, self.update(t, op, sending)?)));
        self.u2 = self.u1.take();
        // A stray takes no slot.
        let ack = self.ack.take().filter(|&(flow, _)| self.is_out(flow));
        self.u1 = Some(match ack {
            Some((flow, bits)) => Op { flow, ack: Some(bits) },
            None => self.visit(),
        });
    }

    /// U2: what is written, if that changes anything.
    fn update(&self, t: u64, op: Op, sending: Option<usize>) -> Option<Word> {
        let (flow, old) = (op.flow, self.words[op.flow]);
        if !self.is_out(flow) {
            return None;
        }
        let Some(bits) = op.ack else {
            let lost = self.forgotten.contains(&flow) && sending != Some(flow);
            return lost.then(|| Word { acked: self.taken[flow], ..old });
        };
        let acked = old.acked + 1;
        match severity(self.regs.sevmap, bits).filter(|_| self.regs.enable) {
            None => Some(Word { acked, ..old }),
            Some(severity) => {
                let (made, _) = self.regs.bounds.acknowledged(&self.held(&old), severity);
                Some(Word { acked, made: Some(made), last_ack: Some(t) })
            }
        }
    }

    /// The end of cycle `t`. `written`: the flow whose LTI is written in it.
    pub fn step(&mut self, t: u64, written: Option<usize>) {
        if let Some((flow, word)) = self.written.take() {
            self.words[flow] = word;
        }
        if let Some(flow) = self.posted.take() {
            self.words[flow].made = None;
        }
        let looked = self.ageing.step(self.taken.len(), written.is_some());
        if t < self.silent {
            return;
        }
        if let Some(flow) = looked.filter(|&f| self.is_out(f) && t > self.latest[f] + self.ird_max) {
            self.forgotten.push(flow);
        }
        if let Some(flow) = written {
            self.forgotten.retain(|f| *f != flow);
        }
    }

    /// The next cycle, from `now` on, in which a flow may change.
    pub fn next(&self, now: u64) -> u64 {
        let under_way = |op: Option<Op>| op.is_some_and(|op| op.ack.is_some());
        if self.ack.is_some() || under_way(self.u1) || under_way(self.u2) {
            now
        } else {
            self.silent.max(now)
        }
    }
}
