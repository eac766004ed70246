//! Section 6: CAM lines.

use super::cover::Cov;
use super::state::{
    Accept, InputPort, Line, LineState, Message, Move, MsgType, Packet, Tree, Verdict, count, max_timer,
};

impl Line {
    pub fn new(dlist: usize) -> Self {
        Line {
            state: LineState::Free,
            out: 0,
            vl: 0,
            queue: 0,
            hops: 0,
            root: 0,
            next: 0,
            linked: false,
            own: false,
            ann: false,
            sent_stop: false,
            stop_req: false,
            reached: false,
            dirty: false,
            forgotten: false,
            timer: 0,
            dlist: Vec::with_capacity(dlist),
        }
    }

    /// Back to FREE; the dList keeps its space.
    fn clear(&mut self) {
        let mut dlist = std::mem::take(&mut self.dlist);
        dlist.clear();
        *self = Line { dlist, ..Line::new(0) };
    }

    fn has_hpq(&self) -> bool {
        matches!(self.state, LineState::Hot | LineState::Drain)
    }

    /// E6: the line would be linked to a tree of its output. One in DRAIN takes no link, nor does a root's own.
    pub fn asks_for_link(&self) -> bool {
        self.state == LineState::Hot && !self.linked && !self.own
    }

    /// ONE_QUEUE: the root of a tree is the output that it belongs to.
    pub fn is_root(&self) -> bool {
        self.state == LineState::Hot && self.hops == 1 && !self.linked
    }

    /// The line of its output that a HOT line belongs to.
    pub fn linked_to(&self) -> Option<u32> {
        (self.state == LineState::Hot && self.linked).then_some(self.next)
    }

    /// The next switch said stop to the tree that it belongs to.
    fn is_stopped(&self, ol_stop: &[u32]) -> bool {
        self.linked_to().is_some_and(|k| ol_stop[self.out] >> k & 1 != 0)
    }
}

impl Message {
    pub fn new(dlist: usize) -> Self {
        Message {
            valid: false,
            kind: MsgType::Alloc,
            line: 0,
            vl: 0,
            root: 0,
            hops: 0,
            stop: false,
            dlist: Vec::with_capacity(dlist),
        }
    }
}

/// What a processed `prop` does.
#[derive(Clone, Copy)]
pub(super) enum Prop {
    Nothing,
    Relink { line: usize, tree: Tree },
    Append { line: usize, dlid: u16 },
    Take { line: usize, hpq: usize, cpq: usize, dlid: u16, tree: Tree },
}

/// A tree that begins here takes a FREE line.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// A congested CPQ becomes a root.
    Root { cpq: usize, line: usize },
    /// Section 13: the same, with an HPQ.
    Own { cpq: usize, line: usize, hpq: usize },
    /// ONE_QUEUE: the NFQ's head is found to be congested.
    Detected { line: usize, hpq: usize, out: usize, dlid: u16 },
}

impl InputPort {
    fn free_line(&self) -> Option<usize> {
        self.lines.iter().position(|l| l.state == LineState::Free)
    }

    fn free_hpq(&self) -> Option<usize> {
        self.hpq_line.iter().position(Option::is_none)
    }

    pub(super) fn can_alloc(&self) -> bool {
        self.cfg.iso_en && self.free_hpq().is_some() && self.free_line().is_some()
    }

    /// The HOT or DRAIN line that a packet belongs to.
    pub(super) fn matching_line(&self, packet: &Packet) -> Option<usize> {
        // Every such line has an HPQ.
        if self.hpq_line.iter().all(Option::is_none) {
            return None;
        }
        self.lines.iter().position(|l| {
            l.has_hpq() && l.out == packet.out && l.vl == packet.vl && l.dlist.contains(&packet.dlid)
        })
    }

    /// E3: an output found a candidate in one of its lines.
    pub(super) fn decide_prop(&mut self, input: &[u32]) -> Prop {
        let w = self.ins;
        let valid = &input[w.prop_valid..w.prop_valid + self.p.ports];
        let Some(o) = valid.iter().position(|&x| x != 0) else { return Prop::Nothing };
        let vl = input[w.prop_vl + o] as usize;
        let tree =
            Tree { next: input[w.prop_line + o], hops: input[w.prop_hops + o], root: input[w.prop_root + o] };
        if !self.p.isolation {
            return Prop::Nothing;
        }
        let several = valid[o + 1..].iter().any(|&x| x != 0);
        self.hit_if(several, Cov::E3PropTwoOutputs);
        if vl >= self.p.vls || tree.next as usize >= self.p.lines {
            self.hit(Cov::E3PropOutOfRange);
            return Prop::Nothing;
        }
        let cpq = o * self.p.vls + vl;
        let Some(c) = self.requests[cpq] else {
            self.hit(Cov::E3PropNoRequest);
            return Prop::Nothing;
        };
        if !self.cfg.iso_en || c.cnp || self.served.contains(&cpq) {
            self.hit(if !self.cfg.iso_en {
                Cov::E3PropIsoOff
            } else if c.cnp {
                Cov::E3PropCnp
            } else {
                Cov::E3PropGranted
            });
            return Prop::Nothing;
        }
        // Hot: the line finds its tree again.
        if let Some(line) = c.line {
            if self.lines[line].own {
                self.hit(Cov::E1OwnPropIgnored);
                return Prop::Nothing;
            }
            return if self.lines[line].state == LineState::Hot {
                self.hit(Cov::E6Relink);
                Prop::Relink { line, tree }
            } else {
                self.hit(Cov::E6RelinkDrain);
                Prop::Nothing
            };
        }
        // Cold: into the line of that tree, if there is one.
        let joins = |l: &Line| {
            l.state == LineState::Hot && l.out == o && l.vl == vl && l.linked && l.next == tree.next
        };
        let mut joined = self.lines.iter().enumerate().filter(|(_, l)| joins(l));
        if let Some((lowest, _)) = joined.clone().next() {
            let roomy = joined.find(|(_, l)| l.dlist.len() < self.p.dlist).map(|(i, _)| i);
            let Some(line) = roomy else {
                self.hit(Cov::E3AppendFull);
                return Prop::Nothing;
            };
            self.hit(Cov::E3Append);
            self.hit_if(line != lowest, Cov::E3AppendSecondLine);
            return Prop::Append { line, dlid: c.dlid };
        }
        match (self.free_line(), self.free_hpq()) {
            (Some(line), Some(hpq)) => {
                self.hit(Cov::E3Take);
                Prop::Take { line, hpq, cpq, dlid: c.dlid, tree }
            }
            // E7: the packet stays cold.
            (line, hpq) => {
                count(&mut self.cnt_nohpq);
                self.hit_if(line.is_some(), Cov::E7NoHpq);
                self.hit_if(hpq.is_some(), Cov::E7NoLineForHot);
                Prop::Nothing
            }
        }
    }

    /// E1: a congested CPQ becomes a root.
    pub(super) fn decide_root(&mut self, prop: &Prop) -> Option<Start> {
        for q in 0..self.pv {
            if !self.cong[q] {
                self.noline_counted[q] = false;
            }
        }
        if !self.cfg.iso_en {
            return None;
        }
        if self.cfg.root_hpq {
            return self.decide_own_root(prop);
        }
        let q = (0..self.pv)
            .find(|&q| self.cong[q] && !self.has_root(q) && !self.queues[q].packets.is_empty())?;
        if matches!(prop, Prop::Take { .. }) {
            self.hit(Cov::E1RootWaits);
            return None;
        }
        let line = self.free_line();
        if line.is_some() {
            self.noline_counted[q] = false;
        } else if !self.noline_counted[q] {
            // E7: once an episode.
            self.noline_counted[q] = true;
            count(&mut self.cnt_noline);
            self.hit(Cov::E7NoLine);
        }
        line.map(|line| Start::Root { cpq: q, line })
    }

    /// (o,v) has a ROOT line, or an own one.
    fn has_root(&self, q: usize) -> bool {
        self.root_line[q].is_some() || self.own_line(q).is_some()
    }

    /// Section 13: the line of a root (o,v) that has an HPQ.
    fn own_line(&self, q: usize) -> Option<usize> {
        self.lines.iter().position(|l| l.own && l_cpq(l, self.p.vls) == q)
    }

    /// Section 13: a congested CPQ becomes a root that has an HPQ.
    fn decide_own_root(&mut self, prop: &Prop) -> Option<Start> {
        if matches!(prop, Prop::Take { .. } | Prop::Append { .. }) {
            return None;
        }
        for q in 0..self.pv {
            if !self.cong[q] || self.own_line(q).is_some() {
                continue;
            }
            if self.root_line[q].is_some() {
                self.hit(Cov::E1OwnBesideRoot);
                continue;
            }
            let Some(head) = self.head(q) else { continue };
            let (cnp, matches) = (head.cnp, self.matching_line(head).is_some());
            if cnp || matches || self.pops_cold(q) {
                self.hit_if(cnp, Cov::E1OwnHeadCnp);
                self.hit_if(matches && !cnp, Cov::E1OwnHeadMatched);
                continue;
            }
            if let (Some(line), Some(hpq)) = (self.free_line(), self.free_hpq()) {
                self.noline_counted[q] = false;
                self.hit(Cov::E1OwnTaken);
                return Some(Start::Own { cpq: q, line, hpq });
            }
            if !self.noline_counted[q] {
                // E7: once an episode.
                self.noline_counted[q] = true;
                count(&mut self.cnt_noline);
                self.hit(if self.free_hpq().is_none() { Cov::E1OwnNoHpq } else { Cov::E1OwnNoLine });
            }
            return None;
        }
        None
    }

    /// Section 10: the head of a long NFQ that asked in vain for long becomes the first packet of a CFQ.
    pub(super) fn decide_detection(&mut self, prop: &Prop) -> Option<Start> {
        if !self.cfg.iso_en || self.queues[0].fill <= self.cfg.detect {
            return None;
        }
        let head = self.head(0)?;
        let (out, dlid, cnp) = (head.out, head.dlid, head.cnp);
        if cnp || self.matching_line(head).is_some() {
            self.hit_if(cnp, Cov::E1DetectCnp);
            return None;
        }
        if self.nfq_wait < self.cfg.hold {
            self.hit(Cov::E1DetectHold);
            return None;
        }
        if self.pops_cold(0) {
            self.hit(Cov::E1DetectServed);
            return None;
        }
        if matches!(prop, Prop::Take { .. } | Prop::Append { .. }) {
            self.hit(Cov::E1DetectWaits);
            return None;
        }
        match (self.free_line(), self.free_hpq()) {
            (Some(line), Some(hpq)) => {
                self.hit(Cov::E1Detect);
                Some(Start::Detected { line, hpq, out, dlid })
            }
            _ => {
                if !self.noline_counted[0] {
                    // E7: once a head.
                    self.noline_counted[0] = true;
                    count(&mut self.cnt_noline);
                    self.hit(Cov::E1DetectNoLine);
                }
                None
            }
        }
    }

    /// All line updates of a cycle.
    pub(super) fn update_lines(
        &mut self,
        moved: Option<Move>,
        prop: Prop,
        start: Option<Start>,
        accept: Option<Accept>,
    ) {
        self.hit_if(self.msg.valid && !self.up, Cov::E2LinkDownMessage);
        self.msg.valid = false;
        if !self.p.isolation {
            return;
        }
        let refreshes = self.count_refresh();
        let mut freed = false;
        if self.lines.iter().any(|l| l.state != LineState::Free) {
            for i in 0..self.lines.len() {
                self.verdicts[i] = self.judge(i, moved, prop, accept);
            }
            let server = if self.up { self.choose_message() } else { None };
            for i in 0..self.lines.len() {
                if self.lines[i].state == LineState::Free {
                    continue;
                }
                let sent = if server == Some(i) { self.verdicts[i].wants } else { None };
                self.update_line(i, sent, refreshes);
                freed |= self.lines[i].state == LineState::Free;
            }
        }
        let taken = self.take_line(prop, start);
        self.hit_if(taken && freed, Cov::E6TakenAndFreed);
    }

    /// E8: true in the cycle in which all announced lines become dirty.
    pub(super) fn count_refresh(&mut self) -> bool {
        let period = self.cfg.refresh;
        if period == 0 {
            self.refresh = 0;
            return false;
        }
        let fires = self.refresh >= period - 1;
        self.refresh = if fires { 0 } else { self.refresh + 1 };
        fires
    }

    /// Conditions of one line, from S(t) and I(t).
    fn judge(&mut self, i: usize, moved: Option<Move>, prop: Prop, accept: Option<Accept>) -> Verdict {
        let l = &self.lines[i];
        let state = l.state;
        if state == LineState::Free {
            return Verdict::default();
        }
        let mut v = Verdict::default();
        let cfg = &self.cfg;
        let queue = &self.queues[l.queue];
        let fill = queue.fill;
        let moved = moved.filter(|m| m.line == i);
        let accept = accept.filter(|a| state == LineState::Root && a.queue == l.queue);

        // Collect (E1) and append (E3).
        let collects = state == LineState::Root || l.own && state == LineState::Hot;
        let mut collect_full = false;
        let mut collect_listed = false;
        match (state, prop) {
            // A root's, with an HPQ or without.
            (LineState::Root, _) | (LineState::Hot, _) if collects => {
                let cpq = l_cpq(l, self.p.vls);
                let granted = if self.served.contains(&cpq) { self.requests[cpq] } else { None };
                if let Some(c) = granted.filter(|c| c.choice == 0 && !c.cnp) {
                    collect_listed = l.dlist.contains(&c.dlid);
                    collect_full = !collect_listed && l.dlist.len() >= self.p.dlist;
                    v.append = (!collect_listed && !collect_full).then_some(c.dlid);
                }
            }
            (_, Prop::Append { line, dlid }) if line == i => v.append = Some(dlid),
            (_, Prop::Relink { line, tree }) if line == i => v.relink = Some(tree),
            _ => {}
        }

        // Reach (E5): Stop & Go is between hot queues only.
        let limits = cfg.hpq_thresholds();
        let added = moved.map(|m| if m.ack { 0 } else { m.n });
        let reach = fill - queue.acks;
        v.over = added.is_some_and(|n| reach + n > limits.high);
        v.below = state != LineState::Root && reach < limits.low;
        let acks_pass = !v.over && moved.is_some_and(|m| fill + m.n > limits.high);
        let acks_stay = l.stop_req && !v.over && v.below && fill >= limits.low;

        // Timer (E8).
        v.expired = l.timer >= cfg.line_timer;

        // Free condition (E6); use beats free.
        let drained = queue.packets.is_empty() && fill == 0;
        let quiet = drained && !l.stop_req && !l.sent_stop;
        let free = match state {
            LineState::Root => v.expired || !cfg.iso_en || drained,
            LineState::Hot => quiet && !l.is_stopped(&self.ol_stop),
            _ => drained,
        };
        let forced = state == LineState::Root && (v.expired || !cfg.iso_en);
        let awaited = state == LineState::Hot
            && self.cold_head(l.out * self.p.vls + l.vl).is_some_and(|h| !h.cnp && l.dlist.contains(&h.dlid));
        let used = awaited
            || moved.is_some()
            || (accept.is_some() && !forced)
            || v.append.is_some()
            || v.relink.is_some();
        v.free = free && !used;

        // Wants (E2, E5, E6). A line that is freed without a message wants none.
        let alloc = state != LineState::Drain && l.reached && !l.dlist.is_empty() && (!l.ann || l.dirty);
        v.wants = if v.free {
            l.ann.then_some(MsgType::Dealloc)
        } else if alloc {
            Some(MsgType::Alloc)
        } else if l.ann && l.stop_req && !l.sent_stop {
            Some(MsgType::Stop)
        } else if l.ann && !l.stop_req && l.sent_stop {
            Some(MsgType::Go)
        } else {
            None
        };

        let by_stop = v.over && added.is_some_and(|n| reach + n <= cfg.hth);
        let by_go = l.stop_req && !v.over && v.below && reach >= cfg.lth;
        let (expired, iso_en) = (v.expired, cfg.iso_en);
        let held_by_stop = state == LineState::Hot && quiet && !free;
        let own = l.own;
        self.hit_if(by_stop, Cov::E5StopRegister);
        self.hit_if(by_go, Cov::E5GoRegister);
        self.hit_if(acks_pass, Cov::E5AcksPass);
        self.hit_if(acks_stay, Cov::E5AcksStay);
        if state == LineState::Root {
            self.hit_if(collect_listed, Cov::E1CollectListed);
            self.hit_if(collect_full, Cov::E1CollectFull);
            self.hit_if(v.append.is_some(), Cov::E1Collect);
            self.hit_if(free && v.append.is_some(), Cov::E6BeatenCollect);
            self.hit_if(free && accept.is_some() && v.append.is_none() && !forced, Cov::E6BeatenAccept);
            self.hit_if(forced && accept.is_some() && v.free, Cov::E6ForcedDespiteAccept);
            self.hit_if(expired, Cov::E8RootExpired);
            self.hit_if(!iso_en, Cov::E6IsoOffRoot);
        } else {
            self.hit_if(free && awaited && moved.is_none(), Cov::E6BeatenHead);
            self.hit_if(free && moved.is_some(), Cov::E6BeatenMove);
            self.hit_if(free && v.append.is_some() && !own, Cov::E6BeatenAppend);
            self.hit_if(own && v.append.is_some(), Cov::E1OwnCollect);
            self.hit_if(own && collect_full, Cov::E1OwnListFull);
            self.hit_if(held_by_stop, Cov::E6HeldByStop);
        }
        v
    }

    /// Round robin over the lines that want to send; what the message says is from S(t).
    fn choose_message(&mut self) -> Option<usize> {
        let n = self.lines.len();
        let wishes = self.verdicts.iter().filter(|v| v.wants.is_some()).count();
        self.hit_if(wishes > 1, Cov::E6MessageWaits);
        let i = (0..n).map(|i| (self.msg_ptr + i) % n).find(|&i| self.verdicts[i].wants.is_some())?;
        self.msg_ptr = (i + 1) % n;

        let (l, m) = (&self.lines[i], &mut self.msg);
        m.valid = true;
        m.kind = self.verdicts[i].wants?;
        m.line = i;
        m.vl = l.vl;
        m.dlist.clear();
        let alloc = m.kind == MsgType::Alloc;
        (m.root, m.hops, m.stop) = if alloc { (l.root, l.hops, l.stop_req) } else { (0, 0, false) };
        if alloc {
            m.dlist.extend_from_slice(&l.dlist);
        }

        let (kind, state, again, stop) = (m.kind, l.state, l.ann, l.stop_req);
        let anew = alloc && !again && l.forgotten;
        let root = state == LineState::Root;
        self.hit(match (kind, state) {
            (MsgType::Alloc, _) if again && root => Cov::E8ReallocRoot,
            (MsgType::Alloc, _) if again => Cov::E8ReallocHot,
            (MsgType::Alloc, LineState::Root) => Cov::E2AllocRoot,
            (MsgType::Alloc, _) => Cov::E5AllocHot,
            (MsgType::Stop, LineState::Hot) => Cov::E5StopHot,
            (MsgType::Stop, _) => Cov::E5StopDrain,
            (MsgType::Go, LineState::Hot) => Cov::E5GoHot,
            (MsgType::Go, _) => Cov::E5GoDrain,
            (MsgType::Dealloc, LineState::Root) => Cov::E6DeallocRoot,
            (MsgType::Dealloc, LineState::Hot) => Cov::E6DeallocHot,
            (MsgType::Dealloc, _) => Cov::E6DeallocDrain,
        });
        self.hit_if(alloc && stop, Cov::E5AllocStop);
        self.hit_if(anew, Cov::E2AnnouncedAgain);
        self.hit_if(anew && stop, Cov::E5StoppedAgain);
        Some(i)
    }

    /// The registers of one line at the end of the cycle. `sent`: its message that was served.
    fn update_line(&mut self, i: usize, sent: Option<MsgType>, refreshes: bool) {
        let v = self.verdicts[i];
        let (state, ann, dirty) = (self.lines[i].state, self.lines[i].ann, self.lines[i].dirty);
        if v.free && (!ann || sent == Some(MsgType::Dealloc)) {
            self.free(i);
            return;
        }
        let iso_en = self.cfg.iso_en;
        let is_root = self.p.one_queue && self.lines[i].is_root();
        self.hit_if(is_root && v.relink.is_some(), Cov::E3RootLinked);
        let l = &mut self.lines[i];
        // Messages.
        match sent {
            Some(MsgType::Alloc) => {
                l.ann = true;
                l.dirty = false;
                l.sent_stop = l.stop_req;
            }
            Some(MsgType::Stop) => l.sent_stop = true,
            Some(MsgType::Go) => l.sent_stop = false,
            Some(MsgType::Dealloc) | None => {}
        }
        // Append and collect; an ALLOC of this cycle does not yet hold the new entry.
        if let Some(dlid) = v.append {
            l.dlist.push(dlid);
            if l.ann {
                l.dirty = true;
            }
        }
        // Refresh.
        if refreshes && ann {
            l.dirty = true;
        }
        // Timer.
        let timer_runs = match state {
            LineState::Root => !self.cong[l.queue],
            LineState::Hot => !l.linked && !is_root && !l.own && v.relink.is_none(),
            _ => false,
        };
        if timer_runs {
            l.timer = if l.timer >= max_timer(&self.p) { l.timer } else { l.timer + 1 };
        } else if state != LineState::Drain {
            l.timer = 0;
        }
        // Link loss, relink.
        let lost = l.has_hpq() && l.linked && self.ol_valid[l.out] >> l.next & 1 == 0;
        if let Some(tree) = v.relink {
            l.next = tree.next;
            l.linked = true;
            l.hops = tree.hops;
            l.root = tree.root;
        } else if lost {
            l.linked = false;
        }
        // Reach.
        let reach = v.over && !l.reached;
        let stops = v.over && l.reached && !l.stop_req;
        let goes = !v.over && v.below && l.stop_req;
        if reach {
            l.reached = true;
        } else if v.over {
            l.stop_req = true;
        } else if v.below {
            l.stop_req = false;
        }
        // Section 11: the neighbour has forgotten the line.
        let (told, stopped) = (l.ann, l.sent_stop);
        if !self.up {
            l.ann = false;
            l.sent_stop = false;
            l.forgotten |= told;
        }
        // The life of a hot line ends.
        if state == LineState::Hot && (v.expired || !iso_en) && v.relink.is_none() {
            l.state = LineState::Drain;
        }

        if !self.up {
            self.hit_if(told, Cov::E2Forgotten);
            self.hit_if(stopped, Cov::E5Forgotten);
            self.hit_if(v.free, Cov::E6LinkDownFree);
        }
        let hot = state == LineState::Hot;
        let own = self.lines[i].own;
        let appended_in_alloc = v.append.is_some() && sent == Some(MsgType::Alloc);
        let collected = own || !hot;
        self.hit_if(appended_in_alloc, if collected { Cov::E1CollectInAlloc } else { Cov::E3AppendInAlloc });
        self.hit_if(!collected && v.append.is_some() && ann, Cov::E3AppendAnnounced);
        self.hit_if(own && hot && !iso_en, Cov::E1OwnDrain);
        self.hit_if(own && stops, Cov::E1OwnStop);
        self.hit_if(refreshes && ann, Cov::E8Refresh);
        self.hit_if(refreshes && ann && dirty && sent == Some(MsgType::Alloc), Cov::E8RefreshInAlloc);
        self.hit_if(lost && v.relink.is_some(), Cov::E6RelinkBeatsLoss);
        self.hit_if(lost && v.relink.is_none() && hot, Cov::E6LinkLoss);
        self.hit_if(lost && state == LineState::Drain, Cov::E6LinkLossDrain);
        self.hit_if(reach, Cov::E5Reached);
        self.hit_if(stops, Cov::E5StopReqHot);
        self.hit_if(goes, Cov::E5GoReq);
        if hot && v.relink.is_none() {
            self.hit_if(v.expired, Cov::E8HotExpired);
            self.hit_if(!iso_en, Cov::E6IsoOffHot);
        }
        self.hit_if(hot && v.expired && v.relink.is_some(), Cov::E8RelinkBeatsExpiry);
    }

    /// A line, and its HPQ, become free.
    fn free(&mut self, i: usize) {
        let l = &self.lines[i];
        let (state, queue, ann, own) = (l.state, l.queue, l.ann, l.own);
        self.hit_if(own, Cov::E1OwnFreed);
        if state == LineState::Root {
            self.root_line[queue] = None;
            self.hit_if(!ann, Cov::E6FreeRoot);
        } else {
            self.hpq_line[queue - self.pv] = None;
            let drain = state == LineState::Drain;
            self.hit_if(!ann, if drain { Cov::E6FreeDrain } else { Cov::E6FreeHot });
            // E9: packets that waited behind the drained queue may go from now on.
            let cpq = l_cpq(&self.lines[i], self.p.vls);
            let waits = self.cold_head(cpq).is_some_and(|h| !h.cnp && self.lines[i].dlist.contains(&h.dlid));
            self.hit_if(drain && waits, Cov::E9DrainReleases);
        }
        self.lines[i].clear();
    }

    /// A line takes an HPQ.
    fn take_hpq(&mut self, hpq: usize, line: usize) {
        self.hpq_line[hpq] = Some(line);
        let queue = self.pv + hpq;
        let reads = self.engines.iter().filter_map(|e| e.stream.as_ref()).any(|s| s.paid && s.queue == queue);
        self.hit_if(reads, Cov::D1ReleaseFreeHpq);
        self.hit_if(self.went[self.pv + hpq], Cov::A3WentBefore);
    }

    /// A prop or a new tree takes a line that was FREE in S(t).
    fn take_line(&mut self, prop: Prop, start: Option<Start>) -> bool {
        if let Prop::Take { line, hpq, cpq, dlid, tree } = prop {
            let l = &mut self.lines[line];
            l.state = LineState::Hot;
            l.out = cpq / self.p.vls;
            l.vl = cpq % self.p.vls;
            l.queue = self.pv + hpq;
            l.hops = tree.hops;
            l.root = tree.root;
            l.next = tree.next;
            l.linked = true;
            l.dlist.push(dlid);
            self.take_hpq(hpq, line);
            return true;
        }
        let (q, line) = match start {
            None => return false,
            Some(Start::Root { cpq, line }) => (cpq, line),
            Some(Start::Own { cpq, line, hpq }) => {
                let dlid = self.head(cpq).map(|h| h.dlid);
                let l = &mut self.lines[line];
                l.state = LineState::Hot;
                l.out = cpq / self.p.vls;
                l.vl = cpq % self.p.vls;
                l.queue = self.pv + hpq;
                l.hops = 1;
                l.root = self.cfg.switch_id << 8 | l.out as u32;
                l.own = true;
                l.reached = true;
                l.dlist.extend(dlid);
                self.take_hpq(hpq, line);
                return true;
            }
            Some(Start::Detected { line, hpq, out, dlid }) => {
                let l = &mut self.lines[line];
                l.state = LineState::Hot;
                l.out = out;
                l.queue = self.pv + hpq;
                l.hops = 1;
                l.root = self.cfg.switch_id << 8 | out as u32;
                l.dlist.push(dlid);
                self.take_hpq(hpq, line);
                return true;
            }
        };
        let head = self.queues[q].packets.front().map(|&id| &self.packets[id]);
        let dlid = head.filter(|h| !h.cnp).map(|h| h.dlid);
        let l = &mut self.lines[line];
        l.state = LineState::Root;
        l.out = q / self.p.vls;
        l.vl = q % self.p.vls;
        l.queue = q;
        l.hops = 1;
        l.root = self.cfg.switch_id << 8 | l.out as u32;
        l.reached = true;
        l.dlist.extend(dlid);
        self.root_line[q] = Some(line);
        self.hit(if dlid.is_some() { Cov::E1Root } else { Cov::E1RootCnp });
        true
    }
}

/// The CPQ that feeds a line.
fn l_cpq(l: &Line, vls: usize) -> usize {
    l.out * vls + l.vl
}
