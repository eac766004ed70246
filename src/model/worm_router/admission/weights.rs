//! Weights of real-time lanes from what is booked (YA7).

use super::super::state::WormRouter;
use crate::model::worm::classes::Class;
use crate::model::worm::order;

impl WormRouter {
    /// The weight of lane `v` at input `i`; 0 acts as 1.
    pub(in super::super) fn weight_in(&self, i: usize, v: usize) -> u32 {
        self.booked_weight(i, v, self.adm.sums.input[i][v]).unwrap_or(self.written.ports[i].weight_in[v])
    }

    /// The weight of lane `v` at output `o`; 0 acts as 1.
    pub(in super::super) fn weight_out(&self, o: usize, v: usize) -> u32 {
        self.booked_weight(o, v, self.adm.sums.out[o][v]).unwrap_or(self.written.ports[o].weight_out[v])
    }

    /// The weight of a lane of a port whose lanes have theirs from what is booked.
    pub(super) fn booked_weight(&self, port: usize, v: usize, book: u32) -> Option<u32> {
        let booked = self.admits() && self.classes().of(v) == Class::RealTime;
        booked.then(|| order::booked_weight(book, self.written.ports[port].wshift))
    }
}
