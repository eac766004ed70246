//! `quell paper`: the quick studies, draws, the store of finished runs, the page, bad input.

use quell::scheme::Response;
use quell::study::cache::{Cache, Sources};
use quell::study::claim::Kind;
use quell::study::page::{self, Kept};
use quell::study::run::{How, Progress};
use quell::study::{Plan, Scale, find, run_all, studies};
use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Studies that take a second or two together.
const SHORT: [&str; 5] = ["G1", "G3", "G11", "C1", "V9"];

const HOW: How = How { threads: 2, cache: None, progress: &|_| {} };

/// Sources of a number.
fn of(number: u64) -> Sources {
    Sources { fabric: number, worm: number }
}

fn ids(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}

/// Runs studies with a store and counts the runs that were not there yet.
fn run(list: &[&str], threads: usize, draws: Option<usize>, cache: &Cache) -> (String, usize) {
    let fresh = AtomicUsize::new(0);
    let progress = |step: Progress| {
        if let Progress::Done { cached: false, .. } = step {
            fresh.fetch_add(1, Ordering::Relaxed);
        }
    };
    let how = How { threads, cache: Some(cache), progress: &progress };
    let done = run_all(find(&ids(list)).unwrap(), Scale::Quick, 1, draws, &how).unwrap();
    let mut text = String::new();
    for d in &done {
        for c in &d.report.claims {
            let (v, measured) = (c.verdict(), c.measured_text());
            text += &format!("{} {v:?} | {} | {} | {measured}\n", d.study.id, c.text, c.published_text());
        }
        d.figures.iter().for_each(|f| text += &f.svg);
    }
    (text, fresh.into_inner())
}

fn kept() -> Kept {
    Kept::of_text(include_str!("../docs/results.json")).unwrap()
}

/// What the page says of them is what a run says: a claim that no longer holds is told, one that holds again is, too.
#[test]
fn the_short_studies_come_out_as_the_page_says() {
    let done = run_all(find(&ids(&SHORT)).unwrap(), Scale::Quick, 1, None, &HOW).unwrap();
    assert_eq!(done.len(), SHORT.len());
    let kept = kept();
    for d in &done {
        let id = d.study.id;
        assert!(!d.report.tables.is_empty() && !d.figures.is_empty(), "{id}");
        for f in &d.figures {
            assert!(f.svg.starts_with("<svg") || f.svg.starts_with("<?xml"), "{id} {}", f.name);
        }
        let entry = kept.0["quick"].get(id).unwrap_or_else(|| panic!("docs/results.json has no {id}"));
        let said = d.study.judge(Scale::Quick, entry.numbers.clone()).unwrap();
        assert_eq!(said.claims.len(), d.report.claims.len(), "{id}");
        for (c, said) in d.report.claims.iter().zip(&said.claims) {
            assert_eq!(
                said.holds(),
                c.holds(),
                "{id}: {}: published {}, measured {}, on the page {}; remedy: quell paper {id} --quick --page docs/results.md",
                c.text,
                c.published_text(),
                c.measured_text(),
                said.measured_text()
            );
        }
    }
}

/// No number of the page is typed: it is what the studies make of the kept figures.
#[test]
fn the_page_is_made_of_the_kept_figures() {
    let page = include_str!("../docs/results.md");
    let made = page::text(&kept(), &studies()).unwrap();
    let differs = page.lines().zip(made.lines()).find(|(a, b)| a != b);
    assert!(
        page == made,
        "docs/results.md is not what quell makes of docs/results.json: {differs:?}; remedy: quell paper --page docs/results.md"
    );
    assert_eq!(kept().text().unwrap(), include_str!("../docs/results.json"));
    for s in studies() {
        assert!(page.contains(&format!("* **{}** {}", s.id, s.title)), "docs/results.md has no {}", s.id);
    }
}

/// Each claim of the kept figures fails if its figures are others: no claim is one that cannot fail.
#[test]
fn every_claim_can_fail() {
    let mut claims = 0;
    for (form, entries) in &kept().0 {
        let scale = Scale::named(form).unwrap();
        for study in studies() {
            let Some(entry) = entries.get(study.id) else { continue };
            let report = study.judge(scale, entry.numbers.clone()).unwrap();
            // No number at all, all the same, all far off, all far from each other.
            let judged = |of: &dyn Fn(usize) -> f64| {
                let numbers = entry.numbers.iter().enumerate();
                let others = numbers.map(|(k, (name, v))| (name.clone(), vec![of(k); v.len()])).collect();
                study.judge(scale, others).unwrap()
            };
            let mut others = vec![judged(&|_| f64::NAN)];
            others.extend([0.0, 1.0, 1e9, -1e9].map(|x| judged(&|_| x)));
            others.extend([5, 7].map(|n| judged(&|k| 10f64.powi((k * 3 % n) as i32))));
            for (i, c) in report.claims.iter().enumerate() {
                claims += 1;
                assert!(!others[0].claims[i].holds(), "{} {}: holds of no numbers", study.id, c.text);
                let fails = others[1..].iter().filter(|o| !o.claims[i].holds()).count();
                assert!(fails > 0, "{} {}: holds of whatever is measured", study.id, c.text);
                if let Kind::Value { published, .. } = &c.kind {
                    assert!(!c.deviation().is_empty() && published.len() == c.measured.len());
                }
            }
        }
    }
    assert!(claims > 20, "{claims}");
}

/// The point of InfiniBand congestion control, and of EcoCC and its parts with one hotspot.
#[test]
fn the_victims_are_saved() {
    for id in ["G2", "E1"] {
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
        let done = run_all(vec![study], Scale::Quick, 1, Some(1), &HOW).unwrap();
        let part = if id == "E1" { "64 nodes, traffic 1" } else { "the victim keeps" };
        let looked_at: Vec<_> = done[0].report.claims.iter().filter(|c| c.text.starts_with(part)).collect();
        assert!(!looked_at.is_empty(), "{id}");
        for c in looked_at {
            let (published, measured) = (c.published_text(), c.measured_text());
            assert!(c.holds(), "{id}: {}: published {published}, measured {measured}", c.text);
        }
    }
}

#[test]
fn a_claim_can_fail() {
    // Under the control of G2 nothing is as G1, without control, says.
    let mut swapped = find(&ids(&["G1"])).unwrap().remove(0);
    swapped.points = |scale, seed| {
        let g2 = find(&["G2".to_string()])?.remove(0);
        let mut on = (g2.points)(scale, seed)?.into_iter().find(|p| p.name == "on").unwrap();
        on.name = "off".into();
        Ok(vec![on])
    };
    let done = run_all(vec![swapped], Scale::Quick, 1, None, &HOW).unwrap();
    assert!(!done[0].report.holds(), "G1's claims hold under congestion control");
}

#[test]
fn finished_runs_are_not_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), of(1)).unwrap();
    let (first, fresh) = run(&["G1", "G2"], 2, None, &cache);
    assert_eq!(fresh, 2, "G1 and G2 share a run");
    let (second, fresh) = run(&["G1", "G2"], 1, None, &cache);
    assert_eq!((second == first, fresh), (true, 0));

    // Another study has its own.
    let (_, fresh) = run(&["G4"], 2, None, &cache);
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
    let (third, fresh) = run(&["G1", "G2"], 1, None, &cache);
    assert_eq!((third == first, fresh), (true, 2));
    let other = Cache::open(folder.path(), of(2)).unwrap();
    assert_eq!(run(&["G1"], 1, None, &other).1, 1);
}

/// Hotspots are drawn by the seed, a run for each draw, and an interrupted study goes on with the draws that are not there yet.
#[test]
fn draws_are_runs_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), of(1)).unwrap();
    // G10's four short runs stand for all.
    let (_, fresh) = run(&["G10"], 2, Some(1), &cache);
    assert_eq!(fresh, 4);
    let (text, fresh) = run(&["G10"], 2, Some(2), &cache);
    assert_eq!(fresh, 4, "the first draw is there");
    assert!(text.contains("draws: 2") && text.contains(" ± "), "{text}");
    let (again, fresh) = run(&["G10"], 1, Some(2), &cache);
    assert_eq!((again == text, fresh), (true, 0));
    let two = run_all(find(&ids(&["G10"])).unwrap(), Scale::Quick, 1, Some(2), &HOW).unwrap();
    for values in two[0].numbers.values() {
        assert!(values.len() == 2 && values[0] != values[1], "{values:?}");
    }
}

#[test]
fn forms_have_their_draws_and_networks() {
    let all = studies();
    let drawn: Vec<&str> = all.iter().filter(|s| s.drawn).map(|s| s.id).collect();
    assert_eq!(drawn, ["G8", "G9", "G10", "C3", "E1", "E2", "E3", "E6", "R2", "R4", "R11"]);
    for s in all {
        let runs = |scale, draws| Plan::new(&find(&ids(&[s.id])).unwrap(), scale, 1, draws).unwrap().runs;
        let (one, quick) = (runs(Scale::Quick, Some(1)), runs(Scale::Quick, None));
        let full = (runs(Scale::Full, Some(1)), runs(Scale::Full, None));
        // What does not depend on a draw is run once: programs alone, and the part of G9 that shows a trend.
        let fixed = |scale, runs: &[quell::study::Job]| {
            if !s.drawn {
                return 0;
            }
            let other = Plan::new(&find(&ids(&[s.id])).unwrap(), scale, 2, Some(1)).unwrap().runs;
            let other: HashSet<String> = other.iter().map(|run| run.text()).collect();
            runs.iter().filter(|run| other.contains(&run.text())).count()
        };
        let all = [one.len(), full.0.len()];
        let fixed = [fixed(Scale::Quick, &one), fixed(Scale::Full, &full.0)];
        let wanted = [3, 8].map(|draws| if s.drawn { draws } else { 1 });
        let of = |i: usize| if s.drawn { fixed[i] + (all[i] - fixed[i]) * wanted[i] } else { all[i] };
        assert_eq!((quick.len(), full.1.len()), (of(0), of(1)), "{}", s.id);
        let known = match s.id {
            "G9" => [0, 24],
            "E6" => [15, 15],
            _ => [0, 0],
        };
        assert_eq!(fixed, known, "{}", s.id);
        if s.sizes {
            let nodes = |runs: &[quell::study::Job]| {
                let mut all: Vec<String> =
                    runs.iter().filter_map(|r| Some(r.fabric()?.network.clone())).collect();
                all.sort();
                all.dedup();
                all
            };
            assert_eq!(nodes(&quick), ["4ary-3tree"], "{}", s.id);
            assert_eq!(nodes(&full.1), ["4ary-3tree", "4ary-4tree"], "{}", s.id);
            let largest = runs(Scale::Only(1024), None);
            assert_eq!(nodes(&largest), ["4ary-5tree"], "{}", s.id);
            assert_eq!(largest.len(), 3 * runs(Scale::Only(1024), Some(1)).len(), "{}", s.id);
        }
        // Where sources wait by a timer the study says what a BECN does to a running timer.
        if full
            .1
            .iter()
            .filter_map(|job| job.fabric())
            .any(|run| run.config.scheme.response == Response::Delay)
        {
            assert!(s.settings.iter().copied().flatten().any(|s| s.name == "restart"), "{}", s.id);
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [a, b] = [0, 1]
        .map(|i| run(&["G3", "C1"], 1 + 2 * i, None, &Cache::open(folders[i].path(), of(1)).unwrap()).0);
    assert_eq!(a, b);
}

fn quell(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quell")).arg("paper").args(args).current_dir(dir).output().unwrap()
}

#[test]
fn the_command_writes_figures_reports_and_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let ran = quell(dir.path(), &["g1", "--quick", "--out", "here", "--page", "page.md"]);
    let text = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(
        text.contains("published: F1 alone 13")
            && text.contains(
                "4 of 4 claims hold (values 4 of 4, orders 0 of 0, bounds 0 of 0); 1 figure in here"
            ),
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
    let g1 = &json["studies"][0];
    assert_eq!(
        (&g1["id"], &g1["holds"], &g1["claims"][0]["kind"]),
        (&"G1".into(), &true.into(), &"value".into())
    );
    let md = quell(dir.path(), &["G1", "--quick", "--out", "here", "--format", "md"]);
    assert!(String::from_utf8_lossy(&md.stdout).starts_with("| id | claim | kind | must be | published |"));

    // The page can be made again of what is kept beside it, and has a second study beside the first.
    let page = dir.path().join("page.md");
    let read = || std::fs::read_to_string(&page).unwrap();
    let first = read();
    std::fs::remove_file(&page).unwrap();
    assert_eq!(quell(dir.path(), &["--page", "page.md"]).status.code(), Some(0));
    assert_eq!(read(), first);
    let ran = quell(dir.path(), &["G11", "--quick", "--out", "here", "--page", "page.md"]);
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(read().contains("| G1 | ") && read().contains("| G11 | "));

    let plan = quell(dir.path(), &["G1", "G2", "--quick", "--out", "here", "--plan"]);
    let plan = String::from_utf8_lossy(&plan.stdout).into_owned();
    let row = |id: &str| {
        let line = plan.lines().find(|l| l.trim().starts_with(id)).unwrap_or_else(|| panic!("{plan}"));
        line.split_whitespace().skip(1).take(2).map(|n| n.parse().unwrap()).collect::<Vec<usize>>()
    };
    assert_eq!((row("G1"), row("G2")), (vec![1, 1], vec![2, 1]), "{plan}");
    assert!(plan.contains("2 runs in all"), "{plan}");
}

#[test]
fn bad_input_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    std::fs::write(dir.path().join("bad.json"), "{\"quick\": 1}").unwrap();
    for (args, says) in [
        (&["G99"][..], "there is no study G99: there are G1, "),
        (&[], "give --all"),
        (&["G1", "--all"], "cannot be used with"),
        (&["G1", "--threads", "0"], "legal is 1..256"),
        (&["E1", "--draws", "0"], "legal is 1..64"),
        (&["E1", "--draws", "65"], "legal is 1..64"),
        (&["E1", "--draws", "many"], "invalid value 'many'"),
        (&["E1", "--size", "63"], "legal is 64, 256, 1024"),
        (&["E1", "--size", "64", "--quick"], "cannot be used with"),
        (&["G1", "--size", "64"], "G1 has one network"),
        (&["E1", "--size", "64", "--page", "page.md"], "leave out --size"),
        (&["--page", "page.md"], "there is no page.json"),
        (&["--page", "bad.md"], "bad.json"),
        (&["G1", "--quick", "--page", "bad.md"], "bad.json"),
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
