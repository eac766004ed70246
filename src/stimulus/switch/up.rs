//! A scenario of routes that are any up port (rule UP1). Switches without them have routes as ever.

use super::script::{Op, calm};
use super::world::INPUT;
use crate::params::ANY_UP;
use crate::stimulus::chance::{ALWAYS, chance};
use crate::stimulus::input_port::{Dims, Packet};
use Op::{Drain, In, Quiet, Route, Send, Wait, Write};

/// Destinations that lie upwards.
const UP: [u16; 2] = [1, 5];

/// The output by which inputs pass where there is no other way.
const SLOW: usize = 1;

pub(super) fn any_up(d: &Dims) -> Vec<Op> {
    const UP_MASK: u8 = 22;
    const UP_SEED: u8 = 23;
    let mut ops = calm(d);
    if d.params.random_up {
        ops.extend(UP.map(|dlid| Route(dlid, ANY_UP)));
    }
    for share in [ALWAYS, chance(0.2)] {
        ops.push(Drain(SLOW, share));
        for mask in [0b110, u32::MAX, 0b010] {
            // the inputs draw by themselves
            ops.extend([In("UP_MASK", mask), In("UP_SEED", 0xace1)]);
            ops.extend((0..d.ports as u8).map(|i| Write(INPUT, i, UP_SEED, 0x1d3 * u32::from(i) + 7)));
            ops.extend([Write(INPUT, 0, UP_MASK, mask ^ 1), Wait(20)]);
            for round in 0..6 {
                for i in 0..d.ports {
                    let n = if (i + round) % 2 == 0 { d.mtu } else { 1 };
                    ops.push(Send(i, Packet::data(UP[round % 2], n), 2));
                    ops.push(Send(i, Packet::data(0, 1), 1));
                }
            }
            ops.push(Quiet(20_000));
        }
    }
    if d.params.random_up {
        ops.extend(UP.map(|dlid| Route(dlid, (usize::from(dlid) % d.ports) as u8)));
    }
    ops.extend([Drain(SLOW, ALWAYS), In("UP_MASK", 0), In("ERR_CLEAR", 0xffff), Quiet(5000)]);
    ops
}
