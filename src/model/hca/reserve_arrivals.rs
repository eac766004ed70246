//! An adapter with reservation: RES and replies that come.

use super::cover::Cover;
use super::reserve_state::{Answer, INIT, RETRY, Request, code_of};
use super::state::{Arrival, BAD_FLOW, Hca};
use crate::model::header::{Header, SrpFields};
use crate::params::lanes::{SrpLane, opcode};

impl Hca {
    /// Q4: a first flit may come on a lane of this class.
    pub(super) fn is_of_class(&mut self, h: &Header, class: SrpLane) -> bool {
        let code = code_of(h);
        let one = h.flits() == 1;
        let is = |codes: std::ops::RangeInclusive<u8>| code.is_some_and(|c| codes.contains(&c));
        match class {
            SrpLane::Data => {
                let ok = !is(opcode::RES..=opcode::SPEC);
                self.hit_if(!ok, Cover::q4_on_data_lane);
                ok
            }
            SrpLane::Spec => {
                let ok = is(opcode::SPEC..=opcode::SPEC);
                self.hit_if(!ok, Cover::q4_on_spec_lane);
                ok
            }
            SrpLane::Res | SrpLane::Reply => {
                let own = if class == SrpLane::Res {
                    is(opcode::RES..=opcode::RES)
                } else {
                    is(opcode::GRANT..=opcode::NACK)
                };
                self.hit_if(!own, Cover::q4_on_control_lane);
                self.hit_if(own && !one, Cover::q4_long);
                own && one
            }
        }
    }

    /// A RES or reply of one flit, good, with room.
    pub(super) fn judge_reserving(&mut self, h: &Header, input: &[u32], a: &mut Arrival) {
        let f = SrpFields::parse(&input[self.i.rx_data..][..self.flit_words]);
        let code = h.bth.map_or(0, |b| b.opcode);
        if code == opcode::RES {
            let (dropped, _, known) = self.seen();
            if dropped {
                self.hit(Cover::q22_res_dropped);
                return;
            }
            let init = self.p.dedup && f.flags & INIT != 0;
            let id = if init { known } else { f.id.into() };
            a.request = Some(Request { slid: h.slid.into(), sl: h.sl.into(), id, size: f.size.into(), init });
            self.hit_if(init, Cover::q22_request_init);
            self.hit(Cover::q13_request);
            self.hit_if(h.is_multicast(), Cover::q13_multicast);
            return;
        }
        let Some(flow) = self.flow_of(h.slid.into()) else {
            a.errors |= BAD_FLOW;
            self.hit(Cover::q16_no_flow);
            return;
        };
        let kind = u32::from(code - opcode::RES);
        self.hit([Cover::q16_grant, Cover::q16_ack, Cover::q16_nack][kind as usize - 1]);
        let again = self.reserve.as_ref().is_some_and(|r| r.answer.is_some());
        self.hit_if(again, Cover::q16_back_to_back);
        let is = |flag| self.p.dedup && f.flags & flag != 0;
        let (rty, init) = (is(RETRY), is(INIT));
        a.answer = Some(Answer { kind, flow, id: f.id.into(), seq: f.seq.into(), wait: f.wait, rty, init });
        self.hit_if(init, Cover::q22_grant_init);
        self.hit_if(rty, Cover::q22_answer_again);
    }

    /// The edge: RES and replies that came, and the blocks of RES.
    pub(super) fn step_requests(&mut self, a: &Arrival) {
        let lane = self.lane_of(SrpLane::Res);
        let cap = self.p.rx_cap(lane) as u32;
        let Some(r) = &mut self.reserve else { return };
        let done = self.chooser.out[r.out.rin_done] != 0;
        (r.request, r.answer, r.walk) = (a.request, a.answer, a.walk);
        let used = &mut self.receiver.used[lane];
        *used = *used + u32::from(a.request.is_some()) - u32::from(done);
        let (full, both) = (*used == cap, done && a.request.is_some());
        self.hit_if(full && !done, Cover::q13_lane_full);
        self.hit_if(both, Cover::q13_comes_and_is_free);
    }
}
