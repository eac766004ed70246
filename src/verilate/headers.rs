//! Verilator's headers, compiled before: to read them takes longer than to compile most of the generated files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::design::{COMPILE, Design};
use super::store::Store;
use super::tools::Tools;
use super::work::Work;
use crate::home::hex;

/// The header that every generated file includes first.
const HEADER: &str = "verilated.h";

/// The folders of those that are known to be whole, by store, compiler and arguments.
static KNOWN: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// The arguments with which a compiler takes the compiled headers. They come before all others.
pub(super) fn compiled(design: &Design, store: &Store, tools: &Tools, level: &str) -> Result<Vec<String>> {
    let flags: Vec<&str> =
        COMPILE.into_iter().chain([level]).chain(design.compiler.iter().copied()).collect();
    let id = format!("{} {} {flags:?}", store.folder().display(), tools.compiler);
    let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = lock().get(&id).cloned();
    let folder = match known {
        Some(folder) => folder,
        None => {
            let folder = kept(&flags, store, tools)?;
            lock().insert(id, folder.clone());
            folder
        }
    };
    let header = folder.join(HEADER).to_string_lossy().into_owned();
    // The store's key says that text and arguments are the same; clang would compare times and paths.
    let clang = tools.compiler_version.contains("clang");
    let trust = if clang { &["-Xclang", "-fno-validate-pch"][..] } else { &[] };
    Ok(trust.iter().map(|a| a.to_string()).chain(["-include".to_string(), header]).collect())
}

/// The folder with the compiled headers. Its key is of the text that the preprocessor makes of them, system headers too.
fn kept(flags: &[&str], store: &Store, tools: &Tools) -> Result<PathBuf> {
    let compile = |work: &Work, what: &str, to: &Path| -> Result<()> {
        let mut cc = tools.run_compiler();
        // `print.h` is not in it: it has another path in every folder.
        let mut flags =
            flags.iter().copied().filter(|f| *f != "print.h" && *f != "-include").collect::<Vec<_>>();
        flags.extend(["-x", "c++-header"]);
        cc.args(flags).arg("-I").arg(&tools.include).arg("-I").arg(tools.include.join("vltstd"));
        if !what.is_empty() {
            cc.arg(what);
        }
        cc.arg(tools.include.join(HEADER)).arg("-o").arg(to);
        work.run(cc, "the C++ compiler")
    };
    let temp = tempfile::tempdir().context("a folder for the text of Verilator's headers")?;
    let text = temp.path().join("text");
    compile(&Work::new(tools, temp.path(), temp.path()), "-E", &text)?;
    let mut hash = Sha256::new();
    for part in flags.iter().copied().chain([HEADER, &tools.verilator_version, &tools.compiler_version]) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(std::fs::read(&text).with_context(|| format!("cannot read {}", text.display()))?);
    let key = hex(&hash.finalize()[..16]);
    let kept = store.get(&key, "Verilator's headers", &json!({}), &|| (), &|folder| {
        let work = Work::new(tools, folder, folder);
        // For a compiler that does not look beside it.
        work.write(HEADER, &format!("#include <{HEADER}>\n"))?;
        compile(&work, "", Path::new("verilated.h.gch"))?;
        Ok("verilated.h.gch")
    })?;
    Ok(kept.folder)
}
