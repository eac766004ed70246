//! Configurations as a whole: what files become, and what is refused.

use super::*;
use crate::params::builds;
use std::io::Write;

fn tiny() -> Params {
    builds().iter().find(|b| b.name == "tiny" && b.unit == UnitKind::InputPort).unwrap().params
}

fn oneq() -> Params {
    builds().iter().find(|b| b.name == "oneq").unwrap().params
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let mut f = tempfile::NamedTempFile::new().unwrap();
    f.write_all(text.as_bytes()).unwrap();
    f
}

fn toml_of(text: &str, p: &Params) -> Result<Config, ConfigError> {
    load_toml(file(text).path(), p)
}

fn opensm_of(text: &str, p: &Params) -> Result<Config, ConfigError> {
    load_opensm(file(text).path(), p)
}

fn written(writes: &[(u8, u32)], unit: UnitKind, name: &str) -> u32 {
    let a = registers::addr(unit, name);
    writes.iter().find(|w| w.0 == a).unwrap_or_else(|| panic!("{name} not written")).1
}

fn ip(s: &Setup, name: &str) -> u32 {
    written(&s.input_port, UnitKind::InputPort, name)
}

fn op(s: &Setup, name: &str) -> u32 {
    written(&s.output_port, UnitKind::OutputPort, name)
}

fn ht(s: &Setup, name: &str) -> u32 {
    written(&s.hca_throttle, UnitKind::HcaThrottle, name)
}

#[test]
fn defaults_are_the_papers() {
    let s = Config::default().setup(&Params::default()).unwrap();
    assert_eq!((ip(&s, "HTH"), ip(&s, "LTH"), ip(&s, "WEIGHT")), (192, 128, 0));
    assert_eq!((ip(&s, "CTRL"), op(&s, "CTRL"), ht(&s, "CTRL")), (1, 0b11, 0b10001));
    assert_eq!((op(&s, "SUM_HTH"), op(&s, "SUM_LTH")), (192, 128));
    assert_eq!((op(&s, "MARKING_RATE"), op(&s, "PACKET_SIZE"), op(&s, "MARK_FRACTION")), (1, 8, 256));
    assert_eq!((ht(&s, "CCTI_TIMER"), ht(&s, "TICK_CYCLES"), ht(&s, "CCTI_LIMIT")), (150, 80, 127));
    assert_eq!(ip(&s, "LINE_TIMER"), u32::MAX);
    let cct = s.cct.unwrap();
    // 10.05 us at 12.8 ns
    assert_eq!((cct.len(), cct[0], cct[127]), (128, 0, 785));
    assert_eq!((s.lft, s.attrs), (None, Vec::new()));
}

#[test]
fn defaults_fit_every_build() {
    for b in builds() {
        let s = Config::default().setup(&b.params).unwrap();
        let (hth, lth) = (ip(&s, "HTH") as usize, ip(&s, "LTH") as usize);
        assert!(lth >= 1 && lth < hth && hth < b.params.cap(), "{}: {hth} {lth}", b.name);
        assert!(s.cct.unwrap().len() <= b.params.cct);
        for (unit, writes) in [
            (UnitKind::InputPort, &s.input_port),
            (UnitKind::OutputPort, &s.output_port),
            (UnitKind::HcaThrottle, &s.hca_throttle),
        ] {
            // every register of the page but the ones that act when written
            let all = registers::REGISTERS.iter().filter(|r| r.unit == unit && r.reset != "-").count();
            assert_eq!(writes.len(), all, "{}", unit.module());
            assert_eq!(writes.last().unwrap().0, 0, "CTRL comes last");
        }
    }
}

#[test]
fn hot_queues_stop_and_go_by_thresholds_of_their_own() {
    let p = Params::default();
    let s =
        toml_of("[switch]\nstop = 10\ngo_flits = 64\ndetect = 2\nhold = 5\n", &p).unwrap().setup(&p).unwrap();
    assert_eq!((ip(&s, "STOP"), ip(&s, "GO"), ip(&s, "DETECT"), ip(&s, "HOLD")), (320, 64, 64, 5));
    let s = Config::default().setup(&p).unwrap();
    assert_eq!((ip(&s, "STOP"), ip(&s, "GO"), ip(&s, "DETECT"), ip(&s, "HOLD")), (0, 0, 128, 32));
    for (text, field, legal) in [
        ("stop_flits = 100\ngo_flits = 100", "switch.go_flits", "legal is 1..99 flits (below stop = 100"),
        ("stop_flits = 100", "switch.stop_flits", "set go too"),
        ("stop = 100", "switch.stop", "legal is 1..2047 flits"),
        ("detect = 64", "switch.detect", "legal is 0..2047 flits"),
        ("hold = 65536", "switch.hold", "0..65535"),
    ] {
        let e =
            toml_of(&format!("[switch]\n{text}\n"), &p).and_then(|c| c.setup(&p)).unwrap_err().to_string();
        assert!(e.contains(field) && e.contains(legal), "{text}: {e}");
    }
}

#[test]
fn the_example_toml_file() {
    let p = Params::default();
    let c = load_toml(&data("ecocc.toml"), &p).unwrap();
    assert_eq!(c.notes, Vec::<String>::new());
    assert_eq!(c.scheme(&p), Scheme::EcoCc);
    assert_eq!((c.knobs.load, c.knobs.hotspot_share), (Some(0.9), Some(0.5)));
    let s = c.setup(&p).unwrap();
    // marking, isolation, victim
    assert_eq!(op(&s, "CTRL"), 0b111);
    assert_eq!((ip(&s, "LINE_TIMER"), ip(&s, "REFRESH"), ip(&s, "SWITCH_ID")), (15625, 3906, 42));
    assert_eq!(ht(&s, "CTRL"), 0b11001);
    let lft = s.lft.unwrap();
    assert_eq!(lft.len(), 33);
    assert_eq!((lft[0], lft[1], lft[15], lft[32]), ((0, 255), (1, 1), (15, 1), (32, 7)));
}

#[test]
fn the_example_opensm_file() {
    let p = Params::default();
    let c = load_opensm(&data("opensm.conf"), &p).unwrap();
    assert_eq!(c.notes, Vec::<String>::new());
    let s = c.setup(&p).unwrap();
    assert_eq!((ip(&s, "WEIGHT"), op(&s, "PACKET_SIZE"), op(&s, "MARKING_RATE")), (31, 8, 1));
    // port 1 is in the victim mask 0x1e
    assert_eq!(op(&s, "CTRL"), 0b111);
    assert_eq!((ht(&s, "CCTI_TIMER"), ht(&s, "CCTI_INCREASE"), ht(&s, "CCTI_MIN")), (150, 1, 0));
    // relative entries, per flow, timer per SL
    assert_eq!((ht(&s, "CTRL"), ht(&s, "CCTI_LIMIT")), (0b00101, 127));
    let cct = s.cct.unwrap();
    assert_eq!((cct.len(), cct[0], cct[127]), (128, 0, cct::pack(3, 196).unwrap()));
    // the table agrees with the formula to half a step of an eighth of a packet
    let f = cct::Formula::parse(DEFAULT_CCT).unwrap();
    for (i, e) in cct.iter().enumerate() {
        let us = f64::from(e & 0x3fff) * 0.4096 / f64::from(1u32 << (e >> 14));
        assert!((us - f.at(i)).abs() <= 0.0256 + 1e-9, "entry {i}");
    }
}

#[test]
fn schemes_choose_the_register_bits() {
    let p = Params::default();
    for (name, iso, mark) in [("voq", 0, 0), ("1vl", 0, 0), ("ith", 0, 1), ("hfdi", 1, 0), ("ecocc", 1, 1)] {
        let c = toml_of(&format!("[switch]\nscheme = \"{name}\"\n"), &p).unwrap();
        let s = c.setup(&p).unwrap();
        assert_eq!(
            (ip(&s, "CTRL") & 1, op(&s, "CTRL") & 3, ht(&s, "CTRL") & 1),
            (iso, iso << 1 | mark, mark)
        );
    }
    let c = toml_of("[switch]\nscheme = \"1q\"\n", &p).unwrap();
    assert!(c.notes[0].contains("ONE_QUEUE = 0"), "{:?}", c.notes);
    assert!(toml_of("[switch]\nscheme = \"1q\"\n", &oneq()).unwrap().notes.is_empty());
    assert_eq!(Config::default().scheme(&oneq()), Scheme::OneQueue);
}

#[test]
fn values_in_other_units() {
    let p = Params::default();
    let c = toml_of(
        "[switch]\nhth_flits = 100\nlth_flits = 50\neval = \"sum_per_input\"\nsum_hth = 10\nmark_mode = \"fraction\"\n\
         mark_fraction = 0.85\nvictim_mask = \"0x2\"\nweight = 4\ncold_first = true\n\
         [hca]\nccti_timer_us = 8.0\ncct = [0, 0.5, 1.0]\ncct_format = \"relative\"\nflow_sl = [3, 5]\n\
         [link]\ncycle_ns = 25.6\ntx_interval = 2\n",
        &p,
    )
    .unwrap();
    let s = c.setup(&p).unwrap();
    assert_eq!((ip(&s, "HTH"), ip(&s, "LTH"), ip(&s, "WEIGHT"), ip(&s, "CTRL")), (100, 50, 20, 3));
    assert_eq!((op(&s, "SUM_HTH"), op(&s, "SUM_LTH")), (320, 270));
    assert_eq!((op(&s, "CTRL"), op(&s, "MARK_FRACTION")), (0b1010111, 218));
    assert_eq!((ht(&s, "CCTI_TIMER"), ht(&s, "TICK_CYCLES"), op(&s, "TX_INTERVAL")), (8, 40, 2));
    assert_eq!(ht(&s, "CTRL") >> 4, 0);
    // a packet is 0.8192 us: 0.5 us are 5 eighths, 1 us is 10 (nearest, in cycles)
    assert_eq!(
        s.cct.unwrap(),
        [cct::pack(3, 0).unwrap(), cct::pack(3, 5).unwrap(), cct::pack(3, 10).unwrap()]
    );
    assert_eq!(s.attrs[..3], [(0, 3), (1, 5), (2, 3)]);
    assert_eq!(s.attrs.len(), p.flows);
    let c = toml_of("[switch]\nsingle_threshold = true\nhth = 5\n", &p).unwrap();
    let s = c.setup(&p).unwrap();
    assert_eq!((ip(&s, "HTH"), ip(&s, "LTH")), (160, 160));
    // a weight decides the threshold of the sum too
    let s = toml_of("[switch]\nweight = 15\n", &p).unwrap().setup(&p).unwrap();
    assert_eq!((op(&s, "SUM_HTH"), op(&s, "SUM_LTH")), (128, 64));
    // weight 0 never marks
    let s = toml_of("[switch]\nweight = 0\n", &p).unwrap().setup(&p).unwrap();
    assert_eq!((ip(&s, "WEIGHT"), op(&s, "CTRL") & 1), (16, 0));
    let c = toml_of("[hca]\ncct = [\"0:0\", \"3:9\", \"0:16383\"]\n", &p).unwrap();
    let s = c.setup(&p).unwrap();
    assert_eq!((s.cct.clone().unwrap(), ht(&s, "CCTI_LIMIT")), (vec![0, 0xc009, 0x3fff], 2));
    assert_eq!(ht(&s, "CTRL") >> 4, 0);
}

/// Text, line of the error, and what the message must hold.
type Bad = (&'static str, usize, &'static [&'static str]);

fn refused(cases: &[Bad], p: &Params, load: fn(&str, &Params) -> Result<Config, ConfigError>) {
    for (text, line, parts) in cases {
        let e = load(text, p).err().unwrap_or_else(|| panic!("accepted: {text}"));
        let message = e.to_string();
        assert_eq!(e.line, Some(*line), "{text}: {message}");
        assert!(e.file.is_some() && message.starts_with('/'), "{message}");
        for part in *parts {
            assert!(message.contains(part), "{text}: '{part}' is not in: {message}");
        }
    }
}

#[test]
fn bad_toml_is_refused() {
    let cases: &[Bad] = &[
        ("[switch]\nhth = 6\nhtz = 1\n", 3, &["switch.htz = 1", "unknown key", "hth_flits"]),
        ("[switch]\n\n[swotch]\nhth = 6\n", 3, &["[swotch]", "unknown section", "[hca]"]),
        ("hth = 6\n", 1, &["expected"]),
        ("[switch]\nhth = \n", 2, &["invalid string; expected"]),
        ("[switch]\nhth = 6\nhth = 7\n", 3, &["duplicate"]),
        ("[switch]\nhth = \"6\"\n", 2, &["switch.hth = \"6\"", "0 to"]),
        ("[switch]\nhth = 4\nlth = 4\n", 3, &["switch.lth = 4", "1..127", "single_threshold"]),
        ("[switch]\nlth = 6.5\nhth = 5\n", 2, &["switch.lth = 6.5", "208 flits", "1..159"]),
        ("[switch]\nhth = 64\n", 2, &["switch.hth = 64", "2..2047", "CAP = BLOCKS/VLS = 2048"]),
        ("[switch]\nhth_flits = 2048\n", 2, &["switch.hth_flits = 2048", "1..2047"]),
        ("[switch]\nhth_flits = 0\n", 2, &["1..2047"]),
        ("[switch]\nhth_flits = 1\n", 2, &["switch.hth_flits = 1", "2..2047"]),
        ("[switch]\nlth_flits = 0\n", 2, &["switch.lth_flits = 0", "1..2047"]),
        ("[switch]\nsingle_threshold = true\nhth = 6\nlth = 5\n", 4, &["switch.lth = 5", "192 flits"]),
        ("[switch]\nhth = 6\nhth_flits = 192\n", 3, &["switch.hth sets the same"]),
        ("[switch]\nsum_hth_flits = 16384\n", 2, &["switch.sum_hth_flits = 16384", "1..16383"]),
        ("[switch]\nsum_hth = 2\nsum_lth = 2\n", 3, &["switch.sum_lth = 2", "1..63"]),
        ("[switch]\nweight = 16\n", 2, &["switch.weight = 16", "0..15"]),
        ("[switch]\nweight = -1\n", 2, &["switch.weight = -1", "0..15"]),
        ("[switch]\nscheme = \"red\"\n", 2, &["switch.scheme = \"red\"", "\"ecocc\""]),
        ("[switch]\neval = \"max\"\n", 2, &["switch.eval", "\"sum_per_input\""]),
        ("[switch]\nmark_mode = 2\n", 2, &["switch.mark_mode = 2", "\"fraction\""]),
        ("[switch]\nmark_fraction = 85\n", 2, &["switch.mark_fraction = 85", "0 to 1"]),
        ("[switch]\nmark_fraction = nan\n", 2, &["0 to 1"]),
        ("[switch]\nmarking_rate = 65536\n", 2, &["switch.marking_rate = 65536", "0..65535"]),
        ("[switch]\npacket_size = 256\n", 2, &["0..255"]),
        ("[switch]\nvictim_mask = [1, 255]\n", 2, &["switch.victim_mask = 255", "0..254"]),
        ("[switch]\nvictim_mask = \"0xyz\"\n", 2, &["64 hexadecimal"]),
        ("[switch]\nline_timer_us = 1e8\n", 2, &["switch.line_timer_us", "4294967295 cycles"]),
        ("[switch]\nline_timer_us = 0\n", 2, &["switch.line_timer_us = 0", "legal is 0.0128"]),
        ("[switch]\nrefresh_us = 839\n", 2, &["switch.refresh_us = 839", "838.848 us"]),
        (
            "[switch]\nline_timer_us = 64\nrefresh_us = 64\n",
            3,
            &["switch.refresh_us = 64", "less than line_timer_us = 64 (5000 cycles)"],
        ),
        ("[switch]\ncold_first = 1\n", 2, &["true or false"]),
        ("[hca]\nccti_limit = 128\n", 2, &["hca.ccti_limit = 128", "0..127 (CCT-1)"]),
        ("[hca]\ncct = [0, 1]\nccti_limit = 2\n", 3, &["hca.ccti_limit = 2", "beyond the table", "0..1"]),
        ("[hca]\nccti_min = 10\nccti_limit = 9\n", 2, &["hca.ccti_min = 10", "0..9"]),
        ("[hca]\nccti_timer = 65536\n", 2, &["0..65535"]),
        ("[hca]\nccti_timer_us = 0.1\n", 2, &["hca.ccti_timer_us = 0.1", "1.024 to 67107.84"]),
        ("[hca]\nccti_timer = 1\nccti_timer_us = 9\n", 3, &["hca.ccti_timer sets the same"]),
        ("[hca]\ncct = [\"0:0\", \"4:1\"]\n", 2, &["hca.cct = \"4:1\"", "entry 1", "shift 4", "0..3"]),
        ("[hca]\ncct = [\"0:16384\"]\n", 2, &["multiplier 16384", "0..16383"]),
        ("[hca]\ncct = [\"7\"]\n", 2, &["entry 0", "shift:multiplier"]),
        ("[hca]\ncct = [\"0:0\", 1]\n", 2, &["entry 1", "mixed"]),
        ("[hca]\ncct = [0, -1]\n", 2, &["hca.cct = -1", "entry 1"]),
        ("[hca]\ncct = []\n", 2, &["empty table"]),
        ("[hca]\ncct = \"i^2+1\"\n", 2, &["hca.cct = \"i^2+1\"", "unexpected '+'"]),
        ("[hca]\ncct = 7\n", 2, &["a formula in i"]),
        ("[hca]\ncct = \"i^3\"\n", 2, &["hca.cct", "in entry 10", "838.848 us"]),
        ("[hca]\ncct = [\"0:1\"]\ncct_format = \"absolute\"\n", 3, &["hca.cct_format", "relative"]),
        ("[hca]\nflow_sl = [0, 16]\n", 2, &["hca.flow_sl = 16", "0..15"]),
        ("[link]\ncycle_ns = 0\n", 2, &["link.cycle_ns = 0", "0.1 to 1000"]),
        ("[link]\ntx_interval = 16\n", 2, &["link.tx_interval = 16", "1..15"]),
        ("[link]\nfc_interval = 0\n", 2, &["1..65535"]),
        ("[lft]\n5 = 8\n", 2, &["lft.5 = 8", "no such output port", "0..7 (PORTS-1)"]),
        ("[lft]\n5 = 300\n", 2, &["lft.5 = 300", "0..7"]),
        ("[lft]\n\"1000-1024\" = 1\n", 2, &["lft.1000-1024 = 1", "0..1023"]),
        ("[lft]\n\"9-8\" = 1\n", 2, &["empty range"]),
        ("[lft]\nten = 1\n", 2, &["DLID 0..65535"]),
        ("[knobs]\nload = 1.5\n", 2, &["load", "0 to 1"]),
        ("[knobs]\nlod = 0.5\n", 2, &["knobs.lod", "hotspot_share"]),
        ("[knobs]\nload = \"much\"\n", 2, &["legal is a number"]),
    ];
    refused(cases, &Params::default(), toml_of);
    let table: Vec<String> = (0..129).map(|i| i.to_string()).collect();
    let e = toml_of(&format!("[hca]\ncct = [{}]\n", table.join(",")), &Params::default()).unwrap_err();
    assert!(e.to_string().contains(":2: hca.cct = 129 entries: legal is at most CCT = 128"), "{e}");
}

#[test]
fn what_a_build_cannot_do_is_refused() {
    refused(
        &[
            ("[switch]\nscheme = \"ecocc\"\n", 2, &["ISOLATION = 0"]),
            ("[switch]\nscheme = \"ith\"\n", 2, &["ONE_QUEUE = 1"]),
        ],
        &oneq(),
        toml_of,
    );
    refused(
        &[
            ("[switch]\nhth = 6\n", 2, &["switch.hth = 6", "is 24 flits", "2..11", "12"]),
            ("[switch]\nhth = 2\nlth = 2\n", 3, &["1..7"]),
            ("[lft]\n1 = 3\n", 2, &["0..2 (PORTS-1)"]),
            ("[lft]\n16 = 1\n", 2, &["0..15"]),
            ("[switch]\nline_timer_us = 4\n", 2, &["255 cycles"]),
            ("[switch]\nrefresh_us = 4\n", 2, &["switch.refresh_us = 4", "(255 cycles)"]),
        ],
        &tiny(),
        toml_of,
    );
    let small = Params { cct: 8, flows: 5, ts_w: 10, ..Params::default() };
    refused(&[("[hca]\nccti_limit = 8\n", 2, &["0..7 (CCT-1)"])], &small, toml_of);
    let e = load_opensm(&data("opensm.conf"), &small).unwrap_err();
    assert!(e.to_string().contains("128 entries") && e.to_string().contains("CCT = 8"), "{e}");
    assert!(e.line.is_some());
}

#[test]
fn a_missing_or_binary_file_is_told() {
    let e = load_toml(Path::new("/nonexistent/x.toml"), &Params::default()).unwrap_err();
    assert!(e.to_string().starts_with("/nonexistent/x.toml: cannot read"), "{e}");
    let mut f = tempfile::NamedTempFile::new().unwrap();
    f.write_all(b"# fine\ncc_key \xff\n").unwrap();
    let e = load_opensm(f.path(), &Params::default()).unwrap_err();
    assert!(e.line == Some(2) && e.to_string().contains("UTF-8"), "{e}");
}

#[test]
fn bad_opensm_options_are_refused() {
    let cases: &[Bad] = &[
        ("cc_sw_cong_setting_treshold 3\n", 1, &["cc_sw_cong_setting_treshold = 3", "unknown option"]),
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
        ("cc_ca_cong_setting_control_map 1\ncc_ca_cong_setting_ccti_min 0 5\n", 2, &["= 0 5", "0..0"]),
        ("cc_cct 0:0,4:1\n", 1, &["cc_cct = 0:0,4:1", "entry 1", "shift 4", "0..3"]),
        ("cc_cct 0:0,0:16384\n", 1, &["multiplier 16384", "0..16383"]),
        ("cc_cct 0:0,,0:1\n", 1, &["entry 1", "shift:multiplier"]),
        ("cc_cct 1,2\n", 1, &["entry 0"]),
        ("congestion_control true\n", 1, &["congestion_control = true", "TRUE or FALSE"]),
        ("cc_max_outstanding_mads 4294967296\n", 1, &["0..4294967295"]),
        ("cc_key 0x10000000000000000\n", 1, &["cc_key"]),
    ];
    refused(cases, &Params::default(), opensm_of);
    let long = format!("guid 0\ncc_cct {}\n", ["0:16383"; 128].join(","));
    refused_line(&long, 2, "1030 bytes");
    refused_line(&format!("#{}\n", "x".repeat(1022)), 1, "1022");
    refused_line(&format!("cc_cct {}\n", ["0:0"; 129].join(",")), 1, "at most 128");
    // the longest line that opensm reads whole
    let line = format!("{:1022}\n", "cc_key 1");
    opensm_of(&line, &Params::default()).unwrap();
}

fn refused_line(text: &str, line: usize, part: &str) {
    let e = opensm_of(text, &Params::default()).unwrap_err();
    assert_eq!(e.line, Some(line), "{e}");
    assert!(e.to_string().contains(part), "{e}");
}

#[test]
fn opensm_syntax() {
    let p = Params::default();
    let base = "congestion_control TRUE\ncc_sw_cong_setting_control_map 0x1f\ncc_ca_cong_setting_control_map 0xffff\n";
    let load = |text: &str| opensm_of(&format!("{base}{text}"), &p).unwrap();
    let c = load(
        "cc_sw_cong_setting_threshold 017 # octal\ncc_sw_cong_setting_marking_rate\t0x10#hex\n\
         cc_sw_cong_setting_packet_size '8'\n  # a comment\n\ncc_cct \"0:0, 3:0x10\" # two\nvendor_option x y z\n",
    );
    assert_eq!((c.switch.weight, c.switch.marking_rate, c.switch.packet_size), (Some(15), 16, 8));
    assert_eq!(c.hca.cct, Cct::Entries(vec![0, 0xc010]));
    assert_eq!((c.hca.ccti_limit, c.hca.timer_per_sl, c.hca.sl_mode), (Some(1), true, false));
    let c = load(
        "cc_sw_cong_setting_threshold 3\ncc_sw_cong_setting_threshold 4\ncc_ca_cong_setting_port_control 1\n",
    );
    assert_eq!((c.switch.weight, c.hca.sl_mode), (Some(4), true));
    assert!(c.notes.iter().any(|n| n.contains("repeats line 4")), "{:?}", c.notes);
    assert!(c.notes.iter().any(|n| n.contains("cc_cct is empty")), "{:?}", c.notes);
    let c = load("cc_cct (null)\n");
    assert_eq!((c.hca.cct, c.hca.ccti_limit), (Cct::Entries(vec![0]), Some(0)));
    let c = load("cc_cct 0:7\n");
    assert_eq!(c.hca.cct, Cct::Entries(vec![0]));
    assert!(c.notes.iter().any(|n| n.contains("one entry")), "{:?}", c.notes);
    // an SL that differs
    let c =
        load("cc_ca_cong_setting_ccti_timer 0 150\ncc_ca_cong_setting_ccti_timer 3 151\ncc_cct 0:0,0:1\n");
    assert_eq!(c.hca.ccti_timer, 150);
    assert!(c.notes.iter().any(|n| n.contains("SL 1 has other")), "{:?}", c.notes);
    // the lowest SL of the map counts
    let c = load("cc_ca_cong_setting_control_map 0x8\ncc_ca_cong_setting_ccti_increase 3 7\n");
    assert_eq!(c.hca.ccti_increase, 7);
}

#[test]
fn opensm_switched_off_or_masked() {
    let p = Params::default();
    let c = opensm_of("cc_sw_cong_setting_threshold 15\n", &p).unwrap();
    assert!(!c.congestion_control && c.notes[0].contains("not TRUE"), "{:?}", c.notes);
    let s = c.setup(&p).unwrap();
    assert_eq!((op(&s, "CTRL") & 1, ht(&s, "CTRL") & 1, ip(&s, "CTRL")), (0, 0, 1));
    let text = "congestion_control TRUE\ncc_sw_cong_setting_control_map 4\ncc_sw_cong_setting_marking_rate 5\n\
                cc_sw_cong_setting_threshold 1\ncc_sw_cong_setting_victim_mask 2\n";
    let c = opensm_of(text, &p).unwrap();
    assert_eq!((c.switch.marking_rate, c.switch.weight, c.switch.victim_mask), (0, Some(1), [0; 4]));
    for (key, bit) in [("marking_rate", "bit 4"), ("victim_mask", "bit 0")] {
        assert!(c.notes.iter().any(|n| n.contains(key) && n.contains(bit)), "{:?}", c.notes);
    }
    assert!(c.notes.iter().any(|n| n.contains("no SL is programmed")), "{:?}", c.notes);
}

#[test]
fn opensm_overrides_a_toml_configuration() {
    let p = Params::default();
    let mut c =
        toml_of("[switch]\nscheme = \"ith\"\nport = 3\nmarking_rate = 9\n[hca]\nccti_timer_us = 8\n", &p)
            .unwrap();
    apply_opensm(&mut c, &data("opensm.conf"), &p).unwrap();
    assert_eq!((c.scheme(&p), c.switch.marking_rate, c.switch.port), (Scheme::Ith, 1, 3));
    assert_eq!(ht(&c.setup(&p).unwrap(), "CCTI_TIMER"), 150);
}

#[test]
fn advice_on_close_thresholds() {
    let c = toml_of("[switch]\nhth_flits = 100\nlth_flits = 90\n", &Params::default()).unwrap();
    assert!(c.notes[0].contains("less than one MTU"), "{:?}", c.notes);
}

#[test]
fn every_parameter_is_listed_once_and_in_full() {
    let all = parameters();
    for (i, d) in all.iter().enumerate() {
        assert!(!d.name.is_empty() && !d.default.is_empty() && !d.range.is_empty(), "{d:?}");
        assert!(!d.source.is_empty() && !d.text.is_empty(), "{d:?}");
        assert!(all[..i].iter().all(|e| (e.kind, &e.name) != (d.kind, &d.name)), "{} twice", d.name);
    }
    let count = |kind: fn(&ParamKind) -> bool| all.iter().filter(|d| kind(&d.kind)).count();
    assert_eq!(count(|k| *k == ParamKind::Elaboration), 22);
    assert_eq!(count(|k| matches!(k, ParamKind::Register(_))), registers::REGISTERS.len());
    assert_eq!(count(|k| *k == ParamKind::Opensm), 18);
    // defaults that are plain values are what a file with exactly them gives
    let p = Params::default();
    for k in keys::KEYS {
        let text = (k.default)(&Config::default());
        let quoted = match k.kind {
            keys::Kind::Word(..) | keys::Kind::Other(..) => format!("\"{text}\""),
            _ => text.clone(),
        };
        // (others are words for something that depends on the rest)
        let plain = !["-", "hth", "lth", "none", "one MTU"].contains(&text.as_str())
            && (k.name == "cct" || !text.contains(' '));
        if plain {
            let c = toml_of(&format!("[{}]\n{} = {quoted}\n", k.section, k.name), &p).unwrap();
            assert_eq!(c.setup(&p).unwrap(), Config::default().setup(&p).unwrap(), "{}", k.name);
        }
    }
}
