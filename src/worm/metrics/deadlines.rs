//! Deadlines of the frames of a stream: that of the first is its creation and the time of a frame; that of each other one is the
//! deadline before it and the time of a frame, or, where the frame before missed it, that one's arrival and the time of a frame.

/// The deadlines of one stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// Of the next frame that can arrive: its number, its deadline.
    next: Option<(u64, u64)>,
}

impl Clock {
    /// A frame of a stream with a frame in every `time` cycles has arrived: how much too late. Frames arrive in order; of those
    /// that do not arrive (they are dropped at the source) the deadlines go by.
    pub fn arrives(&mut self, frame: u64, born: u64, time: u64, at: u64) -> Option<u64> {
        let deadline = match self.next {
            None => born + time,
            Some((next, deadline)) => deadline + frame.saturating_sub(next) * time,
        };
        let late = at.checked_sub(deadline).filter(|&late| late > 0);
        let from = if late.is_some() { at } else { deadline };
        self.next = Some((frame + 1, from + time));
        late
    }
}
