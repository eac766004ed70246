//! The description of a traffic: groups of sources, each of one kind.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::fabric::traffic::text::Raw;
use crate::fabric::traffic::{Load, Nodes, Pick, Time, To};

/// Cycles of a video frame of 33.3 ms, at 80 ns a cycle.
pub const FRAME: u64 = 416_250;

/// Messages of no stream, at random times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestEffort {
    /// Name, of its own.
    pub name: String,
    /// Who sends.
    #[serde(default = "Nodes::all")]
    pub sources: Nodes,
    /// Where to; drawn for each message.
    #[serde(default = "uniform")]
    pub to: To,
    /// How much each source offers, of the link.
    pub load: Option<Load>,
    /// The same in per cent of the traffic's `load`.
    pub share: Option<f64>,
    /// Flits of a message.
    #[serde(default = "data_flits")]
    pub message: u32,
    /// First cycle.
    #[serde(default = "zero")]
    pub start: Time,
    /// First cycle in which it no longer offers.
    pub stop: Option<Time>,
}

/// Control messages, at random times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Name, of its own.
    pub name: String,
    /// Who sends.
    #[serde(default = "Nodes::all")]
    pub sources: Nodes,
    /// Where to; drawn for each message.
    #[serde(default = "uniform")]
    pub to: To,
    /// So many in the mean in a time of `every`.
    #[serde(default = "ten")]
    pub messages: f64,
    /// That time.
    #[serde(default = "frame")]
    pub every: Time,
    /// Flits of a message.
    #[serde(default = "control_flits")]
    pub message: u32,
    /// First cycle.
    #[serde(default = "zero")]
    pub start: Time,
    /// First cycle in which it no longer offers.
    pub stop: Option<Time>,
}

/// What a stream asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "String")]
pub enum Ask {
    /// Its mean rate, rounded up to 1/4096 of the link.
    #[default]
    Mean,
    /// Its rate while it sends, rounded up in the same way.
    Peak,
    /// In 1/4096 of the link.
    Parts(u16),
}

impl FromStr for Ask {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Ask> {
        match (text.trim(), text.trim().parse()) {
            ("mean", _) => Ok(Ask::Mean),
            ("peak", _) => Ok(Ask::Peak),
            (_, Ok(parts @ 1..=4096)) => Ok(Ask::Parts(parts)),
            _ => bail!("ask = {text:?}; legal: mean, peak, 1 to 4096 (of 4096 parts of the link)"),
        }
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ask::Mean => write!(f, "mean"),
            Ask::Peak => write!(f, "peak"),
            Ask::Parts(parts) => write!(f, "{parts}"),
        }
    }
}

impl TryFrom<Raw> for Ask {
    type Error = anyhow::Error;
    fn try_from(raw: Raw) -> Result<Ask> {
        raw.text().parse()
    }
}

impl From<Ask> for String {
    fn from(ask: Ask) -> String {
        ask.to_string()
    }
}

/// Streams that are on and off by turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnOff {
    /// Name, of its own.
    pub name: String,
    /// Who sends.
    #[serde(default = "Nodes::all")]
    pub sources: Nodes,
    /// Where to; drawn for each stream.
    #[serde(default = "uniform")]
    pub to: To,
    /// With `to = "uniform"`: destinations by the seed, or all others by turns.
    #[serde(default)]
    pub pick: Pick,
    /// How much all streams of a source offer in the mean, of the link.
    pub load: Option<Load>,
    /// The same in per cent of the traffic's `load`.
    pub share: Option<f64>,
    /// The same in streams.
    pub streams: Option<u32>,
    /// Rate of a stream while it is on, of the link.
    #[serde(default = "two_per_cent")]
    pub rate: Load,
    /// Mean of the exponential times in which it is on.
    #[serde(default = "ten_thousand")]
    pub on: Time,
    /// Mean of those in which it is off.
    #[serde(default = "ten_thousand")]
    pub off: Time,
    /// What a stream asks for.
    #[serde(default)]
    pub ask: Ask,
    /// Flits of a message.
    #[serde(default = "data_flits")]
    pub message: u32,
    /// A message that is refused so long after its creation is dropped.
    #[serde(default = "frame")]
    pub deadline: Time,
    /// When streams begin to open.
    #[serde(default = "zero")]
    pub start: Time,
    /// They open at random times within so long; `on` and `off` together if it is not said.
    pub within: Option<Time>,
    /// First cycle in which they no longer offer; they close then.
    pub stop: Option<Time>,
}

/// Streams of video frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mpeg {
    /// Name, of its own.
    pub name: String,
    /// Who sends.
    #[serde(default = "Nodes::all")]
    pub sources: Nodes,
    /// Where to; drawn for each stream.
    #[serde(default = "uniform")]
    pub to: To,
    /// With `to = "uniform"`: destinations by the seed, or all others by turns.
    #[serde(default)]
    pub pick: Pick,
    /// How much all streams of a source offer in the mean, of the link.
    pub load: Option<Load>,
    /// The same in per cent of the traffic's `load`.
    pub share: Option<f64>,
    /// The same in streams.
    pub streams: Option<u32>,
    /// Mean rate of a stream, Mbit/s. Not with `sizes`.
    pub mbps: Option<f64>,
    /// Time of a frame; also of its deadline.
    #[serde(default = "frame")]
    pub frame: Time,
    /// Kinds of frames, in their order.
    #[serde(default = "gop")]
    pub gop: String,
    /// Mean sizes of kinds I, P and B, to one another.
    #[serde(default = "ratio")]
    pub ratio: [f64; 3],
    /// Standard deviation of the logarithm of a size.
    #[serde(default = "quarter")]
    pub sigma: f64,
    /// Sizes of frames in bytes, a line a frame, in place of what is drawn; streams begin anywhere in it.
    pub sizes: Option<PathBuf>,
    /// What a stream asks for.
    #[serde(default)]
    pub ask: Ask,
    /// Flits of a message.
    #[serde(default = "data_flits")]
    pub message: u32,
    /// When streams begin to open.
    #[serde(default = "zero")]
    pub start: Time,
    /// They open at random times within so long; a frame if it is not said.
    pub within: Option<Time>,
    /// First cycle in which they no longer offer; they close then.
    pub stop: Option<Time>,
}

/// A traffic.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WormSpec {
    /// Name, for reports.
    pub name: String,
    /// How long a run should be, if the traffic has an opinion.
    pub run: Option<Time>,
    /// What shares are of: what a source offers in all, of the link.
    pub load: Option<Load>,
    /// Messages of no stream.
    #[serde(default, rename = "best-effort")]
    pub best_effort: Vec<BestEffort>,
    /// Control messages.
    #[serde(default)]
    pub control: Vec<Control>,
    /// Streams that are on and off.
    #[serde(default)]
    pub onoff: Vec<OnOff>,
    /// Streams of video frames.
    #[serde(default)]
    pub mpeg: Vec<Mpeg>,
}

fn uniform() -> To {
    To::Uniform
}

fn zero() -> Time {
    Time::Cycles(0)
}

fn frame() -> Time {
    Time::ms(33.3)
}

fn ten_thousand() -> Time {
    Time::Cycles(10_000)
}

fn two_per_cent() -> Load {
    Load::Flits(0.02)
}

fn ten() -> f64 {
    10.0
}

fn data_flits() -> u32 {
    40
}

fn control_flits() -> u32 {
    10
}

fn gop() -> String {
    "IBBPBBPBBPBB".into()
}

fn ratio() -> [f64; 3] {
    [5.0, 3.0, 1.0]
}

fn quarter() -> f64 {
    0.25
}

impl BestEffort {
    /// All to all others.
    pub fn new(name: &str) -> BestEffort {
        BestEffort {
            name: name.into(),
            sources: Nodes::all(),
            to: uniform(),
            load: None,
            share: None,
            message: data_flits(),
            start: zero(),
            stop: None,
        }
    }
}

impl Control {
    /// All to all others, ten messages in a frame's time.
    pub fn new(name: &str) -> Control {
        Control {
            name: name.into(),
            sources: Nodes::all(),
            to: uniform(),
            messages: ten(),
            every: frame(),
            message: control_flits(),
            start: zero(),
            stop: None,
        }
    }
}

impl OnOff {
    /// All to all others.
    pub fn new(name: &str) -> OnOff {
        OnOff {
            name: name.into(),
            sources: Nodes::all(),
            to: uniform(),
            pick: Pick::Random,
            load: None,
            share: None,
            streams: None,
            rate: two_per_cent(),
            on: ten_thousand(),
            off: ten_thousand(),
            ask: Ask::Mean,
            message: data_flits(),
            deadline: frame(),
            start: zero(),
            within: None,
            stop: None,
        }
    }
}

impl Mpeg {
    /// All to all others.
    pub fn new(name: &str) -> Mpeg {
        Mpeg {
            name: name.into(),
            sources: Nodes::all(),
            to: uniform(),
            pick: Pick::Random,
            load: None,
            share: None,
            streams: None,
            mbps: None,
            frame: frame(),
            gop: gop(),
            ratio: ratio(),
            sigma: quarter(),
            sizes: None,
            ask: Ask::Mean,
            message: data_flits(),
            start: zero(),
            within: None,
            stop: None,
        }
    }
}
