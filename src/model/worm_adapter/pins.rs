//! Pins: word vectors read into names, and what a network of adapters sees without words.

use super::state::WormAdapter;
use crate::model::worm::classes::{Class, members};
use crate::model::worm::header::Header;
use crate::model::worm::wires::{
    Access, AdapterPins, AdapterShows, LinkFlit, Opening, Posting, Sending, gather,
};

impl WormAdapter {
    /// The words of a cycle's inputs.
    pub(super) fn pins(&self, input: &[u32]) -> AdapterPins {
        let at = &self.i;
        let bit = |at: usize| input[at] & 1 != 0;
        let (half, byte) = (|at: usize| input[at] & 0xffff, |at: usize| input[at] as u8);
        let words = |at: usize| std::array::from_fn(|w| input[at + w]);
        let opening = || Opening { conn: half(at.open_conn), dlid: half(at.open_dlid), bw: half(at.open_bw) };
        let posting = || Posting {
            class: input[at.post_class] & 3,
            conn: half(at.post_conn),
            dlid: half(at.post_dlid),
            len: byte(at.post_len).into(),
            last: bit(at.post_final),
            tag: half(at.post_tag),
        };
        let flit = || LinkFlit {
            vl: byte(at.rx_vl) & 0xf,
            first: bit(at.rx_first),
            last: bit(at.rx_last),
            bad: bit(at.rx_bad),
            data: words(at.rx_data),
        };
        AdapterPins {
            access: Access {
                write: bit(at.cfg_we),
                read: bit(at.cfg_re),
                port: 0,
                addr: byte(at.cfg_addr),
                data: input[at.cfg_data],
            },
            up: bit(at.link_up),
            open: bit(at.open_valid).then(opening),
            post: bit(at.post_valid).then(posting),
            dma: words(at.dma_data),
            hold: gather(&input[at.be_hold..][..self.p.vls]),
            link: Sending {
                flit: bit(at.rx_valid).then(flit),
                credits: gather(&input[at.rx_credit..][..self.p.vls]),
            },
        }
    }

    /// Nobody will ask for cover points: they are looked at no more.
    pub fn unwatched(mut self) -> WormAdapter {
        self.watched = false;
        self
    }

    /// What the host is shown in this cycle.
    pub fn shows(&self) -> AdapterShows {
        if self.init_left > 0 {
            return AdapterShows::default();
        }
        AdapterShows {
            open_ready: self.turns.open.is_none(),
            post_ready: self.turns.post.is_none(),
            done: self.told.done,
            event: self.told.event,
            completion: self.told.completion,
            dma: self.mover.current.filter(|m| m.asks()).map(|m| (m.message.tag, m.index())),
            delivered: self.rx.delivered.map(|d| LinkFlit {
                vl: d.lane as u8,
                first: d.first,
                last: d.last,
                bad: d.bad,
                data: d.data,
            }),
            cut: self.rx.cut,
        }
    }

    /// What goes to the router in this cycle.
    pub fn sends(&self) -> Sending {
        let flit = self.link.sent.map(|s| {
            let f = s.flit;
            LinkFlit { vl: s.lane as u8, first: f.first, last: f.last, bad: false, data: f.data }
        });
        Sending { flit, credits: self.rx.pulses }
    }

    /// Best-effort lanes in front of which is a header, with its DLID (`be_front`, `be_dlid`).
    pub fn best_effort_fronts(&self) -> impl Iterator<Item = (usize, u32)> {
        let lanes = self.link.filled & self.classes().lanes(Class::BestEffort);
        members(lanes).filter_map(|v| Some((v, Header(self.link.front_header(v)?.data).dlid())))
    }

    /// Lanes of the link on which no message is on its way, and all of whose credits are home (`link_free`); none while the table is swept.
    pub fn link_free(&self) -> u32 {
        if self.init_left > 0 {
            return 0;
        }
        let home = |v: &usize| self.link.inside >> v & 1 == 0 && self.link.credits[*v] == self.p.depth;
        (0..self.p.vls).filter(home).fold(0, |set, v| set | 1 << v)
    }

    /// Lanes that are full (`lane_full`).
    pub fn full(&self) -> u32 {
        let full = |v: &usize| self.link.lanes[*v].len() == self.p.lane;
        (0..self.p.vls).filter(full).fold(0, |set, v| set | 1 << v)
    }
}
