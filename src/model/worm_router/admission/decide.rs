//! Probes and releases, of which one is decided a cycle (YA2, YA5).

use super::super::allocation::next_from;
use super::super::state::{Sets, WormRouter};
use super::sums::Share;
use crate::model::worm::classes::{Class, Set, members};
use crate::model::worm::header::{Header, Kind};
use crate::model::worm::wires::Entry;

/// Most bandwidth that a link has.
const WHOLE: u32 = 4096;

/// Largest value of the counters.
const COUNT_MOST: u32 = 0xffff;

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Verdict {
    /// A probe fits; at its last hop there is an ACK.
    Books { answers: bool },
    /// One that does not.
    Refuses,
    /// A release; it may end here.
    Releases { ends: bool },
    /// A release that should have ended before: this router has refused, and booked nothing.
    Strays,
}

/// The decision of a cycle.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Decision {
    pub(in super::super) input: usize,
    pub(in super::super) header: Header,
    /// None: it has no route, and is a probe.
    pub(in super::super) route: Option<usize>,
    pub(in super::super) verdict: Verdict,
}

impl Decision {
    /// The message leaves here.
    pub(in super::super) fn consumes(&self) -> bool {
        match self.verdict {
            Verdict::Books { answers } => answers,
            Verdict::Refuses | Verdict::Strays => true,
            Verdict::Releases { ends } => ends,
        }
    }
}

impl WormRouter {
    /// The number of the control lane.
    pub(in super::super) fn control_lane(&self) -> usize {
        self.p.vls - 1
    }

    pub(in super::super) fn reply_lane(&self) -> usize {
        self.p.vls - 2
    }

    /// Admission is built and on.
    pub(in super::super) fn admits(&self) -> bool {
        self.p.admit && self.written.admit_en
    }

    /// The header in front of the control lane of input `i`.
    pub(super) fn front_header(&self, i: usize) -> Option<Header> {
        let front = self.inputs[i].lanes[self.control_lane()].fifo.front()?;
        front.first.then_some(Header(front.data))
    }

    /// A probe that waits to be decided, with a route or without.
    pub(in super::super) fn holds_probe(&self, i: usize) -> bool {
        self.admits() && self.front_header(i).is_some_and(|h| h.kind() == Kind::Probe)
    }

    /// The control lane of input `i` may not ask yet.
    pub(in super::super) fn is_undecided(&self, i: usize) -> bool {
        self.admits() && !self.adm.ports[i].decided && self.front_header(i).is_some_and(|h| h.is_decided())
    }

    /// The admission message of input `i`, and its route.
    pub(super) fn candidate(&self, i: usize) -> Option<(Header, Option<usize>)> {
        let (lanes, control) = (&self.inputs[i].lanes, self.control_lane());
        let lane = &lanes[control];
        if lanes.filled >> control & 1 == 0 || lane.own.is_some() || self.adm.ports[i].decided {
            return None;
        }
        let route = lane.front_route()?;
        let header = self.front_header(i)?;
        let may = match header.kind() {
            Kind::Probe => self.adm.ports[i].slot.is_empty(),
            Kind::Release => route.is_some(),
            _ => false,
        };
        may.then_some((header, route))
    }

    /// What output `o` may have booked.
    pub(super) fn limit(&self, o: usize) -> u32 {
        self.written.ports[o].limit.min(WHOLE)
    }

    /// The stream of a header has a real-time lane: only there its last message gives its bandwidth back.
    pub(super) fn is_stream_lane(&self, header: &Header) -> bool {
        header.lane() < self.p.vls && self.classes().of(header.lane()) == Class::RealTime
    }

    /// The probe fits, by S(t).
    pub(super) fn fits(&self, header: &Header, route: Option<usize>, up: Set) -> Option<usize> {
        let room = |o: &usize| self.adm.sums.used[*o] + header.bw() <= self.limit(*o);
        let real_time = self.is_stream_lane(header);
        route.filter(|o| real_time && up >> o & 1 != 0).filter(room)
    }

    /// The decision of this cycle, by S(t), of those that come in by these inputs. The pointer moves.
    pub(in super::super) fn decide(&mut self, inputs: Set, up: Set) -> Option<Decision> {
        if !self.admits() {
            return None;
        }
        let candidates = members(inputs).filter(|&i| self.candidate(i).is_some());
        let candidates = candidates.fold(0, |set: Set, i| set | 1 << i);
        if self.watched {
            self.meet_candidates(candidates, up);
        }
        let input = next_from(candidates, self.adm.pointer)?;
        let (header, route) = self.candidate(input)?;
        let verdict = self.verdict(&header, route, up);
        let decision = Decision { input, header, route, verdict };
        if self.watched {
            self.meet_decision(&decision, up);
        }
        self.adm.pointer = (input + 1) % self.p.ports;
        Some(decision)
    }

    fn verdict(&self, header: &Header, route: Option<usize>, up: Set) -> Verdict {
        if header.kind() == Kind::Probe {
            return match self.fits(header, route, up) {
                Some(o) => Verdict::Books { answers: self.written.ports[o].host },
                None => Verdict::Refuses,
            };
        }
        if header.node() == self.written.node_id {
            return Verdict::Strays;
        }
        let next = route.map(|o| &self.written.ports[o]);
        Verdict::Releases { ends: next.is_some_and(|n| n.host || n.node == header.node()) }
    }

    /// The sums that a probe or release is about.
    pub(super) fn share(&self, d: &Decision) -> Option<Share> {
        let lane = Some(d.header.lane()).filter(|&v| v < self.p.vls);
        let (input, bw) = (d.input, d.header.bw());
        d.route.map(|out| Share { out, out_lane: lane, input, in_lane: lane, bw })
    }

    /// What is decided happens: the message goes on, or leaves its lane, and its input answers. (Sums are written elsewhere.)
    pub(in super::super) fn carry_out(
        &mut self,
        decision: Option<Decision>,
        written: Option<Entry>,
        left: &mut Sets,
    ) {
        let Some(d) = decision else { return };
        let ack = match d.verdict {
            Verdict::Books { answers: true } => Some(true),
            Verdict::Refuses => Some(false),
            _ => None,
        };
        if let Some(ack) = ack {
            let reply = d.header.reply(ack, self.written.node_id);
            let route = self.route_of(reply.dlid());
            self.adm.ports[d.input].slot.fill(reply, route);
            self.meet_look_up(d.input, reply.dlid(), written);
        }
        let lane = self.control_lane();
        let port = &mut self.adm.ports[d.input];
        let count = match d.verdict {
            Verdict::Books { .. } => Some(&mut port.booked),
            Verdict::Refuses => Some(&mut port.refused),
            Verdict::Releases { .. } | Verdict::Strays => None,
        };
        if let Some(count) = count {
            *count = (*count + 1).min(COUNT_MOST);
        }
        if !d.consumes() {
            port.decided = true;
            return;
        }
        port.eats = self.inputs[d.input].lanes.change(lane, |of| {
            of.drain = of.leave().is_some_and(|flit| !flit.last);
            of.drain
        });
        left[d.input] |= 1 << lane;
    }
}
