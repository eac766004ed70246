//! What a scheme costs for each host of a network.

use serde::Serialize;

use crate::cost::Cost;

/// An adapter and its share of the switches.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HostCost {
    /// Reckoned from few lanes, not synthesised.
    pub reckoned: bool,
    /// NAND2-equivalents.
    pub nand2: f64,
    /// Bits in memories.
    pub sram_bits: f64,
    /// Bits in CAM lines.
    pub cam_bits: f64,
    /// Area, mm2.
    pub area_mm2: f64,
}

impl HostCost {
    /// From the costs of an adapter and a switch, of which so many are there for each host.
    pub fn of(hca: &Cost, switch: &Cost, switches: f64) -> HostCost {
        let each = |f: &dyn Fn(&Cost) -> f64| f(hca) + f(switch) * switches;
        HostCost {
            reckoned: switch.reckoned,
            nand2: each(&|c| c.nand2),
            sram_bits: each(&|c| c.sram_bits as f64),
            cam_bits: each(&|c| c.cam_bits as f64),
            area_mm2: each(&|c| c.area_mm2),
        }
    }
}
