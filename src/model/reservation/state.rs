//! The registers and memories of the unit.

use super::config::Config;
use super::messages::Messages;
use super::ops::{Classes, Op, Turns};
use super::row::Row;
use super::schedule::{Destination, Room};
use super::seen::Sources;
use super::times::Times;
use crate::model::util::{Registers, offsets};
use crate::params::Params;

// Sticky errors (section 8).
pub(super) const BAD_MSG: u32 = 1 << 0;
pub(super) const GEN_FULL: u32 = 1 << 1;
pub(super) const BAD_REPLY: u32 = 1 << 2;
pub(super) const BAD_RES: u32 = 1 << 3;
pub(super) const RES_FULL: u32 = 1 << 4;
pub(super) const END_LOST: u32 = 1 << 5;
pub(super) const BAD_ADDR: u32 = 1 << 6;

offsets!(In, input,
    cfg_we cfg_re cfg_addr cfg_data attr_we attr_flow attr_sl post_valid post_flow post_pkts post_last post_psn room link_room
    ungranted inj_ready res_ready rep_valid rep_kind rep_flow rep_id rep_seq rep_wait rin_valid rin_slid rin_sl rin_id rin_size end_valid
    end_bad end_slid end_sl end_id end_seq out_ready rep_rty rep_init rin_init end_rty see_look see_mark see_res see_init see_flow
    see_id see_seq see_ok see_spec see_pass see_psn walk_valid walk_len);

offsets!(Out, output,
    ready gen_full inj_valid inj_kind inj_flow inj_sl inj_lane inj_len inj_psn inj_id inj_seq inj_n inj_last res_valid res_flow
    res_sl res_id res_n res_size res_last out_valid out_kind out_lid out_sl out_id out_seq out_wait rin_done end_ok err
    cfg_rvalid cfg_rdata inj_rty res_rty res_init out_rty out_init see_drop see_ack see_known);

offsets!(State, state,
    st_now st_t st_tv st_res_pkts st_rep_pkts st_turn st_rs st_sp st_go st_wt st_pq st_tab_we st_tab_addr st_tab_st st_tab_byp
    st_tab_id st_tab_n st_tab_rem st_tab_got st_tab_todo st_tab_out st_tab_due st_b st_b_flow st_op_ptr st_ptr_e st_ptr_p
    st_ptr_w st_ptr_s st_lane st_ptr_g st_op st_init st_quiet st_tab_rty st_tab_again st_tab_stamp st_see_we
    st_see_addr st_see_v st_see_id st_see_got st_see_nv st_see_next);

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) kind: u32,
    pub(super) flow: usize,
    pub(super) sl: usize,
    pub(super) lane: usize,
    pub(super) len: u32,
    pub(super) psn: u32,
    pub(super) id: u32,
    pub(super) seq: u32,
    pub(super) n: u32,
    pub(super) last: bool,
    pub(super) rty: bool,
}

/// A RES to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) flow: usize,
    pub(super) sl: usize,
    pub(super) id: u32,
    pub(super) n: u32,
    pub(super) size: u32,
    pub(super) last: bool,
    pub(super) rty: bool,
    pub(super) init: bool,
}

/// A RES that left, until B has told its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) flow: usize,
    pub(super) tres: u32,
}

/// Flows by state, a bit each.
pub(super) struct Bits {
    pub(super) idle: Vec<u32>,
    pub(super) rs: Vec<u32>,
    pub(super) sp: Vec<u32>,
    pub(super) go: Vec<u32>,
    pub(super) wt: Vec<u32>,
    pub(super) pq: Vec<u32>,
    /// Flows that have not learnt their number since reset.
    pub(super) init: Vec<u32>,
}

/// Counters, in the order of their numbers.
#[derive(Clone, Copy)]
pub(super) enum Count {
    Spec,
    Granted,
    Bypass,
    Res,
    Grant,
    Ack,
    Nack,
    Stale,
    Wasted,
    Rto,
    Dup,
}

/// The last two are there with DEDUP = 1 only.
pub(super) const COUNTERS: usize = 11;

/// Golden model of `reservation`.
pub struct Reservation {
    // Parameters.
    pub(super) p: Params,
    pub(super) sizes: Room,
    /// 32-bit words of a bit for each flow.
    pub(super) words: usize,
    // Where the signals are.
    pub(super) i: In,
    pub(super) o: Out,
    pub(super) s: State,
    // Registers and memories.
    pub(super) written: Registers,
    pub(super) cfg: Config,
    /// C1: what was read in the cycle before.
    pub(super) read: Option<u32>,
    pub(super) counters: [u32; COUNTERS],
    pub(super) err: u32,
    /// Cycles until ready.
    pub(super) init_left: usize,
    pub(super) times: Times,
    /// SL of each flow, and by lane of data the flows that are on it.
    pub(super) sls: Vec<usize>,
    pub(super) on_lane: Vec<Vec<u32>>,
    pub(super) destination: Destination,
    pub(super) messages: Messages,
    pub(super) table: Vec<Row>,
    pub(super) bits: Bits,
    /// The op in O1.
    pub(super) op: Option<Op>,
    pub(super) classes: Classes,
    pub(super) turns: Turns,
    pub(super) asked: Option<Asked>,
    pub(super) left: Option<Left>,
    pub(super) offer: Option<Offer>,
    /// RTO cycles have not passed since reset.
    pub(super) quiet: bool,
    pub(super) sources: Sources,
    // Coverage; survives reset.
    pub(super) cover: Vec<u64>,
    pub(super) past: super::cover::Past,
}
