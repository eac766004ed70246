//! The SystemVerilog files that a design is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};

/// The files of an RTL folder and of a folder of checkers, by module: a module is in the file of its name.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    files: BTreeMap<String, File>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Folder and name (`rtl/switch.sv`).
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl Tree {
    /// Reads the `.sv` files of two folders.
    pub fn read(rtl: &Path, tb: &Path) -> Result<Tree> {
        let mut files = BTreeMap::new();
        for (folder, path) in [("rtl", rtl), ("tb", tb)] {
            let entries =
                std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
            for entry in entries {
                let path = entry.with_context(|| format!("cannot read {}", path.display()))?.path();
                let (Some(module), Some("sv")) =
                    (path.file_stem().and_then(|s| s.to_str()), path.extension().and_then(|e| e.to_str()))
                else {
                    continue;
                };
                let text = std::fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                files.insert(module.to_string(), File { name: format!("{folder}/{module}.sv"), text });
            }
        }
        Ok(Tree { files })
    }

    /// The files that a text needs: those of the modules and packages that it names, and those that they name.
    pub fn needed(&self, text: &str) -> Vec<&File> {
        let mut found = BTreeSet::new();
        let mut left = self.named(text);
        while let Some(module) = left.pop() {
            if found.insert(module) {
                left.extend(self.named(&self.files[module].text));
            }
        }
        found.into_iter().map(|module| &self.files[module]).collect()
    }

    fn named<'a>(&'a self, text: &str) -> Vec<&'a str> {
        let mut found = BTreeSet::new();
        for line in text.lines() {
            let code = line.split("//").next().unwrap_or_default();
            for word in code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
                if let Some((module, _)) = self.files.get_key_value(word) {
                    found.insert(module.as_str());
                }
            }
        }
        found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_needs_what_it_names_and_what_that_names() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tree = Tree::read(&root.join("rtl"), &root.join("tb")).unwrap();
        let of = |text: &str| -> Vec<&str> { tree.needed(text).iter().map(|f| f.name.as_str()).collect() };
        let throttle = of("hca_throttle #() u ();");
        for name in
            ["rtl/flow_select.sv", "rtl/flow_pick.sv", "tb/hca_throttle_checker.sv", "rtl/ram_sync.sv"]
        {
            assert!(throttle.contains(&name), "{name} in {throttle:?}");
        }
        // Only a remark names others.
        assert!(!throttle.contains(&"rtl/switch.sv"), "{throttle:?}");
        assert!(of("switch u ();").contains(&"tb/progress_checker.sv"), "it is bound in a checker's file");
        assert!(of("// switch").is_empty());
    }
}
