//! Reset, registers, errors, timing diagrams, and each rule's corners.

use super::*;

#[test]
fn ready_after_the_sweep() {
    for (name, sweep) in [("r64", 64), ("r512", 512), ("tiny", 16)] {
        let mut b = Bench::new(UnitKind::SourceResponse, &params(name));
        for _ in 0..sweep {
            b.set("cfg_we", 0, 1).set("cfg_addr", 0, CTRL).set("cfg_data", 0, ENABLE);
            wait_in(&mut b, 0xffff);
            post(&mut b, 0xffff);
            ack(&mut b, 0xffff, 7).cycle();
            assert!(b.output.iter().chain(&b.state).all(|&w| w == 0));
        }
        assert_eq!(b.cycle().get("ready", 0), 1);
        assert_eq!((b.get("st_now", 0), b.get("err", 0)), (0, 0));
        assert_eq!((b.cycle().get("st_now", 0), written(&b)), (1, None));
        // The sweep begins in the first ready cycle: it writes what it found.
        for flow in 0..4 {
            let zero = Written { flow, acked: 0, win: 0, x: 0, j: 0, at: None };
            b.cycle();
            assert_eq!(written(&b), Some(zero));
        }
        // The write to CTRL was ignored.
        assert_eq!(b.read(CTRL), 0);
    }
}

fn wait_in(b: &mut Bench, addr: u32) {
    b.set("wt_we", 0, 1).set("wt_addr", 0, addr).set("wt_data", 0, 5);
}

#[test]
fn registers_are_read_as_written() {
    let registers = [
        (CTRL, 0xff, 0),
        (WMAX, 0xff, 1),
        (RMIN_EXP, 0xf, 8),
        (WS_STEPS, 0xf, 3),
        (RTT_MIN, 0xffff, 1),
        (SEVMAP, 0xffff, 0xaa00),
        (LINK_INTERVAL, 0xf, 1),
    ];
    // Not heard: the unit is not ready.
    let mut b = Bench::new(UnitKind::SourceResponse, &params("tiny"));
    b.set("cfg_re", 0, 1).set("cfg_addr", 0, WMAX).cycle();
    assert_eq!((b.cycle().get("cfg_rvalid", 0), b.get("ready", 0)), (0, 0));
    b = ready("tiny");
    for (addr, _, reset) in registers {
        assert_eq!(b.read(addr), reset, "{addr} after reset");
    }
    for (addr, mask, _) in registers {
        for data in [0, u32::MAX, 1] {
            b.config(addr, data);
            assert_eq!(b.read(addr), data & mask, "{addr} written {data:#x}");
        }
    }
    for addr in 0..=255 {
        let there = registers.iter().any(|r| r.0 == addr);
        assert_eq!(b.read(addr), u32::from(there), "{addr}");
    }
    b.set("cfg_we", 0, 1).set("cfg_re", 0, 1).set("cfg_addr", 0, RTT_MIN).set("cfg_data", 0, 77).cycle();
    b.cycle();
    assert_eq!((b.get("cfg_rdata", 0), b.read(RTT_MIN)), (1, 77));
    b.cycle();
    assert_eq!((b.get("cfg_rvalid", 0), b.get("cfg_rdata", 0)), (0, 0));
}

#[test]
fn errors_and_what_clears_them() {
    let flows = params("tiny").flows as u32;
    // What comes, after how many cycles it shows, and as what.
    type Case<'a> = (&'a dyn Fn(&mut Bench), usize, u32);
    let cases: [Case; 9] = [
        (&|b| _ = ack(b, flows, 0), 1, BAD_ADDR),
        (&|b| _ = ack(b, 0xffff, 0), 1, BAD_ADDR),
        (&|b| _ = post(b, flows), 1, BAD_ADDR),
        (&|b| wait_in(b, 16), 1, BAD_ADDR),
        (&|b| wait_in(b, 0x8003), 1, BAD_ADDR),
        (&|b| _ = b.set("attr_we", 0, 1).set("attr_flow", 0, flows), 1, BAD_ADDR),
        // Nothing is outstanding.
        (&|b| _ = ack(b, 3, 0), 1, STRAY_ACK),
        // The ACK is counted in U2.
        (&|b| _ = ack(b, 1, INVALID), 3, MARK_BITS),
        (&|b| _ = ack(b, 1, CLEAN), 3, 0),
    ];
    for (drive, after, error) in cases {
        let mut b = on("tiny", DYN, 3);
        send(&mut b, 1, 2);
        for t in 0..6 {
            if t == 0 {
                drive(&mut b);
            }
            b.cycle();
            assert_eq!(b.get("err", 0), if t >= after { error } else { 0 }, "{error} in {t}");
        }
        assert_eq!(b.read(ERR_CLEAR), error);
        b.config(ERR_CLEAR, !error & 0xffff);
        assert_eq!(b.read(ERR_CLEAR), error);
        b.config(ERR_CLEAR, error);
        assert_eq!(b.read(ERR_CLEAR), 0);
        // Set in the cycle of the clear.
        if after == 1 {
            drive(&mut b);
            b.config(ERR_CLEAR, 0xffff);
            assert_eq!(b.read(ERR_CLEAR), error);
        }
    }
    // A packet of no length.
    let mut b = on("tiny", 0, 3);
    Host::new(1).take(&mut b, &[2], 0, 1);
    assert_eq!(b.cycle().get("err", 0), BAD_LEN);
    // inj_ready without an offer says nothing.
    b = ready("tiny");
    b.set("inj_ready", 0, 1).set("inj_len", 0, 0).cycle().idle(3);
    assert_eq!(b.get("err", 0), 0);
    // Without windows no stray is told, and none of a unit that is off.
    for (ctrl, wmax) in [(ENABLE, 0), (0, 3)] {
        b = ready("tiny");
        b.config(WMAX, wmax).config(CTRL, ctrl);
        ack(&mut b, 1, 3).cycle().idle(3);
        send(&mut b, 1, 1);
        ack(&mut b, 1, 1).cycle();
        ack(&mut b, 1, 1).cycle().idle(5);
        assert_eq!(b.get("err", 0), 0);
        assert_eq!(b.covered("ak7_stray_off"), 2);
    }
}

/// The first diagram of section 11.
#[test]
fn acks_back_to_back_and_a_stray_behind_them() {
    let mut b = on("r64", 0, 2);
    send(&mut b, 40, 2);
    b.idle(70);
    let mut rows = Vec::new();
    for t in 0..8 {
        if [0, 1, 2, 5].contains(&t) {
            ack(&mut b, 40, 0);
        }
        b.cycle();
        let of_flow = written(&b).filter(|w| w.flow == 40).map(|w| w.acked);
        rows.push((b.get("st_rsp_we", 0), of_flow, has(&b, "st_out", 40), b.get("err", 0)));
    }
    assert_eq!(rows.iter().map(|r| r.0).collect::<Vec<_>>(), [1, 1, 1, 1, 0, 1, 1, 1]);
    assert_eq!((rows[2].1, rows[3].1), (Some(1), Some(2)));
    assert_eq!(rows.iter().map(|r| r.2).collect::<Vec<_>>(), [[true; 4], [false; 4]].concat());
    assert_eq!(rows.iter().map(|r| r.3).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 4, 4, 4]);
}

/// The second one.
#[test]
fn a_window_of_one_waits_for_its_ack() {
    for name in ["r64", "tiny", "r512"] {
        let mut b = on(name, 0, 1);
        let rows = [
            ("inj_valid", "....1.................1"),
            ("st_out", ".....1111111111........"),
            ("st_blk", ".........111111111....."),
        ];
        for t in 0..23 {
            want(&mut b, &[3]);
            if t == 4 {
                b.set("inj_ready", 0, 1).set("inj_len", 0, 1);
            }
            b.set("sent", 0, u32::from(t == 5));
            if t == 12 {
                ack(&mut b, 3, 0);
            }
            b.cycle();
            let seen = [b.get("inj_valid", 0) == 1, has(&b, "st_out", 3), has(&b, "st_blk", 3)];
            for ((name, row), seen) in rows.iter().zip(seen) {
                assert_eq!(row.as_bytes()[t] == b'1', seen, "{name} in {t}");
            }
            assert_eq!(b.get("blocked", 0), b.get("st_blk", 0));
        }
    }
}

/// Section 12: a packet at most every five cycles, every nine if each acceptance closes the window of a flow that has another one.
#[test]
fn so_often_packets_are_chosen() {
    let gaps = |taken: &[(u32, u64)]| taken.windows(2).map(|w| w[1].1 - w[0].1).max().unwrap();
    let mut b = on("r64", 0, 255);
    assert_eq!(gaps(&Host::new(1).take(&mut b, &[1, 2, 3], 1, 40)), 5);
    // ACKs come late: a pick finds each flow closed before.
    b = on("r64", 0, 1);
    let all: Vec<u32> = (0..64).collect();
    let (mut host, mut due) = (Host::new(1), std::collections::VecDeque::new());
    let mut taken = 0;
    for _ in 0..9_000 {
        if due.front().is_some_and(|d: &(u64, u32)| d.0 <= b.cycles) {
            let (_, flow) = due.pop_front().unwrap();
            ack(&mut b, flow, 0);
        }
        let at = b.cycles + 500;
        if let Some(flow) = host.cycle(&mut b, &all, 1) {
            due.push_back((at, flow));
            taken += 1;
        }
    }
    assert!((1_000 - 20..1_100).contains(&taken), "{taken}");
}

#[test]
fn a_window_holds_so_many_packets() {
    for wmax in [1, 2, 7, 255] {
        let mut b = on("r64", 0, wmax);
        send(&mut b, 9, wmax as usize);
        assert_eq!(offer(&mut b, &[9], 500), None);
        assert_eq!(b.get("blocked", 0), 1 << 9);
        // As many come as ACKs do.
        for n in [1, 3] {
            acks(&mut b, 9, 0, n.min(wmax) as usize);
            send(&mut b, 9, n.min(wmax) as usize);
            assert_eq!(offer(&mut b, &[9], 300), None);
        }
    }
}

#[test]
fn windows_on_and_off_at_run_time() {
    let mut b = on("r64", 0, 4);
    send(&mut b, 2, 4);
    assert_eq!(offer(&mut b, &[2], 60), None);
    // Not at all, then none again.
    b.config(WMAX, 0);
    assert!(offer(&mut b, &[2], 80).is_some());
    b.config(WMAX, 4).idle(4);
    assert_eq!(offer(&mut b, &[2], 60), None);
    b.config(CTRL, 0);
    send(&mut b, 2, 3);
    assert_eq!(b.get("blocked", 0), 0);
    b.config(CTRL, ENABLE);
    assert_eq!(offer(&mut b, &[2], 60), None);
    // Seven are out: with a window of 2 the sixth ACK opens it.
    b.config(WMAX, 2);
    for n in 1..=6 {
        ack(&mut b, 2, 0).cycle();
        assert_eq!(offer(&mut b, &[2], 60).is_some(), n == 6, "{n}");
    }
}

/// What is on offer is not taken back by a window that closes.
#[test]
fn an_offer_stands() {
    let mut b = on("r64", DYN, 2);
    send(&mut b, 2, 1);
    assert!(offer(&mut b, &[2], 60).is_some());
    for ctrl in 0..8 {
        want(&mut b, &[2]);
        ack(&mut b, 2, HOT);
        b.config(if ctrl % 2 == 0 { WMAX } else { LINK_INTERVAL }, 1);
        assert_eq!(b.get("inj_valid", 0), 1);
    }
    want(&mut b, &[2]);
    b.set("inj_ready", 0, 1).set("inj_len", 0, 1).cycle();
    assert_eq!((b.get("inj_valid", 0), b.get("inj_flow", 0)), (1, 2));
    assert_eq!(b.cycle().get("inj_valid", 0), 0);
}

/// 600 packets without window, all back; then a window: AK6, AK7.
#[test]
fn more_than_511_packets_are_counted_by_the_end() {
    let mut b = on("tiny", 0, 0);
    send(&mut b, 1, 600);
    assert!(has(&b, "st_out", 1));
    acks(&mut b, 1, 0, 600);
    b.idle(5);
    assert_eq!((has(&b, "st_out", 1), b.get("err", 0)), (false, 0));
    // 512 are taken for none.
    send(&mut b, 1, 512);
    b.idle(10);
    assert!(!has(&b, "st_out", 1));
    acks(&mut b, 1, 0, 512);
    b.config(WMAX, 2).idle(4);
    // Nothing waits for ever for that.
    send(&mut b, 1, 2);
    assert_eq!(offer(&mut b, &[1], 100), None);
    assert!(offer(&mut b, &[1], 400).is_some());
}

#[test]
fn a_lost_ack_is_given_up_after_silence() {
    let mut b = on("tiny", DYN, 1);
    let ird_max = 256;
    let mut host = Host::new(1);
    let at = host.take(&mut b, &[1], 10, 1)[0].1 + 10;
    host.finish(&mut b);
    assert_eq!((b.get("st_lti_we", 0), b.get("st_lti_taken", 0), b.get("st_lti_len", 0)), (1, 1, 10));
    let mut given_up = None;
    while !has(&b, "st_out", 1) || given_up.is_none() {
        want(&mut b, &[1]);
        b.cycle();
        if !has(&b, "st_out", 1) {
            given_up = Some(b.cycles - 1 - at);
            break;
        }
    }
    let after = given_up.unwrap();
    assert!(after > ird_max && after <= ird_max + 4 * 16 + 5 + 8, "{after}");
    assert_eq!(b.get("err", 0), ACK_LOST);
    assert!(offer(&mut b, &[1], 20).is_some());
    // Ageing forgot the time, and not how many packets there were.
    assert_eq!(b.covered("h5_aged"), 1);
    assert_eq!(b.covered("ak7_lost"), 1);
    let taken = Host::new(1).take(&mut b, &[1], 1, 1);
    assert_eq!(taken[0].0, 1);
    b.cycle();
    assert_eq!(acked(&mut b, 1, CLEAN).map(|w| w.acked), Some(2));
}

/// AK7: while the host sends a packet, however long, it is not lost.
#[test]
fn a_packet_that_is_being_sent_is_not_lost() {
    let mut b = on("tiny", 0, 2);
    let mut host = Host::new(1_000);
    host.take(&mut b, &[1], 1, 1);
    for _ in 0..990 {
        host.cycle(&mut b, &[], 0);
        assert_eq!(b.get("err", 0), 0);
    }
    host.finish(&mut b);
    assert_eq!(acked(&mut b, 1, CLEAN).map(|w| w.acked), Some(1));
    assert!(b.covered("ak7_sending") > 50);
}

#[test]
fn an_ack_beside_an_acceptance() {
    // The ACK's cycle against that of the acceptance: both count, and the flow has one packet outstanding.
    for ahead in 0..6 {
        let mut b = on("r64", 0, 2);
        send(&mut b, 7, 1);
        assert!(offer(&mut b, &[7], 20).is_some());
        for t in 0..8 {
            want(&mut b, if t <= ahead { &[7] } else { &[] });
            b.set("inj_ready", 0, u32::from(t == ahead)).set("inj_len", 0, 1);
            if t == 2 {
                ack(&mut b, 7, 0);
            }
            b.set("sent", 0, u32::from(t == ahead + 1)).cycle();
        }
        assert!(has(&b, "st_out", 7) && b.get("err", 0) == 0, "{ahead}");
        assert_eq!(acked(&mut b, 7, 0).map(|w| w.acked), Some(2), "{ahead}");
        assert!(!has(b.cycle(), "st_out", 7), "{ahead}");
    }
}

/// VR5: posts of a flow that ACKs have adjusted.
#[test]
fn a_post_makes_an_idle_flow_fresh() {
    // CTRL, WMAX, a packet is outstanding.
    for (ctrl, wmax, out, resets) in [
        (RESET_EMPTY, 4, false, true),
        (RESET_EMPTY, 4, true, false),
        (RESET_EMPTY, 0, false, false),
        (0, 4, false, false),
    ] {
        let mut b = on("tiny", DYN | SLOTS | ctrl, 4);
        send(&mut b, 1, 3);
        acked(&mut b, 1, HOT);
        acked(&mut b, 1, HOT);
        if !out {
            acked(&mut b, 1, HOT);
        }
        b.config(WMAX, wmax);
        assert!(has(&b, "st_adj", 1));
        post(&mut b, 2).cycle();
        assert!(has(b.cycle(), "st_adj", 1));
        post(&mut b, 1).cycle();
        assert!(has(&b, "st_adj", 1));
        assert_eq!(has(b.cycle(), "st_adj", 1), !resets, "{ctrl} {wmax} {out}");
    }
    // In which cycle behind its last ACK: out is 0 from the third one on.
    for after in 0..6 {
        let mut b = on("tiny", DYN | SLOTS | RESET_EMPTY, 4);
        send(&mut b, 1, 1);
        for t in 0..8 {
            if t == 0 {
                ack(&mut b, 1, HOT);
            }
            if t == after {
                post(&mut b, 1);
            }
            b.cycle();
        }
        assert_eq!(has(&b, "st_adj", 1), after < 3, "{after}");
    }
}

#[test]
fn the_time_of_an_ack_is_forgotten() {
    let mut b = on("tiny", SLOTS, 2);
    send(&mut b, 1, 1);
    let at = acked(&mut b, 1, WARM).unwrap().at.unwrap();
    let mut last = None;
    for t in 0..400 {
        b.cycle();
        if let Some(w) = written(&b).filter(|w| w.flow == 1) {
            let since = t + 1;
            assert_eq!(w.at.is_none(), since > 256, "{since}");
            assert!(w.at.is_none_or(|a| a == at));
            last = w.at;
        }
    }
    assert_eq!(last, None);
}

/// Section 7: odd settings act as something.
#[test]
fn odd_settings() {
    // resp 5 to 7: no delay.
    for resp in [0, 5, 6, 7] {
        let mut b = on("tiny", resp << 1, 3);
        wait(&mut b, 0, 200);
        send(&mut b, 1, 2);
        let w = acked(&mut b, 1, HOT).unwrap();
        assert_eq!((w.win, w.x, w.j), (3, 1 << 24, 0));
        assert!(offer(&mut b, &[1], 30).is_some());
    }
    // RMIN_EXP is one of 2 to 8.
    for (written, acts) in [(0, 2), (1, 2), (2, 2), (5, 5), (8, 8), (9, 8), (15, 8)] {
        let mut b = on("r64", FIMD | BY_RTT, 255);
        b.config(RTT_MIN, 0).config(RMIN_EXP, written);
        send(&mut b, 1, 12);
        let last = (0..10).map(|_| acked(&mut b, 1, HOT).unwrap().x).last();
        assert_eq!(last, Some(1 << (24 + acts)));
    }
    // A slot of flows without slots, which counts from the ACK.
    let mut b = on("r64", SLOTS, 5);
    wait(&mut b, 0, 60);
    send(&mut b, 1, 3);
    acked(&mut b, 1, CLEAN);
    let waited = offer(&mut b, &[1], 200).unwrap().0;
    assert!((55..75).contains(&waited), "{waited}");
    // No window and one that would move: hot ACKs go on to slots at once.
    b = on("r64", SLOTS | DYN, 0);
    send(&mut b, 1, 3);
    let w = acked(&mut b, 1, HOT).unwrap();
    assert_eq!((w.win, w.j), (1, 1));
}

/// Registers that are lowered hold at once; what one function left does not hold up another.
#[test]
fn registers_change_between_two_acks() {
    let mut b = on("r64", SLOTS | DYN, 200);
    b.config(WS_STEPS, 15);
    send(&mut b, 1, 20);
    b.config(WMAX, 3);
    let made = |w: Option<Written>| w.map(|w| (w.win, w.x >> 24, w.j)).unwrap();
    assert_eq!(made(acked(&mut b, 1, HOT)), (2, 1, 0));
    assert_eq!(made(acked(&mut b, 1, HOT)), (1, 1, 0));
    assert_eq!([1, 2, 3].map(|_| made(acked(&mut b, 1, HOT)).2), [1, 2, 3]);
    b.config(WS_STEPS, 2);
    assert_eq!(made(acked(&mut b, 1, WARM)), (1, 1, 2));
    b.config(CTRL, ENABLE | FIMD);
    assert_eq!(made(acked(&mut b, 1, HOT)), (3, 2, 0));
    b.config(CTRL, ENABLE | AIMD);
    assert_eq!(made(acked(&mut b, 1, HOT)), (3, 4, 0));
    assert_eq!(made(acked(&mut b, 1, HOT)), (3, 8, 0));
    b.config(RMIN_EXP, 2);
    assert_eq!(made(acked(&mut b, 1, WARM)), (3, 4, 0));
    // Switched off: counted, and nothing else.
    b.config(CTRL, 0);
    let off = acked(&mut b, 1, HOT).unwrap();
    assert_eq!((off.win, off.x >> 24, off.acked), (3, 4, 11));
    b.config(CTRL, ENABLE | SLOTS | DYN);
    assert_eq!(made(acked(&mut b, 1, CLEAN)), (3, 1, 0));
}
