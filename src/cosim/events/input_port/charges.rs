//! What is charged to queues, as far as pins tell (B1, D1): of each output and VL the least and the most, and of each destination the most
//! that counts for Stop & Go.

use crate::cosim::events::arrivals::Arrivals;
use crate::params::Params;

/// Packets that were granted and have not begun to leave, by output: VL and flits.
pub(super) type Granted = [Vec<(usize, u32)>];

/// Flits that may be charged in this cycle.
#[derive(Clone, Debug)]
pub(super) struct Charges {
    vls: usize,
    lft_depth: usize,
    /// Tolerance: until what comes is charged.
    late: u64,
    /// By output and VL: for sure in the cold queue since so long, and at most in the port.
    pub least: Vec<u32>,
    pub most: Vec<u32>,
    /// A whole packet waits there, for sure.
    pub waits: Vec<bool>,
    /// By VL and DLID: data that are no ACKs, at most.
    reach: Vec<u32>,
    /// The elements of this that are not 0.
    touched: Vec<usize>,
}

impl Charges {
    pub fn new(p: &Params, late: u64) -> Charges {
        let queues = p.ports * p.vls;
        Charges {
            vls: p.vls,
            lft_depth: p.lft_depth,
            late,
            least: vec![0; queues],
            most: vec![0; queues],
            waits: vec![false; queues],
            reach: vec![0; p.vls * p.lft_depth],
            touched: Vec::new(),
        }
    }

    /// Looks at all packets. `hot`: data may be in hot queues; `leaving`: the packet that leaves by each output.
    pub fn look(
        &mut self,
        arrivals: &Arrivals,
        hot: bool,
        leaving: &[Option<usize>],
        granted: &Granted,
        now: u64,
    ) {
        self.least.fill(0);
        self.most.fill(0);
        self.waits.fill(false);
        self.touched.drain(..).for_each(|at| self.reach[at] = 0);
        let waiting = arrivals.packets.waiting.iter().map(|id| (*id, false));
        let all = waiting.chain(leaving.iter().flatten().map(|id| (*id, true)));
        for (id, leaves) in all {
            let p = arrivals.packets.get(id);
            let n = p.n as u32;
            let mut outs = p.outs;
            while outs != 0 {
                let o = outs.trailing_zeros() as usize;
                outs &= outs - 1;
                let q = o * self.vls + p.class.vl;
                self.most[q] += n;
                if p.sure && !leaves && p.outs == 1 << o {
                    self.waits[q] |= p.whole.is_some();
                    if (p.class.cnp || !hot) && now - p.arrived > self.late {
                        self.least[q] += n;
                    }
                }
            }
            let ack = arrivals.opcode(&p.words) & 0x1f == 0x11;
            let dlid = usize::from(p.class.dlid);
            if !p.class.cnp && !ack && p.outs != 0 && dlid < self.lft_depth {
                let at = p.class.vl * self.lft_depth + dlid;
                if self.reach[at] == 0 {
                    self.touched.push(at);
                }
                self.reach[at] += n;
            }
        }
        for (o, packets) in granted.iter().enumerate() {
            for &(vl, n) in packets {
                let least = &mut self.least[o * self.vls + vl];
                *least = least.saturating_sub(n);
            }
        }
    }

    /// What counts for Stop & Go of a queue for these destinations, at most.
    pub fn reach(&self, vl: usize, list: &[u16]) -> u32 {
        let of = |d: &u16| self.reach.get(vl * self.lft_depth + usize::from(*d)).copied().unwrap_or(0);
        list.iter().map(of).sum()
    }
}
