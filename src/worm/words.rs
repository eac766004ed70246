//! Pins as word vectors, for Verilated models and waveforms, and words as pins.

use super::seen::{AdapterSeen, RouterSeen};
use crate::model::util::offsets;
use crate::model::worm::wires::{
    Access, AdapterPins, AdapterShows, Completion, Done, LinkFlit, RouterPins, Sending, gather, scatter,
};
use crate::params::Params;
use crate::signals::{Group, Layout};

offsets! {
    RouterIn, input,
    cfg_we cfg_re cfg_port cfg_addr cfg_data lft_we lft_addr lft_port link_up rx_credit
}

offsets! {
    RouterOut, output,
    tx_credit lane_owned lane_full
}

offsets! {
    AdapterIn, input,
    cfg_we cfg_re cfg_addr cfg_data link_up open_valid open_conn open_dlid open_bw post_valid post_class post_conn post_dlid
    post_len post_final post_tag dma_data be_hold rx_credit
}

offsets! {
    AdapterOut, output,
    open_ready post_ready done_valid done_post done_why done_tag event_valid event_kind event_conn cqe_valid cqe_class
    cqe_conn cqe_tag dma_valid dma_tag dma_index be_front be_dlid link_free lane_full tx_credit
    dlv_cut
}

/// Where the fields of a flit are.
#[derive(Clone, Copy)]
struct Flits {
    valid: usize,
    vl: usize,
    first: usize,
    last: usize,
    bad: usize,
    data: usize,
}

impl Flits {
    /// Of the signals that begin with `of`.
    fn new(l: &Layout, group: Group, of: &str) -> Flits {
        let at = |field: &str| l.signal(group, &format!("{of}_{field}")).offset;
        Flits {
            valid: at("valid"),
            vl: at("vl"),
            first: at("first"),
            last: at("last"),
            bad: at("bad"),
            data: at("data"),
        }
    }

    fn set(&self, p: usize, flit: Option<LinkFlit>, words: &mut [u32]) {
        words[self.valid + p] = flit.is_some().into();
        let f = flit.unwrap_or_default();
        words[self.vl + p] = f.vl.into();
        words[self.first + p] = f.first.into();
        words[self.last + p] = f.last.into();
        words[self.bad + p] = f.bad.into();
        words[self.data + 4 * p..][..4].copy_from_slice(&f.data);
    }

    fn get(&self, p: usize, words: &[u32]) -> Option<LinkFlit> {
        let flag = |at: usize| words[at + p] != 0;
        flag(self.valid).then(|| LinkFlit {
            vl: words[self.vl + p] as u8,
            first: flag(self.first),
            last: flag(self.last),
            bad: flag(self.bad),
            data: std::array::from_fn(|w| words[self.data + 4 * p + w]),
        })
    }
}

/// Where everything of a router is.
pub(super) struct RouterWords {
    vls: usize,
    ports: usize,
    i: RouterIn,
    o: RouterOut,
    rx: Flits,
    tx: Flits,
}

impl RouterWords {
    pub(super) fn new(l: &Layout, p: &Params) -> RouterWords {
        RouterWords {
            vls: p.vls,
            ports: p.ports,
            i: RouterIn::new(l),
            o: RouterOut::new(l),
            rx: Flits::new(l, Group::Input, "rx"),
            tx: Flits::new(l, Group::Output, "tx"),
        }
    }

    /// Inputs of a cycle.
    pub(super) fn set(&self, pins: &RouterPins, words: &mut [u32]) {
        let Access { write, read, port, addr, data } = pins.access;
        let i = &self.i;
        (words[i.cfg_we], words[i.cfg_re]) = (write.into(), read.into());
        (words[i.cfg_port], words[i.cfg_addr], words[i.cfg_data]) = (port.into(), addr.into(), data);
        let entry = pins.entry.map_or([0; 3], |e| [1, e.dlid.into(), e.port.into()]);
        [words[i.lft_we], words[i.lft_addr], words[i.lft_port]] = entry;
        scatter(pins.up, &mut words[i.link_up..][..self.ports]);
        for p in 0..self.ports {
            self.rx.set(p, pins.links[p].flit, words);
            scatter(pins.links[p].credits, &mut words[i.rx_credit + p * self.vls..][..self.vls]);
        }
    }

    /// What its ports send.
    pub(super) fn sends(&self, words: &[u32], sends: &mut [Sending]) {
        for (p, to) in sends.iter_mut().enumerate().take(self.ports) {
            let credits = gather(&words[self.o.tx_credit + p * self.vls..][..self.vls]);
            *to = Sending { flit: self.tx.get(p, words), credits };
        }
    }

    /// What injection control sees.
    pub(super) fn seen(&self, output: &[u32]) -> RouterSeen {
        let mut seen = RouterSeen::default();
        for p in 0..self.ports {
            let at = p * self.vls;
            seen.owned[p] = gather(&output[self.o.lane_owned + at..][..self.vls]);
            seen.full[p] = gather(&output[self.o.lane_full + at..][..self.vls]);
        }
        seen
    }
}

/// Where everything of an adapter is.
pub(super) struct AdapterWords {
    vls: usize,
    i: AdapterIn,
    o: AdapterOut,
    rx: Flits,
    tx: Flits,
    dlv: Flits,
}

impl AdapterWords {
    pub(super) fn new(l: &Layout, p: &Params) -> AdapterWords {
        AdapterWords {
            vls: p.vls,
            i: AdapterIn::new(l),
            o: AdapterOut::new(l),
            rx: Flits::new(l, Group::Input, "rx"),
            tx: Flits::new(l, Group::Output, "tx"),
            dlv: Flits::new(l, Group::Output, "dlv"),
        }
    }

    /// Inputs of a cycle.
    pub(super) fn set(&self, pins: &AdapterPins, words: &mut [u32]) {
        let Access { write, read, addr, data, .. } = pins.access;
        let i = &self.i;
        (words[i.cfg_we], words[i.cfg_re]) = (write.into(), read.into());
        (words[i.cfg_addr], words[i.cfg_data]) = (addr.into(), data);
        words[i.link_up] = pins.up.into();
        let open = pins.open.map_or([0; 4], |o| [1, o.conn, o.dlid, o.bw]);
        [words[i.open_valid], words[i.open_conn], words[i.open_dlid], words[i.open_bw]] = open;
        let post =
            pins.post.map_or([0; 7], |p| [1, p.class, p.conn, p.dlid, p.len as u32, p.last.into(), p.tag]);
        let at = [i.post_valid, i.post_class, i.post_conn, i.post_dlid, i.post_len, i.post_final, i.post_tag];
        at.into_iter().zip(post).for_each(|(at, word)| words[at] = word);
        words[i.dma_data..][..4].copy_from_slice(&pins.dma);
        scatter(pins.hold, &mut words[i.be_hold..][..self.vls]);
        self.rx.set(0, pins.link.flit, words);
        scatter(pins.link.credits, &mut words[i.rx_credit..][..self.vls]);
    }

    /// What goes to the router.
    pub(super) fn sends(&self, words: &[u32]) -> Sending {
        let credits = gather(&words[self.o.tx_credit..][..self.vls]);
        Sending { flit: self.tx.get(0, words), credits }
    }

    /// What the host is shown.
    pub(super) fn shows(&self, words: &[u32]) -> AdapterShows {
        let o = &self.o;
        let flag = |at: usize| words[at] != 0;
        let done = || Done { post: flag(o.done_post), why: words[o.done_why], tag: words[o.done_tag] };
        let completion =
            || Completion { class: words[o.cqe_class], conn: words[o.cqe_conn], tag: words[o.cqe_tag] };
        AdapterShows {
            open_ready: flag(o.open_ready),
            post_ready: flag(o.post_ready),
            done: flag(o.done_valid).then(done),
            event: flag(o.event_valid).then(|| (words[o.event_kind], words[o.event_conn])),
            completion: flag(o.cqe_valid).then(completion),
            dma: flag(o.dma_valid).then(|| (words[o.dma_tag], words[o.dma_index] as usize)),
            delivered: self.dlv.get(0, words),
            cut: gather(&words[o.dlv_cut..][..self.vls]),
        }
    }

    /// What injection control sees.
    pub(super) fn seen(&self, output: &[u32]) -> AdapterSeen {
        let set = |at: usize| gather(&output[at..][..self.vls]);
        let mut seen = AdapterSeen {
            front: set(self.o.be_front),
            free: set(self.o.link_free),
            full: set(self.o.lane_full),
            ..AdapterSeen::default()
        };
        for v in 0..self.vls {
            seen.dlid[v] = output[self.o.be_dlid + v] as u16;
        }
        seen
    }
}
