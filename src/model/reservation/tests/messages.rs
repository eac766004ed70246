//! Sections 3 and 4: messages, chunks, bypass.

use super::*;

#[test]
fn bad_messages_are_ignored() {
    let p = params("tiny");
    let mut b = on(&p, 1);
    for (flow, pkts, last) in [(0, 0, 1), (0, 1, 0), (0, 1, 5), (5, 1, 1), (0x8000, 1, 1)] {
        post(&mut b, flow, pkts, last, 0).cycle();
        b.cycle();
        assert_eq!((b.get("err", 0), b.get("st_pq", 0)), (BAD_MSG, 0));
        b.config(ERR_CLEAR, BAD_MSG);
    }
    b.set("attr_we", 0, 1).set("attr_flow", 0, 5).cycle();
    b.cycle();
    assert_eq!(b.get("err", 0), BAD_ADDR);
}

#[test]
fn a_full_fifo_refuses() {
    let p = params("tiny");
    let mut b = on(&p, 1);
    // The first one is popped in the third cycle (O1), two wait then.
    for _ in 0..3 {
        post(&mut b, 1, 1, 1, 0).cycle();
    }
    assert_eq!(b.get("gen_full", 0), 2);
    b.cycle();
    assert_eq!((b.get("gen_full", 0), b.get("err", 0)), (0, GEN_FULL), "the pop of t makes no room in t");
    post(&mut b, 1, 1, 1, 0).cycle();
    b.cycle();
    assert_eq!((b.get("gen_full", 0), b.get("st_pq", 0)), (2, 2));
}

/// A packet that was sent: kind, length, PSN, seq, n, last.
type Sent = (u32, u32, u32, u32, u32, u32);

/// A RES that was sent: chunk, packets, flits, last.
type Asked = (u32, u32, u32, u32);

/// Plays a message to its end; GRANTs and ACKs come at once.
fn play(b: &mut Bench, flow: u32) -> (Vec<Sent>, Vec<Asked>) {
    let (mut sent, mut asked) = (Vec::new(), Vec::new());
    let mut replies = std::collections::VecDeque::new();
    for _ in 0..600 {
        if let Some((kind, id, seq)) = replies.pop_front() {
            reply(b, kind, flow, id, seq, 0);
        }
        run(b);
        let of = |name| b.get(name, 0);
        if of("inj_valid") == 1 {
            sent.push((
                of("inj_kind"),
                of("inj_len"),
                of("inj_psn"),
                of("inj_seq"),
                of("inj_n"),
                of("inj_last"),
            ));
            if of("inj_kind") == 1 {
                replies.push_back((ACK, of("inj_id"), of("inj_seq")));
            }
        }
        if of("res_valid") == 1 {
            asked.push((of("res_id"), of("res_n"), of("res_size"), of("res_last")));
            replies.push_back((GRANT, of("res_id"), 0));
        }
    }
    (sent, asked)
}

#[test]
fn chunks_of_a_message() {
    let p = params("tiny");
    let mut b = on(&p, 2);
    // 9 packets: 4, 4 and 1; the last one of 3 flits.
    post(&mut b, 2, 9, 3, 0xff_fffe);
    let (sent, asked) = play(&mut b, 2);
    assert_eq!(asked, [(1, 4, 16, 0), (2, 4, 16, 0), (3, 1, 3, 1)]);
    let psns: Vec<u32> = sent.iter().map(|s| s.2).collect();
    assert_eq!(psns, [0xff_fffe, 0xff_ffff, 0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(sent.iter().map(|s| s.1).collect::<Vec<_>>(), [4, 4, 4, 4, 4, 4, 4, 4, 3]);
    assert_eq!((sent[8].3, sent[8].4, sent[8].5), (0, 1, 1));
    assert!(sent[..8].iter().all(|s| s.4 == 4 && s.5 == 0));
    assert!(sent.iter().all(|s| s.0 != 3));
    assert_eq!(b.read(131), 3, "RES");
    assert_eq!(b.read(132), 3, "GRANTs");
    assert_eq!((b.read(128) + b.read(129), b.read(128)), (9, b.read(133)), "SPEC and GRANTED, ACKs");
}

#[test]
fn chunks_as_long_as_nmax_run_says() {
    let p = params("two");
    for (run, sizes) in [(0, vec![1; 5]), (1, vec![1; 5]), (3, vec![3, 2]), (8, vec![5]), (127, vec![5])] {
        let mut b = on(&p, 1);
        b.config(NMAX_RUN, run);
        post(&mut b, 2, 5, 6, 0);
        let (_, asked) = play(&mut b, 2);
        assert_eq!(asked.iter().map(|a| a.1).collect::<Vec<_>>(), sizes, "{run}");
    }
}

#[test]
fn bypass_goes_without_reservation_in_pieces() {
    let p = params("tiny");
    for (ctrl, nmin, pkts) in [(SRP_EN, 10, 9), (0, 1, 9), (RTT_COMP, 0, 9)] {
        let mut b = ready_with(&p);
        b.config(CTRL, ctrl).config(NMIN, nmin);
        post(&mut b, 4, pkts, 1, 5);
        let (sent, asked) = play(&mut b, 4);
        assert!(asked.is_empty());
        let want: Vec<Sent> = (0..9).map(|i| (3, if i == 8 { 1 } else { 4 }, 5 + i, 0, 0, 0)).collect();
        assert_eq!(sent, want);
        assert_eq!((b.read(130), b.read(128), b.read(129)), (9, 0, 0));
    }
    // NMIN is compared with the message.
    let mut b = on(&p, 9);
    post(&mut b, 4, 9, 1, 5);
    assert_eq!(play(&mut b, 4).1.len(), 3);
}

#[test]
fn counters_stay_at_their_largest_value() {
    let p = params("tiny");
    let mut b = on(&p, 100);
    post(&mut b, 0, 50, 1, 0);
    play(&mut b, 0);
    assert_eq!(b.read(130), 31);
    assert_eq!(b.read(137), 0);
}
