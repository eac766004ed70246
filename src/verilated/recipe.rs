//! What a model is made of.

use std::sync::OnceLock;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};

use crate::dut::{ADAPTER, Copies, Dut};
use crate::home;
use crate::params::{Build, Params, UnitKind};
use crate::signals::Layout;
use crate::verilate::{self, Design, FACTORY, Kept, Output, Sources, Tools, Tree};
use crate::wrapper::wrapper_text;

/// A switch of more ports is Verilated in blocks.
const MOST_PORTS_IN_ONE: usize = 4;

/// The RTL and the checkers, read once.
fn tree() -> Result<&'static Tree> {
    static TREE: OnceLock<Tree> = OnceLock::new();
    if let Some(tree) = TREE.get() {
        return Ok(tree);
    }
    let root = home::root()?;
    let tree = Tree::read(&root.join("rtl"), &root.join("tb"))?;
    Ok(TREE.get_or_init(|| tree))
}

/// Unit and parameters, as they are kept with a model.
pub fn description(build: &Build) -> Value {
    let params: serde_json::Map<String, Value> =
        build.values().into_iter().map(|(n, v)| (n.to_string(), v.into())).collect();
    json!({"unit": build.unit.cli_name(), "parameters": params})
}

/// The build that a kept model is of, if it is a model.
pub fn params_of(of: &Value) -> Option<Build> {
    let unit = UnitKind::ALL.into_iter().find(|u| of["unit"] == u.cli_name())?;
    let mut params = Params::default();
    for (name, value) in of["parameters"].as_object()? {
        params.set(name, usize::try_from(value.as_u64()?).ok()?);
    }
    Some(Build::of(unit, &params))
}

/// What a model is of.
#[derive(Clone, Copy)]
pub(super) enum Of<'a> {
    /// The RTL, with its checkers.
    Rtl,
    /// A copy of the RTL with faults in it, with its checkers.
    Broken(&'a Tree),
    /// A netlist, whose module is `<unit>_netlist`.
    Netlist(&'a str),
    /// A design of somebody else in its adapter.
    Foreign(&'a Dut),
}

/// Of a model whose inside can be seen: Verilator's tracing, with wide and long arrays.
const TRACED: [&str; 5] = ["--trace", "--trace-max-width", "4096", "--trace-max-array", "256"];
const NOTES: [&str; 3] = ["-DQUELL_INTERNALS", "-UVM_TRACE", "-DVM_TRACE=1"];

/// Of a design of somebody else: what would end the program is thrown, and caught in `guard.h`; a loop that has no end stays (clang leaves
/// it out, since C++ lets it, and the design does something else).
const GUARDED: [&str; 4] = ["-DVM_COVERAGE=0", "-DVL_USER_FATAL", "-DVL_USER_FINISH", "-fno-finite-loops"];

fn with_design<T>(build: &Build, of: Of, inside: bool, f: impl FnOnce(&Design) -> Result<T>) -> Result<T> {
    build.params.check_unit(build.unit).map_err(|e| anyhow!("{}: {e}", build.title()))?;
    let layout = Layout::new(build.unit, &build.params);
    let unit = build.unit.module();
    let (module, sources) = match of {
        Of::Rtl => (unit.to_string(), Sources::Checked(tree()?)),
        Of::Broken(copy) => (unit.to_string(), Sources::Checked(copy)),
        Of::Netlist(text) => (format!("{unit}_netlist"), Sources::Netlist(text)),
        Of::Foreign(dut) => {
            let Copies { files, arguments, .. } = &dut.copies;
            (ADAPTER.to_string(), Sources::Foreign { files, arguments })
        }
    };
    let own = matches!(of, Of::Rtl | Of::Broken(_));
    let rtl = matches!(of, Of::Rtl);
    let top = format!("{unit}_wrap");
    let mut text = wrapper_text(&top, &module, own, build, &layout, &[]);
    // The inside of a block cannot be seen.
    let blocks = if rtl && !inside { blocks(build) } else { &[] };
    let sizes = format!("<Vtop, {}, {}, {}>", layout.in_words, layout.out_words, layout.state_words);
    let (mut header, mut made) = ("shim.h", format!("ModelOf{sizes}(seed, {})", !blocks.is_empty()));
    let title = match of {
        Of::Rtl => build.title(),
        Of::Broken(_) => {
            (header, made) =
                ("guard.h", format!("Guarded{sizes}(seed, (\"+fault=\" + std::to_string(fault)).c_str())"));
            format!("broken {}", build.title())
        }
        Of::Netlist(_) => format!("netlist of {}", build.title()),
        Of::Foreign(dut) => {
            text += &dut.adapter;
            (header, made) = ("guard.h", format!("Guarded{sizes}(seed)"));
            dut.title()
        }
    };
    let guarded = header == "guard.h";
    let code = format!(
        "#include \"{header}\"\nextern \"C\" __attribute__((visibility(\"default\"))) quell::Model* {FACTORY}(uint32_t seed, [[maybe_unused]] uint32_t fault) {{\n  \
         return new quell::{made};\n}}\n"
    );
    let guards = if guarded { &GUARDED[..] } else { &GUARDED[..1] };
    let notes = if inside { &NOTES[..] } else { &[] };
    f(&Design {
        title: if inside { format!("{title}, its inside too") } else { title },
        of: if rtl && !inside { description(build) } else { Value::Null },
        top: (&top, &text),
        sources,
        blocks,
        verilator: if inside { &TRACED } else { &[] },
        compiler: &[guards, notes].concat(),
        runtime: if inside { &["verilated_vcd_c.cpp"] } else { &[] },
        code: &code,
        headers: if guarded { &[("guard.h", include_str!("guard.h"))] } else { &[] },
        output: Output::Shared,
    })
}

/// Verilated apart from a large switch.
const BLOCKS: [&str; 7] = [
    "switch_input_port",
    "switch_output_port",
    // What they show goes nowhere: as parts of the switch they would be compiled for each of the reasons to evaluate it.
    "switch_checker",
    "progress_checker",
    "stay_checker",
    "turns_checker",
    "counts_checker",
];

/// The ports of a large switch are Verilated once for all of their instances: C++ and time would grow with the square of
/// their number. So are its checkers.
fn blocks(build: &Build) -> &'static [&'static str] {
    let large = build.unit == UnitKind::Switch && build.params.ports > MOST_PORTS_IN_ONE;
    if large { &BLOCKS } else { &[] }
}

/// The model of a build, with its inside to be seen or without; it is made if none is kept.
pub(super) fn made(build: &Build, of: Of, inside: bool) -> Result<Kept> {
    with_design(build, of, inside, |design| verilate::make(design, &verilate::store()))
}

/// The key under which the model of a build is kept, as its sources and the tools are now.
pub fn key(build: &Build) -> Result<String> {
    with_design(build, Of::Rtl, false, |design| Ok(verilate::key(design, Tools::find()?)))
}
