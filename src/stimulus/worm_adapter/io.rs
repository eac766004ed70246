//! Where the signals are.

use crate::stimulus::offsets::offsets;

offsets! {
    input: cfg_we cfg_addr cfg_data link_up open_valid open_conn open_dlid open_bw post_valid post_class post_conn post_dlid
        post_len post_final post_tag dma_data be_hold rx_valid rx_vl rx_first rx_last rx_bad rx_data rx_credit;
    output: open_ready post_ready done_valid done_post done_ok done_why event_valid event_kind event_conn cqe_valid dma_valid
        tx_valid tx_vl tx_first tx_data tx_credit;
}
