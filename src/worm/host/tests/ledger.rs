//! What the end-to-end check finds, in messages that the network spoils.

use std::collections::VecDeque;

use super::CLOSE;
use super::net::{Net, Whole};
use crate::worm::port::Hosts;

/// One stream and one source of best-effort messages, to one host.
const TWO: &str =
    "[[onoff]]\nname = \"o\"\nstreams = 1\nrate = 0.3\noff = 0\nsources = 0\nto = 1\nwithin = 1\n";
const BEST: &str = "[[best-effort]]\nname = \"b\"\nload = 0.3\nsources = 0\nto = 1\n";
const SHORT: &str = "[[control]]\nname = \"k\"\nevery = 500\nmessage = 1\nsources = 0\nto = 1\n";

/// The fault that a network of three hosts has when it spoils its fifth message.
fn found(traffic: &str, spoil: fn(&mut VecDeque<Whole>, Whole)) -> String {
    let mut net = Net::new(3, traffic, &[], CLOSE);
    net.spoil = Some((5, spoil));
    net.run(4000);
    let fault = net.hosts.fault().expect("a fault").clone();
    assert!(fault.t > 100 && fault.t < 4000 && fault.host == 1, "{fault}");
    assert_eq!(net.hosts.report().unwrap_err().to_string(), fault.to_string());
    fault.to_string()
}

#[test]
fn a_network_that_keeps_its_promises_has_no_fault() {
    for traffic in [TWO, BEST, SHORT] {
        let mut net = Net::new(3, traffic, &[], CLOSE);
        net.run(4000);
        net.drain();
        assert_eq!(net.hosts.fault(), None);
        assert!(net.hosts.report().unwrap().classes().all(|(_, c)| c.delivered_messages > 10));
    }
}

#[test]
fn breaches_are_told() {
    let twice: fn(&mut VecDeque<Whole>, Whole) = |q, m| q.extend([m.clone(), m]);
    let corrupt: fn(&mut VecDeque<Whole>, Whole) = |q, mut m| {
        m.flits[7].data[2] ^= 4;
        q.push_back(m);
    };
    let short: fn(&mut VecDeque<Whole>, Whole) = |q, mut m| {
        m.flits.remove(38);
        q.push_back(m);
    };
    let mixed: fn(&mut VecDeque<Whole>, Whole) = |q, mut m| {
        m.flits.swap(5, 6);
        q.push_back(m);
    };
    let header: fn(&mut VecDeque<Whole>, Whole) = |q, mut m| {
        m.flits[0].data[2] = 9;
        q.push_back(m);
    };
    let from: fn(&mut VecDeque<Whole>, Whole) = |q, mut m| {
        m.flits[0].data[1] = m.flits[0].data[1] & 0xffff | 0x0300 << 16;
        q.push_back(m);
    };
    let lane: fn(&mut VecDeque<Whole>, Whole) = |q, mut m| {
        m.lane = 15;
        q.push_back(m);
    };
    let damaged: fn(&mut VecDeque<Whole>, Whole) = |q, mut m| {
        m.flits.last_mut().unwrap().bad = true;
        q.push_back(m);
    };
    let lost: fn(&mut VecDeque<Whole>, Whole) = |_, _| {};
    let cases = [
        (TWO, twice, "came twice"),
        (BEST, twice, "came twice"),
        (TWO, corrupt, "is corrupt"),
        (BEST, short, "where one of Some"),
        (TWO, mixed, "is due"),
        (BEST, header, "is of no host's message"),
        (TWO, from, "where one of None"),
        (BEST, lane, "a message of class BestEffort on lane 15"),
        (TWO, damaged, "came damaged"),
        // What comes behind it comes too early.
        (TWO, lost, "came where Some(4) is due"),
    ];
    for (i, (traffic, spoil, wanted)) in cases.into_iter().enumerate() {
        let fault = found(traffic, spoil);
        assert!(fault.contains(wanted), "{i}: {fault}");
    }
}

#[test]
fn a_lost_message_leaves_hosts_that_are_never_idle() {
    for traffic in [BEST, SHORT] {
        let mut net = Net::new(3, traffic, &[], CLOSE);
        net.spoil = Some((5, |_, _| {}));
        net.run(4000);
        net.hosts.stop();
        net.run(4000);
        assert!(!net.hosts.idle());
        assert_eq!(net.hosts.fault(), None, "which of them it is cannot be seen");
    }
}
