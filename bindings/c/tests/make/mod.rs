//! The files that are made and kept in the tree: the C header, and the SystemVerilog modules of every unit.

mod header;
mod modules;

use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Every file, by its name below the repository, and what it should hold.
pub fn files() -> Vec<(String, String)> {
    let mut files = vec![("bindings/c/include/quell_model.h".to_string(), header::text())];
    files.extend(modules::files());
    files
}
