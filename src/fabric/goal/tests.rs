use super::*;
use crate::fabric::traffic::Offer;

fn error(text: &str) -> String {
    match parse(text).and_then(|t| check(&t)) {
        Ok(_) => panic!("accepted: {text}"),
        Err(e) => format!("{e:#}"),
    }
}

const PING_PONG: &str = "num_ranks 2
// a comment
rank 0 {
l1: send 5000b to 1 tag 7 cpu 0 nic 0
/* a comment over
   two lines */ l2: recv 64b from 1 tag 8 // at the end
l2 requires l1
l3: calc 100 cpu 1
l3 requires l2
}
rank 1 {
  l1: recv 5000b from 0 tag 7
  l2: calc 10
  l3: send 64b to 0 tag 8
  l2 requires l1
  l3 requires l2
}
";

fn replay(text: &str, mtu: usize) -> Replay {
    let trace = parse(text).expect("it parses");
    let schedule = check(&trace).expect("it can end");
    let nodes: Vec<u32> = (0..trace.ranks.len() as u32).map(|r| 2 * r).collect();
    Replay::new(&trace, &schedule, &nodes, &vec![1.0; 2 * nodes.len()], mtu, None)
}

/// Runs a replay on a network that delivers every packet `delay` cycles after it was taken; returns the packets as
/// (cycle, source, destination, flits) and the end.
fn run(r: &mut Replay, nodes: usize, delay: u64) -> (Vec<(u64, usize, u32, u8)>, u64) {
    let mut packets = Vec::new();
    let mut flying: Vec<(u64, usize, Offer)> = Vec::new();
    for now in 0..10_000_000u64 {
        if let Some(end) = r.finish() {
            return (packets, end);
        }
        let (here, later) = flying.into_iter().partition(|f| f.0 == now);
        flying = later;
        for (_, src, o) in here {
            r.delivered(src, o.dst as usize, o.len, now);
        }
        for node in 0..nodes {
            if r.has_rank(node) && r.next_offer(node) <= now {
                let o = r.offer(node);
                packets.push((now, node, o.dst, o.len));
                r.take(node, now);
                flying.push((now + delay, node, o));
            }
        }
    }
    panic!("the trace does not end: {:?}", r.progress());
}

#[test]
fn ping_pong_takes_the_time_that_it_should() {
    let (packets, end) = run(&mut replay(PING_PONG, 32), 4, 50);
    // 5000 bytes are 79 flits: 32 + 32 + 15, paced at one flit a cycle. The answer follows the last delivery (cycle 114,
    // received from 115 on) after 10 cycles of computing.
    assert_eq!(packets, [(0, 0, 2, 32), (32, 0, 2, 32), (64, 0, 2, 15), (125, 2, 0, 1)]);
    assert_eq!(end, 125 + 50 + 1 + 100);
}

#[test]
fn irequires_waits_for_the_start_only() {
    let text = |word: &str| format!("num_ranks 1\nrank 0 {{\na: calc 100\nb: calc 5\nb {word} a\n}}\n");
    assert_eq!(replay(&text("irequires"), 32).finish(), Some(100));
    assert_eq!(replay(&text("requires"), 32).finish(), Some(105));
}

#[test]
fn messages_match_by_pair_and_tag_in_order() {
    let text = "num_ranks 2\nrank 0 {\nsend 64b to 1 tag 1\nsend 128b to 1 tag 2\nsend 640b to 1 tag 1\n}\n\
                rank 1 {\nrecv 128b from 0 tag 2\nrecv 64b from 0 tag 1\nrecv 640b from 0 tag 1\n}\n";
    let trace = parse(text).expect("it parses");
    assert_eq!(check(&trace).expect("it can end").partner, [4, 3, 5, 1, 0, 2]);
    let (packets, _) = run(&mut replay(text, 32), 4, 9);
    assert_eq!(packets.iter().map(|p| p.3).collect::<Vec<_>>(), [1, 2, 10]);
}

#[test]
fn a_message_to_oneself_and_an_empty_message() {
    let text = "num_ranks 2\nrank 0 {\na: send 64b to 0\nb: recv 64b from 0\nc: send 0b to 1\nc requires b\n}\n\
                rank 1 {\nrecv 0b from 0\n}\n";
    let (packets, _) = run(&mut replay(text, 32), 4, 9);
    assert_eq!(packets, [(0, 0, 2, 1)]);
}

#[test]
fn traces_that_could_not_end_are_refused() {
    let pair = |a: &str, b: &str| format!("num_ranks 2\nrank 0 {{\n{a}\n}}\nrank 1 {{\n{b}\n}}\n");
    for (text, part) in [
        (pair("send 8b to 1", ""), "send has no recv"),
        (pair("", "recv 8b from 0 tag 3"), "recv has no send"),
        (pair("send 8b to 1 tag 2", "recv 8b from 0 tag 3"), "no recv"),
        (pair("a: send 80b to 1", "recv 8b from 0"), "takes 8"),
        (pair("a: calc 1\nb: calc 1\na requires b\nb requires a", ""), "waits for the next"),
        (pair("a: calc 1\na requires a", ""), "waits for itself"),
        (pair("a: calc 1\nb: calc 2\na irequires b\nb irequires a", ""), "waits for the next"),
        (
            pair(
                "s: send 8b to 1\nr: recv 8b from 1\ns requires r",
                "s: send 8b to 0\nr: recv 8b from 0\ns requires r",
            ),
            "of rank 1 (line",
        ),
    ] {
        let e = error(&text);
        assert!(e.contains(part), "{text}: {e}");
    }
}

#[test]
fn syntax_errors_name_the_line_and_what_is_legal() {
    let rank = |line: &str| format!("num_ranks 2\nrank 0 {{\n{line}\n}}\n");
    for (text, part) in [
        (rank("a: sent 8b to 1"), "line 3: found \"sent\"; legal: send, recv, calc"),
        (rank("a: send 8 to 1"), "line 3"),
        (rank("a: send 8b from 1"), "legal: to"),
        (rank("a: send 8b to 2"), "from 0 to 1"),
        (rank("a: recv 8b from -1"), "not supported"),
        (rank("a: recv 8b from 1 tag -1"), "not supported"),
        (rank("a: send 8b to 1 tog 3"), "legal: tag, cpu, nic"),
        (rank("a: calc 1\na: calc 2"), "line 4: label \"a\" is used twice"),
        (rank("a: calc 1\na requires b"), "line 4: label \"b\" is not in rank 0"),
        (rank("a: calc x"), "whole number"),
        ("rank 0 {\n}\n".into(), "before \"num_ranks\""),
        ("num_ranks 0\n".into(), "1 to"),
        ("num_ranks 1\nrank 1 {\n}\n".into(), "from 0 to 0"),
        ("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n".into(), "twice"),
        ("num_ranks 1\nrank 0 {\ncalc 3\n".into(), "line 2: rank 0 has no closing"),
        ("num_ranks 1\n/* forever".into(), "line 2: the comment"),
        ("".into(), "no \"num_ranks"),
        ("num_ranks 1 \u{e9}/\u{e9}".into(), "legal: end of line"),
    ] {
        let e = error(&text);
        assert!(e.contains(part), "{text}: {e}");
    }
}

#[test]
fn programs_run_to_their_end_and_move_the_bytes_they_should() {
    for (call, ranks, flits) in [
        ("beff(bytes=4096, rounds=3)", 8, 8 * 2 * 3 * 64),
        // 2 x 4 ranks: two owners each, of whom rank 0 and rank 7 or so may be one themselves.
        ("ptrans(8, 8192, 1)", 8, 0),
        ("ptrans(16, 6400, 2)", 16, 12 * 2 * 100),
        ("mpifft(8, 512, 1)", 8, 8 * 7 * 3),
        ("mpifft(bytes=5)", 2, 2 * 3),
        ("beff", 2, 2 * 2 * 8 * 2048),
    ] {
        let text = programs::text(call, ranks).expect(call);
        let (packets, end) = run(&mut replay(&text, 32), 2 * ranks, 20);
        let sent: u64 = packets.iter().map(|p| u64::from(p.3)).sum();
        assert!(end > 0 && (flits == 0 && sent > 0 || sent == flits), "{call}: {sent} flits");
    }
    for (call, part) in [("fft", "legal: beff"), ("beff(1)", "legal: 2 to"), ("beff(bytes=0)", "at least 1")]
    {
        let e = format!("{:#}", programs::text(call, 4).expect_err(call));
        assert!(e.contains(part), "{e}");
    }
}

#[test]
fn results_do_not_depend_on_the_order_of_hosts_within_a_cycle() {
    let text = programs::text("mpifft(bytes=4096)", 6).expect("a program");
    let mut orders = Vec::new();
    for reverse in [false, true] {
        let mut r = replay(&text, 4);
        let mut flying: Vec<(u64, usize, Offer)> = Vec::new();
        let mut packets = Vec::new();
        let mut now = 0;
        while r.finish().is_none() {
            let mut nodes: Vec<usize> = (0..12).collect();
            if reverse {
                nodes.reverse();
                flying.reverse();
            }
            let deliver = |r: &mut Replay, flying: &mut Vec<(u64, usize, Offer)>| {
                let (here, later): (Vec<_>, Vec<_>) = flying.drain(..).partition(|f| f.0 == now);
                *flying = later;
                here.iter().for_each(|(_, src, o)| r.delivered(*src, o.dst as usize, o.len, now));
            };
            if !reverse {
                deliver(&mut r, &mut flying);
            }
            let mut new = Vec::new();
            for node in nodes {
                if r.has_rank(node) && r.next_offer(node) <= now {
                    let o = r.offer(node);
                    packets.push((now, node, o.dst, o.len));
                    r.take(node, now);
                    new.push((now + 10, node, o));
                }
            }
            if reverse {
                deliver(&mut r, &mut flying);
                flying.reverse();
            }
            flying.extend(new);
            now += 1;
        }
        packets.sort_unstable();
        orders.push((packets, r.finish()));
    }
    assert_eq!(orders[0], orders[1]);
}
