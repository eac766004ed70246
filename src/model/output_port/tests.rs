//! Directed tests by section of `docs/output-port.md`, random words, and a soak that reaches every cover point.

use super::cover_applies;
use crate::model::bench::Bench;
use crate::model::header::{Bth, Header, Marks};
use crate::params::{Params, UnitKind, builds};
use crate::stimulus::reads::Reader;
use proptest::prelude::*;
use rand::{Rng, SeedableRng, rngs::SmallRng};

mod ages;
mod classes;
mod counts;
mod queue;

const CTRL: u32 = 0;
const MARK_EN: u32 = 1;
const ISO_EN: u32 = 2;
const VICTIM: u32 = 4;

fn params(name: &str) -> Params {
    let all = builds();
    all.iter().find(|b| b.unit == UnitKind::OutputPort && b.name == name).expect("a build").params
}

fn bench(name: &str) -> Bench {
    Bench::new(UnitKind::OutputPort, &params(name))
}

fn credits(b: &mut Bench, vl: u32, fccl: u32) {
    b.set("fccl_valid", 0, 1).set("fccl_vl", 0, vl).set("fccl", 0, fccl).cycle();
}

fn request(b: &mut Bench, r: usize, len: u32, dlid: u32) {
    b.set("req_valid", r, 1).set("req_len", r, len).set("req_dlid", r, dlid);
}

fn granted(b: &Bench, n: usize) -> Vec<usize> {
    (0..n).filter(|&r| b.get("grant", r) == 1).collect()
}

/// The inputs in the order of the data of VL `v`, longest ago first.
fn order_of(b: &Bench, v: usize) -> Vec<usize> {
    let ports = b.count("can_alloc");
    let vls = b.count("req_valid") / ports;
    let mut order: Vec<usize> = (0..ports).collect();
    order.sort_by_key(|i| b.get("st_ahead", i * vls + v).count_ones());
    order
}

fn data(len_words: u16) -> Header {
    Header { lnh: 2, pkt_len: len_words, dlid: 5, bth: Some(Bth::default()), ..Header::default() }
}

fn flit(b: &mut Bench, h: Option<&Header>, last: bool, words: usize) -> Vec<u32> {
    // Ones in the reserved bits, so that a model that rebuilds the header is caught.
    let mut w = vec![0u32; words];
    if let Some(h) = h {
        h.write(&mut w);
        w[0] |= 0x0000_0c0f;
    } else {
        w.fill(0x5a5a_5a5a);
    }
    b.set("sw_valid", 0, 1).set("sw_first", 0, u32::from(h.is_some())).set("sw_last", 0, u32::from(last));
    b.set_words("sw_data", &w);
    w
}

#[test]
fn a_packet_starts_only_with_credit_for_an_mtu() {
    let mut b = bench("p8v1"); // MTU 32
    for (credit, granted_to) in [(31, vec![]), (32, vec![2])] {
        credits(&mut b, 0, credit);
        request(&mut b, 2, 4, 1);
        assert_eq!(granted(b.cycle(), 8), granted_to);
    }
    // 28 blocks are left: not even one flit.
    request(&mut b, 2, 1, 1);
    assert_eq!(granted(b.cycle(), 8), Vec::<usize>::new());
    assert_eq!(b.get("st_txr", 0), 4);
    assert_eq!(b.covered("f1_short_waits_for_mtu"), 2);
    // Half a range ahead is the most that counts as credit.
    credits(&mut b, 0, 4 + 2048 + 33);
    request(&mut b, 0, 4, 1);
    assert_eq!(granted(b.cycle(), 8), Vec::<usize>::new());
    credits(&mut b, 0, 4 + 2048 + 32);
    request(&mut b, 0, 4, 1);
    assert_eq!(granted(b.cycle(), 8), [0]);
    assert_eq!((b.covered("f1_half_range_refused"), b.covered("f1_half_range_edge")), (1, 1));
}

#[test]
fn credit_counters_wrap() {
    let mut b = bench("p8v1");
    let mut sent = 0u32;
    while b.covered("f1_txr_wrap") < 2 {
        credits(&mut b, 0, (sent + 100) & 0xfff);
        request(&mut b, 0, 100, 1);
        assert_eq!(granted(b.cycle(), 8), [0]);
        assert_eq!(b.get("st_txr", 0), sent & 0xfff);
        sent += 100;
    }
    assert!(b.covered("f1_fccl_wrap") >= 1);
}

#[test]
fn who_was_served_goes_to_the_end_and_cnps_go_first() {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 2000);
    credits(&mut b, 1, 2000);
    let mut order = Vec::new();
    for _ in 0..9 {
        (0..8).for_each(|r| request(&mut b, r, 1, 1));
        order.extend(granted(b.cycle(), 8));
    }
    assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 0]);
    // A CNP behind other requesters wins; the pointers of data stay, so does every other VL's.
    (0..8).for_each(|r| request(&mut b, r, 1, 1));
    b.set("req_cnp", 5, 1);
    assert_eq!(granted(b.cycle(), 8), [5]);
    (0..8).for_each(|r| request(&mut b, r, 1, 1));
    assert_eq!(granted(b.cycle(), 8), [1]);
    b.cycle();
    assert_eq!([0, 1].map(|v| order_of(&b, v)), [[1, 2, 3, 0], [1, 2, 3, 0]]);
    assert_eq!([0, 1].map(|v| b.get("st_cr", v)), [0, 3]);
    // The data of VL 0 let a CNP pass; those of VL 1 did, too, and have had their turn.
    assert_eq!((b.get("st_vp", 0), b.get("st_vp", 1)), (0, 0));
    assert_eq!([0, 1].map(|v| b.get("st_passed", v)), [1, 0]);
    // A CNP that does not fit holds nobody up.
    request(&mut b, 0, 100, 1);
    request(&mut b, 1, 1, 1);
    b.set("req_cnp", 0, 1);
    credits(&mut b, 0, 0);
    request(&mut b, 0, 1, 1);
    request(&mut b, 1, 1, 1);
    b.set("req_cnp", 0, 1);
    assert_eq!(granted(b.cycle(), 8), [1]);
    assert_eq!(b.covered("a2_data_while_cnp_lacks_credit"), 1);
}

/// The table of section 10: input 0 has two data packets, input 1 a CNP and a data packet.
#[test]
fn plain_cnps_take_turns_with_data() {
    for (ctrl, order) in [(0x80, [0, 1, 0, 1]), (0, [1, 0, 1, 0])] {
        let mut b = bench("p8v1");
        b.config(CTRL, ctrl);
        assert_eq!(b.cycle().get("cnp_plain", 0), ctrl >> 7);
        credits(&mut b, 0, 2000);
        let mut left = [2, 2];
        for winner in order {
            for (i, left) in left.iter().enumerate().filter(|(_, left)| **left > 0) {
                request(&mut b, i, 1, 1);
                b.set("req_cnp", i, u32::from(i == 1 && *left == 2));
            }
            assert_eq!(granted(b.cycle(), 8), [winner]);
            left[winner] -= 1;
        }
        b.cycle();
        let first_of_all = order_of(&b, 0)[..2].to_vec();
        assert_eq!((b.get("st_cr", 0), first_of_all), (if ctrl > 0 { 0 } else { 2 }, vec![2, 3]));
        assert_eq!(order_of(&b, 0)[6..], if ctrl > 0 { [0, 1] } else { [1, 0] });
        assert_eq!(b.get("st_passed", 0), 0);
    }
}

#[test]
fn a_plain_cnp_needs_credit_for_an_mtu() {
    let mut b = bench("p8v1");
    // Data that waited for credits let a CNP pass: forgotten with the bit.
    credits(&mut b, 0, 1);
    request(&mut b, 0, 4, 1);
    request(&mut b, 1, 1, 1);
    b.set("req_cnp", 1, 1);
    assert_eq!(granted(b.cycle(), 8), [1]);
    b.config(CTRL, 0x80);
    b.cycle();
    assert_eq!(b.cycle().get("st_passed", 0), 0);
    for (credit, granted_to) in [(32, vec![]), (33, vec![1])] {
        credits(&mut b, 0, credit);
        request(&mut b, 1, 1, 1);
        b.set("req_cnp", 1, 1);
        assert_eq!(granted(b.cycle(), 8), granted_to);
    }
    assert_eq!((b.covered("a2_plain_lacks_mtu"), b.covered("a2_plain_passed_cleared")), (1, 1));
    // A CNP that waits for credits is no packet that waits: the port stays a root.
    let mut b = bench("p8v1");
    b.config(CTRL, 0x80);
    request(&mut b, 1, 1, 1);
    b.set("req_cnp", 1, 1).cycle();
    b.cycle();
    assert_eq!((b.get("st_waited", 0), b.get("st_rooted", 0)), (0, 1));
}

/// The timing diagram of section 11.
#[test]
fn a_mark_looks_behind_its_own_grant() {
    for at_once in [false, true] {
        let mut b = bench("p8v1");
        b.config(CTRL, MARK_EN | u32::from(at_once) << 8);
        credits(&mut b, 0, 2000);
        for _ in 0..3 {
            b.set("cong", 0, 1).cycle();
        }
        let mut seen = Vec::new();
        for t in 0..3 {
            b.set("cong", 0, u32::from(t == 0));
            if t == 0 {
                request(&mut b, 0, 1, 5);
            }
            if t == 2 {
                flit(&mut b, Some(&data(16)), true, 16);
            }
            b.cycle();
            seen.push(["st_count", "cong_state"].map(|name| b.get(name, 0)));
        }
        assert_eq!(seen, [[1, 1], [1, 1], [0, 1]]);
        b.cycle();
        let fecn = Header::parse(b.get_words("tx_data")).marks().has(Marks::FECN);
        assert_eq!((fecn, b.covered("m1_at_once_spares")), (!at_once, u64::from(at_once)));
    }
}

#[test]
fn a_later_grant_does_not_change_the_root_test_of_a_mark() {
    let mut b = bench("p8v1");
    b.config(CTRL, MARK_EN | 1 << 8);
    // The first packet found its credits; the one behind it waited.
    for _ in 0..3 {
        b.set("cong", 0, 1).cycle();
    }
    credits(&mut b, 0, 32);
    let mut held = Vec::new();
    for t in 0..5 {
        b.set("cong", 0, 1);
        match t {
            0 => request(&mut b, 0, 1, 5),
            // without credit, then with
            1 => {
                request(&mut b, 0, 1, 5);
                b.set("fccl_valid", 0, 1).set("fccl", 0, 40);
            }
            2 => request(&mut b, 0, 1, 5),
            _ => {}
        }
        if t == 3 {
            flit(&mut b, Some(&data(16)), true, 16);
        }
        b.cycle();
        held.push(["st_rooted", "st_root_held"].map(|name| b.get(name, 0)));
    }
    assert_eq!(held, [[1, 1], [1, 1], [1, 1], [0, 1], [0, 0]]);
    assert!(b.covered("d3_root_held_own") == 1 && b.covered("m1_marked") == 1);
}

#[test]
fn a_slow_link_ends_a_packet_only_when_it_moves() {
    let mut b = bench("p8v1");
    credits(&mut b, 0, 2000);
    b.config(7, 3);
    let mut enabled = Vec::new();
    let mut grants = Vec::new();
    for _ in 0..6 {
        b.set("xb_act", 4, 1).set("xb_end", 4, 1);
        request(&mut b, 1, 1, 1);
        b.cycle();
        enabled.push(b.get("rd_en", 0));
        grants.push(b.get("grant", 1));
    }
    assert_eq!(enabled, [1, 0, 0, 1, 0, 0]);
    assert_eq!(grants, enabled);
    // Busy without end: never. Phase is 0 here.
    b.set("xb_act", 4, 1);
    request(&mut b, 1, 1, 1);
    assert_eq!(granted(b.cycle(), 8), Vec::<usize>::new());
    // Idle: regardless of the phase.
    request(&mut b, 1, 1, 1);
    assert_eq!(granted(b.cycle(), 8), [1]);
}

#[test]
fn a_short_packet_gives_back_its_credits_even_with_a_grant() {
    let mut b = bench("p8v1");
    credits(&mut b, 0, 2000);
    request(&mut b, 0, 5, 1);
    b.cycle();
    flit(&mut b, Some(&data(5 * 16)), false, 16);
    b.cycle();
    flit(&mut b, None, true, 16);
    b.set("sw_bad", 0, 1).set("xb_act", 0, 1).set("xb_end", 0, 1);
    request(&mut b, 1, 7, 1);
    b.cycle();
    assert_eq!(granted(&b, 8), [1]);
    assert_eq!(b.get("st_txr", 0), 5);
    b.cycle();
    assert_eq!(b.get("st_txr", 0), 5 - 3 + 7);
    assert_eq!((b.get("tx_bad", 0), b.get("tx_last", 0)), (1, 1));
    assert_eq!(b.covered("f1_txr_corrected_with_grant"), 1);
}

#[test]
fn fctbs_counts_flits_after_they_are_shown() {
    let mut b = bench("p4v2");
    b.config(6, 2);
    let h = Header { vl: 1, ..data(2 * 16) };
    flit(&mut b, Some(&h), false, 8);
    b.cycle();
    flit(&mut b, None, true, 8);
    b.cycle();
    assert_eq!((b.get("tx_valid", 0), b.get("st_fctbs", 1)), (1, 0));
    b.cycle();
    assert_eq!((b.get("tx_last", 0), b.get("st_fctbs", 1)), (1, 1));
    b.cycle();
    assert_eq!((b.get("tx_valid", 0), b.get("st_fctbs", 1)), (0, 2));
    // Messages every two cycles, VLs in turn, 0 otherwise.
    let mut seen = Vec::new();
    for _ in 0..8 {
        b.cycle();
        if b.get("fctbs_valid", 0) == 1 {
            seen.push((b.get("fctbs_vl", 0), b.get("fctbs", 0)));
        } else {
            assert_eq!((b.get("fctbs_vl", 0), b.get("fctbs", 0)), (0, 0));
        }
    }
    seen.sort_unstable();
    assert_eq!(seen, [(0, 0), (0, 0), (1, 2), (1, 2)]);
}

#[test]
fn the_first_message_is_in_the_first_cycle() {
    let mut b = bench("p4v2");
    let slots: Vec<_> = (0..9).map(|_| b.cycle().get("fctbs_valid", 0)).collect();
    assert_eq!(slots, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
}

#[test]
fn thirty_two_notifications_pass_and_then_data() {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 2000);
    let mut order = Vec::new();
    for _ in 0..68 {
        [0, 2, 4].into_iter().for_each(|r| request(&mut b, r, 1, 1));
        b.set("req_cnp", 2, 1).set("req_cnp", 4, 1);
        order.extend(granted(b.cycle(), 8));
    }
    let cnps = [2, 4].repeat(16);
    assert_eq!(order, [&cnps[..], &[0], &cnps, &[0], &[2, 4]].concat());
    assert_eq!(b.covered("a3_cnp_passed_32"), 2);
    // CNPs that nobody waits behind are not counted.
    for _ in 0..9 {
        request(&mut b, 2, 1, 1);
        b.set("req_cnp", 2, 1).cycle();
    }
    assert_eq!(b.cycle().get("st_passed", 0), 2);
}

#[test]
fn a_cnp_needs_its_own_credit_and_is_withheld_after_32() {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 31);
    // Data of VL 0 wait for an MTU of credit; one-flit CNPs do not.
    let mut order = Vec::new();
    for _ in 0..40 {
        let txr = b.get("st_txr", 0);
        credits(&mut b, 0, txr + 31);
        request(&mut b, 0, 1, 1);
        request(&mut b, 2, 1, 1);
        b.set("req_cnp", 2, 1);
        order.extend(granted(b.cycle(), 8));
        b.cycle();
    }
    assert_eq!((order, b.get("st_passed", 0)), (vec![2; 32], 32));
    assert_eq!((b.covered("a2_cnp_own_credit"), b.covered("a3_cnp_withheld_for_credit")), (32, 8));
    // With credit for an MTU data go first; without a data request nothing is withheld.
    request(&mut b, 2, 1, 1);
    b.set("req_cnp", 2, 1);
    assert_eq!(granted(b.cycle(), 8), [2]);
    let txr = b.get("st_txr", 0);
    credits(&mut b, 0, txr + 1 + 32);
    request(&mut b, 0, 4, 1);
    request(&mut b, 2, 1, 1);
    b.set("req_cnp", 2, 1);
    assert_eq!(granted(b.cycle(), 8), [0]);
    assert_eq!(b.cycle().get("st_passed", 0), 0);
    // A CNP that is granted while its VL lacks an MTU of credit, and one that waits for its own: the root test is of data.
    request(&mut b, 2, 1, 1);
    b.set("req_cnp", 2, 1);
    assert_eq!(granted(b.cycle(), 8), [2]);
    let txr = b.cycle().get("st_txr", 0);
    credits(&mut b, 0, txr);
    request(&mut b, 2, 1, 1);
    b.set("req_cnp", 2, 1);
    assert!(granted(b.cycle(), 8).is_empty());
    assert_eq!((b.cycle().get("st_waited", 0), b.get("st_rooted", 0)), (0, 0));
    credits(&mut b, 0, txr + 32);
    request(&mut b, 0, 4, 1);
    assert_eq!(granted(b.cycle(), 8), [0]);
    assert_eq!((b.cycle().get("st_waited", 0), b.get("st_rooted", 0)), (0, 1));
}

/// A lane whose credits come one packet at a time, and are taken by a CNP each time, while another lane's data go on.
#[test]
fn notifications_do_not_take_all_credits_of_a_lane() {
    let mut b = bench("p4v2");
    let mtu = 32;
    let (mut cnps, mut data) = (0, 0);
    for t in 0..600 {
        let (a, z) = (b.get("st_txr", 0), b.get("st_txr", 1));
        credits(&mut b, 1, z + 500);
        if t % 6 == 0 {
            credits(&mut b, 0, a + mtu);
        }
        [0, 2, 5].into_iter().for_each(|r| request(&mut b, r, 1, 1));
        b.set("req_cnp", 2, 1);
        match granted(b.cycle(), 8)[..] {
            [0] => data += 1,
            [2] => cnps += 1,
            _ => {}
        }
    }
    assert!(cnps > 50, "{cnps} CNPs");
    assert!(data * 33 + 33 > cnps, "{data} packets beside {cnps} CNPs");
}

#[test]
fn root_or_victim() {
    let mut b = bench("p8v1"); // MTU 32
    let congest = |b: &mut Bench, cycles: usize| {
        for _ in 0..cycles {
            b.set("cong", 3, 1).set("cong", 4, 1).cycle();
        }
        (b.get("st_count", 0), b.get("cong_state", 0))
    };
    // Nothing has waited for credits: a root. Two cycles from cong to count and state.
    assert_eq!(congest(&mut b, 2), (2, 0));
    assert_eq!(congest(&mut b, 1), (2, 1));
    // A packet waits for credits: that alone changes nothing. Once it has gone, the port is a victim.
    request(&mut b, 0, 4, 1);
    assert_eq!(congest(&mut b, 2), (2, 1));
    b.set("fccl_valid", 0, 1).set("fccl", 0, 39);
    assert_eq!(congest(&mut b, 1), (2, 1));
    request(&mut b, 0, 4, 1);
    assert_eq!(congest(&mut b, 1), (2, 1));
    assert_eq!(granted(&b, 8), [0]);
    assert_eq!(congest(&mut b, 1), (2, 1));
    assert_eq!((b.get("st_waited", 0), b.get("st_rooted", 0)), (0, 0));
    assert_eq!(congest(&mut b, 2), (2, 0));
    // The next one finds its credits: a root again.
    request(&mut b, 0, 4, 1);
    assert_eq!(congest(&mut b, 1), (2, 0));
    assert_eq!(congest(&mut b, 2), (2, 1));
    b.idle(3);
    assert_eq!((b.get("st_count", 0), b.get("cong_state", 0)), (0, 0));
    // A victim by Victim_Mask.
    request(&mut b, 0, 4, 1);
    b.cycle();
    b.set("fccl_valid", 0, 1).set("fccl", 0, 100).cycle();
    request(&mut b, 0, 4, 1);
    assert_eq!(granted(b.cycle(), 8), [0]);
    assert_eq!(congest(&mut b, 4), (2, 0));
    b.config(CTRL, VICTIM);
    assert_eq!(congest(&mut b, 3), (2, 1));
    for (name, times) in [("d3_root_lost", 2), ("d3_root_again", 1), ("d3_victim_leaves", 1)] {
        assert_eq!(b.covered(name), times, "{name}");
    }
    assert_eq!(b.covered("d3_victim_mask_enters"), 1);
}

#[test]
fn sums_have_hysteresis() {
    for (eval, scale) in [(1, 1), (2, 2)] {
        let mut b = bench("p8v1");
        b.config(CTRL, eval << 3);
        b.config(1, 100).config(2, 50);
        let mut at = |sum: u32| {
            // Two contributors; in mode 2 the sum counts twice.
            b.set("fill", 0, sum / scale - 1).set("fill", 7, 1).cycle();
            b.cycle().get("st_count", 0)
        };
        // `at` leaves a cycle without fill behind, so each starts from clear.
        assert_eq!([at(100), at(102), at(50)], [0, 1, 0]);
        let mut hold = |sum: u32| {
            b.set("fill", 0, sum / scale - 1).set("fill", 7, 1).cycle();
            b.get("st_count", 0)
        };
        // Value seen is of the cycle before.
        assert_eq!([hold(102), hold(100), hold(50), hold(48), hold(50), hold(50)], [0, 1, 1, 1, 0, 0]);
    }
}

/// Brings the port into the congestion state and keeps it there while packets pass.
fn mark_run(b: &mut Bench, headers: &[Header], words: usize) -> Vec<bool> {
    let p = b.get_words("tx_data").len();
    assert_eq!(p, words);
    credits(b, 0, 1000);
    for _ in 0..3 {
        b.set("cong", 0, 1).cycle();
    }
    let mut marked = Vec::new();
    for h in headers {
        let sent = flit(b, Some(h), true, words);
        b.set("cong", 0, 1).cycle();
        b.set("cong", 0, 1).cycle();
        assert_eq!(b.get("tx_valid", 0), 1);
        let got = b.get_words("tx_data").to_vec();
        let fecn = Header::parse(&got).marks().has(Marks::FECN);
        let mut want = sent.clone();
        if fecn {
            want[if h.lnh == 2 { 3 } else { 13 }] |= 0x80;
        }
        assert_eq!(got, want, "nothing but FECN changes");
        marked.push(fecn);
    }
    marked
}

#[test]
fn the_counter_marks_every_nth_and_fecn_is_never_cleared() {
    let mut b = bench("p8v1");
    b.config(CTRL, MARK_EN).config(3, 2);
    let marked = mark_run(&mut b, &[data(16); 7], 16);
    assert_eq!(marked, [false, false, true, false, false, true, false]);
    assert_eq!(b.cycle().get("st_cnt_marked", 0), 2);
    let upstream = Header { bth: Some(Bth { marks: Marks::FECN, ..Bth::default() }), ..data(16) };
    assert_eq!(mark_run(&mut b, &[upstream, upstream], 16), [true, true]);
    // The first went unmarked here, the second was marked again.
    assert_eq!(b.covered("m3_fecn_kept"), 1);
    assert_eq!(b.cycle().get("st_cnt_marked", 0), 3);
    assert_eq!(b.get("st_cnt_sent", 0), 9);
}

#[test]
fn who_is_eligible() {
    let mut b = bench("p8v1");
    b.config(CTRL, MARK_EN).config(5, 3);
    let op = |opcode| Header { bth: Some(Bth { opcode, ..Bth::default() }), ..data(3 * 16) };
    let packets = [
        data(2 * 16),
        data(2 * 16 + 1),
        op(0x80),
        op(0x11),
        op(0x31),
        Header { dlid: 0xC000, ..data(48) },
        Header { dlid: 0xBFFF, ..data(48) },
        Header { lnh: 1, bth: None, ..data(48) },
        Header { lnh: 3, ..data(48) },
    ];
    let marked = mark_run(&mut b, &packets, 16);
    assert_eq!(marked, [false, true, false, false, false, false, true, false, true]);
    // A narrow build cannot see a BTH behind a GRH.
    let mut b = bench("p4v2");
    b.config(CTRL, MARK_EN);
    let grh = Header { lnh: 3, bth: None, ..data(48) };
    assert_eq!(mark_run(&mut b, &[grh, data(48)], 8), [false, true]);
    // Neither is marked with marking off.
    b.config(CTRL, 0);
    assert_eq!(mark_run(&mut b, &[data(48)], 8), [false]);
}

#[test]
fn the_lfsr_has_full_period_and_the_modes_its_means() {
    for (mode, addr, value, mean) in [(1u32, 3, 3, 0.25), (2, 4, 218, 218.0 / 256.0)] {
        let mut b = bench("p4v2");
        b.config(CTRL, MARK_EN | VICTIM | mode << 5).config(addr, value);
        for _ in 0..3 {
            b.set("cong", 0, 1).cycle();
        }
        let h = data(16);
        for n in 0..65535 {
            assert!(n == 0 || b.get("st_lfsr", 0) != 0);
            flit(&mut b, Some(&h), true, 8);
            b.set("cong", 0, 1).cycle();
            assert!(n == 0 || b.get("st_lfsr", 0) != 0xACE1, "short period {n}");
        }
        b.cycle();
        assert_eq!(b.get("st_lfsr", 0), 0xACE1);
        let share = f64::from(b.get("st_cnt_marked", 0)) / 65535.0;
        assert!((share - mean).abs() < 1e-3, "mode {mode}: {share}");
    }
}

#[test]
fn a_mark_says_nothing_about_the_next_packet() {
    for rate in [7, 63] {
        let mut b = bench("p4v2");
        b.config(CTRL, MARK_EN | VICTIM | 1 << 5).config(3, rate);
        for _ in 0..3 {
            b.set("cong", 0, 1).cycle();
        }
        let (mut marks, mut pairs, mut was, mut counted) = (0, 0, false, 0);
        for _ in 0..65535 {
            flit(&mut b, Some(&data(16)), true, 8);
            b.set("cong", 0, 1).cycle();
            let now = b.get("tx_valid", 0) == 1 && b.get_words("tx_data")[3] & 0x80 != 0;
            marks += u32::from(now);
            pairs += u32::from(now && was);
            counted += 1;
            was = now;
        }
        let (share, after) = (f64::from(marks) / f64::from(counted), f64::from(pairs) / f64::from(marks));
        let wanted = 1.0 / f64::from(rate + 1);
        assert!((share / wanted - 1.0).abs() < 0.02, "rate {rate}: {share}");
        assert!((after / wanted - 1.0).abs() < 0.25, "rate {rate}: {after} after a mark");
    }
}

#[test]
fn the_rarest_rate_marks() {
    let mut b = bench("p4v2");
    b.config(CTRL, MARK_EN | VICTIM | 1 << 5).config(3, 65535);
    for _ in 0..3 {
        b.set("cong", 0, 1).cycle();
    }
    for _ in 0..65535 {
        flit(&mut b, Some(&data(16)), true, 8);
        b.set("cong", 0, 1).cycle();
    }
    assert_eq!((b.cycle().get("st_cnt_marked", 0), b.covered("m2_rarest_rate")), (1, 1));
}

#[test]
fn lfsr_step_and_seed() {
    let mut b = bench("p4v2");
    b.config(CTRL, MARK_EN | VICTIM);
    for _ in 0..3 {
        b.set("cong", 0, 1).cycle();
    }
    flit(&mut b, Some(&data(16)), true, 8);
    b.set("cong", 0, 1).cycle();
    // 26 steps from 0xACE1; the first: 1010_1100_1110_0001, b15^b13^b12^b10 = 1^1^0^1.
    assert_eq!(b.cycle().get("st_lfsr", 0), 0x5774);
    for _ in 0..3 {
        b.set("cong", 0, 1).cycle();
    }
    flit(&mut b, Some(&data(16)), true, 8);
    b.config(9, 0);
    assert_eq!(b.cycle().get("st_lfsr", 0), 1);
    assert_eq!(b.covered("m2_seed_beats_step"), 1);
}

#[test]
fn framing_errors_pass_and_stick() {
    let mut b = bench("p4v2");
    flit(&mut b, None, true, 8);
    b.cycle();
    b.cycle();
    assert_eq!((b.get("err", 0), b.get("tx_valid", 0)), (4, 1));
    b.config(10, 4);
    assert_eq!(b.cycle().get("err", 0), 0);
    assert_eq!(b.get("st_fctbs", 0), 0);
    // A packet that loses its last flit keeps its credits; the new packet counts from 1.
    flit(&mut b, Some(&data(4 * 16)), false, 8);
    b.cycle();
    flit(&mut b, Some(&data(3 * 16)), false, 8);
    b.cycle();
    flit(&mut b, None, true, 8);
    b.cycle();
    b.cycle();
    assert_eq!((b.get("err", 0), b.get("st_txr", 0)), (4, 0xfff));
    // An illegal VL counts nowhere.
    b.config(10, 4);
    flit(&mut b, Some(&Header { vl: 2, ..data(4 * 16) }), false, 8);
    b.cycle();
    flit(&mut b, None, true, 8);
    b.cycle();
    b.idle(2);
    assert_eq!((b.get("err", 0), b.get("st_txr", 0), b.get("st_fctbs", 0)), (4, 0xfff, 3));
    assert_eq!(b.get("st_cnt_sent", 0), 3);
}

const ALLOC: u32 = 0;
const DEALLOC: u32 = 1;
const STOP: u32 = 2;
const GO: u32 = 3;

fn message(b: &mut Bench, kind: u32, line: u32, vl: u32, dlids: &[u32]) {
    b.set("msg_valid", 0, 1).set("msg_type", 0, kind).set("msg_line", 0, line).set("msg_vl", 0, vl);
    if kind == ALLOC {
        b.set("msg_root", 0, 0x123402).set("msg_hops", 0, 3).set("msg_dcnt", 0, dlids.len() as u32);
        for (i, d) in dlids.iter().take(b.count("msg_dlist").min(2)).enumerate() {
            b.set("msg_dlist", i, *d);
        }
    }
}

#[test]
fn lines_come_and_go() {
    let mut b = bench("tiny");
    let valid = |b: &Bench| (b.get("ol_valid", 0), b.get("ol_stop", 0));
    // Ignored while isolation is off.
    message(&mut b, ALLOC, 0, 0, &[7]);
    assert_eq!(valid(b.cycle().cycle()), (0, 0));
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 1, 1, &[7, 8, 9]);
    b.set("msg_stop", 0, 1).cycle();
    assert_eq!(valid(b.cycle()), (2, 2));
    assert_eq!([b.get("st_ol_vl", 1), b.get("st_ol_hops", 1), b.get("st_ol_dcnt", 1)], [1, 3, 2]);
    assert_eq!((b.get("st_ol_root", 1), b.get("st_ol_timer", 1)), (0x123402, 0));
    assert_eq!((b.get("st_ol_dlist", 2), b.get("st_ol_dlist", 3)), (7, 8));
    // Another VL's or an absent line's messages are ignored.
    for (kind, line, vl) in [(GO, 1, 0), (DEALLOC, 1, 0), (STOP, 0, 0)] {
        message(&mut b, kind, line, vl, &[]);
        assert_eq!(valid(b.cycle().cycle()), (2, 2));
    }
    message(&mut b, GO, 1, 1, &[]);
    assert_eq!(valid(b.cycle().cycle()), (2, 0));
    assert_eq!(b.get("st_ol_timer", 1), 0);
    message(&mut b, STOP, 1, 1, &[]);
    assert_eq!(valid(b.cycle().cycle()), (2, 2));
    // An ALLOC of another VL is another tree's: the line is away for two cycles.
    message(&mut b, ALLOC, 1, 0, &[7]);
    b.cycle();
    let away: Vec<_> = (0..3).map(|_| valid(b.cycle())).collect();
    assert_eq!(away, [(0, 0), (0, 0), (2, 0)]);
    assert_eq!((b.get("st_ol_dcnt", 1), b.get("st_ol_vl", 1), b.covered("e6_line_replaced")), (1, 0, 1));
    // Freed and told again at once: away for two cycles, too.
    message(&mut b, DEALLOC, 1, 0, &[]);
    b.cycle();
    message(&mut b, ALLOC, 1, 0, &[7]);
    let away: Vec<_> = (0..3).map(|_| valid(b.cycle())).collect();
    assert_eq!(away, [(0, 0), (0, 0), (2, 0)]);
    message(&mut b, DEALLOC, 1, 0, &[]);
    assert_eq!(valid(b.cycle()), (2, 0));
    assert_eq!(valid(b.cycle()), (0, 0));
    assert_eq!((b.get("st_ol_dcnt", 1), b.get("st_ol_root", 1), b.get("st_ol_hold", 1)), (1, 0x123402, 2));
    // Bad addresses.
    assert_eq!(b.get("err", 0), 0);
    message(&mut b, ALLOC, 2, 2, &[7]);
    b.cycle();
    assert_eq!(b.cycle().get("err", 0), 3);
    // Isolation off frees everything, one cycle after the write takes effect.
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    b.config(CTRL, 0);
    assert_eq!(valid(b.cycle()), (1, 0));
    assert_eq!(valid(b.cycle()), (0, 0));
}

#[test]
fn a_list_that_grows_is_the_same_trees() {
    let mut b = bench("tiny"); // DLIST 2
    b.config(CTRL, ISO_EN);
    let mut away = |dlids: &[u32], root: u32| {
        message(&mut b, ALLOC, 0, 0, dlids);
        b.set("msg_root", 0, root).cycle();
        (0..4).filter(|_| b.cycle().get("ol_valid", 0) == 0).count()
    };
    assert_eq!(away(&[7], 5), 0);
    // It grows, and stays as it is.
    assert_eq!(away(&[7, 8], 5), 0);
    assert_eq!(away(&[7, 8], 5), 0);
    // More than a line holds counts as what it holds.
    assert_eq!(away(&[7, 8, 9], 5), 0);
    // Shorter, another entry, another root.
    assert_eq!(away(&[7], 5), 2);
    assert_eq!(away(&[8, 7], 5), 2);
    assert_eq!(away(&[8, 7], 6), 2);
    assert_eq!((b.covered("e6_line_replaced"), b.covered("e6_list_not_continued")), (3, 2));
}

#[test]
fn a_line_that_is_away_matches_nothing() {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 1000);
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    message(&mut b, ALLOC, 0, 0, &[8]);
    b.cycle();
    for told in [false, false, true] {
        request(&mut b, 0, 1, 8);
        b.set("can_alloc", 0, 1).cycle();
        assert_eq!((b.get("prop_valid", 0) == 1, granted(&b, 8).is_empty()), (told, told));
    }
    assert_eq!(b.covered("e6_hold_no_match"), 2);
}

#[test]
fn a_stop_holds_its_destination_wherever_the_packet_waits() {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 1000);
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    message(&mut b, ALLOC, 2, 0, &[7]);
    b.set("msg_stop", 0, 1).cycle();
    // Requester 0 is cold and cannot be told, requester 2 is hot and obeys line 0, requester 4 is a victim. Who is held
    // asks no more, and no pointer moves.
    let (mut served, mut held) = ([0; 8], [false; 8]);
    for _ in 0..9 {
        for i in (0..3).filter(|i| !held[2 * i]) {
            request(&mut b, 2 * i, 1, if i == 2 { 9 } else { 7 });
        }
        b.set("req_hot", 2, 1).set("known", 1, 1).cycle();
        granted(&b, 8).into_iter().for_each(|r| served[r] += 1);
        for r in (0..8).filter(|&r| b.get("held", r) == 1) {
            assert_eq!(b.get("held_line", r), 2);
            held[r] = true;
        }
        assert!((0..4).all(|i| b.get("prop_valid", i) == 0));
    }
    assert_eq!(served, [0, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!((b.covered("e5_winner_held"), b.covered("e5_held_hot")), (1, 1));
    assert_eq!(b.covered("e5_held_by_other_line"), 2);
    // A request that is to be told is told, stop or not.
    request(&mut b, 0, 1, 7);
    b.set("can_alloc", 0, 1);
    assert_eq!(b.cycle().get("prop_valid", 0), 1);
    message(&mut b, GO, 2, 0, &[]);
    b.cycle();
    request(&mut b, 0, 1, 7);
    assert_eq!(granted(b.cycle(), 8), [0]);
}

#[test]
fn a_winner_that_a_stop_holds_is_told_so() {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 1000);
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.set("msg_stop", 0, 1).cycle();
    let mut all = Vec::new();
    for t in 0..4 {
        if t < 2 {
            request(&mut b, 0, 1, 7);
        }
        request(&mut b, 2, 1, 9);
        b.cycle();
        all.push(((0..8).filter(|&r| b.get("held", r) == 1).collect::<Vec<_>>(), granted(&b, 8)));
    }
    // Who did not win hears nothing; who is held keeps its place until it asks no more.
    assert_eq!(all, [(vec![0], vec![]), (vec![0], vec![]), (vec![], vec![2]), (vec![], vec![2])]);
    assert_eq!(b.get("held_line", 0), 0);
    // Nothing is held while another packet crosses.
    request(&mut b, 0, 1, 7);
    b.set("xb_act", 1, 1).cycle();
    assert_eq!(b.get("held", 0), 0);
}

/// A message of line 1 and VL 0, of the tree that a line remembers after reset: its turns begin with input 0.
fn first_tree(b: &mut Bench, kind: u32, dlids: &[u32]) {
    message(b, kind, 1, 0, dlids);
    b.set("msg_root", 0, 0);
}

/// Inputs of a line whose stop has ended, with packets bound to it.
fn fresh_line(kind: u32) -> Bench {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 1000);
    b.config(CTRL, ISO_EN);
    first_tree(&mut b, ALLOC, &[7]);
    b.set("msg_stop", 0, 1).cycle();
    first_tree(&mut b, kind, &[7]);
    b.cycle();
    b
}

/// Requests of VL 0 of the inputs, bound to line 1. Who is granted, who is held.
fn bound(b: &mut Bench, asking: &[usize], pending: &[usize]) -> (Vec<usize>, Vec<usize>) {
    pending.iter().for_each(|i| _ = b.set("pend", *i, 2));
    for &i in asking {
        request(b, 2 * i, 1, 7);
        b.set("req_bound", 2 * i, 1).set("req_line", 2 * i, 1);
    }
    b.cycle();
    let held = (0..8).filter(|&r| b.get("held", r) == 1).map(|r| r / 2).collect();
    (granted(b, 8).into_iter().map(|r| r / 2).collect(), held)
}

#[test]
fn after_a_stop_the_inputs_take_turns() {
    for kind in [GO, ALLOC] {
        let mut b = fresh_line(kind);
        assert_eq!(bound(&mut b, &[], &[]), (vec![], vec![]));
        assert_eq!((b.get("st_ol_fresh", 0), b.get("st_ol_turn", 1)), (2, 0));
        // The turn is input 1's, and input 0, which has nothing bound, is held as well.
        assert_eq!(bound(&mut b, &[0, 2], &[1, 2]), (vec![], vec![0]));
        assert_eq!(b.get("held_line", 0), 1);
        assert_eq!([0, 1, 2, 3].map(|i| b.get("ol_wait", i)), [0, 0, 2, 0]);
        assert_eq!(b.get("ol_stop", 0), 0);
        assert_eq!(bound(&mut b, &[1, 2], &[1, 2]), (vec![1], vec![]));
        // From then on all, by round robin.
        assert_eq!(bound(&mut b, &[0, 1], &[1]), (vec![0], vec![]));
        assert_eq!((b.get("st_ol_fresh", 0), b.get("st_ol_turn", 1)), (0, 2));
        // The next stop: input 2 or who comes behind it.
        message(&mut b, STOP, 1, 0, &[]);
        b.cycle();
        message(&mut b, GO, 1, 0, &[]);
        b.cycle();
        assert_eq!(bound(&mut b, &[1], &[0, 1]), (vec![], vec![1]));
        assert_eq!(bound(&mut b, &[0], &[0, 1]), (vec![0], vec![]));
        assert_eq!(b.cycle().get("st_ol_turn", 1), 1);
        let points = ["a3_turn_used", "a3_turn_skips", "a3_ol_wait", "a3_held_by_fresh"];
        assert_eq!(points.map(|p| b.covered(p)), [2, 2, 4, 2], "{kind}");
    }
}

#[test]
fn what_else_ends_a_turn() {
    // Another stop.
    let mut b = fresh_line(GO);
    message(&mut b, STOP, 1, 0, &[]);
    b.cycle();
    assert_eq!((b.cycle().get("st_ol_fresh", 0), b.covered("a3_fresh_stopped")), (0, 1));
    // Another tree: of another list, of another root, and one that comes when that is gone. Its turns begin with a drawn input,
    // whoever is granted; those of the last one go on where it comes back.
    let mut b = fresh_line(GO);
    let drawn = [0xACE1, 0xE455].map(|x| (x * 4) >> 16);
    first_tree(&mut b, ALLOC, &[9]);
    assert_eq!(bound(&mut b, &[2], &[]), (vec![2], vec![]));
    assert_eq!((b.cycle().get("st_ol_fresh", 0), b.get("st_ol_turn", 1)), (0, drawn[0]));
    let mut turn = |kind: u32, dlids: &[u32]| {
        message(&mut b, kind, 1, 0, dlids);
        b.cycle();
        b.cycle().get("st_ol_turn", 1)
    };
    assert_eq!(turn(ALLOC, &[9]), drawn[1]);
    let last = turn(ALLOC, &[7]);
    assert_eq!([turn(DEALLOC, &[]), turn(ALLOC, &[7, 8]), turn(DEALLOC, &[])], [last; 3]);
    turn(ALLOC, &[7]);
    let points = ["a3_turn_drawn", "a3_turn_drawn_in_place", "a3_turn_drawn_at_use", "a3_turn_kept"];
    assert_eq!(points.map(|p| b.covered(p)), [1, 3, 1, 1]);
    // A packet that the line does not list, of a queue that is bound to it; not a CNP, not one bound elsewhere.
    let mut b = fresh_line(GO);
    let mut ask = |cnp: u32, line: u32| {
        request(&mut b, 6, 1, 9);
        b.set("req_bound", 6, 1).set("req_line", 6, line).set("req_cnp", 6, cnp).set("pend", 1, 2);
        assert_eq!(granted(b.cycle(), 8), [6]);
        (b.cycle().get("st_ol_fresh", 0), b.get("st_ol_turn", 1))
    };
    assert_eq!([ask(1, 1), ask(0, 0), ask(0, 200), ask(0, 1)], [(2, 0), (2, 0), (2, 0), (0, 0)]);
    assert_eq!(b.covered("a3_turn_used_by_bound"), 1);
}

/// A line whose tree went while it was stopped, or while its turn was due; inputs 1 and 2 wait.
fn closing_line(stopped: bool) -> Bench {
    let mut b = fresh_line(GO);
    if stopped {
        message(&mut b, STOP, 1, 0, &[]);
        b.cycle();
    }
    message(&mut b, DEALLOC, 1, 0, &[]);
    assert_eq!(bound(&mut b, &[], &[1, 2]), (vec![], vec![]));
    b
}

/// Line 1: closing, shown, fresh, its turn pointer, and for how long it is away.
fn closing(b: &Bench) -> [u32; 5] {
    let of =
        [("st_ol_closing", 0), ("ol_valid", 0), ("st_ol_fresh", 0), ("st_ol_turn", 1), ("st_ol_hold", 1)];
    of.map(|(name, i)| b.get(name, i))
}

#[test]
fn a_turn_outlives_its_tree() {
    for stopped in [true, false] {
        let mut b = closing_line(stopped);
        // Shown and not stopped; nobody is told; stop and go have no effect.
        for kind in [STOP, GO] {
            message(&mut b, kind, 1, 0, &[]);
            b.set("can_alloc", 0, 1);
            assert_eq!(bound(&mut b, &[0], &[1, 2]), (vec![], vec![0]));
            assert_eq!((closing(&b), b.get("ol_stop", 0)), ([2, 2, 2, 0, 0], 0));
            assert_eq!((b.get("prop_valid", 0), b.get("ol_wait", 2)), (0, 2));
        }
        // The turn is used: the line is gone, its pointer stays. A packet that it holds is no lack of resources.
        assert_eq!(bound(&mut b, &[1, 2], &[1, 2]), (vec![1], vec![]));
        assert_eq!((closing(b.cycle()), b.get("st_cnt_e7", 0)), ([0, 0, 0, 2, 2], 0));
        // The tree that comes back begins behind it.
        first_tree(&mut b, ALLOC, &[7]);
        b.set("msg_stop", 0, 1).cycle();
        message(&mut b, GO, 1, 0, &[]);
        b.cycle();
        assert_eq!(bound(&mut b, &[1], &[1, 2]), (vec![], vec![1]));
        let points = ["a3_closing_stopped", "a3_closing_fresh", "a3_closing_used", "e6_closing_ignores"];
        assert_eq!(points.map(|p| b.covered(p)), [stopped.into(), (!stopped).into(), 1, 2]);
        assert_eq!([b.covered("e3_closing_not_told"), b.covered("e7_closing_not_counted")], [2, 1]);
    }
}

#[test]
fn what_ends_a_line_that_stays_for_its_turn() {
    // Nobody waits any more.
    let mut b = closing_line(true);
    b.cycle();
    assert_eq!((closing(b.cycle()), b.covered("a3_closing_unawaited")), ([0, 0, 0, 0, 2], 1));
    assert_eq!(b.covered("a3_lost_turn"), 1);
    // It ends again.
    let mut b = closing_line(true);
    message(&mut b, DEALLOC, 1, 0, &[]);
    bound(&mut b, &[], &[1]);
    assert_eq!((closing(b.cycle()), b.covered("e6_closing_ends_again")), ([0, 0, 0, 0, 2], 1));
    // Its timer, which an ignored message leaves alone.
    let mut b = closing_line(true);
    message(&mut b, GO, 1, 0, &[]);
    b.set("pend", 1, 2).config(8, 3);
    let away = (0..8).position(|_| {
        bound(&mut b, &[], &[1]);
        closing(&b)[1] == 0
    });
    assert_eq!((away, b.covered("e6_closing_ends_again")), (Some(3), 1));
    // The same tree keeps it, also when the turn is used in that cycle; another one takes it.
    let again = |asking: &[usize], dlid: u32, stop: u32| {
        let mut b = closing_line(true);
        first_tree(&mut b, ALLOC, &[dlid]);
        b.set("msg_stop", 0, stop);
        bound(&mut b, asking, &[1]);
        b.set("pend", 1, 2).cycle();
        closing(&b)
    };
    assert_eq!(again(&[], 7, 0), [0, 2, 2, 0, 0]);
    assert_eq!(again(&[], 7, 1), [0, 2, 0, 0, 0]);
    assert_eq!(again(&[1], 7, 0), [0, 2, 0, 2, 0]);
    assert_eq!(again(&[1], 9, 0), [0, 0, 0, 2, 2]);
    // A line that nobody waits for is freed at once, and so is one whose turn is used in that cycle, and all with the link.
    let mut b = fresh_line(GO);
    message(&mut b, DEALLOC, 1, 0, &[]);
    b.cycle();
    assert_eq!((closing(b.cycle()), b.covered("a3_ends_unawaited")), ([0, 0, 0, 0, 2], 1));
    let mut b = fresh_line(GO);
    message(&mut b, DEALLOC, 1, 0, &[]);
    assert_eq!(bound(&mut b, &[1], &[1, 2]), (vec![1], vec![]));
    assert_eq!(closing(b.cycle()), [0, 0, 0, 2, 2]);
    let mut b = closing_line(true);
    b.set("link_up", 0, 0);
    bound(&mut b, &[], &[1]);
    assert_eq!(closing(b.cycle()), [0, 0, 0, 0, 2]);
}

#[test]
fn what_a_link_lost_goes_out_no_more() {
    // The diagram of the page: A of 5 flits, granted before cycle 0, then B of 2.
    let mut b = bench("p4v2");
    credits(&mut b, 0, 1000);
    request(&mut b, 0, 5, 5);
    assert_eq!(granted(b.cycle(), 8), [0]);
    b.cycle();
    let (a, short) = (data(16 * 5), data(16 * 2));
    let (mut tx, mut due, mut drop, mut fccl) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for t in 0..10u32 {
        match t {
            0..=4 => _ = flit(&mut b, (t == 0).then_some(&a), t == 4, 8),
            7 | 8 => _ = flit(&mut b, (t == 7).then_some(&short), t == 8, 8),
            _ => {}
        }
        b.set("link_up", 0, u32::from(t != 2 && t != 3));
        if t == 4 || t == 3 {
            b.set("fccl_valid", 0, 1).set("fccl_vl", 0, 0).set("fccl", 0, 500);
        }
        if t == 5 {
            request(&mut b, 2, 2, 5);
        }
        b.cycle();
        assert_eq!(granted(&b, 8), if t == 5 { vec![2] } else { vec![] });
        tx.push(b.get("tx_valid", 0));
        due.push(b.get("st_due", 0));
        drop.push(b.get("st_drop", 0));
        fccl.push(b.get("st_fccl", 0));
    }
    assert_eq!(tx, [0, 1, 1, 0, 0, 0, 0, 0, 1, 1]);
    assert_eq!(due, [1, 1, 1, 1, 1, 0, 1, 1, 1, 0]);
    assert_eq!(drop, [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(fccl, [1000, 1000, 1000, 0, 0, 500, 500, 500, 500, 500]);
    b.cycle();
    // Only B counts in the new life, and nothing of A is an error of framing.
    let names = ["st_txr", "st_fctbs", "st_cnt_sent", "err"];
    assert_eq!(names.map(|name| b.get(name, 0)), [2, 2, 2, 1 << 3]);
}

#[test]
fn no_tree_crosses_a_link_that_is_down() {
    let mut b = bench("tiny");
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 0, 0, &[1]);
    b.cycle().cycle();
    assert_eq!(b.get("ol_valid", 0), 1);
    // A message, of a line that is not there, while the link is down.
    message(&mut b, ALLOC, 9, 0, &[1]);
    b.set("link_up", 0, 0).set("fccl_valid", 0, 1).set("fccl_vl", 0, 9).cycle();
    message(&mut b, ALLOC, 0, 0, &[2]);
    b.set("link_up", 0, 0).cycle();
    b.idle(3);
    assert_eq!((b.get("ol_valid", 0), b.get("st_ol_vl", 0), b.get("err", 0)), (0, 0, 0));
    message(&mut b, ALLOC, 0, 0, &[2]);
    b.cycle().cycle();
    assert_eq!(b.get("ol_valid", 0), 1);
}

#[test]
fn a_hot_request_that_asks_for_no_link_is_served() {
    let mut b = bench("p4v2");
    credits(&mut b, 0, 1000);
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    request(&mut b, 0, 1, 7);
    b.set("req_hot", 0, 1);
    assert_eq!(granted(b.cycle(), 8), [0]);
    assert_eq!((b.covered("e6_drain_served_while_matched"), b.cycle().get("st_cnt_e7", 0)), (1, 0));
}

#[test]
fn a_line_timer_beyond_its_width_is_the_longest() {
    let mut b = bench("tiny"); // TIMER_W 8
    b.config(CTRL, ISO_EN).config(8, 0x100);
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    b.idle(256);
    assert_eq!((b.get("ol_valid", 0), b.get("st_ol_timer", 0)), (1, 255));
    assert_eq!(b.cycle().get("ol_valid", 0), 0);
}

#[test]
fn a_line_lives_for_its_timer() {
    let mut b = bench("tiny");
    b.config(CTRL, ISO_EN).config(8, 5);
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    let life: Vec<_> = (0..8).map(|_| b.cycle().get("ol_valid", 0)).collect();
    assert_eq!(life, [1, 1, 1, 1, 1, 1, 0, 0]); // timer 0..5
    // A message in the very cycle in which it would be freed saves it.
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    b.idle(5);
    assert_eq!(b.get("st_ol_timer", 0), 4);
    message(&mut b, GO, 0, 0, &[]);
    assert_eq!(b.cycle().get("st_ol_timer", 0), 5);
    assert_eq!((b.cycle().get("ol_valid", 0), b.get("st_ol_timer", 0)), (1, 0));
    assert_eq!(b.covered("e8_message_at_expiry"), 1);
    // An ignored one does not.
    b.idle(4);
    message(&mut b, STOP, 0, 1, &[]);
    assert_eq!(b.cycle().get("st_ol_timer", 0), 5);
    assert_eq!(b.cycle().get("ol_valid", 0), 0);
    assert_eq!(b.covered("e8_expiry_despite_miss"), 1);
}

#[test]
fn the_winner_is_told_before_it_is_granted() {
    let mut b = bench("p4v2");
    credits(&mut b, 1, 100);
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 3, 1, &[7]);
    b.cycle();
    let r = 2 * 2 + 1; // input 2, VL 1
    let ask = |b: &mut Bench, can_alloc, known: u32, room: u32| {
        request(b, r, 1, 7);
        b.set("can_alloc", 2, can_alloc).set("known", 2, known << 3).set("room", 2, room << 3).cycle();
        let told: Vec<_> = (0..4).filter(|&i| b.get("prop_valid", i) == 1).collect();
        (granted(b, 8), told)
    };
    assert_eq!(ask(&mut b, 1, 0, 0), (vec![], vec![2]));
    assert_eq!([b.get("prop_vl", 0), b.get("prop_line", 0), b.get("prop_hops", 0)], [1, 3, 4]);
    assert_eq!((b.get("prop_root", 0), order_of(&b, 1)), (0x123402, vec![0, 1, 2, 3]));
    assert_eq!(ask(&mut b, 0, 1, 1), (vec![], vec![2]));
    // It cannot be told: granted all the same, and counted.
    assert_eq!(ask(&mut b, 0, 0, 1), (vec![r], vec![]));
    assert_eq!(ask(&mut b, 1, 1, 0), (vec![r], vec![]));
    assert_eq!(b.cycle().get("st_cnt_e7", 0), 2);
    // Hot: told only to link it again, and never counted.
    b.set("req_hot", r, 1);
    assert_eq!(ask(&mut b, 1, 0, 0), (vec![r], vec![]));
    b.set("req_hot", r, 1).set("req_unlinked", r, 1);
    assert_eq!(ask(&mut b, 0, 0, 0), (vec![], vec![2]));
    b.set("req_cnp", r, 1);
    assert_eq!(ask(&mut b, 1, 0, 0), (vec![r], vec![]));
    assert_eq!(b.cycle().get("st_cnt_e7", 0), 2);
    // Another destination, another VL: not of the tree.
    request(&mut b, r, 1, 8);
    b.set("can_alloc", 2, 1);
    assert_eq!(granted(b.cycle(), 8), [r]);
}

#[test]
fn the_scan_tells_those_that_cannot_win() {
    let mut b = bench("p8v1");
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    let mut told = Vec::new();
    let mut scan = Vec::new();
    for _ in 0..6 {
        for r in [1, 3, 4, 6] {
            request(&mut b, r, 1, if r == 3 { 9 } else { 7 });
            b.set("can_alloc", r, 1);
        }
        b.set("req_hot", 4, 1).set("req_cnp", 6, 1);
        b.cycle();
        assert_eq!(granted(&b, 8), Vec::<usize>::new());
        told.push((0..8).find(|&i| b.get("prop_valid", i) == 1));
        scan.push(b.get("st_scan", 0));
    }
    // Candidates are 1 and 3: hot linked and CNP requests are passed over, 3 is of no tree.
    assert_eq!(told, [Some(1), None, Some(1), None, Some(1), None]);
    assert_eq!(scan, [0, 2, 4, 2, 4, 2]);
}

#[test]
fn without_isolation_there_are_no_lines() {
    let p = Params { isolation: false, ..params("p4v2") };
    let mut b = Bench::new(UnitKind::OutputPort, &p);
    credits(&mut b, 0, 100);
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 200, 15, &[7]);
    b.cycle();
    message(&mut b, ALLOC, 0, 0, &[7]);
    b.cycle();
    request(&mut b, 0, 1, 7);
    b.set("can_alloc", 0, 1);
    assert_eq!(granted(b.cycle(), 8), [0]);
    assert_eq!((b.get("ol_valid", 0), b.get("err", 0)), (0, 0));
}

/// What the switch sees before it answers: grant and elig.
fn proposals(b: &Bench, n: usize) -> (Vec<usize>, Vec<usize>) {
    let mut out = b.output.clone();
    b.unit.outputs(&b.input, &mut out);
    let l = crate::signals::Layout::new(UnitKind::OutputPort, &params("nfq"));
    let set = |at: usize| (0..n).filter(|r| out[at + r] == 1).collect();
    (set(l.output("grant")), set(l.output("elig")))
}

#[test]
fn the_effects_are_those_of_the_request_taken() {
    let mut b = bench("nfq");
    credits(&mut b, 0, 100);
    let ask = |b: &mut Bench| (0..3).for_each(|r| request(b, r, 1 + r as u32, r as u32));
    ask(&mut b);
    assert_eq!(proposals(&b, 3), (vec![0], vec![0, 1, 2]));
    // Nothing taken: nothing happens.
    b.cycle();
    // Another one taken: credits, but the order stays.
    ask(&mut b);
    b.set("take", 2, 1).cycle();
    assert_eq!((b.get("st_txr", 0), order_of(&b, 0)), (0, vec![0, 1, 2]));
    // The proposal taken: it goes to the end.
    ask(&mut b);
    b.set("take", 0, 1).cycle();
    assert_eq!((b.get("st_txr", 0), order_of(&b, 0)), (3, vec![0, 1, 2]));
    // Several: the lowest that may be served. No request, or no free output: none.
    request(&mut b, 1, 2, 1);
    request(&mut b, 2, 3, 1);
    (0..3).for_each(|r| _ = b.set("take", r, 1));
    b.cycle();
    assert_eq!((b.get("st_txr", 0), order_of(&b, 0)), (4, vec![1, 2, 0]));
    ask(&mut b);
    b.set("take", 0, 1).set("xb_act", 1, 1);
    assert_eq!(proposals(&b, 3), (vec![], vec![]));
    b.cycle();
    assert_eq!((b.get("st_txr", 0), order_of(&b, 0)), (6, vec![2, 0, 1]));
    b.cycle();
    assert_eq!((b.get("st_txr", 0), order_of(&b, 0)), (6, vec![2, 0, 1]));
}

#[test]
fn eligible_is_what_a_later_iteration_may_serve() {
    let mut b = bench("nfq");
    b.config(CTRL, ISO_EN);
    message(&mut b, ALLOC, 1, 0, &[7]);
    b.cycle();
    let ask = |b: &mut Bench| {
        request(b, 0, 1, 5);
        request(b, 1, 8, 5);
        request(b, 2, 1, 7);
    };
    // Without credit nobody is.
    ask(&mut b);
    assert_eq!(proposals(&b, 3), (vec![], vec![]));
    b.cycle();
    credits(&mut b, 0, 200);
    // Input 2 is to be told.
    ask(&mut b);
    b.set("can_alloc", 2, 1);
    assert_eq!(proposals(&b, 3), (vec![0], vec![0, 1]));
    // It cannot be told: it may be served, and that is counted by E7.
    b.set("can_alloc", 2, 0);
    assert_eq!(proposals(&b, 3), (vec![0], vec![0, 1, 2]));
    b.set("take", 2, 1).cycle();
    // A CNP that fits keeps data out.
    ask(&mut b);
    b.set("req_cnp", 2, 1);
    assert_eq!(proposals(&b, 3), (vec![2], vec![2]));
    b.set("req_cnp", 2, 0).set("take", 0, 1).cycle();
    assert_eq!((b.get("st_cnt_e7", 0), b.get("st_txr", 0)), (1, 1));
    // The pointer is at 1: input 2 wins, is told, and nothing else is eligible.
    request(&mut b, 0, 1, 5);
    request(&mut b, 2, 1, 7);
    b.set("can_alloc", 2, 1);
    assert_eq!(proposals(&b, 3), (vec![], vec![]));
    assert_eq!(b.cycle().get("prop_valid", 2), 1);
}

#[test]
fn with_one_queue_held_requests_take_no_part() {
    let mut b = bench("nfq");
    b.config(CTRL, ISO_EN);
    credits(&mut b, 0, 200);
    message(&mut b, ALLOC, 1, 0, &[7]);
    b.set("msg_stop", 0, 1).cycle();
    // Input 0 is to be told, input 1 is held; input 2 goes to another destination.
    for (r, dlid) in [(1, 7), (2, 5)] {
        request(&mut b, r, 1, dlid);
    }
    assert_eq!(proposals(&b, 3), (vec![2], vec![2]));
    b.set("take", 1, 1).cycle(); // ignored
    assert_eq!((b.get("held", 0), b.get("held", 1), b.get("held", 2)), (0, 1, 0));
    assert_eq!(b.cycle().get("st_txr", 0), 0);
    assert_eq!((b.covered("a1_take_ignored"), b.covered("e5_held_one_queue")), (1, 1));
    // `held` looks at the fields, not at req_valid.
    b.set("req_dlid", 1, 7).cycle();
    assert_eq!(b.get("held", 1), 1);
    // CNPs are never held; one that fits passes what is held without being counted.
    request(&mut b, 1, 1, 7);
    request(&mut b, 2, 1, 7);
    b.set("req_cnp", 2, 1);
    assert_eq!(proposals(&b, 3), (vec![2], vec![2]));
    b.set("take", 2, 1).cycle();
    assert_eq!(b.cycle().get("st_passed", 0), 0);
}

#[test]
fn a_switch_with_a_port_a_queue_ignores_take() {
    let mut b = bench("tiny");
    credits(&mut b, 0, 20);
    request(&mut b, 0, 1, 1);
    b.set("take", 0, 1).set("take", 2, 1).cycle();
    assert_eq!((b.get("grant", 0), b.get("elig", 0)), (1, 0));
    b.set("take", 2, 1).cycle().cycle();
    assert_eq!((b.get("st_txr", 0), order_of(&b, 0)), (1, vec![1, 2, 0]));
}

#[test]
fn the_lane_is_the_destinations() {
    let mut b = bench("net");
    // DLID 5 mod 4 lanes is VL 1; the header says 15.
    flit(&mut b, Some(&Header { vl: 15, ..data(16) }), true, 8);
    b.cycle().cycle().cycle();
    let sent: Vec<u32> = (0..4).map(|v| b.get("st_fctbs", v)).collect();
    assert_eq!((sent, b.get("err", 0)), (vec![0, 1, 0, 0], 0));
    assert_eq!(b.covered("r1_lane_of_dest"), 1);
}

#[test]
fn registers_are_read_as_written() {
    let p = Params { timer_w: 10, isolation: false, ..params("p4v2") };
    let mut b = Bench::new(UnitKind::OutputPort, &p);
    let (mtu, timer) = (p.mtu as u32, 0x3ff);
    let registers = [
        (0, 0x3fff, 0),
        (1, 0xffff, 6 * mtu),
        (2, 0xffff, 4 * mtu),
        (3, 0xffff, 0),
        (4, 0x1ff, 256),
        (5, 0xff, 0),
        (6, 0xffff, 4),
        (7, 0xf, 1),
        (8, timer, timer),
        (11, 0xffff, 8),
        (12, 0xffff, 33 * p.cap(0) as u32 / 100),
        (13, 0xf, 1),
    ];
    for (addr, _, reset) in registers {
        assert_eq!(b.read(addr), reset, "{addr} after reset");
    }
    for (addr, mask, _) in registers {
        for data in [0, u32::MAX, 0x0000_0155, 1] {
            let saturated = if addr == 8 { data.min(timer) } else { data };
            b.config(addr, data);
            assert_eq!(b.read(addr), saturated & mask, "{addr} written {data:#x}");
        }
    }
    // Everything was written last with 1, and nothing else is there.
    for addr in 0..=255 {
        let there = registers.iter().any(|r| r.0 == addr);
        assert_eq!(b.read(addr), if addr == 9 { 0xace1 } else { u32::from(there) }, "{addr}");
    }
    b.cycle();
    assert_eq!((b.get("cfg_rvalid", 0), b.get("cfg_rdata", 0)), (0, 0));
    b.config(9, 0x1_0000);
    assert_eq!(b.read(9), 1);
    // Both in one cycle: the value before, then the value written.
    b.set("cfg_we", 0, 1).set("cfg_re", 0, 1).set("cfg_addr", 0, 3).set("cfg_data", 0, 77).cycle();
    assert_eq!(b.get("cfg_rvalid", 0), 0);
    b.set("cfg_re", 0, 1).set("cfg_addr", 0, 3).cycle();
    assert_eq!((b.get("cfg_rvalid", 0), b.get("cfg_rdata", 0)), (1, 1));
    b.cycle();
    assert_eq!((b.get("cfg_rvalid", 0), b.get("cfg_rdata", 0)), (1, 77));
    b.unit.reset();
    b.cycle();
    assert_eq!((b.get("cfg_rvalid", 0), b.read(3)), (0, 0));
}

#[test]
fn errors_and_counters_are_read() {
    let p = params("p4v2");
    let mut b = Bench::new(UnitKind::OutputPort, &p);
    credits(&mut b, 0, 2000);
    credits(&mut b, 200, 1);
    assert_eq!(b.read(10), 2);
    // The clear in the cycle of the read comes after it.
    b.set("cfg_we", 0, 1).set("cfg_re", 0, 1).set("cfg_addr", 0, 10).set("cfg_data", 0, 2).cycle();
    b.cycle();
    assert_eq!((b.get("cfg_rdata", 0), b.read(10)), (2, 0));
    for _ in 0..3 {
        request(&mut b, 0, 1, 5);
        assert_eq!(granted(b.cycle(), 8), [0]);
        b.set("xb_act", 0, 1).set("xb_end", 0, 1).cycle();
        flit(&mut b, Some(&data(16)), true, p.flit_bytes / 4);
        b.cycle().idle(3);
    }
    assert_eq!(b.get("st_cnt_sent", 0), 3);
    assert_eq!([128, 129, 130, 131].map(|addr| b.read(addr)), [0, 0, 3, 0]);
    b.config(130, 9);
    assert_eq!(b.read(130), 3);
}

/// A random word vector that is plausible enough to go deep: mostly small numbers, valid bits with varying density.
fn random_inputs(b: &mut Bench, p: &Params, rng: &mut SmallRng, mood: &Mood) {
    let chance = |rng: &mut SmallRng, percent: u32| u32::from(rng.random_range(0..100) < percent);
    for r in 0..p.ports * p.vls {
        if chance(rng, mood.load) == 1 {
            let len = rng.random_range(0..=p.mtu as u32);
            request(b, r, len, rng.random_range(0..4));
            let (cnp, hot, unlinked) = (chance(rng, mood.cnp), chance(rng, 30), chance(rng, 50));
            b.set("req_cnp", r, cnp).set("req_hot", r, hot).set("req_unlinked", r, unlinked & hot);
        }
        b.set("req_bound", r, chance(rng, 30)).set("req_line", r, rng.random_range(0..=p.lines as u32));
        b.set("cong", r, chance(rng, mood.cong)).set("fill", r, rng.random_range(0..=mood.fill));
        if p.markers {
            let space = u32::from(b.get("st_cnt1", r % p.vls) < mood.depth);
            b.set("enter", r, space & chance(rng, mood.enter)).set("full_evt", r, chance(rng, mood.full));
        }
        if p.stamp_w > 0 {
            let most = 1 << (p.stamp_w - 1);
            b.set("req_age", r, [1, 2, 3, most, most][rng.random_range(0..5)]);
        }
    }
    for i in 0..p.ports {
        b.set("can_alloc", i, chance(rng, 50)).set("known", i, rng.random()).set("room", i, rng.random());
        b.set("pend", i, rng.random::<u32>() & rng.random::<u32>());
    }
    if chance(rng, mood.busy) == 1 {
        let i = rng.random_range(0..p.ports);
        b.set("xb_act", i, 1).set("xb_end", i, chance(rng, 30));
        if p.cioq {
            b.set("xb_slow", i, chance(rng, 50));
        }
    }
    if chance(rng, mood.fccl) == 1 {
        let vl = rng.random_range(0..=p.vls);
        let txr = b.get("st_txr", vl.min(p.vls - 1));
        let ahead = [0, 1, 3, p.mtu as u32, 2048, 2049 + p.mtu as u32, 3000][rng.random_range(0..7)];
        b.set("fccl_valid", 0, 1).set("fccl_vl", 0, vl as u32).set("fccl", 0, txr + ahead);
    }
    if chance(rng, mood.flits) == 1 {
        let opcode = [0x04, 0x04, 0x04, 0x80, 0x11][rng.random_range(0..5)];
        let first = chance(rng, 60) == 1;
        let h = Header {
            vl: if chance(rng, 2) == 1 { 15 } else { rng.random_range(0..p.vls as u8) },
            lnh: [2, 2, 2, 3, 0][rng.random_range(0..5)],
            dlid: if chance(rng, 5) == 1 { 0xC001 } else { 3 },
            pkt_len: rng.random_range(0..16 * p.mtu as u16 + 1),
            bth: Some(Bth { opcode, marks: Marks::FECN.when(chance(rng, 20) == 1), ..Bth::default() }),
            ..Header::default()
        };
        let mut h = h;
        if p.markers {
            let marks = Marks::of(rng.random());
            h.bth.iter_mut().for_each(|b| b.marks |= marks & (Marks::MB | Marks::VB));
            b.set("sw_mark", 0, chance(rng, 20));
        }
        let last = chance(rng, 60) == 1;
        flit(b, first.then_some(&h), last, p.flit_bytes / 4);
        b.set("sw_bad", 0, u32::from(last) & chance(rng, 10));
    }
    b.set("link_up", 0, 1 - chance(rng, mood.down));
    if chance(rng, mood.messages) == 1 {
        let kind = [ALLOC, ALLOC, DEALLOC, STOP, GO][rng.random_range(0..5)];
        let line = rng.random_range(0..p.lines as u32 + u32::from(mood.messages > 50));
        let vl = rng.random_range(0..p.vls as u32 + u32::from(mood.cnp > 50));
        let dlids: Vec<u32> = (0..rng.random_range(0..4)).map(|_| rng.random_range(0..4)).collect();
        message(b, kind, line, vl, &dlids);
        b.set("msg_hops", 0, [0, 5, 63][rng.random_range(0..3)]).set("msg_stop", 0, chance(rng, 50));
        if chance(rng, 5) == 1 {
            b.set("msg_dcnt", 0, 200);
        }
    }
    if chance(rng, 3) == 1 {
        let new = if p.markers { 4 } else { 0 } + if p.cioq { 2 } else { 0 };
        let addr =
            [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11, 12, 11, 13, 13][rng.random_range(0..13 + new)];
        let data = match addr {
            0 => {
                let readings = u32::from(rng.random_range(0..8) == 0) << 7 | rng.random_range(0..2) << 8;
                let readings = readings | if p.markers { rng.random_range(0..16) << 9 } else { 0 };
                let readings = readings | chance(rng, 25) << 13;
                rng.random_range(0..128) | readings | (chance(rng, 80) * (MARK_EN | ISO_EN))
            }
            1 | 2 => chance(rng, 90) * rng.random_range(0..6 * p.mtu as u32),
            3 => [0, 1, 2, 3, 65535][rng.random_range(0..5)],
            4 => rng.random_range(0..512),
            5 => rng.random_range(0..p.mtu as u32 + 1),
            6 | 7 | 13 => rng.random_range(0..4),
            8 => [rng.random_range(0..20), rng.random_range(0..20), u32::MAX][rng.random_range(0..3)],
            9 => chance(rng, 50) * rng.random::<u32>(),
            11 => rng.random_range(0..4),
            12 => rng.random_range(0..=2 * (p.mtu * p.ports) as u32),
            _ => rng.random(),
        };
        b.set("cfg_we", 0, 1).set("cfg_addr", 0, addr).set("cfg_data", 0, data);
    }
}

/// Takes as a switch would, mostly.
fn random_take(b: &mut Bench, p: &Params, rng: &mut SmallRng) {
    let (grants, elig) = proposals(b, p.ports);
    let pick = match rng.random_range(0..10) {
        0 => None,
        1..=3 if !elig.is_empty() => Some(elig[rng.random_range(0..elig.len())]),
        4 => Some(rng.random_range(0..p.ports)),
        _ => grants.first().copied(),
    };
    pick.into_iter().for_each(|r| _ = b.set("take", r, 1));
    if rng.random_ratio(1, 30) {
        b.set("take", rng.random_range(0..p.ports), 1);
    }
}

struct Mood {
    load: u32,
    cnp: u32,
    cong: u32,
    fill: u32,
    busy: u32,
    fccl: u32,
    flits: u32,
    messages: u32,
    down: u32,
    enter: u32,
    /// No more packets than these wait, but for those that come together.
    depth: u32,
    full: u32,
}

/// A point that random traffic is to reach: lists that overlap, both fresh, are left to a scenario.
fn wanted(point: &str, p: &Params) -> bool {
    point != "a3_turns_of_two" && cover_applies(point, p)
}

#[test]
fn random_traffic_reaches_every_cover_point() {
    let without_isolation = Params { isolation: false, ..params("p4v2") };
    let names = ["tiny", "p4v2", "p8v1", "nfq", "net", "santiny", "marktiny", "marknfq", "marknet", "cqtiny"];
    for p in names.map(params).into_iter().chain([without_isolation]) {
        let mut b = Bench::new(UnitKind::OutputPort, &p);
        let mut rng = SmallRng::seed_from_u64(1);
        let mut reader = Reader::new(UnitKind::OutputPort, &p, 1);
        // The rarest points want more than the least number of phases in some builds.
        for phase in 0..1600 {
            if phase >= 400 && b.uncovered(|point| wanted(point, &p)).is_empty() {
                break;
            }
            let pick = |rng: &mut SmallRng| [0, 2, 10, 50, 90, 100][rng.random_range(0..6)];
            let mood = Mood {
                load: pick(&mut rng),
                cnp: pick(&mut rng),
                cong: pick(&mut rng),
                fill: [0, 1, 4, 2 * p.mtu as u32][rng.random_range(0..4)],
                busy: pick(&mut rng),
                fccl: pick(&mut rng),
                flits: pick(&mut rng),
                messages: pick(&mut rng),
                // Then a life long enough for counters to wrap.
                down: if phase < 150 { [0, 0, 1, 5, 50][rng.random_range(0..5)] } else { 0 },
                enter: if p.markers { [1, 2, 4, 30, 90][rng.random_range(0..5)] } else { 0 },
                depth: [2, 4, u32::MAX][rng.random_range(0..3)],
                full: if p.markers { [0, 1, 1, 10][rng.random_range(0..4)] } else { 0 },
            };
            for _ in 0..400 {
                random_inputs(&mut b, &p, &mut rng, &mood);
                if p.one_queue {
                    random_take(&mut b, &p, &mut rng);
                }
                reader.drive(&mut b.input);
                b.cycle();
            }
        }
        assert_eq!(b.uncovered(|point| wanted(point, &p)), [""; 0], "{p:?}");
        let points = b.unit.cover_points().iter().zip(b.unit.cover());
        for (point, hits) in points.filter(|(point, _)| !cover_applies(point.name, &p)) {
            assert_eq!(*hits, 0, "{} is said to be out of reach", point.name);
        }
    }
}

/// Parameter sets for random words: the builds, one without isolation, the extremes.
fn any_params() -> impl Strategy<Value = Params> {
    let d = Params::default();
    let mut sets: Vec<Params> =
        builds().iter().filter(|b| b.unit == UnitKind::OutputPort).map(|b| b.params).collect();
    sets.push(Params { isolation: false, ..sets[1] });
    sets.push(Params { ports: 64, vls: 8, lines: 32, dlist: 32, mtu: 64, timer_w: 4, rx_blocks: 512, ..d });
    sets.push(Params { ports: 2, vls: 1, lines: 1, dlist: 1, mtu: 1, flit_bytes: 32, ..d });
    prop::sample::select(sets)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the words: no panic, values within their widths, at most one grant, and that to a request that fits
    /// while the output is free; never a grant and a prop together.
    #[test]
    fn any_words_are_defined(p in any_params(), seed in any::<u64>(), sparse in 1u32..40) {
        let mut b = Bench::new(UnitKind::OutputPort, &p);
        let mut rng = SmallRng::seed_from_u64(seed);
        for _ in 0..200 {
            for w in b.input.iter_mut() {
                let x: u32 = rng.random();
                *w = if rng.random_range(0..sparse) == 0 { x } else { 0 };
            }
            b.set("link_up", 0, u32::from(rng.random_range(0..20) > 0));
            let input = b.input.clone();
            b.cycle();
            b.check_widths().map_err(TestCaseError::fail)?;
            let l = crate::signals::Layout::new(UnitKind::OutputPort, &p);
            let n = p.ports * p.vls;
            let grants = granted(&b, n);
            let props = (0..p.ports).filter(|&i| b.get("prop_valid", i) == 1).count();
            prop_assert!(grants.len() + props <= 1);
            let any = |name: &str| (0..p.ports).any(|i| input[l.input(name) + i] & 1 == 1);
            for r in grants {
                let slot = b.get("rd_en", 0) == 1 || b.get("rd_slow", 0) == 1;
                prop_assert!(!any("xb_act") || (any("xb_end") && slot));
                prop_assert_eq!(input[l.input("req_valid") + r] & 1, 1);
                let mut v = r % p.vls;
                if p.srp {
                    let nack = v == p.vls - 3 && input[l.input("req_nack") + r / p.vls] & 1 == 1;
                    v = if nack { p.vls - 1 } else { v };
                }
                let first = match p.control_lane() {
                    Some(lane) => v == lane,
                    None => input[l.input("req_cnp") + r] & 1 == 1,
                };
                let cnp = first && b.get("cnp_plain", 0) == 0;
                let len = if cnp || p.srp { input[l.input("req_len") + r] & 0x7f } else { p.mtu as u32 };
                if p.cioq {
                    prop_assert!(b.get("st_ofill", v) + len <= p.ocap() as u32);
                    continue;
                }
                let left = b.get("st_fccl", v).wrapping_sub(b.get("st_txr", v)).wrapping_sub(len) & 0xfff;
                prop_assert!(left <= 2048);
            }
            prop_assert!((0..p.vls).all(|v| (b.get("st_cr", v) as usize) < p.ports));
            for v in 0..p.vls {
                // Every place once.
                let row = |i: usize| b.get_element("st_ahead", i * p.vls + v).iter().map(|w| w.count_ones());
                let taken = (0..p.ports).fold(0u128, |set, i| set | 1 << row(i).sum::<u32>());
                prop_assert!(p.srp || taken == (1 << p.ports) - 1);
            }
            let passed = (0..p.vls).map(|v| b.get("st_passed", v)).max();
            prop_assert!((b.get("st_scan", 0) as usize) < n && passed <= Some(32));
        }
    }

    /// A3: data of an input are passed by others of their VL at most P-1 times between two of its grants, counted over all cycles
    /// in which they ask, whatever is between: other requests, CNPs, credits that lack, lines that hold, links that go down.
    #[test]
    fn nobody_is_passed_more_often_than_there_are_others(seed in any::<u64>(), plain: bool) {
        let mut b = bench("p4v2");
        let mut rng = SmallRng::seed_from_u64(seed);
        b.config(CTRL, ISO_EN | if plain { 0x80 } else { 0 });
        let mut passed = [0; 8];
        // Who asks in which cycle of a period, and of what.
        let period = rng.random_range(1..12);
        let asks: Vec<[Option<bool>; 8]> = (0..period)
            .map(|_| [0; 8].map(|_| rng.random_ratio(1, 2).then(|| rng.random_ratio(1, 8))))
            .collect();
        for t in 0..600 {
            let txr = [0, 1].map(|v| b.get("st_txr", v));
            let v = rng.random_range(0..2);
            credits(&mut b, v as u32, txr[v] + if rng.random_ratio(3, 4) { 100 } else { 0 });
            if rng.random_ratio(1, 6) {
                let kind = [ALLOC, STOP, GO, DEALLOC][rng.random_range(0..4)];
                message(&mut b, kind, rng.random_range(0..3), v as u32, &[rng.random_range(0..3)]);
            }
            b.set("link_up", 0, u32::from(rng.random_ratio(63, 64)));
            let now = asks[t % period];
            for (r, cnp) in now.iter().enumerate().filter_map(|(r, x)| x.map(|cnp| (r, cnp))) {
                request(&mut b, r, 1, rng.random_range(0..3));
                b.set("req_cnp", r, u32::from(cnp));
            }
            b.cycle();
            for g in granted(&b, 8) {
                let data = |r: usize| now[r].is_some_and(|cnp| plain || !cnp);
                if !data(g) {
                    continue;
                }
                passed[g] = 0;
                for r in (g % 2..8).step_by(2).filter(|&r| r != g && data(r)) {
                    passed[r] += 1;
                    prop_assert!(passed[r] <= 3, "{:?} in cycle {}", passed, t);
                }
            }
        }
    }

    /// A3: a data request that stays up with credit is granted after at most P-1 other data grants of its VL, between two of which
    /// there are at most 32 CNPs, V-1 data grants of other VLs that are not urgent (data go before CNPs that fit) and two urgent ones
    /// of each other VL (it is urgent after 32 CNPs: at once, and once more after these 32).
    #[test]
    fn no_request_waits_for_ever(seed in any::<u64>(), r in 0usize..8, cnps: bool) {
        let mut b = bench("p4v2");
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut alike, mut others, mut urgent, mut passed) = (0, 0, 0, 0);
        for _ in 0..300 {
            for v in 0..2 {
                let txr = b.get("st_txr", v);
                credits(&mut b, v as u32, txr + 500);
            }
            let mut is_cnp = [false; 8];
            for x in (0..8).filter(|x| *x != r) {
                if rng.random() {
                    request(&mut b, x, 3, 1);
                    is_cnp[x] = cnps && rng.random_range(0..3) > 0;
                    b.set("req_cnp", x, u32::from(is_cnp[x]));
                }
            }
            request(&mut b, r, 3, 1);
            match granted(b.cycle(), 8)[..] {
                [x] if x == r => (alike, others, urgent, passed) = (0, 0, 0, 0),
                [x] if is_cnp[x] => passed += 1,
                [x] if x % 2 == r % 2 => (alike, others, urgent, passed) = (alike + 1, 0, 0, 0),
                // The state shown is that of before the grant: 32 is urgent.
                [x] if b.get("st_passed", x % 2) == 32 => urgent += 1,
                [_] => others += 1,
                _ => prop_assert!(false, "somebody must be granted"),
            }
            prop_assert!(alike < 4 && others < 2 && urgent <= 2 && passed <= 32);
            b.cycle();
        }
    }

    /// A3 with `cnp_plain`: a request that stays up with credit, CNP or data, is granted after at most P-1 other grants of its
    /// VL, and V-1 of other VLs between two of those.
    #[test]
    fn no_plain_request_waits_for_ever(seed in any::<u64>(), r in 0usize..8, cnp: bool) {
        let mut b = bench("p4v2");
        b.config(CTRL, 0x80);
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut alike, mut others) = (0, 0);
        for _ in 0..300 {
            for v in 0..2 {
                let txr = b.get("st_txr", v);
                credits(&mut b, v as u32, txr + 500);
            }
            for x in (0..8).filter(|x| *x != r) {
                if rng.random() {
                    request(&mut b, x, 3, 1);
                    b.set("req_cnp", x, rng.random_range(0..2));
                }
            }
            request(&mut b, r, 3, 1);
            b.set("req_cnp", r, u32::from(cnp));
            match granted(b.cycle(), 8)[..] {
                [x] if x == r => (alike, others) = (0, 0),
                [x] if x % 2 == r % 2 => (alike, others) = (alike + 1, 0),
                [_] => others += 1,
                _ => prop_assert!(false, "somebody must be granted"),
            }
            prop_assert!(alike < 4 && others < 2);
            b.cycle();
        }
    }

    /// Reset leaves nothing behind but the coverage.
    #[test]
    fn reset_is_complete(p in any_params(), seed in any::<u64>()) {
        let mut used = Bench::new(UnitKind::OutputPort, &p);
        let mut rng = SmallRng::seed_from_u64(seed);
        for _ in 0..50 {
            used.input.iter_mut().for_each(|w| *w = rng.random());
            used.cycle();
        }
        used.unit.reset();
        let mut fresh = Bench::new(UnitKind::OutputPort, &p);
        for _ in 0..20 {
            for w in 0..used.input.len() {
                let x = rng.random();
                (used.input[w], fresh.input[w]) = (x, x);
            }
            used.cycle();
            fresh.cycle();
            prop_assert_eq!(&used.output, &fresh.output);
            prop_assert_eq!(&used.state, &fresh.state);
        }
    }
}
