//! Section 13, the destination: the table of sources.

use crate::scheme::chunk::{ahead, psn};

/// What is known of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Something is.
    pub(super) valid: bool,
    /// Its last chunk.
    pub(super) id: u32,
    /// Packets of that which came.
    pub(super) got: u64,
    /// PSN behind that of the packet that was taken last.
    pub(super) next: Option<u32>,
}

/// What came to the adapter's pins in the cycle before.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// First flit of a packet, last one, or both; of a SPEC packet.
    Packet { look: bool, mark: bool, spec: bool },
    /// Last flit of a packet that is not told apart.
    Pass,
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
    pub(super) psn: u32,
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
    /// The judgement of an op; *inorder* or not.
    fn judge(&self, op: &Seen, inorder: bool) -> Verdict {
        let v = self.judge_copy(op);
        Verdict { drop: v.drop || inorder && self.is_early(op), ..v }
    }

    /// A SPEC packet is not the one behind the last that was taken.
    pub(super) fn is_early(&self, op: &Seen) -> bool {
        matches!(op.what, What::Packet { look: true, spec: true, .. }) && self.next != Some(op.psn)
    }

    /// What the table says of a packet or RES that may have come before.
    pub(super) fn judge_copy(&self, op: &Seen) -> Verdict {
        let rel = ahead(op.id, self.id);
        let old = self.valid && rel < 0;
        match op.what {
            What::Packet { look: true, .. } => {
                let ack = self.valid && rel == 0 && self.got & op.one != 0;
                Verdict { drop: old || ack, ack, known: 0 }
            }
            What::Packet { .. } | What::Pass => Verdict::default(),
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
        let next = Some(psn(op.psn, 1));
        let packet = |got| Some(Known { valid: true, id: op.id, got, next });
        match op.what {
            What::Packet { mark: true, .. } if new => packet(op.one),
            What::Packet { mark: true, .. } if rel == 0 => packet(self.got | op.one),
            What::Pass => Some(Known { next, ..*self }),
            What::Res { init: false } if new => Some(Known { valid: true, id: op.id, got: 0, ..*self }),
            What::Res { init: true } => Some(Known { next: None, ..*self }),
            _ => None,
        }
    }
}

impl Sources {
    pub(super) fn new(flows: usize) -> Sources {
        Sources { table: vec![Known::default(); flows], op: None, written: None }
    }

    pub(super) fn verdict(&self, inorder: bool) -> Verdict {
        self.op.as_ref().map_or(Verdict::default(), |op| self.table[op.flow].judge(op, inorder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(id: u32, seq: u32) -> Seen {
        let what = What::Packet { look: true, mark: true, spec: true };
        Seen { what, flow: 0, id, one: 1 << seq, psn: 100 + seq }
    }

    fn res(id: u32, init: bool) -> Seen {
        Seen { what: What::Res { init }, flow: 0, id, one: 1, psn: 0 }
    }

    #[test]
    fn a_copy_is_dropped_and_only_that_of_the_chunk_under_way_is_answered() {
        let known = Known { valid: true, id: 3, got: 0b101, next: None };
        let judged = |id, seq| {
            let v = known.judge(&packet(id, seq), false);
            (v.drop, v.ack)
        };
        assert_eq!([judged(3, 0), judged(3, 1), judged(3, 2)], [(true, true), (false, false), (true, true)]);
        // before and behind, through the wrap
        assert_eq!(
            [judged(4, 0), judged(4098, 0), judged(2, 1), judged(4099, 1)],
            [(false, false), (false, false), (true, false), (true, false)]
        );
        assert_eq!(Known::default().judge(&packet(200, 0), false), Verdict::default());
    }

    #[test]
    fn a_chunk_that_is_newer_begins_anew() {
        let known = Known { valid: true, id: 8191, got: 0b101, next: None };
        assert_eq!(known.after(&packet(8191, 1)), Some(Known { got: 0b111, next: Some(102), ..known }));
        assert_eq!(
            known.after(&packet(0, 1)),
            Some(Known { valid: true, id: 0, got: 0b10, next: Some(102) })
        );
        assert_eq!(known.after(&packet(8190, 1)), None);
        assert_eq!(known.after(&res(1, false)), Some(Known { valid: true, id: 1, got: 0, next: None }));
        assert_eq!((known.after(&res(8191, false)), known.after(&res(8190, false))), (None, None));
    }

    #[test]
    fn copies_are_old_for_half_of_all_numbers() {
        for id in [0, 77, 255, 256, 4000, 8191] {
            let known = Known { valid: true, id, got: 0b1, next: None };
            for back in [1, 127, 128, 129, 200, 255, 256, 257, 4095, 4096] {
                let old = packet((id + 8192 - back) % 8192, 0);
                let verdict = known.judge(&old, false);
                assert!(verdict.drop && !verdict.ack, "{id}: {back} chunks older");
                assert_eq!(known.after(&old), None);
                assert!(known.judge(&res(old.id, false), false).drop);
            }
            for more in [1, 127, 128, 200, 256, 4095] {
                let new = packet((id + more) % 8192, 0);
                assert_eq!(known.judge(&new, false), Verdict::default(), "{id}: {more} chunks newer");
                assert_eq!(known.after(&new), Some(Known { id: new.id, next: Some(101), ..known }));
            }
        }
    }

    #[test]
    fn who_asks_for_the_last_number_changes_nothing() {
        let known = Known { valid: true, id: 7, got: 1, next: None };
        for id in [0, 7, 8, 200] {
            assert_eq!(known.after(&res(id, true)), Some(known));
            assert_eq!(known.judge(&res(id, true), false), Verdict { drop: false, ack: false, known: 7 });
        }
        assert_eq!(Known::default().judge(&res(1, true), false).known, 1);
        assert!(known.judge(&res(6, false), false).drop && !known.judge(&res(7, false), false).drop);
    }

    /// (drop, ack) of packets of chunk 3 that come when `next` is to come, with *inorder*.
    fn in_order(next: Option<u32>, seq: u32) -> (bool, bool) {
        let known = Known { valid: true, id: 3, got: 0b101, next };
        let v = known.judge(&packet(3, seq), true);
        (v.drop, v.ack)
    }

    #[test]
    fn what_is_speculative_is_taken_at_its_time_only() {
        assert_eq!([in_order(Some(101), 1), in_order(Some(101), 3)], [(false, false), (true, false)]);
        assert_eq!([in_order(None, 1), in_order(Some(103), 1)], [(true, false); 2]);
        // What came is answered as ever.
        assert_eq!([in_order(None, 0), in_order(Some(100), 0)], [(true, true); 2]);
        // One that is granted, and goes again, is taken whatever its PSN.
        let known = Known { valid: true, id: 3, got: 0, next: Some(7) };
        for (look, spec, drop) in [(true, true, true), (true, false, false), (false, true, false)] {
            let op = Seen { what: What::Packet { look, mark: true, spec }, ..packet(3, 1) };
            assert_eq!(known.judge(&op, true), Verdict { drop, ack: false, known: 0 }, "{look} {spec}");
            assert_eq!(known.judge(&op, false), Verdict::default());
        }
    }

    #[test]
    fn what_was_taken_last_tells_what_is_next() {
        let known = Known { valid: true, id: 3, got: 0b1, next: Some(5) };
        assert_eq!(known.after(&packet(3, 1)).unwrap().next, Some(102));
        assert_eq!((known.after(&packet(2, 1)), known.after(&res(3, false))), (None, None));
        assert_eq!(known.after(&res(4, false)), Some(Known { id: 4, got: 0, ..known }));
        assert_eq!(known.after(&res(9, true)), Some(Known { next: None, ..known }));
        let pass = Seen { what: What::Pass, psn: 0xff_ffff, ..packet(9, 1) };
        assert_eq!(known.after(&pass), Some(Known { next: Some(0), ..known }));
        assert_eq!(Known::default().after(&pass), Some(Known { next: Some(0), ..Known::default() }));
        assert_eq!(known.judge(&pass, true), Verdict::default());
    }
}
