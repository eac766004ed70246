//! Registers (C1), counters and errors.

use super::*;

#[test]
fn registers_are_read_as_they_were_written() {
    let mut a = Adapter::new("odd");
    let reset = [0, 16, 4, 4096, 0, 0x10, 64, 4, 0xace1, 0, 0, 1, 0].into_iter().enumerate();
    for (addr, value) in reset {
        assert_eq!(a.b.read(addr as u32), value, "{addr}");
    }
    for (addr, value) in [
        (CTRL, 7),
        (M, 0xffff),
        (C_B, 0xffff),
        (LIMIT, 0x1fff),
        (LID, 0xffff),
        (BE_MASK, 0xffff),
        (LHP, 0xff),
        (WSHIFT, 0xf),
        (LFSR_SEED, 0xffff),
        (FIRST_NODE, 0xffff),
        (ERR_CLEAR, 0),
        (BE_WEIGHT, 0xff),
        (PROBE_GAP, 0xffff),
    ] {
        a.b.config(addr, !0);
        assert_eq!(a.b.read(addr), value, "{addr}");
        a.b.config(addr, 0);
        assert_eq!(a.b.read(addr), u32::from(addr == LFSR_SEED), "{addr}");
    }
    for addr in [13, 14, 32, 127, 128, 130, 132, 133, 134, 255] {
        a.b.config(addr, !0);
        assert_eq!(a.b.read(addr), 0, "{addr}");
    }
    assert_eq!((Adapter::new("full").b.read(M), Adapter::new("full").b.read(C_B)), (1024, 200));
    let few = Params { msgq: 2, ..params("tiny") };
    assert_eq!((Adapter::with(&few).b.read(M), Adapter::with(&few).b.read(C_B)), (2, 1));
    // A read beside a write gives the value before.
    a.b.set("cfg_re", 0, 1).config(LHP, 7);
    a.b.cycle();
    assert_eq!((a.get("cfg_rvalid"), a.get("cfg_rdata"), a.b.read(LHP)), (1, 0, 7));
    a.b.cycle();
    assert_eq!((a.get("cfg_rvalid"), a.get("cfg_rdata")), (0, 0));
}

#[test]
fn counters_stay_at_their_largest_value() {
    let mut a = Adapter::new("tiny");
    for n in 1..=20u32 {
        a.b.set("rx_valid", 0, 1).set("rx_first", 0, 1).set("rx_last", 0, 1).cycle();
        a.b.cycle();
        assert_eq!(a.get("st_cnt_rcv"), n.min(15));
        assert_eq!(a.best_effort(1, 1), 0);
        a.until_tail();
        a.b.cycle();
        assert_eq!(a.get("st_cnt_sent"), n.min(15));
    }
    assert_eq!((a.b.read(128), a.b.read(129), a.b.read(130), a.b.read(131)), (15, 15, 0, 0));
    assert_eq!((a.b.covered("c1_sent_full"), a.b.covered("c1_rcv_full")), (5, 5));
}

#[test]
fn sums_and_counts_are_read() {
    let mut a = Adapter::two(CREDITS | ADMISSION);
    assert_eq!((a.open(0, 1, 2048), a.open(1, 1, 5000)), (0, 2));
    a.control(1, 0);
    a.flit(0, false, false, [0; 4]);
    a.b.cycle();
    assert_eq!((a.b.read(132), a.b.read(133), a.b.read(130), a.b.read(131)), (2048, 4, 1, 1));
    assert_eq!(a.b.read(ERR_CLEAR), BAD_POST | FRAMING);
    a.b.config(ERR_CLEAR, FRAMING).cycle();
    assert_eq!(a.get("err"), BAD_POST);
    // What is set stays in the cycle that clears it.
    a.flit(0, false, false, [0; 4]);
    a.b.config(ERR_CLEAR, !0).cycle();
    assert_eq!((a.get("err"), a.b.covered("c1_error_set_wins")), (FRAMING, 1));
}
