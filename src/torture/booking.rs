//! What a network with reservations is promised: who may reserve, how long times may be booked ahead, how old a speculative packet may be.

use super::acks::held;
use super::case::{Case, Pair};
use crate::params::Params;

/// Reset values of registers that are looked at here.
const CTRL: u32 = 2;
const EPS: u32 = 3277;
const NMIN: u32 = 4;
const TTW: u32 = 203;

/// All values that a register of an adapter's reservation has in a run.
fn values(case: &Case, h: usize, name: &str, reset: u32) -> Vec<u32> {
    held(case, h, &format!("reservation.{name}"), reset)
}

/// Whether messages of a host may be reserved.
pub fn may_reserve(case: &Case, h: usize) -> bool {
    let longest = case.pair.iter().filter(|p| p.from == h).map(|p| longest(case, p)).max().unwrap_or(1);
    case.reserves()
        && values(case, h, "CTRL", CTRL).iter().any(|c| c & 1 != 0)
        && values(case, h, "NMIN", NMIN).iter().any(|n| u64::from(*n) <= longest)
}

/// Whether something of a host may be speculative.
fn speculates(case: &Case, h: usize) -> bool {
    may_reserve(case, h) && values(case, h, "CTRL", CTRL).iter().any(|c| c & 5 == 1)
}

/// Whether adapters know what has come (DEDUP = 1, in all or in none).
pub fn remembers(case: &Case) -> bool {
    case.host.first().is_some_and(|h| h.parameters.get("DEDUP") == Some(&1))
}

/// Whether all adapters send and take packets in order, all the time.
pub fn in_order(case: &Case) -> bool {
    let ordered = |h: usize| values(case, h, "CTRL", CTRL).iter().all(|c| c & 32 != 0);
    remembers(case) && (0..case.host.len()).all(ordered)
}

/// The time-outs that a source has in a run; none where adapters do not know what has come.
pub fn time_outs(case: &Case, h: usize) -> Vec<u32> {
    if remembers(case) { values(case, h, "RTO", 0) } else { Vec::new() }
}

/// Whether losses of a source end: it has a time-out all the time.
pub fn recovers(case: &Case, h: usize) -> bool {
    let all = time_outs(case, h);
    !all.is_empty() && all.iter().all(|v| *v > 0)
}

/// The longest time-out of any source; 0 if none has one.
pub fn longest_time_out(case: &Case) -> u64 {
    (0..case.host.len()).flat_map(|h| time_outs(case, h)).max().unwrap_or(0).into()
}

/// Whether the messages of a source that wait may become one.
pub fn may_merge(case: &Case, h: usize) -> bool {
    values(case, h, "CTRL", CTRL).iter().any(|c| c & 8 != 0)
}

/// Packets of the longest message of a pair. What waits and becomes one has been posted and not delivered, which is less than the window and
/// one message.
fn longest(case: &Case, pair: &Pair) -> u64 {
    let posted = u64::from(pair.packets.iter().copied().max().unwrap_or(1));
    if may_merge(case, pair.from) { posted + u64::from(pair.window).saturating_sub(1) } else { posted }
}

/// Packets in a chunk of a host, at most.
fn chunk(case: &Case, h: usize, p: &Params) -> u64 {
    let most = values(case, h, "NMAX_RUN", p.nmax as u32).into_iter().max();
    most.map_or(p.nmax, |n| (n as usize).clamp(1, p.nmax)) as u64
}

/// Time that host `to` books for so many flits, at most.
pub fn booked(case: &Case, to: usize, flits: u64) -> u64 {
    let most = |name, reset| values(case, to, name, reset).into_iter().max().map_or(0, u64::from);
    (flits * (65536 + most("EPS", EPS))).div_ceil(65536) * most("RX_INTERVAL", 1).max(1)
}

/// Time that the longest message of every pair books, at most.
pub fn messages(case: &Case) -> Result<u64, String> {
    let mut all = 0;
    let walks_in = |h: usize| values(case, h, "CTRL", CTRL).iter().any(|c| c & 64 != 0);
    for pair in case.pair.iter().filter(|p| may_reserve(case, p.from) || case.reserves() && walks_in(p.to)) {
        let mtu = case.host_params(pair.from)?.mtu as u64;
        all += booked(case, pair.to, longest(case, pair) * mtu);
    }
    Ok(all)
}

/// Every value of a register of the inputs of switches.
fn inputs(case: &Case, name: &str, reset: u32) -> Vec<u32> {
    let mut all = Vec::new();
    for (s, node) in case.switch.iter().enumerate() {
        let ports = node.parameters.get("PORTS").copied().unwrap_or(0);
        for register in (0..ports).map(|p| format!("in{p}.{name}")) {
            all.push(node.registers.get(&register).copied().unwrap_or(reset));
            let own = format!("s{s}");
            let later = case.rewrite.iter().filter(|w| w.node == own && w.register == register);
            all.extend(later.map(|w| w.value));
        }
    }
    all
}

/// The largest age of a speculative packet that arrives, if all switches drop older ones all the time.
pub fn most_age(case: &Case) -> Option<u32> {
    let drops = inputs(case, "SPEC", 0).iter().all(|v| v & 1 != 0);
    drops.then(|| inputs(case, "TTW", TTW).into_iter().max()).flatten()
}

/// Cycles for which a speculative packet may stand in switches below all others. `None`: for ever, as long as others come.
pub fn stands(case: &Case) -> Option<u64> {
    if !(0..case.host.len()).any(|h| speculates(case, h)) {
        return Some(0);
    }
    most_age(case).map(u64::from)
}

/// Settings of reservations that are legal each but break by definition what is promised: they are refused.
pub fn check(case: &Case) -> Result<(), String> {
    if !case.reserves() {
        return Ok(());
    }
    for (h, host) in case.host.iter().enumerate() {
        let (own, wanted) = (host.parameters.get("DEDUP").copied(), usize::from(remembers(case)));
        if own.unwrap_or(0) != wanted {
            return Err(format!(
                "host h{h}: parameter DEDUP = {}: legal is {wanted}, that of h0",
                1 - wanted
            ));
        }
    }
    for (i, pair) in case.pair.iter().enumerate().filter(|x| may_reserve(case, x.1.from)) {
        let (from, to) = (case.host_params(pair.from)?, case.host_params(pair.to)?);
        let n = chunk(case, pair.from, &from);
        if n > to.nmax as u64 {
            return Err(format!(
                "pair {i}: h{} asks for time for {n} packets (NMAX, register reservation.NMAX_RUN): legal is {}, NMAX of h{}, at most",
                pair.from, to.nmax, pair.to
            ));
        }
        if from.now_w < to.now_w {
            return Err(format!(
                "pair {i}: parameter NOW_W = {} of h{}: legal is {}, NOW_W of h{}, at least, for that grants times as far ahead",
                from.now_w, pair.from, to.now_w, pair.to
            ));
        }
        let time = booked(case, pair.to, n * from.mtu as u64);
        if time >= 1 << (to.now_w - 1) {
            return Err(format!(
                "pair {i}: {n} packets may take {time} cycles (registers reservation.EPS and RX_INTERVAL of h{}): legal is less than 2^(NOW_W-1) = {}",
                pair.to,
                1u64 << (to.now_w - 1)
            ));
        }
    }
    Ok(())
}
