//! The registers of an adapter, its parts, and the numbers that it shares with them.

use std::collections::VecDeque;

use super::reserve_state::{Answer, Request, Reserve, ReserveIn};
use crate::model::hca_throttle::HcaThrottle;
use crate::model::header::{Marks, SrpFields};
use crate::model::input_port::InputPort;
use crate::model::output_port::OutputPort;
use crate::model::reservation::Reservation;
use crate::model::source_response::SourceResponse;
use crate::model::util::{Registers, offsets};
use crate::model::{CoverPoint, Unit};
use crate::params::Params;
use crate::scheme::organisation::SlToVl;
use crate::scheme::packet::PacketKind;
use crate::signals::Layout;

/// A CNP or an ACK to be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub(super) ack: bool,
    pub(super) dlid: u32,
    pub(super) sl: u32,
    /// Whose queue it waits in.
    pub(super) vl: usize,
    /// Of the packet that an ACK answers; 0 of a CNP.
    pub(super) psn: u32,
    pub(super) marks: Marks,
}

/// Section 3.
pub(super) struct Replies {
    /// One a lane.
    pub(super) queues: Vec<VecDeque<Reply>>,
    /// An ACK took the credit that data of the lane wait for.
    pub(super) owed: Vec<bool>,
    /// The reply in the engine.
    pub(super) active: Option<Reply>,
    /// The flit on the crossbar stream.
    pub(super) emitted: Option<[u32; FLIT_WORDS]>,
    pub(super) cnt_cnp: u32,
    pub(super) cnt_cnp_lost: u32,
    pub(super) cnt_ack: u32,
    pub(super) cnt_ack_lost: u32,
}

/// What chooses among the flows (RESPONSE, SRP).
pub(super) enum Chooser {
    Throttle(Box<HcaThrottle>),
    Response(Box<SourceResponse>),
    Reservation(Box<Reservation>),
}

impl Chooser {
    pub(super) fn new(p: &Params) -> Chooser {
        match (p.srp, p.response) {
            (true, _) => Chooser::Reservation(Box::new(Reservation::new(p))),
            (_, true) => Chooser::Response(Box::new(SourceResponse::new(p))),
            _ => Chooser::Throttle(Box::new(HcaThrottle::new(p))),
        }
    }

    fn unit(&self) -> &dyn Unit {
        match self {
            Chooser::Throttle(unit) => &**unit,
            Chooser::Response(unit) => &**unit,
            Chooser::Reservation(unit) => &**unit,
        }
    }

    fn unit_mut(&mut self) -> &mut dyn Unit {
        match self {
            Chooser::Throttle(unit) => &mut **unit,
            Chooser::Response(unit) => &mut **unit,
            Chooser::Reservation(unit) => &mut **unit,
        }
    }
}

impl Unit for Chooser {
    fn is_moore(&self) -> bool {
        self.unit().is_moore()
    }

    fn reset(&mut self) {
        self.unit_mut().reset();
    }

    fn outputs(&self, input: &[u32], out: &mut [u32]) {
        self.unit().outputs(input, out);
    }

    fn state(&self, state: &mut [u32]) {
        self.unit().state(state);
    }

    fn step(&mut self, input: &[u32]) {
        self.unit_mut().step(input);
    }

    fn cover_points(&self) -> &'static [CoverPoint] {
        self.unit().cover_points()
    }

    fn cover(&self) -> &[u64] {
        self.unit().cover()
    }
}

/// Section 8: a CNP that leaves its FIFO for a generation queue, or is lost.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    pub(super) vl: usize,
    pub(super) to: Option<usize>,
}

/// A packet that the host posted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Post {
    pub(super) len: u32,
    pub(super) psn: u32,
    /// Section 8: a CNP, not a packet of the host.
    pub(super) cnp: bool,
}

/// The packet that the injector takes in a cycle.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub(super) flow: usize,
    pub(super) sl: u32,
    pub(super) post: Post,
}

/// State SEND.
#[derive(Clone, Copy)]
pub(super) struct Sending {
    pub(super) flow: usize,
    pub(super) psn: u32,
    pub(super) index: u32,
    pub(super) n: u32,
    pub(super) sl: u32,
    pub(super) vl: usize,
    /// By the LID_BASE of when it was taken.
    pub(super) dlid: u32,
    pub(super) cnp: bool,
    /// Section 13: opcode of the packet, and what it says behind its BTH if it is one of a chunk.
    pub(super) reserved: Option<(u8, Option<SrpFields>)>,
}

/// A flit on its way into the input port.
pub(super) struct Injected {
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) data: [u32; FLIT_WORDS],
}

/// Generation queues and injector.
pub(super) struct Injector {
    /// AdVOQs.
    pub(super) queues: Vec<VecDeque<Post>>,
    /// The head of the queue on offer in the cycle before; `None`: hd_valid = 0.
    pub(super) head: Option<Post>,
    pub(super) sending: Option<Sending>,
    /// Section 1: places of the window, each with its flow.
    pub(super) window: [Option<usize>; WINDOW],
    /// Section 8: the VL from which the mover looks on.
    pub(super) mover: usize,
    /// Cover: what was blocked in the cycle before.
    pub(super) blocked: Vec<u32>,
    /// F1, towards the input port.
    pub(super) fccl: Vec<u32>,
    pub(super) txr: Vec<u32>,
}

/// The header of a packet that this adapter makes.
pub(super) struct Made {
    pub(super) kind: PacketKind,
    pub(super) marks: Marks,
    pub(super) vl: usize,
    pub(super) sl: u32,
    pub(super) dlid: u32,
    pub(super) slid: u32,
    /// Flits.
    pub(super) n: u32,
    pub(super) qp: u32,
    pub(super) psn: u32,
}

/// What becomes of the flits that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rx {
    Idle,
    /// They are stored.
    Open,
    /// They belong to a packet that is taken, and are not.
    Eat,
    /// They are dropped.
    Skip,
}

/// The packet in OPEN or EAT: its length, its flits so far, what its first flit says.
#[derive(Clone, Copy, Default)]
pub(super) struct Current {
    pub(super) n: usize,
    pub(super) m: usize,
    /// It is a CNP, or an ACK for the source response: not for the host.
    pub(super) taken: bool,
    /// It is an ACK, taken or not.
    pub(super) ack: bool,
    /// It is data: BTH visible, no CNP, no ACK, not for many.
    pub(super) data: bool,
    pub(super) multicast: bool,
    /// It has no BTH to be seen.
    pub(super) opaque: bool,
    pub(super) marks: Marks,
    pub(super) slid: u32,
    pub(super) sl: u32,
    pub(super) vl: usize,
    pub(super) psn: u32,
    /// Cover: ack_en in the cycle of its first flit.
    pub(super) acks: bool,
}

/// How a packet ends that was not given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    /// Damaged.
    Bad,
    /// Short, or too long.
    Length,
}

/// A flit in the receive FIFO.
pub(super) struct Stored {
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) bad: bool,
    pub(super) vl: usize,
    /// Section 14: a packet that came before, to be answered once more.
    pub(super) marker: bool,
    pub(super) data: [u32; FLIT_WORDS],
}

/// The receiver.
pub(super) struct Receiver {
    pub(super) state: Rx,
    pub(super) ctx_vl: usize,
    pub(super) ctx_vl_ok: bool,
    pub(super) packet: Current,
    pub(super) fifo: VecDeque<Stored>,
    pub(super) used: Vec<u32>,
    pub(super) abr: Vec<u32>,
    /// Credit slot: counter and lane.
    pub(super) fcc: u32,
    pub(super) fc_vl: usize,
    /// The flow of the BECN that the throttle sees in this cycle.
    pub(super) becn: Option<usize>,
    /// The flow of the ACK that the source response sees in this cycle, and its bits {BECN, MB, VB}.
    pub(super) ack: Option<(usize, u32)>,
    pub(super) cnt_becn: u32,
    pub(super) cnt_rcv: u32,
    pub(super) cnt_ack_in: u32,
    /// H2: sources with a FECN not yet told, a bit a flow.
    pub(super) seen: Vec<u32>,
    /// Cover: of these, the message that the bit is of, as far as the PSN bits say it.
    pub(super) late: Vec<Option<u32>>,
}

/// What is stored of a flit beside its data.
#[derive(Clone, Copy)]
pub(super) struct Flags {
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) bad: bool,
    pub(super) vl: usize,
    pub(super) marker: bool,
}

/// What the flit of this cycle means.
pub(super) struct Arrival {
    pub(super) state: Rx,
    pub(super) packet: Current,
    /// The lane of the packet, as known from this flit on.
    pub(super) ctx: (usize, bool),
    pub(super) store: Option<Flags>,
    /// It is counted, on this lane.
    pub(super) counted: Option<usize>,
    pub(super) becn: Option<usize>,
    /// An ACK of a flow, and its bits.
    pub(super) ack: Option<(usize, u32)>,
    /// What is pushed.
    pub(super) reply: Option<Reply>,
    /// The packet ends.
    pub(super) ended: Option<End>,
    /// A flow whose bit of `seen` takes a value.
    pub(super) seen: Option<(usize, bool)>,
    pub(super) received: bool,
    /// Section 13: a RES, a reply, for the reservation.
    pub(super) request: Option<Request>,
    pub(super) answer: Option<Answer>,
    /// A packet without reservation is stored: its flits.
    pub(super) walk: Option<u32>,
    pub(super) errors: u32,
}

/// Link credit counters are modulo 4096.
pub(super) const CREDIT_MASK: u32 = 0xfff;

/// Section 1: places of the window.
pub(super) const WINDOW: usize = 8;

/// Words of the widest flit.
pub(super) const FLIT_WORDS: usize = 16;

// Sticky errors (section 5).
pub(super) const FRAMING: u32 = 1 << 0;

pub(super) const BAD_VL: u32 = 1 << 1;

pub(super) const NO_CREDIT: u32 = 1 << 2;

pub(super) const MISROUTED: u32 = 1 << 3;

pub(super) const BAD_FLOW: u32 = 1 << 4;

pub(super) const GEN_FULL: u32 = 1 << 5;

pub(super) const BAD_GEN: u32 = 1 << 6;

pub(super) const BAD_PKT: u32 = 1 << 7;

pub(super) const LINK_DOWN: u32 = 1 << 8;

pub(super) const BAD_ACK: u32 = 1 << 9;

pub(super) const BAD_CLASS: u32 = 1 << 10;

// Of the source response (its section 7), for cover points.
pub(super) const STRAY_ACK: u32 = 1 << 2;

pub(super) const ACK_LOST: u32 = 1 << 3;

offsets!(In, input,
    cfg_we cfg_re cfg_unit cfg_addr cfg_data lft_we lft_addr lft_port cct_we wt_we attr_we
    gen_valid gen_flow gen_len gen_psn gen_pkts dma_ready dma_data host_ready rx_valid rx_first rx_last rx_bad rx_data rx_ctl link_up);

offsets!(Out, output,
    ready gen_full dma_valid dma_flow dma_psn dma_index host_valid host_first host_last host_bad host_data tx_valid
    tx_first tx_last tx_bad tx_data tx_ctl err err_in err_out err_thr cfg_rvalid cfg_rdata);

offsets!(State, state,
    st_gen_pkts st_win st_sending st_inj_txr st_used st_cpq_fill st_hpq_fill st_line_state st_txr st_ol_valid st_ol_stop
    st_cnp_pkts st_owed st_seen st_out st_rx_used st_rx_abr st_cnt_cnp st_cnt_cnp_lost st_cnt_becn st_cnt_rcv st_cnt_ack
    st_cnt_ack_lost st_cnt_ack_in st_ungranted st_t st_tv st_res_pkts st_rep_pkts st_rs st_sp st_go st_wt st_pq);

// Where the signals of the embedded units are. Those that follow each other are found from the first.
offsets!(PortIn, input,
    cfg_we cfg_re cfg_addr cfg_data lft_we lft_addr lft_port rx_valid rx_first rx_last rx_data link_up grant held held_line rd_en prop_valid
    prop_vl prop_line prop_hops prop_root ol_valid ol_stop);

offsets!(PortOut, output,
    ready req_valid req_len req_dlid req_cnp req_hot req_unlinked req_bound req_line xb_act xb_end xb_valid xb_first
    xb_last xb_bad xb_data cong fill can_alloc known room pend fc_valid fc_vl fccl err cfg_rdata);

offsets!(SendIn, input,
    cfg_we cfg_re cfg_addr cfg_data req_valid req_len req_dlid req_cnp req_hot req_unlinked req_bound req_line can_alloc known room pend xb_act
    xb_end cong fill sw_valid sw_first sw_last sw_bad sw_data link_up fccl_valid fccl_vl fccl msg_valid 
    msg_dlist);

offsets!(SendOut, output,
    grant held held_line rd_en prop_valid prop_vl prop_line prop_hops prop_root ol_valid ol_stop ol_wait tx_valid
    tx_first tx_last tx_bad tx_data fctbs_valid fctbs_vl fctbs err cfg_rdata);

// Of the chooser: what all have, what throttle and source response have, and what one of them has.
offsets!(ChooserIn, input, cfg_we cfg_re cfg_addr cfg_data attr_we inj_ready);

offsets!(PickIn, input, req stop sl_ok inj_len sent);

offsets!(ThrottleIn, input, cct_we becn_valid);

offsets!(ResponseIn, input, wt_we ack_valid post_valid);

offsets!(ChooserOut, output, ready inj_valid inj_flow inj_sl err cfg_rdata);

/// The inputs that only one of the choosers has.
#[derive(Clone, Copy)]
pub(super) enum OwnIn {
    Throttle(PickIn, ThrottleIn),
    Response(PickIn, ResponseIn),
    Reservation(ReserveIn),
}

/// An embedded unit and its word vectors: inputs of the cycle that is being worked out, outputs of the current one.
pub(super) struct Part<U> {
    pub(super) unit: U,
    pub(super) input: Vec<u32>,
    pub(super) out: Vec<u32>,
}

impl<U: Unit> Part<U> {
    pub(super) fn new(unit: U, layout: &Layout) -> Part<U> {
        let mut part = Part { unit, input: vec![0; layout.in_words], out: vec![0; layout.out_words] };
        part.look();
        part
    }

    /// The outputs that do not depend on inputs, of the current cycle.
    pub(super) fn look(&mut self) {
        self.input.fill(0);
        self.unit.outputs(&self.input, &mut self.out);
    }
}

/// What the registers of this page mean.
#[derive(Clone, Copy)]
pub(super) struct Config {
    pub(super) cnp_en: bool,
    /// AK3, AK5: data are answered with ACKs, ACKs are taken.
    pub(super) ack_en: bool,
    /// H2: what is answered with a CNP is MB and VB together, not FECN.
    pub(super) cnp_src: bool,
    pub(super) lid: u32,
    pub(super) lid_base: u32,
    /// At least 1.
    pub(super) fc_interval: u32,
    /// H2: a message is 2^becn_per packets.
    pub(super) becn_per: u32,
    /// H1: packets queued of flows that wait for no delay; 0: no limit.
    pub(super) inject: usize,
    /// H2: CNPs wait in the generation queues; never with RESPONSE = 1.
    pub(super) cnp_queued: bool,
}

impl Config {
    pub(super) fn new(written: &Registers, p: &Params) -> Config {
        // Section 13: nobody answers marks or acknowledges, and there are no generation queues.
        let acts = !p.srp;
        Config {
            cnp_en: acts && written.of(0) & 1 != 0,
            ack_en: acts && written.of(0) & 4 != 0,
            cnp_src: acts && written.of(0) & 8 != 0,
            lid: written.of(1),
            lid_base: written.of(2),
            fc_interval: written.of(3).max(1),
            becn_per: written.of(4) * u32::from(acts),
            inject: (written.of(5) as usize).min(WINDOW) * usize::from(acts),
            cnp_queued: acts && written.of(0) & 2 != 0 && !p.response && !p.ctl_vl,
        }
    }

    /// H2: marks are answered with CNPs. Who acknowledges sends none.
    pub(super) fn cnp_on(&self) -> bool {
        self.cnp_en && !self.ack_en
    }
}

/// The registers of this page after reset; ERR_CLEAR is the errors.
pub(super) fn reset_registers() -> Registers {
    Registers::new(&[(0, 0xf, 0), (1, 0xffff, 0), (2, 0xffff, 1), (3, 0xffff, 4), (4, 0x7, 0), (5, 0xf, 0)])
}

/// Golden model of `hca`.
pub struct Hca {
    pub(super) p: Params,
    pub(super) flit_words: usize,
    pub(super) ctl_words: usize,
    // Where the signals are.
    pub(super) i: In,
    pub(super) o: Out,
    pub(super) s: State,
    pub(super) pi: PortIn,
    pub(super) po: PortOut,
    pub(super) si: SendIn,
    pub(super) so: SendOut,
    pub(super) ti: ChooserIn,
    pub(super) own: OwnIn,
    pub(super) to: ChooserOut,
    /// `blocked` of throttle and source response; `st_out` in the state of the source response.
    pub(super) blocked: usize,
    pub(super) outstanding: usize,
    /// Section 13, with SRP.
    pub(super) reserve: Option<Reserve>,
    /// VLs of the input port, and the blocks of each.
    pub(super) port_lanes: usize,
    pub(super) port_cap: u32,
    // The embedded units.
    pub(super) port: Part<InputPort>,
    pub(super) send: Part<OutputPort>,
    pub(super) chooser: Part<Chooser>,
    /// Words of the chooser's state.
    pub(super) chooser_words: usize,
    // The rest.
    pub(super) written: Registers,
    pub(super) cfg: Config,
    pub(super) sl2vl: SlToVl,
    /// C1: what was read in the cycle before, 0 if it was read in another unit.
    pub(super) read: Option<u32>,
    pub(super) injector: Injector,
    pub(super) replies: Replies,
    pub(super) receiver: Receiver,
    /// H5: flows that an output CAM line stops, a bit each.
    pub(super) stop: Vec<u32>,
    pub(super) err: u32,
    /// Cover: flows with a packet that their window held in the cycle before; flows that were blocked; the chooser's errors.
    pub(super) held: Vec<u32>,
    pub(super) was_blocked: Vec<u32>,
    pub(super) chooser_err: u32,
    // Coverage; survives reset.
    pub(super) cover: Vec<u64>,
}
