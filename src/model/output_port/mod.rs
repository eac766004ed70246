//! Golden model of `switch_output_port`, from `docs/output-port.md`.
//!
//! Everything decided in a cycle is decided from its state S(t) and inputs I(t); `step` therefore updates in an order in
//! which nothing is overwritten before its last use.

mod age;
mod arbiter;
mod classes;
mod counts;
mod cover;
mod lines;
mod queue;
mod state;
#[cfg(test)]
mod tests;
mod transmit;

use crate::model::link::Credit;
use crate::model::order::Order;
use crate::model::util::{Read, err_clear};
use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::scheme::any_up;
use crate::scheme::detector::{Counts, Thresholds, evaluated};
use crate::signals::Layout;
pub use cover::cover_applies;
use cover::{Cover, POINTS};
pub use state::OutputPort;
use state::{
    BAD_VL, CREDIT_MASK, Classes, Config, Decision, Flit, In, Line, MAX_VLS, Out, OutputQueue, PacketCounts,
    State, max_timer, reset_registers,
};

impl OutputPort {
    /// A unit in reset state. `params` must be legal ([`Params::check`]).
    pub fn new(params: &Params) -> Self {
        let layout = Layout::new(UnitKind::OutputPort, params);
        let written = reset_registers(params);
        let mut unit = OutputPort {
            p: *params,
            ports: params.ports,
            vls: params.vls,
            mtu: params.mtu as u32,
            dlist: params.dlist,
            flit_words: params.flit_bytes / 4,
            timer_max: max_timer(params),
            isolation: params.isolation,
            one_queue: params.one_queue,
            vl_by_dest: params.vl_by_dest,
            control: params.control_lane(),
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            cfg: Config::new(&written, params),
            written,
            read: None,
            phase: 0,
            fccl: [0; MAX_VLS],
            txr: [0; MAX_VLS],
            fctbs: [0; MAX_VLS],
            fcc: 0,
            fc_slot: 0,
            order: Vec::new(),
            cr: [0; MAX_VLS],
            vp: [0; 2],
            scan: 0,
            draw: 0,
            turns_used: 0,
            passed: [0; MAX_VLS],
            waited: [false; MAX_VLS],
            rooted: [true; MAX_VLS],
            root_held: [true; MAX_VLS],
            count: [0; MAX_VLS],
            hs: [false; MAX_VLS],
            cong: [false; MAX_VLS],
            mark_count: [0; MAX_VLS],
            lfsr: 0,
            open: None,
            due: 0,
            drop: 0,
            tx: Flit::default(),
            counts: PacketCounts::new(params),
            queue: OutputQueue::new(params),
            classes: Classes::new(params),
            lines: vec![Line::default(); params.lines],
            lines_used: false,
            err: 0,
            cnt_e7: 0,
            cnt_max: params.cnt_max(),
            cnt_marked: 0,
            cnt_sent: 0,
            cover: vec![0; POINTS.len()],
            last_grant: None,
            down: 0,
            unheard: false,
            served: None,
            decided: None,
        };
        unit.reset();
        unit
    }

    /// A2: CNPs are ordinary packets.
    pub fn cnp_plain(&self) -> bool {
        self.cfg.cnp_plain
    }

    /// A1: how many inputs go before input `i`, for CNPs or data of VL 0.
    pub fn place(&self, i: usize, cnps: bool) -> usize {
        self.place_on(0, i, cnps && !self.cfg.cnp_plain)
    }

    /// Section 1: the crossbar may move a flit (`rd_en`).
    pub fn reads(&self) -> bool {
        self.phase == 0
    }

    /// Destinations of line `k`.
    pub fn destinations(&self, k: usize) -> &[u32] {
        let line = &self.lines[k];
        &line.dlist[..line.dcnt]
    }

    /// The outputs, as [`Unit::outputs`]; the step that follows takes what is decided here. Between the two only inputs
    /// that no output depends on may change.
    pub fn look(&mut self, input: &[u32], out: &mut [u32]) {
        let d = self.decide(input);
        self.show(input, &d, out);
        self.decided = Some(d);
    }

    /// Nothing crosses, leaves or is known of congestion: while nobody asks, no cycle changes more than [`OutputPort::rest`] does.
    pub fn rests(&self) -> bool {
        let vls = self.vls;
        !self.tx.valid
            && !self.lines_used
            && self.open.is_none()
            && self.due | self.drop | self.down == 0
            && self.count[..vls].iter().all(|c| *c == 0)
            && !self.cong[..vls].iter().chain(&self.hs[..vls]).any(|c| *c)
            && (!self.cfg.cnp_plain || self.passed[..vls].iter().all(|p| *p == 0))
            && self.counts.is_empty()
            && self.queue.is_empty()
            && self.classes.owed.iter().all(Option::is_none)
    }

    /// A cycle of a resting port to which nothing comes but perhaps credits: [`Unit::step`] with these pins.
    pub fn rest(&mut self, fccl: Option<Credit>) {
        self.decided = None;
        self.read = None;
        self.served = None;
        self.root_held = self.held_roots();
        self.advance_counters();
        if self.queue.built {
            self.advance_slow_phase();
        }
        self.err |= self.receive_fccl(fccl);
    }

    /// The outputs that this may change; `out` has those of the cycle before.
    pub fn show_rest(&self, out: &mut [u32]) {
        let o = &self.o;
        out[o.rd_en] = u32::from(self.phase == 0);
        out[o.rd_slow] = u32::from(self.reads_slowly());
        out[o.err] = self.err;
        out[o.cfg_rvalid] = u32::from(self.read.is_some());
        out[o.cfg_rdata] = self.read.unwrap_or(0);
        let message = if self.fcc == 0 { [1, self.fc_slot as u32, self.fctbs[self.fc_slot]] } else { [0; 3] };
        [out[o.fctbs_valid], out[o.fctbs_vl], out[o.fctbs]] = message;
    }

    /// The request that was served in the last cycle.
    pub fn served(&self) -> Option<usize> {
        self.served
    }

    /// F1: blocks granted on VL `v`, modulo 4096.
    pub fn txr(&self, v: usize) -> u32 {
        self.txr[v]
    }

    /// SM4: markable packets that wait for VL `v` of the output, and how many next ones of them are marked.
    pub fn packet_counts(&self, v: usize) -> Counts {
        self.counts.of(v)
    }

    /// SM4: it marks by fills, and by nothing else.
    pub fn marks_by_fills_alone(&self) -> bool {
        self.cfg.det == state::Det::Input && !self.cfg.mark_en
    }

    /// VM2: packets of VL `v` with MB get VB.
    pub fn validates(&self, v: usize) -> bool {
        self.cfg.vb_en && self.saturation(v).0
    }

    /// AG1: the oldest data go first.
    pub fn oldest_first(&self) -> bool {
        self.cfg.sched
    }

    /// CQ1: flits of packets of VL `v` that were granted and have not left.
    pub fn ofill(&self, v: usize) -> u32 {
        self.queue.ofill(v)
    }

    /// CQ1: flits of each VL that stand in the output queue.
    pub fn stored_flits(&self) -> Vec<u32> {
        self.queue.lanes.iter().map(|l| l.fifo.len() as u32).collect()
    }

    /// CQ1: all of them.
    pub fn promised_flits(&self) -> u32 {
        (0..self.vls).map(|v| self.ofill(v)).sum()
    }

    /// Packets marked.
    pub fn count_marked(&self) -> u32 {
        self.cnt_marked
    }

    /// Packets sent.
    pub fn count_sent(&self) -> u32 {
        self.cnt_sent
    }

    fn hit(&mut self, point: Cover) {
        self.cover[point as usize] += 1;
    }

    fn hit_if(&mut self, happened: bool, point: Cover) {
        self.cover[point as usize] += u64::from(happened);
    }

    fn requesters(&self) -> usize {
        self.ports * self.vls
    }

    /// F1, CQ1: there is credit for `len` flits on VL `v`; with an output queue, room.
    fn allows(&self, v: usize, len: u32) -> bool {
        if self.queue.built { self.has_room(v, len) } else { self.has_link_credit(v, len) }
    }

    /// F1, CQ1: a packet of any length may be granted on VL `v`: there is credit, or room, for an MTU.
    pub fn has_credit(&self, v: usize) -> bool {
        self.allows(v, self.mtu)
    }

    /// F1: the same after one flit more.
    pub fn has_credit_behind_a_flit(&self, v: usize) -> bool {
        self.allows(v, self.mtu + 1)
    }

    /// D3, D6: the port is the root of what it sends on VL `v`, in S(t).
    fn is_root(&self, v: usize) -> bool {
        if self.cfg.root_now { self.has_link_credit(v, self.mtu) } else { self.rooted[v] }
    }

    /// D3: the port may mark by it, victim or root, in S(t).
    fn held_roots(&self) -> [bool; MAX_VLS] {
        let mut held = [true; MAX_VLS];
        for (v, held) in held[..self.vls].iter_mut().enumerate() {
            *held = self.cfg.victim || self.is_root(v);
        }
        held
    }

    /// D2, D3: the congestion state that follows from S(t).
    fn next_cong_state(&mut self) -> [bool; MAX_VLS] {
        let mut next = [false; MAX_VLS];
        for (v, next) in next[..self.vls].iter_mut().enumerate() {
            let (counted, was) = (self.count[v] > 0, self.cong[v]);
            if !counted && !was {
                continue;
            }
            let rooted = self.is_root(v);
            *next = counted && (self.cfg.victim || rooted);
            if self.cfg.root_now && !self.cfg.victim {
                self.hit_if(counted && !rooted, Cover::d6_without_credit);
                self.hit_if(counted && !rooted && self.rooted[v], Cover::d6_spent);
                self.hit_if(counted && rooted && !self.rooted[v], Cover::d6_credit_again);
                self.hit_if(was && !*next && counted, Cover::d6_leaves);
                continue;
            }
            match (was, *next) {
                (false, true) if rooted => self.hit(Cover::d3_root_enters),
                (false, true) => self.hit(Cover::d3_victim_mask_enters),
                (false, false) => self.hit(Cover::d3_victim_refused),
                (true, false) if counted => self.hit(Cover::d3_victim_leaves),
                (true, false) => self.hit(Cover::d2_leave),
                (true, true) => self.hit_if(!rooted, Cover::d3_victim_mask_stays),
            }
        }
        next
    }

    /// Section 11: the congestion state that the packet's own grant leaves, from S(t).
    fn state_now(&self, v: usize) -> bool {
        self.count[v] > 0 && self.root_held[v]
    }

    /// D2, D5: the contributions of this cycle's `cong` and `fill`.
    fn count_contributions(&mut self, input: &[u32]) {
        for v in 0..self.vls {
            if self.cfg.eval == 3 {
                self.count_queue(v);
                continue;
            }
            let per_input = |base: usize| input[base + v..].iter().step_by(self.vls).take(self.ports);
            if self.cfg.eval == 0 {
                self.hs[v] = false;
                let count = per_input(self.i.cong).map(|c| c & 1).sum();
                self.hit_if(count > 1, Cover::d2_several_contributors);
                self.count[v] = count;
                continue;
            }
            let sum: u32 = per_input(self.i.fill).map(|f| f & 0xffff).sum();
            let holders = per_input(self.i.fill).filter(|&f| f & 0xffff > 0).count() as u32;
            let x = evaluated(self.cfg.eval, sum, holders);
            let (above, below, was) = (x > self.cfg.sum_hth, x < self.cfg.sum_lth, self.hs[v]);
            let hs = Thresholds { high: self.cfg.sum_hth, low: self.cfg.sum_lth }.next(was, x);
            self.hs[v] = hs;
            self.count[v] = u32::from(hs);
            let mean = self.cfg.eval == 2;
            self.hit_if(!was && hs, if mean { Cover::d5_mean_set } else { Cover::d5_sum_set });
            self.hit_if(was && !hs, if mean { Cover::d5_mean_clear } else { Cover::d5_sum_clear });
            self.hit_if(was && !above && !below, Cover::d5_hold_set);
            self.hit_if(!was && !above && !below, Cover::d5_hold_clear);
            self.hit_if(above && below, Cover::d5_set_wins);
            self.hit_if(mean && hs && sum <= self.cfg.sum_hth && above, Cover::d5_mean_only);
        }
    }

    /// PF1: the contribution of the output's own queue.
    fn count_queue(&mut self, v: usize) {
        let (x, was) = (self.queue.ofill(v), self.hs[v]);
        let t = Thresholds { high: self.cfg.sum_hth, low: self.cfg.sum_lth };
        let hs = t.next(was, x);
        self.hs[v] = hs;
        self.count[v] = u32::from(hs);
        self.hit_if(!was && hs, Cover::pf1_set);
        self.hit_if(was && !hs, Cover::pf1_clear);
    }

    /// The credit message on the pins.
    fn fccl(&self, input: &[u32]) -> Option<Credit> {
        let there = input[self.i.fccl_valid] & 1 != 0;
        there.then(|| Credit { vl: input[self.i.fccl_vl], blocks: input[self.i.fccl] })
    }

    /// F1: a credit message from the other end of the link. Returns new errors.
    fn receive_fccl(&mut self, fccl: Option<Credit>) -> u32 {
        let Some(fccl) = fccl else { return 0 };
        let vl = (fccl.vl & 0xff) as usize;
        if vl >= self.vls {
            self.hit(Cover::b3_bad_vl_fccl);
            return BAD_VL;
        }
        let (old, new) = (self.fccl[vl], fccl.blocks & CREDIT_MASK);
        self.hit(Cover::f1_fccl);
        self.hit_if(new < old && new.wrapping_sub(old) & CREDIT_MASK <= 2048, Cover::f1_fccl_wrap);
        self.fccl[vl] = new;
        let again = std::mem::take(&mut self.unheard);
        self.hit_if(again && self.has_credit(vl), Cover::f1_credit_again);
        0
    }

    /// F1: the flit on tx is counted at the end of the cycle in which it is shown.
    fn count_shown_flit(&mut self) {
        if let (true, Some(vl)) = (self.tx.valid, self.tx.vl) {
            self.fctbs[vl] = (self.fctbs[vl] + 1) & CREDIT_MASK;
            let sent = self.fctbs[vl];
            self.hit_if(sent == 0, Cover::f1_fctbs_wrap);
            self.hit_if(self.fcc == 0 && self.fc_slot == vl, Cover::f1_fctbs_excludes_shown);
        }
    }

    /// Section 9: a cycle without a link. What both ends knew of each other is forgotten.
    fn lose_link(&mut self, input: &[u32]) {
        self.fccl = [0; MAX_VLS];
        self.txr = [0; MAX_VLS];
        self.fctbs = [0; MAX_VLS];
        self.open = None;
        let ignores = (input[self.i.fccl_valid] | input[self.i.msg_valid]) & 1 != 0;
        self.hit_if(ignores, Cover::f1_link_down_ignores);
        self.hit_if(self.down == 0, Cover::f1_link_down);
        self.down = (self.down + 1).min(2);
        self.unheard = true;
        self.lose_lines(input);
    }

    /// The two free-running counters: link pacing (section 1) and the FCTBS slot (section 2).
    fn advance_counters(&mut self) {
        self.hit_if(self.phase != 0, Cover::b2_paced);
        let interval = self.xb_interval();
        self.hit_if(self.queue.built && self.cfg.xb_interval > interval, Cover::cq2_xb_above_tx);
        self.hit_if(self.phase >= interval, Cover::b2_interval_shrinks);
        self.phase = if self.phase >= interval - 1 { 0 } else { self.phase + 1 };
        if self.fcc == 0 {
            self.hit(Cover::f1_fctbs_message);
            self.hit_if(self.fc_slot > 0, Cover::f1_fctbs_other_vl);
            self.fc_slot = (self.fc_slot + 1) % self.vls;
        }
        self.hit_if(self.fcc >= self.cfg.fc_interval, Cover::f1_fc_interval_shrinks);
        self.fcc = if self.fcc >= self.cfg.fc_interval - 1 { 0 } else { self.fcc + 1 };
    }

    /// Configuration writes, effective in the next cycle.
    fn configure(&mut self, input: &[u32], lfsr_stepped: bool) {
        if input[self.i.cfg_we] & 1 == 0 {
            return;
        }
        let (addr, data) = (input[self.i.cfg_addr] & 0xff, input[self.i.cfg_data]);
        let low16 = data & 0xffff;
        self.written.write(addr, if addr == 8 { data.min(self.timer_max) } else { data });
        self.cfg = Config::new(&self.written, &self.p);
        match addr {
            0 => {
                self.hit_if(self.p.markers && data >> 10 & 3 == 1, Cover::sm5_det_1_is_0);
                self.hit_if(data >> 3 & 3 == 3 && !self.p.cioq, Cover::d5_eval_3_is_0);
                self.hit_if(data >> 5 & 3 == 3, Cover::m2_mode_3_is_0);
            }
            2 => self.hit_if(low16 == 0, Cover::d5_sum_lth_0_is_1),
            6 => self.hit_if(low16 == 0, Cover::f1_fc_interval_0_is_1),
            7 => self.hit_if(data & 0xf == 0, Cover::b2_tx_interval_0_is_1),
            8 => {
                self.hit_if(data == 0, Cover::e8_line_timer_0_is_1);
                self.hit_if(data > self.timer_max, Cover::e8_line_timer_saturated);
            }
            9 => {
                self.lfsr = low16.max(1);
                self.hit(if low16 == 0 { Cover::m2_seed_0_is_1 } else { Cover::m2_seed });
                self.hit_if(lfsr_stepped, Cover::m2_seed_beats_step);
            }
            _ => {} // 10 is ERR_CLEAR, see `update_errors`
        }
    }

    /// C1: what stands under a number.
    fn register(&self, number: u32) -> Read {
        match number {
            9 => Read::Register(self.lfsr),
            10 => Read::Errors(self.err),
            128 => Read::Counter(self.cnt_e7),
            129 => Read::Counter(self.cnt_marked),
            130 => Read::Counter(self.cnt_sent),
            _ => self.written.get(number).map_or(Read::None, Read::Register),
        }
    }

    /// C1: what this cycle reads.
    fn read(&mut self, input: &[u32]) -> Option<u32> {
        if input[self.i.cfg_re] & 1 == 0 {
            return None;
        }
        let (we, addr) = (input[self.i.cfg_we] & 1 != 0, input[self.i.cfg_addr] & 0xff);
        let read = self.register(addr);
        self.hit(match read {
            Read::Register(_) => Cover::c1_read,
            Read::Errors(_) => Cover::c1_read_errors,
            Read::Counter(_) => Cover::c1_read_counter,
            Read::None => Cover::c1_read_none,
        });
        self.hit_if(matches!(read, Read::Register(_)) && we, Cover::c1_read_and_write);
        self.hit_if(matches!(read, Read::Errors(e) if e != 0), Cover::c1_read_error);
        self.hit_if(matches!(read, Read::Counter(c) if c != 0), Cover::c1_read_counted);
        self.hit_if(addr == 9, Cover::c1_read_lfsr);
        let (ctrl, value) = (addr == 0, read.value());
        let acts_otherwise = ctrl
            && (value >> 3 & 3 == 3 && !self.p.cioq || value >> 5 & 3 == 3 || value >> 10 & 3 == 1)
            || ctrl && value & 2 != 0 && !self.isolation
            || matches!(addr, 2 | 6 | 7 | 8 | 13) && value == 0;
        self.hit_if(acts_otherwise, Cover::c1_read_as_written);
        Some(value)
    }

    /// Sticky errors: set wins over a clear in the same cycle.
    fn update_errors(&mut self, input: &[u32], new: u32) {
        let clear = err_clear(input[self.i.cfg_we], input[self.i.cfg_addr], input[self.i.cfg_data]);
        self.hit_if(self.err & clear & !new != 0, Cover::b3_error_cleared);
        self.hit_if(new & clear != 0, Cover::b3_error_set_wins);
        self.err = (self.err & !clear) | new;
    }

    /// The outputs of the current cycle.
    fn show(&self, input: &[u32], d: &Decision, out: &mut [u32]) {
        let o = &self.o;
        out.fill(0);
        self.show_rest(out);
        // Mealy: grant and prop.
        if let Some(r) = d.grant() {
            out[o.grant + r] = 1;
        }
        if self.one_queue {
            for r in 0..self.requesters() {
                out[o.elig + r] = u32::from(self.is_eligible(input, d, r));
                if let Some(k) = self.held_by(input, r) {
                    out[o.held + r] = 1;
                    out[o.held_line + r] = k as u32;
                }
            }
        } else if let Some((r, k)) = d.held_winner() {
            out[o.held + r] = 1;
            out[o.held_line + r] = k as u32;
        }
        if let Some((r, k)) = d.prop() {
            let line = &self.lines[k];
            out[o.prop_valid + r / self.vls] = 1;
            out[o.prop_vl] = (r % self.vls) as u32;
            out[o.prop_line] = k as u32;
            out[o.prop_hops] = (line.hops + 1).min(63);
            out[o.prop_root] = line.root;
        }
        for (k, line) in self.lines.iter().enumerate().filter(|_| self.lines_used) {
            out[o.ol_valid] |= u32::from(line.shown()) << k;
            out[o.ol_stop] |= u32::from(line.shown() && line.stop) << k;
            let Some(turn) = self.turn_of(input, k).filter(|_| line.shown()) else { continue };
            for i in (0..self.ports).filter(|i| *i != turn) {
                out[o.ol_wait + i] |= input[self.i.pend + i] & 1 << k;
            }
        }
        if self.tx.valid {
            out[o.tx_valid] = 1;
            out[o.tx_first] = u32::from(self.tx.first);
            out[o.tx_last] = u32::from(self.tx.last);
            out[o.tx_bad] = u32::from(self.tx.bad);
            out[o.tx_data..][..self.flit_words].copy_from_slice(&self.tx.data[..self.flit_words]);
        }
        for v in 0..self.vls {
            out[o.cong_state + v] = u32::from(self.cong[v]);
        }
        out[o.cnp_plain] = u32::from(self.cfg.cnp_plain);
    }
}

impl Unit for OutputPort {
    fn is_moore(&self) -> bool {
        false
    }

    fn reset(&mut self) {
        self.written = reset_registers(&self.p);
        self.cfg = Config::new(&self.written, &self.p);
        self.read = None;
        self.phase = 0;
        self.fccl = [0; MAX_VLS];
        self.txr = [0; MAX_VLS];
        self.fctbs = [0; MAX_VLS];
        self.fcc = 0;
        self.fc_slot = 0;
        let inputs = if self.p.srp { 0 } else { self.ports };
        self.order = vec![Order::new(inputs); self.vls];
        self.cr = [0; MAX_VLS];
        self.vp = [0; 2];
        self.scan = 0;
        self.draw = if self.isolation { any_up::SEED } else { 0 };
        self.passed = [0; MAX_VLS];
        self.waited = [false; MAX_VLS];
        self.rooted = [true; MAX_VLS];
        self.root_held = [true; MAX_VLS];
        self.count = [0; MAX_VLS];
        self.hs = [false; MAX_VLS];
        self.cong = [false; MAX_VLS];
        self.mark_count = [0; MAX_VLS];
        self.lfsr = 0xACE1;
        self.open = None;
        self.due = 0;
        self.drop = 0;
        self.tx = Flit::default();
        self.counts = PacketCounts::new(&self.p);
        self.queue = OutputQueue::new(&self.p);
        self.classes = Classes::new(&self.p);
        self.lines.fill(Line::default());
        self.lines_used = false;
        self.decided = None;
        self.err = 0;
        self.cnt_e7 = 0;
        self.cnt_marked = 0;
        self.cnt_sent = 0;
        self.last_grant = None;
        self.down = 0;
        self.unheard = false;
        self.served = None;
    }

    fn outputs(&self, input: &[u32], out: &mut [u32]) {
        self.show(input, &self.decide(input), out);
    }

    fn state(&self, state: &mut [u32]) {
        let s = &self.s;
        for v in 0..self.vls {
            state[s.st_txr + v] = self.txr[v];
            state[s.st_fctbs + v] = self.fctbs[v];
            state[s.st_fccl + v] = self.fccl[v];
            state[s.st_count + v] = self.count[v];
            state[s.st_mark_count + v] = self.mark_count[v];
            self.order_state(v, state);
            state[s.st_cr + v] = self.cr[v] as u32;
            state[s.st_passed + v] = self.passed[v];
            state[s.st_waited + v] = u32::from(self.waited[v]);
            state[s.st_rooted + v] = u32::from(self.rooted[v]);
            state[s.st_root_held + v] = u32::from(self.root_held[v]);
            self.counts.state(v, state, s);
            self.queue.state(v, state, s);
        }
        state[s.st_lfsr] = self.lfsr;
        state[s.st_vp] = self.vp[0] as u32;
        state[s.st_vp + 1] = self.vp[1] as u32;
        self.classes.state(state, s);
        state[s.st_scan] = self.scan as u32;
        state[s.st_draw] = self.draw;
        state[s.st_due] = self.due;
        state[s.st_drop] = self.drop;
        let (mut fresh, mut closing) = (0, 0);
        for (k, line) in self.lines.iter().enumerate() {
            state[s.st_ol_hold + k] = line.hold;
            state[s.st_ol_vl + k] = line.vl;
            state[s.st_ol_hops + k] = line.hops;
            state[s.st_ol_root + k] = line.root;
            state[s.st_ol_timer + k] = line.timer;
            state[s.st_ol_dcnt + k] = line.dcnt as u32;
            let at = s.st_ol_dlist + k * self.dlist;
            state[at..at + self.dlist].copy_from_slice(&line.dlist[..self.dlist]);
            fresh |= u32::from(line.fresh) << k;
            closing |= u32::from(line.closing) << k;
            state[s.st_ol_turn + k] = line.turn as u32;
        }
        state[s.st_ol_fresh] = fresh;
        state[s.st_ol_closing] = closing;
        state[s.st_cnt_e7] = self.cnt_e7;
        state[s.st_cnt_marked] = self.cnt_marked;
        state[s.st_cnt_sent] = self.cnt_sent;
    }

    fn step(&mut self, input: &[u32]) {
        let d = self.decided.take().unwrap_or_else(|| self.decide(input));
        self.read = self.read(input);
        let cong = self.next_cong_state();
        let held = self.held_roots();
        self.count_shown_flit();
        self.turns_used = 0;
        let served = self.arbitrate(input, &d);
        self.served = served;
        let lfsr = self.lfsr;
        let leaving = self.leaving(input);
        self.feed_link(input);
        let mut errors = self.transmit(input, served, &held);
        self.count_packets(input, leaving);
        self.follow_due(input, served);
        let lfsr_stepped = self.lfsr != lfsr;
        self.count_contributions(input);
        self.cong = cong;
        self.root_held = held;
        self.advance_counters();
        errors |= self.end_queue_cycle(input);
        if input[self.i.link_up] & 1 != 0 {
            errors |= self.receive_fccl(self.fccl(input));
            errors |= self.update_lines(input);
            self.hit_if(self.down == 1, Cover::f1_link_glitch);
            self.down = 0;
        } else {
            self.lose_link(input);
        }
        self.update_errors(input, errors);
        self.configure(input, lfsr_stepped);
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
