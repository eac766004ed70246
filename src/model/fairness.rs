//! Rules A3, H8 where a line is stopped and let go: all sources of its tree that are alike get alike, whatever the windows and
//! periods of the stops and whatever else goes out beside them.

use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::bench::Bench;
use super::header::{Bth, Header, OPCODE_CNP};
use super::link::{Control, Credit, MAX_DLIST, Message};
use crate::extent::pick;
use crate::params::{Params, UnitKind, builds};

use std::collections::VecDeque;

const ALLOC: u32 = 0;
const DEALLOC: u32 = 1;
const STOP: u32 = 2;
const GO: u32 = 3;
/// The tree's first destinations; in the switch another one behind the same output is not in it.
const TREE: u16 = 3;
const OTHER: u16 = 4;
const FREE: u16 = 7;
/// Cycles from a grant to the first flit on the link; and in which an input has heard of a line and asks with what is due then.
const FROM_GRANT_TO_LINK: usize = 3;
const TOLD: u32 = 8;
/// Flits of a packet.
const LEN: u32 = 4;
/// Cycles of a run, and those before anything is counted.
const CYCLES: u32 = 1_200;
const WARM_UP: u32 = 400;

/// How long a line is open and shut. The one who stops it has been filled by the packets of its tree, so a window ends some cycles
/// after so many of them have begun; it opens after so many cycles.
#[derive(Clone, Copy, Debug)]
struct Windows {
    packets: u32,
    after: u32,
    shut: u32,
    /// The three are the most, and every window draws its own.
    seed: Option<u64>,
}

impl Windows {
    /// All windows of 1 to 3 packets, with gaps of every phase (in short of every third), and random ones.
    fn all() -> Vec<Windows> {
        let constant = (1..=3).flat_map(|packets| {
            (0..=6).step_by(2).flat_map(move |after| {
                (1..=5 * LEN).step_by(pick(3, 1)).map(move |shut| Windows {
                    packets,
                    after,
                    shut,
                    seed: None,
                })
            })
        });
        let random = (0..24).step_by(pick(3, 1)).map(|seed| {
            let (packets, shut) = (1 + seed as u32 % 3, LEN * (1 + seed as u32 / 3));
            Windows { packets, after: 6, shut, seed: Some(seed) }
        });
        constant.chain(random).collect()
    }

    /// The message of a cycle, from what it is and from whether a packet of the tree began in the last one.
    fn messages(self) -> impl FnMut(u32, bool) -> Option<(u32, bool)> {
        let mut rng = self.seed.map(SmallRng::seed_from_u64);
        let mut draw = move |low: u32, most: u32| rng.as_mut().map_or(most, |r| r.random_range(low..=most));
        let (mut open, mut left, mut due) = (false, 0, Some(40));
        move |t, began| {
            if open && began && left > 0 {
                left -= 1;
                due = (left == 0).then(|| t + draw(0, self.after));
            }
            if due != Some(t) {
                return None;
            }
            open = !open;
            (left, due) =
                if open { (draw(1, self.packets), None) } else { (0, Some(t + draw(1, self.shut))) };
            Some((if open { GO } else { STOP }, false))
        }
    }
}

/// A tree that dies after each go: the hot queue behind the link runs empty, and a packet that comes brings it back, so many cycles
/// after it began. It is announced stopped, or the next packet stops it.
#[derive(Clone, Copy, Debug)]
struct Deaths {
    at_once: bool,
    after: u32,
    shut: u32,
    /// From go to end.
    life: u32,
}

impl Deaths {
    fn all() -> Vec<Deaths> {
        let of = |at_once: bool| {
            (0..=6).step_by(3).flat_map(move |after| {
                (1..=3 * LEN)
                    .step_by(pick(5, 2))
                    .flat_map(move |shut| (1..=5).map(move |life| Deaths { at_once, after, shut, life }))
            })
        };
        [true, false].into_iter().flat_map(of).collect()
    }

    /// As [`Windows::messages`].
    fn messages(self) -> impl FnMut(u32, bool) -> Option<(u32, bool)> {
        let mut due = VecDeque::from([(40, (GO, false)), (40 + self.life, (DEALLOC, false))]);
        let mut announced = false;
        move |t, began| {
            if began && due.is_empty() {
                let at = t + self.after;
                let first = if announced { (STOP, false) } else { (ALLOC, self.at_once) };
                due.push_back((at, first));
                announced = first == (ALLOC, false);
                if !announced {
                    let go = at + self.shut;
                    due.extend([(go, (GO, false)), (go + self.life, (DEALLOC, false))]);
                }
            }
            due.pop_front_if(|d| d.0 <= t).map(|d| d.1)
        }
    }
}

/// A message of line `line`, whose tree has these destinations; kind, and whether an ALLOC says stop.
fn message((kind, stop): (u32, bool), line: u32, dlids: &[u16]) -> Message {
    let mut m = Message { kind, line, ..Message::default() };
    if kind == ALLOC {
        (m.root, m.hops, m.stop, m.dcnt) = (0x0001_0305 + line, 1, stop, dlids.len() as u32);
        let mut dlist = [0; MAX_DLIST];
        dlist[..dlids.len()].copy_from_slice(dlids);
        m.dlist = dlist;
    }
    m
}

/// The worst of some like sources gets a third at least of an equal share.
fn is_fair(counts: &[u32]) -> bool {
    let (worst, all) = (counts.iter().min().unwrap(), counts.iter().sum::<u32>());
    3 * counts.len() as u32 * worst >= all && all > 0
}

/// A host at an input: what it sends (destinations and lengths), its credits, the packet under way, and what is stopped.
#[derive(Clone, Default)]
struct Sender {
    kinds: Vec<(u16, u32)>,
    /// Destinations to which it sends CNPs.
    cnps: Vec<u16>,
    /// Credit that it waits for, at least.
    least: u32,
    /// Of two VLs the one of [`OTHER`].
    other_vl: usize,
    /// Of each VL.
    fccl: [u32; 2],
    sent: [u32; 2],
    /// Destination, length, flits sent.
    packet: Option<(u16, u32, u32)>,
    turn: usize,
    /// Destinations of each line of the input, and whether they are stopped.
    lines: [(Vec<u16>, bool); 5],
}

impl Sender {
    fn is_stopped(&self, dlid: u16) -> bool {
        self.lines.iter().any(|(dlids, stop)| *stop && dlids.contains(&dlid))
    }

    fn vl(&self, dlid: u16) -> usize {
        if dlid == OTHER { self.other_vl } else { 0 }
    }

    /// A packet may begin.
    fn goes(&self, (dlid, len): (u16, u32)) -> bool {
        let vl = self.vl(dlid);
        let fits = self.fccl[vl].wrapping_sub(self.sent[vl] + len.max(self.least)) & 0xfff <= 2048;
        fits && !self.is_stopped(dlid)
    }

    /// The flit of this cycle, into input `i` of a switch.
    fn send(&mut self, b: &mut Bench, flit_bytes: usize, i: usize) {
        if self.packet.is_none() && !self.kinds.is_empty() {
            let n = self.kinds.len();
            let mut next = (0..n).map(|k| (self.turn + k) % n);
            if let Some(k) = next.find(|&k| self.goes(self.kinds[k])) {
                let (dlid, len) = self.kinds[k];
                self.packet = Some((dlid, len, 0));
                self.turn = (k + 1) % n;
                self.sent[self.vl(dlid)] += len;
            }
        }
        let Some((dlid, len, at)) = self.packet else { return };
        let mut words = vec![0u32; flit_bytes / 4];
        if at == 0 {
            let opcode = if self.cnps.contains(&dlid) { OPCODE_CNP } else { 0 };
            let bth = Some(Bth { opcode, ..Bth::default() });
            let (pkt_len, slid, vl) = (16 * len as u16, i as u16, self.vl(dlid) as u8);
            Header { vl, lnh: 2, dlid, slid, pkt_len, bth, ..Header::default() }.write(&mut words);
        }
        self.packet = (at + 1 < len).then_some((dlid, len, at + 1));
        b.set("rx_valid", i, 1).set("rx_first", i, u32::from(at == 0));
        b.set("rx_last", i, u32::from(at + 1 == len)).set_element("rx_data", i, &words);
    }

    /// The control word of this cycle.
    fn hear_all(&mut self, c: &Control) {
        if let Some(c) = c.fccl {
            self.fccl[c.vl as usize] = c.blocks;
        }
        c.message.iter().for_each(|m| self.hear(m));
    }

    /// What the input's hot queues say.
    fn hear(&mut self, m: &Message) {
        let line = &mut self.lines[m.line as usize];
        match m.kind {
            ALLOC => *line = (m.dlist[..m.dcnt as usize].to_vec(), m.stop),
            DEALLOC => *line = Default::default(),
            kind => line.1 = kind == STOP,
        }
    }
}

/// A switch: senders, and the output behind them, whose lines are stopped and let go.
struct Net {
    b: Bench,
    p: Params,
    out: usize,
    senders: Vec<Sender>,
    /// Packets of trees by sender; and those to the second destination.
    counts: Vec<u32>,
    of_other: Vec<u32>,
}

impl Net {
    fn new(one_queue: bool, isolates: bool, kinds: [&'static [u16]; 3]) -> Net {
        let of = |kinds: &[u16]| kinds.iter().map(|&dlid| (dlid, LEN)).collect();
        Net::of(one_queue, isolates, kinds.map(of).to_vec(), (1, LEN))
    }

    /// The same with these lengths of packets, so many VLs, and this MTU.
    fn of(one_queue: bool, isolates: bool, kinds: Vec<Vec<(u16, u32)>>, (vls, mtu): (usize, u32)) -> Net {
        let out = kinds.len();
        let p = Params {
            ports: out + 1,
            vls,
            mtu: mtu as usize,
            blocks: 16 * mtu as usize * vls,
            hpqs: 2,
            lines: 5,
            dlist: 3,
            lft_depth: 8,
            flit_bytes: 32,
            timer_w: 16,
            one_queue,
            iterations: 2,
            ..Params::default()
        };
        p.check().unwrap();
        let mut b = Bench::new(UnitKind::Switch, &p);
        while b.cycle().get("ready", 0) == 0 {}
        for dlid in TREE..=FREE {
            b.set("lft_we", 0, 1).set("lft_addr", 0, dlid.into()).set("lft_port", 0, out as u32).cycle();
        }
        let low = [(0, u32::from(isolates)), (1, 3 * mtu), (2, mtu), (4, 1), (13, 0xffff)];
        for (unit, addr, data) in low.map(|(a, x)| (0, a, x)).into_iter().chain([(1, 0, 2), (1, 6, 1)]) {
            b.set("cfg_unit", 0, unit).set("cfg_port", 0, 255).config(addr, data);
        }
        let of = |kinds| Sender { kinds, least: mtu, other_vl: vls - 1, ..Sender::default() };
        let senders = kinds.into_iter().map(of).collect();
        Net { b, p, out, senders, counts: vec![0; out], of_other: vec![0; out] }
    }

    /// One cycle with this message at the output; destination and sender of a packet that began to leave there.
    fn cycle(&mut self, message: Option<Message>, counts: bool) -> Option<(u16, usize)> {
        let out = self.out;
        for (i, s) in self.senders.iter_mut().enumerate() {
            s.send(&mut self.b, self.p.flit_bytes, i);
        }
        let mut words = vec![0; (16 + 2 * self.p.dlist).div_ceil(4)];
        let vl = self.b.cycles as usize % self.p.vls;
        let blocks = (self.b.get("st_txr", out * self.p.vls + vl) + 500) & 0xfff;
        Control { fccl: Some(Credit { vl: vl as u32, blocks }), message, fctbs: None }.pack(&mut words);
        self.b.set_element("rx_ctl", out, &words);
        self.b.cycle();
        for (i, s) in self.senders.iter_mut().enumerate() {
            s.hear_all(&Control::unpack(self.b.get_element("tx_ctl", i)));
        }
        if self.b.get("tx_valid", out) & self.b.get("tx_first", out) == 0 {
            return None;
        }
        let h = Header::parse(self.b.get_element("tx_data", out));
        let from = usize::from(h.slid);
        self.counts[from] += u32::from(counts && h.dlid != FREE);
        self.of_other[from] += u32::from(counts && h.dlid == OTHER);
        Some((h.dlid, from))
    }

    /// A run with these messages of a tree of one destination, which is announced stopped.
    fn run(&mut self, mut messages: impl FnMut(u32, bool) -> Option<(u32, bool)>) {
        let tree = |m: (u32, bool)| message(m, 0, &[TREE]);
        let mut began = self.cycle(Some(tree((ALLOC, true))), false);
        for t in 1..CYCLES {
            let of_tree = began.is_some_and(|(dlid, _)| dlid != FREE);
            began = self.cycle(messages(t, of_tree).map(tree), t > WARM_UP);
        }
        self.assert_sound();
    }

    fn assert_sound(&self) {
        assert_eq!((0..=self.out).map(|i| self.b.get("err_in", i)).max(), Some(0));
    }
}

/// Organisations: one queue, isolation.
const ORGANISATIONS: [(bool, bool); 4] = [(false, true), (false, false), (true, true), (true, false)];
const HOT: &[u16] = &[TREE];
const COLD: &[u16] = &[FREE];
const BOTH: &[u16] = &[TREE, FREE];
const SENDERS: [[&[u16]; 3]; 4] = [[HOT, HOT, COLD], [BOTH, BOTH, COLD], [BOTH; 3], [HOT; 3]];

/// Fails with the first of some unfair runs.
fn assert_fair<T: std::fmt::Debug>(served: u32, unfair: &[T]) {
    assert!(served > pick(3_000, 10_000), "{served}");
    assert!(unfair.is_empty(), "{}: {:#?}", unfair.len(), &unfair[..unfair.len().min(5)]);
}

/// Runs of a switch with every organisation, all senders and these stops.
fn inputs_get_alike<S: Copy + std::fmt::Debug, M: FnMut(u32, bool) -> Option<(u32, bool)>>(
    stops: &[S],
    messages: impl Fn(S) -> M,
) {
    let (mut unfair, mut served) = (Vec::new(), 0);
    for (one_queue, isolates) in ORGANISATIONS {
        for kinds in SENDERS {
            for &stop in stops {
                let mut net = Net::new(one_queue, isolates, kinds);
                net.run(messages(stop));
                let alike = kinds.iter().filter(|k| k.contains(&TREE)).count();
                served += net.counts.iter().sum::<u32>();
                if !is_fair(&net.counts[..alike]) {
                    unfair.push((one_queue, isolates, kinds, stop, net.counts));
                }
            }
        }
    }
    assert_fair(served, &unfair);
}

#[test]
fn like_inputs_of_a_tree_get_alike() {
    inputs_get_alike(&Windows::all(), Windows::messages);
}

#[test]
fn like_inputs_get_alike_if_the_tree_dies_after_each_go() {
    inputs_get_alike(&Deaths::all(), Deaths::messages);
}

#[test]
fn like_hot_queues_of_an_input_get_alike() {
    const ALL: &[u16] = &[TREE, OTHER, FREE];
    const PLAIN: &[u16] = &[TREE, OTHER];
    let (mut unfair, mut served) = (Vec::new(), 0);
    for one_queue in [false, true] {
        for kinds in [[ALL, &[], &[]], [PLAIN, &[], COLD]] {
            // Go for so many cycles, stop for so many.
            for (open, shut) in (LEN + 1..=14)
                .flat_map(|open| (LEN..=10 * LEN).step_by(pick(3, 1)).map(move |shut| (open, shut)))
            {
                let mut net = Net::new(one_queue, true, kinds);
                for t in 0..CYCLES {
                    // A tree for each destination, so each has its hot queue; their stops come and go together, now the one
                    // first, now the other.
                    let (round, at) = (t / (open + shut), t % (open + shut));
                    let m = match at.checked_sub(open) {
                        _ if t < 2 => Some(message((ALLOC, true), t, &[[TREE, OTHER][t as usize]])),
                        None if at < 2 => Some(message((GO, false), (round + at) % 2, &[])),
                        Some(at @ 0..2) => Some(message((STOP, false), (round + at) % 2, &[])),
                        _ => None,
                    };
                    net.cycle(m, t > WARM_UP);
                }
                let all: u32 = net.counts.iter().sum();
                served += all;
                let of_other = net.of_other.iter().sum();
                if !is_fair(&[of_other, all - of_other]) {
                    unfair.push((one_queue, kinds, open, shut, net.counts, of_other));
                }
            }
        }
    }
    assert_fair(served, &unfair);
}

/// Two trees that take one line in turn, of a VL each: each is announced stopped, let go, and ends so many cycles after a packet of
/// it began; the other one comes after a gap.
#[derive(Clone, Copy, Debug)]
struct InTurn {
    shut: [u32; 2],
    life: u32,
    gap: [u32; 2],
}

impl InTurn {
    /// The message of a cycle, from what it is and from the destination of a packet that began in the last one.
    fn messages(self) -> impl FnMut(u32, Option<u16>) -> Option<Message> {
        let (mut tree, mut due) = (0, Some((2, ALLOC)));
        move |t, began| {
            let dlid = [TREE, OTHER][tree];
            if due.is_none() && began == Some(dlid) {
                due = Some((t + self.life, DEALLOC));
            }
            let (_, kind) = due.take_if(|(at, _)| *at <= t)?;
            let (vl, root) = (tree as u32, 0x0001_0305 + tree as u32);
            let m = Message { vl, root, ..message((kind, true), 0, &[dlid]) };
            if kind == ALLOC {
                due = Some((t + self.shut[tree], GO));
            } else if kind == DEALLOC {
                tree = 1 - tree;
                due = Some((t + self.gap[tree], ALLOC));
            }
            Some(m)
        }
    }
}

/// An input is not passed for ever because the turns of another tree have moved the pointer of its own.
#[test]
fn nobody_starves_where_trees_take_a_line_in_turn() {
    const PERIOD: u32 = 4_000;
    let mut rng = SmallRng::seed_from_u64(1);
    let (mut starved, mut served) = (Vec::new(), 0);
    for _ in 0..pick(200, 2_000) {
        let isolates = rng.random();
        let [hot, cold, other] = [TREE, FREE, OTHER].map(|dlid| (dlid, rng.random_range(1..=16)));
        // Two inputs of the first tree, with one between them whose packets no line holds.
        let kinds = vec![vec![hot], vec![cold], vec![hot, other]];
        let mut up_to = |most| rng.random_range(0..=most);
        let stop =
            InTurn { shut: [1 + up_to(20), 1 + up_to(20)], life: up_to(10), gap: [up_to(20), up_to(20)] };
        let mut net = Net::of(false, isolates, kinds, (2, 16));
        let (mut messages, mut began) = (stop.messages(), None);
        for t in 0..PERIOD {
            began = net.cycle(messages(t, began), t > WARM_UP).map(|(dlid, _)| dlid);
        }
        net.assert_sound();
        let of_tree = [0, 2].map(|i| net.counts[i] - net.of_other[i]);
        served += of_tree.iter().sum::<u32>();
        if 20 * of_tree.iter().min().unwrap() < of_tree.iter().sum() {
            starved.push((isolates, [hot, cold, other], stop, of_tree));
        }
    }
    assert_fair(served, &starved);
}

/// A constant period of messages to an output, and a source of one destination at each of four inputs.
#[derive(Clone, Debug)]
struct Period {
    one_queue: bool,
    isolates: bool,
    cycles: u32,
    /// Roots and lists.
    trees: Vec<(u32, Vec<u16>)>,
    /// Cycle, kind and stop, line, tree.
    events: Vec<(u32, (u32, bool), usize, usize)>,
    /// Destination and length; None: no source.
    sources: [Option<(u16, u32)>; 4],
}

impl Period {
    fn random(one_queue: bool, seed: u64) -> Period {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (isolates, overlap) = (rng.random(), rng.random());
        let (cycles, lines) = (rng.random_range(12..100), rng.random_range(1..=3));
        let trees: Vec<(u32, Vec<u16>)> = (0..rng.random_range(1..=4))
            .map(|k: usize| {
                let random = (0..rng.random_range(1..=3)).map(|_| rng.random_range(3..=6)).collect();
                let list = if overlap { random } else { [vec![3, 4], vec![5, 6]][k % 2].clone() };
                (rng.random_range(1..=3), list)
            })
            .collect();
        let kinds = [ALLOC, ALLOC, ALLOC, STOP, STOP, GO, GO, DEALLOC];
        let mut event = || {
            let (line, tree) = (rng.random_range(0..lines), rng.random_range(0..trees.len()));
            let tree = if overlap { tree } else { line % trees.len() };
            (rng.random_range(0..cycles), (kinds[rng.random_range(0..8)], rng.random()), line, tree)
        };
        let events = (0..8).map(|_| event()).collect();
        let mut source = || rng.random_bool(0.8).then(|| (rng.random_range(3..=7), rng.random_range(1..=16)));
        let sources = [source(), source(), source(), source()];
        Period { one_queue, isolates, cycles, trees, events, sources }
    }

    /// Inputs that get nothing in so many rounds, though in as many of them another's packet is granted while theirs may ask: no line
    /// stops it, and none that lists it has had a message for as long as it takes to be told of that.
    fn starved(&self, rounds: u32) -> Vec<usize> {
        let sources = self.sources.map(|s| s.into_iter().collect()).to_vec();
        let mut net = Net::of(self.one_queue, self.isolates, sources, (1, 16));
        // Who hears the output's messages as a sender hears its input's.
        let mut heard = Sender::default();
        let (mut got, mut passed) = ([0; 4], [0; 4]);
        // For how many cycles each input may ask, now and in the cycles before.
        let mut asks = VecDeque::from([[0; 4]; FROM_GRANT_TO_LINK]);
        for t in 0..(rounds + 10) * self.cycles {
            let event = self.events.iter().find(|e| e.0 == t % self.cycles);
            let told = event.map(|(_, kind, line, tree)| {
                let (root, list) = &self.trees[*tree];
                Message { root: *root, ..message(*kind, *line as u32, list) }
            });
            // Destinations of the line that is told of, before and after.
            let of_line = |heard: &Sender| event.map(|e| heard.lines[e.2].0.clone()).unwrap_or_default();
            let mut touched = of_line(&heard);
            told.iter().for_each(|m| heard.hear(m));
            touched.extend(of_line(&heard));
            let began = net.cycle(told, false);
            let mut now = asks[0];
            for (asks, source) in now.iter_mut().zip(self.sources) {
                let free =
                    source.is_some_and(|(mine, _)| !heard.is_stopped(mine) && !touched.contains(&mine));
                *asks = if free { *asks + 1 } else { 0 };
            }
            asks.push_front(now);
            let could = asks.pop_back().unwrap();
            let Some((_, from)) = began.filter(|_| t >= 10 * self.cycles) else { continue };
            got[from] += 1;
            for i in (0..4).filter(|&i| i != from) {
                passed[i] += u32::from(could[i] > TOLD);
            }
        }
        (0..4).filter(|&i| self.sources[i].is_some() && got[i] == 0 && passed[i] >= rounds).collect()
    }
}

/// No constant period of stops, ends and other trees passes an input for ever while it may ask (`docs/pointers.md`).
#[test]
fn no_period_of_a_tree_starves_an_input() {
    let mut starved = Vec::new();
    for seed in 0..pick(1_000, 10_000) {
        let period = Period::random(seed % 2 == 1, seed);
        if period.starved(50).is_empty() {
            continue;
        }
        let inputs = period.starved(500);
        if !inputs.is_empty() {
            println!("seed {seed}: {inputs:?} of {period:?}");
            starved.push(seed);
        }
    }
    assert_eq!(starved, [0; 0]);
}

/// A switch of four ports with one queue an input, of which each flow has a hot queue: there is a tree behind every output, which
/// nobody stops.
struct Match {
    /// Input, output, length of the packets.
    flows: Vec<(usize, usize, u32)>,
    /// TX_INTERVAL of the outputs.
    intervals: [u32; 4],
    iterations: usize,
    cnps: Cnps,
    /// Inputs have a queue for each output.
    voqs: bool,
}

/// Whether every other flow is of CNPs.
#[derive(Clone, Copy, PartialEq)]
enum Cnps {
    No,
    Plain,
    First,
}

impl Match {
    const PORTS: usize = 4;
    const CYCLES: u32 = 4_000;

    fn new(flows: &[(usize, usize, u32)], intervals: [u32; 4], iterations: usize) -> Match {
        Match { flows: flows.to_vec(), intervals, iterations, cnps: Cnps::No, voqs: false }
    }

    /// Cycles of a round in which each flow of an input, or of an output, has a packet.
    fn round(&self, of: impl Fn(usize, usize) -> bool) -> u32 {
        let flows = self.flows.iter().filter(|f| of(f.0, f.1));
        flows.map(|&(_, o, len)| len * self.intervals[o]).sum()
    }

    /// Packets of a flow if its input and its output serve all their flows in turn, whichever of the two takes longer.
    fn fair(&self, (i, o, _): (usize, usize, u32)) -> u32 {
        Match::CYCLES / self.round(|input, _| input == i).max(self.round(|_, out| out == o))
    }

    /// Packets of each flow.
    fn run(&self) -> Vec<u32> {
        let p = Params {
            ports: Match::PORTS,
            mtu: 8,
            blocks: 96,
            hpqs: 4,
            lines: 5,
            dlist: 2,
            lft_depth: 8,
            flit_bytes: 32,
            timer_w: 16,
            one_queue: !self.voqs,
            iterations: self.iterations,
            ..Params::default()
        };
        p.check().unwrap();
        let plain = u32::from(self.cnps == Cnps::Plain);
        let mut b = Bench::new(UnitKind::Switch, &p);
        while b.cycle().get("ready", 0) == 0 {}
        for port in 0..4 {
            b.set("lft_we", 0, 1).set("lft_addr", 0, port).set("lft_port", 0, port).cycle();
            b.set("cfg_unit", 0, 1).set("cfg_port", 0, port).config(7, self.intervals[port as usize]);
        }
        for (unit, addr, data) in [
            (0, 0, 1 | plain << 2),
            (0, 1, 14),
            (0, 2, 10),
            (0, 4, 1),
            (0, 13, 0xffff),
            (1, 0, 2 | plain << 7),
            (1, 6, 1),
        ] {
            b.set("cfg_unit", 0, unit).set("cfg_port", 0, 255).config(addr, data);
        }
        let mut senders = vec![Sender::default(); Match::PORTS];
        for &(i, o, len) in &self.flows {
            senders[i].kinds.push((o as u16, len));
            if self.cnps != Cnps::No && (i + o) % 2 == 1 {
                // As an output has it: short packets would take all.
                senders[i].least = 8;
                senders[i].cnps.push(o as u16);
            }
        }
        let mut counts = vec![0; self.flows.len()];
        for t in 0..WARM_UP + Match::CYCLES {
            for (i, s) in senders.iter_mut().enumerate() {
                // Inputs are full only after the trees are known.
                if t > 20 {
                    s.send(&mut b, p.flit_bytes, i);
                }
                let tree = message((ALLOC, false), 0, &[i as u16]);
                let fccl = Some(Credit { vl: 0, blocks: (b.get("st_txr", i) + 500) & 0xfff });
                let mut words = vec![0; (16 + 2 * p.dlist).div_ceil(4)];
                Control { fccl, message: Some(tree).filter(|_| t == 0), fctbs: None }.pack(&mut words);
                b.set_element("rx_ctl", i, &words);
            }
            b.cycle();
            for (port, s) in senders.iter_mut().enumerate() {
                s.hear_all(&Control::unpack(b.get_element("tx_ctl", port)));
                if b.get("tx_valid", port) & b.get("tx_first", port) == 1 {
                    let slid = usize::from(Header::parse(b.get_element("tx_data", port)).slid);
                    let flow = self.flows.iter().position(|f| (f.0, f.1) == (slid, port));
                    counts[flow.expect("a flow")] += u32::from(t >= WARM_UP);
                }
            }
        }
        assert_eq!((0..Match::PORTS).map(|i| b.get("err_in", i)).max(), Some(0));
        counts
    }
}

/// Every flow of these switches gets a quarter of its fair share at least; a tenth beside CNPs, which have no hot queue: what is
/// behind one in its cold queue waits for its turn. Beside those that go first a packet now and then.
fn assert_nobody_starves(all: &[Match]) {
    let mut starving = Vec::new();
    for m in all {
        let counts = m.run();
        let worst = m.flows.iter().zip(&counts).map(|(f, n)| f64::from(*n) / f64::from(m.fair(*f)));
        let worst = worst.fold(f64::MAX, f64::min);
        let least = match m.cnps {
            Cnps::No => 0.25,
            Cnps::Plain => 0.1,
            Cnps::First => 0.01,
        };
        if worst < least {
            starving.push((worst, &m.flows, m.intervals, m.iterations, counts));
        }
    }
    assert!(starving.is_empty(), "{}: {:#?}", starving.len(), &starving[..starving.len().min(5)]);
}

#[test]
fn claims_that_follow_one_another_starve_nobody() {
    // Three inputs send to outputs 0 and 1, and one to output 0 alone.
    let mut all = Vec::new();
    for len in [1, 2, 3, 4, 8] {
        let two = (1..4).flat_map(|i| [(i, 0, len), (i, 1, len)]);
        let flows: Vec<_> = two.chain([(0, 0, len)]).collect();
        all.extend([1, 2, 3].map(|iterations| Match::new(&flows, [1; 4], iterations)));
    }
    let flows = [(0, 0, 1), (1, 0, 1), (2, 0, 6), (2, 1, 7), (3, 0, 1), (3, 2, 3)];
    all.push(Match::new(&flows, [1; 4], 1));
    let flows = [(0, 0, 8), (0, 2, 7), (1, 2, 7), (1, 3, 7), (2, 2, 7), (3, 0, 8), (3, 2, 7)];
    all.push(Match::new(&flows, [1; 4], 1));
    let others = [(1, 0), (1, 1), (1, 3), (2, 0), (2, 3), (3, 0), (3, 3)].map(|(i, o)| (i, o, 5));
    let flows: Vec<_> = [(0, 2, 5), (0, 3, 5)].into_iter().chain(others).collect();
    all.push(Match::new(&flows, [1; 4], 1));
    assert_nobody_starves(&all);
}

#[test]
fn claims_of_an_input_starve_none_of_its_flows() {
    // Input 1 sends to three outputs, of which two are slow; another one wants the third.
    let mut all = Vec::new();
    for len in [1, 2, 4, 8] {
        for beside in [1, 4, 8] {
            for interval in [1, 2, 4] {
                let flows = [(1, 0, len), (1, 2, len), (1, 3, len), (2, 0, beside)];
                let intervals = [1, 1, interval, interval];
                all.extend([1, 2].map(|iterations| Match::new(&flows, intervals, iterations)));
            }
        }
    }
    assert_nobody_starves(&all);
}

/// Flows of random lengths from each input to some outputs.
fn random_flows(rng: &mut SmallRng) -> Vec<(usize, usize, u32)> {
    let mut flows = Vec::new();
    for i in 0..Match::PORTS {
        let wanted = rng.random_range(1..1 << Match::PORTS);
        for o in (0..Match::PORTS).filter(|o| wanted >> o & 1 != 0) {
            flows.push((i, o, rng.random_range(1..=8)));
        }
    }
    flows
}

#[test]
fn no_flow_of_one_queue_starves() {
    let mut rng = SmallRng::seed_from_u64(17);
    let random = |_| {
        let flows = random_flows(&mut rng);
        let intervals = [0; Match::PORTS].map(|_| rng.random_range(1..=3));
        Match::new(&flows, intervals, rng.random_range(1..=3))
    };
    let all: Vec<Match> = (0..60).map(random).collect();
    assert_nobody_starves(&all);
}

/// Random flows, every other one of CNPs.
fn beside_cnps(cnps: Cnps, seed: u64, n: usize) -> Vec<Match> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let random = |k: usize| {
        let flows = random_flows(&mut rng);
        let m = Match::new(&flows, [1; Match::PORTS], rng.random_range(1..=3));
        Match { cnps, voqs: k.is_multiple_of(2), ..m }
    };
    (0..n).map(random).collect()
}

#[test]
fn nobody_starves_among_cnps_without_priority() {
    assert_nobody_starves(&beside_cnps(Cnps::Plain, 18, 40));
}

#[test]
fn nobody_starves_beside_cnps_that_go_first() {
    let mut all = beside_cnps(Cnps::First, 19, 100);
    // An input without end of CNPs, and one whose data for the same output go by turns with data for another one.
    for len in 1..=4 {
        let flows = [(0, 1, len), (1, 1, len), (1, 3, len)];
        for (intervals, iterations) in [([1; 4], 1), ([1; 4], 2), ([1, 2, 1, 2], 1), ([1, 2, 1, 1], 1)] {
            all.push(Match { cnps: Cnps::First, ..Match::new(&flows, intervals, iterations) });
        }
    }
    assert_nobody_starves(&all);
}

/// Stops that are shorter than this can meet the visits of one flow each time (`docs/hca-throttle.md` section 3).
const VISIT: u32 = 8;

/// Runs of an adapter with these stops; so many flows in the tree, and so many beside them.
fn flows_get_alike<S: Copy + std::fmt::Debug, M: FnMut(u32, bool) -> Option<(u32, bool)>>(
    numbers: &[(u16, u16)],
    inject: u32,
    stops: &[S],
    messages: impl Fn(S) -> M,
) {
    let p = builds().iter().find(|b| b.unit == UnitKind::Hca && b.name == "h64").unwrap().params;
    let mut unfair = Vec::new();
    let mut served = 0;
    for &(flows, beside) in numbers {
        for &stop in stops {
            let mut b = Bench::new(UnitKind::Hca, &p);
            while b.cycle().get("ready", 0) == 0 {}
            for dlid in TREE..=FREE {
                b.set("lft_we", 0, 1).set("lft_addr", 0, dlid.into()).set("lft_port", 0, 0).cycle();
            }
            for (unit, addr, data) in
                [(3, 2, TREE.into()), (3, 5, inject), (0, 0, 1), (0, 4, 1), (1, 0, 2), (2, 0, 1)]
            {
                b.set("cfg_unit", 0, unit).config(addr, data);
            }
            let tree: Vec<u16> = (TREE..TREE + flows).collect();
            let (mut counts, mut messages, mut began) = (vec![0; flows.into()], messages(stop), false);
            let mut turn = 0;
            for t in 0..CYCLES {
                let kind = if t == 0 { Some((ALLOC, true)) } else { messages(t, began) };
                let mut words = vec![0; (16 + 2 * p.dlist).div_ceil(4)];
                let blocks = (b.get("st_txr", 0) + 500) & 0xfff;
                let message = kind.map(|kind| message(kind, 0, &tree));
                Control { fccl: Some(Credit { vl: 0, blocks }), message, fctbs: None }.pack(&mut words);
                b.set_words("rx_ctl", &words);
                // A host behind a window has packets for all flows in turn.
                let flow = if inject > 0 { turn } else { t } % u32::from(flows + beside);
                if b.get("gen_full", 0) >> flow & 1 == 0 {
                    turn += 1;
                    b.set("gen_valid", 0, 1).set("gen_flow", 0, flow).set("gen_len", 0, LEN);
                }
                b.set("dma_ready", 0, 1).cycle();
                let first = b.get("tx_valid", 0) & b.get("tx_first", 0) == 1;
                let dlid = Header::parse(b.get_words("tx_data")).dlid;
                let of_tree = tree.iter().position(|d| first && *d == dlid);
                if let Some(flow) = of_tree {
                    counts[flow] += u32::from(t > WARM_UP);
                }
                began = of_tree.is_some();
            }
            served += counts.iter().sum::<u32>();
            if !is_fair(&counts) {
                unfair.push((flows, beside, stop, counts));
            }
        }
    }
    assert_fair(served, &unfair);
}

#[test]
fn like_flows_of_a_tree_get_alike() {
    flows_get_alike(&[(2, 1), (3, 1)], 0, &Windows::all(), Windows::messages);
    let long: Vec<Windows> = Windows::all().into_iter().filter(|w| w.shut > VISIT).collect();
    flows_get_alike(&[(2, 0), (3, 0)], 0, &long, Windows::messages);
}

#[test]
fn like_flows_get_alike_if_the_tree_dies_after_each_go() {
    let long: Vec<Deaths> = Deaths::all().into_iter().filter(|d| d.shut > VISIT).collect();
    flows_get_alike(&[(2, 1), (3, 1), (2, 0), (3, 0)], 0, &long, Deaths::messages);
}

/// H1: a window takes what the host has of all flows in its order, so those that are alike get alike.
#[test]
fn like_flows_behind_a_window_get_alike() {
    let some: Vec<Windows> = Windows::all().into_iter().filter(|w| w.shut > VISIT).collect();
    for inject in [1, 3] {
        flows_get_alike(&[(2, 1), (3, 0)], inject, &some, Windows::messages);
    }
}
