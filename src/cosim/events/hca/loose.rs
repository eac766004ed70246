//! Packets of the host whose VL, SL or DLID is not sure, as a register or a table was just written: they may leave as one of several.

use crate::cosim::events::arrivals::Flit;

/// A packet: its flits, its header without DLID, VL and SL.
#[derive(Debug)]
struct Packet {
    flits: Vec<Vec<u32>>,
    whole: bool,
    /// It leaves: its next flit.
    left: Option<usize>,
    arrived: u64,
    id: usize,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Loose {
    packets: Vec<Packet>,
    /// How many there were.
    pub all: u64,
    next: usize,
}

/// More than these are not kept.
const MOST: usize = 4096;
/// No packet waits for so many cycles.
const LONG: u64 = 1 << 20;

/// What of a header is sure.
fn sure(data: &[u32]) -> Vec<u32> {
    let mut data = data.to_vec();
    data[0] &= 0x0000_0f0f;
    data
}

impl Loose {
    /// A flit of such a packet is delivered.
    pub fn comes(&mut self, first: bool, last: bool, data: &[u32], now: u64) {
        if first {
            self.all += 1;
            self.next += 1;
            if self.packets.len() == MOST {
                self.packets.remove(0);
            }
            let packet =
                Packet { flits: vec![sure(data)], whole: last, left: None, arrived: now, id: self.next };
            self.packets.push(packet);
        } else if let Some(p) = self.packets.last_mut().filter(|p| !p.whole) {
            p.flits.push(data.to_vec());
            p.whole = last;
        }
    }

    /// Flits that may be inside.
    pub fn held(&self) -> i32 {
        self.packets.iter().map(|p| p.flits.len() as i32).sum()
    }

    /// The link fell: those from long ago are lost, or will be known by then.
    pub fn fell(&mut self, now: u64) {
        self.packets.retain(|p| now - p.arrived < LONG || p.left.is_some());
    }

    /// The packet that a first flit begins, without its mark and SLID, and when it came.
    pub fn begins(&mut self, data: &[u32]) -> Option<(usize, u64)> {
        let data = sure(data);
        let p = self.packets.iter_mut().find(|p| p.left.is_none() && p.flits[0] == data)?;
        p.left = Some(0);
        Some((p.id, p.arrived))
    }

    /// A flit of it leaves; `false`: it is not as it came.
    pub fn leaves(&mut self, id: usize, flit: &Flit) -> bool {
        let Some(at) = self.packets.iter().position(|p| p.id == id) else { return false };
        let p = &mut self.packets[at];
        let r = p.left.unwrap_or(0);
        p.left = Some(r + 1);
        let is = match p.flits.get(r) {
            // It may be cut by a silence.
            _ if flit.bad => flit.last,
            Some(f) if r == 0 => *f == sure(flit.data),
            Some(f) => f == flit.data,
            None => false,
        };
        let ends = p.whole && r + 1 == p.flits.len();
        if flit.last {
            self.packets.remove(at);
        }
        is && (flit.bad || flit.last == ends)
    }

    /// It is lost with the link.
    pub fn forget(&mut self, id: usize) {
        self.packets.retain(|p| p.id != id);
    }
}
