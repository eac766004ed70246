//! Which ports have something to do in a cycle, by S(t): all others are passed by.

use super::state::WormRouter;
use crate::model::worm::classes::Set;
use crate::model::worm::wires::RouterPins;

/// Ports, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Awake {
    /// Those whose links can be heard, and those whose can not.
    pub(super) up: Set,
    pub(super) down: Set,
    /// Those to which a flit comes, and credit pulses.
    pub(super) arriving: Set,
    pub(super) credited: Set,
    /// Inputs with flits in some lane.
    pub(super) full: Set,
    /// Inputs with a lane that asks for one of an output.
    pub(super) asking: Set,
    /// Inputs with a lane that owns one, and has something for it.
    pub(super) sending: Set,
    /// Inputs with a lane to discard from.
    pub(super) discarding: Set,
    /// Inputs to which the forwarding table answers.
    pub(super) looked: Set,
    /// Inputs that owe pulses, or have sent some.
    pub(super) pulsing: Set,
    /// Inputs whose slot holds a reply.
    pub(super) slots: Set,
    /// Outputs with a flit that crosses, or is on the link.
    pub(super) carrying: Set,
}

impl Awake {
    /// No port has anything to do, and all links are up.
    pub(super) fn none(&self) -> bool {
        *self == Awake { up: self.up, ..Awake::default() }
    }
}

impl WormRouter {
    /// Who has something to do.
    pub(super) fn awake(&self, pins: &RouterPins) -> Awake {
        let all = (1 << self.p.ports) - 1;
        let mut a = Awake { up: pins.up & all, down: !pins.up & all, ..Awake::default() };
        for p in self.ports() {
            let (link, input, output) = (&pins.links[p], &self.inputs[p], &self.outputs[p]);
            let lanes = &input.lanes;
            let note = |set: &mut Set, is: bool| *set |= Set::from(is) << p;
            note(&mut a.arriving, link.flit.is_some());
            note(&mut a.credited, link.credits != 0);
            note(&mut a.full, lanes.filled != 0);
            note(&mut a.asking, lanes.asking != 0);
            note(&mut a.sending, lanes.sending != 0);
            note(&mut a.discarding, lanes.discarding != 0);
            note(&mut a.looked, input.looked.is_some());
            note(&mut a.pulsing, lanes.owing | input.pulses != 0);
            note(&mut a.carrying, output.crossing.is_some() || output.sent.is_some());
            if self.p.admit {
                note(&mut a.slots, !self.adm.ports[p].slot.is_empty());
            }
        }
        a.arriving &= a.up;
        a.credited &= a.up;
        a
    }
}
