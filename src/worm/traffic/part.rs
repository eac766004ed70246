//! A message of a stream.

/// A message of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The cycle in which it was created.
    pub created: u64,
    /// Flits.
    pub len: u8,
    /// Which frame it is of, from 0 on. A stream without frames has one a message.
    pub frame: u64,
    /// The cycle in which the frame was created.
    pub born: u64,
    /// The first message of its frame.
    pub first: bool,
    /// The last one.
    pub last: bool,
}
