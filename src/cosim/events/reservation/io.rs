//! Pins, and what they say.

use crate::signals::{Group, Layout};

/// Chunks are counted modulo this.
pub(super) const IDS: u32 = 8192;

macro_rules! pins {
    (inputs: $($i:ident)*; outputs: $($o:ident)*;) => {
        /// Where the signals are.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Io {
            $(pub $i: usize,)*
            $(pub $o: usize,)*
        }

        impl Io {
            pub fn new(l: &Layout) -> Io {
                Io {
                    $($i: l.input(stringify!($i)),)*
                    $($o: l.signal(Group::Output, stringify!($o)).offset,)*
                }
            }
        }
    };
}

pins! {
    inputs: cfg_we cfg_addr cfg_data attr_we attr_flow attr_sl post_valid post_flow post_pkts post_last post_psn room link_room
        ungranted inj_ready res_ready rep_valid rep_kind rep_flow rep_id rep_seq rep_wait rin_valid rin_slid rin_sl rin_id rin_size
        end_valid end_bad end_slid end_sl end_id end_seq out_ready rep_rty rep_init rin_init end_rty see_look see_mark see_res
        see_init see_flow see_id see_seq see_ok see_spec see_pass see_psn walk_valid walk_len;
    outputs: ready gen_full inj_valid inj_kind inj_flow inj_sl inj_lane inj_len inj_psn inj_id inj_seq inj_n inj_last inj_rty
        res_valid res_flow res_sl res_id res_n res_size res_last res_rty res_init
        out_valid out_kind out_lid out_sl out_id out_seq out_wait out_rty out_init rin_done end_ok see_drop see_ack see_known;
}

pub(super) const SPEC: u32 = 1;
pub(super) const GRANTED: u32 = 2;
pub(super) const BYPASS: u32 = 3;

pub(super) const GRANT: u32 = 1;
pub(super) const ACK: u32 = 2;
pub(super) const NACK: u32 = 3;

/// A packet on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    pub kind: u32,
    pub flow: usize,
    pub sl: u32,
    pub lane: u32,
    pub len: u32,
    pub psn: u32,
    pub id: u32,
    pub seq: u32,
    pub n: u32,
    pub last: bool,
    pub rty: bool,
}

/// A RES on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub flow: usize,
    pub sl: u32,
    pub id: u32,
    pub n: u32,
    pub size: u32,
    pub last: bool,
    pub rty: bool,
    pub init: bool,
}

/// A reply on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub kind: u32,
    pub lid: u32,
    pub sl: u32,
    pub id: u32,
    pub seq: u32,
    pub wait: u64,
    pub rty: bool,
    pub init: bool,
}

/// A reply that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub kind: u32,
    pub flow: usize,
    pub id: u32,
    pub seq: u32,
    pub wait: u64,
    pub rty: bool,
    pub init: bool,
}

/// A message that is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Post {
    pub flow: usize,
    pub pkts: u32,
    pub last: u32,
    pub psn: u32,
}

/// A pin of one bit.
pub(super) fn is(words: &[u32], at: usize) -> bool {
    words[at] & 1 == 1
}

impl Io {
    pub fn packet(&self, out: &[u32]) -> Option<Packet> {
        is(out, self.inj_valid).then(|| Packet {
            kind: out[self.inj_kind],
            flow: out[self.inj_flow] as usize,
            sl: out[self.inj_sl],
            lane: out[self.inj_lane],
            len: out[self.inj_len],
            psn: out[self.inj_psn],
            id: out[self.inj_id],
            seq: out[self.inj_seq],
            n: out[self.inj_n],
            last: is(out, self.inj_last),
            rty: is(out, self.inj_rty),
        })
    }

    pub fn request(&self, out: &[u32]) -> Option<Request> {
        is(out, self.res_valid).then(|| Request {
            flow: out[self.res_flow] as usize,
            sl: out[self.res_sl],
            id: out[self.res_id],
            n: out[self.res_n],
            size: out[self.res_size],
            last: is(out, self.res_last),
            rty: is(out, self.res_rty),
            init: is(out, self.res_init),
        })
    }

    pub fn answer(&self, out: &[u32]) -> Option<Answer> {
        is(out, self.out_valid).then(|| Answer {
            kind: out[self.out_kind],
            lid: out[self.out_lid],
            sl: out[self.out_sl],
            id: out[self.out_id],
            seq: out[self.out_seq],
            wait: out[self.out_wait].into(),
            rty: is(out, self.out_rty),
            init: is(out, self.out_init),
        })
    }

    pub fn reply(&self, input: &[u32]) -> Option<Reply> {
        is(input, self.rep_valid).then(|| Reply {
            kind: input[self.rep_kind] & 3,
            flow: input[self.rep_flow] as usize,
            id: input[self.rep_id],
            seq: input[self.rep_seq],
            wait: input[self.rep_wait].into(),
            rty: is(input, self.rep_rty),
            init: is(input, self.rep_init),
        })
    }

    pub fn post(&self, input: &[u32]) -> Option<Post> {
        is(input, self.post_valid).then(|| Post {
            flow: input[self.post_flow] as usize,
            pkts: input[self.post_pkts],
            last: input[self.post_last],
            psn: input[self.post_psn],
        })
    }

    /// Outputs that mean nothing without their valid bit.
    pub fn fields(&self) -> [(usize, Vec<usize>); 3] {
        let s = self;
        [
            (
                s.inj_valid,
                vec![
                    s.inj_kind, s.inj_flow, s.inj_sl, s.inj_lane, s.inj_len, s.inj_psn, s.inj_id, s.inj_seq,
                    s.inj_n, s.inj_last, s.inj_rty,
                ],
            ),
            (
                s.res_valid,
                vec![s.res_flow, s.res_sl, s.res_id, s.res_n, s.res_size, s.res_last, s.res_rty, s.res_init],
            ),
            (
                s.out_valid,
                vec![s.out_kind, s.out_lid, s.out_sl, s.out_id, s.out_seq, s.out_wait, s.out_rty, s.out_init],
            ),
        ]
    }
}
