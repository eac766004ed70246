//! Small networks with simple hosts.

mod host;
mod lanes;

use super::catalogue::{SCHEMES, find};
use super::settings::Settings;
use super::{Cluster, Drained, Engine, Job, Net, Run};
#[cfg(feature = "rtl")]
use crate::extent::pick;
use host::{Plan, Simple, Told};
use std::sync::{Arc, Mutex};

fn job(net: &str, scheme: &str, set: &[&str], threads: usize) -> Job {
    let net = Net::by_name(net).unwrap();
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    let settings = Settings::of(&set).unwrap();
    settings.check(net.hosts()).unwrap();
    Job { net, scheme: find(scheme).unwrap(), settings, seed: 1, threads }
}

/// Runs, drains, and says what the hosts of the first engine have seen.
fn run(job: &Job, engines: &[Engine], plan: Plan, cycles: u64) -> Told {
    let told: Arc<Mutex<Vec<Arc<Mutex<Told>>>>> = Arc::default();
    let hosts = || {
        let hosts = Simple::new(job.net.hosts(), plan);
        told.lock().unwrap().push(hosts.told());
        Ok(hosts)
    };
    let mut run = Run::new(job, engines, &hosts, None).unwrap();
    let wrong = run.run(cycles).unwrap();
    assert!(wrong.is_none(), "{}", wrong.unwrap());
    let end = run.drain().unwrap();
    assert!(matches!(end, Drained::Idle(_)), "{end:?}");
    assert_eq!(run.faults(), Vec::<String>::new());
    let first = told.lock().unwrap()[0].clone();
    let told = first.lock().unwrap().clone();
    assert_eq!(told.wrong, Vec::<String>::new());
    assert_eq!(told.sent, told.received, "messages that were posted, and delivered");
    told
}

const UNIFORM: Plan = Plan { gap: 40, len: 12, streams: 0 };

#[test]
fn every_message_of_a_mesh_is_delivered_once_whole_and_in_order() {
    for net in ["mesh:2x2", "mesh:3x3", "star:5"] {
        for scheme in &SCHEMES {
            let told = run(&job(net, scheme.name, &[], 1), &[Engine::Golden], UNIFORM, 2_000);
            assert!(told.sent > 150, "{net} {}: {}", scheme.name, told.sent);
        }
    }
}

#[test]
fn injection_control_holds_messages_back_where_they_are_too_many() {
    let full = Plan { gap: 20, len: 40, streams: 0 };
    let of = |scheme: &str, set: &[&str]| {
        let job = job("mesh:3x3", scheme, set, 1);
        let hosts = Simple::new(9, full);
        let told = hosts.told();
        let mut cluster = Cluster::new(&job, Engine::Golden, hosts, false).unwrap();
        cluster.run(3_000).unwrap();
        told.lock().unwrap().received
    };
    let none = of("yum-none", &[]);
    // A threshold of a lane, that is hardly ever tuned.
    let low = ["up=1", "gather=9"];
    let held = of("selftuned", &[&low[..], &["hold_max=0"]].concat());
    let bounded = of("selftuned", &[&low[..], &["hold_max=1"]].concat());
    assert!(held < none * 9 / 10 && bounded > held, "{none} without, {held} held, {bounded} with a bound");
    assert!(of("alo", &[]) > none / 2);
}

/// However slowly its threshold rises, what Self-Tuned holds in an empty network goes: held headers are not what holds them.
#[test]
fn self_tuned_does_not_hold_an_empty_network() {
    let full = Plan { gap: 50, len: 40, streams: 0 };
    for up in ["up=0", "up=1"] {
        let set = ["hold_max=0", up];
        let told = run(&job("mesh:2x2", "selftuned", &set, 1), &[Engine::Golden], full, 8_000);
        assert!(told.sent > 550, "{up}: {} messages", told.sent);
    }
}

#[test]
fn links_may_be_long_and_buffers_short() {
    let set = ["vls=4", "depth=2", "lane=12", "msgq=16", "link_delay=7"];
    let told = run(&job("mesh:3x2", "credit", &set, 1), &[Engine::Golden], UNIFORM, 4_000);
    assert!(told.sent > 100, "{}", told.sent);
}

#[test]
fn streams_open_send_and_end_and_nothing_stays_booked() {
    for scheme in ["yum-none", "credit"] {
        // More than all links have: some are rejected.
        let plan = Plan { gap: 60, len: 20, streams: 5 };
        let told = run(&job("mesh:3x3", scheme, &["admission=on"], 1), &[Engine::Golden], plan, 12_000);
        assert!(told.opened > 20 && told.rejected > 5 && told.closed == told.opened, "{told:?}");
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let plan = Plan { gap: 30, len: 20, streams: 3 };
    let of = |threads| {
        let told = run(&job("mesh:3x3", "credit", &["admission=on"], threads), &[Engine::Golden], plan, 900);
        (told.trace, told.sent, told.opened)
    };
    let one = of(1);
    assert!(one.1 > 50);
    assert_eq!(one, of(2));
}

#[cfg(feature = "rtl")]
#[test]
fn golden_units_and_rtl_are_equal_in_a_mesh() {
    // Models of routers of 16 lanes take a minute each.
    let lanes = pick("vls=6", "vls=16");
    let plan = Plan { gap: 30, len: 20, streams: 3 };
    let credit = job("mesh:2x2", "credit", &["admission=on", lanes], 1);
    let told = run(&credit, &[Engine::Rtl, Engine::Golden], plan, 1_500);
    assert!(told.sent > 50 && told.opened > 2, "{told:?}");
    // (Adapters sweep for longer than what stands beside them.)
    for scheme in ["alo", "selftuned"] {
        let plan = Plan { gap: 30, len: 20, streams: 0 };
        let job = job("mesh:2x2", scheme, &["up=0", lanes], 1);
        let told = run(&job, &[Engine::Rtl, Engine::Golden], plan, 500);
        assert!(told.sent > 50, "{scheme}: {told:?}");
    }
}
