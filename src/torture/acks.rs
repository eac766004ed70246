//! What a network with ACKs is promised: whether any can be lost, how long a flow may be held, and after which time it goes on all the same.

use std::collections::BTreeMap;

use super::case::Case;
use crate::params::Params;

/// Shorter than this, `TS_W` may call an ACK lost that is only late.
pub const NEVER_LATE: usize = 17;
/// The longest `TS_W` of a source whose windows are on, where ACKs can be lost: a run is shorter than what ends such a wait otherwise.
pub const LONGEST_TS_W: usize = 16;

/// All values that a register of an adapter has in a run.
pub(super) fn held(case: &Case, h: usize, name: &str, reset: u32) -> Vec<u32> {
    let node = format!("h{h}");
    let first = case.host[h].registers.get(name).copied().unwrap_or(reset);
    let later = case.rewrite.iter().filter(|w| w.node == node && w.register == name).map(|w| w.value);
    std::iter::once(first).chain(later).collect()
}

/// Whether a host acknowledges what it gets, and takes ACKs.
pub fn acknowledges(case: &Case, h: usize) -> bool {
    !case.reserves() && case.host[h].registers.get("hca.CTRL").is_some_and(|c| c & 4 != 0)
}

/// Whether the flows of a host ever have windows.
fn has_windows(case: &Case, h: usize, p: &Params) -> bool {
    let on = held(case, h, "response.CTRL", 0).iter().any(|c| c & 1 != 0);
    p.response && on && held(case, h, "response.WMAX", 1).iter().any(|w| *w > 0)
}

/// How wide a host's windows are, if it has them all the time.
pub fn window(case: &Case, h: usize, p: &Params) -> Option<u32> {
    let wide = held(case, h, "response.WMAX", 1);
    let always = held(case, h, "response.CTRL", 0).iter().all(|c| c & 1 != 0) && wide.iter().all(|w| *w > 0);
    (p.response && always).then(|| wide.into_iter().max()).flatten()
}

/// IRDMAX of an adapter.
pub fn longest_silence(p: &Params) -> u64 {
    1 << (p.ts_w - 2)
}

/// The longest delay that ACKs put between two packets of a flow, in cycles.
pub fn hold(case: &Case, h: usize, p: &Params) -> u64 {
    let of = |name: &str, reset: u32| held(case, h, &format!("response.{name}"), reset);
    let most = |name: &str, reset: u32| of(name, reset).into_iter().max().unwrap_or(reset);
    let ctrl = of("CTRL", 0);
    if !p.response || ctrl.iter().all(|c| c & 1 == 0) {
        return 0;
    }
    let resp = |wanted: std::ops::RangeInclusive<u32>| ctrl.iter().any(|c| wanted.contains(&(c >> 1 & 7)));
    let mut longest = 0u64;
    if resp(1..=3) {
        let rtt = if ctrl.iter().any(|c| c & 64 != 0) { most("RTT_MIN", 1) } else { 0 };
        let flits = if ctrl.iter().any(|c| c & 64 == 0) { p.mtu as u32 } else { 0 };
        let time = rtt.max(flits * most("LINK_INTERVAL", 1).max(1));
        let g = most("RMIN_EXP", 8).clamp(2, 8);
        longest = ((1 << g) - 1) * u64::from(time);
    }
    if resp(4..=4) {
        longest = longest.max(case.host[h].wt.iter().copied().max().unwrap_or(0).into());
    }
    longest.min(longest_silence(p))
}

/// Whether a flow may change its lane.
pub fn lanes_change(case: &Case) -> Result<bool, String> {
    let p = case.host_params(0)?;
    Ok(p.data_lanes() > 1 && !p.vl_by_dest && case.rewrite.iter().any(|w| w.register.starts_with("sl.")))
}

/// Why ACKs may be lost, or come when nobody waits for them any more; `None`: none is, in a run shorter than IRDMAX.
pub fn losses(case: &Case) -> Result<Option<&'static str>, String> {
    if case.link.iter().any(|l| l.eats.is_some_and(|e| e.lose + e.damage > 0)) {
        return Ok(Some("links lose ACKs"));
    }
    if !case.reset.is_empty() {
        return Ok(Some("ends are reset"));
    }
    if lanes_change(case)? {
        return Ok(Some("the lane of a flow changes"));
    }
    // Windows of all that is answered by one FIFO.
    let mut waiting: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for pair in case.pair.iter().filter(|p| acknowledges(case, p.to)) {
        let p = case.host_params(pair.from)?;
        let vl = p.control_lane().unwrap_or_else(|| case.lane(&p, pair.from, pair.sl));
        let Some(w) = window(case, pair.from, &p) else { return Ok(Some("a source has no window")) };
        if p.ts_w < NEVER_LATE {
            return Ok(Some("IRDMAX is short"));
        }
        *waiting.entry((pair.to, vl)).or_default() += u64::from(w);
    }
    for ((to, _), n) in waiting {
        if n > case.host_params(to)?.cnpq as u64 {
            return Ok(Some("CNPQ is less than the windows of those that send there"));
        }
    }
    Ok(None)
}

/// After which time a flow goes on although ACKs were lost: the longest of all adapters. 0: none are.
pub fn reopens(case: &Case) -> Result<u64, String> {
    if losses(case)?.is_none() {
        return Ok(0);
    }
    let mut most = 0;
    for h in 0..case.host.len() {
        let p = case.host_params(h)?;
        if has_windows(case, h, &p) {
            most = most.max(forgets(case, h, &p));
        }
    }
    Ok(most)
}

/// After which time of silence a source response gives up what is outstanding.
fn forgets(case: &Case, h: usize, p: &Params) -> u64 {
    let out: u64 = case.pair.iter().filter(|x| x.from == h).map(|x| u64::from(x.window)).sum();
    let flows = p.flows as u64;
    // Silence, ageing, a sweep; two slots of five are the sweep's at least.
    let wait = longest_silence(p) + 4 * flows.max(16) + flows + 8 + 3 * out;
    5 * wait / 2 + hold(case, h, p)
}

/// Cycles after which nothing is outstanding, in adapters whose IRDMAX is short enough for a run.
pub fn clears(case: &Case) -> Result<u64, String> {
    (0..case.host.len()).try_fold(0, |most, h| {
        let p = case.host_params(h)?;
        let short = p.response && p.ts_w <= LONGEST_TS_W;
        Ok(if short { forgets(case, h, &p).max(most) } else { most })
    })
}

/// Settings of ACKs and windows that are legal each but break by definition what is promised: they are refused.
pub fn check(case: &Case) -> Result<(), String> {
    let all: Vec<Params> =
        (0..case.host.len()).map(|h| case.host_params(h)).collect::<Result<_, String>>()?;
    let loses = losses(case)?;
    for (i, pair) in case.pair.iter().enumerate() {
        let (from, to) = (acknowledges(case, pair.from), acknowledges(case, pair.to));
        if to && !from {
            return Err(format!(
                "pair {i}: h{} answers with ACKs and register hca.CTRL of h{} says that these are for the host: legal is bit 2 in both or in none",
                pair.to, pair.from
            ));
        }
        let p = &all[pair.from];
        if !has_windows(case, pair.from, p) {
            continue;
        }
        if !to {
            return Err(format!(
                "pair {i}: h{} has windows and h{} sends no ACKs: legal is bit 2 of its hca.CTRL, or register response.WMAX = 0",
                pair.from, pair.to
            ));
        }
        if let Some(why) = loses.filter(|_| p.ts_w > LONGEST_TS_W) {
            return Err(format!(
                "host h{}: parameter TS_W = {}: legal is {LONGEST_TS_W} at most with windows where ACKs may be lost ({why})",
                pair.from, p.ts_w
            ));
        }
    }
    let kept = |w: &&super::case::Rewrite| w.register == "hca.CTRL";
    if let Some(w) = case.rewrite.iter().find(kept) {
        return Err(format!("rewrite of {} hca.CTRL: legal is before the traffic only", w.node));
    }
    Ok(())
}

/// Whether an ACK that switches make can have bits that the adapter's SEVMAP calls invalid (VB is never without MB).
pub fn may_be_invalid(case: &Case, h: usize) -> bool {
    let of = |map: &u32| [0, 2, 3, 4, 6, 7].iter().any(|i| map >> (2 * i) & 3 == 3);
    held(case, h, "response.SEVMAP", 0xaa00).iter().any(of)
}
