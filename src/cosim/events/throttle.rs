//! The throttle by its events (H3 to H8 of `docs/hca-throttle.md`): an offer only to a flow that wants and may, not before the delay of
//! its index is over, standing until it is taken or the flow may no more; and a flow that could go has its turn.

use std::collections::VecDeque;

use super::index::{Index, Rules, Time};
use super::offers::{Gates, NEVER};
use super::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use super::settings::{Setting, Settings};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};

/// Its tolerances.
pub(super) fn settings(p: &Params) -> Vec<Setting> {
    let entities = p.entities() as u64;
    let s = Setting::new;
    vec![
        s("becn", 16, 0, "from a BECN, or a write to a register or a table, until offers show it"),
        s(
            "expiry",
            3 * entities + 32,
            0,
            "by which an expiry may be late, without those in which a BECN comes",
        ),
        s("withdraw", 8, 0, "for which an offer may stand when its flow may no more"),
        s("offer", 4 * entities + 64, 1, "without an offer although a flow could go"),
        s(
            "turns",
            2 * (p.throttle_lanes() * p.flows) as u64 + 16,
            1,
            "(packets, not cycles) of others while a flow could go",
        ),
        s(
            "pick",
            entities + 16,
            0,
            "without an offer, for each offer to another flow, while a flow could go",
        ),
        Setting::ready(UnitKind::HcaThrottle, p),
    ]
}

/// Offsets of the signals in the word vectors.
struct Io {
    cfg: [usize; 3],
    cct: [usize; 3],
    attr: [usize; 3],
    becn: [usize; 2],
    req: usize,
    stop: usize,
    sl_ok: usize,
    inj_ready: usize,
    inj_len: usize,
    sent: usize,
    ready: usize,
    inj_valid: usize,
    inj_flow: usize,
    inj_sl: usize,
}

/// The registers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Registers {
    ctrl: u32,
    increase: u32,
    limit: u32,
    min: u32,
    timer: u32,
    tick: u32,
    interval: u32,
}

/// What owns an index and a time.
struct Entity {
    index: Index,
    /// The last BECN, and the least value before those of the last few cycles.
    becn: u64,
    before: u32,
    /// Its last packet.
    last: Last,
}

/// The last packet of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// It had none.
    Never,
    /// When it left, and its length.
    Left(u64, u64),
    /// It is not known whose a packet was: one of this one's left in this cycle at the latest.
    Unknown(u64),
}

/// The packet that is being sent.
struct Sending {
    entity: usize,
    length: u64,
    /// The link is not done with it before this cycle.
    until: u64,
}

/// What is seen in a cycle of a throttle inside an adapter.
pub(super) struct Inside<'a> {
    /// Flows that have a packet and may go, words.
    pub wants: &'a [u32],
    /// SLs with room.
    pub open: u32,
    /// Nobody has to be chosen.
    pub busy: bool,
    /// A packet begins: flow, SL, flits.
    pub begins: Option<(usize, u32, u32)>,
    /// Nothing that is not seen went before it since its flow's last packet.
    pub judged: bool,
    /// When it was chosen at the earliest, and how many cycles before this one its turn came at most.
    pub since: u64,
    pub slack: u64,
    /// Others may be chosen that are not seen.
    pub unseen: bool,
    /// The last flit of a packet goes.
    pub sent: bool,
    /// BECNs for flows; false: it may be none.
    pub becns: &'a [(usize, bool)],
    /// Registers, table, SLs.
    pub writes: [Option<(u32, u32)>; 3],
}

/// A flow that could go when it was looked at.
#[derive(Clone, Copy)]
struct Waiting {
    flow: usize,
    /// The largest index then.
    high: u32,
}

/// A flow that could go, and does not yet.
#[derive(Clone, Copy)]
struct Wait {
    waiting: Waiting,
    /// Since when, and the cycles without an offer and the offers that there had been by then.
    from: u64,
    idle: u64,
    offers: u64,
}

/// Names of what is counted, in the order of [`Throttle::counts`].
const COVER: [Point; 10] = [
    ("offers", "H8", "offers judged"),
    ("spacing", "H5 H6", "offers of a flow with a delay, judged by it"),
    ("spacing_exact", "H3 H4", "of these, with an index that is known exactly"),
    ("spacing_close", "H5", "of these, within 64 cycles of the end of the delay"),
    ("spacing_skipped", "H3", "offers soon after a write, not judged by the delay"),
    ("becns", "H3", "BECNs taken"),
    ("idle", "H5 H8", "waits in which some flow could go, judged"),
    ("turns", "H8", "rounds in which each flow that could go had its turn"),
    ("writes", "H4", "writes to registers and tables"),
    (
        "waits",
        "H5 H8",
        "looks at a flow that could go since the look before, judged by the time that others need",
    ),
];
const OFFERS: usize = 0;
const SPACING: usize = 1;
const EXACT: usize = 2;
const CLOSE: usize = 3;
const SKIPPED: usize = 4;
const BECNS: usize = 5;
const IDLE: usize = 6;
const TURNS: usize = 7;
const WRITES: usize = 8;
const WAITS: usize = 9;

/// The scoreboard.
pub(super) struct Throttle {
    io: Io,
    flows: usize,
    table_size: u32,
    longest: u64,
    by_destination: bool,
    /// Tolerances.
    late: u64,
    expiry: u64,
    offer: u64,
    turns: u64,
    pick: u64,

    now: u64,
    /// A verdict may be of any cycle since then, and is no older than `late` before it.
    since: u64,
    ready: Readiness,
    registers: Registers,
    addresses: [u8; 7],
    table: Vec<u32>,
    sl: Vec<u8>,
    sl_changed: Vec<u64>,
    /// The last write to a register or a table that matters for a delay.
    written: u64,
    entities: Vec<Entity>,
    /// BECNs of the last cycles: cycle and entity.
    recent: VecDeque<(u64, usize)>,
    time: Time,
    /// Which of the cycles after `time.settled` had a BECN, and how many had none.
    cycles: VecDeque<bool>,
    quiet: u64,
    sending: Option<Sending>,
    /// It is not known whose packet is being sent.
    unknown: bool,
    gates: Gates,
    /// Whose index and time it is of, if that is sure; the last change of what owns them.
    owner: Option<usize>,
    owners_changed: u64,
    idle: u64,
    waiting_idle: Vec<Waiting>,
    idle_from: u64,
    waiting_turn: Vec<Waiting>,
    turn_from: u64,
    taken: u64,
    /// Of each flow; the next one to be looked at.
    waits: Vec<Option<Wait>>,
    look: usize,
    /// Cycles without an offer, and offers.
    idle_all: u64,
    offers: u64,
    counts: [u64; COVER.len()],
}

impl Throttle {
    pub fn new(p: &Params, settings: &Settings) -> Throttle {
        let l = Layout::new(UnitKind::HcaThrottle, p);
        let three = |a, b, c| [l.input(a), l.input(b), l.input(c)];
        let out = |name| l.signal(Group::Output, name).offset;
        let table = p.cct as u32;
        let entity = || Entity { index: Index::new(), becn: NEVER, before: 0, last: Last::Never };
        Throttle {
            io: Io {
                cfg: three("cfg_we", "cfg_addr", "cfg_data"),
                cct: three("cct_we", "cct_addr", "cct_data"),
                attr: three("attr_we", "attr_flow", "attr_sl"),
                becn: [l.input("becn_valid"), l.input("becn_flow")],
                req: l.input("req"),
                stop: l.input("stop"),
                sl_ok: l.input("sl_ok"),
                inj_ready: l.input("inj_ready"),
                inj_len: l.input("inj_len"),
                sent: l.input("sent"),
                ready: out("ready"),
                inj_valid: out("inj_valid"),
                inj_flow: out("inj_flow"),
                inj_sl: out("inj_sl"),
            },
            flows: p.flows,
            table_size: table,
            longest: 1 << (p.ts_w - 2),
            by_destination: p.vl_by_dest,
            late: settings.get("becn"),
            expiry: settings.get("expiry"),
            offer: settings.get("offer"),
            turns: settings.get("turns"),
            pick: settings.get("pick"),
            now: 0,
            since: 0,
            ready: Readiness::new(settings.get("ready"), "H6"),
            registers: Registers {
                ctrl: 0,
                increase: 1,
                limit: table - 1,
                min: 0,
                timer: 150,
                tick: 80,
                interval: 1,
            },
            addresses: [
                "CTRL",
                "CCTI_INCREASE",
                "CCTI_LIMIT",
                "CCTI_MIN",
                "CCTI_TIMER",
                "TICK_CYCLES",
                "LINK_INTERVAL",
            ]
            .map(|name| addr(UnitKind::HcaThrottle, name)),
            table: vec![0; p.cct],
            sl: vec![0; p.flows],
            sl_changed: vec![NEVER; p.flows],
            written: NEVER,
            entities: (0..p.entities()).map(|_| entity()).collect(),
            recent: VecDeque::new(),
            time: Time { now: 0, settled: 0, mark: 0, marked: Some(0) },
            cycles: VecDeque::new(),
            quiet: 0,
            sending: None,
            unknown: false,
            gates: Gates::new(p.flows, settings.get("withdraw")),
            owner: None,
            owners_changed: NEVER,
            idle: 0,
            waiting_idle: Vec::new(),
            idle_from: 0,
            waiting_turn: Vec::new(),
            turn_from: 0,
            taken: 0,
            waits: vec![None; p.flows],
            look: 0,
            idle_all: 0,
            offers: 0,
            counts: [0; COVER.len()],
        }
    }

    /// One inside an adapter, of which only packets are seen: see [`Throttle::inside`].
    pub fn within(p: &Params, settings: &Settings, offer: u64) -> Throttle {
        Throttle { offer, ..Throttle::new(p, settings) }
    }

    /// Indices and times are of SLs.
    pub fn by_sl(&self) -> bool {
        self.registers.ctrl & 2 != 0 && !self.by_destination
    }

    fn entity(&self, flow: usize) -> usize {
        if self.by_sl() { self.sl[flow].into() } else { flow }
    }

    fn enabled(&self) -> bool {
        self.registers.ctrl & 1 != 0
    }

    fn rules(&self) -> Rules {
        let r = &self.registers;
        let limit = r.limit.min(self.table_size - 1);
        Rules {
            increase: r.increase,
            limit,
            min: r.min.min(limit),
            timer: r.timer.into(),
            tick: r.tick.max(1).into(),
            slowest: self.entities.len() as u64 / 64,
            enabled: self.enabled(),
            restart: r.ctrl & 8 != 0,
            shared: r.ctrl & 4 != 0,
        }
    }

    /// True if a cycle lies within some of now; of one that never was, no.
    fn soon(&self, cycle: u64, within: u64) -> bool {
        cycle != NEVER && self.now - cycle <= within
    }

    /// True if a verdict may be from before what a cycle brought; of one that never was, no.
    fn fresh(&self, cycle: u64) -> bool {
        cycle != NEVER && cycle + self.late >= self.since
    }

    /// The delay after a packet at an entry of the table.
    fn delay(&self, index: u32, length: u64) -> u64 {
        let r = &self.registers;
        let entry = self.table[index.min(r.limit.min(self.table_size - 1)) as usize];
        let time = length * u64::from(r.interval.max(1));
        let delay =
            if r.ctrl & 16 != 0 { entry.into() } else { (time >> (entry >> 14)) * u64::from(entry & 0x3fff) };
        delay.min(self.longest)
    }

    /// The least and the largest delay of a range of indices.
    fn delays(&self, (low, high): (u32, u32), length: u64) -> (u64, u64) {
        let all = (low..=high.min(self.table_size - 1).max(low)).map(|i| self.delay(i, length));
        all.fold((u64::MAX, 0), |(least, most), d| (least.min(d), most.max(d)))
    }

    /// The time of what is settled goes on by a cycle.
    fn advance(&mut self, becn: bool) {
        self.cycles.push_back(becn);
        self.quiet += u64::from(!becn);
        while self.quiet > self.expiry {
            match self.cycles.pop_front() {
                Some(becn) => self.quiet -= u64::from(!becn),
                None => break,
            }
            self.time.settled += 1;
        }
        if self.time.marked.is_none() && self.time.settled >= self.time.mark {
            self.time.marked = Some(self.now);
        }
    }

    fn becn(&mut self, flow: usize) {
        let (rules, time, late) = (self.rules(), self.time, self.late);
        let e = self.entity(flow);
        let chained = self.fresh(self.entities[e].becn);
        self.recent.push_back((self.now, e));
        if !rules.enabled {
            return;
        }
        self.counts[BECNS] += 1;
        if rules.shared && rules.restart {
            let sl = self.sl[flow];
            for other in (0..self.entities.len()).filter(|o| *o != e) {
                let of = if self.by_sl() { other as u8 } else { self.sl.get(other).copied().unwrap_or(255) };
                if of == sl {
                    self.entities[other].index.restarted(&rules, &time, late);
                }
            }
        }
        let now = self.now;
        let entity = &mut self.entities[e];
        let low = entity.index.range(&rules, &time).0;
        // Expiries may come in between.
        let some = late / (rules.timer * rules.tick).max(1) + 1;
        let low = low.saturating_sub(u32::try_from(some).unwrap_or(u32::MAX));
        entity.before = if chained { entity.before.min(low) } else { low };
        entity.becn = now;
        entity.index.becn(&rules, &time, late);
    }

    /// A write to a register. Indices go on by what it says from the next cycle on.
    fn register(&mut self, address: u8, data: u32) {
        let Some(which) = self.addresses.iter().position(|a| *a == address) else { return };
        self.counts[WRITES] += 1;
        let old = self.registers;
        let mut new = old;
        match which {
            0 => new.ctrl = data & 0x1f,
            1 => new.increase = data & 0xff,
            2 => new.limit = data & 0x3fff,
            3 => new.min = data & 0xff,
            4 => new.timer = data & 0xffff,
            5 => new.tick = data & 0xffff,
            _ => new.interval = data & 15,
        }
        let retime = [0, 4, 5].contains(&which);
        if new == old && !retime {
            return;
        }
        self.changed();
        if which == 6 {
            self.registers = new;
            return;
        }
        let (rules, time, late) = (self.rules(), self.time, self.late);
        self.registers = new;
        let after = self.rules();
        // Whose index and time these are.
        let other_owner = (old.ctrl ^ new.ctrl) & 0b110 != 0;
        // What a design keeps of owners that are not in use is its own.
        let any = Rules { limit: self.table_size - 1, ..after };
        let unsure: Vec<usize> = self.recent.iter().map(|r| r.1).collect();
        for (e, entity) in self.entities.iter_mut().enumerate() {
            entity.index.written(&rules, &time, late, retime);
            // A BECN that is on its way is taken by what holds before or after.
            let on_its_way = which != 5 && after != rules && unsure.contains(&e);
            if other_owner || on_its_way {
                let rules = if other_owner { &any } else { &after };
                entity.index.forget(rules, &time, None);
            }
            entity.index.off_minimum(&after, &time);
            if other_owner {
                entity.last = Last::Unknown(self.now);
            }
        }
        if other_owner {
            self.unknown |= self.sending.take().is_some();
            self.owners_changed = self.now;
            self.owner = None;
        }
        (self.time.mark, self.time.marked) = (self.now, None);
    }

    /// Delays are other ones from now on.
    fn changed(&mut self) {
        self.written = self.now;
        self.waiting_idle.clear();
        self.waiting_turn.clear();
        self.waits.fill(None);
        (self.idle, self.idle_from) = (0, NEVER);
        (self.turn_from, self.taken) = (NEVER, 0);
    }

    fn writes(&mut self, [cfg, cct, attr]: [Option<(u32, u32)>; 3]) {
        if let Some((address, data)) = cct
            && let Some(entry) = self.table.get_mut(address as usize)
            && *entry != data
        {
            *entry = data;
            self.counts[WRITES] += 1;
            self.changed();
        }
        if let Some((flow, sl)) = attr
            && self.sl.get(flow as usize).is_some_and(|s| u32::from(*s) != sl)
        {
            let flow = flow as usize;
            self.counts[WRITES] += 1;
            self.changed();
            let (rules, time, late) = (self.rules(), self.time, self.late);
            let was = self.entity(flow);
            self.sl[flow] = sl as u8;
            self.sl_changed[flow] = self.now;
            self.owner = None;
            let is = self.entity(flow);
            // What is on its way may be for the one or the other; a timer of an SL is another one now.
            if rules.shared || self.recent.iter().any(|r| r.1 == was || r.1 == is) {
                self.entities.iter_mut().for_each(|e| e.index.written(&rules, &time, late, false));
                [was, is].iter().for_each(|e| self.entities[*e].index.forget(&rules, &time, None));
                (self.time.mark, self.time.marked) = (self.now, None);
            }
        }
        if let Some((address, data)) = cfg {
            self.register(address as u8, data);
        }
    }

    /// Since when a flow may go, but for its delay.
    fn may_since(&self, flow: usize) -> Option<u64> {
        self.gates.may_since(flow, self.sl[flow])
    }

    /// True if a flow could go now, whatever its index is.
    fn could(&self, flow: usize) -> Option<Waiting> {
        self.may_since(flow)?;
        let entity = &self.entities[self.entity(flow)];
        let range = entity.index.range(&self.rules(), &self.time);
        let high = if self.soon(entity.becn, self.late) { return None } else { range.1 };
        self.is_over(flow, range).then_some(Waiting { flow, high })
    }

    /// True if the delay is over by the largest one of a range of indices.
    fn is_over(&self, flow: usize, range: (u32, u32)) -> bool {
        if !self.enabled() {
            return true;
        }
        let e = self.entity(flow);
        let busy = self.sending.as_ref().filter(|s| s.entity == e).map(|s| s.length);
        match (busy, self.entities[e].last) {
            (Some(length), _) => self.delays(range, length).1 == 0,
            (None, Last::Never) => true,
            // (It counts from when the link can have sent it, which is no longer than the longest delay after that.)
            (None, Last::Unknown(last)) => !self.unknown && self.now > last + 2 * self.longest,
            (None, Last::Left(last, length)) => {
                let delay = self.delays(range, length).1;
                delay == 0 || self.now > last + delay
            }
        }
    }

    /// True if a flow that could go at `from` still can, without a pause.
    fn still(&self, w: &Waiting, from: u64) -> bool {
        let entity = &self.entities[self.entity(w.flow)];
        let (low, high) = entity.index.range(&self.rules(), &self.time);
        self.may_since(w.flow).is_some_and(|since| since <= from)
            && (entity.becn == NEVER || entity.becn < from)
            && self.is_over(w.flow, (low, high.max(w.high)))
    }

    /// Judges the offer of this cycle.
    fn offered(&mut self, flow: usize, sl: u32) -> Result<(), Broken> {
        if !self.gates.offered(flow, sl, self.now)? {
            return Ok(());
        }
        let asked = format!("an offer to flow {flow}, SL {sl}");
        self.counts[OFFERS] += 1;
        self.begins(flow);
        self.owned(flow);
        if sl != u32::from(self.sl[flow]) && !self.soon(self.sl_changed[flow], self.late) {
            return broken("sl", "H7", format!("{asked}: its SL is {}", self.sl[flow]));
        }
        self.spacing(flow, &asked)
    }

    /// Whose index and time a flow's are, if that is sure.
    fn owned(&mut self, flow: usize) {
        let moved = self.by_sl() && self.fresh(self.sl_changed[flow]);
        let sure = !moved && !self.fresh(self.owners_changed);
        self.owner = sure.then(|| self.entity(flow));
    }

    /// Judges the time of a new offer.
    fn spacing(&mut self, flow: usize, asked: &str) -> Result<(), Broken> {
        if self.fresh(self.written) {
            self.counts[SKIPPED] += 1;
            return Ok(());
        }
        if !self.enabled() {
            return Ok(());
        }
        let (rules, time, e) = (self.rules(), self.time, self.entity(flow));
        self.entities[e].index.settle(&rules, &time);
        let entity = &self.entities[e];
        // The verdict may be some cycles old.
        let before = Time { settled: time.settled.saturating_sub(self.late), ..time };
        let (mut low, high) = entity.index.range(&rules, &before);
        if self.fresh(entity.becn) {
            low = low.min(entity.before);
        }
        let busy = self.sending.as_ref().filter(|s| s.entity == e).map(|s| s.length);
        let length = match (busy, entity.last) {
            (Some(length), _) | (None, Last::Left(_, length)) => length,
            (None, Last::Never | Last::Unknown(_)) => return Ok(()),
        };
        let least = self.delays((low, high), length).0;
        if least == 0 {
            return Ok(());
        }
        let index = if low == high { format!("CCTI {low}") } else { format!("CCTI {low}..{high}") };
        if busy.is_some() {
            return broken(
                "sending",
                "H5",
                format!(
                    "{asked}: its last packet is still being sent, and its delay is {least} cycles ({index})"
                ),
            );
        }
        let Last::Left(last, _) = entity.last else { return Ok(()) };
        let passed = i128::from(self.now) - i128::from(last);
        if passed <= i128::from(least) {
            return broken(
                "spacing",
                "H5 H6",
                format!(
                    "{asked}: {passed} cycles after its last packet of {length} flits; by its index it must be more than \
                     {least} ({index})"
                ),
            );
        }
        let (low, high) = entity.index.range(&rules, &time);
        let exact = low == high && entity.index.is_known();
        self.counts[SPACING] += 1;
        self.counts[EXACT] += u64::from(exact);
        self.counts[CLOSE] += u64::from(passed - i128::from(least) <= 64);
        Ok(())
    }

    /// What is counted of a throttle inside an adapter that does not count it itself.
    pub fn cover_inside(&self) -> Vec<CoverCount> {
        let own = [OFFERS, BECNS, WRITES].map(|of| COVER[of].0);
        counted(&COVER, &self.counts).into_iter().filter(|c| !own.contains(&c.name)).collect()
    }

    /// Inside an adapter, where CNPs may be in the way of a flow: one that could go must have an offer, or somebody else.
    fn progress(&mut self, offers: bool) -> Result<(), Broken> {
        if offers {
            self.idle = 0;
            self.waiting_idle.clear();
            return Ok(());
        }
        self.idle += 1;
        if self.idle == self.offer {
            self.waiting_idle = (0..self.flows).filter_map(|f| self.could(f)).collect();
            self.idle_from = self.now;
        } else if self.idle >= 2 * self.offer {
            let (from, waiting) = (self.idle_from, std::mem::take(&mut self.waiting_idle));
            self.idle = 0;
            self.counts[IDLE] += u64::from(!waiting.is_empty());
            if let Some(w) = waiting.iter().find(|w| self.still(w, from)) {
                return broken(
                    "hang",
                    "H5 H8",
                    format!(
                        "no offer for {} cycles, though flow {} (SL {}) has a packet, credit and no stop, and its delay was over {} \
                         cycles ago",
                        2 * self.offer,
                        w.flow,
                        self.sl[w.flow],
                        self.offer
                    ),
                );
            }
        }
        Ok(())
    }

    /// A flow that could go has an offer some time later, however often others have one.
    fn waits(&mut self) -> Result<(), Broken> {
        let flow = self.look;
        self.look = (flow + 1) % self.flows;
        let before = self.waits[flow].filter(|w| self.still(&w.waiting, w.from));
        let Some(w) = before else {
            let (from, idle, offers) = (self.now, self.idle_all, self.offers);
            self.waits[flow] = self.could(flow).map(|waiting| Wait { waiting, from, idle, offers });
            return Ok(());
        };
        self.counts[WAITS] += 1;
        let (idle, others) = (self.idle_all - w.idle, self.offers - w.offers);
        if idle > self.offer + self.pick * others {
            let text = format!(
                "flow {flow} (SL {}) has a packet, credit and no stop, and its delay was over {} cycles ago: since then {others} offers to \
                 others, and {idle} cycles without an offer",
                self.sl[flow],
                self.now - w.from
            );
            return broken("late", "H5 H8", text);
        }
        Ok(())
    }

    /// An offer to a flow begins.
    fn begins(&mut self, flow: usize) {
        self.offers += 1;
        self.waits[flow] = None;
    }

    /// An offer was taken.
    fn accepted(&mut self, flow: usize, sl: u32, length: u32) -> Result<(), Broken> {
        self.finish();
        let length = u64::from(length.max(1));
        let time = (length * u64::from(self.registers.interval.max(1))).min(self.longest);
        let entity = self.entity(flow);
        if self.owner == Some(entity) {
            self.sending = Some(Sending { entity, length, until: self.now + time });
        } else {
            // The owner changed while the flow had its turn: it may be of the one or the other.
            for e in [flow, sl as usize & 15, self.sl[flow].into()] {
                self.entities[e].last = Last::Unknown(self.now);
            }
            self.unknown = true;
        }
        self.taken += 1;
        self.waiting_turn.retain(|w| w.flow != flow);
        if self.turn_from == NEVER || self.taken >= self.turns {
            let (from, waiting) = (self.turn_from, std::mem::take(&mut self.waiting_turn));
            let judged = from != NEVER;
            self.counts[TURNS] += u64::from(judged);
            if let Some(w) = waiting.iter().find(|w| judged && self.still(w, from)) {
                return broken(
                    "starved",
                    "H8",
                    format!(
                        "{} packets of others since flow {} (SL {}) could go, and it had no turn",
                        self.taken, w.flow, self.sl[w.flow]
                    ),
                );
            }
            self.waiting_turn =
                (0..self.flows).filter(|f| *f != flow).filter_map(|f| self.could(f)).collect();
            (self.turn_from, self.taken) = (self.now, 0);
        }
        Ok(())
    }

    /// A cycle of a throttle inside an adapter, of which only the packets are seen. A verdict may be as old as the packet before.
    pub fn inside(&mut self, seen: &Inside) -> Result<(), Broken> {
        let now = self.now;
        self.time.now = now;
        while self.recent.front().is_some_and(|r| now - r.0 > self.late) {
            self.recent.pop_front();
        }
        self.gates.see(|w| seen.wants[w], seen.open, now);
        if let Some((flow, sl, length)) = seen.begins {
            self.counts[OFFERS] += 1;
            self.begins(flow);
            self.since = seen.since;
            self.owned(flow);
            if seen.judged {
                self.spacing(flow, &format!("a packet of flow {flow}, SL {sl}, begins"))?;
            }
            self.accepted(flow, sl, length)?;
            if let Some(s) = &mut self.sending {
                s.until = s.until.saturating_sub(seen.slack);
            }
        }
        self.since = seen.since;
        self.progress(seen.busy)?;
        self.idle_all += u64::from(!seen.busy && !seen.unseen);
        self.waits()?;
        if seen.sent {
            self.finish();
        }
        let mut becn = false;
        for &(flow, sure) in seen.becns {
            self.becn(flow);
            if !sure && self.enabled() {
                // It may have been none.
                let (rules, time, late) = (self.rules(), self.time, self.late);
                let e = self.entity(flow);
                self.entities[e].index.forget(&rules, &time, Some(now + late));
                self.entities[e].before = 0;
            }
            becn = true;
        }
        self.writes(seen.writes);
        self.now += 1;
        self.advance(becn);
        Ok(())
    }

    /// It is not ready in this cycle.
    pub fn not_ready(&mut self) {
        self.time.now = self.now;
        self.now += 1;
        self.advance(false);
    }

    /// The packet that is being sent has left.
    fn finish(&mut self) {
        if std::mem::take(&mut self.unknown) {
            let now = self.now;
            let unknown = self.entities.iter_mut().filter(|e| matches!(e.last, Last::Unknown(_)));
            unknown.for_each(|e| e.last = Last::Unknown(now));
        }
        if let Some(s) = self.sending.take() {
            self.entities[s.entity].last = Last::Left(self.now.max(s.until), s.length);
        }
    }
}

impl Scoreboard for Throttle {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        self.time.now = now;
        if !self.ready.see(output[self.io.ready] & 1 == 1, now)? {
            self.now += 1;
            self.advance(false);
            return Ok(());
        }
        while self.recent.front().is_some_and(|r| now - r.0 > self.late) {
            self.recent.pop_front();
        }
        self.since = now;
        let io = &self.io;
        let (req, stop, open) = (io.req, io.stop, input[io.sl_ok] & 0xffff);
        self.gates.see(|w| input[req + w] & !input[stop + w], open, now);
        let valid = output[self.io.inj_valid] & 1 == 1;
        let offer = valid.then(|| (output[self.io.inj_flow] as usize, output[self.io.inj_sl]));
        self.gates.stands(offer, now)?;
        if let Some((flow, sl)) = offer {
            self.offered(flow, sl)?;
        }
        self.idle_all += u64::from(!valid);
        self.waits()?;
        self.gates.standing = offer;
        let accepted = valid && input[self.io.inj_ready] & 1 == 1;
        if let (true, Some((flow, sl))) = (accepted, offer) {
            self.gates.standing = None;
            self.accepted(flow, sl, input[self.io.inj_len])?;
        } else if input[self.io.sent] & 1 == 1 {
            self.finish();
        }
        let becn = input[self.io.becn[0]] & 1 == 1 && (input[self.io.becn[1]] as usize) < self.flows;
        if becn {
            self.becn(input[self.io.becn[1]] as usize);
        }
        let io = &self.io;
        let written =
            [io.cfg, io.cct, io.attr].map(|[we, a, b]| (input[we] == 1).then(|| (input[a], input[b])));
        self.writes(written);
        self.now += 1;
        self.advance(becn);
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let (ready, valid) = (output[self.io.ready] & 1, output[self.io.inj_valid] & 1);
        let (flow, sl) = (output[self.io.inj_flow], output[self.io.inj_sl]);
        output.fill(0);
        output[self.io.ready] = ready;
        if ready == 1 {
            output[self.io.inj_valid] = valid;
            if valid == 1 {
                (output[self.io.inj_flow], output[self.io.inj_sl]) = (flow, sl);
            }
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        // (Who hangs is told as late before.)
        counted(&COVER, &self.counts).into_iter().filter(|c| c.name != COVER[IDLE].0).collect()
    }
}
