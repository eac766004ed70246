//! Section 13, the source: what is not answered goes again.

use super::cover::Cover;
use super::engine::Effect;
use super::state::{Count, Reservation};
use crate::model::util::bit;
use crate::scheme::chunk::{St, Word};

/// What the table has of a flow beside its [`Word`].
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
    fn send_again(&mut self, which: u64) {
        self.word.todo |= which;
        self.retry.rty |= which;
        self.word.out &= !which;
    }

    /// Q21: granted time is used for what is not answered.
    pub(super) fn hurry(&mut self, e: &mut Effect) {
        let first = self.word.out & !self.retry.rty;
        if self.word.st != St::Go || self.word.todo != 0 || first == 0 {
            return;
        }
        e.hits.hit(Cover::q21_fast);
        self.send_again(first);
    }
}

impl Reservation {
    /// The flow has not learnt its number since reset.
    pub(super) fn is_new(&self, flow: usize) -> bool {
        self.p.dedup && bit(&self.bits.init, flow)
    }

    /// No RES goes: what was sent before the reset is on its way.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet && self.cfg.rto > 0
    }

    /// X.
    pub(super) fn expire(&self, flow: usize, mut row: Row, e: &mut Effect) {
        let now = self.times.now;
        let late = self.cfg.rto > 0 && self.times.since(now, row.retry.stamp) >= self.cfg.rto;
        let st = row.word.st;
        let no_grant = matches!(st, St::Spec | St::Stop);
        let lost = no_grant || matches!(st, St::Wait | St::Go) && row.word.out != 0;
        if !late || !lost {
            e.hits.hit(if late { Cover::q22_late_nothing } else { Cover::q22_not_late });
            return;
        }
        e.hits.hit(match st {
            St::Spec => Cover::q22_late_spec,
            St::Stop => Cover::q22_late_stop,
            St::Wait => Cover::q22_late_wait,
            _ => Cover::q22_late_go,
        });
        row.send_again(row.word.out);
        row.retry.stamp = now;
        if no_grant {
            row.retry.again = true;
            row.word.st = St::ResWanted;
        }
        e.count = Some(Count::Rto);
        e.write = Some((flow, row));
    }
}
