//! README.md and docs/ as a reader meets them: every page is in the book's table of contents, links lead somewhere, the glossary's terms
//! are those of the pages, the commands shown are there, and the tutorial's steps say what the page says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A third of what README had when it was a tour of all commands.
const README_WORDS: usize = 572;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Names of the pages in docs/, but for the table of contents.
fn names() -> BTreeSet<String> {
    let entries = std::fs::read_dir(root().join("docs")).expect("docs/");
    let names = entries.map(|e| e.expect("readable").file_name().to_string_lossy().into_owned());
    names.filter(|n| n.ends_with(".md") && n != "SUMMARY.md").collect()
}

/// All pages, as paths from the root.
fn pages() -> Vec<String> {
    std::iter::once("README.md".to_string()).chain(names().iter().map(|n| format!("docs/{n}"))).collect()
}

/// A page without blocks of code.
fn prose(text: &str) -> String {
    let mut inside = false;
    let outside = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    outside.collect::<Vec<_>>().join("\n")
}

/// Where the links of a page lead, code left out.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let spans = prose.split('`').step_by(2).collect::<Vec<_>>().join("_");
    spans
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(link, _)| link.to_string())
        .collect()
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in prose(text).lines().filter(|l| l.starts_with('#')) {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let numbered = (1..).map(|n| format!("{anchor}-{n}"));
        let mut free = std::iter::once(anchor.clone()).chain(numbered);
        anchors.insert(free.find(|a| !anchors.contains(a)).expect("some number is free"));
    }
    anchors
}

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    let mut listed = links(&read("docs/SUMMARY.md"));
    assert_eq!(listed.remove(0), "../README.md");
    let unique: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "a page is in docs/SUMMARY.md twice");
    assert_eq!(unique, names(), "docs/SUMMARY.md and the pages in docs/");
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let folder = Path::new(&page).parent().expect("a folder");
        for link in links(&text).into_iter().filter(|l| !l.contains("://")) {
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let there = if path.is_empty() { PathBuf::from(&page) } else { folder.join(path) };
            assert!(root().join(&there).is_file(), "{page}: {link}: there is no such file");
            assert!(
                anchor.is_empty() || anchors(&read(&there)).contains(anchor),
                "{page}: {link}: no heading gives this anchor"
            );
        }
    }
    assert!(count > 300, "{count} links");
}

#[test]
fn readme_stays_a_way_in() {
    let text = read("README.md");
    let words = text.split_whitespace().count();
    assert!(words <= README_WORDS, "{words} words; what is reference belongs into docs/");
    for part in ["./run ", "./test ", "docs/figures/overview.svg", "crate `verilated`"] {
        assert!(text.contains(part), "README.md has lost {part}");
    }
}

/// The pieces of a text between characters that no word has.
fn words(text: &str) -> String {
    let spaced = text.chars().map(|c| if c.is_alphanumeric() || "-_'".contains(c) { c } else { ' ' });
    let spaced: String = spaced.collect();
    format!(" {} ", spaced.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn terms_of_the_glossary_are_those_of_the_pages() {
    let others = pages().into_iter().filter(|p| p != "docs/glossary.md");
    let text = words(&others.map(read).collect::<Vec<_>>().join("\n"));
    let glossary = read("docs/glossary.md");
    let mut firsts = Vec::new();
    for row in glossary.lines().filter_map(|l| l.strip_prefix("| **")) {
        let cells: Vec<&str> = row.trim_end_matches('|').split(" | ").map(str::trim).collect();
        let [terms, meaning, place, rules] = cells[..] else { panic!("four cells are wanted: {row}") };
        let terms: Vec<&str> = terms.split(", ").map(|t| t.trim_matches('*')).collect();
        firsts.push(terms[0].to_lowercase());
        for term in terms {
            let term = words(term);
            let found =
                ["", "s", "es"].iter().any(|end| text.contains(&format!("{}{end} ", term.trim_end())));
            assert!(found, "{} is in the glossary, and on no page", term.trim());
        }
        assert!(!meaning.is_empty() && place.starts_with('['), "{row}");
        for rule in rules.split_whitespace() {
            assert!(quell::rules::title(rule).is_some(), "{row}: there is no rule {rule}");
        }
    }
    assert!(firsts.len() > 80, "{} terms", firsts.len());
    assert!(firsts.is_sorted(), "not in order: {firsts:?}");
}

/// The edits that README.md and the tutorial ask for can be made, and the tutorial's map is that of the example.
#[test]
fn what_the_tutorial_edits_is_there() {
    let once = |file: &str, text: &str| {
        assert_eq!(read(file).matches(text).count(), 1, "{text} in {file}");
    };
    assert!(
        read("README.md").contains("sed -i 's/elapsed) > ird_o/elapsed) >= ird_o/' rtl/throttle_verdict.sv")
    );
    once("rtl/throttle_verdict.sv", "elapsed) > ird_o");
    let tutorial = read("docs/tutorial.md");
    assert!(tutorial.contains(r"sed -i 's/since\[b_e\] + 1;/since[b_e] + 2;/' my.v"));
    once("examples/dut/pacer/nic_pacer.v", "since[b_e] + 1;");
    let (mut mine, mut theirs) = (map(&tutorial), read("examples/dut/pacer/pacer.toml"));
    assert_eq!(mine.matches("stopp").count(), 1, "the slip");
    mine = mine.replace("stopp", "stop");
    theirs.truncate(theirs.find("[events]").expect("tolerances, which the tutorial leaves out"));
    let table = |text: &str| text.parse::<toml::Table>().unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(table(&mine), table(&theirs));
}

/// The map that the tutorial writes.
fn map(tutorial: &str) -> String {
    let (_, rest) = tutorial.split_once("cat > my.toml <<'END'\n").expect("a map");
    rest.split_once("END\n").expect("an end").0.to_string()
}

/// What needs all commands.
#[cfg(all(feature = "cli", feature = "rtl", feature = "measure", feature = "studies"))]
mod commands {
    use super::{map, pages, read, root};
    use crate::command::quell;
    use quell::params::UnitKind;
    use std::collections::BTreeMap;

    /// The blocks of code of a kind.
    fn blocks<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
        text.split(&format!("```{kind}\n")).skip(1).map(|b| b.split("\n```").next().unwrap_or(b)).collect()
    }

    /// The command lines of a page, without comments; a line that goes on is one with the next.
    fn lines(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for block in blocks(text, "sh") {
            let joined = block.replace("\\\n", " ");
            for line in joined.lines() {
                let code = if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line) };
                lines.extend(code.split("; ").map(|c| c.trim().to_string()).filter(|c| !c.is_empty()));
            }
        }
        lines
    }

    /// Whether a word stands for something that the reader puts there.
    fn stands_for(word: &str) -> bool {
        word.contains('$') || word.contains("..") || word.chars().any(|c| c.is_ascii_uppercase())
    }

    #[test]
    fn every_command_shown_is_there() {
        let dir = tempfile::tempdir().expect("a folder");
        let help = |args: &[&str]| {
            let ran = quell(dir.path(), &[args, &["--help"]].concat());
            assert_eq!(ran.status, 0, "quell {args:?}: {}", ran.err);
            ran.out
        };
        let scenarios = quell(dir.path(), &["scenarios"]).out;
        let mut helps: BTreeMap<String, String> = BTreeMap::new();
        let mut count = 0;
        for page in pages() {
            for line in lines(&read(&page)) {
                let words: Vec<&str> = line.split_whitespace().collect();
                for word in &words {
                    let path = word.trim_start_matches("./");
                    let ours = ["examples/", "tests/", "tb/", "rtl/", "scripts/", "docs/"];
                    let ours = ours.iter().any(|f| path.starts_with(f));
                    let there = root().join(path).exists();
                    assert!(!ours || there || stands_for(word), "{page}: {line}: there is no {word}");
                }
                let ["quell", command, rest @ ..] = &words[..] else { continue };
                if command.starts_with('-') || stands_for(command) {
                    continue;
                }
                count += 1;
                let known = helps.entry(command.to_string()).or_insert_with(|| help(&[command]));
                for (i, word) in rest.iter().enumerate() {
                    let flag = word.split('=').next().unwrap_or(word);
                    let listed = || known.split([' ', ',', '\n', '[', ']', '|', '=']).any(|w| w == flag);
                    assert!(
                        !flag.starts_with('-') || flag.parse::<f64>().is_ok() || listed(),
                        "{page}: {line}: quell {command} has no {flag}"
                    );
                    let named = rest.get(i + 1).filter(|w| *word == "--scenario" && !stands_for(w));
                    assert!(named.is_none_or(|w| scenarios.contains(w)), "{page}: {line}: no such scenario");
                }
                if let ("cosim", Some(unit)) = (*command, rest.first()) {
                    let known = UnitKind::ALL.iter().any(|u| u.cli_name() == *unit);
                    assert!(known || stands_for(unit), "{page}: {line}: there is no unit {unit}");
                }
            }
        }
        assert!(count > 60, "{count} commands");
    }

    /// The steps that make no model: the messages are those of the page.
    #[test]
    fn the_tutorial_is_told_what_it_says() {
        let dir = tempfile::tempdir().expect("a folder");
        let tutorial = read("docs/tutorial.md");
        let start = "quell: error: nic_pacer cannot take the place";
        let told: Vec<&str> =
            blocks(&tutorial, "text").into_iter().filter(|b| b.starts_with(start)).collect();
        let [without, slip, state] = told[..] else { panic!("three messages are wanted: {told:?}") };
        std::fs::copy(root().join("examples/dut/pacer/nic_pacer.v"), dir.path().join("my.v"))
            .expect("copied");
        let wrong = map(&tutorial);
        std::fs::write(dir.path().join("slip.toml"), &wrong).expect("written");
        std::fs::write(dir.path().join("my.toml"), wrong.replace("stopp", "stop")).expect("written");
        let start = ["cosim", "hca-throttle", "--build", "tiny", "--dut", "my.v", "--top", "nic_pacer"];
        for (more, shown) in [
            (vec![], without),
            (vec!["--map", "slip.toml", "--compare", "events"], slip),
            (vec!["--map", "my.toml", "--compare", "state"], state),
        ] {
            let ran = quell(dir.path(), &[&start[..], &more].concat());
            assert_eq!(ran.status, 2, "{}{}", ran.out, ran.err);
            let said = ran.err.replace("slip.toml", "my.toml");
            for line in shown.lines() {
                assert!(said.contains(line), "docs/tutorial.md shows\n{line}\nand quell says\n{said}");
            }
        }
    }
}
