//! Offers to flows, as throttle and source response make them (H5, H8): to a flow that wants and has credit, and standing until it is taken.

use super::scoreboard::{Broken, broken};

/// No cycle was so.
pub(super) const NEVER: u64 = u64::MAX;

/// What flows and credits say, and the offer that stands.
#[derive(Clone, Debug)]
pub(super) struct Gates {
    flows: usize,
    /// Tolerance: an offer may stand for so long when its flow may no more.
    withdraw: u64,
    /// What flows and SLs want: words of the last cycle, since when it is so, and when it was so last.
    wants: Vec<u32>,
    want_since: Vec<u64>,
    want_last: Vec<u64>,
    sl_since: [u64; 16],
    sl_last: [u64; 16],
    open: u32,
    /// The offer of the last cycle, if it was not taken: flow and SL.
    pub standing: Option<(usize, u32)>,
}

impl Gates {
    pub fn new(flows: usize, withdraw: u64) -> Gates {
        Gates {
            flows,
            withdraw,
            wants: vec![0; flows.div_ceil(32)],
            want_since: vec![NEVER; flows],
            want_last: vec![NEVER; flows],
            sl_since: [NEVER; 16],
            sl_last: [NEVER; 16],
            open: 0,
            standing: None,
        }
    }

    /// What flows and credits say in this cycle.
    pub fn see(&mut self, wanted: impl Fn(usize) -> u32, open: u32, now: u64) {
        for w in 0..self.wants.len() {
            let want = wanted(w);
            let mut moved = want ^ self.wants[w];
            self.wants[w] = want;
            while moved != 0 {
                let bit = moved.trailing_zeros() as usize;
                moved &= moved - 1;
                let flow = 32 * w + bit;
                if flow >= self.flows {
                    break;
                }
                if want >> bit & 1 == 1 {
                    self.want_since[flow] = now;
                } else {
                    self.want_since[flow] = NEVER;
                    self.want_last[flow] = now.wrapping_sub(1);
                }
            }
        }
        let moved = open ^ self.open;
        self.open = open;
        for s in (0..16).filter(|s| moved >> s & 1 == 1) {
            if open >> s & 1 == 1 {
                self.sl_since[s] = now;
            } else {
                self.sl_since[s] = NEVER;
                self.sl_last[s] = now.wrapping_sub(1);
            }
        }
    }

    /// Since when a flow of this SL may go, but for its delay.
    pub fn may_since(&self, flow: usize, sl: u8) -> Option<u64> {
        let (want, open) = (self.want_since[flow], self.sl_since[usize::from(sl)]);
        (want != NEVER && open != NEVER).then(|| want.max(open))
    }

    /// An offer is for a flow that is there, wants and has credit. `Ok(true)`: it is a new one.
    pub fn offered(&self, flow: usize, sl: u32, now: u64) -> Result<bool, Broken> {
        if flow >= self.flows {
            let text = format!("an offer to flow {flow}: there are flows 0..{}", self.flows - 1);
            return broken("flow", "H8", text);
        }
        let ago = |since: u64, last: u64| match (since, last) {
            (NEVER, NEVER) => u64::MAX,
            (NEVER, last) => now - last,
            _ => 0,
        };
        let want = ago(self.want_since[flow], self.want_last[flow]);
        let asked = format!("an offer to flow {flow}, SL {sl}");
        if want > self.withdraw {
            let last =
                if want == u64::MAX { "never did".into() } else { format!("last did {want} cycles ago") };
            let text = format!("{asked}: the flow has no packet or is stopped; it {last}");
            return broken("want", "H5 H8", text);
        }
        let s = sl as usize & 15;
        let credit = ago(self.sl_since[s], self.sl_last[s]);
        if credit > self.withdraw {
            let last = if credit == u64::MAX { "never".into() } else { format!("{credit} cycles ago") };
            return broken("credit", "H5", format!("{asked}: no credit for the SL; last {last}"));
        }
        Ok(self.standing != Some((flow, sl)))
    }

    /// The offer of the last cycle stands, if nothing ended it.
    pub fn stands(&self, offer: Option<(usize, u32)>, now: u64) -> Result<(), Broken> {
        let Some((flow, sl)) = self.standing.filter(|s| offer != Some(*s)) else { return Ok(()) };
        let held = |since: u64| since != NEVER && now - since > self.withdraw;
        if held(self.want_since[flow]) && held(self.sl_since[sl as usize & 15]) {
            let is = offer.map_or("none is there".into(), |(f, s)| format!("flow {f}, SL {s}, has one"));
            let text = format!(
                "the offer to flow {flow}, SL {sl}, ended though it was not taken and the flow may go: now {is}"
            );
            return broken("dropped", "H8", text);
        }
        Ok(())
    }
}
