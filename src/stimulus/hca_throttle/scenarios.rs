//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen.

use super::script::{Dims, Op};
use crate::params::UnitKind;
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;

use Op::{
    Accept, Attr, Becn, BecnAny, Cct, Cfg, Credit, Length, Offered, OneSl, Pace, Pause, Raw, ReadAll, Req,
    ReqAll, Rude, Stop, Table, Taken, Wait, Written,
};

/// CTRL bits.
const ENABLE: u32 = 1;
const SL_MODE: u32 = 2;
const PER_SL: u32 = 4;
const RESTART: u32 = 8;
const ABS: u32 = 16;

/// Longest wait for something that is sure to come.
const LONG: u32 = 30_000;

scenario_table! {
    UnitKind::HcaThrottle, Dims, Op;
    c1_read_back "c1-read-back" "C1" "every register is read after every write";
    h3_limit "h3-limit" "H3" "notifications raise an index to its limit, and beyond a limit that was lowered";
    h3_back_to_back "h3-back-to-back" "H3" "notifications of one flow in consecutive cycles, two apart, around its sweep";
    h3_restart "h3-restart" "H3" "a later notification restarts a running timer, or not";
    h3_errors "h3-errors" "H3 H6 H7" "addresses that are not there, packets of no length; errors are cleared";
    h4_flow_timer "h4-flow-timer" "H4" "the index of a flow decays to CCTI_Min; one below it is lifted; timer 0";
    h4_sl_timer "h4-sl-timer" "H4" "one timer steps all flows of an SL; it stops when nothing is left to decay";
    h4_sl_races "h4-sl-races" "H4 H3" "notifications and sweeps in the cycle in which an SL's timer expires";
    h4_periods "h4-periods" "H4" "the period shortened, a pause, switched off and on: no index jumps, all decay";
    h4_min "h4-min" "H4 H3" "CCTI_Min raised, lowered, above the limit: every index comes to it, in every mode";
    h4_tick_wrap "h4-tick-wrap" "H4" "timers that run while the tick counter wraps (300,000 cycles)";
    h4_every_bit "h4-every-bit" "H4" "timers and ticks of 1, 2, 4 ... 32768: each bit of their comparisons (400,000 cycles)";
    h5_spacing "h5-spacing" "H5 H6" "one flow with always another packet: its delays at each index";
    h5_slow_host "h5-slow-host" "H5 H6" "a flit every 4 cycles and a delay of 96; then a host faster than the link, or out of order";
    h5_gates "h5-gates" "H5 H8" "stops and credits before, during and after an offer";
    h5_time_wrap "h5-time-wrap" "H5" "flows silent for longer than time stamps can tell";
    h5_ageing "h5-ageing" "H5" "one flow sends at every constant period, the others are silent: all of these are forgotten in time";
    h5_disabled "h5-disabled" "H5" "the unit switched off: no delays";
    h6_formats "h6-formats" "H6" "shift and multiplier, absolute time, truncation, the longest delay";
    h7_sl_mode "h7-sl-mode" "H7" "the index belongs to the SL: one flow's notification delays the others";
    h8_round_robin "h8-round-robin" "H8" "all flows are served in turn";
    h8_yield "h8-yield" "H8 H5" "flows of a tree are stopped and let go for a packet or two, beside others: they go in turn";
    h8_shared_delay "h8-shared-delay" "H8 H7" "seven flows of an SL at a delay of 40: all get the same, whatever the period";
    h8_blocked "h8-blocked" "H8 H5" "all flows but one have long delays; the one keeps the link";
    h8_slow_link "h8-slow-link" "H8 H6" "offers wait for a slow link, and are withdrawn";
    ecocc_fig6_hca "ecocc-fig6-hca" "H3 H4 H5" "EcoCC fig. 6, HCA 0: notifications slow flow 3 down, the others go on, it recovers (events 9, 10)";
}

/// A fast tick, no flow asks, the indices decay at once.
fn calm(d: &Dims, ops: &mut Vec<Op>) {
    ops.extend([ReqAll(false), Accept(ALWAYS, ALWAYS), Length(d.mtu), Credit(0xffff), Written]);
    ops.extend([Pace(1, ALWAYS), Rude(0, 0)]);
    ops.extend((0..d.flows).map(|f| Stop(f, false)));
    // the flows' timers take the indices down to 0
    ops.extend([Cfg("CCTI_MIN", 0), Cfg("CCTI_TIMER", 1), Cfg("TICK_CYCLES", 1), Cfg("CTRL", ENABLE)]);
    ops.push(Wait(8 * d.entities as u32));
}

fn start(ctrl: u32, timer: u32, tick: u32) -> Vec<Op> {
    vec![
        Cfg("CTRL", ENABLE | ctrl),
        Cfg("CCTI_TIMER", timer),
        Cfg("TICK_CYCLES", tick),
        Cfg("LINK_INTERVAL", 1),
        Cfg("CCTI_INCREASE", 1),
        Cfg("CCTI_MIN", 0),
        Cfg("CCTI_LIMIT", 0x3fff),
    ]
}

fn c1_read_back(d: &Dims) -> Vec<Op> {
    // a flow that is not there is an error
    let mut ops = vec![BecnAny(0xffff), Wait(5), ReadAll];
    for pattern in PATTERNS {
        ops.extend(registers(UnitKind::HcaThrottle).map(|r| Cfg(r.name, pattern)));
        ops.extend([Raw(128, pattern), Written, ReadAll]);
    }
    ops.extend(start(0, 0, 1));
    calm(d, &mut ops);
    ops
}

fn h3_limit(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 0, 1);
    ops.extend([Cfg("CCTI_LIMIT", 5), Cfg("CCTI_INCREASE", 2)]);
    ops.extend((0..4).flat_map(|_| [Becn(1), Wait(9)]));
    ops.extend([
        Cfg("CCTI_LIMIT", 3),
        Becn(1),
        Wait(9),
        Cfg("CCTI_LIMIT", d.cct as u32),
        Cfg("CCTI_INCREASE", 255),
    ]);
    ops.extend([Becn(1), Wait(9), Cfg("CCTI_INCREASE", 0), Becn(1), Wait(9)]);
    calm(d, &mut ops);
    ops
}

fn h3_back_to_back(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 50, 1);
    ops.extend([Becn(2), Becn(2), Becn(2), Pause, Becn(2), Pause, Becn(2), Written, Wait(5)]);
    ops.extend([Becn(1), Becn(2), Becn(1), Becn(2), Written, Wait(5)]);
    // over a whole turn of the sweep, so that it is met at every distance: a notification every third cycle
    ops.extend((0..d.entities).flat_map(|_| [Becn(0), Pause, Pause]));
    ops.push(Written);
    ops.extend((0..d.entities).flat_map(|_| [Becn(3), Becn(3), Pause]));
    ops.push(Written);
    calm(d, &mut ops);
    ops
}

fn h3_restart(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    // a timer longer than a turn of the sweep
    let timer = 2 * d.entities as u32;
    for mode in [0, RESTART, PER_SL, PER_SL | RESTART] {
        ops.extend(start(mode, timer, 1));
        ops.extend([
            OneSl,
            Written,
            Becn(0),
            Wait(timer / 2),
            Becn(0),
            Wait(timer / 4),
            Becn(0),
            Wait(4 * timer),
        ]);
        calm(d, &mut ops);
    }
    ops
}

fn h3_errors(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 1, 1);
    let clear = [Wait(4), Cfg("ERR_CLEAR", 1), Wait(4)];
    for bad in [BecnAny(d.flows as u16), BecnAny(65535), Cct(d.cct as u16, 1), Cct(65535, 2)] {
        ops.push(bad);
        ops.extend(clear.clone());
    }
    ops.extend([Attr(d.flows as u16, 1), Wait(4), Cfg("ERR_CLEAR", 0xffff), Attr(65535, 1), Wait(3)]);
    // an error in the cycle of the clear
    ops.extend([BecnAny(d.flows as u16), Cfg("ERR_CLEAR", 1), Wait(3), Cfg("ERR_CLEAR", 1), Wait(3)]);
    // a packet of no length counts as one flit
    ops.extend([
        Length(0),
        Req(1, true),
        Taken(2, 100),
        Req(1, false),
        Cfg("ERR_CLEAR", 2),
        Wait(5),
        Raw(200, 77),
    ]);
    calm(d, &mut ops);
    ops
}

fn h4_flow_timer(d: &Dims) -> Vec<Op> {
    let turn = d.entities as u32;
    let mut ops = start(0, 3, 2);
    ops.extend((0..5).map(|_| Becn(1)));
    ops.extend([Written, Wait(8 * turn), Cfg("CCTI_MIN", 3)]);
    // stops at Min
    ops.extend((0..5).map(|_| Becn(1)));
    ops.extend([Written, Wait(8 * turn), Cfg("CCTI_MIN", 5), Becn(1), Written, Wait(4 * turn)]);
    // below Min: only the increase applies, the expiry lifts it
    ops.extend([Cfg("CCTI_MIN", 0), Wait(10 * turn), Cfg("CCTI_MIN", 6), Becn(2), Written, Wait(4 * turn)]);
    // timer 0: it never decays
    ops.extend([Cfg("CCTI_MIN", 0), Cfg("CCTI_TIMER", 0), Becn(2), Written, Wait(4 * turn)]);
    // a storm holds the sweep for more than 128 periods; then BECNs faster than the sweep, with an expiry due each
    ops.extend([Cfg("CCTI_TIMER", 1), Cfg("TICK_CYCLES", 1), Wait(3 * turn), Becn(1), Becn(1)]);
    ops.extend((0..300).map(|_| Becn(0)));
    ops.extend([Written, Wait(4 * turn)]);
    ops.extend((0..40).flat_map(|_| [Becn(1), Wait(5)]));
    // the tick counter is caught behind its end
    ops.extend([
        Cfg("TICK_CYCLES", 50),
        Wait(67),
        Cfg("TICK_CYCLES", 3),
        Wait(60),
        Cfg("TICK_CYCLES", 60),
        Wait(58),
    ]);
    ops.extend([Cfg("TICK_CYCLES", 0), Wait(20)]);
    calm(d, &mut ops);
    ops
}

fn h4_sl_timer(d: &Dims) -> Vec<Op> {
    let turn = d.entities as u32;
    let mut ops = start(PER_SL, turn / 2, 1);
    ops.extend([OneSl, Written]);
    for f in 0..4 {
        ops.extend((0..6).map(|_| Becn(f)));
    }
    ops.extend([Written, Wait(8 * turn)]);
    // steps between two visits; more steps than there is to decay; the counter of steps wraps
    ops.extend([Cfg("CCTI_TIMER", 1)]);
    ops.extend((0..3).map(|_| Becn(0)));
    ops.push(Written);
    ops.extend((0..700).map(|_| Becn(1)));
    ops.extend([Written, Wait(4 * turn)]);
    // switched off in the cycle of a step; the SL of a flow with steps to take is rewritten
    ops.extend([Becn(0), Becn(0), Written, Wait(3), Cfg("CCTI_TIMER", 1), Cfg("CCTI_TIMER", turn / 2)]);
    ops.push(Wait(3 * turn));
    ops.extend((0..6).map(|_| Becn(0)));
    ops.extend([Written, Wait(turn), Attr(0, 5), Wait(turn / 2), Attr(0, 6), Wait(8 * turn)]);
    // the last entity of a sweep, alone in its SL: a flow, and an SL
    ops.extend([Attr(d.flows as u16 - 1, 15), Written]);
    for mode in [PER_SL | SL_MODE, PER_SL] {
        ops.extend([Cfg("CTRL", ENABLE | mode), Wait(2 * turn), Cfg("CCTI_MIN", 3), Wait(4 * turn)]);
        ops.extend([Cfg("CCTI_MIN", 0), Wait(4 * turn)]);
    }
    ops.extend([OneSl, Cfg("CCTI_TIMER", 1), Written]);
    // so many steps that their counter wraps
    ops.extend((0..8_800).flat_map(|k| [Becn(k % 5), Wait(2)]));
    ops.push(Written);
    // all flows of the SL, read by visits
    ops.extend([Table(|i| i as u16), ReqAll(true), Written, Wait(2 * turn), ReqAll(false), Wait(4 * turn)]);
    calm(d, &mut ops);
    ops
}

fn h4_sl_races(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for mode in [PER_SL, PER_SL | RESTART] {
        ops.extend(start(mode, 12, 1));
        ops.extend([OneSl, Written]);
        // many flows in a row to decay: the sweep meets every expiry
        ops.extend((0..d.flows.min(64)).map(Becn));
        ops.push(Written);
        ops.extend((0..d.entities / 10 + 10).flat_map(|_| [Becn(0), Wait(10)]));
        ops.push(Wait(200));
        // a second notification comes 8 to 17 cycles after the first; and one in the cycle in which the timer stops
        for later in 8..18 {
            ops.extend([Becn(0), Wait(later), Becn(1), Wait(200)]);
            ops.extend([Becn(0), Wait(later), Becn(1), Wait(12), Becn(1), Wait(11), Becn(1), Wait(200)]);
        }
        // it stops once the sweep finds nothing to decay
        ops.extend([Cfg("CCTI_INCREASE", 0), Wait(400)]);
        for later in 8..18 {
            ops.extend([Becn(0), Wait(12 + later), Becn(1), Wait(100)]);
        }
        calm(d, &mut ops);
    }
    ops
}

fn h4_tick_wrap(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 2000, 1);
    // a notification every 1500 cycles keeps timers running, for more than 2^18 ticks
    ops.extend((0..190).flat_map(|k| [Becn(k % 3), Becn(k % d.flows), Wait(1500)]));
    calm(d, &mut ops);
    ops
}

fn h4_every_bit(d: &Dims) -> Vec<Op> {
    let turn = d.entities as u32;
    let mut ops = Vec::new();
    ops.extend(start(0, 1, 1));
    ops.extend((0..16).flat_map(|k| [Cfg("CCTI_TIMER", 1 << k), Becn(k % 3), Wait((1 << k) + 2 * turn)]));
    // the timers of all SLs
    ops.extend(start(PER_SL, 1, 1));
    for k in 0..16 {
        ops.push(Cfg("CCTI_TIMER", 1 << k));
        ops.extend(each_sl(d));
        ops.push(Wait((1 << k) + 2 * turn));
    }
    // a tick of each length, and one that ends only when all bits are equal
    let ticks = (0..16).map(|k| 1 << k).chain([0xffff]);
    ops.extend(ticks.flat_map(|n| [Cfg("TICK_CYCLES", n), Wait(n + 3)]));
    // timers that end only when all bits are equal
    for mode in [0, PER_SL] {
        ops.extend(start(mode, 0xffff, 1));
        ops.extend(each_sl(d));
        ops.push(Wait(0xffff + 2 * turn));
    }
    calm(d, &mut ops);
    ops
}

/// A notification of every SL, whatever the flows.
fn each_sl(d: &Dims) -> Vec<Op> {
    (0..16).flat_map(|sl| [Attr((sl % d.flows) as u16, sl as u8), Becn(sl)]).collect()
}

fn h4_periods(d: &Dims) -> Vec<Op> {
    let turn = d.entities as u32;
    // longer than a sweep: a step each time
    let period = turn + 16;
    let mut ops = Vec::new();
    for mode in [0, RESTART, PER_SL, SL_MODE, SL_MODE | PER_SL] {
        ops.extend(start(mode, period, 1));
        ops.extend([OneSl, Attr(1, 3), Cfg("CCTI_INCREASE", 3), Written, Wait(2 * turn)]);
        let on = Cfg("CTRL", ENABLE | mode);
        for [off, on] in [
            [Cfg("CCTI_TIMER", 0), Cfg("CCTI_TIMER", period)],
            [Cfg("CCTI_TIMER", 0xffff), Cfg("CCTI_TIMER", period)],
            [Cfg("CTRL", mode), on],
        ] {
            ops.extend([Becn(0), Becn(1), Becn(2), Written, Wait(period + turn / 4), off]);
            ops.extend([Wait(4 * period), on, Wait(9 * period)]);
        }
    }
    ops
}

fn h4_min(d: &Dims) -> Vec<Op> {
    let turn = d.entities as u32;
    let mut ops = Vec::new();
    for mode in [0, PER_SL, SL_MODE, SL_MODE | PER_SL] {
        ops.extend(start(mode, 2, 1));
        ops.extend([OneSl, Written, Wait(2 * turn), Cfg("CCTI_MIN", 5), Wait(2 * turn)]);
        // below Min; all come to it
        ops.extend([Becn(1), Written, Wait(3 * turn), Cfg("CCTI_LIMIT", 3), Wait(3 * turn)]);
        ops.extend([Cfg("CCTI_LIMIT", 0x3fff), Cfg("CCTI_MIN", 0), Wait(4 * turn)]);
    }
    ops
}

fn h5_slow_host(d: &Dims) -> Vec<Op> {
    let mut ops = start(ABS, 0, 1);
    ops.extend([Table(|_| 96), Length(8), Pace(4, ALWAYS), Written, Req(1, true), Req(2, true)]);
    ops.extend([Becn(1), Becn(2), Taken(20, LONG)]);
    // faster than the link, and now and then slower
    ops.extend([Cfg("LINK_INTERVAL", 6), Pace(1, ALWAYS), Taken(10, LONG), Cfg("LINK_INTERVAL", 2)]);
    ops.extend([Pace(1, chance(0.2)), Taken(10, LONG), Pace(1, ALWAYS), Cct(0, 0), Req(3, true)]);
    // the next packet before the last one is sent; sent without a packet
    ops.extend([Rude(chance(0.5), chance(0.2)), Taken(60, LONG), Rude(0, 0)]);
    calm(d, &mut ops);
    ops
}

fn h5_spacing(d: &Dims) -> Vec<Op> {
    let mut ops = start(ABS, 0, 1);
    ops.extend([Table(|i| (4 * i) as u16), Length(10), Written, Req(1, true)]);
    for _ in 0..10 {
        ops.extend([Taken(6, LONG), Becn(1), Written, Wait(6)]);
    }
    ops.push(Req(1, false));
    calm(d, &mut ops);
    ops
}

fn h5_gates(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 1, 1);
    ops.extend([OneSl, Written, Accept(0, ALWAYS)]);
    for k in 0..6 {
        // stopped k cycles after it began to ask: before, in the visit, in the offer
        ops.extend([
            Req(1, true),
            Wait(k),
            Stop(1, true),
            Wait(10),
            Stop(1, false),
            Wait(10),
            Req(1, false),
            Wait(8),
        ]);
        ops.extend([
            Req(1, true),
            Wait(k),
            Credit(0xfffe),
            Wait(10),
            Credit(0xffff),
            Wait(10),
            Req(1, false),
            Wait(8),
        ]);
    }
    // taken in the cycle in which it is stopped
    ops.extend([
        Req(1, true),
        Offered(20),
        Wait(2),
        Stop(1, true),
        Accept(ALWAYS, ALWAYS),
        Wait(1),
        Accept(0, ALWAYS),
    ]);
    ops.extend([Stop(1, false), Offered(20), Credit(0), Accept(ALWAYS, ALWAYS), Wait(1), Wait(10)]);
    // no credit at all, then some
    ops.extend([ReqAll(true), Wait(30), Credit(1), Taken(5, 200), Credit(0), Wait(20)]);
    calm(d, &mut ops);
    ops
}

fn h5_time_wrap(d: &Dims) -> Vec<Op> {
    // short of a wrap for wide time stamps: those need millions of cycles
    let most = d.ird_max.min(256);
    let mut ops = start(ABS, 0, 1);
    ops.extend([Table(|i| (i * 20) as u16), Length(2), Written, Becn(1), Becn(1), Becn(1), Written]);
    // the flow asks after silences of all lengths around the ageing time
    for part in 1..16 {
        ops.extend([Req(1, true), Taken(1, LONG), Req(1, false), Wait(most * part / 5)]);
    }
    // it asks all the time while time goes round
    ops.extend([Req(1, true), Req(2, true), Wait(5 * most), ReqAll(false)]);
    // ageing meets the accepted offers of others
    for k in 0..20 {
        ops.extend([
            Req(2, true),
            Taken(1, LONG),
            ReqAll(true),
            Req(2, false),
            Wait(most + 3 * k + 40),
            ReqAll(false),
        ]);
    }
    calm(d, &mut ops);
    ops
}

fn h5_ageing(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 0, 1);
    // wide time stamps take millions of cycles to age: a few periods without
    let (lengths, wait) =
        if d.ird_max > 256 { (1..3, 50) } else { (1..33, d.ird_max + 6 * d.entities as u32) };
    for length in lengths {
        ops.extend([Length(length), Accept(ALWAYS, 0), ReqAll(true)]);
        ops.extend([Taken(d.flows as u64, LONG), ReqAll(false), Accept(ALWAYS, ALWAYS)]);
        ops.extend([Req(d.flows - 1, true), Wait(wait), ReqAll(false), Wait(length)]);
    }
    calm(d, &mut ops);
    ops
}

fn h5_disabled(d: &Dims) -> Vec<Op> {
    let mut ops = start(ABS, 0, 1);
    ops.extend([Table(|_| 200), Written, Becn(1), Becn(2), Written, Req(1, true), Req(2, true), Wait(500)]);
    ops.extend([Cfg("CTRL", 0), Wait(100), Becn(1), Wait(20), Cfg("CTRL", ENABLE | ABS), Wait(500)]);
    calm(d, &mut ops);
    ops
}

fn h6_formats(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 0, 1);
    ops.extend([Becn(1), Written, Req(1, true)]);
    // entry, then three packets of 8 flits each
    for e in [0, 5, 1 << 14 | 5, 2 << 14 | 5, 3 << 14 | 5, 3 << 14] {
        ops.extend([Cct(1, e), Length(8), Written, Taken(3, LONG)]);
        // too short for an eighth
        ops.extend([Length(7), Taken(3, LONG)]);
    }
    ops.extend([Cfg("LINK_INTERVAL", 3), Cct(1, 2), Written, Taken(3, LONG), Cfg("LINK_INTERVAL", 0)]);
    ops.extend([Cfg("CTRL", ENABLE | ABS), Cct(1, 100), Written, Taken(3, LONG)]);
    // the longest delay, as far as a run can tell
    ops.extend([
        Cfg("CTRL", ENABLE),
        Cct(1, 0),
        Length(127),
        Cfg("LINK_INTERVAL", 15),
        Written,
        Taken(2, LONG),
    ]);
    ops.extend([Cct(1, 0x3fff), Written, Wait(3 * d.ird_max.min(256)), Cct(1, 0), Written, Taken(2, LONG)]);
    calm(d, &mut ops);
    ops
}

fn h7_sl_mode(d: &Dims) -> Vec<Op> {
    let turn = d.entities as u32;
    let mut ops = start(SL_MODE | ABS, 3 * turn, 1);
    ops.extend([OneSl, Attr(0, 2), Attr(1, 2), Table(|i| (30 * i).min(65535) as u16), Written]);
    ops.extend([
        Becn(0),
        Becn(0),
        Attr(3, 2),
        Becn(3),
        Attr(3, 0),
        Becn(3),
        Written,
        ReqAll(true),
        Wait(20 * turn),
        ReqAll(false),
    ]);
    // with a timer per SL too
    ops.extend([
        Cfg("CTRL", ENABLE | SL_MODE | PER_SL | ABS),
        Becn(0),
        Becn(1),
        Written,
        ReqAll(true),
        Wait(8 * turn),
    ]);
    ops.extend([ReqAll(false), Wait(8 * turn), Cfg("CTRL", ENABLE), Wait(2 * turn)]);
    calm(d, &mut ops);
    // the SLs' indices decay in their own mode
    ops.extend([Cfg("CTRL", ENABLE | SL_MODE), Wait(4 * turn), Cfg("CTRL", ENABLE)]);
    ops
}

fn h8_round_robin(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 1, 1);
    ops.extend([Length(1), Written, ReqAll(true), Taken(3 * d.flows as u64, LONG), ReqAll(false), Wait(20)]);
    // a packet each: the last ones of a round
    ops.extend([Accept(ALWAYS, 0), ReqAll(true), Taken(d.flows as u64, LONG), Wait(20)]);
    // the lower of two behind the higher
    ops.extend([Accept(ALWAYS, ALWAYS), Req(3, true), Req(1, true), Taken(6, LONG)]);
    calm(d, &mut ops);
    ops
}

fn h8_shared_delay(d: &Dims) -> Vec<Op> {
    let flows = d.flows.min(7);
    let mut ops = start(SL_MODE | ABS, 0, 1);
    ops.extend([OneSl, Table(|_| 40), Length(1), Becn(0), Written]);
    ops.extend((0..flows).map(|f| Req(f, true)));
    ops.push(Taken(20 * flows as u64, LONG));
    // two SLs of a lane, then all of one lane
    ops.extend([Attr(1, 2), Attr(3, 2), Written, Taken(20 * flows as u64, LONG)]);
    calm(d, &mut ops);
    ops
}

fn h8_yield(d: &Dims) -> Vec<Op> {
    let n = (d.flows / 2).min(16);
    let mut ops = start(0, 1, 1);
    ops.extend([OneSl, Length(1), Written]);
    ops.extend((0..n).chain(d.flows - n..d.flows).map(|f| Req(f, true)));
    for round in 0..12 {
        ops.extend((0..n).map(|f| Stop(f, true)));
        ops.push(Taken(n as u64, LONG));
        ops.extend((0..n).map(|f| Stop(f, false)));
        ops.push(Taken(1 + round / 8, LONG));
    }
    calm(d, &mut ops);
    ops
}

fn h8_blocked(d: &Dims) -> Vec<Op> {
    let mut ops = start(ABS, 0, 1);
    ops.extend([OneSl, Table(|i| if i > 0 { 60_000 } else { 0 }), Length(32)]);
    ops.extend((1..d.flows).map(Becn));
    ops.extend([Written, Wait(3), ReqAll(true), Taken(d.flows as u64 + 2, 60 * LONG), Taken(200, LONG)]);
    calm(d, &mut ops);
    ops
}

fn h8_slow_link(d: &Dims) -> Vec<Op> {
    let mut ops = start(0, 1, 1);
    ops.extend([Cfg("LINK_INTERVAL", 4), Accept(chance(0.03), ALWAYS), ReqAll(true), Taken(10, LONG)]);
    ops.extend([Accept(0, ALWAYS), Offered(50), Wait(30), ReqAll(false), Wait(10), Cfg("LINK_INTERVAL", 1)]);
    calm(d, &mut ops);
    ops
}

fn ecocc_fig6_hca(d: &Dims) -> Vec<Op> {
    let turn = d.entities as u32;
    let mut ops = start(ABS | RESTART, 4 * turn, 1);
    // delays of 40 cycles an entry
    ops.extend([Table(|i| (40 * i).min(65535) as u16), Length(4), Written]);
    // flow 3 goes to the congested node, flow 1 elsewhere
    ops.extend([Req(1, true), Req(3, true), Taken(8, LONG)]);
    // event 9: notifications; event 10: flow 1 goes on, flow 3 waits
    ops.extend((0..4).flat_map(|_| [Becn(3), Written, Wait(30)]));
    ops.push(Taken(20, LONG));
    // a stop from the switch (its HPQ is full), then go
    ops.extend([Stop(3, true), Taken(6, LONG), Stop(3, false)]);
    // no more notifications: it recovers
    ops.extend([Wait(40 * turn), Taken(8, LONG)]);
    calm(d, &mut ops);
    ops
}
