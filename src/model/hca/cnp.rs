//! The CNP responder: section 3 of the page.

use std::collections::VecDeque;

use super::injector::Made;
use super::{Cover, FLIT_WORDS, Hca};
use crate::model::header::OPCODE_CNP;

/// A CNP to be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cnp {
    pub(super) dlid: u32,
    pub(super) sl: u32,
    pub(super) vl: usize,
}

/// The responder.
#[derive(Default)]
pub(super) struct Responder {
    pub(super) queue: VecDeque<Cnp>,
    /// The CNP in the engine.
    pub(super) active: Option<Cnp>,
    /// The flit on the crossbar stream.
    pub(super) emitted: Option<[u32; FLIT_WORDS]>,
    pub(super) cnt_cnp: u32,
    pub(super) cnt_lost: u32,
}

impl Responder {
    /// The CNP that is asking.
    pub(super) fn head(&self) -> Option<&Cnp> {
        self.queue.front()
    }
}

impl Hca {
    /// One cycle: the output port's grant and rd_en, and the CNP that the receiver asks for.
    pub(super) fn step_responder(&mut self, push: Option<Cnp>) {
        let (out, vls) = (&self.send.out, self.p.vls);
        let rd_en = out[self.so.rd_en] != 0;
        let granted = self.responder.head().is_some_and(|h| out[self.so.grant + vls + h.vl] != 0);
        let data_asks = self.port.out[self.po.req_valid..][..vls].iter().any(|&r| r != 0);
        let data_sent = self.port.out[self.po.xb_act] != 0;
        let waits = self.responder.head().is_some() && !granted;
        self.hit_if(granted && data_asks, Cover::h2_cnp_ahead_of_data);
        self.hit_if(waits && data_sent, Cover::h2_cnp_waits);
        self.hit_if(waits && !data_sent && rd_en, Cover::h2_cnp_lacks_credit);

        let full = self.responder.queue.len() == self.p.cnpq;
        let emits = self.responder.active.filter(|_| rd_en);
        self.responder.emitted = emits.map(|cnp| {
            let mut flit = [0; FLIT_WORDS];
            let header = Made {
                opcode: OPCODE_CNP,
                becn: true,
                vl: cnp.vl,
                sl: cnp.sl,
                dlid: cnp.dlid,
                slid: self.cfg.lid,
                pkt_len: 10,
                qp: 0,
                psn: 0,
            };
            header.write(&mut flit[..self.flit_words]);
            flit
        });
        if emits.is_some() {
            self.responder.active = None;
        }
        if granted {
            self.hit_if(emits.is_some(), Cover::h2_cnps_back_to_back);
            self.hit_if(push.is_some() && !full, Cover::h2_push_and_pop);
            self.responder.active = self.responder.queue.pop_front();
        }
        if let Some(cnp) = push {
            let r = &mut self.responder;
            if full {
                r.cnt_lost = (r.cnt_lost + 1).min(0xffff);
                self.hit(Cover::h2_cnp_lost);
            } else {
                r.queue.push_back(cnp);
                r.cnt_cnp = self.p.cnt_max().min(r.cnt_cnp.saturating_add(1));
                self.hit(Cover::h2_cnp_queued);
            }
        }
    }
}
