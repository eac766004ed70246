//! Where the signals are.

use crate::signals::Layout;

macro_rules! io {
    ($($group:ident: $($name:ident)*;)*) => {
        /// Offsets of the signals in the word vectors.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Io {
            $($(pub $name: usize,)*)*
        }

        impl Io {
            pub(super) fn new(l: &Layout) -> Io {
                Io { $($($name: l.$group(stringify!($name)),)*)* }
            }
        }
    };
}

io! {
    input: cfg_we cfg_port cfg_addr cfg_data lft_we lft_addr lft_port link_up rx_valid rx_vl rx_first rx_last rx_bad rx_data
        rx_credit;
    output: ready tx_valid tx_vl tx_first tx_data tx_credit;
}
