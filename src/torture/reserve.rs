//! Draws reservations (SRP = 1), by generators of their own: what else a seed draws does not depend on them.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::booking;
use super::bounds::{least_time_out, packet_time};
use super::case::{Case, Eats, Rewrite};
use super::chance::{cap, log, one, ranged, weighted};
use crate::params::{Params, UnitKind};

/// Whether the sources of the network of a seed reserve.
pub(super) fn planned(seed: u64, isolates: bool) -> bool {
    let rng = &mut SmallRng::seed_from_u64(seed ^ 0x7265_7365_7276_6521);
    rng.random_bool(if isolates { 0.015 } else { 0.4 })
}

/// Whether losses end in the adapters of the network of a seed.
fn recovers(seed: u64) -> bool {
    SmallRng::seed_from_u64(seed ^ 0x7265_636f_7665_7273).random_bool(0.5)
}

/// The bit of CTRL by which the adapters of the network of a seed send and take packets in order: all or none.
fn in_order(seed: u64) -> u32 {
    let drawn = SmallRng::seed_from_u64(seed ^ 0x696e_6f72_6465_7221).random_bool(0.35);
    u32::from(drawn && recovers(seed)) << 5
}

/// Flags that neither reservations nor routes drawn up go with.
pub(super) fn plain(p: &mut Params) {
    (p.one_queue, p.isolation, p.vl_by_dest, p.markers) = (false, false, false, false);
    (p.cioq, p.parity, p.stamp_w) = (false, false, 0);
}

/// Gives all nodes the lanes of reservations. `None` if no width of times fits.
pub(super) fn parameters(seed: u64, sp: &mut [Params], hp: &mut [Params]) -> Option<()> {
    let rng = &mut SmallRng::seed_from_u64(seed ^ 0x6c61_6e65_732e_2e2e);
    let lanes = weighted(rng, &[(45, 1), (25, 2), (10, 3), (8, 4), (3, 5), (2, 6), (2, 7), (5, 8)]);
    let alike = rng.random_bool(0.6);
    // A source asks for as many packets as its destination may grant.
    let nmax = weighted(rng, &[(10, 1), (15, 2), (30, 4), (20, 8), (15, 16), (3, 32), (3, 64)]);
    let blocks = |rng: &mut SmallRng| {
        weighted(rng, &[(25, 2), (10, 3), (25, 4), (15, 8), (15, 16), (5, 64), (1, 512)])
    };
    let mut first: Option<Params> = None;
    for p in sp.iter_mut() {
        plain(p);
        (p.srp, p.ctl_vl, p.vls) = (true, false, lanes + 3);
        let own = Params {
            data_blocks: cap(rng, p.mtu),
            spec_blocks: cap(rng, p.mtu),
            ctl_blocks: blocks(rng),
            ..*p
        };
        let like = first.filter(|_| alike).unwrap_or(own);
        first = first.or(Some(own));
        (p.data_blocks, p.spec_blocks, p.ctl_blocks) = (like.data_blocks, like.spec_blocks, like.ctl_blocks);
        p.blocks = p.srp_blocks();
    }
    let mut first: Option<Params> = None;
    for p in hp.iter_mut() {
        plain(p);
        (p.srp, p.ctl_vl, p.response, p.vls, p.nmax) = (true, false, false, lanes + 3, nmax);
        p.dedup = recovers(seed);
        let own = Params {
            blocks: (lanes + 1) * cap(rng, p.mtu),
            rx_blocks: (lanes + 1) * cap(rng, p.mtu),
            ctl_blocks: blocks(rng),
            msgq: weighted(rng, &[(40, 2), (30, 4), (20, 8), (2, 64)]),
            repq: weighted(rng, &[(40, 2), (25, 4), (25, 16), (2, 256)]),
            ..*p
        };
        let like = first.filter(|_| alike).unwrap_or(own);
        first = first.or(Some(own));
        (p.blocks, p.rx_blocks, p.ctl_blocks) = (like.blocks, like.rx_blocks, like.ctl_blocks);
        (p.msgq, p.repq) = (like.msgq, like.repq);
    }
    // Nor of times further ahead than it can tell.
    let fits =
        |now_w: &usize| hp.iter().all(|p| Params { now_w: *now_w, ..*p }.check_unit(UnitKind::Hca).is_ok());
    let least = (12..=32).find(fits)?;
    // A time-out is a time, too, and longer than what it waits for.
    let least = if recovers(seed) { least.max(18) } else { least };
    let now_w = weighted(rng, &[(50, least), (20, (least + 1).min(32)), (20, 32), (10, least.max(24))]);
    hp.iter_mut().for_each(|p| p.now_w = now_w);
    sp.iter().all(|p| p.check().is_ok()).then_some(())
}

/// A time for which speculative packets may stand in the network of a seed. Where losses end mostly a short one: a time-out is many
/// times as long, and all that a network does until then is to wait.
fn longest_wait(seed: u64, rng: &mut SmallRng) -> u32 {
    let any = ranged(rng, &[(4, 0, 0), (8, 1, 60), (5, 60, 400), (2, 400, 5000), (1, 0x7fff, 0x7fff)]);
    let short = recovers(seed) && SmallRng::seed_from_u64(seed ^ 0x7368_6f72_7477_6169).random_bool(0.98);
    if short { any.min(400) } else { any }
}

/// The value of a register of an adapter's reservation in the network of a seed.
fn setting(rng: &mut SmallRng, seed: u64, p: &Params, name: &str) -> u32 {
    match name {
        "EPS" => ranged(rng, &[(2, 0, 0), (3, 3277, 3277), (3, 1, 0xfffe), (1, 0xffff, 0xffff)]),
        "NMAX_RUN" => ranged(rng, &[(2, 0, 1), (6, 1, p.nmax as u32), (1, 127, 127)]),
        "NMIN" => ranged(rng, &[(3, 0, 0), (6, 1, 3), (2, 1, 2 * p.nmax as u32), (1, 0xffff, 0xffff)]),
        "RX_INTERVAL" => ranged(rng, &[(1, 0, 0), (5, 1, 1), (2, 2, 4), (1, 15, 15)]),
        _ => {
            let fast = if p.dedup { 0.3 } else { 0.0 };
            let bits = [(0, 0.93), (1, 0.7), (2, 0.12), (3, 0.25), (4, fast), (6, 0.25)];
            bits.into_iter()
                .fold(in_order(seed), |word, (bit, p)| word | u32::from(rng.random_bool(p)) << bit)
        }
    }
}

const RESERVATION: [&str; 5] = ["CTRL", "EPS", "NMAX_RUN", "NMIN", "RX_INTERVAL"];

/// Registers and messages.
pub(super) fn registers(case: &mut Case, sp: &[Params], hp: &[Params]) -> Result<(), String> {
    if !case.reserves() {
        return Ok(());
    }
    let seed = case.seed;
    let rng = &mut SmallRng::seed_from_u64(seed ^ 0x7470_7773_7065_6321);
    let drops = weighted(rng, &[(80, 1.0), (12, 0.6), (8, 0.0)]);
    let alike = rng.random_bool(0.7).then(|| longest_wait(seed, rng));
    for (s, p) in case.switch.iter_mut().zip(sp) {
        for port in 0..p.ports {
            s.registers.insert(format!("in{port}.SPEC"), u32::from(rng.random_bool(drops)));
            if rng.random_bool(0.9) {
                s.registers.insert(format!("in{port}.TTW"), alike.unwrap_or_else(|| longest_wait(seed, rng)));
            }
        }
    }
    let density = one(rng, &[0.3, 0.7, 1.0]);
    let same = rng.random_bool(0.5);
    let mut first: Vec<(String, u32)> = Vec::new();
    for (h, p) in case.host.iter_mut().zip(hp) {
        let mut own: Vec<(String, u32)> = Vec::new();
        for name in RESERVATION {
            // Short messages are to be reserved in most.
            if ["CTRL", "NMIN"].contains(&name) || rng.random_bool(density) {
                own.push((format!("reservation.{name}"), setting(rng, seed, p, name)));
            }
        }
        if first.is_empty() {
            first = own.clone();
        }
        h.registers.extend(if same { first.clone() } else { own });
    }
    // Chunks of many long packets alone take longer than a run, and so do few where hosts are slow.
    let slow = (4000 / packet_time(case)?).min(600) as u16;
    let (nmax, room) = (hp[0].nmax as u16, (600 / hp[0].mtu as u16).min(slow).max(2));
    let most = (3 * nmax).min(64).min(room);
    let kind = rng.random_range(0..5);
    for pair in &mut case.pair {
        pair.packets = match kind {
            0 => vec![nmax.min(most)],
            1 => vec![1],
            2 => vec![most],
            _ => (0..rng.random_range(1..=5)).map(|_| rng.random_range(1..=most)).collect(),
        };
    }
    if hp[0].dedup { time_outs(case, rng) } else { Ok(()) }
}

/// A time-out above this is at most a quarter longer than it must be: a network only waits for it.
const LONG: u64 = 20_000;

/// Time-outs: longer than what they wait for, or in some networks none.
fn time_outs(case: &mut Case, rng: &mut SmallRng) -> Result<(), String> {
    let least = least_time_out(case)?;
    let most = (8 * least).min(LONG).max(least + least / 4).min((1 << (case.host_params(0)?.now_w - 1)) - 1);
    if least > most || rng.random_bool(0.1) {
        return Ok(());
    }
    let alike = rng.random_bool(0.6).then(|| log(rng, least, most));
    for h in &mut case.host {
        let rto = alike.unwrap_or_else(|| log(rng, least, most));
        h.registers.insert("reservation.RTO".into(), rto as u32);
    }
    Ok(())
}

/// Registers that change while packets flow.
pub(super) fn rewrite(case: &mut Case, sp: &[Params], hp: &[Params]) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x7265_7772_7370_6563);
    if !case.reserves() || !rng.random_bool(0.25) {
        return;
    }
    for _ in 0..rng.random_range(1..=6) {
        let cycle = rng.random_range(0..case.cycles);
        let (node, register, value) = if rng.random_bool(0.5) {
            let h = rng.random_range(0..hp.len());
            let name = one(rng, &RESERVATION);
            (format!("h{h}"), format!("reservation.{name}"), setting(rng, case.seed, &hp[h], name))
        } else {
            let s = rng.random_range(0..sp.len());
            let port = rng.random_range(0..sp[s].ports);
            let (name, v) = if rng.random_bool(0.3) {
                ("SPEC", u32::from(rng.random_bool(0.5)))
            } else {
                ("TTW", longest_wait(case.seed, rng))
            };
            (format!("s{s}"), format!("in{port}.{name}"), v)
        };
        case.rewrite.push(Rewrite { cycle, node, register, value });
    }
    case.rewrite.sort_by_key(|w| w.cycle);
}

/// Links that lose or damage RES, GRANTs, ACKs and NACKs for a while: their pairs stand still, and no others; with a time-out none does.
pub(super) fn eat(case: &mut Case) {
    let rng = &mut SmallRng::seed_from_u64(case.seed ^ 0x6c6f_7374_7265_7321);
    if !case.reserves() || !rng.random_bool(if booking::remembers(case) { 0.6 } else { 0.1 }) {
        return;
    }
    let from = rng.random_range(0..case.cycles);
    let until = rng.random_range(from..=case.cycles);
    let (lose, damage) = (one(rng, &[0, 3, 10, 100]), one(rng, &[0, 3, 10, 100]));
    for l in &mut case.link {
        if rng.random_bool(0.4) {
            l.eats = Some(Eats { from, until, lose, damage });
        }
    }
}
