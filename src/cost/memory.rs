//! Area, energy and times of memories: an analytic model, its constants in `tech/memory.toml`, five of them fitted to
//! the published figures of one memory (`docs/cost.md`, section 4).

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    cell: Cell,
    array: Array,
    delay: Delay,
    published: Published,
    check_cell: Vec<CheckCell>,
    node: Vec<Node>,
}

#[derive(Clone, Debug, Deserialize)]
struct Cell {
    sram_f2: f64,
    nand2_f2: f64,
    cam_factor: f64,
}

#[derive(Clone, Debug, Deserialize)]
struct Array {
    overhead: f64,
    overhead_edge: f64,
}

#[derive(Clone, Debug, Deserialize)]
struct Delay {
    fo4_ps_per_nm: f64,
    stages: f64,
}

/// The memory that the paper has figures of.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs)]
pub struct Published {
    pub bits: usize,
    pub reads: usize,
    pub writes: usize,
    pub readout_bits: usize,
    pub nm: f64,
    pub vdd: f64,
    pub access_ns: f64,
    pub cycle_ns: f64,
    pub read_nj: f64,
    pub read_w: f64,
    pub leakage_w: f64,
    pub area_mm2: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct CheckCell {
    nm: f64,
    um2: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Node {
    nm: f64,
    vdd: f64,
}

/// A memory: words, bits of a word, ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    /// Words.
    pub depth: usize,
    /// Bits of a word.
    pub width: usize,
    /// Read ports.
    pub reads: usize,
    /// Write ports.
    pub writes: usize,
}

impl Shape {
    /// Bits stored.
    pub fn bits(&self) -> usize {
        self.depth * self.width
    }
}

/// What a memory costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Area, um2.
    pub area_um2: f64,
    /// Address to data, ns.
    pub access_ns: f64,
    /// Between two accesses of a port, ns.
    pub cycle_ns: f64,
    /// A read, nJ.
    pub read_nj: f64,
    /// Standby, W.
    pub leakage_w: f64,
}

/// The model with its fitted constants.
#[derive(Clone, Debug)]
pub struct Model {
    data: Data,
    /// Pitches that a further port adds to a cell, per side.
    pub port_pitch: f64,
    /// Delay of the way through the array, ns per mm of its side.
    pub wire_ns_per_mm: f64,
    /// Cycle in FO4.
    pub cycle_fo4: f64,
    /// Switched capacitance of a line across the array, pF per mm.
    pub line_pf_per_mm: f64,
    /// Leakage of a transistor per volt, W.
    pub leak_w: f64,
}

/// Transistors of a cell: six, and two for each further port.
fn transistors(ports: usize) -> f64 {
    4.0 + 2.0 * ports as f64
}

impl Model {
    /// The model from the constants that come with quell.
    pub fn new() -> Model {
        let data: Data =
            toml::from_str(include_str!("../../tech/memory.toml")).expect("tech/memory.toml is sound");
        let p = &data.published;
        let ports = p.reads + p.writes;
        let one = Model {
            data: data.clone(),
            port_pitch: 0.0,
            wire_ns_per_mm: 0.0,
            cycle_fo4: 0.0,
            line_pf_per_mm: 0.0,
            leak_w: 0.0,
        };
        let single = one.area_um2(p.bits, 1, p.nm);
        let port_pitch = ((p.area_mm2 * 1e6 / single).sqrt() - 1.0) / (ports - 1) as f64;
        let side = p.area_mm2.sqrt();
        let words = p.bits as f64 / p.readout_bits as f64;
        let logic_ns = one.fo4_ns(p.nm) * (data.delay.stages + words.log2());
        Model {
            port_pitch,
            wire_ns_per_mm: (p.access_ns - logic_ns) / side,
            cycle_fo4: p.cycle_ns / one.fo4_ns(p.nm),
            line_pf_per_mm: p.read_nj * 1e3 / (p.vdd * p.vdd * side * (p.readout_bits as f64 + words.log2())),
            leak_w: p.leakage_w / (p.bits as f64 * transistors(ports) * p.vdd),
            data,
        }
    }

    /// The published memory.
    pub fn published(&self) -> &Published {
        &self.data.published
    }

    /// Published single-port cells and the model's: node, published um2, modelled um2.
    pub fn cells(&self) -> Vec<(f64, f64, f64)> {
        self.data.check_cell.iter().map(|c| (c.nm, c.um2, self.cell_um2(c.nm))).collect()
    }

    /// The nodes that are known, nm.
    pub fn nodes(&self) -> Vec<f64> {
        self.data.node.iter().map(|n| n.nm).collect()
    }

    /// Refuses a node that is not in the data.
    pub fn check_node(&self, nm: f64) -> Result<()> {
        if self.data.node.iter().any(|n| n.nm == nm) {
            return Ok(());
        }
        let all: Vec<String> = self.nodes().iter().map(f64::to_string).collect();
        bail!("there is no technology node of {nm} nm: there are {}", all.join(", "))
    }

    fn fo4_ns(&self, nm: f64) -> f64 {
        self.data.delay.fo4_ps_per_nm * nm / 1000.0
    }

    fn cell_um2(&self, nm: f64) -> f64 {
        self.data.cell.sram_f2 * nm * nm * 1e-6
    }

    /// Area of a NAND2, um2.
    pub fn nand2_um2(&self, nm: f64) -> f64 {
        self.data.cell.nand2_f2 * nm * nm * 1e-6
    }

    /// Area of CAM bits as a full-custom array would have it, um2.
    pub fn cam_um2(&self, bits: usize, nm: f64) -> f64 {
        self.data.cell.cam_factor * self.area_um2(bits, 1, nm)
    }

    fn area_um2(&self, bits: usize, ports: usize, nm: f64) -> f64 {
        if bits == 0 {
            return 0.0;
        }
        let pitch = 1.0 + self.port_pitch * (ports.max(1) - 1) as f64;
        let array = &self.data.array;
        let overhead = 1.0 + array.overhead + array.overhead_edge / (bits as f64).sqrt();
        bits as f64 * self.cell_um2(nm) * pitch * pitch * overhead
    }

    /// What a memory costs at a node.
    pub fn estimate(&self, m: Shape, nm: f64) -> Estimate {
        self.read_out(m, m.depth as f64, nm, self.vdd(nm))
    }

    fn vdd(&self, nm: f64) -> f64 {
        let near = |n: &&Node| (n.nm - nm).abs();
        self.data.node.iter().min_by(|a, b| near(a).total_cmp(&near(b))).map_or(1.0, |n| n.vdd)
    }

    fn read_out(&self, m: Shape, words: f64, nm: f64, vdd: f64) -> Estimate {
        let ports = m.reads + m.writes;
        let area = self.area_um2(m.bits(), ports, nm);
        let side = area.sqrt() / 1000.0;
        let decode = words.max(2.0).log2();
        let readout = m.bits() as f64 / words;
        Estimate {
            area_um2: area,
            access_ns: self.fo4_ns(nm) * (self.data.delay.stages + decode) + self.wire_ns_per_mm * side,
            cycle_ns: self.cycle_fo4 * self.fo4_ns(nm),
            read_nj: self.line_pf_per_mm * side * (readout + decode) * vdd * vdd / 1e3,
            leakage_w: self.leak_w * m.bits() as f64 * transistors(ports) * vdd,
        }
    }

    /// What the model says of the published memory.
    pub fn of_published(&self) -> Estimate {
        let p = &self.data.published;
        let m = Shape { depth: p.bits, width: 1, reads: p.reads, writes: p.writes };
        self.read_out(m, p.bits as f64 / p.readout_bits as f64, p.nm, p.vdd)
    }
}

impl Default for Model {
    fn default() -> Model {
        Model::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_memory_is_met() {
        let m = Model::new();
        let (p, e) = (m.published().clone(), m.of_published());
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} against {b}");
        near(e.area_um2, p.area_mm2 * 1e6);
        near(e.access_ns, p.access_ns);
        near(e.cycle_ns, p.cycle_ns);
        near(e.read_nj, p.read_nj);
        near(e.leakage_w, p.leakage_w);
        // Not fitted: power of a port is energy over cycle.
        assert!((e.read_nj / e.cycle_ns / p.read_w - 1.0).abs() < 1e-3);
        // Fitted constants are of the size that physics gives them.
        assert!((0.2..1.0).contains(&m.port_pitch), "{}", m.port_pitch);
        assert!((0.05..0.6).contains(&m.wire_ns_per_mm), "{}", m.wire_ns_per_mm);
        assert!((0.1..0.6).contains(&m.line_pf_per_mm), "{}", m.line_pf_per_mm);
        assert!((10.0..30.0).contains(&m.cycle_fo4), "{}", m.cycle_fo4);
    }

    #[test]
    fn published_cells_are_met_within_a_quarter() {
        for (nm, published, ours) in Model::new().cells() {
            assert!((ours / published - 1.0).abs() < 0.25, "{nm} nm: {ours} against {published}");
        }
    }

    #[test]
    fn more_ports_words_and_bits_cost_more() {
        let m = Model::new();
        let base = Shape { depth: 2048, width: 32, reads: 1, writes: 1 };
        let of = |s: Shape| m.estimate(s, 45.0);
        for more in [Shape { depth: 4096, ..base }, Shape { width: 64, ..base }, Shape { reads: 8, ..base }] {
            assert!(of(more).area_um2 > of(base).area_um2);
            assert!(of(more).access_ns > of(base).access_ns);
            assert!(of(more).leakage_w > of(base).leakage_w);
        }
    }
}
