//! State of admission, for lockstep.

use super::super::state::WormRouter;

impl WormRouter {
    pub(in super::super) fn show_admission(&self, state: &mut [u32]) {
        let (s, adm) = (&self.s, &self.adm);
        state[s.st_ptr_adm] = adm.pointer as u32;
        for (p, port) in adm.ports.iter().enumerate() {
            let slot = &port.slot;
            state[s.st_used + p] = adm.sums.used[p];
            state[s.st_adm + p] = u32::from(port.decided);
            state[s.st_eat + p] = u32::from(port.eats);
            state[s.st_slot + p] = slot.left;
            state[s.st_slot_way + p] = slot.way.unwrap_or(0) as u32;
            state[s.st_slot_routed + p] = u32::from(slot.way.is_some());
            state[s.st_slot_turn + p] = u32::from(slot.turn);
            state[s.st_slot_own + p] = u32::from(slot.own);
            state[s.st_cnt_booked + p] = port.booked;
            state[s.st_cnt_refused + p] = port.refused;
            for (v, lane) in port.lanes.iter().enumerate() {
                let at = p * self.p.vls + v;
                state[s.st_book_out + at] = adm.sums.out[p][v];
                state[s.st_book_in + at] = adm.sums.input[p][v];
                state[s.st_books + at] = u32::from(lane.books);
                state[s.st_final + at] = u32::from(lane.last);
                state[s.st_final_bw + at] = lane.bw;
            }
        }
    }
}
