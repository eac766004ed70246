//! What a legal case is.

use super::case::{Case, End, MOST_CYCLES, MOST_DELAY, SHARED, VERSION, target};
use super::route::{exits, steps};
use crate::params::{Params, UnitKind};

impl Case {
    /// Checks everything; the message names the field and what is legal.
    pub fn check(&self) -> Result<(), String> {
        if self.version != VERSION {
            return Err(format!("version = {}: legal is {VERSION}", self.version));
        }
        within("cycles", self.cycles, 1, MOST_CYCLES)?;
        within("number of [[switch]]", self.switch.len() as u64, 1, 64)?;
        within("number of [[host]]", self.host.len() as u64, 1, 256)?;
        let mut all: Vec<(String, UnitKind, Params)> = Vec::new();
        for s in 0..self.switch.len() {
            all.push((format!("switch s{s}"), UnitKind::Switch, self.switch_params(s)?));
        }
        for h in 0..self.host.len() {
            all.push((format!("host h{h}"), UnitKind::Hca, self.host_params(h)?));
        }
        let first = all[0].2;
        for (name, _, p) in &all {
            for n in SHARED {
                if p.get(n) != first.get(n) {
                    let wanted = first.get(n).unwrap_or_default();
                    return Err(format!(
                        "{name}: parameter {n} = {}: legal is {wanted}, that of switch s0, for links join them",
                        p.get(n).unwrap_or_default()
                    ));
                }
            }
        }
        self.check_links(&all)?;
        let registers = |i: usize| match i.checked_sub(self.switch.len()) {
            None => &self.switch[i].registers,
            Some(h) => &self.host[h].registers,
        };
        for (i, (name, kind, p)) in all.iter().enumerate() {
            for (register, value) in registers(i) {
                check_register(*kind, p, register, *value).map_err(|e| format!("{name}: {e}"))?;
            }
        }
        for (h, host) in self.host.iter().enumerate() {
            let p = &all[self.switch.len() + h].2;
            for (what, pace) in [("take", host.take), ("give", host.give)] {
                within(&format!("host h{h}: {what}.period"), pace.period.into(), 1, 1 << 20)?;
                within(&format!("host h{h}: {what}.on"), pace.on.into(), 1, pace.period.into())?;
            }
            let (cct, wt) = match p.chooser() {
                UnitKind::Reservation => (0, 0),
                UnitKind::SourceResponse => (0, 16),
                _ => (p.cct as u64, 0),
            };
            within(&format!("host h{h}: entries of cct"), host.cct.len() as u64, 0, cct)?;
            within(&format!("host h{h}: entries of wt"), host.wt.len() as u64, 0, wt)?;
            for (i, other) in self.host.iter().enumerate() {
                if i != h && other.lid == host.lid {
                    return Err(format!(
                        "host h{h}: lid = {} is that of h{i}: legal is a LID of its own",
                        host.lid
                    ));
                }
                let depth = all.iter().map(|a| a.2.lft_depth).min().unwrap_or(0);
                within(&format!("host h{i}: lid"), other.lid.into(), 0, depth as u64 - 1)?;
                let flow = u64::from(other.lid).wrapping_sub(host.lid_base.into());
                if flow >= p.flows as u64 {
                    return Err(format!(
                        "host h{h}: lid_base = {}: the LID {} of h{i} must be within FLOWS = {} above it",
                        host.lid_base, other.lid, p.flows
                    ));
                }
            }
        }
        self.check_traffic(&first)
    }

    fn check_links(&self, all: &[(String, UnitKind, Params)]) -> Result<(), String> {
        let mut seen = Vec::new();
        for (i, l) in self.link.iter().enumerate() {
            for (end, delay) in [(l.a, l.delay[0]), (l.b, l.delay[1])] {
                let exists = match end {
                    End::Switch(s, p) => s < self.switch.len() && p < all[s].2.ports,
                    End::Host(h) => h < self.host.len(),
                };
                if !exists || seen.contains(&end) {
                    let why = if exists { "has a link already" } else { "does not exist" };
                    return Err(format!(
                        "link {i}: end {end} {why}: legal is a free port of a switch or host of this file"
                    ));
                }
                seen.push(end);
                within(&format!("link {i}: delay"), delay.into(), 1, MOST_DELAY.into())?;
            }
            if let Some(d) = &l.disturbed {
                within(&format!("link {i}: disturbed.lose"), d.lose.into(), 0, 1000)?;
                within(&format!("link {i}: disturbed.repeat"), d.repeat.into(), 0, 1000)?;
                within(&format!("link {i}: disturbed.until"), d.until, d.from, MOST_CYCLES)?;
            }
            if let Some(d) = &l.eats {
                within(&format!("link {i}: eats.lose"), d.lose.into(), 0, 1000)?;
                within(&format!("link {i}: eats.damage"), d.damage.into(), 0, 1000)?;
                within(&format!("link {i}: eats.until"), d.until, d.from, MOST_CYCLES)?;
            }
        }
        if self.switch.iter().any(|s| !s.up.is_empty()) {
            return self.check_levels(all);
        }
        let nodes = self.switch.len() + self.host.len();
        let whole = exits(self).iter().flatten().all(|ports| !ports.is_empty());
        if self.link.len() + 1 != nodes || !whole {
            return Err(format!(
                "{} links join {nodes} nodes: legal is a tree of all of them, with one link less than nodes",
                self.link.len()
            ));
        }
        Ok(())
    }

    /// Where switches have ports up: from everywhere every way that may be drawn must end at the host.
    fn check_levels(&self, all: &[(String, UnitKind, Params)]) -> Result<(), String> {
        let (peers, exits) = (self.peers(), exits(self));
        for (s, node) in self.switch.iter().enumerate() {
            let p = &all[s].2;
            for (i, port) in node.up.iter().enumerate() {
                let joined = matches!(peers.get(&End::Switch(s, *port)), Some((_, End::Switch(..))));
                if !joined || node.up[..i].contains(port) {
                    return Err(format!(
                        "switch s{s}: up = {:?}: legal are ports with a link to a switch, each once",
                        node.up
                    ));
                }
            }
            if p.random_up && !node.up.is_empty() {
                self.check_masks(s, p.ports)?;
            }
        }
        for from in 0..self.host.len() {
            for to in (0..self.host.len()).filter(|to| *to != from) {
                // What is told of a packet comes back from any switch.
                let ends =
                    (0..self.switch.len()).flat_map(|s| exits[s][to].iter().map(move |p| End::Switch(s, *p)));
                if !ends.chain([End::Host(from)]).all(|end| steps(self, &exits, end, to).1) {
                    return Err(format!(
                        "h{to}: legal are links and ports up by which every way to it ends there"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Inputs draw among ports that lead up, and there is one.
    fn check_masks(&self, s: usize, ports: usize) -> Result<(), String> {
        let up: u32 = self.switch[s].up.iter().map(|p| 1 << p).sum();
        for port in 0..ports {
            let name = format!("in{port}.UP_MASK");
            let first = self.switch[s].registers.get(&name).copied().unwrap_or(0);
            let node = format!("s{s}");
            let later = self.rewrite.iter().filter(|w| w.node == node && w.register == name).map(|w| w.value);
            for v in std::iter::once(first).chain(later) {
                let among = u64::from(v) & ((1 << ports) - 1);
                if among == 0 || among & !u64::from(up) != 0 {
                    return Err(format!(
                        "{node}: register {name} = {v}: legal is one or more of the ports up, and bits from {ports} on"
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_traffic(&self, shared: &Params) -> Result<(), String> {
        for (i, pair) in self.pair.iter().enumerate() {
            let last = self.host.len() as u64 - 1;
            within(&format!("pair {i}: from"), pair.from as u64, 0, last)?;
            within(&format!("pair {i}: to"), pair.to as u64, 0, last)?;
            if pair.from == pair.to || self.pair[..i].iter().any(|o| (o.from, o.to) == (pair.from, pair.to)) {
                return Err(format!(
                    "pair {i}: h{} to h{}: legal is another host, and each pair once",
                    pair.from, pair.to
                ));
            }
            within(&format!("pair {i}: sl"), pair.sl.into(), 0, 15)?;
            within(&format!("pair {i}: window"), pair.window.into(), 1, 1 << 20)?;
            within(&format!("pair {i}: number of lengths"), pair.lengths.len() as u64, 1, 1000)?;
            for n in &pair.lengths {
                within(&format!("pair {i}: lengths"), u64::from(*n), 1, shared.mtu as u64)?;
            }
            let most = if shared.srp { 1000 } else { 0 };
            within(&format!("pair {i}: number of packets"), pair.packets.len() as u64, 0, most)?;
            for n in &pair.packets {
                within(&format!("pair {i}: packets"), u64::from(*n), 1, 1000)?;
            }
        }
        for (i, w) in self.rewrite.iter().enumerate() {
            let wrong = |e| format!("rewrite {i}: {e}");
            let (kind, n) = self.node(&w.node).map_err(wrong)?;
            within(&format!("rewrite {i}: cycle"), w.cycle, 0, self.cycles)?;
            let p = if kind == UnitKind::Switch { self.switch_params(n)? } else { self.host_params(n)? };
            check_register(kind, &p, &w.register, w.value).map_err(wrong)?;
        }
        for (i, r) in self.reset.iter().enumerate() {
            self.reset_of(r).map_err(|e| format!("reset {i}: {e}"))?;
            within(&format!("reset {i}: cycle"), r.cycle, 0, self.cycles)?;
            within(&format!("reset {i}: cycles"), r.cycles.into(), 1, 10_000)?;
            within(&format!("reset {i}: late"), r.late.into(), 0, 10_000)?;
            within(&format!("reset {i}: skew"), r.skew.into(), 0, MOST_DELAY.into())?;
        }
        super::acks::check(self)?;
        super::booking::check(self)?;
        super::bounds::check(self)
    }
}

pub(super) fn within(what: &str, value: u64, lo: u64, hi: u64) -> Result<(), String> {
    if (lo..=hi).contains(&value) {
        Ok(())
    } else {
        Err(format!("{what} = {value} is out of range: legal is {lo}..{hi}"))
    }
}

/// Name, range and sense of a register's value.
pub(super) fn check_register(kind: UnitKind, p: &Params, register: &str, value: u32) -> Result<(), String> {
    if kind == UnitKind::Hca
        && let Some(flow) = register.strip_prefix("sl.")
    {
        if flow.parse::<usize>().is_ok_and(|f| f < p.flows) {
            return within(register, value.into(), 0, 15);
        }
        return Err(format!("register {register}: legal is sl.<flow> with flow 0..{}", p.flows - 1));
    }
    let (_, _, r) = target(kind, p, register)?;
    within(&format!("register {register}"), value.into(), 0, r.most(p.timer_w).into())
}
