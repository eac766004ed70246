//! CAM lines: the paper's count of cells (E4), and the fields that the RTL's lines have.

use anyhow::{Result, bail};
use serde::Serialize;

use crate::params::Params;

/// Cells of the paper's CAM line for a network of `nodes` nodes (EcoCC paper, supplement, section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Paper {
    /// Nodes of the network.
    pub nodes: usize,
    /// Destinations in a line.
    pub dlist: usize,
    /// Lines of an input port.
    pub lines: usize,
    /// CAM cells of a line: output port, hops, next line, list.
    pub cam: usize,
    /// SRAM cells of a line: stop, sent stop, propagated, timer.
    pub sram: usize,
}

/// Output port: one of up to 64. Hops: up to 64. Next line: one of up to 16.
const OP_HOPS_NEXT: [usize; 3] = [6, 6, 4];
/// Stop, sent stop, propagated.
const FLAGS: usize = 3;

impl Paper {
    /// The cells for these parameters.
    pub fn new(nodes: usize, p: &Params) -> Paper {
        let address = nodes.next_power_of_two().ilog2() as usize;
        Paper {
            nodes,
            dlist: p.dlist,
            lines: p.lines,
            cam: OP_HOPS_NEXT.iter().sum::<usize>() + p.dlist * address,
            sram: FLAGS + p.timer_w,
        }
    }

    /// Cells of all lines of an input port: CAM, SRAM, both.
    pub fn port(&self) -> (usize, usize, usize) {
        let (cam, sram) = (self.lines * self.cam, self.lines * self.sram);
        (cam, sram, cam + sram)
    }
}

/// A field of a line: in the paper and in the RTL.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// What it holds.
    pub name: &'static str,
    /// Cells in the paper.
    pub paper: usize,
    /// Bits in `cam_line` of an input port.
    pub input: usize,
    /// Bits in `output_cam_line` of an output port.
    pub output: usize,
    /// Why they differ.
    pub why: &'static str,
}

fn bits(values: usize) -> usize {
    values.max(2).next_power_of_two().ilog2() as usize
}

/// The fields of a line, from the parameters: `rtl/cam_line.sv` and `rtl/output_cam_line.sv`.
pub fn fields(nodes: usize, p: &Params) -> Vec<Field> {
    let address = nodes.next_power_of_two().ilog2() as usize;
    let queues = bits(p.ports * p.vls);
    let dcnt = (p.dlist + 1).next_power_of_two().ilog2() as usize;
    let field = |name, paper, input, output, why| Field { name, paper, input, output, why };
    vec![
        field(
            "list of destinations",
            p.dlist * address,
            p.dlist * 16,
            p.dlist * 16,
            "the RTL compares whole 16-bit DLIDs, the paper log2(nodes) bits",
        ),
        field(
            "output port",
            6,
            bits(p.ports),
            0,
            "as many bits as the switch has ports; an output's line needs none",
        ),
        field("hops", 6, 6, 6, "as published"),
        field(
            "next line",
            4,
            bits(p.lines),
            0,
            "as many bits as there are lines; an output's line is named by its own number",
        ),
        field("timer", p.timer_w, p.timer_w, p.timer_w, "as published"),
        field("stop, sent stop, propagated", 3, 3, 1, "an output's line keeps the stop only"),
        field("state", 0, 2, 1, "free, root, hot or draining; the paper has no field for it"),
        field(
            "root",
            0,
            24,
            24,
            "switch and port of the root, carried in messages (rule E2); not in the paper",
        ),
        field(
            "lane",
            0,
            bits(p.vls),
            8,
            "the paper has one lane; an output's line holds all 8 bits of the message",
        ),
        field("cold queue, hot queue", 0, queues + bits(p.hpqs), 0, "the queues of the line"),
        field("list length", 0, dcnt, 8, "the paper does not say how unused places are told"),
        field(
            "linked, reached, dirty",
            0,
            3,
            0,
            "rules E3, E5 and E8: relinking, first and later threshold, refresh",
        ),
        field("own", 0, 1, 0, "a root's line with a hot queue (register root_hpq)"),
        field(
            "hold",
            0,
            0,
            2,
            "rule E6: cycles that an output's line stays away when it becomes another tree's",
        ),
        field(
            "fresh, closing, turn",
            0,
            0,
            2 + bits(p.ports),
            "rule A3: the inputs of a tree take turns after a stop, also of a tree that ends meanwhile",
        ),
    ]
}

/// Compares the fields with the flip-flops that synthesis found in a line. Fewer are explained by what is constant or
/// equal for these parameters; more mean that the fields above are not those of the RTL.
pub fn explained(what: &str, fields: usize, found: usize, p: &Params) -> Result<usize> {
    // One lane: its number and the queue's copy of the output; one hot queue: its number.
    let spare = 8 + bits(p.ports * p.vls) + bits(p.vls) + bits(p.hpqs) + bits(p.ports) + 3;
    match fields.checked_sub(found) {
        Some(less) if less <= spare => Ok(less),
        _ => bail!("{what}: {found} flip-flops were found, its fields have {fields} bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(nodes: usize, dlist: usize) -> Paper {
        Paper::new(nodes, &Params { dlist, ..Params::default() })
    }

    #[test]
    fn table_5_of_the_paper() {
        let of = |nodes, dlist| {
            let p = paper(nodes, dlist);
            (p.cam, p.sram)
        };
        assert_eq!([of(64, 8), of(256, 16), of(1024, 32)], [(64, 35), (144, 35), (336, 35)]);
        assert_eq!(paper(1024, 32).port(), (3024, 315, 3339));
    }

    #[test]
    fn fields_carry_all_of_the_papers_cells() {
        for (nodes, dlist) in [(64, 8), (256, 16), (1024, 32)] {
            let p = Params { dlist, ..Params::default() };
            let line = Paper::new(nodes, &p);
            let sum: usize = fields(nodes, &p).iter().map(|f| f.paper).sum();
            assert_eq!(sum, line.cam + line.sram);
        }
    }

    /// A register of the RTL's line is in a field: one that is not would be found by whoever waits for a synthesis.
    #[test]
    fn every_register_of_a_line_is_in_a_field() {
        let fields = [
            ("list of destinations", "dlist"),
            ("output port", "out"),
            ("hops", "hops"),
            ("next line", "next"),
            ("timer", "timer"),
            ("stop, sent stop, propagated", "stop_req sent_stop ann"),
            ("state", "state"),
            ("root", "root"),
            ("lane", "vl"),
            ("cold queue, hot queue", "q hpq"),
            ("list length", "dcnt"),
            ("linked, reached, dirty", "linked reached dirty"),
            ("own", "own"),
        ];
        let mut known: Vec<&str> = fields.iter().flat_map(|f| f.1.split(' ')).collect();
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rtl/cam_line.sv")).unwrap();
        let declared = text.lines().filter_map(|l| l.trim().strip_prefix("logic ")?.split_once("_q, "));
        let mut found: Vec<&str> = declared.filter_map(|d| d.0.split(' ').next_back()).collect();
        known.sort();
        found.sort();
        assert_eq!(found, known);
        let p = Params::default();
        let of_input = |f: &Field| f.input > 0;
        let names: Vec<&str> = self::fields(64, &p).iter().filter(|f| of_input(f)).map(|f| f.name).collect();
        assert_eq!(names, fields.map(|f| f.0));
    }

    #[test]
    fn more_bits_than_fields_is_an_error() {
        let p = Params::default();
        assert_eq!(explained("line", 100, 97, &p).unwrap(), 3);
        assert!(explained("line", 100, 101, &p).unwrap_err().to_string().contains("101 flip-flops"));
        assert!(explained("line", 100, 40, &p).is_err());
    }
}
