//! The registers of a throttle.

use crate::model::stamps::{Ageing, Time};
use crate::model::turns::{Pick, SLS, Turns};
use crate::model::util::{Registers, offsets};
use crate::params::Params;

/// Last transmission of an entity.
#[derive(Clone, Copy, Default)]
pub(super) struct Lti {
    pub(super) valid: bool,
    /// The cycle in which its last flit left.
    pub(super) at: u32,
    pub(super) len: u32,
}

/// A visit; what is read on the way is filled in by the stages.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub(super) entity: usize,
    /// `None`: a walk.
    pub(super) pick: Option<Pick>,
    /// As of V1.
    pub(super) ent: Entity,
    /// As of V2.
    pub(super) entry: u32,
}

/// A flow that may inject.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub(super) pick: Pick,
    pub(super) entity: usize,
}

/// Section 4: the packet accepted last, until its last flit has left.
#[derive(Clone, Copy)]
pub(super) struct Sending {
    pub(super) entity: usize,
    pub(super) len: u32,
    /// Cycles until a link at LINK_INTERVAL could have sent it.
    pub(super) left: u32,
}

/// Registers of the selection. State OFFER is `offer`, state SCAN its absence.
pub(super) struct Select {
    pub(super) past: usize,
    pub(super) last_class: usize,
    pub(super) turns: Turns,
    pub(super) walk: usize,
    /// Entities found inside their delay, a bit each.
    pub(super) blocked: Vec<u32>,
    pub(super) v1: Option<Visit>,
    pub(super) v2: Option<Visit>,
    pub(super) v3: Option<Visit>,
    pub(super) offer: Option<Offer>,
    pub(super) sending: Option<Sending>,
}

/// Congestion state of a flow or SL.
#[derive(Clone, Copy, Default)]
pub(super) struct Entity {
    pub(super) ccti: u32,
    /// Timer of its own, if timers are per flow.
    pub(super) run: bool,
    pub(super) t0: u32,
    /// Steps of the SL's timer already taken, if timers are per SL, and which SL's they are.
    pub(super) seen: u32,
    pub(super) esl: usize,
}

/// H4: the timer that steps all flows of an SL.
#[derive(Clone, Copy, Default)]
pub(super) struct SlTimer {
    pub(super) run: bool,
    pub(super) t0: u32,
    pub(super) steps: u32,
    /// It was used in this sweep.
    pub(super) act: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cause {
    Sweep,
    Becn,
}

/// An operation between U0 and U1.
#[derive(Clone, Copy)]
pub(super) struct Op {
    pub(super) kind: Cause,
    pub(super) flow: usize,
}

/// An operation between U1 and U2. The entity is read in U2: every earlier operation has been written by then, which is
/// what forwarding is for.
#[derive(Clone, Copy)]
pub(super) struct Located {
    pub(super) op: Op,
    /// `None`: a NOP.
    pub(super) entity: Option<usize>,
    pub(super) sl_mode: bool,
}

/// Registers of the update pipeline.
#[derive(Default)]
pub(super) struct UpdatePipe {
    pub(super) sweep: usize,
    pub(super) u1: Option<Op>,
    pub(super) u2: Option<Located>,
    /// Sweep operations until all periods are counted anew.
    pub(super) resync: usize,
    /// Entities written in the last two cycles, latest first (coverage only).
    pub(super) past: [Option<(usize, Cause)>; 2],
}

/// What stage U2 writes in this cycle.
pub(super) struct Update {
    pub(super) entity: usize,
    pub(super) new: Entity,
    pub(super) kind: Cause,
    pub(super) sl: usize,
    /// It uses the timer of its SL.
    pub(super) uses: bool,
}

/// Ticks are modulo 2^18.
pub(super) const TICK_MASK: u32 = 0x3_ffff;

// Sticky errors (section 6).
pub(super) const BAD_ADDR: u32 = 1 << 0;

pub(super) const BAD_LEN: u32 = 1 << 1;

offsets!(In, input,
    cfg_we cfg_re cfg_addr cfg_data cct_we cct_addr cct_data attr_we attr_flow attr_sl becn_valid becn_flow req stop sl_ok
    inj_ready inj_len sent);

offsets!(Out, output, ready inj_valid inj_flow inj_sl blocked err cfg_rvalid cfg_rdata);

offsets!(State, state,
    st_now st_tick st_vp st_went st_sp st_fp st_wk st_blk st_snd st_rs st_sl_run st_sl_t0 st_sl_steps st_sl_act st_ent_we
    st_ent_addr st_ent_ccti st_ent_run st_ent_t0 st_ent_seen st_ent_esl st_lti_we st_lti_addr st_lti_valid st_lti st_lti_len);

/// What the configuration registers mean.
#[derive(Clone, Copy)]
pub(super) struct Config {
    pub(super) enable: bool,
    pub(super) sl_mode: bool,
    pub(super) timer_per_sl: bool,
    pub(super) restart: bool,
    pub(super) cct_abs: bool,
    pub(super) increase: u32,
    /// CCTI_LIMIT as written; [`HcaThrottle::limit`] is the one in effect.
    pub(super) limit: u32,
    pub(super) min: u32,
    pub(super) timer: u32,
    /// At least 1.
    pub(super) tick_cycles: u32,
    /// At least 1.
    pub(super) link_interval: u32,
}

impl Config {
    pub(super) fn new(written: &Registers, vl_by_dest: bool) -> Config {
        let ctrl = written.of(0);
        Config {
            enable: ctrl & 1 != 0,
            // H7: lanes by destination have no common delay.
            sl_mode: ctrl & 2 != 0 && !vl_by_dest,
            timer_per_sl: ctrl & 4 != 0,
            restart: ctrl & 8 != 0,
            cct_abs: ctrl & 16 != 0,
            increase: written.of(1),
            limit: written.of(2),
            min: written.of(3),
            timer: written.of(4),
            tick_cycles: written.of(5).max(1),
            link_interval: written.of(6).max(1),
        }
    }
}

/// The registers after reset; ERR_CLEAR is the errors.
pub(super) fn reset_registers(cct: usize) -> Registers {
    Registers::new(&[
        (0, 0x1f, 0),
        (1, 0xff, 1),
        (2, 0x3fff, cct as u32 - 1),
        (3, 0xff, 0),
        (4, 0xffff, 150),
        (5, 0xffff, 80),
        (6, 0xf, 1),
    ])
}

/// Golden model of `hca_throttle`.
pub struct HcaThrottle {
    // Parameters.
    pub(super) p: Params,
    pub(super) flows: usize,
    pub(super) entities: usize,
    pub(super) vl_by_dest: bool,
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
    /// Section 1: time in cycles, and in ticks of 1.024 us.
    pub(super) time: Time,
    pub(super) tick_count: u32,
    pub(super) tick: u32,
    /// H7: SL of each flow.
    pub(super) attr: Vec<usize>,
    /// H6
    pub(super) cct: Vec<u32>,
    /// H3, H4: CCTI and timer of each entity.
    pub(super) ent: Vec<Entity>,
    /// H5, H6: last transmission of each entity.
    pub(super) lti: Vec<Lti>,
    pub(super) sl_timers: [SlTimer; SLS],
    pub(super) pipe: UpdatePipe,
    pub(super) select: Select,
    pub(super) ageing: Ageing<Lti>,
    /// The write to the LTI RAM made in the previous cycle.
    pub(super) lti_written: Option<(usize, Lti)>,
    pub(super) err: u32,
    // Coverage; survives reset.
    pub(super) cover: Vec<u64>,
}
