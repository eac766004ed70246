//! What the table has of a flow.

use crate::scheme::chunk::{St, Word};

/// What losses need beside a [`Word`] (section 13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Retry {
    /// Packets that go with R.
    pub(super) rty: u64,
    /// The RES goes once more.
    pub(super) again: bool,
    /// Time of the last progress.
    pub(super) stamp: u32,
}

/// All that the table has of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) word: Word,
    pub(super) retry: Retry,
}

impl Row {
    /// The GRANT has not come, or is on its way.
    pub(super) fn awaits_grant(&self) -> bool {
        match self.word.st {
            St::Spec | St::Stop => true,
            St::ResWanted | St::ResOut => self.retry.again,
            _ => false,
        }
    }

    /// What was sent and not answered is sent again, with R.
    pub(super) fn send_again(&mut self, which: u64) {
        self.word.todo |= which;
        self.retry.rty |= which;
        self.word.out &= !which;
    }

    /// Q21: granted time is used for what is not answered. Says whether there is some.
    pub(super) fn hurry(&mut self) -> bool {
        let first = self.word.out & !self.retry.rty;
        let hurries = self.word.st == St::Go && self.word.todo == 0 && first != 0;
        if hurries {
            self.send_again(first);
        }
        hurries
    }
}
