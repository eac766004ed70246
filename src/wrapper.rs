//! The SystemVerilog wrapper of a model: pure wiring between word vectors and a unit's ports.
//!
//! Ports `in_i`, `out_o`, `st_o` are the word vectors of [`crate::signals::Layout`]. They are unpacked arrays of words: Verilator makes
//! one assignment a word of them, while it joins the parts of one wide vector into a nest of ever wider copies, which
//! cost three quarters of the input port's time.
//!
//! Inputs are taken when `load_i` rises and stand until it rises again. No logic then follows a port directly, so Verilator makes
//! the combinational logic once and not twice (after an edge, and after a change of inputs), and where both rise at once the
//! edge that ends a cycle and the next cycle's inputs are one evaluation: the edge sees the inputs that stood before it.

use std::fmt::Write as _;

use crate::params::Build;
use crate::signals::{Group, Layout, Signal};

/// An input that a netlist has beyond those of the unit (a mutant's switch, the flips of a register).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// Port name.
    pub name: String,
    /// Bits.
    pub width: usize,
    /// Its lowest bit in the vector `x_i`.
    pub bit: usize,
}

/// Gives each port its place in `x_i`: single bits are packed, wider ports begin on a word. Also the number of words.
pub fn extras(ports: &[(String, usize)]) -> (Vec<Extra>, usize) {
    let mut at = 0;
    let mut placed = Vec::new();
    for (name, width) in ports {
        if *width > 1 {
            at = usize::div_ceil(at, 32) * 32;
        }
        placed.push(Extra { name: name.clone(), width: *width, bit: at });
        at += width;
    }
    (placed, at.div_ceil(32))
}

/// The wrapper `name` of `module`. With `parameters` the unit's parameters are passed (RTL, not a netlist).
pub fn wrapper_text(
    name: &str,
    module: &str,
    parameters: bool,
    b: &Build,
    l: &Layout,
    extra: &[Extra],
) -> String {
    let mut t = format!("// Generated: {module} between word vectors.\nmodule {name} (\n");
    let _ = writeln!(t, "  input  wire clk_i,\n  input  wire load_i,\n  input  wire rst_i,");
    let mut taken = vec![("in", l.in_words)];
    if let Some(last) = extra.last() {
        taken.push(("x", (last.bit + last.width).div_ceil(32)));
    }
    for (name, words) in &taken {
        let _ = writeln!(t, "  input  wire [31:0] {name}_i [0:{}],", words - 1);
    }
    let _ = writeln!(t, "  output wire [31:0] out_o [0:{}],", l.out_words - 1);
    let _ = writeln!(t, "  output wire [31:0] st_o [0:{}]\n);", l.state_words - 1);
    let _ = writeln!(t, "  logic rst;\n  always_ff @(posedge load_i) rst <= rst_i;");
    for (name, words) in &taken {
        let _ = writeln!(t, "  logic [31:0] {name} [0:{}];", words - 1);
        let _ = writeln!(t, "  always_ff @(posedge load_i) {name} <= {name}_i;");
    }
    for s in &l.signals {
        let _ = writeln!(t, "  wire [{}:0] {};", s.width * s.count - 1, port(s));
    }
    for s in &l.signals {
        // The words of all elements, element 0 first: word, first bit in the port, number of bits.
        let words: Vec<(usize, usize, usize)> = (0..s.count * s.stride())
            .map(|w| {
                let (i, part) = (w / s.stride(), w % s.stride());
                (s.offset + w, i * s.width + 32 * part, (s.width - 32 * part).min(32))
            })
            .collect();
        if s.group == Group::Input {
            // The first is the least significant.
            let parts: Vec<String> =
                words.iter().rev().map(|(w, _, bits)| format!("in[{w}][{}:0]", bits - 1)).collect();
            let _ = writeln!(t, "  assign {} = {{{}}};", port(s), parts.join(", "));
        } else {
            let to = if s.group == Group::Output { "out_o" } else { "st_o" };
            for (w, at, bits) in words {
                let value = format!("{}[{at} +: {bits}]", port(s));
                let value = if bits < 32 { format!("{{{}'d0, {value}}}", 32 - bits) } else { value };
                let _ = writeln!(t, "  assign {to}[{w}] = {value};");
            }
        }
    }
    let _ = write!(t, "  {module} ");
    if parameters {
        let params: Vec<String> = b
            .unit
            .parameter_names()
            .iter()
            .map(|n| format!("    .{n}({})", b.params.get(n).unwrap_or_default()))
            .collect();
        let _ = write!(t, "#(\n{}\n  ) ", params.join(",\n"));
    }
    let _ = write!(t, "u (\n    .clk_i(clk_i),\n    .rst_i(rst)");
    for s in &l.signals {
        let _ = write!(t, ",\n    .{0}({0})", port(s));
    }
    for e in extra {
        let words = (e.bit / 32..(e.bit + e.width).div_ceil(32)).rev();
        let part = |w: usize| {
            let (low, high) = (e.bit.max(32 * w) - 32 * w, (e.bit + e.width).min(32 * w + 32) - 1 - 32 * w);
            format!("x[{w}][{high}:{low}]")
        };
        let _ = write!(t, ",\n    .{}({{{}}})", e.name, words.map(part).collect::<Vec<_>>().join(", "));
    }
    t.push_str("\n  );\nendmodule\n");
    t
}

fn port(s: &Signal) -> String {
    format!("{}_{}", s.name, if s.group == Group::Input { "i" } else { "o" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extra_ports_are_packed_or_begin_on_a_word() {
        let ports = [("a", 1), ("b", 1), ("c", 40), ("d", 1), ("e", 2)].map(|(n, w)| (n.to_string(), w));
        let (placed, words) = extras(&ports);
        assert_eq!(placed.iter().map(|e| e.bit).collect::<Vec<_>>(), [0, 1, 32, 72, 96]);
        assert_eq!(words, 4);
        let b = crate::params::builds()[0];
        let l = Layout::new(b.unit, &b.params);
        let text = wrapper_text("w", "m", false, &b, &l, &placed);
        assert!(text.contains(".b({x[0][1:1]})"), "{text}");
        assert!(text.contains(".c({x[2][7:0], x[1][31:0]})"), "{text}");
        assert!(text.contains(".e({x[3][1:0]})"), "{text}");
    }
}
