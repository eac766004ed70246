//! What random traffic of an adapter is like for a time.

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Both directions, no trouble.
    Calm,
    /// The host posts without end.
    Saturated,
    /// Marked packets come in.
    Marked,
    /// Notifications come in.
    Notified,
    /// Trees come and go.
    Trees,
    /// The link gives few credits.
    Starved,
    /// The host takes or delivers slowly.
    SlowHost,
    /// The neighbour breaks the rules.
    Violate,
    /// Registers and tables change.
    Reconfigure,
    /// ACKs go and come.
    Acknowledged,
    /// Everything.
    Mixed,
}
