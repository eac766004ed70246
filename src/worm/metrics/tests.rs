//! Deadlines by hand, windows, and what a report says.

use super::*;
use crate::worm::port::Class;

#[test]
fn a_deadline_follows_the_one_before_or_the_arrival_that_missed_it() {
    let mut c = Clock::default();
    // Created at 50, a frame in 100 cycles: deadline 150.
    assert_eq!(c.arrives(0, 50, 100, 150), None);
    // 250; 30 too late. Then 280 + 100.
    assert_eq!(c.arrives(1, 150, 100, 280), Some(30));
    assert_eq!(c.arrives(2, 250, 100, 380), None);
    // 480. Frames 3 and 4 are dropped, so frame 5 has 380 + 300.
    assert_eq!(c.arrives(5, 550, 100, 681), Some(1));
    assert_eq!(c.arrives(6, 650, 100, 781), None);
    // An arrival long before its deadline brings none forward.
    assert_eq!(c.arrives(7, 750, 100, 760), None);
    assert_eq!(c.arrives(8, 850, 100, 982), Some(1));
}

#[test]
fn a_first_frame_that_never_came_moves_no_deadline() {
    let mut c = Clock::default();
    assert_eq!(c.arrives(3, 300, 100, 401), Some(1));
    let mut d = Clock::default();
    assert_eq!(d.arrives(3, 300, 100, 400), None);
    assert_eq!(d.arrives(4, 400, 100, 501), Some(1));
}

fn arrival(created: u64, at: u64) -> Arrival {
    Arrival { class: Class::BestEffort, flits: 40, created, posted: created + 10, left: created + 60, at }
}

/// One that has seen something of everything; measured from cycle 100 to 1100.
fn seen() -> Collector {
    let mut c = Collector::new(100, 2);
    for t in [99, 100, 1099, 1100] {
        c.created(t, Class::BestEffort, 40);
        c.created(t, Class::RealTime, 8);
        c.accepted(t, Class::BestEffort, 40);
        c.refused(t, Class::BestEffort, Refusal::Full);
        c.refused(t, Class::BestEffort, Refusal::NoCredit);
        c.dropped(t, 8);
        c.frame_dropped(t);
        c.frame_rejected(t);
        c.stop(1100);
    }
    c.rejected(500, 8);
    c.delivered(&arrival(0, 99));
    c.delivered(&arrival(0, 100));
    c.delivered(&arrival(900, 1200));
    c.delivered(&arrival(900, 1000));
    for bw in [11, 41] {
        c.asked(bw);
    }
    c.opened(41);
    c.stream_refused(true);
    c.stream_refused(false);
    c.stream_refused(false);
    c.stream_rejected();
    c.closed();
    // Deadlines 100 (in time), 200 (10 late), 310 (after the window's end the clock goes on, uncounted).
    for (frame, at) in [(0, 100), (1, 210), (2, 1100)] {
        c.frame(1, frame, frame * 100, 100, at);
    }
    c
}

#[test]
fn what_happens_outside_the_window_is_not_counted() {
    let r = seen().report("t", 2, 80_000, 5000);
    assert_eq!((r.warmup_cycles, r.window_cycles, r.cycles), (100, 1000, 5000));
    let b = &r.best_effort;
    assert_eq!((b.offered_messages, b.offered_flits, b.posted_messages), (2, 80, 2));
    assert_eq!((b.refused_full_posts, b.refused_no_credit_posts), (2, 2));
    // 80 flits in 1000 cycles by 2 hosts.
    assert_eq!(b.offered_flits_per_cycle_and_host, 0.04);
    assert_eq!((b.delivered_messages, b.delivered_flits_per_cycle_and_host), (2, 0.04));
    assert_eq!((b.latency.count, b.latency.mean_cycles, b.latency.max_cycles), (2, 100.0, 100));
    assert_eq!((b.host_wait.mean_cycles, b.latency_from_post.mean_cycles), (10.0, 90.0));
    assert_eq!((b.adapter.mean_cycles, b.network.mean_cycles), (50.0, 40.0));
    let rt = &r.real_time;
    assert_eq!((rt.offered_messages, rt.rejected_messages, rt.dropped_messages), (2, 1, 2));
    // Of the one that was not rejected; both counts are of the window alone.
    assert_eq!(rt.dropped_share, 2.0);
    let s = &r.streams;
    assert_eq!((s.asked_streams, s.opened_streams, s.closed_streams, s.admitted_share), (2, 1, 1, 0.5));
    assert_eq!((s.asked_parts_of_4096, s.opened_parts_of_4096), (52, 41));
    assert_eq!(s.admitted_bandwidth_share, 41.0 / 52.0);
    let refused = (s.rejected_probes, s.refused_opens_no_bandwidth, s.refused_opens_no_credits);
    assert_eq!(refused, (1, 2, 1));
    let f = &r.frames;
    assert_eq!((f.delivered_frames, f.missed_frames, f.dropped_frames, f.rejected_frames), (2, 1, 2, 2));
    assert_eq!((f.dmp, f.dmt_cycles), (0.5, 10.0));
    // Ten cycles of 80 ns.
    assert!((f.dmt_ms - 0.0008).abs() < 1e-12, "{}", f.dmt_ms);
}

#[test]
fn a_report_is_written_as_text_and_as_json_with_units() {
    let r = seen().report("a mix", 2, 80_000, 5000);
    let text = r.text();
    for part in [
        "a mix, 2 hosts, 5000 cycles of 80 ns, measured 1000 after a warm-up of 100",
        "best-effort offered 0.0400, posted 0.0400, delivered 0.0400 flits/cycle and host (2 messages)",
        "latency    mean 100.0, p50 100",
        "1 of 2 admitted (78.8 % of the bandwidth), 1 closed; 1 probes rejected, 2 opens refused for bandwidth, 1 for credits",
        "2 delivered, 1 missed (DMP 0.50000, DMT 0.0008 ms), 2 dropped, 2 not admitted",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(!text.contains("control"), "{text}");
    let json = r.json().unwrap();
    let read: Report = serde_json::from_str(&json).unwrap();
    assert_eq!(read, r);
    for key in ["mean_cycles", "dmt_ms", "cycle_ps", "offered_flits_per_cycle_and_host"] {
        assert!(json.contains(key), "{json}");
    }
    let none = Collector::new(0, 0).report("", 0, 80_000, 0);
    assert_eq!((none.streams.admitted_share, none.frames.dmp), (0.0, 0.0));
}
