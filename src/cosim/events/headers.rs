//! What the first flit of a packet says (`docs/conventions.md`).

use super::packets::Class;
use crate::params::Params;

/// Marks, in the word of a first flit that has them.
pub(super) const FECN: u32 = 1 << 7;
pub(super) const MB: u32 = 1 << 5;
pub(super) const VB: u32 = 1 << 4;

/// Reads headers of a build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Headers {
    vls: usize,
    vl_by_dest: bool,
    /// A BTH behind a GRH is in the first flit.
    wide: bool,
}

impl Headers {
    pub fn new(p: &Params) -> Headers {
        Headers { vls: p.vls, vl_by_dest: p.vl_by_dest, wide: p.flit_bytes == 64 }
    }

    /// The word of the BTH, where there is one to be seen.
    pub fn bth(&self, data: &[u32]) -> Option<usize> {
        match data[0] >> 8 & 3 {
            2 => Some(2),
            3 if self.wide => Some(12),
            _ => None,
        }
    }

    /// Of the BTH.
    pub fn opcode(&self, data: &[u32]) -> u32 {
        self.bth(data).map_or(0, |w| data[w] & 0xff)
    }

    /// A data packet that a switch may mark.
    pub fn markable(&self, data: &[u32]) -> bool {
        let opcode = self.opcode(data);
        self.bth(data).is_some() && opcode != 0x80 && opcode & 0x1f != 0x11 && self.class(data).dlid < 0xc000
    }

    pub fn class(&self, data: &[u32]) -> Class {
        let dlid = ((data[0] >> 16 & 0xff) << 8 | data[0] >> 24) as u16;
        let vl = match self.vl_by_dest {
            true => usize::from(dlid) % self.vls,
            false => (data[0] >> 4 & 15) as usize,
        };
        Class { vl, dlid, cnp: self.opcode(data) == 0x80 }
    }

    /// Length by the header, flits.
    pub fn length(data: &[u32]) -> usize {
        (((data[1] & 7) << 8 | data[1] >> 8 & 0xff) as usize).div_ceil(16)
    }

    /// A first flit without these of its marks, and those that it had.
    pub fn without(&self, data: &[u32], marks: u32) -> (Vec<u32>, u32) {
        let mut data = data.to_vec();
        let mut had = 0;
        if let Some(w) = self.bth(&data) {
            had = data[w + 1] & marks;
            data[w + 1] &= !marks;
        }
        (data, had)
    }
}
