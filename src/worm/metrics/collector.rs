//! Counts while a run goes on.

use super::deadlines::Clock;
use super::report::{ClassReport, FrameReport, Latency, Report, StreamReport};
use crate::fabric::metrics::Histogram;
use crate::worm::port::Class;

/// Why an adapter refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its queues are full.
    Full,
    /// There was no credit.
    NoCredit,
}

/// A message that was delivered.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Its class.
    pub class: Class,
    /// Flits.
    pub flits: u64,
    /// When it was created.
    pub created: u64,
    /// When the post that was accepted was taken.
    pub posted: u64,
    /// When its tail was on the link of its source.
    pub left: u64,
    /// When its tail was given to the host.
    pub at: u64,
}

/// Messages and flits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) messages: u64,
    pub(super) flits: u64,
}

impl Count {
    fn add(&mut self, flits: u64) {
        self.messages += 1;
        self.flits += flits;
    }
}

/// Of one class.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) offered: Count,
    pub(super) rejected: Count,
    pub(super) posted: Count,
    pub(super) dropped: Count,
    pub(super) delivered: Count,
    pub(super) full: u64,
    pub(super) no_credit: u64,
    pub(super) total: Histogram,
    pub(super) waited: Histogram,
    pub(super) from_post: Histogram,
    pub(super) adapter: Histogram,
    pub(super) network: Histogram,
}

/// Streams over the whole run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StreamCounts {
    pub(super) asked: u64,
    pub(super) asked_bw: u64,
    pub(super) opened: u64,
    pub(super) opened_bw: u64,
    pub(super) closed: u64,
    pub(super) rejected: u64,
    pub(super) no_bandwidth: u64,
    pub(super) no_credits: u64,
}

/// Frames.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameCounts {
    pub(super) delivered: u64,
    pub(super) dropped: u64,
    pub(super) rejected: u64,
    pub(super) late: Histogram,
}

/// The measurements of a run. What happens before the end of the warm-up, or after the sources were stopped, is not counted but for
/// the streams' openings; deadlines go on through both.
#[derive(Clone, Debug)]
pub struct Collector {
    from: u64,
    to: u64,
    classes: [Counts; 3],
    streams: StreamCounts,
    frames: FrameCounts,
    clocks: Vec<Clock>,
}

impl Collector {
    /// Nothing yet; so many streams.
    pub fn new(warmup: u64, streams: usize) -> Collector {
        Collector {
            from: warmup,
            to: u64::MAX,
            classes: Default::default(),
            streams: StreamCounts::default(),
            frames: FrameCounts::default(),
            clocks: vec![Clock::default(); streams],
        }
    }

    fn counts(&mut self, t: u64, class: Class) -> Option<&mut Counts> {
        (self.from..self.to).contains(&t).then_some(&mut self.classes[class as usize])
    }

    /// From this cycle on nothing is counted.
    pub fn stop(&mut self, t: u64) {
        self.to = self.to.min(t);
    }

    /// A message is created.
    pub fn created(&mut self, t: u64, class: Class, flits: u64) {
        if let Some(c) = self.counts(t, class) {
            c.offered.add(flits);
        }
    }

    /// A message is lost since its stream is not admitted.
    pub fn rejected(&mut self, t: u64, flits: u64) {
        if let Some(c) = self.counts(t, Class::RealTime) {
            c.rejected.add(flits);
        }
    }

    /// A post was accepted.
    pub fn accepted(&mut self, t: u64, class: Class, flits: u64) {
        if let Some(c) = self.counts(t, class) {
            c.posted.add(flits);
        }
    }

    /// A post was refused.
    pub fn refused(&mut self, t: u64, class: Class, why: Refusal) {
        if let Some(c) = self.counts(t, class) {
            match why {
                Refusal::Full => c.full += 1,
                Refusal::NoCredit => c.no_credit += 1,
            }
        }
    }

    /// A real-time message is dropped at its source, after its deadline.
    pub fn dropped(&mut self, t: u64, flits: u64) {
        if let Some(c) = self.counts(t, Class::RealTime) {
            c.dropped.add(flits);
        }
    }

    /// A message was delivered.
    pub fn delivered(&mut self, a: &Arrival) {
        if let Some(c) = self.counts(a.at, a.class) {
            c.delivered.add(a.flits);
            c.total.add(a.at - a.created);
            c.waited.add(a.posted - a.created);
            c.from_post.add(a.at - a.posted);
            c.adapter.add(a.left - a.posted);
            c.network.add(a.at - a.left);
        }
    }

    /// A frame of a stream is whole at its destination.
    pub fn frame(&mut self, stream: usize, frame: u64, born: u64, time: u64, at: u64) {
        let late = self.clocks[stream].arrives(frame, born, time, at);
        if (self.from..self.to).contains(&at) {
            self.frames.delivered += 1;
            if let Some(late) = late {
                self.frames.late.add(late);
            }
        }
    }

    /// A frame is dropped at its source.
    pub fn frame_dropped(&mut self, t: u64) {
        self.frames.dropped += u64::from((self.from..self.to).contains(&t));
    }

    /// A frame of a stream that is not admitted.
    pub fn frame_rejected(&mut self, t: u64) {
        self.frames.rejected += u64::from((self.from..self.to).contains(&t));
    }

    /// A stream asks for its bandwidth for the first time.
    pub fn asked(&mut self, bw: u16) {
        self.streams.asked += 1;
        self.streams.asked_bw += u64::from(bw);
    }

    /// A stream is open.
    pub fn opened(&mut self, bw: u16) {
        self.streams.opened += 1;
        self.streams.opened_bw += u64::from(bw);
    }

    /// A stream is closed.
    pub fn closed(&mut self) {
        self.streams.closed += 1;
    }

    /// The network rejects a stream.
    pub fn stream_rejected(&mut self) {
        self.streams.rejected += 1;
    }

    /// The own adapter refuses a stream: for want of credits, or of bandwidth of its link.
    pub fn stream_refused(&mut self, credits: bool) {
        match credits {
            true => self.streams.no_credits += 1,
            false => self.streams.no_bandwidth += 1,
        }
    }

    /// The report of a run of `cycles` cycles.
    pub fn report(&self, traffic: &str, hosts: usize, cycle_ps: u64, cycles: u64) -> Report {
        let to = self.to.min(cycles);
        let window = to.saturating_sub(self.from);
        let rate = |flits: u64| flits as f64 / (window.max(1) * hosts.max(1) as u64) as f64;
        let class = |c: &Counts| ClassReport {
            offered_messages: c.offered.messages,
            offered_flits: c.offered.flits,
            offered_flits_per_cycle_and_host: rate(c.offered.flits),
            rejected_messages: c.rejected.messages,
            posted_messages: c.posted.messages,
            posted_flits_per_cycle_and_host: rate(c.posted.flits),
            refused_full_posts: c.full,
            refused_no_credit_posts: c.no_credit,
            dropped_messages: c.dropped.messages,
            dropped_share: ratio(
                c.dropped.messages,
                c.offered.messages - c.rejected.messages.min(c.offered.messages),
            ),
            delivered_messages: c.delivered.messages,
            delivered_flits: c.delivered.flits,
            delivered_flits_per_cycle_and_host: rate(c.delivered.flits),
            latency: Latency::of(&c.total),
            host_wait: Latency::of(&c.waited),
            latency_from_post: Latency::of(&c.from_post),
            adapter: Latency::of(&c.adapter),
            network: Latency::of(&c.network),
        };
        let s = &self.streams;
        let f = &self.frames;
        let missed = f.late.count();
        Report {
            traffic: traffic.into(),
            hosts,
            cycle_ps,
            cycles,
            warmup_cycles: self.from,
            window_cycles: window,
            control: class(&self.classes[Class::Control as usize]),
            real_time: class(&self.classes[Class::RealTime as usize]),
            best_effort: class(&self.classes[Class::BestEffort as usize]),
            streams: StreamReport {
                asked_streams: s.asked,
                opened_streams: s.opened,
                closed_streams: s.closed,
                admitted_share: ratio(s.opened, s.asked),
                asked_parts_of_4096: s.asked_bw,
                opened_parts_of_4096: s.opened_bw,
                admitted_bandwidth_share: ratio(s.opened_bw, s.asked_bw),
                rejected_probes: s.rejected,
                refused_opens_no_bandwidth: s.no_bandwidth,
                refused_opens_no_credits: s.no_credits,
            },
            frames: FrameReport {
                delivered_frames: f.delivered,
                missed_frames: missed,
                dropped_frames: f.dropped,
                rejected_frames: f.rejected,
                dmp: ratio(missed, f.delivered),
                dmt_cycles: f.late.mean(),
                dmt_ms: f.late.mean() * cycle_ps as f64 / 1e9,
                late: Latency::of(&f.late),
            },
        }
    }
}

fn ratio(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}
