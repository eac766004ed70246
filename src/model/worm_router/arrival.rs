//! Stages 1 and 2: what comes in, and the routes of headers (section 1).

use super::cover::Cover;
use super::lanes::Flit;
use super::state::{ADM_LOST, BAD_VL, FRAMING, Looked, MOST, NO_ROUTE, OVERFLOW, WormRouter};
use crate::model::worm::classes::{Set, members};
use crate::model::worm::wires::{Entry, LinkFlit};

/// What becomes of what a link brings in a cycle.
#[derive(Clone, Copy, Default)]
pub(super) enum Arrival {
    /// Nothing comes.
    #[default]
    Nothing,
    /// Stored in a lane.
    Stored { lane: usize, flit: Flit },
    /// Dropped; these lanes were full.
    Dropped { full: Set },
    /// Of no message: dropped, and its lane has a pulse due.
    Stray { lane: usize },
}

/// The table's entry of a DLID is written with another one in this cycle.
pub(super) fn changes(written: Option<Entry>, dlid: u32, entry: Option<u32>) -> bool {
    written.is_some_and(|w| u32::from(w.dlid) == dlid && entry.is_some_and(|e| e != u32::from(w.port)))
}

impl WormRouter {
    /// What comes to input `i`, by S(t).
    pub(super) fn arrive(&mut self, i: usize, comes: Option<LinkFlit>, error: &mut u32) -> Arrival {
        let Some(LinkFlit { vl, first, last, bad, data }) = comes else { return Arrival::Nothing };
        let lane = usize::from(vl);
        if lane >= self.p.vls {
            *error |= BAD_VL;
            self.hit(Cover::yw1_bad_vl);
            return Arrival::Dropped { full: 0 };
        }
        let of = &self.inputs[i].lanes[lane];
        let (open, drains, full) = (of.open, of.drain, of.fifo.len() == self.p.depth);
        if full {
            *error |= OVERFLOW;
            self.hit(Cover::yw1_overflow);
            self.hit_if(first == open, Cover::yw1_overflow_out_of_frame);
            return Arrival::Dropped { full: 1 << lane };
        }
        if !first && !open {
            *error |= FRAMING;
            self.hit(Cover::yw1_stray);
            return Arrival::Stray { lane };
        }
        let flit = if first && open {
            *error |= FRAMING;
            self.hit(Cover::yw1_ends_open);
            self.hit_if(drains, Cover::yw3_framing_ends_drain);
            Flit { first: false, last: true, bad: true, data }
        } else {
            Flit { first, last, bad: bad && last, data }
        };
        self.hit_if(flit.first && flit.last, Cover::yw1_single);
        self.hit_if(flit.first && !flit.last, Cover::yw1_opens);
        self.hit_if(!flit.first && last && open, Cover::yw1_closes);
        self.hit_if(flit.bad && !first, Cover::yw1_bad);
        self.hit_if(bad && !last, Cover::yw1_bad_inside);
        Arrival::Stored { lane, flit }
    }

    /// YW3, R1: the answer to the header stored in this cycle.
    fn look_up(&mut self, i: usize, lane: usize, flit: &Flit, written: Option<Entry>) -> Looked {
        let word = flit.data[0];
        let dlid = (word >> 16 & 0xff) << 8 | word >> 24;
        let entry = self.table.get(dlid as usize).copied();
        let route = self.route_of(dlid);
        self.hit_if(changes(written, dlid, entry), Cover::r1_old_entry);
        self.hit_if(entry.is_none(), Cover::r1_beyond);
        self.hit_if(entry == Some(255), Cover::r1_no_route);
        self.hit_if(route.is_none() && entry.is_some_and(|e| e < 255), Cover::r1_no_port);
        self.hit_if(route == Some(i), Cover::yw8_way_back);
        Looked { lane, route, missed: self.is_missed(lane, flit) }
    }

    /// The output to which a DLID leads.
    pub(super) fn route_of(&self, dlid: u32) -> Option<usize> {
        self.table.get(dlid as usize).map(|&e| e as usize).filter(|&o| o < self.p.ports)
    }

    /// A write to the forwarding table.
    pub(super) fn write_table(&mut self, written: Option<Entry>) {
        let Some(Entry { dlid, port }) = written else { return };
        match self.table.get_mut(usize::from(dlid)) {
            Some(entry) => *entry = port.into(),
            None => self.hit(Cover::r1_write_beyond),
        }
    }

    /// YW3: the answer of the cycle before gets to its header.
    pub(super) fn answer(&mut self, i: usize, error: &mut u32) {
        let Some(Looked { lane, route, missed }) = self.inputs[i].looked.take() else { return };
        // (What is in the FIFO is older but for this cycle's flit.)
        let behind = self.inputs[i].lanes.change(lane, |of| {
            let behind = of.fifo.front().is_some_and(|f| !f.first) || !of.routes.is_empty();
            of.routes.push_back(route);
            behind
        });
        if route.is_none() {
            *error |= NO_ROUTE;
            if missed && self.admits() {
                *error |= ADM_LOST;
                self.hit(Cover::ya1_lost_no_route);
            }
        }
        self.hit_if(behind, Cover::yw3_route_behind);
    }

    /// What came is stored, or counted. Returns the lanes that have a pulse due for it.
    pub(super) fn store(
        &mut self,
        inputs: Set,
        arrivals: &[Arrival; MOST],
        written: Option<Entry>,
    ) -> [Set; MOST] {
        let mut due = [0; MOST];
        for i in members(inputs) {
            match arrivals[i] {
                Arrival::Nothing => {}
                Arrival::Dropped { .. } => self.drop_flits(i, 1),
                Arrival::Stray { lane } => {
                    self.drop_flits(i, 1);
                    due[i] = 1 << lane;
                }
                Arrival::Stored { lane, flit } => {
                    let level = self.inputs[i].lanes.change(lane, |of| {
                        of.fifo.push_back(flit);
                        of.open = !flit.last;
                        of.fifo.len()
                    });
                    if flit.first {
                        self.inputs[i].looked = Some(self.look_up(i, lane, &flit, written));
                    }
                    let full = level == self.p.depth;
                    self.hit_if(full, Cover::yw2_full);
                }
            }
        }
        due
    }

    /// Flits of input `i` that were not stored, or discarded.
    pub(super) fn drop_flits(&mut self, i: usize, flits: u32) {
        let dropped = &mut self.inputs[i].dropped;
        *dropped = (*dropped + flits).min(0xffff);
    }
}
