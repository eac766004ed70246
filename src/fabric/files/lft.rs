//! Forwarding tables as `ibroute`, `dump_lfts` and the subnet manager print them.

use std::fmt::Write;
use std::path::Path;

use super::loaded::{FileError, Ids, unique};
use crate::fabric::net::{NO_ROUTE, Network};
use crate::fabric::routing::empty_lft;

/// What a node of the file is.
#[derive(Clone, Copy, PartialEq)]
enum Node {
    Host(usize),
    Switch(usize),
}

/// Finds nodes by what the file says of them.
struct Finder<'a> {
    guids: std::collections::HashMap<u64, usize>,
    names: std::collections::HashMap<&'a str, usize>,
    lids: std::collections::HashMap<u16, usize>,
    hosts: usize,
}

impl<'a> Finder<'a> {
    fn new(net: &'a Network, ids: &Ids) -> Self {
        let host_names = net.hosts.iter().map(|h| h.name.as_str());
        Finder {
            guids: unique(ids.host_guids.iter().chain(&ids.switch_guids).copied()),
            names: unique(host_names.chain(net.switches.iter().map(|s| s.name.as_str()))),
            lids: unique(ids.host_lids.iter().chain(&ids.switch_lids).copied()),
            hosts: net.hosts.len(),
        }
    }

    /// By GUID, else by name, else by LID if there is no name.
    fn find(&self, guid: Option<u64>, name: Option<&str>, lid: Option<u16>) -> Option<Node> {
        let by_guid = guid.and_then(|g| self.guids.get(&g));
        let by_name = || name.and_then(|n| self.names.get(n));
        let by_lid = || lid.filter(|_| name.is_none()).and_then(|l| self.lids.get(&l));
        let &index = by_guid.or_else(by_name).or_else(by_lid)?;
        Some(if index < self.hosts { Node::Host(index) } else { Node::Switch(index - self.hosts) })
    }
}

/// Replaces the forwarding tables of a network by those of a file. Every switch of the network must have its table in
/// the file. A port number there counts from 1; the routes to switches are left out.
pub fn read(path: &Path, text: &str, net: &mut Network, ids: &Ids) -> Result<(), FileError> {
    let fail = |line: Option<usize>, field: &str, problem: String| FileError {
        file: path.into(),
        line,
        field: field.into(),
        problem,
    };
    let mut tables: Vec<Option<(usize, Vec<u8>)>> = vec![None; net.switches.len()];
    let finder = Finder::new(net, ids);
    let mut current: Option<usize> = None;
    for (at, text) in text.lines().enumerate().map(|(i, l)| (i + 1, l.trim())) {
        if text.is_empty() || text.starts_with('#') || is_frame(text) {
            continue;
        }
        if let Some(header) = text.strip_prefix("Unicast lids") {
            let Some((guid, name, lid)) = parse_header(header) else {
                let problem = "legal is \"Unicast lids [FIRST-LAST] of switch Lid LID guid 0xGUID (NAME):\"";
                return Err(fail(Some(at), "header of a table", problem.into()));
            };
            let Some(Node::Switch(switch)) = finder.find(guid, name, lid) else {
                let problem = format!("unknown switch {}", name.unwrap_or("without a name"));
                return Err(fail(Some(at), "header of a table", problem));
            };
            if let Some((line, _)) = &tables[switch] {
                let problem = format!("switch {} has the table of line {line}", net.switches[switch].name);
                return Err(fail(Some(at), "header of a table", problem));
            }
            tables[switch] = Some((at, empty_lft(net)));
            current = Some(switch);
            continue;
        }
        let Some((lid, port, what)) = parse_entry(text) else {
            let problem = format!("{text:?}: legal is \"0xLID PORT : (NODE portguid 0xGUID: 'NAME')\"");
            return Err(fail(Some(at), "entry", problem));
        };
        let Some((switch, table)) =
            current.and_then(|s| tables[s].as_mut().map(|(_, table)| (&net.switches[s], table)))
        else {
            return Err(fail(Some(at), "entry", "comes before the header of a table".into()));
        };
        // further LIDs of a port with more than one, and LIDs without a route
        if what.contains("path #") || what.contains("illegal port") {
            continue;
        }
        let host = match finder.find(parse_guid(what), parse_name(what), Some(lid)) {
            Some(Node::Host(host)) => host,
            Some(Node::Switch(_)) => continue,
            None => {
                let name = parse_name(what).map_or(String::new(), |n| format!(" ({n})"));
                return Err(fail(Some(at), "entry", format!("unknown destination: LID 0x{lid:04x}{name}")));
            }
        };
        if port == 0 || port > switch.ports {
            let problem = format!("port {port}: legal for a host is 1..{}", switch.ports);
            return Err(fail(Some(at), "entry", problem));
        }
        let entry = &mut table[host + 1];
        if *entry != NO_ROUTE {
            let problem = format!("second entry for host {}", net.hosts[host].name);
            return Err(fail(Some(at), "entry", problem));
        }
        *entry = (port - 1) as u8;
    }
    if let Some(missing) = tables.iter().position(Option::is_none) {
        let problem = format!("no table for switch {}", net.switches[missing].name);
        return Err(fail(None, "", problem));
    }
    for (switch, table) in net.switches.iter_mut().zip(tables.into_iter().flatten()) {
        switch.lft = table.1;
    }
    Ok(())
}

/// Whether a line is only dressing: column titles and counts.
fn is_frame(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next(), words.next());
    (first, second) == (Some("Lid"), Some("Out"))
        || (first, second) == (Some("Port"), Some("Info"))
        || line.ends_with("lids dumped")
}

/// GUID, name and LID of ` [0x0-0x9] of switch Lid 4 guid 0x0002 (NAME):`.
fn parse_header(text: &str) -> Option<(Option<u64>, Option<&str>, Option<u16>)> {
    let (_, switch) = text.split_once(" of switch ")?;
    let (place, rest) = switch.split_once("guid ")?;
    let (guid, rest) = rest.split_once(' ')?;
    let guid = u64::from_str_radix(guid.strip_prefix("0x")?, 16).ok()?;
    let name = rest.trim().strip_suffix(':')?.strip_prefix('(')?.strip_suffix(')')?;
    let name = name.strip_prefix('\'').and_then(|n| n.strip_suffix('\'')).unwrap_or(name);
    let lid = place.trim().strip_prefix("Lid ").and_then(parse_number);
    Some((Some(guid), Some(name).filter(|n| !n.is_empty()), lid))
}

/// LID, port and the description that follows.
fn parse_entry(text: &str) -> Option<(u16, usize, &str)> {
    let (lid, rest) = text.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let (port, what) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some((parse_number(lid)?, port.parse().ok()?, what))
}

fn parse_number(text: &str) -> Option<u16> {
    match text.strip_prefix("0x") {
        Some(hex) => u16::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn parse_guid(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once("portguid 0x")?;
    let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
    u64::from_str_radix(&rest[..end], 16).ok()
}

fn parse_name(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(": '")?;
    rest.strip_suffix(')').unwrap_or(rest).trim_end().strip_suffix('\'')
}

/// Writes the forwarding tables of a network as `dump_lfts` prints them.
pub fn write(net: &Network, ids: &Ids) -> String {
    let mut out = String::new();
    let top = ids.host_lids.iter().chain(&ids.switch_lids).max().copied().unwrap_or(0);
    for (s, switch) in net.switches.iter().enumerate() {
        let guid = ids.switch_guids[s];
        // writing to a string cannot fail
        let _ = writeln!(
            out,
            "Unicast lids [0x0-0x{top:x}] of switch Lid {} guid 0x{guid:016x} ({}):\n  Lid  Out   Destination\n       \
             Port     Info ",
            ids.switch_lids[s], switch.name
        );
        let own = format!("000 : (Switch portguid 0x{guid:016x}: '{}')", switch.name);
        let mut entries = vec![(ids.switch_lids[s], own)];
        for (h, host) in net.hosts.iter().enumerate() {
            let port = switch.lft.get(h + 1).copied().unwrap_or(NO_ROUTE);
            if port != NO_ROUTE {
                let number = u16::from(port) + 1;
                let guid = ids.host_guids[h];
                let text = format!("{number:03} : (Channel Adapter portguid 0x{guid:016x}: '{}')", host.name);
                entries.push((ids.host_lids[h], text));
            }
        }
        entries.sort();
        for (lid, text) in &entries {
            let _ = writeln!(out, "0x{lid:04x} {text}");
        }
        let _ = writeln!(out, "{} valid lids dumped ", entries.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::topology::by_name;
    use super::super::ibnetdiscover;
    use super::*;

    const TOPOLOGY: &str = include_str!("../../../tests/data/small.topo");
    const TABLES: &str = include_str!("../../../tests/data/small.lft");

    fn parse(text: &str) -> Result<Network, FileError> {
        let mut loaded = ibnetdiscover::read(Path::new("small.topo"), TOPOLOGY, 6.0).unwrap();
        read(Path::new("small.lft"), text, &mut loaded.net, &loaded.ids)?;
        Ok(loaded.net)
    }

    fn error(old: &str, new: &str) -> String {
        assert!(TABLES.contains(old), "{old}");
        parse(&TABLES.replacen(old, new, 1)).unwrap_err().to_string()
    }

    #[test]
    fn the_sample_is_read() {
        let net = parse(TABLES).unwrap();
        net.check().unwrap();
        let lft = |name: &str| &net.switches.iter().find(|s| s.name.contains(name)).unwrap().lft;
        // hosts in the order of their LIDs: node1, node2, node3, node4
        assert_eq!(lft("leaf1"), &[NO_ROUTE, 0, 1, 34, 35]);
        assert_eq!(lft("leaf2"), &[NO_ROUTE, 35, 35, 0, 1]);
    }

    #[test]
    fn the_forms_of_the_other_tools_are_read() {
        let expected = parse(TABLES).unwrap();
        // the subnet manager's dump
        let manager: String = TABLES
            .lines()
            .filter(|l| !l.contains("Destination") && !l.contains("Info"))
            .map(|l| {
                l.replace(" : (", " # ").replace("')", "'").replace(" (MF0", " ('MF0").replace("):", "'):")
                    + "\n"
            })
            .collect();
        assert_eq!(parse(&manager).unwrap(), expected);
        // directed routes instead of LIDs, no descriptions
        let brief: String = TABLES
            .lines()
            .map(|l| match l.split_once(" : (") {
                Some((entry, _)) => format!("{entry} \n"),
                None => l.replace("Lid 2 guid", "DR path slid 0; dlid 0; 0,1,19 guid") + "\n",
            })
            .collect();
        assert_eq!(parse(&brief).unwrap(), expected);
        // further paths, entries without a route
        let more =
            "0x0020 036 : (path #2 out of 2: portguid 0x0000000000000001)\n0x0021 255 : (illegal port)\n";
        assert_eq!(parse(&TABLES.replacen("0x0001", &format!("{more}0x0001"), 1)).unwrap(), expected);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for name in ["two-switch", "4ary-3tree", "tree-648"] {
            let net = by_name(name).unwrap();
            let ids = Ids::of(&net);
            let mut again = net.clone();
            again.switches.iter_mut().for_each(|s| s.lft.clear());
            read(Path::new("x"), &write(&net, &ids), &mut again, &ids).unwrap();
            assert_eq!(again, net);
        }
        let loaded = ibnetdiscover::read(Path::new("small.topo"), TOPOLOGY, 6.0).unwrap();
        let net = parse(TABLES).unwrap();
        assert_eq!(parse(&write(&net, &loaded.ids)).unwrap(), net);
    }

    #[test]
    fn names_count_where_the_numbers_are_foreign() {
        let mut net = by_name("two-switch").unwrap();
        let expected = net.clone();
        let mut foreign = Ids::of(&net);
        foreign.host_guids.iter_mut().for_each(|g| *g += 1000);
        foreign.switch_guids.iter_mut().for_each(|g| *g += 1000);
        foreign.host_lids.reverse();
        let text = write(&net, &foreign);
        net.switches.iter_mut().for_each(|s| s.lft.clear());
        let ids = Ids::of(&net);
        read(Path::new("x"), &text, &mut net, &ids).unwrap();
        assert_eq!(net, expected);
    }

    #[test]
    fn mistakes_are_explained() {
        assert_eq!(error("0x0003 001 :", "0x0003 037 :"), {
            "small.lft:6: entry: port 37: legal for a host is 1..36"
        });
        assert_eq!(
            error("0x0003 001 :", "0x0003 000 :"),
            "small.lft:6: entry: port 0: legal for a host is 1..36"
        );
        assert_eq!(error("portguid 0x0002c90300001001: 'node1", "portguid 0x0000000000001001: 'node9"), {
            "small.lft:6: entry: unknown destination: LID 0x0003 (node9 HCA-1)"
        });
        assert!(
            error("0x0003 001 :", "0x0003 one :").starts_with("small.lft:6: entry: \"0x0003 one : (Channel")
        );
        assert!(error(" of switch ", " of router ").starts_with("small.lft:1: header of a table: legal is "));
        let late = TABLES.split_once('\n').unwrap().1;
        assert!(parse(late).unwrap_err().to_string().ends_with("entry: comes before the header of a table"));
        let once = TABLES.split_inclusive("dumped \n").next().unwrap();
        let one = parse(once).unwrap_err().to_string();
        assert!(one.starts_with("small.lft: no table for switch "), "{one}");
        let twice = parse(&format!("{once}{once}")).unwrap_err().to_string();
        assert!(twice.contains(" has the table of line 1"), "{twice}");
    }
}
