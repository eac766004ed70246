//! What a node is made of: a golden unit, which takes pins as they are, or a Verilated model, for which they are words.

use super::seen::{AdapterSeen, RouterSeen};
use super::words::{AdapterWords, RouterWords};
use crate::cosim::engines::Device;
use crate::model::Unit;
use crate::model::worm::wires::{AdapterPins, AdapterShows, MOST, RouterPins, Sending};
use crate::model::worm_adapter::WormAdapter;
use crate::model::worm_router::WormRouter;
use crate::params::{Params, UnitKind};
use crate::signals::Layout;

/// Takes inputs, outputs and state of a cycle as words.
pub(super) type Look<'a> = &'a mut dyn FnMut(&[u32], &[u32], &[u32]);

/// A router.
pub(super) trait Router: Send {
    /// Takes a cycle's pins, makes the edge that ends it, and shows what its ports send in the next cycle.
    fn advance(&mut self, pins: &RouterPins, sends: &mut [Sending; MOST]) -> Result<(), String>;
    /// The current cycle is the first one after a reset.
    fn reset(&mut self);
    /// What injection control sees in the current cycle.
    fn seen(&self) -> RouterSeen;
    /// Words of the current cycle.
    fn look(&mut self, pins: &RouterPins, f: Look);
}

/// An adapter.
pub(super) trait Adapter: Send {
    /// The same, with what the host is shown.
    fn advance(
        &mut self,
        pins: &AdapterPins,
        sends: &mut Sending,
        shows: &mut AdapterShows,
    ) -> Result<(), String>;
    /// What injection control sees in the current cycle.
    fn seen(&self) -> AdapterSeen;
    /// Words of the current cycle.
    fn look(&mut self, pins: &AdapterPins, f: Look);
}

/// Word vectors of a unit.
struct Words {
    input: Vec<u32>,
    output: Vec<u32>,
    state: Vec<u32>,
}

impl Words {
    fn new(l: &Layout) -> Words {
        Words { input: l.idle(), output: vec![0; l.out_words], state: vec![0; l.state_words] }
    }
}

/// A golden router.
pub(super) struct GoldenRouter {
    unit: WormRouter,
    p: Params,
    at: RouterWords,
    words: Words,
}

impl GoldenRouter {
    pub(super) fn new(p: &Params) -> GoldenRouter {
        let l = Layout::new(UnitKind::WormRouter, p);
        let unit = WormRouter::new(p).unwatched();
        GoldenRouter { unit, p: *p, at: RouterWords::new(&l, p), words: Words::new(&l) }
    }
}

impl Router for GoldenRouter {
    fn advance(&mut self, pins: &RouterPins, sends: &mut [Sending; MOST]) -> Result<(), String> {
        self.unit.advance(pins);
        for (p, to) in sends.iter_mut().enumerate().take(self.p.ports) {
            *to = self.unit.sends(p);
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.unit = WormRouter::new(&self.p).unwatched();
    }

    fn seen(&self) -> RouterSeen {
        let mut seen = RouterSeen::default();
        for p in 0..self.p.ports {
            (seen.owned[p], seen.full[p]) = (self.unit.owned(p), self.unit.full(p));
        }
        seen
    }

    fn look(&mut self, pins: &RouterPins, f: Look) {
        let Words { input, output, state } = &mut self.words;
        self.at.set(pins, input);
        self.unit.outputs(input, output);
        self.unit.state(state);
        f(input, output, state);
    }
}

/// A golden adapter.
pub(super) struct GoldenAdapter {
    unit: WormAdapter,
    at: AdapterWords,
    words: Words,
}

impl GoldenAdapter {
    pub(super) fn new(p: &Params) -> GoldenAdapter {
        let l = Layout::new(UnitKind::WormAdapter, p);
        let unit = WormAdapter::new(p).unwatched();
        GoldenAdapter { unit, at: AdapterWords::new(&l, p), words: Words::new(&l) }
    }
}

impl Adapter for GoldenAdapter {
    fn advance(
        &mut self,
        pins: &AdapterPins,
        sends: &mut Sending,
        shows: &mut AdapterShows,
    ) -> Result<(), String> {
        self.unit.advance(pins);
        *sends = self.unit.sends();
        *shows = self.unit.shows();
        Ok(())
    }

    fn seen(&self) -> AdapterSeen {
        let (free, full) = (self.unit.link_free(), self.unit.full());
        let mut seen = AdapterSeen { free, full, ..AdapterSeen::default() };
        for (v, dlid) in self.unit.best_effort_fronts() {
            seen.front |= 1 << v;
            seen.dlid[v] = dlid as u16;
        }
        seen
    }

    fn look(&mut self, pins: &AdapterPins, f: Look) {
        let Words { input, output, state } = &mut self.words;
        self.at.set(pins, input);
        self.unit.outputs(input, output);
        self.unit.state(state);
        f(input, output, state);
    }
}

/// A unit behind word vectors: a router or an adapter.
pub(super) struct Worded<At> {
    device: Box<dyn Device>,
    at: At,
    words: Words,
    /// The state of every cycle is wanted.
    watched: bool,
}

impl<At> Worded<At> {
    pub(super) fn new(mut device: Box<dyn Device>, l: &Layout, at: At, watched: bool) -> Worded<At> {
        let mut words = Words::new(l);
        device.reset(&mut words.output, &mut words.state);
        Worded { device, at, words, watched }
    }

    /// The edge; the inputs are set.
    fn edge(&mut self) -> Result<(), String> {
        let Words { input, output, state } = &mut self.words;
        self.device.advance(input, output, if self.watched { state } else { &mut [] })
    }

    /// The state of the current cycle is there.
    fn sample(&mut self) {
        if !self.watched {
            self.device.state(&mut self.words.output, &mut self.words.state);
        }
    }
}

impl Router for Worded<RouterWords> {
    fn advance(&mut self, pins: &RouterPins, sends: &mut [Sending; MOST]) -> Result<(), String> {
        self.at.set(pins, &mut self.words.input);
        self.edge()?;
        self.at.sends(&self.words.output, sends);
        Ok(())
    }

    fn reset(&mut self) {
        self.device.reset(&mut self.words.output, &mut self.words.state);
    }

    fn seen(&self) -> RouterSeen {
        self.at.seen(&self.words.output)
    }

    fn look(&mut self, pins: &RouterPins, f: Look) {
        self.sample();
        self.at.set(pins, &mut self.words.input);
        f(&self.words.input, &self.words.output, &self.words.state);
    }
}

impl Adapter for Worded<AdapterWords> {
    fn advance(
        &mut self,
        pins: &AdapterPins,
        sends: &mut Sending,
        shows: &mut AdapterShows,
    ) -> Result<(), String> {
        self.at.set(pins, &mut self.words.input);
        self.edge()?;
        *sends = self.at.sends(&self.words.output);
        *shows = self.at.shows(&self.words.output);
        Ok(())
    }

    fn seen(&self) -> AdapterSeen {
        self.at.seen(&self.words.output)
    }

    fn look(&mut self, pins: &AdapterPins, f: Look) {
        self.sample();
        self.at.set(pins, &mut self.words.input);
        f(&self.words.input, &self.words.output, &self.words.state);
    }
}
