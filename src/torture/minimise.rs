//! Makes a failing network smaller: keeps what is needed for a promise of the same kind to be broken.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::case::{Case, End, Pace};
use super::finding::Finding;
use super::judge::judge;
use super::network::Engine;

struct Search {
    best: Case,
    finding: Finding,
    engine: Engine,
    deadline: Instant,
    /// Trials made.
    runs: u64,
}

impl Search {
    fn late(&self) -> bool {
        Instant::now() > self.deadline
    }

    /// Takes a changed case if it fails alike.
    fn attempt(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        let mut case = self.best.clone();
        change(&mut case);
        if self.late() || case == self.best || case.check().is_err() {
            return false;
        }
        self.runs += 1;
        match judge(&case, self.engine) {
            Ok((Some(f), _)) if f.kind == self.finding.kind => {
                (self.best, self.finding) = (case, f);
                true
            }
            _ => false,
        }
    }

    /// Leaves out as many elements of a list as can be: halves, quarters, ... single ones.
    fn thin<T: Clone>(&mut self, list: impl Fn(&mut Case) -> &mut Vec<T>) {
        let mut size = list(&mut self.best.clone()).len();
        while size > 0 && !self.late() {
            let mut at = 0;
            while at < list(&mut self.best.clone()).len() {
                let cut = |c: &mut Case| {
                    let v = list(c);
                    let end = (at + size).min(v.len());
                    v.drain(at..end);
                };
                if !self.attempt(cut) {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// Leaves out registers of a node.
    fn registers(&mut self, of: impl Fn(&mut Case) -> &mut BTreeMap<String, u32>) {
        let names: Vec<String> = of(&mut self.best.clone()).keys().cloned().collect();
        let mut size = names.len();
        while size > 0 && !self.late() {
            for part in names.chunks(size) {
                self.attempt(|c| of(c).retain(|n, _| !part.contains(n)));
            }
            size /= 2;
        }
    }
}

/// Leaves out hosts without pairs and switches that no host is behind.
fn prune(case: &mut Case) {
    prune_nodes(case);
    if case.switch.iter().any(|s| !s.up.is_empty()) {
        unjoined(case);
    }
}

fn prune_nodes(case: &mut Case) {
    loop {
        let used = |h: usize, c: &Case| c.pair.iter().any(|p| p.from == h || p.to == h);
        let links = |s: usize, c: &Case| {
            c.link
                .iter()
                .filter(|l| [l.a, l.b].iter().any(|e| matches!(e, End::Switch(n, _) if *n == s)))
                .count()
        };
        if let Some(h) = (0..case.host.len()).find(|h| !used(*h, case)) {
            case.host.remove(h);
            case.link.retain(|l| l.a != End::Host(h) && l.b != End::Host(h));
            let lower = |n: &mut usize| *n -= usize::from(*n > h);
            for p in &mut case.pair {
                lower(&mut p.from);
                lower(&mut p.to);
            }
            for l in &mut case.link {
                for e in [&mut l.a, &mut l.b] {
                    if let End::Host(n) = e {
                        lower(n);
                    }
                }
            }
            rename(case, 'h', h);
        } else if let Some(s) = (0..case.switch.len()).find(|s| links(*s, case) < 2) {
            if case.switch.len() == 1 {
                return;
            }
            case.switch.remove(s);
            case.link.retain(|l| ![l.a, l.b].iter().any(|e| matches!(e, End::Switch(n, _) if *n == s)));
            for l in &mut case.link {
                for e in [&mut l.a, &mut l.b] {
                    if let End::Switch(n, _) = e {
                        *n -= usize::from(*n > s);
                    }
                }
            }
            rename(case, 's', s);
        } else {
            return;
        }
    }
}

/// Rewrites of a node that is gone, and of those behind it.
fn rename(case: &mut Case, prefix: char, gone: usize) {
    let number = |name: &str| name.strip_prefix(prefix).and_then(|t| t.parse::<usize>().ok());
    case.rewrite.retain(|w| number(&w.node) != Some(gone));
    // A node, or the link at a port of it.
    let parts = |what: &str| {
        let (node, port) = what.split_once('.').map_or((what, None), |(n, p)| (n, Some(p.to_string())));
        number(node).map(|n| (n, port))
    };
    case.reset.retain(|r| parts(&r.what).is_none_or(|(n, _)| n != gone));
    for r in &mut case.reset {
        if let Some((n, port)) = parts(&r.what).filter(|(n, _)| *n > gone) {
            r.what = format!("{prefix}{}{}", n - 1, port.map_or(String::new(), |p| format!(".{p}")));
        }
    }
    for w in &mut case.rewrite {
        if let Some(n) = number(&w.node).filter(|n| *n > gone) {
            w.node = format!("{prefix}{}", n - 1);
        }
    }
}

/// Takes a switch out that only passes packets on between two links.
fn bypass(case: &mut Case, s: usize) {
    let ends: Vec<(usize, End)> = case
        .link
        .iter()
        .enumerate()
        .flat_map(|(i, l)| [(i, l.a, l.b), (i, l.b, l.a)])
        .filter(|(_, e, _)| matches!(e, End::Switch(n, _) if *n == s))
        .map(|(i, _, other)| (i, other))
        .collect();
    let [(i, a), (j, b)] = ends[..] else { return };
    case.link[i].a = a;
    case.link[i].b = b;
    case.link.remove(j);
    case.switch.remove(s);
    for l in &mut case.link {
        for e in [&mut l.a, &mut l.b] {
            if let End::Switch(n, _) = e {
                *n -= usize::from(*n > s);
            }
        }
    }
    rename(case, 's', s);
}

/// One lane of data in a node of reservations, or another size of its lanes of control.
fn reserved(p: &mut BTreeMap<String, usize>, name: &str, value: usize) {
    let lanes = p["VLS"] - 3;
    if name == "VLS" {
        p.insert("VLS".into(), 4);
    } else {
        p.insert(name.into(), value);
    }
    if let (Some(data), Some(spec)) = (p.get("DATA_BLOCKS").copied(), p.get("SPEC_BLOCKS").copied()) {
        let blocks = (p["VLS"] - 3) * data + spec + 2 * p["CTL_BLOCKS"];
        p.insert("BLOCKS".into(), blocks);
    } else {
        for buffer in ["BLOCKS", "RX_BLOCKS"] {
            let share = p[buffer] / (lanes + 1);
            p.insert(buffer.into(), share * (p["VLS"] - 2));
        }
    }
}

/// Without reservations: lanes of data alone, and messages of one packet.
fn unreserved(case: &mut Case) {
    let hosts = case.host.iter_mut().map(|n| (&mut n.parameters, &mut n.registers));
    for (p, r) in case.switch.iter_mut().map(|n| (&mut n.parameters, &mut n.registers)).chain(hosts) {
        let lanes = p["VLS"] - 3;
        let share = p.get("DATA_BLOCKS").copied().unwrap_or(p["BLOCKS"] / (lanes + 1));
        p.extend([("SRP".to_string(), 0), ("VLS".into(), lanes), ("BLOCKS".into(), share * lanes)]);
        if let Some(rx) = p.get("RX_BLOCKS").copied() {
            p.insert("RX_BLOCKS".into(), rx / (lanes + 1) * lanes);
        }
        r.retain(|name, _| !name.starts_with("reservation."));
    }
    case.rewrite.retain(|w| !w.register.starts_with("reservation."));
    case.pair.iter_mut().for_each(|p| p.packets.clear());
}

/// Takes a link between switches out, and what says that a port of it leads up.
fn unjoin(case: &mut Case, link: usize) {
    let l = case.link.remove(link);
    for end in [l.a, l.b] {
        if let End::Switch(s, port) = end {
            case.switch[s].up.retain(|p| *p != port);
        }
    }
    masks(case);
}

/// Masks name no ports but those that lead up, and all where none would be left.
fn masks(case: &mut Case) {
    for (s, node) in case.switch.iter_mut().enumerate() {
        let up: u32 = node.up.iter().map(|p| 1 << p).sum();
        let mend = |v: &mut u32| *v = if *v & up == 0 { up } else { *v & up };
        let is_mask = |name: &str| name.ends_with(".UP_MASK");
        node.registers.iter_mut().filter(|(n, _)| is_mask(n)).for_each(|(_, v)| mend(v));
        let own = format!("s{s}");
        let later = case.rewrite.iter_mut().filter(|w| w.node == own && is_mask(&w.register));
        later.for_each(|w| mend(&mut w.value));
    }
}

/// Ports without a link lead nowhere.
fn unjoined(case: &mut Case) {
    let peers = case.peers();
    for (s, node) in case.switch.iter_mut().enumerate() {
        node.up.retain(|p| peers.contains_key(&End::Switch(s, *p)));
    }
    masks(case);
}

/// A smaller case that fails in the same way, and how it fails; what cannot be made smaller within the time stays.
pub fn minimise(case: &Case, finding: Finding, engine: Engine, time: Duration) -> (Case, Finding, u64) {
    let deadline = Instant::now() + time;
    let mut s = Search { best: case.clone(), finding, engine, deadline, runs: 0 };
    loop {
        let before = s.best.clone();
        s.thin(|c| &mut c.pair);
        s.attempt(prune);
        for n in (0..s.best.link.len()).rev() {
            s.attempt(|c| {
                if n < c.link.len()
                    && matches!((c.link[n].a, c.link[n].b), (End::Switch(..), End::Switch(..)))
                {
                    unjoin(c, n);
                    prune(c);
                }
            });
        }
        if s.best.reserves() {
            s.attempt(unreserved);
        }
        for n in (0..s.best.switch.len()).rev() {
            s.attempt(|c| bypass(c, n));
        }
        s.thin(|c| &mut c.rewrite);
        s.thin(|c| &mut c.reset);
        for n in 0..s.best.reset.len() {
            s.attempt(|c| (c.reset[n].late, c.reset[n].skew) = (0, 0));
            s.attempt(|c| c.reset[n].cycles = 1);
        }
        for n in 0..s.best.switch.len() {
            s.registers(move |c| &mut c.switch[n].registers);
        }
        for n in 0..s.best.host.len() {
            s.registers(move |c| &mut c.host[n].registers);
            s.attempt(|c| c.host[n].cct.clear());
            s.attempt(|c| c.host[n].wt.clear());
            s.attempt(|c| c.host[n].give = Pace::default());
            s.attempt(|c| c.host[n].take = Pace::default());
            s.attempt(|c| c.host[n].take.random = false);
        }
        for n in 0..s.best.link.len() {
            s.attempt(|c| c.link[n].disturbed = None);
            s.attempt(|c| c.link[n].eats = None);
            s.attempt(|c| c.link[n].delay = [1, 1]);
        }
        s.attempt(|c| c.pair.iter_mut().for_each(|p| p.lengths.truncate(1)));
        s.attempt(|c| c.pair.iter_mut().for_each(|p| p.lengths = vec![1]));
        for n in 0..s.best.pair.len() {
            s.attempt(|c| c.pair[n].start = 0);
            s.attempt(|c| c.pair[n].gap = 0);
            s.attempt(|c| c.pair[n].sl = 0);
            // Where all packets have one length it stays so: another mix of lengths is another network.
            let alike = s.best.pair.windows(2).all(|w| w[0].lengths == w[1].lengths);
            if !alike {
                s.attempt(|c| c.pair[n].lengths.truncate(1));
                s.attempt(|c| c.pair[n].lengths = vec![1]);
            }
            s.attempt(|c| c.pair[n].packets.truncate(1));
            s.attempt(|c| c.pair[n].packets.clear());
            s.attempt(|c| c.pair[n].window = 1);
            s.attempt(|c| c.pair[n].count = super::draw::ENDLESS);
        }
        for (name, value) in [
            ("VLS", 1),
            ("ISOLATION", 0),
            ("ONE_QUEUE", 0),
            ("HPQS", 1),
            ("FLIT_BYTES", 32),
            ("ITERATIONS", 1),
            ("VL_BY_DEST", 0),
            ("PARITY", 0),
            ("CIOQ", 0),
            ("MARKERS", 0),
            ("RANDOM_UP", 0),
            ("NMAX", 1),
            ("MSGQ", 2),
            ("REPQ", 2),
            ("CTL_BLOCKS", 2),
        ] {
            s.attempt(|c| {
                let sets = c
                    .switch
                    .iter_mut()
                    .map(|n| &mut n.parameters)
                    .chain(c.host.iter_mut().map(|n| &mut n.parameters));
                for p in sets {
                    let (vls, blocks) = (p["VLS"], p["BLOCKS"]);
                    if p["SRP"] == 1 && ["VLS", "CTL_BLOCKS"].contains(&name) {
                        reserved(p, name, value);
                        continue;
                    }
                    if name == "VLS" {
                        p.insert("BLOCKS".into(), blocks / vls);
                        if let Some(rx) = p.get("RX_BLOCKS").copied() {
                            p.insert("RX_BLOCKS".into(), rx / vls);
                        }
                    }
                    if let Some(v) = p.get_mut(name) {
                        *v = value;
                    }
                }
            });
        }
        while s.best.cycles > 64 && s.attempt(|c| c.cycles /= 2) {}
        s.attempt(|c| c.cycles = c.cycles * 3 / 4);
        if s.late() || before == s.best {
            break;
        }
    }
    (s.best, s.finding, s.runs)
}
