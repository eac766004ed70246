//! Routes that are any up port (UP1).

use super::ports::Input;
use crate::scheme::any_up::{ANY_UP, drawn, next_draw};

/// The LFSR of an input port, and the outputs of its switch that lead up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Up {
    pub outputs: u32,
    pub lfsr: u32,
}

impl Input {
    /// Outputs of the header that arrives: by the entries of its destination and, where that is looked at (SRP), of its source. All
    /// headers come by here, in order.
    #[inline]
    pub fn routes(&mut self, to: u8, back: Option<u8>) -> (usize, Option<usize>) {
        if to != ANY_UP && back != Some(ANY_UP) {
            return (to.into(), back.map(usize::from));
        }
        let up = &mut self.up;
        let any = drawn(up.outputs, up.lfsr).unwrap_or(usize::from(ANY_UP));
        up.lfsr = next_draw(up.lfsr);
        let of = |entry: u8| if entry == ANY_UP { any } else { entry.into() };
        (of(to), back.map(of))
    }
}
