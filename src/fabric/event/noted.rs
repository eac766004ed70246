//! Traffic that keeps a note of its offers.

use std::cell::RefCell;

use super::offered::Offered;
use super::workload::Workload;
use crate::fabric::traffic::{Offer, Traffic};

/// Traffic, and what became of its offers since it was last asked.
#[derive(Debug)]
pub struct Noted {
    /// Who sends what.
    pub traffic: Traffic,
    offers: RefCell<Vec<(u32, Offer, bool)>>,
}

impl Noted {
    /// None yet.
    pub fn new(traffic: Traffic) -> Noted {
        Noted { traffic, offers: RefCell::default() }
    }

    /// Source, offer, and whether the adapter took it, of each since the last call.
    pub fn drain(&self) -> Vec<(u32, Offer, bool)> {
        self.offers.take()
    }

    fn note(&mut self, host: usize, taken: bool) {
        let offer = self.traffic.offer(host);
        self.offers.get_mut().push((host as u32, offer, taken));
    }
}

impl Workload for Noted {
    fn next_offer(&self, host: usize) -> Option<u64> {
        self.traffic.next_offer(host)
    }

    fn offer(&self, host: usize) -> Offered {
        Workload::offer(&self.traffic, host)
    }

    fn take(&mut self, host: usize, now: u64) {
        self.note(host, true);
        self.traffic.take(host, now);
    }

    fn refuse(&mut self, host: usize, now: u64) {
        self.note(host, false);
        self.traffic.refuse(host, now);
    }

    fn delivered(&mut self, src: usize, dst: usize, len: u32, now: u64) {
        Workload::delivered(&mut self.traffic, src, dst, len, now);
    }

    fn stop(&mut self, at: u64) {
        self.traffic.stop(at);
    }

    fn room(&mut self, host: usize, dst: usize, now: u64) -> bool {
        Workload::room(&mut self.traffic, host, dst, now)
    }

    fn blocked(&self, host: usize) -> Vec<usize> {
        Workload::blocked(&self.traffic, host)
    }
}
