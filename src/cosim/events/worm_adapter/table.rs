//! Connections (YA1, YA4, YC2): each open has its answer, its probe and its event, and what is booked and credited stays within what
//! there is.

use std::collections::VecDeque;

use super::registers::Registers;
use crate::cosim::events::register::Told;
use crate::cosim::events::scoreboard::{Broken, broken};
use crate::cosim::events::worm::header::{Header, Words, kind};

/// What the host asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub conn: usize,
    pub dlid: u32,
    pub bw: u64,
    pub taken: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// Accepted, and no event yet.
    Asked,
    Open,
    /// Its last message was accepted; when it left.
    Closing(Option<u64>),
}

/// A message of the adapter's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    No,
    Leaving(u64),
    Gone(u64),
}

/// A reply that came for a connection.
#[derive(Clone, Copy, Debug)]
struct Answer {
    ack: bool,
    node: u32,
    sure: bool,
    at: u64,
}

#[derive(Clone, Debug)]
struct Connection {
    phase: Phase,
    dlid: u32,
    bw: u64,
    admit: Told,
    /// Lanes that it may have.
    lanes: u32,
    seq: Option<u32>,
    credits: (u64, u64),
    /// `credit_en` was written since: credits are not known.
    vague: bool,
    opening: u64,
    /// When it was accepted, became open, became idle.
    since: u64,
    opened: u64,
    ended: u64,
    given_up: bool,
    probe: Own,
    release: Own,
    answers: Vec<Answer>,
}

/// The table.
pub(super) struct Table {
    all: Vec<Connection>,
    settle: u64,
    own_len: usize,
    openings: u64,
    /// The number of the next open, if it is known.
    seq: Option<u32>,
    seq_written: u64,
    /// Bandwidth and credits that were given back: when, and how much.
    recent: VecDeque<(u64, u64, u64)>,
    /// Probes that are still to leave although their opens are over.
    ghosts: VecDeque<(u32, u32, u64, Option<u32>)>,
    /// What leaves on the control lane: connection, opening, type, flits.
    leaving: Option<(usize, u64, u32, usize)>,
    /// What was judged.
    pub opens: u64,
    pub refused: u64,
    pub events: u64,
    pub probes: u64,
    pub exact: u64,
}

/// Ghosts that are remembered.
const GHOSTS: usize = 4096;

fn word(is: bool, may: bool) -> Told {
    Told { may, must: is }
}

impl Table {
    pub fn new(conns: usize, lane: usize, settle: u64) -> Table {
        let idle = Connection {
            phase: Phase::Idle,
            dlid: 0,
            bw: 0,
            admit: Told::sure(false),
            lanes: 0,
            seq: None,
            credits: (0, 0),
            vague: false,
            opening: 0,
            since: 0,
            opened: 0,
            ended: 0,
            given_up: false,
            probe: Own::No,
            release: Own::No,
            answers: Vec::new(),
        };
        Table {
            all: vec![idle; conns],
            settle,
            own_len: lane.min(10),
            openings: 0,
            seq: Some(0),
            seq_written: 0,
            recent: VecDeque::new(),
            ghosts: VecDeque::new(),
            leaving: None,
            opens: 0,
            refused: 0,
            events: 0,
            probes: 0,
            exact: 0,
        }
    }

    /// `credit_en` is another.
    pub fn credits_switched(&mut self) {
        self.all.iter_mut().filter(|c| c.phase != Phase::Idle).for_each(|c| c.vague = true);
    }

    /// The number of the next open is written, `pending`: while one waits.
    pub fn numbered(&mut self, seq: u32, pending: bool, now: u64) {
        self.seq = if pending { None } else { Some(seq) };
        self.seq_written = now;
    }

    /// A connection may be, and must be, other than idle.
    pub fn live(&self) -> Told {
        let may = self.all.iter().any(|c| c.phase != Phase::Idle);
        let sure = |c: &Connection| {
            c.phase != Phase::Idle
                && !c.given_up
                && !matches!(c.phase, Phase::Closing(Some(_)))
                && !c.answers.iter().any(|a| !a.ack)
        };
        Told { may, must: self.all.iter().any(sure) }
    }

    /// All that are not idle have been opened since a cycle.
    pub fn all_since(&self, cycle: u64) -> bool {
        self.all.iter().all(|c| c.phase == Phase::Idle || c.since > cycle)
    }

    /// Sums of bandwidth and credits: at least now, at most since `from`.
    fn sums(&self, from: u64) -> [(u64, u64); 2] {
        let (mut bw, mut credits) = ((0, 0), (0, 0));
        for c in self.all.iter().filter(|c| c.phase != Phase::Idle) {
            let ends =
                c.given_up || matches!(c.phase, Phase::Closing(Some(_))) || c.answers.iter().any(|a| !a.ack);
            if !ends {
                bw.0 += if c.admit.must { c.bw } else { 0 };
                credits.0 += c.credits.0;
            }
            if c.release == Own::No {
                bw.1 += if c.admit.may { c.bw } else { 0 };
                credits.1 += c.credits.1;
            }
        }
        for r in self.recent.iter().filter(|r| r.0 + self.settle > from) {
            bw.1 += r.1;
            credits.1 += r.2;
        }
        [bw, credits]
    }

    fn gives_back(&mut self, conn: usize, now: u64) {
        let c = &self.all[conn];
        let bw = if c.admit.may { c.bw } else { 0 };
        self.recent.push_back((now, bw, c.credits.1));
    }

    /// What is too old to matter is forgotten.
    pub fn forget(&mut self, from: u64) {
        while self.recent.front().is_some_and(|r| r.0 + self.settle <= from) {
            self.recent.pop_front();
        }
    }

    /// Whether an open of bandwidth 0 gives up the probe of a connection.
    fn gives_up(&self, open: &Open, admit: Told, lost: Told) -> Told {
        let Some(c) = self.all.get(open.conn) else { return Told::sure(false) };
        if open.bw != 0 || c.phase != Phase::Asked || c.given_up {
            return Told::sure(false);
        }
        let out = matches!(c.probe, Own::Leaving(at) | Own::Gone(at) if at <= open.taken);
        let must = out && c.answers.is_empty() && c.admit.must;
        word(must, c.admit.may).and(admit).and(lost)
    }

    /// The answer to an open; `lost`: something may have been lost with the link.
    pub fn opened(
        &mut self,
        open: &Open,
        (ok, why): (bool, u32),
        r: &Registers,
        lost: Told,
        now: u64,
    ) -> Result<(), Broken> {
        let from = open.taken;
        let (admit, credit) = (r.admit_en(from), r.credit_en(from));
        let gives_up = self.gives_up(open, admit, lost.or(r.lost(from)));
        let conn = open.conn;
        let phase = self.all.get(conn).map(|c| c.phase);
        if ok && open.bw == 0 && phase.is_some_and(|p| p != Phase::Idle) {
            if !gives_up.may {
                let text =
                    format!("connection {conn}: given up, and its state or the link does not allow it");
                return broken("open", "YA4", text);
            }
            self.all[conn].given_up = true;
            self.all[conn].since = now;
            return Ok(());
        }
        if !ok && gives_up.must {
            let text = format!("connection {conn}: refused ({why}), and it is to be given up");
            return broken("open", "YA4", text);
        }
        let [used, sum] = self.sums(from);
        let of = |m: u64| ((open.bw * m) >> 12).clamp(1, 65535);
        let (limit, c_b, ms) = (r.limit(from), r.c_b(from), r.ms(from));
        let reasons = [
            {
                let c = self.all.get(conn);
                let idle = c.is_some_and(|c| {
                    c.phase == Phase::Idle && (c.ended == 0 || c.ended + self.settle <= from)
                });
                let may = c.is_some_and(|c| {
                    c.phase == Phase::Idle
                        || c.given_up
                        || matches!(c.phase, Phase::Closing(Some(_)))
                        || c.answers.iter().any(|a| !a.ack)
                });
                Told { may: !idle, must: !may }
            },
            {
                let bad = open.bw == 0 || open.bw > 4096;
                admit.and(Told::sure(bad).or(r.without_real_time(from)))
            },
            admit.and(word(used.0 + open.bw > limit.1, used.1 + open.bw > limit.0)),
            credit.and(word(
                ms.iter().all(|m| sum.0 + of(*m) + c_b.0 > *m),
                ms.iter().any(|m| sum.1 + of(*m) + c_b.1 > *m),
            )),
        ];
        const NAMES: [(&str, &str, &str); 4] = [
            ("open", "YA4", "it is none, or not idle"),
            ("open", "YA4", "its bandwidth is none, or no lane is real-time"),
            ("booked", "YA1", "there is not so much bandwidth"),
            ("sum", "YC2", "there are not so many credits"),
        ];
        verdict(
            &format!("connection {conn}, bandwidth {}", open.bw),
            ok,
            why,
            &[1, 2, 3, 4],
            &reasons,
            &NAMES,
            "open",
        )?;
        self.exact += u64::from(reasons.iter().all(|t| t.may == t.must));
        if !ok {
            self.refused += 1;
            return Ok(());
        }
        if phase != Some(Phase::Idle) {
            let text = format!("connection {conn}: accepted, and it is not idle");
            return broken("open", "YA4", text);
        }
        self.opens += 1;
        self.openings += 1;
        let unsure = from <= self.seq_written + r.late && self.seq_written > 0;
        if unsure {
            self.seq = None;
        }
        let seq = self.seq;
        self.seq = self.seq.map(|s| (s + 1) & 63);
        let low = if credit.must { of(ms[0]) } else { 0 };
        let high = if credit.may { of(ms[ms.len() - 1]) } else { 0 };
        let old = &self.all[conn];
        let (opened, ended) = (old.opened, old.ended);
        self.all[conn] = Connection {
            phase: Phase::Asked,
            dlid: open.dlid,
            bw: open.bw,
            admit,
            lanes: r.lanes(from),
            seq,
            credits: (low, high),
            vague: credit.may != credit.must,
            opening: self.openings,
            since: now,
            opened,
            ended,
            given_up: false,
            probe: Own::No,
            release: Own::No,
            answers: Vec::new(),
        };
        Ok(())
    }

    /// Whether a message may be posted on a connection.
    pub fn is_open(&self, conn: usize, from: u64) -> Told {
        let Some(c) = self.all.get(conn) else { return Told::sure(false) };
        let must = c.phase == Phase::Open && c.opened + self.settle <= from;
        let soon = c.phase == Phase::Asked && (!c.admit.must || c.answers.iter().any(|a| a.ack));
        Told { may: c.phase == Phase::Open || soon, must }
    }

    /// Credits of a connection, if they are known.
    pub fn credits(&self, conn: usize) -> Option<(u64, u64)> {
        self.all.get(conn).filter(|c| !c.vague).map(|c| c.credits)
    }

    /// What a message of a connection needs: its opening, DLID and bandwidth.
    pub fn of(&self, conn: usize) -> Option<(u64, u32, u32)> {
        let c = self.all.get(conn)?;
        Some((c.opening, c.dlid, if c.admit.may { c.bw as u32 } else { 0 }))
    }

    /// Its last message is accepted.
    pub fn closes(&mut self, conn: usize) {
        self.all[conn].phase = Phase::Closing(None);
    }

    /// Its last message has left.
    pub fn last_left(&mut self, conn: usize, now: u64) {
        self.all[conn].phase = Phase::Closing(Some(now));
    }

    /// A message of a connection leaves on a lane.
    pub fn on(&mut self, conn: usize, lane: usize) -> Result<(), Broken> {
        let c = &mut self.all[conn];
        if c.lanes >> lane & 1 == 0 {
            let text = format!("connection {conn}: a message leaves on lane {lane}, which is not its lane");
            return broken("lane", "YA4", text);
        }
        c.lanes = 1 << lane;
        Ok(())
    }

    /// A reply came; `sure`: it will be looked at.
    pub fn answer(&mut self, h: &Header, sure: bool, now: u64) {
        let Some(c) = self.all.get_mut(h.conn as usize) else { return };
        let is = c.phase == Phase::Asked
            && !c.given_up
            && c.admit.may
            && (h.slid, u64::from(h.bw)) == (c.dlid, c.bw)
            && c.seq.is_none_or(|s| s == h.flags >> 2)
            && !c.answers.iter().any(|a| a.sure);
        if is {
            let sure = sure && c.probe != Own::No && c.seq.is_some();
            c.answers.push(Answer { ack: h.kind == kind::ACK, node: h.node, sure, at: now });
        }
    }

    /// An open of bandwidth 0 waits: answers that come now may come too late.
    pub fn may_be_given_up(&mut self, conn: usize) {
        if let Some(c) = self.all.get_mut(conn) {
            c.answers.iter_mut().for_each(|a| a.sure = false);
        }
    }

    /// An event.
    pub fn event(&mut self, what: u32, conn: usize, r: &Registers, now: u64) -> Result<(), Broken> {
        self.events += 1;
        let none = |text: &str| broken("event", "YA4", format!("connection {conn}: event {what}, {text}"));
        let Some(c) = self.all.get_mut(conn) else { return none("and there is none such") };
        let ack = c.answers.iter().any(|a| a.ack);
        match what {
            1 => {
                let without = !c.admit.must && c.probe == Own::No;
                if c.phase != Phase::Asked || c.given_up || !(ack || without) {
                    return none("and it cannot be open");
                }
                c.admit = Told::sure(ack || c.probe != Own::No);
                (c.phase, c.opened) = (Phase::Open, now);
                return Ok(());
            }
            2 => {
                let near = |a: &Answer| !a.ack && r.is_first_node(a.node, a.at).may;
                let may = c.given_up || c.answers.iter().any(near) || matches!(c.release, Own::Gone(_));
                if c.phase != Phase::Asked || !may {
                    return none("and nobody has refused it");
                }
            }
            3 => {
                if !matches!(c.phase, Phase::Closing(Some(_))) {
                    return none("and its last message has not left");
                }
            }
            _ => return none("which is none"),
        }
        let ghost = (conn as u32, c.dlid, c.bw, c.seq);
        if what == 2 && c.probe == Own::No {
            self.ghosts.push_back(ghost);
            self.ghosts.truncate(GHOSTS);
        }
        if self.all[conn].release == Own::No {
            self.gives_back(conn, now);
        }
        let c = &mut self.all[conn];
        (c.phase, c.ended, c.given_up) = (Phase::Idle, now, false);
        c.answers.clear();
        Ok(())
    }

    /// A header of the adapter's own on the control lane.
    pub fn begins(&mut self, words: &Words, r: &Registers, now: u64) -> Result<(), Broken> {
        let h = Header::of(*words);
        let conn = h.conn as usize;
        let wrong = |text: &str| broken("probe", "YA4", format!("connection {conn}: {text}: {h:x?}"));
        let ghost = |g: &(u32, u32, u64, Option<u32>)| {
            (g.0, g.1, g.2) == (h.conn, h.dlid, u64::from(h.bw)) && g.3.is_none_or(|s| s == h.flags >> 2)
        };
        if h.kind == kind::PROBE
            && let Some(at) = self.ghosts.iter().position(ghost)
        {
            self.ghosts.remove(at);
            self.leaving = Some((conn, 0, h.kind, 0));
            return Ok(());
        }
        let Some(c) = self.all.get_mut(conn) else { return wrong("there is none such") };
        let expected = |flags: u32, node: u32, slid: u32| {
            let (dlid, bw, length) = (c.dlid, c.bw as u32, self.own_len as u32);
            Header { lane: h.lane, dlid, length, slid, kind: h.kind, flags, conn: h.conn, bw, node }.words()
        };
        let is = |flags, node| r.lids(c.since).any(|slid| expected(flags, node, slid) == *words);
        match h.kind {
            kind::PROBE => {
                if c.phase != Phase::Asked || !c.admit.may || c.probe != Own::No {
                    return wrong("a probe that nobody asked for");
                }
                if !is(c.seq.map_or(h.flags & 0xfc, |s| s << 2), 0) {
                    return wrong("a probe that is not as it is to be");
                }
                if c.lanes >> h.lane & 1 == 0 {
                    let text =
                        format!("connection {conn}: its probe books lane {}, which it may not have", h.lane);
                    return broken("lane", "YA4", text);
                }
                (c.lanes, c.seq, c.probe) = (1 << h.lane, Some(h.flags >> 2), Own::Leaving(now));
            }
            kind::RELEASE => {
                let far = |a: &Answer| !a.ack && a.node == h.node && !r.is_first_node(a.node, a.at).must;
                if c.phase != Phase::Asked || c.release != Own::No || !c.answers.iter().any(far) {
                    return wrong("a release that nobody asked for");
                }
                if !is(0, h.node) || c.lanes >> h.lane & 1 == 0 {
                    return wrong("a release that is not as it is to be");
                }
                c.release = Own::Leaving(now);
                self.gives_back(conn, now);
            }
            _ => return wrong("a message of a type that the adapter does not send"),
        }
        self.probes += 1;
        self.leaving = Some((conn, self.all[conn].opening, h.kind, 0));
        Ok(())
    }

    /// A flit of it, the header too.
    pub fn goes(&mut self, words: &Words, last: bool, now: u64) -> Result<(), Broken> {
        let Some((conn, opening, which, r)) = self.leaving else { return Ok(()) };
        if r > 0 && *words != [0; 4] {
            let text = format!("connection {conn}: flit {r} of a probe or release is not 0");
            return broken("probe", "YC4", text);
        }
        if last != (r + 1 == self.own_len) {
            let text = format!(
                "connection {conn}: flit {r} of a probe or release of {}, last = {last}",
                self.own_len
            );
            return broken("framing", "YW1", text);
        }
        self.leaving = if last { None } else { Some((conn, opening, which, r + 1)) };
        let c = &mut self.all[conn];
        if last && c.opening == opening {
            let own = if which == kind::PROBE { &mut c.probe } else { &mut c.release };
            *own = Own::Gone(now);
        }
        Ok(())
    }

    /// Since when a probe or release has been waiting.
    pub fn waiting(&self, r: &Registers, now: u64) -> Option<u64> {
        let of = |c: &Connection| {
            if c.phase != Phase::Asked || c.given_up || !c.admit.must {
                return None;
            }
            if c.probe == Own::No {
                return c.answers.is_empty().then_some(c.since);
            }
            // (The first that is sure is the only one.)
            let nack = c.answers.first().filter(|a| a.sure && !a.ack)?;
            let far = !r.is_first_node(nack.node, nack.at).may;
            (c.release == Own::No && far).then_some(nack.at)
        };
        self.all.iter().filter_map(of).min().map(|at| at.min(now))
    }

    /// Every event that is due comes within `within` cycles.
    pub fn late(&self, within: u64, r: &Registers, now: u64) -> Result<(), Broken> {
        for (conn, c) in self.all.iter().enumerate() {
            let (at, what) = match c.phase {
                Phase::Closing(Some(at)) => (at, 3),
                Phase::Asked if c.given_up => (c.since, 2),
                Phase::Asked if !c.admit.may => (c.since, 1),
                Phase::Asked => match (c.release, c.answers.first()) {
                    (Own::Gone(at), _) => (at, 2),
                    (Own::No, Some(a)) if a.sure && a.ack => (a.at, 1),
                    (Own::No, Some(a)) if a.sure && r.is_first_node(a.node, a.at).must => (a.at, 2),
                    _ => continue,
                },
                _ => continue,
            };
            if at + within < now {
                let text = format!("connection {conn}: event {what} did not come within {within} cycles");
                return broken("event", "YA4", text);
            }
        }
        Ok(())
    }
}

/// Judges an answer by its reasons, in their order: `codes` are those of `done_why`.
pub(super) fn verdict(
    what: &str,
    ok: bool,
    why: u32,
    codes: &[u32],
    reasons: &[Told],
    names: &[(&'static str, &'static str, &'static str)],
    otherwise: &'static str,
) -> Result<(), Broken> {
    let at = if ok { codes.len() } else { codes.iter().position(|c| *c == why).unwrap_or(usize::MAX) };
    if at == usize::MAX || (ok && why != 0) {
        return broken("done", "YA4 YC1", format!("{what}: done_ok {ok}, done_why {why}"));
    }
    if let Some(first) = reasons[..at].iter().position(|t| t.must) {
        let (kind, rules, text) = names[first];
        let is = if ok { "accepted".into() } else { format!("refused ({why})") };
        let kind = if ok { kind } else { otherwise };
        return broken(kind, rules, format!("{what}: {is}, and {text}"));
    }
    if !ok && !reasons[at].may {
        let (_, rules, text) = names[at];
        return broken(otherwise, rules, format!("{what}: refused ({why}), and it is not so that {text}"));
    }
    Ok(())
}
