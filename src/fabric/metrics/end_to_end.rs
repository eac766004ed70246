//! The check of every packet from end to end: none lost, duplicated, reordered within a pair, cut or changed. A packet that
//! the network says it dropped is sent again, and from then on has no place in the order. Where ways are drawn no packet has one.

use std::collections::VecDeque;

/// Packet sequence numbers are modulo 2^24.
pub const PSN_MASK: u32 = 0xFF_FFFF;
/// 32-bit words of a flit.
pub const FLIT_WORDS: usize = 16;
/// First word of flit 0 that carries payload: bytes 0 to 19 are headers.
pub const FIRST_PAYLOAD_WORD: usize = 5;

/// Word `word` of flit `flit` of a packet: the payload that its source writes and its destination expects.
pub fn payload_word(src: u32, dst: u32, psn: u32, flit: u32, word: u32) -> u32 {
    let pair = u64::from(src) << 32 | u64::from(dst);
    let place = u64::from(psn & PSN_MASK) << 16 | u64::from(flit & 0xFFF) << 4 | u64::from(word & 0xF);
    let mut z = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ place.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    z = (z ^ (z >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (z ^ (z >> 32)) as u32
}

/// The words of a flit that carry payload.
fn payload_range(flit: u32) -> std::ops::Range<usize> {
    if flit == 0 { FIRST_PAYLOAD_WORD..FLIT_WORDS } else { 0..FLIT_WORDS }
}

/// Writes the payload of a flit; the header words of flit 0 keep their value.
pub fn fill_payload(src: u32, dst: u32, psn: u32, flit: u32, words: &mut [u32]) {
    let range = payload_range(flit);
    for (w, word) in words.iter_mut().enumerate().take(range.end).skip(range.start) {
        *word = payload_word(src, dst, psn, flit, w as u32);
    }
}

/// A broken promise of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A packet that is not the next of its pair.
    Order {
        /// The number it should have.
        expected: u32,
        /// The number it has.
        found: u32,
    },
    /// A packet that its source has not sent.
    Unknown,
    /// The wrong number of flits.
    Length {
        /// Flits sent.
        expected: u8,
        /// Flits received.
        found: u8,
    },
    /// A changed word.
    Payload {
        /// Flit of the packet.
        flit: u32,
        /// Word of the flit.
        word: u32,
        /// What was written.
        expected: u32,
        /// What was read.
        found: u32,
    },
    /// A packet handed to the wrong host.
    Misrouted {
        /// The host that got it.
        at: u32,
    },
    /// Packets that never arrived.
    Missing {
        /// How many.
        packets: u32,
    },
    /// A packet that was dropped for this reason, and not sent again before what was told of it next.
    Dropped(&'static str),
    /// A packet sent again that was not dropped.
    NotDropped,
}

/// A fault, with the packet that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultAt {
    /// Source.
    pub src: u32,
    /// Destination.
    pub dst: u32,
    /// Sequence number that the packet carries (or the first that is missing).
    pub psn: u32,
    /// What is wrong.
    pub fault: Fault,
}

impl std::fmt::Display for FaultAt {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "packet {} from node {} to node {}: ", self.psn, self.src, self.dst)?;
        match &self.fault {
            Fault::Order { expected, .. } => write!(f, "out of order: packet {expected} should come next"),
            Fault::Unknown => write!(f, "was never sent"),
            Fault::Length { expected, found } => write!(f, "{found} flits received of {expected} sent"),
            Fault::Payload { flit, word, expected, found } => {
                write!(f, "flit {flit} word {word} is {found:08x}, sent was {expected:08x}")
            }
            Fault::Misrouted { at } => write!(f, "was delivered to node {at}"),
            Fault::Dropped(reason) => write!(f, "was dropped ({reason}) and not sent again"),
            Fault::NotDropped => write!(f, "was sent again, though it was not dropped"),
            Fault::Missing { packets } => write!(f, "this and {} more never arrived", packets - 1),
        }
    }
}

impl std::error::Error for FaultAt {}

/// A packet that its source has sent.
#[derive(Clone, Copy, Debug)]
struct Sent {
    len: u8,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// On its way, behind those sent before.
    UnderWay,
    Dropped(&'static str),
    /// On its way once more: others may overtake it.
    Again,
    /// Delivered, while an earlier one that was dropped is not.
    Delivered,
}

/// One source-destination pair.
#[derive(Clone, Debug, Default)]
struct Pair {
    /// Number of the oldest packet that is not delivered.
    next: u32,
    /// That packet and all sent after it.
    sent: VecDeque<Sent>,
}

impl Pair {
    /// The packet of a number, if it may be asked for.
    fn find(&mut self, psn: u32) -> Option<&mut Sent> {
        self.sent.get_mut((psn.wrapping_sub(self.next) & PSN_MASK) as usize)
    }

    /// The place of the packet that must come next: that of `psn` if it was dropped, else the oldest that was not. In no order any that is not
    /// delivered.
    fn due(&self, psn: u32, any_order: bool) -> Option<usize> {
        let at = (psn.wrapping_sub(self.next) & PSN_MASK) as usize;
        match self.sent.get(at).map(|s| s.state) {
            state if any_order => state.filter(|s| *s != State::Delivered).map(|_| at),
            Some(State::Again | State::Dropped(_)) => Some(at),
            _ => self.sent.iter().position(|s| s.state == State::UnderWay),
        }
    }

    /// Forgets the packets at the front that are delivered.
    fn settle(&mut self) {
        while self.sent.front().is_some_and(|s| s.state == State::Delivered) {
            self.sent.pop_front();
            self.next = (self.next + 1) & PSN_MASK;
        }
    }
}

/// The checker.
#[derive(Clone, Debug)]
pub struct EndToEnd {
    hosts: usize,
    pairs: Vec<Pair>,
    under_way: u64,
    delivered: u64,
    drops: u64,
    /// Packets of a pair may overtake each other.
    any_order: bool,
}

impl EndToEnd {
    /// For a network of so many hosts.
    pub fn new(hosts: usize) -> EndToEnd {
        let pairs = vec![Pair::default(); hosts * hosts];
        EndToEnd { hosts, pairs, under_way: 0, delivered: 0, drops: 0, any_order: false }
    }

    /// The same, where packets of a pair may overtake each other: each is still delivered once.
    pub fn in_any_order(self) -> EndToEnd {
        EndToEnd { any_order: true, ..self }
    }

    /// A packet enters its source's adapter: its sequence number.
    pub fn sent(&mut self, src: u32, dst: u32, len: u8) -> u32 {
        let pair = &mut self.pairs[src as usize * self.hosts + dst as usize];
        let psn = pair.next.wrapping_add(pair.sent.len() as u32) & PSN_MASK;
        pair.sent.push_back(Sent { len, state: State::UnderWay });
        self.under_way += 1;
        psn
    }

    /// A packet is complete at host `at`: that must be its destination, and it must be the next of its pair (or in no order one that is still to
    /// come) and as long as it was. After a fault the pair's numbers are as if the expected packet had come.
    pub fn delivered(&mut self, at: u32, src: u32, dst: u32, psn: u32, len: u8) -> Result<(), FaultAt> {
        let fail = |fault| Err(FaultAt { src, dst, psn, fault });
        if at != dst {
            return fail(Fault::Misrouted { at });
        }
        if src as usize >= self.hosts || dst as usize >= self.hosts {
            return fail(Fault::Unknown);
        }
        let pair = &mut self.pairs[src as usize * self.hosts + dst as usize];
        let Some(at) = pair.due(psn, self.any_order) else { return fail(Fault::Unknown) };
        let sent = pair.sent[at];
        if let State::Dropped(reason) = sent.state {
            return fail(Fault::Dropped(reason));
        }
        let expected = pair.next.wrapping_add(at as u32) & PSN_MASK;
        pair.sent[at].state = State::Delivered;
        pair.settle();
        self.under_way -= 1;
        self.delivered += 1;
        if psn != expected {
            return fail(Fault::Order { expected, found: psn });
        }
        if len != sent.len {
            return fail(Fault::Length { expected: sent.len, found: len });
        }
        Ok(())
    }

    /// The network has dropped a packet and says so, with the reason. It is still under way: its source must send it again.
    pub fn dropped(&mut self, src: u32, dst: u32, psn: u32, reason: &'static str) -> Result<(), FaultAt> {
        let fail = |fault| Err(FaultAt { src, dst, psn, fault });
        match self.pairs[src as usize * self.hosts + dst as usize].find(psn) {
            Some(Sent { state: State::Dropped(earlier), .. }) => fail(Fault::Dropped(earlier)),
            Some(sent) if sent.state != State::Delivered => {
                sent.state = State::Dropped(reason);
                self.drops += 1;
                Ok(())
            }
            _ => fail(Fault::Unknown),
        }
    }

    /// The source of a dropped packet sends it again, as it was.
    pub fn sent_again(&mut self, src: u32, dst: u32, psn: u32) -> Result<(), FaultAt> {
        match self.pairs[src as usize * self.hosts + dst as usize].find(psn) {
            Some(sent) if matches!(sent.state, State::Dropped(_)) => {
                sent.state = State::Again;
                Ok(())
            }
            _ => Err(FaultAt { src, dst, psn, fault: Fault::NotDropped }),
        }
    }

    /// The payload of a flit, for engines that carry it. Words that the hardware does not carry may be left out.
    pub fn check_payload(src: u32, dst: u32, psn: u32, flit: u32, words: &[u32]) -> Result<(), FaultAt> {
        for w in payload_range(flit).take_while(|&w| w < words.len()) {
            let expected = payload_word(src, dst, psn, flit, w as u32);
            if words[w] != expected {
                let fault = Fault::Payload { flit, word: w as u32, expected, found: words[w] };
                return Err(FaultAt { src, dst, psn, fault });
            }
        }
        Ok(())
    }

    /// Packets sent and not yet delivered.
    pub fn under_way(&self) -> u64 {
        self.under_way
    }

    /// Times that a packet was dropped.
    pub fn drops(&self) -> u64 {
        self.drops
    }

    /// Packets delivered.
    pub fn packets(&self) -> u64 {
        self.delivered
    }

    /// After the network has drained: nothing is missing.
    pub fn finish(&self) -> Result<(), FaultAt> {
        let Some(i) = self.pairs.iter().position(|p| !p.sent.is_empty()) else { return Ok(()) };
        let pair = &self.pairs[i];
        let left = pair.sent.iter().filter(|s| s.state != State::Delivered);
        let fault = match pair.sent[0].state {
            State::Dropped(reason) => Fault::Dropped(reason),
            _ => Fault::Missing { packets: left.count() as u32 },
        };
        let (src, dst) = ((i / self.hosts) as u32, (i % self.hosts) as u32);
        Err(FaultAt { src, dst, psn: pair.next, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(r: Result<(), FaultAt>) -> Fault {
        r.expect_err("a fault").fault
    }

    #[test]
    fn each_fault_is_found() {
        let mut e = EndToEnd::new(4);
        assert_eq!((e.sent(1, 2, 32), e.sent(1, 2, 5), e.sent(1, 3, 7), e.sent(1, 2, 9)), (0, 1, 0, 2));
        assert!(e.delivered(2, 1, 2, 0, 32).is_ok());
        assert_eq!(fault(e.clone().delivered(2, 1, 2, 2, 9)), Fault::Order { expected: 1, found: 2 }, "lost");
        assert_eq!(
            fault(e.clone().delivered(2, 1, 2, 0, 32)),
            Fault::Order { expected: 1, found: 0 },
            "duplicate"
        );
        assert_eq!(fault(e.clone().delivered(2, 1, 2, 1, 4)), Fault::Length { expected: 5, found: 4 });
        assert_eq!(fault(e.clone().delivered(1, 2, 1, 0, 1)), Fault::Unknown);
        assert_eq!(fault(e.clone().delivered(9, 1, 9, 0, 1)), Fault::Unknown);
        assert_eq!(fault(e.clone().delivered(3, 1, 2, 1, 5)), Fault::Misrouted { at: 3 });
        assert!(e.delivered(2, 1, 2, 1, 5).is_ok() && e.delivered(2, 1, 2, 2, 9).is_ok());
        let missing = e.finish().expect_err("one is missing");
        assert_eq!((missing.src, missing.dst, missing.psn, e.under_way()), (1, 3, 0, 1));
        assert!(e.delivered(3, 1, 3, 0, 7).is_ok() && e.finish().is_ok());
        assert_eq!(e.packets(), 4);
    }

    /// What is dropped and sent again is still delivered exactly once; what is not dropped stays in order.
    #[test]
    fn drops_that_are_declared_are_no_faults() {
        let mut e = EndToEnd::new(2);
        e.pairs[1].next = PSN_MASK;
        let psn: Vec<u32> = (1..=4).map(|len| e.sent(0, 1, len)).collect();
        assert_eq!(psn, [PSN_MASK, 0, 1, 2]);
        let arrives = |e: &mut EndToEnd, k: usize| e.delivered(1, 0, 1, psn[k], k as u8 + 1);
        assert_eq!(fault(arrives(&mut e.clone(), 1)), Fault::Order { expected: psn[0], found: psn[1] });
        assert_eq!(fault(e.sent_again(0, 1, psn[0])), Fault::NotDropped);
        e.dropped(0, 1, psn[0], "too old").unwrap();
        assert_eq!(fault(e.dropped(0, 1, psn[0], "again")), Fault::Dropped("too old"));
        assert_eq!(fault(e.dropped(0, 1, 3, "")), Fault::Unknown, "never sent");
        assert_eq!(fault(arrives(&mut e, 0)), Fault::Dropped("too old"), "it is gone");
        // The others stay in order: it is the next of them that is due.
        assert_eq!(fault(arrives(&mut e.clone(), 2)), Fault::Order { expected: psn[1], found: psn[2] });
        assert!(arrives(&mut e, 1).is_ok());
        assert_eq!(fault(e.clone().finish()), Fault::Dropped("too old"));
        e.sent_again(0, 1, psn[0]).unwrap();
        assert_eq!(fault(e.sent_again(0, 1, psn[0])), Fault::NotDropped);
        assert_eq!(fault(e.clone().finish()), Fault::Missing { packets: 3 });
        // Dropped once more, then delivered, between two others.
        e.dropped(0, 1, psn[0], "too old").unwrap();
        e.sent_again(0, 1, psn[0]).unwrap();
        assert!(arrives(&mut e, 2).is_ok());
        assert_eq!(fault(e.clone().delivered(1, 0, 1, psn[0], 9)), Fault::Length { expected: 1, found: 9 });
        assert!(arrives(&mut e, 0).is_ok());
        assert_eq!(e.pairs[1].sent.len(), 1, "what is delivered is forgotten");
        assert_eq!(
            fault(arrives(&mut e.clone(), 0)),
            Fault::Order { expected: psn[3], found: psn[0] },
            "twice"
        );
        assert_eq!(fault(e.dropped(0, 1, psn[0], "")), Fault::Unknown, "delivered");
        assert!(arrives(&mut e, 3).is_ok() && e.finish().is_ok());
        assert_eq!((e.packets(), e.drops(), e.under_way()), (4, 2, 0));
    }

    /// Where ways are drawn packets overtake, but each comes once.
    #[test]
    fn any_order_is_every_packet_once() {
        let mut e = EndToEnd::new(2).in_any_order();
        e.pairs[1].next = PSN_MASK;
        let psn: Vec<u32> = (1..=3).map(|len| e.sent(0, 1, len)).collect();
        assert!(e.delivered(1, 0, 1, psn[2], 3).is_ok());
        for gone in [psn[2], 9] {
            assert_eq!(fault(e.clone().delivered(1, 0, 1, gone, 3)), Fault::Unknown);
        }
        assert_eq!(fault(e.clone().finish()), Fault::Missing { packets: 2 });
        assert!(e.delivered(1, 0, 1, psn[0], 1).is_ok() && e.delivered(1, 0, 1, psn[1], 2).is_ok());
        assert!(e.finish().is_ok());
        assert_eq!(fault(e.delivered(1, 0, 1, psn[1], 2)), Fault::Unknown);
    }

    #[test]
    fn numbers_wrap_at_24_bits() {
        let mut e = EndToEnd::new(2);
        e.pairs[1].next = PSN_MASK;
        assert_eq!((e.sent(0, 1, 1), e.sent(0, 1, 1)), (PSN_MASK, 0));
        assert!(e.delivered(1, 0, 1, PSN_MASK, 1).is_ok() && e.delivered(1, 0, 1, 0, 1).is_ok());
    }

    #[test]
    fn payload_differs_by_every_argument_and_a_changed_bit_is_found() {
        let base = payload_word(1, 2, 3, 4, 5);
        for other in [
            payload_word(2, 2, 3, 4, 5),
            payload_word(1, 3, 3, 4, 5),
            payload_word(1, 2, 4, 4, 5),
            payload_word(1, 2, 3, 5, 5),
            payload_word(1, 2, 3, 4, 6),
        ] {
            assert_ne!(base, other);
        }
        for flit in 0..2 {
            let mut words = [0; FLIT_WORDS];
            fill_payload(7, 8, 9, flit, &mut words);
            assert_eq!(words[0] == 0, flit == 0, "the headers of flit 0 are not payload");
            assert!(EndToEnd::check_payload(7, 8, 9, flit, &words).is_ok());
            words[11] ^= 1 << 20;
            assert!(matches!(
                fault(EndToEnd::check_payload(7, 8, 9, flit, &words)),
                Fault::Payload { word: 11, .. }
            ));
        }
    }
}
