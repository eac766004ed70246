//! Golden model of `reservation`, from `docs/reservation.md`.
//!
//! State is plain structs: the destination, the messages, a word for each flow. A step first works out everything from S(t),
//! then writes.

mod choice;
mod config;
mod cover;
mod engine;
mod losses;
mod messages;
mod ops;
mod ports;
mod post;
mod row;
mod schedule;
mod seen;
mod sources;
mod state;
mod step;
#[cfg(test)]
mod tests;
mod times;

use crate::model::util::{bit, set_bit};
use crate::model::{CoverPoint, Unit};
use crate::params::{Params, UnitKind};
use crate::scheme::chunk::St;
use crate::signals::Layout;
use config::{Config, reset_registers};
pub use cover::cover_applies;
use cover::{Cover, POINTS, Past};
use messages::Messages;
use ops::{Classes, Turns};
use row::Row;
use schedule::{Destination, Room};
use seen::Sources;
pub use state::Reservation;
use state::{Bits, COUNTERS, In, Out, State};
use times::Times;

impl Reservation {
    /// A unit in reset state. `params` must be legal for it ([`Params::check_unit`]).
    pub fn new(params: &Params) -> Self {
        let layout = Layout::new(UnitKind::Reservation, params);
        let written = reset_registers(params);
        let words = params.flows.div_ceil(32);
        let none = || vec![0u32; words];
        let mut unit = Reservation {
            p: *params,
            sizes: Room {
                requests: params.ctl_blocks,
                replies: params.repq,
                chunk: (params.nmax * params.mtu) as u32,
                all_chunks: (params.flows * params.nmax * params.mtu) as u64,
            },
            words,
            i: In::new(&layout),
            o: Out::new(&layout),
            s: State::new(&layout),
            cfg: Config::new(&written, params),
            written,
            read: None,
            counters: [0; COUNTERS],
            err: 0,
            init_left: 0,
            times: Times::new(params.now_w),
            sls: vec![0; params.flows],
            on_lane: vec![none(); params.data_lanes()],
            destination: Destination::default(),
            messages: Messages::new(params.flows, params.msgq),
            table: vec![Row::default(); params.flows],
            bits: Bits {
                idle: none(),
                rs: none(),
                sp: none(),
                go: none(),
                wt: none(),
                pq: none(),
                init: none(),
            },
            op: None,
            classes: Classes::default(),
            turns: Turns::default(),
            asked: None,
            left: None,
            offer: None,
            quiet: true,
            sources: Sources::new(params.flows),
            cover: vec![0; POINTS.len()],
            past: Past::default(),
        };
        unit.reset();
        unit
    }

    fn hit(&mut self, point: Cover) {
        self.cover[point as usize] += 1;
    }

    fn hit_if(&mut self, happened: bool, point: Cover) {
        self.cover[point as usize] += u64::from(happened);
    }

    /// Bits of packets of a chunk.
    fn show_packets(&self, state: &mut [u32], at: usize, set: u64) {
        state[at] = set as u32;
        if self.p.nmax > 32 {
            state[at + 1] = (set >> 32) as u32;
        }
    }

    /// What is there with DEDUP = 1 only, from reset on.
    fn show_reset(&self, state: &mut [u32]) {
        let init = self.s.st_init;
        state[init..init + self.words].copy_from_slice(&self.bits.init);
        state[self.s.st_quiet] = u32::from(self.quiet && self.p.dedup);
    }

    /// The rest of that.
    fn show_losses(&self, state: &mut [u32]) {
        let (s, b) = (&self.s, &self.bits);
        for flow in (0..self.p.flows).filter(|&flow| !bit(&b.idle, flow)) {
            state[s.st_op + flow / 32] |= 1 << (flow % 32);
        }
        if let Some((flow, known)) = self.sources.written {
            state[s.st_see_we] = 1;
            state[s.st_see_addr] = flow as u32;
            state[s.st_see_v] = u32::from(known.valid);
            state[s.st_see_id] = known.id;
            self.show_packets(state, s.st_see_got, known.got);
            state[s.st_see_nv] = u32::from(known.next.is_some());
            state[s.st_see_next] = known.next.unwrap_or(0);
        }
    }

    /// Writes a word of the table; the bits of its flow follow.
    fn write(&mut self, flow: usize, row: Row) {
        self.table[flow] = row;
        let word = row.word;
        let more = word.todo != 0;
        let b = &mut self.bits;
        set_bit(&mut b.idle, flow, word.st == St::Idle);
        set_bit(&mut b.rs, flow, word.st == St::ResWanted);
        set_bit(&mut b.sp, flow, word.st == St::Spec && more);
        set_bit(&mut b.go, flow, word.st == St::Go && more);
        set_bit(&mut b.wt, flow, word.st == St::Wait);
    }
}

impl Unit for Reservation {
    fn is_moore(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.written = reset_registers(&self.p);
        self.cfg = Config::new(&self.written, &self.p);
        self.read = None;
        self.counters = [0; COUNTERS];
        self.err = 0;
        self.init_left = self.p.init_cycles(UnitKind::Reservation);
        self.times = Times::new(self.p.now_w);
        self.destination = Destination::default();
        self.messages.clear();
        for flow in 0..self.p.flows {
            self.set_sl(flow, 0);
            // What the sweep leaves behind.
            self.write(flow, Row::default());
            set_bit(&mut self.bits.init, flow, self.p.dedup);
        }
        self.bits.pq.fill(0);
        self.op = None;
        self.classes = Classes::default();
        self.turns = Turns { granted: vec![0; self.p.data_lanes()], ..Turns::default() };
        self.asked = None;
        self.left = None;
        self.offer = None;
        self.quiet = true;
        self.sources = Sources::new(self.p.flows);
        self.past = Past::default();
    }

    fn outputs(&self, _input: &[u32], out: &mut [u32]) {
        out.fill(0);
        if self.init_left > 0 {
            return;
        }
        let o = &self.o;
        out[o.ready] = 1;
        for flow in (0..self.p.flows).filter(|&f| self.messages.is_full(f)) {
            out[o.gen_full + flow / 32] |= 1 << (flow % 32);
        }
        if let Some(offer) = self.offer {
            out[o.inj_valid] = 1;
            out[o.inj_kind] = offer.kind;
            out[o.inj_flow] = offer.flow as u32;
            out[o.inj_sl] = offer.sl as u32;
            out[o.inj_lane] = offer.lane as u32;
            out[o.inj_len] = offer.len;
            out[o.inj_psn] = offer.psn;
            out[o.inj_id] = offer.id;
            out[o.inj_seq] = offer.seq;
            out[o.inj_n] = offer.n;
            out[o.inj_last] = u32::from(offer.last);
            out[o.inj_rty] = u32::from(offer.rty);
        }
        if let Some(asked) = self.asked {
            out[o.res_valid] = 1;
            out[o.res_flow] = asked.flow as u32;
            out[o.res_sl] = asked.sl as u32;
            out[o.res_id] = asked.id;
            out[o.res_n] = asked.n;
            out[o.res_size] = asked.size;
            out[o.res_last] = u32::from(asked.last);
            out[o.res_rty] = u32::from(asked.rty);
            out[o.res_init] = u32::from(asked.init);
        }
        if let Some(reply) = self.destination.replies.front() {
            out[o.out_valid] = 1;
            out[o.out_kind] = reply.kind;
            out[o.out_lid] = reply.lid;
            out[o.out_sl] = reply.sl;
            out[o.out_id] = reply.id;
            out[o.out_seq] = reply.seq;
            out[o.out_wait] = reply.wait;
            out[o.out_rty] = u32::from(reply.rty);
            out[o.out_init] = u32::from(reply.init);
        }
        out[o.rin_done] = u32::from(self.destination.left);
        let head = self.destination.head(&self.times, &self.cfg, &self.sizes);
        out[o.end_ok] = u32::from(self.destination.end_ok(head, &self.sizes));
        let seen = self.sources.verdict(self.cfg.inorder);
        out[o.see_drop] = u32::from(seen.drop);
        out[o.see_ack] = u32::from(seen.ack);
        out[o.see_known] = seen.known;
        out[o.err] = self.err;
        out[o.cfg_rvalid] = u32::from(self.read.is_some());
        out[o.cfg_rdata] = self.read.unwrap_or(0);
    }

    fn state(&self, state: &mut [u32]) {
        state.fill(0);
        if self.init_left > 0 {
            self.show_reset(state);
            return;
        }
        let s = &self.s;
        let d = &self.destination;
        state[s.st_now] = self.times.now;
        state[s.st_t] = d.busy_until.unwrap_or(0);
        state[s.st_tv] = u32::from(d.busy_until.is_some());
        state[s.st_res_pkts] = d.requests.len() as u32;
        state[s.st_rep_pkts] = d.replies.len() as u32;
        state[s.st_turn] = u32::from(d.turn);
        let b = &self.bits;
        for (at, set) in
            [(s.st_rs, &b.rs), (s.st_sp, &b.sp), (s.st_go, &b.go), (s.st_wt, &b.wt), (s.st_pq, &b.pq)]
        {
            state[at..at + set.len()].copy_from_slice(set);
        }
        if let Some((flow, row)) = self.effect().write {
            let w = row.word;
            state[s.st_tab_we] = 1;
            state[s.st_tab_addr] = flow as u32;
            state[s.st_tab_st] = w.st.number();
            state[s.st_tab_byp] = u32::from(w.byp);
            state[s.st_tab_id] = w.id;
            state[s.st_tab_n] = w.n;
            state[s.st_tab_rem] = w.rem;
            state[s.st_tab_got] = u32::from(w.got);
            self.show_packets(state, s.st_tab_todo, w.todo);
            self.show_packets(state, s.st_tab_out, w.out);
            state[s.st_tab_due] = w.due;
            if self.p.dedup {
                self.show_packets(state, s.st_tab_rty, row.retry.rty);
                state[s.st_tab_again] = u32::from(row.retry.again);
                state[s.st_tab_stamp] = row.retry.stamp;
            }
        }
        if let Some(left) = self.left {
            state[s.st_b] = 1;
            state[s.st_b_flow] = left.flow as u32;
        }
        state[s.st_op_ptr] = self.classes.next as u32;
        state[s.st_ptr_e] = self.classes.ask as u32;
        state[s.st_ptr_p] = self.classes.begin as u32;
        state[s.st_ptr_w] = self.classes.wake as u32;
        state[s.st_ptr_s] = self.turns.spec as u32;
        state[s.st_lane] = self.turns.lane as u32;
        self.show_reset(state);
        if self.p.dedup {
            self.show_losses(state);
        }
        state[s.st_ptr_g..].iter_mut().zip(&self.turns.granted).for_each(|(to, p)| *to = *p as u32);
    }

    fn step(&mut self, input: &[u32]) {
        if self.init_left > 0 {
            self.init_left -= 1;
            return;
        }
        self.cycle(input);
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        POINTS
    }

    fn cover(&self) -> &[u64] {
        &self.cover
    }
}
