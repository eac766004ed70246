//! The project's own form of a network: TOML (`docs/fabric-files.md`).

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::lft;
use super::loaded::{FileError, Ids};
use crate::fabric::check::PORTS;
use crate::fabric::net::{End, Host, Link, NO_ROUTE, Network, Rate, Switch, Timing};
use crate::fabric::routing::Routing;

/// Delay of cables in ns per metre.
const NS_PER_M: f64 = 5.0;

/// Longest link in ns.
const MAX_DELAY: f64 = 1e6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    name: Option<String>,
    rate_gbps: Option<Spanned<f64>>,
    delay_ns: Option<Spanned<f64>>,
    routing: Option<Spanned<String>>,
    lft_file: Option<Spanned<String>>,
    switch: Vec<SwitchEntry>,
    host: Vec<HostEntry>,
    link: Vec<LinkEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SwitchEntry {
    name: Spanned<String>,
    ports: Spanned<i64>,
    lft: Option<Spanned<Vec<Spanned<i64>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostEntry {
    name: Spanned<String>,
    inject_gbps: Option<Spanned<f64>>,
    sink_gbps: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkEntry {
    a: Spanned<String>,
    b: Spanned<String>,
    rate_gbps: Option<Spanned<f64>>,
    delay_ns: Option<Spanned<f64>>,
    length_m: Option<Spanned<f64>>,
    one_way: Option<bool>,
}

/// The text of a file, for the lines of errors.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|&&b| b == b'\n').count()
    }

    fn error<T>(&self, at: &Spanned<T>, field: &str, problem: impl Into<String>) -> FileError {
        FileError {
            file: self.path.into(),
            line: Some(self.line(at.span().start)),
            field: field.into(),
            problem: problem.into(),
        }
    }

    /// A rate in Gbit/s above 0.
    fn rate(&self, value: &Spanned<f64>, field: &str) -> Result<f64, FileError> {
        let rate = *value.get_ref();
        if !(0.001..=100_000.0).contains(&rate) {
            return Err(self.error(value, field, format!("{rate} Gbit/s: legal is 0.001..100000")));
        }
        Ok(rate)
    }

    /// A delay in ns, given in units of `unit` ns.
    fn delay(&self, value: &Spanned<f64>, field: &str, unit: f64) -> Result<f64, FileError> {
        let delay = *value.get_ref() * unit;
        if !(0.0..=MAX_DELAY).contains(&delay) {
            let legal = MAX_DELAY / unit;
            return Err(self.error(value, field, format!("{}: legal is 0..{legal}", value.get_ref())));
        }
        Ok(delay)
    }
}

/// Reads a network. Routes are those of the file, or made by its `routing`.
pub fn read(path: &Path, text: &str) -> Result<Network> {
    let source = Source { path, text };
    let doc: Document = toml::from_str(text).map_err(|e| FileError {
        file: path.into(),
        line: e.span().map(|s| source.line(s.start)),
        field: String::new(),
        problem: e.message().trim().replace('\n', "; "),
    })?;

    // the fastest link gives the cycle
    let mut fastest = doc.rate_gbps.as_ref().map(|r| source.rate(r, "rate_gbps")).transpose()?;
    for rate in doc.link.iter().filter_map(|l| l.rate_gbps.as_ref()) {
        let gbps = source.rate(rate, "link.rate_gbps")?;
        match (&doc.rate_gbps, fastest) {
            (Some(full), Some(f)) if gbps > f * (1.0 + 1e-6) => {
                let line = source.line(full.span().start);
                let problem = format!("{gbps} Gbit/s: legal is at most {f}, the rate_gbps of line {line}");
                return Err(source.error(rate, "link.rate_gbps", problem).into());
            }
            (None, f) => fastest = Some(f.map_or(gbps, |f: f64| f.max(gbps))),
            _ => {}
        }
    }
    let timing = Timing {
        gbps: fastest.unwrap_or(Timing::DEFAULT.gbps),
        delay_ns: match &doc.delay_ns {
            Some(d) => source.delay(d, "delay_ns", 1.0)?,
            None => Timing::DEFAULT.delay_ns,
        },
    };

    let mut net = Network {
        name: doc
            .name
            .clone()
            .unwrap_or_else(|| path.file_stem().unwrap_or_default().to_string_lossy().into()),
        cycle_ps: timing.cycle_ps(),
        switches: Vec::new(),
        hosts: Vec::new(),
        links: Vec::new(),
    };
    read_nodes(&source, &doc, timing, &mut net)?;
    read_links(&source, &doc, timing, &mut net)?;
    read_routes(&source, &doc, &mut net)?;
    Ok(net)
}

fn read_nodes(source: &Source, doc: &Document, timing: Timing, net: &mut Network) -> Result<()> {
    let mut names: HashMap<&str, usize> = HashMap::new();
    let switches = doc.switch.iter().map(|s| ("switch.name", &s.name));
    for (field, name) in switches.chain(doc.host.iter().map(|h| ("host.name", &h.name))) {
        if name.get_ref().is_empty() {
            return Err(source.error(name, field, "is empty").into());
        }
        if let Some(line) = names.insert(name.get_ref(), source.line(name.span().start)) {
            let problem = format!("{:?}: the node of line {line} has this name", name.get_ref());
            return Err(source.error(name, field, problem).into());
        }
    }
    for s in &doc.switch {
        let ports = usize::try_from(*s.ports.get_ref()).ok().filter(|p| PORTS.contains(p));
        let ports = ports.ok_or_else(|| {
            let legal = format!("{}: legal is {}..{}", s.ports.get_ref(), PORTS.start(), PORTS.end());
            source.error(&s.ports, "switch.ports", legal)
        })?;
        net.switches.push(Switch { name: s.name.get_ref().clone(), ports, lft: Vec::new() });
    }
    for h in &doc.host {
        let rate = |value: &Option<Spanned<f64>>, field| -> Result<Rate> {
            let Some(value) = value else { return Ok(Rate::FULL) };
            let rate = timing.rate(source.rate(value, field)?);
            if rate.0 == 0 || rate > Rate::FULL {
                let (low, high) = (timing.gbps / f64::from(Rate::FULL.0), timing.gbps);
                let problem = format!("{} Gbit/s: legal is {low}..{high}", value.get_ref());
                return Err(source.error(value, field, problem).into());
            }
            Ok(rate)
        };
        net.hosts.push(Host {
            name: h.name.get_ref().clone(),
            inject: rate(&h.inject_gbps, "host.inject_gbps")?,
            sink: rate(&h.sink_gbps, "host.sink_gbps")?,
        });
    }
    Ok(())
}

fn read_links(source: &Source, doc: &Document, timing: Timing, net: &mut Network) -> Result<()> {
    let hosts: HashMap<&str, usize> =
        net.hosts.iter().enumerate().map(|(i, h)| (h.name.as_str(), i)).collect();
    let switches: HashMap<&str, usize> =
        net.switches.iter().enumerate().map(|(i, s)| (s.name.as_str(), i)).collect();
    let find = |name: &str| -> Result<End, String> {
        if let Some(&host) = hosts.get(name) {
            return Ok(End::Host(host));
        }
        if switches.contains_key(name) {
            return Err(format!("{name:?} is a switch: its port is missing, as in \"{name}:0\""));
        }
        let Some((node, port)) = name.rsplit_once(':') else {
            return Err(format!("unknown node {name:?}: legal is a host or SWITCH:PORT"));
        };
        let Some(&switch) = switches.get(node) else {
            return Err(match hosts.contains_key(node) {
                true => format!("{name:?}: host {node} has no port numbers"),
                false => format!("unknown switch {node:?}"),
            });
        };
        let last = net.switches[switch].ports - 1;
        let port = port.parse().ok().filter(|&p| p <= last);
        let port = port.ok_or_else(|| format!("{name:?}: legal is a port 0..{last}"))?;
        Ok(End::Switch { switch, port })
    };
    // by end and whether it sends
    let mut used: HashMap<(End, bool), usize> = HashMap::new();
    for l in &doc.link {
        let one_way = l.one_way.unwrap_or(false);
        let mut ends = [End::Host(0); 2];
        for (end, (name, field, sends)) in
            ends.iter_mut().zip([(&l.a, "link.a", true), (&l.b, "link.b", false)])
        {
            *end = find(name.get_ref()).map_err(|problem| source.error(name, field, problem))?;
            let here = source.line(name.span().start);
            for role in [sends, !sends].into_iter().take(if one_way { 1 } else { 2 }) {
                if let Some(line) = used.insert((*end, role), here) {
                    let problem = format!("{:?} has the link of line {line} already", name.get_ref());
                    return Err(source.error(name, field, problem).into());
                }
            }
        }
        let interval = match &l.rate_gbps {
            None => 1,
            Some(rate) => {
                let ratio = timing.gbps / rate.get_ref();
                let k = ratio.round();
                if (ratio - k).abs() > 1e-3 * k || !(1.0..=15.0).contains(&k) {
                    let problem =
                        format!("{} Gbit/s: legal is {} divided by 1..15", rate.get_ref(), timing.gbps);
                    return Err(source.error(rate, "link.rate_gbps", problem).into());
                }
                k as u32
            }
        };
        let delay_ns = match (&l.delay_ns, &l.length_m) {
            (Some(_), Some(length)) => {
                return Err(source.error(length, "link.length_m", "delay_ns is given too: give one").into());
            }
            (Some(delay), None) => source.delay(delay, "link.delay_ns", 1.0)?,
            (None, Some(length)) => source.delay(length, "link.length_m", NS_PER_M)?,
            (None, None) => timing.delay_ns,
        };
        let [a, b] = ends;
        net.links.push(Link { a, b, delay: timing.cycles(delay_ns), interval, one_way });
    }
    Ok(())
}

fn read_routes(source: &Source, doc: &Document, net: &mut Network) -> Result<()> {
    let first = doc.switch.iter().find_map(|s| s.lft.as_ref());
    if let Some(file) = &doc.lft_file {
        if first.is_some() || doc.routing.is_some() {
            let problem = "the file gives switch.lft or routing too: give one of the three";
            return Err(source.error(file, "lft_file", problem).into());
        }
        let path = source.path.parent().unwrap_or(Path::new("")).join(file.get_ref());
        let text = std::fs::read_to_string(&path).with_context(|| {
            source.error(file, "lft_file", format!("cannot read {}", path.display())).to_string()
        })?;
        let ids = Ids::of(net);
        return Ok(lft::read(&path, &text, net, &ids)?);
    }
    if first.is_none() {
        let routing = match &doc.routing {
            None if net.one_way().is_some() => Routing::Shortest,
            None => Routing::UpDown,
            Some(name) => name.get_ref().parse().map_err(|legal: String| {
                source.error(name, "routing", format!("{:?}: {legal}", name.get_ref()))
            })?,
        };
        return routing.apply(net).map_err(|e| match &doc.routing {
            Some(name) => source.error(name, "routing", e.to_string()).into(),
            None => e,
        });
    }
    if let Some(routing) = &doc.routing {
        let problem = "the file gives forwarding tables (switch.lft) too: give one";
        return Err(source.error(routing, "routing", problem).into());
    }
    for (entry, switch) in doc.switch.iter().zip(&mut net.switches) {
        let Some(lft) = &entry.lft else {
            let problem = format!("{:?} has no lft, other switches have", switch.name);
            return Err(source.error(&entry.name, "switch.lft", problem).into());
        };
        if lft.get_ref().len() != net.hosts.len() {
            let (n, hosts) = (lft.get_ref().len(), net.hosts.len());
            let problem = format!("{n} ports: legal is one for each of the {hosts} hosts");
            return Err(source.error(lft, "switch.lft", problem).into());
        }
        switch.lft = vec![NO_ROUTE];
        for port in lft.get_ref() {
            let last = switch.ports - 1;
            switch.lft.push(match *port.get_ref() {
                -1 => NO_ROUTE,
                p if usize::try_from(p).is_ok_and(|p| p <= last) => p as u8,
                p => {
                    let problem = format!("port {p}: legal is 0..{last}, or -1 for no route");
                    return Err(source.error(port, "switch.lft", problem).into());
                }
            });
        }
    }
    Ok(())
}

/// Writes a network; [`read`] gives the same network back. With `tables`, the forwarding tables are written; without,
/// the reader makes its own.
pub fn write(net: &Network, tables: bool) -> String {
    let quote = |text: &str| Value::String(text.into()).to_string();
    let end = |end: End| match end {
        End::Host(h) => quote(&net.hosts[h].name),
        End::Switch { switch, port } => quote(&format!("{}:{port}", net.switches[switch].name)),
    };
    let full = net.full_rate_gbps();
    let ns = |cycles: u32| f64::from(cycles) * net.cycle_ps as f64 / 1000.0;
    let mut delays: HashMap<u32, usize> = HashMap::new();
    net.links.iter().for_each(|l| *delays.entry(l.delay).or_default() += 1);
    let usual = delays.into_iter().max_by_key(|&(delay, n)| (n, delay)).map_or(1, |d| d.0);

    let mut out = String::new();
    // writing to a string cannot fail
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(format!("name = {}", quote(&net.name)));
    line(format!("rate_gbps = {full:?}"));
    line(format!("delay_ns = {:?}", ns(usual)));
    line("\nswitch = [".into());
    for s in &net.switches {
        let mut entry = format!("name = {}, ports = {}", quote(&s.name), s.ports);
        if tables {
            let port =
                |host| s.lft.get(host + 1).map_or(-1, |&p| if p == NO_ROUTE { -1 } else { i32::from(p) });
            let ports: Vec<String> = (0..net.hosts.len()).map(|h| port(h).to_string()).collect();
            let _ = write!(entry, ", lft = [{}]", ports.join(", "));
        }
        line(format!("    {{ {entry} }},"));
    }
    line("]\n\nhost = [".into());
    for h in &net.hosts {
        let mut entry = format!("name = {}", quote(&h.name));
        for (key, rate) in [("inject_gbps", h.inject), ("sink_gbps", h.sink)] {
            if rate != Rate::FULL {
                let _ = write!(entry, ", {key} = {:?}", f64::from(rate.0) / f64::from(Rate::FULL.0) * full);
            }
        }
        line(format!("    {{ {entry} }},"));
    }
    line("]\n\nlink = [".into());
    for l in &net.links {
        let mut entry = format!("a = {}, b = {}", end(l.a), end(l.b));
        if l.interval != 1 {
            let _ = write!(entry, ", rate_gbps = {:?}", full / f64::from(l.interval));
        }
        if l.delay != usual {
            let _ = write!(entry, ", delay_ns = {:?}", ns(l.delay));
        }
        if l.one_way {
            entry.push_str(", one_way = true");
        }
        line(format!("    {{ {entry} }},"));
    }
    line("]".into());
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::topology::by_name;
    use super::*;

    const DUMBBELL: &str = include_str!("../../../tests/data/dumbbell.toml");

    fn parse(text: &str) -> Result<Network> {
        read(Path::new("net.toml"), text)
    }

    /// The error after replacing one piece of the sample by another.
    fn error(old: &str, new: &str) -> String {
        assert!(DUMBBELL.contains(old), "{old}");
        parse(&DUMBBELL.replacen(old, new, 1)).unwrap_err().to_string()
    }

    #[test]
    fn the_sample_is_read() {
        let net = parse(DUMBBELL).unwrap();
        net.check().unwrap();
        assert_eq!((net.name.as_str(), net.cycle_ps), ("dumbbell", 12_800));
        assert_eq!(net.hosts.iter().map(|h| h.name.as_str()).collect::<Vec<_>>(), ["A", "B", "C", "D"]);
        assert_eq!((net.hosts[0].inject, net.hosts[1].inject), (Rate(65536 * 13 / 40), Rate::FULL));
        assert_eq!(
            net.links[0],
            Link {
                a: End::Host(0),
                b: End::Switch { switch: 0, port: 0 },
                delay: 1,
                interval: 2,
                one_way: false
            }
        );
        // 10 m are 50 ns: four cycles of 12.8 ns
        assert_eq!((net.links[4].delay, net.links[4].interval), (4, 1));
        assert_eq!(net.switches[0].lft, [NO_ROUTE, 0, 1, 3, 3]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for name in ["two-switch", "one-switch", "ccfit-1", "4ary-3tree", "tree-648", "umin:2:3:shuffle"] {
            let mut net = by_name(name).unwrap();
            net.links[0].delay = 7;
            assert_eq!(parse(&write(&net, true)).unwrap(), net, "{name}");
            let text = write(&net, false);
            let again = parse(&text).unwrap();
            again.check().unwrap();
            assert_eq!(write(&again, false), text, "{name}");
        }
    }

    #[test]
    fn names_are_quoted() {
        let mut net = parse(DUMBBELL).unwrap();
        net.switches[0].name = "MF0;sw \"1\":SX6036/U1\\".into();
        net.hosts[0].name = "a:1 = ü".into();
        assert_eq!(parse(&write(&net, true)).unwrap(), net);
    }

    #[test]
    fn nodes_and_links_that_do_not_fit_are_explained() {
        assert_eq!(error("\"B\", b = \"left:1\"", "\"B\", b = \"left:0\""), {
            "net.toml:18: link.b: \"left:0\" has the link of line 17 already"
        });
        assert_eq!(error("b = \"left:1\"", "b = \"left:4\""), {
            "net.toml:18: link.b: \"left:4\": legal is a port 0..3"
        });
        assert_eq!(
            error("b = \"left:1\"", "b = \"middle:1\""),
            "net.toml:18: link.b: unknown switch \"middle\""
        );
        assert_eq!(error("b = \"left:1\"", "b = \"left\""), {
            "net.toml:18: link.b: \"left\" is a switch: its port is missing, as in \"left:0\""
        });
        assert_eq!(error("a = \"B\"", "a = \"Z\""), {
            "net.toml:18: link.a: unknown node \"Z\": legal is a host or SWITCH:PORT"
        });
        assert_eq!(
            error("a = \"B\"", "a = \"A:1\""),
            "net.toml:18: link.a: \"A:1\": host A has no port numbers"
        );
        assert_eq!(error("name = \"B\"", "name = \"A\""), {
            "net.toml:11: host.name: \"A\": the node of line 10 has this name"
        });
        assert_eq!(error("ports = 4", "ports = 65"), "net.toml:5: switch.ports: 65: legal is 2..64");
    }

    #[test]
    fn values_out_of_range_are_explained() {
        assert_eq!(error("rate_gbps = 20", "rate_gbps = 15"), {
            "net.toml:17: link.rate_gbps: 15 Gbit/s: legal is 40 divided by 1..15"
        });
        assert_eq!(error("rate_gbps = 20", "rate_gbps = 80"), {
            "net.toml:17: link.rate_gbps: 80 Gbit/s: legal is at most 40, the rate_gbps of line 2"
        });
        assert_eq!(error("rate_gbps = 20", "rate_gbps = -20"), {
            "net.toml:17: link.rate_gbps: -20 Gbit/s: legal is 0.001..100000"
        });
        assert_eq!(error("inject_gbps = 13", "inject_gbps = 41"), {
            "net.toml:10: host.inject_gbps: 41 Gbit/s: legal is 0.0006103515625..40"
        });
        assert_eq!(
            error("length_m = 10", "length_m = -10"),
            "net.toml:21: link.length_m: -10: legal is 0..200000"
        );
        assert_eq!(error("length_m = 10", "length_m = 10, delay_ns = 3"), {
            "net.toml:21: link.length_m: delay_ns is given too: give one"
        });
    }

    #[test]
    fn routes_that_do_not_fit_are_explained() {
        let routing = "routing = \"updown\"";
        assert_eq!(error(routing, "routing = \"minhop\""), {
            "net.toml:3: routing: \"minhop\": legal is \"dmodk\", \"destro\", \"updown\", \"shortest\""
        });
        let tables = |left: &str, right: &str| {
            let text =
                DUMBBELL.replace(routing, "").replacen("ports = 4", &format!("ports = 4, lft = {left}"), 1);
            let text = text.replace("\"right\", ports = 4", &format!("\"right\", ports = 4{right}"));
            parse(&text).unwrap_err().to_string()
        };
        let right = ", lft = [3, 3, 0, 1]";
        assert_eq!(
            tables("[0, 1, 3]", right),
            "net.toml:5: switch.lft: 3 ports: legal is one for each of the 4 hosts"
        );
        assert_eq!(tables("[0, 1, 3, 4]", right), {
            "net.toml:5: switch.lft: port 4: legal is 0..3, or -1 for no route"
        });
        assert_eq!(tables("[0, 1, 3, 3]", ""), {
            "net.toml:6: switch.lft: \"right\" has no lft, other switches have"
        });
        let both = DUMBBELL.replacen("ports = 4", "ports = 4, lft = [0, 1, 3, 3]", 1);
        assert_eq!(parse(&both).unwrap_err().to_string(), {
            "net.toml:3: routing: the file gives forwarding tables (switch.lft) too: give one"
        });
    }

    #[test]
    fn malformed_files_are_explained() {
        assert_eq!(error("ports = 4", "portz = 4"), {
            "net.toml:5: unknown field `portz`, expected one of `name`, `ports`, `lft`"
        });
        assert!(error("ports = 4", "ports = \"4\"").starts_with("net.toml:5: invalid type: string \"4\""));
        assert!(error(", ports = 4", "").starts_with("net.toml:5: missing field `ports`"));
        assert!(error("switch = [", "switch = (").starts_with("net.toml:4: "));
    }

    #[test]
    fn forwarding_tables_come_from_a_file_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let net = parse(DUMBBELL).unwrap();
        std::fs::write(folder.path().join("tables.lft"), lft::write(&net, &Ids::of(&net))).unwrap();
        let path = folder.path().join("net.toml");
        let text = DUMBBELL.replace("routing = \"updown\"", "lft_file = \"tables.lft\"");
        assert_eq!(read(&path, &text).unwrap(), net);
        let text = text.replace("tables", "other");
        assert!(read(&path, &text).unwrap_err().to_string().contains("net.toml:3: lft_file: cannot read "));
    }
}
