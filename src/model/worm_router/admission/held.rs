//! What admission holds. With ADMIT = 0 it stays as after reset.

use super::slot::Slot;
use super::sums::Sums;

/// Of the messages of a lane of an input.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Messages {
    /// The one that is coming in carries bandwidth.
    pub(in super::super) books: bool,
    /// The header that crossed last was that of a stream's last message.
    pub(in super::super) last: bool,
    /// Its bandwidth.
    pub(in super::super) bw: u32,
}

/// Of a port.
#[derive(Clone, Debug)]
pub(in super::super) struct Port {
    /// The header in front of the control lane has been decided and goes on.
    pub(in super::super) decided: bool,
    /// The message there is being consumed.
    pub(in super::super) eats: bool,
    pub(in super::super) slot: Slot,
    pub(in super::super) lanes: Vec<Messages>,
    /// Probes that were booked, and that were refused.
    pub(in super::super) booked: u32,
    pub(in super::super) refused: u32,
}

/// Of the router.
#[derive(Clone, Debug)]
pub(in super::super) struct Admission {
    pub(in super::super) sums: Sums,
    /// Whose admission message is next.
    pub(in super::super) pointer: usize,
    pub(in super::super) ports: Vec<Port>,
}

impl Admission {
    /// As after reset.
    pub(in super::super) fn new(ports: usize, vls: usize) -> Admission {
        let port = Port {
            decided: false,
            eats: false,
            slot: Slot::default(),
            lanes: vec![Messages::default(); vls],
            booked: 0,
            refused: 0,
        };
        Admission { sums: Sums::new(ports, vls), pointer: 0, ports: vec![port; ports] }
    }
}
