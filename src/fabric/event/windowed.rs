//! What the sources with windows hold back, in numbers.

/// Flows with packets outstanding, at sources that have windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windowed {
    /// Flows.
    pub flows: u64,
    /// Their packets outstanding.
    pub packets: u64,
    /// Flows whose window is not as wide as it may be.
    pub narrowed: u64,
    /// Flows that wait between packets.
    pub delayed: u64,
}
