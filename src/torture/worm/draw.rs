//! Draws networks of wormhole routers: sizes and registers over their whole ranges with weight on the ends, few lanes and short messages more
//! often than many and long ones.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::disturb::{LONGEST, SHORTEST, may_be_written};
use super::{Case, Fall, Reset, Rewrite};
use crate::config::ValueKind;
use crate::fabric::traffic::{Load, Nodes, Time, To};
use crate::torture::case::VERSION;
use crate::torture::chance::{log, one, weighted};
use crate::worm::catalogue::SCHEMES;
use crate::worm::settings::KEYS;
use crate::worm::traffic::WormSpec;
use crate::worm::traffic::spec::{Ask, BestEffort, Control, OnOff};
use crate::worm::{NodeId, Settings};

/// What sizes may be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Any.
    Any,
    /// Few, since each set of them is Verilated once.
    Few,
}

const NETWORKS: [(u32, &str); 8] = [
    (3, "mesh:2x2"),
    (3, "mesh:3x2"),
    (2, "mesh:3x3"),
    (2, "mesh:4x1"),
    (2, "star:2"),
    (3, "star:3"),
    (2, "star:5"),
    (1, "star:8"),
];

/// Settings as they are drawn.
struct Said(Vec<String>);

impl Said {
    fn say(&mut self, name: &str, value: impl std::fmt::Display) {
        self.0.push(format!("{name}={value}"));
    }

    /// With a chance of `share`, a number of the setting's range: an end, or about as many of each length.
    fn maybe(&mut self, rng: &mut SmallRng, share: f64, name: &str, most: i64) {
        if !rng.random_bool(share) {
            return;
        }
        let (lo, hi) = range(name);
        let hi = hi.min(most);
        let value = match rng.random_range(0..6) {
            0 => lo,
            1 => hi,
            2 => (lo + 1).min(hi),
            _ => log(rng, lo.max(1) as u64, hi as u64) as i64,
        };
        self.say(name, value);
    }
}

/// What a setting may be.
fn range(name: &str) -> (i64, i64) {
    match KEYS.iter().find(|k| k.name == name).map(|k| k.kind) {
        Some(ValueKind::Int(lo, hi)) => (lo, hi),
        _ => unreachable!("{name} is a setting, and a number"),
    }
}

/// The network of a seed; none if what was drawn does not go together.
pub fn draw(seed: u64, source: Source, cycles: Option<u64>) -> Option<Case> {
    let rng = &mut SmallRng::seed_from_u64(crate::torture::mix(seed ^ 0x3077));
    // Hosts that are alike, whose shares can be compared.
    let alike = source == Source::Any && rng.random_bool(0.06);
    let network = match source {
        _ if alike => one(rng, &["star:3", "star:5", "star:8"]),
        Source::Any => weighted(rng, &NETWORKS),
        Source::Few => one(rng, &["mesh:2x2", "star:3"]),
    };
    let scheme = SCHEMES[rng.random_range(0..SCHEMES.len())].name;
    let scheme = if alike { one(rng, &["yum-none", "credit"]) } else { scheme };
    let admission = rng.random_bool(0.6);
    let mut said = Said(Vec::new());
    let (vls, lane, msgq) = match source {
        Source::Any => sizes(rng, &mut said),
        Source::Few => few(rng, &mut said),
    };
    registers(rng, &mut said, vls, msgq, admission);
    let settings = Settings::of(&said.0).ok()?;
    let (be, data) = (settings.be_mask(), (1u32 << (vls - 2)) - 1);
    let mut traffic = traffic(rng, lane, settings.conns, be != 0, be & data != data);
    if alike {
        // As much as the host's link takes.
        let load = Some(Load::Flits(one(rng, &[0.6, 0.9, 1.0])));
        let group = BestEffort { load, message: rng.random_range(1..=lane.min(10)), ..to_one() };
        traffic = WormSpec { name: traffic.name, best_effort: vec![group], ..WormSpec::default() };
    }
    let cycles = cycles.unwrap_or_else(|| {
        if alike {
            return rng.random_range(4000..=8000);
        }
        let (lo, hi) = weighted(rng, &[(70, (500, 3000)), (25, (3000, 12_000)), (5, (12_000, 40_000))]);
        rng.random_range(lo..=hi)
    });
    let case = Case {
        version: VERSION,
        seed,
        cycles,
        found: String::new(),
        network: network.into(),
        scheme: scheme.into(),
        set: said.0,
        rewrite: Vec::new(),
        fall: Vec::new(),
        reset: Vec::new(),
        traffic,
    };
    case.check().ok()?;
    Some(disturb(seed, case, alike))
}

/// With links that are unplugged, or registers that are written while messages flow. What it draws is apart: without it a seed's network is what it
/// is with it.
fn disturb(seed: u64, mut case: Case, alike: bool) -> Case {
    let rng = &mut SmallRng::seed_from_u64(crate::torture::mix(seed ^ 0xfa11));
    let (falls, rewrites) = (rng.random_bool(0.2), rng.random_bool(0.2));
    let Ok(job) = case.job() else { return case };
    if alike {
        return case;
    }
    let nodes: Vec<NodeId> = job.nodes().collect();
    if rewrites {
        for _ in 0..rng.random_range(1..=6) {
            let node = nodes[rng.random_range(0..nodes.len())];
            let unit = job.net.unit(node, &job.settings).0;
            let registers: Vec<_> = may_be_written(unit, &job).collect();
            let r = registers[rng.random_range(0..registers.len())];
            let most = r.most(0);
            let any = log(rng, 1, most.into()) as u32;
            let value = one(rng, &[0, 1, most, any, any, any]);
            let cycle = rng.random_range(0..=case.cycles);
            case.rewrite.push(Rewrite { cycle, node: job.net.name(node), register: r.name.into(), value });
        }
        case.rewrite.sort_by_key(|w| w.cycle);
    }
    if falls {
        // (Messages of one flit cannot be told apart.)
        let t = &mut case.traffic;
        t.best_effort.iter_mut().for_each(|g| g.message = g.message.max(2));
        t.control.iter_mut().for_each(|g| g.message = g.message.max(2));
        t.onoff.iter_mut().for_each(|g| g.message = g.message.max(2));
        for _ in 0..rng.random_range(1..=3) {
            let (node, port) = match nodes[rng.random_range(0..job.net.routers() + job.net.hosts())] {
                NodeId::Router(r) => (NodeId::Router(r), rng.random_range(0..job.net.ports(r))),
                other => (other, 0),
            };
            let link = match node {
                NodeId::Router(_) => format!("{}.{port}", job.net.name(node)),
                _ => job.net.name(node),
            };
            let (cycle, cycles) =
                (rng.random_range(0..case.cycles), log(rng, SHORTEST, LONGEST.min(case.cycles)));
            let mut with = case.clone();
            if rng.random_bool(0.3) {
                let router = job.net.name(NodeId::Router(rng.random_range(0..job.net.routers())));
                with.reset.push(Reset { cycle, router, late: log(rng, 1, 300) });
                case = if with.check().is_ok() { with } else { case };
                continue;
            }
            with.fall.push(Fall { cycle, link, cycles });
            // (Some ports have no link, some falls would last too long.)
            if with.check().is_ok() {
                case = with;
            }
        }
    }
    case
}

/// Lanes, flits of the longest message, and messages in a queue.
fn sizes(rng: &mut SmallRng, said: &mut Said) -> (usize, u32, u64) {
    let vls = weighted(rng, &[(30, 3), (30, 4), (15, 5), (10, 8), (15, 16)]);
    let lane = weighted(rng, &[(3, 2), (4, 5), (5, 10), (4, 20), (3, 40), (1, 64)]);
    let msgq = one(rng, &[2u64, 4, 16, 64, 1024]);
    said.say("vls", vls);
    said.say("lane", lane);
    said.say("msgq", msgq);
    let any = rng.random_range(2..=64);
    said.say("depth", weighted(rng, &[(4, 2), (3, 3), (3, 10), (2, any)]));
    said.say("conns", one(rng, &[2, 4, 16, 64]));
    said.say("ctlq", one(rng, &[2, 4, 16]));
    (vls, lane, msgq)
}

/// Sizes of few models.
fn few(rng: &mut SmallRng, said: &mut Said) -> (usize, u32, u64) {
    for (name, value) in [("lane", 12), ("msgq", 8), ("ctlq", 4), ("conns", 8)] {
        said.say(name, value);
    }
    let vls = one(rng, &[3, 4]);
    said.say("vls", vls);
    said.say("depth", 2);
    (vls, 12, 8)
}

fn registers(rng: &mut SmallRng, said: &mut Said, vls: usize, msgq: u64, admission: bool) {
    said.say("admission", if admission { "on" } else { "off" });
    said.say("link_delay", weighted(rng, &[(5, 1), (2, 2), (2, 7), (1, 30)]));
    said.maybe(rng, 0.4, "limit", i64::MAX);
    said.maybe(rng, 0.4, "wshift", i64::MAX);
    // Short guards more often: what they promise can be waited for.
    match rng.random_range(0..10) {
        0..6 => said.say("lhp", rng.random_range(1..=4)),
        6 => said.say("lhp", one(rng, &[0, 255])),
        7 => said.maybe(rng, 1.0, "lhp", i64::MAX),
        _ => (),
    }
    let data = (1u32 << (vls - 2)) - 1;
    if rng.random_bool(0.5) {
        let any = rng.random_range(0..=data);
        said.say("be_mask", one(rng, &[data, 0, 1, data ^ (data >> 1), any]));
    }
    said.maybe(rng, 0.3, "rt_weight", i64::MAX);
    said.maybe(rng, 0.3, "be_weight", i64::MAX);
    if rng.random_bool(0.2) {
        let all: Vec<String> = (0..vls - 2).map(|_| one(rng, &[0, 1, 2, 7, 255]).to_string()).collect();
        said.say("weights", format!("[{}]", all.join(", ")));
    }
    let m = if rng.random_bool(0.5) { rng.random_range(1..=msgq) } else { msgq.min(1024) };
    said.say("m", m);
    let any = rng.random_range(1..=m);
    said.say("c_b", one(rng, &[1, m, any, m.div_ceil(4)]));
    said.maybe(rng, 0.4, "probe_gap", 5000);
    said.maybe(rng, 0.8, "hold_max", 2000);
    said.maybe(rng, 0.7, "gather", 11);
    said.maybe(rng, 0.5, "up", i64::MAX);
    said.maybe(rng, 0.5, "down", i64::MAX);
    said.say("retry", one(rng, &[1, 50, 500, 5000]));
    said.say("rtry", one(rng, &[1, 7, 50, 1000]));
}

fn traffic(rng: &mut SmallRng, lane: u32, conns: usize, best_effort: bool, streams: bool) -> WormSpec {
    let load: f64 = weighted(rng, &[(2, 0.05), (3, 0.3), (3, 0.6), (3, 0.9), (2, 1.0)]);
    let mut spec = WormSpec { name: "drawn".into(), ..WormSpec::default() };
    let streams = streams && rng.random_bool(0.7);
    let message = |rng: &mut SmallRng| {
        let any = rng.random_range(2..=lane);
        one(rng, &[lane, 1, 2, any])
    };
    if best_effort && (!streams || rng.random_bool(0.8)) {
        let one_host = rng.random_bool(0.3);
        let share = if streams { rng.random_range(0.05..1.0) } else { 1.0 };
        let start = if rng.random_bool(0.2) { rng.random_range(0..2000) } else { 0 };
        let group = if one_host { to_one() } else { BestEffort::new("b") };
        spec.best_effort.push(BestEffort {
            load: Some(Load::Flits((load * share).max(0.01))),
            message: message(rng),
            start: Time::Cycles(start),
            ..group
        });
    }
    if rng.random_bool(0.5) || spec.best_effort.is_empty() && !streams {
        spec.control.push(Control {
            messages: one(rng, &[1.0, 5.0, 20.0]),
            every: Time::Cycles(one(rng, &[2000, 5000])),
            message: message(rng).min(10),
            ..Control::new("c")
        });
    }
    if streams {
        let any = rng.random_range(1..=conns as u32);
        let n = one(rng, &[1, 2, conns as u32, any]);
        let rate = load * one(rng, &[0.5, 1.0, 2.0]) / f64::from(n);
        let [on, off] = [(); 2].map(|()| Time::Cycles(one(rng, &[100, 500, 5000])));
        spec.onoff.push(OnOff {
            streams: Some(n),
            rate: Load::Flits(rate.clamp(0.001, 1.0)),
            on,
            off,
            ask: match rng.random_range(0..4) {
                0 => Ask::Peak,
                1 => Ask::Parts(rng.random_range(1..=4096)),
                _ => Ask::Mean,
            },
            message: message(rng),
            deadline: Time::Cycles(one(rng, &[100, 3000, 400_000])),
            within: Some(Time::Cycles(one(rng, &[1, 100, 1000]))),
            stop: rng.random_bool(0.3).then(|| Time::Cycles(rng.random_range(300..3000))),
            ..OnOff::new("s")
        });
    }
    spec
}

/// All others to one host.
fn to_one() -> BestEffort {
    BestEffort {
        sources: "all, not 0".parse().expect("a selection of nodes"),
        to: To::UniformOver(Nodes::one(0)),
        ..BestEffort::new("b")
    }
}
