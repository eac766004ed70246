//! Section 13, the source: what is not answered goes again.

use super::cover::Cover;
use super::engine::Effect;
use super::row::Row;
use super::state::{Count, Reservation};
use crate::model::util::bit;
use crate::scheme::chunk::St;

impl Reservation {
    /// The flow has not learnt its number since reset.
    pub(super) fn is_new(&self, flow: usize) -> bool {
        self.p.dedup && bit(&self.bits.init, flow)
    }

    /// No RES goes: what was sent before the reset is on its way.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet && self.cfg.rto > 0
    }

    /// Flows that W walks over, a word of them: with a time-out all that are not IDLE.
    pub(super) fn walked(&self, word: usize) -> u32 {
        if self.cfg.rto == 0 {
            return self.bits.wt[word];
        }
        let beyond = match self.p.flows - word * 32 {
            flows @ 0..32 => u32::MAX << flows,
            _ => 0,
        };
        !(self.bits.idle[word] | beyond)
    }

    /// The flow has made no progress for RTO cycles.
    pub(super) fn is_late(&self, row: &Row) -> bool {
        self.cfg.rto > 0 && self.times.since(self.times.now, row.retry.stamp) >= self.cfg.rto
    }

    /// W of a flow that is not due.
    pub(super) fn expire(&self, flow: usize, mut row: Row, e: &mut Effect) {
        let late = self.is_late(&row);
        let st = row.word.st;
        let no_grant = matches!(st, St::Spec | St::Stop);
        let lost = no_grant || matches!(st, St::Wait | St::Go) && row.word.out != 0;
        if !late || !lost {
            e.hits.hit_if(late, Cover::q22_late_nothing);
            e.hits.hit_if(!late && self.cfg.rto > 0, Cover::q22_not_late);
            return;
        }
        e.hits.hit(match st {
            St::Spec => Cover::q22_late_spec,
            St::Stop => Cover::q22_late_stop,
            St::Wait => Cover::q22_late_wait,
            _ => Cover::q22_late_go,
        });
        row.send_again(row.word.out);
        row.retry.stamp = self.times.now;
        if no_grant {
            row.retry.again = true;
            row.word.st = St::ResWanted;
        }
        e.count = Some(Count::Rto);
        e.write = Some((flow, row));
    }
}
