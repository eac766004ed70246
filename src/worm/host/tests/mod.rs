//! Hosts on golden adapters, with a network of a few lines.

mod ledger;
mod net;

use super::Settings;
use crate::worm::metrics::Report;
use crate::worm::port::Hosts;
use crate::worm::traffic::{CYCLE_PS, Traffic, WormSpec};
use net::{ADMISSION, C_B, CREDITS, CTRL, LIMIT, M, Net, params};

/// All kinds of sources, in short.
const MIX: &str = r#"
[[best-effort]]
name = "b"
load = 0.2
[[best-effort]]
name = "short"
load = 0.01
message = 1
[[control]]
name = "k"
every = 5000
[[onoff]]
name = "o"
streams = 4
rate = 0.05
on = 1000
off = 1000
[[mpeg]]
name = "v"
streams = 4
mbps = 64
frame = 5000
"#;

const CLOSE: Settings =
    Settings { vls: 16, conns: 16, lane: 40, warmup: 0, retry: 3000, rtry: 100, close: true, seed: 5 };

/// The report of a run that is drained; every message that was accepted was delivered then.
fn report(net: &mut Net, cycles: u64) -> Report {
    net.run(cycles);
    net.drain();
    net.hosts.report().unwrap()
}

#[test]
fn all_classes_are_delivered_and_all_streams_close() {
    for (ctrl, probes) in [(0, 0), (CREDITS, 0), (ADMISSION, 24), (CREDITS | ADMISSION, 24)] {
        let mut net = Net::new(3, MIX, &[(CTRL, ctrl), (C_B, 8)], CLOSE);
        let r = report(&mut net, 40_000);
        for (name, c) in r.classes() {
            // What is under way at the end is not in the window.
            assert!(c.delivered_messages * 10 > c.offered_messages * 9, "{name} with {ctrl}: {c:?}");
            assert!(c.posted_messages >= c.delivered_messages);
            let sum = c.host_wait.mean_cycles + c.adapter.mean_cycles + c.network.mean_cycles;
            assert!((c.latency.mean_cycles - sum).abs() < 1e-6);
            // Header and tail in a lane, on the link; the network gives whole messages on, in two cycles at least.
            assert!(c.network.p50_cycles >= 10, "{name}: {:?}", c.network);
        }
        assert_eq!(r.classes().count(), 3);
        let s = r.streams;
        assert_eq!((s.asked_streams, s.opened_streams, s.closed_streams), (24, 24, 24));
        assert_eq!((net.probes.len(), s.rejected_probes), (probes, 0));
        assert!(r.frames.delivered_frames > 70, "{:?}", r.frames);
        assert_eq!((r.frames.rejected_frames, r.real_time.rejected_messages), (0, 0));
        for b in &mut net.adapters {
            b.cycle();
            assert_eq!((b.get("st_live", 0), b.get("st_used", 0), b.get("st_posted", 0)), (0, 0, 0));
            assert_eq!(b.get("err", 0), 0);
        }
    }
}

#[test]
fn streams_stay_open_unless_they_are_to_close() {
    let mut net = Net::new(2, MIX, &[(CTRL, ADMISSION)], Settings { close: false, ..CLOSE });
    let r = report(&mut net, 10_000);
    assert_eq!((r.streams.opened_streams, r.streams.closed_streams), (16, 0));
    assert_eq!(net.adapters[0].get("st_live", 0), 8);
    // One that is to stop closes anyway.
    let stop = MIX.replace("mbps = 64", "mbps = 64\nstop = 12000\nwithin = 100");
    let mut net = Net::new(2, &stop, &[(CTRL, ADMISSION)], Settings { close: false, ..CLOSE });
    let r = report(&mut net, 30_000);
    assert_eq!((r.streams.opened_streams, r.streams.closed_streams), (16, 8));
}

#[test]
fn the_same_is_created_whatever_becomes_of_it() {
    let run = |registers: &[(u32, u32)], slow, rejects| {
        let mut net = Net::new(3, MIX, registers, CLOSE);
        (net.slow, net.rejects) = (slow, rejects);
        let r = report(&mut net, 20_000);
        r.classes().map(|(_, c)| (c.offered_messages, c.offered_flits)).collect::<Vec<_>>()
    };
    let free = run(&[(CTRL, 0)], 1, 0);
    assert_eq!(run(&[(CTRL, CREDITS), (C_B, 1), (M, 4)], 3, 0), free);
    assert_eq!(run(&[(CTRL, ADMISSION)], 2, 9), free);
}

#[test]
fn best_effort_waits_for_credits_and_loses_nothing() {
    let all = "[[best-effort]]\nname = \"b\"\nload = 0.9\nstop = 20000\n";
    let mut net = Net::new(2, all, &[(CTRL, CREDITS), (C_B, 2)], Settings { rtry: 1000, ..CLOSE });
    net.slow = 2;
    while net.t < 20_000 || !net.hosts.idle() {
        net.cycle();
        let left = net.adapters.iter().map(|b| b.get("st_posted", 0)).max();
        assert!(left <= Some(2), "cycle {}", net.t);
    }
    let r = net.hosts.report().unwrap();
    let b = &r.best_effort;
    assert_eq!(b.delivered_messages, b.offered_messages);
    assert!(b.offered_messages > 800 && b.refused_no_credit_posts > 100 && b.refused_full_posts == 0);
    // A refused post is tried again when a credit comes, and not before: one refusal for each message at most.
    assert!(b.refused_no_credit_posts <= b.offered_messages, "{}", b.refused_no_credit_posts);
    assert!(b.host_wait.mean_cycles > 5000.0, "{:?}", b.host_wait);
    // Half the link is used all the time: 40 flits in 80 cycles of each host.
    assert!(net.t.abs_diff(b.delivered_messages / 2 * 80) < 2500, "{} cycles for {b:?}", net.t);
}

#[test]
fn without_credits_posts_stop_at_m() {
    let all = "[[best-effort]]\nname = \"b\"\nload = 0.9\n";
    let mut net = Net::new(2, all, &[(CTRL, 0), (M, 5)], CLOSE);
    net.slow = 4;
    let r = report(&mut net, 10_000);
    assert!(r.best_effort.refused_full_posts > 50 && r.best_effort.refused_no_credit_posts == 0);
}

#[test]
fn control_waits_for_its_queue() {
    let all = "[[control]]\nname = \"k\"\nmessages = 100\nevery = 2000\nto = 1\nsources = 0\n";
    let mut net = Net::new(2, all, &[], CLOSE);
    net.slow = 4;
    let r = report(&mut net, 20_000);
    assert!(r.control.refused_full_posts > 100, "{:?}", r.control);
    assert!(r.control.delivered_messages > 400);
}

/// Y7: C_j = max(1, floor(bw M / 4096)); no stream is opened with which their sum and C_B would be above M.
#[test]
fn credits_of_streams_are_those_of_their_bandwidth() {
    for (bw, m, c_b) in [(11, 64, 1), (41, 64, 20), (256, 64, 8), (300, 48, 5), (4096, 64, 0), (64, 64, 60)] {
        let all = format!("[[onoff]]\nname = \"o\"\nstreams = 12\nask = {bw}\nwithin = 500\n");
        let mut net = Net::new(2, &all, &[(M, m), (C_B, c_b), (CTRL, CREDITS)], CLOSE);
        net.run(2500);
        let c = (bw * m / 4096).max(1);
        let room = (m - c_b) / c;
        let opened = room.min(12);
        let b = &net.adapters[0];
        assert_eq!(
            (b.get("st_live", 0), b.get("st_sum_c", 0)),
            (opened, opened * c),
            "bw {bw}, M {m}, C_B {c_b}"
        );
        let r = net.hosts.report().unwrap();
        assert_eq!(r.streams.opened_streams, 2 * u64::from(opened));
        assert_eq!(r.streams.refused_opens_no_credits, 2 * u64::from(12 - opened));
    }
}

#[test]
fn a_link_has_bandwidth_for_so_many_streams() {
    let all = "[[onoff]]\nname = \"o\"\nstreams = 12\nask = 500\nwithin = 500\nrate = 0.2\n";
    let mut net = Net::new(2, all, &[(CTRL, ADMISSION), (LIMIT, 2600)], Settings { retry: 50_000, ..CLOSE });
    net.run(5000);
    let r = net.hosts.report().unwrap();
    assert_eq!(
        (r.streams.asked_streams, r.streams.opened_streams, r.streams.refused_opens_no_bandwidth),
        (24, 10, 14)
    );
    assert_eq!((r.streams.opened_parts_of_4096, r.streams.admitted_bandwidth_share), (5000, 10.0 / 24.0));
    let rt = &r.real_time;
    assert!(rt.rejected_messages > 0 && rt.dropped_messages == 0, "{rt:?}");
    assert!(rt.offered_messages <= rt.rejected_messages + rt.delivered_messages + 20, "{rt:?}");
}

/// YA8: a stream that was rejected asks again after RETRY and up to 4095 cycles more, and is in the right frame then.
#[test]
fn rejected_streams_ask_again() {
    let all =
        "[[mpeg]]\nname = \"v\"\nstreams = 1\nmbps = 64\nframe = 5000\nsources = 0\nto = 1\nwithin = 1\n";
    let mut net = Net::new(2, all, &[(CTRL, ADMISSION)], CLOSE);
    net.rejects = 4;
    net.run(60_000);
    assert_eq!(net.probes.len(), 5);
    let gaps: Vec<u64> = net.probes.windows(2).map(|w| w[1].0 - w[0].0).collect();
    assert!(gaps.iter().all(|g| (3000..7200).contains(g)), "{gaps:?}");
    assert!(gaps.windows(2).any(|w| w[0] != w[1]), "{gaps:?}");
    // Node 0 is the first one: of the NACKs of the other one a release follows.
    assert_eq!(net.releases, 2);
    let r = net.hosts.report().unwrap();
    assert_eq!((r.streams.rejected_probes, r.streams.opened_streams), (4, 1));
    // Frames are whole or not there: the first one that was created wholly behind the opening is the first that comes.
    let f = r.frames;
    let first = net.probes[4].0 / 5000 + 1;
    assert_eq!(f.rejected_frames, first);
    assert!(f.delivered_frames >= 11 - first && f.dropped_frames == 0 && f.missed_frames == 0, "{f:?}");
    net.drain();
    assert!(net.hosts.report().is_ok());
}

/// YC1: a real-time message that is refused is tried again every RTRY cycles until its frame's deadline, then the frame goes.
#[test]
fn frames_that_are_refused_too_long_are_dropped() {
    // A stream of a quarter of the link on a link that moves a quarter: frames that are larger than the mean are late, or dropped.
    let all = "[[mpeg]]\nname = \"v\"\nstreams = 1\nmbps = 400\nframe = 4000\nsigma = 0.5\ngop = \"B\"\nsources = 0\nto = 1\nask = 1\n";
    let mut net = Net::new(2, all, &[(CTRL, CREDITS), (C_B, 1)], Settings { rtry: 20, ..CLOSE });
    net.slow = 4;
    let r = report(&mut net, 80_000);
    let (f, rt) = (r.frames, r.real_time);
    assert!(f.dropped_frames > 4 && f.delivered_frames > 4, "{f:?}");
    assert!(rt.dropped_share > 0.01 && rt.refused_no_credit_posts > 100, "{rt:?}");
    let known = rt.delivered_messages + rt.dropped_messages;
    assert!(known <= rt.offered_messages && known + 100 > rt.offered_messages, "{rt:?}");
    assert_eq!(r.streams.closed_streams, 1, "the ends were refused, and posted again until they were taken");
}

#[test]
fn streams_of_a_host_have_their_turns() {
    // Twelve streams, each of which has always something to post, behind an adapter with room for three messages.
    let all = "[[onoff]]\nname = \"o\"\nstreams = 12\nrate = 0.5\noff = 0\nwithin = 1\nsources = 0\nto = 1\nask = 1\n\
               [[best-effort]]\nname = \"b\"\nload = 0.9\nsources = 0\nto = 1\n[[control]]\nname = \"k\"\nevery = 2000\nsources = 0\nto = 1\n";
    let mut net = Net::new(2, all, &[(M, 3)], Settings { rtry: 1, ..CLOSE });
    let mut posted = [0; 13];
    while net.t < 60_000 {
        net.cycle();
        let b = &net.adapters[0];
        if b.get("cqe_valid", 0) == 1 {
            match b.get("cqe_class", 0) {
                0 => {}
                1 => posted[b.get("cqe_conn", 0) as usize] += 1,
                _ => posted[12] += 1,
            }
        }
    }
    // All thirteen always have something.
    let (least, most) = (posted.iter().min().unwrap(), posted.iter().max().unwrap());
    assert!(*least > 100 && most - least <= 3, "{posted:?}");
    let r = net.hosts.report().unwrap();
    assert!(r.control.delivered_messages + 5 > r.control.offered_messages, "{:?}", r.control);
}

#[test]
fn what_hosts_cannot_do_is_refused() {
    let traffic = |text: &str| {
        Traffic::new(&WormSpec::parse(&format!("name = \"t\"\n{text}")).unwrap(), 2, CYCLE_PS, 1).unwrap()
    };
    let calls = "[[onoff]]\nname = \"o\"\nstreams = 17\n";
    let long = "[[best-effort]]\nname = \"b\"\nload = 0.1\nmessage = 41\n";
    for (text, settings, wrong) in [
        (calls, CLOSE, "a host has 17 streams; legal: up to CONNS = 16"),
        (long, CLOSE, "messages of 41 flits; legal: up to LANE = 40"),
        (MIX, Settings { rtry: 0, ..CLOSE }, "RTRY = 0; legal: 1 to 65535"),
        (MIX, Settings { retry: 0, ..CLOSE }, "RETRY = 0; legal: 1 to 4294967295"),
        (MIX, Settings { vls: 17, ..CLOSE }, "VLS = 17; legal: 3 to 16"),
        (MIX, Settings { warmup: u64::MAX, ..CLOSE }, "warm-up = "),
    ] {
        let e = super::TrafficHosts::new(traffic(text), &settings).unwrap_err().to_string();
        assert!(e.contains(wrong), "{e}");
    }
    assert_eq!(params().lane, CLOSE.lane);
}
