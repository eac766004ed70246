//! Where the project's files are (RTL, checkers, scripts, cell libraries), and where quell keeps what it makes.
//!
//! The files are those of the folder that `--root` or `QUELL_ROOT` names (`carried`: those in the program), of the tree that quell was
//! built from, or, where that is not there, those in the program, unpacked.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};
use include_dir::Dir;
use sha2::{Digest, Sha256};

/// Folders that a program carries: the name of each below the root, and what is in it.
pub type Carried = &'static [(&'static str, Dir<'static>)];

static CHOSEN: OnceLock<PathBuf> = OnceLock::new();
static CARRIED: OnceLock<Carried> = OnceLock::new();
static ROOT: OnceLock<Root> = OnceLock::new();

/// A folder with the project's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The folder.
    pub path: PathBuf,
    /// Who said so.
    pub because: &'static str,
}

/// Takes the files from this folder (`--root`). To be called before [`root`].
pub fn choose(path: &Path) {
    let _ = CHOSEN.set(path.into());
}

/// Says what the program carries. To be called before [`root`].
pub fn carry(folders: Carried) {
    let _ = CARRIED.set(folders);
}

/// The folder with the project's files.
pub fn root() -> Result<&'static Path> {
    Ok(&found()?.path)
}

/// The same, and who said so.
pub fn found() -> Result<&'static Root> {
    if let Some(root) = ROOT.get() {
        return Ok(root);
    }
    let variable = std::env::var_os("QUELL_ROOT").filter(|v| !v.is_empty());
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chosen = CHOSEN.get().map(|path| (path.clone(), "--root"));
    let chosen = chosen.or(variable.map(|path| (path.into(), "QUELL_ROOT")));
    let carried = || CARRIED.get().with_context(|| "this program carries no sources");
    let (path, because) = match chosen {
        Some((path, _)) if path.as_os_str() == "carried" => {
            (unpacked(carried()?, &cache())?, "carried in the program")
        }
        Some((path, who)) => (checked(&path, who)?, who),
        None if is_root(built_from) => (built_from.into(), "the tree that quell was built from"),
        None => match CARRIED.get() {
            Some(folders) => (unpacked(folders, &cache())?, "carried in the program"),
            None => bail!(
                "{} is not there any more; remedy: --root or QUELL_ROOT names a folder with quell's sources",
                built_from.display()
            ),
        },
    };
    Ok(ROOT.get_or_init(|| Root { path, because }))
}

fn is_root(path: &Path) -> bool {
    path.join("rtl/quell_pkg.sv").is_file() && path.join("tb").is_dir() && path.join("scripts").is_dir()
}

fn checked(path: &Path, who: &str) -> Result<PathBuf> {
    let path = path.canonicalize().with_context(|| format!("{who} {}", path.display()))?;
    if !is_root(&path) {
        bail!("{who} {}: it has no rtl/quell_pkg.sv, tb/ and scripts/ of quell", path.display());
    }
    Ok(path)
}

/// Where quell keeps what it makes: `QUELL_CACHE`, else `quell` in the platform's folder for such things.
pub fn cache() -> PathBuf {
    match std::env::var_os("QUELL_CACHE").filter(|v| !v.is_empty()) {
        Some(path) => path.into(),
        None => dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("quell"),
    }
}

/// The carried folders as files, in a folder below `cache` that is named by their content.
fn unpacked(folders: Carried, cache: &Path) -> Result<PathBuf> {
    let mut hash = Sha256::new();
    for (name, dir) in folders {
        add(name, dir, &mut hash);
    }
    let name = format!("sources-{}", hex(&hash.finalize()[..8]));
    let place = cache.join(&name);
    if place.is_dir() {
        return Ok(place);
    }
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(cache)?;
        // Other threads and other quells may do the same at the same time: each in a folder of its own, and all are as good.
        let beside =
            tempfile::Builder::new().prefix(&format!("{name}.")).suffix(".part").tempdir_in(cache)?;
        let tree = beside.path().join("tree");
        for (name, dir) in folders {
            std::fs::create_dir_all(tree.join(name))?;
            dir.extract(tree.join(name))?;
        }
        std::fs::rename(&tree, &place).or_else(|e| if place.is_dir() { Ok(()) } else { Err(e) })
    };
    write().map_err(|e| {
        anyhow!(
            "cannot unpack the sources that quell carries into {}: {e}; remedy: QUELL_CACHE names another folder, QUELL_ROOT \
             a folder with quell's sources",
            place.display()
        )
    })?;
    Ok(place)
}

fn add(name: &str, dir: &Dir, hash: &mut Sha256) {
    for file in dir.files() {
        let path = file.path().to_string_lossy();
        for part in [name.as_bytes(), path.as_bytes(), file.contents()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    dir.dirs().for_each(|d| add(name, d, hash));
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Bytes of a file, and their SHA-256.
pub fn sum(path: &Path) -> Result<(u64, String)> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok((bytes.len() as u64, hex(&Sha256::digest(&bytes))))
}

#[cfg(test)]
mod tests {
    use include_dir::include_dir;

    use super::*;

    static TWO: [(&str, Dir<'static>); 2] = [
        ("scripts", include_dir!("$CARGO_MANIFEST_DIR/scripts")),
        ("constraints", include_dir!("$CARGO_MANIFEST_DIR/constraints")),
    ];

    #[test]
    fn threads_that_unpack_at_the_same_time_have_all_of_the_files() {
        let cache = tempfile::tempdir().unwrap();
        // Not there before, as on a fresh machine.
        let cache = cache.path().join("quell");
        let places: Vec<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| unpacked(&TWO, &cache).unwrap())).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        for place in &places {
            assert_eq!(place, &places[0]);
        }
        for (name, dir) in &TWO {
            for file in dir.files() {
                let there = std::fs::read(places[0].join(name).join(file.path())).unwrap();
                assert_eq!(there, file.contents());
            }
        }
        let kept = std::fs::read_dir(&cache).unwrap().count();
        assert_eq!(kept, 1, "nothing half done stays");
    }
}
