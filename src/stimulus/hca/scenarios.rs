//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen.

use super::around::{DEALLOC, LONG, finish, start};
use super::losing::{copies, in_order, losses};
use super::packets::{Fault, Packet, To};
use super::reservation::{classes, ends, link_down, messages, order, protocol, replies, requests, room};
use super::script::Op;
use crate::model::header::Marks;
use crate::params::{Params, UnitKind};
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;

use Op::{
    Acks, Attr, Cfg, Credit, Fctbs, Gap, Host, Idle, LinkDown, Load, Post, ReadAll, Rx, RxTo, Starve, Table,
    Tree, Wait, Waits, Written,
};
use UnitKind::{Hca, HcaThrottle, InputPort, OutputPort, SourceResponse};

/// Message types.
const ALLOC: u32 = 0;
const STOP: u32 = 2;
const GO: u32 = 3;

scenario_table! {
    Hca, Params, Op;
    c1_read_back "c1-read-back" "C1" "every register and counter of every unit is read after every write";
    h1_queues "h1-queues" "H1 B3" "generation queues fill, overflow and empty; packets that are none; LID_BASE changes";
    h2_cnp_first "h2-cnp-first" "H2 A2" "FECN is answered; the CNP passes waiting data, not the packet being sent";
    h2_cnp_queue "h2-cnp-queue" "H2 F1" "without credits CNPs wait and are lost, then leave back to back";
    h2_cnp_lanes "h2-cnp-lanes" "H2 F1" "one lane lacks credits: CNPs of the others go, and only its own are lost";
    h2_cnp_flood "h2-cnp-flood" "H2 A2" "a CNP for every flit that comes: data keep their share";
    h2_not_whole "h2-not-whole" "H2 H3 B3" "damaged, short and long packets and CNPs: not answered, nobody is throttled";
    h2_cnp_plain "h2-cnp-plain" "H2 A2" "a CNP for every flit that comes, without priority: data and CNPs take turns";
    h2_messages "h2-messages" "H2" "a CNP a message: FECN at its begin, at its end, nowhere; of sources that are no flow's; BECN_PER and cnp_en change meanwhile";
    h2_messages_lost "h2-messages-lost" "H2 B3" "ends of messages that are missing, damaged or refused; no credits: the reply to a message is lost";
    h1_window "h1-window" "H1" "the injection window fills and refuses, is lowered and switched off";
    h1_window_delay "h1-window-delay" "H1 H5" "flows that are throttled leave the window, are posted beside it, and come back without places";
    h2_queued "h2-queued" "H2 H1 H5" "CNPs wait in the generation queues, beside packets of the host: delayed, stopped, lost where half a queue is theirs";
    h3_becns "h3-becns" "H3 H2 B3" "BECNs of CNPs and data throttle their flow; one from a LID that is no flow's";
    h5_stop_go "h5-stop-go" "H5 H9" "trees that name flows: stopped in the throttle and in the hot queue, released, gone";
    h5_turns "h5-turns-after-stop" "H5 H8" "a tree of several flows is stopped and released over and over, beside another flow: they go in turn; the stop comes back at once, the tree goes and comes back";
    h5_credits "h5-credits" "H5 H8 F1" "the link gives no credits: the input port fills, then the injector stops";
    h8_injection "h8-injection" "H8 F1" "packets follow without a gap; a slow host; the block counter wraps";
    h8_slow_tx "h8-slow-tx" "H8 F1" "three flows and a link of a flit every 4 cycles: all get the same";
    h1_dma_stall "h1-dma-stall" "H1 H8 B3" "the host pauses inside a packet for longer than RX_TIMEOUT elsewhere: nothing is cut";
    b3_receiver "b3-receiver" "B3 F1" "every way in which a neighbour can break the rules; errors are cleared";
    h2_link_down "h2-link-down" "H2 F1 B3" "the link goes down within packets, CNPs and what is skipped, and while packets go out; stopped flows are free again";
    ak3_acks "ak3-acks" "AK2 AK3" "data of every length and mark are acknowledged, with PSNs of 24 bits, behind a GRH, beside cnp_en and BECN_PER";
    ak3_not_whole "ak3-not-whole" "AK3 B3" "data damaged, short, long, given up, refused, misrouted: which are acknowledged";
    ak3_not_answered "ak3-not-answered" "AK3" "multicast, opaque, CNPs, ACKs; ack_en is written within packets";
    ak4_queue "ak4-queue" "AK4 F1" "without credits ACKs wait and are lost, then leave back to back; push, pop and loss in one cycle";
    ak4_lanes "ak4-lanes" "AK4 F1" "one lane lacks credits: ACKs of the others go, and only its own are lost";
    ak4_flood "ak4-flood" "AK4 A2 AK8" "an ACK for every flit that comes, the host sends: data keep their share";
    ak4_plain "ak4-plain" "AK4 A2 AK8" "an ACK for every flit that comes, without priority: data and ACKs take turns";
    ak4_short_credit "ak4-short-credit" "AK4 A3" "credits for an MTU and hardly more, ACKs without end: the next grant is owed to data";
    ak4_both_kinds "ak4-both-kinds" "AK4 H2" "CNPs and ACKs in one FIFO; cnp_queued beside ACKs";
    ak4_link_down "ak4-link-down" "AK3 AK4 AK5 F1" "the link goes down within data and ACKs, and while ACKs wait";
    ak5_acks_in "ak5-acks-in" "AK5" "ACKs with all bits, in successive cycles, of other LIDs, of several flits, multicast, with ack_en off";
    ak5_broken "ak5-broken" "AK5 B3" "ACKs bad, short, long, given up";
    ak5_full_fifo "ak5-full-fifo" "AK5 AK8 F2" "the host takes nothing: ACKs are taken all the same";
    ak6_window "ak6-window" "AK6 AK7 VR5" "windows of 1, 2, 255; ACKs at once, late, never, twice; INJECT beside it";
    vr5_posts "vr5-posts" "VR5" "posts to empty queues with and without packets outstanding, in the cycle of the accept";
    h2_validated "h2-validated" "H2" "cnp_src: all marks";
    cl2_lane "cl2-control-lane" "CL2 CL3" "packets of all lanes and several SLs are answered, with and without credit on the highest VL; replies and what is none come on it";
    protocol "q17-protocol" "Q15 Q16 Q17 Q18 Q20" "messages of one and several chunks, answered soon, late, with NACKs; nothing speculative; nothing reserved";
    messages "q14-messages" "Q14" "messages fill their queues, those that are none; SLs and LID_BASE change";
    requests "q13-requests" "Q10 Q13 F2" "RES back to back, as many as there are blocks for, one more; damaged, of no size, for many, for others";
    ends "q12-ends" "Q12 B3" "SPEC packets of every length, damaged, short, long, given up; no reply leaves: a last flit is held back";
    classes "q4-classes" "Q1 Q4 B3" "every opcode on every lane, of one flit and two, with BTH and without";
    replies "q16-replies" "Q16 B3" "replies that nobody waits for, of wrong LIDs, damaged, in successive cycles, while the host takes nothing";
    room "q20-room" "Q20 F1" "a lane without credit: nothing for it stands in the adapter's queues; slow hosts and links";
    order "q3-order" "Q3" "RES and replies go before packets of the host; RES while replies lack credit";
    link_down "q3-link-down" "Q3 Q16 F1" "the link goes down while RES, replies and SPEC packets wait, come and go";
    copies "q22-copies" "Q22" "packets and RES that come twice, late, damaged, of nobody; no reply leaves: markers wait";
    losses "q22-losses" "Q22 Q21" "answers that are lost: packets and RES go again";
    in_order "q21-order" "Q21" "inorder: SPEC packets before and at their time, among granted ones, ones without reservation, and damaged ones";
    f2_receive_fifo "f2-receive-fifo" "F2 B3 F1" "the host takes nothing: the receive FIFO fills, packets that do not fit; FCTBS repairs";
}

fn c1_read_back(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    // packets for the counters, and one for an error
    ops.extend([Post(0, 1), Post(1, 0), Rx(Packet::data(1), 0), RxTo(Packet::data(1), To::Other, 0)]);
    ops.extend([Idle(LONG), ReadAll]);
    let units = [InputPort, OutputPort, p.chooser(), Hca];
    for pattern in PATTERNS {
        ops.extend(units.into_iter().flat_map(|u| registers(u).map(move |r| Cfg(u, r.name, pattern))));
        ops.extend([Written, ReadAll]);
    }
    let (mtu, cap) = (p.mtu as u32, (p.blocks / p.packet_lanes()) as u32);
    let low = (4 * mtu).min(cap / 2);
    for (unit, name, value) in [
        (InputPort, "HTH", (6 * mtu).min(3 * cap / 4)),
        (InputPort, "LTH", low),
        (InputPort, "WEIGHT", 0),
        (InputPort, "FC_INTERVAL", 4),
        (InputPort, "RX_INTERVAL", 1),
        (InputPort, "RX_TIMEOUT", 0),
        (InputPort, "REFRESH", 0),
        (InputPort, "STOP", 0),
        (InputPort, "GO", 0),
        (InputPort, "DETECT", low),
        (InputPort, "HOLD", mtu),
        (OutputPort, "FC_INTERVAL", 4),
        (OutputPort, "TX_INTERVAL", 1),
        (HcaThrottle, "LINK_INTERVAL", 1),
        (Hca, "LID", 0),
    ] {
        ops.push(Cfg(unit, name, value));
    }
    ops.extend(start(p));
    finish(p, &mut ops);
    ops
}

fn h1_queues(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let (all, mtu) = (p.advoq as u16 + 2, p.mtu as u8);
    // The injector is busy for long: queues fill.
    ops.extend([Host(0, ALWAYS), Post(0, 1), Post(1, 1), Wait(20)]);
    ops.extend((0..all).map(|_| Post(1, mtu)));
    ops.extend([Post(p.flows as u16, 1), Post(0xffff, mtu), Post(2, 0), Post(2, mtu + 1), Post(2, 127)]);
    ops.extend([Idle(LONG), Cfg(Hca, "LID_BASE", 4), Wait(5), Cfg(Hca, "LID_BASE", 3)]);
    // Posts in every cycle while packets leave: some meet the pop of a full queue.
    ops.extend([Host(ALWAYS, ALWAYS), Load(ALWAYS, (1, 1), ALWAYS), Wait(400)]);
    // And some the pop of one that is not full.
    ops.extend([Load(chance(0.3), (1, 1), 0), Wait(400), Load(0, (1, 1), 0), Wait(600)]);
    ops.extend((0..8).map(|_| Post(1, 1)));
    ops.extend([Idle(LONG), Cfg(Hca, "ERR_CLEAR", 0xffff)]);
    finish(p, &mut ops);
    ops
}

fn h2_cnp_first(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let mtu = p.mtu as u8;
    ops.extend([Load(chance(0.5), (0, p.flows), 0), Wait(60)]);
    for wait in 0..12 {
        ops.extend([Rx(Packet::data(1).fecn(), 2), Idle(LONG), Wait(5 + wait)]);
    }
    // Not answered.
    ops.extend([
        Rx(Packet::data(1).fecn().opcode(0x11), 1),
        RxTo(Packet::data(1).fecn(), To::Multicast, 1),
        Rx(Packet::data(2).fecn().becn(), 1),
        Idle(LONG),
        Cfg(Hca, "CTRL", 0),
        Rx(Packet::data(1).fecn(), 1),
        Idle(LONG),
        Cfg(Hca, "CTRL", 1),
    ]);
    // Several at once while the last packet is leaving.
    ops.extend([Load(0, (0, 1), 0), Post(3, mtu), Wait(12)]);
    ops.extend((0..4).map(|k| Rx(Packet::data(1).fecn(), k)));
    finish(p, &mut ops);
    ops
}

fn h2_cnp_queue(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    // No more credits.
    ops.extend([Credit(ALWAYS, 0), Wait(40)]);
    ops.extend((0..p.cnpq + 3).map(|_| Rx(Packet::data(1).fecn(), 2)));
    ops.extend([Idle(LONG), Wait(20), Credit(ALWAYS, 1024), Wait(30)]);
    // Queued while others leave.
    ops.extend((0..40).map(|_| Rx(Packet::data(1).fecn(), 2)));
    finish(p, &mut ops);
    ops
}

/// A packet with FECN whose CNP is of lane `vl`.
fn marked(p: &Params, vl: usize) -> Op {
    let mut packet = Packet::data(1).fecn();
    packet.hdr.vl = vl as u8;
    // LID_BASE is 3.
    let flow = if p.vl_by_dest { (vl + 2 * p.vls - 3) % p.vls } else { 2 };
    Rx(packet, flow as u16)
}

fn h2_cnp_lanes(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let last = p.vls - 1;
    ops.extend([
        Starve(Some(last)),
        Credit(0, 0),
        Wait(4),
        Credit(ALWAYS, 0),
        Wait(60),
        Credit(ALWAYS, 1024),
    ]);
    ops.push(Wait(40));
    ops.extend((0..p.cnpq + 3).flat_map(|_| [marked(p, last), marked(p, 0)]));
    ops.extend([Idle(LONG), Wait(80), Starve(None), Wait(80)]);
    finish(p, &mut ops);
    ops
}

fn h2_cnp_flood(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Load(ALWAYS, (0, p.flows), 0), Wait(200)]);
    ops.extend((0..1_000).map(|_| marked(p, 0)));
    ops.extend([Idle(4_000), Wait(20)]);
    finish(p, &mut ops);
    ops
}

fn h2_cnp_plain(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let iso = u32::from(p.isolation);
    ops.extend([Cfg(InputPort, "CTRL", iso | 4), Cfg(OutputPort, "CTRL", iso << 1 | 0x80)]);
    ops.extend([Load(ALWAYS, (0, p.flows), 0), Wait(200)]);
    ops.extend((0..400).map(|_| marked(p, 0)));
    ops.extend([Idle(4_000), Wait(20)]);
    finish(p, &mut ops);
    ops
}

/// A packet of a source with this PSN, with FECN or not.
fn numbered(psn: u32, fecn: bool) -> Packet {
    let packet = Packet::data(1).psn(psn);
    if fecn { packet.fecn() } else { packet }
}

fn h2_messages(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    for per in [1, 2, 3, 7] {
        ops.extend([Cfg(Hca, "BECN_PER", per), Wait(2)]);
        let end = (1 << per) - 1;
        // FECN at the first packet, at the last, at none, at all
        for (first, last) in [(true, false), (false, true), (false, false), (true, true)] {
            for source in [1, 2] {
                ops.extend([Rx(numbered(end - 1, first), source), Rx(numbered(end, last), source)]);
            }
        }
        ops.extend([Rx(numbered(0x7f - 1, true), 1), Rx(numbered(0x7f, false), 1), Idle(LONG), Wait(8)]);
        // what does not count, no flow's source, what is forgotten
        ops.extend([Rx(numbered(end - 1, true), 1), Rx(numbered(end, false).opcode(0x11), 1)]);
        ops.extend([RxTo(numbered(end, false), To::Multicast, 1), Rx(numbered(0, true), p.flows as u16)]);
        ops.extend([Idle(LONG), Cfg(Hca, "CTRL", 0), Wait(3), Cfg(Hca, "CTRL", 1), Wait(2)]);
        ops.extend([Rx(numbered(0, true), 1), Idle(LONG), Wait(2), Cfg(Hca, "BECN_PER", per), Wait(2)]);
        ops.extend([Rx(numbered(end, false), 1), Idle(LONG), Wait(8)]);
        // many, with a write among them
        ops.extend((0..12).map(|k| Rx(numbered(k, k % 3 == 0), 1)));
        ops.extend([Wait(7), Cfg(Hca, "BECN_PER", per), Idle(LONG), Wait(8)]);
    }
    ops.extend([Cfg(Hca, "BECN_PER", 0), Wait(2)]);
    finish(p, &mut ops);
    ops
}

fn h2_messages_lost(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Cfg(Hca, "BECN_PER", 2), Wait(2)]);
    let end = Packet::data(2).psn(3);
    for fault in [Fault::Bad(2), Fault::Early(1), Fault::Longer(1), Fault::Cut(1)] {
        ops.extend([Rx(numbered(1, true), 1), Rx(end.fault(fault), 1), Idle(LONG), Wait(5)]);
        // told by the end of the next message
        ops.extend([Rx(numbered(4, false), 1), Rx(numbered(7, false), 1), Idle(LONG), Wait(5)]);
    }
    ops.extend([Rx(numbered(1, true), 1), RxTo(end, To::Other, 1), Rx(numbered(7, false), 1), Idle(LONG)]);
    ops.extend([Credit(ALWAYS, 0), Wait(40)]);
    ops.extend((0..p.cnpq + 3).flat_map(|_| [Rx(numbered(2, true), 1), Rx(numbered(3, false), 1)]));
    ops.extend([Idle(LONG), Wait(20), Credit(ALWAYS, 1024), Wait(60)]);
    ops.extend([Cfg(Hca, "BECN_PER", 0), Wait(2)]);
    finish(p, &mut ops);
    ops
}

fn h1_window(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let few = p.flows.min(4);
    for n in [1, 3, 8, 15] {
        ops.extend([Cfg(Hca, "INJECT", n), Host(0, ALWAYS), Wait(4)]);
        // the injector stands: the window fills, and refuses
        ops.extend((0..12).map(|k| Post((k % few) as u16, 1 + (k % p.mtu.min(3)) as u8)));
        ops.extend([Idle(LONG), Wait(4), Host(chance(0.5), ALWAYS), Load(ALWAYS, (0, few), chance(0.3))]);
        ops.extend([Wait(200), Load(0, (0, 1), 0), Host(ALWAYS, ALWAYS), Idle(LONG), Wait(40)]);
    }
    // fewer places than are taken; none
    for n in [2, 0] {
        ops.extend([Cfg(Hca, "INJECT", 8), Host(0, ALWAYS), Wait(4)]);
        ops.extend((0..8).map(|k| Post((k % few) as u16, 1)));
        ops.extend([Wait(12), Cfg(Hca, "INJECT", n), Wait(4), Post(0, 1), Wait(4)]);
        ops.extend([Host(ALWAYS, ALWAYS), Idle(LONG), Wait(60)]);
    }
    ops.extend([Cfg(Hca, "INJECT", 0), Wait(2)]);
    finish(p, &mut ops);
    ops
}

fn h1_window_delay(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Table(|i| (40 * i) as u16), Cfg(HcaThrottle, "CCTI_TIMER", 1), Written]);
    // The source response holds flows by their windows.
    ops.extend([Cfg(Hca, "CTRL", 4), Cfg(SourceResponse, "WMAX", 1), Acks(ALWAYS, 150, 0, 0)]);
    for (n, load) in [(1, chance(0.5)), (2, ALWAYS), (4, chance(0.5)), (8, ALWAYS)] {
        ops.extend([Cfg(Hca, "INJECT", n), Wait(2)]);
        ops.extend((0..4).map(|_| Rx(Packet::cnp(), 1)));
        ops.extend([Idle(LONG), Load(load, (0, 3), 0), Wait(600)]);
        ops.extend((0..3).flat_map(|f| [Rx(Packet::cnp(), f), Wait(150)]));
        ops.extend([Load(0, (0, 1), 0), Idle(LONG), Wait(400)]);
    }
    ops.extend([Cfg(Hca, "INJECT", 0), Cfg(Hca, "CTRL", 1), Cfg(SourceResponse, "WMAX", 0), Wait(2)]);
    finish(p, &mut ops);
    ops
}

fn h2_queued(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Cfg(Hca, "CTRL", 3), Table(|i| (40 * i) as u16), Cfg(HcaThrottle, "CCTI_TIMER", 1), Written]);
    // one by one, while the host pauses, while it posts
    ops.extend([Rx(Packet::data(1).fecn(), 2), Idle(LONG), Wait(30), Host(0, ALWAYS)]);
    ops.extend([Rx(Packet::data(1).fecn(), 2), Idle(LONG), Wait(30), Host(ALWAYS, ALWAYS)]);
    ops.push(Load(ALWAYS, (0, 4), chance(0.3)));
    ops.extend((0..30).map(|k| Rx(Packet::data(1).fecn(), k % 4)));
    ops.extend([Idle(LONG), Wait(100), Load(0, (0, 1), 0), Idle(LONG), Wait(100)]);
    // to nobody; more than half a queue; delayed
    ops.extend([Rx(Packet::data(1).fecn(), p.flows as u16), Idle(LONG), Wait(10)]);
    ops.extend((0..6).map(|_| Rx(Packet::cnp(), 2)));
    ops.extend([Idle(LONG), Wait(10)]);
    ops.extend((0..p.advoq as u16 + 4).map(|_| Rx(Packet::data(1).fecn(), 2)));
    ops.extend([Idle(LONG), Wait(40)]);
    ops.extend((0..3).flat_map(|_| [Rx(Packet::data(1).fecn(), 2), Idle(LONG), Wait(30)]));
    ops.extend([Post(2, 1), Wait(300), Host(0, ALWAYS), Post(2, 1), Wait(20)]);
    ops.extend((0..p.advoq as u16).flat_map(|_| [Post(1, 1), Post(2, 1)]));
    ops.extend([
        Load(ALWAYS, (1, 2), ALWAYS),
        Wait(10),
        Load(0, (0, 1), 0),
        Host(ALWAYS, ALWAYS),
        Idle(LONG),
    ]);
    ops.extend([Wait(400), Cfg(Hca, "CTRL", 1), Wait(2)]);
    finish(p, &mut ops);
    ops
}

fn h2_not_whole(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Cfg(HcaThrottle, "CCTI_INCREASE", 5), Cfg(HcaThrottle, "CCTI_TIMER", 0), Written]);
    let mut cnp = Packet::cnp();
    cnp.hdr.pkt_len = 48;
    let (data, one) = (Packet::data(3).fecn(), Packet::data(1).fecn());
    for packet in [data, cnp, Packet::data(3).becn()] {
        for fault in
            [Fault::Bad(3), Fault::Bad(2), Fault::Bad(1), Fault::Early(2), Fault::Longer(1), Fault::Cut(2)]
        {
            ops.extend([Rx(packet.fault(fault), 1), Idle(LONG), Wait(5), Cfg(Hca, "ERR_CLEAR", 0xffff)]);
        }
    }
    for packet in [one, Packet::cnp()] {
        ops.extend([Rx(packet.fault(Fault::Bad(1)), 1), Idle(LONG), Wait(5)]);
    }
    finish(p, &mut ops);
    ops
}

fn h3_becns(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Table(|i| (25 * i) as u16), Written, Load(chance(0.2), (0, 4), 0), Wait(60)]);
    for flow in [1, 2, 1, 1, 3] {
        ops.extend([Rx(Packet::cnp(), flow), Idle(LONG), Wait(80)]);
    }
    ops.extend([Rx(Packet::data(1).becn(), 1), Rx(Packet::data(2).becn(), 2), Rx(Packet::cnp(), 1)]);
    let quiet = Packet::cnp();
    let quiet = Packet {
        hdr: crate::model::header::Header { bth: Packet::data(1).opcode(0x80).hdr.bth, ..quiet.hdr },
        ..quiet
    };
    ops.extend([
        Rx(quiet, 1),
        Rx(Packet::cnp(), p.flows as u16),
        Rx(Packet::cnp(), 0xffff),
        Idle(LONG),
        Wait(200),
    ]);
    finish(p, &mut ops);
    ops
}

fn h5_stop_go(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let (line, other) = (0, 1);
    ops.extend([Attr(0, 0), Load(chance(0.4), (0, 4), 0), Wait(60)]);
    for _ in 0..2 {
        // Without credits for a while, so that packets are in the input port when the tree comes.
        ops.extend([Credit(ALWAYS, 0), Wait(60), Tree(ALLOC, line, false, vec![1]), Wait(20)]);
        ops.extend([Tree(STOP, line, false, vec![1]), Wait(10), Credit(ALWAYS, 1024), Wait(60)]);
        if p.lines > 1 {
            ops.extend([Tree(ALLOC, other, true, vec![1]), Wait(30), Tree(DEALLOC, other, false, vec![1])]);
        }
        ops.extend([Tree(GO, line, false, vec![1]), Wait(100), Tree(STOP, line, false, vec![1]), Wait(80)]);
        // The tree is gone while its queue is stopped.
        ops.extend([Tree(DEALLOC, line, false, vec![1]), Wait(100)]);
    }
    // Isolation is switched off while a hot queue is in use.
    ops.extend([Load(0, (1, 1), 0), Wait(1_200), Load(chance(0.4), (1, 1), 0), Credit(ALWAYS, 0), Wait(150)]);
    ops.extend([Tree(ALLOC, line, true, vec![1]), Wait(60), Cfg(InputPort, "CTRL", 0), Wait(60)]);
    finish(p, &mut ops);
    ops
}

fn h5_turns(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let all: Vec<usize> = (0..p.dlist.min(4)).collect();
    // The last of them alone has packets; all, and another one; a tree of the first alone.
    for (names, has) in [(all.len(), (all.len() - 1, 1)), (all.len(), (0, 5)), (1, (0, 2))] {
        let line = |kind: u32, stop: bool| Tree(kind, 0, stop, all[..names].to_vec());
        ops.extend([Load(0, (0, 1), 0), Idle(LONG), Load(ALWAYS, has, 0), line(ALLOC, true), Wait(60)]);
        for round in 0..12 {
            ops.extend([line(GO, false), Wait(round % 6 * 6), line(STOP, false), Wait(30)]);
        }
        for round in 0..6 {
            ops.extend([line(ALLOC, true), Wait(20), line(GO, false), Wait(1 + round), line(DEALLOC, false)]);
            ops.push(Wait(3 * round));
        }
        ops.extend([line(ALLOC, false), Wait(60), line(DEALLOC, false), Wait(40)]);
    }
    finish(p, &mut ops);
    ops
}

fn h5_credits(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Credit(ALWAYS, 0), Load(ALWAYS, (0, p.flows), 0), Wait(900)]);
    ops.extend([Credit(chance(0.3), p.mtu as u32), Wait(300), Load(0, (0, 1), 0)]);
    finish(p, &mut ops);
    ops
}

fn h8_injection(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    // One lane, without a pause, beyond 4096 blocks.
    let lane = if p.vl_by_dest { 1 } else { 4 };
    ops.extend([Credit(ALWAYS, 2000), Load(ALWAYS, (0, lane), 0), Wait(9_000)]);
    // A slow host.
    ops.extend([Host(chance(0.3), ALWAYS), Wait(300), Load(0, (0, 1), 0), Wait(100), Host(ALWAYS, ALWAYS)]);
    // All queues drain.
    ops.push(Wait(1_500));
    ops.extend((0..8).map(|k| Post(k % p.flows as u16, 1)));
    // An offer that waits for the injector is withdrawn.
    if p.isolation {
        ops.extend([Idle(LONG), Wait(200), Host(0, ALWAYS), Post(0, 1), Wait(12), Post(1, 1), Wait(12)]);
        ops.extend([Tree(ALLOC, 0, true, vec![1]), Wait(10), Tree(GO, 0, false, vec![1]), Wait(5)]);
    }
    finish(p, &mut ops);
    ops
}

fn h8_slow_tx(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Cfg(OutputPort, "TX_INTERVAL", 4), Load(ALWAYS, (0, 3), 0), Wait(12_000)]);
    ops.extend([Load(0, (0, 3), 0), Wait(4_000), Cfg(OutputPort, "TX_INTERVAL", 1)]);
    finish(p, &mut ops);
    ops
}

fn h1_dma_stall(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let mtu = p.mtu as u8;
    ops.extend([Post(0, mtu), Post(1, mtu), Wait(10), Host(0, ALWAYS), Wait(1_030), Host(ALWAYS, ALWAYS)]);
    ops.extend([Wait(20), Host(0, ALWAYS), Wait(1_030)]);
    finish(p, &mut ops);
    ops
}

fn b3_receiver(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let clear = [Idle(LONG), Wait(8), Cfg(Hca, "ERR_CLEAR", 0xffff), Wait(4)];
    let mut bad_vl = Packet::data(2);
    bad_vl.hdr.vl = 15;
    let mut empty = Packet::data(1);
    empty.hdr.pkt_len = 0;
    let mut long = Packet::data(1);
    long.hdr.pkt_len = 16 * p.mtu as u16 + 1;
    let faults = [
        bad_vl,
        empty,
        long.fault(Fault::Early(1)),
        Packet::data(2).fault(Fault::Early(1)),
        Packet::data(1).fault(Fault::Longer(1)),
        Packet::data(2).fault(Fault::NoFirst),
        Packet::data(3).fault(Fault::Cut(2)),
        Packet::data(2),
        Packet::data(3).fault(Fault::Bad(2)),
        Packet::data(2).fault(Fault::Bad(1)),
        Packet::data(2).fault(Fault::Longer(2)),
        Packet::data(4).fault(Fault::Early(2)),
        Packet::data(1),
    ];
    for f in faults {
        ops.push(Rx(f, 1));
        ops.extend(clear.clone());
    }
    ops.extend([RxTo(Packet::data(2), To::Other, 1), RxTo(Packet::data(3), To::Multicast, 1)]);
    ops.extend(clear.clone());
    // A first flit while another packet is skipped, or open.
    ops.extend([RxTo(Packet::data(3).fault(Fault::Cut(2)), To::Other, 1), Rx(Packet::data(2), 1)]);
    ops.extend([Rx(Packet::data(3).fault(Fault::Cut(2)), 1), Rx(Packet::data(2), 1)]);
    ops.extend(clear.clone());
    // An error in the cycle in which it is cleared.
    ops.extend((0..12).map(|_| RxTo(Packet::data(1), To::Other, 1)));
    ops.extend([Wait(2), Cfg(Hca, "ERR_CLEAR", 0xffff), Cfg(Hca, "ERR_CLEAR", 0xffff)]);
    ops.extend([Fctbs(p.vls as u32, 1), Wait(3), Fctbs(0xff, 1)]);
    ops.extend(clear);
    finish(p, &mut ops);
    ops
}

fn h2_link_down(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let n = p.mtu.min(4);
    let mut cnp = Packet::cnp();
    cnp.hdr.pkt_len = 16 * n as u16;
    for at in 0..n as u32 + 2 {
        for packet in [Packet::data(n).fecn(), cnp] {
            ops.extend([Post(0, p.mtu as u8), Rx(packet, 1), Rx(Packet::data(1), 1)]);
            ops.extend([Wait(at), LinkDown(1 + 2 * (at % 3)), Wait(2), Idle(LONG), Wait(20)]);
        }
        ops.extend([Tree(ALLOC, 0, true, vec![1]), Wait(2), Post(1, p.mtu as u8), Post(1, 1)]);
        ops.extend([RxTo(Packet::data(n), To::Other, 1), Wait(at), LinkDown(1 + at), Wait(2), Idle(LONG)]);
        ops.push(Wait(60));
    }
    finish(p, &mut ops);
    ops
}

fn f2_receive_fifo(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let cap = p.rx_cap(0);
    ops.extend([Cfg(Hca, "FC_INTERVAL", 9), Host(ALWAYS, 0), Wait(8), Cfg(Hca, "FC_INTERVAL", 1)]);
    // As much as fits, then more without credit.
    ops.extend((0..cap.div_ceil(p.mtu)).map(|_| Rx(Packet::data(p.mtu), 1)));
    ops.extend([
        Wait(cap as u32 + 40),
        Rx(Packet::data(p.mtu).fault(Fault::NoCredit), 1),
        Wait(p.mtu as u32 + 60),
    ]);
    // The host takes some; packets are longer than they say.
    ops.extend([
        Host(ALWAYS, chance(0.5)),
        Wait(40),
        Host(ALWAYS, 0),
        Rx(Packet::data(1).fault(Fault::Longer(1)), 1),
    ]);
    ops.extend([Rx(Packet::data(2).fault(Fault::Longer(cap.min(255) as u8)), 1), Wait(cap as u32 + 60)]);
    ops.extend([Host(ALWAYS, chance(0.8)), Gap(chance(0.2))]);
    ops.extend((0..8).map(|_| Rx(Packet::data(p.mtu), 1)));
    ops.extend([Idle(LONG), Wait(80)]);
    // The counters are set to shortly before the wrap, on every lane.
    ops.extend((0..p.vls as u32).flat_map(|v| [Fctbs(v, 4090), Wait(2)]));
    ops.extend((0..8).map(|_| Rx(Packet::data(p.mtu), 1)));
    // And to something else in the middle of a packet.
    ops.extend([Wait(2 * p.mtu as u32 + 12), Fctbs(0, 100), Wait(3), Fctbs(0, 200), Wait(1), Fctbs(0, 300)]);
    finish(p, &mut ops);
    ops
}

/// CTRL of the adapter: CNPs, ACKs; marks that are validated ones.
const CNPS: u32 = 1;
const QUEUED: u32 = 2;
const ACKS: u32 = 4;
const VALIDATED: u32 = 8;

/// Combinations of marks.
const MARKS: [Marks; 7] =
    [Marks::NONE, Marks::FECN, Marks::MB, Marks::VB, Marks::of(0x30), Marks::of(0xb0), Marks::BECN];

/// Starts with ACKs on; CNPs are, too, and give way.
fn start_acks(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Cfg(Hca, "CTRL", CNPS | ACKS), Wait(2)]);
    ops
}

/// Ends with ACKs off.
fn finish_acks(p: &Params, mut ops: Vec<Op>) -> Vec<Op> {
    ops.extend([Idle(LONG), Cfg(Hca, "CTRL", CNPS), Cfg(SourceResponse, "WMAX", 0), Wait(2)]);
    finish(p, &mut ops);
    ops
}

fn ak3_acks(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let mut psn = 0x00ff_fff0;
    for n in [1, 2, p.mtu] {
        for marks in MARKS {
            psn = (psn + 3) & 0xff_ffff;
            let mut packet = Packet::data(n).psn(psn).marks(marks);
            packet.hdr.sl = (psn & 0xf) as u8;
            ops.push(Rx(packet, (psn % p.flows as u32) as u16));
            if p.flit_bytes == 64 {
                packet.hdr.lnh = 3;
                ops.push(Rx(packet, 1));
            }
        }
        ops.extend([Idle(LONG), Wait(10)]);
    }
    // A FECN not yet told is forgotten when ACKs are switched on.
    ops.extend([Cfg(Hca, "BECN_PER", 2), Cfg(Hca, "CTRL", CNPS), Wait(2), Rx(numbered(0, true), 1)]);
    ops.extend([Idle(LONG), Wait(6), Cfg(Hca, "CTRL", CNPS | ACKS), Wait(4)]);
    ops.extend((0..8).map(|psn| Rx(numbered(psn, psn % 3 == 0), 1)));
    ops.extend([Idle(LONG), Cfg(Hca, "BECN_PER", 0)]);
    finish_acks(p, ops)
}

fn ak3_not_whole(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let (data, one) = (Packet::data(3).psn(0x1234), Packet::data(1).psn(0x765));
    for fault in
        [Fault::Bad(3), Fault::Bad(2), Fault::Bad(1), Fault::Early(2), Fault::Longer(1), Fault::Cut(2)]
    {
        ops.extend([Rx(data.fault(fault), 1), Rx(one, 2), Idle(LONG), Wait(6)]);
    }
    ops.extend([Rx(one.fault(Fault::Bad(1)), 1), RxTo(data, To::Other, 1), Idle(LONG)]);
    // There is no room.
    ops.push(Host(ALWAYS, 0));
    ops.extend((0..p.rx_cap(0).div_ceil(p.mtu)).map(|_| Rx(Packet::data(p.mtu), 1)));
    ops.extend([Wait(p.rx_cap(0) as u32 + 40), Rx(Packet::data(p.mtu).fault(Fault::NoCredit), 1)]);
    ops.extend([Wait(p.mtu as u32 + 20), Host(ALWAYS, ALWAYS)]);
    finish_acks(p, ops)
}

fn ak3_not_answered(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let mut opaque = Packet::data(2);
    opaque.hdr.lnh = 1;
    ops.extend([
        RxTo(Packet::data(2).fecn(), To::Multicast, 1),
        Rx(opaque, 1),
        Rx(Packet::cnp(), 1),
        Rx(Packet::ack(3), 1),
        RxTo(Packet::ack(3), To::Multicast, 1),
        Idle(LONG),
        Wait(10),
    ]);
    // ACKs are switched on or off at each flit of a packet.
    for before in 0..10 {
        for ctrl in [CNPS, CNPS | ACKS] {
            ops.extend([Rx(Packet::data(4), 1), Wait(before), Cfg(Hca, "CTRL", ctrl), Idle(LONG), Wait(8)]);
        }
    }
    finish_acks(p, ops)
}

fn ak4_queue(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    ops.extend([Credit(ALWAYS, 0), Wait(40)]);
    ops.extend((0..p.cnpq + 3).map(|k| Rx(Packet::data(1).psn(k as u32), 2)));
    ops.extend([Idle(LONG), Wait(20)]);
    // Others come while credits come back.
    ops.extend((0..60).map(|k| Rx(Packet::data(1).psn(k << 8), 2)));
    ops.extend([Wait(10), Credit(ALWAYS, 1024)]);
    finish_acks(p, ops)
}

/// A packet of data whose ACK is of lane `vl`.
fn answered(p: &Params, vl: usize) -> Op {
    match marked(p, vl) {
        Rx(packet, flow) => Rx(Packet { hdr: packet.hdr, ..Packet::data(1) }, flow),
        op => op,
    }
}

fn ak4_lanes(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let last = p.vls - 1;
    ops.extend([Starve(Some(last)), Credit(0, 0), Wait(4), Credit(ALWAYS, 0), Wait(60)]);
    ops.extend([Credit(ALWAYS, 1024), Wait(40)]);
    ops.extend((0..p.cnpq + 3).flat_map(|_| [answered(p, last), answered(p, 0)]));
    ops.extend([Idle(LONG), Wait(80), Starve(None), Wait(80)]);
    // An ACK of the last lane beside those that wait on lane 0, and beside data of its own.
    let sls = |sl: usize| (0..p.flows.min(8)).map(move |f| Attr(f as u16, sl as u8));
    ops.extend(sls(last));
    ops.extend([Written, Starve(Some(0)), Credit(0, 0), Wait(4), Credit(ALWAYS, 0), Wait(60)]);
    ops.extend([Credit(ALWAYS, 1024), Load(ALWAYS, (0, p.flows.min(8)), 0), Wait(40)]);
    ops.extend([answered(p, 0), answered(p, last), Idle(LONG), Wait(400)]);
    ops.extend([Load(0, (0, 1), 0), Starve(None), Idle(LONG), Wait(80)]);
    ops.extend(sls(0));
    ops.push(Written);
    finish_acks(p, ops)
}

fn cl2_lane(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    let highest = p.vls - 1;
    let on = |packet: Packet, vl: usize, sl: u8| {
        let mut packet = packet;
        (packet.hdr.vl, packet.hdr.sl) = (vl as u8, sl);
        packet
    };
    let asks = |sl: u8| (0..p.vls.min(16)).map(move |vl| Rx(on(Packet::data(1).fecn(), vl, sl), 2));
    let long = |packet: Packet| {
        let mut packet = packet;
        packet.hdr.pkt_len = 32;
        packet
    };
    for ctrl in [CNPS, CNPS | 2, CNPS | ACKS] {
        ops.extend([Cfg(Hca, "CTRL", ctrl), Written, Wait(4)]);
        ops.extend(asks(1).chain(asks(6)));
        ops.extend([
            Idle(LONG),
            Wait(40),
            Starve(Some(highest)),
            Credit(0, 0),
            Wait(4),
            Credit(ALWAYS, 0),
            Wait(60),
        ]);
        ops.extend([Credit(ALWAYS, 1024), Wait(40)]);
        ops.extend(asks(2).chain(asks(9)));
        ops.extend([Idle(LONG), Wait(80), Starve(None), Wait(80)]);
        for packet in [
            Packet::cnp(),
            Packet::ack(5),
            Packet::data(1),
            Packet::data(2),
            long(Packet::cnp()),
            long(Packet::ack(6)),
        ] {
            ops.extend([Rx(on(packet, highest, 3), 1), Rx(on(Packet::data(2), 0, 0), 1)]);
        }
        ops.extend([Idle(LONG), Wait(20)]);
    }
    finish_acks(p, ops)
}

fn ak4_flood(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    ops.extend([Load(ALWAYS, (0, p.flows), 0), Wait(200)]);
    ops.extend((0..1_000).map(|_| answered(p, 0)));
    ops.extend([Idle(4_000), Wait(20), Load(0, (0, 1), 0)]);
    finish_acks(p, ops)
}

fn ak4_plain(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let iso = u32::from(p.isolation);
    ops.extend([Cfg(InputPort, "CTRL", iso | 4), Cfg(OutputPort, "CTRL", iso << 1 | 0x80)]);
    ops.extend([Load(ALWAYS, (0, p.flows), 0), Wait(200)]);
    ops.extend((0..400).map(|_| answered(p, 0)));
    ops.extend([Idle(4_000), Wait(20), Load(0, (0, 1), 0)]);
    finish_acks(p, ops)
}

fn ak4_short_credit(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let mtu = p.mtu as u32;
    let lane = if p.vl_by_dest { 1 } else { p.flows.min(4) };
    for (chance, room) in [(chance(0.3), mtu), (ALWAYS, mtu), (chance(0.1), mtu + 1), (chance(0.5), 2 * mtu)]
    {
        ops.extend([Credit(chance, room), Load(ALWAYS, (0, lane), 0), Wait(100)]);
        ops.extend((0..80).map(|_| answered(p, if p.vl_by_dest { 3 % p.vls } else { 0 })));
        ops.push(Wait(200));
        // A tree takes the packets that wait away.
        if p.isolation {
            ops.extend([Tree(ALLOC, 0, true, (0..p.dlist.min(p.flows)).collect()), Wait(60)]);
            ops.extend([Tree(GO, 0, false, vec![0]), Wait(20), Tree(DEALLOC, 0, false, vec![0])]);
        }
        ops.extend([Load(0, (0, 1), 0), Credit(ALWAYS, 1024), Idle(LONG), Wait(100)]);
    }
    // An ACK took credit; then there is plenty, and more data than a slow link takes. The next ACK has its turn all the same.
    ops.extend([Cfg(OutputPort, "TX_INTERVAL", 3), Credit(ALWAYS, 0), Wait(40), Credit(0, 0)]);
    ops.extend([Load(ALWAYS, (0, lane), 0), Wait(80)]);
    let vl = if p.vl_by_dest { 3 % p.vls } else { 0 };
    ops.extend([answered(p, vl), answered(p, vl), Wait(10), Credit(ALWAYS, mtu), Wait(30)]);
    ops.extend([Credit(ALWAYS, 1024), Wait(800), Load(0, (0, 1), 0), Idle(LONG), Wait(60)]);
    ops.extend([Cfg(OutputPort, "TX_INTERVAL", 1), Wait(4)]);
    // One packet waits for credit that an ACK took, and a tree takes it away.
    let lane = if p.vl_by_dest { 3 % p.vls } else { 0 };
    for wait in 1..=6 {
        ops.extend([Credit(ALWAYS, 0), Wait(40), Credit(0, 0), Post(0, p.mtu as u8), Wait(30)]);
        ops.extend([answered(p, lane), answered(p, lane), Idle(LONG), Wait(6)]);
        ops.extend([Credit(ALWAYS, mtu), Wait(wait), Credit(0, 0), Wait(10)]);
        if p.isolation {
            ops.extend([Tree(ALLOC, 0, true, vec![0]), Wait(40), Tree(DEALLOC, 0, false, vec![0])]);
        }
        ops.extend([Credit(ALWAYS, 1024), Wait(60)]);
    }
    finish_acks(p, ops)
}

fn ak4_both_kinds(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    for first in [CNPS, CNPS | ACKS] {
        ops.extend([Credit(ALWAYS, 0), Wait(40)]);
        for k in 0..4 {
            let ctrl = if k % 2 == 0 { first } else { first ^ ACKS };
            ops.extend([Cfg(Hca, "CTRL", ctrl), Wait(2), Rx(Packet::data(1).fecn().psn(k), 2), Idle(LONG)]);
            ops.push(Wait(4));
        }
        ops.extend([Credit(ALWAYS, 1024), Wait(60)]);
    }
    // CNPs that were queued, and ACKs, with cnp_queued.
    ops.extend([Cfg(Hca, "CTRL", CNPS | QUEUED | ACKS), Wait(2)]);
    ops.extend((0..8).map(|k| Rx(Packet::data(1).psn(k), 2)));
    ops.extend([Idle(LONG), Wait(20)]);
    for wait in 0..4 {
        ops.extend([Cfg(Hca, "CTRL", CNPS | QUEUED | ACKS), Credit(ALWAYS, 0), Wait(40)]);
        ops.extend([answered(p, p.vls - 1), answered(p, p.vls - 1), Idle(LONG), Wait(4)]);
        ops.extend([Cfg(Hca, "CTRL", CNPS | QUEUED), Wait(2)]);
        ops.extend((0..30).map(|_| marked(p, 0)));
        ops.extend([Wait(5 + wait), Credit(ALWAYS, 1024), Idle(LONG), Wait(100)]);
    }
    finish_acks(p, ops)
}

fn ak4_link_down(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let n = p.mtu.min(4);
    for at in 0..n as u32 + 2 {
        for packet in [Packet::data(n).fecn(), Packet::ack(9).flits(n)] {
            ops.extend([Post(0, p.mtu as u8), Rx(packet, 1), Rx(Packet::data(1), 1)]);
            ops.extend([Wait(at), LinkDown(1 + 2 * (at % 3)), Wait(2), Idle(LONG), Wait(20)]);
        }
        ops.extend([Credit(ALWAYS, 0), Wait(30), Rx(Packet::data(1), 1), Rx(Packet::data(1), 2), Idle(LONG)]);
        ops.extend([Wait(5), LinkDown(3), Wait(6), Credit(ALWAYS, 1024), Wait(40)]);
    }
    finish_acks(p, ops)
}

fn ak5_acks_in(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    for bits in 0..16u8 {
        let ack = Packet::ack(u32::from(bits)).marks(Marks::of(bits << 4));
        ops.push(Rx(ack, u16::from(bits) % p.flows as u16));
    }
    ops.extend([Idle(LONG), Wait(4)]);
    for from in [p.flows as u16, 0xffff, 0xfffd] {
        ops.extend([Rx(Packet::ack(1), from), Rx(Packet::ack(1).marks(Marks::BECN), from)]);
    }
    ops.extend([Rx(Packet::ack(1).flits(3), 1), Rx(Packet::ack(1).flits(p.mtu), 2), Rx(Packet::ack(1), 3)]);
    ops.extend([RxTo(Packet::ack(1), To::Multicast, 1), RxTo(Packet::ack(1), To::Other, 1), Idle(LONG)]);
    ops.extend([Wait(4), Cfg(Hca, "LID_BASE", 1), Rx(Packet::ack(1), 0), Rx(Packet::ack(1), 1), Idle(LONG)]);
    ops.extend([Cfg(Hca, "LID_BASE", 3), Wait(4)]);
    for before in 0..8 {
        for ctrl in [CNPS, CNPS | ACKS] {
            ops.extend([Rx(Packet::ack(7).flits(4), 1), Wait(before), Cfg(Hca, "CTRL", ctrl)]);
            ops.extend([Idle(LONG), Rx(Packet::ack(8), 2), Idle(LONG), Wait(6)]);
        }
    }
    finish_acks(p, ops)
}

fn ak5_broken(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let ack = Packet::ack(5).flits(3);
    for fault in
        [Fault::Bad(3), Fault::Bad(2), Fault::Bad(1), Fault::Early(2), Fault::Longer(1), Fault::Cut(2)]
    {
        for next in [Packet::ack(6), Packet::data(2)] {
            ops.extend([Rx(ack.fault(fault), 1), Rx(next, 2), Idle(LONG), Wait(5)]);
            ops.extend([Cfg(Hca, "ERR_CLEAR", 0xffff), Wait(1)]);
        }
    }
    ops.extend([Rx(Packet::ack(6).fault(Fault::Bad(1)), 1), Idle(LONG), Wait(4)]);
    finish_acks(p, ops)
}

fn ak5_full_fifo(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    ops.push(Host(ALWAYS, 0));
    ops.extend((0..p.rx_cap(0) / p.mtu).map(|_| Rx(Packet::data(p.mtu), 1)));
    ops.extend((0..p.rx_cap(0) % p.mtu).map(|_| Rx(Packet::data(1), 1)));
    ops.push(Wait(2 * p.rx_cap(0) as u32 + 60));
    // (The far end does not know that what is taken needs no room.)
    ops.extend((0..6).map(|k| Rx(Packet::ack(k).fault(Fault::NoCredit), k as u16 % 3)));
    ops.extend([Wait(40), Host(ALWAYS, ALWAYS)]);
    finish_acks(p, ops)
}

fn ak6_window(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    let few = p.flows.min(3);
    for (wmax, inject) in [(1, 0), (2, 4), (255, 0)] {
        ops.extend([Cfg(Hca, "INJECT", inject), Cfg(SourceResponse, "WMAX", wmax)]);
        // at once, late, twice, with marks
        for (delay, twice, marked) in [(0, 0, 0), (20, 0, chance(0.3)), (120, chance(0.3), 0)] {
            ops.extend([Acks(ALWAYS, delay, twice, marked), Load(chance(0.5), (0, few), 0), Wait(300)]);
            ops.extend([Load(0, (0, 1), 0), Idle(LONG), Wait(150)]);
        }
    }
    // One flow, short packets: an ACK meets an acceptance.
    ops.extend([Cfg(Hca, "INJECT", 0), Cfg(SourceResponse, "WMAX", 2), Acks(ALWAYS, 12, 0, 0)]);
    for gap in 0..40 {
        ops.extend([Post(1, 1), Wait(3 + gap % 7), Post(1, 1), Wait(2 + gap % 11), Post(1, 1), Wait(20)]);
    }
    ops.extend([Cfg(SourceResponse, "WMAX", 4), Wait(2)]);
    for _ in 0..25 {
        ops.extend((0..8).map(|_| Post(1, 1)));
        ops.push(Wait(60));
    }
    // Never: windows of flows that are silent open again, where time is short.
    if p.ts_w <= 10 {
        ops.extend([Cfg(SourceResponse, "WMAX", 1), Acks(0, 0, 0, 0), Load(ALWAYS, (0, 2), 0), Wait(1_500)]);
        ops.push(Load(0, (0, 1), 0));
    }
    ops.extend([Acks(0, 0, 0, 0), Cfg(SourceResponse, "WMAX", 0), Wait(400)]);
    finish_acks(p, ops)
}

fn vr5_posts(p: &Params) -> Vec<Op> {
    let mut ops = start_acks(p);
    ops.extend([Cfg(SourceResponse, "WMAX", 8), Acks(ALWAYS, 0, 0, 0), Wait(4)]);
    for wait in 2..12 {
        ops.extend([Post(1, 1), Wait(wait), Post(1, 1), Wait(60)]);
    }
    // [7] reset_empty, [4] dyn, slots
    ops.extend([Cfg(SourceResponse, "CTRL", 1 | 4 << 1 | 16 | 128), Cfg(SourceResponse, "WMAX", 2)]);
    ops.extend([Waits(|i| 10 * i), Acks(ALWAYS, 30, 0, chance(0.5)), Written]);
    for wait in 0..16 {
        ops.extend([Post(1, 1), Wait(wait), Post(1, 1), Wait(40), Post(2, 1), Post(2, 1), Wait(wait)]);
    }
    ops.extend([Idle(LONG), Wait(100), Cfg(SourceResponse, "CTRL", 1)]);
    finish_acks(p, ops)
}

fn h2_validated(p: &Params) -> Vec<Op> {
    let mut ops = start(p);
    ops.extend([Cfg(Hca, "CTRL", CNPS | VALIDATED), Wait(2)]);
    for per in [0, 1] {
        ops.extend([Cfg(Hca, "BECN_PER", per), Wait(2)]);
        for bits in 0..16u8 {
            let packet = Packet::data(1 + usize::from(bits & 1)).marks(Marks::of(bits << 4));
            ops.extend([Rx(packet.psn(bits.into()), 1), Rx(packet.psn(2 * u32::from(bits) + 1), 2)]);
        }
        ops.extend([Idle(LONG), Wait(20)]);
    }
    ops.extend([Cfg(Hca, "BECN_PER", 0), Cfg(Hca, "CTRL", CNPS), Wait(2)]);
    finish(p, &mut ops);
    ops
}
