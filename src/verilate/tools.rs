//! Verilator and the C++ compiler.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Result, anyhow, bail};

const VERILATOR: &str = "remedy: ./setup installs it (Debian 12, Ubuntu 24.04 or newer: apt-get install verilator); \
    VERILATOR=/path/to/verilator chooses another one";
const COMPILER: &str =
    "remedy: ./setup installs clang (or apt-get install clang); CXX=/path/to/c++ chooses another one";

/// The programs that make models.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Verilator's command.
    pub verilator: String,
    /// What it says of itself.
    pub verilator_version: String,
    /// Verilator's runtime.
    pub include: PathBuf,
    /// The C++ compiler's command.
    pub compiler: String,
    /// What it says of itself.
    pub compiler_version: String,
    /// A memory allocator that both run with.
    allocator: Option<PathBuf>,
}

impl Tools {
    /// Finds them, once. The error names what is missing and the remedy.
    pub fn find() -> Result<&'static Tools> {
        static FOUND: OnceLock<Result<Tools, String>> = OnceLock::new();
        let found = FOUND.get_or_init(|| search().map_err(|e| format!("{e:#}")));
        found.as_ref().map_err(|e| anyhow!("{e}"))
    }

    /// Verilator, to be given its arguments.
    pub fn run_verilator(&self) -> Command {
        self.run(&self.verilator)
    }

    /// The C++ compiler, to be given its arguments.
    pub fn run_compiler(&self) -> Command {
        self.run(&self.compiler)
    }

    fn run(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        if let Some(allocator) = &self.allocator {
            command.env(PRELOAD, allocator);
        }
        command
    }
}

const PRELOAD: &str = "LD_PRELOAD";

/// jemalloc, where Debian and Ubuntu install it: with it Verilator takes 0.55 of the time that it takes with the C library's allocator,
/// and the compiler 0.9. None if the user has something preloaded.
fn find_allocator() -> Option<PathBuf> {
    let path = format!("/usr/lib/{}-linux-gnu/libjemalloc.so.2", std::env::consts::ARCH);
    Some(PathBuf::from(path)).filter(|p| std::env::var_os(PRELOAD).is_none() && p.is_file())
}

/// The first line of what a program says to some arguments.
fn says(program: &str, args: &[&str]) -> Option<String> {
    let o = Command::new(program).args(args).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&o.stdout).lines().next().unwrap_or_default().trim().to_string())
}

fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

fn search() -> Result<Tools> {
    // Three programs of which one is a script: side by side.
    let (verilator, compiler) = std::thread::scope(|s| {
        let compiler = s.spawn(find_compiler);
        let verilator = find_verilator();
        (verilator, compiler.join().unwrap_or_else(|_| Err(anyhow!("the search for a compiler panicked"))))
    });
    let (verilator, verilator_version, include) = verilator?;
    let (compiler, compiler_version) = compiler?;
    let allocator = find_allocator();
    Ok(Tools { verilator, verilator_version, include, compiler, compiler_version, allocator })
}

fn find_verilator() -> Result<(String, String, PathBuf)> {
    let candidates = match set("VERILATOR") {
        Some(v) => vec![v],
        None => vec!["verilator".to_string(), "verilator_bin".to_string()],
    };
    let Some((program, version)) =
        candidates.iter().find_map(|p| Some((p.clone(), says(p, &["--version"])?)))
    else {
        bail!(
            "Verilator 5.006 or newer makes models of the RTL, but `{}` does not run; {VERILATOR}",
            candidates[0]
        );
    };
    // "Verilator 5.006 2023-01-22 rev ...". The build on PyPI prints nothing.
    let number = version.split_whitespace().nth(1).unwrap_or("").to_string();
    let mut parts = number.split('.').map(str::parse::<u32>);
    if let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next())
        && (major, minor) < (5, 6)
    {
        bail!("Verilator 5.006 or newer makes models of the RTL, but `{program}` is {number}; {VERILATOR}");
    }
    let root = says(&program, &["--getenv", "VERILATOR_ROOT"]).filter(|r| !r.is_empty());
    let include = Path::new(&root.or_else(|| set("VERILATOR_ROOT")).unwrap_or_default()).join("include");
    if !include.join("verilated.cpp").is_file() {
        bail!(
            "`{program}` has no runtime: {} is not there; {VERILATOR}",
            include.join("verilated.cpp").display()
        );
    }
    Ok((program, version, include))
}

/// CXX, or clang++ where there is one (a switch runs four times as fast as with g++), or c++.
fn find_compiler() -> Result<(String, String)> {
    let candidates = match set("CXX") {
        Some(c) => vec![c],
        None => vec!["clang++".to_string(), "c++".to_string(), "g++".to_string()],
    };
    let found = candidates.iter().find_map(|p| Some((p.clone(), says(p, &["--version"])?)));
    found.ok_or_else(|| {
        anyhow!("a C++ compiler makes models of the RTL, but `{}` does not run; {COMPILER}", candidates[0])
    })
}
