//! Windows of an adapter with ACKs (AK6, AK7): of each flow the packets that are outstanding for sure.

use crate::cosim::events::register::Register;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::params::{Params, UnitKind};
use crate::registers::addr;

#[derive(Clone, Copy, Debug, Default)]
struct Flow {
    /// Packets outstanding, at least; `None`: so many that they are not counted.
    out: Option<u32>,
    /// When its last packet was sent, and when an ACK came last with nothing outstanding: it may be of a packet that begins just then.
    left: u64,
    stray: Option<u64>,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Windows {
    flows: Vec<Flow>,
    /// The flow whose packet is being sent.
    sending: Option<usize>,
    /// What is silent for so long may be given up.
    longest: u64,
    late: u64,
    /// CTRL and WMAX, and their numbers.
    registers: [Register; 2],
    addresses: [u32; 2],
    pub judged: u64,
}

/// More packets than these are not counted.
const MOST: u32 = 511;

impl Windows {
    pub fn new(p: &Params, late: u64) -> Windows {
        Windows {
            flows: vec![Flow { out: Some(0), ..Flow::default() }; p.flows],
            sending: None,
            longest: 1 << (p.ts_w - 2),
            late,
            registers: [0, 1].map(Register::new),
            addresses: ["CTRL", "WMAX"].map(|n| addr(UnitKind::SourceResponse, n).into()),
            judged: 0,
        }
    }

    pub fn write(&mut self, number: u32, data: u32, now: u64) {
        if let Some(at) = self.addresses.iter().position(|a| *a == number) {
            self.registers[at].write(data & 0xff, now);
        }
    }

    /// The source response may be on, since a cycle.
    pub fn may_be_on(&self, since: u64) -> bool {
        self.registers[0].told(since, |c| c & 1 == 1).may
    }

    /// A packet of a flow begins that was chosen in a cycle, at the earliest.
    pub fn begins(&mut self, flow: usize, chosen: u64, now: u64) -> Result<(), Broken> {
        self.ages(flow, now);
        let since = chosen.saturating_sub(self.late);
        let on = self.registers[0].told(since, |c| c & 1 == 1).must;
        let widest = self.registers[1].since(since).map(|w| if w == 0 { u32::MAX } else { w }).max();
        let (out, widest) = (self.flows[flow].out.unwrap_or(0), widest.unwrap_or(u32::MAX));
        if on && widest < u32::MAX {
            self.judged += 1;
            if out >= widest {
                let text =
                    format!("a packet of flow {flow} begins, and {out} are outstanding; WMAX is {widest}");
                return broken("window", "AK6 VR2", text);
            }
        }
        let f = &mut self.flows[flow];
        let stray = f.stray.take().is_some_and(|s| now - s <= self.late);
        f.out = f.out.map(|out| out + u32::from(!stray)).filter(|out| *out < MOST);
        self.sending = Some(flow);
        Ok(())
    }

    /// What a silent flow has outstanding may be given up.
    fn ages(&mut self, flow: usize, now: u64) {
        let f = &mut self.flows[flow];
        if self.sending != Some(flow) && now - f.left + self.late > self.longest {
            f.out = Some(0);
        }
    }

    /// The last flit of a packet goes.
    pub fn sent(&mut self, now: u64) {
        if let Some(flow) = self.sending.take() {
            self.flows[flow].left = now;
        }
    }

    /// An ACK came that may be for a flow.
    pub fn acked(&mut self, flow: usize, now: u64) {
        self.ages(flow, now);
        let f = &mut self.flows[flow];
        if f.out == Some(0) {
            f.stray = Some(now);
        }
        f.out = f.out.map(|out| out.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::events::scoreboard::kind;
    use crate::params::Build;

    #[test]
    fn no_more_packets_are_outstanding_than_the_window_is_wide() {
        let p = Build::named(UnitKind::Hca, Some("rtiny")).unwrap().params;
        let mut w = Windows::new(&p, 4);
        let send = |w: &mut Windows, now: u64| {
            let begins = w.begins(1, now, now);
            w.sent(now + 1);
            begins
        };
        // It is off; then two may be outstanding.
        assert_eq!((send(&mut w, 10), send(&mut w, 12)), (Ok(()), Ok(())));
        w.write(w.addresses[0], 1, 20);
        w.write(w.addresses[1], 2, 20);
        assert_eq!((send(&mut w, 22), w.may_be_on(10), w.may_be_on(30)), (Ok(()), true, true));
        assert_eq!(kind(send(&mut w, 30)), "window");
        w.acked(1, 31);
        assert_eq!(kind(send(&mut w, 32)), "window");
        w.acked(1, 33);
        assert_eq!((send(&mut w, 34), kind(send(&mut w, 40))), (Ok(()), "window"));
        // An ACK that comes with nothing outstanding may be of the next packet.
        w.acked(2, 36);
        assert_eq!((w.begins(2, 38, 38), w.begins(2, 39, 39), w.begins(2, 40, 40)), (Ok(()), Ok(()), Ok(())));
        assert_eq!(kind(w.begins(2, 41, 41)), "window");
        w.sending = None;
        // What is silent for so long is given up.
        let silent = 35 + (1 << (p.ts_w - 2));
        assert_eq!((kind(w.begins(1, 44, silent - 4)), w.begins(1, 44, silent)), ("window", Ok(())));
    }
}
