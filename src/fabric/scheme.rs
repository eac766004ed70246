//! How a network is configured for a scheme: elaboration parameters and the register writes after reset. Every engine
//! takes both from here, so all start alike (`docs/fabric.md`).

use serde::{Deserialize, Serialize};

use super::net::{End, NO_ROUTE, Network};
use crate::params::{Params, UnitKind};
use crate::registers::addr;
use crate::scheme::organisation::Sizes;
use crate::scheme::{Isolation, Marking, Notification, Response, Scheme};

/// Everything adjustable in a run. Lengths in flits and times in cycles unless the name says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // each field is the parameter or register of the same name; docs/conventions.md and the unit pages
pub struct Config {
    pub scheme: Scheme,
    // elaboration
    pub mtu: usize,
    pub blocks: usize,
    pub hca_blocks: usize,
    pub rx_blocks: usize,
    pub hpqs: usize,
    pub lines: usize,
    pub dlist: usize,
    pub lft_depth: usize,
    pub flows: usize,
    pub vls: usize,
    /// SLs in use: SL of the flow to destination d is d mod this.
    pub sls: usize,
    pub iterations: usize,
    pub advoq: usize,
    pub cnpq: usize,
    // detection, isolation
    pub hth: u32,
    pub lth: u32,
    pub stop: u32,
    pub go: u32,
    pub detect: u32,
    pub hold: u32,
    /// D4: threshold weight 0..15 instead of HTH / LTH; negative: not used.
    pub weight: i32,
    pub cold_first: bool,
    pub line_timer: u32,
    pub refresh: u32,
    // marking
    pub eval: u32,
    pub mark_mode: u32,
    pub marking_rate: u32,
    pub mark_fraction: u32,
    pub packet_size: u32,
    /// Victim_Mask set at ports that lead to adapters (D3).
    pub victim_hosts: bool,
    // throttling
    pub sl_mode: bool,
    pub timer_per_sl: bool,
    pub restart: bool,
    pub ccti_increase: u32,
    pub ccti_limit: u32,
    pub ccti_min: u32,
    /// In units of 1.024 us.
    pub ccti_timer: u32,
    /// `cct[i] = i^2 * cct_us` microseconds.
    pub cct_us: f64,
    // flow control
    pub fc_interval: u32,
}

impl Config {
    /// The papers' parameters of a scheme, for a network of `hosts` adapters.
    pub fn new(scheme: Scheme, hosts: usize) -> Config {
        let mtu = 32;
        let Sizes { vls, blocks, hca_blocks, rx_blocks, hpqs, lines, dlist, flows } =
            scheme.organisation.sizes(hosts);
        let config = Config {
            scheme,
            mtu,
            blocks,
            hca_blocks,
            rx_blocks,
            hpqs,
            lines,
            dlist,
            lft_depth: (hosts + 1).next_power_of_two().max(128),
            flows,
            vls,
            sls: 1,
            iterations: 2,
            advoq: 8,
            cnpq: 16,
            hth: 6 * mtu as u32,
            lth: 4 * mtu as u32,
            stop: 0,
            go: 0,
            detect: 4 * mtu as u32,
            hold: mtu as u32,
            weight: -1,
            cold_first: false,
            line_timer: 20_000,
            refresh: 5_000,
            eval: 0,
            mark_mode: 0,
            marking_rate: 1,
            mark_fraction: 256,
            packet_size: 0,
            victim_hosts: true,
            sl_mode: false,
            timer_per_sl: false,
            restart: false,
            ccti_increase: 1,
            ccti_limit: 127,
            ccti_min: 0,
            ccti_timer: 150,
            cct_us: 7.0 / (106.0 * 106.0),
            fc_interval: 4,
        };
        let change = |c: Config, &(name, value): &(&str, &str)| c.with(name, value);
        scheme.settings.iter().try_fold(config, change).expect("the catalogue has settings that there are")
    }

    /// With one field changed by name from text, not yet checked. Errors name the field.
    fn with(&self, name: &str, value: &str) -> Result<Config, String> {
        let mut table = toml::Table::try_from(self).map_err(|e| e.to_string())?;
        if !table.contains_key(name) {
            let names: Vec<&str> = table.keys().map(String::as_str).collect();
            return Err(format!("there is no setting {name}: there are {}", names.join(", ")));
        }
        let parsed = format!("v = {value}")
            .parse::<toml::Table>()
            .or_else(|_| format!("v = \"{value}\"").parse::<toml::Table>())
            .map_err(|e| format!("setting {name} = {value}: {}", e.message()))?;
        let mut parsed = parsed["v"].clone();
        if let (Some(toml::Value::Float(_)), toml::Value::Integer(i)) = (table.get(name), &parsed) {
            parsed = toml::Value::Float(*i as f64);
        }
        table.insert(name.to_string(), parsed);
        table.try_into().map_err(|e: toml::de::Error| format!("setting {name} = {value}: {}", e.message()))
    }

    /// Sets one field by name from text. Errors name the field.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let new = self.with(name, value)?;
        new.check()?;
        *self = new;
        Ok(())
    }

    /// Checks every field; the message names it and the legal range.
    pub fn check(&self) -> Result<(), String> {
        // A lane per destination beyond what hardware can have (64) runs in the golden fabric only.
        let per_lane = |blocks: usize| if self.vls > 64 { blocks / self.vls * 64 } else { blocks };
        let built = Config {
            vls: self.vls.min(64),
            blocks: per_lane(self.blocks),
            hca_blocks: per_lane(self.hca_blocks),
            rx_blocks: per_lane(self.rx_blocks),
            ..self.clone()
        };
        built.switch_params(8).check()?;
        built.hca_params().check()?;
        let range = |name: &str, v: i64, lo: i64, hi: i64| {
            if v < lo || v > hi {
                Err(format!("setting {name} = {v} is out of range: legal is {lo}..{hi}"))
            } else {
                Ok(())
            }
        };
        for (name, v) in [
            ("hth", self.hth),
            ("lth", self.lth),
            ("stop", self.stop),
            ("go", self.go),
            ("detect", self.detect),
            ("hold", self.hold),
            ("refresh", self.refresh),
            ("marking_rate", self.marking_rate),
            ("ccti_timer", self.ccti_timer),
        ] {
            range(name, i64::from(v), 0, 65_535)?;
        }
        if self.lth > self.hth {
            return Err(format!("setting lth = {} must not be above hth = {}", self.lth, self.hth));
        }
        range("vls", self.vls as i64, 1, self.scheme.organisation.most_lanes() as i64)?;
        range("sls", self.sls as i64, 1, 16)?;
        range("weight", i64::from(self.weight), -1, 15)?;
        range("line_timer", i64::from(self.line_timer), 1, i64::from(u32::MAX))?;
        // Otherwise lines expire between the refreshes that keep them.
        if self.refresh > 0 && self.line_timer <= self.refresh {
            return Err(format!(
                "setting line_timer = {} must be above refresh = {}: legal is {}..{}, or any with refresh = 0",
                self.line_timer,
                self.refresh,
                self.refresh + 1,
                u32::MAX
            ));
        }
        range("eval", i64::from(self.eval), 0, 2)?;
        range("mark_mode", i64::from(self.mark_mode), 0, 2)?;
        range("mark_fraction", i64::from(self.mark_fraction), 0, 256)?;
        range("packet_size", i64::from(self.packet_size), 0, 64)?;
        range("ccti_increase", i64::from(self.ccti_increase), 0, 255)?;
        range("ccti_limit", i64::from(self.ccti_limit), 0, 127)?;
        range("ccti_min", i64::from(self.ccti_min), 0, 127)?;
        range("fc_interval", i64::from(self.fc_interval), 1, 65_535)?;
        if !self.cct_us.is_finite() || self.cct_us < 0.0 {
            return Err(format!("setting cct_us = {} must be 0 or more", self.cct_us));
        }
        Ok(())
    }

    /// Parameters of a switch with at least `ports` ports (small switches are built as 8-port ones).
    pub fn switch_params(&self, ports: usize) -> Params {
        self.scheme.organisation.build(Params {
            ports: ports.max(8),
            vls: self.vls,
            mtu: self.mtu,
            blocks: self.blocks,
            hpqs: self.hpqs,
            lines: self.lines,
            dlist: self.dlist,
            lft_depth: self.lft_depth,
            flit_bytes: 32,
            timer_w: 32,
            iterations: self.iterations,
            rx_blocks: self.rx_blocks,
            ..Params::default()
        })
    }

    /// Parameters of an adapter.
    pub fn hca_params(&self) -> Params {
        Params {
            blocks: self.hca_blocks,
            one_queue: false,
            flows: self.flows,
            advoq: self.advoq,
            cnpq: self.cnpq,
            ..self.switch_params(1)
        }
    }

    /// The congestion control table, in cycles of `cycle_ps`.
    pub fn cct(&self, cycle_ps: u64) -> Vec<u16> {
        (0..self.hca_params().cct)
            .map(|i| {
                let us = (i * i) as f64 * self.cct_us;
                (us * 1e6 / cycle_ps as f64).round().min(65_535.0) as u16
            })
            .collect()
    }
}

/// One write of the configuration phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// A register: `cfg_unit`, `cfg_port` (switch only; 255 = all), `cfg_addr`, `cfg_data`.
    Register {
        /// Embedded unit.
        unit: u8,
        /// Port of a switch.
        port: u8,
        /// Address.
        addr: u8,
        /// Value.
        data: u32,
    },
    /// A forwarding table entry.
    Lft {
        /// LID.
        addr: u16,
        /// Port.
        port: u8,
    },
    /// A congestion control table entry.
    Cct {
        /// Index.
        addr: u16,
        /// Entry.
        data: u16,
    },
    /// The SL of a flow.
    Attr {
        /// Flow.
        flow: u16,
        /// SL.
        sl: u8,
    },
}

/// The configuration phase of a network: after reset every unit is left alone for `sweep` cycles, then gets one write a
/// cycle; traffic time 0 is cycle `start` after reset.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Cycles for the sweeps of all units.
    pub sweep: u64,
    /// Writes of each switch.
    pub switches: Vec<Vec<Write>>,
    /// Writes of each adapter.
    pub hosts: Vec<Vec<Write>>,
    /// Traffic time 0.
    pub start: u64,
}

/// What is at the far end of a port, and the link's interval.
fn link_of(net: &Network) -> impl Fn(End) -> Option<(End, u32)> {
    let mut map = std::collections::HashMap::new();
    for l in &net.links {
        map.insert(l.a, (l.b, l.interval));
        map.insert(l.b, (l.a, l.interval));
    }
    move |end| map.get(&end).copied()
}

impl Setup {
    /// The writes that configure `net` for `config`.
    pub fn new(net: &Network, config: &Config) -> Setup {
        let peer = link_of(net);
        let c = config;
        let iso = u32::from(c.scheme.isolation == Isolation::Lines);
        let mark = u32::from(c.scheme.marking == Marking::Fecn);
        let answer = u32::from(c.scheme.notification == Notification::Cnp);
        let delay = u32::from(c.scheme.response == Response::Delay);
        let ip = |name: &str| addr(UnitKind::InputPort, name);
        let op = |name: &str| addr(UnitKind::OutputPort, name);
        let ht = |name: &str| addr(UnitKind::HcaThrottle, name);
        let hc = |name: &str| addr(UnitKind::Hca, name);
        let weight = if c.weight < 0 { 0 } else { 16 | c.weight as u32 };
        let input = |unit: u8, port: u8| -> Vec<Write> {
            [
                ("CTRL", iso | u32::from(c.cold_first) << 1),
                ("HTH", c.hth),
                ("LTH", c.lth),
                ("STOP", c.stop),
                ("GO", c.go),
                ("DETECT", c.detect),
                ("HOLD", c.hold),
                ("WEIGHT", weight),
                ("FC_INTERVAL", c.fc_interval),
                ("RX_TIMEOUT", 0),
                ("LINE_TIMER", c.line_timer),
                ("REFRESH", c.refresh),
            ]
            .map(|(name, data)| Write::Register { unit, port, addr: ip(name), data })
            .to_vec()
        };
        let output = |unit: u8, port: u8| -> Vec<Write> {
            [
                ("SUM_HTH", c.hth),
                ("SUM_LTH", c.lth),
                ("MARKING_RATE", c.marking_rate),
                ("MARK_FRACTION", c.mark_fraction),
                ("PACKET_SIZE", c.packet_size),
                ("FC_INTERVAL", c.fc_interval),
                ("LINE_TIMER", c.line_timer),
            ]
            .map(|(name, data)| Write::Register { unit, port, addr: op(name), data })
            .to_vec()
        };
        let switches: Vec<Vec<Write>> = net
            .switches
            .iter()
            .enumerate()
            .map(|(s, sw)| {
                let mut w = input(0, 255);
                w.push(Write::Register { unit: 0, port: 255, addr: ip("SWITCH_ID"), data: s as u32 });
                w.extend(output(1, 255));
                for port in 0..sw.ports {
                    let Some((far, interval)) = peer(End::Switch { switch: s, port }) else { continue };
                    let victim = u32::from(c.victim_hosts && matches!(far, End::Host(_)));
                    let ctrl = mark | iso << 1 | victim << 2 | c.eval << 3 | c.mark_mode << 5;
                    let port = port as u8;
                    w.push(Write::Register { unit: 0, port, addr: ip("RX_INTERVAL"), data: interval });
                    w.push(Write::Register { unit: 1, port, addr: op("CTRL"), data: ctrl });
                    w.push(Write::Register { unit: 1, port, addr: op("TX_INTERVAL"), data: interval });
                    let seed = 1 + (s as u32 * 257 + u32::from(port) * 31) % 65_535;
                    w.push(Write::Register { unit: 1, port, addr: op("LFSR_SEED"), data: seed });
                }
                w.extend(
                    sw.lft
                        .iter()
                        .enumerate()
                        .filter(|(_, p)| **p != NO_ROUTE)
                        .map(|(lid, &port)| Write::Lft { addr: lid as u16, port }),
                );
                w
            })
            .collect();
        let tick = (1_024_000.0 / net.cycle_ps as f64).round() as u32;
        let cct = c.cct(net.cycle_ps);
        let hosts = net
            .hosts
            .iter()
            .enumerate()
            .map(|(h, host)| {
                let interval = peer(End::Host(h)).map_or(1, |(_, i)| i);
                let pace = 65_536u32.div_ceil(host.inject.0.max(1)).clamp(1, 15);
                let mut w = input(0, 0);
                w.push(Write::Register { unit: 0, port: 0, addr: ip("RX_INTERVAL"), data: pace });
                w.extend(output(1, 0));
                w.push(Write::Register { unit: 1, port: 0, addr: op("CTRL"), data: iso << 1 });
                w.push(Write::Register { unit: 1, port: 0, addr: op("TX_INTERVAL"), data: interval });
                let ctrl = delay
                    | u32::from(c.sl_mode) << 1
                    | u32::from(c.timer_per_sl) << 2
                    | u32::from(c.restart) << 3
                    | 1 << 4;
                for (name, data) in [
                    ("CTRL", ctrl),
                    ("CCTI_INCREASE", c.ccti_increase),
                    ("CCTI_LIMIT", c.ccti_limit),
                    ("CCTI_MIN", c.ccti_min),
                    ("CCTI_TIMER", c.ccti_timer),
                    ("TICK_CYCLES", tick),
                    ("LINK_INTERVAL", interval),
                ] {
                    w.push(Write::Register { unit: 2, port: 0, addr: ht(name), data });
                }
                for (name, data) in [
                    ("CTRL", answer),
                    ("LID", u32::from(net.lid(h))),
                    ("LID_BASE", 1),
                    ("FC_INTERVAL", c.fc_interval),
                ] {
                    w.push(Write::Register { unit: 3, port: 0, addr: hc(name), data });
                }
                w.extend((1..=net.hosts.len()).map(|lid| Write::Lft { addr: lid as u16, port: 0 }));
                // All flows have SL 0 after reset.
                let attrs = (0..net.hosts.len()).map(|f| (f, f % c.sls)).filter(|(_, sl)| *sl > 0);
                w.extend(attrs.map(|(f, sl)| Write::Attr { flow: f as u16, sl: sl as u8 }));
                w.extend(cct.iter().enumerate().map(|(i, &data)| Write::Cct { addr: i as u16, data }));
                w
            })
            .collect::<Vec<_>>();
        let sweep =
            [c.switch_params(8).init_cycles(UnitKind::Switch), c.hca_params().init_cycles(UnitKind::Hca)]
                .into_iter()
                .max()
                .unwrap_or(0) as u64;
        let longest = switches.iter().chain(&hosts).map(Vec::len).max().unwrap_or(0) as u64;
        Setup { sweep, start: sweep + longest + 16, switches, hosts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_legal_for_every_scheme_and_size() {
        for scheme in Scheme::ALL {
            for hosts in [2, 7, 64, 648, 1024] {
                let c = Config::new(scheme, hosts);
                c.check().unwrap_or_else(|e| panic!("{} {hosts}: {e}", scheme.name));
            }
        }
    }

    #[test]
    fn a_setting_is_changed_by_name_and_checked() {
        let mut c = Config::new(Scheme::EcoCc, 64);
        c.set("hth", "256").unwrap();
        c.set("scheme", "ith").unwrap();
        c.set("cct_us", "1").unwrap();
        assert_eq!((c.hth, c.scheme, c.cct_us), (256, Scheme::Ith, 1.0));
        for (name, value, says) in [
            ("height", "1", "no setting height"),
            ("hth", "70000", "0..65535"),
            ("hth", "-1", "hth"),
            ("lth", "300", "must not be above hth"),
            (
                "line_timer",
                "5000",
                "above refresh = 5000: legal is 5001..4294967295, or any with refresh = 0",
            ),
            ("refresh", "20000", "line_timer = 20000 must be above refresh = 20000"),
            ("victim_hosts", "7", "victim_hosts"),
            ("mtu", "65", "MTU"),
        ] {
            let e = c.set(name, value).unwrap_err();
            assert!(e.contains(says), "{name} = {value}: {e}");
        }
        assert_eq!(c.hth, 256, "a bad value changes nothing");
        c.set("refresh", "0").unwrap();
        c.set("line_timer", "1").unwrap();
    }

    #[test]
    fn the_table_is_the_papers() {
        let cct = Config::new(Scheme::Ith, 7).cct(25_600);
        // cct[127] = 127^2 * 7 / 106^2 = 10.05 us
        assert_eq!((cct[0], cct[127]), (0, (10.048_42e6_f64 / 25_600.0).round() as u16));
    }
}
