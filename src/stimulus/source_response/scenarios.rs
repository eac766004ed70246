//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen.

use super::script::{Dims, LONG, Op};
use crate::params::UnitKind;
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;

use Op::{
    Accept, Ack, AckAny, Arrive, Attr, Babble, Cfg, Credit, Deaf, Length, Lose, Marks, Network, Offered,
    OneSl, Pace, Pause, Post, PostAll, PostAny, PostPause, Raw, ReadAll, Repay, Req, ReqAll, Returned, Rude,
    Silent, Stop, Taken, Wait, Written, Wt,
};

/// CTRL bits.
const ENABLE: u32 = 1;
const LIPD: u32 = 1 << 1;
const FIMD: u32 = 2 << 1;
const AIMD: u32 = 3 << 1;
const SLOTS: u32 = 4 << 1;
const DYN: u32 = 1 << 4;
const FROM_ACK: u32 = 1 << 5;
const BY_RTT: u32 = 1 << 6;
const RESET_EMPTY: u32 = 1 << 7;

/// Severities with SEVMAP 0x9C9C: bits of an ACK.
const MVCM: u32 = 0x9c9c;
const CLEAN: u8 = 0;
const WARM: u8 = 2;
const HOT: u8 = 3;

scenario_table! {
    UnitKind::SourceResponse, Dims, Op;
    c1_read_back "c1-read-back" "C1" "every register is read after every write";
    b3_errors "b3-errors" "B3 AK5 VR3 VR5 H6 H7" "flows and entries that are not there, packets of no length; errors are cleared";
    ak5_back_to_back "ak5-back-to-back" "AK5" "ACKs of two flows in every pattern of three cycles, and around the sweep of their flow";
    ak6_window "ak6-window" "AK6" "windows of 1, 2, 255; ACKs late, in the cycle of the acceptance, in successive cycles";
    ak6_window_moves "ak6-window-moves" "AK6 VR2" "WMAX raised, lowered below what is outstanding, 0 and back; enable and dyn toggled, with packets out and on offer";
    ak6_no_window "ak6-no-window" "AK6 AK7" "no window: 600 packets out, all ACKs back, then a window";
    ak6_wrap "ak6-wrap" "AK6" "1100 packets of one flow, each acknowledged";
    ak7_lost "ak7-lost" "AK7" "each third ACK lost, windows of 1 and 3, until all are lost; the flow goes on each time";
    ak7_stray "ak7-stray" "AK7" "ACKs twice, later than the longest delay, before any packet";
    ak7_babble "ak7-babble" "AK7 AK5" "an ACK in every cycle, of flows with nothing outstanding, while another flow waits for a lost one";
    ak7_slow_host "ak7-slow-host" "AK7 H5" "packets that take longer than the longest delay to leave";
    vr1_severities "vr1-severities" "VR1" "all eight combinations of bits under several maps";
    vr2_mvcm "vr2-mvcm" "VR2 VR3 VR4" "MVCM's sequence, and all pairs of severities from all windows and slots of a small window";
    vr2_registers "vr2-registers" "VR2 SR1" "response function, WS_STEPS, RMIN_EXP, WMAX changed between two ACKs";
    vr3_waits "vr3-waits" "VR3" "each step's wait to the cycle; waits that are too long; rewritten while a flow waits";
    vr5_reset "vr5-reset" "VR5" "posts with and without something outstanding, beside the last ACK, with their bits off";
    sr2_lipd "sr2-lipd" "SR1 SR2" "LIPD to the lowest rate and back, for each of these";
    sr2_fimd "sr2-fimd" "SR1 SR2" "FIMD to the lowest rate and back, for each of these";
    sr2_aimd "sr2-aimd" "SR1 SR2" "AIMD to the lowest rate and some way back, for each of these";
    sr3_delays "sr3-delays" "SR3" "lengths, intervals, units and bases; a mark during a visit; the base forgotten";
    h5_gates "h5-gates" "H5 H8" "stops and credits before, during and after an offer; the unit switched off";
    h5_time "h5-time" "H5 AK7" "flows silent across the longest delay and the wrap of time, with both bases";
    h8_turns "h8-turns" "H8" "lanes, SLs, yields, walks with half of the flows closed";
}

/// No flow asks; all packets are acknowledged, all flows fresh.
fn calm(d: &Dims, ops: &mut Vec<Op>) {
    ops.extend([ReqAll(false), Accept(ALWAYS, ALWAYS), Credit(0xffff), Pace(1, ALWAYS), Rude(0, 0), Silent]);
    ops.extend([Marks(&[0]), Lose(0), Deaf(false), Babble(0, 0, 1), Written, Returned]);
    ops.extend((0..d.flows).map(|f| Stop(f, false)));
    ops.extend([Cfg("LINK_INTERVAL", 1), Wait(2 * 127), Length(d.mtu), Repay, Written, Wait(8)]);
    ops.extend([Cfg("WMAX", 1), Cfg("CTRL", ENABLE | RESET_EMPTY), PostAll, Written]);
    // the walk frees all
    ops.extend([Cfg("ERR_CLEAR", 0xffff), Wait(2 * d.flows as u32 + 20)]);
}

/// Registers of a scenario; packets of one flit. Flows 1 and 2 are fresh.
fn start(ctrl: u32, wmax: u32) -> Vec<Op> {
    vec![
        Repay,
        Written,
        Wait(4),
        Cfg("WMAX", 1),
        Cfg("CTRL", ENABLE | RESET_EMPTY),
        Post(1),
        Post(2),
        Written,
        Cfg("WMAX", wmax),
        Cfg("RMIN_EXP", 8),
        Cfg("WS_STEPS", 3),
        Cfg("RTT_MIN", 1),
        Cfg("SEVMAP", MVCM),
        Cfg("LINK_INTERVAL", 1),
        Cfg("CTRL", ENABLE | ctrl),
        Length(1),
    ]
}

/// A flow sends so many packets, and has no more.
fn send(flow: usize, packets: u64) -> [Op; 5] {
    [Accept(ALWAYS, ALWAYS), Req(flow, true), Taken(packets, LONG), Req(flow, false), Wait(5)]
}

/// Makes one flow fresh, all of whose packets are acknowledged. What CTRL has besides comes back later.
fn fresh(flow: usize) -> [Op; 6] {
    [Repay, Written, Wait(4), Cfg("CTRL", ENABLE | RESET_EMPTY), Post(flow), Written]
}

fn c1_read_back(d: &Dims) -> Vec<Op> {
    // a flow that is not there is an error
    let mut ops = vec![AckAny(0xffff), Wait(5), ReadAll];
    for pattern in PATTERNS {
        ops.extend(registers(UnitKind::SourceResponse).map(|r| Cfg(r.name, pattern)));
        ops.extend([Raw(128, pattern), Written, ReadAll]);
    }
    calm(d, &mut ops);
    ops
}

fn b3_errors(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 1);
    let flows = d.flows as u16;
    let clear = [Wait(4), Cfg("ERR_CLEAR", 1), Wait(4)];
    for bad in [AckAny(flows), AckAny(65535), PostAny(flows), PostAny(65535), Wt(16, 1), Wt(65535, 2)] {
        ops.push(bad);
        ops.extend(clear.clone());
    }
    // each bit of an address counts
    for far in (0..16).map(|bit| 1 << bit).filter(|&far| far >= flows) {
        for bad in [AckAny(far), PostAny(far), Attr(far, 1), Wt(far.max(16), 1)] {
            ops.push(bad);
            ops.extend(clear.clone());
        }
    }
    ops.extend([Attr(flows, 1), Wait(4), Cfg("ERR_CLEAR", 0xffff), Attr(65535, 1), Wait(3)]);
    // an error in the cycle of the clear, of each kind
    ops.extend([AckAny(flows), Cfg("ERR_CLEAR", 1), Wait(3), Cfg("ERR_CLEAR", 1), Wait(3)]);
    for k in 0..4 {
        ops.extend([Ack(1, 0), Wait(k), Cfg("ERR_CLEAR", 4), Wait(3)]);
    }
    // a packet of no length counts as one flit
    ops.extend([Length(0), Req(1, true), Taken(1, 100), Req(1, false), Cfg("ERR_CLEAR", 2), Wait(5)]);
    // bits that are invalid
    ops.extend([Ack(1, 1), Wait(8), Cfg("ERR_CLEAR", 16), Raw(200, 77), Wait(3)]);
    ops.extend([Wt(3, 9), Wt(0, 0), Written]);
    calm(d, &mut ops);
    ops
}

fn ak5_back_to_back(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 255);
    ops.extend(send(1, 30));
    ops.extend(send(2, 30));
    for pattern in 0..27 {
        let cycle = |at: u32| match pattern / 3_u32.pow(at) % 3 {
            0 => Pause,
            f => Ack(f as usize, 0),
        };
        ops.extend((0..3).map(cycle));
        ops.extend([Pause, Pause, Pause, Written]);
    }
    // one more than there were packets, side by side
    ops.extend([Repay, Written, Wait(8)]);
    ops.extend(send(1, 2));
    ops.extend([Ack(1, 0), Ack(1, 0), Ack(1, 0), Ack(2, 0), Written, Wait(8)]);
    // every other cycle an ACK: the sweep of its flow comes right before and right behind one
    for _ in 0..d.flows.div_ceil(200) + 1 {
        ops.extend([Repay, Written]);
        ops.extend(send(1, 250));
        ops.extend((0..d.flows.min(200) + 8).flat_map(|_| [Ack(1, 0), Pause]));
        ops.push(Written);
    }
    // as fast as they come, while others are accepted
    ops.extend([Repay, Written]);
    ops.extend(send(1, 100));
    ops.extend([Req(2, true), Repay, Written, Req(2, false)]);
    calm(d, &mut ops);
    ops
}

fn ak6_window(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for (wmax, packets, latency) in [(1, 12, 50), (2, 20, 50), (255, 300, 2_000)] {
        ops.extend(start(0, wmax));
        ops.extend([Network(latency, latency)]);
        ops.extend(send(1, packets));
        ops.extend([Returned, Silent]);
    }
    // the ACK in every cycle around an acceptance: before, with and behind it, while it is sent, beside its last flit
    ops.extend(start(0, 3));
    ops.push(Length(4));
    for k in 0..8 {
        ops.extend([Req(1, true), Taken(1, 100), Accept(0, ALWAYS), Offered(50), Ack(1, 0), Wait(k)]);
        ops.extend([Accept(ALWAYS, ALWAYS), Taken(1, 100), Accept(0, ALWAYS), Wait(30), Repay, Written]);
        ops.extend([Wait(8), Accept(ALWAYS, ALWAYS), Taken(1, 100), Accept(0, ALWAYS)]);
        ops.extend([Wait(k), Ack(1, 0), Wait(30), Repay, Written, Wait(8), Accept(ALWAYS, ALWAYS)]);
    }
    ops.extend([Req(1, false), Wait(20)]);
    calm(d, &mut ops);
    ops
}

fn ak6_window_moves(d: &Dims) -> Vec<Op> {
    let on = ENABLE | DYN;
    let mut ops = Vec::new();
    for (narrow, back) in [(2, 8), (0, 8), (1, 3), (6, 7), (255, 8)] {
        ops.extend(start(DYN, 8));
        ops.extend(send(1, 6));
        // lowered below what is outstanding, then on offer
        ops.extend([Cfg("WMAX", narrow), Req(1, true), Accept(0, ALWAYS), Wait(20)]);
        ops.extend([Ack(1, 0), Ack(1, 3), Wait(10), Cfg("WMAX", back), Ack(1, 0), Ack(1, 0), Offered(60)]);
        ops.extend([Cfg("WMAX", narrow), Wait(6), Accept(ALWAYS, ALWAYS), Wait(5), Accept(0, ALWAYS)]);
        ops.extend([Wait(10), Repay, Written, Wait(20), Cfg("WMAX", back), Wait(6)]);
        ops.extend([Accept(ALWAYS, ALWAYS), Taken(1, LONG), Req(1, false), Wait(6)]);
    }
    // narrowed by marks while on offer
    ops.extend(start(DYN, 4));
    ops.extend(send(1, 3));
    ops.extend([Req(1, true), Accept(0, ALWAYS), Offered(60), Ack(1, HOT), Ack(1, HOT)]);
    ops.extend([Wait(9), Accept(ALWAYS, ALWAYS), Taken(1, 60), Req(1, false), Repay, Written, Wait(8)]);
    // switched off and on with packets out
    for (off, back) in [(DYN, on), (ENABLE, on), (0, ENABLE), (on | RESET_EMPTY, on)] {
        ops.extend(start(DYN, 4));
        ops.extend(send(1, 3));
        ops.extend([Req(1, true), Req(2, true), Cfg("CTRL", off), Taken(5, LONG), Ack(1, HOT), Ack(2, 0)]);
        ops.extend([Wait(60), Cfg("CTRL", back), Wait(30), Repay, Written, Taken(3, LONG)]);
        ops.extend([Req(1, false), Req(2, false), Wait(8)]);
    }
    // ACKs without a window, then one: the flow has nothing outstanding and is alone
    ops.extend(start(DYN, 0));
    ops.extend(send(1, 2));
    ops.extend([Ack(1, HOT), Ack(1, CLEAN), Written, Wait(4), Cfg("WMAX", 3)]);
    ops.extend([Req(1, true), Taken(2, 2 * d.flows as u32 + 40), Req(1, false), Repay, Written, Wait(8)]);
    calm(d, &mut ops);
    ops
}

fn ak6_no_window(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 0);
    ops.extend(send(1, 512));
    // the sweep takes 512 for none
    ops.extend([Wait(3 * d.flows as u32)]);
    ops.extend(send(1, 88));
    // a window meanwhile, then all come back, and some more
    ops.extend([Cfg("WMAX", 2), Req(1, true), Wait(30), Repay, Written, Taken(2, LONG)]);
    ops.extend([Repay, Ack(1, 0), Ack(1, 0), Written, Cfg("WMAX", 0), Ack(1, 0), Ack(1, 0), Written]);
    ops.extend([Taken(20, LONG), Req(1, false), Wait(8)]);
    // one too many without windows, behind the last one
    ops.extend([Repay, Ack(1, 0), Ack(1, 0), Written, Wait(8)]);
    calm(d, &mut ops);
    ops
}

fn ak6_wrap(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 9);
    ops.push(Network(3, 30));
    ops.extend(send(1, 1100));
    ops.push(Returned);
    calm(d, &mut ops);
    ops
}

/// Short of what wide time stamps can tell: that would take millions of cycles.
fn most(d: &Dims) -> u32 {
    d.ird_max.min(256)
}

fn ak7_lost(d: &Dims) -> Vec<Op> {
    let most = most(d);
    let mut ops = Vec::new();
    for (ctrl, wmax) in [(0, 1), (DYN | SLOTS, 3), (FROM_ACK | LIPD, 3)] {
        ops.extend(start(ctrl, wmax));
        ops.extend([Network(5, 9), Lose(3), Marks(&[CLEAN, CLEAN, HOT]), Req(1, true)]);
        ops.extend([Taken(9, 8 * most), Lose(1), Taken(4, 16 * most), Req(1, false), Lose(0)]);
        ops.extend([Wait(3 * most), Returned, Silent, Repay, Written, Wait(8)]);
    }
    // without windows, and switched off: several packets, of which none comes back
    for ctrl in [ENABLE, 0] {
        ops.extend(start(0, 0));
        ops.push(Cfg("CTRL", ctrl));
        ops.extend(send(2, 3));
        ops.extend([Wait(3 * most), Repay, Written]);
    }
    // given up in every cycle around that in which the next packet is accepted, in several phases of the sweep
    ops.extend(start(0, 4));
    let around = if d.ird_max > most { 0 } else { 22 * 3 };
    for k in 0..around {
        ops.push(Wait(k / 22));
        ops.extend(send(1, 2));
        ops.extend([Req(1, true), Accept(0, ALWAYS), Wait(most + k % 22 - 4), Accept(ALWAYS, 0)]);
        ops.extend([Taken(1, LONG), Req(1, false), Wait(10), Repay, Written, Wait(8)]);
    }
    calm(d, &mut ops);
    ops
}

fn ak7_stray(d: &Dims) -> Vec<Op> {
    let most = most(d);
    let mut ops = start(DYN | SLOTS, 2);
    // before any packet
    ops.extend([Ack(1, HOT), Pause, Ack(1, CLEAN), Written, Wait(5)]);
    ops.push(Req(1, true));
    for k in 0..6 {
        // twice
        ops.extend([Taken(1, 400), Ack(1, CLEAN), Wait(k), Ack(1, CLEAN), Wait(20)]);
        // one too many, beside others
        ops.extend([Taken(2, 400), Cfg("ERR_CLEAR", 4)]);
        ops.extend([Ack(1, CLEAN), Ack(1, HOT), Ack(1, HOT), Wait(20)]);
    }
    // later than the longest delay: for nothing, or for a younger packet
    ops.extend([Network(most + 100, most + 200), Taken(6, 8 * most), Wait(most)]);
    ops.extend([Network(2 * most, 3 * most), Taken(4, 8 * most), Req(1, false), Returned]);
    calm(d, &mut ops);
    ops
}

fn ak7_babble(d: &Dims) -> Vec<Op> {
    let most = most(d);
    let mut ops = Vec::new();
    for (ctrl, wmax) in [(DYN, 1), (DYN, 3), (0, 0)] {
        ops.extend(start(ctrl, wmax));
        // flow 1 waits for ACKs that do not come, all others hear of packets that they did not send
        ops.extend([Babble(ALWAYS, 2, d.flows - 1), Req(1, true), Taken(4, 6 * most)]);
        ops.extend([Network(5, 5), Taken(10, 4 * most), Req(1, false), Silent, Wait(most)]);
        ops.push(Babble(0, 0, 1));
        ops.extend([Returned, Repay, Written, Wait(8)]);
    }
    calm(d, &mut ops);
    ops
}

fn ak7_slow_host(d: &Dims) -> Vec<Op> {
    let most = most(d);
    let mut ops = start(0, 2);
    // a flit now and then; ACKs of the packet while it leaves
    let sweep = d.flows as u32;
    for pace in [most.max(sweep) + 40, 2 * most + sweep] {
        ops.extend([Length(1), Pace(pace, ALWAYS), Req(1, true), Req(3, true)]);
        ops.extend([Taken(2, 3 * pace), Ack(3, CLEAN), Ack(1, CLEAN), Taken(3, 4 * pace)]);
        ops.extend([ReqAll(false), Wait(3 * most), Repay, Written, Wait(8)]);
    }
    // out of order: the next packet before the last one is sent; sent without a packet; without ACKs
    ops.extend([Pace(9, ALWAYS), Rude(chance(0.5), chance(0.2)), Network(3, 30), Req(1, true), Req(2, true)]);
    ops.extend([Taken(40, LONG), Rude(0, 0), ReqAll(false), Returned]);
    // flits faster than the link, and slower
    ops.extend([Cfg("LINK_INTERVAL", 6), Length(5), Pace(1, ALWAYS), Req(1, true), Taken(8, LONG)]);
    ops.extend([Pace(1, chance(0.1)), Taken(6, LONG), Req(1, false), Returned, Silent]);
    calm(d, &mut ops);
    ops
}

fn vr1_severities(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for map in [0xaa00, 0x9c9c, 0x8c8c, 0xacac, 0xffff, 0x1b4e, 0xe4b1] {
        for ctrl in [DYN | SLOTS, DYN | FIMD, 0] {
            ops.extend(start(ctrl, 4));
            ops.extend([Cfg("SEVMAP", map), Wt(1, 20), Wt(2, 30), Wt(3, 40), Written]);
            for bits in 0..8 {
                ops.extend([Req(2, true), Taken(1, 400), Req(2, false), Wait(3), Ack(2, bits), Wait(4)]);
            }
        }
    }
    // at one blow
    ops.extend(start(DYN | SLOTS, 255));
    ops.extend(send(2, 64));
    ops.extend((0..64).map(|i| Ack(2, (i * 5 % 8) as u8)));
    ops.push(Written);
    calm(d, &mut ops);
    ops
}

fn vr2_mvcm(d: &Dims) -> Vec<Op> {
    let mut ops = start(DYN | SLOTS, 3);
    ops.extend([Wt(0, 0), Wt(1, 100), Wt(2, 400), Wt(3, 1600), Written, Accept(ALWAYS, 0)]);
    for bits in [WARM, HOT, HOT, HOT, HOT, HOT, HOT, WARM, CLEAN, CLEAN, CLEAN, CLEAN] {
        ops.extend([Arrive(1), Taken(1, LONG), Wait(7), Ack(1, bits), Wait(7)]);
    }
    ops.extend([Accept(ALWAYS, ALWAYS), Wt(1, 8), Wt(2, 16), Wt(3, 32), Written]);
    // eight packets out; then a small window: ACKs bring it to each state, and two more are looked at
    let states: [&[u8]; 6] = [
        &[],
        &[WARM],
        &[WARM, WARM],
        &[WARM, WARM, HOT],
        &[WARM, WARM, HOT, HOT],
        &[HOT, HOT, HOT, HOT, HOT],
    ];
    for dynamic in [DYN, 0] {
        for path in states {
            for pair in 0..9 {
                let two = [pair / 3, pair % 3].map(|s| [CLEAN, WARM, HOT][s]);
                ops.extend(fresh(1));
                ops.extend([Cfg("WMAX", 8), Cfg("CTRL", ENABLE | dynamic | SLOTS)]);
                ops.extend(send(1, 8));
                ops.push(Cfg("WMAX", 3));
                ops.extend(path.iter().map(|&bits| Ack(1, bits)));
                ops.extend([Written, Cfg("CTRL", ENABLE | DYN | SLOTS)]);
                ops.extend(two.map(|bits| Ack(1, bits)));
                ops.extend([Written, Arrive(1), Wait(12), Req(1, false)]);
            }
        }
    }
    calm(d, &mut ops);
    ops
}

fn vr2_registers(d: &Dims) -> Vec<Op> {
    let mut ops = start(DYN | FIMD, 2);
    ops.extend([Wt(1, 10), Wt(2, 20), Wt(3, 30), Wt(7, 40), Written]);
    // no delays by rate, so that it goes on
    ops.extend([Cfg("RTT_MIN", 0), Network(4, 9), Marks(&[HOT]), Req(1, true)]);
    for ctrl in [DYN | FIMD, DYN | SLOTS, DYN | AIMD, SLOTS, DYN, LIPD, DYN | 5 << 1, DYN | SLOTS, FIMD] {
        ops.extend([Cfg("CTRL", ENABLE | BY_RTT | ctrl), Taken(6, 600)]);
    }
    // fewer steps, none
    ops.extend([Cfg("CTRL", ENABLE | DYN | SLOTS), Cfg("WS_STEPS", 7), Taken(9, 900)]);
    ops.extend([Cfg("WS_STEPS", 2), Taken(3, 600), Cfg("WS_STEPS", 0), Taken(3, 600)]);
    ops.extend([Marks(&[CLEAN]), Taken(3, 600), Marks(&[HOT]), Taken(3, 600), Cfg("WS_STEPS", 15)]);
    // a narrower window, none
    ops.extend([Marks(&[CLEAN]), Cfg("WMAX", 9), Taken(20, 600), Cfg("WMAX", 4), Taken(3, 200)]);
    ops.extend([Cfg("WMAX", 0), Taken(6, 200), Marks(&[HOT]), Taken(6, 600), Cfg("WMAX", 1), Taken(3, 600)]);
    // a higher lowest rate, of which a visit hears as well
    for law in [LIPD, FIMD, AIMD] {
        ops.extend([Cfg("CTRL", ENABLE | BY_RTT | law), Cfg("RMIN_EXP", 8), Marks(&[HOT]), Taken(12, 600)]);
        ops.extend([Cfg("RMIN_EXP", 3), Marks(&[CLEAN]), Taken(4, 600)]);
        ops.extend([Cfg("RMIN_EXP", 0), Taken(3, 600), Cfg("RMIN_EXP", 15), Taken(3, 600)]);
    }
    ops.extend([Req(1, false), Returned, Silent]);
    calm(d, &mut ops);
    ops
}

fn vr3_waits(d: &Dims) -> Vec<Op> {
    let mut ops = start(SLOTS, 2);
    ops.extend([Wt(0, 0), Wt(1, 20), Wt(2, 50), Wt(3, 90), Written]);
    // each step: two packets out, then an ACK, and the next packet as early as it may
    for step in 1..4 {
        ops.extend(send(1, 2));
        ops.extend([Ack(1, HOT), Req(1, true), Taken(1, 400), Req(1, false), Wait(step), Repay]);
        ops.extend([Written, Wait(8)]);
        ops.extend(fresh(1));
        ops.push(Cfg("CTRL", ENABLE | SLOTS));
        // asked for the first time in every cycle around its end
        for k in 8..24 {
            ops.extend(send(1, 2));
            ops.extend([Ack(1, HOT), Wait(k), Arrive(1), Taken(1, 400), Req(1, false)]);
            ops.extend(fresh(1));
            ops.push(Cfg("CTRL", ENABLE | SLOTS));
        }
    }
    // a wait of flows without slots, from the first ACK on
    ops.extend([Wt(0, 30), Written]);
    ops.extend(send(2, 1));
    ops.extend([Req(1, true), Taken(2, 400)]);
    for k in 0..6 {
        ops.extend([Ack(1, CLEAN), Wait(26 + k), Taken(1, 400)]);
    }
    ops.extend([Req(1, false), Wt(0, 0), Repay, Written, Wait(8)]);
    // too long a wait, which holds until it is rewritten; or until the ACK is forgotten
    for (long, then) in [(u32::MAX, 9), (d.ird_max + 1, 30), (d.ird_max, 0)] {
        ops.extend(send(1, 2));
        ops.extend([Wt(1, long), Written, Ack(1, HOT), Req(1, true), Wait(4 * most(d)), Wt(1, then)]);
        ops.extend([Written, Taken(1, 400), Req(1, false), Wait(8)]);
        ops.extend(fresh(1));
        ops.push(Cfg("CTRL", ENABLE | SLOTS));
    }
    calm(d, &mut ops);
    ops
}

fn vr5_reset(d: &Dims) -> Vec<Op> {
    let mut ops = start(DYN | SLOTS | RESET_EMPTY, 4);
    ops.extend([Wt(1, 9), Wt(2, 9), Wt(3, 9), Written]);
    // two hot ACKs; the post beside the second of them, which is the last
    for k in 0..8 {
        ops.extend(send(1, 2));
        ops.extend([Ack(1, HOT), Wait(6), Pause, Pause, Pause, Ack(1, HOT)]);
        ops.extend((0..k).map(|_| PostPause));
        ops.extend([Arrive(1), Taken(1, 60), Wait(3), Arrive(1), Wait(3), Repay, Written, Wait(8)]);
        ops.extend([Req(1, false), Wait(12), Post(1), Written, Wait(43)]);
    }
    // with its bits off, without windows, switched off
    for (ctrl, wmax) in [(DYN | SLOTS, 4), (DYN | SLOTS | RESET_EMPTY, 0)] {
        ops.extend(start(DYN | SLOTS | RESET_EMPTY, 4));
        ops.extend(send(1, 2));
        ops.extend([Ack(1, HOT), Ack(1, HOT), Written, Wait(6), Cfg("CTRL", ENABLE | ctrl)]);
        ops.extend([Cfg("WMAX", wmax), Post(1), Written, Wait(3), Cfg("WMAX", 4)]);
        ops.extend([Cfg("CTRL", ctrl | RESET_EMPTY), Post(1), Written, Wait(3)]);
    }
    ops.extend(start(DYN | SLOTS | RESET_EMPTY, 4));
    // packets one by one, each posted
    ops.extend([Network(7, 12), Marks(&[HOT, HOT, CLEAN]), Accept(ALWAYS, 0)]);
    for k in 0..40 {
        ops.extend([Arrive(1), Arrive(2), Wait(5 + k)]);
    }
    ops.extend([Returned, Silent]);
    calm(d, &mut ops);
    ops
}

/// Marks until the lowest rate, then clean ACKs until the full one, but not more than `most`; without delays, so that packets go
/// on.
fn to_and_fro(d: &Dims, law: u32, down: impl Fn(u32) -> u64, up: impl Fn(u32) -> u64) -> Vec<Op> {
    let mut ops = Vec::new();
    for g in 2..=8 {
        ops.extend(start(law | BY_RTT, 4));
        ops.extend([Cfg("RTT_MIN", 0), Cfg("RMIN_EXP", g), Network(3, 3), Marks(&[HOT]), Req(1, true)]);
        // a little, where AIMD recovers slowest
        ops.extend([Taken(2, LONG), Marks(&[CLEAN]), Taken(3, LONG), Marks(&[HOT])]);
        ops.extend([Taken(down(g), LONG), Marks(&[CLEAN]), Taken(up(g), LONG)]);
        // from the middle, in turn; then with a delay
        ops.extend([Marks(&[HOT, CLEAN]), Taken(16, LONG), Cfg("RTT_MIN", 3), Taken(4, 4_000)]);
        ops.extend([Req(1, false), Returned, Silent]);
    }
    calm(d, &mut ops);
    ops
}

fn sr2_lipd(d: &Dims) -> Vec<Op> {
    to_and_fro(d, LIPD, |g| (1 << g) + 4, |g| [9, 20, 48, 115, 270, 625, 1425][g as usize - 2])
}

fn sr2_fimd(d: &Dims) -> Vec<Op> {
    to_and_fro(d, FIMD, |g| u64::from(g) + 6, |g| [9, 15, 26, 49, 95, 187, 371][g as usize - 2])
}

fn sr2_aimd(d: &Dims) -> Vec<Op> {
    to_and_fro(d, AIMD, |g| u64::from(g) + 6, |g| [13, 37, 132, 516, 800, 400, 400][g as usize - 2])
}

fn sr3_delays(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    // three packets a time; warm ACKs move nothing but the time of the last one
    for (link, length) in [(1, 1), (1, 9), (4, 7), (15, 2), (0, 30), (2, 127), (15, 127)] {
        for how in [0, FROM_ACK, BY_RTT, FROM_ACK | BY_RTT] {
            ops.extend(start(LIPD | how, 3));
            ops.extend([Cfg("LINK_INTERVAL", link), Cfg("RTT_MIN", 11), Length(length)]);
            ops.extend(send(1, 2));
            ops.extend([Ack(1, HOT), Ack(1, HOT), Written, Network(5, 40), Marks(&[WARM]), Req(1, true)]);
            let packets = if link * length > 1_000 { 1 } else { 3 };
            ops.extend([Taken(packets, LONG), Req(1, false), Returned, Silent, Wait(most(d))]);
        }
    }
    // asked for the first time in every cycle around the end of its delay of 20, from packet and from ACK; a mark meanwhile
    for how in [0, FROM_ACK] {
        ops.extend(start(LIPD | how | BY_RTT, 4));
        ops.extend([Cfg("RTT_MIN", 20)]);
        for k in 8..26 {
            ops.extend(send(1, 2));
            ops.extend([
                Ack(1, HOT),
                Wait(30),
                Arrive(1),
                Taken(1, 400),
                Req(1, false),
                Wait(1),
                Ack(1, WARM),
            ]);
            ops.extend([Wait(k), Arrive(1), Wait(k % 6), Ack(1, HOT), Taken(1, 400), Req(1, false)]);
            ops.extend(fresh(1));
            ops.push(Cfg("CTRL", ENABLE | LIPD | how | BY_RTT));
        }
    }
    // from the ACK, while the next packet is being sent
    ops.extend(start(LIPD | FROM_ACK | BY_RTT, 3));
    ops.extend([Cfg("RTT_MIN", 2), Length(30), Network(8, 20), Marks(&[HOT, CLEAN]), Req(1, true)]);
    ops.extend([Taken(12, LONG), Req(1, false), Returned, Silent]);
    // less than a cycle: a rate that is nearly the full one
    ops.extend(start(AIMD, 3));
    ops.extend([
        Cfg("RMIN_EXP", 4),
        Network(6, 6),
        Marks(&[HOT, CLEAN, CLEAN]),
        Req(1, true),
        Taken(40, LONG),
    ]);
    ops.extend([Req(1, false), Returned, Silent]);
    // longer than the longest, in every way
    ops.extend(start(LIPD | BY_RTT, 3));
    ops.extend([Cfg("RTT_MIN", 65535), Network(4, 4), Marks(&[HOT]), Req(1, true), Taken(1, 200), Wait(40)]);
    ops.extend([Cfg("RTT_MIN", 0), Taken(260, LONG), Cfg("RTT_MIN", 65535), Wait(3 * most(d))]);
    ops.extend([Cfg("CTRL", ENABLE | LIPD | FROM_ACK | BY_RTT), Wait(3 * most(d)), Req(1, false)]);
    ops.extend([Cfg("RTT_MIN", 0), Returned, Silent, Wait(3 * most(d)), Repay, Written, Wait(8)]);
    // forgotten: a flow that was silent for long
    for how in [0, FROM_ACK] {
        ops.extend(start(FIMD | how | BY_RTT, 3));
        ops.extend([Cfg("RTT_MIN", 200)]);
        ops.extend(send(1, 2));
        ops.extend([Ack(1, HOT), Ack(1, HOT), Written, Wait(3 * most(d)), Arrive(1), Taken(1, 900)]);
        ops.extend([Req(1, false), Wait(8)]);
    }
    calm(d, &mut ops);
    ops
}

fn h5_gates(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 255);
    ops.extend([OneSl, Written, Accept(0, ALWAYS), Network(9, 9)]);
    for k in 0..6 {
        // stopped k cycles after it began to ask: before, in the visit, in the offer; and without credit
        ops.extend([Req(1, true), Wait(k), Stop(1, true), Wait(10), Stop(1, false), Wait(10)]);
        ops.extend([Req(1, false), Wait(8), Req(1, true), Wait(k), Credit(0xfffe), Wait(10), Credit(0xffff)]);
        ops.extend([Wait(10), Req(1, false), Wait(8)]);
    }
    // taken in the cycle in which it is stopped
    ops.extend([Req(1, true), Offered(20), Wait(2), Stop(1, true), Accept(ALWAYS, ALWAYS), Wait(1)]);
    ops.extend([Accept(0, ALWAYS), Stop(1, false), Offered(20), Credit(0), Accept(ALWAYS, ALWAYS), Wait(11)]);
    // no credit at all, then some
    ops.extend([ReqAll(true), Wait(30), Credit(1), Taken(5, 200), Credit(0), Wait(20), Credit(0xffff)]);
    // switched off: no window; stops in the visit
    ops.extend([Cfg("WMAX", 1), Taken(6, 200), Cfg("CTRL", 0), Taken(10, 200)]);
    for k in 0..6 {
        ops.extend([ReqAll(false), Wait(8), Req(1, true), Wait(k), Stop(1, true), Wait(9), Stop(1, false)]);
    }
    ops.extend([Cfg("CTRL", ENABLE), Taken(6, 200), ReqAll(false), Wait(20), Returned, Silent]);
    calm(d, &mut ops);
    ops
}

fn h5_time(d: &Dims) -> Vec<Op> {
    let most = most(d);
    let mut ops = Vec::new();
    for how in [0, FROM_ACK] {
        ops.extend(start(LIPD | how | BY_RTT, 4));
        ops.extend([Cfg("RTT_MIN", 60), Length(2)]);
        ops.extend(send(1, 2));
        ops.extend([Ack(1, HOT), Ack(1, HOT), Written, Network(6, 6), Marks(&[WARM])]);
        // the flow asks after silences of all lengths around the time of forgetting
        for part in 1..16 {
            ops.extend([Req(1, true), Taken(1, 2_000), Req(1, false), Wait(most * part / 5)]);
        }
        // it asks all the time while time goes round
        ops.extend([Req(1, true), Req(2, true), Wait(9 * most), ReqAll(false), Returned, Silent]);
    }
    // ageing meets the accepted offers of others
    ops.extend(start(0, 4));
    ops.push(Network(6, 6));
    for k in 0..20 {
        ops.extend([Req(2, true), Taken(1, LONG), ReqAll(true), Req(2, false), Wait(most + 3 * k + 40)]);
        ops.push(ReqAll(false));
    }
    ops.extend([Returned, Silent]);
    calm(d, &mut ops);
    ops
}

fn h8_turns(d: &Dims) -> Vec<Op> {
    let n = (d.flows / 2).min(16);
    let all = d.flows as u64;
    // half of the flows hear of nothing and are closed; the others go on in turn
    let mut ops = start(0, 2);
    // (one of those that go on asks first, for the sake of a checker that looks at one flow at a time)
    ops.extend([OneSl, Network(12, 12), Deaf(true), Written, Accept(0, ALWAYS), Req(2, true)]);
    ops.extend([Wait(d.flows as u32 + 4), Accept(ALWAYS, ALWAYS), ReqAll(true)]);
    ops.extend([Taken(2 * all, 60 * LONG), Taken(2 * all, 60 * LONG), ReqAll(false), Wait(20), Deaf(false)]);
    ops.extend([Returned, Repay, Written, Wait(8)]);
    // a packet each; the lower of two behind the higher; offers wait
    ops.extend([Accept(ALWAYS, 0), ReqAll(true), Taken(all, LONG), Wait(20), Accept(ALWAYS, ALWAYS)]);
    ops.extend([Req(3, true), Req(1, true), Taken(6, LONG), Accept(chance(0.03), ALWAYS), Taken(6, LONG)]);
    // SLs of two lanes; SLs of one
    ops.extend([Accept(ALWAYS, ALWAYS), Attr(1, 2), Attr(3, 1), Attr(4, 5), Written, ReqAll(true)]);
    ops.extend([Taken(3 * all, LONG), ReqAll(false), Wait(9)]);
    // stopped and let go for a packet or two, beside others: they go in turn
    ops.extend([OneSl, Written]);
    ops.extend((0..n).chain(d.flows - n..d.flows).map(|f| Req(f, true)));
    for round in 0..12 {
        ops.extend((0..n).map(|f| Stop(f, true)));
        ops.push(Taken(n as u64, LONG));
        ops.extend((0..n).map(|f| Stop(f, false)));
        ops.push(Taken(1 + round / 8, LONG));
    }
    // a flow that asked before all others did goes in turn, though none of them has to wait
    ops.extend([ReqAll(false), Wait(9), Cfg("WMAX", 0)]);
    ops.extend(send(2, 1));
    ops.extend([Credit(0), Req(1, true), Wait(d.flows as u32 + 4), ReqAll(true), Credit(0xffff)]);
    ops.extend([Taken(all.min(8) * 5, LONG), ReqAll(false), Wait(9), Cfg("WMAX", 2)]);
    // delays end under the walk
    ops.extend([Returned, Cfg("CTRL", ENABLE | SLOTS), Wt(1, 90), Wt(2, 120), Wt(3, 150)]);
    ops.extend([Marks(&[HOT]), Written, ReqAll(true), Taken(2 * all, LONG), Wait(400), ReqAll(false)]);
    ops.extend([Returned, Silent]);
    calm(d, &mut ops);
    ops
}
