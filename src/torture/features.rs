//! How often what matters is drawn: a share of each feature, over many draws (`docs/torture.md` names the least ones).

use std::collections::BTreeMap;

use super::case::{Case, End, Pace};
use super::draw::{Source, draw};
use super::route::next_hops;
use crate::params::UnitKind;
use crate::registers::{REGISTERS, Register};

/// Something that a network has or has not.
pub struct Feature {
    /// Its name on the page.
    pub name: &'static str,
    /// Whether this one has it.
    pub has: fn(&Case) -> bool,
}

/// Parameters of all nodes.
fn parameters(c: &Case) -> impl Iterator<Item = &BTreeMap<String, usize>> {
    c.switch.iter().map(|s| &s.parameters).chain(c.host.iter().map(|h| &h.parameters))
}

fn parameter(c: &Case, name: &str, test: fn(usize) -> bool) -> bool {
    parameters(c).any(|p| p.get(name).is_some_and(|v| test(*v)))
}

/// Registers of all nodes: place without port, name, value.
fn registers(c: &Case) -> impl Iterator<Item = (&str, &str, u32)> {
    let sets = c.switch.iter().map(|s| &s.registers).chain(c.host.iter().map(|h| &h.registers));
    sets.flatten().filter_map(|(n, v)| {
        let (place, name) = n.split_once('.')?;
        Some((place.trim_end_matches(|c: char| c.is_ascii_digit()), name, *v))
    })
}

fn register(c: &Case, place: &str, name: &str, test: fn(u32) -> bool) -> bool {
    registers(c).any(|(p, n, v)| p == place && n == name && test(v))
}

fn isolates(c: &Case) -> bool {
    let on = |p: &BTreeMap<String, usize>, r: &BTreeMap<String, u32>, port: usize| {
        p["ISOLATION"] == 1 && r.get(&format!("in{port}.CTRL")).is_some_and(|v| v & 1 != 0)
    };
    c.switch.iter().any(|s| (0..s.parameters["PORTS"]).any(|p| on(&s.parameters, &s.registers, p)))
}

/// A destination shares its way over a link between switches with others, and two hosts send there.
fn shares_a_trunk(c: &Case) -> bool {
    let hops = next_hops(c);
    let trunks = c.link.iter().filter_map(|l| match (l.a, l.b) {
        (End::Switch(a, p), End::Switch(b, q)) => Some([(a, p), (b, q)]),
        _ => None,
    });
    trunks.flatten().any(|(s, port)| {
        let beyond = |h: usize| hops[s][h] == Some(port);
        let over: Vec<_> = c.pair.iter().filter(|p| beyond(p.to) && !beyond(p.from)).collect();
        let several = |of: fn(&&super::case::Pair) -> usize| over.iter().any(|p| of(p) != of(&over[0]));
        several(|p| p.to) && several(|p| p.from)
    })
}

fn lengths_differ(c: &Case) -> bool {
    let mut all = c.pair.iter().flat_map(|p| &p.lengths);
    all.next().is_some_and(|first| all.any(|l| l != first))
}

/// Everybody sends packets of MTU flits, and a host takes one in a multiple of its time.
fn in_step(c: &Case) -> bool {
    let mtu = c.switch[0].parameters["MTU"];
    let whole = |p: &super::case::Pair| p.gap == 0 && p.lengths.iter().all(|l| usize::from(*l) == mtu);
    let takes = |p: &Pace| !p.random && p.period as usize > mtu && (p.period as usize).is_multiple_of(mtu);
    mtu > 1 && c.pair.iter().all(whole) && c.host.iter().any(|h| takes(&h.take))
}

/// A source response is on in some adapter.
fn responds_at_all(c: &Case) -> bool {
    register(c, "response", "CTRL", |v| v & 1 != 0)
}

/// With this rate function, or with slots.
fn responds(c: &Case, resp: u32) -> bool {
    registers(c).any(|(p, n, v)| p == "response" && n == "CTRL" && v & 1 != 0 && v >> 1 & 7 == resp)
}

/// With windows.
fn windows(c: &Case) -> bool {
    responds_at_all(c) && register(c, "response", "WMAX", |v| v > 0)
}

/// In an adapter of at most so many bits of time.
fn responds_within(c: &Case, bits: usize) -> bool {
    c.host.iter().any(|h| h.parameters["RESPONSE"] == 1 && h.parameters["TS_W"] <= bits)
}

/// Only switches of one queue that isolate, and packets of one length back to back in each flow.
fn crowded(c: &Case) -> bool {
    let queues = |s: &super::case::SwitchNode| s.parameters["ONE_QUEUE"] == 1 && s.parameters["HPQS"] > 1;
    let busy = |p: &super::case::Pair| p.gap == 0 && p.lengths.len() == 1 && p.window > 4;
    isolates(c) && c.switch.iter().all(queues) && c.pair.iter().all(busy)
}

/// A host sends packets of a flit to some and gets long ones of others, and all marks are answered.
fn echoes(c: &Case) -> bool {
    let answers = |h: &super::case::HostNode| h.registers.get("hca.CTRL").is_some_and(|v| v & 5 == 1);
    let short = |p: &super::case::Pair| p.lengths == [1] && p.gap == 0;
    let back = |p: &super::case::Pair| {
        c.pair
            .iter()
            .filter(|o| o.to == p.from && o.gap == 0 && o.lengths.len() == 1 && o.lengths[0] > 1)
            .count()
            > 1
    };
    let marked = registers(c).any(|(p, n, v)| p == "out" && n == "CTRL" && v & 5 == 5);
    marked && c.host.iter().all(answers) && c.pair.iter().any(|p| short(p) && back(p))
}

/// Some output has a queue that takes flits faster than its link.
fn speedup(c: &Case) -> bool {
    let get = |s: &super::case::SwitchNode, port: usize, name: &str| {
        s.registers.get(&format!("out{port}.{name}")).copied().unwrap_or(1).max(1)
    };
    c.switch
        .iter()
        .filter(|s| s.parameters["CIOQ"] == 1)
        .any(|s| (0..s.parameters["PORTS"]).any(|p| get(s, p, "XB_INTERVAL") < get(s, p, "TX_INTERVAL")))
}

/// All inputs of switches drop old speculative packets.
fn drops(c: &Case) -> bool {
    c.reserves() && super::booking::most_age(c).is_some()
}

/// What sources lose goes again.
fn recovers(c: &Case) -> bool {
    c.reserves() && (0..c.host.len()).any(|h| super::booking::recovers(c, h))
}

/// Something may be sent speculatively.
fn speculates(c: &Case) -> bool {
    register(c, "reservation", "CTRL", |v| v & 5 == 1)
}

/// Some switch has several ports up.
fn several_up(c: &Case) -> bool {
    c.switch.iter().any(|s| s.up.len() > 1)
}

/// Some switch draws among several ports up.
fn draws_up(c: &Case) -> bool {
    (0..c.switch.len()).any(|s| super::route::draws(c, s) && c.switch[s].up.len() > 1)
}

/// A switch with ports up is above another.
fn three_levels(c: &Case) -> bool {
    let peers = c.peers();
    let above = |s: usize| {
        c.switch[s].up.iter().any(|p| match peers.get(&End::Switch(s, *p)) {
            Some((_, End::Switch(t, _))) => !c.switch[*t].up.is_empty(),
            _ => false,
        })
    };
    draws_up(c) && (0..c.switch.len()).any(above)
}

/// All features.
pub const FEATURES: &[Feature] = &[
    Feature { name: "several switches", has: |c| c.switch.len() > 1 },
    Feature { name: "three switches or more", has: |c| c.switch.len() > 2 },
    Feature { name: "isolation", has: isolates },
    Feature { name: "isolation, one queue", has: |c| isolates(c) && parameter(c, "ONE_QUEUE", |v| v == 1) },
    Feature { name: "isolation, several VLs", has: |c| isolates(c) && parameter(c, "VLS", |v| v > 1) },
    Feature {
        name: "isolation, several HPQs",
        has: |c| isolates(c) && c.switch.iter().any(|s| s.parameters["HPQS"] > 1),
    },
    Feature { name: "isolation over a shared trunk", has: |c| isolates(c) && shares_a_trunk(c) },
    Feature { name: "lists of one destination", has: |c| isolates(c) && parameter(c, "DLIST", |v| v == 1) },
    Feature {
        name: "line timers up to 100",
        has: |c| isolates(c) && register(c, "in", "LINE_TIMER", |v| v <= 100),
    },
    Feature { name: "refreshes", has: |c| isolates(c) && register(c, "in", "REFRESH", |v| v > 0) },
    Feature { name: "cold first", has: |c| register(c, "in", "CTRL", |v| v & 2 != 0) },
    Feature { name: "marking", has: |c| register(c, "out", "CTRL", |v| v & 1 != 0) },
    Feature {
        name: "marks answered",
        has: |c| register(c, "out", "CTRL", |v| v & 1 != 0) && register(c, "hca", "CTRL", |v| v & 1 != 0),
    },
    Feature { name: "marks by fills, naive", has: |c| register(c, "in", "CTRL", |v| v & 0x20 != 0) },
    Feature { name: "marks by the level of a buffer", has: |c| register(c, "in", "CTRL", |v| v & 0x40 != 0) },
    Feature { name: "marks by counts", has: |c| register(c, "out", "CTRL", |v| v & 0x800 != 0) },
    Feature { name: "validated marks", has: |c| register(c, "out", "CTRL", |v| v & 0x1000 != 0) },
    Feature { name: "oldest first", has: |c| register(c, "out", "CTRL", |v| v & 0x200 != 0) },
    Feature {
        name: "a limit of passing",
        has: |c| parameter(c, "STAMP_W", |v| v > 0) && register(c, "in", "BYPASS", |v| v > 0),
    },
    Feature {
        name: "roots by the credit of the cycle",
        has: |c| register(c, "out", "CTRL", |v| v & 0x2001 == 0x2001),
    },
    Feature { name: "a control lane", has: |c| parameter(c, "CTL_VL", |v| v == 1) },
    Feature {
        name: "a control lane, replies",
        has: |c| parameter(c, "CTL_VL", |v| v == 1) && register(c, "hca", "CTRL", |v| v & 5 != 0),
    },
    Feature { name: "CNPs without priority", has: |c| register(c, "out", "CTRL", |v| v & 0x80 != 0) },
    Feature { name: "charges that leave at the grant", has: |c| register(c, "in", "CTRL", |v| v & 8 != 0) },
    Feature {
        name: "roots with a hot queue",
        has: |c| isolates(c) && register(c, "in", "CTRL", |v| v & 16 != 0),
    },
    Feature { name: "CNPs in generation queues", has: |c| register(c, "hca", "CTRL", |v| v & 2 != 0) },
    Feature {
        name: "replies by message",
        has: |c| register(c, "hca", "CTRL", |v| v & 1 != 0) && register(c, "hca", "BECN_PER", |v| v > 0),
    },
    Feature {
        name: "notifications all the time",
        has: |c| {
            register(c, "hca", "CTRL", |v| v & 1 != 0)
                && register(c, "out", "CTRL", |v| v & 1 != 0)
                && register(c, "out", "MARKING_RATE", |v| v <= 2)
        },
    },
    Feature {
        name: "indices that fall within a run",
        has: |c| {
            register(c, "hca", "CTRL", |v| v & 1 != 0)
                && register(c, "throttle", "TICK_CYCLES", |v| v <= 8)
                && register(c, "throttle", "CCTI_TIMER", |v| (1..=6).contains(&v))
        },
    },
    Feature { name: "injection windows", has: |c| register(c, "hca", "INJECT", |v| v > 0) },
    Feature { name: "throttling", has: |c| register(c, "throttle", "CTRL", |v| v & 1 != 0) },
    Feature { name: "throttling per SL", has: |c| register(c, "throttle", "CTRL", |v| v & 3 == 3) },
    Feature { name: "ACKs", has: |c| register(c, "hca", "CTRL", |v| v & 4 != 0) },
    Feature { name: "windows", has: windows },
    Feature {
        name: "windows of one packet",
        has: |c| windows(c) && register(c, "response", "WMAX", |v| v == 1),
    },
    Feature {
        name: "windows that move",
        has: |c| windows(c) && register(c, "response", "CTRL", |v| v & 0x11 == 0x11),
    },
    Feature { name: "LIPD", has: |c| responds(c, 1) },
    Feature { name: "FIMD", has: |c| responds(c, 2) },
    Feature { name: "AIMD", has: |c| responds(c, 3) },
    Feature { name: "waiting slots", has: |c| responds(c, 4) && c.host.iter().any(|h| h.wt.len() > 1) },
    Feature {
        name: "delays from the ACK",
        has: |c| responds_at_all(c) && register(c, "response", "CTRL", |v| v & 0x20 != 0),
    },
    Feature {
        name: "windows, no ACK is lost",
        has: |c| windows(c) && matches!(super::acks::losses(c), Ok(None)),
    },
    Feature { name: "windows, IRDMAX of 256 cycles or less", has: |c| windows(c) && responds_within(c, 10) },
    Feature {
        name: "windows, links lose ACKs",
        has: |c| windows(c) && c.link.iter().any(|l| l.eats.is_some_and(|e| e.lose > 0)),
    },
    Feature {
        name: "windows, links damage ACKs",
        has: |c| windows(c) && c.link.iter().any(|l| l.eats.is_some_and(|e| e.damage > 0)),
    },
    Feature { name: "windows, something is reset", has: |c| windows(c) && !c.reset.is_empty() },
    Feature {
        name: "windows that are rewritten",
        has: |c| windows(c) && c.rewrite.iter().any(|w| w.register == "response.WMAX"),
    },
    Feature {
        name: "ACKs, adapters with a throttle",
        has: |c| register(c, "hca", "CTRL", |v| v & 4 != 0) && parameter(c, "RESPONSE", |v| v == 0),
    },
    Feature { name: "queues at outputs", has: |c| parameter(c, "CIOQ", |v| v == 1) },
    Feature { name: "a crossbar faster than a link", has: speedup },
    Feature {
        name: "queues at outputs, something is reset",
        has: |c| parameter(c, "CIOQ", |v| v == 1) && !c.reset.is_empty(),
    },
    Feature { name: "queues at outputs, windows", has: |c| parameter(c, "CIOQ", |v| v == 1) && windows(c) },
    Feature { name: "reservations", has: Case::reserves },
    Feature {
        name: "reservations, several lanes of data",
        has: |c| c.reserves() && parameter(c, "VLS", |v| v > 4),
    },
    Feature { name: "reservations, several switches", has: |c| c.reserves() && c.switch.len() > 1 },
    Feature {
        name: "reservations, messages of several chunks",
        has: |c| {
            let nmax = c.host[0].parameters["NMAX"];
            c.reserves() && c.pair.iter().flat_map(|p| &p.packets).any(|n| usize::from(*n) > nmax)
        },
    },
    Feature { name: "reservations, all old packets are dropped", has: |c| drops(c) && speculates(c) },
    Feature {
        name: "reservations, packets that wait are dropped",
        has: |c| c.reserves() && register(c, "in", "TTW", |v| v < 20) && speculates(c) && drops(c),
    },
    Feature { name: "reservations, some are never dropped", has: |c| c.reserves() && !drops(c) },
    Feature {
        name: "reservations, nothing is speculative",
        has: |c| c.reserves() && register(c, "reservation", "CTRL", |v| v & 5 == 5),
    },
    Feature {
        name: "reservations, some do not reserve",
        has: |c| c.reserves() && register(c, "reservation", "CTRL", |v| v & 1 == 0),
    },
    Feature {
        name: "reservations, registers are rewritten",
        has: |c| {
            let own = |n: &str| n.starts_with("reservation.") || n.ends_with(".TTW") || n.ends_with(".SPEC");
            c.reserves() && c.rewrite.iter().any(|w| own(&w.register))
        },
    },
    Feature {
        name: "reservations, links lose what is told",
        has: |c| c.reserves() && c.link.iter().any(|l| l.eats.is_some_and(|e| e.lose + e.damage > 0)),
    },
    Feature { name: "reservations, something is reset", has: |c| c.reserves() && !c.reset.is_empty() },
    Feature { name: "reservations, losses end", has: recovers },
    Feature {
        name: "reservations, losses end, links lose what is told",
        has: |c| recovers(c) && c.link.iter().any(|l| l.eats.is_some_and(|e| e.lose + e.damage > 0)),
    },
    Feature {
        name: "reservations, losses end, something is reset",
        has: |c| recovers(c) && !c.reset.is_empty(),
    },
    Feature { name: "reservations, packets in order", has: super::booking::in_order },
    Feature {
        name: "reservations, packets in order, all are judged",
        has: |c| super::booking::in_order(c) && c.reset.is_empty() && !draws_up(c),
    },
    Feature {
        name: "reservations, messages become one",
        has: |c| c.reserves() && register(c, "reservation", "CTRL", |v| v & 8 != 0),
    },
    Feature {
        name: "reservations, what comes without is booked",
        has: |c| c.reserves() && register(c, "reservation", "CTRL", |v| v & 64 != 0),
    },
    Feature {
        name: "reservations, lost words",
        has: |c| c.reserves() && c.link.iter().any(|l| l.disturbed.is_some_and(|d| d.lose > 0)),
    },
    Feature {
        name: "reservations, slow receivers",
        has: |c| c.reserves() && c.host.iter().any(|h| h.take != Pace::default()),
    },
    Feature { name: "several ports up", has: several_up },
    Feature { name: "ways up drawn", has: draws_up },
    Feature { name: "ways up drawn, three levels", has: three_levels },
    Feature { name: "ways up drawn, reservations", has: |c| draws_up(c) && c.reserves() },
    Feature {
        name: "ways up drawn, masks are rewritten",
        has: |c| draws_up(c) && c.rewrite.iter().any(|w| w.register.ends_with(".UP_MASK")),
    },
    Feature { name: "ways up drawn, something is reset", has: |c| draws_up(c) && !c.reset.is_empty() },
    Feature { name: "a crowd", has: crowded },
    Feature { name: "echoes", has: echoes },
    Feature { name: "lost words", has: |c| c.link.iter().any(|l| l.disturbed.is_some_and(|d| d.lose > 0)) },
    Feature {
        name: "repeated words",
        has: |c| c.link.iter().any(|l| l.disturbed.is_some_and(|d| d.repeat > 0)),
    },
    Feature { name: "rewrites", has: |c| !c.rewrite.is_empty() },
    Feature { name: "a node is reset", has: |c| c.reset.iter().any(|r| !r.what.contains('.')) },
    Feature { name: "a link is unplugged", has: |c| c.reset.iter().any(|r| r.what.contains('.')) },
    Feature { name: "slow links", has: |c| register(c, "out", "TX_INTERVAL", |v| v > 1) },
    Feature { name: "long links", has: |c| c.link.iter().any(|l| l.delay.iter().any(|d| *d > 8)) },
    Feature { name: "slow receivers", has: |c| c.host.iter().any(|h| h.take != Pace::default()) },
    Feature { name: "slow senders", has: |c| c.host.iter().any(|h| h.give != Pace::default()) },
    Feature { name: "random paces", has: |c| c.host.iter().any(|h| h.take.random || h.give.random) },
    Feature { name: "mixed lengths", has: lengths_differ },
    Feature { name: "everything in step", has: in_step },
    Feature { name: "64-byte flits", has: |c| parameter(c, "FLIT_BYTES", |v| v == 64) },
    Feature { name: "one VL", has: |c| parameter(c, "VLS", |v| v == 1) },
    Feature { name: "8 VLs or more", has: |c| parameter(c, "VLS", |v| v >= 8) },
    Feature { name: "VL by destination", has: |c| parameter(c, "VL_BY_DEST", |v| v == 1) },
    Feature { name: "one queue", has: |c| parameter(c, "ONE_QUEUE", |v| v == 1) },
    Feature { name: "parity", has: |c| parameter(c, "PARITY", |v| v == 1) },
    Feature {
        name: "a lane of one packet",
        has: |c| parameters(c).any(|p| p["BLOCKS"] / p["VLS"] == p["MTU"]),
    },
    Feature { name: "up to 600 cycles", has: |c| c.cycles <= 600 },
    Feature { name: "above 2000 cycles", has: |c| c.cycles > 2000 },
];

/// Place of a unit's registers in a file, if it is there.
fn place(r: &Register) -> Option<&'static str> {
    match r.unit {
        UnitKind::InputPort => Some("in"),
        UnitKind::OutputPort => Some("out"),
        UnitKind::HcaThrottle => Some("throttle"),
        UnitKind::Hca => Some("hca"),
        UnitKind::SourceResponse => Some("response"),
        UnitKind::Reservation => Some("reservation"),
        UnitKind::Switch | UnitKind::WormRouter | UnitKind::WormAdapter | UnitKind::InjectionControl => None,
    }
}

/// Registers that are not drawn up to both ends: numbers of the network, what would hide errors, and a credit interval that
/// would make a run too long; and the time-out of reservation, whose least value is that of its network.
const BOUNDED: [&str; 7] = ["LID", "LID_BASE", "ERR_CLEAR", "SWITCH_ID", "CTRL", "FC_INTERVAL", "RTO"];

/// The feature of that name.
pub fn named(name: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|f| f.name == name)
}

/// Networks that the seeds below `n` draw, and how many of them have each feature and each end of each register
/// (`in.HTH = 0`).
pub fn count(n: u64) -> (u64, BTreeMap<String, u64>) {
    let ends: Vec<(&str, &Register)> = REGISTERS
        .iter()
        .filter(|r| !BOUNDED.contains(&r.name))
        .filter_map(|r| Some((place(r)?, r)))
        .collect();
    let mut counts: BTreeMap<String, u64> = FEATURES.iter().map(|f| (f.name.to_string(), 0)).collect();
    let end = |place: &str, name: &str, which: &str| format!("{place}.{name} = {which}");
    for (place, r) in &ends {
        counts.insert(end(place, r.name, "0"), 0);
        counts.insert(end(place, r.name, "most"), 0);
    }
    let mut networks = 0;
    for case in (0..n).filter_map(|seed| draw(seed, Source::Any, None)) {
        networks += 1;
        for f in FEATURES.iter().filter(|f| (f.has)(&case)) {
            *counts.entry(f.name.into()).or_default() += 1;
        }
        let timer = parameters(&case).map(|p| p["TIMER_W"]).max().unwrap_or(32);
        for (place, r) in &ends {
            for (which, wanted) in [("0", 0), ("most", r.most(timer))] {
                let has = registers(&case).any(|(p, n, v)| p == *place && n == r.name && v == wanted);
                *counts.entry(end(place, r.name, which)).or_default() += u64::from(has);
            }
        }
    }
    (networks, counts)
}
