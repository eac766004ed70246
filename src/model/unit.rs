//! What every golden model is.

/// One thing that must be seen to happen.
#[derive(Clone, Copy, Debug)]
pub struct CoverPoint {
    /// Name, unique within the unit: `e6_free_vs_move`.
    pub name: &'static str,
    /// Rules it belongs to, separated by blanks.
    pub rules: &'static str,
    /// What happened, in a line.
    pub text: &'static str,
}

/// A golden model. One cycle is `outputs`, `state`, `step`, in this order.
pub trait Unit: Send {
    /// True if no output depends on an input of the same cycle.
    fn is_moore(&self) -> bool;
    /// The reset state, as after `rst_i`.
    fn reset(&mut self);
    /// Outputs of the current cycle. A Moore unit does not look at `input` (it may be empty).
    fn outputs(&self, input: &[u32], out: &mut [u32]);
    /// Architectural state of the current cycle, before its edge.
    fn state(&self, state: &mut [u32]);
    /// The clock edge that ends the current cycle.
    fn step(&mut self, input: &[u32]);
    /// The unit's cover points, in the order of [`Unit::cover`].
    fn cover_points(&self) -> &'static [CoverPoint];
    /// How often each cover point was hit since construction (reset does not clear it).
    fn cover(&self) -> &[u64];
}
