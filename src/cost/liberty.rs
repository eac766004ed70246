//! What timing needs of a Liberty file: pins, and the tables of delays, slews and setup times. In ns and pF.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// A group of a Liberty file.
#[derive(Debug, Default)]
pub(super) struct Group {
    kind: String,
    pub(super) name: String,
    /// Attributes: `a : b;` and `a (b);`.
    attributes: Vec<(String, String)>,
    groups: Vec<Group>,
}

impl Group {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.0 == name).map(|a| a.1.as_str())
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.get(name)?.parse().ok()
    }

    pub(super) fn inside<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |g| g.kind == kind)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The outermost group of a text.
pub(super) fn groups(text: &str) -> Result<Group> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        plain += before;
        rest = after.split_once("*/").context("a comment does not end")?.1;
    }
    plain += rest;
    let plain = plain.replace("\\\n", " ");
    let mut open = vec![Group::default()];
    let mut rest = plain.as_str();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        let Some(first) = rest.chars().next() else { break };
        if first == '}' {
            let done = open.pop().filter(|_| !open.is_empty()).context("a } too many")?;
            open.last_mut().context("a } too many")?.groups.push(done);
            rest = &rest[1..];
            continue;
        }
        let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        let after = after.trim_start();
        let here = open.last_mut().context("no group is open")?;
        if let Some(value) = after.strip_prefix(':') {
            // A quoted value may hold a semicolon.
            let value = value.trim_start();
            let end = match value.strip_prefix('"') {
                Some(quoted) => quoted.find('"').context("a quote does not end")? + 2,
                None => value.find([';', '\n', '}']).unwrap_or(value.len()),
            };
            let (value, after) = value.split_at(end);
            here.attributes.push((word.into(), value.trim().trim_matches('"').into()));
            rest = after;
        } else if let Some(args) = after.strip_prefix('(') {
            let (args, after) = args.split_once(')').context("a ( does not end")?;
            let args = args.replace('"', " ");
            match after.trim_start().strip_prefix('{') {
                Some(body) => {
                    let group = Group { kind: word.into(), name: args.trim().into(), ..Group::default() };
                    open.push(group);
                    rest = body;
                }
                None => {
                    here.attributes.push((word.into(), args));
                    rest = after;
                }
            }
        } else {
            bail!("not a Liberty file at {:?}", &rest[..rest.len().min(20)]);
        }
    }
    let mut outermost = open.pop().filter(|_| open.is_empty()).context("a group does not end")?;
    outermost.groups.pop().filter(|g| g.kind == "library").context("there is no library in it")
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([',', ' ', '\t', '\n']).filter_map(|n| n.parse().ok()).collect()
}

/// A table over two axes: slew and load, or the slews of clock and data.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    axes: [Vec<f64>; 2],
    values: Vec<f64>,
}

/// The segment of an axis for a value, and how far along it: beyond the ends it goes on as a straight line.
fn segment(axis: &[f64], value: f64) -> (usize, f64) {
    if axis.len() < 2 {
        return (0, 0.0);
    }
    let i = axis.partition_point(|a| *a <= value).clamp(1, axis.len() - 1) - 1;
    (i, (value - axis[i]) / (axis[i + 1] - axis[i]))
}

impl Table {
    /// The same everywhere.
    pub fn constant(value: f64) -> Table {
        Table { axes: [vec![0.0], vec![0.0]], values: vec![value] }
    }

    /// The value at a place.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        let ((i, u), (j, v)) = (segment(&self.axes[0], x), segment(&self.axes[1], y));
        let n = self.axes[1].len();
        let row = |i: usize| {
            let a = self.values[i * n + j];
            if v == 0.0 { a } else { a + v * (self.values[i * n + j + 1] - a) }
        };
        let a = row(i);
        if u == 0.0 { a } else { a + u * (row(i + 1) - a) }
    }
}

/// How an output follows an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Rises as it rises.
    Same,
    /// Falls as it rises.
    Opposite,
    /// Either.
    Both,
}

impl Sense {
    /// Whether an edge (0: rise, 1: fall) of the input gives one of the output.
    pub fn lets(self, from: usize, to: usize) -> bool {
        self == Sense::Both || (self == Sense::Same) == (from == to)
    }
}

/// From inputs to outputs.
#[derive(Clone, Debug)]
pub struct Arc {
    /// Numbers of pins.
    pub from: Vec<usize>,
    /// Numbers of pins.
    pub to: Vec<usize>,
    /// From the rising clock.
    pub launch: bool,
    /// How outputs follow.
    pub sense: Sense,
    /// Delay of a rising and a falling output over slew and load.
    pub delay: [Table; 2],
    /// Slew likewise.
    pub slew: [Table; 2],
}

/// A pin of a cell.
#[derive(Clone, Debug, Default)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// It is an input.
    pub input: bool,
    /// Its capacitance as one number, and for a rising and a falling edge.
    pub capacitance: f64,
    /// Likewise.
    pub takes: [f64; 2],
    /// What it may drive.
    pub limit: Option<f64>,
    /// Its function.
    pub function: Option<String>,
    /// Setup time of rising and falling data over the slews of clock and data; the clock.
    pub setup: Option<([Table; 2], usize)>,
}

/// A kind of cell.
#[derive(Clone, Debug, Default)]
pub struct CellKind {
    /// Its pins.
    pub pins: Vec<Pin>,
    /// From pin to pin.
    pub arcs: Vec<Arc>,
    /// It has something that is not known here (a latch, a falling clock): only the timing tool can tell.
    pub odd: bool,
}

impl CellKind {
    /// Whether a pin is the clock of its registers.
    pub fn is_clock(&self, pin: usize) -> bool {
        self.arcs.iter().any(|a| a.launch && a.from.contains(&pin))
    }
}

/// The cells of a Liberty text.
pub fn cells(text: &str) -> Result<BTreeMap<String, CellKind>> {
    let library = groups(text)?;
    let time = match library.get("time_unit").unwrap_or("1ns") {
        "1ns" => 1.0,
        "100ps" => 0.1,
        "10ps" => 0.01,
        "1ps" => 0.001,
        unit => bail!("time_unit {unit}"),
    };
    let load = match library.get("capacitive_load_unit").unwrap_or("1, pf").split_once(',') {
        Some((n, unit)) => {
            let unit = if unit.trim().eq_ignore_ascii_case("ff") { 0.001 } else { 1.0 };
            n.trim().parse::<f64>().context("capacitive_load_unit")? * unit
        }
        None => bail!("capacitive_load_unit"),
    };
    let templates: BTreeMap<&str, &Group> =
        library.inside("lu_table_template").map(|g| (g.name.as_str(), g)).collect();
    // With the slew of the input or the clock on the first axis.
    let table = |timing: &Group, name: &str| -> Option<Table> {
        let group = timing.inside(name).next()?;
        let values: Vec<f64> = numbers(group.get("values")?).iter().map(|v| v * time).collect();
        if values.len() == 1 {
            return Some(Table::constant(values[0]));
        }
        let template = templates.get(group.name.as_str())?;
        let axis = |i: usize| -> Option<(Vec<f64>, bool)> {
            let Some(variable) = template.get(["variable_1", "variable_2"][i]) else {
                return Some((vec![0.0], true));
            };
            let is_load = variable == "total_output_net_capacitance";
            let name = ["index_1", "index_2"][i];
            let unit = if is_load { load } else { time };
            let values = numbers(group.get(name).or_else(|| template.get(name))?);
            let second = is_load || variable == "constrained_pin_transition";
            Some((values.iter().map(|v| v * unit).collect(), second))
        };
        let (a, b) = (axis(0)?, axis(1)?);
        let (n, m) = (a.0.len(), b.0.len());
        if n * m != values.len() {
            return None;
        }
        if a.1 {
            let turned = (0..m).flat_map(|j| (0..n).map(move |i| (i, j))).map(|(i, j)| values[i * m + j]);
            return Some(Table { values: turned.collect(), axes: [b.0, a.0] });
        }
        Some(Table { values, axes: [a.0, b.0] })
    };
    let both = |timing: &Group, names: [&str; 2]| -> Option<[Table; 2]> {
        Some([table(timing, names[0])?, table(timing, names[1])?])
    };
    let mut found = BTreeMap::new();
    for cell in library.inside("cell") {
        let mut kind = CellKind { odd: cell.inside("latch").next().is_some(), ..CellKind::default() };
        for pin in cell.inside("pin") {
            let plain = pin.number("capacitance").unwrap_or(0.0);
            let takes =
                ["rise_capacitance", "fall_capacitance"].map(|n| pin.number(n).unwrap_or(plain) * load);
            kind.pins.push(Pin {
                name: pin.name.clone(),
                input: pin.get("direction") == Some("input"),
                capacitance: plain * load,
                takes,
                limit: pin.number("max_capacitance").map(|c| c * load),
                function: pin.get("function").map(str::to_string),
                setup: None,
            });
        }
        for (to, pin) in cell.inside("pin").enumerate() {
            for timing in pin.inside("timing") {
                let related = timing.get("related_pin").unwrap_or_default();
                let from: Vec<usize> = related
                    .split_whitespace()
                    .filter_map(|r| kind.pins.iter().position(|p| p.name == r))
                    .collect();
                match timing.get("timing_type").unwrap_or("combinational") {
                    "setup_rising" => match (both(timing, ["rise_constraint", "fall_constraint"]), &from[..])
                    {
                        (Some(tables), [clock]) => kind.pins[to].setup = Some((tables, *clock)),
                        _ => kind.odd = true,
                    },
                    "hold_rising" | "min_pulse_width" => {}
                    what @ ("combinational" | "rising_edge") => {
                        let sense = match timing.get("timing_sense") {
                            _ if what == "rising_edge" => Sense::Both,
                            Some("positive_unate") => Sense::Same,
                            Some("negative_unate") => Sense::Opposite,
                            _ => Sense::Both,
                        };
                        let delay = both(timing, ["cell_rise", "cell_fall"]);
                        let slew = both(timing, ["rise_transition", "fall_transition"]);
                        match (delay, slew) {
                            (Some(delay), Some(slew)) if !from.is_empty() => kind.arcs.push(Arc {
                                from,
                                to: vec![to],
                                launch: what == "rising_edge",
                                sense,
                                delay,
                                slew,
                            }),
                            _ => kind.odd = true,
                        }
                    }
                    _ => kind.odd = true,
                }
            }
        }
        found.insert(cell.name.clone(), kind);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generic_library_has_tables() {
        let cells = cells(include_str!("../../tech/generic45.lib")).unwrap();
        assert_eq!(cells.len(), 26);
        assert!(cells.values().all(|k| !k.odd));
        let nand = &cells["NAND2_X1"];
        assert_eq!((nand.pins.len(), nand.arcs.len()), (3, 2));
        let inverter = &cells["INV_X1"].arcs[0];
        assert_eq!(inverter.sense, Sense::Opposite);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        // At a point of the table, between two, and beyond the last: 5 fF and a slew of 20 ps.
        near(inverter.delay[0].at(0.020, 0.005), 0.0197353);
        near(inverter.delay[0].at(0.020, 0.0125), (0.0197353 + 0.0594412) / 2.0);
        near(inverter.delay[0].at(0.020, 0.180), 2.0 * 0.2712059 - 0.0594412);
        let register = &cells["DFF_X1"];
        assert!(register.arcs[0].launch);
        let d = register.pins.iter().find(|p| p.name == "D").unwrap();
        near(d.setup.as_ref().unwrap().0[1].at(0.0, 0.5), 0.020);
    }

    #[test]
    fn what_is_not_known_is_told_or_odd() {
        for (text, says) in [
            ("library (x) {", "does not end"),
            ("library (x) { } }", "too many"),
            ("hello", "not a Liberty file"),
            ("cells (x) { }", "no library"),
            ("library (x) { time_unit : \"1s\"; }", "time_unit 1s"),
        ] {
            let e = format!("{:#}", cells(text).unwrap_err());
            assert!(e.contains(says), "{text}: {e}");
        }
        let latch = "library (x) { cell (L) { latch (a, b) { } pin (D) { direction : input; } } }";
        assert!(cells(latch).unwrap()["L"].odd);
    }
}
