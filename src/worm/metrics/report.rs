//! The measurements of a run, and how they are written.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::fabric::metrics::Histogram;

/// Times in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Messages (or frames).
    pub count: u64,
    /// Mean, exact.
    pub mean_cycles: f64,
    /// Percentiles, at most 1/32 too high.
    pub p50_cycles: u64,
    /// 90 %.
    pub p90_cycles: u64,
    /// 99 %.
    pub p99_cycles: u64,
    /// 99.9 %.
    pub p999_cycles: u64,
    /// Largest, exact.
    pub max_cycles: u64,
}

impl Latency {
    pub(super) fn of(h: &Histogram) -> Latency {
        Latency {
            count: h.count(),
            mean_cycles: h.mean(),
            p50_cycles: h.percentile(500),
            p90_cycles: h.percentile(900),
            p99_cycles: h.percentile(990),
            p999_cycles: h.percentile(999),
            max_cycles: h.max(),
        }
    }
}

/// What became of the messages of a class. Rates are flits per cycle and host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassReport {
    /// Created.
    pub offered_messages: u64,
    /// Their flits.
    pub offered_flits: u64,
    /// The same as a rate.
    pub offered_flits_per_cycle_and_host: f64,
    /// Of streams that are not admitted.
    pub rejected_messages: u64,
    /// Accepted by adapters.
    pub posted_messages: u64,
    /// Their flits as a rate.
    pub posted_flits_per_cycle_and_host: f64,
    /// Posts for which a queue was full.
    pub refused_full_posts: u64,
    /// Posts without a credit.
    pub refused_no_credit_posts: u64,
    /// Real-time messages dropped at their sources, after their deadlines.
    pub dropped_messages: u64,
    /// Of those that were created and not rejected.
    pub dropped_share: f64,
    /// Delivered.
    pub delivered_messages: u64,
    /// Their flits.
    pub delivered_flits: u64,
    /// The same as a rate.
    pub delivered_flits_per_cycle_and_host: f64,
    /// From creation to the tail at the destination's host.
    pub latency: Latency,
    /// Part of it, in the host: from creation to the post that is accepted.
    pub host_wait: Latency,
    /// The rest of it: from that post.
    pub latency_from_post: Latency,
    /// Part of that: from that post to the tail on the link of the source.
    pub adapter: Latency,
    /// And in the network: from the tail on the link of the source to the tail at the destination's host.
    pub network: Latency,
}

/// What became of the streams, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamReport {
    /// Streams that asked to be opened.
    pub asked_streams: u64,
    /// Those that were.
    pub opened_streams: u64,
    /// Those that have closed again.
    pub closed_streams: u64,
    /// Of the streams that asked.
    pub admitted_share: f64,
    /// What they asked for.
    pub asked_parts_of_4096: u64,
    /// What those that were opened asked for.
    pub opened_parts_of_4096: u64,
    /// Of what was asked for.
    pub admitted_bandwidth_share: f64,
    /// Answers that said no.
    pub rejected_probes: u64,
    /// Opens for which the own link had no bandwidth.
    pub refused_opens_no_bandwidth: u64,
    /// Opens for which the adapter had no credits.
    pub refused_opens_no_credits: u64,
}

/// What became of video frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameReport {
    /// Whole at their destinations.
    pub delivered_frames: u64,
    /// Of these, after their deadlines.
    pub missed_frames: u64,
    /// Dropped at their sources, after their deadlines.
    pub dropped_frames: u64,
    /// Of streams that are not admitted.
    pub rejected_frames: u64,
    /// Probability to miss a deadline: missed of delivered.
    pub dmp: f64,
    /// By how much a frame that misses does, in the mean.
    pub dmt_cycles: f64,
    /// The same in ms.
    pub dmt_ms: f64,
    /// The same, spread.
    pub late: Latency,
}

/// Everything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the traffic.
    pub traffic: String,
    /// Hosts.
    pub hosts: usize,
    /// Duration of a cycle, ps.
    pub cycle_ps: u64,
    /// Cycles simulated.
    pub cycles: u64,
    /// Cycles at the beginning that are left out.
    pub warmup_cycles: u64,
    /// Cycles that are measured.
    pub window_cycles: u64,
    /// Control messages.
    pub control: ClassReport,
    /// Those of streams.
    pub real_time: ClassReport,
    /// The others.
    pub best_effort: ClassReport,
    /// Streams.
    pub streams: StreamReport,
    /// Video frames.
    pub frames: FrameReport,
}

impl Report {
    /// The classes that offered something, first to last.
    pub fn classes(&self) -> impl Iterator<Item = (&'static str, &ClassReport)> {
        let all =
            [("control", &self.control), ("real-time", &self.real_time), ("best-effort", &self.best_effort)];
        all.into_iter().filter(|(_, c)| c.offered_messages + c.delivered_messages > 0)
    }

    /// Delivered flits per cycle and host of all classes.
    pub fn delivered_flits_per_cycle_and_host(&self) -> f64 {
        self.classes().map(|(_, c)| c.delivered_flits_per_cycle_and_host).sum()
    }

    /// As JSON.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// As text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "traffic     {}, {} hosts, {} cycles of {} ns, measured {} after a warm-up of {}",
            self.traffic,
            self.hosts,
            self.cycles,
            self.cycle_ps as f64 / 1000.0,
            self.window_cycles,
            self.warmup_cycles
        )?;
        for (name, c) in self.classes() {
            writeln!(
                out,
                "{name:<12}offered {:.4}, posted {:.4}, delivered {:.4} flits/cycle and host ({} messages)",
                c.offered_flits_per_cycle_and_host,
                c.posted_flits_per_cycle_and_host,
                c.delivered_flits_per_cycle_and_host,
                c.delivered_messages
            )?;
            let parts = [
                ("latency", &c.latency),
                ("at host", &c.host_wait),
                ("from post", &c.latency_from_post),
                ("in adapter", &c.adapter),
                ("network", &c.network),
            ];
            for (part, l) in parts.iter().filter(|(_, l)| l.count > 0) {
                writeln!(
                    out,
                    "  {part:<11}mean {:.1}, p50 {}, p90 {}, p99 {}, p99.9 {}, max {} cycles",
                    l.mean_cycles, l.p50_cycles, l.p90_cycles, l.p99_cycles, l.p999_cycles, l.max_cycles
                )?;
            }
            if c.refused_full_posts + c.refused_no_credit_posts > 0 {
                writeln!(
                    out,
                    "  refused   {} posts (queue full), {} (no credit)",
                    c.refused_full_posts, c.refused_no_credit_posts
                )?;
            }
            if c.dropped_messages + c.rejected_messages > 0 {
                writeln!(
                    out,
                    "  lost      {} messages dropped after their deadlines ({:.3} %), {} not admitted",
                    c.dropped_messages,
                    100.0 * c.dropped_share,
                    c.rejected_messages
                )?;
            }
        }
        let s = &self.streams;
        if s.asked_streams > 0 {
            writeln!(
                out,
                "streams     {} of {} admitted ({:.1} % of the bandwidth), {} closed; {} probes rejected, {} opens refused for \
                 bandwidth, {} for credits",
                s.opened_streams,
                s.asked_streams,
                100.0 * s.admitted_bandwidth_share,
                s.closed_streams,
                s.rejected_probes,
                s.refused_opens_no_bandwidth,
                s.refused_opens_no_credits
            )?;
        }
        let f = &self.frames;
        if f.delivered_frames + f.dropped_frames + f.rejected_frames > 0 {
            writeln!(
                out,
                "frames      {} delivered, {} missed (DMP {:.5}, DMT {:.4} ms), {} dropped, {} not admitted",
                f.delivered_frames, f.missed_frames, f.dmp, f.dmt_ms, f.dropped_frames, f.rejected_frames
            )?;
        }
        Ok(())
    }
}
