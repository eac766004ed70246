//! What drives a unit.

/// A stimulus: decides the inputs of each cycle.
///
/// `seen` holds the unit's outputs: of the *current* cycle for a Moore unit (input port, throttle), of the *previous*
/// cycle for the output port, whose grants depend on the same cycle's requests (all zero in cycle 0). The outputs come from the
/// golden model. `drive` is called once a cycle from the first cycle after reset on, and must write what differs from an idle input
/// vector (`Layout::idle`), as which it arrives.
pub trait Source: Send {
    /// Chooses the inputs of the next cycle.
    fn drive(&mut self, seen: &[u32], input: &mut [u32]);
}
