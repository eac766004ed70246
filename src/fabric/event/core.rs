//! One cycle of a switch or adapter: what outputs decide, what inputs do.

use super::credit::{Credits, NEVER, Run, Sender};
use super::host::Host;
use super::lines::{Accepted, Prop, Verdict};
use super::packet::{Id, NONE, Pool};
use super::ports::{Arrivals, Far, Input, NOWHERE, Output, RECENT, Sent};
use super::turns::Turns;
use super::wheel::{Kind, Wheel};

/// What the ports of a node have in common.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub outs: usize,
    pub inputs: usize,
    pub vls: usize,
    pub mtu: u64,
    pub cap: u32,
    pub one_queue: bool,
    pub iterations: usize,
    /// CAM lines are on.
    pub iso: bool,
    /// A VL belongs to one output of an input: its cold queue needs no output in its index.
    pub lane_queues: bool,
    /// Congestion bits are followed.
    pub detects: bool,
    pub adapter: bool,
}

impl Shape {
    /// Cold queue of (output, VL).
    #[inline]
    pub fn cold(&self, out: usize, vl: usize) -> usize {
        if self.one_queue {
            0
        } else if self.lane_queues {
            vl
        } else {
            out * self.vls + vl
        }
    }

    /// Number of cold queues.
    pub fn cold_queues(&self) -> usize {
        if self.one_queue {
            1
        } else if self.lane_queues {
            self.vls
        } else {
            self.outs * self.vls
        }
    }
}

/// A switch, or the two ports of an adapter and its CNP queue (input 1).
pub(super) struct Node {
    pub shape: Shape,
    /// Index of its first input and output.
    pub input: usize,
    pub output: usize,
    /// Ports to step in this cycle.
    pub outs: u64,
    pub ins: u64,
    /// DLID to output.
    pub lft: Vec<u8>,
    /// ONE_QUEUE: accept pointers.
    pub accept: Vec<usize>,
    /// ONE_QUEUE with CAM lines: whose turn was passed (A3).
    pub turns: Turns,
    /// Output lines that the inputs register in this cycle: output, valid, stopped.
    pub registers: Vec<(usize, u32, u32)>,
}

/// A request that an output serves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub out: usize,
    pub local_out: usize,
    pub input: usize,
    pub vl: usize,
    /// 0: the cold head, 1 + h: HPQ h.
    pub choice: usize,
    /// The queue that it is taken from.
    pub queue: usize,
    pub dlid: u16,
    pub cnp: bool,
}

/// A published candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub choice: usize,
    pub queue: usize,
    pub packet: Id,
    pub n: u32,
    pub cnp: bool,
    /// The line of a hot packet.
    pub line: Option<usize>,
}

/// Everything but the traffic.
pub(super) struct Core {
    pub pool: Pool,
    pub wheel: Wheel,
    pub nodes: Vec<Node>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    pub credits: Vec<Credits>,
    pub hosts: Vec<Host>,
    /// CNPs may be about.
    pub cnps: bool,
    pub hops: u64,
    grants: Vec<Grant>,
    props: Vec<Prop>,
    /// Room for lists of one cycle.
    mine: Vec<Grant>,
    candidates: Vec<(usize, Candidate)>,
    pub verdicts: Vec<Verdict>,
    /// ONE_QUEUE: what outputs offer in this cycle.
    offers: Vec<Offer>,
}

/// What an output of a ONE_QUEUE switch offers: its grant, and requests that it could serve instead.
#[derive(Clone, Copy, Debug)]
struct Offer {
    out: usize,
    grant: Option<Grant>,
    elig: u64,
    rr: usize,
}

impl Core {
    pub fn new(now: u64) -> Core {
        Core {
            pool: Pool::default(),
            wheel: Wheel::new(now),
            nodes: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            credits: Vec::new(),
            hosts: Vec::new(),
            cnps: false,
            hops: 0,
            grants: Vec::new(),
            props: Vec::new(),
            mine: Vec::new(),
            candidates: Vec::new(),
            verdicts: Vec::new(),
            offers: Vec::new(),
        }
    }

    /// One cycle of a node: all is decided from S(t), then applied.
    pub fn step(&mut self, node: usize, t: u64) {
        let n = &mut self.nodes[node];
        let (mut outs, mut ins) = (std::mem::take(&mut n.outs), std::mem::take(&mut n.ins));
        let (out0, in0) = (n.output, n.input);
        let (iso, one_queue) = (n.shape.iso, n.shape.one_queue);
        if iso && one_queue {
            outs |= self.activate_claims(node, t);
        }
        let mut grants = std::mem::take(&mut self.grants);
        grants.clear();
        while outs != 0 {
            let o = outs.trailing_zeros() as usize;
            outs &= outs - 1;
            self.step_output(node, out0 + o, t, &mut grants);
        }
        if iso {
            if !self.offers.is_empty() {
                self.match_offers(node, t, &mut grants);
            }
            if one_queue {
                self.follow_turns(node, t, &grants);
            }
            self.step_isolation(node, t, ins, &grants);
            self.grants = grants;
            return;
        }
        // Congestion bits look at the fills of S(t), so they go before the queues change.
        let mut left = ins;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.inputs[in0 + i].cong_next <= t {
                self.follow_fills(node, in0 + i, t);
            }
        }
        for g in &grants {
            self.serve(node, *g, t);
        }
        self.grants = grants;
        while ins != 0 {
            let i = ins.trailing_zeros() as usize;
            ins &= ins - 1;
            if self.accepting(in0 + i, t).is_some() {
                self.accept(node, in0 + i, t);
            }
        }
    }

    /// The packet whose first flit is stored in cycle `t`.
    #[inline]
    fn accepting(&self, input: usize, t: u64) -> Option<Id> {
        let head = self.inputs[input].inbound.head;
        (head != NONE && self.pool[head].t0 == t).then_some(head)
    }

    /// The inputs' half of a cycle with CAM lines.
    fn step_isolation(&mut self, node: usize, t: u64, mut ins: u64, grants: &[Grant]) {
        let (out0, in0) = (self.nodes[node].output, self.nodes[node].input);
        let one_queue = self.nodes[node].shape.one_queue;
        let props = std::mem::take(&mut self.props);
        for g in grants {
            ins |= 1 << (g.input - in0);
        }
        for p in &props {
            ins |= 1 << (p.input - in0);
        }
        while ins != 0 {
            let local = ins.trailing_zeros() as usize;
            ins &= ins - 1;
            let input = in0 + local;
            let mut mine = std::mem::take(&mut self.mine);
            mine.clear();
            mine.extend(grants.iter().filter(|g| g.input == input));
            let accepting = self.accepting(input, t);
            let i = &self.inputs[input];
            let watched = |i: &Input| {
                i.cong_set != 0
                    || i.lines.as_ref().is_some_and(|l| l.used > 0)
                    || one_queue && i.queues[0].head != NONE
            };
            let prop = props.iter().filter(|p| p.input == input).min_by_key(|p| p.out).copied();
            let mut moved = None;
            if watched(i) || prop.is_some() {
                let accepted = accepting.map(|id| {
                    let p = &self.pool[id];
                    let o = usize::from(self.nodes[node].lft[p.dst as usize + 1]);
                    Accepted { queue: self.nodes[node].shape.cold(o, p.vl as usize), n: p.n }
                });
                moved = self.step_lines(node, input, t, &mine, prop, accepted);
            }
            if self.inputs[input].cong_next <= t {
                self.follow_fills(node, input, t);
            }
            let queues_change = !mine.is_empty() || moved.is_some() || accepting.is_some();
            for g in &mine {
                self.serve(node, *g, t);
            }
            self.mine = mine;
            if let Some(m) = moved {
                let i = &mut self.inputs[input];
                let id = i.queues[m.from].pop(&self.pool);
                let n = self.pool[id].n;
                i.queues[m.from].charge -= n;
                i.queues[m.to].push(&mut self.pool, id);
                i.queues[m.to].charge += n;
                if i.cong[m.from] {
                    self.watch_clearing(node, input, m.out, m.from, t + 1);
                }
                self.refresh_wants(node, input, m.out, m.vl);
                self.wheel.plan(t + 1, Kind::Output, out0 + m.out);
                if one_queue {
                    self.wake_wanted(node, input, t + 1);
                }
            }
            if accepting.is_some() {
                self.accept(node, input, t);
            }
            if queues_change && watched(&self.inputs[input]) {
                self.wheel.plan(t + 1, Kind::Input, input);
            }
        }
        let mut props = props;
        props.clear();
        self.props = props;
        self.register_lines(node, t + 1);
    }

    /// Which outputs the queues of an input ask: of (out, vl), or of all with one queue.
    fn refresh_wants(&mut self, node: usize, input: usize, out: usize, vl: usize) {
        let shape = self.nodes[node].shape.clone();
        let (out0, in0) = (self.nodes[node].output, self.nodes[node].input);
        let range = if shape.one_queue { 0..shape.outs } else { out..out + 1 };
        for o in range {
            let i = &self.inputs[input];
            let head = i.queues[shape.cold(o, vl)].head;
            let mut want = head != NONE
                && (!shape.one_queue
                    || usize::from(self.nodes[node].lft[self.pool[head].dst as usize + 1]) == o);
            if let Some(iso) = &i.lines {
                for h in 0..iso.hpqs() {
                    let queue = shape.cold_queues() + h;
                    want |= iso.line_of(h).is_some_and(|l| l.out == o && l.vl == vl)
                        && i.queues[queue].head != NONE;
                }
            }
            let r = (input - in0) * shape.vls + vl;
            let output = &mut self.outputs[out0 + o];
            if want {
                output.set_want(r);
            } else {
                output.clear_want(r);
            }
        }
    }

    /// Outputs that an input of one queue asks look again in cycle `t`.
    fn wake_wanted(&mut self, node: usize, input: usize, t: u64) {
        let n = &self.nodes[node];
        for out in n.output..n.output + n.shape.outs {
            if self.outputs[out].wants(input - n.input) {
                self.wheel.plan(t, Kind::Output, out);
            }
        }
    }

    /// The match of a ONE_QUEUE switch (`docs/switch.md` section 2).
    fn match_offers(&mut self, node: usize, t: u64, grants: &mut Vec<Grant>) {
        let mut offers = std::mem::take(&mut self.offers);
        let n = &self.nodes[node];
        let (ports, in0, out0, iterations) = (n.shape.outs, n.input, n.output, n.shape.iterations);
        let start = n.accept.clone();
        let mut taken = 0u64;
        for (i, &pointer) in start.iter().enumerate() {
            let rank = |g: &Grant| (g.local_out + ports - pointer) % ports;
            let mine = offers.iter().filter_map(|o| o.grant).filter(|g| g.input == in0 + i);
            let Some(g) = mine.min_by_key(rank) else { continue };
            taken |= 1 << i;
            grants.push(g);
            let rr = std::mem::replace(&mut self.outputs[g.out].rr, (i + 1) % ports);
            let n = &mut self.nodes[node];
            n.accept[i] = (g.local_out + 1) % ports;
            n.turns.pass(g.local_out, rr, i);
        }
        for _ in 1..iterations {
            let mut chosen: Vec<Grant> = Vec::new();
            for o in &offers {
                if grants.iter().any(|g| g.out == o.out) {
                    continue;
                }
                let open = o.elig & !taken;
                if open == 0 {
                    continue;
                }
                let ahead = open & u64::MAX << o.rr;
                let i = if ahead != 0 { ahead } else { open }.trailing_zeros() as usize;
                if let (Some(c), _) = self.candidate_iso(node, in0 + i, o.out, 0, t) {
                    let dlid = self.pool[c.packet].dlid();
                    let (out, local_out, input) = (o.out, o.out - out0, in0 + i);
                    let (choice, queue, cnp) = (c.choice, c.queue, c.cnp);
                    chosen.push(Grant { out, local_out, input, vl: 0, choice, queue, dlid, cnp });
                }
            }
            for (i, &pointer) in start.iter().enumerate() {
                let rank = |g: &Grant| (g.local_out + ports - pointer) % ports;
                let mine = chosen.iter().filter(|g| g.input == in0 + i).copied();
                if let Some(g) = mine.min_by_key(rank) {
                    taken |= 1 << i;
                    grants.push(g);
                }
            }
        }
        for o in &offers {
            self.wheel.plan(t + 1, Kind::Output, o.out);
        }
        offers.clear();
        self.offers = offers;
    }

    /// FCCL of an output in S(t); looked up only if what is known does not suffice.
    #[inline]
    pub fn has_credit(&mut self, out: usize, vl: usize, n: u64, t: u64) -> bool {
        let o = &mut self.outputs[out];
        let need = o.txr[vl] + n;
        if o.fccl[vl] >= need {
            return true;
        }
        if o.credits == NOWHERE {
            return false;
        }
        o.fccl[vl] = self.credits[o.credits].fccl(vl, t);
        o.fccl[vl] >= need
    }

    /// The output asks to be woken when `n` more blocks of credit are there.
    #[inline]
    pub fn await_credit(&mut self, out: usize, vl: usize, n: u64, t: u64) {
        let o = &self.outputs[out];
        if o.credits == NOWHERE {
            return;
        }
        let need = o.txr[vl] + n;
        let c = &mut self.credits[o.credits];
        c.wait(vl, need, t);
        if let Some(at) = c.call(vl, t) {
            self.wheel.plan(at, Kind::Output, out);
        }
    }

    fn step_output(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        self.cross(out, t);
        self.follow_congestion(node, out, t);
        if self.nodes[node].shape.iso {
            self.arbitrate_iso(node, out, t, grants);
            self.update_out_lines(node, out, t);
        } else if t >= self.outputs[out].free_at {
            self.arbitrate(node, out, t, grants);
        }
    }

    /// Section 3 of the output port with CAM lines: all requests are looked at.
    fn arbitrate_iso(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        let shape = &self.nodes[node].shape;
        let (vls, total, one_queue) = (shape.vls, shape.inputs * shape.vls, shape.one_queue);
        let (in0, out0) = (self.nodes[node].input, self.nodes[node].output);
        let local_out = out - out0;
        let free = t >= self.outputs[out].free_at;
        let (mut fits, mut fitting_cnps, mut scan, mut told) = (0u64, 0u64, 0u64, 0u64);
        let mut later = NEVER;
        let mut starved = false;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let mut at = self.outputs[out].next_want(0);
        while let Some(r) = at {
            let (i, v) = (r / vls, r % vls);
            let (candidate, ready) = self.candidate_iso(node, in0 + i, out, v, t);
            later = later.min(ready);
            let sees = !one_queue || self.nodes[node].turns.sees(i, local_out);
            if let Some(c) = candidate.filter(|_| sees) {
                candidates.push((r, c));
                if free {
                    if self.has_credit(out, v, u64::from(c.n), t) {
                        fits |= 1 << r;
                        fitting_cnps |= u64::from(c.cnp) << r;
                    } else {
                        starved = true;
                    }
                }
                let linked =
                    c.line.is_some_and(|k| self.lines_of(in0 + i).is_some_and(|l| l.lines[k].linked));
                if !c.cnp && !linked {
                    scan |= 1 << r;
                }
                if !c.cnp && self.match_line(in0 + i, out, v, &c).is_some_and(|m| m.1) {
                    told |= 1 << r;
                }
            }
            at = self.outputs[out].next_want(r + 1);
        }
        if later != NEVER {
            self.wheel.plan(later, Kind::Output, out);
        }
        let rr = self.outputs[out].rr;
        let Some(lines) = &mut self.outputs[out].lines else { return };
        lines.catch_up(t, total);
        lines.scan_t = t + 1;
        lines.scan_set = scan;
        let round = |set: u64, from: usize| {
            let ahead = set & u64::MAX.checked_shl(from as u32).unwrap_or(0);
            (set != 0).then(|| if ahead != 0 { ahead } else { set }.trailing_zeros() as usize)
        };
        let eligible = if fitting_cnps != 0 { fitting_cnps } else { fits };
        let winner = round(eligible, rr);
        let mut prop = None;
        let mut grant = None;
        match winner {
            Some(r) if told >> r & 1 != 0 => prop = Some(r),
            Some(r) => grant = Some(r),
            None => {
                if let Some(r) = round(scan, lines.scan) {
                    lines.scan = (r + 1) % total;
                    prop = Some(r).filter(|r| told >> r & 1 != 0);
                }
            }
        }
        if winner.is_none() && starved {
            for (r, c) in &candidates {
                self.await_credit(out, r % vls, u64::from(c.n), t);
            }
        }
        let of = |r: usize| candidates.iter().find(|(x, _)| *x == r).map(|(_, c)| *c);
        if let Some(r) = prop
            && let Some(c) = of(r)
            && let Some((k, _)) = self.match_line(in0 + r / vls, out, r % vls, &c)
            && let Some(lines) = &self.outputs[out].lines
        {
            let l = &lines.lines[k];
            self.props.push(Prop {
                input: in0 + r / vls,
                out: local_out,
                vl: r % vls,
                line: k,
                hops: (l.hops + 1).min(63),
                root: l.root,
                packet: c.packet,
                hot: c.line,
                cnp: c.cnp,
            });
        }
        let to_grant = |r: usize, c: Candidate, dlid: u16| Grant {
            out,
            local_out,
            input: in0 + r / vls,
            vl: r % vls,
            choice: c.choice,
            queue: c.queue,
            dlid,
            cnp: c.cnp,
        };
        let grant = grant.and_then(|r| of(r).map(|c| to_grant(r, c, self.pool[c.packet].dlid())));
        self.candidates = candidates;
        if one_queue {
            if prop.is_none() && eligible != 0 {
                self.offers.push(Offer { out, grant, elig: eligible & !told, rr });
            }
        } else if let Some(g) = grant {
            let r = (g.input - in0) * vls + g.vl;
            self.outputs[out].rr = (r + 1) % total;
            grants.push(g);
        }
        if scan & told != 0 || prop.is_some() {
            self.wheel.plan(t + 1, Kind::Output, out);
        }
    }

    fn lines_of(&self, input: usize) -> Option<&super::lines::InLines> {
        self.inputs[input].lines.as_deref()
    }

    /// The output line that a request matches, and whether its input is to be told.
    fn match_line(&self, input: usize, out: usize, vl: usize, c: &Candidate) -> Option<(usize, bool)> {
        let lines = self.outputs[out].lines.as_ref().filter(|l| l.valid != 0)?;
        let k = lines.matching(vl, self.pool[c.packet].dlid())?;
        let local = self.outputs[out].port as usize;
        let told = match (c.line, self.lines_of(input)) {
            (_, None) => false,
            (Some(line), Some(iso)) => !iso.lines[line].linked,
            (None, Some(iso)) => iso.known(local, k).unwrap_or_else(|| iso.can_alloc()),
        };
        Some((k, told))
    }

    /// The candidate of (out, vl) at an input with CAM lines in S(t), and when time alone may bring another.
    pub fn candidate_iso(
        &self,
        node: usize,
        input: usize,
        out: usize,
        vl: usize,
        t: u64,
    ) -> (Option<Candidate>, u64) {
        let i = &self.inputs[input];
        let e = &i.engines[out - self.nodes[node].output];
        let ready = if self.nodes[node].shape.one_queue { i.engines[i.latest].last } else { e.ending };
        if ready > t {
            return (None, ready);
        }
        self.qualified(node, input, out, vl, t)
    }

    /// The same, whatever the engines do.
    pub fn qualified(
        &self,
        node: usize,
        input: usize,
        out: usize,
        vl: usize,
        t: u64,
    ) -> (Option<Candidate>, u64) {
        let shape = &self.nodes[node].shape;
        let i = &self.inputs[input];
        let o = out - self.nodes[node].output;
        let q = if i.credits == NOWHERE { 0 } else { shape.cold(o, vl) };
        let mut later = NEVER;
        let mut startable = |id: Id| {
            let start = self.pool[id].start;
            if start > t {
                later = later.min(start);
            }
            start <= t
        };
        let candidate = |choice: usize, queue: usize, packet: Id, line: Option<usize>| {
            let p = &self.pool[packet];
            Candidate { choice, queue, packet, n: p.n, cnp: p.cnp, line }
        };
        let mut cold = None;
        let head = i.queues[q].head;
        if head != NONE {
            let p = &self.pool[head];
            let here = !shape.one_queue || usize::from(self.nodes[node].lft[p.dst as usize + 1]) == o;
            let matched = |dlid| i.lines.as_ref().and_then(|l| l.matching(o, vl, dlid)).is_some();
            if here && (p.cnp || !matched(p.dlid())) && startable(head) {
                cold = Some(candidate(0, q, head, None));
            }
        }
        let Some(iso) = &i.lines else { return (cold, later) };
        // The choices from the pointer on.
        let n = iso.hpqs() + 1;
        let from = usize::from(iso.cq[o * shape.vls + vl]);
        let rank = |choice: usize| (choice + n - from) % n;
        let first = cold.is_some_and(|c| c.cnp || i.regs.cold_first);
        let mut best = cold;
        for (h, k) in iso.with_hpq() {
            let l = &iso.lines[k];
            let queue = shape.cold_queues() + h;
            let head = i.queues[queue].head;
            if head == NONE || l.out != o || l.vl != vl || self.stopped(node, l) || !startable(head) {
                continue;
            }
            if !first && best.is_none_or(|b| rank(h + 1) < rank(b.choice)) {
                best = Some(candidate(h + 1, queue, head, Some(k)));
            }
        }
        (best, later)
    }

    /// Section 3 of the output port.
    fn arbitrate(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        let shape = &self.nodes[node].shape;
        let (vls, total) = (shape.vls, shape.inputs * shape.vls);
        let in0 = self.nodes[node].input;
        let rr = self.outputs[out].rr;
        let mut winner: Option<(usize, Candidate)> = None;
        let mut later = NEVER;
        let mut at = self.outputs[out].next_want(rr);
        let mut wrapped = false;
        let mut starved = false;
        loop {
            let Some(r) = at.filter(|&r| !wrapped || r < rr) else {
                if wrapped {
                    break;
                }
                wrapped = true;
                at = self.outputs[out].next_want(0);
                continue;
            };
            let (i, v) = if vls == 1 { (r, 0) } else { (r / vls, r % vls) };
            match self.candidate(node, in0 + i, out, v, t) {
                Ok(c) => {
                    if self.has_credit(out, v, u64::from(c.n), t) {
                        if winner.is_none() || c.cnp {
                            winner = Some((r, c));
                        }
                        if c.cnp || !self.cnps {
                            break;
                        }
                    } else {
                        starved = true;
                    }
                }
                Err(ready) => later = later.min(ready),
            }
            at = self.outputs[out].next_want(r + 1);
        }
        if let Some((r, c)) = winner {
            let o = &mut self.outputs[out];
            o.rr = if r + 1 == total { 0 } else { r + 1 };
            let local_out = out - self.nodes[node].output;
            let (input, vl, dlid) = (in0 + r / vls, r % vls, self.pool[c.packet].dlid());
            grants.push(Grant { out, local_out, input, vl, choice: 0, queue: c.queue, dlid, cnp: c.cnp });
            if self.nodes[node].shape.one_queue {
                let n = &mut self.nodes[node];
                n.accept[r] = (out - n.output + 1) % n.shape.outs;
            }
            return;
        }
        if later != NEVER {
            self.wheel.plan(later, Kind::Output, out);
        }
        if starved {
            self.register_needs(node, out, t);
        }
    }

    /// All requests lack credits: the output waits for the least that helps one.
    fn register_needs(&mut self, node: usize, out: usize, t: u64) {
        let vls = self.nodes[node].shape.vls;
        let in0 = self.nodes[node].input;
        let mut at = self.outputs[out].next_want(0);
        while let Some(r) = at {
            let (i, v) = (r / vls, r % vls);
            if let Ok(c) = self.candidate(node, in0 + i, out, v, t) {
                self.await_credit(out, v, u64::from(c.n), t);
            }
            at = self.outputs[out].next_want(r + 1);
        }
    }

    /// The candidate of (out, vl) at an input in S(t), the output being free; or when there may be one.
    #[inline]
    fn candidate(&self, node: usize, input: usize, out: usize, vl: usize, t: u64) -> Result<Candidate, u64> {
        let shape = &self.nodes[node].shape;
        let i = &self.inputs[input];
        let o = out - self.nodes[node].output;
        let q = if i.credits == NOWHERE { 0 } else { shape.cold(o, vl) };
        let head = i.queues[q].head;
        debug_assert!(head != NONE);
        let p = &self.pool[head];
        let mut ready = p.start;
        if shape.one_queue && i.latest != o {
            ready = ready.max(i.engines[i.latest].last);
        }
        if !i.engines[o].open(t) {
            ready = ready.max(i.engines[o].ending);
        }
        if ready > t {
            return Err(ready);
        }
        Ok(Candidate { choice: 0, queue: q, packet: head, n: p.n, cnp: p.cnp, line: None })
    }

    /// A grant: the packet leaves its queue, its flits are read from the next cycle on.
    fn serve(&mut self, node: usize, g: Grant, t: u64) {
        let shape = &self.nodes[node].shape;
        let (vls, one_queue, iso) = (shape.vls, shape.one_queue, shape.iso);
        let in0 = self.nodes[node].input;
        let (o, q) = (g.local_out, g.queue);
        let output = &mut self.outputs[g.out];
        let input = &mut self.inputs[g.input];
        let id = input.queues[q].pop(&self.pool);
        let p = &mut self.pool[id];
        let n = p.n;
        let run = Run { first: output.next_read(t + 1), step: output.step, n };
        let last = run.last();

        // The engine.
        if one_queue && input.latest != o {
            let done = input.latest;
            let queue = input.engines[done].queue as usize;
            input.settle(done, queue);
        }
        if let Some(lines) = &mut input.lines {
            lines.cq[o * vls + g.vl] = ((g.choice + 1) % (lines.hpqs() + 1)) as u8;
        }
        let e = &mut input.engines[o];
        if e.charged {
            input.queues[e.queue as usize].charge -= e.run.n;
        }
        e.charged = true;
        e.run = run;
        e.last = last;
        e.ending = if n == 1 { t + 1 } else { last - u64::from(run.step) + 1 };
        e.queue = q as u32;
        input.latest = o;
        let (freed_in, ending) = (input.credits, e.ending);
        let r = (g.input - in0) * vls + g.vl;

        // The output.
        output.free_at = last;
        output.txr[g.vl] += u64::from(n);
        output.cnt_sent += 1;
        output.recent_at = (output.recent_at + 1) % RECENT;
        output.recent[output.recent_at] = Sent { run, packet: id, vl: g.vl as u32 };
        self.wheel.plan(last, Kind::Output, g.out);
        if output.marks && (output.congested || run.first > t + 1) {
            output.crossing.push_back((run.first + 1, id));
            self.wheel.plan(run.first + 1, Kind::Output, g.out);
        }
        // The far end.
        match output.far {
            Far::Input(down) => {
                let far = &mut self.inputs[down];
                p.t0 = run.first + 3 + output.delay;
                let k = far.rx_interval;
                // (n - a) * interval <= n
                let a = n.saturating_sub(n / k).max(1);
                p.start = p.t0 + u64::from(a - 1) * u64::from(run.step) + 1;
                self.wheel.plan(p.t0, Kind::Input, down);
                far.inbound.push(&mut self.pool, id);
            }
            Far::Host(h) => {
                p.t0 = run.first + 2 + output.delay;
                self.wheel.plan(p.t0, Kind::Receive, h);
                let host = &mut self.hosts[h];
                host.step = run.step;
                host.inbound.push(&mut self.pool, id);
            }
            Far::Nowhere => {}
        }
        self.hops += u64::from(n);

        // The queue's next head.
        let input = &mut self.inputs[g.input];
        let head = input.queues[q].head;
        if iso {
            if one_queue {
                self.wake_wanted(node, g.input, t + 1);
                self.wheel.plan(last + 1, Kind::Input, g.input);
            }
            self.refresh_wants(node, g.input, o, g.vl);
            self.wheel.plan(t + 1, Kind::Output, g.out);
            if ending != last {
                self.wheel.plan(ending, Kind::Output, g.out);
            }
            if one_queue {
                self.wake_wanted(node, g.input, last);
                self.wake_wanted(node, g.input, last + 1);
                self.wake_wanted(node, g.input, t + 1);
            }
        } else if one_queue {
            self.outputs[g.out].clear_want(r);
            if head != NONE {
                self.want_head(node, g.input, head, t);
            }
        } else if head == NONE {
            self.outputs[g.out].clear_want(r);
        }
        if input_congested(&self.inputs[g.input], q) {
            self.watch_clearing(node, g.input, o, q, t + 1);
        }
        // Blocks return to the sender.
        if freed_in != NOWHERE {
            self.free_blocks(freed_in, g.vl, run, t);
        }
    }

    /// Blocks of a buffer will be free; a sender that waits for them learns when.
    pub fn free_blocks(&mut self, credits: usize, vl: usize, run: Run, t: u64) {
        let c = &mut self.credits[credits];
        c.free(vl, run, t);
        if let Some(at) = c.call(vl, t) {
            match c.sender {
                Sender::Output(out) => self.wheel.plan(at, Kind::Output, out),
                Sender::Source(h) => self.wheel.plan(at, Kind::Source, h),
                Sender::Nobody => {}
            }
        }
    }

    /// ONE_QUEUE: the head of the queue asks its output.
    fn want_head(&mut self, node: usize, input: usize, head: Id, t: u64) {
        let (out0, in0) = (self.nodes[node].output, self.nodes[node].input);
        let p = &self.pool[head];
        let o = usize::from(self.nodes[node].lft[p.dst as usize + 1]);
        let i = &self.inputs[input];
        let busy = i.engines[i.latest].last;
        let at = p.start.max(busy).max(t + 1);
        let output = &mut self.outputs[out0 + o];
        output.set_want(input - in0);
        if at >= output.free_at {
            self.wheel.plan(at, Kind::Output, out0 + o);
        }
    }

    /// Section 1 of the input port: the first flit of a packet is stored.
    fn accept(&mut self, node: usize, input: usize, t: u64) {
        let nd = &self.nodes[node];
        let (out0, in0) = (nd.output, nd.input);
        let i = &mut self.inputs[input];
        let id = i.inbound.pop(&self.pool);
        let p = &self.pool[id];
        let (n, vl, dst, start) = (p.n, p.vl as usize, p.dst as usize, p.start);
        let step = match nd.shape.adapter {
            true => 0,
            false => i.rx_interval,
        };
        match i.arrivals {
            Arrivals::Even(run) => i.stored[i.latest_vl] += u64::from(run.n),
            Arrivals::Paced { n, .. } => i.stored[i.latest_vl] += u64::from(n),
        }
        i.latest_vl = vl;
        i.arrivals = if step == 0 {
            Arrivals::Paced { from: p.entered, n }
        } else {
            Arrivals::Even(Run { first: t, step, n })
        };
        let o = usize::from(nd.lft[dst + 1]);
        let q = nd.shape.cold(o, vl);
        let first = i.queues[q].head == NONE;
        i.queues[q].push(&mut self.pool, id);
        i.queues[q].charge += n;
        i.outs[q] = o as u8;
        if nd.shape.detects && !i.cong[q] {
            let fill = i.fill(o, q, t + 1);
            if above(&nd.shape, i, fill) {
                due(i, q, t + 1);
                self.wheel.plan(t + 1, Kind::Input, input);
            }
        }
        if first && nd.shape.iso {
            let out = out0 + o;
            self.refresh_wants(node, input, o, vl);
            self.wheel.plan(start, Kind::Output, out);
        } else if first {
            if nd.shape.one_queue {
                self.want_head(node, input, id, t);
            } else {
                let output = &mut self.outputs[out0 + o];
                output.set_want((input - in0) * nd.shape.vls + vl);
                if start >= output.free_at {
                    self.wheel.plan(start, Kind::Output, out0 + o);
                }
            }
        }
    }

    /// A CNP joins the queue of an adapter's responder in cycle `t`.
    pub fn queue_cnp(&mut self, input: usize, id: Id, t: u64) {
        let node = self.inputs[input].node as usize;
        let nd = &self.nodes[node];
        let vl = self.pool[id].vl as usize;
        self.pool[id].t0 = t;
        self.pool[id].start = t + 1;
        let i = &mut self.inputs[input];
        let first = i.queues[0].head == NONE;
        i.queues[0].push(&mut self.pool, id);
        i.queues[0].charge += 1;
        let output = &mut self.outputs[nd.output];
        if first {
            output.set_want(nd.shape.vls + vl);
        }
        self.wheel.plan((t + 1).max(output.free_at), Kind::Output, nd.output);
    }

    /// D1, D4: congestion bits of the queues that are due, on the fills of S(t).
    fn follow_fills(&mut self, node: usize, input: usize, t: u64) {
        let nd = &self.nodes[node];
        let shape = nd.shape.clone();
        let out0 = nd.output;
        let mut next = NEVER;
        for q in 0..shape.cold_queues() {
            let i = &mut self.inputs[input];
            if i.cong_due[q] > t {
                next = next.min(i.cong_due[q]);
                continue;
            }
            i.cong_due[q] = NEVER;
            let (o, v) = (usize::from(i.outs[q]), q % shape.vls);
            let fill = i.fill(o, q, t);
            let was = i.cong[q];
            let is = match thresholds(&shape, i) {
                Some((high, low)) => fill > high || (was && fill >= low),
                None => false,
            };
            i.cong[q] = is;
            if is != was {
                if shape.iso {
                    i.cong_set ^= 1 << q;
                    self.wheel.plan(t + 1, Kind::Input, input);
                }
                self.contribute(out0 + o, v, is, t);
            }
            if is {
                self.watch_clearing(node, input, o, q, t + 1);
                next = next.min(self.inputs[input].cong_due[q]);
            }
        }
        self.inputs[input].cong_next = next;
    }

    /// A contribution to an output begins or ends with S(t + 1).
    pub fn contribute(&mut self, out: usize, vl: usize, begins: bool, t: u64) {
        let output = &mut self.outputs[out];
        if output.regs.eval != 0 {
            return; // sums of fills count there
        }
        output.congested = true;
        if begins {
            output.bits[vl] += 1;
        } else {
            output.bits[vl] -= 1;
        }
        self.wheel.plan(t + 1, Kind::Output, out);
    }

    /// A set congestion bit: when the fill falls below the low threshold, as far as is known in S(t).
    fn watch_clearing(&mut self, node: usize, input: usize, o: usize, q: usize, t: u64) {
        let shape = &self.nodes[node].shape;
        let i = &mut self.inputs[input];
        let Some((_, low)) = thresholds(shape, i) else { return };
        let fill = i.fill(o, q, t);
        let at = if fill < low {
            t
        } else {
            // The charge after r reads is `whole - r`.
            let whole = i.queues[q].charge;
            let e = &i.engines[o];
            if !(e.charged && e.queue == q as u32) || whole < low {
                return;
            }
            let reads = whole - low + 1;
            if reads > e.run.n {
                return;
            }
            e.run.first + u64::from(reads - 1) * u64::from(e.run.step) + 1
        };
        due(i, q, at);
        self.wheel.plan(at, Kind::Input, input);
    }

    /// Section 4 of the output port: contributions and state, one step behind each other.
    fn follow_congestion(&mut self, node: usize, out: usize, t: u64) {
        if !self.outputs[out].congested {
            return;
        }
        let (vls, mtu) = (self.nodes[node].shape.vls, self.nodes[node].shape.mtu);
        // D5: a sum of fills may change in every cycle.
        let sums = self.outputs[out].regs.eval != 0;
        let mut active = sums;
        let mut again = sums;
        for v in 0..vls {
            if sums {
                let over = self.sum_is_high(node, out, v, t);
                let o = &mut self.outputs[out];
                o.hysteresis[v] = over;
                o.bits[v] = u32::from(over);
            }
            let o = &self.outputs[out];
            let (count, bits, state, victim) = (o.count[v], o.bits[v], o.state[v], o.regs.victim);
            if count == 0 && bits == 0 && !state {
                continue;
            }
            active = true;
            let enters = count > 0 && !state && (victim || self.has_credit(out, v, mtu, t));
            let now = count > 0 && (state || enters);
            if count > 0 && !now {
                self.await_credit(out, v, mtu, t);
            }
            let o = &mut self.outputs[out];
            o.state[v] = now;
            o.count[v] = bits;
            again |= now != state || count != bits;
        }
        self.outputs[out].congested = active;
        if again {
            self.wheel.plan(t + 1, Kind::Output, out);
        }
    }

    /// D5: next value of the hysteresis bit on the sum of the fills.
    fn sum_is_high(&self, node: usize, out: usize, vl: usize, t: u64) -> bool {
        let n = &self.nodes[node];
        let o = &self.outputs[out];
        let local = out - n.output;
        let q = n.shape.cold(local, vl);
        let (mut sum, mut inputs) = (0u64, 0u64);
        for i in &self.inputs[n.input..n.input + n.shape.inputs] {
            if usize::from(i.outs[q]) == local {
                let fill = i.fill(local, q, t);
                sum += u64::from(fill);
                inputs += u64::from(fill > 0);
            }
        }
        let x = if o.regs.eval == 2 { sum * inputs } else { sum };
        x > u64::from(o.regs.sum_hth) || o.hysteresis[vl] && x >= u64::from(o.regs.sum_lth)
    }

    /// Section 5 of the output port: first flits that cross in this cycle are marked.
    fn cross(&mut self, out: usize, t: u64) {
        while let Some(&(at, id)) = self.outputs[out].crossing.front() {
            if at > t {
                return;
            }
            let o = &mut self.outputs[out];
            o.crossing.pop_front();
            let p = &mut self.pool[id];
            let vl = p.vl as usize;
            if !o.state[vl] || p.cnp || p.n < o.regs.packet_size {
                continue;
            }
            let rate = o.regs.marking_rate;
            let mark = match o.regs.mark_mode {
                1 => u64::from(o.lfsr) * u64::from(rate + 1) < 65_536,
                2 => o.lfsr & 0xff < o.regs.mark_fraction,
                _ => {
                    let full = o.mark_count[vl] >= rate;
                    o.mark_count[vl] = if full { 0 } else { o.mark_count[vl] + 1 };
                    full
                }
            };
            let x = o.lfsr;
            o.lfsr = (x << 1 | (x >> 15 ^ x >> 13 ^ x >> 12 ^ x >> 10) & 1) & 0xffff;
            if mark {
                p.fecn = true;
                o.cnt_marked += 1;
            }
        }
    }
}

fn input_congested(i: &Input, q: usize) -> bool {
    i.cong[q]
}

/// The queue's congestion bit is looked at in cycle `t`.
fn due(i: &mut Input, q: usize, t: u64) {
    i.cong_due[q] = i.cong_due[q].min(t);
    i.cong_next = i.cong_next.min(t);
}

/// D4: thresholds of the cold queues; None: never.
pub(super) fn thresholds(shape: &Shape, i: &Input) -> Option<(u32, u32)> {
    let (hth, lth) = (i.regs.hth, i.regs.lth);
    match i.regs.weight {
        None => Some((hth, lth)),
        Some(0) => None,
        Some(w) => {
            let high = (16 - w) * (shape.cap / 16);
            Some((high, high.saturating_sub(hth.saturating_sub(lth)).max(1)))
        }
    }
}

fn above(shape: &Shape, i: &Input, fill: u32) -> bool {
    thresholds(shape, i).is_some_and(|(high, _)| fill > high)
}
