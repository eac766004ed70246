//! What a network is promised, in cycles: computed from its settings, generous (`docs/torture.md` has the formulas).

use std::collections::{BTreeMap, BTreeSet};

use super::acks;
use super::booking;
use super::case::{Case, End, Pace, Reset};
use super::route::{exits, steps};
use crate::params::{Params, UnitKind};

/// Waits longer than this are not judged: the run would be too long.
pub const LONGEST_WAIT: u64 = 300_000;
/// No pair waits longer than this, unless its packets take long: the products below are far from what is seen.
const WAIT: u64 = 40_000;

/// Every value that the register `name` of any port has in a run, with `default` for ports that are not written.
fn values(case: &Case, name: &str, default: u32) -> Vec<u32> {
    let named = |n: &str| n.split_once('.').is_some_and(|(_, r)| r == name);
    let written = case.switch.iter().map(|s| &s.registers).chain(case.host.iter().map(|h| &h.registers));
    let mut all: Vec<u32> = written.flatten().filter(|(n, _)| named(n)).map(|(_, v)| *v).collect();
    all.extend(case.rewrite.iter().filter(|w| named(&w.register)).map(|w| w.value));
    all.push(default);
    all
}

fn largest(case: &Case, name: &str, default: u32) -> u64 {
    values(case, name, default).into_iter().max().unwrap_or(default).max(1).into()
}

/// Cycles that a packet needs at the slowest place, with its credits.
pub fn packet_time(case: &Case) -> Result<u64, String> {
    let pace = |f: fn(&super::case::HostNode) -> u64| case.host.iter().map(f).max().unwrap_or(1);
    let slow = pace(|h| h.take.slowness())
        + pace(|h| h.give.slowness())
        + largest(case, "TX_INTERVAL", 1)
        + largest(case, "RX_INTERVAL", 1)
        - 3;
    let pause = |p: &Pace| if p.random { p.gap() / 4 } else { p.gap() };
    let gaps = case.host.iter().map(|h| pause(&h.take) + pause(&h.give)).max().unwrap_or(0);
    Ok(case.switch_params(0)?.mtu as u64 * slow + gaps + round_trip(case))
}

/// A flow does not begin a chunk with a reservation sooner after the one before: the RES and its GRANT pass two adapters and a switch.
/// (It takes about 30 cycles.)
const SHORTEST_CHUNK: u64 = 16;
/// Chunks by which one may be newer than another one and is told from it by its number.
const NEWER_CHUNKS: u64 = 4095;

/// The shortest time-out of a source that does not give up what is only late: a RES of every pair is answered, the largest message of
/// every pair sent, and old packets have gone.
///
/// Where some input of a switch drops nothing, a speculative packet may stand for as long as granted ones come. No time-out is longer than
/// that. So its copy may come first, and its flow goes on while it stands. That is no harm as long as the flow begins no more than 4095
/// chunks meanwhile: then it is told from a new one, and dropped. So there is no term for it here; `copies_are_told` looks at how long a
/// run is.
pub fn least_time_out(case: &Case) -> Result<u64, String> {
    let hops = case.switch.len() as u64 + 1;
    let age = booking::stands(case).unwrap_or(0);
    let flows = case.host_params(0)?.flows as u64;
    Ok(booking::messages(case)? + 4 * hops * (age + packet_time(case)?) + 16 * flows)
}

/// The longest pause inside a packet that hosts and links can make, with room.
fn longest_gap(case: &Case) -> u64 {
    let hosts = case.host.iter().map(|h| h.give.gap()).max().unwrap_or(1);
    2 * hosts + 8 * largest(case, "TX_INTERVAL", 1) + 64
}

/// Whether a source may send what is only late once more: after a time-out, or in granted time.
fn sends_copies(case: &Case) -> bool {
    let in_granted_time = [4, 5].iter().any(|bit| set(case, "reservation", *bit));
    booking::remembers(case) && (booking::longest_time_out(case) > 0 || in_granted_time)
}

/// Where a packet that was sent twice may stand for all of a run, that must be too short for a flow to begin 4096 chunks in it: the first
/// one would be taken for a new one. Where switches drop what is old, packets stand for a bounded time, on each link of the way.
fn copies_are_told(case: &Case) -> Result<(), String> {
    if !case.reserves() || !sends_copies(case) {
        return Ok(());
    }
    let hops = case.switch.len() as u64 + 1;
    let most = NEWER_CHUNKS * SHORTEST_CHUNK;
    let lives = booking::stands(case).map_or(case.cycles, |age| case.cycles.min(hops * age));
    if lives <= most {
        return Ok(());
    }
    Err(format!(
        "cycles = {}: legal is 1..{most} where sources send packets twice and a speculative one may stand for {lives} cycles: numbers of chunks tell it from a new one for {NEWER_CHUNKS} chunks",
        case.cycles
    ))
}

/// Settings that are legal each but by definition break what is promised: they are refused.
pub fn check(case: &Case) -> Result<(), String> {
    copies_are_told(case)?;
    let least = least_time_out(case)?;
    for (h, rto) in
        (0..case.host.len()).flat_map(|h| booking::time_outs(case, h).into_iter().map(move |v| (h, v)))
    {
        if rto > 0 && u64::from(rto) < least {
            return Err(format!(
                "h{h}: register reservation.RTO = {rto}: legal is 0 or {least} and more, the time in which all pairs of this network are answered"
            ));
        }
    }
    let gap = longest_gap(case);
    let disturbed = case.link.iter().any(|l| l.disturbed.is_some());
    let mut ports: Vec<(String, bool, Params, &BTreeMap<String, u32>)> = Vec::new();
    for (s, n) in case.switch.iter().enumerate() {
        ports.push((format!("s{s}"), true, case.switch_params(s)?, &n.registers));
    }
    for (h, n) in case.host.iter().enumerate() {
        ports.push((format!("h{h}"), false, case.host_params(h)?, &n.registers));
    }
    for (name, switch, p, registers) in ports {
        let rewritten = |register: &str| {
            case.rewrite
                .iter()
                .filter(|w| w.node == name && w.register == register)
                .map(|w| w.value)
                .collect::<Vec<u32>>()
        };
        for port in 0..if switch { p.ports } else { 1 } {
            let get = |r: &str| registers.get(&format!("in{port}.{r}")).copied();
            // The reset value of an adapter is taken as one that never cuts.
            let timeout = get("RX_TIMEOUT")
                .or(switch.then_some(1024))
                .into_iter()
                .chain(rewritten(&format!("in{port}.RX_TIMEOUT")));
            for v in timeout {
                if v != 0 && u64::from(v) <= gap {
                    return Err(format!(
                        "{name}: register in{port}.RX_TIMEOUT = {v}: legal is 0 or above {gap}, the longest pause that hosts and links of this network make in a packet"
                    ));
                }
            }
            if !disturbed || !p.isolation {
                continue;
            }
            let refresh = get("REFRESH").unwrap_or(0);
            let out = registers.get(&format!("out{port}.LINE_TIMER")).copied();
            let least = least_line_timer(case);
            if refresh == 0 {
                return Err(format!(
                    "{name}: register in{port}.REFRESH = 0: legal is 1 or more in a network whose links lose or repeat control words"
                ));
            }
            for (r, v) in [("in", get("LINE_TIMER")), ("out", out)] {
                let v = u64::from(v.unwrap_or(u32::MAX));
                if v < least || v > 1 << 16 {
                    return Err(format!(
                        "{name}: register {r}{port}.LINE_TIMER = {v}: legal is {least}..65536 in a network whose links lose or repeat control words"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The shortest LINE_TIMER in a network whose links lose control words: lines live for several refreshes.
pub fn least_line_timer(case: &Case) -> u64 {
    4 * largest(case, "REFRESH", 0) + 2 * round_trip(case) + 64
}

/// Cycles until a block that is given back at one end of a link can be used at the other.
fn round_trip(case: &Case) -> u64 {
    let delay = case.link.iter().map(|l| u64::from(l.delay[0] + l.delay[1])).max().unwrap_or(2);
    let vls = case.switch_params(0).map_or(1, |p| p.vls as u64);
    delay + largest(case, "FC_INTERVAL", 4) * vls + 24
}

/// Whether a bit of the CTRL of some port of this kind is ever set.
fn set(case: &Case, place: &str, bit: u32) -> bool {
    let hosts = case.host.iter().map(|h| &h.registers);
    let written = case.switch.iter().map(|s| &s.registers).chain(hosts).flatten();
    let mut all = written.chain(case.rewrite.iter().map(|w| (&w.register, &w.value)));
    all.any(|(n, v)| n.starts_with(place) && n.ends_with(".CTRL") && v >> bit & 1 != 0)
}

/// Whether marks may be made and answered with CNPs.
fn notified(case: &Case) -> bool {
    set(case, "out", 0) && set(case, "hca", 0)
}

/// CNPs that may wait at once in an adapter and the input of a switch behind it, where outputs serve them as data (cnp_plain), so each may take
/// a trip of the credit for an MTU.
fn plain(case: &Case) -> Result<u64, String> {
    if !(notified(case) && set(case, "out", 7)) {
        return Ok(0);
    }
    let p = case.switch_params(0)?;
    Ok(p.vls as u64 * (most_replies(case)? + p.cap(0) as u64))
}

/// CNPs that may wait before a packet in a generation queue, and in all queues of an adapter for it; 0: they wait elsewhere.
fn queued(case: &Case) -> Result<(u64, u64), String> {
    let mut most = (0, 0);
    for (h, host) in case.host.iter().enumerate() {
        if host.registers.get("hca.CTRL").is_some_and(|c| c & 2 != 0) {
            let p = case.host_params(h)?;
            let half = p.advoq as u64 / 2;
            most = (most.0.max(half), most.1.max(half + (p.cnpq * p.vls) as u64));
        }
    }
    Ok(most)
}

/// The longest FIFO of replies.
fn most_replies(case: &Case) -> Result<u64, String> {
    (0..case.host.len()).try_fold(0, |most, h| Ok(most.max(case.host_params(h)?.cnpq as u64)))
}

/// Pairs that come by an input on a VL.
type Requesters = BTreeMap<(End, usize), BTreeSet<usize>>;

/// The bounds of a case.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Cycles that a packet needs at the slowest place, with its credits and its IRD.
    pub packet: u64,
    /// Of each pair: queue heads that compete with it, multiplied over its way.
    pub rivals: Vec<u64>,
    /// Hosts whose CNPs may meet on a way; 1 if there are no CNPs.
    pub notifiers: u64,
    /// Links on the longest way.
    pub hops: u64,
    /// Cycles for which a speculative packet may stand on its way; `None`: for as long as others come.
    pub stands: Option<u64>,
    /// Time that the longest message of every pair books.
    pub messages: u64,
    /// Cycles until a block that is given back at one end of a link can be used at the other.
    pub home: u64,
    /// First cycle from which on what was lost or rewritten has healed.
    pub healed: u64,
    /// Cycles until a network without packets is empty, its lines free, its credits home.
    pub settle: u64,
    /// Cycles after which a flow goes on whose ACKs were lost; 0: none are lost.
    pub reopens: u64,
    /// The longest time-out of a source with reservations; 0: none has one.
    pub time_out: u64,
    /// Cycles until every CCTI is at its minimum, if they ever are and it does not take too long.
    pub decay: Option<u64>,
}

impl Bounds {
    /// Computes them.
    pub fn new(case: &Case) -> Result<Bounds, String> {
        let p = case.switch_params(0)?;
        let trip = round_trip(case);
        let ird = Self::ird(case)?;
        let reopens = acks::reopens(case)?;
        let packet = packet_time(case)? + ird + reopens;
        let answered = (0..case.host.len()).any(|h| acks::acknowledges(case, h));
        let replies = if answered { case.host_params(0)?.vls as u64 * most_replies(case)? } else { 0 };
        let (rivals, hops) = Self::rivals(case)?;
        let windows = case.link.iter().filter_map(|l| l.disturbed).map(|d| d.until).max();
        let timers: Vec<u64> = if windows.is_some() {
            values(case, "LINE_TIMER", 1).into_iter().map(u64::from).collect()
        } else {
            Vec::new()
        };
        let heal = windows.map(|w| {
            w + 3 * timers.into_iter().max().unwrap_or(0) + 4 * largest(case, "REFRESH", 0) + 4 * trip
        });
        let rewritten = case.rewrite.iter().map(|w| w.cycle + 4 * trip).max();
        let reset = case.reset.iter().map(|r| r.cycle + Self::restart(case, r) + 4 * trip).max();
        // After a reset a source waits for its time-out, and asks.
        let time_out = booking::longest_time_out(case);
        let recovered = case.link.iter().filter_map(|l| l.eats).map(|e| e.until).chain(reset).max();
        let recovered = (time_out > 0).then(|| recovered.unwrap_or(0) + 4 * time_out + 4 * trip);
        let lines = p.lines as u64;
        Ok(Bounds {
            packet,
            rivals,
            notifiers: if notified(case) {
                case.pair.iter().map(|p| p.to).collect::<BTreeSet<_>>().len() as u64
            } else {
                1
            },
            hops,
            stands: booking::stands(case).map(|age| if p.srp { 4 * hops * (age + packet) } else { 0 }),
            messages: booking::messages(case)?,
            home: trip,
            healed: [heal, rewritten, reset, recovered].into_iter().flatten().max().unwrap_or(0),
            settle: 8 * hops * trip
                + 8 * lines * hops
                + 1000
                + queued(case)?.1 * packet
                + (replies + plain(case)?) * hops * (trip + largest(case, "TX_INTERVAL", 1))
                + acks::clears(case)?
                + 4 * time_out,
            time_out,
            reopens,
            decay: Self::decay(case)?,
        })
    }

    /// Cycles until a node that is reset, or a link, is up again.
    fn restart(case: &Case, r: &Reset) -> u64 {
        let switches = (0..case.switch.len()).filter_map(|s| case.switch_params(s).ok());
        let hosts = (0..case.host.len()).filter_map(|h| case.host_params(h).ok());
        let sweeps = switches
            .map(|p| p.init_cycles(UnitKind::Switch))
            .chain(hosts.map(|p| p.init_cycles(UnitKind::Hca)))
            .max();
        let sets = case.switch.iter().map(|s| s.registers.len());
        let writes = sets.chain(case.host.iter().map(|h| h.registers.len() + h.cct.len())).max();
        let writes = writes.unwrap_or(0) + case.host.len() + case.pair.len() + case.rewrite.len();
        u64::from(r.cycles + r.late + r.skew) + (sweeps.unwrap_or(0) + writes) as u64 + 16
    }

    /// Cycles that a packet of pair `i` may wait behind `ahead` packets that are under way.
    pub fn wait(&self, i: usize, ahead: u64) -> u64 {
        let rivals = 2 * self.rivals[i] * self.packet * (ahead + self.hops + 2);
        rivals.min(WAIT.max(40 * self.packet * self.notifiers))
    }

    /// Cycles without any delivery after which a network without sources will deliver nothing more.
    pub fn silence(&self) -> u64 {
        16 * self.packet * self.hops + 4 * self.time_out + 3000
    }

    /// A wait that is worth to look at how it goes on.
    pub fn suspect(&self) -> u64 {
        400 + 6 * self.packet
    }

    /// The longest idle time that throttling asks for before a packet, of all flows that may share it.
    fn ird(case: &Case) -> Result<u64, String> {
        let mut most = 0;
        for (h, host) in case.host.iter().enumerate() {
            let p = case.host_params(h)?;
            let flows = case.pair.iter().filter(|x| x.from == h).count() as u64;
            most = most.max(acks::hold(case, h, &p));
            let worst = host.cct.iter().map(|e| idle_time(&p, &host.registers, *e)).max();
            most = most.max(worst.unwrap_or(0) * flows.max(1));
        }
        Ok(most)
    }

    /// Rivals of each pair, and the longest way.
    fn rivals(case: &Case) -> Result<(Vec<u64>, u64), String> {
        let exits = exits(case);
        let p = case.switch_params(0)?;
        let hpqs = case.switch.iter().filter_map(|s| s.parameters.get("HPQS")).max().copied();
        let before = 1 + queued(case)?.0;
        let hot = if set(case, "in", 0) { 1 + hpqs.unwrap_or(1) as u64 } else { 1 };
        // Output: (input, VL) -> pairs. A way has the outputs of each step, several where one is drawn.
        let mut at: BTreeMap<(usize, usize), Requesters> = BTreeMap::new();
        let mut ways: Vec<Vec<Vec<(usize, usize)>>> = Vec::new();
        // ACKs go the other way, as packets among the others.
        let forth = case.pair.iter().map(|x| (x.from, x.to, x.sl));
        let back = case.pair.iter().filter(|x| acks::acknowledges(case, x.to)).map(|x| (x.to, x.from, x.sl));
        for (i, (from, to, sl)) in forth.chain(back).enumerate() {
            let vl = case.lane(&p, to, sl);
            let (steps, _) = steps(case, &exits, End::Host(from), to);
            for hop in steps.iter().flatten() {
                let requesters = at.entry((hop.switch, hop.out)).or_default();
                let input = End::Switch(hop.switch, hop.input);
                requesters.entry((input, vl)).or_default().insert(i);
                if p.srp {
                    // What of it is speculative, and what is told of it, have lanes of their own.
                    requesters.entry((input, p.data_lanes())).or_default().insert(i);
                }
            }
            ways.push(steps.iter().map(|s| s.iter().map(|hop| (hop.switch, hop.out)).collect()).collect());
        }
        let longest = ways.iter().map(Vec::len).max().unwrap_or(0) as u64 + 1;
        let mut backs = ways[case.pair.len()..].iter();
        let rivals = case.pair.iter().zip(&ways).map(|(pair, way)| {
            let own = case.pair.iter().filter(|o| o.from == pair.from).count() as u64;
            let answered = acks::acknowledges(case, pair.to);
            let back: &[Vec<(usize, usize)>] =
                if answered { backs.next().map_or(&[], |w| w.as_slice()) } else { &[] };
            // Queue heads: of each input and VL that of the cold queue, and those of hot queues.
            let heads =
                |o: &(usize, usize)| at[o].values().map(|pairs| hot.min(pairs.len() as u64)).sum::<u64>();
            let most = |step: &Vec<(usize, usize)>| step.iter().map(heads).max().unwrap_or(1);
            let ways = |way: &[Vec<(usize, usize)>]| way.iter().map(most).product::<u64>().max(1);
            // CNPs and ACKs go first, and of reservations RES, GRANT and answer; a packet of data makes one of each at most.
            let replies = if notified(case) || answered || p.srp { 4 } else { 1 };
            own * before * (ways(way) + if answered { ways(back) } else { 0 }) * replies
        });
        Ok((rivals.collect(), longest))
    }

    /// Cycles in which every index comes down to its minimum.
    fn decay(case: &Case) -> Result<Option<u64>, String> {
        let mut longest = 0;
        for (h, host) in case.host.iter().enumerate() {
            let p = case.host_params(h)?;
            let get = |name: &str, default: u32| {
                let own = format!("h{h}");
                let register = format!("throttle.{name}");
                let again = case.rewrite.iter().rev().find(|w| w.node == own && w.register == register);
                again.map_or(host.registers.get(&register).copied().unwrap_or(default), |w| w.value)
            };
            if get("CTRL", 0) & 1 == 0 {
                continue;
            }
            let timer = u64::from(get("CCTI_TIMER", 150));
            if timer == 0 {
                return Ok(None);
            }
            // A sweep over all entities makes a step.
            let step = (timer * u64::from(get("TICK_CYCLES", 80).max(1))).max(p.entities() as u64)
                + p.entities() as u64;
            let limit = (p.cct as u64 - 1).min(largest(case, "CCTI_LIMIT", p.cct as u32 - 1));
            longest = longest.max(2 * step * (limit + 2) + 64);
        }
        Ok((longest < 3000).then_some(longest))
    }
}

/// Idle time that a table entry asks for after a packet of MTU flits, with these registers of the throttle.
pub fn idle_time(p: &Params, registers: &BTreeMap<String, u32>, entry: u16) -> u64 {
    let get = |name: &str| registers.get(&format!("throttle.{name}")).copied();
    let absolute = get("CTRL").unwrap_or(0) >> 4 & 1 != 0;
    let time = p.mtu as u64 * u64::from(get("LINK_INTERVAL").unwrap_or(1).max(1));
    let idle = if absolute { entry.into() } else { (time >> (entry >> 14)) * u64::from(entry & 0x3fff) };
    idle.min(1 << (p.ts_w - 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::torture::draw::{Source, draw};

    /// A network whose sources have a time-out, and speculate.
    fn recovering() -> Case {
        let drawn = |seed| {
            draw(seed, Source::Any, Some(500))
                .filter(|c| c.rewrite.is_empty() && booking::longest_time_out(c) > 0)
        };
        let mut case = (1..).find_map(drawn).unwrap();
        for h in &mut case.host {
            h.registers.insert("reservation.CTRL".into(), 3);
            h.registers.insert("reservation.NMIN".into(), 0);
            h.registers.insert("reservation.RTO".into(), 1 << 20);
        }
        case
    }

    fn every_input(case: &mut Case, register: &str, value: u32) {
        for s in &mut case.switch {
            for port in 0..s.parameters["PORTS"] {
                s.registers.insert(format!("in{port}.{register}"), value);
            }
        }
    }

    #[test]
    fn runs_in_which_copies_outlive_the_numbers_of_chunks_are_refused() {
        let mut case = recovering();
        every_input(&mut case, "SPEC", 1);
        every_input(&mut case, "TTW", 100);
        case.cycles = 1_000_000;
        case.check().unwrap();
        // One input drops nothing.
        case.switch[0].registers.insert("in0.SPEC".into(), 0);
        let e = case.check().unwrap_err();
        assert!(e.contains("cycles = 1000000: legal is 1..65520 where sources send packets twice"), "{e}");
        case.cycles = 65_520;
        case.check().unwrap();
        // Nothing is sent twice.
        case.cycles = 1_000_000;
        for h in &mut case.host {
            h.registers.insert("reservation.RTO".into(), 0);
        }
        case.check().unwrap();
        // In granted time it is: fast, inorder.
        for ctrl in [0x13, 0x23] {
            case.host[0].registers.insert("reservation.CTRL".into(), ctrl);
            assert!(case.check().is_err());
        }
    }
}
