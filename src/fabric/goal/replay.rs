//! Replays a trace: which host offers which packet when, given what has been taken and delivered so far.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use super::check::Schedule;
use super::trace::{OpKind, Trace};
use crate::fabric::traffic::Offer;

/// No rank, no time.
const NONE: u32 = u32::MAX;
const NEVER: u64 = u64::MAX;

/// An operation, ready to run.
#[derive(Debug)]
enum Action {
    /// Cycles.
    Calc(u64),
    /// To a rank, with so many flits.
    Send {
        to: u32,
        flits: u64,
    },
    Recv,
}

/// What happens next inside the trace.
#[derive(Clone, Copy, Debug)]
enum Event {
    Start(u32, u64),
    End(u32, u64),
}

/// The sends of a rank.
#[derive(Debug)]
struct Sender {
    node: usize,
    /// Sends that have started: (cycle, operation).
    waiting: BinaryHeap<Reverse<(u64, u32)>>,
    /// The send whose packets go out, and its flits not yet taken.
    current: Option<(u32, u64)>,
    /// First cycle in which the host may offer again, with 32 fraction bits.
    free: u128,
    /// Cycles per flit, 32 fraction bits.
    period: u64,
}

/// A trace being replayed.
#[derive(Debug)]
pub struct Replay {
    mtu: u64,
    actions: Vec<Action>,
    partner: Vec<u32>,
    rank_of_op: Vec<u32>,
    /// Events that each operation still waits for, and the latest of those that came.
    pending: Vec<u32>,
    ready: Vec<u64>,
    /// Operations that wait for the start (0) or the end (1) of each.
    after: [Vec<Vec<u32>>; 2],
    /// Receives: when posted, and when the message was there.
    posted: Vec<u64>,
    arrived: Vec<u64>,
    senders: Vec<Sender>,
    rank_of: Vec<u32>,
    /// Messages on the network: their receives and missing flits, by (source, destination) rank.
    under_way: HashMap<(u32, u32), VecDeque<(u32, u64)>>,
    ended: usize,
    last: u64,
    changed: Vec<u32>,
}

impl Replay {
    /// Rank r runs on `nodes[r]`. `rates`: flits per cycle that each node can inject. `cycle_ps`: duration of a cycle if
    /// `calc` is in nanoseconds.
    pub fn new(
        trace: &Trace,
        schedule: &Schedule,
        nodes: &[u32],
        rates: &[f64],
        mtu: usize,
        cycle_ps: Option<u64>,
    ) -> Replay {
        let bases = trace.bases();
        let total = bases[bases.len() - 1];
        let mut r = Replay {
            mtu: mtu as u64,
            actions: Vec::with_capacity(total),
            partner: schedule.partner.clone(),
            rank_of_op: Vec::with_capacity(total),
            pending: vec![0; total],
            ready: vec![0; total],
            after: [vec![Vec::new(); total], vec![Vec::new(); total]],
            posted: vec![NEVER; total],
            arrived: vec![NEVER; total],
            senders: Vec::with_capacity(nodes.len()),
            rank_of: vec![NONE; rates.len()],
            under_way: HashMap::new(),
            ended: 0,
            last: 0,
            changed: Vec::new(),
        };
        for (rank, (ops, &node)) in trace.ranks.iter().zip(nodes).enumerate() {
            r.rank_of[node as usize] = rank as u32;
            let period = ((1u64 << 32) as f64 / rates[node as usize]).round() as u64;
            let (waiting, current, node) = (BinaryHeap::new(), None, node as usize);
            r.senders.push(Sender { node, waiting, current, free: 0, period });
            for op in &ops.ops {
                r.rank_of_op.push(rank as u32);
                r.actions.push(match op.kind {
                    OpKind::Calc { time } => Action::Calc(match cycle_ps {
                        None => time,
                        Some(ps) => (u128::from(time) * 1000).div_ceil(u128::from(ps)) as u64,
                    }),
                    OpKind::Send { bytes, to, .. } => Action::Send { to, flits: bytes.div_ceil(64).max(1) },
                    OpKind::Recv { .. } => Action::Recv,
                });
            }
            for d in &ops.dependencies {
                r.pending[bases[rank] + d.op] += 1;
                r.after[usize::from(!d.start)][bases[rank] + d.on].push((bases[rank] + d.op) as u32);
            }
        }
        let first: Vec<Event> =
            (0..total).filter(|&i| r.pending[i] == 0).map(|i| Event::Start(i as u32, 0)).collect();
        r.run(first);
        r.changed.clear();
        r
    }

    /// Carries out events and all that follow from them at once.
    fn run(&mut self, mut events: Vec<Event>) {
        while let Some(event) = events.pop() {
            let (op, time, which) = match event {
                Event::Start(op, t) => (op, t, 0),
                Event::End(op, t) => (op, t, 1),
            };
            let i = op as usize;
            if which == 1 {
                self.ended += 1;
                self.last = self.last.max(time);
            } else {
                match self.actions[i] {
                    Action::Calc(cycles) => events.push(Event::End(op, time.saturating_add(cycles))),
                    Action::Recv => {
                        self.posted[i] = time;
                        if self.arrived[i] != NEVER {
                            events.push(Event::End(op, time.max(self.arrived[i])));
                        }
                    }
                    Action::Send { to, .. } if to == self.rank_of_op[i] => {
                        events.push(Event::End(op, time));
                        self.arrive(self.partner[i], time, &mut events);
                    }
                    Action::Send { .. } => {
                        let rank = self.rank_of_op[i];
                        self.senders[rank as usize].waiting.push(Reverse((time, op)));
                        self.changed.push(rank);
                    }
                }
            }
            for next in std::mem::take(&mut self.after[which][i]) {
                let n = next as usize;
                self.ready[n] = self.ready[n].max(time);
                self.pending[n] -= 1;
                if self.pending[n] == 0 {
                    events.push(Event::Start(next, self.ready[n]));
                }
            }
        }
    }

    /// The message of a receive is there.
    fn arrive(&mut self, recv: u32, time: u64, events: &mut Vec<Event>) {
        let i = recv as usize;
        self.arrived[i] = time;
        if self.posted[i] != NEVER {
            events.push(Event::End(recv, time.max(self.posted[i])));
        }
    }

    /// Whether a node has a rank.
    pub fn has_rank(&self, node: usize) -> bool {
        self.rank_of[node] != NONE
    }

    /// The next cycle in which a node offers a packet; `u64::MAX` for none.
    pub fn next_offer(&self, node: usize) -> u64 {
        let Some(s) = self.senders.get(self.rank_of[node] as usize) else { return NEVER };
        let ready = match (s.current, s.waiting.peek()) {
            (Some(_), _) => 0,
            (None, Some(Reverse((t, _)))) => *t,
            (None, None) => return NEVER,
        };
        ready.max((s.free >> 32) as u64)
    }

    /// The send on offer and its flits not yet taken.
    fn head(&self, s: &Sender) -> Option<(u32, u64)> {
        s.current.or_else(|| {
            let Reverse((_, op)) = s.waiting.peek()?;
            match self.actions[*op as usize] {
                Action::Send { flits, .. } => Some((*op, flits)),
                _ => None,
            }
        })
    }

    /// The packet on offer.
    pub fn offer(&self, node: usize) -> Offer {
        let s = &self.senders[self.rank_of[node] as usize];
        let (op, left) = self.head(s).expect("an offer is asked for only when there is one");
        let to = self.rank_of_op[self.partner[op as usize] as usize];
        let dst = self.senders[to as usize].node as u32;
        Offer::packet(dst, left.min(self.mtu) as u8, self.next_offer(node))
    }

    /// The packet on offer was taken.
    pub fn take(&mut self, node: usize, now: u64) {
        let rank = self.rank_of[node];
        let (op, left) =
            self.head(&self.senders[rank as usize]).expect("a packet is taken only when offered");
        let recv = self.partner[op as usize];
        let s = &mut self.senders[rank as usize];
        if s.current.is_none() {
            s.waiting.pop();
            let to = self.rank_of_op[recv as usize];
            self.under_way.entry((rank, to)).or_default().push_back((recv, left));
        }
        let len = left.min(self.mtu);
        s.current = Some((op, left - len)).filter(|&(_, l)| l > 0);
        let s = &mut self.senders[rank as usize];
        s.free = s.free.max(u128::from(now) << 32) + u128::from(s.period * len);
        self.changed.push(rank);
        if self.senders[rank as usize].current.is_none() {
            self.run(vec![Event::End(op, now + 1)]);
        }
    }

    /// A packet between two ranks' nodes has been taken by its destination.
    pub fn delivered(&mut self, src: usize, dst: usize, len: u8, now: u64) {
        let pair = (self.rank_of[src], self.rank_of[dst]);
        let Some(queue) = self.under_way.get_mut(&pair) else { return };
        let Some((recv, left)) = queue.front_mut() else { return };
        *left -= u64::from(len).min(*left);
        if *left == 0 {
            let recv = *recv;
            queue.pop_front();
            let mut events = Vec::new();
            self.arrive(recv, now + 1, &mut events);
            self.run(events);
        }
    }

    /// One of the nodes whose next offer may have changed since it was last asked for.
    pub fn changed(&mut self) -> Option<usize> {
        self.changed.pop().map(|rank| self.senders[rank as usize].node)
    }

    /// When the last operation ended, if all have.
    pub fn finish(&self) -> Option<u64> {
        (self.ended == self.actions.len()).then_some(self.last)
    }

    /// Operations that have ended, and all.
    pub fn progress(&self) -> (usize, usize) {
        (self.ended, self.actions.len())
    }
}
