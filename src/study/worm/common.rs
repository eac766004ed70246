//! What the studies of the paper share.

use anyhow::Result;

use super::super::job::Point;
use super::super::plan::{At, Results, Scale, Study};
use super::super::report::{Figure, Report};
use super::super::sample::Sample;
use super::super::setting::{Setting, chosen, paper};
use super::super::worm_run::{WormOutcome, WormRun};
use crate::worm::Settings;
use crate::worm::metrics::ClassReport;
use crate::worm::traffic::WormSpec;

const SETTINGS: &[Setting] = &[
    paper("VLS", "16"),
    paper("DEPTH", "10"),
    chosen("LANE", "40", "a lane of an adapter holds a message"),
    chosen("M", "1024", "the paper names no size of the adapter's buffer: messages"),
    chosen("LHP", "64", "the paper wants progress of low classes, and has no number"),
    chosen("WSHIFT", "4", "weights from what is booked: the paper has no formula"),
];

/// A study of this paper: nothing in it is drawn, and its network has one size.
pub(super) fn study(
    id: &'static str,
    title: &'static str,
    source: &'static str,
    deviations: &'static [&'static str],
    points: fn(Scale, u64) -> Result<Vec<Point>>,
    evaluate: fn(&Results) -> Result<Report>,
    figures: fn(&Results) -> Result<Vec<Figure>>,
) -> Study {
    Study {
        id,
        title,
        source,
        settings: &[SETTINGS],
        deviations,
        drawn: false,
        sizes: false,
        points,
        evaluate,
        figures,
    }
}

/// Connections of an adapter: as many as video streams of 4 Mbit/s on a link, and more.
const CONNS: usize = 512;

/// What of a network is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Of {
    pub(super) name: &'static str,
    pub(super) scheme: &'static str,
    pub(super) admission: bool,
    /// Credits of best-effort.
    pub(super) credits: Option<u32>,
    /// Of a link, what may be booked, in 1/4096.
    pub(super) limit: u32,
}

/// All of a link.
const ALL: u32 = 4096;

/// Nothing.
pub(super) const NEITHER: Of =
    Of { name: "No A, No C", scheme: "yum-none", admission: false, credits: None, limit: ALL };
/// Admission alone.
pub(super) const ADMISSION: Of = Of { name: "A", admission: true, ..NEITHER };
/// Credits alone.
pub(super) const CREDITS: Of = Of { name: "C", scheme: "credit", credits: Some(200), ..NEITHER };
/// Both.
pub(super) const BOTH: Of = Of { name: "A,C", admission: true, ..CREDITS };

/// Name of a point.
pub(super) fn at(of: Of, load: u32) -> String {
    format!("{} {load} %", of.name)
}

/// A run of a named traffic.
pub(super) fn run(
    network: &str,
    traffic: &str,
    of: Of,
    seed: u64,
    (warmup, cycles): (u64, u64),
) -> Result<WormRun> {
    let settings = Settings {
        admission: of.admission.into(),
        c_b: of.credits,
        limit: of.limit,
        conns: CONNS,
        warmup,
        ..Settings::default()
    };
    Ok(WormRun {
        network: network.into(),
        scheme: of.scheme.into(),
        settings,
        traffic: WormSpec::load(traffic)?,
        seed,
        cycles,
    })
}

/// The loads of a study, per cent.
pub(super) fn loads(scale: Scale, quick: &[u32], full: std::ops::RangeInclusive<u32>) -> Vec<u32> {
    scale.pick(quick.to_vec(), full.step_by(10).collect())
}

/// A class of messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Class {
    Control,
    RealTime,
    BestEffort,
}

impl Class {
    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Control => "control",
            Class::RealTime => "real-time",
            Class::BestEffort => "best-effort",
        }
    }

    fn of(self, o: &WormOutcome) -> &ClassReport {
        match self {
            Class::Control => &o.report.control,
            Class::RealTime => &o.report.real_time,
            Class::BestEffort => &o.report.best_effort,
        }
    }
}

/// From what on a latency is.
#[derive(Clone, Copy, Debug)]
pub(super) enum From {
    Creation,
    Post,
    /// The tail on the link of the source.
    Link,
}

impl From {
    pub(super) fn name(self) -> &'static str {
        match self {
            From::Creation => "from creation",
            From::Post => "from the accepted post",
            From::Link => "in the network",
        }
    }
}

/// Mean latency of a class, cycles; no number where nothing was delivered.
pub(super) fn latency(at: &At<'_>, class: Class, from: From) -> Sample {
    at.worm(&format!("{} latency {} cycles", class.name(), from.name()), |o| {
        let c = class.of(o);
        let l = match from {
            From::Creation => &c.latency,
            From::Post => &c.latency_from_post,
            From::Link => &c.network,
        };
        if l.count == 0 { f64::NAN } else { l.mean_cycles }
    })
}

/// Delivered flits per cycle and host.
pub(super) fn accepted(at: &At<'_>, class: Class) -> Sample {
    at.worm(&format!("{} delivered flits/cycle and host", class.name()), |o| {
        class.of(o).delivered_flits_per_cycle_and_host
    })
}

/// Of the messages of streams that were admitted, those that were dropped at their sources, per cent.
pub(super) fn dropped(at: &At<'_>) -> Sample {
    at.worm("real-time dropped %", |o| 100.0 * o.report.real_time.dropped_share)
}

/// Of the bandwidth that streams asked for, what was admitted, per cent.
pub(super) fn admitted(at: &At<'_>) -> Sample {
    at.worm("admitted bandwidth %", |o| 100.0 * o.report.streams.admitted_bandwidth_share)
}
