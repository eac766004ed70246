//! The end of a link that sends, as its registers and its neighbour have it: credits, stops, marks, and when the link fell. A switch has
//! one at each output, an adapter has one.

use crate::cosim::events::control::Control;
use crate::cosim::events::downstream::Downstream;
use crate::cosim::events::marks::{Marking, Wrong};
use crate::cosim::events::packets::Class;
use crate::cosim::events::register::{Register, Told};
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::settings::Settings;
use crate::cosim::events::stops::{Stops, longest_life};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// Registers of an output port that matter here, in the order of [`Sender::writes`].
const REGISTERS: [&str; 8] = [
    "CTRL",
    "MARKING_RATE",
    "MARK_FRACTION",
    "PACKET_SIZE",
    "FC_INTERVAL",
    "TX_INTERVAL",
    "LINE_TIMER",
    "LFSR_SEED",
];

/// The sending end of a link.
pub(super) struct Sender {
    /// Said before what is told of it.
    name: String,
    registers: [u32; 8],
    isolation: bool,
    longest: u32,
    grant: u64,
    stop: u64,
    more: u64,
    pub down: Downstream,
    pub stops: Stops,
    marking: Marking,
    /// Times that the link fell, and the last cycle in which it was down.
    pub falls: u64,
    fell: u64,
    /// What was judged: flow control messages, stops that were not obeyed within the tolerance, marks.
    pub sent: u64,
    pub stopped: u64,
    pub marks: u64,
    /// Packets have ages.
    ages: bool,
    /// CTRL, and VB_TH and its number.
    ctrl: Register,
    limit: Register,
    limit_at: u32,
}

/// VB_TH after reset.
pub(super) fn saturated_above(p: &Params) -> u32 {
    33 * (if p.cioq { p.ocap() } else { p.cap(0) }) as u32 / 100
}

impl Sender {
    /// That of port `o`.
    pub fn new(name: String, o: usize, p: &Params, settings: &Settings) -> Sender {
        let get = |name| settings.get(name);
        let longest = longest_life(p);
        let lines = if p.isolation { p.lines } else { 0 };
        Sender {
            name,
            registers: REGISTERS.map(|name| addr(UnitKind::OutputPort, name).into()),
            isolation: p.isolation,
            longest,
            grant: get("grant"),
            stop: get("stop"),
            more: get("marks"),
            down: Downstream::new(o, p.vls, p.mtu, (get("grant"), get("message"))),
            stops: Stops::new(p.vls, lines, longest.into()),
            marking: Marking::new(),
            falls: 0,
            fell: 0,
            sent: 0,
            stopped: 0,
            marks: 0,
            ctrl: Register::new(0),
            ages: p.stamp_w > 0,
            limit: Register::new(saturated_above(p)),
            limit_at: addr(UnitKind::OutputPort, "VB_TH").into(),
        }
    }

    /// The unit was not ready until now.
    pub fn not_ready(&mut self, now: u64) {
        self.down.link(true, 0);
        self.down.not_ready(now);
    }

    /// A register of the output port is written.
    pub fn writes(&mut self, number: u32, data: u32, now: u64) {
        if number == self.limit_at {
            self.limit.write(data & 0xffff, now);
        }
        let Some(register) = self.registers.iter().position(|a| *a == number) else { return };
        match register {
            0 => {
                self.ctrl.write(data & 0x3fff, now);
                self.marking.ctrl(data, now);
                self.stops.isolate(data >> 1 & 1 == 1 && self.isolation, now, self.grant);
            }
            1 => self.marking.rate(data, now),
            2 => self.marking.fraction(data, now),
            3 => self.marking.size(data, now),
            4 => self.down.every(data, now),
            5 => self.down.paced(data, now, now + self.grant),
            6 => self.stops.live(data.clamp(1, self.longest).into(), now, self.grant),
            _ => self.marking.seed(now),
        }
    }

    /// What it says of flits sent, on a link that is up.
    pub fn tells(&mut self, fctbs: Option<(usize, u16)>, now: u64) -> Result<(), Broken> {
        self.down.link(true, now);
        self.down.message(fctbs, now)?;
        self.sent += u64::from(fctbs.is_some());
        Ok(())
    }

    /// What the neighbour says, on a link that is up or not; `true` if it fell.
    pub fn hears(&mut self, link_up: bool, control: &Control, now: u64) -> bool {
        if link_up {
            self.down.link(true, now);
            self.down.limit(control.fccl, now);
            if let Some(m) = &control.message {
                self.stops.message(m, now, self.grant);
            }
            return false;
        }
        self.stops.fell(now);
        self.fell = now;
        let fell = self.down.link(false, now);
        self.falls += u64::from(fell);
        fell
    }

    /// What comes now may have been inside when the link fell.
    pub fn has_just_fallen(&self, now: u64) -> bool {
        self.falls > 0 && now - self.fell <= self.grant
    }

    /// Whether something is so of CTRL since a cycle, and what a write is seen late.
    pub fn told(&self, since: u64, is: impl Fn(u32) -> bool) -> Told {
        self.ctrl.told(since.saturating_sub(self.grant), is)
    }

    /// The oldest go first, since a cycle (AG1).
    pub fn by_age(&self, since: u64) -> Told {
        if self.ages { self.told(since, |c| c >> 9 & 1 == 1) } else { Told::sure(false) }
    }

    /// Packets are marked by their count, since a cycle (SM5).
    pub fn counts(&self, since: u64) -> Told {
        self.told(since, |c| c >> 11 & 1 == 1)
    }

    /// Packets with MB get VB, since a cycle, and the least number of flits above which they do (VM2).
    pub fn validates(&self, since: u64) -> (Told, u32) {
        let (least, _) = self.limit.range(since.saturating_sub(self.grant));
        (self.told(since, |c| c >> 12 & 1 == 1), least)
    }

    /// A packet of `n` flits leaves, which may be marked, and is or is not.
    pub fn marks(
        &mut self,
        (vl, n): (usize, usize),
        (may, marked): (bool, bool),
        now: u64,
        told: &dyn Fn() -> String,
    ) -> Result<(), Broken> {
        match self.marking.packet((vl, n, may, marked), now, (self.grant, self.more)) {
            Ok(judged) => self.marks += u64::from(judged),
            Err(Wrong::Not(why)) => {
                return broken("mark", "M1", format!("{}{} is marked, and {why}", self.name, told()));
            }
            Err(Wrong::TooMany(marks, packets, most)) => {
                let text = format!(
                    "{}{} is marked: {marks} marks in {packets} packets, {most} at most",
                    self.name,
                    told()
                );
                return broken("mark", "M2", text);
            }
        }
        Ok(())
    }

    /// Too few are marked, by chance, of those that are eligible for sure, of which this is one: all and their marks.
    pub fn few(&mut self, n: usize, marked: bool, now: u64) -> Option<(u64, u64)> {
        self.marking.met(n, marked, now, self.grant)
    }

    /// With marks by the counter: one of how many packets like this one is marked, as long as the port is congested.
    pub fn every(&self, n: usize, may: bool, now: u64) -> Option<u64> {
        self.marking.every(n, may, now, self.grant)
    }

    /// A packet leaves, which a line may stop.
    pub fn obeys(&mut self, class: Class, now: u64, told: &dyn Fn() -> String) -> Result<(), Broken> {
        let stop = self.stops.stops(class.vl, class.dlid, now, self.grant).filter(|_| !class.cnp);
        let Some((line, since)) = stop else { return Ok(()) };
        self.stopped += 1;
        if now - since > self.stop {
            let text =
                format!("{}{} leaves {} cycles after line {line} stopped it", self.name, told(), now - since);
            return broken("stop", "E5", text);
        }
        Ok(())
    }
}
