//! One cycle of a switch or adapter: what outputs decide, what inputs do.

use super::bits::{ones, round};
use super::credit::{NEVER, Run, Sender};
use super::detector::fill;
use super::lines::{Line, Prop};
use super::packet::{Id, NONE, Pool};
use super::ports::{Arrivals, CNP, Crossing, DATA, Input, NOWHERE, PASSED_MAX};
use super::srp::KINDS;
use super::state::{Ahead, CNP_BLOCKS, Candidate, Core, Grant, Match, Offer};
use super::wheel::{Wake, Wheel};
use crate::model::header::Marks;
use crate::scheme::packet::{CLASSES, Class};

/// Cold heads that HPQs let go first before one of them has its turn.
const BY_MAX: u8 = 8;

/// Valid requests of a VL.
struct Requests {
    /// Their inputs, by class.
    of: [u64; CLASSES],
    /// When there may be another.
    later: u64,
}

impl Requests {
    fn any(&self) -> bool {
        self.of != [0; CLASSES]
    }
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
            acks: false,
            srp: false,
            releases: false,
            hops: 0,
            carried: [0; KINDS],
            grants: Vec::new(),
            props: Vec::new(),
            mine: Vec::new(),
            held: Vec::new(),
            candidates: Vec::new(),
            verdicts: Vec::new(),
            offers: Vec::new(),
            askers: Vec::new(),
        }
    }

    /// One cycle of a node: all is decided from S(t), then applied.
    pub fn step(&mut self, node: usize, t: u64) {
        let n = &mut self.nodes[node];
        let (mut outs, mut ins) = (std::mem::take(&mut n.outs), std::mem::take(&mut n.ins));
        let (out0, in0) = (n.output, n.input);
        let (iso, one_queue) = (n.shape.iso, n.shape.one_queue());
        let lanes = n.shape.data_lanes.is_some();
        if lanes && ins != 0 {
            outs |= self.expiring(node, ins, t);
        }
        if iso {
            for o in ones(outs) {
                if self.outputs[out0 + o].lines.as_ref().is_some_and(|l| l.take_turns()) {
                    self.find_turns(node, out0 + o, t);
                }
            }
            if one_queue {
                outs |= self.watch_claims(node, t);
            }
        }
        let mut grants = std::mem::take(&mut self.grants);
        grants.clear();
        let stepped = outs;
        while outs != 0 {
            let o = outs.trailing_zeros() as usize;
            outs &= outs - 1;
            self.step_output(node, out0 + o, t, &mut grants);
        }
        if one_queue && !iso {
            for g in &grants {
                self.nodes[node].turns.order.serve(g.local_out, g.input - in0);
            }
        }
        if iso {
            if !self.offers.is_empty() {
                self.match_offers(node, t, &mut grants);
            }
            if one_queue {
                self.follow_turns(node, t, &grants);
            }
            self.end_turns(node, &grants);
            ones(stepped).for_each(|o| self.update_out_lines(node, out0 + o, t));
            self.step_isolation(node, t, ins, &grants);
            for (input, queue, line) in self.held.drain(..) {
                if let Some(lines) = &mut self.inputs[input].lines {
                    lines.tie(queue, Some(line as u8));
                }
            }
            self.grants = grants;
            return;
        }
        // Congestion bits look at the fills of S(t), so they go before the queues change; but a charge that leaves at its grant
        // is gone already.
        if self.releases {
            ins |= self.release(&grants, in0, t);
        }
        let mut left = ins;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.inputs[in0 + i].cong_next <= t {
                self.follow_fills(node, in0 + i, t);
            }
        }
        let fulls = self.nodes[node].shape.detector.looks_for_full_buffers();
        if fulls {
            self.follow_levels(node, ins, &mut grants, t);
        }
        if self.inputs[in0].ages.is_some() {
            self.follow_oldest(node, &grants, t);
        }
        for g in &grants {
            self.serve(node, *g, t);
            if fulls {
                self.watch_level(g.input, g.vl, t);
            }
        }
        self.grants = grants;
        while ins != 0 {
            let i = ins.trailing_zeros() as usize;
            ins &= ins - 1;
            if lanes {
                self.drop_expired(node, in0 + i, t);
            }
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
        let one_queue = self.nodes[node].shape.one_queue();
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
                    self.nodes[node].shape.cold(o, p.vl as usize)
                });
                moved = self.step_lines(node, input, t, &mine, prop, accepted);
            }
            if self.releases {
                self.release(&mine, in0, t);
            }
            if self.inputs[input].cong_next <= t {
                self.follow_fills(node, input, t);
            }
            if self.inputs[input].lines.as_ref().is_some_and(|iso| iso.tied > 0) {
                self.untie(node, input, t);
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
                if let Some(lines) = &mut i.lines {
                    lines.tie(m.from, None);
                }
                i.queues[m.from].charge -= n;
                i.queues[m.to].push(&mut self.pool, id);
                i.queues[m.to].charge += n;
                if i.cong[m.from] {
                    self.watch_clearing(node, input, m.out, m.from, t + 1);
                }
                self.refresh_wants(node, input, m.out, m.vl);
                self.wheel.plan(t + 1, Wake::Output, out0 + m.out);
                if one_queue {
                    self.wake_wanted(node, input, t + 1);
                }
            }
            if accepting.is_some() {
                self.accept(node, input, t);
            }
            if queues_change && watched(&self.inputs[input]) {
                self.wheel.plan(t + 1, Wake::Input, input);
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
        let range = if shape.one_queue() { 0..shape.outs } else { out..out + 1 };
        for o in range {
            let i = &self.inputs[input];
            let head = i.queues[shape.cold(o, vl)].head;
            let mut want = head != NONE
                && (!shape.one_queue()
                    || usize::from(self.nodes[node].lft[self.pool[head].dst as usize + 1]) == o);
            if let Some(iso) = &i.lines {
                for h in 0..iso.hpqs() {
                    let queue = shape.cold_queues() + h;
                    want |= iso.line_of(h).is_some_and(|l| l.out == o && l.vl == vl)
                        && i.queues[queue].head != NONE;
                }
            }
            let output = &mut self.outputs[out0 + o];
            if want {
                output.set_want(input - in0, vl);
            } else {
                output.clear_want(input - in0, vl);
            }
        }
    }

    /// Outputs that an input of one queue asks look again in cycle `t`.
    fn wake_wanted(&mut self, node: usize, input: usize, t: u64) {
        let n = &self.nodes[node];
        for out in n.output..n.output + n.shape.outs {
            if self.outputs[out].want[0] >> (input - n.input) & 1 != 0 {
                self.wheel.plan(t, Wake::Output, out);
            }
        }
    }

    /// The match of a ONE_QUEUE switch (`docs/switch.md` section 2).
    fn match_offers(&mut self, node: usize, t: u64, grants: &mut Vec<Grant>) {
        let mut offers = std::mem::take(&mut self.offers);
        let n = &self.nodes[node];
        let (ports, in0, iterations) = (n.shape.outs, n.input, n.shape.iterations);
        let start = n.accept.clone();
        let mut taken = 0u64;
        for (i, &pointer) in start.iter().enumerate() {
            let rank = |g: &Grant| (g.local_out + ports - pointer) % ports;
            let mine = offers.iter().filter_map(|o| o.grant).filter(|g| g.input == in0 + i);
            let Some(g) = mine.min_by_key(rank) else { continue };
            taken |= 1 << i;
            grants.push(g);
            let class = if self.outputs[g.out].cnp_plain { DATA } else { g.kind.class() as usize };
            self.outputs[g.out].move_pointers(class, i, 0, ports, false);
            self.nodes[node].accept[i] = (g.local_out + 1) % ports;
        }
        for _ in 1..iterations {
            let mut chosen: Vec<Grant> = Vec::new();
            for o in &offers {
                if grants.iter().any(|g| g.out == o.out) {
                    continue;
                }
                let Some(i) = self.outputs[o.out].next_input(o.class, 0, o.elig & !taken) else { continue };
                if let (Some(c), _) = self.candidate_iso(node, in0 + i, o.out, 0, t) {
                    let passes = u64::from(o.class == CNP && o.data);
                    chosen.push(self.grant_of(o.out, in0 + i, 0, &c, passes, o.waits));
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
            if !grants.iter().any(|g| g.out == o.out) {
                self.outputs[o.out].turns[0].waited |= o.waits;
            }
            self.wheel.plan(t + 1, Wake::Output, o.out);
        }
        offers.clear();
        self.offers = offers;
    }

    /// Whether a VL has credit for so many blocks in S(t); FCCL is looked up only if what is known does not suffice.
    #[inline]
    pub fn has_credit(&mut self, out: usize, vl: usize, blocks: u64, t: u64) -> bool {
        let o = &mut self.outputs[out];
        let need = o.txr[vl] + blocks;
        if o.fccl[vl] >= need {
            return true;
        }
        if o.credits == NOWHERE {
            return false;
        }
        o.fccl[vl] = self.credits[o.credits].fccl(vl, t);
        o.fccl[vl] >= need
    }

    /// The output asks to be woken when the VL has credit.
    #[inline]
    pub fn await_credit(&mut self, out: usize, vl: usize, blocks: u64, t: u64) {
        let o = &self.outputs[out];
        if o.credits == NOWHERE {
            return;
        }
        let need = o.txr[vl] + blocks;
        let c = &mut self.credits[o.credits];
        c.wait(vl, need, t);
        if let Some(at) = c.call(vl, t) {
            self.wheel.plan(at, Wake::Output, out);
            if let Sender::Adapter { host, .. } = c.sender {
                self.wheel.plan(at, Wake::Source, host);
            }
        }
    }

    fn step_output(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        self.cross(out, t);
        self.saturate(node, out, t);
        self.follow_congestion(node, out, t);
        if self.nodes[node].shape.iso {
            self.arbitrate_iso(node, out, t, grants);
        } else if t >= self.outputs[out].free_at {
            if self.nodes[node].shape.data_lanes.is_some() {
                self.arbitrate_classes(node, out, t, grants);
            } else if self.nodes[node].shape.vls == 1 {
                self.arbitrate_lane(node, out, t, grants);
            } else {
                self.arbitrate(node, out, t, grants);
            }
        }
        self.feed_link(node, out, t);
    }

    /// Section 3 of the output port with CAM lines: all requests are looked at.
    fn arbitrate_iso(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        let shape = &self.nodes[node].shape;
        let (vls, inputs, one_queue, mtu) = (shape.vls, shape.inputs, shape.one_queue(), shape.mtu);
        let (in0, out0) = (self.nodes[node].input, self.nodes[node].output);
        let (local_out, total) = (out - out0, inputs * vls);
        let free = t >= self.outputs[out].free_at;
        let plain = self.outputs[out].cnp_plain;
        if let Some(lines) = &mut self.outputs[out].lines {
            lines.catch_up(t, total);
        }
        // Sets of requesters i*V+v.
        let (mut fits, mut scan, mut told) = ([0u64; CLASSES], 0u64, 0u64);
        let mut later = NEVER;
        // VLs without credit for an MTU in which something asks, and in which data ask; those with data requests that count
        // for CNPs.
        let (mut starved, mut lacking, mut data) = (0u64, 0u64, 0u64);
        let mut cnps = 0u64;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for v in 0..vls {
            for i in ones(self.outputs[out].want[v]) {
                let r = i * vls + v;
                let (candidate, ready) = self.published(node, in0 + i, out, v, t);
                later = later.min(ready);
                let Some(c) = candidate else { continue };
                let m = self.match_line(in0 + i, out, v, &c);
                let holds = one_queue && m.is_some_and(|m| m.held.is_some());
                if one_queue {
                    if let Some(line) = m.and_then(|m| m.held) {
                        self.hold(out, in0 + i, &c, line, t);
                    }
                    let latest = self.inputs[in0 + i].latest;
                    let open = self.inputs[in0 + i].engines[latest].last;
                    if open > t {
                        later = later.min(open);
                        continue;
                    }
                    if !self.nodes[node].turns.sees(i, local_out) {
                        continue;
                    }
                }
                candidates.push((r, c, m));
                told |= u64::from(m.is_some_and(|m| m.told)) << r;
                if free {
                    let credit = self.has_credit(out, v, mtu, t);
                    starved |= u64::from(!credit) << v;
                    lacking |= u64::from(!credit && c.kind.class() == Class::Data) << v;
                    if c.kind.class() == Class::Cnp && plain {
                        fits[DATA] |= u64::from(credit) << r;
                    } else if c.kind.class() == Class::Cnp {
                        cnps |= 1 << r;
                    } else if !holds {
                        data |= 1 << v;
                        fits[DATA] |= u64::from(credit) << r;
                    }
                }
                let scanned = c
                    .line
                    .is_none_or(|k| self.inputs[in0 + i].lines.as_ref().is_some_and(|l| l.lines[k].asks()));
                scan |= u64::from(c.kind.is_isolated() && scanned) << r;
            }
        }
        if later != NEVER {
            self.wheel.plan(later, Wake::Output, out);
        }
        for r in ones(cnps) {
            let v = r % vls;
            let fits_now = !self.withheld(out, v, data) && self.has_credit(out, v, CNP_BLOCKS, t);
            fits[CNP] |= u64::from(fits_now) << r;
        }
        let fitting = ones(fits[DATA]).fold(0, |set, r| set | 1 << (r % vls));
        let (class, urgent) = self.outputs[out].class(fits[CNP] != 0, fitting);
        let pool = match urgent {
            0 => fits[class],
            _ => ones(fits[DATA]).filter(|r| urgent >> (r % vls) & 1 != 0).map(|r| 1 << r).sum(),
        };
        let winner = self.outputs[out].first(class, pool, inputs);
        let of = |r: usize| candidates.iter().find(|x| x.0 == r).map(|x| (x.1, x.2));
        let winner_held = winner.and_then(of).and_then(|(c, m)| Some((c, m?.held?)));
        let Some(lines) = &mut self.outputs[out].lines else { return };
        lines.scan_t = t + 1;
        lines.scan_set = scan;
        let mut prop = None;
        let mut grant = None;
        match winner {
            Some(r) if told >> r & 1 != 0 => prop = Some(r),
            Some(r) => match winner_held {
                Some((c, line)) => self.hold(out, in0 + r / vls, &c, line, t),
                None => grant = Some(r),
            },
            None => {
                if let Some(r) = round(scan, lines.scan) {
                    lines.scan = (r + 1) % total;
                    prop = Some(r).filter(|r| told >> r & 1 != 0);
                }
                for v in ones(starved) {
                    let cnp = ones(cnps).any(|r| r % vls == v) && !self.withheld(out, v, data);
                    self.await_credit(out, v, if cnp { CNP_BLOCKS } else { mtu }, t);
                }
            }
        }
        if let Some(r) = prop
            && let Some((c, Some(m))) = of(r)
            && let Some(lines) = &self.outputs[out].lines
        {
            let l = &lines.lines[m.line];
            self.props.push(Prop {
                input: in0 + r / vls,
                out: local_out,
                vl: r % vls,
                line: m.line,
                hops: (l.hops + 1).min(63),
                root: l.root,
                packet: c.packet,
                hot: c.line,
                kind: c.kind,
            });
        }
        let passes = if class == CNP { data } else { 0 };
        // D3: data of a VL wait, but for one that is served: that is settled when it is.
        let served = winner.filter(|_| class == CNP).map_or(0, |r| 1 << (r % vls));
        ones(lacking & !served).for_each(|v| self.outputs[out].turns[v].waited = true);
        let grant = grant.and_then(|r| {
            let waits = lacking >> (r % vls) & 1 != 0;
            of(r).map(|(c, _)| self.grant_of(out, in0 + r / vls, r % vls, &c, passes, waits))
        });
        self.candidates = candidates;
        if one_queue {
            if prop.is_none() && fits[class] != 0 {
                let (elig, data, waits) = (fits[class] & !told, data != 0, lacking != 0);
                self.offers.push(Offer { out, grant, elig, class, data, waits });
            }
        } else if let Some(g) = grant {
            self.outputs[out].move_pointers(class, g.input - in0, g.vl, inputs, urgent != 0);
            grants.push(g);
        }
        if scan & told != 0 || prop.is_some() {
            self.wheel.plan(t + 1, Wake::Output, out);
        }
    }

    fn grant_of(
        &self,
        out: usize,
        input: usize,
        vl: usize,
        c: &Candidate,
        passes: u64,
        waits: bool,
    ) -> Grant {
        let (dlid, local_out) = (self.pool[c.packet].dlid(), self.outputs[out].port as usize);
        let (choice, queue, kind, ahead, renews) = (c.choice, c.queue, c.kind, c.ahead, c.renews);
        let iso = self.inputs[input].lines.as_ref();
        let bound = iso.and_then(|iso| iso.bound(queue, c.line.map(|k| &iso.lines[k])));
        let (markable, asked) = (false, false);
        Grant {
            out,
            local_out,
            input,
            vl,
            choice,
            queue,
            dlid,
            kind,
            ahead,
            renews,
            bound,
            passes,
            waits,
            markable,
            asked,
        }
    }

    /// The lowest output line that a request matches, and what follows from it.
    pub fn match_line(&self, input: usize, out: usize, vl: usize, c: &Candidate) -> Option<Match> {
        let lines = self.outputs[out].lines.as_ref().filter(|l| l.valid != 0 && c.kind.is_isolated())?;
        let (line, stopped) = lines.matching(vl, self.pool[c.packet].dlid())?;
        let local = self.outputs[out].port as usize;
        let asking = self.inputs[input].port as usize;
        let told = match (c.line, &self.inputs[input].lines) {
            (_, None) => false,
            _ if lines.closing >> line & 1 != 0 => false,
            (Some(k), Some(iso)) => iso.lines[k].asks(),
            (None, Some(iso)) => iso.known(local, line).unwrap_or_else(|| iso.can_alloc()),
        };
        let held = || stopped.or_else(|| lines.others_turn(asking, line).then_some(line));
        Some(Match { line, told, held: if told { None } else { held() } })
    }

    /// A line holds a candidate: its queue is tied to it.
    fn hold(&mut self, out: usize, input: usize, c: &Candidate, line: usize, t: u64) {
        self.held.push((input, c.queue, line));
        self.wheel.plan(t + 1, Wake::Output, out);
        if self.nodes[self.outputs[out].node as usize].shape.one_queue() {
            self.wheel.plan(t + 1, Wake::Input, input);
        }
    }

    /// Replies of a VL wait for its data, which enough of them passed, or of which an ACK took the credit; `data`: VLs with data
    /// requests.
    #[inline]
    fn withheld(&self, out: usize, vl: usize, data: u64) -> bool {
        let turn = &self.outputs[out].turns[vl];
        data >> vl & 1 != 0 && (turn.passed == PASSED_MAX || turn.owed)
    }

    /// The candidate of (out, vl) that an input with CAM lines publishes in S(t), and when time alone may bring another.
    pub fn published(
        &self,
        node: usize,
        input: usize,
        out: usize,
        vl: usize,
        t: u64,
    ) -> (Option<Candidate>, u64) {
        let i = &self.inputs[input];
        let engine =
            if self.nodes[node].shape.one_queue() { i.latest } else { out - self.nodes[node].output };
        let ready = i.engines[engine].ending;
        if ready > t {
            return (None, ready);
        }
        self.qualified(node, input, out, vl, t)
    }

    /// The same if the input is open: with one queue its engine must be done.
    pub fn candidate_iso(
        &self,
        node: usize,
        input: usize,
        out: usize,
        vl: usize,
        t: u64,
    ) -> (Option<Candidate>, u64) {
        let i = &self.inputs[input];
        let open = i.engines[i.latest].last;
        if self.nodes[node].shape.one_queue() && open > t {
            return (None, open);
        }
        self.published(node, input, out, vl, t)
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
        let q = shape.cold(o, vl);
        let mut later = NEVER;
        let mut startable = |id: Id| {
            let start = self.pool[id].start;
            if start > t {
                later = later.min(start);
            }
            start <= t
        };
        let local = i.port as usize;
        let lines = self.outputs[out].lines.as_ref();
        let stopped = |queue: usize, hot: Option<&Line>| match (lines, &i.lines) {
            (Some(lines), Some(iso)) if lines.halts != 0 => {
                iso.bound(queue, hot).is_some_and(|k| lines.stops(local, k))
            }
            _ => false,
        };
        let candidate = |choice: usize, queue: usize, packet: Id, line: Option<usize>| {
            let p = &self.pool[packet];
            Candidate { choice, queue, packet, kind: i.kind(p), line, ahead: Ahead::No, renews: 0 }
        };
        let mut cold = None;
        let head = i.queues[q].head;
        if head != NONE {
            let p = &self.pool[head];
            let here = !shape.one_queue() || usize::from(self.nodes[node].lft[p.dst as usize + 1]) == o;
            let matched = |dlid| i.lines.as_ref().and_then(|l| l.matching(o, vl, dlid)).is_some();
            if here && (!p.kind.is_isolated() || !matched(p.dlid())) && !stopped(q, None) && startable(head) {
                cold = Some(candidate(0, q, head, None));
            }
        }
        let Some(iso) = &i.lines else { return (cold, later) };
        // The choices from the pointer on, those that went behind the others.
        let n = iso.hpqs() + 1;
        let (cq, by) = iso.turns[o * shape.vls + vl];
        let rank = |c: &Candidate| (iso.went[c.queue], (c.choice + n - usize::from(cq)) % n);
        let mut hot: Option<Candidate> = None;
        let mut hots = 0;
        for (h, k) in iso.with_hpq() {
            let l = &iso.lines[k];
            let queue = shape.cold_queues() + h;
            let head = i.queues[queue].head;
            if head == NONE || l.out != o || l.vl != vl || stopped(queue, Some(l)) || !startable(head) {
                continue;
            }
            hots |= 1 << (h + 1);
            let c = candidate(h + 1, queue, head, Some(k));
            if hot.is_none_or(|b| rank(&c) < rank(&b)) {
                hot = Some(c);
            }
        }
        let among = |c: Candidate, choices: u32| Candidate {
            renews: if iso.went[c.queue] { choices } else { 0 },
            ..c
        };
        let first = |c: &Candidate| c.kind.class() == Class::Cnp && !i.regs.cnp_plain || i.regs.cold_first;
        let best = match (cold, hot) {
            (Some(c), None) if first(&c) => Some(Candidate { ahead: Ahead::Alone, ..c }),
            (Some(c), Some(_)) if first(&c) && by < BY_MAX => Some(Candidate { ahead: Ahead::Passing, ..c }),
            (Some(c), Some(h)) if first(&c) => Some(Candidate { ahead: Ahead::Forced, ..among(h, hots) }),
            (Some(c), Some(h)) if rank(&c) < rank(&h) => Some(among(c, hots | 1)),
            (Some(_), Some(h)) => Some(among(h, hots | 1)),
            (None, Some(h)) => Some(among(h, hots)),
            (Some(c), None) => Some(among(c, 1)),
            (None, None) => None,
        };
        (best, later)
    }

    /// Section 3 of the output port with one VL; the output is free.
    fn arbitrate_lane(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        let (in0, out0) = (self.nodes[node].input, self.nodes[node].output);
        let o = &self.outputs[out];
        // Without CNPs all are data.
        let plain = o.cnp_plain && self.cnps;
        let cr = usize::from(o.turns[0].cr);
        // The first of the class data; whether there are data in it, if CNPs are, too.
        let (mut data, mut any, mut cnps, mut later) = (None, false, 0u64, NEVER);
        // AG1: of the data the first of the oldest.
        let (by_age, mut oldest) = (o.regs.sched, 0);
        let mut left = o.want[0];
        while let Some(i) = o.next_input(DATA, 0, left) {
            left &= !(1 << i);
            match self.candidate(node, in0 + i, out, 0, t) {
                Ok(c) if c.kind.class() == Class::Cnp && !plain => cnps |= 1 << i,
                Ok(c) => {
                    let age = if by_age { self.age(in0 + i, c.queue, t) } else { 0 };
                    if data.is_none() || age > oldest {
                        (data, oldest) = (Some((i, c)), age);
                    }
                    any |= plain && c.kind.class() == Class::Data;
                    if (any || !self.cnps) && !by_age {
                        break;
                    }
                }
                Err(ready) => later = later.min(ready),
            }
        }
        if data.is_none() && cnps == 0 {
            if later != NEVER {
                self.wheel.plan(later, Wake::Output, out);
            }
            return;
        }
        let mtu = self.nodes[node].shape.mtu;
        let credit = self.fits(out, 0, mtu, t);
        let cnp = cnps != 0 && !self.withheld(out, 0, u64::from(data.is_some()));
        let cnp_fits = cnp && (credit || self.fits(out, 0, CNP_BLOCKS, t));
        let (class, _) = self.outputs[out].class(cnp_fits, u64::from(data.is_some() && credit));
        let winner = if class == CNP {
            let first = round(cnps, cr).map(|i| (i, self.candidate(node, in0 + i, out, 0, t).ok()));
            first.and_then(|(i, c)| Some((i, c?)))
        } else {
            data.filter(|_| credit)
        };
        let Some((i, c)) = winner else {
            if self.outputs[out].queue.is_none() {
                self.outputs[out].turns[0].waited |= if plain { any } else { data.is_some() };
            }
            self.await_fit(out, 0, if cnp { CNP_BLOCKS } else { mtu }, t);
            if self.cnps && later != NEVER {
                self.wheel.plan(later, Wake::Output, out);
            }
            return;
        };
        let n = &mut self.nodes[node];
        self.outputs[out].move_pointers(class, i, 0, n.shape.inputs, false);
        if n.shape.one_queue() {
            n.accept[i] = (out - out0 + 1) % n.shape.outs;
        }
        let passes = u64::from(class == CNP && data.is_some());
        grants.push(self.grant_of(out, in0 + i, 0, &c, passes, data.is_some() && !credit));
    }

    /// The same with several VLs.
    fn arbitrate(&mut self, node: usize, out: usize, t: u64, grants: &mut Vec<Grant>) {
        let shape = &self.nodes[node].shape;
        let (inputs, mtu, detects) = (shape.inputs, shape.mtu, shape.detector.follows_fills());
        // With a queue it is the link that tests roots.
        let queued = self.outputs[out].queue.is_some();
        let by_age = self.outputs[out].regs.sched;
        let from = usize::from(self.outputs[out].vp[DATA]);
        // Without CNPs the first VL that fits, and its inputs, will do; else all that fit, by class.
        let mut first = None;
        // With CNPs: VLs with requests, by class; those that fit; those without credit for an MTU.
        let (mut asking, mut lanes, mut short) = ([0u64; CLASSES], [0u64; CLASSES], 0u64);
        let (mut later, mut starved, mut wrapped) = (NEVER, false, false);
        let mut at = self.outputs[out].next_lane(from);
        loop {
            let Some(v) = at.filter(|&v| !wrapped || v < from) else {
                if wrapped || from == 0 {
                    break;
                }
                wrapped = true;
                at = self.outputs[out].next_lane(0);
                continue;
            };
            let requests = self.requests(node, out, v, t);
            later = later.min(requests.later);
            if requests.any() {
                let credit = self.fits(out, v, mtu, t);
                starved |= !credit;
                if self.cnps || by_age {
                    for class in [DATA, CNP] {
                        asking[class] |= u64::from(requests.of[class] != 0) << v;
                    }
                    short |= u64::from(!credit) << v;
                } else if credit {
                    first = Some((v, requests.of[DATA]));
                    break;
                } else if !queued {
                    self.outputs[out].turns[v].waited = true;
                }
            }
            at = self.outputs[out].next_lane(v + 1);
        }
        let plain = self.outputs[out].cnp_plain;
        lanes[DATA] = (asking[DATA] | if plain { asking[CNP] } else { 0 }) & !short;
        for v in ones(asking[CNP]).filter(|_| !plain) {
            let fits = !self.withheld(out, v, asking[DATA]) && self.fits(out, v, CNP_BLOCKS, t);
            lanes[CNP] |= u64::from(fits) << v;
        }
        let (class, urgent) = self.outputs[out].class(lanes[CNP] != 0, lanes[DATA]);
        let winner = first.or_else(|| {
            let pool = if urgent != 0 { urgent } else { lanes[class] };
            let of_class = |v: usize| {
                let of = self.requests(node, out, v, t).of;
                if plain { of[DATA] | of[CNP] } else { of[class] }
            };
            if by_age && class == DATA {
                return self.oldest_requests(node, out, ones(pool).map(|v| (v, of_class(v))), t);
            }
            let v = round(pool, usize::from(self.outputs[out].vp[class]))?;
            Some((v, of_class(v)))
        });
        // D3: data of a VL wait, but for one that is served: that is settled when it is.
        let lacking = if queued { 0 } else { short & asking[DATA] };
        let served = winner.filter(|_| self.cnps || by_age).map_or(0, |w| 1 << w.0);
        ones(lacking & !served).for_each(|v| self.outputs[out].turns[v].waited = true);
        let Some((v, set)) = winner else {
            if later != NEVER {
                self.wheel.plan(later, Wake::Output, out);
            }
            if starved {
                self.register_needs(node, out, t);
            }
            return;
        };
        let o = &mut self.outputs[out];
        let Some(i) = o.next_input(class, v, set) else { return };
        o.move_pointers(class, i, v, inputs, urgent != 0);
        if detects && !queued {
            self.settle_doubts(node, out, v, t);
        }
        let in0 = self.nodes[node].input;
        if let Ok(c) = self.candidate(node, in0 + i, out, v, t) {
            let passes = if class == CNP { asking[DATA] } else { 0 };
            grants.push(self.grant_of(out, in0 + i, v, &c, passes, lacking & served != 0));
        }
    }

    /// The valid requests of a VL; without CNPs the first in turn will do.
    #[inline]
    fn requests(&self, node: usize, out: usize, v: usize, t: u64) -> Requests {
        let in0 = self.nodes[node].input;
        let o = &self.outputs[out];
        let mut left = o.want[v];
        let mut r = Requests { of: [0; CLASSES], later: NEVER };
        while let Some(i) = o.next_input(DATA, v, left) {
            left &= !(1 << i);
            match self.candidate(node, in0 + i, out, v, t) {
                Ok(c) => {
                    r.of[c.kind.class() as usize] |= 1 << i;
                    if !self.cnps && !o.regs.sched {
                        return r;
                    }
                }
                Err(ready) => r.later = r.later.min(ready),
            }
        }
        r
    }

    /// All requests lack credits: the output waits for the VLs' that have requests.
    fn register_needs(&mut self, node: usize, out: usize, t: u64) {
        let mtu = self.nodes[node].shape.mtu;
        let mut at = self.outputs[out].next_lane(0);
        while let Some(v) = at {
            let requests = self.requests(node, out, v, t);
            if requests.any() {
                let data = u64::from(requests.of[DATA] != 0) << (v % 64);
                let plain = self.outputs[out].cnp_plain;
                let cnp = requests.of[CNP] != 0 && !plain && !self.withheld(out, v, data);
                self.await_fit(out, v, if cnp { CNP_BLOCKS } else { mtu }, t);
            }
            at = self.outputs[out].next_lane(v + 1);
        }
    }

    /// D3: of the VLs that VL `served` has gone before, those whose data wait for credits.
    fn settle_doubts(&mut self, node: usize, out: usize, served: usize, t: u64) {
        let mtu = self.nodes[node].shape.mtu;
        let mut at = self.outputs[out].next_doubt(0);
        while let Some(v) = at {
            if v == served {
                // In doubt until its next turn.
            } else if self.has_credit(out, v, mtu, t) {
                self.outputs[out].doubt(v, false);
            } else if self.requests(node, out, v, t).of[DATA] != 0 {
                self.outputs[out].turns[v].waited = true;
                self.outputs[out].doubt(v, false);
            }
            at = self.outputs[out].next_doubt(v + 1);
        }
    }

    /// The candidate of (out, vl) at an input in S(t), the output being free; or when there may be one.
    #[inline(always)]
    fn candidate(&self, node: usize, input: usize, out: usize, vl: usize, t: u64) -> Result<Candidate, u64> {
        let shape = &self.nodes[node].shape;
        let i = &self.inputs[input];
        let o = out - self.nodes[node].output;
        let q = shape.cold(o, vl);
        let head = i.queues[q].head;
        debug_assert!(head != NONE);
        let p = &self.pool[head];
        let mut ready = p.start;
        if shape.one_queue() && i.latest != o {
            ready = ready.max(i.engines[i.latest].last);
        }
        if !i.engines[o].open(t) {
            ready = ready.max(i.engines[o].ending);
        }
        if ready > t {
            return Err(ready);
        }
        if i.ages.as_ref().is_some_and(|a| a.hides(o, vl)) {
            // Until the oldest leaves, which wakes the output.
            return Err(NEVER);
        }
        let (kind, line, ahead) = (i.kind(p), None, Ahead::No);
        Ok(Candidate { choice: 0, queue: q, packet: head, kind, line, ahead, renews: 0 })
    }

    /// Section 12 of the input port: the charges of packets leave their queues at the grants. Returns the inputs, of which
    /// `first` is the first one's index.
    #[cold]
    fn release(&mut self, grants: &[Grant], first: usize, t: u64) -> u64 {
        let mut inputs = 0;
        for g in grants {
            let i = &mut self.inputs[g.input];
            if !i.release {
                continue;
            }
            inputs |= 1 << (g.input - first);
            // What the engine has read of a packet before is out of its charge.
            i.queues[g.queue].charge -= self.pool[i.queues[g.queue].head].n;
            if i.cong[g.queue] {
                fill::due(i, g.queue, t);
            }
        }
        inputs
    }

    /// A grant: the packet leaves its queue, its flits are read from the next cycle on.
    fn serve(&mut self, node: usize, g: Grant, t: u64) {
        if self.nodes[node].shape.data_lanes.is_some() {
            return self.serve_lane(node, g, t);
        }
        if self.acks && self.nodes[node].shape.adapter && !self.outputs[g.out].cnp_plain {
            self.settle_owed(&g, t);
        }
        let shape = &self.nodes[node].shape;
        let (vls, one_queue, iso) = (shape.vls, shape.one_queue(), shape.iso);
        let in0 = self.nodes[node].input;
        let (o, q) = (g.local_out, g.queue);
        let output = &mut self.outputs[g.out];
        let input = &mut self.inputs[g.input];
        let id = input.queues[q].pop(&self.pool);
        let p = &mut self.pool[id];
        let n = p.n;
        let queued = output.queue.is_some();
        let run = match &output.queue {
            Some(queue) if input.reads_slowly(p, t) => {
                Run { first: queue.next_slot(t + 1), step: queue.step, n }
            }
            _ => Run { first: output.next_read(t + 1), step: output.step, n },
        };
        let last = run.last();

        // The engine.
        if one_queue && input.latest != o {
            let done = input.latest;
            let queue = input.engines[done].queue as usize;
            input.settle(done, queue);
        }
        if let Some(lines) = &mut input.lines {
            if matches!(g.ahead, Ahead::No | Ahead::Forced) {
                for choice in ones(g.renews.into()) {
                    let queue =
                        if choice == 0 { shape.cold(o, g.vl) } else { shape.cold_queues() + choice - 1 };
                    lines.went[queue] = false;
                }
                lines.went[q] = true;
            }
            let next = lines.next_choice(g.choice);
            let (cq, by) = &mut lines.turns[o * vls + g.vl];
            match g.ahead {
                Ahead::No | Ahead::Forced => *cq = next,
                Ahead::Alone => {}
                Ahead::Passing => *by = (*by + 1).min(BY_MAX),
            }
            if g.choice > 0 {
                *by = 0;
            }
            lines.tie(q, None);
        }
        input.reads(o, q, run, t);
        let (freed_in, ending) = (input.credits, input.engines[o].ending);

        // The output.
        output.free_at = last;
        if !queued {
            output.txr[g.vl] += u64::from(n);
        }
        output.doubt(g.vl, true);
        for v in ones(g.passes) {
            let passed = &mut output.turns[v].passed;
            *passed = (*passed + 1).min(PASSED_MAX);
        }
        let class = g.kind.class();
        if class == Class::Data {
            output.turns[g.vl].passed = 0;
        }
        output.turns[g.vl].waited |= class == Class::Cnp && g.waits && !queued;
        output.cnt_sent += 1;
        self.wheel.plan(last, Wake::Output, g.out);
        let markable = p.kind.is_marked();
        let validates = output.regs.vb_th.is_some() && markable && p.marks.has(Marks::MB);
        if validates {
            self.wheel.plan(run.first, Wake::Output, g.out);
        }
        let by_state = output.marks && (output.congested || output.at_once.is_some() || run.first > t + 1);
        let by_count = output.regs.counts && markable;
        if by_state || g.asked || by_count || validates {
            let (at, asked) = (run.first + 1, g.asked);
            output.crossing.push_back(Crossing { at, packet: id, asked, saturated: false });
            self.wheel.plan(run.first + 1, Wake::Output, g.out);
        }
        output.waiting_leave(g.vl, run, input.release);
        if let Some(counting) = output.counting.as_mut().filter(|_| markable) {
            counting.leaves(g.vl, run.first + 1, t);
        }
        if class == Class::Data && !queued {
            self.settle_root(g.out, g.vl, t);
        }
        // Over the link, or into the queue before it.
        match queued {
            true => self.enqueue(g.out, g.vl, id, run.first, t),
            false => self.leave(g.out, g.vl, id, run),
        }

        // The queue's next head.
        let input = &mut self.inputs[g.input];
        let head = input.queues[q].head;
        if let Some(ages) = &mut input.ages {
            ages.leaves(&input.queues, q, g.vl, t + 1);
        }
        if iso {
            if one_queue {
                self.wake_wanted(node, g.input, t + 1);
                self.wheel.plan(last + 1, Wake::Input, g.input);
            }
            self.refresh_wants(node, g.input, o, g.vl);
            self.wheel.plan(t + 1, Wake::Output, g.out);
            if ending != last {
                self.wheel.plan(ending, Wake::Output, g.out);
            }
            if one_queue {
                self.wake_wanted(node, g.input, last);
                self.wake_wanted(node, g.input, last + 1);
                self.wake_wanted(node, g.input, t + 1);
            }
        } else if one_queue {
            self.outputs[g.out].clear_want(g.input - in0, 0);
            if head != NONE {
                self.want_head(node, g.input, head, t);
            }
        } else if head == NONE {
            self.outputs[g.out].clear_want(g.input - in0, g.vl);
        }
        if self.inputs[g.input].cong[q] {
            self.watch_clearing(node, g.input, o, q, t + 1);
        }
        // Blocks return to the sender.
        if freed_in != NOWHERE {
            self.free_blocks(freed_in, g.vl, run, t);
        }
    }

    /// AK4: whether the next turn of the VL is that of data, after a grant at an adapter's output.
    fn settle_owed(&mut self, g: &Grant, t: u64) {
        if g.kind.class() == Class::Data {
            self.outputs[g.out].turns[g.vl].owed = false;
        } else if g.passes >> g.vl & 1 != 0 {
            let behind = self.nodes[self.outputs[g.out].node as usize].shape.mtu + CNP_BLOCKS;
            let left = self.has_credit(g.out, g.vl, behind, t);
            self.outputs[g.out].turns[g.vl].owed |= !left;
        }
    }

    /// Blocks of a buffer will be free; a sender that waits for them learns when.
    pub fn free_blocks(&mut self, credits: usize, vl: usize, run: Run, t: u64) {
        let c = &mut self.credits[credits];
        c.free(vl, run, t);
        if let Some(at) = c.call(vl, t) {
            match c.sender {
                Sender::Output(out) => self.wheel.plan(at, Wake::Output, out),
                Sender::Source(h) => self.wheel.plan(at, Wake::Source, h),
                Sender::Adapter { out, host } => {
                    self.wheel.plan(at, Wake::Output, out);
                    self.wheel.plan(at, Wake::Source, host);
                }
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
        output.set_want(input - in0, 0);
        if at >= output.free_at {
            self.wheel.plan(at, Wake::Output, out0 + o);
        }
    }

    /// Section 1 of the input port: the first flit of a packet is stored.
    fn accept(&mut self, node: usize, input: usize, t: u64) {
        let nd = &self.nodes[node];
        if nd.shape.data_lanes.is_some() {
            return self.accept_on_lane(node, input, t);
        }
        let (out0, in0) = (nd.output, nd.input);
        let i = &mut self.inputs[input];
        let id = i.inbound.pop(&self.pool);
        let p = &self.pool[id];
        let (n, vl, dst, start) = (p.n, p.vl as usize, p.dst as usize, p.start);
        let step = match nd.shape.adapter {
            true => 0,
            false => i.rx_interval,
        };
        i.next_is_of(vl);
        if let Some(most) = i.regs.mb_th
            && p.kind.is_marked()
        {
            let used = i.stored[vl] - self.credits[i.credits].freed(vl, t);
            self.pool[id].marks |= Marks::MB.when(used + u64::from(n) > most.into());
        }
        let p = &self.pool[id];
        i.arrivals = if p.kind.class() == Class::Cnp {
            Arrivals::Even(Run { first: t, step: step.max(1), n })
        } else if step == 0 {
            Arrivals::Paced { from: p.entered, n }
        } else {
            Arrivals::Even(Run { first: t, step, n })
        };
        let (o, _) = i.up.routes(nd.lft[dst + 1], None);
        let q = nd.shape.cold(o, vl);
        let first = i.queues[q].head == NONE;
        if let Some(ages) = &mut i.ages {
            ages.accepts(&i.queues, &self.pool, q, vl, t);
        }
        i.queues[q].push(&mut self.pool, id);
        i.queues[q].charge += n;
        i.outs[q] = o as u8;
        if let Some(counting) = &mut self.outputs[out0 + o].counting
            && self.pool[id].kind.is_marked()
        {
            counting.enters(vl, t + 1);
        }
        if let Some(fulls) = &mut i.fulls {
            fulls.accepts(q, vl, self.pool[id].kind.is_marked());
        }
        self.follow_arrival(node, input, (o, vl, q), n, t);
        let nd = &self.nodes[node];
        if first && nd.shape.iso {
            let out = out0 + o;
            self.refresh_wants(node, input, o, vl);
            self.wheel.plan(start, Wake::Output, out);
        } else if first {
            if nd.shape.one_queue() {
                self.want_head(node, input, id, t);
            } else {
                self.ask(out0 + o, input - in0, vl, id, t);
            }
        }
        self.watch_level(input, vl, t);
    }

    /// What waits for an output, and what a queue (o, VL, its number) holds, grows by a packet of `n` flits.
    pub fn follow_arrival(
        &mut self,
        node: usize,
        input: usize,
        (o, vl, q): (usize, usize, usize),
        n: u32,
        t: u64,
    ) {
        let nd = &self.nodes[node];
        let out = nd.output + o;
        if let Some(waiting) = &mut self.outputs[out].waiting {
            waiting[vl].flits += u64::from(n);
            if waiting[vl].at(t + 1) > u64::from(self.outputs[out].regs.sum.high) {
                self.outputs[out].congested = true;
                self.wheel.plan(t + 1, Wake::Output, out);
            }
        }
        let i = &mut self.inputs[input];
        if nd.shape.detector.follows_fills() && !i.cong[q] && fill::above(&nd.shape, i, i.fill(o, q, t + 1)) {
            fill::due(i, q, t + 1);
            self.wheel.plan(t + 1, Wake::Input, input);
        }
    }

    /// A head asks an output from cycle `t + 1` on, if it may start then.
    pub fn ask(&mut self, out: usize, local: usize, vl: usize, id: Id, t: u64) {
        let at = self.pool[id].start.max(t + 1);
        let output = &mut self.outputs[out];
        output.set_want(local, vl);
        if at >= output.free_at {
            self.wheel.plan(at, Wake::Output, out);
        }
    }

    /// A CNP or ACK joins the queue of its VL at an adapter's responder in cycle `t`, and asks from there (`asks`).
    pub fn queue_reply(&mut self, input: usize, id: Id, asks: bool, t: u64) {
        let node = self.inputs[input].node as usize;
        let nd = &self.nodes[node];
        let vl = self.pool[id].vl as usize;
        self.pool[id].t0 = t;
        self.pool[id].start = t + 1;
        let i = &mut self.inputs[input];
        let first = i.queues[vl].head == NONE;
        i.queues[vl].push(&mut self.pool, id);
        i.queues[vl].charge += 1;
        if !asks {
            return;
        }
        let output = &mut self.outputs[nd.output];
        if first {
            output.set_want(1, vl);
        }
        self.wheel.plan((t + 1).max(output.free_at), Wake::Output, nd.output);
    }
}
