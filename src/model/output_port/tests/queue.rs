//! The output queue: `docs/output-queue.md`.

use super::*;
use std::collections::VecDeque;

fn queue_params() -> Params {
    params("cqtiny")
}

/// A unit that hears of plenty of credits on every VL.
fn queue_bench() -> Bench {
    let mut b = bench("cqtiny");
    (0..2).for_each(|v| credits(&mut b, v, 2000));
    b
}

/// A packet of `n` flits on VL `v`, which stands on sw for as many cycles; each cycle's tx is looked at.
fn send(b: &mut Bench, v: u8, n: u32, marks: Marks, last: bool) {
    let bth = Some(Bth { marks, ..Bth::default() });
    let h = Header { vl: v, bth, ..data(16 * n as u16) };
    for m in 0..n {
        flit(b, (m == 0).then_some(&h), last && m + 1 == n, 8);
        b.cycle();
    }
}

fn grant(b: &mut Bench, r: usize, len: u32) -> bool {
    request(b, r, len, 1);
    b.cycle();
    b.get("grant", r) == 1
}

/// The timing diagram of section 5.
#[test]
fn timing_of_the_page() {
    let mut b = bench("cqtiny");
    credits(&mut b, 0, 100);
    b.config(7, 2);
    while b.idle(1).get("rd_slow", 0) == 1 {}
    let names = ["rd_slow", "st_ofill", "st_oq_flits", "st_txr", "tx_valid"];
    let mut rows: [Vec<u32>; 5] = Default::default();
    let h = data(32);
    for t in 0..8 {
        match t {
            0 => request(&mut b, 0, 2, 1),
            2 => _ = flit(&mut b, Some(&h), false, 8),
            3 => _ = flit(&mut b, None, true, 8),
            _ => {}
        }
        b.set("xb_act", 0, u32::from((1..3).contains(&t))).set("xb_end", 0, u32::from(t == 2));
        b.cycle();
        rows.iter_mut().zip(names).for_each(|(row, name)| row.push(b.get(name, 0)));
    }
    assert_eq!(
        rows,
        [
            [1, 0, 1, 0, 1, 0, 1, 0],
            [0, 2, 2, 2, 2, 1, 1, 0],
            [0, 0, 0, 1, 2, 1, 1, 0],
            [0, 0, 0, 0, 0, 2, 2, 2],
            [0, 0, 0, 0, 0, 1, 0, 1]
        ]
        .map(Vec::from)
    );
}

#[test]
fn data_want_room_for_an_mtu_and_notifications_for_themselves() {
    let mut b = queue_bench(); // OCAP 12, MTU 4
    // Nothing comes over the crossbar: what is granted stays promised.
    assert!([4, 4].iter().all(|len| grant(&mut b, 0, *len)));
    assert_eq!(b.idle(1).get("st_ofill", 0), 8);
    assert!(grant(&mut b, 0, 1));
    assert!(!grant(&mut b, 0, 1), "9 + 4 flits are more than 12");
    assert_eq!((b.covered("cq1_full"), b.covered("cq1_long_beside_short")), (1, 1));
    // The other lane has a queue of its own; a notification takes what is left of this one.
    assert!(grant(&mut b, 1, 4));
    for (len, fits) in [(3, true), (1, false)] {
        b.set("req_cnp", 2, 1);
        assert_eq!(grant(&mut b, 2, len), fits);
    }
    assert_eq!([0, 1].map(|v| b.get("st_ofill", v)), [12, 4]);
    // As ordinary packets they want room for an MTU.
    b.config(CTRL, 1 << 7);
    b.set("req_cnp", 1, 1);
    assert!(grant(&mut b, 1, 1));
    b.set("req_cnp", 1, 1);
    assert!(grant(&mut b, 1, 3));
    b.set("req_cnp", 1, 1);
    assert!(grant(&mut b, 1, 1), "8 + 4 flits fit");
    b.set("req_cnp", 1, 1);
    assert!(!grant(&mut b, 1, 1));
}

#[test]
fn credits_are_the_links() {
    let mut b = bench("cqtiny");
    assert!(grant(&mut b, 0, 3), "no credit is asked for a grant");
    send(&mut b, 0, 3, Marks::NONE, true);
    b.idle(5);
    assert_eq!((b.get("st_oq_flits", 0), b.get("st_txr", 0), b.get("st_waited", 0)), (3, 0, 1));
    credits(&mut b, 0, 2);
    assert_eq!(b.idle(3).get("st_oq_flits", 0), 3, "two are not three");
    credits(&mut b, 0, 3);
    assert_eq!(b.idle(1).get("st_txr", 0), 0);
    assert_eq!(b.idle(1).get("st_txr", 0), 3, "the whole packet at its start");
    assert_eq!((b.get("tx_first", 0), b.get("st_rooted", 0), b.get("st_waited", 0)), (1, 0, 0));
    assert_eq!(b.idle(3).get("st_fctbs", 0), 3);
    assert_eq!((b.get("st_ofill", 0), b.get("st_sending", 0), b.covered("d3_root_lost")), (0, 0, 1));
}

#[test]
fn a_packet_that_ends_early_gives_room_and_credits_back() {
    let mut b = queue_bench();
    assert!(grant(&mut b, 0, 4));
    let h = data(64);
    flit(&mut b, Some(&h), false, 8);
    b.cycle();
    flit(&mut b, None, true, 8);
    b.set("sw_bad", 0, 1).cycle();
    let seen: Vec<_> = (0..4).map(|_| (b.idle(1).get("st_ofill", 0), b.get("st_txr", 0))).collect();
    // 4 granted, 2 given back as one leaves, the other one leaves; TXR by 4 at the start, less 2 at the end.
    assert_eq!(seen, [(1, 4), (0, 2), (0, 2), (0, 2)]);
    assert_eq!((b.covered("cq1_gives_back"), b.covered("f1_txr_corrected")), (1, 1));
}

#[test]
fn the_lanes_go_in_turns_and_a_packet_without_an_end_does_not_hold_the_link() {
    let mut b = queue_bench();
    b.config(7, 1);
    // Fill both lanes while no slot passes.
    b.config(7, 15);
    while b.idle(1).get("rd_slow", 0) == 0 {}
    send(&mut b, 0, 1, Marks::NONE, true);
    send(&mut b, 0, 2, Marks::NONE, false); // no end
    send(&mut b, 1, 1, Marks::NONE, true);
    send(&mut b, 0, 1, Marks::NONE, true);
    send(&mut b, 1, 1, Marks::NONE, true);
    assert_eq!(b.get("err", 0) & 4, 4, "a first flit while a packet was open");
    b.config(7, 1);
    let mut order = Vec::new();
    for _ in 0..30 {
        b.cycle();
        if b.get("tx_first", 0) == 1 {
            order.push(Header::parse(b.get_words("tx_data")).vl);
        }
    }
    // 0, then 1 has its turn; the packet without an end, behind which 0's next one stands; and so on.
    assert_eq!(order, [0, 1, 0, 1, 0]);
    assert_eq!((b.covered("cq3_no_end"), b.get("st_lp", 0)), (1, 1));
    assert_eq!([0, 1].map(|v| b.get("st_txr", v)), [4, 2]);
}

#[test]
fn a_link_that_goes_down_empties_the_queue() {
    let mut b = bench("cqtiny");
    assert!(grant(&mut b, 0, 4) && grant(&mut b, 1, 4));
    send(&mut b, 0, 4, Marks::NONE, true);
    assert_eq!((b.idle(1).get("st_oq_flits", 0), b.get("st_due", 0)), (4, 1));
    b.set("link_up", 0, 0).cycle();
    b.idle(1);
    assert_eq!([0, 1].map(|v| (b.get("st_oq_flits", v), b.get("st_ofill", v))), [(0, 0); 2]);
    assert_eq!((b.get("st_drop", 0), b.covered("cq3_link_down")), (1, 1));
    // Nothing is granted in a cycle after one without a link.
    for (up, fits) in [(0, false), (1, false), (1, true)] {
        let mut other = bench("cqtiny");
        other.set("link_up", 0, 0).cycle();
        if fits {
            other.cycle();
        }
        other.set("link_up", 0, up);
        assert_eq!(grant(&mut other, 0, 1), fits);
        assert_eq!(other.covered("cq1_no_link"), u64::from(!fits));
    }
    // The packet that was granted before is dropped, short as it is, and takes no room of the next one.
    assert!(grant(&mut b, 1, 2));
    send(&mut b, 1, 1, Marks::NONE, true);
    assert_eq!((b.idle(1).get("st_ofill", 1), b.get("st_drop", 0)), (2, 0));
    send(&mut b, 1, 2, Marks::NONE, true);
    credits(&mut b, 1, 8);
    b.idle(4);
    assert_eq!((b.get("st_ofill", 1), b.get("st_fctbs", 1)), (0, 2));
}

#[test]
fn a_full_queue_stores_nothing_more() {
    let mut b = bench("cqtiny");
    (0..3).for_each(|_| send(&mut b, 0, 4, Marks::NONE, true));
    assert_eq!((b.idle(1).get("st_oq_flits", 0), b.get("err", 0)), (12, 0));
    send(&mut b, 0, 2, Marks::NONE, true);
    b.idle(1);
    assert_eq!((b.get("st_oq_flits", 0), b.get("err", 0) & 4, b.covered("cq1_not_stored")), (12, 4, 1));
    assert_eq!(b.covered("b3_framing_no_first"), 1, "its second flit belongs to no packet");
    credits(&mut b, 0, 100);
    b.idle(20);
    assert_eq!((b.get("st_oq_flits", 0), b.get("st_fctbs", 0)), (0, 12));
}

/// The slots of both paces.
#[test]
fn the_crossbar_is_no_slower_than_the_link() {
    for (xb, tx, fast) in [(1, 2, 1), (2, 4, 2), (7, 14, 7), (0, 3, 1), (9, 4, 4)] {
        let mut b = bench("cqtiny");
        b.config(13, xb);
        b.config(7, tx);
        b.idle(20);
        let slots: Vec<_> = (0..60).map(|_| (b.idle(1).get("rd_en", 0), b.get("rd_slow", 0))).collect();
        let period = |pick: fn(&(u32, u32)) -> u32| {
            let at: Vec<usize> = (0..60).filter(|t| pick(&slots[*t]) == 1).collect();
            assert!(at.windows(2).all(|w| w[1] - w[0] == at[1] - at[0]));
            at[1] - at[0]
        };
        assert_eq!((period(|s| s.0), period(|s| s.1)), (fast, tx as usize), "{xb} {tx}");
        // A grant at the end of a packet waits for a slot of its pace.
        let slow = [0, 1].map(|slow| {
            (0..60).all(|_| {
                b.set("xb_act", 1, 1).set("xb_end", 1, 1).set("xb_slow", 1, slow);
                request(&mut b, 0, 0, 1);
                b.cycle();
                b.get("grant", 0) == b.get(if slow == 1 { "rd_slow" } else { "rd_en" }, 0)
            })
        });
        assert_eq!(slow, [true; 2]);
    }
}

#[test]
fn the_queue_is_what_evaluation_3_looks_at() {
    let mut b = queue_bench();
    b.config(1, 5);
    b.config(2, 3);
    b.config(CTRL, MARK_EN | VICTIM | 3 << 3);
    // The inputs' bits and fills mean nothing.
    for (len, congested) in [(4, 0), (1, 0), (1, 1)] {
        (0..6).for_each(|r| _ = b.set("cong", r, 1).set("fill", r, 1000));
        assert!(grant(&mut b, 0, len));
        assert_eq!(b.idle(3).get("cong_state", 0), congested);
    }
    // 6 flits: one packet of 4 leaves, marked; below 3 it ends.
    send(&mut b, 0, 4, Marks::NONE, true);
    let marked: Vec<bool> = (0..4)
        .filter_map(|_| {
            b.cycle();
            (b.get("tx_first", 0) == 1)
                .then(|| Header::parse(b.get_words("tx_data")).marks().has(Marks::FECN))
        })
        .collect();
    b.idle(4);
    assert_eq!((b.get("st_ofill", 0), b.get("cong_state", 0)), (2, 0));
    assert_eq!((b.get("st_cnt_marked", 0), b.covered("pf1_set"), b.covered("pf1_clear")), (1, 1, 1));
    assert!(marked.len() <= 1);
    assert_eq!(b.covered("d5_eval_3_is_0"), 0);
}

#[test]
fn a_packet_is_validated_by_the_queue_it_enters() {
    // VB_TH = 33 % of 12 flits.
    let reset = queue_bench().read(12);
    assert_eq!(reset, 3);
    for (before, own, mb, vb) in [
        (0, 3, true, false),
        (0, 4, true, true),
        (3, 1, true, true),
        (2, 1, true, false),
        (4, 4, false, false),
    ] {
        let mut b = bench("cqtiny");
        b.config(CTRL, 1 << 12);
        b.set("fill", 0, 60_000).cycle();
        if before > 0 {
            assert!(grant(&mut b, 2, before));
            send(&mut b, 0, before, Marks::NONE, true);
        }
        assert!(grant(&mut b, 0, own));
        send(&mut b, 0, own, Marks::MB.when(mb), true);
        b.idle(2);
        credits(&mut b, 0, 100);
        let mut seen = Vec::new();
        for _ in 0..20 {
            b.cycle();
            if b.get("tx_first", 0) == 1 {
                seen.push(Header::parse(b.get_words("tx_data")).marks());
            }
        }
        assert_eq!(seen.last(), Some(&(Marks::MB.when(mb) | Marks::VB.when(vb))), "{before} {own}");
        assert_eq!((b.get("st_sat", 0), b.covered("vm2_queue")), (0, u64::from(vb)));
    }
}

/// A crossbar that is fast or slow, packets that are cut, a link that falls, credits that come late: what is promised is what is
/// granted and has not come, plus what is stored; each VL's packets leave in the order of their grants, without a gap; in the end
/// nothing is left.
#[test]
fn what_is_promised_comes_and_leaves_in_order() {
    for seed in 0..12 {
        let p = queue_params();
        let mut b = Bench::new(UnitKind::OutputPort, &p);
        let mut rng = SmallRng::seed_from_u64(seed);
        let (tx, xb) = [(1, 1), (2, 1), (3, 2), (4, 2), (14, 7), (5, 9)][seed as usize % 6];
        b.config(7, tx);
        b.config(13, xb);
        let cap = p.ocap() as u32;
        let mut tag = 0u32;
        // Per VL: tags and lengths of packets that are stored or partly stored, flits that will come.
        let mut inside: Vec<VecDeque<(u32, u32)>> = vec![VecDeque::new(); p.vls];
        let mut engine: Option<(u32, usize, u32, u32, u32)> = None; // tag, VL, n, comes, m
        let mut crossing: Option<(u32, usize, u32, u32, u32)> = None;
        let mut outgoing: Option<(u32, usize, u32)> = None;
        let (mut freed, mut sent) = (vec![0u32; p.vls], vec![0u32; p.vls]);
        let mut grants = 0;
        let mut packets_out = 0;
        let mut promised = vec![0u32; p.vls];
        for t in 0..6000 {
            let sources = t < 5000;
            for v in 0..p.vls {
                let take = rng.random_range(0..=sent[v] - freed[v]);
                if rng.random_ratio(1, 6) || !sources {
                    freed[v] += take;
                }
            }
            let v = t as usize % p.vls;
            if rng.random_ratio(1, 2) || !sources {
                b.set("fccl_valid", 0, 1).set("fccl_vl", 0, v as u32).set("fccl", 0, (freed[v] + 8) & 0xfff);
            }
            let stored: Vec<u32> = promised.clone();
            if let Some((tag, v, n, comes, m)) = crossing.take() {
                let h = Header { vl: v as u8, slid: tag as u16, ..data(16 * n as u16) };
                flit(&mut b, (m == 0).then_some(&h), m + 1 == comes, 8);
                if m == 0 {
                    inside[v].push_back((tag, comes));
                }
                if m + 1 == comes {
                    promised[v] -= n - comes;
                }
            }
            let ends = engine.is_some_and(|(.., comes, m)| m + 1 == comes);
            b.set("xb_act", 0, u32::from(engine.is_some())).set("xb_end", 0, u32::from(ends));
            let r = rng.random_range(0..p.ports * p.vls);
            let n = rng.random_range(1..=p.mtu as u32);
            if sources {
                request(&mut b, r, n, 1);
            }
            b.cycle();
            for (v, stored) in stored.into_iter().enumerate() {
                assert_eq!(b.get("st_ofill", v), stored, "seed {seed}, cycle {t}");
                assert!(b.get("st_ofill", v) <= cap && b.get("st_oq_flits", v) <= b.get("st_ofill", v));
            }
            if let Some((tag, v, n, comes, m)) = engine.filter(|_| b.get("rd_en", 0) == 1) {
                crossing = Some((tag, v, n, comes, m));
                engine = (m + 1 < comes).then_some((tag, v, n, comes, m + 1));
            }
            if sources && b.get("grant", r) == 1 {
                let comes = if rng.random_ratio(1, 5) { rng.random_range(1..=n) } else { n };
                engine = Some((tag, r % p.vls, n, comes, 0));
                promised[r % p.vls] += n;
                (tag, grants) = ((tag + 1) & 0xffff, grants + 1);
            }
            // What leaves in a cycle is on tx in the next one; ofill moves with it.
            if b.get("tx_valid", 0) == 1 {
                let first = b.get("tx_first", 0) == 1;
                if first {
                    assert!(outgoing.is_none());
                    let v = usize::from(Header::parse(b.get_words("tx_data")).vl);
                    let (tag, comes) = inside[v].pop_front().expect("it came");
                    assert_eq!(u32::from(Header::parse(b.get_words("tx_data")).slid), tag, "order");
                    outgoing = Some((comes, v, 0));
                }
                let (comes, v, m) = outgoing.unwrap();
                assert_eq!(b.get("tx_last", 0) == 1, m + 1 == comes);
                outgoing = (m + 1 < comes).then_some((comes, v, m + 1));
                packets_out += u32::from(m + 1 == comes);
                sent[v] += 1;
            }
            // ofill of the next cycle: what leaves now is seen on tx then.
            let next = {
                let mut out = vec![0; b.output.len()];
                let idle = b.input.clone();
                b.unit.outputs(&idle, &mut out);
                out
            };
            let l = crate::signals::Layout::new(UnitKind::OutputPort, &p);
            if next[l.output("tx_valid")] == 1 {
                let at = l.output("tx_data");
                let v = match outgoing {
                    Some((_, v, _)) => v,
                    None => usize::from(Header::parse(&next[at..at + 8]).vl),
                };
                promised[v] -= 1;
            }
        }
        assert_eq!((grants, b.get("err", 0)), (packets_out, 0), "seed {seed}: all went");
        assert!(grants > 100, "{grants}");
        for (v, sent) in sent.iter().enumerate() {
            assert_eq!((b.get("st_ofill", v), b.get("st_txr", v)), (0, sent & 0xfff));
        }
    }
}
