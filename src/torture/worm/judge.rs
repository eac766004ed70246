//! Runs a network of wormhole routers and judges it by what its user is promised. It takes no decision of the units as truth.

use std::ops::AddAssign;

use anyhow::Result;
use serde::{Serialize, Serializer};

use super::Case;
use super::disturb::Outage;
use crate::cosim::engines::{Fired, Mismatch};
use crate::fabric::traffic::{Load, To};
use crate::torture::finding::{FaultKind, Finding};
use crate::torture::network::Engine;
use crate::worm::host::{TrafficHosts, Wait};
use crate::worm::port::{Class, Hosts};
use crate::worm::{self, Deed, Drained, Job, Run};

/// What runs did: one, or several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Cycles in which the sources sent, and those until the network was empty.
    pub cycles: u64,
    /// Messages delivered.
    pub messages: u64,
    /// Streams that were admitted.
    #[serde(rename = "streams_opened")]
    pub opened: u64,
    /// Networks in which a bound of progress was short enough to be judged.
    #[serde(rename = "progress_judged")]
    pub progress: u64,
    /// Links that fell and came up again, those of routers that were reset included.
    #[serde(rename = "links_fallen")]
    pub falls: u64,
    /// Routers that were reset.
    #[serde(rename = "routers_reset")]
    pub resets: u64,
    /// Messages that were lost with them.
    #[serde(rename = "messages_lost_with_links")]
    pub lost: u64,
    /// Registers written while messages flowed.
    #[serde(rename = "registers_rewritten")]
    pub rewrites: u64,
    /// Networks in which shares of hosts that are alike were judged.
    #[serde(rename = "shares_judged")]
    pub shares: u64,
    /// The longest wait, in 1/1000 of its bound.
    #[serde(rename = "longest_wait_of_its_bound", serialize_with = "thousandths")]
    pub wait: u64,
}

fn thousandths<S: Serializer>(n: &u64, s: S) -> std::result::Result<S::Ok, S::Error> {
    s.serialize_f64(*n as f64 / 1000.0)
}

impl AddAssign for Stats {
    fn add_assign(&mut self, one: Stats) {
        self.cycles += one.cycles;
        self.messages += one.messages;
        self.opened += one.opened;
        self.progress += one.progress;
        self.falls += one.falls;
        self.resets += one.resets;
        self.lost += one.lost;
        self.rewrites += one.rewrites;
        self.shares += one.shares;
        self.wait = self.wait.max(one.wait);
    }
}

/// Cycles between looks at the hosts.
const STEP: u64 = 64;
/// Bounds above are not judged.
const LONGEST_BOUND: u64 = 60_000;
/// Messages of a host from which on shares are compared.
const MANY: u64 = 50;

/// Cycles in which a host that has messages of a class in its adapter has one of them delivered; and in as many for each message before it and
/// itself, a message is. `None`: it is promised none.
///
/// A flit of it waits for the credits of its lane, and shares each of its links: its turn comes after at most `weight` flits of each other
/// lane, and as best-effort after LHP flits of real-time; messages of all hosts may stand before it, and injection control holds it for
/// HOLD_MAX. (Chosen: twice that.)
fn bound(case: &Case, job: &Job, class: Class) -> Option<u64> {
    let s = &job.settings;
    // What is written while messages flow counts as if it were so all the time.
    let written = |name: &'static str| {
        case.rewrite.iter().filter(move |w| w.register.starts_with(name)).map(|w| w.value)
    };
    let or_off = |first: u32, name| {
        written(name).fold(first, |most, n| if most == 0 || n == 0 { 0 } else { most.max(n) })
    };
    let streams = !(case.traffic.onoff.is_empty() && case.traffic.mpeg.is_empty());
    let guard = match (class, streams, or_off(s.lhp, "LHP")) {
        (Class::BestEffort, true, 0) => return None,
        (Class::BestEffort, true, n) => u64::from(n) + 1,
        _ => 1,
    };
    let weights = s.weights.iter().flatten().copied().chain(written("WEIGHT_")).chain(written("BE_WEIGHT"));
    let weight = u64::from(weights.chain([s.be_weight, s.rt_weight, 1]).max().unwrap_or(1));
    // With admission weights follow what is booked.
    let weight = if s.admits() && streams { 255.max(weight) } else { weight };
    let others = (s.vls as u64) * if class == Class::Control { 1 } else { weight };
    let credits = (2 * u64::from(s.link_delay) + 6).div_ceil(s.depth as u64);
    let turn = s.lane as u64 * (others + credits);
    let hold = match (class, job.scheme.control, or_off(s.hold_max, "HOLD_MAX")) {
        (Class::BestEffort, 1.., 0) => return None,
        (Class::BestEffort, 1.., n) => u64::from(n),
        _ => 0,
    };
    let hosts = job.net.hosts() as u64;
    let way = 2 * (hosts + 2) * (8 + 2 * u64::from(s.link_delay));
    Some(2 * (hosts * turn * guard + hold + way) + 500)
}

/// Whether the hosts of a star are alike: all but the first one send best-effort to it, and nothing else, as much as its link takes.
fn alike(case: &Case, job: &Job) -> bool {
    let t = &case.traffic;
    let only = t.control.is_empty() && t.onoff.is_empty() && t.mpeg.is_empty();
    let many = t
        .best_effort
        .iter()
        .any(|b| b.to != To::Uniform && matches!(b.load, Some(Load::Flits(x)) if x >= 0.6));
    let calm = case.fall.is_empty() && case.reset.is_empty() && case.rewrite.is_empty();
    calm && case.network.starts_with("star") && job.net.hosts() > 2 && job.scheme.control == 0 && only && many
}

/// Hosts that are looked at.
trait Seen: Hosts {
    /// What they have seen.
    fn seen(&self) -> &TrafficHosts;
    /// Links fall, which they are told.
    fn seen_mut(&mut self) -> &mut TrafficHosts;
}

impl Seen for TrafficHosts {
    fn seen(&self) -> &TrafficHosts {
        self
    }

    fn seen_mut(&mut self) -> &mut TrafficHosts {
        self
    }
}

/// RTL and golden units differ.
fn differ(m: &Mismatch) -> Finding {
    let text = m.to_string().replace('\n', "; ");
    Finding { kind: FaultKind::Mismatch, cycle: m.cycle, text }
}

struct Judge<'a, H> {
    case: &'a Case,
    job: &'a Job,
    run: Run<H>,
    bounds: [Option<u64>; 3],
    stats: Stats,
    /// Times in which links are down, the first one first; those before this one have begun.
    outages: Vec<Outage>,
    begun: usize,
}

impl<H: Seen> Judge<'_, H> {
    fn seen(&mut self) -> &TrafficHosts {
        self.run.first().hosts().seen()
    }

    fn finding(&mut self, kind: FaultKind, text: String) -> Option<Finding> {
        Some(Finding { kind, cycle: self.run.time(), text })
    }

    /// A message that did not come as it should.
    fn lost(&mut self) -> Option<Finding> {
        let f = self.seen().fault()?;
        let text = format!("host {}: {}", f.host, f.what);
        Some(Finding { kind: FaultKind::Packet, cycle: f.t, text })
    }

    /// What the hosts have seen so far.
    fn look(&mut self) -> Option<Finding> {
        let lost = self.lost();
        if lost.is_some() {
            return lost;
        }
        let waits: Vec<Wait> = self.seen().waits().collect();
        for wait in waits {
            let Some(bound) = self.bounds[wait.class as usize].filter(|b| *b <= LONGEST_BOUND) else {
                continue;
            };
            let bound = bound * wait.turns;
            self.stats.wait = self.stats.wait.max(wait.cycles * 1000 / bound);
            if wait.cycles > bound {
                let text = format!(
                    "host {}: of its messages of class {:?} that are in its adapter or under way one has waited for {} cycles; {bound} are promised to {} of them",
                    wait.host, wait.class, wait.cycles, wait.turns
                );
                return self.finding(FaultKind::Progress, text);
            }
        }
        None
    }

    fn all(&mut self) -> Result<Option<Finding>> {
        let mut found = self.run()?;
        if found.is_none() && alike(self.case, self.job) {
            found = self.shares();
        }
        if found.is_none() {
            found = self.rest()?;
        }
        Ok(found)
    }

    fn run(&mut self) -> Result<Option<Finding>> {
        while self.run.time() < self.case.cycles {
            self.fall();
            let falls = self.outages.get(self.begun).map_or(self.case.cycles, |o| o.from);
            let next = (self.run.time() + STEP).min(falls);
            if let Some(m) = self.run.run(next)? {
                return Ok(Some(differ(&m)));
            }
            let found = self.look();
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Links that fall now: what is on its way over them may be lost.
    fn fall(&mut self) {
        while let Some(o) = self.outages.get(self.begun).filter(|o| o.from <= self.run.time()) {
            self.begun += 1;
            self.stats.falls += o.links.len() as u64;
            let over = |from, to| o.is_on_the_way(self.job, from, to);
            self.run.hosts().for_each(|hosts| hosts.seen_mut().links_fall(o.end, &over));
        }
    }

    /// With links that fell no more is lost than was on them and in the lanes behind: flits of as many messages.
    fn too_many(&mut self) -> Option<Finding> {
        let s = &self.job.settings;
        let of_lane = s.depth / 2 + 2;
        let most = 2 * (s.vls * of_lane + s.link_delay as usize + 4) * self.stats.falls as usize;
        let lost = self.seen().lost();
        self.stats.lost = lost as u64;
        let text = format!("{lost} messages were lost, {most} at most could be on the links that fell");
        if lost > most { self.finding(FaultKind::Packet, text) } else { None }
    }

    /// Hosts that are alike have shares that are.
    fn shares(&mut self) -> Option<Finding> {
        let all: Vec<u64> = self.seen().delivered(Class::BestEffort)[1..].to_vec();
        let (least, most) = (all.iter().min().copied()?, all.iter().max().copied()?);
        if most < MANY {
            return None;
        }
        self.stats.shares = 1;
        if 2 * least < most {
            let text = format!("hosts that are alike had {all:?} messages delivered");
            return self.finding(FaultKind::Progress, text);
        }
        None
    }

    fn rest(&mut self) -> Result<Option<Finding>> {
        let found = match self.run.drain()? {
            Drained::Idle(_) => None,
            Drained::Left(what) => {
                let idle = self.run.first().hosts().idle();
                let kind = if idle { FaultKind::Line } else { FaultKind::Stuck };
                self.finding(kind, what.join("; "))
            }
            Drained::Mismatch(m) => Some(differ(&m)),
        };
        let found = found.or_else(|| self.lost());
        if found.is_some() {
            return Ok(found);
        }
        let lost = self.too_many();
        if lost.is_some() {
            return Ok(lost);
        }
        let ends: Vec<_> = self.outages.iter().flat_map(|o| o.links.iter().flatten().copied()).collect();
        let errors = self.run.faults_but(&ends);
        Ok(if errors.is_empty() { None } else { self.finding(FaultKind::Error, errors.join("; ")) })
    }
}

/// That a checker fired is a finding like others.
fn finding_of(found: Result<Option<Finding>>) -> Result<Option<Finding>> {
    found.or_else(|e| match e.downcast_ref::<Fired>() {
        Some(f) => Ok(Some(Finding::of_checker(&f.node, &f.said, f.time.unwrap_or(0)))),
        None => Err(e),
    })
}

/// Runs a network; what was broken, if anything.
pub fn judge(case: &Case, engine: Engine) -> Result<(Option<Finding>, Stats)> {
    judge_with(case, engine, &|hosts| hosts, &|deeds| deeds)
}

/// With hosts made of those of the traffic, and what happens of what the file says.
fn judge_with<H: Seen>(
    case: &Case,
    engine: Engine,
    of: &dyn Fn(TrafficHosts) -> H,
    deeds: &dyn Fn(Vec<Deed>) -> Vec<Deed>,
) -> Result<(Option<Finding>, Stats)> {
    let job = case.job()?;
    let engines: &[worm::Engine] = match engine {
        Engine::Golden => &[worm::Engine::Golden],
        Engine::Rtl => &[worm::Engine::Rtl],
        Engine::Lockstep => &[worm::Engine::Rtl, worm::Engine::Golden],
    };
    let mut run = Run::new(&job, engines, &|| case.hosts(&job).map(of), None)?;
    let (happens, mut outages) = case.disturbances(&job)?;
    run.disturb(&deeds(happens));
    let bounds = Class::ALL.map(|class| bound(case, &job, class));
    let progress = bounds.iter().flatten().any(|b| *b <= LONGEST_BOUND.min(case.cycles)).into();
    let (rewrites, resets) = (case.rewrite.len() as u64, case.reset.len() as u64);
    let stats = Stats { progress, rewrites, resets, ..Stats::default() };
    outages.sort_by_key(|o| o.from);
    let mut judge = Judge { case, job: &job, run, bounds, stats, outages, begun: 0 };
    let found = finding_of(judge.all())?;
    judge.stats.cycles = judge.run.time();
    let hosts = judge.seen();
    let messages = Class::ALL.iter().map(|c| hosts.delivered(*c).iter().sum::<u64>()).sum();
    // (A breach has no report.)
    let opened = hosts.report().map_or(0, |r| r.streams.opened_streams);
    Ok((found, Stats { messages, opened, ..judge.stats }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::torture::worm::{Fall, Reset, Rewrite, Source, draw};
    use crate::worm::port::{Flit, Offer, Shown};
    use crate::worm::{Act, NodeId};
    use std::collections::VecDeque;

    #[test]
    fn a_checker_that_fires_is_a_finding_and_no_other_error_is() {
        use anyhow::{Context, anyhow};
        let fired = |time| Err(anyhow::Error::new(Fired::new("r3", time, 70, "x_checker.sv:1")));
        for (time, cycle) in [(Some(9), 9), (None, 0)] {
            let found = finding_of(fired(time).context("engine rtl")).unwrap().unwrap();
            let told = (found.kind, found.cycle, found.text.as_str());
            assert_eq!(told, (FaultKind::Checker, cycle, "r3: x_checker.sv:1"));
        }
        assert!(finding_of(Err(anyhow!("no such file"))).is_err());
        assert!(finding_of(Ok(None)).unwrap().is_none());
    }

    /// What goes wrong at a host.
    #[derive(Clone, Copy, PartialEq)]
    enum Wrong {
        Nothing,
        /// One flit in so many does not come.
        Loses(u64),
        /// One comes again in the next free cycle.
        Doubles(u64),
        /// A bit of it is another.
        Changes(u64),
        /// Nothing comes for so many cycles from then on; later it does.
        Holds(u64, u64),
        /// One message in so many leaves without a word.
        Forgets(u64),
    }

    struct Faulty {
        hosts: TrafficHosts,
        wrong: Wrong,
        flits: u64,
        cqes: u64,
        later: VecDeque<Flit>,
    }

    impl Seen for Faulty {
        fn seen(&self) -> &TrafficHosts {
            &self.hosts
        }

        fn seen_mut(&mut self) -> &mut TrafficHosts {
            &mut self.hosts
        }
    }

    impl Hosts for Faulty {
        fn cycle(&mut self, t: u64, host: usize, shown: &Shown) -> Offer {
            let mut shown = *shown;
            if host == 0 {
                self.flits += u64::from(shown.delivered.is_some());
                self.cqes += u64::from(shown.cqe.is_some());
                let flit = &mut shown.delivered;
                match (self.wrong, *flit) {
                    (Wrong::Loses(n), Some(_)) if self.flits.is_multiple_of(n) => *flit = None,
                    (Wrong::Changes(n), Some(mut f)) if self.flits.is_multiple_of(n) && !f.first => {
                        f.data[1] ^= 4;
                        *flit = Some(f);
                    }
                    (Wrong::Doubles(n), Some(f)) if self.flits.is_multiple_of(n) => self.later.push_back(f),
                    (Wrong::Doubles(_), None) => *flit = self.later.pop_front(),
                    (Wrong::Holds(from, cycles), f) if t >= from => {
                        self.later.extend(f);
                        *flit = if t < from + cycles { None } else { self.later.pop_front() };
                    }
                    (Wrong::Forgets(n), _) if self.cqes.is_multiple_of(n) => shown.cqe = None,
                    _ => (),
                }
            }
            self.hosts.cycle(t, host, &shown)
        }

        fn idle(&self) -> bool {
            self.hosts.idle()
        }

        fn stop(&mut self) {
            self.hosts.stop();
        }
    }

    /// A small network with best-effort and streams.
    fn case(network: &str, set: &[&str], traffic: &str) -> Case {
        let set = ["vls=3", "lane=10", "msgq=4", "depth=4", "lhp=2", "rtry=20"].iter().chain(set);
        let case = Case {
            version: crate::torture::case::VERSION,
            seed: 1,
            cycles: 6000,
            found: String::new(),
            network: network.into(),
            scheme: "credit".into(),
            rewrite: Vec::new(),
            fall: Vec::new(),
            reset: Vec::new(),
            set: set.map(|s| s.to_string()).collect(),
            traffic: crate::worm::traffic::WormSpec::parse(traffic).unwrap(),
        };
        case.check().unwrap();
        case
    }

    const MIXED: &str = "name = 'm'\n[[best-effort]]\nname = 'b'\nload = 0.3\nmessage = 10\n";

    fn found(case: &Case, wrong: Wrong) -> Option<FaultKind> {
        let faulty = |hosts| Faulty { hosts, wrong, flits: 0, cqes: 0, later: VecDeque::new() };
        judge_with(case, Engine::Golden, &faulty, &|deeds| deeds).unwrap().0.map(|f| f.kind)
    }

    #[test]
    fn what_goes_wrong_at_a_host_is_found() {
        let mut case = case("mesh:2x2", &[], MIXED);
        case.cycles = 12_000;
        let all = [
            (Wrong::Nothing, None),
            (Wrong::Loses(77), Some(FaultKind::Packet)),
            (Wrong::Doubles(77), Some(FaultKind::Packet)),
            (Wrong::Changes(77), Some(FaultKind::Packet)),
            (Wrong::Holds(1000, 10_000), Some(FaultKind::Progress)),
            (Wrong::Holds(11_000, 3_000_000), Some(FaultKind::Stuck)),
            (Wrong::Forgets(5), Some(FaultKind::Stuck)),
        ];
        for (i, (wrong, kind)) in all.into_iter().enumerate() {
            assert_eq!(found(&case, wrong), kind, "{i}");
        }
    }

    /// A mesh 2x2 whose links fall now and then, and come up again; a router is reset.
    fn falling() -> Case {
        let mut case = case("mesh:2x2", &[], &MIXED.replace("0.3", "0.9"));
        let fall = |cycle, link: &str, cycles| Fall { cycle, link: link.into(), cycles };
        let host = case.job().unwrap().net.name(NodeId::Host(3));
        let router = case.job().unwrap().net.name(NodeId::Router(0));
        case.fall = vec![fall(2000, &host, 3), fall(900, &format!("{router}.1"), 700), fall(4000, &host, 20)];
        case.reset = vec![Reset { cycle: 3000, router, late: 7 }];
        case.check().unwrap();
        case
    }

    #[test]
    fn links_fall_and_no_more_is_lost_than_was_on_them() {
        let case = falling();
        let (none, stats) = judge(&case, Engine::Golden).unwrap();
        assert!(none.is_none() && stats.falls == 3 + 3 && stats.lost > 0, "{stats:?} {none:?}");
        // What is lost later, or elsewhere, has no excuse.
        assert_eq!(found(&case, Wrong::Loses(77)), Some(FaultKind::Packet));
        assert_eq!(found(&case, Wrong::Holds(2100, 3_000_000)), Some(FaultKind::Stuck));
        // An end that is not told keeps what the other one forgets.
        let told = |end: usize| {
            let deeds = |mut deeds: Vec<Deed>| {
                for deed in &mut deeds {
                    if let Act::Link { ends, .. } = &mut deed.act {
                        ends[1 - end] = ends[end];
                    }
                }
                deeds
            };
            judge_with(&case, Engine::Golden, &|hosts| hosts, &deeds).unwrap().0
        };
        assert!(told(0).is_some() && told(1).is_some());
    }

    #[test]
    fn registers_are_written_while_messages_flow() {
        let mut case = case("mesh:2x2", &[], MIXED);
        let job = case.job().unwrap();
        let write = |cycle, id, register: &str, value| Rewrite {
            cycle,
            node: job.net.name(id),
            register: register.into(),
            value,
        };
        // Two of a cycle at one node: one after the other.
        let host = NodeId::Host(2);
        case.rewrite = vec![write(1000, host, "M", 1), write(1000, host, "C_B", 0)];
        case.check().unwrap();
        let sent = |case: &Case| {
            let job = case.job().unwrap();
            let mut run = Run::new(&job, &[worm::Engine::Golden], &|| case.hosts(&job), None).unwrap();
            run.disturb(&case.disturbances(&job).unwrap().0);
            run.run(4000).unwrap();
            run.first().hosts().delivered(Class::BestEffort)
        };
        let (less, all) = (sent(&case), sent(&Case { rewrite: Vec::new(), ..case.clone() }));
        assert!(less[2] * 2 < all[2] && less[0] * 2 > all[0], "{less:?} {all:?}");
        let (none, stats) = judge(&case, Engine::Golden).unwrap();
        assert!(none.is_none() && stats.rewrites == 2, "{none:?}");
        // A guard that is off for a while promises best-effort beside streams nothing.
        let streams = format!("{MIXED}[[onoff]]\nname = 's'\nrate = 0.1\n");
        case.traffic = crate::worm::traffic::WormSpec::parse(&streams).unwrap();
        let of = |case: &Case| bound(case, &job, Class::BestEffort);
        assert!(of(&case).is_some());
        case.rewrite.push(write(5, NodeId::Router(1), "LHP", 0));
        assert_eq!(of(&case), None);
    }

    #[test]
    fn disturbances_that_are_not_legal_are_told() {
        let case = falling();
        let text = toml::to_string(&case).unwrap();
        assert_eq!(Case::parse(&text).unwrap(), case);
        let why = |change: &dyn Fn(&mut Case)| {
            let mut wrong = case.clone();
            change(&mut wrong);
            format!("{:#}", wrong.check().unwrap_err())
        };
        let write = |node: &str, register: &str, value| {
            let (node, register) = (node.into(), register.into());
            Rewrite { cycle: 1, node, register, value }
        };
        let host = case.fall[0].link.clone();
        type Change<'a> = &'a dyn Fn(&mut Case);
        let all: [(Change, &str); 13] = [
            (&|c| c.reset[0].router = "nobody".into(), "reset 0: router \"nobody\""),
            (&|c| c.reset[0].late = 100_001, "reset 0: late = 100001: legal is 0..100000"),
            (&|c| c.reset[0].cycle = 1500, "reset 0: a link of it is down"),
            (
                &|c| {
                    c.rewrite = vec![write(&c.reset[0].router, "LHP", 2)];
                    c.rewrite[0].cycle = 3010;
                },
                "reset 0: legal is without a rewrite of the router",
            ),
            (&|c| c.fall[0].cycles = 2, "fall 0: cycles = 2: legal is 3..100000"),
            (&|c| c.fall[1].cycle = 5500, "fall 1: its links are up from cycle 6200 on: legal is 0..6000"),
            (&|c| c.fall[2].cycle = 2001, "fall 2: a link of it is down"),
            (
                &|c| c.fall[0].link = "nobody".into(),
                "fall 0: link \"nobody\": legal is a host, or ROUTER.PORT",
            ),
            (&|c| c.traffic.best_effort[0].message = 1, "messages of 2 flits or more"),
            (&|c| c.rewrite = vec![write("nobody", "LHP", 1)], "rewrite 0: node \"nobody\""),
            (
                &|c| c.rewrite = vec![write(&host, "CTRL", 1)],
                "rewrite 0: register \"CTRL\": legal here is M, C_B",
            ),
            (&|c| c.rewrite = vec![write(&host, "LHP", 256)], "rewrite 0: LHP = 256: legal is 0..255"),
            (
                &|c| {
                    c.rewrite = vec![write(&host, "LHP", 2)];
                    c.rewrite[0].cycle = 6001;
                },
                "rewrite 0: cycle = 6001: legal is 0..6000",
            ),
        ];
        for (change, part) in all {
            let why = why(change);
            assert!(why.contains(part), "{part}: {why}");
        }
    }

    #[test]
    fn bounds_are_judged_and_kept_and_equal_hosts_have_equal_shares() {
        let star = "name = 's'\n[[best-effort]]\nname = 'b'\nload = 0.9\nmessage = 10\nsources = 'all, not 0'\nto = 0\n";
        let case = case("star:4", &[], star);
        let (found, stats) = judge(&case, Engine::Golden).unwrap();
        assert!(
            found.is_none() && stats.progress == 1 && stats.shares == 1 && stats.messages > 300,
            "{stats:?} {found:?}"
        );
        let job = case.job().unwrap();
        let of = |case: &Case| bound(case, &case.job().unwrap(), Class::BestEffort);
        assert!(alike(&case, &job) && of(&case).is_some());
        let run = Run::new(&job, &[worm::Engine::Golden], &|| case.hosts(&job), None).unwrap();
        let (bounds, stats, outages) = ([None; 3], Stats::default(), Vec::new());
        let mut judge = Judge { case: &case, job: &job, run, bounds, stats, outages, begun: 0 };
        assert!(judge.run().unwrap().is_none());
        assert!(judge.shares().is_none());
        // One of them is sent away early.
        let mut early = case.clone();
        early.traffic = crate::worm::traffic::WormSpec::parse(&format!(
            "{}[[best-effort]]\nname = 'c'\nload = 0.9\nmessage = 10\nsources = 3\nto = 0\nstop = 500\n",
            star.replace("all, not 0", "1-2")
        ))
        .unwrap();
        judge.run = Run::new(&job, &[worm::Engine::Golden], &|| early.hosts(&job), None).unwrap();
        assert!(judge.run().unwrap().is_none());
        assert_eq!(judge.shares().map(|f| f.kind), Some(FaultKind::Progress));
    }

    #[test]
    fn draws_are_legal_and_of_all_kinds() {
        let all: Vec<Case> = (1..400).filter_map(|seed| draw(seed, Source::Any, None)).collect();
        assert!(all.len() > 350, "{}", all.len());
        let share = |of: &dyn Fn(&Case) -> bool| all.iter().filter(|c| of(c)).count() * 100 / all.len();
        let has = |name: &str| share(&|c| c.set.iter().any(|s| s.starts_with(name)));
        assert!(has("admission=on") > 40 && has("weights=") > 8 && has("hold_max=") > 40 && has("up=") > 30);
        for scheme in ["yum-none", "alo", "selftuned", "credit"] {
            assert!(share(&|c| c.scheme == scheme) > 12, "{scheme}");
        }
        assert!(share(&|c| !c.traffic.onoff.is_empty()) > 25);
        assert!(share(&|c| !c.traffic.control.is_empty()) > 30);
        assert!(share(&|c| c.cycles > 12_000) > 1);
        assert!(share(&|c| !c.fall.is_empty()) > 6 && share(&|c| !c.reset.is_empty()) > 1);
        assert!(share(&|c| !c.rewrite.is_empty()) > 12);
        let judged = share(&|c| {
            let job = c.job().unwrap();
            Class::ALL.iter().any(|class| bound(c, &job, *class).is_some_and(|b| b <= c.cycles))
        });
        assert!(judged > 25, "{judged}");
    }

    #[test]
    fn a_file_is_read_back_and_a_bad_one_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("case.toml");
        let case = draw(5, Source::Any, None).unwrap();
        case.write(&file).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(Case::is_meant(&text) && !Case::is_meant("version = 1"));
        assert_eq!(Case::parse(&text).unwrap(), case);
        for (from, to, part) in [
            ("version = 1", "version = 2", "version = 2: legal is 1"),
            ("scheme = ", "schem = ", "line 6: unknown field `schem`"),
            ("\"lane=", "\"lane=9", "legal is 2..64 flits"),
            ("network = \"", "network = \"ring:", "of wormhole routers there are mesh:XxY and star:N"),
        ] {
            let why = Case::parse(&text.replacen(from, to, 1)).unwrap_err();
            assert!(format!("{why:#}").contains(part), "{from}: {why:#}");
        }
    }
}
