//! Stage 4: which flits go (YW5, YW6, sections 4 and 5).

use super::state::{GUARD_MOST, MOST, Sent, Sets, WormRouter};
use crate::model::worm::classes::{Class, Classes, Set, members};

/// A flit that an input would send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    lane: u8,
    out: u8,
    vl: u8,
    pub(super) class: Class,
    /// It is the input's slot that sends.
    pub(super) slot: bool,
}

impl Choice {
    /// That of a FIFO, which owns a lane of an output.
    pub(super) fn new(lane: usize, (out, vl): (usize, usize), class: Class) -> Choice {
        Choice { lane: lane as u8, out: out as u8, vl: vl as u8, class, slot: false }
    }

    /// That of a slot, which owns the reply lane of an output.
    pub(super) fn of_slot(reply: usize, out: usize) -> Choice {
        Choice { slot: true, ..Choice::new(reply, (out, reply), Class::Reply) }
    }

    pub(super) fn lane(self) -> usize {
        self.lane.into()
    }

    pub(super) fn out(self) -> usize {
        self.out.into()
    }

    pub(super) fn vl(self) -> usize {
        self.vl.into()
    }
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
    /// For each output the inputs whose pick is for it, and those whose nominee is.
    pub(super) picks: Sets,
    pub(super) nominees: Sets,
    /// Winner of each output's guard turn.
    pub(super) turns: [Option<usize>; MOST],
    /// What goes to each output.
    to: [Option<Go>; MOST],
    /// Inputs that picked again.
    pub(super) second: usize,
}

impl Crossing {
    /// Inputs that a guard turn of an output other than `o` calls.
    pub(super) fn called_elsewhere(&self, o: usize) -> Set {
        let others = self.turns.iter().enumerate().filter(|&(other, _)| other != o);
        others.filter_map(|(_, winner)| *winner).fold(0, |set, i| set | 1 << i)
    }

    /// What goes.
    pub(super) fn goes(&self) -> impl Iterator<Item = Go> {
        self.to.iter().flatten().copied()
    }

    /// What goes to an output.
    pub(super) fn to(&self, o: usize) -> Option<Go> {
        self.to[o]
    }
}

impl WormRouter {
    /// Who goes, by S(t). `bidding`: inputs that may have something to send.
    pub(super) fn crossbar(&self, bidding: Set, up: Set) -> Crossing {
        let classes = self.classes();
        let mut c = Crossing {
            bids: [Bid::default(); MOST],
            picks: [0; MOST],
            nominees: [0; MOST],
            turns: [None; MOST],
            to: [None; MOST],
            second: 0,
        };
        if bidding == 0 {
            return c;
        }
        let mut open = [0; MOST];
        for o in members(up) {
            open[o] = self.outputs[o].rich;
        }
        let (mut inputs, mut outputs) = (0, 0);
        for i in members(bidding) {
            c.bids[i] = self.bid(i, &open, classes);
            if let Some(pick) = c.bids[i].pick {
                c.picks[pick.out()] |= 1 << i;
                inputs |= 1 << i;
                outputs |= 1 << pick.out;
            }
            if let Some(nominee) = c.bids[i].nominee {
                c.nominees[nominee.out()] |= 1 << i;
                outputs |= 1 << nominee.out;
            }
        }
        for o in members(outputs) {
            c.turns[o] = self.guard_turn(o, &c);
        }
        for o in members(outputs) {
            c.to[o] = match c.turns[o] {
                Some(input) => c.bids[input].nominee.map(|what| Go { input, what, second: false }),
                None => self.winner(o, &c),
            };
        }
        self.look_again(&mut c, inputs, classes);
        c
    }

    /// Step 3: inputs and outputs that would be idle. `inputs`: those that have a pick.
    fn look_again(&self, c: &mut Crossing, mut inputs: Set, classes: Classes) {
        let mut outputs: Set = (1 << self.p.ports) - 1;
        for go in c.goes() {
            inputs &= !(1 << go.input);
            outputs &= !(1 << go.what.out);
        }
        if inputs == 0 {
            return;
        }
        let mut picks: [Option<Choice>; MOST] = [None; MOST];
        let mut wanted: Sets = [0; MOST];
        for i in members(inputs) {
            let of = &self.inputs[i].lanes;
            let to_idle = members(c.bids[i].can).filter(|&v| outputs >> of.way(v).0 & 1 != 0);
            let lanes = to_idle.fold(0, |set, v| set | 1 << v);
            let slot = c.bids[i].slot.filter(|s| outputs >> s.out & 1 != 0);
            if let Some(pick) = self.first_pick(i, lanes, slot, classes) {
                picks[i] = Some(pick);
                wanted[pick.out()] |= 1 << i;
                c.second += 1;
            }
        }
        if c.second > 0 {
            for o in members(outputs) {
                let go = self.first_class(o, wanted[o], |i| picks[i]);
                c.to[o] = go.map(|(input, what)| Go { input, what, second: true });
            }
        }
    }

    /// The lanes of input `i` that can send, where each output has these lanes with credits.
    fn can_send(&self, i: usize, open: &Sets) -> Set {
        let lanes = &self.inputs[i].lanes;
        let credit = |v: usize| {
            let (o, u) = lanes.way(v);
            open[o] >> u & 1
        };
        members(lanes.sending).fold(0, |set, v| set | credit(v) << v)
    }

    fn bid(&self, i: usize, open: &Sets, classes: Classes) -> Bid {
        let can = self.can_send(i, open);
        let slot = self.slot_choice(i, open);
        if can == 0 && slot.is_none() {
            return Bid::default();
        }
        let pick = self.first_pick(i, can, slot, classes);
        let nominee = match pick {
            Some(p) if p.class == Class::BestEffort => pick,
            _ => self.first_of(i, can, Class::BestEffort, classes),
        };
        let lhp = self.written.ports[i].lhp;
        let passed = lhp != 0 && self.inputs[i].guard >= lhp;
        let due = nominee.is_some() && passed && pick.is_none_or(|p| !p.class.is_exempt());
        Bid { can, slot, pick, nominee, due }
    }

    /// The first lane of a class in input `i`'s order.
    fn first_of(&self, i: usize, lanes: Set, class: Class, classes: Classes) -> Option<Choice> {
        let input = &self.inputs[i];
        let lane = input.order.first_of(lanes & classes.lanes(class))?;
        Some(Choice::new(lane, input.lanes.way(lane), class))
    }

    /// That of the first class that is there. A slot has the place of the reply lane, beside its FIFO.
    fn first_pick(&self, i: usize, lanes: Set, slot: Option<Choice>, classes: Classes) -> Option<Choice> {
        let fifo = lanes >> self.reply_lane() & 1 != 0;
        if slot.is_some() && (!fifo || self.slot_turn(i)) {
            return slot;
        }
        classes.first_of(lanes).and_then(|class| self.first_of(i, lanes, class, classes))
    }

    /// Of the choices of some inputs for output `o` the one whose lane is first in its order. (A lane has one owner.)
    fn first_in_order(
        &self,
        o: usize,
        inputs: Set,
        choice: impl Fn(usize) -> Option<Choice>,
    ) -> Option<(usize, Choice)> {
        let all = members(inputs).filter_map(|i| Some((i, choice(i)?)));
        all.min_by_key(|(_, choice)| self.outputs[o].order.place(choice.vl()))
    }

    /// The input that wins the guard turn of output `o`, if it has one.
    fn guard_turn(&self, o: usize, c: &Crossing) -> Option<usize> {
        let lhp = self.written.ports[o].lhp;
        if lhp == 0 || self.exempt(o, c) || self.real_time(o, c) && self.outputs[o].guard < lhp {
            return None;
        }
        self.first_in_order(o, c.nominees[o], |i| c.bids[i].stands()).map(|(i, _)| i)
    }

    /// Some pick for output `o` is of reply or control.
    pub(super) fn exempt(&self, o: usize, c: &Crossing) -> bool {
        members(c.picks[o]).filter_map(|i| c.bids[i].pick).any(|p| p.class.is_exempt())
    }

    /// Some pick for output `o` is real-time.
    pub(super) fn real_time(&self, o: usize, c: &Crossing) -> bool {
        members(c.picks[o]).filter_map(|i| c.bids[i].pick).any(|p| p.class == Class::RealTime)
    }

    /// Who goes to output `o` without a guard turn.
    fn winner(&self, o: usize, c: &Crossing) -> Option<Go> {
        let picks = c.picks[o] & !c.called_elsewhere(o);
        self.first_class(o, picks, |i| c.bids[i].pick).map(|(input, what)| Go { input, what, second: false })
    }

    /// Of choices for output `o` those of the first class that is there, and of them the first one in its order.
    fn first_class(
        &self,
        o: usize,
        inputs: Set,
        choice: impl Fn(usize) -> Option<Choice>,
    ) -> Option<(usize, Choice)> {
        let class = members(inputs).filter_map(|i| Some(choice(i)?.class)).min()?;
        self.first_in_order(o, inputs, |i| choice(i).filter(|c| c.class == class))
    }

    /// The flits that go leave their inputs. Lanes that one left, and output lanes that are free from the next cycle on.
    pub(super) fn send(&mut self, c: &Crossing, left: &mut Sets) -> Sets {
        let mut freed = [0; MOST];
        for Go { input: i, what, second } in c.goes() {
            let (lane, out, vl, slot) = (what.lane(), what.out(), what.vl(), what.slot);
            let reply = self.reply_lane();
            if lane == reply && !second && c.bids[i].both_reply(reply) {
                self.turn_over(i, slot);
            }
            let weights = (self.weight_in(i, lane), self.weight_out(out, vl));
            let adm = &mut self.adm.ports[i];
            let input = &mut self.inputs[i];
            let next = if slot { Some(adm.slot.next_flit()) } else { input.lanes[lane].next_flit() };
            let Some(flit) = next else { continue };
            adm.decided &= !(flit.first && lane == self.p.vls - 1);
            if slot {
                adm.slot.went();
            } else {
                let leaves = input.lanes.change(lane, |of| of.goes(flit.last));
                left[i] |= Set::from(leaves) << lane;
            }
            if flit.last {
                freed[out] |= 1 << vl;
            }
            input.order.went(lane, weights.0);
            let most = self.p.cnt_max();
            let output = &mut self.outputs[out];
            output.order.went(vl, weights.1);
            output.spend(vl);
            output.owned &= !freed[out];
            output.crossing = Some(Sent { lane: vl, flit, from: (i, lane) });
            output.flits = output.flits.saturating_add(1).min(most);
            output.messages = output.messages.saturating_add(u32::from(flit.last)).min(most);
        }
        freed
    }

    /// Section 5: real-time flits that best-effort let pass. Flits of the second look pass nobody of their input and need not be the nominee;
    /// at an output guard turns alone end the count.
    pub(super) fn count_guards(&mut self, c: &Crossing) {
        for go in c.goes() {
            let nominee = c.bids[go.input].nominee.is_some();
            let out = go.what.out();
            let places = [
                (&mut self.inputs[go.input].guard, nominee && !go.second, !go.second),
                (&mut self.outputs[out].guard, c.nominees[out] != 0, c.turns[out].is_some()),
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
    pub(super) fn discards(&self, inputs: Set) -> Sets {
        let mut discards = [0; MOST];
        for i in members(inputs) {
            discards[i] = self.inputs[i].lanes.discarding;
            if discards[i] >> self.control_lane() & 1 != 0 && self.holds_probe(i) {
                discards[i] &= !(1 << self.control_lane());
            }
        }
        discards
    }
}
