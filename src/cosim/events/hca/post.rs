//! What the host posts and delivers (H1): packets of a flow are asked for in the order in which they were posted, flit by flit.

use std::collections::VecDeque;

use crate::cosim::events::scoreboard::{Broken, broken};

/// A packet that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub flow: usize,
    pub psn: u32,
    pub n: u32,
    /// The next flit.
    pub index: u32,
    /// The cycle in which it was posted.
    pub posted: u64,
}

/// What fills a flow.
#[derive(Debug)]
pub(super) struct Room<'a> {
    /// The most packets of the host that it may have.
    pub most: usize,
    /// Flows that nothing else fills, words.
    pub sure: &'a [u32],
    /// A window lets in so many of all flows, or perhaps more.
    pub window: Option<usize>,
}

/// Queues of flows, and the packet that is asked for.
#[derive(Debug)]
pub(super) struct Posts {
    mtu: u32,
    queues: Vec<VecDeque<(u32, u32, u64)>>,
    /// Flows with a packet, words.
    pub waiting: Vec<u32>,
    pub current: Option<Asked>,
    /// Since when nothing was asked for inside a packet.
    silent: u64,
    /// Since when a flow is full for no reason that is seen.
    full: Vec<Option<u64>>,
    /// Packets of all flows.
    held: usize,
    pub posted: u64,
}

impl Posts {
    pub fn new(flows: usize, mtu: usize) -> Posts {
        Posts {
            mtu: mtu as u32,
            queues: vec![VecDeque::new(); flows],
            waiting: vec![0; flows.div_ceil(32)],
            current: None,
            silent: 0,
            full: vec![None; flows],
            held: 0,
            posted: 0,
        }
    }

    /// The host posts a packet of `n` flits, and is refused if the flow is full.
    pub fn post(&mut self, flow: usize, (n, psn): (u32, u32), full: bool, now: u64) {
        if let Some(queue) = self.queues.get_mut(flow)
            && (1..=self.mtu).contains(&n)
            && !full
        {
            queue.push_back((n, psn, now));
            self.waiting[flow / 32] |= 1 << (flow % 32);
            self.posted += 1;
            self.held += 1;
        }
    }

    /// A flow is full when it has as many packets as it may have (one more may be chosen and not asked for yet), and but for some cycles
    /// only then, or when there are as many of all flows as a window lets in.
    pub fn fills(
        &mut self,
        full: &dyn Fn(usize) -> bool,
        room: &Room,
        late: u64,
        now: u64,
    ) -> Result<(), Broken> {
        let window = room.window.is_some_and(|n| self.held >= n);
        for (flow, queue) in self.queues.iter().enumerate() {
            let has = queue.len();
            let told = full(flow);
            if !told && has > room.most + 1 {
                let text =
                    format!("flow {flow} has {has} packets and is not full; {} are the most", room.most);
                return broken("full", "H1", text);
            }
            if !told || window || has >= room.most || room.sure[flow / 32] >> (flow % 32) & 1 == 0 {
                self.full[flow] = None;
                continue;
            }
            let since = *self.full[flow].get_or_insert(now);
            if now - since > late {
                let text = format!(
                    "flow {flow} has {has} packets of {}, and takes no more for {} cycles",
                    room.most,
                    now - since
                );
                return broken("full", "H1", text);
            }
        }
        Ok(())
    }

    /// It is not sure what a flow may have.
    pub fn unsure(&mut self) {
        self.full.fill(None);
    }

    /// What is asked for in this cycle: flow, PSN, flit. `true`: a packet begins.
    pub fn asks(&mut self, (flow, psn, index): (usize, u32, u32)) -> Result<bool, Broken> {
        let seen = format!("asked for is flit {index} of flow {flow}, PSN {psn}");
        if let Some(c) = self.current {
            if (c.flow, c.psn, c.index) != (flow, psn, index) {
                let text = format!(
                    "{seen}, and the next one is flit {} of {} of flow {}, PSN {}",
                    c.index, c.n, c.flow, c.psn
                );
                return broken("dma", "H1", text);
            }
            return Ok(false);
        }
        let Some(&(n, first, posted)) = self.queues.get(flow).and_then(|q| q.front()) else {
            return broken("post", "H1", format!("{seen}, and the flow has no packet"));
        };
        if index > 0 {
            return broken("dma", "H1", format!("{seen}, and a packet begins"));
        }
        if psn != first {
            return broken("post", "H1", format!("{seen}, and its first packet has PSN {first}"));
        }
        self.queues[flow].pop_front();
        self.held -= 1;
        if self.queues[flow].is_empty() {
            self.waiting[flow / 32] &= !(1 << (flow % 32));
        }
        self.current = Some(Asked { flow, psn, n, index, posted });
        Ok(true)
    }

    /// The flit goes. The packet, if it is its last one.
    pub fn goes(&mut self) -> Option<Asked> {
        let c = self.current.as_mut()?;
        c.index += 1;
        if c.index < c.n {
            return None;
        }
        self.current.take()
    }

    /// A packet that has begun is asked for to its end.
    pub fn goes_on(&mut self, asks: bool, most: u64) -> Result<(), Broken> {
        self.silent = if asks || self.current.is_none() { 0 } else { self.silent + 1 };
        match self.current {
            Some(c) if self.silent > most => {
                let text = format!(
                    "flit {} of {} of flow {}, PSN {}, is not asked for in {} cycles",
                    c.index, c.n, c.flow, c.psn, self.silent
                );
                broken("dma", "H1", text)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::events::scoreboard::kind;

    fn posts() -> Posts {
        let mut p = Posts::new(3, 4);
        p.post(1, (2, 7), false, 5);
        p.post(1, (1, 8), false, 6);
        p.post(1, (1, 9), true, 7);
        p.post(1, (5, 9), false, 8);
        p.post(3, (1, 9), false, 9);
        p
    }

    #[test]
    fn a_flow_is_asked_for_in_order_and_whole() {
        let mut p = posts();
        assert_eq!((p.posted, p.waiting[0]), (2, 2));
        assert_eq!((p.asks((1, 7, 0)), p.goes(), p.asks((1, 7, 1))), (Ok(true), None, Ok(false)));
        assert_eq!(p.goes(), Some(Asked { flow: 1, psn: 7, n: 2, index: 2, posted: 5 }));
        assert_eq!((p.asks((1, 8, 0)), p.goes().is_some(), p.waiting[0]), (Ok(true), true, 0));
        assert_eq!(kind(p.asks((1, 8, 0))), "post");
    }

    #[test]
    fn what_is_asked_for_else_is_told() {
        for (asked, found) in
            [((1, 8, 0), "post"), ((0, 7, 0), "post"), ((1, 7, 1), "dma"), ((9, 7, 0), "post")]
        {
            assert_eq!(kind(posts().asks(asked)), found);
        }
        let mut p = posts();
        p.asks((1, 7, 0)).unwrap();
        assert_eq!((p.goes_on(false, 1), kind(p.goes_on(false, 1))), (Ok(()), "dma"));
        p.goes();
        assert_eq!(kind(p.asks((1, 7, 0))), "dma");
    }

    #[test]
    fn a_flow_is_full_when_it_has_as_many_as_it_may() {
        let room = |most, window| Room { most, sure: &[7], window };
        let full = |flows: u32| move |f: usize| flows >> f & 1 == 1;
        // Flow 1 has two of four, the others have none.
        let mut p = posts();
        let r = room(4, None);
        assert_eq!((p.fills(&full(3), &r, 2, 10), p.fills(&full(2), &r, 2, 12)), (Ok(()), Ok(())));
        assert_eq!((p.fills(&full(1), &r, 2, 13), p.fills(&full(3), &r, 2, 15)), (Ok(()), Ok(())));
        assert_eq!(kind(p.fills(&full(3), &r, 2, 16)), "full");
        let mut p = posts();
        assert_eq!((p.fills(&full(2), &r, 2, 10), kind(p.fills(&full(2), &r, 2, 13))), (Ok(()), "full"));
        // Two are the most, by the flow or by the window; a CNP may be there; and it was not sure for a time.
        for r in [room(2, None), room(4, Some(2)), Room { sure: &[5], ..room(4, None) }] {
            let mut p = posts();
            assert_eq!((p.fills(&full(2), &r, 2, 10), p.fills(&full(2), &r, 2, 13)), (Ok(()), Ok(())));
        }
        let mut p = posts();
        let r = room(4, Some(3));
        p.fills(&full(2), &r, 2, 10).unwrap();
        p.unsure();
        assert_eq!((p.fills(&full(2), &r, 2, 13), kind(p.fills(&full(2), &r, 2, 16))), (Ok(()), "full"));
        // It takes a third one of two, which may be chosen, and no fourth.
        let mut p = posts();
        let r = room(2, None);
        p.post(1, (1, 9), false, 9);
        assert_eq!((p.fills(&full(0), &r, 2, 10), p.fills(&full(2), &r, 2, 11)), (Ok(()), Ok(())));
        p.post(1, (1, 10), false, 12);
        assert_eq!(kind(p.fills(&full(0), &r, 2, 12)), "full");
    }
}
