//! The sending half of a link (F1, B2): credits that are used, flits that are counted, and their pace.

use std::collections::VecDeque;

use crate::cosim::events::scoreboard::{Broken, Regular, broken};

/// The credits of a VL.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// Flits sent.
    sent: u16,
    /// Limits that were given: cycle and value; the first one is from before the window.
    limits: VecDeque<(u64, u16)>,
    /// Since when there is credit for the longest packet.
    open: Option<u64>,
}

/// The sending half of port `o`.
#[derive(Clone, Debug)]
pub(super) struct Downstream {
    o: usize,
    mtu: u16,
    lanes: Vec<Lane>,
    /// Tolerance: a limit that was taken back counts for so many cycles more.
    grant: u64,
    /// Messages with what was sent.
    messages: Regular,
    /// The link is up, and since when.
    up: Option<u64>,
    /// TX_INTERVAL, the least that may hold until a cycle, and that of now.
    pace: (u64, u64, u64),
    /// The last flit.
    flit: Option<u64>,
}

impl Downstream {
    pub fn new(o: usize, vls: usize, mtu: usize, (grant, silence): (u64, u64)) -> Downstream {
        Downstream {
            o,
            mtu: mtu as u16,
            lanes: vec![Lane::default(); vls],
            grant,
            messages: Regular::new(vls, silence),
            up: None,
            pace: (1, 0, 1),
            flit: None,
        }
    }

    /// FC_INTERVAL is written.
    pub fn every(&mut self, data: u32, now: u64) {
        self.messages.every(data, now);
    }

    /// TX_INTERVAL is written; it is seen by cycle `seen`.
    pub fn paced(&mut self, data: u32, now: u64, seen: u64) {
        let value = u64::from(data & 0xf).max(1);
        let least = if now <= self.pace.1 { self.pace.0.min(self.pace.2) } else { self.pace.2 };
        self.pace = (least.min(value), seen, value);
    }

    /// Since when the link is up.
    pub fn up(&self) -> Option<u64> {
        self.up
    }

    /// Since when there is credit for any packet of a VL.
    pub fn open(&self, vl: usize) -> Option<u64> {
        self.lanes[vl].open
    }

    /// The unit was not ready until now.
    pub fn not_ready(&mut self, now: u64) {
        self.messages.anew(now + 1);
    }

    /// The link of this cycle; `true` if it fell.
    pub fn link(&mut self, up: bool, now: u64) -> bool {
        let was = self.up;
        if up {
            if was.is_none() {
                self.up = Some(now);
                self.messages.anew(now);
            }
            return false;
        }
        self.up = None;
        self.flit = None;
        self.messages.anew(now);
        self.lanes.fill(Lane::default());
        was.is_some()
    }

    /// A flow control message, or none: what was sent before this cycle.
    pub fn message(&mut self, fctbs: Option<(usize, u16)>, now: u64) -> Result<(), Broken> {
        if let Some((v, value)) = fctbs {
            let Some(lane) = self.lanes.get(v) else {
                let text = format!("output {}, a flow control message for VL {v}", self.o);
                return broken("sent", "F1", text);
            };
            self.messages.heard(v, now);
            if value != lane.sent {
                let text = format!(
                    "output {}, VL {v}: FCTBS {value}, and {} flits were sent (modulo 4096)",
                    self.o, lane.sent
                );
                return broken("sent", "F1", text);
            }
        }
        let late = |v| self.messages.late(v, now).map(|most| (v, most));
        if let Some((v, most)) = (0..self.lanes.len()).find_map(late) {
            let text = format!("output {}, VL {v}: no flow control message in {most} cycles", self.o);
            return broken("silent", "F1", text);
        }
        Ok(())
    }

    /// Flits that may still be sent by a limit. (Those that are granted by it are asked for with room for an MTU.)
    fn room(&self, limit: u16, lane: &Lane) -> usize {
        let room = usize::from(limit.wrapping_sub(lane.sent) & 0xfff);
        if room <= 2048 + usize::from(self.mtu) { room } else { 0 }
    }

    /// A packet of `n` flits begins.
    pub fn begin(&self, vl: usize, n: usize, now: u64) -> Result<(), Broken> {
        let Some(lane) = self.lanes.get(vl) else {
            return broken("stranger", "R1", format!("output {}: a packet on VL {vl}", self.o));
        };
        // A limit counts from its arrival on, and for some cycles after the next one.
        let counts = |at: usize| lane.limits.get(at + 1).is_none_or(|next| next.0 + self.grant >= now);
        let limits = lane.limits.iter().enumerate().filter(|(at, _)| counts(*at));
        let rooms: Vec<usize> = limits.map(|(_, l)| self.room(l.1, lane)).collect();
        if rooms.iter().all(|room| *room < n) {
            let there = match rooms.iter().max() {
                None => "there is no limit".into(),
                Some(most) => format!("there is room for {most}"),
            };
            let text = format!("output {}, VL {vl}: a packet of {n} flits leaves; {there}", self.o);
            return broken("credit", "F1", text);
        }
        Ok(())
    }

    /// A flit leaves, of a packet on `vl`.
    pub fn send(&mut self, vl: usize, now: u64) -> Result<(), Broken> {
        if let Some(lane) = self.lanes.get_mut(vl) {
            lane.sent = lane.sent.wrapping_add(1) & 0xfff;
        }
        let least = if now <= self.pace.1 { self.pace.0 } else { self.pace.2 };
        if let Some(last) = self.flit.replace(now)
            && now - last < least
        {
            let text =
                format!("output {}: a flit {} cycles after another, TX_INTERVAL {least}", self.o, now - last);
            return broken("pace", "B2", text);
        }
        Ok(())
    }

    /// A limit came.
    pub fn limit(&mut self, fccl: Option<(usize, u16)>, now: u64) {
        if let Some((v, value)) = fccl
            && let Some(lane) = self.lanes.get_mut(v)
        {
            while lane.limits.len() > 1 && lane.limits[1].0 + self.grant < now {
                lane.limits.pop_front();
            }
            if lane.limits.back().is_some_and(|l| l.1 == value) {
                return self.look(now);
            }
            lane.limits.push_back((now, value));
        }
        self.look(now);
    }

    fn look(&mut self, now: u64) {
        for v in 0..self.lanes.len() {
            let lane = &self.lanes[v];
            let room = lane.limits.back().map_or(0, |l| self.room(l.1, lane));
            let open = (usize::from(self.mtu)..=2048).contains(&room);
            self.lanes[v].open = if open { self.lanes[v].open.or(Some(now)) } else { None };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::events::scoreboard::kind;

    fn up() -> Downstream {
        let mut d = Downstream::new(1, 2, 4, (5, 20));
        d.link(true, 0);
        d
    }

    #[test]
    fn packets_leave_within_the_limit() {
        let mut d = up();
        assert_eq!(kind(d.begin(0, 1, 1)), "credit");
        d.limit(Some((0, 6)), 1);
        assert_eq!((d.open(0), d.open(1)), (Some(1), None));
        assert_eq!(
            (d.begin(0, 6, 2), kind(d.begin(0, 7, 2)), kind(d.begin(1, 1, 2))),
            (Ok(()), "credit", "credit")
        );
        for now in 2..5 {
            d.send(0, now).unwrap();
        }
        d.limit(None, 5);
        assert_eq!((d.begin(0, 3, 5), kind(d.begin(0, 4, 5)), d.open(0)), (Ok(()), "credit", None));
        // A limit that was taken back holds for 5 cycles.
        d.limit(Some((0, 4)), 10);
        assert_eq!(
            (d.begin(0, 3, 15), kind(d.begin(0, 3, 16)), d.begin(0, 1, 16)),
            (Ok(()), "credit", Ok(()))
        );
        // The link falls and rises: nothing was given.
        assert!(d.link(false, 20) && !d.link(false, 21) && !d.link(true, 22));
        assert_eq!(kind(d.begin(0, 1, 22)), "credit");
    }

    #[test]
    fn what_was_sent_is_told_exactly_and_often_enough() {
        let mut d = up();
        d.message(Some((0, 0)), 1).unwrap();
        d.send(0, 1).unwrap();
        assert_eq!((d.message(Some((0, 1)), 2), kind(d.message(Some((0, 0)), 2))), (Ok(()), "sent"));
        assert_eq!(kind(d.message(Some((2, 0)), 2)), "sent");
        // 2 VLs, each 4 cycles, and 20.
        assert_eq!((d.message(None, 28), kind(d.message(Some((0, 1)), 29))), (Ok(()), "silent"));
    }

    #[test]
    fn flits_leave_at_the_pace_of_the_link() {
        let mut d = up();
        (0..3).for_each(|now| d.send(0, now).unwrap());
        d.paced(3, 3, 6);
        // It may not have been seen.
        d.send(0, 4).unwrap();
        assert_eq!((d.send(0, 7), kind(d.send(0, 9))), (Ok(()), "pace"));
        d.paced(1, 10, 12);
        assert_eq!((d.send(0, 10), d.send(0, 11)), (Ok(()), Ok(())));
    }
}
