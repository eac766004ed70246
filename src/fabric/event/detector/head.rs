//! [`Detector::Head`](crate::scheme::Detector::Head): the one queue's fill, and how long its head has asked in vain (section 10
//! of the input port).

use crate::fabric::event::credit::NEVER;
use crate::fabric::event::lines::{InLines, Line, Move, State};
use crate::fabric::event::packet::NONE;
use crate::fabric::event::state::{Core, Grant};

impl Core {
    /// E1: congestion is detected; the head's flow gets a line and a queue.
    pub fn detect(
        &self,
        node: usize,
        iso: &mut InLines,
        input: usize,
        t: u64,
        grants: &[Grant],
        taken: bool,
    ) -> Option<(usize, Line)> {
        let i = &self.inputs[input];
        let head = i.queues[0].head;
        if taken || head == NONE || !i.regs.iso_en || self.popped(0, grants) || iso.head.wait < i.regs.hold {
            return None;
        }
        let p = &self.pool[head];
        let out = usize::from(self.nodes[node].lft[p.dst as usize + 1]);
        if !p.kind.is_isolated()
            || i.fill(i.latest, 0, t) <= i.regs.detect
            || iso.matching(out, 0, p.dlid()).is_some()
        {
            return None;
        }
        let (Some(line), Some(hpq)) = (iso.free_line(), iso.free_hpq()) else {
            if !iso.head.counted {
                iso.head.counted = true;
                iso.cnt_noline = (iso.cnt_noline + 1).min(0xffff);
            }
            return None;
        };
        let queue = self.nodes[node].shape.cold_queues() + hpq;
        Some((line, Line::found(State::Hot, out, 0, queue, i.regs.switch_id, vec![p.dlid()])))
    }

    /// Outputs to which a root line contributes, from S(t + 1) on.
    pub fn contribute_lines(&mut self, node: usize, iso: &mut InLines, now: u64, t: u64) {
        let mut differs = iso.head.contributes ^ now;
        iso.head.contributes = now;
        while differs != 0 {
            let o = differs.trailing_zeros() as usize;
            differs &= differs - 1;
            self.contribute(self.nodes[node].output + o, 0, now >> o & 1 != 0, t);
        }
    }

    /// Whether the NFQ's head is a published candidate in S(t), and when time alone may change that.
    pub fn head_published(&self, node: usize, input: usize, t: u64) -> (bool, u64) {
        let head = self.inputs[input].queues[0].head;
        if head == NONE {
            return (false, NEVER);
        }
        let out = usize::from(self.nodes[node].lft[self.pool[head].dst as usize + 1]);
        let (candidate, later) = self.published(node, input, self.nodes[node].output + out, 0, t);
        (candidate.is_some_and(|c| c.choice == 0), later)
    }

    /// How long the NFQ's head has asked in vain.
    pub fn count_wait(
        &self,
        iso: &mut InLines,
        input: usize,
        published: bool,
        grants: &[Grant],
        moved: Option<Move>,
    ) {
        if self.inputs[input].queues[0].head == NONE || moved.is_some() || self.popped(0, grants) {
            (iso.head.wait, iso.head.counted, iso.head.published) = (0, false, false);
        } else if published {
            iso.head.wait = (iso.head.wait + 1).min(0xffff);
        }
    }
}
