//! `quell paper`: the quick studies, the store of finished runs, bad input.

use quell::study::cache::Cache;
use quell::study::run::{How, Progress};
use quell::study::{Scale, find, run_all, studies};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Studies that take a second or two together.
const SHORT: [&str; 5] = ["G1", "G3", "G8", "G11", "C1"];

fn ids(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

/// Runs studies with a store and counts the runs that were not there yet.
fn run(list: &[&str], threads: usize, cache: &Cache) -> (String, usize) {
    let fresh = AtomicUsize::new(0);
    let progress = |step: Progress| {
        if let Progress::Done { cached: false, .. } = step {
            fresh.fetch_add(1, Ordering::Relaxed);
        }
    };
    let how = How { threads, cache: Some(cache), progress: &progress };
    let done = run_all(find(&ids(list)).unwrap(), Scale::Quick, 1, &how).unwrap();
    let mut text = String::new();
    for d in &done {
        for c in &d.report.claims {
            text += &format!("{} {} | {} | {} | {}\n", d.study.id, c.holds, c.text, c.published, c.measured);
        }
        d.report.figures.iter().for_each(|f| text += &f.svg);
    }
    (text, fresh.into_inner())
}

/// Whether docs/results.md says that a claim holds in the short form.
fn on_the_page(claim: &str) -> Option<bool> {
    let page = include_str!("../docs/results.md");
    let quick = page.split("## ").find(|part| part.starts_with("Quick"))?;
    let row = quick.lines().find(|l| l.split(" | ").nth(1) == Some(claim))?;
    Some(row.contains("| yes |"))
}

/// What the page says of them is what a run says: a claim that no longer holds is told, one that holds again is, too.
#[test]
fn the_short_studies_come_out_as_the_page_says() {
    let how = How { threads: 2, cache: None, progress: &|_| {} };
    let done = run_all(find(&ids(&SHORT)).unwrap(), Scale::Quick, 1, &how).unwrap();
    assert_eq!(done.len(), SHORT.len());
    for d in &done {
        assert!(!d.report.tables.is_empty() && !d.report.figures.is_empty(), "{}", d.study.id);
        for f in &d.report.figures {
            assert!(f.svg.starts_with("<svg") || f.svg.starts_with("<?xml"), "{} {}", d.study.id, f.name);
        }
        for c in &d.report.claims {
            let said = on_the_page(&c.text);
            assert_eq!(
                said,
                Some(c.holds),
                "{}: {}: published {}, measured {}; remedy: the table of `quell paper --all --quick --format md`",
                d.study.id,
                c.text,
                c.published,
                c.measured
            );
        }
    }
}

/// The point of InfiniBand congestion control, and of EcoCC and its parts with one hotspot.
#[test]
fn the_victims_are_saved() {
    let how = How { threads: 2, cache: None, progress: &|_| {} };
    for (id, claims) in [("G2", vec![0]), ("E1", vec![0, 1, 2])] {
        let mut study = find(&ids(&[id])).unwrap().remove(0);
        if id == "E1" {
            // Only traffic 1 is looked at: its runs stand in for those of the others, which are not done then.
            study.points = |scale, seed| {
                let mut points = (find(&["E1".to_string()])?.remove(0).points)(scale, seed)?;
                let first: Vec<_> = points.iter().filter(|p| p.name.contains("/1 ")).cloned().collect();
                assert_eq!(first.len(), 5);
                points.iter_mut().zip(first.iter().cycle()).for_each(|(p, one)| p.run = one.run.clone());
                Ok(points)
            };
        }
        let done = run_all(vec![study], Scale::Quick, 1, &how).unwrap();
        for c in claims.into_iter().map(|i| &done[0].report.claims[i]) {
            assert!(c.holds, "{id}: {}: published {}, measured {}", c.text, c.published, c.measured);
        }
    }
}

#[test]
fn a_claim_can_fail() {
    // Under the control of G2 nothing is as G1, without control, says.
    let how = How { threads: 1, cache: None, progress: &|_| {} };
    let mut swapped = find(&ids(&["G1"])).unwrap().remove(0);
    swapped.points = |scale, seed| {
        let g2 = find(&["G2".to_string()])?.remove(0);
        let mut on = (g2.points)(scale, seed)?.into_iter().find(|p| p.name == "on").unwrap();
        on.name = "off".into();
        Ok(vec![on])
    };
    let done = run_all(vec![swapped], Scale::Quick, 1, &how).unwrap();
    assert!(!done[0].report.holds(), "G1's claims hold under congestion control");
}

#[test]
fn finished_runs_are_not_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 1).unwrap();
    let (first, fresh) = run(&["G1", "G2"], 2, &cache);
    assert_eq!(fresh, 2, "G1 and G2 share a run");
    let (second, fresh) = run(&["G1", "G2"], 1, &cache);
    assert_eq!((second == first, fresh), (true, 0));

    // Another study has one of its two runs there already.
    let (_, fresh) = run(&["G6"], 2, &cache);
    assert_eq!(fresh, 1);

    // A damaged entry is done again, and so is everything for another program.
    let entries: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(entries.len(), 3);
    for (i, path) in entries.iter().enumerate() {
        let text = std::fs::read_to_string(path).unwrap();
        let reseeded = text.replacen("\"seed\":1", "\"seed\":2", 1);
        let damaged = [&text[..text.len() / 2], "", &reseeded][i];
        std::fs::write(path, damaged).unwrap();
    }
    let (third, fresh) = run(&["G1", "G2"], 1, &cache);
    assert_eq!((third == first, fresh), (true, 2));
    let other = Cache::open(folder.path(), 2).unwrap();
    assert_eq!(run(&["G1"], 1, &other).1, 1);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [a, b] = [0, 1].map(|i| run(&["G3", "G6"], 1 + 2 * i, &Cache::open(folders[i].path(), 1).unwrap()).0);
    assert_eq!(a, b);
}

fn quell(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quell")).arg("paper").args(args).current_dir(dir).output().unwrap()
}

#[test]
fn the_command_writes_figures_and_reports() {
    let dir = tempfile::tempdir().unwrap();
    let ran = quell(dir.path(), &["g1", "--quick", "--out", "here"]);
    let text = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(
        text.contains("published: 13") && text.contains("4 of 4 claims hold; 1 figure in here"),
        "{text}"
    );
    let mut names: Vec<String> = std::fs::read_dir(dir.path().join("here"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["g1-flows.svg", "g1.json", "runs"]);
    let json = quell(dir.path(), &["G1", "--quick", "--out", "here", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["studies"][0]["id"], &json["studies"][0]["holds"]), (&"G1".into(), &true.into()));
    let md = quell(dir.path(), &["G1", "--quick", "--out", "here", "--format", "md"]);
    assert!(String::from_utf8_lossy(&md.stdout).starts_with("| id | claim | published | measured | holds |"));
}

#[test]
fn bad_input_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    for (args, says) in [
        (&["G99"][..], "there is no study G99: there are G1, "),
        (&[], "give --all"),
        (&["G1", "--all"], "cannot be used with"),
        (&["G1", "--threads", "0"], "0 is not in 1..=256"),
        (&["E1", "--nodes", "63"], "63 is not in 64.."),
        (&["E1", "--nodes", "64", "--quick"], "cannot be used with"),
        (&["G1", "--quick", "--out", "file/under"], "cannot make file/under"),
    ] {
        let ran = quell(dir.path(), args);
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains(says), "{args:?}: {err}");
    }
    let list = quell(dir.path(), &["--list"]);
    let text = String::from_utf8_lossy(&list.stdout);
    assert_eq!(text.lines().count(), studies().len());
}

/// The page has every study, and its numbers are those of a run.
#[test]
fn the_page_has_every_study() {
    let page = include_str!("../docs/results.md");
    for s in studies() {
        assert!(page.contains(&format!("| {} |", s.id)), "docs/results.md has no {}", s.id);
    }
}
