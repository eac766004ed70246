//! What happens in a phase of random traffic.

use rand::Rng;
use rand::rngs::SmallRng;

use super::network::Answers;
use crate::stimulus::chance::{Chance, chance};
use crate::stimulus::knobs::Knobs;

/// What happens in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing new comes.
    Pause,
    /// All connections are ended; then credits or admission may be switched.
    WindUp,
    /// Messages of all classes.
    Mixed,
    /// As many as are taken.
    Full,
    /// Messages of one flit: leavings.
    Single,
    /// Connections come and go.
    Streams,
    /// Nobody answers probes, or all say no.
    Silent,
    Refused,
    /// Replies that nobody asked for.
    Odd,
    /// What cannot be accepted.
    Illegal,
    /// More posts than there are credits.
    Credits,
    /// Real-time beside best-effort, with a small LHP.
    Guard,
    /// Best-effort alone: draws; with headers held back.
    Shared,
    Held,
    /// Control beside the adapter's own.
    Control,
    /// A router that takes little; in turns.
    Starved,
    Periodic,
    /// Much comes in for the host; of it much that is not for it.
    Incoming,
    Wrong,
    /// The link falls.
    Falls,
    /// Registers change all the time.
    Reconfigure,
    /// What breaks the protocol.
    Violate,
    /// Flits of no message.
    Strays,
}

use Phase::{
    Control, Credits, Falls, Full, Guard, Held, Illegal, Incoming, Mixed, Odd, Pause, Periodic, Reconfigure,
    Refused, Shared, Silent, Single, Starved, Strays, Streams, Violate, WindUp, Wrong,
};

/// All, some more often.
const KINDS: [Phase; 34] = [
    Pause,
    WindUp,
    WindUp,
    WindUp,
    Mixed,
    Mixed,
    Mixed,
    Full,
    Full,
    Single,
    Single,
    Streams,
    Streams,
    Streams,
    Silent,
    Refused,
    Odd,
    Illegal,
    Credits,
    Credits,
    Guard,
    Guard,
    Shared,
    Held,
    Control,
    Starved,
    Periodic,
    Incoming,
    Wrong,
    Falls,
    Reconfigure,
    Violate,
    Violate,
    Violate,
];

/// How often things are done in a phase.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rates {
    /// Opens, and final messages, in a cycle.
    pub opens: Chance,
    pub closes: Chance,
    /// Opens that give a probe up.
    pub gives_up: Chance,
    /// Posts in a cycle; those of them that are control, real-time.
    pub posts: Chance,
    pub control: Chance,
    pub real_time: Chance,
    /// Opens and posts that cannot be accepted.
    pub illegal: Chance,
    /// Messages of one flit, of the most flits; the longest of the others.
    pub short: Chance,
    pub long: Chance,
    pub longest: u32,
    /// Messages that come in, in a cycle; those that are not for the host.
    pub incoming: Chance,
    pub wrong: Chance,
    pub falls: Chance,
    pub reconfig: Chance,
    /// ERR_CLEAR.
    pub clear: Chance,
}

impl Phase {
    pub(super) fn any(rng: &mut SmallRng) -> Phase {
        // (Strays come of two phases.)
        match KINDS[rng.random_range(0..KINDS.len())] {
            Violate if rng.random() => Strays,
            kind => kind,
        }
    }

    pub(super) fn rates(self, lane: u32, knobs: &Knobs, rng: &mut SmallRng) -> Rates {
        let mut of = |all: &[f64]| chance(all[rng.random_range(0..all.len())]);
        let load = match self {
            Pause | WindUp => of(&[0.0]),
            Full | Single | Guard | Credits | Control | Shared => of(&[0.5, 1.0]),
            Incoming | Wrong => of(&[0.0, 0.05]),
            Silent => of(&[0.05, 0.3]),
            _ => of(&[0.02, 0.1, 0.5]),
        };
        let rates = Rates {
            opens: match self {
                Pause | WindUp => 0,
                Streams | Silent | Refused | Odd => of(&[0.02, 0.2]),
                _ => of(&[0.0, 0.005, 0.05]),
            },
            closes: match self {
                Streams | Single => of(&[0.01, 0.1]),
                _ => of(&[0.0, 0.001, 0.01]),
            },
            gives_up: match self {
                Silent => of(&[0.1, 0.5]),
                Falls | Streams => of(&[0.0, 0.1]),
                _ => of(&[0.0, 0.0, 0.02]),
            },
            posts: knobs.load.map_or(load, chance),
            control: match self {
                Control => of(&[0.6, 0.9]),
                Guard => of(&[0.0, 0.1]),
                Shared | Single => of(&[0.0, 0.02]),
                _ => of(&[0.02, 0.2]),
            },
            real_time: match self {
                Shared => 0,
                Guard => of(&[0.8, 0.95, 0.5]),
                Held => of(&[0.0, 0.3]),
                _ => of(&[0.2, 0.5, 0.8]),
            },
            illegal: match self {
                Illegal => of(&[0.3, 0.9]),
                Streams | Silent => of(&[0.0, 0.1, 0.3]),
                _ => of(&[0.0, 0.03]),
            },
            short: chance(knobs.short_share.unwrap_or(if self == Single { 1.0 } else { 0.3 })),
            long: chance(knobs.long_share.unwrap_or(0.1)),
            longest: 0,
            incoming: match self {
                Incoming => of(&[0.3, 1.0]),
                Wrong | Violate => of(&[0.1, 0.5]),
                Pause => 0,
                _ => of(&[0.0, 0.02, 0.1]),
            },
            wrong: match self {
                Wrong => of(&[0.4, 0.9]),
                Violate => of(&[0.05, 0.3]),
                _ => of(&[0.0, 0.05]),
            },
            falls: match self {
                Falls => of(&[0.01, 0.05]),
                Strays | Incoming | Single | Odd => of(&[0.0, 0.005]),
                Silent => of(&[0.0, 0.002]),
                _ => of(&[0.000_3]),
            },
            reconfig: match self {
                Reconfigure => of(&[0.02, 0.1]),
                _ => of(&[0.0, 0.001]),
            },
            clear: match self {
                Illegal | Odd | Wrong | Violate | Strays => of(&[0.02]),
                _ => of(&[0.0, 0.002]),
            },
        };
        let longest = [3, 8, 40, 64][rng.random_range(0..4)].min(lane);
        let with_knobs = |knob: Option<f64>, rate| knob.map_or(rate, chance);
        let violations = |rate| if knobs.violation_rate == Some(0.0) { 0 } else { rate };
        Rates {
            longest,
            wrong: violations(rates.wrong),
            illegal: violations(rates.illegal),
            falls: with_knobs(knobs.link_falls, rates.falls),
            reconfig: with_knobs(knobs.reconfig_rate, rates.reconfig),
            ..rates
        }
    }

    pub(super) fn answers(self, knobs: &Knobs, rng: &mut SmallRng) -> Answers {
        let mut of = |all: &[f64]| chance(all[rng.random_range(0..all.len())]);
        let odd = match self {
            Odd => of(&[0.05, 0.5, 1.0]),
            Silent => of(&[0.0, 0.05]),
            Single => of(&[0.0, 0.3]),
            _ => of(&[0.0, 0.0, 0.005]),
        };
        Answers {
            rate: match self {
                Silent => 0,
                Single => of(&[0.3, 1.0]),
                Odd => of(&[0.01, 0.2]),
                _ => of(&[0.01, 0.1, 1.0]),
            },
            refuse: match self {
                Refused | Control => of(&[0.7, 1.0]),
                _ => of(&[0.0, 0.1, 0.4]),
            },
            near: of(&[0.0, 0.3, 0.8]),
            odd: if knobs.violation_rate == Some(0.0) { 0 } else { odd },
            short: match self {
                Single | Odd => of(&[1.0, 0.8]),
                Violate => of(&[0.0, 0.0, 0.5]),
                _ => of(&[0.0, 0.1, 1.0]),
            },
        }
    }
}
