//! Output queues (CQ1 to CQ3): packets that come to them, and the link that they leave by.

use super::credit::Run;
use super::packet::{Id, NONE};
use super::ports::{Far, RECENT, Sent};
use super::state::{CNP_BLOCKS, Core};
use super::wheel::Wake;
use crate::scheme::packet::Class;

impl Core {
    /// A packet was granted in cycle `t`; its first flit is read in cycle `first`.
    pub fn enqueue(&mut self, out: usize, vl: usize, id: Id, first: u64, t: u64) {
        let n = self.pool[id].n;
        let Some(q) = &mut self.outputs[out].queue else { return };
        let lane = &mut q.lanes[vl];
        lane.granted += u64::from(n);
        // It crosses in the cycle after that, and stands there in the next one.
        lane.waiting.push_back((id, first + 2));
        let at = q.next_slot((first + 2).max(q.idle_from));
        self.wheel.plan(at, Wake::Output, out);
        if self.outputs[out].follows_queue() {
            self.wheel.plan(t + 1, Wake::Output, out);
        }
    }

    /// Whether a request of so many flits fits: there is room in the output's queue, or, without one, credit.
    #[inline]
    pub fn fits(&mut self, out: usize, vl: usize, flits: u64, t: u64) -> bool {
        match &self.outputs[out].queue {
            Some(q) => q.has_room(vl, flits, t),
            None => self.has_credit(out, vl, flits, t),
        }
    }

    /// The output asks to be woken when it fits.
    #[inline]
    pub fn await_fit(&mut self, out: usize, vl: usize, flits: u64, t: u64) {
        match &self.outputs[out].queue {
            // A start of the link tells, if it is not known yet.
            Some(q) => {
                if let Some(at) = q.room_at(vl, flits, t + 1) {
                    self.wheel.plan(at, Wake::Output, out);
                }
            }
            None => self.await_credit(out, vl, flits, t),
        }
    }

    /// CQ3: the link of an output in cycle `t`.
    pub fn feed_link(&mut self, node: usize, out: usize, t: u64) {
        let Some(q) = &self.outputs[out].queue else { return };
        if t < q.idle_from || !q.waits() {
            return;
        }
        let slot = q.next_slot(t);
        if slot != t {
            self.wheel.plan(slot, Wake::Output, out);
            return;
        }
        let (vls, lp) = (q.lanes.len(), q.lp);
        let mut chosen = None;
        for v in (lp..vls).chain(0..lp) {
            let Some(&(id, stored)) =
                self.outputs[out].queue.as_ref().and_then(|q| q.lanes[v].waiting.front())
            else {
                continue;
            };
            if stored > t {
                continue; // which wakes it
            }
            let (n, class) = (u64::from(self.pool[id].n), self.pool[id].kind.class());
            if self.has_credit(out, v, n, t) {
                chosen = chosen.or(Some(v));
                continue;
            }
            self.outputs[out].turns[v].waited |= class == Class::Data;
            self.await_credit(out, v, n, t);
        }
        if let Some(v) = chosen {
            self.start(node, out, v, t);
        }
    }

    /// The head of a VL starts to leave in cycle `t`.
    fn start(&mut self, node: usize, out: usize, vl: usize, t: u64) {
        let vls = self.nodes[node].shape.vls;
        let mtu = self.nodes[node].shape.mtu;
        let o = &mut self.outputs[out];
        let Some(q) = &mut o.queue else { return };
        let lane = &mut q.lanes[vl];
        let Some((id, _)) = lane.waiting.pop_front() else { return };
        let n = self.pool[id].n;
        lane.left += u64::from(lane.run.n);
        lane.run = Run { first: t, step: q.step, n };
        q.idle_from = lane.run.last() + u64::from(q.step);
        q.lp = (vl + 1) % vls;
        let step = q.step;
        self.wheel.plan(q.idle_from, Wake::Output, out);
        // Requests that this makes room for.
        if o.want[vl] != 0 {
            for flits in [mtu, CNP_BLOCKS] {
                if let Some(at) = q.room_at(vl, flits, t + 1) {
                    self.wheel.plan(at, Wake::Output, out);
                }
            }
        }
        o.txr[vl] += u64::from(n);
        if o.follows_queue() {
            self.wheel.plan(t + 1, Wake::Output, out);
        }
        if self.pool[id].kind.class() == Class::Data {
            self.settle_root(out, vl, t);
        }
        // What is read in a cycle shows on the link two later, what leaves the queue one later.
        self.leave(out, vl, id, Run { first: t - 1, step, n });
    }

    /// D3: data of a VL have found their credits in cycle `t`.
    pub fn settle_root(&mut self, out: usize, vl: usize, t: u64) {
        let o = &mut self.outputs[out];
        let turn = &mut o.turns[vl];
        let rooted = !std::mem::take(&mut turn.waited);
        if let Some(tests) = &mut o.at_once {
            tests[vl] = (t + 1, turn.rooted);
        }
        if std::mem::replace(&mut turn.rooted, rooted) != rooted && o.congested {
            self.wheel.plan(t + 1, Wake::Output, out);
        }
    }

    /// A packet goes over the link: its flits show there two cycles after those of `run`.
    pub fn leave(&mut self, out: usize, vl: usize, id: Id, run: Run) {
        let output = &mut self.outputs[out];
        output.recent_at = (output.recent_at + 1) % RECENT;
        output.recent[output.recent_at] = Sent { run, packet: id, vl: vl as u32 };
        let p = &mut self.pool[id];
        let n = p.n;
        match output.far {
            Far::Input(down) => {
                let far = &mut self.inputs[down];
                p.t0 = run.first + 3 + output.delay;
                // (n - a) * RX_INTERVAL <= (n - 1) * RD_INTERVAL + 1
                let ahead = ((n - 1) * far.regs.rd_interval + 1) / far.rx_interval;
                let a = n.saturating_sub(ahead).max(1);
                p.start = p.t0 + u64::from(a - 1) * u64::from(run.step) + 1;
                self.wheel.plan(p.t0, Wake::Input, down);
                far.inbound.push(&mut self.pool, id);
            }
            Far::Host(h) => {
                p.t0 = run.first + 2 + output.delay;
                self.wheel.plan(p.t0, Wake::Receive, h);
                let host = &mut self.hosts[h];
                host.step = run.step;
                host.inbound.push(&mut self.pool, id);
            }
            Far::Nowhere => {}
        }
        debug_assert!(id != NONE);
        self.hops += u64::from(n);
    }
}
