//! Lanes and packets of reservations (SRP; Q1 to Q4).

/// What a lane is for (Q1). Data have the lowest lanes; the three highest are one of each of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SrpLane {
    /// Granted packets, and those too short to be reserved for.
    Data,
    /// Speculative packets: they may be dropped.
    Spec,
    /// Requests for time.
    Res,
    /// Grants, acknowledgements, and what became of dropped packets.
    Reply,
}

/// Numbers of chunks have 13 bits.
pub const ID_BITS: u32 = 13;

/// A number of a chunk, modulo all of them.
pub fn id(number: u32) -> u32 {
    number & ((1 << ID_BITS) - 1)
}

/// Order in which an output serves the classes (Q3): the first one first.
pub const PRIORITY: [SrpLane; 4] = [SrpLane::Reply, SrpLane::Res, SrpLane::Data, SrpLane::Spec];

impl SrpLane {
    /// Most lanes of data.
    pub const MOST_DATA: usize = 8;
    /// Lanes that are not of data.
    pub const OTHERS: usize = 3;

    /// That of VL `vl` of `vls`.
    pub fn of(vl: usize, vls: usize) -> SrpLane {
        match vls - vl {
            1 => SrpLane::Reply,
            2 => SrpLane::Res,
            3 => SrpLane::Spec,
            _ => SrpLane::Data,
        }
    }

    /// Lanes of data among `vls` VLs.
    pub fn data_lanes(vls: usize) -> usize {
        vls.saturating_sub(SrpLane::OTHERS)
    }

    /// The lowest VL of `vls` that is for this.
    pub fn vl(self, vls: usize) -> usize {
        let data = SrpLane::data_lanes(vls);
        match self {
            SrpLane::Data => 0,
            SrpLane::Spec => data,
            SrpLane::Res => data + 1,
            SrpLane::Reply => data + 2,
        }
    }

    /// Q2: an input port has one queue for it, whatever the output.
    pub fn is_fifo(self) -> bool {
        self != SrpLane::Data
    }
}

/// Opcodes of the packets of the protocol (Q4), from the range left to manufacturers.
pub mod opcode {
    /// A request for time.
    pub const RES: u8 = 0xc0;
    /// Time.
    pub const GRANT: u8 = 0xc1;
    /// A packet was delivered.
    pub const ACK: u8 = 0xc2;
    /// A packet was dropped.
    pub const NACK: u8 = 0xc3;
    /// A speculative packet.
    pub const SPEC: u8 = 0xc4;
    /// A packet for which there is time.
    pub const GRANTED: u8 = 0xc5;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_lanes_are_those_of_the_protocol() {
        for vls in 4..=11 {
            let data = SrpLane::data_lanes(vls);
            for v in 0..data {
                assert_eq!(SrpLane::of(v, vls), SrpLane::Data);
            }
            for lane in [SrpLane::Spec, SrpLane::Res, SrpLane::Reply] {
                assert_eq!(SrpLane::of(lane.vl(vls), vls), lane);
                assert!(lane.is_fifo());
            }
            assert_eq!((data, SrpLane::Data.vl(vls)), (vls - 3, 0));
        }
        assert_eq!(SrpLane::data_lanes(2), 0);
    }
}
