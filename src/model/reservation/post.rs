//! Section 3: what the host posts, and MERGE.

use super::cover::Cover;
use super::messages::{Apart, Message, Refused};
use super::ops::Op;
use super::state::{BAD_MSG, GEN_FULL, Reservation};

/// What becomes of what is posted.
#[derive(Clone, Copy)]
pub(super) enum Post {
    New(usize, Message),
    /// It goes on with the message before.
    More(usize, Message),
}

impl Post {
    pub(super) fn flow(self) -> usize {
        match self {
            Post::New(flow, _) | Post::More(flow, _) => flow,
        }
    }
}

impl Reservation {
    /// Section 3: what is posted, if it is taken.
    pub(super) fn post(&mut self, input: &[u32], pop: Option<usize>, errors: &mut u32) -> Option<Post> {
        let i = &self.i;
        if input[i.post_valid] & 1 == 0 {
            return None;
        }
        let flow = (input[i.post_flow] & 0xffff) as usize;
        let message = Message {
            pkts: input[i.post_pkts] & 0xffff,
            last: input[i.post_last] & 0x7f,
            psn: input[i.post_psn] & 0xff_ffff,
        };
        let popped = pop == Some(flow);
        if self.merges(flow, &message) {
            return Some(Post::More(flow, message));
        }
        match self.messages.accepts(flow, &message, self.p.mtu as u32) {
            Ok(()) => {
                self.hit(Cover::q14_post);
                self.hit_if(popped, Cover::q14_beside_pop);
                return Some(Post::New(flow, message));
            }
            Err(Refused::Full) => {
                *errors |= GEN_FULL;
                self.hit(Cover::q14_full);
                self.hit_if(popped, Cover::q14_full_pop);
            }
            Err(refused) => {
                *errors |= BAD_MSG;
                self.hit(match refused {
                    Refused::Flow => Cover::q14_bad_flow,
                    Refused::NoPackets => Cover::q14_no_packets,
                    _ => Cover::q14_bad_last,
                });
            }
        }
        None
    }

    /// MERGE: what is posted becomes part of the message before.
    fn merges(&mut self, flow: usize, message: &Message) -> bool {
        let verdict = self.messages.accepts(flow, message, self.p.mtu as u32);
        if !self.cfg.merge || !matches!(verdict, Ok(()) | Err(Refused::Full)) {
            return false;
        }
        let Some(tail) = self.messages.tail(flow) else {
            self.hit(Cover::q14_merge_few);
            return false;
        };
        if let Err(apart) = tail.takes(message, self.p.mtu as u32) {
            self.hit(match apart {
                Apart::Short => Cover::q14_merge_short,
                Apart::Gap => Cover::q14_merge_gap,
                Apart::Long => Cover::q14_merge_long,
            });
            return false;
        }
        if self.op == Some(Op::Begin(flow)) {
            self.hit(Cover::q14_merge_pop);
            return false;
        }
        self.hit(Cover::q14_merge);
        self.hit_if(verdict.is_err(), Cover::q14_merge_full);
        true
    }
}
