//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen.

use super::classes::{nacks, owed, priority};
use super::queues::{congestion, link, link_down, paces, room, validation};
use super::script::{Cond, Op};
use super::world::{ALLOC, DEALLOC, Dims, Fault, GO, Msg, Packet, STOP};
use crate::params::UnitKind;
use crate::stimulus::chance::{Chance, chance};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;

use Op::{
    Advance, Age, Ask, Auto, Cap, Cfg, Clear, Cong, Credit, Deaf, Drains, Fill, Fills, Freed, Full, Gap,
    Leap, LinkDown, Lose, MarkNext, NoLine, Pace, RawCredit, ReadAll, Starve, Tell, Until, Wait,
};

/// CTRL bits.
const MARK: u32 = 1;
const ISO: u32 = 2;
const VICTIM: u32 = 4;
const SUM: u32 = 1 << 3;
const SUM_PER_INPUT: u32 = 2 << 3;
const PROBABILITY: u32 = 1 << 5;
const FRACTION: u32 = 2 << 5;
const PLAIN: u32 = 1 << 7;
const AT_ONCE: u32 = 1 << 8;
const SCHED: u32 = 1 << 9;
const FULL_INPUT: u32 = 2 << 10;
const FULL_OR_MANY: u32 = 3 << 10;
const VB_EN: u32 = 1 << 12;
const ROOT_NOW: u32 = 1 << 13;

/// Longest wait for something that is sure to come.
const LONG: u32 = 20_000;

scenario_table! {
    UnitKind::OutputPort, Dims, Op;
    a1_round_robin "a1-round-robin" "A1" "every input and VL asks at once: each is served once a round";
    a2_cnp_first "a2-cnp-first" "A2" "notifications overtake data, unless they lack credit";
    a2_cnp_plain "a2-cnp-plain" "A2 A3 F1" "notifications without priority, without end from one input, beside data of all others: turns, for the credit of an MTU";
    at_once "d1-at-once" "D1 D3 M1" "first flits in the cycles around the begin and the end of congestion, by the state that their own grant leaves";
    a2_whole_packets "a2-whole-packets" "A2 B2" "long packets over a slow link whose pace changes";
    a1_lanes "a1-lanes-share-inputs" "A1 A3 F1" "every lane is short of credit, in turns of constant length: each input gets its share of each";
    a2_pointers "a2-cnps-move-no-data" "A2 A3" "a notification every 3 to 9 cycles beside two inputs with data: both get their share";
    a3_cnp_flood "a3-cnp-flood" "A3 A2" "notifications without end from all inputs but one: after 32, data goes";
    a2_cnp_credit "a2-cnp-credit" "A2 A3 F1" "credit for less than an MTU: notifications go and data wait, until 32 have passed";
    a3_long_packets "a3-long-beside-short" "A3 F1" "MTU packets of one input, one-flit packets of another, a receiver at half rate";
    a3_no_starvation "a3-no-starvation" "A3" "one input with long packets against all others with short ones";
    b3_framing "b3-framing" "B3" "packets without first or last flit, too long, too short, on a VL that is not there";
    b3_messages "b3-messages" "B3" "messages for lines and VLs that are not there; errors are cleared";
    f1_credits "f1-credits" "F1" "the last credit, and the edges of the half-range test";
    f1_wrap "f1-wrap" "F1" "credit counters wrap at 4096";
    f1_lost_messages "f1-lost-messages" "F1" "nine of ten credit messages are lost";
    f1_short_packets "f1-short-packets" "F1 B3" "packets cut upstream give back credits, across the wrap too";
    f1_link_down "f1-link-down" "F1 B3 E6" "the link goes down at every moment of packets that cross, for one cycle and more: they are lost, those behind them go";
    c1_read_back "c1-read-back" "C1" "every register and counter is read after every write";
    d2_contributors "d2-contributors" "D2" "inputs join and leave the congestion one by one";
    d3_root "d3-root" "D3" "a port is a root while its packets find credits, none after one had to wait, and a root again";
    d3_victim "d3-victim" "D3" "a port whose packets wait for credits enters the congestion state only by Victim_Mask";
    d6_root "d6-root-now" "D6" "a port is a root while there is credit for an MTU, whatever its packets met: spent, given, given after a wait; by Victim_Mask; with marks behind the grant";
    cl1_lane "cl1-control-lane" "CL1 A2 A3" "a flood on the highest VL beside data, CNPs on another one; credit for one side only; without priority";
    priority "q3-priority" "Q1 Q3" "SRP: all inputs ask on all lanes, and with NACKs; credit comes to lanes one by one, and to all";
    owed "q3-owed" "Q3 F1" "SRP: MTU packets among packets of one flit with a block of credit at a time, on lanes of data and spec";
    nacks "q7-nacks" "Q3 Q7" "SRP: NACKs beside replies, for the credit of replies; what is owed credits expires";
    d5_sum "d5-sum" "D5" "the sum of the fills against two thresholds";
    d5_sum_per_input "d5-sum-per-input" "D5" "the sum against the threshold over the number of inputs";
    m1_eligible "m1-eligible" "M1" "one packet of each kind in the congestion state";
    m2_counter "m2-counter" "M2" "every third eligible packet is marked";
    m2_probability "m2-probability" "M2" "a quarter is marked, by the LFSR";
    m2_independence "m2-independence" "M2" "an eighth is marked, whatever was marked before; the rarest rate marks one of 65,535 (69,000 packets)";
    m2_fraction "m2-fraction" "M2" "85 % are marked, by the LFSR";
    m2_every_bit "m2-every-bit" "M2 F1 E7 B3" "rates and intervals of 1, 2, 4 ... 32768, counts to their ends: each bit of their comparisons (200,000 cycles)";
    m3_kept "m3-kept" "M3" "packets marked upstream stay marked";
    sm4_counts "sm4-counts" "SM3 SM4" "packets of 0 to all inputs enter, with and without one that leaves; fills with none, some and all of them still to be marked; inputs ask for marks";
    sm5_threshold "sm5-threshold" "SM5" "arrivals up to OUT_TH, above it, and while it stays above; with a fill; det off";
    vm2_threshold "vm2-threshold" "VM2" "VB_TH - 1, VB_TH and VB_TH + 1 flits wait; packets with MB, without it, ACKs and notifications";
    room "cq1-room" "CQ1 A2 A3" "a queue that is filled by long packets and by short ones: long ones wait for an MTU and are not passed for ever; packets that are cut give back";
    link "cq3-link" "CQ3 F1 D3 B3" "lanes in turns at the link, one that lacks credit, by one flit; flits that come late; packets without an end, and more than were granted";
    link_down "cq3-link-down" "CQ3 F1 B3" "the link goes down with nothing to a full queue, in every cycle of packets that cross";
    paces "cq2-paces-out" "CQ2" "a crossbar as fast as the link, faster, and one that is told to be slower";
    congestion "pf1-queue" "PF1 D2 D3 M1" "the output queue against two thresholds, one, crossed ones, with and without the root test";
    validation "vm2-queue" "VM2" "VB_TH - 1, VB_TH and VB_TH + 1 flits in the queue with the packet; what is no data; a link that goes down";
    ag1_oldest "ag1-oldest" "AG1 A2" "ages against the pointers, with and without sched: older and younger ones, ties, CNPs among data, a lane without credit, all as old as ages go";
    sm_every_bit "sm-every-bit" "SM5 VM2" "OUT_TH and VB_TH of 1, 2, 4 ... 32768: each bit of their comparisons";
    e3_propagation "e3-propagation" "E3" "a tree is announced; inputs are told as their packets ask, with and without credits";
    e3_lists "e3-lists" "E3" "trees that share destinations, another VL's tree, a list of no end, the farthest root";
    e5_stop_go "e5-stop-go" "E5" "a tree is stopped and released, with the right VL and the wrong one";
    e5_held "e5-stop-holds" "E5 E7 A3" "a stopped tree: packets of inputs without a line, and of a second line's list, wait; others pass; all go after the go";
    e5_turns "e5-turns-after-stop" "E5 A3 E6" "a line that is stopped and let go over and over: its inputs take turns; another stop, another tree, a packet of another line in between";
    a3_lost "a3-lost-turn" "A3 E6 E8" "another tree takes the place of a line that is stopped while packets wait for it, with grants to others; the turns of two lines are lost at once";
    a3_in_turn "a3-trees-in-turn" "A3 E6" "two trees take a line in turn: the turns of each begin with a drawn input, also where one comes in the cycle of a turn; those of a tree that comes back go on";
    a3_outlives "a3-turn-outlives-tree" "A3 E6 E7" "a tree goes while its line is stopped or its turn due: the line stays for that, unless nobody waits, its timer ends, or a tree comes";
    e6_drain "e6-drain-beside-tree" "E6 A3" "hot queues drain while their tree is there again: they are served, nobody stands still";
    e6_replaced "e6-line-replaced" "E6 E3" "the end of a tree is lost and its line comes back as another tree's: away for two cycles";
    e6_relink "e6-relink" "E6" "a tree is taken back while hot packets wait, and announced again";
    e6_crossing "e6-crossing" "E6" "a tree is taken back in the cycles around a request for it and its prop";
    e6_isolation_off "e6-isolation-off" "E6" "isolation is switched off with trees there";
    e7_no_resources "e7-no-resources" "E7" "inputs without lines, and with full lists: their packets go all the same";
    e8_timer "e8-timer" "E8" "lines expire; messages come in the cycle of expiry";
    fig6_switch_b "ecocc-fig6-switch-b" "D1 D2 D3 M1 M2" "EcoCC fig. 6, port OP1 of switch B: root of the tree (events 1, 6)";
    fig6_switch_a "ecocc-fig6-switch-a" "E3 E4 E5 E6" "EcoCC fig. 6, port OP1 of switch A: the tree arrives, hot packets move to an HPQ (events 2 to 5), stop, go, end";
}

/// A tree message with one destination.
fn tree(kind: u32, line: usize, vl: usize, dlids: &[u16]) -> Op {
    let mut m = Msg { kind, line: line as u32, vl: vl as u32, ..Msg::default() };
    if kind == ALLOC {
        (m.root, m.hops, m.dcnt) = (0x2a01, 1, dlids.len().min(32));
        m.dlids[..m.dcnt].copy_from_slice(&dlids[..m.dcnt]);
    }
    Tell(m)
}

/// All packets leave.
fn drained() -> Op {
    Until(Cond::Idle, LONG)
}

/// Everybody calm again: no contributions, no trees, credits by the neighbour.
fn calm(d: &Dims, ops: &mut Vec<Op>) {
    ops.extend([Starve(false), Auto(4), Cap(2048), drained(), Clear]);
    ops.extend((0..d.ports * d.vls).map(|r| Cong(r, false)));
    ops.extend((0..d.ports * d.vls).map(|r| Fill(r, 0)));
    ops.extend([Cfg("CTRL", 0), Wait(20)]);
}

fn c1_read_back(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Auto(1), Wait(20), Ask(0, Packet::data(0, 0, 1)), drained(), ReadAll];
    // credit of a VL that is not there is an error
    ops.extend([RawCredit(0xff, 1), Wait(3), ReadAll]);
    for pattern in PATTERNS {
        ops.extend(registers(UnitKind::OutputPort).map(|r| Cfg(r.name, pattern)));
        ops.push(ReadAll);
    }
    let mtu = d.mtu as u32;
    ops.extend([("SUM_HTH", 6 * mtu), ("SUM_LTH", 4 * mtu), ("MARKING_RATE", 0)].map(|(r, x)| Cfg(r, x)));
    ops.extend([("MARK_FRACTION", 256), ("PACKET_SIZE", 0), ("FC_INTERVAL", 4)].map(|(r, x)| Cfg(r, x)));
    ops.extend([("TX_INTERVAL", 1), ("LINE_TIMER", u32::MAX)].map(|(r, x)| Cfg(r, x)));
    ops.extend(marks_off(d));
    calm(d, &mut ops);
    ops
}

/// OUT_TH and VB_TH as after reset.
fn marks_off(d: &Dims) -> [Op; 2] {
    [Cfg("OUT_TH", 8), Cfg("VB_TH", 33 * d.in_cap as u32 / 100)]
}

/// All inputs ask with a packet of VL 0, in one cycle; none has credit.
fn all_wait(d: &Dims, ops: &mut Vec<Op>) {
    ops.extend([Auto(0), Wait(6), Credit(0, 0), Wait(4)]);
    ops.extend((0..d.ports).map(|i| Ask(i, Packet::data(0, 7, 1))));
    ops.push(Wait(4));
}

fn sm4_counts(d: &Dims) -> Vec<Op> {
    let one = Packet::data(0, 7, 1);
    let mut ops = vec![Cfg("CTRL", FULL_INPUT), Cap(2048), Wait(10)];
    // a fill with nobody there; of one input; of several at once; and another before, while and after the first are gone
    ops.extend([Fills(0, 0), Wait(4)]);
    for again in 0..8 {
        all_wait(d, &mut ops);
        ops.extend([Fills(0, 0), Fills(1, 0), Wait(3), Auto(1), Wait(again)]);
        ops.extend([Fills(1, 0), Ask(0, one), Ask(1, one), drained(), Wait(4)]);
    }
    // some are to be marked and some not
    all_wait(d, &mut ops);
    ops.extend([
        Fills(0, 0),
        Wait(3),
        Ask(0, one),
        Ask(1, one),
        Ask(1, one.opcode(0x11)),
        Ask(0, Packet::cnp(0, 7)),
    ]);
    ops.extend([Auto(1), drained(), Wait(4)]);
    all_wait(d, &mut ops);
    ops.extend([
        Auto(1),
        Until(Cond::Granted(0), 20),
        Wait(3),
        Ask(1, one),
        Fills(1, 0),
        Ask(0, one),
        drained(),
    ]);
    // inputs ask for marks, whatever det is
    for det in [0, FULL_INPUT] {
        ops.push(Cfg("CTRL", det));
        for p in [one, one.fecn()] {
            ops.extend([MarkNext, Ask(0, p), Ask(1, p), drained()]);
        }
    }
    // packets that the link loses leave, too
    ops.extend([
        Fills(0, 0),
        Ask(0, Packet::data(0, 7, d.mtu)),
        Until(Cond::Granted(0), 20),
        LinkDown(3),
        drained(),
        Wait(20),
    ]);
    calm(d, &mut ops);
    ops
}

fn sm5_threshold(d: &Dims) -> Vec<Op> {
    let one = Packet::data(0, 7, 1);
    let mut ops = vec![Cfg("CTRL", FULL_OR_MANY), Cfg("OUT_TH", d.ports as u32 - 1), Cap(2048), Wait(10)];
    for more in 0..3 {
        ops.extend([Cfg("OUT_TH", d.ports as u32 - more.min(1))]);
        all_wait(d, &mut ops);
        ops.extend([Auto(1), Wait(2)]);
        ops.extend((0..2 * more as usize).flat_map(|i| [Ask(i, one), Wait(1)]));
        ops.push(drained());
    }
    // they come one by one; with a fill
    ops.push(Cfg("OUT_TH", 0));
    ops.extend([Auto(0), Wait(6), Credit(0, 0), Wait(4)]);
    ops.extend((0..d.ports).flat_map(|i| [Ask(i, one), Fills(i, 0), Wait(1)]));
    ops.extend([Wait(4), Cfg("CTRL", 1 << 10), Wait(2), Cfg("CTRL", FULL_OR_MANY), Auto(1), drained()]);
    ops.extend(marks_off(d));
    calm(d, &mut ops);
    ops
}

fn vm2_threshold(d: &Dims) -> Vec<Op> {
    let one = Packet::data(0, 7, 1);
    let mut ops = vec![Cfg("CTRL", VB_EN), Cfg("VB_TH", 9), Cap(2048), Wait(10)];
    for fill in [8, 9, 10, 11] {
        ops.extend([Fill(0, fill - 4), Fill(d.vls, 4), Wait(3)]);
        for p in
            [one, one.mb(), one.mb().vb(), one.mb().opcode(0x11), Packet::cnp(0, 7).mb(), one.mb().lnh(0)]
        {
            ops.extend([Ask(0, p), drained()]);
        }
    }
    ops.extend([
        Ask(0, Packet { len: d.mtu as u8, ..Packet::data(0, 7, d.mtu).mb() }),
        Until(Cond::Granted(0), 20),
    ]);
    ops.extend([LinkDown(6), drained(), Wait(20), Cfg("CTRL", 0), Ask(0, one.mb()), drained()]);
    ops.extend(marks_off(d));
    calm(d, &mut ops);
    ops
}

fn ag1_oldest(d: &Dims) -> Vec<Op> {
    let one = |v| Packet::data(v, 7, 1);
    let all = |age: fn(usize) -> u32, d: &Dims| {
        (0..d.ports * d.vls).map(move |r| Age(r, age(r))).collect::<Vec<_>>()
    };
    let mut ops = vec![Cap(2048), Wait(10)];
    let ages: [fn(usize) -> u32; 5] =
        [|r| r as u32 + 1, |r| 60 - r as u32, |r| 20 + (5 * r as u32) % 7, |_| 33, |_| u32::MAX];
    for ctrl in [SCHED, 0, SCHED | PLAIN] {
        ops.push(Cfg("CTRL", ctrl));
        for age in ages {
            for turn in 0..3 {
                all_wait(d, &mut ops);
                ops.extend((0..d.ports * d.vls).map(|r| Ask(r / d.vls, one(r % d.vls))));
                ops.extend((0..turn).map(|i| Ask(i, Packet::cnp(0, 7))));
                ops.extend(all(age, d));
                ops.extend([Wait(2), Auto(1), drained()]);
            }
        }
    }
    // a lane whose oldest lacks credit is passed
    let last = d.vls - 1;
    ops.extend([Cfg("CTRL", SCHED), Auto(0), Wait(6), Credit(last, 0), Wait(4), Age(last, 90)]);
    ops.extend([Age(0, 5), Ask(0, one(last)), Ask(0, one(0)), Ask(0, one(0)), Wait(20), Auto(1), drained()]);
    ops.extend(all(|_| 0, d));
    calm(d, &mut ops);
    ops
}

fn sm_every_bit(d: &Dims) -> Vec<Op> {
    let one = Packet::data(0, 7, 1);
    let mut ops = vec![Cap(2048), Cfg("CTRL", FULL_OR_MANY | VB_EN), Wait(10)];
    for bit in 0..16 {
        for to in [(1 << bit) - 1, 1 << bit] {
            ops.extend([Cfg("OUT_TH", to), Cfg("VB_TH", to), Fill(0, 1 << bit)]);
            ops.extend((0..d.ports).map(|i| Ask(i, one.mb())));
            ops.push(drained());
        }
    }
    ops.extend(marks_off(d));
    calm(d, &mut ops);
    ops
}

fn a1_round_robin(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Wait(20)];
    for i in 0..d.ports {
        for v in 0..d.vls {
            ops.extend((0..4).map(|k| Ask(i, Packet::data(v, k, 1))));
        }
    }
    ops.extend([
        drained(),
        Ask(1, Packet::data(0, 0, 1)),
        drained(),
        Ask(0, Packet::data(0, 0, 1)),
        drained(),
        Ask(0, Packet::data(0, 0, 1)),
        drained(),
    ]);
    ops
}

fn a2_cnp_first(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Wait(20)];
    for i in 0..d.ports {
        ops.extend((0..3).map(|k| Ask(i, Packet::data(0, k, d.mtu))));
    }
    ops.extend([Wait(2), Ask(1, Packet::cnp(0, 5)), Ask(2, Packet::cnp(0, 6))]);
    // they stand behind data: only a head can overtake
    ops.push(drained());
    ops.push(Wait(10));
    for round in 0..d.ports {
        for r in 0..d.ports * d.vls {
            let (i, v) = (r / d.vls, r % d.vls);
            let cnp = (i + round) % 2 == 0 && v == 0;
            ops.push(Ask(i, if cnp { Packet::cnp(v, 5) } else { Packet::data(v, 1, 2) }));
        }
        ops.extend([drained(), Wait(3)]);
    }
    // all wait for credit, and may go at once
    ops.extend([Auto(0), Wait(20), Credit(0, 0), Wait(2)]);
    ops.extend((0..d.ports).map(|i| Ask(i, Packet::cnp(0, 5))));
    ops.extend([Wait(10), Auto(4), drained(), Wait(3)]);
    // a notification waits for credit, data of another lane passes it; with one lane both wait
    let v = d.vls - 1;
    ops.extend([Auto(0), Wait(20), Credit(0, 1), Wait(2)]);
    if v > 0 {
        ops.extend([Credit(v, 2 * d.mtu as u32), Wait(2)]);
    }
    ops.extend([Ask(0, Packet::data(0, 9, d.mtu).opcode(0x80)), Ask(1, Packet::data(v, 9, 1))]);
    ops.extend([Until(Cond::Granted(d.vls + v), 20), Wait(5), Credit(0, d.mtu as u32), Wait(20)]);
    ops.extend([Auto(4), drained()]);
    ops
}

/// Cycles between two credits of a lane.
pub(super) const LANE_PERIODS: [u32; 5] = [1, 2, 3, 4, 7];
/// Packets of each input and lane for each of them.
pub(super) const LANE_PACKETS: usize = 6;

fn a1_lanes(d: &Dims) -> Vec<Op> {
    let m = d.mtu as u32;
    let mut ops = vec![Auto(0), Wait(20)];
    ops.extend((0..d.vls).map(|v| Credit(v, 0)));
    ops.push(Wait(d.vls as u32));
    for (k, period) in LANE_PERIODS.into_iter().enumerate() {
        // packets of each other lane between two of lane 0
        let burst = [1, 2, 3, d.ports as u32, d.ports as u32 - 1][k];
        for _ in 0..LANE_PACKETS {
            for r in 0..d.ports * d.vls {
                ops.push(Ask(r / d.vls, Packet::data(r % d.vls, 1, d.mtu)));
            }
        }
        ops.push(Wait(4));
        // credit for one packet at a time, lane after lane; a lane's turn comes while another's packet crosses
        for _ in 0..LANE_PACKETS * d.ports {
            for v in 0..d.vls {
                let n = if v == 0 { 1 } else { burst };
                ops.extend([Credit(v, n * m), Wait(n * (m + 1) + period)]);
            }
        }
        ops.extend([Auto(1), drained(), Auto(0), Wait(10)]);
        ops.extend((0..d.vls).map(|v| Credit(v, 0)));
        ops.push(Wait(d.vls as u32));
    }
    ops.extend([Auto(4), Wait(20)]);
    ops
}

/// Data packets of inputs 0 and 1 for each period of the notifications.
pub(super) const POINTER_PACKETS: usize = 12;

fn a2_pointers(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Auto(1), Wait(20)];
    for period in 3..=9 {
        for i in [0, 1] {
            ops.extend((0..POINTER_PACKETS).map(|_| Ask(i, Packet::data(0, 1, d.mtu.min(8)))));
        }
        for _ in 0..2 * POINTER_PACKETS * (d.mtu.min(8) + 2) / period as usize {
            ops.extend([Ask(2, Packet::cnp(0, 5)), Wait(period)]);
        }
        ops.extend([drained(), Wait(5)]);
    }
    ops.push(Auto(4));
    ops
}

fn a3_cnp_flood(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Auto(1), Wait(20)];
    for i in 1..d.ports {
        ops.extend((0..80).map(|_| Ask(i, Packet::cnp(0, 5))));
    }
    ops.extend((0..4).map(|_| Ask(0, Packet::data(0, 1, 2))));
    ops.extend([drained(), Wait(5)]);
    // nobody waits: these are not counted
    ops.extend((0..12).map(|_| Ask(1, Packet::cnp(0, 5))));
    ops.extend([drained(), Auto(4)]);
    ops
}

fn a2_cnp_credit(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let mut ops = vec![Auto(0), Wait(20)];
    let few = (d.mtu as u32 - 1).min(3);
    for data in [false, true] {
        ops.extend([Credit(v, 0), Wait(3)]);
        if data {
            ops.extend([Ask(0, Packet::data(v, 1, 1)), Wait(2)]);
        }
        ops.extend((0..40).map(|_| Ask(1, Packet::cnp(v, 5))));
        // never enough for data
        ops.extend((0..40).flat_map(|_| [Credit(v, few), Wait(7)]));
        // enough for them, and for the CNPs that were withheld
        ops.extend([Credit(v, d.mtu as u32), Wait(12), Auto(1), drained(), Auto(0), Wait(10)]);
    }
    ops.extend([Auto(4), drained(), Wait(10)]);
    ops
}

fn a3_long_packets(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let mut ops = vec![Cap(d.mtu as u32 + 2), Auto(1), Pace(chance(0.5)), Wait(4 * d.mtu as u32)];
    ops.extend((0..6).map(|_| Ask(0, Packet::data(v, 1, d.mtu))));
    ops.extend((0..60).map(|_| Ask(1, Packet::data(v, 1, 1))));
    ops.extend([drained(), Pace(Chance::MAX), Cap(2048), Auto(4), Wait(10)]);
    ops
}

/// Data packets of each input but 1 beside the notifications of input 1.
pub(super) const PLAIN_PACKETS: usize = 12;

fn a2_cnp_plain(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let mut ops = vec![Auto(1), Wait(20), Cfg("CTRL", PLAIN)];
    for i in 0..d.ports {
        let packet = if i == 1 { Packet::cnp(v, 5) } else { Packet::data(v, 1, 2) };
        ops.extend((0..PLAIN_PACKETS).map(|_| Ask(i, packet)));
    }
    ops.extend([drained(), Wait(5)]);
    // credit just below an MTU, and of one
    ops.extend([Auto(0), Wait(20), Credit(v, d.mtu as u32 - 1), Wait(3)]);
    ops.extend([Ask(1, Packet::cnp(v, 5)), Ask(0, Packet::data(v, 1, 1)), Wait(10)]);
    ops.extend([Credit(v, d.mtu as u32), Wait(10), Auto(1), drained()]);
    // the bit comes while data have let notifications pass
    ops.extend([Cfg("CTRL", 0), Auto(0), Wait(20), Credit(v, 0), Wait(3)]);
    ops.extend([Ask(0, Packet::data(v, 1, d.mtu)), Ask(1, Packet::cnp(v, 5)), Wait(2)]);
    ops.extend([Credit(v, 1), Wait(6), Cfg("CTRL", PLAIN), Wait(4), Auto(4), drained()]);
    ops.extend([Cfg("CTRL", 0), Wait(5)]);
    ops
}

fn at_once(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Auto(1), Wait(20), Cfg("CTRL", MARK | AT_ONCE), Cfg("MARKING_RATE", 0)];
    // congestion ends and begins at each cycle around the first flit
    for on in [false, true] {
        for at in 0..8 {
            ops.extend([
                Cong(0, !on),
                Wait(6),
                Ask(0, Packet::data(0, 1, 1)),
                Wait(at),
                Cong(0, on),
                Wait(8),
            ]);
        }
    }
    // packets close behind each other, of which the first waits for credit: the root test changes between them
    for at in 0..4 {
        ops.extend([Cong(0, true), Auto(0), Wait(10), Credit(0, 0), Wait(3)]);
        ops.extend((0..4).map(|i| Ask(i % 2, Packet::data(0, 1, 1))));
        ops.extend([Wait(6 + at), Credit(0, 3 * d.mtu as u32), Wait(12), Auto(1), drained()]);
    }
    calm(d, &mut ops);
    ops
}

fn a2_whole_packets(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for (tx, gap) in [(3, 0.0), (1, 0.3), (2, 0.2)] {
        ops.extend([Cfg("TX_INTERVAL", tx), Gap(chance(gap)), Wait(5)]);
        for i in 0..d.ports {
            ops.extend([Ask(i, Packet::data(0, 1, d.mtu)), Ask(i, Packet::data(d.vls - 1, 1, 2))]);
        }
        ops.push(drained());
    }
    ops.push(Gap(0));
    for wait in [20, 24, 27] {
        ops.extend([Cfg("TX_INTERVAL", 15), Wait(wait), Cfg("TX_INTERVAL", 2), Wait(5)]);
    }
    ops.extend([Cfg("TX_INTERVAL", 0), Wait(5)]);
    ops
}

fn a3_no_starvation(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Wait(20)];
    ops.extend((0..8).map(|_| Ask(0, Packet::data(0, 1, d.mtu))));
    for i in 1..d.ports {
        ops.extend((0..4).map(|_| Ask(i, Packet::data(0, 1, 1))));
    }
    ops.push(drained());
    ops
}

fn b3_framing(d: &Dims) -> Vec<Op> {
    let n = d.mtu.min(4);
    let p = Packet::data(0, 1, n);
    let mut other = p;
    other.hdr.vl = 15;
    let mut ops = vec![Wait(20)];
    for bad in [
        p.fault(Fault::NoLast(2)),
        p.fault(Fault::NoFirst),
        p.fault(Fault::Longer(2)),
        p.fault(Fault::Cut(0)),
        p.fault(Fault::Cut(n as u8 - 1)),
        p.fault(Fault::Bad),
        other,
    ] {
        // the one after it is not harmed
        ops.extend([Ask(1, bad), Ask(1, p), Ask(2, p), drained(), Wait(3)]);
        ops.extend([Cfg("ERR_CLEAR", 0xffff), Wait(2)]);
    }
    // an error in the cycle of the clear: one of the clears meets one of the strays
    ops.extend((0..6).map(|_| Ask(0, Packet::data(0, 1, 1).fault(Fault::NoFirst))));
    ops.extend((0..8).map(|_| Cfg("ERR_CLEAR", 7)));
    ops.push(drained());
    ops
}

fn b3_messages(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("CTRL", ISO)];
    for kind in [ALLOC, DEALLOC, STOP, GO] {
        ops.extend([tree(kind, d.lines, 0, &[1]), Wait(3), tree(kind, 255, 0, &[1]), Wait(3)]);
        ops.extend([tree(kind, 0, d.vls, &[1]), Wait(3), tree(kind, 0, 15, &[1]), Wait(3)]);
        ops.extend([Cfg("ERR_CLEAR", 1), Wait(2), Cfg("ERR_CLEAR", 2), Wait(2)]);
    }
    ops.extend([RawCredit(d.vls as u8, 77), Wait(3), RawCredit(15, 78), Wait(3)]);
    // error and clear in one cycle, in every order
    for k in 0..4 {
        ops.extend([
            tree(GO, d.lines, 0, &[]),
            Wait(k),
            Cfg("ERR_CLEAR", 3),
            tree(GO, d.lines, 0, &[]),
            Wait(4),
        ]);
        ops.push(Cfg("ERR_CLEAR", 0xffff));
        let credit = || RawCredit(d.vls as u8, 79);
        ops.extend([credit(), Wait(k), Cfg("ERR_CLEAR", 3), credit(), Wait(4), Cfg("ERR_CLEAR", 0xffff)]);
    }
    ops.extend([tree(STOP, 0, 0, &[]), tree(GO, 0, 0, &[]), tree(DEALLOC, 0, 0, &[]), Wait(6)]);
    calm(d, &mut ops);
    ops
}

fn f1_credits(d: &Dims) -> Vec<Op> {
    let (v, n) = (d.vls - 1, d.mtu as u32);
    let (p, short) = (Packet::data(v, 1, d.mtu), Packet::data(v, 1, 1));
    let mut ops = vec![Auto(0), Wait(10), Credit(v, 0), Wait(3)];
    // one block short, then exact
    ops.extend([Ask(0, p), Wait(5), Credit(v, n - 1), Wait(5), Credit(v, n), drained()]);
    // a short packet waits for the credit of an MTU, too
    ops.extend([Ask(0, short), Wait(5), Credit(v, n - 1), Wait(5), Credit(v, n), drained()]);
    // FCCL behind TXR: refused; just out of range: refused; at its edge: granted
    ops.extend([Ask(0, p), Wait(5), RawCredit(v as u8, 0), Wait(2), Credit(v, 4095), Wait(5)]);
    ops.extend([Credit(v, 2049 + n), Wait(5), Credit(v, 2048 + n), drained()]);
    ops.extend([Ask(0, p), Ask(1, p), Credit(v, 2048), drained(), Auto(4), Wait(20)]);
    ops
}

fn f1_link_down(d: &Dims) -> Vec<Op> {
    let n = d.mtu.min(6);
    let mut ops = vec![Cfg("CTRL", ISO), Auto(1), Cap(2048), Wait(20)];
    for (pace, down) in [(1, 1), (1, 2), (1, 12), (3, 1), (3, 4)] {
        ops.push(Cfg("TX_INTERVAL", pace));
        for at in 0..2 * n as u32 * pace + 4 {
            ops.push(tree(ALLOC, 0, 0, &[7]));
            for i in 0..2 {
                ops.extend([Ask(i, Packet::data(0, 1, n)), Ask(i, Packet::data(0, 2, n))]);
            }
            ops.extend([Wait(at), LinkDown(down), Wait(2), drained(), Wait(2)]);
        }
    }
    ops.extend([Cfg("TX_INTERVAL", 1), Cfg("ERR_CLEAR", 0xffff)]);
    calm(d, &mut ops);
    ops
}

fn f1_wrap(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Auto(1), Wait(10)];
    for v in 0..d.vls {
        ops.extend([Advance(0, v, 4096 - d.mtu as u32 / 2), drained()]);
        ops.extend([Ask(1, Packet::data(v, 1, d.mtu)), Ask(2, Packet::data(v, 1, d.mtu)), drained()]);
    }
    ops.push(Auto(4));
    ops
}

fn f1_lost_messages(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Lose(chance(0.9)), Cap(2 * d.mtu as u32)];
    for i in 0..d.ports {
        ops.extend((0..4).map(|k| Ask(i, Packet::data(k % d.vls, 1, d.mtu))));
    }
    ops.extend([drained(), Lose(0), Cap(2048), Wait(10)]);
    ops
}

fn f1_short_packets(d: &Dims) -> Vec<Op> {
    let (v, n) = (d.vls - 1, d.mtu);
    let cut = |a: usize| Packet::data(v, 1, n).fault(Fault::Cut(a as u8));
    let mut ops = vec![Auto(1), Wait(10)];
    // alone
    ops.extend([Ask(0, cut(1)), drained(), Wait(3)]);
    // followed by one-flit packets: a grant in every cycle, on the same VL and on another
    for other in [v, 0] {
        ops.push(Ask(0, cut(n - 2)));
        for i in 1..d.ports {
            ops.extend((0..6).map(|_| Ask(i, Packet::data(other, 1, 1))));
        }
        ops.extend((0..3).flat_map(|_| [Ask(0, cut(1)), Ask(0, Packet::data(other, 1, 1))]));
        ops.extend([drained(), Wait(3)]);
    }
    // across the wrap, backwards
    ops.extend([
        Cap(2048),
        Auto(1),
        Freed(128),
        Leap(0, v, 4093),
        drained(),
        Wait(10),
        Ask(0, cut(1)),
        drained(),
    ]);
    ops.extend([Wait(10), Freed(1), Auto(4)]);
    ops
}

fn d2_contributors(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("CTRL", MARK), Wait(10)];
    for v in 0..d.vls {
        for i in 0..d.ports {
            ops.extend([Cong(i * d.vls + v, true), Wait(3), Ask(i, Packet::data(v, 1, 1)), drained()]);
        }
        for i in 0..d.ports {
            ops.extend([Cong(i * d.vls + v, false), Wait(3)]);
        }
    }
    calm(d, &mut ops);
    ops
}

/// A packet waits for credit on `v`, gets it, and goes.
fn waits(d: &Dims, v: usize) -> Vec<Op> {
    let p = Packet::data(v, 1, d.mtu);
    vec![Credit(v, 0), Wait(3), Ask(0, p), Wait(10), Credit(v, d.mtu as u32), drained(), Wait(3)]
}

fn d3_root(d: &Dims) -> Vec<Op> {
    let (v, m) = (d.vls - 1, d.mtu as u32);
    let p = Packet::data(v, 1, d.mtu);
    let mut ops = vec![Cfg("CTRL", MARK), Cfg("PACKET_SIZE", 0), Auto(0), Credit(v, 2 * m), Wait(5)];
    // its packets find credits: a root, which stays one when they run out without a packet that waits
    ops.extend([Ask(0, p), drained(), Cong(v, true), Until(Cond::Congested(v, true), 10)]);
    ops.extend([Ask(0, p), drained(), Wait(10)]);
    // one has to wait, and goes: no root, though there is credit now
    ops.extend(waits(d, v));
    ops.extend([Until(Cond::Congested(v, false), 10), Credit(v, 4 * m), Wait(10)]);
    // the next one finds its credits: a root again
    ops.extend([Ask(0, p), Until(Cond::Congested(v, true), 10), drained(), Wait(5)]);
    calm(d, &mut ops);
    ops
}

fn d6_root(d: &Dims) -> Vec<Op> {
    let (v, m) = (d.vls - 1, d.mtu as u32);
    let p = Packet::data(v, 1, d.mtu);
    let mut ops = vec![Cfg("PACKET_SIZE", 0), Auto(0)];
    for on in [MARK | ROOT_NOW, MARK | ROOT_NOW | AT_ONCE] {
        ops.extend([Cfg("CTRL", on), Credit(v, 2 * m), Wait(5)]);
        // each packet finds its credits; when the last are spent it is no root
        ops.extend([Cong(v, true), Until(Cond::Congested(v, true), 10)]);
        ops.extend([
            Ask(0, p),
            drained(),
            Wait(5),
            Ask(0, p),
            drained(),
            Until(Cond::Congested(v, false), 10),
        ]);
        // one less than an MTU, an MTU
        ops.extend([Credit(v, m - 1), Wait(5), Credit(v, m), Until(Cond::Congested(v, true), 10)]);
        // a packet that has to wait, and then credit
        ops.extend([Credit(v, 0), Wait(3)]);
        ops.extend(waits(d, v));
        ops.extend([Wait(5), Credit(v, 4 * m), Until(Cond::Congested(v, true), 10), Ask(0, p), drained()]);
        // a victim without credit
        ops.extend([Credit(v, 0), Until(Cond::Congested(v, false), 10)]);
        ops.extend([Cfg("CTRL", on | VICTIM), Until(Cond::Congested(v, true), 10), Cfg("CTRL", on), Wait(5)]);
        // the other test again
        ops.extend([Cfg("CTRL", MARK), Wait(5), Cong(v, false), Wait(5)]);
    }
    calm(d, &mut ops);
    ops
}

fn cl1_lane(d: &Dims) -> Vec<Op> {
    let (c, m) = (d.vls - 1, d.mtu as u32);
    let replies = |i: usize| [Ask(i, Packet::cnp(c, 5)), Ask(i, Packet::data(c, 5, 1).opcode(0x11))];
    let data = Packet::data(0, 1, d.mtu);
    let mut ops = vec![Cfg("CTRL", 0), Auto(1), Wait(20)];
    for i in 1..d.ports {
        ops.extend((0..40).flat_map(|_| replies(i)));
    }
    ops.extend((0..4).map(|_| Ask(0, data)));
    ops.extend([Ask(0, Packet::cnp(0, 5)), drained(), Wait(5)]);
    // credit on the highest VL alone, then on the others alone
    ops.extend([Auto(0), Credit(0, m - 1), Credit(c, 3), Wait(3), Ask(0, data)]);
    ops.extend(replies(1));
    ops.extend([Wait(12), Auto(1), drained(), Auto(0), Credit(c, 0), Credit(0, 2 * m), Wait(3)]);
    ops.extend(replies(1));
    ops.extend([Ask(0, data), Wait(12), Auto(1), drained()]);
    // turns
    ops.extend([Cfg("CTRL", PLAIN), Wait(2)]);
    for i in 0..d.ports {
        ops.extend(replies(i));
        ops.extend([Ask(i, data), Ask(i, data)]);
    }
    ops.extend([drained(), Cfg("CTRL", 0), Auto(4)]);
    ops
}

fn d3_victim(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let mut ops = vec![Cfg("CTRL", MARK), Auto(0), Wait(3)];
    ops.extend(waits(d, v));
    ops.extend([Cong(v, true), Wait(10)]);
    ops.extend([Cfg("CTRL", MARK | VICTIM), Until(Cond::Congested(v, true), 10), Wait(3)]);
    ops.extend([Cfg("CTRL", MARK), Until(Cond::Congested(v, false), 10)]);
    ops.extend([Cfg("CTRL", MARK | VICTIM), Until(Cond::Congested(v, true), 10)]);
    ops.extend([Cong(v, false), Until(Cond::Congested(v, false), 10)]);
    // what finds its credits makes it a root again
    ops.extend([Credit(v, 4 * d.mtu as u32), Wait(3), Ask(0, Packet::data(v, 1, d.mtu)), drained()]);
    calm(d, &mut ops);
    ops
}

fn d5_sum(d: &Dims) -> Vec<Op> {
    let m = d.mtu as u32;
    let v = d.vls - 1;
    let r = |i: usize| i * d.vls + v;
    let mut ops = vec![Cfg("SUM_HTH", 6 * m), Cfg("SUM_LTH", 4 * m), Cfg("CTRL", MARK | SUM), Wait(3)];
    // exactly at the high threshold: not yet; one above: set; held; one below the low one: clear
    for (a, b) in [
        (3 * m, 3 * m),
        (3 * m, 3 * m + 1),
        (2 * m, 2 * m + 1),
        (2 * m, 2 * m),
        (2 * m, 2 * m - 1),
        (m, 4 * m),
    ] {
        ops.extend([Fill(r(0), a), Fill(r(1), b), Wait(4), Ask(0, Packet::data(v, 1, 1)), drained()]);
    }
    ops.extend([
        Fill(r(0), 65535),
        Fill(r(1), 65535),
        Fill(r(2), 65535),
        Wait(3),
        Cfg("SUM_HTH", 65535),
        Wait(3),
    ]);
    // thresholds the wrong way round: set wins
    ops.extend([
        Fill(r(2), 0),
        Fill(r(1), 0),
        Fill(r(0), 10),
        Cfg("SUM_HTH", 5),
        Cfg("SUM_LTH", 20),
        Wait(4),
    ]);
    // a low threshold of 0 acts as 1: an empty port leaves the state
    ops.extend([Cfg("SUM_LTH", 0), Wait(4), Fill(r(0), 0), Wait(4)]);
    // the evaluation that is not there is the one per queue
    ops.extend([Cfg("CTRL", MARK | 3 << 3), Cong(r(1), true), Wait(4)]);
    calm(d, &mut ops);
    ops
}

fn d5_sum_per_input(d: &Dims) -> Vec<Op> {
    let m = d.mtu as u32;
    let r = |i: usize| i * d.vls;
    let mut ops =
        vec![Cfg("SUM_HTH", 6 * m), Cfg("SUM_LTH", 4 * m), Cfg("CTRL", MARK | SUM_PER_INPUT), Wait(3)];
    // one input: its own fill counts once; two inputs: their sum counts twice
    for (a, b) in
        [(6 * m, 0), (4 * m, 0), (2 * m, m), (2 * m, m + 1), (2 * m - 1, 0), (m, m), (0, 0), (65535, 65535)]
    {
        ops.extend([Fill(r(0), a), Fill(r(1), b), Wait(4)]);
    }
    calm(d, &mut ops);
    ops
}

/// Congested on all VLs, plenty of credit.
fn congested(d: &Dims, ctrl: u32, ops: &mut Vec<Op>) {
    ops.extend([Cfg("CTRL", MARK | ctrl), Cap(2048), Wait(10)]);
    ops.extend((0..d.vls).map(|v| Cong(v, true)));
    ops.push(Wait(5));
}

fn m1_eligible(d: &Dims) -> Vec<Op> {
    let n = d.mtu.min(4);
    let mut ops = vec![Cfg("PACKET_SIZE", n as u32), Cfg("MARKING_RATE", 0)];
    let each: Vec<Packet> = [
        Packet::data(0, 1, n),
        Packet::data(0, 1, n).lnh(3),
        Packet::data(0, 1, n).lnh(0),
        Packet::data(0, 1, n).lnh(1),
        Packet::data(0, 1, n).opcode(0x80),
        Packet::data(0, 1, n).opcode(0x11),
        Packet::data(0, 1, n).opcode(0x71),
        Packet::data(0, 0xc000, n),
        Packet::data(0, 0xbfff, n),
        Packet::data(0, 1, n - 1),
        Packet::data(0, 1, d.mtu),
    ]
    .into();
    // off; on and not congested; congested
    ops.extend([Cfg("CTRL", 0), Cong(0, true), Wait(10), Ask(0, each[0]), drained(), Cong(0, false)]);
    ops.extend([Cfg("CTRL", MARK), Wait(10), Ask(0, each[0]), drained()]);
    congested(d, 0, &mut ops);
    for p in each {
        ops.extend([Ask(0, p), drained(), Wait(3)]);
    }
    calm(d, &mut ops);
    ops
}

/// Thirty one-flit packets from several inputs.
fn thirty(d: &Dims, ops: &mut Vec<Op>) {
    ops.extend((0..30).map(|k| Ask(k % d.ports, Packet::data(k % d.vls, 1, 1))));
    ops.extend([drained(), Wait(3)]);
}

fn m2_counter(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("PACKET_SIZE", 0), Cfg("MARKING_RATE", 2)];
    congested(d, 0, &mut ops);
    thirty(d, &mut ops);
    // the mode that is not there is this one
    ops.push(Cfg("CTRL", MARK | 3 << 5));
    thirty(d, &mut ops);
    calm(d, &mut ops);
    ops
}

fn m2_every_bit(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("PACKET_SIZE", 0), Auto(1), Freed(64)];
    congested(d, ISO, &mut ops);
    let lanes = (0..d.vls).step_by((d.vls - 1).max(1));
    // packets of a tree whose inputs have no line are counted, one by one
    ops.extend([Cfg("LINE_TIMER", !0), NoLine(!0), tree(ALLOC, 0, 0, &[1])]);
    for bit in 0..16 {
        ops.extend([Cfg("MARKING_RATE", 1 << bit), Cfg("FC_INTERVAL", 1 << bit)]);
        for v in lanes.clone() {
            let mut left: usize = (1 << bit) + 1;
            while left > 0 {
                let some = left.min(100);
                ops.extend((0..some).map(|k| Ask(k % d.ports, Packet::data(v, 1, 1))));
                // messages keep the line
                ops.extend([drained(), tree(GO, 0, 0, &[])]);
                left -= some;
            }
        }
    }
    ops.extend([Cfg("FC_INTERVAL", 4), NoLine(0)]);
    // as long as no header can say
    let endless = Packet::data(0, 1, d.mtu).fault(Fault::Longer(255));
    ops.extend([Ask(0, endless), Ask(1, Packet::data(0, 1, 1)), drained(), Freed(1)]);
    calm(d, &mut ops);
    ops
}

fn m2_probability(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("PACKET_SIZE", 0), Cfg("MARKING_RATE", 3), Cfg("LFSR_SEED", 0xace1)];
    congested(d, PROBABILITY, &mut ops);
    for _ in 0..4 {
        thirty(d, &mut ops);
    }
    // the rarest rate marks the packet that meets an LFSR of 1
    ops.extend([
        Cfg("MARKING_RATE", 65535),
        Cfg("LFSR_SEED", 1),
        Ask(0, Packet::data(0, 1, 1)),
        drained(),
        Wait(3),
    ]);
    ops.extend([Cfg("MARKING_RATE", 3), Cfg("LFSR_SEED", 0)]);
    // seeds in the cycles of packets
    ops.extend((0..12).map(|k| Ask(k % d.ports, Packet::data(0, 1, 1))));
    ops.extend((0..12).map(|k| Cfg("LFSR_SEED", 0x100 + k)));
    ops.push(drained());
    calm(d, &mut ops);
    ops
}

fn m2_independence(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("PACKET_SIZE", 0), Auto(1), Freed(64)];
    congested(d, PROBABILITY, &mut ops);
    for (rate, packets) in [(7, 3000), (65535, 66_000)] {
        ops.push(Cfg("MARKING_RATE", rate));
        for _ in 0..packets / 100 {
            ops.extend((0..100).map(|k| Ask(k % d.ports, Packet::data(0, 1, 1))));
            ops.push(drained());
        }
    }
    ops.push(Freed(1));
    calm(d, &mut ops);
    ops
}

fn m2_fraction(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("PACKET_SIZE", 0), Cfg("MARK_FRACTION", 218)];
    congested(d, FRACTION, &mut ops);
    for _ in 0..4 {
        thirty(d, &mut ops);
    }
    for fraction in [0, 256, 511] {
        ops.push(Cfg("MARK_FRACTION", fraction));
        thirty(d, &mut ops);
    }
    calm(d, &mut ops);
    ops
}

fn m3_kept(d: &Dims) -> Vec<Op> {
    let mut ops = vec![Cfg("PACKET_SIZE", 0), Cfg("MARKING_RATE", 1)];
    congested(d, 0, &mut ops);
    ops.extend((0..16).map(|k| Ask(k % d.ports, Packet::data(0, 1, 1).fecn())));
    ops.extend([drained(), Cfg("CTRL", 0)]);
    ops.extend((0..4).map(|k| Ask(k % d.ports, Packet::data(0, 1, 1).fecn())));
    ops.push(drained());
    calm(d, &mut ops);
    ops
}

fn e3_propagation(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let r = |i: usize| i * d.vls + v;
    let p = |dlid: u16| Packet::data(v, dlid, 2);
    let mut ops =
        vec![Cfg("CTRL", ISO), tree(ALLOC, 1, v, &[7, 8][..d.dlist.min(2)]), Until(Cond::Line(1, true), 10)];
    // the first packet of each input: told, then hot; a second destination of the tree; one of no tree
    for i in 0..d.ports {
        ops.extend([Ask(i, p(7)), Until(Cond::Told(r(i)), 50)]);
        ops.extend([Until(Cond::Hot(r(i), true), 50), Ask(i, p(8)), Ask(i, p(9)), drained()]);
    }
    // known line, new destination: the queue stays while it is not empty
    ops.extend([Auto(0), Wait(10), Credit(v, 0), Wait(3)]);
    ops.extend([Ask(0, p(7)), Until(Cond::Told(r(0)), 50), Wait(5)]);
    ops.extend([Ask(0, p(8)), Until(Cond::Told(r(0)), 50), Wait(5)]);
    // without credit the scan tells; a notification to a listed destination is no hot packet
    ops.extend([Ask(1, p(8)), Ask(2, p(9)), Until(Cond::Told(r(1)), 50), Wait(10), Auto(1), drained()]);
    ops.extend([Ask(1, Packet::cnp(v, 7)), drained()]);
    // told and told again, because the input does not hear
    ops.extend([Deaf(true), Ask(0, p(7)), Wait(20), Deaf(false), drained(), Auto(4)]);
    ops.extend([tree(DEALLOC, 1, v, &[]), Wait(5)]);
    calm(d, &mut ops);
    ops
}

fn e3_lists(d: &Dims) -> Vec<Op> {
    let w = d.vls - 1;
    let all: Vec<u16> = (20..20 + d.dlist as u16).collect();
    let mut far = Msg {
        kind: ALLOC,
        line: 0,
        vl: 0,
        root: 0xff_ffff,
        hops: 63,
        stop: true,
        dcnt: d.dlist + 1,
        ..Msg::default()
    };
    far.dlids[..d.dlist].copy_from_slice(&all);
    let ask = |i: usize, v: usize, dlid: u16| Ask(i, Packet::data(v, dlid, 1));
    let mut ops = vec![Cfg("CTRL", ISO), Tell(far), Wait(3), ask(0, 0, 20), Wait(10)];
    // the same destination in a second line: the lowest counts
    ops.extend([
        tree(ALLOC, d.lines - 1, 0, &[20]),
        Wait(3),
        ask(1, 0, 20),
        Wait(20),
        tree(GO, 0, 0, &[]),
        Wait(3),
    ]);
    // other VLs are another matter
    ops.extend([ask(2, w, 20), drained(), Wait(3)]);
    // an update, another list of the same root, another VL: a line for each
    far.dcnt = d.dlist;
    far.stop = false;
    ops.extend([Tell(far), Wait(3)]);
    ops.extend([
        tree(ALLOC, 0, 0, &[21]),
        Wait(5),
        tree(ALLOC, 0, 0, &[23]),
        Wait(5),
        ask(0, 0, 23),
        drained(),
    ]);
    ops.extend([
        tree(ALLOC, 0, w, &[22]),
        Wait(3),
        tree(ALLOC, 0, w, &[22]),
        Wait(3),
        ask(0, w, 22),
        drained(),
    ]);
    ops.extend([
        tree(DEALLOC, 0, w, &[]),
        tree(DEALLOC, 0, 0, &[]),
        tree(DEALLOC, d.lines - 1, 0, &[]),
        Wait(6),
    ]);
    calm(d, &mut ops);
    ops
}

fn e5_stop_go(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = Packet::data(v, 7, 2);
    let mut ops = vec![Cfg("CTRL", ISO), tree(ALLOC, 0, v, &[7]), Wait(3)];
    ops.extend([Ask(0, p), Ask(0, p), Until(Cond::Told(v), 50)]);
    ops.extend([tree(STOP, 0, v, &[]), Wait(5), Ask(0, Packet::data(v, 9, 2)), Ask(0, p), Wait(30)]);
    ops.extend([tree(GO, 0, v, &[]), Wait(3), drained()]);
    // for another VL, and for no line: nothing happens
    ops.extend([
        tree(STOP, 0, v + 1, &[]),
        Wait(3),
        tree(STOP, 0, 0, &[]),
        Wait(3),
        tree(GO, 0, 0, &[]),
        Wait(3),
    ]);
    ops.extend([tree(STOP, d.lines - 1, v, &[]), Wait(3), tree(GO, d.lines - 1, v, &[]), Wait(3)]);
    // stopped from the start
    ops.extend([tree(DEALLOC, 0, v, &[]), Wait(3)]);
    let mut stopped =
        Msg { kind: ALLOC, line: 0, vl: v as u32, root: 5, hops: 2, stop: true, dcnt: 1, ..Msg::default() };
    stopped.dlids[0] = 7;
    ops.extend([Tell(stopped), Wait(3), Ask(1, p), Wait(20), tree(GO, 0, v, &[]), drained()]);
    ops.extend([tree(DEALLOC, 0, v, &[]), tree(DEALLOC, 0, v, &[]), Cfg("ERR_CLEAR", 0xffff), Wait(5)]);
    calm(d, &mut ops);
    ops
}

fn e5_held(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = |dlid: u16| Packet::data(v, dlid, 1);
    let ask = |dlid: u16| (0..d.ports).flat_map(move |i| (0..3).map(move |_| Ask(i, p(dlid))));
    let mut ops = vec![Cfg("CTRL", ISO), Auto(1), NoLine(!0), tree(ALLOC, 0, v, &[7]), tree(STOP, 0, v, &[])];
    // nobody has a line: the stop holds all of them, and a victim passes
    ops.push(Wait(4));
    ops.extend(ask(7));
    ops.extend([Wait(40), tree(GO, 0, v, &[]), drained()]);
    ops.extend([
        tree(STOP, 0, v, &[]),
        Wait(4),
        Ask(0, p(7)),
        Ask(1, p(9)),
        Ask(2, Packet::cnp(v, 7)),
        Wait(30),
    ]);
    ops.extend([tree(GO, 0, v, &[]), drained(), tree(STOP, 0, v, &[]), Wait(4)]);
    // 32 notifications of other inputs and more: data has its turn, and is held
    ops.extend((0..60).map(|k| Ask(1 + k % 2, Packet::cnp(v, 7))));
    ops.extend([Wait(1), Ask(0, p(7)), Wait(120), tree(GO, 0, v, &[]), drained(), NoLine(0)]);
    // hot queues of line 0 obey line 1, which lists the destination too
    ops.extend([tree(ALLOC, 1, v, &[7]), Wait(4), tree(STOP, 1, v, &[]), Wait(4)]);
    ops.extend(ask(7));
    ops.extend([Wait(60), tree(GO, 1, v, &[]), drained()]);
    ops.extend([tree(DEALLOC, 0, v, &[]), tree(DEALLOC, 1, v, &[]), Wait(6)]);
    calm(d, &mut ops);
    ops
}

fn e5_turns(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = |dlid: u16| Packet::data(v, dlid, 1);
    let stop = |k: usize, on: bool| tree(if on { STOP } else { GO }, k, v, &[]);
    let mut ops =
        vec![Cfg("CTRL", ISO), Auto(1), NoLine(!0), tree(ALLOC, 0, v, &[7]), stop(0, true), Wait(4)];
    // inputs with cold queues only, beside another destination
    let all = |dlid: u16, n: usize| (0..d.ports).flat_map(move |i| (0..n).map(move |_| Ask(i, p(dlid))));
    ops.extend(all(7, 6));
    ops.push(Wait(20));
    for round in 0..12 {
        ops.extend([stop(0, false), Wait(round), stop(0, true), Wait(12)]);
        if round % 3 == 0 {
            // let go by a new announcement; stopped again at once
            ops.extend([
                tree(ALLOC, 0, v, &[7]),
                stop(0, true),
                Wait(3),
                tree(ALLOC, 0, v, &[7]),
                Wait(2),
                stop(0, true),
                Wait(8),
            ]);
        }
    }
    ops.extend([stop(0, false), drained()]);
    // a packet that is not bound has the round robin's turn while another input is next
    for _ in 0..2 {
        ops.extend([
            Cfg("TX_INTERVAL", 4),
            stop(0, true),
            Wait(3),
            Ask(2, p(7)),
            Wait(8),
            Ask(0, Packet::data(v, 9, 4.min(d.mtu))),
        ]);
        ops.extend([Wait(4), stop(0, false), Ask(1, p(7)), drained(), Cfg("TX_INTERVAL", 1)]);
    }
    // another tree takes the line before anybody had the turn
    ops.extend([
        stop(0, true),
        Wait(3),
        Ask(1, p(7)),
        Wait(8),
        stop(0, false),
        tree(ALLOC, 0, v, &[8]),
        Wait(6),
    ]);
    ops.extend([drained(), tree(DEALLOC, 0, v, &[]), NoLine(0), Wait(6)]);
    // hot queues of line 1, whose destination a lower line lists as well
    ops.extend([tree(ALLOC, 1, v, &[7]), Wait(3)]);
    ops.extend(all(7, 4));
    ops.extend([Wait(4), stop(1, true), Wait(12), tree(ALLOC, 0, v, &[7]), Wait(4)]);
    for round in 2..10 {
        ops.extend([stop(1, false), Wait(round), stop(1, true), Wait(8)]);
    }
    ops.extend([stop(1, false), drained(), tree(DEALLOC, 0, v, &[]), tree(DEALLOC, 1, v, &[]), Wait(6)]);
    calm(d, &mut ops);
    ops
}

fn a3_lost(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = |dlid: u16| Packet::data(v, dlid, 1);
    let mut ops = vec![Cfg("CTRL", ISO), Auto(1), NoLine(!0)];
    // One packet of each input is held by a stopped line, packets of input 0 that no line holds go meanwhile.
    for k in 0..16 {
        ops.extend([tree(ALLOC, 0, v, &[7]), tree(STOP, 0, v, &[]), Wait(4)]);
        ops.extend((1..d.ports).map(|i| Ask(i, p(7))));
        ops.push(Wait(3 * d.ports as u32 + 6));
        ops.extend((0..8).map(|_| Ask(0, p(9))));
        ops.extend([Wait(k), tree(ALLOC, 0, v, &[8]), Wait(6), drained(), tree(DEALLOC, 0, v, &[]), Wait(6)]);
    }
    // Two lines stay for their turns, without credits, until both are too old.
    for k in 0..2 {
        ops.extend([tree(ALLOC, k, v, &[7 + k as u16]), tree(STOP, k, v, &[]), Wait(4)]);
    }
    ops.extend((1..d.ports).map(|i| Ask(i, p(7 + i as u16 % 2))));
    ops.extend([Wait(3 * d.ports as u32 + 10), Auto(0), Wait(10), Credit(v, 0), Wait(3)]);
    ops.extend([
        tree(DEALLOC, 0, v, &[]),
        tree(DEALLOC, 1, v, &[]),
        Wait(30),
        Cfg("LINE_TIMER", 12),
        Wait(20),
    ]);
    ops.extend([Cfg("LINE_TIMER", 0xffff), Auto(1), drained()]);
    // Isolation is switched off, and on, while packets wait for a line that is stopped.
    for k in 0..8 {
        ops.extend([tree(ALLOC, 0, v, &[7]), tree(STOP, 0, v, &[]), Wait(4)]);
        ops.extend((1..d.ports).map(|i| Ask(i, p(7))));
        ops.push(Wait(3 * d.ports as u32 + 6));
        ops.extend((0..4).map(|_| Ask(0, p(9))));
        ops.extend([Wait(k), Cfg("CTRL", 0), Wait(6), Cfg("CTRL", ISO), drained()]);
    }
    // Two lines list a destination, and are let go.
    for k in 0..2 {
        ops.extend([tree(ALLOC, k, v, &[7]), tree(STOP, k, v, &[]), Wait(4)]);
    }
    ops.extend((0..d.ports).map(|i| Ask(i, p(7))));
    ops.push(Wait(3 * d.ports as u32 + 6));
    ops.extend([tree(GO, 0, v, &[]), tree(GO, 1, v, &[]), drained()]);
    ops.extend([tree(DEALLOC, 0, v, &[]), tree(DEALLOC, 1, v, &[]), Wait(6), NoLine(0)]);
    calm(d, &mut ops);
    ops
}

fn a3_in_turn(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let mut ops = vec![Cfg("CTRL", ISO), Auto(1), NoLine(!0)];
    for k in 0..12 {
        // A packet of each input is held; another tree comes around the cycle in which the turn is used.
        ops.extend([tree(ALLOC, 0, v, &[7]), tree(STOP, 0, v, &[]), Wait(4)]);
        ops.extend((0..d.ports).map(|i| Ask(i, Packet::data(v, 7, 1))));
        ops.extend([Wait(3 * d.ports as u32 + 6), tree(GO, 0, v, &[]), Wait(k), tree(ALLOC, 0, v, &[8])]);
        ops.extend([Wait(6), drained(), tree(DEALLOC, 0, v, &[]), Wait(6)]);
        // That one comes back.
        ops.extend([tree(ALLOC, 0, v, &[8, 9]), Wait(4), tree(DEALLOC, 0, v, &[]), Wait(6)]);
    }
    ops.push(NoLine(0));
    calm(d, &mut ops);
    ops
}

fn a3_outlives(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = |dlid: u16| Packet::data(v, dlid, 1);
    let told = |kind: u32| tree(kind, 0, v, &[]);
    let mut ops = vec![Cfg("CTRL", ISO)];
    // Nobody waits.
    ops.extend([tree(ALLOC, 0, v, &[7]), told(STOP), Wait(4), told(GO), told(DEALLOC), Wait(6)]);
    // Two packets of each input are held by a stopped line, and credits are gone.
    let begin = || {
        let asks = (0..2 * d.ports).map(|i| Ask(i % d.ports, p(7)));
        let stopped = [NoLine(!0), Auto(1), tree(ALLOC, 0, v, &[7]), told(STOP), Wait(4)];
        let starved = [Wait(30), Auto(0), Wait(10), Credit(v, 0), Wait(3)];
        stopped.into_iter().chain(asks).chain(starved).collect::<Vec<_>>()
    };
    let end = || [Auto(1), drained(), told(DEALLOC), Wait(6)];
    // Stop and go have no effect, nobody is told; it ends again.
    ops.extend(begin());
    ops.extend([told(GO), Wait(2), told(DEALLOC), Wait(3), told(STOP), Wait(2), told(GO), NoLine(0)]);
    ops.extend([Wait(8), told(DEALLOC)]);
    ops.extend(end());
    // The turn is used; a tree comes around that cycle, the same or another.
    for dlid in [7, 8] {
        for k in 0..12 {
            ops.extend(begin());
            ops.extend([told(DEALLOC), Wait(3), Auto(1), Wait(k), tree(ALLOC, 0, v, &[dlid]), Wait(3)]);
            ops.extend(end());
        }
    }
    // Inputs with room again have no packet bound to the line; then its timer.
    for (room, timer) in [(0, 0xffff), (!0, 12)] {
        ops.extend(begin());
        ops.extend([told(DEALLOC), Wait(3), Cfg("LINE_TIMER", timer), NoLine(room), Wait(40)]);
        ops.extend(end());
    }
    ops.push(Cfg("LINE_TIMER", 0xffff));
    ops.extend(begin());
    ops.extend([Cfg("LINE_TIMER", 12), Wait(40), Cfg("LINE_TIMER", 0xffff)]);
    ops.extend(end());
    ops.push(NoLine(0));
    calm(d, &mut ops);
    ops
}

fn e6_drain(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = Packet::data(v, 7, 2);
    let mut ops = vec![Cfg("CTRL", ISO), Auto(0), Wait(10), Credit(v, 0), tree(ALLOC, 0, v, &[7]), Wait(3)];
    ops.extend([Ask(0, p), Ask(0, p), Ask(0, p), Until(Cond::Hot(v, true), 50), Wait(5)]);
    // the tree is gone for longer than the line's timer: the queue drains. Then the tree is there again
    ops.extend([tree(DEALLOC, 0, v, &[]), Drains(true), Until(Cond::Hot(v, false), 20), Wait(10)]);
    ops.extend([tree(ALLOC, 0, v, &[7]), Wait(10)]);
    // another input's packet, of no tree
    ops.extend([Ask(1, Packet::data(v, 9, 2)), Ask(1, Packet::data(v, 9, 2)), Wait(5)]);
    ops.extend([Auto(1), drained(), Drains(false), tree(DEALLOC, 0, v, &[]), Wait(5), Auto(4)]);
    calm(d, &mut ops);
    ops
}

fn e6_replaced(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = Packet::data(v, 7, 2);
    let mut ops = vec![Cfg("CTRL", ISO), Auto(0), Wait(10), Credit(v, 0), tree(ALLOC, 0, v, &[7]), Wait(3)];
    ops.extend([Ask(0, p), Ask(0, p), Until(Cond::Hot(v, true), 50), Wait(5)]);
    // its end is lost; the line is another tree's, which is stopped: the hot queue is on its own and goes
    ops.extend([tree(ALLOC, 0, v, &[8]), Until(Cond::Hot(v, false), 10)]);
    ops.extend([tree(STOP, 0, v, &[]), Wait(5), Auto(1), drained()]);
    // messages in the cycles in which a line is away, and after its end
    for k in 0..4 {
        let other = tree(ALLOC, 0, v, &[9 + k as u16]);
        ops.extend([
            other,
            Wait(k),
            tree(STOP, 0, v, &[]),
            Ask(0, Packet::data(v, 9 + k as u16, 1)),
            Wait(8),
        ]);
        ops.extend([tree(GO, 0, v, &[]), drained(), tree(DEALLOC, 0, v, &[]), Wait(k)]);
        ops.extend([tree(ALLOC, 0, v, &[7]), Ask(1, p), drained(), Wait(6)]);
    }
    ops.extend([tree(DEALLOC, 0, v, &[]), Wait(6), Auto(4)]);
    calm(d, &mut ops);
    ops
}

fn e6_relink(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = Packet::data(v, 7, 2);
    let mut ops = vec![Cfg("CTRL", ISO), Auto(0), Wait(10), Credit(v, 0), tree(ALLOC, 0, v, &[7]), Wait(3)];
    ops.extend([Ask(0, p), Ask(0, p), Ask(0, p), Until(Cond::Hot(v, true), 50), Wait(5)]);
    // the tree is gone: the hot packets are on their own
    ops.extend([tree(DEALLOC, 0, v, &[]), Until(Cond::Hot(v, false), 20), Wait(10)]);
    // and here it is again, on another line: the queue is linked once more
    ops.extend([tree(ALLOC, 1, v, &[7]), Until(Cond::Hot(v, true), 50), Wait(3)]);
    ops.extend([Auto(1), Until(Cond::Granted(v), 50), tree(DEALLOC, 1, v, &[]), drained(), Auto(4)]);
    // a hot request without line is granted when nothing is known of it
    calm(d, &mut ops);
    ops
}

fn e6_crossing(d: &Dims) -> Vec<Op> {
    let v = d.vls - 1;
    let p = Packet::data(v, 7, 1);
    let mut ops = vec![Cfg("CTRL", ISO)];
    // the end of the tree sweeps over the request, its prop, its move and its grant
    for early in 0..12 {
        ops.extend([
            tree(ALLOC, 0, v, &[7]),
            Wait(3),
            Ask(0, p),
            Ask(1, p),
            Wait(early),
            tree(DEALLOC, 0, v, &[]),
        ]);
        ops.extend([drained(), Wait(4)]);
    }
    calm(d, &mut ops);
    ops
}

fn e6_isolation_off(d: &Dims) -> Vec<Op> {
    let p = Packet::data(0, 7, 2);
    let mut ops = vec![Cfg("CTRL", ISO), Auto(0), Wait(5), Credit(0, 0)];
    ops.extend((0..d.lines).map(|k| tree(ALLOC, k, 0, &[7 + k as u16])));
    ops.extend([Wait(d.lines as u32 + 2), Ask(0, p), Ask(1, p), Until(Cond::Hot(0, true), 50)]);
    ops.extend([Cfg("CTRL", 0), Wait(3)]);
    ops.extend([tree(ALLOC, 0, 0, &[7]), Wait(3), tree(STOP, d.lines, 0, &[]), Wait(3)]);
    ops.extend([Auto(1), drained(), Auto(4)]);
    // on again, off again, with a message in each cycle around it
    for k in 0..5 {
        ops.extend([
            Cfg("CTRL", ISO),
            tree(ALLOC, 0, 0, &[7]),
            Wait(k),
            Cfg("CTRL", 0),
            tree(ALLOC, 1, 0, &[8]),
            Wait(3),
        ]);
    }
    calm(d, &mut ops);
    ops
}

fn e7_no_resources(d: &Dims) -> Vec<Op> {
    let p = |dlid: u16| Packet::data(0, dlid, 2);
    let mut ops = vec![Cfg("CTRL", ISO), tree(ALLOC, 0, 0, &[7]), Wait(3)];
    // no input has a line to spare: the packets go, and are counted
    ops.push(NoLine(!0));
    ops.extend((0..d.ports).map(|i| Ask(i, p(7))));
    ops.push(drained());
    // and without credit the scan passes over them
    ops.extend([
        Auto(0),
        Wait(5),
        Credit(0, 0),
        Wait(3),
        Ask(0, p(7)),
        Wait(20),
        Auto(1),
        drained(),
        NoLine(0),
    ]);
    // a line whose list is full, as long as it is kept
    for _ in 0..4 {
        ops.extend([
            Full(true),
            Auto(0),
            Wait(5),
            Credit(0, 0),
            Wait(3),
            Ask(0, p(7)),
            Until(Cond::Hot(0, true), 50),
        ]);
        ops.extend([
            tree(ALLOC, 0, 0, &[7, 8][..d.dlist.min(2)]),
            Wait(3),
            Ask(0, p(8)),
            Wait(10),
            Auto(1),
            drained(),
        ]);
        ops.extend([
            Full(false),
            tree(DEALLOC, 0, 0, &[]),
            Wait(5),
            Auto(4),
            Wait(20),
            tree(ALLOC, 0, 0, &[7]),
            Wait(3),
        ]);
    }
    ops.push(tree(DEALLOC, 0, 0, &[]));
    calm(d, &mut ops);
    ops
}

fn e8_timer(d: &Dims) -> Vec<Op> {
    let (v, life) = (d.vls - 1, 20);
    let mut ops = vec![Cfg("LINE_TIMER", life), Cfg("CTRL", ISO), Wait(2)];
    // left alone
    ops.extend([tree(ALLOC, 0, v, &[7]), Wait(life + 5)]);
    // a message one cycle early, in the cycle of expiry, one late
    for late in 0..3 {
        for kind in [ALLOC, STOP, GO, DEALLOC] {
            ops.extend([tree(ALLOC, 0, v, &[7]), Wait(life + late), tree(kind, 0, v, &[7]), Wait(life + 5)]);
        }
        // one that is ignored saves nothing
        ops.extend([tree(ALLOC, 0, v, &[7]), Wait(life + late), tree(STOP, 0, 0, &[]), Wait(life + 5)]);
    }
    // many at once, because the life is shortened
    ops.extend((0..d.lines).map(|k| tree(ALLOC, k, v, &[7])));
    ops.extend([Wait(d.lines as u32 + 2), Cfg("LINE_TIMER", 1), Wait(5), Cfg("LINE_TIMER", 0), Wait(2)]);
    ops.extend([
        tree(ALLOC, 0, v, &[7]),
        Wait(1),
        tree(STOP, 0, v, &[]),
        Wait(1),
        tree(STOP, 0, v, &[]),
        Wait(5),
    ]);
    // beyond its width: as long as can be
    ops.extend([Cfg("LINE_TIMER", !0), tree(ALLOC, 0, v, &[7]), Wait(30), tree(DEALLOC, 0, v, &[]), Wait(3)]);
    calm(d, &mut ops);
    ops
}

fn fig6_switch_b(d: &Dims) -> Vec<Op> {
    let n = d.mtu.min(8);
    let hot = Packet::data(0, 3, n);
    let mut ops =
        vec![Cfg("MARKING_RATE", 1), Cfg("PACKET_SIZE", 2), Cfg("CTRL", MARK | ISO), Cap(2048), Wait(10)];
    // before: the hot flow of IP1 and a flow of IP2, nothing is marked
    ops.extend([Ask(1, hot), Ask(2, hot), drained()]);
    // event 1: CPQ1 at IP1 rises above HTh; the port has credits, so it is the root
    ops.extend([Fill(d.vls, 6 * d.mtu as u32 + 1), Cong(d.vls, true), Until(Cond::Congested(0, true), 10)]);
    // from now on every second packet is marked (event 6 at HCA 3)
    ops.extend((0..8).flat_map(|_| [Ask(1, hot), Ask(2, hot)]));
    ops.push(drained());
    // the sources slow down (events 9, 10), CPQ1 falls below LTh: no more marks
    ops.extend([Fill(d.vls, 0), Cong(d.vls, false), Until(Cond::Congested(0, false), 10)]);
    ops.extend([Ask(1, hot), Ask(2, hot), drained()]);
    calm(d, &mut ops);
    ops
}

fn fig6_switch_a(d: &Dims) -> Vec<Op> {
    let n = d.mtu.min(8);
    let r = d.vls; // IP1, VL 0
    let (hot, cold) = (Packet::data(0, 3, n), Packet::data(0, 5, n));
    let mut ops = vec![Cfg("MARKING_RATE", 0), Cfg("CTRL", MARK | ISO), Auto(1), Cap(2048), Wait(10)];
    ops.extend([Ask(1, hot), Ask(1, cold), drained()]);
    // event 2: switch B announces its root
    ops.extend([tree(ALLOC, 0, 0, &[3]), Until(Cond::Line(0, true), 5)]);
    // event 3: a hot packet asks; event 4: IP1 is told; event 5: it asks again from its HPQ
    ops.extend([Ask(1, hot), Ask(1, cold), Until(Cond::Told(r), 50), Until(Cond::Hot(r, true), 50)]);
    ops.extend([Ask(1, hot), Ask(1, cold), drained()]);
    // B fills again: stop. The hot packets of IP1 wait, its cold ones pass; go
    ops.extend([Ask(1, hot), Ask(1, hot), Wait(2), tree(STOP, 0, 0, &[]), Wait(4)]);
    ops.extend([Ask(1, hot), Ask(1, cold), Ask(1, cold), Wait(8 * n as u32), tree(GO, 0, 0, &[]), drained()]);
    // the tree dissolves
    ops.extend([tree(DEALLOC, 0, 0, &[]), Wait(3), Ask(1, hot), Ask(1, cold), drained(), Auto(4)]);
    calm(d, &mut ops);
    ops
}
