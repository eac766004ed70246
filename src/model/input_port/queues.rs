//! Sections 2 to 5: packets, queues, congestion bits, requests and read engines.

use std::ops::{Index, IndexMut};

use super::cover::Cov;
use super::err;
use super::state::{
    Arrival, Candidate, Emission, Engine, InputPort, LineState, MAX_BY, Move, Packet, PacketId, Pool, Stream,
    count,
};

impl Pool {
    /// `words`: the most that a packet can have.
    pub fn new(words: usize) -> Self {
        Pool { packets: Vec::new(), unused: Vec::new(), words }
    }

    /// Adds a packet with its first flit.
    pub fn put(&mut self, mut packet: Packet, flit: &[u32]) -> PacketId {
        match self.unused.pop() {
            Some(id) => {
                packet.flits = std::mem::take(&mut self.packets[id].flits);
                packet.flits.clear();
                packet.flits.extend_from_slice(flit);
                self.packets[id] = packet;
                id
            }
            None => {
                packet.flits.reserve_exact(self.words);
                packet.flits.extend_from_slice(flit);
                self.packets.push(packet);
                self.packets.len() - 1
            }
        }
    }

    /// There is no packet.
    pub fn is_empty(&self) -> bool {
        self.unused.len() == self.packets.len()
    }

    /// The packet has left.
    pub fn remove(&mut self, id: PacketId) {
        self.unused.push(id);
    }
}

impl Index<PacketId> for Pool {
    type Output = Packet;
    fn index(&self, id: PacketId) -> &Packet {
        &self.packets[id]
    }
}

impl IndexMut<PacketId> for Pool {
    fn index_mut(&mut self, id: PacketId) -> &mut Packet {
        &mut self.packets[id]
    }
}

#[cfg(test)]
impl Stream {
    /// Packet, flits emitted, the queue that it is still charged to.
    pub fn parts(&self) -> (PacketId, u32, Option<usize>) {
        (self.packet, self.r, Some(self.queue).filter(|_| !self.paid))
    }
}

impl Engine {
    pub fn new(flit_words: usize) -> Self {
        Engine {
            stream: None,
            valid: false,
            first: false,
            last: false,
            bad: false,
            mark: false,
            slow: false,
            data: vec![0; flit_words],
        }
    }
}

impl InputPort {
    pub(super) fn head(&self, queue: usize) -> Option<&Packet> {
        self.queues[queue].packets.front().map(|&id| &self.packets[id])
    }

    /// B2: the packet will not run dry on its way out.
    pub(super) fn startable(&self, packet: &Packet) -> bool {
        self.startable_at(packet, self.cfg.rd_interval)
    }

    /// B2: the same, if flits are read at this pace.
    fn startable_at(&self, packet: &Packet, rd_interval: u32) -> bool {
        let missing = packet.n - packet.stored;
        !packet.arriving || missing * self.cfg.rx_interval.max(1) <= (packet.n - 1) * rd_interval + 1
    }

    /// CQ2: the packet goes at the link's pace, for at the crossbar's it would run dry.
    fn goes_slowly(&self, packet: &Packet) -> bool {
        self.p.cioq && !self.startable_at(packet, self.cfg.xb_interval)
    }

    /// CQ2: output `e` takes a flit from its engine in this cycle.
    fn reads(&self, input: &[u32], e: usize) -> bool {
        let pace = if self.engines[e].slow { self.ins.rd_slow } else { self.ins.rd_en };
        input[pace + e] != 0
    }

    fn emission(&self, s: &Stream) -> Emission {
        let packet = &self.packets[s.packet];
        if s.r < packet.stored {
            Emission::Flit
        } else if packet.cut {
            Emission::Pad
        } else {
            Emission::Gap
        }
    }

    /// Section 5: the next emission is available and is the last one.
    pub(super) fn is_ending(&self, s: &Stream) -> bool {
        match self.emission(s) {
            Emission::Flit => s.r + 1 == self.packets[s.packet].n,
            Emission::Pad => true,
            Emission::Gap => false,
        }
    }

    /// Section 4: the line of its output that a queue is bound to.
    fn binding(&self, queue: usize) -> Option<u32> {
        let line = || queue.checked_sub(self.pv).and_then(|h| self.hpq_line[h]);
        self.ties[queue].or_else(|| self.lines[line()?].linked_to())
    }

    /// Section 4: the queue, to output `o`, is bound to a line that is stopped.
    fn is_stopped(&self, queue: usize, o: usize) -> bool {
        self.binding(queue).is_some_and(|k| self.ol_stop[o] >> k & 1 != 0)
    }

    /// Section 4: the candidates that the next cycle publishes, and what waits for lines of the outputs.
    pub(super) fn publish(&mut self) {
        let (ports, vls) = (self.p.ports, self.p.vls);
        self.pend.fill(0);
        // HPQs that qualify.
        self.hot_ready.fill(0);
        for h in 0..self.p.hpqs {
            let Some(line) = self.hpq_line[h] else { continue };
            let queue = self.pv + h;
            let Some(&id) = self.queues[queue].packets.front() else { continue };
            let (o, v) = (self.lines[line].out, self.lines[line].vl);
            let startable = self.startable(&self.packets[id]);
            if let Some(k) = self.binding(queue).filter(|_| startable) {
                self.pend[o] |= 1 << k;
            }
            if self.is_stopped(queue, o) {
                self.hit(Cov::E5Stopped);
            } else if startable {
                self.hot_ready[o * vls + v] |= 1 << h;
            }
        }
        for o in 0..ports {
            let free = match self.p.one_queue {
                true => self.one_queue_free(o),
                false => self.is_idle_or_ending(o),
            };
            for v in 0..vls {
                let q = o * vls + v;
                self.pend_cold(q);
                self.requests[q] = if free { self.candidate(q) } else { None };
            }
        }
        self.limit_bypassing();
        let pending = self.pend.iter().any(|p| *p != 0);
        self.hit_if(pending, Cov::E5Pend);
        if self.p.one_queue {
            let asked = self.requests.iter().flatten().count();
            self.hit_if(asked > 1, Cov::A2TwoOutputsAsked);
        }
    }

    /// The cold queue of (o,v). ONE_QUEUE: the NFQ.
    pub(super) fn cold_queue(&self, q: usize) -> usize {
        if self.p.one_queue { 0 } else { InputPort::queue_of_lane(&self.p, q) }
    }

    /// `pend` of the cold head of (o,v).
    fn pend_cold(&mut self, q: usize) {
        let Some(k) = self.ties[self.cold_queue(q)] else { return };
        let Some(head) = self.cold_head(q) else { return };
        if self.startable(head) && self.matching_line(head).is_none() {
            self.pend[q / self.p.vls] |= 1 << k;
        }
    }

    fn is_idle_or_ending(&self, o: usize) -> bool {
        self.engines[o].stream.as_ref().is_none_or(|s| self.is_ending(s))
    }

    /// ONE_QUEUE: outputs are asked only while no engine has more than one flit to read.
    fn one_queue_free(&mut self, o: usize) -> bool {
        let free = (0..self.p.ports).all(|e| self.is_idle_or_ending(e));
        let other = (0..self.p.ports).any(|e| e != o && self.engines[e].stream.is_some());
        let asks = self.head(0).is_some_and(|head| head.out == o);
        self.hit_if(asks && other && !free, Cov::A2OneQueueBlocked);
        self.hit_if(asks && other && free, Cov::A2AsksAtOthersEnd);
        free
    }

    /// The packet that waits in the cold queue of (o,v). Of a queue for several outputs: its head, if it goes to o.
    pub(super) fn cold_head(&self, q: usize) -> Option<&Packet> {
        self.head(self.cold_queue(q)).filter(|head| head.out == q / self.p.vls)
    }

    /// Section 4: the candidate of (o,v), its engine being free.
    fn candidate(&mut self, q: usize) -> Option<Candidate> {
        let mut cold_ready = false;
        let mut goes_first = false;
        let mut cnp_matches = false;
        let mut cnp_waits = false;
        let cold_queue = self.cold_queue(q);
        if let Some(head) = self.cold_head(q) {
            let startable = self.startable(head);
            let matched = self.matching_line(head);
            let stopped = self.is_stopped(cold_queue, q / self.p.vls);
            cold_ready = startable && (head.cnp || matched.is_none()) && !stopped && !self.is_expired(head);
            goes_first = cold_ready && (head.cnp && !self.cfg.cnp_plain || self.cfg.cold_first);
            cnp_matches = cold_ready && head.cnp && matched.is_some();
            cnp_waits = cold_ready && head.cnp && self.cfg.cnp_plain;
            let drain = !head.cnp && matched.is_some_and(|l| self.lines[l].state == LineState::Drain);
            self.hit_if(!startable, Cov::B2SlowWait);
            self.hit_if(drain, Cov::E4DrainBlocks);
            self.hit_if(stopped, Cov::E5StoppedCold);
            self.hit_if(stopped && self.hot_ready[q] != 0, Cov::E5StoppedPassed);
        }
        let ready = u32::from(cold_ready) | self.hot_ready[q] << 1;
        if ready == 0 {
            return None;
        }
        // The pick. A2: HPQs are not passed for ever.
        let forced = goes_first && self.by[q] == MAX_BY && self.hot_ready[q] != 0;
        goes_first &= !forced;
        let n = self.p.hpqs + 1;
        let (choice, renews) = if goes_first {
            (0, 0)
        } else {
            let among = if forced { ready & !1 } else { ready };
            // Who went since yields.
            let went = (0..n).filter(|c| self.went[self.queue_of(q, *c)]).fold(0, |set, c| set | 1 << c);
            let all_went = among & !went == 0;
            let from = if all_went { among } else { among & !went };
            let round = |set: u32| (0..n).map(|i| (self.cq[q] + i) % n).find(|c| set >> c & 1 != 0);
            let choice = round(from)?;
            self.hit_if(round(among) != Some(choice), Cov::A3Yields);
            (choice, if all_went { among } else { 0 })
        };
        let (queue, line) =
            if choice == 0 { (cold_queue, None) } else { (self.pv + choice - 1, self.hpq_line[choice - 1]) };
        let packet = self.head(queue)?;
        Some(Candidate {
            choice,
            n: packet.n,
            dlid: packet.dlid,
            cnp: packet.cnp,
            markable: packet.markable,
            line,
            bound: self.binding(queue),
            goes_first,
            forced,
            renews,
            rivals: ready.count_ones(),
            cnp_matches,
            cnp_yields: cnp_waits && choice > 0 && !forced,
            nack: packet.way.nack,
        })
    }

    /// Section 4: which grants are served.
    pub(super) fn decide_grants(&mut self, input: &[u32]) {
        self.served.clear();
        let grants = &input[self.ins.grant..self.ins.grant + self.pv];
        if grants.iter().all(|&g| g == 0) {
            return;
        }
        for o in 0..self.p.ports {
            let other_output = self.p.one_queue && !self.served.is_empty();
            let done = |e: usize| self.engines[e].stream.is_none() || self.reads(input, e);
            let can_load = if self.p.one_queue { (0..self.p.ports).all(done) } else { done(o) };
            let mut serves = false;
            for v in 0..self.p.vls {
                let q = o * self.p.vls + v;
                if grants[q] == 0 {
                    continue;
                }
                if self.requests[q].is_some() && can_load && !serves && !other_output {
                    serves = true;
                    self.served.push(q);
                } else {
                    self.error(err::BAD_GRANT);
                    self.hit(if self.ages.hides(q) {
                        Cov::Ag2BadGrantHidden
                    } else if self.requests[q].is_none() {
                        Cov::A2BadGrantNoRequest
                    } else if !can_load {
                        Cov::A2BadGrantBusy
                    } else if other_output {
                        Cov::A2BadGrantTwoOutputs
                    } else {
                        Cov::A2BadGrantTwoVls
                    });
                }
            }
        }
    }

    /// The queue of a choice of (o,v).
    fn queue_of(&self, q: usize, choice: usize) -> usize {
        if choice == 0 { self.cold_queue(q) } else { self.pv + choice - 1 }
    }

    /// Section 4, "Held": which queues a line of their output has held back, from S(t).
    pub(super) fn update_ties(&mut self, input: &[u32], moved: Option<Move>) {
        if !self.p.isolation {
            return;
        }
        let can_alloc = self.can_alloc();
        let could = std::mem::replace(&mut self.could_alloc, can_alloc);
        let rises = can_alloc && !could;
        let held = &input[self.ins.held..self.ins.held + self.pv];
        if held.iter().all(|h| *h == 0) && self.ties.iter().all(Option::is_none) {
            return;
        }
        let mut loose = 0u32;
        for queue in 0..self.ties.len() {
            let Some(k) = self.ties[queue] else { continue };
            let Some(o) = self.output_of(queue) else { continue };
            let gone = self.ol_valid[o] >> k & 1 == 0;
            let may_be_told = queue < self.pv && rises;
            self.hit_if(gone, Cov::E5UntiedGone);
            self.hit_if(may_be_told && !gone, Cov::E5UntiedAlloc);
            if gone || may_be_told {
                self.ties[queue] = None;
                loose += 1;
            }
        }
        for q in (0..self.pv).filter(|q| held[*q] != 0) {
            let line = input[self.ins.held_line + q];
            let request = if self.served.contains(&q) { None } else { self.requests[q] };
            let Some(c) = request else {
                self.hit(Cov::E5HeldIgnored);
                continue;
            };
            if line as usize >= self.p.lines {
                self.hit(Cov::E5HeldBadLine);
                continue;
            }
            let queue = self.queue_of(q, c.choice);
            let before = c.bound;
            self.hit(if c.choice == 0 { Cov::E5TiedCold } else { Cov::E5TiedHot });
            self.hit_if(c.line.is_some_and(|l| self.lines[l].own), Cov::E1OwnHeld);
            self.hit_if(before.is_some_and(|k| k != line), Cov::E5TiedElsewhere);
            self.hit_if(before == Some(line), Cov::E5TiedAgain);
            self.hit_if(loose > 0 && before.is_some() && self.ties[queue].is_none(), Cov::E5TieBeatsLoss);
            self.ties[queue] = Some(line);
        }
        for i in 0..self.served.len() {
            let q = self.served[i];
            let Some(c) = self.requests[q] else { continue };
            let queue = self.queue_of(q, c.choice);
            let tied = self.ties[queue].take().is_some();
            self.hit_if(tied, Cov::E5UntiedServed);
        }
        if let Some(m) = moved {
            let tied = self.ties[m.cpq].take().is_some();
            self.hit_if(tied, Cov::E5UntiedMoved);
        }
    }

    /// The output of a queue; of the NFQ: of its head.
    fn output_of(&self, queue: usize) -> Option<usize> {
        match queue.checked_sub(self.pv) {
            Some(h) => self.hpq_line[h].map(|l| self.lines[l].out),
            None if self.p.one_queue => self.head(0).map(|head| head.out),
            None => Some(queue / self.p.vls),
        }
    }

    /// Served: packet popped, engine loaded.
    pub(super) fn apply_grants(&mut self) {
        for i in 0..self.served.len() {
            let q = self.served[i];
            let Some(c) = self.requests[q] else { continue };
            let queue = self.queue_of(q, c.choice);
            let Some(packet) = self.queues[queue].packets.pop_front() else { continue };
            if !c.goes_first {
                self.cq[q] = (c.choice + 1) % (self.p.hpqs + 1);
                self.hit_if(c.renews.count_ones() > 1, Cov::A3AllWent);
                for other in (0..=self.p.hpqs).filter(|o| c.renews >> o & 1 != 0) {
                    let other = self.queue_of(q, other);
                    self.went[other] = false;
                }
                // Without isolation there is nobody to yield to.
                self.went[queue] = self.p.isolation;
            }
            if c.choice > 0 {
                self.by[q] = 0;
            } else if c.goes_first && self.hot_ready[q] != 0 {
                self.by[q] = (self.by[q] + 1).min(MAX_BY);
            }
            let arriving = self.packets[packet].arriving;
            let (n, paid) = (self.packets[packet].n, self.cfg.release);
            let mark = self.owes_mark(q, c.markable);
            let early = !self.startable_at(&self.packets[packet], 1);
            self.hit_if(early, Cov::B2RdIntervalStarts);
            if paid {
                self.queues[queue].release(n, self.packets[packet].ack);
                self.hit(match queue {
                    0 if self.p.one_queue => Cov::D1ReleaseNfq,
                    _ if queue < self.pv => Cov::D1ReleaseCpq,
                    _ => Cov::D1ReleaseHpq,
                });
                self.hit_if(arriving, Cov::D1ReleaseArriving);
            }
            self.leave_with_age(packet);
            let slow = self.goes_slowly(&self.packets[packet]);
            let engine = &mut self.engines[q / self.p.vls];
            engine.stream = Some(Stream { packet, r: 0, queue, paid, mark });
            let was_slow = std::mem::replace(&mut engine.slow, slow);
            self.hit_if(slow, Cov::Cq2Slow);
            self.hit_if(self.p.cioq && !slow && arriving, Cov::Cq2Fast);
            self.hit_if(self.p.cioq && !slow && was_slow, Cov::Cq2SlowThenFast);

            self.hit_if(arriving, Cov::B2CutThrough);
            self.hit_if(arriving && self.cfg.rx_interval > 1, Cov::B2SlowStart);
            let contested = c.rivals > 1;
            if c.cnp {
                self.hit_if(contested && c.goes_first, Cov::A2CnpFirst);
                self.hit_if(contested && !c.goes_first && self.cfg.cnp_plain, Cov::A2PlainWent);
                self.hit_if(c.cnp_matches, Cov::A2CnpMatches);
            } else if c.choice == 0 {
                let by = if self.cfg.cold_first { Cov::A2ColdFirst } else { Cov::A2RoundCold };
                self.hit_if(contested, by);
            } else {
                self.hit(Cov::A2Hot);
                self.hit_if(contested, Cov::A2RoundHot);
                self.hit_if(c.forced, Cov::A2HpqForced);
                self.hit_if(c.cnp_yields, Cov::A2PlainYields);
                self.hit_if(self.lines[c.line.unwrap_or(0)].state == LineState::Drain, Cov::E6DrainServed);
                self.hit_if(self.hot_ready[q].count_ones() > 1, Cov::A2TwoHpqs);
            }
        }
    }

    /// Section 5: the read engines. Packets are as in S(t): this goes before the arriving flit is stored.
    pub(super) fn run_engines(&mut self, input: &[u32], arrival: &Arrival) {
        if self.engines.iter().all(|e| e.stream.is_none()) {
            self.engines.iter_mut().for_each(|e| e.valid = false);
            return;
        }
        let mut reads = [0u32; 64];
        for o in 0..self.p.ports {
            self.engines[o].valid = false;
            let Some(mut s) = self.engines[o].stream else { continue };
            let emission = self.emission(&s);
            if !self.reads(input, o) {
                self.hit_if(emission != Emission::Gap, Cov::B2ReadHeld);
                continue;
            }
            let packet = &self.packets[s.packet];
            let (vl, n, ack) = (packet.vl, packet.n, packet.ack);
            let pad = match emission {
                Emission::Flit => false,
                Emission::Pad => true,
                Emission::Gap => {
                    self.error(err::UNDERRUN);
                    self.hit(Cov::B2Underrun);
                    continue;
                }
            };
            let finished = pad || s.r + 1 == n;
            let engine = &mut self.engines[o];
            engine.valid = true;
            engine.first = s.r == 0;
            engine.last = finished;
            engine.bad = pad;
            engine.mark = engine.first && s.mark;
            if pad {
                engine.data.fill(0);
                if !s.paid {
                    self.queues[s.queue].release(n - s.r, ack);
                }
                self.hit(Cov::B3Pad);
                self.hit_if(s.paid, Cov::D1ReleaseCut);
            } else {
                let at = s.r as usize * self.flit_words;
                engine.data.copy_from_slice(&self.packets[s.packet].flits[at..at + self.flit_words]);
                self.used[vl] -= 1;
                if !s.paid {
                    self.queues[s.queue].release(1, ack);
                }
                reads[vl] += 1;
            }
            s.r += 1;
            self.engines[o].stream = if finished { None } else { Some(s) };
            if finished {
                self.packets.remove(s.packet);
                self.hit_if(s.paid != self.cfg.release, Cov::D1ReleaseSwitched);
                let loaded = self.served.iter().any(|q| q / self.p.vls == o);
                self.hit_if(loaded, Cov::B2BackToBack);
            }
        }
        for (vl, &n) in reads.iter().enumerate().take(self.p.vls) {
            self.hit_if(n > 1, Cov::B1TwoReads);
            self.hit_if(n > 0 && arrival.vl == Some(vl), Cov::B1StoreAndRead);
            self.hit_if(n > 0 && self.used[vl] == 0 && arrival.vl != Some(vl), Cov::B1Empty);
            self.hit_if(n > 0 && self.used[vl] + n == self.cap[vl], Cov::B1LeavesFull);
        }
    }

    /// E4: one head that matches a HOT line moves.
    pub(super) fn decide_move(&mut self) -> Option<Move> {
        if self.hpq_line.iter().all(Option::is_none) {
            return None;
        }
        let mut chosen = None;
        let cold_queues = if self.p.one_queue { 1 } else { self.pv };
        for i in 0..cold_queues {
            let cpq = (self.mv + i) % cold_queues;
            let Some(head) = self.head(cpq) else { continue };
            if head.cnp || self.pops_cold(cpq) {
                continue;
            }
            let Some(line) = self.matching_line(head) else { continue };
            if self.lines[line].state != LineState::Hot {
                continue;
            }
            if chosen.is_some() {
                self.hit(Cov::E4TwoMoves);
                break;
            }
            chosen = Some(Move { cpq, line, n: head.n, ack: head.ack });
        }
        chosen
    }

    /// A grant of this cycle takes the head of this cold queue.
    pub(super) fn pops_cold(&self, queue: usize) -> bool {
        let served = self.served.iter().filter(|&&q| self.p.one_queue || q == queue);
        served.into_iter().any(|&q| self.requests[q].is_some_and(|c| c.choice == 0))
    }

    /// The head goes to the tail of the line's HPQ with its charge.
    pub(super) fn apply_move(&mut self, moved: Option<Move>) {
        let Some(m) = moved else { return };
        let Some(id) = self.queues[m.cpq].packets.pop_front() else { return };
        self.queues[m.cpq].release(m.n, m.ack);
        // The line's HPQ: a line that a packet moves to is not freed in the same cycle.
        let hpq = self.lines[m.line].queue;
        self.queues[hpq].packets.push_back(id);
        self.queues[hpq].charge(m.n, m.ack);
        self.mv = if self.p.one_queue { 0 } else { (m.cpq + 1) % self.pv };
        let l = &self.lines[m.line];
        let granted = self.served.contains(&(l.out * self.p.vls + l.vl));
        self.hit(Cov::E4Move);
        self.hit_if(self.packets[id].arriving, Cov::E4MoveArriving);
        self.hit_if(granted, Cov::E4MoveAndGrant);
    }

    /// Section 12, *read at once*: the fill of a queue in S(t) without what is granted in this cycle.
    fn fill_left(&self, queue: usize) -> u32 {
        let fill = self.queues[queue].fill;
        if !self.cfg.release || self.served.is_empty() {
            return fill;
        }
        let requests = self.served.iter().filter_map(|&q| self.requests[q].map(|c| (q, c)));
        let leaves = requests.filter(|(q, c)| self.queue_of(*q, c.choice) == queue).map(|(_, c)| c.n);
        fill - leaves.sum::<u32>()
    }

    /// D1, D4: the congestion bits, on the fills of S(t).
    pub(super) fn update_cong(&mut self) {
        if self.p.one_queue {
            return;
        }
        // Of data: the others have no bits.
        let thresholds = self.cfg.cpq_thresholds(self.cap[0]);
        let single = !self.cfg.weight_use && self.cfg.hth == self.cfg.lth;
        for q in 0..self.pv {
            if self.is_fifo(q % self.p.vls) {
                continue;
            }
            let fill = self.fill_left(q);
            let was = self.cong[q];
            if fill == 0 && !was {
                continue; // neither above a threshold nor to be cleared
            }
            let Some(t) = thresholds else {
                self.cong[q] = false;
                self.hit_if(fill > 0, Cov::D4Never);
                continue;
            };
            let (above, below) = (fill > t.high, fill < t.low);
            self.cong[q] = t.next(was, fill);
            self.hit(Cov::D5Fill);
            self.hit_if(!was && above, Cov::D1Set);
            self.hit_if(was && !self.cong[q], Cov::D1Clear);
            let ends = was && !self.cong[q] && self.queues[q].fill >= t.low;
            self.hit_if(ends, Cov::D1ReleaseEndsCong);
            self.hit_if(was && !above && !below, Cov::D1HoldSet);
            self.hit_if(!was && !above && !below, Cov::D1HoldClear);
            self.hit_if(above && below, Cov::D1SetBeatsClear);
            self.hit_if(single && was != self.cong[q], Cov::D1Single);
            self.hit_if(self.cfg.weight_use && !was && above, Cov::D4Weight);
            let floor = self.cfg.weight_use && self.cfg.hth.saturating_sub(self.cfg.lth) >= t.high;
            self.hit_if(floor && was && below, Cov::D4Floor);
        }
    }

    /// Section 10: the hysteresis bits of the lines' queues, on S(t).
    pub(super) fn update_line_cong(&mut self) {
        if !self.p.one_queue {
            return;
        }
        for i in 0..self.lines.len() {
            let (l, was) = (&self.lines[i], self.line_cong[i]);
            if !l.is_root() {
                self.line_cong[i] = false;
                let linked = was && l.state == LineState::Hot && l.linked;
                self.hit_if(linked, Cov::D1CfqLinked);
                continue;
            }
            let (fill, whole) = (self.fill_left(l.queue), self.queues[l.queue].fill);
            let (above, below) = (fill > self.cfg.hth, fill < self.cfg.lth);
            self.line_cong[i] = self.cfg.thresholds().next(was, fill);
            self.hit_if(!was && above, Cov::D1CfqHigh);
            self.hit_if(was && !above && below, Cov::D1CfqLow);
            let ends = was && !above && below && whole >= self.cfg.lth;
            self.hit_if(ends, Cov::D1ReleaseEndsCong);
            self.hit_if(was && !above && !below, Cov::D1CfqHold);
        }
    }

    /// Section 10: how long the NFQ's head has asked in vain.
    pub(super) fn update_nfq_wait(&mut self, moved: Option<Move>) {
        if !self.p.one_queue {
            return;
        }
        let leaves = moved.is_some() || self.pops_cold(0);
        if leaves || self.queues[0].packets.is_empty() {
            self.nfq_wait = 0;
            // The next head has not been counted by E7.
            self.noline_counted[0] = false;
        } else if self.requests.iter().flatten().any(|c| c.choice == 0) {
            count(&mut self.nfq_wait);
        }
    }
}
