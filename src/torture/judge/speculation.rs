//! What is promised where sources reserve: nothing is sent twice but what was dropped, the source of each dropped packet is told, all
//! reserved time passes and all flows come to rest; what was lost holds up its own pair alone.

use super::{DATA, FaultKind, Finding, HEADER_WORDS, RESERVED_WORDS, Run};
use crate::params::UnitKind;
use crate::params::lanes::{SrpLane, opcode};
use crate::signals::Group;
use crate::torture::booking;
use crate::torture::case::{Case, Pair};
use crate::torture::network::{Node, is_reservation};
use crate::torture::route;
use crate::torture::{acks, case::End};

impl Run<'_> {
    /// Whether the packets of a pair stay in order: one way, one lane, nothing speculative that is not taken in order.
    pub(super) fn in_order(case: &Case, exits: &[Vec<Vec<usize>>], pair: &Pair) -> Result<bool, String> {
        // What is reset has lost packets, and does not know what came.
        let ordered = booking::in_order(case) && case.reset.is_empty();
        let speculative =
            booking::may_reserve(case, pair.from) && !ordered || case.reserves() && acks::lanes_change(case)?;
        Ok(Self::one_way(case, exits, pair.from, pair.to) && !speculative)
    }

    /// Whether all packets of a host to another go the same way.
    pub(super) fn one_way(case: &Case, exits: &[Vec<Vec<usize>>], from: usize, to: usize) -> bool {
        let steps = route::steps(case, exits, End::Host(from), to).0;
        steps.iter().flatten().all(|hop| exits[hop.switch][to].len() == 1)
    }

    /// Cycles that pair `i` may wait for a packet: behind what was booked when the wait began, and a message of each pair.
    pub(super) fn bound(&self, i: usize) -> u64 {
        let stands = self.bounds.stands.unwrap_or(u64::MAX / 4);
        let booked = self.flows[i].booked.max(self.booked_healed) + self.bounds.messages;
        self.bounds.wait(i, self.flows[i].ahead) + 2 * booked + stands + 4 * self.bounds.time_out
    }

    /// Cycles without any delivery after which a network without sources will deliver nothing more.
    pub(super) fn silence(&self) -> u64 {
        self.bounds.silence() + 2 * self.booked
    }

    /// What need not go on may do so all the same: until nothing of it has been anywhere for longer than a RES and its answer take.
    pub(super) fn rest(&mut self) -> Result<(), Finding> {
        let flows = self.world.nodes.iter().map(|n| n.params.flows).max().unwrap_or(0) as u64;
        let quiet = 4 * self.bounds.hops * (self.bounds.home + self.bounds.packet) + 16 * flows + 200;
        let (mut since, mut seen) = (self.t, self.stats.packets);
        while self.flows.iter().any(|f| f.held && !f.way.is_empty())
            && self.t < since + quiet
            && self.t < self.last_delivery + self.silence()
        {
            for _ in 0..16 {
                self.cycle()?;
            }
            if self.left().is_some() || seen != self.stats.packets {
                (since, seen) = (self.t, self.stats.packets);
            }
        }
        Ok(())
    }

    /// Links have eaten packets of reservations: their pairs may stand still for ever, unless losses end.
    pub(super) fn eaten(&mut self) {
        if !self.case.reserves() {
            return;
        }
        for ends in self.world.eaten() {
            let [a, b] = ends.map(|lid| self.case.host.iter().position(|h| h.lid == lid));
            if let (Some(a), Some(b)) = (a, b)
                && let Some(i) = self.pair_of[a][b].filter(|i| !self.flows[*i].recovers)
            {
                self.under_way -= self.flows[i].hold();
            }
        }
    }

    /// A NACK that comes to host `h`: of a packet that was sent, and of none twice.
    pub(super) fn told(&mut self, h: usize) -> Result<(), Finding> {
        if !self.case.reserves() {
            return Ok(());
        }
        let pins = &self.hosts[h].pins;
        let (rx, from, up) = (pins.rx, pins.rx_data, pins.link_up);
        let input = &self.world.host(h).input;
        let mut flit = vec![0; 4 + HEADER_WORDS];
        for (at, word) in rx.into_iter().zip(&mut flit) {
            *word = input[at];
        }
        flit[4..].copy_from_slice(&input[from..from + HEADER_WORDS]);
        if input[up] == 0 || !is_reservation(&flit) || (flit[6] & 0xff) as u8 != opcode::NACK {
            return Ok(());
        }
        let bytes: Vec<u8> = flit[4..].iter().flat_map(|w| w.to_le_bytes()).collect();
        let (lid, psn) = (
            u16::from_be_bytes([bytes[6], bytes[7]]),
            u32::from_be_bytes([0, bytes[17], bytes[18], bytes[19]]),
        );
        let to = self.case.host.iter().position(|x| x.lid == lid);
        self.stats.nacks += 1;
        let Some(i) = to.and_then(|to| self.pair_of[h][to]) else {
            let text = format!("at h{h}: a NACK from LID {lid}, which it sends nothing");
            return Err(self.finding(FaultKind::Drop, text));
        };
        let remembers = booking::remembers(self.case);
        let flow = &mut self.flows[i];
        match flow.way.iter_mut().find(|s| s.psn == psn) {
            // Of a packet that is sent twice the first copy may be dropped late.
            _ if flow.held || remembers => Ok(()),
            Some(s) if s.fetched && !s.dropped => {
                s.dropped = true;
                Ok(())
            }
            _ => {
                let text = format!(
                    "at h{h}: a NACK of packet {psn} from {}, which is not under way",
                    self.pair_name(i)
                );
                Err(self.finding(FaultKind::Drop, text))
            }
        }
    }

    /// The opcode that a packet of a pair may have, by what else its first flit says; `lane` is byte 0 as it must be. Of a reserved one the
    /// place in its chunk must be one in its message.
    pub(super) fn kind_of(&self, h: usize, pair: usize, data: &[u32], lane: &mut u8) -> Result<u8, String> {
        let p = &self.world.nodes[0].params;
        let bytes: Vec<u8> = data[..RESERVED_WORDS].iter().flat_map(|w| w.to_le_bytes()).collect();
        let kind = bytes[8];
        if !p.srp {
            return Ok(DATA);
        }
        let (flow, spec) = (&self.flows[pair], kind == opcode::SPEC);
        if spec {
            *lane = (SrpLane::Spec.vl(p.vls) as u8) << 4;
        } else if flow.any_sl && usize::from(bytes[0] >> 4) < p.data_lanes() {
            // Of an SL that is written meanwhile.
            *lane = bytes[0] & 0xf0;
        }
        if !spec && kind != opcode::GRANTED {
            return Ok(DATA);
        }
        let src = self.case.pair[pair].from;
        let two = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let psn = u32::from_be_bytes([0, bytes[17], bytes[18], bytes[19]]);
        let (seq, n, flags, age) = (u16::from(bytes[21]), u16::from(bytes[22]), bytes[23] & 7, two(26));
        let id = u16::from_be_bytes([bytes[23] >> 3, bytes[20]]);
        let said = format!("chunk {id}, seq {seq}, n {n}, flags {flags:#x}, size {}, age {age}", two(24));
        let old = if spec { self.most_age } else { Some(0) }.is_some_and(|most| u32::from(age) > most);
        let most = self.case.host_params(src)?.nmax;
        let chunk = seq < n
            && usize::from(n) <= most
            && flags & !(2 | u8::from(booking::remembers(self.case))) == 0
            && two(24) == 0
            && two(28) == 0
            && two(30) == 0;
        let place = flow.way.iter().find(|s| s.psn == psn).map(|s| s.place);
        // All of the chunk is of the message, and the last one ends with it.
        let merged = booking::may_merge(self.case, src);
        let fits = merged
            || place.is_none_or(|(before, behind)| {
                let rest = n.wrapping_sub(seq + 1);
                seq <= before && rest <= behind && (flags & 2 != 0) == (rest == behind)
            });
        if old || !chunk || !fits {
            return Err(format!(
                "packet {psn} from h{src} to h{h} of opcode {kind:#x} says {said}; its place in the message is {place:?}"
            ));
        }
        Ok(kind)
    }

    /// What an adapter has left of reservations when nothing is under way.
    pub(super) fn left_of_reservations(&self, n: &Node) -> Option<String> {
        const FLOWS: &[&str] = &["st_rs", "st_sp", "st_go", "st_wt", "st_pq"];
        const ADAPTER: &[&str] = &["st_tv", "st_res_pkts", "st_rep_pkts", "st_ungranted"];
        if !n.params.srp {
            return None;
        }
        let names = if n.kind == UnitKind::Hca { ADAPTER } else { &["st_spec_nack"] };
        for name in names {
            if let Some(v) = n.words(Group::State, name).iter().find(|v| **v != 0) {
                return Some(format!("{} {name} is {v}", n.name()));
            }
        }
        if n.kind != UnitKind::Hca {
            return None;
        }
        for name in FLOWS {
            for (w, word) in n.words(Group::State, name).iter().enumerate() {
                // A flow that stands still may have messages behind it.
                let stands = |bit: usize| {
                    let of = |f: &&super::Flow| f.held && f.flow as usize == 32 * w + bit;
                    let mut own = self.hosts[n.number].pairs.iter().map(|i| &self.flows[*i]);
                    *name == "st_pq" && own.any(|f| of(&f))
                };
                if let Some(bit) = (0..32).find(|b| word >> b & 1 != 0 && !stands(*b)) {
                    return Some(format!("{} {name} has flow {}", n.name(), 32 * w + bit));
                }
            }
        }
        None
    }

    /// As many packets were sent as were delivered and dropped, and sources were told of all drops.
    pub(super) fn drops(&mut self) -> Result<(), Finding> {
        let eats = self.case.link.iter().any(|l| l.eats.is_some());
        if !self.case.reserves() || self.resets > 0 || eats || booking::remembers(self.case) {
            return Ok(());
        }
        self.world.look();
        let switches = self.world.nodes.iter().filter(|n| n.kind == UnitKind::Switch);
        let dropped: u64 = switches
            .flat_map(|n| n.words(Group::State, "st_cnt_spec_drop").iter().map(|w| u64::from(*w)))
            .sum();
        let sum = |f: fn(&super::Flow) -> u64| self.flows.iter().map(f).sum::<u64>();
        let (sent, delivered) = (sum(|f| f.fetches), sum(|f| f.delivered));
        if dropped == self.stats.nacks && sent == delivered + dropped {
            return Ok(());
        }
        let text = format!(
            "{sent} packets were sent and {delivered} delivered; switches dropped {dropped}, and sources were told of {}",
            self.stats.nacks
        );
        Err(self.finding(FaultKind::Drop, text))
    }

    /// At the end every flow is at rest: it delivers a message, and one behind it.
    pub(super) fn idle_flows(&mut self) -> Result<(), Finding> {
        if !self.case.reserves() {
            return Ok(());
        }
        for i in (0..self.flows.len()).filter(|i| !self.flows[*i].held).collect::<Vec<_>>() {
            let pair = &self.case.pair[i];
            let sizes = pair.packets.iter().copied();
            let pkts = if i % 2 == 0 { sizes.max() } else { sizes.min() }.unwrap_or(1);
            let (mut posted, start) = (0u64, self.t);
            while self.under_way > 0 || posted < 2 {
                if posted < 2 {
                    posted += u64::from(self.probe_cycle(pair.from, i, pkts)?);
                } else {
                    self.cycle()?;
                }
                if self.t > start.max(self.last_delivery) + self.silence() {
                    let text = format!(
                        "{} does not deliver messages behind the traffic: {posted} of 2 were taken",
                        self.pair_name(i)
                    );
                    return Err(self.finding(FaultKind::Stuck, text));
                }
            }
        }
        self.settle()?;
        self.errors()?;
        self.drops()
    }
}
