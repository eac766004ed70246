//! Section 13, the destination: the table of sources.

use crate::scheme::chunk::ahead;

/// What is known of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Something is.
    pub(super) valid: bool,
    /// Its last chunk.
    pub(super) id: u32,
    /// Packets of that which came.
    pub(super) got: u64,
}

/// What came to the adapter's pins in the cycle before.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// First flit of a packet, last one, or both.
    Packet { look: bool, mark: bool },
    /// A RES, with I or without.
    Res { init: bool },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) what: What,
    pub(super) flow: usize,
    pub(super) id: u32,
    /// Bit of the packet in its chunk.
    pub(super) one: u64,
}

/// What the adapter is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) drop: bool,
    pub(super) ack: bool,
    pub(super) known: u32,
}

/// The table, and the op that is judged in this cycle.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) table: Vec<Known>,
    pub(super) op: Option<Seen>,
    /// What was written at the end of the cycle before.
    pub(super) written: Option<(usize, Known)>,
}

impl Known {
    /// The judgement of an op.
    fn judge(&self, op: &Seen) -> Verdict {
        let rel = ahead(op.id, self.id);
        let old = self.valid && rel < 0;
        match op.what {
            What::Packet { look: true, .. } => {
                let ack = self.valid && rel == 0 && self.got & op.one != 0;
                Verdict { drop: old || ack, ack, known: 0 }
            }
            What::Packet { .. } => Verdict::default(),
            What::Res { init } => {
                let known = if self.valid { self.id } else { op.id };
                Verdict { drop: old && !init, ack: false, known }
            }
        }
    }

    /// What an op that is whole and good makes of it, if it writes.
    pub(super) fn after(&self, op: &Seen) -> Option<Known> {
        let rel = ahead(op.id, self.id);
        let new = !self.valid || rel > 0;
        let got = match op.what {
            What::Packet { mark: true, .. } if new => op.one,
            What::Packet { mark: true, .. } if rel == 0 => self.got | op.one,
            What::Res { init: false } if new => 0,
            _ => return None,
        };
        Some(Known { valid: true, id: op.id, got })
    }
}

impl Sources {
    pub(super) fn new(flows: usize) -> Sources {
        Sources { table: vec![Known::default(); flows], op: None, written: None }
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.op.as_ref().map_or(Verdict::default(), |op| self.table[op.flow].judge(op))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(id: u32, seq: u32) -> Seen {
        Seen { what: What::Packet { look: true, mark: true }, flow: 0, id, one: 1 << seq }
    }

    fn res(id: u32, init: bool) -> Seen {
        Seen { what: What::Res { init }, flow: 0, id, one: 1 }
    }

    #[test]
    fn a_copy_is_dropped_and_only_that_of_the_chunk_under_way_is_answered() {
        let known = Known { valid: true, id: 3, got: 0b101 };
        let judged = |id, seq| {
            let v = known.judge(&packet(id, seq));
            (v.drop, v.ack)
        };
        assert_eq!([judged(3, 0), judged(3, 1), judged(3, 2)], [(true, true), (false, false), (true, true)]);
        // before and behind, through the wrap
        assert_eq!(
            [judged(4, 0), judged(4098, 0), judged(2, 1), judged(4099, 1)],
            [(false, false), (false, false), (true, false), (true, false)]
        );
        assert_eq!(Known::default().judge(&packet(200, 0)), Verdict::default());
    }

    #[test]
    fn a_chunk_that_is_newer_begins_anew() {
        let known = Known { valid: true, id: 8191, got: 0b101 };
        assert_eq!(known.after(&packet(8191, 1)), Some(Known { got: 0b111, ..known }));
        assert_eq!(known.after(&packet(0, 1)), Some(Known { valid: true, id: 0, got: 0b10 }));
        assert_eq!(known.after(&packet(8190, 1)), None);
        assert_eq!(known.after(&res(1, false)), Some(Known { valid: true, id: 1, got: 0 }));
        assert_eq!((known.after(&res(8191, false)), known.after(&res(8190, false))), (None, None));
    }

    #[test]
    fn copies_are_old_for_half_of_all_numbers() {
        for id in [0, 77, 255, 256, 4000, 8191] {
            let known = Known { valid: true, id, got: 0b1 };
            for back in [1, 127, 128, 129, 200, 255, 256, 257, 4095, 4096] {
                let old = packet((id + 8192 - back) % 8192, 0);
                let verdict = known.judge(&old);
                assert!(verdict.drop && !verdict.ack, "{id}: {back} chunks older");
                assert_eq!(known.after(&old), None);
                assert!(known.judge(&res(old.id, false)).drop);
            }
            for more in [1, 127, 128, 200, 256, 4095] {
                let new = packet((id + more) % 8192, 0);
                assert_eq!(known.judge(&new), Verdict::default(), "{id}: {more} chunks newer");
                assert_eq!(known.after(&new), Some(Known { id: new.id, ..known }));
            }
        }
    }

    #[test]
    fn who_asks_for_the_last_number_changes_nothing() {
        let known = Known { valid: true, id: 7, got: 1 };
        for id in [0, 7, 8, 200] {
            assert_eq!(known.after(&res(id, true)), None);
            assert_eq!(known.judge(&res(id, true)), Verdict { drop: false, ack: false, known: 7 });
        }
        assert_eq!(Known::default().judge(&res(1, true)).known, 1);
        assert!(known.judge(&res(6, false)).drop && !known.judge(&res(7, false)).drop);
    }
}
