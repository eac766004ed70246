//! The registers of an output port.

use std::collections::VecDeque;

use crate::model::order::Order;
use crate::model::util::{Registers, offsets};
use crate::params::Params;
use crate::scheme::detector::{Counts, evaluation};
use crate::scheme::marking::Mode;

/// Longest dList.
pub(super) const MAX_DLIST: usize = 32;

/// One congestion tree whose root is downstream. When not valid `vl` to `root`, `dcnt` and `dlist` are those of the last one, and all
/// others but `hold` and `turn` are 0.
#[derive(Clone, Default)]
pub(super) struct Line {
    pub(super) valid: bool,
    /// Cycles until the line is shown.
    pub(super) hold: u32,
    pub(super) stop: bool,
    /// A stop has ended, and nothing of the line was granted since.
    pub(super) fresh: bool,
    /// The tree is gone, and the turn after its last stop is still due.
    pub(super) closing: bool,
    /// Whose turn it is next after a stop: the pointer over the inputs. It outlives the tree, and is drawn for another one.
    pub(super) turn: usize,
    pub(super) vl: u32,
    pub(super) hops: u32,
    pub(super) root: u32,
    pub(super) timer: u32,
    pub(super) dcnt: usize,
    pub(super) dlist: [u32; MAX_DLIST],
}

/// Words of the widest flit.
pub(super) const FLIT_WORDS: usize = 16;

/// The tx register.
#[derive(Clone, Copy, Default)]
pub(super) struct Flit {
    pub(super) valid: bool,
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) bad: bool,
    pub(super) data: [u32; FLIT_WORDS],
    /// VL that FCTBS counts the flit on; none for a stray flit or an illegal VL.
    pub(super) vl: Option<usize>,
}

/// The output queue; nothing is in it with CIOQ = 0.
pub(super) struct OutputQueue {
    pub built: bool,
    /// Flits that a VL's FIFO holds.
    pub cap: u32,
    /// One a VL.
    pub lanes: Vec<Lane>,
    /// The packet on the link.
    pub sending: Option<Sending>,
    /// Whose turn it is next at the link.
    pub lp: usize,
    /// `rd_slow` is slow_phase = 0.
    pub slow_phase: u32,
}

/// The FIFO of a VL.
#[derive(Default)]
pub(super) struct Lane {
    pub fifo: VecDeque<Stored>,
    /// Flits of packets that were granted and have not left.
    pub ofill: u32,
    /// What comes to it, and goes from it, at the end of this cycle.
    pub granted: u32,
    pub taken: u32,
    /// A flit left in this cycle.
    pub left: bool,
}

/// A flit in the queue; a first one's length by its header, and whether it is data.
pub(super) struct Stored {
    pub flit: Flit,
    pub n: u32,
    pub data: bool,
}

/// The packet on the link: VL, length by its header, flits that have left.
#[derive(Clone, Copy)]
pub(super) struct Sending {
    pub vl: usize,
    pub n: u32,
    pub m: u32,
}

/// The packet that is crossing.
#[derive(Clone, Copy)]
pub(super) struct OpenPacket {
    /// None: the header names an illegal VL.
    pub(super) vl: Option<usize>,
    /// Length in flits by its header.
    pub(super) n: u32,
    /// Flits seen.
    pub(super) m: u32,
}

/// What becomes of the request that was looked at.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing speaks against it.
    #[default]
    Free,
    /// Its input is told of a tree.
    Told,
    /// This line holds it back: it is stopped, or another input's turn comes first.
    Held(usize),
}

/// What the arbiter decides in a cycle.
#[derive(Default)]
pub(super) struct Decision {
    pub(super) act: bool,
    pub(super) end: bool,
    pub(super) free: bool,
    /// How many requests there are, and VLs with one but without credit, as bits.
    pub(super) valid: usize,
    pub(super) refused: u64,
    /// VLs with a valid data request (ONE_QUEUE: that is not held).
    pub(super) data_vls: u64,
    /// Requests that fit (ONE_QUEUE: and are not held), by class; and the VLs that have one.
    pub(super) fitting_cnps: usize,
    pub(super) fitting_data: usize,
    pub(super) fitting_vls: [u64; 2],
    /// The winner is data of a VL that let enough CNPs pass.
    pub(super) urgent: bool,
    /// ONE_QUEUE: how many requests a line holds back.
    pub(super) held: usize,
    /// The class chosen is that of CNPs (never with `cnp_plain`: all are of the class data then).
    pub(super) cnps: bool,
    /// The winner, or without one the request that the scan found.
    pub(super) winner: Option<usize>,
    pub(super) scanned: Option<usize>,
    /// The output line that the winner or the scanned request matches, and what follows.
    pub(super) line: Option<usize>,
    pub(super) fate: Fate,
}

/// Link credit counters are modulo 4096.
pub(super) const CREDIT_MASK: u32 = 0xfff;

/// At most this many VLs.
pub(super) const MAX_VLS: usize = 64;

/// A2: CNPs that data lets pass before it has its turn.
pub(super) const MAX_PASSED: u32 = 32;

// Sticky errors (section 7).
pub(super) const BAD_LINE: u32 = 1 << 0;

pub(super) const BAD_VL: u32 = 1 << 1;

pub(super) const XB_FRAMING: u32 = 1 << 2;

pub(super) const LINK_DOWN: u32 = 1 << 3;

offsets!(In, input,
    cfg_we cfg_re cfg_addr cfg_data req_valid req_len req_dlid req_cnp req_hot req_unlinked req_bound req_line req_age
    req_nack can_alloc known room pend xb_act xb_end xb_slow cong fill enter full_evt sw_valid sw_first sw_last sw_bad sw_mark sw_data take link_up fccl_valid fccl_vl fccl msg_valid msg_type msg_line msg_vl
    msg_root msg_hops msg_stop msg_dcnt msg_dlist);

offsets!(Out, output,
    grant elig held held_line rd_en rd_slow prop_valid prop_vl prop_line prop_hops prop_root ol_valid ol_stop ol_wait tx_valid
    tx_first tx_last tx_bad tx_data fctbs_valid fctbs_vl fctbs cong_state cnp_plain err cfg_rvalid cfg_rdata);

offsets!(State, state,
    st_txr st_fctbs st_fccl st_count st_mark_count st_lfsr st_ahead st_cr st_vp st_class_ptr st_owed st_owed_in st_passed st_waited st_rooted st_root_held
    st_cnt1 st_cnt2 st_sat st_ofill st_oq_flits st_lp st_sending st_scan st_draw
    st_due st_drop st_ol_hold st_ol_vl st_ol_hops st_ol_root st_ol_timer st_ol_dcnt st_ol_dlist st_ol_fresh
    st_ol_closing st_ol_turn st_cnt_e7 st_cnt_marked st_cnt_sent);

/// What the configuration registers mean: out-of-range values are replaced by what they act as.
#[derive(Clone, Copy)]
pub(super) struct Config {
    pub(super) mark_en: bool,
    pub(super) iso_en: bool,
    pub(super) victim: bool,
    pub(super) eval: u32,
    pub(super) mark_mode: Mode,
    /// A2: CNPs are ordinary packets (section 10).
    pub(super) cnp_plain: bool,
    /// D1: marks look at the state that the packet's own grant leaves (section 11).
    pub(super) at_once: bool,
    /// AG1: the oldest data first (section 13).
    pub(super) sched: bool,
    /// SM4, SM5: marks by count (section 12).
    pub(super) det: Det,
    /// VM2
    pub(super) vb_en: bool,
    /// D6: a root has credit in the cycle.
    pub(super) root_now: bool,
    pub(super) sum_hth: u32,
    pub(super) sum_lth: u32,
    pub(super) marking_rate: u32,
    pub(super) mark_fraction: u32,
    pub(super) packet_size: u32,
    pub(super) fc_interval: u32,
    pub(super) tx_interval: u32,
    pub(super) line_timer: u32,
    pub(super) out_th: u32,
    pub(super) vb_th: u32,
    /// CQ2
    pub(super) xb_interval: u32,
}

/// What triggers marks by count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Det {
    None,
    /// A full input buffer.
    Input,
    /// That, or more than OUT_TH packets.
    InputOutput,
}

impl Config {
    pub(super) fn new(written: &Registers, p: &Params) -> Config {
        let ctrl = written.of(0);
        Config {
            mark_en: ctrl & 1 != 0,
            iso_en: ctrl & 2 != 0 && p.isolation,
            victim: ctrl & 4 != 0,
            eval: if p.cioq { ctrl >> 3 & 3 } else { evaluation(ctrl >> 3 & 3) },
            mark_mode: Mode::of(ctrl >> 5),
            cnp_plain: ctrl & 0x80 != 0,
            at_once: ctrl & 0x100 != 0,
            sched: ctrl & 0x200 != 0 && p.stamp_w > 0,
            det: match ctrl >> 10 & 3 {
                2 if p.markers => Det::Input,
                3 if p.markers => Det::InputOutput,
                _ => Det::None,
            },
            vb_en: ctrl & 0x1000 != 0 && p.markers,
            root_now: ctrl & 0x2000 != 0,
            sum_hth: written.of(1),
            sum_lth: written.of(2).max(1),
            marking_rate: written.of(3),
            mark_fraction: written.of(4),
            packet_size: written.of(5),
            fc_interval: written.of(6).max(1),
            tx_interval: written.of(7).max(1),
            line_timer: written.of(8).max(1),
            out_th: written.of(11),
            vb_th: written.of(12),
            xb_interval: written.of(13).max(1),
        }
    }
}

/// The registers after reset; LFSR_SEED is the LFSR, ERR_CLEAR the errors.
pub(super) fn reset_registers(p: &Params) -> Registers {
    let (mtu, timer_max) = (p.mtu as u32, max_timer(p));
    let queue = if p.cioq { p.ocap() } else { p.cap(0) } as u32;
    Registers::new(&[
        (0, 0x3fff, 0),
        (1, 0xffff, 6 * mtu),
        (2, 0xffff, 4 * mtu),
        (3, 0xffff, 0),
        (4, 0x1ff, 256),
        (5, 0xff, 0),
        (6, 0xffff, 4),
        (7, 0xf, 1),
        (8, timer_max, timer_max),
        (11, 0xffff, 8),
        (12, 0xffff, 33 * queue / 100),
        (13, 0xf, 1),
    ])
}

/// The largest value of a line timer.
pub(super) fn max_timer(p: &Params) -> u32 {
    u32::MAX >> (32 - p.timer_w)
}

/// Section 12: counts, per VL. All stay 0 with MARKERS = 0.
pub(super) struct PacketCounts {
    pub built: bool,
    pub counts: Vec<Counts>,
    /// Where the counts stop.
    pub most: u32,
    pub sat: Vec<bool>,
    /// Cover: how many flits the sum of the fills was above VB_TH in the cycle before.
    pub beyond: Vec<i64>,
}

/// Section 16: classes of lanes. All stays 0 with SRP = 0.
pub(super) struct Classes {
    pub built: bool,
    pub data_lanes: usize,
    /// Pointers of data, spec, res, reply.
    pub ptr: [usize; 4],
    /// Of each VL: the input to which its credits are owed.
    pub owed: Vec<Option<usize>>,
}

/// Golden model of `switch_output_port`.
pub struct OutputPort {
    // Parameters; the first ones from it.
    pub(super) p: Params,
    pub(super) ports: usize,
    pub(super) vls: usize,
    pub(super) mtu: u32,
    pub(super) dlist: usize,
    pub(super) flit_words: usize,
    pub(super) timer_max: u32,
    pub(super) isolation: bool,
    pub(super) one_queue: bool,
    pub(super) vl_by_dest: bool,
    /// CL1: the control lane.
    pub(super) control: Option<usize>,
    // Where the signals are.
    pub(super) i: In,
    pub(super) o: Out,
    pub(super) s: State,
    // Registers.
    pub(super) written: Registers,
    pub(super) cfg: Config,
    /// C1: what was read in the cycle before.
    pub(super) read: Option<u32>,
    /// Section 1: `rd_en` is phase = 0.
    pub(super) phase: u32,
    /// F1: blocks the receiver allows, blocks granted, flits sent.
    pub(super) fccl: [u32; MAX_VLS],
    pub(super) txr: [u32; MAX_VLS],
    pub(super) fctbs: [u32; MAX_VLS],
    /// FCTBS message slot counter and VL.
    pub(super) fcc: u32,
    pub(super) fc_slot: usize,
    /// A1: the order of the inputs for data, of each VL.
    pub(super) order: Vec<Order>,
    /// A1: pointers over the inputs, per VL, of CNPs; over the VLs (data, CNPs); of the scan.
    pub(super) cr: [usize; MAX_VLS],
    pub(super) vp: [usize; 2],
    pub(super) scan: usize,
    /// Section 6: the LFSR that draws a pointer for another tree, and who goes to the front after a lost turn.
    pub(super) draw: u32,
    /// Lines whose turn was used in this cycle, as bits.
    pub(super) turns_used: u32,
    /// A2: CNPs that the data of each VL let pass since its last grant.
    pub(super) passed: [u32; MAX_VLS],
    /// D3: a packet had to wait for credits; the last packet found its credits.
    pub(super) waited: [bool; MAX_VLS],
    pub(super) rooted: [bool; MAX_VLS],
    /// D3: the port may mark by it, victim or rooted, of the cycle before (section 11).
    pub(super) root_held: [bool; MAX_VLS],
    /// D2, D5: contributions, hysteresis of the sum, congestion state.
    pub(super) count: [u32; MAX_VLS],
    pub(super) hs: [bool; MAX_VLS],
    pub(super) cong: [bool; MAX_VLS],
    /// M2
    pub(super) mark_count: [u32; MAX_VLS],
    pub(super) lfsr: u32,
    pub(super) open: Option<OpenPacket>,
    /// Section 9: packets granted that have not come over the crossbar, and how many of them the link has lost.
    pub(super) due: u32,
    pub(super) drop: u32,
    pub(super) tx: Flit,
    pub(super) counts: PacketCounts,
    pub(super) queue: OutputQueue,
    pub(super) classes: Classes,
    pub(super) lines: Vec<Line>,
    /// Some line is valid or away.
    pub(super) lines_used: bool,
    pub(super) err: u32,
    pub(super) cnt_e7: u32,
    /// Where the next two stop.
    pub(super) cnt_max: u32,
    pub(super) cnt_marked: u32,
    pub(super) cnt_sent: u32,
    pub(super) served: Option<usize>,
    /// Decided by [`OutputPort::look`], for the step.
    pub(super) decided: Option<Decision>,
    // Coverage; survives reset.
    pub(super) cover: Vec<u64>,
    pub(super) last_grant: Option<usize>,
    /// Cycles for which the link has been down, up to 2; 0: it was up in the cycle before.
    pub(super) down: u32,
    /// No credit was heard since the link came up.
    pub(super) unheard: bool,
}
