//! A stream: when it opens, what it asks for, and its messages.

use super::frames::Frames;
use super::onoff::OnOffSource;
use super::part::Part;

/// Where the messages come from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    OnOff(OnOffSource),
    Frames(Frames),
}

/// A stream of a host.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Destination, a host.
    pub dst: u32,
    /// What it asks for, in 1/4096 of the link.
    pub bw: u16,
    /// When it opens: its first message comes at this time or later.
    pub start: u64,
    /// First cycle in which it has no more messages.
    pub stop: u64,
    /// A message that is refused so long after its frame was created is dropped with the rest of the frame. Of streams with
    /// frames: the time of one.
    pub deadline: u64,
    /// It has frames (whose deadlines are measured).
    pub frames: bool,
    pub(super) source: Source,
    pub(super) ahead: Option<Part>,
}

impl Stream {
    /// On to the first message.
    pub(super) fn begin(mut self) -> Stream {
        self.advance();
        self
    }

    fn advance(&mut self) {
        let part = match &mut self.source {
            Source::OnOff(s) => s.take(),
            Source::Frames(s) => s.take(),
        };
        // A frame that has begun is sent to its end.
        self.ahead = Some(part).filter(|p| p.born < self.stop);
    }

    /// When the next message is created, if there is one.
    pub fn next(&self) -> Option<u64> {
        self.ahead.map(|p| p.created)
    }

    /// The next message, if there is one.
    pub fn take(&mut self) -> Option<Part> {
        let part = self.ahead;
        if part.is_some() {
            self.advance();
        }
        part
    }
}
