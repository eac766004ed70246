//! What a person may turn in the constrained-random stimulus, and the initial register writes.

use serde::{Deserialize, Serialize};

/// One knob: its name in TOML and on the command line, legal range and meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnobInfo {
    /// Field of [`Knobs`].
    pub name: &'static str,
    /// Smallest legal value.
    pub min: f64,
    /// Largest legal value.
    pub max: f64,
    /// Unit of the value.
    pub unit: &'static str,
    /// Meaning, in a line.
    pub text: &'static str,
}

macro_rules! knobs {
    ($($name:ident: $min:literal .. $max:literal, $unit:literal, $text:literal;)*) => {
        /// Knobs of the constrained-random stimulus. A knob that is not set is varied by the source: it changes the
        /// value from phase to phase, every few thousand cycles, so that one seed sees many regimes. A unit
        /// ignores knobs that mean nothing to it.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Knobs {
            $(#[doc = concat!($text, " [", $unit, ", ", stringify!($min), " to ", stringify!($max), "]")]
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $name: Option<f64>,)*
        }

        impl Knobs {
            /// Every knob.
            pub const TABLE: &'static [KnobInfo] = &[$(KnobInfo {
                name: stringify!($name), min: $min, max: $max, unit: $unit, text: $text,
            },)*];

            /// The value of a knob by name; `None` if it is not set or there is no such knob.
            pub fn get(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => self.$name,)*
                    _ => None,
                }
            }

            fn slot(&mut self, name: &str) -> Option<&mut Option<f64>> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

knobs! {
    load: 0.0 .. 1.0, "flits/cycle", "offered load: of the link, for the throttle packets waiting per flow";
    hotspot_share: 0.0 .. 1.0, "share of packets", "packets that go to the hotspot destinations";
    burst_len: 1.0 .. 1024.0, "packets", "mean number of packets in a row to one destination";
    short_share: 0.0 .. 1.0, "share of packets", "packets of one flit";
    long_share: 0.0 .. 1.0, "share of packets", "packets of MTU flits (the rest of the lengths is uniform)";
    cnp_share: 0.0 .. 1.0, "share of packets", "congestion notification packets";
    ack_share: 0.0 .. 1.0, "share of packets", "acknowledges, beside those of the packets that a unit sends";
    markable: 0.0 .. 1.0, "share of packets", "packets that switches may mark (the rest: notifications, acknowledges, multicast, no BTH)";
    naive: 0.0 .. 1.0, "share of phases", "marks for those present at a fill (MARKERS = 1, ISOLATION = 0)";
    mb: 0.0 .. 1.0, "share of phases", "inputs set MB (MARKERS = 1)";
    vb: 0.0 .. 1.0, "share of phases", "outputs set VB (MARKERS = 1)";
    det: 0.0 .. 3.0, "number", "marks by count: 0 none, 2 a full input, 3 or too many packets (MARKERS = 1)";
    sched: 0.0 .. 1.0, "share of phases", "oldest first (STAMP_W above 0)";
    bypass: 0.0 .. 15.0, "packets", "that may pass a lane's oldest one, 0: no limit (STAMP_W above 0)";
    gap_rate: 0.0 .. 1.0, "per flit", "idle cycle between two flits of a packet";
    slow_link: 1.0 .. 15.0, "cycles/flit", "pace of the link";
    credit_starvation: 0.0 .. 1.0, "share of time", "no credits downstream: outputs do not grant";
    stop_go_rate: 0.0 .. 1.0, "per cycle", "stop or go of an isolated tree";
    tree_rate: 0.0 .. 1.0, "per cycle", "congestion tree announced or taken back";
    becn_rate: 0.0 .. 1.0, "per cycle", "backward notifications";
    reconfig_rate: 0.0 .. 1.0, "per cycle", "configuration written while running";
    violation_rate: 0.0 .. 1.0, "share of packets", "packets that break the protocol";
    message_loss: 0.0 .. 1.0, "share of messages", "credit and isolation messages lost on the wire";
    link_falls: 0.0 .. 1.0, "per cycle", "the link goes down, for up to 200 cycles";
    phase_len: 16.0 .. 1000000.0, "cycles", "mean length of a phase of the knobs that are not set";
}

/// Cycles of a short run: what random traffic adds for longer ones begins after them, so that short ones stay as they are.
pub(crate) const SHORT_RUN: u64 = 100_000;

impl Knobs {
    /// Checks every knob that is set; the message names the field and its legal range.
    pub fn check(&self) -> Result<(), String> {
        for k in Self::TABLE {
            if let Some(v) = self.get(k.name)
                && !(v >= k.min && v <= k.max)
            {
                return Err(format!(
                    "knob {} = {v} is out of range: legal is {} to {} ({})",
                    k.name, k.min, k.max, k.unit
                ));
            }
        }
        if let (Some(s), Some(l)) = (self.short_share, self.long_share)
            && s + l > 1.0
        {
            return Err(format!(
                "knob short_share = {s} and long_share = {l} add up to more than 1: legal is 0 to {}",
                1.0 - l
            ));
        }
        Ok(())
    }

    /// Sets a knob by name and checks the result.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        match self.slot(name) {
            Some(slot) => *slot = Some(value),
            None => {
                let names: Vec<&str> = Self::TABLE.iter().map(|k| k.name).collect();
                return Err(format!("no knob {name}: there are {}", names.join(", ")));
            }
        }
        self.check()
    }
}

/// Initial register writes. A source performs those of its unit first, one a cycle, as soon as `ready` is up. A
/// constrained-random source whose unit has no writes here chooses registers of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// `cfg_addr`, `cfg_data` for the input port.
    pub input_port: Vec<(u8, u32)>,
    /// `lft_addr`, `lft_port` for the input port, or the wormhole router.
    pub lft: Option<Vec<(u16, u8)>>,
    /// `cfg_addr`, `cfg_data` for the output port.
    pub output_port: Vec<(u8, u32)>,
    /// `cfg_addr`, `cfg_data` for the throttle.
    pub hca_throttle: Vec<(u8, u32)>,
    /// Entries 0.. of the congestion control table, as the hardware takes them.
    pub cct: Option<Vec<u16>>,
    /// `attr_flow`, `attr_sl` for the throttle.
    pub attrs: Vec<(u16, u8)>,
    /// `cfg_addr`, `cfg_data` for all ports of the wormhole router.
    pub worm_router: Vec<(u8, u32)>,
    /// `cfg_addr`, `cfg_data` for the adapter of a wormhole network.
    pub worm_adapter: Vec<(u8, u32)>,
    /// `cfg_addr`, `cfg_data` for the injection control beside it.
    pub injection_control: Vec<(u8, u32)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_outside_their_range_are_named() {
        let mut k = Knobs::default();
        assert_eq!(k.check(), Ok(()));
        k.set("load", 0.5).unwrap();
        assert_eq!(k.load, Some(0.5));
        let e = k.set("load", 1.5).unwrap_err();
        assert!(e.contains("load") && e.contains("0 to 1"), "{e}");
        assert!(Knobs { load: Some(f64::NAN), ..Knobs::default() }.check().is_err());
        let e = k.set("lod", 1.0).unwrap_err();
        assert!(e.contains("no knob lod") && e.contains("slow_link"), "{e}");
        let e =
            Knobs { short_share: Some(0.6), long_share: Some(0.6), ..Knobs::default() }.check().unwrap_err();
        assert!(e.contains("short_share"), "{e}");
    }

    #[test]
    fn knobs_come_from_toml() {
        let k: Knobs = toml::from_str("load = 0.25\nslow_link = 4.0\n").unwrap();
        assert_eq!(k, Knobs { load: Some(0.25), slow_link: Some(4.0), ..Knobs::default() });
        let e = toml::from_str::<Knobs>("speed = 1.0\n").unwrap_err().to_string();
        assert!(e.contains("unknown field `speed`"), "{e}");
        assert_eq!(toml::to_string(&k).unwrap(), "load = 0.25\nslow_link = 4.0\n");
    }
}
