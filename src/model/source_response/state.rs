//! The registers and RAMs of a source response.

use super::config::Config;
use crate::model::stamps::{Ageing, Time};
use crate::model::turns::{Pick, Turns};
use crate::model::util::{Registers, offsets};
use crate::params::Params;
use crate::scheme::window::{Held, Severity, Step};

/// A word of the response RAM.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    /// Packets that were acknowledged, modulo 512.
    pub(super) acked: u32,
    /// What ACKs made of window and delay, if they did.
    pub(super) made: Made,
    /// The last ACK that was looked at; `None`: there was none, or long ago.
    pub(super) last_ack: Option<u32>,
}

/// Window, time between packets and slots as they stand in the RAM: after the sweep all 0.
#[derive(Clone, Copy)]
pub(super) struct Made(pub(super) Held);

impl Default for Made {
    fn default() -> Made {
        Made(Held { window: 0, x: 0, slots: 0 })
    }
}

/// A word of the LTI RAM: the last transmission of a flow.
#[derive(Clone, Copy, Default)]
pub(super) struct Lti {
    pub(super) valid: bool,
    /// The cycle in which its last flit left.
    pub(super) at: u32,
    pub(super) len: u32,
    /// Packets that were accepted, modulo 512.
    pub(super) taken: u32,
}

/// Packets are counted modulo 512.
pub(super) const COUNT_MASK: u32 = 0x1ff;

/// A visit; what is read on the way is filled in by the stages.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub(super) flow: usize,
    /// `None`: a walk.
    pub(super) pick: Option<Pick>,
    /// As of V1; `None` of a fresh flow.
    pub(super) word: Word,
    pub(super) adjusted: bool,
    /// As of V2.
    pub(super) entry: u32,
}

/// Section 4: the packet accepted last, until its last flit has left.
#[derive(Clone, Copy)]
pub(super) struct Sending {
    pub(super) flow: usize,
    pub(super) len: u32,
    /// Cycles until a link at LINK_INTERVAL could have sent it.
    pub(super) left: u32,
    /// Packets of the flow that were accepted, this one among them.
    pub(super) taken: u32,
}

/// Registers of the selection. State OFFER is `offer`, state SCAN its absence.
pub(super) struct Select {
    pub(super) turns: Turns,
    pub(super) walk: usize,
    /// Flows that were found held, a bit each.
    pub(super) blocked: Vec<u32>,
    pub(super) v1: Option<Visit>,
    pub(super) v2: Option<Visit>,
    pub(super) v3: Option<Visit>,
    pub(super) offer: Option<Pick>,
    pub(super) sending: Option<Sending>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cause {
    Sweep,
    /// With its bits.
    Ack(u32),
}

/// An operation of the update pipeline. Words are read in U2: every earlier operation has been written by then, which is what
/// forwarding is for.
#[derive(Clone, Copy)]
pub(super) struct Op {
    pub(super) cause: Cause,
    pub(super) flow: usize,
}

/// Registers of the update pipeline.
#[derive(Default)]
pub(super) struct UpdatePipe {
    pub(super) sweep: usize,
    pub(super) u1: Option<Op>,
    pub(super) u2: Option<Op>,
    /// Operations of the last two cycles, latest first, and whether they returned a packet (coverage only).
    pub(super) past: [Option<(Op, bool)>; 2],
}

/// What an ACK made of a flow.
#[derive(Clone, Copy)]
pub(super) struct Adjustment {
    pub(super) severity: Severity,
    /// In effect before.
    pub(super) before: Held,
    pub(super) step: Step,
}

/// What stage U2 does in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Update {
    pub(super) op: Op,
    /// Packets outstanding before, modulo 512.
    pub(super) outstanding: u32,
    pub(super) old: Word,
    /// What is written, if anything is.
    pub(super) new: Option<Word>,
    /// Packets are outstanding afterwards.
    pub(super) remain: bool,
    /// An ACK whose severity was looked at.
    pub(super) adjustment: Option<Adjustment>,
    /// An ACK with bits that no switch makes.
    pub(super) invalid: bool,
    /// A sweep that gave packets up; that forgot the time of an ACK.
    pub(super) lost: bool,
    pub(super) aged: bool,
}

// Sticky errors (section 7).
pub(super) const BAD_ADDR: u32 = 1 << 0;

pub(super) const BAD_LEN: u32 = 1 << 1;

pub(super) const STRAY_ACK: u32 = 1 << 2;

pub(super) const ACK_LOST: u32 = 1 << 3;

pub(super) const MARK_BITS: u32 = 1 << 4;

/// Entries of the waiting times.
pub(super) const WAITS: usize = 16;

offsets!(In, input,
    cfg_we cfg_re cfg_addr cfg_data wt_we wt_addr wt_data attr_we attr_flow attr_sl ack_valid ack_flow ack_bits post_valid
    post_flow req stop sl_ok inj_ready inj_len sent);

offsets!(Out, output, ready inj_valid inj_flow inj_sl blocked err cfg_rvalid cfg_rdata);

offsets!(State, state,
    st_now st_vp st_went st_sp st_fp st_wk st_blk st_snd st_out st_adj st_rsp_we st_rsp_addr st_rsp_acked st_rsp_win st_rsp_x
    st_rsp_j st_rsp_av st_rsp_at st_lti_we st_lti_addr st_lti_valid st_lti st_lti_len st_lti_taken);

/// Golden model of `source_response`.
pub struct SourceResponse {
    // Parameters.
    pub(super) p: Params,
    pub(super) flows: usize,
    pub(super) init_cycles: usize,
    // Where the signals are.
    pub(super) i: In,
    pub(super) o: Out,
    pub(super) s: State,
    // Registers and RAMs.
    pub(super) written: Registers,
    pub(super) cfg: Config,
    /// C1: what was read in the cycle before.
    pub(super) read: Option<u32>,
    /// Cycles until ready.
    pub(super) init_left: usize,
    pub(super) time: Time,
    /// H7: SL of each flow.
    pub(super) attr: Vec<usize>,
    /// AK6: flows with packets outstanding, a bit each.
    pub(super) out: Vec<u32>,
    /// VR5: flows that ACKs have adjusted, a bit each; the others are fresh.
    pub(super) adj: Vec<u32>,
    pub(super) rsp: Vec<Word>,
    pub(super) lti: Vec<Lti>,
    /// VR3
    pub(super) waits: [u32; WAITS],
    pub(super) pipe: UpdatePipe,
    pub(super) select: Select,
    pub(super) ageing: Ageing<Lti>,
    /// The write to the LTI RAM made in the previous cycle.
    pub(super) lti_written: Option<(usize, Lti)>,
    pub(super) err: u32,
    // Coverage; survives reset.
    pub(super) cover: Vec<u64>,
}
