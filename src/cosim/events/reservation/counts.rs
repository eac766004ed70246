//! What is counted.

/// Of the source.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sent {
    pub spec: u64,
    pub granted: u64,
    pub close: u64,
    pub bypass: u64,
    pub again: u64,
    pub requests: u64,
    pub asks_again: u64,
    pub chunks: u64,
    pub ways: u64,
    pub first: u64,
}

/// Of the destination.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Served {
    pub grants: u64,
    pub exact: u64,
    pub loose: u64,
    pub acks: u64,
    pub refused: u64,
    pub walks: u64,
    pub waits: u64,
}
