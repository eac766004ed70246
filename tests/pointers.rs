//! docs/pointers.md is true: the files are there, the broken designs that it names are in tests/broken/faults.toml, and every module
//! that uses a round-robin arbiter or scan has a row.

use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of the page's tables, cell by cell.
fn rows() -> Vec<Vec<String>> {
    let page = read("docs/pointers.md");
    let lines = page.lines().filter(|l| l.starts_with("| ") && l.contains("`rtl/"));
    lines.map(|l| l.trim_matches('|').split('|').map(|c| c.trim().to_string()).collect()).collect()
}

/// What stands in code quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_page_of_pointers_names_what_is_there() {
    let faults = read("tests/broken/faults.toml");
    let rows = rows();
    assert!(rows.len() > 15, "{} rows", rows.len());
    for row in rows {
        for file in quoted(&row[1]) {
            read(file);
        }
        let [_, _, _, _, broken] = &row[..] else { continue };
        let named = quoted(broken);
        assert!(!named.is_empty(), "{}: no broken design", row[0]);
        for name in named {
            assert!(faults.contains(&format!("name = \"{name}\"\n")), "{}: no broken design {name}", row[0]);
        }
    }
}

#[test]
fn every_round_robin_has_a_row() {
    let rows = rows();
    let listed = |file: &str| rows.iter().any(|r| r[1].contains(&format!("`rtl/{file}`")));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl");
    for entry in std::fs::read_dir(folder).expect("rtl/") {
        let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
        let text = read(&format!("rtl/{name}"));
        // flow_pick is combinational: the pointers are flow_select's.
        let of = if name == "flow_pick.sv" { "flow_select.sv" } else { name.as_str() };
        let uses = text.contains("  rr_arbiter #(")
            || text.contains("  flow_scan #(")
            || text.contains("choose(offers");
        assert!(!uses || listed(of), "docs/pointers.md has no row for a pointer of {name}");
    }
}
