//! How to run, and what comes of it.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::params::Build;
use crate::signals::Group;
use crate::wave::Event;

/// Which waveform to write during a run.
#[derive(Clone, Debug)]
pub struct Vcd {
    /// File to write.
    pub path: PathBuf,
    /// First cycle in it.
    pub from: u64,
    /// Number of cycles; `None` = to the end of the run.
    pub cycles: Option<u64>,
    /// What viewers open it on; `None` = the cycle in which the run fails, or the first difference, if there is one.
    pub event: Option<Event>,
}

/// How to run.
#[derive(Clone)]
pub struct Options<'a> {
    /// Cycles to run after reset.
    pub cycles: u64,
    /// Seed of the RTL's random power-up state, and of the length of the reset and the inputs during it; kept in the report and in the reproducer.
    /// (The source has its own seed; callers normally use the same number.)
    pub seed: u64,
    /// Waveform of the run itself.
    pub vcd: Option<Vcd>,
    /// Called now and then with the number of cycles done since the last call.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
    /// Directory (made if missing) for the artefacts of a failure; `None` = write none and do not minimise.
    pub out_dir: Option<PathBuf>,
    /// Set it to true to end the run early; the report then says [`Report::stopped`].
    pub stop: Option<&'a AtomicBool>,
    /// Run golden model and stimulus in a thread of their own. Same results, faster if a second core is free.
    /// (`regress` with several threads ignores it.)
    pub pipeline: bool,
    /// Time allowed for minimising a failing stimulus.
    pub minimise: Duration,
    /// Cycles before the failure in its waveform.
    pub window: u64,
    /// Comment lines for the reproducer: scenario, command line.
    pub comments: Vec<String>,
    /// Bytes of stimulus kept for the reproducer. A longer run that fails reports no reproducer, only the seed.
    pub record_limit: usize,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            cycles: 100_000,
            seed: 1,
            vcd: None,
            progress: None,
            out_dir: None,
            stop: None,
            pipeline: true,
            minimise: Duration::from_secs(10),
            window: 200,
            comments: Vec::new(),
            record_limit: 1 << 30,
        }
    }
}

/// A cover point and how often it was hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverCount {
    /// Name, unique within the unit.
    pub name: &'static str,
    /// Rules it belongs to.
    pub rules: &'static str,
    /// What happened, in a line.
    pub text: &'static str,
    /// How often.
    pub count: u64,
}

/// A run that ended with all compared values equal.
#[derive(Clone, Debug)]
pub struct Report {
    /// Cycles compared.
    pub cycles: u64,
    /// Packets, counted as [`Report::packets_are`] says.
    pub packets: u64,
    /// What was counted: `packets sent to the crossbar`, `packets sent to the link`, `accepted injections`.
    pub packets_are: &'static str,
    /// The golden model's cover points.
    pub cover: Vec<CoverCount>,
    /// Wall-clock time, without construction of the models.
    pub seconds: f64,
    /// `cycles / seconds`.
    pub cycles_per_second: f64,
    /// The seed of the options.
    pub seed: u64,
    /// True if [`Options::stop`] ended the run before [`Options::cycles`].
    pub stopped: bool,
}

/// One element of one signal that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Signal name as in [`crate::signals`].
    pub signal: &'static str,
    /// Output or state.
    pub group: Group,
    /// Which element; 0 for a signal of one element.
    pub element: usize,
    /// Number of elements of the signal.
    pub count: usize,
    /// Rules that govern the signal.
    pub rules: &'static str,
    /// Value in the RTL, as hexadecimal digits (and the name of an enumeration value).
    pub rtl: String,
    /// Value in the golden model.
    pub golden: String,
    /// The bits that differ.
    pub xor: String,
}

/// The inputs of one cycle, by name: only what is not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleInputs {
    /// Cycle after reset.
    pub cycle: u64,
    /// `rx_valid=1 grant[3]=1 ...`; empty = idle.
    pub inputs: String,
}

/// What a failure leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Artefacts {
    /// Waveform of the window before the failure: scopes `rtl`, `golden`, `mismatch`.
    pub vcd: Option<PathBuf>,
    /// Minimised stimulus file, for `quell replay`.
    pub reproducer: Option<PathBuf>,
    /// Cycles of the reproducer.
    pub reproducer_cycles: u64,
    /// The whole recorded stimulus up to the failure, if minimising changed it and it is not too long for a file.
    pub full: Option<PathBuf>,
    /// What could not be written, and why.
    pub problems: Vec<String>,
}

impl Artefacts {
    /// The command line that plays the reproducer, by a command that ends before the file's name.
    pub fn again(&self, command: &str) -> Option<String> {
        self.reproducer.as_ref().map(|file| format!("{command} {}", file.display()))
    }
}

/// RTL and golden model differ.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Model.
    pub build: Build,
    /// Seed of the run.
    pub seed: u64,
    /// Cycle after reset in which they differ first.
    pub cycle: u64,
    /// All elements that differ in that cycle, outputs first; never empty.
    pub differences: Vec<Difference>,
    /// The last inputs up to and including that cycle, oldest first.
    pub history: Vec<CycleInputs>,
    /// Files written.
    pub artefacts: Artefacts,
}

/// A checker in the RTL fired.
#[derive(Clone, Debug)]
pub struct AssertionFailure {
    /// Model.
    pub build: Build,
    /// Seed of the run.
    pub seed: u64,
    /// Cycle after reset at whose evaluation it fired.
    pub cycle: u64,
    /// What the checker said: file, line, hierarchy or label.
    pub message: String,
    /// The last inputs up to and including that cycle, oldest first.
    pub history: Vec<CycleInputs>,
    /// Files written.
    pub artefacts: Artefacts,
}

/// A rule was broken, as a scoreboard of events sees it.
#[derive(Clone, Debug)]
pub struct BrokenRule {
    /// Model.
    pub build: Build,
    /// Seed of the run.
    pub seed: u64,
    /// Cycle after reset in which it was seen.
    pub cycle: u64,
    /// What, in a word.
    pub kind: &'static str,
    /// The rules.
    pub rules: &'static str,
    /// What was seen, and what was to be seen.
    pub text: String,
    /// The last inputs up to and including that cycle, oldest first.
    pub history: Vec<CycleInputs>,
    /// Files written.
    pub artefacts: Artefacts,
}

/// Why a run did not end equal.
#[derive(Clone, Debug)]
pub enum Failure {
    /// RTL and golden model differ.
    Mismatch(Box<Mismatch>),
    /// An RTL checker fired.
    Assertion(Box<AssertionFailure>),
    /// A rule was broken.
    Broken(Box<BrokenRule>),
    /// A file could not be written (path and reason).
    Io(String),
    /// A model cannot be had: wrong parameters, or a tool that fails.
    Setup(String),
}
