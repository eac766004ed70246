//! Faults of the past, put back one at a time by `QUELL_FAULT=NAME`: not for the product, only to see that `quell torture` finds them.

use std::sync::OnceLock;

macro_rules! faults {
    ($($name:ident)*) => {
        /// A fault.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        pub(crate) enum Fault { $($name),* }
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

faults!(
    drain_asks_for_link
    credits_by_own_length
    ageing_passes_over
    low_threshold_0
    stop_does_not_hold
    root_sends_stop
    line_reused_at_once
    visit_pointer
    pointer_moves_without_acceptance
    blocked_flows_are_visited
    sl_timer_goes_idle
    steps_of_another_sl
    one_queue_of_notifications
    notifications_starve_data
    receiver_counts_no_flits
    host_pause_cuts
    notifications_move_the_data_pointer
    one_ring_over_inputs_and_lanes
    cold_picks_move_the_hot_pointer
    claim_does_not_keep_credits
    claim_hides_all_others
    credits_outlive_the_link
    index_below_the_minimum_stays
);

static SET: OnceLock<u64> = OnceLock::new();

/// Whether a fault is put back.
#[inline]
pub(crate) fn on(fault: Fault) -> bool {
    *SET.get_or_init(read) >> fault as u64 & 1 != 0
}

#[cold]
fn read() -> u64 {
    let set = std::env::var("QUELL_FAULT").unwrap_or_default();
    set.split(',').filter(|n| !n.is_empty()).fold(0, |set, name| {
        let Some(k) = NAMES.iter().position(|n| *n == name.replace('-', "_")) else {
            eprintln!("QUELL_FAULT={name}: legal is one of {NAMES:?}");
            std::process::exit(2);
        };
        set | 1 << k
    })
}
