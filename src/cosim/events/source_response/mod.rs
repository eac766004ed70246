//! The source response by its events (`docs/source-response.md`): an offer only to a flow that wants and may, whose window is open and whose
//! delay is over, by the ACKs that came; standing until it is taken; and a flow that could go has its turn.

mod flow;
#[cfg(test)]
mod tests;

use crate::cosim::events::offers::{Gates, NEVER};
use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, broken, counted};
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::signals::{Group, Layout};
use flow::{Known, Registers};

/// Its tolerances.
pub(super) fn settings(p: &Params) -> Vec<Setting> {
    let flows = p.flows as u64;
    let s = Setting::new;
    vec![
        s("ack", 16, 0, "from an ACK or a post, or a write to a register or a table, until offers show it"),
        s("lost", 16 * flows.max(16) + 64, 0, "until what a silent flow has outstanding is given up"),
        s("withdraw", 8, 0, "for which an offer may stand when its flow may no more"),
        s("offer", 4 * flows + 64, 1, "without an offer although a flow could go"),
        s("turns", 2 * p.throttle_lanes() as u64 * flows + 16, 1, "packets of others while a flow could go"),
        Setting::ready(UnitKind::SourceResponse, p),
    ]
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &["inj_valid", "inj_flow", "inj_sl"];

/// Offsets of the signals in the word vectors.
struct Io {
    cfg: [usize; 3],
    waits: [usize; 3],
    attr: [usize; 3],
    ack: [usize; 3],
    post: [usize; 2],
    req: usize,
    stop: usize,
    sl_ok: usize,
    inj_ready: usize,
    inj_len: usize,
    sent: usize,
    ready: usize,
    inj: [usize; 3],
}

/// A flow.
struct Flow {
    known: Known,
    /// What was known in the last cycles, and until when.
    before: Vec<(u64, Known)>,
    /// When its last packet left, and the length of that.
    left: Option<u64>,
    length: u64,
    /// Acceptances of the last cycles, the last ACK, and the last one that may not have counted.
    young: Vec<u64>,
    acked: u64,
    stray: u64,
    /// The last post.
    posted: u64,
}

/// The packet that is being sent: its flow, and when a link is done with it at the earliest.
struct Sending {
    flow: usize,
    until: u64,
}

/// What is counted, in the order of [`Response::cover`].
const COVER: [Point; 9] = [
    ("offers", "H8", "offers judged"),
    ("windows", "AK6", "offers judged by a window"),
    ("last_place", "AK6", "of these, for the last place in it"),
    ("delays", "SR3 VR3", "offers judged by a delay"),
    ("delays_close", "SR3 VR3", "of these, within 64 cycles of its end"),
    ("skipped", "VR2", "offers soon after a write, not judged"),
    ("acks", "AK5", "ACKs taken"),
    ("idle", "H5 H8", "waits in which some flow could go, judged"),
    ("turns", "H8", "rounds in which each flow that could go had its turn"),
];
const OFFERS: usize = 0;
const WINDOWS: usize = 1;
const LAST: usize = 2;
const DELAYS: usize = 3;
const CLOSE: usize = 4;
const SKIPPED: usize = 5;
const ACKS: usize = 6;
const IDLE: usize = 7;
const TURNS: usize = 8;

/// The scoreboard.
pub(super) struct Response {
    io: Io,
    addresses: [u8; 7],
    longest: u64,
    /// Tolerances.
    late: u64,
    lost: u64,
    offer: u64,
    turns: u64,

    now: u64,
    ready: Readiness,
    gates: Gates,
    registers: Registers,
    waits: [u32; 16],
    sl: Vec<u8>,
    sl_changed: Vec<u64>,
    /// The last write that changed something.
    written: u64,
    flows: Vec<Flow>,
    sending: Option<Sending>,
    idle: u64,
    waiting_idle: Vec<usize>,
    idle_from: u64,
    waiting_turn: Vec<usize>,
    turn_from: u64,
    taken: u64,
    counts: [u64; COVER.len()],
}

impl Response {
    pub fn new(p: &Params, settings: &Settings) -> Response {
        let l = Layout::new(UnitKind::SourceResponse, p);
        let three = |names: [&str; 3]| names.map(|n| l.input(n));
        let out = |name| l.signal(Group::Output, name).offset;
        let flow = || Flow {
            known: Known::new(),
            before: Vec::new(),
            left: None,
            length: 0,
            young: Vec::new(),
            acked: NEVER,
            stray: NEVER,
            posted: NEVER,
        };
        let get = |name| settings.get(name);
        Response {
            io: Io {
                cfg: three(["cfg_we", "cfg_addr", "cfg_data"]),
                waits: three(["wt_we", "wt_addr", "wt_data"]),
                attr: three(["attr_we", "attr_flow", "attr_sl"]),
                ack: three(["ack_valid", "ack_flow", "ack_bits"]),
                post: ["post_valid", "post_flow"].map(|n| l.input(n)),
                req: l.input("req"),
                stop: l.input("stop"),
                sl_ok: l.input("sl_ok"),
                inj_ready: l.input("inj_ready"),
                inj_len: l.input("inj_len"),
                sent: l.input("sent"),
                ready: out("ready"),
                inj: ["inj_valid", "inj_flow", "inj_sl"].map(out),
            },
            addresses: ["CTRL", "WMAX", "RMIN_EXP", "WS_STEPS", "RTT_MIN", "SEVMAP", "LINK_INTERVAL"]
                .map(|name| addr(UnitKind::SourceResponse, name)),
            longest: 1 << (p.ts_w - 2),
            late: get("ack"),
            lost: get("lost"),
            offer: get("offer"),
            turns: get("turns"),
            now: 0,
            ready: Readiness::new(get("ready"), "AK6"),
            gates: Gates::new(p.flows, get("withdraw")),
            registers: Registers::new(),
            waits: [0; 16],
            sl: vec![0; p.flows],
            sl_changed: vec![NEVER; p.flows],
            written: NEVER,
            flows: (0..p.flows).map(|_| flow()).collect(),
            sending: None,
            idle: 0,
            waiting_idle: Vec::new(),
            idle_from: 0,
            waiting_turn: Vec::new(),
            turn_from: NEVER,
            taken: 0,
            counts: [0; COVER.len()],
        }
    }

    /// True if a cycle lies within the tolerance; of one that never was, no.
    fn soon(&self, cycle: u64) -> bool {
        cycle != NEVER && self.now - cycle <= self.late
    }

    fn is_sending(&self, flow: usize) -> bool {
        self.sending.as_ref().is_some_and(|s| s.flow == flow)
    }

    /// Packets that were accepted in the last cycles.
    fn young(&mut self, flow: usize) -> u32 {
        let (now, late) = (self.now, self.late);
        let young = &mut self.flows[flow].young;
        young.retain(|y| now - y <= late);
        young.len() as u32
    }

    /// What a silent flow has outstanding may be given up, some cycles from now, or is.
    fn ages(&mut self, flow: usize, ahead: u64) {
        if self.is_sending(flow) {
            return;
        }
        let f = &mut self.flows[flow];
        let Some(left) = f.left else { return };
        let silent = self.now.saturating_sub(left);
        if f.known.out.1 > 0 && silent + ahead > self.longest {
            f.known.silent(silent > self.longest + self.lost);
        }
    }

    /// What is known changes; what was known before may act on.
    fn change(&mut self, flow: usize, how: impl FnOnce(&mut Known)) {
        let (now, late) = (self.now, self.late);
        let f = &mut self.flows[flow];
        f.before.retain(|b| now - b.0 <= late);
        let was = f.known;
        how(&mut f.known);
        if was != f.known {
            f.before.push((now, was));
        }
    }

    /// All that a flow may be known as by who chooses.
    fn seen(&self, flow: usize) -> impl Iterator<Item = &Known> {
        let f = &self.flows[flow];
        f.before.iter().filter(|b| self.now - b.0 <= self.late).map(|b| &b.1).chain([&f.known])
    }

    // Windows and delays.

    /// The delay by a time in packet times, or by slots up to some: the least, or the most.
    fn gap(&self, flow: usize, k: &Known, most: bool) -> u64 {
        let r = &self.registers;
        let gap = if r.by_rate() {
            let point = if most { &k.worst } else { &k.best };
            let f = &self.flows[flow];
            let packet =
                if r.by_round_trip() { u64::from(r.rtt) } else { f.length * u64::from(r.interval.max(1)) };
            ((((point.time(r) - (1 << 24)) >> 8) * packet) >> 16).min(self.longest)
        } else if r.by_slots() {
            let all = k.best.slot(r).min(k.worst.slot(r))..=k.worst.slot(r).max(k.best.slot(r));
            let all = all.map(|j| u64::from(self.waits[j as usize & 15]));
            if most { all.max().unwrap_or(0) } else { all.min().unwrap_or(0) }
        } else {
            0
        };
        gap.min(self.longest)
    }

    /// The window may be open: how many places are left at most; `None`: there is no window.
    fn places(&self, k: &Known) -> Option<u32> {
        (self.registers.wmax > 0).then(|| k.best.window(&self.registers).saturating_sub(k.out.0))
    }

    /// Cycles that are missing to the end of the delay, at least; 0: it may be over.
    fn misses(&self, flow: usize, k: &Known) -> u64 {
        let gap = self.gap(flow, k, false);
        if gap == 0 {
            return 0;
        }
        let f = &self.flows[flow];
        let from = match self.registers.counts_from_ack() {
            true => k.first,
            false if self.is_sending(flow) => return u64::MAX,
            false => f.left,
        };
        // What is so old is forgotten, with its length.
        let forgotten =
            !self.is_sending(flow) && f.left.is_none_or(|l| self.now.saturating_sub(l) > self.longest);
        if forgotten && self.registers.by_rate() && !self.registers.by_round_trip() {
            return 0;
        }
        from.map_or(0, |from| (from + gap + 1).saturating_sub(self.now))
    }

    /// A flow could go now, whatever is unsure: window and delay.
    fn may_for_sure(&self, flow: usize) -> bool {
        if !self.registers.is_on() {
            return true;
        }
        let f = &self.flows[flow];
        self.seen(flow).all(|k| {
            let open = self.registers.wmax == 0 || k.out.1 < k.worst.window(&self.registers);
            let gap = self.gap(flow, k, true);
            let over = gap == 0
                || match self.registers.counts_from_ack() {
                    true => k.last.is_none_or(|l| self.now > l + self.late + gap),
                    false => !self.is_sending(flow) && f.left.is_none_or(|l| self.now > l + gap),
                };
            open && over
        })
    }

    // Offers.

    fn offered(&mut self, flow: usize, sl: u32) -> Result<(), Broken> {
        let now = self.now;
        if !self.gates.offered(flow, sl, now)? {
            return Ok(());
        }
        self.counts[OFFERS] += 1;
        let asked = format!("an offer to flow {flow}, SL {sl}");
        if sl != u32::from(self.sl[flow]) && !self.soon(self.sl_changed[flow]) {
            return broken("sl", "H7", format!("{asked}: its SL is {}", self.sl[flow]));
        }
        if self.soon(self.written) {
            self.counts[SKIPPED] += 1;
            return Ok(());
        }
        if !self.registers.is_on() {
            return Ok(());
        }
        self.ages(flow, 0);
        let open: Vec<&Known> = self.seen(flow).filter(|k| self.places(k) != Some(0)).collect();
        if open.is_empty() {
            let k = &self.flows[flow].known;
            let text = format!(
                "{asked}: {} of its packets are outstanding, and its window is {}",
                k.out.0,
                k.best.window(&self.registers)
            );
            return broken("window", "AK6 VR2", text);
        }
        let misses = open.iter().map(|k| self.misses(flow, k)).min().unwrap_or(0);
        if misses == u64::MAX {
            let text = format!("{asked}: its last packet is still being sent, and it has a delay");
            return broken("sending", "SR3", text);
        }
        if misses > 0 {
            let gap = self.gap(flow, &self.flows[flow].known, false);
            let text =
                format!("{asked}: by its ACKs it has a delay of {gap} cycles, and {misses} are missing");
            return broken("spacing", "SR3 VR3", text);
        }
        let (places, known) = (self.places(&self.flows[flow].known), self.flows[flow].known);
        let gap = self.gap(flow, &known, false);
        let base = if self.registers.counts_from_ack() { known.first } else { self.flows[flow].left };
        self.counts[WINDOWS] += u64::from(places.is_some());
        self.counts[LAST] += u64::from(places == Some(1));
        self.counts[DELAYS] += u64::from(gap > 0);
        self.counts[CLOSE] += u64::from(gap > 0 && base.is_some_and(|b| now <= b + gap + 64));
        Ok(())
    }

    /// A flow could go, for all that is seen.
    fn could(&self, flow: usize) -> bool {
        self.gates.may_since(flow, self.sl[flow]).is_some()
            && !self.soon(self.flows[flow].acked)
            && self.may_for_sure(flow)
    }

    /// It could since `from`, without a pause.
    fn still(&self, flow: usize, from: u64) -> bool {
        let acked = self.flows[flow].acked;
        self.gates.may_since(flow, self.sl[flow]).is_some_and(|since| since <= from)
            && (acked == NEVER || acked < from)
            && self.may_for_sure(flow)
    }

    fn all_that_could(&mut self) -> Vec<usize> {
        (0..self.flows.len()).for_each(|f| self.ages(f, 0));
        (0..self.flows.len()).filter(|f| self.could(*f)).collect()
    }

    /// A flow that could go has an offer, or somebody else.
    fn progress(&mut self, offers: bool) -> Result<(), Broken> {
        if offers {
            self.idle = 0;
            self.waiting_idle.clear();
            return Ok(());
        }
        self.idle += 1;
        if self.idle == self.offer {
            self.waiting_idle = self.all_that_could();
            self.idle_from = self.now;
        } else if self.idle >= 2 * self.offer {
            let (from, waiting) = (self.idle_from, std::mem::take(&mut self.waiting_idle));
            self.idle = 0;
            self.counts[IDLE] += u64::from(!waiting.is_empty());
            if let Some(f) = waiting.into_iter().find(|f| self.still(*f, from)) {
                let text = format!(
                    "no offer for {} cycles, though flow {f} (SL {}) has a packet, credit, no stop, a place in its window and no delay",
                    2 * self.offer,
                    self.sl[f]
                );
                return broken("hang", "H5 H8", text);
            }
        }
        Ok(())
    }

    /// An offer was taken.
    fn accepted(&mut self, flow: usize, length: u32) -> Result<(), Broken> {
        self.finish();
        self.ages(flow, 0);
        let length = u64::from(length.max(1));
        let time = (length * u64::from(self.registers.interval.max(1))).min(self.longest);
        let stray = self.soon(self.flows[flow].stray);
        self.young(flow);
        let f = &mut self.flows[flow];
        if stray {
            f.known.takes_perhaps(self.now)
        } else {
            f.known.takes()
        }
        f.before.iter_mut().for_each(|b| b.1.takes());
        f.length = length;
        f.young.push(self.now);
        self.sending = Some(Sending { flow, until: self.now + time });
        self.taken += 1;
        self.waiting_turn.retain(|w| *w != flow);
        if self.turn_from != NEVER && self.taken < self.turns {
            return Ok(());
        }
        let (from, waiting) = (self.turn_from, std::mem::take(&mut self.waiting_turn));
        let judged = from != NEVER;
        self.counts[TURNS] += u64::from(judged);
        if let Some(f) = waiting.into_iter().find(|f| judged && self.still(*f, from)) {
            let text = format!(
                "{} packets of others since flow {f} (SL {}) could go, and it had no turn",
                self.taken, self.sl[f]
            );
            return broken("starved", "H8", text);
        }
        self.waiting_turn = self.all_that_could();
        self.waiting_turn.retain(|w| *w != flow);
        (self.turn_from, self.taken) = (self.now, 0);
        Ok(())
    }

    /// The packet that is being sent has left.
    fn finish(&mut self) {
        if let Some(s) = self.sending.take() {
            self.flows[s.flow].left = Some(self.now.max(s.until));
        }
    }

    // What comes.

    fn ack(&mut self, flow: usize, bits: u32) {
        if flow >= self.flows.len() {
            return;
        }
        self.counts[ACKS] += 1;
        // It is taken some cycles later.
        self.ages(flow, self.late);
        let (now, registers, unsure) = (self.now, self.registers, self.soon(self.written));
        let young = self.young(flow);
        let mut sure = false;
        self.change(flow, |k| {
            sure = k.acked(bits, young, &registers, now);
            if unsure {
                k.forget(now);
            }
        });
        // A post of a moment ago may come after it.
        let forgets = self.registers.forgets() || unsure;
        if forgets && self.soon(self.flows[flow].posted) && self.flows[flow].known.out.0 == 0 {
            self.change(flow, |k| k.posted(false));
        }
        let f = &mut self.flows[flow];
        f.acked = now;
        if !sure {
            f.stray = now;
        }
    }

    fn post(&mut self, flow: usize) {
        let unsure = self.soon(self.written);
        let Some(f) = self.flows.get_mut(flow) else { return };
        f.posted = self.now;
        if !self.registers.forgets() && !unsure {
            return;
        }
        self.ages(flow, 0);
        let young = self.young(flow);
        let f = &self.flows[flow];
        let (least, most) = f.known.out;
        if least > young {
            return;
        }
        // What was accepted or acknowledged just now may count already, or not.
        let sure = most == 0 && !unsure && !self.soon(f.acked);
        self.change(flow, |k| k.posted(sure));
    }

    /// Delays and windows are other ones from now on.
    fn changed(&mut self) {
        self.written = self.now;
        self.waiting_idle.clear();
        self.waiting_turn.clear();
        (self.idle, self.idle_from) = (0, NEVER);
        (self.turn_from, self.taken) = (NEVER, 0);
    }

    fn register(&mut self, address: u8, data: u32) {
        let Some(which) = self.addresses.iter().position(|a| *a == address) else { return };
        let mut new = self.registers;
        match which {
            0 => new.ctrl = data & 0xff,
            1 => new.wmax = data & 0xff,
            2 => new.exponent = data & 15,
            3 => new.steps = data & 15,
            4 => new.rtt = data & 0xffff,
            5 => new.severities = data & 0xffff,
            _ => new.interval = data & 15,
        }
        if new == self.registers {
            return;
        }
        // An ACK, or a post, that is on its way is taken by what holds before or after.
        let (now, posts) = (self.now, new.forgets() != self.registers.forgets());
        for flow in 0..self.flows.len() {
            let f = &self.flows[flow];
            if self.soon(f.acked) || posts && self.soon(f.posted) {
                self.change(flow, |k| k.forget(now));
            }
        }
        self.registers = new;
        self.changed();
    }

    fn writes(&mut self, input: &[u32]) {
        let of = |[we, a, b]: [usize; 3]| (input[we] & 1 == 1).then(|| (input[a], input[b]));
        if let Some((entry, data)) = of(self.io.waits)
            && let Some(wait) = self.waits.get_mut(entry as usize)
            && *wait != data
        {
            *wait = data;
            self.changed();
        }
        if let Some((flow, sl)) = of(self.io.attr)
            && self.sl.get(flow as usize).is_some_and(|s| u32::from(*s) != sl)
        {
            self.sl[flow as usize] = sl as u8;
            self.sl_changed[flow as usize] = self.now;
            self.changed();
        }
        if let Some((address, data)) = of(self.io.cfg) {
            self.register(address as u8, data);
        }
    }
}

impl Scoreboard for Response {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let now = self.now;
        if !self.ready.see(output[self.io.ready] & 1 == 1, now)? {
            self.now += 1;
            return Ok(());
        }
        let (req, stop, open) = (self.io.req, self.io.stop, input[self.io.sl_ok] & 0xffff);
        self.gates.see(|w| input[req + w] & !input[stop + w], open, now);
        let [valid, flow, sl] = self.io.inj.map(|w| output[w]);
        let offer = (valid & 1 == 1).then_some((flow as usize, sl));
        self.gates.stands(offer, now)?;
        if let Some((flow, sl)) = offer {
            self.offered(flow, sl)?;
        }
        if input[self.io.post[0]] & 1 == 1 {
            self.post(input[self.io.post[1]] as usize);
        }
        self.progress(offer.is_some())?;
        self.gates.standing = offer;
        match offer {
            Some((flow, _)) if input[self.io.inj_ready] & 1 == 1 => {
                self.gates.standing = None;
                self.accepted(flow, input[self.io.inj_len])?;
            }
            _ if input[self.io.sent] & 1 == 1 => self.finish(),
            _ => {}
        }
        let [valid, flow, bits] = self.io.ack.map(|w| input[w]);
        if valid & 1 == 1 {
            self.ack(flow as usize, bits);
        }
        self.writes(input);
        self.now += 1;
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let ready = output[self.io.ready] & 1;
        let [valid, flow, sl] = self.io.inj.map(|w| output[w]);
        output.fill(0);
        output[self.io.ready] = ready;
        if ready & valid & 1 == 1 {
            [1, flow, sl].into_iter().zip(self.io.inj).for_each(|(value, w)| output[w] = value);
        }
    }

    fn cover(&self) -> Vec<CoverCount> {
        counted(&COVER, &self.counts)
    }
}
