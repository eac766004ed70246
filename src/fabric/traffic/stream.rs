//! One host's share of one group: the times, destinations and lengths of its packets.

use std::sync::Arc;

use super::backlog::Waiting;
use super::lengths::Lengths;
use super::random::Random;
use super::spec::Arrival;

/// No packet any more.
pub const NEVER: u64 = u64::MAX;

/// A list of hotspots that is drawn anew for every slot of `lifetime` cycles.
#[derive(Debug)]
pub struct Moving {
    pub seed: u64,
    pub name: u64,
    pub among: Vec<u32>,
    pub count: usize,
    pub lifetime: u64,
}

impl Moving {
    /// The hotspots of a slot.
    pub fn at(&self, slot: u64) -> Vec<u32> {
        Random::new(&[self.seed, self.name, slot]).sample(&self.among, self.count)
    }
}

/// Where a host's packets of one group go.
#[derive(Clone, Debug)]
pub enum Target {
    /// Always there.
    Fixed(u32),
    /// Any other of this many nodes.
    Others(u32),
    /// Any node of the list but the one at position `skip`.
    Among { list: Arc<[u32]>, skip: Option<u32> },
    /// The `index`-th of the hotspots of the slot (counted round the list), which lasts until `until`.
    Moving { spots: Arc<Moving>, index: usize, until: u64, dst: Option<u32> },
}

/// The packets of one host in one group.
#[derive(Clone, Debug)]
pub struct Stream {
    host: u32,
    target: Target,
    arrival: Arrival,
    /// Cycles per flit, 32 fraction bits.
    period: u64,
    lengths: Lengths,
    /// All packets of a message are due with the first one.
    whole: bool,
    /// Messages are offered instead of their packets.
    pub messages: bool,
    mtu: u64,
    stop: u64,
    /// Packets still to be taken, or with a backlog to be generated.
    packets: u64,
    /// What the adapter refuses waits.
    pub backlog: bool,
    random: Random,
    /// Flits of the current message, and those not yet sent, the offered packet included.
    message: u64,
    left: u64,
    /// When the offered packet is due: cycle and fraction.
    pub due: u64,
    fraction: u32,
    /// Destination of the current message.
    pub dst: u32,
}

/// What a stream is made from.
pub struct Plan {
    pub host: u32,
    pub target: Target,
    pub arrival: Arrival,
    /// Flits per cycle.
    pub load: f64,
    /// Flits of the messages.
    pub lengths: Lengths,
    /// All packets of a message are generated at once.
    pub whole: bool,
    pub mtu: u64,
    pub start: u64,
    pub stop: u64,
    /// How many it sends.
    pub packets: u64,
    /// What the adapter refuses waits.
    pub backlog: bool,
    pub random: Random,
}

/// A source in the mean: what [`generated`] needs of it.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Packets per cycle.
    pub rate: f64,
    pub start: u64,
    pub stop: u64,
    pub packets: u64,
}

impl Pace {
    /// Packets generated before cycle `at`.
    fn before(&self, at: u64) -> f64 {
        let cycles = at.min(self.stop).saturating_sub(self.start);
        (cycles as f64 * self.rate).min(self.packets as f64)
    }
}

/// The first cycle before which the sources generate `packets` in the mean; an error with their sum if they do not in 2^48.
pub fn generated(sources: &[Pace], packets: u64) -> Result<u64, u64> {
    const LAST: u64 = 1 << 48;
    let enough = |at| sources.iter().map(|s| s.before(at)).sum::<f64>() >= packets as f64 - 1e-6;
    if !enough(LAST) {
        return Err(sources.iter().map(|s| s.before(LAST)).sum::<f64>() as u64);
    }
    let (mut low, mut high) = (0, LAST);
    while low < high {
        let middle = low + (high - low) / 2;
        if enough(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

impl Plan {
    /// The source in the mean.
    pub fn pace(&self) -> Pace {
        let rate = self.load / self.lengths.mean() * self.lengths.packets(self.mtu);
        Pace { rate, start: self.start, stop: self.stop, packets: self.packets }
    }
}

impl Stream {
    /// The stream, with its first packet on offer.
    pub fn new(mut plan: Plan) -> Stream {
        let message = plan.lengths.draw(&mut plan.random);
        let mut s = Stream {
            host: plan.host,
            target: plan.target,
            arrival: plan.arrival,
            period: ((1u64 << 32) as f64 / plan.load).round() as u64,
            lengths: plan.lengths,
            whole: plan.whole,
            messages: false,
            mtu: plan.mtu,
            stop: plan.stop,
            packets: plan.packets,
            backlog: plan.backlog,
            random: plan.random,
            message,
            left: message,
            due: plan.start,
            fraction: 0,
            dst: 0,
        };
        match s.arrival {
            Arrival::Periodic => {
                // A phase evenly distributed over the distance of two packets, or messages.
                let unit = if s.whole { s.message } else { s.flits().into() };
                let span = u128::from(s.period) * u128::from(unit);
                let phase = (span * u128::from(s.random.bits())) >> 64;
                s.pass(phase as u64);
            }
            Arrival::Bernoulli => {
                s.gap(u64::from(s.flits()));
                s.due -= 1;
            }
            Arrival::Together => {}
        }
        s.address();
        s
    }

    /// Flits of the offered packet.
    pub fn flits(&self) -> u8 {
        self.left.min(self.mtu) as u8
    }

    /// Moves the due time on, in cycles with 32 fraction bits.
    fn pass(&mut self, by: u64) {
        let sum = u64::from(self.fraction) + (by & 0xFFFF_FFFF);
        self.fraction = sum as u32;
        self.due += (by >> 32) + (sum >> 32);
    }

    /// What is on offer: a packet, or a message (at least the part of it that 16 bits can count).
    pub fn waiting(&self) -> Waiting {
        let first = self.flits();
        if !self.messages {
            let of = self.message.div_ceil(self.mtu) as u32;
            return Waiting { born: self.due, of, pkts: 1, len: first, last: first };
        }
        let all = self.left.div_ceil(self.mtu);
        let pkts = all.min(self.packets).min(u16::MAX.into());
        let last = (self.left - (pkts - 1) * self.mtu).min(self.mtu) as u8;
        Waiting { born: self.due, of: pkts as u32, pkts: pkts as u16, len: first, last }
    }

    /// Moves the due time on by the distance that follows a packet of `len` flits, or where messages are generated as a whole such a message.
    fn gap(&mut self, len: u64) {
        match self.arrival {
            Arrival::Periodic | Arrival::Together => self.pass(self.period * len),
            Arrival::Bernoulli => {
                // One process of messages, whatever their lengths.
                let len = if self.whole { self.lengths.mean() } else { len as f64 };
                let p = (1u64 << 32) as f64 / (self.period as f64 * len);
                let gap = if p >= 1.0 { 0.0 } else { (self.random.unit().ln() / (-p).ln_1p()).floor() };
                self.due += 1 + gap as u64;
            }
        }
    }

    /// What is on offer was taken: on to the next, if there is one.
    pub fn taken(&mut self) {
        let pkts = self.waiting().pkts;
        if self.packets != NEVER {
            self.packets -= u64::from(pkts);
        }
        match self.packets {
            0 => self.due = NEVER,
            _ => (0..pkts).for_each(|_| self.step()),
        }
    }

    /// On to what follows.
    pub fn advance(&mut self) {
        (0..self.waiting().pkts).for_each(|_| self.step());
    }

    /// On to the next packet.
    fn step(&mut self) {
        let len = u64::from(self.flits());
        self.left -= len;
        if !self.whole {
            self.gap(len);
        } else if self.left == 0 {
            self.gap(self.message);
        }
        if self.left == 0 {
            self.message = self.lengths.draw(&mut self.random);
            self.left = self.message;
            self.address();
        } else if self.due >= self.stop && !self.messages {
            self.due = NEVER;
        }
    }

    /// Draws the destination of a message that is due now.
    fn address(&mut self) {
        loop {
            if self.due >= self.stop {
                self.due = NEVER;
                return;
            }
            self.dst = match &mut self.target {
                Target::Fixed(dst) => *dst,
                Target::Others(n) => {
                    let d = self.random.below(*n - 1);
                    d + u32::from(d >= self.host)
                }
                Target::Among { list, skip } => match skip {
                    None => list[self.random.below(list.len() as u32) as usize],
                    Some(k) => {
                        let d = self.random.below(list.len() as u32 - 1);
                        list[(d + u32::from(d >= *k)) as usize]
                    }
                },
                Target::Moving { spots, index, until, dst } => {
                    if self.due >= *until {
                        let slot = self.due / spots.lifetime;
                        *until = (slot + 1).saturating_mul(spots.lifetime);
                        *dst = spot_of(&spots.at(slot), *index, self.host);
                    }
                    match dst {
                        Some(d) => *d,
                        None => {
                            // The only hotspot of this slot is this host: silent until the next slot.
                            self.due = *until;
                            continue;
                        }
                    }
                }
            };
            return;
        }
    }
}

/// The hotspot of a group's `index`-th source: entry `index mod n`, or the one after it if that is the source itself.
pub fn spot_of(spots: &[u32], index: usize, host: u32) -> Option<u32> {
    let n = spots.len();
    (0..n.min(2)).map(|k| spots[(index + k) % n]).find(|&d| d != host)
}
