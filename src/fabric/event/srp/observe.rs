//! Outputs and state of lanes and adapters in the current cycle.

use crate::fabric::event::host::Host;
use crate::fabric::event::packet::Packet;
use crate::fabric::event::ports::Input;
use crate::fabric::event::state::{Core, Node};
use crate::fabric::event::views::{HostOuts, HostState};
use crate::fabric::event::workload::{Fabric, Workload};
use crate::fabric::metrics::fill_payload;
use crate::model::header::{Bth, Header};

use super::adapter::Adapter;
use super::tag::{Kind, Tag};

/// A flit of a packet.
pub fn write_flit(k: &Packet, tag: &Tag, index: u32, words: &mut [u32]) {
    words.fill(0);
    match tag.kind {
        Kind::Bypass | Kind::Spec | Kind::Granted => {
            fill_payload(k.src, k.dst, k.psn, index, words);
        }
        // A packet that was dropped, turned round.
        Kind::Nack => fill_payload(k.dst, k.src, k.psn, index, words),
        Kind::Res | Kind::Grant | Kind::Ack => {}
    }
    if index > 0 {
        return;
    }
    let dest_qp = match tag.kind {
        Kind::Bypass | Kind::Spec | Kind::Granted => k.dst,
        Kind::Nack => k.src,
        Kind::Res | Kind::Grant | Kind::Ack => 0,
    };
    words[..5].fill(0);
    let h = Header {
        vl: (k.vl & 15) as u8,
        sl: k.sl,
        lnh: 2,
        dlid: k.dlid(),
        pkt_len: (16 * k.n) as u16,
        slid: (k.src + 1) as u16,
        bth: Some(Bth { opcode: tag.kind.opcode(), marks: k.marks, dest_qp, psn: k.psn }),
    };
    h.write(words);
    // P_Key, bytes 10 and 11
    words[2] |= 0xffff_0000;
    if tag.kind != Kind::Bypass {
        tag.fields.write(words);
    }
}

impl Core {
    /// Q2: the fill of (output, VL), of which the lanes behind those of data have one queue.
    pub fn lane_fill(&self, n: &Node, i: &Input, o: usize, v: usize, t: u64) -> u32 {
        if n.shape.is_data(v) {
            return i.fill(o, n.shape.queue_of(o, v), t);
        }
        if o != 0 {
            return 0;
        }
        let of_queue = i.engines.iter().filter(|e| e.charged && e.queue as usize == v);
        let read: u32 = of_queue.map(|e| e.run.before(t)).sum();
        let discarded = i.spec.as_ref().filter(|s| s.vl == v).map_or(0, |s| s.discarded(t));
        i.queues[v].charge - read - discarded
    }

    /// Q7: the head of the spec FIFO is a NACK; packets dropped.
    pub fn drops(&self, i: &Input) -> (bool, u32) {
        let Some(spec) = &i.spec else { return (false, 0) };
        let head = i.queues[spec.vl].head;
        let nack = head != crate::fabric::event::packet::NONE && self.pool.tag(head).kind == Kind::Nack;
        (nack, spec.drops)
    }
}

impl Core {
    /// A host is shown flit `index` of the oldest packet in S(t).
    pub fn shows(&self, h: &Host, index: u32, t: u64) -> bool {
        let Some(a) = &h.srp else { return true };
        let speculative = self.pool.tag(h.held.head).kind == Kind::Spec;
        !speculative || index + 1 < self.pool[h.held.head].n || a.shows_last(self, t)
    }
}

impl Adapter {
    /// `end_ok`, of the last flit of a speculative packet.
    pub(in crate::fabric::event) fn shows_last(&self, core: &Core, t: u64) -> bool {
        self.destination.end_ok(core.replies_of(self), t)
    }
}

impl<W: Workload> Fabric<W> {
    /// What an adapter shows of its reservation, and of the packet that it sends.
    pub(in crate::fabric::event) fn observe_reservation(
        &self,
        a: &Adapter,
        w: &HostOuts,
        st: &HostState,
        out: &mut [u32],
        state: &mut [u32],
    ) {
        let (e, d, t) = (&a.engine, &a.destination, self.t);
        if let Some((packet, index)) = a.injector.sending(t) {
            state[st.st_sending] = 1;
            out[w.dma_valid] = 1;
            out[w.dma_flow] = packet.flow as u32;
            out[w.dma_psn] = packet.psn;
            out[w.dma_index] = index;
        }
        state[st.st_ungranted] = u32::from(e.ungranted);
        if d.busy_until >= t {
            state[st.st_t] = (d.busy_until - a.origin) as u32 & e.mask();
            state[st.st_tv] = 1;
        }
        state[st.st_res_pkts] = d.requests.iter().filter(|r| r.from <= t).count() as u32;
        state[st.st_rep_pkts] = self.core.replies_of(a);
        for f in 0..e.table.flows() {
            let table = &e.table;
            let go = table.go.iter().any(|go| go.get(f));
            let bits = [table.rs.get(f), table.sp.get(f), go, table.wt.get(f), e.messages.waits(f)];
            for (at, is) in [st.st_rs, st.st_sp, st.st_go, st.st_wt, st.st_pq].into_iter().zip(bits) {
                state[at + f / 32] |= u32::from(is) << (f % 32);
            }
        }
    }
}
