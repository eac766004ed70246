//! A drawn network, complete: what is run, what a failure is written as, and what `--replay` reads.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::params::{Params, UnitKind};
use crate::registers::{REGISTERS, Register};

/// Version of the file format.
pub const VERSION: u32 = 1;
/// Most cycles of traffic of a run.
pub const MOST_CYCLES: u64 = 10_000_000;
/// Longest link, cycles.
pub const MOST_DELAY: u32 = 1024;

/// A network, its settings and its traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// [`VERSION`].
    pub version: u32,
    /// Where it was drawn from; also the seed of what is random while it runs.
    pub seed: u64,
    /// Cycles in which the sources post packets.
    pub cycles: u64,
    /// What the judge found, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// Switches: `s0`, `s1`, ...
    #[serde(default)]
    pub switch: Vec<SwitchNode>,
    /// Hosts with their adapters: `h0`, `h1`, ...
    #[serde(default)]
    pub host: Vec<HostNode>,
    /// Links.
    #[serde(default)]
    pub link: Vec<Link>,
    /// Who sends to whom.
    #[serde(default)]
    pub pair: Vec<Pair>,
    /// Registers written while packets flow.
    #[serde(default)]
    pub rewrite: Vec<Rewrite>,
    /// Nodes that are reset and links that are unplugged meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reset: Vec<Reset>,
}

/// A switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchNode {
    /// Every RTL parameter.
    pub parameters: BTreeMap<String, usize>,
    /// Ports that lead up: by any of them the packets for hosts that are not below it may leave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub up: Vec<usize>,
    /// Registers that are written before the traffic: `in0.HTH`, `out2.CTRL`.
    #[serde(default)]
    pub registers: BTreeMap<String, u32>,
}

/// A host and its adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostNode {
    /// Its LID.
    pub lid: u16,
    /// LID of flow 0.
    pub lid_base: u16,
    /// When the host takes received flits (`host_ready`).
    #[serde(default, skip_serializing_if = "Pace::always")]
    pub take: Pace,
    /// When it supplies flits to send (`dma_ready`).
    #[serde(default, skip_serializing_if = "Pace::always")]
    pub give: Pace,
    /// First entries of the CCT.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cct: Vec<u16>,
    /// First waiting times of a source response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wt: Vec<u32>,
    /// Every RTL parameter.
    pub parameters: BTreeMap<String, usize>,
    /// `in0.HTH`, `out0.CTRL`, `hca.CTRL`, and `throttle.CTRL`, `response.CTRL` or `reservation.CTRL`.
    #[serde(default)]
    pub registers: BTreeMap<String, u32>,
}

/// Cycles in which a host is ready: `on` of `period` from `phase` on, or so many on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Cycles after which it repeats.
    pub period: u32,
    /// Ready cycles in a period.
    pub on: u32,
    /// First cycle of a period.
    pub phase: u32,
    /// Each cycle is drawn, with probability `on / period`.
    pub random: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { period: 1, on: 1, phase: 0, random: false }
    }
}

impl Pace {
    fn always(&self) -> bool {
        *self == Pace::default()
    }

    /// Whether cycle `t` is a ready one.
    pub fn allows(&self, t: u64, seed: u64) -> bool {
        let period = u64::from(self.period);
        let at =
            if self.random { super::mix(seed ^ t) % period } else { (t + u64::from(self.phase)) % period };
        at < u64::from(self.on)
    }

    /// Cycles that a flit takes, in the worst case of the long run.
    pub fn slowness(&self) -> u64 {
        let mean = u64::from(self.period.div_ceil(self.on));
        if self.random { 2 * mean } else { mean }
    }

    /// The longest wait for a ready cycle (of a random pace: one that is never seen to be exceeded).
    pub fn gap(&self) -> u64 {
        if self.random {
            40 * u64::from(self.period.div_ceil(self.on))
        } else {
            u64::from(self.period - self.on) + 1
        }
    }
}

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum End {
    /// A port of a switch: `s0.1`.
    Switch(usize, usize),
    /// A host: `h3`.
    Host(usize),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            End::Switch(s, p) => write!(f, "s{s}.{p}"),
            End::Host(h) => write!(f, "h{h}"),
        }
    }
}

impl From<End> for String {
    fn from(e: End) -> String {
        e.to_string()
    }
}

impl TryFrom<String> for End {
    type Error = String;

    fn try_from(text: String) -> Result<End, String> {
        let parse = || {
            if let Some(h) = text.strip_prefix('h') {
                return h.parse().ok().map(End::Host);
            }
            let (s, p) = text.strip_prefix('s')?.split_once('.')?;
            Some(End::Switch(s.parse().ok()?, p.parse().ok()?))
        };
        parse().ok_or_else(|| {
            format!("end \"{text}\": legal is a host h0, h1, ... or a switch port s0.0, s0.1, ...")
        })
    }
}

/// A link between two ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// One end.
    pub a: End,
    /// The other.
    pub b: End,
    /// Cycles from a to b, and back.
    pub delay: [u32; 2],
    /// Control words that it loses or repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbed: Option<Disturbance>,
    /// ACKs, and packets of reservation without data, that it loses or damages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eats: Option<Eats>,
}

/// A time in which a link loses ACKs (with SRP = 1: RES, GRANTs, ACKs and NACKs of reservation).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Eats {
    /// First cycle.
    pub from: u64,
    /// First cycle after it.
    pub until: u64,
    /// ACKs that do not come out, of 1000.
    pub lose: u32,
    /// ACKs that come out damaged, of 1000.
    pub damage: u32,
}

/// A time in which a link damages its control words.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disturbance {
    /// First cycle.
    pub from: u64,
    /// First cycle after it.
    pub until: u64,
    /// Words lost, of 1000.
    pub lose: u32,
    /// Words shown a second time in the next cycle without one, of 1000.
    pub repeat: u32,
}

/// The packets of a source to a destination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Source: number of a host.
    pub from: usize,
    /// Destination.
    pub to: usize,
    /// Service level.
    pub sl: u8,
    /// Lengths in flits, taken in turn; of a message that of its last packet, the others have MTU.
    pub lengths: Vec<u8>,
    /// Packets of its messages, taken in turn, where sources reserve (SRP = 1); of one packet each if there are none here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packets: Vec<u16>,
    /// First cycle of a post.
    pub start: u64,
    /// Cycles from one post to the next, at least.
    pub gap: u64,
    /// Packets posted and not delivered, at most (a message is posted as a whole, with less than this under way).
    pub window: u32,
    /// Packets, at most.
    pub count: u64,
}

/// A register written while packets flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewrite {
    /// When.
    pub cycle: u64,
    /// `s0` or `h0`.
    pub node: String,
    /// As in `registers`, or `sl` for the SL of the flow to host `flow`.
    pub register: String,
    /// The value.
    pub value: u32,
}

/// A node that is reset, or a link that is unplugged. A node's links come up when it is configured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reset {
    /// First cycle.
    pub cycle: u64,
    /// `s0` or `h0`: that node; `s0.1`: the link at that port.
    pub what: String,
    /// Cycles for which the reset is held, or the link is unplugged.
    pub cycles: u32,
    /// Cycles until links come up afterwards.
    pub late: u32,
    /// Cycles by which one end sees that later than the other (no more than the link's delay).
    pub skew: u32,
}

/// What a reset is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A node: switches first, then hosts.
    Node(usize),
    /// A link.
    Link(usize),
}

/// A register of a node: `cfg_unit`, `cfg_port`, the register.
pub type Target = (u8, u8, &'static Register);

/// Finds a register by its name in a file.
pub fn target(kind: UnitKind, p: &Params, name: &str) -> Result<Target, String> {
    let switch = kind == UnitKind::Switch;
    let ports = if switch { p.ports } else { 1 };
    let wrong = || {
        let own = match p.chooser() {
            _ if switch => "",
            UnitKind::Reservation => ", reservation.<NAME>, hca.<NAME>",
            UnitKind::SourceResponse => ", response.<NAME>, hca.<NAME>",
            _ => ", throttle.<NAME>, hca.<NAME>",
        };
        format!(
            "register {name}: legal is in<port>.<NAME>, out<port>.<NAME>{own} with port 0..{} and NAME a register of that unit",
            ports - 1
        )
    };
    let (place, register) = name.split_once('.').ok_or_else(wrong)?;
    let port = |text: &str| text.parse::<u8>().ok().filter(|n| usize::from(*n) < ports);
    let chosen = |place: &str| match place {
        "throttle" => Some(UnitKind::HcaThrottle),
        "response" => Some(UnitKind::SourceResponse),
        "reservation" => Some(UnitKind::Reservation),
        _ => None,
    };
    let chooser = chosen(place).filter(|unit| !switch && *unit == p.chooser());
    let (unit, code, port) = match place {
        _ if chooser.is_some() => (chooser.unwrap_or(UnitKind::Hca), 2, 0),
        "hca" if !switch => (UnitKind::Hca, 3, 0),
        _ => match (place.strip_prefix("in"), place.strip_prefix("out")) {
            (Some(n), _) => (UnitKind::InputPort, 0, port(n).ok_or_else(wrong)?),
            (_, Some(n)) => (UnitKind::OutputPort, 1, port(n).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        },
    };
    let r = REGISTERS.iter().find(|r| r.unit == unit && r.name == register).ok_or_else(wrong)?;
    Ok((code, port, r))
}

/// The parameters of a node as a file has them.
pub fn parameters(unit: UnitKind, p: &Params) -> BTreeMap<String, usize> {
    unit.parameter_names().iter().map(|n| (n.to_string(), p.get(n).unwrap_or_default())).collect()
}

/// And back; names that a file leaves out have their default.
fn read_parameters(unit: UnitKind, map: &BTreeMap<String, usize>) -> Result<Params, String> {
    let mut p = Params::default();
    for (name, value) in map {
        let known = unit.parameter_names().contains(&name.as_str());
        let flag = Params::is_flag(name);
        if flag && *value > 1 {
            return Err(format!("parameter {name} = {value} is out of range: legal is 0..1"));
        }
        if !known || !p.set(name, *value) {
            let names = unit.parameter_names().join(", ");
            return Err(format!("parameter {name}: legal is one of {names}"));
        }
    }
    if unit == UnitKind::Switch {
        // A switch has none: any legal value does.
        p.rx_blocks = (p.vls * p.mtu).max(1);
    }
    p.check_unit(unit)?;
    Ok(p)
}

/// Parameters that all nodes of a network must share: the layout of what links carry, and which VL a packet is on.
pub const SHARED: [&str; 8] = ["VLS", "MTU", "LINES", "DLIST", "FLIT_BYTES", "VL_BY_DEST", "CTL_VL", "SRP"];

impl Case {
    /// Parameters of a switch.
    pub fn switch_params(&self, s: usize) -> Result<Params, String> {
        read_parameters(UnitKind::Switch, &self.switch[s].parameters).map_err(|e| format!("switch s{s}: {e}"))
    }

    /// Parameters of an adapter.
    pub fn host_params(&self, h: usize) -> Result<Params, String> {
        read_parameters(UnitKind::Hca, &self.host[h].parameters).map_err(|e| format!("host h{h}: {e}"))
    }

    /// Whether sources may reserve (SRP = 1, in all nodes or in none).
    pub fn reserves(&self) -> bool {
        self.switch.first().is_some_and(|s| s.parameters.get("SRP") == Some(&1))
    }

    /// The lane of a packet of data of service level `sl` to host `to`.
    pub fn lane(&self, p: &Params, to: usize, sl: u8) -> usize {
        (if p.vl_by_dest { usize::from(self.host[to].lid) } else { usize::from(sl) }) % p.data_lanes()
    }

    /// Unit, parameters and number in its list of a node by name.
    pub fn node(&self, name: &str) -> Result<(UnitKind, usize), String> {
        let number = |prefix: char, n: usize| {
            name.strip_prefix(prefix).and_then(|t| t.parse::<usize>().ok()).filter(|i| *i < n)
        };
        if let Some(s) = number('s', self.switch.len()) {
            return Ok((UnitKind::Switch, s));
        }
        if let Some(h) = number('h', self.host.len()) {
            return Ok((UnitKind::Hca, h));
        }
        let (s, h) = (self.switch.len(), self.host.len());
        Err(format!(
            "node \"{name}\": legal is s0..s{} and h0..h{}",
            s.saturating_sub(1),
            h.saturating_sub(1)
        ))
    }

    /// What a reset is of.
    pub fn reset_of(&self, r: &Reset) -> Result<Of, String> {
        if r.what.contains('.') {
            let end = End::try_from(r.what.clone())?;
            let link = self.peers().get(&end).map(|x| x.0);
            return link.map(Of::Link).ok_or_else(|| format!("end {end}: legal is a port with a link"));
        }
        let (kind, n) = self.node(&r.what)?;
        Ok(Of::Node(if kind == UnitKind::Switch { n } else { self.switch.len() + n }))
    }

    /// The link of each end, and the end at its other side.
    pub fn peers(&self) -> BTreeMap<End, (usize, End)> {
        self.link.iter().enumerate().flat_map(|(i, l)| [(l.a, (i, l.b)), (l.b, (i, l.a))]).collect()
    }

    /// The text of a file.
    pub fn text(&self) -> Result<String, String> {
        let text = toml::to_string(self).map_err(|e| e.to_string())?;
        Ok(format!("# A network of quell torture; quell torture --replay FILE runs it.\n{text}"))
    }

    /// Writes a file: beside it first, then renamed.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = self.text()?;
        crate::outfile::write(path, text.as_bytes()).map_err(|e| format!("{e:#}"))
    }

    /// Reads and checks the text of a file.
    pub fn parse(text: &str) -> Result<Case, String> {
        let case: Case = of_this_version(text)?;
        case.check()?;
        Ok(case)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Case, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Case::parse(&text).map_err(|e| format!("{}: {e}", path.display()))
    }
}

/// The network of a file's text, if that is of this version.
pub(super) fn of_this_version<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let table: toml::Table = toml::from_str(text).map_err(|e| damaged(text, &e))?;
    match table.get("version").map(|v| v.as_integer()) {
        Some(Some(v)) if v == i64::from(VERSION) => {}
        Some(v) => {
            let v = v.map_or("no number".into(), |v| v.to_string());
            return Err(format!("version = {v}: legal is {VERSION}"));
        }
        None => return Err(format!("version: it is missing; legal is {VERSION}")),
    }
    toml::from_str(text).map_err(|e| damaged(text, &e))
}

/// What is wrong with a text, and in which line.
fn damaged(text: &str, e: &toml::de::Error) -> String {
    let what = e.message().replace('\n', "; ");
    match e.span() {
        Some(s) => format!("line {}: {what}", 1 + text[..s.start.min(text.len())].matches('\n').count()),
        None => what,
    }
}
