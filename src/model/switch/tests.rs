//! Directed tests by section of `docs/switch.md`.

use crate::model::bench::Bench;
use crate::model::header::{Bth, Header, OPCODE_CNP};
use crate::model::link::{Control, Credit, Message};
use crate::params::{Params, UnitKind, builds};

mod markers;
mod queue;

const INPUT: u32 = 0;
const OUTPUT: u32 = 1;

fn params(name: &str) -> Params {
    let all = builds();
    all.iter().find(|b| b.unit == UnitKind::Switch && b.name == name).expect("a build").params
}

/// A switch past its sweep, DLID d routed to port d.
fn ready(p: &Params) -> Bench {
    let mut b = Bench::new(UnitKind::Switch, p);
    while b.cycle().get("ready", 0) == 0 {}
    assert_eq!(b.cycles, p.lft_depth as u64 + 1);
    for d in 0..p.ports as u32 {
        b.set("lft_we", 0, 1).set("lft_addr", 0, d).set("lft_port", 0, d).cycle();
    }
    b
}

fn config(b: &mut Bench, unit: u32, port: u32, addr: u32, data: u32) {
    b.set("cfg_unit", 0, unit).set("cfg_port", 0, port).config(addr, data);
}

fn control(b: &mut Bench, p: &Params, port: usize, c: &Control) {
    let mut words = vec![0; (16 + 2 * p.dlist).div_ceil(4)];
    c.pack(&mut words);
    b.set_element("rx_ctl", port, &words);
}

/// Much credit for every output and VL.
fn credits(b: &mut Bench, p: &Params) {
    for v in 0..p.vls as u32 {
        for port in 0..p.ports {
            let fccl = Some(Credit { vl: v, blocks: 2000 });
            control(b, p, port, &Control { fccl, ..Control::default() });
        }
        b.cycle();
    }
}

/// A flit of a packet of `n` flits.
fn flit(b: &mut Bench, p: &Params, port: usize, dlid: u16, i: u16, n: u16, opcode: u8) {
    let mut words = vec![0u32; p.flit_bytes / 4];
    if i == 0 {
        let bth = Some(Bth { opcode, ..Bth::default() });
        Header { lnh: 2, dlid, pkt_len: 16 * n, bth, ..Header::default() }.write(&mut words);
    } else {
        words.fill(u32::from(dlid) << 16 | u32::from(i));
    }
    b.set("rx_valid", port, 1).set("rx_first", port, u32::from(i == 0));
    b.set("rx_last", port, u32::from(i + 1 == n)).set_element("rx_data", port, &words);
}

#[test]
fn an_idle_switch_takes_five_cycles() {
    for name in ["voq8", "nfq8", "tiny", "tinyq", "net", "santiny", "marktinyq", "san13"] {
        let p = params(name);
        let mut b = ready(&p);
        credits(&mut b, &p);
        let mut sent = Vec::new();
        for t in 0..9 {
            if t < 2 {
                flit(&mut b, &p, 0, 1, t, 2, 0);
            }
            b.cycle();
            if b.get("tx_valid", 1) == 1 {
                sent.push((t, b.get("tx_first", 1), b.get("tx_last", 1)));
            }
            assert_eq!(b.get("tx_valid", 0), 0, "{name}");
        }
        assert_eq!(sent, [(5, 1, 0), (6, 0, 1)], "{name}");
    }
}

#[test]
fn a_register_write_reaches_one_port_or_all() {
    let p = params("tiny");
    let mut b = ready(&p);
    // Each port shows a credit message in every cycle from now on: FC_INTERVAL = 1.
    let fccl_now = |b: &mut Bench| -> Vec<bool> {
        b.idle(2);
        let mut counts = vec![0; p.ports];
        for _ in 0..12 {
            b.cycle();
            for (port, n) in counts.iter_mut().enumerate() {
                *n += b.get("tx_ctl", port) >> 1 & 1;
            }
        }
        counts.iter().map(|&n| n == 12).collect()
    };
    config(&mut b, INPUT, 1, 4, 1);
    assert_eq!(fccl_now(&mut b), [false, true, false]);
    config(&mut b, INPUT, 3, 4, 1);
    config(&mut b, 2, 255, 4, 1);
    config(&mut b, OUTPUT, 255, 6, 1);
    assert_eq!(fccl_now(&mut b), [false, true, false]);
    config(&mut b, INPUT, 255, 4, 1);
    assert_eq!(fccl_now(&mut b), [true; 3]);
    for name in ["d1_cfg_no_such_port", "d1_cfg_no_such_unit"] {
        assert_eq!(b.covered(name), 1, "{name}");
    }
    assert_eq!(b.covered("d1_cfg_all_ports"), 2);
}

#[test]
fn a_read_reaches_one_port_and_one_unit() {
    let p = params("tiny");
    let mut b = Bench::new(UnitKind::Switch, &p);
    // Not heard during the sweep.
    b.set("cfg_re", 0, 1).set("cfg_addr", 0, 4).cycle();
    assert_eq!((b.cycle().get("cfg_rvalid", 0), b.covered("c1_deaf")), (0, 1));
    b = ready(&p);
    let read = |b: &mut Bench, unit: u32, port: u32, addr: u32| {
        b.set("cfg_unit", 0, unit).set("cfg_port", 0, port).read(addr)
    };
    let ports = p.ports as u32;
    for port in 0..ports {
        config(&mut b, INPUT, port, 9, 100 + port);
        config(&mut b, OUTPUT, port, 3, 200 + port);
    }
    for port in 0..ports {
        assert_eq!((read(&mut b, INPUT, port, 9), read(&mut b, OUTPUT, port, 3)), (100 + port, 200 + port));
    }
    for (unit, port) in
        [(INPUT, ports), (OUTPUT, 254), (INPUT, 255), (OUTPUT, 255), (2, 0), (3, 0), (255, 255)]
    {
        assert_eq!(read(&mut b, unit, port, 9) | read(&mut b, unit, port, 3), 0, "unit {unit} port {port}");
    }
    // A write to all ports, with a read of none.
    b.set("cfg_unit", 0, INPUT).set("cfg_port", 0, 255).set("cfg_re", 0, 1).config(9, 7);
    b.cycle();
    assert_eq!((b.get("cfg_rvalid", 0), b.get("cfg_rdata", 0)), (1, 0));
    assert_eq!((0..ports).map(|port| read(&mut b, INPUT, port, 9)).collect::<Vec<_>>(), vec![7; p.ports]);
    // Counters and errors of the port, in the cycle of the read.
    credits(&mut b, &p);
    flit(&mut b, &p, 0, 1, 0, 1, 0);
    b.cycle();
    flit(&mut b, &p, 2, p.lft_depth as u16, 0, 1, 0);
    b.cycle().idle(20);
    let sent: Vec<u32> = (0..ports).map(|port| read(&mut b, OUTPUT, port, 130)).collect();
    let dropped: Vec<u32> = (0..ports).map(|port| read(&mut b, INPUT, port, 128)).collect();
    let errors: Vec<u32> = (0..ports).map(|port| read(&mut b, INPUT, port, 10)).collect();
    assert_eq!((sent, dropped, errors), (vec![0, 1, 0], vec![0, 0, 1], vec![0, 0, 4]));
    b.cycle();
    assert_eq!((b.get("cfg_rvalid", 0), b.get("cfg_rdata", 0)), (0, 0));
}

#[test]
fn credits_and_counters_go_to_the_ports_of_their_direction() {
    let p = params("tiny");
    let mut b = ready(&p);
    config(&mut b, INPUT, 255, 4, 1);
    config(&mut b, OUTPUT, 255, 6, 1);
    // FCTBS of link 2 resets the count of blocks of input port 2; FCCL of link 2 lets output port 2 send.
    let c = Control {
        fctbs: Some(Credit { vl: 0, blocks: 0x123 }),
        fccl: Some(Credit { vl: 0, blocks: p.mtu as u32 }),
        message: None,
    };
    control(&mut b, &p, 2, &c);
    flit(&mut b, &p, 0, 2, 0, 1, 0);
    b.cycle().idle(6);
    let mut limits = vec![None; p.ports];
    let mut counts = vec![None; p.ports];
    for _ in 0..2 {
        b.cycle();
        for port in 0..p.ports {
            let c = Control::unpack(b.get_element("tx_ctl", port));
            limits[port] = c.fccl.filter(|c| c.vl == 0).map(|c| c.blocks).or(limits[port]);
            counts[port] = c.fctbs.filter(|c| c.vl == 0).map(|c| c.blocks).or(counts[port]);
        }
    }
    let cap = p.cap(0) as u32;
    assert_eq!(limits, [Some(1 + cap), Some(cap), Some(0x123 + cap)]);
    assert_eq!(counts, [Some(0), Some(0), Some(1)]);
    assert_eq!(b.get("st_txr", 2 * p.vls), 1);
    assert_eq!(b.get("st_cnt_sent", 2), 1);
}

#[test]
fn a_message_makes_a_tree_that_is_told_to_the_inputs() {
    let p = params("tiny");
    let mut b = ready(&p);
    config(&mut b, INPUT, 255, 0, 1);
    config(&mut b, OUTPUT, 255, 0, 2);
    let mut m = Message { line: 1, hops: 1, root: 0x00_0702, dcnt: 1, ..Message::default() };
    m.dlist[0] = 1;
    control(&mut b, &p, 1, &Control { message: Some(m), ..Control::default() });
    b.cycle();
    // A packet to DLID 1 without credit: the scan finds it.
    flit(&mut b, &p, 0, 1, 0, 1, 0);
    b.cycle().idle(5);
    assert_eq!(b.get("st_ol_valid", 1), 2);
    assert_eq!(b.get("st_line_state", 0), 2);
    assert_eq!((b.get("st_hpq_fill", 0), b.get("st_cpq_fill", p.vls)), (1, 0));
    assert_eq!(b.covered("e3_prop"), 1);
}

#[test]
fn a_link_that_is_down_concerns_its_own_port() {
    let p = params("tiny");
    let mut b = ready(&p);
    credits(&mut b, &p);
    // Packets of 4 flits from port 0 to 1 and from port 1 to 2; link 1 is down for one cycle.
    let mut sent = [0; 3];
    let mut bad = 0;
    for t in 0..30 {
        if t < 4 {
            flit(&mut b, &p, 0, 1, t, 4, 0);
            flit(&mut b, &p, 1, 2, t, 4, 0);
        }
        b.set("link_up", 1, u32::from(t != 2)).cycle();
        for (port, sent) in sent.iter_mut().enumerate() {
            *sent += b.get("tx_valid", port);
            bad += b.get("tx_bad", port);
        }
    }
    // Two flits and a pad of what port 1 received go on; what it should have sent is lost with the link.
    assert_eq!((sent, bad), ([0, 0, 3], 1));
    assert_eq!([0, 1, 2].map(|port| b.get("err_in", port)), [0, 1 << 9 | 1 << 4, 0]);
    assert_eq!([0, 1, 2].map(|port| b.get("err_out", port)), [0, 1 << 3, 0]);
    let txr = |b: &Bench, port| b.get("st_txr", port * p.vls);
    assert_eq!([0, 1, 2].map(|port| txr(&b, port)), [0, 0, 3]);
}

#[test]
fn an_input_with_one_read_port_accepts_one_grant_and_the_other_output_takes_another_input() {
    let p = params("tinyq");
    let mut b = ready(&p);
    config(&mut b, INPUT, 255, 0, 1);
    config(&mut b, OUTPUT, 255, 0, 2);
    // Output 1 knows a tree: its packets of input 0 go to a CFQ, so input 0 may ask two outputs.
    let mut m = Message { line: 0, hops: 1, root: 0x00_0701, dcnt: 1, ..Message::default() };
    m.dlist[0] = 1;
    control(&mut b, &p, 1, &Control { message: Some(m), ..Control::default() });
    b.cycle();
    flit(&mut b, &p, 0, 1, 0, 1, 0);
    b.cycle().idle(6);
    assert_eq!(b.get("st_hpq_fill", 0), 1);
    // Now a packet to output 2 at input 0, and one to output 2 at input 1 as well.
    flit(&mut b, &p, 0, 2, 0, 1, OPCODE_CNP);
    flit(&mut b, &p, 1, 2, 0, 1, OPCODE_CNP);
    b.cycle().idle(4);
    // Credits come: outputs 1 and 2 both grant input 0, which accepts output 1; output 2 turns to input 1.
    for port in [1, 2] {
        let fccl = Some(Credit { vl: 0, blocks: 100 });
        control(&mut b, &p, port, &Control { fccl, ..Control::default() });
    }
    b.cycle().idle(2);
    assert_eq!(b.covered("a1_accept_conflict"), 1);
    assert_eq!(b.covered("a1_second_iteration"), 1);
    assert_eq!((b.get("st_accept", 0), b.get("st_accept", 1)), (2, 0));
    assert_eq!((b.get("st_txr", 1), b.get("st_txr", 2)), (1, 1));
    // Output 2 went past the request of input 0, and will not again.
    assert_eq!((b.get("st_lost", 0), b.get("st_claim", 0)), (4, 4));
    assert_eq!((b.covered("a3_claim_shown"), b.covered("a3_claim_by_later_iteration")), (1, 1));
    b.idle(8);
    assert_eq!((b.get("st_claim", 0), b.covered("a3_claim_served")), (0, 1));
    assert_eq!((b.get("st_cnt_sent", 1), b.get("st_cnt_sent", 2)), (1, 2));
    for port in 0..3 {
        assert_eq!((b.get("err_in", port), b.get("err_out", port)), (0, 0));
    }
}

/// States of input 0 (lost, claim), one after the other.
fn an_input_is_passed(iterations: usize) -> (Vec<(u32, u32)>, Bench) {
    let p = Params { iterations, ..params("tinyq") };
    let mut b = ready(&p);
    config(&mut b, INPUT, 255, 0, 1);
    config(&mut b, OUTPUT, 255, 0, 2);
    // A tree behind output 1: what is for it waits in CFQs.
    let mut m = Message { line: 0, hops: 1, root: 0x00_0701, dcnt: 1, ..Message::default() };
    m.dlist[0] = 1;
    control(&mut b, &p, 1, &Control { message: Some(m), ..Control::default() });
    b.cycle();
    // Input 0: two flits for output 1, then two packets for output 0. Inputs 1 and 2: single flits for output 1.
    let n = p.mtu as u16;
    let packets = [vec![(1, 2), (0, n), (0, n)], vec![(1, 1); 6], vec![(1, 1); 6]];
    for (port, list) in packets.iter().enumerate() {
        for &(dlid, len) in list {
            for k in 0..len {
                flit(&mut b, &p, port, dlid, k, len, 0);
                b.cycle();
            }
        }
    }
    b.idle(10);
    assert_eq!((b.get("st_hpq_fill", 0), b.get("st_cpq_fill", 0)), (2, 2 * u32::from(n)));
    for port in [0, 1] {
        let fccl = Some(Credit { vl: 0, blocks: 100 });
        control(&mut b, &p, port, &Control { fccl, ..Control::default() });
    }
    // Input 0 accepts output 0, its request for output 1 is lost; output 1 passes it, and serves it when it comes by again.
    let mut seen = Vec::new();
    let mut lengths = Vec::new();
    for _ in 0..32 {
        b.cycle();
        let now = (b.get("st_lost", 0), b.get("st_claim", 0));
        if seen.last() != Some(&now) {
            seen.push(now);
        }
        if b.get("tx_valid", 1) == 1 {
            lengths.push((b.get("tx_first", 1), b.get("tx_last", 1)));
        }
    }
    // Single flits, then the packet of two at the end of a packet of n on the other output.
    let at = lengths.iter().position(|&f| f == (1, 0));
    assert!(at.is_some_and(|at| at <= usize::from(n)), "{lengths:?}");
    assert_eq!(lengths.len(), 14);
    assert!(b.covered("a3_claim") >= 1 && b.covered("a3_claim_served") >= 1);
    (seen, b)
}

#[test]
fn an_input_passed_while_its_read_port_was_busy_is_waited_for() {
    let (seen, b) = an_input_is_passed(1);
    assert_eq!(seen, [(0, 0), (2, 0), (2, 2), (1, 0), (0, 0)]);
    assert_eq!(b.covered("a3_claim_by_later_iteration"), 0);
    assert!(b.covered("a3_output_waits") >= 1);
}

#[test]
fn an_input_passed_by_a_later_iteration_is_waited_for() {
    let (seen, b) = an_input_is_passed(2);
    assert_eq!(seen, [(0, 0), (2, 2), (1, 0), (0, 0)]);
    assert!(b.covered("a3_claim_by_later_iteration") >= 1 && b.covered("a3_claim_shown") >= 1);
}
