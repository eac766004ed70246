//! Hashes the sources that outcomes of study runs depend on. With feature `rtl`: compiles the bridge to the Verilated models. The
//! models themselves are made at first use (`src/verilate/`), so that an edit of RTL compiles no Rust.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Lists of the files and folders below `src/` of which a kept outcome is, and what the program knows their hashes as.
const RESULTS_OF: [(&str, &str); 2] = [
    ("src/study/results-of.txt", "QUELL_RESULTS_OF"),
    ("src/study/worm-results-of.txt", "QUELL_WORM_RESULTS_OF"),
];

/// Hashes a file, or a folder but for its tests.
fn add(path: &Path, hash: &mut DefaultHasher) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("a readable folder");
        let mut below: Vec<_> = entries.map(|e| e.expect("a readable entry").path()).collect();
        below.sort();
        below.iter().filter(|p| !p.ends_with("tests.rs")).for_each(|p| add(p, hash));
    } else {
        path.hash(hash);
        std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).hash(hash);
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.lock");
    for (list, known_as) in RESULTS_OF {
        println!("cargo::rerun-if-changed={list}");
        let mut hash = DefaultHasher::new();
        add(Path::new("Cargo.lock"), &mut hash);
        for name in std::fs::read_to_string(list).expect("the list of sources").lines() {
            let path = Path::new("src").join(name);
            println!("cargo::rerun-if-changed={}", path.display());
            add(&path, &mut hash);
        }
        println!("cargo::rustc-env={known_as}={}", hash.finish());
    }
    #[cfg(feature = "rtl")]
    {
        for file in [
            "src/verilated/mod.rs",
            "src/verilated/bridge.h",
            "src/verilated/bridge.cc",
            "src/verilate/cpp/model.h",
        ] {
            println!("cargo::rerun-if-changed={file}");
        }
        cxx_build::bridge("src/verilated/mod.rs")
            .std("c++17")
            .file("src/verilated/bridge.cc")
            .include("src/verilated")
            .include("src/verilate/cpp")
            .compile("quell_bridge");
    }
}
