//! Reads and writes networks: the project's own form, the topology files of `ibnetdiscover` and the forwarding tables
//! of `ibroute` (`docs/fabric-files.md`).

pub mod ibnetdiscover;
pub mod lft;
mod loaded;
pub mod own;

pub use loaded::{FileError, Ids, Loaded};

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

use crate::fabric::net::Timing;
use crate::fabric::topology;

/// The network of a name or a file, checked. What does not name a network is taken as a file if it exists.
pub fn open(spec: &str) -> Result<Loaded> {
    let path = Path::new(spec);
    let looks_like_file = spec.contains(std::path::MAIN_SEPARATOR) || path.extension().is_some();
    let loaded = if looks_like_file || path.is_file() {
        load(path)?
    } else {
        let net = topology::by_name(spec).map_err(|e| anyhow!("{e}; and there is no file {spec}"))?;
        Loaded { ids: Ids::of(&net), net, notes: Vec::new() }
    };
    checked(spec, loaded)
}

/// Passes on a network that is in order; the error lists all that is wrong with it.
pub fn checked(spec: &str, loaded: Loaded) -> Result<Loaded> {
    if let Err(problems) = loaded.net.check() {
        let list: Vec<String> = problems.iter().map(|p| format!("  {p}")).collect();
        bail!("network {spec} cannot run:\n{}", list.join("\n"));
    }
    Ok(loaded)
}

/// Reads a network in the project's own form or in that of `ibnetdiscover`; it is routed but not checked.
pub fn load(path: &Path) -> Result<Loaded> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    if ibnetdiscover::looks_like(&text) {
        ibnetdiscover::read(path, &text, Timing::DEFAULT.delay_ns)
    } else {
        let net = own::read(path, &text)?;
        Ok(Loaded { ids: Ids::of(&net), net, notes: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_takes_names_and_files() {
        assert_eq!(open("two-switch").unwrap().net.hosts.len(), 7);
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        assert_eq!(open(data.join("dumbbell.toml").to_str().unwrap()).unwrap().net.hosts.len(), 4);
        assert_eq!(open(data.join("small.topo").to_str().unwrap()).unwrap().net.hosts.len(), 4);
        let error = |spec| open(spec).unwrap_err().to_string();
        assert!(error("no-such-net").ends_with("and there is no file no-such-net"));
        assert_eq!(error("no/such/file.toml"), "cannot read no/such/file.toml");
    }

    #[test]
    fn the_page_tells_the_truth() {
        let page = include_str!("../../../docs/fabric-files.md");
        let sample = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        let net = own::read(Path::new("sample.toml"), sample).unwrap();
        net.check().unwrap();
        assert_eq!(net.hosts.len(), 3);
        for entry in topology::NAMES {
            assert!(page.contains(&format!("`{}`", entry.name)), "{}", entry.name);
        }
        let block = |start: &str| {
            let from = page.find(start).unwrap();
            &page[from..from + page[from..].find("```").unwrap()]
        };
        // two of the three records: leaf2 is not shown
        let records = block("switchguid=").replace("[35]", "#");
        let mut loaded = ibnetdiscover::read(Path::new("sample"), &records, 6.0).unwrap();
        assert_eq!(loaded.net.hosts[0].name, "node1 HCA-1");
        let tables = block("Unicast lids").replace("0x0008", "#");
        lft::read(Path::new("sample"), &tables, &mut loaded.net, &loaded.ids).unwrap();
        assert_eq!(loaded.net.switches[0].lft[1], 0);
    }

    /// Damaged files give an error or another network, never a panic.
    #[test]
    fn damaged_files_are_no_surprise() {
        use rand::{Rng, SeedableRng};
        let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
        let samples = [
            include_str!("../../../tests/data/dumbbell.toml"),
            include_str!("../../../tests/data/small.topo"),
            include_str!("../../../tests/data/small.lft"),
        ];
        let path = Path::new("damaged");
        let topology = ibnetdiscover::read(path, samples[1], 6.0).unwrap();
        let (mut accepted, mut refused) = (0, 0);
        for round in 0..6000 {
            let mut text: Vec<char> = samples[round % 3].chars().collect();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..text.len());
                match rng.random_range(0..4) {
                    0 => text[at] = *[' ', '0', '9', '"', '[', '\n', 'x', '-', 'ü'].get(round % 9).unwrap(),
                    1 => drop(text.remove(at)),
                    2 => text.truncate(at.max(1)),
                    _ => {
                        let piece: Vec<char> = text[at..(at + 40).min(text.len())].to_vec();
                        let to = rng.random_range(0..text.len());
                        text.splice(to..to, piece);
                    }
                }
            }
            let text: String = text.into_iter().collect();
            let net = match round % 3 {
                0 => own::read(path, &text).ok(),
                1 => ibnetdiscover::read(path, &text, 6.0).ok().map(|l| l.net),
                _ => {
                    let mut net = topology.net.clone();
                    lft::read(path, &text, &mut net, &topology.ids).ok().map(|()| net)
                }
            };
            if net.is_some_and(|n| n.check().is_ok()) {
                accepted += 1;
            } else {
                refused += 1;
            }
        }
        assert!(accepted > 500 && refused > 500, "{accepted} {refused}");
    }

    #[test]
    fn a_network_that_cannot_run_is_refused_with_all_its_problems() {
        let mut net = topology::by_name("two-switch").unwrap();
        net.switches[1].lft[5] = 7;
        net.switches[1].lft[6] = 0xFF;
        let loaded = Loaded { ids: Ids::of(&net), net, notes: Vec::new() };
        let error = checked("two-switch", loaded).unwrap_err().to_string();
        assert!(error.starts_with("network two-switch cannot run:\n  no route from H1 to H5: routing loop"));
        assert!(error.contains("\n  no route from H1 to H6: switch S2 has no LFT entry for it"));
    }
}
