//! Pins of the design held against the signals of the unit: who is connected to whom, and what is missing or wrong, by name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Result, bail};

use super::map::{At, Level, Map, Use};
use super::pins::Pin;
use super::words::{nearest, plain, proposal};
use crate::params::{Build, Params, UnitKind};
use crate::registers::{REGISTERS, Register};
use crate::signals::{Group, Layout, Signal};

/// What a pin is connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum To {
    /// Bits of a port of the unit, from the lowest on.
    Bits { name: &'static str, group: Group, low: usize, inverted: bool },
    /// Bits of a register that the adapter keeps, from the lowest on.
    Register { name: &'static str, low: usize },
    /// The clock.
    Clock,
    /// The reset.
    Reset(Level),
    /// Always this.
    Tied(u64),
    /// Nothing.
    Open,
}

/// Some bits of a pin, and what they are connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// First bit of the pin.
    pub at: usize,
    /// How many.
    pub bits: usize,
    pub to: To,
}

/// A register that the adapter keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub name: &'static str,
    pub address: u8,
    pub reset: u32,
}

/// All connections of a design.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    /// Pins with their parts, the lowest bits first.
    pub pins: Vec<(Pin, Vec<Part>)>,
    pub registers: Vec<Kept>,
    /// Outputs and state that the design does not have.
    pub lacks: Vec<(Group, &'static str)>,
}

/// First bit, bit after the last, and the pin.
type Driver = (usize, usize, String);

/// What is found while connecting.
struct Work<'a> {
    build: &'a Build,
    layout: &'a Layout,
    top: &'a str,
    pins: &'a [Pin],
    registers: BTreeMap<&'static str, Kept>,
    /// Inputs of the unit that a pin takes.
    taken: BTreeSet<&'static str>,
    /// Who drives the bits of an output.
    driven: HashMap<(Group, &'static str), Vec<Driver>>,
    problems: Vec<String>,
    /// Clock and reset, or what is proposed for them.
    special: Vec<String>,
    /// Signals that the map names.
    named: BTreeSet<&'a str>,
    /// State is compared.
    state: bool,
}

/// So many problems are told at once.
const MOST: usize = 12;

impl Connections {
    /// Connects all pins. The error names each that is missing or wrong, and what is near.
    pub fn new(
        build: &Build,
        layout: &Layout,
        top: &str,
        pins: &[Pin],
        map: &Map,
        state: bool,
    ) -> Result<Connections> {
        let mut work = Work {
            build,
            layout,
            top,
            pins,
            registers: BTreeMap::new(),
            taken: BTreeSet::new(),
            driven: HashMap::new(),
            problems: Vec::new(),
            special: Vec::new(),
            named: map.pins.values().flat_map(|at| at.is.signals()).collect(),
            state,
        };
        for (name, at) in &map.pins {
            if !pins.iter().any(|p| p.name == *name) {
                let near = proposal(name, work.free(map));
                work.problems.push(format!("{}: pins.{name}: {top} has no pin of this name{near}", at.place));
            }
        }
        let clock = work.special("clock", &map.clock, "clk_i");
        let reset = work.special("reset", &map.reset, "rst_i");
        let low = reset.as_deref().filter(|name| map.reset_active.is_none() && looks_low(name));
        work.problems.extend(low.map(|name| {
            format!("reset: {name} looks as if 0 resets; the map must say which level does (reset_active = \"low\", or \"high\")")
        }));
        let mut connected = Vec::new();
        for pin in pins {
            let whole = |to| vec![Part { at: 0, bits: pin.bits(), to }];
            let parts = if Some(&pin.name) == clock.as_ref() {
                Some(whole(To::Clock))
            } else if Some(&pin.name) == reset.as_ref() {
                Some(whole(To::Reset(map.reset_active.unwrap_or_default())))
            } else if work.special.contains(&pin.name) && !map.pins.contains_key(&pin.name) {
                None
            } else {
                work.pin(pin, map.pins.get(&pin.name))
            };
            connected.extend(parts.map(|parts| (pin.clone(), parts)));
        }
        let lacks = work.missing(map, state);
        let more = work.problems.len().saturating_sub(MOST);
        if work.problems.is_empty() {
            return Ok(Connections {
                pins: connected,
                registers: work.registers.into_values().collect(),
                lacks,
            });
        }
        work.problems.truncate(MOST);
        let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
        bail!("{}{more}", work.problems.iter().map(|p| format!("\n  {p}")).collect::<String>());
    }
}

/// The signals that a pin can be.
fn candidates(layout: &Layout, input: bool) -> impl Iterator<Item = &Signal> {
    layout.signals.iter().filter(move |s| (s.group == Group::Input) == input)
}

impl<'a> Work<'a> {
    /// Pins of which the map says nothing.
    fn free(&self, map: &'a Map) -> impl Iterator<Item = &'a str> {
        self.pins.iter().map(|p| p.name.as_str()).filter(|n| !map.pins.contains_key(*n))
    }

    /// The pin of clock or reset.
    fn special(&mut self, what: &str, said: &Option<At<String>>, usual: &str) -> Option<String> {
        let name = said.as_ref().map_or(usual, |s| s.is.as_str());
        let place = said.as_ref().map_or(String::new(), |s| format!("{}: ", s.place));
        match self.pins.iter().find(|p| p.name == name) {
            Some(p) if p.input && p.bits() == 1 => {
                self.special.push(name.into());
                return Some(name.into());
            }
            Some(p) => {
                self.problems.push(format!(
                    "{place}{what}: pin {name} is an {}: an input of 1 bit is wanted",
                    p.describe()
                ));
            }
            None => {
                let inputs = self.pins.iter().filter(|p| p.input && p.bits() == 1).map(|p| p.name.as_str());
                // `core_clk` is meant sooner than what is like `clk_i` by its letters alone.
                let usual: &[&str] = if what == "clock" { &["clk", "clock"] } else { &["rst", "reset"] };
                let all: Vec<&str> = inputs.collect();
                let like = all.iter().find(|n| usual.iter().any(|u| n.to_ascii_lowercase().contains(u)));
                let like = like.copied();
                let near = nearest(name, all.iter().copied());
                let near = if said.is_none() { like.or(near) } else { near.or(like) };
                // One problem is enough of that pin.
                self.special.extend(near.map(String::from));
                let near = near
                    .map_or(String::new(), |n| format!("; did you mean {n}? (in the map: {what} = \"{n}\")"));
                self.problems.push(format!("{place}{what}: {} has no pin {name}{near}", self.top));
            }
        }
        None
    }

    /// What a pin is connected to.
    fn pin(&mut self, pin: &Pin, said: Option<&At<Use>>) -> Option<Vec<Part>> {
        let place = said.map_or(format!("pin {}", pin.name), |s| format!("{}: pins.{}", s.place, pin.name));
        let whole = |to| vec![Part { at: 0, bits: pin.bits(), to }];
        let parts = match said.map(|s| &s.is) {
            None => self.by_name(pin).map(whole),
            Some(Use::Packed(all)) => self.packed(pin, all),
            Some(one) => self.one(pin, one).map(whole),
        };
        parts.map_err(|problem| self.problems.push(format!("{place}: {problem}"))).ok()
    }

    /// What a pin, or some bits of it, are.
    fn one(&mut self, pin: &Pin, is: &Use) -> Result<To, String> {
        match is {
            Use::Open | Use::OpenBits(_) if pin.input => {
                Err(format!("{} is an input, and so cannot be open; a number ties it", pin.name))
            }
            Use::Open | Use::OpenBits(_) => Ok(To::Open),
            Use::Tied(_) | Use::TiedBits(..) if !pin.input => {
                Err(format!("{} is an output, and so cannot be tied; \"open\" leaves it", pin.name))
            }
            Use::Tied(n) | Use::TiedBits(_, n) => {
                let most = 1u64.checked_shl(pin.bits() as u32).map_or(u64::MAX, |m| m - 1);
                if *n <= most {
                    Ok(To::Tied(*n))
                } else {
                    Err(format!("{n} does not fit into {}: legal is 0..{most}", pin.describe()))
                }
            }
            Use::Register { name, bits } => self.register(pin, name, *bits),
            Use::Signal { name, first, second, inverted } => {
                self.signal(pin, name, *first, *second, *inverted)
            }
            Use::Packed(_) => Err("a list in a list".into()),
        }
    }

    /// A pin of several parts, of which the map lists the highest first.
    fn packed(&mut self, pin: &Pin, all: &[Use]) -> Result<Vec<Part>, String> {
        let (mut parts, mut sizes, mut at) = (Vec::new(), Vec::new(), 0);
        for is in all.iter().rev() {
            let (shown, bits) = match is {
                Use::TiedBits(bits, n) => (format!("{bits}'d{n}"), *bits),
                Use::OpenBits(bits) => ("open".into(), *bits),
                Use::Register { name, bits: Some(b) } => {
                    (shown(&format!("cfg.{name}"), Some(*b), None), b.0 + 1 - b.1)
                }
                Use::Signal { name, first, second, .. } => {
                    let (_, _, bits) = self.span(pin, name, *first, *second)?;
                    (shown(name, *first, *second), bits)
                }
                _ => return Err("what is in a list must have a width".into()),
            };
            sizes.push(format!("{shown} {bits}"));
            parts.push((is, at, bits));
            at += bits;
        }
        if at != pin.bits() {
            sizes.reverse();
            return Err(format!(
                "wrong width: {} is an {}, and its list has {at} ({})",
                pin.name,
                pin.describe(),
                sizes.join(", ")
            ));
        }
        let made = parts.into_iter().map(|(is, at, bits)| {
            let bare = Pin { name: pin.name.clone(), input: pin.input, width: bits, array: None };
            Ok(Part { at, bits, to: self.one(&bare, is)? })
        });
        made.collect()
    }

    fn by_name(&mut self, pin: &Pin) -> Result<To, String> {
        let name = plain(&pin.name);
        if let Some(s) = candidates(self.layout, pin.input).find(|s| s.name == name || s.name == pin.name) {
            return self.connect(pin, s, 0, s.width * s.count, false, s.name);
        }
        let free = || {
            candidates(self.layout, pin.input)
                .filter(|s| !self.named.contains(s.name) && (self.state || s.group != Group::State))
        };
        let fits = free().filter(|s| s.width * s.count == pin.bits()).map(|s| s.name);
        let near = nearest(&pin.name, fits).or_else(|| nearest(&pin.name, free().map(|s| s.name)));
        let near = near.map_or(String::new(), |n| {
            format!("; did you mean {n}? (in the map: [pins] {} = \"{n}\")", pin.name)
        });
        let rest = if pin.input { "a number ties it" } else { "\"open\" leaves it" };
        Err(format!("{} is an {} that the map does not name{near}; {rest}", pin.name, pin.describe()))
    }

    fn signal(
        &mut self,
        pin: &Pin,
        name: &str,
        first: Option<(usize, usize)>,
        second: Option<(usize, usize)>,
        inverted: bool,
    ) -> Result<To, String> {
        let (s, low, bits) = self.span(pin, name, first, second)?;
        self.connect(pin, s, low, bits, inverted, &shown(name, first, second))
    }

    /// The signal of a name in a map, its first bit that is meant, and how many are.
    fn span(
        &self,
        pin: &Pin,
        name: &str,
        first: Option<(usize, usize)>,
        second: Option<(usize, usize)>,
    ) -> Result<(&'a Signal, usize, usize), String> {
        let unit = self.build.unit.cli_name();
        let Some(s) = candidates(self.layout, pin.input).find(|s| s.name == name) else {
            if self.layout.signals.iter().any(|s| s.name == name) {
                let (way, other) =
                    if pin.input { ("an input", "an output") } else { ("an output", "an input") };
                return Err(format!(
                    "{} is {way} of {}, and {name} is {other} of {unit}",
                    pin.name, self.top
                ));
            }
            let near = proposal(name, candidates(self.layout, pin.input).map(|s| s.name));
            return Err(format!("{unit} has no signal {name}{near}"));
        };
        let whole = s.width * s.count;
        let (low, bits) = match (first, second, s.count) {
            (None, ..) => (0, whole),
            (Some((high, low)), None, 1) => (low, high + 1 - low),
            (Some((high, low)), None, _) => (low * s.width, (high + 1 - low) * s.width),
            (Some((element, other)), Some((high, low)), _) if element == other && high < s.width => {
                (element * s.width + low, high + 1 - low)
            }
            (Some(_), Some((high, _)), _) => {
                return Err(format!(
                    "{name} has {} bits an element, so that bit {high} is none of one",
                    s.width
                ));
            }
        };
        let shown = shown(name, first, second);
        if low + bits > whole {
            let of = if s.count > 1 {
                format!("{} elements, 0..{}", s.count, s.count - 1)
            } else {
                format!("{} bits, 0..{}", s.width, s.width - 1)
            };
            return Err(format!("{shown}: {name} has {of}"));
        }
        Ok((s, low, bits))
    }

    fn connect(
        &mut self,
        pin: &Pin,
        s: &'a Signal,
        low: usize,
        bits: usize,
        inverted: bool,
        shown: &str,
    ) -> Result<To, String> {
        if pin.bits() != bits {
            let cut = if pin.bits() < bits && s.count == 1 {
                format!(" (in the map: \"{}[{}:{low}]\" takes the lower bits)", s.name, low + pin.bits() - 1)
            } else {
                String::new()
            };
            return Err(format!(
                "wrong width: {} is an {}, and {shown} has {bits}{cut}",
                pin.name,
                pin.describe()
            ));
        }
        if pin.input {
            self.taken.insert(s.name);
        } else {
            let drivers = self.driven.entry((s.group, s.name)).or_default();
            if let Some(d) = drivers.iter().find(|d| low < d.1 && d.0 < low + bits) {
                return Err(format!("{shown} is driven by pin {} already", d.2));
            }
            drivers.push((low, low + bits, pin.name.clone()));
        }
        Ok(To::Bits { name: s.name, group: s.group, low, inverted })
    }

    fn register(&mut self, pin: &Pin, name: &str, bits: Option<(usize, usize)>) -> Result<To, String> {
        let unit = self.build.unit;
        if !UnitKind::ALONE.contains(&unit) {
            return Err(format!(
                "{} passes writes to units in it, and so has no registers to keep",
                unit.cli_name()
            ));
        }
        if !pin.input {
            return Err(format!("{} is an output, and a register cannot be driven", pin.name));
        }
        let own = || REGISTERS.iter().filter(|r| r.unit == unit);
        let Some(register) = own().find(|r| r.name == name) else {
            let near = proposal(name, own().map(|r| r.name));
            let there: Vec<&str> = own().map(|r| r.name).collect();
            return Err(format!(
                "{} has no register {name}{near}; there are {}",
                unit.cli_name(),
                there.join(", ")
            ));
        };
        let (high, low) = bits.unwrap_or((pin.bits() - 1, 0));
        if high > 31 || high + 1 - low != pin.bits() {
            return Err(format!(
                "wrong width: {} is an {}, and {name}[{high}:{low}] has {} of 32",
                pin.name,
                pin.describe(),
                high + 1 - low
            ));
        }
        let Some(reset) = reset(register, &self.build.params) else {
            return Err(format!(
                "the value of {name} after reset, {}, is none that the adapter can keep",
                register.reset
            ));
        };
        self.registers.insert(register.name, Kept { name: register.name, address: register.addr, reset });
        self.taken.extend(["cfg_we", "cfg_addr", "cfg_data"]);
        Ok(To::Register { name: register.name, low })
    }

    /// The signals of the unit that no pin has. Those that may be missing are given back.
    fn missing(&mut self, map: &Map, state: bool) -> Vec<(Group, &'static str)> {
        let unit = self.build.unit.cli_name();
        let mut lacks = Vec::new();
        let mut said: BTreeSet<&str> = BTreeSet::new();
        let lists = [(true, "inputs", &map.lacking_inputs), (false, "outputs", &map.lacking_outputs)];
        for (input, list, names) in lists {
            for At { place, is: name } in names {
                let found = candidates(self.layout, input).find(|s| s.name == name);
                let Some(s) = found else {
                    let near = proposal(name, candidates(self.layout, input).map(|s| s.name));
                    self.problems.push(format!(
                        "{place}: lacks.{list}: {unit} has no {} {name}{near}",
                        &list[..list.len() - 1]
                    ));
                    continue;
                };
                if self.taken.contains(s.name) || self.driven.contains_key(&(s.group, s.name)) {
                    self.problems
                        .push(format!("{place}: lacks.{list}: {name} is connected to a pin of {}", self.top));
                }
                said.insert(s.name);
            }
        }
        let unconnected: Vec<&str> =
            self.free(map).filter(|n| !self.special.iter().any(|s| s == n)).collect();
        for s in &self.layout.signals {
            let (input, there) = match s.group {
                Group::Input => (true, self.taken.contains(s.name)),
                group => (false, self.driven.contains_key(&(group, s.name))),
            };
            if there {
                continue;
            }
            if !input {
                lacks.push((s.group, s.name));
            }
            if said.contains(s.name) || s.group == Group::State && !state {
                continue;
            }
            let pins =
                self.pins.iter().filter(|p| p.input == input && unconnected.contains(&p.name.as_str()));
            let pins: Vec<&Pin> = pins.collect();
            let fits = pins.iter().filter(|p| p.bits() == s.width * s.count).map(|p| p.name.as_str());
            let near =
                nearest(s.name, fits).or_else(|| nearest(s.name, pins.iter().map(|p| p.name.as_str())));
            let near = near.map_or(String::new(), |n| {
                format!("; did you mean pin {n}? (in the map: [pins] {n} = \"{}\")", s.name)
            });
            let (way, verb, list) = match s.group {
                Group::Input => ("input", "goes to", "inputs"),
                Group::Output => ("output", "comes from", "outputs"),
                Group::State => ("state", "comes from", "outputs"),
            };
            let bits = s.width * s.count;
            let plural = if bits == 1 { "" } else { "s" };
            self.problems.push(format!(
                "{way} {} of {unit} ({bits} bit{plural}) {verb} no pin of {}{near}; [lacks] {list} = [\"{}\"] says that there is none",
                s.name, self.top, s.name
            ));
        }
        lacks
    }
}

/// True if a name is that of a signal that is active low, as many write it.
fn looks_low(name: &str) -> bool {
    let bare = plain(name);
    ["_n", "_ni", "_b", "_bar", "rstn", "resetn", "reset_l", "rst_l"].iter().any(|e| bare.ends_with(e))
        || ["nrst", "nreset", "n_rst", "n_reset"].iter().any(|b| bare.starts_with(b))
}

/// `inj_len[6:4]`
fn shown(name: &str, first: Option<(usize, usize)>, second: Option<(usize, usize)>) -> String {
    let index =
        |i: (usize, usize)| if i.0 == i.1 { format!("[{}]", i.0) } else { format!("[{}:{}]", i.0, i.1) };
    [first, second].into_iter().flatten().fold(name.to_string(), |s, i| s + &index(i))
}

/// The value of a register after reset, where it is a number or an elaboration parameter.
fn reset(r: &Register, p: &Params) -> Option<u32> {
    let parameter = |name: &str| p.get(name).and_then(|v| u32::try_from(v).ok());
    let text = r.reset;
    let plain =
        text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |h| u32::from_str_radix(h, 16).ok());
    plain.or_else(|| match text.split_once('-') {
        Some((name, less)) => parameter(name)?.checked_sub(less.parse().ok()?),
        None => parameter(text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pin(name: &str, input: bool, width: usize) -> Pin {
        Pin { name: name.into(), input, width, array: None }
    }

    fn build() -> Build {
        Build::named(UnitKind::HcaThrottle, Some("tiny")).unwrap()
    }

    /// All pins of the unit by its own names but `without`.
    fn own(without: &[&str]) -> Vec<Pin> {
        let build = build();
        let layout = Layout::new(build.unit, &build.params);
        let signals = layout.signals.iter().filter(|s| !without.contains(&s.name));
        let ports = signals.map(|s| {
            let input = s.group == Group::Input;
            pin(&format!("{}_{}", s.name, if input { "i" } else { "o" }), input, s.width * s.count)
        });
        [pin("clk_i", true, 1), pin("rst_i", true, 1)].into_iter().chain(ports).collect()
    }

    fn connected(pins: &[Pin], map: &str, state: bool) -> Result<Connections> {
        let build = build();
        let layout = Layout::new(build.unit, &build.params);
        Connections::new(&build, &layout, "mine", pins, &Map::parse("m.toml", map)?, state)
    }

    #[test]
    fn pins_with_the_units_names_need_no_map() {
        let c = connected(&own(&[]), "", true).unwrap();
        assert!(c.lacks.is_empty() && c.registers.is_empty());
        assert!(c.pins.iter().any(|(p, parts)| p.name == "clk_i" && parts[0].to == To::Clock));
        // State may be missing where it is not compared.
        let pins = own(&["st_now"]);
        assert_eq!(connected(&pins, "", false).unwrap().lacks, [(Group::State, "st_now")]);
        let error = connected(&pins, "", true).unwrap_err().to_string();
        assert!(
            error.contains("state st_now of hca-throttle (10 bits) comes from no pin of mine"),
            "{error}"
        );
    }

    #[test]
    fn parts_registers_and_constants_are_connected() {
        let mut pins = own(&["req", "cfg_we", "cfg_addr", "cfg_data", "inj_flow", "err"]);
        pins.extend([
            pin("want_0", true, 1),
            pin("want_rest", true, 4),
            pin("limit", true, 14),
            pin("scan", true, 2),
            pin("id", false, 3),
            pin("dbg", false, 9),
        ]);
        let map = "[pins]\nwant_0 = \"~req[0]\"\nwant_rest = \"req[4:1]\"\nlimit = \"cfg.CCTI_LIMIT[13:0]\"\nscan = 3\n\
            id = \"inj_flow[2:0]\"\ndbg = \"open\"\n[lacks]\noutputs = [\"err\"]";
        let c = connected(&pins, map, true).unwrap();
        let to =
            |name: &str| c.pins.iter().find(|(p, _)| p.name == name).map(|(_, t)| t[0].to.clone()).unwrap();
        assert_eq!(to("want_0"), To::Bits { name: "req", group: Group::Input, low: 0, inverted: true });
        assert_eq!(to("want_rest"), To::Bits { name: "req", group: Group::Input, low: 1, inverted: false });
        assert_eq!(to("limit"), To::Register { name: "CCTI_LIMIT", low: 0 });
        let cct = build().params.cct as u32;
        assert_eq!(c.registers, [Kept { name: "CCTI_LIMIT", address: 2, reset: cct - 1 }]);
        assert_eq!((to("scan"), to("dbg")), (To::Tied(3), To::Open));
        assert_eq!(c.lacks, [(Group::Output, "err")]);
    }

    #[test]
    fn a_pin_may_have_several_signals() {
        let mut pins = own(&["cfg_we", "cfg_re", "cfg_addr", "req", "inj_valid", "inj_flow"]);
        pins.extend([pin("bus", true, 13), pin("want", true, 5), pin("offer", false, 19)]);
        let map = |bus: &str, offer: &str| {
            format!(
                "[pins]\nbus = {bus}\nwant = [\"req[0]\", \"req[1]\", \"~req[2]\", \"req[4:3]\"]\noffer = {offer}"
            )
        };
        let (bus, offer) = (
            "[\"cfg_we\", \"cfg_re\", \"3'd5\", \"cfg_addr\"]",
            "[\"inj_valid\", \"open[2]\", \"inj_flow\"]",
        );
        let c = connected(&pins, &map(bus, offer), false).unwrap();
        let parts = |name: &str| c.pins.iter().find(|(p, _)| p.name == name).unwrap().1.clone();
        let input = |name, low, inverted| To::Bits { name, group: Group::Input, low, inverted };
        assert_eq!(
            parts("bus"),
            [
                Part { at: 0, bits: 8, to: input("cfg_addr", 0, false) },
                Part { at: 8, bits: 3, to: To::Tied(5) },
                Part { at: 11, bits: 1, to: input("cfg_re", 0, false) },
                Part { at: 12, bits: 1, to: input("cfg_we", 0, false) },
            ]
        );
        assert_eq!(parts("want")[0], Part { at: 0, bits: 2, to: input("req", 3, false) });
        assert_eq!(parts("want")[1], Part { at: 2, bits: 1, to: input("req", 2, true) });
        assert_eq!(parts("offer")[1], Part { at: 16, bits: 2, to: To::Open });
        for (bus, offer, says) in [
            (
                "[\"cfg_we\", \"cfg_addr\"]",
                offer,
                "m.toml:2: pins.bus: wrong width: bus is an input, 13 bits, and its list has 9 (cfg_we 1, cfg_addr 8)",
            ),
            ("[\"cfg_wee\", \"cfg_addr\"]", offer, "has no signal cfg_wee; did you mean cfg_we?"),
            ("[\"open[5]\", \"cfg_addr\"]", offer, "bus is an input, and so cannot be open"),
            (bus, "[\"inj_flow\", \"3'd0\"]", "offer is an output, and so cannot be tied"),
            (bus, "[\"inj_flow\", \"inj_flow[2:0]\"]", "inj_flow is driven by pin offer already"),
        ] {
            let error = connected(&pins, &map(bus, offer), false).expect_err(says).to_string();
            assert!(error.contains(says), "{says}\n{error}");
        }
    }

    #[test]
    fn a_pin_with_clk_in_its_name_is_proposed_as_clock() {
        let mut pins = own(&[]);
        pins.retain(|p| p.name != "clk_i");
        pins.extend([pin("ck", true, 1), pin("core_clk", true, 1)]);
        let error = connected(&pins, "", true).unwrap_err().to_string();
        assert!(error.contains("did you mean core_clk?"), "{error}");
        let error = connected(&pins, "clock = \"cck\"", true).unwrap_err().to_string();
        assert!(error.contains("did you mean ck?"), "{error}");
    }

    #[test]
    fn the_level_of_a_reset_that_looks_low_must_be_said() {
        let mut pins = own(&[]);
        pins.retain(|p| p.name != "rst_i");
        pins.push(pin("arst_ni", true, 1));
        let error = connected(&pins, "reset = \"arst_ni\"", true).unwrap_err().to_string();
        assert!(error.contains("arst_ni looks as if 0 resets"), "{error}");
        for level in ["low", "high"] {
            connected(&pins, &format!("reset = \"arst_ni\"\nreset_active = \"{level}\""), true).unwrap();
        }
        assert!(looks_low("RST_N") && looks_low("i_resetn") && !looks_low("rst_i") && !looks_low("rst_in"));
    }

    #[test]
    fn what_is_proposed_fits_if_it_can() {
        let mut pins = own(&["attr_flow"]);
        pins.push(pin("attr_f", true, 16));
        let error = connected(&pins, "[lacks]\ninputs = [\"stop\"]", false).unwrap_err().to_string();
        assert!(error.contains("pins] attr_f = \"attr_flow\""), "{error}");
        // Nobody means state where it is not compared.
        let mut pins = own(&["cfg_rdata", "st_vp"]);
        pins.push(pin("rd_val", false, 32));
        let error = connected(&pins, "", false).unwrap_err().to_string();
        assert!(!error.contains("\"st_"), "{error}");
    }

    #[test]
    fn what_is_missing_or_wrong_is_named_with_what_is_near() {
        let renamed = |from: &str, to: Pin| {
            let mut pins = own(&[from]);
            pins.push(to);
            pins
        };
        let no_clock: Vec<Pin> =
            own(&[]).into_iter().filter(|p| p.name != "clk_i").chain([pin("clk", true, 1)]).collect();
        let cases = [
            (
                own(&[]),
                "[pins]\nreqq = \"req\"",
                "m.toml:2: pins.reqq: mine has no pin of this name; did you mean req_i?",
            ),
            (
                own(&[]),
                "[pins]\nreq_i = \"reqs\"",
                "m.toml:2: pins.req_i: hca-throttle has no signal reqs; did you mean req?",
            ),
            (
                own(&[]),
                "[pins]\nreq_i = \"ready\"",
                "req_i is an input of mine, and ready is an output of hca-throttle",
            ),
            (own(&[]), "[pins]\nreq_i = \"stop[6:2]\"", "stop[6:2]: stop has 5 bits, 0..4"),
            (own(&[]), "[pins]\nsent_i = 2", "2 does not fit into input, 1 bit: legal is 0..1"),
            (own(&[]), "[pins]\nsent_i = \"open\"", "sent_i is an input, and so cannot be open"),
            (own(&[]), "[pins]\nerr_o = 0", "err_o is an output, and so cannot be tied"),
            (
                own(&[]),
                "[pins]\nreq_i = \"cfg.CTRLL\"",
                "has no register CTRLL; did you mean CTRL?; there are CTRL, ",
            ),
            (
                own(&[]),
                "[pins]\nreq_i = \"cfg.CTRL[7:0]\"",
                "wrong width: req_i is an input, 5 bits, and CTRL[7:0] has 8 of 32",
            ),
            (own(&[]), "[pins]\nblocked_o = \"st_went\"", "st_went is driven by pin blocked_o already"),
            (
                own(&[]),
                "[lacks]\noutputs = [\"err\"]",
                "m.toml:2: lacks.outputs: err is connected to a pin of mine",
            ),
            (own(&[]), "[lacks]\ninputs = [\"er\"]", "lacks.inputs: hca-throttle has no input er"),
            (own(&[]), "clock = \"clok_i\"", "m.toml:1: clock: mine has no pin clok_i; did you mean clk_i?"),
            (
                own(&[]),
                "reset = \"req_i\"",
                "reset: pin req_i is an input, 5 bits: an input of 1 bit is wanted",
            ),
            (no_clock, "", "clock: mine has no pin clk_i; did you mean clk? (in the map: clock = \"clk\")"),
            (
                renamed("req", pin("request", true, 5)),
                "",
                "input req of hca-throttle (5 bits) goes to no pin of mine; did you mean pin request?",
            ),
            (
                renamed("sl_ok", pin("sl_okay", true, 16)),
                "",
                "pin sl_okay: sl_okay is an input, 16 bits that the map does not name; did you mean sl_ok?",
            ),
            (
                renamed("inj_flow", pin("inj_flow_o", false, 3)),
                "",
                "wrong width: inj_flow_o is an output, 3 bits, and inj_flow has 16 (in the map: \"inj_flow[2:0]\"",
            ),
        ];
        for (pins, map, says) in cases {
            let error = connected(&pins, map, true).expect_err(says).to_string();
            assert!(error.contains(says), "{says}\n{error}");
        }
    }

    #[test]
    fn resets_of_registers_are_evaluated() {
        let b = build();
        let of = |unit, name| {
            let r = REGISTERS.iter().find(|r| r.unit == unit && r.name == name).unwrap();
            reset(r, &b.params)
        };
        assert_eq!(of(UnitKind::HcaThrottle, "CCTI_TIMER"), Some(150));
        assert_eq!(of(UnitKind::HcaThrottle, "CCTI_LIMIT"), Some(b.params.cct as u32 - 1));
    }
}
