//! A traffic from a name or a file.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::named::{NAMES, named};
use super::spec::WormSpec;

impl WormSpec {
    /// From TOML text.
    pub fn parse(text: &str) -> Result<WormSpec> {
        let spec: WormSpec = toml::from_str(text).context("traffic description")?;
        if [spec.best_effort.len(), spec.control.len(), spec.onoff.len(), spec.mpeg.len()] == [0; 4] {
            bail!(
                "traffic description {:?}: none of [[best-effort]], [[control]], [[onoff]], [[mpeg]]",
                spec.name
            );
        }
        Ok(spec)
    }

    /// From a TOML file. A relative file of sizes is looked for beside it.
    pub fn from_file(path: &Path) -> Result<WormSpec> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let mut spec = WormSpec::parse(&text).with_context(|| path.display().to_string())?;
        if let Some(folder) = path.parent() {
            for sizes in spec.mpeg.iter_mut().filter_map(|m| m.sizes.as_mut()) {
                *sizes = folder.join(&*sizes);
            }
        }
        Ok(spec)
    }

    /// A named traffic ([`super::named`]) or a TOML file.
    pub fn load(text: &str) -> Result<WormSpec> {
        if let Some(spec) = named(text)? {
            return Ok(spec);
        }
        let path = Path::new(text);
        if !path.exists() {
            let names: Vec<&str> = NAMES.iter().map(|n| n.name).collect();
            bail!("traffic {text:?} is neither a file nor one of {}", names.join(", "));
        }
        WormSpec::from_file(path)
    }
}
