//! Topology files as `ibnetdiscover` prints them and `ibsim` reads them.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};

use super::loaded::{FileError, Ids, Loaded, unique};
use crate::fabric::check::PORTS;
use crate::fabric::net::{End, Host, Link, Network, Rate, Switch, Timing};
use crate::fabric::routing::Routing;

/// Speeds of a lane and its data rate in Gbit/s: what is left of the signal after 8b/10b or 64b/66b coding, or the
/// nominal rate where forward error correction hides the rest.
const SPEEDS: [(&str, f64); 9] = [
    ("SDR", 2.0),
    ("DDR", 4.0),
    ("QDR", 8.0),
    ("FDR10", 10.0),
    ("FDR", 14.0625 * 64.0 / 66.0),
    ("EDR", 25.0),
    ("HDR", 50.0),
    ("NDR", 100.0),
    ("XDR", 200.0),
];

/// Numbers of lanes of a link.
const WIDTHS: [u32; 5] = [4, 1, 2, 8, 12];

/// A `Switch` or `Ca` record.
struct Record<'a> {
    line: usize,
    is_switch: bool,
    id: &'a str,
    name: &'a str,
    ports: usize,
    lid: Option<u16>,
    links: Vec<PortLine<'a>>,
}

/// A line of a record: the link of a port.
struct PortLine<'a> {
    line: usize,
    port: usize,
    guid: Option<u64>,
    lid: Option<u16>,
    peer: &'a str,
    peer_port: usize,
    peer_guid: Option<u64>,
    peer_lid: Option<u16>,
    speed: Option<&'a str>,
}

/// Whether a text has the form of a topology file.
pub fn looks_like(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines.take(100).any(|l| {
        let mut words = l.split_whitespace();
        let kind = words.next().is_some_and(|w| ["Switch", "Ca", "Hca"].contains(&w));
        kind && words.next().is_some_and(|w| w.parse::<usize>().is_ok())
    })
}

/// Reads a topology file. Hosts are the linked ports of channel adapters in the order of their LIDs, or of the file if
/// it has none; port p of a switch becomes port p-1. The routes are up*/down*; the delay is that of every link.
pub fn read(path: &Path, text: &str, delay_ns: f64) -> Result<Loaded> {
    let fail = |line, field: &str, problem: String| FileError {
        file: path.into(),
        line: Some(line),
        field: field.into(),
        problem,
    };
    let records = parse(text).map_err(|(line, problem)| fail(line, "", problem))?;
    let wired = Wired::new(&records).map_err(|(line, field, problem)| fail(line, &field, problem))?;
    let mut notes = Vec::new();
    for record in records.iter().filter(|r| r.links.is_empty() && !wired.is_linked(r.id)) {
        notes.push(format!("{} has no link", record.name));
    }
    if wired.links.is_empty() {
        bail!(FileError { line: None, ..fail(0, "", "no links".into()) });
    }

    // the fastest link gives the cycle
    let rates: Vec<Option<f64>> = wired.links.iter().map(|l| l.speed.and_then(rate)).collect();
    let fastest = rates.iter().flatten().copied().fold(0.0, f64::max);
    let timing = if fastest > 0.0 {
        Timing { gbps: fastest, delay_ns }
    } else {
        notes.push(format!("the file has no link speeds: {} Gbit/s taken", Timing::DEFAULT.gbps));
        Timing { delay_ns, ..Timing::DEFAULT }
    };

    let mut net = Network {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into(),
        cycle_ps: timing.cycle_ps(),
        switches: Vec::new(),
        hosts: Vec::new(),
        links: Vec::new(),
    };
    let (ids, ends) =
        wired.nodes(&records, &mut net).map_err(|(line, problem)| fail(line, "lid", problem))?;
    let mut rounded: HashMap<&str, usize> = HashMap::new();
    for (link, gbps) in wired.links.iter().zip(rates) {
        let ratio = match gbps {
            Some(gbps) => timing.gbps / gbps,
            None if fastest > 0.0 => {
                return Err(fail(link.line, "speed", "is missing, other links have one".into()).into());
            }
            None => 1.0,
        };
        let interval = (ratio - 0.01).ceil().max(1.0) as u32;
        if interval > 15 {
            let problem = format!(
                "{:.3} Gbit/s: legal is {:.3} and more, a fifteenth of the fastest link's",
                { timing.gbps / ratio },
                timing.gbps / 15.0
            );
            return Err(fail(link.line, "speed", problem).into());
        }
        if let Some(speed) = link.speed.filter(|_| (ratio - f64::from(interval)).abs() > 0.01) {
            *rounded.entry(speed).or_default() += 1;
        }
        let (a, b) = (ends[&link.a], ends[&link.b]);
        net.links.push(Link { a, b, delay: timing.delay(), interval, one_way: false });
    }
    let mut rounded: Vec<_> = rounded.into_iter().collect();
    rounded.sort();
    for (speed, count) in rounded {
        let gbps = rate(speed).unwrap_or_default();
        let interval = (timing.gbps / gbps - 0.01).ceil();
        notes.push(format!(
            "{count} links of {speed} ({gbps:.2} Gbit/s) run at {:.2} Gbit/s, 1/{interval} of the fastest",
            timing.gbps / interval
        ));
    }
    Routing::UpDown.apply(&mut net)?;
    Ok(Loaded { net, ids, notes })
}

/// Data rate of a width and speed such as `4xQDR`.
fn rate(speed: &str) -> Option<f64> {
    let (width, speed) = speed.split_once('x')?;
    let width = width.parse().ok().filter(|w| WIDTHS.contains(w))?;
    Some(f64::from(width) * SPEEDS.iter().find(|s| s.0 == speed)?.1)
}

/// A port of a record: its index and the number of the port.
type Port = (usize, usize);

struct WiredLink<'a> {
    line: usize,
    a: Port,
    b: Port,
    speed: Option<&'a str>,
}

/// What a port's own line and its peer's line say of it.
#[derive(Clone, Copy, Default)]
struct PortFacts {
    line: usize,
    lid: Option<u16>,
    guid: Option<u64>,
}

/// The links of all records, each once.
struct Wired<'a> {
    links: Vec<WiredLink<'a>>,
    facts: HashMap<Port, PortFacts>,
    by_id: HashMap<&'a str, usize>,
}

impl<'a> Wired<'a> {
    fn new(records: &[Record<'a>]) -> Result<Self, (usize, String, String)> {
        let mut by_id: HashMap<&str, usize> = HashMap::new();
        for (index, record) in records.iter().enumerate() {
            if let Some(first) = by_id.insert(record.id, index) {
                let line = records[first].line;
                return Err((
                    record.line,
                    format!("{:?}", record.id),
                    format!("has the record of line {line} already"),
                ));
            }
        }
        let mut wired = Wired { links: Vec::new(), facts: HashMap::new(), by_id };
        let mut said: HashMap<Port, (Port, usize, Option<&str>)> = HashMap::new();
        for (index, record) in records.iter().enumerate() {
            for l in &record.links {
                let field = format!("port [{}] of {:?}", l.port, record.id);
                let Some(&peer) = wired.by_id.get(l.peer) else {
                    return Err((l.line, field, format!("unknown node {:?}: it has no record", l.peer)));
                };
                for (name, number, of) in [(record.id, l.port, record), (l.peer, l.peer_port, &records[peer])]
                {
                    if !(1..=of.ports).contains(&number) {
                        let problem = format!("port [{number}] of {name:?}: legal is 1..{}", of.ports);
                        return Err((l.line, field, problem));
                    }
                }
                let (here, there) = ((index, l.port), (peer, l.peer_port));
                let of_peer = wired.facts.entry(there).or_default();
                of_peer.line = if of_peer.line == 0 { l.line } else { of_peer.line };
                of_peer.lid = of_peer.lid.or(l.peer_lid);
                of_peer.guid = of_peer.guid.or(l.peer_guid);
                let of_own = wired.facts.entry(here).or_default();
                *of_own = PortFacts { line: l.line, lid: l.lid.or(of_own.lid), guid: l.guid.or(of_own.guid) };

                if let Some(&(_, line, _)) = said.get(&here).filter(|s| s.0 != there || s.1 == 0) {
                    return Err((l.line, field, format!("has the link of line {line} already")));
                }
                if let Some(&(_, line, _)) = said.get(&there).filter(|s| s.0 != here) {
                    let problem = format!("its peer has another link in line {line}");
                    return Err((l.line, field, problem));
                }
                match said.get(&there) {
                    // the second line of the link
                    Some(&(_, line, speed)) if said.contains_key(&here) => {
                        if speed.is_some() && l.speed.is_some() && speed != l.speed {
                            let (a, b) = (l.speed.unwrap_or_default(), speed.unwrap_or_default());
                            return Err((l.line, field, format!("speed {a}, but {b} in line {line}")));
                        }
                    }
                    _ => {
                        said.insert(here, (there, l.line, l.speed));
                        said.insert(there, (here, l.line, l.speed));
                        wired.links.push(WiredLink { line: l.line, a: here, b: there, speed: l.speed });
                    }
                }
            }
        }
        Ok(wired)
    }

    fn is_linked(&self, id: &str) -> bool {
        let index = self.by_id[id];
        self.links.iter().any(|l| l.a.0 == index || l.b.0 == index)
    }

    /// Adds switches and hosts to a network; gives their numbers and the end of each linked port.
    fn nodes(
        &self,
        records: &[Record],
        net: &mut Network,
    ) -> Result<(Ids, HashMap<Port, End>), (usize, String)> {
        let mut ports: Vec<Port> = self.links.iter().flat_map(|l| [l.a, l.b]).collect();
        ports.sort();
        let fact = |port: &Port| self.facts[port];
        let mut hosts: Vec<Port> = ports.iter().copied().filter(|p| !records[p.0].is_switch).collect();
        if hosts.iter().all(|p| fact(p).lid.is_some()) {
            hosts.sort_by_key(|p| fact(p).lid);
        }
        let switches: Vec<usize> = (0..records.len()).filter(|&r| records[r].is_switch).collect();

        // names: the description, with what makes it unique if it is not
        let mut named: Vec<(usize, String)> =
            switches.iter().map(|&s| (s, records[s].name.to_string())).collect();
        let adapters = unique(hosts.iter().map(|h| h.0));
        for &(r, port) in &hosts {
            let one = adapters.contains_key(&r);
            let name = records[r].name;
            named.push((r, if one { name.to_string() } else { format!("{name} P{port}") }));
        }
        let singles: Vec<bool> = {
            let single = unique(named.iter().map(|n| n.1.as_str()));
            named.iter().map(|n| single.contains_key(n.1.as_str())).collect()
        };
        for ((r, name), single) in named.iter_mut().zip(singles) {
            if !single {
                *name = format!("{name} {}", records[*r].id);
            }
        }
        let mut names = named.into_iter().map(|n| n.1);

        let mut ends = HashMap::new();
        for (s, name) in names.by_ref().take(switches.len()).enumerate() {
            let record = &records[switches[s]];
            net.switches.push(Switch { name, ports: record.ports, lft: Vec::new() });
            ends.extend(
                (1..=record.ports).map(|p| ((switches[s], p), End::Switch { switch: s, port: p - 1 })),
            );
        }
        for (h, name) in names.enumerate() {
            net.hosts.push(Host { name, inject: Rate::FULL, sink: Rate::FULL });
            ends.insert(hosts[h], End::Host(h));
        }

        let mut ids = Ids::of(net);
        let guid = |r: usize| {
            let (_, hex) = records[r].id.split_once('-')?;
            u64::from_str_radix(hex, 16).ok()
        };
        for (own, &r) in ids.switch_guids.iter_mut().zip(&switches) {
            *own = guid(r).unwrap_or(*own);
        }
        for (own, &(r, _)) in ids.host_guids.iter_mut().zip(&hosts) {
            *own = guid(r).unwrap_or(*own);
        }
        for (own, p) in ids.host_guids.iter_mut().zip(&hosts) {
            *own = fact(p).guid.unwrap_or(*own);
        }
        // made-up LIDs only if one is missing
        let of_hosts = hosts.iter().map(|p| (fact(p).line, fact(p).lid));
        let of_switches = switches.iter().map(|&r| (records[r].line, records[r].lid));
        let lids: Option<Vec<(usize, u16)>> =
            of_hosts.chain(of_switches).map(|(line, lid)| Some((line, lid?))).collect();
        if let Some(lids) = lids {
            let mut lines: HashMap<u16, usize> = HashMap::new();
            for &(line, lid) in &lids {
                if let Some(first) = lines.insert(lid, line) {
                    return Err((
                        line.max(first),
                        format!("LID {lid} is that of line {} too", line.min(first)),
                    ));
                }
            }
            let (of_hosts, of_switches) = lids.split_at(hosts.len());
            ids.host_lids = of_hosts.iter().map(|l| l.1).collect();
            ids.switch_lids = of_switches.iter().map(|l| l.1).collect();
        }
        Ok((ids, ends))
    }
}

/// The records of a file.
fn parse(text: &str) -> Result<Vec<Record<'_>>, (usize, String)> {
    let mut records: Vec<Record> = Vec::new();
    for (line, text) in text.lines().enumerate().map(|(i, l)| (i + 1, l.trim())) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if text.starts_with('[') {
            let record =
                records.last_mut().ok_or((line, "a port before the first Switch or Ca".to_string()))?;
            let legal = "legal is [PORT](GUID) \"NODE\"[PORT](GUID) # comment";
            let port = parse_port(line, text, record.is_switch);
            let port = port.ok_or_else(|| (line, format!("{text:?}: {legal}")))?;
            if let Some(speed) = port.speed.filter(|s| rate(s).is_none()) {
                let speeds = SPEEDS.map(|s| s.0).join(", ");
                return Err((
                    line,
                    format!("speed {speed:?}: legal is 1x, 2x, 4x, 8x or 12x of {speeds}, as in 4xQDR"),
                ));
            }
            record.links.push(port);
            continue;
        }
        let kind = text.split_whitespace().next().unwrap_or_default();
        match kind {
            "Switch" | "Ca" | "Hca" => {
                let legal = format!("legal is {kind} PORTS \"ID\" # \"NAME\" ...");
                let record = parse_record(line, text).ok_or_else(|| (line, format!("{text:?}: {legal}")))?;
                let (ports, max) = (record.ports, *PORTS.end());
                if record.is_switch && !PORTS.contains(&ports) {
                    return Err((
                        line,
                        format!("{:?}: {ports} ports: legal is {}..{max}", record.id, PORTS.start()),
                    ));
                }
                records.push(record);
            }
            "Rt" | "Router" => return Err((line, "routers are not supported".into())),
            "Chassis" | "Hostname:" | "Non-Chassis" => {}
            _ if kind.contains('=') => {}
            _ => {
                return Err((
                    line,
                    format!("{text:?}: legal are Switch and Ca records, [PORT] lines and # comments"),
                ));
            }
        }
    }
    Ok(records)
}

/// `Switch 36 "S-0002" # "NAME" base port 0 lid 1 lmc 0`; `Ca 2 "H-0001" # "NAME"`.
fn parse_record(line: usize, text: &str) -> Option<Record<'_>> {
    let (kind, rest) = text.split_once(char::is_whitespace)?;
    let (ports, rest) = rest.trim_start().split_once(char::is_whitespace)?;
    let (id, rest) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
    let (_, name, after) = split_comment(rest);
    Some(Record {
        line,
        is_switch: kind == "Switch",
        id,
        name: name.filter(|n| !n.is_empty()).unwrap_or(id),
        ports: ports.parse().ok()?,
        lid: parse_lid(after),
        links: Vec::new(),
    })
}

/// `[1](guid) "S-0002"[4] # lid 3 lmc 0 "NAME" lid 1 4xDDR` at an adapter, without its guid and lid at a switch.
fn parse_port(line: usize, text: &str, at_switch: bool) -> Option<PortLine<'_>> {
    let (port, rest) = parse_number(text)?;
    let (guid, rest) = parse_guid(rest);
    let (peer, rest) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
    let (peer_port, rest) = parse_number(rest)?;
    let (peer_guid, rest) = parse_guid(rest);
    let (before, _, after) = split_comment(rest);
    let speed = after.split_whitespace().find(|w| {
        let (width, speed) = w.split_once('x').unwrap_or_default();
        width.parse::<u32>().is_ok() && !speed.is_empty()
    });
    Some(PortLine {
        line,
        port,
        guid,
        lid: if at_switch { None } else { parse_lid(before) },
        peer,
        peer_port,
        peer_guid,
        peer_lid: parse_lid(after),
        speed,
    })
}

/// The number of `[4]` or `[4][ext 2]` and what follows.
fn parse_number(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    let rest = match rest.strip_prefix("[ext ") {
        Some(ext) => ext.split_once(']')?.1,
        None => rest,
    };
    Some((number.parse().ok()?, rest))
}

/// The number of `(8f10403961355)`, if it is there, and what follows.
fn parse_guid(text: &str) -> (Option<u64>, &str) {
    let inside = text.trim_start().strip_prefix('(').and_then(|t| t.split_once(')'));
    match inside {
        Some((hex, rest)) => (u64::from_str_radix(hex.trim_start_matches("0x"), 16).ok(), rest),
        None => (None, text),
    }
}

/// What a comment has before the description, the description without its quotes, and what follows.
fn split_comment(text: &str) -> (&str, Option<&str>, &str) {
    let Some((_, comment)) = text.split_once('#') else { return ("", None, "") };
    match (comment.find('"'), comment.rfind('"')) {
        (Some(first), Some(last)) if first < last => {
            (&comment[..first], Some(&comment[first + 1..last]), &comment[last + 1..])
        }
        _ => ("", None, comment),
    }
}

/// The number after the word `lid`; 0 is none.
fn parse_lid(text: &str) -> Option<u16> {
    let mut words = text.split_whitespace();
    words.find(|w| *w == "lid")?;
    words.next()?.parse().ok().filter(|&lid| lid != 0)
}

/// Writes a network as `ibnetdiscover` prints it. Delays and the limits of hosts have no place in that form; an error
/// names a link whose rate no InfiniBand link has.
pub fn write(net: &Network, ids: &Ids) -> Result<String> {
    let full = net.full_rate_gbps();
    let mut out = String::from("#\n# Topology file: generated by quell\n#\n");
    let mut lines: HashMap<End, Vec<(usize, String)>> = HashMap::new();
    let node = |end: End| match end {
        End::Host(h) => (
            format!("\"H-{:016x}\"", ids.host_guids[h].wrapping_sub(1)),
            1,
            &net.hosts[h].name,
            ids.host_lids[h],
        ),
        End::Switch { switch: s, port } => (
            format!("\"S-{:016x}\"", ids.switch_guids[s]),
            port + 1,
            &net.switches[s].name,
            ids.switch_lids[s],
        ),
    };
    for link in &net.links {
        let gbps = full / f64::from(link.interval);
        let speed = WIDTHS.iter().flat_map(|w| SPEEDS.map(|s| (format!("{w}x{}", s.0), f64::from(*w) * s.1)));
        let Some((speed, _)) = speed.into_iter().find(|s| (s.1 / gbps - 1.0).abs() < 0.005) else {
            bail!(
                "link {} - {}: no InfiniBand width and speed has a data rate of {gbps:.3} Gbit/s",
                net.end_name(link.a),
                net.end_name(link.b)
            );
        };
        for (here, there) in [(link.a, link.b), (link.b, link.a)] {
            let (id, port, name, lid) = node(there);
            let text = match here {
                End::Host(h) => {
                    let (guid, own) = (ids.host_guids[h], ids.host_lids[h]);
                    format!("[1]({guid:x}) \t{id}[{port}]\t\t# lid {own} lmc 0 \"{name}\" lid {lid} {speed}")
                }
                End::Switch { port: own, .. } => {
                    let guid = match there {
                        End::Host(h) => format!("({:x}) ", ids.host_guids[h]),
                        End::Switch { .. } => String::new(),
                    };
                    format!("[{}]\t{id}[{port}]{guid}\t\t# \"{name}\" lid {lid} {speed}", own + 1)
                }
            };
            let (node, port) = match here {
                End::Host(_) => (here, 0),
                End::Switch { switch, port } => (End::Switch { switch, port: 0 }, port),
            };
            lines.entry(node).or_default().push((port, text));
        }
    }
    // writing to a string cannot fail
    let mut record = |end: End, head: String| {
        let _ = writeln!(out, "\nvendid=0x0\ndevid=0x0\n{head}");
        let mut ports = lines.remove(&end).unwrap_or_default();
        ports.sort();
        for (_, text) in ports {
            let _ = writeln!(out, "{text}");
        }
    };
    for (s, switch) in net.switches.iter().enumerate() {
        let (guid, lid) = (ids.switch_guids[s], ids.switch_lids[s]);
        record(
            End::Switch { switch: s, port: 0 },
            format!(
                "switchguid=0x{guid:x}({guid:x})\nSwitch\t{} \"S-{guid:016x}\"\t\t# \"{}\" base port 0 lid {lid} lmc 0",
                switch.ports, switch.name
            ),
        );
    }
    for (h, host) in net.hosts.iter().enumerate() {
        let guid = ids.host_guids[h].wrapping_sub(1);
        let name = &host.name;
        record(End::Host(h), format!("caguid=0x{guid:x}\nCa\t1 \"H-{guid:016x}\"\t\t# \"{name}\""));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::super::topology::{by_name, clos, star};
    use super::*;

    const SAMPLE: &str = include_str!("../../../tests/data/small.topo");

    fn parse(text: &str) -> Result<Loaded> {
        read(Path::new("small.topo"), text, 6.0)
    }

    fn error(old: &str, new: &str) -> String {
        assert!(SAMPLE.contains(old), "{old}");
        parse(&SAMPLE.replacen(old, new, 1)).unwrap_err().to_string()
    }

    #[test]
    fn the_sample_is_read() {
        let Loaded { net, ids, notes } = parse(SAMPLE).unwrap();
        net.check().unwrap();
        assert!(notes.is_empty(), "{notes:?}");
        assert_eq!((net.name.as_str(), net.cycle_ps), ("small", 16_000));
        assert_eq!(net.hosts.iter().map(|h| h.name.as_str()).collect::<Vec<_>>(), {
            ["node1 HCA-1", "node2 HCA-1", "node3 HCA-1", "node4 HCA-1"]
        });
        assert_eq!(ids.host_lids, [3, 5, 8, 9]);
        assert_eq!(ids.host_guids[0], 0x0002_c903_0000_1001);
        let leaf1 = net.switches.iter().position(|s| s.name == "MF0;leaf1:SX6036/U1").unwrap();
        assert_eq!((ids.switch_lids[leaf1], ids.switch_guids[leaf1]), (1, 0x0002_c902_0000_0100));
        assert_eq!(net.switches[leaf1].ports, 36);
        assert_eq!(net.links.len(), 6);
        let of_host = |h| net.links.iter().find(|l| l.a == End::Host(h) || l.b == End::Host(h)).unwrap();
        assert_eq!([0, 1, 2, 3].map(|h| of_host(h).interval), [1, 1, 1, 2]);
        let first = of_host(0);
        assert!([first.a, first.b].contains(&End::Switch { switch: leaf1, port: 0 }));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut ring = clos(6, Timing::of(32.0)).unwrap();
        ring.links[3].interval = 2;
        for mut net in [ring, by_name("two-switch").unwrap(), by_name("4ary-3tree").unwrap()] {
            net.hosts.iter_mut().for_each(|h| (h.inject, h.sink) = (Rate::FULL, Rate::FULL));
            net.name = "small".into();
            let ids = Ids::of(&net);
            let text = write(&net, &ids).unwrap();
            assert!(looks_like(&text));
            let mut again = parse(&text).unwrap();
            assert_eq!(again.notes, Vec::<String>::new());
            assert_eq!(again.ids, ids);
            let key = |l: &Link| (l.a.min(l.b), l.a.max(l.b), l.delay, l.interval);
            let sorted = |net: &Network| {
                let mut links: Vec<_> = net.links.iter().map(key).collect();
                links.sort();
                links
            };
            assert_eq!(sorted(&again.net), sorted(&net));
            again.net.links.clone_from(&net.links);
            again.net.switches.iter_mut().zip(&net.switches).for_each(|(a, b)| a.lft.clone_from(&b.lft));
            assert_eq!(again.net, net);
        }
        let loaded = parse(SAMPLE).unwrap();
        assert_eq!(parse(&write(&loaded.net, &loaded.ids).unwrap()).unwrap().ids, loaded.ids);
        let odd = star(4, Timing::of(7.0)).unwrap();
        let error = write(&odd, &Ids::of(&odd)).unwrap_err().to_string();
        assert_eq!(
            error,
            "link h0 - S port 0: no InfiniBand width and speed has a data rate of 7.000 Gbit/s"
        );
    }

    #[test]
    fn other_dialects_are_read() {
        // ibsim: names instead of GUIDs, no comments; one side of a link is enough
        let text = "Switch 8 \"Switch1\"\n[1] \"Hca1\"[1]\n[2] \"Hca2\"[2]\n\nHca 2 \"Hca1\"\n[1] \"Switch1\"[1]\n\nHca 2 \"Hca2\"\n";
        let Loaded { net, notes, .. } = parse(text).unwrap();
        net.check().unwrap();
        assert_eq!(net.hosts.iter().map(|h| h.name.as_str()).collect::<Vec<_>>(), ["Hca1", "Hca2"]);
        assert_eq!(notes, ["the file has no link speeds: 40 Gbit/s taken"]);
        // grouped output, both ports of an adapter, equal descriptions, an adapter without a link
        let text = "Chassis 1 (guid 0x1)\nswitchguid=0x1(1)\t# Spine\nSwitch\t4 \"S-1\"\t\t# \"sw\" base port 0 lid 9 lmc 0\n\
                    [1][ext 3]\t\"H-a\"[1](b) \t\t# \"n\" lid 1 4xFDR\n[2]\t\"H-a\"[2](c) \t\t# \"n\" lid 2 4xFDR\n\
                    [3]\t\"H-d\"[1](e) \t\t# \"n\" lid 3 4xQDR\nCa\t2 \"H-a\"\t# \"n\"\nCa\t1 \"H-d\"\t# \"n\"\nCa\t1 \"H-f\"\t# \"x\"\n";
        let Loaded { net, notes, ids } = parse(text).unwrap();
        net.check().unwrap();
        assert_eq!(net.hosts.iter().map(|h| h.name.as_str()).collect::<Vec<_>>(), ["n P1", "n P2", "n"]);
        assert_eq!(ids.host_guids, [0xb, 0xc, 0xe]);
        assert_eq!(
            notes,
            ["x has no link", "1 links of 4xQDR (32.00 Gbit/s) run at 27.27 Gbit/s, 1/2 of the fastest"]
        );
    }

    #[test]
    fn mistakes_are_explained() {
        let port = "[2]\t\"H-0002c90300001004\"[1]";
        assert_eq!(error(port, "[37]\t\"H-0002c90300001004\"[1]"), {
            "small.topo:13: port [37] of \"S-0002c90200000100\": port [37] of \"S-0002c90200000100\": legal is 1..36"
        });
        assert_eq!(error(port, "[1]\t\"H-0002c90300001004\"[1]"), {
            "small.topo:13: port [1] of \"S-0002c90200000100\": has the link of line 12 already"
        });
        assert_eq!(error(port, "[2]\t\"H-0002c90300001008\"[1]"), {
            "small.topo:22: port [1] of \"S-0002c90200000200\": its peer has another link in line 13"
        });
        assert_eq!(error(port, "[2]\t\"H-0002c903deadbeef\"[1]"), {
            "small.topo:13: port [2] of \"S-0002c90200000100\": unknown node \"H-0002c903deadbeef\": it has no record"
        });
        assert!(error(port, "[2]\tH-0002c90300001004[1]").starts_with("small.topo:13: \"[2]\\tH-0002"));
        assert_eq!(error("Switch\t36", "Switch\t129"), {
            "small.topo:11: \"S-0002c90200000100\": 129 ports: legal is 2..64"
        });
        assert_eq!(error("Switch\t36", "Rt\t36"), "small.topo:11: routers are not supported");
        assert!(
            error("4xQDR", "4xQRD")
                .starts_with("small.topo:12: speed \"4xQRD\": legal is 1x, 2x, 4x, 8x or 12x")
        );
        assert!(error("lid 3 4xQDR", "lid 3 4xDDR").contains("speed 4xQDR, but 4xDDR in line 12"));
        assert_eq!(error("lid 3 lmc", "lid 5 lmc").split(": ").nth(1), Some("lid"));
        assert!(
            error("\ncaguid", "\nfoo bar\ncaguid").contains(": \"foo bar\": legal are Switch and Ca records")
        );
        assert_eq!(parse("Switch 8 \"S\"\n").unwrap_err().to_string(), "small.topo: no links");
    }
}
