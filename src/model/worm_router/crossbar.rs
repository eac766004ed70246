//! Stage 4: which flits go (YW5, YW6, sections 4 and 5).

use super::state::{GUARD_MOST, MOST, Sent, Sets, WormRouter};
use crate::model::worm::classes::{Class, Classes, Set, members};

/// A flit that an input would send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) lane: usize,
    pub(super) out: usize,
    pub(super) vl: usize,
    pub(super) class: Class,
    /// It is the input's slot that sends.
    pub(super) slot: bool,
}

/// What an input would send in a cycle.
#[derive(Clone, Copy, Default)]
pub(super) struct Bid {
    /// Lanes that can send, by their FIFOs.
    pub(super) can: Set,
    /// What its slot can send.
    pub(super) slot: Option<Choice>,
    pub(super) pick: Option<Choice>,
    pub(super) nominee: Option<Choice>,
    /// The nominee is due: the input's own real-time flits have passed it often enough.
    pub(super) due: bool,
}

impl Bid {
    /// Slot and FIFO of the reply lane can both send.
    pub(super) fn both_reply(&self, reply: usize) -> bool {
        self.slot.is_some() && self.can >> reply & 1 != 0
    }

    /// The nominee, if it stands for a guard turn.
    pub(super) fn stands(&self) -> Option<Choice> {
        self.nominee.filter(|_| self.due || self.nominee == self.pick)
    }
}

/// A flit that goes.
#[derive(Clone, Copy)]
pub(super) struct Go {
    pub(super) input: usize,
    pub(super) what: Choice,
    /// By the second look.
    pub(super) second: bool,
}

/// What the crossbar does in a cycle.
pub(super) struct Crossing {
    pub(super) bids: [Bid; MOST],
    /// Winner of each output's guard turn.
    pub(super) turns: [Option<usize>; MOST],
    pub(super) goes: Vec<Go>,
    /// Inputs that picked again.
    pub(super) second: usize,
}

impl Crossing {
    /// Inputs that a guard turn of an output other than `o` calls.
    pub(super) fn called_elsewhere(&self, o: usize) -> Set {
        let others = self.turns.iter().enumerate().filter(|&(other, _)| other != o);
        others.filter_map(|(_, winner)| *winner).fold(0, |set, i| set | 1 << i)
    }
}

impl WormRouter {
    /// Who goes, by S(t).
    pub(super) fn crossbar(&self, up: Set) -> Crossing {
        let classes = self.classes();
        let mut c =
            Crossing { bids: [Bid::default(); MOST], turns: [None; MOST], goes: Vec::new(), second: 0 };
        for i in self.ports() {
            c.bids[i] = self.bid(i, up, classes);
        }
        if c.bids.iter().all(|b| b.pick.is_none()) {
            return c;
        }
        for o in self.ports() {
            c.turns[o] = self.guard_turn(o, &c.bids);
        }
        for o in self.ports() {
            let go = match c.turns[o] {
                Some(input) => c.bids[input].nominee.map(|what| Go { input, what, second: false }),
                None => self.winner(o, &c, classes),
            };
            c.goes.extend(go);
        }
        self.look_again(&mut c, classes);
        c
    }

    /// Step 3: inputs and outputs that would be idle.
    fn look_again(&self, c: &mut Crossing, classes: Classes) {
        let ports = (1u32 << self.p.ports) - 1;
        let busy = |of: fn(&Go) -> usize| c.goes.iter().fold(0, |set: Set, go| set | 1 << of(go));
        let (inputs, outputs) = (ports & !busy(|go| go.input), ports & !busy(|go| go.what.out));
        let mut picks: Vec<(usize, Choice)> = Vec::new();
        for i in members(inputs) {
            let to_idle = members(c.bids[i].can).filter(|&v| self.leads(i, v) & outputs != 0);
            let lanes = to_idle.fold(0, |set, v| set | 1 << v);
            let slot = c.bids[i].slot.filter(|s| outputs >> s.out & 1 != 0);
            picks.extend(self.first_pick(i, lanes, slot, classes).map(|pick| (i, pick)));
        }
        for o in members(outputs) {
            let for_output = picks.iter().copied().filter(|(_, p)| p.out == o);
            let go = self.first_class(o, for_output, classes);
            c.goes.extend(go.map(|(input, what)| Go { input, what, second: true }));
        }
        c.second = picks.len();
    }

    /// The output that a lane owns a lane of, as a set.
    fn leads(&self, i: usize, v: usize) -> Set {
        self.inputs[i].lanes[v].own.map_or(0, |(o, _)| 1 << o)
    }

    /// The lanes of input `i` that can send.
    fn can_send(&self, i: usize, up: Set) -> Set {
        let lanes = self.inputs[i].lanes.iter().enumerate();
        let can = lanes.filter(|(_, lane)| {
            let way = lane.own.filter(|&(o, u)| up >> o & 1 != 0 && self.outputs[o].credits[u] > 0);
            way.is_some() && lane.has_flit()
        });
        can.fold(0, |set, (v, _)| set | 1 << v)
    }

    fn bid(&self, i: usize, up: Set, classes: Classes) -> Bid {
        let can = self.can_send(i, up);
        let slot = self.slot_choice(i, up);
        let pick = self.first_pick(i, can, slot, classes);
        let nominee = self.first_of(i, can, Class::BestEffort, classes);
        let lhp = self.written.ports[i].lhp;
        let passed = lhp != 0 && self.inputs[i].guard >= lhp;
        let due = nominee.is_some() && passed && pick.is_none_or(|p| !p.class.is_exempt());
        Bid { can, slot, pick, nominee, due }
    }

    /// The first lane of a class in input `i`'s order.
    fn first_of(&self, i: usize, lanes: Set, class: Class, classes: Classes) -> Option<Choice> {
        let lane = self.inputs[i].order.first_of(lanes & classes.lanes(class))?;
        let (out, vl) = self.inputs[i].lanes[lane].own?;
        Some(Choice { lane, out, vl, class, slot: false })
    }

    /// That of the first class that is there. A slot has the place of the reply lane, beside its FIFO.
    fn first_pick(&self, i: usize, lanes: Set, slot: Option<Choice>, classes: Classes) -> Option<Choice> {
        let fifo = lanes >> self.reply_lane() & 1 != 0;
        if slot.is_some() && (!fifo || self.slot_turn(i)) {
            return slot;
        }
        classes.first_of(lanes).and_then(|class| self.first_of(i, lanes, class, classes))
    }

    /// Of choices for output `o` the one whose lane is first in its order.
    fn first_in_order(
        &self,
        o: usize,
        all: impl Iterator<Item = (usize, Choice)>,
    ) -> Option<(usize, Choice)> {
        let mut by_lane: [Option<(usize, Choice)>; MOST] = [None; MOST];
        let mut set = 0;
        for (i, choice) in all {
            by_lane[choice.vl] = Some((i, choice));
            set |= 1 << choice.vl;
        }
        by_lane[self.outputs[o].order.first_of(set)?]
    }

    /// The input that wins the guard turn of output `o`, if it has one.
    fn guard_turn(&self, o: usize, bids: &[Bid; MOST]) -> Option<usize> {
        let lhp = self.written.ports[o].lhp;
        if lhp == 0 || self.exempt(o, bids) || self.real_time(o, bids) && self.outputs[o].guard < lhp {
            return None;
        }
        self.standing(o, bids)
    }

    /// Of the nominees that stand for output `o` the first one's input.
    pub(super) fn standing(&self, o: usize, bids: &[Bid; MOST]) -> Option<usize> {
        let all = bids.iter().enumerate().filter_map(|(i, b)| Some((i, b.stands()?)));
        self.first_in_order(o, all.filter(|(_, n)| n.out == o)).map(|(i, _)| i)
    }

    /// Some pick for output `o` is of reply or control.
    pub(super) fn exempt(&self, o: usize, bids: &[Bid; MOST]) -> bool {
        bids.iter().filter_map(|b| b.pick).any(|p| p.out == o && p.class.is_exempt())
    }

    /// Some pick for output `o` is real-time.
    pub(super) fn real_time(&self, o: usize, bids: &[Bid; MOST]) -> bool {
        bids.iter().filter_map(|b| b.pick).any(|p| p.out == o && p.class == Class::RealTime)
    }

    /// Who goes to output `o` without a guard turn.
    fn winner(&self, o: usize, c: &Crossing, classes: Classes) -> Option<Go> {
        let called = c.called_elsewhere(o);
        let picks = c.bids.iter().enumerate().filter(|(i, _)| called >> i & 1 == 0);
        let picks = picks.filter_map(|(i, b)| Some((i, b.pick.filter(|p| p.out == o)?)));
        self.first_class(o, picks, classes).map(|(input, what)| Go { input, what, second: false })
    }

    /// Of choices for output `o` those of the first class that is there, and of them the first one in its order.
    fn first_class(
        &self,
        o: usize,
        picks: impl Iterator<Item = (usize, Choice)>,
        classes: Classes,
    ) -> Option<(usize, Choice)> {
        let picks: Vec<(usize, Choice)> = picks.collect();
        let class = classes.first_of(picks.iter().fold(0, |set, (_, p)| set | 1 << p.lane))?;
        self.first_in_order(o, picks.into_iter().filter(|(_, p)| p.class == class))
    }

    /// The flits that go leave their inputs. Lanes that one left, and output lanes that are free from the next cycle on.
    pub(super) fn send(&mut self, c: &Crossing, left: &mut Sets) -> Sets {
        let mut freed = [0; MOST];
        for go in &c.goes {
            let Choice { lane, out, vl, slot, .. } = go.what;
            let reply = self.reply_lane();
            if lane == reply && !go.second && c.bids[go.input].both_reply(reply) {
                self.turn_over(go.input, slot);
            }
            let weights = (self.weight_in(go.input, lane), self.weight_out(out, vl));
            let adm = &mut self.adm.ports[go.input];
            let lanes = &self.inputs[go.input].lanes;
            let flit = if slot { Some(adm.slot.next_flit()) } else { lanes[lane].next_flit() };
            let Some(flit) = flit else { continue };
            adm.decided &= !(flit.first && lane == self.p.vls - 1);
            let input = &mut self.inputs[go.input];
            let of = &mut input.lanes[lane];
            if slot {
                adm.slot.went();
            } else if of.cut {
                of.cut = false;
            } else {
                of.leave();
                left[go.input] |= 1 << lane;
            }
            if flit.last {
                of.own = of.own.filter(|_| slot);
                freed[out] |= 1 << vl;
            }
            input.order.went(lane, weights.0);
            let most = self.p.cnt_max();
            let output = &mut self.outputs[out];
            output.order.went(vl, weights.1);
            output.credits[vl] -= 1;
            output.owned &= !freed[out];
            output.crossing = Some(Sent { lane: vl, flit, from: (go.input, lane) });
            output.flits = output.flits.saturating_add(1).min(most);
            output.messages = output.messages.saturating_add(u32::from(flit.last)).min(most);
        }
        freed
    }

    /// Section 5: real-time flits that best-effort let pass. Flits of the second look pass nobody of their input and need not be the nominee;
    /// at an output guard turns alone end the count.
    pub(super) fn count_guards(&mut self, c: &Crossing) {
        let waits = c.bids.iter().filter_map(|b| b.nominee).fold(0, |set: Set, n| set | 1 << n.out);
        for go in &c.goes {
            let nominee = c.bids[go.input].nominee.is_some();
            let out = go.what.out;
            let places = [
                (&mut self.inputs[go.input].guard, nominee && !go.second, !go.second),
                (&mut self.outputs[out].guard, waits >> out & 1 != 0, c.turns[out].is_some()),
            ];
            for (guard, passed, ends) in places {
                match go.what.class {
                    Class::BestEffort if ends => *guard = 0,
                    Class::RealTime if passed => *guard = (*guard + 1).min(GUARD_MOST),
                    _ => {}
                }
            }
        }
    }

    /// Lanes of each input that a flit leaves because its message has no route (section 2), by S(t).
    pub(super) fn discards(&self, up: Set) -> Sets {
        let mut discards = [0; MOST];
        for i in members(up) {
            let lanes = self.inputs[i].lanes.iter().enumerate().filter(|(_, lane)| lane.discards());
            discards[i] = lanes.fold(0, |set, (v, _)| set | 1 << v);
            if self.holds_probe(i) {
                discards[i] &= !(1 << self.control_lane());
            }
        }
        discards
    }
}
