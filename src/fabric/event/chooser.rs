//! What says when a flow may inject: the throttle, or the source response in its place.

use super::packet::Lti;
use super::update::{Entity, Update};
use super::windows::{Windows, Word};
use crate::fabric::setup::Write;
use crate::fabric::windowed::{Throttled, Windowed};
use crate::model::header::Marks;
use crate::params::Params;
use crate::scheme::response::delay;

/// Throttle or source response.
pub(super) enum Chooser {
    Throttle(Box<Update>),
    Response(Box<Windows>),
}

/// What a visit has read: in V1 of the entity, in V2 the delay's table entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    Entity(Entity, u32),
    Word(Word),
}

impl Chooser {
    /// After the configuration phase: `setup` is (sweep, start) in cycles after reset.
    pub fn new(p: &Params, writes: &[Write], setup: (u64, u64)) -> Chooser {
        if p.response {
            Chooser::Response(Box::new(Windows::new(p, writes, setup.1)))
        } else {
            Chooser::Throttle(Box::new(Update::new(p, writes, setup)))
        }
    }

    /// SL of each flow.
    pub fn sls(&self) -> &[u8] {
        match self {
            Chooser::Throttle(u) => u.sls(),
            Chooser::Response(w) => w.sls(),
        }
    }

    /// It holds packets back.
    #[inline]
    pub fn enabled(&self) -> bool {
        match self {
            Chooser::Throttle(u) => u.regs.enable,
            Chooser::Response(w) => w.enabled(),
        }
    }

    /// Its entities are SLs, not flows.
    #[inline]
    pub fn by_sl(&self) -> bool {
        match self {
            Chooser::Throttle(u) => u.regs.sl_mode,
            Chooser::Response(_) => false,
        }
    }

    /// Entities that flows can have.
    pub fn range(&self) -> usize {
        match self {
            Chooser::Throttle(u) => u.range(),
            Chooser::Response(w) => w.sls().len(),
        }
    }

    pub fn link_interval(&self) -> u32 {
        match self {
            Chooser::Throttle(u) => u.regs.link_interval,
            Chooser::Response(w) => w.link_interval(),
        }
    }

    /// Entities that are held back more than they would be without congestion.
    pub fn throttled(&self) -> usize {
        match self {
            Chooser::Throttle(u) => u.throttles().flows as usize,
            Chooser::Response(w) => w.throttled(),
        }
    }

    /// What the throttle holds back; windows have no index.
    pub fn throttles(&self) -> Option<Throttled> {
        match self {
            Chooser::Throttle(u) => Some(u.throttles()),
            Chooser::Response(_) => None,
        }
    }

    /// What windows hold back; the throttle has none.
    pub fn held(&self) -> Windowed {
        match self {
            Chooser::Throttle(_) => Windowed::default(),
            Chooser::Response(w) => w.held_back(),
        }
    }

    /// Flows with packets outstanding; the throttle knows of none.
    pub fn out(&self) -> impl Iterator<Item = usize> {
        match self {
            Chooser::Throttle(_) => None,
            Chooser::Response(w) => Some(w.out()),
        }
        .into_iter()
        .flatten()
    }

    /// V1.
    pub fn read(&self, entity: usize) -> Read {
        match self {
            Chooser::Throttle(u) => Read::Entity(u.entity(entity), 0),
            Chooser::Response(w) => Read::Word(w.word(entity)),
        }
    }

    /// V2.
    pub fn look_up(&self, read: Read) -> Read {
        match (self, read) {
            (Chooser::Throttle(u), Read::Entity(e, _)) => Read::Entity(e, u.entry(&e)),
            _ => read,
        }
    }

    /// From which cycle on an entity passes a pick, and a walk, as far as is known; `ird_max`: no delay is longer.
    pub fn passes(&self, entity: usize, read: &Read, lti: Option<Lti>, ird_max: u32) -> (u64, u64) {
        let (regs, entry) = match (self, read) {
            (Chooser::Throttle(u), Read::Entity(_, entry)) => (&u.regs, *entry),
            (Chooser::Response(w), Read::Word(word)) => return w.passes(entity, word, lti),
            _ => unreachable!("a visit has read what its chooser has"),
        };
        let Some(lti) = lti.filter(|_| regs.enable) else { return (0, 0) };
        let time = lti.len * regs.link_interval;
        let ird = u64::from(delay(entry, time, regs.cct_abs).min(ird_max));
        if ird == 0 {
            return (0, 0);
        }
        (lti.at + ird + 1, (lti.at + ird).saturating_sub(3).max(lti.sent + 1))
    }

    /// A reply with these marks says something to it.
    pub fn heeds(&self, marks: Marks, ack: bool) -> bool {
        match self {
            Chooser::Throttle(_) => marks.has(Marks::BECN),
            Chooser::Response(_) => ack,
        }
    }

    /// A notification for a flow at the pins in the cycle of the next step: {BECN, MB, VB} of an ACK, or those of a CNP.
    pub fn notify(&mut self, flow: usize, bits: u32) {
        match self {
            Chooser::Throttle(u) => u.becn(flow),
            Chooser::Response(w) => w.acknowledge(flow, bits),
        }
    }

    /// The host posts a packet into the flow's queue, which is empty. Whether it matters in this cycle.
    pub fn post(&mut self, flow: usize) -> bool {
        match self {
            Chooser::Throttle(_) => false,
            Chooser::Response(w) => w.post(flow),
        }
    }

    /// A packet of the flow is accepted.
    pub fn accept(&mut self, flow: usize, lti: u64) {
        if let Chooser::Response(w) = self {
            w.accept(flow, lti);
        }
    }

    /// Cycles from `from` on in which nothing happens but what time does; a packet's last flit is sent in cycle `sent`.
    pub fn skip(&mut self, from: u64, gap: u64, sent: Option<u64>) {
        match self {
            Chooser::Throttle(u) => u.skip(gap),
            Chooser::Response(w) => w.skip(from, gap, sent),
        }
    }

    /// What follows from the state of cycle `t` alone; `sending`: the flow whose packet is being sent.
    pub fn judge(&mut self, t: u64, sending: Option<usize>) {
        if let Chooser::Response(w) = self {
            w.judge(t, sending);
        }
    }

    /// The end of cycle `t`; `sent`: the flow whose packet's last flit is sent in it.
    pub fn step(&mut self, t: u64, sent: Option<usize>) {
        match self {
            Chooser::Throttle(u) => u.step(t, false),
            Chooser::Response(w) => w.step(t, sent),
        }
    }

    /// The next cycle, from `now` on, in which an entity or a timer may change.
    pub fn next(&self, now: u64) -> u64 {
        match self {
            Chooser::Throttle(u) => u.next(now),
            Chooser::Response(w) => w.next(now),
        }
    }
}
