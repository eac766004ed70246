//! Settings of a wormhole network: sizes, registers, and what they are if nobody says.

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::config::value::{Clock, of_text, read, show};
use crate::config::{ConfigError, Key, Measure, Need, Origin, Place, ValueKind, nearby};
use crate::params::{Params, UnitKind};
use Measure::Of;
use ValueKind::{Int, List, Power, Real, Word};

const ROUTER: &[UnitKind] = &[UnitKind::WormRouter];
const ADAPTER: &[UnitKind] = &[UnitKind::WormAdapter];
const CONTROL: &[UnitKind] = &[UnitKind::InjectionControl];
const BOTH: &[UnitKind] = &[UnitKind::WormRouter, UnitKind::WormAdapter];

const fn key(
    name: &'static str,
    (measure, kind): (&'static str, ValueKind),
    parameter: &'static str,
    units: &'static [UnitKind],
    text: &'static str,
) -> Key {
    let (measure, place, need) = (Of(measure), Place::Network, Need::Nothing);
    Key { name, measure, kind, place, parameter, units, need, source: "Yum", text }
}

/// Every setting.
#[rustfmt::skip] // a table: a line each
pub const KEYS: &[Key] = &[
    key("vls", ("lanes", Int(3, 16)), "VLS", BOTH, "lanes of a link; the last two are of control and of replies (YW7)"),
    key("depth", ("flits", Int(2, 64)), "DEPTH", BOTH, "what a lane of a router's input holds (YW2)"),
    key("lane", ("flits", Int(2, 64)), "LANE", ADAPTER, "what a lane of an adapter holds; no message is longer"),
    key("conns", ("connections", Int(2, 1024)), "CONNS", ADAPTER, "streams of a host"),
    key("msgq", ("messages", Power(4096)), "MSGQ", ADAPTER, "an adapter's queues of real-time and best-effort"),
    key("ctlq", ("messages", Power(64)), "CTLQ", ADAPTER, "an adapter's queue of control"),
    key("lft_depth", ("entries", Int(2, 65536)), "LFT_DEPTH", ROUTER, "forwarding tables; not set: 64, or what the hosts need"),
    key("cycle_ns", ("ns", Real(0.001, 1e6)), "", BOTH, "a cycle, in which a link carries a flit of 16 bytes"),
    key("link_delay", ("cycles", Int(1, 1000)), "", BOTH, "from pins to pins, flits and credit pulses alike"),
    key("admission", ("", Word(&["off", "on"])), "ADMIT", BOTH, "streams book bandwidth (YA)"),
    key("limit", ("1/4096", Int(0, 4096)), "", BOTH, "of a link, what may be booked"),
    key("wshift", ("bits", Int(0, 15)), "", BOTH, "weights of real-time lanes from what is booked (YA7)"),
    key("lhp", ("flits", Int(0, 255)), "", BOTH, "real-time flits that may pass best-effort; 0: any number (YW6)"),
    key("be_mask", ("lanes", Int(0, 65535)), "", BOTH, "best-effort lanes, a bit each; not set: the highest quarter of the data lanes"),
    key("rt_weight", ("flits", Int(0, 255)), "", ROUTER, "weight of a real-time lane in routers without admission; 0 acts as 1"),
    key("be_weight", ("flits", Int(0, 255)), "", BOTH, "weight of a best-effort lane; 0 acts as 1"),
    key("weights", ("flits", List(0, 255)), "", ROUTER, "weights of the data lanes in routers, from lane 0 on; 0 acts as 1; not set: rt_weight and be_weight"),
    key("m", ("messages", Int(1, 4096)), "", ADAPTER, "real-time and best-effort messages in an adapter; not set: 1024, or msgq if that is less"),
    key("c_b", ("messages", Int(0, 65535)), "", ADAPTER, "credits of best-effort (YC3); not set: 200, or a quarter of m if that is less: streams need the others"),
    key("probe_gap", ("cycles", Int(0, 65535)), "", ADAPTER, "between opens of a host"),
    key("hold_max", ("cycles", Int(0, 65535)), "", CONTROL, "longest time that alo and selftuned hold a header; 0: no bound"),
    key("gather", ("log2 of cycles", Int(0, 15)), "", CONTROL, "between the sums of selftuned's side-band (YS1)"),
    key("up", ("lanes", Int(0, 65535)), "", CONTROL, "selftuned's threshold: step up, and where it begins; not set: 1 % of all lanes (YS3)"),
    key("down", ("lanes", Int(0, 65535)), "", CONTROL, "selftuned's threshold: step down; not set: 4 % of all lanes (YS3)"),
    key("retry", ("cycles", Int(1, u32::MAX as i64)), "", ADAPTER, "until a stream that was not admitted asks again, and up to 4095 more"),
    key("rtry", ("cycles", Int(1, 65535)), "", ADAPTER, "until a real-time post that was refused is tried again"),
    key("warmup", ("cycles", Int(0, 1 << 40)), "", ADAPTER, "at the beginning, that are not measured"),
];

/// The values. What is not set (None) follows from others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // each field is the setting of the same name: KEYS has a text for it
pub struct Settings {
    pub vls: usize,
    pub depth: usize,
    pub lane: usize,
    pub conns: usize,
    pub msgq: usize,
    pub ctlq: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lft_depth: Option<usize>,
    pub cycle_ns: f64,
    pub link_delay: u32,
    pub admission: u32,
    pub limit: u32,
    pub wshift: u32,
    pub lhp: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub be_mask: Option<u32>,
    pub rt_weight: u32,
    pub be_weight: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c_b: Option<u32>,
    pub probe_gap: u32,
    pub hold_max: u32,
    pub gather: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub down: Option<u32>,
    pub retry: u64,
    pub rtry: u64,
    pub warmup: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            vls: 16,
            depth: 10,
            lane: 40,
            conns: 256,
            msgq: 1024,
            ctlq: 16,
            lft_depth: None,
            cycle_ns: 80.0,
            link_delay: 1,
            admission: 0,
            limit: 4096,
            wshift: 4,
            lhp: 64,
            be_mask: None,
            rt_weight: 1,
            be_weight: 1,
            weights: None,
            m: None,
            c_b: None,
            probe_gap: 0,
            hold_max: 65535,
            gather: 5,
            up: None,
            down: None,
            retry: 416_250,
            rtry: 1000,
            warmup: 0,
        }
    }
}

/// Entries of a forwarding table, if nobody says how many and they are enough.
const LFT_DEPTH: usize = 64;

impl Settings {
    /// Changes settings, each given as `NAME=VALUE`; later ones count.
    pub fn of(changes: &[String]) -> Result<Settings, ConfigError> {
        Settings::default().with(changes)
    }

    /// These on top.
    pub fn with(mut self, changes: &[String]) -> Result<Settings, ConfigError> {
        for text in changes {
            self.change(text)?;
        }
        Ok(self)
    }

    fn change(&mut self, text: &str) -> Result<(), ConfigError> {
        let error = |name: &str, value: &str, problem: String| ConfigError::new(OPTION, name, value, problem);
        let Some((name, value)) = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()))
        else {
            return Err(error(text, "", "NAME=VALUE is wanted".into()));
        };
        let value = of_text(value);
        let Some(key) = KEYS.iter().find(|k| k.name == name) else {
            let near = nearby(name, KEYS.iter().map(|k| k.name));
            let what = format!("wormhole networks have no such setting{near} (quell fabric --list has all)");
            return Err(error(name, &show(&value), what));
        };
        let clock = Clock { mtu: self.lane, cycle_ps: Some(self.cycle_ns * 1000.0), hosts: None };
        let value = read(key, &value, &clock).map_err(|w| error(name, &w.value, w.problem))?;
        let mut values = self.values();
        values.insert(name.into(), value);
        *self = Value::Table(values).try_into().expect("the reader makes what the field takes");
        Ok(())
    }

    /// The values that are set, by name.
    pub fn values(&self) -> toml::Table {
        toml::Table::try_from(self).expect("settings are numbers")
    }

    /// Settings that do not fit each other, or this many hosts.
    pub fn check(&self, hosts: usize) -> Result<(), ConfigError> {
        let wrong = |name: &str, problem: String| {
            let value = self.values().get(name).map_or(String::new(), Value::to_string);
            Err(ConfigError::new(OPTION, name, value, problem))
        };
        if self.lft_depth.is_some_and(|n| n <= hosts) {
            return wrong("lft_depth", format!("{hosts} hosts need {} or more", hosts + 1));
        }
        let data = (1 << (self.vls - 2)) - 1;
        if self.be_mask.is_some_and(|mask| mask & !data != 0) {
            return wrong("be_mask", format!("of {} lanes those of data are 0..{}", self.vls, self.vls - 3));
        }
        if let Some(n) = self.weights.as_ref().map(Vec::len).filter(|n| *n != self.vls - 2) {
            return wrong(
                "weights",
                format!("{n} weights: legal is one for each of the {} data lanes", self.vls - 2),
            );
        }
        for (name, value) in [("msgq", self.msgq), ("ctlq", self.ctlq)] {
            if value < 2 {
                return wrong(name, "legal is a power of two from 2 on".into());
            }
        }
        if self.m() as usize > self.msgq {
            return wrong("m", format!("legal is 1..{}, what msgq holds", self.msgq));
        }
        if self.c_b() > self.m() {
            return wrong("c_b", format!("legal is 0..{}, all messages of an adapter (m)", self.m()));
        }
        Ok(())
    }

    /// A cycle in ps.
    pub fn cycle_ps(&self) -> u64 {
        ((self.cycle_ns * 1000.0).round() as u64).max(1)
    }

    /// Streams book bandwidth.
    pub fn admits(&self) -> bool {
        self.admission != 0
    }

    /// The best-effort lanes.
    pub fn be_mask(&self) -> u32 {
        let data = self.vls - 2;
        let share = (data / 4).max(1);
        self.be_mask.unwrap_or(((1 << share) - 1) << (data - share))
    }

    /// M.
    pub fn m(&self) -> u32 {
        self.m.unwrap_or(1024.min(self.msgq as u32))
    }

    /// C_B.
    pub fn c_b(&self) -> u32 {
        self.c_b.unwrap_or((self.m() / 4).clamp(1, 200))
    }

    /// Parameters of a router.
    pub fn router(&self, ports: usize, hosts: usize) -> Params {
        let lft_depth = self.lft_depth.unwrap_or(LFT_DEPTH.max((hosts + 1).next_power_of_two()));
        Params { ports, lft_depth, admit: self.admits(), ..self.adapter() }
    }

    /// Parameters of an adapter.
    pub fn adapter(&self) -> Params {
        let Settings { vls, depth, lane, conns, msgq, ctlq, .. } = *self;
        Params { vls, depth, lane, conns, msgq, ctlq, cnt_w: 32, ..Params::default() }
    }

    /// Parameters of the injection control beside an adapter of a router.
    pub fn control(&self, ports: usize, hosts: usize) -> Params {
        self.router(ports, hosts)
    }

    /// Its registers, by name, in a network of so many lanes of routers and adapters. CTRL and CHANNELS are not among them.
    pub fn control_registers(&self, all: u32) -> [(&'static str, u32); 7] {
        let up = self.up.unwrap_or((all / 100).max(1));
        [
            ("HOLD_MAX", self.hold_max),
            ("GATHER", self.gather),
            ("UP", up),
            ("BE_MASK", self.be_mask()),
            ("DOWN", self.down.unwrap_or((all / 25).max(1))),
            ("ALL", all),
            ("T", up),
        ]
    }

    /// Registers of all ports of a router, by name.
    pub fn router_registers(&self) -> Vec<(String, u32)> {
        let be_mask = self.be_mask();
        let mut list = vec![("LHP".to_string(), self.lhp), ("BE_MASK".into(), be_mask)];
        for v in 0..self.vls - 2 {
            let own = self.weights.as_ref().map(|all| all[v]);
            let weight = own.unwrap_or(if be_mask >> v & 1 != 0 { self.be_weight } else { self.rt_weight });
            list.extend([(format!("WEIGHT_IN{v}"), weight), (format!("WEIGHT_OUT{v}"), weight)]);
        }
        if self.admits() {
            list.extend([("LIMIT".into(), self.limit), ("WSHIFT".into(), self.wshift)]);
        }
        list
    }

    /// Registers of an adapter, by name. CTRL is not among them.
    pub fn adapter_registers(&self) -> [(&'static str, u32); 8] {
        [
            ("M", self.m()),
            ("C_B", self.c_b()),
            ("LIMIT", self.limit),
            ("BE_MASK", self.be_mask()),
            ("LHP", self.lhp),
            ("WSHIFT", self.wshift),
            ("BE_WEIGHT", self.be_weight),
            ("PROBE_GAP", self.probe_gap),
        ]
    }

    /// An adapter's register CTRL; with `credits` posts need them.
    pub fn adapter_ctrl(&self, credits: bool) -> u32 {
        u32::from(credits) | u32::from(self.admits()) << 1
    }
}

/// Who says settings.
const OPTION: Origin = Origin::Option("--set");

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Settings, String> {
        Settings::of(&[text.to_string()]).and_then(|s| s.check(9).map(|()| s)).map_err(|e| e.to_string())
    }

    #[test]
    fn every_field_is_a_key_and_the_other_way_round() {
        let all = Settings {
            lft_depth: Some(64),
            be_mask: Some(1),
            weights: Some(vec![1; 14]),
            m: Some(1),
            c_b: Some(1),
            up: Some(1),
            down: Some(1),
            ..Settings::default()
        };
        let mut fields: Vec<String> = all.values().keys().cloned().collect();
        let mut keys: Vec<String> = KEYS.iter().map(|k| k.name.to_string()).collect();
        fields.sort();
        keys.sort();
        assert_eq!(fields, keys);
    }

    #[test]
    fn settings_are_read_and_refused() {
        assert_eq!(of("admission=on").unwrap().admission, 1);
        assert_eq!(of("vls = 4").unwrap().be_mask(), 0b10);
        assert_eq!(of("be_mask=0x7ff").unwrap().be_mask(), 0x7ff);
        assert_eq!(of("msgq=16").map(|s| (s.m(), s.c_b())), Ok((16, 4)));
        assert_eq!(
            of("m=16").map(|s| (s.m(), s.c_b())),
            Ok((16, 4)),
            "not all of m: streams have credits, too"
        );
        for (text, part) in [
            ("vls=17", "--set vls = 17: legal is 3..16 lanes"),
            ("admission=yes", "legal is 0 off, 1 on"),
            ("dept=3", "nearest: depth"),
            ("depth", "NAME=VALUE"),
            ("msgq=3", "legal is 1, 2, 4"),
            ("msgq=1", "from 2 on"),
            ("weights=3", "legal is a list of 0..255 flits"),
            ("weights=[3, 256]", "legal is a list of 0..255 flits"),
            ("weights=[3, 4]", "2 weights: legal is one for each of the 14 data lanes"),
            ("lft_depth=9", "9 hosts need 10"),
            ("be_mask=0x4000", "those of data are 0..13"),
            ("m=2000", "legal is 1..1024"),
            ("c_b=1025", "legal is 0..1024"),
        ] {
            let e = of(text).unwrap_err();
            assert!(e.contains(part), "{text}: {e}");
        }
    }
}
