//! Waveforms as other readers see them.

use super::*;
use crate::params::{UnitKind, builds};
use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;
use vcd::{Command, IdCode, TimescaleUnit, Value};
use wellen::simple::Waveform;

/// Values by full name after the commands up to a time.
fn values_at(text: &[u8], time: u64) -> HashMap<String, String> {
    let mut parser = vcd::Parser::new(text);
    let header = parser.parse_header().unwrap();
    assert_eq!(header.timescale, Some((100, TimescaleUnit::PS)));
    let mut names: HashMap<IdCode, Vec<String>> = HashMap::new();
    for item in &header.items {
        if let vcd::ScopeItem::Scope(scope) = item {
            for item in &scope.items {
                if let vcd::ScopeItem::Var(v) = item {
                    names.entry(v.code).or_default().push(format!("{}.{}", scope.identifier, v.reference));
                }
            }
        }
    }
    let mut values = HashMap::new();
    for command in parser {
        let (id, value) = match command.unwrap() {
            Command::Timestamp(t) if t > time => break,
            Command::ChangeScalar(id, v) => (id, if v == Value::V1 { "1".into() } else { "0".to_string() }),
            Command::ChangeVector(id, v) => (id, v.to_string()),
            Command::ChangeString(id, s) => (id, s),
            _ => continue,
        };
        for n in &names[&id] {
            values.insert(n.clone(), value.clone());
        }
    }
    values
}

#[test]
fn values_come_back_through_the_parser() {
    let build = builds().into_iter().find(|b| b.unit == UnitKind::InputPort && b.name == "tiny").unwrap();
    let l = Layout::new(build.unit, &build.params);
    let mut input = vec![0; l.in_words];
    let (mut out, mut state) = (vec![0; l.out_words], vec![0; l.state_words]);
    let mut file = Cursor::new(Vec::new());
    let mut w = UnitWriter::new(&mut file, Format::Vcd, &build, &[], &[]).unwrap();
    let quiet = (out.clone(), state.clone());
    w.cycle(10, Cycle { input: &input, rtl: (&out, &state), golden: (&quiet.0, &quiet.1), hits: &[] })
        .unwrap();
    input[l.input("rx_data") + 7] = 0x8000_0000;
    input[l.input("rd_en") + 2] = 1;
    out[l.output("req_len") + 1] = 0x55;
    state[l.state("st_line_state") + 1] = 2;
    w.cycle(11, Cycle { input: &input, rtl: (&out, &state), golden: (&out, &state), hits: &[] }).unwrap();
    w.cycle(12, Cycle { input: &input, rtl: (&out, &state), golden: (&out, &quiet.1), hits: &[] }).unwrap();
    w.cycle(13, Cycle { input: &input, rtl: (&out, &state), golden: (&out, &state), hits: &[] }).unwrap();
    w.finish(None).unwrap();
    let text = file.into_inner();

    let v = values_at(&text, 10 * 128);
    assert_eq!((v["rtl.clk"].as_str(), v["mismatch.cycle"].as_str()), ("1", "1010"));
    assert_eq!((v["rtl.req_len[1]"].as_str(), v["golden.st_line_state_text_1"].as_str()), ("0", "FREE"));
    assert_eq!(values_at(&text, 10 * 128 + 64)["golden.clk"], "0");

    let v = values_at(&text, 11 * 128);
    assert_eq!(v["rtl.rx_data"], format!("1{}", "0".repeat(255)));
    assert_eq!(v["golden.rx_data"], v["rtl.rx_data"]);
    assert_eq!((v["rtl.rd_en[2]"].as_str(), v["rtl.rd_en[1]"].as_str()), ("1", "0"));
    assert_eq!((v["golden.req_len[1]"].as_str(), v["golden.req_len[0]"].as_str()), ("1010101", "0"));
    assert_eq!((v["rtl.st_line_state[1]"].as_str(), v["rtl.st_line_state_text_1"].as_str()), ("10", "HOT"));
    assert_eq!(v["mismatch.any"], "0");

    let v = values_at(&text, 12 * 128);
    assert_eq!(
        (v["rtl.st_line_state_text_1"].as_str(), v["golden.st_line_state_text_1"].as_str()),
        ("HOT", "FREE")
    );
    assert_eq!((v["mismatch.any"].as_str(), v["mismatch.st_line_state"].as_str()), ("1", "1"));
    assert_eq!(v["mismatch.st_line_queue"], "0");

    let v = values_at(&text, 13 * 128);
    assert_eq!((v["mismatch.any"].as_str(), v["mismatch.st_line_state"].as_str()), ("0", "0"));
    // Unchanged values are not written again.
    let lines = std::str::from_utf8(&text).unwrap().lines();
    assert_eq!(lines.filter(|l| l.starts_with("b1010101 ")).count(), 2);
}

#[test]
fn names_in_a_scope_are_unique() {
    for b in builds() {
        let l = Layout::new(b.unit, &b.params);
        let mut names: Vec<_> = l.signals.iter().map(|s| s.name).chain(["clk", "cycle", "any"]).collect();
        names.sort();
        let n = names.len();
        names.dedup();
        assert_eq!(names.len(), n, "{} {}", b.unit.cli_name(), b.name);
    }
}

/// A waveform of random words: all units, things that differ, cover points.
fn random(format: Format, build: &crate::params::Build, seed: u64) -> (Vec<u8>, View) {
    use rand::{Rng, SeedableRng};
    let mut random = rand::rngs::SmallRng::seed_from_u64(seed);
    let l = Layout::new(build.unit, &build.params);
    let mut file = Cursor::new(Vec::new());
    let mut w = UnitWriter::new(&mut file, format, build, &["a_point", "b_point", "c_point"], &[]).unwrap();
    let mut vectors = [vec![0; l.in_words], vec![0; l.out_words], vec![0; l.state_words]];
    for number in 7..27 {
        for (vector, group) in vectors.iter_mut().zip([Group::Input, Group::Output, Group::State]) {
            for s in l.signals.iter().filter(|s| s.group == group) {
                for i in 0..s.count {
                    let words = &mut vector[s.offset + i * s.stride()..][..s.stride()];
                    if random.random_range(0..4) > 0 {
                        continue;
                    }
                    words.iter_mut().for_each(|w| *w = random.random());
                    let top = s.width % 32;
                    if top > 0 {
                        *words.last_mut().unwrap() &= (1 << top) - 1;
                    }
                }
            }
        }
        let [input, out, state] = &vectors;
        let mut other = out.clone();
        if number == 20 {
            other[0] ^= 1;
        }
        let hits: &[usize] = if number % 5 == 0 { &[0, 2] } else { &[] };
        w.cycle(number, Cycle { input, rtl: (out, state), golden: (&other, state), hits }).unwrap();
    }
    let view = w.finish(None).unwrap();
    (file.into_inner(), view)
}

fn opened(bytes: Vec<u8>) -> Waveform {
    wellen::simple::read_from_reader(Cursor::new(bytes)).expect("a waveform")
}

/// All changes of all variables from a time on, by their full names; of text without the blanks at its end.
fn changes(mut wave: Waveform, from: u64) -> BTreeMap<String, Vec<(u64, String)>> {
    let vars: Vec<_> = wave
        .hierarchy()
        .iter_vars()
        .map(|v| (v.full_name(wave.hierarchy()), v.index(), v.signal_ref()))
        .collect();
    let signals: Vec<_> = vars.iter().map(|v| v.2).collect();
    wave.load_signals(&signals);
    let table = wave.time_table().to_vec();
    let mut found = BTreeMap::new();
    for (name, index, signal) in vars {
        let signal = wave.get_signal(signal).expect("loaded");
        let value = |v: wellen::SignalValue| match v {
            wellen::SignalValue::String(s) => s.trim_end().to_string(),
            other => other.to_bit_string().expect("bits").trim_start_matches('0').to_string(),
        };
        let all = signal.iter_changes().map(|(t, v)| (table[t as usize], value(v)));
        let mut list: Vec<(u64, String)> = all.filter(|c| c.0 >= from).collect();
        list.dedup_by(|b, a| a.1 == b.1);
        assert!(found.insert(format!("{name} {index:?}"), list).is_none(), "{name} is there twice");
    }
    found
}

#[test]
fn fst_says_what_vcd_says() {
    for b in builds().iter().filter(|b| b.name == "tiny" || b.unit == UnitKind::Switch).take(12) {
        let [vcd, fst] = [Format::Vcd, Format::Fst].map(|f| random(f, b, 5).0);
        let [vcd, fst] = [vcd, fst].map(|bytes| changes(opened(bytes), 7 * UNITS_PER_CYCLE));
        assert!(vcd.len() > 40 && vcd.values().map(Vec::len).sum::<usize>() > 400, "{}", b.title());
        let (letters, fst): (BTreeMap<_, _>, BTreeMap<_, _>) =
            fst.into_iter().partition(|(name, _)| name.contains("_ascii "));
        assert_eq!(vcd.keys().collect::<Vec<_>>(), fst.keys().collect::<Vec<_>>());
        // `n` of `none`.
        let last = letters.iter().find(|(name, _)| name.starts_with("events.last_ascii")).expect("there").1;
        assert!(last[0].1.starts_with("1101110") && last.len() > 1, "{last:?}");
        for (name, list) in &vcd {
            assert_eq!(list, &fst[name], "{} of {}", name, b.title());
        }
    }
}

/// The variables of a VCD, as GTKWave names them.
fn names(text: &str) -> Vec<String> {
    let (mut scopes, mut names) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["$scope", _, name, "$end"] => scopes.push(name),
            ["$upscope", "$end"] => drop(scopes.pop()),
            ["$var", _, _, _, name, "$end"] => names.push(format!("{}.{name}", scopes.join("."))),
            ["$var", _, _, _, name, range, "$end"] => {
                names.push(format!("{}.{name}{range}", scopes.join(".")))
            }
            ["$enddefinitions", ..] => break,
            _ => {}
        }
    }
    names
}

#[test]
fn layouts_name_what_is_in_the_waveform_of_every_build() {
    for b in builds() {
        let (bytes, view) = random(Format::Vcd, &b, 3);
        let there: std::collections::BTreeSet<String> =
            names(std::str::from_utf8(&bytes).unwrap()).into_iter().collect();
        let gtkwave = view.gtkwave("x.vcd");
        let wanted: Vec<&str> =
            gtkwave.lines().filter(|l| l.contains('.') && !l.starts_with(['[', '*', '-'])).collect();
        assert!(wanted.len() > 40, "{}", b.title());
        for name in &wanted {
            assert!(there.contains(*name), "{}: no {name}", b.title());
        }
        for s in &Layout::new(b.unit, &b.params).signals {
            let is = |name: &&&str| {
                let rest = name.strip_prefix("rtl.").and_then(|n| n.strip_prefix(s.name));
                rest.is_some_and(|r| r.is_empty() || r.starts_with(['[', '_']))
            };
            assert!(wanted.iter().any(|n| is(&n)), "{}: {} is not in the layout", b.title(), s.name);
        }

        // As Surfer looks them up: scopes between dots, and the number of a bit of a vector at the end.
        let wave = opened(bytes);
        let h = wave.hierarchy();
        let surfer = view.surfer("x.vcd");
        let added: Vec<&str> = surfer.lines().filter_map(|l| l.strip_prefix("variable_add ")).collect();
        assert!(added.len() > 40, "{}", b.title());
        for path in added {
            let mut scopes: Vec<&str> = path.split('.').collect();
            let name = scopes.pop().unwrap();
            let bit = name.strip_suffix(']').and_then(|n| n.rsplit_once('[')).filter(|n| !n.0.is_empty());
            let found = match bit {
                None => h.lookup_var(&scopes, &name),
                Some((name, i)) => {
                    let i = i.parse().unwrap();
                    h.lookup_var_with_index(&scopes, &name, &Some(wellen::VarIndex::new(i, i)))
                }
            };
            assert!(found.is_some(), "{}: no {path}", b.title());
        }
    }
}

#[test]
fn a_layout_opens_on_the_difference_with_pairs_first() {
    let build = crate::params::Build::named(UnitKind::HcaThrottle, Some("tiny")).unwrap();
    let (_, view) = random(Format::Vcd, &build, 3);
    let gtkwave = view.gtkwave("x.vcd");
    let lines: Vec<&str> = gtkwave.lines().collect();
    // 20 cycles of 12800 ps.
    assert!(lines.iter().any(|l| l.starts_with("*-") && l.ends_with(" 256000 256000")), "{gtkwave}");
    let of =
        |name: &str| lines.iter().position(|l| *l == name).unwrap_or_else(|| panic!("no {name}:\n{gtkwave}"));
    let (first, second) = (of("rtl.ready"), of("golden.ready"));
    assert!(first < second && second < of("-Demand"), "{gtkwave}");
    assert!(of("events.a_point") > of("-Demand") && !lines.contains(&"events.b_point"), "{gtkwave}");
    assert!(view.gtkwave("x.fst").contains("\nevents.last_ascii[959:0]\n"));
    let surfer = view.surfer("x.vcd");
    for line in
        ["cursor_set 2560", "marker_set event 2560", "variable_add golden.ready", "divider_add Demand"]
    {
        assert!(surfer.lines().any(|l| l == line), "no {line}:\n{surfer}");
    }
    assert!(!surfer.lines().any(|l| !l.starts_with('#') && l.contains(['#', ';'])), "{surfer}");
}

#[test]
fn a_cover_point_is_1_in_the_cycles_in_which_it_happens() {
    let build = crate::params::Build::named(UnitKind::HcaThrottle, Some("tiny")).unwrap();
    let found = changes(opened(random(Format::Vcd, &build, 3).0), 0);
    let of = |name: &str| {
        let mut list = found.iter().filter(|(n, _)| n.starts_with(&format!("{name} ")));
        list.next().unwrap_or_else(|| panic!("no {name}")).1.clone()
    };
    let cycles = |list: Vec<(u64, String)>| {
        list.into_iter().map(|(t, v)| (t / UNITS_PER_CYCLE, v)).collect::<Vec<_>>()
    };
    let pulses =
        [(7, ""), (10, "1"), (11, ""), (15, "1"), (16, ""), (20, "1"), (21, ""), (25, "1"), (26, "")];
    let pulses: Vec<_> = pulses.map(|(c, v)| (c, v.to_string())).into();
    assert_eq!(cycles(of("events.a_point")), pulses);
    assert_eq!(cycles(of("events.b_point")), [(7, String::new())]);
    assert_eq!(cycles(of("events.last")), [(7, "none".into()), (10, "a_point,c_point".into())]);
}
