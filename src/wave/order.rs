//! In which order one looks at the signals of a unit.

use crate::params::UnitKind;

/// Groups of signals: title, and names with blanks between them. What is in none of them comes after them.
pub(super) fn groups(unit: UnitKind) -> &'static [(&'static str, &'static str)] {
    match unit {
        UnitKind::InputPort => &[
            ("Receive", "link_up rx_valid rx_first rx_last rx_bad rx_data st_rx_state st_rx_count"),
            ("Buffer and credits", "st_used st_abr fctbs_valid fc_valid fccl"),
            ("Queues", "st_cpq_pkts st_cpq_fill cong st_hpq_pkts st_hpq_fill"),
            ("Requests and streams", "req_valid grant xb_valid req_len req_dlid req_hot xb_data"),
            (
                "CAM lines",
                "st_line_state st_line_out st_line_queue st_line_next st_line_linked st_line_dcnt held held_line \
                 st_cpq_tied st_cpq_tie st_cpq_went st_hpq_went pend",
            ),
            ("Messages upstream", "msg_valid msg_type msg_line msg_stop msg_dcnt"),
            (
                "Marks by fills and ages",
                "st_full st_armed full_evt enter st_waiting st_ncnt xb_mark req_age st_aged st_pinned st_pin st_bypass",
            ),
            ("Settings and errors", "ready err cfg_we cfg_addr cfg_data lft_we lft_addr lft_port"),
        ],
        UnitKind::OutputPort => &[
            ("Requests and grants", "req_valid grant st_ahead rd_en"),
            ("Credits", "link_up fccl_valid fccl st_fccl st_txr st_fctbs fctbs_valid"),
            ("Congestion and marking", "st_count cong_state st_mark_count st_lfsr st_cnt_marked"),
            ("Stream", "sw_valid sw_first sw_last sw_data tx_valid tx_first tx_last tx_bad tx_data"),
            (
                "Trees",
                "msg_valid msg_type msg_line ol_valid ol_stop st_ol_fresh st_ol_closing st_ol_turn pend ol_wait held \
                 held_line prop_valid prop_line prop_hops",
            ),
            ("Marks by counts and ages", "full_evt enter st_cnt1 st_cnt2 st_sat sw_mark req_age"),
            ("Settings and errors", "err cfg_we cfg_addr cfg_data"),
        ],
        UnitKind::HcaThrottle => &[
            ("Demand", "req stop sl_ok"),
            ("Offer", "inj_valid inj_ready inj_flow inj_sl inj_len st_vp st_went st_blk st_wk sent st_snd"),
            ("BECN and index", "becn_valid becn_flow st_ent_we st_ent_addr st_ent_ccti st_ent_run"),
            ("Time", "st_now st_tick st_sl_run st_sl_steps"),
            ("Last injection", "st_lti_we st_lti_addr st_lti_valid st_lti st_lti_len"),
            ("Settings and errors", "ready err cfg_we cfg_addr cfg_data"),
        ],
        UnitKind::SourceResponse => &[
            ("Demand", "req stop sl_ok post_valid post_flow"),
            ("Offer", "inj_valid inj_ready inj_flow inj_sl inj_len st_vp st_went st_blk st_wk sent st_snd"),
            ("ACKs and what is outstanding", "ack_valid ack_flow ack_bits st_out st_adj"),
            (
                "Window, rate, slots",
                "st_rsp_we st_rsp_addr st_rsp_acked st_rsp_win st_rsp_x st_rsp_j st_rsp_av st_rsp_at",
            ),
            ("Last transmission", "st_now st_lti_we st_lti_addr st_lti_valid st_lti st_lti_len st_lti_taken"),
            ("Settings and errors", "ready err cfg_we cfg_addr cfg_data"),
        ],
        UnitKind::Reservation => &[
            ("Messages", "post_valid post_flow post_pkts post_last post_psn"),
            ("Reservation, offered", "res_valid res_ready res_flow res_id res_n res_size st_b st_b_flow"),
            (
                "Packet, offered",
                "inj_valid inj_ready inj_kind inj_flow inj_lane inj_len inj_psn inj_id inj_seq room link_room ungranted",
            ),
            ("Replies that come", "rep_valid rep_kind rep_flow rep_id rep_seq rep_wait"),
            (
                "Table",
                "st_op_ptr st_tab_we st_tab_addr st_tab_st st_tab_byp st_tab_id st_tab_n st_tab_rem st_tab_got \
                 st_tab_todo st_tab_out st_tab_due st_now",
            ),
            (
                "Destination",
                "rin_valid rin_slid rin_id rin_size rin_done end_valid end_ok out_valid out_ready out_kind out_lid \
                 out_wait st_t st_tv st_turn",
            ),
            ("Settings and errors", "ready err cfg_we cfg_addr cfg_data"),
        ],
        UnitKind::Switch => &[
            ("Into the ports", "link_up rx_valid rx_first rx_last rx_bad rx_data rx_ctl"),
            ("Buffers and queues", "st_used st_cpq_fill st_hpq_fill"),
            ("Trees", "st_line_state st_line_dcnt st_ol_valid st_ol_stop"),
            ("Turns", "st_accept st_claim st_claim_ahead st_lost"),
            ("Congestion and marks", "st_cong_state st_ofill st_cnt1 st_cnt2 st_cnt_marked"),
            ("Out of the ports", "tx_valid tx_first tx_last tx_bad tx_data tx_ctl st_txr st_cnt_sent"),
            ("Reservation", "st_spec_nack st_cnt_spec_drop"),
            (
                "Settings and errors",
                "ready err_in err_out cfg_we cfg_unit cfg_port cfg_addr cfg_data lft_we lft_addr lft_port",
            ),
        ],
        UnitKind::Hca => &[
            ("What the host generates", "gen_valid gen_flow gen_len gen_psn gen_pkts gen_full st_gen_pkts"),
            ("Its data", "st_win st_sending dma_valid dma_ready dma_flow dma_psn dma_index"),
            ("Buffers and queues", "st_used st_cpq_fill st_hpq_fill st_inj_txr st_txr"),
            ("Trees", "st_line_state st_ol_valid st_ol_stop"),
            ("To the link", "link_up tx_valid tx_first tx_last tx_bad tx_data tx_ctl"),
            ("From the link", "rx_valid rx_first rx_last rx_bad rx_data rx_ctl st_rx_used st_rx_abr"),
            ("To the host", "host_valid host_ready host_first host_last host_bad host_data"),
            (
                "Replies and throttle",
                "st_cnp_pkts st_owed st_seen st_out st_cnt_cnp st_cnt_becn st_cnt_ack st_cnt_ack_in",
            ),
            ("Reservation", "st_ungranted st_t st_tv st_res_pkts st_rep_pkts st_rs st_sp st_go st_wt st_pq"),
            (
                "Settings and errors",
                "ready err err_in err_out err_thr cfg_we cfg_unit cfg_addr cfg_data lft_we cct_we attr_we",
            ),
        ],
        UnitKind::WormRouter => &[
            ("Into the ports", "link_up rx_valid rx_vl rx_first rx_last rx_bad rx_data"),
            ("Lanes of the inputs", "st_level st_own st_own_out st_own_vl st_open st_cut st_drain tx_credit"),
            ("Their order and guard", "st_place_in st_left_in st_guard_in"),
            ("Lanes of the outputs", "st_owned st_cr rx_credit"),
            ("Their grants", "st_ptr_group st_ptr_lane st_ptr_be st_lfsr"),
            ("Their order and guard", "st_place_out st_left_out st_guard_out"),
            (
                "Admission",
                "st_adm st_eat st_slot st_slot_way st_used st_book_in st_book_out st_cnt_booked st_cnt_refused",
            ),
            ("Out of the ports", "tx_valid tx_vl tx_first tx_last tx_bad tx_data"),
            ("Settings and errors", "ready err cfg_we cfg_port cfg_addr cfg_data lft_we lft_addr lft_port"),
        ],
        UnitKind::WormAdapter => &[
            ("The host opens", "open_valid open_ready open_conn open_dlid open_bw"),
            ("The host posts", "post_valid post_ready post_class post_conn post_len post_final post_tag"),
            (
                "What it is told",
                "done_valid done_post done_ok done_why event_valid event_kind event_conn cqe_valid cqe_class cqe_tag",
            ),
            (
                "Table: turns, the connection of the cycle before",
                "st_turn st_replies st_touched st_conn st_state st_avail",
            ),
            ("Bandwidth and credits", "st_used st_live st_sum_c st_avail_b st_posted"),
            ("Queues: control, real-time, best-effort, own", "st_queue"),
            ("Into lanes", "st_move st_move_vl st_move_left dma_valid dma_index"),
            ("Lanes: data, reply, control", "st_level st_cr"),
            ("To the router", "link_up tx_valid tx_vl tx_first tx_last tx_data rx_credit"),
            ("From the router", "rx_valid rx_vl rx_first rx_last rx_data tx_credit dlv_valid dlv_vl"),
            ("Settings and errors", "err cfg_we cfg_addr cfg_data"),
        ],
        UnitKind::InjectionControl => &[
            ("Headers in front, held", "be_front be_dlid be_hold st_held"),
            ("What the adapter sends", "tx_valid tx_first tx_vl dlv_valid"),
            (
                "At-Least-One",
                "owned link_free st_free st_clear st_link st_look st_look_vl st_ask st_have st_way",
            ),
            ("Side-band", "gather give_valid give_full give_flits sum_valid sum_full sum_flits"),
            (
                "Self-Tuned",
                "st_throttle st_f0 st_f1 st_k st_t st_over st_sums st_tput st_last st_best_tput st_best_full st_best_t \
                 st_bad",
            ),
            ("Settings and errors", "ready cfg_we cfg_addr cfg_data use_we use_addr use_mask"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::builds;
    use crate::signals::Layout;

    #[test]
    fn groups_name_each_signal_once_and_no_other() {
        for b in builds() {
            let layout = Layout::new(b.unit, &b.params);
            let mut named: Vec<&str> =
                groups(b.unit).iter().flat_map(|(_, names)| names.split_whitespace()).collect();
            assert!(named.len() > 15, "{}", b.unit.cli_name());
            for name in &named {
                let found = layout.signals.iter().filter(|s| s.name == *name).count();
                assert_eq!(found, 1, "{}: signals called {name}", b.unit.cli_name());
            }
            named.sort();
            let all = named.len();
            named.dedup();
            assert_eq!(named.len(), all, "{}: a signal is in two groups", b.unit.cli_name());
        }
    }
}
