//! Routes that are any up port (UP1).

use crate::params::ANY_UP;
use crate::scheme::any_up::{drawn, next_draw};

/// The LFSR of an input port, and the outputs of its switch that lead up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Up {
    pub outputs: u32,
    pub lfsr: u32,
}

impl Up {
    /// Outputs of the header that arrives: by the entries of its destination and, where that is looked at (SRP), of its source. All
    /// headers come by here, in order.
    #[inline]
    pub fn routes(&mut self, to: u8, back: Option<u8>) -> (usize, Option<usize>) {
        if to != ANY_UP && back != Some(ANY_UP) {
            return (to.into(), back.map(usize::from));
        }
        let any = drawn(self.outputs, self.lfsr).unwrap_or(usize::from(ANY_UP));
        self.lfsr = next_draw(self.lfsr);
        let of = |entry: u8| if entry == ANY_UP { any } else { entry.into() };
        (of(to), back.map(of))
    }
}
