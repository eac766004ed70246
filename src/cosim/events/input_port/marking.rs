//! What an input port tells of markable packets and of its buffer (SM1 to SM3, VM1): that they come, that a lane's buffer has become full, and
//! which packets are to be marked for that.

use std::collections::VecDeque;

use super::charges::Granted;
use crate::cosim::events::arrivals::Arrivals;
use crate::cosim::events::register::Register;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

/// A markable packet that came, of which `enter` was not shown.
#[derive(Clone, Copy, Debug)]
struct Came {
    at: u64,
    outs: u32,
    sure: bool,
}

/// A VL.
#[derive(Clone, Debug, Default)]
struct Lane {
    came: VecDeque<Came>,
    /// Flits that came in the last cycles.
    flits: VecDeque<u64>,
    /// The last cycle in which the level was not passed for sure, and since when it is for sure.
    below: u64,
    above: Option<u64>,
    /// A packet was accepted while it was not, then, and nothing can have been told since.
    armed: Option<u64>,
    /// The last time that it was told to be full, and the last packet that might be accepted.
    told: u64,
    packet: u64,
    /// Blocks that were in use at most in the last cycles: cycle and number.
    most: VecDeque<(u64, i32)>,
}

/// All of them.
#[derive(Clone, Debug)]
pub(super) struct Marking {
    on: bool,
    vls: usize,
    /// Tolerance.
    late: u64,
    now: u64,
    lanes: Vec<Lane>,
    /// Of each output and VL, when its buffer was told to be full; the last ones.
    fills: Vec<VecDeque<u64>>,
    level: Register,
    level_at: u32,
    /// What the design has been seen to tell: packets, and fills.
    shown: [bool; 2],
    pub judged: [u64; 3],
}

/// Fills that are remembered.
const FILLS: usize = 64;

/// A packet that was granted and begins to leave: output and VL, when it came and was granted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaves {
    pub q: usize,
    pub arrived: u64,
    pub granted: u64,
    pub markable: bool,
}

impl Marking {
    pub fn new(p: &Params, late: u64) -> Marking {
        let (cap, mtu) = (p.cap(0) as u32, p.mtu as u32);
        Marking {
            on: p.markers,
            vls: p.vls,
            late,
            now: 0,
            lanes: vec![Lane::default(); p.vls],
            fills: vec![VecDeque::new(); p.ports * p.vls],
            level: Register::new(cap - mtu.div_ceil(2)),
            level_at: addr(UnitKind::InputPort, "FILL_LEVEL").into(),
            shown: [false; 2],
            judged: [0; 3],
        }
    }

    /// A register is written.
    pub fn write(&mut self, address: u32, data: u32, now: u64) {
        if address == self.level_at {
            self.level.write(data & 0xffff, now);
        }
    }

    /// A flit of a VL came, and with it a packet that may be accepted, or is for sure; it may be markable.
    pub fn came(&mut self, vl: usize, first: Option<(u32, bool, bool)>, now: u64) {
        let lane = &mut self.lanes[vl];
        lane.flits.push_back(now);
        let Some((outs, sure, markable)) = first else { return };
        lane.packet = now;
        if sure && lane.below == now {
            lane.armed = lane.armed.or(Some(now));
        }
        if markable {
            lane.came.push_back(Came { at: now, outs, sure });
        }
    }

    /// What is told in this cycle; `granted`: packets that have not begun to leave.
    pub fn cycle(
        &mut self,
        arrivals: &Arrivals,
        granted: &Granted,
        (enter, full): (&[u32], &[u32]),
        now: u64,
    ) -> Result<(), Broken> {
        self.now = now;
        if !self.on {
            return Ok(());
        }
        self.levels(arrivals);
        for q in 0..enter.len() {
            if enter[q] & 1 == 1 {
                self.enters(q)?;
            }
            if full[q] & 1 == 1 {
                self.fills(q, arrivals)?;
            }
        }
        let late = 2 * self.late;
        for v in 0..self.vls {
            while let Some(c) = self.lanes[v].came.front().copied().filter(|c| now - c.at > late) {
                if c.sure && self.shown[0] && c.outs.is_power_of_two() {
                    let text =
                        format!("VL {v}: the markable packet that came in cycle {} was not told of", c.at);
                    return broken("enter", "SM4", text);
                }
                // (One that may have been refused may be told of instead of one that came later.)
                if !c.sure && now - c.at <= 2 * late {
                    break;
                }
                self.lanes[v].came.pop_front();
            }
            self.must_fill(v, arrivals, granted)?;
        }
        Ok(())
    }

    /// Whether levels are passed.
    fn levels(&mut self, arrivals: &Arrivals) {
        let (now, late) = (self.now, self.late);
        let soon = now.saturating_sub(2 * late);
        let (least, most) = self.level.range(soon);
        let (least, most) = (least as i32, most as i32);
        for (v, lane) in self.lanes.iter_mut().enumerate() {
            while lane.flits.front().is_some_and(|f| now - f > late) {
                lane.flits.pop_front();
            }
            let held = arrivals.held(v);
            lane.most.push_back((now, held));
            while lane.most.front().is_some_and(|m| now - m.0 > late) {
                lane.most.pop_front();
            }
            let held = lane.most.iter().map(|m| m.1).max().unwrap_or(0);
            if held <= least {
                lane.below = now;
                lane.above = None;
                continue;
            }
            if arrivals.in_use(v) - lane.flits.len() as i32 > most {
                lane.above = lane.above.or(Some(now));
            } else if lane.above.take().is_some() {
                lane.armed = None;
            }
        }
    }

    fn enters(&mut self, q: usize) -> Result<(), Broken> {
        let (o, v) = (q / self.vls, q % self.vls);
        self.shown[0] = true;
        let came = &mut self.lanes[v].came;
        let here = |c: &&Came| c.outs >> o & 1 == 1;
        let at = came.iter().position(|c| here(&c) && c.sure).or(came.iter().position(|c| here(&c)));
        let Some(at) = at else {
            let text = format!("output {o}, VL {v}: a markable packet is told of that did not come");
            return broken("enter", "SM4", text);
        };
        came.remove(at);
        self.judged[0] += 1;
        Ok(())
    }

    /// The buffer of a VL is told to be full, with packets for an output in it.
    fn fills(&mut self, q: usize, arrivals: &Arrivals) -> Result<(), Broken> {
        let (o, v, now) = (q / self.vls, q % self.vls, self.now);
        self.shown[1] = true;
        let wrong = |why: &str| {
            broken("full", "SM1 SM2", format!("output {o}, VL {v}: the buffer is told to be full, {why}"))
        };
        let lane = &mut self.lanes[v];
        // (Its level may be passed in the cycle in which it comes to be told.)
        if lane.below == now {
            return wrong("and it does not hold so much");
        }
        if lane.told > 0 && lane.told + self.late < now && lane.packet + 2 * self.late < lane.told {
            return wrong("and no packet came since it was told so");
        }
        if lane.above.is_some_and(|a| now - a > 2 * self.late) {
            return wrong("and has been so for long");
        }
        (lane.told, lane.armed) = (now, None);
        let fills = &mut self.fills[q];
        if fills.len() == FILLS {
            fills.pop_front();
        }
        fills.push_back(now);
        let waits = |id: &usize| {
            let p = arrivals.packets.get(*id);
            p.class.vl == v && p.outs >> o & 1 == 1 && arrivals.markable(&p.words)
        };
        let left = arrivals.went(o, v).is_some_and(|w| now - w <= 2 * self.late);
        if !left && !arrivals.packets.waiting.iter().any(waits) {
            return wrong("and nothing that may be marked waits there");
        }
        self.judged[1] += 1;
        Ok(())
    }

    /// A level that is passed for sure, and was not, was told of, where something waits.
    fn must_fill(&mut self, v: usize, arrivals: &Arrivals, granted: &Granted) -> Result<(), Broken> {
        let (now, late) = (self.now, self.late);
        let lane = &mut self.lanes[v];
        if !self.shown[1] || lane.above.is_none_or(|a| now - a <= 2 * late) {
            return Ok(());
        }
        let below = lane.below;
        // (One that came with the last of these cycles may have come too late.)
        let Some(_) = lane.armed.take().filter(|a| a + late <= below) else { return Ok(()) };
        let waits = |id: &&usize| {
            let p = arrivals.packets.get(**id);
            let since = p.whole.is_some() && p.arrived + late < below;
            p.class.vl == v && p.outs.is_power_of_two() && p.sure && since && arrivals.markable(&p.words)
        };
        for id in arrivals.packets.waiting.iter().filter(waits) {
            let o = arrivals.packets.get(*id).outs.trailing_zeros() as usize;
            let q = o * self.vls + v;
            // (What is granted waits no more.)
            let goes = granted.get(o).is_none_or(|g| g.iter().any(|g| g.0 == v));
            if !goes && self.fills[q].back().is_none_or(|f| *f < below) {
                let text = format!("output {o}, VL {v}: the buffer has become full, and is not told to be");
                return broken("full", "SM1 SM2", text);
            }
        }
        self.judged[1] += 1;
        Ok(())
    }

    /// A packet begins to leave, to be marked or not; `naive`: what is known of that bit since it came.
    pub fn leaves(&mut self, l: Leaves, mark: bool, (may, must): (bool, bool)) -> Result<(), Broken> {
        if !self.on {
            return Ok(());
        }
        let (o, v) = (l.q / self.vls, l.q % self.vls);
        let wrong = |why: &str| {
            broken(
                "mark",
                "SM3",
                format!("output {o}, VL {v}: the packet that came in cycle {} {why}", l.arrived),
            )
        };
        if mark && !l.markable {
            return wrong("is to be marked, and is a reply, has no BTH, or goes to many");
        }
        if mark && !may {
            return wrong("is to be marked, and naive is 0");
        }
        let late = 2 * self.late;
        let fills = &self.fills[l.q];
        let forgotten = fills.len() == FILLS && fills[0] > l.arrived;
        let may_be = fills.iter().any(|f| f + late >= l.arrived && *f <= l.granted + late);
        let is = fills.iter().any(|f| *f > l.arrived + late && f + late < l.granted);
        if mark && !may_be && !forgotten && self.shown[1] {
            return wrong("is to be marked, and its buffer did not become full while it waited");
        }
        if !mark && must && is && l.markable {
            return wrong("is not to be marked, and its buffer became full while it waited");
        }
        self.judged[2] += u64::from(may);
        Ok(())
    }
}
