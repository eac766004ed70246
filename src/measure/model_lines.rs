//! Which lines of the golden model the runs of [`super::coverage`] reach, by rustc's own instrumentation.
//!
//! A second `quell`, built with `-C instrument-coverage`, plays the same runs; its counters are read with `llvm_profparser`, so
//! that LLVM's tools need not be there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use llvm_profparser::{CoverageMapping, merge_profiles};
use serde::Serialize;

use super::tools;
use super::vectors::Player;
use crate::params::{Build, UnitKind};

/// A file of the golden model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct File {
    /// Its path below `src/model/`.
    pub file: String,
    /// Lines that code was made of.
    pub lines: usize,
    /// Those that no run reached.
    pub missed: Vec<usize>,
}

/// What a counter is about: first and last line, last column, and how often it was reached.
type Region = (usize, usize, usize, usize);

/// Measures the builds together, and gives the files of their units and those that all units share. The program is built in `dir`.
pub fn run(
    builds: &[Build],
    cycles: u64,
    seed: u64,
    dir: &Path,
    progress: &dyn Fn(&str, u64, u64),
) -> Result<Vec<File>> {
    let home = dir.join("golden");
    std::fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    let home = home.canonicalize().with_context(|| format!("cannot find {}", home.display()))?;
    progress("building the golden model with counters", 0, builds.len() as u64);
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(crate::home::root()?).args(["build", "--release", "--locked", "--no-default-features"]);
    cargo.args(["--features", "cli", "--bin", "quell", "--target-dir"]).arg(home.join("target"));
    cargo.env("RUSTFLAGS", "-C instrument-coverage");
    // It plays less than it is compiled.
    cargo.args(["--config", "profile.release.package.\"*\".opt-level=0"]);
    cargo.envs([("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"), ("CARGO_PROFILE_RELEASE_LTO", "off")]);
    cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    // Build scripts and macros have counters, too, and would leave them where they run: in the sources.
    cargo.env("LLVM_PROFILE_FILE", home.join("build.profraw"));
    tools::run(&mut cargo, "look at its message")?;
    let program = home.join("target/release/quell");
    let mut profiles = Vec::new();
    for (i, b) in builds.iter().enumerate() {
        let name = b.title();
        progress(&format!("golden model of {name}"), i as u64, builds.len() as u64);
        let profile = home.join(format!("{}.profraw", b.folder()));
        let mut command = Command::new(&program);
        command.args(["coverage", b.unit.cli_name(), "--build", b.name, "--play-only"]);
        for (name, value) in b.others() {
            command.args(["-P", &format!("{name}={value}")]);
        }
        command.args(["--cycles", &cycles.to_string(), "--seed", &seed.to_string()]);
        command.env("LLVM_PROFILE_FILE", &profile);
        tools::run(&mut command, "look at its message").with_context(|| name)?;
        profiles.push(profile);
    }
    let units: Vec<UnitKind> = builds.iter().map(|b| b.unit).collect();
    read(&program, &profiles, &units)
}

/// Plays the runs of a build on the golden model: what the program with counters does.
pub fn play(build: &Build, cycles: u64, seed: u64) -> Result<()> {
    let player = Player::new(build);
    for j in super::runs(build, cycles, seed)? {
        player.play(&mut *(j.source)(j.seed), j.cycles, &mut |_, _| Ok(()))?;
    }
    Ok(())
}

/// Reads the counters of these profiles of a program.
fn read(program: &Path, profiles: &[PathBuf], units: &[UnitKind]) -> Result<Vec<File>> {
    let counts = merge_profiles(profiles).with_context(|| format!("cannot read {profiles:?}"))?;
    let objects = [program.to_path_buf()];
    let bad = |e| anyhow!("cannot read the counters of {}: {e}", program.display());
    let mapping = CoverageMapping::new(&objects, &counts, false).map_err(bad)?;
    let root = crate::home::root()?.join("src/model");
    let wanted = |path: &Path| {
        let below = path.strip_prefix(&root).ok()?;
        let unit = below.parent()?.iter().next();
        let is = |u: &UnitKind| unit.is_some_and(|f| *f == *u.cli_name().replace('-', "_"));
        (unit.is_none() || units.iter().any(is)).then(|| below.to_string_lossy().into_owned())
    };
    let report =
        mapping.generate_subreport(|paths| paths.iter().any(|p| wanted(p).is_some())).map_err(bad)?;
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    for (path, counts) in &report.files {
        let Some(file) = wanted(path) else { continue };
        let regions: Vec<Region> =
            counts.hits.iter().map(|(at, n)| (at.line_start, at.line_end, at.column_end, *n)).collect();
        let (lines, missed) = of_regions(&regions);
        files.insert(file.clone(), File { file, lines, missed });
    }
    Ok(files.into_values().collect())
}

/// How many lines there are, and those that were not reached: of the regions that have a line the smallest counts.
fn of_regions(regions: &[Region]) -> (usize, Vec<usize>) {
    let last = regions.iter().map(|r| r.1).max().unwrap_or(0);
    let counts = (1..=last).filter_map(|line| {
        let here = regions.iter().filter(|r| (r.0..=r.1).contains(&line));
        here.min_by_key(|r| (r.1 - r.0, r.2)).map(|r| (line, r.3))
    });
    let counts: Vec<(usize, usize)> = counts.collect();
    (counts.len(), counts.iter().filter(|c| c.1 == 0).map(|c| c.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_region_of_a_line_counts() {
        // A function, a block in it that was not reached, and another function.
        assert_eq!(of_regions(&[(1, 9, 2, 5), (3, 5, 6, 0), (12, 13, 2, 0)]), (11, vec![3, 4, 5, 12, 13]));
        assert_eq!(of_regions(&[]), (0, vec![]));
    }
}
