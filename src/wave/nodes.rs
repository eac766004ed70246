//! Waveforms of several nodes of a fabric.
//!
//! A scope for each node, named as in the network; in it `clk`, inputs, outputs and state as in the waveform of one unit.
//! With two engines side by side the node's scope has a scope for each of them. Time is in picoseconds from traffic time 0.

use std::io::{self, Write};

use vcd::{IdCode, TimescaleUnit, VarType};

use super::bank::{Bank, add_vars, write_bank};
use crate::params::{Params, UnitKind};
use crate::signals::{Group, Layout};

/// A node in a waveform.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Name of the node.
    pub name: String,
    /// What it is.
    pub unit: UnitKind,
    /// Its parameters.
    pub params: Params,
}

/// Writes the waveform of several nodes, cycle by cycle; only changes go to the file.
pub struct NodesWriter<W: Write> {
    vcd: vcd::Writer<W>,
    cycle_ps: u64,
    clk: IdCode,
    cycle: IdCode,
    sides: usize,
    /// Inputs, outputs and state of each node and side: `node * sides + side`.
    banks: Vec<[Bank; 3]>,
    /// Those in which nothing has been written yet.
    fresh: Vec<bool>,
    line: Vec<u8>,
    now: Option<u64>,
}

impl<W: Write> NodesWriter<W> {
    /// Writes the header. `sides` names the engines; of a single one no scope is made.
    pub fn new(writer: W, cycle_ps: u64, nodes: &[Scope], sides: &[&str]) -> io::Result<Self> {
        let mut vcd = vcd::Writer::new(writer);
        vcd.version("quell")?;
        vcd.timescale(1, TimescaleUnit::PS)?;
        let clk = vcd.add_wire(1, "clk")?;
        let cycle = vcd.add_var(VarType::Integer, 64, "cycle", None)?;
        let mut banks = Vec::new();
        for node in nodes {
            let layout = Layout::new(node.unit, &node.params);
            vcd.add_module(&node.name)?;
            for side in sides {
                if sides.len() > 1 {
                    vcd.add_module(side)?;
                }
                let mut own = [layout.in_words, layout.out_words, layout.state_words]
                    .map(|words| Bank { vars: Vec::new(), last: vec![0; words] });
                vcd.var_def(VarType::Wire, 1, clk, "clk", None)?;
                for (bank, group) in own.iter_mut().zip([Group::Input, Group::Output, Group::State]) {
                    add_vars(&mut vcd, &layout, group, bank)?;
                }
                banks.push(own);
                if sides.len() > 1 {
                    vcd.upscope()?;
                }
            }
            vcd.upscope()?;
        }
        vcd.enddefinitions()?;
        let fresh = vec![true; banks.len()];
        Ok(NodesWriter {
            vcd,
            cycle_ps,
            clk,
            cycle,
            sides: sides.len(),
            banks,
            fresh,
            line: Vec::new(),
            now: None,
        })
    }

    /// Begins a cycle. Cycles must come in order.
    pub fn begin(&mut self, cycle: u64) -> io::Result<()> {
        self.low()?;
        self.now = Some(cycle);
        self.vcd.timestamp(cycle * self.cycle_ps)?;
        self.vcd.change_scalar(self.clk, true)?;
        writeln!(self.vcd.writer(), "b{cycle:b} {}", self.cycle)
    }

    /// The words of a node in one engine: inputs, outputs, state.
    pub fn node(&mut self, node: usize, side: usize, words: [&[u32]; 3]) -> io::Result<()> {
        let at = node * self.sides + side;
        let full = std::mem::replace(&mut self.fresh[at], false);
        for (bank, words) in self.banks[at].iter_mut().zip(words) {
            if full || bank.last != words {
                write_bank(&mut self.vcd, &mut self.line, bank, words, full)?;
            }
        }
        Ok(())
    }

    /// The second half of the current cycle.
    fn low(&mut self) -> io::Result<()> {
        if let Some(now) = self.now {
            self.vcd.timestamp(now * self.cycle_ps + self.cycle_ps / 2)?;
            self.vcd.change_scalar(self.clk, false)?;
        }
        Ok(())
    }

    /// Ends the waveform.
    pub fn finish(mut self) -> io::Result<()> {
        self.low()?;
        if let Some(now) = self.now {
            self.vcd.timestamp((now + 1) * self.cycle_ps)?;
        }
        self.vcd.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_nodes_of_two_sides_come_back_through_the_parser() {
        let params = Params { flit_bytes: 32, ..Params::default() };
        let nodes = [
            Scope { name: "S0".into(), unit: UnitKind::Switch, params },
            Scope { name: "H1".into(), unit: UnitKind::Hca, params },
        ];
        let layouts = nodes.clone().map(|n| Layout::new(n.unit, &n.params));
        let mut text = Vec::new();
        let mut w = NodesWriter::new(&mut text, 12_800, &nodes, &["rtl", "model"]).unwrap();
        for cycle in 5..8 {
            w.begin(cycle).unwrap();
            for (n, l) in layouts.iter().enumerate() {
                let (input, mut output, state) =
                    (vec![0; l.in_words], vec![0; l.out_words], vec![0; l.state_words]);
                output[l.output("tx_data")] = cycle as u32;
                for side in 0..2 {
                    w.node(n, side, [&input, &output, &state]).unwrap();
                }
            }
        }
        w.finish().unwrap();
        let mut parser = vcd::Parser::new(&text[..]);
        let header = parser.parse_header().unwrap();
        let var = header.find_var(&["H1", "model", "tx_data"]).expect("the variable").code;
        assert!(header.find_var(&["S0", "rtl", "tx_data[7]"]).is_some());
        let (mut now, mut seen) = (0, Vec::new());
        for command in parser {
            match command.unwrap() {
                vcd::Command::Timestamp(t) => now = t,
                vcd::Command::ChangeVector(id, v) if id == var => seen.push((now, v.to_string())),
                _ => {}
            }
        }
        let want = [(5, "101"), (6, "110"), (7, "111")].map(|(c, v)| (c * 12_800, v.to_string()));
        assert_eq!(seen, want);
    }
}
