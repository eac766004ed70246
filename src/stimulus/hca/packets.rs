//! Packets that come from an adapter's link.

use crate::model::header::{Bth, Header, Marks, OPCODE_CNP, SrpFields};
use crate::params::lanes::{ID_BITS, id};

/// BTH opcode of an ACK.
pub(super) const OPCODE_ACK: u8 = 0x11;

/// So many numbers have chunks.
pub(super) const IDS: u16 = 1 << ID_BITS;

/// The number of a chunk, so many behind another one.
pub(super) fn behind(chunk: u16, more: u16) -> u16 {
    id(u32::from(chunk) + u32::from(more)) as u16
}

/// What goes wrong with a packet on the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fault {
    #[default]
    None,
    /// It is sent although it does not fit.
    NoCredit,
    /// Its first flit is not marked as first.
    NoFirst,
    /// It ends after so many flits, without a last one.
    Cut(u8),
    /// So many flits more than its header says.
    Longer(u8),
    /// Last after so many flits, fewer than its header says.
    Early(u8),
    /// It is damaged: after so many flits it ends as bad.
    Bad(u8),
}

/// A packet from the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packet {
    pub hdr: Header,
    /// What stands behind the BTH, with SRP.
    pub fields: SrpFields,
    pub fault: Fault,
}

impl Packet {
    /// A data packet of `n` flits from the host of a flow. The DLID is the adapter's when it is sent.
    pub(super) fn data(n: usize) -> Packet {
        let bth = Bth { opcode: 4, ..Bth::default() };
        let hdr = Header { lnh: 2, pkt_len: 16 * n as u16, bth: Some(bth), ..Header::default() };
        Packet { hdr, ..Packet::default() }
    }

    /// A CNP with BECN.
    pub(super) fn cnp() -> Packet {
        let mut p = Packet::data(1).opcode(OPCODE_CNP).becn();
        p.hdr.pkt_len = 10;
        p
    }

    /// An ACK of one flit.
    pub(super) fn ack(psn: u32) -> Packet {
        let mut p = Packet::data(1).opcode(OPCODE_ACK).psn(psn);
        p.hdr.pkt_len = 7;
        p
    }

    /// With these marks beside those that it has.
    pub(super) fn marks(mut self, marks: Marks) -> Packet {
        self.hdr.bth = self.hdr.bth.map(|b| Bth { marks: b.marks | marks, ..b });
        self
    }

    /// In these many flits.
    pub(super) fn flits(mut self, n: usize) -> Packet {
        self.hdr.pkt_len = 16 * n as u16;
        self
    }

    pub(super) fn opcode(mut self, opcode: u8) -> Packet {
        self.hdr.bth = self.hdr.bth.map(|b| Bth { opcode, ..b });
        self
    }

    pub(super) fn psn(mut self, psn: u32) -> Packet {
        self.hdr.bth = self.hdr.bth.map(|b| Bth { psn, ..b });
        self
    }

    pub(super) fn fecn(mut self) -> Packet {
        self.hdr.bth = self.hdr.bth.map(|b| Bth { marks: b.marks | Marks::FECN, ..b });
        self
    }

    pub(super) fn becn(mut self) -> Packet {
        self.hdr.bth = self.hdr.bth.map(|b| Bth { marks: b.marks | Marks::BECN, ..b });
        self
    }

    pub(super) fn fault(mut self, fault: Fault) -> Packet {
        self.fault = fault;
        self
    }
}

/// A packet in the queue of the far end: what its LIDs are is settled when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Queued {
    pub packet: Packet,
    pub to: To,
    /// Flow whose host sends it; beyond the flows: a LID that is none's.
    pub from: u16,
}

/// Where a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    Us,
    Multicast,
    Other,
}
