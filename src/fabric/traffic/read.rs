//! A traffic from a name or a file.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::spec::{CalcUnit, Group, TraceSpec, TrafficSpec};
use super::text::Nodes;

impl TrafficSpec {
    /// An empty traffic.
    pub fn new(name: &str) -> TrafficSpec {
        TrafficSpec {
            name: name.into(),
            run: None,
            roles: Vec::new(),
            hotspots: Vec::new(),
            groups: Vec::new(),
            trace: None,
        }
    }

    /// Flits of its longest packets, in a network with packets of up to `mtu`.
    pub fn longest(&self, mtu: usize) -> usize {
        let of = |g: &Group| g.message.map_or(mtu, |m| mtu.min(m.longest() as usize));
        let group = self.groups.iter().map(of).max().filter(|_| self.trace.is_none());
        group.unwrap_or(mtu)
    }

    /// From TOML text.
    pub fn parse(text: &str) -> Result<TrafficSpec> {
        let spec: TrafficSpec = toml::from_str(text).context("traffic description")?;
        if spec.groups.is_empty() && spec.trace.is_none() {
            bail!("traffic description {:?}: neither a [[group]] nor a [trace]", spec.name);
        }
        Ok(spec)
    }

    /// From a TOML file. A relative trace file is looked for beside it.
    pub fn from_file(path: &Path) -> Result<TrafficSpec> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let mut spec = TrafficSpec::parse(&text).with_context(|| path.display().to_string())?;
        if let Some(file) = spec.trace.as_mut().and_then(|t| t.file.as_mut())
            && let Some(folder) = path.parent()
        {
            *file = folder.join(&*file);
        }
        Ok(spec)
    }

    /// A named traffic ([`super::named`]), a `.goal` file replayed on nodes 0, 1, ..., or a TOML file.
    pub fn load(text: &str, hosts: usize) -> Result<TrafficSpec> {
        if let Some(spec) = super::named::named(text, hosts)? {
            return Ok(spec);
        }
        let path = Path::new(text);
        if !path.exists() {
            let names: Vec<&str> = super::named::NAMES.iter().map(|n| n.name).collect();
            bail!("traffic {text:?} is neither a file nor one of {}", names.join(", "));
        }
        if path.extension().is_some_and(|e| e == "goal") {
            let mut spec = TrafficSpec::new(text);
            spec.trace = Some(TraceSpec {
                file: Some(path.into()),
                program: None,
                text: None,
                nodes: Nodes::all(),
                calc: CalcUnit::Ns,
            });
            return Ok(spec);
        }
        TrafficSpec::from_file(path)
    }
}
