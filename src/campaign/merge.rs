//! Results that were made elsewhere.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::store::{State, Store, make, remove};

/// What was found in another folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Results that were not here.
    pub taken: usize,
    /// Results that were.
    pub had: usize,
}

/// Takes the whole results of another folder that are not here. If some there are damaged, it is an error when all others are taken.
pub fn merge(store: &Store, from: &Path) -> Result<Merged> {
    let other = Store::new(from);
    let entries = std::fs::read_dir(other.jobs()).with_context(|| {
        format!("--merge {}: it has no jobs/; legal is a folder of a campaign", from.display())
    })?;
    let mut keys: Vec<String> = entries.flatten().filter_map(|e| e.file_name().into_string().ok()).collect();
    keys.retain(|name| !name.contains('.'));
    keys.sort();
    let (mut merged, mut damaged) = (Merged::default(), Vec::new());
    for key in &keys {
        if let State::Whole(_) = store.find(key) {
            merged.had += 1;
            continue;
        }
        match other.find(key) {
            State::Whole(_) if take(store, &other, key)? => merged.taken += 1,
            State::Whole(_) => merged.had += 1,
            State::Damaged(why) => damaged.push(why),
            State::Nothing | State::Failed(_) => {}
        }
    }
    if let Some(first) = damaged.first() {
        bail!(
            "--merge {}: {} taken, and {} damaged, the first: {first}; remedy: remove that folder and run its job again",
            from.display(),
            merged.taken,
            damaged.len()
        );
    }
    Ok(merged)
}

fn take(store: &Store, other: &Store, key: &str) -> Result<bool> {
    let claim = store.claim(key, true)?.context("no lock")?;
    if let State::Whole(_) = store.find(key) {
        store.leave(claim)?;
        return Ok(false);
    }
    let (part, place) = (store.part(key), store.place(key));
    remove(&part)?;
    remove(&place)?;
    copy(&other.place(key), &part)?;
    std::fs::rename(&part, &place).with_context(|| format!("cannot rename {}", part.display()))?;
    if let State::Damaged(why) = store.find(key) {
        bail!("copied, and not whole: {why}");
    }
    store.leave(claim)?;
    Ok(true)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    make(to)?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let (path, kind) = entry.and_then(|e| Ok((e.path(), e.file_type()?)))?;
        let there = to.join(path.file_name().unwrap_or_default());
        if kind.is_dir() {
            copy(&path, &there)?;
        } else {
            let bytes =
                std::fs::copy(&path, &there).with_context(|| format!("cannot copy {}", path.display()))?;
            ensure!(
                std::fs::metadata(&there).is_ok_and(|m| m.len() == bytes),
                "{}: not copied",
                there.display()
            );
        }
    }
    Ok(())
}
