//! Headers of messages (YA1): what admission reads in them, and replies.

use super::classes::{Class, Classes};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) enum Kind {
    Data,
    Probe,
    Ack,
    Nack,
    Release,
    /// Other control, and what has no meaning.
    Other,
}

/// Numbers of the types of replies.
const ACK: u32 = 2;
const NACK: u32 = 3;

/// PktLen of a reply: ten flits of 16 bytes, in words of 4.
const REPLY_LENGTH: u32 = 40;

/// The first flit of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::model) struct Header(pub(in crate::model) [u32; 4]);

impl Header {
    fn byte(&self, n: usize) -> u32 {
        self.0[n / 4] >> (8 * (n % 4)) & 0xff
    }

    /// Two bytes, the high one first.
    fn pair(&self, n: usize) -> u32 {
        self.byte(n) << 8 | self.byte(n + 1)
    }

    fn set_byte(&mut self, n: usize, value: u32) {
        let shift = 8 * (n % 4);
        let word = &mut self.0[n / 4];
        *word = *word & !(0xff << shift) | (value & 0xff) << shift;
    }

    fn set_pair(&mut self, n: usize, value: u32) {
        self.set_byte(n, value >> 8);
        self.set_byte(n + 1, value);
    }

    pub(in crate::model) fn kind(&self) -> Kind {
        match self.byte(8) {
            0 => Kind::Data,
            1 => Kind::Probe,
            ACK => Kind::Ack,
            NACK => Kind::Nack,
            4 => Kind::Release,
            _ => Kind::Other,
        }
    }

    /// The LRH's VL.
    pub(in crate::model) fn lane(&self) -> usize {
        (self.byte(0) >> 4) as usize
    }

    pub(in crate::model) fn dlid(&self) -> u32 {
        self.pair(2)
    }

    pub(in crate::model) fn slid(&self) -> u32 {
        self.pair(6)
    }

    /// The number of the open that a probe is of; a reply has it from there.
    pub(in crate::model) fn seq(&self) -> u32 {
        self.byte(9) >> 2
    }

    pub(in crate::model) fn conn(&self) -> u32 {
        self.pair(10)
    }

    pub(in crate::model) fn bw(&self) -> u32 {
        self.pair(12)
    }

    pub(in crate::model) fn node(&self) -> u32 {
        self.pair(14)
    }

    /// That of the last message of a stream, if it comes on a real-time lane.
    pub(in crate::model) fn is_final(&self) -> bool {
        self.kind() == Kind::Data && self.byte(9) & 1 != 0
    }

    /// It is looked at on the control lane.
    pub(in crate::model) fn is_decided(&self) -> bool {
        matches!(self.kind(), Kind::Probe | Kind::Release)
    }

    /// The message carries bandwidth, on this lane.
    pub(in crate::model) fn carries(&self, lane: usize, classes: Classes) -> bool {
        match classes.of(lane) {
            Class::Control => self.is_decided(),
            Class::RealTime => self.is_final(),
            Class::Reply => matches!(self.kind(), Kind::Ack | Kind::Nack),
            Class::BestEffort => false,
        }
    }

    /// YA3: the header of the answer to this probe.
    pub(in crate::model) fn reply(&self, ack: bool, node: u32) -> Header {
        let mut reply = *self;
        reply.set_pair(2, self.pair(6));
        reply.set_pair(6, self.pair(2));
        reply.set_byte(4, self.byte(4) & 0xf8);
        reply.set_byte(5, REPLY_LENGTH);
        reply.set_byte(8, if ack { ACK } else { NACK });
        reply.set_pair(14, node);
        reply
    }
}
