//! Directed tests of ACKs: sections 3, 4, 6, 7 and 9 of `docs/hca.md`.

use super::tests::{BASE, LID, OWN, Rig, SEND, THROTTLE, data};
use crate::model::header::{Bth, Header, Marks};

const CNPS: u32 = 1;
const QUEUED: u32 = 2;
const ACKS: u32 = 4;
const VALIDATED: u32 = 8;

const BAD_ACK: u32 = 1 << 9;

/// An adapter that acknowledges; its windows are off.
fn rig(name: &str) -> Rig {
    let mut r = Rig::new(name);
    r.config(OWN, 0, CNPS | ACKS);
    if r.p.response {
        r.config(THROTTLE, 1, 0);
    }
    r
}

/// Data with marks and a PSN.
fn packet(n: u16, psn: u32, marks: Marks) -> Header {
    Header { bth: Some(Bth { opcode: 4, psn, marks, ..Bth::default() }), ..data(n) }
}

/// An ACK from the host of a flow.
fn ack(flow: u16, marks: Marks) -> Header {
    let bth = Bth { opcode: 0x11, psn: 77, marks, ..Bth::default() };
    Header { pkt_len: 7, slid: BASE as u16 + flow, bth: Some(bth), ..data(1) }
}

fn psns(r: &Rig) -> Vec<u32> {
    r.sent.iter().map(|h| h.bth.unwrap().psn).collect()
}

/// The timing diagram, and the bytes of the ACK.
#[test]
fn data_in_ack_out() {
    let mut r = rig("tiny");
    let mut h = packet(2, 0xabcdef, Marks::FECN | Marks::MB | Marks::VB);
    (h.sl, h.vl) = (7, 1);
    let names = ["st_cnt_ack", "st_cnp_pkts", "tx_valid"];
    let expected = [[0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 1], [1, 0, 0]];
    for (t, values) in expected.into_iter().enumerate() {
        match t {
            0 => r.flit(Some(&h), false),
            1 => r.flit(None, true),
            _ => &mut r,
        };
        r.cycle();
        assert_eq!(names.map(|n| r.b.get(n, 0)), values, "cycle {t}");
        if t == 5 {
            let mut words = [0; 8];
            let slid = BASE as u8 + 2;
            words[0] = u32::from_le_bytes([0x10, 0x72, 0, slid]);
            words[1] = u32::from_le_bytes([0, 7, 0, LID as u8]);
            words[2] = u32::from_le_bytes([0x11, 0, 0xff, 0xff]);
            words[3] = u32::from_le_bytes([0x70, 0, 0, 0]);
            words[4] = u32::from_le_bytes([0, 0xab, 0xcd, 0xef]);
            assert_eq!(r.b.get_words("tx_data"), words);
        }
    }
    r.get("st_cnt_cnp", 0);
    r.get("err", 0);
    r.covered(&["ak3_ack", "ak3_vb", "ak3_fecn", "ak3_long_psn", "ak3_no_cnp"]);
}

/// The timing diagram: a window of one.
#[test]
fn ack_in_window_opens() {
    for name in ["rtiny", "rtinyp", "r64"] {
        let mut r = rig(name);
        r.config(THROTTLE, 1, 1);
        r.post(3, 1, 1).post(3, 1, 2).idle(40);
        assert_eq!(psns(&r), [1], "{name}");
        r.get("st_out", 1 << 3);
        r.get("st_gen_pkts", 1);
        let seen = |r: &Rig| ["st_cnt_ack_in", "st_out", "dma_valid"].map(|n| r.b.get(n, 0));
        for t in 0..14 {
            if t == 0 {
                r.flit(Some(&ack(3, Marks::NONE)), true);
            }
            r.cycle();
            let out = if t < 4 || t == 13 { 1 << 3 } else { 0 };
            assert_eq!(seen(&r), [u32::from(t > 0), out, u32::from(t == 13)], "{name} cycle {t}");
        }
        r.get("err_thr", 0);
        r.idle(20);
        assert_eq!(psns(&r), [1, 2]);
        r.covered(&["ak6_held", "ak6_opened", "ak5_ack", "vr5_post"]);
    }
}

/// With credit for one MTU an ACK goes first, then the credit is that of data.
#[test]
fn an_ack_and_data_take_turns_where_credit_is_short() {
    for name in ["tiny", "rtiny"] {
        let mut r = rig(name);
        let mtu = r.p.mtu as u32;
        r.credit(0, 0).post(0, mtu, 1).post(0, mtu, 2).idle(40);
        for psn in [11, 12] {
            r.receive(&packet(1, psn, Marks::NONE));
        }
        r.idle(6).get("st_cnp_pkts", 2);
        // The first ACK takes credit that data wait for.
        r.credit(0, mtu).idle(10);
        assert_eq!((psns(&r), r.b.get("st_owed", 0), r.b.get("st_cnp_pkts", 0)), (vec![11], 1, 1));
        // A credit more, and data go, though the ACK needs less.
        r.credit(0, mtu + 1).idle(10);
        assert_eq!((psns(&r), r.b.get("st_owed", 0), r.b.get("st_cnp_pkts", 0)), (vec![11, 1], 0, 1));
        // Again.
        r.credit(0, 2 * mtu + 1).idle(10);
        assert_eq!((psns(&r), r.b.get("st_owed", 0)), (vec![11, 1, 12], 1));
        r.credit(0, 2 * mtu + 2).idle(10);
        assert_eq!((psns(&r), r.b.get("st_owed", 0)), (vec![11, 1, 12, 2], 0));
        r.covered(&["ak4_owed", "ak4_owed_holds", "ak4_lacks_credit", "ak4_ahead_of_data"]);
        // With turns at the link nothing is owed.
        r.post(0, mtu, 3).idle(30).receive(&packet(1, 13, Marks::NONE)).idle(6);
        r.config(SEND, 0, 0x80).credit(0, 3 * mtu + 2).idle(10).get("st_owed", 0);
    }
}

#[test]
fn what_is_owed_ends_with_cnp_plain() {
    let mut r = rig("tiny");
    let mtu = r.p.mtu as u32;
    r.credit(0, 0).post(0, mtu, 1).idle(30).receive(&packet(1, 11, Marks::NONE)).idle(6);
    r.credit(0, mtu).idle(6).get("st_owed", 1);
    r.config(SEND, 0, 0x80).get("st_owed", 1);
    // The register is written: the first cycle of 1 still shows it.
    r.cycle().get("st_owed", 1);
    r.cycle().get("st_owed", 0);
}

#[test]
fn a_full_fifo_loses_what_comes() {
    let mut r = rig("tiny");
    r.credit(0, 0);
    for psn in 1..=4 {
        r.receive(&packet(1, psn, Marks::NONE));
    }
    r.idle(4);
    assert_eq!(["st_cnt_ack", "st_cnt_ack_lost", "st_cnp_pkts"].map(|n| r.b.get(n, 0)), [2, 2, 2]);
    // All four went to the host: receiving waits for nothing.
    r.get("st_cnt_rcv", 4);
    // Of another lane there is room.
    let mut other = packet(1, 5, Marks::NONE);
    other.vl = 1;
    r.credit(1, 0).receive(&other).receive(&packet(1, 6, Marks::NONE)).idle(4);
    assert_eq!(["st_cnt_ack", "st_cnt_ack_lost", "st_cnp_pkts"].map(|n| r.b.get(n, 0)), [3, 3, 3]);
    // Full in the cycle of the grant: lost, though one leaves. The FIFO is read in the cycle behind the credit.
    r.credit(0, 100);
    r.flit(Some(&packet(1, 7, Marks::NONE)), true).cycle();
    r.flit(Some(&packet(1, 8, Marks::NONE)), true).cycle();
    r.idle(20);
    r.covered(&["ak4_lost_despite_pop", "ak4_push_and_pop", "ak4_lost_on_one_lane", "ak4_full"]);
    let all = psns(&r);
    assert_eq!(all, [1, 2, 8], "{all:?}");
    r.credit(1, 100).idle(10);
    assert_eq!(psns(&r), [1, 2, 8, 5]);
    r.get("err", 0);
}

#[test]
fn what_ends_is_answered_once_and_nothing_else() {
    let mut r = rig("h64");
    let h = packet(3, 1, Marks::FECN);
    // Damaged, short, too long, whole.
    r.flit(Some(&h), false).cycle();
    r.flit(None, true).b.set("rx_bad", 0, 1);
    r.cycle().idle(8).get("st_cnt_ack", 1);
    r.flit(Some(&h), false).cycle();
    r.flit(None, true).cycle().idle(8).get("st_cnt_ack", 2);
    r.flit(Some(&h), false).cycle();
    r.flit(None, false).cycle();
    r.flit(None, false).cycle().cycle().get("st_cnt_ack", 3);
    r.flit(None, true).cycle().idle(8).get("st_cnt_ack", 3);
    // Given up by a packet of one flit, which has its own.
    r.flit(Some(&h), false).cycle();
    r.flit(Some(&packet(1, 2, Marks::MB)), true).cycle().idle(8);
    r.get("st_cnt_ack", 4);
    let last = r.sent.last().unwrap().bth.unwrap();
    assert_eq!((last.psn, last.marks), (2, Marks::MB));
    // Refused, multicast, opaque.
    r.receive(&Header { dlid: 1, ..h }).receive(&Header { dlid: 0xc001, ..h });
    r.receive(&Header { lnh: 1, bth: None, ..h }).idle(8).get("st_cnt_ack", 4);
    // The link falls within one.
    r.flit(Some(&h), false).cycle();
    r.b.set("link_up", 0, 0);
    r.cycle().idle(8).get("st_cnt_ack", 4);
    r.get("st_cnt_cnp", 0);
    r.covered(&["ak3_damaged", "ak3_not_whole", "ak3_given_up", "ak3_given_up_and_next", "ak3_link_down"]);
}

/// Section 9: what is written in the cycle of the end, and within a packet.
#[test]
fn ack_en_is_that_of_the_end() {
    let mut r = rig("tiny");
    let h = packet(2, 1, Marks::NONE);
    // Off in the cycle of the last flit: the old value.
    r.flit(Some(&h), false).cycle();
    r.flit(None, true).config(OWN, 0, CNPS).cycle().get("st_cnt_ack", 1);
    // On in that cycle: none.
    r.flit(Some(&h), false).cycle();
    r.flit(None, true).config(OWN, 0, CNPS | ACKS).cycle().get("st_cnt_ack", 1);
    // On within the packet, off within the packet.
    r.config(OWN, 0, CNPS);
    r.flit(Some(&h), false).config(OWN, 0, ACKS);
    r.flit(None, true).cycle().cycle().get("st_cnt_ack", 2);
    r.flit(Some(&h), false).config(OWN, 0, 0);
    r.flit(None, true).cycle().cycle().get("st_cnt_ack", 2);
    r.covered(&["ak3_late", "ak3_too_late"]);
}

#[test]
fn acks_are_taken_whatever_room_there_is() {
    let mut r = rig("tiny");
    let cap = r.p.rx_cap(0) as u32;
    for _ in 0..cap {
        r.receive(&packet(1, 1, Marks::NONE));
    }
    r.get("err", 0);
    let abr = r.b.get("st_rx_abr", 0);
    r.receive(&ack(2, Marks::BECN)).receive(&ack(1, Marks::MB)).cycle().get("st_cnt_ack_in", 2);
    assert_eq!((r.b.get("st_rx_used", 0), r.b.get("st_cnt_becn", 0), r.b.get("err", 0)), (cap, 1, 0));
    assert_eq!(r.b.get("st_rx_abr", 0), (abr + 3) & 0xfff);
    // They are answered by nothing.
    r.get("st_cnt_ack", cap.min(31));
    r.covered(&["ak5_without_room", "ak5_back_to_back", "ak5_becn", "ak5_mb"]);
}

#[test]
fn acks_that_are_odd() {
    let mut r = rig("tiny");
    // Of nobody's flow.
    r.receive(&Header { slid: 1, ..ack(0, Marks::NONE) }).cycle().get("err", 1 << 4);
    r.config(OWN, 10, 0xffff).cycle().get("err", 0);
    // Damaged: in one flit, in several.
    r.flit(Some(&ack(1, Marks::BECN)), true).b.set("rx_bad", 0, 1);
    r.cycle().cycle().get("err", BAD_ACK | 1 << 7);
    let long = Header { pkt_len: 48, ..ack(1, Marks::NONE) };
    r.config(OWN, 10, 0xffff);
    r.flit(Some(&long), false).cycle();
    r.flit(None, true).cycle().cycle().get("err", BAD_ACK | 1);
    // Given up by an ACK, which counts.
    r.config(OWN, 10, 0xffff).get("st_cnt_ack_in", 0);
    r.flit(Some(&long), false).cycle();
    r.receive(&ack(2, Marks::NONE)).cycle().get("err", BAD_ACK | 1);
    r.get("st_cnt_ack_in", 1);
    // Several flits count once; the link falls within one.
    r.config(OWN, 10, 0xffff).receive(&long).cycle().get("err", 0);
    r.get("st_cnt_ack_in", 2);
    r.flit(Some(&long), false).cycle();
    r.b.set("link_up", 0, 0);
    r.cycle().cycle().get("err", BAD_ACK | 1 << 8);
    r.get("st_cnt_ack_in", 2);
    r.get("st_cnt_rcv", 0);
    // Taken, and whole when ack_en is 0 already.
    r.config(OWN, 10, 0xffff);
    r.flit(Some(&long), false).config(OWN, 0, 0);
    r.flit(None, false).cycle();
    r.flit(None, true).cycle().cycle().get("st_cnt_ack_in", 3);
    // To the host: ack_en = 0, and multicast.
    r.receive(&ack(2, Marks::NONE)).cycle().get("st_cnt_rcv", 1);
    r.config(OWN, 0, ACKS);
    r.receive(&Header { dlid: 0xc003, ..ack(2, Marks::NONE) }).cycle().get("st_cnt_rcv", 2);
    assert_eq!((r.b.get("err", 0), r.b.get("st_cnt_ack_in", 0)), (0, 3));
    r.covered(&["ak5_long", "ak5_late", "ak5_off", "ak5_multicast", "ak5_given_up", "ak5_link_down"]);
}

#[test]
fn the_mark_that_is_answered_can_be_the_validated_one() {
    let mut r = Rig::new("tiny");
    r.config(OWN, 0, CNPS | VALIDATED);
    for (marks, cnps) in [
        (Marks::FECN, 0),
        (Marks::MB, 0),
        (Marks::VB, 0),
        (Marks::MB | Marks::VB, 1),
        (Marks::MB | Marks::VB | Marks::BECN, 1),
        (Marks::MB | Marks::VB | Marks::FECN, 2),
    ] {
        r.receive(&packet(1, 1, marks)).idle(8).get("st_cnt_cnp", cnps);
    }
    r.covered(&["h2_src_validated", "h2_src_fecn", "h2_src_mb"]);
    r.config(OWN, 0, CNPS | VALIDATED | ACKS);
    r.receive(&packet(1, 1, Marks::MB | Marks::VB)).idle(8).get("st_cnt_cnp", 2);
    r.get("st_cnt_ack", 1);
}

#[test]
fn cnps_and_acks_leave_in_their_order() {
    let mut r = Rig::new("tiny");
    r.credit(0, 0).receive(&packet(1, 5, Marks::FECN)).config(OWN, 0, CNPS | ACKS);
    r.receive(&packet(1, 6, Marks::FECN)).idle(4).get("st_cnp_pkts", 2);
    r.credit(0, 100).idle(10);
    let kinds: Vec<u8> = r.sent.iter().map(|h| h.bth.unwrap().opcode).collect();
    assert_eq!(kinds, [0x80, 0x11]);
    r.covered(&["ak4_behind_cnp"]);
}

/// The mover takes CNPs and no ACKs; an ACK at the head goes to the link, and a CNP behind it then moves.
#[test]
fn the_mover_leaves_acks_alone() {
    let mut r = Rig::new("tiny");
    r.credit(0, 0).config(OWN, 0, CNPS | QUEUED | ACKS).receive(&packet(1, 5, Marks::FECN));
    r.config(OWN, 0, CNPS | QUEUED).receive(&packet(1, 6, Marks::FECN)).idle(6);
    assert_eq!((r.b.get("st_cnp_pkts", 0), r.b.get("st_gen_pkts", 0)), (2, 0));
    r.credit(0, 100).idle(30);
    let kinds: Vec<u8> = r.sent.iter().map(|h| h.bth.unwrap().opcode).collect();
    assert_eq!(kinds, [0x11, 0x80]);
    r.covered(&["ak4_beside_moved", "h2_queued"]);
    // With the source response the bit acts as 0.
    let mut r = Rig::new("rtiny");
    r.config(OWN, 0, CNPS | QUEUED).receive(&packet(1, 6, Marks::FECN)).idle(10);
    assert_eq!((r.sent.len(), r.b.get("err", 0)), (1, 0));
    r.b.set("cfg_re", 0, 1).set("cfg_unit", 0, OWN);
    r.cycle().cycle().get("cfg_rdata", CNPS | QUEUED);
    r.covered(&["h2_queued_ignored"]);
}

/// A post in the cycle in which the queue's only packet is accepted is no first one.
#[test]
fn a_post_behind_the_last_packet_is_not_the_first() {
    let mut r = rig("rtiny");
    r.post(1, 1, 1).idle(5);
    // The packet is accepted in the sixth cycle behind the post.
    r.post(1, 1, 2);
    assert_eq!((r.b.covered("vr5_post"), r.b.covered("vr5_post_and_accept")), (1, 1));
    r.idle(20).post(1, 1, 3);
    assert_eq!(r.b.covered("vr5_post"), 2);
}

#[test]
fn the_registers_of_the_source_response_are_unit_2() {
    let mut r = Rig::new("rtiny");
    r.config(THROTTLE, 5, 0x1234).b.set("cfg_re", 0, 1).set("cfg_unit", 0, THROTTLE).set("cfg_addr", 0, 5);
    r.cycle().cycle().get("cfg_rdata", 0x1234);
    // A waiting time that is not there: an error of the chooser.
    r.b.set("wt_we", 0, 1).set("wt_addr", 0, 16);
    r.cycle().cycle().get("err_thr", 1);
    r.b.set("cct_we", 0, 1).set("cct_addr", 0, 0xffff);
    r.config(THROTTLE, 10, 1).cycle().get("err_thr", 0);
    let mut r = Rig::new("tiny");
    r.b.set("wt_we", 0, 1).set("wt_addr", 0, 16);
    r.cycle().cycle().get("err_thr", 0);
    r.get("st_out", 0);
}
