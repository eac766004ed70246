//! Coverage of the RTL: which lines, branches and bits the regression reaches, over all builds of a unit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::tools::{self, Design};
use super::vectors;
use crate::home;
use crate::params::Build;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PointKind {
    /// A block of statements.
    Line,
    /// A side of a condition.
    Branch,
    /// A bit that goes both ways.
    Toggle,
}

impl PointKind {
    /// All.
    pub const ALL: [PointKind; 3] = [PointKind::Line, PointKind::Branch, PointKind::Toggle];
}

/// A point: where it is and what it is; the same point of all instances and builds counts as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Point {
    /// File of `rtl/`.
    pub file: String,
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
    /// Kind.
    pub kind: PointKind,
    /// Verilator's name of it: `if`, `else`, a signal's bit.
    pub what: String,
}

/// Points that need not be reached, and why.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// File of `rtl/`.
    pub file: String,
    /// Text that the line has.
    pub text: String,
    /// Kind; without it all.
    pub kind: Option<PointKind>,
    /// Start of Verilator's name of it; without it all.
    #[serde(default)]
    pub what: String,
    /// Why.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exclusions {
    #[serde(default)]
    exclude: Vec<Exclusion>,
}

/// The file of exclusions, in the source tree.
pub const EXCLUSIONS: &str = "docs/coverage-exclusions.toml";

/// Reads the exclusions.
pub fn exclusions() -> Result<Vec<Exclusion>> {
    let path = home::root()?.join(EXCLUSIONS);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let list: Exclusions = toml::from_str(&text).with_context(|| path.display().to_string())?;
    if let Some(e) = list.exclude.iter().find(|e| e.reason.trim().is_empty()) {
        bail!("{EXCLUSIONS}: the exclusion of `{}` in {} has no reason", e.text, e.file);
    }
    Ok(list.exclude)
}

/// What a measurement found.
pub struct Outcome {
    /// How often each point was reached.
    pub points: BTreeMap<Point, u64>,
    /// Points excluded: which exclusion.
    pub excluded: BTreeMap<Point, usize>,
    /// The exclusions.
    pub exclusions: Vec<Exclusion>,
    /// Cycles run.
    pub cycles: u64,
}

/// Points reached, of how many, and how many are excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Reached.
    pub reached: usize,
    /// Not excluded.
    pub of: usize,
    /// Excluded, not reached.
    pub excluded: usize,
}

impl Share {
    /// In percent.
    pub fn percent(&self) -> f64 {
        if self.of == 0 { 100.0 } else { 100.0 * self.reached as f64 / self.of as f64 }
    }
}

impl Outcome {
    /// By file (or over all for `None`) and kind.
    pub fn share(&self, file: Option<&str>, kind: PointKind) -> Share {
        let mut s = Share::default();
        for (p, &n) in self.points.iter().filter(|(p, _)| p.kind == kind && file.is_none_or(|f| f == p.file))
        {
            if n > 0 {
                s.reached += 1;
                s.of += 1;
            } else if self.excluded.contains_key(p) {
                s.excluded += 1;
            } else {
                s.of += 1;
            }
        }
        s
    }

    /// The files.
    pub fn files(&self) -> Vec<String> {
        let mut f: Vec<String> = self.points.keys().map(|p| p.file.clone()).collect();
        f.dedup();
        f
    }

    /// Points that are neither reached nor excluded.
    pub fn missed(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|(p, n)| **n == 0 && !self.excluded.contains_key(*p)).map(|(p, _)| p)
    }
}

/// Builds whose names start so count bits that toggle. The others have more of the same bits, and a counter for each makes
/// the largest model take a quarter of an hour to compile.
const TOGGLED: &str = "tiny";

/// Measures the builds together. `progress` is told what is being done, how much of it is done, and of how much.
pub fn run(
    builds: &[Build],
    cycles: u64,
    seed: u64,
    dir: &Path,
    progress: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<Outcome> {
    let mut points = BTreeMap::new();
    let mut total = 0;
    for (i, b) in builds.iter().enumerate() {
        let title = b.title();
        progress(&title, i as u64, builds.len() as u64);
        let folder = dir.join(b.folder()).join("coverage");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let jobs = super::runs(b, cycles, seed)?;
        total += jobs.iter().map(|j| j.cycles).sum::<u64>();
        let (runs, data, stamp) = (folder.join("runs"), folder.join("coverage.dat"), folder.join("stamp"));
        vectors::record(b, &jobs, &runs, &|_| ())?;
        let mut files = tools::sources()?;
        files.push(runs.clone());
        let key = tools::fingerprint(
            &files,
            &[include_str!("replay.h"), include_str!("tools.rs"), include_str!("coverage.rs")],
        )?;
        if !data.is_file() {
            let _ = std::fs::remove_file(&stamp);
        }
        tools::once(&stamp, &key, || {
            let toggles = b.name.starts_with(TOGGLED);
            let program = tools::replay_program(b, &Design::Covered { toggles })?;
            tools::run(Command::new(&program).arg("cover").arg(&runs).arg(&data), "look at its message")
                .with_context(|| title.clone())
                .map(drop)
        })?;
        let bytes = std::fs::read(&data).with_context(|| format!("cannot read {}", data.display()))?;
        merge(&mut points, &String::from_utf8_lossy(&bytes))?;
    }
    if points.is_empty() {
        bail!("Verilator counted nothing");
    }
    let exclusions = exclusions()?;
    let excluded = exclude(&points, &exclusions)?;
    Ok(Outcome { points, excluded, exclusions, cycles: total })
}

/// Adds the counts of a file of Verilator's: `C '<1>f<2>FILE<1>l<2>LINE...' COUNT`.
fn merge(points: &mut BTreeMap<Point, u64>, text: &str) -> Result<()> {
    for line in text.lines().filter(|l| l.starts_with("C '")) {
        let bad = || anyhow!("Verilator's coverage says {line}");
        let (keys, count) = line[3..].rsplit_once("' ").ok_or_else(bad)?;
        let count: u64 = count.trim().parse().map_err(|_| bad())?;
        let field = |name: &str| {
            keys.split('\u{1}')
                .find_map(|k| k.split_once('\u{2}').filter(|(n, _)| *n == name))
                .map(|(_, v)| v)
        };
        let file = Path::new(field("f").ok_or_else(bad)?);
        if !file.parent().is_some_and(|p| p.ends_with("rtl")) {
            continue;
        }
        let page = field("page").unwrap_or_default();
        let kind = match page.split('/').next().unwrap_or_default() {
            "v_line" => PointKind::Line,
            "v_branch" => PointKind::Branch,
            "v_toggle" => PointKind::Toggle,
            _ => continue,
        };
        let number = |name: &str| field(name).and_then(|v| v.parse::<usize>().ok());
        let p = Point {
            file: file.file_name().ok_or_else(bad)?.to_string_lossy().into_owned(),
            line: number("l").ok_or_else(bad)?,
            column: number("n").ok_or_else(bad)?,
            kind,
            what: field("o").unwrap_or_default().to_string(),
        };
        *points.entry(p).or_default() += count;
    }
    Ok(())
}

/// The points that exclusions meet. One that meets none is out of date, which is an error.
fn exclude(points: &BTreeMap<Point, u64>, list: &[Exclusion]) -> Result<BTreeMap<Point, usize>> {
    let mut excluded = BTreeMap::new();
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for p in points.keys() {
        if !texts.contains_key(p.file.as_str()) {
            let path = home::root()?.join("rtl").join(&p.file);
            let text =
                std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            texts.insert(&p.file, text.lines().map(String::from).collect());
        }
    }
    for (i, e) in list.iter().enumerate() {
        let Some(lines) = texts.get(e.file.as_str()) else { continue };
        if !lines.iter().any(|l| l.contains(&e.text)) {
            bail!("{EXCLUSIONS}: no line of {} has `{}`", e.file, e.text);
        }
        let meets = |p: &Point| {
            p.file == e.file
                && e.kind.is_none_or(|k| k == p.kind)
                && p.what.starts_with(&e.what)
                && lines.get(p.line.wrapping_sub(1)).is_some_and(|l| l.contains(&e.text))
        };
        for p in points.keys().filter(|p| meets(p)) {
            excluded.entry(p.clone()).or_insert(i);
        }
    }
    Ok(excluded)
}

/// Writes the annotated sources: `index.html` and a page for each file.
pub fn write_html(o: &Outcome, dir: &Path) -> Result<PathBuf> {
    const STYLE: &str = "<style>body{font:14px sans-serif}pre{margin:0}td{padding:0 .8em;vertical-align:top}\
        .hit{background:#e2f5e2}.miss{background:#fbd5d5}.part{background:#fdf3c8}.out{background:#e8e8e8}\
        .n{color:#888;text-align:right}</style>";
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let mut index =
        format!("<!doctype html><title>RTL coverage</title>{STYLE}<h1>RTL coverage</h1><table><tr><th>file");
    PointKind::ALL.iter().for_each(|k| {
        let _ = write!(index, "<th>{k:?}");
    });
    for f in o.files() {
        let _ = write!(index, "<tr><td><a href=\"{f}.html\">{f}</a>");
        for k in PointKind::ALL {
            let s = o.share(Some(&f), k);
            let _ = write!(
                index,
                "<td>{:.1} % ({} of {}, {} excluded)",
                s.percent(),
                s.reached,
                s.of,
                s.excluded
            );
        }
        let path = home::root()?.join("rtl").join(&f);
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut page = format!("<!doctype html><title>{f}</title>{STYLE}<h1>{f}</h1><table>");
        let of_file: Vec<(&Point, u64)> =
            o.points.iter().filter(|(p, _)| p.file == f).map(|(p, n)| (p, *n)).collect();
        for (i, line) in text.lines().enumerate() {
            let here: Vec<(&Point, u64)> = of_file.iter().filter(|(p, _)| p.line == i + 1).copied().collect();
            let missed: Vec<&Point> = here.iter().filter(|(_, n)| *n == 0).map(|(p, _)| *p).collect();
            let open: Vec<&&Point> = missed.iter().filter(|p| !o.excluded.contains_key(**p)).collect();
            let class = match (here.is_empty(), open.len()) {
                (true, _) => "",
                (false, 0) if missed.is_empty() => "hit",
                (false, 0) => "out",
                (false, n) if n == here.len() => "miss",
                _ => "part",
            };
            let names: Vec<String> = open.iter().map(|p| format!("{:?} {}", p.kind, p.what)).collect();
            let why =
                missed.iter().find_map(|p| o.excluded.get(*p)).map(|&e| o.exclusions[e].reason.as_str());
            let said = if names.is_empty() { why.unwrap_or_default().to_string() } else { names.join(", ") };
            let most = here.iter().filter(|(p, _)| p.kind != PointKind::Toggle).map(|(_, n)| *n).max();
            let _ = writeln!(
                page,
                "<tr class=\"{class}\"><td class=n>{}<td class=n>{}<td><pre>{}</pre><td>{}",
                i + 1,
                most.map_or(String::new(), |n| n.to_string()),
                escape(line),
                escape(&said)
            );
        }
        page += "</table>\n";
        write(&format!("{f}.html"), &page)?;
    }
    index += "</table>\n";
    write("index.html", &index)?;
    Ok(dir.join("index.html"))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "# SystemC::Coverage-3\n\
        C '\u{1}f\u{2}/x/rtl/cam_line.sv\u{1}l\u{2}60\u{1}n\u{2}3\u{1}page\u{2}v_branch/cam_line\u{1}o\u{2}if\u{1}h\u{2}top.u' 3\n\
        C '\u{1}f\u{2}/x/rtl/cam_line.sv\u{1}l\u{2}60\u{1}n\u{2}3\u{1}page\u{2}v_branch/cam_line__P2\u{1}o\u{2}if\u{1}h\u{2}top.v' 0\n\
        C '\u{1}f\u{2}/x/rtl/cam_line.sv\u{1}l\u{2}60\u{1}n\u{2}4\u{1}page\u{2}v_branch/cam_line\u{1}o\u{2}else\u{1}h\u{2}top.u' 0\n\
        C '\u{1}f\u{2}/x/tb/checker.sv\u{1}l\u{2}6\u{1}n\u{2}3\u{1}page\u{2}v_line/c\u{1}o\u{2}block\u{1}h\u{2}top.u' 0\n";

    #[test]
    fn instances_and_builds_are_merged_and_only_rtl_counts() {
        let mut points = BTreeMap::new();
        merge(&mut points, DATA).unwrap();
        merge(&mut points, DATA).unwrap();
        assert_eq!(points.values().copied().collect::<Vec<_>>(), [6, 0]);
        let o = Outcome { points, excluded: BTreeMap::new(), exclusions: Vec::new(), cycles: 0 };
        assert_eq!(o.share(None, PointKind::Branch), Share { reached: 1, of: 2, excluded: 0 });
        assert_eq!(o.missed().map(|p| p.what.as_str()).collect::<Vec<_>>(), ["else"]);
        assert!(merge(&mut BTreeMap::new(), "C 'nonsense' x").is_err());
    }

    #[test]
    fn an_exclusion_that_fits_no_line_is_told() {
        let mut points = BTreeMap::new();
        merge(&mut points, DATA).unwrap();
        let e = Exclusion {
            file: "cam_line.sv".into(),
            text: "no such text".into(),
            kind: None,
            what: String::new(),
            reason: "because".into(),
        };
        assert!(
            exclude(&points, &[e])
                .unwrap_err()
                .to_string()
                .contains("no line of cam_line.sv has `no such text`")
        );
    }

    #[test]
    fn every_exclusion_has_a_reason() {
        assert!(exclusions().unwrap().iter().all(|e| !e.reason.is_empty()));
    }
}
