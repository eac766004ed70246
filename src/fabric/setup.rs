//! The register writes after reset that configure a network. Every engine takes them from here, so all start alike
//! (`docs/fabric.md`).

use super::net::{End, Link, NO_ROUTE, Network};
use super::up::{route, up_ports};
use super::wiring::{Peer, Wiring};
use crate::config::Config;
use crate::params::UnitKind;
use crate::registers::addr;
use crate::scheme::Response;
use crate::scheme::any_up::seed;
use crate::scheme::rate::{lowest, pause};
use crate::scheme::response::delay;

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
    /// A waiting time.
    Wait {
        /// Step.
        addr: u16,
        /// Cycles.
        data: u32,
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

impl Setup {
    /// The writes that configure `net` for `config`.
    pub fn new(net: &Network, config: &Config) -> Setup {
        let wiring = Wiring::new(net);
        let interval = |peer: Peer| net.links[peer.link].interval;
        let c = config;
        let windows = c.scheme.response == Response::Window;
        let rtt_min = if windows { rtt_min(net, c) } else { 1 };
        let ip = |name: &str| addr(UnitKind::InputPort, name);
        let op = |name: &str| addr(UnitKind::OutputPort, name);
        let ht = |name: &str| addr(UnitKind::HcaThrottle, name);
        // (A job has asked whether there are any.)
        let ups = if c.draws_up() { up_ports(net).unwrap_or_default() } else { Vec::new() };
        let leads_up = |s: usize| ups.get(s).copied().unwrap_or(0);
        let sr = |name: &str| addr(UnitKind::SourceResponse, name);
        let rv = |name: &str| addr(UnitKind::Reservation, name);
        let hc = |name: &str| addr(UnitKind::Hca, name);
        let input = |port: u8, adapter: bool| -> Vec<Write> {
            let write = |(name, data)| Write::Register { unit: 0, port, addr: ip(name), data };
            c.input_registers(adapter).map(write).to_vec()
        };
        let output = |port: u8| -> Vec<Write> {
            let write = |(name, data)| Write::Register { unit: 1, port, addr: op(name), data };
            c.output_registers().map(write).to_vec()
        };
        let switches: Vec<Vec<Write>> = net
            .switches
            .iter()
            .enumerate()
            .map(|(s, sw)| {
                let mut w = input(255, false);
                w.push(Write::Register { unit: 0, port: 255, addr: ip("SWITCH_ID"), data: s as u32 });
                w.extend(output(255));
                let all = |unit, (addr, data)| Write::Register { unit, port: 255, addr, data };
                w.extend(c.input_markers().map(|(name, data)| all(0, (ip(name), data))));
                w.extend(c.drop_registers().map(|(name, data)| all(0, (ip(name), data))));
                w.extend(c.output_markers().map(|(name, data)| all(1, (op(name), data))));
                if c.queues() {
                    // No output moves flits faster, and none slower than its link.
                    let ends = (0..sw.ports).map(|port| End::Switch { switch: s, port });
                    let fastest = ends.filter_map(|end| wiring.peer(end)).map(interval).min().unwrap_or(1);
                    w.push(all(0, (ip("XB_INTERVAL"), c.xb_interval.min(fastest))));
                    w.push(all(1, (op("XB_INTERVAL"), c.xb_interval)));
                }
                if c.draws_up() {
                    w.push(all(0, (ip("UP_MASK"), leads_up(s))));
                    let seeds = (0..sw.ports).map(|port| (port as u8, seed(c.run_seed, s, port)));
                    let write = |(port, data)| Write::Register { unit: 0, port, addr: ip("UP_SEED"), data };
                    w.extend(seeds.map(write));
                }
                for port in 0..sw.ports {
                    let end = End::Switch { switch: s, port };
                    let (source, peer) = (wiring.source(end), wiring.peer(end));
                    let index = port;
                    let port = port as u8;
                    if let Some(data) = source.map(interval) {
                        w.push(Write::Register { unit: 0, port, addr: ip("RX_INTERVAL"), data });
                    }
                    let Some(peer) = peer else { continue };
                    let ctrl = c.output_ctrl(c.victim(index, matches!(peer.end, End::Host(_))));
                    w.push(Write::Register { unit: 1, port, addr: op("CTRL"), data: ctrl });
                    let data = interval(peer);
                    w.push(Write::Register { unit: 1, port, addr: op("TX_INTERVAL"), data });
                    let marking = 1 + (s as u32 * 257 + u32::from(port) * 31) % 65_535;
                    w.push(Write::Register { unit: 1, port, addr: op("LFSR_SEED"), data: marking });
                }
                w.extend(
                    sw.lft
                        .iter()
                        .enumerate()
                        .filter(|(_, p)| **p != NO_ROUTE)
                        .map(|(lid, &port)| Write::Lft { addr: lid as u16, port: route(port, leads_up(s)) }),
                );
                w
            })
            .collect();
        let tick = c.tick_cycles.unwrap_or_else(|| tick_cycles(net));
        let cct_len = c.hca_params().cct;
        let hosts = net
            .hosts
            .iter()
            .enumerate()
            .map(|(h, host)| {
                let interval = wiring.peer(End::Host(h)).map_or(1, interval);
                let pace = 65_536u32.div_ceil(host.inject.0.max(1)).clamp(1, 15);
                let mut w = input(0, true);
                w.push(Write::Register { unit: 0, port: 0, addr: ip("RX_INTERVAL"), data: pace });
                w.extend(output(0));
                w.push(Write::Register { unit: 1, port: 0, addr: op("CTRL"), data: c.adapter_output_ctrl() });
                w.push(Write::Register { unit: 1, port: 0, addr: op("TX_INTERVAL"), data: interval });
                let chooser = |addr, data| Write::Register { unit: 2, port: 0, addr, data };
                let entries: Vec<Write> = if windows {
                    let all = c.response_registers(interval, rtt_min);
                    w.extend(all.map(|(name, data)| chooser(sr(name), data)));
                    let waits = c.waiting_times(rtt_min).enumerate();
                    waits.map(|(i, data)| Write::Wait { addr: i as u16, data }).collect()
                } else if c.reserves() {
                    let all = c.reservation_registers(ejection(net, &wiring, h));
                    w.extend(all.map(|(name, data)| chooser(rv(name), data)));
                    Vec::new()
                } else {
                    let packet = c.mtu as u64 * u64::from(interval);
                    let table = c.table(cct_len, net.cycle_ps as f64, packet);
                    let all = c.throttle_registers(tick, interval, table.absolute);
                    w.extend(all.map(|(name, data)| chooser(ht(name), data)));
                    let entries = table.entries.iter().enumerate();
                    entries.map(|(i, &data)| Write::Cct { addr: i as u16, data }).collect()
                };
                let own = [
                    ("CTRL", c.adapter_ctrl()),
                    ("LID", u32::from(net.lid(h))),
                    ("LID_BASE", 1),
                    ("FC_INTERVAL", c.fc_interval),
                ];
                for (name, data) in own.into_iter().chain(c.adapter_registers()) {
                    w.push(Write::Register { unit: 3, port: 0, addr: hc(name), data });
                }
                w.extend((1..=net.hosts.len()).map(|lid| Write::Lft { addr: lid as u16, port: 0 }));
                // All flows have SL 0 after reset.
                let attrs = (0..net.hosts.len()).map(|f| (f, c.sl(f))).filter(|(_, sl)| *sl > 0);
                w.extend(attrs.map(|(f, sl)| Write::Attr { flow: f as u16, sl }));
                w.extend(entries);
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

/// Cycles a flit at which a host takes what comes: the pace of its link, or its own if that is slower; 15 at most.
fn ejection(net: &Network, wiring: &Wiring, host: usize) -> u32 {
    let link = wiring.source(End::Host(host)).map_or(1, |peer| net.links[peer.link].interval);
    let sink = 65_536u32.div_ceil(net.hosts[host].sink.0.max(1));
    link.max(sink).clamp(1, 15)
}

/// Cycles from what an output reads to what the next one can read of it, with nobody in the way, on a link of no delay.
const HOP: u64 = 5;

/// The shortest round trip that somebody says, or that the network has.
pub fn rtt_min(net: &Network, config: &Config) -> u32 {
    config.rtt_min.unwrap_or_else(|| round_trip(net, config))
}

/// VR6: cycles that a packet of MTU size and its ACK take on the longest route, with nobody in the way; 65535 at most.
fn round_trip(net: &Network, config: &Config) -> u32 {
    let wiring = Wiring::new(net);
    let hosts = 0..net.hosts.len();
    let mtu = config.mtu as u64;
    let trip = |(a, b)| Some(way(net, &wiring, config, (a, b), mtu)? + way(net, &wiring, config, (b, a), 1)?);
    let pairs = hosts.clone().flat_map(|a| hosts.clone().map(move |b| (a, b)));
    pairs.filter_map(trip).max().unwrap_or(1).min(65_535) as u32
}

/// Cycles that a packet of `n` flits takes from one host to another, whose link takes a flit more than it; none if there is no way.
fn way(net: &Network, wiring: &Wiring, config: &Config, (from, to): (usize, usize), n: u64) -> Option<u64> {
    // A host that is slow keeps the start of a packet of its own.
    let pace = 65_536u64.div_ceil(net.hosts[from].inject.0.max(1).into()).clamp(1, 15);
    let mut cycles = HOP + if n == 1 { 0 } else { lacking(n, pace, 1) * pace };
    let mut last: Option<&Link> = None;
    let there = wiring.walk(net, from, to, |link| {
        let link = &net.links[link];
        if let Some(before) = last.replace(link) {
            cycles += hop(config, n, (before.delay, before.interval), link.interval);
        }
    });
    let link = last.filter(|_| there)?;
    Some(cycles + u64::from(link.delay) + n * u64::from(link.interval))
}

/// Flits behind the first that must be in a buffer before a packet of `n` starts, if they come every `rx` cycles and are read every `rd` (B2).
fn lacking(n: u64, rx: u64, rd: u64) -> u64 {
    n.saturating_sub(((n - 1) * rd + 1) / rx).max(1) - 1
}

/// From a slot of a link (its delay, and cycles from slot to slot) to one of the next: a packet waits for slots of crossbar and link, which
/// are in phase everywhere.
fn hop(config: &Config, n: u64, (delay, rx): (u32, u32), tx: u32) -> u64 {
    let (delay, rx, tx) = (u64::from(delay), u64::from(rx), u64::from(tx));
    let lacking = lacking(n, rx, config.rd_interval.into());
    let came = HOP + delay + lacking * rx;
    if !config.queues() {
        return came.next_multiple_of(tx);
    }
    // CQ2: the pace of the crossbar if the rest comes in time for it, else that of the link.
    let fast = u64::from(config.xb_interval).min(tx);
    let in_time = (n - 1 - lacking) * rx <= (n - 1) * fast + 1;
    let read = (came - 1).next_multiple_of(if in_time { fast } else { tx });
    // Two cycles later it stands in the output's queue.
    (read + 2).next_multiple_of(tx)
}

/// Cycles of a tick of the throttle units, 1.024 us.
pub fn tick_cycles(net: &Network) -> u32 {
    (1_024_000.0 / net.cycle_ps as f64).round() as u32
}

/// The longest delay that an adapter of the network makes, in cycles.
pub fn slowest(net: &Network, config: &Config) -> u64 {
    let interval = net.links.iter().map(|l| l.interval).max().unwrap_or(1);
    let packet = config.mtu as u32 * interval;
    if config.scheme.response == Response::Window {
        let rtt_min = rtt_min(net, config);
        let waits = u64::from(config.waiting_times(rtt_min).max().unwrap_or(0));
        let pause = pause(lowest(config.rmin_exp), if config.pause_unit == 1 { rtt_min } else { packet });
        return waits.max(pause).min(1 << (config.hca_params().ts_w - 2));
    }
    if config.reserves() {
        return longest_wait(net, config);
    }
    let table = config.table(config.hca_params().cct, net.cycle_ps as f64, packet.into());
    let delays = table.entries.iter().map(|&e| delay(e.into(), packet, table.absolute));
    delays.max().unwrap_or(0).into()
}

/// About so long a source with reservation waits for its time: every other flow of a destination has a chunk before its own.
fn longest_wait(net: &Network, config: &Config) -> u64 {
    let wiring = Wiring::new(net);
    let slowest = (0..net.hosts.len()).map(|h| ejection(net, &wiring, h)).max().unwrap_or(1);
    let chunk = u64::from(config.nmax.max(1)) * config.mtu as u64 * u64::from(slowest);
    2 * chunk * net.hosts.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fabric::topology::by_name;
    use crate::scheme::Scheme;

    fn trip(network: &str, set: &[(&str, &str)]) -> u32 {
        let net = by_name(network).unwrap();
        let mut c = Config::new(Scheme::Mvcm, net.hosts.len());
        c.change(set, &crate::config::Origin::Study).unwrap();
        rtt_min(&net, &c)
    }

    /// VR6, by hand.
    #[test]
    fn round_trips_of_networks() {
        let mtu = ("mtu", "17");
        // A switch, links of delay 1: 5 + 6 + 1 + 17, and 5 + 6 + 1 + 1.
        assert_eq!(trip("star:8", &[mtu]), 42);
        // Nine switches, delay 2, a flit in 14 cycles: 7 cycles are a slot.
        assert_eq!(trip("min512", &[mtu, ("rd_interval", "14")]), 9 * 28 + 2 * 7 + 18 * 14);
        // With queues a slot of the crossbar and one of the link; an ACK, which is one flit, one of 7 cycles and then one of the link.
        let queues = [mtu, ("rd_interval", "14"), ("cioq", "true"), ("xb_interval", "7")];
        assert_eq!(trip("min512", &queues), 9 * (28 + 14) + 2 * 7 + 18 * 14);
        // Nobody starts before 16 of 17 flits are here.
        assert_eq!(
            trip("min:2:2", &[mtu]),
            3 * (7 + 15 * 14_u32).next_multiple_of(14) + 3 * 14 + 2 * 7 + 18 * 14
        );
        assert_eq!(trip("min512", &[mtu, ("rtt_min", "77")]), 77);
    }
}
