//! Draws ACKs, source responses and output queues, by generators of their own: what else a seed draws does not depend on them.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::acks;
use super::case::{Case, Eats, Rewrite, parameters};
use super::chance::{cap, log, one, ranged, weighted};
use super::space::Choice;
use crate::params::{Params, UnitKind};

/// What a network does with ACKs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// There are none.
    None,
    /// None is ever lost or late.
    Sound,
    /// Links lose them, ends are reset, FIFOs are full, IRDMAX is short.
    Lossy,
}

/// The least TS_W from `ts_w` to `most` that is legal beside the other parameters; `most`, if none is.
fn least_time(p: &Params, ts_w: usize, most: usize) -> usize {
    (ts_w..most).find(|ts_w| Params { ts_w: *ts_w, ..*p }.check().is_ok()).unwrap_or(most)
}

/// Rewrites of a register of a host go.
fn never_rewritten(case: &mut Case, h: usize, register: &str) {
    let node = format!("h{h}");
    case.rewrite.retain(|w| w.node != node || w.register != register);
}

/// The value that a parameter is to have.
pub(super) fn asked(wanted: &[Choice], name: &str) -> Option<usize> {
    wanted.iter().find(|c| c.name == name).map(|c| c.value)
}

/// Which switches have output queues. Returns whether some have.
pub(super) fn queues(seed: u64, isolates: bool, sp: &mut [Params], wanted: &[Choice]) -> bool {
    let rng = &mut SmallRng::seed_from_u64(seed ^ 0x6f75_7471_7565_7565);
    let free = ["CIOQ", "ONE_QUEUE", "ISOLATION", "OBLOCKS"].iter().all(|n| asked(wanted, n).is_none());
    if free && rng.random_bool(if isolates { 0.06 } else { 0.5 }) {
        for p in sp.iter_mut() {
            if rng.random_bool(0.85) {
                (p.cioq, p.one_queue, p.isolation) = (true, false, false);
                p.oblocks = p.vls * cap(rng, p.mtu);
            }
        }
    }
    sp.iter().any(|p| p.cioq)
}

/// Whether the highest VL is for replies: in a part of the networks that have several VLs, no CAM lines then.
pub(super) fn control_lane(seed: u64, sp: &mut [Params], hp: &mut [Params], wanted: &[Choice]) {
    let rng = &mut SmallRng::seed_from_u64(seed ^ 0x636f_6e74_726f_6c21);
    let free = ["CTL_VL", "CIOQ", "ONE_QUEUE", "ISOLATION", "VL_BY_DEST"];
    let free = free.iter().all(|n| asked(wanted, n).is_none());
    if free && rng.random_bool(0.3) && sp[0].vls > 1 && !sp[0].vl_by_dest {
        for p in sp.iter_mut().chain(hp) {
            (p.ctl_vl, p.one_queue, p.isolation, p.cioq) = (true, false, false, false);
        }
    }
}

/// Outputs of switches whose root test is that of the cycle.
pub(super) fn root_tests(case: &mut Case, sp: &[Params]) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x726f_6f74_2e6e_6f77);
    let share = [0.0, 0.0, 0.0, 0.5, 1.0][rng.random_range(0..5)];
    for (s, p) in case.switch.iter_mut().zip(sp) {
        for port in (0..p.ports).filter(|_| rng.random_bool(share)) {
            *s.registers.entry(format!("out{port}.CTRL")).or_default() |= 1 << 13;
        }
    }
}

/// Which adapters have a source response.
pub(super) fn adapters(seed: u64, resets: bool, named: bool, hp: &mut [Params], wanted: &[Choice]) -> Plan {
    let rng = &mut SmallRng::seed_from_u64(seed ^ 0x6163_6b73_2e2e_2e2e);
    let some = rng.random_bool(if hp.iter().any(|p| p.response) { 0.95 } else { 0.3 });
    let lossy = rng.random_bool(0.6) || resets;
    let plan = if lossy { Plan::Lossy } else { Plan::Sound };
    if named {
        return if some && hp.iter().any(|p| p.response) { plan } else { Plan::None };
    }
    let mixed = rng.random_bool(0.2);
    match asked(wanted, "RESPONSE") {
        Some(0) => return Plan::None,
        None if !some => return Plan::None,
        _ => {}
    }
    for p in hp.iter_mut() {
        if asked(wanted, "RESPONSE").is_none() {
            p.response = !mixed || rng.random_bool(0.6);
        }
        if asked(wanted, "TS_W").is_none() && p.response {
            let ts_w = if lossy {
                weighted(rng, &[(4, 8), (2, 9), (3, 10), (2, 12), (1, 14)])
            } else {
                one(rng, &[18, 20, 24, 32])
            };
            p.ts_w = least_time(p, ts_w, 32);
        }
        if !lossy && asked(wanted, "CNPQ").is_none() {
            p.cnpq = one(rng, &[8, 16, 64]);
        }
    }
    plan
}

/// The registers of a source response that say nothing of windows.
fn setting(rng: &mut SmallRng, name: &str) -> u32 {
    match name {
        "RMIN_EXP" => ranged(rng, &[(1, 0, 0), (4, 1, 4), (2, 5, 8), (1, 15, 15)]),
        "WS_STEPS" => ranged(rng, &[(1, 0, 0), (6, 1, 4), (2, 5, 14), (1, 15, 15)]),
        "RTT_MIN" => ranged(rng, &[(1, 0, 0), (6, 4, 200), (2, 1, 0xffff), (1, 0xffff, 0xffff)]),
        "SEVMAP" => match rng.random_range(0..10) {
            0..3 => 0xaa00,
            3..6 => one(rng, &[0x9c9c, 0x8c8c, 0xacac]),
            6 => 0,
            7 => 0xffff,
            _ => rng.random_range(0..=0xffff),
        },
        "LINK_INTERVAL" => ranged(rng, &[(1, 0, 0), (4, 1, 3), (1, 15, 15)]),
        "WMAX" => ranged(rng, &[(6, 1, 1), (5, 2, 4), (2, 5, 16), (1, 0, 0), (1, 255, 255)]),
        _ => {
            let resp = weighted(rng, &[(2, 0), (3, 1), (3, 2), (3, 3), (6, 4), (1, 5), (1, 7)]);
            let bits = [(0, 0.94), (4, 0.5), (5, 0.4), (6, 0.4), (7, 0.5)];
            bits.into_iter().fold(resp << 1, |word, (bit, p)| word | u32::from(rng.random_bool(p)) << bit)
        }
    }
}

/// Registers of a source response, and its table of waiting times.
type Drawn = (Vec<(String, u32)>, Vec<u32>);

/// ACKs in all adapters, and the registers of the source responses. What was drawn of a link's pace stays.
pub(super) fn registers(case: &mut Case, hp: &[Params], plan: Plan) {
    if plan == Plan::None {
        return;
    }
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x7769_6e64_6f77_7321);
    let alike = rng.random_bool(0.5);
    let density = one(rng, &[0.3, 0.8, 1.0]);
    let mut first: Option<Drawn> = None;
    for (h, p) in case.host.iter_mut().zip(hp) {
        *h.registers.entry("hca.CTRL".into()).or_default() |= 4;
        if !p.response {
            continue;
        }
        if first.is_none() || !alike {
            let mut set: Vec<(String, u32)> = Vec::new();
            for name in ["CTRL", "WMAX", "RMIN_EXP", "WS_STEPS", "RTT_MIN", "SEVMAP", "LINK_INTERVAL"] {
                let always = ["CTRL", "WMAX"].contains(&name);
                let rarely = name == "LINK_INTERVAL";
                if always || rng.random_bool(if rarely { density / 4.0 } else { density }) {
                    set.push((format!("response.{name}"), setting(rng, name)));
                }
            }
            // The first slot, and each one a multiple of the one before; or anything.
            let (slot, times) = (log(rng, 8, 200), rng.random_range(1..=4u64));
            let n = rng.random_range(0..=16u32);
            let scrambled = rng.random_bool(0.2);
            let wt = (0..n).map(|i| match (scrambled, i) {
                (true, _) => ranged(rng, &[(1, 0, 0), (4, 1, 2000), (1, u32::MAX, u32::MAX)]),
                (_, 0) => 0,
                _ => (slot * times.saturating_pow(i - 1)).min(u32::MAX.into()) as u32,
            });
            let wt = wt.collect();
            first = Some((set, wt));
        }
        if let Some((set, wt)) = &first {
            for (name, v) in set {
                h.registers.entry(name.clone()).or_insert(*v);
            }
            h.wt = wt.clone();
        }
    }
}

/// How long a crossbar takes for a flit, and what inputs know of it.
pub(super) fn crossbars(case: &mut Case, sp: &[Params]) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x7370_6565_6475_7021);
    for (s, p) in case.switch.iter_mut().zip(sp).filter(|(_, p)| p.cioq) {
        let same = ranged(rng, &[(1, 0, 0), (6, 1, 1), (2, 2, 8), (1, 15, 15)]);
        let alike = rng.random_bool(0.7);
        let mut least = 15;
        for port in 0..p.ports {
            let v = if alike { same } else { rng.random_range(0..=15) };
            s.registers.insert(format!("out{port}.XB_INTERVAL"), v);
            let tx = s.registers.get(&format!("out{port}.TX_INTERVAL")).copied().unwrap_or(1);
            least = least.min(v.max(1)).min(tx.max(1));
        }
        // One that does not know the pace has gaps; it loses nothing.
        let knows = rng.random_bool(0.8);
        for port in 0..p.ports {
            let v = if knows { least } else { rng.random_range(0..=15) };
            s.registers.insert(format!("in{port}.XB_INTERVAL"), v);
        }
    }
}

/// Links that lose or damage ACKs for a while.
pub(super) fn eat(case: &mut Case, plan: Plan) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x6c6f_7374_6163_6b73);
    if plan != Plan::Lossy || !rng.random_bool(0.6) {
        return;
    }
    let from = rng.random_range(0..case.cycles / 2);
    let until = if rng.random_bool(0.5) { case.cycles } else { rng.random_range(from..case.cycles) };
    let (lose, damage) = (one(rng, &[10, 100, 100, 500, 1000]), one(rng, &[0, 0, 0, 100, 1000]));
    for l in &mut case.link {
        if rng.random_bool(0.6) {
            l.eats = Some(Eats { from, until, lose, damage });
        }
    }
}

/// Registers of source responses that change while packets flow.
pub(super) fn rewrite(case: &mut Case, hp: &[Params], plan: Plan) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x7265_7772_6974_6573);
    if plan == Plan::None || !rng.random_bool(0.25) {
        return;
    }
    for _ in 0..rng.random_range(1..=6) {
        let h = rng.random_range(0..hp.len());
        let names: &[&str] = match plan {
            Plan::Lossy => {
                &["CTRL", "WMAX", "WMAX", "RMIN_EXP", "WS_STEPS", "RTT_MIN", "SEVMAP", "LINK_INTERVAL"]
            }
            _ => &["RMIN_EXP", "WS_STEPS", "RTT_MIN", "SEVMAP", "LINK_INTERVAL"],
        };
        let name = one(rng, names);
        let (cycle, value) = (rng.random_range(0..case.cycles), setting(rng, name));
        if hp[h].response {
            case.rewrite.push(Rewrite {
                cycle,
                node: format!("h{h}"),
                register: format!("response.{name}"),
                value,
            });
        }
    }
    case.rewrite.sort_by_key(|w| w.cycle);
}

/// Longest delay that is drawn: more is longer than a run.
const LONGEST_HOLD: u64 = 2000;

/// Makes what was drawn legal: windows that all FIFOs of replies hold, or an IRDMAX that ends within a run what a lost ACK closes.
pub(super) fn mend(case: &mut Case, hp: &mut [Params], plan: Plan, fixed: bool) -> Result<(), String> {
    if plan == Plan::None {
        return Ok(());
    }
    // Narrow windows first, if they are what loses ACKs.
    if plan == Plan::Sound {
        let room = hp.iter().map(|p| p.cnpq as u32).min().unwrap_or(2);
        let sources = hp.len().saturating_sub(1).max(1) as u32;
        for (host, p) in case.host.iter_mut().zip(hp.iter()).filter(|(_, p)| p.response) {
            let most = (room / sources).max(1).min(p.cnpq as u32);
            if let Some(w) = host.registers.get_mut("response.WMAX") {
                *w = (*w).clamp(1, most);
            }
            if let Some(c) = host.registers.get_mut("response.CTRL") {
                *c |= 1;
            }
        }
    }
    // Of all that are on by now.
    for (h, p) in hp.iter().enumerate() {
        if acks::hold(case, h, p) > LONGEST_HOLD {
            if let Some(v) = case.host[h].registers.get_mut("response.CTRL") {
                *v &= !0xe;
            }
            never_rewritten(case, h, "response.CTRL");
        }
    }
    for _ in 0..3 {
        if acks::check(case).is_ok() {
            return Ok(());
        }
        for (h, p) in hp.iter_mut().enumerate() {
            if !p.response || p.ts_w <= acks::LONGEST_TS_W {
                continue;
            }
            if fixed {
                case.host[h].registers.insert("response.WMAX".into(), 0);
                never_rewritten(case, h, "response.WMAX");
                continue;
            }
            p.ts_w = least_time(p, 8, acks::LONGEST_TS_W);
            case.host[h].parameters = parameters(UnitKind::Hca, p);
        }
    }
    acks::check(case)
}
