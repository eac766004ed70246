//! Runs a network and judges it by what its user is promised: every packet once, whole, in order, at its destination, in time; then
//! an empty network, with all lines free, all credits home and no flow held back.

use std::collections::VecDeque;

use super::acks;
use super::booking;
use super::bounds::{Bounds, LONGEST_WAIT};
use super::case::{Case, End, Of};
use super::finding::{FaultKind, Finding};
use super::mix::mix;
use super::network::{Engine, World, Write, is_ack, register_write};
use super::route;
use crate::model::link::Control;
use crate::params::UnitKind;
use crate::registers::addr;
use crate::signals::Group;

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Cycles with the links joined.
    pub cycles: u64,
    /// Packets delivered.
    pub packets: u64,
    /// Waits that were looked at beyond the traffic's cycles.
    pub suspects: u64,
    /// Whether the bound of progress was short enough to be judged.
    pub progress: bool,
    /// Whether throttling was judged.
    pub throttle: bool,
    /// ACKs that reached who waited for them.
    pub acks: u64,
    /// NACKs that came.
    pub nacks: u64,
    /// Packets that were sent again.
    pub again: u64,
}

/// A packet under way.
#[derive(Clone, Copy)]
struct Sent {
    psn: u32,
    len: u8,
    posted: u64,
    /// Its adapter has asked for its first flit.
    fetched: bool,
    /// It may have been where something was reset: it may be lost.
    exposed: bool,
    /// Packets of its message before it, and behind it.
    place: (u16, u16),
    /// Its source was told that it was dropped, and has not asked for it again.
    dropped: bool,
}

impl Sent {
    fn new(psn: u32, len: u8, posted: u64) -> Sent {
        Sent { psn, len, posted, fetched: false, exposed: false, place: (0, 0), dropped: false }
    }
}

/// The state of a pair.
struct Flow {
    /// Its flow in the source's adapter.
    flow: u32,
    way: VecDeque<Sent>,
    next_psn: u32,
    /// Posts made and cycle from which on the next may be made.
    posts: u64,
    due: u64,
    delivered: u64,
    /// Start of the current wait, the packets that were under way then, and the time that was booked.
    since: u64,
    ahead: u64,
    booked: u64,
    /// Whether its SL may change.
    any_sl: bool,
    /// Nodes and links of its way.
    nodes: Vec<usize>,
    links: Vec<usize>,
    /// PSNs of packets whose first flit was fetched, and whose ACK has not come.
    unanswered: VecDeque<u32>,
    /// ACKs are judged, and its window, if it has one all the time.
    answered: bool,
    window: Option<u32>,
    /// Its packets arrive in order, and their ACKs.
    ordered: bool,
    answered_in_order: bool,
    /// Its source reserves, and something of it, or what is told of it, may have been lost: it may stand still for ever.
    held: bool,
    /// Its source was reset: what is told of packets before may be taken for others.
    loose: bool,
    /// What is lost of it goes again, so packets may be sent twice.
    recovers: bool,
    /// Flits 0 that its source asked for.
    fetches: u64,
}

impl Flow {
    /// Packets under way that must arrive.
    fn due_to_arrive(&self) -> impl Iterator<Item = &Sent> {
        self.way.iter().filter(|s| !s.exposed)
    }

    /// This packet may arrive cut, or not at all.
    fn is_exposed(&self, psn: u32) -> bool {
        self.loose || self.way.iter().any(|s| s.psn == psn && s.exposed)
    }

    /// From now on it need not go on.
    fn hold(&mut self) -> u64 {
        self.held = true;
        let due = self.way.iter_mut().filter(|s| !s.exposed);
        due.map(|s| s.exposed = true).count() as u64
    }
}

/// A packet that a host is taking.
#[derive(Clone, Copy)]
struct Open {
    pair: usize,
    psn: u32,
    len: u8,
    index: u8,
    opcode: u8,
}

/// Where the host's pins are.
struct Pins {
    gen_valid: usize,
    dma_ready: usize,
    dma_data: usize,
    host_ready: usize,
    gen_full: usize,
    dma_valid: usize,
    dma_flow: usize,
    dma_psn: usize,
    dma_index: usize,
    host_valid: usize,
    host_data: usize,
    rx: [usize; 4],
    rx_data: usize,
    link_up: usize,
}

pub(super) struct Host {
    pins: Pins,
    pairs: Vec<usize>,
    turn: usize,
    open: Option<Open>,
    /// The rest of a cut packet is coming.
    eats: bool,
    /// First cycle of the last packets that the adapter fetched, and the last cycle of one.
    fetches: Vec<(u64, u64)>,
}

/// Word `word` of flit `index` of a packet.
fn payload(src: usize, dst: usize, psn: u32, index: u8, word: usize) -> u32 {
    let key =
        (src as u64) << 48 ^ (dst as u64) << 32 ^ u64::from(psn) << 16 ^ u64::from(index) << 8 ^ word as u64;
    mix(key) as u32
}

/// Words of the first flit that the adapter writes: LRH and BTH.
const HEADER_WORDS: usize = 5;

/// The same of a packet of reservation: more bytes behind the BTH.
const RESERVED_WORDS: usize = 8;

/// Opcode of a packet of data that nothing is reserved for.
const DATA: u8 = 0x04;

/// Marks in byte 12 of the header.
const FECN: u8 = 0x80;
const MB: u8 = 0x20;
const VB: u8 = 0x10;

/// The marks that a packet may have when it arrives: FECN, and those that a register turns on, now or later.
fn marks(case: &Case) -> u8 {
    let first = case.switch.iter().flat_map(|s| &s.registers).map(|(n, v)| (n.as_str(), *v));
    let later = case.rewrite.iter().map(|w| (w.register.as_str(), w.value));
    let writes: Vec<_> = first.chain(later).filter(|(n, _)| n.ends_with(".CTRL")).collect();
    let on = |side: &str, bit: u32| writes.iter().any(|(n, v)| n.starts_with(side) && v >> bit & 1 != 0);
    FECN | if on("in", 6) { MB } else { 0 } | if on("out", 12) { VB } else { 0 }
}

struct Run<'a> {
    case: &'a Case,
    bounds: Bounds,
    world: World,
    flows: Vec<Flow>,
    hosts: Vec<Host>,
    /// Pair of each source and destination.
    pair_of: Vec<Vec<Option<usize>>>,
    /// Marks that some register lets a switch set.
    marks: u8,
    t: u64,
    posting: bool,
    under_way: u64,
    last_delivery: u64,
    rewrites: usize,
    resets: usize,
    /// Exposed packets that are known to be lost.
    lost: u64,
    stats: Stats,
    flit_words: usize,
    /// ACKs with BECN that came.
    becns: u64,
    /// Time that is booked for all that was posted, at most, and until all had healed; the age of a speculative packet, at most.
    booked: u64,
    booked_healed: u64,
    most_age: Option<u32>,
    /// None of the ACKs is lost, nor too late, in a run shorter than this.
    sound: Option<u64>,
}

/// Runs a checked case. The error is one of setting up, not a finding.
pub fn judge(case: &Case, engine: Engine) -> Result<(Option<Finding>, Stats), String> {
    let run = std::panic::catch_unwind(|| {
        let mut run = Run::new(case, engine)?;
        let found = run.all().err();
        run.stats.cycles = run.t;
        Ok((found, run.stats))
    });
    run.unwrap_or_else(|e| {
        let text =
            e.downcast_ref::<String>().cloned().or_else(|| e.downcast_ref::<&str>().map(|s| s.to_string()));
        let text = text.unwrap_or_default();
        Ok((Some(Finding { kind: FaultKind::Panic, cycle: 0, text }), Stats::default()))
    })
}

impl<'a> Run<'a> {
    fn new(case: &'a Case, engine: Engine) -> Result<Run<'a>, String> {
        let bounds = Bounds::new(case)?;
        let mut world = World::new(case, engine)?;
        let n = case.host.len();
        let mut pair_of = vec![vec![None; n]; n];
        let vls = case.switch_params(0)?.vls;
        let any_sl = case.rewrite.iter().any(|w| w.register.starts_with("sl.")) || vls > 16;
        // What was reset knows nothing of ACKs on their way.
        let in_turn = case.reset.is_empty() && !acks::lanes_change(case)?;
        let silences = (0..n).map(|h| case.host_params(h).map(|p| acks::longest_silence(&p)));
        let silence = silences.collect::<Result<Vec<u64>, String>>()?.into_iter().min().unwrap_or(0);
        let sound = acks::losses(case)?.is_none().then_some(silence);
        let exits = route::exits(case);
        let mut flows = Vec::new();
        for (i, pair) in case.pair.iter().enumerate() {
            pair_of[pair.from][pair.to] = Some(i);
            let (nodes, links) = route::way(case, pair.from, pair.to, case.reserves());
            flows.push(Flow {
                flow: (case.host[pair.to].lid - case.host[pair.from].lid_base).into(),
                way: VecDeque::new(),
                next_psn: (mix(case.seed ^ i as u64) & 0xff_ffff) as u32,
                posts: 0,
                due: pair.start,
                delivered: 0,
                since: 0,
                ahead: 0,
                booked: 0,
                any_sl,
                nodes,
                links,
                unanswered: VecDeque::new(),
                answered: in_turn && acks::acknowledges(case, pair.to),
                window: sound.and(acks::window(case, pair.from, &case.host_params(pair.from)?)),
                ordered: Self::in_order(case, &exits, pair)?,
                answered_in_order: Self::one_way(case, &exits, pair.from, pair.to)
                    && Self::one_way(case, &exits, pair.to, pair.from),
                held: false,
                loose: false,
                recovers: booking::recovers(case, pair.from),
                fetches: 0,
            });
        }
        let hosts = (0..n).map(|h| {
            let l = &world.host(h).layout;
            let pins = Pins {
                gen_valid: l.input("gen_valid"),
                dma_ready: l.input("dma_ready"),
                dma_data: l.input("dma_data"),
                host_ready: l.input("host_ready"),
                gen_full: l.output("gen_full"),
                dma_valid: l.output("dma_valid"),
                dma_flow: l.output("dma_flow"),
                dma_psn: l.output("dma_psn"),
                dma_index: l.output("dma_index"),
                host_valid: l.output("host_valid"),
                host_data: l.output("host_data"),
                rx: ["rx_valid", "rx_first", "rx_last", "rx_bad"].map(|n| l.input(n)),
                rx_data: l.input("rx_data"),
                link_up: l.input("link_up"),
            };
            let pairs = (0..case.pair.len()).filter(|i| case.pair[*i].from == h).collect();
            Host { pins, pairs, turn: 0, open: None, eats: false, fetches: Vec::new() }
        });
        let hosts = hosts.collect();
        let stats = Stats {
            progress: bounds
                .stands
                .is_some_and(|age| (0..flows.len()).all(|i| age + bounds.wait(i, 8) < LONGEST_WAIT)),
            ..Stats::default()
        };
        let flit_words = case.switch_params(0)?.flit_bytes / 4;
        Ok(Run {
            case,
            bounds,
            world,
            flows,
            hosts,
            pair_of,
            marks: marks(case),
            t: 0,
            posting: true,
            under_way: 0,
            last_delivery: 0,
            rewrites: 0,
            resets: 0,
            lost: 0,
            stats,
            flit_words,
            becns: 0,
            booked: 0,
            booked_healed: 0,
            most_age: booking::most_age(case).filter(|_| case.reserves()),
            sound,
        })
    }

    fn finding(&self, kind: FaultKind, text: String) -> Finding {
        Finding { kind, cycle: self.t, text }
    }

    fn pair_name(&self, i: usize) -> String {
        format!("h{} to h{}", self.case.pair[i].from, self.case.pair[i].to)
    }

    /// The whole run.
    fn all(&mut self) -> Result<(), Finding> {
        self.world.bring_up()?;
        for _ in 0..self.case.cycles {
            self.cycle()?;
            if self.t.is_multiple_of(64) {
                self.progress()?;
            }
        }
        self.watch_suspects()?;
        self.errors()?;
        self.posting = false;
        self.last_delivery = self.last_delivery.max(self.t).max(self.bounds.healed);
        while self.under_way > 0 {
            self.cycle()?;
            if self.t > self.last_delivery + self.silence() {
                return Err(self.stuck());
            }
        }
        self.rest()?;
        self.settle()?;
        self.count_lost()?;
        self.errors()?;
        self.notifications()?;
        self.acks()?;
        self.drops()?;
        self.idle_flows()?;
        self.throttling()?;
        self.windows()
    }

    /// Whether no ACK can have been lost, or be too late, until now.
    fn is_sound(&self) -> bool {
        self.sound.is_some_and(|silence| self.t < silence)
    }

    /// A cycle of everything.
    fn cycle(&mut self) -> Result<(), Finding> {
        while let Some(w) = self.case.rewrite.get(self.rewrites).filter(|w| w.cycle <= self.t) {
            self.rewrites += 1;
            if let Ok((kind, n)) = self.case.node(&w.node) {
                let at = if kind == UnitKind::Switch { n } else { self.world.switches() + n };
                let node = &mut self.world.nodes[at];
                if let Ok(write) = register_write(kind, &node.params, &w.register, w.value) {
                    node.writes.push_back(write);
                }
            }
        }
        while let Some(r) = self.case.reset.get(self.resets).filter(|r| r.cycle <= self.t) {
            self.resets += 1;
            if let Ok(of) = self.case.reset_of(r) {
                self.world.reset(of, r);
                self.expose(of);
            }
        }
        self.world.exchange(self.t);
        self.eaten();
        for h in 0..self.hosts.len() {
            self.drive(h)?;
        }
        self.world.edge(self.t)?;
        self.t += 1;
        Ok(())
    }

    /// Packets that may be where something is reset need not arrive.
    fn expose(&mut self, of: Of) {
        let (switches, reserves) = (self.case.switch.len(), self.case.reserves());
        let remembers = booking::remembers(self.case);
        for (flow, pair) in self.flows.iter_mut().zip(&self.case.pair) {
            let source = of == Of::Node(switches + pair.from);
            let ends = source || of == Of::Node(switches + pair.to);
            let there = match of {
                Of::Node(n) => flow.nodes.contains(&n),
                Of::Link(l) => flow.links.contains(&l),
            };
            if there && reserves {
                // What an end had in hand is lost, or comes twice: a destination that remembers what came has forgotten it, and what had
                // no ACK goes again, after a time-out or in granted time (fast).
                flow.loose |= if remembers { ends } else { source };
                if !flow.recovers {
                    self.under_way -= flow.hold();
                }
            }
            for s in flow.way.iter_mut().filter(|s| there && !s.exposed && (s.fetched || source)) {
                s.exposed = true;
                self.under_way -= 1;
            }
        }
        if let Of::Node(n) = of
            && let Some(h) = n.checked_sub(switches)
        {
            (self.hosts[h].open, self.hosts[h].eats) = (None, false);
        }
    }

    /// Host `h`: posts, supplies flits, takes flits.
    fn drive(&mut self, h: usize) -> Result<(), Finding> {
        self.post(h);
        self.answer(h)?;
        self.told(h)?;
        let (t, case) = (self.t, self.case);
        let remembers = booking::remembers(case);
        let mut begun = None;
        let host = &mut self.hosts[h];
        let pins = &host.pins;
        let node = self.world.host(h);
        let seed = mix(case.seed ^ (h as u64) << 8);
        let give = case.host[h].give.allows(t, seed);
        node.input[pins.dma_ready] = give.into();
        if node.output[pins.dma_valid] != 0 {
            let (flow, psn) = (node.output[pins.dma_flow], node.output[pins.dma_psn]);
            let index = node.output[pins.dma_index] as u8;
            let Some(i) = host.pairs.iter().find(|i| self.flows[**i].flow == flow).copied() else {
                return Err(self.finding(
                    FaultKind::Packet,
                    format!("h{h} asks for a packet of flow {flow}, which has none"),
                ));
            };
            let to = case.pair[i].to;
            for w in 0..self.flit_words {
                node.input[pins.dma_data + w] = payload(h, to, psn, index, w);
            }
            let flow = &mut self.flows[i];
            if give
                && index == 0
                && let Some(s) = flow.way.iter_mut().find(|s| s.psn == psn)
            {
                let again = s.fetched && !s.dropped && !flow.held && case.reserves() && !remembers;
                self.stats.again += u64::from(s.fetched);
                (s.fetched, s.dropped) = (true, false);
                flow.fetches += 1;
                if flow.answered {
                    flow.unanswered.push_back(psn);
                }
                begun = Some((i, again.then_some(psn)));
            }
            if give && !self.posting {
                match host.fetches.last_mut() {
                    Some(last) if index > 0 => last.1 = t,
                    _ => host.fetches.push((t, t)),
                }
            }
        }
        let take = case.host[h].take.allows(t, mix(seed));
        node.input[pins.host_ready] = take.into();
        if take && node.output[pins.host_valid] != 0 {
            self.receive(h)?;
        }
        match begun {
            Some((i, Some(psn))) => Err(self.finding(
                FaultKind::Drop,
                format!(
                    "packet {psn} from {} is sent again, though its source was not told of a drop",
                    self.pair_name(i)
                ),
            )),
            Some((i, None)) => self.window(i),
            None => Ok(()),
        }
    }

    /// No more packets are out than a window is wide.
    fn window(&self, i: usize) -> Result<(), Finding> {
        let flow = &self.flows[i];
        let out = flow.unanswered.len();
        let Some(w) = flow.window.filter(|w| flow.answered && out > *w as usize && self.is_sound()) else {
            return Ok(());
        };
        let text = format!("{}: {out} packets without their ACK, its window is {w}", self.pair_name(i));
        Err(self.finding(FaultKind::Ack, text))
    }

    /// An ACK that comes to host `h`: of the oldest packet of its pair that has none, or of a later one where ACKs are lost.
    fn answer(&mut self, h: usize) -> Result<(), Finding> {
        if !acks::acknowledges(self.case, h) {
            return Ok(());
        }
        let host = &self.hosts[h];
        let (rx, from, up) = (host.pins.rx, host.pins.rx_data, host.pins.link_up);
        let input = &self.world.host(h).input;
        let mut flit = vec![0; 4 + HEADER_WORDS];
        for (at, word) in rx.into_iter().zip(&mut flit) {
            *word = input[at];
        }
        flit[4..].copy_from_slice(&input[from..from + HEADER_WORDS]);
        if input[up] == 0 || !is_ack(&flit) {
            return Ok(());
        }
        let bytes: Vec<u8> = flit[4..].iter().flat_map(|w| w.to_le_bytes()).collect();
        let two = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let (lid, psn) = (two(6), u32::from_be_bytes([0, bytes[17], bytes[18], bytes[19]]));
        let to = self.case.host.iter().position(|x| x.lid == lid);
        let pair = to.and_then(|to| self.pair_of[h][to]).filter(|_| two(2) == self.case.host[h].lid);
        let Some(i) = pair else {
            let text = format!("at h{h}: an ACK from LID {lid} for LID {}, which sends it nothing", two(2));
            return Err(self.finding(FaultKind::Ack, text));
        };
        self.stats.acks += 1;
        self.becns += u64::from(bytes[12] >> 6 & 1);
        let sound = self.is_sound();
        let flow = &mut self.flows[i];
        if !flow.answered {
            return Ok(());
        }
        let at = flow.unanswered.iter().position(|x| *x == psn);
        let first = flow.unanswered.front().copied();
        match at {
            // Of packets, or ACKs, that overtake each other each packet has its own.
            Some(n) if !flow.answered_in_order => {
                flow.unanswered.remove(n);
                Ok(())
            }
            Some(n) if n == 0 || !sound => {
                flow.unanswered.drain(..=n);
                Ok(())
            }
            _ => {
                let name = self.pair_name(i);
                Err(self.finding(
                    FaultKind::Ack,
                    format!("at h{h}: an ACK of packet {psn} of {name}, the oldest without one is {first:?}"),
                ))
            }
        }
    }

    /// Posts the packet of one of the host's pairs, if one is due.
    fn post(&mut self, h: usize) {
        let host = &mut self.hosts[h];
        let node = self.world.host(h);
        let at = host.pins.gen_valid;
        node.input[at..at + 5].fill(0);
        if !self.posting || !node.is_ready() {
            return;
        }
        for k in 0..host.pairs.len() {
            let turn = (host.turn + k) % host.pairs.len();
            let i = host.pairs[turn];
            let (pair, flow) = (&self.case.pair[i], &mut self.flows[i]);
            let full = node.output[host.pins.gen_full + flow.flow as usize / 32] >> (flow.flow % 32) & 1 != 0;
            let under_way = if flow.held { flow.way.len() } else { flow.due_to_arrive().count() };
            if flow.due > self.t || under_way >= pair.window as usize || flow.posts >= pair.count || full {
                continue;
            }
            let len = pair.lengths[(flow.posts % pair.lengths.len() as u64) as usize];
            let turn_of = |n: usize| (flow.posts % n.max(1) as u64) as usize;
            let pkts = pair.packets.get(turn_of(pair.packets.len())).copied().unwrap_or(1);
            if under_way == 0 {
                flow.since = self.t;
                (flow.ahead, flow.booked) = (self.under_way, self.booked);
            }
            flow.posts += 1;
            flow.due = self.t + pair.gap;
            host.turn = turn + 1;
            self.message(h, i, pkts, len);
            return;
        }
    }

    /// Host `h` posts a message of pair `i`: packets, flits of the last one.
    fn message(&mut self, h: usize, i: usize, pkts: u16, last: u8) {
        let (case, flow) = (self.case, &mut self.flows[i]);
        let at = self.hosts[h].pins.gen_valid;
        let node = self.world.host(h);
        let reserves = node.params.srp;
        let words = [1, flow.flow, last.into(), flow.next_psn, if reserves { pkts.into() } else { 0 }];
        node.input[at..at + 5].copy_from_slice(&words);
        for n in 0..pkts {
            let len = if n + 1 == pkts { last } else { node.params.mtu as u8 };
            let sent = Sent::new(flow.next_psn, len, self.t);
            flow.way.push_back(Sent { exposed: flow.held, place: (n, pkts - 1 - n), ..sent });
            flow.next_psn = (flow.next_psn + 1) & 0xff_ffff;
            self.under_way += u64::from(!flow.held);
            if reserves {
                self.booked += 1 + booking::booked(case, case.pair[i].to, len.into());
            }
        }
        if self.t <= self.bounds.healed {
            self.booked_healed = self.booked;
        }
    }

    /// Host `h` takes the flit that its adapter shows.
    fn receive(&mut self, h: usize) -> Result<(), Finding> {
        let at = &self.hosts[h].pins;
        let (valid, from) = (at.host_valid, at.host_data);
        let out = &self.world.host(h).output;
        let [first, last, bad] = [out[valid + 1], out[valid + 2], out[valid + 3]].map(|w| w != 0);
        let data: Vec<u32> = out[from..from + self.flit_words].to_vec();
        let wrong =
            |run: &Self, text: String| Err(run.finding(FaultKind::Packet, format!("at h{h}: {text}")));
        // The rest of a cut packet; one that is not finished since its end was lost.
        if self.hosts[h].eats && !first {
            self.hosts[h].eats = !last;
            return Ok(());
        }
        self.hosts[h].eats = false;
        if first && self.hosts[h].open.is_some_and(|o| self.flows[o.pair].is_exposed(o.psn)) {
            self.hosts[h].open = None;
        }
        let open = match (self.hosts[h].open, first) {
            (None, true) => match self.header(h, &data) {
                Ok(open) => open,
                Err(text) => return wrong(self, text),
            },
            (Some(open), false) => open,
            (None, false) => return wrong(self, "a flit that follows no first one".into()),
            (Some(o), true) => {
                return wrong(
                    self,
                    format!(
                        "a new packet after {} of {} flits from {}",
                        o.index,
                        o.len,
                        self.pair_name(o.pair)
                    ),
                );
            }
        };
        let what = |run: &Self| {
            format!(
                "flit {} of {} of packet {} from {}",
                open.index,
                open.len,
                open.psn,
                run.pair_name(open.pair)
            )
        };
        if bad && self.flows[open.pair].is_exposed(open.psn) {
            (self.hosts[h].open, self.hosts[h].eats) = (None, !last);
            return Ok(());
        }
        if bad {
            return wrong(self, format!("{} is marked as damaged", what(self)));
        }
        let src = self.case.pair[open.pair].from;
        let skip = match open.opcode {
            _ if !first => 0,
            DATA => HEADER_WORDS,
            _ => RESERVED_WORDS,
        };
        if (skip..self.flit_words).any(|w| data[w] != payload(src, h, open.psn, open.index, w)) {
            return wrong(self, format!("{} has another payload", what(self)));
        }
        if last != (open.index + 1 == open.len) {
            return wrong(
                self,
                format!("{} {} the packet", what(self), if last { "ends" } else { "does not end" }),
            );
        }
        self.hosts[h].open = (!last).then_some(Open { index: open.index + 1, ..open });
        if last { self.delivered(open) } else { Ok(()) }
    }

    /// Reads the header of a first flit; what is wrong with it.
    fn header(&self, h: usize, data: &[u32]) -> Result<Open, String> {
        let bytes: Vec<u8> = data[..HEADER_WORDS].iter().flat_map(|w| w.to_le_bytes()).collect();
        let two = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let slid = two(6);
        let src = self.case.host.iter().position(|x| x.lid == slid);
        let Some(pair) = src.and_then(|s| self.pair_of[s][h]) else {
            return Err(format!("a packet from LID {slid}, which sends none to it"));
        };
        let words = two(4) & 0x7ff;
        let psn = u32::from_be_bytes([0, bytes[17], bytes[18], bytes[19]]);
        let (len, sl) = ((words / 16) as u8, bytes[1] >> 4);
        let flow = &self.flows[pair];
        let p = &self.world.nodes[0].params;
        let wanted_vl = self.case.lane(p, h, sl) as u8;
        // Everything that may not change: byte 12 has the marks, VB only beside MB.
        let mut wanted = [0u8; 20];
        wanted[0] = wanted_vl << 4;
        wanted[1] = sl << 4 | 2;
        wanted[2..4].copy_from_slice(&self.case.host[h].lid.to_be_bytes());
        wanted[4..6].copy_from_slice(&(u16::from(len) * 16).to_be_bytes());
        wanted[6..8].copy_from_slice(&slid.to_be_bytes());
        wanted[8] = self.kind_of(h, pair, data, &mut wanted[0])?;
        wanted[10..12].copy_from_slice(&[0xff, 0xff]);
        wanted[12..16].copy_from_slice(&flow.flow.to_be_bytes());
        let marks = bytes[12] & self.marks;
        wanted[12] = if marks & VB == 0 || marks & MB != 0 { marks } else { 0 };
        wanted[16..20].copy_from_slice(&psn.to_be_bytes());
        if p.vls > 16 {
            wanted[0] = bytes[0];
        }
        if !flow.any_sl && sl != self.case.pair[pair].sl || wanted[..] != bytes[..] {
            return Err(format!("a header from {} that was not sent: {bytes:02x?}", self.pair_name(pair)));
        }
        Ok(Open { pair, psn, len, index: 0, opcode: bytes[8] })
    }

    /// A whole packet has arrived.
    fn delivered(&mut self, open: Open) -> Result<(), Finding> {
        let t = self.t;
        let name = self.pair_name(open.pair);
        let flow = &mut self.flows[open.pair];
        while flow.ordered && flow.way.front().is_some_and(|s| s.exposed && s.psn != open.psn) {
            flow.way.pop_front();
            self.lost += 1;
        }
        let next = if flow.ordered {
            0
        } else {
            flow.way.iter().position(|s| s.psn == open.psn).unwrap_or(usize::MAX)
        };
        let first = flow.way.remove(next);
        self.under_way -= u64::from(first.is_some_and(|s| !s.exposed));
        match first {
            Some(s) if (s.psn, s.len) == (open.psn, open.len) => {}
            None if flow.loose => return Ok(()),
            Some(s) => {
                let text = format!(
                    "{name}: packet {} of {} flits, expected was {} of {}",
                    open.psn, open.len, s.psn, s.len
                );
                return Err(self.finding(FaultKind::Order, text));
            }
            None => {
                return Err(self
                    .finding(FaultKind::Order, format!("{name}: packet {} was delivered before", open.psn)));
            }
        }
        self.stats.packets += 1;
        flow.delivered += 1;
        (flow.ahead, flow.booked) = (self.under_way, self.booked);
        flow.since = t;
        self.last_delivery = self.last_delivery.max(t);
        Ok(())
    }

    /// How long pair `i` waits, not counting what is before everything has healed.
    fn waits(&self, i: usize) -> u64 {
        let flow = &self.flows[i];
        let Some(first) = flow.due_to_arrive().next() else { return 0 };
        self.t.saturating_sub(flow.since.max(first.posted).max(self.bounds.healed))
    }

    /// A pair that waits longer than it may.
    fn progress(&self) -> Result<(), Finding> {
        for i in 0..self.flows.len() {
            let (wait, bound) = (self.waits(i), self.bound(i));
            if bound <= LONGEST_WAIT && wait > bound {
                let sent: u64 = self.flows.iter().map(|f| f.delivered).sum();
                let text = format!(
                    "{} got nothing for {wait} cycles (bound {bound}), {} packets before; all pairs {sent}",
                    self.pair_name(i),
                    self.flows[i].delivered
                );
                return Err(self.finding(FaultKind::Progress, text));
            }
        }
        Ok(())
    }

    /// Pairs that wait long when the time of the run is over are watched until they get something, or have waited too long.
    fn watch_suspects(&mut self) -> Result<(), Finding> {
        let long = |run: &Self, i: usize| {
            run.waits(i) > run.bounds.suspect().min(run.case.cycles / 3) && run.bound(i) <= LONGEST_WAIT
        };
        let mut suspects: Vec<(usize, u64)> =
            (0..self.flows.len()).filter(|i| long(self, *i)).map(|i| (i, self.flows[i].delivered)).collect();
        self.stats.suspects = suspects.len() as u64;
        while !suspects.is_empty() {
            self.cycle()?;
            if self.t.is_multiple_of(64) {
                self.progress()?;
                suspects.retain(|(i, n)| self.flows[*i].delivered == *n && !self.flows[*i].held);
            }
        }
        Ok(())
    }

    /// Who waits when nothing moves any more.
    fn stuck(&self) -> Finding {
        let waiting: Vec<String> = (0..self.flows.len())
            .filter(|i| self.flows[*i].due_to_arrive().next().is_some())
            .map(|i| format!("{} ({})", self.pair_name(i), self.flows[i].way.len()))
            .collect();
        let text = format!(
            "nothing was delivered for {} cycles; packets left: {}",
            self.silence(),
            waiting.join(", ")
        );
        self.finding(FaultKind::Stuck, text)
    }

    /// Sticky errors. UNDERRUN (bit 7 of an input port) is a gap on a slow link and no damage.
    fn errors(&self) -> Result<(), Finding> {
        let damaged = self.case.link.iter().any(|l| l.eats.is_some_and(|e| e.damage > 0));
        for n in &self.world.nodes {
            let names: &[&str] = if n.kind == UnitKind::Switch {
                &["err_in", "err_out"]
            } else {
                &["err", "err_in", "err_out", "err_thr"]
            };
            let response = n.kind == UnitKind::Hca && n.params.response;
            // Lost and late ACKs are told.
            let late = response && !self.is_sound();
            let invalid = response && acks::may_be_invalid(self.case, n.number);
            for name in names {
                for (port, word) in n.words(Group::Output, name).iter().enumerate() {
                    // A reset cuts packets, which go on as damaged.
                    let legal = match *name {
                        "err_thr" => (u32::from(late) * 0b1100) | (u32::from(invalid) << 4),
                        "err_in" if self.resets > 0 => 1 << 7 | 1 << 5 | 1 << 9,
                        "err_in" => 1 << 7 | u32::from(damaged) << 5,
                        "err_out" if self.resets > 0 => 1 << 3,
                        "err" if self.resets > 0 => 1 << 7 | 1 << 8 | 1 << 9,
                        "err" if damaged => 1 << 7 | 1 << 9,
                        _ => 0,
                    };
                    let bits = word & !legal;
                    if bits != 0 {
                        return Err(self
                            .finding(FaultKind::Error, format!("{} {name}[{port}] = {bits:#x}", n.name())));
                    }
                }
            }
        }
        Ok(())
    }

    /// A link that was unplugged has lost what was on it, and no more.
    fn count_lost(&mut self) -> Result<(), Finding> {
        for host in &mut self.hosts {
            if host.open.is_some_and(|o| self.flows[o.pair].is_exposed(o.psn)) {
                host.open = None;
            }
        }
        for flow in &mut self.flows {
            self.lost += flow.way.len() as u64;
            flow.way.clear();
        }
        let most = self.case.reset.iter().map(|r| match self.case.reset_of(r) {
            Ok(Of::Link(l)) => {
                let link = &self.case.link[l];
                let queued = [link.a, link.b].into_iter().map(|end| match end {
                    End::Switch(s, _) => {
                        let p = &self.world.nodes[s].params;
                        if p.cioq { p.oblocks as u64 } else { 0 }
                    }
                    End::Host(_) => 0,
                });
                link.delay.iter().map(|d| u64::from(*d) + 4).chain(queued).sum()
            }
            _ => u64::MAX / 64,
        });
        let most: u64 = most.sum();
        if self.lost > most && !self.case.reserves() {
            let text =
                format!("{} packets were lost, {most} at most were on links that were unplugged", self.lost);
            return Err(self.finding(FaultKind::Order, text));
        }
        Ok(())
    }

    /// Waits until the network is empty, all lines are free and all credits are home.
    fn settle(&mut self) -> Result<(), Finding> {
        let settle = self.bounds.settle + 2 * self.booked;
        let end = self.t.max(self.bounds.healed) + settle;
        loop {
            let left = self.left();
            if left.is_none() {
                break;
            }
            if self.t > end {
                return Err(self.finding(
                    FaultKind::Line,
                    format!("{settle} cycles after the last packet {}", left.unwrap_or_default()),
                ));
            }
            for _ in 0..32 {
                self.cycle()?;
            }
        }
        self.credits(end)
    }

    /// Something that is not empty or free.
    fn left(&mut self) -> Option<String> {
        const ALL: &[&str] = &["st_used", "st_cpq_fill", "st_hpq_fill", "st_line_state", "st_ol_valid"];
        const SWITCH: &[&str] = &["st_ofill"];
        const ADAPTER: &[&str] = &["st_gen_pkts", "st_sending", "st_cnp_pkts", "st_rx_used", "st_out"];
        self.world.look();
        for n in &self.world.nodes {
            let own = if n.kind == UnitKind::Hca { ADAPTER } else { SWITCH };
            // Without windows nobody waits for an ACK that was lost, and IRDMAX may be longer than any run.
            let waits =
                |h: usize| n.params.ts_w <= acks::LONGEST_TS_W || self.sound.is_some() && !self.unheard(h);
            let skip = |name: &str| name == "st_out" && !(n.params.response && waits(n.number));
            for name in ALL.iter().chain(own).filter(|name| !skip(name)) {
                if let Some((i, v)) = n.words(Group::State, name).iter().enumerate().find(|(_, v)| **v != 0) {
                    return Some(format!("{} {name}[{i}] is {v}", n.name()));
                }
            }
            if let Some(left) = self.left_of_reservations(n) {
                return Some(left);
            }
        }
        None
    }

    /// Whether host `h` sends to one that does not acknowledge.
    fn unheard(&self, h: usize) -> bool {
        self.case.pair.iter().any(|p| p.from == h && !acks::acknowledges(self.case, p.to))
    }

    /// As many ACKs as packets of data, and as many came home as went out. One may still be on a slow link or in a slow crossbar.
    fn acks(&mut self) -> Result<(), Finding> {
        if self.resets > 0 {
            return Ok(());
        }
        let end = self.t + self.bounds.packet * self.bounds.hops;
        loop {
            match self.acks_by_now() {
                Err(_) if self.t < end => self.cycle()?,
                said => return said,
            }
        }
    }

    fn acks_by_now(&mut self) -> Result<(), Finding> {
        self.world.look();
        let switches = self.world.switches();
        let words =
            |h: usize, name: &str| u64::from(self.world.nodes[switches + h].words(Group::State, name)[0]);
        let most = |h: usize| u64::from(self.world.nodes[switches + h].params.cnt_max());
        let (mut out, mut home, mut full) = (0, 0, false);
        for h in 0..self.hosts.len() {
            if !acks::acknowledges(self.case, h) {
                continue;
            }
            let (queued, lost) = (words(h, "st_cnt_ack"), words(h, "st_cnt_ack_lost"));
            let got: u64 = (0..self.flows.len())
                .filter(|i| self.case.pair[*i].to == h)
                .map(|i| self.flows[i].delivered)
                .sum();
            let came = words(h, "st_cnt_ack_in");
            full |= [queued, came].contains(&most(h));
            (out, home) = (out + queued, home + came);
            if queued < most(h) && lost < 0xffff && queued + lost != got {
                let text = format!("h{h} got {got} packets; {queued} ACKs were queued, {lost} lost");
                return Err(self.finding(FaultKind::Ack, text));
            }
            if lost > 0 && self.is_sound() {
                let text = format!(
                    "h{h} lost {lost} ACKs, though its FIFOs hold all that its senders' windows let out"
                );
                return Err(self.finding(FaultKind::Ack, text));
            }
        }
        let eaten = self.case.link.iter().any(|l| l.eats.is_some());
        if full || home == out || eaten && home < out {
            return Ok(());
        }
        Err(self.finding(FaultKind::Ack, format!("{out} ACKs were queued, {home} came home")))
    }

    /// At the end every flow of a source response goes on, whatever was lost: a packet, and one behind it.
    fn windows(&mut self) -> Result<(), Finding> {
        for i in 0..self.flows.len() {
            let src = self.case.pair[i].from;
            let p = self.world.host(src).params;
            if !p.response {
                continue;
            }
            let hold = acks::hold(self.case, src, &p);
            // Of the first packet the delay of one before it, of the second its own, and the way of an ACK.
            let bound = 2 * (hold + self.bounds.reopens) + 2 * self.bounds.hops * self.bounds.packet;
            let bound = bound + 4 * p.flows as u64 + 256;
            if bound > LONGEST_WAIT {
                continue;
            }
            self.hosts[src].fetches.clear();
            let (mut posted, start) = (0u64, self.t);
            while self.under_way > 0 || posted < 2 {
                if posted < 2 {
                    posted += u64::from(self.probe_cycle(src, i, 1)?);
                } else {
                    self.cycle()?;
                }
                if self.t > start + bound {
                    let text = format!(
                        "{} has delivered {} of 2 packets in {bound} cycles after the traffic",
                        self.pair_name(i),
                        posted - self.under_way.min(posted)
                    );
                    return Err(self.finding(FaultKind::Throttle, text));
                }
            }
        }
        Ok(())
    }

    /// Every sender of an empty network must have heard of credit for a whole buffer, and every receiver of what was sent.
    fn credits(&mut self, end: u64) -> Result<(), Finding> {
        let vls = self.world.nodes[0].params.vls;
        // Receiver, its port and what it can hold; of each (receiver, VL) the last limit seen and the last flits counted.
        let links: Vec<(usize, usize, usize, Vec<usize>)> = self.links();
        let mut seen = vec![[None::<u32>; 2]; links.len() * vls];
        loop {
            let txr = |run: &Self, node: usize, port: usize, v: usize| {
                run.world.nodes[node].words(Group::State, "st_txr")[port * vls + v]
            };
            self.world.look();
            let open = links.iter().enumerate().find_map(|(k, (sender, port, line, caps))| {
                (0..vls).find_map(|v| {
                    let (sender, line) = (*sender, *line);
                    let sent = txr(self, sender, *port, v);
                    let wanted = [Some((sent + caps[v].min(2048) as u32) & 0xfff), Some(sent)];
                    (seen[k * vls + v] != wanted).then_some((sender, line, v, sent, seen[k * vls + v]))
                })
            });
            let Some((sender, _, v, sent, got)) = open else { return Ok(()) };
            if self.t > end + self.bounds.settle {
                let name = self.world.nodes[sender].name();
                return Err(self.finding(
                    FaultKind::Credit,
                    format!("sender {name} VL {v} granted {sent}, limit and flits seen on its link: {got:?}"),
                ));
            }
            for _ in 0..32 {
                self.cycle()?;
                for (k, (_, _, line, _)) in links.iter().enumerate() {
                    let line = *line;
                    let (down, up) = (self.world.control(line), self.world.control(line ^ 1));
                    for (i, credit) in
                        [Control::unpack(up).fccl, Control::unpack(down).fctbs].into_iter().enumerate()
                    {
                        if let Some(c) = credit
                            && let Some(s) = seen.get_mut(k * vls + c.vl as usize)
                        {
                            s[i] = Some(c.blocks);
                        }
                    }
                }
            }
        }
    }

    /// Of each direction of each link: sender, its port, the line, and blocks of each VL at the receiver.
    fn links(&self) -> Vec<(usize, usize, usize, Vec<usize>)> {
        let nodes = &self.world.nodes;
        let mut all = Vec::new();
        for (sender, n) in nodes.iter().enumerate() {
            for p in &n.ports {
                let Some(to) = nodes.iter().find(|m| m.ports.iter().any(|q| q.rx == p.tx)) else { continue };
                let q = &to.params;
                let cap = |v| if to.kind == UnitKind::Switch { q.cap(v) } else { q.rx_cap(v) };
                all.push((sender, p.port, p.tx, (0..q.vls).map(cap).collect()));
            }
        }
        all
    }

    /// Every CNP that was queued was received.
    fn notifications(&mut self) -> Result<(), Finding> {
        if self.resets > 0 {
            return Ok(()); // some were lost, and counters were reset
        }
        self.world.look();
        let adapters = || self.world.nodes.iter().filter(|n| n.kind == UnitKind::Hca);
        let sum = |name: &str| adapters().map(|n| u64::from(n.words(Group::State, name)[0])).sum::<u64>();
        let full = adapters().any(|n| {
            ["st_cnt_cnp", "st_cnt_becn"].iter().any(|s| n.words(Group::State, s)[0] == n.params.cnt_max())
        });
        let (sent, received) = (sum("st_cnt_cnp"), sum("st_cnt_becn").saturating_sub(self.becns));
        // Where CNPs wait in the generation queues, those are lost that find no room there after they were queued.
        let queued = self.case.host.iter().any(|h| h.registers.get("hca.CTRL").is_some_and(|c| c & 2 != 0));
        let lost = if queued { sum("st_cnt_cnp_lost") } else { 0 };
        if full || sent >= received && sent - received <= lost {
            return Ok(());
        }
        Err(self.finding(FaultKind::Cnp, format!("{sent} CNPs were queued, {received} received")))
    }

    /// After the time that indices need to come down every flow injects two packets as fast as an unthrottled one.
    fn throttling(&mut self) -> Result<(), Finding> {
        let Some(decay) = self.bounds.decay.filter(|d| *d > 0) else { return Ok(()) };
        self.stats.throttle = true;
        // No marks from here on: the probes must not be told that there is congestion.
        let fill_level = addr(UnitKind::InputPort, "FILL_LEVEL");
        for n in &mut self.world.nodes {
            let ports = if n.kind == UnitKind::Switch { n.params.ports } else { 1 };
            n.writes.extend((0..ports).map(|p| Write::Register(1, p as u8, 0, 0)));
            n.writes.extend((0..ports).map(|p| Write::Register(0, p as u8, fill_level, 0xffff)));
        }
        for _ in 0..decay {
            self.cycle()?;
        }
        for i in 0..self.flows.len() {
            self.probe(i)?;
        }
        Ok(())
    }

    /// Posts two packets of a flit and looks at the time between them.
    fn probe(&mut self, i: usize) -> Result<(), Finding> {
        let src = self.case.pair[i].from;
        let host = &self.case.host[src];
        let node = self.world.host(src);
        let (p, vls) = (node.params, node.params.vls);
        // Where a packet does not fit beside a flit the second waits for the first one's credit.
        if p.blocks / vls <= p.mtu
            || self.case.host[src].registers.get("throttle.CTRL").is_none_or(|c| c & 1 == 0)
        {
            return Ok(());
        }
        let min = host.registers.get("throttle.CCTI_MIN").copied().unwrap_or(0) as usize;
        let interval = host.registers.get("throttle.LINK_INTERVAL").copied();
        let entries = host.cct.iter().take(min + 1);
        let idle = entries.map(|e| super::bounds::idle_time(&p, &host.registers, *e)).max().unwrap_or(0);
        // The credits of the probe before, perhaps of the same lane, come home first.
        for _ in 0..self.bounds.home {
            self.cycle()?;
        }
        self.hosts[src].fetches.clear();
        let (mut posted, start) = (0u64, self.t);
        let slow = p.mtu as u64 * u64::from(interval.unwrap_or(1).max(1));
        let bound = idle + slow + 2 * host.give.gap() + 2 * self.case.pair.len() as u64 + 64;
        while self.under_way > 0 || posted < 2 {
            if posted < 2 {
                posted += u64::from(self.probe_cycle(src, i, 1)?);
            } else {
                self.cycle()?;
            }
            if self.t > start + self.silence() + bound {
                return Err(self.stuck());
            }
        }
        let fetches = &self.hosts[src].fetches;
        let between = fetches[1].0 - fetches[0].1;
        if fetches.len() != 2 || between > bound {
            let text = format!(
                "{} injects a packet {between} cycles after another, {bound} at most are expected with its index at the minimum",
                self.pair_name(i)
            );
            return Err(self.finding(FaultKind::Throttle, text));
        }
        Ok(())
    }

    /// A cycle in which host `src` posts a message of pair `i`, if the adapter takes one.
    fn probe_cycle(&mut self, src: usize, i: usize, pkts: u16) -> Result<bool, Finding> {
        self.world.exchange(self.t);
        self.eaten();
        for h in 0..self.hosts.len() {
            self.drive(h)?;
        }
        let full = self.hosts[src].pins.gen_full;
        let (node, flow) = (self.world.host(src), &self.flows[i]);
        let takes = node.output[full + flow.flow as usize / 32] >> (flow.flow % 32) & 1 == 0;
        if takes {
            self.message(src, i, pkts, 1);
        }
        self.world.edge(self.t)?;
        self.t += 1;
        Ok(takes)
    }
}

mod speculation;
#[cfg(test)]
mod tests;
