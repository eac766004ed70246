//! Flows that share one link: what each may send, when it hears of congestion, and what its index does.

use crate::scheme::response::{lowered, raised};

/// `flows` alike flows of packets of one size, all from time 0 on and as fast as they may, into one link that serves
/// them in turn. Times in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hotspot {
    /// Contributors.
    pub flows: u64,
    /// Time of a packet on the link.
    pub packet: u64,
    /// Delivered packets of a flow for one BECN: Marking_Rate + 1.
    pub per_becn: u64,
    /// CCTI_Increase.
    pub increase: u32,
    /// CCTI_Timer; 0: the index never falls.
    pub timer: u64,
    /// A BECN restarts a running timer.
    pub restart: bool,
    /// Packets of a flow that the network holds when it is full.
    pub backlog: u64,
}

/// What a flow does under a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// When its delay first is that of the fair share, and its index then.
    pub converged: Option<(u64, u32)>,
    /// Lowest and highest index from then on; if it never is, from the start.
    pub index: (u32, u32),
    /// Share of the link that is used from then on (from the start).
    pub used: f64,
}

/// The timer that lowers an index (H4).
#[derive(Clone, Copy, Default)]
struct Timer {
    /// The next expiry.
    at: Option<u64>,
}

impl Hotspot {
    /// The delay after each packet at which the flows just fill the link: the packets of all others.
    pub fn fair_delay(&self) -> u64 {
        (self.flows - 1) * self.packet
    }

    /// Between two BECNs of a flow while packets of all wait; at the latest after this time each flow has its first.
    pub fn between_becns(&self) -> u64 {
        self.flows * self.packet * self.per_becn
    }

    /// BECNs that each flow has in `time`.
    pub fn becns(&self, time: u64) -> u64 {
        time / self.between_becns()
    }

    /// BECNs raise the index faster than the timer lowers it.
    pub fn holds(&self) -> bool {
        self.timer == 0 || u128::from(self.timer) * u128::from(self.increase) > self.between_becns().into()
    }

    /// The shortest timer that holds an index, in steps of `unit`.
    pub fn least_timer(&self, unit: u64) -> u64 {
        self.between_becns() / (u64::from(self.increase) * unit) + 1
    }

    /// The highest index that a BECN makes in `time`, while packets of all wait: it does not depend on the table.
    pub fn index_in(&self, time: u64, limit: u32) -> u32 {
        let (mut index, mut highest, mut timer) = (0, 0, Timer::default());
        for becn in 1..=self.becns(time) {
            let now = becn * self.between_becns();
            while timer.at.is_some_and(|at| at <= now) {
                self.expire(&mut index, &mut timer);
            }
            self.raise(&mut index, &mut timer, now, limit);
            highest = highest.max(index);
            if highest == limit {
                break;
            }
        }
        highest
    }

    fn raise(&self, index: &mut u32, timer: &mut Timer, now: u64, limit: u32) {
        *index = raised(*index, self.increase, limit);
        if self.timer > 0 && (timer.at.is_none() || self.restart) {
            timer.at = Some(now + self.timer);
        }
    }

    fn expire(&self, index: &mut u32, timer: &mut Timer) {
        *index = lowered(*index, 1, 0);
        timer.at = timer.at.filter(|_| *index > 0).map(|at| at + self.timer);
    }

    /// What the last of the flows does for `time` with delays of `table`, of which the last is that of CCTI_Limit. A packet
    /// is marked if another of its flow still waits when it leaves (in its turn of `per_becn`); the BECN arrives at once.
    pub fn run(&self, table: &[u64], time: u64) -> Run {
        let limit = table.len() as u32 - 1;
        let turn = self.flows * self.packet;
        let (mut index, mut timer) = (0, Timer::default());
        let (mut waiting, mut sent, mut served, mut eligible) = (0, None, turn, 0);
        let mut run = Run { converged: None, index: (0, 0), used: 0.0 };
        let (mut packets, mut now) = (0, 0);
        loop {
            // A source sends when its delay is over and the network has room.
            let delay = table[index as usize];
            let send = if waiting < self.backlog {
                sent.map_or(0, |at: u64| at + self.packet + delay)
            } else {
                u64::MAX
            };
            let serve = if waiting > 0 { served } else { u64::MAX };
            let expiry = timer.at.unwrap_or(u64::MAX);
            let next = send.min(serve).min(expiry);
            if next > time {
                break;
            }
            // Room or a shorter delay may let go what would have gone before.
            now = next.max(now);
            if expiry == next {
                self.expire(&mut index, &mut timer);
            } else if serve == next {
                waiting -= 1;
                packets += 1;
                served = now + turn;
                if waiting > 0 {
                    eligible += 1;
                    if eligible == self.per_becn {
                        eligible = 0;
                        self.raise(&mut index, &mut timer, now, limit);
                    }
                }
            } else {
                sent = Some(now);
                waiting += 1;
                // The link may have waited for it.
                if waiting == 1 {
                    served = served.max(now + self.packet);
                }
            }
            if run.converged.is_none() && table[index as usize] >= self.fair_delay() {
                run.converged = Some((now, index));
                run.index = (index, index);
                packets = 0;
            }
            run.index = (run.index.0.min(index), run.index.1.max(index));
        }
        let since = run.converged.map_or(0, |c| c.0);
        if time > since {
            run.used = (packets * turn) as f64 / (time - since) as f64;
        }
        run
    }

    /// How long after the last BECN an index falls to `to`; None: never.
    pub fn recovery(&self, from: u32, to: u32) -> Option<u64> {
        let steps = u64::from(from.saturating_sub(to));
        (self.timer > 0 || steps == 0).then_some(steps * self.timer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// 2048 bytes at 40 Gbit/s, papers' timer.
    fn paper(flows: u64) -> Hotspot {
        Hotspot {
            flows,
            packet: 409_600,
            per_becn: 1,
            increase: 1,
            timer: 150 * 1_024_000,
            restart: false,
            backlog: 8,
        }
    }

    #[test]
    fn sixty_four_flows() {
        let h = paper(64);
        assert_eq!(h.fair_delay(), 25_804_800);
        assert_eq!(h.between_becns(), 26_214_400);
        assert_eq!(h.becns(1_000_000_000), 38);
        // 38 BECNs; the timer starts with the first and expires 6 times before the last (973.8 us = 6.3 periods).
        assert_eq!(h.index_in(1_000_000_000, 127), 32);
        assert_eq!(Hotspot { timer: 0, ..h }.index_in(1_000_000_000, 127), 38);
        assert_eq!(Hotspot { restart: true, ..h }.index_in(1_000_000_000, 127), 38);
        assert_eq!(h.index_in(26_214_399, 127), 0);
        assert_eq!((h.recovery(32, 0), h.recovery(3, 5)), (Some(32 * 153_600_000), Some(0)));
        assert_eq!(Hotspot { timer: 0, ..h }.recovery(1, 0), None);
        assert_eq!(Hotspot { per_becn: 2, ..h }.becns(1_000_000_000), 19);
    }

    #[test]
    fn a_timer_that_is_too_short_holds_nothing() {
        // CCFIT's 8 us: an index is held with a BECN every 8.19 us, up to 19 flows of one packet time each.
        let h = |flows| Hotspot { timer: 8 * 1_024_000, ..paper(flows) };
        assert!(h(19).holds() && !h(20).holds() && !h(64).holds());
        let least = h(64).least_timer(1_024_000);
        assert_eq!(least, 26);
        let with = |n| Hotspot { timer: n * 1_024_000, ..paper(64) }.holds();
        assert!(with(least) && !with(least - 1));
        assert_eq!(h(64).index_in(100_000_000_000, 127), 1);
    }

    #[test]
    fn a_table_that_is_too_short_never_gets_there() {
        // Paper III's: 10.05 us at the end.
        let table: Vec<u64> = (0..128).map(|i: u64| i * i * 7_000_000 / 11_236).collect();
        let r = paper(64).run(&table, 10_000_000_000);
        assert_eq!((r.converged, r.index), (None, (0, 127)));
        let (at, index) = paper(8).run(&table, 10_000_000_000).converged.unwrap();
        assert!(table[index as usize] >= 7 * 409_600 && table[index as usize - 1] < 7 * 409_600);
        assert!(at < 1_000_000_000, "{at}");
    }

    #[test]
    fn it_swings_about_the_fair_share() {
        let table: Vec<u64> = (0..128).map(|i| i * 409_600).collect();
        let h = paper(16);
        let r = h.run(&table, 50_000_000_000);
        assert_eq!(r.converged.map(|c| c.1), Some(15));
        // In the k-th turn after the fair share 1 - 16/(16+k) of a packet leaves the backlog of 8: 22 turns.
        assert!(r.index.0 < 15 && (30..=15 + 22).contains(&r.index.1), "{r:?}");
        assert!((0.9..=1.0).contains(&r.used), "{r:?}");
        // A limit at twice the fair share bounds it.
        let r = h.run(&table[..=30], 50_000_000_000);
        assert_eq!(r.index.1, 30);
    }

    proptest! {
        #[test]
        fn the_index_of_a_run_is_that_of_the_arithmetic(
            flows in 2u64..200, per_becn in 1u64..4, increase in 1u32..9, timer in 0u64..300, restart: bool,
            backlog in 4u64..20, at in 1u32..60,
        ) {
            let h = Hotspot { per_becn, increase, timer: timer * 1_024_000, restart, backlog, ..paper(flows) };
            prop_assume!(h.holds());
            // No delay below index `at`, the fair share from there on.
            let table: Vec<u64> = (0..128).map(|i| if i < at { 0 } else { h.fair_delay() }).collect();
            let r = h.run(&table, 400 * h.between_becns());
            prop_assert!((0.0..=1.001).contains(&r.used), "{}", r.used);
            if let Some((t, index)) = r.converged {
                prop_assert_eq!(t % h.between_becns(), 0);
                prop_assert!(h.index_in(t, 127) >= at && index >= at);
                prop_assert!(h.index_in(t - 1, 127) < at);
            } else {
                prop_assert!(h.index_in(400 * h.between_becns(), 127) < at);
            }
        }

        #[test]
        fn more_time_and_less_marking(flows in 2u64..500, rate in 1u64..8, timer in 0u64..300, us in 1u64..5_000) {
            let h = Hotspot { per_becn: rate, timer: timer * 1_024_000, ..paper(flows) };
            let index = |h: &Hotspot, us: u64| h.index_in(us * 1_000_000, 127);
            prop_assert!(index(&h, us) <= index(&h, us + 100));
            prop_assert!(u64::from(index(&h, us)) <= h.becns(us * 1_000_000));
            prop_assert!(h.fair_delay() + h.packet == h.flows * h.packet);
        }
    }
}
