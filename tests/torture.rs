//! `quell torture`: some hundred networks, what its files refuse, failures of the past, and the space of its draws.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use quell::torture::campaign::{Campaign, campaign};
use quell::torture::case::Disturbance;
use quell::torture::draw::{Source, draw};
use quell::torture::near::near;
use quell::torture::packets::Packets;
use quell::torture::worm::{self, Worms};
use quell::torture::{Case, Engine, acks, features, judge, space};

fn quell(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quell")).args(args).output().expect("quell runs")
}

/// Networks that the design of the past broke a promise in. Each holds on the present one.
fn past() -> Vec<PathBuf> {
    past_of("tests/torture")
}

fn past_of(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files
}

/// A small network in which nothing is special: two hosts at a switch.
fn plain() -> Case {
    let seed = (0..).find(|s| {
        draw(*s, Source::Any, None)
            .is_some_and(|c| c.pair.len() == 2 && c.rewrite.is_empty() && c.reset.is_empty())
    });
    let mut case = draw(seed.unwrap(), Source::Any, Some(500)).unwrap();
    case.switch.iter_mut().for_each(|s| s.registers.clear());
    for h in &mut case.host {
        h.registers.clear();
        (h.take, h.give) = Default::default();
    }
    for l in &mut case.link {
        l.disturbed = None;
    }
    case
}

/// So many networks, from seed 1 on, until one fails; that is not made smaller.
fn up_to_one_failure(networks: u64, out: &Path) -> Campaign {
    Campaign {
        seed: 1,
        networks,
        time: None,
        jobs: 2,
        out: out.into(),
        failures: 1,
        minimise: Duration::ZERO,
    }
}

/// Golden units, any networks.
fn golden() -> Packets {
    Packets { engine: Engine::Golden, cycles: None, near: None, with: vec![] }
}

#[test]
fn some_hundred_networks_keep_every_promise() {
    let out = tempfile::tempdir().unwrap();
    let c = up_to_one_failure(300, out.path());
    let tally = campaign(&golden(), &c, &|_| ()).unwrap();
    assert!(tally.failures.is_empty(), "{:?}", tally.failures);
    assert!(tally.networks == 300 && tally.counts.packets > 10_000, "{tally:?}");
    let with = vec![features::named("reservations").unwrap(), features::named("several switches").unwrap()];
    let some = campaign(&Packets { with, ..golden() }, &c, &|_| ()).unwrap();
    assert!((1..60).contains(&some.networks) && some.counts.reservations == some.networks, "{some:?}");
}

#[test]
fn some_hundred_wormhole_networks_keep_every_promise() {
    let out = tempfile::tempdir().unwrap();
    let c = up_to_one_failure(200, out.path());
    let tally = campaign(&Worms { engine: Engine::Golden, cycles: None }, &c, &|_| ()).unwrap();
    assert!(tally.failures.is_empty(), "{:?}", tally.failures);
    let counts = tally.counts;
    assert!(tally.networks > 190 && counts.messages > 50_000 && counts.progress > 50, "{counts:?}");
    assert!(counts.shares > 0 && counts.opened > 300, "{counts:?}");
    assert!(counts.falls > 5 && counts.resets > 0 && counts.lost > 0 && counts.rewrites > 50, "{counts:?}");
}

#[test]
fn failures_of_the_past_are_mended() {
    let mut broken = Vec::new();
    for file in past() {
        let case = Case::read(&file).unwrap();
        let (found, _) = judge(&case, Engine::Golden).unwrap();
        if let Some(f) = found {
            broken.push(format!("{}: {f}", file.display()));
        }
    }
    for file in past_of("tests/torture/worm") {
        let case = worm::Case::parse(&std::fs::read_to_string(&file).unwrap()).unwrap();
        if let Some(f) = worm::judge(&case, Engine::Golden).unwrap().0 {
            broken.push(format!("{}: {f}", file.display()));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Beside each of them are legal networks, other ones with other seeds and the same with the same. A hot queue starved in one of them
/// and in most that are near it: every promise is kept there.
#[test]
fn near_a_network_are_others() {
    for file in past() {
        let base = Case::read(&file).unwrap();
        let some: Vec<Case> = (1..9).map(|seed| near(&base, seed, None).expect("a neighbour")).collect();
        for case in &some {
            assert_eq!(near(&base, case.seed, None).unwrap(), *case);
            assert_eq!(Case::parse(&case.text().unwrap()).unwrap(), *case);
        }
        // But for seed and finding they are other ones, too.
        let like = |c: &Case| Case { seed: base.seed, found: base.found.clone(), ..c.clone() };
        let others: Vec<Case> = some.iter().map(like).filter(|c| *c != base).collect();
        let alone = |(i, c): (usize, &Case)| !others[..i].contains(c);
        let different = others.iter().enumerate().filter(|o| alone(*o)).count();
        assert!(different > 5, "{}: {different} of 8", file.display());
    }
    let base = past().into_iter().find(|f| f.ends_with("hot-queue-of-one-input-starves.toml")).unwrap();
    let networks = Packets { near: Some(Case::read(&base).unwrap()), ..golden() };
    let out = tempfile::tempdir().unwrap();
    let c = up_to_one_failure(40, out.path());
    let tally = campaign(&networks, &c, &|_| ()).unwrap();
    assert_eq!((tally.networks, tally.failures.len()), (40, 0), "{:?}", tally.failures);
}

/// What is mended belongs beside the others.
#[test]
fn failures_of_today_are_not_mended_yet() {
    // There is no such folder while nothing is in it.
    let open = "tests/torture/open";
    let files =
        if Path::new(env!("CARGO_MANIFEST_DIR")).join(open).exists() { past_of(open) } else { vec![] };
    for file in files {
        let (found, _) = judge(&Case::read(&file).unwrap(), Engine::Golden).unwrap();
        assert!(found.is_some(), "{} keeps every promise by now: move it to tests/torture", file.display());
    }
}

#[test]
fn a_file_says_all_of_a_network() {
    assert!(!past().is_empty());
    let some =
        |has: fn(&Case) -> bool| (1..).find(|s| draw(*s, Source::Any, Some(700)).is_some_and(|c| has(&c)));
    let own = [some(Case::reserves), some(|c| c.switch.iter().any(|s| s.up.len() > 1))];
    for seed in [3, 11, 12, 99, 199].into_iter().chain(own.into_iter().flatten()) {
        let case = draw(seed, Source::Any, Some(700)).unwrap();
        let again = Case::parse(&case.text().unwrap()).unwrap();
        assert_eq!(again, case);
        let run = |c: &Case| {
            let (found, stats) = judge(c, Engine::Golden).unwrap();
            (found.map(|f| f.to_string()), stats.cycles, stats.packets)
        };
        assert_eq!(run(&again), run(&case));
    }
}

#[test]
fn a_plain_network_keeps_its_promises_and_replays() {
    let dir = tempfile::tempdir().unwrap();
    let case = plain();
    let file = dir.path().join("plain.toml");
    case.write(&file).unwrap();
    let out = quell(&["torture", "--replay", file.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&out.stderr));
    assert!(text.contains("every promise was kept"), "{text}");
}

/// Lost credits and messages heal; without the registers that heal them the file is refused.
#[test]
fn lost_control_words_heal() {
    let dir = tempfile::tempdir().unwrap();
    let mut case = plain();
    for l in &mut case.link {
        l.disturbed = Some(Disturbance { from: 0, until: 4000, lose: 1000, repeat: 0 });
    }
    let registers = case.switch.iter_mut().map(|s| (&mut s.parameters, &mut s.registers));
    for (parameters, r) in
        registers.chain(case.host.iter_mut().map(|h| (&mut h.parameters, &mut h.registers)))
    {
        parameters.insert("TIMER_W".into(), 32);
        parameters.insert("ISOLATION".into(), 1);
        for p in 0..parameters.get("PORTS").copied().unwrap_or(1) {
            r.insert(format!("in{p}.REFRESH"), 10);
            r.insert(format!("in{p}.LINE_TIMER"), 4000);
            r.insert(format!("out{p}.LINE_TIMER"), 4000);
        }
    }
    case.check().unwrap();
    let (found, stats) = judge(&case, Engine::Golden).unwrap();
    assert!(found.is_none() && stats.packets > 0 && stats.cycles > 4000, "{found:?} {stats:?}");
    let file = dir.path().join("lossy.toml");
    case.host[0].registers.remove("in0.REFRESH");
    case.write(&file).unwrap();
    let out = quell(&["torture", "--replay", file.to_str().unwrap()]);
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2));
    assert!(err.contains("h0: register in0.REFRESH = 0: legal is 1 or more"), "{err}");
}

#[test]
fn bad_files_are_told_by_field_and_range() {
    let dir = tempfile::tempdir().unwrap();
    let good = plain().text().unwrap();
    let file = dir.path().join("bad.toml");
    let vls = plain().switch[0].parameters["VLS"];
    let changes = [
        ("version = 1", "version = 7".to_string(), "version = 7: legal is 1"),
        ("version = 1\n", String::new(), "version: it is missing"),
        ("[[switch]]", "[[switch".into(), "line"),
        ("cycles = 500", "cycles = 0".into(), "cycles = 0 is out of range: legal is 1..10000000"),
        ("cycles = 500", "cycles = \"many\"".into(), "line"),
        ("cycles = 500", "cycles = 500\ncolour = 3".into(), "unknown field `colour`"),
        ("HPQS = ", "HPQS = 9".into(), "is out of range: legal is 1..8"),
        ("delay = [", "delay = [0, 1] # [".into(), "link 0: delay = 0 is out of range: legal is 1..1024"),
        ("lengths = [", "lengths = [0, ".into(), "lengths = 0 is out of range: legal is 1.."),
        ("window = ", "window = 0 #".into(), "window = 0 is out of range"),
        ("from = ", "from = 99 #".into(), "from = 99 is out of range: legal is 0.."),
        ("b = \"", "b = \"x".into(), "legal is a host h0"),
        (
            "[switch.registers]",
            "[switch.registers]\n\"in0.HTH\" = 70000".into(),
            "register in0.HTH = 70000 is out of range: legal is 0..65535",
        ),
        (
            "[switch.registers]",
            "[switch.registers]\n\"in99.HTH\" = 7".into(),
            "register in99.HTH: legal is in<port>.<NAME>",
        ),
        (
            "[switch.registers]",
            "[switch.registers]\n\"in0.RX_TIMEOUT\" = 3".into(),
            "RX_TIMEOUT = 3: legal is 0 or above",
        ),
        (
            "[[link]]",
            "[[reset]]\ncycle = 3\nwhat = \"s9\"\ncycles = 4\nlate = 0\nskew = 0\n\n[[link]]".into(),
            "reset 0: node \"s9\": legal is s0",
        ),
        (
            "[[link]]",
            "[[reset]]\ncycle = 3\nwhat = \"s0\"\ncycles = 0\nlate = 0\nskew = 0\n\n[[link]]".into(),
            "reset 0: cycles = 0 is out of range: legal is 1..10000",
        ),
        (&format!("VLS = {vls}"), "VLS = 0".into(), "VLS"),
    ];
    for (from, to, expected) in changes {
        let text = good.replacen(from, &to, 1);
        assert_ne!(text, good, "{from}");
        std::fs::write(&file, &text).unwrap();
        let out = quell(&["torture", "--replay", file.to_str().unwrap()]);
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{to}: {err}");
        assert!(err.contains(expected) && err.contains("bad.toml"), "{to}: {err}");
    }
    let out = quell(&["torture", "--replay", dir.path().join("none.toml").to_str().unwrap()]);
    assert_eq!(out.status.code(), Some(2));
    for args in
        [["--networks", "0"], ["--time", "soon"], ["--engine", "glass"], ["--jobs", "0"], ["--cycles", "0"]]
    {
        assert_eq!(quell(&["torture", args[0], args[1]]).status.code(), Some(2), "{args:?}");
    }
    let none = quell(&["torture", "--with", "window"]);
    let err = String::from_utf8(none.stderr).unwrap();
    assert!(
        none.status.code() == Some(2) && err.contains("legal is one of") && err.contains("; windows;"),
        "{err}"
    );
    assert_eq!(quell(&["torture", "--worm", "--with", "windows"]).status.code(), Some(2));
}

/// The first network of the draws that is as wanted and keeps its promises.
fn sound(wanted: impl Fn(&Case) -> bool) -> Case {
    let found = (1..).find_map(|seed| {
        let case = draw(seed, Source::Any, Some(500)).filter(|c| c.rewrite.is_empty() && wanted(c))?;
        judge(&case, Engine::Golden).is_ok_and(|r| r.0.is_none()).then_some(case)
    });
    found.unwrap()
}

#[test]
fn masks_that_do_not_lead_up_are_refused() {
    let draws = |c: &Case| c.switch.iter().any(|s| s.up.len() > 1 && s.parameters["RANDOM_UP"] == 1);
    let mut case = sound(draws);
    let s = case.switch.iter().position(|s| s.up.len() > 1 && s.parameters["RANDOM_UP"] == 1).unwrap();
    let down = (0..case.switch[s].parameters["PORTS"]).find(|p| !case.switch[s].up.contains(p)).unwrap();
    for mask in [0, 1 << down] {
        case.switch[s].registers.insert("in0.UP_MASK".into(), mask);
        let e = case.check().unwrap_err();
        assert!(e.contains("UP_MASK") && e.contains("legal is one or more of the ports up"), "{e}");
    }
    let up = case.switch[s].up[0];
    case.switch[s].registers.insert("in0.UP_MASK".into(), 1 << up);
    case.check().unwrap();
    case.switch[s].up.push(down);
    assert!(case.check().unwrap_err().contains("legal are"));
}

#[test]
fn chunks_that_are_never_granted_are_refused() {
    let reserves = |c: &Case| {
        c.reserves() && c.host.iter().all(|h| h.registers.get("reservation.CTRL").is_some_and(|v| v & 1 == 1))
    };
    let mut case = sound(|c| reserves(c) && c.host[0].parameters["NMAX"] > 1);
    let pair = case.pair[0].clone();
    for (h, nmin) in [(pair.from, 0), (pair.to, 0)] {
        case.host[h].registers.insert("reservation.NMIN".into(), nmin);
    }
    case.host[pair.from].registers.remove("reservation.NMAX_RUN");
    case.check().unwrap();
    case.host[pair.to].parameters.insert("NMAX".into(), 1);
    let e = case.check().unwrap_err();
    assert!(e.contains("asks for time for") && e.contains("legal is 1, NMAX of"), "{e}");
    let text = Case::parse(&case.text().unwrap()).unwrap_err();
    assert_eq!(text, e);
}

#[test]
fn time_outs_that_give_up_what_is_late_are_refused() {
    let mut case =
        sound(|c| c.host.iter().all(|h| h.registers.get("reservation.RTO").is_some_and(|v| *v > 0)));
    case.host[0].registers.insert("reservation.RTO".into(), 1);
    let e = case.check().unwrap_err();
    assert!(e.contains("h0: register reservation.RTO = 1: legal is 0 or "), "{e}");
    case.host[0].registers.insert("reservation.RTO".into(), 0);
    case.check().unwrap();
    case.host[1].parameters.insert("DEDUP".into(), 0);
    let e = case.check().unwrap_err();
    assert!(e.contains("host h1: parameter DEDUP = 0: legal is 1, that of h0"), "{e}");
}

/// Every legal pair of values of a parameter set is in the draws: of each a seed is known, and what it draws has the pair.
#[test]
fn every_legal_pair_of_parameter_values_is_drawn() {
    let pairs = space::pairs();
    assert!(pairs.len() > 2000, "{}", pairs.len());
    let wide = |c: &space::Choice| c.name == "FLIT_BYTES" && c.value == 64;
    assert!(pairs.iter().any(|p| p.iter().any(wide)));
    let mut missing = Vec::new();
    for (i, two) in pairs.iter().enumerate() {
        let case = draw(space::seed_of(i), Source::Any, None);
        let sets: Vec<_> = case
            .iter()
            .flat_map(|c| {
                c.switch
                    .iter()
                    .map(|s| ("switch", &s.parameters))
                    .chain(c.host.iter().map(|h| ("hca", &h.parameters)))
            })
            .collect();
        let has = sets.iter().any(|(unit, p)| {
            *unit == two[0].unit.cli_name() && two.iter().all(|c| p.get(c.name) == Some(&c.value))
        });
        if !has {
            missing.push(format!("{two:?}"));
        }
    }
    assert!(missing.is_empty(), "{} of {} are missing:\n{}", missing.len(), pairs.len(), missing.join("\n"));
}

/// A source response that was off and is switched on with its windows; its one waiting time is longer than any run.
#[test]
fn no_delay_that_is_drawn_is_longer_than_a_run() {
    let mut hosts = 0;
    for case in (8_068_100..8_068_300).filter_map(|seed| draw(seed, Source::Any, None)) {
        for h in 0..case.host.len() {
            let p = case.host_params(h).expect("legal parameters");
            let hold = acks::hold(&case, h, &p);
            assert!(hold <= 2000, "seed {}, h{h}: {hold}", case.seed);
            hosts += u64::from(hold > 0);
        }
    }
    assert!(hosts > 100, "{hosts}");
}

/// What the page says is drawn often enough is drawn so often, and the page names all that is counted.
#[test]
fn draws_have_the_shares_that_the_page_names() {
    let page = include_str!("../docs/torture.md");
    let rows = page.lines().filter_map(|l| {
        let cells: Vec<&str> = l.split('|').map(str::trim).collect();
        let percent = cells.get(2)?.strip_suffix(" %")?;
        Some((cells[1], percent.parse::<f64>().ok()?))
    });
    let mut named: std::collections::BTreeMap<&str, f64> = rows.collect();
    let ends = named.remove("each register at 0, and at its largest value").expect("the page's last row");
    let (networks, counts) = features::count(4000);
    let mut missing = Vec::new();
    for (name, n) in &counts {
        let register = name.contains(" = ");
        let Some(least) = (if register { Some(ends) } else { named.remove(name.as_str()) }) else {
            missing.push(format!("{name}: the page does not name it"));
            continue;
        };
        let share = 100.0 * *n as f64 / networks as f64;
        if share < least {
            missing.push(format!("{name}: {share:.2} % of {networks}, at least {least} % is wanted"));
        }
    }
    missing.extend(named.keys().map(|n| format!("{n}: not counted")));
    assert!(networks > 3900 && missing.is_empty(), "{networks} networks\n{}", missing.join("\n"));
}

#[cfg(feature = "rtl")]
#[test]
fn rtl_and_golden_units_agree_in_some_networks() {
    let out = tempfile::tempdir().unwrap();
    let c = up_to_one_failure(crate::extent::pick(4, 12), out.path());
    let networks = Packets { engine: Engine::Lockstep, cycles: Some(300), ..golden() };
    let tally = campaign(&networks, &c, &|_| ()).unwrap();
    assert!(tally.failures.is_empty() && tally.networks > 0, "{tally:?}");
}
