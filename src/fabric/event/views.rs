//! Where the words of a switch and of an adapter are.

use crate::model::util::offsets;
use crate::params::{Params, UnitKind};
use crate::signals::Layout;

offsets!(SwitchOuts, output, ready tx_valid tx_first tx_last tx_data tx_ctl);

offsets!(SwitchState, state, st_used st_cpq_fill st_txr st_cong_state st_cnt1 st_cnt2 st_ofill st_accept st_lost st_claim st_claim_ahead st_cnt_marked st_cnt_sent
    st_hpq_fill st_line_state st_line_dcnt st_ol_valid st_ol_stop st_cnt_nohpq st_cnt_noline st_spec_nack st_cnt_spec_drop);

offsets!(HostOuts, output, ready gen_full dma_valid dma_flow dma_psn dma_index host_valid host_first host_last
    host_data tx_valid tx_first tx_last tx_data tx_ctl);

offsets!(HostState, state, st_gen_pkts st_win st_seen st_sending st_inj_txr st_used st_cpq_fill st_txr st_cnp_pkts st_rx_used
    st_rx_abr st_hpq_fill st_line_state st_ol_valid st_ol_stop st_cnt_cnp st_cnt_cnp_lost st_cnt_becn st_cnt_rcv
    st_owed st_out st_cnt_ack st_cnt_ack_lost st_cnt_ack_in
    st_ungranted st_t st_tv st_res_pkts st_rep_pkts st_rs st_sp st_go st_wt st_pq);

/// Word offsets of a switch's vectors.
#[derive(Clone)]
pub(super) struct SwitchView {
    pub(super) p: Params,
    pub(super) outs: SwitchOuts,
    pub(super) state: SwitchState,
}

/// Word offsets of an adapter's vectors.
#[derive(Clone)]
pub(super) struct HostView {
    pub(super) p: Params,
    pub(super) outs: HostOuts,
    pub(super) state: HostState,
}

impl SwitchView {
    pub fn new(p: &Params) -> SwitchView {
        let l = Layout::new(UnitKind::Switch, p);
        SwitchView { p: *p, outs: SwitchOuts::new(&l), state: SwitchState::new(&l) }
    }
}

impl HostView {
    pub fn new(p: &Params) -> HostView {
        let l = Layout::new(UnitKind::Hca, p);
        HostView { p: *p, outs: HostOuts::new(&l), state: HostState::new(&l) }
    }
}
