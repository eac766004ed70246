//! Files that are whole or not there: written beside their place, and then moved there; and locks for who makes them.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use anyhow::{Context, Result, anyhow};

/// The name under which a file is written before it is renamed.
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// The files and folders that this process has begun beside their places.
static BEGUN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn begun() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    BEGUN.lock().unwrap_or_else(|e| e.into_inner())
}

/// Removes what is begun and not whole: the process is interrupted, or ends with an error.
pub fn remove_begun() {
    for path in begun().iter() {
        // What was whole has its name by now.
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
}

/// A folder that is being filled beside its place: removed if the process is interrupted meanwhile.
pub struct Filling(PathBuf);

impl Filling {
    /// From now on.
    pub fn begin(folder: &Path) -> Filling {
        begun().insert(folder.to_path_buf());
        Filling(folder.to_path_buf())
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        begun().remove(&self.0);
    }
}

/// The file that is written before it is renamed, in a folder that is made if it is not there.
pub fn create_beside(path: &Path) -> std::io::Result<File> {
    if let Some(dir) = path.parent().filter(|d| !d.as_os_str().is_empty()) {
        std::fs::create_dir_all(dir)?;
    }
    let path = beside(path);
    let file = File::create(&path)?;
    begun().insert(path);
    Ok(file)
}

/// Writes a whole file, in a folder that is made if it is not there.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let done = create_beside(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(beside(path), path)
    });
    if done.is_err() {
        let _ = std::fs::remove_file(beside(path));
    }
    begun().remove(&beside(path));
    done.with_context(|| format!("cannot write {}", path.display()))
}

/// Whether a file could be written there, before the work that it is to hold is done.
pub fn probe(path: &Path) -> Result<()> {
    let done = create_beside(path).and_then(|_| std::fs::remove_file(beside(path)));
    begun().remove(&beside(path));
    done.with_context(|| format!("cannot write {}", path.display()))
}

/// Locks a file, which is made if it is not there; without `wait` only if nobody else has it. The lock is the system's: it ends with the
/// processes that hold the file, however they end.
pub fn lock(path: &Path, wait: bool) -> Result<Option<File>> {
    let file = File::options().create(true).truncate(false).write(true).read(true).open(path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    let no =
        |e| anyhow!("cannot lock {}: {e}; legal is a folder on a file system with locks", path.display());
    match file.try_lock() {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::WouldBlock) if !wait => return Ok(None),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(e)) => return Err(no(e)),
    }
    file.lock().map_err(no)?;
    Ok(Some(file))
}
