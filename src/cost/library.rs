//! Cell libraries: where they are, and what of a Liberty file the cost needs.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::liberty::groups;
use super::memory::Model;

/// Libraries with a name: file and node in nm. The first one is the default.
const NAMED: [(&str, &str, f64); 3] = [
    ("generic45", "tech/generic45.lib", 45.0),
    ("osu018", "/usr/share/qflow/tech/osu018/osu018_stdcells.lib", 180.0),
    ("osu035", "/usr/share/qflow/tech/osu035/osu035_stdcells.lib", 350.0),
];

/// The name of the default library.
pub const DEFAULT: &str = NAMED[0].0;

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Area as the library has it.
    pub area: f64,
    /// It is a flip-flop.
    pub flip_flop: bool,
}

/// A library.
#[derive(Clone, Debug)]
pub struct Library {
    /// Name or file.
    pub name: String,
    /// The Liberty file.
    pub path: PathBuf,
    /// Changes with its content.
    pub hash: u64,
    /// Technology node, nm: for memories.
    pub nm: f64,
    /// Its cells.
    pub cells: BTreeMap<String, Cell>,
    /// Area of the smallest NAND2.
    pub nand2: f64,
}

impl Library {
    /// A library by name, or a Liberty file and its node.
    pub fn open(name: &str, nm: Option<f64>, root: &Path) -> Result<Library> {
        let names: Vec<&str> = NAMED.iter().map(|n| n.0).collect();
        let (path, node) = match NAMED.iter().find(|n| n.0 == name) {
            Some(&(_, file, node)) => {
                if nm.is_some_and(|nm| nm != node) {
                    bail!("--node: the library {name} is of {node} nm");
                }
                (root.join(file), node)
            }
            None if name.ends_with(".lib") => {
                let Some(node) = nm else {
                    bail!("--lib {name}: --node must say of which node it is, in nm (for its memories)")
                };
                (PathBuf::from(name), node)
            }
            None => bail!("there is no library {name}: there are {}, or a file *.lib", names.join(", ")),
        };
        Model::new().check_node(node)?;
        let remedy = if path.starts_with("/usr/share/qflow") { "; remedy: run ./setup" } else { "" };
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read the library {}{remedy}", path.display()))?;
        let cells = cells(&text).with_context(|| path.display().to_string())?;
        let nand2 = cells
            .iter()
            .filter(|(name, _)| {
                name.to_lowercase().contains("nand2") && !name.to_lowercase().contains("nand2b")
            })
            .map(|(_, c)| c.area)
            .fold(f64::INFINITY, f64::min);
        if !nand2.is_finite() || nand2 <= 0.0 {
            bail!("{}: it has no NAND2 with an area", path.display());
        }
        if !cells.values().any(|c| c.flip_flop) {
            bail!("{}: it has no flip-flop", path.display());
        }
        let path = path.canonicalize()?;
        Ok(Library { name: name.into(), path, hash: super::hash(text.as_bytes()), nm: node, cells, nand2 })
    }
}

/// The cells of a Liberty text.
fn cells(text: &str) -> Result<BTreeMap<String, Cell>> {
    let mut found = BTreeMap::new();
    for cell in groups(text)?.inside("cell") {
        let Some(area) = cell.number("area") else { bail!("the cell {} has no area", cell.name) };
        let flip_flop = cell.inside("ff").next().is_some();
        found.insert(cell.name.clone(), Cell { area, flip_flop });
    }
    if found.is_empty() {
        bail!("not a Liberty file: no cell was found");
    }
    Ok(found)
}

pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    h.write(bytes);
    h.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn the_generic_library_is_read() {
        let lib = Library::open(DEFAULT, None, root()).unwrap();
        assert_eq!(lib.nm, 45.0);
        assert!((lib.nand2 - 0.798).abs() < 1e-9);
        let flops: Vec<&str> =
            lib.cells.iter().filter(|(_, c)| c.flip_flop).map(|(n, _)| n.as_str()).collect();
        assert_eq!(flops, ["DFF_X1"]);
        assert_eq!(lib.cells.len(), 26);
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.lib");
        let name = file.to_str().unwrap();
        let says = |text: &str, want: &str| {
            std::fs::write(&file, text).unwrap();
            let e = format!("{:#}", Library::open(name, Some(45.0), root()).unwrap_err());
            assert!(e.contains(want), "{text}: {e}");
        };
        says("hello", "not a Liberty file");
        says("library (x) { cell (A) { area : 1; } }", "no NAND2");
        says("library (x) { cell (NAND2) { area : 1; } }", "no flip-flop");
        says("library (x) { cell (NAND2) { area : ; } }", "no area");
        says("library (x) { cell (NAND2) { area : 1;", "does not end");
        for (lib, nm, want) in [
            ("tsmc7", None, "there is no library tsmc7: there are generic45"),
            ("none.lib", Some(45.0), "cannot read the library none.lib"),
            (name, None, "--node must say"),
            (name, Some(46.0), "no technology node of 46 nm"),
            ("osu018", Some(45.0), "is of 180 nm"),
        ] {
            let e = format!("{:#}", Library::open(lib, nm, root()).unwrap_err());
            assert!(e.contains(want), "{lib}: {e}");
        }
    }
}
