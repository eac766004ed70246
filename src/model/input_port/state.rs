//! The registers of an input port.

use std::collections::VecDeque;

use crate::model::header::Header;
use crate::model::util::{Registers, offsets};
use crate::params::Params;
use crate::scheme::detector::{FullBuffer, Thresholds};
use crate::scheme::isolation::hot_thresholds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineState {
    Free = 0,
    Root = 1,
    Hot = 2,
    Drain = 3,
}

/// A CAM line; all fields are 0 when FREE.
pub(super) struct Line {
    pub state: LineState,
    pub out: usize,
    pub vl: usize,
    pub queue: usize,
    pub hops: u32,
    pub root: u32,
    pub next: u32,
    pub linked: bool,
    /// Section 13: a root's line with an HPQ.
    pub own: bool,
    pub ann: bool,
    pub sent_stop: bool,
    pub stop_req: bool,
    pub reached: bool,
    pub dirty: bool,
    /// Cover: it was announced when the link went down.
    pub(super) forgotten: bool,
    pub timer: u32,
    /// Destinations in the order in which they were appended.
    pub dlist: Vec<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MsgType {
    Alloc = 0,
    Dealloc = 1,
    Stop = 2,
    Go = 3,
}

/// The message to the neighbour that the next cycle shows.
pub(super) struct Message {
    pub valid: bool,
    pub kind: MsgType,
    pub line: usize,
    pub vl: usize,
    pub root: u32,
    pub hops: u32,
    pub stop: bool,
    pub dlist: Vec<u16>,
}

/// What this cycle means to one line, from S(t) and I(t).
#[derive(Clone, Copy, Default)]
pub(super) struct Verdict {
    /// The free condition holds and nothing uses the line.
    pub(super) free: bool,
    /// A destination to append.
    pub(super) append: Option<u16>,
    pub(super) relink: Option<Tree>,
    /// A packet raised the fill above the high threshold.
    pub(super) over: bool,
    /// The fill is below the low threshold.
    pub(super) below: bool,
    pub(super) expired: bool,
    pub(super) wants: Option<MsgType>,
}

/// A packet in the buffer.
pub(super) struct Packet {
    pub vl: usize,
    pub out: usize,
    /// Length in flits, by its header.
    pub n: u32,
    pub dlid: u16,
    pub cnp: bool,
    /// A transport acknowledge.
    pub ack: bool,
    /// Section 14: switches may mark it.
    pub markable: bool,
    /// Section 15: when it was accepted.
    pub stamp: u32,
    /// Section 16: on the spec lane.
    pub way: Way,
    /// Flits stored so far (`a`).
    pub stored: u32,
    /// The receiver is still busy with it.
    pub arriving: bool,
    /// It ended early and is closed.
    pub cut: bool,
    /// The words of the stored flits.
    pub flits: Vec<u32>,
}

/// Names a packet for as long as it is in the buffer.
pub(super) type PacketId = usize;

/// All packets; the space of those that left is used again.
pub(super) struct Pool {
    pub(super) packets: Vec<Packet>,
    pub(super) unused: Vec<PacketId>,
    pub(super) words: usize,
}

/// A CPQ or HPQ.
#[derive(Default)]
pub(super) struct Queue {
    pub packets: VecDeque<PacketId>,
    /// Flits charged to it.
    pub fill: u32,
    /// Those of them that are charged by ACKs, which no stop reaches.
    pub acks: u32,
}

impl Queue {
    /// A packet comes.
    pub(super) fn charge(&mut self, n: u32, ack: bool) {
        self.fill += n;
        self.acks += if ack { n } else { 0 };
    }

    /// So many of a packet's flits leave.
    pub(super) fn release(&mut self, n: u32, ack: bool) {
        self.fill -= n;
        self.acks -= if ack { n } else { 0 };
    }
}

/// What (o,v) asks for.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// 0: the cold head, 1 + h: the head of HPQ h.
    pub choice: usize,
    pub n: u32,
    pub dlid: u16,
    pub cnp: bool,
    /// Section 14: switches may mark it.
    pub markable: bool,
    /// The line of a hot packet.
    pub line: Option<usize>,
    /// The line of its output that its queue is bound to.
    pub bound: Option<u32>,
    /// It goes first (A2): no choice of the round robin.
    pub(super) goes_first: bool,
    /// An HPQ has its turn though the cold head would go first.
    pub(super) forced: bool,
    /// All choices that it was made among had gone since these yielded last, a bit each; else 0.
    pub(super) renews: u32,
    /// How many choices qualified.
    pub(super) rivals: u32,
    /// Cover: a CNP that matches a line; several HPQs qualified.
    pub(super) cnp_matches: bool,
    /// Cover: a CNP that could go waits for an HPQ's turn (`cnp_plain`).
    pub(super) cnp_yields: bool,
    /// Q7
    pub nack: bool,
}

/// The packet that an engine is reading.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    pub(super) packet: PacketId,
    /// Flits emitted so far.
    pub(super) r: u32,
    /// The queue that it stays charged to, unless it has paid.
    pub(super) queue: usize,
    /// Section 12: its charge left the queue at the grant.
    pub(super) paid: bool,
    /// Section 14: it is to be marked.
    pub(super) mark: bool,
}

/// A read engine and its output register.
pub(super) struct Engine {
    pub stream: Option<Stream>,
    pub valid: bool,
    pub first: bool,
    pub last: bool,
    pub bad: bool,
    /// Beside `first`: the packet is to be marked.
    pub mark: bool,
    /// CQ2: the packet that was loaded last goes at the link's pace.
    pub slow: bool,
    pub data: Vec<u32>,
}

/// What a read engine can emit in this cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Emission {
    Flit,
    Pad,
    Gap,
}

/// A head that goes from its CPQ to a line's HPQ.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) cpq: usize,
    pub line: usize,
    pub n: u32,
    pub ack: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RxState {
    Idle = 0,
    Recv = 1,
    Drop = 2,
}

/// Registers of stage 1 and of the receiver.
pub(super) struct Receiver {
    pub state: RxState,
    pub(super) ctx_vl: usize,
    pub(super) ctx_vl_ok: bool,
    /// The packet being received, in RECV only.
    pub current: Option<PacketId>,
    /// Cycles without a flit.
    pub(super) quiet: u32,
    // The flit in stage 1.
    pub valid: bool,
    pub(super) first: bool,
    pub(super) last: bool,
    pub(super) bad: bool,
    pub(super) data: Vec<u32>,
    /// Header and LFT entry, of a first flit.
    pub(super) header: Header,
    pub(super) rt: u8,
    /// Q5: the LFT entry of its source.
    pub(super) back: u8,
    /// The credit message in stage 1.
    pub(super) fctbs: Option<(usize, u32)>,
}

/// A packet accepted into a queue.
#[derive(Clone, Copy)]
pub(super) struct Accept {
    pub queue: usize,
    pub vl: usize,
    pub out: usize,
    pub n: u32,
    /// Section 14: switches may mark it.
    pub markable: bool,
    /// Section 14: it is stored with MB.
    pub mb: bool,
}

/// Section 14: fills, (o,v) at o*V+v. All stay 0 with MARKERS = 0.
pub(super) struct Fills {
    pub built: bool,
    /// Markable packets that wait (SM2).
    pub waiting: Vec<u32>,
    /// So many next ones are marked (SM3).
    pub ncnt: Vec<u32>,
    /// SM1
    pub buffers: Vec<FullBuffer>,
    /// Where a markable packet was accepted in the cycle before (SM4).
    pub enter: Option<usize>,
    pub full_evt: Vec<bool>,
    /// Cover: VL of the packet that was accepted in the cycle before, if that is not markable.
    pub other_came: Option<usize>,
    /// Cover: VLs whose level was passed by lowering it in the cycle before, as bits.
    pub lowered: u64,
}

/// Section 15: ages, (o,v) at o*V+v. All stay 0 with STAMP_W = 0.
pub(super) struct Ages {
    pub built: bool,
    /// Stamps are modulo 2^W, ages at most 2^(W-1).
    pub mask: u32,
    pub now: u32,
    pub aged: Vec<bool>,
    pub lanes: Vec<Lane>,
    /// Scratch: requests that the limit hides in the coming cycle.
    pub hidden: Vec<bool>,
}

/// Section 16: what a speculative packet has beside its header.
#[derive(Clone, Copy, Default)]
pub(super) struct Way {
    /// Q5: the first cycle in which it can be a head.
    pub since: u32,
    /// Q5: with which it came.
    pub age: u32,
    /// Q5: the output towards its source.
    pub back: usize,
    /// Q7: it is dropped: a NACK goes to its source.
    pub nack: bool,
}

/// Section 16. All stays as it is with SRP = 0.
pub(super) struct Spec {
    /// The spec lane, whose FIFO is the queue of this number; none with SRP = 0.
    pub lane: Option<usize>,
    /// Q5
    pub now: u32,
    /// Q8: what the discard engine works at.
    pub discard: Option<Discard>,
    /// Q7
    pub drops: u32,
}

/// Q8: a dropped packet, and how many of its flits are done with.
#[derive(Clone, Copy)]
pub(super) struct Discard {
    pub packet: PacketId,
    pub r: u32,
}

/// AG2: the queue with the oldest packet of a VL, and how many packets have passed that.
#[derive(Clone, Copy, Default)]
pub(super) struct Lane {
    pub pinned: bool,
    pub pin: usize,
    pub bypass: u32,
}

/// What the flit in stage 1 does to the buffer.
#[derive(Clone, Copy, Default)]
pub(super) struct Arrival {
    /// The packet that ends early.
    pub(super) cut: Option<PacketId>,
    /// The packet that gets the flit.
    pub(super) store: Option<PacketId>,
    /// The new packet that begins with the flit.
    pub accept: Option<Accept>,
    /// The VL of the block that is stored.
    pub vl: Option<usize>,
}

offsets!(Ins, input, cfg_we cfg_re cfg_addr cfg_data lft_we lft_addr lft_port rx_valid rx_first rx_last rx_bad
    rx_data fctbs_valid fctbs_vl fctbs link_up grant held held_line rd_en rd_slow prop_valid prop_vl prop_line prop_hops
    prop_root ol_valid ol_stop);

offsets!(Outs, output, ready req_valid req_len req_dlid req_cnp req_hot req_unlinked req_bound req_line req_age req_nack
    xb_act xb_end xb_slow xb_valid xb_first xb_last xb_bad xb_mark xb_data cong fill enter full_evt can_alloc known room pend fc_valid fc_vl fccl
    msg_valid msg_type msg_line msg_vl msg_root msg_hops msg_stop msg_dcnt msg_dlist err cfg_rvalid cfg_rdata);

offsets!(States, state, st_up st_rx_state st_rx_count st_used st_abr st_cpq_pkts st_cpq_fill st_hpq_pkts
    st_hpq_fill st_line_state st_line_out st_line_vl st_line_queue st_line_hops st_line_root st_line_next
    st_line_linked st_line_ann st_line_sent_stop st_line_stop_req st_line_reached st_line_dirty
    st_line_timer st_line_dcnt st_line_dlist st_line_own st_cpq_tied st_cpq_tie st_hpq_tied st_hpq_tie st_cpq_went
    st_hpq_went st_line_cong st_nfq_wait st_slow st_waiting st_full st_armed st_ncnt st_aged st_pinned st_pin st_bypass st_now st_spec_nack st_spec_age st_spec_waited
    st_disc_act st_disc_r st_cnt_spec_drop st_lfsr st_cnt_drop st_cnt_nohpq st_cnt_noline);

/// Silent cycles inside a packet that a switch's input port bears after reset.
pub(super) const RX_TIMEOUT: u32 = 1024;

/// A2: cold heads that go first before an HPQ has its turn.
pub(super) const MAX_BY: u32 = 8;

/// What the configuration registers mean.
#[derive(Clone, Copy)]
pub(super) struct Config {
    pub(super) iso_en: bool,
    pub(super) cold_first: bool,
    /// A2: CNPs take their turn.
    pub(super) cnp_plain: bool,
    /// Section 12: the charge leaves at the grant.
    pub(super) release: bool,
    /// Section 13: a root takes an HPQ.
    pub(super) root_hpq: bool,
    /// Section 14: those present at a fill are marked; packets get MB.
    pub(super) naive: bool,
    pub(super) mb_en: bool,
    pub(super) hth: u32,
    pub(super) lth: u32,
    pub(super) weight_use: bool,
    pub(super) weight: u32,
    pub(super) fc_interval: u32,
    pub(super) rx_interval: u32,
    pub(super) rx_timeout: u32,
    pub(super) line_timer: u32,
    pub(super) refresh: u32,
    pub(super) switch_id: u32,
    pub(super) stop: u32,
    pub(super) go: u32,
    pub(super) detect: u32,
    pub(super) hold: u32,
    pub(super) rd_interval: u32,
    pub(super) fill_level: u32,
    pub(super) mb_th: u32,
    pub(super) bypass: u32,
    /// CQ2
    pub(super) xb_interval: u32,
    /// Q6
    pub(super) drop_en: bool,
    pub(super) ttw: u32,
    /// UP1: outputs that lead up.
    pub(super) up_mask: u32,
}

impl Config {
    pub(super) fn new(p: &Params, written: &Registers) -> Config {
        let (ctrl, weight) = (written.of(0), written.of(3));
        Config {
            iso_en: ctrl & 1 != 0 && p.isolation,
            cold_first: ctrl & 2 != 0,
            cnp_plain: ctrl & 4 != 0,
            release: ctrl & 8 != 0,
            root_hpq: ctrl & 0x10 != 0 && p.isolation && !p.one_queue,
            naive: ctrl & 0x20 != 0 && p.markers && !p.isolation,
            mb_en: ctrl & 0x40 != 0 && p.markers,
            hth: written.of(1),
            lth: written.of(2).max(1),
            weight_use: weight & 0x10 != 0,
            weight: weight & 0xf,
            fc_interval: written.of(4),
            rx_interval: written.of(5),
            rx_timeout: written.of(6),
            line_timer: written.of(7).max(1),
            refresh: written.of(8),
            switch_id: written.of(9),
            stop: written.of(11),
            go: written.of(12),
            detect: written.of(13),
            hold: written.of(14),
            rd_interval: written.of(15).max(1),
            fill_level: written.of(16),
            mb_th: written.of(17),
            bypass: written.of(18),
            xb_interval: written.of(19).max(1),
            drop_en: written.of(20) & 1 != 0,
            ttw: written.of(21),
            up_mask: written.get(22).unwrap_or(0) & u32::MAX >> (32 - p.ports.min(32)),
        }
    }

    /// Thresholds of a queue that no weight is for.
    pub(super) fn thresholds(&self) -> Thresholds {
        Thresholds { high: self.hth, low: self.lth }
    }

    /// E5: thresholds of the HPQs.
    pub(super) fn hpq_thresholds(&self) -> Thresholds {
        hot_thresholds(self.stop, self.go, self.thresholds())
    }

    /// D4: effective thresholds of the CPQs; `None` where a weight of 0 says "never".
    pub(super) fn cpq_thresholds(&self, cap: u32) -> Option<Thresholds> {
        self.thresholds().weighted(self.weight_use.then_some(self.weight), cap)
    }
}

/// The registers after reset.
pub(super) fn reset_registers(p: &Params, rx_timeout: u32) -> Registers {
    let (cap, mtu, timer) = (p.cap(0) as u32, p.mtu as u32, max_timer(p));
    let low = (4 * mtu).min(cap / 2);
    let mut list = vec![
        (0, 0x7f, 0),
        (1, 0xffff, (6 * mtu).min(3 * cap / 4)),
        (2, 0xffff, low),
        (3, 0x1f, 0),
        (4, 0xffff, 4),
        (5, 0xf, 1),
        (6, 0xffff, rx_timeout),
        (7, timer, timer),
        (8, 0xffff, 0),
        (9, 0xffff, 0),
        (11, 0xffff, 0),
        (12, 0xffff, 0),
        (13, 0xffff, low),
        (14, 0xffff, mtu),
        (15, 0xf, 1),
        (16, 0xffff, cap - mtu.div_ceil(2)),
        (17, 0xffff, 66 * cap / 100),
        (18, 0xf, 0),
        (19, 0xf, 1),
        (20, 1, 0),
        (21, 0x7fff, 203),
    ];
    // UP_SEED is the LFSR.
    list.extend(p.random_up.then_some((22, u32::MAX, 0)));
    Registers::new(&list)
}

/// The largest value of a line timer.
pub(super) fn max_timer(p: &Params) -> u32 {
    u32::MAX >> (32 - p.timer_w)
}

/// The golden model of `switch_input_port`.
pub struct InputPort {
    pub(super) p: Params,
    /// CPQs: outputs times VLs.
    pub(super) pv: usize,
    /// Blocks of each VL.
    pub(super) cap: Vec<u32>,
    pub(super) flit_words: usize,
    pub(super) ins: Ins,
    pub(super) outs: Outs,
    pub(super) sts: States,

    /// Cycles of the LFT sweep still to go; ready when 0.
    pub(super) sweep: usize,
    pub(super) written: Registers,
    pub(super) cfg: Config,
    /// C1: what was read in the cycle before.
    pub(super) read: Option<u32>,
    /// Reset value of RX_TIMEOUT.
    pub(super) rx_timeout: u32,
    pub(super) lft: Vec<u8>,
    pub(super) err: u32,
    /// Error bits set in this cycle.
    pub(super) err_set: u32,

    /// The link was up in the cycle before.
    pub(super) up: bool,
    /// Cover: it was up in the cycle before that.
    pub(super) was_up: bool,
    pub(super) rx: Receiver,
    pub(super) abr: Vec<u32>,
    pub(super) used: Vec<u32>,
    pub(super) fcc: u32,
    pub(super) fc_vl: usize,

    pub(super) packets: Pool,
    /// CPQ (o,v) at o*V+v, HPQ h at PV+h; Q2: the FIFO of VL v at v.
    pub(super) queues: Vec<Queue>,
    pub(super) cong: Vec<bool>,
    /// The published candidates.
    pub(super) requests: Vec<Option<Candidate>>,
    /// Round-robin pointers `cq`, and how often a cold head went by HPQs that were ready.
    pub(super) cq: Vec<usize>,
    pub(super) by: Vec<u32>,
    /// Of each queue: it went, and yields to those of its output and VL that did not since.
    pub(super) went: Vec<bool>,
    /// Scratch of the candidate search: HPQs that qualify, per (o,v).
    pub(super) hot_ready: Vec<u32>,
    pub(super) engines: Vec<Engine>,
    /// Requests (o*V+v) served in this cycle.
    pub(super) served: Vec<usize>,
    /// The line that has held the head of a queue back (tied, tie).
    pub(super) ties: Vec<Option<u32>>,
    /// `can_alloc` of the cycle before.
    pub(super) could_alloc: bool,
    /// Per output, a bit a line: packets that could start are bound to it.
    pub(super) pend: Vec<u32>,
    /// Post-processing pointer.
    pub(super) mv: usize,

    pub(super) lines: Vec<Line>,
    /// Scratch: what this cycle means to each line.
    pub(super) verdicts: Vec<Verdict>,
    /// The line that owns an HPQ.
    pub(super) hpq_line: Vec<Option<usize>>,
    /// The ROOT line of a CPQ.
    pub(super) root_line: Vec<Option<usize>>,
    /// A congested CPQ that found no line was counted.
    pub(super) noline_counted: Vec<bool>,
    /// ONE_QUEUE: hysteresis bits of the lines' queues, and how long the NFQ's head has asked in vain.
    pub(super) line_cong: Vec<bool>,
    pub(super) nfq_wait: u32,
    pub(super) msg: Message,
    pub(super) msg_ptr: usize,
    pub(super) refresh: u32,
    pub(super) ol_valid: Vec<u32>,
    pub(super) ol_stop: Vec<u32>,
    /// Nothing is in the port: a cycle in which nothing comes only counts.
    pub(super) quiet: bool,
    pub(super) fills: Fills,
    pub(super) ages: Ages,
    pub(super) spec: Spec,
    /// Section 17: the LFSR that draws; 0 with RANDOM_UP = 0.
    pub(super) lfsr: u32,
    /// Cover: what was drawn in this cycle; 255: nothing leads up.
    pub(super) drawn: Option<u8>,

    pub(super) cnt_drop: u32,
    pub(super) cnt_nohpq: u32,
    pub(super) cnt_noline: u32,

    pub(super) cover: Vec<u64>,
}

/// Counts up to 16 bits and stays there.
pub(super) fn count(c: &mut u32) {
    *c = (*c + 1).min(0xffff);
}

/// What a line learns of the tree that it joins.
#[derive(Clone, Copy)]
pub(super) struct Tree {
    pub(super) next: u32,
    pub(super) hops: u32,
    pub(super) root: u32,
}
