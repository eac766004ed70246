//! A network of wormhole routers and what is done in it, as a file.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::disturb::{self, Fall, Outage, Reset, Rewrite, Told};
use crate::torture::case::{MOST_CYCLES, of_this_version};
use crate::worm::host::TrafficHosts;
use crate::worm::traffic::WormSpec;
use crate::worm::{Deed, Job, Net, Settings, catalogue};

/// A network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Of the file.
    pub version: u32,
    /// What it was drawn from; of the draws in it, too.
    pub seed: u64,
    /// Cycles in which the sources send.
    pub cycles: u64,
    /// What was broken when the file was written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// `mesh:XxY` or `star:N`.
    pub network: String,
    /// A row of the catalogue.
    pub scheme: String,
    /// Settings, `NAME=VALUE`.
    pub set: Vec<String>,
    /// Registers written while messages flow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rewrite: Vec<Rewrite>,
    /// Links that are unplugged meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fall: Vec<Fall>,
    /// Routers that are reset meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reset: Vec<Reset>,
    /// What the hosts send.
    pub traffic: WormSpec,
}

impl Case {
    /// What engines are made of. An error says what is not legal.
    pub fn job(&self) -> Result<Job> {
        let scheme = catalogue::find(&self.scheme)
            .ok_or_else(|| anyhow!("scheme = {:?}: no scheme of wormhole networks", self.scheme))?;
        let net = Net::by_name(&self.network)?;
        let settings = Settings::of(&self.set)?;
        settings.check(net.hosts())?;
        Ok(Job { net, scheme, settings, seed: self.seed, threads: 1 })
    }

    /// Its hosts.
    pub fn hosts(&self, job: &Job) -> Result<TrafficHosts> {
        job.hosts(&self.traffic, true)
    }

    /// Whether it can be run.
    pub fn check(&self) -> Result<()> {
        if !(1..=MOST_CYCLES).contains(&self.cycles) {
            bail!("cycles = {}: legal is 1..{MOST_CYCLES}", self.cycles);
        }
        let job = self.job()?;
        self.hosts(&job)?;
        self.disturbances(&job).map(|_| ())
    }

    /// What happens to the network while it runs, and when links are down meanwhile.
    pub(super) fn disturbances(&self, job: &Job) -> Result<(Vec<Deed>, Vec<Outage>)> {
        let Case { cycles, rewrite, fall, reset, traffic, .. } = self;
        disturb::disturbances(&Told { cycles: *cycles, rewrite, fall, reset, traffic }, job)
    }

    /// Writes a file that [`Case::parse`] reads.
    pub fn write(&self, path: &Path) -> Result<()> {
        let head = "# A network of quell torture --worm; quell torture --replay FILE runs it.\n";
        crate::outfile::write(path, format!("{head}{}", toml::to_string_pretty(self)?).as_bytes())
    }

    /// Whether the text is of such a file: it names a network.
    pub fn is_meant(text: &str) -> bool {
        toml::from_str::<toml::Table>(text).is_ok_and(|t| t.contains_key("network"))
    }

    /// Reads and checks the text of a file.
    pub fn parse(text: &str) -> Result<Case> {
        let case: Case = of_this_version(text).map_err(|e| anyhow!(e))?;
        case.check()?;
        Ok(case)
    }
}
