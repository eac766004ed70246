//! A golden module and a checker for every unit: ports and their order from the list of signals, their declarations from the head of the RTL
//! module, so that they have the unit's parameters. When a simulation starts, the library is asked whether every port has its width.

use quell::embed::Golden;
use quell::params::UnitKind;
use quell::signals::Group;

/// The files of all units.
pub fn files() -> Vec<(String, String)> {
    let files = UnitKind::ALL.into_iter().flat_map(|unit| {
        let head = Head::of(unit);
        let file = |m: &str, text| (format!("bindings/dpi/quell_{m}_{}.sv", unit.module()), text);
        [file("golden", golden(&head)), file("check", check(&head))]
    });
    files.collect()
}

/// A port, in the order of the list of signals.
struct Port {
    name: String,
    group: Group,
    /// `[PORTS-1:0]`, or nothing.
    range: String,
}

/// What the head of a unit's RTL module declares.
struct Head {
    unit: UnitKind,
    moore: bool,
    /// `PORTS = 8`, those that the golden model knows.
    parameters: Vec<String>,
    /// `PV = PORTS * VLS`.
    locals: Vec<String>,
    ports: Vec<Port>,
}

impl Head {
    fn of(unit: UnitKind) -> Head {
        let path = super::root().join(format!("rtl/{}.sv", unit.module()));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let lines =
            text.lines().map(|l| l.split("//").next().unwrap_or_default().trim().trim_end_matches(','));
        let head: Vec<&str> = lines
            .skip_while(|l| !l.starts_with("module "))
            .take_while(|l| *l != ");")
            .filter(|l| !l.is_empty())
            .collect();
        let named = |kind: &str| -> Vec<String> {
            head.iter().filter_map(|l| l.strip_prefix(kind)).map(|l| l.trim().to_string()).collect()
        };
        let known = |p: &String| unit.parameter_names().contains(&p.split(' ').next().unwrap_or_default());
        // Of each line of a port its last word is the name, and the range is in brackets.
        let declared = |name: &str| {
            let line = head.iter().find(|l| l.split_whitespace().last() == Some(name));
            let line = line.unwrap_or_else(|| panic!("{}: no port {name}", path.display()));
            match (line.find('['), line.rfind(']')) {
                (Some(from), Some(to)) => line[from..=to].to_string(),
                _ => String::new(),
            }
        };
        let unit_with_defaults = Golden::new(unit.cli_name(), "").expect("its first build");
        let ports: Vec<Port> = unit_with_defaults
            .signals()
            .iter()
            .map(|s| {
                let name = format!("{}_{}", s.name, if s.group == Group::Input { "i" } else { "o" });
                Port { range: declared(&name), name, group: s.group }
            })
            .collect();
        let used = |local: &String| {
            let name = local.split(' ').next().unwrap_or_default();
            let is = |word: &str| word == name;
            ports.iter().any(|p| p.range.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(is))
        };
        let in_rtl = head.iter().filter(|l| l.starts_with("input ") || l.starts_with("output ")).count();
        assert_eq!(in_rtl, ports.len() + 2, "{}: ports beside clk_i, rst_i and the signals", path.display());
        Head {
            unit,
            moore: unit_with_defaults.is_moore(),
            parameters: named("parameter int ").into_iter().filter(known).collect(),
            locals: named("localparam int ").into_iter().filter(used).collect(),
            ports,
        }
    }

    fn of_group(&self, group: Group) -> Vec<&str> {
        self.ports.iter().filter(|p| p.group == group).map(|p| p.name.as_str()).collect()
    }

    /// `module NAME #(...) (...);`, all ports inputs if `all_in`.
    fn head(&self, name: &str, more: &[&str], all_in: bool, last: &[&str]) -> String {
        let mut of = Vec::new();
        of.extend(self.parameters.iter().map(|p| format!("    parameter int {p}")));
        of.extend(more.iter().map(|p| format!("    parameter {p}")));
        of.extend(self.locals.iter().map(|p| format!("    localparam int {p}")));
        let kind =
            |p: &Port| if all_in || p.group == Group::Input { "input  wire logic" } else { "output logic" };
        let gap = |r: &str| if r.is_empty() { String::new() } else { format!("{r} ") };
        let mut ports =
            vec!["    input  wire logic clk_i".to_string(), "    input  wire logic rst_i".to_string()];
        ports.extend(self.ports.iter().map(|p| format!("    {} {}{}", kind(p), gap(&p.range), p.name)));
        ports.extend(last.iter().map(|p| format!("    {p}")));
        format!("module {name} #(\n{}\n) (\n{}\n);\n", of.join(",\n"), ports.join(",\n"))
    }

    /// A group's ports as a vector of parts, `bits`, `parts` and `width` as localparams.
    fn sizes(&self, group: Group, of: &str) -> String {
        let bits: Vec<String> = self.of_group(group).iter().map(|p| format!("$bits({p})")).collect();
        format!(
            "  localparam int {of}_BITS = {};\n  localparam int {of}_PARTS = ({of}_BITS + 1023) / 1024;\n  localparam int {of}_W = 1024 * {of}_PARTS;\n",
            wrapped(&bits, " + ")
        )
    }

    /// `{last, ..., first}`.
    fn concatenation(&self, group: Group) -> String {
        let names: Vec<String> = self.of_group(group).iter().rev().map(|p| p.to_string()).collect();
        format!("{{{}}}", wrapped(&names, ", "))
    }

    /// The unit made, and its ports held against the library's.
    fn begin(&self) -> String {
        let names = self.unit.parameter_names();
        let format: Vec<String> = names.iter().map(|n| format!("{n}=%0d")).collect();
        let mut t = format!(
            "
  longint unsigned unit = 0;

  // Nothing after an error of the library would mean anything.
  function automatic void must(input int status);
    if (status < 0) $fatal(1, \"%m: %s\", quell_dpi_pkg::quell_dpi_error());
  endfunction

  initial begin
    unit = quell_dpi_pkg::quell_dpi_new(\"{}\", $sformatf(
        \"{}\",
        {}));
    if (unit == 0) $fatal(1, \"%m: %s\", quell_dpi_pkg::quell_dpi_error());
",
            self.unit.cli_name(),
            format.join(" "),
            names.join(", ")
        );
        for p in &self.ports {
            t += &format!("    must(quell_dpi_pkg::quell_dpi_port(unit, \"{0}\", $bits({0})));\n", p.name);
        }
        t + "  end\n"
    }
}

/// Items in lines of not much more than 100 characters.
fn wrapped(items: &[String], between: &str) -> String {
    let mut t = String::new();
    let mut column = 0;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            t += between;
            column += between.len();
        }
        if column + item.len() > 100 {
            t = t.trim_end().to_string() + "\n      ";
            column = 0;
        }
        t += item;
        column += item.len();
    }
    t
}

/// The parts of a vector handed to the library.
fn put(of: &str, number: usize, indent: &str) -> String {
    let (parts, vector) = (format!("{of}_PARTS"), format!("{}_v", of.to_lowercase()));
    format!(
        "{indent}for (int k = 0; k < {parts}; k++) must(quell_dpi_pkg::quell_dpi_put(unit, {number}, k, {vector}[1024*k+:1024]));\n"
    )
}

/// The parts of a vector taken from the library.
fn get(of: &str, number: usize, assign: &str, indent: &str) -> String {
    let (parts, vector) = (format!("{of}_PARTS"), format!("{}_v", of.to_lowercase()));
    format!(
        "{indent}for (int k = 0; k < {parts}; k++) begin
{indent}  must(quell_dpi_pkg::quell_dpi_get(unit, {number}, k, part));
{indent}  {vector}[1024*k+:1024] {assign} part;
{indent}end
"
    )
}

const MADE: &str = "// Made of src/signals.rs and the head of the RTL module by `cargo run --example generate`: do not edit.";

/// Parts beyond the last port; variables of the simulation and not of hardware.
const LINT: &str = "/* verilator lint_off UNUSEDSIGNAL */\n/* verilator lint_off BLKSEQ */\n/* verilator lint_off SYNCASYNCNET */\n";

fn golden(head: &Head) -> String {
    let module = head.unit.module();
    let mut t = format!(
        "// Golden model of {module} with the unit's own ports and parameters, by DPI from libquell_model (docs/bindings.md).\n{MADE}\n{LINT}`default_nettype none\n\n"
    );
    t += &head.head(&format!("quell_golden_{module}"), &[], false, &[]);
    for (group, of) in [(Group::Input, "IN"), (Group::Output, "OUT"), (Group::State, "ST")] {
        t += &head.sizes(group, of);
    }
    t += "\n  logic [IN_W-1:0] in_v;\n  logic [OUT_W-1:0] out_v;\n  logic [ST_W-1:0] st_v;\n";
    t += &format!("  assign in_v = IN_W'({});\n", head.concatenation(Group::Input));
    t += &format!("  assign {} = out_v[OUT_BITS-1:0];\n", head.concatenation(Group::Output));
    t += &format!("  assign {} = st_v[ST_BITS-1:0];\n", head.concatenation(Group::State));
    t += &head.begin();
    t += "\n  bit [1023:0] part;\n";
    if !head.moore {
        t += "  bit ended = 0;  // changes with every cycle\n";
    }
    t += "  always @(posedge clk_i) if (unit != 0) begin\n    if (rst_i) must(quell_dpi_pkg::quell_dpi_reset(unit));\n    else begin\n";
    t += &put("IN", 0, "      ");
    t += "      must(quell_dpi_pkg::quell_dpi_step(unit));\n    end\n";
    if head.moore {
        t += &get("OUT", 1, "<=", "    ");
        t += &get("ST", 2, "<=", "    ");
        t += "  end\n";
    } else {
        t += &get("ST", 2, "<=", "    ");
        t += "    ended <= !ended;\n  end\n";
        t += "\n  // Outputs depend on inputs of the same cycle.\n  bit [1023:0] out_part;\n";
        t += "  always @(in_v or ended) if (unit != 0) begin\n";
        t += &put("IN", 0, "    ");
        t += &get("OUT", 1, "=", "    ").replace(" part", " out_part");
        t += "  end\n";
    }
    t + "\n  final if (unit != 0) must(quell_dpi_pkg::quell_dpi_free(unit));\nendmodule\n\n`default_nettype wire\n"
}

fn check(head: &Head) -> String {
    let module = head.unit.module();
    let mut t = format!(
        "// Compares a design that stands for {module} with the golden model in every cycle after reset, by DPI from libquell_model
// (docs/bindings.md). All ports of the unit are inputs here. A difference is an $error with the report that `quell cosim` prints;
// differs_o stays 1 after the first. x and z in an output differ from any value, and count as 0 in an input.
{MADE}
{LINT}`default_nettype none

"
    );
    let more = [
        "int STATE = 0,  // 1: architectural state (st_*) is compared, too",
        "int REPORTS = 1,  // differing cycles that are reported",
        "string NOT_COMPARED = \"\"  // names of outputs and state that the design does not have, separated by blanks",
    ];
    let declared = head.head(&format!("quell_check_{module}"), &["@MORE"], true, &["output logic differs_o"]);
    // A comma comes before the comment.
    let more: String = more
        .iter()
        .map(|m| {
            let (m, comment) = m.split_once("  //").expect("a comment");
            format!("    parameter {}@COMMA  //{comment}\n", m.trim_end_matches(','))
        })
        .collect();
    let follows = !head.locals.is_empty();
    let last = more.rfind("@COMMA").expect("a comma");
    let more =
        more[..last].replace("@COMMA", ",") + &more[last..].replace("@COMMA", if follows { "," } else { "" });
    t += &declared.replace(if follows { "    parameter @MORE,\n" } else { "    parameter @MORE\n" }, &more);
    let groups = [(Group::Input, "IN"), (Group::Output, "OUT"), (Group::State, "ST")];
    for (group, of) in groups {
        t += &head.sizes(group, of);
    }
    t += "\n  logic [IN_W-1:0] in_v;\n  logic [OUT_W-1:0] out_v;\n  logic [ST_W-1:0] st_v;\n";
    for (group, of) in groups {
        t += &format!("  assign {}_v = {of}_W'({});\n", of.to_lowercase(), head.concatenation(group));
    }
    t += &head.begin();
    t += "
  bit running = 0;  // since the first reset
  int reports = 0;
  int differing;
  initial differs_o = 0;
  always @(posedge clk_i) if (unit != 0) begin
    if (rst_i) begin
      must(quell_dpi_pkg::quell_dpi_reset(unit));
      running = 1;
    end else if (running) begin
";
    t += &put("IN", 0, "      ");
    t += &put("OUT", 1, "      ");
    t += &put("ST", 2, "      ").replace("      for", "      if (STATE != 0) for");
    t += "      if (NOT_COMPARED != \"\") must(quell_dpi_pkg::quell_dpi_forget(unit, NOT_COMPARED));
      differing = quell_dpi_pkg::quell_dpi_check(unit, STATE);
      must(differing);
      if (differing > 0) begin
        reports++;
        differs_o <= 1;
        if (reports <= REPORTS) $error(\"%m:\\n%s\", quell_dpi_pkg::quell_dpi_report(unit));
      end
      must(quell_dpi_pkg::quell_dpi_step(unit));
    end
  end

  final if (unit != 0) must(quell_dpi_pkg::quell_dpi_free(unit));
endmodule

`default_nettype wire
";
    t
}
