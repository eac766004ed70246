//! What a result depends on besides its command: the program, the sources that it reads, the tools that it calls.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::home::{self, hex};

/// What commands read below the root. What is not there is not read.
const READ: &[&str] = &["rtl", "tb", "scripts", "tech", "constraints", "tests/corpus", "src/model"];

/// Part of every key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MadeOf {
    /// SHA-256 of the executable.
    pub program: String,
    /// SHA-256 of names and contents of the sources.
    pub sources: String,
    /// Verilator and the Python packages of `.venv`, with versions.
    pub tools: Vec<String>,
}

/// The quell of now.
pub struct Now {
    /// What it is made of.
    pub of: MadeOf,
    /// The executable.
    pub exe: PathBuf,
    /// The root of its sources.
    pub root: PathBuf,
    stamps: Vec<Stamp>,
}

/// A file changes, and with it this.
type Stamp = (PathBuf, u64, Option<SystemTime>);

impl Now {
    /// Reads program and sources.
    pub fn read() -> Result<Now> {
        let exe = std::env::current_exe().context("the program's own file")?;
        let root = std::path::absolute(home::root()?)?;
        let stamps = stamps(&exe, &root)?;
        let read =
            |path: &Path| std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let mut hash = Sha256::new();
        for (path, ..) in &stamps[1..] {
            let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy();
            for part in [name.as_bytes(), &read(path)?] {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
        let of = MadeOf {
            program: hex(&Sha256::digest(read(&exe)?)),
            sources: hex(&hash.finalize()),
            tools: tools(&root),
        };
        let now = Now { of, exe, root, stamps };
        now.unchanged()?;
        Ok(now)
    }

    /// An error if program or sources have changed since they were read: a result would be kept under a key that is not its.
    pub fn unchanged(&self) -> Result<()> {
        let stamps = stamps(&self.exe, &self.root)?;
        let differs = stamps.iter().find(|s| !self.stamps.contains(s));
        let gone = || self.stamps.iter().find(|s| !stamps.contains(s));
        if stamps != self.stamps {
            let what = differs.or_else(gone).map_or(&self.root, |s| &s.0);
            bail!(
                "{} has changed while the campaign ran, which goes on when it is started again: with other keys; remedy: a copy \
                 of program and sources for campaigns (quell --root carried campaign ... takes the sources in the program)",
                what.display()
            );
        }
        Ok(())
    }
}

fn stamps(exe: &Path, root: &Path) -> Result<Vec<Stamp>> {
    let mut all = Vec::new();
    let stamp = |path: &Path| -> Result<Stamp> {
        let meta = std::fs::metadata(path).with_context(|| path.display().to_string())?;
        Ok((path.into(), meta.len(), meta.modified().ok()))
    };
    all.push(stamp(exe)?);
    let mut folders: Vec<PathBuf> = READ.iter().rev().map(|f| root.join(f)).filter(|f| f.is_dir()).collect();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        let mut paths = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || name == "__pycache__" {
                continue;
            }
            if path.is_dir() { folders.push(path) } else { all.push(stamp(&path)?) }
        }
    }
    Ok(all)
}

/// Names and versions of what makes netlists and models.
fn tools(root: &Path) -> Vec<String> {
    let verilator = Command::new("verilator").arg("--version").stdin(Stdio::null()).output();
    let version = verilator.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string());
    let mut all: Vec<String> = version.into_iter().filter(|v| !v.is_empty()).collect();
    let folders = |path: PathBuf| std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut packages: Vec<String> = folders(root.join(".venv/lib"))
        .flat_map(|python| folders(python.path().join("site-packages")))
        .filter_map(|e| Some(e.file_name().to_string_lossy().strip_suffix(".dist-info")?.to_string()))
        .collect();
    packages.sort();
    all.extend(packages);
    all
}
