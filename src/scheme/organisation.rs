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

/// R1: InfiniBand's SL to VL mapping of an adapter, a VL for each SL. The RTL has the one of [`SlToVl::modulo`] wired in; all of
/// golden units and golden fabric ask this table, so that another map is another way to fill it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlToVl([u8; 16]);

impl SlToVl {
    /// SL mod `vls`.
    pub fn modulo(vls: usize) -> SlToVl {
        SlToVl(std::array::from_fn(|sl| (sl % vls) as u8))
    }

    /// The VL of an SL.
    #[inline]
    pub fn vl(&self, sl: usize) -> usize {
        self.0[sl].into()
    }
}

/// R1: the VL on which a host sends: its destination's, or that which the SL maps to.
#[inline]
pub fn vl_of_sl(by_dest: bool, vls: usize, dlid: usize, map: &SlToVl, sl: usize) -> usize {
    if by_dest { dlid % vls } else { map.vl(sl) }
}

/// R1: the VL of a packet that came, or is answered, on `vl`; which may be illegal, if VLs are not by destination.
#[inline]
pub fn vl_of_vl(by_dest: bool, vls: usize, dlid: usize, vl: usize) -> usize {
    if by_dest { dlid % vls } else { vl }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sls_are_spread_over_the_vls() {
        for vls in 1..=64 {
            let map = SlToVl::modulo(vls);
            for sl in 0..16 {
                assert_eq!(map.vl(sl), sl % vls);
                assert_eq!(vl_of_sl(false, vls, 7, &map, sl), sl % vls);
                assert_eq!(vl_of_sl(true, vls, 7, &map, sl), 7 % vls);
            }
        }
    }
}
