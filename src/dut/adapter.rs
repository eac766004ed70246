//! The text of the adapter: a module with the unit's ports around the design.

use std::fmt::Write as _;

use super::connect::{Connections, To};
use super::map::Level;
use super::pins::Pin;
use crate::signals::{Group, Layout, Signal};

/// The module with the unit's ports around the design.
pub const ADAPTER: &str = "quell_dut";

fn port(s: &Signal) -> String {
    format!("{}_{}", s.name, if s.group == Group::Input { "i" } else { "o" })
}

/// Some bits of a vector.
fn slice(vector: &str, low: usize, bits: usize) -> String {
    format!("{vector}[{low} +: {bits}]")
}

/// The elements of a pin: how each is named in the adapter.
fn elements(pin: &Pin, name: &str) -> Vec<String> {
    match pin.array {
        None => vec![name.to_string()],
        Some((left, right)) => {
            let first = left.min(right);
            (0..=left.abs_diff(right)).map(|i| format!("{name}[{}]", first + i)).collect()
        }
    }
}

/// The line that connects `bits` bits of a pin, the first `skipped` ones of what they are part of left out.
fn connection(pin: &str, bits: usize, skipped: usize, to: &To) -> String {
    match to {
        To::Bits { name, group, low, inverted } => {
            let not = if *inverted { "~" } else { "" };
            if *group == Group::Input {
                format!("  assign {pin} = {not}{};\n", slice(&format!("{name}_i"), low + skipped, bits))
            } else {
                format!("  assign {} = {not}{pin};\n", slice(&format!("{name}_o"), low + skipped, bits))
            }
        }
        To::Register { name, low } => {
            format!("  assign {pin} = {};\n", slice(&format!("cfg_{name}"), low + skipped, bits))
        }
        To::Tied(n) => {
            let value = if skipped < 64 { n >> skipped } else { 0 };
            let mask = 1u64.checked_shl(bits as u32).map_or(u64::MAX, |m| m - 1);
            format!("  assign {pin} = {bits}'d{};\n", value & mask)
        }
        To::Clock => format!("  assign {pin} = clk_i;\n"),
        To::Reset(Level::High) => format!("  assign {pin} = rst_i;\n"),
        To::Reset(Level::Low) => format!("  assign {pin} = ~rst_i;\n"),
        To::Open => String::new(),
    }
}

/// The adapter around module `top`.
pub(super) fn text(l: &Layout, top: &str, parameters: &[(String, i64)], c: &Connections) -> String {
    let mut t =
        format!("// Generated: {top} with the ports of the unit whose place it takes.\nmodule {ADAPTER} (\n");
    t += "  input  wire clk_i,\n  input  wire rst_i";
    for s in &l.signals {
        let way = if s.group == Group::Input { "input " } else { "output" };
        let _ = write!(t, ",\n  {way} wire [{}:0] {}", s.width * s.count - 1, port(s));
    }
    t += "\n);\n";
    for r in &c.registers {
        let (name, address, reset) = (r.name, r.address, r.reset);
        let _ = writeln!(
            t,
            "  reg [31:0] cfg_{name};\n  always @(posedge clk_i)\n    if (rst_i) cfg_{name} <= 32'd{reset};\n    \
             else if (cfg_we_i && cfg_addr_i == 8'd{address}) cfg_{name} <= cfg_data_i;"
        );
    }
    // Bits that no pin drives are 0.
    for s in l.signals.iter().filter(|s| s.group != Group::Input) {
        let mut bits = vec![true; s.width * s.count];
        for part in c.pins.iter().flat_map(|(_, parts)| parts) {
            if let To::Bits { name, group, low, .. } = &part.to
                && (*group, *name) == (s.group, s.name)
            {
                bits[*low..low + part.bits].fill(false);
            }
        }
        let mut at = 0;
        for run in bits.chunk_by(|a, b| a == b) {
            if run[0] {
                // What has no such output is always ready.
                let value = u8::from(s.name == "ready");
                let _ = writeln!(t, "  assign {}[{at} +: {}] = {}'d{value};", port(s), run.len(), run.len());
            }
            at += run.len();
        }
    }
    let mut list = Vec::new();
    for (pin, parts) in &c.pins {
        let wire = format!("pin_{}", pin.name);
        let array = pin.array.map_or(String::new(), |(l, r)| format!(" [{l}:{r}]"));
        let _ = writeln!(t, "  wire [{}:0] {wire}{array};", pin.width - 1);
        for (i, element) in elements(pin, &wire).into_iter().enumerate() {
            // Bits of the pin that this element has.
            let (first, end) = (i * pin.width, (i + 1) * pin.width);
            for part in parts.iter().filter(|p| p.at < end && first < p.at + p.bits) {
                let (from, to) = (first.max(part.at), end.min(part.at + part.bits));
                let (bits, skipped) = (to - from, from - part.at);
                let pin =
                    if bits == pin.width { element.clone() } else { slice(&element, from - first, bits) };
                t += &connection(&pin, bits, skipped, &part.to);
            }
        }
        list.push(format!("    .{}({wire})", pin.name));
    }
    let parameters: Vec<String> = parameters.iter().map(|(n, v)| format!(".{n}({v})")).collect();
    let parameters =
        if parameters.is_empty() { String::new() } else { format!("#({}) ", parameters.join(", ")) };
    let _ = write!(t, "  {top} {parameters}dut (\n{}\n  );\nendmodule\n", list.join(",\n"));
    t
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dut::map::Map;
    use crate::params::{Build, UnitKind};

    #[test]
    fn arrays_parts_and_polarities_are_wired() {
        let build = Build::named(UnitKind::HcaThrottle, Some("tiny")).unwrap();
        let l = Layout::new(build.unit, &build.params);
        let pin = |name: &str, input, width, array| Pin { name: name.into(), input, width, array };
        let pins = [
            pin("clk", true, 1, None),
            pin("rst_n", true, 1, None),
            pin("want", true, 1, Some((4, 0))),
            pin("id", false, 3, None),
            pin("tied", true, 4, Some((0, 1))),
            pin("timer", true, 16, None),
            pin("two", true, 3, Some((0, 1))),
            pin("sel", false, 4, None),
        ];
        let all: Vec<&str> = l.signals.iter().map(|s| s.name).collect();
        let lacks = |input: bool, but: &[&str]| {
            let of =
                l.signals.iter().filter(|s| (s.group == Group::Input) == input && !but.contains(&s.name));
            of.map(|s| format!("{:?}", s.name)).collect::<Vec<_>>().join(", ")
        };
        assert!(all.contains(&"inj_flow"));
        let map = format!(
            "clock = \"clk\"\nreset = \"rst_n\"\nreset_active = \"low\"\n[pins]\nwant = \"~req\"\nid = \"inj_flow[2:0]\"\ntied = 33\n\
             timer = \"cfg.CCTI_TIMER[15:0]\"\ntwo = [\"sent\", \"~inj_len[4:1]\", \"1'd1\"]\n\
             sel = [\"ready\", \"open[1]\", \"inj_sl[1:0]\"]\n[lacks]\ninputs = [{}]\noutputs = [{}]\n",
            lacks(true, &["req", "sent", "inj_len", "cfg_we", "cfg_addr", "cfg_data"]),
            lacks(false, &["inj_flow", "ready", "inj_sl"])
        );
        let c = Connections::new(&build, &l, "mine", &pins, &Map::parse("m", &map).unwrap(), true).unwrap();
        let text = text(&l, "mine", &[("N".into(), 5)], &c);
        for line in [
            "  assign pin_rst_n = ~rst_i;",
            "  assign pin_clk = clk_i;",
            "  wire [0:0] pin_want [4:0];",
            "  assign pin_want[2] = ~req_i[2 +: 1];",
            "  assign inj_flow_o[0 +: 3] = pin_id;",
            "  assign inj_flow_o[3 +: 13] = 13'd0;",
            "  assign pin_tied[0] = 4'd1;",
            "  assign pin_tied[1] = 4'd2;",
            "    if (rst_i) cfg_CCTI_TIMER <= 32'd150;",
            "  assign pin_timer = cfg_CCTI_TIMER[0 +: 16];",
            "  assign pin_two[0][0 +: 1] = 1'd1;",
            "  assign pin_two[0][1 +: 2] = ~inj_len_i[1 +: 2];",
            "  assign pin_two[1][0 +: 2] = ~inj_len_i[3 +: 2];",
            "  assign pin_two[1][2 +: 1] = sent_i[0 +: 1];",
            "  assign ready_o[0 +: 1] = pin_sel[3 +: 1];",
            "  assign inj_sl_o[0 +: 2] = pin_sel[0 +: 2];",
            "  assign inj_sl_o[2 +: 2] = 2'd0;",
            "  mine #(.N(5)) dut (",
            "    .want(pin_want),",
        ] {
            assert!(text.lines().any(|l| l.starts_with(line)), "{line}\n{text}");
        }
    }
}
