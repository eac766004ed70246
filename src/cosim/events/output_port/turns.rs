//! Who waits while others are granted (A1 to A3).

use crate::cosim::events::scoreboard::{Broken, broken};

/// A request, as it stands: length, DLID, CNP, hot.
pub(super) type Asked = [u32; 4];

/// What a request is in the cycle of a grant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stands {
    pub vl: usize,
    pub asked: Asked,
    pub cnp: bool,
    /// There is credit for it for sure, and nothing keeps it back.
    pub fits: bool,
    /// No line may hold it or be told to it.
    pub free: bool,
}

/// The packet that is granted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Granted {
    pub r: usize,
    pub vl: usize,
    pub cnp: bool,
}

#[derive(Clone, Copy, Debug)]
struct Turn {
    asked: Asked,
    /// Grants of its VL and class, and, while it fits, of data and of CNPs.
    own: u64,
    data: u64,
    cnps: u64,
}

/// All requesters.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    vls: u64,
    /// Tolerances.
    round: u64,
    turns: u64,
    passed: u64,
    all: Vec<Option<Turn>>,
    /// CNPs granted since the last data of each VL, while data of it asked.
    since: Vec<u64>,
    /// How many of these there were before CTRL was written is not known.
    unsure: Vec<bool>,
    /// CNPs that data of each VL have let pass and have not used, as 32 allow one packet to go before a CNP.
    saved: Vec<u64>,
    pub judged: u64,
}

impl Turns {
    pub fn new((requests, vls): (usize, usize), (round, turns, passed): (u64, u64, u64)) -> Turns {
        let all = vec![None; requests];
        let (since, saved) = (vec![0; vls], vec![32 * passed; vls]);
        Turns {
            vls: vls as u64,
            round,
            turns,
            passed,
            all,
            since,
            unsure: vec![false; vls],
            saved,
            judged: 0,
        }
    }

    /// 32 replies may have passed data of a VL that asks, or have: it has the next turn.
    pub fn may_be_urgent(&self, vl: usize) -> bool {
        self.unsure[vl] || self.since[vl] + 2 + self.passed >= 32
    }

    /// CTRL was written: nothing is known. (Each VL may have let 32 pass.)
    pub fn anew(&mut self) {
        self.all.fill(None);
        self.since.fill(0);
        self.unsure.fill(true);
        self.saved.fill(32 * (self.passed + 1));
    }

    /// A grant, with what stands then, and whether data of a VL ask; `plain`: CNPs are as data; `anywhere`: the round robin of
    /// data may have gone on from anywhere, so these are counted from now on.
    pub fn grant(
        &mut self,
        granted: Granted,
        stands: &dyn Fn(usize) -> Option<Stands>,
        asks: &dyn Fn(usize) -> bool,
        (plain, anywhere): (bool, bool),
    ) -> Result<(), Broken> {
        self.withheld(granted, asks, plain)?;
        let mut before = false;
        for r in 0..self.all.len() {
            let stands = if r == granted.r { None } else { stands(r).filter(|s| s.free) };
            let Some(s) = stands else {
                self.all[r] = None;
                continue;
            };
            let new = Turn { asked: s.asked, own: 0, data: 0, cnps: 0 };
            let turn = self.all[r].get_or_insert(new);
            if turn.asked != s.asked || anywhere && (plain || !s.cnp) {
                *turn = new;
            }
            if granted.vl == s.vl && (plain || !granted.cnp && !s.cnp) {
                turn.own += 1;
            }
            if s.fits {
                *(if granted.cnp { &mut turn.cnps } else { &mut turn.data }) += 1;
            } else {
                (turn.data, turn.cnps) = (0, 0);
            }
            self.judged += 1;
            let t = *turn;
            // (It stood at the grant before, too.)
            before |= s.cnp && t.data + t.cnps > 1;
            let what =
                || format!("{} of {} flits on VL {}", if s.cnp { "a CNP" } else { "data" }, s.asked[0], s.vl);
            if t.own > self.round {
                let text = format!("request {r}, {}: {} others of its VL went since it asks", what(), t.own);
                return broken("starved", "A3", text);
            }
            if t.data + t.cnps > self.turns {
                let text = format!("request {r}, {}, has credit: {} others went", what(), t.data + t.cnps);
                return broken("starved", "A3", text);
            }
            if s.cnp && !plain && t.cnps > self.round * self.vls {
                let text = format!("request {r}, {}, has credit: {} other CNPs went", what(), t.cnps);
                return broken("starved", "A3", text);
            }
            if s.cnp && !plain && t.data > self.vls * (1 + t.cnps / 32) + self.passed {
                let text =
                    format!("request {r}, {}, has credit: {} data packets went before it", what(), t.data);
                return broken("priority", "A2", text);
            }
        }
        if granted.cnp || plain || !before {
            return Ok(());
        }
        let Some(left) = self.saved[granted.vl].checked_sub(32) else {
            let text = format!(
                "data of VL {} go before a CNP that has credit, more than one for 32 CNPs",
                granted.vl
            );
            return broken("priority", "A2", text);
        };
        self.saved[granted.vl] = left;
        Ok(())
    }

    /// CNPs take no credits for ever that data of their VL wait for.
    fn withheld(
        &mut self,
        granted: Granted,
        asks: &dyn Fn(usize) -> bool,
        plain: bool,
    ) -> Result<(), Broken> {
        if plain {
            return Ok(());
        }
        if !granted.cnp {
            self.since[granted.vl] = 0;
            self.unsure[granted.vl] = false;
            return Ok(());
        }
        for v in (0..self.since.len()).filter(|v| asks(*v)) {
            self.since[v] += 1;
            self.saved[v] = (self.saved[v] + 1).min(32 * (self.passed + 1));
        }
        let passed = self.since[granted.vl];
        if asks(granted.vl) && passed > 32 + self.passed {
            let text = format!("a CNP on VL {} goes, the {passed}th since data there ask", granted.vl);
            return broken("starved", "A3", text);
        }
        Ok(())
    }
}
