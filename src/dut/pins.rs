//! What pins and parameters a design has, as Verilator elaborates it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};

use super::map::{Given, Map};
use super::sources::Listed;
use super::words::proposal;
use crate::params::Build;
use crate::verilate::{Tools, UNROLL};

/// A pin of the design's top module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    pub name: String,
    pub input: bool,
    /// Bits of an element.
    pub width: usize,
    /// Bounds of an unpacked array, left and right.
    pub array: Option<(usize, usize)>,
}

impl Pin {
    /// All its bits.
    pub fn bits(&self) -> usize {
        self.width * self.array.map_or(1, |(l, r)| l.abs_diff(r) + 1)
    }

    /// `input, 8 bits`
    pub fn describe(&self) -> String {
        let bits = self.bits();
        let way = if self.input { "input" } else { "output" };
        format!("{way}, {bits} bit{}", if bits == 1 { "" } else { "s" })
    }
}

/// A design as it was elaborated.
#[derive(Clone, Debug)]
pub(super) struct Elaborated {
    pub pins: Vec<Pin>,
    /// Parameters that are set, and their values.
    pub parameters: Vec<(String, i64)>,
    /// All files that were read.
    pub files: Vec<PathBuf>,
    /// Verilator's arguments for the design alone.
    pub arguments: Vec<String>,
}

/// Combinational loops that Verilator sees in a design, with their places.
pub(super) fn loops(arguments: &[String]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut verilator = Tools::find()?.run_verilator();
    verilator.args(["--cc", "--Mdir"]).arg(folder.path()).args(arguments);
    let output = verilator.output().context("cannot run Verilator; remedy: run ./setup")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(said.lines().filter_map(|l| l.strip_prefix("%Warning-UNOPTFLAT: ")).map(String::from).collect())
}

/// All loops in the statements of a design, with places and text: `for` last, since it says most of its end.
pub(super) fn endless(arguments: &[String]) -> Result<Vec<String>> {
    let text = xml(arguments)?.map_err(|said| anyhow!(said))?;
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut found = std::collections::BTreeSet::new();
    for tag in tags(&text) {
        match tag.name {
            "file" => {
                files.extend(tag.get("id").zip(tag.get("filename")));
            }
            "while" => {
                let loc = tag.get("loc").unwrap_or_default();
                let mut parts = loc.split(',');
                let file = parts.next().and_then(|id| files.get(id));
                let mut number = || parts.next().and_then(|n| n.parse::<usize>().ok());
                if let (Some(file), Some(line), Some(column)) = (file, number(), number()) {
                    let source = std::fs::read(file).unwrap_or_default();
                    let source = String::from_utf8_lossy(&source).into_owned();
                    let code: String = source
                        .lines()
                        .nth(line - 1)
                        .unwrap_or_default()
                        .chars()
                        .skip(column - 1)
                        .take(80)
                        .collect();
                    let counted = code.starts_with("for") && !code.starts_with("forever");
                    found.insert((counted, file.clone(), line, code.trim_end().to_string()));
                }
            }
            _ => {}
        }
    }
    Ok(found.into_iter().map(|(_, file, line, code)| format!("{file}:{line}: {code}")).collect())
}

/// Elaborates a design with the parameters of the map; those that the unit has, too, have the unit's values.
pub(super) fn elaborate(listed: &Listed, top: &str, build: &Build, map: &Map) -> Result<Elaborated> {
    let plain = read(listed, top, map, &[])?;
    let known = || plain.parameters.iter().map(|p| p.0.as_str());
    let mut set: BTreeMap<&str, i64> = BTreeMap::new();
    let own = build.unit.parameter_names();
    for name in known().filter(|n| own.contains(n)) {
        set.extend(build.params.get(name).map(|v| (name, v as i64)));
    }
    for (name, given) in &map.parameters {
        let place = &given.place;
        if !known().any(|n| n == name) {
            let there: Vec<&str> = known().collect();
            let there = if there.is_empty() {
                "it has none".into()
            } else {
                format!("there are {}", there.join(", "))
            };
            bail!(
                "{place}: parameters.{name}: {top} has no parameter of this name{}; {there}",
                proposal(name, known())
            );
        }
        let value = match &given.is {
            Given::Number(n) => *n,
            Given::Parameter(p) => {
                let value = build.params.get(p).filter(|_| own.contains(&p.as_str()));
                value.map(|v| v as i64).ok_or_else(|| {
                    let near = proposal(p, own.iter().copied());
                    let (unit, there) = (build.unit.cli_name(), own.join(", "));
                    anyhow!(
                        "{place}: parameters.{name}: {unit} has no parameter {p}{near}; there are {there}"
                    )
                })?
            }
        };
        set.insert(name, value);
    }
    let parameters: Vec<(String, i64)> = set.into_iter().map(|(n, v)| (n.to_string(), v)).collect();
    let pins = if parameters.is_empty() { plain } else { read(listed, top, map, &parameters)? };
    let arguments = arguments(listed, top, map, &parameters);
    Ok(Elaborated { pins: pins.pins, parameters, files: pins.files, arguments })
}

/// Verilator's arguments for a design alone. Loops are unrolled as far as tables go.
fn arguments(listed: &Listed, top: &str, map: &Map, parameters: &[(String, i64)]) -> Vec<String> {
    let mut args: Vec<String> =
        ["-Wno-fatal", "-Wno-lint", "-Wno-style", "--no-timing", "--assert"].map(String::from).to_vec();
    args.extend(UNROLL.map(String::from));
    args.extend(["--top-module".to_string(), top.to_string()]);
    args.extend(parameters.iter().map(|(n, v)| format!("-G{n}={v}")));
    args.extend(map.defines.iter().map(|d| format!("+define+{d}")));
    args.extend(listed.arguments());
    args
}

/// What Verilator says of a design.
struct Said {
    pins: Vec<Pin>,
    parameters: Vec<(String, i64)>,
    files: Vec<PathBuf>,
}

fn read(listed: &Listed, top: &str, map: &Map, parameters: &[(String, i64)]) -> Result<Said> {
    let text = xml(&arguments(listed, top, map, parameters))?.map_err(|said| {
        if said.contains("was not found in design") {
            return anyhow!("{}", listed.without(top));
        }
        anyhow!("{top} does not elaborate; Verilator says:\n{said}")
    })?;
    parse(&text)
}

/// Verilator's XML of a design, or the errors that it tells.
fn xml(arguments: &[String]) -> Result<Result<String, String>> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let xml = folder.path().join("design.xml");
    let mut verilator = Tools::find()?.run_verilator();
    verilator.args(["--xml-only", "--Mdir"]).arg(folder.path()).arg("--xml-output").arg(&xml);
    verilator.args(arguments);
    let output = verilator.output().context("cannot run Verilator; remedy: run ./setup")?;
    if !output.status.success() {
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        return Ok(Err(errors(&String::from_utf8_lossy(&said))));
    }
    let text = std::fs::read_to_string(&xml).with_context(|| format!("cannot read {}", xml.display()))?;
    Ok(Ok(text))
}

/// The errors of what Verilator said, with the lines of code that it shows; no warnings.
fn errors(said: &str) -> String {
    let mut shown = Vec::new();
    let mut on = false;
    for line in said.lines() {
        if line.starts_with('%') {
            on = line.starts_with("%Error") && !line.starts_with("%Error: Exiting");
        }
        if on && shown.len() < 24 && !line.contains("... See the manual") {
            shown.push(format!("  {line}"));
        }
    }
    if shown.is_empty() {
        said.lines().take(10).map(|l| format!("  {l}")).collect::<Vec<_>>().join("\n")
    } else {
        shown.join("\n")
    }
}

/// A tag of Verilator's XML.
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    /// It has no end of its own.
    closed: bool,
}

impl Tag<'_> {
    fn get(&self, name: &str) -> Option<String> {
        let start = format!(" {name}=\"");
        let at = self.attributes.find(&start)? + start.len();
        let value = &self.attributes[at..];
        let value = &value[..value.find('"')?];
        let plain =
            value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
        Some(plain.replace("&amp;", "&"))
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.parse().ok()
    }
}

fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    text.split('<').skip(1).filter_map(|part| {
        let inside = &part[..part.find('>')?];
        let (inside, closed) = inside.strip_suffix('/').map_or((inside, false), |i| (i, true));
        let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
        Some(Tag { name: &inside[..end], attributes: &inside[end..], closed })
    })
}

/// A type of the table, as far as a pin's size goes.
enum Type {
    /// So many bits.
    Bits(usize),
    /// Another one.
    Same(usize),
    /// So many of another one.
    Packed(usize, usize),
    /// An array of another one, with its bounds.
    Array(usize, (usize, usize)),
    /// A structure of others; `true`: as large as the largest (a union).
    Joined(Vec<usize>, bool),
}

fn parse(text: &str) -> Result<Said> {
    let mut said = Said { pins: Vec::new(), parameters: Vec::new(), files: Vec::new() };
    // Pins and their types.
    let mut found: Vec<(String, String, usize)> = Vec::new();
    let mut types: BTreeMap<usize, Type> = BTreeMap::new();
    let (mut top, mut depth, mut parameter) = (false, 0, None);
    // The type whose bounds or members are being read.
    let mut open: Option<(usize, Vec<usize>)> = None;
    let (mut in_files, mut within) = (false, 0usize);
    for tag in tags(text) {
        match tag.name {
            "files" => in_files = true,
            "/files" => in_files = false,
            "file" if in_files => {
                let name = tag.get("filename").unwrap_or_default();
                // (Of a name with a blank Verilator lists the first word, too.)
                let file = PathBuf::from(name);
                said.files.extend(file.is_file().then_some(file));
            }
            "module" => (top, depth) = (tag.get("topModule").is_some(), 0),
            "/module" => top = false,
            // Functions and tasks have directions, too.
            "func" | "task" => within += usize::from(!tag.closed),
            "/func" | "/task" => within = within.saturating_sub(1),
            "var" if top && within == 0 => {
                let name = tag.get("origName").or(tag.get("name")).unwrap_or_default();
                if let Some(way) = tag.get("dir") {
                    found.push((name, way, tag.number("dtype_id").unwrap_or_default()));
                } else if tag.get("param").is_some() && depth == 0 {
                    parameter = Some(name);
                } else if tag.get("vartype").as_deref() == Some("ifaceref") {
                    bail!(
                        "pin {name} is an interface; remedy: a module around the design that has its signals as pins"
                    );
                }
                depth += usize::from(!tag.closed);
            }
            "/var" if top && within == 0 => (depth, parameter) = (depth.saturating_sub(1), None),
            "const" => {
                let value = tag.get("name").and_then(|n| number(&n));
                if let Some(name) = parameter.take() {
                    // A parameter that is no number keeps its value.
                    said.parameters.extend(value.map(|v| (name, v)));
                } else if let (Some((_, bounds)), Some(v)) = (&mut open, value) {
                    bounds.push(
                        usize::try_from(v).map_err(|_| anyhow!("a bound less than 0 in a pin's type"))?,
                    );
                }
            }
            "basicdtype" => {
                let (Some(id), Some(name)) = (tag.number("id"), tag.get("name")) else { continue };
                let bits = match (tag.number("left"), tag.number("right")) {
                    (Some(l), Some(r)) => l.abs_diff(r) + 1,
                    _ => match name.as_str() {
                        "byte" => 8,
                        "shortint" => 16,
                        "int" | "integer" => 32,
                        "longint" | "time" => 64,
                        _ => 1,
                    },
                };
                types.insert(id, Type::Bits(bits));
            }
            "refdtype" | "enumdtype" | "constdtype" | "requiredtype" => {
                if let (Some(id), Some(of)) = (tag.number("id"), tag.number("sub_dtype_id")) {
                    types.insert(id, Type::Same(of));
                }
            }
            "packarraydtype" | "unpackarraydtype" => {
                if let (Some(id), Some(of)) = (tag.number("id"), tag.number("sub_dtype_id")) {
                    let kind = if tag.name == "packarraydtype" {
                        Type::Packed(1, of)
                    } else {
                        Type::Array(of, (0, 0))
                    };
                    types.insert(id, kind);
                    open = Some((id, Vec::new()));
                }
            }
            "/packarraydtype" | "/unpackarraydtype" => {
                if let Some((id, bounds)) = open.take()
                    && let &[left, right] = &bounds[..]
                {
                    match types.get_mut(&id) {
                        Some(Type::Packed(n, _)) => *n = left.abs_diff(right) + 1,
                        Some(Type::Array(_, b)) => *b = (left, right),
                        _ => {}
                    }
                }
            }
            "structdtype" | "uniondtype" => {
                if let Some(id) = tag.number("id") {
                    types.insert(id, Type::Joined(Vec::new(), tag.name == "uniondtype"));
                    open = Some((id, Vec::new()));
                }
            }
            "/structdtype" | "/uniondtype" => open = None,
            "memberdtype" => {
                if let (Some((id, _)), Some(of)) = (&open, tag.number("sub_dtype_id"))
                    && let Some(Type::Joined(members, _)) = types.get_mut(id)
                {
                    members.push(of);
                }
            }
            _ => {}
        }
    }
    for (name, way, id) in found {
        if way == "inout" {
            bail!(
                "pin {name} is an inout; remedy: a module around the design that has an input and an output in its place"
            );
        }
        let (id, array) = match types.get(&id) {
            Some(Type::Array(of, bounds)) => (*of, Some(*bounds)),
            _ => (id, None),
        };
        let width = size(&types, id, 0).with_context(|| {
            format!("pin {name} has a type that cannot be read; remedy: plain vectors, or an array of them")
        })?;
        said.pins.push(Pin { name, input: way == "input", width, array });
    }
    Ok(said)
}

/// Bits of a type; `None` if it is no vector.
fn size(types: &BTreeMap<usize, Type>, id: usize, depth: usize) -> Option<usize> {
    if depth > 20 {
        return None;
    }
    let of = |id| size(types, id, depth + 1);
    match types.get(&id)? {
        Type::Bits(n) => Some(*n),
        Type::Same(id) => of(*id),
        Type::Packed(n, id) => Some(n * of(*id)?),
        Type::Array(..) => None,
        Type::Joined(members, union) => {
            let sizes = members.iter().map(|m| of(*m)).collect::<Option<Vec<_>>>()?;
            if *union { sizes.into_iter().max() } else { Some(sizes.into_iter().sum()) }
        }
    }
}

/// A number as Verilator writes it: `32'sh1f`.
fn number(text: &str) -> Option<i64> {
    let Some((_, digits)) = text.split_once('\'') else { return text.parse().ok() };
    let digits = digits.trim_start_matches('s');
    i64::from_str_radix(digits.strip_prefix('h')?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_from_what_verilator_says() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.sv");
        let text = "package p; typedef struct packed {logic [2:0] a; logic b;} s_t; typedef enum logic [1:0] {A, B} e_t; endpackage\n\
            module t import p::*; #(parameter N = 4, localparam M = 2*N) (input clk, input [M-1:0] a, output logic [1:0][4:0] b, \
            input [7:0] u [0:3], input s_t s, output e_t e, output int i); function logic [5:0] f(input logic [5:0] x); f = x; endfunction assign b = '0; assign e = A; assign i = 0; endmodule\n";
        std::fs::write(&path, text).unwrap();
        let listed = Listed { files: vec![path.clone()], ..Listed::default() };
        let said = read(&listed, "t", &Map::default(), &[("N".into(), 3)]).unwrap();
        let seen: Vec<(&str, bool, usize, usize)> =
            said.pins.iter().map(|p| (p.name.as_str(), p.input, p.width, p.bits())).collect();
        assert_eq!(
            seen,
            [
                ("clk", true, 1, 1),
                ("a", true, 6, 6),
                ("b", false, 10, 10),
                ("u", true, 8, 32),
                ("s", true, 4, 4),
                ("e", false, 2, 2),
                ("i", false, 32, 32)
            ]
        );
        assert!(said.parameters.contains(&("N".into(), 3)), "{:?}", said.parameters);
        assert_eq!(said.files, std::slice::from_ref(&path));

        std::fs::write(&path, "module t (input clk);\n  assign x = nothing;\n  foo u ();\nendmodule\n")
            .unwrap();
        let error = read(&listed, "t", &Map::default(), &[]).err().unwrap().to_string();
        assert!(error.contains("t does not elaborate") && error.contains("t.sv:2:"), "{error}");
        let error = read(&listed, "tt", &Map::default(), &[]).err().unwrap().to_string();
        assert!(error == "--top tt: no file has a module of this name; did you mean t?", "{error}");
        std::fs::write(&path, "module t (inout clk); endmodule\n").unwrap();
        let error = read(&listed, "t", &Map::default(), &[]).err().unwrap().to_string();
        assert!(error.contains("pin clk is an inout"), "{error}");
    }
}
