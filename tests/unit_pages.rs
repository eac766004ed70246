//! The unit pages in `docs/` name every port, and no port that does not exist.

use std::collections::BTreeSet;

use quell::params::{Params, UnitKind};
use quell::signals::Layout;

/// The names in backticks in the first column of the tables under `## Ports`.
fn documented(page: &str) -> Vec<String> {
    let ports = page.split("## ").find(|s| s.starts_with("Ports")).expect("a section ## Ports");
    ports
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(" |").next())
        .flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`').to_string()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn every_port_is_documented_and_every_documented_port_exists() {
    for unit in UnitKind::ALL {
        let path = format!("{}/docs/{}.md", env!("CARGO_MANIFEST_DIR"), unit.cli_name());
        let page = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let documented = documented(&page);
        let layout = Layout::new(unit, &Params::default());
        let ports: Vec<String> = layout.signals.iter().map(|s| s.name.to_string()).collect();
        assert_eq!(documented, ports, "{path} and src/signals.rs, in order");
        // The same name may be an input and an output, but not twice in one direction.
        let unique: BTreeSet<_> = layout.signals.iter().map(|s| (format!("{:?}", s.group), s.name)).collect();
        assert_eq!(unique.len(), ports.len());
    }
}
