//! The messages of an input port to its upstream, about congestion trees (E1, E2, E3, E5, E6, E8): each line of them is announced, stopped
//! and let go in turn, says what its packets and the outputs make it, and ends with what it is for.

use std::collections::BTreeMap;

use super::charges::Charges;
use crate::cosim::events::control::{ALLOC, DEALLOC, Message, STOP};
use crate::cosim::events::register::Register;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// A line as upstream knows it.
#[derive(Clone, Debug, Default)]
struct Line {
    /// VL, root and list.
    tree: Option<Message>,
    /// It may be there or not, and have said anything: the link has fallen since.
    loose: bool,
    /// It has not been there for longer than since this cycle.
    since: u64,
    stop: bool,
    /// The last ALLOC, and the last message that said go.
    told: u64,
    went: u64,
    /// The most that its queue may have held since then.
    peak: u32,
    /// Its outputs, a bit each.
    outs: u64,
    /// The root is an output of this switch; that keeps its packets in the cold queue, for sure.
    own: bool,
    cold: bool,
    /// Since when GO is owed, and since when its end is.
    owes_go: Option<u64>,
    owes_end: Option<u64>,
}

/// Registers, as they may hold.
#[derive(Clone, Debug)]
struct Registers {
    ctrl: Register,
    high: Register,
    low: Register,
    stop: Register,
    go: Register,
    refresh: Register,
    switch_id: Register,
    line_timer: Register,
}

impl Registers {
    /// The least threshold above which a line may stop.
    fn stops(&self, from: u64) -> u32 {
        let of = |v| if v == 0 { self.high.since(from).min().unwrap_or(0) } else { v };
        self.stop.since(from).map(of).min().unwrap_or(0)
    }

    /// The least below which it goes on.
    fn goes(&self, from: u64) -> u32 {
        let of = |v| if v == 0 { self.low.since(from).min().unwrap_or(0).max(1) } else { v };
        self.go.since(from).map(of).min().unwrap_or(0)
    }
}

/// A proposal of an output (E3): output, VL, hops and root; and the DLID, if the candidate is of a cold queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub o: usize,
    pub vl: usize,
    pub hops: u32,
    pub root: u32,
    pub dlid: Option<u16>,
}

/// Destinations by output and VL, and when each was seen last.
type Destinations = BTreeMap<(usize, usize, u16), u64>;

/// The cold queue of an output and VL: the last cycles in which something was there for it, or its output stopped, in which nothing had
/// been for so long that its lines have ended, in which it was congested, and in which its fill was 0; and the most that was there since
/// its lines ended.
#[derive(Clone, Copy, Debug, Default)]
struct Queue {
    used: u64,
    empty: u64,
    congested: Option<u64>,
    /// Since when it is congested, or last was; and the last cycle before in which it was.
    rose: u64,
    before: u64,
    drained: Option<u64>,
    peak: u32,
}

/// What a queue has yet to show, as a message says: that it was congested, or that its fill was 0, since a cycle.
#[derive(Clone, Debug)]
struct Owed {
    q: usize,
    congested: bool,
    from: u64,
    by: u64,
    rules: &'static str,
    text: String,
}

/// All lines.
#[derive(Clone, Debug)]
pub(super) struct Trees {
    ports: usize,
    vls: usize,
    /// A root's packets are in a hot queue always (one queue for all others).
    one_queue: bool,
    /// Tolerances: until a register, the link and what happens are seen, and a message is sent; until fills and congestion bits are shown.
    late: u64,
    show: u64,
    addresses: [u32; 8],
    registers: Registers,
    lines: Vec<Line>,
    /// The link is down since this cycle; the last cycle in which it was.
    fell: Option<u64>,
    down: Option<u64>,
    /// The last cycle in which each output had a stopped line.
    stopped: Vec<u64>,
    /// Outputs of trees that were proposed, by VL, hops and root; and destinations, by output and VL.
    proposed: BTreeMap<(usize, u32, u32), u64>,
    listed: Destinations,
    /// Destinations of data that came, by output and VL.
    came: Destinations,
    queues: Vec<Queue>,
    owed: Vec<Owed>,
    /// Congestion bits, and fills, have been shown.
    bits: bool,
    fills: bool,
    /// The most that LINE_TIMER may be.
    timer_max: u32,
    /// Messages judged; of these, STOP and what says so.
    pub judged: u64,
    pub stops: u64,
}

impl Trees {
    pub fn new(p: &Params, late: u64, show: u64) -> Trees {
        let (mtu, cap) = (p.mtu as u32, p.cap(0) as u32);
        let r = Register::new;
        let timer_max = u32::MAX >> (32 - p.timer_w.min(32));
        let names = ["CTRL", "HTH", "LTH", "STOP", "GO", "REFRESH", "SWITCH_ID", "LINE_TIMER"];
        Trees {
            ports: p.ports,
            vls: p.vls,
            one_queue: p.one_queue,
            late,
            show,
            addresses: names.map(|n| addr(UnitKind::InputPort, n).into()),
            registers: Registers {
                ctrl: r(0),
                high: r((6 * mtu).min(3 * cap / 4)),
                low: r((4 * mtu).min(cap / 2)),
                stop: r(0),
                go: r(0),
                refresh: r(0),
                switch_id: r(0),
                line_timer: r(timer_max),
            },
            lines: vec![Line::default(); p.lines],
            fell: None,
            down: None,
            stopped: vec![0; p.ports],
            proposed: BTreeMap::new(),
            listed: BTreeMap::new(),
            came: BTreeMap::new(),
            queues: vec![Queue::default(); p.ports * p.vls],
            owed: Vec::new(),
            bits: false,
            fills: false,
            timer_max,
            judged: 0,
            stops: 0,
        }
    }

    /// A register is written.
    pub fn write(&mut self, address: u32, data: u32, now: u64) {
        let r = &mut self.registers;
        let all = [
            &mut r.ctrl,
            &mut r.high,
            &mut r.low,
            &mut r.stop,
            &mut r.go,
            &mut r.refresh,
            &mut r.switch_id,
            &mut r.line_timer,
        ];
        let timer = address == self.addresses[7];
        let value = if timer { data.clamp(1, self.timer_max) } else { data & 0xffff };
        if let Some((_, register)) = self.addresses.iter().zip(all).find(|(a, _)| **a == address) {
            register.write(value, now);
        }
    }

    /// What is charged, and what the queues show.
    pub fn queues(&mut self, charges: &Charges, cong: &[u32], fill: &[u32], now: u64) {
        for (q, queue) in self.queues.iter_mut().enumerate() {
            queue.peak = queue.peak.max(charges.most[q]);
            // A line that is used again before its end is told does not end.
            if charges.most[q] > 0 || now - self.stopped[q / self.vls] <= self.late {
                queue.used = now;
            } else if now - queue.used > self.late {
                (queue.empty, queue.peak) = (now, 0);
            }
            if cong[q] & 1 == 1 {
                if queue.congested.is_none_or(|c| c + 1 < now) {
                    (queue.rose, queue.before) = (now, queue.congested.unwrap_or(0));
                }
                queue.congested = Some(now);
                self.bits = true;
            }
            if fill[q] == 0 {
                queue.drained = Some(now);
            } else {
                self.fills = true;
            }
        }
    }

    /// Isolation may be on.
    pub fn isolates(&self, now: u64) -> bool {
        self.registers.ctrl.since(now.saturating_sub(self.late)).any(|c| c & 1 == 1)
    }

    /// Data came for these outputs (a bit each).
    pub fn came(&mut self, outs: u32, vl: usize, dlid: u16, now: u64) {
        let of = |o: &usize| outs >> o & 1 == 1;
        (0..self.ports).filter(of).for_each(|o| _ = self.came.insert((o, vl, dlid), now));
    }

    /// A route is written: what came may go there, too.
    pub fn routed(&mut self, dlid: u32, port: u32, now: u64) {
        if let Ok(dlid) = u16::try_from(dlid) {
            (0..self.vls).for_each(|v| _ = self.came.insert((port as usize, v, dlid), now));
        }
    }

    /// An output proposes.
    pub fn propose(&mut self, t: Told, now: u64) {
        *self.proposed.entry((t.vl, t.hops, t.root)).or_default() |= 1 << t.o;
        if let Some(dlid) = t.dlid {
            self.listed.insert((t.o, t.vl, dlid), now);
        }
    }

    /// The link falls, or may not have been seen to be up again.
    fn is_loose(&self, now: u64) -> bool {
        self.down.is_some_and(|d| now - d <= self.late)
    }

    /// The link of this cycle, and stopped lines of the outputs.
    pub fn inputs(&mut self, up: bool, stops: &[u32], now: u64) {
        if up {
            self.fell = None;
        } else {
            if !self.is_loose(now) {
                self.lines.iter_mut().for_each(|l| *l = Line { since: l.since, ..Line::default() });
            }
            self.fell = self.fell.or(Some(now));
            self.down = Some(now);
        }
        for (last, lines) in self.stopped.iter_mut().zip(stops) {
            if *lines != 0 {
                *last = now;
            }
        }
    }

    /// A message, or none, of cycle `now`; what is charged then.
    pub fn cycle(
        &mut self,
        message: Option<(Message, u32)>,
        charges: &Charges,
        now: u64,
    ) -> Result<(), Broken> {
        if let Some((m, hops)) = message {
            self.message(m, hops, charges, now)?;
        }
        let queues = &self.queues;
        self.owed.retain(|owed| {
            let Queue { congested, drained, .. } = queues[owed.q];
            let shown = if owed.congested { congested } else { drained };
            shown.is_none_or(|at| at < owed.from)
        });
        if let Some(owed) = self.owed.iter().position(|o| now > o.by) {
            let Owed { rules, text, .. } = self.owed.swap_remove(owed);
            return broken("tree", rules, text);
        }
        if self.is_loose(now) {
            return Ok(());
        }
        let from = now.saturating_sub(self.late);
        let goes = self.registers.goes(from);
        for (k, line) in self.lines.iter_mut().enumerate() {
            let Some(tree) = &line.tree else { continue };
            let reach = charges.reach(tree.vl, &tree.list);
            line.peak = line.peak.max(reach);
            if line.loose {
                continue;
            }
            let since = |is: bool, was: Option<u64>| if is { was.or(Some(now)) } else { None };
            line.owes_go = since(line.stop && reach < goes, line.owes_go);
            let of = |o: &usize| line.outs >> o & 1 == 1;
            let idle =
                |o: usize| charges.most[o * self.vls + tree.vl] == 0 && now - self.stopped[o] > self.late;
            line.owes_end = since((0..self.ports).filter(of).all(idle), line.owes_end);
            if line.cold && self.down.is_none_or(|d| now - d > 2 * self.late) {
                let o = line.outs.trailing_zeros() as usize;
                let congested = self.queues[o * self.vls + tree.vl].congested.unwrap_or(0);
                let seen = congested.saturating_sub(self.late);
                let timer = self.registers.line_timer.since(seen).max().unwrap_or(0);
                if self.bits && now - congested > u64::from(timer) + self.late {
                    let text = format!("line {k}: no DEALLOC, though LINE_TIMER {timer} is over");
                    return broken("tree", "E8", text);
                }
                let refresh = self.registers.refresh.sure(line.told.saturating_sub(self.late)).unwrap_or(0);
                if refresh > 0 && now - line.told > u64::from(refresh) + self.late {
                    let text =
                        format!("line {k}: no ALLOC for {} cycles, REFRESH {refresh}", now - line.told);
                    return broken("tree", "E8", text);
                }
            }
            let late = |since: Option<u64>| since.is_some_and(|s| now - s > self.late);
            if late(line.owes_end) {
                let text = format!("line {k}: no DEALLOC, though nothing is there for it");
                return broken("tree", "E6", text);
            }
            if late(line.owes_go) {
                let text =
                    format!("line {k}: no GO, though at most {reach} flits are there for it, below {goes}");
                return broken("tree", "E5", text);
            }
        }
        Ok(())
    }

    fn message(&mut self, m: Message, hops: u32, charges: &Charges, now: u64) -> Result<(), Broken> {
        let k = m.line;
        let wrong = |rules: &'static str, text: String| broken("tree", rules, format!("line {k}: {text}"));
        let name = match m.kind {
            ALLOC => "ALLOC",
            DEALLOC => "DEALLOC",
            STOP => "STOP",
            _ => "GO",
        };
        if k >= self.lines.len() || m.vl >= self.vls {
            return wrong("E2", format!("{name} on VL {}; there are {} lines", m.vl, self.lines.len()));
        }
        if self.fell.is_some_and(|f| now - f > self.late) {
            return wrong("E2 F1", format!("{name} while the link is down"));
        }
        self.judged += 1;
        let loose = self.is_loose(now);
        let line = self.lines[k].clone();
        let known = line.tree.as_ref().filter(|_| !line.loose && !loose);
        if m.kind == ALLOC {
            return self.alloc(m, hops, known.map(|tree| (&line, tree)), loose, charges, now);
        }
        let free = line.tree.is_none() && !line.loose && !loose;
        if free || known.is_some_and(|t| t.vl != m.vl) {
            return wrong("E2", format!("{name} on VL {}, of no line that was announced there", m.vl));
        }
        let stop = m.kind == STOP;
        if let Some(tree) = known.filter(|_| m.kind != DEALLOC) {
            if line.stop == stop {
                return wrong("E5", format!("{name} again"));
            }
            if stop {
                self.may_stop(k, &line, line.peak.max(charges.reach(tree.vl, &tree.list)), now)?;
            }
        }
        if let Some(tree) = known.filter(|_| m.kind == DEALLOC) {
            self.may_end(k, &line, tree.vl, now)?;
        }
        let slot = &mut self.lines[k];
        if m.kind == DEALLOC {
            *slot = Line { since: now.saturating_sub(2 * self.late), ..Line::default() };
        } else {
            (slot.stop, slot.owes_go) = (stop, None);
            if !stop {
                (slot.went, slot.peak) = (now, 0);
            }
        }
        slot.loose = loose;
        Ok(())
    }

    /// It stops: its queue had at most `peak` flits since it last said go.
    fn may_stop(&mut self, k: usize, line: &Line, peak: u32, now: u64) -> Result<(), Broken> {
        self.stops += 1;
        // (It keeps what is of no list, too.)
        if line.cold {
            return broken("tree", "E5", format!("line {k}: a root stops"));
        }
        if now - line.went <= 2 * self.late {
            return Ok(());
        }
        let least = self.registers.stops(line.went.saturating_sub(self.late));
        if peak <= least {
            let text = format!("line {k}: stopped, though at most {peak} flits were there, STOP {least}");
            return broken("tree", "E5", text);
        }
        Ok(())
    }

    /// Since when a line of this output and VL may have been there: it ends when nothing is there for it, and is announced in its place.
    fn anew(&self, k: usize, o: usize, vl: usize) -> u64 {
        self.emptied(o, vl).max(self.lines[k].since)
    }

    /// Nothing is there for this output and VL that came before.
    fn emptied(&self, o: usize, vl: usize) -> u64 {
        self.queues[o * self.vls + vl].empty.saturating_sub(2 * self.late)
    }

    /// A line is announced for the first time: it has a reason. `hot`: its outputs, if it is no root's.
    fn begins(&mut self, k: usize, vl: usize, hot: Option<u64>, here: usize, now: u64) -> Result<(), Broken> {
        let wrong = |rules: &'static str, text: &str| broken("tree", rules, format!("line {k}: {text}"));
        let queue = |o: usize| &self.queues[o * self.vls + vl];
        let Some(outs) = hot else {
            let same = |l: &Line| {
                l.own && !l.loose && l.outs == 1 << here && l.tree.as_ref().is_some_and(|t| t.vl == vl)
            };
            if self.lines.iter().any(same) {
                return wrong("E1", "a root whose output and VL has another line");
            }
            if self.bits {
                self.owed.push(Owed {
                    q: here * self.vls + vl,
                    congested: true,
                    from: self.anew(k, here, vl),
                    by: now + self.show,
                    rules: "E1",
                    text: format!("line {k}: a root whose queue was not congested"),
                });
            }
            return Ok(());
        };
        let reached = |o: usize| {
            let from = self.anew(k, o, vl);
            queue(o).peak > self.registers.stops(from)
        };
        // (A root may have been there before, whatever it is now.)
        let of = |o: &usize| outs >> o & 1 == 1;
        if !(0..self.ports).filter(of).any(|o| o == here || reached(o)) {
            return wrong("E5", "announced before its queue has reached STOP");
        }
        Ok(())
    }

    /// A root ends: nothing is left there, isolation is off, or its queue was not congested for so long.
    fn may_end(&mut self, k: usize, line: &Line, vl: usize, now: u64) -> Result<(), Broken> {
        if !line.cold || !self.fills || !self.bits {
            return Ok(());
        }
        let q = line.outs.trailing_zeros() as usize * self.vls + vl;
        let from = now.saturating_sub(self.late);
        let queue = &self.queues[q];
        let off = self.registers.ctrl.since(from).any(|c| c & 1 == 0);
        // (It may have ended just before it was congested again.)
        let again = now - queue.rose <= self.show;
        let congested = if again { queue.before } else { queue.congested.unwrap_or(0) };
        let timer = self.registers.line_timer.since(congested.saturating_sub(self.late)).min().unwrap_or(0);
        let calm = (now - congested) as u32;
        if !off && u64::from(calm) + self.late < timer.into() {
            let text =
                format!("line {k}: a root ends {calm} cycles after it was congested, LINE_TIMER {timer}");
            let by = now + self.show;
            self.owed.push(Owed { q, congested: false, from, by, rules: "E6 E8", text });
        }
        Ok(())
    }

    fn alloc(
        &mut self,
        m: Message,
        hops: u32,
        known: Option<(&Line, &Message)>,
        loose: bool,
        charges: &Charges,
        now: u64,
    ) -> Result<(), Broken> {
        let k = m.line;
        let wrong = |rules: &'static str, text: String| broken("tree", rules, format!("line {k}: {text}"));
        let mut list = m.list.clone();
        list.sort_unstable();
        list.dedup();
        if m.list.is_empty() || list.len() < m.list.len() {
            return wrong("E2", format!("ALLOC with the list {:?}", m.list));
        }
        if !self.isolates(now) {
            return wrong("E1", "ALLOC without iso_en".into());
        }
        // Whose tree it is: one that an output proposed, or that of an output here.
        let told = self.proposed.get(&(m.vl, hops, m.root)).copied().unwrap_or(0);
        let anew = |o: usize| self.anew(k, o, m.vl);
        let all = |o: usize, seen: &Destinations, from: u64| {
            m.list.iter().all(|d| seen.get(&(o, m.vl, *d)).is_some_and(|at| *at >= from))
        };
        // (With one queue the line of a root comes to be of a tree that is proposed.)
        let listed = |o: usize| {
            all(o, &self.listed, anew(o)) || self.one_queue && all(o, &self.came, self.emptied(o, m.vl))
        };
        let hot = (0..self.ports).filter(|o| told >> o & 1 == 1 && listed(*o));
        let hot = hot.fold(0, |outs, o| outs | 1 << o);
        let here = (m.root & 0xff) as usize;
        let ids = &self.registers.switch_id;
        let ours = |o: usize| ids.forgets(anew(o)) || ids.since(anew(o)).any(|id| id == m.root >> 8);
        // (What came before the line was there may have waited for it.)
        let came = |o: usize| all(o, &self.came, self.emptied(o, m.vl));
        let root = hops == 1 && here < self.ports && ours(here) && came(here);
        if hot == 0 && !root {
            let text = format!(
                "ALLOC of tree {:#x}, {hops} hops, VL {}, list {:?}: no output proposed that, and it is of none here",
                m.root, m.vl, m.list
            );
            return wrong("E1 E3", text);
        }
        let own = root && hot == 0;
        let ctrl = &self.registers.ctrl;
        let cold = |from: u64| !ctrl.forgets(from) && ctrl.since(from).all(|c| c >> 4 & 1 == 0);
        let cold = own
            && !self.one_queue
            && match known {
                Some((line, _)) if line.own => line.cold,
                _ => cold(anew(here)),
            };
        if known.is_none() && !loose && !self.lines[k].loose {
            match own {
                // (It was announced when it stopped, as any other.)
                true if self.one_queue => self.begins(k, m.vl, Some(1 << here), self.ports, now)?,
                true => self.begins(k, m.vl, None, here, now)?,
                false => self.begins(k, m.vl, Some(hot), here, now)?,
            }
        }
        if let Some((line, before)) = known {
            if before.vl != m.vl || !m.list.starts_with(&before.list) {
                let text = format!(
                    "ALLOC on VL {} with the list {:?}; before it was VL {} and {:?}",
                    m.vl, m.list, before.vl, before.list
                );
                return wrong("E2", text);
            }
            if before.list.len() == m.list.len() {
                let quiet = self.registers.refresh.sure(line.told.saturating_sub(2 * self.late));
                if quiet == Some(0) {
                    let text = "ALLOC again, with the list as before and without REFRESH";
                    return wrong("E2 E8", text.into());
                }
                if m.stop && !line.stop {
                    self.may_stop(k, line, line.peak.max(charges.reach(m.vl, &m.list)), now)?;
                }
            }
        }
        if m.stop && cold {
            return wrong("E5", "a root stops".into());
        }
        let slot = &mut self.lines[k];
        if !m.stop {
            (slot.went, slot.peak) = (now, 0);
        }
        slot.outs = hot | if root { 1 << here } else { 0 };
        (slot.own, slot.cold) = (own, cold);
        (slot.loose, slot.stop, slot.told) = (loose, m.stop, now);
        (slot.owes_go, slot.owes_end) = (None, None);
        slot.tree = Some(m);
        Ok(())
    }
}
