//! Files that are whole or not there: written beside their place, and then moved there.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result};

/// The name under which a file is written before it is renamed.
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// The files that this process has begun beside their places.
static BEGUN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes what is begun and not whole: the process is interrupted, or ends with an error.
pub fn remove_begun() {
    for path in BEGUN.lock().unwrap_or_else(|e| e.into_inner()).iter() {
        // What was whole has its name by now.
        let _ = std::fs::remove_file(path);
    }
}

/// The file that is written before it is renamed, in a folder that is made if it is not there.
pub fn create_beside(path: &Path) -> std::io::Result<File> {
    if let Some(dir) = path.parent().filter(|d| !d.as_os_str().is_empty()) {
        std::fs::create_dir_all(dir)?;
    }
    let path = beside(path);
    let file = File::create(&path)?;
    BEGUN.lock().unwrap_or_else(|e| e.into_inner()).insert(path);
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
    done.with_context(|| format!("cannot write {}", path.display()))
}
