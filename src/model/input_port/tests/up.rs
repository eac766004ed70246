//! Section 17: routes that are any up port.

use super::*;
use crate::params::ANY_UP;

const UP_MASK: u32 = 22;
const UP_SEED: u32 = 23;

/// DLIDs 1 and 5 are behind any up port.
fn up(mask: u32) -> Bench {
    let mut b = Bench::new(params("uptiny"));
    for dlid in [1, 5] {
        b.lft(dlid, ANY_UP.into());
        b.clock();
    }
    b.cfg(UP_MASK, mask);
    b
}

/// The step of the LFSR, one bit at a time.
fn steps(x: u32, n: usize) -> u32 {
    (0..n).fold(x, |x, _| (x << 1 | (x >> 15 ^ x >> 13 ^ x >> 12 ^ x >> 10) & 1) & 0xffff)
}

/// The outputs of whatever asks on VL 0.
fn asked(b: &Bench) -> Vec<usize> {
    (0..4).filter(|o| b.get("req_valid", o * 2) == 1).collect()
}

/// The diagram of the page.
#[test]
fn headers_of_any_up_port_draw_and_others_do_not() {
    let mut b = up(0b1100);
    let (s0, s1) = (0xace1, steps(0xace1, 16));
    let mut shown = Vec::new();
    for dlid in [1, 2, 5] {
        b.pins(pkt(dlid, 1), 0);
        b.clock();
        shown.push(b.get("st_lfsr", 0));
    }
    b.clock();
    shown.push(b.get("st_lfsr", 0));
    assert_eq!(shown, [s0, s1, s1, steps(s1, 16)]);
    // A went to output 3, B has a route of its own, C goes where its own bits say.
    let c = 2 + (s1 >> 15) as usize;
    let mut wanted = vec![3, 2, c];
    wanted.sort_unstable();
    wanted.dedup();
    assert_eq!(asked(&b), wanted);
    assert_eq!(b.take(3, 0)[0].3, pkt(1, 1).tag);
}

#[test]
fn without_an_output_that_leads_up_there_is_no_route() {
    for mask in [0, !0xf] {
        let mut b = up(mask);
        b.send(pkt(1, 1));
        assert_eq!((b.get("err", 0), b.get("st_cnt_drop", 0)), (1 << err::NO_ROUTE, 1));
        assert_eq!(b.get("st_lfsr", 0), steps(0xace1, 16), "it moves all the same");
        assert_eq!(b.read(UP_MASK), mask);
    }
}

#[test]
fn seeds_win_over_steps_and_are_not_0() {
    let mut b = up(0xf);
    for (seed, acts) in [(0, 1), (0x1_0000, 1), (0xffff_1234, 0x1234)] {
        b.pins(pkt(1, 1), 0);
        b.clock();
        b.cfg(UP_SEED, seed);
        assert_eq!((b.get("st_lfsr", 0), b.read(UP_SEED)), (acts, acts));
    }
    assert!(b.covered(Cov::Up1SeedBeatsStep) && b.covered(Cov::Up1Seed0));
}

#[test]
fn a_mask_moves_nobody_who_waits() {
    let mut b = up(0b0010);
    b.send(pkt(1, 2));
    b.cfg(UP_MASK, 0b1000);
    b.clocks(2);
    assert_eq!(asked(&b), [1]);
    b.send(pkt(1, 2));
    assert_eq!(asked(&b), [1, 3]);
    assert!(b.covered(Cov::Up1TwoWays) && b.covered(Cov::Up1MaskWaits));
}

#[test]
fn a_header_without_a_link_draws_nothing() {
    let mut b = up(0xf);
    b.set("link_up", 0, 0);
    b.pins(pkt(1, 1), 0);
    b.clock();
    b.clocks(2);
    assert_eq!(b.get("st_lfsr", 0), 0xace1);
    assert!(b.covered(Cov::Up1LinkDown));
}

#[test]
fn without_the_parameter_there_is_nothing() {
    let mut b = Bench::new(Params { random_up: false, ..params("uptiny") });
    b.lft(1, ANY_UP.into());
    b.clock();
    b.cfg(UP_MASK, 0xf);
    b.cfg(UP_SEED, 7);
    assert_eq!((b.read(UP_MASK), b.read(UP_SEED), b.get("st_lfsr", 0)), (0, 0, 0));
    b.send(pkt(1, 1));
    assert_eq!((b.get("err", 0), b.get("st_lfsr", 0)), (1 << err::NO_ROUTE, 0));
}

/// Packets of one flit, some broken, on all lanes; masks, seeds and the link change. Returns how often each cover point was hit.
pub(super) fn random_traffic() -> Vec<(usize, u64)> {
    use crate::params::lanes::opcode;
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};
    let mut b = Bench::new(params("uptinysrp"));
    let mut rng = SmallRng::seed_from_u64(5);
    for dlid in [1, 2, 4] {
        b.lft(dlid, ANY_UP.into());
        b.clock();
    }
    for _ in 0..40_000 {
        if rng.random_bool(0.6) {
            let p = Pkt { vl: rng.random_range(0..4), ..pkt(rng.random_range(0..6), 1) };
            b.pins_raw(p, 0, true, true, rng.random_bool(0.1));
            let at = b.layout.input("rx_data");
            let header = Header::parse(&b.input[at..at + 8]);
            let bth = Some(Bth { opcode: opcode::SPEC, ..Bth::default() });
            let slid = rng.random_range(0..6);
            Header { slid, bth, ..header }.write(&mut b.input[at..at + 8]);
        }
        b.set("link_up", 0, u32::from(rng.random_bool(0.98)));
        let (addr, data) = match rng.random_range(0..40) {
            0 => (UP_MASK, [0, 0b111, 0b010, !0b111, u32::MAX][rng.random_range(0..5)]),
            1 | 2 => (UP_SEED, [0, rng.random()][rng.random_range(0..2)]),
            _ => (255, 0),
        };
        for (name, value) in [("cfg_we", 1), ("cfg_re", 1), ("cfg_addr", addr), ("cfg_data", data)] {
            b.set(name, 0, value);
        }
        for o in 0..3 {
            b.set("rd_en", o, 1);
            let asks = (0..4).find(|v| b.get("req_valid", o * 4 + v) == 1);
            if let Some(v) = asks.filter(|_| rng.random_bool(0.4)) {
                b.set("grant", o * 4 + v, 1);
            }
        }
        b.clock();
    }
    b.unit.cover().iter().copied().enumerate().collect()
}

/// Both ways of a speculative packet are drawn by one draw, and its NACK goes by it.
#[test]
fn both_ways_are_one_draw() {
    const SPEC: u32 = 20;
    const TTW: u32 = 21;
    let mut b = Bench::new(params("uptinysrp"));
    for dlid in [1, 2] {
        b.lft(dlid, ANY_UP.into());
        b.clock();
    }
    b.cfg(TTW, 0);
    b.cfg(SPEC, 1);
    for (mask, out) in [(0b100, 2), (0b001, 0)] {
        b.cfg(UP_MASK, mask);
        let before = b.get("st_lfsr", 0);
        let mut flit = vec![0; 8];
        let bth = Some(Bth { opcode: crate::params::lanes::opcode::SPEC, ..Bth::default() });
        Header { vl: 1, lnh: 2, dlid: 1, slid: 2, pkt_len: 16, bth, ..Header::default() }.write(&mut flit);
        b.pins_raw(pkt(1, 1), 0, true, true, false);
        let at = b.layout.input("rx_data");
        b.input[at..at + 8].copy_from_slice(&flit);
        b.clocks(2);
        assert_eq!(b.get("st_lfsr", 0), steps(before, 16));
        assert_eq!(b.get("req_valid", out * 4 + 1), 1);
        b.clocks(3);
        assert_eq!(b.get("req_nack", out), 1);
        b.take(out, 1);
    }
    assert!(b.covered(Cov::Up1Both));
}
