//! What is wrong with a network, told before it runs.

use super::net::{End, NO_ROUTE, Network, Rate};
use super::wiring::Wiring;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Problems of one kind that are listed one by one.
const LISTED: usize = 10;

/// Numbers of ports that a switch may have.
pub const PORTS: std::ops::RangeInclusive<usize> = 2..=64;

/// Highest unicast LID.
const MAX_HOSTS: usize = 0xBFFF;

/// Something that is wrong with a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Problems found so far.
#[derive(Default)]
struct Found {
    problems: Vec<Problem>,
    /// Number of each kind.
    kinds: BTreeMap<&'static str, usize>,
}

impl Found {
    /// Notes a problem; those of a kind that has been listed often enough are only counted.
    fn add(&mut self, kind: &'static str, problem: impl FnOnce() -> String) {
        let count = self.kinds.entry(kind).or_default();
        *count += 1;
        if *count <= LISTED {
            self.problems.push(Problem(problem()));
        }
    }

    fn finish(mut self) -> Result<(), Vec<Problem>> {
        for (kind, count) in self.kinds {
            if count > LISTED {
                self.problems.push(Problem(format!("and {} more: {kind}", count - LISTED)));
            }
        }
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems) }
    }
}

impl Network {
    /// Checks names, ranges, links, connection, forwarding tables, reachability of every host from every other,
    /// routing loops and cyclic dependencies between links. A port without a link is no problem as long as no
    /// forwarding table uses it. Routes are examined only if the links are in order.
    pub fn check(&self) -> Result<(), Vec<Problem>> {
        let mut found = Found::default();
        self.check_parts(&mut found);
        self.check_links(&mut found);
        if found.problems.is_empty() {
            let wiring = Wiring::new(self);
            self.check_pieces(&wiring, &mut found);
            self.check_tables(&wiring, &mut found);
            if found.problems.is_empty() {
                self.check_routes(&wiring, &mut found);
            }
        }
        found.finish()
    }

    /// How an end is called in messages.
    pub fn end_name(&self, end: End) -> String {
        match end {
            End::Host(h) => self.hosts.get(h).map_or_else(|| format!("host {h}"), |x| x.name.clone()),
            End::Switch { switch, port } => match self.switches.get(switch) {
                Some(s) => format!("{} port {port}", s.name),
                None => format!("switch {switch} port {port}"),
            },
        }
    }

    fn check_parts(&self, found: &mut Found) {
        if self.cycle_ps == 0 {
            found.add("cycle", || "cycle time 0 ps: legal is 1 and more".into());
        }
        if self.hosts.len() < 2 || self.hosts.len() > MAX_HOSTS {
            found.add("hosts", || format!("{} hosts: legal is 2..{MAX_HOSTS}", self.hosts.len()));
        }
        if self.switches.is_empty() || self.switches.len() > 65536 {
            found.add("switches", || format!("{} switches: legal is 1..65536", self.switches.len()));
        }
        let mut names: HashMap<&str, String> = HashMap::new();
        let hosts = self.hosts.iter().enumerate().map(|(i, h)| (h.name.as_str(), format!("host {i}")));
        let switches =
            self.switches.iter().enumerate().map(|(i, s)| (s.name.as_str(), format!("switch {i}")));
        for (name, which) in hosts.chain(switches) {
            if name.is_empty() {
                found.add("names", || format!("{which} has no name"));
            } else if let Some(first) = names.get(name) {
                found.add("names", || format!("{which} has the name of {first}: {name}"));
            } else {
                names.insert(name, which);
            }
        }
        for s in &self.switches {
            if !PORTS.contains(&s.ports) {
                found.add("ports", || {
                    format!(
                        "switch {}: {} ports: legal is {}..{}",
                        s.name,
                        s.ports,
                        PORTS.start(),
                        PORTS.end()
                    )
                });
            }
        }
        for h in &self.hosts {
            for (what, rate) in [("inject", h.inject), ("sink", h.sink)] {
                if rate.0 == 0 || rate > Rate::FULL {
                    found.add("host rates", || {
                        let full = Rate::FULL.0;
                        format!(
                            "host {}: {what} rate {}/{full} flits a cycle: legal is 1..{full}",
                            h.name, rate.0
                        )
                    });
                }
            }
        }
    }

    fn check_links(&self, found: &mut Found) {
        // by end and whether it sends
        let mut used: HashMap<(End, bool), usize> = HashMap::new();
        for (index, link) in self.links.iter().enumerate() {
            let name = || {
                let arrow = if link.one_way { "->" } else { "-" };
                format!("link {} {arrow} {}", self.end_name(link.a), self.end_name(link.b))
            };
            for end in [link.a, link.b] {
                let roles = || link.ways().map(move |(from, _)| (end, from == end));
                let problem = match end {
                    End::Host(h) if h >= self.hosts.len() => {
                        Some(format!("unknown host {h}: there are {}", self.hosts.len()))
                    }
                    End::Switch { switch, .. } if switch >= self.switches.len() => {
                        Some(format!("unknown switch {switch}: there are {}", self.switches.len()))
                    }
                    End::Switch { switch, port } if port >= self.switches[switch].ports => {
                        Some(format!("port {port}: legal is 0..{}", self.switches[switch].ports - 1))
                    }
                    _ => None,
                };
                if let Some(problem) = problem {
                    found.add("link ends", || format!("{}: {problem}", name()));
                } else if let Some(&other) = roles().find_map(|role| used.get(&role)) {
                    found.add("ends with two links", || {
                        let far = self.links[other];
                        let far = if far.a == end { far.b } else { far.a };
                        format!(
                            "{}: {} has a link to {} already",
                            name(),
                            self.end_name(end),
                            self.end_name(far)
                        )
                    });
                } else {
                    used.extend(roles().map(|role| (role, index)));
                }
            }
            match (link.a, link.b) {
                (End::Host(_), End::Host(_)) => {
                    found.add("links between hosts", || format!("{}: joins two hosts", name()));
                }
                (End::Switch { switch: a, .. }, End::Switch { switch: b, .. }) if a == b => {
                    found.add("links of a switch to itself", || {
                        format!("{}: joins a switch to itself", name())
                    });
                }
                _ => {}
            }
            if !(1..=15).contains(&link.interval) {
                found.add("link intervals", || {
                    format!("{}: {} cycles per flit: legal is 1..15", name(), link.interval)
                });
            }
            if link.delay == 0 {
                found.add("link delays", || format!("{}: delay of 0 cycles: legal is 1 and more", name()));
            }
        }
        for (h, host) in self.hosts.iter().enumerate() {
            let lacks = match [true, false].map(|sends| used.contains_key(&(End::Host(h), sends))) {
                [true, true] => continue,
                [true, false] => " to receive by",
                [false, true] => " to send by",
                [false, false] => "",
            };
            found.add("hosts without a link", || format!("host {} has no link{lacks}", host.name));
        }
    }

    fn check_pieces(&self, wiring: &Wiring, found: &mut Found) {
        let Some((start, _)) = wiring.switch_of(0) else { return };
        let joined = wiring.joined(start);
        for (s, switch) in self.switches.iter().enumerate() {
            if !joined[s] {
                found.add("switches that are not connected", || {
                    let first = &self.hosts[0].name;
                    format!("the network is in pieces: no way from switch {} to host {first}", switch.name)
                });
            }
        }
    }

    fn check_tables(&self, wiring: &Wiring, found: &mut Found) {
        for (s, switch) in self.switches.iter().enumerate() {
            for (lid, &port) in switch.lft.iter().enumerate() {
                let Some(host) = u16::try_from(lid).ok().and_then(|lid| self.host_of_lid(lid)) else {
                    if port != NO_ROUTE {
                        found.add("LFT entries of unknown LIDs", || {
                            let hosts = self.hosts.len();
                            format!(
                                "switch {}: LFT entry of LID {lid}: hosts have LIDs 1..{hosts}",
                                switch.name
                            )
                        });
                    }
                    continue;
                };
                if port == NO_ROUTE {
                    continue;
                }
                let host = &self.hosts[host].name;
                if usize::from(port) >= switch.ports {
                    found.add("LFT entries with an illegal port", || {
                        let legal = switch.ports - 1;
                        format!(
                            "switch {}: LFT sends {host} to port {port}: legal is 0..{legal}",
                            switch.name
                        )
                    });
                } else if wiring.peer(End::Switch { switch: s, port: port.into() }).is_none() {
                    found.add("LFT entries with a port without a link", || {
                        format!("switch {}: LFT sends {host} to port {port}, which has no link", switch.name)
                    });
                }
            }
        }
    }

    /// Follows every destination from every switch that a host sends to.
    fn check_routes(&self, wiring: &Wiring, found: &mut Found) {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            Unknown,
            OnPath,
            Good,
            Bad,
        }
        let starts: Vec<usize> =
            (0..self.switches.len()).filter(|&s| wiring.senders_of(s).next().is_some()).collect();
        // outputs that packets take after arriving by a port, over all destinations
        let mut follows: Vec<Vec<u64>> = self.switches.iter().map(|s| vec![0; s.ports]).collect();
        let mut state = vec![State::Unknown; self.switches.len()];
        let mut path: Vec<usize> = Vec::new();
        for (d, destination) in self.hosts.iter().enumerate() {
            state.fill(State::Unknown);
            for &start in &starts {
                let Some(source) = wiring.senders_of(start).find(|&h| h != d) else { continue };
                let source = &self.hosts[source].name;
                let pair = || format!("no route from {source} to {}", destination.name);
                path.clear();
                let mut at = start;
                let mut arrival = None;
                let end = loop {
                    let port = self.switches[at].lft.get(d + 1).copied().unwrap_or(NO_ROUTE);
                    if let (Some(port_in), true) = (arrival, port != NO_ROUTE) {
                        let ports: &mut Vec<u64> = &mut follows[at];
                        let bits: &mut u64 = &mut ports[port_in];
                        *bits |= 1 << port;
                    }
                    match state[at] {
                        State::Unknown => {}
                        State::OnPath => {
                            let from = path.iter().position(|&s| s == at).unwrap_or(0);
                            let names: Vec<&str> = path[from..]
                                .iter()
                                .chain([&at])
                                .map(|&s| self.switches[s].name.as_str())
                                .collect();
                            let cycle = names.join(" -> ");
                            found.add("routing loops", || format!("{}: routing loop {cycle}", pair()));
                            break State::Bad;
                        }
                        known => break known,
                    }
                    state[at] = State::OnPath;
                    path.push(at);
                    if port == NO_ROUTE {
                        let name = &self.switches[at].name;
                        found.add("destinations without a route", || {
                            format!("{}: switch {name} has no LFT entry for it", pair())
                        });
                        break State::Bad;
                    }
                    match wiring.peer(End::Switch { switch: at, port: port.into() }).map(|p| p.end) {
                        Some(End::Host(h)) if h == d => break State::Good,
                        Some(End::Host(h)) => {
                            let (name, wrong) = (&self.switches[at].name, &self.hosts[h].name);
                            found.add("routes to a wrong host", || {
                                format!("{}: switch {name} delivers it to {wrong}", pair())
                            });
                            break State::Bad;
                        }
                        Some(End::Switch { switch, port }) => {
                            at = switch;
                            arrival = Some(port);
                        }
                        // check_tables has reported it
                        None => break State::Bad,
                    }
                };
                for &s in &path {
                    state[s] = end;
                }
            }
        }
        if found.problems.is_empty()
            && let Some(cycle) = dependency_cycle(wiring, &follows)
        {
            found.add("cyclic dependencies", || {
                let names: Vec<String> = cycle
                    .iter()
                    .chain(&cycle[..1])
                    .map(|&(switch, port)| self.end_name(End::Switch { switch, port }))
                    .collect();
                format!("the routes can deadlock: cyclic dependency of the links {}", names.join(" -> "))
            });
        }
    }
}

/// A cycle of output ports, each of which may have to wait for the next. `follows` holds the outputs used by packets
/// that arrive at each port of each switch.
fn dependency_cycle(wiring: &Wiring, follows: &[Vec<u64>]) -> Option<Vec<(usize, usize)>> {
    let next = |(switch, port): (usize, usize)| match wiring.peer(End::Switch { switch, port }).map(|p| p.end)
    {
        Some(End::Switch { switch, port }) => Some((switch, follows[switch][port])),
        _ => None,
    };
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state: Vec<Vec<State>> = follows.iter().map(|p| vec![State::New; p.len()]).collect();
    for first in (0..follows.len()).flat_map(|s| (0..follows[s].len()).map(move |p| (s, p))) {
        if state[first.0][first.1] != State::New {
            continue;
        }
        // outputs on the way and those that each has still to try
        let mut stack = vec![(first, next(first))];
        state[first.0][first.1] = State::Open;
        while let Some((at, rest)) = stack.last_mut() {
            let at = *at;
            match rest {
                Some((switch, ports)) if *ports != 0 => {
                    let to = (*switch, ports.trailing_zeros() as usize);
                    *ports &= *ports - 1;
                    match state[to.0][to.1] {
                        State::New => {
                            state[to.0][to.1] = State::Open;
                            stack.push((to, next(to)));
                        }
                        State::Open => {
                            let from = stack.iter().position(|s| s.0 == to).unwrap_or(0);
                            return Some(stack[from..].iter().map(|s| s.0).collect());
                        }
                        State::Done => {}
                    }
                }
                _ => {
                    state[at.0][at.1] = State::Done;
                    stack.pop();
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::net::{Host, Link, Switch};
    use super::super::topology::by_name;
    use super::*;

    /// What is wrong with a named network after a change.
    fn problems(name: &str, change: impl FnOnce(&mut Network)) -> Vec<String> {
        let mut net = by_name(name).unwrap();
        net.check().unwrap();
        change(&mut net);
        net.check().unwrap_err().iter().map(Problem::to_string).collect()
    }

    fn link(a: End, b: End) -> Link {
        Link { a, b, delay: 1, interval: 1, one_way: false }
    }

    const fn port(switch: usize, port: usize) -> End {
        End::Switch { switch, port }
    }

    #[test]
    fn ends_of_links() {
        let two = |change: fn(&mut Network)| problems("two-switch", change);
        assert_eq!(
            two(|n| n.links.push(link(port(0, 5), port(1, 7)))),
            ["link S1 port 5 - S2 port 7: S2 port 7 has a link to S1 port 7 already"]
        );
        assert_eq!(
            two(|n| n.links.push(link(port(0, 8), port(1, 6)))),
            ["link S1 port 8 - S2 port 6: port 8: legal is 0..7"]
        );
        assert_eq!(
            two(|n| n.links.push(link(port(0, 5), port(2, 6)))),
            ["link S1 port 5 - switch 2 port 6: unknown switch 2: there are 2"]
        );
        assert_eq!(
            two(|n| n.links[0].a = End::Host(9)),
            ["link host 9 - S1 port 0: unknown host 9: there are 7", "host H1 has no link"]
        );
        assert_eq!(
            two(|n| n.links.push(link(port(0, 5), port(0, 6)))),
            ["link S1 port 5 - S1 port 6: joins a switch to itself"]
        );
        let pair = two(|n| n.links[0] = link(End::Host(0), End::Host(1)));
        assert!(pair.contains(&"link H1 - H2: joins two hosts".to_string()), "{pair:?}");
        assert!(pair.contains(&"link H2 - S1 port 1: H2 has a link to H1 already".to_string()), "{pair:?}");
    }

    #[test]
    fn ends_of_one_way_links() {
        let fly = |change: fn(&mut Network)| problems("umin:2:1:butterfly", change);
        assert_eq!(fly(|n| _ = n.links.remove(0))[0], "host h0 has no link to send by");
        assert_eq!(fly(|n| _ = n.links.pop())[0], "host h1 has no link to receive by");
        assert_eq!(
            fly(|n| n.links[3].a = port(0, 0)),
            ["link s0.0 port 0 -> h1: s0.0 port 0 has a link to h0 already"]
        );
        // the way back is no way for flits
        assert_eq!(
            fly(|n| n.links[0].one_way = false)[0],
            "link s0.0 port 0 -> h0: s0.0 port 0 has a link to h0 already"
        );
    }

    #[test]
    fn ranges_and_names() {
        let two = |change: fn(&mut Network)| problems("two-switch", change);
        assert_eq!(
            two(|n| n.links[7].interval = 16),
            ["link S1 port 7 - S2 port 7: 16 cycles per flit: legal is 1..15"]
        );
        assert_eq!(
            two(|n| n.links[7].delay = 0),
            ["link S1 port 7 - S2 port 7: delay of 0 cycles: legal is 1 and more"]
        );
        assert_eq!(two(|n| n.switches[0].ports = 65), ["switch S1: 65 ports: legal is 2..64"]);
        assert_eq!(two(|n| n.hosts[3].name = "S2".into()), ["switch 1 has the name of host 3: S2"]);
        assert_eq!(two(|n| n.hosts[3].name = String::new()), ["host 3 has no name"]);
        assert_eq!(
            two(|n| n.hosts[0].inject = Rate(0)),
            ["host H1: inject rate 0/65536 flits a cycle: legal is 1..65536"]
        );
        assert_eq!(two(|n| n.cycle_ps = 0), ["cycle time 0 ps: legal is 1 and more"]);
        let empty =
            Network { name: "none".into(), cycle_ps: 1, switches: vec![], hosts: vec![], links: vec![] };
        let all: Vec<String> = empty.check().unwrap_err().iter().map(Problem::to_string).collect();
        assert_eq!(all, ["0 hosts: legal is 2..49151", "0 switches: legal is 1..65536"]);
    }

    #[test]
    fn pieces() {
        let cut = problems("two-switch", |n| {
            n.links.pop();
        });
        assert_eq!(cut[0], "the network is in pieces: no way from switch S2 to host H1");
        // the tables still use the port
        assert_eq!(cut[1], "switch S1: LFT sends H4 to port 7, which has no link");
    }

    #[test]
    fn tables() {
        let two = |change: fn(&mut Network)| problems("two-switch", change);
        assert_eq!(
            two(|n| n.switches[1].lft[5] = 6),
            ["switch S2: LFT sends H5 to port 6, which has no link"]
        );
        assert_eq!(two(|n| n.switches[1].lft[5] = 8), ["switch S2: LFT sends H5 to port 8: legal is 0..7"]);
        assert_eq!(
            two(|n| n.switches[1].lft.push(3)),
            ["switch S2: LFT entry of LID 8: hosts have LIDs 1..7"]
        );
    }

    #[test]
    fn routes() {
        let two = |change: fn(&mut Network)| problems("two-switch", change);
        assert_eq!(
            two(|n| n.switches[1].lft[5] = NO_ROUTE),
            ["no route from H1 to H5: switch S2 has no LFT entry for it"]
        );
        assert_eq!(
            two(|n| n.switches[1].lft[5] = 7),
            ["no route from H1 to H5: routing loop S1 -> S2 -> S1"]
        );
        assert_eq!(
            two(|n| n.switches[1].lft[5] = 3),
            ["no route from H1 to H5: switch S2 delivers it to H7"]
        );
        // a table that is too short
        let short = two(|n| n.switches[0].lft.truncate(7));
        assert_eq!(short, ["no route from H1 to H7: switch S1 has no LFT entry for it"]);
    }

    #[test]
    fn a_ring_routed_one_way_round_can_deadlock() {
        let mut net = Network {
            name: "ring".into(),
            cycle_ps: 12_800,
            switches: Vec::new(),
            hosts: Vec::new(),
            links: Vec::new(),
        };
        for s in 0..3 {
            let lft = (0..4)
                .map(|lid| {
                    if lid == 0 {
                        NO_ROUTE
                    } else if lid == s + 1 {
                        0
                    } else {
                        1
                    }
                })
                .collect();
            net.switches.push(Switch { name: format!("S{s}"), ports: 3, lft });
            net.hosts.push(Host { name: format!("H{s}"), inject: Rate::FULL, sink: Rate::FULL });
            net.links.push(link(End::Host(s), port(s, 0)));
            net.links.push(link(port(s, 1), port((s + 1) % 3, 2)));
        }
        let all: Vec<String> = net.check().unwrap_err().iter().map(Problem::to_string).collect();
        let cycle = "S0 port 1 -> S1 port 1 -> S2 port 1 -> S0 port 1";
        assert_eq!(all, [format!("the routes can deadlock: cyclic dependency of the links {cycle}")]);
        // the other way to one of the destinations breaks it
        net.switches[0].lft[3] = 2;
        net.check().unwrap();
    }

    #[test]
    fn many_problems_are_counted() {
        let all = problems("4ary-3tree", |n| n.switches.iter_mut().for_each(|s| s.lft.clear()));
        assert_eq!(all.len(), LISTED + 1);
        assert!(
            all[LISTED].starts_with("and ") && all[LISTED].ends_with(" more: destinations without a route")
        );
    }

    #[test]
    fn the_largest_tree_is_checked_in_no_time() {
        let net = by_name("4ary-5tree").unwrap();
        let start = std::time::Instant::now();
        net.check().unwrap();
        assert!(start.elapsed().as_millis() < 2000, "{:?}", start.elapsed());
    }
}
