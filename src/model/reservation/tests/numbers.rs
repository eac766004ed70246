//! Numbers of chunks: 13 bits, at every pin.

use super::*;

/// An op on the table of sources: a mark that is good. Cycles until it is written.
fn takes(b: &mut Bench, id: u32, seq: u32) {
    b.set("see_mark", 0, 1).set("see_flow", 0, 1).set("see_id", 0, id).set("see_seq", 0, seq);
    run(b);
    b.set("see_ok", 0, 1);
    run(b);
    run(b);
}

/// What is told of the first flit of a packet: `see_drop`, `see_ack`.
fn told(b: &mut Bench, id: u32, seq: u32) -> (u32, u32) {
    b.set("see_look", 0, 1).set("see_flow", 0, 1).set("see_id", 0, id).set("see_seq", 0, seq);
    run(b);
    run(b);
    (b.get("see_drop", 0), b.get("see_ack", 0))
}

#[test]
fn a_copy_of_many_chunks_ago_is_dropped() {
    let mut b = on(&params("tinyd"), 1);
    takes(&mut b, 100, 0);
    takes(&mut b, 300, 0);
    assert_eq!((b.get("st_see_id", 0), told(&mut b, 300, 0)), (300, (1, 1)));
    for (back, told_of) in [(1, (1, 0)), (128, (1, 0)), (200, (1, 0)), (256, (1, 0)), (300, (1, 0))] {
        assert_eq!(told(&mut b, 300 - back, 0), told_of, "{back} chunks older");
    }
    for (id, told_of) in [(300 + 4095, (0, 0)), (300 + 4096, (1, 0)), (300 + 4097, (1, 0)), (556, (0, 0))] {
        assert_eq!(told(&mut b, id, 0), told_of, "{id}");
    }
    // A RES is told the newest one.
    b.set("see_res", 0, 1).set("see_flow", 0, 1).set("see_id", 0, 100);
    run(&mut b);
    run(&mut b);
    assert_eq!((b.get("see_drop", 0), b.get("see_known", 0)), (1, 300));
    // Through the wrap.
    for id in [4300, 8191, 0, 3] {
        takes(&mut b, id, 1);
        assert_eq!(told(&mut b, id, 1), (1, 1), "{id}");
    }
    assert_eq!([told(&mut b, 8191, 1), told(&mut b, 4100, 1)], [(1, 0); 2]);
}

#[test]
fn a_source_counts_on_from_any_number() {
    for named in [0, 254, 255, 256, 4095, 8190, 8191] {
        let id = (named + 1) % 8192;
        let mut b = on(&params("tinyd"), 1);
        b.config(CTRL, SRP_EN);
        post(&mut b, 2, 1, 4, 0);
        until(&mut b, "res_valid");
        runs(&mut b, 10);
        // Another GRANT's number is of no matter: only one that names a number acts.
        reply(&mut b, GRANT, 2, 1, 0, 0);
        runs(&mut b, 4);
        assert_eq!(b.get("inj_valid", 0), 0);
        reply(&mut b, GRANT, 2, named, 0, 0).set("rep_init", 0, 1);
        until(&mut b, "inj_valid");
        assert_eq!(b.get("inj_id", 0), id);
        post(&mut b, 2, 1, 4, 1);
        until(&mut b, "res_valid");
        let next = (id + 1) % 8192;
        assert_eq!(b.get("res_id", 0), next);
        until_state(&mut b, 2, SPEC);
        // Numbers that differ in one bit are of other chunks.
        for bit in 0..13 {
            reply(&mut b, GRANT, 2, next ^ 1 << bit, 0, 0);
            runs(&mut b, 3);
            assert_eq!(b.get("st_wt", 0), 0, "bit {bit} of {next}");
        }
        reply(&mut b, GRANT, 2, next, 0, 1000);
        until_state(&mut b, 2, WAIT);
        assert_eq!(b.get("st_tab_id", 0), next);
    }
}

#[test]
fn a_destination_answers_with_the_whole_number() {
    let mut b = on(&params("tinyd"), 1);
    for id in [0, 255, 256, 0x1555, 8191] {
        res(&mut b, 5, 4).set("rin_id", 0, id);
        until(&mut b, "out_valid");
        assert_eq!((b.get("out_kind", 0), b.get("out_id", 0)), (GRANT, id));
        run(&mut b);
        b.set("end_valid", 0, 1).set("end_id", 0, id).set("end_seq", 0, 3);
        until(&mut b, "out_valid");
        assert_eq!((b.get("out_kind", 0), b.get("out_id", 0), b.get("out_seq", 0)), (ACK, id, 3));
        run(&mut b);
    }
}
