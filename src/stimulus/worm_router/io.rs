//! Where the signals are.

use crate::stimulus::offsets::offsets;

offsets! {
    input: cfg_we cfg_port cfg_addr cfg_data lft_we lft_addr lft_port link_up rx_valid rx_vl rx_first rx_last rx_bad rx_data
        rx_credit;
    output: ready tx_valid tx_vl tx_first tx_data tx_credit;
}
