//! What the adapter holds.

use std::collections::VecDeque;

use super::frames::Receiver;
use super::lanes::Link;
use super::message::Sent;
use super::queues::Mover;
use super::table::{Connection, Sums};
use super::waiting::Turns;
use super::written::Written;
use crate::model::util::offsets;
use crate::model::worm::classes::Classes;
use crate::model::worm::wires::{Completion, Done};
use crate::params::Params;

offsets! {
    In, input,
    cfg_we cfg_re cfg_addr cfg_data link_up open_valid open_conn open_dlid open_bw post_valid post_class post_conn post_dlid
    post_len post_final post_tag dma_data be_hold rx_valid rx_vl rx_first rx_last rx_bad rx_data rx_credit
}

offsets! {
    Out, output,
    open_ready post_ready done_valid done_post done_ok done_why done_tag event_valid event_kind event_conn cqe_valid cqe_class
    cqe_conn cqe_tag dma_valid dma_tag dma_index be_front be_dlid link_free lane_full tx_valid tx_vl tx_first tx_last tx_data tx_credit
    dlv_valid dlv_vl dlv_first dlv_last dlv_bad dlv_data dlv_cut err cfg_rvalid cfg_rdata
}

offsets! {
    State, state,
    st_used st_book st_conns st_live st_lane st_seq st_sum_c st_avail_b st_posted st_queue st_turn st_open st_post st_replies st_touched st_conn st_state
    st_avail st_move st_move_vl st_move_left st_own_first st_gap st_guard_move st_level st_cr st_inside st_tail st_place st_left st_guard
    st_lfsr st_rx_open st_rx_skip st_cnt_sent st_cnt_rcv st_cnt_refused st_cnt_drop
}

// Sticky errors.
pub(super) const BAD_POST: u32 = 1;
pub(super) const NO_CONN: u32 = 1 << 1;
pub(super) const SUM_C: u32 = 1 << 2;
pub(super) const BAD_REPLY: u32 = 1 << 3;
pub(super) const MISROUTED: u32 = 1 << 4;
pub(super) const FRAMING: u32 = 1 << 5;
pub(super) const CREDIT: u32 = 1 << 6;
pub(super) const LINK_DOWN: u32 = 1 << 7;
pub(super) const BAD_VL: u32 = 1 << 8;
pub(super) const ADM_LOST: u32 = 1 << 9;

/// Largest values of the guards' counts: on the link, into lanes.
pub(super) const GUARD_MOST: u32 = 255;
pub(super) const GUARD_MOVE_MOST: u32 = 0xffff;

/// Largest value of the counters of 16 bits.
pub(super) const COUNT_MOST: u32 = 0xffff;

/// What outputs show of the cycle before.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    pub(super) done: Option<Done>,
    /// Kind, connection.
    pub(super) event: Option<(u32, u32)>,
    pub(super) completion: Option<Completion>,
    /// The connection that a turn wrote.
    pub(super) touched: Option<usize>,
}

/// Largest values and sums of what was counted.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) sent: u32,
    pub(super) received: u32,
    pub(super) refused: u32,
    pub(super) dropped: u32,
}

/// Of messages that were posted and are not complete.
#[derive(Clone, Copy, Default)]
pub(super) struct Posted {
    /// Real-time and best-effort.
    pub(super) all: u32,
    pub(super) best_effort: u32,
}

/// The golden model.
pub struct WormAdapter {
    pub(super) p: Params,
    pub(super) i: In,
    pub(super) o: Out,
    pub(super) s: State,
    pub(super) written: Written,
    /// What was read in the cycle before.
    pub(super) read: Option<u32>,
    pub(super) errors: u32,
    pub(super) init_left: usize,
    pub(super) table: Vec<Connection>,
    pub(super) sums: Sums,
    pub(super) posted: Posted,
    pub(super) turns: Turns,
    pub(super) told: Told,
    /// Connections with a probe or release to send.
    pub(super) own: VecDeque<usize>,
    pub(super) mover: Mover,
    pub(super) link: Link,
    pub(super) rx: Receiver,
    pub(super) counts: Counts,
    /// Cover points are looked at.
    pub(super) watched: bool,
    pub(super) cover: Vec<u64>,
}

impl WormAdapter {
    /// Everything but the cover points as after reset.
    pub(super) fn clear(&mut self) {
        let p = &self.p;
        self.written = Written::new(p);
        self.read = None;
        self.errors = 0;
        self.init_left = p.conns;
        self.table.clear();
        self.table.resize(p.conns, Connection::default());
        self.sums = Sums::default();
        self.posted = Posted::default();
        self.turns = Turns::new(p);
        self.told = Told::default();
        self.own = VecDeque::with_capacity(p.conns);
        self.mover = Mover::new(p);
        self.link = Link::new(p);
        self.rx = Receiver::default();
        self.counts = Counts::default();
    }

    /// The connection of a number from outside.
    pub(super) fn connection(&self, number: u32) -> Option<&Connection> {
        self.table.get(number as usize)
    }

    /// YW7: the classes of the lanes in this cycle.
    pub(super) fn classes(&self) -> Classes {
        Classes::new(self.p.vls, self.written.be_mask)
    }

    pub(super) fn control_lane(&self) -> usize {
        self.p.vls - 1
    }

    pub(super) fn reply_lane(&self) -> usize {
        self.p.vls - 2
    }

    /// YC1: credits of best-effort.
    pub(super) fn avail_b(&self) -> u32 {
        self.written.c_b.saturating_sub(self.posted.best_effort)
    }

    /// The tail that is on `tx`.
    pub(super) fn leaving(&self) -> Option<Sent> {
        self.link.sent.filter(|s| s.flit.last)
    }
}
