//! The settings of a study, each with where it comes from: what a run is configured with is what the page shows.

use anyhow::Result;

use super::point::config;
use crate::config::Config;
use crate::scheme::{Organisation, Response, Scheme};

/// One setting of the runs of a study.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name, as `--set` takes it.
    pub name: &'static str,
    /// Its value, too.
    pub value: &'static str,
    /// Why it was chosen; None: the paper has it.
    pub chosen: Option<&'static str>,
    /// The schemes that have it.
    on: fn(Scheme) -> bool,
}

/// A setting that the paper states.
pub const fn paper(name: &'static str, value: &'static str) -> Setting {
    Setting { name, value, chosen: None, on: |_| true }
}

/// A setting that the paper leaves open, and why it has this value.
pub const fn chosen(name: &'static str, value: &'static str, why: &'static str) -> Setting {
    Setting { name, value, chosen: Some(why), on: |_| true }
}

impl Setting {
    /// For some schemes only.
    pub const fn on(self, on: fn(Scheme) -> bool) -> Setting {
        Setting { on, ..self }
    }

    /// As the page shows it.
    pub fn text(&self) -> String {
        match self.chosen {
            None => format!("`{} = {}`", self.name, self.value),
            Some(why) => format!("`{} = {}` (chosen: {why})", self.name, self.value),
        }
    }
}

/// Sources slow down.
pub fn throttles(scheme: Scheme) -> bool {
    scheme.response != Response::None
}

/// Several destinations share the memory of a port.
pub fn shares_memory(scheme: Scheme) -> bool {
    scheme.organisation != Organisation::LanePerDest
}

/// The configuration of a scheme: the study's settings, and on top those that the points of a study differ in.
pub fn configured(
    scheme: Scheme,
    hosts: usize,
    settings: &[&[Setting]],
    varied: &[(&str, String)],
) -> Result<Config> {
    let own = settings.iter().copied().flatten().filter(|s| (s.on)(scheme));
    let mut all: Vec<(&str, String)> = own.map(|s| (s.name, s.value.to_string())).collect();
    for (name, value) in varied {
        all.retain(|(n, _)| n != name);
        all.push((name, value.clone()));
    }
    // With a lane per destination each has a credit message in turn: the memory of an adapter's lane must outlast the turn.
    if !shares_memory(scheme) {
        let vls = config(scheme, hosts, &all)?.vls;
        all.push(("rx_blocks", (vls * (2 * vls).clamp(512, 2048)).to_string()));
        all.push(("hca_blocks", (vls * 256).to_string()));
    }
    config(scheme, hosts, &all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: &[Setting] =
        &[paper("ccti_timer", "8"), chosen("blocks", "1024", "64 KB").on(shares_memory), paper("hold", "0")];

    #[test]
    fn what_is_varied_replaces_what_is_stated() {
        let c = configured(Scheme::Ith, 8, &[SOME], &[("ccti_timer", "150".into())]).unwrap();
        assert_eq!((c.ccti_timer, c.blocks), (150, 1024));
        let c = configured(Scheme::VoqNet, 8, &[SOME], &[]).unwrap();
        assert!(c.blocks != 1024 && c.hca_blocks == c.vls * 256, "{} {}", c.blocks, c.hca_blocks);
        assert!(configured(Scheme::Ith, 8, &[SOME], &[("nothing", "1".into())]).is_err());
        assert_eq!(SOME[1].text(), "`blocks = 1024` (chosen: 64 KB)");
    }
}
