//! Outputs and architectural state of any switch or adapter in the current cycle, for comparison with other engines.

use super::credit::Credits;
use super::ports::{Arrivals, Input, Output};
use super::srp;
use super::state::{Core, Node};
use super::workload::{Fabric, Workload};
use crate::fabric::net::Rate;
use crate::model::header::{Bth, Header};
use crate::model::link::{Control, Credit};
use crate::model::util::put_set;
use crate::params::Params;
use crate::scheme::packet::PacketKind;

/// The words of flit `index` of a data packet as the host supplies it; the adapter writes the headers over flit 0.
pub fn payload(src: usize, dst: usize, psn: u32, index: u32, words: &mut [u32]) {
    crate::fabric::metrics::fill_payload(src as u32, dst as u32, psn, index, words);
}

/// Blocks in a buffer in S(t).
pub(super) fn used(i: &Input, c: &Credits, vl: usize, t: u64, start: u64, inject: Rate) -> u64 {
    let latest = match i.arrivals {
        Arrivals::Even(run) => u64::from(run.before(t)),
        Arrivals::Paced { from, n } => {
            let before = |t: u64| inject.flits_before(t - start);
            if t <= from { 0 } else { (before(t - 1) - before(from)).min(u64::from(n)) }
        }
    };
    i.stored[vl] + if i.latest_vl == vl { latest } else { 0 } - c.freed(vl, t)
}

impl Core {
    /// The link side of an output port: tx words and the control word.
    fn observe_link(
        &self,
        o: &Output,
        t: u64,
        at: (usize, usize, usize, usize),
        p: &Params,
        out: &mut [u32],
    ) -> Control {
        let (valid, first, last, data) = at;
        let mut c = Control::default();
        let mut later = vec![0u64; p.vls];
        for s in &o.recent {
            if s.packet == super::packet::NONE {
                continue;
            }
            later[s.vl as usize] += u64::from(s.run.n - s.run.before(t.saturating_sub(2)));
            let Some(i) = t.checked_sub(2).and_then(|t| s.run.at(t)) else { continue };
            out[valid] = 1;
            out[first] = u32::from(i == 0);
            out[last] = u32::from(i == s.run.n - 1);
            self.write_flit(s.packet, i, &mut out[data..data + p.flit_bytes / 4]);
        }
        let fc = &o.regs.fc;
        let phase = (t - fc.origin) % (fc.interval * p.vls as u64);
        if phase.is_multiple_of(fc.interval) {
            let vl = (phase / fc.interval) as usize;
            c.fctbs = Some(Credit { vl: vl as u32, blocks: ((o.txr[vl] - later[vl]) & 0xfff) as u32 });
        }
        c
    }

    /// A flit of a packet as it is now.
    fn write_flit(&self, id: super::packet::Id, index: u32, words: &mut [u32]) {
        let k = &self.pool[id];
        if self.srp {
            return srp::write_flit(k, self.pool.tag(id), index, words);
        }
        words.fill(0);
        if k.kind == PacketKind::Data {
            payload(k.src as usize, k.dst as usize, k.psn, index, words);
        }
        if index > 0 {
            return;
        }
        let dest_qp = if k.kind == PacketKind::Data { k.dst } else { 0 };
        let psn = if k.kind == PacketKind::Cnp { 0 } else { k.psn };
        words[..5].fill(0);
        let h = Header {
            vl: (k.vl & 15) as u8,
            sl: k.sl,
            lnh: 2,
            dlid: k.dlid(),
            pkt_len: k.kind.pkt_len(k.n) as u16,
            slid: (k.src + 1) as u16,
            bth: Some(Bth { opcode: k.kind.opcode(), marks: k.marks, dest_qp, psn }),
        };
        h.write(words);
        // P_Key, bytes 10 and 11
        words[2] |= 0xffff_0000;
    }

    fn credit_message(&self, c: &Credits, t: u64) -> Option<Credit> {
        let vl = c.message(t)?;
        Some(Credit { vl: vl as u32, blocks: ((c.cap[vl] + c.freed(vl, t)) & 0xfff) as u32 })
    }

    fn cold_fill(&self, n: &Node, i: &Input, o: usize, v: usize, t: u64) -> u32 {
        if n.shape.data_lanes.is_some() {
            return self.lane_fill(n, i, o, v, t);
        }
        if n.shape.one_queue() {
            if o != 0 {
                return 0;
            }
            // The one queue: whatever engine reads from it.
            let read: u32 =
                i.engines.iter().filter(|e| e.charged && e.queue == 0).map(|e| e.run.before(t)).sum();
            return i.queues[0].charge - read;
        }
        let q = n.shape.cold(o, v);
        if usize::from(i.outs[q]) != o { 0 } else { i.fill(o, q, t) }
    }
}

impl<W: Workload> Fabric<W> {
    /// Flits in the buffer of each input of a switch, and its lines that have a queue.
    pub fn switch_levels(&self, s: usize, port: &mut dyn FnMut(u32, usize)) {
        let n = &self.core.nodes[s];
        for i in &self.core.inputs[n.input..n.input + n.shape.inputs] {
            self.level(i, n.shape.vls, Rate::FULL, port);
        }
    }

    /// The same of an adapter's one buffer.
    pub fn host_levels(&self, host: usize, port: &mut dyn FnMut(u32, usize)) {
        let h = &self.core.hosts[host];
        self.level(&self.core.inputs[h.input], self.host_view.p.packet_lanes(), h.inject, port);
    }

    fn level(&self, i: &Input, vls: usize, inject: Rate, port: &mut dyn FnMut(u32, usize)) {
        let credits = &self.core.credits[i.credits];
        let flits = (0..vls).map(|v| used(i, credits, v, self.t, self.start, inject)).sum::<u64>();
        port(flits as u32, i.lines.as_ref().map_or(0, |iso| iso.with_hpq().count()));
    }

    /// Output and state words of a switch in the current cycle.
    pub fn observe_switch(&self, s: usize, out: &mut [u32], state: &mut [u32]) {
        let (core, t) = (&self.core, self.t);
        let n = &core.nodes[s];
        let view = &self.switch_views[&n.shape.outs];
        let (p, w, st) = (&view.p, &view.outs, &view.state);
        out.fill(0);
        state.fill(0);
        out[w.ready] = 1;
        let flit = p.flit_bytes / 4;
        let ctl = (16 + 2 * p.dlist).div_ceil(4);
        for port in 0..p.ports {
            let o = &core.outputs[n.output + port];
            let i = &core.inputs[n.input + port];
            let at = (w.tx_valid + port, w.tx_first + port, w.tx_last + port, w.tx_data + port * flit);
            let mut c = core.observe_link(o, t, at, p, out);
            let credits = &core.credits[i.credits];
            c.fccl = core.credit_message(credits, t);
            if let Some(iso) = &i.lines {
                c.message = iso.message.filter(|m| m.0 == t).map(|m| m.1);
                for h in 0..p.hpqs {
                    let q = n.shape.cold_queues() + h;
                    let fill = iso.line_of(h).map_or(0, |l| i.fill(l.out, q, t));
                    state[st.st_hpq_fill + port * p.hpqs + h] = fill;
                }
                for (k, l) in iso.lines.iter().enumerate() {
                    state[st.st_line_state + port * p.lines + k] = l.state as u32;
                    state[st.st_line_dcnt + port * p.lines + k] = l.dlist.len() as u32;
                }
                state[st.st_cnt_nohpq + port] = iso.cnt_nohpq;
                state[st.st_cnt_noline + port] = iso.cnt_noline;
            }
            if let Some(iso) = &o.lines {
                state[st.st_ol_valid + port] = iso.valid;
                state[st.st_ol_stop + port] = iso.stop;
            }
            c.pack(&mut out[w.tx_ctl + port * ctl..w.tx_ctl + (port + 1) * ctl]);
            for v in 0..p.vls {
                let at = port * p.vls + v;
                state[st.st_used + at] = used(i, credits, v, t, self.start, Rate::FULL) as u32;
                state[st.st_txr + at] = (o.txr[v] & 0xfff) as u32;
                state[st.st_cong_state + at] = u32::from(o.state[v]);
                if let Some(queue) = &o.queue {
                    state[st.st_ofill + at] = queue.fill(v, t) as u32;
                }
                if let Some(counting) = &o.counting {
                    let counts = counting.as_ref().clone().catch_up(v, t);
                    (state[st.st_cnt1 + at], state[st.st_cnt2 + at]) = (counts.all, counts.marked);
                }
                for out in 0..p.ports {
                    state[st.st_cpq_fill + (port * p.ports + out) * p.vls + v] =
                        core.cold_fill(n, i, out, v, t);
                }
            }
            let crossing = o.recent.iter().filter(|s| s.packet != super::packet::NONE && s.run.first + 2 > t);
            let crossing = match &o.queue {
                Some(queue) => queue.crossing(t),
                None => crossing.count(),
            };
            let (nack, drops) = core.drops(i);
            state[st.st_spec_nack + port] = u32::from(nack);
            state[st.st_cnt_spec_drop + port] = drops;
            state[st.st_cnt_sent + port] = (o.cnt_sent - crossing as u64) as u32;
            state[st.st_cnt_marked + port] = o.cnt_marked as u32;
            state[st.st_accept + port] = n.accept[port] as u32;
            let words = p.ports.div_ceil(32);
            put_set(&mut state[st.st_lost + port * words..][..words], n.turns.lost[port]);
            put_set(&mut state[st.st_claim + port * words..][..words], n.turns.claim[port]);
            for i in (0..p.ports).filter(|_| p.one_queue) {
                let before = n.turns.order.before(port, i);
                put_set(&mut state[st.st_claim_ahead + (port * p.ports + i) * words..][..words], before);
            }
        }
    }

    /// Output and state words of an adapter in the current cycle.
    pub fn observe_host(&self, host: usize, out: &mut [u32], state: &mut [u32]) {
        let (core, t) = (&self.core, self.t);
        let h = &core.hosts[host];
        let view = &self.host_view;
        let (p, w, st) = (&view.p, &view.outs, &view.state);
        out.fill(0);
        state.fill(0);
        out[w.ready] = 1;
        for f in (0..p.flows).filter(|&f| h.is_full(f, t)) {
            out[w.gen_full + f / 32] |= 1 << (f % 32);
        }
        if let Some(a) = &h.srp {
            self.observe_reservation(a, w, st, out, state);
        }
        state[st.st_gen_pkts] = h.source.posted() as u32;
        state[st.st_win] = h.source.window(t) as u32;
        if let Some((a, index)) = h.source.sending(t) {
            state[st.st_sending] = 1;
            if a.kind == PacketKind::Data {
                out[w.dma_valid] = 1;
                out[w.dma_flow] = a.flow as u32;
                out[w.dma_psn] = a.psn;
                out[w.dma_index] = index;
            }
        }
        let (o, i) = (&core.outputs[h.output], &core.inputs[h.input]);
        let at = (w.tx_valid, w.tx_first, w.tx_last, w.tx_data);
        let mut c = core.observe_link(o, t, at, p, out);
        let rx = &core.credits[h.credits];
        c.fccl = core.credit_message(rx, t);
        let ctl = (16 + 2 * p.dlist).div_ceil(4);
        c.pack(&mut out[w.tx_ctl..w.tx_ctl + ctl]);
        let n = &core.nodes[i.node as usize];
        let (mut held, mut freed) = (0, 0);
        for v in 0..p.vls {
            if v < p.packet_lanes() {
                state[st.st_inj_txr + v] = (h.txr(v) & 0xfff) as u32;
                let credits = &core.credits[i.credits];
                state[st.st_used + v] = used(i, credits, v, t, self.start, h.inject) as u32;
                state[st.st_cpq_fill + v] = core.cold_fill(n, i, 0, v, t);
            }
            state[st.st_txr + v] = (o.txr[v] & 0xfff) as u32;
            let got = h.stored[v] + if h.latest_vl == v { u64::from(h.latest.before(t)) } else { 0 };
            state[st.st_rx_abr + v] = (got & 0xfff) as u32;
            let gone = rx.freed(v, t);
            state[st.st_rx_used + v] = (got - gone) as u32;
            if v < p.packet_lanes() {
                (held, freed) = (held + got - gone, freed + gone);
            }
        }
        if let Some(iso) = &i.lines {
            for h in 0..p.hpqs {
                let q = n.shape.cold_queues() + h;
                state[st.st_hpq_fill + h] = iso.line_of(h).map_or(0, |l| i.fill(l.out, q, t));
            }
            for (k, l) in iso.lines.iter().enumerate() {
                state[st.st_line_state + k] = l.state as u32;
            }
        }
        if let Some(iso) = &o.lines {
            state[st.st_ol_valid] = iso.valid;
            state[st.st_ol_stop] = iso.stop;
        }
        let index = (freed - h.consumed - h.flits) as u32;
        if held > 0 && core.shows(h, index, t) {
            let k = &core.pool[h.held.head];
            out[w.host_valid] = 1;
            out[w.host_first] = u32::from(index == 0);
            out[w.host_last] = u32::from(index == k.n - 1);
            core.write_flit(h.held.head, index, &mut out[w.host_data..w.host_data + p.flit_bytes / 4]);
        }
        if h.srp.is_none() {
            state[st.st_cnp_pkts] = core.inputs[h.cnps].queues.iter().map(|q| q.packets).sum();
        }
        state[st.st_seen..st.st_seen + h.seen.len()].copy_from_slice(&h.seen);
        state[st.st_cnt_cnp] = h.cnt_cnp as u32;
        state[st.st_cnt_cnp_lost] = h.cnt_cnp_lost as u32;
        state[st.st_cnt_becn] = h.cnt_becn as u32;
        state[st.st_cnt_ack] = h.cnt_ack as u32;
        state[st.st_cnt_ack_lost] = h.cnt_ack_lost as u32;
        state[st.st_cnt_ack_in] = h.cnt_ack_in as u32;
        (0..p.vls).for_each(|v| state[st.st_owed + v] = u32::from(o.turns[v].owed));
        h.source.out().for_each(|f| state[st.st_out + f / 32] |= 1 << (f % 32));
        // A packet counts when it is whole; a reply has one flit, so the latest that is not whole is none.
        let open = h.latest.n > 0 && t <= h.latest.last();
        state[st.st_cnt_rcv] = (h.packets - u64::from(open)) as u32;
    }
}
