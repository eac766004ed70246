//! The directed scenarios. Each is a list of operations; a test runs it on the golden model and names what must happen.

use super::around::{ALL, LONG, RTT_COMP, SPEC_OFF, SRP_EN, calm, chunk, on, start};
use super::losing::{
    q14_merge, q15_walkin, q21_fast, q21_inorder, q22_hasty, q22_late, q22_losses, q22_reset, q22_sources,
};
use super::script::{Dims, Op};
use super::world::{ACK, Fate, GRANT, IDS, NACK, Wait as Waiting};
use crate::params::UnitKind;
use crate::params::lanes::ID_BITS;
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::reads::{PATTERNS, registers};
use crate::stimulus::table::scenario_table;

use Op::{
    Answer, Answered, Asked, Attr, BeforeWrap, Brings, Cfg, Damage, EndOne, Ends, Fates, Inj, Link, NoPost,
    NoReply, NoRin, Offered, Out, Post, PostPsn, Quiet, Raw, ReadAll, Reply, Res, ResOffered, Rin, RinOne,
    Room, Rude, Stay, Taken, Trip, Wait, Waits, Written,
};

scenario_table! {
    UnitKind::Reservation, Dims, Op;
    c1_read_back "c1-read-back" "C1" "every register and counter is read after every write";
    b3_errors "b3-errors" "B3 Q10 Q12 Q13 Q14 Q16 Q20" "flows that are not there, messages, replies and RES that cannot be; errors are cleared";
    q10_schedule "q10-schedule" "Q10 Q11" "RES back to back, and in every cycle around that in which T passes";
    q10_registers "q10-registers" "Q10" "EPS and RX_INTERVAL at both ends";
    q10_far "q10-far" "Q10" "RES until T is too far ahead, and until it is near again";
    q10_wrap "q10-wrap" "Q10 Q18" "`now` wraps with T ahead, with flows in WAIT";
    q12_replies "q12-replies" "Q12" "RES and last flits both in every cycle, replies that leave slowly, in bursts, not at all";
    q12_turns "q12-turns" "Q12 Q13" "a RES and a last flit in every order, with one reply's room";
    q14_messages "q14-messages" "Q14" "a flow's FIFO filled to the last and beyond, posts beside the op that takes its head";
    q15_chunks "q15-chunks" "Q15" "messages of all lengths about one and two chunks, with NMAX_RUN at and beyond its ends";
    q15_run_moves "q15-run-moves" "Q15" "NMAX_RUN changed in every cycle of a chunk";
    q15_bypass "q15-bypass" "Q15" "messages without reservation, in pieces; those of NMIN packets and one less";
    q15_numbers "q15-numbers" "Q15" "8200 chunks of one flow: their numbers wrap; so do PSNs";
    q16_races "q16-races" "Q16 Q18" "GRANT, ACKs and NACKs in every order, before and after due";
    q16_in_a_row "q16-in-a-row" "Q16 Q19" "all replies of a chunk in successive cycles";
    q16_early "q16-early" "Q16" "chunks done before their time, which ask again at once";
    q16_spec_off "q16-spec-off" "Q16" "nothing is speculative";
    q16_stale "q16-stale" "Q16" "replies for other chunks, packets and states";
    q17_requests "q17-requests" "Q17" "all flows ask, RES leave slowly";
    q18_waits "q18-waits" "Q18" "waits about the round trip, 0, too long, with and without rtt_comp";
    q19_b_waits "q19-b-waits" "Q19" "replies in every cycle while a B waits, of its flow and of others, the GRANT among them";
    q19_turns "q19-turns" "Q19" "all flows with all classes of ops, with replies in between";
    q20_lanes "q20-lanes" "Q20" "granted packets on all lanes, with room on some";
    q20_room "q20-room" "Q20" "speculative packets and granted ones, with room for one of both, by the link's credits or not; offers that wait";
    q14_merge "q14-merge" "Q14" "messages that wait become one; those that do not, for all causes";
    q15_walkin "q15-walkin" "Q15" "packets without reservation beside RES, until T is far ahead";
    q21_fast "q21-fast" "Q21" "granted time for packets whose ACKs are late or lost";
    q21_inorder "q21-inorder" "Q21" "chunks that become due while answers are out; packets that come in and out of order, passes, PSNs that wrap, sources that were reset";
    q22_reset "q22-reset" "Q22" "what flows do first after a reset: they wait, and ask for their number";
    q22_losses "q22-losses" "Q22" "replies that are lost and doubled, of every kind";
    q22_late "q22-late" "Q22" "replies that come after the time-out, in every state";
    q22_hasty "q22-hasty" "Q22" "time-outs shorter than the round trip, from one cycle up";
    q22_sources "q22-sources" "Q22" "packets and RES that are new, old, come twice, are damaged; ids that wrap";
    q20_sl "q20-sl" "Q20" "SLs that change in every cycle";
}

fn c1_read_back(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend([chunk(d, 0), Post(1, 1, 1), RinOne(1), EndOne(false), Written, Answered, Quiet(100)]);
    // an error, a reply that does not act
    ops.extend([Post(0xffff, 1, 1), Reply(ACK, 0, 5, 0, 0), Written, Wait(5), ReadAll]);
    for pattern in PATTERNS {
        ops.extend(registers(UnitKind::Reservation).map(|r| Cfg(r.name, pattern)));
        ops.extend([Raw(128, pattern), Written, ReadAll]);
    }
    ops.extend(on());
    calm(&mut ops);
    ops
}

fn b3_errors(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    let clear = [Written, Wait(4), Cfg("ERR_CLEAR", 0x7f), Wait(2)];
    let mut bad = vec![Post(0, 0, 1), Post(0, 1, 0), Post(0, 1, d.mtu + 1), Post(0, 3, 127)];
    bad.extend([Reply(0, 0, 0, 0, 0), RinOne(0), RinOne(d.nmax * d.mtu + 1), RinOne(0xffff)]);
    bad.extend((0..16).map(|b| 1 << b).chain([d.flows]).filter(|f| *f >= d.flows).flat_map(|far| {
        [Post(far, 1, 1), Reply(GRANT, far, 0, 0, 0), Reply(ACK, far, 0, 0, 0), Attr(far, 1)]
    }));
    for b in bad {
        ops.push(b);
        ops.extend(clear.clone());
    }
    // in the cycle of the clear
    for k in 0..4 {
        ops.extend([Post(0, 0, 1), RinOne(0), Reply(0, 0, 0, 0, 0), Attr(d.flows, 0), Wait(k)]);
        ops.extend([Cfg("ERR_CLEAR", 0x7f), Wait(3), Cfg("ERR_CLEAR", 0x7f), Wait(3)]);
    }
    // a bad RES beside an ACK, beside a full FIFO
    ops.extend([Ends(ALWAYS), RinOne(0), RinOne(0), Written, Wait(3), Out(0), Wait(d.repq + 2), RinOne(0)]);
    ops.extend([Written, Wait(3), Out(ALWAYS), Ends(0), Wait(d.repq + 3)]);
    // RES without credit, ends without room
    ops.extend([Out(0), Rude(ALWAYS), Rin(ALWAYS, 2), Wait(d.ctl + d.repq + 8), Ends(ALWAYS), Wait(4)]);
    ops.extend([Out(chance(0.5)), Wait(40), Ends(0), Rin(0, 1), Rude(0)]);
    ops.extend([Cfg("ERR_CLEAR", 0x30), Out(ALWAYS), Wait(d.ctl + d.repq + 8), Cfg("ERR_CLEAR", 0x30)]);
    // a bad reply while others could go
    ops.extend((0..d.flows).map(|f| chunk(d, f)));
    ops.extend((0..40).map(|k| Reply(if k % 2 == 0 { 0 } else { GRANT }, d.flows, 0, 0, 0)));
    ops.extend([Raw(200, 77), Written]);
    calm(&mut ops);
    ops
}

fn q10_schedule(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    for size in [1, d.mtu, d.nmax * d.mtu] {
        ops.extend([
            RinOne(size),
            RinOne(size),
            Written,
            Wait(5),
            RinOne(1),
            RinOne(size),
            RinOne(1),
            Written,
        ]);
        ops.push(Wait(4 * size + 20));
    }
    // one flit is given two cycles; the next RES in every cycle about its end
    for k in 0..8 {
        ops.push(RinOne(1));
        ops.extend((0..k).map(|_| NoRin));
        ops.extend([RinOne(1), Written, Wait(12)]);
    }
    calm(&mut ops);
    ops
}

fn q10_registers(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    for eps in [0, 1, 32768, 65535] {
        for interval in [0, 1, 7, 15] {
            ops.extend([Cfg("EPS", eps), Cfg("RX_INTERVAL", interval), Written]);
            ops.extend([RinOne(1), RinOne(d.mtu), RinOne(d.nmax * d.mtu), Written, Wait(40)]);
        }
    }
    ops.extend(on());
    calm(&mut ops);
    ops
}

fn q10_far(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend([Cfg("EPS", 65535), Cfg("RX_INTERVAL", 15), Rin(ALWAYS, d.nmax * d.mtu), Wait(600)]);
    ops.extend([Rin(0, 1), Wait(if d.wraps { 3_000 } else { 100 })]);
    // with RES that come all the time, and last flits beside them
    ops.extend([Rin(chance(0.2), d.nmax * d.mtu), Ends(chance(0.3)), Wait(2_000), Rin(0, 1), Ends(0)]);
    ops.extend(on());
    calm(&mut ops);
    ops
}

fn q10_wrap(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    if d.wraps {
        for k in 0..3 {
            ops.extend([
                BeforeWrap(40 + k),
                Cfg("RX_INTERVAL", 15),
                RinOne(d.nmax * d.mtu),
                RinOne(1),
                Written,
            ]);
            // a flow whose time comes behind the wrap
            ops.extend([Waits(Waiting::Long(60)), chunk(d, 0), Fates(Fate::Dropped), Wait(200)]);
            ops.extend([Cfg("RX_INTERVAL", 1), Fates(Fate::Arrive), Written, Quiet(60)]);
        }
    }
    calm(&mut ops);
    ops
}

fn q12_replies(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.push(Damage(chance(0.3)));
    for (out, res, end) in
        [(ALWAYS, 1.0, 1.0), (chance(0.5), 1.0, 1.0), (chance(0.2), 0.3, 0.3), (chance(0.5), 0.1, 1.0)]
    {
        ops.extend([Out(out), Rin(chance(res), 2), Ends(chance(end)), Wait(120), Out(0), Wait(2 * d.repq)]);
        ops.extend([Out(ALWAYS), Wait(10), Rin(0, 1), Wait(4 * d.ctl + 20), Ends(0), Wait(10)]);
    }
    calm(&mut ops);
    ops
}

fn q12_turns(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    // With a full FIFO: what has its turn when one reply leaves?
    for first in 0..2 {
        ops.extend([Out(0), Ends(ALWAYS), Wait(d.repq + 3), Ends(0)]);
        if first == 0 {
            ops.extend([Out(ALWAYS), Wait(1), Out(0), RinOne(1), Written, Wait(3)]);
        }
        ops.extend([
            RinOne(1),
            RinOne(1),
            Written,
            Ends(ALWAYS),
            Wait(5),
            Out(ALWAYS),
            Wait(2),
            Out(0),
            Wait(5),
        ]);
        ops.extend([Out(ALWAYS), Wait(d.repq + 10), Ends(0), Wait(d.repq + 10)]);
    }
    for k in 0..6 {
        ops.extend((0..k).map(|_| NoRin));
        ops.extend([
            RinOne(1),
            RinOne(2),
            EndOne(k % 2 == 0),
            EndOne(false),
            EndOne(true),
            Written,
            Wait(20),
        ]);
    }
    // more RES than blocks, while they leave slowly
    ops.extend([Rude(ALWAYS), Rin(ALWAYS, 1), Out(chance(0.5)), Wait(3 * d.ctl + 60), Rin(0, 1), Rude(0)]);
    ops.extend([Out(ALWAYS), Wait(d.ctl + d.repq + 20)]);
    calm(&mut ops);
    ops
}

fn q14_messages(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    // the first one waits for its RES, the FIFO fills behind it
    ops.extend([Res(0), Post(0, 2, 1), ResOffered(LONG)]);
    ops.extend((0..d.msgq + 2).map(|_| Post(0, 2, 1)));
    ops.extend([Written, Res(ALWAYS), Quiet(100)]);
    // posts in every cycle, to a flow that takes one now and then
    ops.extend([Cfg("NMIN", 10), Written]);
    ops.extend((0..120).map(|_| Post(1, 1, 1)));
    ops.extend([Written, Quiet(60)]);
    for k in 0..8 {
        ops.push(Post(2, 1, 1));
        ops.extend((0..k).map(|_| NoPost));
        ops.extend([Post(2, 1, 1), Written, Quiet(30)]);
    }
    calm(&mut ops);
    ops
}

fn q15_chunks(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend([Cfg("NMIN", 1), Waits(Waiting::Long(3)), Fates(Fate::Some(0x2492_4924))]);
    for run in [127, d.nmax, 1, 0, (d.nmax - 1).max(1), d.nmax / 2 + 1] {
        ops.push(Cfg("NMAX_RUN", run));
        let runs = run.clamp(1, d.nmax);
        for pkts in [1, 2, runs, runs + 1, 2 * runs, 2 * runs + 1] {
            ops.extend([Post(0, pkts, 1 + pkts % d.mtu), Post(1, pkts, d.mtu), Written, Quiet(45)]);
        }
    }
    calm(&mut ops);
    ops
}

fn q15_run_moves(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.push(Waits(Waiting::Zero));
    for k in 0..60 {
        ops.extend([Cfg("NMAX_RUN", 1 + k % d.nmax), Post(0, 3 * d.nmax, 1), Wait(k), Cfg("NMAX_RUN", 127)]);
        ops.extend([Wait(20), Cfg("NMAX_RUN", 1), Wait(20), Cfg("NMAX_RUN", 3), Written, Quiet(45)]);
    }
    ops.extend(on());
    calm(&mut ops);
    ops
}

fn q15_bypass(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    let n = d.nmax;
    for (ctrl, nmin) in [(SRP_EN, 4), (SRP_EN, 0xffff), (0, 0), (SRP_EN | RTT_COMP, 2 * n)] {
        ops.extend([Cfg("CTRL", ctrl), Cfg("NMIN", nmin), Written]);
        for pkts in [1, 3, 4, 5, n, n + 1, 2 * n - 1, 2 * n, 2 * n + 1] {
            ops.extend([Post(0, pkts, 1), Post(1, pkts, d.mtu), Written]);
            ops.push(Quiet(45));
        }
    }
    ops.extend(on());
    // one reserved, one not, in turn; a RES of others goes on
    ops.extend([Post(0, 1, 1), Post(0, 2, 1), Post(1, 2, 1), Post(1, 1, 1), Written, Quiet(60)]);
    calm(&mut ops);
    ops
}

fn q15_numbers(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend([Cfg("NMAX_RUN", 1), Trip(1, 3), Waits(Waiting::Zero), Answer(1, 6), Fates(Fate::Some(2))]);
    ops.extend([PostPsn(0, 8200, 1, 0xff_ff80), Written, Quiet(60)]);
    ops.extend([Cfg("NMAX_RUN", 127), PostPsn(1, 2 * d.nmax, 1, 0xff_ffff), Written, Quiet(60)]);
    calm(&mut ops);
    ops
}

fn q16_races(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    let fates = [Fate::Arrive, Fate::Dropped, Fate::Some(1), Fate::Some(0xaaaa_aaaa_aaaa_aaaa)];
    for trip in [1, 8, 40, 4 * d.nmax + 40] {
        for answer in [2, 11, 30, 100] {
            for wait in [Waiting::Zero, Waiting::Short, Waiting::Long(2), Waiting::Long(45)] {
                ops.extend([Trip(trip, trip), Answer(answer, answer), Waits(wait)]);
                for fate in fates {
                    ops.extend([Fates(fate), chunk(d, 0), Written, Quiet(60)]);
                }
            }
        }
    }
    // the NACK of the last packet, when all others are sent and answered
    ops.extend([Trip(2, 2), Answer(200, 200), Waits(Waiting::Zero), Fates(Fate::Some(1))]);
    ops.extend([chunk(d, 0), chunk(d, 1), Written, Quiet(260)]);
    calm(&mut ops);
    ops
}

fn q16_in_a_row(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    let n = d.nmax.max(2);
    for fate in [0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa, 0x9999_9999_9999_9999, 1, 2] {
        for wait in [Waiting::Zero, Waiting::Long(30)] {
            // the GRANT before all others, or behind them
            for trip in [1, 60] {
                ops.extend([Fates(Fate::Some(fate)), Waits(wait), Answer(3, 3), Trip(trip, trip)]);
                ops.extend([Brings(trip == 1), Post(0, n, 1), Wait(4 * n + 20), Brings(false), Wait(60)]);
                ops.extend([Brings(true), Written, Answered, Quiet(80)]);
            }
        }
    }
    calm(&mut ops);
    ops
}

fn q16_early(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend([Waits(Waiting::Long(300)), Trip(3, 3), Answer(5, 9)]);
    ops.extend([Post(0, 5 * d.nmax, 1), Post(1, 3 * d.nmax + 1, 2), Written, Quiet(100)]);
    // the GRANT when all is acknowledged
    ops.extend([Trip(200, 200), chunk(d, 0), Written, Quiet(300)]);
    ops.extend([Fates(Fate::Some(1)), Waits(Waiting::Long(150)), Answer(60, 60), Trip(100, 100)]);
    ops.extend([chunk(d, 0), Written, Quiet(320)]);
    // the GRANT when all is sent and nothing answered
    let sent = 4 * d.nmax + 30;
    ops.extend([Answer(3 * sent, 3 * sent), Trip(sent, sent), chunk(d, 0), Written, Quiet(320)]);
    calm(&mut ops);
    ops
}

fn q16_spec_off(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for ctrl in [SRP_EN | RTT_COMP | SPEC_OFF, SRP_EN | SPEC_OFF] {
        ops.extend(start(ctrl));
        for wait in [Waiting::Zero, Waiting::Long(20)] {
            ops.extend([Waits(wait), Post(0, 2 * d.nmax, 1), chunk(d, 1), Written, Quiet(80)]);
        }
    }
    // switched while flows send
    for k in 0..12 {
        ops.extend([Cfg("CTRL", SRP_EN | RTT_COMP), Post(0, 3 * d.nmax, 1), Wait(3 * k)]);
        ops.extend([Cfg("CTRL", SRP_EN | SPEC_OFF), Written, Quiet(80)]);
    }
    ops.extend(on());
    calm(&mut ops);
    ops
}

fn q16_stale(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    let wrong = |chunk: u32| {
        [GRANT, ACK, NACK].into_iter().flat_map(move |kind| {
            [0, 1, 2, 63, 64, 255].into_iter().map(move |seq| Reply(kind, 0, chunk, seq, 5))
        })
    };
    // nothing has begun; a bypass is under way; a RES is wanted, on offer; SPEC; WAIT; GO; done
    ops.extend(wrong(0));
    ops.extend([Written, Room(0), Cfg("NMIN", 10), Post(0, 2, 1), Wait(20)]);
    ops.extend(wrong(0));
    ops.extend(wrong(1));
    ops.extend([Written, Room(ALL), Cfg("NMIN", 2), Quiet(60), Res(0), chunk(d, 1), ResOffered(LONG)]);
    ops.extend([chunk(d, 0), Wait(20)]);
    ops.extend(wrong(1));
    ops.extend(wrong(2));
    ops.extend([
        Written,
        Room(0),
        Trip(300, 300),
        Waits(Waiting::Long(500)),
        Res(ALWAYS),
        Asked(2, LONG),
        Wait(10),
    ]);
    // in SPEC, with nothing sent: ACKs and NACKs of packets that are not out, other chunks
    ops.extend([ACK, NACK].map(|kind| Reply(kind, 0, 0, 0, 0)));
    ops.extend([Reply(ACK, 0, 0, d.nmax, 0), Reply(ACK, 0, 0, 255, 0), Reply(NACK, 0, 0, 64, 0)]);
    ops.extend(wrong(3));
    ops.extend(wrong(IDS - 1));
    // of numbers that differ in one bit
    ops.extend((0..ID_BITS).flat_map(|bit| [GRANT, ACK].map(|kind| Reply(kind, 0, 1 << bit, 0, 5))));
    ops.extend([Written, Answered, Wait(20)]);
    // in WAIT and GO, a second GRANT
    ops.extend([Reply(GRANT, 0, 0, 0, 0), Reply(ACK, 0, 0, 1, 0), Written, Wait(700)]);
    ops.extend([Reply(GRANT, 0, 0, 0, 0), Reply(NACK, 0, 0, 0, 0), Written, Room(ALL), Quiet(60)]);
    // each reply twice
    ops.extend([Trip(5, 5), Waits(Waiting::Long(30)), chunk(d, 0), Asked(1, LONG)]);
    ops.extend((0..4).flat_map(|s| [Reply(ACK, 0, 0, s, 0), NoReply, Reply(NACK, 0, 0, s, 0)]));
    ops.push(Written);
    calm(&mut ops);
    ops
}

fn q17_requests(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    for res in [ALWAYS, chance(0.3), chance(0.05)] {
        ops.extend([Res(res), Waits(Waiting::Zero), Trip(1, 4)]);
        ops.extend((0..d.flows).map(|f| Post(f, 2 * d.nmax.min(4), 1)));
        ops.extend([Post(2, 2, 1), Post(1, 2, 1)]);
        ops.extend([Asked(u64::from(d.flows), 200 * d.flows), Res(ALWAYS), Written, Quiet(100)]);
    }
    // of two flows the one with the higher number first
    ops.extend([chunk(d, 2), chunk(d, 1), Written, Quiet(100)]);
    calm(&mut ops);
    ops
}

fn q18_waits(d: &Dims) -> Vec<Op> {
    let mut ops = Vec::new();
    for ctrl in [SRP_EN | RTT_COMP, SRP_EN] {
        ops.extend(start(ctrl));
        ops.extend([Fates(Fate::Dropped), Answer(4, 4)]);
        for trip in [1, 12] {
            ops.push(Trip(trip, trip));
            for wait in [Waiting::Zero, Waiting::Short]
                .into_iter()
                .chain((0..8).map(Waiting::Long))
                .chain([Waiting::Long(100)])
            {
                ops.extend([Waits(wait), chunk(d, 0), Written, Quiet(130)]);
            }
        }
        // too long: all is acknowledged before
        ops.extend([Fates(Fate::Arrive), Trip(4 * d.nmax + 60, 4 * d.nmax + 60), Waits(Waiting::TooLong)]);
        ops.extend([chunk(d, 0), Written, Quiet(60)]);
    }
    ops.extend(on());
    calm(&mut ops);
    ops
}

fn q19_b_waits(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    // the GRANT so fast that B waits
    for trip in 0..4 {
        for wait in [Waiting::Zero, Waiting::Long(20)] {
            ops.extend([Trip(trip, trip), Waits(wait), chunk(d, 0), Written, Quiet(60)]);
        }
    }
    // replies of another flow, and of this one, in every cycle while B waits, and some cycles less
    for flow in 0..2 {
        for k in 0..8 {
            ops.extend([Trip(20, 20), Res(0), chunk(d, 0), ResOffered(LONG), Wait(3), Res(ALWAYS)]);
            ops.extend((0..k).map(|_| NoReply));
            ops.extend((0..6).map(|s| Reply(ACK, flow, 0, s, 0)));
            ops.extend([Written, Quiet(60)]);
        }
    }
    calm(&mut ops);
    ops
}

fn q19_turns(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend([Trip(3, 40), Answer(3, 60), Fates(Fate::Chance(chance(0.3))), Stay(0, 1)]);
    for wait in [Waiting::Zero, Waiting::Long(30), Waiting::Long(200)] {
        ops.push(Waits(wait));
        ops.extend((0..2 * d.flows).map(|f| Post(f % d.flows, 2 * d.nmax.min(6) + 1, 1)));
        ops.extend((0..d.flows).map(|f| Post(f, 1, 1)));
        ops.extend([Written, Taken(u64::from(4 * d.flows), LONG)]);
    }
    ops.extend([Written, Quiet(300), Stay(0, 0), Fates(Fate::Dropped)]);
    // replies in every cycle, until all classes wait: flow 0 for its time, 1 with a packet, 2 to ask, 3 to begin
    for k in 0..6 {
        ops.extend([Trip(2, 2), Waits(Waiting::Long(400)), chunk(d, 0), Asked(1, LONG), Wait(30)]);
        ops.extend([Trip(200, 200), Waits(Waiting::Zero), Room(0), chunk(d, 1), Asked(1, LONG), Wait(10)]);
        ops.push(chunk(d, 2));
        ops.extend((0..8).map(|_| NoPost).chain([chunk(d, 3)]));
        ops.extend((0..k).map(|_| NoReply).chain((0..20).map(|_| Reply(ACK, 4, 9, 0, 0))));
        ops.extend([Wait(9), Room(ALL)]);
        // then in every other cycle for the one with a packet, or the one that asks: it is busy whenever it could go
        if k % 3 > 0 {
            ops.extend((0..6).flat_map(|_| [Reply(ACK, k % 3, 9, 0, 0), NoReply]));
        }
        ops.extend([Written, Quiet(300)]);
    }
    calm(&mut ops);
    ops
}

fn q20_lanes(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend((0..d.flows).map(|f| Attr(f, f % 16)));
    let granted = [Trip(2, 2), Waits(Waiting::Long(40)), Fates(Fate::Dropped), Answer(3, 3)];
    // room on one lane, on another, on none, on all, one after the other
    let masks: Vec<u32> = (0..=d.lanes).map(|v| 1 << v).chain([0, ALL]).collect();
    for mask in masks {
        ops.extend(granted.clone());
        ops.extend((0..d.flows.min(8)).map(|f| chunk(d, f)));
        ops.extend([Written, Wait(60), Room(mask), Wait(200), Room(ALL), Written, Quiet(120)]);
    }
    // lanes that change in every cycle
    ops.extend((0..d.flows.min(8)).map(|f| chunk(d, f)));
    for k in 0..150 {
        ops.extend([Room(1 << (k % (d.lanes + 1))), Wait(2)]);
    }
    ops.extend([Room(ALL), Written, Quiet(120)]);
    ops.extend((0..d.flows).map(|f| Attr(f, 0)));
    calm(&mut ops);
    ops
}

fn q20_room(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    let data = (1 << d.lanes) - 1;
    let spec = 1 << d.lanes;
    // flow 0 is granted, flow 1 not yet
    for (room, link, inj, stay) in [
        (ALL, ALL, ALWAYS, 0),
        (spec, 0, ALWAYS, 0),
        (spec, data, ALWAYS, 0),
        (spec, 1, ALWAYS, 0),
        (data, data, ALWAYS, 0),
        (ALL, 0, chance(0.2), 6),
    ] {
        ops.extend([Room(0), Trip(2, 2), Waits(Waiting::Zero), Post(0, d.nmax.max(2), 1), Asked(1, LONG)]);
        ops.extend([Wait(30), Trip(150, 150), Post(1, d.nmax.max(2), 1), Asked(1, LONG), Wait(10)]);
        ops.extend([
            Room(room),
            Link(link),
            Inj(inj),
            Stay(stay, stay),
            Wait(60),
            Link(0),
            Room(ALL),
            Written,
        ]);
        ops.extend([Quiet(180), Inj(ALWAYS), Stay(0, 0)]);
    }
    // a GRANT while a speculative packet of its flow is on offer
    ops.extend([Trip(20, 20), Inj(0), chunk(d, 0), Offered(LONG), Wait(40), Inj(ALWAYS), Written, Quiet(80)]);
    calm(&mut ops);
    ops
}

fn q20_sl(d: &Dims) -> Vec<Op> {
    let mut ops = on();
    ops.extend([Trip(2, 2), Waits(Waiting::Zero), Fates(Fate::Dropped), Post(0, 4 * d.nmax, 1)]);
    ops.extend((0..400).map(|k| Attr(0, k % 16)));
    ops.extend([Written, Quiet(80), Cfg("NMIN", 0xffff), Post(0, 2 * d.nmax, 1)]);
    ops.extend((0..200).map(|k| Attr(0, k % 3)));
    ops.extend([Written, Quiet(60), Attr(0, 0)]);
    calm(&mut ops);
    ops
}
