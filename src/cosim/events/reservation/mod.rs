//! The reservation protocol's two halves by their events (`docs/reservation.md`): messages go out whole, in chunks that ask for their time,
//! wait for it, and send again what was dropped or lost; and what others ask for is granted once each, never twice the same time.

mod chunk;
mod counts;
mod destination;
mod flow;
mod io;
mod lanes;
mod progress;
mod queue;
mod registers;
mod schedule;
mod seen;
mod source;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_destination;
#[cfg(test)]
mod tests_losses;
#[cfg(test)]
mod traces;

use crate::cosim::events::scoreboard::{Broken, Point, Readiness, Scoreboard, counted};
use crate::cosim::events::settings::{Setting, Settings};
use crate::cosim::outcome::CoverCount;
use crate::params::{Params, UnitKind};
use crate::signals::Layout;
use destination::Destination;
use io::{Io, is};
use lanes::Lanes;
use progress::{Cycle, Progress, View};
use registers::{INORDER, Registers};
use seen::Seen;
use source::Source;

/// Its tolerances.
pub(super) fn settings(p: &Params) -> Vec<Setting> {
    let flows = p.flows as u64;
    let s = Setting::new;
    vec![
        s("receive", 16, 0, "for which a register, or an SL, from before a write may act"),
        s(
            "reply",
            16,
            1,
            "from a reply, or a RES that leaves, until offers show it; without a reply on offer though one is owed",
        ),
        s("choice", 8, 2, "from the choice of a packet, or of a RES, until it is on offer"),
        s("full", 4, 0, "by which gen_full may be late"),
        s("done", 8, 1, "between a GRANT that is made, or a RES that is refused, and its rin_done"),
        s("walk", 4, 0, "by which a packet that walks in may be booked later"),
        s("serve", 64, 2, "in which a RES could be answered, or a last flit be shown"),
        s("taken", 8, 1, "ends of packets that are answered before a RES"),
        s("offer", 16 * flows + 256, 1, "in which somebody could ask, or send, and nobody does"),
        s(
            "turns",
            2 * (flows * p.data_lanes() as u64) + 8,
            1,
            "RES, or packets, of others while one could go",
        ),
        Setting {
            range: (1, 64),
            ..s("see", 1, 1, "from what comes until the table of sources tells of it, exactly")
        },
        Setting::ready(UnitKind::Reservation, p),
    ]
}

/// Outputs without which it cannot be judged.
pub(super) const NEEDED: &[&str] = &[
    "gen_full",
    "inj_valid",
    "inj_kind",
    "inj_flow",
    "inj_sl",
    "inj_lane",
    "inj_len",
    "inj_psn",
    "inj_id",
    "inj_seq",
    "inj_n",
    "inj_last",
    "res_valid",
    "res_flow",
    "res_sl",
    "res_id",
    "res_n",
    "res_size",
    "res_last",
    "out_valid",
    "out_kind",
    "out_lid",
    "out_sl",
    "out_id",
    "out_seq",
    "out_wait",
    "rin_done",
    "end_ok",
];

/// What is counted, in the order of [`Reservation::cover`].
const COVER: [Point; 21] = [
    ("requests", "Q17", "RES judged"),
    ("chunks", "Q14 Q15", "of these, of new chunks"),
    ("ways", "Q14", "of these, of messages that may be one or several"),
    ("asks_again", "Q22", "of these, again"),
    ("spec", "Q16 Q17", "speculative packets judged"),
    ("first", "Q20", "of these, against granted ones"),
    ("granted", "Q16 Q17", "granted packets judged"),
    ("close", "Q18", "of these, within 64 cycles of their time"),
    ("again", "Q21 Q22", "of these, again"),
    ("bypass", "Q15", "packets without a reservation judged"),
    ("grants", "Q10 Q13", "GRANTs judged"),
    ("exact", "Q10 Q11", "of these, by the time that is booked"),
    ("waits", "Q11", "of these, of a time ahead"),
    ("loose", "Q13", "of these, behind RES without a block"),
    ("acks", "Q12", "ACKs and NACKs judged"),
    ("refused", "Q10 Q13", "RES that no chunk has, refused"),
    ("walks", "Q15", "packets that walked in"),
    ("idle", "Q19 Q20", "waits in which some flow could ask or send, judged"),
    ("turns", "Q19 Q20", "rounds in which each flow that could had its turn"),
    ("sources", "Q21 Q22", "answers of the table of sources judged"),
    ("duplicates", "Q21 Q22", "of these, of what is dropped"),
];

/// The scoreboard.
pub(super) struct Reservation {
    io: Io,
    dedup: bool,
    now: u64,
    /// Cycles since the reset until it was ready.
    before: u64,
    ready: Readiness,
    registers: Registers,
    lanes: Lanes,
    source: Source,
    progress: Progress,
    destination: Destination,
    seen: Seen,
}

impl Reservation {
    pub fn new(p: &Params, settings: &Settings) -> Reservation {
        let get = |name| settings.get(name);
        Reservation {
            io: Io::new(&Layout::new(UnitKind::Reservation, p)),
            dedup: p.dedup,
            now: 0,
            before: 0,
            ready: Readiness::new(get("ready"), "B3"),
            registers: Registers::new(p, get("receive")),
            lanes: Lanes::new(p.data_lanes(), get("choice")),
            source: Source::new(p, settings),
            progress: Progress::new(p.flows, settings),
            destination: Destination::new(p, settings),
            seen: Seen::new(p.flows, p.nmax, get("see")),
        }
    }

    fn source(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        let (io, now) = (self.io, self.now);
        let speaks = self.registers.speaks(now);
        let (s, r) = (&mut self.source, &self.registers);
        let (packet, request) = (io.packet(output), io.request(output));
        s.stands(packet, request)?;
        if let Some(q) = request {
            s.asks(q, r, speaks, now)?;
        }
        if let Some(p) = packet {
            s.offers(p, r, &self.lanes, now)?;
        }
        let full = |f: usize| output[io.gen_full + f / 32] >> (f % 32) & 1 == 1;
        s.queues(full, now);
        self.lanes.see(input[io.room], input[io.link_room], is(input, io.ungranted), now);
        let mut cycle = Cycle {
            reply: is(input, io.rep_valid),
            ungranted: is(input, io.ungranted),
            asked: None,
            left: None,
        };
        if packet.is_some() && is(input, io.inj_ready) {
            cycle.left = packet.map(|p| (p.flow, p.kind));
            s.left();
            self.lanes.takes(now);
        }
        if request.is_some() && is(input, io.res_ready) {
            cycle.asked = request.map(|q| q.flow);
            s.asked(now);
        }
        if let Some(p) = io.reply(input) {
            s.reply(p, r, now);
        }
        if let Some(p) = io.post(input) {
            s.post(p, p.flow < s.flows.len() && full(p.flow), r, now);
        }
        self.progress.queues(s, full, now)?;
        self.progress.cycle(View { source: s, registers: r, lanes: &self.lanes, now }, cycle)
    }

    fn writes(&mut self, input: &[u32]) {
        let (io, now) = (self.io, self.now);
        if is(input, io.attr_we)
            && let Some(flow) = self.source.flows.get_mut(input[io.attr_flow] as usize)
        {
            flow.sl.write(input[io.attr_sl] & 15, now);
        }
        if is(input, io.cfg_we) {
            self.registers.write(input[io.cfg_addr] as u8, input[io.cfg_data], self.dedup, now);
        }
    }
}

impl Scoreboard for Reservation {
    fn cycle(&mut self, input: &[u32], output: &[u32]) -> Result<(), Broken> {
        if !self.ready.see(is(output, self.io.ready), self.before)? {
            self.before += 1;
            return Ok(());
        }
        self.source(input, output)?;
        self.destination.cycle(&self.io, &self.registers, input, output, self.now)?;
        if self.dedup {
            let order = self.registers.bit(INORDER, self.now);
            self.seen.cycle(&self.io, order, input, output)?;
        }
        self.writes(input);
        self.now += 1;
        self.before += 1;
        Ok(())
    }

    fn meaningful(&self, output: &mut [u32]) {
        let ready = output[self.io.ready] & 1;
        let was = output.to_vec();
        output.fill(0);
        output[self.io.ready] = ready;
        if ready == 0 {
            return;
        }
        for (valid, fields) in self.io.fields() {
            if was[valid] & 1 == 1 {
                fields.into_iter().chain([valid]).for_each(|w| output[w] = was[w]);
            }
        }
        let words = self.source.flows.len().div_ceil(32);
        (self.io.gen_full..self.io.gen_full + words).for_each(|w| output[w] = was[w]);
        let mut bits = vec![self.io.rin_done, self.io.end_ok];
        if self.dedup {
            bits.extend([self.io.see_drop, self.io.see_ack]);
            bits.extend(self.seen.tells.then_some(self.io.see_known));
        }
        bits.into_iter().for_each(|w| output[w] = was[w]);
    }

    fn cover(&self) -> Vec<CoverCount> {
        let (s, d) = (&self.source.counts, &self.destination.counts);
        let counts = [
            s.requests,
            s.chunks,
            s.ways,
            s.asks_again,
            s.spec,
            s.first,
            s.granted,
            s.close,
            s.again,
            s.bypass,
            d.grants,
            d.exact,
            d.waits,
            d.loose,
            d.acks,
            d.refused,
            d.walks,
            self.progress.judged,
            self.progress.rounds,
            self.seen.judged,
            self.seen.dropped,
        ];
        counted(&COVER, &counts)
    }
}
