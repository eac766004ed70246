//! A switch with output queues: `docs/output-queue.md`.

use super::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};
use std::collections::{BTreeMap, VecDeque};

const RX_INTERVAL: u32 = 5;
const RD_INTERVAL: u32 = 15;
const XB_IN: u32 = 19;
const TX_INTERVAL: u32 = 7;
const XB_OUT: u32 = 13;

/// A link: what comes, what went, the credits of the far end.
#[derive(Default)]
struct Link {
    /// VL, destination, tag, length.
    coming: VecDeque<(u8, u16, u16, u16)>,
    /// Flits sent of the first.
    at: u16,
    /// Flits that left on each VL, and how many of them the far end has freed.
    sent: Vec<u32>,
    freed: Vec<u32>,
    /// The packet that leaves: its flits, those that left, cycle of the last.
    leaving: Option<(usize, usize, u64)>,
}

/// Packets of every length from everywhere to everywhere over links of a flit in `tx` cycles: each one leaves whole, without a gap, those
/// of an input for an output and VL in their order; nobody is at fault; in the end nothing is left.
fn storm(p: &Params, (xb, tx): (u32, u32), room: u32, seed: u64) -> u64 {
    let mut b = ready(p);
    for (unit, addr, value) in [
        (INPUT, RX_INTERVAL, tx),
        (INPUT, RD_INTERVAL, tx),
        (INPUT, XB_IN, xb),
        (OUTPUT, TX_INTERVAL, tx),
        (OUTPUT, XB_OUT, xb),
    ] {
        config(&mut b, unit, 255, addr, value);
    }
    let mut rng = SmallRng::seed_from_u64(seed);
    let link = || Link { sent: vec![0; p.vls], freed: vec![0; p.vls], ..Link::default() };
    let mut links: Vec<Link> = (0..p.ports).map(|_| link()).collect();
    let mut order: BTreeMap<(usize, usize, u8), VecDeque<u16>> = BTreeMap::new();
    let (mut tag, mut came, mut left, mut full) = (0u16, 0, 0, 0);
    for t in 0..20_000u64 {
        let sources = t < 12_000;
        for (port, l) in links.iter_mut().enumerate() {
            let mut taken = vec![0; p.vls];
            (0..p.vls).for_each(|v| taken[v] = b.get("st_used", port * p.vls + v));
            if sources && l.coming.is_empty() && rng.random_ratio(9, 10) {
                let v = rng.random_range(0..p.vls as u8);
                let n = rng.random_range(1..=p.mtu as u16);
                let dlid = rng.random_range(0..p.ports as u16);
                // (what is on the two stages of the receiver comes on top)
                if u32::from(n) + taken[usize::from(v)] + 4 <= p.cap(0) as u32 {
                    l.coming.push_back((v, dlid, tag, n));
                    order.entry((port, usize::from(dlid), v)).or_default().push_back(tag);
                    (tag, came) = (tag.wrapping_add(1), came + 1);
                }
            }
            if t % u64::from(tx) == 0
                && let Some(&(v, dlid, tag, n)) = l.coming.front()
            {
                let mut words = vec![u32::from(tag); p.flit_bytes / 4];
                if l.at == 0 {
                    let bth = Some(Bth { opcode: 4, ..Bth::default() });
                    let slid = (port as u16) << 12 | tag & 0xfff;
                    Header { lnh: 2, vl: v, dlid, pkt_len: 16 * n, slid, bth, ..Header::default() }
                        .write(&mut words);
                }
                b.set("rx_valid", port, 1).set("rx_first", port, u32::from(l.at == 0));
                b.set("rx_last", port, u32::from(l.at + 1 == n)).set_element("rx_data", port, &words);
                l.at += 1;
                if l.at == n {
                    l.at = 0;
                    l.coming.pop_front();
                }
            }
            // The far end frees at its own pace, and later all.
            let v = t as usize % p.vls;
            if !sources || rng.random_ratio(1, 3) {
                l.freed[v] += rng.random_range(0..=l.sent[v] - l.freed[v]);
            }
            let fccl = Some(Credit { vl: v as u32, blocks: (l.freed[v] + room) & 0xfff });
            control(&mut b, p, port, &Control { fccl, ..Control::default() });
        }
        b.cycle();
        for (port, l) in links.iter_mut().enumerate().filter(|(port, _)| b.get("tx_valid", *port) == 1) {
            let h = Header::parse(b.get_element("tx_data", port));
            let (first, last) = (b.get("tx_first", port) == 1, b.get("tx_last", port) == 1);
            if first {
                assert!(l.leaving.is_none());
                let queue = order.get_mut(&(usize::from(h.slid >> 12), port, h.vl)).expect("it came");
                assert_eq!(queue.pop_front().map(|tag| tag & 0xfff), Some(h.slid & 0xfff), "order");
                l.leaving = Some((h.flits(), 0, t));
                l.sent[usize::from(h.vl)] += h.flits() as u32;
            }
            let (n, m, at) = l.leaving.expect("a packet");
            assert!(first || t - at == u64::from(tx), "a gap of {} at {t}", t - at);
            assert_eq!(last, m + 1 == n);
            l.leaving = (!last).then_some((n, m + 1, t));
            left += u64::from(last);
        }
        full += u64::from((0..p.ports).any(|port| b.get("err_in", port) | b.get("err_out", port) != 0));
    }
    assert_eq!((left, full), (came, 0), "{xb} {tx}, room {room}, seed {seed}");
    left
}

#[test]
fn every_packet_leaves_whole_and_in_order() {
    for (i, paces) in [(1, 1), (1, 2), (2, 4), (1, 4), (3, 5)].into_iter().enumerate() {
        for room in [1, 3] {
            let tiny = params("cqtiny");
            assert!(storm(&tiny, paces, room * tiny.mtu as u32, i as u64) > 1000);
        }
        let eight = params("cq8");
        assert!(storm(&eight, paces, 64, i as u64) > 500);
    }
}

/// Section 3: from sw to tx two cycles.
#[test]
fn the_queue_adds_a_cycle() {
    for name in ["cqtiny", "cq8"] {
        let p = params(name);
        let mut b = ready(&p);
        credits(&mut b, &p);
        let mut sent = Vec::new();
        for t in 0..10 {
            if t < 2 {
                flit(&mut b, &p, 0, 1, t, 2, 0);
            }
            b.cycle();
            if b.get("tx_valid", 1) == 1 {
                sent.push((t, b.get("tx_first", 1), b.get("tx_last", 1)));
            }
        }
        assert_eq!(sent, [(6, 1, 0), (7, 0, 1)], "{name}");
    }
}

/// What speedup is for: packets that several inputs have for one output go into its queue at the crossbar's pace, whatever the link's.
#[test]
fn a_fast_crossbar_empties_inputs_sooner() {
    let p = params("cq8");
    let [slow, fast] = [(2, 2), (1, 2)].map(|(xb, tx)| {
        let mut b = ready(&p);
        for (unit, addr, value) in [
            (INPUT, RX_INTERVAL, tx),
            (INPUT, RD_INTERVAL, tx),
            (INPUT, XB_IN, xb),
            (OUTPUT, TX_INTERVAL, tx),
            (OUTPUT, XB_OUT, xb),
        ] {
            config(&mut b, unit, 255, addr, value);
        }
        // Four inputs with a packet each for one output, whose queue has room for three.
        (0..400u16).find(|&t| {
            for port in (0..4).filter(|_| t % 2 == 0 && t / 2 < 16) {
                flit(&mut b, &p, port, 7, t / 2, 16, 4);
            }
            b.cycle();
            t > 40 && (0..4).map(|i| b.get("st_used", i)).sum::<u32>() == 16
        })
    });
    let (Some(slow), Some(fast)) = (slow, fast) else { panic!("{slow:?} {fast:?}") };
    assert!(slow >= fast + 25, "{slow} {fast}");
}
