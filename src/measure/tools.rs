//! The tools outside: Yosys through `scripts/instrument.py`, and the replay program that [`crate::verilate`] makes.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

use crate::home;
use crate::jobs::side_by_side;
use crate::params::Build;
use crate::signals::Layout;
use crate::verilate::{self, Output, Sources, Tree};
use crate::wrapper::{Extra, wrapper_text};

/// Runs a command to its end; its standard output. What a failing one said is in the error.
pub fn run(command: &mut Command, remedy: &str) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let o = command.output().with_context(|| format!("cannot run {program}; remedy: {remedy}"))?;
    if o.status.success() {
        return Ok(String::from_utf8_lossy(&o.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&o.stderr);
    let last: Vec<&str> = said.lines().rev().take(15).collect();
    bail!("{program}: {}:\n{}", o.status, last.into_iter().rev().collect::<Vec<_>>().join("\n"))
}

/// Makes something unless it was made before with the same key, which then stands in the file `stamp`.
pub fn once(stamp: &Path, key: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
    if std::fs::read_to_string(stamp).is_ok_and(|old| old == key) {
        return Ok(());
    }
    let _ = std::fs::remove_file(stamp);
    make()?;
    std::fs::write(stamp, key).with_context(|| format!("cannot write {}", stamp.display()))
}

/// A number that changes with the files' contents and the texts.
pub fn fingerprint(files: &[PathBuf], texts: &[&str]) -> Result<String> {
    let mut h = DefaultHasher::new();
    for f in files {
        std::fs::read(f).with_context(|| format!("cannot read {}", f.display()))?.hash(&mut h);
    }
    texts.hash(&mut h);
    Ok(format!("{:016x}", h.finish()))
}

/// Lines of an earlier session, kept in a file that begins with the key of what they depend on.
pub fn earlier(path: &Path, key: &str) -> Result<(Vec<String>, std::fs::File)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = &text[..text.rfind('\n').map_or(0, |i| i + 1)];
    let mut lines = whole.lines();
    let known: Vec<String> =
        if lines.next() == Some(key) { lines.map(String::from).collect() } else { Vec::new() };
    let mut file = std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(file, "{key}")?;
    for l in &known {
        writeln!(file, "{l}")?;
    }
    Ok((known, file))
}

/// The RTL sources and scripts that a netlist depends on.
pub fn sources() -> Result<Vec<PathBuf>> {
    let root = home::root()?;
    let mut all = vec![root.join("scripts/instrument.py"), root.join("scripts/synth.py")];
    for dir in ["rtl", "tb"] {
        let entries = std::fs::read_dir(root.join(dir)).with_context(|| format!("cannot read {dir}"))?;
        for e in entries {
            all.push(e?.path());
        }
    }
    all.retain(|p| p.extension().is_some_and(|e| e == "sv" || e == "py"));
    all.sort();
    Ok(all)
}

/// `scripts/instrument.py WHAT UNIT -P ...`
pub fn instrument(what: &str, build: &Build) -> Result<Command> {
    let mut command = Command::new("python3");
    command.arg(home::root()?.join("scripts/instrument.py")).arg(what).arg(build.unit.module());
    for name in build.unit.parameter_names() {
        let value = build.params.get(name).ok_or_else(|| anyhow!("{name} is no parameter"))?;
        command.arg("-P").arg(format!("{name}={value}"));
    }
    Ok(command)
}

/// What to make a replay program of.
pub enum Design<'a> {
    /// A netlist file, whose module is `<unit>_netlist`, with inputs of its own.
    Netlist(&'a Path, &'a [Extra]),
    /// The RTL with its checkers, counting coverage; of bits, too, if said so.
    Covered {
        /// Bits are counted.
        toggles: bool,
    },
}

/// The replay program of a design: the one that is kept, or a new one.
pub fn replay_program(build: &Build, design: &Design) -> Result<PathBuf> {
    let root = home::root()?;
    let layout = Layout::new(build.unit, &build.params);
    let unit = build.unit.module();
    let tree = |rtl: &Path| Tree::read(rtl, &root.join("tb"));
    let (mut module, mut extra, mut verilator, mut runtime): (_, &[Extra], &[&str], &[&str]) =
        (unit.to_string(), &[], &[], &[]);
    let (mut netlist, mut rtl) = (String::new(), Tree::default());
    let (what, compiler) = match design {
        Design::Netlist(file, more) => {
            (module, extra) = (format!("{unit}_netlist"), more);
            netlist =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            ("netlist", &["-DVL_USER_FATAL", "-DVM_COVERAGE=0"])
        }
        Design::Covered { toggles } => {
            rtl = tree(&root.join("rtl"))?;
            verilator = if *toggles { &["--coverage"] } else { &["--coverage-line"] };
            runtime = &["verilated_cov.cpp"];
            ("coverage", &["-DVL_USER_FATAL", "-DVM_COVERAGE=1"])
        }
    };
    let is_netlist = matches!(design, Design::Netlist(..));
    let text = wrapper_text("wrap", &module, !is_netlist, build, &layout, extra);
    let extra_words = extra.last().map_or(0, |e| (e.bit + e.width).div_ceil(32));
    let code = format!(
        "#include \"replay.h\"\nint main(int argc, char** argv) {{\n  return quell::main_of<quell::Device<Vtop, {}, {}, {}, {extra_words}>>(argc, argv);\n}}\n",
        layout.in_words, layout.out_words, layout.state_words
    );
    let design = verilate::Design {
        title: format!("{what} of {}", build.title()),
        of: Value::Null,
        top: ("wrap", &text),
        sources: if is_netlist { Sources::Netlist(&netlist) } else { Sources::Checked(&rtl) },
        blocks: &[],
        verilator,
        compiler,
        runtime,
        code: &code,
        headers: &[("replay.h", include_str!("replay.h"))],
        output: Output::Program,
    };
    Ok(verilate::make(&design, &verilate::store())?.object())
}

/// A running replay program, which answers each line with a line.
pub struct Replay {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Replay {
    /// Starts the program on a file of runs.
    pub fn start(program: &Path, what: &str, runs: &Path, more: &[String]) -> Result<Replay> {
        let mut child = Command::new(program)
            .arg(what)
            .arg(runs)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", program.display()))?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (Some(to), Some(from)) = (to, from) else { bail!("the replay program has no pipes") };
        Ok(Replay { child, to, from: BufReader::new(from) })
    }

    /// Asks a line.
    pub fn ask(&mut self, line: &str) -> Result<String> {
        let answer = self.tell(format!("{line}\n").as_bytes()).and_then(|()| self.line());
        answer.with_context(|| format!("at {line}"))
    }

    /// Writes to it.
    pub fn tell(&mut self, bytes: &[u8]) -> Result<()> {
        match self.to.write_all(bytes).and_then(|()| self.to.flush()) {
            Ok(()) => Ok(()),
            Err(_) => self.ended(),
        }
    }

    /// The next line that it writes.
    pub fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.from.read_line(&mut line)? == 0 {
            self.ended()?;
        }
        Ok(line.trim_end().to_string())
    }

    fn ended(&mut self) -> Result<()> {
        bail!("the replay program ended: {}", self.child.wait()?)
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        // Our own child; it holds nothing that must be saved.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks every question of some replay programs side by side; `answered` is told of each in the order of the answers.
pub fn ask_all(
    program: &Path,
    what: &str,
    runs: &Path,
    more: &[String],
    jobs: usize,
    questions: &[String],
    answered: &(dyn Fn(usize, &str) -> Result<()> + Sync),
) -> Result<()> {
    side_by_side(questions.len(), jobs, &|replay: &mut Option<Replay>, i| {
        let replay = match replay {
            Some(r) => r,
            None => replay.insert(Replay::start(program, what, runs, more)?),
        };
        answered(i, &replay.ask(&questions[i])?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_off_line_is_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("verdicts");
        std::fs::write(&path, "key\n1 survived\n2 outp").unwrap();
        assert_eq!(earlier(&path, "key").unwrap().0, ["1 survived"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "key\n1 survived\n");
        assert!(earlier(&path, "another").unwrap().0.is_empty());
    }
}
