//! Cover points of marks and ages between the ports.

use super::cover::Cover;
use super::state::{Seen, Switch};
use crate::model::header::{Header, Marks};

impl Seen {
    pub(super) fn new(queues: usize) -> Seen {
        Seen { filled: vec![0; queues], sets_mb: false }
    }
}

impl Switch {
    pub(super) fn cover_marks(&mut self) {
        if self.p.markers {
            self.seen.sets_mb |= self.inputs.iter().any(|i| i.unit.sets_mb());
            (0..self.p.ports).for_each(|o| self.cover_marks_of(o));
        }
        if self.p.stamp_w > 0 {
            self.cover_ages();
        }
    }

    /// The first flit that crosses to output `o`, and the fills that it hears of.
    fn cover_marks_of(&mut self, o: usize) {
        let (vls, t) = (self.p.vls, self.out_pins);
        let sender = self.inputs.iter().position(|i| i.out[self.in_out.xb_first + o] != 0);
        let pins = &self.outputs[o].pins;
        let port = &self.outputs[o].unit;
        let header = sender.map(|_| Header::parse(&pins[t.sw_data..][..self.flit_words]));
        let lane = header.map(|h| h.lane(vls, self.p.vl_by_dest));
        let (mut by_others, mut later) = (false, false);
        for v in 0..vls {
            let marked = port.packet_counts(v).marked > 0;
            let filled = &mut self.seen.filled[o * vls + v];
            if let (Some(i), Some(h)) = (sender, header)
                && lane == Some(v)
                && h.is_marked()
            {
                by_others |= marked && port.marks_by_fills_alone() && *filled != 0 && *filled >> i & 1 == 0;
                let (mb, vb) = (h.marks().has(Marks::MB), h.marks().has(Marks::VB));
                later |= mb && !vb && !self.seen.sets_mb && port.validates(v);
            }
            let fills = (0..self.p.ports).filter(|i| pins[t.full_evt + i * vls + v] != 0);
            match fills.fold(0, |set, i| set | 1 << i) {
                0 if marked => {}
                fills => *filled = fills,
            }
        }
        let asked = pins[t.sw_mark] != 0;
        self.hit_if(asked, Cover::sm3_fabric_mark);
        self.hit_if(by_others, Cover::sm4_fill_marks_others);
        self.hit_if(later, Cover::vm2_validated_later);
    }

    fn cover_ages(&mut self) {
        let (vls, t, f) = (self.p.vls, self.out_pins, self.in_out);
        let requests = self.p.ports * vls;
        let waits = self.outputs.iter().filter(|o| o.unit.oldest_first()).any(|o| {
            let Some(granted) = (0..requests).find(|r| o.out[self.out_out.grant + r] != 0) else {
                return false;
            };
            let (age, other) = (o.pins[t.req_age + granted], |r: &usize| r / vls != granted / vls);
            let younger = |r: usize| o.pins[t.req_valid + r] != 0 && o.pins[t.req_age + r] < age;
            (0..requests).filter(other).any(younger)
        });
        let sends = |i: usize| self.inputs[i].out[f.xb_valid..f.xb_valid + self.p.ports].contains(&1);
        let stands = (0..self.p.ports)
            .filter(|i| self.inputs[*i].unit.hides_requests())
            .any(|i| (0..self.p.ports).any(|other| other != i && sends(other)));
        self.hit_if(waits, Cover::ag1_other_input_waits);
        self.hit_if(stands, Cover::ag2_limit_in_switch);
    }
}
