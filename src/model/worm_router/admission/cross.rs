//! Streams end with their last message, whose tail crosses (YA6); the sums of a cycle.

use super::super::state::{BAD_RELEASE, MOST, WormRouter};
use super::decide::{Decision, Verdict};
use super::sums::{Share, Sums};
use crate::model::worm::classes::{Class, Set, members};
use crate::model::worm::header::Header;

impl WormRouter {
    /// The headers and tails that cross in this cycle. Returns what ends.
    pub(in super::super) fn cross(&mut self, outputs: Set) -> Vec<Share> {
        let mut ends = Vec::new();
        if !self.p.admit {
            return ends;
        }
        let (on, classes) = (self.admits(), self.classes());
        for out in members(outputs) {
            let Some(sent) = self.outputs[out].crossing else { continue };
            let (input, lane) = sent.from;
            let before = self.adm.ports[input].lanes[lane].last;
            let of = &mut self.adm.ports[input].lanes[lane];
            if sent.flit.first {
                let header = Header(sent.flit.data);
                of.last = on && header.is_final() && classes.of(lane) == Class::RealTime;
                of.bw = header.bw();
            }
            let ended = of.last && sent.flit.last;
            of.last &= !sent.flit.last;
            let bw = of.bw;
            if self.watched {
                self.meet_crossing(&sent, before, ended);
            }
            if ended && on {
                let (out_lane, in_lane) = (Some(sent.lane), Some(lane));
                ends.push(Share { out, out_lane, input, in_lane, bw });
            }
        }
        ends
    }

    /// The sums of the next cycle: first what is taken off, then what a probe books.
    pub(in super::super) fn sum_up(
        &mut self,
        on: bool,
        decision: Option<Decision>,
        ends: Vec<Share>,
        errors: &mut [u32; MOST],
    ) {
        if !self.p.admit {
            return;
        }
        if !on {
            self.meet_off();
            if !self.adm.sums.is_zero() {
                self.adm.sums = Sums::new(self.p.ports, self.p.vls);
            }
            return;
        }
        if let Some(d) = decision.filter(|d| matches!(d.verdict, Verdict::Strays)) {
            errors[d.input] |= BAD_RELEASE;
        }
        let share = decision.and_then(|d| self.share(&d));
        let released = matches!(decision.map(|d| d.verdict), Some(Verdict::Releases { .. }));
        let booked = matches!(decision.map(|d| d.verdict), Some(Verdict::Books { .. }));
        let (release, book) = (share.filter(|_| released), share.filter(|_| booked));
        if self.watched {
            self.meet_sums(&ends, release, book);
        }
        for s in ends.into_iter().chain(release) {
            let short = self.adm.sums.take_off(&s);
            self.meet_take_off(&s, short);
            if short.used || short.out {
                errors[s.out] |= BAD_RELEASE;
            }
            if short.input {
                errors[s.input] |= BAD_RELEASE;
            }
        }
        if let Some(s) = book {
            self.adm.sums.add(&s);
        }
    }
}
