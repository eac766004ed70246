//! Draws networks. A seed says everything; `docs/torture.md` says what is drawn.

use std::collections::BTreeMap;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::bounds::{idle_time, least_line_timer};
use super::case::{
    Case, Disturbance, End, HostNode, Link, Pace, Pair, Reset, Rewrite, SwitchNode, VERSION, parameters,
};
pub use super::chance::ENDLESS;
use super::chance::{cap, log, one, ranged, weighted};
use super::crowd;
use super::levels;
use super::reserve;
use super::respond::{self, Plan};
use super::route::next_hops;
use super::space::{self, Choice, DIRECTED};
use crate::params::{Build, Params, UnitKind, builds};

/// Hosts of a network, at most.
const MOST_HOSTS: usize = 8;

/// Where the parameters come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Any legal ones.
    Any,
    /// Those of the named builds.
    Built,
}

/// How a network is set up.
struct Style {
    /// Chance of each register of each port to be written with a drawn value.
    density: f64,
    /// The same value in all ports.
    alike: bool,
    iso: Mode,
    mark: Mode,
    throttle: Mode,
    /// Links of several cycles per flit.
    slow_links: bool,
    /// Control words are lost or repeated for a while.
    disturbed: bool,
    rewrites: bool,
    resets: bool,
    /// Congestion trees all the time: low thresholds, short timers, slow receivers, everyone to one host or over one link.
    trees: bool,
}

/// Where a feature is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Off,
    On,
    Mixed,
}

impl Mode {
    fn draw(self, rng: &mut SmallRng) -> bool {
        match self {
            Mode::Off => false,
            Mode::On => true,
            Mode::Mixed => rng.random_bool(0.6),
        }
    }
}

fn style(rng: &mut SmallRng) -> Style {
    let mode = |rng: &mut SmallRng, off: u32| {
        weighted(rng, &[(off, Mode::Off), (100 - off, Mode::On), (15, Mode::Mixed)])
    };
    let iso = mode(rng, 30);
    Style {
        trees: iso != Mode::Off && rng.random_bool(0.5),
        density: weighted(rng, &[(30, 0.0), (35, 0.1), (20, 0.5), (15, 1.0)]),
        alike: rng.random_bool(0.5),
        iso,
        mark: mode(rng, 55),
        throttle: mode(rng, 60),
        slow_links: rng.random_bool(0.15),
        disturbed: rng.random_bool(0.12),
        rewrites: rng.random_bool(0.12),
        resets: rng.random_bool(0.15),
    }
}

/// Parameters that all nodes share.
fn shared(rng: &mut SmallRng) -> Params {
    let by_dest = rng.random_bool(0.12);
    let vls = weighted(rng, &[(45, 1), (25, 2), (10, 3), (10, 4), (5, 5), (2, 8), (1, 16)]);
    Params {
        vls,
        vl_by_dest: by_dest,
        mtu: weighted(rng, &[(6, 1), (14, 2), (30, 4), (20, 8), (5, 3), (5, 7), (8, 16), (10, 32), (2, 64)]),
        lines: weighted(rng, &[(15, 1), (25, 2), (20, 3), (10, 4), (10, 6), (5, 9), (1, 32)]),
        dlist: weighted(rng, &[(20, 1), (35, 2), (15, 3), (15, 4), (5, 8), (1, 32)]),
        flit_bytes: one(rng, &[32, 64]),
        ..Params::default()
    }
}

/// The parameters of a switch that are its own.
fn switch_params(rng: &mut SmallRng, s: &Params, trees: bool) -> Params {
    let mut p = *s;
    p.ports = weighted(rng, &[(5, 1), (20, 2), (40, 3), (25, 4), (8, 5), (2, 8)]);
    p.blocks = p.vls * cap(rng, p.mtu);
    let many = [(20, 1), (25, 2), (25, 3), (25, 4), (1, 8)];
    p.hpqs = weighted(rng, if trees { &many } else { &[(35, 1), (35, 2), (15, 3), (10, 4), (1, 8)] });
    p.rx_blocks = p.vls * p.mtu;
    p.lft_depth = weighted(rng, &[(10, 12), (50, 16), (30, 40), (5, 128)]);
    p.timer_w = weighted(rng, &[(10, 4), (30, 8), (20, 12), (20, 16), (20, 32)]);
    p.one_queue = p.vls == 1 && rng.random_bool(if trees { 0.5 } else { 0.3 });
    p.isolation = rng.random_bool(if trees { 0.95 } else { 0.85 });
    p.iterations = weighted(rng, &[(50, 1), (30, 2), (10, 3), (1, 8)]);
    p.cnt_w = weighted(rng, &[(5, 2), (10, 5), (85, 32)]);
    p.parity = rng.random_bool(0.05);
    p.markers = rng.random_bool(0.4);
    if !p.isolation && !p.one_queue {
        p.stamp_w = weighted(rng, &[(20, 0), (30, 8), (20, 10), (20, 24), (10, 32)]);
    }
    p
}

/// And of an adapter.
fn host_params(rng: &mut SmallRng, s: &Params) -> Params {
    let mut p = switch_params(rng, s, false);
    (p.one_queue, p.markers, p.stamp_w) = (false, false, 0);
    p.flows = weighted(rng, &[(10, 9), (50, 16), (30, 20), (10, 64)]);
    p.cct = one(rng, &[8, 8, 16, 32]);
    p.ts_w = weighted(rng, &[(15, 8), (15, 10), (10, 12), (30, 16), (20, 24), (10, 32)]);
    while p.check().is_err() && p.ts_w < 16 {
        p.ts_w += 1;
    }
    p.advoq = weighted(rng, &[(40, 2), (40, 4), (20, 8), (1, 256)]);
    p.rx_blocks = p.vls * cap(rng, p.mtu);
    p.cnpq = weighted(rng, &[(30, 2), (30, 4), (40, 16), (1, 64)]);
    p
}

/// Sets what a directed draw is for, and mends what stands against it.
fn force(rng: &mut SmallRng, p: &mut Params, unit: UnitKind, wanted: &[Choice]) {
    for c in wanted.iter().filter(|c| c.unit == unit || super::case::SHARED.contains(&c.name)) {
        p.set(c.name, c.value);
    }
    let fixed = |name: &str| wanted.iter().any(|c| c.name == name && c.unit == unit);
    if !fixed("BLOCKS") {
        p.blocks = p.vls * cap(rng, p.mtu).min(2048);
    }
    if !fixed("RX_BLOCKS") {
        p.rx_blocks = p.vls * cap(rng, p.mtu).min(2048);
    }
    if p.vls != 1 && !fixed("ONE_QUEUE") {
        p.one_queue = false;
    }
    if unit == UnitKind::Switch {
        if !fixed("OBLOCKS") {
            p.oblocks = p.vls * cap(rng, p.mtu).min(2048);
        }
        if p.cioq && fixed("CIOQ") {
            (p.one_queue, p.isolation) = (false, false);
        }
    }
    if p.ctl_vl && respond::asked(wanted, "CTL_VL").is_some() {
        p.vls = p.vls.max(2);
        (p.one_queue, p.isolation, p.vl_by_dest, p.cioq) = (false, false, false, false);
    }
    if unit == UnitKind::Hca {
        p.one_queue = false;
        while !fixed("TS_W") && p.check().is_err() && p.ts_w < 32 {
            p.ts_w += 1;
        }
        while !fixed("FLOWS") && p.check().is_err() && p.flows > 2 {
            p.flows = (p.flows / 2).max(2);
        }
    }
}

/// Draws the shared parameters so that everything asked for is possible.
fn shared_for(rng: &mut SmallRng, wanted: &[Choice]) -> Option<Params> {
    for _ in 0..2000 {
        let mut s = shared(rng);
        let one_queue = wanted.iter().any(|c| c.name == "ONE_QUEUE" && c.value == 1);
        for c in wanted.iter().filter(|c| ["BLOCKS", "RX_BLOCKS"].contains(&c.name)) {
            // A lane of this many blocks must hold a packet.
            s.vls = one(rng, &[1, s.vls, c.value.div_ceil(2048)]).max(1);
            let vls = wanted.iter().find(|o| o.name == "VLS").map_or(s.vls, |o| o.value);
            s.mtu = s.mtu.min((c.value / vls).max(1));
        }
        if one_queue {
            s.vls = 1;
        }
        let mut switch = Params { ports: 3, blocks: s.vls * s.mtu, rx_blocks: s.vls * s.mtu, ..s };
        let mut host = switch;
        force(rng, &mut switch, UnitKind::Switch, wanted);
        force(rng, &mut host, UnitKind::Hca, wanted);
        if switch.check().is_ok() && host.check().is_ok() {
            for c in wanted.iter().filter(|c| super::case::SHARED.contains(&c.name)) {
                s.set(c.name, c.value);
            }
            return Some(s);
        }
    }
    None
}

/// The network of a seed; `None` only for a directed seed whose pair of values cannot be (see [`space`]).
pub fn draw(seed: u64, source: Source, cycles: Option<u64>) -> Option<Case> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let pairs = space::pairs();
    let wanted: Vec<Choice> = if source == Source::Any && seed % DIRECTED == DIRECTED - 1 {
        pairs[(seed / DIRECTED) as usize % pairs.len()].to_vec()
    } else {
        Vec::new()
    };
    for _ in 0..500 {
        if let Some(case) = attempt(&mut rng, seed, source, cycles, &wanted) {
            return Some(case);
        }
    }
    None
}

/// The named builds of switches and adapters.
fn built() -> &'static [Build] {
    static BUILT: std::sync::OnceLock<Vec<Build>> = std::sync::OnceLock::new();
    BUILT.get_or_init(|| {
        let nodes = |b: &Build| [UnitKind::Switch, UnitKind::Hca].contains(&b.unit);
        builds().into_iter().filter(nodes).collect()
    })
}

/// The switches' and the adapters' parameters: one set for each switch, one for each of up to [`MOST_HOSTS`] adapters.
fn all_params(
    rng: &mut SmallRng,
    source: Source,
    switches: usize,
    trees: bool,
    levels: bool,
    wanted: &[Choice],
) -> Option<(Vec<Params>, Vec<Params>)> {
    if source == Source::Built {
        let all = built();
        let of = |unit| all.iter().filter(move |b| b.unit == unit).map(|b| b.params);
        let hcas: Vec<Params> = of(UnitKind::Hca).collect();
        if hcas.is_empty() {
            return None;
        }
        let first = hcas[rng.random_range(0..hcas.len())];
        let like = |p: &Params| super::case::SHARED.iter().all(|n| p.get(n) == first.get(n));
        let hcas: Vec<Params> = hcas.into_iter().filter(like).collect();
        let joins: Vec<Params> =
            of(UnitKind::Switch).filter(like).filter(|p| !levels || p.random_up).collect();
        if joins.is_empty() {
            return None;
        }
        let s = (0..switches).map(|_| one(rng, &joins)).collect();
        return Some((s, (0..MOST_HOSTS).map(|_| one(rng, &hcas)).collect()));
    }
    let s = shared_for(rng, wanted)?;
    let mut set = |unit: UnitKind, n: usize| -> Option<Vec<Params>> {
        let alike = rng.random_bool(0.6);
        let mut v: Vec<Params> = Vec::new();
        for i in 0..n {
            if alike && i > 0 {
                v.push(v[0]);
                continue;
            }
            let p = (0..50).find_map(|_| {
                let mut p = match unit {
                    UnitKind::Switch => switch_params(rng, &s, trees),
                    _ => host_params(rng, &s),
                };
                if !wanted.is_empty() {
                    force(rng, &mut p, unit, wanted);
                }
                p.check().is_ok().then_some(p)
            })?;
            v.push(p);
        }
        Some(v)
    };
    Some((set(UnitKind::Switch, switches)?, set(UnitKind::Hca, MOST_HOSTS)?))
}

fn attempt(
    rng: &mut SmallRng,
    seed: u64,
    source: Source,
    cycles: Option<u64>,
    wanted: &[Choice],
) -> Option<Case> {
    let mut style = style(rng);
    let small = !wanted.is_empty();
    let mut crowd = crowd::crowd(seed).filter(|_| source == Source::Any && !small);
    if crowd.is_some() {
        (style.iso, style.mark, style.throttle, style.trees) = (Mode::On, Mode::Off, Mode::Off, true);
        (style.disturbed, style.rewrites, style.resets, style.slow_links) = (false, false, false, false);
    }
    let named = source == Source::Built;
    let mut levels =
        if small || crowd.is_some() { None } else { levels::levels(seed, style.iso != Mode::Off, named) };
    let switches = if let Some(crowd) = &crowd {
        crowd.switches
    } else if let Some(levels) = &levels {
        levels.switches()
    } else if small {
        weighted(rng, &[(70, 1), (30, 2)])
    } else if style.trees {
        weighted(rng, &[(25, 1), (45, 2), (22, 3), (5, 4), (2, 5), (1, 6)])
    } else {
        weighted(rng, &[(50, 1), (32, 2), (12, 3), (3, 4), (2, 5), (1, 6)])
    };
    let (mut sp, mut hp) = all_params(rng, source, switches, style.trees, levels.is_some(), wanted)?;
    if source == Source::Any && respond::queues(seed, style.iso != Mode::Off, &mut sp, wanted) {
        style.slow_links |= rng.random_bool(0.5);
    }
    if source == Source::Any && crowd.is_none() {
        respond::control_lane(seed, &mut sp, &mut hp, wanted);
    }
    let mut plan = respond::adapters(seed, style.resets, named, &mut hp, wanted);
    if let Some(crowd) = &mut crowd {
        crowd.parameters(&mut sp, &mut hp);
        hp.iter_mut().for_each(|p| p.response = false);
        plan = Plan::None;
    }
    if plan != Plan::None && rng.random_bool(0.6) {
        style.mark = Mode::On;
    }
    if let Some(levels) = levels.as_mut().filter(|_| !named) {
        levels.parameters(style.iso != Mode::Off, &mut sp);
    }
    let free = !small && crowd.is_none() && !named && sp.iter().all(|p| !p.cioq);
    if free && reserve::planned(seed, style.iso != Mode::Off) {
        reserve::parameters(seed, &mut sp, &mut hp)?;
        plan = Plan::None;
    }
    if style.disturbed && !small && source == Source::Any {
        // What is lost heals by line timers, which must hold several refreshes.
        for p in sp.iter_mut().chain(&mut hp).filter(|p| p.timer_w < 12) {
            p.timer_w = one(rng, &[12, 16, 32]);
        }
    }
    let chain = rng.random_bool(if style.trees { 0.6 } else { 0.2 });
    // A tree of switches; each host hangs at one of them.
    let mut joins: Vec<(usize, usize)> =
        (1..switches).map(|s| (s, if chain { s - 1 } else { rng.random_range(0..s) })).collect();
    let depth = sp.iter().map(|p| p.lft_depth).chain(hp.iter().map(|p| p.lft_depth)).min()?;
    let flows = hp.iter().map(|p| p.flows).min()?;
    let most = MOST_HOSTS.min(depth).min(flows);
    let least = if style.trees && !small { 1 + switches } else { 2 };
    let n = rng.random_range(least.min(most)..=most.clamp(2, if small { 3 } else { 2 + 2 * switches }));
    let n = crowd.as_ref().map_or(n, |c| c.hosts());
    let ports_fixed = wanted.iter().any(|c| c.name == "PORTS") || source == Source::Built;
    let mut at = Vec::new();
    if let Some(levels) = &mut levels {
        (at, joins) = levels.shape(most);
    }
    let mut degree = vec![0; switches];
    joins.iter().flat_map(|(a, b)| [*a, *b]).chain(at.iter().copied()).for_each(|s| degree[s] += 1);
    for _ in 0..if levels.is_some() { 0 } else { n } {
        let free: Vec<usize> = (0..switches).filter(|s| !ports_fixed || degree[*s] < sp[*s].ports).collect();
        if free.is_empty() {
            break;
        }
        let s = one(rng, &free);
        degree[s] += 1;
        at.push(s);
    }
    if ports_fixed && wanted.iter().any(|c| c.name == "PORTS" && c.value == 1) {
        // Such a switch can only be a leaf: beside a switch of more ports.
        if switches != 2 {
            return None;
        }
        at = vec![0, 0];
        degree = vec![3, 1];
        sp[0].ports = 3;
        sp[1].ports = 1;
    }
    for (p, d) in sp.iter_mut().zip(&degree) {
        if *d > p.ports {
            if ports_fixed {
                return None;
            }
            p.ports = *d;
        }
        p.check().ok()?;
    }
    if at.len() < 2 {
        return None;
    }
    let mut free: Vec<Vec<usize>> = sp.iter().map(|p| (0..p.ports).collect()).collect();
    let mut port = |rng: &mut SmallRng, s: usize| {
        let k = rng.random_range(0..free[s].len());
        End::Switch(s, free[s].swap_remove(k))
    };
    let far = rng.random_bool(0.3);
    let mut links = Vec::new();
    let delay = |rng: &mut SmallRng| if far { log(rng, 1, 64) as u32 } else { rng.random_range(1..=4) };
    for (s, parent) in &joins {
        let (a, b) = (port(rng, *parent), port(rng, *s));
        links.push(Link { a, b, delay: [delay(rng), delay(rng)], disturbed: None, eats: None });
    }
    for (h, s) in at.iter().enumerate() {
        links.push(Link {
            a: port(rng, *s),
            b: End::Host(h),
            delay: [delay(rng), delay(rng)],
            disturbed: None,
            eats: None,
        });
    }
    let up =
        if levels.is_some() { levels::ups(&links, &joins, switches) } else { vec![Vec::new(); switches] };
    let mut hp: Vec<Params> = hp.into_iter().take(at.len()).collect();
    let giant = sp.iter().chain(&hp).map(|p| p.ports * p.ports * p.vls).max().unwrap_or(0) > 600;
    let long = if giant { 300 } else { length(rng) };
    let cycles = cycles.unwrap_or(crowd.as_mut().map_or(long, |c| c.cycles()));
    hp.iter_mut().for_each(|p| p.ports = 8);
    let mut case = Case {
        version: VERSION,
        seed,
        cycles,
        found: String::new(),
        switch: Vec::new(),
        host: Vec::new(),
        link: links,
        pair: Vec::new(),
        rewrite: Vec::new(),
        reset: Vec::new(),
    };
    let lids = lids(rng, at.len(), depth.min(flows), depth);
    draw_nodes(rng, &style, &mut case, &sp, &hp, &lids);
    case.switch.iter_mut().zip(up).for_each(|(s, up)| s.up = up);
    draw_traffic(rng, &style, &mut case, &sp[0]);
    readings(&mut case, &sp, &hp);
    respond::crossbars(&mut case, &sp);
    respond::root_tests(&mut case, &sp);
    respond::registers(&mut case, &hp, plan);
    notifications(&mut case, &sp, &hp);
    rhythm(&mut case, &sp[0]);
    match &mut crowd {
        Some(crowd) => crowd.traffic(&mut case, &sp),
        None if !small && !case.reserves() => crowd::echoes(&mut case, &sp, &hp),
        None => {}
    }
    reserve::registers(&mut case, &sp, &hp).ok()?;
    if style.disturbed {
        disturb(rng, &mut case, &sp);
    }
    if style.rewrites {
        rewrite(rng, &style, &mut case, &sp, &hp);
    }
    if style.resets {
        reset(rng, &mut case);
    }
    respond::rewrite(&mut case, &hp, plan);
    respond::eat(&mut case, plan);
    reserve::rewrite(&mut case, &sp, &hp);
    reserve::eat(&mut case);
    if let Some(levels) = &mut levels {
        levels.registers(&mut case, &sp);
    }
    let fixed = named || respond::asked(wanted, "TS_W").is_some();
    respond::mend(&mut case, &mut hp, plan, fixed).ok()?;
    case.check().ok()?;
    Some(case)
}

/// Cycles of traffic: mostly few, for most faults show soon; some lock only after long.
fn length(rng: &mut SmallRng) -> u64 {
    let (lo, hi) = weighted(rng, &[(84, (150, 600)), (15, (600, 3000)), (1, (3000, 12_000))]);
    log(rng, lo, hi)
}

/// Different LIDs, within a span that every adapter's flows cover.
fn lids(rng: &mut SmallRng, n: usize, span: usize, depth: usize) -> Vec<u16> {
    let low = if depth <= n { 0 } else { 1 };
    let first = rng.random_range(low..=(depth - span.min(depth - low)).max(low));
    let span = span.min(depth - first);
    let mut lids: Vec<u16> = Vec::new();
    while lids.len() < n {
        let l = if span <= n { first + lids.len() } else { first + rng.random_range(0..span) } as u16;
        if !lids.contains(&l) {
            lids.push(l);
        }
    }
    lids
}

/// A threshold in flits, with weight on the ends and on a lane's size.
fn threshold(rng: &mut SmallRng, p: &Params) -> u32 {
    let (cap, mtu) = (p.cap(0) as u32, p.mtu as u32);
    match rng.random_range(0..16) {
        0 => 0,
        1 => 1,
        2 => mtu,
        3..6 => rng.random_range(0..=2 * mtu),
        6..12 => rng.random_range(0..=cap),
        12 => cap,
        13 => cap * 3 / 4,
        14 => rng.random_range(0..=0xffff),
        _ => 0xffff,
    }
}

/// A number of `bits` bits with weight on the ends and on small ones.
fn number(rng: &mut SmallRng, bits: usize, most: u32) -> u32 {
    let top = (u32::MAX >> (32 - bits)).min(most);
    match rng.random_range(0..10) {
        0 => 0,
        1 => top,
        2..6 => rng.random_range(0..=top.min(8)),
        _ => log(rng, 1, top.max(1).into()) as u32,
    }
}

/// The value of a register of an input or output port that is drawn. `None`: not drawn here.
pub(super) fn value(rng: &mut SmallRng, p: &Params, output: bool, name: &str) -> Option<u32> {
    Some(match (output, name) {
        (false, "HTH" | "LTH" | "STOP" | "GO" | "DETECT" | "FILL_LEVEL" | "MB_TH") | (true, "VB_TH") => {
            threshold(rng, p)
        }
        (true, "OUT_TH") => ranged(rng, &[(1, 0, 0), (6, 1, 8), (1, 8, 0xffff), (1, 0xffff, 0xffff)]),
        // One that does not know the outputs' pace waits too long or has gaps; it loses nothing.
        (false, "RD_INTERVAL") => ranged(rng, &[(1, 0, 0), (4, 1, 1), (2, 2, 15), (1, 15, 15)]),
        (_, "XB_INTERVAL") => ranged(rng, &[(1, 0, 0), (4, 1, 1), (2, 2, 15), (1, 15, 15)]),
        (false, "BYPASS") => ranged(rng, &[(1, 0, 0), (4, 1, 14), (1, 15, 15)]),
        (true, "SUM_HTH" | "SUM_LTH") => (threshold(rng, p) * one(rng, &[1, 1, 2, 4])) & 0xffff,
        (false, "HOLD") => ranged(rng, &[(1, 0, 0), (5, 0, 16), (3, 1, 500), (1, 0xffff, 0xffff)]),
        (false, "WEIGHT") => rng.random_range(0..32),
        (_, "FC_INTERVAL") => ranged(rng, &[(2, 0, 0), (4, 1, 1), (6, 2, 8), (1, 8, 100)]),
        (false, "RX_TIMEOUT") => one(rng, &[0, 0, 0xffff]),
        (_, "LINE_TIMER") => {
            let top = u32::MAX >> (32 - p.timer_w);
            ranged(rng, &[(1, 0, 0), (1, top, top), (2, 1, 64), (6, 50, 5000)]).min(top)
        }
        (false, "REFRESH") => {
            ranged(rng, &[(2, 0, 0), (1, 1, 1), (4, 8, 200), (2, 200, 65535), (1, 65535, 65535)])
        }
        (true, "MARKING_RATE") => ranged(rng, &[(4, 0, 0), (4, 0, 8), (1, 1, 0xffff), (1, 0xffff, 0xffff)]),
        (true, "MARK_FRACTION") => ranged(rng, &[(2, 0, 8), (2, 1, 256), (1, 511, 511), (1, 256, 256)]),
        (true, "PACKET_SIZE") => ranged(rng, &[(3, 0, 0), (3, 0, p.mtu as u32), (1, 255, 255)]),
        (true, "LFSR_SEED") => number(rng, 16, 0xffff),
        _ => return None,
    })
}

const INPUT: [&str; 15] = [
    "HTH",
    "LTH",
    "STOP",
    "GO",
    "DETECT",
    "HOLD",
    "WEIGHT",
    "FC_INTERVAL",
    "LINE_TIMER",
    "REFRESH",
    "RD_INTERVAL",
    "FILL_LEVEL",
    "MB_TH",
    "BYPASS",
    "XB_INTERVAL",
];
const OUTPUT: [&str; 11] = [
    "SUM_HTH",
    "SUM_LTH",
    "MARKING_RATE",
    "MARK_FRACTION",
    "PACKET_SIZE",
    "LFSR_SEED",
    "FC_INTERVAL",
    "LINE_TIMER",
    "OUT_TH",
    "VB_TH",
    "XB_INTERVAL",
];

/// The registers of a port that are drawn: of an output, or of an input.
pub(super) fn registers(output: bool) -> &'static [&'static str] {
    if output { &OUTPUT } else { &INPUT }
}

/// The registers of a port.
fn port_registers(
    rng: &mut SmallRng,
    style: &Style,
    p: &Params,
    port: usize,
    modes: &Modes,
    into: &mut BTreeMap<String, u32>,
) {
    let mut set = |name: String, v: u32| {
        into.insert(name, v);
    };
    let iso = style.iso.draw(rng);
    let (fills, counts) = if p.markers { (modes.fills, modes.counts) } else { (0, 0) };
    let ctrl = u32::from(iso) | u32::from(modes.cold_first) << 1 | fills << 5;
    if ctrl != 0 {
        set(format!("in{port}.CTRL"), ctrl);
    }
    let mark = style.mark.draw(rng);
    let iso_out = if rng.random_bool(0.03) { !iso } else { iso };
    let victim = modes.victim || rng.random_bool(0.1);
    let ctrl = u32::from(mark)
        | u32::from(iso_out) << 1
        | u32::from(victim) << 2
        | modes.eval << 3
        | modes.mark << 5
        | counts << 10
        | u32::from(modes.sched && p.stamp_w > 0) << 9;
    if ctrl != 0 {
        set(format!("out{port}.CTRL"), ctrl);
    }
    for name in INPUT {
        // A threshold that a buffer never reaches does nothing: where isolation or marking is on, most buffers get one they reach.
        let needed = (iso || mark) && ["HTH", "LTH"].contains(&name) && p.cap(0) < 7 * p.mtu;
        if rng.random_bool(if needed { 0.9f64.max(style.density) } else { style.density })
            && let Some(v) = value(rng, p, false, name)
        {
            set(format!("in{port}.{name}"), v);
        }
    }
    if style.trees {
        let mtu = p.mtu as u32;
        let high = rng.random_range(1..=2 * mtu);
        set(format!("in{port}.HTH"), high);
        set(format!("in{port}.LTH"), rng.random_range(1..=high));
        set(format!("in{port}.DETECT"), rng.random_range(0..=2 * mtu));
        set(format!("in{port}.HOLD"), rng.random_range(0..=2 * mtu));
        let top = u32::MAX >> (32 - p.timer_w);
        if rng.random_bool(0.6) {
            set(format!("in{port}.REFRESH"), ranged(rng, &[(1, 8, 30), (2, 30, 300)]));
        }
        for side in ["in", "out"] {
            if rng.random_bool(0.6) {
                let timer = ranged(rng, &[(2, 4, 30), (1, 30, 100), (1, 100, 1000)]);
                set(format!("{side}{port}.LINE_TIMER"), timer.min(top));
            }
        }
    }
    for name in OUTPUT {
        if rng.random_bool(style.density)
            && let Some(v) = value(rng, p, true, name)
        {
            set(format!("out{port}.{name}"), v);
        }
    }
}

/// Settings that are mostly the same in a network.
#[derive(Clone, Copy)]
struct Modes {
    cold_first: bool,
    victim: bool,
    eval: u32,
    mark: u32,
    /// Marks by a buffer's fills and level, of input ports with MARKERS = 1: naive, mb_en.
    fills: u32,
    /// Marks by counts, of output ports with MARKERS = 1: det, vb_en.
    counts: u32,
    /// Oldest first, of output ports with STAMP_W > 0.
    sched: bool,
}

fn draw_nodes(
    rng: &mut SmallRng,
    style: &Style,
    case: &mut Case,
    sp: &[Params],
    hp: &[Params],
    lids: &[u16],
) {
    let modes = Modes {
        cold_first: rng.random_bool(if style.trees { 0.3 } else { 0.1 }),
        victim: rng.random_bool(0.4),
        eval: weighted(rng, &[(6, 0), (1, 1), (1, 2), (1, 3)]),
        mark: weighted(rng, &[(5, 0), (2, 1), (2, 2), (1, 3)]),
        fills: weighted(rng, &[(4, 0), (2, 1), (2, 2), (1, 3)]),
        sched: rng.random_bool(0.7),
        counts: weighted(rng, &[(4, 0), (2, 2), (2, 3), (2, 4), (1, 1), (2, 7)]),
    };
    let first_id: u16 = rng.random();
    let mut common: Option<BTreeMap<String, u32>> = None;
    for (s, p) in sp.iter().enumerate() {
        let mut registers = BTreeMap::new();
        for port in 0..p.ports {
            if style.alike {
                let common = common.get_or_insert_with(|| {
                    let mut one = BTreeMap::new();
                    port_registers(rng, style, p, 0, &modes, &mut one);
                    one
                });
                for (name, v) in common.iter() {
                    let v = if name.ends_with("LINE_TIMER") {
                        (*v).min(u32::MAX >> (32 - p.timer_w))
                    } else {
                        *v
                    };
                    registers.insert(name.replacen('0', &port.to_string(), 1), v);
                }
            } else {
                port_registers(rng, style, p, port, &modes, &mut registers);
            }
            registers.insert(format!("in{port}.SWITCH_ID"), first_id.wrapping_add(s as u16).into());
        }
        case.switch.push(SwitchNode {
            parameters: parameters(UnitKind::Switch, p),
            up: Vec::new(),
            registers,
        });
    }
    let stall = rng.random_bool(0.04);
    let slow = if style.trees { 0.8 } else { weighted(rng, &[(5, 0.0), (3, 0.3), (2, 1.0)]) };
    for (h, p) in hp.iter().enumerate() {
        let mut registers = BTreeMap::new();
        port_registers(rng, style, p, 0, &modes, &mut registers);
        let mut aside = BTreeMap::new();
        let throttled = p.chooser() == UnitKind::HcaThrottle;
        let of = if throttled { &mut registers } else { &mut aside };
        let cct = throttle(rng, style, p, of);
        let cct = if throttled { cct } else { Vec::new() };
        if rng.random_bool(style.density) {
            registers.insert("hca.FC_INTERVAL".into(), rng.random_range(0..=8));
        }
        if style.mark != Mode::Off && rng.random_bool(0.9) {
            registers.insert("hca.CTRL".into(), 1);
        }
        let low = *lids.iter().min().unwrap_or(&0);
        let high = *lids.iter().max().unwrap_or(&0);
        let room = p.flows as u16 as u32 - u32::from(high - low) - 1;
        let below = if rng.random_bool(0.5) { 0 } else { rng.random_range(0..=room.min(low.into())) as u16 };
        let take = if rng.random_bool(slow) { pace(rng, false) } else { Pace::default() };
        let give =
            if rng.random_bool(if stall { 0.6 } else { 0.15 }) { pace(rng, stall) } else { Pace::default() };
        case.host.push(HostNode {
            lid: lids[h],
            lid_base: low - below,
            take,
            give,
            cct,
            wt: Vec::new(),
            parameters: parameters(UnitKind::Hca, p),
            registers,
        });
    }
    if stall {
        // Long pauses in a packet: switches must not cut it.
        for (s, p) in sp.iter().enumerate() {
            for port in 0..p.ports {
                case.switch[s].registers.insert(format!("in{port}.RX_TIMEOUT"), 0);
            }
        }
    } else if rng.random_bool(style.density) {
        for (s, p) in sp.iter().enumerate() {
            for port in 0..p.ports {
                let v = one(rng, &[0, 4000, 0xffff]);
                case.switch[s].registers.insert(format!("in{port}.RX_TIMEOUT"), v);
            }
        }
    }
    if style.slow_links {
        pace_links(rng, case);
    }
}

/// Links of several cycles per flit: the sender's and the receiver's register, and the throttle's.
fn pace_links(rng: &mut SmallRng, case: &mut Case) {
    let most = one(rng, &[2, 3, 4, 15]);
    for l in case.link.clone() {
        for (from, to) in [(l.a, l.b), (l.b, l.a)] {
            if !rng.random_bool(0.5) {
                continue;
            }
            let k = if rng.random_bool(0.05) { 0 } else { rng.random_range(1..=most) };
            // One that does not know the pace waits too long or has gaps; it loses nothing.
            let seen = if rng.random_bool(0.8) { k } else { rng.random_range(0..16) };
            match from {
                End::Switch(s, p) => {
                    case.switch[s].registers.insert(format!("out{p}.TX_INTERVAL"), k);
                }
                End::Host(h) => {
                    case.host[h].registers.insert("out0.TX_INTERVAL".into(), k);
                    let has = |name: &str| case.host[h].parameters[name] == 1;
                    let unit = if has("RESPONSE") { "response" } else { "throttle" };
                    if !has("SRP") {
                        case.host[h].registers.insert(format!("{unit}.LINK_INTERVAL"), seen);
                    }
                }
            }
            if let End::Switch(s, p) = to {
                case.switch[s].registers.insert(format!("in{p}.RX_INTERVAL"), seen);
            }
        }
    }
}

/// The throttle's registers and table.
fn throttle(
    rng: &mut SmallRng,
    style: &Style,
    p: &Params,
    registers: &mut BTreeMap<String, u32>,
) -> Vec<u16> {
    if !style.throttle.draw(rng) {
        return Vec::new();
    }
    let sl_mode = rng.random_bool(0.4);
    let timer_per_sl = if rng.random_bool(0.8) { sl_mode } else { !sl_mode };
    let (restart, absolute) = (rng.random_bool(0.3), rng.random_bool(0.3));
    let bits = [true, sl_mode, timer_per_sl, restart, absolute];
    let ctrl = bits.iter().enumerate().map(|(i, b)| u32::from(*b) << i).sum();
    let mut set = |name: &str, v: u32| {
        registers.insert(format!("throttle.{name}"), v);
    };
    set("CTRL", ctrl);
    if rng.random_bool(0.5) {
        set("CCTI_INCREASE", ranged(rng, &[(6, 1, 4), (1, 0, 0), (1, 255, 255)]));
    }
    if rng.random_bool(0.3) {
        set("CCTI_LIMIT", ranged(rng, &[(5, 0, p.cct as u32 - 1), (1, 0x3fff, 0x3fff)]));
    }
    if rng.random_bool(0.15) {
        set("CCTI_MIN", ranged(rng, &[(5, 0, 4), (1, 255, 255)]));
    }
    set("CCTI_TIMER", ranged(rng, &[(6, 1, 4), (3, 1, 200), (1, 0, 0), (1, 0xffff, 0xffff)]));
    set("TICK_CYCLES", ranged(rng, &[(2, 0, 0), (3, 1, 1), (5, 2, 20), (1, 80, 80), (1, 0xffff, 0xffff)]));
    // A table that rises to a longest idle time, or random entries.
    let longest = log(rng, 4, 600);
    let n = p.cct.min(rng.random_range(4..=40));
    let mtu = p.mtu as u64;
    let scrambled = rng.random_bool(0.1);
    (0..n)
        .map(|i| {
            let idle = longest * i as u64 / n as u64;
            let entry = match (scrambled, absolute) {
                (true, _) => rng.random_range(0..=0xffff) as u16,
                (_, true) => idle as u16,
                // Idle time of a packet of MTU flits; the shift makes a part of it.
                _ => (idle.div_ceil(mtu) as u16) | if rng.random_bool(0.3) { 1 << 14 } else { 0 },
            };
            if idle_time(p, registers, entry) > 2000 { 0 } else { entry }
        })
        .collect()
}

/// How a host takes or supplies flits.
pub(super) fn pace(rng: &mut SmallRng, stall: bool) -> Pace {
    if stall {
        let period = rng.random_range(2000..4000);
        return Pace {
            period,
            on: period - rng.random_range(1000..1500),
            phase: rng.random_range(0..period),
            random: false,
        };
    }
    let random = rng.random_bool(0.35);
    let period = match rng.random_range(0..10) {
        0..3 => 2,
        3..7 => rng.random_range(2..=8),
        7..9 => rng.random_range(8..=40),
        _ if random => 4,
        _ => rng.random_range(40..=300),
    };
    let on = if period > 16 && !random {
        rng.random_range(period / 4..period).max(1)
    } else {
        rng.random_range(1..period)
    };
    Pace { period, on, phase: rng.random_range(0..period), random }
}

/// The hosts at both sides of a link between switches; none at both if there is no such link.
fn across(rng: &mut SmallRng, case: &Case) -> (Vec<usize>, Vec<usize>) {
    let trunks = case.link.iter().filter_map(|l| match (l.a, l.b) {
        (End::Switch(a, p), End::Switch(b, q)) => Some(one(rng, &[(a, p), (b, q)])),
        _ => None,
    });
    let trunks: Vec<(usize, usize)> = trunks.collect();
    if trunks.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let (s, port) = one(rng, &trunks);
    let hops = &next_hops(case)[s];
    (0..case.host.len()).partition(|h| hops[*h] != Some(port))
}

fn draw_traffic(rng: &mut SmallRng, style: &Style, case: &mut Case, p: &Params) {
    let n = case.host.len();
    let mtu = p.mtu as u8;
    let mut want: Vec<(usize, usize)> = Vec::new();
    let hot = rng.random_range(0..n);
    let all: Vec<(usize, usize)> =
        (0..n).flat_map(|a| (0..n).filter(move |b| *b != a).map(move |b| (a, b))).collect();
    let (near, far) = across(rng, case);
    let pattern = if style.trees {
        weighted(rng, &[(35, 0), (30, 3), (10, 5), (25, 11)])
    } else {
        rng.random_range(0..12)
    };
    match pattern {
        // Everyone at one side of a link to everyone at the other.
        0..2 if !near.is_empty() && !far.is_empty() => {
            want.extend(all.iter().filter(|x| near.contains(&x.0) && far.contains(&x.1)));
        }
        // Everyone to one, and a victim or two.
        0..5 => {
            want.extend(all.iter().filter(|x| x.1 == hot));
            (0..rng.random_range(0..3)).for_each(|_| want.push(one(rng, &all)));
        }
        5..9 => (0..rng.random_range(2..=10)).for_each(|_| want.push(one(rng, &all))),
        9..11 => want.push(one(rng, &all)),
        _ => want = all.clone(),
    }
    want.sort_unstable();
    want.dedup();
    while want.len() > 12 {
        want.swap_remove(rng.random_range(0..want.len()));
    }
    // Lengths: of all packets, or of each pair's.
    let kind = rng.random_range(0..5);
    let busy = style.trees || rng.random_bool(0.6);
    let window = if style.trees {
        one(rng, &[3, 8, 8, 16])
    } else {
        weighted(rng, &[(3, 1), (5, 4), (3, 8), (1, 32)])
    };
    let sls = rng.random_range(1..=(2 * p.vls).min(16)) as u8;
    for (from, to) in want {
        let lengths = match if kind == 4 { rng.random_range(0..4) } else { kind } {
            0 => vec![mtu],
            1 => vec![1],
            2 => one(rng, &[vec![1], vec![mtu]].each_ref()).clone(),
            _ => (0..rng.random_range(1..=6)).map(|_| rng.random_range(1..=mtu)).collect(),
        };
        let mean = lengths.iter().map(|l| u64::from(*l)).sum::<u64>() / lengths.len() as u64;
        let dense = busy || rng.random_bool(0.3);
        let gap = if dense { 0 } else { log(rng, 1, 40 * mean.max(2)) };
        let start = if rng.random_bool(0.7) { 0 } else { rng.random_range(0..case.cycles / 3) };
        let count = if rng.random_bool(0.85) { ENDLESS } else { log(rng, 1, 60) };
        let window = if rng.random_bool(0.8) { window } else { rng.random_range(1..=16) };
        let sl = if rng.random_bool(0.95) { rng.random_range(0..sls) } else { rng.random_range(0..16) };
        case.pair.push(Pair { from, to, sl, lengths, packets: Vec::new(), start, gap, window, count });
    }
}

/// Links that lose or repeat control words for a while, and the registers that heal it.
fn disturb(rng: &mut SmallRng, case: &mut Case, sp: &[Params]) {
    let refresh = log(rng, 8, 100) as u32;
    let widths = case.host.iter().map(|h| h.parameters["TIMER_W"]).chain(sp.iter().map(|p| p.timer_w));
    let top = widths.map(|w| u32::MAX >> (32 - w)).min().unwrap_or(0).min(1 << 16);
    let set = |case: &mut Case, name: &str, value: u32| {
        let switches = case.switch.iter_mut().zip(sp).map(|(s, p)| (&mut s.registers, p.ports));
        for (r, ports) in switches.chain(case.host.iter_mut().map(|h| (&mut h.registers, 1))) {
            (0..ports).for_each(|p| {
                r.insert(name.replacen('*', &p.to_string(), 1), value);
            });
        }
    };
    set(case, "in*.REFRESH", refresh);
    let least = least_line_timer(case) as u32;
    if least > top {
        return;
    }
    let timer = (least + log(rng, 1, 1000) as u32).min(top);
    set(case, "in*.LINE_TIMER", timer);
    set(case, "out*.LINE_TIMER", timer);
    let from = rng.random_range(0..case.cycles / 2);
    let until = rng.random_range(from..case.cycles);
    let (lose, repeat) = (one(rng, &[0, 10, 100, 500, 950]), one(rng, &[0, 0, 100, 1000]));
    for l in &mut case.link {
        if rng.random_bool(0.6) {
            l.disturbed = Some(Disturbance { from, until, lose, repeat });
        }
    }
}

/// Nodes that are reset and links that are unplugged.
fn reset(rng: &mut SmallRng, case: &mut Case) {
    for _ in 0..weighted(rng, &[(70, 1), (25, 2), (5, 3)]) {
        let what = match rng.random_range(0..3) {
            0 => format!("s{}", rng.random_range(0..case.switch.len())),
            1 => format!("h{}", rng.random_range(0..case.host.len())),
            _ => {
                let l = &case.link[rng.random_range(0..case.link.len())];
                if let End::Switch(..) = l.a { l.a.to_string() } else { l.b.to_string() }
            }
        };
        let cycle = rng.random_range(0..case.cycles);
        let cycles = ranged(rng, &[(1, 1, 1), (4, 1, 150)]);
        let late = ranged(rng, &[(2, 0, 0), (1, 1, 30)]);
        case.reset.push(Reset { cycle, what, cycles, late, skew: rng.random_range(0..=3) });
    }
    case.reset.sort_by_key(|r| r.cycle);
}

/// Longest generation queues in which CNPs wait: the judge's bounds are for as many of them.
const QUEUED: usize = 8;

/// Readings of the papers: CNPs without priority, in the generation queues, one for several packets; charges that leave at the
/// grant, and marks that look behind it; roots with a hot queue; injection windows. Drawn by a generator of their own.
fn readings(case: &mut Case, sp: &[Params], hp: &[Params]) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x2ead_1465_0f18_77a1);
    let mut mode = || weighted(rng, &[(70, Mode::Off), (18, Mode::On), (12, Mode::Mixed)]);
    let [switches, hosts, release, roots, queued, messages, windows] = [(); 7].map(|()| mode());
    let bits = |rng: &mut SmallRng, plain: Mode| {
        let [plain_in, plain_out] = [(); 2].map(|()| plain.draw(rng));
        let [release, at_once, root] = [release, release, roots].map(|mode| mode.draw(rng));
        let input = u32::from(plain_in) << 2 | u32::from(release) << 3 | u32::from(root) << 4;
        (input, u32::from(plain_out) << 7 | u32::from(at_once) << 8)
    };
    let add = |registers: &mut BTreeMap<String, u32>, name: String, bits: u32| {
        if bits != 0 {
            *registers.entry(name).or_default() |= bits;
        }
    };
    for (node, p) in case.switch.iter_mut().zip(sp) {
        for port in 0..p.ports {
            let (input, output) = bits(rng, switches);
            add(&mut node.registers, format!("in{port}.CTRL"), input);
            add(&mut node.registers, format!("out{port}.CTRL"), output);
        }
    }
    for (node, p) in case.host.iter_mut().zip(hp) {
        let (input, output) = bits(rng, hosts);
        add(&mut node.registers, "in0.CTRL".into(), input);
        add(&mut node.registers, "out0.CTRL".into(), output);
        if node.registers.get("hca.CTRL").is_some_and(|c| c & !4 == 1)
            && queued.draw(rng)
            && p.advoq <= QUEUED
        {
            add(&mut node.registers, "hca.CTRL".into(), 2);
        }
        if messages.draw(rng) {
            node.registers.insert("hca.BECN_PER".into(), one(rng, &[0, 1, 1, 2, 3, 7]));
        }
        if windows.draw(rng) {
            node.registers.insert("hca.INJECT".into(), one(rng, &[0, 1, 2, 3, 8, 15]));
        }
    }
}

/// Where marks are answered, half of the networks have notifications all the time: low thresholds, every packet marked, every second or
/// every third; where flows are throttled, too, indices rise by several steps to long delays and fall within a run. Drawn by a
/// generator of its own.
fn notifications(case: &mut Case, sp: &[Params], hp: &[Params]) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x6d61_726b_7321_0b05);
    let is_on = |r: &BTreeMap<String, u32>, name: &str| r.get(name).is_some_and(|ctrl| ctrl & 1 != 0);
    let answers = |r: &BTreeMap<String, u32>| r.get("hca.CTRL").is_some_and(|ctrl| ctrl & 5 != 0);
    if !case.host.iter().any(|h| answers(&h.registers)) || rng.random_bool(0.5) {
        return;
    }
    let (high, rate) = (rng.random_range(1..=2 * sp[0].mtu as u32), rng.random_range(0..=2));
    let low = rng.random_range(1..=high);
    let switches = case.switch.iter_mut().zip(sp).map(|(s, p)| (&mut s.registers, p.ports));
    for (r, ports) in switches.chain(case.host.iter_mut().map(|h| (&mut h.registers, 1))) {
        for port in (0..ports).filter(|p| is_on(r, &format!("out{p}.CTRL"))).collect::<Vec<_>>() {
            let values = [("MARKING_RATE", rate), ("PACKET_SIZE", 0), ("SUM_HTH", high), ("SUM_LTH", low)];
            r.extend(values.map(|(name, v)| (format!("out{port}.{name}"), v)));
        }
        for port in 0..ports {
            r.extend([("HTH", high), ("LTH", low)].map(|(name, v)| (format!("in{port}.{name}"), v)));
        }
    }
    // Steps of few cycles, or shorter than the sweep over the entities.
    let (timer, tick) = (rng.random_range(1..=6), rng.random_range(0..=8));
    for (h, p) in case.host.iter_mut().zip(hp).filter(|(h, _)| is_on(&h.registers, "throttle.CTRL")) {
        let increase = rng.random_range(1..=4);
        for (name, v) in [("CCTI_INCREASE", increase), ("CCTI_TIMER", timer), ("TICK_CYCLES", tick)] {
            h.registers.insert(format!("throttle.{name}"), v);
        }
        let absolute = h.registers.get("throttle.CTRL").is_some_and(|ctrl| ctrl & 16 != 0);
        let longest = log(rng, 100, 1000);
        let n = p.cct.min(8) as u64;
        let entry = |i| longest * i / (n - 1).max(1) / if absolute { 1 } else { p.mtu as u64 };
        h.cct = (0..p.cct as u64).map(|i| entry(i.min(n - 1)) as u16).collect();
    }
}

/// Everything in step: packets of MTU flits back to back, and hosts that take a packet in a time that is a multiple of a packet's. What
/// a constant period locks shows in no other. Drawn by a generator of its own.
fn rhythm(case: &mut Case, p: &Params) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x7279_7468_6d07_1b3f);
    if p.mtu < 2 || !rng.random_bool(0.1) {
        return;
    }
    let mtu = p.mtu as u32;
    for pair in &mut case.pair {
        pair.lengths = vec![p.mtu as u8];
        (pair.gap, pair.start, pair.count) = (0, rng.random_range(0..=u64::from(mtu)), ENDLESS);
        pair.window = one(rng, &[4, 8, 16]);
    }
    let slow = rng.random_range(2..=4) * mtu;
    for h in &mut case.host {
        h.give = Pace::default();
        h.take = if rng.random_bool(0.5) {
            let on = one(rng, &[1, mtu, mtu, slow - mtu]).min(slow);
            Pace { period: slow, on, phase: rng.random_range(0..slow), random: false }
        } else {
            Pace::default()
        };
    }
    let registers = case.switch.iter_mut().map(|s| &mut s.registers);
    for r in registers.chain(case.host.iter_mut().map(|h| &mut h.registers)) {
        r.retain(|name, _| !name.ends_with("FC_INTERVAL"));
    }
    let every = one(rng, &[1, 1, 2]);
    for (s, ports) in case.switch.iter_mut().map(|s| (&mut s.registers, s.parameters["PORTS"])) {
        for port in 0..ports {
            s.insert(format!("in{port}.FC_INTERVAL"), every);
        }
    }
    for h in &mut case.host {
        h.registers.insert("hca.FC_INTERVAL".into(), every);
        h.registers.insert("in0.FC_INTERVAL".into(), every);
    }
}

/// Registers that change while packets flow.
fn rewrite(rng: &mut SmallRng, style: &Style, case: &mut Case, sp: &[Params], hp: &[Params]) {
    let disturbed = case.link.iter().any(|l| l.disturbed.is_some());
    for _ in 0..rng.random_range(1..=6) {
        let cycle = rng.random_range(0..case.cycles);
        let host = rng.random_bool(0.3);
        let n = if host { rng.random_range(0..hp.len()) } else { rng.random_range(0..sp.len()) };
        let p = if host { hp[n] } else { sp[n] };
        let port = if host { 0 } else { rng.random_range(0..p.ports) };
        let (output, name) =
            if rng.random_bool(0.5) { (true, one(rng, &OUTPUT)) } else { (false, one(rng, &INPUT)) };
        let node = format!("{}{n}", if host { 'h' } else { 's' });
        let mut write = |register: String, value: u32| {
            case.rewrite.push(Rewrite { cycle, node: node.clone(), register, value })
        };
        match rng.random_range(0..4) {
            // Isolation and marking of a port, off or on.
            0 if style.iso != Mode::Off => {
                let fills = if p.markers { rng.random_range(0..4) } else { 0 };
                write(format!("in{port}.CTRL"), rng.random_range(0..32) | fills << 5);
            }
            1 => {
                let counts = if p.markers { rng.random_range(0..8) } else { 0 };
                let sched = u32::from(p.stamp_w > 0 && rng.random_bool(0.5));
                write(format!("out{port}.CTRL"), rng.random_range(0..512) | sched << 9 | counts << 10);
            }
            2 if host && (p.data_lanes() == 1 || p.vl_by_dest || p.srp) => {
                write(format!("sl.{}", rng.random_range(0..p.flows)), rng.random_range(0..16))
            }
            _ if disturbed && ["LINE_TIMER", "REFRESH"].contains(&name) => {}
            _ => {
                if let Some(v) = value(rng, &p, output, name) {
                    write(format!("{}{port}.{name}", if output { "out" } else { "in" }), v);
                }
            }
        }
    }
    case.rewrite.sort_by_key(|w| w.cycle);
}
