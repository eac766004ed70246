//! The netlist that Yosys makes of a unit against its golden model: so that synthesis sees what simulation saw.
//!
//! The gates are compiled by Verilator into a program of their own, which starts from random register values,
//! reads inputs and the golden model's outputs and state cycle by cycle, and tells of the first difference.

use std::fmt::Write as _;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::knobs::{Knobs, Setup};
use super::paper::cache;
use super::scenario;
use crate::model;
use crate::params::Build;
use crate::signals::{Group, Layout, Signal};

/// A compiled netlist.
pub struct Netlist {
    build: Build,
    layout: Layout,
    program: PathBuf,
}

/// What the comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// So many cycles are equal.
    Equal(u64),
    /// In this cycle this output or state word is not what the golden model says.
    Differs {
        /// The cycle after reset.
        cycle: u64,
        /// The signal and its element.
        signal: String,
        /// What the netlist has.
        netlist: u32,
        /// What the golden model has.
        golden: u32,
    },
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn checked(command: &mut Command, what: &str) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot run {what}; remedy: run ./setup"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let tail: Vec<&str> = text.lines().rev().take(20).collect();
        bail!("{what} failed:\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
    Ok(())
}

impl Netlist {
    /// Synthesises and compiles a build in a folder; `told` hears of progress.
    pub fn make(build: &Build, folder: &Path, told: &dyn Fn(&str)) -> Result<Netlist> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        // Verilator's makefile works in a folder of its own.
        let folder = &folder.canonicalize().with_context(|| format!("cannot find {}", folder.display()))?;
        let layout = Layout::new(build.unit, &build.params);
        told("Yosys makes the netlist");
        let netlist = folder.join("netlist.v");
        let mut synth = Command::new("python3");
        synth.arg(root().join("scripts/synth.py")).arg(build.unit.module());
        synth.args(["--gates", "--keep-state", "--netlist"]).arg(&netlist);
        for name in build.unit.parameter_names() {
            synth.arg("-P").arg(format!("{name}={}", build.params.get(name).unwrap_or_default()));
        }
        checked(&mut synth, "scripts/synth.py")?;
        told("Verilator compiles it");
        let wrapper = folder.join("netlist_top.sv");
        cache::write(&wrapper, wrapper_text(build, &layout).as_bytes())?;
        let main = folder.join("main.cpp");
        cache::write(&main, main_text(&layout).as_bytes())?;
        let mut verilator = Command::new("verilator");
        verilator.args(["--cc", "--exe", "--build", "-O3", "-Wno-fatal", "-Wno-lint", "--no-timing"]);
        verilator.args(["--x-initial", "unique", "--x-assign", "unique", "-CFLAGS", "-O1"]);
        verilator.args(["--top-module", "netlist_top", "-o", "netlist", "-Mdir"]).arg(folder.join("obj"));
        verilator.arg(&netlist).arg(&wrapper).arg(&main);
        checked(&mut verilator, "verilator")?;
        Ok(Netlist { build: *build, layout, program: folder.join("obj/netlist") })
    }

    /// Compares so many cycles of random traffic; `damage` flips the lowest bit of the first output that the golden
    /// model gives in that cycle, to see that the comparison notices.
    pub fn compare(
        &self,
        cycles: u64,
        seed: u64,
        damage: Option<u64>,
        progress: &dyn Fn(u64),
    ) -> Result<Outcome> {
        let (unit, layout) = (self.build.unit, &self.layout);
        let mut golden = model::new(unit, &self.build.params).map_err(anyhow::Error::msg)?;
        let mut source = scenario::source(&self.build, None, &Knobs::default(), &Setup::default(), seed)
            .map_err(anyhow::Error::msg)?;
        let mut child = Command::new(&self.program)
            .arg(seed.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", self.program.display()))?;
        let mut pipe = BufWriter::with_capacity(1 << 20, child.stdin.take().context("a pipe")?);
        golden.reset();
        let (mut out, mut state) = (vec![0; layout.out_words], vec![0; layout.state_words]);
        let mut input = layout.idle();
        for t in 0..cycles {
            layout.make_idle(&mut input);
            if golden.is_moore() {
                golden.outputs(&[], &mut out);
            }
            source.drive(&out, &mut input);
            golden.outputs(&input, &mut out);
            golden.state(&mut state);
            let mut shown = out.clone();
            if damage == Some(t) {
                shown[0] ^= 1;
            }
            let record: Vec<u8> =
                input.iter().chain(&shown).chain(&state).flat_map(|w| w.to_le_bytes()).collect();
            if pipe.write_all(&record).is_err() {
                break; // the program has found a difference
            }
            golden.step(&input);
            if t % 4096 == 4095 {
                progress(4096);
            }
        }
        let _ = pipe.flush();
        drop(pipe);
        let mut said = String::new();
        child.stdout.take().context("a pipe")?.read_to_string(&mut said)?;
        child.wait()?;
        let words: Vec<&str> = said.split_whitespace().collect();
        match words[..] {
            ["equal", n] if n.parse() == Ok(cycles) => Ok(Outcome::Equal(cycles)),
            ["differs", cycle, word, netlist, golden] => {
                let word: usize = word.parse()?;
                let (group, word) = match word.checked_sub(layout.out_words) {
                    None => (Group::Output, word),
                    Some(word) => (Group::State, word),
                };
                let signal = match layout.owner(group, word) {
                    Some((s, i)) => format!("{}[{i}]", s.name),
                    None => format!("word {word}"),
                };
                Ok(Outcome::Differs {
                    cycle: cycle.parse()?,
                    signal,
                    netlist: netlist.parse()?,
                    golden: golden.parse()?,
                })
            }
            _ => bail!("{} ended early: {said}", self.program.display()),
        }
    }
}

/// The netlist between word vectors.
fn wrapper_text(build: &Build, l: &Layout) -> String {
    let mut t = String::from("module netlist_top (\n  input wire clk_i,\n  input wire rst_i,\n");
    let _ = write!(
        t,
        "  input wire [31:0] in_i [0:{}],\n  output wire [31:0] out_o [0:{}],\n  output wire [31:0] st_o [0:{}]\n);\n",
        l.in_words - 1,
        l.out_words - 1,
        l.state_words - 1
    );
    let mut ports = String::from(".clk_i(clk_i), .rst_i(rst_i)");
    let port = |s: &Signal| format!("{}_{}", s.name, if s.group == Group::Input { "i" } else { "o" });
    for s in &l.signals {
        let p = port(s);
        let _ = writeln!(t, "  wire [{}:0] {p};", s.width * s.count - 1);
        let _ = write!(ports, ", .{p}({p})");
        for w in 0..s.count * s.stride() {
            let (i, part) = (w / s.stride(), w % s.stride());
            let (word, at, bits) = (s.offset + w, i * s.width + 32 * part, (s.width - 32 * part).min(32));
            let _ = match s.group {
                Group::Input => writeln!(t, "  assign {p}[{at} +: {bits}] = in_i[{word}][{}:0];", bits - 1),
                Group::Output => writeln!(t, "  assign out_o[{word}] = 32'({p}[{at} +: {bits}]);"),
                Group::State => writeln!(t, "  assign st_o[{word}] = 32'({p}[{at} +: {bits}]);"),
            };
        }
    }
    let _ = writeln!(t, "  {}_netlist u ({ports});\nendmodule", build.unit.module());
    t
}

/// The program that compares.
fn main_text(l: &Layout) -> String {
    format!(
        r#"#include "Vnetlist_top.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
int main(int, char** argv) {{
  const int in = {}, out = {}, st = {};
  static uint32_t r[in + out + st];
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(std::atoi(argv[1]) + 1);
  Vnetlist_top top(&context);
  top.clk_i = 0;
  top.rst_i = 1;
  for (int i = 0; i < in; ++i) top.in_i[i] = 0;
  for (int i = 0; i < 3; ++i) {{
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }}
  top.clk_i = 0;
  top.rst_i = 0;
  unsigned long long cycle = 0;
  while (std::fread(r, sizeof r, 1, stdin) == 1) {{
    for (int i = 0; i < in; ++i) top.in_i[i] = r[i];
    top.clk_i = 0;
    top.eval();
    for (int i = 0; i < out + st; ++i) {{
      const uint32_t have = i < out ? top.out_o[i] : top.st_o[i - out];
      if (have != r[in + i]) {{
        std::printf("differs %llu %d %u %u\n", cycle, i, have, r[in + i]);
        return 0;
      }}
    }}
    top.clk_i = 1;
    top.eval();
    ++cycle;
  }}
  std::printf("equal %llu\n", cycle);
}}
"#,
        l.in_words, l.out_words, l.state_words
    )
}
