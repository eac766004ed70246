//! From a design to an object.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, anyhow};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::design::{CLASS, COMPILE, Design, FACTORY, FAST, Output, SLOW, key};
use super::headers;
use super::progress::{Step, told};
use super::store::{Found, Kept, Store};
use super::tools::Tools;
use super::work::Work;
use crate::home::hex;
use crate::jobs::{processors, side_by_side};

/// The generated C++ is compiled in pieces of about so many bytes, which are many enough for all processors and few enough to
/// read Verilator's headers seldom.
const PIECE: usize = 1_500_000;

/// The object of a design: the one that the store keeps, or a new one.
pub fn make(design: &Design, store: &Store) -> Result<Kept> {
    let tools = Tools::find()?;
    let key = key(design, tools);
    match store.find(&key) {
        Found::Whole(kept) => return Ok(kept),
        Found::Damaged(_) => told(&design.title, Step::Damaged),
        Found::Nothing => {}
    }
    let wait = || told(&design.title, Step::Waiting);
    let made =
        store.get(&key, &design.title, &design.of, &wait, &|folder| built(design, store, tools, folder));
    told(&design.title, if made.is_ok() { Step::Made } else { Step::Failed });
    made
}

/// Makes the object in a folder.
fn built(design: &Design, store: &Store, tools: &Tools, folder: &Path) -> Result<&'static str> {
    let runtime = runtime(design, store, tools)?;
    let work = Work::new(tools, &folder.join("work"), folder);
    for (name, text) in &design.files() {
        work.write(name, text)?;
    }
    for (name, text) in design.headers() {
        work.write(name, text)?;
    }
    told(&design.title, Step::Verilating);
    let mut pieces = Vec::new();
    for folder in verilated(design, tools, &work)? {
        pieces.extend(self::pieces(&work.folder, &folder)?);
    }
    // What is optimised takes about four times as long; the longest first.
    pieces.sort_by_key(|p| std::cmp::Reverse(p.bytes * if p.level == FAST { 4 } else { 1 }));
    let (fast, slow) = std::thread::scope(|s| {
        let slow = s.spawn(|| headers::compiled(design, store, tools, SLOW));
        let fast = headers::compiled(design, store, tools, FAST);
        (fast, slow.join().unwrap_or_else(|_| Err(anyhow!("the compilation of headers panicked"))))
    });
    let (fast, slow) = (fast?, slow?);
    let code = format!("#include \"cpp/{CLASS}.h\"\n{}", design.code);
    pieces.push(Piece { name: "code.cpp".into(), text: code, bytes: 0, level: FAST });
    let done = AtomicUsize::new(0);
    told(&design.title, Step::Compiling(0, pieces.len()));
    side_by_side(pieces.len(), processors(), &|_: &mut Option<()>, i| {
        let piece = &pieces[i];
        work.write(&piece.name, &piece.text)?;
        work.compile(
            design,
            &piece.name,
            &piece.name,
            piece.level,
            if piece.level == FAST { &fast } else { &slow },
        )?;
        told(&design.title, Step::Compiling(done.fetch_add(1, Ordering::Relaxed) + 1, pieces.len()));
        Ok(())
    })?;

    let object = design.output.file();
    let mut link = tools.run_compiler();
    if design.output == Output::Shared {
        // Its functions are its own: no other object's take their place, and nobody sees them.
        work.write("exports", &format!("{{ global: {FACTORY}; local: *; }};\n"))?;
        link.args(["-shared", "-Wl,-Bsymbolic", "-Wl,--version-script=exports"]);
    }
    link.args(pieces.iter().map(|p| format!("{}.o", p.name))).args(&runtime);
    // clang calls __atomic_is_lock_free where g++ decides while compiling.
    link.args(["-pthread", "-latomic", "-o"]).arg(Path::new("..").join(object));
    work.run(link, "the linker")?;
    std::fs::remove_dir_all(&work.folder)
        .with_context(|| format!("cannot remove {}", work.folder.display()))?;
    Ok(object)
}

/// Has Verilator make C++ of a design; the folders with it.
fn verilated(design: &Design, tools: &Tools, work: &Work) -> Result<Vec<String>> {
    let mut verilator = tools.run_verilator();
    verilator.args(design.verilate(&design.files()));
    if design.blocks.is_empty() {
        work.run(verilator, "Verilator")?;
        return Ok(vec!["cpp".into()]);
    }
    // Verilator writes files of arguments, one for each block and one for the rest, and has `make` run them. We do that ourselves.
    verilator.env("MAKE", "true");
    work.run(verilator, "Verilator")?;
    let plan = work.folder.join("cpp");
    let mut blocks = Vec::new();
    for e in std::fs::read_dir(&plan).with_context(|| format!("cannot read {}", plan.display()))? {
        let name = e?.file_name().to_string_lossy().into_owned();
        blocks.extend(name.strip_suffix("_hierMkArgs.f").filter(|n| *n != CLASS).map(String::from));
    }
    blocks.sort();
    let top = format!("{}.sv", design.top.0);
    let run = |name: &str| -> Result<()> {
        let file = plan.join(format!("{name}_hierMkArgs.f"));
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        // A block needs nothing of what is around it.
        let without = if name == CLASS { "" } else { &top };
        work.write(&format!("{name}.f"), &arguments(&text, without))?;
        let mut verilator = tools.run_verilator();
        verilator.arg("-f").arg(format!("{name}.f"));
        work.run(verilator, "Verilator")
    };
    side_by_side(blocks.len(), processors(), &|_: &mut Option<()>, i| run(&blocks[i]))?;
    run(CLASS)?;
    Ok(blocks.iter().map(|b| format!("cpp/{b}")).chain(["cpp".to_string()]).collect())
}

/// A file of arguments without one of them, and with the packages before all else: Verilator puts a block's module first.
fn arguments(text: &str, without: &str) -> String {
    let lines = text.lines().filter(|l| l.trim() != without);
    let (packages, rest): (Vec<&str>, Vec<&str>) = lines.partition(|l| l.trim().ends_with("_pkg.sv"));
    packages.into_iter().chain(rest).map(|l| format!("{l}\n")).collect()
}

/// A file of generated C++, or several.
struct Piece {
    name: String,
    text: String,
    bytes: usize,
    level: &'static str,
}

/// Puts the generated files together to pieces of about one size.
fn pieces(home: &Path, folder: &str) -> Result<Vec<Piece>> {
    let mut files: Vec<(String, usize)> = Vec::new();
    let path = home.join(folder);
    for e in std::fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
        let e = e?;
        let name = e.file_name().to_string_lossy().into_owned();
        if name.ends_with(".cpp") {
            files.push((name, e.metadata()?.len() as usize));
        }
    }
    files.sort();
    let mut pieces: Vec<Piece> = Vec::new();
    for (level, slow) in [(FAST, false), (SLOW, true)] {
        let of: Vec<_> =
            files.iter().filter(|f| (f.0.contains("Slow") || f.0.contains("Syms")) == slow).collect();
        let bytes: usize = of.iter().map(|f| f.1).sum();
        let size = bytes.div_ceil(bytes.div_ceil(PIECE).max(processors()));
        let first = pieces.len();
        for (name, bytes) in of {
            if pieces.len() == first || pieces.last().is_some_and(|p| p.bytes + bytes / 2 > size) {
                let kind = if slow { "slow" } else { "fast" };
                let name = format!("{}_{kind}{}.cpp", folder.replace('/', "_"), pieces.len() - first);
                pieces.push(Piece { name, text: String::new(), bytes: 0, level });
            }
            if let Some(p) = pieces.last_mut() {
                p.text += &format!("#include \"{folder}/{name}\"\n");
                p.bytes += bytes;
            }
        }
    }
    Ok(pieces)
}

/// The objects of Verilator's runtime, which designs that are compiled alike share.
fn runtime(design: &Design, store: &Store, tools: &Tools) -> Result<Vec<PathBuf>> {
    let files = design.runtime();
    let mut hash = Sha256::new();
    let args =
        COMPILE.into_iter().chain([FAST]).chain(design.compiler.iter().copied()).chain(files.iter().copied());
    let texts = [tools.verilator_version.as_str(), &tools.compiler_version, include_str!("cpp/print.h")];
    for part in args.chain(texts) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let key = hex(&hash.finalize()[..16]);
    let kept = store.get(&key, "Verilator's runtime", &json!({}), &|| (), &|folder| {
        let work = Work::new(tools, folder, folder);
        work.write("print.h", include_str!("cpp/print.h"))?;
        side_by_side(files.len(), processors(), &|_: &mut Option<()>, i| {
            work.compile(design, &tools.include.join(files[i]).to_string_lossy(), files[i], FAST, &[])
        })?;
        // One file, so that the store's sum is of all of them.
        let mut join = tools.run_compiler();
        join.args(["-r", "-nostdlib", "-o", "runtime.o"]).args(files.iter().map(|f| format!("{f}.o")));
        work.run(join, "the linker")?;
        Ok("runtime.o")
    })?;
    Ok(vec![kept.object()])
}
