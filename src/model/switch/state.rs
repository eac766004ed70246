//! The registers of a switch and its ports.

use crate::model::input_port::InputPort;
use crate::model::link::Control;
use crate::model::order::Order;
use crate::model::output_port::OutputPort;
use crate::model::util::offsets;
use crate::params::Params;
use crate::signals::Layout;

/// Sets of outputs as bits, one per input.
pub(super) struct Turns {
    pub lost: Vec<u64>,
    pub claim: Vec<u64>,
    /// In this cycle: requests of inputs that are open, and those that a stopped line holds back.
    pub(super) shown: Vec<u64>,
    pub(super) held: Vec<u64>,
    /// Outputs that the input is a claimant of.
    pub(super) claimant: Vec<u64>,
    /// The order of the claims of each output.
    pub(super) order: Vec<Order>,
    /// The first of each output's claimants in that order.
    pub(super) first: Vec<Option<usize>>,
}

offsets!(Pins, input,
    cfg_we cfg_re cfg_unit cfg_port cfg_addr cfg_data lft_we lft_addr lft_port rx_valid rx_first rx_last rx_bad rx_data rx_ctl
    link_up);

offsets!(Out, output, ready tx_valid tx_first tx_last tx_bad tx_data tx_ctl err_in err_out cfg_rvalid cfg_rdata);

offsets!(State, state,
    st_used st_cpq_fill st_hpq_fill st_line_state st_line_dcnt st_txr st_cong_state st_cnt1 st_cnt2 st_ofill st_ol_valid st_ol_stop st_accept
    st_lost st_claim st_claim_ahead st_spec_nack st_cnt_spec_drop st_cnt_nohpq st_cnt_noline st_cnt_marked st_cnt_sent);

// The ports of the ports.
offsets!(InPins, input,
    cfg_we cfg_re cfg_addr cfg_data lft_we lft_addr lft_port rx_valid rx_first rx_last rx_bad rx_data fctbs_valid fctbs_vl
    fctbs link_up grant held held_line rd_en rd_slow prop_valid prop_vl prop_line prop_hops prop_root ol_valid ol_stop);

offsets!(InOut, output,
    ready req_valid req_len req_dlid req_cnp req_hot req_unlinked req_bound req_line req_age req_nack xb_act xb_end xb_slow xb_valid xb_first
    xb_last xb_bad xb_mark xb_data cong fill enter full_evt can_alloc known room pend fc_valid fc_vl fccl msg_valid msg_type msg_line msg_vl msg_root msg_hops
    msg_stop msg_dcnt msg_dlist err cfg_rdata);

offsets!(OutPins, input,
    cfg_we cfg_re cfg_addr cfg_data req_valid req_len req_dlid req_cnp req_hot req_unlinked req_bound req_line req_age req_nack can_alloc known
    room pend xb_act xb_end xb_slow cong fill enter full_evt sw_valid sw_first sw_last sw_bad sw_mark sw_data take link_up fccl_valid fccl_vl fccl msg_valid msg_type msg_line
    msg_vl msg_root msg_hops msg_stop msg_dcnt msg_dlist);

offsets!(OutOut, output,
    grant elig held held_line rd_en rd_slow prop_valid prop_vl prop_line prop_hops prop_root ol_valid ol_stop ol_wait tx_valid
    tx_first tx_last tx_bad tx_data fctbs_valid fctbs_vl fctbs cong_state err cfg_rdata);

/// A port and its word vectors.
pub(super) struct Port<U> {
    pub(super) unit: U,
    /// An input port that is quiet, and was in the cycle before: what it told the outputs stands.
    pub(super) quiet: [bool; 2],
    pub(super) pins: Vec<u32>,
    pub(super) out: Vec<u32>,
}

impl<U> Port<U> {
    pub(super) fn new(unit: U, layout: &Layout) -> Port<U> {
        Port { unit, quiet: [false; 2], pins: vec![0; layout.in_words], out: vec![0; layout.out_words] }
    }
}

/// What the cover points of marks look back at.
#[derive(Default)]
pub(super) struct Seen {
    /// Per output and VL, o*V+v: inputs whose buffers filled last, as bits, while packets are to be marked.
    pub filled: Vec<u64>,
    /// An input port has set MB since the reset, or could have.
    pub sets_mb: bool,
}

/// The golden model of `switch`.
pub struct Switch {
    pub(super) p: Params,
    pub(super) flit_words: usize,
    pub(super) ctl_words: usize,
    /// Pins to which nothing comes, with all links up.
    pub(super) idle: Vec<u32>,
    /// Nothing is in it, on its way, or known of congestion.
    pub(super) rests: bool,
    /// Scratch: the control words of a cycle.
    pub(super) heard: Vec<Control>,
    pub(super) pins: Pins,
    pub(super) out: Out,
    pub(super) sts: State,
    pub(super) in_pins: InPins,
    pub(super) in_out: InOut,
    pub(super) out_pins: OutPins,
    pub(super) out_out: OutOut,
    pub(super) inputs: Vec<Port<InputPort>>,
    pub(super) outputs: Vec<Port<OutputPort>>,
    /// Accept pointers.
    pub(super) accept: Vec<usize>,
    /// ONE_QUEUE: the input that this cycle's match gives to each output, and the output that it gives to each input.
    pub(super) match_of_output: Vec<Option<usize>>,
    pub(super) match_of_input: Vec<Option<usize>>,
    /// ONE_QUEUE: the accept pointers after this cycle.
    pub(super) accept_next: Vec<usize>,
    /// ONE_QUEUE, scratch of an iteration: what each output offers.
    pub(super) offers: Vec<Option<usize>>,
    /// ONE_QUEUE: the inputs whose first-iteration grants were accepted, per output.
    pub(super) first: Vec<Option<usize>>,
    /// A3, ONE_QUEUE: who was passed.
    pub(super) turns: Turns,
    /// C1: something was read in the cycle before.
    pub(super) read: bool,
    /// For cover points.
    pub(super) seen: Seen,
    pub(super) cover: Vec<u64>,
}
