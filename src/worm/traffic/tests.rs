//! Generators: what they offer, by hand and in the mean; what is refused.

use super::frames::Sizes;
use super::*;

fn of(text: &str, hosts: usize) -> Traffic {
    Traffic::new(&WormSpec::load(text).unwrap(), hosts, CYCLE_PS, 7).unwrap()
}

fn toml(text: &str, hosts: usize) -> Result<Traffic> {
    Traffic::new(&WormSpec::parse(&format!("name = \"t\"\n{text}"))?, hosts, CYCLE_PS, 7)
}

/// Messages of a source of no stream before a cycle.
fn scattered(p: &Poisson, until: u64) -> Vec<Scattered> {
    let mut p = p.clone();
    let mut list = Vec::new();
    while p.next() < until {
        list.push(p.take());
    }
    list
}

/// Messages of a stream before a cycle.
fn parts(s: &Stream, until: u64) -> Vec<Part> {
    let mut s = s.clone();
    std::iter::from_fn(|| s.take()).take_while(|p| p.created < until).collect()
}

#[test]
fn best_effort_is_poisson_at_its_load_and_uniform() {
    let t = of("worm-uniform(load=0.4)", 16);
    assert_eq!((t.hosts.len(), t.longest, t.most_streams()), (16, 40, 0));
    let list = scattered(&t.hosts[3].scattered[0], 1_000_000);
    // 10 000 messages in the mean; their number has a standard deviation of 100.
    assert!(list.len().abs_diff(10_000) < 400, "{}", list.len());
    assert!(list.is_sorted_by_key(|m| m.created) && list.iter().all(|m| m.len == 40));
    for dst in 0..16 {
        let n = list.iter().filter(|m| m.dst == dst).count();
        let wanted = if dst == 3 { 0 } else { list.len() / 15 };
        assert!(n.abs_diff(wanted) < 120 && (dst != 3 || n == 0), "{n} messages for {dst}");
    }
    // Exponential gaps: mean and standard deviation alike, and one in e is longer than the mean.
    let gaps: Vec<f64> = list.windows(2).map(|w| (w[1].created - w[0].created) as f64).collect();
    let (mean, sd) = crate::fabric::metrics::mean_and_sd(&gaps);
    assert!((mean - 100.0).abs() < 4.0 && (sd - 100.0).abs() < 5.0, "{mean} {sd}");
    let long = gaps.iter().filter(|g| **g > 100.0).count() as f64 / gaps.len() as f64;
    assert!((long - 0.368).abs() < 0.02, "{long}");
}

#[test]
fn control_is_ten_messages_a_frame() {
    let t = of("worm-mpeg2(load=50%)", 8);
    let control = t.hosts[0].scattered.iter().find(|p| p.class == Class::Control).unwrap();
    let list = scattered(control, 416_250 * 400);
    assert!(list.len().abs_diff(4000) < 250, "{}", list.len());
    assert!(list.iter().all(|m| m.len == 10 && m.dst != 0));
    assert!(of("worm-mpeg2(control=0)", 8).hosts[0].scattered.iter().all(|p| p.class == Class::BestEffort));
}

#[test]
fn on_off_streams_have_their_rates_and_times() {
    let t = of("worm-onoff(load=50%, rt=80)", 4);
    // 40 % of the link by streams of 1 %: 40 of them, which ask for ceil(40.96).
    assert_eq!((t.most_streams(), t.hosts[1].streams[0].bw), (40, 41));
    let (mut all, mut gaps, mut longer) = (0, Vec::new(), Vec::new());
    for s in &t.hosts[1].streams {
        assert!(s.start < 20_000 && s.dst < 4 && s.dst != 1 && s.deadline == 416_250 && !s.frames);
        let list = parts(s, 2_000_000);
        assert!(list.iter().all(|p| p.created >= s.start && p.first && p.last && p.born == p.created));
        assert!(list.iter().enumerate().all(|(i, p)| p.frame == i as u64));
        all += list.len();
        for w in list.windows(2) {
            match w[1].created - w[0].created {
                // 40 flits at 2 %: 2000 cycles while it is on.
                gap @ 1999..=2001 => gaps.push(gap),
                gap => longer.push(gap as f64),
            }
        }
    }
    // 40 streams of 1 % for 2 million cycles: 20 000 messages.
    assert!((all as f64 - 20_000.0).abs() < 600.0, "{all}");
    // A distance of 2000 is cut with probability 1 - exp(-0.2), and then longer by the time off, once or more often.
    let cut = longer.len() as f64 / (gaps.len() + longer.len()) as f64;
    assert!((cut - 0.181).abs() < 0.015, "{cut}");
    let extra = longer.iter().map(|g| g - 2000.0).sum::<f64>() / longer.len() as f64;
    // Times off in a distance: 0.2 in the mean, so 0.2 / 0.181 of those with one.
    assert!((extra - 10_000.0 * 0.2 / 0.1813).abs() < 600.0, "{extra}");
    assert_eq!(of("worm-onoff(load=50%, ask=peak)", 4).hosts[0].streams[0].bw, 82);
    assert_eq!(of("worm-onoff(load=50%, ask=100)", 4).hosts[0].streams[0].bw, 100);
    // Always on: even distances.
    let even = of("worm-onoff(load=50%, off=0)", 4);
    let list = parts(&even.hosts[0].streams[0], 100_000);
    assert!(list.windows(2).all(|w| (1999..=2001).contains(&(w[1].created - w[0].created))), "{list:?}");
}

#[test]
fn a_frame_is_cut_into_messages_spread_over_its_time() {
    let text = "[[mpeg]]\nname = \"v\"\nstreams = 1\nmbps = 4\ngop = \"IB\"\nratio = [3, 1, 1]\nsigma = 0\n\
                frame = 1000\nwithin = 1\nto = 1\nsources = 0";
    let t = toml(text, 2).unwrap();
    let s = &t.hosts[0].streams[0];
    // 4 Mbit/s are 2.5 flits in 1000 cycles: 3.75 and 1.25, which are whole flits: 4 and 1.
    assert_eq!((s.bw, s.deadline, s.frames, s.start, s.dst), (11, 1000, true, 0, 1));
    let flits: Vec<u8> = parts(s, 4000).iter().map(|p| p.len).collect();
    assert!(flits == [4, 1, 4, 1] || flits == [1, 4, 1, 4], "{flits:?}");
    // 100 flits: 40, 40 and 20, a third of the time from one to the next.
    let text = text.replace("mbps = 4", "mbps = 160").replace("\"IB\"", "\"B\"");
    let t = toml(&text, 2).unwrap();
    let list = parts(&t.hosts[0].streams[0], 2000);
    let part =
        |created, len, frame, first, last| Part { created, len, frame, born: frame * 1000, first, last };
    let wanted = [
        part(0, 40, 0, true, false),
        part(333, 40, 0, false, false),
        part(666, 20, 0, false, true),
        part(1000, 40, 1, true, false),
        part(1333, 40, 1, false, false),
        part(1666, 20, 1, false, true),
    ];
    assert_eq!(list, wanted);
    assert_eq!(t.hosts[0].streams[0].bw, 410);
}

#[test]
fn video_streams_have_their_rate_and_pattern() {
    let t = of("worm-mpeg2(load=50%, rt=80)", 8);
    // 160 streams of a 400th of the link: 40 %. 10.24 parts are 11.
    assert_eq!((t.most_streams(), t.hosts[0].streams[0].bw), (160, 11));
    let frames = 120;
    let mut flits = 0.0;
    for s in &t.hosts[2].streams {
        let list = parts(s, s.start + frames * 416_250);
        let sum: u64 = list.iter().map(|p| u64::from(p.len)).sum();
        flits += sum as f64;
        assert_eq!(list.iter().filter(|p| p.last).count() as u64, frames);
    }
    let mean = flits / (160 * frames) as f64;
    assert!((mean - 1040.6).abs() < 10.0, "{mean}");
    // I : P : B = 5 : 3 : 1 around it, log-normal: the mean of the places is as said, not that of the logarithm.
    let sizes = Sizes::pattern("IBBPBBPBBPBB", [5.0, 3.0, 1.0], 1040.625, 0.25).unwrap();
    assert_eq!((sizes.period(), sizes.mean().round()), (12, 1041.0));
    assert!((sizes.largest() - 1040.625 * 12.0 * 5.0 / 22.0).abs() < 1e-9);
    // It asks for its peak if it is to: that of the largest frames.
    assert_eq!(of("worm-mpeg2(load=50%, ask=peak)", 8).hosts[0].streams[0].bw, 28);
}

#[test]
fn destinations_by_turns_are_even() {
    let t = of("worm-mpeg2(load=70%, pick=spread)", 8);
    let mut to = [0; 8];
    for (src, h) in t.hosts.iter().enumerate() {
        for s in &h.streams {
            assert_ne!(s.dst as usize, src);
            to[s.dst as usize] += 1;
        }
    }
    assert_eq!(to, [224; 8]);
}

#[test]
fn the_same_seed_creates_the_same() {
    let spec = WormSpec::load("worm-mpeg2(load=60%)").unwrap();
    let make = |seed| {
        let t = Traffic::new(&spec, 4, CYCLE_PS, seed).unwrap();
        let streams: Vec<Part> =
            t.hosts.iter().flat_map(|h| &h.streams).flat_map(|s| parts(s, 900_000)).collect();
        let others: Vec<Scattered> =
            t.hosts.iter().flat_map(|h| &h.scattered).flat_map(|p| scattered(p, 100_000)).collect();
        (streams, others)
    };
    assert!(make(1) == make(1) && make(1) != make(2));
}

#[test]
fn a_description_is_read_and_written() {
    let text = r#"
name = "three classes"
run = "2 ms"
load = "60%"

[[best-effort]]
name = "background"
share = 20
sources = "all, not 3"
to = "uniform over 0-3"

[[control]]
name = "control"
messages = 5
every = "1 ms"

[[onoff]]
name = "calls"
share = 30
rate = "16 Mbit/s"
ask = "peak"
stop = 1_000_000

[[mpeg]]
name = "films"
streams = 20
mbps = 8
"#
    .replace("\"16 Mbit/s\"", "\"0.016 Gbit/s\"");
    let spec = WormSpec::parse(&text).unwrap();
    let again = WormSpec::parse(&toml::to_string(&spec).unwrap()).unwrap();
    assert_eq!(again, spec);
    let t = Traffic::new(&spec, 8, CYCLE_PS, 1).unwrap();
    // 16 Mbit/s are 1 % of the link: 0.5 % in the mean, 36 streams for 18 %.
    assert_eq!((t.hosts[0].streams.len(), t.hosts[0].streams[0].bw, t.hosts[0].streams[40].bw), (56, 41, 21));
    assert_eq!(t.hosts[0].streams[0].stop, 1_000_000);
    assert!(parts(&t.hosts[0].streams[0], NEVER).iter().all(|p| p.created < 1_000_000));
    let classes = |h: &HostTraffic| h.scattered.iter().map(|p| p.class).collect::<Vec<_>>();
    assert_eq!(classes(&t.hosts[0]), [Class::BestEffort, Class::Control]);
    assert_eq!(classes(&t.hosts[3]), [Class::Control]);
    assert!(scattered(&t.hosts[2].scattered[0], 100_000).iter().all(|m| [0, 1, 3].contains(&m.dst)));
}

#[test]
fn sizes_are_read_from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("film.txt"), "16\n1600\n641\n").unwrap();
    let spec = "name = \"t\"\n[[mpeg]]\nname = \"v\"\nsizes = \"film.txt\"\nstreams = 3\nsources = 0\n";
    std::fs::write(dir.path().join("t.toml"), spec).unwrap();
    let spec = WormSpec::load(dir.path().join("t.toml").to_str().unwrap()).unwrap();
    let t = Traffic::new(&spec, 2, CYCLE_PS, 1).unwrap();
    for s in &t.hosts[0].streams {
        let list = parts(s, s.start + 3 * 416_250);
        let mut sizes = [0u32; 3];
        list.iter().for_each(|p| sizes[p.frame as usize] += u32::from(p.len));
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 41, 100]);
        // 142 flits in three frames: 0.47 parts.
        assert_eq!(s.bw, 1);
    }
    for (text, wrong) in [
        ("5\n0\n", "line 2: \"0\""),
        ("five", "line 1: \"five\""),
        ("7\n\n8", "line 2: \"\""),
        ("", "no sizes"),
    ] {
        let e = format!("{:#}", Sizes::lines(text).unwrap_err());
        assert!(e.contains(wrong), "{e}");
    }
    let gone = toml("[[mpeg]]\nname = \"v\"\nsizes = \"/nowhere/film.txt\"\nstreams = 3", 2).unwrap_err();
    assert!(format!("{gone:#}").contains("/nowhere/film.txt"), "{gone:#}");
}

#[test]
fn what_is_wrong_is_refused_with_its_field_and_what_is_legal() {
    let best = "[[best-effort]]\nname = \"b\"\n";
    let video = "[[mpeg]]\nname = \"v\"\n";
    let calls = "[[onoff]]\nname = \"c\"\n";
    for (text, wrong) in [
        ("".into(), "none of [[best-effort]]"),
        (format!("{best}lod = 1"), "unknown field `lod`"),
        (best.into(), "best-effort \"b\": exactly one of load and share"),
        (format!("{best}load = 0.5\nshare = 5"), "exactly one of load and share"),
        (format!("{best}share = 5"), "share is of the load of the traffic"),
        (format!("load = 0.5\n{best}share = 500"), "share = 500; legal: above 0, at most 100"),
        (format!("load = 2\n{best}share = 50"), "load = 2; legal: above 0, at most 1 flit"),
        (format!("{best}load = 0"), "load = 0; legal"),
        (format!("{best}load = 0.5\nmessage = 65"), "message = 65; legal: 1 to 64"),
        (format!("{best}load = 0.5\nmessage = 0"), "message = 0; legal"),
        (format!("{best}load = 0.5\nsources = \"4\""), "node 4; legal: 0 to 3"),
        (format!("{best}load = 0.5\nto = 9"), "node 9; legal: 0 to 3"),
        (format!("{best}load = 0.5\nto = 2"), "node 2 would send to itself"),
        (format!("{best}load = 0.5\nto = \"hotspots x\""), "legal: a node, \"uniform\""),
        (format!("{best}load = 0.5\nsources = \"role x\""), "legal: all, N, A-B"),
        (format!("{best}load = 0.5\nsources = \"all, not 0-3\""), "is empty"),
        (format!("{best}load = 0.5\nstart = 10\nstop = 10"), "legal: before stop"),
        (format!("{best}load = 0.5\n{best}load = 0.5"), "the name is used twice"),
        ("[[control]]\nname = \"k\"\nmessages = 0".into(), "messages = 0; legal"),
        ("[[control]]\nname = \"k\"\nevery = 0".into(), "every = 0 cycles; legal: 1 to"),
        (format!("{video}streams = 1\nmbps = 0"), "mbps = 0; legal: above 0, at most the link's 1600"),
        (format!("{video}streams = 1\ngop = \"IXB\""), "gop = \"IXB\" has 'X'; legal: I, P, B"),
        (format!("{video}streams = 1\ngop = \"\""), "gop is empty"),
        (format!("{video}streams = 1\nratio = [1, 0, 1]"), "ratio: 0 of P; legal"),
        (format!("{video}streams = 1\nsigma = 3"), "sigma = 3; legal: 0 to 2"),
        (format!("{video}streams = 1\nmbps = 1\nsizes = \"x\""), "one of mbps and sizes"),
        (
            format!("{video}streams = 0"),
            "0 streams of 0.0025 flits per cycle each at a node; legal: 1 to 1024",
        ),
        (format!("{video}streams = 2000"), "legal: 1 to 1024"),
        (format!("{video}streams = 1\nload = 0.5"), "exactly one of load, share and streams"),
        (format!("{video}streams = 1\nask = 5000"), "ask = \"5000\"; legal: mean, peak, 1 to 4096"),
        (format!("{video}load = 0.0001"), "0 streams of"),
        (format!("{calls}streams = 1\nrate = 0"), "rate: load = 0; legal"),
        (format!("{calls}streams = 1\non = 0"), "on = 0 cycles; legal"),
        (format!("{calls}streams = 1\ndeadline = 0"), "deadline = 0 cycles; legal"),
        (format!("{calls}streams = 1\nwithin = 0"), "within = 0 cycles; legal"),
    ] {
        let e = format!("{:#}", toml(&text, 4).expect_err(&text));
        assert!(e.contains(wrong), "{text}\n{wrong:?} is not in {e:?}");
    }
    for (text, wrong) in [
        ("worm-onoff(rt=101)", "rt = 101; legal: 0 to 100"),
        ("worm-onoff(ask=0)", "legal: mean, peak"),
        ("worm-onoff(pick=x)", "legal: random, spread"),
        ("worm-onoff(lod=1)", "has no \"lod\"; it takes load, rt"),
        ("worm-nothing", "neither a file nor one of worm-uniform, worm-onoff, worm-mpeg2"),
    ] {
        let e = format!("{:#}", WormSpec::load(text).unwrap_err());
        assert!(e.contains(wrong), "{e}");
    }
    assert!(Traffic::new(&WormSpec::load("worm-uniform").unwrap(), 1, CYCLE_PS, 1).is_err());
    assert!(Traffic::new(&WormSpec::load("worm-uniform").unwrap(), 0, CYCLE_PS, 1).is_err());
}
