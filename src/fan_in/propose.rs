//! Chooses the law of a table.
//!
//! The rule: the gentlest law whose first step asks for no more than two contributors would, and that reaches the fair share in
//! time. Linear is gentler than quadratic, quadratic than exponential.

use super::hotspot::Hotspot;
use crate::config::Law;
use crate::config::cct::{Entry, MULTIPLIER_MAX, nearest};

/// Delays of a table, as InfiniBand's entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Entries from 0 to CCTI_Limit.
    pub entries: Vec<Entry>,
    /// The first that is longer than any entry can say, and is cut to that.
    pub cut: Option<usize>,
}

impl Table {
    /// The table of `times`, ps.
    pub fn of(times: impl Iterator<Item = f64>, packet: u64) -> Table {
        let mut cut = None;
        // Eight cycles a packet: an entry's finest step is an eighth.
        let entry = |(i, ps): (usize, f64)| {
            nearest(ps * 8.0 / packet as f64, 8).map(Entry).unwrap_or_else(|| {
                cut.get_or_insert(i);
                Entry(MULTIPLIER_MAX as u16)
            })
        };
        let entries = times.enumerate().map(entry).collect();
        Table { entries, cut }
    }

    /// Its delays, ps.
    pub fn delays(&self, packet: u64) -> Vec<u64> {
        self.entries.iter().map(|e| (e.packets() * packet as f64).round() as u64).collect()
    }
}

/// A law that does it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The law, with times in microseconds.
    pub law: Law,
    /// Why this one.
    pub why: String,
    /// Its table, which ends (CCTI_Limit) where a delay is twice that of the fair share: enough to drain what waits, and
    /// for twice the contributors.
    pub table: Table,
}

/// No table can do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// No BECN arrives in time; the time that it takes, ps.
    TooShort(u64),
    /// The timer lowers the index faster than BECNs raise it.
    NothingHolds,
}

/// A time with three digits, rounded up, as a law takes it.
fn time(ps: f64) -> String {
    let (value, unit) = if ps < 1e6 { (ps / 1e3, "ns") } else { (ps / 1e6, "us") };
    format!("{}{unit}", up(value, 3))
}

/// Rounded up to some digits.
fn up(x: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits - 1 - x.log10().floor() as i32);
    // What is a rounded number already stays it.
    let exact = (x * scale).round() / scale;
    if (exact - x).abs() < x * 1e-9 { exact } else { (x * scale).ceil() / scale }
}

/// A law for the hotspot that gives each flow its fair share in `time`, in at most `entries` entries.
pub fn propose(h: &Hotspot, time_ps: u64, entries: usize) -> Result<Proposal, Problem> {
    let last = entries as u32 - 1;
    let reached = h.index_in(time_ps, last);
    if reached == 0 {
        return Err(Problem::TooShort(h.between_becns()));
    }
    if !h.holds() {
        return Err(Problem::NothingHolds);
    }
    let (index, first) = (f64::from(reached), f64::from(h.increase));
    let (packet, fair) = (h.packet as f64, h.fair_delay() as f64);
    let others = (h.flows - 1) as f64;
    let (law, why) = if others * first <= index {
        let step = time(packet / first);
        (format!("linear(step={step})"), "linear: each BECN slows a flow by one contributor more".to_string())
    } else if index * index >= others * first * first {
        let step = time(fair / (index * index));
        let why = format!(
            "quadratic: linear steps of one contributor would need index {}; the smallest that is in time",
            others * first
        );
        (format!("quadratic(step={step})"), why)
    } else if index > first {
        let ratio = up(others.powf(1.0 / (index - first)), 4);
        let step = time(packet / ratio.powf(first - 1.0));
        let why = format!(
            "exponential: a quadratic law would need index {}; the smallest ratio that is in time",
            (others.sqrt() * first).ceil()
        );
        (format!("exponential(first={step},ratio={ratio})"), why)
    } else {
        let why = "linear in steps that are too coarse: the first BECN must do it all, and slows flows of a smaller \
                   hotspot as much; give it more time, or entries"
            .to_string();
        (format!("linear(step={})", time(fair / index)), why)
    };
    let law = Law::parse(&law, None).expect("a law in its own words");
    let mut table = Table::of((0..entries).map(|i| law.at(i) * 1e6), h.packet);
    let delays = table.delays(h.packet);
    let enough = (2 * h.fair_delay()).min(MULTIPLIER_MAX * h.packet);
    let end = delays.iter().position(|d| *d >= enough).unwrap_or(entries - 1);
    table.entries.truncate(end + 1);
    table.cut = table.cut.filter(|i| *i < table.entries.len());
    Ok(Proposal { law, why, table })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: u64 = 1_000_000_000;

    fn hotspot(flows: u64) -> Hotspot {
        Hotspot {
            flows,
            packet: 409_600,
            per_becn: 1,
            increase: 1,
            timer: 153_600_000,
            restart: false,
            backlog: 8,
        }
    }

    fn law(flows: u64, time: u64) -> String {
        propose(&hotspot(flows), time, 128).unwrap().law.text().into()
    }

    #[test]
    fn steeper_only_as_needed() {
        assert_eq!(law(8, MS), "linear(step=410ns)");
        assert_eq!(law(64, 3 * MS), "linear(step=410ns)");
        // 25.8 us / 32^2, and / 16^2
        assert_eq!(law(64, MS), "quadratic(step=25.2ns)");
        assert_eq!(law(64, MS / 2), "quadratic(step=101ns)");
        // 1 ms / 104.9 us: 9 BECNs less 5 expiries... each index counts
        assert!(law(256, MS).starts_with("exponential(first=410ns,ratio="), "{}", law(256, MS));
        // One BECN
        assert_eq!(law(64, MS / 30), "linear(step=25.9us)");
        assert_eq!(propose(&hotspot(64), MS / 40, 128), Err(Problem::TooShort(26_214_400)));
        let short = Hotspot { timer: 8_192_000, ..hotspot(64) };
        assert_eq!(propose(&short, MS, 128), Err(Problem::NothingHolds));
    }

    #[test]
    fn numbers_are_rounded_up() {
        assert_eq!(
            ["409.6", "410", "25.2", "0.0252", "25804.8"].map(|x| up(x.parse().unwrap(), 3)),
            [410.0, 410.0, 25.2, 0.0252, 25_900.0]
        );
        assert_eq!((time(25_200.0), time(25_804_800.0)), ("25.2ns".into(), "25.9us".into()));
    }

    #[test]
    fn what_no_entry_can_say_is_cut() {
        let t = Table::of([0.0, 8.0, 4.0, 16_383.0 * 8.0, 20_000.0 * 8.0].into_iter(), 8);
        assert_eq!(
            t.entries.iter().map(|e| String::from(*e)).collect::<Vec<_>>(),
            ["3:0", "3:8", "3:4", "0:16383", "0:16383"]
        );
        assert_eq!((t.cut, t.delays(8)), (Some(4), vec![0, 8, 4, 131_064, 131_064]));
    }

    proptest! {
        #[test]
        fn every_proposal_does_it(
            flows in 2u64..=16_384, mtu in 8u32..=12, gbps in 1u64..=400, us in 1u64..100_000, per_becn in 1u64..5,
            increase in 1u32..17, timer in 0u64..1_000, restart: bool, entries in 2usize..300,
        ) {
            let packet = (1u64 << mtu) * 8_000 / gbps;
            let h = Hotspot { flows, packet, per_becn, increase, timer: timer * 1_024_000, restart, backlog: 8 };
            let time = us * 1_000_000;
            match propose(&h, time, entries) {
                Ok(p) => {
                    let delays = p.table.delays(packet);
                    prop_assert!(delays.len() <= entries && delays[0] == 0);
                    prop_assert!(delays.windows(2).all(|w| w[0] <= w[1]), "{}", p.law.text());
                    prop_assert!(*delays.last().unwrap() >= h.fair_delay(), "{}", p.law.text());
                    // It ends with the first that is long enough.
                    prop_assert!(delays[delays.len() - 2] < (2 * h.fair_delay()).min(16_383 * packet));
                    let run = h.run(&delays, time);
                    prop_assert!(run.converged.is_some(), "{} {run:?}", p.law.text());
                    // The text is the law.
                    prop_assert_eq!(Law::parse(p.law.text(), None).unwrap(), p.law);
                }
                Err(Problem::TooShort(least)) => {
                    prop_assert!(time < least);
                    let Err(e) = propose(&h, least, entries) else { return Ok(()) };
                    prop_assert_eq!(e, Problem::NothingHolds);
                }
                Err(Problem::NothingHolds) => {
                    let least = h.least_timer(1_024_000);
                    prop_assert!(timer < least);
                    let longer = Hotspot { timer: least * 1_024_000, ..h };
                    prop_assert!(propose(&longer, time, entries).is_ok());
                }
            }
        }
    }
}
