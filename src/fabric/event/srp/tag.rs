//! What a packet is to the protocol (Q4).

use crate::model::header::SrpFields;
use crate::params::lanes::opcode;

/// Kind of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Without reservation.
    #[default]
    Bypass,
    Res,
    Grant,
    Ack,
    Nack,
    Spec,
    Granted,
}

/// Number of kinds.
pub const KINDS: usize = 7;

impl Kind {
    /// Opcode of its packets.
    pub fn opcode(self) -> u8 {
        match self {
            Kind::Bypass => 0x04,
            Kind::Res => opcode::RES,
            Kind::Grant => opcode::GRANT,
            Kind::Ack => opcode::ACK,
            Kind::Nack => opcode::NACK,
            Kind::Spec => opcode::SPEC,
            Kind::Granted => opcode::GRANTED,
        }
    }

    /// It is for the host of its destination.
    pub fn is_for_host(self) -> bool {
        matches!(self, Kind::Bypass | Kind::Spec | Kind::Granted)
    }
}

/// Its kind and its fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tag {
    pub kind: Kind,
    pub fields: SrpFields,
    /// Outputs of the switch that it is in: to its destination, and to its source, where a NACK goes.
    pub out: u8,
    /// See there.
    pub back: u8,
}

impl Tag {
    /// A packet of a chunk; or what is said of one.
    pub fn of(kind: Kind, id: u32, seq: u32) -> Tag {
        Tag {
            kind,
            fields: SrpFields { id: id as u16, seq: seq as u8, ..SrpFields::default() },
            ..Tag::default()
        }
    }
}
