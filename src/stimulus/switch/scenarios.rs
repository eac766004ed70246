//! Directed scenarios of the switch.

use super::reservation::{classes, link_down as spec_link_down, nacks};
use super::script::{Op, calm};
use super::up::any_up;
use super::world::{ALL_PORTS, ALLOC, DEALLOC, GO, STOP};
use crate::params::UnitKind;
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::input_port::{Dims, Packet};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;
use Op::{Cap, Credits, Drain, In, LinkDown, Out, Quiet, ReadAll, Send, Tell, Wait, Write};

scenario_table! {
    UnitKind::Switch, Dims, Op;
    read_back "c1-read-back" "C1" "every register and counter of every port is read after every write";
    config_broadcast "d1-config-broadcast" "D1" "registers of one port, of all, of none; of no unit";
    permutation "b2-all-outputs" "A1 B2" "every input sends to an output of its own, all at once";
    fan_out "b1-one-input-feeds-all" "A1 B1 F2" "one input has packets for every output";
    root "e1-congestion-isolated" "D1 D2 E1 E2 E5" "all inputs send to one output: the queues are isolated and the neighbours told";
    tree_through "e2-tree-passes-on" "E2 E3 E4 E5 E6" "a tree told from downstream reaches the inputs and their neighbours; stop, go, end";
    link_down "f1-link-down" "F1 B3 E6" "links go down and come up while all send: what was on them is lost, all else arrives";
    cnp_priority "a2-cnp-first-at-all-inputs" "A2" "CNPs among much data for the same output";
    cnp_plain "a2-cnp-plain-at-all-inputs" "A2 A3" "CNPs without priority among data for the same outputs: all take turns";
    accept "a1-accept-conflicts" "A1 E4" "one input is granted by several outputs; others are served in its place";
    claim_waits "a3-claim-keeps-credits" "A3 F1" "an output with little credit is wanted by inputs with busy read ports and by idle ones: all get their share";
    claims_in_turn "a3-claims-in-turn" "A3" "all inputs but one want two outputs, it wants one of them: it has its turn while the others' claims follow one another";
    claims_of_one "a3-claims-of-one-input" "A3" "an input wants three outputs, one of them with another input: its claim there leaves it the others";
    drain "e6-drain-beside-tree-again" "E6 A3" "a tree ends for longer than the lines' timers and is there again: what drains is served, nobody stands still";
    held "e5-stop-holds-all" "E5 E7" "a tree is stopped, and one input port has isolation off: its packets wait at every input, then all go";
    come_back "a3-trees-come-back" "A3 E5 E6 E7" "a tree ends after each packet that its stop lets go and comes back: inputs that are alike go in turn";
    replaced "e6-line-of-another-tree" "E6 E3" "the end of a tree is lost, its line becomes another tree's, which is stopped: the old one's packets go";
    naive "sm3-naive" "SM3 SM2" "a buffer fills while another input has packets for the same output: naive marks the first one's";
    counts_link_down "sm4-link-down" "SM4 B3" "links go down while packets are counted: what is lost leaves the counts";
    counts_isolation "sm4-isolation" "SM4 SM2" "packets that move to hot queues, are stopped and go: each is counted once";
    hot_warm_cold "vm-hot-warm-cold" "VM1 VM2" "MVCM fig. 3: below the thresholds no mark, MB where the buffer is filling up, MB and VB where the output is saturated, too";
    oldest "ag1-oldest" "AG1" "inputs whose packets have waited as long as they came apart, behind an output without credit";
    age_wrap "ag1-wrap" "AG1" "a packet waits for longer than ages go beside a stream for another output, and goes in its turn";
    bypass "ag2-limit" "AG2" "the oldest packet's output has no credit: others pass it up to the limit, other inputs go on";
    santos "santos-fig1" "SM1 SM3 SM4" "Santos fig. 1: inputs with one packet each beside one with a full buffer: naive marks its packets, the input trigger all";
    nacks "q7-nacks-go-back" "Q5 Q6 Q7 Q8 Q9" "SRP: speculative packets of all inputs expire before an output without credit: each comes back as a NACK, on its own link and on one for all";
    classes "q3-classes" "Q1 Q2 Q3" "SRP: all inputs send on all lanes to an output whose neighbour is slow";
    spec_link_down "q8-link-down" "Q7 Q8 F1 B3" "SRP: links fall while speculative packets arrive, are dropped and go back";
    any_up "up1-any-up" "UP1 A1" "any up port: all inputs send upwards, each by a seed of its own, with every mask of two outputs; one of them is slow";
    turns "a3-turns-kept" "A3 A1 E4" "a tree's packets behind a busy read port get their turn at an output that others want too";
}

/// All lines of the neighbours end.
fn no_trees(d: &Dims) -> Vec<Op> {
    (0..d.ports).flat_map(|o| (0..d.lines).map(move |k| Tell(o, DEALLOC, k, &[]))).collect()
}

fn config_broadcast(d: &Dims) -> Vec<Op> {
    let data = |i, o: usize, n| Send(i, Packet::data(o as u16, d.mtu), n);
    let mut ops = calm(d);
    let last = d.ports as u8 - 1;
    // FC_INTERVAL of the inputs, TX_INTERVAL of the outputs: seen on the links.
    for port in [0, last, last + 1, 254, ALL_PORTS] {
        for unit in [0, 1, 2, 255] {
            let (addr, value) = if unit == 1 { (7, 3) } else { (4, 1 + u32::from(port) % 5) };
            ops.extend([Write(unit, port, addr, value), Wait(3)]);
        }
        ops.extend([data(0, 1, 2), data(1, 0, 2), Quiet(3000)]);
    }
    ops.extend([In("FC_INTERVAL", 4), Out("TX_INTERVAL", 1), Quiet(400)]);
    ops
}

fn read_back(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    // packets for the counters
    ops.extend([Send(0, Packet::data(1, 1), 2), Quiet(3000)]);
    ops.push(ReadAll);
    for (i, pattern) in PATTERNS.into_iter().enumerate() {
        for (unit, kind) in [(0, UnitKind::InputPort), (1, UnitKind::OutputPort)] {
            for r in registers(kind) {
                // all ports the same, then one of them another value
                ops.push(Write(unit, ALL_PORTS, r.addr, pattern));
                ops.push(Write(unit, (i % d.ports) as u8, r.addr, pattern ^ 0x0f0f_0f0f));
            }
        }
        ops.extend([Quiet(300), ReadAll]);
    }
    let (mtu, cap) = (d.mtu as u32, d.cap as u32);
    for (name, value) in [("WEIGHT", 0), ("FC_INTERVAL", 4), ("RX_INTERVAL", 1), ("RX_TIMEOUT", 1024)] {
        ops.push(In(name, value));
    }
    for (name, value) in [("LINE_TIMER", u32::MAX), ("REFRESH", 0), ("SWITCH_ID", 0), ("STOP", 0), ("GO", 0)]
    {
        ops.push(In(name, value));
    }
    for (name, value) in
        [("SUM_HTH", 6 * mtu), ("SUM_LTH", 4 * mtu), ("MARKING_RATE", 0), ("MARK_FRACTION", 256)]
    {
        ops.push(Out(name, value));
    }
    for (name, value) in
        [("PACKET_SIZE", 0), ("FC_INTERVAL", 4), ("TX_INTERVAL", 1), ("LINE_TIMER", u32::MAX)]
    {
        ops.push(Out(name, value));
    }
    ops.extend(calm(d));
    ops.extend(marks_off(d));
    ops.extend([In("SPEC", 0), In("TTW", 203), In("UP_MASK", 0)]);
    ops.extend([In("HTH", (6 * mtu).min(3 * cap / 4)), In("LTH", (4 * mtu).min(cap / 2)), Quiet(400)]);
    ops
}

fn link_down(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    for round in 0..12u32 {
        ops.extend([Tell(1, ALLOC, 0, &[1]), Wait(3)]);
        for i in 0..d.ports {
            for o in 0..d.ports {
                ops.push(Send(i, Packet::data(o as u16, d.mtu), 3));
            }
        }
        ops.extend([Wait(20 + 3 * round), LinkDown(1, 1 + round * round), Wait(round % 3)]);
        ops.extend([LinkDown(0, 1 + round % 2), Quiet(5000)]);
    }
    ops.extend([In("ERR_CLEAR", 0xffff), Out("ERR_CLEAR", 0xffff)]);
    ops.extend(no_trees(d));
    ops.push(Quiet(5000));
    ops
}

/// CTRL of input ports: naive, mb_en; of output ports: sched, det, vb_en.
const NAIVE: u32 = 0x20;
const MB_EN: u32 = 0x40;
const SCHED: u32 = 1 << 9;
const FULL_INPUT: u32 = 2 << 10;
const FULL_OR_MANY: u32 = 3 << 10;
const VB_EN: u32 = 1 << 12;

/// The registers of marks, ages and the reader's pace as after reset.
fn marks_off(d: &Dims) -> Vec<Op> {
    let (mtu, cap) = (d.mtu as u32, d.cap as u32);
    let level = cap - mtu.div_ceil(2);
    let inputs =
        [("CTRL", 0), ("RD_INTERVAL", 1), ("FILL_LEVEL", level), ("MB_TH", 66 * cap / 100), ("BYPASS", 0)];
    let queue = if d.ocap > 0 { d.ocap as u32 } else { cap };
    let outputs = [("CTRL", 0), ("OUT_TH", 8), ("VB_TH", 33 * queue / 100)];
    let inputs = inputs.into_iter().map(|(r, x)| In(r, x));
    inputs.chain(outputs.into_iter().map(|(r, x)| Out(r, x))).chain([Quiet(400)]).collect()
}

/// Output 0 sends nothing more, when it has sent one packet; if it has a queue, that is full.
fn no_credit(d: &Dims) -> Vec<Op> {
    let first = Packet::data(0, d.mtu);
    vec![
        Cap(d.mtu as u32),
        Drain(0, 0),
        Wait(20 * d.vls as u32),
        Send(d.ports - 1, first, 1 + (d.ocap / d.mtu) as u32),
        Wait(8 * (d.mtu + d.ocap) as u32 + 40),
    ]
}

/// It sends again, and everything leaves.
fn credit_again() -> Vec<Op> {
    vec![Drain(0, ALWAYS), Cap(2048), Wait(64), Quiet(20_000)]
}

/// Input 0's buffer passes `level` with packets for output 0; `others` inputs have one each.
fn full_buffer(d: &Dims, level: usize, others: usize) -> Vec<Op> {
    let mut ops = no_credit(d);
    ops.extend((1..=others).map(|i| Send(i, Packet::data(0, d.mtu), 1)));
    ops.push(Wait(2 * d.mtu as u32 + 20));
    ops.push(Send(0, Packet::data(0, 1), level as u32 + 1));
    ops.push(Wait(8 * level as u32 + 40));
    ops.extend(credit_again());
    ops
}

fn naive(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend([In("CTRL", NAIVE), In("FILL_LEVEL", 6), Quiet(400)]);
    for others in 0..2 {
        ops.extend(full_buffer(d, 6, others));
    }
    ops.extend(marks_off(d));
    ops
}

fn santos(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    let level = (d.cap - 1).min(4 * d.mtu - d.mtu.div_ceil(2));
    let others = (d.ports - 1).min(10);
    for (ctrl_in, ctrl_out) in [(NAIVE, 0), (0, FULL_INPUT), (0, FULL_OR_MANY)] {
        ops.extend([In("CTRL", ctrl_in), Out("CTRL", ctrl_out), In("FILL_LEVEL", level as u32), Quiet(400)]);
        ops.extend(full_buffer(d, level, others));
    }
    ops.extend(marks_off(d));
    ops
}

fn counts_link_down(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend([Out("CTRL", FULL_OR_MANY), Out("OUT_TH", 2), In("FILL_LEVEL", d.mtu as u32), Quiet(400)]);
    for round in 0..12u32 {
        for i in 0..d.ports {
            for o in 0..d.ports {
                ops.push(Send(i, Packet::data(o as u16, d.mtu), 3));
                ops.push(Send(i, Packet::cnp(o as u16), 1));
            }
        }
        ops.extend([Wait(20 + 3 * round), LinkDown(1, 1 + round * round), Wait(round % 3)]);
        ops.extend([LinkDown(0, 1 + round % 2), Quiet(5000)]);
    }
    ops.extend([In("ERR_CLEAR", 0xffff), Out("ERR_CLEAR", 0xffff)]);
    ops.extend(marks_off(d));
    ops
}

fn counts_isolation(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    ops.extend([
        Out("CTRL", 3 | FULL_OR_MANY),
        Out("OUT_TH", 3),
        In("FILL_LEVEL", 2 * d.mtu as u32),
        Quiet(400),
    ]);
    ops.extend([Tell(1, ALLOC, 0, &[1]), Wait(4)]);
    for round in 0..6 {
        for i in 0..d.ports {
            ops.extend([Send(i, Packet::data(1, 1 + round % d.mtu), 6), Send(i, Packet::data(0, 1), 2)]);
            ops.push(Send(i, Packet::cnp(1), 1));
        }
        ops.extend([Wait(10), Tell(1, STOP, 0, &[]), Wait(60), Tell(1, GO, 0, &[]), Quiet(20_000)]);
    }
    ops.extend(no_trees(d));
    ops.push(Quiet(5000));
    ops.extend(marks_off(d));
    ops
}

fn hot_warm_cold(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    let n = d.mtu.min(d.cap / 8).max(1);
    let p = |o: u16| Packet::data(o, n);
    ops.extend([
        In("CTRL", MB_EN),
        In("MB_TH", 2 * n as u32),
        Out("CTRL", VB_EN),
        Out("VB_TH", n as u32),
        Quiet(400),
    ]);
    for round in 0..3 {
        ops.extend(no_credit(d));
        // cold, cold, and hot ones behind them; a warm one for another output; MB comes from the neighbour in some, too
        ops.extend([Send(0, p(0), 4 + round), Wait(40 + 8 * n as u32), Send(0, p(1), 1), Wait(40)]);
        ops.extend([Send(1, p(0), 2), Wait(40)]);
        ops.extend(credit_again());
    }
    // what the neighbours marked is validated where MB is not set
    ops.extend([In("CTRL", 0), Quiet(400)]);
    ops.extend(no_credit(d));
    ops.extend((0..d.ports).map(|i| Send(i, p(0), 3)));
    ops.push(Wait(100 + 24 * n as u32));
    ops.extend(credit_again());
    ops.extend(marks_off(d));
    ops
}

fn oldest(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    for ctrl in [SCHED, 0] {
        ops.extend([Out("CTRL", ctrl), Quiet(400)]);
        for apart in [0, 1, 7] {
            ops.extend(no_credit(d));
            for k in 0..3 {
                for i in 0..d.ports {
                    ops.extend([
                        Send((i * (k + 1)) % d.ports, Packet::data(0, 1 + k % d.mtu), 1),
                        Wait(apart),
                    ]);
                }
            }
            ops.push(Wait(60));
            ops.extend(credit_again());
        }
    }
    ops
}

fn age_wrap(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend([Out("CTRL", SCHED), Quiet(400)]);
    for wait in [100, 120, 250, 600] {
        ops.extend(no_credit(d));
        ops.push(Send(0, Packet::data(0, 1), 2));
        ops.extend([Send(1, Packet::data(0, 1), 1), Send(0, Packet::data(1, 1), wait / 4), Wait(wait)]);
        ops.extend([Send(d.ports - 1, Packet::data(0, 1), 2), Wait(40)]);
        ops.extend(credit_again());
    }
    ops.extend(marks_off(d));
    ops
}

fn bypass(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    for limit in [1, 3, 15] {
        ops.extend([In("BYPASS", limit), Quiet(400)]);
        ops.extend(no_credit(d));
        ops.extend([Send(0, Packet::data(0, 1), 1), Wait(20), Send(0, Packet::data(1, 1), 4)]);
        ops.extend([Send(1, Packet::data(1, 1), 12), Wait(120)]);
        ops.extend(credit_again());
    }
    ops.extend(marks_off(d));
    ops
}

fn permutation(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend([In("FC_INTERVAL", 1)]);
    for shift in 1..=d.ports.min(3) {
        for i in 0..d.ports {
            let o = (i + shift) % d.ports;
            ops.push(Send(i, Packet::data(o as u16, d.mtu), 6));
        }
        ops.push(Quiet(5000));
    }
    ops.push(In("FC_INTERVAL", 4));
    ops
}

fn fan_out(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    // Outputs are slow, all in the same cycles.
    ops.extend([Out("TX_INTERVAL", 3), Out("XB_INTERVAL", 3), Quiet(400)]);
    // The highest lane of data.
    let vl = d.control.unwrap_or(d.vls) - 1;
    for i in 0..2 {
        for o in 0..d.ports {
            ops.push(Send(i, Packet::data(o as u16, d.mtu), 1));
            ops.push(Send(i, Packet::data(o as u16, 1).on(vl), 1));
        }
    }
    ops.extend([Quiet(5000), Out("TX_INTERVAL", 1), Out("XB_INTERVAL", 1), Quiet(400)]);
    ops
}

/// Registers under which queues are isolated soon.
fn lively(d: &Dims) -> Vec<Op> {
    let mtu = d.mtu as u32;
    vec![
        In("CTRL", 1),
        In("HTH", mtu),
        In("LTH", mtu / 2),
        In("DETECT", mtu),
        In("HOLD", 2),
        In("LINE_TIMER", 2000),
        Out("CTRL", 3),
        Quiet(400),
    ]
}

fn root(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    for i in 0..d.ports {
        // Two destinations behind the output, and victims.
        for k in 0..24 {
            ops.push(Send(i, Packet::data((d.ports * (k % 2)) as u16, d.mtu), 1));
            if k % 3 == 0 {
                ops.push(Send(i, Packet::data(1, 1), 1));
            }
        }
    }
    ops.push(Quiet(20_000));
    ops
}

fn tree_through(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    ops.extend([Credits(1, false), Tell(1, ALLOC, 0, &[1]), Wait(8)]);
    // Hot queues fill above HTH: their neighbours are told.
    for i in [0, 2] {
        ops.push(Send(i, Packet::data(1, d.mtu), 3));
    }
    ops.extend([Wait(100 + 4 * d.mtu as u32), Tell(1, STOP, 0, &[]), Wait(10), Credits(1, true), Wait(60)]);
    ops.extend([Tell(1, GO, 0, &[]), Quiet(5000)]);
    // Another destination of the same tree, the tree moves to another line, and ends.
    let other = 1 + d.ports as u16;
    ops.extend([Credits(1, false), Send(0, Packet::data(1, 2), 2), Wait(40)]);
    ops.extend([Send(2, Packet::data(other, 1), 1), Wait(20), Tell(1, DEALLOC, 0, &[]), Wait(10)]);
    ops.extend([Tell(1, ALLOC, 1, &[1]), Wait(30), Credits(1, true), Quiet(5000)]);
    ops.extend(no_trees(d));
    ops.push(Quiet(5000));
    ops
}

fn cnp_plain(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    ops.extend([In("CTRL", 1 | 4), Out("CTRL", 3 | 0x80), Quiet(400)]);
    ops.push(Cap(2 * d.mtu as u32));
    for k in 0..12 {
        for i in 0..d.ports {
            let (o, p) = ((i + k) % 2, (i * k) % 3);
            ops.extend([Send(i, Packet::data(o as u16, d.mtu), 1), Send(i, Packet::cnp(p as u16), 1)]);
        }
    }
    ops.push(Quiet(20_000));
    // Trees: inputs ask several outputs, and their CNPs are passed by data.
    ops.extend([Tell(0, ALLOC, 0, &[0]), Tell(1, ALLOC, 1, &[1]), Wait(4)]);
    for k in 0..12 {
        for i in 0..d.ports {
            ops.extend([0, 1].map(|o| Send(i, Packet::data(o, 1 + (i + k) % d.mtu), 1)));
            ops.push(Send(i, Packet::cnp(((i + k) % 2) as u16), 1));
        }
    }
    ops.push(Quiet(20_000));
    ops.extend(no_trees(d));
    ops.push(Quiet(20_000));
    ops.extend([In("CTRL", 0), Out("CTRL", 0)]);
    ops
}

fn cnp_priority(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    ops.push(Drain(0, chance(0.5)));
    ops.push(Cap(2 * d.mtu as u32));
    for i in 0..d.ports {
        for _ in 0..4 {
            ops.extend([Send(i, Packet::data(0, d.mtu), 2), Send(i, Packet::cnp(0), 1)]);
        }
    }
    ops.push(Quiet(20_000));
    ops
}

fn accept(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    for round in 0..4u16 {
        let n = d.ports as u16;
        // A tree behind output 1, and one behind output 2: inputs keep their packets apart.
        ops.extend([Tell(1, ALLOC, 0, &[1]), Tell(2, ALLOC, 1, &[2]), Wait(4)]);
        ops.extend((0..d.ports).map(|o| Credits(o, false)));
        // Credits are used up, then every input has packets for several outputs.
        for i in 0..d.ports {
            ops.push(Send(i, Packet::data(1, 1 + i % 2), 2));
            ops.push(Send(i, Packet::data(2, 1), 1));
            ops.push(Send(i, Packet::data((i as u16 + round) % n, 1), 2));
        }
        ops.push(Wait(80));
        ops.extend((0..d.ports).map(|o| Credits(o, true)));
        ops.push(Quiet(5000));
    }
    // Outputs 0, 1 and 2 get credit for a packet in the same cycle, with the same order of inputs: all offer it to one, and what that
    // refuses to the one after it.
    for _ in 0..3 {
        ops.extend([Tell(1, ALLOC, 0, &[1]), Tell(2, ALLOC, 1, &[2]), Cap(d.mtu as u32), Wait(40)]);
        for i in 0..d.ports {
            ops.extend((0..3).map(|o| Send(i, Packet::data(o, 1), 1)));
            ops.push(Quiet(400));
        }
        ops.extend((0..d.ports).map(|o| Credits(o, false)));
        ops.extend((0..3).map(|o| Send(0, Packet::data(o, d.mtu), 1)));
        ops.push(Wait(100));
        for i in 0..d.ports {
            ops.extend([1, 2, 0].map(|o| Send(i, Packet::data(o, 1), 1)));
        }
        ops.push(Wait(150));
        ops.extend((0..d.ports).map(|o| Credits(o, true)));
        ops.push(Quiet(5000));
    }
    ops.push(Cap(2048));
    ops.extend(no_trees(d));
    ops.push(Quiet(5000));
    ops
}

fn claim_waits(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    ops.extend([Tell(1, ALLOC, 0, &[1]), Wait(4), Cap(d.mtu as u32 + 1)]);
    for pace in [0.9, 0.6, 0.4] {
        ops.push(Drain(1, chance(pace)));
        // input 0 has a cold flow to output 0 beside; all have hot packets for output 1
        for k in 0..8 {
            ops.push(Send(0, Packet::data(0, d.mtu), 2));
            for i in 0..d.ports {
                ops.push(Send(i, Packet::data(1, if i == 0 { d.mtu } else { 1 + k % 2 }), 1));
            }
        }
        ops.push(Quiet(20_000));
    }
    ops.extend([Drain(1, ALWAYS), Cap(2048)]);
    ops.extend(no_trees(d));
    ops.push(Quiet(5000));
    ops
}

fn claims_in_turn(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    ops.extend([Tell(0, ALLOC, 0, &[0]), Tell(1, ALLOC, 1, &[1]), Wait(4)]);
    for len in [1, 2, 3, d.mtu] {
        for _ in 0..16 {
            ops.push(Send(0, Packet::data(0, len), 1));
            for i in 1..d.ports {
                ops.extend([0, 1].map(|o| Send(i, Packet::data(o, len), 1)));
            }
        }
        ops.push(Quiet(20_000));
    }
    // It comes while there are claims of inputs that were served later than it.
    for k in 0..12 {
        for i in 1..d.ports {
            ops.extend([0, 1].map(|o| Send(i, Packet::data(o, d.mtu), 2)));
        }
        ops.extend([Wait(3 * k), Send(0, Packet::data(0, 1), 1), Quiet(20_000)]);
    }
    ops.extend(no_trees(d));
    ops.push(Quiet(5000));
    ops
}

fn claims_of_one(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    // Outputs 1 and 2 are input 1's alone, and slow; output 0 has another input.
    let pace = |interval| [1, 2].map(|port| Write(1, port, 7, interval));
    for (len, beside, interval) in [(d.mtu, 1, 2), (4, 3, 2), (2, d.mtu, 4), (1, 2, 1)] {
        ops.extend(pace(interval));
        ops.extend([Tell(1, ALLOC, 0, &[1]), Tell(2, ALLOC, 1, &[2]), Wait(4)]);
        for _ in 0..16 {
            ops.extend([0, 1, 2].map(|o| Send(1, Packet::data(o, len), 1)));
            ops.push(Send(2, Packet::data(0, beside), 3));
        }
        ops.push(Quiet(20_000));
        ops.extend(no_trees(d));
    }
    ops.extend(pace(1));
    ops.push(Quiet(5000));
    ops
}

/// Packets to destination 1 fill hot queues of inputs 0 and 2: output 1 has a tree and no credits.
fn hot_queues(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    // what credits there are is used up
    ops.extend([
        Cap(d.mtu as u32),
        Wait(100),
        Credits(1, false),
        Send(1, Packet::data(1, d.mtu), 1),
        Wait(400),
    ]);
    ops.extend([Tell(1, ALLOC, 0, &[1]), Wait(8)]);
    ops
}

fn drain(d: &Dims) -> Vec<Op> {
    let mut ops = hot_queues(d);
    ops.extend([In("LINE_TIMER", 20), Wait(3)]);
    ops.extend([0, 2].map(|i| Send(i, Packet::data(1, 2), 2)));
    ops.extend([Wait(40), Tell(1, DEALLOC, 0, &[]), Wait(60), Tell(1, ALLOC, 0, &[1]), Wait(10)]);
    // others at the same output, and at another one
    let other = 1 + d.ports as u16;
    ops.extend([Send(1, Packet::data(other, 2), 2), Send(0, Packet::data(0, 2), 2), Wait(20)]);
    ops.extend([Cap(2048), Credits(1, true), Quiet(1000)]);
    ops.extend(no_trees(d));
    ops.push(Quiet(1000));
    ops
}

fn come_back(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    // A packet takes longer than the tree is away.
    ops.extend([Out("TX_INTERVAL", 3), Quiet(400), Tell(1, ALLOC, 0, &[1]), Tell(1, STOP, 0, &[]), Wait(20)]);
    ops.extend([0, 2].map(|i| Send(i, Packet::data(1, d.mtu), 24)));
    for _ in 0..12 {
        ops.extend([Wait(100), Tell(1, GO, 0, &[]), Wait(3), Tell(1, DEALLOC, 0, &[])]);
        ops.extend([Tell(1, ALLOC, 0, &[1]), Tell(1, STOP, 0, &[])]);
    }
    ops.extend([Wait(100), Tell(1, GO, 0, &[]), Quiet(10_000)]);
    ops.extend(no_trees(d));
    ops.extend([Out("TX_INTERVAL", 1), Quiet(1000)]);
    ops
}

fn held(d: &Dims) -> Vec<Op> {
    let mut ops = hot_queues(d);
    ops.push(Cap(2048));
    // input 0 takes no lines
    ops.extend([Write(0, 0, 0, 0), Tell(1, STOP, 0, &[]), Wait(4), Credits(1, true), Wait(60)]);
    for i in 0..d.ports {
        ops.push(Send(i, Packet::data(1, 2), 3));
    }
    // destinations beside it pass, but for those that stand behind it in one queue
    let other = 1 + d.ports as u16;
    ops.extend([Send(1, Packet::data(other, 1), 2), Wait(200), Tell(1, GO, 0, &[]), Quiet(2000)]);
    ops.extend(no_trees(d));
    ops.push(Quiet(1000));
    ops
}

fn replaced(d: &Dims) -> Vec<Op> {
    let mut ops = hot_queues(d);
    ops.extend([0, 2].map(|i| Send(i, Packet::data(1, 2), 2)));
    ops.push(Wait(40));
    // no DEALLOC: the line is another tree's now, stopped for as long as this lasts
    let other: &'static [u16] = match d.ports {
        3 => &[4],
        4 => &[5],
        _ => &[9],
    };
    ops.extend([Tell(1, ALLOC, 0, other), Tell(1, STOP, 0, &[]), Wait(10), Cap(2048), Credits(1, true)]);
    ops.push(Quiet(1000));
    ops.extend(no_trees(d));
    ops.push(Quiet(1000));
    ops
}

fn turns(d: &Dims) -> Vec<Op> {
    let mut ops = calm(d);
    ops.extend(lively(d));
    ops.extend([Tell(1, ALLOC, 0, &[1]), Tell(2, ALLOC, 1, &[2]), Wait(4)]);
    for round in 0..6 {
        // Outputs 1 and 2 are wanted by all; inputs 0 and 1 have a cold flow beside.
        for k in 0..8 {
            for i in 0..d.ports {
                let len = if round % 2 == 0 { d.mtu } else { 1 + (i + k + round) % d.mtu };
                ops.push(Send(i, Packet::data(1 + (k % 2) as u16, len), 1));
                if i < 2 {
                    ops.push(Send(i, Packet::data(0, 1 + (k * (round + 1)) % d.mtu), 2));
                }
            }
        }
        if round > 2 {
            // An output without credits keeps nobody.
            ops.extend([Wait(20 + 3 * d.mtu as u32), Credits(1, false), Wait(100), Credits(1, true)]);
        }
        ops.push(Quiet(20_000));
    }
    ops.extend(no_trees(d));
    ops.push(Quiet(5000));
    ops
}
