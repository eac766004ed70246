//! A clock edge: what goes, comes and is chosen is worked out from S(t), then written.

use super::cover::Cover;
use super::receive::Fate;
use super::state::{ADM_LOST, Told, WormAdapter};
use crate::model::worm::wires::AdapterPins;

impl WormAdapter {
    /// The edge that ends a cycle.
    pub fn advance(&mut self, pins: &AdapterPins) {
        if self.init_left > 0 {
            self.init_left -= 1;
            let offered = pins.open.is_some() || pins.post.is_some() || pins.link.flit.is_some();
            self.hit_if(pins.access.write || offered, Cover::r1_sweeps);
        } else if self.watched || !self.rests(pins) {
            self.cycle(pins);
        }
    }

    /// Nothing comes in this cycle, and nothing that is here moves by itself.
    fn rests(&self, pins: &AdapterPins) -> bool {
        let access = pins.access.write || pins.access.read || self.read.is_some();
        let comes = pins.open.is_some() || pins.post.is_some() || pins.link.flit.is_some();
        if access || !pins.up || comes || pins.link.credits != 0 {
            return false;
        }
        let (told, rx, link, mover) = (&self.told, &self.rx, &self.link, &self.mover);
        let shows = told.done.is_some() || told.event.is_some() || told.completion.is_some();
        let came = rx.delivered.is_some() || rx.pulses != 0 || rx.cut != 0 || rx.owed != 0;
        let goes = link.filled != 0 || link.tail || link.going.is_some() || link.sent.is_some();
        let turns = self.turns.gap > 0 || self.turns.wait().contains(&true);
        let queued =
            !mover.control.is_empty() || !mover.real_time.is_empty() || !mover.best_effort.is_empty();
        let moves = mover.current.is_some() || queued || !self.own.is_empty();
        !(shows || told.touched.is_some() || came || goes || turns || moves)
    }

    /// The edge that ends a cycle in which the adapter is ready.
    fn cycle(&mut self, pins: &AdapterPins) {
        let up = pins.up;
        let mut error = 0;
        // By S(t).
        let read = self.look_up_register(&pins.access);
        let open = pins.open.filter(|_| self.turns.open.is_none());
        let post = pins.post.filter(|_| self.turns.post.is_none());
        let go = self.pick(pins.hold, up);
        let credits = self.credits(pins.link.credits, up);
        if self.watched {
            self.meet_link(go, credits, pins);
        }
        if !up {
            self.meet_fall(pins.link);
            error |= if self.written.admit_en && self.sums.live > 0 { ADM_LOST } else { 0 };
        }
        let fate = if up { self.receive(pins.link.flit, &mut error) } else { Fate::Nothing };
        let lfsr = self.mover.lfsr;
        let choice = self.choose();
        // Writes.
        self.told = Told::default();
        let waiting = self.turns.replies.len();
        let replied = self.turn(&mut error);
        self.hit_if(!up && self.turns.replies.len() < waiting, Cover::f1_reply_down);
        if self.watched {
            self.meet_both_ways();
        }
        self.complete();
        self.move_flit(pins.dma);
        if let Some(choice) = &choice {
            self.begin(choice);
        }
        self.send(go);
        self.take_credits(credits, up, &mut error);
        self.rx.cut = 0;
        self.settle(fate, replied);
        if !up {
            self.fall(&mut error);
        }
        self.turns.open = open.or(self.turns.open);
        self.turns.post = post.or(self.turns.post);
        self.update_errors(&pins.access, error);
        self.configure(&pins.access, self.mover.lfsr != lfsr);
        self.read = read;
    }
}
