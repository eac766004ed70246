//! Stage 3: lanes of outputs for headers (YW4, section 3).

use super::cover::Cover;
use super::state::{MOST, Sets, WormRouter};
use crate::model::worm::classes::{Class, Classes, Set, members};
use crate::scheme::any_up::drawn;

/// Who asks whom for a lane.
pub(super) struct Asking {
    /// For each output the lanes of which one of some input asks it.
    lanes: Sets,
    /// Lanes of each input that ask, by their FIFOs.
    inputs: Sets,
    /// For each output the inputs whose slot asks it for its reply lane, and those whose FIFO does.
    slots: Sets,
    fifos: Sets,
}

/// A lane that gets one of an output.
#[derive(Clone, Copy)]
pub(super) struct Grant {
    pub(super) input: usize,
    pub(super) lane: usize,
    pub(super) out: usize,
    pub(super) vl: usize,
    /// It is for the input's slot; slot and FIFO asked for it.
    pub(super) slot: bool,
    pub(super) both: bool,
    /// The lane was drawn.
    pub(super) drawn: bool,
}

/// Round robin from `pointer` over the members of a set.
pub(super) fn next_from(set: Set, pointer: usize) -> Option<usize> {
    let ahead = set & (!0 << pointer);
    members(if ahead == 0 { set } else { ahead }).next()
}

impl Asking {
    /// Lanes of which one of some input asks output `o`.
    pub(super) fn lanes(&self, o: usize) -> Set {
        self.lanes[o]
    }
}

impl WormRouter {
    /// Who asks, by S(t), of these inputs and these slots.
    pub(super) fn asking(&self, inputs: Set, slots: Set) -> Asking {
        let mut asking = Asking { lanes: [0; MOST], inputs: [0; MOST], slots: [0; MOST], fifos: [0; MOST] };
        let (control, reply) = (self.control_lane(), self.reply_lane());
        for i in members(inputs) {
            let lanes = &self.inputs[i].lanes;
            let asks = members(lanes.asking).filter(|&v| v != control || !self.is_undecided(i));
            for (v, o) in asks.filter_map(|v| Some((v, lanes[v].asks()?))) {
                asking.inputs[i] |= 1 << v;
                asking.lanes[o] |= 1 << v;
                asking.fifos[o] |= Set::from(v == reply) << i;
            }
        }
        for i in members(slots) {
            if let Some(o) = self.adm.ports[i].slot.asks() {
                asking.lanes[o] |= 1 << reply;
                asking.slots[o] |= 1 << i;
            }
        }
        asking
    }

    /// Of these lanes of input `i` those that ask output `o`, by their FIFOs.
    fn asks(&self, i: usize, o: usize, lanes: Set, asking: &Asking) -> Set {
        let to = |&v: &usize| self.inputs[i].lanes[v].asks() == Some(o);
        members(asking.inputs[i] & lanes).filter(to).fold(0, |set, v| set | 1 << v)
    }

    /// Every output grants a lane at most. Pointers and draws move.
    pub(super) fn allocate(&mut self, asking: &Asking) -> Vec<Grant> {
        let classes = self.classes();
        self.ports().filter_map(|o| self.grant(o, asking, classes)).collect()
    }

    fn grant(&mut self, o: usize, asking: &Asking, classes: Classes) -> Option<Grant> {
        let vls = self.p.vls;
        let asked = asking.lanes(o);
        if asked == 0 {
            return None;
        }
        let best_effort = classes.lanes(Class::BestEffort);
        let free = !self.outputs[o].owned & ((1 << vls) - 1);
        // Groups that can go: lanes that are not best-effort by their numbers, best-effort by V.
        let (wanted, shared) = (asked & !best_effort, asked & best_effort != 0);
        let mut groups = wanted & free;
        if shared && free & best_effort != 0 {
            groups |= 1 << vls;
        }
        self.hit_if(wanted & !free != 0, Cover::yw4_owned);
        self.hit_if(shared && free & best_effort == 0, Cover::yw4_all_owned);
        let pointer = self.outputs[o].pointers.group;
        let group = next_from(groups, pointer)?;
        self.outputs[o].pointers.group = (group + 1) % (vls + 1);
        self.hit_if(groups.count_ones() > 1, Cover::yw4_groups_compete);
        self.hit_if(group < pointer, Cover::yw4_group_wraps);
        let grant = if group < vls {
            self.grant_own(o, group, asking)?
        } else {
            self.grant_drawn(o, asking, best_effort, free & best_effort)?
        };
        self.hit_if(self.outputs[o].credits[grant.vl] == 0, Cover::yw4_no_credit);
        self.hit_if(self.past.freed[o] >> grant.vl & 1 != 0, Cover::yw4_freed_granted);
        Some(grant)
    }

    /// The output lane of the same number.
    fn grant_own(&mut self, o: usize, lane: usize, asking: &Asking) -> Option<Grant> {
        let reply = lane == self.reply_lane();
        let asks = |i: usize| Set::from(self.asks(i, o, 1 << lane, asking) != 0) << i;
        let slots = if reply { asking.slots[o] } else { 0 };
        let inputs = self.ports().fold(slots, |set, i| set | asks(i));
        let pointer = self.outputs[o].pointers.lane[lane];
        let input = next_from(inputs, pointer)?;
        self.outputs[o].pointers.lane[lane] = (input + 1) % self.p.ports;
        self.hit(Cover::yw4_own_lane);
        self.hit_if(inputs.count_ones() > 1, Cover::yw4_inputs_compete);
        self.hit_if(input < pointer, Cover::yw4_lane_wraps);
        let of = |set: &Sets| reply && set[o] >> input & 1 != 0;
        let (slot, fifo) = (of(&asking.slots), of(&asking.fifos));
        let both = slot && fifo;
        let slot = slot && (!both || self.slot_turn(input));
        Some(Grant { input, lane, out: o, vl: lane, slot, both, drawn: false })
    }

    /// A best-effort lane, drawn from the free ones.
    fn grant_drawn(&mut self, o: usize, asking: &Asking, best_effort: Set, free: Set) -> Option<Grant> {
        let (ports, vls) = (self.p.ports, self.p.vls);
        let n = ports * vls;
        let pointer = self.outputs[o].pointers.best_effort;
        let (from, ahead) = (pointer / vls, !0 << (pointer % vls));
        // The input of the pointer has a part before all others, and one behind them.
        let parts = std::iter::once((from, ahead));
        let parts = parts.chain((1..ports).map(|k| ((from + k) % ports, !0))).chain([(from, !ahead)]);
        let mut found = parts.filter_map(|(i, part)| {
            let lanes = self.asks(i, o, best_effort & part, asking);
            members(lanes).next().map(|v| i * vls + v)
        });
        let r = found.next()?;
        let vl = drawn(free, self.outputs[o].lfsr)?;
        self.outputs[o].pointers.best_effort = (r + 1) % n;
        self.step_lfsr(o);
        self.hit(Cover::yw4_drawn);
        let all = self.ports().map(|i| self.asks(i, o, best_effort, asking).count_ones());
        let all: u32 = if self.watched { all.sum() } else { 0 };
        self.hit_if(all > 1, Cover::yw4_shared_compete);
        self.hit_if(r < pointer, Cover::yw4_shared_wraps);
        self.hit_if(free.count_ones() == 1 && best_effort.count_ones() > 1, Cover::yw4_one_free);
        self.hit_if(free.count_ones() > 1 && vl != free.trailing_zeros() as usize, Cover::yw4_not_lowest);
        self.hit_if(vl != r % vls, Cover::yw4_other_lane);
        Some(Grant { input: r / vls, lane: r % vls, out: o, vl, slot: false, both: false, drawn: true })
    }

    /// From the next cycle on the lanes own what they got.
    pub(super) fn own(&mut self, grants: &[Grant], up: Set) {
        if self.watched {
            self.meet_grants(grants, up);
        }
        for g in grants {
            if g.both {
                self.turn_over(g.input, g.slot);
            }
            if g.slot {
                self.adm.ports[g.input].slot.own = true;
            } else {
                self.inputs[g.input].lanes.change(g.lane, |lane| lane.own = Some((g.out, g.vl)));
            }
            self.outputs[g.out].owned |= 1 << g.vl;
            self.hit_if(up >> g.out & 1 == 0, Cover::yw4_link_down);
        }
    }

    /// A lane is asked for in the cycle in which its owner's tail goes.
    pub(super) fn meet_freed(&mut self, asking: &Asking, freed: &Sets) {
        let best_effort = self.classes().lanes(Class::BestEffort);
        for o in self.ports() {
            let asked = asking.lanes(o);
            // (By S(t): what was freed since was owned.)
            let owned = self.outputs[o].owned | freed[o];
            let all = asked & best_effort != 0 && best_effort & !owned == 0;
            let wanted = asked & !best_effort | if all { best_effort } else { 0 };
            self.hit_if(freed[o] & wanted != 0, Cover::yw4_freed_asked);
        }
    }
}
