//! The netlist that Yosys makes of a unit against its golden model: so that synthesis sees what simulation saw.
//!
//! The gates are a Verilated model like that of the RTL, and run in the same lockstep.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use crate::cosim::{Bench, Difference, Dut, DutError, Failure, Options, run_on};
use crate::home;
use crate::model;
use crate::params::Build;
use crate::stimulus::knobs::{Knobs, Setup};
use crate::stimulus::scenario;
use crate::verilated::Model;

/// A netlist.
pub struct Netlist {
    build: Build,
    text: String,
}

/// What the comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// So many cycles are equal.
    Equal(u64),
    /// In this cycle these outputs and states (of the `rtl`, which is the netlist) are not what the golden model says.
    Differs {
        /// The cycle after reset.
        cycle: u64,
        /// What differs; never empty.
        differences: Vec<Difference>,
    },
}

/// Gates of which one output is wrong in one cycle.
struct Damaged {
    model: Model,
    /// Cycles until then.
    left: Option<u64>,
    out_words: usize,
}

impl Dut for Damaged {
    fn reset(&mut self) {
        self.model.reset();
    }

    fn sample(&mut self, outputs: &mut [u32]) {
        Dut::sample(&mut self.model, outputs);
    }

    fn cycles(
        &mut self,
        n: usize,
        inputs: &[u32],
        outputs: &mut [u32],
        states: &mut [u32],
    ) -> Result<(), DutError> {
        Dut::cycles(&mut self.model, n, inputs, outputs, states)?;
        self.left = self.left.and_then(|left| {
            let later = left.checked_sub(n as u64);
            if later.is_none() {
                outputs[left as usize * self.out_words] ^= 1;
            }
            later
        });
        Ok(())
    }
}

impl Netlist {
    /// Synthesises a build in a folder; `told` hears of progress.
    pub fn make(build: &Build, folder: &Path, told: &dyn Fn(&str)) -> Result<Netlist> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        told("Yosys makes the netlist");
        let netlist = folder.join("netlist.v");
        let mut synth = Command::new("python3");
        synth.arg(home::root()?.join("scripts/synth.py")).arg(build.unit.module());
        synth.args(["--gates", "--keep-state", "--netlist"]).arg(&netlist);
        for (name, value) in build.values() {
            synth.arg("-P").arg(format!("{name}={value}"));
        }
        let output = synth.output().context("cannot run python3; remedy: run ./setup")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let tail: Vec<&str> = said.lines().rev().take(20).collect();
            bail!("scripts/synth.py failed:\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
        }
        let text = std::fs::read_to_string(&netlist)
            .with_context(|| format!("cannot read {}", netlist.display()))?;
        Ok(Netlist { build: *build, text })
    }

    /// Compares so many cycles of random traffic; `damage` flips the lowest bit of the first output of the gates in that cycle, to see
    /// that the comparison notices.
    pub fn compare(
        &self,
        cycles: u64,
        seed: u64,
        damage: Option<u64>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Outcome> {
        let (unit, params) = (self.build.unit, &self.build.params);
        let out_words = crate::signals::Layout::new(unit, params).out_words;
        let mut source = scenario::source(&self.build, None, &Knobs::default(), &Setup::default(), seed)
            .map_err(|e| anyhow!(e))?;
        let dut = |seed| -> Result<Box<dyn Dut>, String> {
            let model = Model::of_netlist(&self.build, &self.text, seed)?;
            Ok(Box::new(Damaged { model, left: damage, out_words }))
        };
        let golden = || model::new(unit, params);
        let bench = Bench {
            build: &self.build,
            dut: &dut,
            golden: &golden,
            compared: None,
            judge: None,
            inside: None,
        };
        let options = Options { cycles, seed, progress: Some(progress), ..Options::default() };
        match run_on(&bench, &mut *source, &options) {
            Ok(report) => Ok(Outcome::Equal(report.cycles)),
            Err(Failure::Mismatch(m)) => Ok(Outcome::Differs { cycle: m.cycle, differences: m.differences }),
            Err(Failure::Assertion(a)) => bail!("cycle {}: {}", a.cycle, a.message),
            Err(Failure::Broken(b)) => bail!("cycle {}: {}", b.cycle, b.text),
            Err(Failure::Io(e) | Failure::Setup(e)) => Err(anyhow!(e)),
        }
    }
}
