//! The files of a design: which they are, and the copies from which a model is made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::words::proposal;

/// Files that Verilator is to read, in this order, and its arguments for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listed {
    pub files: Vec<PathBuf>,
    /// Folders in which included files are looked for.
    pub include: Vec<PathBuf>,
    /// Folders in which modules are looked for by name.
    pub library: Vec<PathBuf>,
    /// Other arguments.
    pub plain: Vec<String>,
}

/// The text of a design's files, by the names of their copies.
#[derive(Clone, Debug)]
pub struct Copies {
    /// Name of the copy and text.
    pub files: Vec<(String, String)>,
    /// Verilator's arguments for them, the files to be read among them.
    pub arguments: Vec<String>,
    /// The folder of the originals.
    folder: PathBuf,
}

/// Where the copies are in the folder in which Verilator works.
const COPIES: &str = "dut";

impl Copies {
    /// A text with the names of the originals in the place of those of the copies.
    pub(super) fn with_own_names(&self, text: &str) -> String {
        let own = self.folder.display().to_string();
        text.replace(&format!("{COPIES}/"), &format!("{}/", own.trim_end_matches('/')))
    }
}

/// The files of a folder, of a list, or one file.
pub(super) fn list(path: &Path, top: &str) -> Result<Listed> {
    let listed = listed(path, top)?;
    let all = listed.files.iter().chain(&listed.include).chain(&listed.library);
    if let Some(bad) = all.into_iter().find(|p| p.to_str().is_none()) {
        bail!("--dut: {}: the name is not UTF-8, and Verilator cannot be given such names", bad.display());
    }
    Ok(listed)
}

fn listed(path: &Path, top: &str) -> Result<Listed> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if path.is_dir() {
        folder(path, top)
    } else if ["v", "sv"].contains(&extension) {
        Ok(Listed { files: vec![absolute(path).context("--dut")?], ..Listed::default() })
    } else {
        let mut listed = Listed::default();
        let mut seen = BTreeSet::new();
        file_list(&absolute(path).context("--dut")?, &mut listed, &mut seen)?;
        if listed.files.is_empty() {
            bail!("--dut {}: the list names no file", path.display());
        }
        Ok(listed)
    }
}

/// A list of files as simulators take it: files, `+incdir+`, `+define+`, `-y`, `-f`; paths are relative to the list.
fn file_list(path: &Path, listed: &mut Listed, seen: &mut BTreeSet<PathBuf>) -> Result<()> {
    if !seen.insert(path.into()) {
        bail!("{}: the list includes itself", path.display());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let home = path.parent().unwrap_or(Path::new("."));
    for (i, line) in text.lines().enumerate() {
        let at = || format!("{}:{}", path.display(), i + 1);
        let line = line.split("//").next().unwrap_or_default();
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            let there = |p: &str| absolute(&home.join(p)).with_context(at);
            let mut next = || words.next().with_context(|| format!("{}: {word} wants a path", at()));
            match word {
                "-f" | "-F" => file_list(&there(next()?)?, listed, seen)?,
                "-y" => listed.library.push(there(next()?)?),
                "-v" => listed.files.push(there(next()?)?),
                _ if word.starts_with("+incdir+") => {
                    for dir in word.split('+').skip(2).filter(|d| !d.is_empty()) {
                        listed.include.push(there(dir)?);
                    }
                }
                _ if word.starts_with("+define+") => listed.plain.push(word.into()),
                _ if word.starts_with(['+', '-']) => bail!(
                    "{}: {word} is not known: a list may have files, +incdir+DIR, +define+NAME=VALUE, -y DIR, -v FILE, -f LIST",
                    at()
                ),
                _ => listed.files.push(there(word)?),
            }
        }
    }
    seen.remove(path);
    Ok(())
}

/// What of a folder the top module needs: the files of the modules and packages that it names, and of those that they name.
fn folder(path: &Path, top: &str) -> Result<Listed> {
    let home = absolute(path).context("--dut")?;
    let (mut files, mut include) = (Vec::new(), BTreeSet::new());
    walk(&home, &mut files, &mut include)?;
    files.sort();
    let mut texts = BTreeMap::new();
    let mut modules: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in files {
        let text = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = code_of(&String::from_utf8_lossy(&text));
        for name in declared(&text) {
            modules.entry(name).or_insert_with(|| file.clone());
        }
        texts.insert(file, text);
    }
    let Some(first) = modules.get(top) else {
        bail!("{}", nowhere(top, &format!("file of {}", path.display()), modules.keys()));
    };
    let mut listed = Listed { include: include.into_iter().collect(), ..Listed::default() };
    let mut seen = BTreeSet::new();
    needed(first, &texts, &modules, &mut seen, &mut listed.files);
    Ok(listed)
}

/// Adds a file after those that it needs: packages must be read first.
fn needed(
    file: &Path,
    texts: &BTreeMap<PathBuf, String>,
    modules: &BTreeMap<String, PathBuf>,
    seen: &mut BTreeSet<PathBuf>,
    found: &mut Vec<PathBuf>,
) {
    if !seen.insert(file.into()) {
        return;
    }
    for word in words(&texts[file]) {
        if let Some(other) = modules.get(word) {
            needed(other, texts, modules, seen, found);
        }
    }
    found.push(file.into());
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>, include: &mut BTreeSet<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if hidden || path.is_symlink() && path.is_dir() {
            continue;
        } else if path.is_dir() {
            walk(&path, files, include)?;
        } else if ["v", "sv"].contains(&extension) {
            files.push(path);
            include.insert(folder.into());
        } else if ["vh", "svh"].contains(&extension) {
            include.insert(folder.into());
        }
    }
    Ok(())
}

/// The text with blanks in the place of comments and strings.
fn code_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        out.push_str(&rest[..at]);
        let bytes = &rest.as_bytes()[at..];
        let end = match (bytes[0], bytes.get(1)) {
            (b'"', _) => at + 1 + string(&bytes[1..]),
            (_, Some(b'/')) => rest[at..].find('\n').map_or(rest.len(), |n| at + n),
            (_, Some(b'*')) => rest[at + 2..].find("*/").map_or(rest.len(), |n| at + 2 + n + 2),
            _ => {
                out.push('/');
                rest = &rest[at + 1..];
                continue;
            }
        };
        out.push(' ');
        rest = &rest[end..];
    }
    out + rest
}

/// Bytes until a string has ended, with its end.
fn string(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).filter(|w| !w.is_empty())
}

/// The modules, packages and interfaces that a text declares.
fn declared(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut words = words(text);
    while let Some(word) = words.next() {
        if !["module", "package", "interface", "macromodule", "primitive"].contains(&word) {
            continue;
        }
        let name = words.find(|w| !["automatic", "static"].contains(w));
        found.extend(name.map(String::from));
    }
    found
}

/// What a person is told whose top module is in no such file; these names are there.
fn nowhere<'a>(top: &str, file: &str, names: impl Iterator<Item = &'a String>) -> String {
    format!("--top {top}: no {file} has a module of this name{}", proposal(top, names.map(String::as_str)))
}

impl Listed {
    /// What a person is told whose top module is in none of these files.
    pub(super) fn without(&self, top: &str) -> String {
        let texts = self.files.iter().filter_map(|f| std::fs::read(f).ok());
        let names: Vec<String> =
            texts.flat_map(|t| declared(&code_of(&String::from_utf8_lossy(&t)))).collect();
        nowhere(top, "file", names.iter())
    }

    /// Verilator's arguments, with the originals.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut args = self.plain.clone();
        args.extend(self.include.iter().map(|d| format!("+incdir+{}", d.display())));
        args.extend(self.library.iter().flat_map(|d| ["-y".into(), d.display().to_string()]));
        args.extend(self.files.iter().map(|f| f.display().to_string()));
        args
    }

    /// Copies of all that Verilator has read.
    pub(super) fn copies(&self, read: &[PathBuf], defines: &[String]) -> Result<Copies> {
        let mut all: BTreeSet<PathBuf> = self.files.iter().cloned().collect();
        for file in read {
            all.insert(absolute(file)?);
        }
        let folders = all.iter().filter_map(|f| f.parent()).chain(self.include.iter().map(PathBuf::as_path));
        let Some(folder) =
            folders.chain(self.library.iter().map(PathBuf::as_path)).map(PathBuf::from).reduce(common)
        else {
            bail!("the design has no file");
        };
        let copy = |path: &Path| {
            let below = path.strip_prefix(&folder).unwrap_or(path);
            Path::new(COPIES).join(below).to_string_lossy().trim_end_matches('/').to_string()
        };
        let mut files = Vec::new();
        for file in &all {
            let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            files.push((copy(file), String::from_utf8_lossy(&text).into_owned()));
        }
        let mut arguments = self.plain.clone();
        arguments.extend(defines.iter().map(|d| format!("+define+{d}")));
        arguments.extend(self.include.iter().map(|d| format!("+incdir+{}", copy(d))));
        arguments.extend(self.library.iter().flat_map(|d| ["-y".into(), copy(d)]));
        arguments.extend(self.files.iter().map(|f| copy(f)));
        Ok(Copies { files, arguments, folder })
    }
}

/// The innermost folder in which both are.
fn common(a: PathBuf, b: PathBuf) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

/// An absolute path without `.` and `..`.
pub(super) fn absolute(path: &Path) -> Result<PathBuf> {
    std::fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_folder_only_what_the_top_needs_is_read_packages_first() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a.v", "/* module no; */ module top; // testbench\n leaf u(); endmodule");
        write("sub/all.sv", "module leaf import z_pkg::*; (); endmodule");
        // (What a string says names nothing.)
        write("sub/z.sv", "package automatic z_pkg; string s = \"leaf // \\\" top\"; endpackage");
        write("testbench.v", "module testbench; top u(); endmodule");
        let listed = list(dir.path(), "top").unwrap();
        let names: Vec<_> =
            listed.files.iter().map(|f| f.file_name().unwrap().to_str().unwrap().to_string()).collect();
        assert_eq!(names, ["z.sv", "all.sv", "a.v"]);
        // (A name that cannot be told to Verilator.)
        use std::os::unix::ffi::OsStrExt as _;
        let odd = dir.path().join(std::ffi::OsStr::from_bytes(b"odd\xff.v"));
        std::fs::write(&odd, "module odd; endmodule").unwrap();
        for path in [dir.path(), &odd] {
            let error = list(path, "odd").unwrap_err().to_string();
            assert!(error.contains("the name is not UTF-8"), "{error}");
        }
        let error = list(dir.path(), "topp").unwrap_err().to_string();
        assert!(error.contains("no file of") && error.contains("did you mean top?"), "{error}");

        let copies = listed.copies(&[], &["A=1".into()]).unwrap();
        let names: Vec<&str> = copies.files.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(names, ["dut/a.v", "dut/sub/all.sv", "dut/sub/z.sv"]);
        assert_eq!(
            copies.arguments[..4],
            ["+define+A=1", "+incdir+dut", "+incdir+dut/sub", "dut/sub/z.sv"].map(String::from)
        );
        let own = copies.with_own_names("%Error: dut/sub/z.sv:3: x");
        assert!(own.contains(&format!("{}/sub/z.sv:3", absolute(dir.path()).unwrap().display())), "{own}");
    }

    #[test]
    fn a_list_of_files_is_read_as_simulators_do() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("inc")).unwrap();
        for (name, text) in [
            ("a.v", ""),
            ("b.v", ""),
            ("c.f", "b.v # more\n"),
            ("x.f", "// all\n+incdir+inc +define+N=2\na.v\n-f c.f\n"),
        ] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let listed = list(&dir.path().join("x.f"), "top").unwrap();
        assert_eq!((listed.files.len(), listed.include.len()), (2, 1));
        assert_eq!(listed.plain, ["+define+N=2"]);
        for (text, says) in [
            ("--cc a.v", "x.f:1: --cc is not known: a list may have"),
            ("\nno.v", "x.f:2"),
            ("-y", "x.f:1: -y wants a path"),
            ("-f x.f", "the list includes itself"),
            ("// a.v", "the list names no file"),
        ] {
            std::fs::write(dir.path().join("x.f"), text).unwrap();
            let error = format!("{:#}", list(&dir.path().join("x.f"), "top").unwrap_err());
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
