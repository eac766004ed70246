//! Where models and programs are kept, by what they are made of.
//!
//! Each has a folder of its own, named by the key: the object, `kept.json`, and the log of its making. It is made beside
//! its place, under a lock, and renamed when it is whole: nobody ever sees half of it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::home;
use crate::outfile::{self, Filling};

const MANIFEST: &str = "kept.json";
/// In the folder of something kept: what its making printed.
pub const LOG: &str = "log.txt";
const REMEDY: &str =
    "remedy: QUELL_CACHE=DIR keeps models in another folder; quell builds --clean removes old ones";

/// What is known of something kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What it is, for people.
    pub title: String,
    /// The file to use.
    pub object: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256.
    pub sha256: String,
    /// Seconds that it took to make.
    pub seconds: f64,
    /// When it was made, in seconds since 1970.
    pub made: u64,
    /// What can be said of it besides (unit and parameters of a model).
    pub of: serde_json::Value,
}

/// Something kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its key.
    pub key: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What is known of it.
    pub manifest: Manifest,
}

impl Kept {
    /// The file to use.
    pub fn object(&self) -> PathBuf {
        self.folder.join(&self.manifest.object)
    }

    /// What its making printed.
    pub fn log(&self) -> PathBuf {
        self.folder.join(LOG)
    }
}

/// What was found under a key.
pub enum Found {
    /// It is there and whole.
    Whole(Kept),
    /// It is there and not what was put there; why.
    Damaged(String),
    /// There is nothing.
    Nothing,
}

/// A folder of things that are kept.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// A store in this folder, which need not be there.
    pub fn new(folder: &Path) -> Store {
        Store { folder: folder.into() }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn place(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// What is kept under a key.
    pub fn find(&self, key: &str) -> Found {
        let folder = self.place(key);
        if !folder.is_dir() {
            return Found::Nothing;
        }
        match whole(key, folder) {
            Ok(kept) => Found::Whole(kept),
            Err(why) => Found::Damaged(format!("{why:#}")),
        }
    }

    /// What is kept under a key, damaged or not: its content is not looked at.
    pub fn listed(&self, key: &str) -> Option<Kept> {
        let folder = self.place(key);
        Some(Kept { manifest: manifest(&folder).ok()?, folder, key: key.into() })
    }

    /// Everything kept, damaged or not.
    pub fn all(&self) -> Vec<Kept> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|e| e.file_name().into_string().ok());
        let mut all: Vec<Kept> = names.filter(|n| !n.contains('.')).filter_map(|n| self.listed(&n)).collect();
        all.sort_by(|a, b| (&a.manifest.title, &a.key).cmp(&(&b.manifest.title, &b.key)));
        all
    }

    /// What is kept under a key; if there is nothing, or it is damaged, `make` makes it: in a folder whose path it gets, and
    /// gives the object's name there. Two that want the same at once wait for each other; `wait` is called before.
    pub fn get(
        &self,
        key: &str,
        title: &str,
        of: &serde_json::Value,
        wait: &dyn Fn(),
        make: &dyn Fn(&Path) -> Result<&'static str>,
    ) -> Result<Kept> {
        if let Found::Whole(kept) = self.find(key) {
            return Ok(kept);
        }
        let fail = |what: &str, path: &Path, e: std::io::Error| {
            anyhow!("cannot {what} {}: {e}; {REMEDY}", path.display())
        };
        std::fs::create_dir_all(&self.folder).map_err(|e| fail("make", &self.folder, e))?;
        let path = self.folder.join(format!("{key}.lock"));
        let lock = |wait| outfile::lock(&path, wait).map_err(|e| anyhow!("{e:#}; {REMEDY}"));
        let _lock = match lock(false)? {
            Some(lock) => Some(lock),
            None => {
                wait();
                lock(true)?
            }
        };
        // Another may have made it meanwhile. What is damaged or was left half done is in nobody's use: we have the lock.
        if let Found::Whole(kept) = self.find(key) {
            return Ok(kept);
        }
        let (place, beside) = (self.place(key), self.folder.join(format!("{key}.part")));
        for old in [&place, &beside] {
            match std::fs::remove_dir_all(old) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(fail("remove", old, e)),
                _ => {}
            }
        }
        let _filling = Filling::begin(&beside);
        std::fs::create_dir(&beside).map_err(|e| fail("make", &beside, e))?;
        let start = std::time::Instant::now();
        let made = make(&beside).and_then(|object| {
            let seconds = start.elapsed().as_secs_f64();
            finish(&beside, title, object, of, seconds)?;
            std::fs::rename(&beside, &place).map_err(|e| fail("write", &place, e))?;
            whole(key, place.clone())
        });
        // The log of what failed stays.
        let log = self.folder.join(format!("{key}.failed.txt"));
        let has_log = made.is_err() && std::fs::rename(beside.join(LOG), &log).is_ok();
        let made = made.map_err(|e| match has_log {
            true => e.context(format!("cannot make {title}; the whole log: {}", log.display())),
            false => e.context(format!("cannot make {title}")),
        });
        let _ = std::fs::remove_dir_all(&beside);
        // The lock's file stays: one who waits for it must not be alone with it.
        made
    }

    /// Removes something kept.
    pub fn remove(&self, key: &str) -> Result<()> {
        let place = self.place(key);
        std::fs::remove_dir_all(&place).with_context(|| format!("cannot remove {}", place.display()))
    }

    /// Removes what makings that failed or were killed have left; how many.
    pub fn sweep(&self) -> Result<usize> {
        let mut removed = 0;
        for e in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let (path, name) = (e.path(), e.file_name().to_string_lossy().into_owned());
            let Some((key, kind)) = name.split_once('.') else { continue };
            let busy = || {
                let lock = File::open(self.folder.join(format!("{key}.lock")));
                lock.is_ok_and(|f| matches!(f.try_lock(), Err(TryLockError::WouldBlock)))
            };
            if !["part", "lock", "failed.txt"].contains(&kind) || busy() {
                continue;
            }
            let done =
                if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
            done.with_context(|| format!("cannot remove {}", path.display()))?;
            removed += 1;
        }
        Ok(removed)
    }
}

fn manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    let text = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| path.display().to_string())
}

fn whole(key: &str, folder: PathBuf) -> Result<Kept> {
    let kept = Kept { key: key.into(), manifest: manifest(&folder)?, folder };
    let object = kept.object();
    let (bytes, sha256) = home::sum(&object)?;
    if (bytes, &sha256) != (kept.manifest.bytes, &kept.manifest.sha256) {
        bail!("{} has changed since it was made", object.display());
    }
    Ok(kept)
}

/// Writes the manifest, the last of all.
fn finish(folder: &Path, title: &str, object: &str, of: &serde_json::Value, seconds: f64) -> Result<()> {
    let (bytes, sha256) = home::sum(&folder.join(object))?;
    let made = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let m =
        Manifest { title: title.into(), object: object.into(), bytes, sha256, seconds, made, of: of.clone() };
    let path = folder.join(MANIFEST);
    std::fs::write(&path, serde_json::to_vec_pretty(&m)?)
        .map_err(|e| anyhow!("cannot write {}: {e}; {REMEDY}", path.display()))
}
