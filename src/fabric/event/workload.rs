//! A fabric, who gives it packets and who watches it.

use std::collections::BTreeMap;

use super::offered::Offered;
use super::once::Once;
use super::state::Core;
use super::views::{HostView, SwitchView};
use crate::fabric::metrics::Delivery;
use crate::fabric::traffic::Traffic;

/// Where packets come from: at most one offer per host and cycle.
pub trait Workload {
    /// When the host offers its next packet, if ever.
    fn next_offer(&self, host: usize) -> Option<u64>;
    /// That packet.
    fn offer(&self, host: usize) -> Offered;
    /// It was posted in cycle `now`.
    fn take(&mut self, host: usize, now: u64);
    /// Its generation queue was full in cycle `now`.
    fn refuse(&mut self, host: usize, now: u64);
    /// A host took the last flit of a packet in cycle `now`.
    fn delivered(&mut self, src: usize, dst: usize, len: u32, now: u64);
    /// No offers from cycle `at` on.
    fn stop(&mut self, at: u64);
    /// From cycle `now` on there is room for packets from `host` to `dst`; whether one waits for that.
    fn room(&mut self, _host: usize, _dst: usize, _now: u64) -> bool {
        false
    }
    /// Destinations whose packets wait at `host` for room.
    fn blocked(&self, _host: usize) -> Vec<usize> {
        Vec::new()
    }
}

impl Workload for Traffic {
    fn next_offer(&self, host: usize) -> Option<u64> {
        Traffic::next_offer(self, host)
    }

    fn offer(&self, host: usize) -> Offered {
        let o = Traffic::offer(self, host);
        let (dst, len, last) = (o.dst as usize, u32::from(o.len), u32::from(o.last));
        Offered { dst, len, pkts: o.pkts.into(), last, born: o.born }
    }

    fn take(&mut self, host: usize, now: u64) {
        Traffic::take(self, host, now);
    }

    fn refuse(&mut self, host: usize, now: u64) {
        Traffic::refuse(self, host, now);
    }

    fn delivered(&mut self, src: usize, dst: usize, len: u32, now: u64) {
        Traffic::delivered(self, src, dst, len as u8, now);
    }

    fn stop(&mut self, at: u64) {
        Traffic::stop(self, at);
    }

    fn room(&mut self, host: usize, dst: usize, now: u64) -> bool {
        Traffic::room(self, host, dst as u32, now)
    }

    fn blocked(&self, host: usize) -> Vec<usize> {
        Traffic::blocked(self, host).into_iter().map(|dst| dst as usize).collect()
    }
}

/// What happens to packets, for measurements. Times in cycles from traffic time 0.
pub trait Observer {
    /// A packet was delivered in cycle `now`.
    fn delivered(&mut self, packet: &Delivered, now: u64);
    /// A packet of so many flits is sent before its time.
    fn speculative(&mut self, _len: u32) {}
    /// A source learns that one was dropped.
    fn dropped(&mut self, _len: u32) {}
}

/// A packet that its destination has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Source.
    pub src: usize,
    /// Destination.
    pub dst: usize,
    /// Flits.
    pub len: u32,
    /// Marked on its way.
    pub fecn: bool,
    /// It has MB, and not VB.
    pub warm: bool,
    /// It came as a speculative one.
    pub speculative: bool,
    /// When it was generated.
    pub born: u64,
    /// When the host posted it.
    pub posted: u64,
    /// When the injector took it.
    pub injected: u64,
}

impl Delivered {
    /// For the measurements: delivered in cycle `now`.
    pub fn delivery(&self, now: u64) -> Delivery {
        Delivery {
            src: self.src as u32,
            dst: self.dst as u32,
            len: self.len as u8,
            born: self.born,
            created: self.posted,
            injected: self.injected,
            t: now,
            fecn: self.fecn,
            warm: self.warm,
            spec: self.speculative,
        }
    }
}

/// A network of golden switches and adapters.
pub struct Fabric<W> {
    pub(super) core: Core,
    pub(super) work: W,
    pub(super) start: u64,
    pub(super) t: u64,
    pub(super) hosts: usize,
    /// Next PSN to post and to deliver of each pair.
    pub(super) posted: Vec<u32>,
    pub(super) delivered: Vec<u32>,
    /// The same where packets of a pair may overtake each other, else empty.
    pub(super) once: Vec<Once>,
    pub(super) in_flight: u64,
    /// When each host is looked at for an offer.
    pub(super) planned: Vec<u64>,
    /// When it is looked at for room next, if that must be looked for.
    pub(super) looked: Vec<u64>,
    /// By number of ports.
    pub(super) switch_views: BTreeMap<usize, SwitchView>,
    pub(super) host_view: HostView,
    pub(super) nodes: Vec<usize>,
    pub(super) sources: Vec<usize>,
    pub(super) movers: Vec<usize>,
    /// Every port and adapter is stepped in every cycle: what then differs is a rule, not a wake-up.
    #[cfg(test)]
    pub(super) wakeful: bool,
}
