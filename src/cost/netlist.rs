//! Mapped modules (BLIF, as `scripts/cost.py` writes them), the buffers behind their ports, and the flat netlist of a
//! design.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use anyhow::{Context, Result, bail};

use super::liberty::CellKind;

/// The types of instances of other modules in a module's own file; as in `scripts/cost.py`.
const CHILD: &str = "quell_child_";
/// The nets that are 0 and 1.
pub const CONSTANTS: u32 = 2;
/// No net.
pub const OPEN: u32 = u32::MAX;

/// A port of a module, bit by bit.
#[derive(Clone, Debug)]
struct Port {
    name: String,
    input: bool,
    net: u32,
}

#[derive(Clone, Debug)]
struct Cell {
    name: String,
    kind: String,
    pins: Vec<(String, u32)>,
}

/// A module's own logic.
#[derive(Clone, Debug, Default)]
pub struct Module {
    ports: Vec<Port>,
    cells: Vec<Cell>,
    nets: u32,
    children: Vec<String>,
}

/// Nets that are one.
struct Same(Vec<u32>);

impl Same {
    fn root(&mut self, mut net: u32) -> u32 {
        while self.0[net as usize] != net {
            self.0[net as usize] = self.0[self.0[net as usize] as usize];
            net = self.0[net as usize];
        }
        net
    }

    /// A constant stays what it is.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

impl Module {
    /// A module from its file; `children` are the modules that it calls by number.
    pub fn read(text: &str, children: &[String]) -> Result<Module> {
        let mut module = Module { children: children.to_vec(), ..Module::default() };
        let mut names: HashMap<&str, u32> = HashMap::from([("$false", 0), ("$undef", 0), ("$true", 1)]);
        let mut nets = CONSTANTS;
        let mut net = |name| {
            *names.entry(name).or_insert_with(|| {
                nets += 1;
                nets - 1
            })
        };
        let mut same = Vec::new();
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some(what @ (".inputs" | ".outputs")) => {
                    module.ports.extend(words.map(|w| Port {
                        name: w.into(),
                        input: what == ".inputs",
                        net: net(w),
                    }));
                }
                Some(".gate") => {
                    let kind = words.next().context("a gate without a kind")?.to_string();
                    let pins = words
                        .map(|w| {
                            let (pin, n) = w.split_once('=').context("a pin without a net")?;
                            Ok((pin.to_string(), net(n)))
                        })
                        .collect::<Result<_>>()?;
                    module.cells.push(Cell { name: String::new(), kind, pins });
                }
                Some(".cname") => {
                    let cell = module.cells.last_mut().context("a name without a cell")?;
                    cell.name = words.next().unwrap_or_default().into();
                }
                // A net that is another one; a constant has no second name.
                Some(".names") => {
                    if let (Some(from), Some(to)) = (words.next(), words.next()) {
                        same.push((net(from), net(to)));
                    }
                }
                Some("1" | "1_1" | ".model" | ".end") | None => {}
                Some(w) if w.starts_with('#') => {}
                Some(w) => bail!("{w} in a mapped module"),
            }
        }
        module.nets = nets;
        let mut all = Same((0..nets).collect());
        same.into_iter().for_each(|(a, b)| all.join(a, b));
        module.name_by_root(all);
        Ok(module)
    }

    /// Nets that are one have one number.
    fn name_by_root(&mut self, mut same: Same) {
        self.ports.iter_mut().for_each(|p| p.net = same.root(p.net));
        self.cells.iter_mut().flat_map(|c| &mut c.pins).for_each(|p| p.1 = same.root(p.1));
    }

    /// The module that an instance is of.
    fn child(&self, kind: &str) -> Option<&str> {
        let n: usize = kind.strip_prefix(CHILD)?.parse().ok()?;
        self.children.get(n).map(String::as_str)
    }
}

/// The modules of a design, without its memories.
pub type Modules = BTreeMap<String, Module>;

/// The modules inside `name` and itself, each after those in it.
fn inner_first(modules: &Modules, name: &str, order: &mut Vec<String>) {
    if order.iter().any(|n| n == name) {
        return;
    }
    if let Some(module) = modules.get(name) {
        let inside: std::collections::BTreeSet<&str> =
            module.cells.iter().filter_map(|c| module.child(&c.kind)).collect();
        inside.into_iter().for_each(|kind| inner_first(modules, kind, order));
        order.push(name.into());
    }
}

/// The nets on both sides of an instance's ports: outside, inside, whether it is an input.
fn across<'a>(cell: &'a Cell, inside: &'a HashMap<&str, &Port>) -> impl Iterator<Item = (u32, &'a Port)> {
    cell.pins.iter().filter_map(|(pin, net)| Some((*net, *inside.get(pin.as_str())?)))
}

/// Nets that lead through a module without a cell, or are constant in it, are one (or the constant) around it, too.
fn join_through(modules: &mut Modules, order: &[String]) {
    for name in order {
        let module = &modules[name];
        let mut same = Same((0..module.nets).collect());
        for cell in &module.cells {
            let Some(child) = module.child(&cell.kind).and_then(|kind| modules.get(kind)) else { continue };
            let inside = child.ports.iter().map(|p| (p.name.as_str(), p)).collect();
            let mut seen: HashMap<u32, u32> = (0..CONSTANTS).map(|c| (c, c)).collect();
            for (net, port) in across(cell, &inside) {
                same.join(*seen.entry(port.net).or_insert(net), net);
            }
        }
        if let Some(module) = modules.get_mut(name) {
            module.name_by_root(same);
        }
    }
}

/// A kind of buffer.
struct Buffer<'a> {
    limit: f64,
    kind: &'a str,
    input: &'a str,
    output: &'a str,
}

impl Buffer<'_> {
    /// One of them between two nets.
    fn between(&self, name: String, from: u32, to: u32) -> Cell {
        let pins = vec![(self.input.into(), from), (self.output.into(), to)];
        Cell { name, kind: self.kind.into(), pins }
    }
}

impl Module {
    /// ABC buffers what cells of a module drive, and not what comes from outside or from modules inside. Where cells load such a net
    /// with more than a buffer of medium strength may drive, they are put in groups of half of that, each behind one. Clocks
    /// are left alone. Returns how many buffers there are now.
    fn branch(&mut self, cells: &BTreeMap<String, CellKind>, buffer: &Buffer) -> usize {
        let mut takers: BTreeMap<u32, Vec<(usize, usize, f64)>> = BTreeMap::new();
        let mut left: Vec<bool> = (0..self.nets).map(|net| net < CONSTANTS).collect();
        for (at, cell) in self.cells.iter().enumerate() {
            let Some(kind) = cells.get(&cell.kind) else { continue };
            for (n, (name, net)) in cell.pins.iter().enumerate() {
                match kind.pins.iter().position(|p| p.name == *name) {
                    Some(pin) if kind.pins[pin].input && !kind.is_clock(pin) => {
                        takers.entry(*net).or_default().push((at, n, kind.pins[pin].capacitance));
                    }
                    _ => left[*net as usize] = true,
                }
            }
        }
        let mut buffers = Vec::new();
        for (net, takers) in takers {
            if left[net as usize] || takers.iter().map(|t| t.2).sum::<f64>() <= buffer.limit {
                continue;
            }
            let mut room = 0.0;
            for (at, n, load) in takers {
                if load > room {
                    room = buffer.limit / 2.0;
                    buffers.push(buffer.between(format!("branch_{}", buffers.len()), net, self.nets));
                    self.nets += 1;
                }
                room -= load;
                self.cells[at].pins[n].1 = self.nets - 1;
            }
        }
        let count = buffers.len();
        self.cells.append(&mut buffers);
        count
    }
}

/// Modules are mapped one by one, so a cell that drives a port was not sized for what is behind it. Where the load is
/// beyond the cell's max_capacitance, a buffer comes behind it; a module is the same in all its places, so it gets
/// what the worst one needs. What comes into a module is buffered there first ([`Module::branch`]). How many of which kind each module gets.
pub fn add_buffers(
    modules: &mut Modules,
    top: &str,
    cells: &BTreeMap<String, CellKind>,
) -> BTreeMap<String, BTreeMap<String, usize>> {
    let mut takes: HashMap<(&str, &str), f64> = HashMap::new();
    let mut limits: HashMap<(&str, &str), f64> = HashMap::new();
    let mut kinds: Vec<Buffer> = Vec::new();
    for (name, kind) in cells {
        for pin in &kind.pins {
            if pin.input {
                takes.insert((name, &pin.name), pin.capacitance);
            } else if let Some(limit) = pin.limit {
                limits.insert((name, &pin.name), limit);
                let mut inputs = kind.pins.iter().filter(|p| p.input);
                if let (Some(input), None) = (inputs.next(), inputs.next())
                    && pin.function.as_deref().map(|f| f.trim_matches(['(', ')', ' '])) == Some(&input.name)
                {
                    kinds.push(Buffer { limit, kind: name, input: &input.name, output: &pin.name });
                }
            }
        }
    }
    kinds.sort_by(|a, b| a.limit.total_cmp(&b.limit).then(a.kind.cmp(b.kind)));
    let mut order = Vec::new();
    inner_first(modules, top, &mut order);
    join_through(modules, &order);
    let mut count: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    if let Some(medium) = kinds.get(kinds.len() / 2) {
        for name in &order {
            let branches = modules.get_mut(name).map_or(0, |m| m.branch(cells, medium));
            if branches > 0 {
                count.entry(name.clone()).or_default().insert(medium.kind.into(), branches);
            }
        }
    }
    let order: Vec<&str> = order.iter().map(String::as_str).collect();
    let ports: HashMap<&str, HashMap<&str, &Port>> = order
        .iter()
        .map(|n| (*n, modules[*n].ports.iter().map(|p| (p.name.as_str(), p)).collect()))
        .collect();
    // The load of each net inside a module, and outside of it in its worst place.
    let mut loads: HashMap<&str, Vec<f64>> = HashMap::new();
    for &name in &order {
        let module = &modules[name];
        let mut load = vec![0.0; module.nets as usize];
        for cell in &module.cells {
            match module.child(&cell.kind) {
                Some(kind) => {
                    let Some(inside) = ports.get(kind) else { continue };
                    for (net, port) in across(cell, inside).filter(|(_, p)| p.input) {
                        load[net as usize] += loads[kind][port.net as usize];
                    }
                }
                None => {
                    for (pin, net) in &cell.pins {
                        load[*net as usize] += takes.get(&(&*cell.kind, &**pin)).unwrap_or(&0.0);
                    }
                }
            }
        }
        loads.insert(name, load);
    }
    let mut behind: HashMap<&str, Vec<f64>> =
        order.iter().map(|n| (*n, vec![0.0; modules[*n].nets as usize])).collect();
    for &name in order.iter().rev() {
        let module = &modules[name];
        let mine = behind[name].clone();
        for cell in &module.cells {
            let Some(kind) = module.child(&cell.kind) else { continue };
            let (Some(inside), Some(worst)) = (ports.get(kind), behind.get_mut(kind)) else { continue };
            for (net, port) in across(cell, inside).filter(|(_, p)| !p.input) {
                let load = loads[name][net as usize] + mine[net as usize];
                let worst = &mut worst[port.net as usize];
                *worst = worst.max(load);
            }
        }
    }
    let mut wanted = Vec::new(); // module, cell, pin, buffer
    for &name in &order {
        for (at, cell) in modules[name].cells.iter().enumerate() {
            for (pin, (output, net)) in cell.pins.iter().enumerate() {
                let Some(&limit) = limits.get(&(&*cell.kind, &**output)) else { continue };
                let load = loads[name][*net as usize] + behind[name][*net as usize];
                let strong = || kinds.iter().filter(|k| k.limit > limit);
                if load > limit
                    && let Some(best) = strong().find(|k| k.limit >= load).or(strong().next_back())
                {
                    wanted.push((name, at, pin, best));
                }
            }
        }
    }
    for (name, at, pin, buffer) in wanted {
        *count.entry(name.into()).or_default().entry(buffer.kind.into()).or_default() += 1;
        let Some(module) = modules.get_mut(name) else { continue };
        let few = module.nets;
        module.nets += 1;
        let net = std::mem::replace(&mut module.cells[at].pins[pin].1, few);
        let behind = format!("behind_{}", module.cells[at].name);
        module.cells.push(buffer.between(behind, few, net));
    }
    count
}

/// A cell of a flat netlist.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its kind.
    pub kind: u32,
    /// Where its pins begin.
    pins: u32,
    /// The instance of a module that it is in, and its number there.
    instance: u32,
    cell: u32,
}

/// A design without hierarchy.
pub struct Flat<'a> {
    /// Kinds of cells that occur.
    pub kinds: Vec<(&'a str, &'a CellKind)>,
    /// Its cells.
    pub cells: Vec<Place>,
    pins: Vec<u32>,
    /// Input and output ports: name and net.
    pub inputs: Vec<(String, u32)>,
    /// Likewise.
    pub outputs: Vec<(String, u32)>,
    /// How many nets there are; the first are the constants.
    pub nets: usize,
    /// Where each instance is, and its module.
    instances: Vec<(String, &'a Module)>,
}

impl<'a> Flat<'a> {
    /// The design `top`; `cells` are those of the library and the memories.
    pub fn new(modules: &'a Modules, top: &str, cells: &'a BTreeMap<String, CellKind>) -> Result<Flat<'a>> {
        let module = modules.get(top).with_context(|| format!("there is no module {top}"))?;
        let mut flat = Flat {
            kinds: Vec::new(),
            cells: Vec::new(),
            pins: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            nets: 0,
            instances: Vec::new(),
        };
        let mut same = Same((0..CONSTANTS).collect());
        let mut known = HashMap::new();
        let mut outside = HashMap::new();
        for port in &module.ports {
            outside.insert(port.name.as_str(), same.0.len() as u32);
            let list = if port.input { &mut flat.inputs } else { &mut flat.outputs };
            list.push((port.name.clone(), same.0.len() as u32));
            same.0.push(same.0.len() as u32);
        }
        let mut open = vec![(String::new(), module, outside)];
        while let Some((path, module, outside)) = open.pop() {
            let mut nets: Vec<u32> = (0..CONSTANTS).collect();
            nets.resize(module.nets as usize, OPEN);
            for port in &module.ports {
                let Some(&net) = outside.get(port.name.as_str()) else { continue };
                match nets[port.net as usize] {
                    OPEN => nets[port.net as usize] = net,
                    known => same.join(known, net),
                }
            }
            for net in &mut nets {
                if *net == OPEN {
                    *net = same.0.len() as u32;
                    same.0.push(*net);
                }
            }
            let instance = flat.instances.len() as u32;
            for (at, cell) in module.cells.iter().enumerate() {
                let of = module.child(&cell.kind);
                if let Some(child) = of.and_then(|name| modules.get(name)) {
                    let outside = cell.pins.iter().map(|(p, n)| (p.as_str(), nets[*n as usize])).collect();
                    open.push((format!("{path}{}/", cell.name), child, outside));
                    continue;
                }
                let name = of.unwrap_or(&cell.kind);
                let (name, kind) =
                    cells.get_key_value(name).with_context(|| format!("there is no cell {name}"))?;
                let kinds = &mut flat.kinds;
                let kind_at = *known.entry(name.as_str()).or_insert_with(|| {
                    kinds.push((name.as_str(), kind));
                    kinds.len() as u32 - 1
                });
                let begin = flat.pins.len();
                flat.pins.resize(begin + kind.pins.len(), OPEN);
                let mut next = 0;
                for (pin, net) in &cell.pins {
                    // Most cells have few pins; those of memories come in the order of the kind's or nearly so.
                    let n = kind.pins.len();
                    let found = (0..n).map(|i| (next + i) % n).find(|i| kind.pins[*i].name == *pin);
                    let found = found.with_context(|| format!("{name} has no pin {pin}"))?;
                    next = found + 1;
                    flat.pins[begin + found] = nets[*net as usize];
                }
                flat.cells.push(Place { kind: kind_at, pins: begin as u32, instance, cell: at as u32 });
            }
            flat.instances.push((path, module));
        }
        let mut root = |net: &mut u32| {
            if *net != OPEN {
                *net = same.root(*net);
            }
        };
        flat.pins.iter_mut().for_each(&mut root);
        flat.inputs.iter_mut().chain(&mut flat.outputs).for_each(|(_, n)| root(n));
        flat.nets = same.0.len();
        Ok(flat)
    }

    /// The kind of a cell.
    pub fn kind(&self, cell: usize) -> &'a CellKind {
        self.kinds[self.cells[cell].kind as usize].1
    }

    /// The nets at the pins of a cell.
    pub fn pins(&self, cell: usize) -> &[u32] {
        let begin = self.cells[cell].pins as usize;
        &self.pins[begin..begin + self.kind(cell).pins.len()]
    }

    /// Where a cell is.
    pub fn path(&self, cell: usize) -> String {
        let place = self.cells[cell];
        let (path, module) = &self.instances[place.instance as usize];
        format!("{path}{}", module.cells[place.cell as usize].name)
    }

    /// What each net drives, by edge.
    pub fn loads(&self) -> Vec<[f64; 2]> {
        let mut loads = vec![[0.0; 2]; self.nets];
        for cell in 0..self.cells.len() {
            for (pin, net) in self.kind(cell).pins.iter().zip(self.pins(cell)) {
                if pin.input && *net != OPEN {
                    (0..2).for_each(|e| loads[*net as usize][e] += pin.takes[e]);
                }
            }
        }
        loads
    }

    /// The design `top` as Verilog with only some cells and some of their pins; cells are named `c` and their number.
    /// A net keeps its load: where pins that it drives are missing, one of a cell that takes as much is put there. These
    /// cells are returned as text for a library of ns and pF.
    pub fn verilog(&self, top: &str, keep: &[(usize, Vec<bool>)]) -> (String, String) {
        let mut missing = self.loads();
        let mut used = vec![false; self.nets];
        let mut driven = used.clone();
        for (cell, pins) in keep {
            let all = self.kind(*cell).pins.iter().zip(self.pins(*cell)).zip(pins);
            for ((pin, net), _) in all.filter(|((_, net), kept)| **kept && **net != OPEN) {
                let net = *net as usize;
                used[net] = true;
                driven[net] |= !pin.input;
                if pin.input {
                    (0..2).for_each(|e| missing[net][e] -= pin.takes[e]);
                }
            }
        }
        let mut names: HashMap<u32, String> = HashMap::from([(0, "1'b0".into()), (1, "1'b1".into())]);
        for (name, net) in &self.inputs {
            names.insert(*net, name.clone());
        }
        let name = |net: u32| match names.get(&net) {
            Some(name) => name.clone(),
            None => format!("n{net}"),
        };
        let mut text = String::new();
        // Bits of one port are neighbours and in their order.
        let mut ports: Vec<(&str, &str, usize)> = Vec::new();
        for (way, list) in [("input", &self.inputs), ("output", &self.outputs)] {
            for (bit, _) in list {
                let base = bit.split('[').next().unwrap_or(bit);
                match ports.last_mut().filter(|p| p.1 == base) {
                    Some(last) => last.2 += 1,
                    None => ports.push((way, base, 1)),
                }
            }
        }
        let all: Vec<&str> = ports.iter().map(|p| p.1).collect();
        let _ = writeln!(text, "module {top} ({});", all.join(", "));
        for (way, base, width) in ports {
            let range = if width > 1 { format!("[{}:0] ", width - 1) } else { String::new() };
            let _ = writeln!(text, "  {way} {range}{base};");
        }
        for net in CONSTANTS..self.nets as u32 {
            if used[net as usize] && !names.contains_key(&net) {
                let _ = writeln!(text, "  wire n{net};");
            }
        }
        for (bit, net) in &self.outputs {
            if names.contains_key(net) || driven[*net as usize] {
                let _ = writeln!(text, "  assign {bit} = {};", name(*net));
            }
        }
        let mut open = 0;
        for (cell, kept) in keep {
            // The bits of a port of a memory become one list.
            let kind = self.kind(*cell);
            let mut pins: Vec<(&str, Vec<String>, bool)> = Vec::new();
            for ((pin, net), kept) in kind.pins.iter().zip(self.pins(*cell)).zip(kept) {
                let kept = *kept && *net != OPEN;
                let base = pin.name.split('[').next().unwrap_or(&pin.name);
                let net = if kept {
                    name(*net)
                } else {
                    open += 1;
                    format!("open{open}")
                };
                match pins.last_mut().filter(|p| p.0 == base) {
                    Some(last) => {
                        last.1.push(net);
                        last.2 |= kept;
                    }
                    None => pins.push((base, vec![net], kept)),
                }
            }
            let _ = write!(text, "  {} c{cell} (", self.kinds[self.cells[*cell].kind as usize].0);
            let mut first = true;
            for (base, mut nets, _) in pins.into_iter().filter(|p| p.2) {
                let comma = if std::mem::take(&mut first) { "" } else { ", " };
                nets.reverse();
                let list = nets.join(", ");
                let _ = match nets.len() {
                    1 => write!(text, "{comma}.{base}({list})"),
                    _ => write!(text, "{comma}.{base}({{{list}}})"),
                };
            }
            text.push_str(");\n");
        }
        let mut takers: BTreeMap<[u64; 2], usize> = BTreeMap::new();
        let mut cells = String::new();
        for net in (CONSTANTS as usize..self.nets).filter(|n| driven[*n]) {
            let takes = missing[net].map(|c| (c * 1e8).round() as u64);
            if takes == [0, 0] {
                continue;
            }
            let n = takers.len();
            let taker = *takers.entry(takes).or_insert_with(|| {
                let [rise, fall] = takes.map(|t| t as f64 / 1e8);
                let _ = writeln!(
                    cells,
                    "  cell (takes_{n}) {{ area : 0; pin (A) {{ direction : input; capacitance : {rise:.8}; \
                     rise_capacitance : {rise:.8}; fall_capacitance : {fall:.8}; }} }}"
                );
                n
            });
            let _ = writeln!(text, "  takes_{taker} t{net} (.A(n{net}));");
        }
        text.push_str("endmodule\n");
        (text, cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::liberty;

    fn read(text: &str, children: &[&str]) -> Module {
        Module::read(text, &children.iter().map(|c| c.to_string()).collect::<Vec<_>>()).unwrap()
    }

    const CHILD: &str =
        ".model child\n.inputs clk_i d_i\n.outputs q_o\n.gate DFF_X1 D=d_i CK=clk_i Q=q_o\n.cname r\n.end\n";

    /// A register in a module of its own drives 100 gates of its surroundings: 170 fF, and it may drive 60.
    #[test]
    fn a_port_with_much_behind_it_gets_a_buffer() {
        let cells = liberty::cells(include_str!("../../tech/generic45.lib")).unwrap();
        let of = |gates: usize| {
            let gates: String =
                (0..gates).map(|i| format!(".gate NAND2_X1 A=few B=b_i Y=y_o[{i}]\n.cname g{i}\n")).collect();
            let top = format!(
                ".model top\n.inputs clk_i d_i b_i\n.outputs z_o\n{gates}\
                 .gate quell_child_0 clk_i=clk_i d_i=d_i q_o=few\n.cname much\n\
                 .gate quell_child_0 clk_i=clk_i d_i=d_i q_o=z_o\n.cname nothing\n.end\n"
            );
            let mut modules = Modules::from([
                ("child_1".to_string(), read(CHILD, &[])),
                ("top_1".to_string(), read(&top, &["child_1"])),
            ]);
            let added = add_buffers(&mut modules, "top_1", &cells);
            let flat = Flat::new(&modules, "top_1", &cells).unwrap();
            let mut paths: Vec<String> = (0..flat.cells.len()).map(|c| flat.path(c)).collect();
            paths.retain(|p| !p.starts_with('g'));
            paths.sort();
            (added, paths)
        };
        // One in the module, which is the same in both places.
        let (added, paths) = of(100);
        let one = BTreeMap::from([("BUF_X4".to_string(), 1)]);
        assert_eq!(added, BTreeMap::from([("child_1".to_string(), one)]));
        assert_eq!(paths, ["much/behind_r", "much/r", "nothing/behind_r", "nothing/r"]);
        // Little behind it: nothing.
        let (added, paths) = of(1);
        assert_eq!(added, BTreeMap::new());
        assert_eq!(paths, ["much/r", "nothing/r"]);
    }

    /// 200 gates at an input are 453 fF: more than the 240 fF of a medium buffer, so each 52 of them get one. 1000 registers at the
    /// clock get none.
    #[test]
    fn an_input_with_much_behind_it_branches_and_a_clock_does_not() {
        let cells = liberty::cells(include_str!("../../tech/generic45.lib")).unwrap();
        let gates: String =
            (0..200).map(|i| format!(".gate NAND2_X1 A=a_i B=b_i[{i}] Y=y_o[{i}]\n.cname g{i}\n")).collect();
        let registers: String = (0..1000)
            .map(|i| format!(".gate DFF_X1 D=d_i[{i}] CK=clk_i Q=q_o[{i}]\n.cname r{i}\n"))
            .collect();
        let text = format!(".model top\n.inputs clk_i a_i\n.outputs z_o\n{gates}{registers}.end\n");
        let mut modules = Modules::from([("top".to_string(), read(&text, &[]))]);
        let added = add_buffers(&mut modules, "top", &cells);
        assert_eq!(added, BTreeMap::from([("top".into(), BTreeMap::from([("BUF_X4".to_string(), 4)]))]));
        let flat = Flat::new(&modules, "top", &cells).unwrap();
        let loads = flat.loads();
        let a = flat.inputs.iter().find(|(name, _)| name == "a_i").unwrap().1;
        assert!((loads[a as usize][0] - 4.0 * 0.0017).abs() < 1e-9, "four inputs of buffers");
        assert!(loads.iter().all(|l| l[0] <= 0.12 || l[0] > 0.9), "groups of half of 240 fF, and the clock");
        // Once done nothing is left to do.
        assert_eq!(add_buffers(&mut modules, "top", &cells), BTreeMap::new());
    }

    /// A gate drives 100 others through a module in which there is only a wire.
    #[test]
    fn what_is_behind_a_wire_through_a_module_counts() {
        let cells = liberty::cells(include_str!("../../tech/generic45.lib")).unwrap();
        let through = ".model through\n.inputs a_i\n.outputs y_o\n.names a_i y_o\n1 1\n.end\n";
        let gates: String =
            (0..100).map(|i| format!(".gate NAND2_X1 A=few B=b_i Y=y_o[{i}]\n.cname g{i}\n")).collect();
        let top = format!(
            ".model top\n.inputs a_i b_i\n.outputs z_o\n.gate NAND2_X1 A=a_i B=b_i Y=n\n.cname first\n\
             .gate quell_child_0 a_i=n y_o=few\n.cname wire\n{gates}.end\n"
        );
        let mut modules = Modules::from([
            ("through".to_string(), read(through, &[])),
            ("top".to_string(), read(&top, &["through"])),
        ]);
        let added = add_buffers(&mut modules, "top", &cells);
        assert_eq!(added, BTreeMap::from([("top".into(), BTreeMap::from([("BUF_X4".to_string(), 1)]))]));
    }

    #[test]
    fn a_net_with_two_names_is_one_in_the_module_and_around_it() {
        let cells = liberty::cells(include_str!("../../tech/generic45.lib")).unwrap();
        let through = ".model through\n.inputs a_i\n.outputs y_o z_o\n.names $false\n.names $true\n1\n\
                       .names a_i y_o\n1 1\n.names $true z_o\n1 1\n.end\n";
        let top = ".model top\n.inputs a_i[0] a_i[1]\n.outputs y_o\n.gate quell_child_0 a_i=a_i[1] y_o=n z_o=one\n\
                   .cname t\n.gate NAND2_X1 A=n B=one Y=y_o\n.cname g\n.end\n";
        let modules = Modules::from([
            ("through".to_string(), read(through, &[])),
            ("top".to_string(), read(top, &["through"])),
        ]);
        let flat = Flat::new(&modules, "top", &cells).unwrap();
        assert_eq!(flat.pins(0)[..2], [flat.inputs[1].1, 1]);
        let (text, takers) = flat.verilog("top", &[(0, vec![true; 3])]);
        assert!(
            text.contains("input [1:0] a_i;") && text.contains("NAND2_X1 c0 (.A(a_i[1]), .B(1'b1), .Y("),
            "{text}"
        );
        assert!(takers.is_empty());
        assert!(Module::read(".latch a b\n", &[]).is_err());
    }
}
