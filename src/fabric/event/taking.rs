//! When a host takes the flits of a packet.

use super::credit::Run;
use super::source::paced;
use crate::fabric::net::Rate;

/// Cycles in which the host takes the flits of a packet whose flits arrive as `run`; none before or in `taken`.
pub(super) fn takes(rate: Rate, run: Run, taken: u64, start: u64, mut each: impl FnMut(Run)) -> u64 {
    if rate == Rate::FULL {
        // It took all earlier flits as they came, so it takes these as they come.
        let all = Run { first: run.first + 1, ..run };
        each(all);
        return all.last();
    }
    let mut taken = taken;
    let mut open: Option<Run> = None;
    for i in 0..run.n {
        let from = (run.first + u64::from(i) * u64::from(run.step) + 1).max(taken + 1);
        taken = start + paced(rate, from - start, 0);
        match &mut open {
            Some(r) if r.n == 1 => {
                r.step = (taken - r.first) as u32;
                r.n = 2;
            }
            Some(r) if r.last() + u64::from(r.step) == taken => r.n += 1,
            Some(r) => {
                each(*r);
                *r = Run { first: taken, step: 1, n: 1 };
            }
            None => open = Some(Run { first: taken, step: 1, n: 1 }),
        }
    }
    if let Some(r) = open {
        each(r);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paced_stream_moves_when_the_rate_allows() {
        for rate in [Rate(65_536), Rate(40_000), Rate(32_768), Rate(6_554), Rate(65_535)] {
            for from in 0..200 {
                let allowed: Vec<u64> = (from..).filter(|&t| rate.allows(t)).take(8).collect();
                let closed: Vec<u64> = (0..8).map(|i| paced(rate, from, i)).collect();
                assert_eq!(closed, allowed, "{rate:?} {from}");
            }
        }
    }

    #[test]
    fn runs_of_taken_flits_are_the_cycles_one_by_one() {
        for rate in [Rate(65_536), Rate(40_000), Rate(32_768), Rate(60_000)] {
            for step in 1..4 {
                let run = Run { first: 1007, step, n: 9 };
                let mut cycles = Vec::new();
                let last = takes(rate, run, 1005, 1000, |r| {
                    cycles.extend((0..r.n).map(|i| r.first + u64::from(i * r.step)));
                });
                let mut expected = Vec::new();
                let mut t = 1006;
                for i in 0..9 {
                    t = t.max(1007 + i * u64::from(step) + 1);
                    while !rate.allows(t - 1000) {
                        t += 1;
                    }
                    expected.push(t);
                    t += 1;
                }
                assert_eq!(cycles, expected, "{rate:?} {step}");
                assert_eq!(last, expected[8]);
            }
        }
    }
}
