//! Runs a network of wormhole routers and judges it by what its user is promised. It takes no decision of the units as truth.

use std::ops::AddAssign;

use anyhow::Result;
use serde::{Serialize, Serializer};

use super::Case;
use crate::cosim::engines::Mismatch;
use crate::fabric::traffic::{Load, To};
use crate::torture::finding::{FaultKind, Finding};
use crate::torture::network::Engine;
use crate::worm::host::{TrafficHosts, Wait};
use crate::worm::port::{Class, Hosts};
use crate::worm::{self, Drained, Job, Run};

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
    let streams = !(case.traffic.onoff.is_empty() && case.traffic.mpeg.is_empty());
    let guard = match (class, streams, s.lhp) {
        (Class::BestEffort, true, 0) => return None,
        (Class::BestEffort, true, n) => u64::from(n) + 1,
        _ => 1,
    };
    let weights = s.weights.iter().flatten().copied();
    let weight = u64::from(weights.chain([s.be_weight, s.rt_weight, 1]).max().unwrap_or(1));
    // With admission weights follow what is booked.
    let weight = if s.admits() && streams { 255.max(weight) } else { weight };
    let others = (s.vls as u64) * if class == Class::Control { 1 } else { weight };
    let credits = (2 * u64::from(s.link_delay) + 6).div_ceil(s.depth as u64);
    let turn = s.lane as u64 * (others + credits);
    let hold = match (class, job.scheme.control, s.hold_max) {
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
    case.network.starts_with("star") && job.net.hosts() > 2 && job.scheme.control == 0 && only && many
}

/// Hosts that are looked at.
trait Seen: Hosts {
    /// What they have seen.
    fn seen(&self) -> &TrafficHosts;
}

impl Seen for TrafficHosts {
    fn seen(&self) -> &TrafficHosts {
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
    run: Run<H>,
    bounds: [Option<u64>; 3],
    stats: Stats,
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

    fn run(&mut self) -> Result<Option<Finding>> {
        while self.run.time() < self.case.cycles {
            let next = (self.run.time() + STEP).min(self.case.cycles);
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
        let errors = self.run.faults();
        Ok(if errors.is_empty() { None } else { self.finding(FaultKind::Error, errors.join("; ")) })
    }
}

/// Runs a network; what was broken, if anything.
pub fn judge(case: &Case, engine: Engine) -> Result<(Option<Finding>, Stats)> {
    judge_with(case, engine, &|hosts| hosts)
}

/// With hosts made of those of the traffic.
fn judge_with<H: Seen>(
    case: &Case,
    engine: Engine,
    of: &dyn Fn(TrafficHosts) -> H,
) -> Result<(Option<Finding>, Stats)> {
    let job = case.job()?;
    let engines: &[worm::Engine] = match engine {
        Engine::Golden => &[worm::Engine::Golden],
        Engine::Rtl => &[worm::Engine::Rtl],
        Engine::Lockstep => &[worm::Engine::Rtl, worm::Engine::Golden],
    };
    let run = Run::new(&job, engines, &|| case.hosts(&job).map(of), None)?;
    let bounds = Class::ALL.map(|class| bound(case, &job, class));
    let progress = bounds.iter().flatten().any(|b| *b <= LONGEST_BOUND.min(case.cycles)).into();
    let mut judge = Judge { case, run, bounds, stats: Stats { progress, ..Stats::default() } };
    let mut found = judge.run()?;
    if found.is_none() && alike(case, &job) {
        found = judge.shares();
    }
    if found.is_none() {
        found = judge.rest()?;
    }
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
    use crate::torture::worm::{Source, draw};
    use crate::worm::port::{Flit, Offer, Shown};
    use std::collections::VecDeque;

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
            set: set.map(|s| s.to_string()).collect(),
            traffic: crate::worm::traffic::WormSpec::parse(traffic).unwrap(),
        };
        case.check().unwrap();
        case
    }

    const MIXED: &str = "name = 'm'\n[[best-effort]]\nname = 'b'\nload = 0.3\nmessage = 10\n";

    fn found(case: &Case, wrong: Wrong) -> Option<FaultKind> {
        let faulty = |hosts| Faulty { hosts, wrong, flits: 0, cqes: 0, later: VecDeque::new() };
        judge_with(case, Engine::Golden, &faulty).unwrap().0.map(|f| f.kind)
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
        let mut judge = Judge { case: &case, run, bounds: [None; 3], stats: Stats::default() };
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
