//! The traffics that have a name: those of the published results and of the benchmarks.

use anyhow::{Result, bail};

use super::lengths::Lengths;
use super::spec::{Arrival, CalcUnit, Group, Hotspots, Pick, Role, TraceSpec, TrafficSpec};
use super::text::{Call, Load, Nodes, Size, Term, Time, To};

/// A named traffic.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Name.
    pub name: &'static str,
    /// Keys of its values, in order.
    pub keys: &'static [&'static str],
    /// What it is.
    pub about: &'static str,
}

/// The named traffics.
pub const NAMES: &[Named] = &[
    Named {
        name: "uniform",
        keys: &["load", "arrival"],
        about: "every node to all others; load in flits per cycle (1.0)",
    },
    Named {
        name: "hotspot",
        keys: &["load", "arrival"],
        about: "node s with s mod 4 = 1 sends only to node ((s div 4) mod 4) * N/4, the others uniform; load (1.0)",
    },
    Named {
        name: "ecocc1",
        keys: &["pick"],
        about: "87.5 % of the nodes uniform, 12.5 % to 1 root in 1-2 ms",
    },
    Named {
        name: "ecocc2",
        keys: &["pick", "each"],
        about: "75 % of the nodes uniform, 25 % to 4 roots in 1-2 ms; each = one: a source to one root, all: to any",
    },
    Named {
        name: "ecocc3",
        keys: &["pick", "each"],
        about: "62.5 % of the nodes uniform, 37.5 % to 6 roots in 1-2 ms; each as ecocc2",
    },
    Named {
        name: "ccfit1",
        keys: &[],
        about: "2 switches, 7 nodes: victim F0 0->3; F1 1->4 from 2 ms, F2 2->4 from 4 ms, F5 5->4 and F6 6->4 from 6 ms; to 10 ms",
    },
    Named {
        name: "ccfit2",
        keys: &[],
        about: "2-ary 3-tree: F1 1->5; F0 0->7 from 2 ms, F4 4->7 from 4 ms, F2 2->7 and F3 3->7 from 6 ms; to 10 ms",
    },
    Named { name: "ccfit3", keys: &[], about: "ccfit2, with nodes 5, 6 and 7 uniform" },
    Named {
        name: "ccfit4",
        keys: &["trees", "pick", "each"],
        about: "75 % of the nodes uniform, 25 % to `trees` (1) roots in 1-2 ms; to 3 ms; each as ecocc2",
    },
    Named {
        name: "victim",
        keys: &["step"],
        about: "7 hosts: F1 H1->H4 (victim), then H2, H3, H6, H7 -> H5, one more every step (20 ms)",
    },
    Named {
        name: "no-victim",
        keys: &["step"],
        about: "7 hosts: F1 H1->H4, F2 H2->H5, F3 H3->H6, one more every step (20 ms)",
    },
    Named {
        name: "silent",
        keys: &["c", "hotspots"],
        about: "c (80) % C nodes, each to one of `hotspots` (8), the other nodes V (uniform); 4096-byte messages; hotspots = 0: only V nodes send",
    },
    Named {
        name: "windy",
        keys: &["b", "p", "hotspots"],
        about: "b (25) % B nodes: p (60) % to their hotspot, the rest uniform; the other nodes 80 % C, 20 % V; 8 hotspots",
    },
    Named {
        name: "moving",
        keys: &["b", "p", "c", "life", "hotspots"],
        about: "b (0) % B nodes with p (60) %, c (80) % of the others C and the rest V; 8 hotspots drawn anew every life (1 ms)",
    },
    Named {
        name: "all-to-one",
        keys: &["dst", "load"],
        about: "every node to node dst (0); load in flits per cycle (1.0)",
    },
    Named {
        name: "santos",
        keys: &["l", "r", "step", "from", "to", "run"],
        about: "santos:L:R: l (10) local, then r (10) remote hosts to BC at full load, one more every step (100 us); victim \
                AV->BV from 40 to 60 ms; run 100 ms",
    },
    Named {
        name: "srp-1",
        keys: &["message", "whole"],
        about: "srp-1: S0 to D0, S1 to S5 to D1 (\"L2\" is the link to D1), all at full load; messages of 256 flits",
    },
    Named {
        name: "srp-hotspot",
        keys: &["senders", "load", "uniform", "message", "pick", "run", "whole"],
        about: "`senders` (40) nodes to one other at load (100%), the rest, the hot node too, uniform at `uniform` (0: silent); \
                messages of 256 flits",
    },
    Named {
        name: "srp-step",
        keys: &["senders", "load", "at", "message", "pick", "run", "whole"],
        about: "all nodes uniform at load (40%); from `at` (1 ms) on `senders` (40) of them send to one other instead, at full load; \
                messages of 256 flits",
    },
    Named {
        name: "srp-uniform",
        keys: &["load", "message", "run"],
        about: "every node to all others at load (40%), in messages (128 flits; bimodal(A, B), range(A, B, STEP)) that wait at their \
                hosts; run 1 ms",
    },
    Named {
        name: "srp-impulse",
        keys: &["load", "at", "message", "dst", "run"],
        about: "the same with messages of 256 flits; and at `at` (1 ms) each node has one more for node dst (0); run 2 ms",
    },
    Named {
        name: "mvcm",
        keys: &["load", "len", "packets", "after", "arrival", "pick", "run"],
        about: "7 of 8 nodes uniform at load (11.25%) with packets of len (5 flits); when they have generated `after` (50000), \
                the others send `packets` (1000) each to one hotspot; run 25 ms",
    },
    Named {
        name: "hpcc",
        keys: &["program", "scenario"],
        about: "program (beff, ptrans, mpifft) on the even nodes; scenario 1 alone, 2: 12.5 % of the nodes (odd ones) to 1 \
                hotspot, 3: 25 % to 4 hotspots, all the time",
    },
];

fn at_load(mut g: Group, load: f64, arrival: Arrival) -> Group {
    (g.load, g.arrival) = (Load::Flits(load), arrival);
    g
}

fn arrival(c: &Call) -> Result<Arrival> {
    Ok(match c.get("arrival", "bernoulli".to_string())?.as_str() {
        "periodic" => Arrival::Periodic,
        "bernoulli" => Arrival::Bernoulli,
        other => bail!("arrival = {other:?}; legal: periodic, bernoulli"),
    })
}

fn pick(c: &Call) -> Result<Pick> {
    Ok(match c.get("pick", "random".to_string())?.as_str() {
        "random" => Pick::Random,
        "spread" => Pick::Spread,
        other => bail!("pick = {other:?}; legal: random, spread"),
    })
}

fn role(name: &str, share: f64) -> Role {
    Role { name: name.into(), share: Some(share), count: None, among: Nodes::all(), pick: Pick::Random }
}

fn spots(count: usize) -> Hotspots {
    Hotspots { name: "hot".into(), count, among: Nodes::all(), pick: Pick::Random, lifetime: None }
}

fn to_hot() -> To {
    To::Hotspots("hot".into())
}

/// Whether a hot source sends to any of the roots, drawn for each message, or to one.
fn to_all(c: &Call) -> Result<bool> {
    Ok(match c.get("each", "one".to_string())?.as_str() {
        "one" => false,
        "all" => true,
        other => bail!("each = {other:?}; legal: one, all"),
    })
}

/// Uniform sources all the time, the other sources to `roots` hotspots between 1 and 2 ms of 3 ms.
fn onset(name: &str, hot: f64, roots: usize, pick: Pick, all: bool) -> Result<TrafficSpec> {
    let mut t = TrafficSpec::new(name);
    t.run = Some(Time::ms(3.0));
    t.roles = vec![Role { pick, ..role("hot", hot) }];
    t.hotspots = vec![Hotspots { among: Nodes::rest(), pick, ..spots(roots) }];
    t.groups = vec![
        Group::new("uniform", Nodes::rest(), To::Uniform),
        Group::new("hot", Nodes::role("hot"), to_hot()).between(Time::ms(1.0), Some(Time::ms(2.0))),
    ];
    if all {
        t.hotspots.clear();
        t.roles.push(Role { pick, share: None, count: Some(roots), ..role("roots", 0.0) });
        t.groups[0].sources = "all, not role hot".parse()?;
        t.groups[1].to = To::UniformOver(Nodes::role("roots"));
    }
    Ok(t)
}

/// Flows `(name, source, destination, start, in ms)` to a common end.
fn flows(name: &str, list: &[(&str, u32, u32, f64)], end: Time) -> TrafficSpec {
    let mut t = TrafficSpec::new(name);
    t.run = Some(end);
    t.groups = list
        .iter()
        .map(|&(name, src, dst, ms)| {
            let to = To::Node(Term::Range(dst, dst));
            Group::new(name, Nodes::one(src), to).between(Time::ms(ms), None)
        })
        .collect();
    t
}

/// The scenario of Santos et al. on the network `santos:L:R`, whose names it uses.
fn santos(name: &str, c: &Call) -> Result<TrafficSpec> {
    let hosts = |side: &str, key: &str| -> Result<Nodes> {
        let n: u32 = c.get(key, 10)?;
        if !(1..=62).contains(&n) {
            bail!("{name}: {key} = {n}; legal: 1 to 62");
        }
        Ok(Nodes { terms: (1..=n).map(|i| (false, Term::Host(format!("{side}{i}")))).collect() })
    };
    let to = |host: &str| To::Node(Term::Host(host.into()));
    let (local, remote) = (hosts("B", "l")?, hosts("A", "r")?);
    let step: Time = c.get("step", Time::us(100.0))?;
    let first_remote = step.scaled(local.terms.len() as f64);
    let victim = Nodes { terms: vec![(false, Term::Host("AV".into()))] };
    let (from, until) = (c.get("from", Time::ms(40.0))?, c.get("to", Time::ms(60.0))?);
    let mut t = TrafficSpec::new(name);
    t.run = Some(c.get("run", Time::ms(100.0))?);
    t.groups = vec![
        Group { step, ..Group::new("local", local, to("BC")) },
        Group { step, start: first_remote, ..Group::new("remote", remote, to("BC")) },
        Group::new("victim", victim, to("BV")).between(from, Some(until)),
    ];
    Ok(t)
}

/// The synthetic pattern of the MVCM paper: an eighth of the nodes is silent, then sends a number of packets to one
/// hotspot, as fast as the others send theirs to all.
fn mvcm(name: &str, c: &Call) -> Result<TrafficSpec> {
    let pick = pick(c)?;
    let mut t = TrafficSpec::new(name);
    t.roles = vec![Role { pick, ..role("hot", 0.125) }];
    t.hotspots = vec![Hotspots { name: "spot".into(), among: Nodes::rest(), pick, ..spots(1) }];
    let group = |name: &str, sources: Nodes, to: To| -> Result<Group> {
        Ok(Group {
            load: c.get("load", Load::Percent(11.25))?,
            message: Some(c.get("len", Size::Flits(5).into())?),
            arrival: arrival(c)?,
            backlog: true,
            ..Group::new(name, sources, to)
        })
    };
    t.run = Some(c.get("run", Time::ms(25.0))?);
    let (packets, after) = (Some(c.get("packets", 1000)?), Some(c.get("after", 50_000)?));
    t.groups = vec![
        group("cold", Nodes::rest(), To::Uniform)?,
        Group { packets, after, ..group("hot", Nodes::role("hot"), To::Hotspots("spot".into()))? },
    ];
    Ok(t)
}

/// The hotspot of the reservation paper: `senders` nodes to one of the others, and a role of their own.
fn srp(name: &str, c: &Call, hosts: usize) -> Result<TrafficSpec> {
    let senders: usize = c.get("senders", 40)?;
    if senders < 1 || senders + 2 > hosts {
        bail!("{name}: senders = {senders}; legal: 1 to {} of {hosts} nodes", hosts.saturating_sub(2));
    }
    let pick = pick(c)?;
    let mut t = TrafficSpec::new(name);
    t.roles = vec![Role { pick, share: None, count: Some(senders), ..role("hot", 0.0) }];
    t.hotspots = vec![Hotspots { name: "spot".into(), among: Nodes::rest(), pick, ..spots(1) }];
    Ok(t)
}

/// Lengths of the messages of the reservation paper.
fn srp_message(c: &Call, flits: u32) -> Result<Lengths> {
    c.get("message", Lengths::Fixed(Size::Flits(flits)))
}

/// With `whole` = true all messages are generated as a whole and wait at their hosts.
fn wholly(mut t: TrafficSpec, c: &Call) -> Result<TrafficSpec> {
    if c.get("whole", false)? {
        t.groups = t.groups.into_iter().map(Group::in_messages).collect();
    }
    Ok(t)
}

/// C, V and B nodes: `b` of all are B nodes with `p`, `c` of the others are C nodes; per cent.
fn forest(name: &str, b: f64, p: f64, c: f64, count: usize, life: Option<Time>) -> Result<TrafficSpec> {
    for (key, value) in [("b", b), ("p", p), ("c", c)] {
        if !(0.0..=100.0).contains(&value) {
            bail!("{name}: {key} = {value}; legal: 0 to 100");
        }
    }
    let mut t = TrafficSpec::new(name);
    let message = Some(Size::Bytes(4096).into());
    let mut add = |name: &str, to: To, percent: f64, share: f64| {
        if percent > 0.0 && share > 0.0 {
            let sources = match name {
                "V" => Nodes::rest(),
                _ => Nodes::role(&name[..1]),
            };
            let load = Load::Percent(percent);
            t.groups.push(Group { message, load, ..Group::new(name, sources, to) });
        }
    };
    let (b, c) = (b / 100.0, c / 100.0 * (1.0 - b / 100.0));
    if count > 0 {
        add("B-hot", to_hot(), p, b);
        add("C", to_hot(), 100.0, c);
    }
    add("B-uniform", To::Uniform, 100.0 - p, b);
    add("V", To::Uniform, 100.0, 1.0 - b - c);
    t.roles = vec![role("B", b), role("C", c)];
    if count > 0 {
        t.hotspots = vec![Hotspots { lifetime: life, ..spots(count) }];
    }
    Ok(t)
}

/// The traffic that `text` names (with values in brackets) for a network of `hosts` nodes; None if it names none.
pub fn named(text: &str, hosts: usize) -> Result<Option<TrafficSpec>> {
    let keys = |name: &str| NAMES.iter().find(|n| n.name == name).map(|n| n.keys);
    let Some(c) = Call::parse(text, keys)? else { return Ok(None) };
    let name = text.trim();
    let mut t = TrafficSpec::new(name);
    Ok(Some(match c.name.as_str() {
        "uniform" => {
            let g = Group::new("uniform", Nodes::all(), To::Uniform);
            t.groups.push(at_load(g, c.get("load", 1.0)?, arrival(&c)?));
            t
        }
        "hotspot" => {
            let (load, arrival) = (c.get("load", 1.0)?, arrival(&c)?);
            let hot =
                Role { among: "mod 4 = 1".parse()?, share: None, count: Some(hosts / 4), ..role("hot", 0.0) };
            t.roles.push(hot);
            t.groups.push(at_load(Group::new("hot", Nodes::role("hot"), To::Quarters), load, arrival));
            t.groups.push(at_load(Group::new("uniform", Nodes::rest(), To::Uniform), load, arrival));
            t
        }
        "ecocc1" => onset(name, 0.125, 1, pick(&c)?, false)?,
        "ecocc2" => onset(name, 0.25, 4, pick(&c)?, to_all(&c)?)?,
        "ecocc3" => onset(name, 0.375, 6, pick(&c)?, to_all(&c)?)?,
        "ccfit4" => onset(name, 0.25, c.get("trees", 1)?, pick(&c)?, to_all(&c)?)?,
        "ccfit1" => flows(
            name,
            &[("F0", 0, 3, 0.0), ("F1", 1, 4, 2.0), ("F2", 2, 4, 4.0), ("F5", 5, 4, 6.0), ("F6", 6, 4, 6.0)],
            Time::ms(10.0),
        ),
        "ccfit2" | "ccfit3" => {
            let list = [
                ("F1", 1, 5, 0.0),
                ("F0", 0, 7, 2.0),
                ("F4", 4, 7, 4.0),
                ("F2", 2, 7, 6.0),
                ("F3", 3, 7, 6.0),
            ];
            let mut t = flows(name, &list, Time::ms(10.0));
            if c.name == "ccfit3" {
                t.groups.push(Group::new("uniform", "5-7".parse()?, To::Uniform));
            }
            t
        }
        "srp-1" => {
            let host = |name: &str| Nodes { terms: vec![(false, Term::Host(name.into()))] };
            for i in 0..6 {
                let to = To::Node(Term::Host(if i == 0 { "D0" } else { "D1" }.into()));
                let (name, message) = (format!("S{i}"), Some(srp_message(&c, 256)?));
                t.groups.push(Group { message, ..Group::new(&name, host(&name), to) });
            }
            wholly(t, &c)?
        }
        "srp-hotspot" | "srp-step" => {
            let mut t = srp(name, &c, hosts)?;
            t.run = Some(c.get("run", Time::ms(5.0))?);
            let message = Some(srp_message(&c, 256)?);
            let group = |name: &str, sources: Nodes, to: To, load: Load| Group {
                message,
                load,
                arrival: Arrival::Bernoulli,
                ..Group::new(name, sources, to)
            };
            let hot = || To::Hotspots("spot".into());
            let senders = || Nodes::role("hot");
            if c.name == "srp-hotspot" {
                let (load, uniform) =
                    (c.get("load", Load::Percent(100.0))?, c.get("uniform", Load::Percent(0.0))?);
                t.groups.push(group("hot", senders(), hot(), load));
                if !matches!(uniform, Load::Percent(x) | Load::Flits(x) if x == 0.0) {
                    t.groups.push(group("uniform", Nodes::rest(), To::Uniform, uniform));
                }
            } else {
                let (load, at) = (c.get("load", Load::Percent(40.0))?, c.get("at", Time::ms(1.0))?);
                // Messages of the uniform nodes wait at their hosts.
                let waiting = |g: Group| Group { backlog: true, ..g };
                t.groups.push(waiting(group("uniform", Nodes::rest(), To::Uniform, load)));
                let leave = group("leave", senders(), To::Uniform, load);
                t.groups.push(waiting(leave.between(Time::ms(0.0), Some(at))));
                t.groups.push(group("hot", senders(), hot(), Load::Percent(100.0)).between(at, None));
            }
            wholly(t, &c)?
        }
        "srp-uniform" | "srp-impulse" => {
            let impulse = c.name == "srp-impulse";
            t.run = Some(c.get("run", Time::ms(if impulse { 2.0 } else { 1.0 }))?);
            let group = |name: &str, sources: Nodes, to: To| -> Result<Group> {
                let message = Some(srp_message(&c, if impulse { 256 } else { 128 })?);
                Ok(Group { message, ..Group::new(name, sources, to) }.in_messages())
            };
            t.groups.push(Group {
                load: c.get("load", Load::Percent(40.0))?,
                arrival: Arrival::Bernoulli,
                ..group("uniform", Nodes::all(), To::Uniform)?
            });
            if impulse {
                let dst: u32 = c.get("dst", 0)?;
                let others = format!("all, not {dst}").parse()?;
                t.groups.push(Group {
                    start: c.get("at", Time::ms(1.0))?,
                    messages: Some(1),
                    arrival: Arrival::Together,
                    ..group("impulse", others, To::Node(Term::Range(dst, dst)))?
                });
            }
            t
        }
        "victim" | "no-victim" => {
            let step: Time = c.get("step", Time::ms(20.0))?;
            let victim = [("F1", 0, 3), ("F2", 1, 4), ("F3", 2, 4), ("F4", 5, 4), ("F5", 6, 4)];
            let none = [("F1", 0, 3), ("F2", 1, 4), ("F3", 2, 5)];
            let list: &[(&str, u32, u32)] = if c.name == "victim" { &victim } else { &none };
            for (i, &(name, src, dst)) in list.iter().enumerate() {
                let g = Group::new(name, Nodes::one(src), To::Node(Term::Range(dst, dst)));
                t.groups.push(g.between(step.scaled(i as f64), None));
            }
            t.run = Some(step.scaled(list.len() as f64));
            t
        }
        "silent" => forest(name, 0.0, 0.0, c.get("c", 80.0)?, c.get("hotspots", 8)?, None)?,
        "windy" => forest(name, c.get("b", 25.0)?, c.get("p", 60.0)?, 80.0, c.get("hotspots", 8)?, None)?,
        "moving" => {
            let life = c.get("life", Time::ms(1.0))?;
            let (b, p) = (c.get("b", 0.0)?, c.get("p", 60.0)?);
            forest(name, b, p, c.get("c", 80.0)?, c.get("hotspots", 8)?, Some(life))?
        }
        "all-to-one" => {
            let dst: u32 = c.get("dst", 0)?;
            let sources = format!("all, not {dst}").parse()?;
            let g = Group::new("all", sources, To::Node(Term::Range(dst, dst)));
            t.groups.push(at_load(g, c.get("load", 1.0)?, Arrival::Periodic));
            t
        }
        "santos" => santos(name, &c)?,
        "mvcm" => mvcm(name, &c)?,
        "hpcc" => {
            let program = c.get("program", "ptrans".to_string())?;
            let (share, roots) = match c.get("scenario", 1)? {
                1 => (0.0, 0),
                2 => (0.125, 1),
                3 => (0.25, 4),
                other => bail!("{name}: scenario = {other}; legal: 1, 2, 3"),
            };
            let odd: Nodes = "mod 2 = 1".parse()?;
            t.trace = Some(TraceSpec {
                file: None,
                program: Some(program),
                text: None,
                nodes: "mod 2 = 0".parse()?,
                calc: CalcUnit::Ns,
            });
            if roots > 0 {
                // The published hotspot is node 123 of 256: the same place in a network of another size.
                let one = Nodes::one((hosts as u32 * 123 / 256) | 1);
                let without = |term: Term| Nodes { terms: vec![odd.terms[0].clone(), (true, term)] };
                let (sources, among) = match roots {
                    1 => (without(one.terms[0].1.clone()), one),
                    _ => (odd.clone(), without(Term::Role("hot".into()))),
                };
                t.roles = vec![Role { among: sources, ..role("hot", share) }];
                t.hotspots = vec![Hotspots { among, ..spots(roots) }];
                t.groups = vec![Group::new("hot", Nodes::role("hot"), to_hot())];
            }
            t
        }
        other => bail!("traffic {other:?} has no rule"),
    }))
}
