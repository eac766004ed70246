//! What the router holds.

use super::admission::held::Admission;
use super::lanes::{Flit, Lanes};
use super::written::Written;
use crate::model::util::offsets;
use crate::model::worm::classes::{Classes, Set};
use crate::model::worm::order::Order;
pub(super) use crate::model::worm::wires::MOST;
use crate::params::Params;
use crate::scheme::any_up::SEED;

offsets! {
    In, input,
    cfg_we cfg_re cfg_port cfg_addr cfg_data lft_we lft_addr lft_port link_up rx_valid rx_vl rx_first rx_last rx_bad rx_data
    rx_credit
}

offsets! {
    Out, output,
    ready tx_valid tx_vl tx_first tx_last tx_bad tx_data tx_credit lane_owned lane_full err cfg_rvalid cfg_rdata
}

offsets! {
    State, state,
    st_level st_open st_drain st_cut st_owed st_own st_own_out st_own_vl st_owned st_cr st_place_in st_left_in st_place_out
    st_left_out st_guard_in st_guard_out st_ptr_group st_ptr_lane st_ptr_be st_lfsr st_cnt_flits st_cnt_msgs st_cnt_drop
    st_used st_book_out st_book_in st_ptr_adm st_adm st_eat st_slot st_slot_way st_slot_routed st_slot_turn st_slot_own st_books
    st_final st_final_bw st_cnt_booked st_cnt_refused
}

// Sticky errors of a port.
pub(super) const BAD_VL: u32 = 1;
pub(super) const NO_ROUTE: u32 = 1 << 1;
pub(super) const OVERFLOW: u32 = 1 << 2;
pub(super) const FRAMING: u32 = 1 << 3;
pub(super) const BAD_RELEASE: u32 = 1 << 4;
pub(super) const ADM_LOST: u32 = 1 << 5;
pub(super) const CREDIT: u32 = 1 << 6;
pub(super) const LINK_DOWN: u32 = 1 << 7;

/// Largest value of the guards' counts.
pub(super) const GUARD_MOST: u32 = 255;

/// A set for each port.
pub(super) type Sets = [Set; MOST];

/// An answer of the forwarding table that is on its way to its header (YW3).
#[derive(Clone, Copy)]
pub(super) struct Looked {
    pub(super) lane: usize,
    pub(super) route: Option<usize>,
    /// Without one bandwidth is lost with it.
    pub(super) missed: bool,
}

/// The input side of a port.
#[derive(Clone)]
pub(super) struct Input {
    pub(super) lanes: Lanes,
    pub(super) order: Order,
    pub(super) guard: u32,
    pub(super) looked: Option<Looked>,
    /// Credit pulses of this cycle.
    pub(super) pulses: Set,
    pub(super) dropped: u32,
}

impl Input {
    fn new(p: &Params) -> Input {
        Input {
            lanes: Lanes::new(p.vls),
            order: Order::new(p.vls),
            guard: 0,
            looked: None,
            pulses: 0,
            dropped: 0,
        }
    }
}

/// A flit that crosses, or is on the link.
#[derive(Clone, Copy)]
pub(super) struct Sent {
    pub(super) lane: usize,
    pub(super) flit: Flit,
    /// Input and lane that it comes from.
    pub(super) from: (usize, usize),
}

/// Pointers of an output's round robins (section 3).
#[derive(Clone)]
pub(super) struct Pointers {
    pub(super) group: usize,
    /// Over inputs, of each lane.
    pub(super) lane: Vec<usize>,
    /// Over input lanes, of best-effort.
    pub(super) best_effort: usize,
}

/// The output side of a port.
#[derive(Clone)]
pub(super) struct Output {
    /// Lanes that have an owner.
    pub(super) owned: Set,
    /// Lanes with credits.
    pub(super) rich: Set,
    pub(super) credits: Vec<usize>,
    pub(super) order: Order,
    pub(super) guard: u32,
    pub(super) pointers: Pointers,
    pub(super) lfsr: u32,
    /// The flit that goes from input to output in this cycle.
    pub(super) crossing: Option<Sent>,
    /// The one on the link.
    pub(super) sent: Option<Sent>,
    pub(super) flits: u32,
    pub(super) messages: u32,
}

impl Output {
    fn new(p: &Params) -> Output {
        Output {
            owned: 0,
            rich: (1 << p.vls) - 1,
            credits: vec![p.depth; p.vls],
            order: Order::new(p.vls),
            guard: 0,
            pointers: Pointers { group: 0, lane: vec![0; p.vls], best_effort: 0 },
            lfsr: SEED,
            crossing: None,
            sent: None,
            flits: 0,
            messages: 0,
        }
    }

    /// A flit goes out on a lane.
    pub(super) fn spend(&mut self, vl: usize) {
        self.credits[vl] -= 1;
        self.rich &= !(Set::from(self.credits[vl] == 0) << vl);
    }

    /// A credit of a lane comes back.
    pub(super) fn earn(&mut self, vl: usize) {
        self.credits[vl] += 1;
        self.rich |= 1 << vl;
    }

    /// All credits of the lanes are home: `depth` each.
    pub(super) fn refill(&mut self, depth: usize) {
        self.credits.fill(depth);
        self.rich = (1 << self.credits.len()) - 1;
    }
}

/// The golden model.
pub struct WormRouter {
    pub(super) p: Params,
    pub(super) i: In,
    pub(super) o: Out,
    pub(super) s: State,
    pub(super) written: Written,
    /// What was read in the cycle before.
    pub(super) read: Option<u32>,
    pub(super) errors: Vec<u32>,
    pub(super) init_left: usize,
    /// The forwarding table, as it was written.
    pub(super) table: Vec<u32>,
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<Output>,
    pub(super) adm: Admission,
    /// Cover points are looked at.
    pub(super) watched: bool,
    pub(super) cover: Vec<u64>,
    pub(super) past: Past,
}

impl WormRouter {
    /// Everything but the cover points as after reset.
    pub(super) fn clear(&mut self) {
        let p = &self.p;
        self.written = Written::new(p);
        self.read = None;
        self.errors = vec![0; p.ports];
        self.init_left = p.lft_depth;
        self.table = vec![255; p.lft_depth];
        self.inputs = vec![Input::new(p); p.ports];
        self.outputs = vec![Output::new(p); p.ports];
        self.adm = Admission::new(p.ports, p.vls);
        self.past = Past::default();
    }

    pub(super) fn ports(&self) -> std::ops::Range<usize> {
        0..self.p.ports
    }

    pub(super) fn lanes(&self) -> std::ops::Range<usize> {
        0..self.p.vls
    }

    /// YW7: the classes of the lanes in this cycle.
    pub(super) fn classes(&self) -> Classes {
        Classes::new(self.p.vls, self.written.be_mask)
    }
}

/// What happened in the cycle before (coverage only).
#[derive(Clone, Copy, Default)]
pub(super) struct Past {
    /// Lanes of each output that a tail left.
    pub(super) freed: Sets,
    /// Inputs whose slot sent the tail of its reply.
    pub(super) replied: Set,
}
