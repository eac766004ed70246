//! Pins: word vectors read into names, and what a network of routers sees without words.

use super::state::WormRouter;
use crate::model::worm::classes::members;
use crate::model::worm::wires::{Access, Entry, LinkFlit, RouterPins, Sending, gather};

impl WormRouter {
    /// The words of a cycle's inputs.
    pub(super) fn pins(&self, input: &[u32]) -> RouterPins {
        let at = &self.i;
        let bit = |at: usize| input[at] & 1 != 0;
        let (half, byte) = (|at: usize| input[at] as u16, |at: usize| input[at] as u8);
        let mut pins = RouterPins {
            access: Access {
                write: bit(at.cfg_we),
                read: bit(at.cfg_re),
                port: byte(at.cfg_port),
                addr: byte(at.cfg_addr),
                data: input[at.cfg_data],
            },
            entry: bit(at.lft_we).then(|| Entry { dlid: half(at.lft_addr), port: byte(at.lft_port) }),
            up: gather(&input[at.link_up..][..self.p.ports]),
            ..RouterPins::default()
        };
        for p in self.ports() {
            let flit = bit(at.rx_valid + p).then(|| LinkFlit {
                vl: byte(at.rx_vl + p) & 0xf,
                first: bit(at.rx_first + p),
                last: bit(at.rx_last + p),
                bad: bit(at.rx_bad + p),
                data: std::array::from_fn(|w| input[at.rx_data + 4 * p + w]),
            });
            let credits = gather(&input[at.rx_credit + p * self.p.vls..][..self.p.vls]);
            pins.links[p] = Sending { flit, credits };
        }
        pins
    }

    /// Nobody will ask for cover points: they are looked at no more.
    pub fn unwatched(mut self) -> WormRouter {
        self.watched = false;
        self
    }

    /// What port `p` sends in this cycle.
    pub fn sends(&self, p: usize) -> Sending {
        let flit = self.outputs[p].sent.map(|s| {
            let f = s.flit;
            LinkFlit { vl: s.lane as u8, first: f.first, last: f.last, bad: f.bad, data: f.data }
        });
        Sending { flit, credits: self.inputs[p].pulses }
    }

    /// Lanes of output `o` that have an owner, a bit each (`lane_owned`).
    pub fn owned(&self, o: usize) -> u32 {
        self.outputs[o].owned
    }

    /// Lanes of input `i` whose FIFO is full, a bit each (`lane_full`).
    pub fn full(&self, i: usize) -> u32 {
        let lanes = &self.inputs[i].lanes;
        let full = members(lanes.filled).filter(|&v| lanes[v].fifo.len() == self.p.depth);
        full.fold(0, |set, v| set | 1 << v)
    }
}
