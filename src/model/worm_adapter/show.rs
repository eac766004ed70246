//! Outputs and state, as they are shown.

use super::state::WormAdapter;
use crate::model::worm::classes::{Class, members};
use crate::model::worm::header::Header;
use crate::model::worm::wires::scatter;

impl WormAdapter {
    /// What the host is told.
    pub(super) fn show_told(&self, out: &mut [u32]) {
        let o = &self.o;
        out[o.open_ready] = u32::from(self.turns.open.is_none());
        out[o.post_ready] = u32::from(self.turns.post.is_none());
        if let Some(done) = self.told.done {
            out[o.done_valid] = 1;
            out[o.done_post] = u32::from(done.post);
            out[o.done_ok] = u32::from(done.why == 0);
            out[o.done_why] = done.why;
            out[o.done_tag] = done.tag;
        }
        if let Some((kind, conn)) = self.told.event {
            out[o.event_valid] = 1;
            out[o.event_kind] = kind;
            out[o.event_conn] = conn;
        }
        if let Some(c) = self.told.completion {
            out[o.cqe_valid] = 1;
            out[o.cqe_class] = c.class;
            out[o.cqe_conn] = c.conn;
            out[o.cqe_tag] = c.tag;
        }
        if let Some(m) = self.mover.current.filter(|m| m.asks()) {
            out[o.dma_valid] = 1;
            out[o.dma_tag] = m.message.tag;
            out[o.dma_index] = m.index() as u32;
        }
        for v in members(self.classes().lanes(Class::BestEffort)) {
            if let Some(header) = self.link.front_header(v) {
                out[o.be_front + v] = 1;
                out[o.be_dlid + v] = Header(header.data).dlid();
            }
        }
        scatter(self.link_free(), &mut out[o.link_free..][..self.p.vls]);
        scatter(self.full(), &mut out[o.lane_full..][..self.p.vls]);
        out[o.err] = self.errors;
        out[o.cfg_rvalid] = u32::from(self.read.is_some());
        out[o.cfg_rdata] = self.read.unwrap_or(0);
    }

    /// Flits and pulses.
    pub(super) fn show_flits(&self, out: &mut [u32]) {
        let o = &self.o;
        if let Some(sent) = &self.link.sent {
            out[o.tx_valid] = 1;
            out[o.tx_vl] = sent.lane as u32;
            out[o.tx_first] = u32::from(sent.flit.first);
            out[o.tx_last] = u32::from(sent.flit.last);
            out[o.tx_data..][..4].copy_from_slice(&sent.flit.data);
        }
        if let Some(d) = &self.rx.delivered {
            out[o.dlv_valid] = 1;
            out[o.dlv_vl] = d.lane as u32;
            out[o.dlv_first] = u32::from(d.first);
            out[o.dlv_last] = u32::from(d.last);
            out[o.dlv_bad] = u32::from(d.bad);
            out[o.dlv_data..][..4].copy_from_slice(&d.data);
        }
        for v in 0..self.p.vls {
            out[o.tx_credit + v] = self.rx.pulses >> v & 1;
            out[o.dlv_cut + v] = self.rx.cut >> v & 1;
        }
    }

    /// The table, its sums and who waits for it.
    pub(super) fn show_table(&self, state: &mut [u32]) {
        let s = &self.s;
        state[s.st_used] = self.sums.used;
        state[s.st_book..][..self.p.vls].copy_from_slice(&self.sums.book[..self.p.vls]);
        state[s.st_conns..][..self.p.vls].copy_from_slice(&self.sums.conns[..self.p.vls]);
        state[s.st_live] = self.sums.live;
        state[s.st_lane] = self.sums.lane as u32;
        state[s.st_seq] = self.sums.seq;
        state[s.st_sum_c] = self.sums.credits;
        state[s.st_avail_b] = self.avail_b();
        state[s.st_posted] = self.posted.all;
        let m = &self.mover;
        let queues = [m.control.len(), m.real_time.len(), m.best_effort.len(), self.own.len()];
        for (n, len) in queues.into_iter().enumerate() {
            state[s.st_queue + n] = len as u32;
        }
        state[s.st_turn] = self.turns.next as u32;
        state[s.st_gap] = self.turns.gap;
        state[s.st_open] = u32::from(self.turns.open.is_some());
        state[s.st_post] = u32::from(self.turns.post.is_some());
        state[s.st_replies] = self.turns.replies.len() as u32;
        if let Some(conn) = self.told.touched {
            let c = &self.table[conn];
            state[s.st_touched] = 1;
            state[s.st_conn] = conn as u32;
            state[s.st_state] = c.phase as u32;
            state[s.st_avail] = c.avail;
        }
    }

    /// Lanes, and what is moved into them.
    pub(super) fn show_lanes(&self, state: &mut [u32]) {
        let s = &self.s;
        if let Some(m) = &self.mover.current {
            state[s.st_move] = 1;
            state[s.st_move_vl] = m.lane as u32;
            state[s.st_move_left] = m.left as u32;
        }
        state[s.st_own_first] = u32::from(self.mover.own_first);
        state[s.st_guard_move] = self.mover.guard;
        state[s.st_lfsr] = self.mover.lfsr;
        let link = &self.link;
        for v in 0..self.p.vls {
            state[s.st_level + v] = link.lanes[v].len() as u32;
            state[s.st_cr + v] = link.credits[v] as u32;
            state[s.st_inside + v] = link.inside >> v & 1;
            state[s.st_left + v] = link.order.left[v];
            state[s.st_rx_open + v] = self.rx.open >> v & 1;
            state[s.st_rx_skip + v] = self.rx.skip >> v & 1;
        }
        for (v, place) in link.order.places() {
            state[s.st_place + v] = place;
        }
        state[s.st_tail] = u32::from(link.tail);
        state[s.st_guard] = link.guard;
        state[s.st_cnt_sent] = self.counts.sent;
        state[s.st_cnt_rcv] = self.counts.received;
        state[s.st_cnt_refused] = self.counts.refused;
        state[s.st_cnt_drop] = self.counts.dropped;
    }
}
