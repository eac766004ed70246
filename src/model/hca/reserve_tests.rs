//! Directed tests of section 13 of `docs/hca.md`: an adapter with reservation.

use super::tests::{BASE, LID, OWN, PORT, Rig, THROTTLE};
use crate::model::header::{Bth, Header, SrpFields};
use crate::params::lanes::{SrpLane, opcode};

/// BAD_CLASS, BAD_FLOW, NO_CREDIT.
const BAD_CLASS: u32 = 1 << 10;
const BAD_FLOW: u32 = 1 << 4;
const NO_CREDIT: u32 = 1 << 2;

/// Reservation on, for messages of two packets and more.
fn rig(name: &str) -> Rig {
    let mut r = Rig::new(name);
    r.config(THROTTLE, 0, 3).config(THROTTLE, 3, 2);
    r.idle(40);
    r
}

fn lane(r: &Rig, class: SrpLane) -> usize {
    class.vl(r.p.vls)
}

/// The header of a packet of `n` flits to the adapter from LID `from`, on a lane.
fn header(vl: usize, code: u8, n: usize, from: u32) -> Header {
    Header {
        vl: vl as u8,
        sl: 5,
        lnh: 2,
        dlid: LID as u16,
        pkt_len: 16 * n as u16,
        slid: from as u16,
        bth: Some(Bth { opcode: code, ..Bth::default() }),
    }
}

/// A flit of the first kind that `tx` showed.
#[derive(Debug, PartialEq)]
struct Sent {
    cycle: u32,
    code: u8,
    vl: usize,
    dlid: u32,
    fields: SrpFields,
}

/// Cycles, with what `tx` began in them; a packet whose first flit is `first` comes in the first ones.
fn watch(r: &mut Rig, cycles: u32, mut first: Option<(Header, SrpFields)>) -> Vec<Sent> {
    let mut seen = Vec::new();
    for cycle in 0..cycles {
        if let Some((h, f)) = first.take() {
            let mut words = vec![0; r.p.flit_bytes / 4];
            h.write(&mut words);
            f.write(&mut words);
            r.flit(Some(&h), h.flits() == 1);
            r.b.set_words("rx_data", &words);
        }
        r.cycle();
        if r.b.get("tx_valid", 0) & r.b.get("tx_first", 0) == 1 {
            let words = r.b.get_words("tx_data");
            let h = Header::parse(words);
            let code = h.bth.expect("a BTH").opcode;
            assert_eq!((h.lnh, u32::from(h.slid), h.bth.unwrap().dest_qp >> 8), (2, LID, 0));
            let fields = SrpFields::parse(words);
            seen.push(Sent { cycle, code, vl: h.vl.into(), dlid: h.dlid.into(), fields });
        }
    }
    seen
}

fn post(r: &mut Rig, flow: u32, pkts: u32, last: u32, psn: u32) {
    r.b.set("gen_pkts", 0, pkts);
    r.post(flow, last, psn);
}

#[test]
fn a_message_asks_sends_and_is_granted() {
    let mut r = rig("srptiny");
    let mtu = r.p.mtu as u32;
    post(&mut r, 3, 2, 1, 0x100);
    // (cycle 0 of `watch` is the one after the post: cycle 1 of the page)
    let seen = watch(&mut r, 40, None);
    let res = SrpFields { id: 1, n: 2, flags: 2, size: mtu as u16 + 1, ..SrpFields::default() };
    let spec = |seq| SrpFields { id: 1, seq, n: 2, flags: 2, ..SrpFields::default() };
    let kinds: Vec<_> = seen.iter().map(|s| (s.code, s.vl, s.dlid, s.fields)).collect();
    let to = BASE + 3;
    assert_eq!(
        kinds,
        [
            (opcode::RES, lane(&r, SrpLane::Res), to, res),
            (opcode::SPEC, lane(&r, SrpLane::Spec), to, spec(0)),
            (opcode::SPEC, lane(&r, SrpLane::Spec), to, spec(1)),
        ]
    );
    // RES on offer and granted in cycle 5, in the engine in 6, on the crossbar in 7, on the link in 8.
    assert_eq!(seen[0].cycle + 1, 8);
    assert_eq!(r.b.get("st_ungranted", 0), 0);
    // The first is dropped, the second delivered; the GRANT lets the first go again.
    for (code, seq) in [(opcode::NACK, 0), (opcode::ACK, 1), (opcode::GRANT, 0)] {
        let h = header(lane(&r, SrpLane::Reply), code, 1, to);
        let fields = SrpFields { id: 1, seq, wait: 0, ..SrpFields::default() };
        let seen = watch(&mut r, 1, Some((h, fields)));
        assert_eq!(seen, []);
    }
    let seen = watch(&mut r, 40, None);
    let kinds: Vec<_> = seen.iter().map(|s| (s.code, s.vl, s.fields)).collect();
    assert_eq!(kinds, [(opcode::GRANTED, 0, spec(0))]);
    assert_eq!(r.b.get("err", 0) | r.b.get("err_thr", 0), 0);
}

#[test]
fn a_request_is_granted_and_gives_its_block_back() {
    let mut r = rig("srp2");
    let (res, out) = (lane(&r, SrpLane::Res), lane(&r, SrpLane::Reply));
    let fields = SrpFields { id: 0x1507, size: 12, n: 2, ..SrpFields::default() };
    let h = header(res, opcode::RES, 1, 0x777);
    let seen = watch(&mut r, 1, Some((h, fields)));
    assert_eq!(seen, []);
    r.cycle();
    assert_eq!(r.b.get("st_rx_used", res), 1);
    let seen = watch(&mut r, 20, None);
    let grant = SrpFields { id: 0x1507, ..SrpFields::default() };
    let kinds: Vec<_> = seen.iter().map(|s| (s.code, s.vl, s.dlid, s.fields)).collect();
    assert_eq!(kinds, [(opcode::GRANT, out, 0x777, grant)]);
    assert_eq!((r.b.get("st_rx_used", res), r.b.get("st_rx_used", out)), (0, 0));
    assert_eq!((r.b.get("st_cnt_rcv", 0), r.b.get("host_valid", 0)), (0, 0));
    // The time is booked: the next one waits.
    let seen = watch(&mut r, 20, Some((h, fields)));
    assert!(seen[0].fields.wait == 0 && seen.len() == 1 || seen[0].fields.wait < 13, "{seen:?}");
}

#[test]
fn requests_have_as_many_blocks_as_are_told() {
    let mut r = rig("srp2");
    let (res, ctl) = (lane(&r, SrpLane::Res), r.p.ctl_blocks as u32);
    // No reply leaves: the link is down for credits. T is far ahead soon, and the reply FIFO full.
    for vl in 0..r.p.vls as u32 {
        let txr = r.b.get("st_txr", vl as usize);
        r.credit(vl, txr);
    }
    let h = header(res, opcode::RES, 1, 0x777);
    let fields = SrpFields { id: 7, size: 1, n: 1, ..SrpFields::default() };
    for _ in 0..r.p.repq as u32 + ctl {
        watch(&mut r, 4, Some((h, fields)));
        assert_eq!(r.b.get("err", 0), 0);
    }
    assert_eq!(r.b.get("st_rx_used", res), ctl);
    watch(&mut r, 4, Some((h, fields)));
    assert_eq!((r.b.get("err", 0), r.b.get("err_thr", 0)), (NO_CREDIT, 0));
}

#[test]
fn a_delivered_packet_is_acknowledged_when_the_host_has_it() {
    let mut r = rig("srptiny");
    let (spec, out) = (lane(&r, SrpLane::Spec), lane(&r, SrpLane::Reply));
    let n = 3;
    let h = header(spec, opcode::SPEC, n, 0x321);
    let fields = SrpFields { id: 0x1f04, seq: 2, age: 99, ..SrpFields::default() };
    let seen = watch(&mut r, 1, Some((h, fields)));
    assert_eq!(seen, []);
    r.flit(None, false).cycle();
    r.flit(None, true).cycle();
    assert_eq!(watch(&mut r, 30, None), []);
    r.get("host_valid", 1);
    for i in 0..n {
        r.b.set("host_ready", 0, 1);
        r.cycle();
        r.get("host_last", u32::from(i + 1 == n));
    }
    let seen = watch(&mut r, 20, None);
    let ack = SrpFields { id: 0x1f04, seq: 2, ..SrpFields::default() };
    let kinds: Vec<_> = seen.iter().map(|s| (s.code, s.vl, s.dlid, s.fields)).collect();
    assert_eq!(kinds, [(opcode::ACK, out, 0x321, ack)]);
    assert_eq!((r.b.get("st_cnt_rcv", 0), r.b.get("st_rx_used", spec)), (1, 0));
    // A damaged one is answered with a NACK.
    let one = header(spec, opcode::SPEC, 1, 0x321);
    r.b.set("rx_bad", 0, 1);
    watch(&mut r, 3, Some((one, fields)));
    r.b.set("host_ready", 0, 1);
    r.cycle();
    assert_eq!(watch(&mut r, 20, None)[0].code, opcode::NACK);
}

#[test]
fn lanes_take_what_belongs_there() {
    for name in ["srptiny", "srp2"] {
        let mut r = rig(name);
        let (spec, res, out) = (lane(&r, SrpLane::Spec), lane(&r, SrpLane::Res), lane(&r, SrpLane::Reply));
        for vl in 0..r.p.vls {
            for code in [0x04, 0x11, 0x80, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5] {
                for (lnh, n) in [(2, 1), (2, 2), (3, 1)] {
                    let mut h = header(vl, code, n, BASE);
                    h.lnh = lnh;
                    let fields = SrpFields { size: 1, ..SrpFields::default() };
                    watch(&mut r, 1, Some((h, fields)));
                    if n == 2 {
                        r.flit(None, true).cycle();
                    }
                    for _ in 0..20 {
                        r.b.set("host_ready", 0, 1);
                        r.cycle();
                    }
                    let own = match vl {
                        v if v == spec => code == 0xc4 && lnh == 2,
                        v if v == res => code == 0xc0 && lnh == 2 && n == 1,
                        v if v == out => (0xc1..=0xc3).contains(&code) && lnh == 2 && n == 1,
                        _ => lnh != 2 || !(0xc0..=0xc4).contains(&code),
                    };
                    let expected = if own { 0 } else { BAD_CLASS };
                    assert_eq!(r.b.get("err", 0), expected, "{name}: {code:x} lnh {lnh} n {n} on {vl}");
                    r.config(OWN, 10, 0xffff);
                }
            }
        }
        // A reply from nobody.
        let h = header(out, opcode::ACK, 1, BASE + r.p.flows as u32);
        watch(&mut r, 2, Some((h, SrpFields::default())));
        assert_eq!(r.b.get("err", 0), BAD_FLOW);
    }
}

#[test]
fn a_packet_without_a_route_stops_nobody() {
    let mut r = rig("srptiny");
    // One packet, for a destination that the adapter's own input port does not know.
    r.config(OWN, 2, 0x2000);
    post(&mut r, 0, 1, 2, 0);
    r.idle(40);
    r.config(OWN, 2, BASE);
    assert_eq!((r.b.covered("q20_refused"), r.b.get("st_ungranted", 0)), (1, 0));
    post(&mut r, 1, 1, 2, 0);
    let seen = watch(&mut r, 40, None);
    assert_eq!(seen.iter().map(|s| (s.code, s.dlid)).collect::<Vec<_>>(), [(0x04, BASE + 1)]);
    // The error is the input port's.
    assert_ne!(r.b.get("err_in", 0), 0);
    r.config(PORT, 10, 0xffff);
}

#[test]
fn nothing_for_a_lane_without_credit_stands_in_the_queues() {
    let mut r = rig("srptiny");
    let spec = lane(&r, SrpLane::Spec);
    let txr = r.b.get("st_txr", spec);
    r.credit(spec as u32, txr);
    post(&mut r, 3, 4, 4, 0);
    let seen = watch(&mut r, 60, None);
    assert_eq!(seen.iter().map(|s| s.code).collect::<Vec<_>>(), [opcode::RES]);
    assert_eq!((r.b.get("st_ungranted", 0), r.b.get("st_used", spec)), (0, 0));
    // With credit for one flit less than an MTU neither.
    r.credit(spec as u32, txr + r.p.mtu as u32 - 1);
    assert_eq!(watch(&mut r, 60, None), []);
    r.credit(spec as u32, txr + r.p.mtu as u32);
    assert_eq!(watch(&mut r, 60, None)[0].code, opcode::SPEC);
}

/// Copies and what is new, as it comes to an adapter whose losses end: how many flits the host is shown, what is sent.
#[test]
fn copies_of_many_chunks_ago_are_dropped() {
    let mut r = rig("srptinyd");
    let (spec, out) = (lane(&r, SrpLane::Spec), lane(&r, SrpLane::Reply));
    let from = BASE + 1;
    let mut comes = |code: u8, id: u16, flags: u8| {
        let h = header(if code == opcode::SPEC { spec } else { 0 }, code, 1, from);
        let fields = SrpFields { id, flags, ..SrpFields::default() };
        let mut seen = watch(&mut r, 1, Some((h, fields)));
        let mut shown = 0;
        for _ in 0..20 {
            r.b.set("host_ready", 0, 1);
            seen.extend(watch(&mut r, 1, None));
            shown += r.b.get("host_valid", 0);
        }
        let said: Vec<_> = seen.iter().map(|s| (s.code, s.vl, s.fields.id, s.fields.flags)).collect();
        assert_eq!(r.b.get("err", 0), 0);
        (shown, said)
    };
    let retry = 1;
    assert_eq!(comes(opcode::SPEC, 100, 0), (1, vec![(opcode::ACK, out, 100, 0)]));
    assert_eq!(comes(opcode::SPEC, 300, 0), (1, vec![(opcode::ACK, out, 300, 0)]));
    // The same again is answered and not shown; what is older is neither.
    assert_eq!(comes(opcode::GRANTED, 300, retry), (0, vec![(opcode::ACK, out, 300, retry)]));
    for old in [299, 172, 171, 100, 44, 0] {
        assert_eq!(comes(opcode::SPEC, old, 0), (0, vec![]), "{old}");
        assert_eq!(comes(opcode::GRANTED, old, retry), (0, vec![]), "{old}");
    }
    assert_eq!(comes(opcode::GRANTED, 0x10ff, retry), (1, vec![(opcode::ACK, out, 0x10ff, retry)]));
    assert_eq!(comes(opcode::SPEC, 0x1fff, 0), (1, vec![(opcode::ACK, out, 0x1fff, 0)]));
    assert_eq!(comes(opcode::SPEC, 0, 0), (1, vec![(opcode::ACK, out, 0, 0)]));
}

/// With *inorder* a speculative packet is let in at its time, whatever told it.
#[test]
fn speculative_packets_come_in_order() {
    let mut r = rig("srptinyd");
    r.config(THROTTLE, 0, 0x23);
    let (spec, out) = (lane(&r, SrpLane::Spec), lane(&r, SrpLane::Reply));
    let stranger = BASE + r.p.flows as u32;
    // Opcode, chunk, R, flits, PSN, LID: flits that the host takes, what is answered.
    let mut comes = |code: u8, id: u16, flags: u8, n: usize, psn: u32, from: u32| {
        let mut h = header(if code == opcode::SPEC { spec } else { 0 }, code, n, from);
        h.bth = h.bth.map(|b| Bth { psn, ..b });
        let fields = SrpFields { id, flags, ..SrpFields::default() };
        let mut seen = watch(&mut r, 1, Some((h, fields)));
        for k in 1..n {
            r.flit(None, k + 1 == n).cycle();
        }
        let mut shown = 0;
        for _ in 0..24 {
            r.b.set("host_ready", 0, 1);
            seen.extend(watch(&mut r, 1, None));
            shown += r.b.get("host_valid", 0) as usize;
        }
        let said: Vec<_> = seen.iter().map(|s| (s.code, s.vl, s.fields.id)).collect();
        assert_eq!(r.b.get("err", 0), 0);
        let told = said == [(opcode::ACK, out, id)];
        assert!(told || said.is_empty(), "{said:?}");
        (shown, told)
    };
    let (data, cnp, of) = (0x04, 0x80, BASE + 1);
    for n in [1, 3] {
        let id = 100 * n as u16;
        let first = if n == 1 { 9 } else { 0xff_fffc };
        let at = |more: u32| (first + more) & 0xff_ffff;
        // The first one of all is not known to be the next.
        assert_eq!(comes(opcode::SPEC, id, 0, n, at(0), of), (0, false));
        assert_eq!(comes(data, 0, 0, n, at(0), of), (n, false));
        assert_eq!(comes(opcode::SPEC, id + 1, 0, n, at(2), of), (0, false));
        assert_eq!(comes(opcode::SPEC, id + 1, 0, n, at(1), of), (n, true));
        assert_eq!(comes(opcode::SPEC, id + 1, 0, n, at(1), of), (0, true), "a copy");
        // GRANTED with R, and without: at any time.
        assert_eq!(comes(opcode::GRANTED, id + 2, 1, n, at(3), of), (n, true));
        assert_eq!(comes(opcode::GRANTED, id + 3, 0, n, at(5), of), (n, false));
        assert_eq!(comes(opcode::SPEC, id + 3, 0, n, at(4), of), (0, false));
        // Of others, and what is no packet of data, tells nothing.
        for (code, from) in [(data, stranger), (data, BASE), (cnp, of)] {
            assert_eq!(comes(code, 0, 0, n, at(77), from), (n, false));
        }
        assert_eq!(comes(opcode::SPEC, id + 4, 0, n, at(6), of), (n, true));
    }
    assert_eq!(r.b.covered("q21_pass"), 6);
}

/// A packet that is damaged, short or too long does not tell what is next.
#[test]
fn what_is_not_whole_tells_no_order() {
    for fault in 0..3 {
        let mut r = rig("srptinyd");
        r.config(THROTTLE, 0, 0x23);
        let spec = lane(&r, SrpLane::Spec);
        let mut comes = |code: u8, psn: u32, fault: Option<u32>| {
            let mut h = header(if code == opcode::SPEC { spec } else { 0 }, code, 2, BASE + 1);
            h.bth = h.bth.map(|b| Bth { psn, ..b });
            watch(&mut r, 1, Some((h, SrpFields { id: 7, seq: psn as u8, ..SrpFields::default() })));
            if fault == Some(1) {
                return 0;
            }
            if fault == Some(2) {
                r.flit(None, false).cycle();
            }
            r.flit(None, true);
            if fault == Some(0) {
                r.b.set("rx_bad", 0, 1);
            }
            r.cycle();
            let before = r.b.get("st_cnt_rcv", 0);
            for _ in 0..12 {
                r.b.set("host_ready", 0, 1);
                r.cycle();
            }
            r.b.get("st_cnt_rcv", 0) - before
        };
        assert_eq!(comes(0x04, 1, None), 1);
        comes(0x04, 2, Some(fault));
        assert_eq!((comes(opcode::SPEC, 3, None), comes(opcode::SPEC, 2, None)), (0, 1), "fault {fault}");
    }
}
