//! An adapter whose losses end (DEDUP = 1): section 14 of the page.

use super::cover::Cover;
use super::reserve_state::{Delayed, INIT, Kind, Tracked, code_of, kind_of};
use super::state::{Arrival, BAD_FLOW, Flags, Hca, Rx};
use crate::model::header::{Header, SrpFields};
use crate::model::link::Control;
use crate::params::lanes::opcode;

impl Hca {
    /// What the receiver hears in this cycle: the inputs with flits and `link_up` of the cycle before, and its FCTBS.
    pub(super) fn heard(&self, input: &[u32]) -> Option<(Vec<u32>, Control)> {
        let pins = self.reserve.as_ref().map(|r| &r.pins).filter(|_| self.p.dedup)?;
        let mut words = input.to_vec();
        let i = &self.i;
        for (at, word) in [i.rx_valid, i.rx_first, i.rx_last, i.rx_bad].into_iter().zip(pins.flags) {
            words[at] = word;
        }
        let data = &mut words[i.rx_data..][..self.flit_words];
        // Nothing came before the first cycle.
        data.fill(0);
        data[..pins.data.len()].copy_from_slice(&pins.data);
        words[i.link_up] = u32::from(!pins.down);
        Some((words, Control { fctbs: pins.fctbs, ..Control::default() }))
    }

    /// The edge: what the link brings goes into its register.
    pub(super) fn step_pins(&mut self, input: &[u32], control: &Control) {
        if !self.p.dedup {
            return;
        }
        let pins = self.pins(input, control);
        self.reserve.iter_mut().for_each(|r| r.pins = pins.clone());
    }

    fn pins(&self, input: &[u32], control: &Control) -> Delayed {
        let i = &self.i;
        if input[i.link_up] & 1 == 0 {
            return Delayed { down: true, ..Delayed::default() };
        }
        let mut pins = Delayed {
            flags: [i.rx_valid, i.rx_first, i.rx_last, i.rx_bad].map(|at| input[at] & 1),
            data: input[i.rx_data..][..self.flit_words].to_vec(),
            fctbs: control.fctbs,
            down: false,
            strange: false,
            pass: false,
            tracked: self.reserve.as_ref().and_then(|r| r.pins.tracked),
        };
        let [valid, first, last, _] = pins.flags;
        if valid & first != 0 {
            let found = self.found(&pins.data);
            pins.strange = matches!(found, Some(None));
            pins.tracked = found.flatten();
        }
        pins.pass = valid & last != 0 && pins.tracked.is_some_and(|t| t.kind == Kind::Plain);
        pins.tracked = pins.tracked.filter(|_| valid & last == 0);
        pins
    }

    /// Whether a first flit is of the table; of which flow and what, if it is of one.
    fn found(&self, data: &[u32]) -> Option<Option<Tracked>> {
        let (h, f) = (Header::parse(data), SrpFields::parse(data));
        let kind = kind_of(code_of(&h), f.flags)?;
        let psn = h.bth.map_or(0, |b| b.psn);
        let init = f.flags & INIT != 0;
        let flow = self.flow_of(h.slid.into());
        let tracked = flow.map(|flow| Tracked { kind, init, flow, id: f.id, seq: f.seq, psn });
        // A packet that is not told apart may be of no flow.
        (tracked.is_some() || kind != Kind::Plain).then_some(tracked)
    }

    /// Inputs of the table of sources: the op of this cycle, and whether that of the cycle before was of something whole and good.
    pub(super) fn drive_sources(&self, input: &[u32], a: &Arrival, words: &mut [u32], at: usize) {
        // `see_look` and what follows it: mark, res, init, flow, id, seq, ok, spec, pass, psn.
        words[at + 7] = u32::from(a.received || a.request.is_some());
        if input[self.i.link_up] & input[self.i.rx_valid] & 1 == 0 {
            return;
        }
        let first = input[self.i.rx_first] & 1 != 0;
        let last = input[self.i.rx_last] & 1 != 0;
        let tracked = match first {
            true => self.found(&input[self.i.rx_data..][..self.flit_words]).flatten(),
            false => self.reserve.as_ref().and_then(|r| r.pins.tracked),
        };
        let Some(t) = tracked.filter(|t| first || t.kind != Kind::Res) else { return };
        let (res, told_apart) = (t.kind == Kind::Res, matches!(t.kind, Kind::Spec | Kind::Again));
        let what = [told_apart && first, told_apart && last, res, res && t.init];
        words[at..at + 4].iter_mut().zip(what).for_each(|(word, is)| *word = is.into());
        words[at + 4..at + 7].copy_from_slice(&[t.flow as u32, t.id.into(), t.seq.into()]);
        let order = [t.kind == Kind::Spec && first, t.kind == Kind::Plain && last].map(u32::from);
        words[at + 8..at + 11].copy_from_slice(&[order[0], order[1], t.psn]);
    }

    /// A first flit of the cycle before is of the table, and of no flow.
    pub(super) fn is_strange(&mut self, h: &Header, a: &mut Arrival) -> bool {
        let strange = self.p.dedup && self.reserve.as_ref().is_some_and(|r| r.pins.strange);
        if strange {
            a.errors |= BAD_FLOW;
            let res = code_of(h) == Some(opcode::RES);
            self.hit(if res { Cover::q22_strange_res } else { Cover::q22_strange });
        }
        strange
    }

    /// Cover: a packet that is not told apart is whole and good.
    pub(super) fn cover_pass(&mut self, a: &Arrival) {
        let pass = self.reserve.as_ref().is_some_and(|r| r.pins.pass);
        self.hit_if(pass && a.received, Cover::q21_pass);
    }

    /// `see_drop`, `see_ack`, `see_known` of the flit that is judged.
    pub(super) fn seen(&self) -> (bool, bool, u32) {
        match &self.reserve {
            Some(r) if self.p.dedup => {
                let o = &self.chooser.out;
                (o[r.out.see_drop] != 0, o[r.out.see_ack] != 0, o[r.out.see_known])
            }
            _ => (false, false, 0),
        }
    }

    /// A packet that came before: it is dropped, or a marker is stored for it. False: it is new.
    pub(super) fn drop_copy(&mut self, vl: usize, last: bool, a: &mut Arrival) -> bool {
        let (drop, ack, _) = self.seen();
        if !drop {
            return false;
        }
        a.state = if last { Rx::Idle } else { Rx::Skip };
        if ack {
            a.store = Some(Flags { first: true, last: true, bad: false, vl, marker: true });
        }
        self.hit(if ack { Cover::q22_marker } else { Cover::q22_dropped });
        self.hit_if(!last, if ack { Cover::q22_marker_long } else { Cover::q22_dropped_long });
        true
    }

    /// A marker leaves the receive FIFO in this cycle.
    pub(super) fn marker_leaves(&self) -> bool {
        let marker = self.receiver.fifo.front().is_some_and(|head| head.marker);
        marker && self.reserve.as_ref().is_some_and(|r| self.chooser.out[r.out.end_ok] != 0)
    }
}
