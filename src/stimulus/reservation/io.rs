//! Where the signals are.

use crate::stimulus::offsets::offsets;

offsets! {
    input: cfg_we cfg_addr cfg_data attr_we attr_flow attr_sl post_valid post_flow post_pkts post_last post_psn room
        link_room ungranted inj_ready res_ready rep_valid rep_kind rep_flow rep_id rep_seq rep_wait rin_valid rin_slid rin_sl rin_id
        rin_size end_valid end_bad end_slid end_sl end_id end_seq out_ready rep_rty rep_init rin_init end_rty
        see_look see_mark see_res see_init see_flow see_id see_seq see_ok see_spec see_pass see_psn walk_valid walk_len;
    output: ready inj_valid inj_kind inj_flow inj_id inj_seq res_valid res_flow res_id res_n rin_done end_ok inj_rty res_init;
}
