//! What outputs and inputs do with their CAM lines.

use super::bits::{ones, round};
use super::credit::{NEVER, Sender};
use super::lines::{
    ALLOC, AWAY, DEALLOC, Effect, GO, InLines, Line, Move, OutLine, Prop, STOP, State, Verdict, follow_stop,
};
use super::packet::{Id, NONE};
use super::ports::Input;
use super::state::{Core, Grant};
use super::wheel::Wake;
use crate::model::link::{MAX_DLIST, Message};
use crate::scheme::Detector;

impl Core {
    /// Section 6 of the input port (10, if it has one queue), from S(t); `grants` are those of this input, `accepted` is the
    /// queue of a packet that arrives. Changes the lines only; the move is for the caller to make.
    pub fn step_lines(
        &mut self,
        node: usize,
        input: usize,
        t: u64,
        grants: &[Grant],
        prop: Option<Prop>,
        accepted: Option<usize>,
    ) -> Option<Move> {
        let head = self.nodes[node].shape.detector == Detector::Head;
        let (published, turns) = if head { self.head_published(node, input, t) } else { (false, NEVER) };
        let mut iso = self.inputs[input].lines.take()?;
        if head {
            iso.head.look(t, published);
        }
        let waited = iso.head.wait;
        let before = (iso.used, iso.msg_ptr, iso.cnt_nohpq, iso.cnt_noline);
        let mut changed = prop.is_some();
        // Outputs whose requests may change.
        let mut touched = prop.map_or(0, |p| 1u64 << p.out);
        let moved = self.choose_move(node, &iso, input, grants);
        let effect = prop.map_or(Effect::Nothing, |p| self.judge_prop(&mut iso, input, p, grants));
        let root = self.find_congestion(node, &mut iso, input, t, grants, effect);
        let refresh = self.inputs[input].regs.refresh;
        let phase = t - self.inputs[input].regs.refresh_origin;
        let refreshes = refresh > 0 && phase % refresh == refresh - 1;
        let mut wake = NEVER;
        if iso.used > 0 {
            let mut verdicts = std::mem::take(&mut self.verdicts);
            verdicts.clear();
            for k in 0..iso.lines.len() {
                verdicts.push(self.judge(node, &iso, input, k, t, grants, moved, effect, accepted));
            }
            let server = self.send_message(&mut iso, input, &verdicts, t);
            changed |= server.is_some();
            let mut contributes = 0;
            for (k, v) in verdicts.iter().enumerate() {
                let l = &iso.lines[k];
                if l.state == State::Free {
                    continue;
                }
                let (old, out) = (l.key(), l.out);
                let sent = v.wants.filter(|_| server == Some(k));
                // Section 12: of the queue of a line what is granted is gone already.
                let leaves = if head && self.inputs[input].release {
                    let of = |g: &&Grant| g.queue == iso.lines[k].queue && iso.lines[k].hpq();
                    let head = |g: &Grant| self.inputs[input].queues[g.queue].head;
                    grants.iter().find(of).map_or(0, |g| self.pool[head(g)].n)
                } else {
                    0
                };
                self.update_line(node, &mut iso, input, k, t, *v, sent, refreshes, prop, leaves);
                let l = &iso.lines[k];
                if l.key() != old {
                    changed = true;
                    touched |= 1 << out;
                }
                if l.is_root_cfq() && l.cong {
                    contributes |= 1 << l.out;
                }
            }
            self.verdicts = verdicts;
            if head {
                self.contribute_lines(node, &mut iso, contributes, t);
            }
        } else if head {
            self.contribute_lines(node, &mut iso, 0, t);
        }
        match (effect, prop) {
            (Effect::Take(line, hpq, dlid), Some(p)) => {
                let queue = self.nodes[node].shape.cold_queues() + hpq;
                iso.lines[line] = Line {
                    state: State::Hot,
                    out: p.out,
                    vl: p.vl,
                    queue,
                    hops: p.hops,
                    root: p.root,
                    next: p.line,
                    linked: true,
                    dlist: vec![dlid],
                    ..Line::default()
                };
                iso.hpq[hpq] = Some(line as u8);
                iso.used += 1;
            }
            _ => {
                if let Some((line, new)) = root {
                    if new.state == State::Hot {
                        let hpq = new.queue - self.nodes[node].shape.cold_queues();
                        iso.hpq[hpq] = Some(line as u8);
                    }
                    touched |= 1 << new.out;
                    iso.lines[line] = new;
                    iso.used += 1;
                }
            }
        }
        if head {
            self.count_wait(&mut iso, input, published, grants, moved);
        }
        if let Some(m) = moved {
            touched |= 1 << m.out;
            iso.mv = (m.from + 1) % self.nodes[node].shape.cold_queues();
        }
        changed |= before != (iso.used, iso.msg_ptr, iso.cnt_nohpq, iso.cnt_noline) || moved.is_some();
        if changed {
            let can = iso.can_alloc();
            if can && !iso.can {
                iso.rose = t + 1;
            }
            iso.can = can;
        }
        // When to look again.
        if changed {
            wake = t + 1;
        } else {
            if iso.used > 0 {
                wake = self.next_look(&iso, input, t);
            }
            wake = wake.min(turns);
            let hold = self.inputs[input].regs.hold;
            if published && waited < hold {
                wake = wake.min(t + 1 + u64::from(hold.saturating_sub(iso.head.wait)));
            }
        }
        self.inputs[input].lines = Some(iso);
        if wake != NEVER {
            self.wheel.plan(wake, Wake::Input, input);
        }
        if changed {
            self.wake_outputs(node, touched, t + 1);
        }
        moved
    }

    /// Outputs whose requests changed look again, and those whose lines ask what the input has room for.
    pub(super) fn wake_outputs(&mut self, node: usize, touched: u64, t: u64) {
        let n = &self.nodes[node];
        for o in 0..n.shape.outs {
            let output = &self.outputs[n.output + o];
            let tells = output.lines.as_ref().is_some_and(|l| l.valid != 0);
            if (tells || touched >> o & 1 != 0) && output.wanted() {
                self.wheel.plan(t, Wake::Output, n.output + o);
            }
        }
    }

    /// The first cycle after `t` in which time alone changes a line.
    pub(super) fn next_look(&self, iso: &InLines, input: usize, t: u64) -> u64 {
        let i = &self.inputs[input];
        let mut next = NEVER;
        let mut ann = false;
        for l in iso.lines.iter().filter(|l| l.state != State::Free) {
            if let Some(since) = l.since {
                next = next.min((since + i.regs.line_timer).max(t + 1));
            }
            ann |= l.ann;
            let e = &i.engines[l.out];
            let reads = e.charged && e.queue == l.queue as u32;
            if reads && e.last >= t {
                // Drained.
                next = next.min(e.last + 1);
                let below = l.stop_req.then_some(i.regs.hot.low);
                let clears = l.cong.then_some(i.regs.cold.low);
                for low in below.into_iter().chain(clears) {
                    let whole = i.queues[l.queue].charge;
                    if whole >= low && whole - low < e.run.n {
                        let at = e.run.first + u64::from(whole - low) * u64::from(e.run.step) + 1;
                        next = next.min(at.max(t + 1));
                    }
                }
            }
        }
        if ann && i.regs.refresh > 0 {
            let phase = (t - i.regs.refresh_origin) % i.regs.refresh;
            let fires = t + (i.regs.refresh - 1 - phase);
            next = next.min(if fires > t { fires } else { fires + i.regs.refresh });
        }
        next
    }

    pub fn popped(&self, q: usize, grants: &[Grant]) -> bool {
        grants.iter().any(|g| g.queue == q)
    }

    /// E4: over the CPQs round robin, a head that matches a HOT line.
    pub(super) fn choose_move(
        &self,
        node: usize,
        iso: &InLines,
        input: usize,
        grants: &[Grant],
    ) -> Option<Move> {
        if iso.hpq.iter().all(Option::is_none) {
            return None;
        }
        let shape = &self.nodes[node].shape;
        let i = &self.inputs[input];
        let total = shape.cold_queues();
        let mut best: Option<(usize, Move)> = None;
        for k in iso.hpq.iter().flatten() {
            let l = &iso.lines[*k as usize];
            let q = shape.cold(l.out, l.vl);
            let head = i.queues[q].head;
            if l.state != State::Hot || head == NONE || self.popped(q, grants) {
                continue;
            }
            let p = &self.pool[head];
            let out = usize::from(self.nodes[node].lft[p.dst as usize + 1]);
            if !p.kind.is_isolated() || out != l.out || iso.matching(out, l.vl, p.dlid()) != Some(*k as usize)
            {
                continue;
            }
            let rank = (q + total - iso.mv) % total;
            if best.is_none_or(|(r, _)| rank < r) {
                let m = Move { from: q, to: l.queue, line: *k as usize, n: p.n, out, vl: l.vl };
                best = Some((rank, m));
            }
        }
        best.map(|(_, m)| m)
    }

    /// E3.
    pub(super) fn judge_prop(&self, iso: &mut InLines, input: usize, p: Prop, grants: &[Grant]) -> Effect {
        let granted = grants.iter().any(|g| g.local_out == p.out && g.vl == p.vl);
        if !p.kind.is_isolated() || granted || !self.inputs[input].regs.iso_en {
            return Effect::Nothing;
        }
        if let Some(k) = p.hot {
            return if iso.lines[k].state == State::Hot { Effect::Relink(k) } else { Effect::Nothing };
        }
        let dlid = self.pool[p.packet].dlid();
        let joins = |l: &Line| {
            l.state == State::Hot && l.out == p.out && l.vl == p.vl && l.linked && l.next == p.line
        };
        if iso.lines.iter().any(joins) {
            let room = iso.lines.iter().position(|l| joins(l) && l.dlist.len() < iso.dlist);
            return room.map_or(Effect::Nothing, |k| Effect::Append(k, dlid));
        }
        match (iso.free_line(), iso.free_hpq()) {
            (Some(line), Some(hpq)) => Effect::Take(line, hpq, dlid),
            _ => {
                iso.cnt_nohpq = (iso.cnt_nohpq + 1).min(0xffff);
                Effect::Nothing
            }
        }
    }

    /// Conditions of a line.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn judge(
        &self,
        node: usize,
        iso: &InLines,
        input: usize,
        k: usize,
        t: u64,
        grants: &[Grant],
        moved: Option<Move>,
        effect: Effect,
        accepted: Option<usize>,
    ) -> Verdict {
        let l = &iso.lines[k];
        let mut v = Verdict::default();
        if l.state == State::Free {
            return v;
        }
        let shape = &self.nodes[node].shape;
        let i = &self.inputs[input];
        let iso_en = i.regs.iso_en;
        let fill = i.fill(l.out, l.queue, t);
        let packets = i.queues[l.queue].packets;
        let root = l.state == State::Root;
        let collects = root || l.own && l.state == State::Hot;
        let moved = moved.filter(|m| m.line == k);
        let accepted = accepted.is_some_and(|q| root && q == l.queue);
        if collects {
            // Collect: a granted cold data packet.
            let cold = shape.cold(l.out, l.vl);
            let cold = grants.iter().find(|g| g.queue == cold && g.kind.is_isolated());
            if let Some(g) = cold
                && !l.dlist.contains(&g.dlid)
                && l.dlist.len() < iso.dlist
            {
                v.append = Some(g.dlid);
            }
        } else {
            match effect {
                Effect::Append(line, dlid) if line == k => v.append = Some(dlid),
                Effect::Relink(line) if line == k => v.relink = true,
                _ => {}
            }
        }
        v.over = moved.is_some_and(|m| fill + m.n > i.regs.hot.high);
        v.below = fill < i.regs.hot.low;
        v.expired = l.since.map_or(0, |s| t - s) >= i.regs.line_timer;

        let drained = packets == 0 && fill == 0;
        let quiet = drained && !l.stop_req && !l.sent_stop;
        let forced = root && (v.expired || !iso_en);
        let free = match l.state {
            State::Root => forced || quiet,
            State::Hot => quiet && !self.stopped(node, input, l),
            _ => drained,
        };
        let awaited = l.state == State::Hot && {
            let head = i.queues[shape.cold(l.out, l.vl)].head;
            head != NONE && {
                let p = &self.pool[head];
                let out = usize::from(self.nodes[node].lft[p.dst as usize + 1]);
                p.kind.is_isolated() && out == l.out && l.dlist.contains(&p.dlid())
            }
        };
        let used = awaited || moved.is_some() || accepted && !forced || v.append.is_some() || v.relink;
        v.free = free && !used;
        let alloc = l.state != State::Drain && l.reached && !l.dlist.is_empty() && (!l.ann || l.dirty);
        v.wants = if v.free {
            l.ann.then_some(DEALLOC)
        } else if alloc {
            Some(ALLOC)
        } else if l.ann && l.stop_req && !l.sent_stop {
            Some(STOP)
        } else if l.ann && !l.stop_req && l.sent_stop {
            Some(GO)
        } else {
            None
        };
        v
    }

    /// The output line that a HOT line is linked to stops the input.
    pub(super) fn stopped(&self, node: usize, input: usize, l: &Line) -> bool {
        let o = &self.outputs[self.nodes[node].output + l.out];
        let local = self.inputs[input].port as usize;
        l.linked && o.lines.as_ref().is_some_and(|o| o.stops(local, l.next))
    }

    /// One line sends a message, shown in the next cycle.
    pub(super) fn send_message(
        &mut self,
        iso: &mut InLines,
        input: usize,
        verdicts: &[Verdict],
        t: u64,
    ) -> Option<usize> {
        let n = verdicts.len();
        let k = (0..n).map(|k| (iso.msg_ptr + k) % n).find(|&k| verdicts[k].wants.is_some())?;
        iso.msg_ptr = (k + 1) % n;
        let l = &iso.lines[k];
        let kind = verdicts[k].wants?;
        let mut m = Message { kind, line: k as u32, vl: l.vl as u32, ..Message::default() };
        if kind == ALLOC {
            (m.root, m.hops, m.stop, m.dcnt) = (l.root, l.hops, l.stop_req, l.dlist.len() as u32);
            m.dlist[..l.dlist.len()].copy_from_slice(&l.dlist);
        }
        iso.message = Some((t + 1, m));
        let credits = self.inputs[input].credits;
        let c = &self.credits[credits];
        if let Sender::Output(out) = c.sender {
            let at = t + 1 + c.delay;
            if let Some(far) = &mut self.outputs[out].lines {
                far.messages.push_back((at, m));
                self.wheel.plan(at, Wake::Output, out);
            }
        }
        Some(k)
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn update_line(
        &mut self,
        node: usize,
        iso: &mut InLines,
        input: usize,
        k: usize,
        t: u64,
        v: Verdict,
        sent: Option<u32>,
        refreshes: bool,
        prop: Option<Prop>,
        leaves: u32,
    ) {
        let cold = self.nodes[node].shape.cold_queues();
        let l = &iso.lines[k];
        if v.free && (!l.ann || sent == Some(DEALLOC)) {
            if l.hpq() {
                iso.hpq[l.queue - cold] = None;
                let (out, queue) = (l.out, l.queue);
                self.inputs[input].settle(out, queue);
            }
            iso.lines[k] = Line::default();
            iso.used -= 1;
            return;
        }
        let out = self.nodes[node].output + l.out;
        let seen = self.outputs[out].lines.as_ref().map_or(0, |o| o.seen_valid);
        let i = &self.inputs[input];
        let iso_en = i.regs.iso_en;
        let fill = i.fill(l.out, l.queue, t);
        let cold = i.regs.cold;
        let counting = match l.state {
            State::Root => !i.cong[l.queue],
            State::Hot => {
                !(l.linked
                    || v.relink
                    || l.own
                    || l.is_root_cfq() && self.nodes[node].shape.detector == Detector::Head)
            }
            _ => l.since.is_some(),
        };
        let was_ann = l.ann;
        let root_cfq = l.is_root_cfq();
        let l = &mut iso.lines[k];
        l.cong =
            self.nodes[node].shape.detector == Detector::Head && root_cfq && cold.next(l.cong, fill - leaves);
        if l.state != State::Drain {
            l.since = if counting { Some(l.since.unwrap_or(t)) } else { None };
        }
        // Messages; what a message says is of S(t), so its effects come first.
        match sent {
            Some(ALLOC) => {
                l.ann = true;
                l.dirty = false;
                l.sent_stop = l.stop_req;
            }
            Some(STOP) => l.sent_stop = true,
            Some(GO) => l.sent_stop = false,
            _ => {}
        }
        if v.over {
            if l.reached {
                l.stop_req = true;
            } else {
                l.reached = true;
            }
        } else if v.below {
            l.stop_req = false;
        }
        if let Some(dlid) = v.append {
            l.dlist.push(dlid);
            l.dirty |= l.ann;
        }
        if refreshes && was_ann {
            l.dirty = true;
        }
        if let (true, Some(p)) = (v.relink, prop) {
            (l.next, l.linked, l.hops, l.root) = (p.line, true, p.hops, p.root);
        } else if l.hpq() && l.linked && seen >> l.next & 1 == 0 {
            l.linked = false;
        }
        if l.state == State::Hot && (v.expired && !v.relink || !iso_en) {
            l.state = State::Drain;
        }
    }

    /// Section 6 of the output port: the message of this cycle, and lines that grew too old. Arbitration of the cycle is over.
    pub fn update_out_lines(&mut self, node: usize, out: usize, t: u64) {
        let (vls, inputs) = (self.nodes[node].shape.vls, self.nodes[node].shape.inputs);
        // The inputs' packets that wait for a line, which decide whether one that ends is kept.
        let awaited = self.awaited_lines(node, out, t);
        let o = &mut self.outputs[out];
        let (iso_en, limit) = (o.regs.iso_en, o.regs.line_timer);
        let Some(lines) = &mut o.lines else { return };
        let was_closing = lines.closing;
        // What the inputs register in this cycle.
        if lines.changed == t || lines.waiting && lines.waits != lines.seen_waits {
            self.nodes[node].registers.push((out, lines.valid, lines.stop));
        }
        let mut changed = false;
        let mut accepted = None;
        // Turns that are lost, each with its VL.
        let mut lost: Vec<(usize, usize)> = Vec::new();
        // The line to which another tree comes.
        let mut other_tree = None;
        while let Some(&(at, m)) = lines.messages.front() {
            if at > t {
                break;
            }
            lines.messages.pop_front();
            let (k, vl) = (m.line as usize, m.vl as usize);
            if !iso_en || k >= lines.lines.len() || vl >= vls {
                continue;
            }
            let l = &mut lines.lines[k];
            let same = l.valid && l.vl == vl && (m.kind == DEALLOC || lines.closing >> k & 1 == 0);
            match m.kind {
                ALLOC => {
                    let dlist = m.dlist[..(m.dcnt as usize).min(MAX_DLIST)].to_vec();
                    let differs = l.differs(&m, &dlist);
                    let other = l.valid && differs;
                    if differs {
                        other_tree = Some(k);
                    }
                    lost.extend(lines.at_stake(k, awaited).filter(|_| other).map(|v| (k, v)));
                    let l = &mut lines.lines[k];
                    let back = if other { t + AWAY } else { l.back };
                    lines.closing &= !(1 << k);
                    if other || !l.valid {
                        lines.fresh &= !(1 << k);
                    } else {
                        lines.fresh = follow_stop(lines.fresh, k, l.stop, m.stop);
                    }
                    *l = OutLine {
                        valid: true,
                        stop: m.stop,
                        vl,
                        hops: m.hops,
                        root: m.root,
                        since: t + 1,
                        back,
                        dlist,
                    };
                }
                _ if !same => continue,
                DEALLOC => lost.extend(lines.end(k, t, awaited).map(|v| (k, v))),
                kind => {
                    lines.fresh = follow_stop(lines.fresh, k, l.stop, kind == STOP);
                    l.stop = kind == STOP;
                    l.since = t + 1;
                }
            }
            changed = true;
            accepted = Some(k);
            if lines.lines[k].valid {
                lines.used |= 1 << k;
                self.wheel.plan(t + 1 + limit, Wake::Output, out);
            }
        }
        for k in ones(lines.used.into()) {
            let l = &mut lines.lines[k];
            let bit = 1 << k;
            let over = was_closing & bit != 0 && (lines.fresh & awaited & bit == 0);
            if accepted != Some(k) && over {
                lost.extend(lines.at_stake(k, awaited).map(|v| (k, v)));
                lines.free(k, t);
                changed = true;
            } else if accepted != Some(k) && t - l.since.min(t) >= limit {
                lost.extend(lines.end(k, t, awaited).map(|v| (k, v)));
                self.wheel.plan(t + 1 + limit, Wake::Output, out);
                changed = true;
            } else if l.back > t {
                // It is back in the next cycle, or later.
                changed |= l.back == t + 1;
                self.wheel.plan((l.back - 1).max(t + 1), Wake::Output, out);
            }
        }
        if other_tree.is_some() || !lost.is_empty() {
            let drawn = lines.draw(inputs);
            if let Some(k) = other_tree {
                lines.turn[k] = drawn;
            }
            for (_, vl) in lost {
                o.order.put_first(vl, drawn.into());
            }
        }
        if changed {
            let set = |of: &dyn Fn(&OutLine) -> bool| {
                lines.lines.iter().enumerate().map(|(k, l)| u32::from(of(l)) << k).sum()
            };
            let used = set(&|l| l.valid);
            let valid = set(&|l| l.valid && l.back <= t + 1);
            let stop = valid & set(&|l| l.stop);
            (lines.changed, lines.used, lines.valid, lines.stop) = (t + 1, used, valid, stop);
            self.wheel.plan(t + 1, Wake::Output, out);
            // H5: an adapter's flows register what its lines say.
            let credits = self.inputs[self.nodes[node].input].credits;
            if let Sender::Source(h) = self.credits[credits].sender {
                self.wheel.plan(t + 1, Wake::Source, h);
            }
        }
    }

    /// Lines with a turn that is due, for which a packet waits, if one of them may end in this cycle.
    pub(super) fn awaited_lines(&self, node: usize, out: usize, t: u64) -> u32 {
        let o = &self.outputs[out];
        let Some(lines) = &o.lines else { return 0 };
        let due = lines.valid & (lines.fresh | lines.closing | lines.stop);
        if due == 0 {
            return 0;
        }
        let message = lines.messages.front().is_some_and(|m| m.0 <= t);
        let expires = |k: &usize| t - lines.lines[*k].since.min(t) >= o.regs.line_timer;
        if !message && lines.closing == 0 && !ones(due.into()).any(|k| expires(&k)) {
            return 0;
        }
        let waits = |k: &usize| self.pending(node, out, *k, lines.lines[*k].vl, t, &mut 0) != 0;
        ones(due.into()).filter(waits).map(|k| 1 << k).sum()
    }

    /// Section 6 of the output port: whose turn it is at the lines that are fresh, and who waits for it.
    pub fn find_turns(&mut self, node: usize, out: usize, t: u64) {
        let Some(mut lines) = self.outputs[out].lines.take() else { return };
        let fresh = lines.fresh & lines.valid;
        let mut later = NEVER;
        lines.waiting = false;
        for k in 0..lines.lines.len() {
            let pend = match fresh >> k & 1 {
                0 => 0,
                _ => self.pending(node, out, k, lines.lines[k].vl, t, &mut later),
            };
            lines.whose[k] = round(pend, lines.turn[k].into());
            lines.waits[k] = lines.whose[k].map_or(0, |i| pend & !(1 << i));
            lines.waiting |= lines.waits[k] | lines.seen_waits[k] != 0;
        }
        self.outputs[out].lines = Some(lines);
        if later != NEVER {
            self.wheel.plan(later, Wake::Output, out);
        }
    }

    /// `pend`: inputs with a packet that could start and is bound to line `k` of an output; `later` is brought forward to the
    /// cycle in which time alone may add one.
    pub(super) fn pending(
        &self,
        node: usize,
        out: usize,
        k: usize,
        vl: usize,
        t: u64,
        later: &mut u64,
    ) -> u64 {
        let n = &self.nodes[node];
        let o = out - n.output;
        let mut startable = |id: Id| {
            let start = self.pool[id].start;
            if start > t {
                *later = start.min(*later);
            }
            start <= t
        };
        let mut pend = 0;
        for i in ones(self.outputs[out].want[vl]) {
            let input = &self.inputs[n.input + i];
            let Some(iso) = &input.lines else { continue };
            let q = n.shape.cold(o, vl);
            let head = input.queues[q].head;
            let cold = iso.bound(q, None) == Some(k) && head != NONE && {
                let p = &self.pool[head];
                usize::from(n.lft[p.dst as usize + 1]) == o && iso.matching(o, vl, p.dlid()).is_none()
            };
            let hot = iso.with_hpq().map(|(h, line)| (n.shape.cold_queues() + h, &iso.lines[line]));
            let mut heads = hot
                .filter(|(q, l)| l.out == o && l.vl == vl && iso.bound(*q, Some(l)) == Some(k))
                .map(|(q, _)| input.queues[q].head)
                .chain(Some(head).filter(|_| cold));
            pend |= u64::from(heads.any(|head| head != NONE && startable(head))) << i;
        }
        pend
    }

    /// What the grants of a cycle mean to the turns of lines.
    pub fn end_turns(&mut self, node: usize, grants: &[Grant]) {
        let (in0, inputs) = (self.nodes[node].input, self.nodes[node].shape.inputs);
        for g in grants.iter().filter(|g| g.kind.is_isolated()) {
            let Some(lines) = &mut self.outputs[g.out].lines else { continue };
            if lines.fresh != 0 {
                let of = |k: &usize| lines.lines[*k].lists(g.vl, g.dlid);
                let used: u32 = ones((lines.fresh & lines.valid).into()).filter(of).map(|k| 1 << k).sum();
                for k in ones(used.into()).chain(g.bound) {
                    lines.end_turn(k, g.input - in0, inputs);
                }
            }
        }
    }

    /// Ties end when their line is gone; those of cold queues also when the input can take a line again.
    pub fn untie(&mut self, node: usize, input: usize, t: u64) {
        let Some(mut iso) = self.inputs[input].lines.take() else { return };
        let (n, i) = (&self.nodes[node], &self.inputs[input]);
        let (cold, out0) = (n.shape.cold_queues(), n.output);
        for q in 0..iso.ties.len() {
            let Some(k) = iso.ties[q] else { continue };
            let out = match q.checked_sub(cold) {
                Some(h) => iso.line_of(h).map(|l| l.out),
                None if n.shape.one_queue() => {
                    Some(n.lft[self.pool[i.queues[q].head].dst as usize + 1].into())
                }
                None => Some(i.outs[q].into()),
            };
            let Some(o) = out.map(|o| out0 + o) else { continue };
            let lost = self.outputs[o].lines.as_ref().is_none_or(|l| l.seen_valid >> k & 1 == 0);
            if lost || q < cold && iso.rose == t {
                iso.tie(q, None);
                self.wheel.plan(t + 1, Wake::Output, o);
                self.wheel.plan(t + 1, Wake::Input, input);
            }
        }
        self.inputs[input].lines = Some(iso);
    }

    /// The inputs have registered an output's lines: what depends on them looks again in cycle `t`.
    pub fn register_lines(&mut self, node: usize, t: u64) {
        let mut list = std::mem::take(&mut self.nodes[node].registers);
        for (out, valid, stop) in list.drain(..) {
            let Some(lines) = &mut self.outputs[out].lines else { continue };
            if (lines.seen_valid, lines.seen_stop) == (valid, stop) && lines.seen_waits == lines.waits {
                continue;
            }
            let lost = lines.seen_valid & !valid != 0;
            (lines.seen_valid, lines.seen_stop) = (valid, stop);
            lines.seen_waits.copy_from_slice(&lines.waits);
            let waits = lines.waits.iter().enumerate().map(|(k, w)| u32::from(*w != 0) << k);
            lines.halts = stop | waits.sum::<u32>();
            self.wheel.plan(t, Wake::Output, out);
            let local = out - self.nodes[node].output;
            let n = &self.nodes[node];
            for input in n.input..n.input + n.shape.inputs {
                let i = &self.inputs[input];
                let uses = |l: &Line| l.hpq() && l.out == local;
                let ties = |iso: &InLines| (lost || n.shape.one_queue()) && iso.tied > 0;
                if i.lines.as_ref().is_some_and(|iso| ties(iso) || iso.lines.iter().any(uses)) {
                    self.wheel.plan(t, Wake::Input, input);
                }
            }
        }
        self.nodes[node].registers = list;
    }
}

impl Input {
    /// The engine of an output is done with a queue: the charge is settled.
    pub fn settle(&mut self, out: usize, queue: usize) {
        let e = &mut self.engines[out];
        if e.charged && e.queue == queue as u32 {
            self.queues[queue].charge -= e.run.n;
            e.charged = false;
        }
    }
}
