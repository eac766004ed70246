//! Registers (C1), counters and errors.

use super::*;

/// Reads a register of a port.
fn read(r: &mut Router, port: u32, addr: u32) -> u32 {
    r.b.set("cfg_port", 0, port).read(addr)
}

#[test]
fn registers_are_read_as_they_were_written() {
    let mut r = Router::new("odd");
    let reset =
        [(LHP, 64), (BE_MASK, 0x10), (LFSR_SEED, 0xace1), (ERR_CLEAR, 0), (CNT_FLITS, 0), (CNT_DROP, 0)];
    for (addr, value) in reset {
        assert_eq!(read(&mut r, 3, addr), value, "{addr}");
    }
    for v in 0..7 {
        for first in [WEIGHT_IN, WEIGHT_OUT] {
            assert_eq!(read(&mut r, 1, first + v), 1);
            r.write(1, first + v, 0xffff_ff00 + v);
            assert_eq!((read(&mut r, 1, first + v), read(&mut r, 2, first + v)), (v, 1));
        }
    }
    r.write(2, LHP, 0x1ff);
    assert_eq!((read(&mut r, 2, LHP), read(&mut r, 1, LHP)), (0xff, 64));
    r.write(255, LHP, 0);
    assert!((0..5).all(|p| read(&mut r, p, LHP) == 0));
    // The router's own, at any port.
    r.write(4, BE_MASK, 0xffff_fffe);
    assert!((0..5).all(|p| read(&mut r, p, BE_MASK) == 0xfffe));
    r.write(255, BE_MASK, 1);
    assert_eq!(read(&mut r, 2, BE_MASK), 1);
    for port in [5, 16, 254] {
        r.write(port, BE_MASK, 3);
        r.write(port, LHP, 3);
        assert_eq!((read(&mut r, port, BE_MASK), read(&mut r, 0, BE_MASK), read(&mut r, 0, LHP)), (0, 1, 0));
    }
    assert_eq!(read(&mut r, 255, BE_MASK), 0);
    r.write(0, LFSR_SEED, 0xf_0000);
    assert_eq!((read(&mut r, 0, LFSR_SEED), read(&mut r, 1, LFSR_SEED)), (1, 0xace1));
    for addr in [0, 1, 2, 4, 6, 7, 9, 11, 31, 39, 47, 55, 64, 127, 131, 255] {
        r.write(0, addr, !0);
        assert_eq!(read(&mut r, 0, addr), 0, "{addr}");
    }
}

#[test]
fn the_highest_quarter_of_the_data_lanes_is_best_effort_at_first() {
    for (vls, mask) in [(3, 1), (4, 2), (7, 0x10), (9, 0x40), (10, 0xc0), (16, 0x3800)] {
        let mut r = Router::with(&Params { vls, ..params("odd") });
        assert_eq!(read(&mut r, 0, BE_MASK), mask, "{vls}");
    }
}

#[test]
fn a_read_beside_a_write_gives_the_value_before() {
    let mut r = Router::new("tiny");
    r.b.set("cfg_we", 0, 1).set("cfg_re", 0, 1).set("cfg_port", 0, 1).set("cfg_addr", 0, LHP);
    r.b.set("cfg_data", 0, 9).cycle();
    assert_eq!(r.get("cfg_rvalid", 0), 0);
    r.cycle();
    assert_eq!((r.get("cfg_rvalid", 0), r.get("cfg_rdata", 0)), (1, 64));
    r.cycle();
    assert_eq!((r.get("cfg_rvalid", 0), r.get("cfg_rdata", 0)), (0, 0));
    assert_eq!(read(&mut r, 1, LHP), 9);
}

#[test]
fn counters_stop_at_their_largest_value() {
    let mut r = Router::with(&Params { cnt_w: 3, ..params("odd") });
    for n in 1..12u32 {
        r.message(0, 0, 2, 1);
        for _ in 0..6 {
            r.give();
        }
        assert_eq!((r.get("st_cnt_flits", 1), r.get("st_cnt_msgs", 1)), ((2 * n).min(7), n.min(7)));
    }
    assert_eq!((read(&mut r, 1, CNT_FLITS), read(&mut r, 1, CNT_MSGS)), (7, 7));
    for _ in 0..0x1_0005 {
        r.flit(2, 1, Tail, 0);
        r.cycle();
    }
    r.cycle();
    assert_eq!((r.get("st_cnt_drop", 2), read(&mut r, 2, CNT_DROP)), (0xffff, 0xffff));
}

#[test]
fn errors_stay_until_they_are_cleared() {
    let mut r = Router::new("tiny");
    r.flit(0, 0, Body, 0);
    r.flit(1, 9, Body, 0);
    r.cycle();
    r.write(1, ERR_CLEAR, !BAD_VL);
    assert_eq!((r.errors(0), r.errors(1)), (FRAMING, BAD_VL));
    assert_eq!((read(&mut r, 0, ERR_CLEAR), read(&mut r, 1, ERR_CLEAR)), (FRAMING, BAD_VL));
    // Set wins.
    r.flit(0, 0, Body, 0);
    r.write(255, ERR_CLEAR, 0xffff);
    r.cycle();
    assert_eq!((r.errors(0), r.errors(1)), (FRAMING, 0));
    r.write(5, ERR_CLEAR, 0xffff);
    r.cycle();
    assert_eq!(r.errors(0), FRAMING);
}

/// A seed that is written in the cycle of a draw is what the LFSR holds.
#[test]
fn a_seed_wins_over_a_draw() {
    let mut r = Router::new("two");
    r.flit(0, 0, Whole, 1);
    r.idle(2);
    r.write(1, LFSR_SEED, 0x1234);
    r.cycle();
    assert_eq!((r.lane("st_own", 0, 0), r.get("st_lfsr", 1)), (1, 0x1234));
    assert_eq!(r.b.covered("yw4_seed_and_draw"), 1);
}
