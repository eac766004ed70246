//! What is made, and the number of all that goes into it.

use std::borrow::Cow;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::tools::Tools;
use super::tree::Tree;
use crate::home::hex;

/// The name of the Verilated class.
pub(super) const CLASS: &str = "Vtop";
/// The one function that a shared object shows.
pub const FACTORY: &str = "quell_model";
/// The headers that the code around a design may include.
const HEADERS: [(&str, &str); 3] = [
    ("model.h", include_str!("cpp/model.h")),
    ("print.h", include_str!("cpp/print.h")),
    ("shim.h", include_str!("cpp/shim.h")),
];

/// What Verilator reads besides the top module.
#[derive(Clone, Copy)]
pub enum Sources<'a> {
    /// RTL with its checkers, as far as it is needed.
    Checked(&'a Tree),
    /// RTL without the checkers that its modules have in themselves.
    Unchecked(&'a Tree),
    /// A netlist, which is not as tidy.
    Netlist(&'a str),
    /// A design of somebody else, whose warnings are his.
    Foreign {
        /// Names and texts.
        files: &'a [(String, String)],
        /// Verilator's arguments for them, those to be read among them.
        arguments: &'a [String],
    },
}

/// What is made of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// An object to be loaded, which shows nothing but what its code exports.
    Shared,
    /// A program.
    Program,
}

impl Output {
    pub(super) fn file(self) -> &'static str {
        match self {
            Output::Shared => "model.so",
            Output::Program => "program",
        }
    }
}

/// A design, and what is to be made of it.
pub struct Design<'a> {
    /// What it is, for people.
    pub title: String,
    /// Kept with it.
    pub of: Value,
    /// Name and text of the top module.
    pub top: (&'a str, &'a str),
    /// The rest of the text.
    pub sources: Sources<'a>,
    /// Modules that are Verilated on their own, once for all of their instances with the same parameters.
    pub blocks: &'a [&'a str],
    /// Further arguments of Verilator.
    pub verilator: &'a [&'a str],
    /// Further arguments of the compiler.
    pub compiler: &'a [&'a str],
    /// Further files of Verilator's runtime.
    pub runtime: &'a [&'a str],
    /// C++ around the class `CLASS`.
    pub code: &'a str,
    /// Headers that it includes beside those of this module: name and text.
    pub headers: &'a [(&'a str, &'a str)],
    /// What is made.
    pub output: Output,
}

/// Arguments of Verilator for every design.
const VERILATE: [&str; 6] = ["--cc", "-O3", "--no-timing", "--x-assign", "unique", "--x-initial"];
/// Of a design of somebody else: loops over its tables are unrolled.
pub const UNROLL: [&str; 4] = ["--unroll-count", "20000", "--unroll-stmts", "2000000"];
/// The file that names the blocks.
const BLOCKS: &str = "blocks.vlt";
const NETLIST: [&str; 5] = ["-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-UNOPTFLAT", "-Wno-MULTIDRIVEN"];
/// Arguments of the compiler for every file. What runs once (Verilator's "slow" files) is not optimised.
pub(super) const COMPILE: [&str; 13] = [
    "-std=c++17",
    "-w",
    "-fPIC",
    "-fvisibility=hidden",
    "-DVL_TIME_CONTEXT",
    "-DVL_PRINTF=quell_print",
    "-DVM_SC=0",
    "-DVM_TRACE=0",
    "-DVM_TRACE_VCD=0",
    "-DVM_TRACE_FST=0",
    "-include",
    "print.h",
    "-I.",
];
/// What runs in every cycle. (`-O2` takes half as long again to compile, and what it makes runs a few per cent faster.)
pub(super) const FAST: &str = "-O1";
pub(super) const SLOW: &str = "-O0";
pub(super) const RUNTIME: [&str; 2] = ["verilated.cpp", "verilated_threads.cpp"];

impl Design<'_> {
    /// The files that Verilator reads, by name, the top module among them.
    pub(super) fn files(&self) -> Vec<(String, Cow<'_, str>)> {
        let (top, text) = self.top;
        let mut files = vec![(format!("{top}.sv"), Cow::from(text))];
        match self.sources {
            Sources::Checked(tree) | Sources::Unchecked(tree) => {
                files.extend(tree.needed(text).into_iter().map(|f| (f.name.clone(), f.text.as_str().into())));
            }
            Sources::Netlist(netlist) => files.push(("netlist.v".into(), netlist.into())),
            Sources::Foreign { files: own, .. } => {
                files.extend(own.iter().map(|(name, text)| (name.clone(), text.as_str().into())));
            }
        }
        if !self.blocks.is_empty() {
            let blocks = self.blocks.iter().map(|m| format!("hier_block -module \"{m}\"\n"));
            files.push((BLOCKS.into(), format!("`verilator_config\n{}", blocks.collect::<String>()).into()));
        }
        files
    }

    /// Verilator's arguments.
    pub(super) fn verilate(&self, files: &[(String, Cow<str>)]) -> Vec<String> {
        let mut args: Vec<String> = VERILATE.map(String::from).to_vec();
        args.extend(
            ["unique", "--prefix", CLASS, "--top-module", self.top.0, "-Mdir", "cpp"].map(String::from),
        );
        match self.sources {
            Sources::Checked(_) | Sources::Unchecked(_) => {
                args.extend(["--assert", "-y", "rtl", "-y", "tb"].map(String::from));
                if let Sources::Checked(_) = self.sources {
                    args.push("+define+QUELL_CHECK".into());
                }
                // Modules are found by name; packages must be read first.
                args.extend(files.iter().map(|f| f.0.clone()).filter(|f| f.ends_with("_pkg.sv")));
            }
            Sources::Netlist(_) => args.extend(NETLIST.into_iter().chain(["netlist.v"]).map(String::from)),
            Sources::Foreign { arguments, .. } => {
                args.extend(["--assert", "-Wno-fatal", "-Wno-lint", "-Wno-style"].map(String::from));
                args.extend(UNROLL.map(String::from));
                args.extend(arguments.iter().cloned());
            }
        }
        if !self.blocks.is_empty() {
            // An output of a block depends on all of its inputs, as far as the module around it can see.
            args.extend(["--hierarchical", "-Wno-UNOPTFLAT", BLOCKS].map(String::from));
        }
        args.extend(self.verilator.iter().map(|a| a.to_string()));
        args.push(files[0].0.clone());
        args
    }

    /// Verilator's runtime.
    pub(super) fn runtime(&self) -> Vec<&str> {
        let dpi = (!self.blocks.is_empty()).then_some("verilated_dpi.cpp");
        RUNTIME.into_iter().chain(dpi).chain(self.runtime.iter().copied()).collect()
    }

    /// The headers of the code around it, those that it can see.
    pub(super) fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        HEADERS.into_iter().chain(self.headers.iter().copied())
    }
}

/// A number of everything that goes into a design's object.
pub fn key(design: &Design, tools: &Tools) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    };
    let files = design.files();
    for (name, text) in files.iter().map(|(n, t)| (n.as_str(), t.as_ref())).chain(design.headers()) {
        add(name);
        add(text);
    }
    design.verilate(&files).iter().for_each(|a| add(a));
    let compiler = COMPILE.into_iter().chain([FAST, SLOW]).chain(design.compiler.iter().copied());
    compiler.chain(design.runtime()).for_each(&mut add);
    [&tools.verilator_version, &tools.compiler_version].into_iter().for_each(|v| add(v));
    [design.code, design.output.file()].into_iter().for_each(add);
    hex(&hash.finalize()[..16])
}
