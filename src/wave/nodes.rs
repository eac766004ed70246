//! Waveforms of several nodes of a fabric.
//!
//! A scope for each node, named as in the network (a dot is `_`); in it `clk`, inputs, outputs and state as in the waveform of one unit.
//! With two engines side by side the node's scope has a scope for each of them. Time is in picoseconds from traffic time 0.

use std::io::{self, Seek, Write};

use super::bank::{Bank, first_var};
use super::format::Format;
use super::looked::{DIFFERING, Looked, item};
use super::sink::{Id, Kind, Sink};
use super::view::{Hue, Item, Part, View, end};
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

/// The scope of a node: a dot would be one between scopes.
fn own(name: &str) -> String {
    name.replace('.', "_")
}

/// A node, on all sides.
struct Node {
    scope: Scope,
    layout: Layout,
    /// Inputs, outputs and state of each side.
    sides: Vec<[Bank; 3]>,
}

/// Writes the waveform of several nodes, cycle by cycle; only changes go to the file.
pub struct NodesWriter<'a> {
    sink: Box<dyn Sink + 'a>,
    cycle_ps: u64,
    clk: Id,
    cycle: Id,
    names: Vec<String>,
    nodes: Vec<Node>,
    from: Option<u64>,
    now: Option<u64>,
}

impl<'a> NodesWriter<'a> {
    /// Writes the header. `sides` names the engines; of a single one no scope is made.
    pub fn new(
        to: impl Write + Seek + 'a,
        format: Format,
        cycle_ps: u64,
        scopes: &[Scope],
        sides: &[&str],
    ) -> io::Result<Self> {
        let mut sink = format.sink(to, "", -12)?;
        let s = &mut *sink;
        let clk = s.var(Kind::Bits(1), "clk", None)?;
        let cycle = s.var(Kind::Number, "cycle", None)?;
        let mut nodes = Vec::new();
        for scope in scopes {
            let layout = Layout::new(scope.unit, &scope.params);
            s.scope(&own(&scope.name))?;
            let mut banks = Vec::new();
            for side in sides {
                if sides.len() > 1 {
                    s.scope(side)?;
                }
                s.var(Kind::Bits(1), "clk", Some(clk))?;
                banks.push([
                    Bank::new(s, &layout, Group::Input, None)?,
                    Bank::new(s, &layout, Group::Output, None)?,
                    Bank::new(s, &layout, Group::State, None)?,
                ]);
                if sides.len() > 1 {
                    s.upscope()?;
                }
            }
            s.upscope()?;
            nodes.push(Node { scope: scope.clone(), layout, sides: banks });
        }
        s.begin()?;
        let names = sides.iter().map(|s| s.to_string()).collect();
        Ok(NodesWriter { sink, cycle_ps, clk, cycle, names, nodes, from: None, now: None })
    }

    /// Begins a cycle. Cycles must come in order.
    pub fn begin(&mut self, cycle: u64) -> io::Result<()> {
        self.low()?;
        self.from = self.from.or(Some(cycle));
        self.now = Some(cycle);
        self.sink.time(cycle * self.cycle_ps)?;
        self.sink.bits(self.clk, &[1])?;
        self.sink.bits(self.cycle, &[cycle as u32, (cycle >> 32) as u32])
    }

    /// The words of a node in one engine: inputs, outputs, state.
    pub fn node(&mut self, node: usize, side: usize, words: [&[u32]; 3]) -> io::Result<()> {
        for (bank, words) in self.nodes[node].sides[side].iter_mut().zip(words) {
            bank.write(&mut *self.sink, words)?;
        }
        Ok(())
    }

    /// The second half of the current cycle.
    fn low(&mut self) -> io::Result<()> {
        if let Some(now) = self.now {
            self.sink.time(now * self.cycle_ps + self.cycle_ps / 2)?;
            self.sink.bits(self.clk, &[0])?;
        }
        Ok(())
    }

    /// Ends the waveform. If the last cycle shows a difference, it opens there.
    pub fn finish(mut self) -> io::Result<View> {
        self.low()?;
        let view = self.view();
        if self.now.is_some() {
            self.sink.time(view.cycles.end * self.cycle_ps)?;
        }
        self.sink.finish()?;
        Ok(view)
    }

    /// The scope of a node on a side.
    fn scope(&self, node: &Node, side: usize) -> String {
        match &self.names[..] {
            [_] => own(&node.scope.name),
            names => format!("{}.{}", own(&node.scope.name), names[side]),
        }
    }

    /// The elements that differ between the sides in the last cycle, in pairs.
    fn pairs(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for node in self.nodes.iter().filter(|n| n.sides.len() == 2) {
            let [a, b] = &node.sides[..] else { continue };
            for s in node.layout.signals.iter().filter(|s| s.group != Group::Input) {
                let bank = if s.group == Group::Output { 1 } else { 2 };
                let first = first_var(&node.layout, s);
                for i in (0..s.count).filter(|i| a[bank].value(first + i) != b[bank].value(first + i)) {
                    items.push(item(&self.scope(node, 0), s, i, Hue::Differs));
                    items.push(item(&self.scope(node, 1), s, i, Hue::Golden));
                }
            }
        }
        items.truncate(2 * DIFFERING);
        items
    }

    fn view(&self) -> View {
        let whole =
            |name: &str, kind| Item { scope: String::new(), name: name.into(), kind, hue: Hue::Plain };
        let items = vec![whole("cycle", Kind::Number), whole("clk", Kind::Bits(1))];
        let mut parts = vec![Part { title: "Time".into(), open: true, items }];
        let items = self.pairs();
        let event = self.now.filter(|_| !items.is_empty());
        parts.push(Part {
            title: format!("Differences, each {}", self.names.join(" and ")),
            open: true,
            items,
        });
        for node in &self.nodes {
            let [input, output, state] = &node.sides[0];
            let looked = Looked {
                unit: node.scope.unit,
                layout: &node.layout,
                scope: &self.scope(node, 0),
                banks: [input, output, state],
            };
            parts.append(&mut looked.parts(&format!("{}: ", node.scope.name)));
        }
        let names: Vec<&str> = self.nodes.iter().map(|n| n.scope.name.as_str()).collect();
        View {
            about: format!("nodes {}", names.join(", ")),
            cycle: self.cycle_ps,
            unit_ps: 1,
            cycles: self.from.unwrap_or(0)..self.now.map_or(0, |last| end(last, event)),
            event,
            parts,
        }
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
        let mut file = std::io::Cursor::new(Vec::new());
        let mut w = NodesWriter::new(&mut file, Format::Vcd, 12_800, &nodes, &["rtl", "model"]).unwrap();
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
        let text = file.into_inner();
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
