//! Static timing of a mapped design with OpenSTA: the longest path between registers, and the slack under
//! `constraints/quell.sdc`. Memories are cells whose times come from the memory model.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::library::Library;
use super::memory::{Model, Shape};

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

/// Refuses to start without the timing tool.
pub fn check_tool() -> Result<()> {
    let out = Command::new("sta").arg("-version").output();
    out.map(|_| ()).context("cannot run sta (OpenSTA); remedy: run ./setup")
}

/// The memories as cells of a library.
fn liberty(memories: &[MemoryCell], nm: f64, model: &Model) -> String {
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
        let asynchronous = m.name.starts_with("ram_async");
        for (name, width, input) in &m.ports {
            let (group, end) = if *width > 1 {
                (format!("bus ({name}) {{ bus_type : b{width};"), "}")
            } else {
                (format!("pin ({name}) {{"), "}")
            };
            if name == "clk_i" {
                let _ = writeln!(
                    o,
                    "    pin (clk_i) {{ direction : input; clock : true; capacitance : 0.005; }}"
                );
            } else if *input {
                // Synchronous reads and all writes take their address at the edge.
                let setup = 0.1 * e.access_ns;
                let check = format!(
                    "timing () {{ related_pin : \"clk_i\"; timing_type : setup_rising; \
                     rise_constraint (scalar) {{ values (\"{setup:.4}\"); }} \
                     fall_constraint (scalar) {{ values (\"{setup:.4}\"); }} }}"
                );
                let check = if asynchronous && name == "raddr_i" { String::new() } else { check };
                let _ = writeln!(o, "    {group} direction : input; capacitance : 0.002; {check} {end}");
            } else {
                let t = e.access_ns;
                let values = format!(
                    "cell_rise (scalar) {{ values (\"{t:.4}\"); }} cell_fall (scalar) {{ values (\"{t:.4}\"); }} \
                     rise_transition (scalar) {{ values (\"0.05\"); }} fall_transition (scalar) {{ values (\"0.05\"); }}"
                );
                let mut arcs =
                    format!("timing () {{ related_pin : \"clk_i\"; timing_type : rising_edge; {values} }}");
                if asynchronous {
                    let _ = write!(
                        arcs,
                        " timing () {{ related_bus_pins : \"raddr_i\"; timing_sense : non_unate; {values} }}"
                    );
                }
                let _ = writeln!(o, "    {group} direction : output; max_capacitance : 1.0; {arcs} {end}");
            }
        }
        o.push_str("  }\n");
    }
    o.push_str("}\n");
    o
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

/// The times of the design `top` in the file `netlist`; `dir` is for its files.
pub fn run(
    root: &Path,
    dir: &Path,
    top: &str,
    netlist: &Path,
    memories: &[MemoryCell],
    library: &Library,
    period_ns: f64,
) -> Result<Timing> {
    let mems = dir.join("memories.lib");
    std::fs::write(&mems, liberty(memories, library.nm, &Model::new()))?;
    let mut tcl = format!("read_liberty {}\n", library.path.display());
    if !memories.is_empty() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::library::DEFAULT;

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
        run(root.path(), root.path(), "unit", &netlist, &[], &library, 12.8)
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
}
