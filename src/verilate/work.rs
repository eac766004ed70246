//! A folder in which Verilator, the compiler and the linker work.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};

use super::design::{COMPILE, Design};
use super::slots::Slots;
use super::store::LOG;
use super::tools::Tools;

/// A folder in which tools work.
pub(super) struct Work<'a> {
    tools: &'a Tools,
    /// The folder.
    pub folder: PathBuf,
    /// What the tools say.
    log: Mutex<PathBuf>,
}

impl Work<'_> {
    /// In a folder, with the log in another.
    pub fn new<'a>(tools: &'a Tools, folder: &Path, log: &Path) -> Work<'a> {
        Work { tools, folder: folder.into(), log: Mutex::new(log.join(LOG)) }
    }

    /// Writes a file of the folder.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        let done =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        done.map_err(|e| {
            anyhow!(
                "cannot write {}: {e}; remedy: QUELL_CACHE=DIR keeps models in another folder",
                path.display()
            )
        })
    }

    /// Compiles a file to `NAME.o`; the arguments `first` come before all others.
    pub fn compile(
        &self,
        design: &Design,
        source: &str,
        name: &str,
        level: &str,
        first: &[String],
    ) -> Result<()> {
        let mut cc = self.tools.run_compiler();
        cc.args(first).args(COMPILE).arg(level).args(design.compiler);
        cc.arg("-I").arg(&self.tools.include).arg("-I").arg(self.tools.include.join("vltstd"));
        cc.args(["-c", source, "-o"]).arg(format!("{name}.o"));
        self.run(cc, "the C++ compiler")
    }

    /// Runs a tool in the folder. What it says is in the log, and at the end of the error if it fails.
    pub fn run(&self, mut command: Command, what: &str) -> Result<()> {
        command.current_dir(&self.folder);
        let program = command.get_program().to_string_lossy().into_owned();
        let output = Slots::run(|| command.output());
        let output = output.with_context(|| format!("cannot run {what}, {program}; remedy: run ./setup"))?;
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said);
        let log = self.log.lock().unwrap_or_else(|e| e.into_inner());
        let line = format!("{command:?}\n{said}{}\n\n", output.status);
        let file = std::fs::OpenOptions::new().append(true).create(true).open(&*log);
        // A log that cannot be written is no reason not to go on.
        let _ = file.and_then(|mut f| f.write_all(line.as_bytes()));
        if output.status.success() {
            return Ok(());
        }
        let errors: Vec<&str> =
            said.lines().filter(|l| l.to_lowercase().contains("error")).take(10).collect();
        let shown = if errors.is_empty() { said.lines().take(10).collect() } else { errors };
        bail!("{what}, {program}, fails ({}):\n{}", output.status, shown.join("\n"))
    }
}
