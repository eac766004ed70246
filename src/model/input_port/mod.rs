//! Golden model of `switch_input_port`, written from `docs/input-port.md`.
//!
//! One cycle is: everything is *decided* from the state and inputs of the cycle (grants, move, prop, root,
//! arrival, messages), then everything is *applied*. The order of the methods in `InputPort::clock` is
//! that order; each names the section of the page it follows.

mod age;
mod cover;
mod err;
mod fills;
mod lines;
mod queues;
mod receiver;
mod spec;
mod state;
#[cfg(test)]
mod tests;
mod up;

use crate::model::link::Credit;
use crate::model::util::Read;
use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::scheme::any_up::SEED;
use crate::signals::Layout;
pub use cover::cover_applies;
use cover::{Cov, POINTS};
pub use state::InputPort;
use state::{
    Ages, Config, Engine, Fills, Ins, Line, LineState, Message, Outs, Pool, Queue, RX_TIMEOUT, Receiver,
    Spec, States, Verdict, max_timer, reset_registers,
};

impl InputPort {
    /// A unit in reset state. `params` must be legal ([`Params::check`]).
    pub fn new(params: &Params) -> Self {
        InputPort::with_rx_timeout(params, RX_TIMEOUT)
    }

    /// The input port of an adapter: its host may stall for as long as it likes.
    pub fn in_adapter(params: &Params) -> Self {
        InputPort::with_rx_timeout(params, 0)
    }

    fn with_rx_timeout(params: &Params, rx_timeout: u32) -> Self {
        let p = *params;
        let layout = Layout::new(UnitKind::InputPort, &p);
        let pv = p.ports * p.vls;
        let flit_words = p.flit_bytes / 4;
        let written = reset_registers(&p, rx_timeout);
        InputPort {
            p,
            pv,
            cap: (0..p.vls).map(|v| p.cap(v) as u32).collect(),
            flit_words,
            ins: Ins::new(&layout),
            outs: Outs::new(&layout),
            sts: States::new(&layout),
            sweep: p.init_cycles(UnitKind::InputPort),
            cfg: Config::new(&p, &written),
            written,
            read: None,
            rx_timeout,
            lft: vec![0xff; p.lft_depth],
            err: 0,
            err_set: 0,
            up: true,
            was_up: true,
            rx: Receiver::new(flit_words),
            abr: vec![0; p.vls],
            used: vec![0; p.vls],
            fcc: 0,
            fc_vl: 0,
            packets: Pool::new(p.mtu * flit_words),
            queues: (0..pv + p.hpqs).map(|_| Queue::default()).collect(),
            cong: vec![false; pv],
            requests: vec![None; pv],
            cq: vec![0; pv],
            by: vec![0; pv],
            went: vec![false; pv + p.hpqs],
            hot_ready: vec![0; pv],
            engines: (0..p.ports).map(|_| Engine::new(flit_words)).collect(),
            served: Vec::with_capacity(p.ports),
            ties: vec![None; pv + p.hpqs],
            could_alloc: false,
            pend: vec![0; p.ports],
            mv: 0,
            lines: (0..p.lines).map(|_| Line::new(p.dlist)).collect(),
            verdicts: vec![Verdict::default(); p.lines],
            hpq_line: vec![None; p.hpqs],
            root_line: vec![None; pv],
            noline_counted: vec![false; pv],
            line_cong: vec![false; p.lines],
            nfq_wait: 0,
            msg: Message::new(p.dlist),
            msg_ptr: 0,
            refresh: 0,
            ol_valid: vec![0; p.ports],
            ol_stop: vec![0; p.ports],
            quiet: false,
            fills: Fills::new(&p),
            ages: Ages::new(&p),
            spec: Spec::new(&p),
            drawn: None,
            lfsr: if p.random_up { SEED } else { 0 },
            cnt_drop: 0,
            cnt_nohpq: 0,
            cnt_noline: 0,
            cover: vec![0; POINTS.len()],
        }
    }

    /// VM1: packets may get MB.
    pub fn sets_mb(&self) -> bool {
        self.cfg.mb_en
    }

    /// AG2: the limit of bypassing hides a request.
    pub fn hides_requests(&self) -> bool {
        self.ages.hide()
    }

    /// B1: blocks of VL `v` in use.
    pub fn used(&self, v: usize) -> u32 {
        self.used[v]
    }

    /// The shown fill of cold queue (o,v), `q` = o*V+v.
    pub fn cold_fill(&self, q: usize) -> u32 {
        self.queues[q].fill & 0xffff
    }

    /// The shown fill of HPQ `h`.
    pub fn hot_fill(&self, h: usize) -> u32 {
        self.queues[self.pv + h].fill & 0xffff
    }

    /// State of CAM line `k` and the length of its dList.
    pub fn line(&self, k: usize) -> (u32, u32) {
        (self.lines[k].state as u32, self.lines[k].dlist.len() as u32)
    }

    /// E7: props without a free HPQ or line.
    pub fn count_no_hpq(&self) -> u32 {
        self.cnt_nohpq
    }

    /// E7: trees that found no free line.
    pub fn count_no_line(&self) -> u32 {
        self.cnt_noline
    }

    fn hit(&mut self, c: Cov) {
        self.cover[c as usize] += 1;
    }

    fn hit_if(&mut self, condition: bool, c: Cov) {
        if condition {
            self.hit(c);
        }
    }

    /// Sets a sticky error.
    fn error(&mut self, bit: u32) {
        self.err_set |= 1 << bit;
    }

    fn ready(&self) -> bool {
        self.sweep == 0
    }

    /// One ready cycle.
    fn clock(&mut self, input: &[u32]) {
        self.err_set = 0;
        // Decided from S(t), I(t).
        self.decide_grants(input);
        let moved = self.decide_move();
        let prop = self.decide_prop(input);
        let start = if self.p.one_queue { self.decide_detection(&prop) } else { self.decide_root(&prop) };
        let arrival = self.receive();
        let filled = self.decide_fills();
        let drop = self.decide_drop();
        self.cover_heads();
        self.update_ages();
        // Applied. Ties look at the lines of S(t), lines and congestion bits at its fills: they go before those change.
        self.update_ties(input, moved);
        self.update_line_cong();
        self.update_nfq_wait(moved);
        self.update_lines(moved, prop, start, arrival.accept);
        self.update_cong();
        self.run_engines(input, &arrival);
        self.run_discard(&arrival);
        self.apply_grants();
        self.apply_drop(drop, &arrival);
        self.update_fills(filled, arrival.accept);
        self.apply_move(moved);
        self.apply_arrival(&arrival);
        self.ages.tick();
        self.spec.tick();
        self.credit_slot();
        self.register_pins(input);
        self.write_config(input);
        self.err |= self.err_set;
        // The Moore outputs of the next cycle that take a search.
        self.publish();
        self.quiet = self.is_quiet();
    }

    /// Nothing is in the port: its outputs are 0 but for `ready`, `can_alloc`, `err`, the credit message and what was read.
    pub fn quiet(&self) -> bool {
        self.quiet
    }

    /// No packet, no line, and nothing under way that a cycle would change.
    fn is_quiet(&self) -> bool {
        self.up
            && self.was_up
            && self.packets.is_empty()
            && !self.rx.valid
            && !self.msg.valid
            && self.engines.iter().all(|e| !e.valid)
            && self.lines.iter().all(|l| l.state == LineState::Free)
            && !self.cong.iter().chain(&self.noline_counted).chain(&self.line_cong).any(|c| *c)
            && self.fills.quiet()
    }

    /// The link is up, and nothing comes but credits.
    fn hears_nothing(&self, input: &[u32]) -> bool {
        let w = &self.ins;
        let any = |at: usize, n: usize| input[at..at + n].iter().any(|x| *x != 0);
        input[w.cfg_we] | input[w.lft_we] | input[w.rx_valid] == 0
            && input[w.link_up] != 0
            && !any(w.grant, self.pv)
            && !any(w.held, self.pv)
            && !any(w.prop_valid, self.p.ports)
    }

    /// A cycle of a quiet port to which nothing comes but perhaps FCTBS: [`Unit::step`] with these pins.
    pub fn rest(&mut self, fctbs: Option<Credit>) {
        self.drawn = None;
        self.read = None;
        self.cover_credit();
        self.count_on(fctbs);
    }

    /// The outputs that a quiet port may change; `out` has those of the cycle before, in which it was quiet, too.
    pub fn show_quiet(&self, out: &mut [u32]) {
        let w = &self.outs;
        out[w.can_alloc] = u32::from(self.can_alloc());
        let told = self.fcc == 0 && self.up;
        let message = if told { [1, self.fc_vl as u32, self.fccl(self.fc_vl)] } else { [0; 3] };
        [out[w.fc_valid], out[w.fc_vl], out[w.fccl]] = message;
        out[w.err] = self.err;
        out[w.cfg_rvalid] = u32::from(self.read.is_some());
        out[w.cfg_rdata] = self.read.unwrap_or(0);
    }

    /// A cycle of a quiet port to which nothing comes but perhaps credits: what [`InputPort::clock`] does then.
    fn count_on(&mut self, fctbs: Option<Credit>) {
        self.err_set = 0;
        self.receive();
        // Nothing is in use.
        self.could_alloc = self.cfg.iso_en;
        if self.p.isolation {
            self.count_refresh();
        }
        self.ages.tick();
        self.spec.tick();
        self.credit_slot();
        self.register_credit(fctbs);
        self.err |= self.err_set;
    }

    /// Section 2: the slot of credit messages.
    fn credit_slot(&mut self) {
        if self.fcc == 0 {
            self.fc_vl = (self.fc_vl + 1) % self.p.vls;
        }
        let last = self.cfg.fc_interval.max(1) - 1;
        self.hit_if(self.fcc > last, Cov::F1IntervalShrunk);
        self.fcc = if self.fcc >= last { 0 } else { self.fcc + 1 };
    }

    /// FCCL of a VL: what it may send in total.
    fn fccl(&self, vl: usize) -> u32 {
        (self.abr[vl] + (self.cap[vl] - self.used[vl]).min(2048)) & 0xfff
    }

    /// Cover points of the credit message that this cycle shows.
    fn cover_credit(&mut self) {
        if self.fcc != 0 || !self.up {
            return;
        }
        let free = self.cap[self.fc_vl] - self.used[self.fc_vl];
        self.hit(Cov::F1Message);
        self.hit_if(free >= 2048, Cov::F1FcclHalf);
        self.hit_if(free == 0, Cov::F1FcclNoRoom);
        self.hit_if(self.abr[self.fc_vl] + free >= 4096, Cov::F1FcclWrap);
        self.hit_if(self.fc_vl > 0, Cov::F1SecondVl);
    }

    /// Section "Configuration registers": effective in the next cycle.
    fn write_config(&mut self, input: &[u32]) {
        if input[self.ins.lft_we] != 0 {
            let addr = input[self.ins.lft_addr] as usize;
            match self.lft.get_mut(addr) {
                Some(entry) => *entry = input[self.ins.lft_port] as u8,
                None => self.hit(Cov::R1WriteIgnored),
            }
            let busy = self.used.iter().any(|&u| u > 0);
            self.hit_if(busy, Cov::R1Reroute);
        }
        if input[self.ins.cfg_we] == 0 {
            return;
        }
        let addr = input[self.ins.cfg_addr];
        let data = input[self.ins.cfg_data];
        if addr == 10 {
            let cleared = self.err & data;
            self.err &= !data;
            let again = cleared & self.err_set != 0;
            self.hit_if(cleared != 0, Cov::B3ErrClear);
            self.hit_if(again, Cov::B3ErrSetBeatsClear);
            return;
        }
        if addr == 23 && self.p.random_up {
            self.seed(data);
            return;
        }
        let most = max_timer(&self.p);
        let value = if addr == 7 { data.min(most) } else { data };
        if !self.written.write(addr, value) {
            self.hit(Cov::D1CfgUnknown);
            return;
        }
        let before = std::mem::replace(&mut self.cfg, Config::new(&self.p, &self.written));
        self.cover_config(&before, addr);
        self.hit_if(self.cfg.up_mask != before.up_mask && self.waits_for_up(), Cov::Up1MaskWaits);
        let busy = self.used.iter().any(|&u| u > 0);
        self.hit_if(busy, Cov::D1Reconfigured);
        self.hit_if(addr == 2 && data & 0xffff == 0, Cov::D1Lth0);
        self.hit_if(addr == 7 && data == 0, Cov::E8LineTimer0);
        self.hit_if(addr == 7 && data > most, Cov::E8LineTimerSaturated);
        self.hit_if(addr == 15 && data & 0xf == 0, Cov::B2RdInterval0);
    }

    /// C1: what stands under a number.
    fn register(&self, number: u32) -> Read {
        match number {
            10 => Read::Errors(self.err),
            128 => Read::Counter(self.cnt_drop),
            129 => Read::Counter(self.cnt_nohpq),
            130 => Read::Counter(self.cnt_noline),
            131 => Read::Counter(self.spec.drops),
            23 if self.p.random_up => Read::Register(self.lfsr),
            _ => self.written.get(number).map_or(Read::None, Read::Register),
        }
    }

    /// C1: what this cycle reads.
    fn read(&mut self, input: &[u32]) -> Option<u32> {
        if input[self.ins.cfg_re] == 0 {
            return None;
        }
        let (we, addr) = (input[self.ins.cfg_we] != 0, input[self.ins.cfg_addr]);
        let read = self.register(addr);
        self.hit(match read {
            Read::Register(_) => Cov::C1Read,
            Read::Errors(_) => Cov::C1ReadErrors,
            Read::Counter(_) => Cov::C1ReadCounter,
            Read::None => Cov::C1ReadNone,
        });
        self.hit_if(matches!(read, Read::Register(_)) && we, Cov::C1ReadAndWrite);
        self.hit_if(self.p.random_up && addr == 23, Cov::C1ReadLfsr);
        self.hit_if(matches!(read, Read::Errors(e) if e != 0), Cov::C1ReadError);
        self.hit_if(matches!(read, Read::Counter(c) if c != 0), Cov::C1ReadCounted);
        let iso_off = addr == 0 && read.value() & 1 != 0 && !self.cfg.iso_en;
        self.hit_if(iso_off || matches!(addr, 2 | 15 | 19) && read.value() == 0, Cov::C1ReadAsWritten);
        Some(read.value())
    }
}

impl Unit for InputPort {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        let cover = std::mem::take(&mut self.cover);
        *self = InputPort::with_rx_timeout(&self.p, self.rx_timeout);
        self.cover = cover;
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
        if !self.ready() {
            return;
        }
        let w = &self.outs;
        out[w.ready] = 1;
        for (q, candidate) in self.requests.iter().enumerate() {
            let Some(c) = candidate else { continue };
            out[w.req_valid + q] = 1;
            out[w.req_len + q] = c.n;
            out[w.req_dlid + q] = u32::from(c.dlid);
            out[w.req_cnp + q] = u32::from(c.cnp);
            out[w.req_hot + q] = u32::from(c.line.is_some());
            out[w.req_unlinked + q] = u32::from(c.line.is_some_and(|l| self.lines[l].asks_for_link()));
            out[w.req_bound + q] = u32::from(c.bound.is_some());
            out[w.req_line + q] = c.bound.unwrap_or(0);
            out[w.req_age + q] = self.age(q).unwrap_or(0);
            out[w.req_nack + q / self.p.vls] |= u32::from(c.nack);
        }
        for (o, e) in self.engines.iter().enumerate() {
            if let Some(s) = &e.stream {
                out[w.xb_act + o] = 1;
                out[w.xb_end + o] = u32::from(self.is_ending(s));
            }
            out[w.xb_slow + o] = u32::from(e.slow);
            if e.valid {
                out[w.xb_valid + o] = 1;
                out[w.xb_first + o] = u32::from(e.first);
                out[w.xb_last + o] = u32::from(e.last);
                out[w.xb_bad + o] = u32::from(e.bad);
                out[w.xb_mark + o] = u32::from(e.mark);
                let at = w.xb_data + o * self.flit_words;
                out[at..at + self.flit_words].copy_from_slice(&e.data);
            }
        }
        if self.p.one_queue {
            for (l, _) in self.lines.iter().zip(&self.line_cong).filter(|(l, cong)| **cong && l.is_root()) {
                out[w.cong + l.out] = 1;
            }
        } else {
            for q in (0..self.pv).filter(|q| !self.is_fifo(q % self.p.vls)) {
                out[w.cong + q] = u32::from(self.cong[q]);
                out[w.fill + q] = self.queues[q].fill & 0xffff;
            }
        }
        self.fills.show(out, w);
        out[w.pend..w.pend + self.p.ports].copy_from_slice(&self.pend);
        for l in self.lines.iter().filter(|l| l.state == LineState::Hot && l.linked) {
            let bit = 1 << l.next;
            out[w.known + l.out] |= bit;
            if l.dlist.len() < self.p.dlist {
                out[w.room + l.out] |= bit;
            }
        }
        let m = &self.msg;
        if m.valid && self.up {
            out[w.msg_valid] = 1;
            out[w.msg_type] = m.kind as u32;
            out[w.msg_line] = m.line as u32;
            out[w.msg_vl] = m.vl as u32;
            out[w.msg_root] = m.root;
            out[w.msg_hops] = m.hops;
            out[w.msg_stop] = u32::from(m.stop);
            out[w.msg_dcnt] = m.dlist.len() as u32;
            for (i, d) in m.dlist.iter().enumerate() {
                out[w.msg_dlist + i] = u32::from(*d);
            }
        }
        self.show_quiet(out);
    }

    fn state(&self, state: &mut [u32]) {
        state.fill(0);
        let w = &self.sts;
        state[w.st_up] = u32::from(self.up);
        state[w.st_rx_state] = self.rx.state as u32;
        state[w.st_rx_count] = self.rx.current.map_or(0, |id| self.packets[id].stored);
        for v in 0..self.p.vls {
            state[w.st_used + v] = self.used[v];
            state[w.st_abr + v] = self.abr[v];
        }
        for q in 0..self.pv {
            state[w.st_cpq_pkts + q] = self.queues[q].packets.len() as u32;
            state[w.st_cpq_fill + q] = self.queues[q].fill & 0xffff;
        }
        for h in 0..self.p.hpqs {
            state[w.st_hpq_pkts + h] = self.queues[self.pv + h].packets.len() as u32;
            state[w.st_hpq_fill + h] = self.queues[self.pv + h].fill & 0xffff;
        }
        for (i, l) in self.lines.iter().enumerate().filter(|(_, l)| l.state != LineState::Free) {
            state[w.st_line_state + i] = l.state as u32;
            state[w.st_line_out + i] = l.out as u32;
            state[w.st_line_vl + i] = l.vl as u32;
            state[w.st_line_queue + i] = l.queue as u32;
            state[w.st_line_hops + i] = l.hops;
            state[w.st_line_root + i] = l.root;
            state[w.st_line_next + i] = l.next;
            state[w.st_line_linked + i] = u32::from(l.linked);
            state[w.st_line_ann + i] = u32::from(l.ann);
            state[w.st_line_sent_stop + i] = u32::from(l.sent_stop);
            state[w.st_line_stop_req + i] = u32::from(l.stop_req);
            state[w.st_line_reached + i] = u32::from(l.reached);
            state[w.st_line_dirty + i] = u32::from(l.dirty);
            state[w.st_line_own + i] = u32::from(l.own);
            state[w.st_line_timer + i] = l.timer;
            state[w.st_line_dcnt + i] = l.dlist.len() as u32;
            for (j, d) in l.dlist.iter().enumerate() {
                state[w.st_line_dlist + i * self.p.dlist + j] = u32::from(*d);
            }
        }
        for (q, tie) in self.ties.iter().enumerate() {
            let (tied, at) = match q.checked_sub(self.pv) {
                None => (w.st_cpq_tied + q, w.st_cpq_tie + q),
                Some(h) => (w.st_hpq_tied + h, w.st_hpq_tie + h),
            };
            state[tied] = u32::from(tie.is_some());
            state[at] = tie.unwrap_or(0);
        }
        for (q, went) in self.went.iter().enumerate() {
            let at = match q.checked_sub(self.pv) {
                None => w.st_cpq_went + q,
                Some(h) => w.st_hpq_went + h,
            };
            state[at] = u32::from(*went);
        }
        for (i, &cong) in self.line_cong.iter().enumerate() {
            state[w.st_line_cong + i] = u32::from(cong);
        }
        state[w.st_nfq_wait] = self.nfq_wait;
        for (o, e) in self.engines.iter().enumerate() {
            state[w.st_slow + o] = u32::from(e.slow);
        }
        self.fills.state(state, w);
        self.ages.state(state, w);
        self.show_spec(state, w);
        state[w.st_lfsr] = self.lfsr;
        state[w.st_cnt_drop] = self.cnt_drop;
        state[w.st_cnt_nohpq] = self.cnt_nohpq;
        state[w.st_cnt_noline] = self.cnt_noline;
    }

    fn step(&mut self, input: &[u32]) {
        self.drawn = None;
        if self.ready() {
            self.read = self.read(input);
            self.cover_credit();
            if self.quiet && self.hears_nothing(input) {
                self.count_on(self.fctbs(input));
            } else {
                self.clock(input);
            }
        } else {
            // Every input is ignored while the LFT is swept.
            self.sweep -= 1;
            self.ages.tick();
            self.spec.tick();
        }
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        &POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
