//! Scenarios of an adapter whose losses end (Q21, Q22).

use super::around::LONG;
use super::packets::{Fault, IDS, Packet, behind};
use super::reservation::{INORDER, begin, close, fields, lane, of, spec};
use super::script::Op;
use crate::model::header::SrpFields;
use crate::params::lanes::{SrpLane, opcode};
use crate::params::{Params, UnitKind};
use crate::stimulus::chance::{ALWAYS, chance};

use Op::{Answers, Cfg, Credit, Idle, Message, Rx, Starve, Wait};
use UnitKind::{Hca, Reservation};

pub(super) fn copies(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let again = |n: usize, id: u16, seq: u8| {
        let fields = SrpFields { flags: 1, ..fields(id, seq) };
        of(p, opcode::GRANTED, n, fields)
    };
    let asks =
        |id: u16, flags: u8| of(p, opcode::RES, 1, SrpFields { id, flags, size: 4, ..SrpFields::default() });
    let flows = p.flows as u16;
    // of chunks whose numbers go beyond a byte, and to the highest bit
    for (n, id) in [(1, 253), (p.mtu, 4094)] {
        let bad = Fault::Bad(n as u8);
        // two copies of each packet, back to back; the first one was lost, or damaged; so is the second one
        ops.extend([
            Rx(spec(p, n, id, 0), 0),
            Rx(again(n, id, 0), 0),
            Rx(again(n, id, 1), 0),
            Rx(again(n, id, 1), 0),
        ]);
        ops.extend([
            Rx(spec(p, n, id, 2).fault(bad), 0),
            Rx(again(n, id, 2).fault(bad), 0),
            Rx(again(n, id, 2), 0),
        ]);
        ops.extend([Rx(again(n, id, 2).fault(bad), 0), Rx(Packet::data(n), 0), Rx(spec(p, n, id, 3), 0)]);
        // of a chunk that is done; of the one behind; its RES comes late, and again
        ops.extend([Rx(spec(p, n, id + 1, 0), 0), Rx(asks(id + 1, 0), 0), Rx(again(n, id + 1, 0), 0)]);
        ops.extend([
            Rx(again(n, id, 3), 0),
            Rx(spec(p, n, id, 1), 0),
            Rx(asks(id, 0), 0),
            Rx(asks(id + 1, 1), 0),
        ]);
        // who asks for a number; who is nobody
        ops.extend([Rx(asks(1, 4), 0), Rx(asks(1, 5), 1), Rx(again(n, id + 1, 1), 0), Idle(LONG), Wait(40)]);
        for stranger in [flows, 0xfff0] {
            ops.extend([
                Rx(spec(p, n, 1, 0), stranger),
                Rx(again(n, 1, 0), stranger),
                Rx(asks(1, 0), stranger),
            ]);
        }
        // cut, short, too long: none of them has come
        let faults =
            [Fault::Cut(1), Fault::Early(1), Fault::Longer(2), Fault::None, Fault::Cut(1), Fault::None];
        ops.extend(faults.map(|f| Rx(again(n, id + 2, 0).fault(f), 0)));
        ops.extend([Idle(LONG), Wait(40), Cfg(Hca, "ERR_CLEAR", 0xffff)]);
        // no reply leaves: a marker waits, the last flit of a copy is held back
        ops.extend([Starve(lane(p, SrpLane::Reply)), Credit(ALWAYS, 0), Wait(60)]);
        ops.extend((0..p.repq as u8 + 4).map(|i| Rx(again(n, id + 3, i % 4), 0)));
        ops.extend([Wait(200), Starve(None), Credit(ALWAYS, 1024), Idle(LONG), Wait(60)]);
        ops.extend([Starve(lane(p, SrpLane::Reply)), Credit(ALWAYS, 0), Wait(60)]);
        ops.extend((0..p.repq as u8 + 6).map(|i| Rx(spec(p, n, id + 4, i % p.nmax as u8), 2)));
        ops.extend([Wait(200), Starve(None), Credit(ALWAYS, 1024), Idle(LONG), Wait(60)]);
    }
    // much older than what is known, and much newer: that is new, and the next round is
    ops.extend([200, 256, 4000, 4095].map(|back| Rx(again(1, behind(4097, IDS - back), 0), 0)));
    ops.extend([Rx(again(1, 7000, 0), 0), Rx(again(1, 7000 - 256, 0), 0), Rx(again(1, 7000, 0), 0)]);
    // nothing but last flits that wait for their answers
    ops.extend([Starve(lane(p, SrpLane::Reply)), Credit(ALWAYS, 0), Wait(60)]);
    ops.extend((0..p.repq as u8 + 6).map(|i| Rx(again(1, behind(IDS - 5, i.into()), 0), 2)));
    ops.extend([Wait(200), Starve(None), Credit(ALWAYS, 1024), Idle(LONG), Wait(60)]);
    close(p, &mut ops);
    ops
}

pub(super) fn losses(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    let (mtu, nmax) = (p.mtu as u8, p.nmax as u16);
    ops.push(Cfg(Reservation, "RTO", 200));
    ops.push(Op::Names(ALWAYS));
    for (lost, dropped, ctrl) in [(0.5, 0.3, 3), (0.3, 0.7, 0x13), (0.7, 0.0, 3)] {
        ops.extend([Cfg(Reservation, "CTRL", ctrl), Op::Lost(chance(lost))]);
        ops.push(Answers(20, 20, (0, 60), chance(dropped)));
        ops.extend((0..4).flat_map(|f| [Message(f, nmax, mtu), Message(f, 1, 1)]));
        ops.extend([Wait(1_500)]);
    }
    ops.extend([Op::Lost(0), Wait(1_500), Idle(LONG), Wait(500), Op::Names(0)]);
    close(p, &mut ops);
    ops
}

/// A packet of a PSN, from the host of flow 0.
fn nth(packet: Packet, psn: u32) -> Op {
    Rx(packet.psn(psn), 0)
}

pub(super) fn in_order(p: &Params) -> Vec<Op> {
    let mut ops = begin(p);
    ops.extend([Cfg(Reservation, "CTRL", 3 | INORDER), Op::Written]);
    let granted = |n: usize, id: u16, seq: u8, flags: u8| {
        of(p, opcode::GRANTED, n, SrpFields { flags, ..fields(id, seq) })
    };
    let asks =
        |id: u16, flags: u8| of(p, opcode::RES, 1, SrpFields { id, flags, size: 4, ..SrpFields::default() });
    for (round, n) in [1, p.mtu].into_iter().enumerate() {
        let id = 700 + 100 * round as u16;
        let bad = Fault::Bad(n as u8);
        // nothing is known; behind the first packet all that follow come at their time, and again
        ops.extend([Rx(asks(0, 4), 0), nth(spec(p, n, id, 0), 0xff_fffe), nth(Packet::data(n), 0xff_fffd)]);
        ops.extend([nth(spec(p, n, id, 1), 0xff_ffff), nth(spec(p, n, id, 0), 0xff_fffe)]);
        ops.extend([nth(spec(p, n, id, 2), 0), nth(spec(p, n, id, 1), 0xff_ffff), nth(spec(p, n, id, 2), 0)]);
        ops.extend([nth(spec(p, n, id, 2), 0), nth(granted(n, id, 1, 1), 0xff_ffff)]);
        // what is granted comes whatever its PSN, and tells the order
        ops.extend([
            nth(granted(n, id, 3, 0), 5),
            nth(spec(p, n, id + 1, 0), 1),
            nth(spec(p, n, id + 1, 0), 6),
        ]);
        ops.extend([
            nth(granted(n, id + 1, 2, 1), 8),
            nth(spec(p, n, id + 1, 1), 7),
            nth(spec(p, n, id + 1, 3), 9),
        ]);
        // damaged, cut, short: the next one is the same still
        let faults = [bad, Fault::Cut(1), Fault::Early(1), Fault::None];
        ops.extend(faults.map(|f| nth(Packet::data(n).fault(f), 10)));
        ops.extend([bad, Fault::None].map(|f| nth(spec(p, n, id + 2, 0).fault(f), 11)));
        ops.extend([bad, Fault::None].map(|f| nth(granted(n, id + 2, 1, 1).fault(f), 12)));
        ops.extend([nth(spec(p, n, id + 2, 2), 13), nth(spec(p, n, id + 2, 4), 15)]);
        // among those of another source; a CNP tells nothing; nobody's do not either
        ops.extend([
            Rx(Packet::data(n).psn(90), 1),
            nth(Packet::cnp().psn(70), 0),
            nth(spec(p, n, id + 2, 3), 14),
        ]);
        ops.extend([Rx(Packet::data(n).psn(50), p.flows as u16), Rx(spec(p, n, id, 0).psn(91), 1)]);
        ops.extend([Rx(spec(p, n, id, 1).psn(93), 1), Rx(granted(n, id, 1, 1).psn(92), 1)]);
        // while no host takes anything
        ops.extend([Idle(LONG), Op::Host(ALWAYS, 0)]);
        ops.extend((0..6).map(|i| nth(spec(p, n, id + 3, i), 15 + u32::from(i))));
        ops.extend([Wait(60), Op::Host(ALWAYS, ALWAYS), Idle(LONG), Wait(40)]);
    }
    // newer ones, so that the next round is
    for from in [0, 1] {
        ops.extend([4_000, 7_500].map(|id| Rx(granted(1, id, 0, 1), from)));
    }
    // messages of its own, of which the other end refuses some, and answers nothing
    ops.extend([Cfg(Reservation, "RTO", 400), Op::Lost(chance(0.4)), Answers(20, 60, (0, 60), chance(0.3))]);
    ops.extend((0..4).map(|f| Message(f, p.nmax as u16, p.mtu as u8)));
    ops.extend([Wait(1_500), Op::Lost(0), Wait(1_000), Idle(LONG), Wait(300)]);
    ops.extend([Cfg(Reservation, "CTRL", 3), Cfg(Reservation, "RTO", 0)]);
    close(p, &mut ops);
    ops
}
