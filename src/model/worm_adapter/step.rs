//! A clock edge: what goes, comes and is chosen is worked out from S(t), then written.

use super::cover::Cover;
use super::receive::Fate;
use super::state::{ADM_LOST, Told, WormAdapter};
use super::waiting::{Open, Post};

impl WormAdapter {
    /// The open that is taken in this cycle.
    fn take_open(&self, input: &[u32]) -> Option<Open> {
        let half = |at: usize| input[at] & 0xffff;
        let taken = input[self.i.open_valid] & 1 != 0 && self.turns.open.is_none();
        taken.then(|| Open {
            conn: half(self.i.open_conn),
            dlid: half(self.i.open_dlid),
            bw: half(self.i.open_bw),
        })
    }

    /// The post.
    fn take_post(&self, input: &[u32]) -> Option<Post> {
        let half = |at: usize| input[at] & 0xffff;
        let taken = input[self.i.post_valid] & 1 != 0 && self.turns.post.is_none();
        taken.then(|| Post {
            class: input[self.i.post_class] & 3,
            conn: half(self.i.post_conn),
            dlid: half(self.i.post_dlid),
            len: (input[self.i.post_len] & 0xff) as usize,
            last: input[self.i.post_final] & 1 != 0,
            tag: half(self.i.post_tag),
        })
    }

    /// The edge that ends a cycle in which the adapter is ready.
    pub(super) fn cycle(&mut self, input: &[u32]) {
        let up = input[self.i.link_up] & 1 != 0;
        let mut error = 0;
        // By S(t).
        let read = self.look_up_register(input);
        let (open, post) = (self.take_open(input), self.take_post(input));
        let go = self.pick(input, up);
        let credits = self.credits(input, up);
        self.meet_link(go, credits, input, up);
        if !up {
            self.meet_fall(input);
            error |= if self.written.admit_en && self.sums.live > 0 { ADM_LOST } else { 0 };
        }
        let fate = if up { self.receive(input, &mut error) } else { Fate::Nothing };
        let lfsr = self.mover.lfsr;
        let choice = self.choose();
        // Writes.
        self.told = Told::default();
        let waiting = self.turns.replies.len();
        let replied = self.turn(&mut error);
        self.hit_if(!up && self.turns.replies.len() < waiting, Cover::f1_reply_down);
        self.meet_both_ways();
        self.complete();
        self.move_flit(std::array::from_fn(|w| input[self.i.dma_data + w]));
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
        self.update_errors(input, error);
        self.configure(input, self.mover.lfsr != lfsr);
        self.read = read;
    }
}
