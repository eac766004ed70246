//! What a cycle brings, decoded.

use crate::model::util::offsets;
use crate::model::worm::classes::Set;
use crate::params::Params;

offsets! {
    In, input,
    cfg_we cfg_re cfg_addr cfg_data use_we use_addr use_mask be_front be_dlid tx_valid tx_vl tx_first dlv_valid link_free own_full
    owned full gather sum_valid sum_full sum_flits
}

/// Most ports and lanes that a unit has.
pub(super) const MOST: usize = 16;

/// Sums that the side-band brings: full lanes, flits delivered.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    pub(super) full: u32,
    pub(super) flits: u32,
}

/// The inputs of a cycle.
pub(super) struct Seen {
    /// Number and data of a register write.
    pub(super) write: Option<(u32, u32)>,
    /// Number of a register read.
    pub(super) read: Option<u32>,
    /// A table write: DLID, useful outputs.
    pub(super) route: Option<(usize, u32)>,
    /// Lanes with a best-effort header in front.
    pub(super) front: Set,
    pub(super) dlid: [u32; MOST],
    /// Lane of the header that is sent.
    pub(super) sent: Option<usize>,
    pub(super) delivers: bool,
    pub(super) link_free: Set,
    /// Owned lanes of each output.
    pub(super) owned: [Set; MOST],
    /// Full lanes of the adapter; how many of the router are.
    pub(super) own_full: Set,
    pub(super) router_full: u32,
    pub(super) gather: bool,
    pub(super) sum: Option<Sum>,
}

/// A bit for each of `n` words that is 1.
fn set(words: &[u32]) -> Set {
    words.iter().enumerate().fold(0, |all, (v, w)| all | (w & 1) << v)
}

impl Seen {
    pub(super) fn new(i: &In, p: &Params, input: &[u32]) -> Seen {
        let on = |at: usize| input[at] & 1 != 0;
        let half = |at: usize| input[at] & 0xffff;
        let lanes = |at: usize| &input[at..at + p.vls];
        let (mut dlid, mut owned) = ([0; MOST], [0; MOST]);
        for (v, d) in dlid[..p.vls].iter_mut().enumerate() {
            *d = half(i.be_dlid + v);
        }
        for (port, o) in owned[..p.ports].iter_mut().enumerate() {
            *o = set(lanes(i.owned + port * p.vls));
        }
        let number = input[i.cfg_addr] & 0xff;
        let most = 0xff_ffff;
        Seen {
            write: on(i.cfg_we).then_some((number, input[i.cfg_data])),
            read: on(i.cfg_re).then_some(number),
            route: on(i.use_we).then(|| (half(i.use_addr) as usize, half(i.use_mask))),
            front: set(lanes(i.be_front)),
            dlid,
            sent: (on(i.tx_valid) && on(i.tx_first)).then_some(input[i.tx_vl] as usize & 0xf),
            delivers: on(i.dlv_valid),
            link_free: set(lanes(i.link_free)),
            owned,
            own_full: set(lanes(i.own_full)),
            router_full: input[i.full..i.full + p.ports * p.vls].iter().map(|w| w & 1).sum(),
            gather: on(i.gather),
            sum: on(i.sum_valid)
                .then(|| Sum { full: input[i.sum_full] & most, flits: input[i.sum_flits] & most }),
        }
    }

    pub(super) fn is_front(&self, v: usize) -> bool {
        self.front >> v & 1 != 0
    }
}
