//! Configurations as a whole: who counts, what files become, and what is refused.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::*;
use crate::params::{Build, Params, UnitKind, builds};
use crate::scheme::Scheme;

fn build(name: &str) -> Build {
    builds().into_iter().find(|b| b.name == name && b.unit == UnitKind::InputPort).unwrap()
}

/// The papers' switch and adapter, every parameter of them.
fn papers() -> Build {
    Build { params: Params::default(), ..build("p8v1") }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut f = tempfile::NamedTempFile::new().unwrap();
    f.write_all(text.as_bytes()).unwrap();
    f
}

type Load = fn(&mut Sources, &Path) -> Result<(), ConfigError>;

fn unit_of(load: Load, text: &str, build: &Build) -> Result<Config, ConfigError> {
    let mut s = Sources::default();
    load(&mut s, file(text).path())?;
    s.unit(build)
}

fn unit(text: &str) -> Result<Config, ConfigError> {
    unit_of(Sources::toml, text, &papers())
}

fn opensm(text: &str) -> Result<Config, ConfigError> {
    unit_of(Sources::opensm, text, &papers())
}

/// The configuration of a network of 64 hosts at 12.8 ns.
fn network_of(load: Load, text: &str) -> Result<Config, ConfigError> {
    let mut s = Sources::default();
    load(&mut s, file(text).path())?;
    s.network(64, 12_800)
}

fn network(text: &str) -> Result<Config, ConfigError> {
    network_of(Sources::toml, text)
}

#[test]
fn keys_are_the_fields_and_every_legal_value_fits() {
    // All fields have a value.
    let mut c = Config::of_build(Scheme::EcoCc, &papers());
    c.sum_hth = Some(1);
    c.sum_lth = Some(1);
    c.rtt_min = Some(1);
    c.fill_level = Some(1);
    c.mb_th = Some(1);
    c.vb_th = Some(1);
    c.stamp_w = Some(8);
    c.oblocks = Some(64);
    c.victim_mask = Some(Mask::default());
    c.tick_cycles = Some(1);
    c.be_mask = Some(1);
    c.flow_sl = vec![1];
    c.cct = Some(Cct::Us(vec![1.0]));
    let mut fields: Vec<String> = c.values().keys().cloned().collect();
    fields.retain(|f| f != "scheme");
    fields.sort();
    let mut names: Vec<String> = KEYS.iter().map(|k| k.name.to_string()).collect();
    names.sort();
    assert_eq!(fields, names);
    for key in KEYS {
        let ends = match key.kind {
            ValueKind::Int(lo, hi) => vec![lo.to_string(), hi.to_string()],
            ValueKind::Word(words) => words.iter().map(|w| w.to_string()).collect(),
            ValueKind::Bool => vec!["true".into(), "false".into()],
            ValueKind::Real(lo, hi) => vec![lo.to_string(), hi.to_string()],
            ValueKind::List(lo, hi) => vec![format!("[{lo}, {hi}]")],
            ValueKind::Ports => vec!["[0, 254]".into()],
            ValueKind::Table => vec!["[\"3:16383\"]".into(), "[0.5]".into(), "i*2".into()],
            ValueKind::Power(most) => vec!["1".into(), most.to_string()],
            ValueKind::Sls => vec!["[0, 15]".into()],
        };
        let clock = value::Clock { mtu: 32, cycle_ps: None, hosts: None };
        for text in ends {
            let v = value::read(key, &value::of_text(&text), &clock).unwrap();
            c.put(key, v.clone(), Origin::Study);
            assert_eq!(c.values().get(key.name), Some(&v), "{}", key.name);
            assert_eq!(c.origin(key.name), Origin::Study);
        }
    }
}

/// Output queues: for VOQs without CAM lines, of legal sizes; the thresholds that are shares of a queue follow it.
#[test]
fn output_queues_are_built_where_they_can_be() {
    let mut c = Config::new(Scheme::Mvcm, 8);
    (c.cioq, c.oblocks) = (true, Some(96));
    c.check().unwrap();
    let p = c.switch_params(8);
    assert!(p.cioq && !p.isolation && p.ocap() == 96 && !c.hca_params().cioq);
    assert_eq!(c.output_markers().find(|r| r.0 == "VB_TH"), Some(("VB_TH", 31)));
    let key = KEYS.iter().find(|k| k.name == "oblocks").unwrap();
    c.put(key, toml::Value::Integer(c.mtu as i64 - 1), Origin::Study);
    let e = c.check().unwrap_err();
    assert!(e.to_string().contains("oblocks") && e.problem.contains("OBLOCKS/VLS"), "{e}");
    c = Config::new(Scheme::Pfister, 8);
    c.eval = 3;
    assert!(c.check().unwrap_err().problem.contains("needs cioq = true"));
    c.cioq = true;
    c.check().unwrap();
    assert_eq!(c.output_ctrl(true) >> 3 & 3, 3);
    // As large as an input's buffer, if nobody says.
    assert_eq!(c.switch_params(8).oblocks, c.blocks);
    c = Config::new(Scheme::EcoCc, 8);
    c.cioq = true;
    c.check().unwrap();
    assert!(!c.switch_params(8).cioq, "not beside CAM lines");
}

#[test]
fn later_sources_count_and_each_value_knows_its_own() {
    let toml =
        file("scheme = \"ccfit\"\nmarking_rate = 9\nhth = 200\nccti_timer = \"8 us\"\nrefresh = \"13us\"\n");
    let conf = file(
        "congestion_control TRUE\ncc_sw_cong_setting_control_map 0x10\ncc_sw_cong_setting_marking_rate 3\n\
         cc_ca_cong_setting_control_map 1\ncc_ca_cong_setting_ccti_timer 0 77\ncc_cct 0:0,3:9\n",
    );
    let mut s = Sources::default();
    s.toml(toml.path()).unwrap();
    let alone = s.network(7, 25_600).unwrap();
    assert_eq!((alone.marking_rate, alone.ccti_timer, alone.refresh), (9, 8, 508));
    s.opensm(conf.path()).unwrap();
    s.option("ccti_timer = 5").unwrap();
    let c = s.network(7, 25_600).unwrap();
    let (toml, conf) = (toml.path().display(), conf.path().display());
    for (name, value, from) in [
        ("scheme", "ccfit", format!("{toml}:1")),
        ("hth", "200", format!("{toml}:3")),
        ("lth", "64", "default of scheme ccfit".into()),
        ("refresh", "508", format!("{toml}:5")),
        ("mtu", "32", "default".into()),
        ("marking_rate", "3", format!("{conf}:3 (cc_sw_cong_setting_marking_rate)")),
        ("ccti_timer", "5", "--set".into()),
        ("cct", "", format!("{conf}:6 (cc_cct)")),
        ("ccti_limit", "1", format!("{conf}:6 (cc_cct)")),
        // opensm's default, which the file does not say
        ("packet_size", "0", format!("{conf} (cc_sw_cong_setting_packet_size)")),
        ("timer_per_sl", "true", conf.to_string()),
    ] {
        let v = c.values()[name].to_string();
        assert!(value.is_empty() || v.trim_matches('"') == value, "{name} = {v}");
        assert_eq!(c.origin(name).to_string(), from, "{name}");
    }
    assert_eq!(c.cct, Some(Cct::Entries(vec![cct::Entry(0), cct::Entry(0xc009)])));
    assert_eq!(c.cct_us, None);
    // What says the same in another way is over, whoever said it.
    s.option("cct_us=0.5").unwrap();
    s.option("ccti_limit=9").unwrap();
    let c = s.network(7, 25_600).unwrap();
    assert_eq!((c.cct, c.cct_us, c.ccti_limit), (None, Some(0.5), 9));
    // The command line chooses the scheme over a file.
    s.scheme("ith", Origin::Option("--scheme")).unwrap();
    let c = s.network(7, 25_600).unwrap();
    assert_eq!((c.scheme, c.hth, c.lth), (Scheme::Ith, 200, 128));
    assert_eq!(c.origin("scheme").to_string(), "--scheme");
    assert_eq!(c.origin("lth").to_string(), "default");
}

#[test]
fn the_order_within_a_source_does_not_count() {
    for text in ["lth = 300\nhth = 400\n", "hth = 400\nlth = 300\n", "hth = \"50 MTU\"\nmtu = 8\nlth = 300\n"]
    {
        let c = network(text).unwrap();
        assert_eq!((c.hth, c.lth), (400, 300), "{text}");
    }
    let mut c = Config::new(Scheme::EcoCc, 64);
    c.change(&[("refresh", "30000"), ("line_timer", "40000")], &Origin::Study).unwrap();
    assert_eq!((c.refresh, c.line_timer, c.origin("refresh")), (30_000, 40_000, Origin::Study));
}

#[test]
fn what_nobody_says_follows_what_somebody_says() {
    let c = network("hth = 100\n").unwrap();
    assert_eq!((c.hth, c.lth, c.said("lth")), (100, 68, false));
    let c = network("hth = 20\n").unwrap();
    assert_eq!((c.hth, c.lth), (20, 19));
    assert!(c.notes.iter().any(|n| n.contains("less than one MTU")), "{:?}", c.notes);
    let c = network("cct = [0, 1.5, 2]\n").unwrap();
    assert_eq!((c.ccti_limit, c.said("ccti_limit")), (2, false));
}

#[test]
fn what_is_written_is_read_back() {
    let mut c = Config::new(Scheme::Ccfit, 64);
    c.change(
        &[
            ("cct", "[\"0:0\", \"3:9\"]"),
            ("ccti_limit", "1"),
            ("victim_mask", "[1, 70]"),
            ("sum_hth", "300"),
            ("flow_sl", "[3, 5]"),
            ("marking", "false"),
            ("weight", "7"),
        ],
        &Origin::Study,
    )
    .unwrap();
    let texts = [network(&c.to_toml(None)).unwrap(), Config::new(Scheme::VoqNet, 64)];
    assert_eq!(texts[0].values(), c.values());
    assert_eq!(network(&texts[1].to_toml(None)).unwrap().values(), texts[1].values());
    let mut s = Sources::default();
    s.toml(&data("ecocc.toml")).unwrap();
    let c = s.unit(&papers()).unwrap();
    let again = unit(&c.to_toml(None)).unwrap();
    assert_eq!(again.values(), c.values());
    let plain = |c: &Config| c.lft.iter().map(|r| (r.first, r.last, r.port)).collect::<Vec<_>>();
    assert_eq!(plain(&again), plain(&c));
    assert_eq!(c.origin("hth").spot().and_then(|s| s.line), Some(5));
}

#[test]
fn the_page_has_a_file_that_is_read() {
    let page = include_str!("../../docs/fabric-files.md");
    let part = page.split("## Settings files (TOML)").nth(1).unwrap();
    let text = part.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let c = unit_of(Sources::toml, text, &build("nfq")).unwrap();
    assert_eq!((c.scheme, c.hth, c.lth, c.refresh), (Scheme::Ccfit, 32, 16, 3906));
    assert_eq!((c.ccti_timer, c.mark_mode, c.mark_fraction, c.lft.len()), (8, 2, 218, 1));
    assert!(c.victim(0, false) && c.victim(1, false) && !c.victim(2, false));
    let network_part = text.split("[lft]").next().unwrap();
    assert_eq!(network(network_part).unwrap().hth, 128);
}

#[test]
fn a_network_has_the_papers_defaults() {
    for scheme in Scheme::ALL {
        for hosts in [2, 7, 64, 648, 1024] {
            let c = Config::new(scheme, hosts);
            c.check().unwrap_or_else(|e| panic!("{} {hosts}: {e}", scheme.name));
            let mut s = Sources::default();
            s.scheme(scheme.name, Origin::Option("--scheme")).unwrap();
            let said = s.network(hosts, 12_800).unwrap();
            assert_eq!((said.values(), said.notes), (c.values(), Vec::new()));
        }
    }
    // cct[127] = 127^2 * 7 / 106^2 = 10.05 us
    let t = Config::new(Scheme::Ith, 7).table(128, 25_600.0, 32);
    assert_eq!((t.entries.len(), t.entries[0], t.entries[127]), (128, 0, 393));
    assert!(t.absolute && t.cut.is_none());
}

#[test]
fn defaults_fit_every_build() {
    for b in builds() {
        let c = Sources::default().unit(&b).unwrap();
        assert_eq!(c.notes, Vec::<String>::new(), "{}", b.title());
        assert!(c.lth >= 1 && c.lth < c.hth && (c.hth as usize) < b.params.cap(0), "{}", b.title());
        assert!(c.stop.max(c.detect) < b.params.cap(0) as u32);
        assert!((c.ccti_limit as usize) < b.params.cct);
    }
    let c = Sources::default().unit(&papers()).unwrap();
    assert_eq!((c.hth, c.lth, c.detect, c.hold, c.line_timer), (192, 128, 128, 32, u32::MAX));
    assert_eq!((c.scheme, c.packet_size, c.refresh, c.rx_timeout), (Scheme::EcoCc, 8, 0, Some(1024)));
    // a scheme's thresholds count in packets of the build, if they fit
    let c = Config::of_build(Scheme::Ccfit, &papers());
    assert_eq!((c.hth, c.lth, c.stop, c.go, c.restart), (128, 64, 320, 128, true));
    let c = Sources::default().unit(&build("nfq")).unwrap();
    assert_eq!((c.scheme, c.hth, c.stop, c.restart), (Scheme::Ccfit, 40, 0, true));
    assert_eq!(c.origin("restart"), Origin::Scheme(Scheme::Ccfit));
    assert_eq!(c.origin("hth"), Origin::Default);
}

#[test]
fn the_example_opensm_file() {
    let load = |unit: Option<&Build>, scheme: Option<&str>| {
        let mut s = Sources::default();
        s.opensm(&data("opensm.conf")).unwrap();
        if let Some(name) = scheme {
            s.scheme(name, Origin::Option("--scheme")).unwrap();
        }
        match unit {
            Some(b) => s.unit(b).unwrap(),
            None => s.network(64, 12_800).unwrap(),
        }
    };
    for c in [load(Some(&papers()), None), load(None, None)] {
        assert_eq!((c.weight, c.packet_size, c.marking_rate, c.marking), (15, 8, 1, true));
        assert_eq!((c.ccti_timer, c.ccti_increase, c.ccti_min, c.ccti_limit), (150, 1, 0, 127));
        assert_eq!((c.sl_mode, c.timer_per_sl, c.restart, c.victim_hosts), (false, true, false, false));
        // InfiniBand's ports 1 to 4 are a network's 0 to 3.
        let victims: Vec<usize> = (0..8).filter(|&p| c.victim(p, p == 7)).collect();
        assert_eq!(victims, [0, 1, 2, 3]);
        let t = c.table(128, 12_800.0, 32);
        assert_eq!((t.entries.len(), t.entries[0], t.entries[127]), (128, 0, cct::pack(3, 196).unwrap()));
        assert!(!t.absolute);
        // the table agrees with the papers' to half a step of an eighth of a packet
        for (i, e) in t.entries.iter().enumerate() {
            let us = f64::from(e & 0x3fff) * 0.4096 / f64::from(1u32 << (e >> 14));
            let papers = (i * i) as f64 * 7.0 / (106.0 * 106.0);
            assert!((us - papers).abs() <= 0.0256 + 1e-9, "entry {i}");
        }
        let ignored = c.notes.iter().find(|n| n.contains("ignored, without a place here")).unwrap();
        for key in
            ["cc_key", "cc_max_outstanding_mads", "cc_sw_cong_setting_credit_mask", "trigger_threshold"]
        {
            assert!(ignored.contains(key), "{ignored}");
        }
    }
    let has = |c: &Config, parts: &[&str]| c.notes.iter().any(|n| parts.iter().all(|p| n.contains(p)));
    let c = load(Some(&papers()), None);
    assert!(has(&c, &["input-port has no use for", "marking_rate", "ccti_timer", "cct"]), "{:?}", c.notes);
    assert!(!has(&c, &["input-port has no use for", "weight"]));
    // what a scheme cannot bear
    let c = load(None, Some("hfdi"));
    assert!(has(&c, &["scheme hfdi does not mark: no effect of", "marking_rate"]), "{:?}", c.notes);
    assert!(has(&c, &["scheme hfdi does not throttle: no effect of", "cct"]), "{:?}", c.notes);
    let c = load(None, Some("ccfit"));
    assert!(
        has(&c, &["scheme ccfit does not act on the fill of VOQs: no effect of weight"]),
        "{:?}",
        c.notes
    );
}

#[test]
fn what_a_network_or_a_unit_cannot_bear_is_told() {
    for (text, line, parts) in [
        ("cycle_ns = 10\n", 1, &["cycle_ns = 10", "single units only"][..]),
        ("mtu = 32\nport = 3\n", 2, &["port = 3", "single units only"]),
        ("mtu = 32\n[lft]\n1 = 1\n", 3, &["[lft]", "--lft"]),
        ("vls = 3\n", 1, &["vls = 3", "BLOCKS = 2048 must be a multiple of VLS = 3"]),
        ("scheme = \"1q\"\nvls = 2\n", 2, &["vls = 2", "1..1 with one queue"]),
    ] {
        let e = network(text).unwrap_err();
        assert_eq!(e.line(), Some(line), "{text}: {e}");
        assert!(parts.iter().all(|p| e.to_string().contains(p)), "{text}: {e}");
    }
    let c = network("[knobs]\nload = 0.5\n").unwrap();
    assert!(c.notes[0].contains(":2: [knobs]"), "{:?}", c.notes);
    let c = network("hth = 3000\nscheme = \"ith\"\nhpqs = 4\n").unwrap();
    assert!(c.notes.iter().any(|n| n.contains("hth = 3000") && n.contains("2048 flits")), "{:?}", c.notes);
    assert!(c.notes.iter().any(|n| n.contains("has no CAM lines: no effect of hpqs")), "{:?}", c.notes);
    let c = network("cct_us = 10\n").unwrap();
    assert!(c.notes[0].contains("cct_us: entries from 10 on are cut to 838.848 us"), "{:?}", c.notes);
    // Only entries that are used count.
    assert!(network("cct_us = 10\nccti_limit = 9\n").unwrap().notes.is_empty());
    // A law is cut like it, a list or a formula refused.
    let steep = "cct = \"exponential(first=0.1us, ratio=2)\"\n";
    let c = network(steep).unwrap();
    assert!(c.notes[0].contains("cct: entries from 15 on are cut to 838.848 us"), "{:?}", c.notes);
    let t = c.table(128, 12_800.0, 32);
    assert_eq!((t.entries.len(), t.entries[1], t.entries[14], t.entries[127]), (128, 8, 64_000, 65_535));
    let relative = network(&format!("{steep}cct_relative = true\n")).unwrap();
    assert!(relative.notes[0].contains("cct: entries from 18 on are cut to 6710"), "{:?}", relative.notes);
    assert!(network(&format!("{steep}ccti_limit = 14\n")).unwrap().notes.is_empty());
    let e = network("cct = \"i^2*10\"\n").unwrap_err();
    assert!(e.to_string().contains("entry 10 is too long: legal is 0 to 838.848 us"), "{e}");

    for (text, line, parts) in [
        ("mtu = 16\n", 1, &["mtu = 16", "p8v1", "has MTU = 32", "-P MTU="][..]),
        ("scheme = \"1q\"\nhth = 5000\n", 2, &["hth = 5000", "0..2047", "CAP"]),
    ] {
        let e = unit(text).unwrap_err();
        assert_eq!(e.line(), Some(line), "{text}: {e}");
        assert!(parts.iter().all(|p| e.to_string().contains(p)), "{text}: {e}");
    }
    let c = unit("mtu = 32\nadvoq = 4\nvictim_hosts = true\n").unwrap();
    assert!(c.notes.iter().any(|n| n.contains("no use for advoq, victim_hosts")), "{:?}", c.notes);
    let c = unit("scheme = \"1q\"\n").unwrap();
    assert!(c.notes[0].contains("ONE_QUEUE = 0"), "{:?}", c.notes);
    let oneq = build("oneq");
    for (text, part) in [("scheme = \"ecocc\"\n", "ISOLATION = 0"), ("scheme = \"ith\"\n", "ONE_QUEUE = 1")] {
        let e = unit_of(Sources::toml, text, &oneq).unwrap_err();
        assert!(e.line() == Some(1) && e.to_string().contains(part), "{e}");
    }
    let tiny = build("tiny");
    for (text, parts) in [
        ("hth = \"6 MTU\"\n", &["hth = 24", "0..11", "12"][..]),
        ("hth = \"2 MTU\"\nlth = 9\n", &["lth = 9", "hth = 8"]),
        ("[lft]\n1 = 3\n", &["0..2 (PORTS-1)"]),
        ("[lft]\n16 = 1\n", &["0..15"]),
        ("line_timer = \"4 us\"\n", &["line_timer = 313", "255 cycles"]),
        ("refresh = \"4us\"\n", &["refresh = 313", "line_timer = 255"]),
    ] {
        let e = unit_of(Sources::toml, text, &tiny).unwrap_err();
        assert!(parts.iter().all(|p| e.to_string().contains(p)), "{text}: {e}");
    }
    let small = Build { params: Params { cct: 8, flows: 5, ts_w: 10, ..Params::default() }, ..papers() };
    let e = unit_of(Sources::toml, "ccti_limit = 8\n", &small).unwrap_err();
    assert!(e.to_string().contains("0..7"), "{e}");
    let mut s = Sources::default();
    s.opensm(&data("opensm.conf")).unwrap();
    let e = s.unit(&small).unwrap_err();
    assert!(e.to_string().contains("cc_cct = 128 entries") && e.to_string().contains("CCT = 8"), "{e}");
    assert!(e.line().is_some());
}

/// Text, line of the error, and what the message must hold.
type Bad = (&'static str, usize, &'static [&'static str]);

fn refused(cases: &[Bad], load: fn(&str) -> Result<Config, ConfigError>) {
    for (text, line, parts) in cases {
        let e = load(text).err().unwrap_or_else(|| panic!("accepted: {text}"));
        let message = e.to_string();
        assert_eq!(e.line(), Some(*line), "{text}: {message}");
        assert!(message.starts_with('/'), "{message}");
        for part in *parts {
            assert!(message.contains(part), "{text}: '{part}' is not in: {message}");
        }
    }
}

#[test]
fn bad_toml_is_refused() {
    let cases: &[Bad] = &[
        ("hth = 192\nhtz = 1\n", 2, &["htz = 1", "there is no setting htz; nearest: hth"]),
        ("markin_rate = 3\n", 1, &["nearest: marking_rate"]),
        ("\n[switch]\nhth = 6\n", 2, &["[switch]", "no sections but [lft] and [knobs]", "6 MTU"]),
        ("hth\n", 1, &["expected"]),
        ("mtu = 32\nhth = \n", 2, &["invalid string; expected"]),
        ("hth = 6\nhth = 7\n", 2, &["duplicate"]),
        ("hth = \"6\"\n", 1, &["hth = \"6\"", "0..65535 flits, or in MTU"]),
        ("hth = 128\nlth = 129\n", 2, &["lth = 129", "must not be above hth = 128"]),
        ("lth = \"6.5 MTU\"\nhth = \"5 MTU\"\n", 1, &["lth = 208", "hth = 160"]),
        ("sum_hth = 9\nsum_lth = 10\n", 2, &["sum_lth = 10", "sum_hth = 9"]),
        ("stop = 100\n", 1, &["stop = 100", "must not be below lth = 128 (default)", "set go too"]),
        ("go = 300\n", 1, &["go = 300", "must not be above hth = 192"]),
        ("detect = 2048\n", 1, &["detect = 2048", "0..2047 flits"]),
        ("hold = 65536\n", 1, &["hold = 65536", "0..65535 cycles"]),
        ("weight = 16\n", 1, &["weight = 16", "-1..15"]),
        ("scheme = \"red\"\n", 1, &["scheme = red", "ecocc"]),
        ("scheme = 3\n", 1, &["scheme"]),
        ("eval = \"max\"\n", 1, &["eval", "2 sum_per_input"]),
        ("mark_mode = 3\n", 1, &["mark_mode = 3", "2 fraction"]),
        ("mark_fraction = 257\n", 1, &["mark_fraction = 257", "0..256 1/256, or in %"]),
        ("marking_rate = 65536\n", 1, &["marking_rate = 65536", "0..65535"]),
        ("packet_size = 256\n", 1, &["0..255"]),
        ("victim_mask = [1, 255]\n", 1, &["victim_mask = 255", "0..254"]),
        ("victim_mask = \"0xyz\"\n", 1, &["64 hexadecimal"]),
        ("line_timer = \"1e8 us\"\n", 1, &["line_timer = \"1e8 us\"", "4294967295 cycles"]),
        ("line_timer = 0\n", 1, &["line_timer = 0", "1..4294967295"]),
        ("refresh = \"839us\"\n", 1, &["is 65547 cycles", "0..65535"]),
        (
            "line_timer = 500\nrefresh = 500\n",
            1,
            &["line_timer = 500", "above refresh = 500", "501..4294967295"],
        ),
        ("cold_first = 1\n", 1, &["true or false"]),
        ("cct = [0, 1]\nccti_limit = 2\n", 2, &["ccti_limit = 2", "beyond the table", "0..1"]),
        ("ccti_min = 10\nccti_limit = 9\n", 1, &["ccti_min = 10", "0..9"]),
        ("ccti_timer = \"70 ms\"\n", 1, &["0..65535 1.024 us"]),
        ("cct = [0, 1]\ncct_us = 9\n", 2, &["cct_us: cct sets the same"]),
        ("cct = [\"0:0\", \"4:1\"]\n", 1, &["cct = \"4:1\"", "entry 1", "shift 4", "0..3"]),
        ("cct = [\"0:16384\"]\n", 1, &["multiplier 16384", "0..16383"]),
        ("cct = [\"7\"]\n", 1, &["entry 0", "shift:multiplier"]),
        ("cct = [\"0:0\", 1]\n", 1, &["entry 1", "mixed"]),
        ("cct = [0, -1]\n", 1, &["cct = -1", "entry 1"]),
        ("cct = []\n", 1, &["empty table"]),
        ("cct = \"i^2+1\"\n", 1, &["cct = \"i^2+1\"", "unexpected '+'"]),
        ("cct = 7\n", 1, &["a formula in i"]),
        ("cct = \"i^3\"\n", 1, &["cct", "entry 10", "838.848 us"]),
        ("flow_sl = [0, 16]\n", 1, &["flow_sl = 16", "0..15"]),
        ("cycle_ns = 0\n", 1, &["cycle_ns = 0", "0.1 to 1000"]),
        ("tx_interval = 16\n", 1, &["tx_interval = 16", "1..15"]),
        ("fc_interval = 0\n", 1, &["1..65535"]),
        ("[lft]\n5 = 8\n", 2, &["lft.5 = 8", "no such output port", "0..7 (PORTS-1)"]),
        ("[lft]\n5 = 300\n", 2, &["lft.5 = 300", "output port"]),
        ("[lft]\n\"1000-1024\" = 1\n", 2, &["lft.1000-1024 = 1", "0..1023"]),
        ("[lft]\n\"9-8\" = 1\n", 2, &["empty range"]),
        ("[lft]\nten = 1\n", 2, &["DLID 0..65535"]),
        ("[knobs]\nload = \"much\"\n", 2, &["legal is a number"]),
    ];
    refused(cases, unit);
    let table: Vec<String> = (0..129).map(|i| i.to_string()).collect();
    let e = unit(&format!("cct = [{}]\n", table.join(","))).unwrap_err();
    assert!(e.to_string().contains(":1: cct = 129 entries: legal is at most CCT = 128"), "{e}");
}

#[test]
fn bad_options_are_refused_and_change_nothing() {
    let mut c = Config::new(Scheme::EcoCc, 64);
    c.set("hth", "256").unwrap();
    c.set("lth", "4 MTU").unwrap();
    for (name, value, says) in [
        ("weigt", "1", "there is no setting weigt; nearest: weight"),
        ("hth", "70000", "0..65535"),
        ("hth", "-1", "--set hth = -1"),
        ("lth", "300", "must not be above hth = 256 (--set)"),
        (
            "line_timer",
            "5000",
            "above refresh = 5000 (default): legal is 5001..4294967295, or any with refresh = 0",
        ),
        ("line_timer", "3 us", "depends on the network"),
        ("refresh", "20000", "must be below line_timer = 20000 (default)"),
        ("victim_hosts", "7", "victim_hosts"),
        ("mtu", "65", "1..64 flits"),
        ("advoq", "3", "advoq = 3: parameter ADVOQ = 3 must be a power of two"),
    ] {
        let e = c.set(name, value).unwrap_err().to_string();
        assert!(e.contains(says), "{name} = {value}: {e}");
    }
    assert_eq!((c.hth, c.lth), (256, 128));
    c.set("refresh", "0").unwrap();
    c.set("line_timer", "1").unwrap();
    let mut s = Sources::default();
    for (text, says) in [("hth", "NAME=VALUE"), ("scheme=ith", "--scheme"), ("x=1", "no setting x")] {
        let e = s.option(text).unwrap_err().to_string();
        assert!(e.starts_with("--set ") && e.contains(says), "{e}");
    }
    assert!(s.is_empty());
}

#[test]
fn a_missing_or_binary_file_is_told() {
    let e = Sources::default().toml(Path::new("/nonexistent/x.toml")).unwrap_err();
    assert!(e.to_string().starts_with("/nonexistent/x.toml: cannot read"), "{e}");
    let mut f = tempfile::NamedTempFile::new().unwrap();
    f.write_all(b"# fine\ncc_key \xff\n").unwrap();
    let e = Sources::default().opensm(f.path()).unwrap_err();
    assert!(e.line() == Some(2) && e.to_string().contains("UTF-8"), "{e}");
}

#[test]
fn bad_opensm_options_are_refused() {
    let cases: &[Bad] = &[
        (
            "cc_sw_cong_setting_treshold 3\n",
            1,
            &["cc_sw_cong_setting_treshold = 3", "no option", "nearest: cc_sw_cong_setting_threshold"],
        ),
        ("# x\ncc_sw_cong_setting_threshold 16\n", 2, &["cc_sw_cong_setting_threshold = 16", "0..15"]),
        ("cc_sw_cong_setting_threshold 0x\n", 1, &["0..15"]),
        ("cc_sw_cong_setting_threshold\n", 1, &["0..15"]),
        ("cc_sw_cong_setting_packet_size 256\n", 1, &["0..255"]),
        ("cc_sw_cong_setting_marking_rate 0x10000\n", 1, &["0..65535"]),
        ("cc_sw_cong_setting_marking_rate 08\n", 1, &["= 08", "0..65535"]),
        ("cc_sw_cong_setting_marking_rate 1 2\n", 1, &["= 1 2"]),
        ("cc_sw_cong_setting_control_map 0x20\n", 1, &["0..31"]),
        ("cc_sw_cong_setting_victim_mask 0xg\n", 1, &["64 hexadecimal"]),
        ("cc_sw_cong_setting_credit_starvation_threshold 99\n", 1, &["0..15"]),
        ("cc_sw_cong_setting_credit_starvation_return_delay 4:0\n", 1, &["shift 4", "0..3"]),
        ("cc_ca_cong_setting_port_control 2\n", 1, &["0..1"]),
        ("cc_ca_cong_setting_ccti_timer 150\n", 1, &["<SL 0..15> <0..65535>"]),
        ("cc_ca_cong_setting_ccti_timer 16 150\n", 1, &["= 16 150", "<SL 0..15>"]),
        ("cc_ca_cong_setting_ccti_increase 0 256\n", 1, &["<0..255>"]),
        (
            "congestion_control TRUE\ncc_ca_cong_setting_control_map 1\ncc_ca_cong_setting_ccti_min 0 5\n",
            3,
            &["cc_ca_cong_setting_ccti_min = 5", "0..0"],
        ),
        ("cc_cct 0:0,4:1\n", 1, &["cc_cct = 0:0,4:1", "entry 1", "shift 4", "0..3"]),
        ("cc_cct 0:0,0:16384\n", 1, &["multiplier 16384", "0..16383"]),
        ("cc_cct 0:0,,0:1\n", 1, &["entry 1", "shift:multiplier"]),
        ("cc_cct 1,2\n", 1, &["entry 0"]),
        ("congestion_control true\n", 1, &["congestion_control = true", "TRUE or FALSE"]),
        ("cc_max_outstanding_mads 4294967296\n", 1, &["0..4294967295"]),
        ("cc_key 0x10000000000000000\n", 1, &["cc_key"]),
    ];
    refused(cases, opensm);
    let line = |text: &str, line: usize, part: &str| {
        let e = opensm(text).unwrap_err();
        assert_eq!(e.line(), Some(line), "{e}");
        assert!(e.to_string().contains(part), "{e}");
    };
    line(&format!("guid 0\ncc_cct {}\n", ["0:16383"; 128].join(",")), 2, "1030 bytes");
    line(&format!("#{}\n", "x".repeat(1022)), 1, "1022");
    line(&format!("cc_cct {}\n", ["0:0"; 129].join(",")), 1, "at most 128");
    // the longest line that opensm reads whole
    opensm(&format!("{:1022}\n", "cc_key 1")).unwrap();
}

#[test]
fn opensm_syntax() {
    let base = "congestion_control TRUE\ncc_sw_cong_setting_control_map 0x1f\ncc_ca_cong_setting_control_map 0xffff\n";
    let load = |text: &str| opensm(&format!("{base}{text}")).unwrap();
    let has = |c: &Config, part: &str| assert!(c.notes.iter().any(|n| n.contains(part)), "{:?}", c.notes);
    let entries = |e: &[u16]| Some(Cct::Entries(e.iter().map(|e| cct::Entry(*e)).collect()));
    let c = load(
        "cc_sw_cong_setting_threshold 017 # octal\ncc_sw_cong_setting_marking_rate\t0x10#hex\n\
         cc_sw_cong_setting_packet_size '8'\n  # a comment\n\ncc_cct \"0:0, 3:0x10\" # two\nvendor_option x y z\n",
    );
    assert_eq!((c.weight, c.marking_rate, c.packet_size), (15, 16, 8));
    assert_eq!(c.cct, entries(&[0, 0xc010]));
    assert_eq!((c.ccti_limit, c.timer_per_sl, c.sl_mode), (1, true, false));
    let c = load(
        "cc_sw_cong_setting_threshold 3\ncc_sw_cong_setting_threshold 4\ncc_ca_cong_setting_port_control 1\n",
    );
    assert_eq!((c.weight, c.sl_mode), (4, true));
    assert_eq!(c.origin("weight").spot().and_then(|s| s.line), Some(5));
    has(&c, "repeats line 4");
    has(&c, "cc_cct is empty");
    let c = load("cc_cct (null)\n");
    assert_eq!((&c.cct, c.ccti_limit), (&entries(&[0]), 0));
    let c = load("cc_cct 0:7\n");
    assert_eq!(c.cct, entries(&[0]));
    has(&c, "one entry");
    // an SL that differs
    let c =
        load("cc_ca_cong_setting_ccti_timer 0 150\ncc_ca_cong_setting_ccti_timer 3 151\ncc_cct 0:0,0:1\n");
    assert_eq!(c.ccti_timer, 150);
    has(&c, "SL 1 has other");
    // the lowest SL of the map counts
    let c = load("cc_ca_cong_setting_control_map 0x8\ncc_ca_cong_setting_ccti_increase 3 7\n");
    assert_eq!(c.ccti_increase, 7);
    assert_eq!(c.origin("ccti_increase").spot().and_then(|s| s.line), Some(5));
}

#[test]
fn opensm_switched_off_or_masked() {
    let c = opensm("cc_sw_cong_setting_threshold 15\n").unwrap();
    assert!(c.notes[0].contains("not TRUE"), "{:?}", c.notes);
    assert!(!c.marks() && !c.delays() && c.weight < 0, "opensm programs nothing");
    assert_eq!(c.input_registers(false)[0], ("CTRL", 1), "isolation stays");
    let text = "congestion_control TRUE\ncc_sw_cong_setting_control_map 4\ncc_sw_cong_setting_marking_rate 5\n\
                cc_sw_cong_setting_threshold 1\ncc_sw_cong_setting_victim_mask 2\n";
    let c = opensm(text).unwrap();
    assert_eq!((c.marking_rate, c.weight, c.victim_mask), (0, 1, Some(Mask::default())));
    for (key, bit) in [("marking_rate", "bit 4"), ("victim_mask", "bit 0")] {
        assert!(c.notes.iter().any(|n| n.contains(key) && n.contains(bit)), "{:?}", c.notes);
    }
    assert!(c.notes.iter().any(|n| n.contains("no SL is programmed")), "{:?}", c.notes);
    // threshold 0 never marks, whatever else finds congestion
    let c = opensm("congestion_control TRUE\ncc_sw_cong_setting_control_map 4\n").unwrap();
    assert!(!c.marks() && c.delays() && c.weight == 0);
}

#[test]
fn registers_say_what_the_settings_say() {
    let c = unit(
        "hth = 100\nlth = 50\nsum_hth = 320\nstop = 320\ngo = 64\nweight = 4\ncold_first = true\neval = \"sum_per_input\"\n\
         mark_mode = 2\nmark_fraction = \"85 %\"\nrestart = true\n",
    )
    .unwrap();
    let named = |all: &[(&str, u32)], name: &str| all.iter().find(|r| r.0 == name).unwrap().1;
    let input = c.input_registers(false);
    for (name, v) in [("CTRL", 3), ("HTH", 100), ("LTH", 50), ("STOP", 320), ("GO", 64), ("WEIGHT", 20)] {
        assert_eq!(named(&input, name), v, "{name}");
    }
    let output = c.output_registers();
    for (name, v) in [("SUM_HTH", 320), ("SUM_LTH", 50), ("MARK_FRACTION", 218), ("PACKET_SIZE", 8)] {
        assert_eq!(named(&output, name), v, "{name}");
    }
    assert_eq!((c.output_ctrl(true), c.output_ctrl(false)), (0b101_0111, 0b101_0011));
    assert_eq!(named(&c.throttle_registers(80, 1, true), "CTRL"), 0b11001);
    for (name, iso, mark) in [("1vl", 0, 0), ("ith", 0, 1), ("hfdi", 1, 0), ("ecocc", 1, 1)] {
        let c = Config::new(Scheme::parse(name).unwrap(), 8);
        let throttle = named(&c.throttle_registers(80, 1, true), "CTRL");
        assert_eq!(
            (c.input_registers(false)[0].1, c.output_ctrl(false), throttle & 1),
            (iso, iso << 1 | mark, mark)
        );
    }
    // a packet is 0.8192 us: 0.5 us are 5 eighths, 1 us is 10 (nearest, in cycles)
    let c = unit("cct = [0, 0.5, 1.0]\ncct_relative = true\ncycle_ns = 25.6\n").unwrap();
    let t = c.table(3, 25_600.0, 32);
    assert_eq!(t.entries, [(3, 0), (3, 5), (3, 10)].map(|(s, m)| cct::pack(s, m).unwrap()));
    assert!(!t.absolute);
}

#[test]
fn a_law_is_a_setting_like_others() {
    let mut c = Config::new(Scheme::DEFAULT, 64);
    c.change(&[("cct", "gran(contributors=all)")], &Origin::Study).unwrap();
    assert_eq!(c.values()["cct"].as_str(), Some("gran(contributors=63)"));
    assert_eq!((c.origin("cct"), c.cct_us), (Origin::Study, None));
    let us = |c: &Config| c.table(128, 1000.0, 320).entries[10];
    // 63/4 times 100 * 7/106^2 us, in cycles of a ns
    assert_eq!(us(&c), 981);
    c.set("cct", "linear(step=40ns)").unwrap();
    assert_eq!(us(&c), 400);
    let e = c.set("cct", "linear(step=0)").unwrap_err();
    assert_eq!(e.field, "cct");
    assert!(e.to_string().contains("step \"0\": legal is more than 0"), "{e}");

    // A unit is in no network.
    let build = Build::named(UnitKind::HcaThrottle, Some("f64")).unwrap();
    let unit = |text: &str| {
        let mut s = Sources::default();
        s.option(&format!("cct={text}")).unwrap();
        s.unit(&build)
    };
    assert_eq!(
        unit("gran(contributors=64)").unwrap().values()["cct"].as_str(),
        Some("gran(contributors=64)")
    );
    assert!(unit("gran(contributors=all)").unwrap_err().to_string().contains("depends on the network"));
}
