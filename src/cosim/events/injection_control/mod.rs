//! What holds an adapter's best-effort headers back (`docs/injection-control.md`): it holds what the scheme says, and no more; it counts
//! for the side-band; and nothing is held for ever.

mod routers;
#[cfg(test)]
mod tests;
mod tuned;

use std::collections::VecDeque;

use crate::cosim::events::register::{Register, Told};
use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};
use routers::Routers;
use tuned::{Rules, Tuned};

/// Its tolerances.
pub(super) fn settings(p: &Params) -> Vec<Setting> {
    let s = Setting::new;
    vec![
        s("receive", 4, 0, "from a register written until it holds"),
        s("hold", 16, 0, "from what lanes or sums say until `be_hold` shows it"),
        s("edge", 2, 0, "by which an estimate may be seen longer, or shorter, before a sum"),
        s("look", p.vls as u64 + 3, 0, "for looking up the useful outputs of a header"),
        s("give", 16, 1, "from `gather` until the counts are given"),
        Setting::ready(UnitKind::InjectionControl, p),
    ]
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &["be_hold", "give_valid", "give_full", "give_flits"];

/// Offsets of the signals in the word vectors.
struct Io {
    cfg: [usize; 3],
    table: [usize; 3],
    be_front: usize,
    be_dlid: usize,
    tx: [usize; 3],
    dlv_valid: usize,
    link_free: usize,
    own_full: usize,
    owned: usize,
    full: usize,
    gather: usize,
    sum: [usize; 3],
    ready: usize,
    be_hold: usize,
    give: [usize; 3],
}

const NAMES: [&str; 9] = ["CTRL", "CHANNELS", "HOLD_MAX", "BE_MASK", "GATHER", "UP", "DOWN", "ALL", "T"];
const CTRL: usize = 0;
const CHANNELS: usize = 1;
const HOLD_MAX: usize = 2;
const BE_MASK: usize = 3;
const GATHER: usize = 4;
const UP: usize = 5;
const DOWN: usize = 6;
const ALL: usize = 7;
const T: usize = 8;

const ALO: u32 = 1;
const SELF_TUNED: u32 = 2;

/// What is counted, in the order of [`Control::cover`].
const COVER: [Point; 9] = [
    ("let", "YL1", "cycles in which ALO had to let a header go"),
    ("held", "YL1", "cycles in which ALO had to hold one"),
    ("tuned_let", "YS2", "cycles in which Self-Tuned had to let a header go"),
    ("tuned_held", "YS2", "cycles in which Self-Tuned had to hold one"),
    ("silent", "YS2", "of these, with a side-band that was silent"),
    ("overdue", "YL1", "cycles in which a header had been held for as long as may be"),
    ("given", "YS1", "counts that were given, as they are to be"),
    ("sums", "YS2", "sums that came"),
    ("periods", "YS3 YS4", "periods with a threshold that is known"),
];
const LET: usize = 0;
const TUNED_LET: usize = 2;
const SILENT: usize = 4;
const OVERDUE: usize = 5;
const GIVEN: usize = 6;

/// A header in front of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    dlid: u32,
    since: u64,
    /// None had been there for so long that nothing of it acts on.
    alone: bool,
}

/// The scoreboard.
pub(super) struct Control {
    io: Io,
    vls: usize,
    pv: usize,
    data: u32,
    late: u64,
    hold: u64,
    edge: u64,
    look: u64,
    give: u64,
    addresses: [u32; NAMES.len()],

    now: u64,
    ready: Readiness,
    registers: [Register; NAMES.len()],
    /// Until when a register that was written may not hold; that of Self-Tuned may not.
    unsure: u64,
    tuning: u64,
    /// The last sum, and the last that ended a period; writes that matter with each of these.
    heard: [Option<u64>; 2],
    written: [Option<u64>; 2],
    routers: Routers,
    tuned: Tuned,
    /// Headers in front.
    front: Vec<Option<Header>>,
    /// The last cycle in which one was.
    occupied: Vec<u64>,
    /// Cycles that they have been held; until when one that may be overdue may make that `be_hold` is off.
    held: Vec<u64>,
    spared: Vec<u64>,
    delivered: u32,
    /// Counts that are to be given: when they were asked for, full lanes (one of two), flits.
    due: VecDeque<(u64, [u32; 2], u32)>,
    counts: [u64; COVER.len()],
}

impl Control {
    pub fn new(p: &Params, settings: &Settings) -> Control {
        let l = Layout::new(UnitKind::InjectionControl, p);
        let input = |name: &str| l.input(name);
        let out = |name: &str| l.signal(Group::Output, name).offset;
        let get = |name| settings.get(name);
        let lanes = p.vls - 2;
        let (data, low) = ((1u32 << lanes) - 1, lanes - (lanes / 4).max(1));
        let resets = [4, (1 << p.ports) - 1, 65535, data >> low << low, 5, 15, 61, 1536, 15];
        Control {
            io: Io {
                cfg: ["cfg_we", "cfg_addr", "cfg_data"].map(input),
                table: ["use_we", "use_addr", "use_mask"].map(input),
                be_front: input("be_front"),
                be_dlid: input("be_dlid"),
                tx: ["tx_valid", "tx_vl", "tx_first"].map(input),
                dlv_valid: input("dlv_valid"),
                link_free: input("link_free"),
                own_full: input("own_full"),
                owned: input("owned"),
                full: input("full"),
                gather: input("gather"),
                sum: ["sum_valid", "sum_full", "sum_flits"].map(input),
                ready: out("ready"),
                be_hold: out("be_hold"),
                give: ["give_valid", "give_full", "give_flits"].map(out),
            },
            vls: p.vls,
            pv: p.ports * p.vls,
            data,
            late: get("receive"),
            hold: get("hold"),
            edge: get("edge"),
            look: get("look"),
            give: get("give"),
            addresses: NAMES.map(|name| addr(UnitKind::InjectionControl, name).into()),
            now: 0,
            ready: Readiness::new(get("ready"), "R1"),
            registers: resets.map(Register::new),
            unsure: 0,
            tuning: 0,
            heard: [None; 2],
            written: [None; 2],
            routers: Routers::new(p),
            tuned: Tuned::new(15, &Rules { gather: 5, up: 15, down: 61, all: 1536 }),
            front: vec![None; p.vls],
            occupied: vec![0; p.vls],
            held: vec![0; p.vls],
            spared: vec![0; p.vls],
            delivered: 0,
            due: VecDeque::new(),
            counts: [0; COVER.len()],
        }
    }

    fn rules(&self) -> Rules {
        let of = |at: usize| u64::from(self.registers[at].now);
        Rules { gather: self.registers[GATHER].now, up: of(UP), down: of(DOWN), all: of(ALL) }
    }

    fn told(&self, at: usize, is: impl Fn(u32) -> bool) -> Told {
        self.registers[at].told(self.now.saturating_sub(self.late + 1), is)
    }

    /// What is held of a lane, and may be, and must be.
    fn judge(&mut self, v: usize, holds: bool) -> Result<(), Broken> {
        let now = self.now;
        if holds && !self.told(BE_MASK, |m| m >> v & 1 == 1).may {
            return broken("class", "YW7", format!("lane {v}: be_hold, and it is not best-effort"));
        }
        if holds && self.told(CTRL, |c| c & 3 == 0 || c & 3 == 3).must {
            return broken("scheme", "YL1", format!("lane {v}: be_hold without a scheme"));
        }
        let Some(Header { dlid, since, alone }) = self.front[v] else { return Ok(()) };
        let late = self.late + self.hold;
        let (least, most) = self.longest();
        if most.is_some_and(|m| self.held[v] >= m + late) {
            self.counts[OVERDUE] += 1;
            if holds {
                let text = format!("lane {v}: a header has been held for {} cycles", self.held[v]);
                return broken("overdue", "YL1", text);
            }
        }
        if least.is_some_and(|l| self.held[v] + late >= l) {
            self.spared[v] = now + self.hold;
        }
        let overdue = now <= self.spared[v];
        let be = self.registers[BE_MASK].now >> v & 1 == 1;
        let scheme = self.registers[CTRL].now & 3;
        if now <= self.unsure || !be || !(scheme == ALO || scheme == SELF_TUNED) {
            return Ok(());
        }
        let (lets, must, why) = if scheme == ALO {
            let channels = self.registers[CHANNELS].now;
            // (Nobody's permission is left of before: until its outputs are known it is held.)
            let before = if alone { 0 } else { since };
            (
                self.routers.lets(dlid, since, channels, (self.look, self.hold), now),
                self.routers.holds(dlid, before, channels, self.hold, now),
                "lanes",
            )
        } else {
            let t = self.tuned.holds(self.hold, &self.rules());
            let silent = self.tuned.is_silent(&self.rules());
            if now <= self.tuning {
                return Ok(());
            }
            self.counts[SILENT] += u64::from(silent && !t.may);
            (!t.may, t.must, if silent { "side-band, which is silent," } else { "sums" })
        };
        let (first, rules) = if scheme == ALO { (LET, "YL1") } else { (TUNED_LET, "YS2 YS3") };
        self.counts[first] += u64::from(lets);
        self.counts[first + 1] += u64::from(must && !overdue);
        if lets && holds {
            let text = format!("lane {v}: a header to DLID {dlid:#x} is held, and by the {why} it is to go");
            return broken("refused", rules, text);
        }
        if must && !overdue && !holds {
            let text =
                format!("lane {v}: a header to DLID {dlid:#x} is not held, and by the {why} it is to be");
            return broken("passed", rules, text);
        }
        Ok(())
    }

    /// A cycle is so near that what is of it may come before or after what is of now.
    fn soon(&self, cycle: Option<u64>) -> bool {
        cycle.is_some_and(|c| self.now - c < self.late)
    }

    /// HOLD_MAX: the least and the most that it may be; `None`: no bound.
    fn longest(&self) -> (Option<u64>, Option<u64>) {
        let of = |v: u32| if v == 0 { u64::MAX } else { v.into() };
        let all = || self.registers[HOLD_MAX].since(self.now.saturating_sub(self.late + 1)).map(of);
        let bound = |v: Option<u64>| v.filter(|v| *v != u64::MAX);
        (bound(all().min()), bound(all().max()))
    }

    /// Counts for the side-band.
    fn gives(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        let [valid, full, flits] = self.io.give.map(|at| output[at]);
        if valid & 1 == 1 {
            let Some((_, f, n)) = self.due.pop_front() else {
                return broken("give", "YS1", "counts are given that nobody asked for".into());
            };
            if !f.contains(&full) || flits != n {
                let text =
                    format!("{full} full lanes and {flits} flits are given, and there were {} and {n}", f[0]);
                return broken("give", "YS1", text);
            }
            self.counts[GIVEN] += 1;
        } else if self.due.front().is_some_and(|d| d.0 + self.give < now) {
            let text = format!("the side-band asked, and no counts are given within {} cycles", self.give);
            return broken("give", "YS1", text);
        }
        self.delivered = (self.delivered + (input[self.io.dlv_valid] & 1)).min(65535);
        if input[self.io.gather] & 1 == 1 {
            let on = |at: usize, n: usize| input[at] >> n & 1;
            let lit = |at: usize, v: usize| on(at + v, 0) == 1;
            let held = |v: &usize| lit(self.io.be_front, *v) && output[self.io.be_hold + v] & 1 == 1;
            let own = (0..self.vls).filter(|v| lit(self.io.own_full, *v) && !held(v)).count();
            let router = (0..self.pv).filter(|v| lit(self.io.full, *v)).count();
            let counts = self.told(CTRL, |c| c >> 2 & 1 == 1);
            let of = |is: bool| (own + if is { router } else { 0 }) as u32;
            self.due.push_back((now, [counts.may, counts.must].map(of), std::mem::take(&mut self.delivered)));
        }
        Ok(())
    }

    /// What is in front of the lanes.
    fn headers(&mut self, input: &[u32], output: &[u32]) {
        let [valid, lane, first] = self.io.tx.map(|at| input[at]);
        for v in 0..self.vls {
            let dlid = input[self.io.be_dlid + v];
            if input[self.io.be_front + v] & 1 == 0 {
                (self.front[v], self.held[v]) = (None, 0);
                continue;
            }
            if self.front[v].is_none_or(|f| f.dlid != dlid) {
                let alone = self.now - self.occupied[v] > self.look + self.hold;
                self.front[v] = Some(Header { dlid, since: self.now, alone });
            }
            self.occupied[v] = self.now;
            if valid & first & 1 == 1 && lane as usize == v {
                self.held[v] = 0;
            } else if output[self.io.be_hold + v] & 1 == 1 {
                self.held[v] += 1;
            }
        }
    }

    /// Register and table writes.
    fn writes(&mut self, input: &[u32]) {
        let now = self.now;
        let [we, address, mask] = self.io.table.map(|at| input[at]);
        if we & 1 == 1 {
            self.routers.write(address, mask, now);
        }
        let [we, number, value] = self.io.cfg.map(|at| input[at]);
        let Some(at) = self.addresses.iter().position(|a| *a == number).filter(|_| we & 1 == 1) else {
            return;
        };
        let bits = match at {
            CTRL => 7,
            GATHER => 15,
            BE_MASK => self.data,
            ALL | T => 0xff_ffff,
            _ => 0xffff,
        };
        let value = value & bits;
        let other = self.registers[at].now != value;
        self.registers[at].write(value, now);
        match at {
            GATHER | UP | DOWN | ALL | T => {
                if !other && at != T {
                    return;
                }
                self.tuning = now + self.late + self.hold;
                if at == GATHER {
                    self.tuned.gathers();
                }
                if at == T {
                    self.tuned.set(value.into());
                }
                // (What matters as a period ends, and what matters with each sum.)
                let with = usize::from(matches!(at, UP | DOWN | ALL));
                self.written[with] = Some(now);
                if self.soon(self.heard[with]) {
                    self.tuned.doubt();
                }
            }
            _ => {
                self.unsure = now + self.late + self.hold;
                if at == BE_MASK && other {
                    self.routers.masked(now);
                }
            }
        }
    }
}

impl Scoreboard for Control {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        self.now += 1;
        if !self.ready.see(output[self.io.ready] & 1 == 1, self.now)? {
            // (What was before that does not count.)
            self.routers.masked(self.now);
            return Ok(());
        }
        for v in 0..self.vls {
            self.judge(v, output[self.io.be_hold + v] & 1 == 1)?;
        }
        self.gives(input, output)?;
        let now = self.now;
        let mask = self.registers[BE_MASK].now;
        let (owned, free) = (&input[self.io.owned..][..self.pv], &input[self.io.link_free..][..self.vls]);
        self.routers.see(owned, free, mask, now);
        let [valid, full, flits] = self.io.sum.map(|at| input[at]);
        let sum = (valid & 1 == 1).then_some((full.into(), flits.into()));
        let rules = self.rules();
        let ended = self.tuned.cycle(sum, self.edge, &rules);
        for at in [sum.is_some(), ended].into_iter().enumerate().filter_map(|(at, is)| is.then_some(at)) {
            self.heard[at] = Some(now);
            if self.soon(self.written[at]) {
                self.tuned.doubt();
            }
        }
        self.headers(input, output);
        self.writes(input);
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        if output[self.io.ready] & 1 == 0 {
            output.fill(0);
        }
        let [valid, full, flits] = self.io.give;
        if output[valid] & 1 == 0 {
            (output[full], output[flits]) = (0, 0);
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        let mut counts = self.counts;
        (counts[7], counts[8]) = (self.tuned.heard, self.tuned.tuned);
        counted(&COVER, &counts)
    }
}
