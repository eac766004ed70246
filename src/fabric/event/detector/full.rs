//! What an input port knows of buffers that become full (SM1-SM3): section 14 of the input port's page.

use crate::fabric::event::setup::InRegs;
use crate::params::Params;

/// Levels and what waits, (o,v) at o*V+v.
pub struct Fulls {
    pub naive: bool,
    pub level: u64,
    /// VLs of which a packet came since they were full last.
    pub armed: u64,
    /// Packets that may be marked and wait, and so many next ones that are.
    pub waiting: Vec<u32>,
    pub marked: Vec<u32>,
}

impl Fulls {
    pub fn new(p: &Params, regs: &InRegs) -> Fulls {
        let none = vec![0; p.ports * p.vls];
        Fulls {
            naive: regs.naive,
            level: regs.fill_level.into(),
            armed: 0,
            waiting: none.clone(),
            marked: none,
        }
    }

    /// A packet is accepted in this cycle.
    pub fn accepts(&mut self, queue: usize, vl: usize, markable: bool) {
        self.armed |= 1 << vl;
        self.waiting[queue] += u32::from(markable);
    }
}
