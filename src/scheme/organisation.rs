//! How packets queue in a switch's input port (B1), and which VL they use (R1).

use crate::params::Params;

choice! {
    /// Organisation of an input port of a switch. Adapters with one queue in their switches have VOQs themselves.
    Organisation {
        /// One cold queue and one read port.
        OneQueue "one queue",
        /// A queue for each output and VL.
        Voq "VOQs",
        /// VOQs, with a VL for each destination.
        LanePerDest "a lane per destination",
    }
}

/// The papers' sizes for an organisation.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // each field is the setting of the same name
pub struct Sizes {
    pub vls: usize,
    pub blocks: usize,
    pub hca_blocks: usize,
    pub rx_blocks: usize,
    pub hpqs: usize,
    pub lines: usize,
    pub dlist: usize,
    pub flows: usize,
}

impl Organisation {
    /// The elaboration parameters that choose it. A lane per destination is built without CAM lines; the other builds have
    /// them, whether or not a scheme uses them.
    pub fn build(self, p: Params) -> Params {
        let by_dest = self == Organisation::LanePerDest;
        Params { one_queue: self == Organisation::OneQueue, isolation: !by_dest, vl_by_dest: by_dest, ..p }
    }

    /// Most VLs that a switch of it can have. Beyond 64 lanes it runs in the golden fabric only.
    pub fn most_lanes(self) -> usize {
        match self {
            Organisation::OneQueue => 1,
            Organisation::Voq => 16,
            Organisation::LanePerDest => 4096,
        }
    }

    /// Sizes for a network of `hosts` adapters.
    pub fn sizes(self, hosts: usize) -> Sizes {
        let nodes = hosts.next_power_of_two();
        let sizes = Sizes {
            vls: 1,
            blocks: 2048,
            hca_blocks: 256,
            rx_blocks: 256,
            hpqs: 2,
            lines: 9,
            dlist: match hosts {
                0..=64 => 8,
                65..=256 => 16,
                _ => 32,
            },
            flows: nodes.max(64),
        };
        match self {
            Organisation::OneQueue => Sizes { blocks: 1024, ..sizes },
            Organisation::Voq => sizes,
            Organisation::LanePerDest => {
                let vls = nodes.max(8);
                Sizes {
                    vls,
                    // 64 packets a lane, as EcoCC has it; 8 in the small RTL build.
                    blocks: vls * if hosts <= 8 { 256 } else { 2048 },
                    hca_blocks: vls * 64,
                    rx_blocks: vls * 64,
                    hpqs: 1,
                    lines: 1,
                    dlist: 1,
                    flows: vls,
                }
            }
        }
    }
}

/// R1: the VL on which a host sends: its destination's, or that which the SL maps to.
#[inline]
pub fn vl_of_sl(by_dest: bool, vls: usize, dlid: usize, sl: usize) -> usize {
    if by_dest { dlid % vls } else { sl % vls }
}

/// R1: the VL of a packet that came, or is answered, on `vl`; which may be illegal, if VLs are not by destination.
#[inline]
pub fn vl_of_vl(by_dest: bool, vls: usize, dlid: usize, vl: usize) -> usize {
    if by_dest { dlid % vls } else { vl }
}
