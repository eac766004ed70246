//! Draws what a constant period needs to starve somebody: one-queue switches whose inputs have a hot queue for each of several outputs,
//! and hosts whose short packets are answered by a notification for each long packet that they get. By generators of their own.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::case::{Case, Pace, Pair};
use super::chance::{ENDLESS, one, weighted};
use crate::params::Params;

/// One-queue switches full of trees, everything in step.
pub(super) struct Crowd {
    rng: SmallRng,
    /// Hosts that send, and those that get.
    pub(super) senders: usize,
    pub(super) receivers: usize,
    pub(super) switches: usize,
}

/// Packets of one length, back to back from the first cycle to the end.
fn stream(from: usize, to: usize, len: u8, sl: u8, window: u32) -> Pair {
    Pair { from, to, sl, lengths: vec![len], packets: Vec::new(), start: 0, gap: 0, window, count: ENDLESS }
}

/// Whether the network of a seed is one.
pub(super) fn crowd(seed: u64) -> Option<Crowd> {
    let mut rng = SmallRng::seed_from_u64(seed ^ 0x6372_6f77_6465_6421);
    let is_one = rng.random_bool(0.05);
    let senders = weighted(&mut rng, &[(15, 2), (35, 3), (50, 4)]);
    let receivers = weighted(&mut rng, &[(50, 2), (30, 3), (20, 4)]);
    let switches = weighted(&mut rng, &[(80, 1), (20, 2)]);
    is_one.then_some(Crowd { rng, senders, receivers, switches })
}

impl Crowd {
    /// Hosts of the network.
    pub(super) fn hosts(&self) -> usize {
        (self.senders + self.receivers).min(8)
    }

    /// Cycles: a starvation is to last.
    pub(super) fn cycles(&mut self) -> u64 {
        self.rng.random_range(1000..=3000)
    }

    /// The parameters of switches and adapters.
    pub(super) fn parameters(&mut self, sp: &mut [Params], hp: &mut [Params]) {
        let rng = &mut self.rng;
        let lines = rng.random_range(5..=8);
        let hpqs = rng.random_range(2..=4);
        // Hot queues that are never empty.
        let blocks = 3 * (hpqs + 1) + rng.random_range(0..=4);
        // An adapter begins a packet every five cycles at most: shorter ones fill no queue.
        let mtu = one(rng, &[8, 8, 8, 12]);
        let (room, more) = (one(rng, &[1, 1, 2, 8]), rng.random_range(0..=2));
        let adapters = rng.random_bool(0.5);
        sp.iter_mut().chain(hp.iter_mut()).for_each(|p| p.mtu = mtu);
        for p in sp.iter_mut() {
            (p.vls, p.lines, p.hpqs, p.blocks) = (1, lines, hpqs, blocks * p.mtu);
            (p.one_queue, p.isolation, p.cioq, p.stamp_w) = (true, true, false, 0);
            p.rx_blocks = p.mtu;
        }
        for p in hp.iter_mut() {
            (p.vls, p.lines) = (1, lines);
            p.blocks = 2 * p.mtu;
            p.rx_blocks = p.mtu * room + more;
            (p.isolation, p.stamp_w) = (adapters, 0);
        }
    }

    /// Traffic and registers.
    pub(super) fn traffic(&mut self, case: &mut Case, sp: &[Params]) {
        let rng = &mut self.rng;
        let (n, mtu) = (case.host.len(), sp[0].mtu as u32);
        let receivers = self.receivers.min(n - 1);
        case.pair.clear();
        // Hosts that get are the last ones; a few send, too.
        let alike = rng.random_bool(0.6);
        let len = if rng.random_bool(0.7) { mtu } else { rng.random_range(mtu / 2..=mtu) };
        let share = one(rng, &[0.7, 0.9]);
        for from in 0..n {
            // Some have one destination only.
            let only = rng.random_bool(0.35).then(|| rng.random_range(n - receivers..n));
            let sends = from < n - receivers || rng.random_bool(0.2);
            for to in n - receivers..n {
                let wanted = only.map_or(rng.random_bool(share), |o| o == to);
                if !sends || from == to || !wanted {
                    continue;
                }
                let len = if alike { len } else { one(rng, &[1, 2, mtu, mtu]) } as u8;
                let start = rng.random_range(0..=u64::from(mtu));
                let window = one(rng, &[6, 8, 16]);
                case.pair.push(Pair { start, ..stream(from, to, len, 0, window) });
            }
        }
        if case.pair.is_empty() {
            case.pair.push(stream(0, 1, mtu as u8, 0, 8));
        }
        let slow = rng.random_range(2..=4) * mtu.max(1);
        let fast = rng.random_bool(0.6);
        for h in &mut case.host {
            h.give = Pace::default();
            h.take = Pace::default();
            if !fast && rng.random_bool(0.3) {
                h.take =
                    Pace { period: 10, on: rng.random_range(3..=9), phase: 0, random: rng.random_bool(0.5) };
            } else if !fast && rng.random_bool(0.5) {
                let on = one(rng, &[mtu, slow - mtu]);
                h.take = Pace { period: slow, on, phase: rng.random_range(0..slow), random: false };
            }
            h.registers.retain(|name, _| !name.starts_with("throttle.") && !name.ends_with("FC_INTERVAL"));
            h.registers.insert("hca.FC_INTERVAL".into(), 1);
            h.registers.insert("in0.FC_INTERVAL".into(), 1);
            h.registers.insert("hca.CTRL".into(), 0);
            h.cct.clear();
        }
        let high = rng.random_range(mtu..=3 * mtu);
        let low = rng.random_range(high / 2..=high);
        for l in &mut case.link {
            l.delay = [rng.random_range(1..=3), rng.random_range(1..=3)];
        }
        let detect = rng.random_range(0..=mtu);
        let hold = rng.random_range(0..=mtu);
        let stop = one(rng, &[0, 0, 0xffff]);
        let paces = rng.random_bool(0.4);
        for (s, p) in case.switch.iter_mut().zip(sp) {
            let r = &mut s.registers;
            let kept = ["SWITCH_ID", "RX_TIMEOUT"];
            r.retain(|name, _| kept.iter().any(|k| name.ends_with(k)));
            for port in 0..p.ports {
                let set = [("CTRL", 1), ("HTH", high), ("LTH", low), ("DETECT", detect), ("HOLD", hold)];
                r.extend(set.map(|(name, v)| (format!("in{port}.{name}"), v)));
                r.extend(
                    [("STOP", stop), ("FC_INTERVAL", 1)].map(|(name, v)| (format!("in{port}.{name}"), v)),
                );
                r.insert(format!("out{port}.CTRL"), 2);
                if paces {
                    r.insert(format!("out{port}.TX_INTERVAL"), rng.random_range(1..=3));
                }
            }
        }
    }
}

/// Where marks are answered with CNPs, some hosts send packets of a flit to others that send long packets back: for each long packet comes a
/// notification.
pub(super) fn echoes(case: &mut Case, sp: &[Params], hp: &[Params]) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x6563_686f_6573_2121);
    let answers = case.host.iter().all(|h| h.registers.get("hca.CTRL").is_some_and(|c| c & 7 == 1));
    let n = case.host.len();
    if !answers || n < 4 || sp[0].mtu < 8 || !rng.random_bool(0.5) {
        return;
    }
    let mtu = sp[0].mtu as u32;
    let centre = rng.random_range(0..n);
    let echoing = rng.random_range(1..=(n - 3).min(2));
    let both = rng.random_bool(0.3);
    let others: Vec<usize> = (0..n).filter(|h| *h != centre).collect();
    case.pair.clear();
    // An adapter begins a packet every five or six cycles at most: hosts that take fewer are marked, more often than long packets come.
    let long = mtu as u8;
    let sls = rng.random_range(1..=2);
    let first = rng.random_range(0..others.len());
    for (k, h) in others.iter().enumerate() {
        let sl = if rng.random_bool(0.2) { rng.random_range(0..sls) } else { 0 };
        let echoes = (k + others.len() - first) % others.len() < echoing;
        if echoes {
            let window = one(rng, &[16, 32, 64]);
            case.pair.push(stream(centre, *h, 1, sl, window));
            let period = rng.random_range(6..=mtu);
            case.host[*h].take = Pace { period, on: 1, phase: rng.random_range(0..period), random: false };
        }
        if !echoes || both {
            case.pair.push(stream(*h, centre, long, sl, 8));
        }
    }
    case.host[centre].take = Pace::default();
    for h in &mut case.host {
        h.give = Pace::default();
        if let Some(c) = h.registers.get_mut("throttle.CTRL") {
            *c &= !1;
        }
    }
    let high = rng.random_range(1..=8);
    let switches = case.switch.iter_mut().zip(sp).map(|(s, p)| (&mut s.registers, p.ports));
    for (r, ports) in switches.chain(case.host.iter_mut().zip(hp).map(|(h, _)| (&mut h.registers, 1))) {
        for port in 0..ports {
            *r.entry(format!("out{port}.CTRL")).or_default() |= 5;
            let output = [
                ("MARKING_RATE", 0),
                ("MARK_FRACTION", 256),
                ("PACKET_SIZE", 0),
                ("SUM_HTH", high),
                ("SUM_LTH", 1),
            ];
            r.extend(output.map(|(name, v)| (format!("out{port}.{name}"), v)));
            r.extend([("HTH", high), ("LTH", 1)].map(|(name, v)| (format!("in{port}.{name}"), v)));
        }
    }
}
