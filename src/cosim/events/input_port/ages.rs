//! Ages of requests, and the limit of who passes the oldest packet of a lane (AG1, AG2).

use crate::cosim::events::arrivals::{Arrivals, Own};
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::params::Params;

/// What was granted and begins to leave: output and VL, packet, when it was granted, and its age then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaves {
    pub o: usize,
    pub vl: usize,
    pub id: usize,
    pub at: u64,
    pub age: u32,
    /// Since when it was the head of its queue, at the latest.
    pub head: u64,
}

/// All lanes.
#[derive(Clone, Debug)]
pub(super) struct Ages {
    width: usize,
    ports: u64,
    /// Tolerances: of ages, and of registers.
    late: u64,
    seen: u64,
    /// Of each VL the oldest packet that was passed, by when it came, and how often.
    passed: Vec<(u64, u64)>,
    pub judged: u64,
}

impl Ages {
    pub fn new(p: &Params, late: u64, seen: u64) -> Ages {
        Ages { width: p.stamp_w, ports: p.ports as u64, late, seen, passed: vec![(0, 0); p.vls], judged: 0 }
    }

    /// A packet begins to leave. `goes`: outputs with a grant of that VL for which nothing leaves yet.
    pub fn leaves(
        &mut self,
        l: &Leaves,
        arrivals: &Arrivals,
        goes: &dyn Fn(usize) -> bool,
        now: u64,
    ) -> Result<(), Broken> {
        if self.width == 0 {
            return Ok(());
        }
        let Leaves { o, vl, id, at, age, head } = *l;
        let arrived = arrivals.packets.get(id).arrived;
        let (oldest, is, late) = (1u64 << (self.width - 1), at.saturating_sub(arrived), self.late);
        let told = || format!("output {o}: {} asks with age {age}", arrivals.told(id));
        let age = u64::from(age);
        if age > oldest {
            return broken("age", "AG1", format!("{}, more than there is", told()));
        }
        let near = is.abs_diff(age) <= late;
        // Behind others it may go round and look younger than it is.
        let round = head.saturating_sub(arrived) + late >= 2 * oldest;
        let fine = near && is < oldest + late || age == oldest && is + late >= oldest || round;
        self.judged += 1;
        if !fine {
            return broken("age", "AG1", format!("{}; it is {is} cycles old", told()));
        }
        self.passes((vl, arrived), arrivals, goes, now)
    }

    /// It may pass the oldest packet of its lane, but not too often.
    fn passes(
        &mut self,
        (vl, arrived): (usize, u64),
        arrivals: &Arrivals,
        goes: &dyn Fn(usize) -> bool,
        now: u64,
    ) -> Result<(), Broken> {
        let oldest =
            arrivals.packets.waiting.iter().map(|id| arrivals.packets.get(*id)).find(|p| p.class.vl == vl);
        let passed = &mut self.passed[vl];
        let Some(p) =
            oldest.filter(|p| p.sure && p.arrived < arrived && !goes(p.outs.trailing_zeros() as usize))
        else {
            passed.1 = 0;
            return Ok(());
        };
        let since = p.arrived.saturating_sub(self.seen);
        let limit = arrivals.register(Own::Bypass).sure(since).filter(|b| *b > 0);
        // Those as old as ages go are alike.
        let young = now + self.late < p.arrived + (1 << (self.width - 1));
        let Some(limit) = limit.filter(|_| young) else {
            passed.1 = 0;
            return Ok(());
        };
        *passed = if passed.0 == p.arrived { (p.arrived, passed.1 + 1) } else { (p.arrived, 1) };
        // (Of each output one may have been granted before.)
        if passed.1 + 2 > u64::from(limit) + 2 * self.ports {
            let text = format!(
                "VL {vl}: the packet that came in cycle {} waits, and {} that came later have left; BYPASS is {limit}",
                p.arrived, passed.1
            );
            return broken("passed", "AG2", text);
        }
        Ok(())
    }
}
