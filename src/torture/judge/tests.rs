//! The judge is seen to fail: faults are put on a link, and each must be found as what it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

use super::*;
use crate::cosim::engines::Device;
use crate::extent::pick;
use crate::params::lanes::opcode;
use crate::torture::case::{Eats, Pair};
use crate::torture::draw::{ENDLESS, Source, draw};
use crate::torture::network::{Fault, is_reservation};

/// What is looked for once, by what is asked.
type Once<K, V> = Mutex<BTreeMap<K, Arc<OnceLock<V>>>>;

/// What the first who asks finds; others wait for it.
fn once<K: Ord, V: Clone>(of: &Once<K, V>, key: K, find: impl FnOnce() -> V) -> V {
    let one = of.lock().unwrap().entry(key).or_default().clone();
    one.get_or_init(find).clone()
}

/// The small network of a seed, if it is undisturbed, does not reserve and has no fault of its own.
fn sound(seed: u64) -> Option<Case> {
    static SOUND: Once<u64, Option<Case>> = Mutex::new(BTreeMap::new());
    once(&SOUND, seed, || {
        let mut case = draw(seed, Source::Any, Some(600))?;
        // Pairs of one kind of packets, so that what is found is the fault's.
        let mtu = case.switch[0].parameters["MTU"] as u8;
        case.pair.iter_mut().for_each(|p| *p = Pair { lengths: vec![mtu], count: ENDLESS, ..p.clone() });
        let quiet = case.rewrite.is_empty()
            && case.reset.is_empty()
            && case.link.iter().all(|l| l.disturbed.is_none())
            && !case.reserves();
        (quiet && judge(&case, Engine::Golden).is_ok_and(|r| r.0.is_none())).then_some(case)
    })
}

/// What the judge finds in small networks with a fault, none of which reserves.
fn kinds(networks: u64, make: impl Fn(&Case) -> Fault) -> BTreeSet<FaultKind> {
    let with = |case: Case| faulty(&case, || make(&case)).0.err().map(|f| f.kind);
    (1..=networks).filter_map(sound).filter_map(with).collect()
}

/// First word of the control word.
fn control(case: &Case) -> usize {
    4 + case.switch[0].parameters["FLIT_BYTES"] / 4
}

#[test]
fn a_changed_payload_is_a_packet_fault() {
    let make = |_: &Case| -> Fault {
        Box::new(|_, _, w| w[4 + 7] ^= u32::from(w[0] != 0 && w[1] == 0 && w[2] != 0) << 31)
    };
    assert_eq!(kinds(20, make), [FaultKind::Packet].into());
}

#[test]
fn a_changed_header_is_a_packet_fault() {
    // The reserved bits of byte 4 of the LRH; a CNP has none to be judged.
    let make = |_: &Case| -> Fault { Box::new(|_, _, w| w[5] ^= u32::from(w[0] != 0 && w[1] != 0) << 4) };
    assert_eq!(kinds(20, make), [FaultKind::Packet].into());
}

#[test]
fn a_lost_packet_is_found() {
    let make = |case: &Case| -> Fault {
        let flit = control(case);
        let mut lost = None;
        Box::new(move |t, line, w| {
            if w[0] != 0 && t > 200 {
                if w[1] != 0 && lost.is_none() {
                    lost = Some((line, false));
                }
                if let Some((l, over)) = &mut lost
                    && *l == line
                    && !*over
                {
                    *over = w[2] != 0;
                    w[..flit].fill(0);
                }
            }
        })
    };
    let found = kinds(30, make);
    assert!(
        found.contains(&FaultKind::Order)
            && found
                .is_subset(&[FaultKind::Order, FaultKind::Stuck, FaultKind::Progress, FaultKind::Cnp].into()),
        "{found:?}"
    );
}

#[test]
fn a_wrong_credit_limit_is_found() {
    let make = |case: &Case| -> Fault {
        let at = control(case) + 1;
        // The low byte of FCCL, one less unless that borrows.
        Box::new(move |_, _, w| {
            if w[at - 1] & 2 != 0 && w[at] >> 16 & 0xff != 0 {
                w[at] -= 1 << 16;
            }
        })
    };
    let found = kinds(20, make);
    assert!(
        found.contains(&FaultKind::Credit)
            && found.is_subset(&[FaultKind::Credit, FaultKind::Stuck, FaultKind::Progress].into()),
        "{found:?}"
    );
}

#[test]
fn a_sender_without_credits_waits_too_long() {
    let make = |case: &Case| -> Fault {
        let (at, line) = (control(case), 2 * (case.link.len() - 1));
        // What the last host hears: its pairs starve, if it has any.
        Box::new(move |_, l, w| {
            if l == line {
                w[at] &= !2;
            }
        })
    };
    let found = kinds(pick(12, 90), make);
    assert!(
        found.contains(&FaultKind::Progress)
            && found.is_subset(
                &[FaultKind::Progress, FaultKind::Stuck, FaultKind::Line, FaultKind::Credit].into()
            ),
        "{found:?}"
    );
}

#[test]
fn a_line_whose_end_is_not_told_is_not_freed() {
    let make = |case: &Case| -> Fault {
        let at = control(case);
        Box::new(move |_, _, w| {
            if w[at] & 4 != 0 && w[at] >> 3 & 3 == 1 {
                w[at] &= !4;
            }
        })
    };
    let found = kinds(pick(60, 150), make);
    assert!(found.contains(&FaultKind::Line), "{found:?}");
}

#[test]
fn a_lost_notification_is_missed() {
    let make = |case: &Case| -> Fault {
        let flit = control(case);
        Box::new(move |_, _, w| {
            // A single flit with opcode 0x80.
            if w[0] != 0 && w[1] != 0 && w[2] != 0 && w[6] & 0xff == 0x80 {
                w[..flit].fill(0);
            }
        })
    };
    assert_eq!(kinds(120, make), [FaultKind::Cnp].into());
}

#[test]
fn a_sticky_error_is_found() {
    let make = |case: &Case| -> Fault {
        let at = control(case);
        // FCTBS of a lane that no one has.
        Box::new(move |t, _, w| {
            if w[at] & 1 != 0 && t % 64 == 0 {
                w[at] |= 0xff00;
            }
        })
    };
    assert_eq!(kinds(10, make), [FaultKind::Error].into());
}

/// A small network with a busy pair, and an unplugged link on its way.
fn unplugged() -> Case {
    let found = (1..).find_map(|seed| {
        let case = draw(seed, Source::Any, Some(600))?;
        let link = case.reset.len() == 1 && case.reset[0].what.contains('.') && case.reset[0].cycle > 200;
        let plain =
            case.rewrite.is_empty() && !case.reserves() && case.link.iter().all(|l| l.disturbed.is_none());
        let (found, stats) = judge(&case, Engine::Golden).ok()?;
        (link && plain && found.is_none() && stats.packets > 50).then_some(case)
    });
    found.unwrap()
}

/// A unit in which a checker fires at its first edge.
struct Fires;

impl Device for Fires {
    fn reset(&mut self, _: &mut [u32], _: &mut [u32]) {}

    fn advance(&mut self, _: &[u32], _: &mut [u32], _: &mut [u32]) -> Result<(), String> {
        Err("x_checker.sv:1".into())
    }

    fn state(&mut self, _: &mut [u32], _: &mut [u32]) {}
}

#[test]
fn a_checker_that_fires_before_there_is_traffic_is_a_finding() {
    let case = draw(1, Source::Any, Some(400)).unwrap();
    let mut run = Run::new(&case, Engine::Golden).unwrap();
    run.world.nodes[0].devices = vec![Box::new(Fires)];
    let found = run.all().unwrap_err();
    assert_eq!((found.kind, found.text.as_str()), (FaultKind::Checker, "s0: x_checker.sv:1"));
}

#[test]
fn an_unplugged_link_loses_what_was_on_it_and_no_more() {
    let case = unplugged();
    let mut run = Run::new(&case, Engine::Golden).unwrap();
    run.all().unwrap();
    run.lost = 100_000;
    assert_eq!(run.count_lost().map_err(|f| f.kind), Err(FaultKind::Order));
}

#[test]
fn an_end_that_is_not_told_of_an_unplugged_link_is_found() {
    // Nothing comes over the link for a while, and no pin says so.
    let case = unplugged();
    let Of::Link(link) = case.reset_of(&case.reset[0]).unwrap() else { panic!("a link") };
    let from = case.reset[0].cycle;
    let mut quiet = case.clone();
    quiet.reset.clear();
    let mut run = Run::new(&quiet, Engine::Golden).unwrap();
    run.world.fault = Some(Box::new(move |t, line, w| {
        if line / 2 == link && (from..from + 100).contains(&t) {
            w.fill(0);
        }
    }));
    assert!(run.all().is_err());
}

/// Networks with windows, sound ones or those that may lose ACKs.
fn windows(sound: bool) -> Vec<Case> {
    static WINDOWS: Once<bool, Vec<Case>> = Mutex::new(BTreeMap::new());
    let fit = |case: &Case| {
        case.host.iter().any(|h| h.registers.get("response.CTRL").is_some_and(|c| c & 1 != 0))
            && matches!(acks::losses(case), Ok(why) if why.is_none() == sound)
            && case.rewrite.is_empty()
            && case.reset.is_empty()
            && case.link.iter().all(|l| l.disturbed.is_none() && l.eats.is_none())
            && judge(case, Engine::Golden).is_ok_and(|r| r.0.is_none() && r.1.acks > 20)
    };
    once(&WINDOWS, sound, || {
        (1..).filter_map(|seed| draw(seed, Source::Any, Some(400))).filter(fit).take(8).collect()
    })
}

/// What the judge finds in networks with windows and a fault, sound ones or those that may lose ACKs.
fn kinds_with_windows(sound: bool, make: impl Fn() -> Fault) -> BTreeSet<FaultKind> {
    windows(sound).iter().filter_map(|case| faulty(case, &make).0.err().map(|f| f.kind)).collect()
}

/// What becomes of a network with a fault.
fn faulty(case: &Case, make: impl Fn() -> Fault) -> (Result<(), Finding>, Stats) {
    let mut run = Run::new(case, Engine::Golden).unwrap();
    run.world.fault = Some(make());
    (run.all(), run.stats)
}

/// Hides some ACKs.
fn hides(every: u64) -> Fault {
    let mut n = 0;
    Box::new(move |_, _, w| {
        if is_ack(w) {
            n += 1;
            if n % every == 0 {
                w[..4].fill(0);
            }
        }
    })
}

#[test]
fn a_lost_ack_is_missed_where_none_may_be_lost() {
    let found = kinds_with_windows(true, || hides(7));
    let kinds = [FaultKind::Ack, FaultKind::Progress, FaultKind::Stuck, FaultKind::Cnp];
    assert!(found.contains(&FaultKind::Ack) && found.is_subset(&kinds.into()), "{found:?}");
}

#[test]
fn an_ack_of_another_packet_is_found() {
    // PSN, and the answer to nobody.
    let make = || -> Fault {
        Box::new(|_, _, w| {
            if is_ack(w) {
                w[4 + 4] ^= 1 << 24;
            }
        })
    };
    assert_eq!(kinds_with_windows(false, make), [FaultKind::Ack].into());
}

#[test]
fn a_lost_ack_that_no_link_took_is_missed() {
    // Without ACKs all goes on; what is missing is told at the end.
    assert!(kinds_with_windows(false, || hides(3)).contains(&FaultKind::Ack));
}

/// Networks with reservations that drop packets and need not be waited for long; those in which what is lost goes again, or those in
/// which it does not.
fn reserving(recovers: bool) -> Vec<Case> {
    static RESERVING: Once<bool, Vec<Case>> = Mutex::new(BTreeMap::new());
    let fit = |case: &Case| {
        let quiet = case.link.iter().all(|l| l.disturbed.is_none() && l.eats.is_none());
        let again = (0..case.host.len()).all(|h| booking::recovers(case, h));
        let other = booking::remembers(case) != recovers || again != recovers;
        if !case.reserves() || other || !quiet || !case.rewrite.is_empty() || !case.reset.is_empty() {
            return false;
        }
        let mut run = Run::new(case, Engine::Golden).unwrap();
        let soon = run.bounds.stands.is_some_and(|age| age < 10_000) && run.bounds.silence() < 20_000;
        soon && run.all().is_ok() && run.stats.nacks > if recovers { 0 } else { 10 }
    };
    let many = if recovers { 3 } else { 5 };
    once(&RESERVING, recovers, || {
        (1..).filter_map(|seed| draw(seed, Source::Any, Some(600))).filter(fit).take(many).collect()
    })
}

/// What becomes of them with a fault.
fn with_reservations(recovers: bool, make: impl Fn() -> Fault) -> Vec<(Result<(), Finding>, Stats)> {
    reserving(recovers).iter().map(|case| faulty(case, &make)).collect()
}

/// What the judge finds where nothing goes again that is lost.
fn kinds_with_reservations(make: impl Fn() -> Fault) -> BTreeSet<FaultKind> {
    with_reservations(false, make).into_iter().filter_map(|(r, _)| r.err().map(|f| f.kind)).collect()
}

/// Hides packets of reservation of one kind, or of any; the judge is not told.
fn loses(kind: Option<u8>, every: u64, until: u64) -> Fault {
    let mut n = 0;
    Box::new(move |t, _, w| {
        if is_reservation(w) && kind.is_none_or(|k| w[6] & 0xff == u32::from(k)) {
            n += 1;
            if n % every == 0 && t < until {
                w[..4].fill(0);
            }
        }
    })
}

#[test]
fn what_is_lost_goes_again_after_a_time_out() {
    let all = with_reservations(true, || loses(None, 5, 500));
    assert!(all.iter().all(|(r, _)| r.is_ok()), "{all:?}");
    assert!(all.iter().any(|(_, s)| s.again > 0), "{all:?}");
}

#[test]
fn a_loss_that_does_not_end_is_found_where_losses_end() {
    let stuck: BTreeSet<FaultKind> = [FaultKind::Stuck, FaultKind::Progress].into();
    for (r, _) in with_reservations(true, || loses(Some(opcode::GRANT), 1, u64::MAX)) {
        assert!(r.as_ref().is_err_and(|f| stuck.contains(&f.kind)), "{r:?}");
    }
}

/// Changes what is told of a packet.
fn retold(from: u8, to: u8) -> Fault {
    Box::new(move |_, _, w| {
        if is_reservation(w) && w[6] & 0xff == u32::from(from) {
            w[6] = w[6] & !0xff | u32::from(to);
        }
    })
}

#[test]
fn a_drop_that_nobody_is_told_of_is_found() {
    let hides = || loses(Some(opcode::NACK), 1, u64::MAX);
    // Its source waits for an answer; told that the packet came it takes it for delivered.
    let stuck = [FaultKind::Stuck, FaultKind::Progress].into();
    let found = kinds_with_reservations(hides);
    assert!(!found.is_empty() && found.is_subset(&stuck), "{found:?}");
    let found = kinds_with_reservations(|| retold(opcode::NACK, opcode::ACK));
    assert!(!found.is_empty() && found.is_subset(&stuck), "{found:?}");
}

#[test]
fn a_drop_that_was_none_is_found() {
    assert_eq!(kinds_with_reservations(|| retold(opcode::ACK, opcode::NACK)), [FaultKind::Drop].into());
}

#[test]
fn a_packet_that_comes_twice_is_found() {
    // The last but one of a pair comes again: by its number one that was delivered.
    let make = || -> Fault {
        let mut before: std::collections::BTreeMap<(usize, u32), u32> = std::collections::BTreeMap::new();
        Box::new(move |_, line, w| {
            let granted = w[0] != 0 && w[1] != 0 && w[2] != 0 && w[6] & 0xff == u32::from(opcode::GRANTED);
            if granted && let Some(psn) = before.insert((line, w[5] >> 16), w[8]) {
                w[8] = psn;
            }
        })
    };
    for recovers in [false, true] {
        let found = with_reservations(recovers, make);
        let found: BTreeSet<_> = found.into_iter().filter_map(|(r, _)| r.err().map(|f| f.kind)).collect();
        assert!(found.contains(&FaultKind::Packet) || found.contains(&FaultKind::Order), "{found:?}");
    }
}

#[test]
fn a_grant_that_is_lost_holds_up_its_pair_alone() {
    // Where links may lose it the pair stands still, and nothing is broken.
    let mut still = 0;
    for seed in 1.. {
        let Some(mut case) = draw(seed, Source::Any, Some(600)).filter(Case::reserves) else { continue };
        if still == 3 {
            break;
        }
        if case.reset.is_empty()
            && !booking::remembers(&case)
            && judge(&case, Engine::Golden).is_ok_and(|r| r.0.is_none() && r.1.packets > 50)
        {
            let eats = Eats { from: 100, until: 600, lose: 30, damage: 30 };
            case.link.iter_mut().for_each(|l| l.eats = Some(eats));
            let mut run = Run::new(&case, Engine::Golden).unwrap();
            run.all().unwrap();
            still += u64::from(run.flows.iter().any(|f| f.held));
        }
    }
}

#[test]
fn messages_that_become_one_may_be_long_enough_to_reserve() {
    let fit = |case: &Case| {
        let (plain, way) = (case.rewrite.is_empty() && case.reset.is_empty(), case.switch.len() == 1);
        case.reserves()
            && plain
            && way
            && !booking::remembers(case)
            && case.link.iter().all(|l| l.eats.is_none())
    };
    let mut case = (1..).filter_map(|seed| draw(seed, Source::Any, Some(600))).find(fit).unwrap();
    let set = |case: &mut Case, ctrl: u32| {
        for host in &mut case.host {
            host.registers.insert("reservation.CTRL".into(), ctrl);
            host.registers.insert("reservation.NMIN".into(), 4);
        }
        (0..case.host.len()).map(|h| booking::may_reserve(case, h)).collect::<Vec<_>>()
    };
    for pair in &mut case.pair {
        (pair.packets, pair.window, pair.gap) = (Vec::new(), 16, 0);
    }
    let sources = (0..case.host.len()).map(|h| case.pair.iter().any(|p| p.from == h)).collect::<Vec<_>>();
    assert!(set(&mut case, 3).iter().all(|may| !may), "messages of one packet, NMIN is 4");
    assert_eq!(set(&mut case, 11), sources, "those that wait become one");
    for pair in &mut case.pair {
        pair.window = 3;
    }
    assert!(set(&mut case, 11).iter().all(|may| !may), "three packets at most");
}
