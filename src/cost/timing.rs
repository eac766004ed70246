//! Static timing of a mapped design with OpenSTA: the longest path between registers, and the slack under
//! `constraints/quell.sdc`. Memories are cells whose times come from the memory model.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::estimate::{self, Estimate};
use super::liberty::{Arc, CellKind, Pin, Sense, Table};
use super::library::Library;
use super::memory::{Model, Shape};
use super::netlist::Flat;

/// Times of a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Longest path from register (or memory) to register, ns.
    pub path_ns: f64,
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Least slack under the constraints at the wanted clock, inputs and outputs with it, ns.
    pub slack_ns: f64,
}

impl Timing {
    /// The clock that the longest path allows, MHz.
    pub fn mhz(&self) -> f64 {
        1000.0 / self.path_ns
    }
}

/// A memory module of a design: its name, shape, ports (name, width, is an input).
pub struct MemoryCell {
    pub name: String,
    pub shape: Shape,
    pub ports: Vec<(String, usize, bool)>,
}

impl MemoryCell {
    /// The memory for the estimate: what `liberty` tells the tool.
    pub fn kind(&self, nm: f64, model: &Model) -> CellKind {
        let e = model.estimate(self.shape, nm);
        let mut kind = CellKind::default();
        for (name, width, input) in &self.ports {
            let is_clock = name == "clk_i";
            let takes = if is_clock { CLOCK_TAKES } else { INPUT_TAKES };
            let setup = *input && !is_clock && !self.reads_at_once(name);
            for bit in 0..*width {
                kind.pins.push(Pin {
                    name: pin(name, *width, bit),
                    input: *input,
                    capacitance: takes,
                    takes: [takes; 2],
                    // The clock's number is not known yet.
                    setup: setup.then(|| ([0; 2].map(|_| Table::constant(SETUP * e.access_ns)), 0)),
                    ..Pin::default()
                });
            }
        }
        let all = |keep: &dyn Fn(&Pin) -> bool| -> Vec<usize> {
            (0..kind.pins.len()).filter(|i| keep(&kind.pins[*i])).collect()
        };
        let clock = all(&|p| p.name == "clk_i");
        let arc = |from: Vec<usize>, to: Vec<usize>, launch| Arc {
            from,
            to,
            launch,
            sense: Sense::Both,
            delay: [0; 2].map(|_| Table::constant(e.access_ns)),
            slew: [0; 2].map(|_| Table::constant(SLEW_NS)),
        };
        let mut arcs = vec![arc(clock.clone(), all(&|p| !p.input), true)];
        for (addresses, data) in self.reads() {
            arcs.push(arc(all(&|p| addresses.contains(&p.name)), all(&|p| data.contains(&p.name)), false));
        }
        kind.arcs = arcs.into_iter().filter(|a| !a.from.is_empty()).collect();
        kind.odd = clock.len() != 1;
        let first = clock.first().copied().unwrap_or_default();
        kind.pins.iter_mut().filter_map(|p| p.setup.as_mut()).for_each(|s| s.1 = first);
        kind
    }

    /// An address whose data come in the same cycle.
    fn reads_at_once(&self, port: &str) -> bool {
        self.name.starts_with("ram_async") && port == "raddr_i"
    }

    /// Pins of addresses, and those that follow them in the same cycle: the data of the same read port, and what is of
    /// no port.
    fn reads(&self) -> Vec<(Vec<String>, Vec<String>)> {
        let pins = |port: &str| -> Vec<String> {
            let of_port = self.ports.iter().filter(|p| p.0 == port);
            of_port.flat_map(|(name, width, _)| (0..*width).map(|bit| pin(name, *width, bit))).collect()
        };
        if !self.ports.iter().any(|p| self.reads_at_once(&p.0)) {
            return Vec::new();
        }
        let (addresses, data) = (pins("raddr_i"), pins("rdata_o"));
        let part = |pins: &[String]| (pins.len() / self.shape.reads.max(1)).max(1);
        let ports = addresses.chunks(part(&addresses)).zip(data.chunks(part(&data)));
        let mut reads: Vec<_> = ports.map(|(a, d)| (a.to_vec(), d.to_vec())).collect();
        let others = self.ports.iter().filter(|(name, _, input)| !input && name != "rdata_o");
        let others: Vec<String> = others.flat_map(|(name, ..)| pins(name)).collect();
        if !others.is_empty() {
            reads.push((addresses, others));
        }
        reads
    }
}

/// Name of a pin of a port of so many bits.
fn pin(port: &str, width: usize, bit: usize) -> String {
    if width > 1 { format!("{port}[{bit}]") } else { port.to_string() }
}

/// Pins of memories: capacitance (pF), setup as a part of the access time, slew.
const CLOCK_TAKES: f64 = 0.005;
const INPUT_TAKES: f64 = 0.002;
const SETUP: f64 = 0.1;
const SLEW_NS: f64 = 0.05;

/// Refuses to start without the timing tool.
pub fn check_tool() -> Result<()> {
    let out = Command::new("sta").arg("-version").output();
    out.map(|_| ()).context("cannot run sta (OpenSTA); remedy: run ./setup")
}

/// The memories as cells of a library, and further ones.
fn liberty(memories: &[MemoryCell], takers: &str, nm: f64, model: &Model) -> String {
    let mut o = String::from(
        "library (memories) {\n  delay_model : table_lookup; time_unit : \"1ns\"; voltage_unit : \"1V\"; \
         current_unit : \"1mA\";\n  pulling_resistance_unit : \"1kohm\"; capacitive_load_unit (1, pf);\n",
    );
    for edge in ["rise", "fall"] {
        let _ = writeln!(
            o,
            "  input_threshold_pct_{edge} : 50; output_threshold_pct_{edge} : 50; \
             slew_lower_threshold_pct_{edge} : 20; slew_upper_threshold_pct_{edge} : 80;"
        );
    }
    for m in memories {
        for (_, width, _) in &m.ports {
            if !o.contains(&format!("type (b{width})")) {
                let _ = writeln!(
                    o,
                    "  type (b{width}) {{ base_type : array; data_type : bit; bit_width : {width}; bit_from : {}; \
                     bit_to : 0; downto : true; }}",
                    width - 1
                );
            }
        }
    }
    for m in memories {
        let e = model.estimate(m.shape, nm);
        let _ = writeln!(o, "  cell ({}) {{\n    area : {:.1};", m.name, e.area_um2);
        let reads = m.reads();
        for (name, width, input) in &m.ports {
            let (group, end) = if *width > 1 {
                (format!("bus ({name}) {{ bus_type : b{width};"), "}")
            } else {
                (format!("pin ({name}) {{"), "}")
            };
            if name == "clk_i" {
                let _ = writeln!(
                    o,
                    "    pin (clk_i) {{ direction : input; clock : true; capacitance : {CLOCK_TAKES}; }}"
                );
            } else if *input {
                // Synchronous reads and all writes take their address at the edge.
                let setup = SETUP * e.access_ns;
                let check = format!(
                    "timing () {{ related_pin : \"clk_i\"; timing_type : setup_rising; \
                     rise_constraint (scalar) {{ values (\"{setup:.4}\"); }} \
                     fall_constraint (scalar) {{ values (\"{setup:.4}\"); }} }}"
                );
                let check = if m.reads_at_once(name) { String::new() } else { check };
                let _ =
                    writeln!(o, "    {group} direction : input; capacitance : {INPUT_TAKES}; {check} {end}");
            } else {
                let t = e.access_ns;
                let values = format!(
                    "cell_rise (scalar) {{ values (\"{t:.4}\"); }} cell_fall (scalar) {{ values (\"{t:.4}\"); }} \
                     rise_transition (scalar) {{ values (\"{SLEW_NS}\"); }} fall_transition (scalar) {{ values (\"{SLEW_NS}\"); }}"
                );
                let arcs =
                    format!("timing () {{ related_pin : \"clk_i\"; timing_type : rising_edge; {values} }}");
                let _ = writeln!(o, "    {group} direction : output; max_capacitance : 1.0; {arcs}");
                for bit in (0..*width).map(|bit| pin(name, *width, bit)) {
                    let Some((addresses, _)) = reads.iter().find(|(_, data)| data.contains(&bit)) else {
                        continue;
                    };
                    let from = addresses.join(" ");
                    let arc = format!(
                        "timing () {{ related_pin : \"{from}\"; timing_sense : non_unate; {values} }}"
                    );
                    let _ = match width {
                        1 => writeln!(o, "      {arc}"),
                        _ => writeln!(o, "      pin ({bit}) {{ {arc} }}"),
                    };
                }
                let _ = writeln!(o, "    {end}");
            }
        }
        o.push_str("  }\n");
    }
    o + takers + "}\n"
}

/// The number after some words in a text.
fn number(text: &str, after: &str) -> Option<f64> {
    text.lines().find_map(|l| l.trim().strip_prefix(after)).and_then(|r| r.trim().parse().ok())
}

/// The first number of each line that ends in some words.
fn before(text: &str, words: &str) -> impl Iterator<Item = f64> {
    text.lines().filter_map(move |l| l.trim().strip_suffix(words)?.split_whitespace().next()?.parse().ok())
}

fn word(text: &str, after: &str) -> String {
    let found = text.lines().find_map(|l| l.trim().strip_prefix(after));
    found
        .unwrap_or_default()
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_start_matches('\\')
        .to_string()
}

/// A design to be timed.
pub struct Job<'a> {
    /// The source tree.
    pub root: &'a Path,
    /// For its files.
    pub dir: &'a Path,
    /// Its name.
    pub top: &'a str,
    /// Its memories.
    pub memories: &'a [MemoryCell],
    /// The cell library.
    pub library: &'a Library,
    /// The wanted period.
    pub period_ns: f64,
}

impl Job<'_> {
    /// The times of the design: the tool gets what the estimate finds to decide them, or all where they do not agree.
    pub fn times(&self, flat: &Flat) -> Result<Timing> {
        if let Ok(e) = estimate::estimate(flat, self.period_ns) {
            let t = self.part(flat, &e.keep)?;
            if agree(&e, &t) {
                return Ok(t);
            }
        }
        self.whole(flat)
    }

    /// The times of the whole design.
    fn whole(&self, flat: &Flat) -> Result<Timing> {
        let all: Vec<_> = (0..flat.cells.len()).map(|c| (c, vec![true; flat.pins(c).len()])).collect();
        self.part(flat, &all)
    }

    fn part(&self, flat: &Flat, keep: &[(usize, Vec<bool>)]) -> Result<Timing> {
        let netlist = self.dir.join("netlist.v");
        let (text, takers) = flat.verilog(self.top, keep);
        std::fs::write(&netlist, text)?;
        let mut t = self.run(&netlist, &takers)?;
        for end in [&mut t.from, &mut t.to] {
            if let Some(cell) = end.strip_prefix('c').and_then(|n| n.parse().ok()) {
                *end = flat.path(cell);
            }
        }
        Ok(t)
    }
}

/// Whether the tool found what was estimated.
fn agree(e: &Estimate, t: &Timing) -> bool {
    // The tool gives the slack in hundredths.
    (e.path_ns - t.path_ns).abs() < estimate::AGREE_NS && (e.slack_ns - t.slack_ns).abs() < 0.01
}

impl Job<'_> {
    /// The times of what is in the file `netlist`; `takers` are further cells of it.
    fn run(&self, netlist: &Path, takers: &str) -> Result<Timing> {
        let Job { root, dir, top, memories, library, period_ns } = self;
        let mems = dir.join("memories.lib");
        std::fs::write(&mems, liberty(memories, takers, library.nm, &Model::new()))?;
        let mut tcl = format!("read_liberty {}\n", library.path.display());
        if !memories.is_empty() || !takers.is_empty() {
            let _ = writeln!(tcl, "read_liberty {}", mems.display());
        }
        let _ = writeln!(tcl, "read_verilog {}", netlist.display());
        // One search of all paths: those from an input or to an output are put in a group of their own, so what is left in
        // the clock's group is between registers. One kind of analysis, as there is one corner.
        let sdc = root.join("constraints/quell.sdc");
        let _ = write!(
            tcl,
            "link_design {top}\nset_operating_conditions -analysis_type single\nset_cmd_units -time ns\n\
         set QUELL_PERIOD {period_ns}\nsource {}\n\
         group_path -name outside -from [all_inputs]\ngroup_path -name outside -to [all_outputs]\n\
         puts \"== constraints\"\nreport_worst_slack\ncheck_setup\n\
         puts \"== registers\"\nreport_checks -path_delay max -path_group clk -digits 4\nputs \"== end\"\nexit\n",
            sdc.display()
        );
        let script = dir.join("run.tcl");
        std::fs::write(&script, &tcl)?;
        let out = Command::new("sta")
            .args(["-no_splash", "-exit"])
            .arg(&script)
            .output()
            .context("cannot run sta (OpenSTA); remedy: run ./setup")?;
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        let wrong: Vec<&str> =
            text.lines().filter(|l| l.starts_with("Error") || l.contains("black box")).take(3).collect();
        if !wrong.is_empty() || !out.status.success() {
            bail!("static timing of {top}: {}", wrong.join("; "));
        }
        let (_, constraints) = text.split_once("== constraints").context("sta gave no report")?;
        let (constraints, registers) = constraints.split_once("== registers").context("sta stopped early")?;
        if !registers.contains("== end") {
            bail!("static timing of {top}: sta stopped early");
        }
        // An output that is a constant has no path and is "unconstrained"; that is no fault.
        let at_fault = |l: &&str| l.starts_with("Warning: There ") && !l.contains("unconstrained");
        if let Some(free) = constraints.lines().find(at_fault) {
            bail!("static timing of {top}: constraints/quell.sdc leaves something free: {free}");
        }
        let arrival = before(registers, "data arrival time").find(|t| *t >= 0.0);
        let arrival = arrival.with_context(|| format!("{top}: no path between registers"))?;
        // A line of the report: how much, the sum, what. Setup is taken off.
        let setup = before(registers, "library setup time").next().unwrap_or(0.0);
        Ok(Timing {
            path_ns: arrival - setup,
            from: word(registers, "Startpoint:"),
            to: word(registers, "Endpoint:"),
            slack_ns: number(constraints, "worst slack").context("sta gave no slack")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::library::DEFAULT;
    use crate::cost::{liberty, netlist};

    /// A NAND2 from the inputs to a register, an inverter to a register at the output.
    const NETLIST: &str = "module unit (clk_i, a_i, b_i, y_o); input clk_i, a_i, b_i; output y_o; wire d, q, n; \
        NAND2_X1 g (.A(a_i), .B(b_i), .Y(d)); DFF_X1 r (.D(d), .CK(clk_i), .Q(q)); \
        INV_X1 i (.A(q), .Y(n)); DFF_X1 s (.D(n), .CK(clk_i), .Q(y_o)); endmodule";

    fn timed(sdc: &str) -> Result<Timing> {
        let real = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = tempfile::tempdir()?;
        std::fs::create_dir(root.path().join("constraints"))?;
        std::fs::write(root.path().join("constraints/quell.sdc"), sdc)?;
        let netlist = root.path().join("unit.v");
        std::fs::write(&netlist, NETLIST)?;
        let library = Library::open(DEFAULT, None, real)?;
        let root = root.path();
        let job = Job { root, dir: root, top: "unit", memories: &[], library: &library, period_ns: 12.8 };
        job.run(&netlist, "")
    }

    #[test]
    fn the_constraints_are_read_and_leave_nothing_free() {
        let real = include_str!("../../constraints/quell.sdc");
        let t = timed(real).unwrap();
        assert_eq!((t.from.as_str(), t.to.as_str()), ("r", "s"));
        assert!((0.05..0.5).contains(&t.path_ns), "{t:?}");
        assert!((8.0..8.96).contains(&t.slack_ns), "70 % of the period less a gate: {t:?}");
        // Twice the delay of inputs and outputs: 30 % of 12.8 ns less.
        let tighter = timed(&real.replace("0.3 *", "0.6 *")).unwrap();
        assert!((t.slack_ns - tighter.slack_ns - 3.84).abs() < 0.02, "{tighter:?}");
        for (sdc, says) in [
            (real.replace("set_input_delay $io_delay", "#"), "input ports missing set_input_delay"),
            (real.replace("set_output_delay $io_delay", "#"), "output port missing set_output_delay"),
            (real.replace("create_clock", "make_clock"), "make_clock"),
        ] {
            let e = format!("{:#}", timed(&sdc).unwrap_err());
            assert!(e.contains(says), "{says}: {e}");
        }
    }

    /// Two copies of a module that are each other's surroundings. In a copy: `inside` inverters from a register to
    /// another one, and two gates from the input to a register, one of whose inputs is constant outside; a register
    /// drives the output and a load of 20 gates that lead nowhere.
    fn two_copies(inside: usize, between: usize) -> netlist::Modules {
        let mut half = String::from(
            ".model half\n.inputs clk_i a_i b_i\n.outputs y_o\n.gate XOR2_X1 A=a_i B=b_i Y=x\n.cname x\n\
             .gate NAND2_X1 A=x B=q Y=d\n.cname n\n.gate DFF_X1 D=d CK=clk_i Q=y_o\n.cname end\n\
             .gate DFF_X1 D=x CK=clk_i Q=q\n.cname side\n",
        );
        let mut chain = |name: &str, from: &str, length: usize| {
            let mut last = from.to_string();
            for i in 0..length {
                half += &format!(".gate INV_X1 A={last} Y={name}{i}\n.cname {name}{i}\n");
                last = format!("{name}{i}");
            }
            half += &format!(".gate DFF_X1 D={last} CK=clk_i Q={name}_q\n.cname {name}_end\n");
        };
        chain("inside", "q", inside);
        chain("short", "y_o", 1);
        (0..20).for_each(|i| half += &format!(".gate INV_X1 A=y_o Y=nowhere{i}\n.cname nowhere{i}\n"));
        let mut top = String::from(
            ".model top\n.inputs clk_i a_i\n.outputs y_o\n.gate DFF_X1 D=a_i CK=clk_i Q=in_q\n.cname in\n\
             .gate quell_child_0 clk_i=clk_i a_i=b_end b_i=$false y_o=y_a\n.cname a\n\
             .gate quell_child_0 clk_i=clk_i a_i=a_end b_i=$true y_o=y_b\n.cname b\n.names y_b y_o\n1 1\n",
        );
        for name in ["a", "b"] {
            let mut last = format!("y_{name}");
            for i in 0..between {
                let out = if i + 1 == between { format!("{name}_end") } else { format!("{name}{i}") };
                top += &format!(".gate INV_X1 A={last} Y={out}\n.cname {name}_{i}\n");
                last = out;
            }
        }
        netlist::Modules::from([
            ("half_1".into(), netlist::Module::read(&half, &[]).unwrap()),
            ("top".into(), netlist::Module::read(&top, &["half_1".to_string()]).unwrap()),
        ])
    }

    #[test]
    fn a_part_has_the_times_of_the_whole() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let library = Library::open(DEFAULT, None, root).unwrap();
        let cells = liberty::cells(&std::fs::read_to_string(&library.path).unwrap()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let job =
            Job { root, dir: dir.path(), top: "top", memories: &[], library: &library, period_ns: 12.8 };
        for (inside, between, from, to) in
            [(3, 9, ["a/end", "b/end"], "end"), (25, 3, ["a/side", "b/side"], "inside_end")]
        {
            let mut modules = two_copies(inside, between);
            netlist::add_buffers(&mut modules, "top", &cells);
            let flat = Flat::new(&modules, "top", &cells).unwrap();
            let e = estimate::estimate(&flat, 12.8).unwrap();
            assert!(e.keep.len() * 2 < flat.cells.len(), "{} of {}", e.keep.len(), flat.cells.len());
            let (part, whole) = (job.part(&flat, &e.keep).unwrap(), job.whole(&flat).unwrap());
            assert_eq!((part.path_ns, part.slack_ns), (whole.path_ns, whole.slack_ns));
            assert!(agree(&e, &part), "{} {} {part:?}", e.path_ns, e.slack_ns);
            assert!(from.contains(&part.from.as_str()), "{part:?}");
            assert!(part.to.ends_with(to), "{part:?}");
            let across = part.from[..1] != part.to[..1];
            assert_eq!(across, inside < between, "{part:?}");
            assert_eq!(job.times(&flat).unwrap(), part);
        }
    }

    /// With other constraints than those that the estimate takes for granted, the tool gets all.
    #[test]
    fn where_they_do_not_agree_the_whole_is_timed() {
        let real = Path::new(env!("CARGO_MANIFEST_DIR"));
        let library = Library::open(DEFAULT, None, real).unwrap();
        let cells = liberty::cells(&std::fs::read_to_string(&library.path).unwrap()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir(root.join("constraints")).unwrap();
        let sdc = include_str!("../../constraints/quell.sdc").replace("0.3 *", "0.9 *");
        std::fs::write(root.join("constraints/quell.sdc"), sdc).unwrap();
        let job = Job { root, dir: root, top: "top", memories: &[], library: &library, period_ns: 12.8 };
        let modules = two_copies(3, 9);
        let flat = Flat::new(&modules, "top", &cells).unwrap();
        let e = estimate::estimate(&flat, 12.8).unwrap();
        let t = job.times(&flat).unwrap();
        assert!(!agree(&e, &t), "{} {t:?}", e.slack_ns);
        let netlist = std::fs::read_to_string(root.join("netlist.v")).unwrap();
        assert_eq!(netlist.matches("  DFF_X1 ").count(), 9, "{netlist}");
    }

    /// Through a memory that is read at once: its address, its data and a register behind it.
    #[test]
    fn memories_are_estimated_as_the_tool_takes_them() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let library = Library::open(DEFAULT, None, root).unwrap();
        let model = Model::new();
        // An address of a read port leads to its own data only.
        for (kind, reads, arcs) in [("ram_async_1", 1, 2), ("ram_async_1", 2, 3), ("ram_sync_1", 1, 1)] {
            let shape = Shape { depth: 4 / reads, width: 2 / reads, reads, writes: 1 };
            let ports =
                [("clk_i", 1, true), ("raddr_i", 2, true), ("rdata_o", 2, false), ("wdata_i", 2, true)];
            let ports = ports.map(|(n, w, i)| (n.to_string(), w, i)).to_vec();
            let memory = MemoryCell { name: kind.into(), shape, ports };
            let mut cells = liberty::cells(&std::fs::read_to_string(&library.path).unwrap()).unwrap();
            cells.insert(kind.into(), memory.kind(library.nm, &model));
            assert_eq!(cells[kind].arcs.len(), arcs);
            let text = ".model top\n.inputs clk_i a_i[0] a_i[1]\n.outputs y_o\n\
                        .gate DFF_X1 D=a_i[0] CK=clk_i Q=a0\n.cname a0\n.gate DFF_X1 D=a_i[1] CK=clk_i Q=a1\n.cname a1\n\
                        .gate quell_child_0 clk_i=clk_i raddr_i[0]=a0 raddr_i[1]=a1 rdata_o[0]=d0 rdata_o[1]=d1 \
                        wdata_i[0]=a0 wdata_i[1]=$false\n.cname ram\n\
                        .gate NAND2_X1 A=d0 B=d1 Y=d\n.cname n\n.gate DFF_X1 D=d CK=clk_i Q=y_o\n.cname y\n.end\n";
            let module = netlist::Module::read(text, &[kind.to_string()]).unwrap();
            let modules = netlist::Modules::from([("top".to_string(), module)]);
            let flat = Flat::new(&modules, "top", &cells).unwrap();
            let dir = tempfile::tempdir().unwrap();
            let memories = [memory];
            let job = Job {
                root,
                dir: dir.path(),
                top: "top",
                memories: &memories,
                library: &library,
                period_ns: 12.8,
            };
            let e = estimate::estimate(&flat, 12.8).unwrap();
            let whole = job.whole(&flat).unwrap();
            assert!(agree(&e, &whole), "{} {} {whole:?}", e.path_ns, e.slack_ns);
            assert_eq!(job.times(&flat).unwrap().path_ns, whole.path_ns);
            assert_eq!(whole.to, "y");
            assert_eq!(whole.from == "ram", kind == "ram_sync_1", "{whole:?}");
        }
    }
}
